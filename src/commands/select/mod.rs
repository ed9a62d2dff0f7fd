//! Selection of games by number, by tag and by the positions they reach.

mod game_numbers;
mod reach;
mod tag_condition;

use std::collections::BTreeSet;
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::commands::wanted_tags::WantedTags;
use crate::input::{Chunk, InputKind};
use crate::notation::LetterSet;
use crate::replay::Reader;
use crate::report::append;

pub(crate) use game_numbers::GameNumbers;
use reach::Reach;
use tag_condition::TagCondition;

/// Value of `--where`.
#[derive(Clone, Debug)]
pub(crate) enum WhereCondition {
    Tag(TagCondition),
    Reach(Reach),
}

impl FromStr for WhereCondition {
    type Err = String;

    fn from_str(text: &str) -> Result<WhereCondition, String> {
        match Reach::read(text) {
            Some(reach) => reach.map(WhereCondition::Reach),
            None => text.parse().map(WhereCondition::Tag),
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
    /// Whether a game was chosen, so that looser conditions are not needed.
    has_chosen: AtomicBool,
    /// While none was, the number of games that looser conditions would choose.
    nearly_chosen: AtomicU64,
}

impl Selection {
    /// Selection by numbers and conditions.
    pub(crate) fn new(numbers: Option<GameNumbers>, all: &[WhereCondition]) -> Selection {
        let (mut conditions, mut reaches) = (Vec::new(), Vec::new());
        for condition in all.iter().cloned() {
            match condition {
                WhereCondition::Tag(condition) => conditions.push(condition),
                WhereCondition::Reach(reach) => reaches.push(reach),
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
            has_chosen: AtomicBool::new(false),
            nearly_chosen: AtomicU64::new(0),
        }
    }

    fn has_conditions(&self) -> bool {
        !self.conditions.is_empty() || !self.reaches.is_empty()
    }

    /// True if every game is selected.
    pub(crate) fn is_all(&self) -> bool {
        self.numbers.is_none() && !self.has_conditions()
    }

    /// Message that no game or position is chosen, and by what games would be.
    pub(crate) fn none_chosen(&self, unit: &str) -> String {
        let options = match (self.numbers.is_some(), self.has_conditions()) {
            (true, false) => "`--games`",
            (false, true) => "`--where`",
            _ => "`--games` and `--where`",
        };
        let mut message = format!("no {unit} is chosen by {options}");
        let count = self.nearly_chosen.load(Ordering::Relaxed);
        if count > 0 {
            let conditions = self.conditions.iter().filter_map(TagCondition::looser);
            let conditions = conditions.collect::<Vec<_>>().join(" and ");
            let way = "without regard to case or as a part of the value";
            append!(message, "; {count} would be {way}: {conditions}");
        }
        message
    }

    /// Ends the search for looser conditions, before games are read again.
    pub(crate) fn end_search(&self) {
        self.has_chosen.store(true, Ordering::Relaxed);
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
        let mut names: Option<BTreeSet<String>> = None;
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
                WantedTags::collect(game, text.bytes, names.get_or_insert_default());
            }
            let mut conditions = self.conditions.iter();
            let of_tags = conditions.all(|condition| condition.is_of(game, text.bytes));
            let reaches = &self.reaches;
            if !of_tags && reaches.is_empty() && !self.has_chosen.load(Ordering::Relaxed) {
                let mut conditions = self.conditions.iter();
                let is_near = conditions.all(|condition| condition.is_nearly_of(game, text.bytes));
                (self.nearly_chosen).fetch_add(u64::from(is_near), Ordering::Relaxed);
            }
            of_tags
                && (reaches.is_empty()
                    || Reach::all_hold(reaches, text.read(&mut reader), text.bytes))
        });
        if let Some(names) = names {
            self.wanted.add(names);
        }
        if chunk.games().next().is_some() {
            self.end_search();
        }
    }
}
