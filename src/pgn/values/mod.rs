//! Values of PGN tags.

pub(crate) mod date;
pub mod time_control;
