//! `std::fmt::from_fn`, which Rust has from 1.93 on.

use std::fmt::{Display, Formatter, Result};

struct FromFn<F>(F);

impl<F: Fn(&mut Formatter<'_>) -> Result> Display for FromFn<F> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        (self.0)(f)
    }
}

/// A value that a function writes.
pub(crate) fn from_fn(write: impl Fn(&mut Formatter<'_>) -> Result) -> impl Display {
    FromFn(write)
}
