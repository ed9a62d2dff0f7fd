//! Why games stop: a line for each game, but only one for each variant of chess.

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
        let variant = MetVariant {
            message: report.finding.message.clone(),
            line,
            games: 1,
        };
        self.variants.add(variant, usize::MAX);
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
        for variant in self.variants.named {
            variants.add(variant, MOST_VARIANTS);
        }
    }
}

/// Variants named one by one; others share a line.
const MOST_VARIANTS: usize = 50;

/// Variants met, in order.
#[derive(Default)]
pub(crate) struct Variants {
    named: Vec<MetVariant>,
    /// Games of variants beyond [`MOST_VARIANTS`]. Only sums are limited: chunks may meet the
    /// variants in any order.
    others: u64,
}

/// Variant of games that are not played.
struct MetVariant {
    message: String,
    /// Line on the first game, which ends with `(game 3)`.
    line: String,
    games: u64,
}

impl Variants {
    /// Adds games of a variant, which is named if there are not as many as `most`.
    fn add(&mut self, more: MetVariant, most: usize) {
        let is_full = self.named.len() >= most;
        let is_same = |known: &&mut MetVariant| known.message == more.message;
        match self.named.iter_mut().find(is_same) {
            Some(known) => known.games += more.games,
            None if is_full => self.others += more.games,
            None => self.named.push(more),
        }
    }

    /// Size in bytes.
    fn weight(&self) -> usize {
        let bytes = |variant: &MetVariant| variant.message.len() + variant.line.len();
        self.named.iter().map(bytes).sum()
    }

    /// A line for each variant, in the order in which they were met; empty if there was none.
    pub(crate) fn lines(&self) -> String {
        let mut text = String::new();
        for MetVariant { line, games, .. } in &self.named {
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
