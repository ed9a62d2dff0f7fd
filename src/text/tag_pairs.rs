//! Tag pairs: their recording by a splitter, for work that needs only tags, a prefilter for their
//! names, and the scanner of pairs with quotes in the value.

use fearless_simd::Simd;

use crate::text::Offset;
use crate::text::byte_scan::{BLOCK, Block, ByteClass, ByteScan};

/// Location of a tag pair: `[` and the quotes around its value. A pair that is not in the usual
/// form has only the bracket, and is parsed again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TagPair {
    /// Offset of the bracket.
    pub(crate) open: Offset,
    /// Distance from the bracket to the first quote; 0 if the pair is not in the usual form.
    quote: u32,
    /// Distance from the bracket to the second quote.
    close: u32,
}

/// Observer of tag pairs while a text is split.
pub(crate) trait TagObserver {
    /// A bracket that may begin a tag pair.
    fn open(&mut self, at: u64);
    /// A pair in the usual form: the text between the bracket and the first quote, and the offsets
    /// of the bracket, which may be reported already, and both quotes.
    fn pair(&mut self, name: &[u8], places: [u64; 3]);
}

/// No observer.
impl TagObserver for () {
    #[inline]
    fn open(&mut self, _: u64) {}
    #[inline]
    fn pair(&mut self, _: &[u8], _: [u64; 3]) {}
}

/// Records tag pairs. Pairs passed in the usual form are recorded only if `wanted` matches.
pub(crate) struct TagRecorder<'a> {
    /// Tag pairs of several games, in order of offset.
    pub pairs: &'a mut Vec<TagPair>,
    pub wanted: &'a TagFilter,
}

impl TagObserver for TagRecorder<'_> {
    #[inline]
    fn open(&mut self, at: u64) {
        self.pairs.push(TagPair {
            open: Offset(at),
            quote: 0,
            close: 0,
        });
    }

    #[inline]
    fn pair(&mut self, name: &[u8], [open, quote, close]: [u64; 3]) {
        let pair = TagPair {
            open: Offset(open),
            quote: (quote - open) as u32,
            close: (close - open) as u32,
        };
        let is_wanted = name.first().is_some_and(|&first| self.wanted.begins(first));
        match self.pairs.last_mut() {
            Some(last) if last.open == pair.open => *last = pair,
            _ if is_wanted && self.wanted.has(name.trim_ascii_end()) => self.pairs.push(pair),
            _ => {}
        }
    }
}

impl TagPair {
    /// Offsets of the bracket and both quotes from `start`, which does not follow them; `None` if
    /// the pair must be parsed again.
    #[inline]
    pub(crate) fn places(self, start: Offset) -> Option<[usize; 3]> {
        let open = (self.open.0 - start.0) as usize;
        (self.close > 0)
            .then(|| [0, self.quote, self.close].map(|distance| open + distance as usize))
    }
}

/// Next element after the tag pairs passed.
pub(crate) enum Passed {
    /// A tag pair to be parsed byte by byte: the offset after its bracket, already reported.
    Pair(usize),
    /// Movetext: its offset.
    Movetext(usize),
}

/// Passes tag pairs in the usual form, one per line. `start` is the offset after the bracket of the
/// first, which `observer` has been given. A pair whose name `repeats` is left to be parsed.
#[inline(always)]
pub(crate) fn plain_pairs(
    simd: impl Simd,
    bytes: &[u8],
    start: usize,
    base: u64,
    mut repeats: impl FnMut(&[u8]) -> bool,
    observer: &mut impl TagObserver,
) -> Passed {
    let place = |at: usize| base + at as u64;
    let mut at = start;
    if matches!(bytes.get(start), Some(b']' | b'\r' | b'\n')) {
        return Passed::Pair(at);
    }
    let mut marks = ByteScan::<PairMarks, _>::new(simd, bytes, start);
    let mut next_quote = || marks.next().filter(|&at| bytes[at] == b'"');
    while let Some(quote) = next_quote()
        && let Some(close) = next_quote()
        && let Some(follows) = follows(&bytes[close + 1..])
        // Otherwise the value contains a line end.
        && !matches!(bytes[quote + 1], b']' | b'\r' | b'\n')
        && !repeats(&bytes[at..quote])
    {
        // `start` may be the first byte.
        let open = place(at) - 1;
        observer.pair(&bytes[at..quote], [open, place(quote), place(close)]);
        match follows {
            Passed::Pair(length) => at = close + 1 + length,
            Passed::Movetext(length) => return Passed::Movetext(close + 1 + length),
        }
    }
    if at > start {
        observer.open(place(at - 1));
    }
    Passed::Pair(at)
}

/// Next element after a value, with the distance to its first byte, or after its bracket. `None` if
/// it must be parsed byte by byte.
#[inline]
fn follows(ending: &[u8]) -> Option<Passed> {
    match *ending.first_chunk()? {
        [b']', b'\n', b'[', _] => Some(Passed::Pair(3)),
        [b']', b'\r', b'\n', b'['] => Some(Passed::Pair(4)),
        [b']', b'\n', b'\n', first] if first.is_ascii_alphanumeric() => Some(Passed::Movetext(3)),
        [b']', b'\r', b'\n', b'\r'] => match ending[4..] {
            [b'\n', first, ..] if first.is_ascii_alphanumeric() => Some(Passed::Movetext(5)),
            _ => None,
        },
        _ => None,
    }
}

/// Quotes, backslashes, and bytes before an unusual one: before a bracket if they are no quote,
/// before a carriage return if no bracket, and before a line feed if neither of these two.
struct PairMarks;

impl ByteClass for PairMarks {
    #[inline(always)]
    fn of<S: Simd>(block: Block<S>, next: Option<u8>) -> u64 {
        let before = |mask: u64, byte: u8| mask >> 1 | u64::from(next == Some(byte)) << (BLOCK - 1);
        let (quote, bracket, return_) = (block.is(b'"'), block.is(b']'), block.is(b'\r'));
        quote
            | block.is(b'\\')
            | before(bracket, b']') & !quote
            | before(return_, b'\r') & !bracket
            | before(block.is(b'\n'), b'\n') & !(bracket | return_)
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
    pub(crate) fn of<'n>(names: impl IntoIterator<Item = &'n str>) -> TagFilter {
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

    /// Whether a name with this first byte may match.
    #[inline]
    pub(crate) fn begins(&self, first: u8) -> bool {
        self.lengths[usize::from(first)] != 0
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
        assert!(likely.begins(b'r') && likely.begins(b'A') && !likely.begins(b'E'));
        assert!(likely.begins(b' ') && likely.has(b" Event"));
    }
}
