//! A pass over a game: when a position stood for the third time, when fifty moves were full, and what a player could have
//! announced.

use crate::chess::san::SanPlus;
use crate::chess::{Color, Move, Position, Square};
use crate::law::rulesets::{CastlingPart, EnPassantPart};
use crate::law::{End, Ends, History, RepetitionKey, RuleSet};
use crate::pgn::Span;
use crate::replay::Ply;

/// The moment after so many plies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct When {
    /// How many plies have been played; 0 is the initial position.
    pub ply: u32,
    /// Who is to move.
    pub turn: Color,
    /// The number of the coming move.
    pub fullmoves: u32,
    /// The move that led here, in the game's text; nothing at the beginning.
    pub moved: Option<Span>,
}

impl When {
    pub(crate) fn new(ply: u32, position: &Position, moved: Option<Span>) -> When {
        When {
            ply,
            turn: position.turn(),
            fullmoves: position.fullmoves(),
            moved,
        }
    }

    /// The number of the move that led here, with its dots: `41...`.
    pub fn number(&self) -> String {
        match self.turn {
            Color::Black => format!("{}.", self.fullmoves),
            Color::White => format!("{}...", self.fullmoves.saturating_sub(1)),
        }
    }
}

/// Something at a moment that a draw rule may ask for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Moment {
    pub when: When,
    /// What stands on the board, or would stand there behind the announced move.
    pub ends: Ends,
    /// Whether the fifth occurrence came on alternate moves in a row (FIDE Laws 2014 art. 9.6a).
    pub in_a_row: bool,
    /// The move that the player to move could announce.
    pub announced: Option<SanPlus>,
}

impl Moment {
    /// The ends that count under a rule set.
    pub fn counted(&self, rules: &RuleSet) -> Ends {
        match rules.fivefold_in_a_row && !self.in_a_row {
            true => self.ends.without(End::Fivefold),
            false => self.ends,
        }
    }
}

/// A first look at a game, cheaper than its history: before two positions have the same hash, and far from fifty moves, no
/// draw rule has anything to say.
#[derive(Debug, Default)]
pub(crate) struct Glance {
    /// Hashes of the positions since the last capture or pawn move.
    hashes: Vec<u64>,
    closer: bool,
}

impl Glance {
    /// Whether positions that are the same under a key have the same hash, so that a glance is enough.
    pub fn serves(key: RepetitionKey) -> bool {
        // The hash is of FIDE's reading; other readings of en passant tell more positions apart.
        key.turn && key.castling == CastlingPart::Rights && key.en_passant != EnPassantPart::Ignored
    }

    pub fn restart(&mut self, initial: &Position) {
        self.hashes.clear();
        self.closer = false;
        self.push(initial);
    }

    #[inline]
    pub fn push(&mut self, position: &Position) {
        let halfmoves = position.halfmoves();
        if halfmoves == 0 {
            self.hashes.clear();
        }
        let hash = position.key();
        // With the same side to move, and not before four plies.
        let mut candidate = self.hashes.len().checked_sub(4);
        while let Some(at) = candidate {
            self.closer |= self.hashes[at] == hash;
            candidate = at.checked_sub(2);
        }
        self.closer |= halfmoves >= ONE_BEFORE_FIFTY;
        self.hashes.push(hash);
    }

    /// Whether the game's full history is needed.
    pub fn wants_closer_look(&self) -> bool {
        self.closer
    }
}

/// A game's history under one repetition key.
#[derive(Debug)]
pub(crate) struct Track {
    pub key: RepetitionKey,
    pub history: History,
    /// In order of plies; what stands on the board before what could be announced.
    pub moments: Vec<Moment>,
}

/// The halfmove clock at which a move can be announced that fills fifty moves by each side (FIDE Laws 2023 art. 9.3.1).
const ONE_BEFORE_FIFTY: u32 = 99;

impl Track {
    pub fn new(key: RepetitionKey) -> Track {
        Track {
            key,
            history: History::new(key, &Position::initial(), None),
            moments: Vec::new(),
        }
    }

    pub fn restart(&mut self, initial: &Position, en_passant: Option<Square>) {
        self.moments.clear();
        self.history.restart(initial, en_passant);
        self.observe(initial, None);
    }

    /// Begins at a capture or pawn move, before which there was nothing to find.
    pub fn resume(&mut self, ply: Ply, after: &Position) {
        self.moments.clear();
        self.history.resume(ply.number, ply.mv, after);
        self.observe(after, Some(ply.token.span));
    }

    #[inline]
    pub fn push(&mut self, ply: Ply, after: &Position) {
        self.history.push(ply.mv, after);
        self.observe(after, Some(ply.token.span));
    }

    /// What stands on the board.
    #[inline]
    fn observe(&mut self, position: &Position, moved: Option<Span>) {
        let ends = self.history.ends();
        if !ends.is_empty() || self.history.has_repeated() || self.is_near_fifty() {
            self.observe_more(position, ends, moved);
        }
    }

    #[inline]
    fn is_near_fifty(&self) -> bool {
        self.history.halfmoves() >= ONE_BEFORE_FIFTY
    }

    fn observe_more(&mut self, position: &Position, ends: Ends, moved: Option<Span>) {
        let when = When::new(self.history.ply(), position, moved);
        if !ends.is_empty() {
            self.moments.push(Moment {
                when,
                ends,
                in_a_row: ends.has(End::Fivefold) && self.history.is_five_in_a_row(),
                announced: None,
            });
        }
        let announce = |end: End, mv: Move| Moment {
            when,
            ends: [end].into_iter().collect(),
            in_a_row: false,
            announced: Some(SanPlus::of(position, mv, &position.after(mv))),
        };
        for mv in self.history.third_time_moves(position) {
            self.moments.push(announce(End::Threefold, mv));
        }
        if self.is_near_fifty() {
            // One move stands for all: whichever is announced, the claim is the same.
            let quiet = position
                .legal_moves()
                .into_iter()
                .find(|mv| !mv.is_zeroing());
            self.moments
                .extend(quiet.map(|mv| announce(End::FiftyMoves, mv)));
        }
    }
}
