//! Findings of `validate` in a text, as a list.

use arbiter::chess::Position;
use arbiter::findings;
use arbiter::findings::{Checks, Finding};
use arbiter::input::{Buffers, Source, SourceId};
use arbiter::replay::Reader;

/// Findings of all games of a text, each with the text it points at.
pub fn findings(pgn: &[u8], checks: &Checks) -> Vec<(Finding, String)> {
    let source = Source::stdin(SourceId(0));
    let mut reader = Reader::new();
    let initial = Position::initial();
    let mut all = Vec::new();
    for chunk in source.chunks(pgn, 1 << 20, Buffers::default()) {
        for text in chunk.unwrap().games() {
            let mut found = Vec::new();
            let game = reader.read(text.bytes, text.unclosed_comment);
            findings::check(game, text.bytes, &initial, checks, &mut found);
            all.extend(found.into_iter().map(|finding| {
                let marked = String::from_utf8_lossy(finding.span.of(text.bytes)).into_owned();
                (finding, marked)
            }));
        }
    }
    all
}

/// Codes of all findings without `--strict`, by position.
pub fn codes(pgn: &str) -> Vec<&'static str> {
    of(findings(pgn.as_bytes(), &Checks::default()))
}

/// Codes of all findings with `--strict`.
pub fn strict(pgn: &str) -> Vec<&'static str> {
    of(findings(pgn.as_bytes(), &Checks::new(true, &[], &[])))
}

fn of(findings: Vec<(Finding, String)>) -> Vec<&'static str> {
    let codes = findings.into_iter().map(|(finding, _)| finding.rule.code);
    codes.collect()
}

/// A game with the Seven Tag Roster. The given tags replace roster tags or follow them.
pub fn game(tags: &[(&str, &str)], movetext: &str) -> String {
    let mut all = [
        ("Event", "?"),
        ("Site", "?"),
        ("Date", "????.??.??"),
        ("Round", "?"),
        ("White", "?"),
        ("Black", "?"),
        ("Result", "*"),
    ]
    .map(|(name, value)| (name, value.to_owned()))
    .to_vec();
    for &(name, value) in tags {
        match all.iter_mut().find(|(other, _)| *other == name) {
            Some((_, old)) => value.clone_into(old),
            None => all.push((name, value.to_owned())),
        }
    }
    let mut text: String = all
        .iter()
        .map(|(name, value)| format!("[{name} \"{value}\"]\n"))
        .collect();
    text += &format!("\n{movetext}\n");
    text
}
