//! Errors that end the reading of a text. A fault in a game is never one of them: it is a value.

use std::io;

/// Reason why a text cannot be read, or not to its end. The caller knows its name.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TextError {
    /// The reader failed.
    #[error("byte {at}: {source}")]
    Read {
        /// Offset in bytes, from 0.
        at: u64,
        /// Cause.
        source: io::Error,
    },
    /// The data is not text, or is compressed.
    #[error("{0}")]
    Unsupported(String),
    /// The text has no games.
    #[error("{reason}")]
    NoGames {
        /// Content found instead.
        reason: String,
        /// Whether there is nothing but white space and comments.
        is_empty: bool,
    },
    /// One game exceeds the limit; the rest of the text is not read.
    #[error("game {game} is larger than {limit} bytes")]
    GameTooLarge {
        /// Number of the game, from 1.
        game: u64,
        /// Start of the game, in bytes from 0.
        at: u64,
        /// Limit, in bytes.
        limit: u64,
    },
}

impl TextError {
    /// The sentence about a text of this name.
    pub fn sentence(&self, name: &str) -> String {
        match self {
            TextError::NoGames { reason, .. } => format!("no game found in `{name}`: {reason}"),
            TextError::Read { at, source } => {
                format!("cannot read `{name}` beyond byte {at}: {source}")
            }
            TextError::GameTooLarge { at, .. } => {
                format!("cannot read `{name}` beyond byte {at}: {self}")
            }
            error => format!("cannot read `{name}`: {error}"),
        }
    }
}
