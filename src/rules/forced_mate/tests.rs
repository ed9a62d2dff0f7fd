use super::*;
use crate::rules::{San, Setup};

fn position(fen: &str) -> Position {
    let setup: Setup = fen.parse().unwrap();
    Position::new(&setup).unwrap()
}

fn look(fen: &str, side: Color) -> Forced {
    forced_mate(&position(fen), side, 250_000)
}

/// The line as notation, after checking that it is legal and ends in mate.
fn mate(fen: &str, side: Color) -> String {
    let mut position = position(fen);
    let Forced::Mate(line) = look(fen, side) else {
        panic!("{fen}: no mate found");
    };
    let mut text = Vec::new();
    for mv in line {
        assert!(position.legal_moves().contains(&mv));
        text.push(San::of(&position, mv).to_string());
        position.play(mv);
    }
    assert!(position.is_checkmate() && position.turn() != side, "{fen}");
    text.join(" ")
}

fn is_avoidable(fen: &str, side: Color) -> bool {
    matches!(look(fen, side), Forced::Avoidable { .. })
}

#[test]
fn a_lone_knight_mates_in_the_corner() {
    let fen = "k1K5/p7/8/1N6/8/8/8/8 w - - 0 1";
    assert_eq!(mate(fen, Color::White), "Nc7");
    // The pawn must step aside for the king to be mated.
    let fen = "8/8/8/8/8/5p2/4n1kp/7K w - - 0 1";
    assert!(is_avoidable(fen, Color::Black) || matches!(look(fen, Color::Black), Forced::Mate(_)));
}

#[test]
fn the_last_piece_can_be_taken() {
    assert!(is_avoidable(
        "8/8/8/8/8/1k6/1N6/3K4 b - - 0 1",
        Color::White
    ));
    assert!(is_avoidable("8/8/8/8/8/p7/kN6/3K4 b - - 0 1", Color::White));
}

#[test]
fn two_knights_cannot_force_mate_on_a_bare_king() {
    assert!(is_avoidable(
        "8/8/8/4k3/8/8/8/1N1K2N1 w - - 0 1",
        Color::White
    ));
}

#[test]
fn a_knight_cannot_force_mate_on_a_king_with_a_pawn() {
    // From a discussion of rule 14E: White draws by keeping his king away from the corner.
    assert!(is_avoidable(
        "5k1K/8/8/7P/8/5n2/8/8 w - - 0 1",
        Color::Black
    ));
}
