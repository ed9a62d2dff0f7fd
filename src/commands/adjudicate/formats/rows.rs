//! CSV, JSON lines and Parquet: one row for each game and rule set, or for each draw that could
//! have been claimed.

use std::borrow::Cow;
use std::fmt::{self, Display};

use serde::Serialize;

use crate::adjudication::{self, CanWin, Opportunity, Recorded, Ruling};
use crate::commands::adjudicate::formats::{
    AdjudicateFormat, AdjudicatedGame, SeenGame, TagColumns, board, missed, value, words,
};
use crate::error::Error;
use crate::report::rows::{ColumnType, GAMES_IN_GROUP, Row, Rows, Schema};
use crate::report::{Buffer, Format, Sink};

/// CSV, JSON lines or Parquet.
pub struct RowFormat {
    rows: Rows,
    /// Write the draws that could have been claimed instead of the games.
    claims: bool,
    /// Columns in front. `White` and `Black` replace the columns `white` and `black`.
    tags: TagColumns,
}

impl AdjudicateFormat for RowFormat {
    fn not_judged(&self, out: &mut Buffer, game: &SeenGame<'_>, asked: &'static str, why: &str) {
        if !self.claims {
            let recorded = adjudication::recorded(game.game, game.text);
            let row = GameRow {
                verdict: "not-judged",
                because: Some(why),
                ..GameRow::of_record(*game, &recorded, asked)
            };
            row.write(self.begin_row(out, game), &self.tags);
        }
    }
}

impl RowFormat {
    /// Rows of games or of `claims` in a syntax, with columns of tags.
    pub fn new(rows: Rows, claims: bool, tags: TagColumns) -> RowFormat {
        let mut format = RowFormat { rows, claims, tags };
        let mut own = Schema::default();
        format.write_names(Row::schema(&mut own));
        format.tags.rename_clashes(&own);
        format
    }

    /// Writes the names of the columns that are not of tags.
    fn write_names(&self, row: Row<'_>) {
        match self.claims {
            true => MissedRow::default().write(row, &self.tags),
            false => GameRow::default().write(row, &self.tags),
        }
    }

    /// Begins the row of a game with the columns of its tags.
    fn begin_row<'a>(&self, out: &'a mut Buffer, game: &SeenGame<'_>) -> Row<'a> {
        let mut row = Row::begin(out, self.rows);
        self.tags.write(Some(game), &mut row);
        row
    }
}

impl Format<&AdjudicatedGame<'_>> for RowFormat {
    fn begin(&self, sink: &mut Sink) -> Result<(), Error> {
        sink.begin_rows(self.rows, GAMES_IN_GROUP, |mut row| {
            self.tags.write(None, &mut row);
            self.write_names(row);
        })
    }

    fn item(&self, out: &mut Buffer, game: &AdjudicatedGame<'_>) {
        for ruling in &game.adjudication.rulings {
            if self.claims {
                for opportunity in missed(game.adjudication, ruling) {
                    let row = self.begin_row(out, &game.seen);
                    MissedRow::new(game, ruling, opportunity).write(row, &self.tags);
                }
            } else {
                let row = self.begin_row(out, &game.seen);
                GameRow::new(game, ruling).write(row, &self.tags);
            }
        }
    }
}

/// A game by one rule set. Scripts know the fields by these names.
#[derive(Default)]
struct GameRow<'a> {
    game: u64,
    white: Option<Cow<'a, str>>,
    black: Option<Cow<'a, str>>,
    recorded_result: Option<Cow<'a, str>>,
    recorded_reason: Option<&'static str>,
    plies: Option<u32>,
    board: Option<&'static str>,
    claimable: Option<Vec<OpportunityRow>>,
    white_can_win: Option<&'static str>,
    black_can_win: Option<&'static str>,
    ruled_result: Option<&'static str>,
    ruled_reason: Option<&'static str>,
    article: Option<&'a str>,
    verdict: &'static str,
    ended_at_ply: Option<u32>,
    recorded_words: Option<Cow<'a, str>>,
    rules: &'static str,
    because: Option<&'a str>,
    line: Option<&'a [String]>,
    notes: &'a [String],
    file: &'a str,
    rules_applied: Option<&'static str>,
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

impl<'a> GameRow<'a> {
    /// A game of which only the record is known.
    fn of_record(seen: SeenGame<'a>, recorded: &Recorded, asked: &'static str) -> GameRow<'a> {
        let SeenGame {
            file,
            number,
            game,
            text,
        } = seen;
        GameRow {
            game: number,
            white: value(game, text, "White"),
            black: value(game, text, "Black"),
            recorded_result: match recorded.other_result {
                Some(other) => Some(words(text, other)),
                None => recorded.result.map(|mark| Cow::Borrowed(mark.as_str())),
            },
            recorded_reason: recorded
                .termination
                .and_then(|said| Some(said.reason?.as_str())),
            recorded_words: recorded.termination.map(|said| words(text, said.words)),
            rules: asked,
            file,
            ..GameRow::default()
        }
    }

    fn new(game: &AdjudicatedGame<'a>, ruling: &'a Ruling) -> GameRow<'a> {
        let AdjudicatedGame { seen, adjudication } = *game;
        let claimable = ruling.claimable.iter().map(OpportunityRow::new);
        let [white_can_win, black_can_win] = adjudication.can_win.map(CanWin::as_str);
        GameRow {
            plies: Some(adjudication.plies),
            board: Some(board(adjudication)),
            claimable: Some(claimable.collect()),
            white_can_win: Some(white_can_win),
            black_can_win: Some(black_can_win),
            ruled_result: Some(ruling.result.as_str()),
            ruled_reason: Some(ruling.reason.as_str()),
            article: ruling.article.as_deref(),
            verdict: ruling.verdict.as_str(),
            // If moves follow.
            ended_at_ply: ruling.ended.filter(|_| ruling.played_on).map(|at| at.ply),
            because: ruling.because.as_deref(),
            line: ruling.line.as_ref().map(|line| line.uci.as_slice()),
            notes: &ruling.notes,
            rules_applied: Some(ruling.rules.name),
            ..GameRow::of_record(seen, &adjudication.recorded, ruling.asked)
        }
    }

    fn write(&self, mut row: Row<'_>, tags: &TagColumns) {
        row.number("game", self.game);
        write_players(&mut row, tags, &self.white, &self.black);
        row.text("recorded_result", self.recorded_result.as_deref());
        row.word("recorded_reason", self.recorded_reason);
        row.number("plies", self.plies.map(u64::from));
        row.word("board", self.board);
        row.structs(
            "claimable",
            "; ",
            OpportunityRow::FIELDS,
            self.claimable.as_deref(),
        );
        row.word("white_can_win", self.white_can_win);
        row.word("black_can_win", self.black_can_win);
        row.word("ruled_result", self.ruled_result);
        row.word("ruled_reason", self.ruled_reason);
        row.text("article", self.article);
        row.word("verdict", self.verdict);
        row.number("ended_at_ply", self.ended_at_ply.map(u64::from));
        row.text("recorded_words", self.recorded_words.as_deref());
        row.word("rules", self.rules);
        row.text("because", self.because);
        row.list("line", " ", self.line);
        row.list("notes", "; ", Some(self.notes));
        row.text("file", self.file);
        row.word("rules_applied", self.rules_applied);
        row.end();
    }
}

/// Adds the players, unless they have columns among the tags: column names are compared without
/// regard to case by most databases.
fn write_players(
    row: &mut Row<'_>,
    tags: &TagColumns,
    white: &Option<Cow<'_, str>>,
    black: &Option<Cow<'_, str>>,
) {
    for (name, player) in [("white", white), ("black", black)] {
        if !tags.has(name) {
            row.text(name, player.as_deref());
        }
    }
}

/// A draw that could have been claimed, with its game.
#[derive(Default)]
struct MissedRow<'a> {
    game: u64,
    white: Option<Cow<'a, str>>,
    black: Option<Cow<'a, str>>,
    opportunity: OpportunityRow,
    rules: &'static str,
    file: &'a str,
}

impl<'a> MissedRow<'a> {
    fn new(
        game: &AdjudicatedGame<'a>,
        ruling: &Ruling,
        opportunity: &Opportunity,
    ) -> MissedRow<'a> {
        MissedRow {
            game: game.seen.number,
            white: value(game.seen.game, game.seen.text, "White"),
            black: value(game.seen.game, game.seen.text, "Black"),
            opportunity: OpportunityRow::new(opportunity),
            rules: ruling.asked,
            file: game.seen.file,
        }
    }

    fn write(&self, mut row: Row<'_>, tags: &TagColumns) {
        let OpportunityRow {
            claim,
            by,
            ply,
            announced,
            article,
            holds,
        } = &self.opportunity;
        row.number("game", self.game);
        write_players(&mut row, tags, &self.white, &self.black);
        row.word("claim", *claim);
        row.word("by", *by);
        row.number("ply", u64::from(*ply));
        row.text("move", announced.as_deref());
        row.text("article", article.as_str());
        row.word("rules", self.rules);
        row.text("file", self.file);
        row.word("holds", *holds);
        row.end();
    }
}
