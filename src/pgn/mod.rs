//! One game's bytes → [`Game`]: what the text says, nothing resolved. It cannot fail; what is wrong stands in
//! `Game::faults`.

mod between;
mod date;
mod game;
mod read;
mod scan;
pub mod termination;
mod words;

pub use between::{Between, between};
pub use date::latest_date;
pub use game::{Fault, FaultKind, Game, Hints, ResultMark, Span, Tag, Token, TokenKind};
pub use read::Reader;
pub use termination::Termination;
pub use words::Letters;
