//! Result counts against the tag pass of pgn-reader, which skips movetext, in the same run.
//!
//! `cargo bench --bench stats`. The games are those of
//! `$ARBITER_CORPUS/bulk/masters_dense.pgn.zst`, or the repeated fixtures without a corpus.
//! `ARBITER_BENCH_FILE` names another file. Both programs read an uncompressed file in the page
//! cache. `ARBITER_ROUNDS` is the number of rounds.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a benchmark prints its figures"
)]

mod common;

use std::env;
use std::fs::{self, File};
use std::ops::ControlFlow;
use std::path::Path;

use arbiter::commands::stats::count::{Counter, Key, Plan, Tally};
use arbiter::error::Error;
use arbiter::input::Source;
use arbiter::pipeline::{Item, Run};
use arbiter::replay;
use common::{games, median, print_machine, print_scaling, rounds, runs, sources, timed};
use pgn_reader::{RawTag, Reader, Skip, Visitor};

/// Number of White wins, draws and Black wins.
type Counted = [u64; 3];

fn arbiter(sources: &[Source], run: &Run, keys: &[Key]) -> Counted {
    let plan = Plan {
        keys: keys.to_vec(),
        ..Plan::default()
    };
    let run = run.clone().tags_only(plan.tags());
    let counters = run
        .in_order(
            sources,
            || Counter::new(&plan, replay::Reader::new()),
            |counter, source, chunk, _| counter.count(source.name(), chunk),
            |()| 0,
            |item| {
                if let Item::End(end) = item {
                    assert!(end.error.is_none(), "{:?}", end.error);
                }
                Ok::<(), Error>(())
            },
        )
        .expect("threads can be started");
    let whole = Counter::sum(counters);
    let Tally {
        white,
        draws,
        black,
        ..
    } = whole.counts.tally();
    [white, draws, black]
}

/// Reads the Result tag and skips the rest.
struct Results(Counted);

impl Visitor for Results {
    type Tags = ();
    type Movetext = ();
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn tag(&mut self, (): &mut (), name: &[u8], value: RawTag<'_>) -> ControlFlow<()> {
        if name == b"Result" {
            match value.as_bytes() {
                b"1-0" => self.0[0] += 1,
                b"1/2-1/2" => self.0[1] += 1,
                b"0-1" => self.0[2] += 1,
                _ => {}
            }
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<()> {
        ControlFlow::Break(())
    }

    fn begin_variation(&mut self, (): &mut ()) -> ControlFlow<(), Skip> {
        ControlFlow::Continue(Skip(true))
    }

    fn end_game(&mut self, (): ()) {}
}

fn pgn_reader_tags(path: &Path) -> Counted {
    let mut reader = Reader::new(File::open(path).expect("the file can be opened"));
    let mut results = Results([0; 3]);
    while reader
        .read_game(&mut results)
        .expect("the file can be read")
        .is_some()
    {}
    results.0
}

fn main() {
    let rounds = rounds(15);
    let (name, text) = games();
    let bytes = text.len();
    let path = env::temp_dir().join(format!("arbiter-bench-stats-{}.pgn", std::process::id()));
    fs::write(&path, text).expect("the temporary file can be written");
    let runs = runs();
    print_machine();
    println!("{name}: {bytes} bytes; {rounds} rounds, medians");

    let ways: [(&str, &[Key]); 3] = [
        ("", &[]),
        (", by year, eco", &[Key::Year, Key::Eco]),
        (", by player", &[Key::Player]),
    ];
    let mut names = vec!["pgn-reader, tags only".to_owned()];
    let mut programs: Vec<Box<dyn Fn() -> Counted>> = vec![Box::new(|| pgn_reader_tags(&path))];
    for (by, keys) in ways {
        for run in &runs {
            let file = sources(&path, 1);
            names.push(format!("arbiter -j {}{by}", run.jobs));
            programs.push(Box::new(move || arbiter(&file, run, keys)));
        }
    }
    // The first round fills the page cache.
    // Alternating spreads changes of clock speed over all programs.
    let mut seconds = vec![Vec::new(); programs.len()];
    let mut counted = vec![[0; 3]; programs.len()];
    for round in 0..=rounds {
        for turn in 0..programs.len() {
            let which = (round + turn) % programs.len();
            let (found, time) = timed(&programs[which]);
            counted[which] = found;
            if round > 0 {
                seconds[which].push(time);
            }
        }
    }

    println!(
        "\n{:28} {:>9} {:>10} {:>8} {:>7}",
        "", "s", "games/s", "MB/s", "ratio"
    );
    let base = median(&seconds[0]);
    let games: u64 = counted[0].iter().sum();
    for (name, (times, found)) in names.iter().zip(seconds.iter().zip(&counted)) {
        assert_eq!(*found, counted[0], "both sides count the same results");
        let time = median(times);
        println!(
            "{name:28} {time:>9.4} {:>10.0} {:>8.1} {:>7.2}",
            games as f64 / time,
            bytes as f64 / time / 1e6,
            base / time
        );
    }
    for (by, keys) in ways {
        print!("{:28} ", by.trim_start_matches(", "));
        print_scaling(&runs, rounds, |run, files| {
            arbiter(&sources(&path, files), run, keys);
        });
    }
    let _ = fs::remove_file(&path);
}
