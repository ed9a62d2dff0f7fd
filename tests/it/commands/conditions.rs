//! `--where`: conditions together.

use std::collections::BTreeSet;

use crate::arbiter_command::run;

/// Conditions on tags, length, moves, positions, openings and ends.
const CONDITIONS: [&str; 10] = [
    "White=A*",
    "player!=*a*",
    "plies>=40",
    "eco=C*",
    "eco!=C41",
    "moves=1. e4 e5",
    "position!=1. e4 e5",
    "material=K+kqrrbbnpppppp",
    "ending=threefold-repetition",
    "ending!=open",
];

/// File and number of the games for which each of the conditions holds.
fn chosen(conditions: &[&str]) -> BTreeSet<String> {
    let mut words = vec!["adjudicate", "-q", "--format=csv", "--columns=file,game"];
    words.extend(conditions.iter().flat_map(|text| ["--where", text]));
    words.extend(["--openings", "fixtures/openings.tsv"]);
    words.extend(["fixtures/endings.pgn", "fixtures/famous.pgn"]);
    words.push("fixtures/karpov_miles.pgn");
    let ran = run(&words);
    assert!(ran.code != Some(2) || ran.stderr.contains("no game is chosen"));
    ran.stdout().lines().skip(1).map(str::to_owned).collect()
}

#[test]
fn two_conditions_choose_the_games_of_both_and_alternatives_those_of_either() {
    let alone = CONDITIONS.map(|condition| chosen(&[condition]));
    assert!(alone.iter().all(|games| !games.is_empty()));
    for (first, of_first) in CONDITIONS.iter().zip(&alone) {
        for (second, of_second) in CONDITIONS.iter().zip(&alone) {
            let both = chosen(&[first, second]);
            assert_eq!(both, of_first & of_second, "{first} and {second}");
            let either = chosen(&[&format!("{first}|{second}")]);
            assert_eq!(either, of_first | of_second, "{first} or {second}");
        }
    }
}
