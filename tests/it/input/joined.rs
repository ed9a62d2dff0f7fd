//! Game boundaries are the same in every command.

use crate::arbiter_command::run_with_stdin;
use crate::found::codes;

/// Number of games each command finds in a text.
fn seen(text: &[u8]) -> Vec<String> {
    let commands: [&[&str]; 6] = [
        &["validate", "--fail-on", "never"],
        &["stats"],
        &["stats", "--by", "event", "-j", "3"],
        &["stats", "--by", "plies"],
        &["adjudicate", "--format", "csv", "-j", "2"],
        &["replay", "--format", "uci"],
    ];
    let count = |command: &&[&str]| {
        let ran = run_with_stdin(command, text.to_vec());
        let (_, rest) = ran.stderr.split_once("games: ").expect(&ran.stderr);
        rest.split(' ').next().unwrap_or_default().to_owned()
    };
    commands.iter().map(count).collect()
}

#[test]
fn every_command_sees_the_same_games() {
    let header = "[White \"a\"]\n[Black \"b\"]\n[Result \"1-0\"]\n\n";
    let joined = "[Event \"a\"]\n\n1. e4 1-0[Event \"b\"]\n\n1. d4 *\r[Event \"c\"]\r\n\r\n*";
    for (text, games) in [
        (joined.to_owned(), "3"),
        ("[Event \"a\"]\n\n{x}\n\n1. e4 *\n\n{y}\n".to_owned(), "1"),
        (
            "[Event \"a\"]\n\n1. e4 e5 2. Nf3\n\nNc6 *\n".to_owned(),
            "1",
        ),
        ("1. e4 1-0\n1. d4 *\n".to_owned(), "2"),
        (header.repeat(45), "45"),
        ("{x}\n\n[Event \"a\"]\n\n1. e4 *\n".to_owned(), "1"),
        (header.trim_end().repeat(45), "45"),
        (header.replace('\n', " ; x\n{y}\n") + "1. e4 *\n", "1"),
        (header.replace("]", "],<br />\u{a0}") + "1. e4 *\n", "1"),
        (header.replace('[', "> [") + "> 1. e4\n> e5 *\n", "1"),
        (
            header.to_owned() + "1. e4\n[D]\n\n[#]\n\n[2. f4 x] e5 *\n",
            "1",
        ),
    ] {
        assert_eq!(seen(text.as_bytes()), [games; 6], "{text:?}");
    }
    let ran = run_with_stdin(&["validate"], b"{no game}\n\n; at all\n".to_vec());
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(
        ran.stderr.contains("only white space and comments"),
        "{ran:?}"
    );
}

#[test]
fn a_game_joined_in_the_tags_lacks_moves_or_a_line_break() {
    let tags = "[Event \"a\"]\n[White \"b\"]\n[Black \"c\"]\n[Result \"1-0\"]";
    for (between, found) in [("", ["N117", "N011"]), ("\n", ["N117", "are missing"])] {
        let text = format!("{tags}{between}{tags}\n\n1. e4 1-0\n");
        let ran = run_with_stdin(&["validate", "--fail-on", "never"], text.into_bytes());
        let out = ran.stdout();
        assert!(found.iter().all(|found| out.contains(found)), "{out}");
        assert!(ran.stderr.contains("2 seen = 1 clean"), "{}", ran.stderr);
    }
}

#[test]
fn groups_by_event_know_the_event_of_a_game_that_begins_after_a_result() {
    let text = "[Event \"a\"]\n\n1. e4 1-0[Event \"b\"]\n\n1. d4 1-0 ".repeat(50);
    let args = ["stats", "--by", "event", "--format", "csv", "-j", "2"];
    let ran = run_with_stdin(&args, text.into_bytes());
    assert!(ran.stdout().contains("\na,50,50,"), "{ran:?}");
    assert!(ran.stdout().contains("\nb,50,50,"), "{ran:?}");
    assert!(!ran.stdout().contains("unknown"), "{ran:?}");
}

#[test]
fn text_after_the_result_leaves_the_verdict_as_it_is() {
    let verdicts = |after: &str| {
        let text = format!("[Event \"x\"]\n\n1. f3 e5 2. g4 Qh4# 0-1{after}\n");
        let ran = run_with_stdin(&["adjudicate", "--format", "csv"], text.into_bytes());
        ran.stdout().to_owned()
    };
    let expected = verdicts("");
    assert!(expected.contains("consistent"), "{expected}");
    // The game had ended before the moves after its result.
    for after in [" e4", " (1. e4", " {x} 3. e4 e5"] {
        let played_on = verdicts(after);
        assert_eq!(played_on.replace("consistent,4,", "consistent,,"), expected);
    }
    for after in [" nonsense", " 1-0", " {never closed"] {
        assert_eq!(verdicts(after), expected, "{after}");
    }
}

#[test]
fn one_fault_is_one_finding() {
    let tags = "[Event \"x\"]\n[Site \"x\"]\n[Date \"2024.01.01\"]\n[Round \"1\"]\n[White \"a\"]\n[Black \"b\"]\n";
    let unplayed = format!("{tags}[Result \"*\"]\n\n");
    assert_eq!(codes(&unplayed), ["N117"]);
    // The file-level check reports the NULs.
    let filled = format!("{tags}[Result \"1-0\"]\n\n1. e4 e5 1-0\0\0\0\n\0\0");
    assert_eq!(codes(&filled), [""; 0]);
    let page = "<html><head><title>Not found</title></head>\n<body class=\"a\"> <p>The page * you want\n\
                is (not) here; {really} or 1-0 gone away for ever </p>\n\nMore of it </body></html>\n";
    let page = page.repeat(40);
    assert_eq!(
        codes(&format!("{tags}[Result \"*\"]\n\n{page}"))[..1],
        ["E119"]
    );
    assert_eq!(codes(&page), ["E001"]);
    assert_eq!(
        codes("{\"a\": [1, 2],\n\n\"b\": {\"c\": [\"d\", \"e\"]}}\n\n[3, 4]\n"),
        ["E001"]
    );
}
