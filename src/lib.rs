//! The library behind the `arbiter` command.

pub mod error;
pub mod input;
pub mod output;
pub mod pipeline;
