//! Our own pass over a game's text: every token with its place, and what pgn-reader would leave out
//! in silence.
//!
//! The rules for what a token is are pgn-reader's, token for token, so that its reading can be
//! checked against this one; what it drops becomes a fault or an unreadable token here.

mod movetext;
mod tags;

use std::ops::Range;

use memchr::memchr;

use crate::pgn::game::Game;
use crate::pgn::token::{FaultKind, Span};
use crate::text::index::{Index, IndexView};
use crate::text::{TagFilter, odd_blank, wide_blank};
use movetext::WordCache;
pub use movetext::may_be_move;
pub use tags::{MOST_BESIDE_PAIR, beside_pair};

/// Reads games. Its memory is used again.
#[derive(Debug, Default)]
pub struct Scanner {
    words: WordCache,
    index: Index,
}

impl Scanner {
    /// Reads a game's text into `game`. `unclosed_comment` is the place of a `{` that never closes;
    /// the text ends in that comment. `index` is the text's index, if it has been made.
    pub(crate) fn scan(
        &mut self,
        text: &[u8],
        unclosed_comment: Option<usize>,
        index: Option<IndexView<'_>>,
        game: &mut Game,
    ) {
        if index.is_none() {
            self.index.clear();
            self.index.extend(text, 0);
        }
        Scanner::scan_tags(text, index.unwrap_or_default(), None, game);
        movetext::scan(text, unclosed_comment, self, index, game);
    }

    /// Reads a game's tag pairs, all or the `wanted` and unusual ones, and finds where its movetext
    /// begins. `index` need not know the text.
    pub(crate) fn scan_tags(
        text: &[u8],
        index: IndexView<'_>,
        wanted: Option<&TagFilter>,
        game: &mut Game,
    ) {
        game.clear();
        let mut at = skip_between(text, 0);
        if let Some(tag) = tag_after_comments(text, at) {
            game.fault(FaultKind::CommentAlone, Span::new(at, at + 1));
            at = tag;
        }
        stray_text(text, 0..at, game);
        if text.get(at).is_some_and(|&first| first != b'[')
            && let length @ 1.. = beside_pair(&text[at..], true)
        {
            game.fault(FaultKind::StrayText, Span::new(at, at + length));
            at = skip_blank(text, at + length, false);
        }
        game.start = at;
        game.movetext = tags::scan(text, index, at, wanted, game);
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
pub fn is_comments(text: &[u8]) -> bool {
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
