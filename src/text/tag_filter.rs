//! Prefilter for tag names.

/// Prefilter for tag names by first letter and length, case-insensitive. May return false
/// positives, never false negatives.
///
/// Names that begin with white space always match, since the actual name follows it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TagFilter {
    /// Bit set of lengths per first byte. The highest bit stands for all longer names.
    lengths: [u32; 256],
}

impl Default for TagFilter {
    fn default() -> TagFilter {
        let mut lengths = [0; 256];
        for first in b"\t\n\x0c\r " {
            lengths[usize::from(*first)] = u32::MAX;
        }
        TagFilter { lengths }
    }
}

impl TagFilter {
    /// Filter for these names.
    pub fn of<'n>(names: impl IntoIterator<Item = &'n str>) -> TagFilter {
        let mut likely = TagFilter::default();
        for name in names {
            likely.add(name);
        }
        likely
    }

    /// Adds a name.
    pub fn add(&mut self, name: &str) {
        if let Some(&first) = name.as_bytes().first() {
            for first in [first.to_ascii_lowercase(), first.to_ascii_uppercase()] {
                self.lengths[usize::from(first)] |= bit(name.len());
            }
        }
    }

    /// Whether a name with this first byte may match.
    #[inline]
    pub fn begins(&self, first: u8) -> bool {
        self.lengths[usize::from(first)] != 0
    }

    /// Whether a name may match.
    #[inline]
    pub fn has(&self, name: &[u8]) -> bool {
        name.first()
            .is_some_and(|&first| self.lengths[usize::from(first)] & bit(name.len()) != 0)
    }
}

#[inline]
fn bit(length: usize) -> u32 {
    1 << length.min(31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_told_apart_by_first_letter_and_length() {
        let mut likely = TagFilter::default();
        likely.add("Result");
        likely.add("AnExtraordinarilyLongNameOfATagPair");
        for name in [
            "Result",
            "RESULT",
            "result",
            "Remark",
            "anExtraordinarilyLongNameOfAnotherTagPair",
        ] {
            assert!(likely.has(name.as_bytes()), "{name}");
        }
        for name in ["Round", "Results", "Event", ""] {
            assert!(!likely.has(name.as_bytes()), "{name}");
        }
        assert!(likely.begins(b'r') && likely.begins(b'A') && !likely.begins(b'E'));
        assert!(likely.begins(b' ') && likely.has(b" Event"));
    }
}
