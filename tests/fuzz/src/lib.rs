//! What the fuzz targets share: positions to try things on, and what must hold of each.

use arbiter::rules::perft::perft;
use arbiter::rules::{Move, Position, Setup};

/// Where walks begin: every kind of move is near.
const STARTS: [&str; 8] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "rk5r/1p6/8/8/8/8/8/1RK3R1 w BGah - 0 1",
    "8/8/8/r2Pp2K/8/8/4k3/8 w - e6 0 1",
    "Q1Q1Q3/8/Q3Q3/8/Q1Q1Q2k/8/5ppp/1K4NR b - - 0 60",
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
];

/// A position some legal moves away from one of those; `seed` chooses which, and the moves. Every position on the way
/// is checked.
pub fn walk(seed: &[u8]) -> Position {
    let (&first, steps) = seed.split_first().unwrap_or((&0, &[]));
    let setup: Setup = STARTS[usize::from(first) % STARTS.len()].parse().unwrap();
    let mut position = Position::new(&setup).unwrap();
    for &step in steps.iter().take(200) {
        let moves = check(&position);
        let Some(&mv) = moves.get(usize::from(step) % moves.len().max(1)) else {
            break;
        };
        position.play(mv);
    }
    position
}

/// What must hold of any position. Returns its legal moves.
pub fn check(position: &Position) -> Vec<Move> {
    assert_eq!(position.key(), position.recompute_key(), "`{position}`");
    for fen in [format!("{position}"), format!("{position:#}")] {
        let setup: Setup = fen.parse().unwrap();
        assert_eq!(setup, position.setup(), "`{fen}`");
        assert_eq!(Position::new(&setup).as_ref(), Ok(position), "`{fen}`");
    }
    let moves = position.legal_moves();
    assert_eq!(moves.len(), position.count_legal_moves(), "`{position}`");
    assert_eq!(moves.len() as u64, perft(position, 1), "`{position}`");
    assert_eq!(moves.is_empty(), !position.has_legal_move(), "`{position}`");
    for (nth, mv) in moves.iter().enumerate() {
        assert!(!moves[..nth].contains(mv), "{mv:?} twice in `{position}`");
    }
    moves.to_vec()
}

/// The text before the first line feed, and what comes after.
pub fn line_and_rest(data: &[u8]) -> (&[u8], &[u8]) {
    match data.iter().position(|&byte| byte == b'\n') {
        Some(at) => (&data[..at], &data[at + 1..]),
        None => (data, &[]),
    }
}
