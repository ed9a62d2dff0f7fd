//! How much text is worked at in one piece.

use std::sync::atomic::{AtomicUsize, Ordering};

/// About how much should come of a piece, in bytes: that much is kept for each until it is its turn.
const PIECE: usize = 1 << 20;

/// No piece is shorter than this for the sake of what comes of it, in bytes.
const LEAST: usize = 4 << 10;

/// How many times as much as the text comes of it, before anything is known.
const AT_FIRST: usize = 64;

/// Learns how much comes of text, so that pieces are short where that is much.
#[derive(Debug)]
pub(super) struct Pace {
    /// How many times as much as the text came of the last piece.
    gain: AtomicUsize,
}

impl Default for Pace {
    fn default() -> Pace {
        Pace {
            gain: AtomicUsize::new(AT_FIRST),
        }
    }
}

impl Pace {
    /// For work of which nothing comes that takes memory: no piece need be short.
    pub fn of_nothing() -> Pace {
        Pace {
            gain: AtomicUsize::new(0),
        }
    }

    /// So many bytes of text were worked at, and so many came of them.
    pub fn learn(&self, text: u64, weight: usize) {
        let gain = weight / text.max(1) as usize;
        self.gain.store(gain, Ordering::Relaxed);
    }

    /// How long a piece should be that is to be no longer than `most`, in bytes.
    pub fn bytes(&self, most: usize) -> usize {
        let gain = self.gain.load(Ordering::Relaxed).max(1);
        (PIECE / gain).max(LEAST).min(most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_short_where_much_comes_of_them() {
        let pace = Pace::default();
        assert_eq!(pace.bytes(256 << 10), 16 << 10);
        assert_eq!(Pace::of_nothing().bytes(256 << 10), 256 << 10);
        pace.learn(1_000, 10);
        assert_eq!(pace.bytes(256 << 10), 256 << 10);
        assert_eq!(pace.bytes(100), 100);
        pace.learn(1_000, 16_500);
        assert_eq!(pace.bytes(256 << 10), 64 << 10);
        pace.learn(1_000, 10_000_000);
        assert_eq!(pace.bytes(256 << 10), 4 << 10);
        assert_eq!(pace.bytes(1), 1);
        pace.learn(0, 0);
        assert_eq!(pace.bytes(256 << 10), 256 << 10);
    }
}
