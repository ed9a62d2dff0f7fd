//! Moves that are not standard SAN: lenient forms and the piece letters of other languages.

pub(crate) mod lenient;
pub mod letters;

pub(crate) use lenient::Fallback;
pub use lenient::{LenientSan, NotationVariant, NotationVariants, fallback_move};
pub use letters::Letters;
pub use letters::{LETTER_SETS, LetterSet};
