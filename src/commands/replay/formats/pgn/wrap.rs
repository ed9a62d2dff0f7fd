//! Words on lines of less than 80 characters.

use crate::text::count_characters;

/// Lines have less than 80 characters (PGN standard 8.2.1).
const LINE_WIDTH: usize = 79;

/// Puts words on lines, as many on each as there is room for. The last word is held back, since something may be added to
/// it.
pub(crate) struct Wrap<'a> {
    out: &'a mut Vec<u8>,
    /// How many characters stand on the present line.
    column: usize,
    word: Vec<u8>,
    /// What the next word begins with.
    prefix: Vec<u8>,
}

impl<'a> Wrap<'a> {
    /// Begins on a new line.
    pub(crate) fn new(out: &'a mut Vec<u8>) -> Wrap<'a> {
        Wrap {
            out,
            column: 0,
            word: Vec::with_capacity(16),
            prefix: Vec::new(),
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

    /// Begins the next word with this, as with `(`.
    pub(crate) fn prefix(&mut self, text: &[u8]) {
        self.prefix.extend_from_slice(text);
    }

    /// Adds the end of a variation to the last word, or puts it on its own where that fills a line already.
    pub(crate) fn close(&mut self) {
        if self.word.len() < LINE_WIDTH {
            self.append(b")");
        } else {
            self.word(b")");
        }
    }

    /// Adds to the last word, as with `}`.
    pub(crate) fn append(&mut self, text: &[u8]) {
        self.word.extend_from_slice(text);
    }

    /// Ends the last line, and adds an empty one.
    pub(crate) fn finish(mut self) {
        self.put();
        self.out.extend_from_slice(b"\n\n");
    }

    #[inline]
    fn put(&mut self) {
        if self.word.is_empty() {
            return;
        }
        let width = count_characters(&self.word);
        if self.column == 0 {
            self.column = width;
        } else if self.column + 1 + width > LINE_WIDTH {
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
