//! Zobrist hashing: random numbers for the key of a position.
//!
//! A key is the exclusive or of one number for each fact of FIDE Laws (2023) art. 9.2.3: a piece on
//! its square, the side to move, a rook that may still castle, and the file of a pawn that can be
//! captured en passant. Two different positions share a key with a chance of 2⁻⁶⁴.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use crate::chess::bitboard::Bitboard;
use crate::chess::piece::{Color, Role};
use crate::chess::square::{File, Square};

struct Numbers {
    pieces: [[[u64; 64]; 6]; 2],
    castling: [u64; 64],
    en_passant: [u64; 8],
    black_to_move: u64,
}

static NUMBERS: Numbers = numbers();

const GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;

/// Output of Sebastiano Vigna's SplitMix64 for a state.
pub const fn mix(state: u64) -> u64 {
    let mut z = state.wrapping_add(GAMMA);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// SplitMix64, seeded with the ASCII codes of "arbiter".
const fn numbers() -> Numbers {
    const fn next(state: &mut u64) -> u64 {
        let number = mix(*state);
        *state = state.wrapping_add(GAMMA);
        number
    }
    let mut state = 0x61_72_62_69_74_65_72;
    let mut numbers = Numbers {
        pieces: [[[0; 64]; 6]; 2],
        castling: [0; 64],
        en_passant: [0; 8],
        black_to_move: next(&mut state),
    };
    let mut square = 0;
    while square < 64 {
        let mut role = 0;
        while role < 6 {
            numbers.pieces[0][role][square] = next(&mut state);
            numbers.pieces[1][role][square] = next(&mut state);
            role += 1;
        }
        numbers.castling[square] = next(&mut state);
        square += 1;
    }
    let mut file = 0;
    while file < 8 {
        numbers.en_passant[file] = next(&mut state);
        file += 1;
    }
    numbers
}

#[inline]
pub(crate) fn piece(color: Color, role: Role, square: Square) -> u64 {
    NUMBERS.pieces[color.index()][role.index()][square.index()]
}

#[inline]
pub(crate) fn castling(rooks: Bitboard) -> u64 {
    rooks
        .into_iter()
        .fold(0, |key, rook| key ^ NUMBERS.castling[rook.index()])
}

#[inline]
pub(crate) fn en_passant(file: File) -> u64 {
    NUMBERS.en_passant[file.index()]
}

#[inline]
pub(crate) fn black_to_move() -> u64 {
    NUMBERS.black_to_move
}

/// Map by Zobrist keys, or by other uniformly distributed numbers.
pub type KeyMap<V> = HashMap<u64, V, BuildHasherDefault<KeyHasher>>;

/// Identity hasher, for keys that are random numbers already.
#[derive(Clone, Copy, Debug, Default)]
pub struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}
