//! How games ended: what was recorded, what the board says, and what a rule set makes of both, kept apart.
//!
//! The moves decide first: mate, stalemate, and the draws that need no claim, the earliest ply before a later one and the
//! rule set's order of tests within a ply. Where they leave the game open, the record is asked whether it can be true: a
//! draw may be agreed or claimed, a win is a resignation or a fallen flag, and neither wins for a side that cannot mate.
//! Nothing recorded is changed.

mod chance;
mod line;
mod prospects;
mod record;
mod ruling;
mod walk;

use arrayvec::ArrayVec;

use crate::chess::{CastlingMode, Color, Position, Square, fen};
use crate::commands::rule_choice::RuleChoice;
use crate::commands::validate::check as findings;
use crate::commands::validate::check::Finding;
use crate::law::rulesets::MaterialSet;
use crate::law::{End, RepetitionKey};
use crate::pgn::{Game, PossibleDays, ResultMark, Span, Termination};
use crate::replay::{Ending, Replay, Start};

pub use chance::Chance;
pub use line::Line;
pub use prospects::CanWin;
pub use ruling::{RuledReason, Ruling, Verdict};
pub use walk::When;

use crate::commands::adjudicate::labels::prospects::Prospects;
use crate::commands::adjudicate::labels::walk::{Glance, Track};

/// How many rule sets can be compared at once.
pub const MOST_RULE_SETS: usize = 2;

/// What was recorded about a game's end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Recorded {
    /// The result, where it is one of the four of the PGN standard.
    pub result: Option<ResultMark>,
    /// The value of a Result tag that is none of them, such as `0-0`.
    pub other_result: Option<Span>,
    /// Why, in the site's words.
    pub termination: Option<Termination>,
}

/// A game's label: what is known of its end whatever the rules, and a ruling by each rule set.
#[derive(Clone, Debug)]
pub struct Label {
    /// What was recorded.
    pub recorded: Recorded,
    /// How many plies could be played.
    pub plies: u32,
    /// The moment after the last of them.
    pub end: When,
    /// The position then.
    pub last: Position,
    /// What the last position says by itself and by the game's history (under FIDE's reading of the same position);
    /// nothing if play could go on.
    pub board: Option<End>,
    /// Whether White and Black can still win from the last position.
    pub can_win: [CanWin; 2],
    /// What kept the game from being played to its last move.
    pub stopped: Option<Finding>,
    /// By each rule set, in their order.
    pub rulings: ArrayVec<Ruling, MOST_RULE_SETS>,
}

impl Label {
    /// Whether the rule sets decide the game differently: its result, the reason, or after which of its moves. A draw that
    /// one has claimed and the other by itself, both behind the last move, is no difference.
    pub fn differs(&self) -> bool {
        self.rulings.windows(2).any(|pair| {
            let of = |ruling: &Ruling| {
                let cut = ruling.ended.filter(|_| ruling.played_on);
                (ruling.result, ruling.reason, cut.map(|when| when.ply))
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

/// A game is judged up to this ply, so that no input takes memory without bound. By the 75-move
/// rule every game is over after 17,697 plies.
const MOST_PLIES: u32 = 20_000;

/// Labels games one after the other, with memory that is used again. One for each thread.
pub struct Labeller {
    rules: ArrayVec<RuleChoice, MOST_RULE_SETS>,
    initial: Position,
    /// The game's history under FIDE's repetition key, then under every other key that a rule set has.
    tracks: Vec<Track>,
    glance: Glance,
    /// Whether a glance is enough for all keys.
    may_glance: bool,
    /// The positions of a game that must be looked at again.
    positions: Vec<(Position, Option<Span>)>,
    prospects: Prospects,
}

/// A game that has been played to its end, or as far as it goes.
pub(crate) struct Played<'a> {
    pub start: &'a Position,
    pub last: &'a Position,
    pub mode: CastlingMode,
    pub when: When,
    /// What the last position is by itself.
    pub ending: Ending,
    /// The days on which it may have been played.
    pub days: Option<PossibleDays>,
    pub text: &'a [u8],
    /// Whether the tracks have followed the game; if not, they had nothing to find.
    pub tracked: bool,
    /// Whether moves follow that could not be played.
    pub cut_short: bool,
    /// Since when nobody can win any more, and which of the two words for it fits.
    pub dead_since: Option<(When, End)>,
}

impl Labeller {
    /// Labels by these rule sets, at most [`MOST_RULE_SETS`] of them. `nodes` bounds each search for who can win, in
    /// positions.
    pub fn new<R: Into<RuleChoice> + Copy>(rules: &[R], nodes: u64) -> Labeller {
        let rules: ArrayVec<RuleChoice, MOST_RULE_SETS> =
            rules.iter().map(|&choice| choice.into()).collect();
        let mut tracks = vec![Track::new(RepetitionKey::FIDE)];
        for rules in rules.iter().flat_map(|choice| choice.candidates()) {
            if tracks.iter().all(|track| track.key != rules.key) {
                tracks.push(Track::new(rules.key));
            }
        }
        Labeller {
            rules,
            initial: Position::initial(),
            may_glance: tracks.iter().all(|track| Glance::serves(track.key)),
            glance: Glance::default(),
            tracks,
            positions: Vec::new(),
            prospects: Prospects::new(nodes),
        }
    }

    /// Labels a game.
    ///
    /// # Errors
    ///
    /// Why there is no position to begin with: the game is by other rules, or its FEN cannot be read or played, or there
    /// is no game in the text.
    pub fn label(&mut self, game: &Game, text: &[u8]) -> Result<Label, Box<Finding>> {
        let (start, _) = Start::of(game, text, &self.initial)
            .map_err(|fault| Box::new(findings::no_start(text, fault)))?;
        let mut replay = Replay::new(game, start.position.clone());
        let mut moved = None;
        self.glance.restart(&start.position);
        let mut tracked = !self.may_glance || self.glance.wants_closer_look();
        // The last capture or pawn move. Few games must be gone back to it, so that nothing is kept of it but its number.
        let mut back = 0;
        let goes_on = |replay: &Replay<'_>| replay.plies() < MOST_PLIES;
        if !tracked {
            replay.play_while(|replay, ply| {
                moved = Some(ply.token.span);
                if ply.mv.is_zeroing() {
                    back = ply.number;
                }
                self.glance.push(replay.position());
                tracked = self.glance.wants_closer_look();
                !tracked && goes_on(replay)
            });
        }
        if tracked {
            replay = Replay::new(game, start.position.clone());
            let mut zeroing = None;
            while replay.plies() < back
                && let Some(ply) = replay.play()
            {
                zeroing = Some(ply);
            }
            match zeroing {
                Some(ply) => {
                    for track in &mut self.tracks {
                        track.resume(ply, replay.position());
                    }
                }
                None => {
                    let named = named_en_passant(game, text);
                    for track in &mut self.tracks {
                        track.restart(replay.position(), named);
                    }
                }
            }
            while goes_on(&replay)
                && let Some(ply) = replay.play()
            {
                moved = Some(ply.token.span);
                for track in &mut self.tracks {
                    track.push(ply, replay.position());
                }
            }
        }
        let next = (!goes_on(&replay)).then(|| replay.clone().play()).flatten();
        let stopped = match next {
            Some(next) => Some(findings::too_many_plies(next.token, MOST_PLIES)),
            None => findings::of_play(game, text, &replay),
        };
        if game.is_empty()
            && let Some(stopped) = stopped
        {
            return Err(Box::new(stopped));
        }

        let last = replay.position();
        let ending = Ending::of(last);
        let can_win = match ending {
            Ending::Open => self.prospects.of_each(last),
            Ending::Stalemate => [CanWin::No; 2],
            Ending::Checkmate => Color::ALL.map(|side| match side == last.turn() {
                true => CanWin::No,
                false => CanWin::Yes,
            }),
        };
        let mut played = Played {
            start: &start.position,
            last,
            mode: start.mode,
            when: When::new(replay.plies(), last, moved),
            ending,
            days: game
                .value(text, "Date")
                .and_then(|value| PossibleDays::read(&value)),
            text,
            tracked,
            cut_short: stopped.is_some(),
            dead_since: None,
        };
        if can_win == [CanWin::No; 2] {
            let Labeller {
                prospects,
                positions,
                ..
            } = self;
            collect(game, &start.position, replay.plies(), positions);
            let (since, position) = first(positions, |position| prospects.is_dead(position));
            played.dead_since = Some((since, dead_end(position)));
        }
        let mut label = Label {
            recorded: recorded(game, text),
            plies: replay.plies(),
            end: played.when,
            last: last.clone(),
            board: self.board(&played, can_win),
            can_win,
            stopped,
            rulings: ArrayVec::new(),
        };
        for choice in self.rules.clone() {
            let applied = choice.for_game(game, text);
            let mut ruling = self.rule(game, applied.rules, &label, &played);
            ruling.asked = choice.name();
            ruling.notes.splice(0..0, applied.note);
            label.rulings.push(ruling);
        }
        Ok(label)
    }

    /// What the last position says, the first in FIDE's order of tests; of dead positions those are told apart in which
    /// the pieces alone show it.
    fn board(&self, played: &Played<'_>, can_win: [CanWin; 2]) -> Option<End> {
        match played.ending {
            Ending::Checkmate => Some(End::Checkmate),
            Ending::Stalemate => Some(End::Stalemate),
            Ending::Open if can_win == [CanWin::No; 2] => Some(dead_end(played.last)),
            Ending::Open if played.tracked => self.tracks[0].history.ends().iter().next(),
            Ending::Open => None,
        }
    }
}

/// The en passant square that a game's FEN names, whether or not a capture is legal there: some repetition keys ask for it.
fn named_en_passant(game: &Game, text: &[u8]) -> Option<Square> {
    let tag = game.tag(text, "FEN")?;
    fen::parse(&tag.unescape(text)).ok()?.en_passant
}

/// Which of the two words for a dead position fits.
fn dead_end(position: &Position) -> End {
    if MaterialSet::Exact.holds(position.board()) {
        End::InsufficientMaterial
    } else {
        End::DeadPosition
    }
}

/// The positions of a game, from the initial one to that after `plies`.
fn collect(
    game: &Game,
    start: &Position,
    plies: u32,
    positions: &mut Vec<(Position, Option<Span>)>,
) {
    positions.clear();
    let mut replay = Replay::new(game, start.clone());
    positions.push((start.clone(), None));
    while replay.plies() < plies
        && let Some(ply) = replay.play()
    {
        positions.push((replay.position().clone(), Some(ply.token.span)));
    }
}

/// The moment since which something has held that holds in the last position, and in all that follow one in which it
/// holds. It is looked for from the end, where it mostly is.
fn first(
    positions: &[(Position, Option<Span>)],
    mut holds: impl FnMut(&Position) -> bool,
) -> (When, &Position) {
    let last = positions.len().saturating_sub(1);
    let (mut held, mut step) = (last, 1);
    let mut since = loop {
        let earlier = held.saturating_sub(step);
        if held == 0 || !holds(&positions[earlier].0) {
            break earlier..held;
        }
        (held, step) = (earlier, 2 * step);
    };
    // It does not hold at the beginning of this stretch, and it does at the end.
    while since.len() > 1 {
        let middle = since.start + since.len() / 2;
        if holds(&positions[middle].0) {
            since.end = middle;
        } else {
            since.start = middle;
        }
    }
    let (position, moved) = &positions[since.end];
    (When::new(since.end as u32, position, *moved), position)
}

fn recorded(game: &Game, text: &[u8]) -> Recorded {
    let result = game.recorded_result(text);
    Recorded {
        result: result.unwrap_or(None),
        other_result: result.err(),
        termination: Termination::of(game, text),
    }
}

#[cfg(test)]
mod tests;
