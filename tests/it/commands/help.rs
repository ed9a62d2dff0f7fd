//! Help, hints, man pages and completions.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::arbiter_command::{Scratch, binary, command, run};

const COMMANDS: [&str; 6] = [
    "validate",
    "stats",
    "replay",
    "perft",
    "adjudicate",
    "generate",
];

/// Sections that every man page has.
const COMMON_SECTIONS: [&str; 6] = [
    ".SH NAME",
    ".SH SYNOPSIS",
    ".SH \"EXIT STATUS\"",
    ".SH ENVIRONMENT",
    ".SH FILES",
    ".SH \"SEE ALSO\"",
];

/// True if a program can be run; says so if it cannot.
fn is_installed(program: &str) -> bool {
    let mut asked = Command::new(program);
    let found = asked
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    if found.is_err() {
        println!("skipped: {program} is not installed");
    }
    found.is_ok()
}

#[test]
#[cfg(unix)]
fn examples_of_the_help_work_when_pasted() {
    let folder = Scratch::new("examples");
    let famous = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/famous.pgn");
    fs::copy(famous, folder.path().join("famous.pgn")).unwrap();
    let binary = binary();
    let path = format!(
        "{}:{}",
        binary.parent().unwrap().display(),
        std::env::var("PATH").unwrap()
    );
    for name in COMMANDS {
        let help = run(&[name, "--help"]).stdout();
        let examples: Vec<&str> = help
            .lines()
            .skip_while(|line| *line != "Examples:")
            .skip(1)
            .take_while(|line| !line.is_empty())
            .collect();
        assert_eq!(examples.len(), 3, "{help}");
        assert!(help.lines().nth(2) == Some("Examples:"), "{help}");
        for example in examples {
            let ran = Command::new("sh")
                .args(["-c", example])
                .current_dir(folder.path())
                .env("PATH", &path)
                .output()
                .unwrap();
            let code = ran.status.code();
            let stderr = String::from_utf8_lossy(&ran.stderr);
            assert!(matches!(code, Some(0 | 1)), "{example}: {code:?}\n{stderr}");
        }
    }
}

/// Lines of a help that are headings of groups, without the colon.
fn headings(help: &str) -> Vec<&str> {
    let lines = help.lines().filter_map(|line| line.strip_suffix(':'));
    let lines = lines.filter(|line| !line.starts_with(' '));
    lines.filter(|line| *line != "Examples").collect()
}

#[test]
fn short_help_fits_one_screen_and_names_the_main_option_of_each_group() {
    for (name, main) in [
        (
            "validate",
            "--fix --duplicates --against --write-clean --jobs --quiet --where --fen",
        ),
        ("stats", "--by --sprt --rules --compare --jobs --quiet"),
        ("replay", "--at --columns --jobs --quiet"),
        ("perft", "--depth --against --format --jobs --quiet"),
        (
            "adjudicate",
            "--claim --rules --contradictions --tags --jobs --quiet",
        ),
        ("generate", "--output"),
    ] {
        let short = command(&[name, "-h"])
            .env("COLUMNS", "100")
            .output()
            .unwrap();
        let short = String::from_utf8(short.stdout).unwrap();
        assert!(short.lines().count() <= 43, "{short}");
        let wide = short.lines().filter(|line| line.chars().count() > 100);
        assert_eq!(wide.collect::<Vec<_>>(), [""; 0]);
        for option in main.split(' ') {
            assert!(short.contains(&format!("{option} ")), "{option}: {short}");
        }
        assert_eq!(headings(&short), headings(&run(&[name, "--help"]).stdout()));
    }
    let help = run(&["replay", "-h"]).stdout();
    assert!(help.contains("pgn: write the chosen games"), "{help}");
}

#[test]
fn an_option_has_the_same_heading_in_all_commands() {
    let mut known: BTreeMap<String, String> = BTreeMap::new();
    // Claims, and what is kept of a game, are other options of the same name.
    let others = [
        "--at",
        "--by",
        "--compare",
        "--fail-on",
        "--keep",
        "--nodes",
    ];
    let order = [
        "Modes",
        "Input",
        "Choosing games",
        "Findings",
        "Repair",
        "Duplicates",
        "Compare",
        "Output",
        "General",
    ];
    for name in COMMANDS {
        let help = run(&[name, "--help"]).stdout();
        let all = headings(&help);
        assert!(!all.contains(&"Options"), "{help}");
        let places: Vec<_> = all
            .iter()
            .filter_map(|heading| order.iter().position(|it| it == heading))
            .collect();
        assert!(places.is_sorted(), "{help}");
        let mut heading = "";
        for line in help.lines() {
            if let Some(&next) = all.iter().find(|it| line.strip_suffix(':') == Some(it)) {
                heading = next;
            }
            let words = line.trim_start_matches([' ', ',']).split([' ', ',']);
            let is_option = line.starts_with("  ")
                && line.trim_start().starts_with('-')
                && !line.trim_start().starts_with("- ");
            for option in words.filter(|word| is_option && word.starts_with("--")) {
                let first = known.entry(option.to_owned()).or_insert(heading.to_owned());
                assert!(
                    first == heading || others.contains(&option),
                    "{name} {option}"
                );
            }
        }
    }
    assert_eq!(known["--where"], "Choosing games");
}

#[test]
fn values_are_read_in_any_case() {
    let games = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/famous.pgn");
    for (lower, other) in [
        (
            "validate -q --format csv --fail-on note",
            "validate -q --format CSV --fail-on Note",
        ),
        (
            "validate -q --piece-letters german",
            "validate -q --piece-letters GERMAN",
        ),
        (
            "validate -q --piece-letters list",
            "validate -q --piece-letters LIST",
        ),
        (
            "validate -q --select e202 --max-per-code all",
            "validate -q --select E202 --max-per-code ALL",
        ),
        (
            "validate -q --input-format pgn --color never",
            "validate -q --input-format PGN --color Never",
        ),
        (
            "stats -q --by elo-diff --by tag:Event",
            "stats -q --by Elo-Diff --by TAG:Event",
        ),
        (
            "stats -q --source rules --rules fide-2018",
            "stats -q --source RULES --rules FIDE-2018",
        ),
        (
            "adjudicate -q --rules auto --format csv",
            "adjudicate -q --rules AUTO --format Csv",
        ),
        (
            "adjudicate -q --tags lichess --format csv",
            "adjudicate -q --tags LICHESS --format csv",
        ),
        (
            "adjudicate -q --claim fifty --games 1 --by white --at 12w --compare uscf",
            "adjudicate -q --claim FIFTY --games 1 --by White --at 12W --compare USCF",
        ),
        (
            "replay -q --columns ply,uci --format csv",
            "replay -q --columns PLY,Uci --format csv",
        ),
        (
            "replay -q --at 3w-12b,end --board ascii",
            "replay -q --at 3W-12B,End --board ASCII",
        ),
        (
            "replay -q --format pgn --keep all",
            "replay -q --format PGN --keep All",
        ),
    ] {
        let [lower, other] = [lower, other].map(|words| {
            let words: Vec<&str> = words.split(' ').chain([games]).collect();
            let ran = run(&words);
            (ran.code, ran.stdout(), ran.stderr)
        });
        assert!(lower.0 == Some(0) || lower.0 == Some(1), "{lower:?}");
        assert_eq!(lower, other);
    }
}

#[test]
fn every_command_names_its_version_and_the_commit() {
    let whole = run(&["--version"]).stdout();
    let (first, rest) = whole.split_once('\n').unwrap();
    for name in COMMANDS {
        let prefix = format!("arbiter-{name} ");
        let long = run(&[name, "--version"]).stdout();
        let (own, own_rest) = long.split_once('\n').unwrap();
        assert_eq!(own.replace(&prefix, "arbiter "), first);
        assert_eq!(own_rest, rest);
        assert_eq!(run(&[name, "-V"]).stdout(), format!("{own}\n"));
    }
    let version = format!("arbiter {}", env!("CARGO_PKG_VERSION"));
    match first.strip_prefix(&version).unwrap() {
        // A build for development, or from an archive.
        "" => assert!(
            cfg!(debug_assertions) || !Path::new(".git").exists(),
            "{first}"
        ),
        commit => {
            let digits = commit
                .strip_prefix(" (")
                .and_then(|it| it.strip_suffix(')'))
                .unwrap();
            assert!(digits.len() == 12 && digits.bytes().all(|it| it.is_ascii_hexdigit()));
        }
    }
}

#[test]
fn numbers_that_cannot_be_used_are_answered_with_their_range() {
    for (words, range) in [
        (&["validate", "--jobs"][..], "from 1 to 1024"),
        (&["validate", "--max-findings"], "from 0 up"),
        (&["stats", "--top"], "from 0 up"),
        (&["stats", "--min-games"], "from 0 up"),
        (
            &["stats", "--chart", "x.svg", "--chart-width"],
            "from 400 to 8000",
        ),
        (&["stats", "--pairs", "--opening-plies"], "from 0 to 1000"),
        (&["adjudicate", "--nodes"], "from 0 up"),
        (&["adjudicate", "--solver-memory"], "from 0 up"),
        (&["perft", "--depth"], "from 0 to 255"),
        (&["perft", "--hash"], "from 0 up"),
        (&["perft", "--suite", "x", "--nodes"], "from 0 up"),
        (
            &["perft", "--against", "x", "--timeout"],
            "from 1 to 604800",
        ),
    ] {
        for number in ["x", "1.5", "", "-1", "99999999999999999999"] {
            let ran = run(&[words, &[number]].concat());
            let is_open = range.ends_with("up");
            let reason = match number.len() {
                20 if is_open => "the number is too large".to_owned(),
                _ => format!("not a whole number {range}"),
            };
            let (option, first) = (words.last().unwrap(), ran.stderr.lines().next().unwrap());
            assert_eq!(ran.code, Some(2), "{ran:?}");
            assert!(first.contains(&format!("'{option} <")), "{first}");
            assert!(first.ends_with(&format!(">': {reason}")), "{first}");
        }
    }
}

/// The words that `complete` of a bash offers for the last of these words.
fn completed(script: &Path, words: &[&str]) -> Vec<String> {
    let program = "source \"$0\"; COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); \
                   _arbiter arbiter \"${COMP_WORDS[COMP_CWORD]}\" \
                   \"${COMP_WORDS[COMP_CWORD - 1]}\"; printf '%s\\n' \"${COMPREPLY[@]}\"";
    let mut bash = Command::new("bash");
    let ran = bash
        .arg("-c")
        .arg(program)
        .arg(script)
        .args(words)
        .output()
        .unwrap();
    let offered = String::from_utf8(ran.stdout).unwrap();
    offered.lines().map(str::to_owned).collect()
}

#[test]
fn completions_offer_the_values_of_options() {
    let folder = Scratch::new("values");
    let script = folder.path().join("arbiter.bash");
    fs::write(&script, run(&["generate", "bash"]).stdout()).unwrap();
    let shells = ["bash", "zsh", "fish"].map(|shell| run(&["generate", shell]).stdout());
    let has_bash = is_installed("bash");
    for (command, option, typed, offered) in [
        ("stats", "--by", "elo-", "elo-diff"),
        ("stats", "--rules", "usc", "uscf"),
        (
            "adjudicate",
            "--rules",
            "fide-201",
            "fide-2018 fide-2017 fide-2014",
        ),
        ("adjudicate", "--list-rules", "aut", "auto"),
        ("adjudicate", "--compare", "ics", ""),
        ("adjudicate", "--claim", "f", "fivefold fifty flag"),
        (
            "validate",
            "--select",
            "E20",
            "E201 E202 E203 E205 E206 E209",
        ),
        (
            "validate",
            "--ignore",
            "E20",
            "E201 E202 E203 E205 E206 E209",
        ),
        ("validate", "--explain", "E202", "E202"),
        ("validate", "--fail-on", "w", "warning"),
        ("replay", "--columns", "mov", "move_number move_time"),
        ("replay", "--piece-letters", "ger", "german"),
    ] {
        for shell in &shells {
            assert!(
                offered.split(' ').all(|word| shell.contains(word)),
                "{option}"
            );
        }
        if has_bash {
            let words = completed(&script, &["arbiter", command, option, typed]);
            assert_eq!(words.join(" "), offered, "{command} {option} {typed}");
        }
    }
}

#[test]
fn words_of_other_programs_get_the_hint_that_a_person_would_give() {
    for (words, tip) in [
        ("diff old.pgn", "use `arbiter validate --against OLD NEW`"),
        ("check", "use `arbiter validate`"),
        ("fix", "use `arbiter validate --fix`"),
        ("dedupe", "use `arbiter validate --duplicates`"),
        ("merge", "use `arbiter stats --merge FILE...`"),
        (
            "merge",
            "use `arbiter validate --keep first --write-clean FILE`",
        ),
        ("count", "use `arbiter stats`"),
        (
            "grep Carlsen",
            "use `arbiter replay --format pgn --where CONDITION`",
        ),
        (
            "filter",
            "use `arbiter replay --format pgn --where CONDITION`",
        ),
        (
            "split",
            "use `arbiter replay --format pgn --games 1-1000 --output FILE`",
        ),
        ("help valdate", "use `arbiter validate`"),
        ("help replya", "use `arbiter replay`"),
        (
            "help grep",
            "use `arbiter replay --format pgn --where CONDITION`",
        ),
        ("stats --elo", "use `--ratings`"),
        ("stats --elo", "use `--by elo`"),
        ("validate --elo", "`--ratings` is an option of `stats`"),
        (
            "validate --fen 8/8/4k3/8/8/4K3/8/8 w - - 0 1",
            "write a FEN in quotes: `--fen '… w - - 0 1'`",
        ),
        (
            "adjudicate --claim dead --fen 8/8/4k3/8/8/4K3/8/8 w - - 0 1",
            "write a FEN in quotes: `--fen '… w - - 0 1'`",
        ),
        (
            "replay --fen 8/8/4k3/8/8/4K3/8/8 w",
            "write a FEN in quotes: `--fen '… w - - 0 1'`",
        ),
        ("convert", "use `arbiter replay --format FORMAT`"),
        ("validate --threads 4", "use `--jobs`"),
        ("perft --threads 4", "use `--jobs`"),
        ("validate --json", "use `--format jsonl`"),
        ("adjudicate --json", "use `--format jsonl`"),
        ("perft --json", "use `--format jsonl`"),
        ("stats --json", "use `--format json`"),
        ("replay --csv", "use `--format csv`"),
        ("validate --dedup", "use `--duplicates`"),
        ("stats --dedup", "`--duplicates` is an option of `validate`"),
        ("replay -f csv", "use `--format`"),
        ("stats -f x", "files are named without an option"),
        (
            "validate -v",
            "everything is reported by default; `--quiet` reports less",
        ),
        ("stats --group-by year", "use `--by`"),
        ("validate --limit 3", "use `--max-findings`"),
        ("replay --limit 3", "use `--games 1-10`"),
        ("validate --unknown", ""),
    ] {
        let ran = run(&words.split(' ').collect::<Vec<_>>());
        let stderr = &ran.stderr;
        assert_eq!(ran.code, Some(2), "{stderr}");
        match tip {
            "" => assert!(!stderr.contains("tip:"), "{stderr}"),
            tip => assert!(
                stderr.contains(&format!("  tip: {tip}\n")),
                "{words}: {stderr}"
            ),
        }
        assert!(!stderr.contains("'-- "), "{stderr}");
    }
    for (words, meant) in [
        ("adjudicate --claim 50", "fifty"),
        ("adjudicate --claim 3", "threefold"),
        ("adjudicate --claim dead --by w", "white"),
        ("adjudicate --claim dead --by B", "black"),
        ("validate --format json", "jsonl"),
        ("replay --format json", "jsonl"),
        ("stats --format jsonl", "json"),
    ] {
        let ran = run(&words.split(' ').collect::<Vec<_>>());
        let stderr = &ran.stderr;
        let tip = format!("tip: a similar value exists: '{meant}'");
        assert!(stderr.contains(&tip), "{stderr}");
    }
    let ran = run(&["stats", "--by", "rating"]);
    assert!(
        ran.stderr.contains("no such key; did you mean `elo`?"),
        "{}",
        ran.stderr
    );
}

#[test]
fn inputs_of_other_kinds_get_the_hint_that_a_person_would_give() {
    let folder = Scratch::new("other-kinds");
    let list = folder.file("pos.fen", b"8/8/4k3/8/8/4K3/8/8 w - - 0 1\n");
    let pdf = folder.file("a.pgn", b"%PDF-1.4\n%\xe2\xe3\n1 0 obj\n\0\x17\x14");
    for (words, hint) in [
        (&["replay", &*list][..], "`--fen` takes one"),
        (&["adjudicate", &list], "`--fen` takes one"),
        (
            &["adjudicate", "--claim", "dead", &list],
            "`--fen` takes one",
        ),
        (&["validate", &pdf], "a PDF; save its games as PGN"),
        (&["stats", &pdf], "a PDF; save its games as PGN"),
        (
            &["validate", "https://example.org/a.pgn"],
            "addresses are not read: download it",
        ),
        (
            &["stats", "http://example.org/a.pgn"],
            "addresses are not read: download it",
        ),
    ] {
        let ran = run(words);
        assert_eq!(ran.code, Some(2), "{words:?}: {}", ran.stderr);
        assert!(ran.stderr.contains(hint), "{words:?}: {}", ran.stderr);
    }
}

#[test]
fn a_position_is_drawn() {
    let fen = "8/8/4k3/8/8/4K3/8/8 b - - 0 1";
    let board = "      8   ·   ·   ·   ·\n      7 ·   ·   ·   ·\n      6   ·   · ♚ ·   ·\n";
    let drawn = run(&["replay", "--fen", fen, "--board", "unicode"]).stdout();
    assert!(
        drawn.contains(board) && drawn.contains("Black to move"),
        "{drawn}"
    );
    let plain = run(&["replay", "--fen", fen]).stdout();
    assert!(
        plain.contains("  a   b   c   d   e   f   g   h\n"),
        "{plain}"
    );
    let flipped = run(&["replay", "--fen", fen, "--flip"]).stdout();
    assert!(
        flipped.contains("  h   g   f   e   d   c   b   a\n"),
        "{flipped}"
    );
    let same = run(&["replay", "-q", "--fen", fen, "--format", "fen"]).stdout();
    assert_eq!(same, format!("{fen}\n"));
    for (words, reason) in [
        (&["8/8"][..], "fewer than 8 ranks"),
        (&[fen, "--where", "White=A"], "has no meaning with"),
    ] {
        let ran = run(&[&["replay", "--fen"][..], words].concat());
        assert_eq!(ran.code, Some(2), "{words:?}");
        assert!(ran.stderr.contains(reason), "{words:?}: {}", ran.stderr);
    }
}

#[test]
fn a_code_is_explained_without_its_letter() {
    let whole = run(&["validate", "--explain", "E201"]);
    for code in ["201", "e201", "w201", "N201"] {
        assert_eq!(
            run(&["validate", "--explain", code]).stdout(),
            whole.stdout(),
            "{code}"
        );
    }
    assert_eq!(whole.code, Some(0));
    assert_eq!(run(&["validate", "--explain", "EE201"]).code, Some(2));
}

/// Numbers of errors and of types are of no use to a reader of messages.
#[test]
fn errors_of_the_system_are_sentences() {
    let folder = Scratch::new("sentences");
    let missing = folder.path().join("x/y");
    let missing = missing.to_str().unwrap();
    for words in [
        &["validate", missing][..],
        &["validate", "--format", "jsonl", missing],
        &["validate", "--config", missing, "fixtures/famous.pgn"],
        &["validate", "--baseline", missing, "fixtures/famous.pgn"],
        &["validate", "-o", missing, "fixtures/famous.pgn"],
        &["stats", "--merge", missing],
        &["stats", "--chart", missing, "fixtures/famous.pgn"],
        &["perft", "--suite", missing],
        &["perft", "--against", "/", "-d", "1"],
        &["generate", "man", "-o", "fixtures/famous.pgn/x"],
    ] {
        let ran = run(words);
        assert_eq!(ran.code, Some(2), "{ran:?}");
        let shown = ran.stdout() + &ran.stderr;
        assert!(shown.contains("error: "), "{shown}");
        assert!(
            !shown.contains("os error") && !shown.contains("(2)"),
            "{shown}"
        );
    }
}

#[test]
fn completions_can_be_sourced() {
    let folder = Scratch::new("completions");
    for (shell, check) in [
        ("bash", "set -eu; source \"$0\"; complete -p arbiter"),
        (
            "zsh",
            "autoload -Uz compinit; compinit -D; source \"$0\"; echo $_comps[arbiter]",
        ),
        (
            "fish",
            "source $argv[1]; complete --do-complete 'arbiter val'",
        ),
    ] {
        let script = run(&["generate", shell]).stdout();
        assert!(script.contains("adjudicate"), "{shell}");
        let path = folder.path().join(shell);
        fs::write(&path, &script).unwrap();
        if is_installed(shell) {
            let ran = Command::new(shell)
                .arg("-c")
                .arg(check)
                .arg(&path)
                .output()
                .unwrap();
            assert!(ran.status.success(), "{shell}: {ran:?}");
            let named = String::from_utf8_lossy(&ran.stdout);
            assert!(
                named.contains("arbiter") || named.contains("validate"),
                "{shell}: {named}"
            );
        }
    }
    assert!(
        run(&["generate", "powershell"])
            .stdout()
            .contains("Register-ArgumentCompleter")
    );
}

#[test]
fn man_pages_are_rendered() {
    let folder = Scratch::new("man");
    let written = run(&[
        "generate",
        "man",
        "--output",
        &folder.path().to_string_lossy(),
    ]);
    assert_eq!((written.code, written.stdout()), (Some(0), String::new()));
    let mut all = run(&["generate", "man"]).stdout();
    for name in ["arbiter"]
        .into_iter()
        .map(str::to_owned)
        .chain(COMMANDS.map(|name| format!("arbiter-{name}")))
    {
        let path = folder.path().join(format!("{name}.1"));
        let page = fs::read_to_string(&path).unwrap();
        assert!(page.contains(&format!(".TH {name} 1")), "{page}");
        assert!(all.contains(&page), "{name}");
        let mut entries = page.split(".TP\n").skip(1);
        let without_text = entries.find(|entry| entry.lines().nth(1).is_none_or(str::is_empty));
        assert_eq!(without_text, None, "{name}");
        all = all.replacen(&page, "", 1);
        let sections: Vec<&str> = page
            .lines()
            .filter(|line| line.starts_with(".SH "))
            .collect();
        let of_all = |line: &&&str| COMMON_SECTIONS.contains(*line);
        let common: Vec<&str> = sections.iter().filter(of_all).copied().collect();
        assert_eq!(common, COMMON_SECTIONS, "{page}");
        assert!(
            !page.contains("\n.SH EXTRA") && !page.contains("Exit codes:"),
            "{page}"
        );
        for other in COMMANDS.map(|name| format!("arbiter-{name}")) {
            let (_, see) = page.split_once(".SH \"SEE ALSO\"\n").unwrap();
            let refers = see.contains(&format!("{}(1)", other.replace('-', "\\-")));
            assert_eq!(refers, other != name, "{page}");
        }
        if is_installed("groff") {
            let ran = Command::new("groff")
                .args(["-man", "-Kutf8", "-Tutf8", "-ww"])
                .arg(&path)
                .output()
                .unwrap();
            assert_eq!(String::from_utf8_lossy(&ran.stderr), "", "{name}");
            let text = String::from_utf8_lossy(&ran.stdout).replace('\u{2212}', "-");
            assert!(text.starts_with(&format!("{name}(1)")), "{text}");
            // Examples stand in one line each, however long.
            let help = run(&[name.strip_prefix("arbiter-").unwrap_or("-h"), "--help"]).stdout();
            let examples = help.lines().skip_while(|line| *line != "Examples:").skip(1);
            for example in examples.take_while(|line| !line.is_empty()) {
                let line = format!("\n       {}\n", example.trim());
                assert!(text.contains(&line), "{line}\n{text}");
            }
        }
    }
    assert_eq!(all, "");
}
