//! A decided claim as a page in HTML, to print and sign.

use crate::adjudication::phrases::sentence_start;
use crate::boards::picture;
use crate::chess::Color;
use crate::claim::ClaimRuling;
use crate::text::append;
use crate::text::escape::{Xml, in_xml};

/// The page: heading, board, moves, decision and signature. It needs no other file.
pub fn of(ruling: &ClaimRuling) -> String {
    let heading = &ruling.heading;
    let players = heading.players();
    let title = players.map_or("Ruling".to_owned(), |players| format!("Ruling: {players}"));
    let title = escaped(&title);
    let style = include_str!("page.css");
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n\
         <title>{title}</title>\n<style>\n{style}</style>\n</head>\n<body>\n<h1>Ruling</h1>\n"
    );
    let (moment, turn) = (sentence_start(&ruling.moment), ruling.position.turn());
    let caption = format!("{moment}, {turn} to move");
    let board = picture(&ruling.position, Color::White, None, &caption);
    let caption = escaped(&caption);
    append!(
        out,
        "<figure>\n{board}<figcaption>{caption}</figcaption>\n</figure>\n<table>\n"
    );
    let facts = [
        ("White", &heading.white),
        ("Black", &heading.black),
        ("Event", &heading.event),
        ("Round", &heading.round),
        ("Date", &heading.date),
    ];
    for (name, value) in facts {
        if let Some(value) = value {
            let value = escaped(value);
            append!(out, "<tr><th>{name}</th><td>{value}</td></tr>\n");
        }
    }
    out.push_str("</table>\n");
    section(&mut out, "Claim", [&ruling.statement]);
    moves(&mut out, ruling);
    let decided = escaped(&ruling.decided);
    append!(
        out,
        "<h2>Decision</h2>\n<p><strong>{decided}</strong></p>\n"
    );
    let reason = ruling.cited_reason();
    section(
        &mut out,
        "Reason",
        [&reason].into_iter().chain(&ruling.details),
    );
    section(&mut out, "Consequences", &ruling.follows);
    section(&mut out, "Rules", [&(ruling.rules() + ".")]);
    section(&mut out, "Other rule sets", &ruling.otherwise);
    out.push_str(
        "<footer>\n<span>Place and date</span>\n<span>Signature of the arbiter</span>\n</footer>\n\
         </body>\n</html>\n",
    );
    out
}

/// Text of games, which may contain markup.
fn escaped(text: &str) -> String {
    Xml(&in_xml(text)).to_string()
}

/// Appends sentences under a title, if there are any. Words in backticks become code.
fn section<'a>(out: &mut String, title: &str, texts: impl IntoIterator<Item = &'a String>) {
    let mut title = Some(title);
    for text in texts {
        if let Some(title) = title.take() {
            append!(out, "<h2>{title}</h2>\n");
        }
        let text = escaped(text);
        let mut parts = text.split('`');
        append!(out, "<p>{}", parts.next().unwrap_or_default());
        let mut is_code = false;
        for part in parts {
            is_code = !is_code;
            let tag = if is_code { "<code>" } else { "</code>" };
            append!(out, "{tag}{part}");
        }
        out.push_str(if is_code { "</code></p>\n" } else { "</p>\n" });
    }
}

/// Appends the moves that matter, with numbers after those that brought about the position.
fn moves(out: &mut String, ruling: &ClaimRuling) {
    if ruling.moves.iter().all(|&(ply, _)| ply == 0) {
        return;
    }
    out.push_str(if ruling.occurrences.is_empty() {
        "<h2>Moves</h2>\n<p>"
    } else {
        "<h2>Moves, with the occurrences of the position numbered</h2>\n<p>"
    });
    for (ply, name) in &ruling.moves {
        match ruling.occurrences.iter().position(|it| it == ply) {
            Some(nth) => append!(out, "<mark>{name}<sup>{}</sup></mark>", nth + 1),
            None => out.push_str(name),
        }
        let is_announced = *ply > ruling.ply;
        out.push_str(if is_announced { " (announced)\n" } else { "\n" });
    }
    out.push_str("</p>\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_ends_in_its_paragraph() {
        let check = |text: &str, expected: &str| {
            let mut out = String::new();
            section(&mut out, "Title", [&text.to_owned()]);
            assert_eq!(out, format!("<h2>Title</h2>\n<p>{expected}</p>\n"));
        };
        check(
            "By `icc` and `fics`.",
            "By <code>icc</code> and <code>fics</code>.",
        );
        check("`a`b`", "<code>a</code>b<code></code>");
        check("`<b>", "<code>&lt;b&gt;</code>");
    }

    #[test]
    fn a_section_without_sentences_has_no_title() {
        let mut out = String::new();
        section(&mut out, "Title", []);
        assert_eq!(out, "");
    }
}
