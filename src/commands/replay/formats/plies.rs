//! One row a ply, in CSV, JSON lines and Parquet.

use std::sync::Arc;

use crate::chess::{Color, Uci};
use crate::commands::openings::{Opening, Openings};
use crate::commands::replay::formats::{GameItem, optional};
use crate::commands::replay::rows::{
    LineSet, PlayEnd, PlyChoice, PlyRow, Replayer, RowEvent, RowLine,
};
use crate::commands::tag_columns::{TagColumns, TagValues};
use crate::error::Error;
use crate::pgn::MoveNotes;
use crate::replay::Reader;
use crate::report::rows::ColumnType::{Bool, Fraction, Int16List, Number, Text, Unique, Word};
use crate::report::rows::{
    Cell, Items, PLIES_IN_GROUP, RepeatedCell, Row, Rows, Schema, write_word,
};
use crate::report::{Buffer, Format, Sink};

/// A row.
#[derive(Clone, Copy)]
struct Ply<'a> {
    game: &'a RepeatedCell,
    file: &'a RepeatedCell,
    row: &'a PlyRow<'a>,
    notes: &'a MoveNotes,
    /// Opening of the game, if it is known.
    opening: Option<&'a Opening>,
    extra: Extra,
}

/// Columns that options add.
#[derive(Clone, Copy)]
pub(crate) struct Extra {
    /// Line of the ply, as variations are played.
    pub(crate) lines: bool,
    pub(crate) openings: bool,
    /// Mark of illegal moves that stood.
    pub(crate) illegal: bool,
    /// Columns that `--columns` alone adds.
    pub(crate) optional: bool,
}

impl Extra {
    pub(crate) const ALL: Extra = Extra {
        lines: true,
        openings: true,
        illegal: true,
        optional: true,
    };
}

/// The columns in order, each with its name, its type and its value in a row.
#[inline(always)]
fn columns(ply: &Ply<'_>, fields: &mut Row<'_>) {
    let Ply { row, notes, .. } = *ply;
    fields.field("game", Number, Cell::Repeated(ply.game));
    fields.field("ply", Number, Cell::Number(row.ply.into()));
    let number = Cell::Number(row.move_number().into());
    fields.field("move_number", Number, number);
    let is_white = row.color() == Color::White;
    let color = if is_white { b"white   " } else { b"black   " };
    fields.field("color", Word, Cell::InPlace(&|to| write_word(color, 5, to)));
    fields.field("san", Word, Cell::InPlace(&|to| row.san.write(to)));
    fields.field("uci", Word, Cell::InPlace(&|to| write_uci(row.uci, to)));
    let fen = |to: &mut [u8]| row.fen.write(row.after, to);
    fields.field("fen", Unique, Cell::InPlace(&fen));
    fields.field("check", Bool, Cell::Flag(row.san.suffix.is_some()));
    let captured = row.mv.and_then(|mv| mv.captured);
    fields.field("capture", Bool, Cell::Flag(captured.is_some()));
    let halfmoves = row.after.knows_halfmoves().then(|| row.after.halfmoves());
    let halfmoves = Cell::some(halfmoves, |it| Cell::Number(it.into()));
    fields.field("halfmove_clock", Number, halfmoves);
    fields.field("repetition", Number, Cell::Number(row.repetition as u64));
    fields.field("file", Text, Cell::Repeated(ply.file));
    fields.field("clock", Fraction, Cell::some(notes.clock, Cell::Fraction));
    let time = Cell::some(notes.move_time, Cell::Fraction);
    fields.field("move_time", Fraction, time);
    fields.field("eval_cp", Number, integer(notes.centipawns_or_mate()[0]));
    fields.field("eval_mate", Number, integer(notes.centipawns_or_mate()[1]));
    let nags = &notes.nags[..];
    let nags = (!nags.is_empty()).then_some(&nags as &dyn Items);
    let nags = Cell::some(nags, |nags| Cell::List(" ", nags));
    fields.field("nags", Int16List, nags);
    if ply.extra.lines {
        let RowLine { id, parent } = row.line;
        fields.field("line", Number, Cell::Number(id.into()));
        let parent = Cell::some(parent, |it| Cell::Number(it.into()));
        fields.field("parent", Number, parent);
    }
    if ply.extra.openings {
        Opening::write(ply.opening, fields);
    }
    if ply.extra.illegal {
        fields.field("illegal", Bool, Cell::Flag(row.is_illegal));
    }
}

/// The columns, and then those that are only written if they are chosen.
fn all_columns(ply: &Ply<'_>, fields: &mut Row<'_>) {
    columns(ply, fields);
    if ply.extra.optional && fields.wants_more() {
        optional::columns(ply.row, fields);
    }
}

#[inline(always)]
fn integer<'a>(number: Option<i32>) -> Cell<'a> {
    Cell::some(number, |number| Cell::Integer(number.into()))
}

/// Writes a move in UCI notation and returns its length; a null move is `0000`.
#[inline]
pub(super) fn write_uci(uci: Option<Uci>, to: &mut [u8]) -> usize {
    match uci {
        Some(uci) => uci.write(to),
        None => write_word(b"0000    ", 4, to),
    }
}

/// Passes any ply, for the names and types of the columns.
fn any(extra: Extra, write: impl FnOnce(&Ply<'_>)) {
    let (mut reader, mut write) = (Reader::new(), Some(write));
    let text = b"1. e4";
    let any = RepeatedCell::new(Rows::Header, Text, Cell::Null);
    let game = reader.read(text, None);
    Replayer::default().replay::<true>(game, text, None, LineSet::Main, |event| {
        if let (RowEvent::Ply(row), Some(write)) = (event, write.take()) {
            write(&Ply {
                game: &any,
                file: &any,
                row,
                notes: &MoveNotes::default(),
                opening: None,
                extra,
            });
        }
    });
}

/// Names of the columns.
pub(crate) fn column_names(extra: Extra) -> Vec<String> {
    let mut schema = Schema::default();
    any(extra, |ply| all_columns(ply, &mut Row::schema(&mut schema)));
    schema.0.into_iter().map(|(name, _)| name).collect()
}

/// Columns of tags in front of those of a ply. The moves are the rows.
pub(crate) fn tag_columns(names: &[String], extra: Extra) -> TagColumns {
    let mut tags = TagColumns::of(names).without_movetext();
    let mut schema = Schema::default();
    let mut row = Row::schema(&mut schema);
    tags.write(&TagValues::new(), &mut row);
    let lines = true;
    any(Extra { lines, ..extra }, |ply| all_columns(ply, &mut row));
    tags.rename_clashes(&schema);
    tags
}

/// Rows of plies.
pub(crate) struct Plies {
    pub(crate) rows: Rows,
    /// Numbers of the chosen columns, in order; empty for all.
    pub(crate) chosen: Vec<usize>,
    /// Columns in front.
    pub(crate) tags: TagColumns,
    pub(crate) at: Option<PlyChoice>,
    pub(crate) lines: LineSet,
    pub(crate) openings: Option<Arc<Openings>>,
    pub(crate) extra: Extra,
}

impl Format<GameItem<'_>, Result<PlayEnd, Error>> for Plies {
    fn begin(&self, sink: &mut Sink) -> Result<(), Error> {
        sink.begin_rows(self.rows, PLIES_IN_GROUP, |row| {
            any(self.extra, |ply| self.write(row, &TagValues::new(), ply));
        })
    }

    /// Replays a game and appends the rows of the requested plies.
    fn item(&self, out: &mut Buffer, item: GameItem<'_>) -> Result<PlayEnd, Error> {
        let GameItem {
            source,
            text,
            game,
            replayer,
            file,
            ..
        } = item;
        let repeated = |kind, cell| RepeatedCell::new(self.rows, kind, cell);
        let file = file.get_or_init(|| repeated(Text, Cell::Text(source.short_name())));
        let number = repeated(Number, Cell::Number(text.origin.game.0));
        let text = text.bytes;
        let (mut notes, mut found) = (MoveNotes::default(), Vec::new());
        let tags = self.tags.values(game, text);
        let (at, openings) = (self.at.as_ref(), self.openings.as_ref());
        let opening = openings.and_then(|it| it.find(game, text));
        Ok(replayer.replay::<true>(game, text, at, self.lines, |step| {
            let RowEvent::Ply(row) = step else {
                return;
            };
            notes.read((game, text), row.span, row.color(), &mut found);
            let ply = Ply {
                game: &number,
                file,
                row,
                notes: &notes,
                opening,
                extra: self.extra,
            };
            let has_all = self.chosen.is_empty() && tags.is_empty();
            // Each arm is compiled for its syntax.
            match self.rows {
                rows if !has_all => self.write(Row::begin(out, rows), &tags, &ply),
                Rows::Csv(cells) => write_all(Row::begin(out, Rows::Csv(cells)), &ply),
                Rows::Jsonl => write_all(Row::begin(out, Rows::Jsonl), &ply),
                Rows::Table | Rows::Header => write_all(Row::begin(out, Rows::Table), &ply),
            }
        }))
    }
}

impl Plies {
    /// Adds the tags and the chosen columns to a row.
    #[inline(never)]
    fn write(&self, mut row: Row<'_>, tags: &TagValues<'_>, ply: &Ply<'_>) {
        self.tags.write(tags, &mut row);
        row.chosen(&self.chosen, |row| all_columns(ply, row));
        row.end();
    }
}

/// Adds all columns to a row.
#[inline(always)]
fn write_all(mut row: Row<'_>, ply: &Ply<'_>) {
    columns(ply, &mut row);
    row.end();
}
