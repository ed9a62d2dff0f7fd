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
use crate::commands::validate::formats::{Document, Emitted, FindingItem, RunEnd, fails};
use crate::error::Error;
use crate::findings::concise;
use crate::findings::registry::Severity;
use crate::input::{InputKind, Source};
use crate::pgn::{Game, TagName};
use crate::report::escape::in_xml;
use crate::report::{Buffer, Format, Sink};
use crate::text::decode;

/// Maximum number of findings in one suite.
const CASES: usize = 1_000;

/// Writes test cases.
pub(crate) struct Junit {
    /// The least severity that makes a test fail.
    pub(crate) fail_on: Option<Severity>,
}

impl Format<FindingItem<'_>> for Junit {
    fn begin(&self, sink: &mut Sink) -> Result<(), Error> {
        sink.write(
            b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"arbiter validate\">\n",
        )
    }

    fn item(&self, out: &mut Buffer, item: FindingItem<'_>) {
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
        let mut place = match item.title {
            Some(title) if !finding.rule.is_once_per_file => in_xml(title),
            _ => "file".to_owned(),
        };
        if let Some(at) = &finding.at {
            place = format!("{place}, {}", in_xml(&at.label));
        }
        let name = format!("{place}: {} {}", finding.code(), finding.rule.name);
        let path = in_xml(&path);
        let line = report.line.to_string();
        open_case(
            out,
            &[
                ("name", &name),
                ("classname", &path),
                ("file", &path),
                ("line", &line),
            ],
        );
        let outcome = outcome(fails(self.fail_on, finding.severity));
        let (message, code) = (in_xml(&finding.message), finding.code());
        let attributes = [("message", message.as_str()), ("type", code.as_str())];
        push_element(out, outcome, &attributes, Some(&lines.join("\n")));
        close_case(out);
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

/// The beginning of a test case, up to its name.
const CASE: &str = "        <testcase name=\"";

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

/// The document: suites, one after another.
pub(crate) struct Suites {
    fail_on: Option<Severity>,
    open: Option<OpenSuite>,
}

impl Suites {
    /// A document without suites; findings from `fail_on` up fail.
    pub(crate) fn new(fail_on: Option<Severity>) -> Suites {
        Suites {
            fail_on,
            open: None,
        }
    }
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
    failed: usize,
    skipped: usize,
    passed: usize,
    errors: usize,
    accounts: Accounts,
}

impl OpenSuite {
    fn new(path: &str, unit: &'static str) -> OpenSuite {
        OpenSuite {
            path: path.to_owned(),
            unit,
            parts: 0,
            cases: Buffer::default(),
            names: Occurrences::default(),
            failed: 0,
            skipped: 0,
            passed: 0,
            errors: 0,
            accounts: Accounts::default(),
        }
    }

    fn findings(&self) -> usize {
        self.failed + self.skipped
    }

    /// Adds a test case as the format has written it. A repeated name gets a number, since servers
    /// take tests of one name for one.
    fn add(&mut self, case: &[u8]) {
        let name = &case[CASE.len()..];
        let length = memchr::memchr(b'"', name).unwrap_or(name.len());
        let (start, rest) = case.split_at(CASE.len() + length);
        self.cases.extend_from_slice(start);
        let number = self.names.number(&name[..length]);
        if number > 1 {
            let _ = write!(self.cases, " ({number})");
        }
        self.cases.extend_from_slice(rest);
    }

    fn error(&mut self, name: &str, error: &str) {
        let path = in_xml(&self.path);
        open_case(&mut self.cases, &[("name", name), ("classname", &path)]);
        push_element(
            &mut self.cases,
            "error",
            &[("message", &in_xml(error))],
            None,
        );
        close_case(&mut self.cases);
        self.errors += 1;
    }

    /// Writes the suite and begins the next one of the same file.
    fn write(&mut self, sink: &mut Sink) -> Result<(), Error> {
        self.parts += 1;
        let mut name = in_xml(&self.path);
        if self.parts > 1 {
            name = format!("{name} (part {})", self.parts);
        }
        let counts = [
            self.findings() + self.passed + self.errors,
            self.skipped,
            self.errors,
            self.failed,
        ];
        let mut head = Buffer::default();
        open_suite(&mut head, &name, counts);
        sink.write(head.as_bytes())?;
        sink.write(self.cases.as_bytes())?;
        self.cases.clear();
        (self.failed, self.skipped, self.passed, self.errors) = (0, 0, 0, 0);
        sink.write(CLOSE_SUITE.as_bytes())
    }
}

/// Appends the start tag of a suite. The counts are of all tests, and of those skipped, in error
/// and failed.
fn open_suite(out: &mut Buffer, name: &str, counts: [usize; 4]) {
    let [tests, skipped, errors, failures] = counts.map(|count| count.to_string());
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

impl Suites {
    fn open(&mut self, path: &str, kind: InputKind) -> &mut OpenSuite {
        self.open
            .get_or_insert_with(|| OpenSuite::new(path, kind.unit()))
    }

    /// Ends the suite of a file; `trouble` is why it was not read to its end, and in which words a
    /// test would say so.
    fn close(&mut self, sink: &mut Sink, trouble: Option<(&str, &str)>) -> Result<(), Error> {
        let Some(mut open) = self.open.take() else {
            return Ok(());
        };
        let accounts = open.accounts;
        if accounts.seen() > 0 {
            let name = format!("{}s without findings", open.unit);
            let path = in_xml(&open.path);
            open_case(&mut open.cases, &[("name", &name), ("classname", &path)]);
            push_element(
                &mut open.cases,
                "system-out",
                &[],
                Some(&accounts.to_string()),
            );
            close_case(&mut open.cases);
            open.passed += 1;
        }
        if let Some((name, error)) = trouble {
            open.error(name, error);
        }
        open.write(sink)
    }
}

impl Document for Suites {
    fn unreadable(&mut self, sink: &mut Sink, error: &Error) -> Result<(), Error> {
        self.open(&text_from_here(error.path()), InputKind::Pgn);
        self.close(sink, Some(("input can be read", &error.to_string())))
    }

    fn games(&mut self, sink: &mut Sink, emitted: Emitted<'_>) -> Result<(), Error> {
        let fail_on = self.fail_on;
        let open = self.open(&name_from_here(emitted.source), emitted.source.kind());
        open.accounts += emitted.accounts;
        for shown in emitted.shown {
            if open.findings() == CASES {
                open.write(sink)?;
            }
            open.add(&emitted.text[shown.range.clone()]);
            if fails(fail_on, shown.severity) {
                open.failed += 1;
            } else {
                open.skipped += 1;
            }
        }
        Ok(())
    }

    fn end_of_source(
        &mut self,
        sink: &mut Sink,
        source: &Source,
        error: Option<&Error>,
    ) -> Result<(), Error> {
        self.open(&name_from_here(source), source.kind());
        let error = error.map(ToString::to_string);
        let trouble = error.as_deref().map(|error| ("input can be read", error));
        self.close(sink, trouble)
    }

    fn finish(&mut self, sink: &mut Sink, end: &RunEnd<'_>) -> Result<(), Error> {
        if end.interrupted {
            self.open("interrupted", InputKind::Pgn);
            self.close(sink, Some(("input is read to its end", "interrupted")))?;
        }
        let hidden: u64 = end.hidden.iter().sum();
        if hidden > 0 {
            let failing = Severity::ALL
                .into_iter()
                .any(|severity| fails(self.fail_on, severity) && end.hidden[severity as usize] > 0);
            let name = "findings that are not shown";
            let (skipped, failed) = (usize::from(!failing), usize::from(failing));
            let mut suite = Buffer::default();
            open_suite(&mut suite, name, [1, skipped, 0, failed]);
            open_case(&mut suite, &[("name", "all findings are shown")]);
            let message = format!("{name}: {hidden}");
            push_element(&mut suite, outcome(failing), &[("message", &message)], None);
            close_case(&mut suite);
            suite.push_str(CLOSE_SUITE);
            sink.write(suite.as_bytes())?;
        }
        sink.write(b"</testsuites>\n")
    }
}
