//! Counts of leaf moves by kind, to compare with published tables.

use std::ops::AddAssign;

use rayon::prelude::*;

use crate::chess::bitboard::Bitboard;
use crate::chess::moves::{Move, MoveKind};
use crate::chess::position::Position;
use crate::commands::perft::counting::{CountError, MOST_DEPTH, Perft, SHARED_DEPTH};

/// Counts of the moves at the last ply by kind. A move can be of several kinds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Kinds {
    /// All moves: the perft number.
    pub nodes: u64,
    /// Captures, including en passant.
    pub captures: u64,
    /// Captures en passant.
    pub en_passant: u64,
    /// Castling.
    pub castles: u64,
    /// Promotions.
    pub promotions: u64,
    /// Moves that give check, including mates.
    pub checks: u64,
    /// Checks by one piece that has not moved; a castling rook has moved.
    pub discovered_checks: u64,
    /// Checks by two pieces.
    pub double_checks: u64,
    /// Moves that give mate.
    pub mates: u64,
}

impl AddAssign for Kinds {
    fn add_assign(&mut self, more: Kinds) {
        self.nodes += more.nodes;
        self.captures += more.captures;
        self.en_passant += more.en_passant;
        self.castles += more.castles;
        self.promotions += more.promotions;
        self.checks += more.checks;
        self.discovered_checks += more.discovered_checks;
        self.double_checks += more.double_checks;
        self.mates += more.mates;
    }
}

impl Kinds {
    /// Counts by kind with their names, the nodes first.
    pub(crate) fn columns(&self) -> [(&'static str, u64); 9] {
        [
            ("nodes", self.nodes),
            ("captures", self.captures),
            ("en_passant", self.en_passant),
            ("castles", self.castles),
            ("promotions", self.promotions),
            ("checks", self.checks),
            ("discovered_checks", self.discovered_checks),
            ("double_checks", self.double_checks),
            ("mates", self.mates),
        ]
    }

    /// Adds a legal move of a position.
    fn count(&mut self, position: &Position, mv: Move) {
        self.nodes += 1;
        self.captures += u64::from(mv.captured.is_some());
        self.en_passant += u64::from(mv.kind == MoveKind::EnPassant);
        self.castles += u64::from(mv.kind == MoveKind::Castle);
        self.promotions += u64::from(mv.promotion().is_some());
        let after = position.after(mv);
        let checkers = after.checkers();
        if checkers.is_empty() {
            return;
        }
        self.checks += 1;
        if checkers.many() {
            self.double_checks += 1;
        } else if (checkers & moved_to(position, mv)).is_empty() {
            self.discovered_checks += 1;
        }
        self.mates += u64::from(!after.has_legal_move());
    }
}

/// Squares of the moved pieces after the move.
fn moved_to(position: &Position, mv: Move) -> Bitboard {
    match mv.castling_side() {
        Some(side) => {
            let us = position.turn();
            Bitboard::of(side.king_to(us)) | Bitboard::of(side.rook_to(us))
        }
        None => Bitboard::of(mv.to),
    }
}

/// Plies that the threads share: waiting threads pile up work on their stacks.
const SHARED_PLIES: u32 = 2;

impl Perft<'_> {
    /// Counts the moves at ply `depth` by kind, on all threads of the pool in which it runs; one
    /// node at depth 0. Every move is played, which takes some thirty times as long as a count.
    /// The table is not used.
    ///
    /// # Errors
    ///
    /// If it was stopped.
    ///
    /// # Panics
    ///
    /// If the depth exceeds `MOST_DEPTH`.
    pub fn kinds(&self, position: &Position, depth: u32) -> Result<Kinds, CountError> {
        assert!(depth <= MOST_DEPTH, "depth {depth} exceeds {MOST_DEPTH}");
        self.kinds_at(position, depth, SHARED_PLIES)
    }

    /// As [`Perft::kinds`]; threads share the first `plies`.
    fn kinds_at(&self, position: &Position, depth: u32, plies: u32) -> Result<Kinds, CountError> {
        let mut kinds = Kinds::default();
        if depth == 0 {
            kinds.nodes = 1;
            return Ok(kinds);
        }
        let moves = position.legal_moves();
        let after = |mv| self.kinds_at(&position.after(mv), depth - 1, plies.saturating_sub(1));
        match depth {
            1 => {
                moves.iter().for_each(|&mv| kinds.count(position, mv));
                self.note(kinds.nodes);
            }
            _ if self.is_stopped() => return Err(CountError::Stopped),
            _ if plies == 0 || depth < SHARED_DEPTH => {
                for mv in moves {
                    kinds += after(mv)?;
                }
            }
            _ => {
                let each = moves.par_iter().map(|&mv| after(mv));
                return each.try_reduce(Kinds::default, |mut sum, more| {
                    sum += more;
                    Ok(sum)
                });
            }
        }
        Ok(kinds)
    }
}
