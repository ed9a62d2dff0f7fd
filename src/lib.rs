//! The library behind the `arbiter` command.
