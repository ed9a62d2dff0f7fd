//! The registry of finding codes, and what a code means.

use std::fmt::Write;

use serde::Serialize;

use crate::commands::validate::registry::{RULES, Rule};
use crate::report::json;

/// The registry, one line a code.
pub fn codes(out: &mut String) {
    let name = RULES.iter().map(|rule| rule.name.len()).max().unwrap_or(0);
    for rule in RULES {
        let _ = writeln!(
            out,
            "{}  {:<7}  {:<name$}  {}",
            rule.code, rule.severity, rule.name, rule.summary
        );
    }
}

/// A code for machines.
#[derive(Serialize)]
struct Line {
    code: &'static str,
    name: &'static str,
    severity: &'static str,
    /// What `--strict` makes of it: `same`, `raised` (a warning instead of a note) or `only` (a warning, and off
    /// otherwise).
    strict: &'static str,
    summary: &'static str,
    explanation: &'static str,
}

/// Rules as JSON, one object a line.
pub fn codes_jsonl(out: &mut String, rules: &[&'static Rule]) {
    for rule in rules {
        out.push_str(&json::of(&Line {
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

/// What a code means.
pub fn explain(out: &mut String, rule: &Rule) {
    let _ = writeln!(
        out,
        "{} {} ({})\n\n{}\n\n{}",
        rule.code, rule.name, rule.severity, rule.summary, rule.explanation
    );
}
