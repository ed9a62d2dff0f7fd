//! The moves of one game, from which every position and history is played again.

use crate::chess::{Color, Move, MoveNumber, Position, Square};
use crate::law::history::Unseen;
use crate::law::repetition::FEWEST_PLIES_BETWEEN;
use crate::law::rulesets::Pace;
use crate::law::{History, RepetitionKey};

/// A ply of a game and the move number there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlyRef {
    /// Plies played; 0 is the initial position.
    pub ply: u32,
    /// The side to move.
    pub turn: Color,
    /// The number of the coming move.
    pub fullmoves: u32,
}

impl PlyRef {
    /// The number of the move that led here, with its dots: `41...`.
    pub fn number(&self) -> MoveNumber {
        let is_next = u32::from(self.turn == Color::White);
        MoveNumber {
            number: self.fullmoves.saturating_sub(is_next),
            color: !self.turn,
        }
    }
}

/// The initial position and the moves of one game. Positions are not kept: a move takes 7 bytes.
#[derive(Clone, Debug)]
pub struct GameRecord {
    /// Initial position.
    pub start: Position,
    /// The en passant square that the FEN names, whether or not a capture is legal there.
    pub(crate) en_passant: Option<Square>,
    pub(crate) moves: Vec<Move>,
    /// The time control, if it is known and asked for.
    pub pace: Option<Pace>,
}

impl GameRecord {
    /// A game without moves. A position knows an en passant square only if a capture is legal
    /// there; `en_passant` is the one that its FEN names.
    pub fn new(start: Position, en_passant: Option<Square>) -> GameRecord {
        GameRecord {
            start,
            en_passant,
            moves: Vec::new(),
            pace: None,
        }
    }

    /// Forgets the game and begins another; the memory is kept.
    pub(crate) fn restart(&mut self, start: &Position) {
        self.start.clone_from(start);
        self.en_passant = None;
        self.moves.clear();
    }

    /// Adds a legal move.
    #[inline]
    pub fn push(&mut self, mv: Move) {
        self.moves.push(mv);
    }

    /// The unseen plies, if the last position may have occurred in them: unless they are too few,
    /// or a capture or a pawn move came after them.
    pub fn unseen(&self) -> Option<Unseen> {
        let is_seen = self.moves.iter().any(|mv| mv.is_zeroing());
        let unseen = Unseen::before(&self.start).filter(|_| !is_seen);
        unseen.filter(|unseen| unseen.most() >= FEWEST_PLIES_BETWEEN)
    }

    /// Whether the moves are counted: a FEN without a number, or with 1, may have left it out.
    pub fn is_numbered(&self) -> bool {
        let start = &self.start;
        start.knows_fullmoves() && (start.fullmoves() > 1 || *start == Position::initial())
    }

    /// Number of plies.
    #[inline]
    pub fn plies(&self) -> u32 {
        self.moves.len() as u32
    }

    /// The move of a ply, from 1.
    pub fn played(&self, ply: u32) -> Option<Move> {
        self.moves.get((ply as usize).checked_sub(1)?).copied()
    }

    /// The position after a number of plies, played from the beginning.
    pub fn after(&self, ply: u32) -> Position {
        let mut position = self.start.clone();
        for &mv in &self.moves[..ply as usize] {
            position.play_unchecked(mv);
        }
        position
    }

    /// Shows the position after each ply, from 0 on.
    pub fn each(&self, mut see: impl FnMut(u32, &Position)) {
        let mut position = self.start.clone();
        see(0, &position);
        for (&mv, ply) in self.moves.iter().zip(1..) {
            position.play_unchecked(mv);
            see(ply, &position);
        }
    }

    /// The move number and the side to move after a number of plies.
    pub fn at(&self, ply: u32) -> PlyRef {
        let next = MoveNumber::of(&self.start).later(ply);
        PlyRef {
            ply,
            turn: next.color,
            fullmoves: next.number,
        }
    }

    /// The game up to a ply.
    #[must_use]
    pub fn cut(&self, ply: u32) -> GameRecord {
        GameRecord {
            start: self.start.clone(),
            en_passant: self.en_passant,
            moves: self.moves[..ply as usize].to_vec(),
            pace: self.pace,
        }
    }

    /// The plies after which the position of a ply has stood on the board up to then, the earliest
    /// first.
    pub fn occurrences(&self, key: RepetitionKey, ply: u32) -> Vec<u32> {
        let mut history = History::new(key, &self.start, self.en_passant);
        let mut position = self.start.clone();
        for &mv in &self.moves[..ply as usize] {
            position.play_unchecked(mv);
            history.push(mv, &position);
        }
        let mut plies: Vec<u32> = history.occurrences().collect();
        plies.reverse();
        plies
    }

    /// The first ply of a property that holds in the last position, and in all positions after one
    /// in which it holds. It is searched for from the end, where it mostly is.
    pub fn first(&self, mut holds: impl FnMut(&Position) -> bool) -> u32 {
        let (mut held, mut step) = (self.plies(), 1);
        let mut since = loop {
            let earlier = held.saturating_sub(step);
            if held == 0 || !holds(&self.after(earlier)) {
                break earlier..held;
            }
            (held, step) = (earlier, 2 * step);
        };
        // It does not hold at the beginning of this range, and it does at its end.
        while since.len() > 1 {
            let middle = since.start + (since.end - since.start) / 2;
            if holds(&self.after(middle)) {
                since.end = middle;
            } else {
                since.start = middle;
            }
        }
        since.end
    }
}
