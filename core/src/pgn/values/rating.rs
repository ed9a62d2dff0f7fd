//! `WhiteElo`, `BlackElo`, `WhiteUSCF` and `BlackUSCF` (PGN standard 9.1.2 and 9.1.3): a
//! number, or `-` for an unrated player.

use crate::pgn::values::{Form, Parsed, ValueFault, number};

/// No rating list goes higher; engines and variants of chess exceed 4000.
pub(crate) const HIGHEST: u32 = 5_000;

/// Reads the rating of one player, from 1 to `HIGHEST`, which may be marked as provisional. The
/// ratings of several, separated by colons (9.1), have a form, but no value.
#[inline]
pub fn read(value: &[u8]) -> Parsed<u32> {
    match number(value) {
        Some(rating @ 1..=HIGHEST) if value[0] != b'0' => Parsed::standard(Some(rating)),
        _ => read_other(value),
    }
}

#[cold]
fn read_other(value: &[u8]) -> Parsed<u32> {
    let forms = value.split(|&byte| byte == b':').map(of_player);
    let worst = forms.reduce(|worst, form| match (worst, form) {
        (Form::Invalid(_), _) | (_, Form::Standard) => worst,
        _ => form,
    });
    let rating = number(without_mark(value.trim_ascii())).filter(|it| (1..=HIGHEST).contains(it));
    Parsed::new(rating, worst.unwrap_or(Form::Standard))
}

fn of_player(value: &[u8]) -> Form {
    match value {
        b"" | b"-" | b"?" => Form::Standard,
        [b'1'..=b'9', rest @ ..] if rest.iter().all(u8::is_ascii_digit) => match number(value) {
            Some(..=HIGHEST) => Form::Standard,
            _ => Form::Invalid(ValueFault::HighRating),
        },
        _ => Form::in_use_if(is_in_use(value.trim_ascii()), ValueFault::NotRating),
    }
}

/// `0` or `unr` for unrated, `++++` and `----` of FICS, `1500?`, `1500P` and `1500E` for a
/// provisional or estimated rating, decimals, and white space.
fn is_in_use(value: &[u8]) -> bool {
    let consists_of = |sign: u8| value.iter().all(|&byte| byte == sign);
    let unrated: [&[u8]; 5] = [b"unr", b"unr.", b"unrated", b"none", b"n/a"];
    let is_digit = |byte: &u8| byte.is_ascii_digit() || *byte == b'.';
    let rating = Some(without_mark(value)).filter(|rating| rating.iter().all(is_digit));
    let rating = rating.and_then(|rating| std::str::from_utf8(rating).ok()?.parse::<f64>().ok());
    consists_of(b'+')
        || consists_of(b'-')
        || unrated.iter().any(|word| value.eq_ignore_ascii_case(word))
        || rating.is_some_and(|rating| rating < f64::from(HIGHEST + 1))
}

/// A rating without the sign that it is provisional or estimated.
fn without_mark(value: &[u8]) -> &[u8] {
    match value {
        [rating @ .., b'?' | b'P' | b'p' | b'E'] => rating,
        _ => value,
    }
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
            assert_eq!(read(value.as_bytes()).form, Form::Standard, "{value}");
        }
        for value in [
            "0", "0000", "0850", "1500?", "1500P", "1622E", "++++", "----", "unr", "Unrated",
            " 2450", "2450 ", "2450.5", "2500:0",
        ] {
            assert_eq!(read(value.as_bytes()).form, Form::InUse, "{value}");
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
                matches!(read(value.as_bytes()).form, Form::Invalid(_)),
                "{value}"
            );
        }
    }

    #[test]
    fn a_provisional_rating_is_a_rating() {
        for value in ["1500", "1500?", "1500P", "1500p", "1500E", "01500"] {
            assert_eq!(read(value.as_bytes()).value, Some(1500), "{value}");
        }
        for value in ["", "-", "?", "0", "2500:2400", "2450.5", "123456", "unr"] {
            assert_eq!(read(value.as_bytes()).value, None, "{value}");
        }
    }
}
