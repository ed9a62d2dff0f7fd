//! Output formats of `adjudicate`, one file each.

pub(crate) mod claim;
pub(crate) mod rulesets;

mod human;
mod moves;
mod pgn;
mod rows;

use crate::claim::{Heading, words};
use clap::ValueEnum;
use std::borrow::Cow;

use crate::adjudication::{Adjudication, Opportunity, PlyRef, Ruling};
use crate::chess::Color;
use crate::error::Error;
use crate::input::Source;
use crate::law::End;
use crate::pgn::termination::Reason;
use crate::pgn::{Game, ResultMark};
use crate::report::Format;
use crate::report::escape::Cells;
use crate::report::rows::Rows;

pub(crate) use moves::MoveForm;
pub use pgn::TaggedGames;
pub(crate) use rows::ColumnChoice;
pub use rows::RulingRows;

/// Value of `--format`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum RulingFormat {
    /// For people
    Human,
    /// One row a game
    Csv,
    /// One JSON object a line
    Jsonl,
    /// The same rows as a Parquet file
    Parquet,
    /// The games themselves, with tags added that say how they ended
    Pgn,
    /// The ruling on a claim as a page to print and sign
    Html,
}

impl RulingFormat {
    /// Whether it has one row a game.
    pub(crate) fn is_rows(self) -> bool {
        matches!(self, Self::Csv | Self::Jsonl | Self::Parquet)
    }

    /// The format of games, or of the draws that could have been claimed; for people as wide as a
    /// terminal, in rows with the columns that options choose.
    pub(crate) fn with(
        self,
        claims: bool,
        columns: Option<usize>,
        cells: Cells,
        choice: ColumnChoice,
    ) -> Result<Box<AdjudicateFormat>, Error> {
        let rows = match self {
            Self::Human => return Ok(Box::new(human::HumanRulings { claims, columns })),
            Self::Pgn => return Ok(Box::new(pgn::TaggedGames)),
            Self::Html => return Err(Error::usage("the format `html` needs `--claim`")),
            Self::Csv => Rows::Csv(cells),
            Self::Jsonl => Rows::Jsonl,
            Self::Parquet => Rows::Table,
        };
        Ok(Box::new(RulingRows::new(rows, claims, choice)?))
    }
}

/// A format of adjudicated games.
pub(crate) type AdjudicateFormat = dyn for<'a> Format<&'a AdjudicatedGame<'a>>;

/// A game, adjudicated or not, with the text its words come from.
#[derive(Clone, Copy, Debug)]
pub struct AdjudicatedGame<'a> {
    /// Its source.
    pub source: &'a Source,
    /// The game's number in the source, from 1.
    pub number: u64,
    /// The game.
    pub game: &'a Game,
    /// Its text.
    pub text: &'a [u8],
    /// Its adjudication, or why there is none.
    pub adjudication: Result<&'a Adjudication, NotJudged<'a>>,
}

/// Why a game was not adjudicated.
#[derive(Clone, Copy, Debug)]
pub struct NotJudged<'a> {
    /// The name by which the rules were asked for.
    pub asked: &'static str,
    /// The reason.
    pub why: &'a str,
}

impl<'a> AdjudicatedGame<'a> {
    /// The value of a tag, as characters.
    fn value(&self, name: &str) -> Option<Cow<'a, str>> {
        Some(self.game.tag(self.text, name)?.text(self.text))
    }
}

/// The end on the board in one word.
fn board(adjudication: &Adjudication) -> &'static str {
    adjudication.board.map_or("open", End::as_str)
}

/// Draws on one ground that could have been claimed on the board after each ply of a run.
pub(crate) struct Stretch<'a> {
    pub(crate) first: &'a Opportunity,
    /// The claimant, if it was always the same.
    pub(crate) by: Option<Color>,
    pub(crate) last: PlyRef,
}

impl<'a> Stretch<'a> {
    pub(crate) fn new(first: &'a Opportunity) -> Stretch<'a> {
        let (by, last) = (Some(first.by), first.at);
        Stretch { first, by, last }
    }
}

/// The draws of [`missed`] in runs.
pub(crate) fn missed_runs<'a>(adjudication: &Adjudication, ruling: &'a Ruling) -> Vec<Stretch<'a>> {
    let mut runs: Vec<Stretch<'_>> = Vec::new();
    for claim in missed(adjudication, ruling) {
        let is_on_board = |claim: &Opportunity| (claim.announced, claim.unseen) == (None, None);
        let goes_on = |run: &&mut Stretch<'_>| {
            let stands = is_on_board(run.first) && is_on_board(claim);
            stands && run.first.end == claim.end && claim.at.ply <= run.last.ply + 1
        };
        match runs.iter_mut().rev().find(goes_on) {
            Some(run) => {
                run.last = claim.at;
                run.by = run.by.filter(|&by| by == claim.by);
            }
            None => runs.push(Stretch::new(claim)),
        }
    }
    runs
}

/// The draws that could have been claimed and were not. Claims that may have brought about the
/// recorded draw are left out; of those that may depend on plies before the first position, all but
/// the first.
pub(crate) fn missed<'a>(
    adjudication: &Adjudication,
    ruling: &'a Ruling,
) -> impl Iterator<Item = &'a Opportunity> {
    let drawn = adjudication.recorded.result == Some(ResultMark::Draw);
    let reason = adjudication.recorded.reason();
    let plies = adjudication.plies;
    let was_made = move |end: End| match reason {
        None | Some(Reason::Normal | Reason::Unterminated) => true,
        Some(reason) => reason.as_str() == end.as_str(),
    };
    ruling.opportunities.iter().filter(move |opportunity| {
        let is_listed = opportunity.unseen.is_none() || ruling.claimable.contains(opportunity);
        is_listed && (!drawn || opportunity.at.ply < plies || !was_made(opportunity.end))
    })
}
