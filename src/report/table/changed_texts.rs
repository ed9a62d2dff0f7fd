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
    /// Number of texts, and new bytes of all.
    texts: usize,
    new: usize,
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
        self.new += records.new.len();
        self.parts.push(ChangedPart {
            records,
            offset,
            chosen,
        });
    }

    /// New bytes of all texts.
    pub(super) fn new_bytes(&self) -> usize {
        self.new
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
        let mut page = Sequences::new(head, self.texts, self.new);
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
        let mut new = self.records.new;
        let mut first = self.chosen.start;
        if first > 0 {
            // The texts before the first chosen one are on another page.
            let mut before = Sequences::default();
            let mut length = 0;
            for text in self.texts(0..first + 1) {
                length = text.length as usize;
                let (of_text, rest) = new.split_at(before.push(&text));
                before.push_new(of_text);
                new = rest;
            }
            let before = before.expand();
            page.push_all(&before[before.len() - length..]);
            first += 1;
        }
        let texts = self.texts(first..self.chosen.end);
        let length = texts.map(|text| page.push(&text)).sum();
        page.push_new(&new[..length]);
    }
}
