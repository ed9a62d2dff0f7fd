//! Attacks of pieces, from tables computed at compile time.
//!
//! Attacks are those of FIDE Laws (2023) art. 3.1: a pinned piece attacks like any other, and any
//! square can be attacked, empty or not.
//!
//! # Examples
//!
//! ```
//! # use chess_arbiter_core::chess::{Bitboard, Square, attacks};
//! let a1: Square = "a1".parse()?;
//! let blocker = Bitboard::of("a3".parse()?);
//! assert_eq!(attacks::rook(a1, Bitboard::EMPTY).count(), 14);
//! assert_eq!(attacks::rook(a1, blocker).count(), 9);
//! # Ok::<(), chess_arbiter_core::chess::square::SquareNameError>(())
//! ```

pub mod setwise;
mod sliders;

use crate::chess::bitboard::Bitboard;
use crate::chess::piece::{Color, Role};
use crate::chess::square::{File, Rank, Square};

pub use sliders::{bishop, rook};

/// Attacks of a queen, blocked by `occupied`.
#[inline]
pub fn queen(square: Square, occupied: Bitboard) -> Bitboard {
    rook(square, occupied) | bishop(square, occupied)
}

/// Attacks of a knight.
#[inline]
pub fn knight(square: Square) -> Bitboard {
    rays(Role::Knight, square)
}

/// Attacks of a king.
#[inline]
pub fn king(square: Square) -> Bitboard {
    rays(Role::King, square)
}

/// Attacks of a pawn.
#[inline]
pub fn pawn(color: Color, square: Square) -> Bitboard {
    PAWN[color.index()][square.index()]
}

/// Attacks of a piece, blocked by `occupied`; the colour matters for pawns only.
#[inline]
pub fn piece(role: Role, color: Color, square: Square, occupied: Bitboard) -> Bitboard {
    match role {
        Role::Pawn => pawn(color, square),
        Role::Knight => knight(square),
        Role::Bishop => bishop(square, occupied),
        Role::Rook => rook(square, occupied),
        Role::Queen => queen(square, occupied),
        Role::King => king(square),
    }
}

/// Attacks of a piece on an empty board; none for a pawn.
#[inline]
pub fn rays(role: Role, square: Square) -> Bitboard {
    RAYS[role.index()][square.index()]
}

/// Squares from a square, not included, to the edge: to the east, then in the other directions
/// counterclockwise.
#[inline]
pub fn directed_rays(square: Square) -> &'static [Bitboard; 8] {
    &DIRECTED[square.index()]
}

/// Squares strictly between two squares of one rank, file or diagonal; empty for other pairs.
#[inline]
pub fn between(a: Square, b: Square) -> Bitboard {
    PAIRS.between[a.index()][b.index()]
}

/// The rank, file or diagonal through two squares, edge to edge; empty for other pairs.
#[inline]
pub fn line(a: Square, b: Square) -> Bitboard {
    PAIRS.line[a.index()][b.index()]
}

/// The square `files` to the east and `ranks` to the north, if it is on the board.
const fn step(square: Square, files: i8, ranks: i8) -> Option<Square> {
    let file = square.file().index() as i8 + files;
    let rank = square.rank().index() as i8 + ranks;
    if 0 <= file && file < 8 && 0 <= rank && rank < 8 {
        Some(Square::at(
            File::new(file as usize),
            Rank::new(rank as usize),
        ))
    } else {
        None
    }
}

const fn leaper(steps: &[(i8, i8)]) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut from = 0;
    while from < 64 {
        let mut i = 0;
        while i < steps.len() {
            if let Some(to) = step(Square::new(from), steps[i].0, steps[i].1) {
                table[from].0 |= Bitboard::of(to).0;
            }
            i += 1;
        }
        from += 1;
    }
    table
}

const KNIGHT_ATTACKS: [Bitboard; 64] = leaper(&[
    (1, 2),
    (2, 1),
    (2, -1),
    (1, -2),
    (-1, -2),
    (-2, -1),
    (-2, 1),
    (-1, 2),
]);

const KING_ATTACKS: [Bitboard; 64] = leaper(&DIRECTIONS);

static PAWN: [[Bitboard; 64]; 2] = [leaper(&[(-1, 1), (1, 1)]), leaper(&[(-1, -1), (1, -1)])];

const DIRECTIONS: [(i8, i8); 8] = [
    (1, 0),
    (1, 1),
    (0, 1),
    (-1, 1),
    (-1, 0),
    (-1, -1),
    (0, -1),
    (1, -1),
];

/// Squares from `from`, not included, to the edge in one direction.
const fn ray(from: Square, files: i8, ranks: i8) -> Bitboard {
    let mut squares = 0;
    let mut at = from;
    while let Some(next) = step(at, files, ranks) {
        squares |= Bitboard::of(next).0;
        at = next;
    }
    Bitboard(squares)
}

static DIRECTED: [[Bitboard; 8]; 64] = {
    let mut table = [[Bitboard::EMPTY; 8]; 64];
    let mut from = 0;
    while from < 64 {
        let mut d = 0;
        while d < 8 {
            let (files, ranks) = DIRECTIONS[d];
            table[from][d] = ray(Square::new(from), files, ranks);
            d += 1;
        }
        from += 1;
    }
    table
};

/// Attacks on an empty board; `first` is 0 for rook lines and 1 for diagonals.
const fn line_attacks(first: usize) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut from = 0;
    while from < 64 {
        let mut d = first;
        while d < 8 {
            table[from].0 |= DIRECTED[from][d].0;
            d += 2;
        }
        from += 1;
    }
    table
}

static RAYS: [[Bitboard; 64]; 6] = {
    let mut table = [[Bitboard::EMPTY; 64]; 6];
    table[Role::Knight.index()] = KNIGHT_ATTACKS;
    table[Role::Bishop.index()] = line_attacks(1);
    table[Role::Rook.index()] = line_attacks(0);
    table[Role::King.index()] = KING_ATTACKS;
    let mut square = 0;
    while square < 64 {
        table[Role::Queen.index()][square] =
            Bitboard(table[Role::Bishop.index()][square].0 | table[Role::Rook.index()][square].0);
        square += 1;
    }
    table
};

/// Tables by two squares of one line.
struct Pairs {
    between: [[Bitboard; 64]; 64],
    line: [[Bitboard; 64]; 64],
}

static PAIRS: Pairs = {
    let mut pairs = Pairs {
        between: [[Bitboard::EMPTY; 64]; 64],
        line: [[Bitboard::EMPTY; 64]; 64],
    };
    let mut from = 0;
    while from < 64 {
        let mut d = 0;
        while d < 8 {
            let (files, ranks) = DIRECTIONS[d];
            let rays = DIRECTED[from][d].0 | DIRECTED[from][(d + 4) % 8].0;
            let mut at = Square::new(from);
            let whole = Bitboard(rays | Bitboard::of(at).0);
            let mut passed = 0;
            while let Some(next) = step(at, files, ranks) {
                pairs.between[from][next.index()] = Bitboard(passed);
                pairs.line[from][next.index()] = whole;
                passed |= Bitboard::of(next).0;
                at = next;
            }
            d += 1;
        }
        from += 1;
    }
    pairs
};

#[cfg(test)]
mod tests {
    use super::*;

    /// Walks square by square, the slow way that needs no table.
    fn walk(from: Square, occupied: Bitboard, directions: &[(i8, i8)]) -> Bitboard {
        let mut seen = Bitboard::EMPTY;
        for &(files, ranks) in directions {
            let mut at = from;
            while let Some(next) = step(at, files, ranks) {
                seen |= Bitboard::of(next);
                if occupied.has(next) {
                    break;
                }
                at = next;
            }
        }
        seen
    }

    #[test]
    fn sliders_agree_with_walking_on_random_boards() {
        let orthogonal = [(1, 0), (0, 1), (-1, 0), (0, -1)];
        let diagonal = [(1, 1), (-1, 1), (-1, -1), (1, -1)];
        let mut seed = 0x0dd_ba11_u64;
        for _ in 0..2_000 {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            let occupied = Bitboard(seed & seed.rotate_left(23));
            for square in Square::all() {
                assert_eq!(rook(square, occupied), walk(square, occupied, &orthogonal));
                assert_eq!(bishop(square, occupied), walk(square, occupied, &diagonal));
            }
        }
    }

    #[test]
    fn between_and_line_of_corners_and_strangers() {
        let square = |name: &str| name.parse::<Square>().unwrap();
        assert_eq!(between(square("a1"), square("h8")).count(), 6);
        assert_eq!(line(square("b2"), square("c3")).count(), 8);
        assert_eq!(
            between(square("e1"), square("g1")),
            Bitboard::of(square("f1"))
        );
        assert_eq!(line(square("a1"), square("b3")), Bitboard::EMPTY);
        assert_eq!(between(square("a1"), square("a2")), Bitboard::EMPTY);
    }
}
