//! ECO (PGN standard 9.4.1): `B90`, or `A00/01` with a subdivision.

use crate::pgn::values::Conformance;

/// The code's three characters, without the subdivisions that programs append.
#[inline]
pub(crate) fn code(value: &[u8]) -> Option<[u8; 3]> {
    let &[volume, tens, ones, ..] = value else {
        return None;
    };
    let volume = volume.to_ascii_uppercase();
    let is_code = (b'A'..=b'E').contains(&volume) && tens.is_ascii_digit() && ones.is_ascii_digit();
    is_code.then_some([volume, tens, ones])
}

#[inline]
pub(crate) fn is_standard(value: &[u8]) -> bool {
    match value {
        b"" | b"?" | b"-" => true,
        [b'A'..=b'E', _, _, rest @ ..] => {
            code(value).is_some() && matches!(rest, [] | [b'/', b'0'..=b'9', b'0'..=b'9'])
        }
        _ => false,
    }
}

/// Nonstandard forms: `b90` in lower case, `B90m` and `A00b1` of Scid, `C42/3`, white space.
pub(crate) fn conformance(value: &[u8]) -> Conformance<()> {
    if is_standard(value) {
        return Conformance::Standard;
    }
    let upper = value.trim_ascii().to_ascii_uppercase();
    let in_use = match code(&upper) {
        Some(_) => matches!(
            &upper[3..],
            [] | [b'A'..=b'Z']
                | [b'A'..=b'Z', b'0'..=b'9']
                | [b'/', b'0'..=b'9']
                | [b'/', b'0'..=b'9', b'0'..=b'9']
        ),
        None => upper == b"???",
    };
    match in_use {
        true => Conformance::Nonstandard,
        false => Conformance::Invalid(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_of_the_encyclopedia() {
        let check = |values: &[&str], expected| {
            for value in values {
                assert_eq!(conformance(value.as_bytes()), expected, "{value}");
                let standard = expected == Conformance::Standard;
                assert_eq!(is_standard(value.as_bytes()), standard, "{value}");
            }
        };
        check(
            &["A00", "E99", "A00/01", "", "?", "-"],
            Conformance::Standard,
        );
        check(
            &["b90", "B90m", "A00b1", "C42/3", " B90", "B90 ", "???"],
            Conformance::Nonstandard,
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
            Conformance::Invalid(()),
        );
    }

    #[test]
    fn a_code_is_read_whatever_follows_it() {
        assert_eq!(code(b"B90 Najdorf"), Some(*b"B90"));
        assert_eq!(code(b"b12j"), Some(*b"B12"));
        for value in ["", "?", "F00", "A0"] {
            assert_eq!(code(value.as_bytes()), None, "{value}");
        }
    }
}
