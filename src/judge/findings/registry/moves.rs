//! Family 2, moves: what cannot be played, and what is written otherwise than the standard asks.

use super::rules;

rules! {
    ILLEGAL_MOVE = "E201" "illegal-move" Error: "a move that is not legal in its position",
        "The message says what the board has against it. The replay stops here, so that what follows cannot be \
         judged.\n\n\
         bad:  1. e4 e5 2. Ke3\n\
         good: 1. e4 e5 2. Ke2\n\n\
         Source: FIDE Laws of Chess (2023), art. 3.10; PGN standard, section 8.2.3.";
    AMBIGUOUS_MOVE = "E202" "ambiguous-move" Error: "a move that several pieces can make",
        "The notation does not say which piece moves. A piece that may not move because it is pinned does not make a \
         move ambiguous. The replay stops here.\n\n\
         bad:  1. Nf3 d5 2. d3 e5 3. Nd2 (knights on b1 and f3 can go there)\n\
         good: 1. Nf3 d5 2. d3 e5 3. Nbd2\n\n\
         Source: PGN standard, section 8.2.3.4.";
    NULL_MOVE = "E211" "null-move" Error: "a null move in the main line",
        "Nobody may pass in chess. Null moves are a device of analysis; the replay stops here.\n\n\
         bad:  1. e4 -- 2. d4\n\
         good: 1. e4 d6 2. d4\n\n\
         Source: FIDE Laws of Chess (2023), art. 1.2.";
}
