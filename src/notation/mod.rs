//! Moves that are not standard SAN: lenient forms and the piece letters of other languages.

pub(crate) mod lenient;
pub(crate) mod letters;

pub(crate) use lenient::Fallback;
pub use lenient::{LenientSan, NotationVariant, NotationVariants, fallback_move};
pub(crate) use letters::Letters;
pub use letters::{LETTER_SETS, LetterSet};
