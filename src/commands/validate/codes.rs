//! `--codes` and `--explain`, and codes on the command line.

use clap::builder::PossibleValue;
use serde_json::json;

use crate::commands::args::GameArgs;
use crate::commands::output::{Outcome, Output};
use crate::commands::validate::formats::CheckFormat;
use crate::error::Error;
use crate::findings::Codes;
use crate::findings::explanations::{PAGE, explained, explanation, section};
use crate::findings::registry;
use crate::findings::registry::{RULES, Rule};
use crate::report::{json, wrap_if};

/// Prints one rule, or the registry.
pub(crate) fn print(
    args: &GameArgs,
    format: CheckFormat,
    rule: Option<&'static Rule>,
) -> Result<Outcome, Error> {
    let mut output = Output::without_games(args)?;
    let mut text = String::new();
    match (format, rule) {
        (CheckFormat::Human | CheckFormat::Concise, Some(rule)) => text += &explained(rule),
        (CheckFormat::Human | CheckFormat::Concise, None) => {
            codes(&mut text, output.sink.columns());
        }
        (CheckFormat::Markdown, Some(rule)) => text.push_str(&section(rule)),
        (CheckFormat::Markdown, None) => text.push_str(PAGE),
        (CheckFormat::Jsonl, Some(rule)) => codes_jsonl(&mut text, &[rule]),
        (CheckFormat::Jsonl, None) => codes_jsonl(&mut text, RULES),
        _ => {
            let reason = "finding codes are printed as text or with `--format jsonl|markdown`";
            return Err(Error::usage(reason));
        }
    }
    output.print(text.as_bytes())?;
    Ok(Outcome::Done)
}

/// Appends the registry, one line for each code; a terminal wraps it.
fn codes(out: &mut String, columns: Option<usize>) {
    let name = RULES.iter().map(|rule| rule.name.len()).max().unwrap_or(0);
    for rule in RULES {
        let begin = format!(
            "{}  {:<7}  {:<name$}  ",
            rule.code, rule.severity, rule.name
        );
        let summary = rule.summary.to_owned() + &enclosed(rule.fix.word(), " [", "]");
        wrap_if(out, &summary, [&begin, "      "], columns);
    }
}

/// A word between two texts, if there is one.
fn enclosed(word: Option<&str>, before: &str, after: &str) -> String {
    word.map_or_else(String::new, |word| format!("{before}{word}{after}"))
}

/// Appends rules as JSON, one object on each line. `strict` is the effect of `--strict`: `same`,
/// `raised` (a warning instead of a note), `only` (a warning, and off otherwise) or `off` (only if
/// asked for); `fix` how findings are repaired, where they can: `fix` or `suggestion`.
fn codes_jsonl(out: &mut String, rules: &[&'static Rule]) {
    for rule in rules {
        out.push_str(&json::of(&json!({
            "code": rule.code,
            "name": rule.name,
            "severity": rule.severity.as_str(),
            "strict": <&str>::from(rule.strictness),
            "summary": rule.summary,
            "explanation": explanation(rule),
            "fix": rule.fix.word(),
        })));
        out.push('\n');
    }
}

/// The codes, with their names, that completions offer.
pub(crate) fn offered_codes() -> Vec<PossibleValue> {
    let rules = RULES.iter();
    let codes = rules.map(|rule| PossibleValue::new(rule.code).help(rule.name));
    codes.collect()
}

/// Reads the code or name of one rule.
pub(crate) fn parse_code(code: &str) -> Result<&'static Rule, String> {
    registry::rule(code).ok_or_else(|| no_such(code, "no such code"))
}

/// Reads a code, a name, or the beginning of codes.
pub(crate) fn parse_codes(codes: &str, strict: bool) -> Result<Codes, String> {
    let other = if strict { "without" } else { "with" };
    Codes::from_text(codes, strict).ok_or_else(|| match Codes::from_text(codes, !strict) {
        Some(_) => format!("codes begin like this only {other} `--strict`"),
        None => no_such(codes, "no code begins like this"),
    })
}

/// Checks that codes exist, with or without `--strict`.
pub(crate) fn codes_text(codes: &str) -> Result<String, String> {
    let all = parse_codes(codes, false).or_else(|_| parse_codes(codes, true));
    all.map(|_| codes.to_owned())
}

fn no_such(typed: &str, problem: &str) -> String {
    match registry::nearest_rule(typed) {
        Some(rule) => format!("{problem}; did you mean {} ({})?", rule.code, rule.name),
        None => format!("{problem}; `arbiter validate --codes` lists them all"),
    }
}
