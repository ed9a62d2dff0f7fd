//! Source line and carets of the human format.

use std::ops::Range;

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use arbiter::report::escape::width;

use crate::arbiter_command::{run, run_with_stdin};

/// Source line and caret line, without the line number.
fn picture(text: &[u8]) -> (String, String) {
    let ran = run_with_stdin(&["validate", "-q", "--select", "E203,E201"], text.to_vec());
    let stdout = ran.stdout();
    let mut lines = stdout.lines().skip(3).map(|line| {
        let (_, line) = line.split_once('|').unwrap();
        line.strip_prefix(' ').unwrap_or(line).to_owned()
    });
    (lines.next().unwrap(), lines.next().unwrap())
}

/// The same snippet rendered by another library.
fn drawn(line: &str, span: Range<usize>) -> (String, String) {
    let snippet = Snippet::source(line).annotation(AnnotationKind::Primary.span(span));
    let report = [Level::ERROR.primary_title("x").element(snippet)];
    let text = Renderer::plain().term_width(400).render(&report);
    let mut lines = text.lines().skip(2).map(|line| {
        let (_, line) = line.split_once('|').unwrap();
        line.strip_prefix(' ').unwrap_or(line).trim_end().to_owned()
    });
    (lines.next().unwrap(), lines.next().unwrap())
}

#[test]
fn carets_stand_where_annotate_snippets_puts_them() {
    for (before, word, after) in [
        ("", "xyz", " e5 *"),
        ("1. e4 e5 2. ", "Ke3", " Nf6 *"),
        ("1. e4 {羽生 – Müller} ", "Кe3", " e5 *"),
        ("1. e4 {e\u{301} o\u{308}} ", "Qx羽9", " {羽} *"),
        ("1. e4 {ｆｕｌｌ ｗｉｄｔｈ} e5 2. ", "Ke3", ""),
    ] {
        let line = format!("{before}{word}{after}");
        let expected = drawn(&line, before.len()..before.len() + word.len());
        assert_eq!(picture(line.as_bytes()), expected);
    }
}

/// The line is cut to fit, the marked text is complete, and the carets are below it.
fn check_cut(before: &str, word: &str, after: &str) {
    let (line, carets) = picture(format!("1. e4 {before} {word} {after} *").as_bytes());
    assert!(width(&line) <= 96, "{}: {line}", width(&line));
    let indent = carets.len() - carets.trim_start().len();
    assert_eq!(carets.len() - indent, width(word));
    let at = line.find(word).unwrap_or_else(|| panic!("{line}"));
    assert_eq!(width(&line[..at]), indent, "{line}\n{carets}");
    assert_eq!(line.starts_with('…'), width(before) > 90, "{line}");
    assert_eq!(line.ends_with('…'), width(after) > 90, "{line}");
}

#[test]
fn long_lines_are_cut_around_the_place() {
    let long = |unit: &str| format!("{{{}}}", unit.repeat(500));
    for unit in ["x", "羽", "ü", "e\u{301}", "\u{1b}", "x\t"] {
        check_cut(&long(unit), "Qx9", "");
        check_cut("", "Qx9", &long(unit));
        check_cut(&long(unit), "Qx9", &long(unit));
        check_cut(&long(unit), "Qx羽生9", &long(unit));
    }
    let (line, carets) = picture(format!("1. e4 {}9 e5 *", "Q".repeat(300)).as_bytes());
    assert!(
        line.starts_with("1. e4 QQQ") && line.ends_with("QQ…"),
        "{line}"
    );
    assert!(width(&line) <= 96 && carets.len() == line.chars().count());
}

#[test]
fn a_line_ends_where_it_ends() {
    let expected = ("1. e4 Qx9".to_owned(), "      ^^^".to_owned());
    for text in [
        "1. e4 Qx9\r\ne5 *",
        "\u{feff}1. e4 Qx9 \t\ne5 *",
        "1. e4 Qx9",
    ] {
        assert_eq!(picture(text.as_bytes()), expected, "{text:?}");
    }
}

#[test]
fn colours_are_there_if_asked_for_and_change_nothing_else() {
    let words = [
        "validate",
        "-q",
        "--color",
        "always",
        "fixtures/findings/W207.pgn",
    ];
    let painted = run(&words).stdout();
    assert!(
        painted.starts_with("\u{1b}[1;33mwarning[W207]\u{1b}[0m"),
        "{painted}"
    );
    let mut plain = String::new();
    let mut parts = painted.split("\u{1b}[");
    plain.push_str(parts.next().unwrap());
    for part in parts {
        plain.push_str(part.split_once('m').unwrap().1);
    }
    let words = words.map(|word| if word == "always" { "never" } else { word });
    assert_eq!(plain, run(&words).stdout());
    // Without a terminal, colour is off by default.
    assert_eq!(plain, run(&["validate", "-q", words[4]]).stdout());
}
