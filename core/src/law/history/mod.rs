//! The history of a game as the draw rules see it: occurrences of positions, compared exactly under
//! a repetition key, and the halfmove clock.

use crate::chess::bitboard::Bitboard;
use crate::chess::board::Board;
use crate::chess::moves::{Move, MoveList};
use crate::chess::piece::{Color, Role};
use crate::chess::position::Position;
use crate::chess::square::Square;
use crate::chess::{attacks, zobrist};
use crate::law::repetition::{FEWEST_PLIES_BETWEEN, KeyIndex};
use crate::law::rulesets::{
    CastlingPart, Condition, EnPassantPart, End, Ends, RepetitionKey, RuleSet,
};

/// The parts of a position that a key compares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Same {
    board: Board,
    castling: Bitboard,
    en_passant: Option<Square>,
    turn: Color,
}

/// A position of the history.
#[derive(Clone, Copy, Debug)]
struct Entry {
    same: Same,
    /// The entry of its last occurrence before this one.
    previous: Option<u32>,
    /// Number of the occurrence, from 1.
    count: u32,
}

/// The positions of one game up to the newest one. Two positions are the same if the
/// [`RepetitionKey`] says so, never by a collision of hashes.
///
/// Positions before the last capture or pawn move cannot occur again and are forgotten.
#[derive(Clone, Debug)]
pub struct History {
    pub(crate) key: RepetitionKey,
    /// Hashes of the entries.
    hashes: KeyIndex,
    run: Vec<Entry>,
    /// Entries of the second occurrences: one for each repeated position. They are few.
    seconds: Vec<u32>,
    /// The ply of the first entry.
    first_ply: u32,
    /// Plies since the last capture or pawn move.
    pub(crate) halfmoves: u32,
    /// Plies before the first position that its clock leaves unseen; `u32::MAX` without a clock.
    unseen: u32,
}

/// Plies before the first position of a game, without a capture or a pawn move, of which the FEN
/// says at most how many they are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unseen {
    /// The number that the clock of the FEN gives.
    Plies(u32),
    /// Any number: the FEN has no clock.
    Unclocked,
    /// None, but the end holds by one of two readings of the moves only.
    OtherReading,
}

impl Unseen {
    /// The unseen plies before a position.
    pub(crate) fn before(start: &Position) -> Option<Unseen> {
        match (start.knows_halfmoves(), start.halfmoves()) {
            (false, _) => Some(Unseen::Unclocked),
            (true, 0) => None,
            (true, plies) => Some(Unseen::Plies(plies)),
        }
    }

    /// The largest number that they may be.
    pub(crate) fn most(self) -> u32 {
        match self {
            Unseen::Plies(plies) => plies,
            Unseen::Unclocked => u32::MAX,
            Unseen::OtherReading => 0,
        }
    }

    /// Why it is not known whether an end holds.
    pub fn why(self, end: End) -> String {
        match (self, end.condition()) {
            (Unseen::OtherReading, _) => {
                "the moves can be read in two ways, and by one of them only it could".to_owned()
            }
            (Unseen::Plies(plies), _) => format!(
                "the {plies} plies before the first position are known only from its halfmove \
                clock"
            ),
            (Unseen::Unclocked, Condition::Halfmoves(_)) => {
                "the FEN does not say how many moves were made since the last capture or pawn move"
                    .to_owned()
            }
            (Unseen::Unclocked, _) => {
                "the FEN does not say what was played before its position".to_owned()
            }
        }
    }
}

/// No end needs more occurrences.
const MOST_COUNTED: u32 = 5;

impl History {
    /// The history of a game that begins with a position, which counts as its first occurrence.
    ///
    /// A position knows an en passant square only if a capture is legal there; `en_passant` is the
    /// one that its FEN names, which some keys compare.
    pub(crate) fn new(
        key: RepetitionKey,
        initial: &Position,
        en_passant: Option<Square>,
    ) -> History {
        let mut history = History {
            key,
            hashes: KeyIndex::default(),
            run: Vec::new(),
            seconds: Vec::new(),
            first_ply: 0,
            halfmoves: 0,
            unseen: 0,
        };
        history.restart(initial, en_passant);
        history
    }

    /// Forgets everything and begins with a position; the memory is kept.
    pub(crate) fn restart(&mut self, initial: &Position, en_passant: Option<Square>) {
        self.clear(0);
        self.unseen = Unseen::before(initial).map_or(0, Unseen::most);
        self.add(initial, en_passant);
    }

    /// Adds the position that a move has led to.
    pub(crate) fn push(&mut self, mv: Move, after: &Position) {
        if mv.is_zeroing() {
            let ply = self.ply() + 1;
            self.clear(ply);
        }
        self.add(after, passed_square(mv));
    }

    /// Forgets everything and begins with the position after the capture or pawn move of a ply.
    pub(crate) fn resume(&mut self, ply: u32, mv: Move, after: &Position) {
        self.clear(ply);
        self.add(after, passed_square(mv));
    }

    /// Number of plies played.
    pub(crate) fn ply(&self) -> u32 {
        self.first_ply + (self.run.len() as u32).saturating_sub(1)
    }

    /// The most occurrences of a position, of which `newest` is the last known one before a `ply`.
    fn most(&self, newest: Option<u32>, ply: u32, same: &Same) -> u32 {
        let count = newest.map_or(1, |at| self.run[at as usize].count + 1);
        // Rights are never won back.
        let had_rights = |entry: &Entry| entry.same.castling == same.castling;
        let may_return =
            self.key.castling != CastlingPart::Rights || self.run.first().is_none_or(had_rights);
        if self.unseen == 0 || count >= MOST_COUNTED || !may_return {
            return count;
        }
        let first = self.chain(newest).last().unwrap_or(ply);
        let nearest = match first {
            0..FEWEST_PLIES_BETWEEN => FEWEST_PLIES_BETWEEN - first,
            // The same side is to move, unless that does not matter.
            _ if self.key.turn && first.is_multiple_of(2) => 2,
            _ => 1,
        };
        let unseen = self.unseen.checked_sub(nearest);
        unseen.map_or(count, |plies| count + 1 + plies / FEWEST_PLIES_BETWEEN)
    }

    /// The ends that do not hold by the moves known, and may by the unseen plies before them, under
    /// any rule set: on the board, and after some move.
    pub(crate) fn possible_ends(&self, position: &Position) -> [Ends; 2] {
        let Some(newest) = self.run.last().filter(|_| self.unseen > 0) else {
            return [Ends::NONE; 2];
        };
        let most = self.most(newest.previous, self.ply(), &newest.same);
        let possible = Ends::counted(most, self.halfmoves.max(self.unclocked()));
        [possible.minus(self.ends()), self.possible_after(position)]
    }

    /// The most plies that may have been made without a capture or a pawn move, if the clock is
    /// not known.
    fn unclocked(&self) -> u32 {
        if self.unseen == u32::MAX { u32::MAX } else { 0 }
    }

    /// The most occurrences that the position after a move may have, that one included.
    pub(crate) fn most_after(&self, position: &Position, mv: Move) -> u32 {
        if mv.is_zeroing() {
            return 1;
        }
        let after = position.after(mv);
        let same = self.same(&after, passed_square(mv));
        self.most(self.found_after(mv, &after), self.ply() + 1, &same)
    }

    fn possible_after(&self, position: &Position) -> Ends {
        let mut moves = position.legal_moves();
        moves.retain(|mv| !mv.is_zeroing());
        let halfmoves = self.halfmoves.saturating_add(1);
        moves.iter().fold(Ends::NONE, |ends, &mv| {
            let known = Ends::counted(self.count_after(position, mv), halfmoves);
            let most = Ends::counted(self.most_after(position, mv), self.unclocked());
            ends.either(most.minus(known))
        })
    }

    /// Occurrences of the newest position, itself included.
    #[inline]
    pub(crate) fn count(&self) -> u32 {
        self.run.last().map_or(0, |entry| entry.count)
    }

    /// The plies after which the newest position has stood on the board, the latest first. 0 is the
    /// initial position.
    pub(crate) fn occurrences(&self) -> impl Iterator<Item = u32> {
        self.chain((self.run.len() as u32).checked_sub(1))
    }

    fn chain(&self, newest: Option<u32>) -> impl Iterator<Item = u32> {
        std::iter::successors(newest, |&at| self.run[at as usize].previous)
            .map(|at| self.first_ply + at)
    }

    /// Occurrences of the position that a move of the newest position leads to, that one included.
    pub(crate) fn count_after(&self, position: &Position, mv: Move) -> u32 {
        self.found_after(mv, &position.after(mv))
            .map_or(1, |at| self.run[at as usize].count + 1)
    }

    /// The plies after which the position that a move leads to would have stood on the board, the
    /// earliest first.
    pub fn occurrences_after(&self, position: &Position, mv: Move) -> Vec<u32> {
        let newest = self.found_after(mv, &position.after(mv));
        let mut plies: Vec<u32> = self.chain(newest).collect();
        plies.reverse();
        plies.push(self.ply() + 1);
        plies
    }

    /// The newest entry that is the same as the position after a move.
    fn found_after(&self, mv: Move, after: &Position) -> Option<u32> {
        if mv.is_zeroing() {
            return None;
        }
        let same = self.same(after, passed_square(mv));
        self.find(hash(self.key, after, &same), &same)
    }

    /// The moves that would bring about a position at least for the third time, which can be
    /// announced with a claim (FIDE Laws 2023 art. 9.2.1).
    pub(crate) fn third_time_moves(&self, position: &Position) -> MoveList {
        let (us, board) = (position.turn(), position.board());
        // Castling repeats nothing: king and rook never moved before.
        let changes = || {
            let repeated = self.seconds.iter().map(|&at| &self.run[at as usize].same);
            repeated
                .filter(|same| !self.key.turn || same.turn != us)
                .filter_map(|same| quiet_change(board, &same.board, us))
        };
        // In most games there is none, and no move need be generated.
        if changes().next().is_none() {
            return MoveList::new();
        }
        let mut moves = position.legal_moves();
        moves.retain(|mv| {
            let change = Bitboard::of(mv.from) | Bitboard::of(mv.to);
            changes().any(|other| other == change) && self.count_after(position, *mv) >= 3
        });
        moves
    }

    /// The ends by repetition and by counting moves that hold now, under any rule set.
    #[inline]
    pub(crate) fn ends(&self) -> Ends {
        Ends::counted(self.count(), self.halfmoves)
    }

    /// The ends by repetition and by counting moves that hold now under a rule set.
    pub(crate) fn ends_under(&self, rules: &RuleSet) -> Ends {
        rules.counting(self.ends(), || self.is_five_in_a_row())
    }

    /// Whether the newest position has occurred five times, four plies apart: on five alternate
    /// moves in a row (FIDE Laws 2014 art. 9.6a).
    pub(crate) fn is_five_in_a_row(&self) -> bool {
        let ply = self.ply();
        let last = self.occurrences().zip(0..5);
        last.filter(|&(at, nth)| ply - at == 4 * nth).count() == 5
    }

    fn clear(&mut self, first_ply: u32) {
        self.hashes.clear();
        self.run.clear();
        self.seconds.clear();
        self.first_ply = first_ply;
        self.unseen = 0;
    }

    fn add(&mut self, position: &Position, en_passant: Option<Square>) {
        self.halfmoves = position.halfmoves();
        let same = self.same(position, en_passant);
        let hash = hash(self.key, position, &same);
        let previous = self.find(hash, &same);
        let count = previous.map_or(1, |at| self.run[at as usize].count + 1);
        let at = self.run.len() as u32;
        if count == 2 {
            self.seconds.push(at);
        }
        self.hashes.push(hash);
        self.run.push(Entry {
            same,
            previous,
            count,
        });
    }

    /// The newest entry that is the same.
    #[inline]
    fn find(&self, hash: u64, same: &Same) -> Option<u32> {
        let found = self.hashes.find(hash, |at| self.run[at].same == *same);
        found.map(|at| at as u32)
    }

    #[inline]
    fn same(&self, position: &Position, passed: Option<Square>) -> Same {
        Same {
            board: *position.board(),
            castling: match self.key.castling {
                CastlingPart::Ignored => Bitboard::EMPTY,
                CastlingPart::Rights => position.castling(),
                CastlingPart::Ability => castling_ability(position),
            },
            en_passant: match self.key.en_passant {
                EnPassantPart::Ignored => None,
                EnPassantPart::Legal => position.en_passant(),
                EnPassantPart::Raw => passed,
                EnPassantPart::PseudoLegal => passed.filter(|&square| {
                    let turn = position.turn();
                    (attacks::pawn(!turn, square) & position.board().of(turn, Role::Pawn)).any()
                }),
            },
            turn: if self.key.turn {
                position.turn()
            } else {
                Color::White
            },
        }
    }
}

/// The rooks with which the side to move can castle now.
pub fn castling_ability(position: &Position) -> Bitboard {
    // The king who stands in check cannot castle.
    if position.castling().is_empty() || position.is_check() {
        return Bitboard::EMPTY;
    }
    let rooks = position.castling() & Bitboard::rank(position.turn().back_rank());
    let is_legal = |&rook: &Square| position.is_castling_legal(rook);
    rooks.into_iter().filter(is_legal).collect()
}

/// The two squares of a side's men in which two boards differ, if nothing else does.
pub(crate) fn quiet_change(one: &Board, other: &Board, side: Color) -> Option<Bitboard> {
    let change = one.color(side) ^ other.color(side);
    (one.color(!side) == other.color(!side) && change.count() == 2).then_some(change)
}

/// The square that a pawn passes by a double step.
pub fn passed_square(mv: Move) -> Option<Square> {
    let (from, to) = (mv.from.index(), mv.to.index());
    (mv.role == Role::Pawn && from.abs_diff(to) == 16).then(|| Square::new((from + to) / 2))
}

/// The position's own key, with what the repetition key sees otherwise replaced.
#[inline]
fn hash(key: RepetitionKey, position: &Position, same: &Same) -> u64 {
    let mut hash = position.key();
    if key == RepetitionKey::FIDE {
        return hash;
    }
    if !key.turn && position.turn() == Color::Black {
        hash ^= zobrist::black_to_move();
    }
    if same.castling != position.castling() {
        hash ^= zobrist::castling(same.castling) ^ zobrist::castling(position.castling());
    }
    for square in [same.en_passant, position.en_passant()]
        .into_iter()
        .flatten()
    {
        hash ^= zobrist::en_passant(square.file());
    }
    hash
}

#[cfg(test)]
mod tests;
