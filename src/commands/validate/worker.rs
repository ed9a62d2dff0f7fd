//! State of a thread that reads games.

use crate::chess::Position;
use crate::commands::follow::FollowPass;
use crate::findings::Finding;
use crate::findings::fix::GameFixer;
use crate::input::GameText;
use crate::law::Repetitions;
use crate::replay::{GameKey, LineHash, PlayerHashes, Reader};

/// Per-worker state.
#[derive(Default)]
pub(crate) struct Worker {
    pub(crate) reader: Reader,
    pub(crate) initial: Position,
    pub(crate) players: PlayerHashes,
    pub(crate) repetitions: Repetitions,
    pub(crate) findings: Vec<Finding>,
    /// For a format with repairs.
    pub(crate) fixer: Option<GameFixer>,
    pub(crate) pass: FollowPass,
}

impl Worker {
    pub(crate) fn new(reader: Reader) -> Worker {
        Worker {
            reader,
            ..Worker::default()
        }
    }

    /// Reads a game, and returns its key if it is readable: by its squares, unless `plays`.
    pub(crate) fn key(
        &mut self,
        text: &GameText<'_>,
        null_moves: bool,
        plays: bool,
    ) -> Option<GameKey> {
        let (bytes, initial) = (text.bytes, &self.initial);
        let game = text.read(&mut self.reader);
        if game.is_unreadable(bytes) {
            return None;
        }
        let line = match plays {
            true => LineHash::of_each_move(game, bytes, initial, null_moves, |_| {}),
            false => LineHash::of_squares(game, bytes, initial, null_moves, |_| {}),
        };
        Some(GameKey::new(game, bytes, &line, &mut self.players))
    }
}
