//! Words and comments on lines of a limited width.

use std::borrow::Cow;

use crate::pgn::ResultMark;
use crate::report::Buffer;
use crate::text::count_characters;

/// Lines have less than 80 characters (PGN standard 8.2.1).
pub(crate) const LINE_WIDTH: usize = 79;

/// Wraps words. The last word is held back, as something may be appended to it.
pub(crate) struct Wrap<'a> {
    out: &'a mut Buffer,
    /// Maximum number of characters on a line.
    width: usize,
    /// Characters on the current line.
    column: usize,
    word: Vec<u8>,
    /// Beginning of the next word.
    prefix: Vec<u8>,
    /// The open lines, if each is a game of its own: the words are held then.
    lines: Vec<Line>,
    /// The lines that have ended.
    ended: Vec<Line>,
}

/// A line from the first move of the game.
#[derive(Default)]
pub(super) struct Line {
    /// 0 for the main line; variations follow in the order of their `(`.
    pub(super) number: usize,
    pub(super) words: Vec<Vec<u8>>,
    /// Number of words before the last move.
    before_last: usize,
    pub(super) plies: usize,
}

impl<'a> Wrap<'a> {
    /// Begins on a new line. With `splits_lines` each line of the game is a game of its own.
    pub(crate) fn new(out: &'a mut Buffer, width: usize, splits_lines: bool) -> Wrap<'a> {
        Wrap {
            out,
            width,
            column: 0,
            word: Vec::with_capacity(16),
            prefix: Vec::new(),
            lines: splits_lines.then(Line::default).into_iter().collect(),
            ended: Vec::new(),
        }
    }

    /// Notes that a move follows. Returns whether Black's needs its number in a line of its own.
    #[inline]
    pub(super) fn begin_move(&mut self) -> Option<bool> {
        self.lines.last()?;
        self.put();
        let line = self.lines.last_mut()?;
        line.before_last = line.words.len();
        line.plies += 1;
        Some(line.words.last().is_none_or(|word| word.ends_with(b"}")))
    }

    /// Begins a variation, in place of the last move.
    pub(super) fn open(&mut self) {
        self.put();
        if let Some(outer) = self.lines.last() {
            let inner = Line {
                number: self.lines.len() + self.ended.len(),
                words: outer.words[..outer.before_last].to_vec(),
                before_last: outer.before_last,
                plies: outer.plies - 1,
            };
            self.lines.push(inner);
        } else {
            self.prefix(b"(");
        }
    }

    /// Adds a word.
    #[inline]
    pub(crate) fn word(&mut self, word: &[u8]) {
        self.put();
        if !self.prefix.is_empty() {
            self.word.append(&mut self.prefix);
        }
        self.word.extend_from_slice(word);
    }

    /// Begins the next word with a prefix such as `(`.
    pub(crate) fn prefix(&mut self, text: &[u8]) {
        self.prefix.extend_from_slice(text);
    }

    /// Ends a variation. Its `)` is appended to the last word, unless that fills a line.
    pub(crate) fn close(&mut self) {
        if !self.lines.is_empty() {
            self.put();
            self.ended.extend(self.lines.pop());
        } else if self.word.len() < self.width {
            self.append(b")");
        } else {
            self.word(b")");
        }
    }

    /// Appends a suffix such as `}` to the last word.
    pub(crate) fn append(&mut self, text: &[u8]) {
        self.word.extend_from_slice(text);
    }

    /// Adds the mark that ends the moves, and an empty line. Returns the lines that are games.
    pub(crate) fn finish(mut self, mark: ResultMark) -> Vec<Line> {
        self.put();
        if self.lines.is_empty() {
            self.word(mark.as_str().as_bytes());
            self.put();
            self.out.extend_from_slice(b"\n\n");
        }
        self.ended.append(&mut self.lines);
        self.ended.sort_by_key(|line| line.number);
        self.ended
    }

    #[inline]
    fn put(&mut self) {
        if self.word.is_empty() {
            return;
        }
        if let Some(line) = self.lines.last_mut() {
            line.words.push(std::mem::take(&mut self.word));
            return;
        }
        let width = count_characters(&self.word);
        if self.column == 0 {
            self.column = width;
        } else if self.column + 1 + width > self.width {
            self.out.push(b'\n');
            self.column = width;
        } else {
            self.out.push(b' ');
            self.column += 1 + width;
        }
        self.out.extend_from_slice(&self.word);
        self.word.clear();
    }
}

/// Adds a comment in braces, with white space as blanks; returns false if it is empty.
pub(crate) fn comment(out: &mut Wrap<'_>, text: &str) -> bool {
    let text: Cow<'_, str> = if text.contains(['{', '}']) {
        // A comment cannot contain `}`, and `{` has no meaning in it (PGN standard 5).
        text.replace('{', "(").replace('}', ")").into()
    } else {
        text.into()
    };
    let separates = |character: char| character.is_whitespace() || character.is_control();
    let mut any = false;
    for word in text.split(separates).filter(|word| !word.is_empty()) {
        if !any {
            out.prefix(b"{");
            any = true;
        } else if is_bound(word) {
            out.append(b" ");
            out.append(word.as_bytes());
            continue;
        }
        out.word(word.as_bytes());
    }
    if any {
        out.append(b"}");
    }
    any
}

/// True if a word must not begin a line: `%` would hide the line (PGN standard 6), and `[` would
/// begin a tag pair.
fn is_bound(word: &str) -> bool {
    match word.as_bytes() {
        [b'%', ..] => true,
        [b'[', first, ..] => first.is_ascii_alphanumeric(),
        _ => false,
    }
}
