//! Texts that come up again and again, numbered.

use std::hash::BuildHasher;

use hashbrown::{DefaultHashBuilder, HashTable};

/// Texts in the order in which they first came up, each with its number, from 0. They stand one after the other in memory:
/// there may be a million names of players.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    texts: Vec<u8>,
    /// Where each ends.
    ends: Vec<usize>,
    /// By the texts' hashes.
    table: HashTable<Name>,
    hasher: DefaultHashBuilder,
    /// The one that was asked for last: games of one event, or one day, stand together.
    last: Option<Name>,
}

#[derive(Clone, Copy, Debug)]
struct Name {
    /// Where it stands in the memory, in bytes.
    start: usize,
    length: u32,
    number: u32,
}

impl Name {
    #[inline]
    fn of(self, texts: &[u8]) -> &[u8] {
        &texts[self.start..self.start + self.length as usize]
    }
}

impl Names {
    /// How much memory the texts take, in bytes.
    pub fn bytes(&self) -> usize {
        self.texts.len()
    }

    /// All of them, in their order.
    pub fn iter(&self) -> impl Iterator<Item = &[u8]> {
        let mut start = 0;
        self.ends
            .iter()
            .map(move |&end| &self.texts[std::mem::replace(&mut start, end)..end])
    }

    /// The number of a text, if it has come up.
    #[inline]
    pub fn find(&mut self, text: &[u8]) -> Option<u32> {
        let Names {
            texts,
            table,
            hasher,
            last,
            ..
        } = self;
        if let Some(last) = last
            && last.of(texts) == text
        {
            return Some(last.number);
        }
        let found = table.find(hasher.hash_one(text), |name| name.of(texts) == text)?;
        *last = Some(*found);
        Some(found.number)
    }

    /// Numbers a text that has not come up.
    pub fn add(&mut self, text: &[u8]) -> u32 {
        let Names {
            texts,
            ends,
            table,
            hasher,
            last,
        } = self;
        let number = ends.len() as u32;
        let name = Name {
            start: texts.len(),
            length: text.len() as u32,
            number,
        };
        *last = Some(name);
        texts.extend_from_slice(text);
        ends.push(texts.len());
        table.insert_unique(hasher.hash_one(text), name, |name| {
            hasher.hash_one(name.of(texts))
        });
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
        assert!(names.iter().eq(texts.iter().map(String::as_bytes)));
        assert_eq!(names.number(b""), 2_000);
        assert_eq!(names.find(b""), Some(2_000));
        names.clear();
        assert_eq!(names.find(b""), None);
    }
}
