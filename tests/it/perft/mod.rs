//! `perft`.

mod against; // `perft --against`: engines with a wrong move or no answer
mod counts; // published counts
