//! Sets of numbers.

/// A set of numbers, one bit each.
#[derive(Debug, Default)]
pub(crate) struct BitSet(Vec<u64>);

impl BitSet {
    /// An empty set with memory for numbers up to `last`.
    pub(crate) fn up_to(last: u32) -> BitSet {
        BitSet(vec![0; last as usize / 64 + 1])
    }

    pub(crate) fn insert(&mut self, index: u32) {
        let word = index as usize / 64;
        if word >= self.0.len() {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << (index % 64);
    }

    pub(crate) fn contains(&self, index: u32) -> bool {
        let word = self.0.get(index as usize / 64);
        word.is_some_and(|word| word >> (index % 64) & 1 == 1)
    }
}
