//! Rows of plies field by field: all columns, or chosen ones.

use clap::ValueEnum;

use crate::chess::fen::IncrementalFen;
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
            self.push(&mut row, None);
            row.end();
        })
    }

    /// Adds the fields of a row, or fields without values for the names of the columns.
    fn push(&self, row: &mut Row<'_>, values: Option<&RowValues<'_>>) {
        for (column, name) in &self.0 {
            push_field(row, *column, name, values);
        }
    }
}

/// Replays a game and passes each requested ply to `push` with its notes, and with its line if
/// variations are played.
pub(super) fn each_ply(
    item: GameItem<'_>,
    at: Option<&PlyChoice>,
    with_variations: bool,
    mut push: impl FnMut(&PlyRow<'_>, &MoveNotes, Option<Line>),
) -> Played {
    let (replayer, game, text) = (item.replayer, item.game, item.text.bytes);
    let mut notes = MoveNotes::default();
    let mut push = |row: &PlyRow<'_>, line| {
        notes.read(text, row.end, row.color);
        push(row, &notes, line);
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

/// Chosen columns in any syntax of rows, field by field.
pub(crate) struct Chosen {
    pub(crate) rows: Rows,
    pub(crate) columns: Columns,
    pub(crate) at: Option<PlyChoice>,
    pub(crate) variations: bool,
}

/// Values of a row.
struct RowValues<'a> {
    game: u64,
    file: &'a str,
    ply: &'a PlyRow<'a>,
    notes: &'a MoveNotes,
    line: Option<Line>,
}

impl Format<GameItem<'_>, Result<Played, Error>> for Chosen {
    fn begin(&self, sink: &mut Sink) -> Result<(), Error> {
        self.columns.begin(sink, self.rows)
    }

    fn item(&self, out: &mut Buffer, item: GameItem<'_>) -> Result<Played, Error> {
        let (game, file) = (item.text.origin.game.0, item.source.name());
        let (at, variations) = (self.at.as_ref(), self.variations);
        Ok(each_ply(item, at, variations, |ply, notes, line| {
            let values = RowValues {
                game,
                file,
                ply,
                notes,
                line,
            };
            let mut row = Row::begin(out, self.rows);
            self.columns.push(&mut row, Some(&values));
            row.end();
        }))
    }
}

fn push_field(row: &mut Row<'_>, column: Column, name: &str, values: Option<&RowValues<'_>>) {
    let (ply, notes) = (values.map(|it| it.ply), values.map(|it| it.notes));
    let line = values.and_then(|it| it.line);
    let mut text = [0; IncrementalFen::LONGEST];
    match column {
        Column::Game => row.number(name, values.map(|it| it.game)),
        Column::Ply => row.number(name, ply.map(|it| it.ply.into())),
        Column::MoveNumber => row.number(name, ply.map(|it| it.move_number.into())),
        Column::Color => row.word(name, ply.map(|it| it.color.name())),
        Column::San => row.word(name, ply.map(|it| ascii(&mut text, |to| it.san.write(to)))),
        Column::Uci => row.word(
            name,
            ply.map(|it| match it.uci {
                Some(uci) => ascii(&mut text, |to| uci.write(to)),
                None => "0000",
            }),
        ),
        Column::Fen => row.unique(
            name,
            ply.map(|it| ascii(&mut text, |to| it.fen.write(it.after, to))),
        ),
        Column::Check => row.flag(name, ply.map(PlyRow::check)),
        Column::Capture => row.flag(name, ply.map(PlyRow::capture)),
        Column::HalfmoveClock => row.number(name, ply.map(|it| it.after.halfmoves().into())),
        Column::Repetition => row.number(name, ply.map(|it| it.repetition as u64)),
        Column::File => row.text(name, values.map(|it| it.file)),
        Column::Clock => row.fraction(name, notes.and_then(|it| it.clock)),
        Column::MoveTime => row.fraction(name, notes.and_then(|it| it.move_time)),
        Column::EvalCp => row.integer(name, notes.and_then(|it| Some(it.centipawns()?.into()))),
        Column::EvalMate => row.integer(name, notes.and_then(|it| Some(it.mate()?.into()))),
        Column::Nags => {
            let nags = notes.map(|it| &it.nags[..]).filter(|nags| !nags.is_empty());
            row.small_numbers(name, nags);
        }
        Column::Line => row.number(name, line.map(|it| it.id.0.into())),
        Column::Parent => row.number(name, line.and_then(|it| Some(it.parent?.0.into()))),
    }
}

/// Text that `write` puts at the beginning of `to`, with its length returned.
fn ascii(to: &mut [u8], write: impl FnOnce(&mut [u8]) -> usize) -> &str {
    let length = write(to);
    str::from_utf8(&to[..length]).unwrap_or_else(|_| unreachable!("moves and positions are ASCII"))
}
