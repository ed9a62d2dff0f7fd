//! The library behind the `arbiter` command.

pub mod rules;
