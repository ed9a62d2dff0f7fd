//! `--write-clean` and `--write-rejected`: the stored bytes of each game, in one of two files.
//!
//! A piece is a game with the blank lines after it. A comment between two games belongs to the one
//! before it, anything else to the later one. All pieces in order are the input. Between two inputs
//! stand line ends, so that games of both stay games.

use std::ops::Range;
use std::path::{Path, PathBuf};

use clap::Args;

use crate::commands::run::CommandRun;
use crate::commands::validate::joined_texts::{JoinedTexts, are_one};
use crate::error::Error;
use crate::input::{Chunk, Encoding, GameNo, InputKind, Offset, Source, begins_at_sync_point};
use crate::report::{Bar, Sink, append};

/// Options of the split.
#[derive(Args, Debug)]
#[command(next_help_heading = "Output")]
pub(crate) struct SplitArgs {
    /// Write the games without a finding at or above --fail-on
    ///
    /// They are unchanged. The file is compressed if its name ends with .gz or .zst. Findings about
    /// a whole file reject no game.
    #[arg(long, value_name = "FILE")]
    write_clean: Option<PathBuf>,

    /// Write the games with such a finding to this file, unchanged
    #[arg(long, value_name = "FILE", hide_short_help = true)]
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

    /// Opens the files for the games of these sources, if there are any.
    ///
    /// # Errors
    ///
    /// Sources of different kinds, or a file that cannot be written.
    pub(crate) fn open(
        &self,
        sources: &[Source],
        bar: &Bar,
        compares: bool,
    ) -> Result<Option<Split>, Error> {
        if !self.is_asked_for() {
            return Ok(None);
        }
        refuse_kinds(sources)?;
        let open = |path: &Option<PathBuf>| {
            let path = path.as_deref();
            path.map(|path| SplitFile::open(path, bar)).transpose()
        };
        Ok(Some(Split {
            files: [open(&self.write_clean)?, open(&self.write_rejected)?],
            compares,
            ..Split::default()
        }))
    }
}

/// Refuses sources of which no single file can hold the text.
fn refuse_kinds(sources: &[Source]) -> Result<(), Error> {
    let mut others = sources.iter();
    let Some(other) = others.find(|other| other.kind != sources[0].kind) else {
        return Ok(());
    };
    let [first, other] = [&sources[0], other].map(|source| {
        let kind = source.kind.extension()[1..].to_uppercase();
        format!("`{}` is {kind}", source.name())
    });
    Err(Error::Usage(format!(
        "{first} and {other}, and one file cannot hold both: split them in two runs"
    )))
}

/// A chosen game of a chunk.
#[derive(Clone, Debug)]
pub(crate) struct SplitPiece {
    /// Place of the game in the text of the chunk.
    pub(crate) text: Range<usize>,
    pub(crate) number: GameNo,
    pub(crate) rejection: Option<Rejection>,
}

/// Why a game is not among the clean ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Rejection {
    Duplicate,
    Faulty,
}

/// Size of the blank rest of a line and the blank lines at the beginning of a text.
fn blank_lines(text: &[u8]) -> usize {
    let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\r' | b'\n');
    let end = text.iter().position(|byte| !is_blank(byte));
    let blank = &text[..end.unwrap_or(text.len())];
    memchr::memrchr(b'\n', blank).map_or(0, |last| last + 1)
}

/// The files of the split. Dropped without [`Split::finish`], they leave the old ones.
#[derive(Default)]
pub(crate) struct Split {
    /// Files of the clean and of the rejected games.
    files: [Option<SplitFile>; 2],
    /// Whether duplicates are looked for.
    compares: bool,
    clean: u64,
    duplicates: u64,
    faulty: u64,
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
    pub(crate) fn write(
        &mut self,
        chunk: &Chunk,
        pieces: &[SplitPiece],
        source: &Source,
    ) -> Result<(), Error> {
        let (text, stored, encoding) = (chunk.bytes(), chunk.stored(), chunk.encoding);
        if chunk.byte == Offset(0) {
            self.begin_text(encoding, source);
        }
        if self.is_refused {
            return Ok(());
        }
        // Blank lines belong to the last game of the previous chunk.
        let lead = if chunk.byte == Offset(0) {
            0
        } else {
            blank_lines(text)
        };
        let mut stored_at = (lead, encoding.stored_length(&text[..lead]));
        let mut place = |to: usize| {
            let (at, before) = stored_at;
            let to = to.max(at);
            stored_at = (to, before + encoding.stored_length(&text[at..to]));
            stored_at.1
        };
        if let Some(Some(file)) = self.last.map(|last| &mut self.files[last]) {
            let blank = &stored[..place(lead)];
            file.games.last.extend_from_slice(blank);
            file.sink.write(blank)?;
        }
        let mut end_before = 0;
        for piece in pieces {
            let Range { start, end } = piece.text;
            let from = match start {
                0 => place(lead),
                start => place(start + blank_lines(&text[start..])),
            };
            // The last character of a text may be cut off.
            let to = if end == text.len() {
                stored.len()
            } else {
                place(end + blank_lines(&text[end..]))
            };
            let nth = usize::from(piece.rejection.is_some());
            let game = &stored[from..to];
            if let Some(file) = &mut self.files[nth] {
                let follows = start == end_before && self.last == Some(nth);
                let games = &file.games;
                if !follows && !games.is_joined && is_rest_of(&games.last, game, encoding, source) {
                    return Err(file.refuse(piece.number, source));
                }
                file.write(game, encoding, source)?;
            }
            *match piece.rejection {
                None => &mut self.clean,
                Some(Rejection::Duplicate) => &mut self.duplicates,
                Some(Rejection::Faulty) => &mut self.faulty,
            } += 1;
            self.last = Some(nth);
            end_before = end;
        }
        // The last game of the chunk may not be chosen.
        self.last = self.last.filter(|_| end_before == text.len());
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
            file.games.begin();
        }
    }

    /// Reports the inputs whose games are in neither file, and files in two encodings.
    pub(crate) fn report(&self, run: &mut CommandRun) {
        for error in &self.refused {
            run.fail(error);
        }
        for file in self.files.iter().flatten() {
            if let Some(note) = file.games.encodings_note(file.name()) {
                run.output.log.note(&note);
            }
        }
    }

    /// Whether a game is not among the clean ones.
    pub(crate) fn has_rejected(&self) -> bool {
        self.duplicates + self.faulty > 0
    }

    /// Moves the files to their places. Returns the closing line, which tells duplicates from other
    /// rejected games if they were looked for.
    pub(crate) fn finish(self) -> Result<String, Error> {
        let (clean, duplicates, faulty) = (self.clean, self.duplicates, self.faulty);
        let mut line = format!("split: {clean} clean, {} rejected", duplicates + faulty);
        if self.compares {
            append!(line, " ({duplicates} duplicate, {faulty} faulty)");
        }
        for mut file in self.files.into_iter().flatten() {
            file.sink.finish()?;
        }
        Ok(line)
    }
}

struct SplitFile {
    sink: Sink,
    /// The games written so far.
    games: JoinedTexts,
}

impl SplitFile {
    fn open(path: &Path, bar: &Bar) -> Result<SplitFile, Error> {
        let mut sink = Sink::open(Some(path), bar.clone())?;
        sink.begin_games();
        Ok(SplitFile {
            sink,
            games: JoinedTexts::default(),
        })
    }

    /// The error for a game that would be read as a part of another.
    fn refuse(&self, game: GameNo, source: &Source) -> Error {
        Error::Usage(format!(
            "`{}` cannot be split: without the games between, its game {} would be read as the \
             rest of the last one in `{}`, which has no end",
            source.name(),
            game.0,
            self.name(),
        ))
    }

    fn name(&self) -> &str {
        self.sink.file().unwrap_or("<stdout>")
    }

    /// Writes a game.
    fn write(&mut self, game: &[u8], encoding: Encoding, source: &Source) -> Result<(), Error> {
        let added = self.games.add(game, encoding, source.kind, source.name());
        let Some((line_ends, game)) = added else {
            return Err(Error::Usage(format!(
                "`{}` has to be split in a run of its own: after the last game of the inputs \
                 before, which has no end, a game of it would be read as the rest of that",
                source.name()
            )));
        };
        self.sink.write(&line_ends)?;
        self.sink.write(game)
    }
}

/// Whether a game of the same input would be read as a part of the last one, or of none, if it
/// followed that.
fn is_rest_of(last: &[u8], game: &[u8], encoding: Encoding, source: &Source) -> bool {
    if last.is_empty() || source.kind != InputKind::Pgn {
        return false;
    }
    let [last, game] = [last, game].map(|text| encoding.decode(text));
    !begins_at_sync_point(&last, &game) && are_one(&last, &game, &[&last[..], &game].concat())
}
