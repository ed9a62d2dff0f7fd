//! Findings about tag pairs: values, names, order and layout, the start position and the length of
//! the game.

mod agreement;
mod layout;

use std::borrow::Cow;
use std::collections::HashSet;

use arrayvec::ArrayVec;

use crate::findings::finding::Findings;
use crate::findings::registry as codes;
use crate::findings::registry::Rule;
use crate::findings::{Finding, shown};
use crate::law::rulesets::MONTHS;
use crate::pgn::values::{self, Form, ValueFault, date, rating};
use crate::pgn::{Game, Span, Tag, TagName};

pub(crate) use agreement::{has_move, is_word, no_start, of_movetext, ply_count, text_for_moves};
pub(crate) use layout::missing_essential;

/// Checks every tag pair of a game.
pub(crate) fn check(game: &Game, text: &[u8], findings: &mut Findings<'_>) {
    for tag in &game.tags {
        let Some(name) = tag.known else {
            findings.extend(misspelled(tag, text));
            continue;
        };
        let value = tag.value.of(text);
        if is_missing(name, value) || values::form(name, value) != Form::Standard {
            check_value(name, tag, text, findings);
        }
        if !tag.usual_case {
            findings.push(unusual_case(name, tag, text));
        }
    }
    if game.repeats_known || repeats_other(game, text) {
        repetitions(game, text, findings);
    }
    findings.extend(agreement::setup(game, text));
    layout::check(game, text, findings);
}

#[cold]
fn unusual_case(name: TagName, tag: &Tag, text: &[u8]) -> Finding {
    let written = shown(tag.name.of(text));
    let message = format!("the standard writes the tag `{written}` as `{name}`");
    Finding::new(&codes::TAG_NAME_CASE, tag.name, message)
        .help("tag names are case-sensitive in other programs")
}

/// Whether a value is empty where the roster requires one.
#[inline]
fn is_missing(name: TagName, value: &[u8]) -> bool {
    value.is_empty() && name.is_in_roster()
}

/// Reports a value that is missing, or not of the standard's form.
#[cold]
fn check_value(name: TagName, tag: &Tag, text: &[u8], findings: &mut Findings<'_>) {
    if is_missing(name, tag.value.of(text)) {
        findings.push(empty_roster_tag(name, tag));
        return;
    }
    let value = tag.unescape(text);
    let fault = match values::form(name, &value) {
        Form::Standard => return,
        Form::InUse => return layout::nonstandard_form(name, tag, text, findings),
        Form::Invalid(fault) => fault,
    };
    let (rule, what): (&'static Rule, _) = match name {
        TagName::Date | TagName::EventDate | TagName::UtcDate => (&codes::BAD_DATE, "a date"),
        TagName::Round => (&codes::BAD_ROUND, "a round"),
        TagName::Eco => (&codes::BAD_ECO, "an opening code"),
        TagName::Time | TagName::UtcTime => (&codes::BAD_TIME, "a time of day"),
        TagName::TimeControl => (&codes::BAD_TIME_CONTROL, "a time control"),
        _ => (&codes::BAD_RATING, "a rating"),
    };
    let (why, help) = in_words(fault, &value);
    let message = format!("`{}` is not {what}: {why}", shown(&value));
    findings.push(Finding::new(rule, tag.value, message).help(help));
}

/// Why a value is none, and what to write.
fn in_words(fault: ValueFault, value: &[u8]) -> (String, Cow<'static, str>) {
    let why = match fault {
        ValueFault::DateForm => "not of the form YYYY.MM.DD".to_owned(),
        ValueFault::Year(year) => format!("no game on record is from the year {year}"),
        ValueFault::Month(month) => format!("no month {month}"),
        ValueFault::Day(date) => {
            let month = date.month.map(|month| usize::from(month).wrapping_sub(1));
            let year = date.year.map(|year| format!(" {year}")).unwrap_or_default();
            match month.and_then(|month| MONTHS.get(month)) {
                Some(month) => {
                    let days = date::last_day(date.year, date.month);
                    format!("{month}{year} has {days} days")
                }
                None => format!("no month has a day {}", date.day.unwrap_or_default()),
            }
        }
        ValueFault::Round => "neither a number nor numbers joined by periods".to_owned(),
        ValueFault::NotRating => "not a number".to_owned(),
        ValueFault::HighRating => format!("rating exceeds {}", rating::HIGHEST),
        ValueFault::Eco => "codes are A00 to E99".to_owned(),
        ValueFault::TimeForm => "not of the form HH:MM:SS".to_owned(),
        ValueFault::TimeRange => "out of range".to_owned(),
        ValueFault::TextAfterTime => "text follows the time".to_owned(),
        ValueFault::NotPeriod(nth) => format!("`{}` is not a period", period(value, nth)),
        ValueFault::NotLastPeriod(nth) => format!(
            "`{}` is for the rest of the game, but another period follows",
            period(value, nth)
        ),
        ValueFault::NotResult => "not a result".to_owned(),
    };
    let help = match fault {
        ValueFault::DateForm => match date::standard_form(value) {
            Some(date) => return (why, format!("write `{date}`").into()),
            None => "use question marks for unknown digits: `1992.??.??`",
        },
        ValueFault::Year(_) | ValueFault::Month(_) | ValueFault::Day(_) => {
            "use question marks for unknown digits: `1992.08.??`"
        }
        ValueFault::Round => "use `-` for no round, `?` for an unknown round",
        ValueFault::NotRating | ValueFault::HighRating => {
            "use `-` for an unrated player, `?` for an unknown rating"
        }
        ValueFault::Eco => "a subdivision follows a slash: `A00/01`",
        ValueFault::TimeForm | ValueFault::TimeRange | ValueFault::TextAfterTime => {
            "the form is HH:MM:SS; use question marks for unknown digits"
        }
        ValueFault::NotPeriod(_) => {
            "the periods are moves and seconds (`40/9000`), seconds (`300`), seconds and increment \
             (`4500+60`), a sandclock (`*180`), `-` and `?`, joined by colons"
        }
        ValueFault::NotLastPeriod(_) => {
            "every period but the last has a number of moves: `40/9000`"
        }
        ValueFault::NotResult => "the results are `1-0`, `0-1`, `1/2-1/2` and `*`",
    };
    (why, help.into())
}

/// A period of a time control.
fn period(value: &[u8], nth: usize) -> String {
    let mut periods = value.split(|&byte| byte == b':');
    shown(periods.nth(nth).unwrap_or_default())
}

fn empty_roster_tag(name: TagName, tag: &Tag) -> Finding {
    let help = match name {
        TagName::Result => "use `*` for an unknown result",
        TagName::Date => "use `????.??.??` for an unknown date",
        _ => "use `?` for an unknown value",
    };
    let message = format!("the {name} tag is empty");
    Finding::new(&codes::EMPTY_ROSTER_TAG, tag.name, message).help(help)
}

/// The name of the roster that a tag with an unknown name was probably meant to have.
#[inline]
pub(crate) fn meant(tag: &Tag, text: &[u8]) -> Option<TagName> {
    let name = tag.name.of(text);
    // The names of the roster have four to six letters.
    (tag.known.is_none() && (3..=7).contains(&name.len()))
        .then(|| nearest(name))
        .flatten()
}

/// The name of the roster that one edit turns a name into, whatever the case: a letter replaced,
/// left out, added or exchanged with its neighbour.
#[cold]
fn nearest(name: &[u8]) -> Option<TagName> {
    let name = std::str::from_utf8(name).ok()?;
    let mut roster = TagName::ALL[..TagName::ROSTER].iter().copied();
    roster.find(|meant| is_one_edit(meant.as_str(), name))
}

/// Whether one edit turns one name into the other: what is between the common beginning and the
/// common end tells.
fn is_one_edit(meant: &str, name: &str) -> bool {
    let same = |(a, b): &(char, char)| a.eq_ignore_ascii_case(b);
    let start = meant.chars().zip(name.chars()).take_while(same).count();
    let rest = |name: &str| name.chars().skip(start).collect::<ArrayVec<_, 7>>();
    let (a, b) = (rest(meant), rest(name));
    let ends = a.iter().rev().copied().zip(b.iter().rev().copied());
    let end = ends.take_while(same).count();
    match (&a[..a.len() - end], &b[..b.len() - end]) {
        ([_], [_] | []) | ([], [_]) => true,
        ([first, second], [third, fourth]) => same(&(*first, *fourth)) && same(&(*second, *third)),
        _ => false,
    }
}

#[inline]
pub(crate) fn misspelled(tag: &Tag, text: &[u8]) -> Option<Finding> {
    let help = format!("did you mean `{}`?", meant(tag, text)?);
    let message = format!("unknown tag name `{}`", shown(tag.name.of(text)));
    Some(Finding::new(&codes::MISSPELLED_TAG_NAME, tag.name, message).help(help))
}

/// Whether a name stands twice that is not one of the known ones.
fn repeats_other(game: &Game, text: &[u8]) -> bool {
    // Most games have few such tags: comparing each with each is faster than a table.
    const FEW: usize = 32;
    let names = || {
        let others = game.tags.iter().filter(|tag| tag.known.is_none());
        others.map(|tag| tag.name.of(text))
    };
    let is_repeated = |(nth, name): (usize, &[u8])| {
        let mut before = names().take(nth);
        before.any(|other| other.eq_ignore_ascii_case(name))
    };
    game.other_tags > FEW || game.other_tags > 1 && names().enumerate().any(is_repeated)
}

/// Tag names that come up again (PGN standard 8.1.1): another game's tag pairs without movetext
/// between, if a blank line is between, and else plain repetitions.
#[cold]
fn repetitions(game: &Game, text: &[u8], findings: &mut Findings<'_>) {
    let mut names = HashSet::new();
    let mut section = None;
    let (mut sections, mut tags) = (Vec::new(), Vec::new());
    for tag in &game.tags {
        if tag.after_blank {
            section = Some(tag);
        }
        let name = tag.name.of(text).to_ascii_lowercase();
        if !names.insert(name.clone()) {
            // A section counts once, whatever it repeats; then its names begin anew.
            match section.take() {
                Some(section) => {
                    sections.push(section);
                    names = HashSet::from([name]);
                }
                None => tags.push(tag),
            }
        }
    }
    let more = |all: usize| match all {
        ..=1 => String::new(),
        all => format!(", and {} more in this game", all - 1),
    };
    if let Some(tag) = sections.first() {
        let span = Span::new(tag.name.start as usize, tag.value.end as usize);
        let more = more(sections.len());
        let message = format!("another tag section without movetext before it{more}");
        let finding = Finding::new(&codes::REPEATED_TAG_SECTION, span, message);
        findings.push(finding.help("end every game with a result mark, `*` if unknown"));
    }
    let (listed, counted) = match findings.checks.repairs {
        true => (tags.len(), 1),
        false => (1, tags.len()),
    };
    let more = more(counted);
    for tag in tags.into_iter().take(listed) {
        let message = format!("repeated tag `{}`{more}", shown(tag.name.of(text)));
        let finding = Finding::new(&codes::REPEATED_TAG, tag.name, message);
        findings.push(finding.help("the first value is used"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_edit_is_a_slip_and_two_are_another_name() {
        for (written, name) in [
            ("Whte", TagName::White),
            ("Whtie", TagName::White),
            ("WWhite", TagName::White),
            ("whit", TagName::White),
            ("Blcak", TagName::Black),
            ("Resutl", TagName::Result),
            ("Reslt", TagName::Result),
            ("Evnt", TagName::Event),
            ("Sitte", TagName::Site),
            ("Dtae", TagName::Date),
            ("Rund", TagName::Round),
        ] {
            assert_eq!(nearest(written.as_bytes()), Some(name), "{written}");
        }
        for other in [
            "Source",
            "Team",
            "Title",
            "Rated",
            "Board",
            "Whi",
            "W\u{ef}te",
        ] {
            assert_eq!(nearest(other.as_bytes()), None, "{other}");
        }
    }
}
