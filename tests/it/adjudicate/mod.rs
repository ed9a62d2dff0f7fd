//! `adjudicate`.

mod claims; // `adjudicate --claim`
mod columns; // `adjudicate --columns` and `--moves`
mod labels; // `adjudicate`
mod terminations; // recorded reasons of real games
