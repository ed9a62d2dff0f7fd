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
    tags: Vec<WantedTag>,
    /// Whether there was any game.
    has_games: AtomicBool,
}

#[derive(Debug)]
struct WantedTag {
    name: String,
    occurs: AtomicBool,
    /// The most similar name of a tag so far.
    nearest: Mutex<Option<String>>,
}

/// Maximum length of a name that is compared, in bytes.
const LONGEST_NAME: usize = 64;

impl WantedTags {
    pub(crate) fn new<'a>(names: impl Iterator<Item = &'a str>) -> WantedTags {
        let mut tags: Vec<WantedTag> = Vec::new();
        for name in names {
            if !tags.iter().any(|tag| tag.name.eq_ignore_ascii_case(name)) {
                tags.push(WantedTag {
                    name: name.to_owned(),
                    occurs: AtomicBool::new(false),
                    nearest: Mutex::new(None),
                });
            }
        }
        WantedTags {
            tags,
            has_games: AtomicBool::new(false),
        }
    }

    /// Tags that have not occurred yet.
    fn missing(&self) -> impl Iterator<Item = &WantedTag> {
        let tags = self.tags.iter();
        tags.filter(|tag| !tag.occurs.load(Ordering::Relaxed))
    }

    /// Whether all tags have occurred.
    pub(crate) fn is_complete(&self) -> bool {
        self.missing().next().is_none()
    }

    /// Searches the tags of a game, and adds their names to those of a chunk.
    #[cold]
    pub(crate) fn search(&self, game: &Game, text: &[u8], names: &mut BTreeSet<String>) {
        self.has_games.store(true, Ordering::Relaxed);
        for tag in self.missing() {
            if game.tag(text, &tag.name).is_some() {
                tag.occurs.store(true, Ordering::Relaxed);
            }
        }
        let found = game.tags.iter().map(|tag| tag.name.of(text));
        let found = found.filter(|name| name.len() <= LONGEST_NAME);
        names.extend(found.map(|name| decode(name).into_owned()));
    }

    /// Keeps the most similar of the names of a chunk, whatever the order of the chunks.
    pub(crate) fn compare(&self, names: &BTreeSet<String>) {
        for tag in self.missing() {
            let mut best = lock(&tag.nearest);
            let mut names = names.clone();
            names.extend(best.take());
            *best = nearest(&tag.name, names.iter().map(String::as_str)).map(str::to_owned);
        }
    }

    /// Notes the tags that occur in no game, unless only part of the games was read.
    pub(crate) fn report(&self, log: &Log, is_partial: bool) {
        if is_partial || !self.has_games.load(Ordering::Relaxed) {
            return;
        }
        for tag in self.missing() {
            let meant = lock(&tag.nearest);
            let meant = meant
                .as_ref()
                .map_or(String::new(), |name| format!("; did you mean `{name}`?"));
            let name = &tag.name;
            log.note(&format_args!(
                "note: the tag `{name}` of --where occurs in no game that was read{meant}"
            ));
        }
    }
}
