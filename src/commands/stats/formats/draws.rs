//! Draws by kind, for people.

use std::fmt::Write;

use crate::commands::stats::tally::{CutPercent, DrawKinds};

/// A table of the kinds that there are, the most frequent first, with their share of all draws, cut to two places as in the
/// main table.
pub fn draws(kinds: &DrawKinds) -> String {
    let whole: u64 = kinds.iter().map(|(_, count)| count).sum();
    let mut counts: Vec<_> = kinds.iter().filter(|&(_, count)| count > 0).collect();
    counts.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    let widest = |lengths: &mut dyn Iterator<Item = usize>| lengths.max().unwrap_or(0);
    let name_width = widest(&mut counts.iter().map(|(kind, _)| kind.as_str().len()));
    let count_width = widest(&mut counts.iter().map(|(_, count)| count.to_string().len()));
    if counts.is_empty() {
        return String::from("No draws\n");
    }
    let mut out = String::from("Draws by kind\n");
    for (kind, count) in counts {
        let percent = CutPercent::of(count, whole);
        let name = kind.as_str();
        // Writing to memory does not fail.
        let _ = writeln!(out, "{name:name_width$}  {count:>count_width$} ({percent})");
    }
    out
}
