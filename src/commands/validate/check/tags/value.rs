//! How the value of a tag is written.

/// How a value is written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    /// As the PGN standard says.
    Standard,
    /// In another way that is in use and that everybody understands.
    Customary,
    /// It is no value for its tag.
    Wrong {
        /// What is wrong, after "`value` is no date: ".
        why: String,
        help: String,
    },
}

impl Form {
    pub(crate) fn wrong(why: impl Into<String>, help: impl Into<String>) -> Form {
        Form::Wrong {
            why: why.into(),
            help: help.into(),
        }
    }

    /// Standard, or else in use.
    pub(crate) fn standard_if(standard: bool) -> Form {
        if standard {
            Form::Standard
        } else {
            Form::Customary
        }
    }

    /// The worse of two.
    pub(crate) fn and(self, other: Form) -> Form {
        match (self, other) {
            (wrong @ Form::Wrong { .. }, _) | (_, wrong @ Form::Wrong { .. }) => wrong,
            (Form::Standard, Form::Standard) => Form::Standard,
            _ => Form::Customary,
        }
    }
}

/// A number without sign, if the text is nothing else and it is below 2³².
pub(crate) fn number(text: &[u8]) -> Option<u32> {
    if text.is_empty() || text.len() > 9 {
        return None;
    }
    text.iter().try_fold(0, |number, byte| {
        byte.is_ascii_digit()
            .then(|| number * 10 + u32::from(byte - b'0'))
    })
}

/// A number that may have a decimal part, such as `0.1`: whether it is one, and whether it is more than zero.
pub(crate) fn decimal(text: &[u8]) -> Option<bool> {
    let dots = text.iter().filter(|&&byte| byte == b'.').count();
    let digits = text.iter().filter(|byte| byte.is_ascii_digit()).count();
    let is_number = dots <= 1 && digits > 0 && digits + dots == text.len();
    is_number.then(|| text.iter().any(|byte| (b'1'..=b'9').contains(byte)))
}
