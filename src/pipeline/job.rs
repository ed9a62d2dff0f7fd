//! What there is to do, and what a thread has at hand to do it.

use std::sync::{Arc, Mutex};

use super::numbering::Numbering;
use super::pace::Pace;
use crate::input::{Buffers, Chunk, Extent, Source, StretchedText};

/// What is done in a run.
pub(super) struct Task<N, W, G> {
    /// Makes what a thread wants to keep between chunks.
    pub scratch: N,
    /// Done on every chunk.
    pub work: W,
    /// How much memory is taken up by what comes of a chunk, in bytes.
    pub weigh: G,
    pub pace: Pace,
}

/// Work for whichever thread comes next.
pub(super) enum Job {
    /// Games of a source.
    Chunk(Source, Box<Chunk>),
    /// A stretch of a file: which one, and where it stands.
    Stretch(Arc<StretchedFile>, u64, Extent),
}

/// A file that is read in stretches.
pub(super) struct StretchedFile {
    pub source: Source,
    pub text: Arc<StretchedText>,
    pub numbering: Numbering,
}

/// What a thread keeps for itself: memory that another has used last must first be fetched from where that one runs, and with
/// it what stands beside it.
#[repr(align(128))]
pub(super) struct Desk<S> {
    pub scratch: Mutex<Option<S>>,
    pub buffers: Buffers,
}

impl<S> Desk<S> {
    /// With memory for what is read.
    pub fn new(buffers: &Buffers) -> Desk<S> {
        Desk {
            scratch: Mutex::new(None),
            buffers: buffers.clone(),
        }
    }
}
