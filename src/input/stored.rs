//! Stored bytes of a transcoded text, kept until its chunks are cut.

use std::sync::{Arc, Mutex};

use crate::input::sync::lock;

/// Stored bytes that the transcoder has read and no chunk has taken. Clones share them.
#[derive(Clone, Debug, Default)]
pub(crate) struct StoredBytes(Arc<Mutex<Vec<u8>>>);

impl StoredBytes {
    /// Appends bytes.
    pub(crate) fn push(&self, bytes: &[u8]) {
        lock(&self.0).extend_from_slice(bytes);
    }

    /// Removes the first bytes, or all.
    pub(crate) fn take(&self, length: Option<usize>) -> Vec<u8> {
        let mut bytes = lock(&self.0);
        let length = length.map_or(bytes.len(), |length| length.min(bytes.len()));
        let rest = bytes.split_off(length);
        std::mem::replace(&mut *bytes, rest)
    }
}
