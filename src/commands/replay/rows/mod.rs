//! One row for each ply of a game.

mod at;
mod lines;

use crate::chess::fen::IncrementalFen;
use crate::chess::san::SanPlus;
use crate::chess::{CastlingMode, Color, Move, Position, Uci};
use crate::law::Repetitions;
use crate::pgn::Game;
use crate::replay::{Replay, Start};

use crate::commands::validate::check as findings;
use crate::commands::validate::check::{Finding, GameStatus};

pub use at::{At, Plies};
pub use lines::{LineId, Step, lines};

/// A ply as `replay` shows it.
#[derive(Clone, Debug)]
pub struct PlyRow<'a> {
    /// Which ply, from 1.
    pub ply: u32,
    /// The number of the move.
    pub move_number: u32,
    /// Who moves.
    pub color: Color,
    /// The move in the shortest standard notation, whatever the text wrote.
    pub san: SanPlus,
    /// The move in UCI notation; nothing where a variation passes.
    pub uci: Option<Uci>,
    /// The move; nothing where a variation passes.
    pub mv: Option<Move>,
    /// The position after the move.
    pub after: &'a Position,
    /// Its FEN.
    pub fen: &'a IncrementalFen,
    /// How many times the position after the move has occurred so far.
    pub repetition: usize,
}

impl PlyRow<'_> {
    /// Whether the move gives check.
    #[inline]
    pub fn check(&self) -> bool {
        self.san.suffix.is_some()
    }

    /// Whether the move captures.
    #[inline]
    pub fn capture(&self) -> bool {
        self.mv.is_some_and(|mv| mv.captured.is_some())
    }
}

/// How the replay of a game went.
#[derive(Debug, Default)]
pub struct Played {
    /// Whether there is a position to begin at, and anything of a game.
    pub begun: bool,
    /// Whether its main line has not been played to its last move.
    pub stopped: bool,
    /// Whether none of the plies asked for is in the game.
    pub beside: bool,
    /// What kept the game from being played to its last move, and its variations where they are played, in order of
    /// place.
    pub faults: Vec<Finding>,
}

impl Played {
    /// The game's place in the accounts.
    pub fn verdict(&self, game: &Game) -> GameStatus {
        if self.faults.is_empty() {
            GameStatus::Clean
        } else if game.is_empty() {
            GameStatus::Unreadable
        } else {
            GameStatus::WithFindings
        }
    }
}

/// Plays games and says what happened. Its memory is used again.
#[derive(Default)]
pub struct Player {
    initial: Position,
    repetitions: Repetitions,
    path: lines::Path,
    /// Where the last game began; the next one mostly begins there too.
    first_fen: Option<(Position, IncrementalFen)>,
}

impl Player {
    /// Plays the main line of a game and hands each ply to `each`: all of them, or those asked for.
    pub fn rows(
        &mut self,
        game: &Game,
        text: &[u8],
        at: Option<&At>,
        mut each: impl FnMut(&PlyRow<'_>),
    ) -> Played {
        let Player {
            repetitions,
            first_fen,
            ..
        } = self;
        play(game, text, &self.initial, |replay, mode| {
            let plies = at.map(|at| plies(at, replay));
            let start = replay.position();
            let mut fen = match first_fen {
                Some((position, fen)) if position == start => fen.clone(),
                _ => {
                    let fen = IncrementalFen::new(start);
                    *first_fen = Some((start.clone(), fen.clone()));
                    fen
                }
            };
            let mut beside = true;
            let mut ply = 0;
            repetitions.restart(start);
            replay.play_to_end_naming(|mv, san, after| {
                ply += 1;
                repetitions.push(after);
                fen.play(mv, after);
                if plies.as_ref().is_none_or(|plies| plies.has(ply)) {
                    beside = false;
                    let color = !after.turn();
                    each(&PlyRow {
                        ply,
                        // The number goes up when Black has moved.
                        move_number: after.fullmoves() - color as u32,
                        color,
                        san: san.marked(after),
                        uci: Some(mv.uci(mode)),
                        mv: Some(mv),
                        after,
                        fen: &fen,
                        repetition: repetitions.count(),
                    });
                }
            });
            beside && plies.is_some()
        })
    }

    /// Plays the main line of a game and hands out the positions asked for, each with the number of plies that led
    /// there.
    pub fn positions(
        &mut self,
        game: &Game,
        text: &[u8],
        at: &At,
        mut each: impl FnMut(u32, &Position),
    ) -> Played {
        play(game, text, &self.initial, |replay, _| {
            if at.is_end() {
                replay.play_to_end();
                if !game.is_empty() {
                    each(replay.plies(), replay.position());
                }
                return false;
            }
            let plies = plies(at, replay);
            if plies.has(0) {
                each(0, replay.position());
            }
            while let Some(ply) = replay.play() {
                if plies.has(ply.number) {
                    each(ply.number, replay.position());
                }
            }
            plies.is_empty()
        })
    }

    /// Which of a game's plies are asked for.
    pub fn plies(&self, game: &Game, at: &At, start: &Start) -> Plies {
        plies(at, &Replay::new(game, start.position.clone()))
    }

    /// Where a game begins, if it can be played.
    pub fn start(&self, game: &Game, text: &[u8]) -> Option<Start> {
        Start::of(game, text, &self.initial)
            .ok()
            .map(|(start, _)| start)
    }
}

/// The plies asked for in a game that is about to be played.
fn plies(at: &At, replay: &Replay<'_>) -> Plies {
    let mut to_end = replay.clone();
    to_end.play_to_end();
    at.of_game(replay.position(), to_end.plies())
}

/// Plays a game as `to_end` does, which says whether it passed by the plies asked for.
fn play(
    game: &Game,
    text: &[u8],
    initial: &Position,
    to_end: impl FnOnce(&mut Replay<'_>, CastlingMode) -> bool,
) -> Played {
    match Start::of(game, text, initial) {
        Ok((start, _)) => {
            let mut replay = Replay::new(game, start.position);
            let beside = to_end(&mut replay, start.mode);
            let fault = findings::of_replay(game, text, &replay);
            Played {
                begun: !game.is_empty(),
                stopped: fault.is_some(),
                beside,
                faults: fault.into_iter().collect(),
            }
        }
        Err(fault) => Played {
            faults: vec![findings::no_start(text, fault)],
            ..Played::default()
        },
    }
}
