//! Games counted together, and groups of them within groups.

use std::ops::AddAssign;

use crate::commands::stats::tally::draws::{DrawKind, DrawKinds};
use crate::commands::stats::tally::groups::Groups;
use crate::commands::stats::tally::{Rate, Tally};

/// How one game counts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// White won.
    White,
    /// Black won.
    Black,
    /// Drawn.
    Draw,
    /// No result.
    Unfinished,
    /// A recorded result that is none of the four.
    Other,
    /// Nothing of it could be read.
    Unreadable,
}

impl Outcome {
    pub(crate) const COUNT: usize = Outcome::Unreadable as usize + 1;
}

/// One game as it is counted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub outcome: Outcome,
    /// Of a drawn game, where kinds are counted.
    pub kind: Option<DrawKind>,
    /// Whether the rules give another result than the one on record.
    pub changed: bool,
    /// Whether the rules give none, so that the one on record stands.
    pub undecided: bool,
}

/// What is counted of a group of games.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Their results.
    pub tally: Tally,
    /// Where the group is a player's, the results of the games he had with White and with Black.
    pub sides: Option<Box<[Tally; 2]>>,
    /// The kinds of draws, if they are asked for.
    pub draw_kinds: Option<Box<DrawKinds>>,
    /// By the rules: the games of which they give another result than the one on record.
    pub changed: u64,
    /// By the rules: the games whose result they leave open, so that the one on record is counted.
    pub undecided: u64,
}

/// A group of games and the groups within it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Group {
    /// All games of the group.
    pub counts: Counts,
    /// The groups within it by the value of the next key; that of games of which it is not known is empty.
    pub by: Groups,
}

impl Counts {
    /// Games won, drawn and lost: of a player's group by him, of any other by White.
    pub fn record(&self) -> [u64; 3] {
        match self.sides.as_deref() {
            None => [self.tally.white, self.tally.draws, self.tally.black],
            Some([white, black]) => [
                white.white + black.black,
                self.tally.draws,
                white.black + black.white,
            ],
        }
    }

    /// Points a game by [`Counts::record`].
    pub fn points(&self) -> Option<Rate> {
        let [won, drawn, lost] = self.record();
        Rate::points(won, drawn, lost)
    }
}

impl Group {
    /// A group without others in it.
    pub(crate) fn of(counts: Counts) -> Group {
        Group {
            counts,
            by: Groups::default(),
        }
    }
}

impl AddAssign for Counts {
    fn add_assign(&mut self, more: Counts) {
        self.tally += more.tally;
        if let Some(more) = more.sides {
            let sides = self.sides.get_or_insert_default();
            for (sum, more) in sides.iter_mut().zip(*more) {
                *sum += more;
            }
        }
        if let Some(more) = more.draw_kinds {
            **self.draw_kinds.get_or_insert_default() += *more;
        }
        self.changed += more.changed;
        self.undecided += more.undecided;
    }
}

/// Adding groups is commutative and associative, as nothing but integers is kept: games can be counted in any order, in any
/// parts, and on any number of machines.
impl AddAssign for Group {
    fn add_assign(&mut self, more: Group) {
        self.counts += more.counts;
        self.by += more.by;
    }
}
