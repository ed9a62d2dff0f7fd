//! Family 4: FEN and EPD.

use super::rules;

rules! {
    UNREADABLE_FEN = "E401" "unreadable-fen" Error: "a FEN that cannot be read",
        "The message names the field and the column. Without a position to begin from the game is not replayed.\n\n\
         bad:  [FEN \"8/8/8/4k3/8/4K3/9/8 w - - 0 1\"]\n\
         good: [FEN \"8/8/8/4k3/8/4K3/8/8 w - - 0 1\"]\n\n\
         Source: PGN standard, section 16.1.";
    UNPLAYABLE_POSITION = "E402" "unplayable-position" Error: "a position to which the rules cannot be applied",
        "A king is missing or there are several, the side that is not to move stands in check, or a pawn stands on the \
         first or last rank. The game is not replayed.\n\n\
         bad:  [FEN \"4k3/8/8/8/8/8/4R3/4K3 w - - 0 1\"]\n\
         good: [FEN \"4k3/8/8/8/8/8/4R3/4K3 b - - 0 1\"]\n\n\
         Source: FIDE Laws of Chess (2023), art. 3.9 and 3.10.";
    IMPLAUSIBLE_POSITION = "W403" "implausible-position" Warning: "a position that no game leads to",
        "The game is replayed all the same; castling rights and en passant squares that the pieces contradict are left \
         out.\n\n\
         bad:  [FEN \"4k3/8/8/8/8/8/8/4K2R w KQ - 0 1\"]\n\
         good: [FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n\n\
         Source: FIDE Laws of Chess (2023), art. 3.10.3.";
}
