//! Files of one path, in which `{key}` stands for a key of each game.
//!
//! All files are moved to their places at the end. Games are held in memory, and from time to time
//! one file after another is opened to append them, so that any number of files can be written.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::commands::args::{GameArgs, id_of};
use crate::commands::run::CommandRun;
use crate::commands::split::joined_texts::JoinedTexts;
use crate::commands::split::split_by::{KEY, SplitBy, has_key};
use crate::error::Error;
use crate::input::Source;
use crate::report::{Bar, FileId, Sink};

/// Maximum size of the games that are held, in bytes.
const MOST_HELD: usize = 16 << 20;

/// Maximum number of files, which bounds memory.
const MOST_FILES: usize = 1 << 16;

/// Maximum length of a key in a name, in characters of up to four bytes.
const LONGEST_KEY: usize = 50;

pub(crate) struct KeyedFiles {
    path: PathBuf,
    by: Option<SplitBy>,
    bar: Bar,
    /// Files that must not be replaced.
    protected: HashSet<FileId>,
    pub(super) files: Vec<KeyedFile>,
    /// Index of the file of each name, in lower case: some file systems ignore case.
    indexes: HashMap<String, usize>,
    /// Size of the texts that are held, in bytes.
    held: usize,
    games: u64,
}

pub(super) struct KeyedFile {
    sink: Sink,
    /// Text that is appended next.
    held: Vec<u8>,
    /// The stored games written so far.
    pub(super) games: JoinedTexts,
}

impl KeyedFile {
    pub(super) fn name(&self) -> &str {
        self.sink.file().unwrap_or("<stdout>")
    }
}

/// Inputs and other files of a run that must not be replaced by one whose name depends on games.
pub(crate) fn protected(args: &GameArgs, sources: &[Source]) -> HashSet<FileId> {
    let settings = args.settings_file();
    let others = args.run.file().into_iter().chain(settings.as_deref());
    let inputs = sources.iter().filter_map(id_of);
    inputs.chain(others.filter_map(FileId::of)).collect()
}

impl KeyedFiles {
    /// Files by a key, in a folder that is created, or one file if the path has no place for a key.
    pub(crate) fn new(
        path: &Path,
        by: Option<&SplitBy>,
        args: &GameArgs,
        run: &CommandRun,
    ) -> Result<KeyedFiles, Error> {
        let mut files = KeyedFiles {
            path: path.to_owned(),
            by: by.filter(|_| has_key(path)).cloned(),
            bar: run.output.bar.clone(),
            protected: protected(args, &run.sources),
            files: Vec::new(),
            indexes: HashMap::new(),
            held: 0,
            games: 0,
        };
        if files.by.is_none() {
            files.open(String::new(), path)?;
        } else if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)
                .map_err(|cause| Error::io(folder.display().to_string(), "write", cause))?;
        }
        Ok(files)
    }

    /// Indexes of the files of the next game, which has these keys.
    pub(crate) fn next_game(&mut self, keys: &[String]) -> Result<Vec<usize>, Error> {
        self.games += 1;
        let mut files = match self.by {
            None => vec![0],
            Some(SplitBy::Count(most)) => {
                vec![self.of_key(&self.games.div_ceil(most).to_string())?]
            }
            Some(_) => {
                let files = keys.iter().map(|key| self.of_key(key));
                files.collect::<Result<_, _>>()?
            }
        };
        files.dedup();
        Ok(files)
    }

    fn of_key(&mut self, key: &str) -> Result<usize, Error> {
        let name = file_name(key);
        let id = name.to_lowercase();
        if let Some(&known) = self.indexes.get(&id) {
            return Ok(known);
        }
        if self.files.len() == MOST_FILES {
            let reason = format!("`--split-by` would write more than {MOST_FILES} files");
            return Err(Error::Usage(reason));
        }
        let pattern = self.path.file_name().unwrap_or_default().to_string_lossy();
        let path = self.path.with_file_name(pattern.replace(KEY, &name));
        if FileId::of(&path).is_some_and(|id| self.protected.contains(&id)) {
            return Err(Error::output_is_input(path.display().to_string()));
        }
        self.open(id, &path)
    }

    fn open(&mut self, id: String, path: &Path) -> Result<usize, Error> {
        let mut sink = Sink::open(Some(path), self.bar.clone())?;
        sink.begin_games();
        if self.by.is_some() {
            sink.suspend()?;
        }
        self.files.push(KeyedFile {
            sink,
            held: Vec::new(),
            games: JoinedTexts::default(),
        });
        self.indexes.insert(id, self.files.len() - 1);
        Ok(self.files.len() - 1)
    }

    /// Appends to a file.
    pub(crate) fn write(&mut self, file: usize, data: &[u8]) -> Result<(), Error> {
        let file = &mut self.files[file];
        if self.by.is_none() {
            return file.sink.write(data);
        }
        file.held.extend_from_slice(data);
        self.held += data.len();
        match self.held > MOST_HELD {
            true => self.append_held(),
            false => Ok(()),
        }
    }

    /// Appends the texts that are held to their files.
    fn append_held(&mut self) -> Result<(), Error> {
        self.held = 0;
        for file in self.files.iter_mut().filter(|file| !file.held.is_empty()) {
            file.sink.write(&std::mem::take(&mut file.held))?;
            file.sink.suspend()?;
        }
        Ok(())
    }

    /// Appends games, each with its end in `data` and its keys, to their files.
    pub(crate) fn write_games(
        &mut self,
        data: &[u8],
        games: &[(usize, Vec<String>)],
    ) -> Result<(), Error> {
        let mut start = 0;
        for (end, keys) in games {
            for file in self.next_game(keys)? {
                self.write(file, &data[start..*end])?;
            }
            start = *end;
        }
        Ok(())
    }

    /// Moves the files to their places. Returns a closing line about several files.
    pub(crate) fn finish(mut self) -> Result<Option<String>, Error> {
        self.append_held()?;
        for file in &mut self.files {
            file.sink.finish()?;
        }
        let (games, files) = (self.games, self.files.len());
        let plural = if files == 1 { "" } else { "s" };
        let line = format!("split: {games} games in {files} file{plural}");
        Ok(self.by.map(|_| line))
    }
}

/// A key as a part of a file name that is safe on every file system.
fn file_name(key: &str) -> String {
    let fits = |c: char| c.is_alphanumeric() || " -_.,'+&()".contains(c);
    let fitted = key.chars().map(|c| if fits(c) { c } else { '_' });
    let name: String = fitted.take(LONGEST_KEY).collect();
    match name.trim_matches([' ', '.']) {
        "" => "unknown".to_owned(),
        name => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_safe_in_file_names() {
        for (key, name) in [
            ("Réti, Richard", "Réti, Richard"),
            ("../../etc/passwd", "_.._etc_passwd"),
            ("a\\b:c*?\"<>|\n", "a_b_c_______"),
            (" . ", "unknown"),
        ] {
            assert_eq!(file_name(key), name);
        }
        assert!(file_name(&"é".repeat(300)).len() <= 4 * LONGEST_KEY);
    }
}
