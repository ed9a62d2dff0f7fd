//! Adjudication of games: the record, the board, and the ruling of a rule set on both, kept apart.
//!
//! The moves decide first, by the facts of [`crate::law`]: mate, stalemate, and automatic draws, in
//! the order of plies. If they leave the game open, the record is tested: a draw may be agreed or
//! claimed, a win is a resignation or a fallen flag, and neither wins for a side that cannot mate.
//! Nothing recorded is changed.

pub mod phrases;
pub mod ruling;

mod decide;
mod record;
mod rule_choice;
mod signal;

use std::cell::RefCell;

use arrayvec::ArrayVec;

use crate::chess::{CastlingMode, Color, Move, Position, Square, fen};
use crate::law::rulesets::{MaterialSet, Pace};
use crate::law::{Facts, GameRecord, Prospects};
use crate::pgn::termination::Reason;
use crate::pgn::values::time_control::{self, TimeControl};
use crate::pgn::{Game, ResultMark, Span, TagName, Termination, TokenKind, may_be_move};
use crate::replay::{Cut, Replay, Start, StartFault, Stop};
use crate::text::decode;
use crate::winnability::{SearchLimits, Solver};
use signal::signals_result;

pub use crate::law::CanWin;
pub use crate::law::{End, Opportunity, PlyRef};
pub use decide::first_of_each;
pub use record::is_broken_off;
pub use rule_choice::RuleChoice;
pub(crate) use ruling::Line;
pub use ruling::{RuledReason, Ruling, Verdict};

/// How many rule sets can be compared at once.
pub const MOST_RULE_SETS: usize = 2;

/// The record of a game's end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Recorded {
    /// The result, where it is one of the four of the PGN standard or a word for one.
    pub result: Option<ResultMark>,
    /// The value of a Result tag that is none of them, such as `0-0` or `WhiteIsMated`.
    pub other_result: Option<Span>,
    /// Why, in the site's words.
    pub termination: Option<Termination>,
}

impl Recorded {
    /// The recorded reason, if its words are known.
    pub fn reason(&self) -> Option<Reason> {
        self.termination?.reason
    }
}

/// A game's adjudication: the facts of its end under any rules, and a ruling by each rule set.
#[derive(Clone, Debug)]
pub struct Adjudication {
    /// The record.
    pub recorded: Recorded,
    /// How many plies could be played.
    pub plies: u32,
    /// The moment after the last of them.
    pub end: PlyRef,
    /// The position then.
    pub last: Position,
    /// End shown by the last position and its history under FIDE's repetition key;
    /// nothing if play could go on.
    pub board: Option<End>,
    /// Whether White and Black can still win from the last position.
    pub can_win: [CanWin; 2],
    /// The fault that kept the game from being played to its last move.
    pub early_end: Option<Cut>,
    /// By each rule set, in their order.
    pub rulings: ArrayVec<Ruling, MOST_RULE_SETS>,
}

impl Adjudication {
    /// Whether the rule sets decide the game differently: its result, the reason, or the ply. A
    /// draw after the last move that one rule set has claimed and the other automatic is no
    /// difference.
    pub fn differs(&self) -> bool {
        self.rulings.windows(2).any(|pair| {
            let of = |ruling: &Ruling| {
                let cut = ruling.ended.filter(|_| ruling.played_on);
                (ruling.result, ruling.reason, cut.map(|at| at.ply))
            };
            of(&pair[0]) != of(&pair[1])
        })
    }

    /// Whether what was recorded contradicts the rules, any of them.
    pub fn is_contradiction(&self) -> bool {
        self.rulings
            .iter()
            .any(|ruling| ruling.verdict == Verdict::Contradiction)
    }
}

/// Why a game was not adjudicated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NotAdjudicated {
    /// There is no position to begin with, or the game is by other rules.
    Start(StartFault),
    /// There is no game in the text.
    NoGame,
}

/// Adjudicates games one after the other, with memory that is used again. One for each thread.
///
/// ```
/// use chess_arbiter_core::{Adjudicator, Reader, RuleChoice, SearchLimits};
///
/// let text = b"1. f3 e5 2. g4 Qh4# 1-0";
/// let mut reader = Reader::new();
/// let mut adjudicator = Adjudicator::new(&[RuleChoice::FIDE], SearchLimits::DEFAULT);
/// let ended = adjudicator.adjudicate(reader.read(text, None), text).unwrap();
/// assert_eq!(ended.board.map(|end| end.as_str()), Some("checkmate"));
/// // The record says that White won.
/// assert!(ended.is_contradiction());
/// ```
pub struct Adjudicator {
    rules: ArrayVec<RuleChoice, MOST_RULE_SETS>,
    initial: Position,
    facts: Facts,
    mode: CastlingMode,
    solver: RefCell<Solver>,
    limits: SearchLimits,
}

/// A game that has been played to its end, or as far as it goes.
pub(crate) struct Played<'a> {
    pub facts: &'a Facts,
    pub prospects: &'a Prospects<'a>,
    /// Whether White and Black can still win.
    pub can_win: [CanWin; 2],
    /// Limits of a search for a forced mate.
    pub limits: SearchLimits,
    pub mode: CastlingMode,
    pub game: &'a Game,
    pub text: &'a [u8],
    /// Moves follow that could not be played.
    pub cut_short: bool,
    /// The first ply at which neither side could win, and the word for it.
    pub dead_since: Option<(u32, End)>,
}

impl Adjudicator {
    /// Adjudicates by at most `MOST_RULE_SETS` rule sets. `limits` are those of each search
    /// for who can win.
    pub fn new<R: Into<RuleChoice> + Copy>(
        rules: &[R],
        limits: impl Into<SearchLimits>,
    ) -> Adjudicator {
        let limits = limits.into();
        let rules: ArrayVec<RuleChoice, MOST_RULE_SETS> =
            rules.iter().map(|&choice| choice.into()).collect();
        let candidates = rules.iter().flat_map(|choice| choice.candidates());
        Adjudicator {
            initial: Position::initial(),
            facts: Facts::new(candidates.map(|rules| rules.key)),
            rules,
            mode: CastlingMode::default(),
            solver: RefCell::new(Solver::new(limits)),
            limits,
        }
    }

    /// Adjudicates a game.
    ///
    /// # Errors
    ///
    /// Why there is nothing to adjudicate.
    pub fn adjudicate(&mut self, game: &Game, text: &[u8]) -> Result<Adjudication, NotAdjudicated> {
        let replay = self.begin(game, text)?;
        Ok(self.end(game, text, replay))
    }

    /// Begins a game for [`Adjudicator::end`]. Moves played until then are shown to
    /// [`Adjudicator::see`].
    ///
    /// # Errors
    ///
    /// Why there is nothing to adjudicate.
    pub fn begin<'a>(&mut self, game: &'a Game, text: &[u8]) -> Result<Replay<'a>, NotAdjudicated> {
        if game.is_unreadable(text) {
            return Err(NotAdjudicated::NoGame);
        }
        let start = Start::of(game, text, &self.initial);
        let (start, _) = start.map_err(NotAdjudicated::Start)?;
        self.facts.restart(&start.position);
        self.mode = start.mode;
        Ok(Replay::new(game, start.position))
    }

    /// Takes note of the next move of the game begun, and of the position after it.
    #[inline]
    pub fn see(&mut self, mv: Move, after: &Position) {
        self.facts.push(mv, after);
    }

    /// Plays the moves that are left in the replay of [`Adjudicator::begin`], and adjudicates the
    /// game.
    pub fn end(&mut self, game: &Game, text: &[u8], mut replay: Replay<'_>) -> Adjudication {
        play(&mut replay, &mut self.facts);
        self.facts
            .finish(replay.position(), || named_en_passant(game, text));
        let early_end = early_end(game, text, &replay);

        let facts = &self.facts;
        let prospects = Prospects::new(facts.last(), &self.solver);
        let can_win = match facts.final_end {
            None => prospects.each(),
            Some(End::Checkmate) => Color::ALL.map(|side| match side == facts.last().turn() {
                true => CanWin::No,
                false => CanWin::Yes,
            }),
            Some(_) => [CanWin::No; 2],
        };
        let is_dead = can_win == [CanWin::No; 2];
        let dead_since = is_dead.then(|| {
            let since = facts.dead_since(&prospects);
            (since, dead_end(&facts.record.after(since)))
        });
        let played = Played {
            facts,
            prospects: &prospects,
            can_win,
            limits: self.limits,
            mode: self.mode,
            game,
            text,
            cut_short: early_end.is_some(),
            dead_since,
        };
        let recorded = recorded(game, text);
        let rulings = self.rules.iter().map(|choice| {
            let (rules, note) = choice.for_game(game, text);
            let mut ruling = decide::rule(rules, &recorded, &played);
            ruling.asked = choice.name();
            ruling.notes.splice(0..0, note);
            let illegal = illegal_notes(&facts.record, &replay, text);
            ruling.notes.extend(illegal);
            ruling.notes.extend(mismatch(&recorded, game, text));
            ruling
        });
        Adjudication {
            recorded,
            plies: facts.plies(),
            end: facts.end(),
            last: facts.last().clone(),
            board: match facts.final_end {
                None if is_dead => Some(dead_end(facts.last())),
                None => facts.counted_end(),
                end => end,
            },
            can_win,
            rulings: rulings.collect(),
            early_end,
        }
    }
}

/// Replays a game as far as it is adjudicated. Not inlined: inside a larger function the loop has
/// too few registers.
#[inline(never)]
fn play(replay: &mut Replay<'_>, facts: &mut Facts) {
    replay.each(|replay, ply| facts.push(ply.mv, replay.position()));
}

/// Notes on the illegal moves that stood.
pub fn illegal_notes(record: &GameRecord, replay: &Replay<'_>, text: &[u8]) -> Vec<String> {
    let note = |stop: &Stop| {
        let number = record.at(stop.ply).number();
        let word = decode(stop.token.span.of(text));
        format!("{number}{word} was illegal and stood, as the opponent answered it")
    };
    replay.illegal_moves().iter().map(note).collect()
}

/// The fault that keeps a replay from the game's last move. Text after the result is none unless
/// moves are in it, nor are kings that signal the result.
pub fn early_end(game: &Game, text: &[u8], replay: &Replay<'_>) -> Option<Cut> {
    let result = game.result.map(|(_, span)| span).or(game.other_result);
    let has_moves = |cut: &Cut| {
        let mut tokens = game.tokens.iter();
        may_be_move(cut.span().of(text))
            || tokens
                .any(|token| token.span > cut.span() && matches!(token.kind, TokenKind::San(_)))
    };
    Cut::of(game, replay.stop())
        .filter(|cut| result.is_none_or(|result| cut.span() < result || has_moves(cut)))
        .filter(|_| !signals_result(game, text, replay.position(), replay.plies()))
}

/// The en passant square that a game's FEN names, whether or not a capture is legal there.
pub fn named_en_passant(game: &Game, text: &[u8]) -> Option<Square> {
    let tag = game.known(TagName::Fen)?;
    fen::parse(&tag.unescape(text)).ok()?.en_passant
}

/// The time control of a game for rules on clocks, if it is known.
#[cold]
pub fn pace(game: &Game, text: &[u8]) -> Option<Pace> {
    let tag = game.known(TagName::TimeControl)?;
    let control = time_control::read(&tag.unescape(text)).value?;
    let TimeControl::Periods(periods) = &control else {
        return None;
    };
    let increments = periods.iter().map(|period| period.increment.0);
    Some(Pace {
        seconds: control.seconds(60)?,
        increment: increments.max()?,
        moves: periods.iter().filter_map(|period| period.moves).sum(),
        is_complete: periods.iter().any(|period| period.moves.is_none()),
    })
}

/// Which of the two words for a dead position fits.
fn dead_end(position: &Position) -> End {
    if MaterialSet::Exact.holds(position.board()) {
        End::InsufficientMaterial
    } else {
        End::DeadPosition
    }
}

/// The record of a game's end.
pub fn recorded(game: &Game, text: &[u8]) -> Recorded {
    let result = game.recorded_result(text);
    let words = result.err();
    let in_words = words.and_then(|words| Termination::of_result(words, game, text));
    Recorded {
        result: result.unwrap_or_else(|_| in_words?.implied_result()),
        other_result: words,
        termination: Termination::of(game, text).or(in_words),
    }
}

/// A note on a Result tag and a mark at the end of the moves that differ.
fn mismatch(recorded: &Recorded, game: &Game, text: &[u8]) -> Option<String> {
    let tag = game.result_tag(text)?.value.of(text);
    let (mark, span) = match (game.result, game.other_result) {
        (Some((mark, span)), _) => (Some(mark), span),
        (None, Some(span)) => (None, span),
        (None, None) => return None,
    };
    let differ = match (recorded.result, mark) {
        (Some(result), mark) => Some(result) != mark,
        (None, _) => recorded.other_result.is_some() && tag != span.of(text),
    };
    let (tag, mark) = (decode(tag), decode(span.of(text)));
    differ.then(|| format!("the Result tag says `{tag}`, and the moves end with `{mark}`"))
}

#[cfg(test)]
mod tests;
