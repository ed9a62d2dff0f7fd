//! Positions that the heuristic calls winnable must have a mating line. They are generated where
//! errors are likely: blocked pawns, crowded corners, few pieces.

use arbiter::chess::{Bitboard, Board, Color, File, Piece, Position, Rank, Role, Setup, Square};
use arbiter::winnability::{SearchLimits, Solver, Winnability, Witness};
use rayon::prelude::*;

use crate::chess::random_games::Random;
use crate::corpus;
use crate::position;
use crate::winnability::known::{mates, vectors};

/// Positions per kind; a few hundred milliseconds each.
const POSITIONS: u64 = 4000;

const PIECES: [Role; 4] = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

/// Board under construction.
struct Draft {
    random: Random,
    board: Board,
}

impl Draft {
    fn new(seed: u64) -> Draft {
        Draft {
            random: Random(seed),
            board: Board::EMPTY,
        }
    }

    fn color(&mut self) -> Color {
        Color::ALL[self.random.below(2)]
    }

    /// Puts a piece on an empty square among the first files and ranks, if it finds one.
    fn put_within(&mut self, files: usize, ranks: usize, color: Color, role: Role) {
        for _ in 0..20 {
            let file = File::new(self.random.below(files));
            let square = Square::at(file, Rank::new(self.random.below(ranks)));
            let is_last_rank = matches!(square.rank().index(), 0 | 7);
            if self.board.piece_on(square).is_none() && !(role == Role::Pawn && is_last_rank) {
                return self.board.put(square, Piece { color, role });
            }
        }
    }

    fn put(&mut self, color: Color, role: Role) {
        self.put_within(8, 8, color, role);
    }

    fn position(mut self) -> Option<Position> {
        let setup = Setup {
            turn: self.color(),
            board: self.board,
            castling: Bitboard::EMPTY,
            en_passant: None,
            halfmoves: 0,
            fullmoves: 1,
            knows_halfmoves: true,
            knows_fullmoves: true,
        };
        Position::new(&setup).ok()
    }
}

/// Up to five pieces and pawns besides the kings.
fn few(mut draft: Draft) -> Option<Position> {
    for color in Color::ALL {
        draft.put(color, Role::King);
    }
    for _ in 0..=draft.random.below(5) {
        let role = match draft.random.below(5) {
            4 => Role::Pawn,
            nth => PIECES[nth],
        };
        let color = draft.color();
        draft.put(color, role);
    }
    draft.position()
}

/// Blocked pawns, and up to four pieces.
fn locked(mut draft: Draft) -> Option<Position> {
    for file in 0..8 {
        if draft.random.below(3) > 0 {
            let rank = 1 + draft.random.below(5);
            for (color, rank) in [(Color::White, rank), (Color::Black, rank + 1)] {
                let square = Square::at(File::new(file), Rank::new(rank));
                let role = Role::Pawn;
                draft.board.put(square, Piece { color, role });
            }
        }
    }
    for color in Color::ALL {
        draft.put(color, Role::King);
    }
    for _ in 0..draft.random.below(5) {
        let role = PIECES[draft.random.below(3)];
        let color = draft.color();
        draft.put(color, role);
    }
    draft.position()
}

/// Pieces crowded into a corner, with the other king among them or anywhere.
fn cornered(mut draft: Draft) -> Option<Position> {
    let (files, ranks) = (3 + draft.random.below(2), 3 + draft.random.below(3));
    draft.put_within(files, ranks, Color::White, Role::King);
    if draft.random.below(3) == 0 {
        draft.put_within(files, ranks, Color::Black, Role::King);
    } else {
        draft.put(Color::Black, Role::King);
    }
    for _ in 0..2 + draft.random.below(6) {
        let role = match draft.random.below(7) {
            nth if nth < 4 => PIECES[nth],
            _ => Role::Pawn,
        };
        let color = draft.color();
        draft.put_within(files, ranks, color, role);
    }
    draft.position()
}

/// Pieces of both sides close together, after random moves until the side to move has one or two
/// legal moves.
fn pressed(mut draft: Draft) -> Option<Position> {
    let (files, ranks) = (4 + draft.random.below(5), 4 + draft.random.below(5));
    for color in Color::ALL {
        draft.put_within(files, ranks, color, Role::King);
        for _ in 0..draft.random.below(9) {
            draft.put_within(files, ranks, color, Role::Pawn);
        }
        for _ in 0..draft.random.below(8) {
            let role = PIECES[draft.random.below(4)];
            draft.put_within(files, ranks, color, role);
        }
    }
    let mut random = Random(draft.random.below(usize::MAX) as u64);
    let mut position = draft.position()?;
    for _ in 0..40 {
        let moves = position.legal_moves();
        match moves.len() {
            0 => return None,
            1 | 2 => return Some(position),
            _ => {}
        }
        // The move, of three, that leaves the fewest replies.
        let after = (0..3).map(|_| position.after(moves[random.below(moves.len())]));
        position = after.min_by_key(|after| after.legal_moves().len())?;
    }
    None
}

/// Mate is Black's only legal move: `1... a4#`.
const FORCED_MATE: &str = "8/8/7R/pkpQ4/1p6/1K1PP3/PPP5/8 b - -";

/// A position whose only move is mate, with up to three pieces added, removed or moved, after up to
/// three plies.
fn beside_a_forced_mate(mut draft: Draft) -> Option<Position> {
    let base = position(FORCED_MATE);
    let changes = 1 + draft.random.below(3);
    let moved: Vec<usize> = (0..changes).map(|_| draft.random.below(24)).collect();
    let men = base.board().occupied().into_iter().enumerate();
    for (nth, square) in men {
        let piece = base.board().piece_on(square)?;
        if piece.role == Role::King || !moved.contains(&nth) {
            draft.board.put(square, piece);
        } else if draft.random.below(2) == 0 {
            draft.put(piece.color, piece.role);
        }
    }
    if draft.random.below(3) == 0 {
        let (color, role) = (draft.color(), PIECES[draft.random.below(4)]);
        draft.put(color, role);
    }
    let setup = Setup {
        board: draft.board,
        ..base.setup()
    };
    let mut position = Position::new(&setup).ok()?;
    for _ in 0..draft.random.below(4) {
        let moves = position.legal_moves();
        if moves.is_empty() {
            return None;
        }
        position = position.after(moves[draft.random.below(moves.len())]);
    }
    Some(position)
}

/// Number of positions of a kind that the heuristic accepts; a line confirms each.
fn accepted(kind: fn(Draft) -> Option<Position>) -> usize {
    (0..POSITIONS)
        .into_par_iter()
        .map_init(
            || Solver::new(SearchLimits::DEFAULT),
            |solver, seed| {
                let Some(position) = kind(Draft::new(seed)) else {
                    return 0;
                };
                let won = Color::ALL.into_iter().filter(|&side| {
                    let answer = Solver::new(80).can_win(&position, side);
                    if answer != Winnability::Winnable(Witness::Heuristic) {
                        return false;
                    }
                    let line = solver.mating_line(&position, side);
                    let line = line.unwrap_or_else(|| panic!("{position}: no mate by {side:?}"));
                    assert!(mates(&position, side, &line), "{position}");
                    true
                });
                won.count()
            },
        )
        .sum()
}

#[test]
fn with_few_men() {
    let count = accepted(few);
    assert!(count > 2000, "{count}");
}

#[test]
fn with_pawns_before_one_another() {
    let count = accepted(locked);
    assert!(count > 2000, "{count}");
}

#[test]
fn with_men_in_a_corner() {
    let count = accepted(cornered);
    assert!(count > 1000, "{count}");
}

#[test]
fn with_one_or_two_legal_moves() {
    let count = accepted(pressed);
    assert!(count > 1000, "{count}");
}

#[test]
fn beside_a_mate_that_is_forced() {
    let count = accepted(beside_a_forced_mate);
    assert!(count > 1000, "{count}");
}

/// Unwinnable positions stay unwinnable after every move.
#[test]
fn nothing_is_evident_after_what_cannot_be_won() {
    let Some(text) = corpus::text("outcomes/winnability.txt") else {
        return;
    };
    let roots: Vec<_> = vectors(&text)
        .into_iter()
        .flat_map(|(fen, answers)| {
            let lost = Color::ALL.into_iter().zip(answers).filter(|(_, can)| !can);
            lost.map(move |(side, _)| (fen.clone(), side))
                .collect::<Vec<_>>()
        })
        .collect();
    assert!(roots.len() > 800, "{}", roots.len());
    roots
        .par_iter()
        .enumerate()
        .for_each(|(seed, (fen, side))| {
            let mut random = Random(seed as u64);
            // The budget of this solver allows little but the heuristic.
            let mut glance = Solver::new(80);
            for _ in 0..20 {
                let mut position = position(fen);
                for _ in 0..60 {
                    let answer = glance.can_win(&position, *side);
                    let is_winnable = matches!(answer, Winnability::Winnable(_));
                    assert!(!is_winnable, "{position} after {fen}: {side:?}");
                    let moves = position.legal_moves();
                    if moves.is_empty() {
                        break;
                    }
                    position.play_unchecked(moves[random.below(moves.len())]);
                }
            }
        });
}

/// Walls, cages and corridors that only appear open: kings that cannot pass each other, guarding
/// bishops, a forced capture, moves that all mate.
#[test]
fn what_only_seems_evident() {
    for (fen, sides) in [
        (
            "2K3k1/2p1p1p1/2PbP1P1/2pBp3/2PbP3/2pBp1p1/2P1P1P1/8 w - -",
            Color::ALL.as_slice(),
        ),
        (
            "qnbK2k1/nb1p2p1/p1pP2P1/PpP5/1P6/8/8/8 w - -",
            &[Color::White],
        ),
        ("8/1k4p1/6P1/6PK/6PR/6P1/7P/8 b - -", &[Color::White]),
        (
            "2B1B1B1/pBpBpBpB/P1P1P1P1/k7/8/8/8/2K5 w - -",
            &[Color::Black],
        ),
        ("8/8/8/8/8/2p5/kPK5/b7 b - -", &[Color::White]),
        (
            "4b1k1/3pPp2/3P1PpP/6P1/1p6/1Pp1p3/2PpP3/K2B4 w - -",
            &[Color::White],
        ),
        ("QB2k1KR/PP1p3P/1q1P4/6p1/6q1/8/8/8 w - -", &[Color::Black]),
        (FORCED_MATE, &[Color::White]),
        ("8/8/7R/pkp5/1p6/1K2P3/PPPQ4/8 b - -", &[Color::White]),
        (
            "B1B1B1B1/pBpBpBp1/P1P1P1P1/4b3/5b2/8/8/k1K5 w - -",
            &Color::ALL,
        ),
        ("8/5ppp/8/8/ppp5/bkp4Q/qnp5/n1K5 b - -", &[Color::White]),
    ] {
        let position = position(fen);
        let mut solver = Solver::new(SearchLimits::DEFAULT);
        for &side in sides {
            let answer = solver.can_win(&position, side);
            let is_lost = matches!(answer, Winnability::Unwinnable(_));
            assert!(is_lost, "{fen} {side:?}: {answer:?}");
        }
    }
}
