//! Family 2, movetext: the text between the tag pairs and the result.

use crate::commands::validate::registry::rules;

rules! { Moves;
    UNREADABLE_TOKEN = "E203": "unreadable word in the movetext",
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
    UNFINISHED_GAME = "E209": "game without a result mark",
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
    WRONG_MOVE_NUMBER = "W215": "wrong move number",
        "The moves are played as written; a number that jumps may indicate a missing or \
         doubled move. Reported at the first wrong number, and again only if the offset \
         changes. Numbers may be missing or superfluous (see N216, N217), but not wrong.\n\n\
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
    READERS_DISAGREE = "E299": "disagreement between the two readers of movetext",
        "A game with any fault in its text is read twice, by arbiter's own scanner and by \
         pgn-reader. If they differ, the game is stopped and reported: this is a bug in \
         arbiter, not in the game.\n\n\
         Source: none; please report it.";
}
