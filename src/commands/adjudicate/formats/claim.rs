//! Decided claims: as a ruling that can be read out, and as a JSON object.

use crate::commands::adjudicate::claim::ClaimRuling;
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
    let name = |name: &Option<String>| name.clone().unwrap_or("?".to_owned());
    let players = (ruling.white.is_some() || ruling.black.is_some())
        .then(|| format!("{} - {}", name(&ruling.white), name(&ruling.black)));
    let about = players.into_iter().chain(ruling.event.clone());
    let about: Vec<String> = about.collect();
    if !about.is_empty() {
        line(&format!("Game: {}.", about.join(", ")));
    }
    let title = ruling.title;
    match &ruling.note {
        Some(note) => line(&format!("Rules: {title} ({note}).")),
        None => line(&format!("Rules: {title}.")),
    }
    let reason = ruling.reason.trim_end_matches('.');
    let (decided, article) = (&ruling.decided, &ruling.article);
    line(&format!("{decided} {reason} ({article})."));
    for texts in [&ruling.details, &ruling.follows, &ruling.otherwise] {
        texts.iter().for_each(|text| line(text));
    }
    out
}

/// One object, one line.
fn jsonl(ruling: &ClaimRuling) -> String {
    json::of(ruling) + "\n"
}
