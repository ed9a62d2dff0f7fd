//! Edits of a text in several rounds as edits of the original.

use std::ops::Range;

use crate::findings::Edit;
use crate::pgn::Span;

/// Part of the original text that is still there, by its places in the original and now.
#[derive(Clone, Copy, Debug)]
struct Part {
    old: usize,
    new: usize,
    length: usize,
}

/// The parts of the original text that all edits have kept, in order.
#[derive(Clone, Default, Debug)]
pub(crate) struct KeptParts(Vec<Part>);

impl KeptParts {
    /// All of a text.
    pub(crate) fn whole(length: usize) -> KeptParts {
        KeptParts(vec![Part {
            old: 0,
            new: 0,
            length,
        }])
    }

    /// The parts that edits of the current text keep. The edits are in order and do not overlap.
    pub(crate) fn after(&self, edits: &[&Edit]) -> KeptParts {
        let mut kept = Vec::new();
        let mut edits = edits.iter().peekable();
        let (mut gone, mut added) = (0, 0);
        for part in &self.0 {
            let end = part.new + part.length;
            let mut at = part.new;
            let mut keep = |range: Range<usize>, gone: usize, added: usize| {
                if !range.is_empty() {
                    kept.push(Part {
                        old: part.old + range.start - part.new,
                        new: range.start - gone + added,
                        length: range.len(),
                    });
                }
            };
            while let Some(edit) = edits.peek()
                && edit.span.range().start < end
            {
                let span = edit.span.range();
                keep(at..span.start, gone, added);
                at = at.max(span.end);
                if span.end > end {
                    break;
                }
                gone += span.len();
                added += edit.text.len();
                edits.next();
            }
            keep(at..end, gone, added);
        }
        KeptParts(kept)
    }

    /// The part of the original in place of a part of the current text.
    pub(crate) fn origin(&self, span: Span) -> Span {
        let place = |place: usize| {
            let after = self.0.partition_point(|part| part.new <= place);
            let part = after.checked_sub(1).map(|nth| self.0[nth]);
            part.map_or(0, |part| part.old + (place - part.new).min(part.length))
        };
        let Range { start, end } = span.range();
        Span::new(place(start), place(end))
    }

    /// The edits that make the current text of the original, in order and apart from each other.
    pub(crate) fn edits(&self, original: &[u8], text: &[u8]) -> Vec<Edit> {
        let end = Part {
            old: original.len(),
            new: text.len(),
            length: 0,
        };
        let mut edits = Vec::new();
        let (mut old, mut new) = (0, 0);
        for part in self.0.iter().chain([&end]) {
            if old < part.old || new < part.new {
                let text = String::from_utf8_lossy(&text[new..part.new]);
                edits.push(Edit::new(Span::new(old, part.old), text));
            }
            (old, new) = (part.old + part.length, part.new + part.length);
        }
        edits
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::split::test_util::Random;

    fn apply(text: &[u8], edits: &[Edit]) -> Vec<u8> {
        let mut new = text.to_vec();
        for edit in edits.iter().rev() {
            new.splice(edit.span.range(), edit.text.bytes());
        }
        new
    }

    #[test]
    fn edits_of_several_rounds_are_edits_of_the_original() {
        for seed in 1..=2_000 {
            let mut random = Random(seed);
            let original = b"0123456789".repeat(1 + random.below(4));
            let mut text = original.clone();
            let mut kept = KeptParts::whole(text.len());
            for round in 0..4 {
                let mut edits = Vec::new();
                let mut at = random.below(6);
                while at <= text.len() {
                    let end = (at + random.below(5)).min(text.len());
                    let new = ["a", "b", "c", "d"][round].repeat(random.below(4));
                    edits.push(Edit::new(Span::new(at, end), new));
                    at = end + 1 + random.below(12);
                }
                kept = kept.after(&edits.iter().collect::<Vec<_>>());
                text = apply(&text, &edits);
                let all = kept.edits(&original, &text);
                assert_eq!(apply(&original, &all), text, "{seed}");
                let ends = all
                    .windows(2)
                    .map(|two| [two[0].span.end, two[1].span.start]);
                assert!(ends.into_iter().all(|[end, start]| end < start), "{all:?}");
            }
        }
    }

    #[test]
    fn a_place_in_new_text_is_that_of_the_edit() {
        let edit = Edit::new(Span::new(2, 4), "xyz");
        let kept = KeptParts::whole(8).after(&[&edit]);
        for (place, origin) in [((0, 2), (0, 2)), ((2, 5), (2, 4)), ((6, 7), (5, 6))] {
            let origin_of = kept.origin(Span::new(place.0, place.1));
            assert_eq!(origin_of, Span::new(origin.0, origin.1), "{place:?}");
        }
    }
}
