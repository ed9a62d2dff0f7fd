//! Buffers of finished chunks, for reuse.

use std::sync::{Arc, Mutex, MutexGuard};

use crate::input::chunk::Chunk;
use crate::input::split::GameEnd;
use crate::input::sync::lock;
use crate::text::tag_index::TagIndex;

/// Maximum size of a buffer kept for reuse, so that one huge game costs its memory only once.
const KEEP_BYTES: usize = 16 << 20;

/// Pool of buffers for reuse by later chunks. Clones share the pool.
#[derive(Clone, Debug, Default)]
pub struct Buffers(Arc<Mutex<Vec<Spare>>>);

/// Memory of one chunk.
#[derive(Debug, Default)]
pub(super) struct Spare {
    pub buffer: Vec<u8>,
    pub ends: Vec<GameEnd>,
    pub pairs: TagIndex,
}

impl Buffers {
    /// Returns the memory of a finished chunk to the pool, unless it is very large.
    pub fn recycle(&self, chunk: Chunk) {
        let Chunk {
            buffer,
            mut ends,
            mut pairs,
            ..
        } = chunk;
        if buffer.len() <= KEEP_BYTES {
            ends.clear();
            pairs.0.clear();
            self.spares().push(Spare {
                buffer,
                ends,
                pairs,
            });
        }
    }

    /// Takes a buffer from the pool, or an empty one.
    pub(super) fn take(&self) -> Spare {
        self.spares().pop().unwrap_or_default()
    }

    fn spares(&self) -> MutexGuard<'_, Vec<Spare>> {
        lock(&self.0)
    }
}
