//! Players and occasion of a game, and words of its text.

use std::borrow::Cow;

use serde::Serialize;

use crate::pgn::{Game, Span, TagName};
use crate::text::decode;

/// Facts of a game in a heading, as recorded; nothing where a tag is missing or unknown.
#[derive(Clone, Default, Debug, Serialize)]
pub struct Heading {
    /// White's name.
    pub white: Option<String>,
    /// Black's name.
    pub black: Option<String>,
    /// The event.
    pub event: Option<String>,
    /// The round.
    pub round: Option<String>,
    /// The date, which may be partial: `1972.??.??`.
    pub date: Option<String>,
}

impl Heading {
    /// The facts in the tags of a game.
    pub fn new(game: &Game, text: &[u8]) -> Heading {
        let known = |name| game.text(text, name).map(Cow::into_owned);
        Heading {
            white: known(TagName::White),
            black: known(TagName::Black),
            event: known(TagName::Event),
            round: known(TagName::Round),
            date: known(TagName::Date).filter(|date| date.contains(|c: char| c.is_ascii_digit())),
        }
    }

    /// `Fischer, Robert James - Spassky, Boris`, if one of them is known.
    pub fn players(&self) -> Option<String> {
        let name = |name: &Option<String>| name.clone().unwrap_or("?".to_owned());
        let is_known = self.white.is_some() || self.black.is_some();
        is_known.then(|| format!("{} - {}", name(&self.white), name(&self.black)))
    }

    /// `World Championship, round 6, 1972.07.23`, as far as it is known.
    pub fn occasion(&self) -> Option<String> {
        let round = self.round.as_ref().map(|round| format!("round {round}"));
        let parts = [self.event.clone(), round, self.date.clone()];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        (!parts.is_empty()).then(|| parts.join(", "))
    }
}

/// Words of the game's text, as characters, on one line.
pub fn words(text: &[u8], span: Span) -> Cow<'_, str> {
    let words = decode(span.of(text));
    if words.contains(['\n', '\r']) {
        Cow::Owned(words.split_whitespace().collect::<Vec<_>>().join(" "))
    } else {
        words
    }
}
