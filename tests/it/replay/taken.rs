//! Games taken out: with other tags, in several files, and those that are not chosen.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use super::{of_file, replayed};
use crate::arbiter_command::{Scratch, run};

const GAMES: &str = "\
                     [Event \"A/B\"]\n[White \"Ann\"]\n[Black \"Bob\"]\n[ECO \"b20\"]\n\
                     [Date \"1999.??.??\"]\n\n\
                     1. e4 c5 *\n\n\
                     [Event \"a_b\"]\n[White \"Bob\"]\n[Black \"Cid\"]\n[Date \"2001.01.02\"]\n\n\
                     1. d4 {[%clk 0:01:00] good} *\n\n\
                     [Event \"?\"]\n[White \"Ann\"]\n[Black \"Ann\"]\n[ECO \"C20\"]\n\n\
                     1. e4 e5 2. Nf3 *\n\n";

/// The files of a folder by name.
fn files(folder: &Path) -> BTreeMap<String, String> {
    let entries = fs::read_dir(folder).unwrap().map(Result::unwrap);
    let file = |entry: fs::DirEntry| {
        let name = entry.file_name().into_string().unwrap();
        (name, fs::read_to_string(entry.path()).unwrap())
    };
    entries.map(file).collect()
}

/// The name of each file, and the moves of its games.
fn moves(files: &BTreeMap<String, String>) -> Vec<(&str, Vec<&str>)> {
    let moves = |text| {
        str::lines(text)
            .filter(|line| line.starts_with("1."))
            .collect()
    };
    let files = files.iter();
    files
        .map(|(name, text)| (name.as_str(), moves(text)))
        .collect()
}

#[test]
fn tags_are_chosen_set_and_dropped() {
    let head = |flags: &[&str]| {
        let flags: Vec<_> = ["--format", "pgn"].iter().chain(flags).copied().collect();
        let text = replayed(&flags, &GAMES[..GAMES.find("[Event \"a_b").unwrap()]).stdout();
        text.split_once("\n\n").unwrap().0.replace('\n', " ")
    };
    assert_eq!(
        head(&["--tags", "eco,White,none,Result"]),
        "[ECO \"b20\"] [White \"Ann\"] [Result \"*\"]"
    );
    let roster = "[Event \"A/B\"] [Site \"?\"] [Date \"1999.??.??\"] [Round \"?\"] \
                  [White \"Ann\"] [Black \"Bob\"] [Result \"*\"]";
    assert_eq!(head(&["--tags", "roster"]), roster);
    assert_eq!(head(&[]), format!("{roster} [ECO \"b20\"]"));
    assert_eq!(
        head(&[
            "--set-tag",
            "event=New = \"x\"",
            "--set-tag",
            "Board=2",
            "--drop-tag",
            "eco,site"
        ]),
        roster
            .replace("A/B", "New = \\\"x\\\"")
            .replace("[Site \"?\"] ", "")
            + " [Board \"2\"]"
    );
    assert_eq!(
        head(&["--tags", "Black,all", "--drop-tag", "Date,Round,Site,Event"]),
        "[Black \"Bob\"] [White \"Ann\"] [Result \"*\"] [ECO \"b20\"]"
    );
    // Tags that are set or added are chosen.
    let added = ["--set-tag", "Site=x", "--add", "plycount"];
    assert_eq!(
        head(&[&["--tags", "White"][..], &added].concat()),
        "[White \"Ann\"] [Site \"x\"] [PlyCount \"2\"]"
    );
    let start = "[FEN \"8/8/4k3/8/8/4K3/4P3/8 w - - 0 1\"]\n\n1. Kd4 *\n";
    let text = replayed(&["--format", "pgn", "--tags", "White"], start).stdout();
    assert!(
        text.starts_with("[White \"?\"]\n[SetUp \"1\"]\n[FEN "),
        "{text}"
    );
    for refused in ["Result=1-0", "FEN=x", "Event", "a b=c"] {
        let ran = replayed(&["--format", "pgn", "--set-tag", refused], GAMES);
        assert_eq!(ran.code, Some(2), "{refused}");
    }
}

#[test]
fn clocks_and_evaluations_are_kept_apart_from_comments() {
    let game = "1. e4 {a [%eval 0.3] [%clk 0:01:00] b [%csl Ga1]} e5 {[%clk 0:02:00]} 2. Nf3 {c} *";
    let kept = |what: &str| {
        let text = replayed(&["--format", "pgn", "--keep", what], game).stdout();
        text.split_once("\n\n").unwrap().1.trim().to_owned()
    };
    assert_eq!(
        kept("comments"),
        "1. e4 {a b [%csl Ga1]} 1... e5 2. Nf3 {c} *"
    );
    assert_eq!(
        kept("clocks"),
        "1. e4 {[%clk 0:01:00]} 1... e5 {[%clk 0:02:00]} 2. Nf3 *"
    );
    assert_eq!(kept("evals"), "1. e4 {[%eval 0.3]} 1... e5 2. Nf3 *");
    assert_eq!(kept("comments,clocks,evals"), kept("all"));
}

#[test]
fn the_moves_of_a_game_stand_on_one_line() {
    let export = |width: &[&str]| {
        let flags: Vec<_> = ["--format", "pgn"].iter().chain(width).copied().collect();
        of_file(&flags, "fixtures/famous.pgn").stdout()
    };
    let moves = |text: &str| {
        let lines = text.lines().filter(|line| !line.starts_with('['));
        lines.filter(|line| !line.is_empty()).count()
    };
    let (one, usual) = (export(&["--width", "0"]), export(&[]));
    assert_eq!(moves(&one), 5);
    assert!(moves(&usual) > 5 && moves(&export(&["--width", "40"])) > moves(&usual));
    let words = |text: &str| {
        text.split_whitespace()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(words(&one), words(&usual));
}

#[test]
fn each_variation_is_a_game() {
    let pgn = "[Event \"x\"]\n[PlyCount \"9\"]\n\n{a} 1. e4 {b} (1. d4 {c} d5 (1... Nf6! 2. c4 \
               (2. Nf3) {d} 2... e6) 2. c4) (1. c4) {e} 1... e5 2. Nf3 (=) Nc6 1-0\n";
    let lines = |flags: &[&str]| {
        let tags = ["--format", "pgn", "--tags", "Result,PlyCount"];
        let ran = replayed(&[&tags, flags].concat(), pgn);
        assert_eq!((ran.code, &*ran.stderr), (Some(0), ""));
        let games = ran.stdout().replace("\n\n", "\n");
        let games = games.split("[Result ").skip(1);
        games
            .map(|game| game.trim_end().replace('\n', " "))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        lines(&["--variations", "lines"]),
        [
            "\"1-0\"] [PlyCount \"4\"] 1. e4 e5 2. Nf3 Nc6 1-0",
            "\"*\"] [PlyCount \"3\"] 1. d4 d5 2. c4 *",
            "\"*\"] [PlyCount \"4\"] 1. d4 Nf6 2. c4 e6 *",
            "\"*\"] [PlyCount \"3\"] 1. d4 Nf6 2. Nf3 *",
            "\"*\"] [PlyCount \"1\"] 1. c4 *",
        ]
    );
    let narrow = lines(&["--variations=lines", "--keep", "all", "--width", "20"]);
    assert_eq!(
        narrow,
        lines(&["--keep", "all", "--variations", "lines", "--width", "0"])
    );
    assert_eq!(
        narrow[..3],
        [
            "\"1-0\"] [PlyCount \"4\"] {a} 1. e4 {b} {e} 1... e5 2. Nf3 {(=)} 2... Nc6 1-0",
            "\"*\"] [PlyCount \"3\"] {a} 1. d4 {c} 1... d5 2. c4 *",
            "\"*\"] [PlyCount \"4\"] {a} 1. d4 {c} 1... Nf6 $1 2. c4 {d} 2... e6 *",
        ]
    );
    for flags in [
        &["--format", "csv", "--variations", "lines"][..],
        &["--format", "pgn", "--variations", "lines", "--add", "fen"],
        &[
            "--format",
            "pgn",
            "--variations=lines",
            "--openings",
            "fixtures/endings.pgn",
        ],
        &["--format", "pgn", "--variations=line"],
    ] {
        assert_eq!(replayed(flags, pgn).code, Some(2), "{flags:?}");
    }
}

#[test]
fn games_go_to_the_files_of_their_keys() {
    let scratch = Scratch::new("taken-keys");
    let input = scratch.file("in.pgn", GAMES.as_bytes());
    let split = |by: &str, name: &str| {
        let folder = scratch.path().join(by);
        let output = folder.join(name);
        let output = output.to_str().unwrap();
        let words = [
            "replay",
            "--format",
            "pgn",
            "--split-by",
            by,
            "-o",
            output,
            &input,
        ];
        let ran = run(&words);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        assert_eq!(ran.stdout(), "");
        files(&folder)
    };
    let (first, second, third) = ("1. e4 c5 *", "1. d4 *", "1. e4 e5 2. Nf3 *");
    assert_eq!(
        moves(&split("player", "{key}.pgn")),
        [
            ("Ann.pgn", vec![first, third]),
            ("Bob.pgn", vec![first, second]),
            ("Cid.pgn", vec![second])
        ]
    );
    assert_eq!(
        moves(&split("eco", "x-{key}.pgn")),
        [
            ("x-B20.pgn", vec![first]),
            ("x-C20.pgn", vec![third]),
            ("x-unknown.pgn", vec![second])
        ]
    );
    // One name in any case.
    assert_eq!(
        moves(&split("event", "{key}")),
        [("A_B", vec![first, second]), ("unknown", vec![third])]
    );
    assert_eq!(
        moves(&split("2", "{key}.pgn")),
        [("1.pgn", vec![first, second]), ("2.pgn", vec![third])]
    );
    assert_eq!(
        moves(&split("year", "{key}.pgn")),
        [
            ("1999.pgn", vec![first]),
            ("2001.pgn", vec![second]),
            ("unknown.pgn", vec![third])
        ]
    );
    let clash = scratch.path().join("{key}.pgn");
    let clash = clash.to_str().unwrap();
    let renamed = scratch.file("unknown.pgn", GAMES.as_bytes());
    let words = [
        "replay",
        "--format",
        "pgn",
        "--split-by",
        "Board",
        "-o",
        clash,
        &renamed,
    ];
    assert_eq!(run(&words).code, Some(2));
    assert_eq!(fs::read_to_string(&renamed).unwrap(), GAMES);
    for words in [
        &["--split-by", "eco", "-o", "x.pgn"][..],
        &["-o", "{key}.pgn"],
        &["--split-by", "0", "-o", "{key}.pgn"],
        &["--split-by", "a-b", "-o", "{key}.pgn"],
    ] {
        let words: Vec<_> = ["--format", "pgn"].iter().chain(words).copied().collect();
        assert_eq!(replayed(&words, GAMES).code, Some(2), "{words:?}");
    }
}

#[test]
fn stored_games_go_to_the_files_of_their_keys() {
    let scratch = Scratch::new("taken-clean");
    let crlf = GAMES.replace('\n', "\r\n");
    let input = scratch.file("in.pgn", crlf.as_bytes());
    let folder = scratch.path().join("out");
    let clean = folder.join("{key}.pgn");
    let clean = clean.to_str().unwrap();
    let words = [
        "validate",
        "-q",
        "--split-by",
        "year",
        "--write-clean",
        clean,
        &input,
    ];
    assert_eq!(run(&words).code, Some(0));
    let games: Vec<&str> = crlf.split_inclusive("*\r\n\r\n").collect();
    let expected = ["1999.pgn", "2001.pgn", "unknown.pgn"]
        .into_iter()
        .zip(games);
    let expected = expected.map(|(name, text)| (name.to_owned(), text.to_owned()));
    assert_eq!(files(&folder), expected.collect());
    // With a rejected game there are two closing lines.
    let faulty = crlf.clone() + "[White \"C\"]\r\n\r\n1. e4 Ke4 *\r\n";
    let faulty = scratch.file("faulty.pgn", faulty.as_bytes());
    let said = run(&[&words[..6], &[&faulty]].concat()).stderr;
    let lines = said.lines().filter(|line| line.starts_with("split: "));
    assert_eq!(lines.count(), 2, "{said}");
}

#[test]
fn games_that_are_not_chosen_are_stored_as_they_are() {
    let scratch = Scratch::new("taken-others");
    let text = GAMES.replace("\n\n1.", "\r\n\r\n1.");
    let input = scratch.file("in.pgn", text.as_bytes());
    let output = scratch.file("others.pgn", b"old");
    let others = |flags: &[&str]| {
        let mut words = vec![
            "replay",
            "-q",
            "--format",
            "pgn",
            "--write-others",
            &output,
            &input,
        ];
        words.extend(flags);
        let ran = run(&words);
        (ran.code, fs::read_to_string(&output).unwrap())
    };
    let games: Vec<&str> = text.split_inclusive("*\n\n").collect();
    assert_eq!(
        others(&["--where", "Date=2001*"]),
        (Some(0), games[0].to_owned() + games[2])
    );
    assert_eq!(others(&["--games", "2-3"]), (Some(0), games[0].to_owned()));
    assert_eq!(others(&["--games", "1-3"]), (Some(0), String::new()));
    // Without a condition, or without a chosen game, the old file stays.
    assert_eq!(others(&[]), (Some(2), String::new()));
    assert_eq!(others(&["--games", "9"]), (Some(2), String::new()));
}

#[test]
fn parts_of_games_begin_with_their_position() {
    let export = |flags: &[&str]| {
        let flags: Vec<_> = ["--format", "pgn", "--tags", "PlyCount"]
            .iter()
            .chain(flags)
            .copied()
            .collect();
        let moves = "{zero} 1. e4 {one} (1. d4 d5 2. c4) e5 {two} 2. Nf3 {three} \
                     (2. f4 exf4 3. Nf3) Nc6 {four} 3. Bb5 1-0\n";
        replayed(&flags, moves).stdout()
    };
    let after_two =
        "[SetUp \"1\"]\n[FEN \"rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\"]\n\n";
    assert_eq!(
        export(&["--at", "3-4", "--keep", "all"]),
        format!("{after_two}2. Nf3 {{three}} (2. f4 exf4 3. Nf3) 2... Nc6 {{four}} 1-0\n\n")
    );
    assert_eq!(
        export(&["--at", "2w-", "--max-plies", "1"]),
        format!("{after_two}2. Nf3 1-0\n\n")
    );
    assert_eq!(
        export(&["--max-plies", "2", "--keep", "comments"]),
        "\n{zero} 1. e4 {one} 1... e5 {two} 1-0\n\n"
    );
    assert!(export(&["--at", "2"]).ends_with("b KQkq - 0 1\"]\n\n1... e5 1-0\n\n"));
    assert_eq!(
        export(&["--set-tag", "PlyCount=5", "--max-plies", "4"])
            .lines()
            .next(),
        Some("[PlyCount \"4\"]")
    );
    assert_eq!(export(&["--at", "6-"]), "");
}

/// Hashes are those of python-chess (`chess.polyglot.zobrist_hash`).
#[test]
fn facts_are_added_in_comments_and_tags() {
    let export = |words: &[&str]| {
        let all = ["replay", "-q", "--format", "pgn", "--games", "3"];
        run(&[&all[..], words, &["fixtures/famous.pgn"]].concat())
    };
    let whole = export(&["--add", "fen,hash,plycount", "--max-plies", "3"]).stdout();
    let fen = "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2";
    let movetext = whole.split_once("\n\n").unwrap().1.replace('\n', " ");
    assert_eq!(
        movetext.trim_end(),
        format!("1. e4 e5 2. Nf3 {{{fen}}} {{d3207fec0612d89d}} 1-0")
    );
    assert!(whole.contains("[PlyCount \"3\"]"), "{whole}");
    let part = export(&["--add", "hash", "--at", "21-24"]).stdout();
    assert!(part.ends_with(" Rd8 {98f1868b1a7defcf} 1-0\n\n"), "{part}");
    let named = export(&["--add", "eco", "--openings", "fixtures/openings.tsv"]).stdout();
    assert!(named.contains("[ECO \"C41\"]"), "{named}");
    let refused = export(&["--add", "eco"]);
    assert_eq!(refused.code, Some(2));
    assert!(refused.stderr.contains("`--add eco` needs `--openings`"));
}
