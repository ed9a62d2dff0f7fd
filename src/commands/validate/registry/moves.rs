//! Family 2, moves: what cannot be played, and what is written otherwise than the standard asks.

use crate::commands::validate::registry::rules;

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
        "Nobody may pass in chess. Null moves are a device of analysis; the replay stops here, unless `--null-moves` has \
         the move passed. In variations see N229.\n\n\
         bad:  1. e4 -- 2. d4\n\
         good: 1. e4 d6 2. d4\n\n\
         Source: FIDE Laws of Chess (2023), art. 1.2.";
    PASSED_NULL_MOVE = "N229" "passed-null-move" Note: "a null move in a variation, or one that is allowed",
        "Annotators use it to show a threat. The side to move passes and the line goes on, unless it is in check (then \
         E211, one severity lower).\n\n\
         bad:  1. e4 e5 (1... -- 2. d4) 2. Nf3 *\n\
         good: 1. e4 e5 {threatens d4} 2. Nf3 *\n\n\
         Source: FIDE Laws of Chess (2023), art. 1.2; the sign `--` is ChessBase's.";
    MISSING_CHECK_MARK = "N230" "missing-check-mark" Note StrictOnly: "a move that gives check without `+`",
        "The board shows the check; the mark is part of the notation.\n\n\
         bad:  1. e4 e5 2. Qh5 Nc6 3. Qxf7 *\n\
         good: 1. e4 e5 2. Qh5 Nc6 3. Qxf7+ *\n\n\
         Source: PGN standard, section 8.2.3.5.";
    SPURIOUS_CHECK_MARK = "N231" "spurious-check-mark" Note WarnIfStrict: "`+` at a move that gives no check",
        "The mark is wrong, or the move is not the one that was played.\n\n\
         bad:  1. e4 e5 2. Nf3+ *\n\
         good: 1. e4 e5 2. Nf3 *\n\n\
         Source: PGN standard, section 8.2.3.5.";
    MISSING_MATE_MARK = "N232" "missing-mate-mark" Note StrictOnly: "a move that mates without `#`",
        "The board shows the mate; the mark is part of the notation.\n\n\
         bad:  1. f3 e5 2. g4 Qh4 0-1\n\
         good: 1. f3 e5 2. g4 Qh4# 0-1\n\n\
         Source: PGN standard, section 8.2.3.5.";
    SPURIOUS_MATE_MARK = "N233" "spurious-mate-mark" Note WarnIfStrict: "`#` at a move that gives no check",
        "The mark is wrong, or the move is not the one that was played.\n\n\
         bad:  1. e4 e5 2. Qh5# *\n\
         good: 1. e4 e5 2. Qh5 *\n\n\
         Source: PGN standard, section 8.2.3.5.";
    CHECK_MARK_FOR_MATE = "N234" "check-mark-for-mate" Note StrictOnly: "`+` at a move that mates",
        "Some traditions mark mate no other way than check.\n\n\
         bad:  1. f3 e5 2. g4 Qh4+ 0-1\n\
         good: 1. f3 e5 2. g4 Qh4# 0-1\n\n\
         Source: PGN standard, section 8.2.3.5.";
    MATE_MARK_FOR_CHECK = "N235" "mate-mark-for-check" Note WarnIfStrict: "`#` at a move that only gives check",
        "There is a move that answers it: the mark is wrong, or an earlier move is not the one that was played.\n\n\
         bad:  1. e4 e5 2. Qh5 Nc6 3. Qxf7# *\n\
         good: 1. e4 e5 2. Qh5 Nc6 3. Qxf7+ *\n\n\
         Source: PGN standard, section 8.2.3.5.";
    OTHER_CHECK_MARK = "N236" "other-check-mark" Note WarnIfStrict: "check or mate marked otherwise than by `+` or `#` at the move",
        "`++` is mate to some and double check to others; `ch` and `mate` are words. Programs that read only \
         standard notation drop the move, or stop there.\n\n\
         bad:  1. f3 e5 2. g4 Qh4++ 0-1\n\
         good: 1. f3 e5 2. g4 Qh4# 0-1\n\n\
         Source: PGN standard, section 8.2.3.5; FIDE Laws of Chess (2023), appendix C.13.";
    MISSING_CAPTURE_MARK = "N237" "missing-capture-mark" Note WarnIfStrict: "a capture without `x`",
        "The mark is optional in the notation of FIDE, and part of that of PGN.\n\n\
         bad:  1. e4 d5 2. ed5 *\n\
         good: 1. e4 d5 2. exd5 *\n\n\
         Source: PGN standard, section 8.2.3.3; FIDE Laws of Chess (2023), appendix C.9.";
    SPURIOUS_CAPTURE_MARK = "N238" "spurious-capture-mark" Note WarnIfStrict: "`x` at a move that captures nothing",
        "The mark is wrong, or an earlier move is not the one that was played. A pawn that should capture where \
         there is nothing makes no legal move (E201).\n\n\
         bad:  1. e4 e5 2. Nxf3 *\n\
         good: 1. e4 e5 2. Nf3 *\n\n\
         Source: PGN standard, section 8.2.3.3.";
    OTHER_CAPTURE_MARK = "N239" "other-capture-mark" Note WarnIfStrict: "a capture marked otherwise than by `x`",
        "Older texts have `:` or `×`. Programs that read only standard notation drop the move, or stop there.\n\n\
         bad:  1. e4 d5 2. e:d5 *\n\
         good: 1. e4 d5 2. exd5 *\n\n\
         Source: PGN standard, section 8.2.3.3.";
    NEEDLESS_FILE = "N240" "needless-file" Note StrictOnly: "the file a piece comes from, where it is plain without",
        "No other piece of the kind can legally go there.\n\n\
         bad:  1. Ngf3 *\n\
         good: 1. Nf3 *\n\n\
         Source: PGN standard, section 8.2.3.4.";
    NEEDLESS_RANK = "N241" "needless-rank" Note StrictOnly: "the rank a piece comes from, where it is plain without",
        "No other piece of the kind can legally go there.\n\n\
         bad:  1. N1f3 *\n\
         good: 1. Nf3 *\n\n\
         Source: PGN standard, section 8.2.3.4.";
    NEEDLESS_SQUARE = "N242" "needless-square" Note StrictOnly: "the square a piece comes from, where less would do",
        "File and rank are given together only if neither is enough.\n\n\
         bad:  1. Ng1f3 *\n\
         good: 1. Nf3 *\n\n\
         Source: PGN standard, section 8.2.3.4.";
    RANK_FOR_FILE = "N243" "rank-for-file" Note StrictOnly: "the rank a piece comes from, where the file would do",
        "Where both tell the pieces apart the file is given.\n\n\
         bad:  1. Nf3 d5 2. d3 e5 3. N1d2 *\n\
         good: 1. Nf3 d5 2. d3 e5 3. Nbd2 *\n\n\
         Source: PGN standard, section 8.2.3.4.";
    LONG_ALGEBRAIC = "N244" "long-algebraic" Note WarnIfStrict: "a move in long algebraic notation",
        "It names both squares. Programs that read only standard notation drop the move, or stop there. Noted once a \
         game, with the number of such moves.\n\n\
         bad:  1. e2-e4 e7-e5 2. Ng1-f3 *\n\
         good: 1. e4 e5 2. Nf3 *\n\n\
         Source: PGN standard, section 8.2.3.6.";
    UCI_NOTATION = "N245" "uci-notation" Note WarnIfStrict: "a move in the notation of engines",
        "It names squares only, castling by those of the king. Programs that read only standard notation take it for \
         a move of a pawn. Noted once a game, with the number of such moves.\n\n\
         bad:  1. e2e4 e7e5 2. g1f3 *\n\
         good: 1. e4 e5 2. Nf3 *\n\n\
         Source: PGN standard, section 8.2.3; UCI protocol (2006), move format.";
    CASTLING_WITH_ZEROS = "N246" "castling-with-zeros" Note StrictOnly: "castling written with zeros",
        "It is FIDE's notation; PGN has the capital letter O.\n\n\
         bad:  4. 0-0 Nf6\n\
         good: 4. O-O Nf6\n\n\
         Source: PGN standard, section 8.2.3.3; FIDE Laws of Chess (2023), appendix C.13.";
    OTHER_CASTLING = "N247" "other-castling" Note WarnIfStrict: "castling written with small letters, or with letters and zeros",
        "Programs that read only standard notation drop the move, or castle to the wrong side.\n\n\
         bad:  4. o-o Nf6\n\
         good: 4. O-O Nf6\n\n\
         Source: PGN standard, section 8.2.3.3.";
    PAWN_LETTER = "N248" "pawn-letter" Note StrictOnly: "a pawn move with `P`",
        "A move without a letter is a pawn's.\n\n\
         bad:  1. Pe4 *\n\
         good: 1. e4 *\n\n\
         Source: PGN standard, section 8.2.3.2.";
    PROMOTION_WITHOUT_EQUALS = "N249" "promotion-without-equals" Note WarnIfStrict: "a promotion without `=`",
        "`e8Q` is FIDE's notation; `e8(Q)` and `e8/Q` are older. Programs that read only standard notation drop the \
         move, or stop there.\n\n\
         bad:  50. e8Q\n\
         good: 50. e8=Q\n\n\
         Source: PGN standard, section 8.2.3.3; FIDE Laws of Chess (2023), appendix C.11.";
    LOWER_CASE_PROMOTION = "N250" "lower-case-promotion" Note StrictOnly: "a small letter for what a pawn becomes",
        "The letters of the pieces are capitals.\n\n\
         bad:  50. e8=q\n\
         good: 50. e8=Q\n\n\
         Source: PGN standard, section 8.2.3.3.";
    LOWER_CASE_PIECE = "W251" "lower-case-piece" Warning: "a small letter for a piece",
        "`nf3` is the knight's move, as no other is meant. A `b` is a file wherever a pawn can make the move, and \
         the bishop's letter only where none can.\n\n\
         bad:  1. e4 e5 2. nf3 *\n\
         good: 1. e4 e5 2. Nf3 *\n\n\
         Source: PGN standard, sections 8.2.3.2 and 8.2.3.7.";
    UPPER_CASE_FILE = "W252" "upper-case-file" Warning: "a capital letter for a file",
        "Capitals are the letters of pieces, so that `B` before a small file is always a bishop.\n\n\
         bad:  1. E4 e5 2. NF3 *\n\
         good: 1. e4 e5 2. Nf3 *\n\n\
         Source: PGN standard, sections 8.2.3.1 and 8.2.3.7.";
    EN_PASSANT_MARK = "N253" "en-passant-mark" Note StrictOnly: "`e.p.` behind a capture en passant",
        "The scoresheet may have it; PGN has no sign for it.\n\n\
         bad:  3. exd6 e.p.\n\
         good: 3. exd6\n\n\
         Source: PGN standard, section 8.2.3.3; FIDE Laws of Chess (2023), appendix C.9.";
    SPURIOUS_EN_PASSANT_MARK = "N254" "spurious-en-passant-mark" Note WarnIfStrict: "`e.p.` behind a move that is no capture en passant",
        "The mark is wrong, or an earlier move is not the one that was played.\n\n\
         bad:  1. e4 d5 2. exd5 e.p. *\n\
         good: 1. e4 d5 2. exd5 *\n\n\
         Source: FIDE Laws of Chess (2023), art. 3.7.3.1 and appendix C.9.";
    OTHER_DASH = "N255" "other-dash" Note WarnIfStrict: "a move with another dash than the hyphen",
        "A program that writes has put a dash for the hyphen. Programs that read only standard notation drop the \
         move, or stop there.\n\n\
         bad:  4. O–O Nf6\n\
         good: 4. O-O Nf6\n\n\
         Source: PGN standard, sections 4.1 and 8.2.3.3.";
    SIGN_BEHIND_MOVE = "N270" "sign-behind-move" Note WarnIfStrict: "a comma or another sign directly behind a move",
        "The sign is no part of the move, and is passed over. Programs that read only standard notation drop the move, or \
         stop there.\n\n\
         bad:  6. Bxe7, Qxe7\n\
         good: 6. Bxe7 Qxe7\n\n\
         Source: PGN standard, sections 7 and 8.2.3.";
    MARK_IN_PARENTHESES = "N271" "mark-in-parentheses" Note WarnIfStrict: "a mark of check or en passant in parentheses",
        "Parentheses are for variations. Programs that read only standard notation take the mark for a variation without \
         moves, or stop there.\n\n\
         bad:  3. exd6(e.p.) *\n\
         good: 3. exd6 *\n\n\
         Source: PGN standard, sections 8.2.3.5 and 8.2.5.";
    OTHER_PIECE_LETTERS = "N260" "other-piece-letters" Note WarnIfStrict: "moves in the letters of another language",
        "Every move of the main line is legal in these letters, and not in English ones, so the game is read in them. It is \
         noted once a game. `--piece-letters` names the letters for all games.\n\n\
         bad:  1. e4 e5 2. Sf3 Sc6 3. Lb5 *\n\
         good: 1. e4 e5 2. Nf3 Nc6 3. Bb5 *\n\n\
         Source: PGN standard, sections 8.2.3.2 and 17.";
}
