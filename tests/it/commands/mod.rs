//! Behaviour of all commands.

mod conditions; // `--where`: conditions together
mod follow; // `--follow`: files that grow
mod help; // help, hints, man pages, completions
mod independence; // the same output for any threads, chunks, compression, pipe or file
mod modes; // options without a meaning in the mode of a command
mod openings; // openings by position
mod settings; // `arbiter.toml`
