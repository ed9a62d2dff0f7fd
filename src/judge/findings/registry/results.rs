//! Family 3: results against each other and against the board.

use super::rules;

rules! {
    RESULT_MISMATCH = "E301" "result-mismatch" Error: "the Result tag and the result mark differ",
        "Both are kept as they are; which of them is wrong cannot be known.\n\n\
         bad:  [Result \"1-0\"] … 34. Kf2 0-1\n\
         good: [Result \"0-1\"] … 34. Kf2 0-1\n\n\
         Source: PGN standard, sections 8.1.1.7 and 8.2.6.";
    RESULT_AGAINST_BOARD = "E302" "result-against-board" Error: "the recorded result contradicts a mate or stalemate on the board",
        "The last move ends the game by itself, but the record says otherwise.\n\n\
         bad:  1. f3 e5 2. g4 Qh4# 1-0\n\
         good: 1. f3 e5 2. g4 Qh4# 0-1\n\n\
         Source: FIDE Laws of Chess (2023), art. 5.1.1 and 5.2.1.";
    UNKNOWN_RESULT = "W303" "unknown-result" Warning: "a Result tag that is none of the four results",
        "The game counts as one with another result.\n\n\
         bad:  [Result \"1/2\"]\n\
         good: [Result \"1/2-1/2\"]\n\n\
         Source: PGN standard, section 8.1.1.7.";
}
