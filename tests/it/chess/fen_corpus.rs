//! Impossible positions: verdicts of other programs and people on ten thousand FENs.

use std::collections::BTreeMap;

use arbiter::chess::{PositionFault as Fault, Setup};

use crate::corpus;

/// Faults of a FEN, or an empty string.
fn verdict(fen: &str) -> String {
    match fen.parse::<Setup>() {
        Ok(setup) => setup.faults().to_string(),
        Err(error) => error.to_string(),
    }
}

/// The table entry whose prefix matches a label. Exactly one must match.
fn expected<'a>(label: &str, table: &[(&str, &'a str)]) -> &'a str {
    let mut found = table.iter().filter(|(start, _)| label.starts_with(start));
    let Some(&(_, expected)) = found.next() else {
        panic!("`{label}` is not in the table");
    };
    assert!(found.next().is_none(), "`{label}` is in the table twice");
    expected
}

#[test]
fn valid_positions_have_no_fault() {
    let Some(valid) = corpus::text("fen/valid.sfens") else {
        return;
    };
    for fen in valid.lines() {
        assert_eq!(verdict(fen), "", "`{fen}`");
    }
    assert!(valid.lines().count() >= 4_900);
}

/// Faults that can be counted in the text itself, without a board.
fn countable_faults(fen: &str) -> Vec<Fault> {
    let placement = fen.split(' ').next().unwrap();
    let count = |letter: char| placement.matches(letter).count();
    let ranks: Vec<&str> = placement.split('/').collect();
    let mut faults = Vec::new();
    let mut add = |is: bool, fault: Fault| {
        if is {
            faults.push(fault);
        }
    };
    add(count('K') == 0, Fault::NoWhiteKing);
    add(count('k') == 0, Fault::NoBlackKing);
    add(count('K') > 1, Fault::ManyWhiteKings);
    add(count('k') > 1, Fault::ManyBlackKings);
    let back_ranks = [ranks[0], ranks[7]].concat();
    add(back_ranks.contains(['P', 'p']), Fault::PawnOnBackRank);
    let men = |side: fn(&char) -> bool| placement.chars().filter(side).count();
    add(
        men(char::is_ascii_uppercase) > 16 || men(char::is_ascii_lowercase) > 16,
        Fault::TooManyPieces,
    );
    add(count('P') > 8 || count('p') > 8, Fault::TooManyPawns);
    faults
}

/// The file names no faults: some are counted in the text, the others are recorded counts.
/// Faults include all that python-chess 1.11.2 reports where each side has one king.
#[test]
fn invalid_positions_have_a_fault() {
    const SEEN: [(Fault, usize); 17] = [
        (Fault::NoWhiteKing, 405),
        (Fault::NoBlackKing, 424),
        (Fault::ManyWhiteKings, 1129),
        (Fault::ManyBlackKings, 1210),
        (Fault::AdjacentKings, 205),
        (Fault::OppositeCheck, 1056),
        (Fault::PawnOnBackRank, 595),
        (Fault::TooManyPieces, 949),
        (Fault::TooManyPawns, 253),
        (Fault::TooManyPromoted, 954),
        (Fault::EnPassantWithoutPawn, 22),
        (Fault::EnPassantWayBlocked, 20),
        (Fault::TooManyCheckers, 43),
        (Fault::ImpossibleDoubleCheck, 28),
        (Fault::ImpossibleCheck, 20),
        (Fault::CheckBeforeDoubleStep, 24),
        (Fault::CheckAgainstClock, 15),
    ];
    let Some(invalid) = corpus::text("fen/invalid.sfens") else {
        return;
    };
    let (mut seen, mut unplayable) = (BTreeMap::new(), 0);
    for fen in invalid.lines() {
        let setup: Setup = fen.parse().unwrap();
        let faults = setup.faults();
        assert!(!faults.is_empty(), "`{fen}`");
        let counted: Vec<Fault> = faults
            .iter()
            .filter(|fault| {
                use Fault::*;
                matches!(
                    fault,
                    NoWhiteKing
                        | NoBlackKing
                        | ManyWhiteKings
                        | ManyBlackKings
                        | PawnOnBackRank
                        | TooManyPieces
                        | TooManyPawns
                )
            })
            .collect();
        assert_eq!(counted, countable_faults(fen), "`{fen}`");
        for fault in faults.iter() {
            *seen.entry(fault).or_insert(0) += 1;
        }
        unplayable += usize::from(!faults.is_playable());
    }
    assert_eq!(seen.into_iter().collect::<Vec<_>>(), SEEN);
    assert_eq!((invalid.lines().count(), unplayable), (5_006, 4_181));
}

#[test]
fn fens_another_program_validates() {
    let Some(table) = corpus::text("fen/validate_fen.tsv") else {
        return;
    };
    for line in table.lines() {
        let (is_valid, fen) = line.split_once('\t').unwrap();
        assert_eq!(verdict(fen).is_empty(), is_valid == "true", "`{fen}`");
    }
    assert!(table.lines().count() >= 60);
}

/// Labels of the two EPD files, and the faults expected for each.
const EPD: [(&str, &str); 23] = [
    ("startpos", ""),
    ("18 rooks", ""),
    ("18 knights", ""),
    ("18 queens", ""),
    ("extra white space", ""),
    ("leading spaces", ""),
    (
        "30 knights",
        "a side has more promoted pieces than missing pawns",
    ),
    (
        "too many promoted",
        "a side has more promoted pieces than missing pawns; a castling right without its rook",
    ),
    (
        "white 18 pieces",
        "a side has more than 16 men; a side has more promoted pieces than missing pawns",
    ),
    (
        "black 17 pieces",
        "a side has more than 16 men; a side has more promoted pieces than missing pawns",
    ),
    (
        "two castling rooks",
        "a castling right without its rook; a castling right of a king in the corner",
    ),
    ("castle status", "a castling right without its rook"),
    ("3 kings", "Black has more than one king"),
    (
        "1 king",
        "Black has no king; a castling right of a side whose king is not on its back rank",
    ),
    (
        "pawn back rank",
        "a pawn stands on the first or last rank; a castling right without its rook",
    ),
    (
        "extra piece on rank",
        "rank 7 has more than 8 squares (column 18)",
    ),
    (
        "square count too low",
        "rank 5 has fewer than 8 squares (column 22)",
    ),
    (
        "square count too high",
        "rank 4 has more than 8 squares (column 20)",
    ),
    (
        "slash chars",
        "unexpected `.` in the piece placement (column 9)",
    ),
    (
        "bad character",
        "unexpected `i` in the piece placement (column 14)",
    ),
    (
        "bad numeric",
        "unexpected `0` in the piece placement (column 6)",
    ),
    (
        "garbage",
        "unexpected `l` in the piece placement (column 2)",
    ),
    ("epd should be OK", ""),
];

/// Compares the verdict on each line of an EPD file with its label, except for the exceptions
/// below.
fn check_epd(name: &str, least: usize) {
    let Some(text) = corpus::text(name) else {
        return;
    };
    let mut cases = 0;
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let (fen, label) = line.split_once(';').unwrap_or((line, ""));
        let (label, found) = (label.trim_start(), verdict(fen));
        cases += 1;
        if label.starts_with("bad EPD") {
            // The label does not name the fault; it is the same in all of them.
            let check = "the side that is not to move stands in check";
            assert!(found.starts_with(check), "`{line}`: {found}");
        } else if fen.contains(" - -0 1 ") {
            // Three lines lack the space between en passant square and clock, perhaps by mistake.
            assert!(
                found.starts_with("the en passant square cannot"),
                "`{line}`: {found}"
            );
            assert_eq!(verdict(fields(&fen.replace(" -0 ", " - 0 "))), "");
        } else {
            assert_eq!(verdict(fields(fen)), expected(label, &EPD), "`{line}`");
        }
    }
    assert!(cases >= least, "{cases} cases");
}

/// An EPD without its operations, which are all best moves in these files.
fn fields(epd: &str) -> &str {
    epd.split(" bm ").next().unwrap_or(epd)
}

#[test]
fn epds_made_to_break_programs() {
    check_epd("fen/destructive.epd", 56);
    check_epd("fen/destruction_test.epd", 49);
}

/// Verdicts of several programs, and the faults expected for each.
/// If a program is more lenient, the table itself names the fault.
const VALIDITY: [(&str, &str); 25] = [
    ("valid", ""),
    (
        "opponent in check",
        "the side that is not to move stands in check",
    ),
    ("two white kings", "White has more than one king"),
    (
        "triple check",
        "the side to move is checked by three or more pieces",
    ),
    (
        "impossible double check",
        "no last move can have given both checks",
    ),
    (
        "two stepping checkers",
        "no last move can have given both checks",
    ),
    (
        "impossible check given ep",
        "the king was in check already before the double step over the en passant square",
    ),
    (
        "ep illegal; position unreachable",
        "the king was in check already before the double step over the en passant square",
    ),
    ("castling rights K,k,q", "a castling right without its rook"),
    ("Q right without rook", "a castling right without its rook"),
    (
        "impossible castling rights + ep",
        "a castling right of a side whose king is not on its back rank; a castling right without its rook; \
         a castling right of a king in the corner",
    ),
    (
        "ep: no pawn to capture",
        "no pawn stands before the en passant square; the en passant square or the square behind it is occupied",
    ),
    (
        "ep: square behind",
        "the en passant square or the square behind it is occupied",
    ),
    (
        "ep: origin square",
        "the en passant square or the square behind it is occupied",
    ),
    (
        "ep without pawn",
        "no pawn stands before the en passant square",
    ),
    (
        "ep on wrong rank",
        "the en passant square is on the wrong rank for the side to move",
    ),
    (
        "ep present with halfmove clock 7",
        "an en passant square, but a halfmove clock above 0; the halfmove clock is larger than the move number allows",
    ),
    (
        "halfmove clock larger",
        "the halfmove clock is larger than the move number allows",
    ),
    (
        "rank 6 has 9 squares",
        "rank 6 has more than 8 squares (column 12)",
    ),
    ("no kings", "White has no king; Black has no king"),
    ("adjacent kings", "the kings stand next to each other"),
    ("nine black pawns", "a side has more than 8 pawns"),
    (
        "pawn on 8th rank",
        "a pawn stands on the first or last rank",
    ),
    (
        "pawn on 1st rank",
        "a pawn stands on the first or last rank",
    ),
    // python-chess assumes White to move; arbiter does not guess.
    ("missing fields", "the side to move is missing (column 44)"),
];

#[test]
fn fens_of_other_programs() {
    let Some(table) = corpus::text("outcomes/fen_validity.tsv") else {
        return;
    };
    let mut cases = 0;
    for row in corpus::rows(&table) {
        let [fen, label, ..] = row[..] else {
            panic!("{row:?}");
        };
        assert_eq!(verdict(fen), expected(label, &VALIDITY), "`{fen}`: {label}");
        cases += 1;
    }
    assert!(cases >= 30, "{cases} cases");
}
