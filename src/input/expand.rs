//! Input paths → sources, in order.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use ignore::WalkBuilder;

use crate::error::Error;
use crate::input::SourceId;
use crate::input::patterns::Patterns;
use crate::input::source::{Source, name_of};
use chess_arbiter_core::split::{InputKind, ends_with};

/// Which files of a directory are inputs.
#[derive(Clone, Debug, Default)]
pub struct Search {
    /// Whether hidden files and directories are searched.
    pub hidden: bool,
    /// Whether `.gitignore` and `.ignore` are disregarded.
    pub no_ignore: bool,
    /// Files and directories left out.
    pub excluded: Patterns,
    /// Whether inputs that are named are left out too.
    pub force_exclude: bool,
}

/// Expands input paths into sources, in order: a file, `-` for stdin, or a directory for every PGN
/// file below it that `search` does not leave out, in byte order of the paths.
///
/// PGN files are `*.pgn`, optionally with `.zst`, `.gz`, `.bz2`, `.xz`, `.lzma` or `.zip` appended,
/// and `*.zip`, case-insensitive. An archive found in a directory may lack PGN files.
///
/// Symbolic links to files are followed. Symbolic links to directories are followed only if they
/// are inputs themselves, so that no search loops.
///
/// Errors do not stop the expansion: a missing file, a directory that cannot be listed, a directory
/// without PGN files. Nothing is left if all inputs are excluded.
pub fn expand(inputs: &[PathBuf], search: &Search) -> (Vec<Source>, Vec<Error>) {
    let mut sources = Vec::new();
    let mut errors = Vec::new();
    for (path_index, input) in inputs.iter().enumerate() {
        if input.as_os_str() == "-" {
            sources.push(Source::stdin(next_id(&sources)));
            continue;
        }
        match fs::metadata(input) {
            Ok(found) if search.force_exclude && search.excluded.matches(input, found.is_dir()) => {
            }
            Ok(found) if found.is_dir() => {
                let before = sources.len() + errors.len();
                let mut files = files(input, search, &mut errors);
                files.sort_unstable_by(|(a, _), (b, _)| a.as_os_str().cmp(b.as_os_str()));
                for (path, size) in files {
                    let mut source = Source::file(next_id(&sources), path);
                    (source.size, source.searched) = (Some(size), true);
                    source.path_index = path_index;
                    sources.push(source);
                }
                if sources.len() + errors.len() == before {
                    errors.push(Error::no_games(
                        name_of(input),
                        "no `.pgn` file, plain or compressed, in this directory, but for those \
                         that `--hidden`, `--no-ignore` or `exclude` would add",
                    ));
                }
            }
            Ok(found) => {
                let mut source = Source::file(next_id(&sources), input.clone());
                source.size = found.is_file().then_some(found.len());
                source.path_index = path_index;
                sources.push(source);
            }
            Err(cause) => errors.push(Error::io(name_of(input), "open", cause)),
        }
    }
    note_shared_folder(&mut sources);
    (sources, errors)
}

/// Sets in all files the length of the longest folder that holds them all.
fn note_shared_folder(sources: &mut [Source]) {
    let mut files = sources.iter().filter(|source| !source.is_stdin());
    let mut shared = folder_of(files.next().map_or("", Source::name));
    for file in files {
        while !file.name().starts_with(shared) {
            shared = folder_of(&shared[..shared.len() - 1]);
        }
    }
    let length = shared.len();
    for source in sources.iter_mut().filter(|source| !source.is_stdin()) {
        source.folder = length;
    }
}

/// A path up to its last separator, which is part of it.
fn folder_of(path: &str) -> &str {
    let end = path.rfind(std::path::is_separator);
    &path[..end.map_or(0, |at| at + 1)]
}

fn next_id(sources: &[Source]) -> SourceId {
    SourceId(u32::try_from(sources.len()).expect("fewer than 2^32 sources"))
}

/// The PGN files below `directory` and their sizes, in no particular order.
fn files(directory: &Path, search: &Search, errors: &mut Vec<Error>) -> Vec<(PathBuf, u64)> {
    let excluded = search.excluded.clone();
    let entries = WalkBuilder::new(directory)
        .standard_filters(!search.no_ignore)
        .hidden(!search.hidden)
        .require_git(false)
        .filter_entry(move |entry| {
            let is_dir = entry.file_type().is_some_and(|kind| kind.is_dir());
            entry.depth() == 0 || !excluded.names(entry.path(), is_dir)
        })
        .build();
    let mut files = Vec::new();
    for entry in entries {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                errors.push(search_error(directory, error));
                continue;
            }
        };
        let is_dir = entry.file_type().is_some_and(|kind| kind.is_dir());
        if is_dir || !is_searched_for(entry.file_name()) {
            continue;
        }
        match fs::metadata(entry.path()) {
            Ok(found) if found.is_file() => files.push((entry.into_path(), found.len())),
            Ok(_) => {}
            Err(cause) => errors.push(Error::io(name_of(entry.path()), "search", cause)),
        }
    }
    files
}

fn search_error(directory: &Path, mut error: ignore::Error) -> Error {
    let mut path = directory.to_owned();
    loop {
        error = match error {
            ignore::Error::WithDepth { err, .. } => *err,
            ignore::Error::WithPath { path: place, err } => {
                path = place;
                *err
            }
            ignore::Error::Io(cause) => {
                // Its text names the path again.
                return Error::io(name_of(&path), "search", cause.kind().into());
            }
            other => return Error::io(name_of(&path), "search", io::Error::other(other)),
        };
    }
}

/// Whether a directory search includes a file. Any zip archive may hold games.
fn is_searched_for(name: &OsStr) -> bool {
    let name = name.as_encoded_bytes();
    InputKind::Pgn.has_name(name) || ends_with(name, b".zip")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Temporary directory of one test, removed on drop.
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
            "x.pgn.xz",
            "x.pgn.lzma",
            "x.pgn.zip",
            "games.zip",
            "x.zst",
            "x.pgn.txt",
        ] {
            scratch.write(name);
        }
        let (sources, errors) = expand(std::slice::from_ref(&scratch.0), &Search::default());
        assert!(errors.is_empty(), "{errors:?}");
        assert_eq!(
            scratch.names(&sources),
            [
                "B.pgn.GZ",
                "a-b.pgn",
                "a/deep/x.pgn.zst",
                "a/z.PGN",
                "b.pgn",
                "games.zip",
                "x.pgn.bz2",
                "x.pgn.lzma",
                "x.pgn.xz",
                "x.pgn.zip",
            ]
        );
        assert_eq!(sources[4].id(), SourceId(4));
        assert_eq!(sources[4].size, Some(1));
    }

    #[test]
    fn short_names_lack_the_folder_that_all_files_share() {
        let short = |paths: &[&str]| -> Vec<String> {
            let named = |path: &&str| Source::named(Path::new(path));
            let mut sources: Vec<Source> = paths.iter().map(named).collect();
            note_shared_folder(&mut sources);
            let short = sources.iter().map(Source::short_name);
            short.map(str::to_owned).collect()
        };
        assert_eq!(short(&["a.pgn"]), ["a.pgn"]);
        assert_eq!(short(&["/games/x/a.pgn"]), ["a.pgn"]);
        assert_eq!(
            short(&["g/a.pgn", "-", "g/b.pgn"]),
            ["a.pgn", "<stdin>", "b.pgn"]
        );
        assert_eq!(
            short(&["/g/x/a.pgn", "/g/xy/a.pgn"]),
            ["x/a.pgn", "xy/a.pgn"]
        );
        assert_eq!(short(&["/a.pgn", "/b.pgn"]), ["a.pgn", "b.pgn"]);
        assert_eq!(short(&["g/a.pgn", "/g/a.pgn"]), ["g/a.pgn", "/g/a.pgn"]);
        assert_eq!(short(&["é/a.pgn", "è/a.pgn"]), ["é/a.pgn", "è/a.pgn"]);
        assert_eq!(short(&[]), [""; 0]);
    }

    #[test]
    fn what_is_hidden_ignored_or_excluded_is_left_out() {
        let scratch = Scratch::new("ignored");
        for name in [
            "a.pgn",
            ".b.pgn",
            ".git/c.pgn",
            "node_modules/d.pgn",
            "drafts/e.pgn",
            "drafts/kept.pgn",
            "old/f.pgn",
        ] {
            scratch.write(name);
        }
        fs::write(scratch.0.join(".gitignore"), "drafts/*\n!kept.pgn\n").unwrap();
        fs::write(scratch.0.join(".ignore"), "old/\n").unwrap();
        let excluded = Patterns::new(&scratch.0, ["node_modules/", "/kept.pgn"]).unwrap();
        let usual = Search {
            excluded,
            ..Search::default()
        };
        for (hidden, no_ignore, found) in [
            (false, false, &["a.pgn", "drafts/kept.pgn"][..]),
            (
                true,
                false,
                &[".b.pgn", ".git/c.pgn", "a.pgn", "drafts/kept.pgn"],
            ),
            (
                false,
                true,
                &["a.pgn", "drafts/e.pgn", "drafts/kept.pgn", "old/f.pgn"],
            ),
        ] {
            let search = Search {
                hidden,
                no_ignore,
                ..usual.clone()
            };
            let (sources, errors) = expand(std::slice::from_ref(&scratch.0), &search);
            assert!(errors.is_empty(), "{errors:?}");
            assert_eq!(scratch.names(&sources), found);
        }
        // Inputs are read although they are hidden or left out.
        let named = ["old", "node_modules/d.pgn", ".b.pgn"].map(|name| scratch.0.join(name));
        let (sources, _) = expand(&named, &usual);
        assert_eq!(
            scratch.names(&sources),
            ["old/f.pgn", "node_modules/d.pgn", ".b.pgn"]
        );
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
        let (sources, errors) = expand(&[scratch.0.join("games")], &Search::default());
        assert_eq!(scratch.names(&sources), ["games/a.pgn", "games/b.pgn"]);
        assert!(
            matches!(&errors[..], [Error::Io { path, doing: "search", .. }] if path.ends_with("broken.pgn"))
        );
    }

    #[test]
    fn what_is_missing_does_not_hide_the_rest() {
        let scratch = Scratch::new("missing");
        scratch.write("a.txt");
        fs::create_dir(scratch.0.join("empty")).unwrap();
        let inputs = ["gone.pgn", "empty", "a.txt"].map(|name| scratch.0.join(name));
        let inputs = [&inputs[..], &["-".into()]].concat();
        let (sources, errors) = expand(&inputs, &Search::default());
        assert_eq!(sources[1].name(), "<stdin>");
        assert_eq!(scratch.names(&sources[..1]), ["a.txt"]);
        assert!(matches!(
            &errors[..],
            [Error::Io { doing: "open", .. }, Error::NoGames { .. }]
        ));
    }
}
