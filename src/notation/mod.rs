//! Moves that are not standard SAN: lenient forms and the piece letters of other languages.

pub mod lenient;
pub mod letters;

pub use lenient::{Deviation, Deviations, Loose, SecondReadings};
pub use letters::{LETTER_SETS, LetterSet};
