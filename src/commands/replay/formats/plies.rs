//! One row a ply, in CSV, JSON lines and Parquet.

use crate::chess::fen::IncrementalFen;
use crate::chess::san::{San, SanPlus};
use crate::chess::{Color, Position, Uci};
use crate::commands::replay::formats::GameItem;
use crate::commands::replay::rows::{Line, LineId, Played, PlyChoice, PlyRow, Step, variations};
use crate::error::Error;
use crate::pgn::{MoveNotes, Span};
use crate::report::rows::ColumnType::{Bool, Fraction, Int16List, Number, Text, Unique};
use crate::report::rows::{
    Binary, Cell, ColumnType, Csv, Fields, FieldsOf, Items, Json, PLIES_IN_GROUP, RepeatedText,
    Rows, Syntax,
};
use crate::report::{Buffer, Format, Sink};

/// A row.
struct Ply<'a> {
    game: u64,
    file: &'a RepeatedText,
    row: &'a PlyRow<'a>,
    notes: &'a MoveNotes,
    /// Line of the ply, if variations are played.
    line: Option<Line>,
}

/// The columns in order, each with its name, its type and its value in a row.
#[inline(always)]
fn columns(ply: &Ply<'_>, fields: &mut impl Fields) {
    let Ply { row, notes, .. } = *ply;
    fields.add("game", Number, Cell::Number(ply.game));
    fields.add("ply", Number, Cell::Number(row.ply.into()));
    fields.add("move_number", Number, Cell::Number(row.move_number.into()));
    fields.add("color", Text, Cell::Word(row.color.name()));
    fields.add("san", Text, Cell::InPlace(&|to| row.san.write(to)));
    fields.add("uci", Text, Cell::InPlace(&|to| write_uci(row.uci, to)));
    fields.add(
        "fen",
        Unique,
        Cell::InPlace(&|to| row.fen.write(row.after, to)),
    );
    fields.add("check", Bool, Cell::Flag(row.check()));
    fields.add("capture", Bool, Cell::Flag(row.capture()));
    fields.add(
        "halfmove_clock",
        Number,
        Cell::some(row.halfmoves(), |it| Cell::Number(it.into())),
    );
    fields.add("repetition", Number, Cell::Number(row.repetition as u64));
    fields.add("file", Text, Cell::Repeated(ply.file));
    fields.add("clock", Fraction, Cell::some(notes.clock, Cell::Fraction));
    fields.add(
        "move_time",
        Fraction,
        Cell::some(notes.move_time, Cell::Fraction),
    );
    fields.add("eval_cp", Number, integer(notes.centipawns()));
    fields.add("eval_mate", Number, integer(notes.mate()));
    let nags = &notes.nags[..];
    let nags = (!nags.is_empty()).then_some(&nags as &dyn Items);
    fields.add(
        "nags",
        Int16List,
        Cell::some(nags, |nags| Cell::List(" ", nags)),
    );
    if let Some(line) = ply.line {
        fields.add("line", Number, Cell::Number(line.id.0.into()));
        fields.add(
            "parent",
            Number,
            Cell::some(line.parent, |it| Cell::Number(it.0.into())),
        );
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
        None => {
            to[..4].copy_from_slice(b"0000");
            4
        }
    }
}

/// Passes the columns of a row without values to `add`.
fn empty_row(with_variations: bool, fields: &mut impl Fields) {
    let position = Position::initial();
    let row = PlyRow {
        ply: 0,
        move_number: 0,
        color: Color::White,
        san: SanPlus {
            san: San::Null,
            suffix: None,
        },
        uci: None,
        mv: None,
        after: &position,
        fen: &IncrementalFen::new(&position),
        repetition: 0,
        span: Span::default(),
    };
    let line = Line {
        id: LineId::MAIN,
        parent: None,
    };
    let ply = Ply {
        game: 0,
        file: &RepeatedText::new(Rows::Jsonl, ""),
        row: &row,
        notes: &MoveNotes::default(),
        line: with_variations.then_some(line),
    };
    columns(&ply, fields);
}

/// Names of the columns, with or without those of variations.
pub(crate) fn column_names(with_variations: bool) -> Vec<&'static str> {
    let mut names = Vec::new();
    empty_row(with_variations, &mut |name, _: ColumnType, _: Cell<'_>| {
        names.push(name);
    });
    names
}

/// Rows of plies.
pub(crate) struct Plies {
    pub(crate) rows: Rows,
    /// Chosen columns, in order; empty for all.
    pub(crate) chosen: Vec<String>,
    pub(crate) at: Option<PlyChoice>,
    pub(crate) variations: bool,
}

impl Format<GameItem<'_>, Result<Played, Error>> for Plies {
    fn begin(&self, sink: &mut Sink) -> Result<(), Error> {
        sink.begin_rows(self.rows, PLIES_IN_GROUP, |mut row| {
            let names = column_names(self.variations);
            let all = names.iter().map(|name| (*name).to_owned()).collect();
            let chosen = if self.chosen.is_empty() {
                &all
            } else {
                &self.chosen
            };
            for column in chosen {
                empty_row(self.variations, &mut |name, kind, cell: Cell<'_>| {
                    if name == column {
                        row.field(name, kind, cell);
                    }
                });
            }
            row.end();
        })
    }

    fn item(&self, out: &mut Buffer, item: GameItem<'_>) -> Result<Played, Error> {
        Ok(match self.rows {
            Rows::Header | Rows::Csv(_) => self.game::<Csv>(out, item),
            Rows::Jsonl => self.game::<Json>(out, item),
            Rows::Table => self.game::<Binary>(out, item),
        })
    }
}

impl Plies {
    /// Replays a game and appends the rows of the requested plies.
    fn game<S: Syntax>(&self, out: &mut Buffer, item: GameItem<'_>) -> Played {
        let GameItem {
            source,
            text,
            game,
            replayer,
            file,
            ..
        } = item;
        let file = file.get_or_init(|| RepeatedText::new(self.rows, source.name()));
        let (number, text) = (text.origin.game.0, text.bytes);
        let (mut notes, mut found) = (MoveNotes::default(), Vec::new());
        let mut push = |row: &PlyRow<'_>, line| {
            notes.read((game, text), row.span, row.color, &mut found);
            let ply = Ply {
                game: number,
                file,
                row,
                notes: &notes,
                line,
            };
            if self.chosen.is_empty() {
                push_all::<S>(out, self.rows, &ply);
            } else {
                self.push_chosen::<S>(out, &ply);
            }
        };
        let at = self.at.as_ref();
        if self.variations {
            variations(replayer, game, text, at, true, |step| {
                if let Step::Ply { line, row, .. } = step {
                    push(row, Some(*line));
                }
            })
        } else {
            replayer.main_line(game, text, at, |row| push(row, None))
        }
    }

    #[inline(never)]
    fn push_chosen<S: Syntax>(&self, out: &mut Buffer, ply: &Ply<'_>) {
        let mut syntax = S::begin_row(self.rows, out);
        for column in &self.chosen {
            columns(ply, &mut |name, kind, cell: Cell<'_>| {
                if name == column {
                    syntax.field(out, name, kind, cell);
                }
            });
        }
        syntax.end(out);
    }
}

/// Appends a row with all columns: the names and types are constants in its loops.
#[inline(never)]
fn push_all<S: Syntax>(out: &mut Buffer, rows: Rows, ply: &Ply<'_>) {
    let syntax = S::begin_row(rows, out);
    let mut fields = FieldsOf(out, syntax);
    columns(ply, &mut fields);
    let FieldsOf(out, mut syntax) = fields;
    syntax.end(out);
}
