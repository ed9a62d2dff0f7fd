//! Paths as services of continuous integration compare them with the files of a repository.

use std::borrow::Cow;
use std::path::{Component, Path, PathBuf};
use std::sync::LazyLock;

use crate::input::Source;

/// A path without `.`, and relative to the working directory if it lies below.
pub(crate) fn from_here(path: &Path) -> PathBuf {
    static HERE: LazyLock<Option<PathBuf>> = LazyLock::new(|| std::env::current_dir().ok());
    let below = HERE.as_ref().and_then(|here| path.strip_prefix(here).ok());
    let parts = below.unwrap_or(path).components();
    parts.filter(|part| *part != Component::CurDir).collect()
}

/// The name of a source as [`from_here`] gives paths.
pub(crate) fn name_from_here(source: &Source) -> Cow<'_, str> {
    match source.path() {
        Some(_) => text_from_here(source.name()).into(),
        None => source.name().into(),
    }
}

/// [`from_here`] of a path in a text.
pub(crate) fn text_from_here(path: &str) -> String {
    from_here(Path::new(path)).to_string_lossy().into_owned()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn paths_are_relative_to_the_working_directory_without_dots() {
        let here = std::env::current_dir().unwrap();
        let below = here.join("games/./a.pgn");
        for (path, expected) in [
            ("./games/a.pgn", "games/a.pgn"),
            ("games//./a.pgn", "games/a.pgn"),
            ("../games/a.pgn", "../games/a.pgn"),
            ("/elsewhere/./a.pgn", "/elsewhere/a.pgn"),
            (below.to_str().unwrap(), "games/a.pgn"),
        ] {
            assert_eq!(text_from_here(path), expected, "{path}");
        }
    }
}
