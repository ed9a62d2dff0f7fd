//! Findings about tag pairs: their values, their order and layout, and what they say of the game's beginning and length.

mod date;
mod eco;
mod layout;
mod movetext;
mod rating;
mod repeated;
mod round;
mod spelling;
mod start;
mod time;
mod time_control;
mod value;

use crate::commands::validate::check::collect::Findings;
use crate::commands::validate::check::{Checks, Finding, shown};
use crate::commands::validate::registry as codes;
use crate::commands::validate::registry::Rule;
use crate::pgn::{Game, Tag, TagName};

pub(crate) use layout::missing_essential;
pub(crate) use movetext::{is_word, of_movetext, ply_count, text_for_moves};
pub use start::no_start;

use crate::commands::validate::check::tags::value::Form;

/// Looks at every tag pair of a game once.
pub(crate) fn check(game: &Game, text: &[u8], checks: &Checks, findings: &mut Findings<'_>) {
    for tag in &game.tags {
        let Some(name) = tag.known else {
            findings.extend(spelling::misspelled(tag, text));
            continue;
        };
        let before = findings.len();
        if !is_fine(name, tag.value.of(text)) {
            of_value(name, tag, text, checks, findings);
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

/// Whether there is nothing to say about a value.
#[inline]
fn is_fine(name: TagName, value: &[u8]) -> bool {
    match name {
        TagName::Event | TagName::Site | TagName::White | TagName::Black | TagName::Result => {
            !value.is_empty()
        }
        TagName::Date => date::is_standard(value),
        TagName::EventDate | TagName::UtcDate => value.is_empty() || date::is_standard(value),
        TagName::Round => !value.is_empty() && round::is_standard(value),
        TagName::WhiteElo | TagName::BlackElo | TagName::WhiteUscf | TagName::BlackUscf => {
            rating::is_standard(value)
        }
        TagName::Eco => eco::is_standard(value),
        TagName::Time | TagName::UtcTime => time::is_standard(value),
        TagName::TimeControl => time_control::is_standard(value),
        _ => true,
    }
}

/// What there is to say about a value.
#[cold]
fn of_value(name: TagName, tag: &Tag, text: &[u8], checks: &Checks, findings: &mut Vec<Finding>) {
    if tag.value.of(text).is_empty() {
        findings.push(
            Finding::new(
                &codes::EMPTY_ROSTER_TAG,
                tag.name,
                format!("the {name} tag is empty"),
            )
            .help(match name {
                TagName::Result => "`*` stands for a result that is not known",
                TagName::Date => "`????.??.??` stands for a date that is not known",
                _ => "`?` stands for what is not known",
            }),
        );
        return;
    }
    let value = tag.unescape(text);
    let (rule, what, form): (&'static Rule, _, _) = match name {
        TagName::Date | TagName::EventDate | TagName::UtcDate => {
            (&codes::BAD_DATE, "date", date::form(&value))
        }
        TagName::Round => (&codes::BAD_ROUND, "round", round::form(&value)),
        TagName::WhiteElo | TagName::BlackElo | TagName::WhiteUscf | TagName::BlackUscf => {
            (&codes::BAD_RATING, "rating", rating::form(&value))
        }
        TagName::Eco => (&codes::BAD_ECO, "opening code", eco::form(&value)),
        TagName::Time | TagName::UtcTime => (&codes::BAD_TIME, "time of day", time::form(&value)),
        _ => (
            &codes::BAD_TIME_CONTROL,
            "time control",
            time_control::form(&value),
        ),
    };
    match form {
        Form::Standard => {}
        Form::Customary => layout::customary_value(name, tag, text, checks, findings),
        Form::Wrong { why, help } => findings.push(
            Finding::new(
                rule,
                tag.value,
                format!("`{}` is no {what}: {why}", shown(&value)),
            )
            .help(help),
        ),
    }
}

#[cold]
fn unusual_case(name: TagName, tag: &Tag, text: &[u8]) -> Finding {
    Finding::new(
        &codes::TAG_NAME_CASE,
        tag.name,
        format!(
            "the tag `{}` is written `{name}` in the standard",
            shown(tag.name.of(text))
        ),
    )
    .help("tag names are case sensitive, for other programs at least")
}
