//! Rows of plies, field by field or column by column: all columns, or chosen ones.

use clap::ValueEnum;

use crate::chess::fen::{FenChangeWriter, IncrementalFen};
use crate::chess::{Rank, Uci};
use crate::commands::replay::formats::GameItem;
use crate::commands::replay::rows::{
    Line, LineId, Played, PlyChoice, PlyRow, Replayer, Step, variations,
};
use crate::error::Error;
use crate::pgn::{Game, MoveNotes};
use crate::report::block::{Block, ChangedText, SHORTEST_MATCH, write_word};
use crate::report::rows::{ColumnType, PLIES_IN_GROUP, Row, Rows};
use crate::report::{Buffer, Format, Sink};

/// Column of the rows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
#[value(rename_all = "snake_case")]
pub(crate) enum Column {
    Game,
    Ply,
    MoveNumber,
    Color,
    San,
    Uci,
    Fen,
    Check,
    Capture,
    HalfmoveClock,
    Repetition,
    File,
    Clock,
    MoveTime,
    EvalCp,
    EvalMate,
    Nags,
    Line,
    Parent,
}

/// Chosen columns with their names, in order.
pub(crate) struct Columns(Vec<(Column, String)>);

impl Column {
    /// Whether the column is there only if variations are played.
    pub(crate) fn is_of_variations(self) -> bool {
        matches!(self, Column::Line | Column::Parent)
    }
}

impl Columns {
    pub(crate) fn new(columns: &[Column]) -> Columns {
        let name = |column: &Column| {
            column
                .to_possible_value()
                .map(|it| it.get_name().to_owned())
        };
        let named = columns.iter().map(|it| (*it, name(it).unwrap_or_default()));
        Columns(named.collect())
    }

    /// All columns, with or without those of variations.
    pub(crate) fn all(variations: bool) -> Columns {
        let mut columns = Column::value_variants().to_vec();
        columns.retain(|it| variations || !it.is_of_variations());
        Columns::new(&columns)
    }

    /// Writes the names of the columns, where the syntax has them before the rows.
    pub(super) fn begin(&self, sink: &mut Sink, rows: Rows) -> Result<(), Error> {
        sink.begin_rows(rows, PLIES_IN_GROUP, |mut row| {
            self.push(&mut row, None, None, &GameRows::default());
            row.end();
        })
    }

    fn has(&self, column: Column) -> bool {
        self.0.iter().any(|(it, _)| *it == column)
    }

    /// Adds the fields of a row, or of a block if `ply` is none; without a game, the names of the
    /// columns.
    fn push(
        &self,
        row: &mut Row<'_>,
        game: Option<(u64, &str)>,
        ply: Option<&PlyRow<'_>>,
        rows: &GameRows,
    ) {
        for (column, name) in &self.0 {
            push_field(row, (*column, name), game, ply, rows);
        }
    }
}

/// Replays a game and passes each requested ply to `push` with its notes, and with its line if
/// variations are played.
pub(super) fn each_ply(
    (replayer, game, text): (&mut Replayer, &Game, &[u8]),
    at: Option<&PlyChoice>,
    with_variations: bool,
    mut push: impl FnMut(&PlyRow<'_>, &mut MoveNotes, Option<Line>),
) -> Played {
    let (mut notes, mut found) = (MoveNotes::default(), Vec::new());
    let mut push = |row: &PlyRow<'_>, line| {
        notes.read((game, text), row.span, row.color, &mut found);
        push(row, &mut notes, line);
    };
    if with_variations {
        variations(replayer, game, text, at, true, |step| {
            if let Step::Ply { line, row, .. } = step {
                push(row, Some(*line));
            }
        })
    } else {
        replayer.main_line(game, text, at, |row| push(row, None))
    }
}

/// Chosen columns in any syntax of rows, field by field, or column by column.
pub(crate) struct Chosen {
    pub(crate) rows: Rows,
    pub(crate) columns: Columns,
    pub(crate) at: Option<PlyChoice>,
    pub(crate) variations: bool,
}

/// Data of a game's rows that is not in their records; the memory is reused.
#[derive(Default)]
pub(crate) struct GameRows {
    plies: usize,
    /// Halfmove clocks of the plies, if they are known.
    halfmoves: Vec<Option<u32>>,
    /// Lines of the plies; empty without variations.
    lines: Vec<Line>,
    /// Notes of the plies; empty while there are none.
    notes: Vec<MoveNotes>,
    /// New bytes of the FEN of each ply, one after another.
    new_bytes: Buffer,
    /// Writer of these.
    fens: FenChangeWriter,
    /// Number of the last ply, and its line.
    last: Option<(u32, Option<LineId>)>,
}

/// Offsets in a record.
mod offset {
    pub(super) const FEN: u8 = 0;
    pub(super) const SAN: u8 = 16;
    pub(super) const UCI: u8 = 24;
    pub(super) const COLOR: u8 = 32;
    pub(super) const PLY: u8 = 40;
    pub(super) const MOVE_NUMBER: u8 = 44;
    pub(super) const REPETITION: u8 = 52;
    pub(super) const CHECK: u8 = 56;
    pub(super) const CAPTURE: u8 = 57;
    /// Size of a record.
    pub(super) const END: usize = 64;
}

/// Writes the record of a row.
#[inline]
fn write_record(row: &PlyRow<'_>, fen: ChangedText, record: &mut [u8; offset::END]) {
    // In this order: bytes after a word are overwritten.
    write_word(&mut record[offset::SAN.into()..], |to| row.san.write(to));
    write_word(&mut record[offset::UCI.into()..], |to| {
        write_uci(row.uci, to)
    });
    let mut put = |at: u8, bytes: &[u8]| {
        record[at.into()..][..bytes.len()].copy_from_slice(bytes);
    };
    put(offset::FEN, &fen.to_bytes());
    put(offset::COLOR, &COLORS[row.color.index()]);
    put(offset::PLY, &row.ply.to_le_bytes());
    put(offset::MOVE_NUMBER, &row.move_number.to_le_bytes());
    put(offset::REPETITION, &(row.repetition as u32).to_le_bytes());
    put(offset::CHECK, &[row.check().into()]);
    put(offset::CAPTURE, &[row.capture().into()]);
}

/// Words of the colours.
const COLORS: [[u8; 8]; 2] = [*b"white\0\0\x05", *b"black\0\0\x05"];

impl GameRows {
    /// Most plies whose memory is kept, so that one gigantic game costs its memory once.
    const KEEP_PLIES: usize = 1 << 16;

    fn clear(&mut self) {
        if self.plies > GameRows::KEEP_PLIES {
            *self = GameRows::default();
        }
        self.plies = 0;
        self.halfmoves.clear();
        self.lines.clear();
        self.notes.clear();
        self.new_bytes.clear();
        self.last = None;
    }

    /// Adds the clock, the line and the notes of a row.
    #[inline]
    fn push(&mut self, row: &PlyRow<'_>, notes: &mut MoveNotes, line: Option<Line>) {
        if !self.notes.is_empty() || !notes.is_empty() {
            self.notes.resize(self.plies, MoveNotes::default());
            self.notes.push(std::mem::take(notes));
        }
        self.plies += 1;
        self.halfmoves.push(row.halfmoves());
        self.lines.extend(line);
    }

    /// The FEN of a row as changes since the row before. Their bytes are appended to `new_bytes`.
    #[inline]
    fn changed_fen(&mut self, row: &PlyRow<'_>, line: Option<Line>) -> ChangedText {
        let line = line.map(|line| line.id);
        let follows = self.last == Some((row.ply.wrapping_sub(1), line));
        self.last = Some((row.ply, line));
        let to = self.new_bytes.room(IncrementalFen::LONGEST);
        let (changes, new_bytes) = match follows {
            true => {
                // A null move changes no rank.
                let ranks = row
                    .mv
                    .map_or([Rank::First; 2], |mv| [mv.from.rank(), mv.to.rank()]);
                let fen = (row.fen, row.after);
                self.fens.write_changes(fen, ranks, SHORTEST_MATCH, to)
            }
            false => self.fens.write_all(row.fen, row.after, to),
        };
        self.new_bytes.advance(new_bytes);
        ChangedText {
            length: self.fens.length() as u32,
            changes,
        }
    }
}

impl Format<GameItem<'_>, Result<Played, Error>> for Chosen {
    fn begin(&self, sink: &mut Sink) -> Result<(), Error> {
        self.columns.begin(sink, self.rows)
    }

    fn item(&self, out: &mut Buffer, item: GameItem<'_>) -> Result<Played, Error> {
        let of_game = Some((item.text.origin.game.0, item.source.name()));
        let (at, variations, rows) = (self.at.as_ref(), self.variations, item.rows);
        let game = (item.replayer, item.game, item.text.bytes);
        rows.clear();
        if self.rows != Rows::Table {
            return Ok(each_ply(game, at, variations, |row, notes, line| {
                rows.push(row, notes, line);
                let mut cells = Row::begin(out, self.rows);
                self.columns.push(&mut cells, of_game, Some(row), rows);
                cells.end();
                rows.clear();
            }));
        }
        let with_fen = self.columns.has(Column::Fen);
        let mut block = Block::begin(out);
        let played = each_ply(game, at, variations, |row, notes, line| {
            rows.push(row, notes, line);
            let fen = match with_fen {
                true => rows.changed_fen(row, line),
                false => ChangedText::default(),
            };
            block.push(|record| write_record(row, fen, record));
        });
        if block.is_empty() {
            block.discard();
        } else {
            block.end_rows(rows.new_bytes.as_bytes());
            let mut row = Row::block(block);
            self.columns.push(&mut row, of_game, None, rows);
            row.end();
        }
        Ok(played)
    }
}

/// Adds a field to a row with these values, or to a block of rows.
fn push_field(
    row: &mut Row<'_>,
    (column, name): (Column, &str),
    game: Option<(u64, &str)>,
    ply: Option<&PlyRow<'_>>,
    rows: &GameRows,
) {
    use ColumnType::{Bool, Changed, Number, Text};
    let (lines, notes) = (&rows.lines[..], &rows.notes[..]);
    let number = |number: u32| Some(u64::from(number));
    let mut text = [0; 16];
    match column {
        Column::Game => row.number(name, game.map(|it| it.0)),
        Column::File => row.text(name, game.map(|it| it.1)),
        Column::Ply => row.recorded(name, Number, offset::PLY, |row| {
            row.number(name, ply.and_then(|it| number(it.ply)));
        }),
        Column::MoveNumber => row.recorded(name, Number, offset::MOVE_NUMBER, |row| {
            row.number(name, ply.and_then(|it| number(it.move_number)));
        }),
        Column::Color => row.recorded(name, Text, offset::COLOR, |row| {
            row.word(name, ply.map(|it| it.color.name()));
        }),
        Column::San => row.recorded(name, Text, offset::SAN, |row| {
            row.word(name, ply.map(|it| ascii(&mut text, |to| it.san.write(to))));
        }),
        Column::Uci => row.recorded(name, Text, offset::UCI, |row| {
            let uci = ply.map(|it| ascii(&mut text, |to| write_uci(it.uci, to)));
            row.word(name, uci);
        }),
        Column::Fen => row.recorded(name, Changed, offset::FEN, |row| {
            let mut text = [0; IncrementalFen::LONGEST];
            let fen = ply.map(|it| ascii(&mut text, |to| it.fen.write(it.after, to)));
            row.text(name, fen);
        }),
        Column::Check => row.recorded(name, Bool, offset::CHECK, |row| {
            row.flag(name, ply.map(PlyRow::check));
        }),
        Column::Capture => row.recorded(name, Bool, offset::CAPTURE, |row| {
            row.flag(name, ply.map(PlyRow::capture));
        }),
        Column::HalfmoveClock => row.numbers(name, &rows.halfmoves, |it| it.map(i64::from)),
        Column::Repetition => row.recorded(name, Number, offset::REPETITION, |row| {
            row.number(name, ply.and_then(|it| number(it.repetition as u32)));
        }),
        Column::Clock => row.fractions(name, notes, |it| it.clock),
        Column::MoveTime => row.fractions(name, notes, |it| it.move_time),
        Column::EvalCp => row.numbers(name, notes, |it| it.centipawns().map(i64::from)),
        Column::EvalMate => row.numbers(name, notes, |it| it.mate().map(i64::from)),
        Column::Nags => row.lists(name, notes, |it| {
            (!it.nags.is_empty()).then_some(&it.nags[..])
        }),
        Column::Line => row.numbers(name, lines, |it| Some(it.id.0.into())),
        Column::Parent => row.numbers(name, lines, |it| Some(it.parent?.0.into())),
    }
}

/// Writes a move in UCI notation and returns its length; a null move is `0000`.
#[inline]
fn write_uci(uci: Option<Uci>, to: &mut [u8]) -> usize {
    match uci {
        Some(uci) => uci.write(to),
        None => {
            to[..4].copy_from_slice(b"0000");
            4
        }
    }
}

/// Text that `write` puts at the beginning of `to`, with its length returned.
fn ascii(to: &mut [u8], write: impl FnOnce(&mut [u8]) -> usize) -> &str {
    let length = write(to);
    str::from_utf8(&to[..length]).unwrap_or_else(|_| unreachable!("moves are ASCII"))
}
