//! Accounts of the games and bytes of a run.

use std::ops::AddAssign;

use crate::commands::interrupt;
use crate::error::Error;
use crate::input::{InputKind, Source};
use crate::pipeline::{Part, SourceEnd};
use crate::report::DecimalBytes;

pub use crate::findings::accounts::{AccountWords, Accounts, CHECKED, COUNTED, PLAYED};

/// Games and bytes of the sources. At the end every byte must belong to a processed game or lie
/// outside of games.
#[derive(Clone, Copy, Default)]
pub(crate) struct InputTotals {
    /// Games found while reading.
    pub(crate) games: u64,
    /// Games skipped by the selection.
    pub(crate) skipped: u64,
    /// Bytes of text read.
    read: u64,
    /// Bytes that belong to no game; an error of the source says why.
    outside: u64,
    /// Bytes of games that the threads have returned, selected or not.
    processed: u64,
}

impl AddAssign for InputTotals {
    fn add_assign(&mut self, more: InputTotals) {
        self.games += more.games;
        self.skipped += more.skipped;
        self.read += more.read;
        self.outside += more.outside;
        self.processed += more.processed;
    }
}

impl InputTotals {
    /// Adds a chunk.
    pub(crate) fn add<T>(&mut self, part: &Part<T>) {
        self.skipped += part.skipped;
        self.processed += part.bytes;
    }

    /// Adds the end of a source.
    pub(crate) fn end(&mut self, end: &SourceEnd) {
        self.games += end.games;
        self.read += end.read;
        if end.error.is_some() {
            self.outside += end.read - end.bytes;
        }
    }

    /// `5 seen (1 other not chosen) = 4 clean + 1 with findings + 0 unreadable; 1.2 kB`
    pub(crate) fn line(&self, accounts: Accounts, words: AccountWords) -> String {
        let skipped = match self.skipped {
            0 => String::new(),
            1 => " (1 other not chosen)".to_owned(),
            skipped => format!(" ({skipped} others not chosen)"),
        };
        let outside = match self.outside {
            0 => String::new(),
            outside => format!(" + {} outside of games", DecimalBytes(outside)),
        };
        format!(
            "{} seen{skipped} = {}; {}{outside}",
            accounts.seen(),
            accounts.sum(words),
            DecimalBytes(self.processed)
        )
    }

    /// Checks that every game found has been judged, and every byte read belongs somewhere.
    pub(crate) fn check(&self, accounts: Accounts) -> Result<(), Error> {
        // A signal ends the last pass over a followed file.
        if interrupt::asked() {
            return Ok(());
        }
        if accounts.seen() + self.skipped != self.games {
            return Err(Error::Internal(format!(
                "{} games were found but {} judged",
                self.games - self.skipped,
                accounts.seen()
            )));
        }
        if self.processed + self.outside != self.read {
            return Err(Error::Internal(format!(
                "{} bytes were read, but {} judged and {} left out",
                self.read, self.processed, self.outside
            )));
        }
        Ok(())
    }
}

/// Unit of the sources: `game` or `position`; games if there are both.
pub(crate) fn unit_of(sources: &[Source]) -> &'static str {
    let holds_games = |source: &Source| source.kind == InputKind::Pgn;
    match sources.is_empty() || sources.iter().any(holds_games) {
        true => InputKind::Pgn.unit(),
        false => InputKind::Fen.unit(),
    }
}
