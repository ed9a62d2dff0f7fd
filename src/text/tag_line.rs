//! Tag pairs with quotes in the value, such as `[Event "The "Big" one"]`.
//!
//! The PGN standard requires a backslash before such a quote (7.1). Without it, the value ends at
//! the first quote. A bracket at the end of the line shows that the whole line is one tag pair.

/// Scanner of the text after a tag value that seems to end with a quote not followed by a bracket.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TagLine {
    last: Last,
    /// Whether the previous byte was a backslash that escapes the next one.
    escaping: bool,
}

/// Last byte other than white space.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Last {
    Other,
    Quote,
    /// A bracket after a quote.
    Closed,
    /// A bracket after another byte.
    Bracket,
}

impl TagLine {
    /// Starts after the quote.
    pub(crate) fn new() -> TagLine {
        TagLine {
            last: Last::Quote,
            escaping: false,
        }
    }

    /// Reads the next byte. A line feed, or the `[` of another tag pair, ends the scan: then
    /// returns whether the bytes before it are one tag pair.
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

    /// Whether the bytes so far are one tag pair if the text ends here.
    pub(crate) fn is_whole(self) -> bool {
        matches!(self.last, Last::Closed | Last::Bracket)
    }

    /// Whether the value has a closing quote.
    pub(crate) fn is_closed(self) -> bool {
        self.last == Last::Closed
    }
}
