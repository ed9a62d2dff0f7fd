//! The days that a `Date` tag can mean (PGN standard 8.1.1.3).

use std::ops::RangeInclusive;

use crate::law::rulesets::Date;

/// The first and the last day that a date such as `2014.06.20`, `2014.??.??` or `201?` can mean.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PossibleDays {
    /// The first day.
    pub first: Date,
    /// The last day. Months count as having 31.
    pub last: Date,
}

impl PossibleDays {
    /// Reads the value of a tag. Nothing if not even the first digit of the year is known.
    pub fn read(value: &[u8]) -> Option<PossibleDays> {
        let text = std::str::from_utf8(value).ok()?.trim();
        let mut parts = text.split(['.', '-', '/', ' ']);
        let (first, second, third) = (parts.next()?, parts.next(), parts.next());
        let (years, month, day) = match (years(first), third.and_then(years)) {
            (Some(years), _) => (years, second, third),
            // Of `06.05.2014` it is not known which is the month.
            (None, Some(years)) => (years, None, None),
            (None, None) => return None,
        };
        // A day without a month tells nothing.
        let months = month.and_then(|month| number(month, 1..=12));
        let days = months
            .as_ref()
            .and_then(|_| number(day?, 1..=31))
            .unwrap_or(1..=31);
        let months = months.unwrap_or(1..=12);
        let date = |year: &u16, month: &u16, day: &u16| Date::new(*year, *month as u8, *day as u8);
        Some(PossibleDays {
            first: date(years.start(), months.start(), days.start()),
            last: date(years.end(), months.end(), days.end()),
        })
    }
}

/// The years that four digits can mean, of which the first is known and others may be question marks.
fn years(text: &str) -> Option<RangeInclusive<u16>> {
    let is_year = text.len() == 4 && text.starts_with(|first: char| first.is_ascii_digit());
    is_year.then(|| number(text, 1000..=9999)).flatten()
}

/// The numbers of a range that digits and question marks can mean; nothing if there is none.
fn number(text: &str, range: RangeInclusive<u16>) -> Option<RangeInclusive<u16>> {
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
        check("2014.06.??", Some([(2014, 6, 1), (2014, 6, 31)]));
        check("2014.06.3?", Some([(2014, 6, 30), (2014, 6, 31)]));
        check("2014.06.00", Some([(2014, 6, 1), (2014, 6, 31)]));
        check("2014.1?.??", Some([(2014, 10, 1), (2014, 12, 31)]));
        check("2014.??.??", of_2014);
        check("2014.??.05", Some([(2014, 1, 5), (2014, 12, 5)]));
        check("2014.13.05", of_2014);
        check("2014", of_2014);
        check("20.06.2014", of_2014);
        check("201?.??.??", Some([(2010, 1, 1), (2019, 12, 31)]));
        check("19??.??.??", Some([(1900, 1, 1), (1999, 12, 31)]));
        for unknown in [
            "????.??.??",
            "?",
            "",
            "0000.00.00",
            "yesterday",
            "june 2014",
            "2014x",
        ] {
            check(unknown, None);
        }
    }
}
