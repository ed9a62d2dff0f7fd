//! Tags that conditions name, of which some may occur in no game.

use std::collections::HashSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::input::sync::lock;
use crate::pgn::Game;
use crate::replay::Reader;
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

/// Search of one thread.
pub(crate) struct TagSearch<'a> {
    wanted: &'a WantedTags,
    /// Names that have been compared.
    compared: HashSet<Vec<u8>>,
}

/// Maximum number of names remembered; others are compared again.
const MOST_NAMES: usize = 1 << 10;

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

    /// Search in some games.
    pub(crate) fn search(&self) -> TagSearch<'_> {
        TagSearch {
            wanted: self,
            compared: HashSet::new(),
        }
    }

    /// Tags that have not occurred yet.
    fn missing(&self) -> impl Iterator<Item = &WantedTag> {
        let tags = self.tags.iter();
        tags.filter(|tag| !tag.occurs.load(Ordering::Relaxed))
    }

    /// Notes the tags that occur in no game.
    pub(crate) fn report(&self, log: &Log) {
        if !self.has_games.load(Ordering::Relaxed) {
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

impl TagSearch<'_> {
    /// Searches the tags of a game. It is read only while a tag is missing.
    pub(crate) fn look_at(&mut self, reader: &mut Reader, text: &[u8]) {
        if self.wanted.missing().next().is_some() {
            self.look(reader.read_tags(text), text);
        }
    }

    #[cold]
    fn look(&mut self, game: &Game, text: &[u8]) {
        self.wanted.has_games.store(true, Ordering::Relaxed);
        for tag in self.wanted.missing() {
            if game.tag(text, &tag.name).is_some() {
                tag.occurs.store(true, Ordering::Relaxed);
            }
        }
        for tag in &game.tags {
            let name = tag.name.of(text);
            if name.len() > LONGEST_NAME || self.compared.contains(name) {
                continue;
            }
            for tag in self.wanted.missing() {
                tag.compare(&decode(name));
            }
            if self.compared.len() < MOST_NAMES {
                self.compared.insert(name.to_vec());
            }
        }
    }
}

impl WantedTag {
    /// Keeps the more similar name, whatever the order in which the threads find them.
    fn compare(&self, name: &str) {
        let mut best = lock(&self.nearest);
        let mut names = vec![name];
        names.extend(best.as_deref());
        names.sort_unstable();
        let more_similar = nearest(&self.name, names).map(str::to_owned);
        *best = more_similar;
    }
}
