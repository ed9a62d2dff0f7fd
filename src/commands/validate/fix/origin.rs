//! Edits of a text in several rounds as edits of the original.

use crate::findings::Edit;
use crate::pgn::Span;

/// Place in the original text of each byte that edits have kept; [`ADDED`] for the others.
#[derive(Clone, Default, Debug)]
pub(crate) struct Origins(Vec<u32>);

/// Place of a byte that is not in the original text.
const ADDED: u32 = u32::MAX;

impl Origins {
    /// The origins in a text without edits.
    pub(crate) fn new(text: &[u8]) -> Origins {
        Origins((0..text.len() as u32).collect())
    }

    /// The origins after edits of the current text.
    pub(crate) fn after(&self, edits: &[&Edit]) -> Origins {
        Origins(splice(&self.0, edits, |places, text| {
            places.resize(places.len() + text.len(), ADDED);
        }))
    }

    /// The place in the original of a place in the current text.
    pub(crate) fn place(&self, at: u32) -> u32 {
        match self.0.get(at as usize) {
            Some(&old) if old != ADDED => old,
            _ => {
                let mut before = self.0[..at as usize].iter().rev();
                before.find(|&&old| old != ADDED).map_or(0, |old| old + 1)
            }
        }
    }

    /// The edits that make the current text of the original, in order and apart from each other.
    pub(crate) fn edits(&self, original: &[u8], text: &[u8]) -> Vec<Edit> {
        let places = self.0.iter().map(|&old| old as usize).enumerate();
        let kept = places.filter(|(_, old)| *old != ADDED as usize);
        let mut edits = Vec::new();
        let (mut old_at, mut new_at) = (0, 0);
        for (new, old) in kept.chain([(text.len(), original.len())]) {
            if old_at < old || new_at < new {
                let text = String::from_utf8_lossy(&text[new_at..new]);
                edits.push(Edit::new(Span::new(old_at, old), text));
            }
            (old_at, new_at) = (old + 1, new + 1);
        }
        edits
    }
}

/// Applies edits, in order and without overlap, to a text, or to what belongs to each of its bytes.
fn splice<T: Copy>(old: &[T], edits: &[&Edit], mut push: impl FnMut(&mut Vec<T>, &str)) -> Vec<T> {
    let mut new = Vec::with_capacity(old.len() + 64);
    let mut at = 0;
    for edit in edits {
        let range = edit.span.range();
        new.extend_from_slice(&old[at..range.start]);
        push(&mut new, &edit.text);
        at = range.end;
    }
    new.extend_from_slice(&old[at..]);
    new
}

/// The text after edits, in order and without overlap.
pub(crate) fn apply(text: &[u8], edits: &[&Edit]) -> Vec<u8> {
    splice(text, edits, |new, text| {
        new.extend_from_slice(text.as_bytes());
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::test_util::Random;

    fn apply_all(text: &[u8], edits: &[Edit]) -> Vec<u8> {
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
            let mut kept = Origins::new(&text);
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
                text = apply_all(&text, &edits);
                let all = kept.edits(&original, &text);
                assert_eq!(apply_all(&original, &all), text, "{seed}");
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
        let kept = Origins::new(b"12345678").after(&[&edit]);
        for (place, origin) in [((0, 2), (0, 2)), ((2, 5), (2, 4)), ((6, 7), (5, 6))] {
            let origin_of = (kept.place(place.0), kept.place(place.1));
            assert_eq!(origin_of, origin, "{place:?}");
        }
    }
}
