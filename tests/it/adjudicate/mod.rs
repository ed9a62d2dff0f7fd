//! `adjudicate`.

mod claims; // `adjudicate --claim`
mod labels; // `adjudicate`
mod terminations; // recorded reasons of real games
