//! The parts of any text, one after another, are the text.

use std::fs;
use std::path::PathBuf;
use std::slice;

use crate::input::test_util::{PLAIN, Random, TRICKY, noise, spoiled};
use crate::input::{InputPart, Search, TextAnomaly, TextTotals, expand};
use crate::pipeline::*;

/// A file, removed at the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new(test: &str, text: &[u8]) -> Scratch {
        let name = format!("arbiter-parts-{test}-{}.pgn", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::write(&path, text).unwrap();
        Scratch(path)
    }

    fn sources(&self) -> Vec<Source> {
        let (sources, errors) = expand(slice::from_ref(&self.0), &Search::default());
        assert!(errors.is_empty());
        sources
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

/// Games and anomalies that were read, with their places, and the totals.
#[derive(PartialEq, Eq, Debug, Default)]
struct Found {
    places: Vec<String>,
    anomalies: Vec<TextAnomaly>,
    totals: TextTotals,
    errors: Vec<String>,
}

fn read(run: &Run, sources: &[Source]) -> Found {
    let mut found = Found::default();
    let work = |(): &mut (), _: &Source, chunk: &mut Chunk, notes: &ByteNotes| {
        let places = chunk.games().map(|game| {
            // White space between two games may belong to either.
            let text = game.bytes.trim_ascii();
            let blank = game.bytes.len() - game.bytes.trim_ascii_start().len();
            let before = &chunk.bytes()[..game.chunk_offset + blank];
            format!(
                "{} at {} line {} comment {:?}: {}",
                game.origin.game,
                game.origin.byte.0 + blank as u64,
                chunk.line.0 + memchr::memchr_iter(b'\n', before).count() as u64,
                game.unclosed_comment
                    .map(|brace| brace as u64 + game.origin.byte.0),
                String::from_utf8_lossy(text)
            )
        });
        let places: Vec<String> = places.collect();
        (places, notes.anomalies.clone(), chunk.totals(notes))
    };
    let emit = |item: Item<(Vec<String>, Vec<TextAnomaly>, TextTotals)>| {
        match item {
            Item::Part(part) => {
                found.places.extend(part.value.0);
                found.anomalies.extend(part.value.1);
                found.totals.join(&part.value.2);
            }
            Item::End(end) => found
                .errors
                .extend(end.error.map(|error| error.to_string())),
        }
        Ok::<_, Error>(())
    };
    run.in_order(sources, || (), work, |_| 0, emit).unwrap();
    found
}

/// Reads the parts one after another, each with the totals of those before, and returns the number
/// of ranges.
fn check(file: &Scratch, of: u64, jobs: usize, context: &str) -> usize {
    let run = Run {
        jobs,
        chunk_bytes: 60,
        ..Run::default()
    };
    let sources = file.sources();
    let whole = read(&run, &sources);
    let mut parts = Found::default();
    let mut ranges = 0;
    for number in 1..=of {
        let part: InputPart = format!("{number}/{of}").parse().unwrap();
        let mut selected = part.select(&sources).unwrap();
        for source in &mut selected {
            ranges += usize::from(source.text_range().is_some());
            *source = source.after(parts.totals.clone());
        }
        let found = read(&run, &selected);
        parts.places.extend(found.places);
        parts.anomalies.extend(found.anomalies);
        parts.errors.extend(found.errors);
        parts.totals.join(&found.totals);
    }
    assert_eq!(parts, whole, "{of} parts of {context}");
    ranges
}

/// A text with games around the tricky piece.
fn around(random: &mut Random, piece: &[u8]) -> Vec<u8> {
    let mut text = PLAIN.as_bytes().to_vec();
    for _ in 0..2 {
        let end = random.pick(&["\n", "\r\n"]);
        let blank = end.repeat(1 + random.below(3));
        text.extend_from_slice(piece);
        text.extend(format!("{end}1. e4 *{end}{blank}[Event \"x\"]{end}{end}").as_bytes());
        text.extend(
            format!("1. d4 {{a}} *{end}{blank}[Event \"y\"]{end}[A \"\u{e9}\"]").as_bytes(),
        );
        text.extend(format!("{end}{end}1. c4 0-1{end}{blank}").as_bytes());
    }
    if random.below(2) == 0 {
        text.extend(PLAIN.replace('\n', "\r\n").as_bytes());
    }
    text
}

#[test]
fn parts_of_tricky_texts_add_up() {
    let mut random = Random(0x9a27);
    let mut ranges = 0;
    for (nth, piece) in TRICKY.iter().enumerate() {
        let text = around(&mut random, piece.as_bytes());
        let file = Scratch::new("tricky", &text);
        for of in 1..=40 {
            ranges += check(&file, of, 1 + nth % 2, &format!("{piece:?}"));
        }
        let alone = Scratch::new("alone", piece.as_bytes());
        for of in 1..=40 {
            check(&alone, of, 1, piece);
        }
    }
    assert!(ranges > 10_000, "{ranges}");
}

#[test]
fn parts_of_random_texts_add_up() {
    let mut random = Random(0x7ab1e);
    for nth in 0..600 {
        let piece = match random.below(2) {
            0 => noise(&mut random),
            _ => spoiled(&mut random),
        };
        let text = around(&mut random, &piece);
        let file = Scratch::new("random", &text);
        let of = 1 + random.below(text.len()) as u64;
        check(
            &file,
            of.min(60),
            1 + nth % 2,
            &String::from_utf8_lossy(&text),
        );
    }
}

#[test]
fn parts_of_frames_add_up() {
    let mut random = Random(0xf4a3e);
    let mut ranges = 0;
    for nth in 0..150 {
        let piece = random.pick(TRICKY);
        let text = around(&mut random, piece.as_bytes());
        let mut stored = Vec::new();
        let mut rest = &text[..];
        while !rest.is_empty() {
            let (frame, after) = rest.split_at(1 + random.below(rest.len().min(200)));
            let frame = zstd::encode_all(frame, 1).unwrap();
            // As `pzstd` writes them, with another skippable frame, and plainly.
            if nth % 3 == 0 {
                stored.extend([0x50, 0x2a, 0x4d, 0x18, 4, 0, 0, 0]);
                stored.extend((frame.len() as u32).to_le_bytes());
            } else if nth % 3 == 1 && random.below(2) == 0 {
                stored.extend([0x5a, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3]);
            }
            stored.extend(frame);
            rest = after;
        }
        let file = Scratch::new("frames", &stored);
        let of = 1 + random.below(40) as u64;
        ranges += check(&file, of, 1 + nth % 2, &String::from_utf8_lossy(&text));
    }
    assert!(ranges > 200, "{ranges}");
}

#[test]
fn texts_that_cannot_be_cut_belong_to_the_part_in_which_they_begin() {
    let wide: Vec<u8> = PLAIN.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let wide = [b"\xff\xfe", &wide[..]].concat();
    let old = PLAIN.replace("\r\n", "\n").replace('\n', "\r");
    let comment = format!("{{a comment}}\n{PLAIN}");
    let packed = zstd::encode_all(PLAIN.as_bytes(), 1).unwrap();
    for text in [&wide, old.as_bytes(), comment.as_bytes(), &packed] {
        let file = Scratch::new("whole", text);
        for of in 2..=40 {
            assert_eq!(check(&file, of, 1, "it"), 0);
        }
        let first: InputPart = "1/7".parse().unwrap();
        assert_eq!(first.select(&file.sources()).unwrap().len(), 1);
    }
}

#[test]
fn a_game_belongs_to_the_part_in_which_it_begins() {
    let game = "[Event \"x\"]\n\n1. e4 *\n\n";
    let file = Scratch::new("begins", game.repeat(30).as_bytes());
    let games = |part: &str| {
        let part: InputPart = part.parse().unwrap();
        read(&Run::default(), &part.select(&file.sources()).unwrap())
            .totals
            .games
    };
    // Each game is 22 bytes long: the cuts fall on every third game.
    assert_eq!(game.len(), 22);
    assert!((1..=10).all(|number| games(&format!("{number}/10")) == 3));
    // The first cut is one byte after the beginning of a game, 331 of 660 bytes.
    let long = Scratch::new("long", &[game.repeat(30).as_bytes(), b"  "].concat());
    let half: InputPart = "1/2".parse().unwrap();
    let found = read(&Run::default(), &half.select(&long.sources()).unwrap());
    assert_eq!(found.totals.games, 16);
}

#[test]
fn inputs_without_a_size_and_parts_that_do_not_exist_are_refused() {
    for text in ["0/2", "3/2", "1", "1/0", "-1/2", "a/b", "1/2/3", ""] {
        assert!(text.parse::<InputPart>().is_err(), "{text:?}");
    }
    let part: InputPart = "2/3".parse().unwrap();
    assert_eq!(part.to_string(), "2/3");
    let (sources, _) = expand(&[PathBuf::from("-")], &Search::default());
    let error = part.select(&sources).unwrap_err();
    assert!(error.to_string().contains("<stdin>"), "{error}");
    assert!(part.select(&[]).unwrap().is_empty());
}
