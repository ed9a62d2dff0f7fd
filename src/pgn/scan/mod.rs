//! Our own pass over a game's text: every token with its place, and what pgn-reader would leave out in silence.
//!
//! The rules for what a token is are pgn-reader's, token for token, so that its reading can be checked against this
//! one; what it drops becomes a fault or an unreadable token here.

mod known;
mod movetext;
mod odd_result;
mod tags;

use memchr::memchr;

use super::game::Game;
pub(super) use known::Known;

/// Reads a game's text into `game`. `unclosed_comment` is the place of a `{` that never closes; the text ends in
/// that comment.
pub(super) fn scan(
    text: &[u8],
    unclosed_comment: Option<usize>,
    known: &mut Known,
    game: &mut Game,
) {
    scan_tags_only(text, game);
    movetext::scan(text, unclosed_comment, known, game);
}

/// Reads a game's tag pairs and finds where its movetext begins.
pub(super) fn scan_tags_only(text: &[u8], game: &mut Game) {
    game.clear();
    let mut at = skip_blank(text, 0, true);
    // A byte order mark is white space before a game, also where files with one have been joined; so are NULs and
    // end-of-file marks.
    loop {
        at += match text[at..] {
            [0xef, 0xbb, 0xbf, ..] => 3,
            [0 | 0x1a, ..] => 1,
            _ => break,
        };
        at = skip_blank(text, at, true);
    }
    game.start = at;
    game.movetext = tags::scan(text, at, game);
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
