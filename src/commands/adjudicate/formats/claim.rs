//! Decided claims: as a ruling that can be read out, and as a JSON object.

use serde::Serialize;

use crate::commands::adjudicate::claim::{ClaimKind, ClaimRuling, ClaimVerdict};
use crate::commands::adjudicate::formats::FormatName;
use crate::error::Error;
use crate::report::escape::Escaped;
use crate::report::{json, wrap_if};

/// Writer of a ruling, for a terminal of this width if there is one.
pub(crate) type Writer = fn(&ClaimRuling, Option<usize>) -> String;

/// Writer of a ruling in a format.
pub(crate) fn in_format(format: FormatName) -> Result<Writer, Error> {
    match format {
        FormatName::Human => Ok(human),
        FormatName::Jsonl => Ok(|ruling, _| jsonl(ruling)),
        _ => Err(Error::usage("a claim is decided as `human` or `jsonl`")),
    }
}

/// The ruling, a sentence a line; in a terminal further lines of it are indented.
fn human(ruling: &ClaimRuling, columns: Option<usize>) -> String {
    let mut out = String::new();
    let mut line = |text: &str| {
        let text = Escaped(text).to_string();
        wrap_if(&mut out, &text, ["", "  "], columns);
    };
    line(&ruling.statement);
    let players = (ruling.white.is_some() || ruling.black.is_some()).then(|| {
        let [white, black] = [&ruling.white, &ruling.black].map(|name| name.as_deref());
        format!("{} - {}", white.unwrap_or("?"), black.unwrap_or("?"))
    });
    let about: Vec<String> = [players, ruling.event.clone()]
        .into_iter()
        .flatten()
        .collect();
    if !about.is_empty() {
        line(&format!("Game: {}.", about.join(", ")));
    }
    line(&match &ruling.note {
        Some(note) => format!("Rules: {} ({note}).", ruling.rules.title),
        None => format!("Rules: {}.", ruling.rules.title),
    });
    let reason = ruling.reason.trim_end_matches('.');
    line(&format!(
        "{} {reason} ({}).",
        verdict(ruling),
        ruling.article
    ));
    for text in ruling.details.iter().chain(&ruling.follows) {
        line(text);
    }
    for text in &ruling.otherwise {
        line(text);
    }
    out
}

fn verdict(ruling: &ClaimRuling) -> &'static str {
    match (ruling.claim.kind, ruling.verdict()) {
        (ClaimKind::Flag, ClaimVerdict::Upheld) => "The game is lost on time.",
        (ClaimKind::Flag, ClaimVerdict::Rejected) => "The game is not lost on time.",
        (ClaimKind::Flag, ClaimVerdict::Undecided) => {
            "Whether the game is lost on time is left open."
        }
        (_, ClaimVerdict::Upheld) => "The claim is upheld.",
        (_, ClaimVerdict::Rejected) => "The claim is rejected.",
        (_, ClaimVerdict::Undecided) => "The claim is left open.",
    }
}

/// A decided claim as scripts read it.
#[derive(Serialize)]
struct RulingFields<'a> {
    claim: &'static str,
    /// Null with a flag: it may be anybody who points it out.
    by: Option<&'static str>,
    rules: &'static str,
    /// Null where nothing was proven.
    upheld: Option<bool>,
    ground: &'static str,
    reason: &'a str,
    article: String,
    #[serde(rename = "move")]
    announced: Option<&'a str>,
    occurrences: &'a [u32],
    line: Option<Vec<String>>,
    result: &'static str,
    details: &'a [String],
    follows: &'a [String],
    otherwise: &'a [String],
    rules_applied: &'static str,
    note: Option<&'a str>,
    fallen: Option<&'static str>,
    ply: u32,
    moment: &'a str,
    white: Option<&'a str>,
    black: Option<&'a str>,
    event: Option<&'a str>,
}

/// One object, one line.
fn jsonl(ruling: &ClaimRuling) -> String {
    let is_flag = ruling.claim.kind == ClaimKind::Flag;
    let row = RulingFields {
        claim: ruling.claim.kind.as_str(),
        by: (!is_flag).then(|| ruling.by.name()),
        rules: ruling.asked,
        upheld: match ruling.verdict() {
            ClaimVerdict::Upheld => Some(true),
            ClaimVerdict::Rejected => Some(false),
            ClaimVerdict::Undecided => None,
        },
        ground: ruling.ground.as_str(),
        reason: &ruling.reason,
        article: ruling.article.to_string(),
        announced: ruling.announced.as_deref(),
        occurrences: &ruling.occurrences,
        line: (!ruling.line.is_empty())
            .then(|| ruling.line.iter().map(ToString::to_string).collect()),
        result: ruling.result.as_str(),
        details: &ruling.details,
        follows: &ruling.follows,
        otherwise: &ruling.otherwise,
        rules_applied: ruling.rules.name,
        note: ruling.note.as_deref(),
        fallen: is_flag.then(|| ruling.by.name()),
        ply: ruling.ply,
        moment: &ruling.moment,
        white: ruling.white.as_deref(),
        black: ruling.black.as_deref(),
        event: ruling.event.as_deref(),
    };
    let mut line = json::of(&row);
    line.push('\n');
    line
}
