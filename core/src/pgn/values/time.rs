//! `Time` and `UTCTime` (PGN standard 9.5.1 and 9.5.2): `HH:MM:SS`, with question marks for unknown
//! digits.

use crate::pgn::values::{Form, Parsed, ValueFault};

/// Reads hours, minutes and seconds; they are known if all digits are.
#[inline]
pub fn read(value: &[u8]) -> Parsed<[u8; 3]> {
    match value {
        &[h1, h2, b':', m1, m2, b':', s1, s2]
            if is_below(h1, h2, 24) && is_below(m1, m2, 60) && is_below(s1, s2, 60) =>
        {
            let number = |tens: u8, ones: u8| 10 * (tens - b'0') + (ones - b'0');
            let is_known = !value.contains(&b'?');
            Parsed::standard(is_known.then(|| [number(h1, h2), number(m1, m2), number(s1, s2)]))
        }
        b"" | b"?" => Parsed::standard(None),
        _ => Parsed::new(None, other_form(value)),
    }
}

/// Whether two digits, either of which may be a question mark, can be a number below a limit.
#[inline]
fn is_below(tens: u8, ones: u8, limit: u8) -> bool {
    let (ten, one) = (tens.wrapping_sub(b'0'), ones.wrapping_sub(b'0'));
    if ten < 10 && one < 10 {
        return ten * 10 + one < limit;
    }
    (ten < limit.div_ceil(10) || tens == b'?') && (one < 10 || ones == b'?')
}

/// Nonstandard forms: no seconds, parts of a second, periods for colons, `a.m.` and time zones.
#[cold]
fn other_form(value: &[u8]) -> Form {
    let text = String::from_utf8_lossy(value).to_ascii_lowercase();
    let text = text.trim();
    let clock = text
        .find(|letter: char| !letter.is_ascii_digit() && !matches!(letter, ':' | '.'))
        .unwrap_or(text.len());
    let (clock, rest) = text.split_at(clock);
    let mut parts = clock.trim_end_matches('.').split([':', '.']);
    let mut part = |limit: u32| match parts.next().map(str::parse::<u32>) {
        None => Some(false),
        Some(Ok(number)) if number < limit => Some(true),
        _ => None,
    };
    // Hours and minutes are required, seconds and their fraction are not.
    Form::Invalid(match (part(24), part(60), part(60), part(u32::MAX)) {
        (Some(true), Some(true), Some(_), Some(_)) if is_zone(rest) => {
            return Form::InUse;
        }
        (Some(true), Some(true), Some(_), Some(_)) => ValueFault::TextAfterTime,
        _ if clock.contains([':', '.']) && clock.len() == text.len() => ValueFault::TimeRange,
        _ => ValueFault::TimeForm,
    })
}

/// `a.m.` or `pm`, then `gmt+0100`, `pst`, `+01:00` or `z`, all optional.
fn is_zone(rest: &str) -> bool {
    let mut words = rest.split_ascii_whitespace().peekable();
    words.next_if(|word| matches!(word.replace('.', "").as_str(), "am" | "pm"));
    words.next_if(|word| word.len() <= 5 && word.bytes().all(|byte| byte.is_ascii_lowercase()));
    words.next_if(|word| {
        let offset = word.trim_start_matches(|letter: char| letter.is_ascii_lowercase());
        let digits = offset.bytes().filter(u8::is_ascii_digit).count();
        let signs = offset.strip_prefix(['+', '-']).is_some();
        signs
            && (1..=4).contains(&digits)
            && offset[1..]
                .bytes()
                .all(|byte| byte.is_ascii_digit() || byte == b':')
    });
    words.next().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_known_if_all_its_digits_are() {
        assert_eq!(read(b"23:59:07").value, Some([23, 59, 7]));
        for value in ["24:00:00", "23:59", "??:??:??", "1?:30:00", ""] {
            assert_eq!(read(value.as_bytes()).value, None, "{value}");
        }
    }

    #[test]
    fn times_of_day() {
        for value in [
            "00:00:00", "23:59:59", "??:??:??", "12:??:??", "1?:30:00", "?", "",
        ] {
            assert_eq!(read(value.as_bytes()).form, Form::Standard, "{value}");
        }
        for value in [
            "9:05:00 a.m.",
            "12:30",
            "12.30",
            "12:30:00.250",
            "12:30:00 GMT+0100",
            "12:30:00Z",
            "12:30:00 +01:00",
            " 12:30:00",
            "1:02:03 PM",
            "12:30:00 PST",
        ] {
            assert_eq!(read(value.as_bytes()).form, Form::InUse, "{value}");
        }
        for value in [
            "24:00:00",
            "12:60:00",
            "12:00:60",
            "25:61",
            "noon",
            "12",
            "12:30:00 or so",
            "12-30-00",
            "2?:30:0x",
            "3?:00:00",
            "12:30 in the afternoon",
        ] {
            assert!(
                matches!(read(value.as_bytes()).form, Form::Invalid(_)),
                "{value}"
            );
        }
    }
}
