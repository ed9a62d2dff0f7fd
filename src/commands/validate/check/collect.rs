//! Findings of one game, of which not too many are kept.

use std::ops::{Deref, DerefMut};

use crate::commands::validate::check::{Checks, Finding, text};
use crate::commands::validate::registry::{Rule, RuleBits};

/// More findings of one game than this are counted only; the first of each rule is kept in any
/// case, so that the worst severity is always seen.
const MOST_OF_GAME: usize = 1_000;

/// The same for one position of a list.
const MOST_OF_POSITION: usize = 100;

/// Findings of one game, appended to those of earlier games.
pub(crate) struct Findings<'a> {
    list: &'a mut Vec<Finding>,
    checks: &'a Checks,
    /// Index of the first finding of the game.
    first: usize,
    /// Number of further findings admitted.
    room: usize,
    /// The rules admitted in the main line and in variations.
    seen: [RuleBits; 2],
    left_out: u64,
}

impl<'a> Findings<'a> {
    /// Findings of one game.
    pub(crate) fn of_game(list: &'a mut Vec<Finding>, checks: &'a Checks) -> Findings<'a> {
        Findings::new(list, checks, MOST_OF_GAME)
    }

    /// Findings of one position of a list.
    pub(crate) fn of_position(list: &'a mut Vec<Finding>, checks: &'a Checks) -> Findings<'a> {
        Findings::new(list, checks, MOST_OF_POSITION)
    }

    fn new(list: &'a mut Vec<Finding>, checks: &'a Checks, room: usize) -> Findings<'a> {
        Findings {
            first: list.len(),
            list,
            checks,
            room,
            seen: [RuleBits::default(); 2],
            left_out: 0,
        }
    }

    /// Whether a finding is to be added, which is then not to be asked for again; otherwise it is
    /// counted, if its rule is looked for. To be asked before the finding is put into words.
    #[inline]
    pub(crate) fn admit(&mut self, rule: &Rule, in_variation: bool) -> bool {
        if !self.checks.has(rule) {
            return false;
        }
        let seen = &mut self.seen[usize::from(in_variation)];
        if self.room == 0 && seen.has(rule) {
            self.left_out += 1;
            return false;
        }
        seen.insert(rule);
        self.room = self.room.saturating_sub(1);
        true
    }

    /// Adds a finding that has been admitted.
    pub(crate) fn push_admitted(&mut self, finding: Finding) {
        self.list.push(finding);
    }

    /// Adds a finding, or counts it.
    pub(crate) fn push(&mut self, finding: Finding) {
        if self.admit(finding.rule, finding.in_variation) {
            self.list.push(finding);
        }
    }

    /// Adds findings, or counts them.
    pub(crate) fn extend(&mut self, findings: impl IntoIterator<Item = Finding>) {
        for finding in findings {
            self.push(finding);
        }
    }

    /// Admits what has been added to the list since it had this length, by checks that do not ask.
    pub(crate) fn admit_since(&mut self, length: usize) {
        let mut kept = length;
        for nth in length..self.list.len() {
            let (rule, in_variation) = (self.list[nth].rule, self.list[nth].in_variation);
            if self.admit(rule, in_variation) {
                self.list.swap(kept, nth);
                kept += 1;
            }
        }
        self.list.truncate(kept);
    }

    /// Counts findings that are not put into words.
    pub(crate) fn leave_out(&mut self, rule: &Rule, count: u64) {
        if self.checks.has(rule) {
            self.left_out += count;
        }
    }

    /// Ends the game or position, called `unit`: says how many faults are not listed, drops what is
    /// not looked for, and sorts by place. Returns what is kept.
    pub(crate) fn finish(&mut self, unit: &str, text: &[u8]) -> &[Finding] {
        self.list.extend(text::more(self.left_out, unit, text));
        if self.list.len() > self.first {
            self.checks.keep(self.list, self.first);
            self.list[self.first..].sort_by_key(|finding| finding.span);
        }
        &self.list[self.first..]
    }
}

/// Checks that find little add to the list itself.
impl Deref for Findings<'_> {
    type Target = Vec<Finding>;

    fn deref(&self) -> &Vec<Finding> {
        self.list
    }
}

impl DerefMut for Findings<'_> {
    fn deref_mut(&mut self) -> &mut Vec<Finding> {
        self.list
    }
}
