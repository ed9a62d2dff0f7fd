//! Published perft counts.

use std::time::Instant;

use arbiter::chess::Position;
use arbiter::commands::perft::counting::{CountTable, Perft, perft};
use arbiter::commands::perft::suite::{self, SuiteEntry};
use rayon::prelude::*;

use crate::arbiter_command::{Scratch, run, run_with_stdin};
use crate::{corpus, position};

#[test]
fn a_byte_order_mark_tells_the_encoding_of_a_divide_or_a_suite() {
    let scratch = Scratch::new("perft-bom");
    let divide = run(&["perft", "-q", "--divide", "--depth", "2"]).stdout;
    let with_mark = |text: &[u8]| [&b"\xef\xbb\xbf"[..], text].concat();
    let wide = |text: &[u8]| {
        let text = String::from_utf8(with_mark(text)).unwrap();
        let units = text.encode_utf16();
        units.flat_map(u16::to_le_bytes).collect::<Vec<u8>>()
    };
    for text in [with_mark(&divide), wide(&divide)] {
        let path = scratch.file("divide", &text);
        let ran = run(&["perft", "-q", "--compare", &path, "--depth", "2"]);
        assert_eq!(
            (ran.code, &*ran.stdout()),
            (Some(0), "moves that agree: 20\n")
        );
    }
    let suite = b"4k3/8/8/8/8/8/8/4KR2 w - - 0 1 ;D1 14\n";
    for text in [with_mark(suite), wide(suite)] {
        let path = scratch.file("suite", &text);
        let ran = run(&["perft", "-q", "--suite", &path]);
        assert!(ran.code.is_some_and(|code| code < 2), "{ran:?}");
    }
    for text in [with_mark(&suite[..28]), wide(&suite[..28])] {
        let ran = run_with_stdin(&["perft", "-q", "--depth", "1", "-"], text);
        assert_eq!(ran.code, Some(0), "{ran:?}");
    }
}

#[test]
fn divides_of_several_positions_name_them() {
    let fens = [
        "4k3/8/8/8/8/8/8/4KR2 w - - 0 1",
        "k7/8/8/8/8/8/8/K7 b - - 0 1",
    ];
    let arguments = ["perft", "-q", "--depth", "2", "--divide", "-"];
    let shown = run_with_stdin(&arguments, fens.join("\n").into_bytes()).stdout();
    let headings: Vec<&str> = shown.lines().filter(|line| line.contains('/')).collect();
    assert_eq!(headings, fens);

    let arguments = [&arguments[..], &["--format", "csv"]].concat();
    let rows = run_with_stdin(&arguments, fens.join("\n").into_bytes()).stdout();
    let of = |fen: &str| {
        let end = format!(",{fen},2");
        rows.lines().filter(|row| row.ends_with(&end)).count()
    };
    assert_eq!((of(fens[0]), of(fens[1])), (13, 3), "{rows}");
}

#[test]
fn a_divide_is_compared_for_one_position_in_words() {
    let scratch = Scratch::new("perft-compare");
    let path = scratch.file("divide", b"e2e4: 20\n");
    for (more, named) in [
        (&["--depth", "0"][..], "`--depth 0`"),
        (
            &["--format", "csv"],
            "`--format` has no meaning with `--compare`",
        ),
        (&["-"], "`--compare` "),
    ] {
        let ran = run(&[&["perft", "--compare", &path], more].concat());
        assert_eq!((ran.code, ran.stdout.len()), (Some(2), 0), "{ran:?}");
        assert!(ran.stderr.contains(named), "{ran:?}");
    }
}

#[test]
fn positions_are_given_as_to_a_uci_engine() {
    let nodes = |position: &[&str]| {
        let ran = run(&[&["perft", "-q", "--depth", "2"], position].concat());
        assert_eq!(ran.code, Some(0), "{ran:?}");
        ran.stdout()
    };
    let kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let chess960 = "4k3/8/8/8/8/8/8/4K1R1 w G - 0 1";
    let moves = |fen: &str, moves: &str| format!("fen {fen} moves {moves}");
    for (given, fen) in [
        ("startpos", arbiter::chess::fen::INITIAL),
        ("position startpos", arbiter::chess::fen::INITIAL),
        (
            "position startpos moves e2e4 e7e5",
            "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
        ),
        // The en passant capture is legal.
        (
            "startpos moves e2e4 a7a6 e4e5 d7d5",
            "rnbqkbnr/1pp1pppp/p7/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3",
        ),
        (&format!("position fen {kiwipete}"), kiwipete),
        (&format!("position {kiwipete}"), kiwipete),
        (
            &moves(kiwipete, "e1g1 E8C8"),
            "2kr3r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R4RK1 w - - 2 2",
        ),
        (
            &moves("8/P7/8/8/8/8/8/K1k5 w - - 0 1", "a7a8q"),
            "Q7/8/8/8/8/8/8/K1k5 b - - 0 1",
        ),
        (
            &moves(chess960, "g1g2 e8e7"),
            "8/4k3/8/8/8/8/6R1/4K3 w - - 2 2",
        ),
        (
            &moves(chess960, "e1g1 e8e7"),
            "8/4k3/8/8/8/8/8/5RK1 w - - 2 2",
        ),
    ] {
        let expected = nodes(&[fen]);
        assert_eq!(nodes(&[given]), expected, "{given}");
        let words: Vec<&str> = given.split(' ').collect();
        assert_eq!(nodes(&words), expected, "{given}");
        let line = run_with_stdin(&["perft", "-q", "--depth", "2", "-"], given.into());
        let line = line.stdout();
        let (count, shown) = line.trim().split_once("  ").unwrap();
        assert_eq!(expected.trim(), format!("nodes: {count}"), "{given}");
        // The position is named by its FEN.
        assert_eq!(nodes(&[shown]), expected, "{shown}");
        assert!(!shown.contains("moves"), "{shown}");
    }
    for (given, reason) in [
        ("startpos moves e2e4 e7e5 e4e5", "`e4e5` is not legal in"),
        ("startpos moves Nf3", "`Nf3` is not legal in"),
        ("position fen 8/8 moves e2e4", "fewer than 8 ranks"),
        ("position", "cannot use the FEN"),
        ("fen", "cannot use the FEN"),
    ] {
        let ran = run(&["perft", "--depth", "1", given]);
        assert_eq!((ran.code, ran.stdout.len()), (Some(2), 0), "{ran:?}");
        assert!(ran.stderr.contains(reason), "{}", ran.stderr);
    }
}

/// Output of the comparison of a position with another program's divide.
#[track_caller]
fn compared(divide: &[&str], position: &[&str]) -> String {
    let divide = run(&[&["perft", "-q", "--divide"], divide].concat()).stdout;
    let words = [&["perft", "-q", "--compare", "-"], position].concat();
    let ran = run_with_stdin(&words, divide);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    ran.stdout()
}

#[test]
fn a_divide_of_which_no_count_agrees_may_be_of_another_depth() {
    for (theirs, ours) in [("4", "2"), ("1", "3"), ("2", "1")] {
        let shown = compared(&["-d", theirs, "startpos"], &["-d", ours, "startpos"]);
        assert_eq!(shown.matches("different: ").count(), 20, "{shown}");
        let asked = "\nthe totals differ: is it the same depth?\nmoves that agree: 0\n";
        assert!(shown.contains(asked), "{shown}");
    }
}

/// A generator without castling, and one that takes no care of its king.
#[test]
fn differences_of_faulty_divides_are_listed() {
    let kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let no_rights = kiwipete.replace("KQkq", "-");
    let shown = compared(&["-d", "3", &no_rights], &["-d", "3", kiwipete]);
    assert!(shown.starts_with("missing: e1c1: legal,"), "{shown}");
    assert_eq!(shown.matches("missing: ").count(), 2, "{shown}");
    assert!(shown.matches("different: ").count() > 40, "{shown}");

    let scratch = Scratch::new("perft-pseudo-legal");
    let queen = (1..=7).map(|rank| format!("d{rank}e{rank}: 1\n"));
    let moves = format!("e1d1: 1\ne1f1: 1\n{}", queen.collect::<String>());
    let path = scratch.file("divide", moves.as_bytes());
    let fen = "3kr3/8/8/8/8/8/8/4K3 w - - 0 1";
    let shown = run(&["perft", "-q", "-d", "1", "--compare", &path, fen]).stdout();
    assert!(shown.contains("extra: d1e1: not legal, 1 nodes"), "{shown}");
}

fn check(fen: &str, depth: u32, nodes: u64) {
    assert_eq!(perft(&position(fen), depth), nodes, "`{fen}` to {depth}");
    let (position, depth) = (position(fen), depth.min(4));
    assert_eq!(
        perft(&position, depth),
        perft_by_playing(&position, depth),
        "`{fen}`"
    );
}

#[test]
fn classic_positions() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    for (depth, nodes) in (0..).zip([1, 20, 400, 8_902, 197_281, 4_865_609]) {
        check(start, depth, nodes);
    }
    for (fen, depth, nodes) in [
        (
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            4,
            4_085_603,
        ),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 5, 674_624),
        (
            "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
            4,
            422_333,
        ),
        (
            "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
            4,
            2_103_487,
        ),
        (
            "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
            4,
            3_894_594,
        ),
    ] {
        check(fen, depth, nodes);
    }
}

#[test]
fn en_passant_under_pins_and_checks() {
    check("3k4/3p4/8/K1P4r/8/8/8/8 b - - 0 1", 6, 1_134_888);
    check("8/8/8/8/k1p4R/8/3P4/3K4 w - - 0 1", 6, 1_134_888);
    check("8/8/4k3/8/2p5/8/B2P2K1/8 w - - 0 1", 6, 1_015_133);
    check("8/b2p2k1/8/2P5/8/4K3/8/8 b - - 0 1", 6, 1_015_133);
    check("8/8/1k6/2b5/2pP4/8/5K2/8 b - d3 0 1", 6, 1_440_467);
    check("8/5k2/8/2Pp4/2B5/1K6/8/8 w - d6 0 1", 6, 1_440_467);
}

#[test]
fn castling_through_and_out_of_check_and_with_a_lost_rook() {
    check("5k2/8/8/8/8/8/8/4K2R w K - 0 1", 6, 661_072);
    check("3k4/8/8/8/8/8/8/R3K3 w Q - 0 1", 6, 803_711);
    check("r3k2r/1b4bq/8/8/8/8/7B/R3K2R w KQkq - 0 1", 4, 1_274_206);
    check("r3k2r/8/3Q4/8/8/5q2/8/R3K2R b KQkq - 0 1", 4, 1_720_476);
}

#[test]
fn promotions_that_capture_check_and_mate() {
    check("n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", 5, 3_605_103);
    check("2K2r2/4P3/8/8/8/8/8/3k4 w - - 0 1", 6, 3_821_001);
    check("4k3/1P6/8/8/8/8/K7/8 w - - 0 1", 6, 217_342);
    check("8/P1k5/K7/8/8/8/8/8 w - - 0 1", 6, 92_683);
    check("K1k5/8/P7/8/8/8/8/8 w - - 0 1", 6, 2_217);
    check("8/k1P5/8/1K6/8/8/8/8 w - - 0 1", 7, 567_584);
}

#[test]
fn discovered_and_double_checks() {
    check("8/8/1P2K3/8/2n5/1q6/8/5k2 b - - 0 1", 5, 1_004_658);
    check("8/8/2k5/5q2/5n2/8/5K2/8 b - - 0 1", 4, 23_527);
}

#[test]
fn chess960_castling() {
    for (fen, depth, nodes) in [
        (
            "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
            4,
            326_672,
        ),
        (
            "2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9",
            4,
            667_366,
        ),
        (
            "r1k1r2q/p1ppp1pp/8/8/8/8/P1PPP1PP/R1K1R2Q w KQkq - 0 1",
            4,
            285_754,
        ),
        ("8/8/8/4B2b/6nN/8/5P2/2R1K2k w Q - 0 1", 4, 118_388),
        ("2r5/8/8/8/8/8/6PP/k2KR3 w K - 0 1", 4, 57_700),
        ("4r3/3k4/8/8/8/8/6PP/qR1K1R2 w KQ - 0 1", 4, 405_636),
        (
            "4rrk1/pbbp2p1/1ppnp3/3n1pqp/3N1PQP/1PPNP3/PBBP2P1/4RRK1 w Ff - 0 1",
            3,
            71_908,
        ),
    ] {
        check(fen, depth, nodes);
    }
}

/// Captures, en passant, castles, promotions, checks, discovered checks, double checks and mates at
/// a depth.
fn check_kinds(fen: &str, depth: u32, expected: [u64; 8]) {
    let found = Perft::default().kinds(&position(fen), depth).unwrap();
    assert_eq!(found.nodes, perft(&position(fen), depth));
    let found = [
        found.captures,
        found.en_passant,
        found.castles,
        found.promotions,
        found.checks,
        found.discovered_checks,
        found.double_checks,
        found.mates,
    ];
    assert_eq!(found, expected, "`{fen}` to {depth}");
}

/// Counts from the Chess Programming Wiki page on perft results.
#[test]
fn kinds_of_moves_agree_with_the_published_tables() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    check_kinds(start, 4, [1_576, 0, 0, 0, 469, 0, 0, 8]);
    check_kinds(start, 5, [82_719, 258, 0, 0, 27_351, 6, 0, 347]);
    let kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    check_kinds(kiwipete, 3, [17_102, 45, 3_162, 0, 993, 0, 0, 1]);
    check_kinds(
        kiwipete,
        4,
        [757_163, 1_929, 128_013, 15_172, 25_523, 42, 6, 43],
    );
    let rooks = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1";
    check_kinds(rooks, 5, [52_051, 1_165, 0, 0, 52_950, 1_292, 3, 0]);
    check_kinds(
        rooks,
        6,
        [940_350, 33_325, 0, 7_552, 452_473, 26_067, 0, 2_733],
    );
}

#[test]
fn a_table_changes_no_count_however_small_or_shared() {
    for mib in [0, 1, 16] {
        let table = CountTable::new(mib).unwrap();
        let counter = Perft {
            table: Some(&table),
            stop: None,
            counted: None,
        };
        // One table for all positions and depths, on all threads at once.
        let suite = [
            (
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                5,
                4_865_609,
            ),
            (
                "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
                4,
                4_085_603,
            ),
            ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 6, 11_030_083),
            ("8/k1P5/8/1K6/8/8/8/8 w - - 0 1", 7, 567_584),
            (
                "r1k1r2q/p1ppp1pp/8/8/8/8/P1PPP1PP/R1K1R2Q w KQkq - 0 1",
                4,
                285_754,
            ),
            (
                "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
                4,
                326_672,
            ),
        ];
        (0..4).into_par_iter().for_each(|_| {
            for (fen, depth, nodes) in suite {
                assert_eq!(
                    counter.count(&position(fen), depth),
                    Ok(nodes),
                    "`{fen}`, {mib} MiB"
                );
            }
        });
    }
}

/// Counts with a table of 1 MiB and without one.
fn check_with_table(fen: &str, depth: u32) {
    let table = CountTable::new(1).unwrap();
    let counter = Perft {
        table: Some(&table),
        stop: None,
        counted: None,
    };
    let position = position(fen);
    for depth in 1..=depth {
        assert_eq!(
            counter.count(&position, depth),
            Ok(perft(&position, depth)),
            "`{fen}` to {depth}"
        );
    }
}

#[test]
fn a_table_finds_the_same_moves_in_another_order() {
    // Pieces that capture each other, lose castling rights and promote in every order.
    for (fen, depth) in [
        (
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            5,
        ),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", 5),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 6),
        ("8/1pp5/8/K1PP3r/1R3p1k/8/4P1P1/8 b - - 0 1", 6),
        ("n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", 5),
        ("4k2r/6pp/8/8/8/8/PP6/R3K3 w Qk - 0 1", 7),
        ("r3k3/pp6/8/8/8/8/6PP/4K2R b Kq - 0 1", 7),
        ("4k3/3ppp2/8/8/8/8/2PPP3/4K3 w - - 0 1", 8),
        ("8/8/1k6/4n3/8/3N4/5K2/8 w - - 0 1", 6),
    ] {
        check_with_table(fen, depth);
    }
}

#[test]
fn a_table_stays_right_with_seventeen_queens() {
    // Up to 232 moves, although a game has at most 218.
    check_with_table("Q3QQnk/K1Q3pp/Q4Qpp/3Q3Q/1Q4Q1/4Q3/2Q4Q/Q3QQ2 b - - 0 1", 4);
}

#[test]
fn a_table_stays_right_with_more_men_than_it_has_room_for() {
    check_with_table(
        "rnbqkbnr/pppppppp/pppppppp/8/8/PPPPPPPP/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        5,
    );
}

/// Perft with the move generator that games use, one move at a time.
fn perft_by_playing(position: &Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    position
        .legal_moves()
        .into_iter()
        .map(|mv| {
            let mut next = position.clone();
            next.play_unchecked(mv);
            perft_by_playing(&next, depth - 1)
        })
        .sum()
}

/// Node limit per line and depth for moves that are played one at a time.
const PLAYED_CAP: u64 = 400_000;

/// Node limit per line and depth. Deeper counts take minutes and find little more.
const CAP: u64 = 10_000_000;

#[test]
fn every_line_of_every_suite() {
    let mut lines = Vec::new();
    for (suite, least) in [
        ("standard.epd", 127),
        ("chess960.epd", 960),
        ("en_passant.epd", 1_200),
        ("double_checks.epd", 184),
        ("tricky.perft", 26),
    ] {
        let Some(text) = corpus::text(&format!("perft/{suite}")) else {
            return;
        };
        let read =
            suite::parse(&text).unwrap_or_else(|(line, reason)| panic!("{suite}:{line}: {reason}"));
        assert!(read.len() >= least, "{suite}: {} lines", read.len());
        lines.extend(read);
    }

    let begin = Instant::now();
    let table = CountTable::new(64).unwrap();
    let remembering = Perft {
        table: Some(&table),
        stop: None,
        counted: None,
    };
    let (checked, counts, nodes) = lines
        .par_iter()
        .map(|SuiteEntry { fen, counts, .. }| {
            let position = position(fen);
            let affordable = counts.iter().filter(|&&(_, nodes)| nodes <= CAP);
            affordable.fold((0, 0, 0), |(_, checked, sum), &(depth, nodes)| {
                assert_eq!(perft(&position, depth), nodes, "`{fen}` to {depth}");
                if nodes <= PLAYED_CAP {
                    assert_eq!(
                        remembering.count(&position, depth),
                        Ok(nodes),
                        "`{fen}` to {depth}, with a table"
                    );
                    assert_eq!(
                        perft_by_playing(&position, depth),
                        nodes,
                        "`{fen}` to {depth}"
                    );
                }
                (1, checked + 1, sum + nodes)
            })
        })
        .reduce(|| (0, 0, 0_u64), |a, b| (a.0 + b.0, a.1 + b.1, a.2 + b.2));
    println!(
        "{checked} lines, {counts} counts, {nodes} nodes in {:?}",
        begin.elapsed()
    );
    assert!(checked >= 2_490, "{checked} lines");
    assert!(counts >= 6_200, "{counts} counts");
}
