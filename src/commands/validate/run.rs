//! Checking of chunks on the worker threads.

use crate::chess::Position;
use crate::commands::args::GameArgs;
use crate::commands::validate::again::GamesAgain;
use crate::commands::validate::baseline::{BaselineEntry, HashedText};
use crate::commands::validate::duplicates::{
    self, BitSet, ChunkKeys, FoundDuplicates, Keep, SecondPass, key_of_line,
};
use crate::commands::validate::formats::{FindingFormat, FindingItem, fails, title};
use crate::commands::validate::limits::Limits;
use crate::commands::validate::opening::{CheckedChunk, EmittedFinding, Lead};
use crate::commands::validate::settings::PerFileIgnores;
use crate::commands::validate::split::{Piece, Pieces, Rejection};
use crate::commands::validate::tally::{Place, Tallied};
use crate::error::Error;
use crate::findings;
use crate::findings::cross_check::cross_check;
use crate::findings::registry::{Family, Fix, Rule, Severity, WRONG_MOVE_NUMBER};
use crate::findings::report::Lines;
use crate::findings::{Checks, Finding, GameStatus, file, not_pgn};
use crate::input::{ByteNotes, Chunk, GameText, InputKind, Offset, Source};
use crate::pgn::Game;
use crate::pipeline::{Item, SourceEnd};
use crate::replay::{GameKey, LineHash, PlayerHashes, Reader};
use crate::report::Buffer;

/// The checks of a chunk.
#[derive(Clone, Copy)]
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
    /// Whether the games are split into clean and rejected ones.
    pub(crate) splits: bool,
    /// Whether findings reject games, not duplicates alone.
    pub(crate) rejects_faulty: bool,
    /// Least severity that rejects a game then.
    pub(crate) fail_on: Option<Severity>,
    /// Maximum number of findings of a chunk that may be shown, if it is known.
    pub(crate) most: Option<u64>,
    pub(crate) limits: &'a Limits,
    /// Whether no games are left out, so that a file without any is not PGN.
    pub(crate) all_games: bool,
    /// Whether games are compared with each other.
    pub(crate) compares: bool,
    /// Whether the games are only read to find the duplicates before the split.
    pub(crate) precedes_split: bool,
    /// Duplicates that are known before the games are checked.
    pub(crate) known: Option<&'a FoundDuplicates>,
    /// Whether these are reported with the other findings of their games.
    pub(crate) duplicates_with_others: bool,
}

/// Per-worker state.
pub(crate) struct CheckBuffers {
    reader: Reader,
    findings: Vec<Finding>,
    initial: Position,
    players: PlayerHashes,
    /// Text of the findings of a chunk.
    out: Buffer,
}

impl CheckBuffers {
    pub(crate) fn new(reader: Reader) -> CheckBuffers {
        CheckBuffers {
            reader,
            findings: Vec::new(),
            initial: Position::initial(),
            players: PlayerHashes::default(),
            out: Buffer::default(),
        }
    }

    /// The games of a chunk as others are compared with them, without a check.
    fn keys(&mut self, chunk: &Chunk, null_moves: bool) -> ChunkKeys {
        let mut keys = ChunkKeys::new();
        for text in chunk.games() {
            let key = if chunk.kind() == InputKind::Pgn {
                let game = self.reader.read(text.bytes, text.unclosed_comment);
                let initial = &self.initial;
                (!game.is_unreadable(text.bytes)).then(|| {
                    let line =
                        LineHash::of_each_move(game, text.bytes, initial, null_moves, |_| {});
                    GameKey::new(game, text.bytes, &line, &mut self.players)
                })
            } else {
                key_of_line(chunk.kind(), text.bytes)
            };
            push_key(&mut keys, chunk, &text, key, false);
        }
        keys
    }
}

/// Adds the key of a game to those of its chunk. Games before it that are not there are skipped.
fn push_key(
    keys: &mut ChunkKeys,
    chunk: &Chunk,
    text: &GameText<'_>,
    key: Option<GameKey>,
    is_clean: bool,
) {
    let nth = (text.origin.game.0 - chunk.first_game().0) as usize;
    keys.resize(nth, (GameKey::default(), false));
    keys.push((key.unwrap_or_default(), is_clean));
}

/// Whether a finding rejects its game. Findings about a whole file do not, and those about
/// duplicates are decided by [`FoundDuplicates::rejects`].
fn rejects(fail_on: Option<Severity>, rule: &Rule, severity: Severity) -> bool {
    !rule.is_once_per_file && rule.family != Family::Duplicates && fails(fail_on, severity)
}

impl ChunkCheck<'_> {
    /// Finds the duplicates before the games are checked, if the split or the format needs them.
    /// With `keep`, of several games those are kept first that no finding rejects.
    pub(crate) fn find_duplicates(
        &self,
        args: &GameArgs,
        keep: Option<Keep>,
        pass: &SecondPass<'_>,
    ) -> Result<Option<FoundDuplicates>, Error> {
        if !self.compares || !self.splits && !self.duplicates_with_others {
            return Ok(None);
        }
        let work = ChunkCheck {
            entries: false,
            most: Some(0),
            precedes_split: true,
            rejects_faulty: true,
            ..*self
        };
        let state = || CheckBuffers::new((pass.reader)());
        let first = pass.first(args, state, |buffers, source, chunk, notes| match keep {
            Some(_) => work.check(chunk, notes, source, buffers).games,
            None => buffers.keys(chunk, pass.null_moves),
        })?;
        first.find(self.checks, keep, pass).map(Some)
    }

    /// Reads the duplicates again and reports them.
    pub(crate) fn report_duplicates(
        &self,
        found: &FoundDuplicates,
        clean: &BitSet,
        pass: &SecondPass<'_>,
        mut emit: impl FnMut(Item<CheckedChunk>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        pass.report(
            found,
            || CheckBuffers::new((pass.reader)()),
            |buffers, again| self.report_games(found, clean, again, buffers),
            CheckedChunk::weight,
            |item| match item {
                // It has been reported.
                Item::End(end) => emit(Item::End(SourceEnd { error: None, ..end })),
                part => emit(part),
            },
        )
    }

    /// Writes the findings about duplicates among games that are read again.
    fn report_games(
        &self,
        found: &FoundDuplicates,
        clean: &BitSet,
        again: GamesAgain<'_>,
        buffers: &mut CheckBuffers,
    ) -> CheckedChunk {
        let checks = &*self.per_file.apply(self.checks, again.source);
        let lines = Lines::new(again.chunk);
        let mut writer = self.writer(again.source, lines, &mut buffers.out);
        for (index, text) in again.games {
            let (reader, findings) = (&mut buffers.reader, &mut buffers.findings);
            let place = match again.source.kind() {
                InputKind::Pgn => {
                    if duplicates::white(reader.read_tags(text.bytes)).is_none() {
                        reader.read(text.bytes, text.unclosed_comment);
                    }
                    duplicates::place_of(reader.game())
                }
                kind => findings::place_of_line(kind, text.bytes),
            };
            found.check(index, again.source, place, checks, findings);
            if !findings.is_empty() {
                writer.checked.not_clean += u64::from(clean.contains(index));
                writer.write(&text, None, findings.drain(..));
            }
        }
        writer.take()
    }

    /// Number of further findings of a chunk that may be shown.
    fn room(&self) -> u64 {
        match self.limits.is_full() {
            true => 0,
            false => self.most.unwrap_or(u64::MAX),
        }
    }

    fn writer<'a>(
        &'a self,
        source: &'a Source,
        lines: Lines<'a>,
        out: &'a mut Buffer,
    ) -> FindingWriter<'a> {
        FindingWriter {
            check: self,
            source,
            is_full: self.limits.is_full(),
            room: self.room(),
            lines,
            out,
            checked: CheckedChunk::default(),
            pieces: Vec::new(),
        }
    }

    /// Checks the games of a chunk and writes what is found.
    pub(crate) fn check(
        &self,
        chunk: &Chunk,
        notes: &ByteNotes,
        source: &Source,
        buffers: &mut CheckBuffers,
    ) -> CheckedChunk {
        let checks = &*self.per_file.apply(self.checks, source);
        let mut writer = self.writer(source, Lines::new(chunk), &mut buffers.out);
        let is_full = writer.is_full;
        let mut lead = None;
        let mut verdicts = None;
        let mut in_lead = self.all_games && chunk.kind() == InputKind::Pgn;
        let mut games = ChunkKeys::new();
        for text in chunk.games() {
            let mut game: Option<&Game> = None;
            let findings = &mut buffers.findings;
            let title =
                |game| (self.format_needs_title && !is_full).then(|| title(game, text.bytes));
            let mut line = (self.compares && self.known.is_none()).then(LineHash::default);
            let mut difference = None;
            let status = match chunk.kind() {
                InputKind::Pgn => {
                    difference = cross_check(&mut buffers.reader, &text, checks);
                    let game = game.insert(buffers.reader.read(text.bytes, text.unclosed_comment));
                    let (line, initial) = (line.as_mut(), &buffers.initial);
                    findings::check_hashing(game, text.bytes, initial, checks, findings, line)
                }
                kind => findings::check_line(kind, text.bytes, checks, findings),
            };
            let mut status = file::check(notes, &text, checks, status, findings);
            let before = findings.len();
            if status != GameStatus::Unreadable {
                findings.extend(difference);
            }
            if self.duplicates_with_others
                && let Some(known) = self.known
                && let Some(index) = known.index(source, text.origin.game)
            {
                let place = match game {
                    Some(game) => duplicates::place_of(game),
                    None => findings::place_of_line(chunk.kind(), text.bytes),
                };
                known.check(index, source, place, checks, findings);
            }
            if findings.len() > before {
                findings.sort_by_key(|finding| finding.span);
                if status == GameStatus::Clean {
                    status = GameStatus::WithFindings;
                }
            }
            if in_lead && let Some(game) = game {
                in_lead = game.is_unreadable(text.bytes);
                if !in_lead {
                    lead = writer.lead(chunk, &mut verdicts, Some(text.origin.byte));
                } else if text.origin.byte.0 == 0 {
                    let found = not_pgn::findings(game, text.bytes, checks);
                    let title = title(Some(game));
                    verdicts = Some(found.map(|one| writer.alone(&text, title.as_deref(), one)));
                }
            }
            writer.checked.accounts.add(status);
            if self.compares {
                let line = line.filter(|_| status != GameStatus::Unreadable);
                let players = &mut buffers.players;
                let key = line.and_then(|line| match game {
                    Some(game) => Some(GameKey::new(game, text.bytes, &line, players)),
                    None => key_of_line(chunk.kind(), text.bytes),
                });
                let is_clean = status == GameStatus::Clean;
                push_key(&mut games, chunk, &text, key, is_clean);
            }
            if self.splits {
                let mut piece = Piece::of(&text);
                let number = text.origin.game;
                let rejects = |found: &FoundDuplicates| {
                    let index = found.index(source, number);
                    index.is_some_and(|index| found.rejects(index, checks, self.fail_on))
                };
                let is_game = !in_lead && status != GameStatus::Unreadable;
                if self.known.is_some_and(rejects) {
                    piece.reject(Rejection::Duplicate);
                } else if !is_game && self.rejects_faulty {
                    piece.reject(Rejection::Faulty);
                }
                writer.pieces.push(piece);
            }
            if !buffers.findings.is_empty() {
                writer.write(&text, title(game).as_deref(), buffers.findings.drain(..));
            }
            if self.precedes_split
                && let (Some((_, is_clean)), Some(piece)) = (games.last_mut(), writer.pieces.last())
            {
                *is_clean = !piece.is_rejected();
            }
        }
        if in_lead {
            lead = writer.lead(chunk, &mut verdicts, None);
        }
        CheckedChunk {
            lead,
            pieces: (self.splits && !self.precedes_split)
                .then(|| Pieces::of(chunk, notes, &writer.pieces)),
            games,
            ..writer.take()
        }
    }
}

/// Writes the findings of a chunk.
struct FindingWriter<'a> {
    check: &'a ChunkCheck<'a>,
    source: &'a Source,
    /// Whether no finding is shown any more.
    is_full: bool,
    /// Number of further findings that may be shown.
    room: u64,
    lines: Lines<'a>,
    out: &'a mut Buffer,
    checked: CheckedChunk,
    /// The games of the chunk for the split.
    pieces: Vec<Piece>,
}

impl FindingWriter<'_> {
    /// Writes the findings of a game.
    fn write(
        &mut self,
        text: &GameText<'_>,
        title: Option<&str>,
        findings: impl Iterator<Item = Finding>,
    ) {
        let check = self.check;
        let keeps_all = check.fingerprints || check.entries;
        let format_needs = check.format_needs_fingerprint && !self.is_full;
        let mut normal = (keeps_all || format_needs).then(|| HashedText::new(text.bytes));
        // The first wrong number has the edits of all.
        let mut numbers = Fix::Never;
        for finding in findings {
            let (severity, rule) = (finding.severity, finding.rule);
            let mut fix = finding.fix();
            if rule == &WRONG_MOVE_NUMBER {
                fix = if fix == Fix::Never { numbers } else { fix };
                numbers = fix;
            }
            let is_emitted = self.room > 0 && !check.limits.is_code_full(rule, severity);
            self.room = self.room.saturating_sub(1);
            let game = text.origin.game;
            if let Some(piece) = self.pieces.last_mut()
                && check.rejects_faulty
                && rejects(check.fail_on, rule, severity)
            {
                piece.reject(Rejection::Faulty);
            }
            if !is_emitted && !keeps_all {
                let mut more = self.checked.more.iter_mut();
                let same = |more: &&mut Tallied| (more.rule, more.severity) == (rule, severity);
                if let Some(more) = more.find(same) {
                    more.add(game, fix);
                    continue;
                }
            }
            let fingerprint = normal.as_mut().map(|normal| normal.fingerprint(&finding));
            let entry = fingerprint
                .filter(|_| check.entries)
                .map(|fingerprint| BaselineEntry::new(self.source.name(), &finding, fingerprint));
            let report = self.lines.report(text, finding);
            let place = Place {
                game,
                line: report.line,
                column: report.column,
            };
            if !is_emitted && !keeps_all {
                self.checked
                    .more
                    .push(Tallied::one(rule, severity, place, fix));
                continue;
            }
            let start = self.out.len();
            if is_emitted {
                let item = FindingItem {
                    source: self.source,
                    report: &report,
                    fingerprint: fingerprint.as_ref(),
                    title,
                };
                check.format.item(self.out, item);
            }
            self.checked.found.push(EmittedFinding {
                range: start..self.out.len(),
                severity,
                rule,
                place,
                fix,
                fingerprint,
                entry,
            });
        }
    }

    /// The findings written so far.
    fn take(&mut self) -> CheckedChunk {
        let mut checked = std::mem::take(&mut self.checked);
        // The text waits for its turn, without the unused room of the buffer.
        checked.text = self.out.as_bytes().to_vec();
        self.out.clear();
        checked
    }

    /// A finding about the first game in place of all others, before any other is written.
    fn alone(
        &mut self,
        text: &GameText<'_>,
        title: Option<&str>,
        finding: Option<Finding>,
    ) -> CheckedChunk {
        let room = std::mem::replace(&mut self.room, u64::from(!self.is_full));
        self.write(text, title, finding.into_iter());
        self.room = room;
        self.take()
    }

    /// The findings written so far, before the first certain game of the chunk, if there are any
    /// games before it.
    fn lead(
        &mut self,
        chunk: &Chunk,
        verdicts: &mut Option<[CheckedChunk; 2]>,
        game: Option<Offset>,
    ) -> Option<Box<Lead>> {
        (self.checked.accounts.seen() > 0).then(|| {
            // Findings of the lead may not be shown, and then take no room.
            self.room = self.check.room();
            Box::new(Lead {
                begin: chunk.byte(),
                checked: self.take(),
                verdicts: verdicts.take(),
                game,
            })
        })
    }
}
