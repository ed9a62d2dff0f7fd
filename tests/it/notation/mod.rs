//! Moves in SAN, other notations and other languages.

mod letters; // piece letters of other languages
mod moves; // SAN and other notation: parsing, writing, reasons for rejection
