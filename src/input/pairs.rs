//! The tag pairs that a splitter passes on its way, for work that asks for nothing else.

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
