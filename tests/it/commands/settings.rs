//! `arbiter.toml`: where it is found, what it sets, and what overrides it.

use std::fs;
use std::path::Path;

use rawzip::CompressionMethod;

use crate::arbiter_command::{Ran, Scratch, command};
use crate::compressors::zip;

/// One error, E201, in the first game, and one warning, W207, in the second.
const GAMES: &str = "[Event \"1\"]\n[Site \"?\"]\n[Date \"2020.01.01\"]\n[Round \"?\"]\n\
[White \"a\"]\n[Black \"b\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Ke2 Qg5 3. Ke3 Qg3 1-0\n\n\
[Event \"2\"]\n[Site \"?\"]\n[Date \"2020.01.01\"]\n[Round \"?\"]\n\
[White \"a\"]\n[Black \"b\"]\n[Result \"*\"]\n\n1. e4 e5) 2. Nf3 *\n";

/// A folder with games, and settings if there are any.
fn folder(name: &str, settings: &str) -> Scratch {
    let scratch = Scratch::new(&format!("settings-{name}"));
    scratch.file("games.pgn", GAMES.as_bytes());
    if !settings.is_empty() {
        scratch.file("arbiter.toml", settings.as_bytes());
    }
    scratch
}

fn run_in(folder: &Path, words: &[&str]) -> Ran {
    command(words).current_dir(folder).output().unwrap().into()
}

/// Exit code of `validate`, and the findings as `file code`.
fn found_in(folder: &Path, more: &[&str]) -> (Option<i32>, Vec<String>) {
    let words = [&["validate", "-q", "--format", "concise"], more].concat();
    let ran = run_in(folder, &words);
    let line = |line: &str| {
        let (file, rest) = line.split_once(':').unwrap();
        let code = rest.split(['[', ']']).nth(1).unwrap();
        format!("{file} {code}")
    };
    assert_eq!(ran.stderr, "");
    (ran.code, ran.stdout().lines().map(line).collect())
}

/// The codes found in `games.pgn`.
fn codes(folder: &Path, more: &[&str]) -> Vec<String> {
    let words = [more, &["games.pgn"]].concat();
    let (_, found) = found_in(folder, &words);
    let code = |found: &String| found.split(' ').nth(1).unwrap().to_owned();
    found.iter().map(code).collect()
}

/// Standard error of a run that is refused.
fn refused(folder: &Path, words: &[&str]) -> String {
    let ran = run_in(folder, words);
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    assert_eq!(ran.stdout(), "");
    ran.stderr
}

#[test]
fn the_nearest_file_above_is_read() {
    let top = folder("nearest", "ignore = ['W207']\n");
    let middle = top.path().join("middle");
    let below = middle.join("below");
    fs::create_dir_all(&below).unwrap();
    fs::copy(top.path().join("games.pgn"), below.join("games.pgn")).unwrap();
    assert_eq!(codes(&below, &[]), ["E201"]);
    // A folder of this name is no file of settings.
    fs::create_dir(below.join("arbiter.toml")).unwrap();
    assert_eq!(codes(&below, &[]), ["E201"]);
    fs::write(middle.join("arbiter.toml"), "ignore = ['E201']\n").unwrap();
    assert_eq!(codes(&below, &[]), ["W207"]);
    assert_eq!(codes(&below, &["--config", "../../arbiter.toml"]), ["E201"]);
    assert_eq!(codes(&below, &["--no-config"]), ["E201", "W207"]);
    let missing = refused(&below, &["validate", "--config", "none.toml", "games.pgn"]);
    assert!(missing.contains("cannot open `none.toml`"), "{missing}");
    let both = [
        "validate",
        "--config",
        "../arbiter.toml",
        "--no-config",
        "games.pgn",
    ];
    assert!(refused(&below, &both).contains("cannot be used with"));
}

#[test]
fn the_command_line_overrides_the_file() {
    let scratch = folder(
        "override",
        "select = ['E201', 'W207']\nignore = ['W207']\nfail-on = 'never'\nstrict = true\n",
    );
    let path = scratch.path();
    assert_eq!(found_in(path, &["games.pgn"]).0, Some(0));
    assert_eq!(
        found_in(path, &["--fail-on", "error", "games.pgn"]).0,
        Some(1)
    );
    assert_eq!(codes(path, &[]), ["E201"]);
    assert_eq!(codes(path, &["--ignore", "E201"]), ["W207"]);
    assert_eq!(codes(path, &["--select", "W207"]), ["W207"]);
    assert_eq!(
        codes(path, &["--select", "2", "--ignore", "E201", "--no-strict"]),
        ["W207"]
    );
    // Only `--strict` reports the missing blank of `e5)`.
    let strict = codes(path, &["--select", "2"]);
    let strict_only = codes(path, &["--no-config", "--strict", "--select", "2"]);
    assert_eq!(strict, strict_only);
}

#[test]
fn faults_are_named_with_their_line() {
    let scratch = folder("faults", "");
    for (text, line, reason) in [
        ("\nselct = ['E']", 2, "no such key; did you mean `select`?"),
        ("zzz = 1\naaa = 1", 1, "no such key; there are "),
        (
            "per_file_ignores = {}",
            1,
            "did you mean `per-file-ignores`?",
        ),
        (
            "[validate]\nstrict = true",
            1,
            "no such key; there are select, ",
        ),
        (
            "\n\nselect = 'E'",
            3,
            "invalid type: string \"E\", expected a sequence",
        ),
        (
            "strict = 1",
            1,
            "invalid type: integer `1`, expected a boolean",
        ),
        ("strict = true\nstrict = true", 2, "duplicate key"),
        ("strict", 1, "key with no value"),
        (
            "select = [\n'E201',\n'E2O1']",
            3,
            "`E2O1`: no code begins like this; did you mean E201",
        ),
        ("ignore = ['E999']", 1, "`E999`: no code begins like this"),
        (
            "fail-on = 'loud'",
            1,
            "`loud`: not a severity; there are error, warning, note, never",
        ),
        (
            "piece-letters = 'klingon'",
            1,
            "`klingon`: no such piece letters",
        ),
        (
            "[per-file-ignores]\n'{a' = ['E']",
            2,
            "`{a`: unclosed alternate group",
        ),
        (
            "[per-file-ignores]\n'a' = ['E9x']",
            2,
            "`E9x`: no code begins like this",
        ),
        (
            "baseline = 'no.jsonl'",
            1,
            "baseline `no.jsonl` does not exist; create it with `--no-baseline --write-baseline",
        ),
    ] {
        scratch.file("arbiter.toml", text.as_bytes());
        let wanted = format!("error: cannot use the configuration `arbiter.toml`: line {line}: ");
        for words in [
            &["validate", "games.pgn"][..],
            &["validate", "--show-config"],
        ] {
            let stderr = refused(scratch.path(), words);
            assert!(stderr.starts_with(&wanted), "{text}: {stderr}");
            assert!(stderr.contains(reason), "{text}: {stderr}");
        }
        assert!(!codes(scratch.path(), &["--no-config"]).is_empty());
    }
    scratch.file("arbiter.toml", b"rules = 'fied'");
    for command in ["stats", "adjudicate"] {
        let stderr = refused(scratch.path(), &[command, "games.pgn"]);
        assert!(
            stderr.contains("line 1: `fied`: no such rule set"),
            "{stderr}"
        );
    }
    scratch.file("arbiter.toml", b"strict = true # \xff");
    let stderr = refused(scratch.path(), &["replay", "games.pgn"]);
    assert!(stderr.contains("cannot use the configuration `arbiter.toml`: it is not UTF-8"));
}

#[test]
fn a_baseline_is_relative_to_the_file_and_can_be_left_out() {
    let scratch = folder("baseline", "baseline = 'known.jsonl'\n");
    let path = scratch.path();
    let below = path.join("below");
    fs::create_dir(&below).unwrap();
    let write = [
        "--no-baseline",
        "--write-baseline",
        "known.jsonl",
        "games.pgn",
    ];
    assert_eq!(found_in(path, &write), (Some(0), Vec::new()));
    assert_eq!(found_in(&below, &["../games.pgn"]), (Some(0), Vec::new()));
    let (code, found) = found_in(&below, &["--no-baseline", "../games.pgn"]);
    assert_eq!((code, found.len()), (Some(1), 2));
    let part = ["validate", "--part", "1/2", "../games.pgn"];
    assert!(refused(&below, &part).contains("`--part` needs `--no-baseline`"));
    assert_eq!(
        found_in(path, &["--no-baseline", "--part", "1/1", "games.pgn"])
            .1
            .len(),
        2
    );
    // A baseline of the command line is relative to the working directory.
    let given = ["--baseline", "../known.jsonl", "../games.pgn"];
    assert_eq!(found_in(&below, &given), (Some(0), Vec::new()));
    let clash = ["validate", "-o", "known.jsonl", "games.pgn"];
    assert!(refused(path, &clash).contains("`--output` names the file of the baseline"));
}

#[test]
fn codes_are_ignored_in_files_of_some_names() {
    let settings = "[per-file-ignores]\n'old/' = ['W207']\n'a.zip/*' = ['E201']\n\
        '*-draft.pgn' = ['E', 'W']\n";
    let scratch = folder("per-file", settings);
    let path = scratch.path();
    fs::create_dir_all(path.join("old/x")).unwrap();
    scratch.file("old/x/1.pgn", GAMES.as_bytes());
    scratch.file("old/2-draft.pgn", GAMES.as_bytes());
    let archive = zip(&[("b.pgn", CompressionMethod::DEFLATE, GAMES.as_bytes())]);
    scratch.file("a.zip", &archive);
    let all = |start: &str| {
        [
            "a.zip/b.pgn W207",
            "games.pgn E201",
            "games.pgn W207",
            "old/x/1.pgn E201",
        ]
        .map(|found| format!("{start}{found}"))
    };
    assert_eq!(found_in(path, &["."]).1, all("./"));
    // Neither the way to a file nor the number of threads matters.
    let whole = path.to_str().unwrap();
    assert_eq!(found_in(path, &["-j3", whole]).1, all(&format!("{whole}/")));
    assert_eq!(
        found_in(&path.join("old"), &["../old/.."]).1,
        all("../old/../")
    );
    let elsewhere = Scratch::new("settings-elsewhere");
    elsewhere.file("1-draft.pgn", GAMES.as_bytes());
    let config = path.join("arbiter.toml");
    let words = ["--config", config.to_str().unwrap(), "1-draft.pgn"];
    assert_eq!(found_in(elsewhere.path(), &words).1, [""; 0]);
}

#[test]
fn rules_and_letters_reach_the_other_commands() {
    let scratch = folder("others", "rules = 'uscf'\npiece-letters = 'german'\n");
    let path = scratch.path();
    let german = GAMES.replace("2. Nf3", "2. Sf3").replace("Ke", "Le");
    scratch.file("german.pgn", german.as_bytes());
    let rules = |words: &[&str]| {
        let stdout = run_in(path, words).stdout;
        let mut values = serde_json::Deserializer::from_slice(&stdout).into_iter();
        let first: serde_json::Value = values.next().unwrap().unwrap();
        first["rules"].as_str().unwrap().to_owned()
    };
    let adjudicate = ["adjudicate", "-q", "--format", "jsonl", "games.pgn"];
    assert_eq!(rules(&adjudicate), "uscf");
    assert_eq!(
        rules(&[&adjudicate[..], &["--rules", "fics"]].concat()),
        "fics"
    );
    assert_eq!(rules(&[&adjudicate[..], &["--no-config"]].concat()), "fide");
    // A ruling names the file that chose its rules.
    let claim = [
        "adjudicate",
        "-q",
        "--claim",
        "threefold",
        "--games",
        "2",
        "german.pgn",
    ];
    let fen = [
        "adjudicate",
        "-q",
        "--claim",
        "dead",
        "--fen",
        "8/8/3k4/8/8/8/8/3K4 w - - 0 1",
    ];
    for words in [&claim[..], &fen] {
        let line = |more: &[&str]| {
            let ran = run_in(path, &[words, more].concat());
            let out = ran.stdout();
            out.lines()
                .find(|line| line.starts_with("Rules: "))
                .unwrap_or_default()
                .to_owned()
        };
        let named = line(&[]);
        assert!(
            named.ends_with(" (`rules = \"uscf\"` from arbiter.toml)."),
            "{named}"
        );
        assert!(!line(&["--rules", "uscf"]).contains("arbiter.toml"));
    }
    let flag = [
        "adjudicate",
        "--claim",
        "flag",
        "--fen",
        "8/8/8/8/8/8/k7/7K w - - 0 1",
    ];
    assert!(run_in(path, &flag).stdout().contains("US Chess"));
    let stats = ["stats", "-q", "--draws", "--format", "json", "games.pgn"];
    assert_eq!(rules(&stats), "uscf");
    assert_eq!(rules(&[&stats[..], &["--rules", "fide"]].concat()), "fide");

    let fen = |more: &[&str]| {
        let words = [
            &[
                "replay",
                "-q",
                "--games",
                "2",
                "--format",
                "fen",
                "german.pgn",
            ],
            more,
        ];
        run_in(path, &words.concat()).stdout()
    };
    let played = "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2\n";
    assert_eq!(fen(&[]), played);
    assert_ne!(fen(&["--piece-letters", "english"]), played);
}

#[test]
fn the_closing_lines_name_the_settings_of_the_file() {
    let scratch = folder("note", "strict = false\nrules = 'uscf'\nselect = ['E']\n");
    let run = |words: &[&str]| run_in(scratch.path(), words).stderr;
    let validate = ["validate", "games.pgn"];
    assert!(run(&validate).starts_with("settings: select, strict from arbiter.toml\nfindings: "));
    let part = [&validate[..], &["--select", "E", "--strict"]].concat();
    assert!(run(&part).starts_with("findings: "));
    assert!(run(&[&validate[..], &["--no-config"]].concat()).starts_with("findings: "));
    assert!(run(&["adjudicate", "games.pgn"]).contains("settings: rules from arbiter.toml\n"));
    assert!(
        run(&["replay", "games.pgn"])
            .lines()
            .all(|line| !line.starts_with("settings"))
    );
    assert_eq!(run(&[&validate[..], &["--quiet"]].concat()), "");
}

#[test]
fn the_settings_shown_are_a_file_of_settings() {
    let settings = "select = ['E', 'W']\nignore = ['W118']\nfail-on = 'note'\nstrict = true\n\
        piece-letters = 'de'\n\n[per-file-ignores]\n'old/' = ['W207']\n";
    let scratch = folder("shown", settings);
    let show = |more: &[&str]| {
        let ran = run_in(
            scratch.path(),
            &[&["validate", "--show-config"], more].concat(),
        );
        assert_eq!((ran.code, &*ran.stderr), (Some(0), ""));
        ran.stdout()
    };
    let first = show(&["--ignore", "W207"]);
    scratch.file("shown.toml", first.as_bytes());
    let second = show(&["--config", "shown.toml"]);
    let values = |shown: &str| {
        let lines = shown
            .lines()
            .skip(1)
            .map(|line| line.split("  # ").next().unwrap().to_owned());
        lines.collect::<Vec<_>>()
    };
    assert_eq!(values(&first), values(&second));
    assert!(
        first.contains("ignore = [\"W207\"]  # command line\n"),
        "{first}"
    );
    assert!(
        first.contains("fail-on = \"note\"  # arbiter.toml:3\n"),
        "{first}"
    );
    assert!(
        second.contains("ignore = [\"W207\"]  # shown.toml:3\n"),
        "{second}"
    );
    assert!(show(&["--no-config"]).contains("fail-on = \"error\"  # default\n"));
}

#[test]
fn the_manual_shows_the_file_that_its_command_reads() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |path: &str| fs::read_to_string(root.join(path)).unwrap();
    let file = read("fixtures/settings/arbiter.toml");
    assert!(read("src/commands/README.md").contains(&format!("```toml\n{file}```\n")));
}

#[test]
fn a_search_leaves_out_what_a_linter_leaves_out() {
    let scratch = folder(
        "search",
        "exclude = [\"old/\"]\nextend-exclude = [\"tmp*\", \"!tmp1.pgn\"]\n",
    );
    for name in [
        ".hidden.pgn",
        "old/a.pgn",
        "sub/old/a.pgn",
        "tmp1.pgn",
        "tmp2.pgn",
        "target/a.pgn",
        "drafts/a.pgn",
    ] {
        let path = scratch.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, GAMES).unwrap();
    }
    scratch.file(".gitignore", b"drafts/\n");
    let files = |more: &[&str]| {
        let (_, found) = found_in(scratch.path(), &[more, &["--select", "E201", "."]].concat());
        let name = |found: &String| {
            found
                .trim_start_matches("./")
                .split(' ')
                .next()
                .unwrap()
                .to_owned()
        };
        found.iter().map(name).collect::<Vec<_>>()
    };
    assert_eq!(files(&[]), ["games.pgn", "target/a.pgn", "tmp1.pgn"]);
    assert_eq!(
        files(&["--hidden"]),
        [".hidden.pgn", "games.pgn", "target/a.pgn", "tmp1.pgn"]
    );
    assert_eq!(
        files(&["--no-ignore"]),
        ["drafts/a.pgn", "games.pgn", "target/a.pgn", "tmp1.pgn"]
    );
    let usual = [
        "drafts/a.pgn",
        "games.pgn",
        "old/a.pgn",
        "sub/old/a.pgn",
        "tmp1.pgn",
        "tmp2.pgn",
    ];
    assert_eq!(files(&["--no-config", "--no-ignore"]), usual);
    // Inputs are read although a search leaves them out.
    for named in ["tmp2.pgn", "drafts", "old"] {
        let (_, found) = found_in(scratch.path(), &["--select", "E201", named]);
        assert_eq!(found.len(), 1, "{named}: {found:?}");
    }
}

#[test]
fn patterns_of_the_command_line_add_to_those_of_the_file() {
    let scratch = folder("exclude", "extend-exclude = [\"tmp*\"]\n");
    for name in ["tmp1.pgn", "old/a.pgn", "sub/old/a.pgn", "sub/b.pgn"] {
        let path = scratch.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, GAMES).unwrap();
    }
    let sub = scratch.path().join("sub");
    for (folder, words, expected) in [
        (scratch.path(), "--exclude old/ .", "games.pgn sub/b.pgn"),
        (
            scratch.path(),
            "--exclude /old --exclude b.* .",
            "games.pgn sub/old/a.pgn",
        ),
        // Relative to the working directory, and after the patterns of the file.
        (&sub, "--exclude /old .", "b.pgn"),
        (
            scratch.path(),
            "--exclude sub/ --exclude !tmp1.pgn .",
            "games.pgn old/a.pgn tmp1.pgn",
        ),
        // Named inputs are left out with `--force-exclude` only.
        (
            scratch.path(),
            "--exclude old/ old tmp1.pgn",
            "old/a.pgn tmp1.pgn",
        ),
        (
            scratch.path(),
            "--force-exclude --exclude old/ old old/a.pgn sub/old/a.pgn tmp1.pgn sub/b.pgn",
            "sub/b.pgn",
        ),
    ] {
        let words: Vec<&str> = words.split(' ').collect();
        let (_, found) = found_in(folder, &[&["--select", "E201"], &words[..]].concat());
        let name = |found: &String| {
            let name = found.split(' ').next().unwrap();
            name.trim_start_matches("./").to_owned()
        };
        let names: Vec<String> = found.iter().map(name).collect();
        assert_eq!(names.join(" "), expected, "{words:?}");
    }
    for command in ["validate", "stats", "replay", "adjudicate"] {
        let words = [
            command,
            "-q",
            "--format",
            "csv",
            "--force-exclude",
            "tmp1.pgn",
        ];
        let ran = run_in(scratch.path(), &words);
        assert_eq!((ran.code, &*ran.stderr), (Some(0), ""), "{command}");
    }
    let faulty = refused(scratch.path(), &["stats", "--exclude", "{a", "."]);
    assert!(faulty.contains("`{a`: unclosed"), "{faulty}");
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for hooks in ["", ".github/pre-commit/"] {
        let hooks = root.join(hooks).join(".pre-commit-hooks.yaml");
        let hooks = fs::read_to_string(hooks).unwrap();
        assert!(hooks.contains(" --force-exclude\n"), "{hooks}");
    }
}

#[test]
fn an_empty_file_among_others_is_a_note_in_every_format() {
    let scratch = folder("empty-formats", "");
    scratch.file("empty.pgn", b"");
    for (format, note, error) in [
        (
            "sarif",
            "\"level\":\"note\",\"message\":{\"text\":\"no game",
            "\"level\":\"error\",\"message\":{\"text\":\"no game",
        ),
        (
            "gitlab",
            "\"severity\":\"info\"",
            "\"severity\":\"blocker\"",
        ),
        (
            "junit",
            "<skipped message=\"no game",
            "<error message=\"no game",
        ),
        ("markdown", "- note: no game", "- no game"),
    ] {
        let run = |names: &[&str]| {
            let words = ["validate", "-q", "--select", "E201", "--format", format];
            run_in(scratch.path(), &[&words, names].concat())
        };
        let among = run(&["empty.pgn", "games.pgn"]);
        assert!(among.stdout().contains(note), "{}", among.stdout());
        assert_eq!(among.code, Some(1), "{format}");
        let alone = run(&["empty.pgn"]);
        assert!(alone.stdout().contains(error), "{}", alone.stdout());
        assert_eq!(alone.code, Some(2), "{format}");
    }
}

#[test]
fn one_empty_file_among_others_is_a_note() {
    let scratch = folder("empty", "");
    scratch.file("empty.pgn", b"");
    scratch.file("blank.pgn", b"\n \n");
    let run = |names: &[&str]| {
        let words = [&["validate", "--no-config", "--fail-on", "never"], names].concat();
        run_in(scratch.path(), &words)
    };
    let ran = run(&["games.pgn", "empty.pgn", "blank.pgn"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    for name in ["empty", "blank"] {
        assert!(
            ran.stderr
                .contains(&format!("note: no game found in `{name}.pgn`")),
            "{}",
            ran.stderr
        );
    }
    assert_eq!(run(&["empty.pgn"]).code, Some(2));
    assert_eq!(run(&["empty.pgn", "blank.pgn"]).code, Some(2));
}

#[test]
fn settings_stand_beside_the_inputs_too() {
    let scratch = folder("beside", "");
    for name in ["work", "db/a", "db/b/c"] {
        fs::create_dir_all(scratch.path().join(name)).unwrap();
    }
    fs::write(scratch.path().join("db/a/games.pgn"), GAMES).unwrap();
    fs::write(scratch.path().join("db/b/c/games.pgn"), GAMES).unwrap();
    fs::write(
        scratch.path().join("db/arbiter.toml"),
        "select = [\"W207\"]\n",
    )
    .unwrap();
    fs::write(
        scratch.path().join("db/b/arbiter.toml"),
        "select = [\"E201\"]\n",
    )
    .unwrap();
    let found = |inputs: &[&str]| {
        let (_, found) = found_in(&scratch.path().join("work"), inputs);
        let code = |found: &String| found.split(' ').nth(1).unwrap().to_owned();
        found.iter().map(code).collect::<Vec<_>>()
    };
    assert_eq!(found(&["../db/a/games.pgn"]), ["W207"]);
    assert_eq!(found(&["../db/b/c"]), ["E201"]);
    assert_eq!(found(&["../db/a", "../db/b/c/games.pgn"]), ["W207", "W207"]);
    let ran = run_in(&scratch.path().join("work"), &["validate", "../db/a"]);
    let named = format!(
        "settings: select from {}",
        scratch.path().join("db/arbiter.toml").display()
    );
    assert!(ran.stderr.contains(&named), "{}", ran.stderr);
    // The working directory comes first.
    fs::write(
        scratch.path().join("work/arbiter.toml"),
        "select = [\"E\", \"W\"]\n",
    )
    .unwrap();
    assert_eq!(found(&["../db/a"]), ["E201", "W207"]);
}

#[test]
fn a_negated_pattern_stands_for_all_other_files() {
    let text = "[per-file-ignores]\n\"!games.pgn\" = [\"E201\"]\n\"sub/\" = [\"W207\"]\n";
    let scratch = folder("negated", text);
    fs::create_dir(scratch.path().join("sub")).unwrap();
    fs::write(scratch.path().join("sub/other.pgn"), GAMES).unwrap();
    let (_, found) = found_in(scratch.path(), &["games.pgn", "sub/other.pgn"]);
    assert_eq!(found, ["games.pgn E201", "games.pgn W207"]);
}
