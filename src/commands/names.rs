//! One name for each player: `--names`.

use std::borrow::Cow;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;

use crate::commands::held_file::read_output;
use crate::error::Error;
use crate::text::decode_marked;

/// Option of the commands that join the spellings of a player.
#[derive(Args, Debug)]
pub(crate) struct NameArgs {
    /// One name for each player, from a table of spellings
    ///
    /// A line has a spelling, a tab or `;`, and the name. Spelling files of scid, *.ssp, are read
    /// too. A spelling that is not in the table stays as it is.
    #[arg(long, value_name = "FILE")]
    #[arg(hide_short_help = true, help_heading = "Input")]
    names: Option<PathBuf>,
}

impl NameArgs {
    pub(crate) fn is_given(&self) -> bool {
        self.names.is_some()
    }

    /// The file, with its name in messages.
    pub(crate) fn files(&self) -> impl Iterator<Item = (&Path, &'static str)> {
        let files = self.names.iter();
        files.map(|path| (&**path, "the table of names"))
    }

    /// Reads the table, if one is given.
    pub(crate) fn read(&self) -> Result<Names, Error> {
        let mut names = Names::default();
        let Some(path) = &self.names else {
            return Ok(names);
        };
        let (path, text) = read_output(path)?;
        let added = names.add(&decode_marked(&text));
        added.map_err(|(line, reason)| Error::invalid("table of names", path, line, reason))?;
        Ok(names)
    }
}

/// Names by spelling. Each name is a spelling of itself.
#[derive(Debug, Default)]
pub(crate) struct Names {
    by_spelling: HashMap<String, Entry>,
    /// Characters that a spelling file of scid leaves out of comparisons.
    ignored: String,
}

/// Name of a spelling, `None` if it stands for several, and the line of the table.
type Entry = (Option<Arc<str>>, u64);

/// Line and fault.
type Fault = (u64, String);

impl Names {
    /// Name for a spelling: the spelling itself if the table gives it no name, or several.
    #[inline(always)]
    pub(crate) fn name<'a>(&'a self, spelling: Cow<'a, str>) -> Cow<'a, str> {
        if self.by_spelling.is_empty() {
            return spelling;
        }
        match self.by_spelling.get(&*self.key(spelling.trim())) {
            Some((Some(name), _)) => Cow::Borrowed(name),
            _ => spelling,
        }
    }

    /// Adds the lines of a table, or of the players in a spelling file of scid.
    fn add(&mut self, text: &str) -> Result<(), Fault> {
        let is_entry = |line: &str| !line.is_empty() && !line.starts_with('#');
        let lines = (1..).zip(text.lines().map(str::trim));
        let mut lines = lines.filter(|(_, line)| is_entry(line)).peekable();
        if lines.peek().is_some_and(|(_, line)| line.starts_with('@')) {
            return self.add_spelling_file(lines);
        }
        for (line, content) in lines {
            let separator = if content.contains('\t') { '\t' } else { ';' };
            let (spelling, name) = content.split_once(separator).unwrap_or_default();
            let (spelling, name) = (spelling.trim(), Arc::<str>::from(name.trim()));
            if spelling.is_empty() || name.is_empty() || name.contains(separator) {
                let reason = "a line has a spelling, a tab or `;`, and a name";
                return Err((line, reason.to_owned()));
            }
            for spelling in [&*name, spelling] {
                if let Some((Some(other), at)) = self.add_spelling(spelling, &name, line) {
                    let reason = format!("`{spelling}` is `{name}`, but `{other}` on line {at}");
                    return Err((line, reason));
                }
            }
        }
        Ok(())
    }

    /// Adds the section of players, in which the other spellings of a name follow it, each after
    /// `=`. A spelling of several names joins nothing, as in scid.
    fn add_spelling_file<'a>(
        &mut self,
        lines: impl Iterator<Item = (u64, &'a str)>,
    ) -> Result<(), Fault> {
        let (mut is_of_players, mut name) = (false, None);
        for (line, content) in lines {
            let content = content.split('#').next().unwrap_or_default().trim_end();
            if let Some(section) = content.strip_prefix('@') {
                is_of_players = section.starts_with("PLAYER");
                let ignored = section.split('"').nth(1).filter(|_| is_of_players);
                self.ignored.push_str(ignored.unwrap_or_default());
            } else if is_of_players && !content.starts_with(['%', '>']) {
                let alias = content.strip_prefix('=').map(str::trim_start);
                if alias.is_none() {
                    name = Some(Arc::from(content));
                }
                let Some(name) = &name else {
                    return Err((line, "a spelling before the first name".to_owned()));
                };
                self.add_spelling(alias.unwrap_or(content), name, line);
            }
        }
        Ok(())
    }

    /// Adds a spelling. The entry of another name is returned; the spelling stands for both then.
    fn add_spelling(&mut self, spelling: &str, name: &Arc<str>, line: u64) -> Option<Entry> {
        let key = self.key(spelling).into_owned();
        if key.is_empty() {
            return None;
        }
        let entry = self.by_spelling.entry(key);
        let entry = entry.or_insert_with(|| (Some(name.clone()), line));
        match &entry.0 {
            Some(known) if known == name => None,
            _ => Some((entry.0.take(), entry.1)),
        }
    }

    /// The characters of a spelling that count.
    fn key<'a>(&self, spelling: &'a str) -> Cow<'a, str> {
        match self.ignored.is_empty() {
            true => spelling.into(),
            false => spelling.replace(|c| self.ignored.contains(c), "").into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(text: &str) -> Result<Names, Fault> {
        let mut names = Names::default();
        names.add(text).map(|()| names)
    }

    fn check(names: &Names, cases: &[(&str, &str)]) {
        for &(spelling, name) in cases {
            assert_eq!(names.name(spelling.into()), name, "{spelling}");
        }
    }

    #[test]
    fn a_table_gives_spellings_their_name_and_leaves_others() {
        let names = table(
            "# players\nCarlsen,M\tCarlsen, Magnus\r\n\nMagnus Carlsen ; Carlsen, Magnus\n\
             Carlsen,M\tCarlsen, Magnus\n",
        );
        check(
            &names.unwrap(),
            &[
                ("Carlsen,M", "Carlsen, Magnus"),
                ("Magnus Carlsen", "Carlsen, Magnus"),
                ("Carlsen, Magnus", "Carlsen, Magnus"),
                ("Carlsen, M", "Carlsen, M"),
                ("", ""),
            ],
        );
    }

    #[test]
    fn a_spelling_has_one_name_and_a_line_two_cells() {
        for (text, line, reason) in [
            ("A\tB\nX\tY\nA\tC\n", 3, "`A` is `C`, but `B` on line 1"),
            ("A;B\nB;C\n", 2, "`B` is `C`, but `B` on line 1"),
            ("A;B\nC;A\n", 2, "`A` is `A`, but `B` on line 1"),
            ("A,B\n", 1, "a line has"),
            ("A;B\nA;B;C\n", 2, "a line has"),
            ("\tB\n", 1, "a line has"),
        ] {
            let (found, said) = table(text).unwrap_err();
            assert!(found == line && said.starts_with(reason), "{text}: {said}");
        }
    }

    #[test]
    fn players_of_a_spelling_file_are_read_as_scid_reads_them() {
        let text = "# Spelling file\n@EVENT\nCarlsen,M\n=Wch\n@PLAYER \", .\"\n\
                    %Prefix \"a\" \"b\"\nCarlsen, Magnus    #gm NOR [2882] 1990.11.30\n\
                    %Elo 2014:2872,2881\n>old\n= Magnus Carlsen\n=Carlsen,M\nCarlsen, Mads\n\
                    =Carlsen M\n@SITE\nOslo\n=Christiania\n";
        let mut names = Names::default();
        names.add(text).unwrap();
        check(
            &names,
            &[
                ("Carlsen Magnus", "Carlsen, Magnus"),
                ("Magnus  Carlsen", "Carlsen, Magnus"),
                ("CarlsenMads", "Carlsen, Mads"),
                // Both players may be meant.
                ("Carlsen,M", "Carlsen,M"),
                ("Carlsen M.", "Carlsen M."),
                ("Christiania", "Christiania"),
                ("Wch", "Wch"),
                ("..", ".."),
            ],
        );
        let fault = Names::default().add("@PLAYER\n=A\n");
        assert_eq!(fault.unwrap_err().0, 2);
    }
}
