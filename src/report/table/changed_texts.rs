//! Columns of texts that are stored as changes of the text before.

use std::ops::Range;

use crate::report::block::ChangedText;
use crate::report::table::cells::Records;
use crate::report::table::encoding::push_deltas;
use crate::report::table::sequences::Sequences;

/// Texts of a page, of several blocks.
#[derive(Default)]
pub(super) struct ChangedTexts<'a> {
    parts: Vec<ChangedPart<'a>>,
    /// Number of texts, and of the new bytes of all.
    texts: usize,
    new_bytes: usize,
}

/// Texts of a block.
struct ChangedPart<'a> {
    records: Records<'a>,
    offset: usize,
    chosen: Range<usize>,
}

impl<'a> ChangedTexts<'a> {
    /// Adds texts of a block.
    pub(super) fn push(&mut self, records: Records<'a>, offset: usize, chosen: Range<usize>) {
        self.texts += chosen.len();
        self.new_bytes += records.new_bytes.len();
        self.parts.push(ChangedPart {
            records,
            offset,
            chosen,
        });
    }

    /// Number of the new bytes of all texts.
    pub(super) fn new_bytes(&self) -> usize {
        self.new_bytes
    }

    /// Ends a page that begins with `head` by the lengths and the texts
    /// (`DELTA_LENGTH_BYTE_ARRAY`), and begins again without any.
    pub(super) fn take(&mut self, mut head: Vec<u8>) -> Sequences {
        let mut lengths = Vec::with_capacity(self.texts);
        for part in &self.parts {
            lengths.extend(
                part.texts(part.chosen.clone())
                    .map(|it| i64::from(it.length)),
            );
        }
        push_deltas(&mut head, &lengths);
        let mut page = Sequences::new(head, self.texts, self.new_bytes);
        for part in &self.parts {
            part.push(&mut page);
        }
        *self = ChangedTexts::default();
        page
    }
}

impl ChangedPart<'_> {
    #[inline]
    fn texts(&self, rows: Range<usize>) -> impl Iterator<Item = ChangedText> {
        let texts = self.records.fields(self.offset, rows);
        texts.map(ChangedText::from_bytes)
    }

    /// Adds the chosen texts to a page.
    fn push(&self, page: &mut Sequences) {
        let mut new_bytes = self.records.new_bytes;
        let mut first = self.chosen.start;
        if first > 0 {
            // The texts before the first chosen one are on another page.
            let (mut text, mut before) = (Vec::new(), Vec::new());
            for changed in self.texts(0..first + 1) {
                std::mem::swap(&mut text, &mut before);
                new_bytes = write_text(&changed, &before, new_bytes, &mut text);
            }
            page.push_literals(&text);
            first += 1;
        }
        let texts = self.texts(first..self.chosen.end);
        let length = texts.map(|text| page.push(&text)).sum();
        page.push_new(&new_bytes[..length]);
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
