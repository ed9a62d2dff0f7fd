//! One game's bytes → [`Game`]: what the text says, nothing resolved. It cannot fail; what is wrong stands in
//! `Game::faults`.

mod game;
mod read;
mod result_mark;
mod scan;
mod tag_name;

pub use game::{Fault, FaultKind, Game, Span, Tag, Token, TokenKind};
pub use read::Reader;
pub use result_mark::{ResultMark, ResultText};
pub use tag_name::TagName;
