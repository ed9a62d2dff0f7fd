//! What the user names as input: files, directories, stdin.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, OnceLock};

use super::lines::Form;
use super::place::SourceId;
use super::stream::Stream;
use crate::error::Error;

/// A file, stdin or a text of the command line, not yet opened.
#[derive(Clone, Debug)]
pub struct Source {
    id: SourceId,
    name: Arc<str>,
    place: Place,
    size: Option<u64>,
    form: Form,
    as_stored: Arc<OnceLock<bool>>,
}

#[derive(Clone, Debug)]
enum Place {
    Stdin,
    File(PathBuf),
    Text(Arc<[u8]>),
}

impl Source {
    /// Standard input.
    pub fn stdin(id: SourceId) -> Source {
        Source {
            id,
            name: "<stdin>".into(),
            place: Place::Stdin,
            size: None,
            form: Form::Pgn,
            as_stored: Arc::default(),
        }
    }

    /// A file, which is not looked at yet.
    pub fn file(id: SourceId, path: PathBuf) -> Source {
        Source {
            id,
            name: name_of(&path).into(),
            place: Place::File(path),
            size: None,
            form: Form::Pgn,
            as_stored: Arc::default(),
        }
    }

    /// A text that was given on the command line.
    pub fn text(id: SourceId, name: &str, text: &[u8]) -> Source {
        Source {
            id,
            name: name.into(),
            place: Place::Text(text.into()),
            size: None,
            form: Form::Pgn,
            as_stored: Arc::default(),
        }
    }

    /// The same source, taken to hold something of another form.
    #[must_use]
    pub fn with_form(self, form: Form) -> Source {
        Source { form, ..self }
    }

    /// What the source holds.
    pub fn form(&self) -> Form {
        self.form
    }

    /// The source's index in this run.
    pub fn id(&self) -> SourceId {
        self.id
    }

    /// The path as it was given, or `<stdin>`. Bytes that are not UTF-8 are replaced; nothing is escaped.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The path, if the source is a file.
    pub fn path(&self) -> Option<&Path> {
        match &self.place {
            Place::Stdin | Place::Text(_) => None,
            Place::File(path) => Some(path),
        }
    }

    /// The size of the file as it is stored, in bytes, when [`expand`] found a regular file.
    pub fn size_hint(&self) -> Option<u64> {
        self.size
    }

    /// Opens the source, decompressed while it is read. `progress` grows by every stored byte that is read.
    ///
    /// # Errors
    ///
    /// [`Error::Open`], [`Error::Read`] and [`Error::UnsupportedCompression`].
    pub fn open(&self, progress: Arc<AtomicU64>) -> Result<Stream, Error> {
        let input: Box<dyn Read + Send> = match &self.place {
            Place::Stdin => Box::new(io::stdin()),
            Place::Text(text) => Box::new(Cursor::new(Arc::clone(text))),
            Place::File(path) => match File::open(path) {
                Ok(file) => Box::new(file),
                Err(cause) => {
                    return Err(Error::Open {
                        path: self.name.to_string(),
                        cause,
                    });
                }
            },
        };
        let stream = Stream::new(Arc::clone(&self.name), input, progress)?;
        // A source that is opened again is what it was.
        let _ = self.as_stored.set(stream.is_as_stored());
        Ok(stream)
    }

    /// Whether the bytes that are read are those that are stored, so that a place in one is a place in the other; not
    /// before the source has been opened.
    pub fn is_read_as_stored(&self) -> bool {
        self.as_stored.get().copied().unwrap_or(false)
    }
}

/// Turns what the user named into sources: a file stands for itself, `-` for stdin, a directory for every PGN file
/// below it (`*.pgn`, `*.pgn.zst`, `*.pgn.gz`, in any case), in byte order of their paths.
///
/// Symbolic links to files are followed. Symbolic links to directories are followed only when they are named as input,
/// so that no search goes in circles.
///
/// What cannot be read is among the errors, and does not keep the rest from being returned: a missing file, a
/// directory that cannot be listed, a directory without PGN files.
pub fn expand(inputs: &[PathBuf]) -> (Vec<Source>, Vec<Error>) {
    let mut sources = Vec::new();
    let mut errors = Vec::new();
    for input in inputs {
        if input.as_os_str() == "-" {
            sources.push(Source::stdin(next_id(&sources)));
            continue;
        }
        match fs::metadata(input) {
            Ok(found) if found.is_dir() => {
                let before = sources.len() + errors.len();
                let mut files = Vec::new();
                search(input, &mut files, &mut errors);
                files.sort_unstable_by(|(a, _), (b, _)| bytes(a).cmp(bytes(b)));
                for (path, size) in files {
                    sources.push(Source {
                        size: Some(size),
                        ..Source::file(next_id(&sources), path)
                    });
                }
                if sources.len() + errors.len() == before {
                    errors.push(Error::NoPgnFiles {
                        path: name_of(input),
                    });
                }
            }
            Ok(found) => sources.push(Source {
                size: found.is_file().then_some(found.len()),
                ..Source::file(next_id(&sources), input.clone())
            }),
            Err(cause) => errors.push(Error::Open {
                path: name_of(input),
                cause,
            }),
        }
    }
    (sources, errors)
}

fn next_id(sources: &[Source]) -> SourceId {
    SourceId(u32::try_from(sources.len()).expect("fewer than 2^32 sources"))
}

/// Collects the PGN files below `directory` and their sizes, in no order.
fn search(directory: &Path, files: &mut Vec<(PathBuf, u64)>, errors: &mut Vec<Error>) {
    let mut waiting = vec![directory.to_owned()];
    while let Some(directory) = waiting.pop() {
        let mut complain = |path: &Path, cause| {
            errors.push(Error::Search {
                path: name_of(path),
                cause,
            });
        };
        let entries = match fs::read_dir(&directory) {
            Ok(entries) => entries,
            Err(cause) => {
                complain(&directory, cause);
                continue;
            }
        };
        for entry in entries {
            let entry = match entry {
                Ok(entry) => entry,
                Err(cause) => {
                    complain(&directory, cause);
                    continue;
                }
            };
            let path = entry.path();
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => waiting.push(path),
                Ok(_) if is_pgn_name(&entry.file_name()) => match fs::metadata(&path) {
                    Ok(found) if found.is_file() => files.push((path, found.len())),
                    Ok(_) => {}
                    Err(cause) => complain(&path, cause),
                },
                Ok(_) => {}
                Err(cause) => complain(&path, cause),
            }
        }
    }
}

fn is_pgn_name(name: &OsStr) -> bool {
    let name = name.as_encoded_bytes();
    [&b".pgn"[..], b".pgn.zst", b".pgn.gz"].iter().any(|end| {
        name.len() >= end.len() && name[name.len() - end.len()..].eq_ignore_ascii_case(end)
    })
}

fn bytes(path: &Path) -> &[u8] {
    path.as_os_str().as_encoded_bytes()
}

fn name_of(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A directory of its own for one test, removed at the end.
    struct Scratch(PathBuf);

    impl Scratch {
        fn new(test: &str) -> Scratch {
            let path =
                std::env::temp_dir().join(format!("arbiter-source-{test}-{}", std::process::id()));
            fs::create_dir_all(&path).unwrap();
            Scratch(path)
        }

        fn write(&self, name: &str) {
            let path = self.0.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "*").unwrap();
        }

        fn names(&self, sources: &[Source]) -> Vec<String> {
            let prefix = format!("{}/", self.0.display());
            sources
                .iter()
                .map(|s| s.name().strip_prefix(&prefix).unwrap().to_owned())
                .collect()
        }
    }

    impl Drop for Scratch {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn a_directory_is_searched_in_byte_order_of_the_paths() {
        let scratch = Scratch::new("order");
        for name in [
            "b.pgn",
            "a/z.PGN",
            "a/deep/x.pgn.zst",
            "a-b.pgn",
            "B.pgn.GZ",
            "notes.txt",
            "pgn",
            "x.pgn.bz2",
        ] {
            scratch.write(name);
        }
        let (sources, errors) = expand(std::slice::from_ref(&scratch.0));
        assert!(errors.is_empty(), "{errors:?}");
        assert_eq!(
            scratch.names(&sources),
            [
                "B.pgn.GZ",
                "a-b.pgn",
                "a/deep/x.pgn.zst",
                "a/z.PGN",
                "b.pgn"
            ]
        );
        assert_eq!(sources[4].id(), SourceId(4));
        assert_eq!(sources[4].size_hint(), Some(1));
    }

    #[cfg(unix)]
    #[test]
    fn linked_files_are_followed_and_linked_directories_are_not() {
        use std::os::unix::fs::symlink;

        let scratch = Scratch::new("links");
        scratch.write("games/a.pgn");
        scratch.write("elsewhere");
        symlink("../elsewhere", scratch.0.join("games/b.pgn")).unwrap();
        symlink("..", scratch.0.join("games/loop.pgn")).unwrap();
        symlink("nowhere", scratch.0.join("games/broken.pgn")).unwrap();
        let (sources, errors) = expand(&[scratch.0.join("games")]);
        assert_eq!(scratch.names(&sources), ["games/a.pgn", "games/b.pgn"]);
        assert!(
            matches!(&errors[..], [Error::Search { path, .. }] if path.ends_with("broken.pgn"))
        );
    }

    #[test]
    fn what_is_missing_does_not_hide_the_rest() {
        let scratch = Scratch::new("missing");
        scratch.write("a.txt");
        fs::create_dir(scratch.0.join("empty")).unwrap();
        let (sources, errors) = expand(&[
            scratch.0.join("gone.pgn"),
            scratch.0.join("empty"),
            scratch.0.join("a.txt"),
            "-".into(),
        ]);
        assert_eq!(sources[1].name(), "<stdin>");
        assert_eq!(scratch.names(&sources[..1]), ["a.txt"]);
        assert!(matches!(
            &errors[..],
            [Error::Open { .. }, Error::NoPgnFiles { .. }]
        ));
    }
}
