//! A summary in GitHub's Markdown, for the page of a run: counts by code.
//!
//! GitHub takes 1 MiB of summary a step ("Workflow commands for GitHub Actions", section "Adding a
//! job summary") and nothing of a larger one.

use std::fmt::Write;

use crate::commands::accounts::Accounts;
use crate::commands::validate::formats::{FindingFormat, FindingItem, RunEnd};
use crate::error::Error;
use crate::input::{InputKind, Source};
use crate::report::escape::Escaped;
use crate::report::{Buffer, append};

/// Size of the document, in bytes.
const MOST_BYTES: usize = 1 << 20;

/// Text of a table's cell. Code between backticks stays code if that is certain; any other
/// character that means something is escaped.
struct Cell<'a>(&'a str);

impl std::fmt::Display for Cell<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let text = Escaped(self.0).to_string();
        let parts: Vec<&str> = text.split('`').collect();
        let is_certain = |code: &&str| !code.contains(['|', '\\']);
        let has_code = parts.len() % 2 == 1
            && !text.contains("``")
            && parts.iter().skip(1).step_by(2).all(is_certain);
        for (nth, part) in parts.into_iter().enumerate() {
            if nth > 0 {
                f.write_str(if has_code { "`" } else { "\\`" })?;
            }
            if has_code && nth % 2 == 1 {
                f.write_str(part)?;
                continue;
            }
            for character in part.chars() {
                match character {
                    '&' => f.write_str("&amp;")?,
                    '<' => f.write_str("&lt;")?,
                    '>' => f.write_str("&gt;")?,
                    '|' => f.write_str("&#124;")?,
                    '\\' => f.write_str("&#92;")?,
                    '*' | '_' | '[' | ']' | '~' | '#' | '$' => write!(f, "\\{character}")?,
                    character => f.write_char(character)?,
                }
            }
        }
        Ok(())
    }
}

/// The kind of the inputs, and those that cannot be read.
#[derive(Default)]
pub(crate) struct Summary {
    kind: InputKind,
    unreadable: Vec<String>,
}

impl Summary {
    /// The document, of rows as long as there is room.
    fn text(&self, end: &RunEnd<'_>) -> String {
        let mut out = String::new();
        let tally = end.tally;
        let [notes, warnings, errors] = tally.counts;
        let named = |count: u64, name: &str| match count {
            1 => format!("1 {name}"),
            count => format!("{count} {name}s"),
        };
        append!(
            out,
            "## arbiter validate\n\n**{}, {}, {}**; {}s: {}\n",
            named(errors, "error"),
            named(warnings, "warning"),
            named(notes, "note"),
            self.kind.unit(),
            end.accounts,
        );
        if end.interrupted {
            out.push_str("\nThe run was interrupted.\n");
        }
        let unreadable = self.unreadable.iter();
        let rows = unreadable.map(|error| format!("- {}\n", Cell(error)));
        section(&mut out, "\n### Inputs that cannot be read\n\n", rows);

        let rows = tally.codes().into_iter().map(|one| {
            let (severity, code, count) = (one.severity, one.code(), one.count);
            let summary = Cell(one.rule.summary);
            format!("| {severity} | {code} | {count} | {summary} |\n")
        });
        section(
            &mut out,
            "\n### Codes\n\n\
             | severity | code | findings | meaning |\n| --- | --- | ---: | --- |\n",
            rows,
        );
        out
    }
}

/// Appends a heading and rows, as many as fit.
fn section(out: &mut String, heading: &str, rows: impl Iterator<Item = String>) {
    for (nth, row) in rows.enumerate() {
        if out.len() + heading.len() + row.len() > MOST_BYTES {
            break;
        }
        if nth == 0 {
            out.push_str(heading);
        }
        out.push_str(&row);
    }
}

impl FindingFormat for Summary {
    fn unreadable(&mut self, _out: &mut Buffer, error: &Error, _source: Option<&Source>) {
        let note = if error.is_note() { "note: " } else { "" };
        self.unreadable.push(format!("{note}{error}"));
    }

    fn games(&mut self, source: &Source, _accounts: Accounts) {
        self.kind = source.kind;
    }

    fn finding(&mut self, _out: &mut Buffer, _item: FindingItem<'_>) {}

    fn finish(&mut self, out: &mut Buffer, end: &RunEnd<'_>) {
        out.push_str(&self.text(end));
    }
}
