#![doc = include_str!("../README.md")]
//!
//! # Modules
//!
//! In this order, each imports only from those above it. They are open to the program `arbiter`,
//! which is made of them, and may change with it; the items of this page are for everybody.
//!
//! - [`chess`]: squares to SAN. No files, no PGN, no threads.
//! - [`text`]: places in a text, decoding, escaping, the index of what each byte is, and the
//!   byte-level grammar of tag pairs.
//! - [`winnability`]: whether a side can still mate by any series of legal moves.
//! - [`law`]: rule sets as data, and the one engine for automatic ends, available claims and flag
//!   falls.
//! - [`notation`]: moves that are not SAN: lenient forms and the piece letters of other languages.
//! - [`pgn`]: the bytes of one game → [`Game`]; it cannot fail.
//! - [`replay`]: a game → positions; it cannot fail either. [`Replay`] plays the main line,
//!   [`replay::Walk`] the variations as well.
//! - [`adjudication`]: how a game ended by a rule set, and whether its record can be true;
//!   [`RuleChoice`] finds the rule set.
//! - [`split`]: bytes → whole games; [`split::Splitter`] is the one definition of where a game
//!   ends.
//! - [`findings`]: the registry of codes, the checks that find what is wrong in a game or a
//!   position, and the repairs.
//! - [`boards`]: boards as text and as pictures in SVG.
//! - [`claim`]: one disputed claim, decided and put into sentences.

#![warn(unreachable_pub)]

#[doc(hidden)]
pub mod adjudication;
#[doc(hidden)]
pub mod boards;
#[doc(hidden)]
pub mod chess;
#[doc(hidden)]
pub mod claim;
#[doc(hidden)]
pub mod findings;
#[doc(hidden)]
pub mod law;
#[doc(hidden)]
pub mod notation;
#[doc(hidden)]
pub mod pgn;
#[doc(hidden)]
pub mod replay;
#[doc(hidden)]
pub mod split;
#[doc(hidden)]
pub mod text;
#[doc(hidden)]
pub mod winnability;

pub use adjudication::{Adjudicator, RuleChoice};
pub use boards::{diagram, picture};
pub use chess::{
    Bitboard, Board, Color, File, Move, Piece, Position, Rank, Role, San, SanPlus, Setup, Square,
    Uci,
};
pub use claim::{Announced, Claim, ClaimGame, ClaimKind, ClaimRuling, Moment, decide};
pub use findings::fix::fix_chunk;
pub use findings::{Checks, Codes, Finding, GameStatus, check};
pub use notation::LenientSan;
pub use pgn::{Game, ResultMark};
pub use replay::{Reader, Replay, Start};
pub use split::Chunks;
pub use winnability::{SearchLimits, Solver};
