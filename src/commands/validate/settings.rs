//! The settings that `arbiter.toml` and the command line share.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValuesParser, TypedValueParser};

use crate::commands::config::{Config, Keys};
use crate::commands::validate::CheckArgs;
use crate::commands::validate::codes::parse_codes;
use crate::error::Error;
use crate::findings::registry::{FAULTS_LEFT_OUT, Family, RULES, Rule, Severity};
use crate::findings::{Checks, Codes};
use crate::input::{Patterns, Source};

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
const FAIL_ON: [&str; 4] = ["error", "warning", "note", "never"];

/// Parser of `--fail-on`.
pub(crate) fn severities() -> impl TypedValueParser<Value = String> {
    PossibleValuesParser::new(FAIL_ON).map(|name| name.to_lowercase())
}

/// Findings of each code that a terminal shows.
pub(crate) const PER_CODE_ON_TERMINAL: u64 = 20;

/// Parses the value of `--max-per-code`: a number, or `all`.
pub(crate) fn per_code(text: &str) -> Result<u64, String> {
    match text.eq_ignore_ascii_case("all") {
        true => Ok(u64::MAX),
        false => text
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

impl CheckArgs {
    /// The settings in force, unchecked.
    pub(crate) fn config(&self) -> Result<Config, Error> {
        let list = |codes: &[String]| (!codes.is_empty()).then(|| codes.to_vec());
        let given = Keys {
            select: list(&self.select),
            ignore: list(&self.ignore),
            strict: (self.strict || self.no_strict).then_some(self.strict),
            fail_on: self.fail_on.clone(),
            baseline: self.baseline.clone(),
            piece_letters: self.letters.given(),
            ..Keys::default()
        };
        let mut config = self.games.settings(KEYS, given)?;
        if self.no_baseline {
            config.keys.baseline = None;
        }
        Ok(config)
    }
}

impl Settings {
    /// The checks of a source.
    pub(crate) fn checks_of(&self, source: &Source) -> Cow<'_, Checks> {
        self.per_file.apply(&self.checks, source)
    }

    pub(crate) fn new(flags: &CheckArgs, config: &Config) -> Result<Settings, Error> {
        let keys = &config.keys;
        let strict = keys.strict.unwrap_or_default();
        let codes = |key: &str, list: &[String]| -> Result<Vec<Codes>, Error> {
            let parse = |text: &String| config.parse(key, text, |text| parse_codes(text, strict));
            list.iter().map(parse).collect()
        };
        let fail_on = match &keys.fail_on {
            Some(text) => config.parse("fail-on", text, fail_on)?,
            None => Some(Severity::Error),
        };
        let selected = codes("select", keys.select.as_deref().unwrap_or_default())?;
        let ignored = codes("ignore", keys.ignore.as_deref().unwrap_or_default())?;
        let chosen = Checks::new(strict, &selected, &[]);
        let is_about_one = |rule: &Rule| {
            rule.family != Family::Duplicates && *rule != FAULTS_LEFT_OUT && chosen.has(rule)
        };
        let rejects_faulty = flags.keep.is_none()
            || config.is_set("fail-on")
            || !selected.is_empty() && RULES.iter().any(|rule| is_about_one(rule));
        let compares = flags.duplicates || flags.keep.is_some();
        let compares = compares && !chosen.look_for_duplicates();
        // Spellings of names are compared only if they are selected.
        let enabled = [
            compares.then_some("W5"),
            compares.then_some("N503"),
            flags.cross_check.then_some("E299"),
        ];
        let enabled = enabled.into_iter().flatten();
        let enabled = enabled.filter_map(|codes| Codes::from_text(codes, false));
        let enabled: Vec<Codes> = enabled.collect();
        let mut checks = chosen.and(&enabled).without(&ignored);
        checks.mainline_only = flags.mainline;
        checks.null_moves = flags.null_moves;
        Ok(Settings {
            repairing: checks.repairing(),
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
    match severities.find(|severity| severity.as_str().eq_ignore_ascii_case(name)) {
        None if !name.eq_ignore_ascii_case("never") => {
            let names = FAIL_ON.join(", ");
            Err(format!("not a severity; there are {names}"))
        }
        severity => Ok(severity),
    }
}

/// The baseline, which must exist if a file of settings names it.
fn baseline(flags: &CheckArgs, config: &Config) -> Result<Option<PathBuf>, Error> {
    let Some(baseline) = &config.keys.baseline else {
        return Ok(None);
    };
    if flags.baseline.is_none() {
        let path = baseline.display().to_string();
        let refuse = |reason| Err(config.fault("baseline", &path, reason));
        if flags.games.part.is_some() {
            return refuse("`--part` needs `--no-baseline`".to_owned());
        }
        if !baseline.exists() {
            return refuse(format!(
                "baseline `{path}` does not exist; create it with `--no-baseline --write-baseline \
                 {path}`"
            ));
        }
    }
    Ok(Some(baseline.clone()))
}

/// Codes that are not reported in files of some names.
#[derive(Default)]
pub(crate) struct PerFileIgnores(Vec<PerFileIgnore>);

struct PerFileIgnore {
    pattern: Patterns,
    /// Whether the files are those that do not match: the pattern begins with `!`.
    is_negated: bool,
    codes: Vec<Codes>,
}

impl PerFileIgnores {
    fn new(
        config: &Config,
        codes: impl Fn(&str, &[String]) -> Result<Vec<Codes>, Error>,
    ) -> Result<PerFileIgnores, Error> {
        const KEY: &str = "per-file-ignores";
        let listed = config.keys.per_file_ignores.iter().flatten();
        let folder = config.folder();
        let ignores = listed.map(|(text, listed)| {
            let (is_negated, pattern) = match text.strip_prefix('!') {
                Some(pattern) => (true, pattern),
                None => (false, &**text),
            };
            let pattern = Patterns::new(&folder, [pattern]).map_err(|(_, reason)| reason);
            Ok(PerFileIgnore {
                pattern: config.parse(KEY, text, |_| pattern.clone())?,
                is_negated,
                codes: codes(KEY, listed)?,
            })
        });
        Ok(PerFileIgnores(ignores.collect::<Result<_, Error>>()?))
    }

    /// The checks of a source.
    pub(crate) fn apply<'a>(&self, checks: &'a Checks, source: &Source) -> Cow<'a, Checks> {
        if source.path().is_none() {
            return Cow::Borrowed(checks);
        }
        let path = Path::new(source.name());
        let applies =
            |ignore: &&PerFileIgnore| ignore.pattern.matches(path, false) != ignore.is_negated;
        let matching = self.0.iter().filter(applies);
        matching.fold(Cow::Borrowed(checks), |checks, ignore| {
            Cow::Owned(checks.into_owned().without(&ignore.codes))
        })
    }
}
