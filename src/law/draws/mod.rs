//! The history of a game as the draw rules see it: how often a position has occurred, how long nothing irreversible has
//! been done, and which draws follow from that under a rule set.

use crate::chess::bitboard::Bitboard;
use crate::chess::board::Board;
use crate::chess::moves::{Move, MoveKind, MoveList};
use crate::chess::piece::{Color, Role};
use crate::chess::position::Position;
use crate::chess::square::Square;
use crate::chess::zobrist::KeyMap;
use crate::chess::{attacks, zobrist};
use crate::law::rulesets::{
    CastlingPart, EnPassantPart, End, Ends, RepetitionKey, RuleSet, Standing,
};

/// The ends that hold at one moment of a game, those that end it apart from those that somebody may claim.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Draws {
    /// Those that end the game, claim or no claim.
    pub automatic: Ends,
    /// Those that a player may claim.
    pub claimable: Ends,
    /// Those that the director may declare.
    pub by_director: Ends,
}

/// Everything that makes a position the same as another, under a key: what the key leaves out is left out here.
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
    /// Which occurrence it is, from 1.
    count: u32,
}

/// The positions of one game from its beginning to the newest one. Two positions are the same if the [`RepetitionKey`]
/// says so, and never by accident: hashes only say where to look.
///
/// Positions before the last capture or pawn move cannot occur again under any key, and are forgotten.
#[derive(Clone, Debug)]
pub struct History {
    key: RepetitionKey,
    /// Hashes of the positions of the run, side by side, because looking through them is most of the work.
    hashes: Vec<u64>,
    run: Vec<Entry>,
    /// Where the newest entry of each hash stands, once the run is long.
    newest: KeyMap<u32>,
    /// Where the positions stand that have occurred before, each once: at its second occurrence. They are few, however long
    /// the run is.
    seconds: Vec<u32>,
    /// The ply after which the run begins: its first position is that after so many plies of the game.
    first_ply: u32,
    halfmoves: u32,
}

/// Up to here hashes are looked through. Games that long without a capture or a pawn move are rare: 150 is the 75-move
/// rule.
const SHORT: usize = 256;

impl History {
    /// The history of a game that begins with a position, which counts as its first occurrence.
    ///
    /// `en_passant` is the square its FEN named, if it named one: a position knows only those where a capture is legal,
    /// and some keys ask for others.
    pub fn new(key: RepetitionKey, initial: &Position, en_passant: Option<Square>) -> History {
        let mut history = History {
            key,
            hashes: Vec::new(),
            run: Vec::new(),
            newest: KeyMap::default(),
            seconds: Vec::new(),
            first_ply: 0,
            halfmoves: 0,
        };
        history.restart(initial, en_passant);
        history
    }

    /// Forgets everything and begins with a position; the memory is kept.
    pub fn restart(&mut self, initial: &Position, en_passant: Option<Square>) {
        self.clear(0);
        self.add(initial, en_passant);
    }

    /// Adds the position that a move has led to.
    pub fn push(&mut self, mv: Move, after: &Position) {
        if mv.is_zeroing() {
            let ply = self.ply() + 1;
            self.clear(ply);
        }
        self.add(after, passed_square(mv));
    }

    /// Forgets everything and begins with the position to which the capture or pawn move of a ply has led: no position
    /// before it can occur again.
    pub fn resume(&mut self, ply: u32, mv: Move, after: &Position) {
        self.clear(ply);
        self.add(after, passed_square(mv));
    }

    /// How many plies have been played.
    pub fn ply(&self) -> u32 {
        self.first_ply + (self.run.len() as u32).saturating_sub(1)
    }

    /// How many times the newest position has occurred, itself included.
    #[inline]
    pub fn count(&self) -> u32 {
        self.run.last().map_or(0, |entry| entry.count)
    }

    /// The plies after which the newest position has stood on the board, the latest first. 0 is the initial position.
    pub fn occurrences(&self) -> impl Iterator<Item = u32> {
        let newest = (self.run.len() as u32).checked_sub(1);
        std::iter::successors(newest, |&at| self.run[at as usize].previous)
            .map(|at| self.first_ply + at)
    }

    /// Plies since the last capture or pawn move.
    #[inline]
    pub fn halfmoves(&self) -> u32 {
        self.halfmoves
    }

    /// Whether any position since the last capture or pawn move has occurred more than once.
    #[inline]
    pub fn has_repeated(&self) -> bool {
        !self.seconds.is_empty()
    }

    /// How many times the position a move of the newest position leads to would then have occurred.
    pub fn count_after(&self, position: &Position, mv: Move) -> u32 {
        if mv.is_zeroing() {
            return 1;
        }
        let after = position.after(mv);
        let same = self.same(&after, None);
        match self.find(hash(self.key, &after, &same), &same) {
            Some(at) => self.run[at as usize].count + 1,
            None => 1,
        }
    }

    /// The moves of the newest position that would bring about a position at least for the third time: those that can
    /// be announced with a claim (FIDE Laws 2023 art. 9.2.1).
    pub fn third_time_moves(&self, position: &Position) -> MoveList {
        if !self.is_one_move_from_a_second(position) {
            return MoveList::new();
        }
        let us = position.board().color(position.turn());
        let seconds = |changed: Bitboard| {
            self.repeated()
                .any(|same| us ^ same.board.color(position.turn()) == changed)
        };
        let mut moves = position.legal_moves();
        moves.retain(|mv| {
            let changed = Bitboard::of(mv.from) | Bitboard::of(mv.to);
            (mv.kind == MoveKind::Castle || seconds(changed))
                && self.count_after(position, *mv) >= 3
        });
        moves
    }

    /// Whether the pieces of a position that has occurred at least twice can be reached by one move, as far as a look at
    /// the squares can tell. In most games that repeat anything it cannot, and no move need be generated.
    fn is_one_move_from_a_second(&self, position: &Position) -> bool {
        if self.seconds.is_empty() {
            return false;
        }
        let (us, board) = (position.turn(), position.board());
        // A move changes two squares; castling, up to four.
        let most = if position.castling().any() { 4 } else { 2 };
        self.repeated().any(|same| {
            let then = &same.board;
            board.color(!us) == then.color(!us)
                && (board.color(us) ^ then.color(us)).count() <= most
        })
    }

    /// The positions that have occurred twice or more.
    fn repeated(&self) -> impl Iterator<Item = &Same> {
        self.seconds.iter().map(|&at| &self.run[at as usize].same)
    }

    /// The ends by repetition and by counting moves that hold now, whatever a rule set makes of them.
    #[inline]
    pub fn ends(&self) -> Ends {
        let mut ends = Ends::NONE;
        let count = self.count();
        if count >= 3 {
            ends.insert(End::Threefold);
            if count >= 5 {
                ends.insert(End::Fivefold);
            }
        }
        if self.halfmoves >= 100 {
            ends.insert(End::FiftyMoves);
            if self.halfmoves >= 150 {
                ends.insert(End::SeventyFiveMoves);
            }
        }
        ends
    }

    /// What a rule set makes of the ends by repetition and by counting moves that hold now. Mate comes before all of
    /// them, and is not looked at here.
    pub fn draws(&self, rules: &RuleSet) -> Draws {
        let mut ends = self.ends();
        if rules.fivefold_in_a_row && ends.has(End::Fivefold) && !self.is_five_in_a_row() {
            ends = ends.without(End::Fivefold);
        }
        Draws::of(ends, rules)
    }

    /// Whether the newest position has occurred five times, each four plies after the one before: on five alternate moves
    /// of a player in a row (FIDE Laws 2014 art. 9.6a).
    pub fn is_five_in_a_row(&self) -> bool {
        let ply = self.ply();
        self.occurrences()
            .take(5)
            .zip(0..)
            .filter(|&(at, nth)| ply - at == 4 * nth)
            .count()
            == 5
    }

    fn clear(&mut self, first_ply: u32) {
        self.hashes.clear();
        self.run.clear();
        self.newest.clear();
        self.seconds.clear();
        self.first_ply = first_ply;
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
        if !self.newest.is_empty() {
            self.newest.insert(hash, at);
        } else if self.run.len() > SHORT {
            self.newest.extend(self.hashes.iter().copied().zip(0..));
        }
    }

    /// The newest entry that is the same.
    #[inline]
    fn find(&self, hash: u64, same: &Same) -> Option<u32> {
        if self.newest.is_empty() {
            let mut end = self.hashes.len();
            while let Some(at) = self.hashes[..end].iter().rposition(|&other| other == hash) {
                if self.run[at].same == *same {
                    return Some(at as u32);
                }
                end = at;
            }
            return None;
        }
        // Where different positions share a hash, those before the newest are found by looking.
        let newest = *self.newest.get(&hash)?;
        (0..=newest)
            .rev()
            .find(|&at| self.hashes[at as usize] == hash && self.run[at as usize].same == *same)
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

impl Draws {
    /// Ends that hold, sorted by how a rule set has them stand.
    pub fn of(ends: Ends, rules: &RuleSet) -> Draws {
        if ends.is_empty() {
            return Draws::default();
        }
        Draws {
            automatic: ends.both(rules.ends(Standing::Automatic)),
            claimable: ends.both(rules.ends(Standing::OnClaim)),
            by_director: ends.both(rules.ends(Standing::ByDirector)),
        }
    }
}

/// The rooks with which the side to move can castle now.
fn castling_ability(position: &Position) -> Bitboard {
    // The king who stands in check cannot castle.
    if position.castling().is_empty() || position.is_check() {
        return Bitboard::EMPTY;
    }
    (position.castling() & Bitboard::rank(position.turn().back_rank()))
        .into_iter()
        .filter(|&rook| position.is_castling_legal(rook))
        .collect()
}

/// The square that a pawn passes by a double step.
fn passed_square(mv: Move) -> Option<Square> {
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
