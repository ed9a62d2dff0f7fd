//! One row a ply with all columns, in CSV and in JSON lines.
//!
//! A database has millions of plies, and formatting them field by field would take longer than
//! playing them. Rows are written in place ([`Buffer::room`]), constant text is copied in pieces of
//! constant length, and neighbouring constants are one piece.

use crate::chess::Color;
use crate::chess::fen::decimal;
use crate::commands::replay::formats::GameItem;
use crate::commands::replay::formats::columns::{Columns, each_ply};
use crate::commands::replay::rows::{Played, PlyChoice, PlyRow};
use crate::error::Error;
use crate::pgn::MoveNotes;
use crate::report::escape::Cells;
use crate::report::rows::{Row, Rows};
use crate::report::{Buffer, Format, Sink, append, json};

/// Longest row without the name of its file, in bytes.
const LONGEST_ROW: usize = 512;

/// A row in the making, at the end of a buffer.
struct RowInPlace<'a> {
    bytes: &'a mut [u8; LONGEST_ROW],
    length: usize,
}

/// Constant text of a game that begins or ends its rows.
#[derive(Clone, Copy)]
struct ShortText {
    bytes: [u8; ShortText::LONGEST],
    length: usize,
}

impl ShortText {
    const LONGEST: usize = 40;

    /// The number of a game between two texts, which are short.
    fn number(before: &[u8], number: u64, after: &[u8]) -> ShortText {
        let mut digits = itoa::Buffer::new();
        let mut text = ShortText {
            bytes: [b' '; ShortText::LONGEST],
            length: 0,
        };
        for part in [before, digits.format(number).as_bytes(), after] {
            text.bytes[text.length..text.length + part.len()].copy_from_slice(part);
            text.length += part.len();
        }
        text
    }

    /// A text, unless it is too long.
    fn of(text: &[u8]) -> Option<ShortText> {
        let mut bytes = [b' '; ShortText::LONGEST];
        bytes.get_mut(..text.len())?.copy_from_slice(text);
        Some(ShortText {
            bytes,
            length: text.len(),
        })
    }
}

impl<'a> RowInPlace<'a> {
    /// Begins a row after what `out` holds; [`Buffer::advance`] appends it.
    #[inline]
    fn new(out: &'a mut Buffer) -> RowInPlace<'a> {
        let bytes = out.room(LONGEST_ROW).first_chunk_mut();
        RowInPlace {
            bytes: bytes.unwrap_or_else(|| unreachable!("there is room")),
            length: 0,
        }
    }

    /// Number of bytes written.
    #[inline]
    fn length(&self) -> usize {
        self.length
    }

    /// Adds constant text.
    #[inline]
    fn fixed<const N: usize>(&mut self, text: &[u8; N]) {
        self.bytes[self.length..self.length + N].copy_from_slice(text);
        self.length += N;
    }

    /// Copies all of a text and adds its beginning, which needs no loop.
    #[inline]
    fn beginning<const N: usize>(&mut self, text: &[u8; N], length: usize) {
        self.bytes[self.length..self.length + N].copy_from_slice(text);
        self.length += length;
    }

    #[inline]
    fn short(&mut self, text: &ShortText) {
        self.beginning(&text.bytes, text.length);
    }

    #[inline]
    fn number(&mut self, number: u32) {
        self.length += decimal(number, &mut self.bytes[self.length..]);
    }

    /// Adds one of two texts; the second ends with this many blanks, which are left out.
    #[inline]
    fn either<const N: usize>(&mut self, texts: &[[u8; N]; 2], second: bool, blanks: usize) {
        let length = if second { N - blanks } else { N };
        self.beginning(&texts[usize::from(second)], length);
    }

    #[inline]
    fn san(&mut self, row: &PlyRow<'_>) {
        self.length += row.san.write(&mut self.bytes[self.length..]);
    }

    /// Adds the move in UCI notation; a null move is `0000`.
    #[inline]
    fn uci(&mut self, row: &PlyRow<'_>) {
        match row.uci {
            Some(uci) => self.length += uci.write(&mut self.bytes[self.length..]),
            None => self.fixed(b"0000"),
        }
    }

    #[inline]
    fn fen(&mut self, row: &PlyRow<'_>) {
        self.length += row.fen.write(row.after, &mut self.bytes[self.length..]);
    }
}

pub(crate) struct Csv {
    pub(crate) at: Option<PlyChoice>,
    pub(crate) variations: bool,
    pub(crate) cells: Cells,
}

// Constants, not literals: those would be built on the stack for each row and read back with delay.
const CSV_COLORS: &[[u8; 7]; 2] = &[*b",white,", *b",black,"];
const CSV_CHECK: &[[u8; 12]; 2] = &[*b",true,false,", *b",true,true, "];
const CSV_NO_CHECK: &[[u8; 13]; 2] = &[*b",false,false,", *b",false,true, "];

impl Format<GameItem<'_>, Result<Played, Error>> for Csv {
    fn begin(&self, sink: &mut Sink) -> Result<(), Error> {
        Columns::all(self.variations).begin(sink, Rows::Csv(self.cells))
    }

    fn item(&self, out: &mut Buffer, item: GameItem<'_>) -> Result<Played, Error> {
        let name = || last_field(self.cells, item.source.name());
        let file = item.file.get_or_init(name);
        let short_file = ShortText::of(file);
        let game = ShortText::number(b"", item.text.origin.game.0, b",");
        Ok(each_ply(
            (item.replayer, item.game, item.text.bytes),
            self.at.as_ref(),
            self.variations,
            |row, notes, line| {
                push_csv_row(out, &game, row, short_file.as_ref());
                if short_file.is_none() {
                    out.extend_from_slice(file);
                }
                push_csv_notes(out, notes);
                if let Some(line) = line {
                    append!(out, ",{},", line.id.0);
                    if let Some(parent) = line.parent {
                        append!(out, "{}", parent.0);
                    }
                }
                out.push(b'\n');
            },
        ))
    }
}

/// The last field of a row, with the comma before it.
fn last_field(cells: Cells, text: &str) -> Vec<u8> {
    let mut out = Buffer::default();
    let mut row = Row::begin(&mut out, Rows::Csv(cells));
    row.text("repetition", None);
    row.text("file", text);
    row.end();
    out.truncate(out.len() - 1);
    out.into_bytes()
}

#[inline]
fn push_csv_row(out: &mut Buffer, game: &ShortText, row: &PlyRow<'_>, file: Option<&ShortText>) {
    let mut cells = RowInPlace::new(out);
    cells.short(game);
    cells.number(row.ply);
    cells.fixed(b",");
    cells.number(row.move_number);
    cells.either(CSV_COLORS, row.color == Color::Black, 0);
    cells.san(row);
    cells.fixed(b",");
    cells.uci(row);
    cells.fixed(b",");
    cells.fen(row);
    match row.check() {
        true => cells.either(CSV_CHECK, row.capture(), 1),
        false => cells.either(CSV_NO_CHECK, row.capture(), 1),
    }
    if let Some(halfmoves) = row.halfmoves() {
        cells.number(halfmoves);
    }
    cells.fixed(b",");
    cells.number(row.repetition as u32);
    if let Some(file) = file {
        cells.short(file);
    }
    let length = cells.length();
    out.advance(length);
}

/// Adds the fields of the notes.
#[inline]
fn push_csv_notes(out: &mut Buffer, notes: &MoveNotes) {
    if notes.is_empty() {
        return out.extend_from_slice(b",,,,,");
    }
    for time in [notes.clock, notes.move_time] {
        out.push(b',');
        match time {
            Some(seconds) if seconds.fract() == 0.0 && seconds < 1e9 => {
                out.push_str(itoa::Buffer::new().format(seconds as u64));
            }
            Some(seconds) => append!(out, "{seconds}"),
            None => {}
        }
    }
    for number in [notes.centipawns(), notes.mate()] {
        out.push(b',');
        if let Some(number) = number {
            out.push_str(itoa::Buffer::new().format(number));
        }
    }
    let mut between = ',';
    for nag in &notes.nags {
        append!(out, "{between}{nag}");
        between = ' ';
    }
    if notes.nags.is_empty() {
        out.push(b',');
    }
}

/// Adds the fields of the notes.
#[inline]
fn push_json_notes(out: &mut Buffer, notes: &MoveNotes) {
    if notes.is_empty() {
        const NONE: &[u8] =
            b",\"clock\":null,\"move_time\":null,\"eval_cp\":null,\"eval_mate\":null,\"nags\":null";
        return out.extend_from_slice(NONE);
    }
    let nags = (!notes.nags.is_empty()).then_some(&notes.nags);
    out.push_str(",\"clock\":");
    json::push(out, &notes.clock);
    out.push_str(",\"move_time\":");
    json::push(out, &notes.move_time);
    out.push_str(",\"eval_cp\":");
    json::push(out, &notes.centipawns());
    out.push_str(",\"eval_mate\":");
    json::push(out, &notes.mate());
    out.push_str(",\"nags\":");
    json::push(out, &nags);
}

pub(crate) struct Jsonl {
    pub(crate) at: Option<PlyChoice>,
    pub(crate) variations: bool,
}

impl Format<GameItem<'_>, Result<Played, Error>> for Jsonl {
    fn item(&self, out: &mut Buffer, item: GameItem<'_>) -> Result<Played, Error> {
        let name = || format!(",\"file\":{}", json::of(&item.source.name())).into_bytes();
        let file = item.file.get_or_init(name);
        let game = ShortText::number(b"{\"game\":", item.text.origin.game.0, b",\"ply\":");
        Ok(each_ply(
            (item.replayer, item.game, item.text.bytes),
            self.at.as_ref(),
            self.variations,
            |row, notes, line| {
                push_json_row(out, &game, row);
                out.extend_from_slice(file);
                push_json_notes(out, notes);
                if let Some(line) = line {
                    append!(out, ",\"line\":{},\"parent\":", line.id.0);
                    match line.parent {
                        Some(parent) => append!(out, "{}", parent.0),
                        None => out.push_str("null"),
                    }
                }
                out.extend_from_slice(b"}\n");
            },
        ))
    }
}

#[inline]
fn push_json_row(out: &mut Buffer, game: &ShortText, row: &PlyRow<'_>) {
    let mut cells = RowInPlace::new(out);
    cells.short(game);
    cells.number(row.ply);
    cells.fixed(b",\"move_number\":");
    cells.number(row.move_number);
    const COLORS: [[u8; 24]; 2] = [
        *b",\"color\":\"white\",\"san\":\"",
        *b",\"color\":\"black\",\"san\":\"",
    ];
    cells.either(&COLORS, row.color == Color::Black, 0);
    cells.san(row);
    cells.fixed(b"\",\"uci\":\"");
    cells.uci(row);
    cells.fixed(b"\",\"fen\":\"");
    cells.fen(row);
    const CHECKS: [[u8; 16]; 2] = [*b"\",\"check\":false,", *b"\",\"check\":true, "];
    cells.either(&CHECKS, row.check(), 1);
    const CAPTURES: [[u8; 16]; 2] = [*b"\"capture\":false,", *b"\"capture\":true, "];
    cells.either(&CAPTURES, row.capture(), 1);
    cells.fixed(b"\"halfmove_clock\":");
    match row.halfmoves() {
        Some(halfmoves) => cells.number(halfmoves),
        None => cells.fixed(b"null"),
    }
    cells.fixed(b",\"repetition\":");
    cells.number(row.repetition as u32);
    let length = cells.length();
    out.advance(length);
}
