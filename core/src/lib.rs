//! Core.

#![warn(unreachable_pub)]

pub mod adjudication;
pub mod boards;
pub mod chess;
pub mod claim;
pub mod findings;
pub mod law;
pub mod notation;
pub mod pgn;
pub mod replay;
pub mod split;
pub mod text;
pub mod winnability;
