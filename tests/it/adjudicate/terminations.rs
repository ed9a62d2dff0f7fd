//! Recorded termination of games in real files.

use std::collections::BTreeMap;
use std::sync::Arc;

use arbiter::input::{Buffers, Search, expand};
use arbiter::pgn::termination::{Reason, Termination};
use arbiter::replay::Reader;

use crate::corpus;

/// Recorded terminations of the games of a file.
#[derive(Default, Debug)]
struct Found {
    games: usize,
    reasons: BTreeMap<&'static str, usize>,
    /// Games whose tags name the loser.
    against: usize,
    /// Unknown words in tags.
    unknown: BTreeMap<String, usize>,
}

impl Found {
    fn in_file(name: &str) -> Option<Found> {
        let (sources, errors) = expand(&[corpus::path(name)?], &Search::default());
        assert!(errors.is_empty(), "{errors:?}");
        let mut found = Found::default();
        let mut reader = Reader::new();
        for source in &sources {
            let stream = source.open(Arc::default()).unwrap();
            for chunk in source.chunks(stream, 1 << 20, Buffers::default()) {
                // Some of the tricky files are not text.
                let Ok(chunk) = chunk else { break };
                for text in chunk.games() {
                    found.games += 1;
                    let game = reader.read(text.bytes, text.unclosed_comment);
                    let Some(said) = Termination::of(game, text.bytes) else {
                        continue;
                    };
                    match said.reason {
                        Some(reason) => *found.reasons.entry(reason.as_str()).or_default() += 1,
                        None => {
                            let words = String::from_utf8_lossy(said.words.of(text.bytes));
                            *found.unknown.entry(words.into_owned()).or_default() += 1;
                        }
                    }
                    found.against += usize::from(said.against.is_some());
                }
            }
        }
        Some(found)
    }

    fn recognised(&self) -> usize {
        self.reasons.values().sum()
    }

    /// Number of games with a reason other than a normal end or none.
    fn telling(&self) -> usize {
        self.recognised()
            - [Reason::Normal, Reason::Unterminated]
                .iter()
                .filter_map(|reason| self.reasons.get(reason.as_str()))
                .sum::<usize>()
    }
}

/// Expects the number of games, of recognised reasons, of reasons other than a normal end or none,
/// and of games that name the loser. No words are left unrecognised.
#[track_caller]
fn check(name: &str, expected: [usize; 4]) {
    let Some(found) = Found::in_file(name) else {
        return;
    };
    assert_eq!(
        [
            found.games,
            found.recognised(),
            found.telling(),
            found.against
        ],
        expected,
        "{name}: {found:#?}"
    );
    assert!(found.unknown.is_empty(), "{name}: {:#?}", found.unknown);
}

#[test]
fn every_closing_comment_of_fics_and_of_engine_tournaments() {
    check(
        "outcomes/fics_ending_in_comment.pgn",
        [1_453, 1_453, 1_453, 1_259],
    );
    check("outcomes/threefold_engine_games", [1_312, 1_312, 1_312, 0]);
    check("bulk/cutechess.pgn", [526, 526, 515, 433]);
    check(
        "bulk/engines_long_comments_crlf.pgn.zst",
        [1_747, 1_747, 1_589, 749],
    );
    check("bulk/bom_eval_emt.pgn", [270, 270, 270, 0]);
}

#[test]
fn every_termination_tag_of_chesscom_and_lichess() {
    check("bulk/chesscom.pgn", [599, 599, 599, 586]);
    check(
        "bulk/chesscom_no_blank_lines.pgn",
        [1_667, 1_667, 1_667, 1_624],
    );
    check(
        "bulk/lichess_clk_eval_10k_games.pgn.zst",
        [10_024, 10_024, 1_500, 0],
    );
}

#[test]
fn games_that_say_nothing_of_their_end_and_games_with_comments_on_the_play() {
    check("bulk/twic1427.pgn", [4_742, 0, 0, 0]);
    check("bulk/annotated_variations.pgn", [42, 0, 0, 0]);
    check(
        "outcomes/engine_games/games.pgn.zst",
        [6_000, 2_606, 1_955, 0],
    );
    check("outcomes/labelled_by_folder", [690, 242, 241, 0]);
}
