//! Replay of the games of a chunk.

use std::cell::OnceCell;

use crate::commands::accounts::Accounts;
use crate::commands::replay::formats::{GameFormat, GameItem};
use crate::commands::replay::rows::Replayer;
use crate::commands::validate::formats::concise;
use crate::commands::validate::report::Lines;
use crate::error::Error;
use crate::input::{Chunk, Source};
use crate::replay::Reader;
use crate::report::escape::Escaped;
use crate::report::{Buffer, BufferPool};

/// Per-worker state.
pub(crate) struct ReplayState {
    reader: Reader,
    replayer: Replayer,
    text: String,
}

impl ReplayState {
    pub(crate) fn new(reader: Reader) -> ReplayState {
        ReplayState {
            reader,
            replayer: Replayer::default(),
            text: String::new(),
        }
    }
}

/// Result of one chunk.
#[derive(Default)]
pub(crate) struct ReplayedChunk {
    /// Output.
    pub(crate) data: Buffer,
    /// Findings that stopped games, formatted.
    pub(crate) stops: String,
    pub(crate) accounts: Accounts,
    /// Games without any of the requested plies.
    pub(crate) lacking: u64,
    /// Description of the first of them.
    pub(crate) first_lacking: Option<String>,
    /// Error of writing a picture.
    pub(crate) error: Option<Error>,
}

pub(crate) fn replay_chunk(
    chunk: &Chunk,
    source: &Source,
    state: &mut ReplayState,
    format: &GameFormat,
    pool: &BufferPool,
) -> ReplayedChunk {
    let mut done = ReplayedChunk {
        data: pool.take(),
        ..ReplayedChunk::default()
    };
    let file = OnceCell::new();
    let mut lines = Lines::new(chunk);
    for text in chunk.games() {
        let game = state.reader.read(text.bytes, text.unclosed_comment);
        let item = GameItem {
            source,
            text: &text,
            game,
            replayer: &mut state.replayer,
            file: &file,
            scratch: &mut state.text,
        };
        let played = match format.item(&mut done.data, item) {
            Ok(played) => played,
            Err(error) => {
                done.error = Some(error);
                break;
            }
        };
        done.accounts.add(played.status(game));
        if played.lacks_plies {
            done.lacking += 1;
            done.first_lacking.get_or_insert_with(|| {
                let (number, plies) = (text.origin.game, game.plies());
                let unit = if plies == 1 { "ply" } else { "plies" };
                format!(
                    "{}, game {number}, has {plies} {unit}",
                    Escaped(source.name())
                )
            });
        }
        for finding in played.faults {
            concise(
                &mut done.stops,
                source.name(),
                &lines.report(&text, finding),
            );
        }
    }
    done
}
