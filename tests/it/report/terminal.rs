//! Output in terminals of different widths.

use std::fs::File;
use std::io::Read;
use std::process::Child;

use regex::Regex;
use rustix::fs::{Mode, OFlags};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

use crate::arbiter_command::{Ran, Scratch, command, run};

/// Data of a run in a terminal of this many columns, with its exit code.
fn in_terminal(columns: u16, words: &[&str]) -> (String, Option<i32>) {
    in_terminal_by(columns, |end| command(words).stdout(end).spawn().unwrap())
}

/// Data and messages of a run in a terminal of this many columns.
fn all_in_terminal(columns: u16, words: &[&str]) -> String {
    let (text, _) = in_terminal_by(columns, |end| {
        let messages = end.try_clone().unwrap();
        command(words).stdout(end).stderr(messages).spawn().unwrap()
    });
    plain(&text)
}

fn in_terminal_by(columns: u16, spawn: impl FnOnce(File) -> Child) -> (String, Option<i32>) {
    let terminal = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&terminal).unwrap();
    unlockpt(&terminal).unwrap();
    let size = Winsize {
        ws_row: 24,
        ws_col: columns,
        ws_xpixel: 0,
        ws_ypixel: 0,
    };
    tcsetwinsize(&terminal, size).unwrap();
    let path = ptsname(&terminal, Vec::new()).unwrap();
    let end = rustix::fs::open(path, OFlags::RDWR | OFlags::NOCTTY, Mode::empty()).unwrap();
    let mut child = spawn(File::from(end));
    let mut bytes = Vec::new();
    // On Linux the end of a terminal is an error.
    let _ = File::from(terminal).read_to_end(&mut bytes);
    let text = String::from_utf8(bytes).unwrap().replace("\r\n", "\n");
    (text, child.wait().unwrap().code())
}

/// Whether the output of a run with these variables only has colours.
fn is_colored(on_terminal: bool, variables: &[(&str, &str)], words: &[&str]) -> bool {
    let mut command = command(words);
    for name in [
        "NO_COLOR",
        "FORCE_COLOR",
        "CLICOLOR",
        "CLICOLOR_FORCE",
        "CI",
    ] {
        command.env_remove(name);
    }
    command.env("TERM", "xterm").envs(variables.iter().copied());
    let text = match on_terminal {
        true => {
            // The command keeps the terminal open for as long as it exists.
            let start = move |end: File| {
                let messages = end.try_clone().unwrap();
                command.stdout(end).stderr(messages).spawn().unwrap()
            };
            in_terminal_by(160, start).0
        }
        false => {
            let ran = Ran::from(command.output().unwrap());
            ran.stdout() + &ran.stderr
        }
    };
    text.contains("\u{1b}[")
}

#[test]
fn colours_are_those_of_the_option_or_else_of_the_environment() {
    let finding = [
        "validate",
        "-q",
        "--progress",
        "never",
        "fixtures/slips.pgn",
    ];
    let years = ["--by", "year", "fixtures/famous.pgn"];
    let table = [&["stats", "-q", "--progress", "never"][..], &years].concat();
    let usage = ["validate", "--bogus"];
    let help = ["validate", "--help"];
    for (variables, on_terminal, in_pipe) in [
        (&[][..], true, false),
        (&[("NO_COLOR", "1")], false, false),
        (&[("NO_COLOR", "")], true, false),
        (&[("FORCE_COLOR", "1")], true, true),
        (&[("FORCE_COLOR", "3")], true, true),
        (&[("FORCE_COLOR", "0")], true, false),
        (&[("FORCE_COLOR", "")], true, false),
        (&[("CLICOLOR_FORCE", "1")], true, true),
        (&[("CLICOLOR_FORCE", "0")], true, false),
        (&[("CLICOLOR", "0")], false, false),
        (&[("CLICOLOR", "1")], true, false),
        (&[("TERM", "dumb")], false, false),
        (&[("TERM", "dumb"), ("FORCE_COLOR", "1")], true, true),
        (&[("CLICOLOR", "0"), ("CLICOLOR_FORCE", "1")], true, true),
        (&[("NO_COLOR", "1"), ("FORCE_COLOR", "1")], false, false),
        (&[("NO_COLOR", "0"), ("CLICOLOR_FORCE", "1")], false, false),
    ] {
        for words in [&finding[..], &table, &usage, &help] {
            for (place, expected) in [(true, on_terminal), (false, in_pipe)] {
                let shown = is_colored(place, variables, words);
                assert_eq!(shown, expected, "{words:?} {variables:?} {place}");
            }
        }
    }
    for variables in [
        [("NO_COLOR", "1")],
        [("FORCE_COLOR", "1")],
        [("TERM", "dumb")],
    ] {
        for words in [&finding[..], &table, &usage, &help] {
            for (option, expected) in [
                (&["--color", "always"][..], true),
                (&["--color=always"], true),
                (&["--color", "never"], false),
                (&["--color=never"], false),
            ] {
                let words = [&words[..1], option, &words[1..]].concat();
                for place in [true, false] {
                    let shown = is_colored(place, &variables, &words);
                    assert_eq!(shown, expected, "{words:?} {variables:?} {place}");
                }
            }
        }
    }
    // A file has colours only if the option asks for them.
    let scratch = Scratch::new("colours");
    let file = scratch.file("findings", b"");
    for (more, expected) in [(&[][..], false), (&["--color", "always"], true)] {
        let words = [&finding[..], &["-o", &file], more].concat();
        let ran: Ran = command(&words)
            .env("FORCE_COLOR", "1")
            .output()
            .unwrap()
            .into();
        assert_eq!(ran.code, Some(1), "{ran:?}");
        let text = std::fs::read_to_string(&file).unwrap();
        assert_eq!(text.contains('\u{1b}'), expected);
    }
}

/// Every pass over the inputs has a bar of its own.
#[test]
fn games_that_are_read_again_move_the_bar_again() {
    let scratch = Scratch::new("second-passes");
    let game =
        "[White \"a\"]\n[Black \"b\"]\n[Result \"*\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *\n\n";
    let other = game.replace("e4 e5", "d4 d5").replace("Bb5", "Bf4");
    let file = scratch.file("a.pgn", game.repeat(500_000).as_bytes());
    let changed = scratch.file("b.pgn", (game.repeat(499_999) + &other).as_bytes());
    let clean = scratch.path().join("clean.pgn");
    let words = ["validate", "--progress", "always", "-o", "/dev/null"];
    for (more, reads_again) in [
        (&[&*file][..], false),
        (&["--duplicates", &file], true),
        (
            &[
                "--keep",
                "first",
                "--write-clean",
                clean.to_str().unwrap(),
                &file,
            ],
            true,
        ),
        (&["--against", &file, &changed], true),
    ] {
        let words = [&words[..], more].concat();
        let (text, _) = in_terminal_by(120, |end| command(&words).stderr(end).spawn().unwrap());
        let bars = text.split('\r').filter(|text| text.contains(" games/s"));
        let (again, first): (Vec<&str>, Vec<&str>) = bars.partition(|bar| bar.contains(" again, "));
        assert!(!first.is_empty(), "{more:?} {text}");
        assert_eq!(!again.is_empty(), reads_again, "{more:?} {text}");
    }
}

/// Text without colours.
fn plain(text: &str) -> String {
    let mut parts = text.split("\u{1b}[");
    let first = parts.next().unwrap_or_default().to_owned();
    let rest = parts.map(|part| part.split_once('m').unwrap().1);
    std::iter::once(first.as_str()).chain(rest).collect()
}

/// Fails unless every line fits, and returns them.
#[track_caller]
fn fitting(columns: u16, words: &[&str]) -> Vec<String> {
    let (text, _) = in_terminal(columns, words);
    let text = plain(&text);
    let lines: Vec<String> = text.lines().map(str::to_owned).collect();
    assert!(!lines.is_empty());
    for line in &lines {
        // No wide characters are in these outputs.
        assert!(
            line.chars().count() <= usize::from(columns),
            "{columns}: {line}"
        );
    }
    lines
}

fn blocks(line: &str) -> usize {
    line.chars().filter(|c| "█▒░".contains(*c)).count()
}

const FAMOUS: &str = "fixtures/famous.pgn";

#[test]
fn tables_of_groups_fit_the_terminal() {
    let by_year = ["stats", "-q", "--by", "year", FAMOUS];
    let row = |columns| fitting(columns, &by_year)[5..=6].to_vec();
    // The bar is shortened first.
    let wide = row(120);
    assert!(wide[0].starts_with("year") && wide[0].ends_with("draws        95 %"));
    assert_eq!(blocks(&wide[1]), 30);
    assert_eq!(blocks(&row(90)[1]), 90 - 76);
    let without_bar = row(75);
    assert_eq!((&without_bar[0], blocks(&without_bar[1])), (&wide[0], 0));
    // Then the intervals go, and the line below names them.
    assert!(row(70)[0].ends_with("score        95 %    draws"));
    assert!(row(56)[0].ends_with("black    score    draws"));
    let lines = fitting(40, &by_year).join("\n");
    assert!(lines.contains("year  games    score    draws\n"), "{lines}");
    let note = "(columns left out: white, draws and black, 95 % of score, 95 % of draws; \
                a wider terminal or a pipe shows them)";
    let last: Vec<_> = lines
        .lines()
        .skip_while(|line| !line.starts_with('('))
        .collect();
    assert_eq!(last.join("").replace("  ", " "), note);
    // Kinds of draws need the column of draws.
    let kinds = [
        "stats",
        "-q",
        "--by",
        "year",
        "--draws",
        "fixtures/endings.pgn",
    ];
    let lines = fitting(40, &kinds);
    assert!(
        lines
            .iter()
            .any(|line| line.contains("refuted") && line.ends_with(" 1"))
    );

    for columns in [60, 80, 120, 200] {
        for key in ["player", "event", "file"] {
            let lines = fitting(
                columns,
                &["stats", "-q", "--by", key, "--by", "year", FAMOUS],
            );
            assert!(lines[5].contains("games"));
        }
    }
}

#[test]
fn comparisons_fit_the_terminal() {
    let words = [
        "stats",
        "--compare",
        "fixtures/famous.json",
        "fixtures/endings.json",
    ];
    let piped = run(&words).stdout();
    let wide = fitting(130, &words);
    assert_eq!(wide.join("\n"), piped.trim_end());
    for columns in [100, 80, 60, 40] {
        let lines = fitting(columns, &words);
        assert!(lines[0].contains("change"), "{}", lines[0]);
        assert!(
            lines
                .iter()
                .any(|line| line.starts_with("(columns left out: "))
        );
    }
    assert!(!fitting(60, &words)[0].contains("games"));
}

#[test]
fn kinds_of_moves_fit_the_terminal() {
    let words = ["perft", "-q", "--depth", "2", "--kinds"];
    assert_eq!(
        fitting(104, &words).join("\n"),
        run(&words).stdout().trim_end()
    );
    let lines = fitting(80, &words);
    assert_eq!(
        lines[0],
        "depth  nodes  captures  en passant  castles  promotions  checks  mates"
    );
    assert!(lines[3].starts_with("(columns left out: discovered checks, double checks;"));
    assert_eq!(
        fitting(20, &words)[..3],
        ["depth  nodes", "    1     20", "    2    400"]
    );
}

#[test]
fn a_pipe_and_a_file_have_all_columns() {
    let scratch = Scratch::new("terminal-output");
    let file = scratch.path().join("table");
    let file = file.to_str().unwrap();
    let words = ["stats", "-q", "--by", "player", FAMOUS];
    let piped = run(&words).stdout();
    assert!(piped.contains("as black") && !piped.contains("left out"));
    assert_eq!(in_terminal(40, &[&words[..], &["-o", file]].concat()).0, "");
    assert_eq!(std::fs::read_to_string(file).unwrap(), piped);
}

#[test]
fn rulings_are_wrapped_between_words() {
    let words: Vec<_> = "adjudicate -q --claim threefold --move Ng8 --at 4w --games 5 \
                         fixtures/endings.pgn"
        .split_whitespace()
        .collect();
    let piped = run(&words);
    // The board is indented by more than the further lines of a sentence.
    let further = Regex::new(r"\n  (\S)").unwrap();
    for columns in [40, 60, 80, 120] {
        let lines = fitting(columns, &words);
        let text = lines.join("\n");
        assert_eq!(further.replace_all(&text, " $1"), piped.stdout().trim_end());
        assert_eq!(in_terminal(columns, &words).1, piped.code);
    }
    let fen = [
        "adjudicate",
        "--claim",
        "dead",
        "--fen",
        "8/8/8/8/8/8/k7/2K5 w - - 0 1",
    ];
    assert!(fitting(50, &fen).len() > run(&fen).stdout().lines().count());
    let json = [&words[..], &["--format", "jsonl"]].concat();
    assert_eq!(in_terminal(40, &json).0, run(&json).stdout());
}

#[test]
fn the_list_of_codes_fits_the_terminal() {
    let words = ["validate", "--codes"];
    let piped = run(&words).stdout();
    assert_eq!(fitting(120, &words).join("\n"), piped.trim_end());
    for columns in [60, 80] {
        let lines = fitting(columns, &words);
        assert_eq!(lines.join("\n").replace("\n      ", " "), piped.trim_end());
    }
}

#[test]
fn lists_of_adjudications_fit_the_terminal() {
    let endings = "fixtures/endings.pgn";
    for words in [
        &["adjudicate", "-q", "--claims", endings][..],
        &["adjudicate", "-q", "--contradictions", endings],
        &["adjudicate", "--list-rules"],
    ] {
        let piped = run(words).stdout();
        for columns in [60, 80] {
            let lines = fitting(columns, words);
            let text = |text: &str| -> Vec<String> {
                text.split_whitespace().map(str::to_owned).collect()
            };
            // The table of rules has several parts, each with the names.
            if !words.contains(&"--list-rules") {
                assert_eq!(text(&lines.join("\n")), text(&piped));
            }
        }
    }
    let mut table = fitting(60, &["adjudicate", "--list-rules"]);
    table.truncate(
        table
            .iter()
            .position(|line| line.starts_with("auto:"))
            .unwrap(),
    );
    for head in ["mate", "3-fold", "75", "resign"] {
        let heads = table.iter().filter(|line| line.starts_with("     "));
        assert_eq!(
            heads
                .filter(|line| line.split_whitespace().any(|it| it == head))
                .count(),
            1
        );
    }
}

#[test]
fn a_terminal_shows_some_findings_of_each_code_and_statistics() {
    let scratch = Scratch::new("terminal-statistics");
    let game = "[White \"a\"]\n[Black \"b\"]\n[Result \"*\"]\n\n1. e4 Ke5 *\n\n";
    let [a, b] = [("a", 30), ("b", 5)].map(|(name, games)| {
        let name = format!("games_of_the_club_in_{name}.pgn");
        scratch.file(&name, game.repeat(games).as_bytes())
    });
    let words = [
        "validate",
        "--progress",
        "never",
        "--select",
        "E201",
        &a,
        &b,
    ];
    let more = "E201 illegal-move: 15 more, shown by `--select E201 --max-per-code all`\n";
    let shown = |text: &str| text.matches("error[E201]").count();
    for columns in [60, 80, 120, 200] {
        let text = all_in_terminal(columns, &words);
        assert_eq!(shown(&text), 20, "{text}");
        let (_, end) = text.split_once(more).unwrap();
        let (table, _) = end.split_once("findings: 35 error").unwrap();
        for line in table.lines() {
            let length = line.chars().count();
            assert!(length <= usize::from(columns), "{columns}: {line}");
        }
        let last = |first: &str| {
            let mut lines = table.lines();
            let line = lines.find(|line| line.split(' ').next() == Some(first));
            line.unwrap().split(' ').next_back().unwrap()
        };
        // Places keep their ends.
        assert!(last("E201").ends_with("in_a.pgn:5:7"), "{table}");
        assert!(last("30").ends_with("in_a.pgn"), "{table}");
        assert!(last("5").ends_with("in_b.pgn"), "{table}");
    }
    let wide = all_in_terminal(200, &words);
    assert!(
        wide.contains(&format!("  35     35      2  {a}:5:7\n")),
        "{wide}"
    );

    let with = |more: &[&str]| all_in_terminal(120, &[&words[..], more].concat());
    assert_eq!(shown(&with(&["--max-per-code", "all"])), 35);
    assert_eq!(shown(&with(&["--max-per-code", "3"])), 3);
    assert_eq!(shown(&with(&["--max-findings", "25"])), 25);
    assert_eq!(shown(&with(&["--format", "concise"])), 35);
    // Hidden findings are named even if the log is quiet.
    let quiet = with(&["--quiet"]);
    assert!(quiet.ends_with(more), "{quiet}");

    let piped = run(&words);
    assert_eq!(shown(&piped.stdout()), 35);
    assert!(!piped.stderr.contains("illegal-move"), "{}", piped.stderr);
}

/// Sets the title of a terminal.
const TITLE: &str = "\u{1b}]0;title\u{7}";

#[test]
fn arguments_in_usage_errors_do_not_act() {
    let shown = "\\u{1b}]0;title\\u{7}";
    for words in [
        &["validate", &format!("--{TITLE}")][..],
        &["validate", "--format", TITLE],
        &["validate", "--jobs", TITLE],
        &["validate", "--select", TITLE],
        &["stats", "--by", TITLE],
        &["adjudicate", "--rules", TITLE],
        &["replay", "--at", TITLE],
        &["replay", "--games", TITLE],
        &["replay", "--where", &format!("White~{TITLE}(")],
        &["perft", TITLE],
        &[TITLE],
        &[&format!("./{TITLE}.pgn")],
    ] {
        let (text, code) = in_terminal_by(80, |end| command(words).stderr(end).spawn().unwrap());
        assert_eq!(code, Some(2), "{words:?}");
        assert!(!text.contains(TITLE) && text.contains(shown), "{text}");
        assert!(
            plain(&text).chars().all(|c| !c.is_control() || c == '\n'),
            "{text:?}"
        );
        let ran = run(words);
        assert!(ran.stderr.contains(shown), "{}", ran.stderr);
    }
    let ran = run(&["validate", "--fromat", "::error::x"]);
    assert!(!ran.stderr.lines().any(|line| line.starts_with("::")));
    let ran = run(&["::error::x"]);
    assert!(!ran.stderr.contains("::"), "{}", ran.stderr);
}

#[test]
fn games_do_not_act_on_a_terminal() {
    let scratch = Scratch::new("acting-games");
    let text = format!(
        "[Event \"{TITLE}\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"a\"]\n\
         [Black \"b\"]\n[Result \"*\"]\n\n1. e4 {{{TITLE}\u{9b}1m\u{202e}}} e5 2. Qh5 Nc6 3. Qxf7 *\n"
    );
    let games = scratch.file("a.pgn", text.as_bytes());
    let other = scratch.path().join("x").to_str().unwrap().to_owned();
    for words in [
        &["validate", "--strict", "--fix", &games][..],
        &["validate", "--strict", "--fix", "--diff", &games],
        &[
            "validate",
            "--fix",
            "--strict",
            "--diff",
            "--write-fixed",
            "-",
            "-o",
            &other,
            &games,
        ],
        &[
            "validate",
            "--fail-on",
            "never",
            "-o",
            &other,
            "--write-clean",
            "-",
            &games,
        ],
        &[
            "validate",
            "-o",
            &other,
            "--write-rejected",
            "-",
            "--fail-on",
            "note",
            &games,
        ],
        &["replay", "--format", "pgn", "--keep", "all", &games],
        &["adjudicate", "--format", "pgn", &games],
    ] {
        let (text, _) = in_terminal(80, words);
        let stays = |c: char| c == '\n' || !c.is_control() && c != '\u{202e}';
        assert!(plain(&text).chars().all(stays), "{words:?} {text:?}");
        let is_diff = words.contains(&"--diff") && !words.contains(&"--write-fixed");
        assert!(text.contains("\\u{202e}"), "{words:?} {text}");
        // The export format has no control characters, but others that act.
        let is_export = words.contains(&"replay");
        let title = "[Event \"\\u{1b}]0;title\\u{7}\"]\n";
        assert!(
            is_diff || is_export || text.contains(title),
            "{words:?} {text}"
        );
        // A pipe has the games as they are.
        let ran = run(words);
        assert!(ran.stdout().contains('\u{202e}'), "{words:?}");
    }
}

#[test]
fn no_row_is_a_command_of_a_log() {
    let scratch = Scratch::new("log-commands");
    let names = ["::error::x", "##teamcity[x", "##[error]x", "##vso[x"];
    let games: String = (0..16)
        .map(|nth| {
            let (a, b) = (names[nth / 4], names[nth % 4]);
            format!(
                "[Event \"{a}\"]\n[Site \"{a}\"]\n[Date \"????.??.??\"]\n[Round \"{nth}\"]\n\
                 [White \"{a}\"]\n[Black \"{b}\"]\n[Result \"1-0\"]\n[TimeControl \"{b}\"]\n\n\
                 1. e4 {{{a}}} e5 2. Ke3 {b} 1-0\n\n"
            )
        })
        .collect();
    scratch.file("::error::g.pgn", games.as_bytes());
    let mut rows = 0;
    for words in [
        &["validate"][..],
        &["validate", "--format", "concise"],
        &["validate", "--format", "csv"],
        &["validate", "--format", "markdown"],
        &["validate", "--statistics"],
        &["stats", "--by", "player"],
        &["stats", "--by", "player", "--format", "csv"],
        &[
            "stats", "--by", "event", "--by", "tag:Site", "--format", "csv",
        ],
        &["stats", "--by", "file"],
        &["stats", "--pairs"],
        &["stats", "--pairs", "--format", "csv"],
        &["replay"],
        &["replay", "--format", "csv"],
        &["adjudicate"],
        &["adjudicate", "--format", "csv", "--tags", "all"],
    ] {
        let words = [words, &["./::error::g.pgn", "::error::g.pgn"]].concat();
        let ran: Ran = command(&words)
            .current_dir(scratch.path())
            .output()
            .unwrap()
            .into();
        for line in ran.stdout().lines().chain(ran.stderr.lines()) {
            assert!(!line.trim_start().starts_with("::"), "{words:?}: {line}");
            for command in &names[1..] {
                let (begin, _) = command.split_once('[').unwrap();
                assert!(!line.contains(&format!("{begin}[")), "{words:?}: {line}");
            }
            rows += 1;
        }
        assert!(ran.code.is_some());
    }
    assert!(rows > 300, "{rows}");
}

#[test]
fn no_two_groups_have_one_name_in_csv() {
    let scratch = Scratch::new("csv-groups");
    let names = ["\u{1b}", "\\\\u{1b}", "\\\\u{5c}u{1b}", "=1", "'=1", "''=1"];
    let games: String = names
        .map(|name| format!("[White \"{name}\"]\n[Black \"b\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n\n"))
        .concat();
    let games = scratch.file("a.pgn", games.as_bytes());
    for more in [&[][..], &["--csv-safe"]] {
        let words = [
            "stats",
            "-q",
            "--by",
            "tag:White",
            "--format",
            "csv",
            &games,
        ];
        let ran = run(&[&words, more].concat());
        let first = |line: &str| line.split(',').next().unwrap().to_owned();
        let rows: Vec<String> = ran.stdout().lines().skip(1).map(first).collect();
        let different: std::collections::BTreeSet<_> = rows.iter().collect();
        assert_eq!((rows.len(), different.len()), (6, 6), "{rows:?}");
    }
}
