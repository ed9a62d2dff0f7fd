use std::io::{self, Read};

use crate::split::anomaly::AnomalyKind;
use crate::split::chunk::*;
use crate::split::encoding::Encoding;
use crate::split::test_util::{PLAIN, Random, TRICKY, noise, spoiled};

/// Reader that returns at most `step` bytes at a time. If `fail` is set, it fails at the end.
struct Trickle<'a> {
    text: &'a [u8],
    step: usize,
    fail: bool,
}

impl Read for Trickle<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.text.is_empty() && self.fail {
            return Err(io::Error::other("pulled out"));
        }
        let step = self.step.min(out.len());
        self.text.read(&mut out[..step])
    }
}

fn chunks<R: Read>(reader: R, chunk_bytes: usize) -> Chunks<R> {
    Chunks::new(
        reader,
        (SourceId(3), InputKind::Pgn),
        chunk_bytes,
        Buffers::default(),
    )
}

type Games = Vec<(u64, u64, Vec<u8>, Option<usize>)>;

/// All games with number and offset, the bytes of all chunks, and the error.
fn read<R: Read>(mut chunks: Chunks<R>) -> (Games, Vec<u8>, Option<String>) {
    let mut games = Games::new();
    let mut bytes = Vec::new();
    while let Some(chunk) = chunks.next() {
        let chunk = match chunk {
            Ok(chunk) => chunk,
            Err(error) => {
                assert!(chunks.next().is_none(), "nothing follows an error");
                return (games, bytes, Some(error.sentence("<stdin>")));
            }
        };
        assert_eq!(chunk.byte, Offset(bytes.len() as u64));
        assert_eq!(chunk.first_game.0, games.len() as u64 + 1);
        assert_eq!(chunk.game_count(), chunk.games().count());
        for game in chunk.games() {
            assert_eq!(game.origin.source, SourceId(3));
            assert_eq!(
                game.bytes,
                &chunk.bytes()[game.chunk_offset..][..game.bytes.len()]
            );
            assert!(
                game.unclosed_comment
                    .is_none_or(|at| game.bytes[at] == b'{')
            );
            games.push((
                game.origin.game.0,
                game.origin.byte.0,
                game.bytes.to_vec(),
                game.unclosed_comment,
            ));
        }
        assert_eq!(
            chunk.line.0,
            1 + memchr::memchr_iter(b'\n', &bytes).count() as u64
        );
        bytes.extend_from_slice(chunk.bytes());
        assert_eq!(chunks.start, Offset(bytes.len() as u64));
        assert_eq!(chunks.next_game, GameNo(games.len() as u64 + 1));
    }
    (games, bytes, None)
}

fn assert_size_does_not_matter(text: &[u8], seed: u64) {
    let whole = read(chunks(text, 1 << 20));
    let joined: Vec<u8> = whole.0.iter().flat_map(|game| game.2.clone()).collect();
    assert_eq!(joined, whole.1, "seed {seed}");
    if whole.2.is_none() {
        assert_eq!(joined, text, "seed {seed}");
    }
    for chunk_bytes in [1, 7, 64, 4096] {
        for step in [1, usize::MAX] {
            let reader = Trickle {
                text,
                step,
                fail: false,
            };
            let cut = read(chunks(reader, chunk_bytes));
            assert_eq!(
                whole, cut,
                "seed {seed}, chunks of {chunk_bytes} in steps of {step}"
            );
        }
    }
}

#[test]
fn no_byte_of_a_spoiled_text_is_lost() {
    for seed in 1..=1_000 {
        assert_size_does_not_matter(&spoiled(&mut Random(seed)), seed);
        assert_size_does_not_matter(&noise(&mut Random(seed)), seed);
    }
}

#[test]
fn a_failing_reader_yields_the_cut_off_game_and_then_the_error() {
    for chunk_bytes in [1, 64, 1 << 20] {
        let reader = Trickle {
            text: b"1. e4 *\n\n1. d4 d5 {cut",
            step: 5,
            fail: true,
        };
        let (games, bytes, error) = read(chunks(reader, chunk_bytes));
        assert_eq!(games.len(), 2);
        assert_eq!(games[1].2, b"\n1. d4 d5 {cut");
        assert_eq!(games[1].3, Some(10));
        assert_eq!(bytes.len(), 23 - 1);
        assert_eq!(
            error.unwrap(),
            "cannot read `<stdin>` beyond byte 22: pulled out"
        );
    }
}

#[test]
fn a_text_without_a_game_is_an_error() {
    let error = |text: &str| read(chunks(text.as_bytes(), 1)).2.unwrap();
    assert_eq!(error(""), "no game found in `<stdin>`: it is empty");
    assert_eq!(
        error("\n% x\n"),
        "no game found in `<stdin>`: it holds only white space and comments"
    );
}

#[test]
fn a_giant_game_stops_the_source_but_not_the_games_before_it() {
    let giant = format!("\n\n1. d4 {{{}}} *\n\n1. c4 *\n", "x".repeat(500));
    let blank = "\n".repeat(500);
    for (text, limit, whole, at) in [
        (format!("1. e4 *\n{giant}"), 400, 1, 8),
        (format!("1. e4 *\n{blank}"), 400, 1, 8),
        (format!("{giant}{giant}"), 400, 0, 0),
        (format!("1. e4 *\n{giant}"), 600, 3, 0),
    ] {
        for chunk_bytes in [1, 7, 64, 4096, 1 << 20] {
            let mut chunks = chunks(text.as_bytes(), chunk_bytes);
            chunks.limit = limit;
            let (games, _, error) = read(chunks);
            assert_eq!(games.len(), whole, "{chunk_bytes}");
            let expected = (whole < 3).then(|| {
                let game = whole + 1;
                format!(
                    "cannot read `<stdin>` beyond byte {at}: game {game} is larger than 400 bytes"
                )
            });
            assert_eq!(error, expected, "{chunk_bytes}");
        }
    }
}

#[test]
fn a_recycled_buffer_is_used_again() {
    let text = PLAIN.repeat(1000);
    let buffers = Buffers::default();
    let mut seen = std::collections::HashSet::new();
    for chunk in Chunks::new(
        text.as_bytes(),
        (SourceId(0), InputKind::Pgn),
        4096,
        buffers.clone(),
    ) {
        let chunk = chunk.unwrap();
        seen.insert(chunk.bytes().as_ptr());
        drop(chunk);
    }
    assert!(seen.len() <= 4, "{} buffers", seen.len());
}

#[test]
fn oddities_do_not_depend_on_the_chunk_size() {
    let game = |name: &str| format!("[White \"{name}\"]\n\n1. e4 *\n\n").into_bytes();
    let mut text = game("Müller").repeat(20);
    let first_lost = text.len() + 8;
    text.extend(game("M\u{fffd}ller"));
    let first_latin = text.len() + 9;
    text.extend(game("Mxller"));
    text[first_latin] = 0xfc;
    text.extend(text.clone());
    for chunk_bytes in [1, 64, 1 << 20] {
        let mut reported = Vec::new();
        let encoding = Encoding {
            carriage_returns: true,
            ..Encoding::BYTES
        };
        let mut chunks = chunks(&text[..], chunk_bytes).encoded(encoding, None);
        while let Some(noted) = chunks.next_noted() {
            let (chunk, notes) = noted.unwrap();
            for anomaly in &notes.anomalies {
                let chunk_offset = anomaly.at.0 - chunk.byte.0;
                assert!(chunk_offset < chunk.bytes().len() as u64);
                reported.push((anomaly.kind, anomaly.at.0 as usize));
            }
        }
        let expected = [
            (AnomalyKind::CarriageReturns, 0),
            (AnomalyKind::LostCharacter, first_lost + 1),
            (AnomalyKind::NotUtf8, first_latin),
        ];
        assert_eq!(reported, expected, "chunks of {chunk_bytes}");
    }
}

#[test]
fn a_character_cut_off_with_the_file_is_not_odd() {
    let reader = Trickle {
        text: b"1. e4 {\xe2\x99",
        step: 5,
        fail: true,
    };
    let (_, notes) = chunks(reader, 4).next_noted().unwrap().unwrap();
    assert_eq!(notes.anomalies, []);
    let (_, notes) = chunks(&b"1. e4 {\xe2\x99"[..], 4)
        .next_noted()
        .unwrap()
        .unwrap();
    assert_eq!(notes.anomalies.len(), 1);
}

#[test]
fn a_game_read_alone_is_the_same() {
    let assert_alone = |text: &[u8], seed: u64| {
        for (game, byte, bytes, _) in read(chunks(text, 1 << 20)).0 {
            let mut alone = chunks(&*bytes, 1 << 20).resume_at(Offset(byte));
            let chunk = alone.next().and_then(Result::ok).unwrap();
            let games: Vec<_> = chunk.games().map(|game| game.bytes).collect();
            assert_eq!(
                (games, chunk.byte),
                (vec![&*bytes], Offset(byte)),
                "seed {seed}, {game}"
            );
        }
    };
    for text in TRICKY {
        assert_alone(text.as_bytes(), 0);
    }
    for seed in 1..=1_000 {
        assert_alone(&spoiled(&mut Random(seed)), seed);
        assert_alone(&noise(&mut Random(seed)), seed);
    }
}
