//! Rows of named columns, written as CSV or as JSON lines.
//!
//! ```
//! use arbiter::report::escape::Cells;
//! use arbiter::report::Buffer;
//! use arbiter::report::rows::{Row, Rows};
//!
//! fn row(out: &mut Buffer, rows: Rows, event: &str, elo: Option<u64>) {
//!     let mut row = Row::begin(out, rows);
//!     row.text("event", event);
//!     row.number("elo", elo);
//!     row.end();
//! }
//!
//! let mut out = Buffer::default();
//! row(&mut out, Rows::Header, "", None);
//! row(&mut out, Rows::Csv(Cells::Exact), "Hastings, 1895", None);
//! assert_eq!(out.as_bytes(), b"event,elo\n\"Hastings, 1895\",\n");
//!
//! out.clear();
//! row(&mut out, Rows::Jsonl, "Hastings, 1895", Some(2500));
//! assert_eq!(out.as_bytes(), b"{\"event\":\"Hastings, 1895\",\"elo\":2500}\n");
//! ```

use std::borrow::Cow;
use std::fmt::Display;

use csv::{Writer, WriterBuilder};
use serde::Serialize;

use crate::report::escape::Cells;
use crate::report::{Buffer, json};

/// Syntax of rows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rows {
    /// CSV: the names of the columns instead of the values.
    Header,
    /// CSV (RFC 4180). A missing value is an empty field.
    Csv(Cells),
    /// One JSON object a line. A missing value is `null`.
    Jsonl,
}

/// One row in the making.
#[derive(Debug)]
pub struct Row<'a>(RowWriter<'a>);

// Rows are on the stack, one at a time.
#[allow(clippy::large_enum_variant)]
#[derive(Debug)]
enum RowWriter<'a> {
    /// A row of CSV: the header, or fields with text escaped.
    Csv(Writer<&'a mut Buffer>, Option<Cells>),
    /// A JSON object, and the separator before its next field.
    Jsonl(&'a mut Buffer, u8),
}

impl<'a> Row<'a> {
    /// Size of the buffer of a CSV row, in bytes; longer rows are written in parts.
    const CSV_BYTES: usize = 512;

    /// Begins a row after what `out` holds.
    pub fn begin(out: &'a mut Buffer, rows: Rows) -> Row<'a> {
        let cells = match rows {
            Rows::Header => None,
            Rows::Csv(cells) => Some(cells),
            Rows::Jsonl => return Row(RowWriter::Jsonl(out, b'{')),
        };
        let mut builder = WriterBuilder::new();
        let writer = builder.buffer_capacity(Row::CSV_BYTES).from_writer(out);
        Row(RowWriter::Csv(writer, cells))
    }

    /// Adds text.
    pub fn text<'t>(&mut self, name: &str, text: impl Into<Option<&'t str>>) {
        let text = text.into();
        self.field(
            name,
            |cells| cells.text(text.unwrap_or_default()),
            |out| json::push(out, &text),
        );
    }

    /// Adds a word of the program, which needs neither quotes nor escapes.
    pub fn word<'t>(&mut self, name: &str, word: impl Into<Option<&'t str>>) {
        let word = word.into();
        self.field(
            name,
            |_| word.unwrap_or_default().into(),
            |out| match word {
                Some(word) => {
                    out.push(b'"');
                    out.push_str(word);
                    out.push(b'"');
                }
                None => out.push_str("null"),
            },
        );
    }

    /// Adds an integer.
    pub fn number(&mut self, name: &str, number: impl Into<Option<u64>>) {
        let mut digits = itoa::Buffer::new();
        let number: Option<&str> = number.into().map(|number| digits.format(number));
        self.field(
            name,
            |_| number.unwrap_or_default().into(),
            |out| out.push_str(number.unwrap_or("null")),
        );
    }

    /// Adds an integer that may be negative.
    pub(crate) fn integer(&mut self, name: &str, number: impl Into<Option<i64>>) {
        let mut digits = itoa::Buffer::new();
        let number: Option<&str> = number.into().map(|number| digits.format(number));
        self.field(
            name,
            |_| number.unwrap_or_default().into(),
            |out| out.push_str(number.unwrap_or("null")),
        );
    }

    /// Adds a fraction with as many digits as it needs.
    pub(crate) fn fraction(&mut self, name: &str, number: impl Into<Option<f64>>) {
        let number = number.into();
        self.field(
            name,
            |_| number.map_or(Cow::default(), |number| number.to_string().into()),
            |out| json::push(out, &number),
        );
    }

    /// Adds a list: one field with the items separated by `between` in CSV, an array in JSON.
    pub(crate) fn list<T: Display + Serialize>(
        &mut self,
        name: &str,
        between: &str,
        items: Option<&[T]>,
    ) {
        self.field(
            name,
            |cells| {
                let items = items.unwrap_or_default().iter();
                let items: Vec<_> = items.map(T::to_string).collect();
                cells.text(&items.join(between)).into_owned().into()
            },
            |out| json::push(out, &items),
        );
    }

    /// Ends the row and its line.
    pub fn end(self) {
        match self.0 {
            // Writing to memory does not fail.
            RowWriter::Csv(mut row, _) => drop(row.write_record(None::<&str>)),
            RowWriter::Jsonl(out, _) => out.push_str("}\n"),
        }
    }

    /// Adds a field: `cell` in CSV, `value` in JSON.
    fn field<'t>(
        &mut self,
        name: &str,
        cell: impl FnOnce(Cells) -> Cow<'t, str>,
        value: impl FnOnce(&mut Buffer),
    ) {
        match &mut self.0 {
            RowWriter::Csv(row, cells) => {
                let text = match cells {
                    Some(cells) => cell(*cells),
                    None => name.into(),
                };
                // Writing to memory does not fail.
                let _ = row.write_field(&*text);
            }
            RowWriter::Jsonl(out, separator) => {
                out.push(std::mem::replace(separator, b','));
                out.push(b'"');
                out.push_str(name);
                out.push_str("\":");
                value(out);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(rows: Rows, moves: Option<&[&str]>) -> String {
        let mut out = Buffer::default();
        let mut row = Row::begin(&mut out, rows);
        row.number("game", 7_u64);
        row.text("white", "=Short, \"N\"");
        row.text("black", None);
        row.word("color", "white");
        row.fraction("score", 0.5);
        row.fraction("rate", None);
        row.list("line", " ", moves);
        row.end();
        String::from_utf8(out.as_bytes().to_vec()).unwrap()
    }

    #[test]
    fn one_row_in_every_syntax() {
        assert_eq!(
            row(Rows::Header, None),
            "game,white,black,color,score,rate,line\n"
        );
        assert_eq!(
            row(Rows::Csv(Cells::Safe), Some(&["e2e4", "e7e5"])),
            "7,\"'=Short, \"\"N\"\"\",,white,0.5,,e2e4 e7e5\n"
        );
        assert_eq!(
            row(Rows::Jsonl, Some(&["e2e4"])),
            "{\"game\":7,\"white\":\"=Short, \\\"N\\\"\",\"black\":null,\"color\":\"white\",\
             \"score\":0.5,\"rate\":null,\"line\":[\"e2e4\"]}\n"
        );
    }

    /// Fields of a text after an empty one.
    fn field(cells: Cells, text: &str) -> String {
        let mut out = Buffer::default();
        let mut row = Row::begin(&mut out, Rows::Csv(cells));
        row.text("empty", None);
        row.text("text", text);
        row.end();
        let line = String::from_utf8(out.into_bytes()).unwrap();
        line.trim_start_matches(',')
            .trim_end_matches('\n')
            .to_owned()
    }

    #[test]
    fn a_field_is_quoted_where_it_needs_to_be() {
        for (text, expected) in [
            ("", ""),
            ("Short", "Short"),
            ("Müller", "Müller"),
            ("Short, Nigel", "\"Short, Nigel\""),
            ("the \"Immortal\"", "\"the \"\"Immortal\"\"\""),
            ("a\nb", "\"a\nb\""),
            ("a\u{1b}b", "a\\u{1b}b"),
            ("é,\u{7}", "\"é,\\u{7}\""),
        ] {
            assert_eq!(field(Cells::Exact, text), expected);
        }
    }

    #[test]
    fn a_cell_that_is_no_formula_any_more_is_quoted_as_others() {
        for (text, expected) in [
            ("", ""),
            ("Short", "Short"),
            ("=1+1", "'=1+1"),
            ("+1,2", "\"'+1,2\""),
            ("-5", "'-5"),
            ("@SUM(A1)", "'@SUM(A1)"),
            ("\t=1", "'\t=1"),
            ("\r=1", "'\\u{d}=1"),
            ("＝1", "'＝1"),
            ("1-0", "1-0"),
        ] {
            assert_eq!(field(Cells::Safe, text), expected);
        }
    }
}
