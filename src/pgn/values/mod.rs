//! Values of PGN tags: one parser for each, which returns the value and how it conforms to the
//! standard.

pub(crate) mod date;
pub(crate) mod eco;
pub(crate) mod player;
pub(crate) mod rating;
pub(crate) mod result;
pub(crate) mod round;
pub(crate) mod site;
pub(crate) mod time;
pub(crate) mod time_control;

/// How a value conforms to the PGN standard.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Conformance<F> {
    /// As the standard says.
    Standard,
    /// In another form that is in use and unambiguous.
    Nonstandard,
    /// Not a value of its tag.
    Invalid(F),
}

impl<F> Conformance<F> {
    pub(crate) fn standard_if(standard: bool) -> Conformance<F> {
        if standard {
            Conformance::Standard
        } else {
            Conformance::Nonstandard
        }
    }

    /// The worse of two; the first of two faults.
    pub(crate) fn and(self, other: Conformance<F>) -> Conformance<F> {
        match (self, other) {
            (Conformance::Invalid(fault), _) | (_, Conformance::Invalid(fault)) => {
                Conformance::Invalid(fault)
            }
            (Conformance::Standard, Conformance::Standard) => Conformance::Standard,
            _ => Conformance::Nonstandard,
        }
    }
}

/// A number of at most nine digits, without sign.
pub(crate) fn number(text: &[u8]) -> Option<u32> {
    if text.is_empty() || text.len() > 9 {
        return None;
    }
    text.iter().try_fold(0, |number, byte| {
        byte.is_ascii_digit()
            .then(|| number * 10 + u32::from(byte - b'0'))
    })
}

/// Whether a number that may have a decimal part, such as `0.1`, is positive.
fn is_positive_decimal(text: &[u8]) -> Option<bool> {
    let dots = text.iter().filter(|&&byte| byte == b'.').count();
    let digits = text.iter().filter(|byte| byte.is_ascii_digit()).count();
    let is_number = dots <= 1 && digits > 0 && digits + dots == text.len();
    is_number.then(|| text.iter().any(|byte| (b'1'..=b'9').contains(byte)))
}
