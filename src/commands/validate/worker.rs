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

    /// Reads a game, and returns its key if it is readable.
    pub(crate) fn key(&mut self, text: &GameText<'_>, null_moves: bool) -> Option<GameKey> {
        let (bytes, initial) = (text.bytes, &self.initial);
        let game = text.read(&mut self.reader);
        let line = LineHash::of_each_move(game, bytes, initial, null_moves, |_| {});
        let is_readable = !game.is_unreadable(bytes);
        is_readable.then(|| GameKey::new(game, bytes, &line, &mut self.players))
    }

    /// The key of the game that has just been checked, if it is readable.
    pub(crate) fn key_of_checked(&mut self, bytes: &[u8]) -> Option<GameKey> {
        let game = self.reader.game();
        if game.is_unreadable(bytes) {
            return None;
        }
        let line = LineHash::of_keys(game, bytes, &self.initial, self.repetitions.keys());
        Some(GameKey::new(game, bytes, &line, &mut self.players))
    }
}
