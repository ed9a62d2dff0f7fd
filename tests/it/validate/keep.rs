//! `--keep`: which of several duplicates is among the clean games.

use std::fs;

use crate::arbiter_command::{Scratch, run};
use crate::chess::random_games::Random;
use crate::compressors::zstd;
use crate::planted_doubles::{Planted, game, planted};

/// The indexes of the games that are kept: in order of preference all that are not the same as a
/// kept one, nor the beginning of it or the other way round.
fn kept(games: &[Planted], keep: &str) -> Vec<usize> {
    let mut order: Vec<usize> = (0..games.len()).collect();
    order.sort_by_key(|&nth| {
        let (plies, tags) = (games[nth].moves.len(), games[nth].more_tags);
        let (first, second) = match keep {
            "longest" => (plies, tags),
            "most-tags" => (tags, plies),
            _ => (0, 0),
        };
        (usize::MAX - first, usize::MAX - second, nth)
    });
    let mut kept: Vec<usize> = Vec::new();
    for nth in order {
        let relates = |&other: &usize| {
            let relation = games[nth].relation(&games[other]);
            relation.is_some_and(|(rank, _)| rank < 2)
        };
        if !kept.iter().any(relates) {
            kept.push(nth);
        }
    }
    kept.sort_unstable();
    kept
}

#[test]
fn one_of_several_duplicates_is_kept() {
    for (seed, keep) in [(11, "longest"), (12, "first"), (13, "most-tags")] {
        let random = &mut Random(seed);
        let games = planted(random, 200);
        let texts: Vec<String> = games.iter().map(|game| game.text(random)).collect();
        let half = games.len() / 2;
        let folder = Scratch::new(&format!("keep-{keep}"));
        let files = [
            folder.file("1.pgn", texts[..half].concat().as_bytes()),
            folder.file("2.pgn.zst", &zstd(texts[half..].concat().as_bytes())),
        ];
        let [clean, rejected] = ["clean.pgn", "rejected.pgn"].map(|name| folder.path().join(name));
        let words = [
            "validate",
            "--select",
            "5",
            "--keep",
            keep,
            "--write-clean",
            clean.to_str().unwrap(),
            "--write-rejected",
            rejected.to_str().unwrap(),
            &files[0],
            &files[1],
        ];
        let ran = run(&words);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        let kept = kept(&games, keep);
        assert!(kept.len() < games.len() - 20);
        let of = |is_kept: bool| -> String {
            let nths = (0..games.len()).filter(|nth| kept.contains(nth) == is_kept);
            nths.map(|nth| texts[nth].as_str()).collect()
        };
        assert_eq!(fs::read_to_string(&clean).unwrap(), of(true), "{keep}");
        assert_eq!(fs::read_to_string(&rejected).unwrap(), of(false), "{keep}");
        let again = run(&[
            "validate",
            "-q",
            "--select",
            "501,502",
            clean.to_str().unwrap(),
        ]);
        assert_eq!(again.stdout(), "", "nothing is left to remove");
    }
}

#[test]
fn a_game_without_fault_is_kept_before_a_longer_one() {
    let good = game("Euwe, Max", 30);
    let bad = good.replace("\n*\n", "\nKxa8\nKxa1\n*\n");
    assert_ne!(good, bad);
    for (nth, texts) in [[&good, &bad], [&bad, &good]].into_iter().enumerate() {
        let folder = Scratch::new(&format!("keep-good{nth}"));
        let path = folder.file("games.pgn", texts.map(String::as_str).concat().as_bytes());
        let settings = folder.file(
            "settings.toml",
            b"[per-file-ignores]\n'games.pgn' = ['E']\n",
        );
        let clean = folder.path().join("clean.pgn");
        let words = [
            "--keep",
            "longest",
            "--write-clean",
            clean.to_str().unwrap(),
            &path,
        ];
        let kept = |more: &[&str]| {
            let ran = run(&[&["validate", "-q"], more, &words].concat());
            assert_ne!(ran.code, Some(2), "{}", ran.stderr);
            fs::read_to_string(&clean).unwrap()
        };
        assert_eq!(kept(&[]), good);
        // The longer game is as good if nothing rejects it.
        assert_eq!(kept(&["--fail-on", "never"]), bad);
        assert_eq!(kept(&["--config", &settings]), bad);
    }
}

#[test]
fn a_faulty_game_without_a_double_is_kept_unless_asked_otherwise() {
    let folder = Scratch::new("keep-faulty");
    let legal = game("Euwe, Max", 30);
    let illegal = ["Adams", "Bird"].map(|name| game(name, 30).replace("\n*\n", "\nKxa8 *\n"));
    let prose = "No game at all, only text.\n\n";
    let texts = [&illegal[0], &legal, &illegal[1], &legal, prose];
    let path = folder.file("games.pgn", texts.concat().as_bytes());
    let settings = folder.file("settings.toml", b"fail-on = 'error'\n");
    let [clean, rejected] = ["clean.pgn", "rejected.pgn"].map(|name| folder.path().join(name));
    let split = |more: &[&str]| {
        let words = ["validate", "-o", "/dev/null", "--keep", "longest"];
        let files = [
            "--write-clean",
            clean.to_str().unwrap(),
            "--write-rejected",
            rejected.to_str().unwrap(),
            &path,
        ];
        let ran = run(&[&words[..], more, &files].concat());
        assert_eq!(ran.code, Some(1), "{}", ran.stderr);
        let closing = ran.stderr.lines().find(|line| line.starts_with("split:"));
        let read = |path| fs::read_to_string(path).unwrap();
        (
            closing.unwrap_or_default().to_owned(),
            read(&clean),
            read(&rejected),
        )
    };
    let [first, last] = &illegal;
    let duplicates_alone = (
        "split: 4 clean, 1 rejected (1 duplicate, 0 faulty)".to_owned(),
        [first, &legal, last, prose].concat(),
        legal.clone(),
    );
    for more in [&[][..], &["-q"], &["--duplicates"], &["--duplicates", "-q"]] {
        assert_eq!(split(more), duplicates_alone, "{more:?}");
    }
    let faulty_too = (
        "split: 1 clean, 4 rejected (1 duplicate, 3 faulty)".to_owned(),
        legal.clone(),
        [first, last, &legal, prose].concat(),
    );
    for more in [
        &["--fail-on", "error"][..],
        &["--select", "E", "-q"],
        &["--config", &settings],
    ] {
        assert_eq!(split(more), faulty_too, "{more:?}");
    }
    // Nothing is said if nothing is lost.
    let path = folder.file("legal.pgn", legal.as_bytes());
    let clean = clean.to_str().unwrap();
    let ran = run(&["validate", "-q", "--write-clean", clean, &path]);
    assert_eq!((ran.code, &*ran.stderr), (Some(0), ""));
}

#[test]
fn without_a_choice_findings_reject_duplicates() {
    let folder = Scratch::new("reject");
    let path = &folder.file("games.pgn", game("Euwe, Max", 30).repeat(3).as_bytes());
    let clean = folder.path().join("clean.pgn");
    let clean = clean.to_str().unwrap();
    let words = [
        "validate",
        "--duplicates",
        "--fail-on",
        "warning",
        "--write-clean",
        clean,
        path,
    ];
    let ran = run(&words);
    assert_eq!(ran.code, Some(1));
    assert!(
        ran.stderr
            .contains("split: 1 clean, 2 rejected (2 duplicate, 0 faulty)"),
        "{}",
        ran.stderr
    );
    assert!(
        ran.stderr.contains("3 seen = 1 clean + 2 with findings"),
        "{}",
        ran.stderr
    );
    let ran = run(&["validate", "--keep", "first", path]);
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.stderr.contains("needs `--write-clean`"),
        "{}",
        ran.stderr
    );
}
