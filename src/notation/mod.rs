//! Moves that are not standard SAN: lenient forms and the piece letters of other languages.

pub mod lenient;
pub mod letters;

pub use lenient::{Fallback, LenientSan, NotationVariant, NotationVariants, fallback_move};
pub use letters::{LETTER_SETS, LetterSet, Letters};
