//! `stats` against the tag pass of pgn-reader, which skips movetext, as whole commands in turns.
//!
//! `cargo bench --bench stats`. The games are those of the benchmark `validate`.
//! `ARBITER_BENCH_FILE` names another file, `ARBITER_BINARY` another arbiter than the one built
//! with the benchmark, and `ARBITER_PLAIN` a plain release build to run beside it. All programs
//! read an uncompressed file in the page cache. `ARBITER_ROUNDS` is the number of rounds.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a benchmark prints its figures"
)]

mod common;

use std::fs::File;
use std::ops::ControlFlow;
use std::path::Path;

use common::{
    both_builds, compared_with_peer, each_kind, in_turns, is_peer, peer, print_machine,
    print_peers, processors, rounds,
};
use pgn_reader::{RawTag, Reader, Skip, Visitor};

/// Counts White wins, draws and Black wins by the Result tag, and skips the rest.
struct Results([u64; 3]);

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

fn pgn_reader_tags(path: &Path) {
    let mut reader = Reader::new(File::open(path).expect("the file can be opened"));
    let mut results = Results([0; 3]);
    while reader
        .read_game(&mut results)
        .expect("the file can be read")
        .is_some()
    {}
    println!("{:?}", results.0);
}

fn main() {
    if let Some(path) = is_peer() {
        return pgn_reader_tags(&path);
    }
    print_machine();
    print_peers(&["pgn-reader"]);
    let ways: [(&str, &[&str]); 3] = [
        ("", &[]),
        (" by year, eco", &["--by", "year", "--by", "eco"]),
        (" by player", &["--by", "player"]),
    ];
    each_kind(|games| {
        let rounds = rounds(15);
        println!("\n{games}; {rounds} rounds, medians");
        let mut programs = vec![("pgn-reader, tags only".to_owned(), peer(&games.path))];
        for (by, keys) in ways {
            for jobs in [1, processors()].map(|jobs| jobs.to_string()) {
                let words = [&["stats", "-j", &jobs], keys].concat();
                let name = format!("stats{by} -j {jobs}");
                programs.extend(both_builds(&name, &words, &games.path));
            }
        }
        compared_with_peer(games, &in_turns(rounds, programs));
    });
}
