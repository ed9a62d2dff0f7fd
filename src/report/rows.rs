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

use std::fmt::Display;

use csv::WriterBuilder;
use serde::Serialize;
use serde_json::{Value, json};

use crate::report::block::{Block, days, push_list, push_small_numbers, push_text};
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
    /// Binary rows, of which the sink makes a Parquet file.
    Table,
}

/// Type of a column of a Parquet file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ColumnType {
    /// UTF-8, in a dictionary if it repeats.
    Text,
    /// UTF-8 without a dictionary.
    Unique,
    /// UTF-8 that differs little from the text in the row before.
    Changed,
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

/// Names and types of columns, in order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Schema(pub Vec<(String, ColumnType)>);

/// Rows of a group in a Parquet file: enough that headers and dictionaries are small beside them,
/// and few enough that groups fit into memory. A game may come with its movetext.
pub(crate) const GAMES_IN_GROUP: usize = 1 << 13;
pub(crate) const PLIES_IN_GROUP: usize = 1 << 16;

/// One row in the making, or a block of binary rows.
#[derive(Debug)]
pub struct Row<'a>(RowWriter<'a>);

#[derive(Debug)]
enum RowWriter<'a> {
    Csv(CsvRow<'a>),
    /// A JSON object, and the separator before its next field.
    Jsonl(&'a mut Buffer, u8),
    Binary(Block<'a>),
    /// Not a row: the names and types of the columns.
    Schema(&'a mut Schema),
}

/// A row of CSV.
#[derive(Debug)]
struct CsvRow<'a> {
    out: &'a mut Buffer,
    /// Escaping of text; none in the header.
    cells: Option<Cells>,
    fields: usize,
    begin: usize,
}

impl CsvRow<'_> {
    /// Adds a field that needs no quotes.
    #[inline]
    fn push_plain(&mut self, text: &str) {
        if self.fields > 0 {
            self.out.push(b',');
        }
        self.fields += 1;
        self.out.push_str(text);
    }

    /// Adds a field, with quotes if it needs them.
    fn push(&mut self, text: &str) {
        let is_special = |byte: u8| matches!(byte, b',' | b'"' | b'\n' | b'\r');
        if !text.bytes().fold(false, |any, byte| any | is_special(byte)) {
            return self.push_plain(text);
        }
        self.push_plain("");
        let mut writer = WriterBuilder::new();
        let writer = writer.buffer_capacity(2 * text.len());
        // Writing to memory does not fail.
        let _ = writer.from_writer(&mut *self.out).write_record([text]);
        // The end of the record.
        self.out.truncate(self.out.len() - 1);
    }

    fn end(self) {
        // A reader skips an empty line.
        if self.fields == 1 && self.out.len() == self.begin {
            self.out.push_str("\"\"");
        }
        self.out.push(b'\n');
    }
}

impl<'a> Row<'a> {
    /// Begins a row after what `out` holds.
    pub fn begin(out: &'a mut Buffer, rows: Rows) -> Row<'a> {
        let cells = match rows {
            Rows::Header => None,
            Rows::Csv(cells) => Some(cells),
            Rows::Jsonl => return Row(RowWriter::Jsonl(out, b'{')),
            Rows::Table => {
                let mut block = Block::begin(out);
                block.push::<0>(|_| {});
                block.end_rows(&[]);
                return Row::block(block);
            }
        };
        Row(RowWriter::Csv(CsvRow {
            begin: out.len(),
            out,
            cells,
            fields: 0,
        }))
    }

    /// Columns of a block of binary rows. [`Row::recorded`], [`Row::numbers`], [`Row::fractions`]
    /// and [`Row::lists`] add a value for each row, other methods one for all rows.
    pub(crate) fn block(block: Block<'a>) -> Row<'a> {
        Row(RowWriter::Binary(block))
    }

    /// Collects the names and types of the columns instead of values.
    pub(crate) fn schema(schema: &'a mut Schema) -> Row<'a> {
        Row(RowWriter::Schema(schema))
    }

    /// The block, if there is one and it has values.
    #[inline]
    fn block_of<T>(&mut self, rows: &[T]) -> Option<&mut Block<'a>> {
        match &mut self.0 {
            RowWriter::Binary(block) if !rows.is_empty() => Some(block),
            _ => None,
        }
    }

    /// Adds an integer for each row of a block; outside of one, that of the only row. It is null if
    /// `rows` is empty.
    #[inline]
    pub(crate) fn numbers<T>(
        &mut self,
        name: &str,
        rows: &[T],
        number: impl Fn(&T) -> Option<i64>,
    ) {
        match self.block_of(rows) {
            Some(block) => block.each(rows, |row| number(row).map(i64::to_le_bytes)),
            None => self.integer(name, rows.first().and_then(number)),
        }
    }

    /// Adds a fraction for each row, as [`Row::numbers`] does.
    #[inline]
    pub(crate) fn fractions<T>(
        &mut self,
        name: &str,
        rows: &[T],
        number: impl Fn(&T) -> Option<f64>,
    ) {
        match self.block_of(rows) {
            Some(block) => block.each(rows, |row| number(row).map(f64::to_le_bytes)),
            None => self.fraction(name, rows.first().and_then(number)),
        }
    }

    /// Adds small numbers for each row, as [`Row::numbers`] does.
    pub(crate) fn lists<T>(
        &mut self,
        name: &str,
        rows: &[T],
        numbers: impl Fn(&T) -> Option<&[u8]>,
    ) {
        match self.block_of(rows) {
            Some(block) => block.some(rows.iter().map(numbers), push_small_numbers),
            None => self.small_numbers(name, rows.first().and_then(numbers)),
        }
    }

    /// Adds a field that is at `offset` in the records of a block, or `add`s it to this row.
    pub(crate) fn recorded(
        &mut self,
        name: &str,
        kind: ColumnType,
        offset: u8,
        add: impl FnOnce(&mut Row<'a>),
    ) {
        match &mut self.0 {
            RowWriter::Binary(block) => block.field(offset),
            RowWriter::Schema(schema) => schema.0.push((name.to_owned(), kind)),
            _ => add(self),
        }
    }

    /// Adds text.
    pub fn text<'t>(&mut self, name: &str, text: impl Into<Option<&'t str>>) {
        self.text_of(name, ColumnType::Text, text.into());
    }

    /// Adds text that seldom repeats.
    pub(crate) fn unique(&mut self, name: &str, text: Option<&str>) {
        self.text_of(name, ColumnType::Unique, text);
    }

    fn text_of(&mut self, name: &str, kind: ColumnType, text: Option<&str>) {
        if self.is_binary(name, kind, text, push_text) {
            return;
        }
        self.field(
            name,
            |row, cells| row.push(&cells.text(text.unwrap_or_default())),
            |out| json::push(out, &text),
        );
    }

    /// Adds a word of the program, which needs neither quotes nor escapes.
    pub fn word<'t>(&mut self, name: &str, word: impl Into<Option<&'t str>>) {
        let word = word.into();
        if self.is_binary(name, ColumnType::Text, word, push_text) {
            return;
        }
        self.field(
            name,
            |row, _| row.push_plain(word.unwrap_or_default()),
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
        let number = number.into();
        if !self.is_binary(name, ColumnType::Number, number, |out, number| {
            out.extend_from_slice(&number.to_le_bytes());
        }) {
            self.digits(name, number);
        }
    }

    /// Adds an integer that may be negative.
    pub(crate) fn integer(&mut self, name: &str, number: Option<i64>) {
        if !self.is_binary(name, ColumnType::Number, number, |out, number| {
            out.extend_from_slice(&number.to_le_bytes());
        }) {
            self.digits(name, number);
        }
    }

    /// Adds an integer of 16 bits, which may be negative.
    pub(crate) fn int16(&mut self, name: &str, number: Option<i16>) {
        if !self.is_binary(name, ColumnType::Int16, number, |out, number| {
            out.extend_from_slice(&i32::from(number).to_le_bytes());
        }) {
            self.digits(name, number);
        }
    }

    /// Adds true or false.
    pub(crate) fn flag(&mut self, name: &str, flag: Option<bool>) {
        if !self.is_binary(name, ColumnType::Bool, flag, |out, flag| {
            out.push(flag.into());
        }) {
            self.literal(name, flag.map(|flag| if flag { "true" } else { "false" }));
        }
    }

    /// Adds a fraction with as many digits as it needs.
    pub(crate) fn fraction(&mut self, name: &str, number: impl Into<Option<f64>>) {
        let number = number.into();
        if self.is_binary(name, ColumnType::Fraction, number, |out, number| {
            out.extend_from_slice(&number.to_le_bytes());
        }) {
            return;
        }
        self.field(
            name,
            |row, _| row.push_plain(&number.map_or(String::new(), |number| number.to_string())),
            |out| json::push(out, &number),
        );
    }

    /// Adds a date, year, month and day: `2024-02-29`.
    pub(crate) fn date(&mut self, name: &str, date: Option<(u16, u8, u8)>) {
        if self.is_binary(name, ColumnType::Date, date, |out, (year, month, day)| {
            out.extend_from_slice(&days(year, month, day).to_le_bytes());
        }) {
            return;
        }
        let text = date.map(|(year, month, day)| format!("{year:04}-{month:02}-{day:02}"));
        self.word(name, text.as_deref());
    }

    /// Adds a time of day, hours, minutes and seconds: `23:59:00`.
    pub(crate) fn time(&mut self, name: &str, time: Option<[u8; 3]>) {
        if self.is_binary(name, ColumnType::Time, time, |out, parts| {
            let [hours, minutes, seconds] = parts.map(i32::from);
            let milliseconds = 1000 * (3600 * hours + 60 * minutes + seconds);
            out.extend_from_slice(&milliseconds.to_le_bytes());
        }) {
            return;
        }
        let text =
            time.map(|[hours, minutes, seconds]| format!("{hours:02}:{minutes:02}:{seconds:02}"));
        self.word(name, text.as_deref());
    }

    /// Adds a list: one field with the items separated by `between` in CSV, an array in JSON.
    pub(crate) fn list<T: Display + Serialize>(
        &mut self,
        name: &str,
        between: &str,
        items: Option<&[T]>,
    ) {
        let texts = |out: &mut Buffer, items: &[T]| {
            push_list(
                out,
                items.iter().map(|item| Some(item.to_string())),
                push_text,
            );
        };
        if !self.is_binary(name, ColumnType::List, items, texts) {
            self.items(name, between, items);
        }
    }

    /// Adds a list of structs, as [`Row::list`] does. The fields are those of their JSON.
    pub(crate) fn structs<T: Display + Serialize>(
        &mut self,
        name: &str,
        between: &str,
        fields: &'static [(&'static str, ColumnType)],
        items: Option<&[T]>,
    ) {
        match &mut self.0 {
            RowWriter::Binary(block) => {
                let items = items.map(|items| items.iter().map(|item| json!(item)));
                let items: Option<Vec<Value>> = items.map(Iterator::collect);
                for (field, kind) in fields {
                    block.same(items.as_ref(), |out, items| {
                        let values = items.iter().map(|item| &item[field]);
                        if *kind == ColumnType::Number {
                            let numbers = values.map(|it| it.as_u64().map(u64::to_le_bytes));
                            return push_list(out, numbers, |out, it| out.extend_from_slice(&it));
                        }
                        push_list(out, values.map(Value::as_str), push_text);
                    });
                }
            }
            RowWriter::Schema(schema) => schema.0.push((name.into(), ColumnType::Structs(fields))),
            _ => self.items(name, between, items),
        }
    }

    /// Adds a list to a row of CSV or JSON.
    fn items<T: Display + Serialize>(&mut self, name: &str, between: &str, items: Option<&[T]>) {
        self.field(
            name,
            |row, cells| {
                let items = items.unwrap_or_default().iter();
                let items: Vec<_> = items.map(T::to_string).collect();
                row.push(&cells.text(&items.join(between)));
            },
            |out| json::push(out, &items),
        );
    }

    /// Adds a list of small numbers, separated by spaces in CSV.
    pub(crate) fn small_numbers(&mut self, name: &str, numbers: Option<&[u8]>) {
        if self.is_binary(name, ColumnType::Int16List, numbers, |out, numbers| {
            push_small_numbers(out, numbers);
        }) {
            return;
        }
        self.list(name, " ", numbers);
    }

    /// Ends the row and its line.
    pub fn end(self) {
        match self.0 {
            RowWriter::Csv(row) => row.end(),
            RowWriter::Jsonl(out, _) => out.push_str("}\n"),
            RowWriter::Binary(block) => block.end(),
            RowWriter::Schema(_) => {}
        }
    }

    /// Adds a field to a binary row or to a schema; returns whether it is one of these.
    fn is_binary<T>(
        &mut self,
        name: &str,
        kind: ColumnType,
        value: Option<T>,
        push: impl FnOnce(&mut Buffer, T),
    ) -> bool {
        match &mut self.0 {
            RowWriter::Binary(block) => block.same(value, push),
            RowWriter::Schema(schema) => schema.0.push((name.to_owned(), kind)),
            _ => return false,
        }
        true
    }

    /// Adds an integer in CSV or in JSON.
    fn digits(&mut self, name: &str, number: Option<impl itoa::Integer>) {
        let mut digits = itoa::Buffer::new();
        self.literal(name, number.map(|number| digits.format(number)));
    }

    /// Adds a field with the same text in CSV and in JSON, `null` if it is missing.
    fn literal(&mut self, name: &str, text: Option<&str>) {
        self.field(
            name,
            |row, _| row.push_plain(text.unwrap_or_default()),
            |out| out.push_str(text.unwrap_or("null")),
        );
    }

    /// Adds a field: `cell` in CSV, `value` in JSON.
    fn field(
        &mut self,
        name: &str,
        cell: impl FnOnce(&mut CsvRow<'_>, Cells),
        value: impl FnOnce(&mut Buffer),
    ) {
        match &mut self.0 {
            RowWriter::Csv(row) => match row.cells {
                Some(cells) => cell(row, cells),
                None => row.push(name),
            },
            RowWriter::Jsonl(out, separator) => {
                out.push(std::mem::replace(separator, b','));
                out.push(b'"');
                out.push_str(name);
                out.push_str("\":");
                value(out);
            }
            RowWriter::Binary(_) | RowWriter::Schema(_) => {
                unreachable!("binary fields are written by their types")
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
