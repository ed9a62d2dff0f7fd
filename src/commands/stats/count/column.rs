//! One level of grouping while games are counted: its values and groups, numbered.

use crate::chess::Color;
use crate::commands::stats::count::key::Key;
use crate::commands::stats::count::key::{GameFacts, ShortValue};
use hashbrown::{DefaultHashBuilder, HashTable};
use std::hash::BuildHasher;

/// Memory limit for raw tag texts, in bytes.
const MOST_TEXT: usize = 1 << 24;

/// Values of a key, and groups by them.
#[derive(Clone, Debug)]
pub(crate) struct Column {
    key: Key,
    values: Interner,
    /// True if the raw tag text equals the value (no normalisation needed).
    is_verbatim: Vec<bool>,
    /// Other raw tag texts and their values: memoised normalisation.
    texts: Interner,
    of_texts: Vec<u32>,
    codes: ShortValueCache,
    /// Memory for a value.
    value: String,
    /// For each group the numbers of its parent and of its value.
    groups: Vec<[u32; 2]>,
    /// Groups by parent and value; `None` for the outermost column, where a group has the number of
    /// its value.
    numbers: Option<GroupIndex>,
}

/// Cache of the numbers of short values.
#[derive(Clone, Debug)]
struct ShortValueCache(Vec<Option<(ShortValue, u32)>>);

impl Default for ShortValueCache {
    fn default() -> ShortValueCache {
        ShortValueCache(vec![None; ShortValueCache::PLACES])
    }
}

impl ShortValueCache {
    /// More than the number of ECO codes.
    const PLACES: usize = 1 << 10;

    #[inline]
    fn number(&mut self, code: ShortValue, otherwise: impl FnOnce() -> u32) -> u32 {
        // Spreads the lower bytes over the upper bits.
        let spread = u64::from_le_bytes(code.0).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let place = &mut self.0[(spread >> 54) as usize];
        match *place {
            Some((found, number)) if found == code => number,
            _ => place.insert((code, otherwise())).1,
        }
    }
}

const _: () = assert!(ShortValueCache::PLACES == 1 << (64 - 54));

#[derive(Clone, Debug, Default)]
struct GroupIndex {
    /// Entries hold the key too, so that a lookup takes one cache miss.
    table: HashTable<([u32; 2], u32)>,
    hasher: DefaultHashBuilder,
}

impl Column {
    /// Column of a key.
    pub(crate) fn new(key: &Key, outermost: bool) -> Column {
        Column {
            key: key.clone(),
            values: Interner::default(),
            is_verbatim: Vec::new(),
            texts: Interner::default(),
            of_texts: Vec::new(),
            codes: ShortValueCache::default(),
            value: String::new(),
            groups: Vec::new(),
            numbers: (!outermost).then(GroupIndex::default),
        }
    }

    /// True if a game has a value for each of its players.
    pub(crate) fn is_by_player(&self) -> bool {
        self.key == Key::Player
    }

    /// Number of groups.
    pub(crate) fn len(&self) -> usize {
        self.groups.len()
    }

    /// Values by number.
    pub(crate) fn values(&self) -> impl Iterator<Item = &str> {
        self.values.iter()
    }

    /// For each group the numbers of its parent and of its value.
    pub(crate) fn groups(&self) -> &[[u32; 2]] {
        &self.groups
    }

    /// Numbers of the groups, sorted by value.
    pub(crate) fn in_order(&self) -> Vec<u32> {
        // The first bytes decide most comparisons.
        let of = |(number, value)| (first_eight(value), value, number);
        let mut order: Vec<(u64, &str, usize)> = self.values().enumerate().map(of).collect();
        order.sort_unstable();
        // Counting sort: there are many more groups than values.
        let mut places = vec![0; order.len()];
        for [_, value] in &self.groups {
            places[*value as usize] += 1;
        }
        let mut next = 0;
        for (_, _, value) in order {
            let place = &mut places[value];
            next += std::mem::replace(place, next);
        }
        let mut numbers = vec![0; self.groups.len()];
        for (number, [_, value]) in (0..).zip(&self.groups) {
            let place = &mut places[*value as usize];
            numbers[*place] = number;
            *place += 1;
        }
        numbers
    }

    /// Number of the value of a game, or of its player of that colour.
    #[inline]
    pub(crate) fn value(&mut self, facts: &GameFacts<'_>, side: Color) -> u32 {
        if let Some(code) = facts.code_of(&self.key) {
            let Column { values, codes, .. } = self;
            return codes.number(code, || values.number(code.as_str().as_bytes()));
        }
        let text = facts.text_of(&self.key, side);
        if let Some(text) = text {
            if let Some(number) = self.values.find(text)
                && self.is_verbatim.get(number as usize) == Some(&true)
            {
                return number;
            }
            if let Some(found) = self.texts.find(text) {
                return self.of_texts[found as usize];
            }
        }
        self.value.clear();
        facts.read(&self.key, side, &mut self.value);
        let number = self.values.number(self.value.as_bytes());
        if text == Some(self.value.as_bytes()) {
            let needed = self.is_verbatim.len().max(number as usize + 1);
            self.is_verbatim.resize(needed, false);
            self.is_verbatim[number as usize] = true;
        } else if let Some(text) = text {
            if self.texts.bytes() > MOST_TEXT {
                self.texts.clear();
                self.of_texts.clear();
            }
            self.texts.add(text);
            self.of_texts.push(number);
        }
        number
    }

    /// Number of a value.
    pub(crate) fn value_of(&mut self, value: &str) -> u32 {
        self.values.number(value.as_bytes())
    }

    /// Number of the group of a value within its parent.
    #[inline]
    pub(crate) fn group(&mut self, parent: u32, value: u32) -> u32 {
        match &mut self.numbers {
            Some(numbers) => numbers.number(&mut self.groups, [parent, value]),
            None => {
                // Values are used in the order of their numbers.
                if value as usize == self.groups.len() {
                    self.groups.push([0, value]);
                }
                value
            }
        }
    }
}

/// The first bytes of a text as a number in the order of texts.
fn first_eight(text: &str) -> u64 {
    let mut first = [0; 8];
    for (byte, &text) in first.iter_mut().zip(text.as_bytes()) {
        *byte = text;
    }
    u64::from_be_bytes(first)
}

impl GroupIndex {
    #[inline]
    fn number(&mut self, groups: &mut Vec<[u32; 2]>, group: [u32; 2]) -> u32 {
        let GroupIndex { table, hasher } = self;
        let hash =
            |[parent, value]: [u32; 2]| hasher.hash_one(u64::from(parent) << 32 | u64::from(value));
        if let Some(&(_, number)) = table.find(hash(group), |&(found, _)| found == group) {
            return number;
        }
        let number = groups.len() as u32;
        groups.push(group);
        table.insert_unique(hash(group), (group, number), |&(group, _)| hash(group));
        number
    }
}

/// Interner: texts in order of first occurrence, numbered from 0. They share one allocation, as
/// there may be a million names of players.
#[derive(Clone, Debug, Default)]
pub(crate) struct Interner {
    texts: Vec<u8>,
    /// End of each text.
    ends: Vec<usize>,
    /// Entries by hash.
    table: HashTable<Name>,
    hasher: DefaultHashBuilder,
    /// Last entry found; games of one event or day are adjacent.
    last: Option<Name>,
}

#[derive(Clone, Copy, Debug)]
struct Name {
    /// Offset of the text, in bytes.
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

impl Interner {
    /// Memory of the texts, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.texts.len()
    }

    /// All texts in order, which must be UTF-8.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &str> {
        let texts = std::str::from_utf8(&self.texts).expect("only UTF-8 was added");
        let mut start = 0;
        self.ends
            .iter()
            .map(move |&end| &texts[std::mem::replace(&mut start, end)..end])
    }

    /// Number of a known text.
    #[inline]
    pub(crate) fn find(&mut self, text: &[u8]) -> Option<u32> {
        let Interner {
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

    /// Adds an unknown text.
    pub(crate) fn add(&mut self, text: &[u8]) -> u32 {
        let Interner {
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

    /// Number of a text, which is added if unknown.
    #[inline]
    pub(crate) fn number(&mut self, name: &[u8]) -> u32 {
        self.find(name).unwrap_or_else(|| self.add(name))
    }

    /// Removes all texts.
    pub(crate) fn clear(&mut self) {
        *self = Interner::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_has_one_number() {
        let mut names = Interner::default();
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
        assert!(names.iter().eq(&texts));
        assert_eq!(names.number(b""), 2_000);
        assert_eq!(names.find(b""), Some(2_000));
        names.clear();
        assert_eq!(names.find(b""), None);
    }
}
