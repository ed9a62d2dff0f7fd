//! Selection of games by number and by conditions.

mod condition;
mod game_numbers;
mod reach;
mod tag_condition;

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::adjudication::{Adjudicator, RuleChoice};
use crate::commands::openings::Openings;
use crate::commands::wanted_tags::WantedTags;
use crate::input::{Chunk, GameText, InputKind};
use crate::law::End;
use crate::notation::LetterSet;
use crate::replay::Reader;
use crate::report::append;
use crate::winnability::SearchLimits;

use condition::{Condition, GameFacts};
pub(crate) use condition::{Fact, WhereCondition, speed};
pub(crate) use game_numbers::GameNumbers;
use tag_condition::TagCondition;

/// Selection of games. All conditions must hold; without conditions every game is selected.
#[derive(Debug)]
pub(crate) struct Selection {
    numbers: Option<GameNumbers>,
    conditions: Vec<WhereCondition>,
    /// How many games each condition has excluded. A game counts for the cheapest that exclude it.
    excluded: Vec<AtomicU64>,
    /// Table of openings for conditions on `eco`.
    pub(crate) openings: Option<Arc<Openings>>,
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
        let named = all.iter().flat_map(WhereCondition::tags);
        let named = named.map(|condition| &*condition.tag);
        Selection {
            wanted: WantedTags::new(named),
            numbers,
            conditions: all.to_vec(),
            excluded: all.iter().map(|_| AtomicU64::new(0)).collect(),
            openings: None,
            letters: None,
            plays_illegal: false,
            has_chosen: AtomicBool::new(false),
            nearly_chosen: AtomicU64::new(0),
        }
    }

    /// True if every game is selected.
    pub(crate) fn is_all(&self) -> bool {
        self.numbers.is_none() && self.conditions.is_empty()
    }

    /// Message that no game or position is chosen, and by what games would be.
    pub(crate) fn none_chosen(&self, unit: &str) -> String {
        let options = match (self.numbers.is_some(), !self.conditions.is_empty()) {
            (true, false) => "`--games`",
            (false, true) => "`--where`",
            _ => "`--games` and `--where`",
        };
        let mut message = format!("no {unit} is chosen by {options}");
        let excluded = (self.excluded.iter()).map(|count| count.load(Ordering::Relaxed));
        let most = excluded.zip(&self.conditions).rev().max_by_key(|it| it.0);
        if let Some((count, WhereCondition { text, .. })) = most
            && self.conditions.len() > 1
        {
            append!(message, "; `{text}` excludes most games: {count}");
        }
        let count = self.nearly_chosen.load(Ordering::Relaxed);
        if count > 0 {
            let conditions = self.conditions.iter().flat_map(WhereCondition::tags);
            let conditions = conditions.filter_map(TagCondition::looser);
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
        let mut adjudicator = Adjudicator::new::<RuleChoice>(&[], SearchLimits::DEFAULT);
        let mut names: Option<BTreeSet<String>> = None;
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
            if !self.wanted.is_complete() {
                let game = text.read_tags(&mut reader, None);
                WantedTags::collect(game, text.bytes, names.get_or_insert_default());
            }
            let failed = self.excluding(&text, &mut reader, &mut adjudicator);
            let failed = failed.break_value().unwrap_or_default();
            if !failed.is_empty() {
                self.exclude(&failed, &text, &mut reader);
            }
            failed.is_empty()
        });
        if let Some(names) = names {
            self.wanted.add(names);
        }
        if chunk.games().next().is_some() {
            self.end_search();
        }
    }

    /// Breaks with the conditions that exclude a game, with none if it is chosen. Conditions on
    /// cheap facts are first: after one that excludes the game no more is read. A game is played
    /// once.
    fn excluding(
        &self,
        text: &GameText<'_>,
        reader: &mut Reader,
        adjudicator: &mut Adjudicator,
    ) -> ControlFlow<Vec<usize>> {
        let mut open: Vec<usize> = (0..self.conditions.len()).collect();
        let is_of = |fact| self.conditions.iter().any(|it| it.is_of(fact));
        let openings = self.openings.as_deref().filter(|_| is_of(Fact::Eco));
        let of_tags = [Fact::Tag, Fact::Player, Fact::Speed];
        if of_tags.into_iter().any(is_of) || openings.is_none() && is_of(Fact::Eco) {
            let facts = GameFacts::new(text.read_tags(reader, None), text.bytes, openings);
            self.decide(&mut open, &facts)?;
        }
        let game = text.read(reader);
        let mut facts = GameFacts::new(game, text.bytes, openings);
        facts.is_read = true;
        self.decide(&mut open, &facts)?;
        let conditions = open.iter();
        let conditions = conditions.flat_map(|&nth| &self.conditions[nth].alternatives);
        let reaches = conditions.filter_map(|condition| match condition {
            Condition::Reach(reach) => Some((reach, None)),
            Condition::Fact(..) => None,
        });
        facts.reaches = reaches.collect();
        let mut replay = adjudicator.begin(game, text.bytes).ok();
        if let Some(replay) = &mut replay {
            let is_judged = is_of(Fact::Ending);
            facts.watch(replay, |mv, after| {
                if is_judged {
                    adjudicator.see(mv, after);
                }
            });
        }
        facts.is_played = true;
        self.decide(&mut open, &facts)?;
        let end = replay.map(|replay| adjudicator.end(game, text.bytes, replay).board);
        facts.end = Some(end.map_or("", |end| end.map_or("open", End::as_str)));
        self.decide(&mut open, &facts)
    }

    /// Removes the conditions that are decided. Breaks with those that do not hold, or if none is
    /// left.
    fn decide(&self, open: &mut Vec<usize>, facts: &GameFacts<'_>) -> ControlFlow<Vec<usize>> {
        let mut failed = Vec::new();
        open.retain(|&nth| {
            let holds = self.conditions[nth].holds(facts);
            failed.extend((holds == Some(false)).then_some(nth));
            holds.is_none()
        });
        if failed.is_empty() && !open.is_empty() {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(failed)
        }
    }

    /// Counts a game that conditions exclude, until a game is chosen.
    fn exclude(&self, failed: &[usize], text: &GameText<'_>, reader: &mut Reader) {
        if self.has_chosen.load(Ordering::Relaxed) {
            return;
        }
        for &condition in failed {
            self.excluded[condition].fetch_add(1, Ordering::Relaxed);
        }
        let game = text.read_tags(reader, None);
        let is_near = self.conditions.iter().all(|condition| {
            let mut any = condition.tags();
            any.any(|condition| condition.is_nearly_of(game, text.bytes))
        });
        (self.nearly_chosen).fetch_add(u64::from(is_near), Ordering::Relaxed);
    }
}
