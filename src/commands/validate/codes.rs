//! `--codes` and `--explain`: the registry instead of games.

use crate::commands::Outcome;
use crate::commands::validate::check::Codes;
use crate::commands::validate::formats::{codes, codes_jsonl, explain};
use crate::commands::validate::registry;
use crate::commands::validate::registry::{RULES, Rule};
use crate::commands::validate::{Flags, Format};
use crate::error::Error;
use crate::report::{Bar, Sink};

/// Prints what is asked of the registry.
pub(crate) fn run(flags: &Flags) -> Result<Outcome, Error> {
    let mut text = String::new();
    match (flags.format, flags.explain) {
        (Format::Human | Format::Concise, Some(rule)) => explain(&mut text, rule),
        (Format::Human | Format::Concise, None) => codes(&mut text),
        (Format::Jsonl, Some(rule)) => codes_jsonl(&mut text, &[rule]),
        (Format::Jsonl, None) => codes_jsonl(&mut text, RULES),
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
