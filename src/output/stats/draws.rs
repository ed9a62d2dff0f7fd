//! Draws by kind, for people.

use super::columns::Columns;
use crate::judge::tally::{CutPercent, DrawKinds};

/// A table of the kinds that there are, the most frequent first, with their share of all draws, cut to two places as in the
/// main table.
pub fn draws(kinds: &DrawKinds) -> String {
    let whole: u64 = kinds.iter().map(|(_, count)| count).sum();
    let mut counts: Vec<_> = kinds.iter().filter(|&(_, count)| count > 0).collect();
    counts.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    let mut columns = Columns::default();
    for (kind, count) in counts {
        let percent = CutPercent::of(count, whole);
        columns.push_with(
            vec![kind.as_str().to_owned(), count.to_string()],
            format!("({percent})"),
        );
    }
    format!("Draws by kind\n{}", columns.show())
}
