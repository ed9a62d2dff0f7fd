//! One game's bytes → [`Game`]: what the text says, nothing resolved. It cannot fail; what is wrong
//! stands in `Game::faults`.

pub mod values;

mod game;
mod gaps;
mod read;
mod scan;
mod tag_name;
pub mod termination;
mod token;

pub use game::{Game, Hints, Part, Tag};
pub use gaps::{Annotation, GapItem, annotations, gap_items};
pub(crate) use read::Parser;
pub(crate) use scan::is_comments;
pub use tag_name::TagName;
pub use termination::Termination;
pub use token::{Fault, FaultKind, Span, Token, TokenKind};
pub use values::date::PossibleDays;
pub use values::result::{ResultMark, ResultText};
