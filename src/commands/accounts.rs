//! Accounts of the games and bytes of a run.

use std::fmt;
use std::ops::AddAssign;

use crate::commands::interrupt;
use crate::error::Error;
use crate::findings::GameStatus;
use crate::input::{InputKind, Source};
use crate::pipeline::{Part, SourceEnd};
use crate::report::DecimalBytes;

/// Numbers of games by outcome: `seen = clean + with findings + unreadable`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Accounts {
    /// Games with nothing to report.
    pub clean: u64,
    /// Games with something to report.
    pub with_findings: u64,
    /// Games without a readable part.
    pub unreadable: u64,
}

impl Accounts {
    /// Adds one game.
    pub fn add(&mut self, verdict: GameStatus) {
        match verdict {
            GameStatus::Clean => self.clean += 1,
            GameStatus::WithFindings => self.with_findings += 1,
            GameStatus::Unreadable => self.unreadable += 1,
        }
    }

    /// `4 clean + 1 with findings + 0 unreadable`
    pub(crate) fn sum(self, [clean, with_findings]: AccountWords) -> String {
        format!(
            "{} {clean} + {} {with_findings} + {} unreadable",
            self.clean, self.with_findings, self.unreadable
        )
    }

    /// All games.
    pub fn seen(self) -> u64 {
        self.clean + self.with_findings + self.unreadable
    }

    /// Whether any game could be read.
    pub(crate) fn has_readable(self) -> bool {
        self.seen() > self.unreadable
    }
}

impl fmt::Display for Accounts {
    /// `5 seen = 4 clean + 1 with findings + 0 unreadable`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} seen = {}", self.seen(), self.sum(CHECKED))
    }
}

/// Names of the two kinds of readable games in the closing line of a command.
pub(crate) type AccountWords = [&'static str; 2];

/// Games that were checked.
pub(crate) const CHECKED: AccountWords = ["clean", "with findings"];
/// Games whose results were counted, unchecked.
pub(crate) const COUNTED: AccountWords = ["counted", "with another result"];
/// Games whose moves were played, otherwise unchecked.
pub(crate) const PLAYED: AccountWords = ["played to the end", "stopped early"];

impl AddAssign for Accounts {
    fn add_assign(&mut self, more: Accounts) {
        self.clean += more.clean;
        self.with_findings += more.with_findings;
        self.unreadable += more.unreadable;
    }
}

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
