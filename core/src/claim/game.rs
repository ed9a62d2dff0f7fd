//! A game up to the moment at which something is claimed.

use std::borrow::Cow;

use crate::adjudication::{self, early_end, illegal_notes, is_broken_off, named_en_passant, pace};
use crate::chess::san::SanPlus;
use crate::chess::{CastlingMode, Color, Move, Position, Setup};
use crate::claim::heading::words;
use crate::claim::languages;
use crate::findings::{self, Finding};
use crate::law::GameRecord;
use crate::notation::{LetterSet, Letters};
use crate::pgn::termination::Reason;
use crate::pgn::{Game, MoveNotes, PossibleDays, ResultMark, Termination};
use crate::replay::{Replay, Start};

/// Seconds left on the last clock of each side, and the ply after which they were.
type Clocks = [Option<(f64, u32)>; 2];

/// The moves of a game up to the moment of a claim.
///
/// ```
/// use chess_arbiter_core::{ClaimGame, Position, Reader};
///
/// let text = b"1. e4 e5 2. Nf3 *";
/// let mut reader = Reader::new();
/// let game = reader.read(text, None);
/// let after_two = ClaimGame::of_game(game, text, &Position::initial(), Some(2)).unwrap();
/// assert_eq!(after_two.last().fullmoves(), 2);
/// ```
#[derive(Clone, Debug)]
pub struct ClaimGame {
    record: GameRecord,
    /// How castling is written in UCI notation.
    pub(crate) mode: CastlingMode,
    /// The days on which the game may have been played, if they are recorded.
    pub(crate) days: Option<PossibleDays>,
    /// The piece letters of the game, if they are not English.
    pub letters: Option<Letters>,
    /// The recorded end, if the claim is made after the last move of a game recorded as over.
    pub(crate) over: Option<RecordedEnd>,
    /// Notes on the illegal moves that stood, on the one that is claimed, and on doubtful readings.
    pub(crate) notes: Vec<String>,
    /// The game up to the same place by other readings.
    pub(crate) others: Vec<ClaimGame>,
    /// The clocks before the claim.
    pub(crate) clocks: Clocks,
    /// Letters that the players may write, by the place and their federations; nothing if those of
    /// the announced move were asked for.
    pub(crate) likely: Option<Vec<&'static LetterSet>>,
}

/// Record of a game that is over.
#[derive(Clone, Debug)]
pub(crate) struct RecordedEnd {
    /// `1-0 (Black resigns)`.
    pub(crate) words: String,
    pub(crate) reason: Option<Reason>,
    /// The side that lost, by the reason or the result.
    pub(crate) loser: Option<Color>,
}

impl ClaimGame {
    /// As [`ClaimGame::of_game`], without doubts.
    pub(crate) fn as_read(
        game: &Game,
        text: &[u8],
        initial: &Position,
        at: Option<u32>,
    ) -> Result<ClaimGame, String> {
        let (start, _) = Start::of(game, text, initial)
            .map_err(|fault| findings::not_begun(game, text, fault).message)?;
        let named = named_en_passant(game, text);
        let mut record = GameRecord::new(start.position.clone(), named);
        record.pace = pace(game, text);
        let mut replay = Replay::new(game, start.position);
        let (mut notes, mut found) = (MoveNotes::default(), Vec::new());
        let mut clocks = Clocks::default();
        while at.is_none_or(|at| record.plies() < at) {
            let side = replay.position().turn();
            if let Some(ply) = replay.play() {
                record.push(ply.mv);
                notes.read((game, text), ply.token.span, side, &mut found);
                let clock = notes.clock.map(|seconds| (seconds, ply.number));
                clocks[side.index()] = clock.or(clocks[side.index()]);
                continue;
            }
            let moment = when(&record, record.plies());
            match (early_end(game, text, &replay), at) {
                (Some(_), _) => {
                    let finding = findings::of_game(game, text);
                    let why = finding.map(|Finding { message, .. }| {
                        format!(" ({message}); name an earlier moment with `--at`")
                    });
                    return Err(format!("it stops {moment}{}", why.unwrap_or_default()));
                }
                (None, Some(_)) => return Err(format!("it ends {moment}")),
                (None, None) => break,
            }
        }
        if replay.last_illegal().is_some() {
            let played = name(&record, record.plies());
            return Err(format!(
                "{played} is illegal and not yet answered; name another moment with `--at`"
            ));
        }
        let notes = illegal_notes(&record, &replay, text);
        let is_end = replay.play().is_none() && early_end(game, text, &replay).is_none();
        let over = is_end.then(|| RecordedEnd::of_game(game, text)).flatten();
        Ok(ClaimGame {
            over,
            notes,
            others: Vec::new(),
            clocks,
            likely: Some(languages::of_tags(game, text)),
            record,
            mode: start.mode,
            days: game.possible_days(text).map(|(days, _)| days),
            letters: game.letters,
        })
    }

    /// Has announced moves read in the letters that are asked for, or else also in the likely ones
    /// of a locale, in every reading of the game.
    #[must_use]
    pub fn in_letters(
        mut self,
        asked: Option<&'static LetterSet>,
        of_locale: Option<&'static LetterSet>,
    ) -> ClaimGame {
        match (asked, &mut self.likely) {
            (Some(set), _) => (self.letters, self.likely) = (Some(Letters::only(set)), None),
            (None, likely) => likely
                .iter_mut()
                .for_each(|likely| likely.extend(of_locale)),
        }
        let others = self.others.into_iter();
        let others = others.map(|other| other.in_letters(asked, of_locale));
        self.others = others.collect();
        self
    }

    /// A single position, as a setup that can be played gives it.
    pub fn of_position(setup: &Setup, position: Position) -> ClaimGame {
        ClaimGame {
            mode: position.castling_mode(),
            record: GameRecord::new(position, setup.en_passant),
            days: None,
            letters: None,
            over: None,
            notes: Vec::new(),
            others: Vec::new(),
            clocks: Clocks::default(),
            likely: Some(Vec::new()),
        }
    }

    /// The moves.
    pub fn record(&self) -> &GameRecord {
        &self.record
    }

    /// The moment of the claim: `after 34...Kg8`.
    pub(crate) fn moment(&self) -> String {
        when(&self.record, self.record.plies())
    }

    /// The last move before the claim with its number.
    pub(crate) fn last_move(&self) -> String {
        name(&self.record, self.record.plies())
    }

    /// The position at the claim.
    pub fn last(&self) -> Position {
        self.record.after(self.record.plies())
    }

    /// The same game up to a ply.
    #[must_use]
    pub fn cut(&self, ply: u32) -> ClaimGame {
        self.with_record(self.record.cut(ply))
    }

    /// Another record of the same game.
    pub(crate) fn with_record(&self, record: GameRecord) -> ClaimGame {
        let is_whole = record.plies() == self.record.plies();
        ClaimGame {
            over: self.over.clone().filter(|_| is_whole),
            others: Vec::new(),
            record,
            ..self.clone()
        }
    }

    /// Whether the file says that the flag is the other side's: in its record, or in the last
    /// clocks, of which only that of the other side is at zero.
    pub(crate) fn contradicts_flag(&self, loser: Color) -> bool {
        let is_zero =
            |side: Color| self.clocks[side.index()].is_some_and(|(seconds, _)| seconds <= 0.0);
        let recorded = self.over.as_ref();
        let recorded = recorded.filter(|over| over.reason == Some(Reason::TimeForfeit));
        match recorded.and_then(|over| over.loser) {
            Some(recorded) => recorded != loser,
            None => is_zero(!loser) && !is_zero(loser),
        }
    }

    /// The last clocks, if there are any.
    pub(crate) fn last_clocks(&self) -> Option<String> {
        let shown = Color::ALL.into_iter().filter_map(|side| {
            let (seconds, ply) = self.clocks[side.index()]?;
            let (minutes, seconds) = (seconds as u64 / 60, seconds as u64 % 60);
            let (hours, minutes) = (minutes / 60, minutes % 60);
            let when = name(self.record(), ply);
            Some(format!(
                "{side}'s is {hours}:{minutes:02}:{seconds:02} after {when}"
            ))
        });
        let shown: Vec<String> = shown.collect();
        (!shown.is_empty()).then(|| format!("Of the last clocks, {}.", shown.join(", and ")))
    }
}

impl RecordedEnd {
    fn of_game(game: &Game, text: &[u8]) -> Option<RecordedEnd> {
        let recorded = adjudication::recorded(game, text);
        let reason = recorded.reason();
        let implied = recorded.termination.and_then(Termination::implied_result);
        let is_over = recorded
            .result
            .is_some_and(|mark| mark != ResultMark::Unknown)
            || recorded.other_result.is_some()
            || implied.is_some() && !reason.is_some_and(is_broken_off);
        let said = recorded
            .termination
            .filter(|_| reason != Some(Reason::Normal));
        let said = said.map(|said| words(text, said.words));
        let result = match (recorded.result, recorded.other_result) {
            (Some(mark), _) => Some(Cow::Borrowed(mark.as_str())),
            (None, other) => other.map(|other| words(text, other)),
        };
        let words = match (result, said) {
            (Some(result), Some(said)) => format!("{result} ({said})"),
            (result, said) => result.or(said)?.into_owned(),
        };
        let against = recorded.termination.and_then(|said| said.against);
        let winner = recorded.result.and_then(ResultMark::winner);
        is_over.then_some(RecordedEnd {
            words,
            reason,
            loser: against.or(winner.map(|winner| !winner)),
        })
    }
}

/// The ply before which a numbered move stands.
pub(crate) fn ply_before(record: &GameRecord, number: u32, color: Color) -> Option<u32> {
    (0..=record.plies()).find(|&ply| {
        let at = record.at(ply);
        (at.fullmoves, at.turn) == (number, color)
    })
}

/// The move of a ply with its number, such as `34...Kg8`; empty for ply 0.
pub(crate) fn name(record: &GameRecord, ply: u32) -> String {
    match record.played(ply) {
        Some(mv) => named(&record.after(ply - 1), mv),
        None => String::new(),
    }
}

/// When a position stood on the board: `after 34...Kg8`.
pub(crate) fn when(record: &GameRecord, ply: u32) -> String {
    match ply {
        0 if record.plies() == 0 => "in the given position".to_owned(),
        0 => "at the beginning".to_owned(),
        _ => format!("after {}", name(record, ply)),
    }
}

/// A legal move with its number: `34...Kg8`.
pub(crate) fn named(before: &Position, mv: Move) -> String {
    let san = SanPlus::of(before, mv, &before.after(mv));
    findings::label(before, &san.to_string())
}
