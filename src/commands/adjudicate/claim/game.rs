//! A game up to the moment at which something is claimed.

use std::fmt::Write;

use crate::adjudication::{early_end, named_en_passant};
use crate::chess::san::SanPlus;
use crate::chess::{CastlingMode, Color, Move, Position, Setup};
use crate::law::GameRecord;
use crate::notation::{LetterSet, Letters};
use crate::pgn::values::time_control::TimeControl;
use crate::pgn::{Game, PossibleDays};
use crate::replay::{Replay, Start, StartFault};

/// The moves of a game up to the moment of a claim.
#[derive(Clone, Debug)]
pub struct ClaimGame {
    record: GameRecord,
    mode: CastlingMode,
    days: Option<PossibleDays>,
    letters: Option<Letters>,
    seconds: Option<u64>,
}

/// Why nothing can be claimed in a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameFault {
    /// There is no position to begin with.
    Start(StartFault),
    /// The game cannot be played to the moment asked for, or to its last move.
    Stop {
        /// The plies that can be played.
        plies: u32,
    },
    /// The game begins after the ply asked for.
    TooLate,
    /// The game has fewer plies than asked for.
    TooShort {
        /// Its plies.
        plies: u32,
    },
}

impl ClaimGame {
    /// A game up to a ply, or to its end.
    ///
    /// # Errors
    ///
    /// Why the game cannot be played so far.
    pub fn of_game(
        game: &Game,
        text: &[u8],
        initial: &Position,
        at: Option<u32>,
    ) -> Result<ClaimGame, GameFault> {
        let (start, _) = Start::of(game, text, initial).map_err(GameFault::Start)?;
        let named = named_en_passant(game, text);
        let mut record = GameRecord::new(start.position.clone(), named);
        let mut replay = Replay::new(game, start.position);
        while at.is_none_or(|at| record.plies() < at) {
            let Some(ply) = replay.play() else {
                let plies = record.plies();
                match (early_end(game, &replay), at) {
                    (Some(_), _) => return Err(GameFault::Stop { plies }),
                    (None, None) => break,
                    (None, Some(_)) => return Err(GameFault::TooShort { plies }),
                }
            };
            record.push(ply.mv);
        }
        Ok(ClaimGame {
            record,
            mode: start.mode,
            days: PossibleDays::of_game(game, text).map(|(days, _)| days),
            letters: game.letters,
            seconds: game
                .value(text, "TimeControl")
                .and_then(|value| TimeControl::read(&value).seconds(60)),
        })
    }

    /// A single position, as a setup that can be played gives it.
    pub fn of_position(setup: &Setup, position: Position) -> ClaimGame {
        ClaimGame {
            mode: position.castling_mode(),
            record: GameRecord::new(position, setup.en_passant),
            days: None,
            letters: None,
            seconds: None,
        }
    }

    /// The same game, in these piece letters.
    #[must_use]
    pub fn in_letters(self, set: &'static LetterSet) -> ClaimGame {
        ClaimGame {
            letters: Letters::other_than_english(set),
            ..self
        }
    }

    /// The moves.
    pub fn record(&self) -> &GameRecord {
        &self.record
    }

    /// The position at the claim.
    pub fn last(&self) -> Position {
        self.record.after(self.record.plies())
    }

    /// How castling is written in UCI notation.
    pub(crate) fn mode(&self) -> CastlingMode {
        self.mode
    }

    /// The days on which the game may have been played, if they are recorded.
    pub(crate) fn days(&self) -> Option<PossibleDays> {
        self.days
    }

    /// Seconds of one side for 60 moves, by which FIDE tells rapid and blitz chess, if they are
    /// known.
    pub(crate) fn seconds(&self) -> Option<u64> {
        self.seconds
    }

    /// The piece letters of the game, if they are not English.
    pub(crate) fn letters(&self) -> Option<Letters> {
        self.letters
    }

    /// The same game up to a ply.
    #[must_use]
    pub fn cut(&self, ply: u32) -> ClaimGame {
        ClaimGame {
            record: self.record.cut(ply),
            ..*self
        }
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
    let mut name = before.fullmoves().to_string();
    name.push_str(match before.turn() {
        Color::White => ".",
        Color::Black => "...",
    });
    // Writing to memory does not fail.
    let _ = write!(name, "{}", SanPlus::of(before, mv, &before.after(mv)));
    name
}
