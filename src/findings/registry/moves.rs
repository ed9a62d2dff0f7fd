//! Family 2: movetext, moves and their notation.

use crate::findings::registry::{Rule, rules};
use crate::notation::NotationVariant;

rules! { Moves;
    ILLEGAL_MOVE = "E201" [suggested()]: "illegal move",
        "The message gives the reason. The replay stops here, so the moves after it are not \
         checked.\n\n\
         bad:  1. e4 e5 2. Ke3\n\
         good: 1. e4 e5 2. Ke2\n\n\
         Source: FIDE Laws of Chess (2023), art. 3.10; PGN standard, section 8.2.3.";
    AMBIGUOUS_MOVE = "E202" [suggested()]: "ambiguous move",
        "The notation does not identify the piece that moves. A piece that is pinned does not \
         make a move ambiguous. The replay stops here.\n\n\
         bad:  1. Nf3 d5 2. d3 e5 3. Nd2 (knights on b1 and f3 can go there)\n\
         good: 1. Nf3 d5 2. d3 e5 3. Nbd2\n\n\
         Source: PGN standard, section 8.2.3.4.";
    UNREADABLE_TOKEN = "E203" [suggested()]: "unreadable word in the movetext",
        "No word is dropped silently: an unreadable word ends the replay of its line, since \
         it may have been a move. In a variation it is a warning, and only the rest of the \
         variation is not checked.\n\n\
         bad:  1. e4 e5 2. Qx9\n\
         good: 1. e4 e5 2. Qh5\n\n\
         Source: PGN standard, section 8.2.3.";
    UNKNOWN_SYMBOL = "N204": "annotation symbol that is not in the PGN standard",
        "PGN has numeric annotation glyphs (NAGs) for assessments and remarks. The symbol is \
         ignored and the game is replayed.\n\n\
         bad:  12. Rad1 +/-\n\
         good: 12. Rad1 $16\n\n\
         Source: PGN standard, sections 8.2.4 and 10.";
    UNCLOSED_COMMENT = "E205": "unclosed comment",
        "The game is read up to the brace. The next game begins at the next blank line \
         followed by a tag pair.\n\n\
         bad:  1. e4 {best by test e5 1-0\n\
         good: 1. e4 {best by test} e5 1-0\n\n\
         Source: PGN standard, section 5.";
    UNCLOSED_VARIATION = "E206": "unclosed variation",
        "Everything from the parenthesis to the end of the game belongs to the variation, so \
         the main line ends before it.\n\n\
         bad:  1. e4 e5 (1... c5 2. Nf3 1-0\n\
         good: 1. e4 e5 (1... c5) 2. Nf3 1-0\n\n\
         Source: PGN standard, section 8.2.5.";
    STRAY_PARENTHESIS = "W207": "closing parenthesis without an opening one",
        "It is ignored.\n\n\
         bad:  1. e4 e5) 2. Nf3 *\n\
         good: 1. e4 e5 2. Nf3 *\n\n\
         Source: PGN standard, section 8.2.5.";
    STRAY_BRACE = "W208": "closing brace without an opening one",
        "It is ignored. Words between it and the previous comment are taken as part of that \
         comment, unless they include a move. If the comment contains another `{`, see W213.\n\n\
         bad:  1. e4 {best} by test} e5 *\n\
         good: 1. e4 {best by test} e5 *\n\n\
         Source: PGN standard, section 5.";
    UNFINISHED_GAME = "E209" [fixable()]: "game without a result mark",
        "The movetext ends without `1-0`, `0-1`, `1/2-1/2` or `*`, so the game may be \
         incomplete. A game without moves needs no result mark (N117).\n\n\
         bad:  1. e4 e5 2. Nf3\n\
         good: 1. e4 e5 2. Nf3 *\n\n\
         Source: PGN standard, section 8.2.6.";
    TEXT_AFTER_RESULT = "E210": "text other than a comment after the result mark",
        "The first result mark of the main line ends the game; moves after it are not \
         replayed. The first word after it is reported.\n\n\
         bad:  1. e4 e5 1-0 2. Nf3 *\n\
         good: 1. e4 e5 2. Nf3 1-0\n\n\
         Source: PGN standard, section 8.2.6.";
    NULL_MOVE = "E211": "null move in the main line",
        "Passing is illegal in chess. Null moves are a device of analysis; the replay stops \
         here, unless `--null-moves` is given. For variations see N229.\n\n\
         bad:  1. e4 -- 2. d4\n\
         good: 1. e4 d6 2. d4\n\n\
         Source: FIDE Laws of Chess (2023), art. 1.2.";
    TAG_IN_COMMENT = "E212": "line in a comment that looks like a tag pair",
        "The comment may lack its closing brace and extend into the next game, which is then \
         lost. (If the line is an Event tag, or follows a blank line, the comment is taken as \
         unclosed: E205.)\n\n\
         bad:  1. e4 {best by test\n      [White \"Morphy\"] …}\n\
         good: 1. e4 {best by test} e5 *\n\n\
         Source: PGN standard, section 5.";
    NESTED_COMMENT = "W213": "closing brace left over from a nested comment",
        "Comments do not nest: the first `}` ends a comment, regardless of any `{` in it. \
         Words between it and the second `}` are taken as part of the comment; if they \
         include a move, they are read as moves.\n\n\
         bad:  1. e4 {a {nested} comment} e5 *\n\
         good: 1. e4 {a nested comment} e5 *\n\n\
         Source: PGN standard, section 5.";
    NAG_OUT_OF_RANGE = "W214" [formerly("glyph-out-of-range")]: "NAG outside 0–255",
        "The glyph has no meaning and is ignored.\n\n\
         bad:  1. e4 $256 e5 *\n\
         good: 1. e4 $1 e5 *\n\n\
         Source: PGN standard, section 8.2.4.";
    WRONG_MOVE_NUMBER = "W215" [fixable()]: "wrong move number",
        "The moves are played as written; a number that jumps may indicate a missing or \
         doubled move. Reported at the first wrong number, and again only if the offset \
         changes. Numbers may be missing or superfluous (see N216, N217), but not wrong. A number \
         before no move, or with decimals, may be a time or an evaluation, and stays as it is.\n\n\
         bad:  1. e4 e5 3. Nf3 Nc6 4. Bb5 *\n\
         good: 1. e4 e5 2. Nf3 Nc6 3. Bb5 *\n\n\
         Source: PGN standard, section 8.2.2.";
    MISSING_MOVE_NUMBER = "N216" [strict_only()]: "missing move number",
        "Every move of White has its number before it; a move of Black has one after a \
         comment or variation, and at the beginning of a line of play.\n\n\
         bad:  1. e4 e5 Nf3 Nc6 *\n\
         good: 1. e4 e5 2. Nf3 Nc6 *\n\n\
         Source: PGN standard, section 8.2.2.2.";
    SUPERFLUOUS_MOVE_NUMBER = "N217" [strict_only()]: "superfluous move number",
        "A move of Black directly after White's has no number of its own.\n\n\
         bad:  1. e4 1... e5 2. Nf3 *\n\
         good: 1. e4 e5 2. Nf3 *\n\n\
         Source: PGN standard, section 8.2.2.2.";
    MOVE_NUMBER_FORM = "N218" [strict_only()]: "move number without its one or three periods",
        "In the export format one period directly follows the number of White's move, and \
         three periods that of Black's.\n\n\
         bad:  1 e4 e5 2 .Nf3 *\n\
         good: 1. e4 e5 2. Nf3 *\n\n\
         Source: PGN standard, section 8.2.2.2.";
    ESCAPE_LINE = "N219" [strict_only()]: "line that begins with `%`",
        "The line is not PGN and is ignored; other programs may not recognise it.\n\n\
         bad:  %eval 0.3\n\
         good: {[%eval 0.3]}\n\n\
         Source: PGN standard, section 6.";
    LONG_LINE = "N220" [strict_only()]: "line of movetext with 80 or more characters",
        "Lines of movetext have fewer than 80 characters in the export format. Tag pairs may \
         be longer.\n\n\
         bad:  (a game on one line)\n\
         good: (lines of up to 79 characters)\n\n\
         Source: PGN standard, sections 4.3 and 8.2.1.";
    TAB = "N221" [strict_only()]: "tab",
        "Tabs are not permitted in the export format.\n\n\
         bad:  1. e4\te5 (with a tab)\n\
         good: 1. e4 e5 *\n\n\
         Source: PGN standard, section 4.2.";
    PART_OF_GAME = "E222": "movetext without tags that begins in the middle of a game",
        "The text has no tags, begins with a later move or consists of a result only, and \
         does not continue the moves before it. It is not replayed, since its initial \
         position is unknown. For a game that a blank line merely cuts in two, see W262.\n\n\
         bad:  1. e4 e5 1-0\n      \n      17. Bb5 *\n\
         good: [SetUp \"1\"]\n      [FEN \"…\"]\n      \n      17. Bb5 *\n\n\
         Source: PGN standard, sections 8 and 8.2.1.";
    VARIATION_WITHOUT_MOVE = "W223": "variation without a move to replace",
        "A variation replaces the move before it. This one is at the beginning of a line of \
         play, and is not checked.\n\n\
         bad:  (1. d4 d5) 1. e4 e5 *\n\
         good: 1. e4 (1. d4 d5) 1... e5 *\n\n\
         Source: PGN standard, section 8.2.5.";
    EMPTY_VARIATION = "N224": "empty variation",
        "A variation has one move or more. Text without moves belongs in a comment.\n\n\
         bad:  1. e4 ({a good move}) 1... e5 *\n\
         good: 1. e4 {a good move} 1... e5 *\n\n\
         Source: PGN standard, section 8.2.5.";
    DEEP_VARIATION = "N225": "variation nested too deeply",
        "Variations are checked to a depth of 256.\n\n\
         bad:  (a thousand parentheses in one another)\n\
         good: 1. e4 e5 (1... c5 2. Nf3 (2. c3)) 2. Nf3 *\n\n\
         Source: PGN standard, section 8.2.5 (variations may be nested; no depth is given).";
    SUFFIX_ANNOTATION = "N226" [strict_only()]: "`!` or `?` instead of a NAG",
        "`!` `?` `!!` `??` `!?` `?!` stand for `$1` to `$6`.\n\n\
         bad:  1. e4! e5 *\n\
         good: 1. e4 $1 e5 *\n\n\
         Source: PGN standard, section 8.2.3.8.";
    DRAW_OFFER_SIGN = "N227" [strict_only()]: "`(=)`, the scoresheet sign for a draw offer",
        "PGN has no such sign; other programs read it as a variation without moves.\n\n\
         bad:  24. Rd1 (=) Rd8 *\n\
         good: 24. Rd1 {offers a draw} 24... Rd8 *\n\n\
         Source: FIDE Laws of Chess (2023), appendix C.12; PGN standard, section 8.2.5.";
    SPACE_AT_LINE_END = "N228" [strict_only()]: "line that begins or ends with a space",
        "In the export format a line of movetext neither begins nor ends with a space.\n\n\
         bad:  1. e4 e5 (and a blank)\n\
         good: 1. e4 e5\n\n\
         Source: PGN standard, section 8.2.1.";
    PASSED_NULL_MOVE = "N229": "null move in a variation, or with --null-moves",
        "Annotators use it to show a threat. The side to move passes and the line continues, \
         unless it is in check (then E211, one severity lower).\n\n\
         bad:  1. e4 e5 (1... -- 2. d4) 2. Nf3 *\n\
         good: 1. e4 e5 {threatens d4} 2. Nf3 *\n\n\
         Source: FIDE Laws of Chess (2023), art. 1.2; the sign `--` is ChessBase's.";
    MISSING_CHECK_MARK = "N230" [strict_only(), fixable()]: "check without `+`",
        "The position shows the check, but the mark is part of the notation.\n\n\
         bad:  1. e4 e5 2. Qh5 Nc6 3. Qxf7 *\n\
         good: 1. e4 e5 2. Qh5 Nc6 3. Qxf7+ *\n\n\
         Source: PGN standard, section 8.2.3.5.";
    SPURIOUS_CHECK_MARK = "N231" [warn_if_strict(), fixable()]: "`+` without check",
        "The mark is wrong, or a different move was played.\n\n\
         bad:  1. e4 e5 2. Nf3+ *\n\
         good: 1. e4 e5 2. Nf3 *\n\n\
         Source: PGN standard, section 8.2.3.5.";
    MISSING_MATE_MARK = "N232" [strict_only(), fixable()]: "checkmate without `#`",
        "The position shows the mate, but the mark is part of the notation.\n\n\
         bad:  1. f3 e5 2. g4 Qh4 0-1\n\
         good: 1. f3 e5 2. g4 Qh4# 0-1\n\n\
         Source: PGN standard, section 8.2.3.5.";
    SPURIOUS_MATE_MARK = "N233" [warn_if_strict(), fixable()]: "`#` without check",
        "The mark is wrong, or a different move was played.\n\n\
         bad:  1. e4 e5 2. Qh5# *\n\
         good: 1. e4 e5 2. Qh5 *\n\n\
         Source: PGN standard, section 8.2.3.5.";
    CHECK_MARK_FOR_MATE = "N234" [strict_only(), fixable()]: "checkmate marked with `+`",
        "Some traditions mark checkmate like check.\n\n\
         bad:  1. f3 e5 2. g4 Qh4+ 0-1\n\
         good: 1. f3 e5 2. g4 Qh4# 0-1\n\n\
         Source: PGN standard, section 8.2.3.5.";
    MATE_MARK_FOR_CHECK = "N235" [warn_if_strict(), fixable()]:
        "`#` for a check that can be answered",
        "A legal move answers the check: the mark is wrong, or an earlier move differs from \
         the one played.\n\n\
         bad:  1. e4 e5 2. Qh5 Nc6 3. Qxf7# *\n\
         good: 1. e4 e5 2. Qh5 Nc6 3. Qxf7+ *\n\n\
         Source: PGN standard, section 8.2.3.5.";
    OTHER_CHECK_MARK = "N236" [warn_if_strict(), fixable()]:
        "check or mate marked other than with `+` or `#`",
        "`++` means mate to some and double check to others; `ch` and `mate` are words. \
         Programs that read only standard notation drop the move, or stop there.\n\n\
         bad:  1. f3 e5 2. g4 Qh4++ 0-1\n\
         good: 1. f3 e5 2. g4 Qh4# 0-1\n\n\
         Source: PGN standard, section 8.2.3.5; FIDE Laws of Chess (2023), appendix C.13.";
    MISSING_CAPTURE_MARK = "N237" [warn_if_strict(), fixable()]: "capture without `x`",
        "The mark is optional in FIDE's notation and required in PGN.\n\n\
         bad:  1. e4 d5 2. ed5 *\n\
         good: 1. e4 d5 2. exd5 *\n\n\
         Source: PGN standard, section 8.2.3.3; FIDE Laws of Chess (2023), appendix C.9.";
    SPURIOUS_CAPTURE_MARK = "N238" [warn_if_strict(), suggested()]: "`x` without a capture",
        "The mark is wrong, or an earlier move differs from the one played. A pawn that \
         captures nothing makes no legal move (E201).\n\n\
         bad:  1. e4 e5 2. Nxf3 *\n\
         good: 1. e4 e5 2. Nf3 *\n\n\
         Source: PGN standard, section 8.2.3.3.";
    OTHER_CAPTURE_MARK = "N239" [warn_if_strict(), fixable()]: "capture marked other than with `x`",
        "Older texts use `:` or `×`. Programs that read only standard notation drop the move, \
         or stop there.\n\n\
         bad:  1. e4 d5 2. e:d5 *\n\
         good: 1. e4 d5 2. exd5 *\n\n\
         Source: PGN standard, section 8.2.3.3.";
    NEEDLESS_FILE = "N240" [strict_only(), fixable()]: "needless file of origin",
        "No other piece of this kind can legally go there.\n\n\
         bad:  1. Ngf3 *\n\
         good: 1. Nf3 *\n\n\
         Source: PGN standard, section 8.2.3.4.";
    NEEDLESS_RANK = "N241" [strict_only(), fixable()]: "needless rank of origin",
        "No other piece of this kind can legally go there.\n\n\
         bad:  1. N1f3 *\n\
         good: 1. Nf3 *\n\n\
         Source: PGN standard, section 8.2.3.4.";
    NEEDLESS_SQUARE = "N242" [strict_only(), fixable()]: "needless square of origin",
        "File and rank are given together only if neither is enough.\n\n\
         bad:  1. Ng1f3 *\n\
         good: 1. Nf3 *\n\n\
         Source: PGN standard, section 8.2.3.4.";
    RANK_FOR_FILE = "N243" [strict_only(), fixable()]: "rank of origin where the file suffices",
        "If either tells the pieces apart, the file is given.\n\n\
         bad:  1. Nf3 d5 2. d3 e5 3. N1d2 *\n\
         good: 1. Nf3 d5 2. d3 e5 3. Nbd2 *\n\n\
         Source: PGN standard, section 8.2.3.4.";
    LONG_ALGEBRAIC = "N244" [warn_if_strict(), fixable()]: "long algebraic notation",
        "It names both squares. Programs that read only standard notation drop the move, or \
         stop there. Reported once per game, with the number of such moves.\n\n\
         bad:  1. e2-e4 e7-e5 2. Ng1-f3 *\n\
         good: 1. e4 e5 2. Nf3 *\n\n\
         Source: PGN standard, section 8.2.3.6.";
    UCI_NOTATION = "N245" [warn_if_strict(), fixable()]: "UCI notation",
        "It names squares only, and castling by the squares of the king. Programs that read \
         only standard notation take it for a pawn move. Reported once per game, with the \
         number of such moves.\n\n\
         bad:  1. e2e4 e7e5 2. g1f3 *\n\
         good: 1. e4 e5 2. Nf3 *\n\n\
         Source: PGN standard, section 8.2.3; UCI protocol (2006), move format.";
    CASTLING_WITH_ZEROS = "N246" [strict_only(), fixable()]: "castling with zeros",
        "FIDE's notation has zeros; PGN has the capital letter O.\n\n\
         bad:  4. 0-0 Nf6\n\
         good: 4. O-O Nf6\n\n\
         Source: PGN standard, section 8.2.3.3; FIDE Laws of Chess (2023), appendix C.13.";
    OTHER_CASTLING = "N247" [warn_if_strict(), fixable()]:
        "castling with lower-case letters, or letters and \
        zeros",
        "Programs that read only standard notation drop the move, or castle to the wrong \
         side.\n\n\
         bad:  4. o-o Nf6\n\
         good: 4. O-O Nf6\n\n\
         Source: PGN standard, section 8.2.3.3.";
    PAWN_LETTER = "N248" [strict_only(), fixable()]: "pawn move with `P`",
        "A move without a piece letter is a pawn move.\n\n\
         bad:  1. Pe4 *\n\
         good: 1. e4 *\n\n\
         Source: PGN standard, section 8.2.3.2.";
    PROMOTION_WITHOUT_EQUALS = "N249" [warn_if_strict(), fixable()]: "promotion without `=`",
        "`e8Q` is FIDE's notation; `e8(Q)` and `e8/Q` are older. Programs that read only \
         standard notation drop the move, or stop there.\n\n\
         bad:  50. e8Q\n\
         good: 50. e8=Q\n\n\
         Source: PGN standard, section 8.2.3.3; FIDE Laws of Chess (2023), appendix C.11.";
    LOWER_CASE_PROMOTION = "N250" [strict_only(), fixable()]: "lower-case promotion letter",
        "Piece letters are upper-case.\n\n\
         bad:  50. e8=q\n\
         good: 50. e8=Q\n\n\
         Source: PGN standard, section 8.2.3.3.";
    LOWER_CASE_PIECE = "W251" [fixable()]: "lower-case piece letter",
        "`nf3` is read as a knight move, the only interpretation. `b` is a file wherever a \
         pawn can make the move, and the bishop only where none can.\n\n\
         bad:  1. e4 e5 2. nf3 *\n\
         good: 1. e4 e5 2. Nf3 *\n\n\
         Source: PGN standard, sections 8.2.3.2 and 8.2.3.7.";
    UPPER_CASE_FILE = "W252" [fixable()]: "upper-case file letter",
        "Upper-case letters are pieces, so `B` before a lower-case file is always a bishop.\n\n\
         bad:  1. E4 e5 2. NF3 *\n\
         good: 1. e4 e5 2. Nf3 *\n\n\
         Source: PGN standard, sections 8.2.3.1 and 8.2.3.7.";
    EN_PASSANT_MARK = "N253" [strict_only(), fixable()]: "`e.p.` after a capture en passant",
        "Scoresheets may have it; PGN does not.\n\n\
         bad:  3. exd6 e.p.\n\
         good: 3. exd6\n\n\
         Source: PGN standard, section 8.2.3.3; FIDE Laws of Chess (2023), appendix C.9.";
    SPURIOUS_EN_PASSANT_MARK = "N254" [warn_if_strict(), suggested()]:
        "`e.p.` after a move that is not a \
        capture en passant",
        "The mark is wrong, or an earlier move differs from the one played.\n\n\
         bad:  1. e4 d5 2. exd5 e.p. *\n\
         good: 1. e4 d5 2. exd5 *\n\n\
         Source: FIDE Laws of Chess (2023), art. 3.7.3.1 and appendix C.9.";
    OTHER_DASH = "N255" [warn_if_strict(), fixable()]: "dash other than the hyphen",
        "A word processor has replaced the hyphen. Programs that read only standard notation \
         drop the move, or stop there.\n\n\
         bad:  4. O–O Nf6\n\
         good: 4. O-O Nf6\n\n\
         Source: PGN standard, sections 4.1 and 8.2.3.3.";
    OTHER_PIECE_LETTERS = "N260" [warn_if_strict(), fixable()]: "piece letters of another language",
        "Every move of the main line is legal in these letters, and not in English ones, so \
         the game is read in them. Reported once per game. `--piece-letters` sets the letters \
         for all games.\n\n\
         bad:  1. e4 e5 2. Sf3 Sc6 3. Lb5 *\n\
         good: 1. e4 e5 2. Nf3 Nc6 3. Bb5 *\n\n\
         Source: PGN standard, sections 8.2.3.2 and 17.";
    BRACE_IN_COMMENT = "N261" [warn_if_strict()]: "opening brace in a comment",
        "The brace is ordinary text, as comments do not nest. Often the previous comment \
         lacks its closing brace, and the moves between the two have become part of it. If a \
         second `}` follows, see W213.\n\n\
         bad:  1. e4 {best by test 1... e5 {the old reply} *\n\
         good: 1. e4 {best by test} 1... e5 {the old reply} *\n\n\
         Source: PGN standard, section 5.";
    BLANK_LINE = "W262": "blank line in the movetext",
        "Many programs end the game at the blank line. The text after it has no tags and \
         continues the moves, so it is read as the rest of the game. Reported once per game. \
         If it does not continue them, see E222.\n\n\
         bad:  1. e4 e5 2. Nf3\n      \n      2... Nc6 3. Bb5 *\n\
         good: 1. e4 e5 2. Nf3\n      2... Nc6 3. Bb5 *\n\n\
         Source: PGN standard, section 8.2.1 (an empty line ends the movetext of the export \
         format).";
    BLANK_OUTSIDE_ASCII = "W263" [fixable()]: "blank outside ASCII in the movetext",
        "A no-break space, or another space of Unicode, as web pages and word processors have \
         it. It is read as a space; other programs read the words around it as one, which is \
         no move.\n\n\
         bad:  1. e4(U+00A0)e5 2.(U+00A0)Nf3 *\n\
         good: 1. e4 e5 2. Nf3 *\n\n\
         Source: PGN standard, sections 4 and 8.2 (movetext is of printing ASCII characters and \
         white space).";
    PAWN_OR_BISHOP = "W264": "pawn move that may be a bishop's",
        "The word has no capital, so that it is read as a move of the b-pawn, and the pawn can \
         make it. A bishop can go there, too. SAN names the file of a pawn only in captures, with \
         `x`.\n\n\
         bad:  1. d4 d5 2. Bd2 b6 3. bb4 *\n\
         good: 1. d4 d5 2. Bd2 b6 3. Bb4 *\n\n\
         Source: PGN standard, sections 8.2.3.2 and 8.2.3.3.";
    SIGN_BEHIND_MOVE = "N270" [warn_if_strict(), fixable()]:
        "comma or other punctuation directly after a \
        move",
        "The sign is not part of the move and is ignored. Programs that read only standard \
         notation drop the move, or stop there.\n\n\
         bad:  6. Bxe7, Qxe7\n\
         good: 6. Bxe7 Qxe7\n\n\
         Source: PGN standard, sections 7 and 8.2.3.";
    MARK_IN_PARENTHESES = "N271" [warn_if_strict(), fixable()]:
        "check or en passant mark in parentheses",
        "Parentheses enclose variations. Programs that read only standard notation take the \
         mark for a variation without moves, or stop there.\n\n\
         bad:  3. exd6(e.p.) *\n\
         good: 3. exd6 *\n\n\
         Source: PGN standard, sections 8.2.3.5 and 8.2.5.";
    READERS_DISAGREE = "E299" [optional()]: "text that pgn-reader reads in another way",
        "A program that reads games with pgn-reader has other tags, moves, variations or results \
         from here on. Comments and glyphs are not compared. Reported with `--cross-check`. In a \
         game without any other finding it may be a bug in one of the two readers: please report \
         it.\n\n\
         bad:  {A comment.} (a blank line) 1. e4 e5 *\n\
         good: {A comment.} 1. e4 e5 *\n\n\
         Source: pgn-reader 0.29.";
}

/// A deviation from standard notation.
pub(crate) struct Deviation {
    /// The rule.
    pub(crate) rule: &'static Rule,
    /// True for a slip at one move. Other variants are a style of the whole text.
    pub(crate) is_slip: bool,
    /// The fault in words that follow the move.
    pub(crate) fault: &'static str,
}

/// The deviation of each variant of notation.
pub(crate) fn deviation(variant: NotationVariant) -> Deviation {
    use NotationVariant as V;
    let slip = |rule, fault| Deviation {
        rule,
        is_slip: true,
        fault,
    };
    let style = |rule, fault| Deviation {
        rule,
        is_slip: false,
        fault,
    };
    match variant {
        V::MissingCheckMark => style(&MISSING_CHECK_MARK, "gives check, but lacks `+`"),
        V::MissingMateMark => style(&MISSING_MATE_MARK, "mates, but lacks `#`"),
        V::SpuriousCheckMark => slip(&SPURIOUS_CHECK_MARK, "has `+`, but gives no check"),
        V::SpuriousMateMark => slip(&SPURIOUS_MATE_MARK, "has `#`, but gives no check"),
        V::CheckMarkForMate => style(&CHECK_MARK_FOR_MATE, "mates, but is marked with `+`"),
        V::MateMarkForCheck => slip(
            &MATE_MARK_FOR_CHECK,
            "is marked with `#`, but the check can be answered",
        ),
        V::OddCheckMark => style(
            &OTHER_CHECK_MARK,
            "marks check other than with `+` or `#` at the move",
        ),
        V::MissingCaptureMark => style(&MISSING_CAPTURE_MARK, "captures, but lacks `x`"),
        V::SpuriousCaptureMark => slip(&SPURIOUS_CAPTURE_MARK, "has `x`, but captures nothing"),
        V::OddCaptureMark => style(&OTHER_CAPTURE_MARK, "marks the capture other than with `x`"),
        V::NeedlessFile => style(&NEEDLESS_FILE, "has a needless file of origin"),
        V::NeedlessRank => style(&NEEDLESS_RANK, "has a needless rank of origin"),
        V::NeedlessSquare => style(&NEEDLESS_SQUARE, "has a needless square of origin"),
        V::RankForFile => style(
            &RANK_FOR_FILE,
            "has a rank of origin where the file suffices",
        ),
        V::LongAlgebraic => style(&LONG_ALGEBRAIC, "is long algebraic notation"),
        V::Uci => style(&UCI_NOTATION, "is UCI notation"),
        V::CastlingWithZeros => style(&CASTLING_WITH_ZEROS, "is castling with zeros"),
        V::OddCastling => style(
            &OTHER_CASTLING,
            "is castling with characters other than `O`",
        ),
        V::PawnLetter => style(&PAWN_LETTER, "has a letter for the pawn"),
        V::PromotionWithoutEquals => style(&PROMOTION_WITHOUT_EQUALS, "is a promotion without `=`"),
        V::LowerCasePromotion => style(&LOWER_CASE_PROMOTION, "has a lower-case promotion letter"),
        V::LowerCasePiece => style(&LOWER_CASE_PIECE, "has a lower-case piece letter"),
        V::UpperCaseFile => style(&UPPER_CASE_FILE, "has an upper-case file letter"),
        V::EnPassantMark => style(&EN_PASSANT_MARK, "marks a capture en passant"),
        V::SpuriousEnPassantMark => slip(
            &SPURIOUS_EN_PASSANT_MARK,
            "marks a capture en passant, but is not one",
        ),
        V::OddDash => style(&OTHER_DASH, "has a dash other than the hyphen"),
        V::SignBehindMove => style(
            &SIGN_BEHIND_MOVE,
            "ends with a character that is not part of a move",
        ),
        V::MarkInParentheses => style(&MARK_IN_PARENTHESES, "has a mark in parentheses"),
        V::PawnOrBishop => slip(
            &PAWN_OR_BISHOP,
            "is read as a pawn move, and may be a bishop's",
        ),
    }
}
