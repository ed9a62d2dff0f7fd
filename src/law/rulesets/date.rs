//! Days, for rules that took effect on one.

use std::fmt;

/// The months of the year, January the first.
pub const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// A day of the Gregorian calendar. The parts are not checked against the calendar.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Date {
    /// The year.
    pub year: u16,
    /// 1 to 12.
    pub month: u8,
    /// 1 to 31.
    pub day: u8,
}

impl Date {
    /// A day.
    pub const fn new(year: u16, month: u8, day: u8) -> Date {
        Date { year, month, day }
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match MONTHS.get(usize::from(self.month).wrapping_sub(1)) {
            Some(month) => write!(f, "{} {month} {}", self.day, self.year),
            None => write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day),
        }
    }
}
