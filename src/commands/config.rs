//! `arbiter.toml`: settings of a folder, for the commands that run in it or below it.

use std::collections::BTreeMap;
use std::env;
use std::path::{Path, PathBuf};

use clap::Args;
use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use toml::{Spanned, Value};

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
        let path = self.path(inputs);
        let mut config = Config {
            used,
            ..Config::default()
        };
        if let Some(path) = path {
            config.text = String::from_utf8(read_file(&path)?).map_err(|_| {
                Error::invalid(
                    "configuration",
                    path.display().to_string(),
                    "it is not UTF-8",
                )
            })?;
            config.path = path;
            let keys = Keys::of_text(&config.text);
            config.keys = keys.map_err(|(at, reason)| config.fault(Origin::File(at), reason))?;
        }
        let folder = config.folder();
        if let Some(baseline) = &mut config.keys.baseline {
            baseline.value = folder.join(&baseline.value);
        }
        config.keys = given.or(config.keys).or(Keys::defaults());
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
    /// Keys that the command uses.
    used: &'static [&'static str],
    pub(crate) keys: Keys,
}

impl Config {
    /// Folder to which the paths of the file are relative.
    pub(crate) fn folder(&self) -> PathBuf {
        self.path.parent().map_or_else(PathBuf::new, Path::to_owned)
    }

    /// Reads the text of a setting.
    pub(crate) fn parse<T>(
        &self,
        text: &Text,
        parse: impl Fn(&str) -> Result<T, String>,
    ) -> Result<T, Error> {
        let fault = |reason| self.fault(text.origin, format!("`{}`: {reason}", text.value));
        parse(&text.value).map_err(fault)
    }

    /// Refuses a setting.
    pub(crate) fn fault(&self, origin: Origin, reason: String) -> Error {
        match origin {
            Origin::File(at) => Error::Invalid {
                what: "configuration",
                path: self.path.display().to_string(),
                line: Some(self.line(at)),
                reason,
            },
            Origin::CommandLine | Origin::Default => Error::Usage(reason),
        }
    }

    fn line(&self, at: usize) -> u64 {
        1 + memchr::memchr_iter(b'\n', &self.text.as_bytes()[..at]).count() as u64
    }

    /// Names the file and the keys that are in force from it; nothing if there are none.
    pub(crate) fn note(&self) -> Option<String> {
        let rows = self.rows();
        let is_of_file = |row: &&Row| matches!(row.1, Some((_, Origin::File(_))));
        let names: Vec<&str> = rows.iter().filter(is_of_file).map(|row| row.0).collect();
        let path = self.path.display();
        (!names.is_empty()).then(|| format!("settings: {} from {path}", names.join(", ")))
    }

    /// The rule set and the file, if it is of a file: `rules = "lichess" from arbiter.toml`.
    pub(crate) fn rules_note(&self) -> Option<String> {
        let rules = self.keys.rules.as_ref()?;
        let is_of_file = matches!(rules.origin, Origin::File(_));
        let path = self.path.display();
        is_of_file.then(|| format!("`rules = \"{}\"` from {path}", rules.value))
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
                Origin::File(at) => format!("{}:{}", self.path.display(), self.line(at)),
            };
            append!(shown, "{name} = {value}  # {origin}\n");
        }
        shown
    }

    fn rows(&self) -> Vec<Row> {
        let mut rows = self.keys.rows();
        rows.retain(|(name, _)| self.used.contains(name) || SEARCH_KEYS.contains(name));
        rows
    }

    /// The files and folders that no search includes.
    pub(crate) fn excluded(&self) -> Result<Patterns, Error> {
        let lists = [&self.keys.exclude, &self.keys.extend_exclude];
        let lists = lists.into_iter().flatten().map(|list| &list.value);
        let patterns: Vec<&Text> = lists.flatten().collect();
        let texts = patterns.iter().map(|text| &*text.value);
        Patterns::new(&self.folder(), texts).map_err(|(nth, reason)| {
            let pattern = patterns[nth];
            self.fault(pattern.origin, format!("`{}`: {reason}", pattern.value))
        })
    }
}

/// Name of a key, its value and its origin.
type Row = (&'static str, Option<(Value, Origin)>);

/// Origin of a setting.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Origin {
    Default,
    /// Offset in the file, in bytes from 0.
    File(usize),
    CommandLine,
}

/// Value of a key.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Setting<T> {
    pub(crate) value: T,
    pub(crate) origin: Origin,
}

/// Setting that is read from a text.
pub(crate) type Text = Setting<String>;

impl<T> Setting<T> {
    /// A setting of the command line.
    pub(crate) fn given(value: T) -> Setting<T> {
        Setting {
            value,
            origin: Origin::CommandLine,
        }
    }

    fn default(value: T) -> Setting<T> {
        Setting {
            value,
            origin: Origin::Default,
        }
    }
}

impl Text {
    /// A list of the command line; nothing if it is empty.
    pub(crate) fn list(values: &[String]) -> Option<Setting<Vec<Text>>> {
        let texts = values.iter().cloned().map(Setting::given);
        (!values.is_empty()).then(|| Setting::given(texts.collect()))
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Setting<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Setting<T>, D::Error> {
        let spanned = Spanned::deserialize(deserializer)?;
        Ok(Setting {
            origin: Origin::File(spanned.span().start),
            value: spanned.into_inner(),
        })
    }
}

impl<T: Serialize> Serialize for Setting<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.value.serialize(serializer)
    }
}

/// The keys of the file.
#[derive(Deserialize, Default, Debug)]
#[serde(default, rename_all = "kebab-case")]
pub(crate) struct Keys {
    pub(crate) select: Option<Setting<Vec<Text>>>,
    pub(crate) ignore: Option<Setting<Vec<Text>>>,
    pub(crate) per_file_ignores: Option<Setting<BTreeMap<Text, Vec<Text>>>>,
    pub(crate) strict: Option<Setting<bool>>,
    pub(crate) fail_on: Option<Text>,
    pub(crate) baseline: Option<Setting<PathBuf>>,
    pub(crate) rules: Option<Text>,
    pub(crate) piece_letters: Option<Text>,
    pub(crate) exclude: Option<Setting<Vec<Text>>>,
    pub(crate) extend_exclude: Option<Setting<Vec<Text>>>,
}

/// Keys of the search for files, which all commands that read games use.
const SEARCH_KEYS: [&str; 2] = ["exclude", "extend-exclude"];

/// Folders of other people's files, and of what programs build.
const VENDORED: [&str; 3] = ["node_modules/", "target/", ".venv/"];

impl Keys {
    /// Reads a file of settings. An error is an offset in the text, in bytes from 0, and a reason.
    fn of_text(text: &str) -> Result<Keys, (usize, String)> {
        let fault = |error: toml::de::Error| {
            let at = error.span().unwrap_or_default().start;
            (at, error.message().to_owned())
        };
        let named: BTreeMap<Spanned<String>, IgnoredAny> = toml::from_str(text).map_err(fault)?;
        let known: Vec<&str> = Keys::default().rows().iter().map(|row| row.0).collect();
        let names = named.keys().map(|name| (name.span().start, name.as_ref()));
        let unknown = names.filter(|(_, name)| !known.contains(&name.as_str()));
        if let Some((at, typed)) = unknown.min() {
            let reason = format!("`{typed}`: {}", no_such("key", typed, &known));
            return Err((at, reason));
        }
        toml::from_str(text).map_err(fault)
    }

    fn defaults() -> Keys {
        Keys {
            strict: Some(Setting::default(false)),
            fail_on: Some(Setting::default("error".to_owned())),
            rules: Some(Setting::default("fide".to_owned())),
            exclude: Some(Setting::default(
                VENDORED
                    .map(|folder| Setting::default(folder.to_owned()))
                    .to_vec(),
            )),
            ..Keys::default()
        }
    }

    /// These keys, with `other` for those that are not set.
    fn or(self, other: Keys) -> Keys {
        Keys {
            // A selection on the command line is not narrowed by the file.
            ignore: match &self.select {
                Some(_) => self.ignore,
                None => self.ignore.or(other.ignore),
            },
            select: self.select.or(other.select),
            per_file_ignores: self.per_file_ignores.or(other.per_file_ignores),
            strict: self.strict.or(other.strict),
            fail_on: self.fail_on.or(other.fail_on),
            baseline: self.baseline.or(other.baseline),
            rules: self.rules.or(other.rules),
            piece_letters: self.piece_letters.or(other.piece_letters),
            exclude: self.exclude.or(other.exclude),
            extend_exclude: self.extend_exclude.or(other.extend_exclude),
        }
    }

    fn rows(&self) -> Vec<Row> {
        fn row<T: Serialize>(setting: Option<&Setting<T>>) -> Option<(Value, Origin)> {
            let setting = setting?;
            let value = Value::try_from(&setting.value).ok()?;
            Some((value, setting.origin))
        }
        let baseline = self.baseline.as_ref().map(|baseline| Setting {
            value: baseline.value.display().to_string(),
            origin: baseline.origin,
        });
        vec![
            ("select", row(self.select.as_ref())),
            ("ignore", row(self.ignore.as_ref())),
            ("per-file-ignores", row(self.per_file_ignores.as_ref())),
            ("strict", row(self.strict.as_ref())),
            ("fail-on", row(self.fail_on.as_ref())),
            ("baseline", row(baseline.as_ref())),
            ("rules", row(self.rules.as_ref())),
            ("piece-letters", row(self.piece_letters.as_ref())),
            ("exclude", row(self.exclude.as_ref())),
            ("extend-exclude", row(self.extend_exclude.as_ref())),
        ]
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
        let keys = Keys::of_text(text).map_err(|fault| fault.1).unwrap();
        for (nth, (name, row)) in keys.rows().into_iter().enumerate() {
            let (value, origin) = row.unwrap_or_else(|| panic!("{name} is not read"));
            let line = text.lines().nth(nth + 1).unwrap().trim();
            assert_eq!(line, format!("{name} = {value}"));
            let Origin::File(at) = origin else {
                panic!("{name}: {origin:?}");
            };
            assert!(text[..at].ends_with(&format!("{name} = ")));
        }
    }

    #[test]
    fn selected_codes_of_the_command_line_are_not_ignored_by_the_file() {
        let keys = |text| Keys::of_text(text).map_err(|fault| fault.1).unwrap();
        let value = |list: &Option<Setting<Vec<Text>>>| {
            list.as_ref().map(|list| list.value[0].value.clone())
        };
        let file = || keys("select = ['E']\nignore = ['E201']");
        for (given, select, ignore) in [
            ("", "E", Some("E201")),
            ("ignore = ['W']", "E", Some("W")),
            ("select = ['N']", "N", None),
            ("select = ['N']\nignore = ['N1']", "N", Some("N1")),
        ] {
            let merged = keys(given).or(file()).or(Keys::defaults());
            assert_eq!(value(&merged.select).as_deref(), Some(select), "{given}");
            assert_eq!(value(&merged.ignore).as_deref(), ignore, "{given}");
        }
    }
}
