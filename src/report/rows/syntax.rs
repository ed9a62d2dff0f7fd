//! Syntaxes of fields, written in place.

use csv::WriterBuilder;
use serde_json::Value;

use crate::chess::fen::decimal;
use crate::report::escape::Cells;
use crate::report::rows::{Cell, ColumnType};
use crate::report::{Buffer, append, json};

/// Appends a field of CSV.
#[inline(always)]
pub(super) fn push_csv(out: &mut Buffer, cells: Cells, is_first: bool, cell: Cell<'_>) {
    match cell {
        Cell::Null => push_short(out, is_first, |_| 0),
        Cell::InPlace(write) => push_short(out, is_first, |to| write(to)),
        Cell::Number(number) => push_short(out, is_first, |to| write_number(number, to)),
        Cell::Flag(flag) => push_short(out, is_first, |to| write_flag(flag, to)),
        Cell::Repeated(cell) => cell.push(out, is_first.into()),
        _ => {
            push_short(out, is_first, |_| 0);
            match cell {
                Cell::Text(text) => push_csv_text(out, &cells.text(text)),
                Cell::List(between, items) => {
                    push_csv_text(out, &cells.text(&items.joined(between)));
                }
                _ => push_plain(out, cell),
            }
        }
    }
}

/// Appends a short field with the comma before it.
#[inline(always)]
fn push_short(out: &mut Buffer, is_first: bool, write: impl FnOnce(&mut [u8]) -> usize) {
    out.push_in_place(|to| {
        to[0] = b',';
        let comma = usize::from(!is_first);
        comma + write(&mut to[comma..])
    });
}

/// Writes the first `length` bytes of a padded word, with one store, and returns the length.
#[inline(always)]
pub(crate) fn write_word(word: &[u8; 8], length: usize, to: &mut [u8]) -> usize {
    to[..8].copy_from_slice(word);
    length
}

#[inline(always)]
fn write_number(number: u64, to: &mut [u8]) -> usize {
    match number {
        0..1000 => decimal(number as u32, to),
        _ => write_long_number(number, to),
    }
}

#[cold]
#[inline(never)]
fn write_long_number(number: u64, to: &mut [u8]) -> usize {
    let mut digits = itoa::Buffer::new();
    let digits = digits.format(number).as_bytes();
    to[..digits.len()].copy_from_slice(digits);
    digits.len()
}

#[inline(always)]
fn write_integer(number: i64, to: &mut [u8]) -> usize {
    to[0] = b'-';
    let sign = usize::from(number < 0);
    sign + write_number(number.unsigned_abs(), &mut to[sign..])
}

#[inline(always)]
fn write_flag(flag: bool, to: &mut [u8]) -> usize {
    let word = if flag { b"true    " } else { b"false   " };
    write_word(word, 5 - usize::from(flag), to)
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

/// Appends the name of a member of a JSON object.
#[inline(always)]
pub(super) fn push_name(out: &mut Buffer, is_first: bool, name: &str) {
    out.push_str(if is_first { "{\"" } else { ",\"" });
    out.push_str(name);
    out.push_str("\":");
}

/// Appends a JSON value.
#[inline(always)]
pub(super) fn push_json(out: &mut Buffer, cell: Cell<'_>) {
    match cell {
        Cell::Null => out.push_str("null"),
        Cell::InPlace(write) => out.push_in_place(|to| {
            to[0] = b'"';
            let length = 1 + write(&mut to[1..]);
            to[length] = b'"';
            length + 1
        }),
        Cell::Flag(flag) => out.push_in_place(|to| write_flag(flag, to)),
        Cell::Repeated(cell) => cell.push(out, 0),
        Cell::Text(text) => json::push(out, &text),
        Cell::Fraction(number) => json::push(out, &number),
        Cell::List(_, items) => items.push_json(out),
        Cell::Number(_) | Cell::Integer(_) => push_plain(out, cell),
        Cell::Word(_) | Cell::Date(..) | Cell::Time(_) => {
            out.push(b'"');
            push_plain(out, cell);
            out.push(b'"');
        }
    }
}

/// Appends a value that needs no escapes.
#[inline(always)]
fn push_plain(out: &mut Buffer, cell: Cell<'_>) {
    match cell {
        Cell::Word(word) => out.push_str(word),
        Cell::Number(number) => out.push_in_place(|to| write_number(number, to)),
        Cell::Integer(number) => out.push_in_place(|to| write_integer(number, to)),
        // As a fraction is printed, and faster. Minus zero keeps its sign.
        Cell::Fraction(number) if f64::from(number as u32).to_bits() == number.to_bits() => {
            out.push_in_place(|to| write_number(number as u64, to));
        }
        _ => push_seldom(out, cell),
    }
}

#[inline(never)]
fn push_seldom(out: &mut Buffer, cell: Cell<'_>) {
    match cell {
        Cell::Fraction(number) => append!(out, "{number}"),
        Cell::Date(year, month, day) => append!(out, "{year:04}-{month:02}-{day:02}"),
        Cell::Time([hours, minutes, seconds]) => {
            append!(out, "{hours:02}:{minutes:02}:{seconds:02}");
        }
        _ => {}
    }
}

/// Appends a field of a binary row, of which the sink makes a row of a Parquet file.
///
/// A value follows a byte that is 0 if it is missing: a number as 64 bits, a text or a list after
/// its length of 32 bits. A list has its values one after another, and a list of structs is a list
/// for each field. All numbers are little-endian.
#[inline(always)]
pub(super) fn push_binary(out: &mut Buffer, kind: ColumnType, cell: Cell<'_>) {
    match cell {
        Cell::Null => push_null(out, kind),
        Cell::Word(text) | Cell::Text(text) => push_text(out, text),
        Cell::Repeated(cell) => cell.push(out, 0),
        Cell::InPlace(write) => out.push_in_place(|to| {
            let length = write(&mut to[5..]);
            to[0] = 1;
            to[1..5].copy_from_slice(&(length as u32).to_le_bytes());
            5 + length
        }),
        Cell::Number(number) => push_number(out, number as i64),
        Cell::Integer(number) => push_number(out, number),
        Cell::Fraction(number) => push_number(out, number.to_bits() as i64),
        Cell::Flag(flag) => push_number(out, flag.into()),
        Cell::Date(year, month, day) => push_number(out, days(year, month, day).into()),
        Cell::Time(parts) => {
            let [hours, minutes, seconds] = parts.map(i64::from);
            push_number(out, 1000 * (3600 * hours + 60 * minutes + seconds));
        }
        Cell::List(_, items) => push_list(out, kind, &items.values()),
    }
}

#[inline(always)]
fn push_null(out: &mut Buffer, kind: ColumnType) {
    match kind {
        ColumnType::Structs(fields) => out.extend_from_slice(&vec![0; fields.len()]),
        _ => out.push(0),
    }
}

#[inline(always)]
fn push_number(out: &mut Buffer, number: i64) {
    out.push_in_place(|to| {
        to[0] = 1;
        to[1..9].copy_from_slice(&number.to_le_bytes());
        9
    });
}

/// Appends the length of a text or a list that is there.
fn push_length(out: &mut Buffer, length: usize) {
    out.push_in_place(|to| {
        to[0] = 1;
        to[1..5].copy_from_slice(&(length as u32).to_le_bytes());
        5
    });
}

fn push_text(out: &mut Buffer, text: &str) {
    push_length(out, text.len());
    out.push_str(text);
}

#[inline(never)]
fn push_list(out: &mut Buffer, kind: ColumnType, items: &[Value]) {
    let fields: &[(&str, ColumnType)] = match kind {
        ColumnType::Structs(fields) => fields,
        _ => &[("", kind)],
    };
    for (field, _) in fields {
        push_length(out, items.len());
        for item in items {
            match item.get(field).unwrap_or(item) {
                Value::String(text) => push_text(out, text),
                Value::Number(number) => push_number(out, number.as_i64().unwrap_or_default()),
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
