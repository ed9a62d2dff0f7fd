//! A decided claim as text that can be read out.

use crate::boards::diagram;
use crate::claim::ClaimRuling;
use crate::text::escape::Escaped;
use crate::text::wrap_if;

impl ClaimRuling {
    /// The heading, the board and the ruling, a sentence a line; in a terminal of this many columns
    /// further lines of it are indented.
    pub fn for_people(&self, columns: Option<usize>) -> String {
        let mut out = String::new();
        let write = |out: &mut String, text: &str| {
            let text = Escaped(text).to_string();
            wrap_if(out, &text, ["", "  "], columns);
        };
        let heading = [self.heading.players(), self.heading.occasion()];
        for line in heading.iter().flatten() {
            write(&mut out, line);
        }
        if !out.is_empty() {
            out.push('\n');
        }
        out += &diagram(&self.position);
        out.push('\n');
        write(&mut out, &self.statement);
        write(&mut out, &format!("Rules: {}.", self.rules()));
        write(
            &mut out,
            &format!("{} {}", self.decided, self.cited_reason()),
        );
        for texts in [&self.details, &self.follows, &self.otherwise] {
            texts.iter().for_each(|text| write(&mut out, text));
        }
        out
    }
}
