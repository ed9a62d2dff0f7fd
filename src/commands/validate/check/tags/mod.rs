//! Findings about tag pairs: values, names, order and layout, the start position and the length of
//! the game.

mod layout;
mod movetext;
mod repeated;
mod spelling;
mod start;
mod values;

use crate::commands::validate::check::collect::Findings;
use crate::commands::validate::check::{Checks, Finding, shown};
use crate::commands::validate::registry as codes;
use crate::pgn::{Game, Tag, TagName};

pub(crate) use layout::missing_essential;
pub(crate) use movetext::{is_word, of_movetext, ply_count, text_for_moves};
pub use start::no_start;

/// Checks every tag pair of a game.
pub(crate) fn check(game: &Game, text: &[u8], checks: &Checks, findings: &mut Findings<'_>) {
    for tag in &game.tags {
        let Some(name) = tag.known else {
            findings.extend(spelling::misspelled(tag, text));
            continue;
        };
        let before = findings.len();
        if !values::is_standard(name, tag.value.of(text)) {
            values::check(name, tag, text, checks, findings);
        }
        if !tag.usual_case {
            Vec::push(findings, unusual_case(name, tag, text));
        }
        if findings.len() > before {
            findings.admit_since(before);
        }
    }
    let before = findings.len();
    repeated::repeated(game, text, findings);
    Vec::extend(findings, start::setup(game, text));
    findings.admit_since(before);
    layout::check(game, text, checks, findings);
}

#[cold]
fn unusual_case(name: TagName, tag: &Tag, text: &[u8]) -> Finding {
    Finding::new(
        &codes::TAG_NAME_CASE,
        tag.name,
        format!(
            "the standard writes the tag `{}` as `{name}`",
            shown(tag.name.of(text))
        ),
    )
    .help("tag names are case-sensitive in other programs")
}
