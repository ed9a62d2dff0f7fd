//! Texts, archives and encodings, as every command reads them.

mod bad_input; // empty, binary, huge and unreadable files
mod compression; // truncated, concatenated and broken compressed files and archives
mod encodings; // UTF-16, Latin-1, NULs, line ends
mod hostile; // input designed to take excessive time or memory
mod joined; // game boundaries, the same in every command
mod not_pgn; // one finding for a file without a game
mod parts; // the outputs of parts, one after another, are the output of the whole
