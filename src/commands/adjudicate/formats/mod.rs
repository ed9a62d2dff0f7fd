//! Labelled games, one file for each format.

pub mod claim;
pub mod rulesets;

mod csv;
mod human;
mod jsonl;
mod pgn;

use std::borrow::Cow;

use serde::Serialize;

use crate::adjudication::{Adjudication, CanWin, Opportunity, Ruling};
use crate::law::End;
use crate::pgn::termination::Reason;
use crate::pgn::{Game, ResultMark, Span};
use crate::text::decode;

pub use csv::{CsvLabels, HEADER, OPPORTUNITY_HEADER};
pub use human::{COLUMNS, human};
pub use jsonl::{chance_jsonl, jsonl};
pub use pgn::with_tags;

/// A labelled game with the text its words come from.
#[derive(Clone, Copy, Debug)]
pub struct Labelled<'a> {
    /// The source's name.
    pub file: &'a str,
    /// The game's number in the source, from 1.
    pub number: u64,
    /// The game.
    pub game: &'a Game,
    /// Its text.
    pub text: &'a [u8],
    /// Its adjudication.
    pub adjudication: &'a Adjudication,
}

/// One row: a game by one rule set. Scripts know the fields by these names.
#[derive(Serialize)]
struct Row<'a> {
    game: u64,
    white: Option<Cow<'a, str>>,
    black: Option<Cow<'a, str>>,
    recorded_result: Option<Cow<'a, str>>,
    recorded_reason: Option<&'static str>,
    plies: u32,
    board: &'static str,
    claimable: Vec<OpportunityRow>,
    white_can_win: &'static str,
    black_can_win: &'static str,
    ruled_result: &'static str,
    ruled_reason: &'static str,
    article: Option<&'a str>,
    verdict: &'static str,
    ended_at_ply: Option<u32>,
    recorded_words: Option<Cow<'a, str>>,
    rules: &'static str,
    because: Option<&'a str>,
    line: Option<&'a [String]>,
    notes: &'a [String],
    file: &'a str,
    rules_applied: &'static str,
}

/// A draw that could have been claimed.
#[derive(Serialize)]
struct OpportunityRow {
    claim: &'static str,
    by: &'static str,
    /// How many plies had been played.
    ply: u32,
    /// The move that had to be announced.
    #[serde(rename = "move")]
    announced: Option<String>,
    article: String,
}

impl OpportunityRow {
    fn new(opportunity: &Opportunity) -> OpportunityRow {
        OpportunityRow {
            claim: opportunity.end.as_str(),
            by: opportunity.by.name(),
            ply: opportunity.at.ply,
            announced: opportunity.announced_label(),
            article: opportunity.article.to_string(),
        }
    }
}

impl<'a> Row<'a> {
    fn new(labelled: &Labelled<'a>, ruling: &'a Ruling) -> Row<'a> {
        let Labelled {
            file,
            number,
            game,
            text,
            adjudication,
        } = *labelled;
        let recorded = &adjudication.recorded;
        let [white_can_win, black_can_win] = adjudication.can_win.map(CanWin::as_str);
        Row {
            game: number,
            white: value(game, text, "White"),
            black: value(game, text, "Black"),
            recorded_result: recorded
                .result
                .map(|mark| Cow::Borrowed(mark.as_str()))
                .or_else(|| Some(words(text, recorded.other_result?))),
            recorded_reason: recorded
                .termination
                .and_then(|said| Some(said.reason?.as_str())),
            plies: adjudication.plies,
            board: board(adjudication),
            claimable: ruling.claimable.iter().map(OpportunityRow::new).collect(),
            white_can_win,
            black_can_win,
            ruled_result: ruling.result.as_str(),
            ruled_reason: ruling.reason.as_str(),
            article: ruling.article.as_deref(),
            verdict: ruling.verdict.as_str(),
            ended_at_ply: ended_before_last_move(ruling),
            recorded_words: recorded.termination.map(|said| words(text, said.words)),
            rules: ruling.asked,
            because: ruling.because.as_deref(),
            line: ruling.line.as_ref().map(|line| line.uci.as_slice()),
            notes: &ruling.notes,
            file,
            rules_applied: ruling.rules.name,
        }
    }
}

/// The end on the board in one word.
fn board(adjudication: &Adjudication) -> &'static str {
    adjudication.board.map_or("open", End::as_str)
}

/// The ply at which the rules ended the game, if moves follow.
fn ended_before_last_move(ruling: &Ruling) -> Option<u32> {
    ruling.ended.filter(|_| ruling.played_on).map(|at| at.ply)
}

/// The value of a tag, as characters.
fn value<'a>(game: &Game, text: &'a [u8], name: &str) -> Option<Cow<'a, str>> {
    Some(match game.value(text, name)? {
        Cow::Borrowed(bytes) => decode(bytes),
        Cow::Owned(bytes) => Cow::Owned(decode(&bytes).into_owned()),
    })
}

/// Words of the game's text, as characters, on one line.
fn words(text: &[u8], span: Span) -> Cow<'_, str> {
    let words = decode(span.of(text));
    if words.contains(['\n', '\r']) {
        Cow::Owned(words.split_whitespace().collect::<Vec<_>>().join(" "))
    } else {
        words
    }
}

/// The draws that could have been claimed and were not. Claims that may have brought about the
/// recorded draw are left out.
pub fn missed<'a>(
    adjudication: &Adjudication,
    ruling: &'a Ruling,
) -> impl Iterator<Item = &'a Opportunity> {
    let drawn = adjudication.recorded.result == Some(ResultMark::Draw);
    let reason = adjudication
        .recorded
        .termination
        .and_then(|said| said.reason);
    let plies = adjudication.plies;
    let was_made = move |end: End| match reason {
        None | Some(Reason::Normal | Reason::Unterminated) => true,
        Some(reason) => reason.as_str() == end.as_str(),
    };
    ruling.opportunities.iter().filter(move |opportunity| {
        !drawn || opportunity.at.ply < plies || !was_made(opportunity.end)
    })
}
