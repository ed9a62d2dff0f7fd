//! Round (PGN standard 8.1.1.4): numbers joined by periods, `-` or `?`.

use crate::pgn::values::Conformance;

#[inline]
pub(crate) fn is_standard(value: &[u8]) -> bool {
    match value {
        b"-" | b"?" | b"" | [b'0'..=b'9'] => return true,
        _ => {}
    }
    let mut in_number = false;
    for byte in value {
        match byte {
            b'0'..=b'9' => in_number = true,
            b'.' if in_number => in_number = false,
            _ => return false,
        }
    }
    in_number
}

/// Nonstandard forms: `?.1` and `2.?` with an unknown part, `1(3)` and `2.1(4)` with the board, and
/// white space.
pub(crate) fn conformance(value: &[u8]) -> Conformance<()> {
    if is_standard(value) {
        Conformance::Standard
    } else if is_in_use(value.trim_ascii()) {
        Conformance::Nonstandard
    } else {
        Conformance::Invalid(())
    }
}

fn is_in_use(value: &[u8]) -> bool {
    let mut parts = value;
    if let Some(rest) = value.strip_suffix(b")") {
        let Some(open) = rest.iter().position(|&byte| byte == b'(') else {
            return false;
        };
        if !is_part(&rest[open + 1..]) {
            return false;
        }
        parts = &rest[..open];
    }
    !parts.is_empty() && parts.split(|&byte| byte == b'.').all(is_part)
}

fn is_part(part: &[u8]) -> bool {
    matches!(part, b"?" | b"-") || !part.is_empty() && part.iter().all(u8::is_ascii_digit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_other_values() {
        let check = |values: &[&str], expected| {
            for value in values {
                assert_eq!(conformance(value.as_bytes()), expected, "{value}");
            }
        };
        check(
            &["1", "12", "3.1", "4.1.2", "-", "?", "", "1.1.10.3", "01"],
            Conformance::Standard,
        );
        check(
            &["?.1", "2.?", "1(3)", "2.1(4)", " 1", "1.-"],
            Conformance::Nonstandard,
        );
        check(
            &[
                "1.", ".1", "1..2", "Final", "R1", "1/2", "1,2", "1-2", "(1)", "1()", ".", "--",
            ],
            Conformance::Invalid(()),
        );
    }
}
