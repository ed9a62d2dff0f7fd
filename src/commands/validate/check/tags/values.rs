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
            (&codes::BAD_DATE, "date", map(conformance, fault))
        }
        TagName::Round => {
            let conformance = round::conformance(&value);
            (&codes::BAD_ROUND, "round", map(conformance, round_fault))
        }
        TagName::WhiteElo | TagName::BlackElo | TagName::WhiteUscf | TagName::BlackUscf => {
            let conformance = rating::conformance(&value);
            (&codes::BAD_RATING, "rating", map(conformance, rating_fault))
        }
        TagName::Eco => {
            let conformance = eco::conformance(&value);
            (&codes::BAD_ECO, "opening code", map(conformance, eco_fault))
        }
        TagName::Time | TagName::UtcTime => {
            let conformance = time::conformance(&value);
            (
                &codes::BAD_TIME,
                "time of day",
                map(conformance, time_fault),
            )
        }
        _ => {
            let conformance = map(time_control::conformance(&value), time_control_fault);
            (&codes::BAD_TIME_CONTROL, "time control", conformance)
        }
    };
    match conformance {
        Conformance::Standard => {}
        Conformance::Nonstandard => layout::nonstandard_value(name, tag, text, checks, findings),
        Conformance::Invalid(Fault { why, help }) => findings.push(
            Finding::new(
                rule,
                tag.value,
                format!("`{}` is no {what}: {why}", shown(&value)),
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
        TagName::Result => "`*` stands for a result that is not known",
        TagName::Date => "`????.??.??` stands for a date that is not known",
        _ => "`?` stands for what is not known",
    })
}

fn date_fault(fault: DateFault, value: &[u8]) -> Fault {
    let why = match fault {
        DateFault::Form => {
            return Fault::new(
                "it is not of the form YYYY.MM.DD",
                match date::standard_form(value) {
                    Some(date) => format!("write `{date}`"),
                    None => "digits that are not known are question marks: `1992.??.??`".to_owned(),
                },
            );
        }
        DateFault::Year(year) => format!("no game on record is of the year {year}"),
        DateFault::Month(month) => format!("there is no month {month}"),
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
    Fault::new(
        why,
        "question marks stand for what is not known: `1992.08.??`",
    )
}

fn round_fault((): ()) -> Fault {
    Fault::new(
        "it is neither a number, nor numbers joined by periods",
        "`-` stands for games without a round, `?` for a round that is not known",
    )
}

fn rating_fault(fault: RatingFault) -> Fault {
    Fault::new(
        match fault {
            RatingFault::NotNumber => "it is not a number".to_owned(),
            RatingFault::TooHigh => format!("rating exceeds {HIGHEST}"),
        },
        "`-` stands for a player without a rating, `?` for one that is not known",
    )
}

fn eco_fault((): ()) -> Fault {
    Fault::new(
        "the codes are A00 to E99",
        "a subdivision follows a solidus: `A00/01`",
    )
}

fn time_fault(fault: TimeFault) -> Fault {
    Fault::new(
        match fault {
            TimeFault::Form => "it is not of the form HH:MM:SS",
            TimeFault::Range => "there is no such time of day",
            TimeFault::TrailingText => "there is something else behind the time of day",
        },
        "the form is HH:MM:SS; question marks stand for what is not known",
    )
}

fn time_control_fault(fault: TimeControlFault<'_>) -> Fault {
    match fault {
        TimeControlFault::NotPeriod(period) => Fault::new(
            format!("`{}` is no period of play", shown(period)),
            "the periods are moves and seconds (`40/9000`), seconds (`300`), seconds and increment \
             (`4500+60`), a sandclock (`*180`), `-` and `?`, joined by colons",
        ),
        TimeControlFault::NotLast(period) => Fault::new(
            format!(
                "`{}` is time for the rest of the game, but another period follows",
                shown(period)
            ),
            "a period that is not the last has a number of moves: `40/9000`",
        ),
    }
}
