//! Tag pairs: their recording by a splitter, for work that needs only tags, a prefilter for their
//! names, and the scanner of pairs with quotes in the value.

use fearless_simd::Simd;
use memchr::memchr3;

use crate::text::Offset;
use crate::text::byte_scan::{BLOCK, Block};

/// Location of a tag pair: `[` and the quotes around its value. A pair that is not in the usual
/// form has only the bracket, and is parsed again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TagPair {
    /// Offset of the bracket.
    open: Offset,
    /// Distance from the bracket to the first quote; 0 if the pair is not in the usual form.
    quote: u32,
    /// Distance from the bracket to the second quote.
    close: u32,
}

/// Observer of tag pairs while a text is split.
pub(crate) trait TagObserver {
    /// A bracket that may begin a tag pair.
    fn open(&mut self, at: u64);
    /// The quote that opens its value.
    fn quote(&mut self, at: u64);
    /// The quote that closes its value.
    fn close(&mut self, at: u64);
    /// The pair is not in the usual form.
    fn odd(&mut self);
    /// A pair in the usual form: the text between the bracket and the first quote, and the offsets
    /// of the bracket and both quotes.
    fn pair(&mut self, name: &[u8], places: [u64; 3]);
}

/// No observer.
impl TagObserver for () {
    #[inline]
    fn open(&mut self, _: u64) {}
    #[inline]
    fn quote(&mut self, _: u64) {}
    #[inline]
    fn close(&mut self, _: u64) {}
    #[inline]
    fn odd(&mut self) {}
    #[inline]
    fn pair(&mut self, _: &[u8], _: [u64; 3]) {}
}

/// Tag pairs of several games, in order of offset.
#[derive(Clone, Debug, Default)]
pub(crate) struct TagIndex(pub(crate) Vec<TagPair>);

/// Records tag pairs. Pairs passed in the usual form are recorded only if `wanted` matches.
pub(crate) struct TagRecorder<'a> {
    pub pairs: &'a mut TagIndex,
    pub wanted: &'a TagFilter,
}

impl TagObserver for TagRecorder<'_> {
    #[inline]
    fn open(&mut self, at: u64) {
        self.pairs.0.push(TagPair {
            open: Offset(at),
            quote: 0,
            close: 0,
        });
    }

    #[inline]
    fn quote(&mut self, at: u64) {
        if let Some(pair) = self.pairs.0.last_mut() {
            pair.quote = (at - pair.open.0) as u32;
        }
    }

    #[inline]
    fn close(&mut self, at: u64) {
        if let Some(pair) = self.pairs.0.last_mut()
            && pair.quote > 0
        {
            pair.close = (at - pair.open.0) as u32;
        }
    }

    fn odd(&mut self) {
        if let Some(pair) = self.pairs.0.last_mut() {
            (pair.quote, pair.close) = (0, 0);
        }
    }

    #[inline]
    fn pair(&mut self, name: &[u8], [open, quote, close]: [u64; 3]) {
        let is_wanted = name.first().is_some_and(|&first| self.wanted.begins(first));
        if is_wanted && self.wanted.has(name.trim_ascii_end()) {
            self.pairs.0.push(TagPair {
                open: Offset(open),
                quote: (quote - open) as u32,
                close: (close - open) as u32,
            });
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

    /// Offset of the bracket.
    #[inline]
    pub(crate) fn open(self) -> Offset {
        self.open
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
    let mut quotes = Quotes::new(simd, bytes, start);
    let mut at = start;
    while let Some(quote) = quotes.next()
        && let Some(close) = quotes.next()
        && let Some((follows, length)) = Follows::of(&bytes[close + 1..])
        // Otherwise the value contains a line feed.
        && bytes[quote + 1] != b']'
        && !repeats(&bytes[at..quote])
    {
        if at == start {
            observer.quote(place(quote));
            observer.close(place(close));
        } else {
            observer.pair(&bytes[at..quote], [at - 1, quote, close].map(place));
        }
        at = close + 1 + length;
        if follows == Follows::Movetext {
            return Passed::Movetext(at);
        }
    }
    if at > start {
        observer.open(place(at - 1));
    }
    Passed::Pair(at)
}

/// Element after a tag pair.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Follows {
    /// Another tag pair, on the next line.
    Pair,
    /// Movetext, after a blank line.
    Movetext,
}

impl Follows {
    /// Element after a value, and the distance to its first byte (after the bracket, if it is a
    /// pair). `None` if it must be parsed byte by byte.
    #[inline]
    fn of(ending: &[u8]) -> Option<(Follows, usize)> {
        match *ending.first_chunk()? {
            [b']', b'\n', b'[', _] => Some((Follows::Pair, 3)),
            [b']', b'\n', b'\n', first] if first.is_ascii_alphanumeric() => {
                Some((Follows::Movetext, 3))
            }
            [b']', b'\r', b'\n', b'['] => Some((Follows::Pair, 4)),
            [b']', b'\r', b'\n', b'\r'] => match ending[4..] {
                [b'\n', first, ..] if first.is_ascii_alphanumeric() => Some((Follows::Movetext, 5)),
                _ => None,
            },
            _ => None,
        }
    }
}

/// Finds quotes, 64 bytes at a time, up to the first unusual byte: a backslash, a bracket not after
/// a quote, a carriage return not after a bracket, or a line feed after neither of these two.
struct Quotes<'a, S> {
    simd: S,
    bytes: &'a [u8],
    /// Offset of the current block.
    block: usize,
    /// Bit mask of the quotes in it that have not been returned.
    left: u64,
    /// Carry into the next block: one bit for each of these bytes, set if the block ends with it.
    quote: u64,
    bracket: u64,
    return_: u64,
    /// Whether the search ends with the current block.
    is_last: bool,
}

impl<'a, S: Simd> Quotes<'a, S> {
    #[inline(always)]
    fn new(simd: S, bytes: &'a [u8], at: usize) -> Quotes<'a, S> {
        let mut quotes = Quotes {
            simd,
            bytes,
            block: at,
            left: 0,
            quote: 0,
            bracket: 0,
            return_: 0,
            is_last: false,
        };
        quotes.look();
        quotes
    }

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        while self.left == 0 {
            if self.is_last {
                return None;
            }
            self.block += BLOCK;
            self.look();
        }
        let found = self.block + self.left.trailing_zeros() as usize;
        self.left &= self.left - 1;
        Some(found)
    }

    #[inline(always)]
    fn look(&mut self) {
        let Some(block) = self.bytes.get(self.block..).and_then(<[u8]>::first_chunk) else {
            self.is_last = true;
            return;
        };
        let block = Block::new(self.simd, block);
        let is = |byte| block.is(byte);
        let (quote, bracket, line_feed) = (is(b'"'), is(b']'), is(b'\n'));
        let (return_, backslash) = (is(b'\r'), is(b'\\'));
        let after_quote = quote << 1 | self.quote;
        let after_bracket = bracket << 1 | self.bracket;
        let after_return = return_ << 1 | self.return_;
        let odd = backslash
            | bracket & !after_quote
            | return_ & !after_bracket
            | line_feed & !(after_bracket | after_return);
        // Mask of the bytes before the first unusual one.
        let usual = (odd & odd.wrapping_neg()).wrapping_sub(1);
        self.left = quote & usual;
        self.is_last = odd != 0;
        (self.quote, self.bracket, self.return_) = (quote >> 63, bracket >> 63, return_ >> 63);
    }
}

/// Offset of the first of three bytes, from an offset on. Names and values are short, so that a
/// call of `memchr` would take longer than the search.
#[inline(always)]
pub(crate) fn find<const A: u8, const B: u8, const C: u8>(
    bytes: &[u8],
    from: usize,
) -> Option<usize> {
    const LOW: u64 = u64::MAX / 255;
    const HIGH: u64 = LOW << 7;
    const WORDS: usize = 3;
    // The lowest bit set belongs to the first byte equal to the needle.
    let is = |word: u64, needle: u8| {
        let equal = word ^ (LOW * u64::from(needle));
        equal.wrapping_sub(LOW) & !equal
    };
    if let Some(near) = bytes.get(from..from + 8 * WORDS) {
        for (nth, word) in near.as_chunks::<8>().0.iter().enumerate() {
            let word = u64::from_le_bytes(*word);
            let found = (is(word, A) | is(word, B) | is(word, C)) & HIGH;
            if found != 0 {
                return Some(from + 8 * nth + found.trailing_zeros() as usize / 8);
            }
        }
    }
    memchr3(A, B, C, &bytes[from..]).map(|length| from + length)
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
    fn the_first_of_three_bytes_is_found_wherever_it_is() {
        for length in [0, 1, 7, 8, 9, 23, 24, 25, 31, 60, 200] {
            for at in 0..length {
                for (needle, next) in [(b'"', b'\n'), (b'\n', b'\\'), (b'\\', b'"')] {
                    // Bytes that differ from a needle by one bit, or are not ASCII, do not match.
                    let mut text: Vec<u8> = b"a#!\x0b\x09]\x22"[..6]
                        .iter()
                        .copied()
                        .cycle()
                        .take(length)
                        .collect();
                    text[at / 2] = 0xa2;
                    text[at] = needle;
                    if at + 1 < length {
                        text[at + 1] = next;
                    }
                    for from in [0, at / 2, at] {
                        assert_eq!(find::<b'"', b'\n', b'\\'>(&text, from), Some(at));
                    }
                }
            }
            assert_eq!(find::<b'"', b'\n', b'\\'>(&vec![b'a'; length], 0), None);
        }
    }

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
