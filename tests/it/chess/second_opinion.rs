//! All rules queries against the mailbox, at every node of shallow trees.

use std::collections::HashMap;

use arbiter::chess::san::PieceMove;
use arbiter::chess::{Bitboard, Move, MoveKind, Position, Role, San, SanError, Setup};
use arbiter::commands::perft::counting::perft;
use arbiter::commands::perft::suite;
use rayon::prelude::*;

use crate::mailbox::{self, Mailbox};
use crate::{corpus, position};

/// Bijection between keys and identities: no key for two positions, no two keys for one.
#[derive(Default)]
pub struct Identities {
    by_key: HashMap<u64, String>,
    keys: HashMap<String, u64>,
}

impl Identities {
    fn check(&mut self, key: u64, identity: String) {
        if let Some(&other) = self.keys.get(&identity) {
            assert_eq!(key, other, "two keys for `{identity}`");
            return;
        }
        let before = self.by_key.insert(key, identity.clone());
        assert_eq!(before, None, "the key of `{identity}` too");
        self.keys.insert(identity, key);
    }
}

fn squares(found: &[mailbox::At]) -> Bitboard {
    found.iter().copied().map(mailbox::square).collect()
}

/// Fully disambiguated notation of a move.
fn full_san(mv: Move) -> San {
    San::Piece(PieceMove {
        role: mv.role,
        file: Some(mv.from.file()),
        rank: Some(mv.from.rank()),
        capture: mv.captured.is_some(),
        to: mv.to,
        promotion: mv.promotion(),
    })
}

/// Checks the reason for rejecting a move that leaves its king in check.
fn check_refusal(position: &Position, slow: &Mailbox, mv: Move) {
    let turn = position.turn();
    let context = || format!("{mv:?} in `{position}`");
    let error = full_san(mv).to_move(position).expect_err(&context());
    let attackers = squares(&slow.after(mv).checkers(turn));
    let checkers = squares(&slow.checkers(turn));
    match error {
        SanError::IntoCheck(by) => {
            assert_eq!(mv.role, Role::King, "{}", context());
            assert!(attackers.has(by.square), "{}", context());
        }
        SanError::StillInCheck(by) => {
            assert!(attackers.has(by.square), "{}", context());
            assert!(checkers.has(by.square), "{}", context());
        }
        SanError::Pinned { piece, king, by } => {
            assert_eq!(piece.square, mv.from, "{}", context());
            assert_eq!(king, position.king(turn), "{}", context());
            assert!(attackers.has(by.square), "{}", context());
            let at = (mv.from.file().index() as i32, mv.from.rank().index() as i32);
            assert!(slow.is_pinned(at), "{}", context());
        }
        SanError::EnPassantExposes(by) => {
            assert_eq!(mv.kind, MoveKind::EnPassant, "{}", context());
            assert!(attackers.has(by.square), "{}", context());
        }
        other => panic!("{}: {other}", context()),
    }
}

/// Compares a position with the mailbox, and returns its legal moves.
pub fn check_position(
    position: &Position,
    slow: &Mailbox,
    identities: &mut Identities,
) -> Vec<Move> {
    assert_eq!(format!("{position:#}"), slow.fen());
    assert_eq!(position.key(), position.recompute_key(), "`{position}`");
    identities.check(position.key(), slow.identity());
    let turn = position.turn();
    assert_eq!(
        position.checkers(),
        squares(&slow.checkers(turn)),
        "`{position}`"
    );

    let (mut legal, refused): (Vec<Move>, Vec<Move>) = slow
        .moves_of_pieces()
        .into_iter()
        .partition(|&mv| slow.is_legal(mv));
    let mut moves = position.legal_moves();
    let by_squares = |mv: &Move| (mv.from, mv.to, mv.promotion());
    legal.sort_by_key(by_squares);
    moves.sort_by_key(by_squares);
    assert_eq!(moves[..], legal[..], "`{position}`");
    assert_eq!(position.count_legal_moves(), legal.len(), "`{position}`");
    assert_eq!(perft(position, 1), legal.len() as u64, "`{position}`");
    assert_eq!(
        (position.is_checkmate(), position.is_stalemate()),
        match (legal.is_empty(), slow.checkers(turn).is_empty()) {
            (true, in_safety) => (!in_safety, in_safety),
            (false, _) => (false, false),
        },
        "`{position}`"
    );
    for mv in refused {
        check_refusal(position, slow, mv);
    }
    legal
}

/// Compares a position and its successors with the mailbox. Returns the number of positions.
fn check_tree(
    position: &Position,
    slow: &Mailbox,
    depth: u32,
    identities: &mut Identities,
) -> usize {
    let legal = check_position(position, slow, identities);
    if depth == 0 {
        return 1;
    }
    let next = legal.into_iter().map(|mv| {
        let mut next = position.clone();
        next.play_unchecked(mv);
        check_tree(&next, &slow.after(mv), depth - 1, identities)
    });
    1 + next.sum::<usize>()
}

fn check(fen: &str, depth: u32) -> usize {
    let setup: Setup = fen.parse().unwrap();
    let position = position(fen);
    let slow = Mailbox::read(&format!("{position:#}")).with_passed(setup.en_passant);
    check_tree(&position, &slow, depth, &mut Identities::default())
}

#[test]
fn positions_that_set_traps() {
    let fens = [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        // En passant: the king on the rank, on the diagonal of the captured or capturing pawn, in
        // check by the pawn that may be captured; two capturing pawns, one of them pinned.
        "8/8/8/r2Pp2K/8/8/4k3/8 w - e6 0 1",
        "4k3/8/6b1/3pP3/8/8/2K5/8 w - d6 0 1",
        "7k/b7/8/2pP4/3K4/8/8/8 w - c6 0 1",
        "8/8/8/4k3/3Pp3/8/8/4K3 b - d3 0 1",
        "4k3/8/4r3/3PpP2/8/8/8/4K3 w - e6 0 1",
        "3rk3/8/8/2PpP3/8/8/8/4K3 w - d6 0 1",
        "8/6b1/8/3pP3/3K4/8/8/7k w - d6 0 1",
        // Castling: rooks that shield kings, kings and rooks that stay, kings near the corner.
        "4k3/8/8/8/8/8/8/rRK5 w B - 0 1",
        "rk5r/1p6/8/8/8/8/8/1RK3R1 w BGah - 0 1",
        "4k3/8/8/8/8/8/8/r1RK3R w CH - 0 1",
        "5rkr/6p1/8/8/8/8/8/RK4R1 b AGfh - 0 1",
        "r3k2r/8/8/8/8/8/6p1/R3K2R w KQkq - 0 1",
        // Double checks, which cannot be blocked.
        "4k3/8/8/8/4N3/8/4R3/4K3 w - - 0 1",
        "8/8/8/8/r2K3k/8/8/8 w - - 0 1",
    ];
    let nodes: usize = fens.par_iter().map(|fen| check(fen, 2)).sum();
    println!("{nodes} positions");
    assert!(nodes > 5_000, "{nodes} positions");
}

#[test]
fn tricky_positions_of_the_corpus() {
    let Some(text) = corpus::text("perft/tricky.perft") else {
        return;
    };
    let lines = suite::parse(&text).unwrap();
    let nodes: usize = lines.par_iter().map(|line| check(&line.fen, 2)).sum();
    println!("{} lines, {nodes} positions", lines.len());
    assert!(nodes > 13_000, "{nodes} positions");
}
