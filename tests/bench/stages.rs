//! Time of each stage of `validate` on one thread, and the resulting limit on threads.
//!
//! `cargo bench --bench stages`. Each stage includes those before it: reading the file, splitting
//! it into chunks of whole games, parsing the games, playing their moves, and all checks. The
//! index of the bytes, and the splitter, which makes one, are also measured alone, over a text in
//! memory.
//!
//! The serial part is the limit: on `n` threads a file takes the longer of the serial part and all
//! work divided by `n`. A file has one thread that searches split points. A pipe has one that reads
//! and splits everything.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a benchmark prints its figures"
)]

mod common;

use std::env;
use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

use arbiter::chess::Position;
use arbiter::commands::accounts::Accounts;
use arbiter::findings;
use arbiter::findings::Checks;
use arbiter::input::{Buffers, CHUNK_BYTES, SEGMENT_BYTES, Segments, Source, SourceId, Splitter};
use arbiter::replay;
use arbiter::replay::{Replay, Start};
use arbiter::text::Index;
use common::{median, print_machine, rounds, timed, with_each_kind};

/// Number of line feeds in the index of a text, made block by block.
fn index(text: &[u8]) -> usize {
    let mut index = Index::default();
    let mut line_feeds = 0;
    for block in text.chunks(CHUNK_BYTES) {
        index.clear();
        index.extend(block, 0);
        line_feeds += index.count_line_feeds(block.len());
    }
    line_feeds as usize
}

/// Number of game ends the splitter finds in a text, block by block.
fn split(text: &[u8]) -> usize {
    let blocks = text.chunks(CHUNK_BYTES);
    blocks.map(|block| Splitter::ends(block).len()).sum()
}

/// Reads a file without inspecting it.
fn read(path: &Path) -> usize {
    let mut file = File::open(path).expect("the file can be opened");
    let mut buffer = vec![0; CHUNK_BYTES];
    let mut bytes = 0;
    loop {
        match file.read(&mut buffer).expect("the file can be read") {
            0 => return bytes,
            length => bytes += length,
        }
    }
}

/// Finds the ends of the segments of a file.
fn segments(path: &Path) -> usize {
    let source = Source::file(SourceId(0), path.to_owned());
    let Some(mut segments) = Segments::of(&source) else {
        return 0;
    };
    std::iter::from_fn(|| segments.next(SEGMENT_BYTES)).count()
}

/// Reads a file in chunks of whole games, and calls `each` with the text of each game.
fn chunks(path: &Path, mut each: impl FnMut(&[u8], Option<usize>)) -> usize {
    let source = Source::file(SourceId(0), path.to_owned());
    let file = File::open(path).expect("the file can be opened");
    let mut games = 0;
    for chunk in source.chunks(file, CHUNK_BYTES, Buffers::default()) {
        let chunk = chunk.expect("the file can be read");
        for text in chunk.games() {
            each(text.bytes, text.unclosed_comment);
            games += 1;
        }
    }
    games
}

fn text_read(path: &Path) -> usize {
    let mut reader = replay::Reader::new();
    chunks(path, |text, unclosed| {
        reader.read(text, unclosed);
    })
}

fn played(path: &Path) -> usize {
    let mut reader = replay::Reader::new();
    let initial = Position::initial();
    chunks(path, |text, unclosed| {
        let game = reader.read(text, unclosed);
        if let Ok((start, _)) = Start::of(game, text, &initial) {
            Replay::new(game, start.position).play_to_end();
        }
    })
}

fn checked(path: &Path) -> usize {
    let mut reader = replay::Reader::new();
    let initial = Position::initial();
    let checks = Checks::default();
    let mut accounts = Accounts::default();
    let mut found = Vec::new();
    chunks(path, |text, unclosed| {
        let game = reader.read(text, unclosed);
        accounts.add(findings::check(game, text, &initial, &checks, &mut found));
        found.clear();
    })
}

fn main() {
    print_machine();
    with_each_kind(measure);
}

fn measure(name: &str, text: &[u8]) {
    let rounds = rounds(15);
    let path = env::temp_dir().join(format!("arbiter-stages-{}.pgn", std::process::id()));
    fs::write(&path, text).expect("the temporary file can be written");
    let stages: [(&str, &dyn Fn() -> usize); 8] = [
        ("index alone", &|| index(text)),
        ("splitter alone", &|| split(text)),
        ("segments alone", &|| segments(&path)),
        ("read", &|| read(&path)),
        ("+ cut", &|| chunks(&path, |_, _| {})),
        ("+ text", &|| text_read(&path)),
        ("+ moves", &|| played(&path)),
        ("+ checks", &|| checked(&path)),
    ];
    let mut seconds = [const { Vec::new() }; 8];
    for round in 0..=rounds {
        for ((_, stage), times) in stages.iter().zip(&mut seconds) {
            let (_, time) = timed(stage);
            if round > 0 {
                times.push(time);
            }
        }
    }
    let _ = fs::remove_file(&path);

    println!(
        "\n{name}: {} bytes; one thread, {rounds} rounds, medians",
        text.len()
    );
    println!("{:16} {:>8} {:>8}", "", "ms", "GB/s");
    for ((stage, _), times) in stages.iter().zip(&seconds) {
        let time = median(times);
        println!(
            "{stage:16} {:>8.2} {:>8.2}",
            1e3 * time,
            text.len() as f64 / time / 1e9
        );
    }
    let all = median(&seconds[7]);
    for (way, alone) in [("file", &seconds[2]), ("pipe", &seconds[4])] {
        let alone = median(alone);
        println!(
            "from a {way} at most {:.0} threads are busy; 16 take {:.2} ms",
            all / alone,
            1e3 * alone.max(all / 16.0)
        );
    }
}
