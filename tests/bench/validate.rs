//! `validate` and `adjudicate` against pgn-reader with shakmaty, as whole commands in turns.
//!
//! `cargo bench --bench validate`. The games are those of three files of `$ARBITER_CORPUS/bulk`,
//! repeated to 240 MB: dense master games, games with clocks and evaluations, and engine games with
//! long comments and CRLF. Without a corpus they are the repeated fixtures. `ARBITER_BENCH_FILE`
//! names another file, `ARBITER_BINARY` another arbiter than the one built with the benchmark, and
//! `ARBITER_PLAIN` a plain release build to run beside it. All programs read an
//! uncompressed file in the page cache, but for one line with a `.zst` file. `ARBITER_ROUNDS` is
//! the number of rounds.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a benchmark prints its figures"
)]

mod common;

use std::fs::File;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::Path;

use common::{
    Games, Times, arbiter, both_builds, compared_with_peer, each_kind, in_turns, is_peer, peer,
    print_machine, print_peers, processors, rounds,
};
use pgn_reader::shakmaty::fen::Fen;
use pgn_reader::shakmaty::{CastlingMode, Chess, Position};
use pgn_reader::{RawTag, Reader, SanPlus, Visitor};
use zstd::Encoder;

/// Plays every move and returns whether all were legal, as in pgn-reader's own example.
struct Legality;

impl Visitor for Legality {
    type Tags = Option<Chess>;
    type Movetext = Chess;
    type Output = bool;

    fn begin_tags(&mut self) -> ControlFlow<bool, Option<Chess>> {
        ControlFlow::Continue(None)
    }

    fn tag(
        &mut self,
        start: &mut Option<Chess>,
        name: &[u8],
        value: RawTag<'_>,
    ) -> ControlFlow<bool> {
        if name == b"FEN" {
            let position = Fen::from_ascii(value.as_bytes())
                .ok()
                .and_then(|fen| fen.into_position(CastlingMode::Chess960).ok());
            match position {
                Some(position) => *start = Some(position),
                None => return ControlFlow::Break(false),
            }
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, start: Option<Chess>) -> ControlFlow<bool, Chess> {
        ControlFlow::Continue(start.unwrap_or_default())
    }

    fn san(&mut self, position: &mut Chess, plus: SanPlus) -> ControlFlow<bool> {
        match plus.san.to_move(position) {
            Ok(mv) => {
                position.play_unchecked(mv);
                ControlFlow::Continue(())
            }
            Err(_) => ControlFlow::Break(false),
        }
    }

    fn end_game(&mut self, _: Chess) -> bool {
        true
    }
}

/// Reads a file, and prints how many games it has and how many of them have an illegal move.
fn pgn_reader_with_shakmaty(path: &Path) {
    let mut reader = Reader::new(File::open(path).expect("the file can be opened"));
    let (mut games, mut bad) = (0, 0);
    while let Some(good) = reader
        .read_game(&mut Legality)
        .expect("the file can be read")
    {
        games += 1;
        bad += u64::from(!good);
    }
    println!("{games} games, {bad} bad");
}

fn main() {
    if let Some(path) = is_peer() {
        return pgn_reader_with_shakmaty(&path);
    }
    print_machine();
    print_peers(&["pgn-reader", "shakmaty"]);
    each_kind(|games| {
        let packed = games.path.with_extension("pgn.zst");
        pack(games, &packed).expect("the temporary file can be written");
        let rounds = rounds(7);
        println!("\n{games}; {rounds} rounds, medians");
        let jobs = processors().to_string();
        let all_threads = format!("validate -j {jobs}");
        let ways: [(&str, &[&str]); 4] = [
            ("validate -j 1", &["validate", "-j", "1"]),
            (&all_threads, &["validate", "-j", &jobs]),
            (
                "validate --strict -j 1",
                &["validate", "--strict", "-j", "1"],
            ),
            (
                "adjudicate as CSV, -j 1",
                &["adjudicate", "--format", "csv", "-j", "1"],
            ),
        ];
        let mut programs = vec![("pgn-reader with shakmaty".to_owned(), peer(&games.path))];
        for (name, words) in ways {
            programs.extend(both_builds(name, words, &games.path));
        }
        programs.push((
            "validate -j 1, .zst".to_owned(),
            arbiter(&["validate", "-j", "1"], &packed),
        ));
        let times = in_turns(rounds, programs);
        compared_with_peer(games, &times);
        let wall = |name: &str| times.iter().find(|it| it.name == name).map(Times::wall);
        if let (Some(one), Some(all)) = (wall("validate -j 1"), wall(&all_threads)) {
            println!("{jobs} threads against one: {:.2}", one / all);
        }
        let _ = std::fs::remove_file(&packed);
    });
}

/// Compresses games like `zstd`, in one frame that declares its content size.
fn pack(games: &Games, path: &Path) -> io::Result<()> {
    let mut encoder = Encoder::new(File::create(path)?, 3)?;
    encoder.set_pledged_src_size(Some(games.bytes))?;
    encoder.include_contentsize(true)?;
    io::copy(&mut File::open(&games.path)?, &mut encoder)?;
    encoder.finish()?.flush()
}
