//! Jobs, and the per-worker state to run them.

use std::sync::{Arc, Mutex};

use crate::input::{Buffers, Chunk, Segment, SegmentText, Source};
use crate::pipeline::chunk_sizer::ChunkSizer;
use crate::pipeline::prefix_sums::PrefixSums;

/// The work of a run.
pub(crate) struct Task<N, W, G> {
    /// Creates per-thread state.
    pub scratch: N,
    /// Called on every chunk.
    pub work: W,
    /// Memory held by the result of a chunk, in bytes.
    pub weigh: G,
    pub sizer: ChunkSizer,
}

/// A job of the queue.
pub(crate) enum Job {
    /// A chunk that has been read.
    Chunk(Source, Box<Chunk>),
    /// A segment of a file to be read: its index and its bytes.
    Segment(Arc<SegmentedFile>, u64, Segment),
}

/// A file that is read segment by segment.
pub(crate) struct SegmentedFile {
    pub source: Source,
    pub text: Arc<SegmentText>,
    pub prefix_sums: PrefixSums,
}

/// Per-worker state, cache-line aligned to avoid false sharing.
#[repr(align(128))]
pub(crate) struct WorkerState<S> {
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
