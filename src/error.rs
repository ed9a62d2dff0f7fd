//! Errors that stop a run, or one source of a run. A fault in a game is never an [`Error`]: it is a
//! value.

use std::borrow::Cow;
use std::fmt::Display;
use std::io;

use chess_arbiter_core::split::{TextError, unsupported_compression};

/// Reason why a run, or one of its sources, could not go on.
///
/// Errors about a file name its path, as it was given or as `<stdin>`, and what was being done.
/// Paths are not escaped: the caller escapes what it prints.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file, a directory or an archive could not be opened, searched, read or written.
    #[error("cannot {doing} `{path}`{}: {}{}", beyond(*at), sentence(source), of_address(path))]
    Io {
        /// Path of the file or directory, `<stdin>` or `<stdout>`.
        path: String,
        /// The operation: `open`, `search`, `read`, `read the archive`, `write`.
        doing: &'static str,
        /// Offset in the file as it is stored, in bytes from 0.
        at: Option<u64>,
        /// Cause.
        source: io::Error,
    },
    /// A compressed stream is truncated or corrupt.
    #[error(
        "cannot decompress `{path}`: {format} data {} near byte {at}, after {delivered} bytes of \
         text: {}",
        damage(source),
        sentence(source)
    )]
    Decompress {
        /// Path of the source.
        path: String,
        /// Compression, as users write it: `zstd`, `gzip`, `zip`.
        format: &'static str,
        /// Offset in the compressed stream, in bytes from 0.
        at: u64,
        /// Decompressed bytes delivered before.
        delivered: u64,
        /// Cause; of kind [`io::ErrorKind::UnexpectedEof`] if the stream is truncated.
        source: io::Error,
    },
    /// The source holds data that cannot be read: an unsupported compression, an encrypted archive
    /// member, bytes that are not text.
    #[error("cannot read `{path}`: {reason}")]
    Unsupported {
        /// Path of the source.
        path: String,
        /// Kind of data, and the remedy.
        reason: String,
    },
    /// A source without games.
    #[error("no game found in `{path}`: {reason}")]
    NoGames {
        /// Path of the source.
        path: String,
        /// Content found instead.
        reason: String,
        /// Whether there is nothing but white space and comments.
        is_empty: bool,
        /// Whether this is only a note: for an empty source among others, and in a part.
        is_note: bool,
    },
    /// One game exceeds the limit; the rest of the source is not read.
    #[error("cannot read `{path}` beyond byte {at}: game {game} is larger than {limit} bytes")]
    GameTooLarge {
        /// Path of the source.
        path: String,
        /// Number of the game, from 1.
        game: u64,
        /// Start of the game in the decompressed stream, in bytes from 0.
        at: u64,
        /// Limit, in bytes.
        limit: u64,
    },
    /// A FEN, a perft suite, a baseline or a file of statistics is invalid.
    #[error("cannot use the {what} `{}`: {}{}", one_line(path), at_line(*line), one_line(reason))]
    Invalid {
        /// Kind of the file or argument: `FEN`, `suite`, `baseline`.
        what: &'static str,
        /// Path of the file, or the argument itself.
        path: String,
        /// Line, from 1.
        line: Option<u64>,
        /// Fault.
        reason: String,
    },
    /// Options that do not go together, a missing input, or more threads than can be started.
    #[error("{0}")]
    Usage(String),
    /// A defect of the program.
    #[error("{0}: this is a defect of arbiter, please report it")]
    Internal(String),
}

impl Error {
    /// [`Error::Io`] without an offset.
    pub(crate) fn io(path: impl Into<String>, doing: &'static str, source: io::Error) -> Error {
        Error::Io {
            path: path.into(),
            doing,
            at: None,
            source,
        }
    }

    /// The [`Error`] that a reader of this crate wrapped, or [`Error::Io`] for any other.
    pub(crate) fn from_read(path: &str, at: u64, cause: io::Error) -> Error {
        cause.downcast().unwrap_or_else(|source| Error::Io {
            path: path.to_owned(),
            doing: "read",
            at: Some(at),
            source,
        })
    }

    /// The [`Error`] that a reader wrapped, or [`Error::Decompress`] of a decompressor that has
    /// read up to `at`, without the path and the bytes delivered.
    pub(crate) fn decompress(format: &'static str, at: u64, cause: io::Error) -> Error {
        cause.downcast().unwrap_or_else(|source| Error::Decompress {
            path: String::new(),
            format,
            at,
            delivered: 0,
            source,
        })
    }

    /// [`Error::Unsupported`].
    pub(crate) fn unsupported(path: impl Into<String>, reason: impl Into<String>) -> Error {
        Error::Unsupported {
            path: path.into(),
            reason: reason.into(),
        }
    }

    /// [`Error::Unsupported`] for a compression that is not read.
    pub(crate) fn unsupported_compression(path: impl Into<String>, format: &str) -> Error {
        Error::unsupported(path, unsupported_compression(format))
    }

    /// The error of the text of a source.
    pub(crate) fn from_text(path: &str, error: TextError) -> Error {
        match error {
            TextError::Read { at, source } => Error::from_read(path, at, source),
            TextError::NoGames { reason, is_empty } => Error::NoGames {
                path: path.to_owned(),
                reason,
                is_empty,
                is_note: false,
            },
            TextError::GameTooLarge { game, at, limit } => Error::GameTooLarge {
                path: path.to_owned(),
                game,
                at,
                limit,
            },
            error => Error::unsupported(path, error.to_string()),
        }
    }

    /// [`Error::NoGames`].
    pub(crate) fn no_games(path: impl Into<String>, reason: impl Into<String>) -> Error {
        Error::NoGames {
            path: path.into(),
            reason: reason.into(),
            is_empty: false,
            is_note: false,
        }
    }

    /// True if the run does not fail.
    pub(crate) fn is_note(&self) -> bool {
        matches!(self, Error::NoGames { is_note: true, .. })
    }

    /// [`Error::Invalid`], with a line if there is one.
    pub(crate) fn invalid(
        what: &'static str,
        path: impl Into<String>,
        line: impl Into<Option<u64>>,
        reason: impl Into<String>,
    ) -> Error {
        Error::Invalid {
            what,
            path: path.into(),
            line: line.into(),
            reason: reason.into(),
        }
    }

    /// [`Error::Usage`].
    pub(crate) fn usage(reason: impl Into<String>) -> Error {
        Error::Usage(reason.into())
    }

    /// [`Error::Usage`] for threads that could not be started.
    pub(crate) fn threads(wanted: usize, cause: &dyn std::error::Error) -> Error {
        let plural = if wanted == 1 { "" } else { "s" };
        Error::Usage(format!(
            "cannot start {wanted} thread{plural}: {}",
            sentence(cause)
        ))
    }

    /// [`Error::Usage`] for an output that is also an input.
    pub(crate) fn output_is_input(path: impl std::fmt::Display) -> Error {
        Error::Usage(format!("cannot write `{path}`: it is an input as well"))
    }

    /// Path as it was given, unescaped; the FEN if that is invalid; empty if there is none.
    pub(crate) fn path(&self) -> &str {
        match self {
            Error::Io { path, .. }
            | Error::Decompress { path, .. }
            | Error::Unsupported { path, .. }
            | Error::NoGames { path, .. }
            | Error::GameTooLarge { path, .. }
            | Error::Invalid { path, .. } => path,
            Error::Usage(_) | Error::Internal(_) => "",
        }
    }
}

/// An [`Error`] travels through [`io::Read`] inside an [`io::Error`].
impl From<Error> for io::Error {
    fn from(error: Error) -> io::Error {
        io::Error::other(error)
    }
}

/// The sentence of the system in an error, without the number that the standard library adds.
pub fn sentence(cause: impl Display) -> String {
    let mut text = cause.to_string();
    if let Some(from) = text.find(" (os error ")
        && let Some(length) = text[from..].find(')')
    {
        text.replace_range(from..=from + length, "");
    }
    text
}

fn damage(cause: &io::Error) -> &'static str {
    let is_cut = cause.kind() == io::ErrorKind::UnexpectedEof;
    if is_cut { "truncated" } else { "corrupt" }
}

fn beyond(at: Option<u64>) -> String {
    at.map_or_else(String::new, |at| format!(" beyond byte {at}"))
}

/// Help for a path that is an address of the web.
fn of_address(path: &str) -> &'static str {
    match path.contains("://") {
        true => "; addresses are not read: download it, or use `curl ADDRESS | arbiter …`",
        false => "",
    }
}

/// The first line of a text that may be quoted from a file, of at most 1000 characters.
fn one_line(text: &str) -> Cow<'_, str> {
    let line = text.split('\n').next().unwrap_or_default();
    match line.char_indices().nth(1_000) {
        Some((end, _)) => Cow::Owned(format!("{}…", &line[..end])),
        None => Cow::Borrowed(line),
    }
}

fn at_line(line: Option<u64>) -> String {
    line.map_or_else(String::new, |line| format!("line {line}: "))
}

#[cfg(test)]
mod tests {
    use std::error::Error as _;

    use super::*;

    #[test]
    fn an_error_survives_the_way_through_a_reader() {
        let wrapped = io::Error::from(Error::unsupported("x.pgn", "it is encrypted"));
        let error = Error::from_read("other", 3, wrapped);
        assert_eq!(error.to_string(), "cannot read `x.pgn`: it is encrypted");

        let error = Error::from_read("other", 3, io::Error::other("gone"));
        assert_eq!(error.to_string(), "cannot read `other` beyond byte 3: gone");
        assert!(error.source().is_some());
    }

    #[test]
    fn the_system_speaks_without_numbers() {
        let missing = || io::Error::from_raw_os_error(2);
        let expected = missing().to_string().replace(" (os error 2)", "");
        assert!(!expected.contains("os error"), "{expected}");
        assert_eq!(sentence(missing()), expected);
        // Crates wrap errors in sentences of their own.
        let wrapped = io::Error::other(format!("{} at path `x (1)`", missing()));
        assert_eq!(sentence(wrapped), format!("{expected} at path `x (1)`"));
        assert_eq!(sentence("gone (os error"), "gone (os error");

        let error = Error::io("x.pgn", "open", missing());
        assert_eq!(
            error.to_string(),
            format!("cannot open `x.pgn`: {expected}")
        );
    }
}
