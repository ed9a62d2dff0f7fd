//! Family 2, moves: illegal moves and nonstandard notation.

use crate::commands::validate::registry::rules;

rules! { Moves;
    ILLEGAL_MOVE = "E201": "illegal move",
        "The message gives the reason. The replay stops here, so the moves after it are not \
         checked.\n\n\
         bad:  1. e4 e5 2. Ke3\n\
         good: 1. e4 e5 2. Ke2\n\n\
         Source: FIDE Laws of Chess (2023), art. 3.10; PGN standard, section 8.2.3.";
    AMBIGUOUS_MOVE = "E202": "ambiguous move",
        "The notation does not identify the piece that moves. A piece that is pinned does not \
         make a move ambiguous. The replay stops here.\n\n\
         bad:  1. Nf3 d5 2. d3 e5 3. Nd2 (knights on b1 and f3 can go there)\n\
         good: 1. Nf3 d5 2. d3 e5 3. Nbd2\n\n\
         Source: PGN standard, section 8.2.3.4.";
    NULL_MOVE = "E211": "null move in the main line",
        "Passing is illegal in chess. Null moves are a device of analysis; the replay stops \
         here, unless `--null-moves` is given. For variations see N229.\n\n\
         bad:  1. e4 -- 2. d4\n\
         good: 1. e4 d6 2. d4\n\n\
         Source: FIDE Laws of Chess (2023), art. 1.2.";
    PASSED_NULL_MOVE = "N229": "null move in a variation, or with --null-moves",
        "Annotators use it to show a threat. The side to move passes and the line continues, \
         unless it is in check (then E211, one severity lower).\n\n\
         bad:  1. e4 e5 (1... -- 2. d4) 2. Nf3 *\n\
         good: 1. e4 e5 {threatens d4} 2. Nf3 *\n\n\
         Source: FIDE Laws of Chess (2023), art. 1.2; the sign `--` is ChessBase's.";
    MISSING_CHECK_MARK = "N230" [strict_only()]: "check without `+`",
        "The position shows the check, but the mark is part of the notation.\n\n\
         bad:  1. e4 e5 2. Qh5 Nc6 3. Qxf7 *\n\
         good: 1. e4 e5 2. Qh5 Nc6 3. Qxf7+ *\n\n\
         Source: PGN standard, section 8.2.3.5.";
    SPURIOUS_CHECK_MARK = "N231" [warn_if_strict()]: "`+` without check",
        "The mark is wrong, or a different move was played.\n\n\
         bad:  1. e4 e5 2. Nf3+ *\n\
         good: 1. e4 e5 2. Nf3 *\n\n\
         Source: PGN standard, section 8.2.3.5.";
    MISSING_MATE_MARK = "N232" [strict_only()]: "checkmate without `#`",
        "The position shows the mate, but the mark is part of the notation.\n\n\
         bad:  1. f3 e5 2. g4 Qh4 0-1\n\
         good: 1. f3 e5 2. g4 Qh4# 0-1\n\n\
         Source: PGN standard, section 8.2.3.5.";
    SPURIOUS_MATE_MARK = "N233" [warn_if_strict()]: "`#` without check",
        "The mark is wrong, or a different move was played.\n\n\
         bad:  1. e4 e5 2. Qh5# *\n\
         good: 1. e4 e5 2. Qh5 *\n\n\
         Source: PGN standard, section 8.2.3.5.";
    CHECK_MARK_FOR_MATE = "N234" [strict_only()]: "checkmate marked with `+`",
        "Some traditions mark checkmate like check.\n\n\
         bad:  1. f3 e5 2. g4 Qh4+ 0-1\n\
         good: 1. f3 e5 2. g4 Qh4# 0-1\n\n\
         Source: PGN standard, section 8.2.3.5.";
    MATE_MARK_FOR_CHECK = "N235" [warn_if_strict()]: "`#` for a check that can be answered",
        "A legal move answers the check: the mark is wrong, or an earlier move differs from \
         the one played.\n\n\
         bad:  1. e4 e5 2. Qh5 Nc6 3. Qxf7# *\n\
         good: 1. e4 e5 2. Qh5 Nc6 3. Qxf7+ *\n\n\
         Source: PGN standard, section 8.2.3.5.";
    OTHER_CHECK_MARK = "N236" [warn_if_strict()]: "check or mate marked other than with `+` or `#`",
        "`++` means mate to some and double check to others; `ch` and `mate` are words. \
         Programs that read only standard notation drop the move, or stop there.\n\n\
         bad:  1. f3 e5 2. g4 Qh4++ 0-1\n\
         good: 1. f3 e5 2. g4 Qh4# 0-1\n\n\
         Source: PGN standard, section 8.2.3.5; FIDE Laws of Chess (2023), appendix C.13.";
    MISSING_CAPTURE_MARK = "N237" [warn_if_strict()]: "capture without `x`",
        "The mark is optional in FIDE's notation and required in PGN.\n\n\
         bad:  1. e4 d5 2. ed5 *\n\
         good: 1. e4 d5 2. exd5 *\n\n\
         Source: PGN standard, section 8.2.3.3; FIDE Laws of Chess (2023), appendix C.9.";
    SPURIOUS_CAPTURE_MARK = "N238" [warn_if_strict()]: "`x` without a capture",
        "The mark is wrong, or an earlier move differs from the one played. A pawn that \
         captures nothing makes no legal move (E201).\n\n\
         bad:  1. e4 e5 2. Nxf3 *\n\
         good: 1. e4 e5 2. Nf3 *\n\n\
         Source: PGN standard, section 8.2.3.3.";
    OTHER_CAPTURE_MARK = "N239" [warn_if_strict()]: "capture marked other than with `x`",
        "Older texts use `:` or `×`. Programs that read only standard notation drop the move, \
         or stop there.\n\n\
         bad:  1. e4 d5 2. e:d5 *\n\
         good: 1. e4 d5 2. exd5 *\n\n\
         Source: PGN standard, section 8.2.3.3.";
    NEEDLESS_FILE = "N240" [strict_only()]: "needless file of origin",
        "No other piece of this kind can legally go there.\n\n\
         bad:  1. Ngf3 *\n\
         good: 1. Nf3 *\n\n\
         Source: PGN standard, section 8.2.3.4.";
    NEEDLESS_RANK = "N241" [strict_only()]: "needless rank of origin",
        "No other piece of this kind can legally go there.\n\n\
         bad:  1. N1f3 *\n\
         good: 1. Nf3 *\n\n\
         Source: PGN standard, section 8.2.3.4.";
    NEEDLESS_SQUARE = "N242" [strict_only()]: "needless square of origin",
        "File and rank are given together only if neither is enough.\n\n\
         bad:  1. Ng1f3 *\n\
         good: 1. Nf3 *\n\n\
         Source: PGN standard, section 8.2.3.4.";
    RANK_FOR_FILE = "N243" [strict_only()]: "rank of origin where the file suffices",
        "If either tells the pieces apart, the file is given.\n\n\
         bad:  1. Nf3 d5 2. d3 e5 3. N1d2 *\n\
         good: 1. Nf3 d5 2. d3 e5 3. Nbd2 *\n\n\
         Source: PGN standard, section 8.2.3.4.";
    LONG_ALGEBRAIC = "N244" [warn_if_strict()]: "long algebraic notation",
        "It names both squares. Programs that read only standard notation drop the move, or \
         stop there. Reported once per game, with the number of such moves.\n\n\
         bad:  1. e2-e4 e7-e5 2. Ng1-f3 *\n\
         good: 1. e4 e5 2. Nf3 *\n\n\
         Source: PGN standard, section 8.2.3.6.";
    UCI_NOTATION = "N245" [warn_if_strict()]: "UCI notation",
        "It names squares only, and castling by the squares of the king. Programs that read \
         only standard notation take it for a pawn move. Reported once per game, with the \
         number of such moves.\n\n\
         bad:  1. e2e4 e7e5 2. g1f3 *\n\
         good: 1. e4 e5 2. Nf3 *\n\n\
         Source: PGN standard, section 8.2.3; UCI protocol (2006), move format.";
    CASTLING_WITH_ZEROS = "N246" [strict_only()]: "castling with zeros",
        "FIDE's notation has zeros; PGN has the capital letter O.\n\n\
         bad:  4. 0-0 Nf6\n\
         good: 4. O-O Nf6\n\n\
         Source: PGN standard, section 8.2.3.3; FIDE Laws of Chess (2023), appendix C.13.";
    OTHER_CASTLING = "N247" [warn_if_strict()]: "castling with lower-case letters, or letters and \
        zeros",
        "Programs that read only standard notation drop the move, or castle to the wrong \
         side.\n\n\
         bad:  4. o-o Nf6\n\
         good: 4. O-O Nf6\n\n\
         Source: PGN standard, section 8.2.3.3.";
    PAWN_LETTER = "N248" [strict_only()]: "pawn move with `P`",
        "A move without a piece letter is a pawn move.\n\n\
         bad:  1. Pe4 *\n\
         good: 1. e4 *\n\n\
         Source: PGN standard, section 8.2.3.2.";
    PROMOTION_WITHOUT_EQUALS = "N249" [warn_if_strict()]: "promotion without `=`",
        "`e8Q` is FIDE's notation; `e8(Q)` and `e8/Q` are older. Programs that read only \
         standard notation drop the move, or stop there.\n\n\
         bad:  50. e8Q\n\
         good: 50. e8=Q\n\n\
         Source: PGN standard, section 8.2.3.3; FIDE Laws of Chess (2023), appendix C.11.";
    LOWER_CASE_PROMOTION = "N250" [strict_only()]: "lower-case promotion letter",
        "Piece letters are upper-case.\n\n\
         bad:  50. e8=q\n\
         good: 50. e8=Q\n\n\
         Source: PGN standard, section 8.2.3.3.";
    LOWER_CASE_PIECE = "W251": "lower-case piece letter",
        "`nf3` is read as a knight move, the only interpretation. `b` is a file wherever a \
         pawn can make the move, and the bishop only where none can.\n\n\
         bad:  1. e4 e5 2. nf3 *\n\
         good: 1. e4 e5 2. Nf3 *\n\n\
         Source: PGN standard, sections 8.2.3.2 and 8.2.3.7.";
    UPPER_CASE_FILE = "W252": "upper-case file letter",
        "Upper-case letters are pieces, so `B` before a lower-case file is always a bishop.\n\n\
         bad:  1. E4 e5 2. NF3 *\n\
         good: 1. e4 e5 2. Nf3 *\n\n\
         Source: PGN standard, sections 8.2.3.1 and 8.2.3.7.";
    EN_PASSANT_MARK = "N253" [strict_only()]: "`e.p.` after a capture en passant",
        "Scoresheets may have it; PGN does not.\n\n\
         bad:  3. exd6 e.p.\n\
         good: 3. exd6\n\n\
         Source: PGN standard, section 8.2.3.3; FIDE Laws of Chess (2023), appendix C.9.";
    SPURIOUS_EN_PASSANT_MARK = "N254" [warn_if_strict()]: "`e.p.` after a move that is not a \
        capture en passant",
        "The mark is wrong, or an earlier move differs from the one played.\n\n\
         bad:  1. e4 d5 2. exd5 e.p. *\n\
         good: 1. e4 d5 2. exd5 *\n\n\
         Source: FIDE Laws of Chess (2023), art. 3.7.3.1 and appendix C.9.";
    OTHER_DASH = "N255" [warn_if_strict()]: "dash other than the hyphen",
        "A word processor has replaced the hyphen. Programs that read only standard notation \
         drop the move, or stop there.\n\n\
         bad:  4. O–O Nf6\n\
         good: 4. O-O Nf6\n\n\
         Source: PGN standard, sections 4.1 and 8.2.3.3.";
    SIGN_BEHIND_MOVE = "N270" [warn_if_strict()]: "comma or other punctuation directly after a \
        move",
        "The sign is not part of the move and is ignored. Programs that read only standard \
         notation drop the move, or stop there.\n\n\
         bad:  6. Bxe7, Qxe7\n\
         good: 6. Bxe7 Qxe7\n\n\
         Source: PGN standard, sections 7 and 8.2.3.";
    MARK_IN_PARENTHESES = "N271" [warn_if_strict()]: "check or en passant mark in parentheses",
        "Parentheses enclose variations. Programs that read only standard notation take the \
         mark for a variation without moves, or stop there.\n\n\
         bad:  3. exd6(e.p.) *\n\
         good: 3. exd6 *\n\n\
         Source: PGN standard, sections 8.2.3.5 and 8.2.5.";
    OTHER_PIECE_LETTERS = "N260" [warn_if_strict()]: "piece letters of another language",
        "Every move of the main line is legal in these letters, and not in English ones, so \
         the game is read in them. Reported once per game. `--piece-letters` sets the letters \
         for all games.\n\n\
         bad:  1. e4 e5 2. Sf3 Sc6 3. Lb5 *\n\
         good: 1. e4 e5 2. Nf3 Nc6 3. Bb5 *\n\n\
         Source: PGN standard, sections 8.2.3.2 and 17.";
}
