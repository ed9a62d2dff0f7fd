//! A quick way to pass over tag pairs that nobody asks for.

/// A set of names of tags, as far as their first letters and their lengths tell them apart, whatever their case: a name that
/// is not asked for may be in it, but one that is asked for always is. So is what begins with white space, as the name behind
/// it has to be looked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TagFilter {
    /// For each first letter a bit for each length; the last one is for all that are longer.
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
    /// Names.
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

    /// Whether a name that begins with this byte may be asked for.
    #[inline]
    pub fn begins(&self, first: u8) -> bool {
        self.lengths[usize::from(first)] != 0
    }

    /// Whether a name may be asked for.
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
