//! Rows of plies, field by field or column by column: all columns, or chosen ones.

use std::ops::Range;

use clap::ValueEnum;

use crate::chess::fen::IncrementalFen;
use crate::chess::san::SanPlus;
use crate::chess::{Color, Uci};
use crate::commands::replay::formats::GameItem;
use crate::commands::replay::rows::{Line, Played, PlyChoice, PlyRow, Step, variations};
use crate::error::Error;
use crate::pgn::MoveNotes;
use crate::report::rows::{PLIES_IN_GROUP, Row, Rows};
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
            self.push(&mut row, None, &[]);
            row.end();
        })
    }

    /// Adds the fields of a row or of a block of rows; without a game those of the names of the
    /// columns.
    fn push(&self, row: &mut Row<'_>, game: Option<&GameValues<'_>>, plies: &[PlyValues]) {
        for (column, name) in &self.0 {
            push_field(row, *column, name, game, plies);
        }
    }

    fn contains(&self, column: Column) -> bool {
        self.0.iter().any(|(it, _)| *it == column)
    }
}

/// Replays a game and passes each requested ply to `push` with its notes, and with its line if
/// variations are played.
pub(super) fn each_ply(
    item: GameItem<'_>,
    at: Option<&PlyChoice>,
    with_variations: bool,
    mut push: impl FnMut(&PlyRow<'_>, &mut MoveNotes, Option<Line>),
) -> Played {
    let (replayer, game, text) = (item.replayer, item.game, item.text.bytes);
    let mut notes = MoveNotes::default();
    let mut push = |row: &PlyRow<'_>, line| {
        notes.read(text, row.end, row.color);
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

/// Values of all rows of a game.
struct GameValues<'a> {
    game: u64,
    file: &'a str,
    /// FEN of the plies, one after another.
    fens: String,
}

/// Values of a row, kept until the game has been played.
struct PlyValues {
    ply: u32,
    move_number: u32,
    halfmove_clock: u32,
    repetition: usize,
    color: Color,
    san: SanPlus,
    uci: Option<Uci>,
    check: bool,
    capture: bool,
    /// Place among the FEN of the game.
    fen: Range<usize>,
    notes: MoveNotes,
    line: Option<Line>,
}

impl PlyValues {
    fn new(row: &PlyRow<'_>, fen: Range<usize>, notes: MoveNotes, line: Option<Line>) -> PlyValues {
        PlyValues {
            ply: row.ply,
            move_number: row.move_number,
            halfmove_clock: row.after.halfmoves(),
            repetition: row.repetition,
            color: row.color,
            san: row.san,
            uci: row.uci,
            check: row.check(),
            capture: row.capture(),
            fen,
            notes,
            line,
        }
    }
}

impl Format<GameItem<'_>, Result<Played, Error>> for Chosen {
    fn begin(&self, sink: &mut Sink) -> Result<(), Error> {
        self.columns.begin(sink, self.rows)
    }

    fn item(&self, out: &mut Buffer, item: GameItem<'_>) -> Result<Played, Error> {
        let (at, variations) = (self.at.as_ref(), self.variations);
        let (game, file) = (item.text.origin.game.0, item.source.name());
        let with_fen = self.columns.contains(Column::Fen);
        let (mut plies, mut fens) = (Vec::new(), Buffer::default());
        let played = each_ply(item, at, variations, |row, notes, line| {
            let begin = fens.len();
            if with_fen {
                let length = row.fen.write(row.after, fens.room(IncrementalFen::LONGEST));
                fens.advance(length);
            }
            let (fen, notes) = (begin..fens.len(), std::mem::take(notes));
            plies.push(PlyValues::new(row, fen, notes, line));
        });
        let fens = String::from_utf8(fens.into_bytes()).unwrap_or_default();
        let game = GameValues { game, file, fens };
        let push = |mut row: Row<'_>, plies: &[PlyValues]| {
            self.columns.push(&mut row, Some(&game), plies);
            row.end();
        };
        match self.rows {
            Rows::Table if plies.is_empty() => {}
            Rows::Table => push(Row::block(out, plies.len()), &plies),
            _ => {
                for ply in &plies {
                    push(Row::begin(out, self.rows), std::slice::from_ref(ply));
                }
            }
        }
        Ok(played)
    }
}

fn push_field(
    row: &mut Row<'_>,
    column: Column,
    name: &str,
    game: Option<&GameValues<'_>>,
    plies: &[PlyValues],
) {
    let fens = game.map_or("", |it| &it.fens);
    let has_notes = plies.iter().any(|it| !it.notes.is_empty());
    let noted = if has_notes { plies } else { &[] };
    let mut text = [0; SanPlus::LONGEST];
    match column {
        Column::Game => row.number(name, game.map(|it| it.game)),
        Column::File => row.text(name, game.map(|it| it.file)),
        Column::Ply => row.each(plies, |row, it| {
            row.number(name, it.map(|it| it.ply.into()));
        }),
        Column::MoveNumber => row.each(plies, |row, it| {
            row.number(name, it.map(|it| it.move_number.into()));
        }),
        Column::Color => row.each(plies, |row, it| {
            row.word(name, it.map(|it| it.color.name()));
        }),
        Column::San => row.each(plies, |row, it| {
            row.word(name, it.map(|it| ascii(&mut text, |to| it.san.write(to))));
        }),
        Column::Uci => row.each(plies, |row, it| {
            let uci = it.map(|it| match it.uci {
                Some(uci) => ascii(&mut text, |to| uci.write(to)),
                None => "0000",
            });
            row.word(name, uci);
        }),
        Column::Fen => row.each(plies, |row, it| {
            row.unique(name, it.map(|it| &fens[it.fen.clone()]));
        }),
        Column::Check => row.each(plies, |row, it| row.flag(name, it.map(|it| it.check))),
        Column::Capture => row.each(plies, |row, it| row.flag(name, it.map(|it| it.capture))),
        Column::HalfmoveClock => row.each(plies, |row, it| {
            row.number(name, it.map(|it| it.halfmove_clock.into()));
        }),
        Column::Repetition => row.each(plies, |row, it| {
            row.number(name, it.map(|it| it.repetition as u64));
        }),
        Column::Clock => row.each(noted, |row, it| {
            row.fraction(name, it.and_then(|it| it.notes.clock));
        }),
        Column::MoveTime => row.each(noted, |row, it| {
            row.fraction(name, it.and_then(|it| it.notes.move_time));
        }),
        Column::EvalCp => row.each(noted, |row, it| {
            row.integer(name, it.and_then(|it| Some(it.notes.centipawns()?.into())));
        }),
        Column::EvalMate => row.each(noted, |row, it| {
            row.integer(name, it.and_then(|it| Some(it.notes.mate()?.into())));
        }),
        Column::Nags => row.each(noted, |row, it| {
            let nags = it
                .map(|it| &it.notes.nags[..])
                .filter(|nags| !nags.is_empty());
            row.small_numbers(name, nags);
        }),
        Column::Line => row.each(plies, |row, it| {
            row.number(name, it.and_then(|it| Some(it.line?.id.0.into())));
        }),
        Column::Parent => row.each(plies, |row, it| {
            row.number(name, it.and_then(|it| Some(it.line?.parent?.0.into())));
        }),
    }
}

/// Text that `write` puts at the beginning of `to`, with its length returned.
fn ascii(to: &mut [u8], write: impl FnOnce(&mut [u8]) -> usize) -> &str {
    let length = write(to);
    str::from_utf8(&to[..length]).unwrap_or_else(|_| unreachable!("moves and positions are ASCII"))
}
