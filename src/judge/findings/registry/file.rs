//! Family 0: the file itself.

use super::rules;

rules! {
    UNREADABLE_GAME = "E001" "unreadable-game" Error: "text that holds no tag pair, no move and no result",
        "The text stands where a game should be, but nothing in it can be read. The game counts as unreadable.\n\n\
         bad:  This file was exported on Monday.\n\
         good: [Event \"Club match\"] … 1. e4 e5 1/2-1/2\n\n\
         Source: PGN standard, section 8 (a game is a tag pair section and a movetext section).";
    TEXT_WITHOUT_GAME = "N002" "text-without-game" Note: "comments where a game should be",
        "The text stands between games and holds comments only. It counts as an unreadable game, since by the rule for \
         where a game ends it is one.\n\n\
         example: ; exported on Monday\n\n\
         Source: PGN standard, sections 5 and 8.";
    FAULTS_LEFT_OUT = "N003" "faults-left-out" Note: "more faults in one game than are listed",
        "Beyond a thousand faults in the text of one game the rest is counted only; the first of each kind is listed in any \
         case.\n\n\
         Source: none; a bound on output and memory.";
}
