//! The parts of the SARIF object model that are written here; sections are those of the standard.

use std::borrow::Cow;

use serde::Serialize;

use crate::commands::validate::baseline;
use crate::commands::validate::registry::{Code, Rule, Severity, Strictness};

/// 3.11. Braces are doubled, as they stand for placeholders otherwise (3.11.5), and `](`, which
/// would make a link (3.11.6), gets a backslash.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(crate) struct Message {
    text: String,
}

impl Message {
    pub(crate) fn of(text: &str) -> Message {
        let mut plain = text.replace('{', "{{").replace('}', "}}");
        if plain.contains("](") {
            plain = plain.replace("](", "\\](");
        }
        Message { text: plain }
    }
}

/// 3.12
#[derive(Debug, Serialize)]
struct MultiformatMessageString {
    text: String,
}

impl MultiformatMessageString {
    fn of(text: &str) -> MultiformatMessageString {
        MultiformatMessageString {
            text: Message::of(text).text,
        }
    }
}

/// 3.18 and 3.19
#[derive(Debug, Serialize)]
pub(crate) struct Tool<'a> {
    driver: Driver<'a>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Driver<'a> {
    name: &'static str,
    full_name: String,
    version: &'static str,
    semantic_version: &'static str,
    short_description: MultiformatMessageString,
    rules: &'a [ReportingDescriptor],
}

impl<'a> Tool<'a> {
    pub(crate) fn of(rules: &'a [ReportingDescriptor]) -> Tool<'a> {
        let version = env!("CARGO_PKG_VERSION");
        Tool {
            driver: Driver {
                name: "arbiter",
                full_name: format!("{} {version}", env!("CARGO_PKG_NAME")),
                version,
                semantic_version: version,
                short_description: MultiformatMessageString::of(env!("CARGO_PKG_DESCRIPTION")),
                rules,
            },
        }
    }
}

/// 3.49
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ReportingDescriptor {
    id: Code,
    name: &'static str,
    short_description: MultiformatMessageString,
    full_description: MultiformatMessageString,
    default_configuration: ReportingConfiguration,
    help: MultiformatMessageString,
    properties: RuleProperties,
}

/// 3.50
#[derive(Debug, Serialize)]
struct ReportingConfiguration {
    /// Whether the rule is looked for without `--strict`.
    enabled: bool,
    level: &'static str,
}

/// Properties that GitHub reads.
#[derive(Debug, Serialize)]
struct RuleProperties {
    tags: [&'static str; 1],
    #[serde(rename = "problem.severity")]
    problem_severity: &'static str,
}

impl ReportingDescriptor {
    pub(crate) fn of(rule: &Rule, severity: Severity) -> ReportingDescriptor {
        let first = rule.explanation.split("\n\n").next().unwrap_or_default();
        ReportingDescriptor {
            id: rule.code_at(severity),
            name: rule.name,
            short_description: MultiformatMessageString::of(rule.summary),
            full_description: MultiformatMessageString::of(first),
            default_configuration: ReportingConfiguration {
                enabled: rule.strictness != Strictness::StrictOnly,
                level: severity.as_str(),
            },
            help: MultiformatMessageString::of(rule.explanation),
            properties: RuleProperties {
                tags: [rule.family.as_str()],
                problem_severity: match severity {
                    Severity::Error => "error",
                    Severity::Warning => "warning",
                    Severity::Note => "recommendation",
                },
            },
        }
    }
}

/// 3.4
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ArtifactLocation {
    pub(crate) uri: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) uri_base_id: Option<&'static str>,
    /// The index in the run's artifacts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) index: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) description: Option<Message>,
}

/// An element of `originalUriBaseIds` (3.14.14) without an address.
#[derive(Debug, Serialize)]
pub(crate) struct BaseLocation {
    pub(crate) description: Message,
}

/// 3.24
#[derive(Debug, Serialize)]
pub(crate) struct Artifact<'a> {
    location: &'a ArtifactLocation,
    roles: Vec<&'static str>,
}

impl<'a> Artifact<'a> {
    pub(crate) fn of(location: &'a ArtifactLocation) -> Artifact<'a> {
        let mut roles = vec!["analysisTarget"];
        if location.uri == "stdin:" {
            roles.push("standardStream");
        }
        Artifact { location, roles }
    }
}

/// 3.27
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Result<'a> {
    pub(crate) rule_id: Code,
    /// The index in the tool's rules.
    pub(crate) rule_index: usize,
    pub(crate) level: &'static str,
    pub(crate) message: Message,
    pub(crate) locations: [Location<'a>; 1],
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) partial_fingerprints: Option<Fingerprints>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) baseline_state: Option<&'static str>,
    pub(crate) properties: Properties<'a>,
}

/// The fingerprint that baselines use; its name ends with a version (3.27.17).
#[derive(Debug, Serialize)]
pub(crate) struct Fingerprints {
    #[serde(rename = "findingInGame/v1")]
    finding_in_game: String,
}

impl Fingerprints {
    pub(crate) fn of(fingerprint: &baseline::Fingerprint) -> Fingerprints {
        Fingerprints {
            finding_in_game: fingerprint.to_string(),
        }
    }
}

/// Fields without a place in SARIF, named as in JSONL.
#[derive(Debug, Serialize)]
pub(crate) struct Properties<'a> {
    pub(crate) game: u64,
    pub(crate) ply: Option<u32>,
    #[serde(rename = "move")]
    pub(crate) label: Option<&'a str>,
    pub(crate) fen: Option<&'a str>,
    pub(crate) help: Option<&'a str>,
    pub(crate) byte_start: u64,
    pub(crate) byte_end: u64,
}

/// 3.28
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Location<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) physical_location: Option<PhysicalLocation<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) logical_locations: Vec<LogicalLocation>,
}

/// 3.29
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PhysicalLocation<'a> {
    pub(crate) artifact_location: ArtifactLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) region: Option<Region<'a>>,
}

/// 3.30, by lines and columns; by bytes too where the file is read as it is stored. How many
/// characters come before is not counted, so that there is no `charOffset`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Region<'a> {
    pub(crate) start_line: u64,
    pub(crate) start_column: u64,
    pub(crate) end_line: u64,
    /// One past the last character.
    pub(crate) end_column: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) byte_offset: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) byte_length: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) snippet: Option<Snippet<'a>>,
}

/// 3.3
#[derive(Debug, Serialize)]
pub(crate) struct Snippet<'a> {
    pub(crate) text: Cow<'a, str>,
}

/// 3.33
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LogicalLocation {
    name: String,
    fully_qualified_name: String,
}

impl LogicalLocation {
    pub(crate) fn new(name: String, fully_qualified_name: String) -> LogicalLocation {
        LogicalLocation {
            name,
            fully_qualified_name,
        }
    }
}

/// 3.20
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Invocation {
    pub(crate) execution_successful: bool,
    pub(crate) exit_code: u8,
    pub(crate) tool_execution_notifications: Vec<Notification>,
}

/// 3.58
#[derive(Debug, Serialize)]
pub(crate) struct Notification {
    pub(crate) level: &'static str,
    pub(crate) message: Message,
    pub(crate) locations: Vec<Location<'static>>,
}
