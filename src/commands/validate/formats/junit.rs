//! JUnit XML, which most CI servers show as tests.
//!
//! A file is a test suite. Each finding is a test case, failed if it makes the run fail
//! (`--fail-on`) and skipped otherwise. One more test case, which passes, counts the games, so that
//! a clean file is a suite too. A file that cannot be read has a test case in error.
//!
//! A suite begins with its number of cases, so it is buffered; a file with very many findings is
//! split into several suites to bound memory.

use std::fmt::Write;

use crate::commands::accounts::Accounts;
use crate::commands::validate::formats::occurrences::Occurrences;
use crate::commands::validate::formats::path::{name_from_here, text_from_here};
use crate::commands::validate::formats::{FindingFormat, FindingItem, RunEnd, fails};
use crate::error::Error;
use crate::findings::concise;
use crate::findings::registry::Severity;
use crate::input::{InputKind, Source};
use crate::pgn::{Game, TagName};
use crate::report::escape::in_xml;
use crate::report::{Buffer, Sink};
use crate::text::decode;

/// Maximum number of findings in one suite.
const CASES: usize = 1_000;

/// The suites, one after another.
pub(crate) struct Junit {
    /// The least severity that makes a test fail.
    fail_on: Option<Severity>,
    open: Option<OpenSuite>,
}

/// The suite that is being collected.
struct OpenSuite {
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
    pub(crate) fn new(fail_on: Option<Severity>) -> Junit {
        Junit {
            fail_on,
            open: None,
        }
    }

    fn open(&mut self, path: &str, kind: InputKind) -> &mut OpenSuite {
        self.open.get_or_insert_with(|| OpenSuite {
            path: path.to_owned(),
            unit: kind.unit(),
            parts: 0,
            cases: Buffer::default(),
            names: Occurrences::default(),
            counts: [0; 4],
            accounts: Accounts::default(),
        })
    }

    /// Ends the suite of a file; `trouble` is why it was not read to its end, and in which words a
    /// test would say so.
    fn close(&mut self, out: &mut Buffer, trouble: Option<(&str, &str)>) {
        let Some(mut open) = self.open.take() else {
            return;
        };
        let path = in_xml(&open.path);
        let cases = &mut open.cases;
        if open.accounts.seen() > 0 {
            let name = format!("{}s without findings", open.unit);
            let games = open.accounts.to_string();
            open_case(cases, &[("name", &name), ("classname", &path)]);
            push_element(cases, "system-out", &[], Some(&games));
            close_case(cases);
            open.counts[PASSED] += 1;
        }
        if let Some((name, error)) = trouble {
            open_case(cases, &[("name", name), ("classname", &path)]);
            push_element(cases, "error", &[("message", &in_xml(error))], None);
            close_case(cases);
            open.counts[ERROR] += 1;
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
        let (path, line) = (in_xml(&path), report.line.to_string());
        let attributes = [
            ("name", &*name),
            ("classname", &path),
            ("file", &path),
            ("line", &line),
        ];
        open_case(&mut self.cases, &attributes);
        let attributes = [("message", message.as_str()), ("type", code.as_str())];
        let lines = lines.join("\n");
        push_element(&mut self.cases, outcome(fails), &attributes, Some(&lines));
        close_case(&mut self.cases);
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

    fn unreadable(&mut self, out: &mut Buffer, error: &Error) {
        self.open(&text_from_here(error.path()), InputKind::Pgn);
        self.close(out, Some(("input can be read", &error.to_string())));
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

    fn end_of_source(&mut self, out: &mut Buffer, source: &Source, error: Option<&Error>) {
        self.open(&name_from_here(source), source.kind);
        let error = error.map(ToString::to_string);
        self.close(
            out,
            error.as_deref().map(|error| ("input can be read", error)),
        );
    }

    fn finish(&mut self, out: &mut Buffer, end: &RunEnd<'_>) {
        if end.interrupted {
            self.open("interrupted", InputKind::Pgn);
            self.close(out, Some(("input is read to its end", "interrupted")));
        }
        let hidden: u64 = end.hidden.iter().sum();
        if hidden > 0 {
            let mut hidden_of = Severity::ALL.into_iter().zip(end.hidden);
            let fails = hidden_of.any(|(one, count)| count > 0 && fails(self.fail_on, one));
            let name = "findings that are not shown";
            let mut counts = [0; 4];
            counts[if fails { FAILED } else { SKIPPED }] = 1;
            open_suite(out, name, counts);
            open_case(out, &[("name", "all findings are shown")]);
            let message = format!("{name}: {hidden}");
            push_element(out, outcome(fails), &[("message", &message)], None);
            close_case(out);
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

/// Appends the start tag of a test case; the first attribute is its name.
fn open_case(out: &mut Buffer, attributes: &[(&str, &str)]) {
    out.push_str("        ");
    push_tag(out, "testcase", attributes);
    out.push_str(">\n");
}

fn close_case(out: &mut Buffer) {
    out.push_str("        </testcase>\n");
}

/// Appends a child of a test case.
fn push_element(out: &mut Buffer, name: &str, attributes: &[(&str, &str)], text: Option<&str>) {
    out.push_str("            ");
    push_tag(out, name, attributes);
    match text {
        Some(text) => {
            out.push(b'>');
            push_escaped(out, text);
            let _ = writeln!(out, "</{name}>");
        }
        None => out.push_str("/>\n"),
    }
}

/// Appends a start tag without its end.
fn push_tag(out: &mut Buffer, name: &str, attributes: &[(&str, &str)]) {
    let _ = write!(out, "<{name}");
    for (name, value) in attributes {
        let _ = write!(out, " {name}=\"");
        push_escaped(out, value);
        out.push(b'"');
    }
}

fn push_escaped(out: &mut Buffer, text: &str) {
    for &byte in text.as_bytes() {
        match byte {
            b'<' => out.push_str("&lt;"),
            b'>' => out.push_str("&gt;"),
            b'&' => out.push_str("&amp;"),
            b'\'' => out.push_str("&apos;"),
            b'"' => out.push_str("&quot;"),
            byte => out.push(byte),
        }
    }
}

/// Appends the start tag of a suite, given the numbers of tests that pass, are skipped, in error,
/// and failed.
fn open_suite(out: &mut Buffer, name: &str, counts: [usize; 4]) {
    let tests = counts.iter().sum::<usize>().to_string();
    let [_, skipped, errors, failures] = counts.map(|count| count.to_string());
    let attributes = [
        ("name", name),
        ("tests", &tests),
        ("skipped", &skipped),
        ("errors", &errors),
        ("failures", &failures),
    ];
    out.push_str("    ");
    push_tag(out, "testsuite", &attributes);
    out.push_str(">\n");
}

const CLOSE_SUITE: &str = "    </testsuite>\n";
