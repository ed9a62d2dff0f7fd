//! Numbers that make repeated names unique.

use std::collections::HashMap;

use crate::replay::of_text;

/// Number of occurrences of each name. Names are kept as hashes, to take little memory.
#[derive(Default)]
pub(crate) struct Occurrences {
    counts: HashMap<u64, u32>,
}

impl Occurrences {
    /// The number of this occurrence of a name, from 1.
    pub(crate) fn number(&mut self, name: &[u8]) -> u32 {
        let count = self.counts.entry(of_text(name)).or_default();
        *count += 1;
        *count
    }
}
