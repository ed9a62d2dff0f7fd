//! Dictionaries of repeated values.

use std::hash::BuildHasher;

use hashbrown::{DefaultHashBuilder, HashTable};

use crate::report::table::encoding::{push_runs, repeat_last, width};

/// Values of a column that have occurred, and the indices of those of a page.
#[derive(Default)]
pub(super) struct Dictionary {
    places: HashTable<Place>,
    hasher: DefaultHashBuilder,
    /// Values one after another (`PLAIN`).
    values: Vec<u8>,
    indices: Vec<u32>,
}

/// Place of a value.
struct Place {
    /// The value, if it is short; else its hash, with the highest bit set.
    key: u64,
    /// Offset of the value in the dictionary.
    at: usize,
    index: u32,
}

/// Highest bit of the key of a long text.
const LONG: u64 = 1 << 63;

impl Dictionary {
    /// Adds a text to the page.
    pub(super) fn push_text(&mut self, text: &[u8]) {
        let mut short = [0; 8];
        let key = match short[..7].get_mut(..text.len()) {
            Some(bytes) => {
                bytes.copy_from_slice(text);
                short[7] = text.len() as u8;
                u64::from_le_bytes(short)
            }
            None => self.hasher.hash_one(text) | LONG,
        };
        let length = (text.len() as u32).to_le_bytes();
        self.push(key, [&length, text]);
    }

    /// Adds a number to the page.
    pub(super) fn push_fraction(&mut self, number: f64) {
        let bits = number.to_bits();
        self.push(bits, [&bits.to_le_bytes(), &[]]);
    }

    /// Adds the value with this key to the page, and to the dictionary if it is new.
    fn push(&mut self, key: u64, [begin, rest]: [&[u8]; 2]) {
        let Dictionary { places, values, .. } = self;
        let is_same = |place: &Place| {
            let found = || values[place.at..].strip_prefix(begin);
            place.key == key && (key & LONG == 0 || found().is_some_and(|it| it.starts_with(rest)))
        };
        let index = match places.find(hash_of(key), is_same) {
            Some(place) => place.index,
            None => {
                let (at, index) = (values.len(), places.len() as u32);
                values.extend_from_slice(begin);
                values.extend_from_slice(rest);
                let place = Place { key, at, index };
                places.insert_unique(hash_of(key), place, |place| hash_of(place.key));
                index
            }
        };
        self.indices.push(index);
    }

    /// Adds the last value again.
    pub(super) fn repeat(&mut self, times: usize) {
        repeat_last(&mut self.indices, times);
    }

    /// Size of the dictionary in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.values.len()
    }

    /// Appends the indices of the page, and begins another.
    pub(super) fn take(&mut self, out: &mut Vec<u8>) {
        let width = width((self.places.len() as u64).saturating_sub(1)).max(1);
        out.push(width as u8);
        push_runs(out, &self.indices, width);
        self.indices.clear();
    }

    /// The values and their number.
    pub(super) fn into_values(self) -> (Vec<u8>, usize) {
        (self.values, self.places.len())
    }
}

/// Hash of a key: multiplication carries all bits to the highest, which are added to the lowest.
fn hash_of(key: u64) -> u64 {
    let product = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    product ^ product >> 32
}
