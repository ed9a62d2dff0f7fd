//! Family 4: FEN and EPD.

use crate::findings::registry::rules;

rules! { Positions;
    UNREADABLE_FEN = "E401": "unreadable FEN",
        "The message names the field and the column. The game is not replayed without an \
         initial position.\n\n\
         bad:  [FEN \"8/8/8/4k3/8/4K3/9/8 w - - 0 1\"]\n\
         good: [FEN \"8/8/8/4k3/8/4K3/8/8 w - - 0 1\"]\n\n\
         Source: PGN standard, section 16.1.";
    UNPLAYABLE_POSITION = "E402": "unplayable position",
        "A king is missing or duplicated, the side not to move is in check, or a pawn is on \
         the first or last rank. The game is not replayed.\n\n\
         bad:  [FEN \"4k3/8/8/8/8/8/4R3/4K3 w - - 0 1\"]\n\
         good: [FEN \"4k3/8/8/8/8/8/4R3/4K3 b - - 0 1\"]\n\n\
         Source: FIDE Laws of Chess (2023), art. 3.9 and 3.10.";
    IMPLAUSIBLE_POSITION = "W403": "implausible position",
        "No game leads to the position. It is replayed anyway; castling rights and en passant \
         squares that contradict the pieces are left out.\n\n\
         bad:  [FEN \"4k3/8/8/8/8/8/8/4K2R w KQ - 0 1\"]\n\
         good: [FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n\n\
         Source: FIDE Laws of Chess (2023), art. 3.10.3.";
    CLOCK_BEYOND_MOVE_NUMBER = "N414": "halfmove clock larger than the move number allows",
        "Each move adds at most one to the clock, so the two numbers cannot both be right. \
         Many programs leave the move number at 1, which affects no rule; the clock counts \
         for the fifty-move rule as given.\n\n\
         bad:  [FEN \"4k3/8/8/8/8/8/8/4K2R w K - 30 1\"]\n\
         good: [FEN \"4k3/8/8/8/8/8/8/4K2R w K - 30 41\"]\n\n\
         Source: PGN standard, sections 16.1.3.5 and 16.1.3.6.";
    MALFORMED_OPERATION = "E404": "malformed EPD operation",
        "An operation is an opcode (a letter, and up to fourteen letters, digits and \
         underscores), its operands and a semicolon; a string has quotes on both sides.\n\n\
         bad:  4k3/8/8/8/8/8/8/4K2R w K - id \"castle;\n\
         good: 4k3/8/8/8/8/8/8/4K2R w K - id \"castle\";\n\n\
         Source: PGN standard, sections 16.2.3 and 16.2.4.";
    IMPOSSIBLE_EPD_MOVE = "E405": "illegal move in an EPD operation",
        "The moves of `bm`, `am`, `sm` and `pm` are made in the position itself, those of \
         `pv` one after the other. The message gives the reason.\n\n\
         bad:  4k3/8/8/8/8/8/8/4K3 w - - bm O-O;\n\
         good: 4k3/8/8/8/8/8/8/4K2R w K - bm O-O;\n\n\
         Source: PGN standard, section 16.2.5.";
    WRONG_OPERANDS = "W406": "wrong operands of an EPD opcode",
        "The standard defines the operands of each opcode: none, an integer, one quoted \
         string, one move or several.\n\n\
         bad:  4k3/8/8/8/8/8/8/4K2R w K - dm soon;\n\
         good: 4k3/8/8/8/8/8/8/4K2R w K - dm 12;\n\n\
         Source: PGN standard, section 16.2.5.";
    REPEATED_OPCODE = "W407": "repeated EPD opcode",
        "Programs may use either of the two.\n\n\
         bad:  4k3/8/8/8/8/8/8/4K2R w K - id \"a\"; id \"b\";\n\
         good: 4k3/8/8/8/8/8/8/4K2R w K - id \"a\"; c0 \"b\";\n\n\
         Source: PGN standard, section 16.2.4 (an opcode appears at most once).";
    UNKNOWN_OPCODE = "N408" [strict_only()]: "EPD opcode that is not in the PGN standard",
        "Programs may add their own opcodes; the operands of this one are read but not \
         checked. Only with `--strict`.\n\n\
         bad:  4k3/8/8/8/8/8/8/4K3 w - - white_can_win 0;\n\
         good: 4k3/8/8/8/8/8/8/4K3 w - - ce 0;\n\n\
         Source: PGN standard, section 16.2.5.";
    SHORT_FEN = "N409" [warn_if_strict()]: "missing FEN or EPD fields",
        "A FEN has six fields, an EPD position four. Missing castling rights and en passant \
         squares are read as none. Missing counters are unknown: rulings do not take the halfmove \
         clock for 0, and move numbers are not compared with 1.\n\n\
         bad:  4k3/8/8/8/8/8/8/4K3 w\n\
         good: 4k3/8/8/8/8/8/8/4K3 w - - 0 1\n\n\
         Source: PGN standard, sections 16.1.3 and 16.2.3.";
    MISSING_SEMICOLON = "W410": "last EPD operation without a semicolon",
        "The operation is read as if it ended with one.\n\n\
         bad:  4k3/8/8/8/8/8/8/4K2R w K - bm O-O\n\
         good: 4k3/8/8/8/8/8/8/4K2R w K - bm O-O;\n\n\
         Source: PGN standard, section 16.2.4.";
    COORDINATE_EPD_MOVE = "W411": "coordinate move in an EPD operation",
        "The move is legal, but written in UCI notation. EPD requires standard algebraic \
         notation.\n\n\
         bad:  4k3/8/8/8/8/8/8/4K2R w K - bm e1g1;\n\
         good: 4k3/8/8/8/8/8/8/4K2R w K - bm O-O;\n\n\
         Source: PGN standard, section 16.2.5.";
    LOOSE_EPD_MOVE = "W413": "nonstandard notation in an EPD operation",
        "The intended move is unambiguous. Programs that read only standard notation reject \
         the operation.\n\n\
         bad:  8/4P3/8/8/8/k7/8/4K3 w - - bm e8N;\n\
         good: 8/4P3/8/8/8/k7/8/4K3 w - - bm e8=N;\n\n\
         Source: PGN standard, sections 8.2.3 and 16.2.5.";
    FEN_FORM = "N412" [warn_if_strict()]: "FEN not in the standard's form",
        "Castling rights are in the order KQkq, each once; numbers have no leading zeros, and \
         move numbers begin at 1. The position is read anyway. Checked in lists of positions \
         and with `--fen`.\n\n\
         bad:  4k3/8/8/8/8/8/8/R3K2R w QKK - 00 0\n\
         good: 4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1\n\n\
         Source: PGN standard, section 16.1.3.";
    USELESS_EN_PASSANT = "N415" [fixable()]: "en passant square that no pawn can use",
        "The standard gives the square after every double step, but equal positions are only \
         recognised as equal if it stands where a capture en passant is legal. Checked in lists \
         of positions and with `--fen`.\n\n\
         bad:  rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1\n\
         good: rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\n\n\
         Source: FIDE Laws of Chess (2023), art. 9.2.3.1.";
    CASTLING_OF_CHESS960 = "N416": "castling right that exists in Chess960 only",
        "In standard chess the king castles from e1 or e8 with a rook from the corner. A game \
         from a position, without a `Variant` tag or with `From Position`, may be one of \
         Chess960: it is replayed with the right. With `[Variant \"Standard\"]` the right is \
         W403, and is left out.\n\n\
         bad:  [FEN \"4k3/8/8/8/8/8/8/4KR2 w K - 0 1\"]\n\
         good: [FEN \"4k3/8/8/8/8/8/8/4KR2 w - - 0 1\"]\n\n\
         Source: FIDE Laws of Chess (2023), art. 3.8.2 and Guidelines II.";
}
