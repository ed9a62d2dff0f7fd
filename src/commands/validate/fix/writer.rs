//! Repaired games in input order. An input that cannot be repaired is left as it is.

use crate::commands::accounts::Accounts;
use crate::commands::split::JoinedTexts;
use crate::commands::validate::fix::held::HeldOutput;
use crate::commands::validate::fix::in_place::InPlace;
use crate::error::Error;
use crate::findings::fix::{DiffWriter, FixCounts, FixedChunk, InputFacts};
use crate::findings::registry::Severity;
use crate::input::{Encoding, InputKind, Offset};
use crate::pipeline::{Part, SourceEnd};
use crate::report::{Log, Sink};

/// Writes repaired games.
#[derive(Default)]
pub(crate) struct FixWriter {
    /// The file of `--write-fixed`.
    pub(crate) file: Option<Sink>,
    pub(crate) in_place: Option<InPlace>,
    pub(crate) diff: Option<DiffWriter>,
    pub(crate) counts: FixCounts,
    /// Whether an input could not be repaired, which has been reported.
    pub(crate) has_failed: bool,
    /// The texts written so far: whole games.
    texts: JoinedTexts,
    input: CurrentInput,
    games: HeldOutput,
    diffs: HeldOutput,
}

/// State of the input that is being written.
#[derive(Default)]
struct CurrentInput {
    has_begun: bool,
    kind: InputKind,
    /// The first line end.
    line_end: &'static str,
    /// Blanks at the end of the last chunk, after which a line end may be missing.
    blanks: Vec<u8>,
    facts: InputFacts,
    name: String,
    /// The texts before it.
    before: JoinedTexts,
    /// Whether its first game would be read as the rest of the game before.
    is_swallowed: bool,
}

/// Reason why an input is left as it is.
struct Obstacle {
    message: String,
    /// Whether its games can be read all the same.
    is_readable: bool,
    /// Whether it is an error, rather than a finding, and the severity of the finding if it is
    /// reported.
    is_error: bool,
    severity: Option<Severity>,
}

impl FixWriter {
    /// Writes the next chunk.
    pub(crate) fn write(&mut self, part: Part<FixedChunk>, sink: &mut Sink) -> Result<(), Error> {
        let mut fixed = part.value;
        if part.byte == Offset(0) {
            self.input.has_begun = true;
            self.input.kind = part.source.kind;
            self.input.name = part.source.name().to_owned();
            self.input.line_end = fixed.line_end.unwrap_or("\n");
            self.input.before = self.texts.clone();
            self.texts.begin();
            self.games.hold();
            self.diffs.hold();
            if let Some(diff) = &mut self.diff {
                diff.name = Some(self.input.name.clone());
            }
            if let Some(in_place) = &mut self.in_place {
                in_place.begin(&part.source);
            }
        }
        self.input.facts.add(std::mem::take(&mut fixed.facts));
        let CurrentInput {
            blanks, line_end, ..
        } = &mut self.input;
        let text = fixed.join(blanks, line_end, self.diff.as_mut());
        self.write_text(&text, fixed.is_changed, sink)?;
        self.write_diff(sink)?;
        let facts = &self.input.facts;
        let is_held = facts.unreported.is_some() || facts.is_utf_16 || self.input.is_swallowed;
        if is_held || !facts.has_game {
            return Ok(());
        }
        self.release(sink)
    }

    fn write_diff(&mut self, sink: &mut Sink) -> Result<(), Error> {
        let Some(diff) = &mut self.diff else {
            return Ok(());
        };
        self.diffs.write(diff.out.as_bytes(), sink)?;
        diff.out.clear();
        Ok(())
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
        if text.is_empty() {
            return Ok(());
        }
        let CurrentInput { kind, name, .. } = &self.input;
        let added = self.texts.add(text, Encoding::BYTES, *kind, name);
        let Some((line_ends, text)) = added else {
            self.input.is_swallowed = true;
            return Ok(());
        };
        let sink = self.file.as_mut().unwrap_or(sink);
        self.games.write(&line_ends, sink)?;
        self.games.write(text, sink)
    }

    /// Writes all that is held of the input.
    fn release(&mut self, sink: &mut Sink) -> Result<(), Error> {
        self.diffs.release(sink)?;
        self.games.release(self.file.as_mut().unwrap_or(sink))
    }

    /// Ends a source.
    pub(crate) fn end(&mut self, end: &SourceEnd, sink: &mut Sink, log: &Log) -> Result<(), Error> {
        let blanks = std::mem::take(&mut self.input.blanks);
        self.write_text(&blanks, false, sink)?;
        self.diff.iter_mut().for_each(DiffWriter::end);
        self.write_diff(sink)?;
        let obstacle = self.obstacle(end);
        let input = std::mem::take(&mut self.input);
        let mut counts = input.facts.counts;
        if let Some(obstacle) = obstacle {
            self.games.hold();
            self.diffs.hold();
            self.texts = input.before;
            self.has_failed |= obstacle.is_error;
            log.error(&obstacle.message);
            counts = obstacle.counts(&counts);
        } else {
            self.release(sink)?;
        }
        self.counts.add(counts);
        Ok(())
    }

    /// The note on games written in two encodings.
    pub(crate) fn encodings_note(&self, sink: &Sink) -> Option<String> {
        let sink = self.file.as_ref().unwrap_or(sink);
        self.texts.encodings_note(sink.file().unwrap_or("<stdout>"))
    }

    /// Ends the replacement of a file. Returns why the input is left as it is.
    fn obstacle(&mut self, end: &SourceEnd) -> Option<Obstacle> {
        let input = &mut self.input;
        let is_whole = end.error.is_none();
        let name = end.source.name();
        let left = |reason: &str, is_readable| Obstacle {
            message: format!("cannot fix `{name}`: {reason}"),
            is_readable,
            is_error: true,
            severity: None,
        };
        let not_pgn = input.facts.not_pgn.take().filter(|_| {
            // Text that cannot be read may hold a game.
            input.has_begun && is_whole && !input.facts.has_game
        });
        let obstacle = if let Some((message, severity)) = not_pgn {
            Some(Obstacle {
                is_error: false,
                severity,
                ..left(&message, false)
            })
        } else if input.facts.is_lossy {
            let reason = "its UTF-16 has control characters, or others that would be lost";
            Some(left(reason, false))
        } else if input.is_swallowed {
            let reason =
                "its first game would be read as the rest of the game before it, which has no end";
            Some(left(reason, true))
        } else {
            input.facts.unreported.map(|rule| {
                let code = rule.code;
                let reason =
                    format!("it would be converted, but {code} is not among the codes of this run");
                left(&reason, true)
            })
        };
        let replaces = is_whole && obstacle.is_none();
        let replaced = match &mut self.in_place {
            Some(in_place) if input.has_begun => in_place.end(replaces),
            _ => Ok(()),
        };
        let failed = replaced.err().map(|error| Obstacle {
            message: error.to_string(),
            ..left("", true)
        });
        obstacle.or(failed)
    }
}

impl Obstacle {
    /// Numbers of an input that is left as it is.
    fn counts(&self, found: &FixCounts) -> FixCounts {
        let all = found.accounts.seen();
        let unreadable = if self.is_readable {
            found.accounts.unreadable
        } else {
            all
        };
        let mut counts = FixCounts {
            accounts: Accounts {
                clean: 0,
                with_findings: all - unreadable,
                unreadable,
            },
            ..FixCounts::default()
        };
        if let Some(severity) = self.severity {
            counts.left[severity as usize] += 1;
        }
        counts
    }
}
