//! Folder of pictures.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use crate::error::Error;
use crate::input::{Source, ends_with, lock, plain_name};
use crate::report::{FileId, OutputFile};

/// Writes pictures to a folder, named `FILE-GAME-PLY.svg`.
#[derive(Debug)]
pub(crate) struct SvgFolder {
    folder: PathBuf,
    /// The source of each FILE, in lower case: some file systems ignore case.
    sources: Mutex<HashMap<String, (String, u32)>>,
    /// Files that no picture may replace.
    protected: HashSet<FileId>,
}

impl SvgFolder {
    /// Creates the folder if it does not exist.
    pub(crate) fn new(folder: &Path, protected: HashSet<FileId>) -> Result<SvgFolder, Error> {
        fs::create_dir_all(folder)
            .map_err(|cause| Error::io(folder.display().to_string(), "write", cause))?;
        Ok(SvgFolder {
            folder: folder.to_owned(),
            sources: Mutex::default(),
            protected,
        })
    }

    /// Name of a picture.
    ///
    /// # Errors
    ///
    /// Another source has the same file name.
    fn name(&self, source: &Source, game: u64, ply: u32) -> Result<String, Error> {
        let name = source.name();
        let file = plain(name.rsplit(['/', '\\']).next().unwrap_or(name));
        let this = (name.to_owned(), source.repeated);
        let mut sources = lock(&self.sources);
        let first = sources.entry(file.to_lowercase()).or_insert(this);
        if (first.0.as_str(), first.1) != (name, source.repeated) {
            let reason = format!(
                "its pictures would have the names of those of `{}`",
                first.0
            );
            return Err(Error::unsupported(name, reason));
        }
        Ok(format!("{file}-{game}-{ply}.svg"))
    }

    /// Writes a picture and returns its path. A symbolic link of its name is replaced.
    pub(crate) fn write(
        &self,
        (source, game, ply): (&Source, u64, u32),
        picture: &str,
    ) -> Result<String, Error> {
        let path = self.folder.join(self.name(source, game, ply)?);
        let shown = path.display().to_string();
        if FileId::of(&path).is_some_and(|id| self.protected.contains(&id)) {
            return Err(Error::output_is_input(shown));
        }
        OutputFile::create_unlinked(&path)?.commit_all(picture.as_bytes())?;
        Ok(shown)
    }
}

/// Name without its endings, of characters that are safe on every file system.
fn plain(name: &str) -> String {
    let mut rest = name;
    loop {
        let compressed = plain_name(rest.as_bytes()).len();
        let shorter = &rest[..compressed];
        let bare = shorter.len().saturating_sub(".pgn".len());
        let shorter = match ends_with(shorter.as_bytes(), b".pgn") {
            true => &shorter[..bare],
            false => shorter,
        };
        if shorter == rest {
            break;
        }
        rest = shorter;
    }
    let fits = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
    let fitted: String = rest
        .chars()
        .map(|c| if fits(c) { c } else { '-' })
        .collect();
    let trimmed = fitted.trim_matches(['-', '.']);
    if trimmed.is_empty() { "games" } else { trimmed }.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::SourceId;

    #[test]
    fn pictures_are_named_after_the_file() {
        let pictures = SvgFolder::new(&std::env::temp_dir(), HashSet::new()).unwrap();
        let file = |name: &str| Source::file(SourceId(0), name.into());
        let name = |source: &Source| pictures.name(source, 12, 2).ok();
        let archive = file("x.zip");
        for (source, expected) in [
            (file("a/games.pgn"), Some("games-12-2.svg")),
            (file("b/other.pgn.zst"), Some("other-12-2.svg")),
            (Source::stdin(SourceId(1)), Some("stdin-12-2.svg")),
            (archive.member("x.zip/d/e.pgn", 0), Some("e-12-2.svg")),
            (file("a/games.pgn"), Some("games-12-2.svg")),
            // Another file of the same name, or of one that differs in case only.
            (file("b/games.pgn"), None),
            (file("Other.pgn"), None),
            (archive.member("x.zip/d/e.pgn", 1), None),
        ] {
            assert_eq!(name(&source).as_deref(), expected, "{}", source.name());
        }
        assert_eq!(plain("../../.pgn"), "games");
    }
}
