//! `perft --against`: engines with one wrong move, engines that do not answer, and Stockfish.

use std::io::{BufRead, stdin};
use std::path::Path;
use std::time::{Duration, Instant};

use arbiter::chess::{CastlingMode, CastlingSide, Move, MoveKind, Position, Uci};
use serde_json::Value;

use crate::arbiter_command::{Ran, Scratch, command, run};
use crate::position;

/// Fault of [`fake_engine`], in its environment.
const FAULT: &str = "ARBITER_FAKE_ENGINE";

/// File for its process id, in its environment.
const PID_FILE: &str = "ARBITER_FAKE_ENGINE_PID";

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
const CHESS960: &str = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9";

/// A UCI engine, in a process of its own; passes at once in a run of the tests.
#[test]
fn fake_engine() {
    let Ok(fault) = std::env::var(FAULT) else {
        return;
    };
    if let Ok(path) = std::env::var(PID_FILE) {
        std::fs::write(path, std::process::id().to_string()).unwrap();
    }
    // The test runner has not ended its line.
    println!();
    let mut engine = FakeEngine {
        fault,
        position: Position::initial(),
        mode: CastlingMode::Standard,
    };
    for line in stdin().lock().lines() {
        if !engine.obey(&line.unwrap()) {
            std::process::exit(0);
        }
    }
}

struct FakeEngine {
    fault: String,
    position: Position,
    mode: CastlingMode,
}

impl FakeEngine {
    /// Obeys a command; false if it ends the engine.
    fn obey(&mut self, line: &str) -> bool {
        let words: Vec<&str> = line.split(' ').collect();
        match words[..] {
            ["uci"] => {
                match &self.fault[..] {
                    "mute" => std::thread::sleep(Duration::from_secs(600)),
                    "standard chess only" => {}
                    _ => println!("option name UCI_Chess960 type check default false"),
                }
                println!("uciok");
            }
            ["setoption", "name", "UCI_Chess960", "value", value] => {
                self.mode = match value {
                    "true" => CastlingMode::Chess960,
                    _ => CastlingMode::Standard,
                };
            }
            ["position", ..] if self.fault == "stays at the start" => {}
            ["position", "fen", ..] => {
                let (fen, moves) = line["position fen ".len()..]
                    .split_once(" moves ")
                    .unwrap_or((&line["position fen ".len()..], ""));
                self.position = position(fen);
                for mv in moves.split_whitespace() {
                    let mv = Uci::from_ascii(mv.as_bytes()).unwrap();
                    let mv = mv.to_move(&self.position).unwrap();
                    self.position.play_unchecked(mv);
                }
            }
            ["isready"] if !self.fault.starts_with("own thread") => println!("readyok"),
            ["go", "perft", depth] => self.go(depth.parse().unwrap()),
            ["quit"] => return false,
            _ => {}
        }
        true
    }

    fn go(&self, depth: u32) {
        match &self.fault[..] {
            "hangs" => std::thread::sleep(Duration::from_secs(600)),
            "dies" => std::process::exit(3),
            "searches" => return println!("info depth 1\nbestmove e2e4"),
            "refuses" => return println!("Unknown command: 'go perft {depth}'"),
            "large" => return println!("e2e4: 99999999999999999999"),
            "unreadable" => println!("e2e4: 2O"),
            "own thread" | "own thread and time" => println!("readyok"),
            "repeats" => loop {
                println!("e2e4: 1");
            },
            _ => {}
        }
        let depth = depth + u32::from(self.fault == "counts one ply more");
        println!("info string counting 1 total");
        let mut sum = 0;
        for (name, mv) in self.moves(&self.position) {
            let mut nodes = mv.map_or(1, |mv| self.count(&self.position, mv, depth - 1));
            if self.fault == "unsteady" && depth == 3 && name == "e2e4" {
                nodes += 1;
            }
            println!("{name}: {nodes}");
            sum += nodes;
        }
        if self.fault != "no total" {
            println!("\nNodes searched: {sum}\n");
        }
        if self.fault == "own thread and time" {
            println!("Total time (ms): 0");
        }
    }

    /// Moves as they are written; one that is not legal has no other part.
    fn moves(&self, position: &Position) -> Vec<(String, Option<Move>)> {
        let mode = match &self.fault[..] {
            "castling by the king's squares" => CastlingMode::Standard,
            _ => self.mode,
        };
        let mut moves = Vec::new();
        for mv in position.legal_moves() {
            let is_short = mv.castling_side() == Some(CastlingSide::King);
            if self.fault == "no short castling" && is_short {
                continue;
            }
            let listed = (mv.uci(mode).to_string(), Some(mv));
            if self.fault == "en passant twice" && mv.kind == MoveKind::EnPassant {
                moves.push(listed.clone());
            }
            moves.push(listed);
        }
        let king_may_leap = position
            .to_string()
            .starts_with("rnbqkbnr/pppp1ppp/8/4p3/4P3");
        if self.fault == "leaping king" && king_may_leap {
            moves.push(("e1e3".to_owned(), None));
        }
        moves
    }

    fn count(&self, position: &Position, mv: Move, depth: u32) -> u64 {
        let next = position.after(mv);
        match depth {
            0 if self.fault == "promotions count twice" && mv.promotion().is_some() => 2,
            0 => 1,
            _ => self
                .moves(&next)
                .into_iter()
                .map(|(_, mv)| mv.map_or(1, |mv| self.count(&next, mv, depth - 1)))
                .sum(),
        }
    }
}

/// Command of the fake engine.
fn fake() -> String {
    let tests = std::env::current_exe().unwrap();
    format!(
        "'{}' --exact perft::against::fake_engine --nocapture",
        tests.display()
    )
}

fn run_fake(fault: &str, arguments: &[&str]) -> Ran {
    let engine = fake();
    let mut words = vec!["perft", "-q", "--against", &engine];
    words.extend(arguments);
    command(&words).env(FAULT, fault).output().unwrap().into()
}

/// The object of a position that an engine with a fault was asked for.
fn contest(fault: &str, fen: &str, depth: &str) -> Value {
    let ran = run_fake(fault, &["--format", "jsonl", "-d", depth, fen]);
    let row: Value = serde_json::from_slice(&ran.stdout).unwrap_or_else(|_| panic!("{ran:?}"));
    let agrees = row["verdict"] == "agrees";
    assert_eq!(ran.code, Some(i32::from(!agrees)), "{ran:?}");
    assert_eq!(agrees, row["position"].is_null(), "{row}");
    row
}

#[test]
fn right_engines_agree_however_they_answer() {
    for fault in [
        "none",
        "own thread",
        "own thread and time",
        "no total",
        "castling by the king's squares",
    ] {
        for (fen, nodes) in [
            (KIWIPETE, 97_862),
            (CHESS960, 12_189),
            ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 0),
        ] {
            if (fault, nodes) == ("no total", 0) {
                // Nothing shows that such a list has ended.
                continue;
            }
            let row = contest(fault, fen, "3");
            assert_eq!(row["verdict"], "agrees", "{fault}: {row}");
            assert_eq!(row["nodes"], nodes, "{fault}: {row}");
            assert_eq!(row["engine_nodes"], nodes, "{fault}: {row}");
        }
    }
}

#[test]
fn the_first_position_with_a_wrong_move_is_found() {
    // After 1.e4 e5 the king leaps; the position is three plies before the end.
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let row = contest("leaping king", start, "3");
    assert_eq!(row["verdict"], "moves");
    assert_eq!(row["nodes"], 8_902);
    assert_eq!(row["engine_nodes"], 8_903);
    assert_eq!(row["moves"], serde_json::json!(["e2e4", "e7e5"]));
    assert_eq!(
        row["position"],
        "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"
    );
    assert_eq!(row["extra"], serde_json::json!(["e1e3"]));
    assert_eq!(row["missing"], serde_json::json!([]));
    assert_eq!(row["legal"].as_array().unwrap().len(), 29);

    let fen = "4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1";
    let row = contest("en passant twice", fen, "3");
    assert_eq!(row["moves"], serde_json::json!(["e2e4"]));
    assert_eq!(row["twice"], serde_json::json!(["d4e3"]));

    let fen = "8/P6k/8/8/8/8/8/K7 w - - 0 1";
    let row = contest("promotions count twice", fen, "1");
    assert_eq!(row["verdict"], "counts");
    assert_eq!(row["moves"], serde_json::json!([]));
    let promotions = serde_json::json!(["a7a8b", "a7a8n", "a7a8q", "a7a8r"]);
    assert_eq!(row["different"], promotions);

    let row = contest("unsteady", start, "3");
    assert_eq!(row["verdict"], "unsteady");
    assert_eq!(row["moves"], serde_json::json!(["e2e4"]));
}

#[test]
fn an_engine_that_counts_something_else() {
    let ran = run_fake("counts one ply more", &["-d", "2", KIWIPETE]);
    let asked = "the totals differ: is it the same depth?\n";
    assert!(ran.stdout().contains(asked), "{ran:?}");
    assert_eq!(
        contest("stays at the start", KIWIPETE, "2")["verdict"],
        "moves"
    );
    // It begins in the right position, but plays no moves.
    let row = contest("stays at the start", arbiter::chess::fen::INITIAL, "2");
    assert_eq!(row["verdict"], "agrees");
    let words = ["-d", "2", "position", "startpos", "moves", "e2e4"];
    let ran = run_fake("none", &words);
    assert_eq!(ran.stdout(), "nodes: 600, as the engine counts\n");
}

#[test]
fn chess960_castling_is_compared_however_it_is_written() {
    let fen = "r1k1r2q/p1ppp1pp/8/8/8/8/P1PPP1PP/R1K1R2Q w KQkq - 0 1";
    let row = contest("no short castling", fen, "2");
    assert_eq!(row["missing"], serde_json::json!(["c1e1"]), "{row}");
    let row = contest("no short castling", KIWIPETE, "2");
    assert_eq!(row["missing"], serde_json::json!(["e1g1"]), "{row}");
    let ran = run_fake("standard chess only", &["-d", "1", CHESS960]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("no option `UCI_Chess960`"), "{ran:?}");
    assert_eq!(run_fake("standard chess only", &["-d", "1"]).code, Some(0));
}

#[test]
fn lines_after_a_total_end_no_later_list() {
    let ran = run_fake("own thread and time", &["--suite", "fixtures/suite.epd"]);
    assert_eq!(ran.stdout(), "3 positions, 392308 nodes: all agree\n");
}

#[test]
fn depth_0_has_no_moves_to_compare() {
    let ran = run_fake("none", &["-d", "0"]);
    assert_eq!((ran.code, &*ran.stdout()), (Some(2), ""), "{ran:?}");
    assert!(ran.stderr.contains("`--depth 0` has none"), "{ran:?}");
    let scratch = Scratch::new("engine-depth-0");
    let start = arbiter::chess::fen::INITIAL;
    let suite = scratch.file(
        "0.epd",
        format!("{start} ;D0 1\n{start} ;D1 20\n").as_bytes(),
    );
    let ran = run_fake("none", &["--suite", &suite]);
    assert_eq!(ran.stdout(), "1 positions, 20 nodes: all agree\n");
}

#[test]
#[cfg(unix)]
fn processes_that_the_engine_started_are_ended() {
    let folder = Scratch::new("engine-group");
    let pid = folder.path().join("pid");
    let started = format!("sleep 60 2>/dev/null & printf %s $! > '{}'", pid.display());
    let script = format!("sh -c \"{started}; exec {}\"", fake());
    let ran: Ran = command(&["perft", "-q", "-d", "1", "--against", &script])
        .env(FAULT, "none")
        .output()
        .unwrap()
        .into();
    assert_eq!(ran.code, Some(0), "{ran:?}");
    has_ended(&pid);
}

#[test]
fn suites_and_lists_are_compared_position_by_position() {
    let suite = ["--suite", "fixtures/suite.epd"];
    let ran = run_fake("none", &suite);
    assert_eq!(ran.stdout(), "3 positions, 392308 nodes: all agree\n");
    assert_eq!(ran.code, Some(0));
    let ran = run_fake("no short castling", &[&suite[..], &["-d", "3"]].concat());
    assert_eq!(ran.code, Some(1));
    let text = ran.stdout();
    assert!(
        text.contains("missing: g1h1: legal, 1 nodes, not in"),
        "{text}"
    );
    assert!(text.contains(" 1 wrong\n"), "{text}");
    let ran = run_fake("none", &["--suite", "fixtures/wrong.epd"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.stdout().ends_with(" 1 wrong\n"), "{ran:?}");
}

/// Runs an engine that gives no answer, and returns the message.
fn no_answer(engine: &str, fault: &str) -> String {
    let folder = Scratch::new(&format!("engine-{}", fault.len()));
    let pid = folder.path().join("pid");
    let began = Instant::now();
    let ran: Ran = command(&["perft", "-d", "2", "--timeout", "2", "--against", engine])
        .env(FAULT, fault)
        .env(PID_FILE, &pid)
        .output()
        .unwrap()
        .into();
    assert!(began.elapsed() < Duration::from_secs(30), "{ran:?}");
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert_eq!(ran.stdout(), "");
    has_ended(&pid);
    ran.stderr
}

#[test]
fn engines_without_an_answer_are_named_and_ended() {
    let fake = fake();
    for (fault, expected) in [
        ("mute", "`uci` has no answer after 2 s"),
        ("hangs", "`go perft 2` has no answer after 2 s"),
        (
            "dies",
            "it ended (exit status: 3) instead of answering `go perft 2`",
        ),
        ("searches", "it does not know `go perft 2`"),
        (
            "refuses",
            "its last line is `Unknown command: 'go perft 2'`",
        ),
        ("large", "the count of e2e4 exceeds 18446744073709551615"),
        ("unreadable", "`e2e4: 2O` is not a move and its count"),
        ("repeats", "its list has more than 4096 moves"),
    ] {
        let stderr = no_answer(&fake, fault);
        assert!(stderr.contains(expected), "{fault}: {stderr}");
        let is_positioned = stderr.contains("; it was given `position fen rnbqkbnr/");
        assert_eq!(is_positioned, fault != "mute", "{fault}: {stderr}");
        assert!(
            stderr.contains("cannot use the engine"),
            "{fault}: {stderr}"
        );
    }
    // A script that does not pass on signals.
    let script = format!("sh -c \"{fake} | cat\"");
    let stderr = no_answer(&script, "hangs");
    assert!(stderr.contains("has no answer"), "{stderr}");
}

#[test]
#[cfg(unix)]
fn signals_end_the_engine() {
    let folder = Scratch::new("engine-signal");
    // The second signal ends the program at once, if it comes in time.
    for signals in [
        "kill -INT",
        "kill -INT $0; sleep 0.02; kill -INT",
        "kill -TERM",
    ] {
        let pid = folder.path().join("pid");
        let began = Instant::now();
        let child = command(&[
            "perft",
            "-q",
            "-d",
            "2",
            "--timeout",
            "600",
            "--against",
            &fake(),
        ])
        .env(FAULT, "hangs")
        .env(PID_FILE, &pid)
        .spawn()
        .unwrap();
        while std::fs::read_to_string(&pid).unwrap_or_default().is_empty() {
            assert!(began.elapsed() < Duration::from_secs(60));
            std::thread::sleep(Duration::from_millis(10));
        }
        let kill = format!("{signals} $0 2>/dev/null");
        let status = std::process::Command::new("sh")
            .args(["-c", &kill, &child.id().to_string()])
            .status();
        assert!(status.is_ok());
        let ran = Ran::from(child.wait_with_output().unwrap());
        assert_eq!(ran.code, None, "{ran:?}");
        let said = "error: interrupted after 0 positions\n";
        assert!(ran.stderr.starts_with(said), "{ran:?}");
        has_ended(&pid);
        std::fs::remove_file(&pid).unwrap();
    }
}

/// Checks that the process of a file ends.
fn has_ended(pid_file: &Path) {
    let began = Instant::now();
    let pid = std::fs::read_to_string(pid_file).unwrap();
    let process = Path::new("/proc").join(&pid);
    // A process that was killed may take a moment to go.
    while process.exists() {
        assert!(
            began.elapsed() < Duration::from_secs(30),
            "{pid} still runs"
        );
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn engines_that_cannot_be_started_are_named() {
    for (engine, expected) in [
        ("/nowhere/engine --uci", "`/nowhere/engine` is not found"),
        ("/", "`/` cannot be started"),
        ("'engine", "a quote is not closed"),
        ("", "it is empty"),
        (
            "true",
            "it ended (exit status: 0) instead of answering `uci`",
        ),
        (
            "echo hello",
            "it ended (exit status: 0) instead of answering `uci`",
        ),
    ] {
        let ran = run(&["perft", "-q", "--against", engine]);
        assert_eq!(ran.code, Some(2), "{engine}");
        assert!(ran.stderr.contains(expected), "{engine}: {}", ran.stderr);
    }
}

/// Path of Stockfish, from Debian.
fn stockfish() -> Option<&'static str> {
    let path = "/usr/games/stockfish";
    let found = Path::new(path).exists();
    if !found {
        println!("skipped: stockfish is not installed");
    }
    found.then_some(path)
}

#[test]
fn stockfish_agrees() {
    let Some(stockfish) = stockfish() else {
        return;
    };
    for (fen, depth) in [
        (arbiter::chess::fen::INITIAL, "4"),
        (KIWIPETE, "3"),
        (CHESS960, "3"),
        (
            "2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9",
            "3",
        ),
        (
            "r1k1r2q/p1ppp1pp/8/8/8/8/P1PPP1PP/R1K1R2Q w KQkq - 0 1",
            "3",
        ),
        ("n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", "3"),
        ("8/8/1k6/2b5/2pP4/8/5K2/8 b - d3 0 1", "4"),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "2"),
    ] {
        let ran = run(&["perft", "-q", "-d", depth, "--against", stockfish, fen]);
        assert_eq!(ran.code, Some(0), "{fen}: {ran:?}");
        assert!(
            ran.stdout().ends_with(", as the engine counts\n"),
            "{ran:?}"
        );
    }
    let ran = run(&[
        "perft",
        "-q",
        "--suite",
        "fixtures/suite.epd",
        "--against",
        stockfish,
    ]);
    assert_eq!(ran.stdout(), "3 positions, 392308 nodes: all agree\n");
}

#[test]
fn stockfish_without_a_move_differs() {
    let Some(stockfish) = stockfish() else {
        return;
    };
    // `sed` takes a move from the list; the total stays.
    let engine = format!("sh -c \"{stockfish} | sed -u /^e1g1/d\"");
    let ran = run(&["perft", "-q", "-d", "1", "--against", &engine, KIWIPETE]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let text = ran.stdout();
    assert!(
        text.contains(&format!("position: {KIWIPETE}\nmoves to it: none\n")),
        "{text}"
    );
    assert!(
        text.contains("missing: e1g1: legal, 1 nodes, not in the engine's list"),
        "{text}"
    );
}
