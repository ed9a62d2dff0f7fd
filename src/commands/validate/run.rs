//! Checking of chunks on the worker threads.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::chess::Position;
use crate::commands::accounts::Accounts;
use crate::commands::validate::baseline::{BaselineEntry, Fingerprint, HashedText};
use crate::commands::validate::check as findings;
use crate::commands::validate::check::{Checks, Finding, file};
use crate::commands::validate::formats::{FindingFormat, FindingItem, title};
use crate::commands::validate::registry::{Rule, Severity};
use crate::commands::validate::report::Lines;
use crate::commands::validate::settings::PerFileIgnores;
use crate::input::{ByteNotes, Chunk, InputKind, Source};
use crate::replay::Reader;
use crate::report::Buffer;

/// The checks of a chunk.
pub(crate) struct ChunkCheck<'a> {
    pub(crate) format: &'a FindingFormat,
    /// Whether the format writes fingerprints.
    pub(crate) format_needs_fingerprint: bool,
    /// Whether the format names games by their players.
    pub(crate) format_needs_title: bool,
    pub(crate) checks: &'a Checks,
    pub(crate) per_file: &'a PerFileIgnores,
    /// Whether findings need fingerprints, whatever the format needs.
    pub(crate) fingerprints: bool,
    /// Whether findings are recorded for a baseline.
    pub(crate) entries: bool,
    /// Maximum number of findings shown, unless a baseline may hide some.
    pub(crate) most: Option<u64>,
    /// Whether the maximum number of findings is reached. It never becomes false again, so the
    /// output does not depend on when workers see it.
    pub(crate) full: &'a AtomicBool,
}

/// Per-worker state.
pub(crate) struct CheckBuffers {
    reader: Reader,
    findings: Vec<Finding>,
    initial: Position,
}

impl CheckBuffers {
    pub(crate) fn new(reader: Reader) -> CheckBuffers {
        CheckBuffers {
            reader,
            findings: Vec::new(),
            initial: Position::initial(),
        }
    }
}

/// The findings of one chunk.
#[derive(Default)]
pub(crate) struct CheckedChunk {
    /// The findings that may be shown, as the format writes them.
    pub(crate) text: Vec<u8>,
    pub(crate) found: Vec<EmittedFinding>,
    /// Findings counted but not kept, by severity.
    pub(crate) more: [u64; 3],
    /// Number of these that concern a whole file.
    pub(crate) more_of_files: u64,
    pub(crate) accounts: Accounts,
}

impl CheckedChunk {
    /// How much memory it takes up, in bytes.
    pub(crate) fn weight(&self) -> usize {
        self.text.capacity() + self.found.capacity() * size_of::<EmittedFinding>()
    }
}

/// A finding that is emitted.
pub(crate) struct EmittedFinding {
    /// Its part of the text.
    pub(crate) range: Range<usize>,
    pub(crate) severity: Severity,
    pub(crate) rule: &'static Rule,
    pub(crate) fingerprint: Option<Fingerprint>,
    pub(crate) entry: Option<BaselineEntry>,
}

impl ChunkCheck<'_> {
    /// Checks the games of a chunk and writes what is found.
    pub(crate) fn check(
        &self,
        chunk: &Chunk,
        notes: &ByteNotes,
        source: &Source,
        buffers: &mut CheckBuffers,
    ) -> CheckedChunk {
        let checks = &*self.per_file.apply(self.checks, source);
        let mut checked = CheckedChunk::default();
        let mut out = Buffer::default();
        let mut lines = Lines::new(chunk);
        let full = self.full.load(Ordering::Relaxed);
        let mut room = if full {
            0
        } else {
            self.most.unwrap_or(u64::MAX)
        };
        let format_needs = self.format_needs_fingerprint && !full;
        for text in chunk.games() {
            let mut game = None;
            let status = match chunk.kind() {
                InputKind::Pgn => {
                    let game = game.insert(buffers.reader.read(text.bytes, text.unclosed_comment));
                    findings::check(
                        game,
                        text.bytes,
                        &buffers.initial,
                        checks,
                        &mut buffers.findings,
                    )
                }
                kind => findings::check_line(kind, text.bytes, checks, &mut buffers.findings),
            };
            let findings = &mut buffers.findings;
            let status = file::check(notes, &text, checks, status, findings);
            checked.accounts.add(status);
            if buffers.findings.is_empty() {
                continue;
            }
            let title = (self.format_needs_title && !full).then(|| title(game, text.bytes));
            let mut normal = (self.fingerprints || self.entries || format_needs)
                .then(|| HashedText::new(text.bytes));
            for finding in buffers.findings.drain(..) {
                let is_emitted = room > 0;
                room = room.saturating_sub(1);
                if !is_emitted && !self.fingerprints && !self.entries {
                    checked.more[finding.severity as usize] += 1;
                    checked.more_of_files += u64::from(finding.rule.is_once_per_file);
                    continue;
                }
                let fingerprint = normal.as_mut().map(|normal| normal.fingerprint(&finding));
                let entry = fingerprint
                    .filter(|_| self.entries)
                    .map(|fingerprint| BaselineEntry::new(source.name(), &finding, fingerprint));
                let (severity, rule) = (finding.severity, finding.rule);
                let start = out.len();
                if is_emitted {
                    let report = lines.report(&text, finding);
                    let item = FindingItem {
                        source,
                        report: &report,
                        fingerprint: fingerprint.as_ref(),
                        title: title.as_deref(),
                    };
                    self.format.item(&mut out, item);
                }
                checked.found.push(EmittedFinding {
                    range: start..out.len(),
                    severity,
                    rule,
                    fingerprint,
                    entry,
                });
            }
        }
        // The text waits for its turn; a buffer that grew by doubling may be half empty.
        checked.text = out.into_bytes();
        checked.text.shrink_to_fit();
        checked
    }
}
