//! The export format: it reads back as the same game, has no findings, and exports to itself.

use super::{of_file, replayed};
use crate::arbiter_command::{run, run_with_stdin};
use crate::corpus;

/// Findings in the movetext of an export with `--strict`.
fn faults(pgn: &str, select: &str) -> String {
    let words = [
        "validate", "-q", "--strict", "--format", "concise", "--select", select, "-",
    ];
    run_with_stdin(&words, pgn.as_bytes().to_vec()).stdout()
}

#[test]
fn a_game_in_export_format() {
    let pgn = "[White \"Morphy\"]\n[Opening \"Philidor\"]\n[Date \"1858\"]\n[ECO \"C41\"]\n[Result \"1:0\"]\n\n\
               1 e4 e7e5 2 Ng1f3 {a remark} 2... d6 3. d2-d4! Bg4 (3... f5) 4. de5 Bf3 5 Qf3 de 6. Bc4 0-1\n";
    let ran = replayed(&["--format", "pgn"], pgn);
    assert_eq!(
        ran.stdout(),
        "[Event \"?\"]\n[Site \"?\"]\n[Date \"1858\"]\n[Round \"?\"]\n[White \"Morphy\"]\n[Black \"?\"]\n\
         [Result \"1-0\"]\n[ECO \"C41\"]\n[Opening \"Philidor\"]\n\n1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 0-1\n\n"
    );
    // The square `de` does not exist.
    assert_eq!(ran.code, Some(1));
}

#[test]
fn comments_glyphs_and_variations_are_kept_when_asked_for() {
    let kept = |what: &[&str]| {
        let flags: Vec<_> = ["--format", "pgn"].iter().chain(what).copied().collect();
        let ran = of_file(&flags, "fixtures/annotated.pgn");
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        let text = ran.stdout();
        assert_eq!(faults(&text, "2"), "");
        let (_, movetext) = text.split_once("\n\n").unwrap();
        movetext.trim_end().replace('\n', " ")
    };
    assert_eq!(
        kept(&[]),
        "1. e4 e5 2. Nf3 d6 3. Bc4 Bg4 4. Nc3 g6 5. Nxe5 Bxd1 6. Bxf7+ Ke7 7. Nd5# 1-0"
    );
    assert_eq!(
        kept(&["--keep", "nags"]),
        "1. e4 $1 e5 2. Nf3 d6 3. Bc4 Bg4 $6 4. Nc3 g6 $4 5. Nxe5 $1 Bxd1 6. Bxf7+ Ke7 7. Nd5# 1-0"
    );
    assert_eq!(
        kept(&["--keep", "comments"]),
        "{A trap in the Philidor.} 1. e4 e5 2. Nf3 d6 3. Bc4 Bg4 {pins the knight,} {or so it seems} 4. Nc3 g6 {(=)} \
         5. Nxe5 {The queen is no loss.} 5... Bxd1 6. Bxf7+ Ke7 7. Nd5# 1-0"
    );
    assert_eq!(
        kept(&["--variations"]),
        "1. e4 e5 2. Nf3 d6 (2... Nc6 3. Bb5 (3. Bc4 Bc5 (3... Nf6 4. Ng5 d5)) 3... a6) (2... Nf6 3. Nxe5 d6 4. Nf3 \
         Nxe4) 3. Bc4 Bg4 4. Nc3 g6 5. Nxe5 Bxd1 (5... dxe5 6. Qxg4) 6. Bxf7+ Ke7 7. Nd5# 1-0"
    );
    assert_eq!(
        kept(&["--keep", "comments,nags,variations"]),
        "{A trap in the Philidor.} 1. e4 $1 e5 2. Nf3 d6 (2... Nc6 3. Bb5 (3. Bc4 Bc5 {quiet} (3... Nf6 4. Ng5 d5)) \
         3... a6) ({Another way is} 2... Nf6 3. Nxe5 d6 4. Nf3 Nxe4 $11) 3. Bc4 Bg4 $6 {pins the knight,} {or so it \
         seems} 4. Nc3 g6 $4 {(=)} 5. Nxe5 $1 {The queen is no loss.} 5... Bxd1 (5... dxe5 6. Qxg4 $18) 6. Bxf7+ Ke7 \
         7. Nd5# 1-0"
    );
}

#[test]
fn a_glyph_before_a_mark_is_kept() {
    for (game, nags, export) in [
        (
            "1. e4 e5 2. Bc4 Nc6 3. Bxf7!+",
            "[1]",
            "1. e4 e5 2. Bc4 Nc6 3. Bxf7+ $1 *",
        ),
        ("1. e4 f6 2. Qh5?!+", "[6]", "1. e4 f6 2. Qh5+ $6 *"),
        ("1. e4 f6 2. Qh5 ! +", "[1]", "1. e4 f6 2. Qh5+ $1 *"),
        (
            "1. e4 e6 2. e5 d5 3. exd6!e.p. $14 {so}",
            "[1,14]",
            "1. e4 e6 2. e5 d5 3. exd6 $1 $14 {so} *",
        ),
        ("1. e4 f6 2. Dh5!ch", "[1]", "1. e4 f6 2. Qh5+ $1 *"),
        (
            "[FEN \"5k2/8/8/8/8/8/8/4K2R w K - 0 1\"]\n\n1. O-O!+",
            "[1]",
            "1. O-O+ $1 *",
        ),
        (
            "[FEN \"7k/1P6/8/8/8/8/8/4K3 w - - 0 1\"]\n\n1. b8=Q!+",
            "[1]",
            "1. b8=Q+ $1 *",
        ),
    ] {
        let pgn = replayed(&["--format", "pgn", "--keep", "all"], game).stdout();
        assert!(pgn.ends_with(&format!("\n\n{export}\n\n")), "{game}: {pgn}");
        let rows = replayed(&["--format", "jsonl", "--columns", "nags"], game).stdout();
        let last = rows.lines().last().unwrap_or_default();
        assert_eq!(last, format!("{{\"nags\":{nags}}}"), "{game}");
    }
}

#[test]
fn an_export_is_its_own_export() {
    for keep in [&["--keep", "all"][..], &[]] {
        let flags: Vec<_> = ["--format", "pgn"].iter().chain(keep).copied().collect();
        for path in [
            "fixtures/annotated.pgn",
            "fixtures/famous.pgn",
            "fixtures/endings.pgn",
        ] {
            let once = of_file(&flags, path).stdout();
            assert!(!once.is_empty());
            assert_eq!(replayed(&flags, &once).stdout(), once, "{path}");
            assert!(
                once.lines()
                    .all(|line| line.starts_with('[') || line.chars().count() < 80)
            );
        }
    }
}

#[test]
fn tags_survive_whatever_is_in_them() {
    let pgn = "[white \"A \\\"B\\\" \\\\ C\"]\n[My Tag \"x\ty\"]\n[zeta \"1\"]\n[Zeta \"2\"]\n[Black \"M\u{fc}ller\"]\n\
               [Zeta \"3\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 9\"]\n\n9... Kd7 10. e4 1/2-1/2\n";
    let ran = replayed(&["--format", "pgn"], pgn);
    assert_eq!(
        ran.stdout(),
        "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"A \\\"B\\\" \\\\ C\"]\n\
         [Black \"M\u{fc}ller\"]\n[Result \"1/2-1/2\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 9\"]\n[My_Tag \"x y\"]\n\
         [SetUp \"1\"]\n[Zeta \"2\"]\n[zeta \"1\"]\n\n9... Kd7 10. e4 1/2-1/2\n\n"
    );
}

#[test]
fn tag_names_that_become_the_same_are_numbered() {
    let pgn = "[Foo:Bar \"1\"]\n[Foo/Bar \"2\"]\n[Foo:Bar \"3\"]\n\
         [Тур \"4\"]\n[Ход \"5\"]\n\n1. e4 *\n";
    let stdout = replayed(&["--format", "pgn"], pgn).stdout();
    let (_, others) = stdout.split_once("[Result \"*\"]\n").unwrap();
    assert_eq!(
        others,
        "[Foo_Bar \"1\"]\n[Foo_Bar_2 \"2\"]\n[Khod \"5\"]\n[Tur \"4\"]\n\n1. e4 *\n\n"
    );
}

#[test]
fn a_contradiction_of_results_stays_one() {
    let exported = |tag: &str, mark: &str| {
        let text = replayed(
            &["--format", "pgn"],
            &format!("[Result \"{tag}\"]\n\n1. e4 e5 {mark}\n"),
        );
        let text = text.stdout();
        let tag = text.split("[Result \"").nth(1).unwrap();
        let tag = tag.split('"').next().unwrap().to_owned();
        (tag, text.split_whitespace().last().unwrap().to_owned())
    };
    let check = |tag, mark, expected: (&str, &str)| {
        let (said, marked) = exported(tag, mark);
        assert_eq!((said.as_str(), marked.as_str()), expected);
    };
    check("1-0", "0-1", ("1-0", "0-1"));
    check("?", "0-1", ("0-1", "0-1"));
    check("1/2", "", ("1/2-1/2", "1/2-1/2"));
    check("0-0", "0-0", ("0-0", "*"));
    check("*", "1-0", ("*", "1-0"));
    check("", "", ("*", "*"));
}

#[test]
fn comments_cannot_break_the_lines_they_stand_on() {
    let long = "word ".repeat(40);
    let url = format!("https://example.org/{}", "x".repeat(100));
    for comment in [
        format!("{long} [Event \"not a tag\"] {long} %clock {long}"),
        format!("{url} {url}"),
        format!("{}%eval", "x ".repeat(38)),
        format!("{}[White \"x\"]", "x ".repeat(37)),
        "  \n\n  two\n\nparagraphs  ".to_owned(),
        "a {nested".to_owned(),
    ] {
        let pgn = format!("1. e4 {{{comment}}} e5 ({{{comment}}} 1... c5) 2. Nf3 *\n");
        let flags = ["--format", "pgn", "--keep", "all"];
        let once = replayed(&flags, &pgn);
        let text = once.stdout();
        assert_eq!(replayed(&flags, &text).stdout(), text);
        assert_eq!(text.matches("[Event \"?\"]").count(), 1, "{text}");
        assert_eq!(
            faults(&text, "2,E0").replace("[N220]", ""),
            faults(&text, "N220").replace("[N220]", "")
        );
        assert!(
            text.contains("1... c5)") && text.contains("2. Nf3"),
            "{text}"
        );
        assert!(
            text.lines()
                .all(|line| !line.starts_with('%') && !line.starts_with(' ')),
            "{text}"
        );
        let comment = comment.replace('{', "(");
        let words: Vec<_> = comment.split_whitespace().collect();
        assert!(text.replace('\n', " ").contains(&words.join(" ")), "{text}");
    }
}

/// Exports a corpus file and checks the export.
fn round_trip(name: &str, games: &str, at_least: usize) {
    let Some(path) = corpus::path(name) else {
        return;
    };
    let path = path.to_str().unwrap();
    let moves = of_file(&["--format", "uci", "--games", games], path).stdout();
    assert!(moves.lines().count() >= at_least, "{name}");
    for keep in [&[][..], &["--keep", "all"]] {
        let mut flags = vec!["--format", "pgn"];
        flags.extend(keep);
        let export = of_file(&[&flags[..], &["--games", games]].concat(), path).stdout();
        // Null moves are preserved, and a word may be longer than a line.
        let found = faults(&export, "2");
        let unexpected: Vec<_> = found
            .lines()
            .filter(|line| {
                keep.is_empty()
                    || !["[N229]", "[N220]", "[N266]"]
                        .iter()
                        .any(|it| line.contains(it))
            })
            .collect();
        assert_eq!(unexpected, Vec::<&str>::new(), "{name}");
        assert_eq!(
            replayed(&["--format", "uci"], &export).stdout(),
            moves,
            "{name}"
        );
        assert_eq!(replayed(&flags, &export).stdout(), export, "{name}");
    }
}

#[test]
fn exports_of_small_files_read_back_to_the_same_games() {
    for (name, at_least) in [
        ("annotated_variations", 42),
        ("bom_eval_emt", 269),
        ("chess960", 605),
        ("chesscom", 599),
        ("chesscom_no_blank_lines", 1_667),
        ("cutechess", 526),
        ("latin1_crlf", 3_768),
        ("twic1427", 4_742),
    ] {
        round_trip(&format!("bulk/{name}.pgn"), "1-", at_least);
    }
}

#[test]
fn exports_of_dense_games_read_back_to_the_same_games() {
    round_trip("bulk/masters_dense.pgn.zst", "1-2000,50000-51000", 3_001);
}

#[test]
fn exports_with_clocks_read_back_to_the_same_games() {
    round_trip("bulk/lichess_clk_eval_10k_games.pgn.zst", "1-", 9_900);
}

#[test]
fn exports_with_long_comments_read_back_to_the_same_games() {
    round_trip("bulk/engines_long_comments_crlf.pgn.zst", "1-", 1_100);
}

#[test]
fn games_that_cannot_be_begun_are_left_out() {
    let ran = run(&[
        "replay",
        "-q",
        "--format",
        "pgn",
        "fixtures/findings/N103.pgn",
    ]);
    assert_eq!((ran.code, ran.stdout().as_str()), (Some(1), ""));
    assert!(ran.stderr.contains("note[N103]"), "{}", ran.stderr);
}

#[test]
fn comments_among_the_tags_stand_before_the_moves() {
    let pgn = "{a}\n[Event \"{x}\"] ; b\n[White \"y\"]\n{c}\n[Black \"z\"]\n\n{d} 1. e4 *\n";
    let text = replayed(&["--format", "pgn", "--keep", "comments"], pgn).stdout();
    assert!(text.ends_with("\n\n{a} {b} {c} {d} 1. e4 *\n\n"), "{text}");
}

#[test]
fn what_cannot_be_played_is_left_out_and_reported() {
    let kept = |pgn: &str| {
        let ran = replayed(&["--format", "pgn", "--keep", "all"], pgn);
        let text = ran.stdout();
        assert_eq!(faults(&text, "2"), "");
        let (_, movetext) = text.split_once("\n\n").unwrap();
        let codes: Vec<_> = ran
            .stderr
            .lines()
            .map(|line| line.split(['[', ']']).nth(1).unwrap().to_owned())
            .collect();
        assert_eq!(ran.code, Some(i32::from(!codes.is_empty())));
        (movetext.trim_end().to_owned(), codes)
    };
    let check = |pgn: &str, movetext: &str, codes: &[&str]| {
        let (text, found) = kept(pgn);
        assert_eq!(
            (text.as_str(), &found[..]),
            (
                movetext,
                &codes
                    .iter()
                    .map(|&code| code.to_owned())
                    .collect::<Vec<_>>()[..]
            )
        );
    };
    // A variation is kept up to its first illegal move, without the comments after it.
    check(
        "1. e4 (1. d4 {kept} Ke7 {gone} 2. c4 {gone} (2. c3 {gone})) 1... e5 {stays} *",
        "1. e4 (1. d4 {kept}) 1... e5 {stays} *",
        &["W201"],
    );
    check("1. e4 (1. Ke4 {gone}) 1... e5 *", "1. e4 e5 *", &["W201"]);
    // A variation that replaces no move is dropped.
    check(
        "(1. d4 {gone} (1. c4)) {stays} 1. e4 *",
        "{stays} 1. e4 *",
        &["W223"],
    );
    // Text in parentheses is a comment.
    check(
        "1. e4 ({Best} $1) 1... e5 () 2. d4 *",
        "1. e4 {Best} $1 1... e5 2. d4 *",
        &[],
    );
    check(
        "1. e4 {a} e5 2. Ke3 {gone} (2. d4) 1-0",
        "1. e4 {a} 1... e5 1-0",
        &["E201"],
    );
    // Empty comments are dropped.
    check("1. e4 { } e5 {} ; \n2. d4 *", "1. e4 e5 2. d4 *", &[]);
}

#[test]
fn variations_nested_without_end_are_kept_as_far_as_they_are_played() {
    let depth = 1_000;
    let pgn = format!(
        "1. e4 {}{} e5 *",
        "(1. d4 ".repeat(depth),
        ")".repeat(depth)
    );
    let ran = replayed(&["--format", "pgn", "--variations"], &pgn);
    assert_eq!(ran.stdout().matches("d4").count(), 256);
    assert!(ran.stdout().trim_end().ends_with("1... e5 *"));
    assert!(ran.stderr.contains("[N225]"), "{}", ran.stderr);
}

#[test]
fn whatever_is_wrong_with_a_game_its_export_is_right() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/findings");
    let mut exported = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "pgn") {
            continue;
        }
        let path = path.to_str().unwrap();
        for flags in [
            &["--format", "pgn"][..],
            &["--format", "pgn", "--keep", "all"],
        ] {
            let ran = of_file(flags, path);
            assert!(matches!(ran.code, Some(0..=2)), "{path}: {}", ran.stderr);
            let export = ran.stdout();
            if export.is_empty() {
                continue;
            }
            exported += 1;
            let found = faults(&export, "E0,2");
            let unexpected = found.lines().find(|line| {
                // Null moves and clocks are exported as they are.
                !["N229", "W265", "N266"].iter().any(|it| line.contains(it))
            });
            assert_eq!(unexpected, None, "{path}\n{export}");
            assert_eq!(replayed(flags, &export).stdout(), export, "{path}");
            let moves = ["--format", "uci"];
            assert_eq!(
                replayed(&moves, &export).stdout(),
                of_file(&moves, path).stdout(),
                "{path}"
            );
        }
    }
    assert!(exported > 150, "{exported}");
}
