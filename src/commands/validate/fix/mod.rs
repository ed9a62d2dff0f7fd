//! `--fix`: the games with the repairs of their findings.

mod diff;
mod game;
mod in_place;

use std::path::{Path, PathBuf};

use clap::Args;

use crate::commands::Outcome;
use crate::commands::accounts::{Accounts, GameStatus};
use crate::commands::args::Toggle;
use crate::commands::run::CommandRun;
use crate::commands::validate::check::{Checks, Finding, check_line, file, line_end};
use crate::commands::validate::fix::diff::{ChunkDiff, DiffWriter, PartDiff};
use crate::commands::validate::fix::game::{GameFixer, RuleCounts};
use crate::commands::validate::fix::in_place::InPlace;
use crate::commands::validate::formats::fails;
use crate::commands::validate::registry as codes;
use crate::commands::validate::settings::{PerFileIgnores, Settings};
use crate::error::Error;
use crate::input::{AnomalyKind, ByteNotes, Chunk, Encoding, GameText, InputKind, Offset, Source};
use crate::pipeline::{Item, Part};
use crate::replay::Reader;
use crate::report::Sink;

/// Options of the repairs.
#[derive(Args, Debug)]
pub(crate) struct FixArgs {
    /// Write the games with all repairs that are certain and lose nothing
    ///
    /// The games go to stdout, --output, --write-fixed or, with --in-place, to their files. Codes
    /// that can be repaired are marked in --codes; --select and --ignore choose among them.
    #[arg(
        long,
        conflicts_with_all = [
            "part", "fen", "format", "baseline", "write_baseline", "max_findings",
            "max_per_code", "statistics", "write_clean", "write_rejected", "duplicates", "keep",
            "against",
        ],
        hide_short_help = true
    )]
    fix: bool,

    /// Also apply the suggestions of which there is one only
    #[arg(long, requires = "fix", hide_short_help = true)]
    fix_suggestions: bool,

    /// Write the repaired games to this file
    #[arg(long, value_name = "FILE", requires = "fix", hide_short_help = true)]
    write_fixed: Option<PathBuf>,

    /// Replace the input files by the repaired ones
    #[arg(
        long,
        requires = "fix",
        conflicts_with = "write_fixed",
        hide_short_help = true
    )]
    in_place: bool,

    /// Show the repairs as a unified diff
    ///
    /// The diff goes to stdout or --output, the games only to --write-fixed or --in-place.
    #[arg(long, requires = "fix", hide_short_help = true)]
    diff: bool,

    /// Keep the old movetext of a game whose movetext is repaired in comments
    #[arg(long, requires = "fix", hide_short_help = true)]
    keep_original: bool,
}

impl FixArgs {
    pub(crate) fn is_asked_for(&self) -> bool {
        self.fix
    }

    /// Whether files other than the output are written.
    pub(crate) fn writes_files(&self) -> bool {
        self.write_fixed.is_some() || self.in_place
    }

    /// The file of the repaired games, with its name in messages.
    pub(crate) fn file(&self) -> Option<(&Path, &'static str)> {
        Some((self.write_fixed.as_deref()?, "the file of the fixed games"))
    }
}

/// Repairs the games of a chunk.
struct ChunkFix<'a> {
    checks: &'a Checks,
    repairing: &'a Checks,
    per_file: &'a PerFileIgnores,
    diffs: bool,
}

/// The games of a chunk, repaired.
#[derive(Default)]
struct FixedChunk {
    text: Vec<u8>,
    diffs: Vec<PartDiff>,
    /// Whether the bytes are not those of the input.
    is_changed: bool,
    /// Whether a character that is not in the text would be lost.
    is_lossy: bool,
    counts: FixCounts,
}

/// Numbers of games and findings.
#[derive(Default)]
struct FixCounts {
    fixed: RuleCounts,
    refused: RuleCounts,
    accounts: Accounts,
    /// Findings that are left, by severity.
    left: [u64; 3],
}

impl FixedChunk {
    fn weight(&self) -> usize {
        self.text.capacity() + self.diffs.iter().map(PartDiff::weight).sum::<usize>()
    }
}

impl FixCounts {
    fn add(&mut self, more: FixCounts) {
        for (all, some) in [
            (&mut self.fixed, more.fixed),
            (&mut self.refused, more.refused),
        ] {
            for (code, count) in some {
                *all.entry(code).or_default() += count;
            }
        }
        self.accounts += more.accounts;
        for (all, some) in self.left.iter_mut().zip(more.left) {
            *all += some;
        }
    }

    /// The closing lines.
    fn summary(&self) -> String {
        let list = |counts: &RuleCounts| {
            let counts: Vec<_> = counts
                .iter()
                .map(|(code, count)| format!("{count} {code}"))
                .collect();
            counts.join(", ")
        };
        let [notes, warnings, errors] = self.left;
        let mut summary = match self.fixed.is_empty() {
            true => "fixed: nothing".to_owned(),
            false => format!("fixed: {}", list(&self.fixed)),
        };
        if !self.refused.is_empty() {
            let refused = list(&self.refused);
            summary += &format!("\nnot fixed, as other findings would appear: {refused}");
        }
        summary + &format!("\nleft: {errors} error, {warnings} warning, {notes} note")
    }
}

impl ChunkFix<'_> {
    fn fix(
        &self,
        chunk: &Chunk,
        notes: &ByteNotes,
        source: &Source,
        fixer: &mut GameFixer,
    ) -> FixedChunk {
        let checks = &*self.per_file.apply(self.checks, source);
        let repairing = &*self.per_file.apply(self.repairing, source);
        let old = chunk.bytes();
        let mut fixed = FixedChunk {
            is_changed: chunk.encoding() != Encoding::Bytes,
            is_lossy: !chunk.encoding().is_lossless(old, chunk.stored()),
            ..FixedChunk::default()
        };
        fixed.count_encoding(notes);
        let mut diffs = ChunkDiff::new(chunk, self.diffs);
        let mut at = 0;
        for text in chunk.games() {
            let start = text.chunk_offset;
            let end = start + text.bytes.len();
            // Games that are not chosen.
            fixed.text.extend_from_slice(&old[at..start]);
            diffs.add(at..start, &old[at..start]);
            at = end;
            let begin = fixed.text.len();
            if repairing.has(&codes::GAME_ON_SAME_LINE) && begins_within_line(chunk, &text) {
                let end = line_end(text.bytes).as_bytes();
                fixed.text.extend_from_slice(&[end, end].concat());
                fixed.counts.count(&codes::GAME_ON_SAME_LINE);
            }
            let status = self.game(&text, chunk.kind(), checks, repairing, fixer, &mut fixed);
            let findings = &mut Vec::new();
            let status = file::check(notes, &text, checks, status, findings);
            findings.retain(|finding| !FIXED_FOR_FILES.contains(&finding.rule));
            fixed.counts.leave(findings);
            fixed.counts.accounts.add(status);
            let new = &fixed.text[begin..];
            fixed.is_changed |= new != text.bytes;
            diffs.add(start..end, new);
        }
        fixed.text.extend_from_slice(&old[at..]);
        diffs.add(at..old.len(), &old[at..]);
        fixed.diffs = diffs.finish();
        fixed
    }

    /// Appends a repaired game, and counts what is left of its findings.
    fn game(
        &self,
        text: &GameText<'_>,
        kind: InputKind,
        checks: &Checks,
        repairing: &Checks,
        fixer: &mut GameFixer,
        fixed: &mut FixedChunk,
    ) -> GameStatus {
        let counts = &mut fixed.counts;
        if kind != InputKind::Pgn {
            let mut findings = Vec::new();
            let status = check_line(kind, text.bytes, checks, &mut findings);
            counts.leave(&findings);
            fixed.text.extend_from_slice(text.bytes);
            return status;
        }
        let game = fixer.fix(text, repairing);
        fixed
            .text
            .extend_from_slice(game.text.as_deref().unwrap_or(text.bytes));
        let is_left =
            game.is_unreadable || game.left.iter().any(|finding| checks.has(finding.rule));
        let status = match is_left {
            true => {
                let (status, findings) = fixer.status(text, &game, checks);
                counts.leave(&findings);
                status
            }
            false => GameStatus::Clean,
        };
        counts.add(FixCounts {
            fixed: game.fixed,
            refused: game.refused,
            ..FixCounts::default()
        });
        status
    }
}

/// Rules about whole files, of which each fixed text is rid.
const FIXED_FOR_FILES: [&codes::Rule; 3] = [
    &codes::UTF_16,
    &codes::CARRIAGE_RETURNS,
    &codes::GAME_ON_SAME_LINE,
];

impl FixCounts {
    fn count(&mut self, rule: &codes::Rule) {
        *self.fixed.entry(rule.code).or_default() += 1;
    }

    fn leave(&mut self, findings: &[Finding]) {
        for finding in findings {
            self.left[finding.severity as usize] += 1;
        }
    }
}

impl FixedChunk {
    /// Counts the conversion of a file, with its first chunk.
    fn count_encoding(&mut self, notes: &ByteNotes) {
        for anomaly in &notes.anomalies {
            match anomaly.kind {
                AnomalyKind::Utf16 { .. } => self.counts.count(&codes::UTF_16),
                AnomalyKind::CarriageReturns => self.counts.count(&codes::CARRIAGE_RETURNS),
                _ => {}
            }
        }
    }
}

/// Whether a game begins on the last line of another.
fn begins_within_line(chunk: &Chunk, game: &GameText<'_>) -> bool {
    let follows = match game.chunk_offset {
        0 => chunk.column() > 0,
        start => chunk.bytes()[start - 1] != b'\n',
    };
    let blank = game
        .bytes
        .iter()
        .take_while(|byte| byte.is_ascii_whitespace());
    follows && !blank.clone().any(|&byte| byte == b'\n')
}

/// Writes repaired games.
struct FixWriter {
    /// The file of `--write-fixed`.
    file: Option<Sink>,
    in_place: Option<InPlace>,
    diff: Option<DiffWriter>,
    /// Whether the games written so far end with a line.
    ends_line: bool,
    counts: FixCounts,
}

impl FixWriter {
    fn write(&mut self, part: Part<FixedChunk>, sink: &mut Sink) -> Result<(), Error> {
        let (fixed, source) = (part.value, &part.source);
        if fixed.is_lossy {
            let name = source.name();
            let reason = "its UTF-16 has characters that would be lost";
            return Err(Error::Usage(format!(
                "`--fix` cannot convert `{name}`: {reason}"
            )));
        }
        let begins = part.byte == Offset(0);
        if let Some(diff) = &mut self.diff {
            if begins {
                diff.begin(source.name());
            }
            for game in fixed.diffs {
                diff.write(game, sink)?;
            }
        }
        if let Some(in_place) = &mut self.in_place {
            if begins {
                in_place.begin(source)?;
            }
            in_place.write(&fixed.text, fixed.is_changed)?;
        } else if let Some(sink) = match self.diff {
            Some(_) => self.file.as_mut(),
            None => Some(self.file.as_mut().unwrap_or(sink)),
        } {
            if begins && !std::mem::replace(&mut self.ends_line, true) {
                sink.write(b"\n")?;
            }
            sink.write(&fixed.text)?;
            self.ends_line = fixed.text.ends_with(b"\n");
        }
        self.counts.add(fixed.counts);
        Ok(())
    }

    /// Ends a source.
    fn end(&mut self, is_whole: bool, sink: &mut Sink) -> Result<(), Error> {
        if let Some(diff) = &mut self.diff {
            diff.end(sink)?;
        }
        match &mut self.in_place {
            Some(in_place) => in_place.end(is_whole),
            None => Ok(()),
        }
    }
}

/// Runs the repairs.
pub(crate) fn run(
    args: &FixArgs,
    mut run: CommandRun,
    settings: &Settings,
    reader: impl Fn() -> Reader + Sync,
    color: Toggle,
) -> Result<Outcome, Error> {
    if args.in_place {
        in_place::refuse(run.sources())?;
    }
    if args.writes_files() && !args.diff && run.output.sink.file().is_some() {
        return Err(Error::usage(
            "with `--write-fixed` or `--in-place`, only `--diff` writes to `--output`",
        ));
    }
    let sink = &run.output.sink;
    let paints = color.paints(sink.is_terminal());
    let bar = || run.output.bar.clone();
    let file = args.write_fixed.as_deref();
    let mut writer = FixWriter {
        file: file.map(|file| Sink::open(Some(file), bar())).transpose()?,
        in_place: args.in_place.then(InPlace::default),
        diff: args.diff.then(|| DiffWriter::new(paints)),
        ends_line: true,
        counts: FixCounts::default(),
    };
    let work = ChunkFix {
        checks: &settings.checks,
        repairing: &settings.repairing,
        per_file: &settings.per_file,
        diffs: args.diff,
    };
    run.work_through(
        || GameFixer::new(reader(), args.fix_suggestions, args.keep_original),
        |fixer, source, chunk, notes| work.fix(chunk, notes, source, fixer),
        FixedChunk::weight,
        |sink, _, item| match item {
            Item::Part(part) => writer.write(part, sink),
            Item::End(end) => writer.end(end.error.is_none(), sink),
        },
    )?;
    let accounts = writer.counts.accounts;
    let failed = codes::Severity::ALL.into_iter().any(|severity| {
        writer.counts.left[severity as usize] > 0 && fails(settings.fail_on, severity)
    });
    let mut summary = writer.counts.summary();
    if let Some(in_place) = &writer.in_place {
        summary += &in_place.summary();
    }
    if let Some(mut file) = writer.file
        && accounts.has_readable()
        && !run.is_interrupted()
    {
        file.finish()?;
    }
    run.close(accounts, failed, Some(&summary))
}
