//! Rows of named columns, written as CSV, as JSON lines or as Parquet.
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

mod syntax;

use std::fmt::Display;

use serde::Serialize;
use serde_json::Value;

use crate::report::escape::Cells;
use crate::report::{Buffer, json};

pub(crate) use syntax::write_word;

/// Syntax of rows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rows {
    /// CSV: the names of the columns instead of the values.
    Header,
    /// CSV (RFC 4180). A missing value is an empty field.
    Csv(Cells),
    /// One JSON object a line. A missing value is `null`.
    Jsonl,
    /// Binary rows, of which the sink makes a Parquet file.
    Table,
}

/// Type of a column of a Parquet file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ColumnType {
    /// UTF-8, in a dictionary if it repeats.
    Text,
    /// UTF-8 in a dictionary, not compressed.
    Word,
    /// UTF-8 without a dictionary.
    Unique,
    /// Integer of 64 bits.
    Number,
    /// Integer of 16 bits.
    Int16,
    /// Floating-point number of 64 bits.
    Fraction,
    /// True or false.
    Bool,
    /// Days since 1970-01-01.
    Date,
    /// Milliseconds since midnight.
    Time,
    /// List of texts.
    List,
    /// List of integers of 16 bits.
    Int16List,
    /// List of structs with these fields: texts and integers of 64 bits.
    Structs(&'static [(&'static str, ColumnType)]),
}

/// Value of a column in one row.
#[derive(Clone, Copy)]
pub(crate) enum Cell<'a> {
    Null,
    Text(&'a str),
    /// Word of the program, which needs neither quotes nor escapes.
    Word(&'a str),
    /// Word that a function writes to [`Buffer::LONGEST_IN_PLACE`] bytes; it returns the length.
    InPlace(&'a dyn Fn(&mut [u8]) -> usize),
    /// Value of many rows.
    Repeated(&'a RepeatedCell),
    Number(u64),
    Integer(i64),
    Fraction(f64),
    Flag(bool),
    /// Year, month and day.
    Date(u16, u8, u8),
    /// Hours, minutes and seconds.
    Time([u8; 3]),
    /// List, with the text between its items in CSV.
    List(&'a str, &'a dyn Items),
}

impl Cell<'_> {
    /// The value of an option.
    #[inline(always)]
    pub(crate) fn some<T>(value: Option<T>, cell: impl FnOnce(T) -> Self) -> Self {
        value.map_or(Cell::Null, cell)
    }
}

/// Items of a list.
pub(crate) trait Items {
    /// Text of all items.
    fn joined(&self, between: &str) -> String;

    /// Appends the items as JSON.
    fn push_json(&self, out: &mut Buffer);

    /// Values of the items.
    fn values(&self) -> Vec<Value>;
}

impl<T: Display + Serialize> Items for &[T] {
    fn joined(&self, between: &str) -> String {
        let items: Vec<String> = self.iter().map(T::to_string).collect();
        items.join(between)
    }

    fn push_json(&self, out: &mut Buffer) {
        json::push(out, self);
    }

    fn values(&self) -> Vec<Value> {
        self.iter().map(|item| serde_json::json!(item)).collect()
    }
}

/// Value that is the same in many rows, written once in their syntax; in CSV after a comma.
#[derive(Debug)]
pub(crate) struct RepeatedCell {
    field: Vec<u8>,
    /// The field again if it is short, so that it is copied without a loop.
    short: [u8; RepeatedCell::SHORT + 1],
}

impl RepeatedCell {
    const SHORT: usize = 64;

    /// Appends the field without its first `from` bytes.
    #[inline(always)]
    fn push(&self, out: &mut Buffer, from: usize) {
        if self.field.len() > RepeatedCell::SHORT {
            return out.extend_from_slice(&self.field[from..]);
        }
        out.push_in_place(|to| {
            let field = &self.short[from..from + RepeatedCell::SHORT];
            to[..RepeatedCell::SHORT].copy_from_slice(field);
            self.field.len() - from
        });
    }

    pub(crate) fn new(rows: Rows, kind: ColumnType, cell: Cell<'_>) -> RepeatedCell {
        let mut out = Buffer::default();
        match rows {
            Rows::Header => {}
            Rows::Csv(cells) => syntax::push_csv(&mut out, cells, false, cell),
            Rows::Jsonl => syntax::push_json(&mut out, cell),
            Rows::Table => syntax::push_binary(&mut out, kind, cell),
        }
        let mut short = [0; RepeatedCell::SHORT + 1];
        let field = out.into_bytes();
        if let Some(start) = short.get_mut(..field.len()) {
            start.copy_from_slice(&field);
        }
        RepeatedCell { field, short }
    }
}

/// Names and types of columns, in order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Schema(pub Vec<(String, ColumnType)>);

/// Rows of a group in a Parquet file: enough that headers and dictionaries are small beside them,
/// and few enough that groups fit into memory. A game may come with its movetext.
pub(crate) const GAMES_IN_GROUP: usize = 1 << 13;
pub(crate) const PLIES_IN_GROUP: usize = 1 << 16;

/// One row in the making: each call adds the name, the type and the value of a column.
///
/// In hot code the syntax is a constant: all calls are inlined, and nothing of the rest is left.
#[derive(Debug)]
pub struct Row<'a> {
    to: Destination<'a>,
    rows: Rows,
    /// Length of the buffer before the row.
    begin: usize,
    is_first: bool,
    /// Number of the next column, and of the only one that is added.
    next: usize,
    only: Option<usize>,
}

#[derive(Debug)]
enum Destination<'a> {
    Buffer(&'a mut Buffer),
    /// Not a row: the names and types of the columns.
    Schema(&'a mut Schema),
}

impl<'a> Row<'a> {
    /// Begins a row after what `out` holds.
    #[inline(always)]
    pub fn begin(out: &'a mut Buffer, rows: Rows) -> Row<'a> {
        let begin = out.len();
        if rows == Rows::Table {
            out.extend_from_slice(&[0; 4]);
        }
        Row::new(Destination::Buffer(out), rows, begin)
    }

    /// Collects the names and types of the columns instead of values.
    pub(crate) fn schema(schema: &'a mut Schema) -> Row<'a> {
        Row::new(Destination::Schema(schema), Rows::Table, 0)
    }

    #[inline(always)]
    fn new(to: Destination<'a>, rows: Rows, begin: usize) -> Row<'a> {
        Row {
            to,
            rows,
            begin,
            is_first: true,
            next: 0,
            only: None,
        }
    }

    /// Adds the columns with these numbers, in this order, of those that `add` adds; all without
    /// a number.
    pub(crate) fn chosen(&mut self, columns: &[usize], mut add: impl FnMut(&mut Row<'a>)) {
        if columns.is_empty() {
            add(self);
        }
        for &column in columns {
            self.next = 0;
            self.only = Some(column);
            add(self);
        }
    }

    /// True if a column that comes next may be chosen.
    #[inline]
    pub(crate) fn wants_more(&self) -> bool {
        self.only.is_none_or(|only| only >= self.next)
    }

    /// Adds a field.
    #[inline(always)]
    pub(crate) fn field(&mut self, name: &str, kind: ColumnType, cell: Cell<'_>) {
        let column = self.next;
        self.next += 1;
        if self.only.is_some_and(|only| only != column) {
            return;
        }
        let out = match &mut self.to {
            Destination::Buffer(out) => out,
            Destination::Schema(schema) => return schema.0.push((name.to_owned(), kind)),
        };
        match self.rows {
            Rows::Header => syntax::push_csv(out, Cells::Exact, self.is_first, Cell::Text(name)),
            Rows::Csv(cells) => syntax::push_csv(out, cells, self.is_first, cell),
            Rows::Jsonl => {
                syntax::push_name(out, self.is_first, name);
                syntax::push_json(out, cell);
            }
            Rows::Table => syntax::push_binary(out, kind, cell),
        }
        self.is_first = false;
    }

    /// Adds text.
    #[inline(always)]
    pub fn text<'t>(&mut self, name: &str, text: impl Into<Option<&'t str>>) {
        self.field(name, ColumnType::Text, Cell::some(text.into(), Cell::Text));
    }

    /// Adds text that seldom repeats.
    pub(crate) fn unique(&mut self, name: &str, text: Option<&str>) {
        self.field(name, ColumnType::Unique, Cell::some(text, Cell::Text));
    }

    /// Adds a word of the program, which needs neither quotes nor escapes.
    pub fn word<'t>(&mut self, name: &str, word: impl Into<Option<&'t str>>) {
        self.field(name, ColumnType::Text, Cell::some(word.into(), Cell::Word));
    }

    /// Adds an integer.
    pub fn number(&mut self, name: &str, number: impl Into<Option<u64>>) {
        let cell = Cell::some(number.into(), Cell::Number);
        self.field(name, ColumnType::Number, cell);
    }

    /// Adds an integer of 16 bits, which may be negative.
    pub(crate) fn int16(&mut self, name: &str, number: Option<i16>) {
        let cell = Cell::some(number, |number| Cell::Integer(number.into()));
        self.field(name, ColumnType::Int16, cell);
    }

    /// Adds a fraction, rounded to six places.
    pub(crate) fn fraction(&mut self, name: &str, number: impl Into<Option<f64>>) {
        let cell = Cell::some(number.into(), |number| {
            Cell::Fraction(json::rounded(number))
        });
        self.field(name, ColumnType::Fraction, cell);
    }

    /// Adds a date, year, month and day: `2024-02-29`.
    pub(crate) fn date(&mut self, name: &str, date: Option<(u16, u8, u8)>) {
        let cell = Cell::some(date, |(year, month, day)| Cell::Date(year, month, day));
        self.field(name, ColumnType::Date, cell);
    }

    /// Adds a time of day, hours, minutes and seconds: `23:59:00`.
    pub(crate) fn time(&mut self, name: &str, time: Option<[u8; 3]>) {
        self.field(name, ColumnType::Time, Cell::some(time, Cell::Time));
    }

    /// Adds a list of texts: one field with the items separated by `between` in CSV.
    pub(crate) fn list<T: Display + Serialize>(
        &mut self,
        name: &str,
        between: &str,
        items: Option<&[T]>,
    ) {
        let items = items.as_ref().map(|items| items as &dyn Items);
        let cell = Cell::some(items, |items| Cell::List(between, items));
        self.field(name, ColumnType::List, cell);
    }

    /// Adds a list of structs, as [`Row::list`] does. The fields are those of their JSON.
    pub(crate) fn structs<T: Display + Serialize>(
        &mut self,
        name: &str,
        between: &str,
        fields: &'static [(&'static str, ColumnType)],
        items: Option<&[T]>,
    ) {
        let items = items.as_ref().map(|items| items as &dyn Items);
        let cell = Cell::some(items, |items| Cell::List(between, items));
        self.field(name, ColumnType::Structs(fields), cell);
    }

    /// Adds a value to a JSON object; tables have no such column.
    pub(crate) fn json(&mut self, name: &str, value: &impl Serialize) {
        if let (Destination::Buffer(out), Rows::Jsonl) = (&mut self.to, self.rows) {
            syntax::push_name(out, self.is_first, name);
            json::push(out, value);
            self.is_first = false;
        }
    }

    /// Ends the row and its line.
    #[inline(always)]
    pub fn end(self) {
        let Destination::Buffer(out) = self.to else {
            return;
        };
        match self.rows {
            // A reader skips an empty line.
            Rows::Header | Rows::Csv(_) if out.len() == self.begin => out.push_str("\"\"\n"),
            Rows::Header | Rows::Csv(_) => out.push_in_place(|to| write_word(b"\n       ", 1, to)),
            Rows::Jsonl => out.push_str("}\n"),
            Rows::Table => {
                let length = (out.len() - self.begin) as u32;
                out.patch(self.begin, &length.to_le_bytes());
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
    fn a_row_of_one_empty_field_is_no_empty_line() {
        let mut out = Buffer::default();
        let mut row = Row::begin(&mut out, Rows::Csv(Cells::Exact));
        row.text("only", None);
        row.end();
        assert_eq!(out.as_bytes(), b"\"\"\n");
    }

    #[test]
    fn a_number_is_written_as_rust_prints_it() {
        let mut out = Buffer::default();
        let mut expected = String::new();
        for number in [0, 7, -7, 999, -999, 1000, -1000, i64::MAX, i64::MIN] {
            let mut row = Row::begin(&mut out, Rows::Csv(Cells::Exact));
            row.field("integer", ColumnType::Number, Cell::Integer(number));
            row.end();
            expected += &format!("{number}\n");
        }
        let large = u32::MAX.into();
        for number in [0.0, -0.0, 180.0, -180.0, 0.5, large, large + 1.0, 1e300] {
            let mut row = Row::begin(&mut out, Rows::Csv(Cells::Exact));
            row.field("fraction", ColumnType::Fraction, Cell::Fraction(number));
            row.end();
            expected += &format!("{number}\n");
        }
        assert_eq!(out.as_bytes(), expected.as_bytes());
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
