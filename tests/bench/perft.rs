//! Perft against other move generators on one thread, all in the same run.
//!
//! `cargo bench --bench perft`. All three count the last ply instead of playing it. A second part
//! compares arbiter with and without a transposition table. `ARBITER_ROUNDS` is the number of
//! rounds, 5 by default.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a benchmark prints its figures"
)]

mod common;

use arbiter::chess::Position;
use arbiter::commands::perft::counting::{CountTable, Perft, perft};
use common::{median, print_machine, print_peers, rounds, timed};
use pgn_reader::shakmaty::{self, CastlingMode, Chess, fen::Fen};

const POSITIONS: [(&str, &str, u32); 4] = [
    (
        "start",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        6,
    ),
    (
        "kiwipete",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        5,
    ),
    (
        "rook endgame",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        7,
    ),
    (
        "middlegame",
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        5,
    ),
];

/// Depths of the first two positions with a table; deeper, so that positions recur.
const REMEMBERED_DEPTHS: [u32; 2] = [7, 6];

/// Size of the table, in MiB.
const TABLE: usize = 256;

/// Perft of a FEN.
type Counter = fn(&str, u32) -> u64;

const PROGRAMS: [(&str, Counter); 3] = [
    ("arbiter", arbiter_perft),
    ("shakmaty", shakmaty_perft),
    ("cozy-chess", cozy_perft),
];

fn arbiter_perft(fen: &str, depth: u32) -> u64 {
    perft(&fen.parse().unwrap(), depth)
}

/// Perft including allocating and dropping the table.
fn perft_with_table(fen: &str, depth: u32) -> u64 {
    let position: Position = fen.parse().unwrap();
    let counter = Perft {
        table: Some(&CountTable::new(TABLE).unwrap()),
        stop: None,
        counted: None,
    };
    counter.count(&position, depth).unwrap()
}

fn shakmaty_perft(fen: &str, depth: u32) -> u64 {
    let fen: Fen = fen.parse().unwrap();
    let position: Chess = fen.into_position(CastlingMode::Standard).unwrap();
    shakmaty::perft(&position, depth)
}

fn cozy_perft(fen: &str, depth: u32) -> u64 {
    fn count(board: &cozy_chess::Board, depth: u32) -> u64 {
        let mut nodes = 0;
        board.generate_moves(|moves| {
            if depth == 1 {
                nodes += moves.len() as u64;
            } else {
                for mv in moves {
                    let mut next = board.clone();
                    next.play_unchecked(mv);
                    nodes += count(&next, depth - 1);
                }
            }
            false
        });
        nodes
    }
    count(&fen.parse().unwrap(), depth)
}

fn main() {
    let rounds = rounds(5);
    print_machine();
    print_peers(&["shakmaty", "cozy-chess"]);
    println!("one thread, {rounds} rounds, medians");

    // Alternating spreads changes of clock speed over all programs.
    let mut nodes = [0; POSITIONS.len()];
    let mut seconds = [const { [const { Vec::new() }; PROGRAMS.len()] }; POSITIONS.len()];
    for round in 0..rounds {
        for (nth, (name, fen, depth)) in POSITIONS.into_iter().enumerate() {
            for turn in 0..PROGRAMS.len() {
                let which = (round + turn) % PROGRAMS.len();
                let (program, perft) = PROGRAMS[which];
                let (counted, time) = timed(|| perft(fen, depth));
                if nodes[nth] == 0 {
                    nodes[nth] = counted;
                }
                assert_eq!(counted, nodes[nth], "{program} on {name}");
                seconds[nth][which].push(time);
            }
        }
    }

    print!("\n{:13} {:>5} {:>12}", "position", "depth", "nodes");
    for (program, _) in PROGRAMS {
        print!(" {program:>10} s {:>8}", "Mnodes/s");
    }
    for (program, _) in &PROGRAMS[1..] {
        print!(" {:>13}", format!("x {program}"));
    }
    println!();
    let row = |name: &str, depth: &str, nodes: u64, medians: [f64; PROGRAMS.len()]| {
        print!("{name:13} {depth:>5} {nodes:>12}");
        for time in medians {
            print!(" {time:>12.3} {:>8.1}", nodes as f64 / time / 1e6);
        }
        for time in &medians[1..] {
            print!(" {:>13.2}", time / medians[0]);
        }
        println!();
    };
    let mut total = [0.0; PROGRAMS.len()];
    for (nth, (name, _, depth)) in POSITIONS.into_iter().enumerate() {
        let medians = seconds[nth].each_ref().map(|times| median(times));
        for (sum, time) in total.iter_mut().zip(medians) {
            *sum += time;
        }
        row(name, &depth.to_string(), nodes[nth], medians);
    }
    row("total", "", nodes.iter().sum(), total);

    println!(
        "\n{:13} {:>5} {:>12} {:>12} {:>12} {:>13}",
        "position",
        "depth",
        "nodes",
        "arbiter s",
        format!("{TABLE} MiB s"),
        "x no table"
    );
    for ((name, fen, _), depth) in POSITIONS.into_iter().zip(REMEMBERED_DEPTHS) {
        let mut seconds = [Vec::new(), Vec::new()];
        let mut nodes = 0;
        for _ in 0..rounds {
            let (counted, time) = timed(|| arbiter_perft(fen, depth));
            seconds[0].push(time);
            nodes = counted;
            let (counted, time) = timed(|| perft_with_table(fen, depth));
            seconds[1].push(time);
            assert_eq!(counted, nodes, "{name} with a table");
        }
        let [without, with] = seconds.each_ref().map(|times| median(times));
        println!(
            "{name:13} {depth:>5} {nodes:>12} {without:>12.3} {with:>12.3} {:>13.2}",
            without / with
        );
    }
}
