//! Incremental FEN writer: the text is updated from move to move.
//!
//! A move changes one rank or two. Writing all eight anew, square by square, takes several times as
//! long as finding and playing the move.

use fearless_simd::prelude::*;
use fearless_simd::{Level, dispatch, u8x16, u64x2};

use crate::chess::bitboard::Bitboard;
use crate::chess::board::Board;
use crate::chess::fen::rights;
use crate::chess::moves::{Move, MoveKind};
use crate::chess::piece::{Color, Role};
use crate::chess::position::Position;
use crate::chess::square::{Rank, Square};

/// FEN of a position on which moves are played.
///
/// # Examples
///
/// ```
/// # use chess_arbiter_core::chess::Position;
/// # use chess_arbiter_core::chess::fen::IncrementalFen;
/// let mut position = Position::initial();
/// let mut fen = IncrementalFen::new(&position);
/// let mv = position.legal_moves()[0];
/// position.play_unchecked(mv);
/// fen.play(mv, &position);
/// let mut text = [0; IncrementalFen::LONGEST];
/// let length = fen.write(&position, &mut text);
/// assert_eq!(text[..length], *position.to_string().as_bytes());
/// ```
#[derive(Clone, Debug)]
pub struct IncrementalFen {
    /// For each rank the letters of the pieces by file, the a-file in the lowest byte; arbitrary on
    /// empty squares.
    letters: [u64; 8],
    /// Text of each rank; bytes after its length are arbitrary.
    ranks: [u64; 8],
    /// Length of each rank in bytes with its separator, the first rank in the lowest byte.
    lengths: u64,
    rights: Bitboard,
    rights_text: [u8; 4],
    rights_length: usize,
}

impl IncrementalFen {
    /// Bound of the length of a FEN in bytes: eight ranks, and the longest other fields.
    pub const LONGEST: usize = 128;

    /// The FEN of a position.
    pub fn new(position: &Position) -> IncrementalFen {
        let mut fen = IncrementalFen {
            letters: [0; 8],
            ranks: [0; 8],
            lengths: 0,
            rights: Bitboard::EMPTY,
            rights_text: *b"-   ",
            rights_length: 1,
        };
        for (color, letters) in Color::ALL.into_iter().zip(LETTERS) {
            for (role, letter) in Role::ALL.into_iter().zip(letters) {
                for square in position.board().of(color, role) {
                    fen.put(square, letter);
                }
            }
        }
        fen.write_ranks(std::array::from_fn::<_, 8, _>(Rank::new), position.board());
        fen.write_rights(position);
        fen
    }

    /// Updates the text for a move; `after` is the position after it.
    #[inline]
    pub fn play(&mut self, mv: Move, after: &Position) {
        let us = !after.turn();
        let letter = |role: Role| LETTERS[us.index()][role.index()];
        let (from, to) = (mv.from, mv.to);
        match mv.castling_side() {
            Some(side) => {
                self.put(side.king_to(us), letter(Role::King));
                self.put(side.rook_to(us), letter(Role::Rook));
            }
            None => self.put(to, letter(mv.promotion().unwrap_or(mv.role))),
        }
        // Writing the same rank twice is cheaper than a mispredicted branch.
        self.write_ranks([from.rank(), to.rank()], after.board());
        // `K` is the right of the outermost rook, and another rook may become the outermost.
        let by_rook = mv.role == Role::Rook
            || mv.captured == Some(Role::Rook)
            || matches!(mv.kind, MoveKind::Promotion(_));
        if after.castling() != self.rights || by_rook && self.rights.any() {
            self.write_rights(after);
        }
    }

    /// Writes the FEN and returns its length; `position` is the position after the moves.
    ///
    /// # Panics
    ///
    /// If `to` is shorter than [`IncrementalFen::LONGEST`].
    #[inline]
    pub fn write(&self, position: &Position, to: &mut [u8]) -> usize {
        let mut at = self.write_fields(position, to);
        to[at] = b' ';
        at += 1 + decimal(position.halfmoves(), &mut to[at + 1..]);
        to[at] = b' ';
        at + 1 + decimal(position.fullmoves(), &mut to[at + 1..])
    }

    /// Writes the first four fields, which an EPD has as well, and returns their length.
    ///
    /// # Panics
    ///
    /// If `to` is shorter than [`IncrementalFen::LONGEST`].
    #[inline]
    pub fn write_fields(&self, position: &Position, to: &mut [u8]) -> usize {
        let at = self.write_board(to);
        at + self.write_turn_and_rights(position, &mut to[at..])
    }

    /// Writes the ranks and a blank, and returns their length.
    #[inline]
    fn write_board(&self, to: &mut [u8]) -> usize {
        let to = &mut to[..IncrementalFen::LONGEST];
        // Prefix sums of the lengths, the eighth rank in the lowest byte.
        let lengths = self.lengths.swap_bytes();
        let ends = lengths.wrapping_mul(0x0101_0101_0101_0101).to_le_bytes();
        let mut at = 0;
        for (rank, end) in self.ranks[1..].iter().rev().zip(ends) {
            to[at..at + 8].copy_from_slice(&rank.to_le_bytes());
            // Seven ranks end before byte 64: the remainder only spares the bounds checks.
            let slash = usize::from(end - 1) % 64;
            to[slash] = b'/';
            at = slash + 1;
        }
        to[at..at + 8].copy_from_slice(&self.ranks[0].to_le_bytes());
        at = usize::from(ends[7]);
        to[at - 1] = b' ';
        at
    }

    /// Writes the second to the fourth field, and returns their length.
    #[inline]
    fn write_turn_and_rights(&self, position: &Position, to: &mut [u8]) -> usize {
        let turn = match position.turn() {
            Color::White => b"w ",
            Color::Black => b"b ",
        };
        to[..2].copy_from_slice(turn);
        to[2..6].copy_from_slice(&self.rights_text);
        let at = 2 + self.rights_length;
        match position.en_passant() {
            None => {
                to[at..at + 2].copy_from_slice(b" -");
                at + 2
            }
            Some(square) => {
                to[at] = b' ';
                to[at + 1..at + 3].copy_from_slice(&square.ascii());
                at + 3
            }
        }
    }

    /// Puts a letter on a square; the rank must be written afterwards.
    #[inline]
    fn put(&mut self, square: Square, letter: u8) {
        let file = 8 * square.file().index();
        let rank = &mut self.letters[square.rank().index()];
        *rank = *rank & !(0xff << file) | u64::from(letter) << file;
    }

    #[inline]
    fn write_ranks<const N: usize>(&mut self, ranks: [Rank; N], board: &Board) {
        // Chosen at run time: without `pshufb`, `replay --format csv` takes 7 % longer.
        dispatch!(Level::new(), simd => for rank in ranks {
            self.write_rank(simd, rank, board);
        });
    }

    #[inline(always)]
    fn write_rank(&mut self, simd: impl Simd, rank: Rank, board: &Board) {
        let rank = rank.index();
        let occupied = (board.occupied().0 >> (8 * rank)) as u8;
        let shuffle = &RANK_SHUFFLES[usize::from(occupied)];
        let characters = vector(simd, self.letters[rank], DIGITS);
        let text: u64x2<_> = characters
            .swizzle_dyn(vector(simd, shuffle.sources, 0))
            .bitcast();
        self.ranks[rank] = u64::from_le(text[0]);
        let byte = 8 * rank;
        self.lengths = self.lengths & !(0xff << byte) | u64::from(shuffle.length + 1) << byte;
    }

    fn write_rights(&mut self, position: &Position) {
        self.rights = position.castling();
        let text = rights(position.board(), self.rights, false);
        // A position has at most one right for each colour and side.
        self.rights_length = text.len().min(4);
        self.rights_text[..self.rights_length]
            .copy_from_slice(&text.as_bytes()[..self.rights_length]);
    }
}

/// Two words as bytes, the lowest first.
#[inline(always)]
fn vector<S: Simd>(simd: S, low: u64, high: u64) -> u8x16<S> {
    u64x2::load_array(simd, [low.to_le(), high.to_le()]).bitcast()
}

const DIGITS: u64 = u64::from_le_bytes(*b"12345678");

/// Letters of the pieces by colour and role.
const LETTERS: [[u8; 6]; 2] = [*b"PNBRQK", *b"pnbrqk"];

/// Shuffle that writes a rank with certain occupied squares.
#[derive(Clone, Copy)]
struct RankShuffle {
    /// Source of each character, the first in the lowest byte: the letter of a file (0 to 7), or a
    /// number of empty squares (8 for one to 15 for eight).
    sources: u64,
    length: u8,
}

/// Shuffles by the occupied squares of the rank.
static RANK_SHUFFLES: [RankShuffle; 256] = {
    let mut shuffles = [RankShuffle {
        sources: 0,
        length: 0,
    }; 256];
    let mut occupied = 0;
    while occupied < 256 {
        let (mut sources, mut length) = (0, 0);
        let mut empty = 0;
        let mut file = 0;
        while file <= 8 {
            let stands = file < 8 && occupied >> file & 1 == 1;
            if (stands || file == 8) && empty > 0 {
                sources |= (7 + empty) << (8 * length);
                length += 1;
                empty = 0;
            }
            if stands {
                sources |= file << (8 * length);
                length += 1;
            } else {
                empty += 1;
            }
            file += 1;
        }
        shuffles[occupied as usize] = RankShuffle { sources, length };
        occupied += 1;
    }
    shuffles
};

/// Writes a number in decimal digits and returns their count. Bytes after it may change too.
///
/// # Panics
///
/// If `to` is too short; ten bytes are always enough.
#[inline]
pub fn decimal(number: u32, to: &mut [u8]) -> usize {
    let Some(digits) = SHORT_NUMBERS.get(number as usize) else {
        return long_decimal(number, to);
    };
    to[..4].copy_from_slice(digits);
    usize::from(digits[3])
}

#[cold]
fn long_decimal(mut number: u32, to: &mut [u8]) -> usize {
    let length = number.checked_ilog10().unwrap_or(0) as usize + 1;
    for digit in to[..length].iter_mut().rev() {
        *digit = b'0' + (number % 10) as u8;
        number /= 10;
    }
    length
}

/// Digits of numbers below 1000 and their count, so that there is no branch to mispredict. Few
/// games need more.
static SHORT_NUMBERS: [[u8; 4]; 1000] = {
    let mut digits = [[0; 4]; 1000];
    let mut number = 0;
    while number < 1000 {
        let (hundreds, tens, ones) = (number / 100, number / 10 % 10, number % 10);
        let all = [hundreds as u8, tens as u8, ones as u8];
        let length = if number >= 100 {
            3
        } else if number >= 10 {
            2
        } else {
            1
        };
        let mut at = 0;
        while at < length {
            digits[number][at] = b'0' + all[3 - length + at];
            at += 1;
        }
        digits[number][3] = length as u8;
        number += 1;
    }
    digits
};

#[cfg(test)]
mod tests {
    use super::*;

    /// Plays moves drawn at random and compares the text with that of the position alone.
    fn wander(fen: &str, games: u64) {
        let start: Position = fen.parse().unwrap();
        for game in 0..games {
            let mut seed = 0x9e37_79b9_7f4a_7c15 ^ game;
            let mut position = start.clone();
            let mut running = IncrementalFen::new(&position);
            for ply in 0..200 {
                let mut bytes = [0; IncrementalFen::LONGEST];
                let length = running.write(&position, &mut bytes);
                let text = str::from_utf8(&bytes[..length]).unwrap();
                assert_eq!(text, position.to_string(), "{fen}, game {game}, ply {ply}");
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                seed = seed.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
                let mv = moves[(seed >> 33) as usize % moves.len()];
                position.play_unchecked(mv);
                running.play(mv, &position);
            }
        }
    }

    #[test]
    fn the_text_follows_any_move() {
        wander(crate::chess::fen::INITIAL, 50);
        wander(
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            50,
        );
        wander("8/PPPk4/8/8/8/8/4Kppp/8 w - - 98 99", 20);
        wander("8/8/1k6/2b5/2pP4/8/5K2/8 b - d3 0 1", 20);
    }

    #[test]
    fn the_text_follows_castling_of_chess960() {
        wander("rk2r3/pppppppp/8/8/8/8/PPPPPPPP/1RK1R1R1 w EBea - 0 1", 50);
        wander("bqnbrkrn/8/8/8/8/8/8/BQNBRKRN w GEge - 4294967295 1", 30);
        wander("1r1k2r1/8/8/8/8/8/8/1R1K2R1 w KQkq - 0 4294967290", 30);
    }

    #[test]
    fn numbers_of_every_length() {
        for number in (0..=1_001).chain([12_345, u32::MAX]) {
            let mut text = [0; 10];
            let length = decimal(number, &mut text);
            assert_eq!(text[..length], *number.to_string().as_bytes());
        }
    }
}
