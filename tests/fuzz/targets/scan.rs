//! The scan: any bytes are cut into games, read by both readers, replayed and judged.

#![no_main]

use std::cell::RefCell;

use arbiter::chess::Position;
use arbiter::commands::validate::cross_check::{difference, plain_until};
use arbiter::findings;
use arbiter::findings::concise;
use arbiter::findings::human::Human;
use arbiter::findings::report::Lines;
use arbiter::findings::{Checks, GameStatus};
use arbiter::input::{Buffers, Chunk, GameText, Source, SourceId};
use arbiter::pgn::{Game, Span};
use arbiter::replay::{Event, Reader, Replay, Start, Walk};
use arbiter::report::Buffer;
use libfuzzer_sys::fuzz_target;

thread_local! {
    static READERS: RefCell<(Reader, Position)> =
        RefCell::new((Reader::new(), Position::initial()));
}

fuzz_target!(|data: &[u8]| {
    let (whole, error) = chunks(data, 1 << 20);
    if error.is_none() {
        let bytes: Vec<&[u8]> = whole.iter().map(Chunk::bytes).collect();
        assert_eq!(bytes.concat(), data, "bytes were lost or added");
    }
    let games = games(&whole);
    for size in [1, 13, 256] {
        let (parts, part_error) = chunks(data, size);
        assert_eq!(self::games(&parts), games, "in chunks of {size} bytes");
        assert_eq!(part_error, error, "in chunks of {size} bytes");
    }
    READERS.with_borrow_mut(|(reader, initial)| {
        for chunk in &whole {
            let mut lines = Lines::new(chunk);
            for text in chunk.games() {
                check(reader, initial, &mut lines, &text);
            }
        }
    });
});

fn chunks(data: &[u8], size: usize) -> (Vec<Chunk>, Option<String>) {
    let source = Source::stdin(SourceId(0));
    let mut chunks = Vec::new();
    for chunk in source.chunks(data, size, Buffers::default()) {
        match chunk {
            Ok(chunk) => chunks.push(chunk),
            Err(error) => return (chunks, Some(error.to_string())),
        }
    }
    (chunks, None)
}

/// Number, place, length and unclosed comment of every game; they leave no gap.
fn games(chunks: &[Chunk]) -> Vec<(u64, u64, usize, Option<usize>)> {
    let mut games = Vec::new();
    let mut next = 0;
    for text in chunks.iter().flat_map(Chunk::games) {
        let origin = text.origin;
        assert_eq!(origin.byte.0, next);
        next += text.bytes.len() as u64;
        if let Some(brace) = text.unclosed_comment {
            assert_eq!(text.bytes[brace], b'{');
        }
        games.push((
            origin.game.0,
            origin.byte.0,
            text.bytes.len(),
            text.unclosed_comment,
        ));
        assert_eq!(origin.game.0, games.len() as u64);
    }
    games
}

fn check(reader: &mut Reader, initial: &Position, lines: &mut Lines<'_>, text: &GameText<'_>) {
    let bytes = text.bytes;
    let tags = reader.read_tags(bytes).tags.clone();
    let difference = difference(reader.read_strictly(bytes, text.unclosed_comment), bytes);
    let game = reader.read(bytes, text.unclosed_comment);
    assert_eq!(game.tags, tags);
    check_spans(game, bytes);
    assert!(
        difference.is_none_or(|span| span.range().end >= plain_until(game, bytes)),
        "{difference:?}: {}",
        bytes.escape_ascii()
    );

    let mut found = Vec::new();
    for checks in [Checks::new(true, &[], &[]), Checks::default()] {
        found.clear();
        let verdict = findings::check(game, bytes, initial, &checks, &mut found);
        assert_eq!(verdict == GameStatus::Clean, found.is_empty());
        assert_eq!(verdict == GameStatus::Unreadable, game.is_empty());
        assert!(found.is_sorted_by_key(|finding| finding.span));
    }
    for finding in found {
        within(finding.span, bytes);
        let report = lines.report(text, finding);
        let mut out = Buffer::default();
        concise(&mut out, "-", &report);
        let human = Human {
            paints: false,
            columns: Human::COLUMNS,
        };
        human.write(&mut out, "-", &report);
        let out = String::from_utf8(out.into_bytes()).unwrap();
        let plain = |letter: char| letter == '\n' || !letter.is_control();
        assert!(out.chars().all(plain), "{out:?}");
    }

    if let Ok((start, _)) = Start::of(game, bytes, initial) {
        let mut walk = Walk::new(game, start.position.clone());
        while let Some(event) = walk.next() {
            assert!(walk.depth() <= Walk::DEEPEST);
            if let (Event::Ply(ply), Some(before)) = (event, walk.before()) {
                assert!(before.legal_moves().contains(&ply.mv), "{ply:?}");
            }
        }
        let mut replay = Replay::new(game, start.position);
        replay.play_to_end();
        let position = replay.position();
        assert_eq!(position.key(), position.recompute_key(), "`{position}`");
        if let Some(finding) = findings::of_replay(game, bytes, &replay) {
            within(finding.span, bytes);
        }
    }
}

fn within(span: Span, text: &[u8]) {
    assert!(
        span.start <= span.end && span.end as usize <= text.len(),
        "{span:?}"
    );
}

/// All places are within the text, and in their order.
fn check_spans(game: &Game, text: &[u8]) {
    assert!(game.start <= game.movetext && game.movetext <= text.len());
    let faults = game.faults.iter().map(|fault| fault.span);
    let tokens = game.tokens.iter().map(|token| token.span);
    assert!(faults.clone().is_sorted(), "{:?}", game.faults);
    assert!(tokens.clone().is_sorted(), "{:?}", game.tokens);
    let result = game.result.map(|(_, span)| span);
    for span in faults.chain(tokens).chain(result).chain(game.other_result) {
        within(span, text);
    }
    let mut tags_end = game.start;
    for tag in &game.tags {
        for span in [tag.name, tag.value] {
            within(span, text);
            assert!(tags_end <= span.start as usize);
            tags_end = span.end as usize;
        }
    }
    assert!(tags_end <= game.movetext);
}
