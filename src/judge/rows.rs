//! One row for each ply of a game.

use crate::pgn::Game;
use crate::replay::{Replay, Start};
use crate::rules::san::SanPlus;
use crate::rules::{CastlingMode, Color, Position, Repetitions, Uci};

use super::findings::{self, Finding};

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
    /// The move in UCI notation.
    pub uci: Uci,
    /// The position after the move.
    pub after: &'a Position,
    /// Whether the move gives check.
    pub check: bool,
    /// Whether the move captures.
    pub capture: bool,
    /// How many times the position after the move has occurred so far.
    pub repetition: usize,
}

/// Where the replay of a game ended.
#[derive(Debug)]
pub struct Played {
    /// The last position reached, if the game has one to begin with.
    pub position: Option<Position>,
    /// What kept the game from being played to its last move.
    pub stopped: Option<Finding>,
}

/// Plays a game and hands each ply to `each`. `repetitions` is memory to be used again.
pub fn rows(
    game: &Game,
    text: &[u8],
    initial: &Position,
    repetitions: &mut Repetitions,
    mut each: impl FnMut(PlyRow<'_>),
) -> Played {
    play(game, text, initial, |replay, mode| {
        let mut before = replay.position().clone();
        repetitions.restart(&before);
        while let Some(ply) = replay.play() {
            let after = replay.position();
            repetitions.push(after);
            each(PlyRow {
                ply: ply.number,
                move_number: before.fullmoves(),
                color: before.turn(),
                san: SanPlus::of(&before, ply.mv, after),
                uci: ply.mv.uci(mode),
                after,
                check: after.is_check(),
                capture: ply.mv.captured.is_some(),
                repetition: repetitions.count(),
            });
            before.clone_from(after);
        }
    })
}

/// Plays a game to its end.
pub fn last_position(game: &Game, text: &[u8], initial: &Position) -> Played {
    play(game, text, initial, |replay, _| {
        replay.play_to_end();
    })
}

fn play(
    game: &Game,
    text: &[u8],
    initial: &Position,
    to_end: impl FnOnce(&mut Replay<'_>, CastlingMode),
) -> Played {
    match Start::of(game, text, initial) {
        Ok((start, _)) => {
            let mut replay = Replay::new(game, start.position);
            to_end(&mut replay, start.mode);
            Played {
                stopped: findings::of_replay(game, text, &replay),
                position: Some(replay.position().clone()),
            }
        }
        Err(fault) => Played {
            position: None,
            stopped: Some(findings::no_start(text, fault)),
        },
    }
}
