//! `--write-clean` and `--write-rejected`: the stored bytes of each game, in one of two files.
//!
//! A piece is a game with the blank lines after it. Anything else between two games belongs to the
//! later one. All pieces in order are the input.

use std::ops::Range;
use std::path::{Path, PathBuf};

use clap::Args;

use crate::commands::run::CommandRun;
use crate::error::Error;
use crate::input::{ByteNotes, Chunk, Encoding, GameText, Offset, Source};
use crate::report::{Bar, Sink};

/// Options of the split.
#[derive(Args, Debug)]
pub(crate) struct SplitArgs {
    /// Write the games without a finding at or above --fail-on to this file, unchanged
    ///
    /// The file is compressed if its name ends with .gz or .zst. Findings about a whole file reject
    /// no game.
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = ["part", "fen", "baseline"],
        hide_short_help = true
    )]
    write_clean: Option<PathBuf>,

    /// Write the games with such a finding to this file, unchanged
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = ["part", "fen", "baseline"],
        hide_short_help = true
    )]
    write_rejected: Option<PathBuf>,
}

impl SplitArgs {
    /// Whether any file is written.
    pub(crate) fn is_asked_for(&self) -> bool {
        self.write_clean.is_some() || self.write_rejected.is_some()
    }

    /// The files, each with its name in messages.
    pub(crate) fn files(&self) -> impl Iterator<Item = (&Path, &'static str)> {
        [
            (&self.write_clean, "the file of the clean games"),
            (&self.write_rejected, "the file of the rejected games"),
        ]
        .into_iter()
        .filter_map(|(path, name)| Some((path.as_deref()?, name)))
    }

    /// Opens the files, if there are any.
    pub(crate) fn open(&self, bar: &Bar) -> Result<Option<Split>, Error> {
        if !self.is_asked_for() {
            return Ok(None);
        }
        let open = |path: &Option<PathBuf>| {
            let path = path.as_deref();
            path.map(|path| SplitFile::open(path, bar)).transpose()
        };
        Ok(Some(Split {
            files: [open(&self.write_clean)?, open(&self.write_rejected)?],
            games: [0; 2],
            encoding: None,
            refused: Vec::new(),
            is_refused: false,
            last: None,
        }))
    }
}

/// A chosen game of a chunk.
#[derive(Clone, Debug)]
pub(crate) struct Piece {
    /// Place of the game in the text of the chunk.
    text: Range<usize>,
    is_rejected: bool,
}

/// Stored bytes of the chosen games of a chunk.
#[derive(Debug)]
pub(crate) struct Pieces {
    encoding: Encoding,
    /// Whether the chunk begins a text.
    begins_text: bool,
    /// Whether the last game of the chunk is chosen.
    ends_chosen: bool,
    bytes: Vec<u8>,
    /// Size of the blank lines that belong to the last game of the previous chunk.
    lead: usize,
    /// Ends of the pieces, and whether each is rejected.
    ends: Vec<(usize, bool)>,
}

impl Piece {
    /// A game of a chunk.
    pub(crate) fn of(game: &GameText<'_>) -> Piece {
        Piece {
            text: game.chunk_offset..game.chunk_offset + game.bytes.len(),
            is_rejected: false,
        }
    }

    pub(crate) fn is_rejected(&self) -> bool {
        self.is_rejected
    }

    /// Rejects the game.
    pub(crate) fn reject(&mut self) {
        self.is_rejected = true;
    }
}

impl Pieces {
    /// Copies the chosen games of a chunk. A game that a read error cuts off is rejected.
    pub(crate) fn of(chunk: &Chunk, notes: &ByteNotes, games: &[Piece]) -> Pieces {
        let (text, stored, encoding) = (chunk.bytes(), chunk.stored(), chunk.encoding());
        let begins_text = chunk.byte() == Offset(0);
        let lead = match begins_text {
            true => 0,
            false => encoding.stored_length(&text[..blank_lines(text)]),
        };
        let mut pieces = Pieces {
            encoding,
            begins_text,
            ends_chosen: games.last().is_some_and(|last| last.text.end == text.len()),
            bytes: stored[..lead].to_vec(),
            lead,
            ends: Vec::with_capacity(games.len()),
        };
        let (mut at, mut stored_at) = (0, 0);
        let mut place = |to: usize| {
            let to = to.max(at);
            stored_at += encoding.stored_length(&text[at..to]);
            at = to;
            stored_at
        };
        for game in games {
            let Range { start, end } = game.text;
            let from = match start {
                0 => lead,
                start => place(start + blank_lines(&text[start..])),
            };
            let is_last = end == text.len();
            let to = match is_last {
                // The last character of a text may be cut off.
                true => stored.len(),
                false => place(end + blank_lines(&text[end..])),
            };
            pieces.bytes.extend_from_slice(&stored[from..to]);
            let is_rejected = game.is_rejected || is_last && notes.is_cut_off;
            pieces.ends.push((pieces.bytes.len(), is_rejected));
        }
        pieces
    }

    /// Memory held, in bytes.
    pub(crate) fn weight(&self) -> usize {
        self.bytes.capacity() + self.ends.capacity() * size_of::<(usize, bool)>()
    }
}

/// Size of the blank rest of a line and the blank lines at the beginning of a text.
fn blank_lines(text: &[u8]) -> usize {
    let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\r' | b'\n');
    let end = text.iter().position(|byte| !is_blank(byte));
    let blank = &text[..end.unwrap_or(text.len())];
    memchr::memrchr(b'\n', blank).map_or(0, |last| last + 1)
}

/// The files of the split. Dropped without [`Split::finish`], they leave the old ones.
pub(crate) struct Split {
    /// Files of the clean and of the rejected games.
    files: [Option<SplitFile>; 2],
    /// Games of each kind.
    games: [u64; 2],
    /// Encoding of the inputs so far.
    encoding: Option<Encoding>,
    /// Inputs whose games are in neither file.
    refused: Vec<Error>,
    /// Whether the current input is one of them.
    is_refused: bool,
    /// Index of the file of the previous game in the input, if that is chosen.
    last: Option<usize>,
}

impl Split {
    /// Writes the pieces of the next chunk.
    pub(crate) fn write(&mut self, pieces: &Pieces, source: &Source) -> Result<(), Error> {
        if pieces.begins_text {
            self.begin_text(pieces.encoding, source);
        }
        if self.is_refused {
            return Ok(());
        }
        if let Some(last) = self.last {
            self.append(last, &pieces.bytes[..pieces.lead])?;
        }
        let mut from = pieces.lead;
        for &(end, is_rejected) in &pieces.ends {
            let nth = usize::from(is_rejected);
            self.games[nth] += 1;
            self.append(nth, &pieces.bytes[from..end])?;
            self.last = Some(nth);
            from = end;
        }
        self.last = self.last.filter(|_| pieces.ends_chosen);
        Ok(())
    }

    fn begin_text(&mut self, encoding: Encoding, source: &Source) {
        self.last = None;
        self.is_refused = *self.encoding.get_or_insert(encoding) != encoding;
        if self.is_refused {
            let reason = "its games are in neither file, as its encoding or line ends differ from \
                          those of the inputs before";
            let error = format!("cannot split `{}`: {reason}", source.name());
            self.refused.push(Error::Usage(error));
            return;
        }
        for file in self.files.iter_mut().flatten() {
            file.end_line(encoding);
        }
    }

    fn append(&mut self, nth: usize, bytes: &[u8]) -> Result<(), Error> {
        match &mut self.files[nth] {
            Some(file) => file.append(bytes),
            None => Ok(()),
        }
    }

    /// Reports the inputs whose games are in neither file.
    pub(crate) fn report(&self, run: &mut CommandRun) {
        for error in &self.refused {
            run.fail(error);
        }
    }

    /// Moves the files to their places.
    pub(crate) fn finish(self) -> Result<String, Error> {
        for mut file in self.files.into_iter().flatten() {
            file.sink.finish()?;
        }
        let [clean, rejected] = self.games;
        Ok(format!("split: {clean} clean, {rejected} rejected"))
    }
}

struct SplitFile {
    sink: Sink,
    /// Last bytes written, as many as a line end can have.
    tail: Vec<u8>,
    /// Line end that is written before the next games.
    line_end: &'static [u8],
}

impl SplitFile {
    fn open(path: &Path, bar: &Bar) -> Result<SplitFile, Error> {
        Ok(SplitFile {
            sink: Sink::open(Some(path), bar.clone())?,
            tail: Vec::new(),
            line_end: b"",
        })
    }

    fn append(&mut self, bytes: &[u8]) -> Result<(), Error> {
        if bytes.is_empty() {
            return Ok(());
        }
        self.tail = bytes[bytes.len().saturating_sub(2)..].to_vec();
        self.sink.write(std::mem::take(&mut self.line_end))?;
        self.sink.write(bytes)
    }

    /// Ends the line of the last game of an input, before the games of another.
    fn end_line(&mut self, encoding: Encoding) {
        if !self.tail.is_empty() && !self.tail.ends_with(encoding.line_end()) {
            self.line_end = encoding.line_end();
        }
    }
}
