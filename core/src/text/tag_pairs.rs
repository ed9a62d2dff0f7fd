//! Tag pairs: a pass over usual ones, a prefilter for their names, and the scanner of pairs with
//! quotes in the value.

use fearless_simd::prelude::*;
use fearless_simd::{Level, dispatch, u8x64};

use crate::text::index::{BLOCK, Index, Lanes, TagPair, by_low_nibble, padded};

/// Next element after the tag pairs passed.
pub(crate) enum Passed {
    /// A tag pair to be parsed byte by byte: the offset after its bracket.
    Pair(usize),
    /// Movetext: its offset.
    Movetext(usize),
}

/// Passes tag pairs in the usual form, one per line, and adds them to the index of the text.
/// `start` is the offset after the bracket of the first. A pair whose name `repeats` is left to be
/// parsed.
pub(crate) fn plain_pairs(
    index: &mut Index,
    text: &[u8],
    start: usize,
    mut repeats: impl FnMut(&[u8]) -> bool,
) -> Passed {
    let mut passed = Passed::Pair(start);
    dispatch!(Level::new(), simd => {
        while let Passed::Pair(at) = passed
            && let Some(quotes @ [quote, close]) = quotes(simd, text, at)
            && let Some(follows) = follows(&text[close + 1..], close + 1)
            && !repeats(&text[at..quote])
        {
            passed = follows;
            let next = match passed {
                Passed::Pair(after) => after - 1,
                Passed::Movetext(at) => at,
            };
            index.pairs.push(TagPair {
                open: at as u32 - 1,
                quotes: quotes.map(|quote| quote as u32),
                next: next as u32,
            });
        }
    });
    passed
}

/// Quotes, and the bytes that end a tag pair or make it unusual.
const QUOTES: [u8; 16] = by_low_nibble(b"\"\\]\n");

/// The places of the next two quotes, if no backslash, closing bracket or line feed comes before
/// the second.
#[inline(always)]
fn quotes<S: Simd>(simd: S, text: &[u8], at: usize) -> Option<[usize; 2]> {
    let near = quote_marks(simd, text, at).filter(|&near| near != 0)?;
    let first = at + near.trailing_zeros() as usize;
    let (mut later, mut from) = (near & near.wrapping_sub(1), at);
    // Usual names are shorter than a block.
    while later == 0 {
        from += BLOCK;
        later = quote_marks(simd, text, from)?;
    }
    let places = [first, from + later.trailing_zeros() as usize];
    let is_quote = |place: &usize| text.get(*place) == Some(&b'"');
    places.iter().all(is_quote).then_some(places)
}

/// The bytes of [`QUOTES`] in the block that begins at a place, unless the text ends there.
#[inline(always)]
fn quote_marks(simd: impl Simd, text: &[u8], at: usize) -> Option<u64> {
    let rest = text.get(at..).filter(|rest| !rest.is_empty())?;
    let bytes = match rest.first_chunk() {
        Some(&bytes) => bytes,
        None => padded(rest),
    };
    Some(Lanes(u8x64::load_array_ref(simd, &bytes)).is_any(&QUOTES))
}

/// Next element after a value, which ends before `at`. `None` if it must be parsed byte by byte.
#[inline]
fn follows(ending: &[u8], at: usize) -> Option<Passed> {
    match *ending.first_chunk()? {
        [b']', b'\n', b'[', _] => Some(Passed::Pair(at + 3)),
        [b']', b'\r', b'\n', b'['] => Some(Passed::Pair(at + 4)),
        [b']', b'\n', b'\n', b'0'..=b'9'] => Some(Passed::Movetext(at + 3)),
        [b']', b'\r', b'\n', b'\r'] => match ending[4..] {
            [b'\n', b'0'..=b'9', ..] => Some(Passed::Movetext(at + 5)),
            _ => None,
        },
        _ => None,
    }
}

/// Prefilter for tag names by first letter and length, case-insensitive. May return false
/// positives, never false negatives.
///
/// Names that begin with white space always match, since the actual name follows it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TagFilter {
    /// Bit set of lengths per first byte. The highest bit stands for all longer names.
    lengths: [u32; 256],
}

impl Default for TagFilter {
    fn default() -> TagFilter {
        let mut lengths = [0; 256];
        for first in b"\t\n\x0c\r " {
            lengths[usize::from(*first)] = u32::MAX;
        }
        TagFilter { lengths }
    }
}

impl TagFilter {
    /// Filter for these names.
    pub fn of<'n>(names: impl IntoIterator<Item = &'n str>) -> TagFilter {
        let mut likely = TagFilter::default();
        for name in names {
            likely.add(name);
        }
        likely
    }

    /// Adds a name.
    pub(crate) fn add(&mut self, name: &str) {
        if let Some(&first) = name.as_bytes().first() {
            for first in [first.to_ascii_lowercase(), first.to_ascii_uppercase()] {
                self.lengths[usize::from(first)] |= bit(name.len());
            }
        }
    }

    /// Whether a name may match.
    #[inline]
    pub(crate) fn has(&self, name: &[u8]) -> bool {
        name.first()
            .is_some_and(|&first| self.lengths[usize::from(first)] & bit(name.len()) != 0)
    }
}

#[inline]
fn bit(length: usize) -> u32 {
    1 << length.min(31)
}

/// Scanner of the text after a tag value that seems to end with a quote not followed by a bracket,
/// such as `[Event "The "Big" one"]`.
///
/// The PGN standard requires a backslash before such a quote (7.1). Without it, the value ends at
/// the first quote. A bracket at the end of the line shows that the whole line is one tag pair.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TagLine {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_distinguished_by_first_letter_and_length() {
        let mut likely = TagFilter::default();
        likely.add("Result");
        likely.add("AnExtraordinarilyLongNameOfATagPair");
        for name in [
            "Result",
            "RESULT",
            "result",
            "Remark",
            "anExtraordinarilyLongNameOfAnotherTagPair",
        ] {
            assert!(likely.has(name.as_bytes()), "{name}");
        }
        for name in ["Round", "Results", "Event", ""] {
            assert!(!likely.has(name.as_bytes()), "{name}");
        }
        assert!(likely.has(b" Event"));
        assert!(likely.has(b" Event"));
    }
}
