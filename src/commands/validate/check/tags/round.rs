//! Round (PGN standard 8.1.1.4): numbers joined by periods, `-` or `?`.

use crate::commands::validate::check::tags::value::Form;

/// Whether the value is as the standard says.
#[inline]
pub(crate) fn is_standard(value: &[u8]) -> bool {
    match value {
        b"-" | b"?" | b"" => return true,
        [b'0'..=b'9'] => return true,
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

pub(crate) fn form(value: &[u8]) -> Form {
    if is_standard(value) {
        Form::Standard
    } else if is_customary(value) {
        Form::Customary
    } else {
        Form::wrong(
            "it is neither a number, nor numbers joined by periods",
            "`-` stands for games without a round, `?` for a round that is not known",
        )
    }
}

/// `?.1` and `2.?` for a part that is not known, `1(3)` and `2.1(4)` with the board, and blanks.
fn is_customary(value: &[u8]) -> bool {
    let value = value.trim_ascii();
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
        for value in ["1", "12", "3.1", "4.1.2", "-", "?", "", "1.1.10.3", "01"] {
            assert_eq!(form(value.as_bytes()), Form::Standard, "{value}");
        }
        for value in ["?.1", "2.?", "1(3)", "2.1(4)", " 1", "1.-", "--"] {
            let expected = value != "--";
            assert_eq!(
                form(value.as_bytes()) == Form::Customary,
                expected,
                "{value}"
            );
        }
        for value in [
            "1.", ".1", "1..2", "Final", "R1", "1/2", "1,2", "1-2", "(1)", "1()", ".",
        ] {
            assert!(
                matches!(form(value.as_bytes()), Form::Wrong { .. }),
                "{value}"
            );
        }
    }
}
