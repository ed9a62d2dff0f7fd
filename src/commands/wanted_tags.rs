//! Tags that conditions name, of which some may occur in no game.

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::input::sync::lock;
use crate::pgn::Game;
use crate::report::Log;
use crate::text::decode;
use crate::text::nearest::nearest;

/// Names of tags that occur in a game sooner or later, unless they are misspelled.
#[derive(Debug)]
pub(crate) struct WantedTags {
    names: Vec<String>,
    /// Names of the tags of all games so far; none before the first game.
    met: Mutex<Option<BTreeSet<String>>>,
    /// Whether the wanted names are among them, so that no more are added.
    is_complete: AtomicBool,
}

/// Maximum length of a name that is kept, in bytes, and of their number, which bounds memory.
const LONGEST_NAME: usize = 64;
const MOST_NAMES: usize = 1 << 16;

impl WantedTags {
    pub(crate) fn new<'a>(names: impl Iterator<Item = &'a str>) -> WantedTags {
        let mut wanted: Vec<String> = Vec::new();
        for name in names {
            if !wanted.iter().any(|known| known.eq_ignore_ascii_case(name)) {
                wanted.push(name.to_owned());
            }
        }
        WantedTags {
            is_complete: wanted.is_empty().into(),
            names: wanted,
            met: Mutex::default(),
        }
    }

    /// Whether all tags have occurred.
    pub(crate) fn is_complete(&self) -> bool {
        self.is_complete.load(Ordering::Relaxed)
    }

    /// Adds the names of a game's tags to those of a chunk.
    #[cold]
    pub(crate) fn collect(game: &Game, text: &[u8], names: &mut BTreeSet<String>) {
        let found = game.tags.iter().map(|tag| tag.name.of(text));
        let found = found.filter(|name| name.len() <= LONGEST_NAME);
        names.extend(found.map(|name| decode(name).into_owned()));
    }

    /// Adds the names of a chunk.
    pub(crate) fn add(&self, names: BTreeSet<String>) {
        let mut met = lock(&self.met);
        let met = met.get_or_insert_default();
        if met.len() < MOST_NAMES {
            met.extend(names);
        }
        let is_complete = self.missing(met).next().is_none();
        self.is_complete.store(is_complete, Ordering::Relaxed);
    }

    /// Wanted names that are not among those of games.
    fn missing(&self, met: &BTreeSet<String>) -> impl Iterator<Item = &String> {
        let is_met = |name: &str| met.iter().any(|known| known.eq_ignore_ascii_case(name));
        self.names.iter().filter(move |name| !is_met(name))
    }

    /// Notes the tags that occur in no game, unless only part of the games was read.
    pub(crate) fn report(&self, log: &Log, is_partial: bool) {
        let met = lock(&self.met);
        let Some(met) = met.as_ref().filter(|_| !is_partial) else {
            return;
        };
        // A second pass does not note them again.
        self.is_complete.store(true, Ordering::Relaxed);
        for name in self.missing(met) {
            let meant = nearest(name, met.iter().map(String::as_str));
            let meant = meant.map_or(String::new(), |name| format!("; did you mean `{name}`?"));
            log.note(&format_args!(
                "note: the tag `{name}` of --where occurs in no game that was read{meant}"
            ));
        }
    }
}
