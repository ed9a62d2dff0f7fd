//! The library behind the `arbiter` command.

pub mod pgn;
pub mod replay;
pub mod rules;
