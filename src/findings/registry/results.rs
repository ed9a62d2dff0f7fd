//! Family 3: results against each other and against the board.

use crate::findings::registry::rules;

rules! { Results;
    RESULT_MISMATCH = "E301" [fixable()]: "`Result` tag and result mark differ",
        "Both are kept as they are; either may be wrong.\n\n\
         bad:  [Result \"1-0\"] … 34. Kf2 0-1\n\
         good: [Result \"0-1\"] … 34. Kf2 0-1\n\n\
         Source: PGN standard, sections 8.1.1.7 and 8.2.6.";
    RESULT_AGAINST_BOARD = "E302": "recorded result contradicts a mate or stalemate",
        "The last move ends the game, but the recorded result differs.\n\n\
         bad:  1. f3 e5 2. g4 Qh4# 1-0\n\
         good: 1. f3 e5 2. g4 Qh4# 0-1\n\n\
         Source: FIDE Laws of Chess (2023), art. 5.1.1 and 5.2.1.";
    RESULT_NOT_RECORDED = "W314" [fixable()]: "mate or stalemate without a recorded result",
        "The last move ends the game automatically, but the Result tag or the result mark is \
         `*`.\n\n\
         bad:  1. f3 e5 2. g4 Qh4# *\n\
         good: 1. f3 e5 2. g4 Qh4# 0-1\n\n\
         Source: FIDE Laws of Chess (2023), art. 5.1.1 and 5.2.1.";
    UNKNOWN_RESULT = "W303" [fixable()]: "result that is not one of the four",
        "Both players may have lost, half a point may have been awarded to one side, or the \
         word is not a result at all. The game counts as having another result.\n\n\
         bad:  [Result \"0-0\"]\n\
         good: [Result \"*\"] [Termination \"rules infraction\"]\n\n\
         Source: PGN standard, sections 8.1.1.7 and 8.2.6.";
    MOVE_AFTER_CHECKMATE = "E304": "move after checkmate",
        "Mate ends the game at once, and no move is legal after it. The replay stops here.\n\n\
         bad:  1. f3 e5 2. g4 Qh4# 3. Kf2\n\
         good: 1. f3 e5 2. g4 Qh4# 0-1\n\n\
         Source: FIDE Laws of Chess (2023), art. 5.1.1.";
    MOVE_AFTER_STALEMATE = "E305": "move after stalemate",
        "Stalemate ends the game at once, and no move is legal after it. The replay stops \
         here.\n\n\
         bad:  [FEN \"7k/8/6K1/8/8/8/8/5Q2 w - - 0 1\"] 1. Qf7 Kg8 1/2-1/2\n\
         good: [FEN \"7k/8/6K1/8/8/8/8/5Q2 w - - 0 1\"] 1. Qf7 1/2-1/2\n\n\
         Source: FIDE Laws of Chess (2023), art. 5.2.1.";
    MOVE_AFTER_DEAD_POSITION = "W306": "moves after a dead position by material",
        "The remaining pieces cannot mate by any series of legal moves: king against king, \
         king and knight against king, or kings with bishops on squares of one colour only. \
         The game was drawn at once; the moves are replayed anyway. Servers judge their games \
         by their own lists of pieces.\n\n\
         bad:  [FEN \"8/8/8/8/8/5k2/4p3/4K3 b - - 0 1\"] 1... Kg2 2. Kxe2 Kg3 1/2-1/2\n\
         good: [FEN \"8/8/8/8/8/5k2/4p3/4K3 b - - 0 1\"] 1... Kg2 2. Kxe2 1/2-1/2\n\n\
         Source: FIDE Laws of Chess (2023), art. 5.2.2.";
    RESULT_AGAINST_DRAW = "W307": "recorded win in a game that was drawn automatically",
        "The game was drawn automatically, by a dead position, by repetition or by counting \
         moves. It is judged by the rules it was played by: those of the server that Site or \
         Event names, or the FIDE Laws in force on its Date, as `arbiter adjudicate --rules \
         auto` does.\n\n\
         bad:  [FEN \"8/8/8/8/8/5k2/4p3/4K3 b - - 0 1\"] 1... Kg2 2. Kxe2 1-0\n\
         good: [FEN \"8/8/8/8/8/5k2/4p3/4K3 b - - 0 1\"] 1... Kg2 2. Kxe2 1/2-1/2\n\n\
         Source: FIDE Laws of Chess (2023), art. 5.2.2, 9.6.1 and 9.6.2.";
    BARE_WINNER = "N308": "recorded win for a side that cannot mate",
        "A side that cannot mate by any series of legal moves does not win if the opponent's \
         time runs out or the opponent resigns: the game is drawn. Resignation has been an \
         exception since 2023. The arbiter may have decided otherwise for other reasons.\n\n\
         bad:  [FEN \"8/8/8/8/8/4k3/4q3/7K b - - 0 1\"] 1... Kf2 1-0\n\
         good: [FEN \"8/8/8/8/8/4k3/4q3/7K b - - 0 1\"] 1... Kf2 1/2-1/2\n\n\
         Source: FIDE Laws of Chess (2023), art. 5.1.2 and 6.9.";
    MOVE_AFTER_FIVEFOLD = "W309": "moves after the fifth occurrence of a position",
        "The same position, with the same side to move, castling rights and en passant \
         captures, had occurred five times, so the game was drawn without a claim. A result \
         that both players signed stands. FIDE games before July 2014, when the rule came \
         into force, are not reported, and until July 2017 the occurrences had to be \
         consecutive.\n\n\
         bad:  1. Nf3 Nf6 2. Ng1 Ng8 … 8. Ng1 Ng8 9. e4 (the initial position for the fifth time)\n\
         good: 1. Nf3 Nf6 2. Ng1 Ng8 … 8. Ng1 Ng8 1/2-1/2\n\n\
         Source: FIDE Laws of Chess (2023), art. 9.6.1 and 9.2.3.";
    MOVE_AFTER_SEVENTY_FIVE = "W310": "moves after 75 by each side without capture or pawn move",
        "The game was drawn without a claim, unless the last of these moves mated. A result \
         that both players signed stands. Games before July 2014, when the rule came into \
         force, are not reported.\n\n\
         bad:  [FEN \"4k3/8/8/8/8/8/8/R3K3 w - - 149 120\"] 1. Ra2 Kd7 1-0\n\
         good: [FEN \"4k3/8/8/8/8/8/8/R3K3 w - - 149 120\"] 1. Ra2 1/2-1/2\n\n\
         Source: FIDE Laws of Chess (2023), art. 9.6.2.";
    RESULT_SPELLING = "N311" [warn_if_strict(), fixable()]: "nonstandard spelling of a result",
        "The results are `1-0`, `0-1`, `1/2-1/2` and `*`. Other spellings are read as the \
         result they mean.\n\n\
         bad:  34. Kf2 ½-½\n\
         good: 34. Kf2 1/2-1/2\n\n\
         Source: PGN standard, sections 8.1.1.7 and 8.2.6.";
    RESULT_SIGNAL = "E312" [fixable()]: "illegal king move to the centre at the end of a game",
        "On electronic boards both kings are put on centre squares to signal the result: on \
         e4 and d5 if White has won, on d4 and e5 if Black has, on squares of both colours \
         for a draw. The signal may end up among the moves. The help line says where to cut \
         the game. The replay stops here. If the kings agree with the recorded result, they are \
         the end of the moves: `--fix` cuts them, and `arbiter adjudicate` judges the game \
         before them.\n\n\
         bad:  41. Rg8+ Kxg8 42. Ke4 1-0 (from g1)\n\
         good: 41. Rg8+ Kxg8 1-0\n\n\
         Source: the manuals of DGT boards; FIDE Laws of Chess (2023), art. 3.8.";
    GLUED_RESULT = "N315" [warn_if_strict(), fixable()]: "result mark directly after a move",
        "The move ends with its square or its check or mate mark, so the beginning of the \
         result is certain. Programs that read only standard notation drop the move, the \
         result, or both.\n\n\
         bad:  41... R8xg20-1\n\
         good: 41... R8xg2 0-1\n\n\
         Source: PGN standard, sections 7 (tokens) and 8.2.6.";
    DOUBTFUL_KING_MOVE = "N313": "last king move to the centre that contradicts the result",
        "The side that did not lose needlessly allows mate in one. The king may have been put \
         on the square to signal to an electronic board that the game has ended. Not reported \
         if a reason for the end is recorded, such as time.\n\n\
         bad:  [FEN \"8/8/7R/3k4/8/4K3/8/R7 b - - 0 1\"] 1... Ke5 1/2-1/2\n\
         good: [FEN \"8/8/7R/3k4/8/4K3/8/R7 b - - 0 1\"] 1/2-1/2\n\n\
         Source: the manuals of DGT boards.";
    MOVE_AFTER_THREEFOLD = "W320": "moves after the third occurrence of a position",
        "On chess.com since 2022 and in engine matches the third occurrence of a position \
         ends the game without a claim. Site, Event and Termination show whether a game is \
         one of these.\n\n\
         bad:  [Event \"TCEC\"] 1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. e4\n\
         good: [Event \"TCEC\"] 1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 1/2-1/2\n\n\
         Source: the rule sets `chesscom` and `engine` of `arbiter adjudicate --list-rules`.";
    MOVE_AFTER_FIFTY = "W321": "moves after 50 by each side without capture or pawn move",
        "On Lichess, on chess.com since 2022 and in engine matches such moves end the game \
         without a claim, unless the last one mates. Site, Event and Termination show whether \
         a game is one of these.\n\n\
         bad:  [Site \"lichess.org\"] [FEN \"4k3/8/8/8/8/8/8/R3K3 w - - 99 120\"] 1. Ra2 Kd7 1-0\n\
         good: [Site \"lichess.org\"] [FEN \"4k3/8/8/8/8/8/8/R3K3 w - - 99 120\"] 1. Ra2 \
         1/2-1/2\n\n\
         Source: the rule sets `lichess`, `chesscom` and `engine` of `arbiter adjudicate \
         --list-rules`.";
    RECORD_AGAINST_RULES = "N322": "recorded reason for the end that is refuted by moves or result",
        "The Termination tag or the closing comment names a reason that the moves or the \
         result refute: a repetition that did not occur, a checkmate in an open position, a \
         draw on time against a side that could mate. For details, run `arbiter adjudicate \
         --rules auto`.\n\n\
         bad:  [Termination \"Game drawn by repetition\"] 1. e4 e5 1/2-1/2\n\
         good: [Termination \"Game drawn by agreement\"] 1. e4 e5 1/2-1/2\n\n\
         Source: PGN standard, section 9.8.1; the rule sets of `arbiter adjudicate \
         --list-rules`.";
    MOVE_AFTER_PROVEN_DEAD_POSITION = "N323": "moves after a proven dead position",
        "Because of blocked pawns or forced moves, neither side can mate by any series of \
         legal moves, so the game was drawn at once. A short search proves it; `arbiter \
         adjudicate` searches further.\n\n\
         bad:  [FEN \"8/8/2k5/1p2p2p/1P2P2P/8/5K2/8 b - - 0 41\"] 41... Kd6 42. Ke3 1/2-1/2\n\
         good: [FEN \"8/8/2k5/1p2p2p/1P2P2P/8/5K2/8 b - - 0 41\"] 1/2-1/2\n\n\
         Source: FIDE Laws of Chess (2023), art. 5.2.2.";
}
