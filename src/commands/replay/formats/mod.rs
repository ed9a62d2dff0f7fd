//! Replayed games, one file for each format.
//!
//! Rows are put together by hand: a database of games has millions of plies, and the machinery of formatting would take
//! longer than playing them.

pub mod board;
mod cells;
mod csv;
mod human;
mod jsonl;
mod pgn;
mod positions;
mod sheet;
pub mod svg;

pub use csv::CsvRows;
pub use human::{Drawn, Human};
pub use jsonl::JsonRows;
pub use pgn::{Keep, PgnGame};
pub use positions::{epd, fen, uci};
pub use sheet::Sheet;
