//! SARIF 2.1.0, the OASIS standard for the results of static analysis, which code scanning services
//! read.
//!
//! A log has one run: the tool with all rules, the inputs, the results as they come, and at the end
//! how the run went, with a notification for every input that could not be read.

mod model;
mod uri;

use std::collections::HashMap;

use crate::commands::validate::formats::sarif::model::{
    Artifact, ArtifactLocation, Invocation, Location, LogicalLocation, Message, Notification,
    PhysicalLocation, Properties, Region, ReportingDescriptor, Result as SarifResult, Snippet,
    Tool,
};

use crate::commands::accounts::Accounts;
use crate::commands::validate::baseline::Fingerprint;
use crate::commands::validate::formats::{Emitted, Emitter, ReportFormat, RunEnd};
use crate::commands::validate::registry::{RULES, Rule, Severity};
use crate::commands::validate::report::Report;
use crate::error::Error;
use crate::input::{Source, SourceId};
use crate::report::{Sink, json};
use crate::text::decode;

/// The address of the published schema (OASIS Standard with Errata 01).
const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// Text longer than this is not repeated in a result, in bytes.
const SNIPPET: usize = 1 << 10;

/// Draws results.
#[derive(Clone, Debug)]
pub struct Sarif {
    /// The location of each artifact. The same file may be named twice as input, but must be listed
    /// once (3.14.15).
    artifacts: Vec<ArtifactLocation>,
    /// The artifact of each source.
    of_source: HashMap<SourceId, usize>,
    /// Number and severity of each entry of the rules table.
    codes: Vec<(usize, Severity)>,
    /// Whether there is a baseline, against which all results are new.
    baseline: bool,
}

impl Sarif {
    /// An emitter for the findings of these sources, of which only those are emitted that are not
    /// in a `baseline`, if there is one.
    pub fn new(sources: &[Source], baseline: bool) -> Sarif {
        let mut artifacts = Vec::new();
        let mut known = HashMap::new();
        let mut of_source = HashMap::new();
        for source in sources {
            let mut location = uri::location(source);
            let index = *known.entry(location.uri.clone()).or_insert_with(|| {
                location.index = Some(artifacts.len());
                artifacts.push(location);
                artifacts.len() - 1
            });
            of_source.insert(source.id(), index);
        }
        Sarif {
            artifacts,
            of_source,
            codes: descriptors()
                .map(|(rule, severity)| (rule.number(), severity))
                .collect(),
            baseline,
        }
    }

    fn location(&self, source: &Source) -> ArtifactLocation {
        match self.of_source.get(&source.id()) {
            Some(&index) if !source.is_member() => self.artifacts[index].clone(),
            _ => uri::location(source),
        }
    }
}

/// Every code that can be printed, in the order of the rules table: the rules with their
/// severities.
fn descriptors() -> impl Iterator<Item = (&'static Rule, Severity)> {
    let codes = |&rule: &&'static Rule| rule.severities().map(move |severity| (rule, severity));
    RULES.iter().flat_map(codes)
}

impl Emitter for Sarif {
    fn emit(
        &self,
        out: &mut String,
        source: &Source,
        report: &Report<'_>,
        fingerprint: Option<&Fingerprint>,
    ) {
        let finding = &report.finding;
        let at = finding.at.as_ref();
        let (end_line, end_column) = report.end();
        let text = report.text();
        let stored = source.is_read_as_stored();
        let game = format!("{} {}", report.form.unit(), report.game);
        let mut logical = vec![LogicalLocation::new(game.clone(), game.clone())];
        if let Some(at) = at {
            let whole = format!("{game}/{}", at.label);
            logical = vec![LogicalLocation::new(at.label.clone(), whole)];
        }
        let result = SarifResult {
            rule_id: finding.code(),
            rule_index: self
                .codes
                .partition_point(|&code| code < (finding.rule.number(), finding.severity)),
            level: finding.severity.as_str(),
            message: Message::of(&finding.message),
            locations: [Location {
                physical_location: Some(PhysicalLocation {
                    artifact_location: self.location(source),
                    region: Some(Region {
                        start_line: report.line.0,
                        start_column: report.column,
                        end_line: end_line.0,
                        end_column,
                        byte_offset: stored.then_some(report.bytes.start),
                        byte_length: stored.then(|| report.bytes.end - report.bytes.start),
                        snippet: (text.len() <= SNIPPET).then(|| Snippet { text: decode(text) }),
                    }),
                }),
                logical_locations: logical,
            }],
            partial_fingerprints: fingerprint.map(model::Fingerprints::of),
            baseline_state: self.baseline.then_some("new"),
            properties: Properties {
                game: report.game.0,
                ply: at.map(|at| at.ply),
                label: at.map(|at| at.label.as_str()),
                fen: at.map(|at| at.fen.as_str()),
                help: finding.help.as_deref(),
                byte_start: report.bytes.start,
                byte_end: report.bytes.end,
            },
        };
        out.push_str(",\n");
        out.push_str(&json::of(&result));
    }

    fn needs_fingerprint(&self) -> bool {
        true
    }
}

/// The document.
#[derive(Debug)]
pub struct SarifLog {
    artifacts: Vec<ArtifactLocation>,
    /// Whether a result has been written.
    any: bool,
    /// Notifications for the end of the log, such as unreadable inputs.
    notifications: Vec<Notification>,
}

impl SarifLog {
    /// A document of what an emitter drew.
    pub fn new(emitter: &Sarif) -> SarifLog {
        SarifLog {
            artifacts: emitter.artifacts.clone(),
            any: false,
            notifications: Vec::new(),
        }
    }

    fn notify(&mut self, level: &'static str, text: &str, location: Option<ArtifactLocation>) {
        let physical = |artifact_location| Location {
            physical_location: Some(PhysicalLocation {
                artifact_location,
                region: None,
            }),
            logical_locations: Vec::new(),
        };
        self.notifications.push(Notification {
            level,
            message: Message::of(text),
            locations: location.map(physical).into_iter().collect(),
        });
    }
}

impl ReportFormat for SarifLog {
    fn begin(&mut self, sink: &mut Sink) -> Result<(), Error> {
        let rules: Vec<_> = descriptors()
            .map(|(rule, severity)| ReportingDescriptor::of(rule, severity))
            .collect();
        let artifacts: Vec<_> = self.artifacts.iter().map(Artifact::of).collect();
        let head = format!(
            "{{\n\"$schema\": {},\n\"version\": \"2.1.0\",\n\"runs\": [{{\n\"tool\": {},\n\
             \"originalUriBaseIds\": {},\n\"columnKind\": \"unicodeCodePoints\",\n\"artifacts\": {},\n\"results\": [",
            json::of(&SCHEMA),
            json::of(&Tool::of(&rules)),
            json::of(&uri::bases()),
            json::of(&artifacts),
        );
        sink.write(head.as_bytes())
    }

    fn unreadable(&mut self, _sink: &mut Sink, error: &Error) -> Result<(), Error> {
        let location = uri::of_path(error.path());
        self.notify("error", &error.to_string(), Some(location));
        Ok(())
    }

    fn games(
        &mut self,
        sink: &mut Sink,
        _source: &Source,
        _accounts: Accounts,
        emitted: Emitted<'_>,
    ) -> Result<(), Error> {
        for (_, range) in emitted.shown {
            let mut result = &emitted.text[range.clone()];
            if !self.any {
                result = result.trim_start_matches(',');
                self.any = true;
            }
            sink.write(result.as_bytes())?;
        }
        Ok(())
    }

    fn end_of_source(
        &mut self,
        _sink: &mut Sink,
        source: &Source,
        error: Option<&Error>,
    ) -> Result<(), Error> {
        if let Some(error) = error {
            self.notify("error", &error.to_string(), Some(uri::location(source)));
        }
        Ok(())
    }

    fn finish(&mut self, sink: &mut Sink, end: &RunEnd) -> Result<(), Error> {
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
        let invocation = Invocation {
            execution_successful: end.complete && !end.interrupted,
            exit_code: end.exit_code,
            tool_execution_notifications: std::mem::take(&mut self.notifications),
        };
        let tail = format!(
            "\n],\n\"invocations\": [{}]\n}}]\n}}\n",
            json::of(&invocation)
        );
        sink.write(tail.as_bytes())
    }
}
