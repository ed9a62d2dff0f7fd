//! Stored bytes of each game, in one of two outputs: clean or rejected games, chosen or other ones.
//!
//! A piece is a game with the blank lines after it. A comment between two games belongs to the one
//! before it, anything else to the later one. All pieces in order are the input. Between two inputs
//! stand line ends, so that games of both stay games.

mod joined_texts;
mod keyed_files;
mod split_by;

use std::ops::Range;
use std::path::Path;

use crate::commands::args::GameArgs;
use crate::commands::run::CommandRun;
use crate::commands::split::joined_texts::are_one;
use crate::commands::split::keyed_files::KeyedFile;
use crate::error::Error;
use crate::input::{
    Chunk, Encoding, GameNo, GameText, InputKind, Offset, Source, TextRange, begins_at_sync_point,
};
use crate::report::append;

pub(crate) use joined_texts::JoinedTexts;
pub(crate) use keyed_files::{KeyedFiles, protected};
pub(crate) use split_by::{SplitBy, SplitByArgs};

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
    /// Keys of files that are named by them.
    pub(crate) keys: Vec<String>,
}

impl SplitPiece {
    /// A game that is written to the first output.
    pub(crate) fn new(text: &GameText<'_>) -> SplitPiece {
        SplitPiece {
            text: text.chunk_offset..text.chunk_offset + text.bytes.len(),
            number: text.origin.game,
            rejection: None,
            keys: Vec::new(),
        }
    }
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
    outputs: [Option<KeyedFiles>; 2],
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
    /// Index of the output of the previous game in the input, if that is chosen, and its files.
    last: Option<(usize, Vec<usize>)>,
}

impl Split {
    /// Split of the games of these sources, which are of one kind.
    pub(crate) fn new(
        outputs: [Option<KeyedFiles>; 2],
        sources: &[Source],
        compares: bool,
    ) -> Result<Split, Error> {
        refuse_kinds(sources)?;
        Ok(Split {
            outputs,
            compares,
            ..Split::default()
        })
    }

    /// Some games of a run in one file, if there is a path.
    ///
    /// # Errors
    ///
    /// A part of several inputs: line ends between two depend on the games of other parts.
    pub(crate) fn in_file(
        path: Option<&Path>,
        args: &GameArgs,
        run: &CommandRun,
    ) -> Result<Option<Split>, Error> {
        let Some(path) = path else {
            return Ok(None);
        };
        let is_of_archive = |it: &Source| matches!(it.text_range(), Some(TextRange::Members(_)));
        let has_several = args.inputs.len() > 1 || args.inputs.iter().any(|it| it.is_dir());
        if run.part.is_some() && (has_several || run.sources.iter().any(is_of_archive)) {
            return Err(Error::usage(
                "`--write-others` with `--part` needs one input, and no archive",
            ));
        }
        let file = KeyedFiles::new(path, None, args, run)?;
        Split::new([Some(file), None], &run.sources, false).map(Some)
    }

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
        self.add_blank(&stored[..place(lead)])?;
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
            let mut files = Vec::new();
            if let Some(output) = &mut self.outputs[nth] {
                files = output.next_game(&piece.keys)?;
                for &file in &files {
                    let games = &output.files[file].games;
                    let is_last =
                        |last: &(usize, Vec<usize>)| last.0 == nth && last.1.contains(&file);
                    let follows = start == end_before && self.last.as_ref().is_some_and(is_last);
                    if !follows
                        && !games.is_joined
                        && is_rest_of(&games.last, game, encoding, source)
                    {
                        return Err(output.files[file].refuse(piece.number, source));
                    }
                    output.write_stored(file, game, encoding, source)?;
                }
            }
            *match piece.rejection {
                None => &mut self.clean,
                Some(Rejection::Duplicate) => &mut self.duplicates,
                Some(Rejection::Faulty) => &mut self.faulty,
            } += 1;
            self.last = Some((nth, files));
            end_before = end;
        }
        // The last game of the chunk may not be chosen.
        self.last.take_if(|_| end_before != text.len());
        Ok(())
    }

    /// Adds blank lines to the files of the previous game, if that is chosen.
    fn add_blank(&mut self, blank: &[u8]) -> Result<(), Error> {
        if let Some((last, files)) = &self.last
            && let Some(output) = &mut self.outputs[*last]
        {
            for &file in files {
                output.files[file].games.last.extend_from_slice(blank);
                output.write(file, blank)?;
            }
        }
        Ok(())
    }

    /// Ends a part with the blank lines after its last game, which are not in its text.
    pub(crate) fn end_part(&mut self, run: &CommandRun) -> Result<(), Error> {
        let after = run.sources.last().map(Source::text_after_range);
        let after = after.unwrap_or_default();
        self.add_blank(&after[..blank_lines(&after)])
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
        let files = self.outputs.iter_mut().flatten();
        let files = files.flat_map(|output| &mut output.files);
        files.for_each(|file| file.games.begin());
    }

    /// Reports the inputs whose games are in neither file, and files in two encodings.
    pub(crate) fn report(&self, run: &mut CommandRun) {
        for error in &self.refused {
            run.fail(error);
        }
        let files = self.outputs.iter().flatten();
        for file in files.flat_map(|output| &output.files) {
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
        for output in self.outputs.into_iter().flatten() {
            if let Some(files) = output.finish()? {
                append!(line, "\n{files}");
            }
        }
        Ok(line)
    }
}

impl KeyedFile {
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
}

impl KeyedFiles {
    /// Writes a stored game to a file.
    fn write_stored(
        &mut self,
        file: usize,
        game: &[u8],
        encoding: Encoding,
        source: &Source,
    ) -> Result<(), Error> {
        let games = &mut self.files[file].games;
        let added = games.add(game, encoding, source.kind, source.name());
        let Some((line_ends, game)) = added else {
            return Err(Error::Usage(format!(
                "`{}` has to be split in a run of its own: after the last game of the inputs \
                 before, which has no end, a game of it would be read as the rest of that",
                source.name()
            )));
        };
        self.write(file, &line_ends)?;
        self.write(file, game)
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
