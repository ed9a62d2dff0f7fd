//! Patterns of paths, with the meaning of the lines of `.gitignore`.

use std::path::{self, Component, Path, PathBuf};

use ignore::gitignore::{Gitignore, GitignoreBuilder};

/// Patterns of paths, with the meaning of the lines of `.gitignore`. Each list is relative to a
/// folder of its own, and the last one that matches a path decides.
#[derive(Clone, Debug, Default)]
pub struct Patterns(Vec<Gitignore>);

impl Patterns {
    /// Reads patterns that are relative to `folder`.
    ///
    /// # Errors
    ///
    /// The reason why a pattern is invalid, and its number, from 0.
    pub fn new<'p>(
        folder: &Path,
        patterns: impl IntoIterator<Item = &'p str>,
    ) -> Result<Patterns, (usize, String)> {
        let mut builder = GitignoreBuilder::new(lexical(folder));
        for (nth, pattern) in patterns.into_iter().enumerate() {
            builder
                .add_line(None, pattern)
                .map_err(|error| (nth, reason(error)))?;
        }
        let lines = builder.build().map_err(|error| (0, reason(error)))?;
        Ok(Patterns(vec![lines]))
    }

    /// These patterns and later ones.
    #[must_use]
    pub(crate) fn and(mut self, later: Patterns) -> Patterns {
        self.0.extend(later.0);
        self
    }

    /// Whether a path matches, whatever folder it is in.
    pub(crate) fn names(&self, path: &Path, is_dir: bool) -> bool {
        let path = lexical(path);
        self.decide(|lines| decision(lines, &path, is_dir))
    }

    /// Whether a path, or a folder that it is in, matches. The last pattern that does decides: with
    /// `!` it does not match.
    pub fn matches(&self, path: &Path, is_dir: bool) -> bool {
        let path = &*lexical(path);
        self.decide(|lines| {
            let mut folders = path.ancestors().take_while(|&it| it != lines.path());
            folders.find_map(|it| decision(lines, it, is_dir || it != path))
        })
    }

    fn decide(&self, decision: impl Fn(&Gitignore) -> Option<bool>) -> bool {
        self.0.iter().rev().find_map(decision).unwrap_or(false)
    }
}

/// Whether a path is left out; `None` if no pattern matches it.
fn decision(lines: &Gitignore, path: &Path, is_dir: bool) -> Option<bool> {
    let found = lines.matched(path, is_dir);
    (!found.is_none()).then(|| found.is_ignore())
}

fn reason(error: ignore::Error) -> String {
    match error {
        ignore::Error::Glob { err, .. } => err,
        error => error.to_string(),
    }
}

/// Absolute path without `.` and `..`; links are not followed.
pub(crate) fn lexical(path: &Path) -> PathBuf {
    // No path may be empty.
    let absolute = path::absolute(Path::new(".").join(path));
    let absolute = absolute.unwrap_or_else(|_| path.to_owned());
    let mut clean = PathBuf::new();
    for part in absolute.components() {
        match part {
            Component::ParentDir => {
                clean.pop();
            }
            part => clean.push(part),
        }
    }
    clean
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_as_in_gitignore() {
        let folder = Path::new("/games");
        for (patterns, matched, others) in [
            (
                &["*.pgn"][..],
                &["a.pgn", "x/y/a.pgn"][..],
                &["a.pgn.zst"][..],
            ),
            (
                &["old/"],
                &["old/a.pgn", "x/old/y/a.pgn"],
                &["old", "older/a.pgn"],
            ),
            (
                &["old/*.pgn"],
                &["old/a.pgn"],
                &["old/x/a.pgn", "x/old/a.pgn"],
            ),
            (&["/old/"], &["old/x/a.pgn"], &["x/old/a.pgn"]),
            (&["x/**/a.pgn"], &["x/a.pgn", "x/y/z/a.pgn"], &["a.pgn"]),
            (&["a.zip/"], &["a.zip/b.pgn"], &["b.pgn"]),
            (&["{a,b}.pgn"], &["a.pgn", "x/b.pgn"], &["c.pgn"]),
            (&["*.pgn", "!a.pgn"], &["b.pgn"], &["a.pgn", "x/a.pgn"]),
        ] {
            let patterns = Patterns::new(folder, patterns.iter().copied()).unwrap();
            for path in matched {
                assert!(
                    patterns.matches(&folder.join(path), false),
                    "{patterns:?} {path}"
                );
            }
            for path in others {
                assert!(
                    !patterns.matches(&folder.join(path), false),
                    "{patterns:?} {path}"
                );
            }
        }
        assert_eq!(Patterns::new(folder, ["a", "{b"]).unwrap_err().0, 1);
    }

    #[test]
    fn a_path_is_known_by_its_names() {
        let here = lexical(Path::new(""));
        for path in ["a/b", "./a/b", "a/x/../b", "a//b"] {
            assert_eq!(lexical(Path::new(path)), here.join("a/b"), "{path}");
        }
        let above = here.parent().unwrap();
        assert_eq!(lexical(Path::new("../a")), above.join("a"));
    }
}
