//! Checking of chunks on the worker threads.

use crate::commands::accounts::Accounts;
use crate::commands::split::{Rejection, SplitBy, SplitPiece};
use crate::commands::validate::cross_check::cross_check;
use crate::commands::validate::duplicates::FoundDuplicates;
use crate::commands::validate::formats::{fails, title};
use crate::commands::validate::settings::Settings;
use crate::commands::validate::worker::Worker;
use crate::findings;
use crate::findings::registry::{Family, UNREADABLE_GAME};
use crate::findings::{Checks, Finding, GameStatus, Repair, file};
use crate::input::{ByteNotes, Chunk, GameText, InputKind, Offset, Source};

/// The findings of one chunk.
#[derive(Default)]
pub(crate) struct CheckedChunk {
    /// The games, if anything was found in them or they are split.
    pub(crate) chunk: Option<Chunk>,
    /// The games with findings, in order.
    pub(crate) found: Vec<GameFindings>,
    pub(crate) accounts: Accounts,
    /// The chosen games for the split.
    pub(crate) pieces: Vec<SplitPiece>,
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
    }
}

/// The checks of a chunk.
#[derive(Clone, Copy)]
pub(crate) struct ChunkCheck<'a> {
    pub(crate) settings: &'a Settings,
    /// Duplicates, if they have been looked for.
    pub(crate) known: Option<&'a FoundDuplicates>,
    /// Whether the games are split into clean and rejected ones.
    pub(crate) splits: bool,
    /// Keys of the files of the split.
    pub(crate) split_by: Option<&'a SplitBy>,
    /// Whether the format names games by their players.
    pub(crate) names_games: bool,
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
        let mut games = chunk.games().enumerate().peekable();
        let mut before = &[][..];
        while let Some((nth, text)) = games.next() {
            let keys = self.split_by.map(|by| {
                let game = text.read_tags(&mut worker.reader, None);
                by.keys(|name| Some(game.tag(text.bytes, name)?.text(text.bytes)))
            });
            let status = self.check_game(&text, notes, source, checks, worker);
            let findings = &mut worker.findings;
            let game = (chunk.kind == InputKind::Pgn).then(|| worker.reader.game());
            if text.chunk_offset < chunk.lead {
                // The finding at the beginning stands for all text before the first game.
                let begins = text.origin.byte == Offset(0);
                findings.retain(|finding| begins && finding.rule == &UNREADABLE_GAME);
            }
            checked.accounts.add(status);
            if self.splits {
                let rejection = self.rejection(source, &text, checks, status, findings);
                let piece = SplitPiece::new(&text);
                let is_cut_off = piece.text.end == chunk.bytes().len() && notes.is_cut_off;
                checked.pieces.push(SplitPiece {
                    rejection: rejection.or(is_cut_off.then_some(Rejection::Faulty)),
                    keys: keys.unwrap_or_default(),
                    ..piece
                });
            }
            if !findings.is_empty() {
                let findings = std::mem::take(findings);
                let after = games.peek().map_or(&[][..], |(_, next)| next.bytes);
                checked.found.push(GameFindings {
                    nth,
                    repairs: worker.fixer.as_mut().map_or(Vec::new(), |fixer| {
                        let repairing = &self.settings.repairing;
                        let repairing = self.settings.per_file.apply(repairing, source);
                        fixer.repairs_in(chunk, [before, after], &text, &repairing, &findings)
                    }),
                    title: (self.names_games || worker.pass.follows())
                        .then(|| title(game, text.bytes)),
                    findings,
                });
            }
            before = text.bytes;
        }
        if self.splits || !checked.found.is_empty() {
            checked.chunk = Some(chunk.clone());
        }
        checked
    }

    /// Finds what there is to report about a game.
    pub(crate) fn check_game(
        &self,
        text: &GameText<'_>,
        notes: &ByteNotes,
        source: &Source,
        checks: &Checks,
        worker: &mut Worker,
    ) -> GameStatus {
        let Some(known) = self.known else {
            return check_alone(text, notes, source, checks, worker);
        };
        let status = match known.checked(source, text) {
            Some((status, found)) => {
                worker.findings.extend_from_slice(found);
                if self.names_games && !found.is_empty() {
                    text.read(&mut worker.reader);
                }
                status
            }
            None => check_alone(text, notes, source, checks, worker),
        };
        let Worker {
            reader, findings, ..
        } = worker;
        let before = findings.len();
        known.check(text, source, reader, checks, findings);
        status_with_added(status, before, findings)
    }

    /// Why a game is not among the clean ones.
    fn rejection(
        &self,
        source: &Source,
        text: &GameText<'_>,
        checks: &Checks,
        status: GameStatus,
        findings: &[Finding],
    ) -> Option<Rejection> {
        let Settings { fail_on, .. } = *self.settings;
        let is_double =
            (self.known).is_some_and(|known| known.rejects(source, text, checks, fail_on));
        if is_double {
            return Some(Rejection::Duplicate);
        }
        let is_faulty = self.settings.rejects_faulty && self.is_faulty(status, findings);
        is_faulty.then_some(Rejection::Faulty)
    }

    /// Whether a game is rejected if faulty ones are. Findings about a whole file reject no game,
    /// and those about duplicates are decided by [`FoundDuplicates::rejects`].
    pub(crate) fn is_faulty(&self, status: GameStatus, findings: &[Finding]) -> bool {
        let rejects = |finding: &Finding| {
            let rule = finding.rule;
            !rule.is_once_per_file
                && rule.family != Family::Duplicates
                && fails(self.settings.fail_on, finding.severity)
        };
        status == GameStatus::Unreadable || findings.iter().any(rejects)
    }
}

/// Findings about a single game, without duplicates.
fn check_alone(
    text: &GameText<'_>,
    notes: &ByteNotes,
    source: &Source,
    checks: &Checks,
    worker: &mut Worker,
) -> GameStatus {
    let Worker {
        reader, findings, ..
    } = worker;
    let mut difference = None;
    let status = match source.kind {
        InputKind::Pgn => {
            difference = cross_check(reader, text, checks);
            let game = text.read(reader);
            let (bytes, initial) = (text.bytes, &worker.initial);
            let repeated = &mut worker.repetitions;
            let status = findings::check_with(game, bytes, initial, checks, findings, repeated);
            worker.pass.keep_final(text, game, findings, status)
        }
        kind => findings::check_line(kind, text.bytes, checks, findings),
    };
    let status = file::check(notes, text, checks, status, findings);
    let before = findings.len();
    if status != GameStatus::Unreadable {
        findings.extend(difference);
    }
    status_with_added(status, before, findings)
}

/// The status of a game after findings were added to the first `before`; puts all in order.
fn status_with_added(status: GameStatus, before: usize, findings: &mut [Finding]) -> GameStatus {
    if findings.len() == before {
        return status;
    }
    findings.sort_by_key(|finding| finding.span);
    match status {
        GameStatus::Clean => GameStatus::WithFindings,
        status => status,
    }
}
