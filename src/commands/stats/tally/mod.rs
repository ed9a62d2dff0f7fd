//! How games ended, counted: results by group, kinds of draws, and how sure the rates are.

mod compact;
mod counter;
mod draws;
mod group;
mod groups;
mod interval;
mod key;
mod leaves;
mod level;
mod names;
mod order;
mod percent;
mod statistics;
mod sums;
mod value;

use std::ops::{Add, AddAssign};

pub use counter::{Counter, Plan, ResultSource};
pub use draws::{DrawKind, DrawKinds};
pub use group::{Counts, Group, Outcome};
pub use groups::Groups;
pub use interval::{Difference, Rate};
pub use key::{Key, Needs};
pub use leaves::Leaves;
pub use order::{Choice, Chosen};
pub use percent::CutPercent;
pub use statistics::{MOST, Mismatch, Statistics};

/// Counts of results. Adding tallies is commutative and associative, so that games can be counted in any order and in
/// any parts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Tally {
    /// White won.
    pub white: u64,
    /// Black won.
    pub black: u64,
    /// Drawn.
    pub draws: u64,
    /// No result: `*`, or none at all.
    pub unfinished: u64,
    /// A recorded result that is none of the four, such as `0-0`.
    pub other: u64,
    /// Nothing of a game could be read.
    pub unreadable: u64,
}

impl AddAssign for Tally {
    fn add_assign(&mut self, more: Tally) {
        self.white += more.white;
        self.black += more.black;
        self.draws += more.draws;
        self.unfinished += more.unfinished;
        self.other += more.other;
        self.unreadable += more.unreadable;
    }
}

impl Add for Tally {
    type Output = Tally;

    fn add(mut self, more: Tally) -> Tally {
        self += more;
        self
    }
}

impl Tally {
    /// Games with one of the three results; percentages are of these.
    pub fn decided(&self) -> u64 {
        self.white + self.black + self.draws
    }

    /// All games of which something could be read.
    pub fn games(&self) -> u64 {
        self.decided() + self.unfinished + self.other
    }

    /// All games, those included of which nothing could be read.
    pub fn seen(&self) -> u64 {
        self.games() + self.unreadable
    }

    /// White's points a game, a draw counting one half. Nothing if no game has a result.
    pub fn white_score(&self) -> Option<Rate> {
        Rate::points(self.white, self.draws, self.black)
    }

    /// The share of draws. Nothing if no game has a result.
    pub fn draw_rate(&self) -> Option<Rate> {
        Rate::share(self.draws, self.decided())
    }
}

#[cfg(test)]
mod tests;
