//! JUnit XML, which most CI servers show as tests.
//!
//! A file is a test suite. Each finding is a test case, failed if it makes the run fail
//! (`--fail-on`) and skipped otherwise. One more test case, which passes, counts the games, so that
//! a clean file is a suite too. A file that cannot be read has a test case in error.
//!
//! A suite begins with its number of cases, so it is buffered; a file with very many findings is
//! split into several suites to bound memory.

use std::fmt::{self, Write};

use crate::commands::accounts::Accounts;
use crate::commands::validate::formats::occurrences::Occurrences;
use crate::commands::validate::formats::path::{name_from_here, text_from_here};
use crate::commands::validate::formats::{FindingFormat, FindingItem, RunEnd, any_fails, fails};
use crate::error::Error;
use crate::findings::concise;
use crate::findings::registry::Severity;
use crate::input::{InputKind, Source};
use crate::pgn::{Game, TagName};
use crate::report::escape::{Xml, in_xml};
use crate::report::{Buffer, Sink, append};
use crate::text::decode;

/// Maximum number of findings in one suite.
const CASES: usize = 1_000;

/// The suites, one after another.
pub(crate) struct Junit {
    /// The least severity that makes a test fail.
    pub(crate) fail_on: Option<Severity>,
    pub(crate) open: Option<OpenSuite>,
}

/// The suite that is being collected.
#[derive(Default)]
pub(crate) struct OpenSuite {
    path: String,
    /// Games or positions.
    unit: &'static str,
    /// How many suites of this file are out.
    parts: u64,
    cases: Buffer,
    names: Occurrences,
    /// Number of cases that pass, are skipped, in error, or failed.
    counts: [usize; 4],
    accounts: Accounts,
}

const PASSED: usize = 0;
const SKIPPED: usize = 1;
const ERROR: usize = 2;
const FAILED: usize = 3;

impl Junit {
    fn open(&mut self, path: &str, kind: InputKind) -> &mut OpenSuite {
        self.open.get_or_insert_with(|| OpenSuite {
            path: path.to_owned(),
            unit: kind.unit(),
            ..OpenSuite::default()
        })
    }

    /// Ends the suite of a file; `trouble` is why it was not read to its end, and in which words a
    /// test would say so, with its outcome.
    fn close(&mut self, out: &mut Buffer, trouble: Option<(&str, &str, usize)>) {
        let Some(mut open) = self.open.take() else {
            return;
        };
        let path = in_xml(&open.path);
        let cases = &mut open.cases;
        if open.accounts.seen() > 0 {
            push_case(
                cases,
                format_args!(
                    "name=\"{}s without findings\" classname=\"{}\"",
                    open.unit,
                    Xml(&path)
                ),
                format_args!("system-out>{}</system-out>", open.accounts),
            );
            open.counts[PASSED] += 1;
        }
        if let Some((name, error, outcome)) = trouble {
            let element = if outcome == ERROR { "error" } else { "skipped" };
            push_case(
                cases,
                format_args!("name=\"{name}\" classname=\"{}\"", Xml(&path)),
                format_args!("{element} message=\"{}\"/>", Xml(&in_xml(error))),
            );
            open.counts[outcome] += 1;
        }
        open.write(out);
    }
}

impl OpenSuite {
    /// Adds the test case of a finding. A repeated name gets a number, since servers take tests of
    /// one name for one.
    fn add(&mut self, item: FindingItem<'_>, fails: bool) {
        let FindingItem { source, report, .. } = item;
        let finding = &report.finding;
        let path = name_from_here(source);
        let mut text = String::new();
        concise(&mut text, &path, report);
        let position = finding.at.as_ref().map(|at| ("position", &at.fen));
        let help = finding.help.as_ref().map(|help| ("help", help));
        for (name, line) in [position, help].into_iter().flatten() {
            let _ = writeln!(text, "{name}: {}", in_xml(line));
        }
        // The path and the message in the line are escaped for a terminal; XML forbids a little
        // more.
        let lines: Vec<_> = text.lines().map(in_xml).collect();
        let mut name = match item.title {
            Some(title) if !finding.rule.is_once_per_file => in_xml(title),
            _ => "file".to_owned(),
        };
        if let Some(at) = &finding.at {
            let _ = write!(name, ", {}", in_xml(&at.label));
        }
        let (code, message) = (finding.code(), in_xml(&finding.message));
        let _ = write!(name, ": {code} {}", finding.rule.name);
        let number = self.names.number(name.as_bytes());
        if number > 1 {
            let _ = write!(name, " ({number})");
        }
        let (path, lines, outcome) = (in_xml(&path), lines.join("\n"), outcome(fails));
        let (name, path) = (Xml(&name), Xml(&path));
        push_case(
            &mut self.cases,
            format_args!(
                "name=\"{name}\" classname=\"{path}\" file=\"{path}\" line=\"{}\"",
                report.line
            ),
            format_args!(
                "{outcome} message=\"{}\" type=\"{code}\">{}</{outcome}>",
                Xml(&message),
                Xml(&lines)
            ),
        );
        self.counts[if fails { FAILED } else { SKIPPED }] += 1;
    }

    /// Writes the suite and begins the next one of the same file.
    fn write(&mut self, out: &mut Buffer) {
        self.parts += 1;
        let mut name = in_xml(&self.path);
        if self.parts > 1 {
            name = format!("{name} (part {})", self.parts);
        }
        open_suite(out, &name, std::mem::take(&mut self.counts));
        out.extend_from_slice(self.cases.as_bytes());
        self.cases.clear();
        out.push_str(CLOSE_SUITE);
    }
}

impl FindingFormat for Junit {
    fn begin(&mut self, sink: &mut Sink) -> Result<(), Error> {
        sink.write(
            b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"arbiter validate\">\n",
        )
    }

    fn unreadable(&mut self, out: &mut Buffer, error: &Error, source: Option<&Source>) {
        match source {
            Some(source) => self.open(&name_from_here(source), source.kind),
            None => self.open(&text_from_here(error.path()), InputKind::Pgn),
        };
        let outcome = if error.is_note() { SKIPPED } else { ERROR };
        self.close(
            out,
            Some(("input can be read", &error.to_string(), outcome)),
        );
    }

    fn games(&mut self, source: &Source, accounts: Accounts) {
        let open = self.open(&name_from_here(source), source.kind);
        open.accounts += accounts;
    }

    fn finding(&mut self, out: &mut Buffer, item: FindingItem<'_>) {
        let fails = fails(self.fail_on, item.report.finding.severity);
        let open = self.open(&name_from_here(item.source), item.source.kind);
        if open.counts[FAILED] + open.counts[SKIPPED] == CASES {
            open.write(out);
        }
        open.add(item, fails);
    }

    fn end_of_source(&mut self, out: &mut Buffer, source: &Source) {
        self.open(&name_from_here(source), source.kind);
        self.close(out, None);
    }

    fn finish(&mut self, out: &mut Buffer, end: &RunEnd<'_>) {
        if end.interrupted {
            self.open("interrupted", InputKind::Pgn);
            self.close(
                out,
                Some(("input is read to its end", "interrupted", ERROR)),
            );
        }
        let hidden: u64 = end.hidden.iter().sum();
        if hidden > 0 {
            let fails = any_fails(self.fail_on, end.hidden);
            let name = "findings that are not shown";
            let mut counts = [0; 4];
            counts[if fails { FAILED } else { SKIPPED }] = 1;
            open_suite(out, name, counts);
            push_case(
                out,
                format_args!("name=\"all findings are shown\""),
                format_args!("{} message=\"{name}: {hidden}\"/>", outcome(fails)),
            );
            out.push_str(CLOSE_SUITE);
        }
        out.push_str("</testsuites>\n");
    }
}

/// Players, date and round of a game; the text of a position. Servers follow a test by its name, so
/// it does not change when games are added before.
pub(crate) fn title(game: Option<&Game>, text: &[u8]) -> String {
    const LONGEST: usize = 80;
    let cut = |text: &[u8]| -> String { decode(text).trim().chars().take(LONGEST).collect() };
    let Some(game) = game else {
        return cut(text);
    };
    let value = |name| {
        let value = game.text(text, name);
        value.map(|value| cut(value.as_bytes()))
    };
    let player = |name| value(name).unwrap_or_else(|| "?".to_owned());
    let mut title = format!("{} - {}", player(TagName::White), player(TagName::Black));
    if let Some(date) = value(TagName::Date) {
        let _ = write!(title, ", {date}");
    }
    if let Some(round) = value(TagName::Round) {
        let _ = write!(title, ", round {round}");
    }
    title
}

/// The element of a test case that fails, or is skipped.
fn outcome(fails: bool) -> &'static str {
    if fails { "failure" } else { "skipped" }
}

/// Appends a test case with one child, which is written without its first bracket.
fn push_case(out: &mut Buffer, attributes: fmt::Arguments<'_>, child: fmt::Arguments<'_>) {
    append!(
        out,
        "        <testcase {attributes}>\n            <{child}\n        </testcase>\n"
    );
}

/// Appends the start tag of a suite, given the numbers of tests that pass, are skipped, in error,
/// and failed.
fn open_suite(out: &mut Buffer, name: &str, counts: [usize; 4]) {
    let (name, tests) = (Xml(name), counts.iter().sum::<usize>());
    let [_, skipped, errors, failures] = counts;
    append!(
        out,
        "    <testsuite name=\"{name}\" tests=\"{tests}\" skipped=\"{skipped}\" \
         errors=\"{errors}\" failures=\"{failures}\">\n"
    );
}

const CLOSE_SUITE: &str = "    </testsuite>\n";
