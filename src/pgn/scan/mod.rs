//! Our own pass over a game's text: every token with its place, and what pgn-reader would leave out
//! in silence.
//!
//! The rules for what a token is are pgn-reader's, token for token, so that its reading can be
//! checked against this one; what it drops becomes a fault or an unreadable token here.

mod movetext;
mod tags;

use std::ops::Range;

use fearless_simd::{Level, dispatch};
use memchr::memchr;

use crate::pgn::game::Game;
use crate::pgn::tag_name::TagName;
use crate::pgn::token::{FaultKind, Span};
use crate::text::{Offset, TagFilter, TagPair, odd_blank, wide_blank};
pub(crate) use movetext::WordCache;

/// Reads a game's text into `game`. `unclosed_comment` is the place of a `{` that never closes; the
/// text ends in that comment.
pub(crate) fn scan(
    text: &[u8],
    unclosed_comment: Option<usize>,
    cache: &mut WordCache,
    game: &mut Game,
) {
    scan_tags_only(text, game);
    movetext::scan(text, unclosed_comment, cache, game);
}

/// Reads a game's tag pairs and finds where its movetext begins.
pub(crate) fn scan_tags_only(text: &[u8], game: &mut Game) {
    game.clear();
    let mut at = skip_between(text, 0);
    if let Some(tag) = tag_after_comments(text, at) {
        game.fault(FaultKind::CommentAlone, Span::new(at, at + 1));
        at = tag;
    }
    stray_text(text, 0..at, game);
    game.start = at;
    game.movetext = dispatch!(Level::new(), simd => tags::scan(simd, text, at, game));
}

/// Reads the tag pairs that the filter accepts from their recorded places. `start` is the
/// offset of the game. If any of them is unusual, all tag pairs are read from the text.
pub(crate) fn scan_pairs(
    text: &[u8],
    pairs: &[TagPair],
    start: Offset,
    likely: &TagFilter,
    game: &mut Game,
) {
    game.clear();
    for pair in pairs {
        let places = pair.places(start);
        let Some([open, quote, close]) =
            places.filter(|[open, ..]| !text[open + 1].is_ascii_whitespace())
        else {
            return scan_tags_only(text, game);
        };
        if likely.begins(text[open + 1]) {
            let name = text[open + 1..quote].trim_ascii_end();
            if likely.has(name) {
                let (known, end) = (TagName::read(name), open + 1 + name.len());
                let value = Span::new(quote + 1, close);
                game.push_tag(Span::new(open + 1, end), known, value, false);
            }
        }
    }
}

/// Skips what may stand between games: white space, `%` lines, the `>` of quoted lines, and byte
/// order marks, NULs and end-of-file marks, which files that have been joined have there.
fn skip_between(text: &[u8], at: usize) -> usize {
    let mut at = skip_blank(text, at, true);
    loop {
        at += match text[at..] {
            [0 | 0x1a | b'>', ..] => 1,
            _ => match odd_blank(&text[at..]) {
                0 => return at,
                length => length,
            },
        };
        at = skip_blank(text, at, true);
    }
}

/// Reports the first blank outside ASCII, or `>`, that has been skipped before the tags.
fn stray_text(text: &[u8], skipped: Range<usize>, game: &mut Game) {
    let mut at = skipped.start;
    while at < skipped.end {
        let length = match text[at] {
            b'>' => 1,
            b'%' => line_end(text, at) - at,
            _ => wide_blank(&text[at..]),
        };
        if length > 0 && text[at] != b'%' {
            game.fault(FaultKind::StrayText, Span::new(at, at + length));
            return;
        }
        at += length.max(1);
    }
}

/// The tag pair before which nothing but comments stand.
#[inline]
fn tag_after_comments(text: &[u8], at: usize) -> Option<usize> {
    match text.get(at) {
        Some(b'{' | b';') => {
            let end = skip_comments(text, at)?;
            (text.get(end) == Some(&b'[')).then_some(end)
        }
        _ => None,
    }
}

/// Whether comments are all that a text holds.
pub(crate) fn is_comments(text: &[u8]) -> bool {
    skip_comments(text, skip_between(text, 0)) == Some(text.len())
}

/// Skips comments, which are closed, and what may stand between games.
#[cold]
fn skip_comments(text: &[u8], mut at: usize) -> Option<usize> {
    loop {
        let end = match text.get(at) {
            Some(b'{') => at + memchr(b'}', &text[at..])? + 1,
            Some(b';') => line_end(text, at),
            _ => return Some(at),
        };
        at = skip_blank(text, end, false);
        if text[..at].ends_with(b"\n") {
            at = skip_between(text, at);
        }
    }
}

/// Skips white space and, at the beginning of a line, `%` lines (PGN standard 6).
fn skip_blank(text: &[u8], mut at: usize, mut line_start: bool) -> usize {
    loop {
        match text.get(at) {
            Some(b' ' | b'\t' | b'\r' | 0x0b | 0x0c) => at += 1,
            Some(b'\n') => {
                line_start = true;
                at += 1;
            }
            Some(b'%') if line_start => at = (line_end(text, at) + 1).min(text.len()),
            _ => return at,
        }
    }
}

/// The next line feed, or the end.
fn line_end(text: &[u8], at: usize) -> usize {
    memchr(b'\n', &text[at..]).map_or(text.len(), |length| at + length)
}
