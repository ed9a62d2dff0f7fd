//! Dictionaries of repeated values.

use std::hash::BuildHasher;

use hashbrown::DefaultHashBuilder;

use crate::report::block::word;
use crate::report::table::encoding::{push_runs, repeat_last, width};

/// Values of a column that have occurred, and the indices of those of a page.
#[derive(Default)]
pub(super) struct Dictionary {
    values: Values,
    indices: Vec<u32>,
}

/// Values without repetition.
#[derive(Default)]
struct Values {
    /// Key and index of each value, at its hash or at the next free place. With a hash table of
    /// hashbrown, `replay --format parquet` takes 4 % longer.
    places: Vec<(u64, u32)>,
    hasher: DefaultHashBuilder,
    /// Values one after another (`PLAIN`), and where each begins.
    bytes: Vec<u8>,
    begins: Vec<usize>,
}

/// Highest bit of the key of a long text, the rest of which is a hash.
const LONG: u64 = 1 << 63;

/// Index of a place without a value.
const FREE: u32 = u32::MAX;

impl Dictionary {
    /// An empty dictionary, and memory for this many values of a page.
    pub(super) fn with_capacity(values: usize) -> Dictionary {
        Dictionary {
            indices: Vec::with_capacity(values),
            ..Dictionary::default()
        }
    }

    /// Adds a text to the page.
    pub(super) fn push_text(&mut self, text: &[u8]) {
        self.indices.push(self.values.index_of_text(text));
    }

    /// Adds words to the page: at most seven characters each, zeros, and their number.
    #[inline]
    pub(super) fn push_words<'w>(&mut self, words: impl Iterator<Item = &'w [u8; 8]>) {
        let indices = words.map(|word| self.values.index_of_word(*word));
        self.indices.extend(indices);
    }

    /// Adds a number to the page.
    pub(super) fn push_fraction(&mut self, number: f64) {
        let bytes = number.to_le_bytes();
        let add = |values: &mut Vec<u8>| values.extend_from_slice(&bytes);
        let index = self
            .values
            .index_of(u64::from_le_bytes(bytes), |_| true, add);
        self.indices.push(index);
    }

    /// Adds the last value again.
    pub(super) fn repeat(&mut self, times: usize) {
        repeat_last(&mut self.indices, times);
    }

    /// Size of the dictionary in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.values.bytes.len()
    }

    /// Appends the indices of the page, and begins another.
    pub(super) fn take(&mut self, out: &mut Vec<u8>) {
        let last = self.values.begins.len().saturating_sub(1);
        let width = width(last as u64).max(1);
        out.push(width as u8);
        push_runs(out, &self.indices, width);
        self.indices.clear();
    }

    /// The values and their number.
    pub(super) fn values(&self) -> (&[u8], usize) {
        (&self.values.bytes, self.values.begins.len())
    }

    /// Removes all values and keeps the memory.
    pub(super) fn clear(&mut self) {
        self.values.places.fill((0, FREE));
        self.values.bytes.clear();
        self.values.begins.clear();
    }
}

impl Values {
    fn index_of_text(&mut self, text: &[u8]) -> u32 {
        if text.len() <= 7 {
            return self.index_of_word(word(text));
        }
        let key = self.hasher.hash_one(text) | LONG;
        let length = (text.len() as u32).to_le_bytes();
        let is_same = |value: &[u8]| {
            let rest = value.strip_prefix(&length);
            rest.is_some_and(|rest| rest.starts_with(text))
        };
        self.index_of(key, is_same, |values| {
            values.extend_from_slice(&length);
            values.extend_from_slice(text);
        })
    }

    #[inline]
    fn index_of_word(&mut self, word: [u8; 8]) -> u32 {
        let add = |values: &mut Vec<u8>| {
            let [text @ .., length] = word;
            values.extend_from_slice(&u32::from(length).to_le_bytes());
            values.extend_from_slice(&text[..length.into()]);
        };
        self.index_of(u64::from_le_bytes(word), |_| true, add)
    }

    /// Index of the value with this key, which `add` appends if it is new. A value with the same
    /// key `is_same` if it begins what is passed.
    #[inline]
    fn index_of(
        &mut self,
        key: u64,
        is_same: impl Fn(&[u8]) -> bool,
        add: impl FnOnce(&mut Vec<u8>),
    ) -> u32 {
        if 2 * self.begins.len() >= self.places.len() {
            self.grow();
        }
        let last = self.places.len() - 1;
        let mut at = hash_of(key) as usize & last;
        loop {
            let (other, index) = self.places[at];
            if index == FREE {
                return self.insert(at, key, add);
            }
            if other == key && is_same(&self.bytes[self.begins[index as usize]..]) {
                return index;
            }
            at = (at + 1) & last;
        }
    }

    #[cold]
    fn insert(&mut self, at: usize, key: u64, add: impl FnOnce(&mut Vec<u8>)) -> u32 {
        let index = self.begins.len() as u32;
        self.places[at] = (key, index);
        self.begins.push(self.bytes.len());
        add(&mut self.bytes);
        index
    }

    /// Doubles the number of places.
    #[cold]
    fn grow(&mut self) {
        let length = (2 * self.places.len()).max(1 << 10);
        let places = std::mem::replace(&mut self.places, vec![(0, FREE); length]);
        for (key, index) in places.into_iter().filter(|(_, index)| *index != FREE) {
            let mut at = hash_of(key) as usize & (length - 1);
            while self.places[at].1 != FREE {
                at = (at + 1) & (length - 1);
            }
            self.places[at] = (key, index);
        }
    }
}

/// Hash of a key: multiplication carries all bits to the highest, which are added to the lowest.
fn hash_of(key: u64) -> u64 {
    let product = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    product ^ product >> 32
}
