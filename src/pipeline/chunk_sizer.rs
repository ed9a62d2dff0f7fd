//! Adaptive chunk size.

use std::sync::atomic::{AtomicUsize, Ordering};

/// Target size of the output of one chunk, in bytes.
const PIECE: usize = 1 << 20;

/// Minimum size of a chunk, in bytes.
const LEAST: usize = 4 << 10;

/// Initial guess of output bytes per input byte.
const AT_FIRST: usize = 64;

/// Chooses chunk sizes by the output of earlier chunks.
#[derive(Debug)]
pub(crate) struct ChunkSizer {
    /// Output bytes per input byte in the last chunk.
    expansion: AtomicUsize,
}

impl Default for ChunkSizer {
    fn default() -> ChunkSizer {
        ChunkSizer {
            expansion: AtomicUsize::new(AT_FIRST),
        }
    }
}

impl ChunkSizer {
    /// For work without output: chunks need not shrink.
    pub fn without_output() -> ChunkSizer {
        ChunkSizer {
            expansion: AtomicUsize::new(0),
        }
    }

    /// Records that `text` input bytes produced `weight` output bytes.
    pub fn learn(&self, text: u64, weight: usize) {
        let expansion = weight / text.max(1) as usize;
        self.expansion.store(expansion, Ordering::Relaxed);
    }

    /// Size of the next chunk, at most `most` bytes.
    pub fn bytes(&self, most: usize) -> usize {
        let expansion = self.expansion.load(Ordering::Relaxed).max(1);
        (PIECE / expansion).max(LEAST).min(most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_shrink_as_the_output_grows() {
        let sizer = ChunkSizer::default();
        assert_eq!(sizer.bytes(256 << 10), 16 << 10);
        assert_eq!(ChunkSizer::without_output().bytes(256 << 10), 256 << 10);
        sizer.learn(1_000, 10);
        assert_eq!(sizer.bytes(256 << 10), 256 << 10);
        assert_eq!(sizer.bytes(100), 100);
        sizer.learn(1_000, 16_500);
        assert_eq!(sizer.bytes(256 << 10), 64 << 10);
        sizer.learn(1_000, 10_000_000);
        assert_eq!(sizer.bytes(256 << 10), 4 << 10);
        assert_eq!(sizer.bytes(1), 1);
        sizer.learn(0, 0);
        assert_eq!(sizer.bytes(256 << 10), 256 << 10);
    }
}
