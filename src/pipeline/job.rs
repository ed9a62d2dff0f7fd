//! Jobs, and the per-worker state to run them.

use std::sync::{Arc, Mutex};

use super::chunk_sizer::ChunkSizer;
use super::prefix_sums::PrefixSums;
use crate::input::{Buffers, Chunk, Extent, Source, StretchedText};

/// The work of a run.
pub(super) struct Task<N, W, G> {
    /// Creates per-thread state.
    pub scratch: N,
    /// Called on every chunk.
    pub work: W,
    /// Memory held by the result of a chunk, in bytes.
    pub weigh: G,
    pub sizer: ChunkSizer,
}

/// A job of the queue.
pub(super) enum Job {
    /// A chunk that has been read.
    Chunk(Source, Box<Chunk>),
    /// A stretch of a file to be read: its index and its bytes.
    Stretch(Arc<StretchedFile>, u64, Extent),
}

/// A file that is read stretch by stretch.
pub(super) struct StretchedFile {
    pub source: Source,
    pub text: Arc<StretchedText>,
    pub prefix_sums: PrefixSums,
}

/// Per-worker state, cache-line aligned to avoid false sharing.
#[repr(align(128))]
pub(super) struct WorkerState<S> {
    pub scratch: Mutex<Option<S>>,
    pub buffers: Buffers,
}

impl<S> WorkerState<S> {
    /// State that reads into `buffers`.
    pub fn new(buffers: &Buffers) -> WorkerState<S> {
        WorkerState {
            scratch: Mutex::new(None),
            buffers: buffers.clone(),
        }
    }
}
