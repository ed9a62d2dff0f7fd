//! ECO (PGN standard 9.4.1): `B90`, or `A00/01` with a subdivision.

use crate::commands::validate::check::tags::value::Form;

/// Whether the value is as the standard says.
#[inline]
pub(crate) fn is_standard(value: &[u8]) -> bool {
    match value {
        b"" | b"?" | b"-" => true,
        [volume, code @ ..] => {
            (b'A'..=b'E').contains(volume)
                && matches!(
                    code,
                    [b'0'..=b'9', b'0'..=b'9']
                        | [b'0'..=b'9', b'0'..=b'9', b'/', b'0'..=b'9', b'0'..=b'9']
                )
        }
    }
}

pub(crate) fn form(value: &[u8]) -> Form {
    if is_standard(value) {
        return Form::Standard;
    }
    // `b90` in small letters, `B90m` and `A00b1` of Scid, `C42/3`, and blanks.
    let code = value.trim_ascii().to_ascii_uppercase();
    let customary = match code.as_slice() {
        [b'A'..=b'E', b'0'..=b'9', b'0'..=b'9', rest @ ..] => matches!(
            rest,
            [] | [b'A'..=b'Z']
                | [b'A'..=b'Z', b'0'..=b'9']
                | [b'/', b'0'..=b'9']
                | [b'/', b'0'..=b'9', b'0'..=b'9']
        ),
        _ => code == b"???",
    };
    if customary {
        Form::Customary
    } else {
        Form::wrong(
            "the codes are A00 to E99",
            "a subdivision follows a solidus: `A00/01`",
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_of_the_encyclopedia() {
        for value in ["A00", "E99", "A00/01", "", "?", "-"] {
            assert_eq!(form(value.as_bytes()), Form::Standard, "{value}");
        }
        for value in ["b90", "B90m", "A00b1", "C42/3", " B90", "B90 ", "???"] {
            assert_eq!(form(value.as_bytes()), Form::Customary, "{value}");
        }
        for value in [
            "F00",
            "A0",
            "A000",
            "B90 Najdorf",
            "Sicilian",
            "90B",
            "A00/001",
            "AB0",
            "B9O",
        ] {
            assert!(
                matches!(form(value.as_bytes()), Form::Wrong { .. }),
                "{value}"
            );
        }
    }
}
