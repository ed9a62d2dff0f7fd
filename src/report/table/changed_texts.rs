//! Columns of texts that are stored as changes of the text before.

use std::ops::Range;

use crate::report::block::ChangedText;
use crate::report::table::cells::Records;
use crate::report::table::sequences::Sequences;

/// Texts of a page, of several blocks.
pub(super) struct ChangedTexts(Sequences);

impl ChangedTexts {
    /// No texts, and memory for this many.
    pub(super) fn with_capacity(texts: usize) -> ChangedTexts {
        ChangedTexts(Sequences::with_capacity(texts))
    }

    /// Adds texts of a block.
    pub(super) fn push(&mut self, records: Records<'_>, offset: usize, chosen: Range<usize>) {
        let texts = |rows: Range<usize>| {
            let texts = records.fields(offset, rows);
            texts.map(ChangedText::from_bytes)
        };
        let mut new_bytes = records.new_bytes;
        let mut first = chosen.start;
        if first > 0 {
            // The texts before the first chosen one are on another page.
            let (mut text, mut before) = (Vec::new(), Vec::new());
            for changed in texts(0..first + 1) {
                std::mem::swap(&mut text, &mut before);
                new_bytes = write_text(&changed, &before, new_bytes, &mut text);
            }
            self.0.push_literals(&text);
            first += 1;
        }
        for text in texts(first..chosen.end) {
            new_bytes = self.0.push(&text, new_bytes);
        }
    }

    /// Number of the new bytes of all texts.
    pub(super) fn new_bytes(&self) -> usize {
        self.0.literals()
    }

    /// Ends a page that begins with `head` by the texts.
    pub(super) fn end(&mut self, head: &mut Vec<u8>) -> &mut Sequences {
        self.0.finish(head);
        &mut self.0
    }

    /// Removes all texts and keeps the memory.
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }
}

/// Writes a text to `to`, given the one before it and the new bytes from its own on. Returns the
/// new bytes of the texts after it.
fn write_text<'n>(
    text: &ChangedText,
    before: &[u8],
    mut new_bytes: &'n [u8],
    to: &mut Vec<u8>,
) -> &'n [u8] {
    to.clear();
    let mut rest = before;
    for change in text.changes {
        let (kept, after) = rest.split_at(usize::from(change.at) - to.len());
        to.extend_from_slice(kept);
        rest = &after[change.old_length.into()..];
        let (added, others) = new_bytes.split_at(change.new_length.into());
        to.extend_from_slice(added);
        new_bytes = others;
    }
    new_bytes
}
