//! SARIF 2.1.0, the OASIS standard for the results of static analysis, which code scanning services
//! read. Sections are those of the standard.
//!
//! A log has one run: the tool with all rules, the inputs, the results, errors first, and how the
//! run went, with a notification for every input that could not be read.

use std::collections::HashMap;
use std::fmt::Write;
use std::path::Path;

use crate::commands::validate::explanations::{explanation, help_uri};
use crate::commands::validate::formats::path::from_here;
use crate::commands::validate::formats::sarif_object::{Object, array, object, plain};
use crate::commands::validate::formats::severest::MostSevereFirst;
use crate::commands::validate::formats::{FindingFormat, FindingItem, FormatOptions, RunEnd};
use crate::error::Error;
use crate::findings::registry::{RULES, Rule, Severity};
use crate::input::{Source, SourceId, plain_name};
use crate::report::{Buffer, Sink, json};
use crate::text::decode;

/// The address of the published schema (OASIS Standard with Errata 01).
const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// Base of relative paths, which services that know the name take for the root of the repository.
const BASE: &str = "%SRCROOT%";

/// Maximum number of results, unless it is given. GitHub shows the 5,000 most severe results of a
/// run and refuses more than 25,000 ("SARIF support for code scanning").
const RESULTS: u64 = 5_000;

/// The message string of every rule: its summary, and the message of the finding as the argument.
const MESSAGE: &str = "default";

/// Text longer than this is not repeated in a result, in bytes.
const SNIPPET: usize = 1 << 10;

/// The log: the results, and what precedes and follows them.
pub(crate) struct Sarif {
    results: MostSevereFirst,
    /// Number of results in archives and compressed files.
    packed: u64,
    /// Notifications for the end of the log, such as unreadable inputs.
    notifications: Vec<Notification>,
    places: Places,
}

/// Tables that results refer to.
struct Places {
    /// The location of each artifact. The same file may be named twice as input, but must be listed
    /// once (3.14.15).
    artifacts: Vec<Location>,
    /// The artifact of each source.
    of_source: HashMap<SourceId, usize>,
    /// Number and severity of each entry of the rules table.
    codes: Vec<(usize, Severity)>,
    /// Whether there is a baseline, against which all results are new.
    has_baseline: bool,
}

impl Sarif {
    pub(crate) fn new(options: &FormatOptions<'_>) -> Sarif {
        let mut artifacts = Vec::new();
        let mut known = HashMap::new();
        let mut of_source = HashMap::new();
        for source in options.sources {
            let mut location = Location::of(source);
            let index = *known.entry(location.uri.clone()).or_insert_with(|| {
                location.index = Some(artifacts.len());
                artifacts.push(location);
                artifacts.len() - 1
            });
            of_source.insert(source.id(), index);
        }
        Sarif {
            results: MostSevereFirst::new(options.most.unwrap_or(RESULTS)),
            packed: 0,
            notifications: Vec::new(),
            places: Places {
                artifacts,
                of_source,
                codes: descriptors()
                    .map(|(rule, severity)| (rule.number(), severity))
                    .collect(),
                has_baseline: options.has_baseline,
            },
        }
    }

    fn notify(&mut self, level: &'static str, text: String, location: Option<Location>) {
        self.notifications.push(Notification {
            level,
            text,
            location,
        });
    }
}

/// Every code that can be printed, in the order of the rules table: the rules with their
/// severities.
fn descriptors() -> impl Iterator<Item = (&'static Rule, Severity)> {
    let codes = |&rule: &&'static Rule| rule.severities().map(move |severity| (rule, severity));
    RULES.iter().flat_map(codes)
}

/// 3.19
fn driver(it: &mut Object<'_>) {
    let version = env!("CARGO_PKG_VERSION");
    it.value("name", "arbiter");
    it.value(
        "fullName",
        concat!(env!("CARGO_PKG_NAME"), " ", env!("CARGO_PKG_VERSION")),
    );
    it.value("version", version);
    it.value("semanticVersion", version);
    it.message("shortDescription", env!("CARGO_PKG_DESCRIPTION"));
    it.array("rules", descriptors(), |it, (rule, severity)| {
        let explanation = explanation(rule);
        let first = explanation.split("\n\n").next().unwrap_or_default();
        // 3.49
        it.value("id", &rule.code_at(severity));
        it.value("name", rule.name);
        it.message("shortDescription", rule.summary);
        it.message("fullDescription", first);
        it.object("defaultConfiguration", |it| {
            it.value("enabled", &rule.is_on());
            it.value("level", severity.as_str());
        });
        it.message("help", &explanation);
        if let Some(uri) = help_uri(rule) {
            it.value("helpUri", &uri);
        }
        it.object("messageStrings", |it| {
            it.object(MESSAGE, |it| {
                it.value("text", &format!("{}: {{0}}", plain(rule.summary)));
            });
        });
        // Properties that GitHub reads.
        it.object("properties", |it| {
            it.value("tags", &[rule.family.as_str()]);
            let severity = match severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
                Severity::Note => "recommendation",
            };
            it.value("problem.severity", severity);
        });
    });
}

impl Places {
    /// 3.27
    fn result(&self, it: &mut Object<'_>, item: FindingItem<'_>) {
        let FindingItem { source, report, .. } = item;
        let finding = &report.finding;
        let at = finding.at.as_ref();
        it.value("ruleId", &finding.code());
        let code = (finding.rule.number(), finding.severity);
        it.value(
            "ruleIndex",
            &self.codes.partition_point(|&other| other < code),
        );
        it.value("level", finding.severity.as_str());
        // 3.11. GitHub shows only a text; viewers that group results do so by its beginning or by
        // the identifier.
        it.object("message", |it| {
            let text = format!("{}: {}", finding.rule.summary, finding.message);
            it.value("text", &plain(&text));
            it.value("id", MESSAGE);
            it.value("arguments", &[&finding.message]);
        });
        it.array("locations", [()], |it, ()| {
            it.object("physicalLocation", |it| {
                it.object("artifactLocation", |it| self.location(source, it));
                it.object("region", |it| region(it, item));
            });
            let game = format!("{} {}", report.kind.unit(), report.game);
            it.array("logicalLocations", [()], |it, ()| match at {
                Some(at) => {
                    it.value("name", &at.label);
                    it.value("fullyQualifiedName", &format!("{game}/{}", at.label));
                }
                None => {
                    it.value("name", &game);
                    it.value("fullyQualifiedName", &game);
                }
            });
        });
        if let Some(fingerprint) = item.fingerprint {
            // The identity of baselines; its name ends with a version (3.27.17).
            it.object("partialFingerprints", |it| {
                it.value("findingInGame/v1", &fingerprint.to_string());
            });
        }
        if self.has_baseline {
            it.value("baselineState", "new");
        }
        // Fields without a place in SARIF, named as in JSONL.
        it.object("properties", |it| {
            it.value("game", &report.game.0);
            it.value("ply", &at.map(|at| at.ply));
            it.value("move", &at.map(|at| &at.label));
            it.value("fen", &at.map(|at| &at.fen));
            it.value("help", &finding.help);
            it.value("byte_start", &report.bytes.start);
            it.value("byte_end", &report.bytes.end);
        });
    }

    fn location(&self, source: &Source, it: &mut Object<'_>) {
        match self.of_source.get(&source.id()) {
            Some(&index) if source.member_name().is_none() => self.artifacts[index].members(it),
            _ => Location::of(source).members(it),
        }
    }
}

/// 3.30, by lines and columns; by bytes too where the file is read as it is stored. How many
/// characters come before is not counted, so that there is no `charOffset`.
fn region(it: &mut Object<'_>, FindingItem { source, report, .. }: FindingItem<'_>) {
    let (end_line, end_column) = report.end();
    let text = report.text();
    it.value("startLine", &report.line.0);
    it.value("startColumn", &report.column);
    it.value("endLine", &end_line.0);
    // One past the last character.
    it.value("endColumn", &end_column);
    if source.is_read_as_stored() {
        it.value("byteOffset", &report.bytes.start);
        it.value("byteLength", &(report.bytes.end - report.bytes.start));
    }
    if text.len() <= SNIPPET {
        it.object("snippet", |it| it.value("text", &decode(text)));
    }
}

/// 3.58
struct Notification {
    level: &'static str,
    text: String,
    location: Option<Location>,
}

impl FindingFormat for Sarif {
    fn begin(&mut self, sink: &mut Sink) -> Result<(), Error> {
        let out = &mut Buffer::default();
        out.push_str("{\n\"$schema\": ");
        json::push(out, &SCHEMA);
        out.push_str(",\n\"version\": \"2.1.0\",\n\"runs\": [{\n\"tool\": ");
        object(out, |tool| tool.object("driver", driver));
        out.push_str(",\n\"originalUriBaseIds\": ");
        // Its path is left out, so that logs do not depend on the machine.
        let base = "the directory in which arbiter was run";
        object(out, |bases| {
            bases.object(BASE, |it| it.message("description", base));
        });
        out.push_str(",\n\"columnKind\": \"unicodeCodePoints\",\n\"artifacts\": ");
        array(out, &self.places.artifacts, |artifact, location| {
            artifact.object("location", |it| location.members(it));
            let roles = ["analysisTarget", "standardStream"];
            let count = if location.uri == "stdin:" { 2 } else { 1 };
            artifact.value("roles", &roles[..count]);
        });
        out.push_str(",\n\"results\": [");
        sink.write(out.as_bytes())
    }

    fn unreadable(&mut self, _out: &mut Buffer, error: &Error) {
        let location = Location::of_path(error.path());
        self.notify("error", error.to_string(), Some(location));
    }

    fn finding(&mut self, _out: &mut Buffer, item: FindingItem<'_>) {
        self.packed += u64::from(is_packed(item.source));
        let places = &self.places;
        self.results.push(item.report.finding.severity, |out| {
            object(out, |result| places.result(result, item));
        });
    }

    fn left_out(&self) -> [u64; 3] {
        self.results.left_out()
    }

    fn end_of_source(&mut self, _out: &mut Buffer, source: &Source, error: Option<&Error>) {
        if let Some(error) = error {
            self.notify("error", error.to_string(), Some(Location::of(source)));
        }
    }

    fn finish(&mut self, out: &mut Buffer, end: &RunEnd<'_>) {
        if end.interrupted {
            self.notify("error", "the run was interrupted".to_owned(), None);
        }
        for severity in Severity::ALL.into_iter().rev() {
            let hidden = end.hidden[severity as usize];
            if hidden > 0 {
                let text = format!("findings that are not shown: {hidden} {severity}");
                self.notify("note", text, None);
            }
        }
        if self.packed > 0 {
            let found = "findings in archives and compressed files, which viewers cannot show";
            self.notify("note", format!("{found}: {}", self.packed), None);
        }
        for (nth, result) in self.results.shown().enumerate() {
            out.push_str(if nth > 0 { ",\n" } else { "\n" });
            out.extend_from_slice(result);
        }
        out.push_str("\n],\n\"invocations\": ");
        // 3.20
        array(out, [()], |it, ()| {
            it.value("executionSuccessful", &(end.complete && !end.interrupted));
            it.value("exitCode", &end.exit_code);
            it.array(
                "toolExecutionNotifications",
                &self.notifications,
                |it, one| {
                    it.value("level", one.level);
                    it.message("message", &one.text);
                    it.array("locations", &one.location, |it, location| {
                        it.object("physicalLocation", |it| {
                            it.object("artifactLocation", |it| location.members(it));
                        });
                    });
                },
            );
        });
        out.push_str("\n}]\n}\n");
    }
}

/// 3.4, with a URI of RFC 3986.
struct Location {
    uri: String,
    base: Option<&'static str>,
    /// The index in the run's artifacts.
    index: Option<usize>,
    description: Option<&'static str>,
}

impl Location {
    /// Location of a source. Sources other than files have a URI that is only a scheme.
    fn of(source: &Source) -> Location {
        let name = source.name();
        let inner = name
            .strip_prefix('<')
            .and_then(|name| name.strip_suffix('>'));
        match (source.path(), inner) {
            (Some(path), _) if source.member_name().is_none() => Location::of_path(path),
            (Some(_), _) | (None, None) => Location::of_path(name),
            (None, Some(scheme)) => Location {
                uri: format!("{scheme}:"),
                base: None,
                index: None,
                description: Some(match scheme {
                    "stdin" => "standard input",
                    _ => "an argument of the command line",
                }),
            },
        }
    }

    /// Location of a file: a `file:` URI for an absolute path, and a relative reference for a
    /// relative one.
    fn of_path(path: impl AsRef<Path>) -> Location {
        let path = from_here(path.as_ref());
        let relative = !path.has_root() && !path.is_absolute();
        let mut uri = String::from(if relative { "" } else { "file://" });
        let bytes = path.as_os_str().as_encoded_bytes();
        if !relative && (cfg!(windows) || bytes.first() != Some(&b'/')) {
            uri.push('/');
        }
        for &byte in bytes {
            match byte {
                b'\\' if cfg!(windows) => uri.push('/'),
                b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                    uri.push(char::from(byte));
                }
                b':' if cfg!(windows) => uri.push(':'),
                // The others are allowed here and there; encoded they mean the same.
                byte => {
                    let _ = write!(uri, "%{byte:02X}");
                }
            }
        }
        Location {
            uri,
            base: relative.then_some(BASE),
            index: None,
            description: None,
        }
    }

    fn members(&self, it: &mut Object<'_>) {
        it.value("uri", &self.uri);
        if let Some(base) = self.base {
            it.value("uriBaseId", base);
        }
        if let Some(index) = &self.index {
            it.value("index", index);
        }
        if let Some(description) = self.description {
            it.message("description", description);
        }
    }
}

/// Whether the file that a path names holds the text only compressed, or in an archive.
fn is_packed(source: &Source) -> bool {
    let name = source.name().as_bytes();
    source.member_name().is_some()
        || !source.is_read_as_stored() && plain_name(name).len() < name.len()
}

#[cfg(all(test, unix))]
mod tests {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    use super::*;

    fn uri(path: &[u8]) -> (String, Option<&'static str>) {
        let location = Location::of_path(OsStr::from_bytes(path));
        (location.uri, location.base)
    }

    #[test]
    fn paths_are_percent_encoded() {
        assert_eq!(
            uri(b"games/a b#1?.pgn"),
            ("games/a%20b%231%3F.pgn".into(), Some(BASE))
        );
        // A colon in the first segment would make it a scheme.
        assert_eq!(uri(b"c:a%.pgn"), ("c%3Aa%25.pgn".into(), Some(BASE)));
        assert_eq!(
            uri("/tmp/Müller.pgn".as_bytes()),
            ("file:///tmp/M%C3%BCller.pgn".into(), None)
        );
        assert_eq!(uri(b"M\xfcller"), ("M%FCller".into(), Some(BASE)));
    }
}
