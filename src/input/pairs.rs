//! The tag pairs that a splitter passes on its way, for work that asks for nothing else.

use memchr::memchr3;

use super::place::Offset;

/// Where a tag pair stands that is as the standard wants it: `[`, the quotes around its value, and nothing in between that
/// has to be looked at twice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pair {
    /// The bracket.
    open: Offset,
    /// How far from it the first quote is; 0 where the pair is not of that kind.
    quote: u32,
    /// How far from it the second quote is.
    close: u32,
}

/// Sees the brackets and quotes of tag pairs while a text is split.
pub(super) trait Watch {
    /// A bracket with which a tag pair may begin.
    fn open(&mut self, at: u64);
    /// The quote that opens its value.
    fn quote(&mut self, at: u64);
    /// The quote that closes its value.
    fn close(&mut self, at: u64);
    /// It is not of the usual kind.
    fn odd(&mut self);
}

/// Nobody watches.
impl Watch for () {
    #[inline]
    fn open(&mut self, _: u64) {}
    #[inline]
    fn quote(&mut self, _: u64) {}
    #[inline]
    fn close(&mut self, _: u64) {}
    #[inline]
    fn odd(&mut self) {}
}

/// The tag pairs of several games, in order of place.
#[derive(Clone, Debug, Default)]
pub(super) struct Pairs(pub(super) Vec<Pair>);

impl Watch for Pairs {
    #[inline]
    fn open(&mut self, at: u64) {
        self.0.push(Pair {
            open: Offset(at),
            quote: 0,
            close: 0,
        });
    }

    #[inline]
    fn quote(&mut self, at: u64) {
        if let Some(pair) = self.0.last_mut() {
            pair.quote = (at - pair.open.0) as u32;
        }
    }

    #[inline]
    fn close(&mut self, at: u64) {
        if let Some(pair) = self.0.last_mut()
            && pair.quote > 0
        {
            pair.close = (at - pair.open.0) as u32;
        }
    }

    fn odd(&mut self) {
        if let Some(pair) = self.0.last_mut() {
            (pair.quote, pair.close) = (0, 0);
        }
    }
}

impl Pair {
    /// Where the bracket and both quotes stand, in bytes from `start`, which is not behind them; nothing if the pair has to
    /// be looked at again.
    #[inline]
    pub fn places(self, start: Offset) -> Option<[usize; 3]> {
        let open = (self.open.0 - start.0) as usize;
        (self.close > 0)
            .then(|| [0, self.quote, self.close].map(|distance| open + distance as usize))
    }

    /// Where the pair begins.
    #[inline]
    pub fn open(self) -> Offset {
        self.open
    }
}

/// Passes tag pairs that stand on a line each without anything unusual, and have another one behind them. `at` is behind the
/// bracket of the first, and what is returned behind that of the last.
#[inline]
pub(super) fn plain_pairs(bytes: &[u8], mut at: usize, base: u64, watch: &mut impl Watch) -> usize {
    while let Some(quote) = find::<b'"', b'\n', b']'>(bytes, at)
        && bytes[quote] == b'"'
        && let Some(close) = find::<b'"', b'\n', b'\\'>(bytes, quote + 1)
        && bytes[close..].starts_with(b"\"]\n[")
    {
        watch.quote(base + quote as u64);
        watch.close(base + close as u64);
        watch.open(base + close as u64 + 3);
        at = close + 4;
    }
    at
}

/// The first of three bytes from a place on. Names and values are short: the way to `memchr` would be longer than the search.
#[inline(always)]
pub(super) fn find<const A: u8, const B: u8, const C: u8>(
    bytes: &[u8],
    from: usize,
) -> Option<usize> {
    const LOW: u64 = u64::MAX / 255;
    const HIGH: u64 = LOW << 7;
    const WORDS: usize = 3;
    // The lowest bit that is left is that of the first byte that is the needle.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_three_bytes_is_found_wherever_it_is() {
        for length in [0, 1, 7, 8, 9, 23, 24, 25, 31, 60, 200] {
            for at in 0..length {
                for (needle, behind) in [(b'"', b'\n'), (b'\n', b'\\'), (b'\\', b'"')] {
                    // Neighbours by one bit, and bytes beyond ASCII, are none of them.
                    let mut text: Vec<u8> = b"a#!\x0b\x09]\x22"[..6]
                        .iter()
                        .copied()
                        .cycle()
                        .take(length)
                        .collect();
                    text[at / 2] = 0xa2;
                    text[at] = needle;
                    if at + 1 < length {
                        text[at + 1] = behind;
                    }
                    for from in [0, at / 2, at] {
                        assert_eq!(find::<b'"', b'\n', b'\\'>(&text, from), Some(at));
                    }
                }
            }
            assert_eq!(find::<b'"', b'\n', b'\\'>(&vec![b'a'; length], 0), None);
        }
    }
}
