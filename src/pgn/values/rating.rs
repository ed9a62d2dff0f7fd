//! `WhiteElo`, `BlackElo`, `WhiteUSCF` and `BlackUSCF` (PGN standard 9.1.2 and 9.1.3): a
//! number, or `-` for an unrated player.

use crate::pgn::values::{Conformance, is_positive_decimal, number};

/// No rating list goes higher; engines and variants of chess exceed 4000.
pub(crate) const HIGHEST: u32 = 5_000;

/// Why a value is not a rating.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum RatingFault {
    NotNumber,
    /// It exceeds [`HIGHEST`].
    TooHigh,
}

/// The rating of one player, from 1 to [`HIGHEST`], which may be marked as provisional.
#[inline]
pub(crate) fn rating(value: &[u8]) -> Option<u32> {
    let digits = value
        .iter()
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    let (digits, mark) = value.split_at(digits);
    if !matches!(mark, b"" | b"?" | b"P" | b"p" | b"E") {
        return None;
    }
    number(digits).filter(|rating| (1..=HIGHEST).contains(rating))
}

/// Whether the value is standard; nearly all have four digits.
#[inline]
pub(crate) fn is_standard(value: &[u8]) -> bool {
    match value {
        [b'1'..=b'3', rest @ ..] if matches!(rest.len(), 2 | 3) => {
            rest.iter().all(u8::is_ascii_digit)
        }
        b"" | b"-" | b"?" => true,
        _ => conformance(value) == Conformance::Standard,
    }
}

/// The conformance of the ratings of one player, or of several separated by colons (9.1).
pub(crate) fn conformance(value: &[u8]) -> Conformance<RatingFault> {
    value
        .split(|&byte| byte == b':')
        .map(of_player)
        .fold(Conformance::Standard, Conformance::and)
}

fn of_player(value: &[u8]) -> Conformance<RatingFault> {
    match (value, number(value)) {
        (b"" | b"-" | b"?", _) => Conformance::Standard,
        ([b'1'..=b'9', ..], Some(rating)) if rating <= HIGHEST => Conformance::Standard,
        ([b'1'..=b'9', ..], Some(_)) => Conformance::Invalid(RatingFault::TooHigh),
        ([b'1'..=b'9', rest @ ..], None) if rest.iter().all(u8::is_ascii_digit) => {
            Conformance::Invalid(RatingFault::TooHigh)
        }
        _ if is_in_use(value) => Conformance::Nonstandard,
        _ => Conformance::Invalid(RatingFault::NotNumber),
    }
}

/// `0` or `unr` for unrated, `++++` and `----` of FICS, `1500?`, `1500P` and `1500E` for a
/// provisional or estimated rating, decimals, and white space.
fn is_in_use(value: &[u8]) -> bool {
    let value = value.trim_ascii();
    let rating = value
        .strip_suffix(b"?")
        .or_else(|| value.strip_suffix(b"P"))
        .or_else(|| value.strip_suffix(b"E"))
        .unwrap_or(value);
    let consists_of = |sign: u8| value.iter().all(|&byte| byte == sign);
    let unrated: [&[u8]; 5] = [b"unr", b"unr.", b"unrated", b"none", b"n/a"];
    let whole = |rating: &[u8]| number(rating.split(|&byte| byte == b'.').next()?);
    consists_of(b'+')
        || consists_of(b'-')
        || unrated.iter().any(|word| value.eq_ignore_ascii_case(word))
        || rating.len() <= 8
            && is_positive_decimal(rating).is_some()
            && whole(rating) <= Some(HIGHEST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_other_values() {
        for value in [
            "2861",
            "100",
            "99",
            "1",
            "4000",
            "4872",
            "5000",
            "-",
            "?",
            "",
            "2500:2400",
            "2500:-",
        ] {
            assert_eq!(
                conformance(value.as_bytes()),
                Conformance::Standard,
                "{value}"
            );
            assert!(is_standard(value.as_bytes()), "{value}");
        }
        for value in [
            "0", "0000", "0850", "1500?", "1500P", "1622E", "++++", "----", "unr", "Unrated",
            " 2450", "2450 ", "2450.5", "2500:0",
        ] {
            assert_eq!(
                conformance(value.as_bytes()),
                Conformance::Nonstandard,
                "{value}"
            );
            assert!(!is_standard(value.as_bytes()), "{value}");
        }
        for value in [
            "5001",
            "25000",
            "99999999999999999999",
            "abc",
            "-2450",
            "2450!",
            "2400-2500",
            "GM",
            "2500:x",
            "24 50",
            "1.2.3",
            ".",
        ] {
            assert!(
                matches!(conformance(value.as_bytes()), Conformance::Invalid(_)),
                "{value}"
            );
            assert!(!is_standard(value.as_bytes()), "{value}");
        }
    }

    #[test]
    fn a_provisional_rating_is_a_rating() {
        for value in ["1500", "1500?", "1500P", "1500p", "1500E", "01500"] {
            assert_eq!(rating(value.as_bytes()), Some(1500), "{value}");
        }
        for value in ["", "-", "?", "0", "2500:2400", "2450.5", "123456", "unr"] {
            assert_eq!(rating(value.as_bytes()), None, "{value}");
        }
    }
}
