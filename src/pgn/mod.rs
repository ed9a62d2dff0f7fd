//! One game's bytes → [`Game`]: what the text says, nothing resolved. It cannot fail; what is wrong stands in
//! `Game::faults`.

pub mod values;

mod annotations;
mod between;
mod game;
mod read;
mod result_mark;
mod scan;
mod tag_name;
pub mod termination;
mod words;

pub use annotations::{Annotation, annotations};
pub use between::{Between, between};
pub use game::{Fault, FaultKind, Game, Hints, Part, Span, Tag, Token, TokenKind};
pub use read::Reader;
pub use result_mark::{ResultMark, ResultText};
pub(crate) use scan::is_comments;
pub use tag_name::TagName;
pub use termination::Termination;
pub use values::date::PossibleDays;
pub use words::Letters;
