use crate::chess::{Piece, San, Setup};
use crate::winnability::forced_mate::*;

fn position(fen: &str) -> Position {
    let setup: Setup = fen.parse().unwrap();
    Position::new(&setup).unwrap()
}

fn look(fen: &str, side: Color) -> Forced {
    forced_mate(&position(fen), side, 400_000)
}

/// Whether a side can force mate within so many plies, found by trying everything.
fn mates_within(position: &Position, side: Color, plies: u32) -> bool {
    let moves = position.legal_moves();
    if moves.is_empty() {
        return position.turn() != side && position.is_check();
    }
    if plies == 0 {
        return false;
    }
    let mut after = moves.iter().map(|&mv| position.after(mv));
    if position.turn() == side {
        after.any(|after| mates_within(&after, side, plies - 1))
    } else {
        after.all(|after| mates_within(&after, side, plies - 1))
    }
}

/// Checks that a line is legal and ends in mate by a side; returns it as notation.
fn mate(from: &Position, line: &[Move], side: Color) -> String {
    let mut position = from.clone();
    let mut text = Vec::new();
    for &mv in line {
        assert!(position.legal_moves().contains(&mv));
        text.push(San::of(&position, mv).to_string());
        position.play_unchecked(mv);
    }
    assert!(position.is_checkmate() && position.turn() != side, "{from}");
    text.join(" ")
}

#[test]
fn a_knight_mates_a_king_who_stands_in_his_own_way() {
    let check = |fen: &str, expected: &str| match look(fen, Color::White) {
        Forced::Mate(line) => assert_eq!(mate(&position(fen), &line, Color::White), expected),
        other => panic!("{fen}: {other:?}"),
    };
    check("k1K5/p7/8/1N6/8/8/8/8 w - - 0 1", "Nc7");
    check("3N2nk/4p3/5pKp/8/6p1/8/8/8 w - - 0 1", "Nf7");
    // Mated already.
    check("k1K5/p1N5/8/8/8/8/8/8 b - - 0 1", "");
}

#[test]
fn the_king_who_has_to_wait_for_his_pawn() {
    // Given as an example in a discussion of US Chess rule 14E: Black to move wins, White to move draws.
    let fen = "5k1K/8/8/7P/8/5n2/8/8";
    let black = position(&format!("{fen} b - - 0 1"));
    match forced_mate(&black, Color::Black, 400_000) {
        Forced::Mate(line) => drop(mate(&black, &line, Color::Black)),
        other => panic!("{other:?}"),
    }
    let white = look(&format!("{fen} w - - 0 1"), Color::Black);
    assert!(matches!(white, Forced::Avoidable { .. }), "{white:?}");
}

#[test]
fn the_last_piece_can_be_taken() {
    for fen in [
        "8/8/8/8/8/1k6/1N6/3K4 b - - 0 1",
        "8/8/8/8/8/p7/kN6/3K4 b - - 0 1",
    ] {
        let found = look(fen, Color::White);
        assert!(
            matches!(found, Forced::Avoidable { states: 1..=2 }),
            "{fen}: {found:?}"
        );
    }
}

#[test]
fn stalemate_and_being_mated_are_no_mate() {
    let stalemate = "7k/8/6K1/8/8/8/8/5B2 b - - 0 1";
    assert!(matches!(
        look(stalemate, Color::White),
        Forced::Avoidable { .. }
    ));
    let mated = "k1K5/p1N5/8/8/8/8/8/8 b - - 0 1";
    assert!(matches!(
        look(mated, Color::Black),
        Forced::Avoidable { .. }
    ));
}

#[test]
fn a_budget_that_is_too_small() {
    let fen = "8/8/4k3/8/8/4KB2/8/b7 w - - 0 1";
    let found = forced_mate(&position(fen), Color::White, 1_000);
    assert!(matches!(found, Forced::Unknown { states } if states > 1_000));
}

/// White's king beside the corner and his knight somewhere, against a king in the corner beside a piece of his
/// own: some of these positions are won, most are not.
fn cornered() -> Vec<Position> {
    let mut positions = Vec::new();
    for piece in ["b", "n"] {
        for king in ["1K6", "K7"] {
            for square in (0..64).step_by(3) {
                let fen = format!("k{piece}6/8/{king}/8/8/8/8/8 w - - 0 1");
                let mut setup: Setup = fen.parse().unwrap();
                let square = Square::new(square);
                if setup.board.role_on(square).is_some() {
                    continue;
                }
                let knight = Piece {
                    color: Color::White,
                    role: Role::Knight,
                };
                setup.board.put(square, knight);
                positions.extend(Position::new(&setup));
            }
        }
    }
    positions
}

#[test]
fn cornered_kings_as_trying_everything_has_them() {
    let (mut mates, mut draws) = (0, 0);
    for position in cornered() {
        let soon = mates_within(&position, Color::White, 3);
        match forced_mate(&position, Color::White, 60_000) {
            Forced::Mate(line) => {
                mates += 1;
                mate(&position, &line, Color::White);
                assert!(soon || line.len() > 1, "{position}");
            }
            Forced::Avoidable { .. } => {
                draws += 1;
                assert!(!soon, "{position}");
            }
            Forced::Unknown { .. } => assert!(!soon, "{position}"),
        }
    }
    assert!(mates >= 2 && draws >= 20, "{mates} mates, {draws} draws");
}
