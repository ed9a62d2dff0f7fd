//! Decided claims: as a ruling that can be read out, as a page, and as a JSON object.

use crate::commands::adjudicate::claim::ClaimRuling;
use crate::commands::adjudicate::formats::human::diagram;
use crate::commands::adjudicate::formats::{RulingFormat, page};
use crate::error::Error;
use crate::report::escape::Escaped;
use crate::report::{json, wrap_if};

/// Writer of a ruling, for a terminal of this width if there is one.
pub(crate) type Writer = fn(&ClaimRuling, Option<usize>) -> String;

/// Writer of a ruling in a format.
pub(crate) fn in_format(format: RulingFormat) -> Result<Writer, Error> {
    match format {
        RulingFormat::Human => Ok(human),
        // One object, one line.
        RulingFormat::Jsonl => Ok(|ruling, _| json::of(ruling) + "\n"),
        RulingFormat::Html => Ok(|ruling, _| page::of(ruling)),
        _ => Err(Error::usage(
            "a claim is decided as `human`, `html` or `jsonl`",
        )),
    }
}

/// The heading, the board and the ruling, a sentence a line; in a terminal further lines of it are
/// indented.
fn human(ruling: &ClaimRuling, columns: Option<usize>) -> String {
    let mut out = String::new();
    let write = |out: &mut String, text: &str| {
        let text = Escaped(text).to_string();
        wrap_if(out, &text, ["", "  "], columns);
    };
    let heading = [ruling.heading.players(), ruling.heading.occasion()];
    for line in heading.iter().flatten() {
        write(&mut out, line);
    }
    if !out.is_empty() {
        out.push('\n');
    }
    out += &diagram(&ruling.position);
    out.push('\n');
    write(&mut out, &ruling.statement);
    write(&mut out, &format!("Rules: {}.", ruling.rules()));
    write(
        &mut out,
        &format!("{} {}", ruling.decided, ruling.cited_reason()),
    );
    for texts in [&ruling.details, &ruling.follows, &ruling.otherwise] {
        texts.iter().for_each(|text| write(&mut out, text));
    }
    out
}
