//! Variations: each row agrees with a replay of the line that leads to it.

use std::collections::HashMap;

use arbiter::chess::{Position, Uci};
use serde_json::Value;

use super::{of_file, replayed};
use crate::corpus;

/// Replays every line from the start of its game, and compares.
/// Returns the number of rows and of lines.
fn check(ran: &str) -> (usize, usize) {
    // Moves of each line from the start of the game, by ply.
    let mut moves: HashMap<u64, Vec<String>> = HashMap::new();
    let mut parents: HashMap<u64, u64> = HashMap::new();
    let (mut count, mut lines, mut game) = (0, 0, 0);
    for text in ran.lines() {
        let row: Value = serde_json::from_str(text).unwrap();
        let number = |name: &str| row[name].as_u64();
        if number("game") != Some(game) {
            game = number("game").unwrap();
            moves.clear();
            parents.clear();
        }
        let (line, ply) = (number("line").unwrap(), number("ply").unwrap() as usize);
        match number("parent") {
            None => assert_eq!(line, 0, "{text}"),
            Some(parent) => {
                assert!(parent < line, "{text}");
                let known = *parents.entry(line).or_insert_with(|| {
                    lines += 1;
                    parent
                });
                assert_eq!(known, parent, "{text}");
            }
        }
        if !moves.contains_key(&line) {
            let before = parents.get(&line).map(|parent| &moves[parent]);
            let before = before.map_or(Vec::new(), |parent| parent[..ply - 1].to_vec());
            moves.insert(line, before);
        }
        let uci = row["uci"].as_str().unwrap();
        let line = moves.get_mut(&line).unwrap();
        assert_eq!(line.len(), ply - 1, "{text}");
        line.push(uci.to_owned());
        let mut position = Position::initial();
        let mut keys = vec![position.key()];
        for uci in line {
            position = if uci == "0000" {
                position.after_null_move().unwrap()
            } else {
                let mv = Uci::from_ascii(uci.as_bytes()).unwrap();
                position.after(mv.to_move(&position).unwrap())
            };
            keys.push(position.key());
        }
        assert_eq!(row["fen"], position.to_string(), "{text}");
        let times = keys.iter().filter(|&&key| key == position.key()).count();
        assert_eq!(row["repetition"], times, "{text}");
        count += 1;
    }
    (count, lines)
}

#[test]
fn lines_within_lines() {
    let flags = ["--format", "jsonl", "--variations"];
    let ran = of_file(&flags, "fixtures/annotated.pgn");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(check(&ran.stdout()), (28, 5));
}

#[test]
fn positions_are_counted_on_the_way_that_leads_to_them() {
    let pgn = "1. Nf3 Nf6 2. Ng1 Ng8 (2... Rg8 3. Nf3 (3. Nh3 Rh8 4. Ng1 Ng8 5. Nf3) 3... Rh8) \
               3. Nf3 (3. -- Nf6 4. -- Ng8 5. --) 3... Nf6 4. Ng1 Ng8 *";
    let ran = replayed(&["--format", "jsonl", "--variations"], pgn);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    assert_eq!(check(&ran.stdout()), (21, 3));
}

#[test]
fn lines_of_real_annotations() {
    let Some(path) = corpus::path("bulk/annotated_variations.pgn") else {
        return;
    };
    let flags = ["--format", "jsonl", "--variations", "--games", "1-12"];
    let ran = of_file(&flags, path.to_str().unwrap());
    let (rows, lines) = check(&ran.stdout());
    assert!(rows > 2_000 && lines > 240, "{rows} rows, {lines} lines");
}

#[test]
fn a_fault_in_a_variation_is_reported_and_costs_only_its_rest() {
    let pgn = "1. e4 e5 (1... c5 2. Ke3 d6) 2. Nf3 *";
    let ran = replayed(&["--format", "csv", "--variations"], pgn);
    assert_eq!(ran.code, Some(1));
    assert_eq!(ran.stdout().lines().count(), 5);
    assert!(
        ran.stderr.contains("warning[W201] `Ke3` is illegal"),
        "{}",
        ran.stderr
    );
    // Variations are not requested here.
    let ran = replayed(&["--format", "csv"], pgn);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    assert_eq!(ran.stdout().lines().count(), 4);
}

#[test]
fn a_variation_that_stops_says_so() {
    let pgn = "1. e4 e5 (1... c5 2. Nf3 (2. c3 Ke3) 2... d6) (1... e6 2. Ke3) 2. Nf3 *\n";
    let ran = replayed(&["--variations"], pgn);
    assert_eq!(ran.code, Some(1));
    let stdout = ran.stdout();
    for line in [
        "  line 1, instead of 1...e5:\n    1... c5 2. Nf3 d6\n",
        "  line 2, instead of 2.Nf3 in line 1:\n    2. c3 (stopped)\n",
        "  line 3, instead of 1...e5:\n    1... e6 (stopped)\n",
    ] {
        assert!(stdout.contains(line), "{stdout}");
    }
}
