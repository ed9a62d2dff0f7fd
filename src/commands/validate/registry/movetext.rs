//! Family 2, movetext: the text between the tag pairs and the result.

use crate::commands::validate::registry::rules;

rules! {
    UNREADABLE_TOKEN = "E203" "unreadable-token" Error: "a word in the movetext that is no move",
        "Nothing is dropped in silence: a word that cannot be read stops the line it stands in, since it may have been a \
         move. In a variation it is a warning, and only the rest of the variation is not checked.\n\n\
         bad:  1. e4 e5 2. Qx9\n\
         good: 1. e4 e5 2. Qh5\n\n\
         Source: PGN standard, section 8.2.3.";
    UNKNOWN_SYMBOL = "N204" "unknown-symbol" Note: "a sign of annotation that is not in the PGN standard",
        "Assessments and remarks have numeric glyphs in PGN. The sign is passed over and the game is replayed.\n\n\
         bad:  12. Rad1 +/-\n\
         good: 12. Rad1 $16\n\n\
         Source: PGN standard, sections 8.2.4 and 10.";
    UNCLOSED_COMMENT = "E205" "unclosed-comment" Error: "a comment whose closing brace is missing",
        "The game is read up to the brace. The next game is found at the next blank line that a tag pair follows.\n\n\
         bad:  1. e4 {best by test e5 1-0\n\
         good: 1. e4 {best by test} e5 1-0\n\n\
         Source: PGN standard, section 5.";
    UNCLOSED_VARIATION = "E206" "unclosed-variation" Error: "a variation whose closing parenthesis is missing",
        "Everything from the parenthesis to the end of the game belongs to the variation, so that the main line ends \
         before it.\n\n\
         bad:  1. e4 e5 (1... c5 2. Nf3 1-0\n\
         good: 1. e4 e5 (1... c5) 2. Nf3 1-0\n\n\
         Source: PGN standard, section 8.2.5.";
    STRAY_PARENTHESIS = "W207" "stray-parenthesis" Warning: "a closing parenthesis that closes nothing",
        "It is passed over.\n\n\
         bad:  1. e4 e5) 2. Nf3 *\n\
         good: 1. e4 e5 2. Nf3 *\n\n\
         Source: PGN standard, section 8.2.5.";
    STRAY_BRACE = "W208" "stray-brace" Warning: "a closing brace that closes nothing",
        "It is passed over. Words between it and the comment before it are taken for a part of that comment, unless a move is \
         among them. Where the comment has another `{` in it, see W213.\n\n\
         bad:  1. e4 {best} by test} e5 *\n\
         good: 1. e4 {best by test} e5 *\n\n\
         Source: PGN standard, section 5.";
    UNFINISHED_GAME = "E209" "unfinished-game" Error: "a game without a result mark at its end",
        "The movetext ends without `1-0`, `0-1`, `1/2-1/2` or `*`, so that nobody can tell whether it is whole. A game \
         without moves has none to end (N117).\n\n\
         bad:  1. e4 e5 2. Nf3\n\
         good: 1. e4 e5 2. Nf3 *\n\n\
         Source: PGN standard, section 8.2.6.";
    TEXT_AFTER_RESULT = "E210" "text-after-result" Error: "anything but a comment after the result mark",
        "The first result mark of the main line ends the game; moves behind it are not replayed. The first word behind it is \
         reported, whatever it is.\n\n\
         bad:  1. e4 e5 1-0 2. Nf3 *\n\
         good: 1. e4 e5 2. Nf3 1-0\n\n\
         Source: PGN standard, section 8.2.6.";
    TAG_IN_COMMENT = "E212" "tag-in-comment" Error: "a line in a comment that looks like a tag pair",
        "The comment may lack its closing brace and have run on into the next game, which is then lost in it. (Where the \
         line is an Event tag, or follows a blank line, the comment is taken to be unclosed: E205.)\n\n\
         bad:  1. e4 {best by test\n      [White \"Morphy\"] …}\n\
         good: 1. e4 {best by test} e5 *\n\n\
         Source: PGN standard, section 5.";
    NESTED_COMMENT = "W213" "nested-comment" Warning: "a closing brace left over from a comment within a comment",
        "Comments do not nest: the first `}` ends a comment, however many `{` it holds. Words between it and the second \
         `}` are taken to belong to the comment; if a move is among them they are read as moves.\n\n\
         bad:  1. e4 {a {nested} comment} e5 *\n\
         good: 1. e4 {a nested comment} e5 *\n\n\
         Source: PGN standard, section 5.";
    NAG_OUT_OF_RANGE = "W214" "glyph-out-of-range" Warning: "a `$` without a number from 0 to 255",
        "It stands for no annotation, and is passed over.\n\n\
         bad:  1. e4 $256 e5 *\n\
         good: 1. e4 $1 e5 *\n\n\
         Source: PGN standard, section 8.2.4.";
    WRONG_MOVE_NUMBER = "W215" "wrong-move-number" Warning: "a move number that is not that of the move behind it",
        "The moves are played as they stand; a number that jumps may show that one is missing or doubled. Reported where \
         the numbers go wrong, and again only where they change their distance from the truth. Numbers may be left out \
         or be superfluous (see N216, N217), but not wrong.\n\n\
         bad:  1. e4 e5 3. Nf3 Nc6 4. Bb5 *\n\
         good: 1. e4 e5 2. Nf3 Nc6 3. Bb5 *\n\n\
         Source: PGN standard, section 8.2.2.";
    MISSING_MOVE_NUMBER = "N216" "missing-move-number" Note StrictOnly: "a move without the number that the export format asks for",
        "Every move of White has its number before it; a move of Black has one if a comment or a variation stands before \
         it, or if a line begins with it.\n\n\
         bad:  1. e4 e5 Nf3 Nc6 *\n\
         good: 1. e4 e5 2. Nf3 Nc6 *\n\n\
         Source: PGN standard, section 8.2.2.2.";
    SUPERFLUOUS_MOVE_NUMBER = "N217" "superfluous-move-number" Note StrictOnly: "a move number that the export format leaves out",
        "A move of Black that directly follows White's has no number of its own.\n\n\
         bad:  1. e4 1... e5 2. Nf3 *\n\
         good: 1. e4 e5 2. Nf3 *\n\n\
         Source: PGN standard, section 8.2.2.2.";
    MOVE_NUMBER_FORM = "N218" "move-number-form" Note StrictOnly: "a move number without its one or three points",
        "In the export format one point follows the number of White's move at once, and three points that of Black's.\n\n\
         bad:  1 e4 e5 2 .Nf3 *\n\
         good: 1. e4 e5 2. Nf3 *\n\n\
         Source: PGN standard, section 8.2.2.2.";
    ESCAPE_LINE = "N219" "escape-line" Note StrictOnly: "a line that begins with `%`",
        "What stands on it is no PGN and is passed over; other programs may know it, and may not.\n\n\
         bad:  %eval 0.3\n\
         good: {[%eval 0.3]}\n\n\
         Source: PGN standard, section 6.";
    LONG_LINE = "N220" "long-line" Note StrictOnly: "a line of movetext with 80 or more characters",
        "Lines of movetext have less than 80 characters in the export format. Tag pairs may be longer.\n\n\
         bad:  (a game on one line)\n\
         good: (lines of up to 79 characters)\n\n\
         Source: PGN standard, sections 4.3 and 8.2.1.";
    TAB = "N221" "tab" Note StrictOnly: "a tab",
        "Tabs are not permitted in the export format.\n\n\
         bad:  1. e4\te5 (with a tab)\n\
         good: 1. e4 e5 *\n\n\
         Source: PGN standard, section 4.2.";
    PART_OF_GAME = "E222" "part-of-game" Error: "movetext without tag pairs that begins in the middle of a game",
        "The text has no tag pairs and begins with a later move, or is nothing but a result, and it does not go on from \
         where the moves before it stop. It is not replayed, since its first position is unknown. Where a blank line \
         has only cut a game in two, see W262.\n\n\
         bad:  1. e4 e5 1-0\n      \n      17. Bb5 *\n\
         good: [SetUp \"1\"]\n      [FEN \"…\"]\n      \n      17. Bb5 *\n\n\
         Source: PGN standard, sections 8 and 8.2.1.";
    VARIATION_WITHOUT_MOVE = "W223" "variation-without-move" Warning: "a variation where there is no move that it could replace",
        "A variation begins before the move that stands before it. This one stands at the beginning of a line, and is \
         not checked.\n\n\
         bad:  (1. d4 d5) 1. e4 e5 *\n\
         good: 1. e4 (1. d4 d5) 1... e5 *\n\n\
         Source: PGN standard, section 8.2.5.";
    EMPTY_VARIATION = "N224" "empty-variation" Note: "a variation without moves",
        "A variation has one move or more. What should only be said belongs in a comment.\n\n\
         bad:  1. e4 ({a good move}) 1... e5 *\n\
         good: 1. e4 {a good move} 1... e5 *\n\n\
         Source: PGN standard, section 8.2.5.";
    DEEP_VARIATION = "N225" "deep-variation" Note: "a variation nested too deeply to be checked",
        "Variations are checked to a depth of 256.\n\n\
         bad:  (a thousand parentheses in one another)\n\
         good: 1. e4 e5 (1... c5 2. Nf3 (2. c3)) 2. Nf3 *\n\n\
         Source: PGN standard, section 8.2.5 (variations may be nested; no depth is given).";
    SUFFIX_ANNOTATION = "N226" "suffix-annotation" Note StrictOnly: "a move with `!` or `?` where the export format has a glyph",
        "`!` `?` `!!` `??` `!?` `?!` stand for `$1` to `$6`.\n\n\
         bad:  1. e4! e5 *\n\
         good: 1. e4 $1 e5 *\n\n\
         Source: PGN standard, section 8.2.3.8.";
    DRAW_OFFER_SIGN = "N227" "draw-offer-sign" Note StrictOnly: "`(=)`, by which scoresheets record the offer of a draw",
        "PGN has no sign for it; to other programs it is a variation without moves.\n\n\
         bad:  24. Rd1 (=) Rd8 *\n\
         good: 24. Rd1 {offers a draw} 24... Rd8 *\n\n\
         Source: FIDE Laws of Chess (2023), appendix C.12; PGN standard, section 8.2.5.";
    SPACE_AT_LINE_END = "N228" "space-at-line-end" Note StrictOnly: "a line that begins or ends with a blank",
        "Neither the first nor the last character of a line of movetext is a blank in the export format.\n\n\
         bad:  1. e4 e5 (and a blank)\n\
         good: 1. e4 e5\n\n\
         Source: PGN standard, section 8.2.1.";
    BRACE_IN_COMMENT = "N261" "brace-in-comment" Note WarnIfStrict: "an opening brace inside a comment",
        "The brace is text like any other, as comments do not nest. Often it is the comment before it that lacks its closing \
         brace, and moves between the two have become a part of it. Where a second `}` follows, see W213.\n\n\
         bad:  1. e4 {best by test 1... e5 {the old reply} *\n\
         good: 1. e4 {best by test} 1... e5 {the old reply} *\n\n\
         Source: PGN standard, section 5.";
    BLANK_LINE = "W262" "blank-line" Warning: "a blank line inside the movetext",
        "To many programs the game ends at the blank line. What follows has no tag pairs and goes on from where the moves stop, \
         so it is read as the rest of the game. Told once for each game. Where it does not go on from there, see E222.\n\n\
         bad:  1. e4 e5 2. Nf3\n      \n      2... Nc6 3. Bb5 *\n\
         good: 1. e4 e5 2. Nf3\n      2... Nc6 3. Bb5 *\n\n\
         Source: PGN standard, section 8.2.1 (an empty line ends the movetext of the export format).";
    READERS_DISAGREE = "E299" "readers-disagree" Error: "the two readers of movetext do not agree",
        "A game with any fault in its text is read twice, by arbiter's own scan and by pgn-reader. Where they differ the game \
         is stopped and reported: this is a defect of arbiter, not of the game.\n\n\
         Source: none; please report it.";
}
