//! The `Date` tag (PGN standard 8.1.1.3).

use crate::rules::ruleset::Date;

/// The last day that a date such as `2014.06.20`, `2014.??.??` or `2014.06` can mean. Nothing if not even the year is
/// told.
pub fn latest_date(value: &[u8]) -> Option<Date> {
    let text = std::str::from_utf8(value).ok()?;
    let mut parts = text.trim().split(['.', '-', '/']);
    let mut part = |range: std::ops::RangeInclusive<u16>| {
        let number = parts.next()?.parse().ok()?;
        range.contains(&number).then_some(number)
    };
    let year = part(1000..=9999)?;
    // A day in an unknown month tells nothing.
    let (month, day) = match part(1..=12) {
        Some(month) => (month, part(1..=31).unwrap_or(31)),
        None => (12, 31),
    };
    Some(Date::new(year, month as u8, day as u8))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_parts_are_as_late_as_can_be() {
        let check = |text: &str, expected| assert_eq!(latest_date(text.as_bytes()), expected);
        check("2014.06.20", Some(Date::new(2014, 6, 20)));
        check("2014.06.??", Some(Date::new(2014, 6, 31)));
        check("2014.??.??", Some(Date::new(2014, 12, 31)));
        check("2014.??.05", Some(Date::new(2014, 12, 31)));
        check("2014", Some(Date::new(2014, 12, 31)));
        check("2014-06-20", Some(Date::new(2014, 6, 20)));
        check("????.??.??", None);
        check("", None);
        check("20.06.2014", None);
    }
}
