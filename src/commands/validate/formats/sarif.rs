//! SARIF 2.1.0, the OASIS standard for the results of static analysis, which code scanning services
//! read. Sections are those of the standard.
//!
//! A log has one run: the tool with all rules, the inputs, the results, errors first, and how the
//! run went, with a notification for every input that could not be read.

use std::collections::HashMap;
use std::fmt::Write;
use std::ops::Range;
use std::path::Path;

use serde_json::{Value, json};

use crate::commands::validate::formats::path::from_here;
use crate::commands::validate::formats::severest::MostSevereFirst;
use crate::commands::validate::formats::{FindingFormat, FindingItem, ReportOptions, RunEnd};
use crate::error::Error;
use crate::findings::Repair;
use crate::findings::explanations::{explanation, help_uri};
use crate::findings::registry::{RULES, Rule, Severity};
use crate::findings::report::Report;
use crate::input::{LineNo, Source, SourceId, plain_name};
use crate::report::{Buffer, Sink, append, json};
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
    notifications: Vec<Value>,
    /// The location of each artifact. The same file may be named twice as input, but must be listed
    /// once (3.14.15).
    artifacts: Vec<Value>,
    /// The location of each source among the artifacts.
    of_source: HashMap<SourceId, Value>,
    /// Whether there is a baseline, against which all results are new.
    has_baseline: bool,
}

impl Sarif {
    pub(crate) fn new(options: &ReportOptions<'_>) -> Sarif {
        let mut artifacts = Vec::new();
        let mut of_uri = HashMap::new();
        let mut of_source = HashMap::new();
        for source in options.sources {
            let uri = location(source, None)["uri"].to_string();
            let known = of_uri.entry(uri).or_insert_with(|| {
                artifacts.push(location(source, Some(artifacts.len())));
                artifacts[artifacts.len() - 1].clone()
            });
            of_source.insert(source.id(), known.clone());
        }
        Sarif {
            results: MostSevereFirst::new(options.most.unwrap_or(RESULTS)),
            packed: 0,
            notifications: Vec::new(),
            artifacts,
            of_source,
            has_baseline: options.has_baseline,
        }
    }

    /// Adds a notification (3.58).
    fn notify(&mut self, level: &str, text: &str, location: Option<Value>) {
        let location =
            location.map(|location| json!({"physicalLocation": {"artifactLocation": location}}));
        let locations = location.as_slice();
        self.notifications
            .push(json!({"level": level, "message": message(text), "locations": locations}));
    }
}

/// A text of 3.11 or 3.12.
fn message(text: &str) -> Value {
    json!({"text": plain(text)})
}

/// A text without placeholders and links. Braces are doubled, as they stand for placeholders
/// otherwise (3.11.5), and `](`, which would make a link (3.11.6), gets a backslash.
fn plain(text: &str) -> String {
    let plain = text.replace('{', "{{").replace('}', "}}");
    plain.replace("](", "\\](")
}

/// Every code that can be printed, in the order of the rules table: the rules with their
/// severities.
fn descriptors() -> impl Iterator<Item = (&'static Rule, Severity)> {
    let codes = |&rule: &&'static Rule| rule.severities().map(move |severity| (rule, severity));
    RULES.iter().flat_map(codes)
}

/// 3.19
fn driver() -> Value {
    let version = env!("CARGO_PKG_VERSION");
    json!({
        "name": "arbiter",
        "fullName": concat!(env!("CARGO_PKG_NAME"), " ", env!("CARGO_PKG_VERSION")),
        "version": version,
        "semanticVersion": version,
        "shortDescription": message(env!("CARGO_PKG_DESCRIPTION")),
        "rules": descriptors().map(descriptor).collect::<Vec<_>>(),
    })
}

/// 3.49
fn descriptor((rule, severity): (&Rule, Severity)) -> Value {
    let explanation = explanation(rule);
    let first = explanation.split("\n\n").next().unwrap_or_default();
    json!({
        "id": rule.code_at(severity),
        "name": rule.name,
        "shortDescription": message(rule.summary),
        "fullDescription": message(first),
        "defaultConfiguration": {"enabled": rule.is_on(), "level": severity.as_str()},
        "help": message(&explanation),
        "helpUri": help_uri(rule),
        "messageStrings": {MESSAGE: {"text": format!("{}: {{0}}", plain(rule.summary))}},
        // Properties that GitHub reads.
        "properties": {
            "tags": [rule.family.as_str()],
            "problem.severity": match severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
                Severity::Note => "recommendation",
            },
        },
    })
}

/// 3.27; `location` is that of the source among the artifacts.
fn result(item: FindingItem<'_>, location: Option<&Value>, has_baseline: bool) -> Value {
    let FindingItem { source, report, .. } = item;
    let finding = &report.finding;
    let at = finding.at.as_ref();
    let code = (finding.rule, finding.severity);
    let text = format!("{}: {}", finding.rule.summary, finding.message);
    let game = format!("{} {}", report.kind.unit(), report.game);
    let logical = match at {
        Some(at) => {
            json!({"name": at.label, "fullyQualifiedName": format!("{game}/{}", at.label)})
        }
        None => json!({"name": game, "fullyQualifiedName": game}),
    };
    let artifact = match location {
        Some(location) if source.member_at.is_none() => location.clone(),
        _ => self::location(source, None),
    };
    let mut result = json!({
        "ruleId": finding.code(),
        "ruleIndex": descriptors().position(|other| other == code),
        "level": finding.severity.as_str(),
        // 3.11. GitHub shows only a text; viewers that group results do so by its beginning or by
        // the identifier.
        "message": {"text": plain(&text), "id": MESSAGE, "arguments": [finding.message]},
        "locations": [{
            "physicalLocation": {
                "artifactLocation": &artifact,
                "region": region(source, report),
            },
            "logicalLocations": [logical],
        }],
    });
    if let Some(fingerprint) = item.fingerprint {
        // The identity of baselines; its name ends with a version (3.27.17).
        result["partialFingerprints"] = json!({"findingInGame/v1": fingerprint.to_string()});
    }
    if has_baseline {
        result["baselineState"] = "new".into();
    }
    if let Some(repair) = item.repair
        && let Some(replacements) = replacements(repair, source, report)
    {
        // 3.55
        result["fixes"] = json!([{
            "description": message(finding.help.as_ref().unwrap_or(&finding.message)),
            "artifactChanges": [{"artifactLocation": artifact, "replacements": replacements}],
            "properties": {"safe": repair.is_certain},
        }]);
    }
    // Fields without a place in SARIF, named as in JSONL.
    result["properties"] = json!({
        "game": report.game.0,
        "ply": at.map(|at| at.ply),
        "move": at.map(|at| &at.label),
        "fen": at.map(|at| &at.fen),
        "help": finding.help,
        "byte_start": report.bytes.start,
        "byte_end": report.bytes.end,
    });
    result
}

/// A region without its text, from its first character to the one after its last.
fn places_of(source: &Source, places: [(LineNo, u64); 2], bytes: Range<u64>) -> Value {
    let [(line, column), (end_line, end_column)] = places;
    let mut region = json!({
        "startLine": line.0,
        "startColumn": column,
        "endLine": end_line.0,
        "endColumn": end_column,
    });
    if source.is_read_as_stored() {
        region["byteOffset"] = bytes.start.into();
        region["byteLength"] = (bytes.end - bytes.start).into();
    }
    region
}

/// 3.30, by lines and columns; by bytes too where the file is read as it is stored. How many
/// characters come before is not counted, so that there is no `charOffset`.
fn region(source: &Source, report: &Report<'_>) -> Value {
    let places = [(report.line, report.column), report.end()];
    let mut region = places_of(source, places, report.bytes.clone());
    let text = report.text();
    if text.len() <= SNIPPET {
        region["snippet"] = json!({"text": decode(text)});
    }
    region
}

/// Most edits of a repair; the place of each is counted from the begin of its line.
const MOST_EDITS: usize = 1_000;

/// 3.57; none if one begins or ends on a line that begins with another game, or if there are more
/// than [`MOST_EDITS`].
fn replacements(repair: &Repair, source: &Source, report: &Report<'_>) -> Option<Vec<Value>> {
    if repair.edits.len() > MOST_EDITS {
        return None;
    }
    let edits = repair.edits.iter().map(|edit| {
        let bytes = report.bytes_of(edit.span);
        let start = report.place_of(edit.span.start)?;
        let end = report.place_of(edit.span.end)?;
        let places = [(start.line, start.column), (end.line, end.column)];
        let region = places_of(source, places, bytes);
        Some(json!({"deletedRegion": region, "insertedContent": {"text": edit.text}}))
    });
    edits.collect()
}

impl FindingFormat for Sarif {
    fn begin(&mut self, sink: &mut Sink) -> Result<(), Error> {
        let artifacts = self.artifacts.iter().map(|location| {
            let roles = ["analysisTarget", "standardStream"];
            let count = if location["uri"] == "stdin:" { 2 } else { 1 };
            json!({"location": location, "roles": roles[..count]})
        });
        // The path of the base is left out, so that logs do not depend on the machine.
        let base = message("the directory in which arbiter was run");
        let out = format!(
            "{{\n\"$schema\": {},\n\"version\": \"2.1.0\",\n\"runs\": [{{\n\"tool\": {},\n\
             \"originalUriBaseIds\": {},\n\"columnKind\": \"unicodeCodePoints\",\n\
             \"artifacts\": {},\n\"results\": [",
            json::of(&SCHEMA),
            json::of(&json!({"driver": driver()})),
            json::of(&json!({BASE: {"description": base}})),
            json::of(&artifacts.collect::<Vec<_>>()),
        );
        sink.write(out.as_bytes())
    }

    fn unreadable(&mut self, _out: &mut Buffer, error: &Error, source: Option<&Source>) {
        let location = match source {
            Some(source) => location(source, None),
            None => path_location(Path::new(error.path()), None),
        };
        let level = if error.is_note() { "note" } else { "error" };
        self.notify(level, &error.to_string(), Some(location));
    }

    fn finding(&mut self, _out: &mut Buffer, item: FindingItem<'_>) {
        self.packed += u64::from(is_packed(item.source));
        let location = self.of_source.get(&item.source.id());
        self.results.push(item.report.finding.severity, |out| {
            json::push(out, &result(item, location, self.has_baseline));
        });
    }

    fn left_out(&self) -> [u64; 3] {
        self.results.left_out()
    }

    fn finish(&mut self, out: &mut Buffer, end: &RunEnd<'_>) {
        if end.interrupted {
            self.notify("error", "the run was interrupted", None);
        }
        for severity in Severity::ALL.into_iter().rev() {
            let hidden = end.hidden[severity as usize];
            if hidden > 0 {
                let text = format!("findings that are not shown: {hidden} {severity}");
                self.notify("note", &text, None);
            }
        }
        if self.packed > 0 {
            let found = "findings in archives and compressed files, which viewers cannot show";
            self.notify("note", &format!("{found}: {}", self.packed), None);
        }
        for (nth, result) in self.results.shown().enumerate() {
            out.push_str(if nth > 0 { ",\n" } else { "\n" });
            out.extend_from_slice(result);
        }
        // 3.20
        let invocation = json!({
            "executionSuccessful": end.complete && !end.interrupted,
            "exitCode": end.exit_code,
            "toolExecutionNotifications": self.notifications,
        });
        append!(
            out,
            "\n],\n\"invocations\": {}\n}}]\n}}\n",
            json::of(&[invocation])
        );
    }
}

/// Location of a source (3.4) with its index among the artifacts. Sources other than files have a
/// URI that is only a scheme.
fn location(source: &Source, index: Option<usize>) -> Value {
    let name = source.name();
    let inner = name
        .strip_prefix('<')
        .and_then(|name| name.strip_suffix('>'));
    match (source.path(), inner) {
        (Some(path), _) if source.member_at.is_none() => path_location(path, index),
        (Some(_), _) | (None, None) => path_location(Path::new(name), index),
        (None, Some(scheme)) => {
            let mut location = json!({"uri": format!("{scheme}:")});
            if let Some(index) = index {
                location["index"] = index.into();
            }
            location["description"] = message(match scheme {
                "stdin" => "standard input",
                _ => "an argument of the command line",
            });
            location
        }
    }
}

/// Location of a file, with a URI of RFC 3986: a `file:` URI for an absolute path, and a relative
/// reference for a relative one.
fn path_location(path: &Path, index: Option<usize>) -> Value {
    let path = from_here(path);
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
    let mut location = json!({"uri": uri});
    if relative {
        location["uriBaseId"] = BASE.into();
    }
    if let Some(index) = index {
        location["index"] = index.into();
    }
    location
}

/// Whether the file that a path names holds the text only compressed, or in an archive.
fn is_packed(source: &Source) -> bool {
    let name = source.name().as_bytes();
    source.member_at.is_some() || !source.is_read_as_stored() && plain_name(name).len() < name.len()
}

#[cfg(all(test, unix))]
mod tests {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    use super::*;

    fn uri(path: &[u8]) -> Value {
        path_location(Path::new(OsStr::from_bytes(path)), None)
    }

    #[test]
    fn paths_are_percent_encoded() {
        assert_eq!(
            uri(b"games/a b#1?.pgn"),
            json!({"uri": "games/a%20b%231%3F.pgn", "uriBaseId": BASE})
        );
        // A colon in the first segment would make it a scheme.
        assert_eq!(
            uri(b"c:a%.pgn"),
            json!({"uri": "c%3Aa%25.pgn", "uriBaseId": BASE})
        );
        assert_eq!(
            uri("/tmp/Müller.pgn".as_bytes()),
            json!({"uri": "file:///tmp/M%C3%BCller.pgn"})
        );
        assert_eq!(
            uri(b"M\xfcller"),
            json!({"uri": "M%FCller", "uriBaseId": BASE})
        );
    }
}
