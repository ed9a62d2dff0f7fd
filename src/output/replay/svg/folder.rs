//! The folder that pictures are written to.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::error::Error;

/// Writes pictures to a folder, named by the source, the game and the ply.
#[derive(Clone, Debug)]
pub struct Pictures {
    folder: PathBuf,
    /// The names of the sources, and how the names of their pictures begin.
    stems: Vec<(String, String)>,
}

impl Pictures {
    /// Makes the folder, if it is not there. A source's pictures are called after its file, and after the whole of its path
    /// where two files have the same name.
    ///
    /// # Errors
    ///
    /// [`Error::Write`] if the folder cannot be made.
    pub fn new<'a>(
        folder: &Path,
        sources: impl Iterator<Item = &'a str>,
    ) -> Result<Pictures, Error> {
        fs::create_dir_all(folder).map_err(|cause| Error::Write {
            path: folder.display().to_string(),
            cause,
        })?;
        let names: Vec<&str> = sources.collect();
        let short = |name: &str| plain(name.rsplit(['/', '\\']).next().unwrap_or(name));
        let mut taken = HashSet::new();
        let mut stems = Vec::with_capacity(names.len());
        for (nth, &name) in names.iter().enumerate() {
            let alone = names
                .iter()
                .filter(|other| short(other) == short(name))
                .count()
                < 2;
            let mut stem = if alone { short(name) } else { plain(name) };
            if !taken.insert(stem.clone()) {
                stem = format!("{stem}-{}", nth + 1);
                taken.insert(stem.clone());
            }
            stems.push((name.to_owned(), stem));
        }
        Ok(Pictures {
            folder: folder.to_owned(),
            stems,
        })
    }

    /// The name of a picture. A source that is not known is a member of an archive that is.
    pub fn name(&self, source: &str, game: u64, ply: u32) -> String {
        let known = self.stems.iter().find_map(|(name, stem)| {
            let member = source.strip_prefix(name.as_str())?;
            match member.strip_prefix('/') {
                Some(member) => Some(format!("{stem}-{}", plain(member))),
                None => member.is_empty().then(|| stem.clone()),
            }
        });
        let stem = known.unwrap_or_else(|| plain(source));
        format!("{stem}-{game}-{ply}.svg")
    }

    /// Writes a picture; returns its path.
    ///
    /// # Errors
    ///
    /// [`Error::Write`].
    pub fn write(&self, name: &str, picture: &str) -> Result<String, Error> {
        let path = self.folder.join(name);
        let shown = path.display().to_string();
        match fs::write(&path, picture) {
            Ok(()) => Ok(shown),
            Err(cause) => Err(Error::Write { path: shown, cause }),
        }
    }
}

/// A name without its ending, of characters that any file system takes and none gives a meaning to.
fn plain(name: &str) -> String {
    let endings = [
        ".zst", ".gz", ".bz2", ".xz", ".lzma", ".zip", ".pgn", ".PGN",
    ];
    let mut rest = name;
    while let Some(shorter) = endings.iter().find_map(|ending| rest.strip_suffix(ending)) {
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

    #[test]
    fn pictures_of_different_games_have_different_names() {
        let folder = std::env::temp_dir();
        let names = [
            "a/games.pgn",
            "b/games.pgn",
            "c/other.pgn.zst",
            "<stdin>",
            "x.zip",
        ];
        let pictures = Pictures::new(&folder, names.into_iter()).unwrap();
        assert_eq!(pictures.name("a/games.pgn", 1, 2), "a-games-1-2.svg");
        assert_eq!(pictures.name("b/games.pgn", 1, 2), "b-games-1-2.svg");
        assert_eq!(pictures.name("c/other.pgn.zst", 12, 0), "other-12-0.svg");
        assert_eq!(pictures.name("<stdin>", 1, 2), "stdin-1-2.svg");
        assert_eq!(pictures.name("x.zip/d/e.pgn", 1, 2), "x-d-e-1-2.svg");
        assert_eq!(plain("../../.pgn"), "games");
    }
}
