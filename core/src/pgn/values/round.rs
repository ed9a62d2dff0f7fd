//! Round (PGN standard 8.1.1.4): numbers joined by periods, `-` or `?`.

use crate::pgn::values::{Form, ValueFault};

/// Nonstandard forms: `?.1` and `2.?` with an unknown part, `1(3)` and `2.1 (4)` with the board,
/// names such as `Final`, and white space.
#[inline]
pub(crate) fn form(value: &[u8]) -> Form {
    let is_number = |part: &[u8]| !part.is_empty() && part.iter().all(u8::is_ascii_digit);
    match value {
        b"-" | b"?" | b"" | [b'0'..=b'9'] => Form::Standard,
        _ if value.split(|&byte| byte == b'.').all(is_number) => Form::Standard,
        _ => Form::in_use_if(is_in_use(value.trim_ascii()), ValueFault::Round),
    }
}

#[cold]
fn is_in_use(value: &[u8]) -> bool {
    let is_letter = |byte: &u8| byte.is_ascii_alphabetic() || !byte.is_ascii();
    if value.iter().any(is_letter) {
        return true;
    }
    let is_part = |part: &[u8]| {
        matches!(part, b"?" | b"-") || !part.is_empty() && part.iter().all(u8::is_ascii_digit)
    };
    let mut parts = value;
    if let Some(rest) = value.strip_suffix(b")") {
        let open = memchr::memrchr(b'(', rest).filter(|&open| is_part(&rest[open + 1..]));
        let Some(open) = open else { return false };
        parts = rest[..open].trim_ascii_end();
    }
    parts.split(|&byte| byte == b'.').all(is_part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_other_values() {
        let check = |values: &[&str], expected| {
            for value in values {
                assert_eq!(form(value.as_bytes()), expected, "{value}");
            }
        };
        check(
            &["1", "12", "3.1", "4.1.2", "-", "?", "", "1.1.10.3", "01"],
            Form::Standard,
        );
        check(
            &[
                "?.1",
                "2.?",
                "1(3)",
                "2.1(4)",
                "1 (3)",
                " 1",
                "1.-",
                "Final",
                "R1",
                "Halbfinale 2",
            ],
            Form::InUse,
        );
        check(
            &[
                "1.", ".1", "1..2", "1/2", "1,2", "1-2", "(1)", "1()", ".", "--",
            ],
            Form::Invalid(ValueFault::Round),
        );
    }
}
