//! A game of one of two databases, as hashes.

use crate::pgn::values::is_unfilled;
use crate::pgn::{Game, TagName};
use crate::replay::{GameKey, PlayerHashes, address, mix, of_text};

/// A game, as far as it decides which game of the other database it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct DiffEntry {
    pub(crate) key: GameKey,
    /// Players, normalised, date, event, round and address.
    pub(crate) identity: u64,
    /// All tag pairs, in any order, and the text after them and the mark at its end, with any
    /// white space.
    pub(crate) content: u64,
    /// Index among all games, from 0.
    pub(crate) index: u32,
    /// Size of the text, in bytes.
    pub(crate) size: u32,
}

impl DiffEntry {
    /// The entry of a game, without its index.
    pub(crate) fn new(
        game: &Game,
        text: &[u8],
        key: GameKey,
        players: &mut PlayerHashes,
    ) -> DiffEntry {
        let of_tag = |name| (game.text(text, name)).map_or(0, |value| of_text(value.as_bytes()));
        let identity = [TagName::Date, TagName::Event, TagName::Round].map(of_tag);
        let address = address(game, text).map(of_text);
        let tags = game
            .tags
            .iter()
            .filter(|tag| !is_unfilled(tag.value.of(text)));
        let tags = tags.map(|tag| {
            let name = of_text(tag.name.of(text));
            mix(mix(0, name), of_text(tag.text(text).as_bytes()))
        });
        let tags = tags.fold(0, u64::wrapping_add);
        let mark = game.result.map_or(0, |(_, span)| of_text(span.of(text)));
        let identity = identity.into_iter().chain(address);
        DiffEntry {
            key,
            identity: identity.fold(players.of(game, text).0, mix),
            content: mix(mix(tags, movetext_hash(game, text)), mark),
            index: 0,
            size: u32::try_from(text.len()).unwrap_or(u32::MAX),
        }
    }
}

/// Hash of the text after the tags, but for the result that ends it and white space.
pub(crate) fn movetext_hash(game: &Game, text: &[u8]) -> u64 {
    let (before, after) = match game.result.map(|(_, span)| span.range()) {
        Some(mark) if mark.start >= game.movetext => {
            (&text[game.movetext..mark.start], &text[mark.end..])
        }
        _ => (&text[game.movetext..], &b""[..]),
    };
    let words = [before, after].into_iter();
    let words = words.flat_map(|text| text.split(u8::is_ascii_whitespace));
    words
        .filter(|word| !word.is_empty())
        .fold(0, |hash: u64, word| mix(hash, of_text(word)))
}
