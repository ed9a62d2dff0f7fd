//! Findings about the values of tags.

use crate::commands::validate::check::tags::layout;
use crate::commands::validate::check::{Checks, Finding, shown};
use crate::commands::validate::registry as codes;
use crate::commands::validate::registry::Rule;
use crate::law::rulesets::MONTHS;
use crate::pgn::values::date::DateFault;
use crate::pgn::values::rating::{HIGHEST, RatingFault};
use crate::pgn::values::time::TimeFault;
use crate::pgn::values::time_control::TimeControlFault;
use crate::pgn::values::{Conformance, date, eco, rating, round, time, time_control};
use crate::pgn::{Tag, TagName};

/// Whether there is nothing to report about a value.
#[inline]
pub(crate) fn is_standard(name: TagName, value: &[u8]) -> bool {
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

/// Reports what there is about a value that is not standard.
#[cold]
pub(crate) fn check(
    name: TagName,
    tag: &Tag,
    text: &[u8],
    checks: &Checks,
    findings: &mut Vec<Finding>,
) {
    if tag.value.of(text).is_empty() {
        findings.push(empty_roster_tag(name, tag));
        return;
    }
    let value = tag.unescape(text);
    let (rule, what, conformance): (&'static Rule, _, _) = match name {
        TagName::Date | TagName::EventDate | TagName::UtcDate => {
            let conformance = date::conformance(&value);
            let fault = |fault| date_fault(fault, &value);
            (&codes::BAD_DATE, "a date", map(conformance, fault))
        }
        TagName::Round => {
            let conformance = round::conformance(&value);
            (&codes::BAD_ROUND, "a round", map(conformance, round_fault))
        }
        TagName::WhiteElo | TagName::BlackElo | TagName::WhiteUscf | TagName::BlackUscf => {
            let conformance = rating::conformance(&value);
            (
                &codes::BAD_RATING,
                "a rating",
                map(conformance, rating_fault),
            )
        }
        TagName::Eco => {
            let conformance = eco::conformance(&value);
            (
                &codes::BAD_ECO,
                "an opening code",
                map(conformance, eco_fault),
            )
        }
        TagName::Time | TagName::UtcTime => {
            let conformance = time::conformance(&value);
            (
                &codes::BAD_TIME,
                "a time of day",
                map(conformance, time_fault),
            )
        }
        _ => {
            let conformance = map(time_control::conformance(&value), time_control_fault);
            (&codes::BAD_TIME_CONTROL, "a time control", conformance)
        }
    };
    match conformance {
        Conformance::Standard => {}
        Conformance::Nonstandard => layout::nonstandard_value(name, tag, text, checks, findings),
        Conformance::Invalid(Fault { why, help }) => findings.push(
            Finding::new(
                rule,
                tag.value,
                format!("`{}` is not {what}: {why}", shown(&value)),
            )
            .help(help),
        ),
    }
}

/// A fault in words.
struct Fault {
    why: String,
    help: String,
}

impl Fault {
    fn new(why: impl Into<String>, help: impl Into<String>) -> Fault {
        Fault {
            why: why.into(),
            help: help.into(),
        }
    }
}

fn map<F>(conformance: Conformance<F>, fault: impl FnOnce(F) -> Fault) -> Conformance<Fault> {
    match conformance {
        Conformance::Standard => Conformance::Standard,
        Conformance::Nonstandard => Conformance::Nonstandard,
        Conformance::Invalid(invalid) => Conformance::Invalid(fault(invalid)),
    }
}

fn empty_roster_tag(name: TagName, tag: &Tag) -> Finding {
    let message = format!("the {name} tag is empty");
    Finding::new(&codes::EMPTY_ROSTER_TAG, tag.name, message).help(match name {
        TagName::Result => "use `*` for an unknown result",
        TagName::Date => "use `????.??.??` for an unknown date",
        _ => "use `?` for an unknown value",
    })
}

fn date_fault(fault: DateFault, value: &[u8]) -> Fault {
    let why = match fault {
        DateFault::Form => {
            return Fault::new(
                "not of the form YYYY.MM.DD",
                match date::standard_form(value) {
                    Some(date) => format!("write `{date}`"),
                    None => "use question marks for unknown digits: `1992.??.??`".to_owned(),
                },
            );
        }
        DateFault::Year(year) => format!("no game on record is from the year {year}"),
        DateFault::Month(month) => format!("no month {month}"),
        DateFault::Day(date) => {
            let month = date
                .month
                .and_then(|month| MONTHS.get(usize::from(month).wrapping_sub(1)));
            let year = date
                .year
                .map_or_else(String::new, |year| format!(" {year}"));
            match month {
                Some(month) => format!("{month}{year} has {} days", date.last_day()),
                None => format!("no month has a day {}", date.day.unwrap_or_default()),
            }
        }
    };
    Fault::new(why, "use question marks for unknown digits: `1992.08.??`")
}

fn round_fault((): ()) -> Fault {
    Fault::new(
        "neither a number nor numbers joined by periods",
        "use `-` for no round, `?` for an unknown round",
    )
}

fn rating_fault(fault: RatingFault) -> Fault {
    Fault::new(
        match fault {
            RatingFault::NotNumber => "not a number".to_owned(),
            RatingFault::TooHigh => format!("rating exceeds {HIGHEST}"),
        },
        "use `-` for an unrated player, `?` for an unknown rating",
    )
}

fn eco_fault((): ()) -> Fault {
    Fault::new(
        "codes are A00 to E99",
        "a subdivision follows a slash: `A00/01`",
    )
}

fn time_fault(fault: TimeFault) -> Fault {
    Fault::new(
        match fault {
            TimeFault::Form => "not of the form HH:MM:SS",
            TimeFault::Range => "out of range",
            TimeFault::TrailingText => "text follows the time",
        },
        "the form is HH:MM:SS; use question marks for unknown digits",
    )
}

fn time_control_fault(fault: TimeControlFault<'_>) -> Fault {
    match fault {
        TimeControlFault::NotPeriod(period) => Fault::new(
            format!("`{}` is not a period", shown(period)),
            "the periods are moves and seconds (`40/9000`), seconds (`300`), seconds and increment \
             (`4500+60`), a sandclock (`*180`), `-` and `?`, joined by colons",
        ),
        TimeControlFault::NotLast(period) => Fault::new(
            format!(
                "`{}` is for the rest of the game, but another period follows",
                shown(period)
            ),
            "every period but the last has a number of moves: `40/9000`",
        ),
    }
}
