//! JUnit XML, which most CI servers show as tests.
//!
//! A file is a test suite. Each finding is a test case, failed if it makes the run fail (`--fail-on`) and skipped if not;
//! one more test case, which passes, stands for the games without findings and counts them, so that a clean file is a
//! suite too. A file that cannot be read has a test case in error.
//!
//! The head of a suite says how many cases there are, so a suite must be held until it is known. To keep that within
//! bounds a file with very many findings is cut into several suites. `quick-junit` draws the elements; its whole report
//! would have to be in memory at once, so the suites are taken out of it and put into a root of our own, which goes without
//! the sums that stand there otherwise.

use quick_junit::{
    NonSuccessKind, Report as Whole, TestCase, TestCaseStatus, TestSuite, XmlString,
};

use crate::commands::accounts::Accounts;
use crate::commands::validate::baseline::Fingerprint;
use crate::commands::validate::formats::concise::concise;
use crate::commands::validate::formats::{Emitted, Emitter, ReportFormat, RunEnd, fails};
use crate::commands::validate::registry::Severity;
use crate::commands::validate::report::Report;
use crate::error::Error;
use crate::input::{InputKind, Source};
use crate::report::Sink;
use crate::report::escape::in_xml;

/// How many findings are in one suite at most.
const CASES: usize = 1_000;

/// Draws test cases.
#[derive(Clone, Copy, Debug)]
pub struct Junit {
    /// The least severity that makes a test fail.
    pub fail_on: Option<Severity>,
}

impl Emitter for Junit {
    fn emit(
        &self,
        out: &mut String,
        source: &Source,
        report: &Report<'_>,
        _fingerprint: Option<&Fingerprint>,
    ) {
        let finding = &report.finding;
        let mut status = status(fails(self.fail_on, finding.severity));
        status
            .set_message(in_xml(&finding.message))
            .set_type(finding.code().as_str());
        let mut text = String::new();
        concise(&mut text, source.name(), report);
        let position = finding.at.as_ref().map(|at| ("position", &at.fen));
        let help = finding.help.as_ref().map(|help| ("help", help));
        for (name, line) in [position, help].into_iter().flatten() {
            text.push_str(&format!("{name}: {}\n", in_xml(line)));
        }
        // The path and the message in the line are escaped for a terminal; XML forbids a little more.
        let lines: Vec<_> = text.lines().map(in_xml).collect();
        status.set_description(lines.join("\n"));
        let mut game = format!("{} {}", report.form.unit(), report.game);
        if let Some(at) = &finding.at {
            game = format!("{game}, {}", in_xml(&at.label));
        }
        let name = format!(
            "{game}: {} {} at line {}, column {}",
            finding.code(),
            finding.rule.name,
            report.line,
            report.column
        );
        let mut case = case(name, source.name(), status);
        let mut place = |name: &str, value: String| {
            case.extra.insert(name.into(), value.into());
        };
        place("file", in_xml(source.name()));
        place("line", report.line.to_string());
        out.push_str(&case_text(case));
    }
}

fn status(fails: bool) -> TestCaseStatus {
    if fails {
        TestCaseStatus::non_success(NonSuccessKind::Failure)
    } else {
        TestCaseStatus::skipped()
    }
}

fn case(name: impl Into<XmlString>, path: &str, status: TestCaseStatus) -> TestCase {
    let mut case = TestCase::new(name, status);
    case.set_classname(in_xml(path));
    case
}

/// The element of a test case.
fn case_text(case: TestCase) -> String {
    let mut suite = TestSuite::new("");
    suite.add_test_case(case);
    let text = suite_text(suite);
    let start = text.find("<testcase").unwrap_or(0);
    let end = text.rfind("</testsuite>").unwrap_or(text.len());
    format!("        {}\n", text[start..end].trim_end())
}

/// The element of a suite.
fn suite_text(suite: TestSuite) -> String {
    let mut whole = Whole::unnamed();
    whole.add_test_suite(suite);
    // Writing text to memory does not fail.
    let text = whole.to_string().unwrap_or_default();
    let start = text.find("<testsuite ").unwrap_or(0);
    let end = text.rfind("</testsuites>").unwrap_or(text.len());
    text[start..end].trim_end().to_owned()
}

/// The document: suites, one after another.
#[derive(Debug)]
pub struct Suites {
    fail_on: Option<Severity>,
    open: Option<Open>,
}

/// The suite that is being collected.
#[derive(Debug)]
struct Open {
    path: String,
    /// What it holds: games or positions.
    unit: &'static str,
    /// How many suites of this file are out.
    parts: u64,
    cases: String,
    failed: usize,
    skipped: usize,
    passed: usize,
    errors: usize,
    accounts: Accounts,
}

impl Open {
    fn new(path: &str, unit: &'static str) -> Open {
        Open {
            path: path.to_owned(),
            unit,
            parts: 0,
            cases: String::new(),
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

    fn error(&mut self, name: &str, error: &str) {
        let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
        status.set_message(in_xml(error));
        self.cases
            .push_str(&case_text(case(name, &self.path, status)));
        self.errors += 1;
    }

    /// Writes the suite and begins the next one of the same file.
    fn write(&mut self, sink: &mut Sink) -> Result<(), Error> {
        self.parts += 1;
        let mut name = in_xml(&self.path);
        if self.parts > 1 {
            name = format!("{name} (part {})", self.parts);
        }
        let mut suite = TestSuite::new(name);
        suite.tests = self.findings() + self.passed + self.errors;
        suite.failures = self.failed;
        suite.skipped = self.skipped;
        suite.errors = self.errors;
        let head = suite_text(suite);
        let cases = std::mem::take(&mut self.cases);
        (self.failed, self.skipped, self.passed, self.errors) = (0, 0, 0, 0);
        sink.write(format!("    {}>\n", head.trim_end_matches("/>")).as_bytes())?;
        sink.write(cases.as_bytes())?;
        sink.write(b"    </testsuite>\n")
    }
}

impl Suites {
    /// A document of what an emitter drew.
    pub fn new(emitter: &Junit) -> Suites {
        Suites {
            fail_on: emitter.fail_on,
            open: None,
        }
    }

    fn open(&mut self, path: &str, form: InputKind) -> &mut Open {
        self.open
            .get_or_insert_with(|| Open::new(path, form.unit()))
    }

    /// Ends the suite of a file; `trouble` is why it was not read to its end, and in which words a test would say so.
    fn close(&mut self, sink: &mut Sink, trouble: Option<(&str, &str)>) -> Result<(), Error> {
        let Some(mut open) = self.open.take() else {
            return Ok(());
        };
        let accounts = open.accounts;
        if accounts.seen() > 0 {
            let name = format!("{}s without findings", open.unit);
            let mut clean = case(name, &open.path, TestCaseStatus::success());
            clean.set_system_out(accounts.to_string());
            open.cases.push_str(&case_text(clean));
            open.passed += 1;
        }
        if let Some((name, error)) = trouble {
            open.error(name, error);
        }
        open.write(sink)
    }
}

impl ReportFormat for Suites {
    fn begin(&mut self, sink: &mut Sink) -> Result<(), Error> {
        sink.write(
            b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"arbiter validate\">\n",
        )
    }

    fn unreadable(&mut self, sink: &mut Sink, error: &Error) -> Result<(), Error> {
        self.open(error.path(), InputKind::Pgn);
        self.close(sink, Some(("input can be read", &error.to_string())))
    }

    fn games(
        &mut self,
        sink: &mut Sink,
        source: &Source,
        accounts: Accounts,
        emitted: Emitted<'_>,
    ) -> Result<(), Error> {
        let fail_on = self.fail_on;
        let open = self.open(source.name(), source.kind());
        open.accounts += accounts;
        for (severity, range) in emitted.shown {
            if open.findings() == CASES {
                open.write(sink)?;
            }
            open.cases.push_str(&emitted.text[range.clone()]);
            if fails(fail_on, *severity) {
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
        self.open(source.name(), source.kind());
        let error = error.map(ToString::to_string);
        let trouble = error.as_deref().map(|error| ("input can be read", error));
        self.close(sink, trouble)
    }

    fn finish(&mut self, sink: &mut Sink, end: &RunEnd) -> Result<(), Error> {
        if end.interrupted {
            self.open("interrupted", InputKind::Pgn);
            self.close(sink, Some(("input is read to its end", "interrupted")))?;
        }
        let hidden: u64 = end.hidden.iter().sum();
        if hidden > 0 {
            let failing = Severity::ALL
                .into_iter()
                .any(|severity| fails(self.fail_on, severity) && end.hidden[severity as usize] > 0);
            let mut status = status(failing);
            status.set_message(format!("findings that are not shown: {hidden}"));
            let mut suite = TestSuite::new("findings that are not shown");
            suite.add_test_case(TestCase::new("all findings are shown", status));
            sink.write(format!("    {}\n", suite_text(suite)).as_bytes())?;
        }
        sink.write(b"</testsuites>\n")
    }
}
