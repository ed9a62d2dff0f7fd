//! Family 1: tag pairs.

use super::rules;

rules! {
    MALFORMED_TAG = "E101" "malformed-tag" Error: "a line in brackets that is no tag pair",
        "The line begins like a tag pair but has no quoted value, and the tag is not known to the game; or its name has other \
         characters than letters, digits and underscores; or its bracket is not closed.\n\n\
         bad:  [White Morphy]\n\
         good: [White \"Morphy, Paul\"]\n\n\
         Source: PGN standard, section 8.1.1.";
    UNCLOSED_TAG = "E102" "unclosed-tag" Error: "a tag pair whose value has no closing quote",
        "The value is taken to end with the line.\n\n\
         bad:  [White \"Morphy, Paul]\n\
         good: [White \"Morphy, Paul\"]\n\n\
         Source: PGN standard, sections 7 (strings end on the line they begin on) and 8.1.1.";
    OTHER_VARIANT = "N103" "other-variant" Note: "a game by other rules than standard chess or Chess960",
        "The Variant tag names a game whose rules arbiter does not know. The game is counted and its text is read, but \
         its moves are not replayed.\n\n\
         example: [Variant \"Antichess\"]\n\n\
         Source: the Variant tag of the online chess servers; not part of the PGN standard.";
    REPEATED_TAG_SECTION = "E104" "repeated-tag-section" Error: "the tag pairs of another game before any movetext",
        "Tag pairs that no movetext separates belong to one game, which takes the first value of each, unless a blank line and \
         an Event tag begin another. Where a second section begins without one, a game has lost its movetext.\n\n\
         bad:  [Event \"A\"] [White \"x\"] [Site \"B\"] [White \"y\"] 1. e4 *\n\
         good: [Event \"A\"] [White \"x\"] * [Event \"?\"] [Site \"B\"] [White \"y\"] 1. e4 *\n\n\
         Source: PGN standard, sections 8.1.1 (no tag appears twice) and 8.2.6 (every game has a termination marker).";
    REPEATED_TAG = "W105" "repeated-tag" Warning: "a tag that the game has already",
        "The first value counts.\n\n\
         bad:  [Result \"1-0\"] [Result \"0-1\"]\n\
         good: [Result \"1-0\"]\n\n\
         Source: PGN standard, section 8.1.1 (the same tag name should not appear more than once).";
    SETUP_WITHOUT_FEN = "W106" "setup-without-fen" Warning: "a game from a position that is not given",
        "The SetUp tag is `1`, or the Variant tag says `From Position` or Chess960, but there is no FEN tag. The game is \
         replayed from the initial position.\n\n\
         bad:  [SetUp \"1\"]\n\
         good: [SetUp \"1\"] [FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n\
         Source: PGN standard, section 9.7.";
}
