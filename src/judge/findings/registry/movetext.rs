//! Family 2, movetext: the text between the tag pairs and the result.

use super::rules;

rules! {
    UNREADABLE_TOKEN = "E203" "unreadable-token" Error: "a word in the movetext that is no move",
        "Nothing is dropped in silence: a word that cannot be read stops the replay if it stands in the main line, \
         since it may have been a move.\n\n\
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
        "Comments do not nest: the first `}` ends a comment, however many `{` it holds.\n\n\
         bad:  1. e4 {a {nested} comment} e5 *\n\
         good: 1. e4 {a nested comment} e5 *\n\n\
         Source: PGN standard, section 5.";
    UNFINISHED_GAME = "E209" "unfinished-game" Error: "a game without a result mark at its end",
        "The movetext ends without `1-0`, `0-1`, `1/2-1/2` or `*`, so that nobody can tell whether it is whole. A blank \
         line inside the movetext has the same effect, as it ends the game.\n\n\
         bad:  1. e4 e5 2. Nf3\n\
         good: 1. e4 e5 2. Nf3 *\n\n\
         Source: PGN standard, section 8.2.6.";
    TEXT_AFTER_RESULT = "E210" "text-after-result" Error: "moves or a second result after the result mark",
        "The first result mark of the main line ends the game; the moves behind it are not replayed.\n\n\
         bad:  1. e4 e5 1-0 2. Nf3 *\n\
         good: 1. e4 e5 2. Nf3 1-0\n\n\
         Source: PGN standard, section 8.2.6.";
    TAG_IN_COMMENT = "E212" "tag-in-comment" Error: "a line in a comment that looks like a tag pair",
        "The comment may lack its closing brace and have run on into the next game, which is then lost in it. (Where the \
         line is an Event tag, or follows a blank line, the comment is taken to be unclosed: E205.)\n\n\
         bad:  1. e4 {best by test\n      [White \"Morphy\"] …}\n\
         good: 1. e4 {best by test} e5 *\n\n\
         Source: PGN standard, section 5.";
    READERS_DISAGREE = "E299" "readers-disagree" Error: "the two readers of movetext do not agree",
        "A game with any fault in its text is read twice, by arbiter's own scan and by pgn-reader. Where they differ the game \
         is stopped and reported: this is a defect of arbiter, not of the game.\n\n\
         Source: none; please report it.";
}
