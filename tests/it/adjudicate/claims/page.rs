//! Rulings as pages to print.

use roxmltree::{Document, Node};

use crate::arbiter_command::{run, run_with_stdin};

/// The page of a claim in a game that is read from stdin.
fn page(game: &str, words: &[&str]) -> String {
    let words = [&["adjudicate", "--format", "html", "--claim"], words].concat();
    let ran = run_with_stdin(&words, game.into());
    assert_eq!(ran.stderr, "");
    ran.stdout()
}

/// Checks the elements of a page, which is XML but for its first line.
fn with_document(page: &str, check: impl FnOnce(&Document<'_>)) {
    let (doctype, html) = page.split_once('\n').unwrap();
    assert_eq!(doctype, "<!DOCTYPE html>");
    check(&Document::parse(html).unwrap());
}

/// Texts of the elements of a name, without white space around them.
fn texts(document: &Document<'_>, name: &str) -> Vec<String> {
    let named = document
        .descendants()
        .filter(|node| node.has_tag_name(name));
    let text = |node: Node<'_, '_>| {
        let texts = node.descendants().filter(Node::is_text);
        let texts = texts.map(|node| node.text().unwrap_or_default());
        let text: String = texts.collect();
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    named.map(text).collect()
}

const KNIGHTS: &str = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8";

#[test]
fn a_page_has_all_of_a_ruling_in_order() {
    let words = [
        "--claim",
        "threefold",
        "--move",
        "26.Nb5",
        "--format",
        "html",
    ];
    let ran = run(&[&["adjudicate"], &words[..], &["fixtures/karpov_miles.pgn"]].concat());
    assert_eq!(ran.code, Some(1));
    let page = ran.stdout();
    let parts = [
        "<html lang=\"en\">",
        "<meta charset=\"utf-8\"/>",
        "<meta name=\"viewport\"",
        "<title>Ruling: Karpov, Anatoly - Miles, Anthony</title>",
        "@media print",
        "<desc>r3kb1r/5ppp/4p3/8/4P3/2N5/Pn1BK1PP/R6R w k - 8 26</desc>",
        "<figcaption>After 25...Ra8, White to move</figcaption>",
        "<tr><th>White</th><td>Karpov, Anatoly</td></tr>",
        "<tr><th>Black</th><td>Miles, Anthony</td></tr>",
        "<tr><th>Event</th><td>Interpolis</td></tr>",
        "<tr><th>Round</th><td>13</td></tr>",
        "<tr><th>Date</th><td>1986.11.04</td></tr>",
        "<p>After 25...Ra8, White claims a draw by threefold repetition, and announces 26.Nb5.",
        "<strong>The claim is rejected.</strong>",
        "24.Nb5 and 26.Nb5 (FIDE 2009 art. 9.2).",
        "until 22...Ra4 Black could still castle queenside",
        "Black gets three minutes, and the game goes on (FIDE 2009 art. 9.5b).",
        "<p>FIDE Laws of Chess, in force from 1 July 2009 to 30 June 2014 (",
        "<p>By <code>fics</code> the claim would be upheld:",
        "Signature of the arbiter",
    ];
    let mut rest = &*page;
    for part in parts {
        let (_, after) = rest
            .split_once(part)
            .unwrap_or_else(|| panic!("`{part}` is not in:\n{rest}"));
        rest = after;
    }
    // Nothing is loaded or run.
    for part in ["<script", "<link", "src=", "url(http", "@import", "\"http"] {
        let allowed = page.replace("\"http://www.w3.org/", "");
        assert!(!allowed.contains(part), "{part}");
    }
    with_document(&page, |document| {
        let moves = "22.Nb5 Ra4 23.Nc3 Ra8 24.Nb51 Ra4 25.Nc3 Ra8 26.Nb52 (announced)";
        assert_eq!(texts(document, "p")[1], moves);
        assert_eq!(texts(document, "mark"), ["24.Nb51", "26.Nb52"]);
    });
}

#[test]
fn the_moves_that_matter() {
    let check = |game: &str, words: &[&str], moves: &str, marks: &[&str]| {
        with_document(&page(game, words), |document| {
            assert_eq!(texts(document, "p")[1], moves);
            assert_eq!(texts(document, "mark"), marks);
        });
    };
    // From the first occurrence, which may be the initial position.
    let marked = ["at the beginning1", "Ng82", "Ng83"];
    let moves = "at the beginning1 1.Nf3 Nf6 2.Ng1 Ng82 3.Nf3 Nf6 4.Ng1 Ng83";
    check(&format!("{KNIGHTS} *"), &["threefold"], moves, &marked);
    let late =
        "1. e4 e5 2. d4 exd4 3. Qxd4 Nc6 4. Qd1 Nb8 5. Qd4 Nc6 6. Qd1 Nb8 7. Qd4 Nc6 8. Qd1 Nb8";
    let moves = "4...Nb81 5.Qd4 Nc6 6.Qd1 Nb82 7.Qd4 Nc6 8.Qd1 Nb83";
    let marked = ["4...Nb81", "Nb82", "Nb83"];
    check(late, &["threefold"], moves, &marked);
    // From the last capture or pawn move.
    let shuffle = "Nf3 Nf6 Nc3 Nc6 Ng1 Ng8 Nb1 Nb8 ".repeat(3);
    let begun = format!("1. d4 d5 {shuffle} *");
    with_document(&page(&begun, &["fifty"]), |document| {
        let moves = &texts(document, "p")[1];
        assert!(moves.starts_with("1...d5 2.Nf3 Nf6 3.Nc3 "), "{moves}");
        assert!(moves.ends_with(" 13.Nb1 Nb8"), "{moves}");
        assert!(texts(document, "mark").is_empty());
    });
    // The last four moves of each side.
    let flag = &["flag", "--rules", "lichess"];
    let moves = "10.Nf3 Nf6 11.Nc3 Nc6 12.Ng1 Ng8 13.Nb1 Nb8";
    check(&begun, flag, moves, &[]);
}

#[test]
fn a_position_without_a_game_has_neither_heading_nor_moves() {
    let fen = "4k3/p7/8/8/8/8/8/R3K3 w - - 99 250";
    let page = page("", &["fifty", "--fen", fen]);
    with_document(&page, |document| {
        assert_eq!(texts(document, "th"), [""; 0]);
        assert_eq!(texts(document, "h1"), ["Ruling"]);
        assert_eq!(
            texts(document, "figcaption"),
            ["In the given position, White to move"]
        );
        assert!(!page.contains("<h2>Moves"), "{page}");
    });
}

/// Names of all elements.
fn elements(page: &str) -> Vec<String> {
    let mut names = Vec::new();
    with_document(page, |document| {
        let elements = document.descendants().filter(Node::is_element);
        names.extend(elements.map(|node| node.tag_name().name().to_owned()));
    });
    names
}

#[test]
fn tags_with_markup_do_no_harm() {
    let game = |value: &str| {
        let names = ["White", "Black", "Event", "Round", "Termination"];
        let tags = names.map(|name| format!("[{name} \"{value}\"]\n"));
        let tags = tags.concat();
        format!("{tags}[Date \"20<b>24\"]\n[Result \"1-0\"]\n\n{KNIGHTS} {{{value}}} 1-0\n")
    };
    let ruled = |value: &str| page(&game(value), &["threefold"]);
    let plain = elements(&ruled("plain"));
    for value in [
        "<script>alert(1)</script>",
        "</title></style><img src=x onerror=alert(1)>",
        "&lt;b&gt; & &#60;i>",
        "\\\" onload=\\\"alert(1)\\\" '",
        "]]> --> <!-- <![CDATA[",
        "a \u{202e}b\u{2066} \u{200f}c\u{feff}",
        "a\u{1b}[31m\u{7f}\u{9b}b",
        "\u{5e9}\u{5d1}",
    ] {
        let page = ruled(value);
        assert_eq!(elements(&page), plain, "{value:?}");
        let acts = |c: &char| *c != '\n' && arbiter::report::escape::acts(*c);
        assert_eq!(page.chars().find(acts), None, "{value:?}");
        let shown = value.replace("\\\"", "\"");
        if !shown.chars().any(|c| acts(&c)) {
            with_document(&page, |document| {
                let values = texts(document, "td");
                assert_eq!(values[..3], [&*shown; 3]);
                assert_eq!(values[4], "20<b>24");
            });
        }
    }
}

#[test]
fn only_a_ruling_is_a_page() {
    for words in [&["fixtures/claim.pgn"][..], &["--list-rules"]] {
        let ran = run(&[&["adjudicate", "--format", "html"], words].concat());
        assert_eq!((ran.code, &*ran.stdout()), (Some(2), ""), "{words:?}");
        assert!(!ran.stderr.is_empty());
    }
}
