//! Tag pairs whose value holds quotes, such as `[Event "The "Big" one"]`.
//!
//! The PGN standard wants a backslash before such a quote (7.1). Without it the value ends at the first of them, and what
//! follows would be movetext. A bracket at the end of the line shows that the whole line is meant as one tag pair.

/// Looks at what follows a tag's value that seems to have ended with a quote but is not followed by a bracket.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TagLine {
    last: Last,
    /// Whether the byte before was a backslash that takes the next one with it.
    escaping: bool,
}

/// What was last seen, blanks aside.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Last {
    Other,
    Quote,
    /// A bracket behind a quote.
    Closed,
    /// A bracket behind something else.
    Bracket,
}

impl TagLine {
    /// Begins behind the quote.
    pub(crate) fn new() -> TagLine {
        TagLine {
            last: Last::Quote,
            escaping: false,
        }
    }

    /// Looks at the next byte, which may be the line feed or the `[` of another tag pair that ends the question: then
    /// whether everything before it is one tag pair.
    pub(crate) fn feed(&mut self, byte: u8) -> Option<bool> {
        if std::mem::take(&mut self.escaping) && byte != b'\n' {
            self.last = Last::Other;
            return None;
        }
        self.last = match byte {
            b'\n' => return Some(self.is_whole()),
            b'[' if self.last == Last::Closed => return Some(true),
            b' ' | b'\t' | b'\r' => self.last,
            b'"' => Last::Quote,
            b']' if self.last == Last::Quote => Last::Closed,
            b']' => Last::Bracket,
            b'\\' => {
                self.escaping = true;
                Last::Other
            }
            _ => Last::Other,
        };
        None
    }

    /// Whether what has been seen is one tag pair if nothing follows.
    pub(crate) fn is_whole(self) -> bool {
        matches!(self.last, Last::Closed | Last::Bracket)
    }

    /// Whether the value has a closing quote.
    pub(crate) fn is_closed(self) -> bool {
        self.last == Last::Closed
    }
}
