//! The rules of chess: positions, moves, repetitions.

mod fen_corpus; // FENs with verdicts of other programs
mod plausible_games; // positions that arise by play have no fault
mod positions; // faults of positions, repetition, Chess960 castling
pub mod random_games; // random games against shakmaty
mod real_games; // real games against the mailbox
pub mod second_opinion; // shallow trees against the mailbox
