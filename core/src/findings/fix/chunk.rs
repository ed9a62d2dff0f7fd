//! Repair of the games of a chunk.

use std::ops::Range;

use crate::findings::fix::DiffWriter;
use crate::findings::fix::counts::FixCounts;
use crate::findings::fix::game::{GameFixer, fix_line};
use crate::findings::registry as codes;
use crate::findings::{Checks, file, line_end};
use crate::split::{AnomalyKind, ByteNotes, Chunk, Encoding, GameText, InputKind};
use crate::text::{push_after, trailing_blanks};

/// The games of a chunk, repaired.
#[derive(Default)]
pub struct FixedChunk {
    /// The repaired text.
    pub text: Vec<u8>,
    /// The first line end in the beginning of the chunk.
    pub line_end: Option<&'static str>,
    /// The old text, for the diff.
    pub old: Vec<u8>,
    /// All parts of both texts, in order.
    pub parts: Vec<FixedPart>,
    /// Whether the bytes are not those of the input.
    pub is_changed: bool,
    /// Facts that decide whether the repaired text is written.
    pub facts: InputFacts,
}

/// A part of a chunk, by its ends in the old and the new text.
pub struct FixedPart {
    /// End in the old text.
    pub old_end: usize,
    /// End in the new text.
    pub new_end: usize,
    /// Whether a line end and an empty line are missing before it.
    pub needs_break: bool,
}

/// Beginning of a text in which its first line end is looked for, in bytes.
const LONGEST_LINE: usize = 64 << 10;

/// Facts about an input, of one chunk or of all so far.
#[derive(Default)]
pub struct InputFacts {
    /// Whether the text was converted from UTF-16.
    pub is_utf_16: bool,
    /// Whether a character that is not in the text would be lost.
    pub is_lossy: bool,
    /// The rule of an encoding that would be converted although it is not reported.
    pub unreported: Option<&'static codes::Rule>,
    /// Whether a text certainly is a game.
    pub has_game: bool,
    /// The finding if the file holds none, with its severity if it is reported.
    pub not_pgn: Option<(String, Option<codes::Severity>)>,
    /// Games and findings.
    pub counts: FixCounts,
}

impl InputFacts {
    /// Adds the facts of the chunk that follows.
    pub fn add(&mut self, more: InputFacts) {
        self.is_utf_16 |= more.is_utf_16;
        self.is_lossy |= more.is_lossy;
        self.unreported = self.unreported.or(more.unreported);
        self.has_game |= more.has_game;
        self.not_pgn = self.not_pgn.take().or(more.not_pgn);
        self.counts.add(more.counts);
    }
}

impl FixedChunk {
    /// Memory held, in bytes.
    pub fn weight(&self) -> usize {
        let parts = self.parts.capacity() * size_of::<FixedPart>();
        self.text.capacity() + self.old.capacity() + parts
    }

    /// The repaired text after the `blanks` that end the one before, without those that end it,
    /// which are left in their place. Adds it to a diff.
    pub fn join(
        &self,
        blanks: &mut Vec<u8>,
        line_end: &str,
        mut diff: Option<&mut DiffWriter>,
    ) -> Vec<u8> {
        let line_ends = line_end.repeat(2);
        let mut text = std::mem::take(blanks);
        let [mut old, mut new] = [0; 2];
        for part in &self.parts {
            let between = if part.needs_break { &line_ends } else { "" };
            let added = &self.text[new..part.new_end];
            push_after(&mut text, between, added);
            if let Some(diff) = &mut diff {
                diff.add(&self.old[old..part.old_end], between, added);
            }
            [old, new] = [part.old_end, part.new_end];
        }
        *blanks = text.split_off(text.len() - trailing_blanks(&text));
        text
    }

    /// Appends a part of the old text as it is.
    fn keep(&mut self, old: &[u8], part: Range<usize>) {
        if !part.is_empty() {
            self.text.extend_from_slice(&old[part.clone()]);
            self.end_part(part.end, false);
        }
    }

    fn end_part(&mut self, old_end: usize, needs_break: bool) {
        self.parts.push(FixedPart {
            old_end,
            new_end: self.text.len(),
            needs_break,
        });
    }
}

/// Repairs the games of a chunk by the `repairing` checks, and reports by the others. Keeps the old
/// text if it is to be compared.
///
/// ```
/// use chess_arbiter_core::findings::fix::GameFixer;
/// use chess_arbiter_core::split::{Buffers, CHUNK_BYTES, InputKind, SourceId};
/// use chess_arbiter_core::{Checks, Chunks, Reader, fix_chunk};
///
/// let text = b"[Event \"?\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. 0-0 Nf6 1-0\n";
/// let source = (SourceId(0), InputKind::Pgn);
/// let mut chunks = Chunks::new(&text[..], source, CHUNK_BYTES, Buffers::default());
/// let (chunk, notes) = chunks.next_noted().unwrap()?;
/// let checks = Checks::default();
/// let mut fixer = GameFixer::new(Reader::new(), false, false);
/// let fixed = fix_chunk([&checks, &checks], false, &chunk, &notes, &mut fixer);
/// assert!(!fixed.text.is_empty());
/// # Ok::<(), chess_arbiter_core::split::TextError>(())
/// ```
pub fn fix_chunk(
    [checks, repairing]: [&Checks; 2],
    diffs: bool,
    chunk: &Chunk,
    notes: &ByteNotes,
    fixer: &mut GameFixer,
) -> FixedChunk {
    let (old, encoding) = (chunk.bytes(), chunk.encoding);
    let head = &old[..old.len().min(LONGEST_LINE)];
    let mut fixed = FixedChunk {
        line_end: head.contains(&b'\n').then(|| line_end(head)),
        is_changed: encoding != Encoding::BYTES,
        facts: InputFacts {
            is_utf_16: encoding.utf_16.is_some(),
            is_lossy: !encoding.is_lossless(old, chunk.stored()),
            has_game: chunk.lead < old.len(),
            ..InputFacts::default()
        },
        ..FixedChunk::default()
    };
    fixed.facts.count_encoding(notes, repairing);
    if diffs {
        fixed.old = old.to_vec();
    }
    let (mut at, mut last) = (0, 0);
    let mut games = chunk.games().peekable();
    while let Some(text) = games.next() {
        let start = text.chunk_offset;
        let end = start + text.bytes.len();
        // Games that are not chosen.
        fixed.keep(old, at..start);
        at = end;
        let begin = fixed.text.len();
        let facts = &mut fixed.facts;
        if text.origin.byte.0 == 0 && chunk.lead > 0 {
            let finding = fixer.not_pgn(&text);
            let is_reported = checks.has(finding.rule);
            let severity = is_reported.then(|| checks.severity(finding.rule));
            facts.not_pgn = Some((finding.message, severity));
        }
        let mut line = text;
        let needs_break =
            repairing.has(&codes::GAME_ON_SAME_LINE) && begins_within_line(chunk, &text);
        if needs_break {
            facts.counts.count(&codes::GAME_ON_SAME_LINE);
            fixed.is_changed = true;
            line = without_blanks(text);
        }
        let (mut draft, counts) = match chunk.kind {
            InputKind::Pgn => {
                // The blank line that is inserted before the game keeps it from the one before.
                let before = if needs_break { begin } else { last };
                let after = games.peek().map_or(&[][..], |next| next.bytes);
                let neighbours = [&fixed.text[before..], after];
                fixer.fix(&line, neighbours, repairing)
            }
            kind => fix_line(kind, line.bytes, repairing),
        };
        fixed.text.extend_from_slice(&draft.text);
        last = begin;
        facts.counts.add(counts);
        let status = fixer.status(chunk.kind, &mut draft, checks);
        facts.counts.leave(&draft.findings);
        let findings = &mut Vec::new();
        let status = file::check(notes, &text, checks, status, findings);
        findings.retain(|finding| !codes::FIXED_IN_FILES.contains(&finding.rule));
        facts.counts.leave(findings);
        facts.counts.accounts.add(status);
        fixed.is_changed |= fixed.text[begin..] != *text.bytes;
        fixed.end_part(end, needs_break);
    }
    fixed.keep(old, at..old.len());
    fixed
}

impl InputFacts {
    /// Counts the conversion of a file, with its first chunk.
    fn count_encoding(&mut self, notes: &ByteNotes, checks: &Checks) {
        for anomaly in &notes.anomalies {
            let rule: &'static codes::Rule = match anomaly.kind {
                AnomalyKind::Utf16 { .. } => &codes::UTF_16,
                AnomalyKind::CarriageReturns => &codes::CARRIAGE_RETURNS,
                _ => continue,
            };
            if checks.has(rule) {
                self.counts.count(rule);
            } else {
                self.unreported = Some(rule);
            }
        }
    }
}

/// Whether a game begins on the last line of another.
fn begins_within_line(chunk: &Chunk, game: &GameText<'_>) -> bool {
    let follows = match game.chunk_offset {
        0 => chunk.column > 0,
        start => chunk.bytes()[start - 1] != b'\n',
    };
    let blank = game
        .bytes
        .iter()
        .take_while(|byte| byte.is_ascii_whitespace());
    follows && !blank.clone().any(|&byte| byte == b'\n')
}

/// A game without the blanks before it.
fn without_blanks(game: GameText<'_>) -> GameText<'_> {
    let bytes = game.bytes.trim_ascii_start();
    let blanks = game.bytes.len() - bytes.len();
    GameText {
        bytes,
        unclosed_comment: game.unclosed_comment.map(|at| at - blanks),
        ..game
    }
}
