//! Tag pairs of the export format (PGN standard 8.1): the Seven Tag Roster, then the others in
//! ASCII order.

use std::borrow::Cow;

use crate::pgn::{Game, ResultMark, ResultText, Tag, TagName};
use crate::replay::Start;
use crate::report::Buffer;
use crate::text::decode;

/// Mark that ends the movetext: the recorded one, or that of the `Result` tag; `*` for any other
/// result.
pub(crate) fn mark(game: &Game, text: &[u8]) -> ResultMark {
    let marked = game.result.map(|(mark, _)| mark);
    marked
        .or_else(|| game.recorded_result(text).ok().flatten())
        .unwrap_or(ResultMark::Unknown)
}

/// Adds the tag section and the empty line after it.
pub(crate) fn tags(out: &mut Buffer, game: &Game, text: &[u8]) {
    for &name in &TagName::ALL[..TagName::ROSTER] {
        let value = game.known(name).map(|tag| value(tag, text));
        let value = match name {
            TagName::Result => Some(result(value, game, text)),
            _ => value.filter(|value| !value.trim().is_empty()),
        };
        let unknown = match name {
            TagName::Date => "????.??.??",
            _ => "?",
        };
        pair(out, name.as_str(), value.as_deref().unwrap_or(unknown));
    }
    for (name, value) in others(game, text) {
        pair(out, &name, &value);
    }
    out.push(b'\n');
}

/// `Result` tag in the standard's spelling; its meaning is never changed.
fn result<'a>(value: Option<Cow<'a, str>>, game: &Game, text: &[u8]) -> Cow<'a, str> {
    match value {
        Some(value) if !matches!(value.trim(), "" | "?") => {
            let read = ResultText::read(value.as_bytes()).and_then(ResultText::mark);
            read.map_or(value, |mark| mark.as_str().into())
        }
        _ => mark(game, text).as_str().into(),
    }
}

/// Pairs beyond the roster, sorted. The first of several with the same name is kept.
fn others<'a>(game: &Game, text: &'a [u8]) -> Vec<(Cow<'a, str>, Cow<'a, str>)> {
    let mut pairs: Vec<(Cow<'a, str>, Cow<'a, str>)> = Vec::with_capacity(game.tags.len());
    for &tag in &game.tags {
        let name = match tag.known {
            Some(name) if name.is_in_roster() => continue,
            Some(name) => name.as_str().into(),
            None => symbol(tag.name.of(text)),
        };
        if !name.is_empty() {
            pairs.push((name, value(tag, text)));
        }
    }
    // A FEN needs this tag (PGN standard 9.7.1).
    if Start::fen(game, text).is_some() {
        match pairs.iter_mut().find(|pair| pair.0 == "SetUp") {
            Some(pair) => pair.1 = "1".into(),
            None => pairs.push(("SetUp".into(), "1".into())),
        }
    }
    // The sort is stable.
    pairs.sort_by(|one, other| one.0.cmp(&other.0));
    pairs.dedup_by(|later, first| later.0 == first.0);
    pairs
}

/// Name of letters, digits and underscores (PGN standard 8.1). Hyphens and dots are common and
/// kept.
fn symbol(name: &[u8]) -> Cow<'_, str> {
    let name = decode(name);
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    if name.chars().all(fits) {
        return name;
    }
    let fitted = name.chars().map(|c| if fits(c) { c } else { '_' });
    Cow::Owned(fitted.collect())
}

fn value(tag: Tag, text: &[u8]) -> Cow<'_, str> {
    match tag.unescape(text) {
        Cow::Borrowed(bytes) => decode(bytes),
        Cow::Owned(bytes) => Cow::Owned(decode(&bytes).into_owned()),
    }
}

/// `[Name "value"]` on a line.
fn pair(out: &mut Buffer, name: &str, value: &str) {
    out.push(b'[');
    out.extend_from_slice(name.as_bytes());
    out.extend_from_slice(b" \"");
    if value.contains(|c: char| matches!(c, '"' | '\\') || c.is_control()) {
        for character in value.chars() {
            let shown = if character.is_control() {
                ' '
            } else {
                character
            };
            if matches!(shown, '"' | '\\') {
                out.push(b'\\');
            }
            out.extend_from_slice(shown.encode_utf8(&mut [0; 4]).as_bytes());
        }
    } else {
        out.extend_from_slice(value.as_bytes());
    }
    out.extend_from_slice(b"\"]\n");
}
