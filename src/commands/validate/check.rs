//! Checking of chunks on the worker threads.

use fixedbitset::FixedBitSet;

use crate::commands::accounts::Accounts;
use crate::commands::validate::again::{GamesAgain, Worker};
use crate::commands::validate::duplicates::{
    ChunkKeys, FoundDuplicates, key_of_line, place_of, push_key,
};
use crate::commands::validate::fix::GameFixer;
use crate::commands::validate::formats::{fails, title};
use crate::commands::validate::joined_texts::trailing_blanks;
use crate::commands::validate::settings::Settings;
use crate::commands::validate::split::{Piece, Rejection};
use crate::findings;
use crate::findings::cross_check::cross_check;
use crate::findings::registry::{Family, GAME_ON_SAME_LINE};
use crate::findings::{Checks, Edit, Finding, GameStatus, Repair, file, line_end, not_pgn};
use crate::input::{ByteNotes, Chunk, GameText, InputKind, Offset, Source};
use crate::pgn::Span;
use crate::replay::{GameKey, LineHash, Reader};

/// The findings of one chunk.
#[derive(Default)]
pub(crate) struct CheckedChunk {
    /// The games, if anything was found in them or they are split.
    pub(crate) chunk: Option<Chunk>,
    /// The games with findings, in order.
    pub(crate) found: Vec<GameFindings>,
    pub(crate) accounts: Accounts,
    /// The games before the first certain one, if that is looked for.
    pub(crate) lead: Option<Lead>,
    /// The chosen games for the split.
    pub(crate) pieces: Vec<Piece>,
    /// The games as others are compared with them.
    pub(crate) keys: ChunkKeys,
    /// Number of games whose only findings are about duplicates, found after the others.
    pub(crate) not_clean: u64,
}

/// The findings of one game.
pub(crate) struct GameFindings {
    /// Index among the chosen games of the chunk.
    pub(crate) nth: usize,
    /// A name of the game, if the format needs it.
    pub(crate) title: Option<String>,
    pub(crate) findings: Vec<Finding>,
    /// The repair of each finding, if the format has them.
    pub(crate) repairs: Vec<Option<Box<Repair>>>,
}

/// The games of a chunk before its first certain one, all unreadable.
#[derive(Default)]
pub(crate) struct Lead {
    /// Number of those with findings.
    pub(crate) found: usize,
    /// The finding in place of all others if the file is not PGN, and if only its beginning is not.
    /// Present at the beginning of a file.
    pub(crate) verdicts: Option<[Option<Finding>; 2]>,
    /// Offset of the first certain game.
    pub(crate) game: Option<Offset>,
}

impl CheckedChunk {
    /// Memory held, in bytes.
    pub(crate) fn weight(&self) -> usize {
        /// A finding with its texts.
        const FINDING: usize = 2 * size_of::<Finding>();
        let text = self.chunk.as_ref().map_or(0, |chunk| chunk.bytes().len());
        let findings = self.found.iter().map(|game| {
            let edits = game.repairs.iter().flatten();
            game.findings.len() + edits.map(|repair| repair.edits.len()).sum::<usize>()
        });
        text + findings.sum::<usize>() * FINDING
            + self.keys.capacity() * size_of::<(GameKey, bool)>()
    }
}

/// The checks of a chunk.
#[derive(Clone, Copy)]
pub(crate) struct ChunkCheck<'a> {
    pub(crate) settings: &'a Settings,
    pub(crate) pass: Pass<'a>,
    /// Whether no games are left out, so that a file without any is not PGN.
    pub(crate) all_games: bool,
    /// Whether the games are split into clean and rejected ones.
    pub(crate) splits: bool,
    /// Whether the format names games by their players, and has all findings of a file together.
    pub(crate) by_file: bool,
}

/// Purpose of a pass over the games.
#[derive(Clone, Copy)]
pub(crate) enum Pass<'a> {
    /// To report the findings of each.
    Check,
    /// To compare them with each other as well.
    Compare,
    /// To compare them before they are split or reported: clean are those that are not rejected.
    CompareFirst,
    /// To report the findings, when duplicates are known.
    Known(&'a FoundDuplicates),
}

impl ChunkCheck<'_> {
    /// Checks the games of a chunk.
    pub(crate) fn check(
        &self,
        chunk: &Chunk,
        notes: &ByteNotes,
        source: &Source,
        worker: &mut Worker,
    ) -> CheckedChunk {
        let checks = &*self.settings.checks_of(source);
        let mut checked = CheckedChunk::default();
        let looks_for_game = self.all_games && chunk.kind == InputKind::Pgn;
        checked.lead = looks_for_game.then(Lead::default);
        for (nth, text) in chunk.games().enumerate() {
            let mut line = LineHash::default();
            let status = self.check_game(&text, notes, source, checks, worker, &mut line);
            let findings = &mut worker.findings;
            let game = (chunk.kind == InputKind::Pgn).then(|| worker.reader.game());
            let lead = checked.lead.as_mut().filter(|lead| lead.game.is_none());
            let is_game = status != GameStatus::Unreadable;
            if let Some(lead) = lead {
                if is_game {
                    lead.game = Some(text.origin.byte);
                } else {
                    lead.found += usize::from(!findings.is_empty());
                    if text.origin.byte.0 == 0 {
                        let verdicts = |game| not_pgn::findings(game, text.bytes, checks);
                        lead.verdicts = game.map(verdicts);
                    }
                }
            }
            checked.accounts.add(status);
            let rejection = self.rejection(source, &text, checks, is_game, findings);
            let is_clean = match self.pass {
                Pass::CompareFirst => rejection.is_none(),
                _ => status == GameStatus::Clean,
            };
            let key = match game {
                _ if !self.hashes() || !is_game => None,
                Some(game) => Some(GameKey::new(game, text.bytes, &line, &mut worker.players)),
                None => key_of_line(chunk.kind, text.bytes),
            };
            if !matches!(self.pass, Pass::Check) {
                push_key(&mut checked.keys, chunk, &text, key, is_clean);
            }
            if self.splits {
                let is_last = text.chunk_offset + text.bytes.len() == chunk.bytes().len();
                let is_cut_off = is_last && notes.is_cut_off;
                let rejection = rejection.or(is_cut_off.then_some(Rejection::Faulty));
                checked.pieces.push(Piece::new(&text, rejection));
            }
            if !findings.is_empty() {
                let findings = std::mem::take(findings);
                checked.found.push(GameFindings {
                    nth,
                    repairs: self.repairs(nth, &text, chunk, source, &mut worker.fixer, &findings),
                    title: (self.by_file || worker.pass.follows()).then(|| title(game, text.bytes)),
                    findings,
                });
            }
        }
        let is_report = !matches!(self.pass, Pass::CompareFirst);
        if is_report && (self.splits || !checked.found.is_empty()) {
            checked.chunk = Some(chunk.clone());
        }
        checked
    }

    /// The repair of each finding of the `nth` game of a chunk, if the format has them.
    fn repairs(
        &self,
        nth: usize,
        text: &GameText<'_>,
        chunk: &Chunk,
        source: &Source,
        fixer: &mut Option<GameFixer>,
        findings: &[Finding],
    ) -> Vec<Option<Box<Repair>>> {
        let Some(fixer) = fixer else {
            return Vec::new();
        };
        let settings = self.settings;
        let checks = settings.per_file.apply(&settings.repairing, source);
        let mut repairs = match chunk.kind {
            InputKind::Pgn => {
                let game = |nth| chunk.games().nth(nth).map_or(&[][..], |game| game.bytes);
                let neighbours = [nth.checked_sub(1).map_or(&[][..], game), game(nth + 1)];
                fixer.repairs(text, neighbours, &checks, findings)
            }
            _ => (findings.iter().map(|finding| finding.repair.clone())).collect(),
        };
        let same_line = |finding: &Finding| finding.rule == &GAME_ON_SAME_LINE;
        if let Some(nth) = findings.iter().position(same_line) {
            let end = text.bytes.len();
            let start = end - trailing_blanks(text.bytes);
            let lines = match text.bytes.contains(&b'\n') {
                true => text.bytes,
                false => chunk.bytes(),
            };
            let edit = Edit::new(Span::new(start, end), line_end(lines).repeat(2));
            repairs[nth] = Repair::new(vec![edit], true);
        }
        repairs
    }

    /// Whether the moves of the games are hashed.
    fn hashes(&self) -> bool {
        matches!(self.pass, Pass::Compare | Pass::CompareFirst)
    }

    /// Finds what there is to report about a game, and hashes its moves if asked for.
    fn check_game(
        &self,
        text: &GameText<'_>,
        notes: &ByteNotes,
        source: &Source,
        checks: &Checks,
        worker: &mut Worker,
        line: &mut LineHash,
    ) -> GameStatus {
        let Worker {
            reader, findings, ..
        } = worker;
        let mut difference = None;
        let status = match source.kind {
            InputKind::Pgn => {
                difference = cross_check(reader, text, checks);
                let game = text.read(reader);
                let line = self.hashes().then_some(line);
                let (bytes, initial) = (text.bytes, &worker.initial);
                let repeated = &mut worker.repetitions;
                let status =
                    findings::check_hashing(game, bytes, initial, checks, findings, repeated, line);
                worker.pass.keep_final(text, game, findings, status)
            }
            kind => findings::check_line(kind, text.bytes, checks, findings),
        };
        let status = file::check(notes, text, checks, status, findings);
        let before = findings.len();
        if status != GameStatus::Unreadable {
            findings.extend(difference);
        }
        if self.by_file
            && let Pass::Known(known) = self.pass
            && let Some(index) = known.texts.index(source, text.origin.game)
        {
            let place = place_of(source.kind, reader.game(), text.bytes);
            known.check(index, source, place, checks, findings);
        }
        if findings.len() == before {
            return status;
        }
        findings.sort_by_key(|finding| finding.span);
        match status {
            GameStatus::Clean => GameStatus::WithFindings,
            status => status,
        }
    }

    /// Why a game is not among the clean ones. Findings about a whole file reject no game, and
    /// those about duplicates are decided by [`FoundDuplicates::rejects`].
    fn rejection(
        &self,
        source: &Source,
        text: &GameText<'_>,
        checks: &Checks,
        is_game: bool,
        findings: &[Finding],
    ) -> Option<Rejection> {
        let settings = self.settings;
        if let Pass::Known(known) = self.pass
            && let Some(index) = known.texts.index(source, text.origin.game)
            && known.rejects(index, checks, settings.fail_on)
        {
            return Some(Rejection::Duplicate);
        }
        let rejects = |finding: &Finding| {
            let rule = finding.rule;
            !rule.is_once_per_file
                && rule.family != Family::Duplicates
                && fails(settings.fail_on, finding.severity)
        };
        let is_judged = settings.rejects_faulty || matches!(self.pass, Pass::CompareFirst);
        (is_judged && (!is_game || findings.iter().any(rejects))).then_some(Rejection::Faulty)
    }

    /// The findings about duplicates among games that are read again, given those about which
    /// nothing else is reported.
    pub(crate) fn check_again(
        &self,
        found: &FoundDuplicates,
        clean: &FixedBitSet,
        again: &GamesAgain<'_>,
        reader: &mut Reader,
    ) -> CheckedChunk {
        let GamesAgain { source, chunk, .. } = *again;
        let checks = &*self.settings.checks_of(source);
        let mut checked = CheckedChunk::default();
        for (nth, (index, text)) in again.games.iter().enumerate() {
            if source.kind == InputKind::Pgn {
                text.read(reader);
            }
            let place = place_of(source.kind, reader.game(), text.bytes);
            let mut findings = Vec::new();
            found.check(*index, source, place, checks, &mut findings);
            if !findings.is_empty() {
                checked.not_clean += u64::from(clean.contains(*index as usize));
                checked.found.push(GameFindings {
                    nth,
                    title: None,
                    findings,
                    repairs: Vec::new(),
                });
            }
        }
        checked.chunk = Some(chunk.clone());
        checked
    }
}
