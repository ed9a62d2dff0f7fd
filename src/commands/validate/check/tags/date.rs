//! `Date`, `EventDate` and `UTCDate` (PGN standard 8.1.1.3): `YYYY.MM.DD`, with question marks for digits that are not known.

use crate::commands::validate::check::tags::value::Form;
use crate::law::rulesets::MONTHS;

/// A date as far as it is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Date {
    year: Option<u16>,
    month: Option<u8>,
    day: Option<u8>,
}

/// What is wrong with a date.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum DateFault {
    /// It is not of the form `YYYY.MM.DD`.
    Form,
    /// Chess is not that old, or the date has not come yet.
    Year(u16),
    Month(u8),
    /// The month has only so many days.
    Day {
        last: u8,
        of: Date,
    },
}

/// No game on record is older than a thousand years, and a program that reads games should not depend on the day on which
/// it is run: years of this century and before may be right.
const YEARS: std::ops::RangeInclusive<u16> = 1000..=2099;

impl Date {
    #[inline]
    fn read(value: &[u8]) -> Result<Date, DateFault> {
        let &[y1, y2, y3, y4, b'.', m1, m2, b'.', d1, d2] = value else {
            return Err(DateFault::Form);
        };
        let (century, year) = (digits(y1, y2)?, digits(y3, y4)?);
        let date = Date {
            year: century
                .zip(year)
                .map(|(century, year)| u16::from(century) * 100 + u16::from(year)),
            month: digits(m1, m2)?,
            day: digits(d1, d2)?,
        };
        match date {
            Date {
                year: Some(year), ..
            } if !YEARS.contains(&year) => Err(DateFault::Year(year)),
            Date {
                month: Some(month @ (0 | 13..)),
                ..
            } => Err(DateFault::Month(month)),
            Date { day: Some(day), .. } if day == 0 || day > date.last_day() => {
                Err(DateFault::Day {
                    last: date.last_day(),
                    of: date,
                })
            }
            _ => Ok(date),
        }
    }

    /// How many days the month has; if it is not known, or the year is not, as many as it can have.
    #[inline]
    fn last_day(self) -> u8 {
        let is_leap = |year: u16| {
            year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
        };
        match self.month {
            Some(2) if self.year.is_none_or(is_leap) => 29,
            Some(2) => 28,
            Some(4 | 6 | 9 | 11) => 30,
            _ => 31,
        }
    }
}

/// Two digits, of which any may be a question mark; the number is then not known.
#[inline]
fn digits(tens: u8, ones: u8) -> Result<Option<u8>, DateFault> {
    let (ten, one) = (tens.wrapping_sub(b'0'), ones.wrapping_sub(b'0'));
    if ten < 10 && one < 10 {
        return Ok(Some(ten * 10 + one));
    }
    let known_or_not = |byte: u8| byte.is_ascii_digit() || byte == b'?';
    if known_or_not(tens) && known_or_not(ones) {
        Ok(None)
    } else {
        Err(DateFault::Form)
    }
}

/// Whether nothing is wrong with the value.
#[inline]
pub(crate) fn is_standard(value: &[u8]) -> bool {
    Date::read(value).is_ok()
}

pub(crate) fn form(value: &[u8]) -> Form {
    let why = match Date::read(value) {
        Ok(_) => return Form::Standard,
        Err(DateFault::Form) if value == b"?" => return Form::Customary,
        Err(DateFault::Form) => {
            return Form::wrong(
                "it is not of the form YYYY.MM.DD",
                match rewritten(value) {
                    Some(date) => format!("write `{date}`"),
                    None => "digits that are not known are question marks: `1992.??.??`".to_owned(),
                },
            );
        }
        Err(DateFault::Year(year)) => format!("no game on record is of the year {year}"),
        Err(DateFault::Month(month)) => format!("there is no month {month}"),
        Err(DateFault::Day { last, of }) => {
            let month = of
                .month
                .and_then(|month| MONTHS.get(usize::from(month).wrapping_sub(1)));
            let of_year = |year: u16| format!(" {year}");
            match month {
                Some(month) => format!(
                    "{month}{} has {last} days",
                    of.year.map_or_else(String::new, of_year)
                ),
                None => format!("no month has a day {}", of.day.unwrap_or_default()),
            }
        }
    };
    Form::wrong(
        why,
        "question marks stand for what is not known: `1992.08.??`",
    )
}

/// A date that is written otherwise, if year, month and day cannot be taken for each other: the year comes first.
fn rewritten(value: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(value).ok()?.trim();
    let mut parts = text.split(['-', '/', '.', ' ']);
    let (year, month, day) = (parts.next()?, parts.next(), parts.next());
    let number = |part: Option<&str>| match part {
        None | Some("" | "?" | "??") => Some("??".to_owned()),
        Some(part) => Some(format!("{:02}", part.parse::<u8>().ok()?)),
    };
    let date = format!("{year}.{}.{}", number(month)?, number(day)?);
    (parts.next().is_none() && Date::read(date.as_bytes()).is_ok()).then_some(date)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn why(date: &str) -> Option<String> {
        match form(date.as_bytes()) {
            Form::Wrong { why, .. } => Some(why),
            _ => None,
        }
    }

    #[test]
    fn days_of_the_calendar() {
        for date in [
            "1992.08.31",
            "1993.??.??",
            "2001.01.01",
            "????.??.??",
            "2000.02.29",
            "2024.02.29",
            "????.02.29",
            "1996.??.31",
            "19??.??.??",
            "2012.1?.??",
            "1749.12.??",
        ] {
            assert_eq!(why(date), None, "{date}");
            assert!(is_standard(date.as_bytes()));
        }
        for (date, expected) in [
            ("2021.02.29", "February 2021 has 28 days"),
            ("1900.02.29", "February 1900 has 28 days"),
            ("????.02.30", "February has 29 days"),
            ("2021.04.31", "April 2021 has 30 days"),
            ("2021.01.00", "January 2021 has 31 days"),
            ("2021.??.32", "no month has a day 32"),
            ("2021.00.00", "there is no month 0"),
            ("2021.13.01", "there is no month 13"),
            ("0000.01.01", "no game on record is of the year 0"),
            ("2205.01.01", "no game on record is of the year 2205"),
            ("2021-01-01", "it is not of the form YYYY.MM.DD"),
            ("2021.1.1", "it is not of the form YYYY.MM.DD"),
            ("01.02.2021", "it is not of the form YYYY.MM.DD"),
            ("2021", "it is not of the form YYYY.MM.DD"),
            ("", "it is not of the form YYYY.MM.DD"),
        ] {
            assert_eq!(why(date).as_deref(), Some(expected), "{date}");
            assert!(!is_standard(date.as_bytes()));
        }
        assert_eq!(form(b"?"), Form::Customary);
    }

    #[test]
    fn dates_that_are_written_otherwise_and_can_be_read() {
        for (date, expected) in [
            ("2021-01-05", Some("2021.01.05")),
            ("2021/1/5", Some("2021.01.05")),
            ("2021", Some("2021.??.??")),
            ("2021.7", Some("2021.07.??")),
            ("2021.?.?", Some("2021.??.??")),
            ("05.01.2021", None),
            ("1/5/2021", None),
            ("2021-02-30", None),
            ("yesterday", None),
        ] {
            assert_eq!(rewritten(date.as_bytes()).as_deref(), expected, "{date}");
        }
    }
}
