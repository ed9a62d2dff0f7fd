//! Folder of pictures.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::error::Error;
use crate::input::{Source, ends_with, plain_name};
use crate::report::{FileId, OutputFile};

/// Writes pictures to a folder, named after source, game and ply.
#[derive(Clone, Debug)]
pub(crate) struct SvgFolder {
    folder: PathBuf,
    /// Prefix of the names of each source. No two are equal, ignoring case.
    stems: Vec<String>,
    /// Files that no picture may replace.
    protected: HashSet<FileId>,
}

/// Longest prefix of a name, in bytes. File systems allow 255 for the whole name, some 143.
const LONGEST_STEM: usize = 100;

impl SvgFolder {
    /// Creates the folder if it does not exist. Pictures are named after the file of their source,
    /// or after its whole path if two files have the same name.
    pub(crate) fn new(
        folder: &Path,
        sources: &[Source],
        protected: HashSet<FileId>,
    ) -> Result<SvgFolder, Error> {
        fs::create_dir_all(folder)
            .map_err(|cause| Error::io(folder.display().to_string(), "write", cause))?;
        let short = |source: &Source| {
            let name = source.name();
            plain(name.rsplit(['/', '\\']).next().unwrap_or(name))
        };
        let mut seen = HashSet::new();
        let mut repeated = HashSet::new();
        for source in sources {
            let name = folded(&short(source));
            if !seen.insert(name.clone()) {
                repeated.insert(name);
            }
        }
        let mut taken = HashSet::new();
        let mut stems = Vec::with_capacity(sources.len());
        for (nth, source) in sources.iter().enumerate() {
            let mut stem = short(source);
            if repeated.contains(&folded(&stem)) {
                stem = plain(source.name());
            }
            stem = shortened(stem, source.name());
            while !taken.insert(folded(&stem)) {
                stem = format!("{stem}-{}", nth + 1);
            }
            stems.push(stem);
        }
        Ok(SvgFolder {
            folder: folder.to_owned(),
            stems,
            protected,
        })
    }

    /// Name of a picture, unique for each source, archive member, game and ply.
    pub(crate) fn name(&self, source: &Source, game: u64, ply: u32) -> String {
        let stem = &self.stems[source.id().0 as usize];
        match source.member_name() {
            None => format!("{stem}-{game}-{ply}.svg"),
            Some(member) => format!(
                "{}-{game}-{ply}.svg",
                self.member_stem(stem, member, source.repeated)
            ),
        }
    }

    /// Prefix of the names of a member. Other members are unknown here, so a prefix that does not
    /// determine the member gets a hash.
    fn member_stem(&self, archive: &str, member: &str, repeated: u32) -> String {
        let name = plain(member);
        let is_told =
            format!("{}.pgn", name.replace('-', "/")) == member && folded(member) == member;
        let (archive, full) = (folded(archive), format!("{archive}-{name}"));
        let is_confused = self.stems.iter().map(|stem| folded(stem)).any(|stem| {
            let begins = |a: &str, b: &str| a.strip_prefix(b).is_some_and(|a| a.starts_with('-'));
            begins(&stem, &archive) || begins(&archive, &stem)
        });
        let whole = format!("{repeated}/{archive}/{member}");
        if is_told && !is_confused && repeated == 0 {
            shortened(full, &whole)
        } else {
            hashed(full, &whole)
        }
    }

    /// Writes a picture and returns its path. A symbolic link of its name is replaced.
    pub(crate) fn write(&self, name: &str, picture: &str) -> Result<String, Error> {
        let path = self.folder.join(name);
        let shown = path.display().to_string();
        if FileId::of(&path).is_some_and(|id| self.protected.contains(&id)) {
            return Err(Error::output_is_input(shown));
        }
        OutputFile::create_unlinked(&path)?.commit_all(picture.as_bytes())?;
        Ok(shown)
    }
}

/// Name as case-insensitive file systems see it.
fn folded(name: &str) -> String {
    name.to_lowercase()
}

/// Name of limited length; a longer one ends with a hash of `whole`.
fn shortened(name: String, whole: &str) -> String {
    match name.len() > LONGEST_STEM {
        true => hashed(name, whole),
        false => name,
    }
}

/// Name with the 64-bit FNV-1a hash of `whole`.
fn hashed(mut name: String, whole: &str) -> String {
    let hash = whole.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    name.truncate(name.floor_char_boundary(LONGEST_STEM));
    // No name without a hash has this character.
    format!("{name}~{hash:016x}")
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

    fn pictures(names: &[&str]) -> (SvgFolder, Vec<Source>) {
        let source = |(nth, name): (usize, &&str)| match *name {
            "<stdin>" => Source::stdin(SourceId(nth as u32)),
            name => Source::file(SourceId(nth as u32), name.into()),
        };
        let sources: Vec<Source> = names.iter().enumerate().map(source).collect();
        let folder = std::env::temp_dir();
        let pictures = SvgFolder::new(&folder, &sources, HashSet::new()).unwrap();
        (pictures, sources)
    }

    #[test]
    fn pictures_are_named_after_the_file() {
        let (pictures, sources) = pictures(&[
            "a/games.pgn",
            "b/games.pgn",
            "c/other.pgn.zst",
            "<stdin>",
            "x.zip",
        ]);
        let name = |nth: usize, game, ply| pictures.name(&sources[nth], game, ply);
        assert_eq!(name(0, 1, 2), "a-games-1-2.svg");
        assert_eq!(name(1, 1, 2), "b-games-1-2.svg");
        assert_eq!(name(2, 12, 0), "other-12-0.svg");
        assert_eq!(name(3, 1, 2), "stdin-1-2.svg");
        let member = sources[4].member("x.zip/d/e.pgn", 0);
        assert_eq!(pictures.name(&member, 1, 2), "x-d-e-1-2.svg");
        assert_eq!(plain("../../.pgn"), "games");
    }

    /// No two names are equal on a file system that does not tell upper case from lower case.
    fn check_different(sources: &[&str], members: &[&str]) {
        let (pictures, sources) = pictures(sources);
        let archives = sources
            .iter()
            .filter(|source| source.name().ends_with(".zip"));
        let members: Vec<Source> = archives
            .flat_map(|zip| {
                let member = |(repeated, name): (u32, &&str)| {
                    zip.member(&format!("{}/{name}", zip.name()), repeated)
                };
                let twice = [0, 1]
                    .into_iter()
                    .flat_map(|nth| members.iter().map(move |name| (nth, name)));
                twice.map(member).collect::<Vec<_>>()
            })
            .collect();
        let mut names = HashSet::new();
        for source in sources.iter().chain(&members) {
            let name = pictures.name(source, 1, 2);
            assert!(name.len() < 143, "{name}");
            assert!(
                names.insert(name.to_lowercase()),
                "{} {name}",
                source.name()
            );
        }
    }

    #[test]
    fn pictures_of_different_games_have_different_names() {
        check_different(
            &["a/g.pgn", "b/g.pgn", "a-g.pgn", "a/G.PGN", "a/g.pgn"],
            &[],
        );
        check_different(&["g.pgn", "g.pgn", "g-2.pgn", "g-2-2.pgn", "g.pgn.gz"], &[]);
        check_different(&["a b.pgn", "a?b.pgn", "a-b.pgn"], &[]);
        let long = "x".repeat(400);
        let longs = [
            format!("{long}.pgn"),
            format!("{long}y.pgn"),
            format!("d/{long}.pgn"),
        ];
        check_different(&longs.each_ref().map(String::as_str), &[]);
        let members = [
            "d/e.pgn",
            "d-e.pgn",
            "D/e.pgn",
            "d/E.pgn",
            "d/e.PGN",
            "d/e.pgn.gz",
            "d//e.pgn",
            "./d/e.pgn",
            "d e.pgn",
            "e.pgn",
            "games.pgn",
            ".pgn",
            "é.pgn",
            "É.pgn",
            &longs[0],
            &longs[1],
        ];
        check_different(&["x.zip"], &members);
        check_different(
            &["x.zip", "x-d.zip", "y/x.zip", "x-d-e.pgn", "x-e.pgn"],
            &members,
        );
        check_different(&["X.zip", "x-d.zip", "e.pgn"], &members);
    }
}
