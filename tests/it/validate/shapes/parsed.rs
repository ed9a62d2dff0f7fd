//! The output of each format, parsed by a reader of that format.

use std::collections::HashSet;

use arbiter::report::escape::Escaped;
use serde_json::Value;

/// A finding, with the fields every format has. Text is escaped as in the human format.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Seen {
    pub code: String,
    pub file: String,
    pub line: u64,
    pub column: u64,
    pub message: String,
}

fn shown(text: &str) -> String {
    Escaped(text).to_string()
}

/// Parses `path:line:column`. The path may contain colons.
fn place(text: &str, files: &[&str]) -> (String, u64, u64, usize) {
    let paths = files.iter().map(|file| shown(file));
    let path = paths
        .filter(|path| text.starts_with(&format!("{path}:")))
        .max_by_key(String::len)
        .unwrap_or_else(|| panic!("no known path: {text}"));
    let rest = &text[path.len() + 1..];
    let (line, rest) = rest.split_once(':').unwrap();
    let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap();
    let length = path.len() + 1 + line.len() + 1 + digits;
    (
        path,
        line.parse().unwrap(),
        rest[..digits].parse().unwrap(),
        length,
    )
}

/// Parses `severity[CODE]`.
fn code(head: &str) -> String {
    let (severity, code) = head.split_once('[').unwrap();
    assert!(["error", "warning", "note"].contains(&severity), "{head}");
    code.strip_suffix(']').unwrap().to_owned()
}

pub fn human(text: &str, files: &[&str]) -> Vec<Seen> {
    let mut lines = text.lines();
    let mut all = Vec::new();
    while let Some(head) = lines.next() {
        let (head, message) = head.split_once(": ").unwrap();
        let (_, at) = lines.next().unwrap().split_once("--> ").unwrap();
        let (file, line, column, length) = place(at, files);
        assert!(
            [" (game ", " (position "]
                .iter()
                .any(|head| at[length..].starts_with(head))
        );
        all.push(Seen {
            code: code(head),
            file,
            line,
            column,
            message: message.to_owned(),
        });
        // Source line, position and help.
        assert!(lines.any(str::is_empty));
    }
    all
}

pub fn concise(text: &str, files: &[&str]) -> Vec<Seen> {
    let finding = |text: &str| {
        let (file, line, column, length) = place(text, files);
        let (head, message) = text[length..].strip_prefix(": ")?.split_once(' ')?;
        Some(Seen {
            code: code(head),
            file,
            line,
            column,
            message: message.rsplit_once(" (")?.0.to_owned(),
        })
    };
    text.lines()
        .map(|line| finding(line).expect(line))
        .collect()
}

/// Finding of the machine formats.
fn of_fields(field: impl Fn(&str) -> String) -> Seen {
    Seen {
        code: field("code"),
        file: shown(&field("file")),
        line: field("line").parse().unwrap(),
        column: field("column").parse().unwrap(),
        message: shown(&field("message")),
    }
}

pub fn jsonl(text: &str) -> Vec<Seen> {
    text.lines()
        .map(|line| {
            let value: Value = serde_json::from_str(line).unwrap();
            of_fields(|name| match &value[name] {
                Value::String(text) => text.clone(),
                other => other.to_string(),
            })
        })
        .collect()
}

pub fn csv(text: &str) -> Vec<Seen> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let header = reader.headers().unwrap().clone();
    reader
        .records()
        .map(|record| {
            let record = record.unwrap();
            of_fields(|name| {
                let column = header.iter().position(|column| column == name).unwrap();
                record[column].to_owned()
            })
        })
        .collect()
}

/// Text a viewer shows for a SARIF message (3.11.5, 3.11.6).
fn sarif_message(message: &Value) -> String {
    let text = message["text"].as_str().unwrap();
    let text = text.replace("\\](", "](");
    let halved = text.replace("{{", "{").replace("}}", "}");
    // No placeholder is used, so every brace is doubled.
    assert_eq!(
        text.len() - halved.len(),
        halved.matches(['{', '}']).count()
    );
    halved
}

/// Message of a finding: the argument of the rule's message string, which makes the text.
fn sarif_argument(message: &Value, rule: &Value) -> String {
    let [argument] = &message["arguments"].as_array().unwrap()[..] else {
        panic!("{message}")
    };
    let argument = argument.as_str().unwrap();
    let string = &rule["messageStrings"][message["id"].as_str().unwrap()];
    let string = string["text"].as_str().unwrap();
    let (before, after) = string.split_once("{0}").unwrap();
    let before = sarif_message(&serde_json::json!({"text": before}));
    assert_eq!(sarif_message(message), format!("{before}{argument}{after}"));
    argument.to_owned()
}

/// Path of a SARIF location.
pub fn sarif_path(location: &Value) -> String {
    let uri = location["uri"].as_str().unwrap();
    if let Some(scheme @ ("stdin" | "fen")) = uri.strip_suffix(':') {
        return format!("<{scheme}>");
    }
    let path = match uri.strip_prefix("file://") {
        Some(path) => path,
        None => {
            assert_eq!(location["uriBaseId"], "%SRCROOT%", "{location}");
            uri
        }
    };
    let mut bytes = Vec::new();
    let mut rest = path.as_bytes();
    while let [first, more @ ..] = rest {
        rest = more;
        if *first == b'%' {
            let digits = std::str::from_utf8(&more[..2]).unwrap();
            bytes.push(u8::from_str_radix(digits, 16).unwrap());
            rest = &more[2..];
        } else {
            bytes.push(*first);
        }
    }
    String::from_utf8(bytes).unwrap()
}

pub fn sarif(text: &str) -> Vec<Seen> {
    let log: Value = serde_json::from_str(text).unwrap();
    let run = &log["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    let results = run["results"].as_array().unwrap();
    results
        .iter()
        .map(|result| {
            let rule = &rules[result["ruleIndex"].as_u64().unwrap() as usize];
            assert_eq!(rule["id"], result["ruleId"]);
            let place = &result["locations"][0]["physicalLocation"];
            let location = &place["artifactLocation"];
            let artifact = &run["artifacts"][location["index"].as_u64().unwrap() as usize];
            assert_eq!(&artifact["location"], location);
            Seen {
                code: result["ruleId"].as_str().unwrap().to_owned(),
                file: shown(&sarif_path(location)),
                line: place["region"]["startLine"].as_u64().unwrap(),
                column: place["region"]["startColumn"].as_u64().unwrap(),
                message: shown(&sarif_argument(&result["message"], rule)),
            }
        })
        .collect()
}

pub fn junit(text: &str, files: &[&str]) -> Vec<Seen> {
    // Stricter than the reader of the crate that writes it.
    roxmltree::Document::parse(text).unwrap();
    let report = quick_junit::Report::deserialize_from_str(text).unwrap();
    let mut all = Vec::new();
    for suite in &report.test_suites {
        let count = |is: fn(&quick_junit::TestCaseStatus) -> bool| {
            suite
                .test_cases
                .iter()
                .filter(|case| is(&case.status))
                .count()
        };
        use quick_junit::NonSuccessKind::{Error, Failure};
        use quick_junit::TestCaseStatus::{NonSuccess, Skipped};
        assert_eq!(suite.tests, suite.test_cases.len());
        assert_eq!(
            suite.skipped,
            count(|status| matches!(status, Skipped { .. }))
        );
        let failed = |status: &_| matches!(status, NonSuccess { kind: Failure, .. });
        assert_eq!(suite.failures, count(failed));
        let errors = |status: &_| matches!(status, NonSuccess { kind: Error, .. });
        assert_eq!(suite.errors, count(errors));
        for case in &suite.test_cases {
            let (NonSuccess {
                message,
                ty,
                description,
                ..
            }
            | Skipped {
                message,
                ty,
                description,
            }) = &case.status
            else {
                continue;
            };
            let (Some(ty), Some(description)) = (ty, description) else {
                continue;
            };
            let (file, line, column, _) = place(description, files);
            assert_eq!(case.extra["line"].as_str(), line.to_string());
            // Attributes are not log lines, so colons stay unescaped.
            let plain = file.replace("\\u{3a}", ":");
            assert_eq!(case.extra["file"].as_str(), plain);
            assert_eq!(case.classname.as_ref().unwrap().as_str(), plain);
            all.push(Seen {
                code: ty.to_string(),
                file,
                line,
                column,
                message: message.as_ref().unwrap().replace("\\u{ffff}", "\u{ffff}"),
            });
        }
    }
    all
}

/// Parses workflow commands like GitHub's runner.
pub fn github(text: &str) -> Vec<Seen> {
    let decoded = |text: &str, property: bool| {
        let mut text = text.replace("%0D", "\r").replace("%0A", "\n");
        if property {
            text = text.replace("%3A", ":").replace("%2C", ",");
        }
        text.replace("%25", "%")
    };
    text.lines()
        .map(|line| {
            let (command, data) = line.strip_prefix("::").unwrap().split_once("::").unwrap();
            let (command, properties) = command.split_once(' ').unwrap();
            assert!(["error", "warning", "notice"].contains(&command), "{line}");
            let property = |name: &str| {
                let value = properties
                    .split(',')
                    .find_map(|pair| pair.strip_prefix(&format!("{name}=")))?;
                Some(decoded(value, true))
            };
            let data = decoded(data, false);
            let mut lines = data.split('\n');
            let message = lines.next().unwrap().to_owned();
            assert!(lines.next().unwrap().ends_with(')'), "{line}");
            let title = property("title").unwrap();
            Seen {
                code: title.split_once(' ').unwrap().0.to_owned(),
                file: property("file").unwrap_or_else(|| "<stdin>".to_owned()),
                line: property("line").unwrap().parse().unwrap(),
                column: property("col").unwrap().parse().unwrap(),
                message,
            }
        })
        .collect()
}

/// Checks a value against a schema of `tests/schemas`.
fn conforms(schema: &str, value: &Value) {
    let validator = jsonschema::validator_for(&serde_json::from_str(schema).unwrap()).unwrap();
    let errors: Vec<_> = validator
        .iter_errors(value)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert_eq!(errors, [""; 0]);
}

/// Message without the game and move at its end.
fn without_game(text: &str) -> String {
    let (message, game) = text.rsplit_once(" (").unwrap();
    assert!(game.ends_with(')'), "{text}");
    shown(message)
}

/// Parses a Code Quality report, in which all fingerprints differ.
pub fn gitlab(text: &str) -> Vec<Seen> {
    let report: Value = serde_json::from_str(text).unwrap();
    conforms(
        include_str!("../../../schemas/gitlab-code-quality.json"),
        &report,
    );
    let issues = report.as_array().unwrap();
    let prints: HashSet<_> = issues
        .iter()
        .map(|issue| issue["fingerprint"].as_str().unwrap())
        .collect();
    assert_eq!(prints.len(), issues.len());
    issues
        .iter()
        .map(|issue| {
            let location = &issue["location"];
            let begin = &location["positions"]["begin"];
            assert_eq!(location["lines"]["begin"], begin["line"]);
            Seen {
                code: issue["check_name"].as_str().unwrap().to_owned(),
                file: shown(location["path"].as_str().unwrap()),
                line: begin["line"].as_u64().unwrap(),
                column: begin["column"].as_u64().unwrap(),
                message: without_game(issue["description"].as_str().unwrap()),
            }
        })
        .collect()
}

/// Parses diagnostics of reviewdog. Columns are in bytes, and 0 if left out.
pub fn rdjsonl(text: &str) -> Vec<Seen> {
    text.lines()
        .map(|line| {
            let one: Value = serde_json::from_str(line).unwrap();
            conforms(include_str!("../../../schemas/rdjsonl.json"), &one);
            let start = &one["location"]["range"]["start"];
            let message = one["message"].as_str().unwrap();
            Seen {
                code: one["code"]["value"].as_str().unwrap().to_owned(),
                file: shown(one["location"]["path"].as_str().unwrap()),
                line: start["line"].as_u64().unwrap(),
                column: start["column"].as_u64().unwrap_or(0),
                message: without_game(message.split("\nhelp: ").next().unwrap()),
            }
        })
        .collect()
}
