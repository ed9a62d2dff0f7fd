//! Findings about the lines of a text, which matter to the export format only.

use std::fmt::Display;

use memchr::memchr_iter;

use crate::commands::validate::check::collect::Findings;
use crate::commands::validate::check::{Checks, Finding};
use crate::commands::validate::registry as codes;
use crate::commands::validate::registry::Rule;
use crate::pgn::{Game, Span};
use crate::text::count_characters;

/// Lines of movetext in the export format have less characters than this (PGN standard 8.2.1).
const TOO_LONG: usize = 80;

/// Checks every line of a game's text.
pub(crate) fn check(game: &Game, text: &[u8], checks: &Checks, findings: &mut Findings<'_>) {
    let looked_for = [
        &codes::ESCAPE_LINE,
        &codes::TAB,
        &codes::LONG_LINE,
        &codes::SPACE_AT_LINE_END,
    ];
    if !looked_for.into_iter().any(|rule| checks.has(rule)) {
        return;
    }
    let mut start = 0;
    let ends = memchr_iter(b'\n', text).chain([text.len()]);
    for end in ends {
        let line = text[start..end]
            .strip_suffix(b"\r")
            .unwrap_or(&text[start..end]);
        if start >= game.start {
            check_line(line, start, start >= game.movetext, findings);
        }
        start = end + 1;
    }
}

fn check_line(line: &[u8], start: usize, movetext: bool, findings: &mut Findings<'_>) {
    let end = start + line.len();
    let mut report = |rule: &'static Rule, from: usize, to: usize, message: &dyn Display| {
        if findings.admit(rule, false) {
            findings.push_admitted(Finding::new(rule, Span::new(from, to), message.to_string()));
        }
    };
    if line.first() == Some(&b'%') {
        let message = "the line begins with `%` and is ignored";
        report(&codes::ESCAPE_LINE, start, end, &message);
        return;
    }
    if let Some(tab) = memchr::memchr(b'\t', line) {
        let message = "the line has a tab";
        report(&codes::TAB, start + tab, start + tab + 1, &message);
    }
    if !movetext {
        return;
    }
    if line.len() >= TOO_LONG {
        let characters = count_characters(line);
        if characters >= TOO_LONG {
            let message = format_args!("the line has {characters} characters");
            report(&codes::LONG_LINE, start, end, &message);
        }
    }
    let blank = |byte: Option<&u8>| byte == Some(&b' ');
    if blank(line.last()) || blank(line.first()) {
        let (which, at) = if blank(line.last()) {
            ("ends", end - 1)
        } else {
            ("begins", start)
        };
        let message = format_args!("the line {which} with a space");
        report(&codes::SPACE_AT_LINE_END, at, at + 1, &message);
    }
}
