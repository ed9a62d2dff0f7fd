//! Family 1: tag pairs.

use crate::commands::validate::registry::rules;

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
         bad:  [Variant \"Antichess\"]\n\
         good: [Variant \"Chess960\"]\n\n\
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
    UNESCAPED_QUOTE = "W107" "unescaped-quote" Warning: "a quote inside a tag's value without a backslash",
        "A quote inside a value is written `\\\"`. Where it is not, but a bracket ends the line, the line is read as one tag \
         pair, whose value ends at its last quote.\n\n\
         bad:  [White \"Smith, John \"The King\"\"]\n\
         good: [White \"Smith, John \\\"The King\\\"\"]\n\n\
         Source: PGN standard, section 7.1.";
    BAD_DATE = "W108" "bad-date" Warning: "a Date, EventDate or UTCDate tag that is no date",
        "A date is written YYYY.MM.DD, with question marks for digits that are not known, and must be in the calendar.\n\n\
         bad:  [Date \"2021.02.30\"]\n\
         good: [Date \"2021.02.??\"]\n\n\
         Source: PGN standard, sections 8.1.1.3, 9.2.1 and 9.5.3.";
    BAD_RATING = "W109" "bad-rating" Warning: "a rating tag that is no rating",
        "WhiteElo, BlackElo, WhiteUSCF and BlackUSCF hold a number up to 5000, `-` for a player without a rating, or `?` \
         for one that is not known.\n\n\
         bad:  [WhiteElo \"25OO\"]\n\
         good: [WhiteElo \"2500\"]\n\n\
         Source: PGN standard, sections 9.1.2 and 9.1.3.";
    BAD_ROUND = "W110" "bad-round" Warning: "a Round tag that is no round",
        "A round is a number, or numbers joined by periods. `-` stands for games without a round, `?` for a round that is not \
         known.\n\n\
         bad:  [Round \"Final\"]\n\
         good: [Round \"7.2\"]\n\n\
         Source: PGN standard, section 8.1.1.4.";
    BAD_TIME_CONTROL = "W111" "bad-time-control" Warning: "a TimeControl tag that is no time control",
        "A time control is made of periods joined by colons: moves and seconds, seconds, seconds and increment, or a \
         sandclock. Time for the rest of the game can only be the last. Time controls in words that everybody understands \
         are let pass without --strict.\n\n\
         bad:  [TimeControl \"40/0\"]\n\
         good: [TimeControl \"40/7200:3600+30\"]\n\n\
         Source: PGN standard, section 9.6.1.";
    BAD_ECO = "W112" "bad-eco" Warning: "an ECO tag that is no opening code",
        "The codes of the Encyclopedia of Chess Openings are A00 to E99; a subdivision may follow.\n\n\
         bad:  [ECO \"F00\"]\n\
         good: [ECO \"B97\"]\n\n\
         Source: PGN standard, section 9.4.1.";
    BAD_TIME = "W113" "bad-time" Warning: "a Time or UTCTime tag that is no time of day",
        "A time of day is written HH:MM:SS, with question marks for digits that are not known.\n\n\
         bad:  [UTCTime \"24:61:00\"]\n\
         good: [UTCTime \"23:59:00\"]\n\n\
         Source: PGN standard, sections 9.5.1 and 9.5.2.";
    FEN_WITHOUT_SETUP = "N114" "fen-without-setup" Note WarnIfStrict: "a FEN tag without a SetUp tag",
        "The game is replayed from the position of the FEN tag. Some programs look at the FEN tag only where SetUp is `1`. \
         The initial position of standard chess needs neither.\n\n\
         bad:  [FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\
         good: [SetUp \"1\"] [FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n\
         Source: PGN standard (1994), section 9.7.1; later editions cancel the SetUp tag.";
    SETUP_AGAINST_FEN = "W115" "setup-against-fen" Warning: "a SetUp tag that contradicts the FEN tag, or is neither 0 nor 1",
        "SetUp is `1` where the FEN tag gives the position to begin with, and `0` where the game begins at the initial \
         position. The FEN tag counts.\n\n\
         bad:  [SetUp \"0\"] [FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\
         good: [SetUp \"1\"] [FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n\
         Source: PGN standard (1994), section 9.7.1.";
    WRONG_PLY_COUNT = "W116" "wrong-ply-count" Warning: "a PlyCount tag that is not the number of plies",
        "The plies of the main line are counted, whether or not they can be played. Moves may be missing, or may have been \
         added.\n\n\
         bad:  [PlyCount \"6\"] … 1. e4 e5 2. Nf3 *\n\
         good: [PlyCount \"3\"] … 1. e4 e5 2. Nf3 *\n\n\
         Source: PGN standard, section 9.9.3.";
    GAME_WITHOUT_MOVES = "N117" "game-without-moves" Note: "a game that has tags and no moves",
        "That is right for a bye or a game won without play; otherwise the moves have been lost.\n\n\
         bad:  [White \"Morphy, Paul\"] [Result \"1-0\"] 1-0\n\
         good: [White \"bye\"] [Black \"Morphy, Paul\"] [Result \"0-1\"] 0-1\n\n\
         Source: PGN standard, section 8 (a game is a tag pair section and a movetext section).";
    GAME_WITHOUT_TAGS = "W118" "game-without-tags" Warning: "moves that have no tags of their own",
        "Several games stand under one tag section, or the tags of this one have been lost.\n\n\
         bad:  [Event \"A\"] … 1. e4 e5 1-0 (blank line) 1. d4 d5 0-1\n\
         good: [Event \"A\"] … 1. e4 e5 1-0 (blank line) [Event \"A\"] … 1. d4 d5 0-1\n\n\
         Source: PGN standard, section 8.1.1 (the Seven Tag Roster is mandatory for archives).";
    TEXT_FOR_MOVES = "E119" "text-for-moves" Error: "text behind the tags that holds neither moves nor a result",
        "Text between tag pairs ends the tag section, so that the tag pairs behind it count as those of another game. Write \
         remarks in braces, behind the tags.\n\n\
         bad:  [White \"Morphy\"] (line) a remark (line) [Black \"Paulsen\"]\n\
         good: [White \"Morphy\"] [Black \"Paulsen\"] (blank line) {a remark} 1. e4\n\n\
         Source: PGN standard, section 8.";
    EMPTY_ROSTER_TAG = "N120" "empty-roster-tag" Note WarnIfStrict: "a tag of the Seven Tag Roster with an empty value",
        "A question mark stands for what is not known.\n\n\
         bad:  [Site \"\"]\n\
         good: [Site \"?\"]\n\n\
         Source: PGN standard, section 8.1.1.";
    TAG_NAME_CASE = "N121" "tag-name-case" Note WarnIfStrict: "a tag name of the standard in other letters, such as `white`",
        "Tag names are case sensitive. The tag is read all the same, but other programs may not know it.\n\n\
         bad:  [white \"Morphy, Paul\"]\n\
         good: [White \"Morphy, Paul\"]\n\n\
         Source: PGN standard, section 8.1.1 (tag names, like all symbols, are case sensitive).";
    MISSING_ROSTER_TAG = "N122" "missing-roster-tag" Note StrictOnly: "a game that lacks tags of the Seven Tag Roster",
        "Event, Site, Date, Round, White, Black and Result are mandatory for archives. Import format does not ask for \
         them. White, Black and Result are reported by default (W129).\n\n\
         bad:  [White \"Morphy, Paul\"] [Black \"?\"] 1. e4 *\n\
         good: [Event \"?\"] [Site \"?\"] [Date \"????.??.??\"] [Round \"?\"] [White \"Morphy, Paul\"] [Black \"?\"] [Result \
         \"*\"] 1. e4 *\n\n\
         Source: PGN standard, section 8.1.1.";
    TAG_ORDER = "N123" "tag-order" Note StrictOnly: "tags that are not in the order of the export format",
        "The Seven Tag Roster comes first, in its order; the other tags follow in ASCII order of their names.\n\n\
         bad:  [White \"Morphy, Paul\"] [Event \"?\"]\n\
         good: [Event \"?\"] [White \"Morphy, Paul\"]\n\n\
         Source: PGN standard, section 8.1.1.";
    TAG_LAYOUT = "N124" "tag-layout" Note StrictOnly: "a tag section that is not laid out as in export format",
        "Each tag pair stands on a line of its own, at its beginning, with one blank between name and value and none \
         elsewhere; one empty line follows the last. The first deviation of a game is reported.\n\n\
         bad:  [ Event  \"?\" ]\n\
         good: [Event \"?\"]\n\n\
         Source: PGN standard, section 8.1.";
    EMPTY_TAG = "N125" "empty-tag" Note StrictOnly: "a tag outside the Seven Tag Roster with an empty value",
        "A tag that says nothing can be left out.\n\n\
         bad:  [WhiteElo \"\"]\n\
         good: [WhiteElo \"-\"]\n\n\
         Source: PGN standard, section 9.";
    TAG_VALUE_FORM = "N126" "tag-value-form" Note StrictOnly: "a value that can be understood, but is not of the standard's form",
        "Time controls in words, times without seconds, provisional ratings, reasons of termination that are not in the \
         standard's list, and the like.\n\n\
         bad:  [TimeControl \"3 minutes + 2 seconds\"]\n\
         good: [TimeControl \"180+2\"]\n\n\
         Source: PGN standard, section 9.";
    LONG_TAG_VALUE = "N127" "long-tag-value" Note StrictOnly: "a tag's value of more than 255 bytes",
        "It is read whole, but the standard lets other programs cut it.\n\n\
         bad:  [Annotator \"…\"] with 300 letters\n\
         good: [Annotator \"Lasker, Emanuel\"]\n\n\
         Source: PGN standard, section 7.1.";
    LOWER_CASE_TAG_NAME = "N128" "lower-case-tag-name" Note StrictOnly: "a tag name that begins with a small letter",
        "All tag names used for archival storage begin with a capital.\n\n\
         bad:  [gameId \"7\"]\n\
         good: [GameId \"7\"]\n\n\
         Source: PGN standard, section 8.1.1.";
    MISSING_PLAYER_OR_RESULT = "W129" "missing-player-or-result" Warning: "a game that lacks the White, Black or Result tag",
        "Databases and statistics file a game under its players and its result. Games without any tags are W118, and tags \
         whose names are misspelled W130.\n\n\
         bad:  [Event \"?\"] [White \"Morphy, Paul\"] 1. e4 *\n\
         good: [Event \"?\"] [White \"Morphy, Paul\"] [Black \"?\"] [Result \"*\"] 1. e4 *\n\n\
         Source: PGN standard, section 8.1.1 (the Seven Tag Roster is mandatory for archives).";
    MISSPELLED_TAG_NAME = "W130" "misspelled-tag-name" Warning: "an unknown tag name that differs by one letter from one of the Seven Tag Roster",
        "One letter is wrong, missing or doubled, or two have changed places. The tag is not read as the one that was probably \
         meant.\n\n\
         bad:  [Whtie \"Morphy, Paul\"]\n\
         good: [White \"Morphy, Paul\"]\n\n\
         Source: PGN standard, section 8.1.1.";
}
