//! Syntaxes of rows, written in place.

use csv::WriterBuilder;
use serde_json::Value;

use crate::chess::fen::decimal;
use crate::report::escape::Cells;
use crate::report::rows::{Cell, ColumnType, Rows};
use crate::report::{Buffer, append, json};

/// Writer of rows in one syntax; a value of it writes one row.
pub(crate) trait Syntax {
    /// Begins a row after what `out` holds.
    fn begin_row(rows: Rows, out: &mut Buffer) -> Self;

    /// Adds a field.
    fn field(&mut self, out: &mut Buffer, name: &str, kind: ColumnType, cell: Cell<'_>);

    /// Ends the row.
    fn end(&mut self, out: &mut Buffer);
}

/// Receives the fields of a row, each with the name and the type of its column.
pub(crate) trait Fields {
    fn add(&mut self, name: &'static str, kind: ColumnType, cell: Cell<'_>);
}

impl<F: FnMut(&'static str, ColumnType, Cell<'_>)> Fields for F {
    #[inline(always)]
    fn add(&mut self, name: &'static str, kind: ColumnType, cell: Cell<'_>) {
        self(name, kind, cell);
    }
}

/// Row in one syntax. With all calls inlined, names and types are constants.
pub(crate) struct FieldsOf<'a, S>(pub(crate) &'a mut Buffer, pub(crate) S);

impl<S: Syntax> Fields for FieldsOf<'_, S> {
    #[inline(always)]
    fn add(&mut self, name: &'static str, kind: ColumnType, cell: Cell<'_>) {
        self.1.field(self.0, name, kind, cell);
    }
}

/// A row of CSV.
#[derive(Debug)]
pub(crate) struct Csv {
    /// Escaping of text; none in the header.
    cells: Option<Cells>,
    /// Length of the buffer before the row.
    begin: usize,
    /// True before the first field.
    is_first: bool,
}

impl Syntax for Csv {
    #[inline(always)]
    fn begin_row(rows: Rows, out: &mut Buffer) -> Csv {
        Csv {
            cells: match rows {
                Rows::Csv(cells) => Some(cells),
                _ => None,
            },
            begin: out.len(),
            is_first: true,
        }
    }

    #[inline(always)]
    fn field(&mut self, out: &mut Buffer, name: &str, _: ColumnType, cell: Cell<'_>) {
        let Some(cells) = self.cells else {
            self.push_short(out, |_| 0);
            return push_csv_text(out, name);
        };
        match cell {
            Cell::InPlace(write) => return self.push_short(out, write),
            Cell::Number(number @ 0..1000) => {
                return self.push_short(out, |to| decimal(number as u32, to));
            }
            Cell::Flag(true) => return self.push_short(out, |to| copy(*b"true", to)),
            Cell::Flag(false) => return self.push_short(out, |to| copy(*b"false", to)),
            Cell::Null => return self.push_short(out, |_| 0),
            _ => self.push_short(out, |_| 0),
        }
        match cell {
            Cell::Word(word) => out.push_str(word),
            Cell::Repeated(text) => text.push(out),
            Cell::Number(number) => push_number(out, number),
            Cell::Text(text) => push_csv_text(out, &cells.text(text)),
            Cell::List(between, items) => push_csv_text(out, &cells.text(&items.joined(between))),
            _ => push_plain(out, cell),
        }
    }

    #[inline(always)]
    fn end(&mut self, out: &mut Buffer) {
        // A reader skips an empty line.
        if out.len() == self.begin {
            out.push_str("\"\"");
        }
        out.push(b'\n');
    }
}

impl Csv {
    /// Appends a short field with the comma before it.
    #[inline(always)]
    fn push_short(&mut self, out: &mut Buffer, write: impl FnOnce(&mut [u8]) -> usize) {
        let comma = usize::from(!std::mem::replace(&mut self.is_first, false));
        let to = out.room_for_short();
        to[0] = b',';
        let length = write(&mut to[comma..]);
        out.advance(comma + length);
    }
}

/// Copies a word and returns its length.
#[inline(always)]
fn copy<const N: usize>(word: [u8; N], to: &mut [u8]) -> usize {
    to[..N].copy_from_slice(&word);
    N
}

/// Appends a field of CSV, with quotes if it needs them.
#[inline(never)]
pub(super) fn push_csv_text(out: &mut Buffer, text: &str) {
    let is_special = |byte: u8| matches!(byte, b',' | b'"' | b'\n' | b'\r');
    if !text.bytes().fold(false, |any, byte| any | is_special(byte)) {
        return out.push_str(text);
    }
    let mut writer = WriterBuilder::new();
    let writer = writer.buffer_capacity(2 * text.len());
    // Writing to memory does not fail.
    let _ = writer.from_writer(&mut *out).write_record([text]);
    // The end of the record.
    out.truncate(out.len() - 1);
}

/// A JSON object on one line.
#[derive(Debug)]
pub(crate) struct Json {
    separator: u8,
}

impl Syntax for Json {
    #[inline(always)]
    fn begin_row(_: Rows, _: &mut Buffer) -> Json {
        Json { separator: b'{' }
    }

    #[inline(always)]
    fn field(&mut self, out: &mut Buffer, name: &str, _: ColumnType, cell: Cell<'_>) {
        out.push(std::mem::replace(&mut self.separator, b','));
        out.push(b'"');
        out.push_str(name);
        out.push_str("\":");
        match cell {
            Cell::Null => out.push_str("null"),
            Cell::Word(_) | Cell::InPlace(_) | Cell::Date(..) | Cell::Time(_) => {
                out.push(b'"');
                match cell {
                    Cell::InPlace(write) => out.push_in_place(write),
                    Cell::Word(word) => out.push_str(word),
                    _ => push_plain(out, cell),
                }
                out.push(b'"');
            }
            Cell::Repeated(text) => text.push(out),
            Cell::Number(number) => push_number(out, number),
            Cell::Flag(true) => out.push_str("true"),
            Cell::Flag(false) => out.push_str("false"),
            Cell::Text(text) => json::push(out, &text),
            Cell::Fraction(number) => json::push(out, &number),
            Cell::List(_, items) => items.push_json(out),
            Cell::Integer(_) => push_plain(out, cell),
        }
    }

    #[inline(always)]
    fn end(&mut self, out: &mut Buffer) {
        out.push_str("}\n");
    }
}

/// Appends a number.
#[inline(always)]
fn push_number(out: &mut Buffer, number: u64) {
    match number {
        0..1000 => {
            let length = decimal(number as u32, out.room(4));
            out.advance(length);
        }
        _ => out.push_str(itoa::Buffer::new().format(number)),
    }
}

/// Appends a value that needs no escapes and is seldom written.
#[inline(never)]
fn push_plain(out: &mut Buffer, cell: Cell<'_>) {
    match cell {
        Cell::Integer(number) => out.push_str(itoa::Buffer::new().format(number)),
        // As a fraction is printed, and faster.
        Cell::Fraction(number) if number.fract() == 0.0 && (1.0..1e9).contains(&number) => {
            push_number(out, number as u64);
        }
        Cell::Fraction(number) => append!(out, "{number}"),
        Cell::Date(year, month, day) => append!(out, "{year:04}-{month:02}-{day:02}"),
        Cell::Time([hours, minutes, seconds]) => {
            append!(out, "{hours:02}:{minutes:02}:{seconds:02}");
        }
        _ => {}
    }
}

/// A binary row, of which the sink makes a row of a Parquet file.
///
/// It begins with its length of 32 bits. A value follows a byte that is 0 if it is missing. Numbers
/// are little-endian, a text or a list begins with its length of 32 bits. A list has its items one
/// after another, and a list of structs is a list for each field.
#[derive(Debug)]
pub(crate) struct Binary {
    begin: usize,
}

impl Syntax for Binary {
    #[inline(always)]
    fn begin_row(_: Rows, out: &mut Buffer) -> Binary {
        let begin = out.len();
        out.extend_from_slice(&[0; 4]);
        Binary { begin }
    }

    #[inline(always)]
    fn field(&mut self, out: &mut Buffer, _: &str, kind: ColumnType, cell: Cell<'_>) {
        match cell {
            Cell::Null => {
                let fields = match kind {
                    ColumnType::Structs(fields) => fields.len(),
                    _ => 1,
                };
                (0..fields).for_each(|_| out.push(0));
            }
            Cell::Word(text) | Cell::Text(text) => push_text(out, text),
            Cell::Repeated(text) => push_text(out, &text.text),
            Cell::InPlace(write) => {
                let begin = out.len();
                out.extend_from_slice(&[1, 0, 0, 0, 0]);
                out.push_in_place(write);
                let length = (out.len() - begin - 5) as u32;
                out.patch(begin + 1, &length.to_le_bytes());
            }
            Cell::Number(number) => push_value(out, number.to_le_bytes()),
            Cell::Integer(number) if kind == ColumnType::Int16 => {
                push_value(out, (number as i32).to_le_bytes());
            }
            Cell::Integer(number) => push_value(out, number.to_le_bytes()),
            Cell::Fraction(number) => push_value(out, number.to_le_bytes()),
            Cell::Flag(flag) => push_value(out, [flag.into()]),
            Cell::Date(year, month, day) => push_value(out, days(year, month, day).to_le_bytes()),
            Cell::Time(parts) => {
                let [hours, minutes, seconds] = parts.map(i32::from);
                let milliseconds = 1000 * (3600 * hours + 60 * minutes + seconds);
                push_value(out, milliseconds.to_le_bytes());
            }
            Cell::List(_, items) => push_list(out, kind, &items.values()),
        }
    }

    #[inline(always)]
    fn end(&mut self, out: &mut Buffer) {
        let length = (out.len() - self.begin) as u32;
        out.patch(self.begin, &length.to_le_bytes());
    }
}

#[inline(always)]
fn push_value<const N: usize>(out: &mut Buffer, bytes: [u8; N]) {
    out.push(1);
    out.extend_from_slice(&bytes);
}

fn push_text(out: &mut Buffer, text: &str) {
    push_value(out, (text.len() as u32).to_le_bytes());
    out.push_str(text);
}

#[inline(never)]
fn push_list(out: &mut Buffer, kind: ColumnType, items: &[Value]) {
    let length = (items.len() as u32).to_le_bytes();
    let fields: &[(&str, ColumnType)] = match kind {
        ColumnType::Structs(fields) => fields,
        _ => &[("", kind)],
    };
    for (field, kind) in fields {
        push_value(out, length);
        for item in items {
            match item.get(field).unwrap_or(item) {
                Value::String(text) => push_text(out, text),
                Value::Number(number) => {
                    let number = number.as_i64().unwrap_or_default();
                    match kind {
                        ColumnType::Number => push_value(out, number.to_le_bytes()),
                        _ => push_value(out, (number as i32).to_le_bytes()),
                    }
                }
                _ => out.push(0),
            }
        }
    }
}

/// Days from 1970-01-01 to a date of the Gregorian calendar.
fn days(year: u16, month: u8, day: u8) -> i32 {
    // The year begins in March, so that the leap day is its last.
    let (year, month) = match month {
        1 | 2 => (i32::from(year) - 1, i32::from(month) + 9),
        _ => (i32::from(year), i32::from(month) - 3),
    };
    let before = 365 * year + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    before + (153 * month + 2) / 5 + i32::from(day) - 719_469
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_since_1970() {
        for (date, expected) in [
            ((1970, 1, 1), 0),
            ((1970, 3, 1), 59),
            ((1969, 12, 31), -1),
            ((2000, 2, 29), 11_016),
            ((2024, 2, 29), 19_782),
            ((1000, 1, 1), -354_285),
        ] {
            assert_eq!(days(date.0, date.1, date.2), expected, "{date:?}");
        }
    }
}
