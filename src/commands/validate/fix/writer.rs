//! Repaired games in input order. An input that cannot be repaired is left as it is.

use std::fmt::Display;

use crate::commands::accounts::Accounts;
use crate::commands::validate::fix::chunk::{FixCounts, FixedChunk};
use crate::commands::validate::fix::diff::DiffWriter;
use crate::commands::validate::fix::held::HeldOutput;
use crate::commands::validate::fix::in_place::InPlace;
use crate::commands::validate::joined_texts::{Encodings, NonAscii, missing_line_ends};
use crate::error::Error;
use crate::findings::registry::{Rule, Severity};
use crate::input::{BYTE_ORDER_MARK, InputKind, Offset};
use crate::pipeline::{Part, SourceEnd};
use crate::report::{Log, Sink};

/// Beginning of a text in which its first line end is looked for, in bytes. It bounds the chunks
/// that wait for it.
const LONGEST_LINE: u64 = 64 << 10;

/// Writes repaired games.
pub(crate) struct FixWriter {
    /// The file of `--write-fixed`.
    pub(crate) file: Option<Sink>,
    pub(crate) in_place: Option<InPlace>,
    pub(crate) diff: Option<DiffWriter>,
    /// Whether all games are chosen, so that a file without any is not PGN.
    pub(crate) all_games: bool,
    pub(crate) counts: FixCounts,
    /// Whether an input could not be repaired, which has been reported.
    pub(crate) has_failed: bool,
    encodings: Encodings,
    /// The end of the texts written so far: whole games.
    last: Vec<u8>,
    input: CurrentInput,
    games: HeldOutput,
    diffs: HeldOutput,
}

/// State of the input that is being written.
#[derive(Default)]
struct CurrentInput {
    has_begun: bool,
    kind: InputKind,
    /// Chunks that wait for the first line end.
    waiting: Vec<FixedChunk>,
    line_end: Option<&'static str>,
    /// Blanks at the end of the last chunk, after which a line end may be missing.
    blanks: Vec<u8>,
    /// Whether a text that certainly is a game has been found.
    has_game: bool,
    /// The finding if there is none, with its severity if it is reported.
    not_pgn: Option<(String, Option<Severity>)>,
    is_utf_16: bool,
    is_lossy: bool,
    unreported: Option<&'static Rule>,
    counts: FixCounts,
    /// Characters of what is joined to other texts.
    non_ascii: NonAscii,
    /// The end of the texts before it.
    before: Option<Vec<u8>>,
    /// Whether its first game would be read as the rest of the game before.
    is_swallowed: bool,
}

/// Reason why an input is left as it is.
enum Obstacle {
    Lossy,
    Unreported(&'static Rule),
    NotPgn(String, Option<Severity>),
    Swallowed,
    Unwritable(Error),
}

impl FixWriter {
    pub(crate) fn new(
        file: Option<Sink>,
        in_place: Option<InPlace>,
        diff: Option<DiffWriter>,
        all_games: bool,
    ) -> FixWriter {
        FixWriter {
            file,
            in_place,
            diff,
            all_games,
            counts: FixCounts::default(),
            has_failed: false,
            encodings: Encodings::default(),
            last: Vec::new(),
            input: CurrentInput::default(),
            games: HeldOutput::default(),
            diffs: HeldOutput::default(),
        }
    }

    /// Writes the next chunk.
    pub(crate) fn write(&mut self, part: Part<FixedChunk>, sink: &mut Sink) -> Result<(), Error> {
        let mut fixed = part.value;
        if part.byte == Offset(0) {
            self.input.has_begun = true;
            self.input.kind = part.source.kind;
            self.input.is_utf_16 = fixed.is_utf_16;
            self.input.not_pgn = fixed.not_pgn.take();
            self.games.hold();
            self.diffs.hold();
            if let Some(diff) = &mut self.diff {
                diff.name = Some(part.source.name().to_owned());
            }
            if let Some(in_place) = &mut self.in_place {
                in_place.begin(&part.source);
            }
        }
        let input = &mut self.input;
        input.is_lossy |= fixed.is_lossy;
        input.unreported = input.unreported.or(fixed.unreported);
        if input.line_end.is_none() {
            let near = |(at, _): &(u64, _)| part.byte.0 + at < LONGEST_LINE;
            let is_far = part.byte.0 + part.bytes >= LONGEST_LINE;
            let found = fixed.line_end.filter(near).map(|(_, end)| end);
            input.line_end = found.or(is_far.then_some("\n"));
        }
        input.waiting.push(fixed);
        match input.line_end {
            Some(line_end) => self.write_waiting(line_end, sink),
            None => Ok(()),
        }
    }

    fn write_waiting(&mut self, line_end: &str, sink: &mut Sink) -> Result<(), Error> {
        for fixed in std::mem::take(&mut self.input.waiting) {
            self.input.has_game |= fixed.has_game;
            let text = fixed.text_with(line_end, &mut self.input.blanks);
            self.write_text(&text, fixed.is_changed, sink)?;
            if let Some(diff) = &mut self.diff {
                fixed.add_to(diff, line_end);
                self.diffs.write(&std::mem::take(&mut diff.out), sink)?;
            }
            self.input.counts.add(fixed.counts);
        }
        let input = &self.input;
        let is_held = input.unreported.is_some() || input.is_utf_16 || input.is_swallowed;
        match is_held || self.all_games && !input.has_game {
            true => Ok(()),
            false => self.release(sink),
        }
    }

    fn write_text(&mut self, text: &[u8], is_changed: bool, sink: &mut Sink) -> Result<(), Error> {
        if let Some(in_place) = &mut self.in_place {
            in_place.write(text, is_changed);
        } else if self.file.is_some() || self.diff.is_none() {
            self.join(text, sink)?;
        }
        Ok(())
    }

    /// Adds a text to those before it.
    fn join(&mut self, text: &[u8], sink: &mut Sink) -> Result<(), Error> {
        let mut text = text;
        let sink = self.file.as_mut().unwrap_or(sink);
        if text.is_empty() {
            return Ok(());
        }
        if self.input.before.is_none() {
            if !self.last.is_empty() {
                text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
            }
            let missing = missing_line_ends(&self.last, text, self.input.kind);
            self.input.is_swallowed = missing.is_none();
            self.input.before = Some(std::mem::take(&mut self.last));
            let line_end = self.input.line_end.unwrap_or("\n");
            self.games
                .write(line_end.repeat(missing.unwrap_or(0)).as_bytes(), sink)?;
        }
        if !text.trim_ascii().is_empty() {
            self.last.clear();
        }
        self.last.extend_from_slice(text);
        self.input.non_ascii |= NonAscii::of(text);
        self.games.write(text, sink)
    }

    /// Writes all that is held of the input.
    fn release(&mut self, sink: &mut Sink) -> Result<(), Error> {
        self.diffs.release(sink)?;
        self.games.release(self.file.as_mut().unwrap_or(sink))
    }

    /// Ends a source.
    pub(crate) fn end(&mut self, end: &SourceEnd, sink: &mut Sink, log: &Log) -> Result<(), Error> {
        let line_end = self.input.line_end.unwrap_or("\n");
        self.write_waiting(line_end, sink)?;
        let blanks = std::mem::take(&mut self.input.blanks);
        if !blanks.is_empty() {
            self.write_text(&blanks, false, sink)?;
        }
        if let Some(diff) = &mut self.diff {
            diff.end();
            self.diffs.write(&std::mem::take(&mut diff.out), sink)?;
        }
        let obstacle = self.obstacle(end);
        let mut input = std::mem::take(&mut self.input);
        match obstacle {
            None => {
                self.encodings.add(input.non_ascii, end.source.name());
                self.release(sink)?;
            }
            Some(obstacle) => {
                self.games.discard();
                self.diffs.discard();
                if let Some(before) = input.before.take() {
                    self.last = before;
                }
                let name = end.source.name();
                self.has_failed |= obstacle.is_error();
                obstacle.report(name, log);
                input.counts.leave_input(&obstacle);
            }
        }
        self.counts.add(input.counts);
        Ok(())
    }

    /// The note on games written in two encodings.
    pub(crate) fn encodings_note(&self, sink: &Sink) -> Option<String> {
        let sink = self.file.as_ref().unwrap_or(sink);
        self.encodings.note(sink.file().unwrap_or("<stdout>"))
    }

    /// Ends the replacement of a file. Returns why the input is left as it is.
    fn obstacle(&mut self, end: &SourceEnd) -> Option<Obstacle> {
        let input = &mut self.input;
        let is_whole = end.error.is_none();
        let not_pgn = input.not_pgn.take().filter(|_| {
            // Text that cannot be read may hold a game.
            input.has_begun && is_whole && self.all_games && !input.has_game
        });
        let obstacle = match not_pgn {
            Some((message, severity)) => Some(Obstacle::NotPgn(message, severity)),
            None if input.is_lossy => Some(Obstacle::Lossy),
            None if input.is_swallowed => Some(Obstacle::Swallowed),
            None => input.unreported.map(Obstacle::Unreported),
        };
        let replaces = is_whole && obstacle.is_none();
        let replaced = match &mut self.in_place {
            Some(in_place) if input.has_begun => in_place.end(replaces),
            _ => Ok(()),
        };
        obstacle.or(replaced.err().map(Obstacle::Unwritable))
    }
}

impl Obstacle {
    /// Whether it is an error, rather than a finding.
    fn is_error(&self) -> bool {
        !matches!(self, Obstacle::NotPgn(..))
    }

    fn report(&self, name: &str, log: &Log) {
        let reason: &dyn Display = match self {
            Obstacle::Lossy => &"its UTF-16 has characters that would be lost",
            Obstacle::Unreported(rule) => &format!(
                "it would be converted, but {} is not among the codes of this run",
                rule.code
            ),
            Obstacle::NotPgn(message, _) => message,
            Obstacle::Swallowed => {
                &"its first game would be read as the rest of the game before it, which has no end"
            }
            Obstacle::Unwritable(error) => return log.error(error),
        };
        log.error(&format_args!("cannot fix `{name}`: {reason}"));
    }
}

impl FixCounts {
    /// Counts an input that is left as it is.
    fn leave_input(&mut self, obstacle: &Obstacle) {
        let all = self.accounts.seen();
        let accounts = match obstacle {
            Obstacle::Unreported(_) | Obstacle::Swallowed | Obstacle::Unwritable(_) => Accounts {
                clean: 0,
                with_findings: all - self.accounts.unreadable,
                ..self.accounts
            },
            Obstacle::Lossy | Obstacle::NotPgn(..) => Accounts {
                unreadable: all,
                ..Accounts::default()
            },
        };
        *self = FixCounts {
            accounts,
            ..FixCounts::default()
        };
        if let Obstacle::NotPgn(_, Some(severity)) = obstacle {
            self.left[*severity as usize] += 1;
        }
    }
}
