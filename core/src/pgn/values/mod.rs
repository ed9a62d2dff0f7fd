//! Values of PGN tags: one parser for each, which returns the value and its form.

pub mod date;
pub mod eco;
pub mod player;
pub mod rating;
pub mod result;
pub(crate) mod round;
pub mod site;
pub mod time;
pub mod time_control;

use crate::pgn::TagName;
use crate::pgn::values::date::PartialDate;

/// A tag's value as read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Parsed<T> {
    /// `None` if the value is unknown or cannot be read.
    pub value: Option<T>,
    /// Form of the value.
    pub form: Form,
}

impl<T> Parsed<T> {
    #[inline]
    pub(crate) fn new(value: Option<T>, form: Form) -> Parsed<T> {
        Parsed { value, form }
    }

    #[inline]
    pub(crate) fn standard(value: Option<T>) -> Parsed<T> {
        Parsed::new(value, Form::Standard)
    }

    pub(crate) fn is_valid(&self) -> bool {
        !matches!(self.form, Form::Invalid(_))
    }
}

/// How a value conforms to the PGN standard.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// As the standard says.
    Standard,
    /// In another form that is in use and unambiguous.
    InUse,
    /// Not a value of its tag.
    Invalid(ValueFault),
}

impl Form {
    pub(crate) fn in_use_if(in_use: bool, fault: ValueFault) -> Form {
        if in_use {
            Form::InUse
        } else {
            Form::Invalid(fault)
        }
    }
}

/// Why a value is not one of its tag.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ValueFault {
    /// A date that is not of the form `YYYY.MM.DD`.
    DateForm,
    /// A year of which no games are on record.
    Year(u16),
    /// There is no such month.
    Month(u8),
    /// The month has no such day.
    Day(PartialDate),
    /// The value is no round.
    Round,
    /// The value is no rating.
    NotRating,
    /// A rating that exceeds `rating::HIGHEST`.
    HighRating,
    /// The value is no code of the Encyclopaedia of Chess Openings.
    Eco,
    /// A time that is not of the form `HH:MM:SS`.
    TimeForm,
    /// A time of the form, with a number out of range.
    TimeRange,
    /// Something other than a time zone follows the time.
    TextAfterTime,
    /// This part of a time control, counted from 0, is not a period.
    NotPeriod(usize),
    /// This period for the rest of the game is not the last one.
    NotLastPeriod(usize),
    /// The value is no result.
    NotResult,
}

/// The form of the value of a tag; `Standard` for tags whose values have none.
#[inline(always)]
pub(crate) fn form(name: TagName, value: &[u8]) -> Form {
    match name {
        TagName::Date => date::read(value).form,
        TagName::EventDate | TagName::UtcDate if !value.is_empty() => date::read(value).form,
        TagName::Round => round::form(value),
        TagName::WhiteElo | TagName::BlackElo | TagName::WhiteUscf | TagName::BlackUscf => {
            rating::read(value).form
        }
        TagName::Eco => eco::read(value).form,
        TagName::Time | TagName::UtcTime => time::read(value).form,
        TagName::TimeControl => time_control::form(value),
        _ => Form::Standard,
    }
}

/// Whether a value says nothing: it is empty, or of question marks, hyphens and periods only, such
/// as `?`, `-` and `????.??.??`.
#[inline]
pub(crate) fn is_unknown(value: &[u8]) -> bool {
    let mut bytes = value.trim_ascii().iter();
    bytes.all(|byte| matches!(byte, b'?' | b'-' | b'.'))
}

/// Whether a value says no more than a missing tag: it is unknown, without the `-` of what does not
/// exist, such as the rating of an unrated player.
pub fn is_unfilled(value: &[u8]) -> bool {
    is_unknown(value) && !value.contains(&b'-')
}

/// A number of at most nine digits, without sign.
#[inline]
pub(crate) fn number(text: &[u8]) -> Option<u32> {
    if text.is_empty() || text.len() > 9 {
        return None;
    }
    text.iter().try_fold(0, |number, byte| {
        byte.is_ascii_digit()
            .then(|| number * 10 + u32::from(byte - b'0'))
    })
}
