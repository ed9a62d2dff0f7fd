//! One game's bytes → [`Game`]: what the text says, nothing resolved. It cannot fail; what is wrong
//! stands in `Game::faults`.

pub mod values;

mod annotations;
mod game;
mod gaps;
mod letters;
mod read;
mod scan;
mod tag_name;
pub mod termination;

pub use annotations::{Annotation, annotations};
pub use game::{Fault, FaultKind, Game, Hints, Part, Span, Tag, Token, TokenKind};
pub use gaps::{GapItem, gap_items};
pub use letters::Letters;
pub(crate) use read::Parser;
pub(crate) use scan::is_comments;
pub use tag_name::TagName;
pub use termination::Termination;
pub use values::date::PossibleDays;
pub use values::result::{ResultMark, ResultText};
