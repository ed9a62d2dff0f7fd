//! Positions that arise by play have no fault: a check on the proofs of impossible positions.

use std::ops::AddAssign;

use arbiter::chess::{Bitboard, Color, Move, MoveKind, Position, Role, Setup, Square};
use rayon::prelude::*;

use crate::chess::random_games::{Random, Taste, chess960_rank, seed};
use crate::position;

const GAMES: u64 = 3_000;
const LONGEST_GAME: usize = 150;

/// Number of positions of each kind, to prove coverage.
#[derive(Default, Debug)]
struct Seen {
    positions: usize,
    double_steps: usize,
    double_steps_with_check: usize,
    double_checks: usize,
    checks_by_castling: usize,
    checks_en_passant: usize,
    checks_by_promotion: usize,
}

impl AddAssign for Seen {
    fn add_assign(&mut self, other: Seen) {
        self.positions += other.positions;
        self.double_steps += other.double_steps;
        self.double_steps_with_check += other.double_steps_with_check;
        self.double_checks += other.double_checks;
        self.checks_by_castling += other.checks_by_castling;
        self.checks_en_passant += other.checks_en_passant;
        self.checks_by_promotion += other.checks_by_promotion;
    }
}

fn check_setup(setup: &Setup, before: &Position, mv: Move) {
    let faults = setup.faults();
    assert!(
        faults.is_empty(),
        "`{setup}` after {mv:?} in `{before}`: {faults}"
    );
}

/// Checks the position after a move in every FEN variant, and returns it.
fn check_move(before: &Position, mv: Move, seen: &mut Seen) -> Position {
    let mut after = before.clone();
    after.play_unchecked(mv);
    let setup = after.setup();
    check_setup(&setup, before, mv);
    let is_double_step = mv.role == Role::Pawn && mv.from.index().abs_diff(mv.to.index()) == 16;
    if is_double_step {
        let passed = Square::new((mv.from.index() + mv.to.index()) / 2);
        let with_passed = Setup {
            en_passant: Some(passed),
            ..setup.clone()
        };
        check_setup(&with_passed, before, mv);
    }
    // Like an EPD without clocks and castling rights.
    let bare = Setup {
        castling: Bitboard::EMPTY,
        en_passant: None,
        halfmoves: 0,
        ..setup
    };
    check_setup(&bare, before, mv);

    let checkers = after.checkers().count();
    let check = usize::from(checkers > 0);
    seen.positions += 1;
    seen.double_steps += usize::from(is_double_step);
    seen.double_checks += usize::from(checkers > 1);
    match mv.kind {
        MoveKind::Normal => seen.double_steps_with_check += check * usize::from(is_double_step),
        MoveKind::EnPassant => seen.checks_en_passant += check,
        MoveKind::Promotion(_) => seen.checks_by_promotion += check,
        MoveKind::Castle => seen.checks_by_castling += check,
    }
    after
}

/// Plays a game, and checks every legal move that gives check, is a double step or is special.
fn check_game(start: &str, random: &mut Random) -> Seen {
    let taste = [Taste::Anything, Taste::Quiet, Taste::Captures, Taste::Pawns][random.below(4)];
    let mut seen = Seen::default();
    let mut position = position(start);
    assert!(position.setup().faults().is_empty(), "`{start}`");
    for _ in 0..LONGEST_GAME {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        for &mv in &moves {
            let mut after = position.clone();
            after.play_unchecked(mv);
            if mv.role == Role::Pawn || mv.kind != MoveKind::Normal || after.is_check() {
                check_move(&position, mv, &mut seen);
            }
        }
        let mv = taste.choose(&moves, random);
        position = check_move(&position, mv, &mut seen);
    }
    seen
}

fn check_games(start: impl Fn(&mut Random) -> String + Sync) {
    let seed = seed();
    let seen = (0..GAMES)
        .into_par_iter()
        .map(|game| {
            let mut random = Random(seed << 32 | game);
            let start = start(&mut random);
            check_game(&start, &mut random)
        })
        .reduce(Seen::default, |mut sum, game| {
            sum += game;
            sum
        });
    println!("{seen:?}");
    for (what, count, least) in [
        ("positions", seen.positions, 1_000_000),
        ("double steps", seen.double_steps, 100_000),
        ("double steps with check", seen.double_steps_with_check, 500),
        ("double checks", seen.double_checks, 1_000),
        ("checks by castling", seen.checks_by_castling, 5),
        ("checks en passant", seen.checks_en_passant, 50),
        ("checks by promotion", seen.checks_by_promotion, 1_000),
    ] {
        assert!(count >= least, "{what}: {count}");
    }
}

#[test]
fn standard_games_have_no_fault() {
    check_games(|_| arbiter::chess::fen::INITIAL.to_owned());
}

#[test]
fn chess960_games_have_no_fault() {
    check_games(|random| {
        let black = chess960_rank(random);
        let white = black.to_ascii_uppercase();
        format!("{black}/pppppppp/8/8/8/8/PPPPPPPP/{white} w KQkq - 0 1")
    });
}

#[test]
fn initial_positions_with_two_different_ranks_have_no_fault() {
    let mut random = Random(seed());
    for _ in 0..960 {
        let (black, white) = (chess960_rank(&mut random), chess960_rank(&mut random));
        let white = white.to_ascii_uppercase();
        let start = position(&format!(
            "{black}/pppppppp/8/8/8/8/PPPPPPPP/{white} w KQkq - 0 1"
        ));
        assert_eq!(start.turn(), Color::White);
        assert!(start.setup().faults().is_empty(), "`{start}`");
    }
}
