//! ECO (PGN standard 9.4.1): `B90`, or `A00/01` with a subdivision.

use crate::pgn::values::{Form, Parsed, ValueFault};

/// Reads the code's three characters, without the subdivisions that programs append. Nonstandard
/// forms: `b90` in lower case, `B90m` and `A00b1` of Scid, `C42/3`, white space.
#[inline]
pub fn read(value: &[u8]) -> Parsed<[u8; 3]> {
    match value {
        &[volume @ b'A'..=b'E', tens @ b'0'..=b'9', ones @ b'0'..=b'9'] => {
            Parsed::standard(Some([volume, tens, ones]))
        }
        b"" | b"?" | b"-" => Parsed::standard(None),
        _ => read_other(value),
    }
}

#[cold]
fn read_other(value: &[u8]) -> Parsed<[u8; 3]> {
    let upper = value.trim_ascii().to_ascii_uppercase();
    let code = match upper[..] {
        [
            volume @ b'A'..=b'E',
            tens @ b'0'..=b'9',
            ones @ b'0'..=b'9',
            ..,
        ] => Some([volume, tens, ones]),
        _ => None,
    };
    let in_use = match code.map(|code| &upper[code.len()..]) {
        Some([b'/', b'0'..=b'9', b'0'..=b'9']) if upper == value => return Parsed::standard(code),
        Some(rest) => matches!(
            rest,
            [] | [b'A'..=b'Z']
                | [b'A'..=b'Z', b'0'..=b'9']
                | [b'/', b'0'..=b'9']
                | [b'/', b'0'..=b'9', b'0'..=b'9']
        ),
        None => upper == b"???",
    };
    Parsed::new(code, Form::in_use_if(in_use, ValueFault::Eco))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_of_the_encyclopedia() {
        let check = |values: &[&str], expected| {
            for value in values {
                assert_eq!(read(value.as_bytes()).form, expected, "{value}");
            }
        };
        check(&["A00", "E99", "A00/01", "", "?", "-"], Form::Standard);
        check(
            &["b90", "B90m", "A00b1", "C42/3", " B90", "B90 ", "???"],
            Form::InUse,
        );
        check(
            &[
                "F00",
                "A0",
                "A000",
                "B90 Najdorf",
                "Sicilian",
                "90B",
                "A00/001",
                "AB0",
                "B9O",
            ],
            Form::Invalid(ValueFault::Eco),
        );
    }

    #[test]
    fn a_code_is_read_whatever_follows_it() {
        assert_eq!(read(b"B90 Najdorf").value, Some(*b"B90"));
        assert_eq!(read(b"b12j").value, Some(*b"B12"));
        for value in ["", "?", "F00", "A0"] {
            assert_eq!(read(value.as_bytes()).value, None, "{value}");
        }
    }
}
