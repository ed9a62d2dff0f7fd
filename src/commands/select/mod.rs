//! Selection of games by number and by tag.

mod condition;
mod game_numbers;

use std::collections::BTreeSet;

use crate::commands::wanted_tags::WantedTags;
use crate::input::{Chunk, InputKind};
use crate::replay::Reader;

pub(crate) use condition::Condition;
pub(crate) use game_numbers::GameNumbers;

/// Selection of games. All conditions must hold; without conditions every game is selected.
#[derive(Debug)]
pub(crate) struct Selection {
    numbers: Option<GameNumbers>,
    conditions: Vec<Condition>,
    /// Tags of the conditions.
    pub(crate) wanted: WantedTags,
}

impl Selection {
    /// Selection by numbers and conditions.
    pub(crate) fn new(numbers: Option<GameNumbers>, conditions: Vec<Condition>) -> Selection {
        let names = conditions.iter().map(|condition| &*condition.tag);
        Selection {
            wanted: WantedTags::new(names),
            numbers,
            conditions,
        }
    }

    /// True if every game is selected.
    pub(crate) fn is_all(&self) -> bool {
        self.numbers.is_none() && self.conditions.is_empty()
    }

    /// The options that select games, for messages.
    pub(crate) fn options(&self) -> &'static str {
        match (self.numbers.is_some(), self.conditions.is_empty()) {
            (true, true) => "`--games`",
            (false, false) => "`--where`",
            _ => "`--games` and `--where`",
        }
    }

    /// Removes the games that are not selected from a chunk. Positions of a list have numbers, but
    /// no tags.
    pub(crate) fn apply(&self, chunk: &mut Chunk) {
        if self.is_all() {
            return;
        }
        let mut reader = Reader::new();
        let is_list = chunk.kind != InputKind::Pgn;
        let mut names = BTreeSet::new();
        chunk.keep(|text| {
            let game = text.origin.game;
            if !self.numbers.as_ref().is_none_or(|list| list.has(game)) {
                return false;
            }
            if self.conditions.is_empty() {
                return true;
            }
            if is_list {
                return false;
            }
            let game = text.read_tags(&mut reader, None);
            if !self.wanted.is_complete() {
                self.wanted.search(game, text.bytes, &mut names);
            }
            self.conditions.iter().all(|condition| {
                let tag = game.tag(text.bytes, &condition.tag);
                condition.holds(tag.map(|tag| tag.unescape(text.bytes)).as_deref())
            })
        });
        self.wanted.compare(&names);
    }
}
