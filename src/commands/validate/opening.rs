//! Findings of a chunk, and of the text of a file before its first certain game. A file that holds
//! none is not PGN.

use std::ops::Range;

use crate::commands::accounts::Accounts;
use crate::commands::validate::baseline::{BaselineEntry, Fingerprint};
use crate::commands::validate::duplicates::ChunkKeys;
use crate::commands::validate::split::Pieces;
use crate::commands::validate::tally::{Place, Tallied};
use crate::findings::registry::{Fix, Rule, Severity};
use crate::input::{Offset, Source, TextRange};
use crate::pipeline::{Part, SourceEnd};
use crate::replay::GameKey;

/// The findings of one chunk.
#[derive(Default)]
pub(crate) struct CheckedChunk {
    /// The findings before the others, if no certain game precedes them in the chunk.
    pub(crate) lead: Option<Box<Lead>>,
    /// The findings that may be shown, as the format writes them.
    pub(crate) text: Vec<u8>,
    pub(crate) found: Vec<EmittedFinding>,
    /// Findings counted but not kept, by code.
    pub(crate) more: Vec<Tallied>,
    pub(crate) accounts: Accounts,
    /// The games for the split, those of `lead` among them.
    pub(crate) pieces: Option<Pieces>,
    /// The games as others are compared with them, those of `lead` among them.
    pub(crate) games: ChunkKeys,
    /// Number of games that were clean until duplicates were looked for.
    pub(crate) not_clean: u64,
}

impl CheckedChunk {
    /// How much memory it takes up, in bytes.
    pub(crate) fn weight(&self) -> usize {
        let lead = self.lead.as_ref().map_or(0, |lead| lead.checked.weight());
        lead + self.text.capacity()
            + self.found.capacity() * size_of::<EmittedFinding>()
            + self.games.capacity() * size_of::<(GameKey, bool)>()
            + self.pieces.as_ref().map_or(0, Pieces::weight)
    }
}

/// Text at the beginning of a chunk that holds no certain game.
pub(crate) struct Lead {
    /// Offset of its first byte.
    pub(crate) begin: Offset,
    pub(crate) checked: CheckedChunk,
    /// The finding in place of all others if the file is not PGN, and if only its beginning is not.
    /// Present at the beginning of a file.
    pub(crate) verdicts: Option<[CheckedChunk; 2]>,
    /// Offset of the first certain game of the chunk.
    pub(crate) game: Option<Offset>,
}

/// A finding that is emitted.
pub(crate) struct EmittedFinding {
    /// Its part of the text.
    pub(crate) range: Range<usize>,
    pub(crate) severity: Severity,
    pub(crate) rule: &'static Rule,
    pub(crate) place: Place,
    pub(crate) fix: Fix,
    pub(crate) fingerprint: Option<Fingerprint>,
    pub(crate) entry: Option<BaselineEntry>,
}

/// Text without a certain game of which all findings are reported if a game follows, in bytes. It
/// bounds the findings that wait for the decision.
const MOST_BYTES: u64 = 64 << 10;

/// The beginning of a source, up to its first certain game.
#[derive(Default)]
pub(crate) struct Opening {
    /// Whether a game has been found.
    is_over: bool,
    source: Option<Source>,
    /// Findings that wait for the decision.
    waiting: Vec<CheckedChunk>,
    games: u64,
    verdicts: Option<[CheckedChunk; 2]>,
}

impl Opening {
    /// Adds a chunk, and returns what can be reported, in this order.
    pub(crate) fn add(&mut self, part: Part<CheckedChunk>) -> Vec<CheckedChunk> {
        let mut checked = part.value;
        let mut decided = Vec::new();
        let mut game = Some(part.byte);
        match checked.lead.take().map(|lead| *lead) {
            // Without a verdict the text before is another part.
            Some(lead) if self.is_over || !(lead.verdicts.is_some() || self.verdicts.is_some()) => {
                self.is_over = true;
                decided.push(lead.checked);
            }
            Some(lead) => {
                game = lead.game;
                self.source = Some(part.source);
                self.wait(lead);
            }
            None => {}
        }
        if let Some(game) = game {
            if !self.is_over {
                decided = self.close(game);
            }
            decided.push(checked);
        }
        decided
    }

    fn wait(&mut self, lead: Lead) {
        self.games += lead.checked.accounts.seen();
        if lead.verdicts.is_some() {
            self.verdicts = lead.verdicts;
        }
        if lead.begin.0 < MOST_BYTES {
            self.waiting.push(lead.checked);
        }
    }

    /// Ends the opening at a game.
    fn close(&mut self, game: Offset) -> Vec<CheckedChunk> {
        self.is_over = true;
        let waiting = std::mem::take(&mut self.waiting);
        match self.verdicts.take() {
            Some([_, beginning]) if game.0 > MOST_BYTES => vec![self.in_place(beginning)],
            _ => waiting,
        }
    }

    /// Ends the source, and returns what remains to be reported.
    pub(crate) fn end(&mut self, end: &SourceEnd) -> Vec<CheckedChunk> {
        let mut opening = std::mem::take(self);
        // A file that is cut holds a game, and text that cannot be read may hold one.
        let range = end.source.text_range();
        let is_cut = matches!(range, Some(TextRange::Plain(_) | TextRange::Frames(_)));
        if is_cut || end.error.is_some() {
            return opening.close(Offset(end.bytes));
        }
        match opening.verdicts.take() {
            Some([whole, _]) => vec![opening.in_place(whole)],
            None => opening.waiting,
        }
    }

    /// The findings that wait when a run is interrupted, and their source.
    pub(crate) fn interrupt(&mut self) -> (Option<Source>, Vec<CheckedChunk>) {
        let opening = std::mem::take(self);
        (opening.source, opening.waiting)
    }

    /// A finding in place of all games of the opening, which count as unreadable.
    fn in_place(&self, verdict: CheckedChunk) -> CheckedChunk {
        CheckedChunk {
            accounts: Accounts {
                unreadable: self.games,
                ..Accounts::default()
            },
            ..verdict
        }
    }
}
