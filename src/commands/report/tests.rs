use crate::chess::Position;
use crate::commands::report::*;
use crate::commands::validate::check as findings;
use crate::commands::validate::check::Checks;
use crate::input::samples::{PLAIN, Random, TRICKY, noise, spoiled};
use crate::input::{Buffers, Chunks, Source, SourceId};
use crate::pgn::Reader;

/// Each finding of a text with its place and its line, where chunks are of about a size.
fn reported(text: &[u8], chunk_bytes: usize) -> Vec<String> {
    let source = Source::stdin(SourceId(0));
    let checks = Checks::default();
    let (mut reader, initial) = (Reader::new(), Position::initial());
    let mut all = Vec::new();
    for chunk in Chunks::new(text, &source, chunk_bytes, Buffers::default()) {
        let Ok(chunk) = chunk else { break };
        let mut lines = Lines::new(&chunk);
        for game in chunk.games() {
            let mut found = Vec::new();
            let read = reader.read(game.bytes, game.unclosed_comment);
            let verdict = findings::check(read, game.bytes, &initial, &checks, &mut found);
            findings::file::check(&chunk, &game, &checks, verdict, &mut found);
            for finding in found {
                let report = lines.report(&game, finding);
                all.push(format!(
                    "{} game {} {}:{} to {:?}, bytes {:?}, {:?}",
                    report.finding.rule.code,
                    report.game.0,
                    report.line.0,
                    report.column,
                    report.end(),
                    report.bytes,
                    report.window(12),
                ));
            }
        }
    }
    all
}

fn assert_size_does_not_matter(text: &[u8], what: &str) {
    let whole = reported(text, 1 << 20);
    for chunk_bytes in [1, 7, 64, 500] {
        assert_eq!(reported(text, chunk_bytes), whole, "{what} {chunk_bytes}");
    }
}

#[test]
fn places_of_findings_do_not_depend_on_the_chunk_size() {
    for text in TRICKY {
        assert_size_does_not_matter(text.as_bytes(), text);
        assert_size_does_not_matter(text.repeat(9).as_bytes(), text);
    }
    assert_size_does_not_matter(PLAIN.repeat(9).as_bytes(), "plain");
    for seed in 1..=300 {
        let random = &mut Random(seed);
        let mut text = Vec::new();
        for _ in 0..4 {
            text.extend(spoiled(random));
            text.extend(noise(random));
        }
        assert_size_does_not_matter(&text, &format!("seed {seed}"));
    }
}

#[test]
fn columns_of_an_indented_event_tag_count_from_its_line() {
    let text = "[White \"x\"]\n\n [Event \"y\"]\n".repeat(40);
    assert_size_does_not_matter(text.as_bytes(), "indented");
    let games = "1. e4 é 1-0[Event \"é\"]\n\n1. d4 Zz0 *[Event \"y\"] ".repeat(40);
    assert_size_does_not_matter(games.as_bytes(), "on one line");
}
