//! Texts that come up again and again, numbered.

use std::hash::BuildHasher;

use hashbrown::{DefaultHashBuilder, HashTable};

/// Texts in the order in which they first came up, each with its number, from 0. They stand one after the other in memory:
/// there may be a million names of players.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    texts: Vec<u8>,
    /// Where each ends.
    ends: Vec<usize>,
    /// The numbers by the texts' hashes.
    numbers: HashTable<u32>,
    hasher: DefaultHashBuilder,
    /// The number that was asked for last: games of one event, or one day, stand together.
    last: u32,
}

impl Names {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// How much memory the texts take, in bytes.
    pub fn bytes(&self) -> usize {
        self.texts.len()
    }

    /// All of them, in their order.
    pub fn iter(&self) -> impl Iterator<Item = &[u8]> {
        (0..self.len() as u32).map(|number| text(&self.texts, &self.ends, number))
    }

    /// The number of a text, if it has come up.
    #[inline]
    pub fn find(&mut self, name: &[u8]) -> Option<u32> {
        if !self.ends.is_empty() && text(&self.texts, &self.ends, self.last) == name {
            return Some(self.last);
        }
        let found = *self.numbers.find(self.hasher.hash_one(name), |&number| {
            text(&self.texts, &self.ends, number) == name
        })?;
        self.last = found;
        Some(found)
    }

    /// Numbers a text that has not come up.
    pub fn add(&mut self, name: &[u8]) -> u32 {
        let Names {
            texts,
            ends,
            numbers,
            hasher,
            last,
        } = self;
        let number = ends.len() as u32;
        texts.extend_from_slice(name);
        ends.push(texts.len());
        numbers.insert_unique(hasher.hash_one(name), number, |&number| {
            hasher.hash_one(text(texts, ends, number))
        });
        *last = number;
        number
    }

    /// The number of a text.
    #[inline]
    pub fn number(&mut self, name: &[u8]) -> u32 {
        self.find(name).unwrap_or_else(|| self.add(name))
    }

    /// Forgets all of them.
    pub fn clear(&mut self) {
        *self = Names::default();
    }
}

#[inline]
fn text<'a>(texts: &'a [u8], ends: &[usize], number: u32) -> &'a [u8] {
    let number = number as usize;
    let start = number.checked_sub(1).map_or(0, |before| ends[before]);
    &texts[start..ends[number]]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_has_one_number() {
        let mut names = Names::default();
        let texts: Vec<String> = (0..2_000)
            .map(|n| "x".repeat(n % 7) + &n.to_string())
            .collect();
        for round in 0..2 {
            for (number, text) in texts.iter().enumerate() {
                let found = names.find(text.as_bytes());
                assert_eq!(found, (round > 0).then_some(number as u32));
                assert_eq!(names.number(text.as_bytes()), number as u32);
            }
        }
        assert_eq!(names.len(), texts.len());
        assert!(names.iter().eq(texts.iter().map(String::as_bytes)));
        assert_eq!(names.number(b""), 2_000);
        assert_eq!(names.find(b""), Some(2_000));
        names.clear();
        assert_eq!(names.find(b""), None);
    }
}
