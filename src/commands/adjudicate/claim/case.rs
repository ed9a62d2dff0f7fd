//! A game up to the moment at which something is claimed.

use std::fmt::Write;

use crate::chess::san::SanPlus;
use crate::chess::{CastlingMode, Color, Move, Position, Setup, Square, fen};
use crate::law::{History, RepetitionKey};
use crate::pgn::{Game, PossibleDays};
use crate::replay::{Replay, Start, StartFault, Stop};

/// The moves of a game up to the moment of a claim, and the position after each.
#[derive(Clone, Debug)]
pub struct Case {
    /// The position after so many plies, from 0 on.
    positions: Vec<Position>,
    moves: Vec<Move>,
    /// The en passant square that the initial position's FEN names, whether or not a capture is legal there.
    en_passant: Option<Square>,
    /// How castling is written in UCI notation.
    mode: CastlingMode,
    /// The days on which the game may have been played, where they are recorded.
    days: Option<PossibleDays>,
}

/// Why a game is no case.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CaseFault {
    /// There is no position to begin with.
    Start(StartFault),
    /// The game stops before the moment asked for, or before its last move.
    Stop(Stop),
    /// The game has fewer plies than asked for.
    TooShort {
        /// How many it has.
        plies: u32,
    },
}

impl Case {
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
    ) -> Result<Case, CaseFault> {
        let (start, _) = Start::of(game, text, initial).map_err(CaseFault::Start)?;
        let named = game
            .tag(text, "FEN")
            .and_then(|tag| fen::parse(&tag.unescape(text)).ok())
            .and_then(|setup| setup.en_passant);
        let mut case = Case {
            positions: vec![start.position.clone()],
            moves: Vec::new(),
            en_passant: named,
            mode: start.mode,
            days: game
                .value(text, "Date")
                .and_then(|value| PossibleDays::read(&value)),
        };
        let mut replay = Replay::new(game, start.position);
        while at.is_none_or(|at| case.plies() < at) {
            let Some(ply) = replay.play() else {
                return match (replay.stop(), at) {
                    (Some(stop), _) => Err(CaseFault::Stop(stop)),
                    (None, None) => Ok(case),
                    (None, Some(_)) => Err(CaseFault::TooShort {
                        plies: case.plies(),
                    }),
                };
            };
            case.moves.push(ply.mv);
            case.positions.push(replay.position().clone());
        }
        Ok(case)
    }

    /// A single position, as a setup that can be played gives it.
    pub fn of_position(setup: &Setup, position: Position) -> Case {
        Case {
            mode: position.castling_mode(),
            positions: vec![position],
            moves: Vec::new(),
            en_passant: setup.en_passant,
            days: None,
        }
    }

    /// How many plies have been played.
    pub fn plies(&self) -> u32 {
        self.moves.len() as u32
    }

    /// The position on the board.
    pub fn position(&self) -> &Position {
        self.after(self.plies())
    }

    /// The position after so many plies.
    pub fn after(&self, ply: u32) -> &Position {
        &self.positions[ply as usize]
    }

    /// The move of a ply, from 1.
    pub fn played(&self, ply: u32) -> Option<Move> {
        self.moves.get((ply as usize).checked_sub(1)?).copied()
    }

    /// How castling is written in UCI notation.
    pub fn mode(&self) -> CastlingMode {
        self.mode
    }

    /// The days on which the game may have been played, where they are recorded.
    pub fn days(&self) -> Option<PossibleDays> {
        self.days
    }

    /// The ply before which a numbered move stands.
    pub fn ply_before(&self, number: u32, color: Color) -> Option<u32> {
        let found = self
            .positions
            .iter()
            .position(|position| position.fullmoves() == number && position.turn() == color)?;
        Some(found as u32)
    }

    /// The same game, but only up to a ply.
    pub fn cut(&self, at: u32) -> Case {
        Case {
            positions: self.positions[..=at as usize].to_vec(),
            moves: self.moves[..at as usize].to_vec(),
            ..*self
        }
    }

    /// The same game with one more move, which is legal.
    pub fn with(&self, mv: Move) -> Case {
        let mut case = self.clone();
        case.positions.push(self.position().after(mv));
        case.moves.push(mv);
        case
    }

    /// The history under a key.
    pub fn history(&self, key: RepetitionKey) -> History {
        self.histories(key, |_| ())
    }

    /// The history under a key, shown at every ply from 0 on.
    pub fn histories(&self, key: RepetitionKey, mut each: impl FnMut(&History)) -> History {
        let mut history = History::new(key, &self.positions[0], self.en_passant);
        each(&history);
        for (mv, after) in self.moves.iter().zip(&self.positions[1..]) {
            history.push(*mv, after);
            each(&history);
        }
        history
    }

    /// The move of a ply with its number, such as `34...Kg8`; empty for ply 0.
    pub fn name(&self, ply: u32) -> String {
        match self.played(ply) {
            Some(mv) => named(self.after(ply - 1), mv, self.after(ply)),
            None => String::new(),
        }
    }

    /// When a position stood on the board: `after 34...Kg8`.
    pub fn when(&self, ply: u32) -> String {
        match ply {
            0 if self.moves.is_empty() => "in the given position".to_owned(),
            0 => "at the beginning".to_owned(),
            _ => format!("after {}", self.name(ply)),
        }
    }
}

/// A legal move with its number: `34...Kg8`.
pub fn named(before: &Position, mv: Move, after: &Position) -> String {
    let mut name = before.fullmoves().to_string();
    name.push_str(match before.turn() {
        Color::White => ".",
        Color::Black => "...",
    });
    // Writing to memory does not fail.
    let _ = write!(name, "{}", SanPlus::of(before, mv, after));
    name
}
