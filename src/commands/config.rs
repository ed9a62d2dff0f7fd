//! `arbiter.toml`: settings of a folder, for the commands that run in it or below it.

use std::collections::BTreeMap;
use std::env;
use std::path::{Path, PathBuf};

use clap::Args;
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use toml::{Spanned, Table, Value};

use crate::commands::held_file::read_file;
use crate::error::Error;
use crate::input::{Patterns, lexical};
use crate::report::append;
use crate::text::nearest::no_such;

const FILE_NAME: &str = "arbiter.toml";

/// Options about the file of settings.
#[derive(Args, Debug)]
#[command(next_help_heading = "General")]
pub(crate) struct ConfigArgs {
    /// Read settings from this file [default: arbiter.toml in this folder or the nearest above]
    #[arg(long, value_name = "FILE", conflicts_with = "no_config")]
    #[arg(hide_short_help = true)]
    config: Option<PathBuf>,

    /// Read no arbiter.toml
    #[arg(long, hide_short_help = true)]
    no_config: bool,

    /// Print the settings in force and their origins, and read no games
    #[arg(long, hide_short_help = true)]
    pub(crate) show_config: bool,
}

impl ConfigArgs {
    /// The file of settings, if there is one.
    pub(crate) fn path(&self, inputs: &[PathBuf]) -> Option<PathBuf> {
        match &self.config {
            None if self.no_config => None,
            None => find(inputs),
            given => given.clone(),
        }
    }

    /// Settings in force for a command that uses these keys and those of a search: `given` on the
    /// command line, else those of the file, else the defaults.
    pub(crate) fn read(
        &self,
        inputs: &[PathBuf],
        used: &'static [&'static str],
        given: Keys,
    ) -> Result<Config, Error> {
        let mut config = Config {
            used,
            ..Config::default()
        };
        let mut file = Keys::default();
        if let Some(path) = self.path(inputs) {
            config.text = String::from_utf8(read_file(&path)?).map_err(|_| {
                let path = path.display().to_string();
                Error::invalid("configuration", path, None, "it is not UTF-8")
            })?;
            config.path = path;
            let read = Keys::read(&config.text);
            (file, config.places) = read.map_err(|(at, reason)| config.fault_at(at, reason))?;
        }
        // A selection on the command line is not narrowed by the file.
        if given.select.is_some() {
            file.ignore = None;
        }
        file.baseline = file.baseline.map(|path| config.folder().join(path));
        let layers = [
            (Keys::defaults(), Origin::Default),
            (file, Origin::File),
            (given, Origin::CommandLine),
        ];
        let mut merged = Table::new();
        for (keys, origin) in layers {
            let keys = Table::try_from(keys).map_err(|error| Error::Usage(error.to_string()))?;
            let names = keys.keys().cloned();
            config.origins.extend(names.map(|name| (name, origin)));
            merged.extend(keys);
        }
        config.keys = (merged.try_into()).map_err(|error| Error::Usage(error.to_string()))?;
        Ok(config)
    }
}

/// The file of the working directory, or of the nearest folder above that has one; without one,
/// that of the folder that all inputs are in, or of the nearest above.
fn find(inputs: &[PathBuf]) -> Option<PathBuf> {
    let working = env::current_dir().ok()?;
    let above = |folder: &Path| {
        let mut files = folder.ancestors().map(|folder| folder.join(FILE_NAME));
        files.find(|file| file.is_file())
    };
    let found = above(&working).or_else(|| above(&common_folder(inputs)?))?;
    Some(match found.strip_prefix(&working) {
        Ok(below) => below.to_owned(),
        Err(_) => found,
    })
}

/// The folder that all inputs are in.
fn common_folder(inputs: &[PathBuf]) -> Option<PathBuf> {
    let files = inputs.iter().filter(|path| path.as_os_str() != "-");
    let mut folders = files.map(|path| match path.is_dir() {
        true => lexical(path),
        false => lexical(&path.join("..")),
    });
    let first = folders.next()?;
    folders.try_fold(first, |common, folder| {
        let shared = common.ancestors().find(|above| folder.starts_with(above));
        shared.map(Path::to_owned)
    })
}

/// Settings in force.
#[derive(Default, Debug)]
pub(crate) struct Config {
    /// Path of the file; empty without a file.
    path: PathBuf,
    text: String,
    /// Offset of each value in the file, in bytes from 0.
    places: BTreeMap<String, usize>,
    /// Keys that the command uses.
    used: &'static [&'static str],
    pub(crate) keys: Keys,
    /// Origins of the keys that are set.
    origins: BTreeMap<String, Origin>,
}

impl Config {
    /// Folder to which the paths of the file are relative.
    pub(crate) fn folder(&self) -> PathBuf {
        self.path.parent().map_or_else(PathBuf::new, Path::to_owned)
    }

    /// Whether a key is set in the file or on the command line.
    pub(crate) fn is_set(&self, key: &str) -> bool {
        let origin = self.origins.get(key);
        origin.is_some_and(|origin| *origin != Origin::Default)
    }

    /// Reads the value of a key, or a text in its list.
    pub(crate) fn parse<T>(
        &self,
        key: &str,
        text: &str,
        parse: impl Fn(&str) -> Result<T, String>,
    ) -> Result<T, Error> {
        parse(text).map_err(|reason| self.fault(key, text, format!("`{text}`: {reason}")))
    }

    /// Refuses the value of a key, or a text in its list.
    pub(crate) fn fault(&self, key: &str, text: &str, reason: String) -> Error {
        match (self.origins.get(key), self.places.get(key)) {
            (Some(Origin::File), Some(&at)) => {
                let quoted = ["'", "\""].map(|quote| format!("{quote}{text}{quote}"));
                let mut found = quoted.iter().filter_map(|text| self.text[at..].find(text));
                self.fault_at(at + found.next().unwrap_or(0), reason)
            }
            _ => Error::Usage(reason),
        }
    }

    fn fault_at(&self, at: usize, reason: String) -> Error {
        let path = self.path.display().to_string();
        Error::invalid("configuration", path, self.line(at), reason)
    }

    fn line(&self, at: usize) -> u64 {
        1 + memchr::memchr_iter(b'\n', &self.text.as_bytes()[..at]).count() as u64
    }

    /// Names the file and the keys that are in force from it; nothing if there are none.
    pub(crate) fn note(&self) -> Option<String> {
        let rows = self.rows().into_iter();
        let of_file = rows.filter(|row| matches!(row.1, Some((_, Origin::File))));
        let names: Vec<&str> = of_file.map(|row| row.0).collect();
        let path = self.path.display();
        (!names.is_empty()).then(|| format!("settings: {} from {path}", names.join(", ")))
    }

    /// The rule set and the file, if it is of a file: `rules = "lichess" from arbiter.toml`.
    pub(crate) fn rules_note(&self) -> Option<String> {
        let rules = self.keys.rules.as_ref()?;
        let path = self.path.display();
        let is_of_file = self.origins.get("rules") == Some(&Origin::File);
        is_of_file.then(|| format!("`rules = \"{rules}\"` from {path}"))
    }

    /// The settings in force as a file of settings, with their origins as comments.
    pub(crate) fn shown(&self) -> String {
        let mut shown = match self.path.as_os_str().is_empty() {
            true => format!("# no {FILE_NAME}\n"),
            false => format!("# {}\n", self.path.display()),
        };
        for (name, row) in self.rows() {
            let Some((value, origin)) = row else {
                append!(shown, "# {name} is not set\n");
                continue;
            };
            let origin = match origin {
                Origin::Default => "default".to_owned(),
                Origin::CommandLine => "command line".to_owned(),
                Origin::File => format!("{}:{}", self.path.display(), self.line(self.places[name])),
            };
            append!(shown, "{name} = {value}  # {origin}\n");
        }
        shown
    }

    fn rows(&self) -> Vec<Row> {
        let values = Table::try_from(&self.keys).unwrap_or_default();
        let is_used = |name: &&str| self.used.contains(name) || SEARCH_KEYS.contains(name);
        let used = KEYS.into_iter().filter(is_used);
        let row = |name| Some((values.get(name)?.clone(), *self.origins.get(name)?));
        used.map(|name| (name, row(name))).collect()
    }

    /// The files and folders that no search includes.
    pub(crate) fn excluded(&self) -> Result<Patterns, Error> {
        let lists = [
            ("exclude", &self.keys.exclude),
            ("extend-exclude", &self.keys.extend_exclude),
        ];
        let patterns = lists.iter().flat_map(|(key, list)| {
            let texts = list.iter().flatten();
            texts.map(|text| (*key, text.as_str()))
        });
        let patterns: Vec<_> = patterns.collect();
        let texts = patterns.iter().map(|(_, text)| *text);
        Patterns::new(&self.folder(), texts).map_err(|(nth, reason)| {
            let (key, text) = patterns[nth];
            self.fault(key, text, format!("`{text}`: {reason}"))
        })
    }
}

/// Name of a key, its value and its origin.
type Row = (&'static str, Option<(Value, Origin)>);

/// Origin of a setting.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Origin {
    Default,
    File,
    CommandLine,
}

/// Keys in the order in which they are shown.
const KEYS: [&str; 10] = [
    "select",
    "ignore",
    "per-file-ignores",
    "strict",
    "fail-on",
    "baseline",
    "rules",
    "piece-letters",
    "exclude",
    "extend-exclude",
];

/// Keys of the search for files, which all commands that read games use.
const SEARCH_KEYS: [&str; 2] = ["exclude", "extend-exclude"];

/// Folders of other people's files, and of what programs build.
const VENDORED: [&str; 3] = ["node_modules/", "target/", ".venv/"];

/// Values of the keys.
#[derive(Serialize, Deserialize, Default, Debug)]
#[serde(default, rename_all = "kebab-case")]
pub(crate) struct Keys {
    pub(crate) select: Option<Vec<String>>,
    pub(crate) ignore: Option<Vec<String>>,
    pub(crate) per_file_ignores: Option<BTreeMap<String, Vec<String>>>,
    pub(crate) strict: Option<bool>,
    pub(crate) fail_on: Option<String>,
    pub(crate) baseline: Option<PathBuf>,
    pub(crate) rules: Option<String>,
    pub(crate) piece_letters: Option<String>,
    pub(crate) exclude: Option<Vec<String>>,
    pub(crate) extend_exclude: Option<Vec<String>>,
}

impl Keys {
    /// Reads a file of settings, with the offsets of the values in bytes from 0. An error is an
    /// offset and a reason.
    fn read(text: &str) -> Result<(Keys, BTreeMap<String, usize>), (usize, String)> {
        let fault = |error: toml::de::Error| {
            let at = error.span().unwrap_or_default().start;
            (at, error.message().to_owned())
        };
        let named: BTreeMap<Spanned<String>, Spanned<IgnoredAny>> =
            toml::from_str(text).map_err(fault)?;
        let names = named.keys().map(|name| (name.span().start, name.as_ref()));
        let unknown = names.filter(|(_, name)| !KEYS.contains(&name.as_str()));
        if let Some((at, typed)) = unknown.min() {
            let reason = format!("`{typed}`: {}", no_such("key", typed, &KEYS));
            return Err((at, reason));
        }
        let keys = toml::from_str(text).map_err(fault)?;
        let place = |(name, value): (Spanned<String>, Spanned<IgnoredAny>)| {
            (name.into_inner(), value.span().start)
        };
        Ok((keys, named.into_iter().map(place).collect()))
    }

    fn defaults() -> Keys {
        Keys {
            strict: Some(false),
            fail_on: Some("error".to_owned()),
            rules: Some("fide".to_owned()),
            exclude: Some(VENDORED.map(str::to_owned).to_vec()),
            ..Keys::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_is_read_under_its_name() {
        let text = r#"
            select = ["E"]
            ignore = ["E205"]
            per-file-ignores = { "old/" = ["W"] }
            strict = true
            fail-on = "note"
            baseline = "known.jsonl"
            rules = "uscf"
            piece-letters = "de"
            exclude = ["old/"]
            extend-exclude = ["!new/"]
        "#;
        let (keys, places) = Keys::read(text).map_err(|fault| fault.1).unwrap();
        let values = Table::try_from(keys).unwrap();
        assert_eq!(values.len(), KEYS.len());
        for (nth, name) in KEYS.into_iter().enumerate() {
            let line = text.lines().nth(nth + 1).unwrap().trim();
            assert_eq!(line, format!("{name} = {}", values[name]));
            assert!(text[..places[name]].ends_with(&format!("{name} = ")));
        }
    }

    #[test]
    fn selected_codes_of_the_command_line_are_not_ignored_by_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(FILE_NAME);
        std::fs::write(&path, "select = ['E']\nignore = ['E201']").unwrap();
        let args = ConfigArgs {
            config: Some(path),
            no_config: false,
            show_config: false,
        };
        for (given, select, ignore) in [
            ("", "E", Some("E201")),
            ("ignore = ['W']", "E", Some("W")),
            ("select = ['N']", "N", None),
            ("select = ['N']\nignore = ['N1']", "N", Some("N1")),
        ] {
            let (given_keys, _) = Keys::read(given).map_err(|fault| fault.1).unwrap();
            let keys = args.read(&[], &[], given_keys).unwrap().keys;
            assert_eq!(keys.select.unwrap(), [select], "{given}");
            let ignore = ignore.map(|code| vec![code.to_owned()]);
            assert_eq!(keys.ignore, ignore, "{given}");
        }
    }
}
