//! The first findings, the most severe first, up to a number.

use std::ops::Range;

use crate::findings::registry::Severity;

/// Keeps the first findings of each severity until all are known.
pub(crate) struct MostSevereFirst {
    most: usize,
    /// By severity, notes first.
    kept: [Kept; 3],
}

#[derive(Default)]
struct Kept {
    text: Vec<u8>,
    ranges: Vec<Range<usize>>,
    /// Number of findings, kept or not.
    count: u64,
}

impl MostSevereFirst {
    /// Keeps nothing yet, and shows `most` findings.
    pub(crate) fn new(most: u64) -> MostSevereFirst {
        MostSevereFirst {
            most: usize::try_from(most).unwrap_or(usize::MAX),
            kept: Default::default(),
        }
    }

    /// Adds a finding as a format has written it.
    pub(crate) fn push(&mut self, severity: Severity, text: &[u8]) {
        let as_severe = Severity::ALL.into_iter().filter(|&other| other >= severity);
        let before: usize = as_severe
            .map(|other| self.kept[other as usize].ranges.len())
            .sum();
        let kept = &mut self.kept[severity as usize];
        kept.count += 1;
        if before < self.most {
            let start = kept.text.len();
            kept.text.extend_from_slice(text);
            kept.ranges.push(start..kept.text.len());
        }
    }

    /// The findings that are shown.
    pub(crate) fn shown(&self) -> impl Iterator<Item = &[u8]> {
        let severest = self.kept.iter().rev();
        let texts = severest.flat_map(|kept| {
            let ranges = kept.ranges.iter();
            ranges.map(|range| &kept.text[range.clone()])
        });
        texts.take(self.most)
    }

    /// Whether nothing more will be shown: no finding is more severe than those kept.
    pub(crate) fn is_full(&self) -> bool {
        self.kept[Severity::Error as usize].ranges.len() >= self.most
    }

    /// The number of findings that are not shown, by severity, notes first.
    pub(crate) fn left_out(&self) -> [u64; 3] {
        let mut room = self.most as u64;
        let mut left_out = [0; 3];
        for (left_out, kept) in left_out.iter_mut().zip(&self.kept).rev() {
            let shown = kept.count.min(room);
            room -= shown;
            *left_out = kept.count - shown;
        }
        left_out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Severity::{Error, Note, Warning};

    #[test]
    fn severe_findings_come_first_and_push_out_the_others() {
        let mut first = MostSevereFirst::new(3);
        for (severity, text) in [
            (Note, "n1"),
            (Warning, "w1"),
            (Note, "n2"),
            (Warning, "w2"),
            (Error, "e1"),
            (Note, "n3"),
            (Error, "e2"),
        ] {
            first.push(severity, text.as_bytes());
        }
        let shown: Vec<_> = first.shown().collect();
        assert_eq!(shown, [b"e1", b"e2", b"w1"]);
        assert_eq!(first.left_out(), [3, 1, 0]);
        assert!(!first.is_full());
        first.push(Error, b"e3");
        assert!(first.is_full());
        assert_eq!(first.left_out(), [3, 2, 0]);
    }
}
