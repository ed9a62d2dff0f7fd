//! Values that are displayed by a function.

use std::fmt;

struct FromFn<F>(F);

impl<F: Fn(&mut fmt::Formatter<'_>) -> fmt::Result> fmt::Display for FromFn<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (self.0)(f)
    }
}

/// Displays a value by a function, as `std::fmt::from_fn` of Rust 1.93 does.
pub(crate) fn display(write: impl Fn(&mut fmt::Formatter<'_>) -> fmt::Result) -> impl fmt::Display {
    FromFn(write)
}
