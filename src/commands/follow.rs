//! `--follow`: a file that grows, read anew at each change.
//!
//! Each pass reads the whole file as any run does, up to the last complete move, and prints the
//! items that no pass before has printed.

use std::collections::HashMap;
use std::fmt::Debug;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use crate::commands::held_file::read_whole;
use crate::commands::interrupt;
use crate::error::Error;
use crate::findings::registry::{
    Family, GAME_WITHOUT_MOVES, LONG_LINE, UNFINISHED_GAME, WRONG_PLY_COUNT,
};
use crate::findings::{Finding, GameStatus};
use crate::input::{GameNo, GameText, InputKind, Source, lock, split_games};
use crate::pgn::{Game, ResultMark, TokenKind};
use crate::replay::{Reader, of_text};
use crate::report::{FileState, Sink};

/// Time between two readings of the file's metadata.
const POLL: Duration = Duration::from_millis(250);

/// Polls without a text after which there is none: some programs remove a file and write it anew.
const GONE: u32 = 8;

/// File that is followed.
pub(crate) struct Follow {
    /// The file, read as `text`.
    source: Source,
    text: Arc<Mutex<Arc<[u8]>>>,
    path: PathBuf,
    state: Option<FileState>,
    printed: Arc<Mutex<Printed>>,
}

/// How often the items of each hash have been met in this pass, and printed in all.
type Printed = HashMap<u64, [u64; 2]>;

/// Pass over a text of a file that is followed; by default, the only pass of another run.
#[derive(Clone, Default)]
pub(crate) struct FollowPass {
    printed: Option<Arc<Mutex<Printed>>>,
    /// The last game of the text.
    last: GameNo,
}

impl Follow {
    /// Follows the only input, of which an error has been reported if there is no source.
    pub(crate) fn new(inputs: &[PathBuf], sources: &mut [Source]) -> Result<Option<Follow>, Error> {
        match (inputs, sources) {
            (_, []) => Ok(None),
            ([path], [file]) if path.is_file() && file.kind == InputKind::Pgn => {
                interrupt::is_usual_end();
                let text = Arc::default();
                *file = file.snapshot(Arc::clone(&text));
                Ok(Some(Follow {
                    source: file.clone(),
                    text,
                    path: path.clone(),
                    state: None,
                    printed: Arc::default(),
                }))
            }
            _ => Err(Error::usage(
                "`--follow` reads one PGN file, and no other input",
            )),
        }
    }

    /// Waits for a new text, and takes it without what may be incomplete; `None` after a signal or
    /// at the end of a closed pipe. A file that is gone, or of another kind, is an error.
    pub(crate) fn next_text(&mut self, sink: &mut Sink) -> Result<Option<FollowPass>, Error> {
        // Frees the text of the pass before.
        *lock(&self.text) = Arc::default();
        let (mut missing, mut unreadable) = (0, 0);
        sink.flush()?;
        while !interrupt::asked() && !sink.is_closed() {
            // Another kind of file may block.
            let state = FileState::of(&self.path).filter(|_| self.path.is_file());
            missing = if state.is_some() { 0 } else { missing + 1 };
            if missing == GONE {
                return Err(Error::unsupported(self.source.name(), "the file is gone"));
            }
            if state.is_some() && state != self.state {
                let text = read(&self.path);
                unreadable = if text.is_ok() { 0 } else { unreadable + 1 };
                // A file that changes meanwhile is read again, and so is one that is no text yet.
                let is_whole = unreadable == 0 || unreadable > GONE;
                if is_whole && FileState::of(&self.path) == state {
                    self.state = state;
                    let mut text = text?;
                    let (end, last) = complete(&text);
                    text.truncate(end);
                    if !text.is_empty() {
                        *lock(&self.text) = text.into();
                        return Ok(Some(self.begin_pass(last)));
                    }
                }
            }
            thread::sleep(POLL);
            sink.flush()?;
        }
        Ok(None)
    }

    fn begin_pass(&self, last: GameNo) -> FollowPass {
        for [met, _] in lock(&self.printed).values_mut() {
            *met = 0;
        }
        let printed = Some(Arc::clone(&self.printed));
        FollowPass { printed, last }
    }
}

impl FollowPass {
    /// Whether a file is followed.
    pub(crate) fn follows(&self) -> bool {
        self.printed.is_some()
    }

    /// Whether an item has not been printed. Equal items of one pass are different ones.
    pub(crate) fn is_new<T: Debug>(&self, item: impl FnOnce() -> T) -> bool {
        let Some(printed) = &self.printed else {
            return true;
        };
        let hash = of_text(format!("{:?}", item()).as_bytes());
        let mut printed = lock(printed);
        let [met, all] = printed.entry(hash).or_default();
        *met += 1;
        let is_new = *met > *all;
        *all = (*all).max(*met);
        is_new
    }

    /// Whether a game goes on: its result is `*`, or it is the last and has none.
    pub(crate) fn is_running(&self, text: &GameText<'_>, game: &Game) -> bool {
        let goes_on = match game.result {
            Some((mark, _)) => mark == ResultMark::Unknown,
            None => game.other_result.is_none() && text.origin.game == self.last,
        };
        self.follows() && goes_on
    }

    /// Removes the findings about a running game that more text may take back.
    pub(crate) fn keep_final(
        &self,
        text: &GameText<'_>,
        game: &Game,
        findings: &mut Vec<Finding>,
        status: GameStatus,
    ) -> GameStatus {
        if !self.is_running(text, game) {
            return status;
        }
        findings.retain(is_final);
        match status {
            GameStatus::WithFindings if findings.is_empty() => GameStatus::Clean,
            status => status,
        }
    }
}

/// Whether a finding about a running game stays, whatever follows.
pub(crate) fn is_final(finding: &Finding) -> bool {
    let of_the_end = [
        &GAME_WITHOUT_MOVES,
        &LONG_LINE,
        &UNFINISHED_GAME,
        &WRONG_PLY_COUNT,
    ];
    finding.rule.family != Family::Results && !of_the_end.contains(&finding.rule)
}

/// Reads a file of plain text.
fn read(path: &Path) -> Result<Vec<u8>, Error> {
    let source = Source::named(path);
    let stream = source.open(Arc::default())?;
    let is_plain = source.is_read_as_stored();
    let (most, size) = match source.opened() {
        Some(found) if is_plain => (u64::MAX, found.len()),
        _ => (1, 0),
    };
    let text = read_whole(source.name(), stream.take(most), size as usize)?;
    match text.is_empty() || is_plain {
        true => Ok(text),
        false => Err(Error::unsupported(
            source.name(),
            "`--follow` reads plain text only",
        )),
    }
}

/// End of the last complete move or result of a text, outside of comments and variations, and the
/// number of the last game. No later text changes what is before.
fn complete(text: &[u8]) -> (usize, GameNo) {
    let games = split_games(text);
    let last = games.last().copied().unwrap_or(text);
    let mut reader = Reader::new();
    let (mut depth, mut end) = (0_usize, 0);
    for token in &reader.read(last, None).tokens {
        match token.kind {
            TokenKind::Open => depth += 1,
            TokenKind::Close => depth = depth.saturating_sub(1),
            _ => {}
        }
        let after = token.span.end as usize;
        let is_whole = match last.get(after) {
            Some(next) => next.is_ascii_whitespace() || b"{(;$)".contains(next),
            None => matches!(token.kind, TokenKind::Result(_)),
        };
        if depth == 0 && is_whole {
            end = after;
        }
    }
    let start = text.len() - last.len();
    (start + end, GameNo(games.len() as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_be_incomplete_is_left_out() {
        for (text, expected) in [
            ("1. e4 e", "1. e4"),
            ("1. e4 e5", "1. e4"),
            ("1. e4 e5 ", "1. e4 e5"),
            ("1. e4 e8=", "1. e4"),
            ("1. e4 {a", "1. e4"),
            ("1. e4 {a} e5 (1... c5 2. Nf3 ", "1. e4 {a} e5"),
            ("1. e4 {a} e5 (1... c5) 2. ", "1. e4 {a} e5 (1... c5)"),
            ("1. e4 e5 {(", "1. e4 e5"),
            ("1. e4 0-0", "1. e4"),
            ("1. e4 1/2", "1. e4"),
            ("1. e4 *", "1. e4 *"),
            ("1. e4 1-0\n\n", "1. e4 1-0"),
            ("1. e4 1/2-1/2 ", "1. e4 1/2-1/2"),
            ("{a", ""),
            ("", ""),
        ] {
            let head = "[White \"A\"]\n\n";
            let text = format!("{head}{text}");
            let expected = match expected.len() {
                0 => 0,
                moves => head.len() + moves,
            };
            let found = complete(text.as_bytes());
            assert_eq!(found, (expected, GameNo(1)), "{text}");
        }
        let two = b"1. e4 *\n\n[White \"B\"]\n\n1. d4 d";
        assert_eq!(complete(two), (two.len() - 2, GameNo(2)));
        assert_eq!(complete(&two[..12]), (8, GameNo(2)));
        assert_eq!(complete(b"\n"), (0, GameNo(0)));
    }
}
