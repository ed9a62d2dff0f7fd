//! Sources of text: files, archive members, stdin and command-line texts.

use std::collections::HashMap;
use std::fs::{File, Metadata};
use std::io::{Cursor, Read, Seek};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

use crate::error::Error;
use crate::input::background::BlockReader;
use crate::input::compressed::{CompressedReader, Interruptible, WholeFile, stdin};
use crate::input::decompress::decompress;
use crate::input::decompress::zip::Archive;
use crate::input::range::TextRange;
use crate::input::stream::Stream;
use crate::input::sync::lock;
use crate::input::{Buffers, Chunks, Offset, SourceId, TextTotals};
use chess_arbiter_core::split::{Compression, HEAD_BYTES, InputKind};

/// File, stdin, command-line text or archive member, not yet opened. Clones are cheap and denote
/// the same source.
#[derive(Clone, Debug)]
pub struct Source {
    id: SourceId,
    shared: Arc<SourceData>,
    /// Stored size in bytes, if [`crate::input::expand`] found a regular file.
    pub(crate) size: Option<u64>,
    /// In an archive, files of this kind are read.
    pub(crate) kind: InputKind,
    /// Index of the path in the list that was expanded to it and others.
    pub(crate) path_index: usize,
    /// Whether it was found in a directory. An archive there need not contain games.
    pub(super) searched: bool,
    /// Place of a member's name after that of its archive.
    pub(crate) member_at: Option<usize>,
    /// Number of earlier members of the same archive with the same name.
    pub(crate) repeated: u32,
    /// Length of the folder that all inputs share, with its last separator.
    pub(crate) folder: usize,
}

/// Data shared by all clones of a source. Cloning is frequent and changes a single reference count.
#[derive(Clone, Debug)]
struct SourceData {
    name: Arc<str>,
    place: Place,
    as_stored: OnceLock<bool>,
    /// State of the file when it was first opened.
    opened: OnceLock<Metadata>,
    range: Option<TextRange>,
    /// Totals of the text before the range.
    before: TextTotals,
}

const STDIN_NAME: &str = "<stdin>";

#[derive(Clone, Debug)]
enum Place {
    Stdin,
    File(Arc<Path>),
    Text(Arc<[u8]>),
    /// A file, of which this text has been read. Another may replace it.
    Snapshot(Arc<Path>, Arc<Mutex<Arc<[u8]>>>),
}

impl Source {
    fn new(id: SourceId, name: &str, place: Place) -> Source {
        Source {
            id,
            shared: SourceData::new(name, place).into(),
            size: None,
            kind: InputKind::Pgn,
            path_index: 0,
            searched: false,
            member_at: None,
            repeated: 0,
            folder: 0,
        }
    }

    /// Creates a source for standard input.
    pub fn stdin(id: SourceId) -> Source {
        Source::new(id, STDIN_NAME, Place::Stdin)
    }

    /// Creates a source for a file, without opening it.
    pub fn file(id: SourceId, path: PathBuf) -> Source {
        Source::new(id, &name_of(&path), Place::File(path.into()))
    }

    /// Creates a source for a path on the command line; `-` is stdin.
    pub(crate) fn named(path: &Path) -> Source {
        if path == Path::new("-") {
            Source::stdin(SourceId(0))
        } else {
            Source::file(SourceId(0), path.to_owned())
        }
    }

    /// Creates a source for a text given on the command line.
    pub(crate) fn text(id: SourceId, name: &str, text: &[u8]) -> Source {
        Source::new(id, name, Place::Text(text.into()))
    }

    /// This file, of which the text that `text` holds has been read.
    pub(crate) fn snapshot(&self, text: Arc<Mutex<Arc<[u8]>>>) -> Source {
        let path = self.path().unwrap_or("".as_ref()).into();
        Source {
            shared: SourceData::new(self.name(), Place::Snapshot(path, text)).into(),
            ..self.clone()
        }
    }

    /// Creates a member of this archive, which held `repeated` members of the same name before.
    pub(crate) fn member(&self, name: &str, repeated: u32) -> Source {
        Source {
            shared: SourceData::new(name, self.shared.place.clone()).into(),
            size: None,
            member_at: Some(self.name().len() + 1),
            repeated,
            ..self.clone()
        }
    }

    /// A range of the text of this file.
    pub(crate) fn ranged(&self, range: TextRange) -> Source {
        let size = range.stored().end - range.stored().start;
        let shared = SourceData {
            as_stored: matches!(range, TextRange::Plain(_)).into(),
            range: Some(range),
            ..SourceData::new(&self.shared.name, self.shared.place.clone())
        };
        Source {
            size: Some(size),
            shared: shared.into(),
            ..self.clone()
        }
    }

    /// Sets the totals of the text before the range.
    pub(crate) fn after(&self, before: TextTotals) -> Source {
        let shared = SourceData::clone(&self.shared);
        Source {
            shared: Arc::new(SourceData { before, ..shared }),
            ..self.clone()
        }
    }

    /// The range of the text that is read, if it is not all of it.
    pub(crate) fn text_range(&self) -> Option<&TextRange> {
        self.shared.range.as_ref()
    }

    /// Totals of the text before the range, as far as they are known.
    pub(crate) fn before(&self) -> &TextTotals {
        &self.shared.before
    }

    /// Chunks of the text that `reader` reads, of about `chunk_bytes` (at least 1).
    pub fn chunks<R: Read>(&self, reader: R, chunk_bytes: usize, pool: Buffers) -> Chunks<R> {
        Chunks::new(reader, (self.id, self.kind), chunk_bytes, pool)
    }

    /// Index of the source in this run. Archive members share the index of the archive.
    pub(crate) fn id(&self) -> SourceId {
        self.id
    }

    /// Path as given, or `<stdin>`. An archive member is named `archive.zip/member.pgn`. Bytes that
    /// are not UTF-8 are replaced, and nothing is escaped.
    pub fn name(&self) -> &str {
        &self.shared.name
    }

    /// The name without the folder that all inputs share, as tables of games have it.
    pub(crate) fn short_name(&self) -> &str {
        &self.name()[self.folder..]
    }

    /// Path of the file, or of the archive that contains the member.
    pub(crate) fn path(&self) -> Option<&Path> {
        match &self.shared.place {
            Place::Stdin | Place::Text(_) => None,
            Place::File(path) | Place::Snapshot(path, _) => Some(path),
        }
    }

    /// State of the file when it was first opened, if it is a regular file.
    pub(crate) fn opened(&self) -> Option<&Metadata> {
        self.shared.opened.get()
    }

    /// Keeps the state of the file, unless it has been opened before.
    pub(crate) fn note_opened(&self, found: Metadata) {
        let _ = self.shared.opened.set(found);
    }

    /// Whether the source is stdin, or a member of an archive read from stdin.
    pub(crate) fn is_stdin(&self) -> bool {
        matches!(self.shared.place, Place::Stdin)
    }

    /// Opens a source that is one text, decompressed while it is read. `progress` is set to the
    /// number of stored bytes whose text has been read.
    ///
    /// # Errors
    ///
    /// Fails like [`Source::members`], and with [`Error::Unsupported`] for an archive.
    pub fn open(&self, progress: Arc<AtomicU64>) -> Result<Stream, Error> {
        match self.begin(progress, 1)? {
            Begun::Text(stream) => Ok(stream),
            Begun::Archive(_) => Err(Error::unsupported(
                &*self.shared.name,
                "an archive, not one text",
            )),
        }
    }

    /// Opens the source and yields its text, or the texts of an archive one after the other. At
    /// most `jobs` threads decompress ahead of the reader.
    ///
    /// `progress` is set to the number of stored bytes whose text has been read.
    ///
    /// An unreadable text yields its [`Error`]. An archive that cannot be read to its end, or
    /// has no file of this kind, yields an error under its own name.
    pub fn members(&self, progress: Arc<AtomicU64>, jobs: usize) -> Members {
        Members {
            source: self.clone(),
            names: HashMap::new(),
            left: match self.begin(progress, jobs) {
                Ok(Begun::Archive(blocks)) => Left::Members(Arc::new(Mutex::new(blocks))),
                Ok(Begun::Text(stream)) => Left::One(Some(Ok(stream))),
                Err(error) => Left::One(Some(Err(error))),
            },
        }
    }
}

impl SourceData {
    fn new(name: &str, place: Place) -> SourceData {
        SourceData {
            name: name.into(),
            place,
            as_stored: OnceLock::new(),
            opened: OnceLock::new(),
            range: None,
            before: TextTotals::default(),
        }
    }
}

/// Source that has been opened.
pub(crate) enum Begun {
    /// A single text.
    Text(Stream),
    /// An archive of texts.
    Archive(BlockReader),
}

impl Source {
    /// The source as a zip archive, if it is one.
    pub(crate) fn archive(&self) -> Archive {
        Archive::new(Arc::clone(&self.shared.name), self.kind, self.searched)
    }

    fn begin(&self, progress: Arc<AtomicU64>, jobs: usize) -> Result<Begun, Error> {
        let archive = match self.text_range() {
            Some(TextRange::Members(range)) => self.archive().within(range.clone()),
            Some(TextRange::Frames(frames)) => {
                let path = self.path().unwrap_or("".as_ref());
                let stream = Stream::of_frames(self.name(), path, frames, progress, jobs);
                return stream.map(Begun::Text);
            }
            _ => self.archive(),
        };
        let input: Box<dyn Read + Send> = match &self.shared.place {
            Place::Stdin => {
                stdin().map_err(|cause| Error::io(&*self.shared.name, "open", cause))?
            }
            Place::Text(text) => Box::new(Cursor::new(Arc::clone(text))),
            Place::Snapshot(_, text) => Box::new(Cursor::new(Arc::clone(&lock(text)))),
            Place::File(path) => {
                let file = File::open(path)
                    .map_err(|cause| Error::io(&*self.shared.name, "open", cause))?;
                if is_zip_file(&file) {
                    return BlockReader::new(jobs, true, Arc::default(), progress, move |out| {
                        archive.read_file(file, out)
                    })
                    .map(Begun::Archive);
                }
                match file.metadata() {
                    Ok(found) if found.is_file() => {
                        let whole = WholeFile::new(file, found.len());
                        self.note_opened(found);
                        Box::new(whole)
                    }
                    _ if self.size.is_none() => Box::new(Interruptible(file)),
                    _ => Box::new(file),
                }
            }
        };
        let packed = CompressedReader::new(&self.shared.name, input, Offset(0));
        let begun = Begun::of(packed, progress, jobs, archive)?;
        if let Begun::Text(stream) = &begun {
            // Already set if the source has been opened before.
            let _ = self.shared.as_stored.set(stream.is_as_stored());
        }
        Ok(begun)
    }

    /// Whether the bytes read are the stored bytes, so that their offsets agree. False until the
    /// source has been opened.
    pub(crate) fn is_read_as_stored(&self) -> bool {
        self.shared.as_stored.get().copied().unwrap_or(false)
    }
}

impl Begun {
    /// Detects the format of `packed`, read from its beginning. A zip file is read as `archive`.
    pub(crate) fn of(
        packed: CompressedReader<'static>,
        progress: Arc<AtomicU64>,
        jobs: usize,
        archive: Archive,
    ) -> Result<Begun, Error> {
        let name = Arc::clone(packed.name());
        let stored: Arc<AtomicU64> = Arc::default();
        let mut packed = packed.counted(Arc::clone(&stored));
        let format = packed
            .peek(HEAD_BYTES)
            .map(Compression::of)
            .map_err(|cause| Error::from_read(&name, 0, cause))?;
        match format {
            Compression::Plain => {
                progress.store(stored.load(Ordering::Relaxed), Ordering::Relaxed);
                Stream::of_plain(packed.counted(progress)).map(Begun::Text)
            }
            Compression::Other(format) => Err(Error::unsupported_compression(&*name, format)),
            Compression::Zip => BlockReader::new(jobs, true, stored, progress, move |out| {
                archive.read_pipe(&mut packed, out)
            })
            .map(Begun::Archive),
            _ => {
                let blocks = BlockReader::new(jobs, false, stored, progress, move |out| {
                    decompress(&mut packed, out)
                })?;
                Stream::of_packed(name, Arc::new(Mutex::new(blocks))).map(Begun::Text)
            }
        }
    }
}

/// Whether a file is regular, and so can be read in any order, and is a zip archive.
fn is_zip_file(mut file: &File) -> bool {
    let mut head = Vec::with_capacity(HEAD_BYTES);
    file.metadata().is_ok_and(|found| found.is_file())
        && file.take(HEAD_BYTES as u64).read_to_end(&mut head).is_ok()
        && file.rewind().is_ok()
        && Compression::of(&head) == Compression::Zip
}

pub(crate) fn name_of(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

/// Iterator over the texts of a source, each with the source that names it. Made by
/// [`Source::members`].
///
/// Read each text before the next is requested, since the rest of it is skipped.
pub struct Members {
    source: Source,
    /// Number of members by name, since an archive may hold a name twice.
    names: HashMap<String, u32>,
    left: Left,
}

enum Left {
    One(Option<Result<Stream, Error>>),
    Members(Arc<Mutex<BlockReader>>),
}

impl Iterator for Members {
    type Item = (Source, Result<Stream, Error>);

    fn next(&mut self) -> Option<Self::Item> {
        let blocks = match &mut self.left {
            Left::One(one) => return Some((self.source.clone(), one.take()?)),
            Left::Members(blocks) => blocks,
        };
        let member = lock(blocks).next_member()?;
        Some(match member {
            Ok(name) => {
                let repeated = self.names.entry(name.clone()).or_default();
                let member = self.source.member(&name, *repeated);
                *repeated += 1;
                let stream = Stream::of_packed(name.into(), Arc::clone(blocks));
                (member, stream)
            }
            Err(cause) => {
                let error = Error::from_read(self.source.name(), 0, cause);
                (self.source.clone(), Err(error))
            }
        })
    }
}
