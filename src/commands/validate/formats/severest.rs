//! The first findings, the most severe first, up to a number.

use crate::findings::registry::Severity;
use crate::report::Buffer;

/// Keeps the first findings of each severity until all are known.
pub(crate) struct MostSevereFirst {
    most: usize,
    /// By severity, notes first: the findings kept, and the number of all.
    kept: [(Vec<Buffer>, u64); 3],
}

impl MostSevereFirst {
    /// Keeps nothing yet, and shows `most` findings.
    pub(crate) fn new(most: u64) -> MostSevereFirst {
        MostSevereFirst {
            most: usize::try_from(most).unwrap_or(usize::MAX),
            kept: Default::default(),
        }
    }

    /// Adds a finding, which is written if it is kept.
    pub(crate) fn push(&mut self, severity: Severity, write: impl FnOnce(&mut Buffer)) {
        let as_severe = &self.kept[severity as usize..];
        let before: usize = as_severe.iter().map(|(texts, _)| texts.len()).sum();
        let (texts, count) = &mut self.kept[severity as usize];
        *count += 1;
        if before < self.most {
            let mut text = Buffer::default();
            write(&mut text);
            texts.push(text);
        }
    }

    /// The findings that are shown.
    pub(crate) fn shown(&self) -> impl Iterator<Item = &[u8]> {
        let severest = self.kept.iter().rev();
        let texts = severest.flat_map(|(texts, _)| texts.iter().map(Buffer::as_bytes));
        texts.take(self.most)
    }

    /// The number of findings that are not shown, by severity, notes first.
    pub(crate) fn left_out(&self) -> [u64; 3] {
        let mut room = self.most as u64;
        let mut left_out = [0; 3];
        for (left_out, kept) in left_out.iter_mut().zip(&self.kept).rev() {
            let shown = kept.1.min(room);
            room -= shown;
            *left_out = kept.1 - shown;
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
            first.push(severity, |out| out.push_str(text));
        }
        let shown: Vec<_> = first.shown().collect();
        assert_eq!(shown, [b"e1", b"e2", b"w1"]);
        assert_eq!(first.left_out(), [3, 1, 0]);
        first.push(Error, |out| out.push_str("e3"));
        assert_eq!(first.left_out(), [3, 2, 0]);
    }
}
