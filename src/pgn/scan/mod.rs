//! Our own pass over a game's text: every token with its place, and what pgn-reader would leave out
//! in silence.
//!
//! The rules for what a token is are pgn-reader's, token for token, so that its reading can be
//! checked against this one; what it drops becomes a fault or an unreadable token here.

mod movetext;
mod tags;

use fearless_simd::{Level, dispatch};
use memchr::memchr;

use crate::pgn::game::Game;
use crate::pgn::token::{FaultKind, Span};
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
    game.start = at;
    game.movetext = dispatch!(Level::new(), simd => tags::scan(simd, text, at, game));
}

/// Skips what may stand between games: white space, `%` lines, and byte order marks, NULs and
/// end-of-file marks, which files that have been joined have there.
fn skip_between(text: &[u8], at: usize) -> usize {
    let mut at = skip_blank(text, at, true);
    loop {
        at += match text[at..] {
            [0xef, 0xbb, 0xbf, ..] => 3,
            [0 | 0x1a, ..] => 1,
            _ => return at,
        };
        at = skip_blank(text, at, true);
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
            Some(b' ' | b'\t' | b'\r') => at += 1,
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
