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

use std::fmt::{Display, Write};

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
pub struct Row<'a> {
    out: &'a mut Buffer,
    rows: Rows,
    /// Written before the next field.
    separator: u8,
}

impl<'a> Row<'a> {
    /// Begins a row after what `out` holds.
    #[inline]
    pub fn begin(out: &'a mut Buffer, rows: Rows) -> Row<'a> {
        Row {
            out,
            rows,
            separator: if rows == Rows::Jsonl { b'{' } else { 0 },
        }
    }

    /// Adds text.
    pub fn text<'t>(&mut self, name: &str, text: impl Into<Option<&'t str>>) {
        self.field(name);
        match (self.rows, text.into()) {
            (Rows::Header, _) | (Rows::Csv(_), None) => {}
            (Rows::Csv(cells), Some(text)) => cells.push(self.out, text),
            (Rows::Jsonl, Some(text)) => json::push(self.out, &text),
            (Rows::Jsonl, None) => self.out.extend_from_slice(b"null"),
        }
    }

    /// Adds a word of the program, which needs neither quotes nor escapes.
    pub fn word<'t>(&mut self, name: &str, word: impl Into<Option<&'t str>>) {
        self.field(name);
        match (self.rows, word.into()) {
            (Rows::Header, _) | (Rows::Csv(_), None) => {}
            (Rows::Csv(_), Some(word)) => self.out.extend_from_slice(word.as_bytes()),
            (Rows::Jsonl, Some(word)) => {
                self.out.push(b'"');
                self.out.extend_from_slice(word.as_bytes());
                self.out.push(b'"');
            }
            (Rows::Jsonl, None) => self.out.extend_from_slice(b"null"),
        }
    }

    /// Adds an integer.
    pub fn number(&mut self, name: &str, number: impl Into<Option<u64>>) {
        self.field(name);
        match number.into() {
            _ if self.rows == Rows::Header => {}
            Some(number) => {
                let mut digits = itoa::Buffer::new();
                self.out.extend_from_slice(digits.format(number).as_bytes());
            }
            None => self.null(),
        }
    }

    /// Adds a fraction with as many digits as it needs.
    pub(crate) fn fraction(&mut self, name: &str, number: impl Into<Option<f64>>) {
        self.field(name);
        match (self.rows, number.into()) {
            (Rows::Header, _) => {}
            // Writing to memory does not fail.
            (Rows::Csv(_), Some(number)) => drop(write!(self.out, "{number}")),
            (Rows::Jsonl, Some(number)) => json::push(self.out, &number),
            (_, None) => self.null(),
        }
    }

    /// Adds a list: one field with the items separated by `between` in CSV, an array in JSON.
    pub(crate) fn list<T: Display + Serialize>(
        &mut self,
        name: &str,
        between: &str,
        items: Option<&[T]>,
    ) {
        self.field(name);
        match (self.rows, items) {
            (Rows::Header, _) => {}
            (Rows::Csv(cells), _) => {
                let items = items.unwrap_or_default().iter();
                let items: Vec<_> = items.map(T::to_string).collect();
                cells.push(self.out, &items.join(between));
            }
            (Rows::Jsonl, items) => json::push(self.out, &items),
        }
    }

    /// Ends the row and its line.
    #[inline]
    pub fn end(self) {
        self.out.extend_from_slice(if self.rows == Rows::Jsonl {
            b"}\n"
        } else {
            b"\n"
        });
    }

    #[inline]
    fn field(&mut self, name: &str) {
        if self.separator != 0 {
            self.out.push(self.separator);
        }
        self.separator = b',';
        match self.rows {
            Rows::Header => self.out.extend_from_slice(name.as_bytes()),
            Rows::Csv(_) => {}
            Rows::Jsonl => {
                self.out.push(b'"');
                self.out.extend_from_slice(name.as_bytes());
                self.out.extend_from_slice(b"\":");
            }
        }
    }

    fn null(&mut self) {
        if self.rows == Rows::Jsonl {
            self.out.extend_from_slice(b"null");
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
}
