//! `Date`, `EventDate` and `UTCDate` (PGN standard 8.1.1.3): `YYYY.MM.DD`, with question
//! marks for unknown digits.

use std::ops::RangeInclusive;

use crate::law::rulesets::{Date, MONTHS};
use crate::pgn::values::{Form, Parsed, ValueFault};

/// Years of games on record. The upper bound does not depend on the day on which the program runs.
const YEARS: RangeInclusive<u16> = 1000..=2099;

/// A date of the standard's form; parts with a question mark are unknown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PartialDate {
    pub(crate) year: Option<u16>,
    pub(crate) month: Option<u8>,
    pub(crate) day: Option<u8>,
}

/// Reads a date, in another form than the standard's if its parts are certain.
#[inline]
pub fn read(value: &[u8]) -> Parsed<PartialDate> {
    match PartialDate::read(value) {
        Ok(date) => Parsed::standard(Some(date)),
        Err(fault) => in_other_form(value, fault),
    }
}

#[cold]
fn in_other_form(value: &[u8], fault: ValueFault) -> Parsed<PartialDate> {
    let date = standard_form(value).and_then(|form| PartialDate::read(form.as_bytes()).ok());
    Parsed::new(date, Form::in_use_if(value == b"?", fault))
}

impl PartialDate {
    #[inline]
    fn read(value: &[u8]) -> Result<PartialDate, ValueFault> {
        let &[y1, y2, y3, y4, b'.', m1, m2, b'.', d1, d2] = value else {
            return Err(ValueFault::DateForm);
        };
        let (century, year) = (two_digits(y1, y2)?, two_digits(y3, y4)?);
        let date = PartialDate {
            year: century
                .zip(year)
                .map(|(century, year)| u16::from(century) * 100 + u16::from(year)),
            month: two_digits(m1, m2)?,
            day: two_digits(d1, d2)?,
        };
        match (date.year, date.month, date.day) {
            (Some(year), ..) if !YEARS.contains(&year) => Err(ValueFault::Year(year)),
            (_, Some(month @ (0 | 13..)), _) => Err(ValueFault::Month(month)),
            (.., Some(0)) => Err(ValueFault::Day(date)),
            (.., Some(day)) if day > last_day(date.year, date.month) => Err(ValueFault::Day(date)),
            _ => Ok(date),
        }
    }

    /// The date, if it is known in full.
    #[inline]
    pub fn day(self) -> Option<Date> {
        Some(Date::new(self.year?, self.month?, self.day?))
    }
}

/// The number of days of a month, or the most it can have if month or year are unknown.
#[inline]
pub(crate) fn last_day(year: Option<u16>, month: Option<u8>) -> u8 {
    let is_leap = |year: u16| {
        year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
    };
    match month {
        Some(2) if year.is_none_or(is_leap) => 29,
        Some(2) => 28,
        Some(4 | 6 | 9 | 11) => 30,
        _ => 31,
    }
}

/// The number of two digits, or `None` if either is a question mark.
#[inline]
fn two_digits(tens: u8, ones: u8) -> Result<Option<u8>, ValueFault> {
    let (ten, one) = (tens.wrapping_sub(b'0'), ones.wrapping_sub(b'0'));
    if ten < 10 && one < 10 {
        return Ok(Some(ten * 10 + one));
    }
    let is_digit_or_unknown = |byte: u8| byte.is_ascii_digit() || byte == b'?';
    if is_digit_or_unknown(tens) && is_digit_or_unknown(ones) {
        Ok(None)
    } else {
        Err(ValueFault::DateForm)
    }
}

/// The standard's form of a date in another form, if the year comes first or the month is a word,
/// so that month and day are certain.
pub(crate) fn standard_form(value: &[u8]) -> Option<String> {
    if let Some(date) = in_words(value) {
        return Some(date);
    }
    let mut parts = parts(value)?;
    let (year, month, day) = (parts.next()?, parts.next(), parts.next());
    let number = |part: Option<&str>| match part {
        None | Some("" | "?" | "??") => Some("??".to_owned()),
        Some(part) => Some(format!("{:02}", part.parse::<u8>().ok()?)),
    };
    let date = format!("{year}.{}.{}", number(month)?, number(day)?);
    (parts.next().is_none() && PartialDate::read(date.as_bytes()).is_ok()).then_some(date)
}

/// The standard's form of a date with a month in English words, such as `May 2013`, `9th of July
/// 2023` or `Sun Jul 09 2023`. Nothing is made of two months, and no day of `1-5 May 2013`.
fn in_words(value: &[u8]) -> Option<String> {
    const WEEKDAYS: &str = "monday tuesday wednesday thursday friday saturday sunday";
    const LONGEST: usize = 64;
    let text = std::str::from_utf8(value)
        .ok()
        .filter(|text| text.len() <= LONGEST)?;
    let words = text.split(|letter: char| !letter.is_ascii_alphanumeric());
    let words: Vec<&str> = words
        .filter(|word| !matches!(*word, "" | "of" | "the"))
        .collect();
    let begins = |word: &str, name: &str| {
        let start = name.get(..word.len());
        word.len() >= 3 && start.is_some_and(|start| start.eq_ignore_ascii_case(word))
    };
    let month_of = |word: &str| MONTHS.iter().position(|name| begins(word, name));
    let day_of = |nth: Option<usize>| -> Option<u8> {
        let word = *words.get(nth?)?;
        let digits = word.trim_end_matches(|letter: char| letter.is_ascii_lowercase());
        let is_day =
            digits.len() <= 2 && matches!(&word[digits.len()..], "" | "st" | "nd" | "rd" | "th");
        digits.parse().ok().filter(|_| is_day)
    };
    let is_expected = |word: &&str| {
        // Times of day and their zones may follow.
        word.starts_with(|first: char| first.is_ascii_digit())
            || word.bytes().all(|byte| byte.is_ascii_uppercase())
            || month_of(word).is_some()
            || WEEKDAYS.split(' ').any(|name| begins(word, name))
    };
    let mut months =
        (words.iter().enumerate()).filter_map(|(nth, word)| Some((nth, month_of(word)?)));
    let mut years = words.iter().filter_map(|word| years(word));
    let ((at, month), year) = (months.next()?, years.next()?);
    if months.next().is_some() || years.next().is_some() || !words.iter().all(is_expected) {
        return None;
    }
    // Two numbers on one side are several days.
    let on_side = |day, other| day_of(day).filter(|_| day_of(other).is_none());
    let before = on_side(at.checked_sub(1), at.checked_sub(2));
    let day = before.or_else(|| on_side(Some(at + 1), Some(at + 2)));
    let day = day.map_or("??".to_owned(), |day| format!("{day:02}"));
    let date = format!("{}.{:02}.{day}", year.start(), month + 1);
    PartialDate::read(date.as_bytes()).is_ok().then_some(date)
}

/// The first and the last day that a date such as `2014.06.20`, `2014.??.??` or `201?` can mean.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PossibleDays {
    /// The first day.
    pub first: Date,
    /// The last day.
    pub last: Date,
}

impl PossibleDays {
    /// Reads the value of a tag. `None` if not even the first digit of the year is known.
    #[inline]
    pub fn read(value: &[u8]) -> Option<PossibleDays> {
        if let Ok(Some(first)) = PartialDate::read(value).map(PartialDate::day) {
            return Some(PossibleDays { first, last: first });
        }
        let has_words = value.iter().any(u8::is_ascii_alphabetic);
        let standard = has_words.then(|| in_words(value)).flatten();
        let value = standard.as_deref().map_or(value, str::as_bytes);
        PossibleDays::of_parts(value).or_else(|| PossibleDays::of_years(value))
    }

    /// The year, and the month, that all the days have.
    pub fn year_and_month(self) -> Option<(u16, Option<u8>)> {
        let PossibleDays { first, last } = self;
        let month = (first.month == last.month).then_some(first.month);
        (first.year == last.year).then_some((first.year, month))
    }

    /// Reads a date in other words, such as `Summer 2013` or `2013–14`: the years in it, or the day
    /// of `20130501`.
    #[cold]
    fn of_years(value: &[u8]) -> Option<PossibleDays> {
        let digits = |length| {
            value
                .split(|byte| !byte.is_ascii_digit())
                .filter(move |digits| digits.len() == length)
        };
        if let Some(&[y1, y2, y3, y4, m1, m2, d1, d2]) = digits(8).next() {
            return PossibleDays::of_parts(&[y1, y2, y3, y4, b'.', m1, m2, b'.', d1, d2]);
        }
        let of_year = |year: &[u8]| years(std::str::from_utf8(year).ok()?);
        let all: Vec<_> = digits(4).filter_map(of_year).collect();
        let first = *all.iter().map(RangeInclusive::start).min()?;
        let last = *all.iter().map(RangeInclusive::end).max()?;
        Some(PossibleDays::of(&(first..=last), &(1..=12), &(1..=31)))
    }

    /// Reads a date of one or three numbers with points, hyphens, slashes or blanks between them.
    fn of_parts(value: &[u8]) -> Option<PossibleDays> {
        let mut parts = parts(value)?;
        let (first, second, third) = (parts.next()?, parts.next(), parts.next());
        let is_year = first.len() == 4 && first.starts_with(|first: char| first.is_ascii_digit());
        if is_year && let Some(years) = numbers(first, 1..=9999) {
            let months = second.and_then(|month| numbers(month, 1..=12));
            // A day without a month restricts nothing.
            let days = (months.as_ref()).and_then(|months| days(third?, months, &years));
            let (all_months, all_days) = (1..=12, 1..=31);
            let months = months.unwrap_or(all_months);
            return Some(PossibleDays::of(&years, &months, &days.unwrap_or(all_days)));
        }
        // In `06.05.2014` either number may be the month, in `20.05.2014` only one.
        let years = years(third?)?;
        let read = |day, month| {
            let months = numbers(month, 1..=12)?;
            Some(PossibleDays::of(
                &years,
                &months,
                &days(day, &months, &years)?,
            ))
        };
        let possible = match [read(first, second?), read(second?, first)] {
            [Some(one), Some(other)] => PossibleDays {
                first: one.first.min(other.first),
                last: one.last.max(other.last),
            },
            [Some(one), None] | [None, Some(one)] => one,
            [None, None] => PossibleDays::of(&years, &(1..=12), &(1..=31)),
        };
        Some(possible)
    }

    fn of(
        years: &RangeInclusive<u16>,
        months: &RangeInclusive<u16>,
        days: &RangeInclusive<u16>,
    ) -> PossibleDays {
        let date = |year: &u16, month: &u16, day: u16| Date::new(*year, *month as u8, day as u8);
        let last = last_day(Some(*years.end()), Some(*months.end() as u8));
        let last = u16::from(last).clamp(*days.start(), *days.end());
        PossibleDays {
            first: date(years.start(), months.start(), *days.start()),
            last: date(years.end(), months.end(), last),
        }
    }
}

/// The parts of a date in any form.
fn parts(value: &[u8]) -> Option<impl Iterator<Item = &str>> {
    let text = std::str::from_utf8(value).ok()?.trim();
    Some(text.split(['.', '-', '/', ' ']))
}

/// The years that four digits can mean. The first digit is known; others may be question marks.
fn years(text: &str) -> Option<RangeInclusive<u16>> {
    let is_year = text.len() == 4 && text.starts_with(|first: char| first.is_ascii_digit());
    is_year.then(|| numbers(text, 1000..=9999)).flatten()
}

/// The days that digits and question marks can mean. `None` if the month has no such day.
fn days(
    text: &str,
    months: &RangeInclusive<u16>,
    years: &RangeInclusive<u16>,
) -> Option<RangeInclusive<u16>> {
    let only =
        |range: &RangeInclusive<u16>| Some(*range.start()).filter(|start| start == range.end());
    let most = last_day(only(years), only(months).map(|month| month as u8));
    numbers(text, 1..=31).filter(|days| *days.start() <= most.into())
}

/// The numbers of a range that at most four digits and question marks can mean, if there are any.
fn numbers(text: &str, range: RangeInclusive<u16>) -> Option<RangeInclusive<u16>> {
    if text.is_empty() || text.len() > 4 {
        return None;
    }
    let with = |unknown: u16| {
        text.bytes().try_fold(0, |number, byte| match byte {
            b'0'..=b'9' => Some(10 * number + u16::from(byte - b'0')),
            b'?' => Some(10 * number + unknown),
            _ => None,
        })
    };
    let (least, most) = (with(0)?, with(9)?);
    let within = least.max(*range.start())..=most.min(*range.end());
    (!within.is_empty()).then_some(within)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(date: &str) -> Option<ValueFault> {
        match read(date.as_bytes()).form {
            Form::Invalid(fault) => Some(fault),
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
            assert_eq!(fault(date), None, "{date}");
            assert_eq!(read(date.as_bytes()).form, Form::Standard, "{date}");
        }
        let day = |year, month, day| {
            let day = Some(day);
            ValueFault::Day(PartialDate { year, month, day })
        };
        for (date, expected) in [
            ("2021.02.29", day(Some(2021), Some(2), 29)),
            ("1900.02.29", day(Some(1900), Some(2), 29)),
            ("????.02.30", day(None, Some(2), 30)),
            ("2021.04.31", day(Some(2021), Some(4), 31)),
            ("2021.01.00", day(Some(2021), Some(1), 0)),
            ("2021.??.32", day(Some(2021), None, 32)),
            ("2021.00.00", ValueFault::Month(0)),
            ("2021.13.01", ValueFault::Month(13)),
            ("0000.01.01", ValueFault::Year(0)),
            ("2205.01.01", ValueFault::Year(2205)),
            ("2021-01-01", ValueFault::DateForm),
            ("2021.1.1", ValueFault::DateForm),
            ("01.02.2021", ValueFault::DateForm),
            ("2021", ValueFault::DateForm),
            ("", ValueFault::DateForm),
        ] {
            assert_eq!(fault(date), Some(expected), "{date}");
        }
        assert_eq!(read(b"?").form, Form::InUse);
    }

    #[test]
    fn dates_in_other_forms_are_rewritten() {
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
            ("Sun Jul 09 2023", Some("2023.07.09")),
            (
                "Sun Jul 09 2023 14:33:00 GMT+0200 (CEST)",
                Some("2023.07.09"),
            ),
            ("9th of July, 2023", Some("2023.07.09")),
            ("July 9, 2023", Some("2023.07.09")),
            ("09-JUL-2023", Some("2023.07.09")),
            ("2023 Jul 9", Some("2023.07.09")),
            ("Sept. 2013", Some("2013.09.??")),
            ("1-5 May 2013", Some("2013.05.??")),
            ("May 1/5 2013", Some("2013.05.??")),
            ("31 Feb 2013", None),
            ("May-June 2013", None),
            ("may be 2013", None),
            ("Mar del Plata 2013", None),
            ("09-Jul-23", None),
        ] {
            assert_eq!(
                standard_form(date.as_bytes()).as_deref(),
                expected,
                "{date}"
            );
        }
    }

    #[test]
    fn the_days_that_a_date_can_mean() {
        let check = |text: &str, expected: Option<[(u16, u8, u8); 2]>| {
            let date = |(year, month, day)| Date::new(year, month, day);
            let expected = expected.map(|[first, last]| PossibleDays {
                first: date(first),
                last: date(last),
            });
            assert_eq!(PossibleDays::read(text.as_bytes()), expected, "{text}");
        };
        let of_2014 = Some([(2014, 1, 1), (2014, 12, 31)]);
        let day = Some([(2014, 6, 20), (2014, 6, 20)]);
        check("2014.06.20", day);
        check("2014-06-20", day);
        check("2014/6/20", day);
        check("2014.06.20 15:30", day);
        check("2014.06.??", Some([(2014, 6, 1), (2014, 6, 30)]));
        check("2014.06.3?", Some([(2014, 6, 30), (2014, 6, 30)]));
        check("2014.06.00", Some([(2014, 6, 1), (2014, 6, 30)]));
        check("2014.1?.??", Some([(2014, 10, 1), (2014, 12, 31)]));
        check("2014.??.??", of_2014);
        check("2014.??.05", Some([(2014, 1, 5), (2014, 12, 5)]));
        check("2014.13.05", of_2014);
        check("2014", of_2014);
        check("june 2014", Some([(2014, 6, 1), (2014, 6, 30)]));
        check("summer 2014", of_2014);
        check("2014?", of_2014);
        check("20140620", day);
        check("20142014", of_2014);
        check("2013\u{2013}2014", Some([(2013, 1, 1), (2014, 12, 31)]));
        check("20.06.2014", day);
        check("6/20/2014", day);
        check("06.05.2014", Some([(2014, 5, 6), (2014, 6, 5)]));
        check("??.06.2014", Some([(2014, 1, 6), (2014, 12, 6)]));
        check("20.??.2014", Some([(2014, 1, 20), (2014, 12, 20)]));
        check("??.??.2014", of_2014);
        check("20.20.2014", of_2014);
        check("31.06.2014", of_2014);
        check("2014.06.31", Some([(2014, 6, 1), (2014, 6, 30)]));
        check("2014.02.29", Some([(2014, 2, 1), (2014, 2, 28)]));
        check("2016.02.29", Some([(2016, 2, 29), (2016, 2, 29)]));
        check("201?.??.??", Some([(2010, 1, 1), (2019, 12, 31)]));
        check("19??.??.??", Some([(1900, 1, 1), (1999, 12, 31)]));
        for unknown in [
            "????.??.??",
            "?",
            "",
            "0000.00.00",
            "yesterday",
            "20140",
            "no. 123",
        ] {
            check(unknown, None);
        }
    }

    #[test]
    fn the_year_and_the_month_that_all_days_have() {
        let check = |text: &str, expected| {
            let days = PossibleDays::read(text.as_bytes()).unwrap();
            assert_eq!(days.year_and_month(), expected, "{text}");
        };
        check("2020.1.31", Some((2020, Some(1))));
        check("0992.05.??", Some((992, Some(5))));
        check("2020.?.?", Some((2020, None)));
        check("202?.01.01", None);
    }
}
