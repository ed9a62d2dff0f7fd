//! N506: spellings of a player in an event.

use crate::arbiter_command::{Scratch, run};

/// Lines of N506 about games of these events, White and Black, in two files.
fn found(games: &[[&str; 3]]) -> Vec<String> {
    let scratch = Scratch::new("spellings");
    let text = |[event, white, black]: &[&str; 3]| {
        format!(
            "[Event \"{event}\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"*\"]\n\n*\n\n"
        )
    };
    let [first, rest] = [&games[..1], &games[1..]].map(|games| games.iter().map(text).collect());
    let (first, rest): (String, String) = (first, rest);
    let [first, rest] =
        [("a.pgn", first), ("b.pgn", rest)].map(|(name, text)| scratch.file(name, text.as_bytes()));
    let words = [
        "validate", "-q", "--select", "N506", "--format", "concise", &first, &rest,
    ];
    let (one, other) = (run(&words), run(&[&words[..], &["-j", "3"]].concat()));
    assert_eq!(one.stdout, other.stdout);
    let text = one.stdout();
    let lines = text.lines().map(|line| line.split_once("b.pgn").unwrap().1);
    lines.map(str::to_owned).collect()
}

#[test]
fn only_certain_spellings_are_named() {
    let same = |one: &str, other: &str| found(&[["X", one, "Ann, B"], ["X", other, "Ann, B"]]);
    for (one, other) in [
        ("Carlsen,M", "Carlsen, Magnus"),
        ("Magnus Carlsen", "Carlsen, Magnus"),
        ("Müller, K.", "GM Muller, Karsten"),
        ("van der Berg, Jan", "van der Berg, J"),
    ] {
        assert_eq!(same(one, other).len(), 1, "{one} {other}");
    }
    for (one, other) in [
        ("Carlsen, Magnus", "Carlsen, Magnus"),
        ("Carlsen, Mads", "Carlsen, Magnus"),
        ("Berg, J", "van der Berg, Jan"),
        ("Carlsen", "Carlsen, Magnus"),
        ("Li Chao", "Li Chao2"),
        ("N.N.", "N N"),
    ] {
        assert_eq!(same(one, other).len(), 0, "{one} {other}");
    }
}

#[test]
fn no_third_player_may_be_meant() {
    let games = [
        ["X", "Carlsen,M", "Ann, B"],
        ["X", "Ann,B", "Carlsen, Magnus"],
        ["Y", "Carlsen, Magnus", "Cox, D"],
    ];
    let lines = found(&games);
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert!(lines[0].starts_with(":2:9: note[N506]"), "{lines:?}");
    assert!(lines[1].starts_with(":3:9: note[N506]"), "{lines:?}");
    let of_third = [&games[..], &[["X", "Cox, D", "Carlsen, Mads"]]].concat();
    assert_eq!(found(&of_third).len(), 1);
    let of_opponents = [&games[..], &[["X", "Carlsen, M", "Carlsen, Magnus"]]].concat();
    assert_eq!(found(&of_opponents).len(), 1);
}
