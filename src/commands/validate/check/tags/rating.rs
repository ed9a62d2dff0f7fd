//! `WhiteElo`, `BlackElo`, `WhiteUSCF`, `BlackUSCF` (PGN standard 9.1.2 and 9.1.3): a number, or `-` without a rating.

use crate::commands::validate::check::tags::value::{Form, decimal, number};

/// No rating list goes higher; engines and variants of chess reach more than 4,000.
const HIGHEST: u32 = 5_000;

/// Whether the value is plainly right; four digits nearly always.
#[inline]
pub(crate) fn is_standard(value: &[u8]) -> bool {
    match value {
        [b'1'..=b'3', rest @ ..] if matches!(rest.len(), 2 | 3) => {
            rest.iter().all(u8::is_ascii_digit)
        }
        b"" | b"-" | b"?" => true,
        _ => form(value) == Form::Standard,
    }
}

pub(crate) fn form(value: &[u8]) -> Form {
    // Several players are separated by colons (9.1).
    value
        .split(|&byte| byte == b':')
        .map(of_player)
        .fold(Form::Standard, Form::and)
}

fn of_player(value: &[u8]) -> Form {
    match value {
        b"" | b"-" | b"?" => return Form::Standard,
        [b'1'..=b'9', ..] => {
            if let Some(rating) = number(value) {
                return if rating <= HIGHEST {
                    Form::Standard
                } else {
                    Form::wrong(
                        format!("rating exceeds {HIGHEST}"),
                        "`-` stands for a player without a rating, `?` for one that is not known",
                    )
                };
            }
        }
        _ => {}
    }
    if is_customary(value) {
        Form::Customary
    } else {
        Form::wrong(
            "it is not a number",
            "`-` stands for a player without a rating, `?` for one that is not known",
        )
    }
}

/// `0` or `unr` for no rating, `++++` and `----` of FICS, `1500?`, `1500P` and `1500E` for a rating that is provisional or
/// estimated, decimals, and blanks.
fn is_customary(value: &[u8]) -> bool {
    let value = value.trim_ascii();
    let rating = value
        .strip_suffix(b"?")
        .or_else(|| value.strip_suffix(b"P"))
        .or_else(|| value.strip_suffix(b"E"))
        .unwrap_or(value);
    let of_one_sign = |sign: u8| value.iter().all(|&byte| byte == sign);
    let none: [&[u8]; 5] = [b"unr", b"unr.", b"unrated", b"none", b"n/a"];
    of_one_sign(b'+')
        || of_one_sign(b'-')
        || none.iter().any(|word| value.eq_ignore_ascii_case(word))
        || rating.len() <= 8 && decimal(rating).is_some() && whole(rating) <= Some(HIGHEST)
}

/// The part before the decimal point.
fn whole(rating: &[u8]) -> Option<u32> {
    number(rating.split(|&byte| byte == b'.').next()?)
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
            assert_eq!(form(value.as_bytes()), Form::Standard, "{value}");
            assert!(is_standard(value.as_bytes()), "{value}");
        }
        for value in [
            "0", "0000", "0850", "1500?", "1500P", "1622E", "++++", "----", "unr", "Unrated",
            " 2450", "2450 ", "2450.5", "2500:0",
        ] {
            assert_eq!(form(value.as_bytes()), Form::Customary, "{value}");
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
                matches!(form(value.as_bytes()), Form::Wrong { .. }),
                "{value}"
            );
            assert!(!is_standard(value.as_bytes()), "{value}");
        }
    }
}
