//! `--illegal play`: illegal moves that stood, against the mailbox.

use std::fmt::Write;

use arbiter::chess::{Move, MoveKind, Role, Square};
use serde_json::Value;

use crate::arbiter_command::{Ran, run, run_with_stdin};
use crate::chess::random_games::Random;
use crate::mailbox::Mailbox;

const INITIAL: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1";

/// The move between two squares, `e1g1` and `e7e8q`, legal or not. Castling without the right or
/// through check is none of the mailbox's moves.
fn find(board: &Mailbox, uci: &str) -> (Move, bool) {
    let (from, to): (Square, Square) = (uci[..2].parse().unwrap(), uci[2..4].parse().unwrap());
    let moves = board.moves_of_pieces();
    let castles = |mv: &&Move| {
        let king_to = if mv.to > mv.from { "g" } else { "c" };
        mv.kind == MoveKind::Castle && mv.from == from && uci[2..].starts_with(king_to)
    };
    let becomes = |mv: &Move| {
        mv.promotion()
            .map_or("", |role| &"pnbrqk"[role as usize..][..1])
    };
    let goes = |mv: &&Move| (mv.from, mv.to) == (from, to) && becomes(mv) == &uci[4..];
    let far = from.file().index().abs_diff(to.file().index()) > 1;
    let found = moves.iter().find(castles).filter(|_| far);
    if let Some(&mv) = found.or_else(|| moves.iter().find(goes)) {
        return (mv, board.is_legal(mv));
    }
    let rook = if to > from { "h" } else { "a" };
    let rook = format!("{rook}{}", &uci[1..2]).parse().unwrap();
    let mv = Move {
        role: Role::King,
        from,
        to: rook,
        captured: None,
        kind: MoveKind::Castle,
    };
    (mv, false)
}

/// A FEN of the mailbox with the letters of standard chess for castling.
fn fen(board: &Mailbox) -> String {
    let fen = board.fen();
    let mut fields: Vec<String> = fen.split(' ').map(str::to_owned).collect();
    for (file, side) in ["Hh", "Aa"].iter().zip(["Kk", "Qq"]) {
        for (letter, name) in file.chars().zip(side.chars()) {
            fields[2] = fields[2].replace(letter, &name.to_string());
        }
    }
    fields.join(" ")
}

fn rows(ran: &Ran) -> Vec<Value> {
    let text = ran.stdout();
    let rows = text.lines().map(|line| serde_json::from_str(line).unwrap());
    rows.collect()
}

fn pgn(start: &str, moves: &str) -> String {
    let mut text = String::from("[Event \"x\"]\n");
    if start != INITIAL {
        write!(text, "[SetUp \"1\"]\n[FEN \"{start}\"]\n").unwrap();
    }
    text + "\n" + moves + " *\n\n"
}

fn played(words: &[&str], text: &str) -> Ran {
    let words: Vec<&str> = ["replay", "-q", "--illegal", "play", "--format", "jsonl"]
        .iter()
        .chain(words)
        .copied()
        .collect();
    run_with_stdin(&words, text.as_bytes().to_vec())
}

/// Plays a game with an illegal move, and compares every position with the mailbox.
fn check(start: &str, san: &str, uci: &str, illegal: usize) {
    for words in [&[][..], &["--variations"]] {
        let ran = played(words, &pgn(start, san));
        assert_eq!((ran.code, &*ran.stderr), (Some(0), ""), "{san}");
        let mut board = Mailbox::read(start);
        let mut seen = 0;
        let mut rows = rows(&ran);
        rows.retain(|row| row["line"].as_u64().unwrap_or(0) == 0);
        assert_eq!(rows.len(), uci.split(' ').count(), "{san}");
        for (row, uci) in rows.iter().zip(uci.split(' ')) {
            let (mv, is_legal) = find(&board, uci);
            board = board.after(mv);
            assert_eq!(row["fen"], fen(&board), "{san}: {uci}");
            assert_eq!(row["illegal"], !is_legal, "{san}: {uci}");
            assert_eq!(row["uci"], uci, "{san}");
            seen += usize::from(!is_legal);
        }
        assert_eq!(seen, illegal, "{san}");
    }
}

#[test]
fn an_illegal_move_that_was_answered_is_played() {
    for (start, san, uci) in [
        (
            "4r1k1/8/8/8/8/8/4N3/4K3 w - - 0 1",
            "Nc3 Kf7 Kd2",
            "e2c3 g8f7 e1d2",
        ),
        (
            "4r1k1/8/8/8/8/8/4N3/4K3 w - - 0 1",
            "e2c3 Kf7 Kd2",
            "e2c3 g8f7 e1d2",
        ),
        (
            "4r1k1/8/8/8/8/8/8/R3K3 w - - 3 9",
            "Ra7 Kf8 Kd1",
            "a1a7 g8f8 e1d1",
        ),
        (
            "3r2k1/8/8/8/8/8/8/4K3 w - - 0 1",
            "Kd1 Kf7 Kc2",
            "e1d1 g8f7 d1c2",
        ),
        ("3r2k1/8/8/8/8/8/8/4K3 w - - 0 1", "Kd1 Rd7", "e1d1 d8d7"),
        (
            "8/2p5/8/K2P3r/8/8/8/7k b - - 4 1",
            "c5 dxc6 Kg1 Kb6",
            "c7c5 d5c6 h1g1 a5b6",
        ),
        (
            "8/r2P2K1/8/8/8/8/8/1k6 w - - 0 1",
            "d8=Q Kc1 Kg6",
            "d7d8q b1c1 g7g6",
        ),
        (
            "4r2k/3p4/4P3/8/8/8/8/4K3 w - - 0 1",
            "exd7 Re2 Kf1",
            "e6d7 e8e2 e1f1",
        ),
        ("7k/8/8/8/r2P2K1/8/8/8 w - - 0 1", "d5 Kg7", "d4d5 h8g7"),
        (
            "4k3/8/8/8/8/5r2/8/R3K2R w HA - 0 1",
            "O-O Kd7 Rfb1",
            "e1g1 e8d7 f1b1",
        ),
        (
            "4k3/8/8/8/8/5r2/8/R3K2R w HA - 0 1",
            "e1g1 Kd7",
            "e1g1 e8d7",
        ),
        (
            "4k3/8/8/8/8/4r3/8/R3K2R w HA - 0 1",
            "O-O-O Kf7 Rd2",
            "e1c1 e8f7 d1d2",
        ),
        (
            "4k3/8/8/8/8/2r5/8/R3K2R w HA - 0 1",
            "O-O-O Kf7 Kd2",
            "e1c1 e8f7 c1d2",
        ),
        (
            "r3k2r/8/8/8/8/8/8/4K3 b - - 0 1",
            "O-O-O Kf1 Kb7",
            "e8c8 e1f1 c8b7",
        ),
        // Two knights reach the square, and one is named.
        (
            "4r1k1/8/8/8/8/8/4N3/N3K3 w - - 0 1",
            "Nec1 Kf7",
            "e2c1 g8f7",
        ),
        (
            "4r1k1/8/8/8/8/8/4N1N1/4K3 w - - 0 1",
            "Nec1 Kf7",
            "e2c1 g8f7",
        ),
    ] {
        check(start, san, uci, 1);
    }
    // Black answers by another illegal move, which stands too.
    check(
        "3r4/8/8/1k6/8/8/8/R2K4 w - - 0 1",
        "Ra7 Ka5 Kc1",
        "a1a7 b5a5 d1c1",
        2,
    );
    check(
        INITIAL,
        "1. e4 e5 2. Ke2 Ke7 3. Ke1 Ke8 4. Nf3 Nf6 5. Bc4 Bc5 6. O-O O-O (6... Nc6) 7. d3",
        "e2e4 e7e5 e1e2 e8e7 e2e1 e7e8 g1f3 g8f6 f1c4 f8c5 e1g1 e8g8 d2d3",
        2,
    );
}

#[test]
fn other_moves_stop_the_game_as_without_the_option() {
    let pinned = "4r1k1/8/8/8/8/8/4N3/4K3 w - - 0 1";
    for (start, san) in [
        // Not answered, or by the capture of the king, by a word that is no move, or by a move that
        // no piece can make.
        (pinned, "Nc3"),
        (pinned, "Nc3 Rxe1"),
        (pinned, "Nc3 Kx9 Kd2"),
        (pinned, "Nc3 Bd4 Kd2"),
        (pinned, "Nc3 -- Kd2"),
        // No piece can make it, or several can.
        (pinned, "Nc4 Kf7"),
        (pinned, "Ke2 Kf7"),
        (pinned, "Bc3 Kf7"),
        ("k3r3/8/8/8/4q3/8/8/N1N1K3 w - - 0 1", "Nb3 Ka7"),
        ("4k3/8/8/8/8/8/8/RN2K2R w H - 0 1", "O-O-O Kd7"),
        ("4k3/8/8/8/8/8/8/R2K3R w - - 0 1", "O-O-O Kd7"),
        ("4k3/8/8/8/8/8/8/4K2B w - - 0 1", "O-O Kd7"),
        ("8/2p5/8/K2P3r/8/8/8/7k w - - 4 1", "dxc6 Kg1"),
        // The kings would stand side by side.
        ("8/p7/8/3k4/8/3K4/8/R7 w - - 0 1", "Kd4 a5 Kd3"),
        // The game was over.
        (INITIAL, "f3 e5 g4 Qh4# a3 a6"),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "Kg8 Kf5 a6"),
    ] {
        let text = pgn(start, san);
        for command in ["replay", "validate", "adjudicate"] {
            let words = [command, "-q", "--format", "jsonl"];
            let stop = run_with_stdin(&words, text.clone().into_bytes());
            let words = [&words[..], &["--illegal", "play"]].concat();
            let mut play = run_with_stdin(&words, text.clone().into_bytes());
            play.stdout = play.stdout().replace(",\"illegal\":false", "").into_bytes();
            assert_eq!(play, stop, "{command}: {san}");
            assert!(command == "adjudicate" || stop.code == Some(1), "{san}");
        }
    }
}

#[test]
fn a_variation_neither_plays_an_illegal_move_nor_captures_a_king() {
    let text = pgn(
        "4r1k1/8/8/8/8/8/4N3/4K3 w - - 0 1",
        "1. Nc3 (1. Ng3 Kf7) Kf7 (1... Rxe1 2. Na4) (1... Re5) 2. Kd2",
    );
    let ran = played(&["--variations", "--columns", "san,line,illegal"], &text);
    let lines: Vec<(String, u64, bool)> = rows(&ran)
        .iter()
        .map(|row| {
            let san = row["san"].as_str().unwrap().to_owned();
            (
                san,
                row["line"].as_u64().unwrap(),
                row["illegal"].as_bool().unwrap(),
            )
        })
        .collect();
    let expected = [
        ("Nc3", 0, true),
        ("Kf7+", 0, false),
        ("Re5+", 3, false),
        ("Kd2", 0, false),
    ];
    let expected = expected.map(|(san, line, illegal)| (san.to_owned(), line, illegal));
    assert_eq!(lines, expected);
    assert!(
        ran.stderr.contains("a king is not captured"),
        "{}",
        ran.stderr
    );
}

/// Random games of moves that pieces can make, every few of them illegal.
#[test]
fn random_games_with_illegal_moves() {
    let mut random = Random(50);
    let (mut text, mut expected) = (String::new(), Vec::new());
    let (mut stood, mut stopped) = (0, 0);
    for game in 1..=300_u64 {
        let mut board = Mailbox::read(INITIAL);
        let (mut moves, mut fens) = (String::new(), Vec::new());
        for _ in 0..120 {
            let mut all = board.moves_of_pieces();
            let is_legal = |mv: &Move| board.is_legal(*mv);
            if !all
                .iter()
                .any(|mv| is_legal(mv) && mv.captured != Some(Role::King))
            {
                break;
            }
            all.retain(|mv| {
                mv.captured != Some(Role::King) && !board.after(*mv).are_kings_adjacent()
            });
            let illegal: Vec<Move> = all.iter().filter(|mv| !is_legal(mv)).copied().collect();
            all.retain(is_legal);
            let mut from = if illegal.is_empty() || random.below(2) == 0 {
                all
            } else {
                illegal
            };
            let mv = random.draw(&mut from);
            let becomes = mv
                .promotion()
                .map_or("", |role| &"pnbrqk"[role as usize..][..1]);
            let to = match mv.kind {
                MoveKind::Castle => {
                    let file = if mv.to > mv.from { 'g' } else { 'c' };
                    format!("{file}{}", &mv.to.to_string()[1..])
                }
                _ => mv.to.to_string(),
            };
            write!(moves, "{}{to}{becomes} ", mv.from).unwrap();
            fens.push((!board.is_legal(mv), board.clone().after(mv)));
            board = board.after(mv);
        }
        // The last illegal moves are not answered.
        stopped += usize::from(fens.last().is_some_and(|(is_illegal, _)| *is_illegal));
        while fens.pop_if(|(is_illegal, _)| *is_illegal).is_some() {}
        stood += fens.iter().filter(|(is_illegal, _)| *is_illegal).count();
        let fens = fens
            .iter()
            .map(|(is_illegal, board)| (game, fen(board), *is_illegal));
        expected.extend(fens);
        text += &pgn(INITIAL, &moves);
    }
    assert!(stood > 500 && stopped > 10, "{stood} {stopped}");
    let played = rows(&played(&[], &text));
    for (row, (game, fen, is_illegal)) in played.iter().zip(expected) {
        assert_eq!(
            (&row["game"], &row["fen"]),
            (&game.into(), &Value::from(fen))
        );
        assert_eq!(row["illegal"], is_illegal, "{row}");
    }
    // Each illegal move is an error of its own.
    let words = [
        "validate",
        "-q",
        "--illegal",
        "play",
        "--select",
        "E201",
        "--format",
        "jsonl",
    ];
    let found = rows(&run_with_stdin(&words, text.clone().into_bytes()));
    assert_eq!(found.len(), stood + stopped);
    let words = [
        "adjudicate",
        "-q",
        "--illegal",
        "play",
        "--nodes",
        "300",
        "--format",
        "jsonl",
    ];
    let ruled = rows(&run_with_stdin(&words, text.into_bytes()));
    let notes = ruled
        .iter()
        .flat_map(|row| row["notes"].as_array().unwrap());
    let stands = |note: &&Value| note.as_str().unwrap().contains("was illegal and stood");
    assert_eq!(notes.filter(stands).count(), stood);
}

#[test]
fn games_without_illegal_moves_are_as_without_the_option() {
    let fixtures = format!("{}/fixtures", env!("CARGO_MANIFEST_DIR"));
    let words = ["replay", "-q", "-j", "1", "--no-config", "--format", "csv"];
    let of = |more: &[&str]| run(&[&words[..], more, &[&fixtures]].concat());
    let (stop, play) = (of(&[]), of(&["--illegal", "play"]));
    let (stop, play) = (stop.stdout(), play.stdout());
    let mut stop = stop.lines().skip(1).peekable();
    let (mut same, mut more) = (0, 0);
    let mut goes_on = false;
    for row in play.lines().skip(1) {
        let (row, illegal) = row.rsplit_once(',').unwrap();
        let is_first = row.split(',').nth(1) == Some("1");
        goes_on = illegal == "true" || goes_on && !is_first;
        if goes_on {
            more += 1;
            assert_ne!(stop.peek(), Some(&row));
        } else {
            same += 1;
            assert_eq!(stop.next(), Some(row));
        }
    }
    assert_eq!(stop.next(), None);
    assert!(same > 1_000 && more > 1, "{same} {more}");
}

/// 3.d4 exposes the king to the bishop, 4.c3 stops the check, and 5.Qxh5 captures nothing.
const MATE: &str = "[Event \"x\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \
    \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Bc4 Bb4 3. d4 Nc6 4. c3 Ba5 5. Qxh5 Nf6 \
    6. Qxf7# 1-0\n";

fn of_mate(words: &[&str]) -> Ran {
    run_with_stdin(words, MATE.into())
}

#[test]
fn rulings_and_statistics_go_to_the_end() {
    let ending = |what| {
        let words = ["stats", "-q", "--by", "ending", "--illegal", what];
        of_mate(&[&words[..], &["--format", "csv"]].concat()).stdout()
    };
    assert!(!ending("stop").contains("checkmate"), "{}", ending("stop"));
    assert!(ending("play").contains("checkmate"), "{}", ending("play"));
    let ruled = |what| {
        let ran = of_mate(&["adjudicate", "-q", "--illegal", what, "--format", "jsonl"]);
        rows(&ran).remove(0)
    };
    let note = "3.d4 was illegal and stood, as the opponent answered it";
    let row = ruled("play");
    assert_eq!(
        (&row["board"], &row["plies"]),
        (&"checkmate".into(), &11.into())
    );
    assert!(
        row["notes"].as_array().unwrap().contains(&note.into()),
        "{row}"
    );
    assert_eq!(ruled("stop")["plies"], 4);
}

#[test]
fn a_claim_names_the_illegal_move_and_waits_for_its_answer() {
    let claim = |at| {
        let words = [
            "adjudicate",
            "-q",
            "--illegal",
            "play",
            "--claim",
            "threefold",
            "--at",
            at,
        ];
        of_mate(&words)
    };
    let ruling = claim("4b").stdout();
    assert!(
        ruling.contains("3.d4 was illegal and stood, as the opponent answered it."),
        "{ruling}"
    );
    let refused = claim("3w");
    assert_eq!(refused.code, Some(2));
    assert!(
        refused
            .stderr
            .contains("3.d4 is illegal and not yet answered"),
        "{refused:?}"
    );
}

#[test]
fn validate_reports_the_move_as_before_and_checks_later_ones() {
    let found = |what| {
        let ran = of_mate(&["validate", "-q", "--illegal", what, "--format", "jsonl"]);
        assert_eq!(ran.code, Some(1));
        rows(&ran)
    };
    let (stop, play) = (found("stop"), found("play"));
    let codes =
        |rows: &[Value]| -> Vec<Value> { rows.iter().map(|row| row["code"].clone()).collect() };
    assert_eq!(codes(&stop), ["E201"]);
    assert_eq!(codes(&play), ["E201", "N238"]);
    for field in ["message", "severity", "line", "column", "reason", "fen"] {
        assert_eq!(stop[0][field], play[0][field], "{field}");
    }
}

#[test]
fn the_suggestion_for_an_illegal_move_is_as_before() {
    let text = "[Event \"x\"]\n\n1. e4 e5 2. Bc4 Bb4 3. d4 Nc6 4. c3 Ba5 5. Nf3 Nf6 6. O-O d6 *\n";
    let found = |what| {
        let words = ["validate", "-q", "--illegal", what, "--select", "E201"];
        let ran = run_with_stdin(&[&words[..], &["--format", "jsonl"]].concat(), text.into());
        rows(&ran).remove(0)
    };
    let (stop, play) = (found("stop"), found("play"));
    assert_eq!(
        stop["help"],
        "did you mean `f4`? the remaining 7 moves are then legal"
    );
    assert_eq!(stop, play);
}

#[test]
fn positions_after_an_illegal_move_select_games() {
    let condition = "position=r1bqk2r/pppp1Qpp/2n2n2/b3p3/2BPP3/2P5/PP3PPP/RNB1K1NR";
    for (what, games) in [("stop", 0), ("play", 1)] {
        let words = ["replay", "-q", "--illegal", what, "--format", "jsonl"];
        let ran = of_mate(&[&words[..], &["--at", "1", "--where", condition]].concat());
        assert_eq!(
            ran.stdout().lines().count(),
            games,
            "{what}: {}",
            ran.stderr
        );
    }
}

#[test]
fn options_that_do_not_go_together_are_refused() {
    for (words, why) in [
        (
            &["validate", "--fix", "--illegal", "play"][..],
            "`--illegal` has no meaning with `--fix`",
        ),
        (
            &["replay", "--format", "csv", "--columns", "illegal"],
            "`illegal` needs `--illegal play`",
        ),
    ] {
        let ran = run_with_stdin(words, b"1. e4 *".to_vec());
        assert_eq!(ran.code, Some(2));
        assert!(ran.stderr.contains(why), "{ran:?}");
    }
}
