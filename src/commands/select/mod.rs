//! Selection of games by number, by tag and by the positions they reach.

mod game_numbers;
mod reach;
mod tag_condition;

use std::collections::BTreeSet;
use std::str::FromStr;

use crate::commands::wanted_tags::WantedTags;
use crate::input::{Chunk, InputKind};
use crate::notation::LetterSet;
use crate::replay::Reader;

pub(crate) use game_numbers::GameNumbers;
use reach::Reach;
use tag_condition::TagCondition;

/// Value of `--where`.
#[derive(Clone, Debug)]
pub(crate) enum Condition {
    Tag(TagCondition),
    Reach(Reach),
}

impl FromStr for Condition {
    type Err = String;

    fn from_str(text: &str) -> Result<Condition, String> {
        match Reach::read(text) {
            Some(reach) => reach.map(Condition::Reach),
            None => text.parse().map(Condition::Tag),
        }
    }
}

/// Selection of games. All conditions must hold; without conditions every game is selected.
#[derive(Debug)]
pub(crate) struct Selection {
    numbers: Option<GameNumbers>,
    conditions: Vec<TagCondition>,
    reaches: Vec<Reach>,
    /// Piece letters of the moves, unless they are detected.
    pub(crate) letters: Option<&'static LetterSet>,
    /// Whether illegal moves that stood are played.
    pub(crate) plays_illegal: bool,
    /// Tags of the conditions.
    pub(crate) wanted: WantedTags,
}

impl Selection {
    /// Selection by numbers and conditions.
    pub(crate) fn new(numbers: Option<GameNumbers>, all: &[Condition]) -> Selection {
        let (mut conditions, mut reaches) = (Vec::new(), Vec::new());
        for condition in all.iter().cloned() {
            match condition {
                Condition::Tag(condition) => conditions.push(condition),
                Condition::Reach(reach) => reaches.push(reach),
            }
        }
        let names = conditions.iter().map(|condition| &*condition.tag);
        Selection {
            wanted: WantedTags::new(names),
            numbers,
            conditions,
            reaches,
            letters: None,
            plays_illegal: false,
        }
    }

    fn has_conditions(&self) -> bool {
        !self.conditions.is_empty() || !self.reaches.is_empty()
    }

    /// True if every game is selected.
    pub(crate) fn is_all(&self) -> bool {
        self.numbers.is_none() && !self.has_conditions()
    }

    /// The options that select games, for messages.
    pub(crate) fn options(&self) -> &'static str {
        match (self.numbers.is_some(), self.has_conditions()) {
            (true, false) => "`--games`",
            (false, true) => "`--where`",
            _ => "`--games` and `--where`",
        }
    }

    /// Removes the games that are not selected from a chunk. Positions of a list have numbers, but
    /// no tags.
    pub(crate) fn apply(&self, chunk: &mut Chunk) {
        if self.is_all() {
            return;
        }
        let mut reader = Reader::new()
            .in_letters(self.letters)
            .playing_illegal(self.plays_illegal);
        let is_list = chunk.kind != InputKind::Pgn;
        let mut names = BTreeSet::new();
        chunk.keep(|text| {
            let game = text.origin.game;
            if !self.numbers.as_ref().is_none_or(|list| list.has(game)) {
                return false;
            }
            if !self.has_conditions() {
                return true;
            }
            if is_list {
                return false;
            }
            let game = text.read_tags(&mut reader, None);
            if !self.wanted.is_complete() {
                self.wanted.search(game, text.bytes, &mut names);
            }
            let of_tags = self.conditions.iter().all(|condition| {
                let tag = game.tag(text.bytes, &condition.tag);
                condition.holds(tag.map(|tag| tag.unescape(text.bytes)).as_deref())
            });
            let reaches = &self.reaches;
            of_tags
                && (reaches.is_empty()
                    || Reach::all_hold(reaches, text.read(&mut reader), text.bytes))
        });
        self.wanted.compare(&names);
    }
}
