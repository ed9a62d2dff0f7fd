//! The settings that `arbiter.toml` and the command line share.

use std::borrow::Cow;
use std::path::{self, Component, Path, PathBuf};

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

use crate::commands::config::{Config, Keys, Origin, Setting, Text};
use crate::commands::validate::Flags;
use crate::commands::validate::codes::parse_codes;
use crate::error::Error;
use crate::findings::registry::{FAULTS_LEFT_OUT, Family, RULES, Rule, Severity};
use crate::findings::{Checks, Codes};
use crate::input::Source;

/// Keys that `validate` uses.
const KEYS: &[&str] = &[
    "select",
    "ignore",
    "per-file-ignores",
    "strict",
    "fail-on",
    "baseline",
    "piece-letters",
];

/// Values of `--fail-on`.
pub(crate) const FAIL_ON: [&str; 4] = ["error", "warning", "note", "never"];

/// Findings of each code that a terminal shows.
pub(crate) const PER_CODE_ON_TERMINAL: u64 = 20;

/// Parses the value of `--max-per-code`: a number, or `all`.
pub(crate) fn per_code(text: &str) -> Result<u64, String> {
    match text {
        "all" => Ok(u64::MAX),
        number => number
            .parse()
            .map_err(|_| "neither a number nor `all`".to_owned()),
    }
}

/// Settings in force.
pub(crate) struct Settings {
    pub(crate) checks: Checks,
    /// The checks of `--fix`.
    pub(crate) repairing: Checks,
    pub(crate) per_file: PerFileIgnores,
    pub(crate) fail_on: Option<Severity>,
    /// Whether other findings than duplicates reject games: with `--keep` only if it is asked for.
    pub(crate) rejects_faulty: bool,
    pub(crate) baseline: Option<PathBuf>,
}

impl Flags {
    /// The settings in force, unchecked.
    pub(crate) fn config(&self) -> Result<Config, Error> {
        let given = Keys {
            select: Text::list(&self.select),
            ignore: Text::list(&self.ignore),
            strict: (self.strict || self.no_strict).then(|| Setting::given(self.strict)),
            fail_on: self.fail_on.clone().map(Setting::given),
            baseline: self.baseline.clone().map(Setting::given),
            piece_letters: self.letters.given(),
            ..Keys::default()
        };
        let mut config = self.games.config.read(KEYS, given)?;
        if self.no_baseline {
            config.keys.baseline = None;
        }
        Ok(config)
    }

    /// The codes that `--duplicates` and `--keep` enable.
    fn duplicates(&self) -> Option<Codes> {
        let is_asked_for = self.duplicates || self.keep.is_some();
        is_asked_for.then(|| Codes::from_text("5", false))?
    }
}

impl Settings {
    /// The checks of a source.
    pub(crate) fn checks_of(&self, source: &Source) -> Cow<'_, Checks> {
        self.per_file.apply(&self.checks, source)
    }

    pub(crate) fn new(flags: &Flags, config: &Config) -> Result<Settings, Error> {
        let keys = &config.keys;
        let strict = keys.strict.as_ref().is_some_and(|strict| strict.value);
        let codes = |list: &[Text]| -> Result<Vec<Codes>, Error> {
            let codes = list
                .iter()
                .map(|text| config.parse(text, |codes| parse_codes(codes, strict)));
            codes.collect()
        };
        let all = |list: &Option<Setting<Vec<Text>>>| {
            codes(list.as_ref().map_or(&[], |list| &list.value))
        };
        let fail_on = match &keys.fail_on {
            Some(text) => config.parse(text, fail_on)?,
            None => Some(Severity::Error),
        };
        let (selected, ignored) = (all(&keys.select)?, all(&keys.ignore)?);
        let chosen = Checks::new(strict, &selected, &[]);
        let is_about_one = |rule: &Rule| {
            rule.family != Family::Duplicates && *rule != FAULTS_LEFT_OUT && chosen.has(rule)
        };
        let rejects_faulty = flags.keep.is_none()
            || keys
                .fail_on
                .as_ref()
                .is_some_and(|least| least.origin != Origin::Default)
            || !selected.is_empty() && RULES.iter().any(|rule| is_about_one(rule));
        let looks_for_some = |rule: &Rule| rule.family == Family::Duplicates && chosen.has(rule);
        let duplicates = match RULES.iter().any(|rule| looks_for_some(rule)) {
            true => None,
            false => flags.duplicates(),
        };
        let cross_check = flags.cross_check.then(|| Codes::from_text("E299", false));
        let enabled: Vec<_> = duplicates
            .into_iter()
            .chain(cross_check.flatten())
            .collect();
        let mut checks = chosen.and(&enabled).without(&ignored);
        checks.mainline_only = flags.mainline;
        checks.null_moves = flags.null_moves;
        let mut repairing = checks.clone();
        repairing.repairs = true;
        Ok(Settings {
            repairing,
            checks,
            per_file: PerFileIgnores::new(config, codes)?,
            fail_on,
            rejects_faulty,
            baseline: baseline(flags, config)?,
        })
    }
}

fn fail_on(name: &str) -> Result<Option<Severity>, String> {
    let mut severities = Severity::ALL.into_iter();
    match severities.find(|severity| severity.as_str() == name) {
        None if name != "never" => {
            let names = FAIL_ON.join(", ");
            Err(format!("not a severity; there are {names}"))
        }
        severity => Ok(severity),
    }
}

/// The baseline, which must exist if a file of settings names it.
fn baseline(flags: &Flags, config: &Config) -> Result<Option<PathBuf>, Error> {
    let Some(baseline) = &config.keys.baseline else {
        return Ok(None);
    };
    if flags.baseline.is_none() {
        let path = baseline.value.display();
        let refuse = |reason| Err(config.fault(baseline.origin, reason));
        if flags.games.part.is_some() {
            return refuse("`--part` needs `--no-baseline`".to_owned());
        }
        if !baseline.value.exists() {
            return refuse(format!(
                "no baseline `{path}`; `--no-baseline --write-baseline {path}` writes it"
            ));
        }
    }
    Ok(Some(baseline.value.clone()))
}

/// Codes that are not reported in files of some names.
#[derive(Default)]
pub(crate) struct PerFileIgnores {
    /// Folder of the file of settings.
    folder: PathBuf,
    globs: GlobSet,
    /// One list for each glob.
    codes: Vec<Vec<Codes>>,
}

impl PerFileIgnores {
    fn new(
        config: &Config,
        codes: impl Fn(&[Text]) -> Result<Vec<Codes>, Error>,
    ) -> Result<PerFileIgnores, Error> {
        let Some(patterns) = &config.keys.per_file_ignores else {
            return Ok(PerFileIgnores::default());
        };
        let mut globs = GlobSetBuilder::new();
        let mut ignored = Vec::new();
        for (pattern, listed) in &patterns.value {
            globs.add(config.parse(pattern, glob)?);
            ignored.push(codes(listed)?);
        }
        let globs = globs
            .build()
            .map_err(|error| config.fault(patterns.origin, error.to_string()))?;
        Ok(PerFileIgnores {
            folder: lexical(&config.folder()),
            globs,
            codes: ignored,
        })
    }

    /// The checks of a source.
    pub(crate) fn apply<'a>(&self, checks: &'a Checks, source: &Source) -> Cow<'a, Checks> {
        if self.globs.is_empty() || source.path().is_none() {
            return Cow::Borrowed(checks);
        }
        let path = lexical(Path::new(source.name()));
        let path = path.strip_prefix(&self.folder).unwrap_or(&path);
        let matching = self.globs.matches(path).into_iter();
        matching.fold(Cow::Borrowed(checks), |checks, nth| {
            Cow::Owned(checks.into_owned().without(&self.codes[nth]))
        })
    }
}

/// Parses a pattern with the meaning of a line in `.gitignore`: it matches in any folder unless it
/// names one, and a folder with all that is in it if it ends with a slash.
fn glob(pattern: &str) -> Result<globset::Glob, String> {
    let folder = pattern.strip_suffix('/');
    let name = folder.unwrap_or(pattern);
    let start = if name.contains('/') { "" } else { "**/" };
    let end = if folder.is_some() { "/**" } else { "" };
    GlobBuilder::new(&format!("{start}{}{end}", name.trim_start_matches('/')))
        .literal_separator(true)
        .build()
        .map_err(|error| error.kind().to_string())
}

/// Absolute path without `.` and `..`; links are not followed.
fn lexical(path: &Path) -> PathBuf {
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
        for (pattern, matched, others) in [
            ("*.pgn", &["a.pgn", "x/y/a.pgn"][..], &["a.pgn.zst"][..]),
            (
                "old/",
                &["old/a.pgn", "x/old/y/a.pgn"],
                &["old", "older/a.pgn"],
            ),
            ("old/*.pgn", &["old/a.pgn"], &["old/x/a.pgn", "x/old/a.pgn"]),
            ("/old/", &["old/x/a.pgn"], &["x/old/a.pgn"]),
            ("/a.pgn", &["a.pgn"], &["x/a.pgn"]),
            ("x/**/a.pgn", &["x/a.pgn", "x/y/z/a.pgn"], &["a.pgn"]),
            ("a.zip/", &["a.zip/b.pgn"], &["b.pgn"]),
            ("{a,b}.pgn", &["a.pgn", "x/b.pgn"], &["c.pgn"]),
        ] {
            let glob = glob(pattern).unwrap().compile_matcher();
            for path in matched {
                assert!(glob.is_match(path), "{pattern} {path}");
            }
            for path in others {
                assert!(!glob.is_match(path), "{pattern} {path}");
            }
        }
        assert!(glob("a[").is_err());
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
