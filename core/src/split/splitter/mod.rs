//! Definition of where a game ends.
//!
//! A game consists of white space, comments and `%` lines, tag pairs with any of these between
//! them, and movetext. Movetext ends at an empty line, and before a tag pair:
//!
//! - at the start of a line, or after a result mark on its line. `Event` anywhere in movetext, or a
//!   known name directly after a word, begins a game too: files are joined without a line break.
//! - in a comment that is never closed: after a blank line, or an `[Event` tag pair at the start of
//!   a line, or at the end of one before a line that begins with `[`.
//!
//! A line that begins with `1.` begins the next game after a result mark. In a tag section, a tag
//! pair after a blank line or a broken tag pair, or one that repeats the first name or `Event`, may
//! begin another game ([`EndKind::TagInSection`]).
//!
//! Byte order marks, blanks outside ASCII and the `>` of quoted mail are white space beside tags,
//! NULs and end-of-file marks between games. Text beside a tag pair that is no movetext changes
//! nothing ([`beside_pair`](crate::pgn::beside_pair)). A quote in a tag value does not end the tag
//! pair if a bracket ends its line. [`join`](crate::split::join) decides which pieces are one game.

mod end;
mod look_ahead;
mod place;
mod steps;

use crate::split::splitter::place::{Place, Section};
use crate::text::Offset;
use crate::text::index::Index;

pub(crate) use end::{EndKind, GameEnd, TagCause};

/// Finds the ends of games in a text that is read in parts, in a single pass.
///
/// The ends do not depend on how the text is divided. White space and `%` lines before a game
/// belong to it, and those at the end of the text to the last game. A text of only a byte order
/// mark, white space and `%` lines has no game.
#[derive(Clone, Debug, Default)]
pub struct Splitter {
    /// Ends that are certain and have not been taken.
    pub(crate) found: Vec<GameEnd>,
    place: Place,
    /// Offset of `place`, the end of the text but for an incomplete construct.
    at: u64,
    /// Offset of the text that is being read.
    base: u64,
    /// End of a game while no other game has begun. It may still move to the end of the text.
    pending: Option<Offset>,
    /// Offset of the `{` of the current comment, or of the last one in the current movetext.
    brace: Option<u64>,
    /// Offset at which the next game may begin.
    line: u64,
    /// Whether the last tag pair was broken and only blanks have followed.
    broken: bool,
    section: Section,
    /// Whether the current comment stands between tags.
    in_section: bool,
    /// Offset of the line feed after the last comment to the end of a line, or `%` line.
    line_comment: u64,
    /// Whether nothing follows the text.
    is_whole: bool,
}

/// Next place, and where it begins in the text. `None` if the text ends too early to tell.
type Step = Option<(Place, usize)>;

/// Usual beginning of a game.
const EVENT: &[u8] = b"[Event \"";

impl Splitter {
    /// Number of bytes that tell what follows a tag pair, from the quote after its value on.
    const AFTER_VALUE: usize = 8;

    /// Creates a splitter that begins at `at`, where a game begins.
    pub(crate) fn games(at: Offset) -> Splitter {
        Splitter {
            at: at.0,
            base: at.0,
            ..Splitter::default()
        }
    }

    /// Creates a splitter of a list of positions. Each line with content is a game.
    pub(crate) fn positions() -> Splitter {
        Splitter {
            place: Place::Positions,
            ..Splitter::games(Offset(0))
        }
    }

    /// Ends in a whole text.
    pub fn ends(text: &[u8]) -> Vec<GameEnd> {
        let mut splitter = Splitter::games(Offset(0));
        let mut index = Index::default();
        index.extend(text, 0);
        splitter.feed(text, Offset(0), &mut index);
        splitter.finish(text, &mut index);
        splitter.found
    }

    /// Offset up to which the text has been read: to its end, but for an incomplete construct.
    pub(crate) fn at(&self) -> Offset {
        Offset(self.at)
    }

    /// End of a complete game to which only white space at the end of the text may be added.
    pub(crate) fn pending(&self) -> Option<Offset> {
        self.pending
    }

    /// Reads a text that begins at `base`, at or before the start of the current game, and goes
    /// further than last time. Appends the ends that have become certain to `found`.
    ///
    /// An end is certain once the next game has begun.
    pub(crate) fn feed(&mut self, text: &[u8], base: Offset, index: &mut Index) {
        self.base = base.0;
        let mut at = (self.at - base.0) as usize;
        while at < text.len() {
            let step = match self.place {
                Place::Before => self.before(text, at),
                Place::Positions => self.positions_line(text, at),
                Place::Tag => self.tag(text, at, index),
                Place::Value => self.value(text, at),
                Place::Quoted => self.quoted(text, at),
                Place::Between(between) => self.between(text, at, between),
                Place::LineStart => self.line_start(text, at),
                Place::RestOfLine => self.rest_of_line(text, at),
                Place::Comment if self.in_section => self.section_comment(text, at),
                Place::Movetext | Place::Comment => self.movetext(text, at, index),
                Place::CommentLine { after_blank } => self.comment_line(text, at, after_blank),
            };
            let Some(next) = step else { break };
            (self.place, at) = next;
        }
        self.at = self.offset(at);
    }

    /// Ends the `text`, and appends the end of its last game, if it has one.
    pub(crate) fn finish(&mut self, text: &[u8], index: &mut Index) {
        self.is_whole = true;
        self.feed(text, Offset(self.base), index);
        let from = (self.at - self.base) as usize;
        let mut unclosed_comment = None;
        match (self.place, text.get(from)) {
            (Place::Before, None | Some(b'%')) | (Place::Positions, None | Some(b'#'))
                if self.pending.is_none() =>
            {
                return;
            }
            (Place::Before, None | Some(b'%')) | (Place::Positions, None | Some(b'#')) => {}
            (Place::Before, Some(b'[')) => self.begin(EndKind::Bracket),
            // An incomplete character is a word, and a game of its own.
            (Place::Before, _) => self.begin(EndKind::Movetext),
            (Place::Positions, _) => self.begin(EndKind::Tags),
            (Place::Comment | Place::CommentLine { .. }, _) => unclosed_comment = self.brace,
            _ => {}
        }
        self.found.push(GameEnd {
            unclosed_comment: unclosed_comment.map(Offset),
            ..GameEnd::new(self.offset(text.len()), EndKind::Tags)
        });
    }

    /// Offset of a byte of the text.
    fn offset(&self, at: usize) -> u64 {
        self.base + at as u64
    }

    /// Begins a game after the one that ended at `pending`, if any.
    fn begin(&mut self, kind: EndKind) {
        self.found
            .extend(self.pending.take().map(|at| GameEnd::new(at.0, kind)));
        self.clear();
    }

    /// Ends a game where the next one begins.
    fn end(&mut self, end: GameEnd) {
        self.found.push(end);
        self.clear();
    }

    fn clear(&mut self) {
        self.brace = None;
        self.broken = false;
        self.in_section = false;
        self.section = Section::default();
    }
}

#[cfg(test)]
pub(crate) mod tests;
