//! `validate --fix`: findings are gone, and nothing else has changed.

use std::collections::BTreeMap;
use std::path::Path;

use arbiter::findings::registry::{Fix, RULES, Rule, Strictness};

use crate::arbiter_command::{Ran, Scratch, run, run_with_stdin};
use crate::found::game;
use crate::validate::fix_reports::apply;

/// Output of `--fix` for a text, with all codes that can be repaired unless some are selected.
pub(crate) fn fixed(text: &str, more: &[&str]) -> Ran {
    let is_selected = |rule: &&&Rule| match rule.strictness {
        Strictness::Always | Strictness::WarnIfStrict => true,
        Strictness::StrictOnly => rule.fix != Fix::Never,
        Strictness::Optional => false,
    };
    let all: Vec<_> = RULES
        .iter()
        .filter(is_selected)
        .map(|rule| rule.code)
        .collect();
    let all = all.join(",");
    let select = match more.contains(&"--select") {
        true => &[][..],
        false => &["--select", &all],
    };
    let words = [&["validate", "--fix"], select, more].concat();
    run_with_stdin(&words, text.as_bytes().to_vec())
}

/// The closing line that begins with `fixed: `, without these words.
pub(crate) fn codes_of(ran: &Ran) -> String {
    let mut lines = ran.stderr.lines();
    let line = lines.find_map(|line| line.strip_prefix("fixed: "));
    line.unwrap_or_else(|| panic!("{}", ran.stderr)).to_owned()
}

/// Checks the movetext of a repaired game with these tags, and the codes.
#[track_caller]
fn check_tags(tags: &[(&str, &str)], before: &str, after: &str, codes: &str) {
    let ran = fixed(&game(tags, before), &[]);
    assert_eq!(ran.stdout(), game(tags, after), "{before}");
    assert_eq!(codes_of(&ran), codes, "{before}");
}

#[track_caller]
pub(crate) fn check(before: &str, after: &str, codes: &str) {
    check_tags(&[], before, after, codes);
}

#[test]
fn blanks_outside_ascii_become_spaces() {
    check(
        "1. e4\u{a0}e5 2.\u{a0}Nf3 Nc6\u{2009}3.\u{3000}Bb5 {a\u{a0}b} a6\u{202f}*",
        "1. e4 e5 2. Nf3 Nc6 3. Bb5 {a\u{a0}b} a6 *",
        "5 W263",
    );
    check(
        "1. e4 e5 2. Sf3\u{a0}Sc6 3. Lb5\u{a0}a6 *",
        "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *",
        "1 N260, 2 W263",
    );
    check("1. e4\u{e0}e5 *", "1. e4\u{e0}e5 *", "nothing");
    check(
        "1. e4\u{a0}± e5\u{2009}⩲\u{a0}2. Nf3 *",
        "1. e4 ± e5 ⩲ 2. Nf3 *",
        "3 W263",
    );
}

#[test]
fn signs_with_blanks_and_second_results_stay() {
    check("1. e4 e5 2. Nf3 + = *", "1. e4 e5 2. Nf3 + = *", "nothing");
    check(
        "1. e4 e5 2. Nf3 + / - Nc6 *",
        "1. e4 e5 2. Nf3 + / - Nc6 *",
        "nothing",
    );
    check("1. e4 e5 1-0 0-1", "1. e4 e5 1-0 0-1", "nothing");
}

#[test]
fn moves_are_written_in_san() {
    check(
        "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. 0-0 (4. d3 Nf6 5. 0-0) 4... Nf6 *",
        "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O (4. d3 Nf6 5. O-O) 4... Nf6 *",
        "2 N246",
    );
    check(
        "1. e4 e5 2. ♘f3! $14 {gut} ♞c6 3. ♗b5 *",
        "1. e4 e5 2. Nf3! $14 {gut} Nc6 3. Bb5 *",
        "1 N260",
    );
    check(
        "1. e4 e5 2. Sf3 Sc6 3. Lb5 (3. Lc4 Lc5) 3... Sf6 *",
        "1. e4 e5 2. Nf3 Nc6 3. Bb5 (3. Bc4 Bc5) 3... Nf6 *",
        "1 N260",
    );
    check("1. e2-e4 e7e5 *", "1. e4 e5 *", "1 N244, 1 N245");
}

#[test]
fn a_glyph_before_a_mark_stays() {
    check(
        "1. e4 e5 2. Bc4 Nc6 3. Bxf7!+ Ke7 4. Qh5?!+ {why} d6 5. Qh4 ?! + Kxf7 *",
        "1. e4 e5 2. Bc4 Nc6 3. Bxf7+! Ke7 4. Qh5?! {why} d6 5. Qh4+?! Kxf7 *",
        "2 N230, 3 N236",
    );
    check(
        "1. e4 e6 2. e5 d5 3. exd6!e.p. c6 4. d7!?ch Ke7 *",
        "1. e4 e6 2. e5 d5 3. exd6! c6 4. d7+!? Ke7 *",
        "1 N230, 1 N236, 1 N253",
    );
    check(
        "1. e4 e5 2. Lc4 Sc6 3. Lxf7!+ Ke7 4. d3! (4. Lb3) Sf6 *",
        "1. e4 e5 2. Bc4 Nc6 3. Bxf7+! Ke7 4. d3! (4. Bb3) Nf6 *",
        "1 N236, 1 N260",
    );
    check(
        "1. e4 e5 2. Bc4 Nc6 3. Bxf7!+? Ke7 *",
        "1. e4 e5 2. Bc4 Nc6 3. Bxf7+! ? Ke7 *",
        "1 N230, 1 N236",
    );
    let ran = fixed(
        &game(&[], "1. e4 e5 2. Bc4 Nc6 3. Bxf8!+ Ke7 4. d3 d6 5. c3 a6 *"),
        &["--fix-suggestions"],
    );
    assert!(ran.stdout().contains("3. Bxf7+! Ke7"), "{ran:?}");
}

#[test]
fn a_pawn_move_that_may_be_a_bishops_stays() {
    let text = "1. e4 e5 2. Bc4 Nf6 3. bb3 d6 *";
    check(text, text, "nothing");
    let ran = fixed(&game(&[], text), &["--fix-suggestions"]);
    assert!(ran.stdout().contains("3. bb3 d6"), "{ran:?}");
    check("1. e4 e5 2. bb3 *", "1. e4 e5 2. b3 *", "1 N240");
    // In German letters, `b` is no bishop.
    check(
        "1. e4 e5 2. Lc4 Sf6 3. bb3 *",
        "1. e4 e5 2. Bc4 Nf6 3. b3 *",
        "1 N240, 1 N260",
    );
}

#[test]
fn check_marks_are_those_of_the_position() {
    check_tags(
        &[("Result", "0-1")],
        "1. f3 e5 2. g4 Qh4 0-1",
        "1. f3 e5 2. g4 Qh4# 0-1",
        "1 N232",
    );
    check(
        "1. e4 e5 2. Qh5+ Nc6 3. Qxf7 Kxf7 4. Nf3# *",
        "1. e4 e5 2. Qh5 Nc6 3. Qxf7+ Kxf7 4. Nf3 *",
        "1 N230, 1 N231, 1 N233",
    );
}

#[test]
fn move_numbers_count_the_moves() {
    check(
        "1. e4 e5 3. Nf3 (3. d4 exd4 4. c3) 3... Nc6 4. Bb5 *",
        "1. e4 e5 2. Nf3 (2. d4 exd4 3. c3) 2... Nc6 3. Bb5 *",
        "1 W215",
    );
    // A move may be missing.
    check(
        "1. e4 e5 3. Nf3 Nc6 4. Ba5 *",
        "1. e4 e5 3. Nf3 Nc6 4. Ba5 *",
        "nothing",
    );
    // Numbers between moves may be evaluations and times.
    let noted = "1. e4 0.25 e5 0.31 2. Nf3 0.28 Nc6 0.30 *";
    check(noted, noted, "nothing");
    let timed = "1.e4 5 e5 9 2.Nf3 11 Nc6 20 3.Bb5 Nf6 *";
    check(timed, timed, "nothing");
    let with_comments = "1.e4 5 {x} e5 9 {x} 2.Nf3 11 Nc6 20 ! 3.Bb5 Nf6 *";
    check(with_comments, with_comments, "nothing");
    check("1.e4 e5 3.Nf3 Nc6 4. *", "1.e4 e5 2.Nf3 Nc6 3. *", "1 W215");
    // Numbers that begin with 1 whatever the position.
    let fen = [("SetUp", "1"), ("FEN", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 30")];
    check_tags(&fen, "1. e4 Kd7 2. e5 *", "1. e4 Kd7 2. e5 *", "nothing");
    check_tags(&fen, "1. e4 Kd7 3. e5 *", "1. e4 Kd7 2. e5 *", "1 W215");
}

#[test]
fn results_come_from_the_terminator_or_the_board() {
    let tags = "[Event \"?\"]\n[White \"a\"]\n[Black \"b\"]\n";
    let text = format!("{tags}\n1. e4 e5 1-0\n");
    let ran = fixed(&text, &[]);
    assert_eq!(
        ran.stdout(),
        format!("{tags}[Result \"1-0\"]\n\n1. e4 e5 1-0\n")
    );
    assert_eq!(codes_of(&ran), "1 W129");
    for unknown in ["", "?", "*"] {
        let ran = fixed(&game(&[("Result", unknown)], "1. e4 e5 1-0"), &[]);
        assert_eq!(ran.stdout(), game(&[("Result", "1-0")], "1. e4 e5 1-0"));
    }
    // The board.
    let mate = "1. f3 e5 2. g4 Qh4#";
    for before in [format!("{mate} *"), mate.to_owned()] {
        let ran = fixed(&game(&[], &before), &[]);
        assert_eq!(
            ran.stdout(),
            game(&[("Result", "0-1")], &format!("{mate} 0-1"))
        );
    }
    let mated = [("Result", "0-1")];
    check_tags(
        &mated,
        "1. f3 e5 2. g4 Qh4# ; ouch",
        "1. f3 e5 2. g4 Qh4# ; ouch\n0-1",
        "1 E209",
    );
    // Results that contradict each other or the board stay.
    check_tags(&mated, "1. e4 e5 1-0", "1. e4 e5 1-0", "nothing");
    check_tags(
        &[("Result", "1-0")],
        &format!("{mate} 1-0"),
        &format!("{mate} 1-0"),
        "nothing",
    );
    // A text may be cut off: its end is certain only on the board.
    check_tags(&[("Result", "1-0")], "1. e4 e5", "1. e4 e5", "nothing");
    let ran = fixed(
        &game(&[("Result", "1-0")], "1. e4 e5"),
        &["--fix-suggestions"],
    );
    assert_eq!(ran.stdout(), game(&[("Result", "1-0")], "1. e4 e5 1-0"));
    let tag = [("Result", "1/2-1/2")];
    check_tags(&tag, "1. e4 e5 ½-½", "1. e4 e5 1/2-1/2", "1 N311");
}

#[test]
fn tags_are_written_once_and_escaped() {
    let tags = |lines: &str| format!("{lines}[White \"a\"]\n[Black \"b\"]\n[Result \"*\"]\n\n*\n");
    for (before, after, codes) in [
        (
            "[Event \"x\"]\n[Event \"x\"]\n",
            "[Event \"x\"]\n",
            "1 W105",
        ),
        (
            "[Event \"x\"] [Event \"x\"]\n",
            "[Event \"x\"] \n",
            "1 W105",
        ),
        (
            "[Event \"x\"]\n[Event \"y\"]\n",
            "[Event \"x\"]\n[Event \"y\"]\n",
            "nothing",
        ),
        (
            "[Event \"the \"x\" and \\\"y\"]\n",
            "[Event \"the \\\"x\\\" and \\\"y\"]\n",
            "1 W107",
        ),
        (
            "[Event \"x\"]<br />\n\u{a0}[Site \"y\"], ; z\n",
            "[Event \"x\"]{<br />}\n[Site \"y\"]{,} ; z\n",
            "1 W131",
        ),
        (
            "[Event \"x\"]] foo\nbar [Site \"y\"] ][\n",
            "[Event \"x\"]{] foo}\n{bar} [Site \"y\"] \n",
            "1 W131",
        ),
        (
            "[Event \"x\"];\n[Site \"y\"];\r\n",
            "[Event \"x\"]\n[Site \"y\"]\r\n",
            "1 W131",
        ),
        (
            "> [Event \"x\"]\n>[Site \"y\"]\n> ",
            "[Event \"x\"]\n[Site \"y\"]\n",
            "1 W131",
        ),
    ] {
        let ran = fixed(&tags(before), &[]);
        assert_eq!(ran.stdout(), tags(after));
        assert_eq!(codes_of(&ran), codes, "{before}");
    }
}

#[test]
fn lines_end_with_line_feeds_and_games_with_lines() {
    let text = game(&[], "1. e4 {é} e5 *");
    let ran = fixed(&text.replace('\n', "\r"), &[]);
    assert_eq!(
        (ran.stdout(), codes_of(&ran)),
        (text.clone(), "1 N010".to_owned())
    );
    let crlf = text.replace('\n', "\r\n");
    assert_eq!(fixed(&crlf, &[]).stdout(), crlf);
    let glued = format!("{}{text}", text.trim_end());
    let ran = fixed(&glued, &[]);
    assert_eq!(ran.stdout(), format!("{}\n\n{text}", text.trim_end()));
    assert_eq!(codes_of(&ran), "1 N011");
    let utf_16: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let ran = run_with_stdin(&["validate", "--fix"], utf_16.clone());
    assert_eq!((ran.stdout(), codes_of(&ran)), (text, "1 N004".to_owned()));
}

/// Number of findings of each code under `--strict`.
pub(crate) fn strict_codes(path: &str) -> BTreeMap<String, usize> {
    let words = ["validate", "-q", "--strict", "--format", "jsonl", path];
    let mut codes = BTreeMap::new();
    for line in run(&words).stdout().lines() {
        let code = line.strip_prefix("{\"code\":\"").unwrap();
        *codes.entry(code[..4].to_owned()).or_default() += 1;
    }
    codes
}

#[test]
fn games_are_separated_by_the_line_ends_of_the_file() {
    let scratch = Scratch::new("fix-breaks");
    for end in ["\n", "\r\n"] {
        let text = |text: &str| text.replace('\n', end);
        let one = game(&[], "1. e4 e5 2. d4 *");
        let one = one.trim_end();
        let more = ["[White \"a\"] 1. d4 *", "[White \"b\"] 1. c4 *"];
        for before in [
            format!("{one}{} \t{}", more[0], more[1]),
            format!("{one} {}{}\n", more[0], more[1]),
        ] {
            let rest = if before.ends_with('\n') { "\n" } else { "" };
            let after = text(&format!("{one}\n\n{}\n\n{}{rest}", more[0], more[1]));
            let before = text(&before);
            let ran = fixed(&before, &[]);
            assert_eq!(
                (ran.stdout(), codes_of(&ran)),
                (after.clone(), "2 N011".to_owned())
            );
            let output = scratch.file("fixed.pgn", after.as_bytes());
            let left = strict_codes(&output);
            for brought in ["N011", "W220", "W228"] {
                assert_eq!(left.get(brought), None, "{before}");
            }
            let input = scratch.file("games.pgn", before.as_bytes());
            let diff = run(&["validate", "-q", "--strict", "--fix", "--diff", &input]).stdout();
            assert_eq!(apply(&diff, &before), after);
        }
        // The line end comes last.
        let before = text(&format!("{} {}\n", more[0], more[1]));
        let after = text(&format!("{}\n\n{}\n", more[0], more[1]));
        assert_eq!(fixed(&before, &[]).stdout(), after);
    }
    let line = "[White \"a\"] 1. e4 *  ".repeat(20_000);
    let text = format!("{}\r\n\r\n[White \"a\"] 1. d4 *\r\n", line.trim_end());
    let ran = fixed(&text, &[]);
    assert!(ran.stdout() == text.replace("  [White", "\n\n[White"));
    for jobs in ["1", "7"] {
        assert!(fixed(&text, &["-j", jobs]).stdout == ran.stdout);
    }
}

#[test]
fn lines_do_not_become_too_long() {
    let castled = "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. 0-0 d6 5. Qe1 Nf6 6. d3 h6 7. Nc3 a6 8. a3 b5";
    let moves = format!("{castled}\n9. b3 Nd4 10. Nxd4 Bxd4 11. h3 *");
    let long = moves
        .replace("1. e4 e5 2. Nf3", "{a comment} 1. e2e4 e5 2. Nf3")
        .replace('\n', " ");
    // 79 characters with two checks without marks.
    let line = "1. e4 e5 2. Qh5 Nc6 3. Qxf7 Kxf7 4. d4 d6 5. Bc4 Ke8 6. Bf7 Ke7 7. Nf3 {123456}";
    assert_eq!(line.len(), 79);
    for end in ["\n", "\r\n"] {
        let text = |text: &str| text.replace('\n', end);
        let before = text(&game(&[], &format!("{line}\n7... a6 *")));
        let after = "1. e4 e5 2. Qh5 Nc6 3. Qxf7+ Kxf7 4. d4 d6 5. Bc4+ Ke8 6. Bf7+ Ke7\n\
                     7. Nf3 {123456}\n7... a6 *";
        let ran = fixed(&before, &[]);
        assert_eq!(ran.stdout(), text(&game(&[], after)));
        assert_eq!(codes_of(&ran), "3 N230");
        let ran = fixed(&before, &["--strict"]);
        assert_eq!(ran.stdout(), text(&game(&[], after)));
    }
    // A line that is too long already stays one.
    let ran = fixed(&game(&[], &long), &[]);
    let whole = long.replace("e2e4", "e4").replace("0-0", "O-O");
    assert_eq!(ran.stdout(), game(&[], &whole));
    // No move can be put on another line.
    let comment = "x".repeat(74);
    let mate = format!("1. f3 e5 2. g4\nQh4{{{comment}}}\n0-1");
    let before = game(&[("Result", "0-1")], &mate);
    let ran = fixed(&before, &[]);
    assert_eq!(ran.stdout(), before);
    let said = "not fixed, as other findings would appear: 1 N232\n";
    assert!(ran.stderr.contains(said), "{}", ran.stderr);
    // The old movetext neither.
    let before = game(&[], &format!("{castled}\n9. Bxf7 *"));
    let ran = fixed(&before, &["--keep-original"]);
    assert!(
        ran.stdout().lines().all(|line| line.len() < 80),
        "{}",
        ran.stdout()
    );
}

#[test]
fn games_with_a_comment_that_is_not_closed_are_repaired_before_it() {
    let tags = [("Event", "a \"b\"")];
    let before = game(&tags, "1. e4 e5 2. Qh5 Nc6 3. Qxf7 {oh 3... 0-0");
    let next = game(&[], "1. e4 e5 *");
    let ran = fixed(&format!("{before}\n{next}"), &[]);
    let after = before
        .replace("\"b\"", "\\\"b\\\"")
        .replace("Qxf7", "Qxf7+");
    assert_eq!(ran.stdout(), format!("{after}\n{next}"));
    assert_eq!(codes_of(&ran), "1 N230, 1 W107");
    let again = fixed(&ran.stdout(), &["--keep-original"]);
    assert_eq!(
        (again.stdout(), codes_of(&again)),
        (ran.stdout(), "nothing".to_owned())
    );
    let kept = fixed(&format!("{before}\n{next}"), &["--keep-original"]);
    assert!(kept.stdout().contains("; 1. e4 e5 2. Qh5 Nc6 3. Qxf7 {oh"));
    assert!(
        kept.stdout().ends_with(&format!("\n{next}")),
        "{}",
        kept.stdout()
    );
    assert!(kept.stderr.contains("games: 2 seen"), "{}", kept.stderr);
    // Not repaired, and counted.
    let before = game(&[], "1. f3 e5 2. g4 Qh4# * {oh");
    let before = before.replace("[White", "[Event \"y\"]\n[White");
    let ran = fixed(&before, &[]);
    let said = "not fixed, as no repair is certain: 1 W105\n";
    assert!(ran.stderr.contains(said), "{}", ran.stderr);
}

#[test]
fn tags_repeated_with_the_same_value_are_removed_beside_others() {
    let text = |lines: &str| game(&[], "*").replace("[Site", &format!("{lines}[Site"));
    let before = "[Event \"?\"]\n[Event \"x\"]\n[EVENT \"?\"]\n";
    let ran = fixed(&text(before), &[]);
    assert_eq!(ran.stdout(), text("[Event \"x\"]\n"));
    assert_eq!(codes_of(&ran), "1 N121, 2 W105");
    let said = "not fixed, as no repair is certain: 1 W105\n";
    assert!(ran.stderr.contains(said), "{}", ran.stderr);
}

#[test]
fn the_original_movetext_is_kept_in_comments() {
    let before = "1. e4 {best} e5\n2. Qh5 Nc6 3. Qxf7 *";
    let ran = fixed(&game(&[], before), &["--keep-original"]);
    let kept = "; 1. e4 {best} e5\n; 2. Qh5 Nc6 3. Qxf7 *\n1. e4 {best} e5\n2. Qh5 Nc6 3. Qxf7+ *";
    assert_eq!(ran.stdout(), game(&[], kept));
    let again = fixed(&ran.stdout(), &["--keep-original"]);
    assert_eq!(again.stdout(), ran.stdout());
    assert!(
        again.stderr.contains("games: 1 seen = 1 clean"),
        "{}",
        again.stderr
    );
    // The movetext is not repaired.
    let tags = game(&[("Event", "a \"b\"")], "1. e4 *");
    let ran = fixed(&tags, &["--keep-original"]);
    assert_eq!(ran.stdout(), tags.replace("\"b\"\"", "\\\"b\\\"\""));
}

#[test]
fn codes_and_games_are_chosen() {
    let one = game(&[], "1. e4 e5 2. Qh5 Nc6 3. Qxf7 Kxf7 4. Nf3 *");
    let two = one.replace("Nf3", "0-0-0");
    let other = one.replace("Qxf7 ", "Qxf7+ ");
    let text = format!("{one}\n{two}");
    assert_eq!(fixed(&text, &["--select", "N246"]).stdout(), text);
    assert_eq!(fixed(&text, &["--ignore", "N230"]).stdout(), text);
    let ran = fixed(&text, &["--games", "1"]);
    assert_eq!(ran.stdout(), format!("{other}\n{two}"));
}

#[test]
fn fixable_codes_are_fixed_in_their_fixtures() {
    // Their fixtures leave doubt.
    let others = ["W105", "N120", "W129", "E209", "E301", "W303"];
    for rule in RULES {
        let is_fixed = rule.fix == Fix::Certain && !others.contains(&rule.code);
        let names = ["pgn", "fen"].map(|end| format!("fixtures/findings/{}.{end}", rule.code));
        let Some(path) = names.into_iter().find(|name| Path::new(name).exists()) else {
            assert!(!is_fixed, "{}", rule.code);
            continue;
        };
        let ran = run(&["validate", "--fix", "--select", rule.code, &path]);
        let codes = codes_of(&ran);
        assert_eq!(codes.ends_with(rule.code), is_fixed, "{path}: {codes}");
    }
}

#[test]
fn repairs_keep_the_number_of_games_and_repeat_nothing() {
    let next = "[Event \"z\"]\n[Result \"*\"]\n\n1. d4 *\n";
    for (text, games) in [
        ("[Event \"?\"]]\n\n[Site \"?\"]\n\n1. e4 *\n\n", 2),
        ("[White \"a\"]]\n[White \"b\"]\n\n1. e4 *\n\n", 2),
        ("[Event \"a\"]\n\n]\n[White \"b\"]\n\n1. e4 *\n\n", 3),
        ("[Event \"a\"]\n]\n[Event \"b\"]\n\n1. e4 *\n\n", 3),
        (
            "[White \"a\"] foo\n\n]bar [Black \"b\"]\n\n1. e4 (\n\n1. d4) e5 *\n\n]",
            2,
        ),
        ("[White \"a\"]\n\n1. e4 e5\n\n", 2),
    ] {
        let text = format!("{text}{next}");
        let once = fixed(&text, &[]);
        assert_eq!(fixed(&once.stdout(), &[]).stdout(), once.stdout(), "{text}");
        for text in [&text, &once.stdout()] {
            let ran = run_with_stdin(&["stats", "--count"], text.as_bytes().to_vec());
            let count = format!("\"games\":{games},");
            assert!(ran.stdout().contains(&count), "{text}: {}", ran.stdout());
        }
    }
}
