use crate::commands::stats::count::*;
use crate::error::Error;
use crate::input::test_util::{Random, TRICKY, noise, spoiled};
use crate::input::{Buffers, Chunks, Source, SourceId};
use crate::pgn::Game;
use crate::pipeline::{Item, Run};
use crate::replay::Reader;
use crate::text::TagFilter;

#[test]
fn tag_before_mark_and_mark_where_the_tag_says_nothing() {
    let check = |text: &str, expected: Tally| {
        let plan = Plan::default();
        let mut counter = Counter::new(&plan, Reader::new());
        counter.add("", text.as_bytes(), None, None);
        let group = Counter::sum(&plan, vec![counter]).into_group();
        assert_eq!(group.counts.tally, expected, "{text}");
    };
    let tally = Tally::default();
    check(
        "[Result \"1-0\"]\n\n1. e4 0-1\n",
        Tally { white: 1, ..tally },
    );
    check("[Result \"?\"]\n\n1. e4 0-1\n", Tally { black: 1, ..tally });
    check("1. e4 1/2-1/2\n", Tally { draws: 1, ..tally });
    check("[Result \"0-0\"]\n\n1. e4\n", Tally { other: 1, ..tally });
    check(
        "[White \"x\"]\n\n1. e4\n",
        Tally {
            unfinished: 1,
            ..tally
        },
    );
    check(
        "[Result \"*\"]\n\n1. e4 *\n",
        Tally {
            unfinished: 1,
            ..tally
        },
    );
    check(
        "hello there\n",
        Tally {
            unreadable: 1,
            ..tally
        },
    );
}

/// Every tag pair that is noted while a text is split is read as it would be from the text.
#[test]
fn noted_tag_pairs_are_those_of_the_text() {
    let mut likely = TagFilter::default();
    for first in b'!'..=b'~' {
        for length in 1..40 {
            likely.add(&char::from(first).to_string().repeat(length));
        }
    }
    let mut random = Random(0x7a9);
    let (mut noted, mut texts) = (Reader::new(), Reader::new());
    let mut pairs = 0;
    let source = Source::stdin(SourceId(0));
    for round in 0..30_000 {
        let mut text = match round % 3 {
            0 => random.pick(TRICKY).as_bytes().to_vec(),
            1 => noise(&mut random),
            _ => spoiled(&mut random),
        };
        // Room for a place at which it may be cut.
        text.extend(b"\n1. e4\ne4 *\n\n[Event \"x\"]\n\n*\n");
        text.extend(spoiled(&mut random));
        let size = text.len() - random.below(30);
        let chunks = Chunks::new(&text[..], &source, size, Buffers::default()).tags_only();
        for chunk in chunks {
            let Ok(mut chunk) = chunk else {
                continue;
            };
            chunk.find_games(&likely);
            for text in chunk.games() {
                let Some(places) = text.pairs else {
                    continue;
                };
                let ours = noted.read_pairs(text.bytes, places, text.origin.byte, &likely);
                let whole = texts.read_tags(text.bytes);
                let tags = |game: &Game| -> Vec<_> {
                    let tags = game.tags.iter().filter(|tag| {
                        let name = tag.name.of(text.bytes);
                        name.first().is_some_and(u8::is_ascii_graphic)
                    });
                    tags.map(|tag| (tag.name, tag.value, tag.known)).collect()
                };
                assert_eq!(
                    tags(ours),
                    tags(whole),
                    "{:?}",
                    String::from_utf8_lossy(text.bytes)
                );
                pairs += places.len();
            }
        }
    }
    assert!(pairs > 20_000, "{pairs}");
}

/// Counts do not depend on chunk size, nor on who splits the games.
#[test]
fn games_are_counted_however_they_are_found() {
    let mut random = Random(0xc0);
    let mut text = Vec::new();
    for _ in 0..3_000 {
        text.extend(spoiled(&mut random));
        text.extend(b"\n1. e4\ne4 *\n\n[Event \"x\"]\n[Result \"1-0\"]\n\n*\n");
    }
    // Large enough to be read in stretches.
    let text = text.repeat((3 << 20) / text.len() + 1);
    let path = std::env::temp_dir().join(format!("arbiter-tally-{}.pgn", std::process::id()));
    std::fs::write(&path, text).unwrap();
    let plan = Plan {
        keys: vec![Key::Event, Key::Tag("A".to_owned())],
        ..Plan::default()
    };
    let counted = |is_unplaced: bool, jobs, chunk_bytes| {
        let run = Run {
            tags_only: is_unplaced.then(|| plan.tags()),
            jobs,
            chunk_bytes,
        };
        let sources = [Source::file(SourceId(0), path.clone())];
        let mut found = 0;
        let counters = run
            .in_order(
                &sources,
                || Counter::new(&plan, Reader::new()),
                |counter, source, chunk| counter.count(source.name(), chunk),
                |()| 0,
                |item| {
                    match item {
                        Item::Part(part) => found += part.found,
                        Item::End(end) => found += end.games,
                    }
                    Ok::<(), Error>(())
                },
            )
            .unwrap();
        let whole = Counter::sum(&plan, counters).into_group();
        assert_eq!(found, whole.counts.tally.seen());
        whole
    };
    let expected = counted(false, 1, 1 << 20);
    assert!(
        expected.counts.tally.seen() > 10_000,
        "{:?}",
        expected.counts
    );
    for chunk_bytes in [40, 700, 20_000, 1 << 20] {
        for jobs in [1, 3] {
            assert_eq!(
                counted(true, jobs, chunk_bytes),
                expected,
                "{jobs} {chunk_bytes}"
            );
        }
    }
    let _ = std::fs::remove_file(&path);
}

#[test]
fn percentages_of_the_source_page_are_cut_not_rounded() {
    // The figures of BrainKing's chess page; rounding would give 47.89 and 46.84 and 5.27.
    let (white, black, draws) = (230_424, 225_400, 25_375);
    let whole = white + black + draws;
    let shown = [white, black, draws].map(|part| CutPercent::of(part, whole).to_string());
    assert_eq!(shown, ["47.88 %", "46.84 %", "5.27 %"]);
    assert_eq!(CutPercent::of(0, 0).to_string(), "0.00 %");
    assert_eq!(CutPercent::of(u64::MAX, u64::MAX).to_string(), "100.00 %");
}
