//! What stops a run, or one source of a run. A fault in a game is never an [`Error`]: it is a value.

use std::error::Error as StdError;
use std::fmt;
use std::io;

use crate::input::{GameNo, LineNo, Offset};
use crate::report::escape::Escaped;

/// Why a run, or one of its sources, could not go on.
///
/// Every variant that concerns a file names its path, as it was given or as `<stdin>`, and what was being done.
/// The sentence ends with the cause of the operating system or of the decompressor, which [`StdError::source`]
/// also returns: print one or the other.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// A file could not be opened.
    Open {
        /// The file.
        path: String,
        /// What the operating system said.
        cause: io::Error,
    },
    /// A directory, or an entry in it, could not be looked at.
    Search {
        /// The directory or the entry.
        path: String,
        /// What the operating system said.
        cause: io::Error,
    },
    /// Reading from an open source failed.
    Read {
        /// The source.
        path: String,
        /// The place in the file as it is stored, in bytes from 0.
        at: Offset,
        /// What the operating system said.
        cause: io::Error,
    },
    /// A compressed stream is truncated or corrupt.
    Decompress {
        /// The source.
        path: String,
        /// The compression, as users write it: `zstd`, `gzip`, `zip`.
        format: &'static str,
        /// How far into the compressed stream the trouble was met, in bytes from 0.
        at: Offset,
        /// How many decompressed bytes were delivered before, in bytes.
        delivered: u64,
        /// What the decompressor said; of kind [`io::ErrorKind::UnexpectedEof`] when the stream is cut off.
        cause: io::Error,
    },
    /// A decompressor would have to remember more of the text than is allowed for.
    Window {
        /// The source.
        path: String,
        /// The compression: `zstd`, `xz`, `lzma`.
        format: &'static str,
        /// What is allowed for, in bytes.
        limit: u64,
    },
    /// The source, or a member of an archive, is packed in a way that is not read here.
    UnsupportedCompression {
        /// The source.
        path: String,
        /// The way, as users write it: `7z`, `lz4`, `tar`.
        format: &'static str,
    },
    /// What has been unpacked is packed again.
    PackedTwice {
        /// The source.
        path: String,
        /// How: `gzip`, `zip`.
        format: &'static str,
    },
    /// A member of an archive is encrypted.
    Encrypted {
        /// Archive and member.
        path: String,
    },
    /// A member of an archive that comes through a pipe is neither compressed nor preceded by its length.
    NoLength {
        /// Archive and member.
        path: String,
    },
    /// An archive's structure is cut off or corrupt.
    Archive {
        /// The archive.
        path: String,
        /// What is wrong with it.
        cause: io::Error,
    },
    /// An archive holds no file that could be read.
    NoMember {
        /// The archive.
        path: String,
        /// How the names of such files end.
        wanted: &'static str,
        /// A file that it holds instead.
        other: Option<String>,
    },
    /// An archive was opened as if it were one text.
    SeveralTexts {
        /// The archive.
        path: String,
    },
    /// The source holds bytes that are no text.
    Binary {
        /// The source.
        path: String,
        /// The first of them in the unpacked stream, in bytes from 0.
        at: Offset,
        /// What it is.
        byte: u8,
    },
    /// A directory, searched to the bottom, holds no PGN file.
    NoPgnFiles {
        /// The directory.
        path: String,
    },
    /// The source holds no byte at all.
    Empty {
        /// The source.
        path: String,
    },
    /// The source holds only white space, comments and escaped (`%`) lines.
    NoGame {
        /// The source.
        path: String,
    },
    /// One game is larger than the limit; the rest of the source is not read.
    GameTooLarge {
        /// The source.
        path: String,
        /// The game, where games are numbered.
        game: Option<GameNo>,
        /// Where the game begins in the decompressed stream, in bytes from 0.
        at: Offset,
        /// The limit, in bytes.
        limit: u64,
    },
    /// No input is named, and stdin is a terminal.
    NoInput,
    /// The output would be written over an input.
    OutputIsInput {
        /// The file.
        path: String,
    },
    /// The threads could not be started.
    Threads {
        /// How many were wanted.
        wanted: usize,
        /// What the operating system said.
        cause: String,
    },
    /// The games that were judged are not those that were found. This is a defect of the program.
    Accounts {
        /// Games found.
        seen: u64,
        /// Games judged.
        judged: u64,
    },
    /// Flags on the command line that do not go together.
    Flags {
        /// Which, and why not.
        reason: String,
    },
    /// The bytes of the games that were judged, and those that belong to no game, are not those that were read. This is a
    /// defect of the program.
    Bytes {
        /// Bytes read.
        read: u64,
        /// Bytes of the games judged.
        judged: u64,
        /// Bytes that belong to no game, as an error has said.
        outside: u64,
    },
    /// A FEN on the command line cannot be read or played.
    Fen {
        /// The FEN.
        path: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A perft suite cannot be read.
    Suite {
        /// The file.
        path: String,
        /// The line.
        line: LineNo,
        /// What is wrong with it.
        reason: String,
    },
    /// A divide of another engine cannot be read.
    Divide {
        /// The file.
        path: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A baseline cannot be read.
    Baseline {
        /// The file.
        path: String,
        /// The line, from 1.
        line: u64,
        /// What is wrong with it.
        reason: String,
    },
    /// Statistics that were written as JSON cannot be read, or not be added to others or compared with them.
    Statistics {
        /// The file.
        path: String,
        /// Why.
        reason: String,
    },
    /// Output could not be written.
    Write {
        /// The file, or `<stdout>`.
        path: String,
        /// What the operating system said.
        cause: io::Error,
    },
}

impl Error {
    /// The path concerned, as it was given, unescaped; the FEN for [`Error::Fen`]; empty where there is none.
    pub fn path(&self) -> &str {
        match self {
            Error::Open { path, .. }
            | Error::Search { path, .. }
            | Error::Read { path, .. }
            | Error::Decompress { path, .. }
            | Error::UnsupportedCompression { path, .. }
            | Error::Binary { path, .. }
            | Error::Window { path, .. }
            | Error::PackedTwice { path, .. }
            | Error::Encrypted { path }
            | Error::NoLength { path }
            | Error::Archive { path, .. }
            | Error::NoMember { path, .. }
            | Error::SeveralTexts { path }
            | Error::NoPgnFiles { path }
            | Error::Empty { path }
            | Error::NoGame { path }
            | Error::GameTooLarge { path, .. }
            | Error::OutputIsInput { path }
            | Error::Fen { path, .. }
            | Error::Suite { path, .. }
            | Error::Divide { path, .. }
            | Error::Baseline { path, .. }
            | Error::Statistics { path, .. }
            | Error::Write { path, .. } => path,
            Error::NoInput => "<stdin>",
            Error::Accounts { .. }
            | Error::Bytes { .. }
            | Error::Threads { .. }
            | Error::Flags { .. } => "",
        }
    }

    /// Takes back the [`Error`] that a reader of this crate wrapped, or names `path` and the place for any other.
    pub(crate) fn from_read(path: &str, at: Offset, cause: io::Error) -> Error {
        cause.downcast().unwrap_or_else(|cause| Error::Read {
            path: path.to_owned(),
            at,
            cause,
        })
    }
}

/// An [`Error`] travels through [`io::Read`] inside an [`io::Error`], and is taken out again on the other side.
impl From<Error> for io::Error {
    fn from(error: Error) -> io::Error {
        io::Error::other(error)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = Escaped(self.path());
        match self {
            Error::Open { cause, .. } => write!(f, "cannot open `{path}`: {cause}"),
            Error::Search { cause, .. } => write!(f, "cannot search `{path}`: {cause}"),
            Error::Read { at, cause, .. } => {
                write!(f, "cannot read `{path}` beyond byte {at}: {cause}")
            }
            Error::Decompress {
                format,
                at,
                delivered,
                cause,
                ..
            } => {
                let state = match cause.kind() {
                    io::ErrorKind::UnexpectedEof => "truncated",
                    _ => "corrupt",
                };
                write!(
                    f,
                    "cannot decompress `{path}`: {format} data {state} near byte {at}, after {delivered} bytes of text: {cause}"
                )
            }
            Error::Window { format, limit, .. } => {
                let cure = match *format {
                    "zstd" => "zstd -dc --long=31",
                    _ => "xz -dc",
                };
                let limit = limit >> 20;
                write!(
                    f,
                    "cannot decompress `{path}`: its {format} data needs a window of more than {limit} MiB; unpack it with \
                     `{cure}` and pipe it in"
                )
            }
            Error::UnsupportedCompression { format, .. } => write!(
                f,
                "cannot read `{path}`: it is packed with {format}, which is not read here; unpack it first"
            ),
            Error::PackedTwice { format, .. } => write!(
                f,
                "cannot read `{path}`: it is packed twice, inside with {format}; unpack it once first"
            ),
            Error::Encrypted { .. } => write!(f, "cannot read `{path}`: it is encrypted"),
            Error::NoLength { .. } => write!(
                f,
                "cannot read `{path}` or what follows it: where it ends is said only at the end of the archive; \
                 save the archive in a file first"
            ),
            Error::Archive { cause, .. } => write!(f, "cannot read the archive `{path}`: {cause}"),
            Error::NoMember { wanted, other, .. } => {
                write!(f, "no `{wanted}` file found in archive `{path}`")?;
                match other {
                    Some(other) => write!(f, ", only others such as `{}`", Escaped(other)),
                    None => f.write_str(": it is empty"),
                }
            }
            Error::SeveralTexts { .. } => {
                write!(f, "cannot read `{path}` as one text: it is an archive")
            }
            Error::Binary { at, byte, .. } => {
                write!(
                    f,
                    "cannot read `{path}`: not text, byte {at} is {byte:#04x}"
                )
            }
            Error::NoPgnFiles { .. } => write!(
                f,
                "no `.pgn` file, plain or compressed, found in directory `{path}`"
            ),
            Error::Empty { .. } => write!(f, "no game found in `{path}`: it is empty"),
            Error::NoGame { .. } => {
                write!(
                    f,
                    "no game found in `{path}`: it holds only white space and comments"
                )
            }
            Error::GameTooLarge {
                game, at, limit, ..
            } => match game {
                Some(game) => write!(
                    f,
                    "cannot read `{path}` beyond byte {at}: game {game} is larger than {limit} bytes"
                ),
                None => write!(
                    f,
                    "cannot read `{path}` beyond byte {at}: a game is larger than {limit} bytes"
                ),
            },
            Error::NoInput => {
                f.write_str("no input: name files or directories, or pipe games to stdin")
            }
            Error::OutputIsInput { .. } => {
                write!(f, "cannot write `{path}`: it is an input as well")
            }
            Error::Threads { wanted, cause } => {
                let threads = if *wanted == 1 { "thread" } else { "threads" };
                write!(f, "cannot start {wanted} {threads}: {cause}")
            }
            Error::Accounts { seen, judged } => write!(
                f,
                "{seen} games were found but {judged} judged: this is a defect of arbiter, please report it"
            ),
            Error::Flags { reason } => f.write_str(reason),
            Error::Bytes {
                read,
                judged,
                outside,
            } => write!(
                f,
                "{read} bytes were read, but {judged} judged and {outside} left out: this is a defect of arbiter, please report it"
            ),
            Error::Fen { reason, .. } => {
                write!(f, "cannot use the FEN `{path}`: {}", Escaped(reason))
            }
            Error::Divide { reason, .. } => write!(f, "cannot read `{path}`: {}", Escaped(reason)),
            Error::Suite { line, reason, .. } => {
                write!(f, "cannot read `{path}`: line {line}: {}", Escaped(reason))
            }
            Error::Baseline { line, reason, .. } => write!(
                f,
                "cannot use the baseline `{path}`: line {line}: {}",
                Escaped(reason)
            ),
            Error::Statistics { reason, .. } => {
                write!(
                    f,
                    "cannot use the statistics in `{path}`: {}",
                    Escaped(reason)
                )
            }
            Error::Write { cause, .. } => write!(f, "cannot write `{path}`: {cause}"),
        }
    }
}

impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        match self {
            Error::Open { cause, .. }
            | Error::Search { cause, .. }
            | Error::Read { cause, .. }
            | Error::Decompress { cause, .. }
            | Error::Archive { cause, .. }
            | Error::Write { cause, .. } => Some(cause),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_in_a_path_do_not_reach_the_terminal() {
        let error = Error::Empty {
            path: "a\u{1b}[2J\nü.pgn".to_owned(),
        };
        assert_eq!(
            error.to_string(),
            "no game found in `a\\u{1b}[2J\\u{a}ü.pgn`: it is empty"
        );
    }

    #[test]
    fn an_error_survives_the_way_through_a_reader() {
        let wrapped = io::Error::from(Error::Encrypted {
            path: "x.pgn".to_owned(),
        });
        let error = Error::from_read("other", Offset(3), wrapped);
        assert!(matches!(error, Error::Encrypted { path } if path == "x.pgn"));

        let error = Error::from_read("other", Offset(3), io::Error::other("gone"));
        assert_eq!(error.to_string(), "cannot read `other` beyond byte 3: gone");
        assert!(error.source().is_some());
    }
}
