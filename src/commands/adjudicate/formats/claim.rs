//! Decided claims: as a ruling that can be read out, and as a JSON object.

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
    let about = [players, ruling.event.clone()];
    let about: Vec<String> = about.into_iter().flatten().collect();
    if !about.is_empty() {
        line(&format!("Game: {}.", about.join(", ")));
    }
    let note = ruling.note.as_ref().map(|note| format!(" ({note})"));
    line(&format!(
        "Rules: {}{}.",
        ruling.rules.title,
        note.unwrap_or_default()
    ));
    let reason = ruling.reason.trim_end_matches('.');
    line(&format!(
        "{} {reason} ({}).",
        verdict(ruling),
        ruling.article
    ));
    for texts in [&ruling.details, &ruling.follows, &ruling.otherwise] {
        texts.iter().for_each(|text| line(text));
    }
    out
}

fn verdict(ruling: &ClaimRuling) -> &'static str {
    match (ruling.kind, ruling.verdict()) {
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

/// One object, one line.
fn jsonl(ruling: &ClaimRuling) -> String {
    json::of(ruling) + "\n"
}
