//! CSV, JSON lines and Parquet: one row for each game and rule set, or for each draw that could
//! have been claimed.

use std::fmt::{self, Display};
use std::sync::Arc;

use serde::Serialize;

use crate::adjudication::{self, Opportunity, Ruling};
use crate::chess::Color;
use crate::commands::adjudicate::formats::moves::{self, MoveForm};
use crate::commands::adjudicate::formats::{AdjudicatedGame, NotJudged, board, missed_runs, words};
use crate::commands::openings::{Opening, Openings};
use crate::commands::tag_columns::{TagColumns, date};
use crate::error::Error;
use crate::input::{Source, SourceId};
use crate::pgn::Game;
use crate::pgn::termination::Reason;
use crate::pgn::values::time_control::{self, Speed, Thousandths, TimeControl};
use crate::report::rows::{ColumnType, GAMES_IN_GROUP, Row, Rows, Schema};
use crate::report::{Buffer, Format, Sink};

/// CSV, JSON lines or Parquet.
pub struct RulingRows {
    rows: Rows,
    /// Write the draws that could have been claimed instead of the games.
    claims: bool,
    choice: ColumnChoice,
    /// Numbers of the chosen columns without tags, in order; empty for the usual ones.
    chosen: Vec<usize>,
}

/// Columns that options add or choose.
pub(crate) struct ColumnChoice {
    /// Columns in front. `White` and `Black` replace the columns `white` and `black`.
    pub(crate) tags: TagColumns,
    /// Columns at the end.
    pub(crate) openings: Option<Arc<Openings>>,
    /// Names of the only columns besides those of tags; empty for the usual ones.
    pub(crate) names: Vec<String>,
    /// Tags and moves of a JSON object.
    pub(crate) moves: Option<MoveForm>,
}

impl RulingRows {
    /// Rows of games or of `claims` in a syntax.
    ///
    /// # Errors
    ///
    /// A chosen column that is not there, or named twice.
    pub(crate) fn new(rows: Rows, claims: bool, choice: ColumnChoice) -> Result<RulingRows, Error> {
        let mut format = RulingRows {
            rows,
            claims,
            choice,
            chosen: Vec::new(),
        };
        let mut schema = Schema::default();
        format.write_names(Row::schema(&mut schema));
        format.choice.tags.rename_clashes(&schema);
        let known = schema.0.split_off(format.choice.tags.len());
        let known: Vec<String> = known.into_iter().map(|(name, _)| name).collect();
        for name in &format.choice.names {
            let number = known.iter().position(|it| it.eq_ignore_ascii_case(name));
            let number = number.ok_or_else(|| {
                let known = known.join(", ");
                Error::usage(format!(
                    "there is no column `{name}`; the columns are {known}"
                ))
            })?;
            if format.chosen.contains(&number) {
                return Err(Error::usage("`--columns` names a column twice"));
            }
            format.chosen.push(number);
        }
        Ok(format)
    }

    /// Writes a row of no game, for the names of the columns.
    fn write_names(&self, row: Row<'_>) {
        let game = Game::default();
        let (asked, why) = ("", "");
        let nowhere = Source::stdin(SourceId(0));
        let none = AdjudicatedGame {
            source: &nowhere,
            number: 0,
            game: &game,
            text: &[],
            adjudication: Err(NotJudged { asked, why }),
        };
        if self.claims {
            self.claim(row, &none, asked, &OpportunityRow::default(), 0);
        } else {
            self.game(row, &none, None);
        }
    }

    /// Writes the columns of a game. Scripts know them by these names.
    fn game(&self, row: Row<'_>, seen: &AdjudicatedGame<'_>, ruling: Option<&Ruling>) {
        let (asked, because) = match (ruling, seen.adjudication) {
            (Some(ruling), _) => (Some(ruling.asked), ruling.because.as_deref()),
            (None, Err(NotJudged { asked, why })) => (Some(asked), Some(why)),
            (None, Ok(_)) => (None, None),
        };
        let adjudication = seen.adjudication.ok();
        let recorded = match adjudication {
            Some(adjudication) => adjudication.recorded,
            None => adjudication::recorded(seen.game, seen.text),
        };
        let words = |span| words(seen.text, span);
        let other = recorded.other_result.map(words);
        let result = other.or(recorded.result.map(|mark| mark.as_str().into()));
        let said = recorded.termination.map(|said| words(said.words));
        let claimable: Option<Vec<OpportunityRow>> =
            ruling.map(|ruling| ruling.claimable.iter().map(OpportunityRow::new).collect());
        let can_win = |color: Color| adjudication.map(|it| <&str>::from(it.can_win[color.index()]));
        let ended = ruling.and_then(|ruling| ruling.ended.filter(|_| ruling.played_on));
        let line = ruling.and_then(|ruling| ruling.line.as_ref());
        self.write(row, seen, |row| {
            row.text("recorded_result", result.as_deref());
            row.word("recorded_reason", recorded.reason().map(Reason::as_str));
            row.number("plies", adjudication.map(|it| it.plies.into()));
            row.word("board", adjudication.map(board));
            let fields = OpportunityRow::FIELDS;
            row.structs("claimable", "; ", fields, claimable.as_deref());
            row.word("white_can_win", can_win(Color::White));
            row.word("black_can_win", can_win(Color::Black));
            row.word("ruled_result", ruling.map(|ruling| ruling.result.as_str()));
            row.word("ruled_reason", ruling.map(|ruling| ruling.reason.as_str()));
            row.text(
                "article",
                ruling.and_then(|ruling| ruling.article.as_deref()),
            );
            row.word(
                "verdict",
                ruling.map_or("not-judged", |ruling| ruling.verdict.as_str()),
            );
            row.number("ended_at_ply", ended.map(|at| at.ply.into()));
            row.text("recorded_words", said.as_deref());
            row.word("rules", asked);
            row.text("because", because);
            row.list("line", " ", line.map(|line| line.uci.as_slice()));
            row.list(
                "notes",
                "; ",
                Some(ruling.map_or(&[][..], |ruling| &ruling.notes)),
            );
            row.text("file", seen.source.short_name());
            row.word("rules_applied", ruling.map(|ruling| ruling.rules.name));
            // Reason of the move at which the game stops.
            let stop = adjudication.and_then(|it| it.early_end.as_ref()?.stop());
            row.word("reason", stop.and_then(|stop| stop.reason.word()));
            row.date("date", seen.value("Date").as_deref().and_then(date));
        });
    }

    /// Writes the columns of a draw that could have been claimed.
    fn claim(
        &self,
        row: Row<'_>,
        seen: &AdjudicatedGame<'_>,
        asked: &str,
        claim: &OpportunityRow,
        last: u32,
    ) {
        self.write(row, seen, |row| {
            row.word("claim", claim.claim);
            row.word("by", claim.by);
            row.number("ply", u64::from(claim.ply));
            row.text("move", claim.announced.as_deref());
            row.text("article", claim.article.as_str());
            row.word("rules", asked);
            row.text("file", seen.source.short_name());
            row.word("holds", claim.holds);
            row.number("last_ply", u64::from(last));
        });
    }

    /// Writes the tags and the chosen columns: the number and the players, unless they have columns
    /// among the tags, `columns`, and those of options. Column names are compared without regard to
    /// case by most databases.
    fn write(&self, mut row: Row<'_>, seen: &AdjudicatedGame<'_>, columns: impl Fn(&mut Row<'_>)) {
        let values = self.choice.tags.values(seen.game, seen.text);
        self.choice.tags.write(&values, &mut row);
        let openings = self.choice.openings.as_ref();
        let opening = openings.map(|it| it.find(seen.game, seen.text));
        row.chosen(&self.chosen, |row| {
            row.number("game", seen.number);
            for (name, tag) in [("white", "White"), ("black", "Black")] {
                if !self.choice.tags.has(name) {
                    row.text(name, seen.value(tag).as_deref());
                }
            }
            columns(row);
            if let Some(opening) = opening {
                Opening::write(opening, row);
            }
            if !self.claims && !self.choice.names.is_empty() && row.wants_more() {
                optional(row, seen);
            }
        });
        if let Some(form) = self.choice.moves {
            moves::write(&mut row, form, seen);
        }
        row.end();
    }
}

/// Adds the columns that are written only if they are chosen.
fn optional(row: &mut Row<'_>, seen: &AdjudicatedGame<'_>) {
    let last = seen.adjudication.ok().map(|it| it.last.to_string());
    row.unique("last_fen", last.as_deref());
    let control = seen.value("TimeControl");
    let control = control.and_then(|it| time_control::read(it.as_bytes()).value);
    let speed = control.as_ref().and_then(TimeControl::speed);
    row.word("speed", speed.map(Speed::as_str));
    let first = match &control {
        Some(TimeControl::Periods(periods)) => periods.first(),
        _ => None,
    };
    let seconds = |time: Thousandths| time.0 as f64 / 1000.0;
    row.fraction("base", first.map(|it| seconds(it.time)));
    row.fraction("increment", first.map(|it| seconds(it.increment)));
}

impl Format<&AdjudicatedGame<'_>> for RulingRows {
    fn begin(&self, sink: &mut Sink) -> Result<(), Error> {
        sink.begin_rows(self.rows, GAMES_IN_GROUP, |row| self.write_names(row))
    }

    fn item(&self, out: &mut Buffer, game: &AdjudicatedGame<'_>) {
        let Ok(adjudication) = game.adjudication else {
            if !self.claims {
                self.game(Row::begin(out, self.rows), game, None);
            }
            return;
        };
        for ruling in &adjudication.rulings {
            if !self.claims {
                self.game(Row::begin(out, self.rows), game, Some(ruling));
                continue;
            }
            for run in missed_runs(adjudication, ruling) {
                let claim = OpportunityRow {
                    by: run.by.map_or("both", Color::name),
                    ..OpportunityRow::new(run.first)
                };
                let row = Row::begin(out, self.rows);
                self.claim(row, game, ruling.asked, &claim, run.last.ply);
            }
        }
    }
}

/// A draw that could have been claimed.
#[derive(Default, Serialize)]
struct OpportunityRow {
    claim: &'static str,
    by: &'static str,
    /// How many plies had been played.
    ply: u32,
    /// The move that had to be announced.
    #[serde(rename = "move")]
    announced: Option<String>,
    article: String,
    /// `unknown` if it depends on plies before the first position.
    holds: &'static str,
}

impl OpportunityRow {
    /// Columns of a Parquet file, by the names of the fields.
    const FIELDS: &'static [(&'static str, ColumnType)] = &[
        ("claim", ColumnType::Text),
        ("by", ColumnType::Text),
        ("ply", ColumnType::Number),
        ("move", ColumnType::Text),
        ("article", ColumnType::Text),
        ("holds", ColumnType::Text),
    ];

    fn new(opportunity: &Opportunity) -> OpportunityRow {
        OpportunityRow {
            claim: opportunity.end.as_str(),
            by: opportunity.by.name(),
            ply: opportunity.at.ply,
            announced: opportunity.announced_label(),
            article: opportunity.article.to_string(),
            holds: match opportunity.unseen {
                None => "yes",
                Some(_) => "unknown",
            },
        }
    }
}

/// `threefold-repetition white 82 42.Kd2`, `fifty-moves white 0 unknown`
impl Display for OpportunityRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.claim, self.by, self.ply)?;
        if let Some(announced) = &self.announced {
            write!(f, " {announced}")?;
        }
        match self.holds {
            "unknown" => f.write_str(" unknown"),
            _ => Ok(()),
        }
    }
}
