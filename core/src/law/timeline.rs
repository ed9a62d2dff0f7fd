//! The draws by repetition and by counting moves in the course of a game.

use crate::chess::san::SanPlus;
use crate::chess::{Move, Position};
use crate::law::rulesets::FEWEST;
use crate::law::{End, Ends, History, RepetitionKey, RuleSet};

/// The game under one repetition key.
#[derive(Debug)]
pub(crate) struct Timeline {
    pub(crate) history: History,
    /// In order of plies; the board before announced moves.
    pub(crate) events: Vec<EndsAtPly>,
}

/// Ends that hold by the game's history at a ply, or would hold after an announced move.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EndsAtPly {
    pub(crate) ply: u32,
    pub(crate) ends: Ends,
    /// The fifth occurrence came on alternate moves in a row (FIDE Laws 2014 art. 9.6a).
    pub(crate) in_a_row: bool,
    /// The move to be announced.
    pub(crate) announced: Option<SanPlus>,
    /// Ends that do not hold by the moves known, and may by the unseen ones before them: on the
    /// board, and after a move that is announced.
    pub(crate) possible: [Ends; 2],
}

impl EndsAtPly {
    /// The ends that count under a rule set.
    pub(crate) fn ends_under(&self, rules: &RuleSet) -> Ends {
        rules.counting(self.ends, || self.in_a_row)
    }
}

/// Whether a move can be announced that completes the fewest moves that any end counts (FIDE Laws
/// 2023 art. 9.3.1).
#[inline]
pub(crate) fn is_near_the_limit(halfmoves: u32) -> bool {
    halfmoves >= FEWEST.1 - 1
}

impl Timeline {
    /// The timeline of a game that has not begun.
    pub(crate) fn new(key: RepetitionKey) -> Timeline {
        Timeline {
            history: History::new(key, &Position::initial(), None),
            events: Vec::new(),
        }
    }

    /// Adds what the history shows of its last position.
    pub(crate) fn observe(&mut self, position: &Position) {
        let history = &self.history;
        let (ply, ends) = (history.ply(), history.ends());
        let possible = history.possible_ends(position);
        if !ends.is_empty() || possible != [Ends::NONE; 2] {
            self.events.push(EndsAtPly {
                ply,
                ends,
                in_a_row: ends.has(End::Fivefold) && history.is_five_in_a_row(),
                announced: None,
                possible,
            });
        }
        let announce = |ends: Ends, mv: Move| EndsAtPly {
            ply,
            ends,
            in_a_row: false,
            announced: Some(SanPlus::of(position, mv, &position.after(mv))),
            possible: [Ends::NONE; 2],
        };
        for mv in history.third_time_moves(position) {
            let ends = Ends::counted(history.count_after(position, mv), 0);
            self.events.push(announce(ends, mv));
        }
        if is_near_the_limit(history.halfmoves) {
            let ends = Ends::counted(0, history.halfmoves + 1);
            // One move stands for all: the claim is the same with each.
            let quiet = quiet_move(position);
            self.events.extend(quiet.map(|mv| announce(ends, mv)));
        }
    }
}

/// A legal move that is neither a capture nor a pawn move.
pub(crate) fn quiet_move(position: &Position) -> Option<Move> {
    let mut moves = position.legal_moves().into_iter();
    moves.find(|mv| !mv.is_zeroing())
}
