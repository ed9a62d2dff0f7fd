//! The findings of one chunk, drawn by the thread that has it.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::chess::Position;
use crate::commands::report::{Accounts, Lines};
use crate::commands::validate::baseline::{Entry, Fingerprint, Normal};
use crate::commands::validate::check as findings;
use crate::commands::validate::check::{Checks, Finding, file};
use crate::commands::validate::formats::Pen;
use crate::commands::validate::registry::Severity;
use crate::input::{Chunk, Form, Source};
use crate::pgn::Reader;

/// What is done with every chunk.
pub(crate) struct Work<'a> {
    pub(crate) pen: &'a dyn Pen,
    pub(crate) checks: Checks,
    /// Whether findings need fingerprints, whatever the pen needs.
    pub(crate) fingerprints: bool,
    /// Whether findings are recorded for a baseline.
    pub(crate) entries: bool,
    /// How many findings are shown at most, if nothing that was drawn can turn out to be known.
    pub(crate) most: Option<u64>,
    /// Whether nothing more will be shown. It never becomes false again, so that what is drawn or not makes no
    /// difference to the output.
    pub(crate) full: &'a AtomicBool,
}

/// What a thread keeps from chunk to chunk.
pub(crate) struct Scratch {
    reader: Reader,
    findings: Vec<Finding>,
    initial: Position,
}

impl Scratch {
    pub(crate) fn new(reader: Reader) -> Scratch {
        Scratch {
            reader,
            findings: Vec::new(),
            initial: Position::initial(),
        }
    }
}

/// What was found in one chunk.
#[derive(Default)]
pub(crate) struct Checked {
    /// All findings, drawn.
    pub(crate) text: String,
    pub(crate) found: Vec<Found>,
    /// Findings counted but not kept, by severity.
    pub(crate) more: [u64; 3],
    /// Number of these that concern a whole file.
    pub(crate) more_of_files: u64,
    pub(crate) accounts: Accounts,
}

impl Checked {
    /// How much memory it takes up, in bytes.
    pub(crate) fn weight(&self) -> usize {
        self.text.capacity() + self.found.capacity() * size_of::<Found>()
    }
}

/// A finding that is drawn.
pub(crate) struct Found {
    /// Its part of the text.
    pub(crate) range: Range<usize>,
    pub(crate) severity: Severity,
    /// Whether it is about the whole file, not about a game.
    pub(crate) of_file: bool,
    pub(crate) fingerprint: Option<Fingerprint>,
    pub(crate) entry: Option<Entry>,
}

impl Work<'_> {
    /// Checks the games of a chunk and draws what is found.
    pub(crate) fn check(&self, chunk: &Chunk, source: &Source, scratch: &mut Scratch) -> Checked {
        let mut checked = Checked::default();
        let mut lines = Lines::new(chunk);
        let full = self.full.load(Ordering::Relaxed);
        let mut room = if full {
            0
        } else {
            self.most.unwrap_or(u64::MAX)
        };
        let pen_wants = self.pen.wants_fingerprint() && !full;
        for text in chunk.games() {
            let verdict = match chunk.form() {
                Form::Pgn => {
                    let game = scratch.reader.read(text.bytes, text.unclosed_comment);
                    findings::check(
                        game,
                        text.bytes,
                        &scratch.initial,
                        &self.checks,
                        &mut scratch.findings,
                    )
                }
                form => findings::check_line(form, text.bytes, &self.checks, &mut scratch.findings),
            };
            let findings = &mut scratch.findings;
            let verdict = file::check(chunk, &text, &self.checks, verdict, findings);
            checked.accounts.add(verdict);
            if scratch.findings.is_empty() {
                continue;
            }
            let mut normal =
                (self.fingerprints || self.entries || pen_wants).then(|| Normal::new(text.bytes));
            for finding in scratch.findings.drain(..) {
                let is_drawn = room > 0;
                room = room.saturating_sub(1);
                if !is_drawn && !self.fingerprints && !self.entries {
                    checked.more[finding.severity as usize] += 1;
                    checked.more_of_files += u64::from(finding.rule.is_told_once_a_file());
                    continue;
                }
                let fingerprint = normal.as_mut().map(|normal| normal.fingerprint(&finding));
                let entry = fingerprint
                    .filter(|_| self.entries)
                    .map(|fingerprint| Entry::new(source.name(), &finding, fingerprint));
                let severity = finding.severity;
                let of_file = finding.rule.is_told_once_a_file();
                let start = checked.text.len();
                if is_drawn {
                    let report = lines.report(&text, finding);
                    self.pen
                        .draw(&mut checked.text, source, &report, fingerprint.as_ref());
                }
                checked.found.push(Found {
                    range: start..checked.text.len(),
                    severity,
                    of_file,
                    fingerprint,
                    entry,
                });
            }
        }
        // What is drawn waits for what comes before it; a text that grew by doubling may be half empty.
        checked.text.shrink_to_fit();
        checked
    }
}
