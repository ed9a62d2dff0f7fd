//! Family 4: FEN and EPD.

use crate::commands::validate::registry::rules;

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
    CLOCK_BEYOND_MOVE_NUMBER = "N414" "clock-beyond-move-number" Note: "a halfmove clock that is larger than the move number allows",
        "Each move adds at most one to the clock, so the two numbers cannot both be right. Many programs leave the move number \
         at 1, which affects no rule; the clock counts for the fifty-move rule as it stands.\n\n\
         bad:  [FEN \"4k3/8/8/8/8/8/8/4K2R w K - 30 1\"]\n\
         good: [FEN \"4k3/8/8/8/8/8/8/4K2R w K - 30 41\"]\n\n\
         Source: PGN standard, sections 16.1.3.5 and 16.1.3.6.";
    MALFORMED_OPERATION = "E404" "malformed-operation" Error: "an EPD operation that cannot be read",
        "An operation is an opcode (a letter, and up to fourteen letters, digits and underscores), its operands and a \
         semicolon; a string has quotes on both sides.\n\n\
         bad:  4k3/8/8/8/8/8/8/4K2R w K - id \"castle;\n\
         good: 4k3/8/8/8/8/8/8/4K2R w K - id \"castle\";\n\n\
         Source: PGN standard, sections 16.2.3 and 16.2.4.";
    IMPOSSIBLE_EPD_MOVE = "E405" "impossible-epd-move" Error: "a move in an EPD operation that is not legal in its position",
        "The moves of `bm`, `am`, `sm` and `pm` are made in the position itself, those of `pv` one after the other. The \
         message says what the board has against the move.\n\n\
         bad:  4k3/8/8/8/8/8/8/4K3 w - - bm O-O;\n\
         good: 4k3/8/8/8/8/8/8/4K2R w K - bm O-O;\n\n\
         Source: PGN standard, section 16.2.5.";
    WRONG_OPERANDS = "W406" "wrong-operands" Warning: "an EPD opcode with operands it does not take",
        "Each opcode of the standard says what follows it: no operand, a whole number, one string in quotes, one move or \
         several.\n\n\
         bad:  4k3/8/8/8/8/8/8/4K2R w K - dm soon;\n\
         good: 4k3/8/8/8/8/8/8/4K2R w K - dm 12;\n\n\
         Source: PGN standard, section 16.2.5.";
    REPEATED_OPCODE = "W407" "repeated-opcode" Warning: "an EPD opcode that the line has already",
        "Which of the two counts is left to the reader.\n\n\
         bad:  4k3/8/8/8/8/8/8/4K2R w K - id \"a\"; id \"b\";\n\
         good: 4k3/8/8/8/8/8/8/4K2R w K - id \"a\"; c0 \"b\";\n\n\
         Source: PGN standard, section 16.2.4 (an opcode appears at most once).";
    UNKNOWN_OPCODE = "N408" "unknown-opcode" Note StrictOnly: "an EPD opcode that is not in the PGN standard",
        "Programs may add opcodes of their own; the operands of this one are read but not judged. Looked for with \
         `--strict` only.\n\n\
         bad:  4k3/8/8/8/8/8/8/4K3 w - - white_can_win 0;\n\
         good: 4k3/8/8/8/8/8/8/4K3 w - - ce 0;\n\n\
         Source: PGN standard, section 16.2.5.";
    SHORT_FEN = "N409" "short-fen" Note WarnIfStrict: "a FEN or EPD that lacks fields",
        "A FEN has six fields, an EPD position four. Missing castling rights and en passant squares are taken for none, \
         missing clocks for 0 and 1.\n\n\
         bad:  4k3/8/8/8/8/8/8/4K3 w\n\
         good: 4k3/8/8/8/8/8/8/4K3 w - - 0 1\n\n\
         Source: PGN standard, sections 16.1.3 and 16.2.3.";
    MISSING_SEMICOLON = "W410" "missing-semicolon" Warning: "an EPD line whose last operation does not end with a semicolon",
        "It is read as if it did.\n\n\
         bad:  4k3/8/8/8/8/8/8/4K2R w K - bm O-O\n\
         good: 4k3/8/8/8/8/8/8/4K2R w K - bm O-O;\n\n\
         Source: PGN standard, section 16.2.4.";
    COORDINATE_EPD_MOVE = "W411" "coordinate-epd-move" Warning: "a move in an EPD operation by its squares",
        "The move is legal, but written as engines exchange moves (UCI). EPD asks for standard algebraic notation.\n\n\
         bad:  4k3/8/8/8/8/8/8/4K2R w K - bm e1g1;\n\
         good: 4k3/8/8/8/8/8/8/4K2R w K - bm O-O;\n\n\
         Source: PGN standard, section 16.2.5.";
    LOOSE_EPD_MOVE = "W413" "loose-epd-move" Warning: "a move in an EPD operation that is not in standard notation",
        "There is no doubt which move is meant. Programs that read only standard notation reject the operation.\n\n\
         bad:  8/4P3/8/8/8/k7/8/4K3 w - - bm e8N;\n\
         good: 8/4P3/8/8/8/k7/8/4K3 w - - bm e8=N;\n\n\
         Source: PGN standard, sections 8.2.3 and 16.2.5.";
    FEN_FORM = "N412" "fen-form" Note WarnIfStrict: "a FEN that can be understood, but is not of the standard's form",
        "Castling rights stand in the order KQkq, each once; numbers have no zeros before them, and the number of the first \
         move is 1. The position is read all the same. Looked for in lists of positions and with `--fen`.\n\n\
         bad:  4k3/8/8/8/8/8/8/R3K2R w QKK - 00 0\n\
         good: 4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1\n\n\
         Source: PGN standard, section 16.1.3.";
}
