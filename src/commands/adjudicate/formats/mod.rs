//! Labelled games, one file for each format.

pub mod claim;
pub mod rulesets;

mod csv;
mod human;
mod jsonl;
mod pgn;

use std::borrow::Cow;

use serde::Serialize;

use crate::commands::adjudicate::labels::{CanWin, Label, Opportunity, Ruling};
use crate::law::End;
use crate::pgn::termination::Reason;
use crate::pgn::{Game, ResultMark, Span};
use crate::text::decode;

pub use csv::{CHANCE_HEADER, CsvLabels, HEADER};
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
    /// Its label.
    pub label: &'a Label,
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
    claimable: Vec<ChanceRow>,
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
struct ChanceRow {
    claim: &'static str,
    by: &'static str,
    /// How many plies had been played.
    ply: u32,
    /// The move that had to be announced.
    #[serde(rename = "move")]
    announced: Option<String>,
    article: String,
}

impl ChanceRow {
    fn new(chance: &Opportunity) -> ChanceRow {
        ChanceRow {
            claim: chance.end.as_str(),
            by: chance.by.name(),
            ply: chance.at.ply,
            announced: chance.announced_label(),
            article: chance.article.to_string(),
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
            label,
        } = *labelled;
        let recorded = &label.recorded;
        let [white_can_win, black_can_win] = label.can_win.map(CanWin::as_str);
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
            plies: label.plies,
            board: board(label),
            claimable: ruling.claimable.iter().map(ChanceRow::new).collect(),
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
fn board(label: &Label) -> &'static str {
    label.board.map_or("open", End::as_str)
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
pub fn missed<'a>(label: &Label, ruling: &'a Ruling) -> impl Iterator<Item = &'a Opportunity> {
    let drawn = label.recorded.result == Some(ResultMark::Draw);
    let reason = label.recorded.termination.and_then(|said| said.reason);
    let plies = label.plies;
    let was_made = move |end: End| match reason {
        None | Some(Reason::Normal | Reason::Unterminated) => true,
        Some(reason) => reason.as_str() == end.as_str(),
    };
    ruling
        .chances
        .iter()
        .filter(move |chance| !drawn || chance.at.ply < plies || !was_made(chance.end))
}
