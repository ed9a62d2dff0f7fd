//! Why games stop: a line for each game, but only one for each variant of chess.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::ops::AddAssign;

use crate::findings::concise;
use crate::findings::registry::OTHER_VARIANT;
use crate::findings::report::Report;
use crate::report::Log;

/// Findings that stopped games of a chunk, as lines of text.
#[derive(Default)]
pub(crate) struct Stops {
    lines: String,
    variants: Variants,
}

impl Stops {
    /// Adds a finding of a game.
    pub(crate) fn add(&mut self, file: &str, report: &Report<'_>) {
        if report.finding.rule.code != OTHER_VARIANT.code {
            return concise(&mut self.lines, file, report);
        }
        let mut line = String::new();
        concise(&mut line, file, report);
        let message = report.finding.message.clone();
        self.variants.add_games(message, line, 1, usize::MAX);
    }

    /// Size in bytes.
    pub(crate) fn weight(&self) -> usize {
        self.lines.len() + self.variants.weight()
    }

    /// Writes the lines, and adds the variants to those of earlier chunks.
    pub(crate) fn say(self, log: &Log, variants: &mut Variants) {
        if !self.lines.is_empty() {
            log.say(&self.lines);
        }
        *variants += self.variants;
    }
}

/// Variants named one by one; others share a line.
const MOST_VARIANTS: usize = 50;

/// Variants met, with the number of games of each.
#[derive(Default)]
pub(crate) struct Variants {
    /// By message: the order of the variant, the line on its first game, and its games.
    named: BTreeMap<String, (usize, String, u64)>,
    /// Games of variants beyond [`MOST_VARIANTS`]. Only sums are limited: chunks may meet the
    /// variants in any order.
    others: u64,
}

impl Variants {
    /// Adds games of a variant: the message, and the line on the first game, which ends with
    /// `(game 3)`.
    fn add_games(&mut self, message: String, line: String, games: u64, most: usize) {
        let order = self.named.len();
        match self.named.entry(message) {
            Entry::Occupied(mut entry) => entry.get_mut().2 += games,
            Entry::Vacant(entry) if order < most => {
                entry.insert((order, line, games));
            }
            Entry::Vacant(_) => self.others += games,
        }
    }

    /// Size in bytes.
    fn weight(&self) -> usize {
        let bytes =
            |(message, (_, line, _)): (&String, &(usize, String, u64))| message.len() + line.len();
        self.named.iter().map(bytes).sum()
    }

    /// A line for each variant, in the order in which they were met; empty if there was none.
    pub(crate) fn lines(&self) -> String {
        let mut found: Vec<_> = self.named.values().collect();
        found.sort_by_key(|(order, ..)| *order);
        let mut text = String::new();
        for (_, line, games) in found {
            match line.trim_end().strip_suffix(')') {
                Some(line) if *games > 1 => {
                    text.push_str(&format!("{line} and {} more)\n", games - 1));
                }
                _ => text.push_str(line),
            }
        }
        match self.others {
            0 => {}
            1 => text.push_str("note[N103] 1 game of another variant is left out\n"),
            games => {
                text.push_str(&format!(
                    "note[N103] {games} games of other variants are left out\n"
                ));
            }
        }
        text
    }
}

impl AddAssign for Variants {
    fn add_assign(&mut self, more: Variants) {
        let mut found: Vec<_> = more.named.into_iter().collect();
        found.sort_by_key(|(_, (order, ..))| *order);
        for (message, (_, line, games)) in found {
            self.add_games(message, line, games, MOST_VARIANTS);
        }
        self.others += more.others;
    }
}
