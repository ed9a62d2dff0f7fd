//! `validate --fix`: findings are gone, and nothing else has changed.

use std::collections::BTreeSet;
use std::fs;

use arbiter::commands::validate::registry::{Fix, RULES};

use crate::arbiter_command::{Ran, Scratch, run, run_with_stdin};
use crate::compressors::COMPRESSORS;
use crate::corpus;
use crate::found::game;
use crate::real_files::files;

/// Output of `--fix` for a text.
fn fixed(text: &str, more: &[&str]) -> Ran {
    let words = [&["validate", "--fix"], more].concat();
    run_with_stdin(&words, text.as_bytes().to_vec())
}

/// The closing line that begins with `fixed: `, without these words.
fn codes_of(ran: &Ran) -> String {
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
fn check(before: &str, after: &str, codes: &str) {
    check_tags(&[], before, after, codes);
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
    // A lone surrogate has no character in UTF-8.
    let lost = [utf_16, 0xd83c_u16.to_le_bytes().to_vec(), b"\n\0".to_vec()].concat();
    let ran = run_with_stdin(&["validate", "--fix"], lost);
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("would be lost"), "{}", ran.stderr);
}

#[test]
fn suggestions_are_applied_if_there_is_one() {
    let slip = "1. e4 e5 2. Nf4 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. 0-0 Nxe4 *";
    check(slip, slip, "nothing");
    let ran = fixed(&game(&[], slip), &["--fix-suggestions"]);
    let right = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Nxe4 *";
    assert_eq!(ran.stdout(), game(&[], right));
    assert_eq!(
        (codes_of(&ran), ran.code),
        ("1 E201, 1 N246".to_owned(), Some(0))
    );
    // Two moves fit.
    let two = game(&[], "1. e4 e5 2. Nf4 *");
    assert_eq!(fixed(&two, &["--fix-suggestions"]).stdout(), two);
    let other = game(&[], "1. e4 e5 *").replace("White", "Whtie");
    assert_eq!(
        fixed(&other, &["--fix-suggestions"]).stdout(),
        game(&[], "1. e4 e5 *")
    );
}

#[test]
fn a_repair_that_brings_another_finding_is_not_applied() {
    let text = game(&[], "1. e4 e5 2. 0-0 *").replace("[White", "[Whtie \"x\"]\n[White");
    let ran = fixed(&text, &["--fix-suggestions"]);
    assert_eq!(ran.stdout(), text);
    let said = "not fixed, as other findings would appear: 1 W130\n";
    assert!(ran.stderr.contains(said), "{}", ran.stderr);
    assert!(
        ran.stderr.contains("left: 1 error, 1 warning, 0 note\n"),
        "{}",
        ran.stderr
    );
    assert_eq!(ran.code, Some(1));
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
        let name = format!("fixtures/findings/{}.pgn", rule.code);
        let Ok(path) = fs::metadata(&name).map(|_| name) else {
            assert!(!is_fixed, "{}", rule.code);
            continue;
        };
        let ran = run(&["validate", "--fix", "--select", rule.code, &path]);
        let codes = codes_of(&ran);
        assert_eq!(codes.ends_with(rule.code), is_fixed, "{path}: {codes}");
    }
}

/// Applies a unified diff.
fn apply(diff: &str, old: &str) -> String {
    let mut lines = old.split_inclusive('\n').enumerate().peekable();
    let mut new = String::new();
    for line in diff.split_inclusive('\n').skip(2) {
        if let Some(header) = line.strip_prefix("@@ -") {
            let (first, rest) = header.split_once(',').unwrap();
            let is_empty = rest.starts_with("0 ");
            let first: usize = first.parse().unwrap();
            let until = first - usize::from(!is_empty);
            while let Some((_, same)) = lines.next_if(|(nth, _)| *nth < until) {
                new += same;
            }
            let (start, _) = header.split_once('+').unwrap().1.split_once(',').unwrap();
            assert!(
                start
                    .parse::<usize>()
                    .unwrap()
                    .abs_diff(new.lines().count())
                    <= 1
            );
            continue;
        }
        let (sign, text) = line.split_at(1);
        let mut take = || lines.next().map_or("", |(_, line)| line);
        match sign {
            "\\" => {
                // The line before has no end; it stands in the diff with one.
                new.truncate(new.trim_end_matches('\n').len());
            }
            "+" => new += text,
            "-" => assert_eq!(take().trim_end(), text.trim_end()),
            _ => {
                assert_eq!(take(), text);
                new += text;
            }
        }
    }
    new + &lines.map(|(_, line)| line).collect::<String>()
}

#[test]
fn the_diff_leads_to_the_repaired_text() {
    let clean = game(&[], "1. e4 e5\n2. Nf3 *");
    let faulty = game(&[], "1. e4 e5\n2. Qh5 Nc6\n3. Qxf7 *");
    let glued = format!("{}{faulty}", faulty.trim_end());
    let text = [&*clean, &faulty, &clean, &clean, &glued, &clean, &faulty].join("\n");
    let scratch = Scratch::new("fix-diff");
    for text in [text.clone(), text.repeat(300)] {
        let input = scratch.file("games.pgn", text.as_bytes());
        let diff = run(&["validate", "-q", "--fix", "--diff", &input]).stdout();
        let whole = run(&["validate", "-q", "--fix", &input]).stdout();
        assert!(diff.starts_with(&format!("--- {input}\n+++ {input}\n@@ -")));
        assert!(apply(&diff, &text) == whole);
        for jobs in ["1", "3"] {
            let other = run(&["validate", "-q", "--fix", "--diff", "-j", jobs, &input]);
            assert!(other.stdout() == diff, "-j {jobs}");
        }
        assert_eq!(fs::read(&input).unwrap(), text.as_bytes());
    }
    assert_eq!(fixed(&clean, &["--diff"]).stdout(), "");
    let colored = fixed(&faulty, &["--diff", "--color", "always"]).stdout();
    assert!(colored.contains("\x1b[31m-3. Qxf7 *\x1b[0m\n\x1b[32m+3. Qxf7+ *\x1b[0m\n"));
}

#[test]
fn files_are_replaced_in_place() {
    let scratch = Scratch::new("fix-in-place");
    let (clean, faulty) = (
        game(&[], "1. e4 e5 *"),
        game(&[], "1. e4 e5 2. Qh5 Nc6 3. Qxf7 *"),
    );
    let input = scratch.file("games.pgn", faulty.as_bytes());
    let same = scratch.file("same.pgn", clean.as_bytes());
    let before = fs::metadata(&same).unwrap().modified().unwrap();
    let report = scratch.file("report.diff", b"");
    let ran = run(&[
        "validate",
        "--fix",
        "--in-place",
        "--diff",
        "-o",
        &report,
        &input,
        &same,
    ]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(
        ran.stderr
            .contains("files: 1 replaced, 1 without repairs\n"),
        "{}",
        ran.stderr
    );
    let right = faulty.replace("Qxf7", "Qxf7+");
    assert_eq!(fs::read_to_string(&input).unwrap(), right);
    assert_eq!(fs::metadata(&same).unwrap().modified().unwrap(), before);
    assert_eq!(apply(&fs::read_to_string(&report).unwrap(), &faulty), right);
    // Inputs that are not plain files.
    let ran = run_with_stdin(
        &["validate", "--fix", "--in-place"],
        faulty.clone().into_bytes(),
    );
    assert_eq!((ran.code, ran.stdout()), (Some(2), String::new()));
    let plain = scratch.file("plain.pgn", faulty.as_bytes());
    for (name, compressor) in COMPRESSORS {
        let stored = compressor(faulty.as_bytes());
        let packed = scratch.file(name, &stored);
        let ran = run(&["validate", "--fix", "--in-place", &plain, &packed]);
        assert_eq!(ran.code, Some(2), "{name}");
        assert!(ran.stderr.contains("compressed"), "{}", ran.stderr);
        assert_eq!(fs::read(&packed).unwrap(), stored);
        assert_eq!(fs::read_to_string(&plain).unwrap(), faulty);
    }
    // Never without being asked, and not over an input.
    let ran = run(&["validate", "--fix", "--write-fixed", &plain, &plain]);
    assert_eq!(ran.code, Some(2));
    let to = scratch.file("to.pgn", b"");
    let ran = run(&["validate", "--fix", "--write-fixed", &to, &plain]);
    assert_eq!((ran.code, ran.stdout()), (Some(0), String::new()));
    assert_eq!(fs::read_to_string(&to).unwrap(), right);
    assert_eq!(fs::read_to_string(&plain).unwrap(), faulty);
}

/// Words of the games in export format, without results and repeated tags.
fn words(path: &str) -> Vec<String> {
    let flags = [
        "replay",
        "-q",
        "--format",
        "pgn",
        "--variations",
        "--keep",
        "all",
    ];
    let ran = run(&[&flags[..], &[path]].concat());
    let text = String::from_utf8_lossy(&ran.stdout).into_owned();
    let mut lines: Vec<_> = text
        .lines()
        .filter(|line| !line.starts_with("[Result "))
        .collect();
    lines.dedup();
    let words = lines.iter().flat_map(|line| line.split_whitespace());
    let is_result = |word: &&str| ["1-0", "0-1", "1/2-1/2", "*"].contains(word);
    words
        .filter(|word| !is_result(word))
        .map(str::to_owned)
        .collect()
}

#[test]
fn real_files_keep_all_but_what_is_fixed() {
    let scratch = Scratch::new("fix-real");
    let (Some(tricky), Some(bulk)) = (corpus::path("tricky"), corpus::path("bulk")) else {
        return;
    };
    let mut seen = BTreeSet::new();
    for path in files(&tricky).into_iter().chain(files(&bulk)) {
        if path.extension().is_none_or(|end| end != "pgn") {
            continue;
        }
        let input = path.to_str().unwrap();
        let output = scratch.file("fixed.pgn", b"");
        let ran = run(&["validate", "--fix", "--write-fixed", &output, input]);
        if ran.stderr.contains("no game") {
            continue;
        }
        let text = fs::read(&output).unwrap();
        let one = run(&["validate", "-q", "--fix", "-j", "1", input]);
        assert!(one.stdout == text, "{input}: -j 1");
        let codes = codes_of(&ran);
        let fixed = codes.split(", ").filter_map(|one| one.split_once(' '));
        let fixed: Vec<_> = fixed.map(|(_, code)| code).collect();
        if codes == "nothing" {
            assert!(text == fs::read(&path).unwrap(), "{input}");
            continue;
        }
        let again = run(&["validate", "--fix", &output]);
        assert_eq!(codes_of(&again), "nothing", "{input}");
        assert!(again.stdout == text, "{input}");
        let select = fixed.join(",");
        let left = run(&[
            "validate", "-q", "--format", "concise", "--select", &select, &output,
        ]);
        assert_eq!(left.stdout(), "", "{input}: {codes}");
        assert!(words(input) == words(&output), "{input}");
        seen.extend(fixed.into_iter().map(str::to_owned));
    }
    for code in ["N230", "N234", "N245", "N246", "W107", "W215"] {
        assert!(seen.contains(code), "{code}: {seen:?}");
    }
}

#[test]
fn a_suggestion_among_many_is_not_applied() {
    let before = "1. Nf3 Nf6 2. Nc3 Nc6 3. Nd4 Nxd4 4. e3 Nc6 5. N1e2 *";
    let ran = fixed(&game(&[], before), &["--fix-suggestions"]);
    assert_eq!(ran.stdout(), game(&[], before));
}

#[test]
fn outputs_that_would_stay_empty_are_refused() {
    let scratch = Scratch::new("fix-output");
    let games = scratch.file("a.pgn", game(&[], "1. e4 *").as_bytes());
    let kept = scratch.file("kept", b"kept");
    let other = scratch.file("other", b"");
    for to in [&["--in-place"][..], &["--write-fixed", &other]] {
        let ran = run(&[&["validate", "--fix", "-o", &kept, &games], to].concat());
        assert_eq!(ran.code, Some(2), "{to:?}");
        assert_eq!(fs::read(&kept).unwrap(), b"kept");
    }
}
