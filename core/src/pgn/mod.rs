//! One game's bytes → [`Game`]: what the text says, nothing resolved. It cannot fail; what is wrong
//! stands in `Game::faults`.

pub mod values;

mod game;
mod gaps;
mod move_notes;
mod scan;
mod tag_name;
pub mod termination;
mod token;

pub use game::Game;
pub use game::{GamePart, Tag};
pub use gaps::{Annotation, GapItem, annotations, gap_items, glyph_of_marks};
pub use move_notes::MoveNotes;
pub use scan::{MOST_BESIDE_PAIR, Scanner, beside_pair, is_comments, may_be_move};
pub use tag_name::TagName;
pub use termination::Termination;
pub use token::{Fault, Token};
pub use token::{FaultKind, Span, TokenKind};
pub use values::date::PossibleDays;
pub use values::result::ResultMark;
