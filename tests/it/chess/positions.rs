//! FEN, playable positions, position identity, and Chess960 castling.

use arbiter::chess::{
    Bitboard, CastlingMode, Color, FaultLevel, GameOutcome, IllegalMove, Position,
    PositionFault as Fault, San, Setup, Uci, fen,
};
use arbiter::law::Repetitions;

use crate::{corpus, position};

/// Checks the exact faults of a FEN. It is playable if all of them are mere implausibilities.
fn check_faults(fen: &str, expected: &[Fault]) {
    let setup: Setup = fen.parse().unwrap();
    let faults: Vec<Fault> = setup.faults().iter().collect();
    assert_eq!(faults, expected, "`{fen}`");
    let playable = expected
        .iter()
        .all(|fault| fault.level() == FaultLevel::Implausible);
    match Position::new(&setup) {
        Ok(mut position) => {
            assert!(playable, "`{fen}`");
            if let Some(&mv) = position.legal_moves().first() {
                position.play_unchecked(mv);
                assert_eq!(position.key(), position.recompute_key(), "`{fen}`");
            }
        }
        Err(refused) => {
            assert!(!playable, "`{fen}`");
            assert_eq!(refused, setup.faults());
        }
    }
}

#[test]
fn kings() {
    check_faults("4k3/8/8/8/8/8/8/8 w - - 0 1", &[Fault::NoWhiteKing]);
    check_faults("8/8/8/8/8/8/8/4K3 w - - 0 1", &[Fault::NoBlackKing]);
    check_faults(
        "8/8/8/8/8/8/8/8 w - - 0 1",
        &[Fault::NoWhiteKing, Fault::NoBlackKing],
    );
    check_faults("4k3/8/8/8/8/8/8/K6K w - - 0 1", &[Fault::ManyWhiteKings]);
    check_faults("k6k/8/8/8/8/8/8/4K3 w - - 0 1", &[Fault::ManyBlackKings]);
    check_faults("8/8/8/3Kk3/8/8/8/8 w - - 0 1", &[Fault::AdjacentKings]);
}

#[test]
fn the_side_that_has_moved_is_in_check() {
    check_faults("4k3/8/8/8/8/8/4Q3/4K3 w - - 0 1", &[Fault::OppositeCheck]);
    check_faults("4k3/8/8/8/8/8/4Q3/4K3 b - - 0 1", &[]);
    check_faults("4k3/8/8/8/8/8/3p4/4K3 b - - 0 1", &[Fault::OppositeCheck]);
}

#[test]
fn pawns_on_the_first_and_last_rank() {
    check_faults("P3k3/8/8/8/8/8/8/4K3 w - - 0 1", &[Fault::PawnOnBackRank]);
    check_faults("4k3/8/8/8/8/8/8/p3K3 w - - 0 1", &[Fault::PawnOnBackRank]);
}

#[test]
fn more_men_than_a_game_has() {
    // A side with one king and no more promoted pieces than missing pawns has at most 16 men.
    check_faults(
        "rnbqkbnr/pppppppp/8/8/8/Q7/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        &[Fault::TooManyPieces, Fault::TooManyPromoted],
    );
    check_faults(
        "4k3/pppppppp/p7/8/8/8/8/4K3 w - - 0 1",
        &[Fault::TooManyPawns],
    );
    check_faults(
        "q3k2q/pppppppp/8/8/8/8/8/4K3 w - - 0 1",
        &[Fault::TooManyPromoted],
    );
    check_faults("q3k2q/ppppppp1/8/8/8/8/8/4K3 w - - 0 1", &[]);
    // Two bishops on light squares.
    check_faults(
        "4k3/8/8/8/8/3B4/PPPPPPPP/4KB2 w - - 0 1",
        &[Fault::TooManyPromoted],
    );
    check_faults(
        "kBQQQQQQ/BR5Q/Q6Q/Q6Q/Q6Q/Q6Q/Q6Q/KQQQQQQQ w - - 0 1",
        &[Fault::TooManyPieces, Fault::TooManyPromoted],
    );
}

#[test]
fn castling_rights_without_king_or_rook() {
    let (no_king, no_rook) = (Fault::CastlingWithoutKing, Fault::CastlingWithoutRook);
    check_faults("4k3/8/8/8/8/8/8/4K2R w KQ - 0 1", &[no_rook]);
    check_faults("4k3/8/8/8/8/8/8/4K2r w K - 0 1", &[no_rook]);
    check_faults("1r2k3/8/8/8/8/8/8/R3KR2 w KQkq - 0 1", &[no_rook]);
    check_faults("4k3/8/8/8/8/8/4K3/7R w K - 0 1", &[no_king]);
    check_faults("4k3/8/8/8/8/8/4K3/8 w K - 0 1", &[no_king, no_rook]);
    check_faults(
        "4k3/8/8/8/8/8/8/4KRR1 w FG - 0 1",
        &[Fault::CastlingWithTwoRooks],
    );
    check_faults(
        "krr5/8/8/8/8/8/8/4K3 w bc - 0 1",
        &[Fault::CastlingWithTwoRooks, Fault::CastlingFromCorner],
    );
    check_faults(
        "4k3/8/8/8/8/8/8/K6R w K - 0 1",
        &[Fault::CastlingFromCorner],
    );
    let anywhere = Setup {
        castling: Bitboard::of("h4".parse().unwrap()),
        ..Setup::initial()
    };
    assert_eq!(anywhere.faults().iter().collect::<Vec<_>>(), [no_rook]);
    let impossible = position("4k3/8/8/8/8/8/8/4K2R w KQ - 0 1");
    assert_eq!(impossible.to_string(), "4k3/8/8/8/8/8/8/4K2R w K - 0 1");
}

#[test]
fn en_passant_squares_no_pawn_can_have_passed() {
    let (no_pawn, blocked) = (Fault::EnPassantWithoutPawn, Fault::EnPassantWayBlocked);
    let wrong_rank = Fault::EnPassantOnWrongRank;
    for (fen, faults) in [
        ("4k3/8/8/8/8/8/8/4K3 w - e6 0 1", vec![no_pawn]),
        ("4k3/8/8/8/4P3/8/8/4K3 w - e3 0 1", vec![wrong_rank]),
        ("4k3/8/8/4p3/8/8/8/4K3 b - e6 0 1", vec![wrong_rank]),
        ("4k3/8/8/8/8/8/8/4K3 b - e6 0 1", vec![wrong_rank]),
        // The pawn is White's own.
        ("4k3/8/8/4P3/8/8/8/4K3 w - e6 0 1", vec![no_pawn]),
        (
            "1b1b4/8/b1P5/2kP4/8/2b4K/8/8 w - c6 0 1",
            vec![no_pawn, blocked],
        ),
        (
            "5K2/8/2pp2Pp/2PP4/P5Pp/2pP1Ppp/P6p/7k b - g3 0 1",
            vec![blocked],
        ),
        ("8/7k/8/7p/8/8/8/K7 w - h6 0 1", vec![blocked]),
    ] {
        check_faults(fen, &faults);
        assert_eq!(position(fen).en_passant(), None, "`{fen}`");
    }
    check_faults(
        "4k3/8/8/3Pp3/8/8/8/4K3 w - e6 3 20",
        &[Fault::EnPassantWithClock],
    );
    check_faults(
        "5kbq/3Q2n1/6p1/r3PpKn/2n5/8/8/q7 w - f6 7 4",
        &[Fault::EnPassantWithClock, Fault::ClockBeyondMoveNumber],
    );
}

#[test]
fn en_passant_squares_where_no_capture_is_legal() {
    for fen in [
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
        "8/8/8/r2Pp2K/8/8/4k3/8 w - e6 0 1",
        "4k2b/8/8/3pP3/8/8/8/K7 w - d6 0 1",
    ] {
        check_faults(fen, &[]);
        assert_eq!(position(fen).en_passant(), None, "`{fen}`");
    }
}

#[test]
fn triple_checks() {
    check_faults(
        "4k3/5P2/3N4/8/8/8/4R3/4K3 b - - 0 1",
        &[Fault::TooManyCheckers],
    );
}

#[test]
fn double_checks_no_last_move_can_give() {
    for fen in [
        // Two checkers on one line through the king, on opposite sides.
        "3R4/8/q4k2/2B5/1NK5/3b4/8/8 w - - 0 1",
        "2Nq4/2K5/1b6/8/7R/3k4/7P/8 w - - 0 1",
        "5R2/2P5/8/4k3/8/3rK2r/8/8 w - - 0 1",
        // Two leapers: neither opens a line for the other.
        "8/8/N7/2k5/N7/8/8/3K4 b - - 0 1",
        "4k3/5P2/3N4/8/8/8/8/4K3 b - - 0 1",
        // Neither bishop nor rook can have left the other's line.
        "4k3/8/8/8/B7/8/8/K3R3 b - - 0 1",
    ] {
        check_faults(fen, &[Fault::ImpossibleDoubleCheck]);
    }
}

#[test]
fn double_checks_some_last_move_gives() {
    for fen in [
        // Knight and bishop can both have left the file.
        "4k3/8/5N2/8/8/8/8/K3R3 b - - 0 1",
        "4k3/8/8/1B6/8/8/8/K3R3 b - - 0 1",
        // The pawn promoted to a knight, or to a rook on the next file, and left the line.
        "4N3/3R2k1/8/8/8/8/8/K7 b - - 0 1",
        "3kR3/8/8/8/8/8/8/K2R4 b - - 0 1",
        "8/8/5k2/p1q5/PP1rp1P1/3P1N2/2RK1r2/5nN1 w - - 0 3",
        // En passant from e5 opened the file, and the diagonal of the pawn on d5.
        "8/8/3Pk3/8/2B5/3P4/8/K3R3 b - - 0 1",
    ] {
        check_faults(fen, &[]);
    }
}

#[test]
fn checks_no_last_move_can_give() {
    let check = [Fault::ImpossibleCheck];
    // A pawn that has not moved.
    check_faults("8/8/8/8/8/3k4/4P3/4K3 b - - 0 1", &check);
    // A rook that has not moved, and no piece that can have left its file.
    check_faults("7k/8/8/8/8/8/PPPPPPP1/RNBQKB1R b KQ - 0 1", &check);
    check_faults("7k/8/8/8/8/8/PPPPPPP1/RNBQKB1R b Q - 0 1", &[]);
    check_faults("7k/8/8/8/8/8/PPPPPPP1/RNBQKBNR b KQ - 0 1", &[]);
    // Castling from f1 and h1, unless king and other rook have not moved.
    check_faults("8/8/8/8/8/5k2/8/4RRK1 b - - 0 1", &[]);
    check_faults("8/8/8/8/8/5k2/8/4RRK1 b E - 0 1", &check);
}

#[test]
fn checks_and_double_steps() {
    // The pawn gives check, or has left the rook's rank.
    check_faults("8/8/8/3k4/4P3/8/8/4K3 b - e3 0 1", &[]);
    check_faults("8/8/8/8/4P3/8/R6k/4K3 b - e3 0 1", &[]);
    // The pawn has not left the queen's diagonal, or stands on the bishop's diagonal now.
    for fen in [
        "8/8/8/1k6/3Pp3/8/8/4KQ2 b - d3 0 1",
        "8/8/8/5k2/4Pp2/8/2B5/4K3 b - e3 0 1",
        "8/8/6k1/8/4P3/8/2B5/4K3 b - e3 0 1",
        // The bishop's diagonal was open before the last move.
        "4k3/8/6b1/3pP3/8/8/2K5/8 w - d6 0 1",
    ] {
        check_faults(fen, &[Fault::CheckBeforeDoubleStep]);
    }
}

#[test]
fn checks_only_captures_and_pawns_give() {
    for board in [
        "8/8/8/3k4/4P3/8/8/4K3 b",
        "4N3/3R2k1/8/8/8/8/8/K7 b",
        "8/8/3Pk3/8/2B5/3P4/8/K3R3 b",
        "3kR3/8/8/8/8/8/8/K2R4 b",
    ] {
        check_faults(&format!("{board} - - 0 9"), &[]);
        check_faults(&format!("{board} - - 1 9"), &[Fault::CheckAgainstClock]);
    }
}

#[test]
fn the_clock_is_not_larger_than_the_move_number_allows() {
    let clock = [Fault::ClockBeyondMoveNumber];
    check_faults("4k3/8/8/8/8/8/8/4K3 w - - 51 3", &clock);
    check_faults("4k3/8/8/8/8/8/8/4K3 w - - 1 1", &clock);
    check_faults("4k3/8/8/8/8/8/8/4K3 b - - 1 1", &[]);
    check_faults("4k3/8/8/8/8/8/8/4K3 w - - 4 3", &[]);
}

#[test]
fn checkmates_and_stalemates_of_other_programs() {
    let Some(table) = corpus::text("outcomes/status.tsv") else {
        return;
    };
    let mut cases = 0;
    for row in corpus::rows(&table) {
        let [property, expected, fen, ..] = row[..] else {
            panic!("{row:?}");
        };
        let position = match fen {
            "startpos" => Position::initial(),
            _ => position(fen),
        };
        let holds = match property {
            "checkmate" => position.is_checkmate(),
            "stalemate" => position.is_stalemate(),
            // Insufficient material is not part of the rules of movement.
            "insufficient_material" => continue,
            _ => panic!("{row:?}"),
        };
        assert_eq!(holds.to_string(), expected, "{property} of `{fen}`");
        cases += 1;
    }
    assert!(cases >= 9, "{cases} cases");
}

#[test]
fn mate_is_no_stalemate_whatever_the_material() {
    for fen in [
        "8/8/8/8/8/2b1k1b1/8/3RKR2 w - - 0 1",
        "8/8/8/8/8/1k6/b1b5/RKR5 w - - 0 1",
        "5B2/7r/5K1k/7r/8/4B3/8/8 b - - 0 1",
    ] {
        let position = position(fen);
        assert!(position.is_checkmate(), "`{fen}`");
        assert!(!position.is_stalemate(), "`{fen}`");
    }
    for fen in [
        "k7/1R1RN3/p3p3/P3P2p/1PP4P/3K1PP1/8/8 b - - 0 1",
        "4k3/8/1p6/1Pp5/KpP5/1P6/8/8 w - - 0 1",
    ] {
        let position = position(fen);
        assert!(position.is_stalemate(), "`{fen}`");
        assert!(!position.is_checkmate(), "`{fen}`");
    }
}

#[test]
fn positions_come_back_from_setups_and_fens() {
    for fen in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R b Kq - 149 120",
        "4k3/8/8/3Pp3/8/8/8/4K3 w - e6 0 20",
        "rk2r3/1p6/8/8/8/8/8/1RK1R1R1 w EQkq - 0 1",
        "8/8/8/8/8/8/8/K1k5 b - - 4294967295 4294967295",
    ] {
        let first = position(fen);
        assert_eq!(first.to_string(), fen);
        assert_eq!(Position::new(&first.setup()), Ok(first.clone()), "`{fen}`");
        assert_eq!(position(&format!("{first:#}")), first, "`{fen}`");
    }
}

/// Number of occurrences of the last position of a game.
fn check_repetitions(fen: &str, moves: &str, expected: usize) {
    let mut position = position(fen);
    let mut repetitions = Repetitions::new(&position);
    for text in moves.split_whitespace() {
        let san = San::from_ascii(text.as_bytes()).unwrap();
        let mv = san
            .to_move(&position)
            .unwrap_or_else(|error| panic!("`{text}` in `{position}`: {error}"));
        position.play_unchecked(mv);
        repetitions.push(&position);
    }
    assert_eq!(repetitions.count(), expected, "{moves}");
}

const START: &str = arbiter::chess::fen::INITIAL;

#[test]
fn the_initial_position_counts() {
    check_repetitions(START, "", 1);
    check_repetitions(START, "Nf3 Nf6 Ng1 Ng8", 2);
    check_repetitions(START, "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8", 3);
    check_repetitions("4k3/8/8/8/8/8/8/4K3 w - - 40 60", "Kd1 Kd8 Ke1 Ke8", 2);
}

#[test]
fn a_legal_en_passant_capture_makes_another_position() {
    let moves = "e4 Nf6 e5 d5 Bc4 Nc6 Bf1 Nb8 Bc4 Nc6 Bf1 Nb8";
    check_repetitions(START, moves, 2);
}

#[test]
fn a_passed_square_without_a_capturer_makes_none() {
    check_repetitions(START, "e4 Nf6 Nf3 Ng8 Ng1 Nf6 Nf3 Ng8 Ng1", 3);
}

#[test]
fn a_pinned_capturer_makes_none() {
    let pinned = "3k4/8/8/8/3p4/8/2P5/3RK3 w - - 0 1";
    check_repetitions(pinned, "c4 Ke8 Kf1 Kd8 Ke1 Ke8 Kf1 Kd8 Ke1", 3);
    let free = "3k4/8/8/8/3p4/8/2P5/4K3 w - - 0 1";
    check_repetitions(free, "c4 Ke8 Kf1 Kd8 Ke1 Ke8 Kf1 Kd8 Ke1", 2);
}

#[test]
fn lost_castling_rights_make_another_position() {
    let rooks = "Nf3 Nf6 Rg1 Rg8 Rh1 Rh8";
    check_repetitions(START, rooks, 1);
    check_repetitions(START, &format!("{rooks} Rg1 Rg8 Rh1 Rh8"), 2);
    // Check does not remove castling rights (FIDE Laws 3.8.2.2).
    check_repetitions(
        "4k3/8/8/8/8/8/4r3/R3K2R w KQ - 0 1",
        "Kxe2 Kd8 Kd1 Ke8 Ke2 Kd8 Kd1",
        2,
    );
    check_repetitions(
        "r3k3/8/8/8/8/8/8/4KB2 w q - 0 1",
        "Bb5+ Ke7 Bf1 Ke8 Bb5+ Ke7 Bf1 Ke8",
        2,
    );
}

#[test]
fn the_other_side_to_move_makes_another_position() {
    // The king loses a tempo by triangulation.
    check_repetitions("k7/8/8/8/8/8/8/K7 w - - 0 1", "Kb1 Kb8 Kb2 Ka8 Ka1", 1);
}

#[test]
fn nothing_before_a_capture_or_pawn_move_comes_back() {
    check_repetitions(START, "Nf3 Nf6 Ng1 Ng8 e3 e6 Nf3 Nf6 Ng1 Ng8", 2);
}

/// Castling leads to this position, or is rejected for this reason.
fn check_castling(fen: &str, text: &str, expected: &str) {
    let mut position = position(fen);
    let san = San::from_ascii(text.as_bytes()).unwrap();
    let found = match san.to_move(&position) {
        Ok(mv) => {
            assert_eq!(San::of(&position, mv), san, "`{fen}`");
            let uci = mv.uci(CastlingMode::Chess960);
            assert_eq!(uci.to_move(&position), Ok(mv), "`{uci}` in `{fen}`");
            position.play_unchecked(mv);
            assert_eq!(position.key(), position.recompute_key(), "`{fen}`");
            position.to_string()
        }
        Err(error) => {
            assert!(
                position
                    .legal_moves()
                    .iter()
                    .all(|&mv| San::of(&position, mv) != san),
                "`{fen}`"
            );
            error.to_string()
        }
    };
    assert_eq!(found, expected, "`{text}` in `{fen}`");
}

#[test]
fn chess960_king_stays() {
    check_castling(
        "4k3/8/8/8/8/8/8/6KR w H - 0 1",
        "O-O",
        "4k3/8/8/8/8/8/8/5RK1 b - - 1 1",
    );
    check_castling(
        "r1k5/8/8/8/8/8/8/4K3 b a - 0 1",
        "O-O-O",
        "2kr4/8/8/8/8/8/8/4K3 w - - 1 2",
    );
}

#[test]
fn chess960_rook_stays() {
    check_castling(
        "4k3/8/8/8/8/8/8/4KR2 w F - 0 1",
        "O-O",
        "4k3/8/8/8/8/8/8/5RK1 b - - 1 1",
    );
    check_castling(
        "4k3/8/8/8/8/8/8/3R1K2 w D - 0 1",
        "O-O-O",
        "4k3/8/8/8/8/8/8/2KR4 b - - 1 1",
    );
}

#[test]
fn chess960_king_and_rook_change_places() {
    check_castling(
        "4k3/8/8/8/8/8/8/5KR1 w G - 0 1",
        "O-O",
        "4k3/8/8/8/8/8/8/5RK1 b - - 1 1",
    );
    check_castling(
        "4k3/8/8/8/8/8/8/2RK4 w C - 0 1",
        "O-O-O",
        "4k3/8/8/8/8/8/8/2KR4 b - - 1 1",
    );
}

#[test]
fn chess960_king_on_b1_goes_to_the_right() {
    check_castling(
        "4k3/8/8/8/8/8/8/RK6 w A - 0 1",
        "O-O-O",
        "4k3/8/8/8/8/8/8/2KR4 b - - 1 1",
    );
    check_castling(
        "4k3/8/8/8/8/8/8/RK1N4 w A - 0 1",
        "O-O-O",
        "the knight on d1 is in the way of O-O-O",
    );
    check_castling(
        "4k3/8/8/8/8/8/8/1K4R1 w G - 0 1",
        "O-O",
        "4k3/8/8/8/8/8/8/5RK1 b - - 1 1",
    );
}

#[test]
fn chess960_rook_shields_the_king() {
    check_castling(
        "4k3/8/8/8/8/8/8/rRK5 w B - 0 1",
        "O-O-O",
        "castling to c1, which the rook on a1 attacks",
    );
    check_castling(
        "4k3/8/8/8/8/8/8/qR1K4 w B - 0 1",
        "O-O-O",
        "castling to c1, which the queen on a1 attacks",
    );
    // The rook's square is also on the king's path.
    check_castling(
        "4k3/8/8/8/8/8/8/1KR4r w C - 0 1",
        "O-O",
        "castling through c1, which the rook on h1 attacks",
    );
}

#[test]
fn chess960_king_steps_where_castling_would_bring_it() {
    let fen = "4k3/8/8/8/8/8/8/5K1R w H - 0 1";
    let position = position(fen);
    let step = Uci::from_ascii(b"f1g1")
        .unwrap()
        .to_move(&position)
        .unwrap();
    assert_eq!(San::of(&position, step).to_string(), "Kg1");
    let castling = Uci::from_ascii(b"f1h1")
        .unwrap()
        .to_move(&position)
        .unwrap();
    assert_eq!(San::of(&position, castling).to_string(), "O-O");
}

#[test]
fn games_that_the_board_has_ended() {
    let check = |fen: &str, expected: Option<GameOutcome>| {
        assert_eq!(position(fen).outcome(), expected, "{fen}");
    };
    let winner = Color::White;
    check(
        "R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1",
        Some(GameOutcome::Checkmate { winner }),
    );
    check("7k/8/6K1/8/8/8/8/5Q2 b - - 0 1", None);
    check(
        "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
        Some(GameOutcome::Stalemate),
    );
    check(
        "4k3/8/8/8/8/8/8/2B1K3 w - - 0 1",
        Some(GameOutcome::InsufficientMaterial),
    );
    // A helpmate in the corner is possible.
    check("4kn2/8/8/8/8/8/8/2B1K3 w - - 0 1", None);
}

#[test]
fn illegal_moves_are_not_played() {
    let mut board = Position::initial();
    let mv = board.legal_moves()[0];
    board.play(mv).unwrap();
    let before = board.clone();
    assert!(!board.is_legal(mv));
    assert_eq!(board.play(mv), Err(IllegalMove));
    assert_eq!(board, before);
}

#[test]
fn positions_are_read_from_text() {
    let read = |text: &str| text.parse::<Position>().map_err(|error| error.to_string());
    assert_eq!(read(fen::INITIAL), Ok(Position::initial()));
    let error = "rank 8 has two numbers in a row (column 2)";
    assert_eq!(read("81/8/8/8/8/8/8/8 w"), Err(error.to_owned()));
    let error = "White has no king; Black has no king";
    assert_eq!(read("8/8/8/8/8/8/8/8 w - -"), Err(error.to_owned()));
}
