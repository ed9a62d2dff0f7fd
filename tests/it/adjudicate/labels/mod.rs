//! Ends of real games, by the rules and by the record.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

mod agreement;
mod contradictions;
mod engines;
mod folders;
mod one_law;

use arbiter::adjudication::{Adjudication, Adjudicator, CanWin, RuledReason, Ruling, Verdict};
use arbiter::chess::{Color, Position, Uci};
use arbiter::commands::adjudicate::formats::{AdjudicatedGame, TaggedGames};
use arbiter::input::{Buffers, Search, Source, SourceId, expand};
use arbiter::law::rulesets::{CHESSCOM, ENGINE, FICS, FIDE};
use arbiter::law::{End, RuleSet};
use arbiter::pgn::{Game, ResultMark, TokenKind};
use arbiter::replay::{Reader, Replay, Start};
use arbiter::report::{Buffer, Format};
use arbiter::winnability::{SearchLimits, Solver};

use crate::corpus;

const NODES: SearchLimits = SearchLimits::DEFAULT;

/// Calls `each` with the file, game and text of every game of a corpus file or folder.
/// Returns the number of games, or `None` without a corpus.
fn each_game(name: &str, mut each: impl FnMut(&Path, &Game, &[u8])) -> Option<usize> {
    let (sources, errors) = expand(&[corpus::path(name)?], &Search::default());
    assert!(errors.is_empty(), "{errors:?}");
    let mut reader = Reader::new();
    let mut games = 0;
    for source in &sources {
        for (source, text) in source.members(Arc::default(), 1) {
            // Some of the tricky files are not text.
            let Ok(stream) = text else { break };
            let path = PathBuf::from(source.name());
            for chunk in source.chunks(stream, 1 << 20, Buffers::default()) {
                let Ok(chunk) = chunk else { break };
                for text in chunk.games() {
                    games += 1;
                    let game = reader.read(text.bytes, text.unclosed_comment);
                    each(&path, game, text.bytes);
                }
            }
        }
    }
    Some(games)
}

/// Text of a game with a comment before its result mark.
fn with_closing_comment(game: &Game, text: &[u8], words: &str) -> Vec<u8> {
    let (_, span) = game.result.expect("the game has a result");
    let at = span.range().start;
    [&text[..at], format!("{{{words}}} ").as_bytes(), &text[at..]].concat()
}

/// Labels a text under one rule set.
fn adjudicated(text: &[u8], rules: &'static RuleSet) -> Adjudication {
    let mut reader = Reader::new();
    let game = reader.read(text, None);
    Adjudicator::new(&[rules], NODES)
        .adjudicate(game, text)
        .unwrap_or_else(|fault| panic!("{fault:?}"))
}

/// Whether a UCI line from the end of a game leads to mate.
fn mates(text: &[u8], line: &[String]) -> bool {
    let mut reader = Reader::new();
    let game = reader.read(text, None);
    let (start, _) = Start::of(game, text, &Position::initial()).unwrap();
    let mut replay = Replay::new(game, start.position);
    replay.play_to_end();
    let mut position = replay.position().clone();
    for word in line {
        let uci = Uci::from_ascii(word.as_bytes()).unwrap();
        let mv = uci.to_move(&position).expect("a legal move");
        position.play_unchecked(mv);
    }
    position.is_checkmate()
}

/// Whether a reason is the expected end, or with `either` one of fifty moves and repetition.
fn is(reason: RuledReason, expected: End, either: bool) -> bool {
    let draws = [End::FiftyMoves, End::Threefold].map(RuledReason::End);
    reason == RuledReason::End(expected) || either && draws.contains(&reason)
}

#[test]
fn added_tags_are_all_that_is_added() {
    let ours = ["Ending", "RuledResult", "RuledReason", "RuleSet"];
    let mut adjudicator = Adjudicator::new(&[&FIDE], NODES);
    let mut again = Reader::new();
    let nowhere = Source::stdin(SourceId(0));
    for name in [
        "tricky",
        "outcomes",
        "bulk/twic1427.pgn",
        "bulk/latin1_crlf.pgn",
        "bulk/chesscom_no_blank_lines.pgn",
    ] {
        let games = each_game(name, |path, game, text| {
            let Ok(adjudication) = adjudicator.adjudicate(game, text) else {
                return;
            };
            let written = |game: &Game, text: &[u8]| {
                let mut out = Buffer::default();
                TaggedGames.item(
                    &mut out,
                    &AdjudicatedGame {
                        source: &nowhere,
                        number: 1,
                        game,
                        text,
                        adjudication: Ok(&adjudication),
                    },
                );
                out.into_bytes()
            };
            let out = written(game, text);
            let what = || format!("{}:\n{}", path.display(), String::from_utf8_lossy(&out));
            // The text with one insertion.
            let same = |(one, other): &(&u8, &u8)| one == other;
            let before = text.iter().zip(&out).take_while(same).count();
            let behind = text
                .iter()
                .rev()
                .zip(out.iter().rev())
                .take_while(same)
                .count();
            assert!(before + behind >= text.len(), "{}", what());
            // It reads as the same game with more tags, without duplicates.
            let read = again.read(&out, None);
            let missing = ours.iter().filter(|name| game.tag(text, name).is_none());
            assert_eq!(
                read.tags.len(),
                game.tags.len() + missing.count(),
                "{}",
                what()
            );
            let kinds = |game: &Game| {
                game.tokens
                    .iter()
                    .map(|token| token.kind)
                    .collect::<Vec<TokenKind>>()
            };
            assert_eq!(kinds(read), kinds(game), "{}", what());
            let twice = written(read, &out);
            assert_eq!(twice, out, "{}", what());
        });
        if games.is_none() {
            return;
        }
    }
}
