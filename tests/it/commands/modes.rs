//! Options that have no meaning in the mode of a command; `src/commands/modes/tests.rs` tries all.

use crate::arbiter_command::run;

#[test]
fn an_option_without_a_meaning_is_refused() {
    for (words, option, mode) in [
        (
            "stats --compare a.json b.json --counts F",
            "--counts",
            "--compare",
        ),
        (
            "stats --compare a.json b.json --illegal play",
            "--illegal",
            "--compare",
        ),
        (
            "stats --compare a.json b.json --openings x.tsv",
            "--openings",
            "--compare",
        ),
        (
            "stats --merge a.json --piece-letters german",
            "--piece-letters",
            "--merge",
        ),
        (
            "stats --merge a.json --show-config",
            "--show-config",
            "--merge",
        ),
        ("stats --count --csv-safe x.pgn", "--csv-safe", "--count"),
        ("validate --codes --select E2", "--select", "--codes"),
        ("validate --codes x.pgn", "[INPUT]...", "--codes"),
        ("validate --explain E201 --fix", "--fix", "--explain"),
        (
            "validate --against x.pgn --no-strict y.pgn",
            "--no-strict",
            "--against",
        ),
        ("validate --fix --part 1/2 x.pgn", "--part", "--fix"),
        ("validate --fen x --where White=x", "--where", "--fen"),
        (
            "adjudicate --list-rules --claim threefold",
            "--claim",
            "--list-rules",
        ),
        (
            "adjudicate --list-rules --rules fide",
            "--rules",
            "--list-rules",
        ),
        (
            "adjudicate --claim dead --contradictions x.pgn",
            "--contradictions",
            "--claim",
        ),
        ("replay --fen x --variations", "--variations", "--fen"),
        ("perft --kinds --hash 16", "--hash", "--kinds"),
        ("perft --suite x --divide", "--divide", "--suite"),
    ] {
        let ran = run(&words.split(' ').collect::<Vec<_>>());
        let reason = format!("error: `{option}` has no meaning with `{mode}`\n");
        assert!(ran.stderr.starts_with(&reason), "{words}: {}", ran.stderr);
        assert_eq!(
            (ran.code, ran.stdout()),
            (Some(2), String::new()),
            "{words}"
        );
    }
}

#[test]
fn an_option_of_a_mode_that_is_not_chosen_names_the_mode() {
    for (words, option, mode) in [
        ("stats --fail-above 2 x.pgn", "--fail-above", "--compare"),
        ("stats --sprt 0,2 x.pgn", "--sprt", "--pairs"),
        ("stats --min-games 2 x.pgn", "--min-games", "--by"),
        ("validate --diff x.pgn", "--diff", "--fix"),
        ("validate --counts F x.pgn", "--counts", "--part"),
        ("replay --counts F x.pgn", "--counts", "--part"),
        ("adjudicate --at 22w x.pgn", "--at", "--claim"),
        ("adjudicate --fen x", "--fen", "--claim"),
        ("perft --nodes 5", "--nodes", "--suite"),
    ] {
        let ran = run(&words.split(' ').collect::<Vec<_>>());
        let reason = format!("error: `{option}` needs `{mode}`\n");
        assert!(ran.stderr.starts_with(&reason), "{words}: {}", ran.stderr);
        assert_eq!(ran.code, Some(2), "{words}");
    }
}
