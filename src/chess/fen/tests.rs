//! FEN in and out.

use crate::chess::fen::*;

#[test]
fn the_initial_setup_is_that_of_its_fen() {
    assert_eq!(INITIAL.parse(), Ok(Setup::initial()));
}

fn round_trip(fen: &str) {
    let setup: Setup = fen.parse().unwrap();
    assert_eq!(setup.to_string(), fen);
}

#[test]
fn texts_come_back_as_they_were() {
    round_trip(INITIAL);
    round_trip("8/8/8/8/8/8/8/8 b - - 4294967295 4294967295");
    round_trip("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2");
    round_trip("1rqbkrbn/1ppppp1p/1n6/p1N3p1/8/2P4P/PP1PPPP1/1RQBKRBN w KQkq - 0 9");
    round_trip("rkr5/8/8/8/8/8/8/RKR3R1 w CQkq - 0 1");
}

#[test]
fn shredder_letters_name_the_rook_and_x_fen_the_outermost() {
    let setup: Setup = "rk2r3/8/8/8/8/8/8/1RK1R1R1 w EBea - 0 1".parse().unwrap();
    assert_eq!(setup.to_string(), "rk2r3/8/8/8/8/8/8/1RK1R1R1 w EQkq - 0 1");
    assert_eq!(
        format!("{setup:#}"),
        "rk2r3/8/8/8/8/8/8/1RK1R1R1 w EBea - 0 1"
    );
}

#[test]
fn fields_from_the_castling_rights_on_may_be_missing() {
    let setup: Setup = "8/8/8/8/8/8/8/K1k5 w".parse().unwrap();
    assert_eq!(setup.to_string(), "8/8/8/8/8/8/8/K1k5 w - - 0 1");
}

#[test]
fn all_errors_are_found_at_once() {
    let check = |fen: &str, expected: &[&str]| {
        let errors = parse_all(fen.as_bytes()).unwrap_err();
        let errors: Vec<_> = errors.listed.iter().map(ToString::to_string).collect();
        assert_eq!(errors, expected, "{fen}");
    };
    check("", &["the piece placement is missing (column 1)"]);
    check(
        "8/7/x8/44/98/8/8/ppppppppp W KxQ e9 -1 one more",
        &[
            "rank 7 has fewer than 8 squares (column 4)",
            "unexpected `x` in the piece placement (column 5)",
            "rank 5 has two numbers in a row (column 9)",
            "unexpected `9` in the piece placement (column 11)",
            "rank 1 has more than 8 squares (column 26)",
            "the side to move cannot be understood (column 28)",
            "unexpected `x` in the castling rights (column 31)",
            "the en passant square cannot be understood (column 34)",
            "the halfmove clock is not a number (column 37)",
            "the move number is not a number (column 40)",
            "unexpected `m` in the text after the move number (column 44)",
        ],
    );
}

#[test]
fn places_of_fields_and_pieces() {
    let text = b" 4k3/8/8/8/8/8/8/4K2R w K -";
    assert_eq!(field_range(text, FenField::Castling), 24..25);
    assert_eq!(field_range(text, FenField::Halfmoves), 27..27);
    let place = |square: &[u8; 2]| piece_place(text, Square::from_ascii(*square).unwrap());
    assert_eq!(place(b"e8"), Some(2));
    assert_eq!(place(b"h1"), Some(20));
    assert_eq!(place(b"e4"), None);
}

#[test]
fn errors_name_field_and_place() {
    let check = |fen: &str, expected: &str| {
        assert_eq!(fen.parse::<Setup>().unwrap_err().to_string(), expected);
    };
    check("", "the piece placement is missing (column 1)");
    check("8/8/8/8/8/8/8/8", "the side to move is missing (column 16)");
    check(
        "8/8/8/9/8/8/8/8 w",
        "unexpected `9` in the piece placement (column 7)",
    );
    check(
        "8/8/pppp5/8/8/8/8/8 w",
        "rank 6 has more than 8 squares (column 9)",
    );
    check(
        "8/8/17/8/8/8/8/8 w",
        "rank 6 has two numbers in a row (column 6)",
    );
    check(
        "8/7/8/8/8/8/8/8 w",
        "rank 7 has fewer than 8 squares (column 4)",
    );
    check(
        "8/8/8/8/8/8/8 w",
        "the piece placement has fewer than 8 ranks (column 14)",
    );
    check(
        "8/8/8/8/8/8/8/8/8 w",
        "the piece placement has more than 8 ranks (column 16)",
    );
    check(
        "8/8/8/8/8/8/8/8 W",
        "the side to move cannot be understood (column 17)",
    );
    check(
        "8/8/8/8/8/8/8/8 w KX",
        "unexpected `X` in the castling rights (column 20)",
    );
    check(
        "8/8/8/8/8/8/8/8 w - e9",
        "the en passant square cannot be understood (column 21)",
    );
    check(
        "8/8/8/8/8/8/8/8 w - - -1 1",
        "the halfmove clock is not a number (column 23)",
    );
    check(
        "8/8/8/8/8/8/8/8 w - - 0 1 x",
        "unexpected `x` in the text after the move number (column 27)",
    );
}
