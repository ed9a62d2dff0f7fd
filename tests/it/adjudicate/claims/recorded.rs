//! Claims that the rest of the file bears on: clocks, illegal moves, languages, runs of claims.

use serde_json::Value;

use crate::arbiter_command::run_with_stdin;

const MOVES: &str = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1";

fn decided(text: &str, words: &[&str]) -> Value {
    let words = [&["adjudicate", "-q", "--format", "jsonl", "--claim"], words].concat();
    let ran = run_with_stdin(&words, text.into());
    serde_json::from_str(&ran.stdout()).unwrap_or_else(|_| panic!("{words:?}: {}", ran.stderr))
}

#[test]
fn the_last_clocks_are_named_and_may_leave_a_flag_open() {
    let game = |white: &str, black: &str, end: &str| {
        format!("1. e4 {{[%clk {white}]}} e5 {{[%clk {black}]}} 2. Nf3 {end}\n")
    };
    let other = "By the file it is White's flag that fell, not Black's.";
    for (white, black, end, upheld, says) in [
        ("0:00:00", "0:05:12", "*", None, other),
        ("0:00:01", "0:05:12", "*", Some(true), "can still mate"),
        ("0:00:00", "0:00:00", "*", Some(true), "can still mate"),
        ("0:05:00", "0:00:00", "*", Some(true), "can still mate"),
        (
            "0:05:00",
            "0:05:00",
            "{White forfeits on time} 0-1",
            None,
            other,
        ),
        (
            "0:00:00",
            "0:05:00",
            "{Black forfeits on time} 1-0",
            Some(true),
            "can still mate",
        ),
    ] {
        let ruling = decided(&game(white, black, end), &["flag", "--fallen", "black"]);
        assert_eq!(ruling["upheld"].as_bool(), upheld, "{ruling}");
        assert!(
            ruling["reason"].as_str().unwrap().contains(says),
            "{ruling}"
        );
        let clocks = format!(
            "Of the last clocks, White's is {white} after 1.e4, and Black's is {black} after 1...e5."
        );
        assert_eq!(ruling["details"][0], clocks);
    }
    // An earlier moment has earlier clocks.
    let text = game("0:00:00", "0:05:12", "*");
    let ruling = decided(&text, &["flag", "--fallen", "black", "--at", "1w"]);
    assert_eq!(
        ruling["details"][0],
        "Of the last clocks, White's is 0:00:00 after 1.e4."
    );
    let ruling = decided("1. e4 e5 *\n", &["flag"]);
    assert_eq!(ruling["details"], Value::Array(Vec::new()));
}

#[test]
fn an_illegal_move_in_the_game_is_the_one_claimed() {
    let text = "1. e4 e5 2. Ke2 Qg5 3. Ke3 Qg3 1-0\n";
    let ruling = decided(text, &["illegal"]);
    assert_eq!(ruling["moment"], "after 2...Qg5");
    assert_eq!(ruling["by"], "black");
    let says = "3.Ke3 is illegal: the king would be in check from the queen on g5.";
    for ruling in [ruling, decided(text, &["illegal", "--at", "2b"])] {
        let details = ruling["details"].as_array().unwrap();
        assert!(details.iter().any(|detail| detail == says), "{ruling}");
    }
    let ruling = decided(text, &["illegal", "--at", "1w"]);
    assert_eq!(ruling["moment"], "after 1.e4");
    let words = ["adjudicate", "--claim", "illegal", "--by", "white"];
    let ran = run_with_stdin(&words, text.into());
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.stderr.contains("White has made it and cannot claim it"),
        "{}",
        ran.stderr
    );
    // An ambiguous move is not an illegal one.
    let ran = run_with_stdin(&words[..3], "1. Nf3 e5 2. d3 e4 3. Nd2 *\n".into());
    assert_eq!(ran.code, Some(2), "{ran:?}");
}

#[test]
fn an_announced_move_is_read_in_the_likely_language() {
    let read = |tags: &str, more: &[&str]| {
        let text = format!("{tags}\n{MOVES} *\n");
        decided(&text, &[&["threefold"], more].concat())
    };
    // A knight in German and Polish, a bishop in Czech.
    let fen = "[SetUp \"1\"]\n[FEN \"7k/8/8/8/8/5N2/8/2B1K3 w - - 99 13\"]\n";
    let fifty = |tags: &str, more: &[&str]| {
        decided(
            &format!("{tags}{fen}\n*\n"),
            &[&["fifty", "--move"], more].concat(),
        )
    };
    for (tags, more, expected) in [
        ("", &["13. Sg5"][..], Some("13.Ng5")),
        ("[Site \"Praha CZE\"]\n", &["13. Sg5"], Some("13.Bg5")),
        ("[WhiteFederation \"CZE\"]\n", &["13. Sg5"], Some("13.Bg5")),
        (
            "[Site \"Berlin GER\"]\n[BlackFed \"CZE\"]\n",
            &["13. Sg5"],
            None,
        ),
        (
            "[Site \"Praha CZE\"]\n",
            &["13. Sg5", "--move-letters", "german"],
            Some("13.Ng5"),
        ),
        ("", &["13. Sg5", "--move-letters", "czech"], Some("13.Bg5")),
        // The language asked for is the only one.
        ("", &["13. Ng5", "--move-letters", "german"], None),
        ("", &["13. Sg5", "--move-letters", "english"], None),
        (
            "",
            &["13. ng5", "--move-letters", "english"],
            Some("13.Ng5"),
        ),
    ] {
        let ruling = fifty(tags, more);
        assert_eq!(
            ruling["move"].as_str(),
            expected,
            "{tags} {more:?} {ruling}"
        );
        assert_eq!(ruling["upheld"].as_bool(), expected.map(|_| true));
    }
    let turkish = "[SetUp \"1\"]\n[FEN \"7k/3R4/7K/8/8/8/8/8 w - - 99 120\"]\n\n*\n";
    for (site, ground) in [("?", "illegal-move"), ("Ankara TUR", "unclear-move")] {
        let text = format!("[Site \"{site}\"]\n{turkish}");
        assert_eq!(
            decided(&text, &["fifty", "--move", "Kd2"])["ground"],
            ground
        );
    }
    // A rook in English, the king in French and Spanish.
    let rook = "[SetUp \"1\"]\n[FEN \"7k/8/8/8/8/8/3K4/R7 w - - 99 60\"]\n";
    let both = "is a different move in different languages: 60.Rc1 in English, 60.Kc1 in";
    for (tags, more, expected) in [
        ("[Site \"London ENG\"]\n", &["Rc1"][..], Ok("60.Rc1")),
        ("[Site \"Berlin GER\"]\n", &["Rc1"], Ok("60.Rc1")),
        ("[Site \"Paris FRA\"]\n", &["60. Rc1"], Err("French")),
        ("[Site \"Paris FRA\"]\n", &["60. Tc1"], Ok("60.Rc1")),
        ("[Site \"Paris FRA\"]\n", &["60. Rb1"], Ok("60.Rb1")),
        ("[BlackFed \"ESP\"]\n", &["Rc1"], Err("Spanish")),
        (
            "[Site \"Paris FRA\"]\n",
            &["Rc1", "--move-letters", "english"],
            Ok("60.Rc1"),
        ),
        (
            "[Site \"Paris FRA\"]\n",
            &["Rc1", "--move-letters", "french"],
            Ok("60.Kc1"),
        ),
        ("", &["Rc1", "--move-letters", "french"], Ok("60.Kc1")),
    ] {
        let words = [&["fifty", "--move"], more].concat();
        let ruling = decided(&format!("{tags}{rook}\n*\n"), &words);
        let said = ruling.to_string();
        assert_eq!(ruling["move"].as_str(), expected.ok(), "{tags} {said}");
        if let Err(language) = expected {
            assert_eq!(ruling["ground"], "unclear-move", "{tags} {said}");
            assert!(said.contains(&format!("{both} {language}")), "{said}");
        }
    }
    // A move that was played is no doubtful one.
    let played = "[Site \"Paris FRA\"]\n[SetUp \"1\"]\n[FEN \"7k/8/8/8/8/8/3K4/R7 w - - 99 60\"]\n";
    let words = ["fifty", "--at", "60.Rc1"];
    assert_eq!(
        decided(&format!("{played}\n60. Rc1 Kg8 *\n"), &words)["ply"],
        1
    );
    // The option is for the announced move only: the game stays English.
    let ruling = read("", &["--move", "Sg8", "--move-letters", "de"]);
    assert_eq!(ruling["move"], "4...Ng8");
}

#[test]
fn what_a_fen_does_not_say_is_not_counted_as_zero() {
    let rook = "8/6k1/8/8/8/8/8/R3K3";
    let claim = |fen: &str| {
        let words = ["adjudicate", "-q", "--claim", "quickplay", "--fen", fen];
        run_with_stdin(&words, Vec::new()).stdout()
    };
    let unknown = claim(&format!("{rook} b - -"));
    assert!(
        unknown.contains("The FEN does not say how many moves were made"),
        "{unknown}"
    );
    assert!(
        unknown.contains("As far as is known, the position"),
        "{unknown}"
    );
    assert!(!unknown.contains("no move"), "{unknown}");
    let known = claim(&format!("{rook} b - - 3 40"));
    assert!(!known.contains("As far as is known"), "{known}");
}

#[test]
fn runs_of_claims_are_one_row() {
    let text = format!(
        "[Date \"2020.01.01\"]\n\n{}",
        "
        1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. Nf3 Nf6 6. Ng1 *\n"
    );
    let list = |format: &str| {
        let words = ["adjudicate", "-q", "--claims", "--format", format];
        run_with_stdin(&words, text.clone().into()).stdout()
    };
    let csv = list("csv");
    let run = ",threefold-repetition,both,8,,FIDE 2018 art. 9.2.1.2,fide,";
    let row = csv.lines().find(|line| line.contains(run));
    assert!(row.is_some_and(|row| row.ends_with(",yes,11")), "{csv}");
    let human = list("human");
    assert!(human.contains("from 4...Ng8 to 6.Ng1"), "{human}");
    // The move that was played is the one that could have been announced.
    let rooks =
        "[SetUp \"1\"]\n[FEN \"k7/8/8/8/8/8/r7/6RK w - - 98 80\"]\n\n80. Rf1 Rb2 81. Re1 *\n";
    let words = ["adjudicate", "-q", "--claims", "--format", "csv"];
    let ran = run_with_stdin(&words, rooks.into());
    assert!(
        ran.stdout().contains(",fifty-moves,black,1,80...Rb2,"),
        "{ran:?}"
    );
}

#[test]
fn rule_sets_by_which_the_game_was_over_are_named_with_the_end() {
    let text = format!("{MOVES} Ng8 5. e4 e5 *\n");
    let ruling = decided(&text, &["flag", "--fallen", "white"]);
    let others = ruling["otherwise"].to_string();
    let says = "the game had ended by threefold repetition after 4...Ng8.";
    assert!(others.contains(says), "{others}");
    let none = decided(&text, &["flag", "--fallen", "white", "--compare", "none"]);
    assert_eq!(none["otherwise"], Value::Array(Vec::new()));
    let mated = "1. f3 e5 2. g4 Qh4# 0-1\n";
    for kind in ["threefold", "dead", "flag", "resignation"] {
        let ruling = decided(mated, &[kind]);
        assert_eq!(ruling["follows"][0], "Black wins.", "{kind}");
        assert_eq!(ruling["result"], "0-1");
    }
}

#[test]
fn recorded_decisions_are_short() {
    let manual = include_str!("../../../../src/commands/adjudicate/README.md");
    let runs = include_str!("../../../cmd/claims.trycmd");
    let begins = [
        "The claim is ",
        "The game is lost ",
        "The game is not lost ",
        "Whether the game ",
    ];
    let mut count = 0;
    for line in manual.lines().chain(runs.lines()) {
        if begins.iter().any(|begin| line.starts_with(begin)) {
            count += 1;
            assert!(line.split_whitespace().count() <= 80, "{line}");
        }
    }
    assert!(count > 20, "{count}");
}
