//! Accounts of games.

use std::fmt;
use std::ops::AddAssign;

use crate::findings::GameStatus;
use crate::findings::registry::Severity;
use crate::text::append;

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
    pub fn sum(self, [clean, with_findings]: AccountWords) -> String {
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
    pub fn has_readable(self) -> bool {
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
pub type AccountWords = [&'static str; 2];

/// Games that were checked.
pub const CHECKED: AccountWords = ["clean", "with findings"];
/// Games whose results were counted, unchecked.
pub const COUNTED: AccountWords = ["counted", "with another result"];
/// Games whose moves were played, otherwise unchecked.
pub const PLAYED: AccountWords = ["played to the end", "stopped early"];

impl AddAssign for Accounts {
    fn add_assign(&mut self, more: Accounts) {
        self.clean += more.clean;
        self.with_findings += more.with_findings;
        self.unreadable += more.unreadable;
    }
}

/// `findings: 2 error, 1 warning, 0 note; 1 can be repaired by --fix`, from the numbers by
/// severity, notes first, of those about a whole file, and of those that `--fix` repairs, and
/// `--fix-suggestions` besides.
pub fn findings_line(counts: [u64; 3], of_files: u64, fixable: [u64; 2]) -> String {
    let [notes, warnings, errors] =
        Severity::ALL.map(|severity| format!("{} {severity}", counts[severity as usize]));
    let mut line = format!("findings: {errors}, {warnings}, {notes}");
    if of_files > 0 {
        append!(line, "; {of_files} of them about a whole file");
    }
    match fixable {
        [0, 0] => {}
        [0, some] => append!(line, "; {some} can be repaired by --fix-suggestions"),
        [some, 0] => append!(line, "; {some} can be repaired by --fix"),
        [some, more] => append!(
            line,
            "; {some} can be repaired by --fix, {more} more by --fix-suggestions"
        ),
    }
    line
}
