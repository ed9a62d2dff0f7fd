//! `--follow`: files that other processes write meanwhile.
#![cfg(target_os = "linux")]

use std::collections::BTreeSet;
use std::fs::{self, OpenOptions};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::arbiter_command::{Scratch, command, run};

/// Time limit for a line that must come; ample on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// Time in which a line that must not come would come.
const SILENCE: Duration = Duration::from_millis(900);

/// A run that follows a file, with the lines that it prints.
struct Followed {
    child: Child,
    lines: Receiver<String>,
    path: String,
}

impl Followed {
    fn new(words: &[&str], path: &str) -> Followed {
        let words = [words, &["--follow", path]].concat();
        let mut child = command(&words).spawn().unwrap();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in stdout.lines() {
                let _ = sender.send(line.unwrap());
            }
        });
        let path = path.to_owned();
        Followed { child, lines, path }
    }

    fn append(&self, text: &str) {
        let mut file = OpenOptions::new().append(true).open(&self.path).unwrap();
        file.write_all(text.as_bytes()).unwrap();
    }

    fn rewrite(&self, text: &str) {
        fs::write(&self.path, text).unwrap();
    }

    fn replace(&self, text: &str) {
        let new = format!("{}.new", self.path);
        fs::write(&new, text).unwrap();
        fs::rename(new, &self.path).unwrap();
    }

    /// The next line contains these words.
    #[track_caller]
    fn prints(&self, words: &str) {
        match self.lines.recv_timeout(PATIENCE) {
            Ok(line) => assert!(line.contains(words), "{line:?} without {words:?}"),
            Err(_) => panic!("nothing is printed for {words:?}"),
        }
    }

    #[track_caller]
    fn is_silent(&self) {
        let line = self.lines.recv_timeout(SILENCE);
        assert!(line.is_err(), "{line:?}");
    }

    /// Exit code and the rest of what it prints, on stdout and stderr.
    fn ended(mut self) -> (Option<i32>, Vec<String>, String) {
        let begin = Instant::now();
        let code = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status.code();
            }
            if begin.elapsed() > PATIENCE {
                self.child.kill().unwrap();
                panic!("the run does not end");
            }
            thread::sleep(Duration::from_millis(20));
        };
        let mut said = String::new();
        let mut stderr = self.child.stderr.take().unwrap();
        stderr.read_to_string(&mut said).unwrap();
        (code, self.lines.iter().collect(), said)
    }

    /// Ends the run by removing the file, which is an error after all that was found.
    fn removed(self) -> (Option<i32>, Vec<String>, String) {
        fs::remove_file(&self.path).unwrap();
        let (code, lines, said) = self.ended();
        assert!(said.contains("the file is gone\n"), "{said}");
        (code, lines, said)
    }

    fn interrupted(self) -> (Option<i32>, Vec<String>, String) {
        let words = ["-INT".to_owned(), self.child.id().to_string()];
        assert!(Command::new("kill").args(words).status().unwrap().success());
        self.ended()
    }
}

fn game(white: &str, result: &str, moves: &str) -> String {
    format!("[White \"{white}\"]\n[Black \"B\"]\n[Result \"{result}\"]\n\n{moves}")
}

const CONCISE: &[&str] = &["validate", "--format", "concise"];
const CLAIMS: &[&str] = &["adjudicate", "--claims", "--format", "csv"];
const KNIGHTS: &str = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8";

#[test]
fn whole_games_that_are_appended_give_what_one_run_gives() {
    let scratch = Scratch::new("follow-games");
    let games = [
        game("A", "1-0", "1. e4 e5 2. Ke3 Qh4 1-0\n\n"),
        game("A", "0-1", "1. e4 e5 2. Nf3 1-0\n\n"),
        game("C", "*", "1. e4 {never closed"),
        game("D", "1/2-1/2", &format!("\n\n{KNIGHTS} 5. Nf3 1-0\n\n")),
        game("A", "1-0", "1. e4 e5 2. Ke3 Qh4 1-0\n\n"),
        game("E", "1-0", "1. e4 e5 1-0\n"),
    ];
    // An unclosed comment ends only before a blank line and a tag that begins with `Event`.
    let games = games.map(|text| format!("\n\n[Event \"x\"]\n{text}"));
    for words in [
        CONCISE,
        &["validate", "--format", "jsonl", "--strict"],
        &["adjudicate", "--format", "jsonl"],
        &["adjudicate", "--claims", "--format", "jsonl"],
    ] {
        let path = scratch.file("games.pgn", b"");
        let followed = Followed::new(words, &path);
        for game in &games {
            followed.append(game);
            thread::sleep(Duration::from_millis(300));
        }
        let once = run(&[words, &["-q", &path]].concat());
        let expected: BTreeSet<String> = once.stdout().lines().map(str::to_owned).collect();
        let mut lines: Vec<String> = Vec::new();
        while lines.len() < once.stdout().lines().count() {
            lines.push(followed.lines.recv_timeout(PATIENCE).unwrap());
        }
        let (code, more, said) = followed.removed();
        assert_eq!(more, Vec::<String>::new(), "{words:?}");
        assert_eq!(BTreeSet::from_iter(lines), expected, "{words:?}: {said}");
        assert_eq!(code, Some(2), "{words:?}: {said}");
    }
}

#[test]
fn moves_that_come_in_pieces_are_judged_when_they_are_whole() {
    let scratch = Scratch::new("follow-moves");
    let path = scratch.file("game.pgn", b"");
    let followed = Followed::new(CONCISE, &path);
    let text = game(
        "A",
        "1-0",
        "1. e4 e5 {a (comment} 2. Nf3 (2. Bc4 Nc6) 2... Nc6 3. O-O-O a6 ",
    );
    // Pieces of three bytes cut tags, moves, comments and variations.
    for piece in text.as_bytes().chunks(3) {
        followed.append(std::str::from_utf8(piece).unwrap());
        thread::sleep(Duration::from_millis(10));
    }
    followed.prints("E201");
    followed.is_silent();
    followed.append("4. Qh9 {unclosed");
    followed.prints("E203");
    // The comment closes; the result differs from the tag.
    followed.append("} 0-1");
    followed.prints("E301");
    followed.append("\n");
    followed.is_silent();
    let (code, more, said) = followed.interrupted();
    assert_eq!((code, more), (Some(1), Vec::new()), "{said}");
    assert!(!said.contains("interrupted"), "{said}");
}

#[test]
fn a_running_game_without_a_fault_is_clean() {
    let scratch = Scratch::new("follow-clean");
    let games = game("A", "1-0", "1. e4 e5 1-0\n\n") + &game("C", "*", "1. e4 e5 2. Nf");
    let games = games.replace("[Result", "[PlyCount \"9\"]\n[Result");
    let path = scratch.file("game.pgn", games.as_bytes());
    let followed = Followed::new(&[CONCISE, &["--fail-on", "error"]].concat(), &path);
    followed.prints("W116");
    let (code, more, said) = followed.interrupted();
    assert_eq!((code, more), (Some(0), Vec::new()), "{said}");
    assert!(said.contains("games: 2 seen = 1 clean"), "{said}");
}

#[test]
fn a_file_that_is_written_anew_repeats_nothing() {
    let scratch = Scratch::new("follow-rewrites");
    let boards = |moves: &str, more: &str| {
        let of = |white| game(white, "*", &format!("{moves} *\n\n"));
        [of("A"), of("C"), more.to_owned()].concat()
    };
    let path = scratch.file("round.pgn", boards("1. e4 e5 2. Ke3", "").as_bytes());
    let followed = Followed::new(CONCISE, &path);
    followed.prints("(game 1, 2.Ke3)");
    followed.prints("(game 2, 2.Ke3)");
    followed.rewrite(&boards("1. e4 e5 2. Ke3 a6", ""));
    followed.is_silent();
    followed.replace(&boards("1. e4 e5 2. Ke3 a6 3. a3", ""));
    followed.is_silent();
    let more = game("D", "*", "1. e4 e5 2. Ke3 *\n");
    followed.replace(&boards("1. e4 e5 2. Ke3 a6 3. a3 a5", &more));
    followed.prints("(game 3, 2.Ke3)");
    // Truncated, removed for a moment, and the same as before with another game in front.
    followed.rewrite("");
    followed.is_silent();
    fs::remove_file(&path).unwrap();
    thread::sleep(Duration::from_millis(300));
    let first = game("E", "*", "1. e4 e5 2. Qh6 *\n\n");
    followed.rewrite(&(first + &boards("1. e4 e5 2. Ke3 a6", &more)));
    followed.prints("(game 1, 2.Qh6)");
    followed.is_silent();
    let (code, more, said) = followed.removed();
    assert_eq!((code, more), (Some(2), Vec::new()), "{said}");
}

#[test]
fn claims_are_printed_when_they_become_available() {
    let scratch = Scratch::new("follow-claims");
    let path = scratch.file("games.pgn", game("A", "*", "1. Nf3 Nf6").as_bytes());
    let once = || {
        run(&[CLAIMS, &["-q", &path]].concat())
            .stdout()
            .lines()
            .count()
    };
    let followed = Followed::new(CLAIMS, &path);
    followed.prints("game,white,black,claim");
    followed.append(&KNIGHTS["1. Nf3 Nf6".len()..]);
    followed.prints("threefold-repetition,black,7,4...Ng8,");
    followed.is_silent();
    // The space says that the last move is complete.
    followed.append(" ");
    followed.prints("threefold-repetition,white,8,,");
    followed.append("5. e4 e5 6. Nf3 ");
    for _ in 3..once() {
        followed.prints("threefold-repetition");
    }
    followed.append("Nc6 7. Bb5 a6 1/2-1/2\n");
    followed.is_silent();
    let (code, more, said) = followed.removed();
    assert_eq!((code, more), (Some(2), Vec::new()), "{said}");
}

#[test]
fn claims_of_a_game_that_is_recorded_as_drawn_are_printed_when_they_are_shown() {
    let scratch = Scratch::new("follow-drawn");
    for pieces in [
        &["Ng8 5. e4 e5 1/2-1/2\n"][..],
        &["Ng8 ", "5. e4 e5 ", "1/2-1/2\n"],
    ] {
        let begun = game("A", "1/2-1/2", KNIGHTS.strip_suffix("Ng8").unwrap());
        let path = scratch.file("games.pgn", begun.as_bytes());
        let followed = Followed::new(CLAIMS, &path);
        followed.prints("game,white,black,claim");
        for piece in pieces {
            // The last claim before this piece may have brought about the draw.
            followed.is_silent();
            followed.append(piece);
            if piece.contains("Ng8") {
                followed.prints("threefold-repetition,black,7,4...Ng8,");
            }
            if piece.contains("e5") {
                followed.prints("threefold-repetition,white,8,,");
            }
        }
        followed.is_silent();
        let once = run(&[CLAIMS, &["-q", &path]].concat());
        assert_eq!(once.stdout().lines().count(), 3, "{}", once.stdout());
        let (code, more, said) = followed.removed();
        assert_eq!((code, more), (Some(2), Vec::new()), "{said}");
    }
}

#[test]
fn the_length_of_a_line_is_known_at_the_end_of_the_game() {
    let scratch = Scratch::new("follow-lines");
    let moves = format!("{} ", KNIGHTS.repeat(2));
    let path = scratch.file("games.pgn", game("A", "1-0", &moves).as_bytes());
    let words = [CONCISE, &["--strict", "--select", "N220"]].concat();
    let followed = Followed::new(&words, &path);
    followed.is_silent();
    followed.append("1. Nf3 1-0\n");
    followed.prints(&format!("{} characters", moves.len() + 10));
    followed.is_silent();
    followed.removed();
}

#[test]
fn bytes_that_are_no_text_may_be_a_file_that_is_being_written() {
    let scratch = Scratch::new("follow-garbage");
    let path = scratch.file("games.pgn", b"\x1f\x8b\x1c\0");
    let followed = Followed::new(CONCISE, &path);
    followed.is_silent();
    followed.rewrite(&game("A", "*", "1. Ke3 *\n"));
    followed.prints("E201");
    followed.rewrite("[White\0\0\x1c\0");
    let (code, more, said) = followed.ended();
    assert_eq!((code, more), (Some(2), Vec::new()), "{said}");
}

#[test]
fn rulings_are_printed_when_they_change() {
    let scratch = Scratch::new("follow-rulings");
    let path = scratch.file("games.pgn", game("A", "1-0", "1. f3 e5 2. g4 ").as_bytes());
    let followed = Followed::new(&["adjudicate", "--format", "jsonl"], &path);
    followed.is_silent();
    followed.append("Qh4# ");
    followed.prints("\"ruled_reason\":\"checkmate\"");
    followed.append("1-0\n");
    followed.prints("\"verdict\":\"contradiction\"");
    let (code, more, said) = followed.removed();
    assert_eq!((code, more), (Some(2), Vec::new()), "{said}");
}

#[test]
fn games_of_a_broadcast_run_until_their_result_replaces_the_asterisk() {
    let scratch = Scratch::new("follow-broadcast");
    let round = |mate: &str, result: &str| {
        let moves = format!("1. f3 e5 2. g4 {mate} {result}\n\n");
        let of = |white| game(white, result, &moves);
        of("A") + &of("C")
    };
    let path = scratch.file("round.pgn", b"\n");
    let check = Followed::new(CONCISE, &path);
    let judge = Followed::new(&["adjudicate", "--format", "jsonl"], &path);
    judge.rewrite(&round("", "*"));
    judge.rewrite(&round("Qh4#", "*"));
    for game in ["1", "2"] {
        judge.prints(&format!("{{\"game\":{game},"));
    }
    check.is_silent();
    judge.replace(&round("Qh4#", "1-0"));
    for _ in 0..2 {
        judge.prints("\"verdict\":\"contradiction\"");
        check.prints("E302");
    }
    judge.is_silent();
    for (followed, ends) in [(judge, "2 contradiction"), (check, "findings: 2 error")] {
        let (code, more, said) = followed.interrupted();
        assert_eq!((code, more), (Some(1), Vec::new()), "{said}");
        assert!(said.contains(ends), "{said}");
    }
}

#[test]
fn the_lines_of_the_manual() {
    let manual = include_str!("../../../src/commands/README.md");
    let (_, section) = manual.split_once("## Files that change").unwrap();
    let (_, block) = section.split_once("```sh\n").unwrap();
    let (block, _) = block.split_once("```").unwrap();
    let scratch = Scratch::new("follow-manual");
    let path = scratch.file(
        "live.pgn",
        game("A", "*", &format!("{KNIGHTS} ")).as_bytes(),
    );
    for line in block.lines() {
        let words = line.strip_prefix("arbiter ").unwrap();
        let words = words
            .strip_suffix(" live.pgn")
            .unwrap()
            .replace("--follow ", "");
        let words: Vec<&str> = words.split(' ').collect();
        let followed = Followed::new(&words, &path);
        followed.append("5. Nh4 Qh4 ");
        followed.prints("live.pgn");
        let (_, _, said) = followed.interrupted();
        assert!(said.contains("games: 1 seen"), "{line}: {said}");
    }
}

#[test]
fn what_was_found_is_kept_however_the_run_ends() {
    let scratch = Scratch::new("follow-ends");
    let gzip = crate::compressors::gzip(b"1. e4 *\n".repeat(100).as_slice());
    for (end, code, error) in [
        ("interrupted", 1, None),
        ("emptied", 1, None),
        ("removed", 2, Some("the file is gone")),
        ("a folder", 2, Some("the file is gone")),
        ("a pipe", 2, Some("the file is gone")),
        ("compressed", 2, Some("plain text only")),
        ("no text", 2, Some("not text")),
    ] {
        let path = scratch.file("game.pgn", game("A", "*", "1. Ke3 *\n").as_bytes());
        let output = scratch.path().join("output");
        let output = output.to_str().unwrap();
        let followed = Followed::new(&[CONCISE, &["-o", output]].concat(), &path);
        thread::sleep(SILENCE);
        let (found, _, said) = match end {
            "removed" => followed.removed(),
            "interrupted" | "emptied" => {
                if end == "emptied" {
                    followed.rewrite("");
                    thread::sleep(SILENCE);
                }
                followed.interrupted()
            }
            _ => {
                fs::remove_file(&path).unwrap();
                match end {
                    "a folder" => fs::create_dir(&path).unwrap(),
                    "a pipe" => assert!(
                        Command::new("mkfifo")
                            .arg(&path)
                            .status()
                            .unwrap()
                            .success()
                    ),
                    "compressed" => fs::write(&path, &gzip).unwrap(),
                    _ => fs::write(&path, b"[White\0\0\x1c\0").unwrap(),
                }
                followed.ended()
            }
        };
        assert_eq!(found, Some(code), "{end}: {said}");
        assert_eq!(said.contains("error:"), error.is_some(), "{end}: {said}");
        assert!(said.contains(error.unwrap_or_default()), "{end}: {said}");
        assert!(said.contains("games: 1 seen"), "{end}: {said}");
        assert!(
            fs::read_to_string(output).unwrap().contains("E201"),
            "{end}"
        );
        fs::remove_file(output).unwrap();
        let _ = fs::remove_dir(&path).or_else(|_| fs::remove_file(&path));
    }
}

#[test]
fn a_long_pass_is_not_lost() {
    let scratch = Scratch::new("follow-long");
    let wrong = game("A", "*", "1. Ke3 *\n\n");
    let many = wrong.clone()
        + &fs::read_to_string("fixtures/famous.pgn")
            .unwrap()
            .repeat(20_000);
    let path = scratch.file("many.pgn", many.as_bytes());
    let followed = Followed::new(CONCISE, &path);
    followed.prints("E201");
    let (code, _, said) = followed.interrupted();
    assert_eq!(code, Some(1), "{said}");
    assert!(!said.contains("error:"), "{said}");
    // Nothing to read yet is nothing found.
    let empty = scratch.file("empty.pgn", b"");
    let followed = Followed::new(CONCISE, &empty);
    thread::sleep(SILENCE);
    let (code, lines, said) = followed.interrupted();
    assert_eq!((code, lines), (Some(0), Vec::new()), "{said}");
}

/// A game of one long comment, with more moves at each pass.
#[test]
fn a_game_takes_three_times_its_text_however_often_it_is_read() {
    let scratch = Scratch::new("follow-large");
    let words = "x ".repeat(24_000_000);
    let text = game("A", "*", &format!("1. e4 {{{words}}} e5 "));
    let path = scratch.file("large.pgn", text.as_bytes());
    let followed = Followed::new(CONCISE, &path);
    // The first finding of a code is remembered.
    for (moves, code) in [("2. Nf3# ", "N233"), ("Nc6 3. Ke5 ", "E201")] {
        followed.append(moves);
        followed.prints(code);
    }
    let status = fs::read_to_string(format!("/proc/{}/status", followed.child.id())).unwrap();
    let peak = status
        .lines()
        .find(|line| line.starts_with("VmHWM"))
        .unwrap();
    let peak = peak.split_whitespace().nth(1).unwrap().parse::<usize>();
    // Beside the program, whose code may be large.
    assert!(
        peak.unwrap() * 1024 < 3 * text.len() + (32 << 20),
        "{status}"
    );
    followed.interrupted();
}

#[test]
fn a_closed_pipe_ends_the_run() {
    let scratch = Scratch::new("follow-closed");
    let path = scratch.file("game.pgn", game("A", "*", "1. Ke3 *\n\n").as_bytes());
    let words = [CONCISE, &["--follow", &path]].concat();
    let mut child = command(&words).spawn().unwrap();
    let mut first = String::new();
    BufReader::new(child.stdout.take().unwrap())
        .read_line(&mut first)
        .unwrap();
    // It ends although the file does not grow.
    let (lines, path) = (channel().1, path);
    let followed = Followed { child, lines, path };
    let (code, _, said) = followed.ended();
    assert_eq!((code, &*said), (Some(1), ""), "{first}");
}

#[test]
fn what_cannot_be_followed_is_refused() {
    let scratch = Scratch::new("follow-refused");
    let one = scratch.file("one.pgn", b"1. e4 *\n");
    let packed = scratch.file("one.pgn.gz", &crate::compressors::gzip(b"1. e4 *\n"));
    let positions = scratch.file("one.epd", b"8/8/8/8/8/8/8/K1k5 w - -\n");
    for (words, reason) in [
        (&["validate", "-"][..], "PGN files"),
        (&["validate"], "PGN files"),
        (&["validate", &positions], "PGN files"),
        (&["validate", &packed], "plain text"),
        (&["validate", "--format", "sarif", &one], "format"),
        (&["adjudicate", "--format", "pgn", &one], "format"),
        (&["validate", "--select", "W501", &one], "duplicates"),
        (&["validate", "--fix", &one], "--follow"),
        (&["adjudicate", "--claim", "fifty", &one], "--follow"),
        (&["validate", "none.pgn"], "none.pgn"),
        (&["stats", &one], "--ratings"),
        (&["stats", "--pairs", "--format", "json", &one], "format"),
        (&["stats", "--ratings", "--part", "1/2", &one], "--part"),
    ] {
        let ran = run(&[words, &["--follow"]].concat());
        assert_eq!(ran.code, Some(2), "{words:?}");
        assert!(ran.stderr.contains(reason), "{words:?}: {}", ran.stderr);
    }
}

#[test]
fn folders_and_files_are_followed_together() {
    let scratch = Scratch::new("follow-folder");
    let folder = scratch.path().join("boards");
    fs::create_dir(&folder).unwrap();
    let named = scratch.file("named.pgn", game("A", "*", "1. Ke3 *\n").as_bytes());
    let words = [CONCISE, &["--select", "E201", folder.to_str().unwrap()]].concat();
    let followed = Followed::new(&words, &named);
    followed.prints("named.pgn:5:4: error[E201]");
    let board = |name: &str, moves: &str| {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, game("A", "*", moves)).unwrap();
    };
    // Equal games of other files are other games.
    board("1.pgn", "1. Ke3 *\n");
    followed.prints("boards/1.pgn:5:4: error[E201]");
    board("deep/2.pgn", "1. Ke3 ");
    followed.prints("boards/deep/2.pgn:5:4: error[E201]");
    followed.append("\n[White \"C\"]\n\n1. Qh5 *\n");
    followed.prints("(game 2, 1.Qh5)");
    board("1.pgn", "1. Ke3 *\n\n1. Nd6 *\n");
    followed.prints("(game 2, 1.Nd6)");
    fs::remove_file(folder.join("1.pgn")).unwrap();
    followed.is_silent();
    board("1.pgn", "1. Ke3 *\n");
    followed.is_silent();
    fs::remove_dir_all(folder.join("deep")).unwrap();
    thread::sleep(SILENCE);
    let (code, more, said) = followed.interrupted();
    assert_eq!((code, more), (Some(1), Vec::new()), "{said}");
    assert!(said.contains("games: 3 seen"), "{said}");
    assert!(said.contains("findings: 5 error"), "{said}");
}

/// Two games of a pair, both won by `New`.
fn pair(round: u32) -> String {
    let of = |white: &str, black: &str, result: &str| {
        format!(
            "[White \"{white}\"]\n[Black \"{black}\"]\n[Round \"{round}\"]\n\
            [Result \"{result}\"]\n\n1. e4 {{book}} e5 {{book}} {result}\n\n"
        )
    };
    of("New", "Old", "1-0") + &of("Old", "New", "0-1")
}

#[test]
fn a_match_is_tested_until_a_hypothesis_is_accepted() {
    let scratch = Scratch::new("follow-sprt");
    for (bounds, verdict, expected) in [("0,5", "H1", 0), ("400,900", "H0", 1)] {
        let path = scratch.file("games.pgn", b"");
        let words = [
            "stats",
            "--pairs",
            "--player",
            "New",
            "--sprt-model",
            "logistic",
            "--sprt",
        ];
        let followed = Followed::new(&[&words[..], &[bounds]].concat(), &path);
        let half = pair(1) + &pair(2).replace("1-0", "1/2-1/2");
        followed.append(&half);
        followed.prints("New against Old: games 4, pairs 2, Elo ");
        // A change of no line is not printed.
        followed.append("\n\n");
        followed.is_silent();
        for _ in 0..3000 {
            followed.append(&half);
        }
        let (code, lines, said) = followed.ended();
        assert_eq!(code, Some(expected), "{said}");
        let last = lines.last().unwrap();
        assert!(last.ends_with(&format!("{verdict} accepted")), "{last}");
        let neither = lines[..lines.len() - 1].iter();
        assert!(
            neither
                .clone()
                .all(|line| line.ends_with("neither accepted"))
        );
    }
}

#[test]
fn ratings_are_those_of_one_run_over_all_files() {
    let scratch = Scratch::new("follow-ratings");
    let second = scratch.file("b.pgn", b"");
    let path = scratch.file("a.pgn", pair(1).as_bytes());
    let once = || {
        let words = ["stats", "--ratings", "-q", &second, &path];
        run(&words).stdout().to_owned()
    };
    // The lines of one run that the run before did not print.
    let new_lines = |before: &str| {
        let now = once();
        let lines = now.lines().filter(|line| !line.is_empty());
        let new = lines.filter(|line| !before.lines().any(|old| old == *line));
        (new.map(str::to_owned).collect::<Vec<_>>(), now.clone())
    };
    let followed = Followed::new(&["stats", "--ratings", &second], &path);
    let mut before = String::new();
    let files = [
        (&path, pair(1)),
        (&path, pair(1) + &pair(2).replace("1-0", "1/2-1/2")),
        (&second, pair(1).replace("Old", "Third")),
    ];
    for (file, text) in files {
        fs::write(file, text).unwrap();
        let (lines, now) = new_lines(&before);
        for line in lines {
            followed.prints(&line);
        }
        before = now;
    }
    let (code, more, said) = followed.interrupted();
    assert_eq!((code, more), (Some(0), Vec::new()), "{said}");
    assert!(said.contains("games: 6 seen"), "{said}");
}

/// After games of one result, no player has a finite rating.
#[test]
fn an_anchor_may_be_rated_later() {
    let scratch = Scratch::new("follow-anchor");
    let path = scratch.file("a.pgn", pair(1).as_bytes());
    let followed = Followed::new(&["stats", "--ratings", "--anchor", "Old=3000"], &path);
    let line = || followed.lines.recv_timeout(PATIENCE).expect("a line");
    while !line().contains("lost all games") {}
    let drawn = pair(2).replace("1-0", "1/2-1/2");
    fs::write(&path, pair(1) + &drawn).unwrap();
    while !line().contains("3000.0") {}
    assert_eq!(followed.interrupted().0, Some(0));
}
