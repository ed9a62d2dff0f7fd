//! Validation against pgn-reader with shakmaty, in the same run. A plain replay by arbiter, which
//! reads and plays every move without checks, shows the cost of the checks.
//!
//! `cargo bench --bench validate`. The games are those of three files of `$ARBITER_CORPUS/bulk`:
//! dense master games, games with clocks and evaluations, and engine games with long comments and
//! CRLF. Without a corpus they are the repeated fixtures. `ARBITER_BENCH_FILE` names another file.
//! Both programs read an uncompressed file in the page cache. `ARBITER_ROUNDS` is the number of
//! rounds.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a benchmark prints its figures"
)]

mod common;

use std::env;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::ops::ControlFlow;
use std::path::Path;
use std::process::{Command, Stdio};

use arbiter::chess::Position as ArbiterPosition;
use arbiter::commands::accounts::Accounts;
use arbiter::findings;
use arbiter::findings::Checks;
use arbiter::input::{Source, SourceId};
use arbiter::pipeline::Run;
use arbiter::replay;
use arbiter::replay::{Replay, Start};
use common::{
    fold, median, print_machine, print_scaling, rounds, runs, sources, timed, with_each_kind,
};
use pgn_reader::shakmaty::fen::Fen;
use pgn_reader::shakmaty::{CastlingMode, Chess, Position};
use pgn_reader::{RawTag, Reader, SanPlus, Visitor};
use zstd::{Decoder, Encoder};

/// Number of games, and of games with an illegal move or worse.
type Counted = (u64, u64);

/// All checks of `validate`.
fn arbiter(sources: &[Source], run: &Run) -> Counted {
    let initial = ArbiterPosition::initial();
    let checks = Checks::default();
    let accounts = fold(
        run,
        sources,
        || (replay::Reader::new(), Vec::new()),
        |(reader, found), _, chunk| {
            let mut accounts = Accounts::default();
            for text in chunk.games() {
                let game = reader.read(text.bytes, text.unclosed_comment);
                accounts.add(findings::check(game, text.bytes, &initial, &checks, found));
                found.clear();
            }
            accounts
        },
        Accounts::default(),
        |whole, part| *whole += part,
    );
    (accounts.seen(), accounts.with_findings)
}

/// Reads and plays every game on one thread, and keeps nothing.
fn plain_replay(path: &Path) -> Counted {
    let sources = [Source::file(SourceId(0), path.to_owned())];
    let initial = ArbiterPosition::initial();
    let run = Run {
        jobs: 1,
        ..Run::default()
    };
    fold(
        &run,
        &sources,
        replay::Reader::new,
        |reader, _, chunk| {
            let (mut games, mut bad) = (0, 0);
            for text in chunk.games() {
                let game = reader.read(text.bytes, text.unclosed_comment);
                let stopped = Start::of(game, text.bytes, &initial).is_ok_and(|(start, _)| {
                    let mut replay = Replay::new(game, start.position);
                    replay.play_to_end();
                    replay.stop().is_some()
                });
                games += 1;
                bad += u64::from(stopped);
            }
            (games, bad)
        },
        (0, 0),
        |whole, part| *whole = (whole.0 + part.0, whole.1 + part.1),
    )
}

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

fn pgn_reader_with_shakmaty(path: &Path) -> Counted {
    let mut reader = Reader::new(File::open(path).expect("the file can be opened"));
    let (mut games, mut bad) = (0, 0);
    while let Some(good) = reader
        .read_game(&mut Legality)
        .expect("the file can be read")
    {
        games += 1;
        bad += u64::from(!good);
    }
    (games, bad)
}

fn main() {
    print_machine();
    with_each_kind(measure);
}

fn measure(name: &str, text: &[u8]) {
    let rounds = rounds(7);
    let bytes = text.len();
    let path = env::temp_dir().join(format!("arbiter-bench-{}.pgn", std::process::id()));
    fs::write(&path, text).expect("the temporary file can be written");
    let runs = runs();
    println!("\n{name}: {bytes} bytes; {rounds} rounds, medians");

    let packed = path.with_extension("pgn.zst");
    pack(text, &packed).expect("the temporary file can be written");

    let peer = || pgn_reader_with_shakmaty(&path);
    let replay = || plain_replay(&path);
    let file = sources(&path, 1);
    let one = || arbiter(&file, &runs[0]);
    let many = || arbiter(&file, &runs[1]);
    let unpacking = || unpack(&packed);
    let packed_file = sources(&packed, 1);
    let one_packed = || arbiter(&packed_file, &runs[0]);
    let many_packed = || arbiter(&packed_file, &runs[1]);
    let many_name = format!("arbiter -j {}", runs[1].jobs);
    let programs: [(&str, &dyn Fn() -> Counted); 7] = [
        ("pgn-reader with shakmaty", &peer),
        ("plain replay of arbiter", &replay),
        ("arbiter -j 1", &one),
        (&many_name, &many),
        ("", &unpacking),
        ("", &one_packed),
        ("", &many_packed),
    ];
    // The first round fills the page cache.
    // Alternating spreads changes of clock speed over all programs.
    let mut seconds = [const { Vec::new() }; 7];
    let mut counted = [(0, 0); 7];
    for round in 0..=rounds {
        for turn in 0..programs.len() {
            let which = (round + turn) % programs.len();
            let (found, time) = timed(programs[which].1);
            counted[which] = found;
            if round > 0 {
                seconds[which].push(time);
            }
        }
    }

    println!(
        "{:26} {:>8} {:>6} {:>9} {:>10} {:>8} {:>7}",
        "", "games", "bad", "s", "games/s", "MB/s", "ratio"
    );
    let base = median(&seconds[0]);
    assert!(counted[5] == counted[2] && counted[6] == counted[2]);
    let rows = programs.iter().zip(seconds.iter().zip(counted));
    for ((name, _), (times, (games, bad))) in rows.take(4) {
        assert_eq!(games, counted[0].0, "both sides see the same games");
        let time = median(times);
        println!(
            "{name:26} {games:>8} {bad:>6} {time:>9.3} {:>10.0} {:>8.1} {:>7.2}",
            games as f64 / time,
            bytes as f64 / time / 1e6,
            base / time
        );
    }
    println!(
        "validate against plain replay, one thread: {:.0} %",
        100.0 * median(&seconds[1]) / median(&seconds[2])
    );
    let [one, many, unpacking, one_packed, many_packed] =
        [2, 3, 4, 5, 6].map(|nth| median(&seconds[nth]));
    // Lower bound: total work divided by the number of processors.
    let least = unpacking
        .max(many)
        .max((unpacking + one) / runs[1].jobs as f64);
    println!(
        "as .zst: {:.1} ms to unpack; -j 1 takes {:.1} ms, {:.2} of the slower of the two; -j {} {:.1} ms, {:.2} of the least",
        1e3 * unpacking,
        1e3 * one_packed,
        one_packed / unpacking.max(one),
        runs[1].jobs,
        1e3 * many_packed,
        many_packed / least
    );
    let [usual, strict] = command(&path, rounds);
    println!(
        "as a command, -j 1: {usual:.3} s, with --strict {strict:.3} s, {:.2} times",
        strict / usual
    );
    print_scaling(&runs, rounds, |run, files| {
        arbiter(&sources(&path, files), run);
    });
    let _ = fs::remove_file(&packed);
    let _ = fs::remove_file(&path);
}

/// Seconds of the command, by default and with `--strict`, which prints much more.
fn command(path: &Path, rounds: usize) -> [f64; 2] {
    let mut seconds = [Vec::new(), Vec::new()];
    for _ in 0..rounds {
        for (seconds, more) in seconds.iter_mut().zip([&[][..], &["--strict"]]) {
            let run = || {
                Command::new(env!("CARGO_BIN_EXE_arbiter"))
                    .args(["validate", "-q", "-j", "1"])
                    .args(more)
                    .arg(path)
                    .stdout(Stdio::null())
                    .stderr(Stdio::null())
                    .status()
            };
            let (status, time) = timed(run);
            assert!(status.expect("the command runs").code().is_some());
            seconds.push(time);
        }
    }
    seconds.map(|seconds| median(&seconds))
}

/// Compresses a text like `zstd`, in one frame that declares its content size.
fn pack(text: &[u8], path: &Path) -> io::Result<()> {
    let mut encoder = Encoder::new(File::create(path)?, 3)?;
    encoder.set_pledged_src_size(Some(text.len() as u64))?;
    encoder.include_contentsize(true)?;
    encoder.write_all(text)?;
    encoder.finish()?;
    Ok(())
}

/// Decompresses a file and discards the result.
fn unpack(path: &Path) -> Counted {
    let mut decoder = Decoder::new(File::open(path).expect("the file can be opened"))
        .expect("there is memory for a decoder");
    let mut block = vec![0; 256 << 10];
    while decoder.read(&mut block).expect("the file can be unpacked") > 0 {}
    (0, 0)
}
