//! The rules core against the mailbox at every ply of real games.

use std::sync::Arc;

use arbiter::chess::{CastlingMode, Position};
use arbiter::input::{Buffers, Search, expand};
use arbiter::replay::{Reader, Replay, Start};
use rayon::prelude::*;

use crate::chess::second_opinion::{Identities, check_position};
use crate::corpus;
use crate::mailbox::Mailbox;

/// Texts of selected games of a corpus file: the first, and then one in `every`.
fn games(name: &str, wanted: impl Fn(&[u8]) -> bool, every: usize) -> Option<Vec<Vec<u8>>> {
    let (sources, errors) = expand(&[corpus::path(name)?], &Search::default());
    assert!(errors.is_empty(), "{errors:?}");
    let stream = sources[0].open(Arc::default()).unwrap();
    let mut games = Vec::new();
    let mut seen = 0;
    for chunk in sources[0].chunks(stream, 1 << 20, Buffers::default()) {
        for game in chunk.unwrap().games().filter(|game| wanted(game.bytes)) {
            if seen % every == 0 {
                games.push(game.bytes.to_vec());
            }
            seen += 1;
        }
    }
    Some(games)
}

/// Plays a game to its end and compares every position with the mailbox. Returns their number.
fn check(text: &[u8], mode: CastlingMode) -> usize {
    let mut reader = Reader::new();
    let game = reader.read(text, None);
    let (start, _) = Start::of(game, text, &Position::initial()).unwrap();
    assert_eq!(start.mode, mode);
    let mut slow = Mailbox::read(&format!("{:#}", start.position));
    let mut identities = Identities::default();
    let mut replay = Replay::new(game, start.position);
    check_position(replay.position(), &slow, &mut identities);
    while let Some(ply) = replay.play() {
        slow = slow.after(ply.mv);
        check_position(replay.position(), &slow, &mut identities);
    }
    assert_eq!(replay.stop(), None, "{}", String::from_utf8_lossy(text));
    replay.plies() as usize + 1
}

fn check_all(games: &[Vec<u8>], mode: CastlingMode) -> usize {
    let positions = games.par_iter().map(|text| check(text, mode)).sum();
    println!("{} games, {positions} positions", games.len());
    positions
}

#[test]
fn two_thousand_master_games() {
    let Some(games) = games("bulk/masters_dense.pgn.zst", |_| true, 44) else {
        return;
    };
    assert!(games.len() > 2_000, "{} games", games.len());
    let positions = check_all(&games, CastlingMode::Standard);
    assert!(positions > 160_000, "{positions} positions");
}

#[test]
fn every_chess960_game_of_lichess() {
    let tag = memchr::memmem::Finder::new(b"[Variant \"Chess960\"]");
    let chess960 = |text: &[u8]| tag.find(text).is_some();
    let name = "bulk/lichess_clk_eval_10k_games.pgn.zst";
    let Some(games) = games(name, chess960, 1) else {
        return;
    };
    assert_eq!(games.len(), 96);
    let positions = check_all(&games, CastlingMode::Chess960);
    assert!(positions > 7_000, "{positions} positions");
}
