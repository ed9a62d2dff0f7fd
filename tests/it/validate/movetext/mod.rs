//! Findings in movetext: move numbers, comments, NAGs, variations, null moves, notation.

mod random_words;

use arbiter::chess::Position;
use arbiter::findings;
use arbiter::findings::registry::Severity;
use arbiter::findings::{Checks, Codes, Finding};
use arbiter::replay::Reader;

use crate::arbiter_command::run_with_stdin;

fn found(movetext: &str, checks: &Checks) -> Vec<Finding> {
    let text =
        format!("[Event \"x\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n\n{movetext}\n");
    found_in(&text, checks)
}

fn found_in(text: &str, checks: &Checks) -> Vec<Finding> {
    let mut reader = Reader::new();
    let game = reader.read(text.as_bytes(), None);
    let mut found = Vec::new();
    findings::check(
        game,
        text.as_bytes(),
        &Position::initial(),
        checks,
        &mut found,
    );
    for finding in &found {
        let text = String::from_utf8_lossy(finding.span.of(text.as_bytes())).into_owned();
        assert!(!finding.message.ends_with('.'), "{}", finding.message);
        println!("{} {} `{text}`", finding.rule.code, finding.message);
    }
    found
}

/// Codes with the text they point at, `-` before those in a variation.
fn codes(text: &str, findings: &[Finding]) -> Vec<String> {
    let text = format!("[Event \"x\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n\n{text}\n");
    findings
        .iter()
        .map(|finding| {
            let word = String::from_utf8_lossy(finding.span.of(text.as_bytes()));
            let lower = if finding.in_variation { "-" } else { "" };
            format!("{lower}{} {word}", finding.rule.code)
        })
        .collect()
}

fn check(movetext: &str, expected: &[&str]) {
    let found = found(movetext, &Checks::default());
    assert_eq!(codes(movetext, &found), expected, "{movetext}");
}

fn check_selected(select: &str, movetext: &str, expected: &[&str]) {
    let checks = Checks::new(false, &[Codes::from_text(select, false).unwrap()], &[]);
    let found = found(movetext, &checks);
    assert_eq!(codes(movetext, &found), expected, "{movetext}");
}

#[test]
fn a_sign_written_with_blanks_is_no_check() {
    check("1. e4 e5 2. Nf3 + = Nc6 *", &["N204 +", "N204 ="]);
    check("1. e4 e5 2. Nf3 + / - *", &["N204 +", "N204 /", "N204 -"]);
    check("1. e4 e5 2. Qh5 Nc6 3. Qxf7 + Kxf7 *", &["N236 Qxf7 +"]);
}

#[test]
fn a_sign_directly_after_a_move_is_none_of_it() {
    check(
        "1. e4= e5± 2. Nf3+= Nc6+- 3. Bb5‼ a6-/+ 4. O-O∞ Nf6 *",
        &[
            "N204 =", "N204 ±", "N204 +=", "N204 +-", "N204 ‼", "N204 -/+", "N204 ∞",
        ],
    );
    check("1. e4 e5 2. Nf3N Nc6 *", &["E203 Nf3N"]);
}

#[test]
fn a_letter_directly_after_a_glyph_is_a_sign() {
    check("1. e4 $146N e5 2. Nf3 $146N Nc6 *", &["N204 N", "N204 N"]);
    check("1. e4 e5 2N f3 Nc6 *", &["E203 N"]);
}

#[test]
fn an_ellipsis_is_three_periods() {
    check("1. e4 {a} 1…e5 2. Nf3 2… Nc6 *", &["N204 …", "N204 …"]);
    check("1. e4 e5 (…c5) 2. Nf3 *", &["-N204 …"]);
}

#[test]
fn numbers_of_no_move_are_found() {
    check("1. e4 0.25 e5 2. Nf3 0.3 Nc6 *", &["W215 0.25", "W215 0.3"]);
    check("1. e4 e5 17 2024.05.01 *", &["W215 17", "W215 2024.05.01"]);
    for fine in [
        "1. e4 e5 2. *",
        "1. e4 1... *",
        "1. e4 2. *",
        "1. e4 e5 2.2. Nf3 *",
        "e4 e5 2. *",
    ] {
        check(fine, &[]);
    }
    // Plies are counted.
    check("1.e4 2.e5 3.Nf3 4. *", &["W215 2."]);
    check("1. e4 (1. d4 1-0) 1... e5 2. 3. *", &["W215 3."]);
}

#[test]
fn many_blanks_are_read() {
    let moves = ["Nf3", "Nf6", "Ng1", "Ng8"];
    let moves: Vec<&str> = moves.into_iter().cycle().take(1200).collect();
    let movetext = moves.join("\u{a0}") + " *";
    let found = codes(&movetext, &found(&movetext, &Checks::default()));
    let blanks = found.iter().filter(|found| found.starts_with("W263 "));
    assert_eq!(blanks.count(), 1000);
    assert!(!found.iter().any(|found| found.starts_with('E')));
}

#[test]
fn blanks_outside_ascii_are_spaces() {
    check(
        "1. e4\u{a0}e5 2.\u{a0}Nf3 Nc6\u{2009}3. Bb5 a6\u{202f}*",
        &[
            "W263 \u{a0}",
            "W263 \u{a0}",
            "W263 \u{2009}",
            "W263 \u{202f}",
        ],
    );
}

#[test]
fn fine_movetext_has_no_finding() {
    for movetext in [
        "1. e4 e5 2. Nf3 Nc6 *",
        "1.e4 e5 2.Nf3 Nc6 *",
        "e4 e5 Nf3 Nc6 *",
        "1 e4 e5 2 Nf3 Nc6 *",
        "1. e4 1... e5 2. Nf3 2... Nc6 *",
        "1. e4! e5?! 2. Nf3!! $1 $255 Nc6?? *",
        "1. e4 {a comment} 1... e5 {} 2. Nf3 ; to the end of the line\n2... Nc6 *",
        "1. e4\n% a line for another program\n1... e5 *",
        "1. e4 e5 (1... c5 2. Nf3 (2. c3) (2. d4 cxd4) 2... d6) 2. Nf3 (2. f4) *",
        "1. e4 (=) e5 *",
    ] {
        check(movetext, &[]);
    }
    check("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. 0-0 Nf6 *", &[]);
}

#[test]
fn a_wrong_number_is_reported_where_the_count_changes() {
    check("1. e4 e5 3. Nf3 Nc6 4. Bb5 a6 *", &["W215 3."]);
    check("1. e4 e5 3. Nf3 Nc6 3. Bb5 a6 *", &["W215 3."]);
    check(
        "1. e4 e5 3. Nf3 Nc6 3. Bb5 a6 7. O-O *",
        &["W215 3.", "W215 7."],
    );
    check("1. e4 2... e5 2. Nf3 *", &["W215 2..."]);
    check("1. e4 e5 2... Nf3 *", &["W215 2..."]);
    check("0. e4 e5 *", &["W215 0."]);
    check("99999999999. e4 e5 *", &["W215 99999999999."]);
    check(
        "1. e4 e5 (2... c5 2. Nf3) 2. Nf3 (3. d4) *",
        &["-W215 2...", "-W215 3."],
    );
    // A wrong number that continues in a variation is reported only once.
    check(
        "1. e4 e5 3. Nf3 (3. d4 exd4 4. c3) 3... Nc6 *",
        &["W215 3."],
    );
}

#[test]
fn numbers_of_a_position_begin_with_its_own_or_with_one() {
    let game = |fen: &str, movetext: &str| {
        let text = format!(
            "[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n{movetext}\n"
        );
        let found = found_in(&text, &Checks::default());
        let codes: Vec<_> = found.iter().map(|finding| finding.rule.code).collect();
        codes.join(" ")
    };
    let black = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 7";
    assert_eq!(game(black, "7... e5 8. Nf3 Nc6 *"), "");
    assert_eq!(game(black, "1... e5 2. Nf3 Nc6 *"), "");
    assert_eq!(game(black, "7... e5 9. Nf3 Nc6 *"), "W215");
    assert_eq!(game(black, "1... e5 3. Nf3 Nc6 *"), "W215");
    assert_eq!(game(black, "5... e5 6. Nf3 Nc6 *"), "W215");
    let white = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 3";
    assert_eq!(game(white, "3. e4 e5 4. Nf3 *"), "");
    assert_eq!(game(white, "1. e4 e5 2. Nf3 *"), "");
}

#[test]
fn the_export_format_is_strict_about_numbers() {
    let strict = |movetext: &str, expected: &[&str]| {
        let select = ["N216", "N217", "N218"].map(|code| Codes::from_text(code, false).unwrap());
        let found = found(movetext, &Checks::new(false, &select, &[]));
        assert_eq!(codes(movetext, &found), expected, "{movetext}");
    };
    strict("1. e4 e5 2. Nf3 {good} 2... Nc6 (2... d6) 3. Bb5 *", &[]);
    strict("1. e4 e5 (1... c5) (1... e6) 2. Nf3 *", &[]);
    strict("1. e4 $1 e5 $2 2. Nf3 *", &[]);
    strict("e4 e5 2. Nf3 *", &["N216 e4"]);
    strict("1. e4 {good} e5 (c5) 2. Nf3 *", &["N216 e5", "-N216 c5"]);
    strict("1. e4 1... e5 2. 2. Nf3 *", &["N217 1...", "N217 2."]);
    strict(
        "1 e4 e5 2.. Nf3 {good} 2. Nc6 3 . Bb5 *",
        &["N218 1", "N218 2..", "N218 2.", "N218 3 ."],
    );
}

#[test]
fn braces() {
    check("1. e4 e5} 2. Nf3 *", &["W208 }"]);
    check("1. e4 {a {nested} comment} e5 *", &["W213 }"]);
    check(
        "1. e4 {a {twice {nested} com} ment} e5 *",
        &["W213 }", "W213 }"],
    );
    check("1. e4 {one} {two} e5 } 2. Nf3 *", &["W208 }"]);
    check(
        "1. e4 {one 1... e5 {two} 2. Nf3 *",
        &["N261 {", "W215 2.", "E201 Nf3"],
    );
    check(
        "1. e4 {a { or { b} e5 (1... c5 {a { b}) *",
        &["N261 {", "-N261 {"],
    );
    check("1. e4 {wrong } comment} 1... e5 *", &["W208 }"]);
    // The standard does not nest comments, so `e5` is a move.
    check("1. e4 {a {nested} e5} 2. Nf3 *", &["W213 }"]);
    check(
        "1. e4 best by test} e5 *",
        &["E203 best", "E203 by", "E203 test", "W208 }"],
    );
}

#[test]
fn comments_of_every_length() {
    for length in 0..140 {
        let words = "e4 ".repeat(length / 3) + &" ".repeat(length % 3);
        check(&format!("1. e4 {{{words}}} e5 *"), &[]);
        check(&format!("1. e4 {{{words}{{}} e5 *"), &["N261 {"]);
        check(&format!("1. e4 {{{words}\n[Event}} e5 *"), &[]);
        let next = format!("1. e4 {{{words}\n[Event \"y\"] }} e5 *");
        check(&next, &["E212 [Event"]);
    }
}

#[test]
fn what_follows_the_result_is_told_once() {
    check("1. e4 e5 * some more words", &["E210 some"]);
    check("1. e4 e5 drawn", &["N311 drawn", "E301 drawn"]);
    check("1. e4 e5 1/2-1/2 2. Nf3", &["E301 1/2-1/2", "E210 Nf3"]);
    check(
        "1. e4 e5 draw 1/2-1/2 2. Nf3",
        &["N311 draw", "E301 draw", "E210 1/2-1/2"],
    );
    for word in [
        "+:-", "-/-", "+/-", "+-", "1-0ff", "0-1FF", "1F-0F", "0F-0F", "1X-0F",
    ] {
        check(
            &format!("1. e4 e5 {word}"),
            &[&format!("W303 {word}"), &format!("E301 {word}")],
        );
    }
    check("1. e4 e5 +/- 2. Nf3 -+ *", &["N204 +/-", "N204 -+"]);
    check("1. e4 e5 1-0 +-", &["E301 1-0", "N204 +-"]);
    check("1. e4 e5 * 2. Nf3 Sc6 *", &["E210 Nf3"]);
    check("1. e4 e5 * {that is all}", &[]);
}

#[test]
fn words_for_a_draw_before_a_move_are_an_offer() {
    for words in [
        "draw",
        "Drawn",
        "1/2",
        "½",
        "Remis",
        "draw offered by White",
        "1/2 declined",
        "offers draw",
        "White offers a draw",
        "Black offered a draw, declined",
        "agreed draw",
        "draw agreed",
        "draw by agreement",
        "offre nulle",
        "les Blancs proposent la nulle",
        "propose nulle",
        "Remisangebot",
        "Remis angeboten",
        "Weiß bietet Remis an",
        "remise aangeboden",
        "biedt remise aan",
        "ofrece tablas",
        "tablas rechazadas",
        "offre patta",
        "oferece empate",
    ] {
        let found = format!("N267 {words}");
        check(&format!("1. e4 e5 {words} 2. Nf3 (2. d4) *"), &[&found]);
        check(&format!("1. e4 {words} e5 2. Nf3 *"), &[&found]);
        check(&format!("1. e4 e5 {words}\n{{so}} $6 2 Nf3 *"), &[&found]);
        check(&format!("1. e4 e5 {words}? *"), &[&found]);
    }
    check("1. e4 e5 draw 2. Nf3 Sc6 *", &["N267 draw", "E203 Sc6"]);
    check("1. e4 e5 2. Sf3 remis? Sc6 *", &["N260 Sf3", "N267 remis"]);
    check("1. e4 e5 (1... c5 draw 2. Nf3) *", &["N267 draw"]);
    // Other words still stop the game, and without moves after them they are what they were.
    for (moves, says) in [
        (
            "1. e4 e5 White offers 2. Nf3 *",
            &["E203 White", "E203 offers"][..],
        ),
        (
            "1. e4 e5 a nice draw 2. Nf3 *",
            &["E203 a", "E203 nice", "E203 draw"],
        ),
        (
            "1. e4 e5 draw agreed",
            &["N311 draw", "E301 draw", "E210 agreed"],
        ),
        (
            "1. e4 e5 agreed draw",
            &["E203 agreed", "E203 draw", "E209 w"],
        ),
        ("1. e4 e5 draw 1-0", &["N311 draw", "E301 draw", "E210 1-0"]),
    ] {
        check(moves, says);
    }
}

#[test]
fn characters_of_several_bytes_at_the_end() {
    check(
        "1. e4 e5 2. Nf3 \u{2603}",
        &["E203 \u{2603}", "E209 \u{2603}"],
    );
    check(
        "1. e4 e5 2. Nf3 \u{221e}",
        &["N204 \u{221e}", "E209 \u{221e}"],
    );
    check("1. g4 h4\u{feff}", &["E203 h4\u{feff}", "E209 \u{feff}"]);
}

#[test]
fn signs_of_the_informant() {
    check(
        "1. e4 ± e5 ⩱ 2. Nf3 \u{2212}+ Nc6 +\u{2013} *",
        &["N204 ±", "N204 ⩱", "N204 \u{2212}+", "N204 +\u{2013}"],
    );
    check(
        "1. e4 e5 2. Nf3 ‼ Nc6 ⇄ 0\u{2212}1",
        &["N204 ‼", "N204 ⇄", "N311 0\u{2212}1", "E301 0\u{2212}1"],
    );
}

#[test]
fn glyphs() {
    check(
        "1. e4 $256 e5 $ 2. Nf3 $999999999999 *",
        &["W214 $256", "W214 $", "W214 $999999999999"],
    );
    check("1. e4 $1Nc6 e5 *", &["E203 $1Nc6"]);
}

#[test]
fn variations_are_checked_one_severity_lower() {
    let text = "1. e4 e5 (1... Nd4 2. Nf3) (1... c5 2. Qx9 d6) 2. Nf3 (2. Nh3 Qh4 3. Nf4 Nf9) *";
    check(text, &["-E201 Nd4", "-E203 Qx9", "-E203 Nf9"]);
    for finding in found(text, &Checks::default()) {
        assert_eq!(finding.severity, Severity::Warning);
        assert!(finding.at.is_some());
    }
    let text = "1. e4 e5 (1... c5 2. Nf3+ d6) 2. Nf3 (2. Ne2 d6 3. Ng3) *";
    check(text, &["-N231 Nf3+"]);
    check(
        "1. e4 e5 2. Nf3 (2. d3 d6 3. Nf3 Nf6 4. Nd2) 2... Nc6 *",
        &["-E202 Nd2"],
    );
    let at = found("1. e4 e5 2. Nf3 (2. d4 exd4 3. Qxd5) *", &Checks::default());
    let at = at[0].at.as_ref().unwrap();
    assert_eq!((at.ply, at.label.as_str()), (5, "3.Qxd5"));
}

#[test]
fn after_a_fault_in_a_variation_only_its_rest_is_unread() {
    check(
        "1. e4 e5 (1... Nd4 2. Nd9 (2. Qx9) 2... Qx9) 2. Nf3 (2. Nd9) 2... Nc6 *",
        &[
            "-E201 Nd4",
            "-E203 Nd9",
            "-E203 Qx9",
            "-E203 Qx9",
            "-E203 Nd9",
        ],
    );
}

#[test]
fn the_main_line_alone() {
    let text = "1. e4 e5 (1... Nd4 2. Qx9 $256) () (2. -- d5) 2. Nf3 (3. Nc3+) 2... Nf9 *";
    let mut checks = Checks::default();
    checks.mainline_only = true;
    assert_eq!(codes(text, &found(text, &checks)), ["E203 Nf9"]);
}

#[test]
fn variations_without_moves_or_without_a_place() {
    check("(1. d4) 1. e4 e5 *", &["W223 ("]);
    check("1. e4 ((1. d4) 1. c4) 1... e5 *", &["-W223 ("]);
    check("1. e4 () e5 ({only words}) *", &["N224 (", "N224 ("]);
    check("1. e4 (=) e5 *", &[]);
    check_selected("N227", "1. e4 (=) e5 *", &["N227 (=)"]);
    check("1. e4 (nonsense) e5 *", &["-E203 nonsense"]);
}

#[test]
fn null_moves() {
    for null in ["--", "Z0", "null", "0000", "@@@@"] {
        check(&format!("1. e4 {null} 2. d4 *"), &[&format!("E211 {null}")]);
        check(
            &format!("1. e4 e5 (1... {null} 2. d4 d5) 2. Nf3 *"),
            &[&format!("-N229 {null}")],
        );
    }
    let mut allowed = Checks::default();
    allowed.null_moves = true;
    let text = "1. e4 -- 2. d4 d5 3. Nf9 *";
    assert_eq!(codes(text, &found(text, &allowed)), ["N229 --", "E203 Nf9"]);
    // Passing is not allowed in check.
    let text = "1. e4 e5 2. Qh5 Nc6 3. Qxf7+ -- *";
    assert_eq!(codes(text, &found(text, &allowed)), ["E211 --"]);
    let text = "1. e4 e5 2. Qh5 Nc6 3. Qxf7+ Kxf7 (3... -- 4. Nf3) *";
    check(text, &["-E211 --"]);
}

#[test]
fn a_part_of_a_game_is_called_one() {
    let codes = |text: &str| -> Vec<&str> {
        let found = found_in(text, &Checks::default());
        // Missing tags are tested elsewhere.
        let codes = found.iter().map(|finding| finding.rule.code);
        codes.filter(|&code| code != "W118").collect()
    };
    assert_eq!(codes("12. Nf3 Nc6 13. Bb5 1-0\n"), ["E222"]);
    assert_eq!(codes("2... Nc6 3. Bb5 a6\n"), ["E222", "E209"]);
    assert_eq!(codes("1-0\n"), ["E222"]);
    assert_eq!(codes("1. e4 e5 2. Nf3 1-0\n"), [""; 0]);
    assert_eq!(codes("e4 e5 Nf3 1-0\n"), [""; 0]);
}

#[test]
fn a_part_of_a_game_is_not_replayed() {
    // Legal from the initial position, although the game starts elsewhere.
    let ran = run_with_stdin(
        &["replay", "-q", "--format", "fen"],
        b"12. Nf3 Nc6 13. g3 1-0\n".to_vec(),
    );
    assert_eq!((ran.code, ran.stdout().as_str()), (Some(1), ""), "{ran:?}");
    assert!(ran.stderr.contains("begins at move 12"), "{ran:?}");
}

#[test]
fn habits_are_reported_once_a_game_and_slips_each() {
    let text = "1. e2e4 e7e5 2. g1f3 b8c6 *";
    check(text, &["N245 e2e4"]);
    let finding = &found(text, &Checks::default())[0];
    assert!(
        finding.message.contains("3 more moves"),
        "{}",
        finding.message
    );
    let strict = Checks::new(true, &[Codes::from_text("N245", true).unwrap()], &[]);
    let all = ["N245 e2e4", "N245 e7e5", "N245 g1f3", "N245 b8c6"];
    assert_eq!(codes(text, &found(text, &strict)), all);
    check(
        "1. e4+ e5+ 2. Nf3+ *",
        &["N231 e4+", "N231 e5+", "N231 Nf3+"],
    );
}

#[test]
fn marks_that_stand_apart_belong_to_their_move() {
    check("1. f3 e5 2. g4 Qh4 mate *", &["N236 Qh4 mate", "W314 *"]);
    check("1. e4 e5 2. Qh5 Nc6 3. Qxf7 + Kxf7 *", &["N236 Qxf7 +"]);
    check("1. e4 a6 2. e5 d5 3. exd6 e.p. cxd6 *", &[]);
    check_selected(
        "N253",
        "1. e4 a6 2. e5 d5 3. exd6 e. p. cxd6 *",
        &["N253 exd6 e. p."],
    );
    check_selected(
        "N253",
        "1. e4 a6 2. e5 d5 3. exd6!? ep cxd6 *",
        &["N253 exd6!? ep"],
    );
    check("1. e4 e.p. e5 *", &["N254 e4 e.p."]);
    // After a comment it is an ordinary word.
    check("1. e4 {x} mate e5 *", &["E203 mate"]);
}

#[test]
fn words_in_a_comment_or_behind_the_result_are_no_moves() {
    check("1. e4 {Sf3 e2-e4 O-0} e5 *", &[]);
    check("1. e4 e5 * {Sf3}", &[]);
    check("1. e4 e5 ; Sf3\n2. Nf3 *", &[]);
}

#[test]
fn a_file_capture_is_refused_with_the_reason() {
    let found = found("1. e4 d5 2. exd *", &Checks::default());
    let help = found[0].help.as_deref().unwrap();
    assert_eq!(found[0].rule.code, "E203");
    assert!(help.contains("`exd5`"), "{help}");
}

#[test]
fn letters_that_fit_for_a_while_are_named() {
    let text = "1. e4 e5 2. Sf3 Sc6 3. Lb5 a6 4. Lxc6 dxc6 5. Dh5 *";
    let found = found(text, &Checks::default());
    let help = found[0].help.as_deref().unwrap();
    assert!(help.contains("first 8 plies are legal"), "{help}");
    assert!(help.contains("--piece-letters de"), "{help}");
}

#[test]
fn move_numbers_go_on_from_a_fen_without_one() {
    let tags = "[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n[SetUp \"1\"]\n";
    let check = |fen: &str, moves: &str, expected: &[&str]| {
        let text = format!("{tags}[FEN \"{fen}\"]\n\n{moves} *\n");
        let found = found_in(&text, &Checks::default());
        let found: Vec<_> = found
            .iter()
            .map(|it| (it.rule.code, &*it.message))
            .collect();
        let found: Vec<_> = found
            .iter()
            .map(|(code, said)| format!("{code} {said}"))
            .collect();
        assert_eq!(found, expected, "{text}");
    };
    let rook = "8/8/3k4/8/8/3K4/4R3/8 w - -";
    let note = "N409 missing fields: halfmove clock, move number";
    check(rook, "34. Kd4 Kc6 35. Re6+", &[note]);
    check(rook, "1. Kd4 Kc6 2. Re6+", &[note]);
    check(rook, "Kd4 Kc6 Re6+", &[note]);
    let black = rook.replace('w', "b");
    check(&black, "34... Kd5 35. Re3", &[note]);
    let wrong = "W215 `36.` precedes move 35 of White";
    check(rook, "34. Kd4 Kc6 36. Re6+", &[note, wrong]);
    check(
        &format!("{rook} 3"),
        "34. Kd4",
        &["N409 missing fields: move number"],
    );
    check(&format!("{rook} 0 34"), "34. Kd4", &[]);
    check(
        &format!("{rook} 0 1"),
        "34. Kd4",
        &["W215 `34.` precedes move 1 of White"],
    );
    let unread = "8/8/3k4/8/8/3K4/4R3/8 w";
    let all =
        "N409 missing fields: castling rights, en passant square, halfmove clock, move number";
    check(unread, "34. Kd4", &[all]);
    let text = format!("{tags}[FEN \"{rook}\"]\n\n34. Kd4 Kc6 36. Re6+ *\n");
    let fixed = run_with_stdin(&["validate", "-q", "--fix"], text.into()).stdout();
    assert!(fixed.ends_with("34. Kd4 Kc6 35. Re6+ *\n"), "{fixed}");
}

#[test]
fn an_illegal_move_has_its_reason_in_one_word() {
    let mut wrong = Vec::new();
    for (movetext, reason) in [
        ("1. e4 Qxe4", "unreachable"),
        (
            "1. e4 d5 2. exd5 Qxd5 3. Nc3 Qxg2 4. Bxg2 Qd8",
            "no-such-piece",
        ),
        ("1. Nd2c4", "no-such-piece"),
        ("1. Nd4", "unreachable"),
        ("1. Qh5", "blocked"),
        ("1. Rh2", "own-piece"),
        ("1. e4 e5 2. Nf3 d6 3. Bb5+ Nc6 4. d4 Nxd4", "pinned"),
        ("1. e4 e5 2. Qh5 Nc6 3. Qxf7+ a6", "king-in-check"),
        ("1. e4 e5 2. Qg4 Ke7 3. a3 Ke6", "king-into-check"),
        ("1. Nf3 d5 2. d3 e5 3. Nd2", "ambiguous"),
        ("1. exd3", "nothing-to-capture"),
        ("1. e4 d5 2. xd5", "capture-without-file"),
        ("1. O-O", "castling-blocked"),
        (
            "1. Nf3 d5 2. g3 d4 3. Bg2 d3 4. Rg1 a6 5. Rh1 a5 6. O-O",
            "no-castling-right",
        ),
        (
            "1. e4 e5 2. Nf3 Qh4 3. Be2 Qxf2+ 4. O-O",
            "castling-in-check",
        ),
        ("1. --", "null-move"),
    ] {
        let text = format!("{movetext} *\n");
        let found = found(&text, &Checks::default());
        let reasons: Vec<_> = found.iter().filter_map(|it| it.reason).collect();
        if reasons != [reason] {
            wrong.push(format!("{movetext}: {reasons:?} instead of {reason}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
