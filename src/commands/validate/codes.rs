//! `--codes` and `--explain`: the registry instead of games.

use std::fmt::Write;

use serde::Serialize;

use crate::commands::Outcome;
use crate::commands::validate::Flags;
use crate::commands::validate::check::Codes;
use crate::commands::validate::formats::FormatName;
use crate::commands::validate::registry;
use crate::commands::validate::registry::{RULES, Rule};
use crate::error::Error;
use crate::report::{Bar, Sink, json};

/// Prints what is asked of the registry.
pub(crate) fn run(flags: &Flags) -> Result<Outcome, Error> {
    let mut text = String::new();
    match (flags.format, flags.explain) {
        (FormatName::Human | FormatName::Concise, Some(rule)) => explain(&mut text, rule),
        (FormatName::Human | FormatName::Concise, None) => codes(&mut text),
        (FormatName::Jsonl, Some(rule)) => codes_jsonl(&mut text, &[rule]),
        (FormatName::Jsonl, None) => codes_jsonl(&mut text, RULES),
        _ => {
            let reason = "finding codes are printed as text or with `--format jsonl`".to_owned();
            return Err(Error::usage(reason));
        }
    }
    let mut sink = Sink::open(flags.games.output.as_deref(), Bar::default())?;
    sink.write(text.as_bytes())?;
    sink.finish()?;
    Ok(Outcome::Done)
}

/// Reads the code or name of one rule.
pub(crate) fn parse_code(code: &str) -> Result<&'static Rule, String> {
    registry::rule(code).ok_or_else(|| no_such(code, "no such code"))
}

/// Reads a code, a name, or the beginning of codes.
pub(crate) fn parse_codes(codes: &str) -> Result<Codes, String> {
    Codes::from_text(codes).ok_or_else(|| no_such(codes, "no code begins like this"))
}

fn no_such(typed: &str, problem: &str) -> String {
    match registry::nearest(typed) {
        Some(rule) => format!("{problem}; did you mean {} ({})?", rule.code, rule.name),
        None => format!("{problem}; `arbiter validate --codes` lists them all"),
    }
}

/// Appends the registry, one line for each code.
fn codes(out: &mut String) {
    let name = RULES.iter().map(|rule| rule.name.len()).max().unwrap_or(0);
    for rule in RULES {
        let _ = writeln!(
            out,
            "{}  {:<7}  {:<name$}  {}",
            rule.code, rule.severity, rule.name, rule.summary
        );
    }
}

/// A code in JSON.
#[derive(Serialize)]
struct CodeLine {
    code: &'static str,
    name: &'static str,
    severity: &'static str,
    /// Effect of `--strict`: `same`, `raised` (a warning instead of a note) or `only` (a warning,
    /// and off otherwise).
    strict: &'static str,
    summary: &'static str,
    explanation: &'static str,
}

/// Appends rules as JSON, one object on each line.
fn codes_jsonl(out: &mut String, rules: &[&'static Rule]) {
    for rule in rules {
        out.push_str(&json::of(&CodeLine {
            code: rule.code,
            name: rule.name,
            severity: rule.severity.as_str(),
            strict: rule.strictness.as_str(),
            summary: rule.summary,
            explanation: rule.explanation,
        }));
        out.push('\n');
    }
}

/// Appends the explanation of a code.
fn explain(out: &mut String, rule: &Rule) {
    let _ = writeln!(
        out,
        "{} {} ({})\n\n{}\n\n{}",
        rule.code, rule.name, rule.severity, rule.summary, rule.explanation
    );
}
