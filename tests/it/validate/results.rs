//! Results: against each other, against the board, and against the automatic ends of the rules.

use std::fs;

use arbiter::findings::{Checks, Finding};
use arbiter::pgn::ResultMark;
use arbiter::replay::Reader;

use crate::corpus;
use crate::found::{codes, findings, game};

/// Recorded result of a game, or an error if it is not one of the four.
fn recorded(pgn: &str) -> Result<Option<ResultMark>, ()> {
    let mut reader = Reader::new();
    let game = reader.read(pgn.as_bytes(), None);
    game.recorded_result(pgn.as_bytes()).map_err(|_| ())
}

/// The only finding of a game.
fn only(pgn: &str) -> Finding {
    let mut found = findings(pgn.as_bytes(), &Checks::default());
    assert_eq!(found.len(), 1, "{pgn}: {found:?}");
    found.remove(0).0
}

#[test]
fn spellings_of_results() {
    use ResultMark::{Black, Draw, Unknown, White};
    let is = |mark| Ok(Some(mark));
    for (tag, end, result, expected) in [
        ("1-0", "1-0", is(White), &[][..]),
        ("*", "*", is(Unknown), &[]),
        ("1:0", "1-0", is(White), &["N311"]),
        ("1-0", "1:0", is(White), &["N311"]),
        ("1:0", "1:0", is(White), &["N311", "N311"]),
        ("0–1", "0–1", is(Black), &["N311", "N311"]),
        ("0-1", "0 - 1", is(Black), &["N311"]),
        ("0-1", "0 : 1", is(Black), &["N311"]),
        ("1/2-1/2", "0.5-0.5", is(Draw), &["N311"]),
        ("1/2-1/2", "0.5:0.5", is(Draw), &["N311"]),
        ("1/2-1/2", "0.5–0.5", is(Draw), &["N311"]),
        ("1/2-1/2", ".5-.5", is(Draw), &["N311"]),
        ("1/2-1/2", "0,5:0,5", is(Draw), &["N311"]),
        ("1.0-0.0", "1.0-0.0", is(White), &["N311", "N311"]),
        ("1-0", "Nc6 3. a3 1.0:0.0", is(White), &["N311"]),
        ("0-1", "0.0:1.0", is(Black), &["N311"]),
        ("1-0", "1,0-0,0", is(White), &["N311"]),
        ("0.0-0.0", "0.0-0.0", Err(()), &["W303", "W303"]),
        ("O-1", "0-1", is(Black), &["N311"]),
        ("1/2-1/2", "1/2", is(Draw), &["N311"]),
        ("1/2", "1/2-1/2", is(Draw), &["N311"]),
        ("1/2-1/2", "½-½", is(Draw), &["N311"]),
        ("1/2-1/2", "½", is(Draw), &["N311"]),
        ("½-½", "½–½", is(Draw), &["N311", "N311"]),
        ("draw", "1/2-1/2", is(Draw), &["N311"]),
        ("1/2-1/2", "Draw", is(Draw), &["N311"]),
        ("1/2-1/2", "1/2:1/2", is(Draw), &["N311"]),
        ("1/2-1/2", "1/2 - 1/2", is(Draw), &["N311"]),
        // None of these is read as one of the four results.
        ("0-0", "*", Err(()), &["W303"]),
        ("0-0", "0-0", Err(()), &["W303", "W303"]),
        ("0:0", "0:0", Err(()), &["W303", "W303"]),
        ("1/2-0", "1/2-0", Err(()), &["W303", "W303"]),
        ("0-1/2", "0-1/2", Err(()), &["W303", "W303"]),
        ("+-", "*", Err(()), &["W303"]),
        ("-:+", "*", Err(()), &["W303"]),
        ("1-1/2", "*", Err(()), &["W303"]),
        ("White", "1-0", Err(()), &["W303"]),
        // Tag and movetext disagree.
        ("1-0", "0-1", is(White), &["E301"]),
        ("1:0", "0:1", is(White), &["N311", "N311", "E301"]),
        ("1-0", "1/2-0", is(White), &["W303", "E301"]),
        ("1-0", "*", is(White), &["E301"]),
    ] {
        let text = game(&[("Result", tag)], &format!("1. e4 e5 2. Nf3 {end}"));
        let mut found = codes(&text);
        found.sort_unstable();
        let mut expected = expected.to_vec();
        expected.sort_unstable();
        assert_eq!(found, expected, "{tag} {end}");
        assert_eq!(recorded(&text), result, "{tag} {end}");
    }
}

#[test]
fn a_mark_at_the_end_counts_where_the_tag_says_nothing() {
    for (end, result) in [
        ("1:0", Ok(Some(ResultMark::White))),
        ("1/2", Ok(Some(ResultMark::Draw))),
        ("1/2-0", Err(())),
        ("0:0", Err(())),
    ] {
        let text = game(&[("Result", "?")], &format!("1. e4 {end}"));
        assert_eq!(recorded(&text), result, "{end}");
    }
}

#[test]
fn zeros_are_castling_where_that_is_legal() {
    let castled = "1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. 0-0";
    assert_eq!(codes(&game(&[], castled)), ["E209"]);
    assert_eq!(codes(&game(&[], &format!("{castled} *"))), [""; 0]);
    // Castling is illegal here, and no other reading is possible.
    let zeros = "1. e4 e5 2. Nf3 Nf6 0-0";
    assert_eq!(codes(&game(&[], zeros)), ["W303", "E301"]);
    assert_eq!(recorded(zeros), Err(()));
    assert_eq!(recorded(castled), Ok(None));
    assert_eq!(codes(&game(&[], "1. e4 e5 0-0 2. Nf3 *")), ["E201"]);
    // Castling is legal here, but the tag makes it a result.
    let text = game(&[("Result", "0-0")], castled);
    assert_eq!(codes(&text), ["W303", "W303"]);
    assert_eq!(recorded(&text), Err(()));
}

#[test]
fn words_that_only_resemble_results() {
    for movetext in [
        "1. e4 1:02 e5 *",
        "1. e4 1/3 *",
        "1. e4 - 0 *",
        "1. e4 e5 2. draws *",
    ] {
        assert!(codes(&game(&[], movetext)).contains(&"E203"), "{movetext}");
    }
    let text = game(&[], "1. e4 +- e5 1 - e4 *");
    assert_eq!(codes(&text), ["N204", "W215", "E203"]);
    let text = game(&[], "1. e4 (1. d4 1:0) e5 *");
    assert!(!codes(&text).iter().any(|code| code.contains("30")));
}

#[test]
fn the_board_against_the_record() {
    let mate = "1. f3 e5 2. g4 Qh4#";
    for (result, expected) in [
        ("0-1", &[][..]),
        ("1-0", &["E302"]),
        ("1/2-1/2", &["E302"]),
        ("*", &["W314"]),
    ] {
        let text = game(&[("Result", result)], &format!("{mate} {result}"));
        assert_eq!(codes(&text), expected, "{result}");
    }
    let stalemate = [
        ("SetUp", "1"),
        ("FEN", "7k/8/6K1/8/8/8/8/5Q2 w - - 0 1"),
        ("Result", "1/2-1/2"),
    ];
    assert_eq!(codes(&game(&stalemate, "1. Qf7 1/2-1/2")), [""; 0]);
    assert_eq!(codes(&game(&stalemate, "1. Qf7 1-0")), ["E301", "E302"]);
    // Drawn by agreement, won by resignation: the board does not contradict.
    for result in ["1-0", "0-1", "1/2-1/2"] {
        let text = game(&[("Result", result)], &format!("1. e4 e5 {result}"));
        assert_eq!(codes(&text), [""; 0], "{result}");
    }
}

#[test]
fn moves_after_mate_and_stalemate_are_reported_as_such() {
    let text = game(&[("Result", "0-1")], "1. f3 e5 2. g4 Qh4# 3. Kf2 Qxg4 0-1");
    let found = only(&text);
    assert_eq!(found.rule.code, "E304");
    assert_eq!(
        found.message,
        "`Kf2` cannot be played: the game ended by checkmate with 2...Qh4#"
    );
    assert_eq!(found.at.unwrap().ply, 5);
    let fen = [
        ("SetUp", "1"),
        ("FEN", "7k/8/6K1/8/8/8/8/5Q2 w - - 0 61"),
        ("Result", "1/2-1/2"),
    ];
    let found = only(&game(&fen, "61. Qf7 Kg8 1/2-1/2"));
    assert_eq!(found.rule.code, "E305");
    assert_eq!(
        found.message,
        "`Kg8` cannot be played: the game ended by stalemate with 61.Qf7"
    );
    // The game is over before the first move.
    let fen = [
        ("SetUp", "1"),
        ("FEN", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 61"),
        ("Result", "1/2-1/2"),
    ];
    let found = only(&game(&fen, "61... Kg8 1/2-1/2"));
    assert_eq!(
        found.message,
        "`Kg8` cannot be played: the game begins with stalemate"
    );
    // The board still contradicts the result.
    let text = game(&[("Result", "1-0")], "1. f3 e5 2. g4 Qh4# 3. Kf2 1-0");
    assert_eq!(codes(&text), ["E304", "E302"]);
}

/// Codes of a dated game from a position, with a result.
fn from(fen: &str, date: &str, movetext: &str, result: &str) -> Vec<&'static str> {
    let tags = [
        ("SetUp", "1"),
        ("FEN", fen),
        ("Date", date),
        ("Result", result),
    ];
    codes(&game(&tags, &format!("{movetext} {result}")))
}

#[test]
fn dead_by_the_pieces_left() {
    for (fen, movetext, result, expected) in [
        // The last pawn is captured.
        (
            "8/8/8/8/8/5k2/4p3/4K3 b - - 0 1",
            "1... Kg2 2. Kxe2",
            "1/2-1/2",
            &[][..],
        ),
        (
            "8/8/8/8/8/5k2/4p3/4K3 b - - 0 1",
            "1... Kg2 2. Kxe2 Kg3",
            "1/2-1/2",
            &["W306"],
        ),
        (
            "8/8/8/8/8/5k2/4p3/4K3 b - - 0 1",
            "1... Kg2 2. Kxe2",
            "1-0",
            &["W307"],
        ),
        (
            "8/8/8/8/8/5k2/4p3/4K3 b - - 0 1",
            "1... Kg2 2. Kxe2 Kg3",
            "0-1",
            &["W306", "W307"],
        ),
        // One knight is insufficient, two are not.
        (
            "4k3/8/8/8/8/8/4n3/4KN2 w - - 0 1",
            "1. Kxe2 Kd8",
            "1/2-1/2",
            &["W306"],
        ),
        (
            "4k3/8/8/8/8/8/4n3/3NKN2 w - - 0 1",
            "1. Kxe2 Kd8",
            "1/2-1/2",
            &[],
        ),
        // Bishops on squares of one colour, and of both.
        (
            "2b1k3/8/8/8/8/8/4n3/4KB2 w - - 0 1",
            "1. Kxe2 Kd8",
            "1/2-1/2",
            &["W306"],
        ),
        (
            "4kb2/8/8/8/8/8/4n3/4KB2 w - - 0 1",
            "1. Kxe2 Kd8",
            "1/2-1/2",
            &[],
        ),
        // Knight against bishop has a helpmate.
        (
            "4kn2/8/8/8/8/8/4n3/4KB2 w - - 0 1",
            "1. Kxe2 Kd8",
            "1/2-1/2",
            &[],
        ),
        // Dead from the initial position on.
        (
            "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
            "1. Kd2",
            "1/2-1/2",
            &["W306"],
        ),
    ] {
        assert_eq!(
            from(fen, "2020.01.01", movetext, result),
            expected,
            "{fen} {movetext} {result}"
        );
        // This rule is older than the games.
        assert_eq!(
            from(fen, "1999.01.01", movetext, result),
            expected,
            "{fen} {movetext} {result}"
        );
    }
}

#[test]
fn a_bare_king_does_not_win() {
    let fen = "8/8/8/8/8/4k3/4q3/7K b - - 0 1";
    assert_eq!(from(fen, "2024.01.01", "1... Kf2", "1-0"), ["N308"]);
    // Until 2023 a player who resigned lost.
    assert_eq!(from(fen, "2020.01.01", "1... Kf2", "1-0"), [""; 0]);
    assert_eq!(from(fen, "2020.01.01", "1... Kf2", "0-1"), [""; 0]);
    assert_eq!(from(fen, "2020.01.01", "1... Kf2", "1/2-1/2"), [""; 0]);
}

const INITIAL: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const FOUR_TIMES: &str =
    "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. Nf3 Nf6 6. Ng1 Ng8 7. Nf3 Nf6 8. Ng1";

#[test]
fn the_fifth_occurrence_ends_the_game() {
    for (date, more, result, expected) in [
        ("2020.01.01", "Ng8", "1/2-1/2", &[][..]),
        ("2020.01.01", "Ng8", "*", &[]),
        ("2020.01.01", "Ng8", "1-0", &["W307"]),
        ("2020.01.01", "Ng8 9. e4", "1/2-1/2", &["W309"]),
        ("2020.01.01", "Ng8 9. e4", "1-0", &["W309"]),
        // Only the fourth occurrence.
        ("2020.01.01", "e5", "1-0", &[]),
        // Before the rule took effect, or possibly before.
        ("2014.06.30", "Ng8 9. e4", "1-0", &[]),
        ("2014.??.??", "Ng8 9. e4", "1-0", &[]),
        ("1972.07.11", "Ng8", "1-0", &[]),
        ("2014.07.01", "Ng8 9. e4", "1-0", &["W309"]),
        ("????.??.??", "Ng8 9. e4", "1-0", &["W309"]),
    ] {
        let movetext = format!("{FOUR_TIMES} {more}");
        assert_eq!(
            from(INITIAL, date, &movetext, result),
            expected,
            "{date} {more} {result}"
        );
    }
}

#[test]
fn other_rights_make_another_position() {
    // The first rook move loses the castling right, so the first occurrence does not count.
    let rooks = |cycles: u32| -> String {
        (0..cycles)
            .map(|nth| format!("{}. Rg1 Rg8 {}. Rh1 Rh8 ", 2 * nth + 1, 2 * nth + 2))
            .collect()
    };
    let fen = "4k2r/8/8/8/8/8/8/4K2R w Kk - 0 1";
    let four = format!("{}9. Kd2", rooks(4));
    assert_eq!(from(fen, "2020.01.01", &four, "*"), [""; 0]);
    let without = fen.replace("Kk", "-");
    assert_eq!(from(&without, "2020.01.01", &four, "*"), ["W309"]);
    let five = format!("{}11. Kd2", rooks(5));
    assert_eq!(from(fen, "2020.01.01", &five, "*"), ["W309"]);
    // The first time, the pawn could be captured en passant.
    let kings: String = [1, 3, 5, 7]
        .into_iter()
        .map(|n| format!("{n}... Kd8 {}. Kd1 Ke8 {}. Ke1 ", n + 1, n + 2))
        .collect();
    let moves = format!("{kings}9... Kd7");
    let fen = "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1";
    assert_eq!(from(fen, "2020.01.01", &moves, "*"), [""; 0]);
    let without = fen.replace("e3", "-");
    assert_eq!(from(&without, "2020.01.01", &moves, "*"), ["W309"]);
}

#[test]
fn seventy_five_moves_end_the_game() {
    let rook = |clock| format!("4k3/8/8/8/8/8/8/R3K3 w - - {clock} 120");
    for (clock, date, movetext, result, expected) in [
        (148, "2020.01.01", "120. Ra2 Kd7", "*", &[][..]),
        (148, "2020.01.01", "120. Ra2 Kd7 121. Ra1", "*", &["W310"]),
        (149, "2020.01.01", "120. Ra2", "1/2-1/2", &[]),
        (149, "2020.01.01", "120. Ra2", "1-0", &["W307"]),
        (149, "2020.01.01", "120. Ra2 Kd7", "1-0", &["W310"]),
        (149, "2014.06.30", "120. Ra2 Kd7", "1-0", &[]),
        (150, "2020.01.01", "120. Ra2 Kd7", "1-0", &["W310"]),
    ] {
        let found = from(&rook(clock), date, movetext, result);
        assert_eq!(found, expected, "{clock} {date} {movetext} {result}");
    }
    // Mate with the last move takes precedence (9.6.2).
    let mate = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 149 120";
    assert_eq!(from(mate, "2020.01.01", "120. Ra8#", "1-0"), [""; 0]);
    // A pawn move resets the halfmove clock.
    let pawn = "4k3/8/8/8/8/8/P7/R3K3 w - - 149 120";
    assert_eq!(
        from(pawn, "2020.01.01", "120. a3 Kd7 121. a4", "*"),
        [""; 0]
    );
}

/// Codes about ends in a corpus file, other than conflicts between results or with the board.
fn in_file(path: &std::path::Path) -> Vec<&'static str> {
    findings(&fs::read(path).unwrap(), &Checks::default())
        .into_iter()
        .map(|(finding, _)| finding.rule)
        .filter(|rule| (304..400).contains(&rule.number()) && rule.number() != 314)
        .map(|rule| rule.code)
        .collect()
}

#[test]
fn games_that_are_known_to_have_gone_on_after_their_end() {
    let Some(folder) = corpus::path("outcomes/labelled_by_folder") else {
        return;
    };
    for (name, expected) in [
        ("realGames/fivefold/beyond", "W309"),
        ("realGames/fivefold/correct", ""),
        ("realGames/seventyFive/beyond", "W310"),
        ("realGames/seventyFive/correct", ""),
        ("realGames/lastMoveAddedAccidentally", ""),
        ("basic/checkmate", ""),
        ("basic/insufficientMaterial", ""),
    ] {
        let mut folders = vec![folder.join(name)];
        let mut files = 0;
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                    continue;
                }
                files += 1;
                // Played before the rule took effect.
                let too_early = path.ends_with("seventy_five_beyond_onischuk_guseinov_2014.pgn");
                let expected = if too_early { "" } else { expected };
                assert_eq!(in_file(&path).join(" "), expected, "{}", path.display());
            }
        }
        assert!(files > 0);
    }
}

#[test]
fn what_real_games_have_in_spite_of_the_rules() {
    // The same count as in python-chess 1.11.2.
    let Some(path) = corpus::path("bulk/twic1427.pgn") else {
        return;
    };
    let found = in_file(&path);
    for (code, expected) in [("W306", 3), ("W309", 3), ("W310", 1)] {
        let count = found.iter().filter(|&&other| other == code).count();
        assert_eq!(count, expected, "{code}");
    }
    // One game ended one forced move before its stalemate.
    assert_eq!(found.iter().filter(|&&code| code == "N323").count(), 1);
    assert_eq!(found.len(), 8);
}
