//! The groups of one level while games are counted.

use std::hash::BuildHasher;

use hashbrown::{DefaultHashBuilder, HashTable};

use super::key::Key;
use super::names::Names;
use super::value::Facts;
use crate::rules::Color;

/// How much memory may be taken up by what stands in tags, beside that for the values, in bytes.
const MOST_TEXT: usize = 1 << 24;

/// The values of a key, and the groups that games belong to by it.
#[derive(Clone, Debug)]
pub(super) struct Level {
    key: Key,
    values: Names,
    /// What stood in tags, and the value of each text: what has come up before is not read again.
    texts: Names,
    of_texts: Vec<u32>,
    /// Room for a value.
    value: String,
    /// On the outermost level, where a group is a value, none.
    nodes: Option<Nodes>,
}

/// The groups of a level that is not the outermost.
#[derive(Clone, Debug, Default)]
struct Nodes {
    /// The number of the group of the level above, and that of the value.
    nodes: Vec<[u32; 2]>,
    numbers: HashTable<u32>,
    hasher: DefaultHashBuilder,
    last: u32,
}

impl Level {
    /// The level of a key; the `outermost`, or one within.
    pub fn new(key: &Key, outermost: bool) -> Level {
        Level {
            key: key.clone(),
            values: Names::default(),
            texts: Names::default(),
            of_texts: Vec::new(),
            value: String::new(),
            nodes: (!outermost).then(Nodes::default),
        }
    }

    /// Whether a game has a value for each of its players.
    pub fn is_by_player(&self) -> bool {
        self.key == Key::Player
    }

    /// How many groups there are.
    pub fn len(&self) -> usize {
        match &self.nodes {
            None => self.values.len(),
            Some(nodes) => nodes.nodes.len(),
        }
    }

    /// The values by their numbers.
    pub fn values(&self) -> impl Iterator<Item = &str> {
        self.values
            .iter()
            .map(|value| std::str::from_utf8(value).unwrap_or_default())
    }

    /// The groups by their numbers: each one's parent and value.
    pub fn groups(&self) -> impl Iterator<Item = [u32; 2]> {
        (0..self.len()).map(|number| match &self.nodes {
            None => [0, number as u32],
            Some(nodes) => nodes.nodes[number],
        })
    }

    /// The number of the value that a game has, or its player of that colour.
    #[inline]
    pub fn value(&mut self, facts: &Facts<'_>, side: Color) -> u32 {
        let text = facts.text_of(&self.key, side);
        if let Some(text) = text
            && let Some(found) = self.texts.find(text)
        {
            return self.of_texts[found as usize];
        }
        self.value.clear();
        facts.read(&self.key, side, &mut self.value);
        let number = self.values.number(self.value.as_bytes());
        if let Some(text) = text {
            if self.texts.bytes() > MOST_TEXT {
                self.texts.clear();
                self.of_texts.clear();
            }
            self.texts.add(text);
            self.of_texts.push(number);
        }
        number
    }

    /// The number of a value.
    pub fn value_of(&mut self, value: &str) -> u32 {
        self.values.number(value.as_bytes())
    }

    /// The number of the group of that value within a group of the level above.
    #[inline]
    pub fn group(&mut self, parent: u32, value: u32) -> u32 {
        match &mut self.nodes {
            None => value,
            Some(nodes) => nodes.number([parent, value]),
        }
    }
}

impl Nodes {
    #[inline]
    fn number(&mut self, node: [u32; 2]) -> u32 {
        let Nodes {
            nodes,
            numbers,
            hasher,
            last,
        } = self;
        if nodes.get(*last as usize) == Some(&node) {
            return *last;
        }
        let hash =
            |[parent, value]: [u32; 2]| hasher.hash_one(u64::from(parent) << 32 | u64::from(value));
        let found = numbers.find(hash(node), |&number| nodes[number as usize] == node);
        *last = found.copied().unwrap_or_else(|| {
            let number = nodes.len() as u32;
            nodes.push(node);
            numbers.insert_unique(hash(node), number, |&number| hash(nodes[number as usize]));
            number
        });
        *last
    }
}
