//! Family 1: tag pairs.

use crate::findings::registry::rules;

rules! { Tags;
    MALFORMED_TAG = "E101": "malformed tag pair",
        "The line begins like a tag pair, but it has no quoted value and the game has no such \
         tag; or the name has characters other than letters, digits and underscores; or the \
         bracket is not closed.\n\n\
         bad:  [White Morphy]\n\
         good: [White \"Morphy, Paul\"]\n\n\
         Source: PGN standard, section 8.1.1.";
    UNCLOSED_TAG = "E102": "tag value without a closing quote",
        "The value is read to the end of the line.\n\n\
         bad:  [White \"Morphy, Paul]\n\
         good: [White \"Morphy, Paul\"]\n\n\
         Source: PGN standard, sections 7 (strings end on the line they begin on) and 8.1.1.";
    OTHER_VARIANT = "N103": "variant other than standard chess and Chess960",
        "The Variant tag names a game whose rules are not supported. The game is counted and \
         its text is read, but its moves are not replayed.\n\n\
         bad:  [Variant \"Antichess\"]\n\
         good: [Variant \"Chess960\"]\n\n\
         Source: the Variant tag of the online chess servers; not part of the PGN standard.";
    REPEATED_TAG_SECTION = "E104": "second tag section before any movetext",
        "Tag pairs without movetext between them belong to one game, which takes the first \
         value of each, unless a blank line and an Event tag begin another game. A second \
         section without these means that a game has lost its movetext.\n\n\
         bad:  [Event \"A\"] [White \"x\"] [Site \"B\"] [White \"y\"] 1. e4 *\n\
         good: [Event \"A\"] [White \"x\"] * [Event \"?\"] [Site \"B\"] [White \"y\"] 1. e4 *\n\n\
         Source: PGN standard, sections 8.1.1 (no tag appears twice) and 8.2.6 (every game \
         has a termination marker).";
    REPEATED_TAG = "W105" [fixable()]: "repeated tag",
        "The first value is used.\n\n\
         bad:  [Result \"1-0\"] [Result \"0-1\"]\n\
         good: [Result \"1-0\"]\n\n\
         Source: PGN standard, section 8.1.1 (the same tag name should not appear more than \
         once).";
    SETUP_WITHOUT_FEN = "W106": "game from a position that is not given",
        "The SetUp tag is `1`, or the Variant tag is `From Position` or Chess960, but there \
         is no FEN tag. The game is replayed from the initial position.\n\n\
         bad:  [SetUp \"1\"]\n\
         good: [SetUp \"1\"] [FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n\
         Source: PGN standard, section 9.7.";
    UNESCAPED_QUOTE = "W107" [fixable()]: "quote without a backslash in a tag value",
        "A quote inside a value is written `\\\"`. If the backslash is missing but a bracket \
         ends the line, the line is read as one tag pair whose value ends at its last quote.\n\n\
         bad:  [White \"Smith, John \"The King\"\"]\n\
         good: [White \"Smith, John \\\"The King\\\"\"]\n\n\
         Source: PGN standard, section 7.1.";
    BAD_DATE = "W108": "invalid date in `Date`, `EventDate` or `UTCDate`",
        "A date has the form YYYY.MM.DD, with question marks for unknown digits, and must \
         exist in the calendar.\n\n\
         bad:  [Date \"2021.02.30\"]\n\
         good: [Date \"2021.02.??\"]\n\n\
         Source: PGN standard, sections 8.1.1.3, 9.2.1 and 9.5.3.";
    BAD_RATING = "W109": "invalid rating",
        "WhiteElo, BlackElo, WhiteUSCF and BlackUSCF hold a number up to 5000, `-` for an \
         unrated player, or `?` for an unknown rating.\n\n\
         bad:  [WhiteElo \"25OO\"]\n\
         good: [WhiteElo \"2500\"]\n\n\
         Source: PGN standard, sections 9.1.2 and 9.1.3.";
    BAD_ROUND = "W110": "invalid round",
        "A round is a number, or numbers joined by periods. `-` means that the game has no \
         round, `?` that the round is unknown.\n\n\
         bad:  [Round \"Final\"]\n\
         good: [Round \"7.2\"]\n\n\
         Source: PGN standard, section 8.1.1.4.";
    BAD_TIME_CONTROL = "W111": "invalid time control",
        "A time control consists of periods joined by colons: moves and seconds, seconds, \
         seconds and increment, or a sandclock. Only the last period can be for the rest of \
         the game. Time controls in common words are accepted without --strict.\n\n\
         bad:  [TimeControl \"40/0\"]\n\
         good: [TimeControl \"40/7200:3600+30\"]\n\n\
         Source: PGN standard, section 9.6.1.";
    BAD_ECO = "W112": "invalid ECO code",
        "The codes of the Encyclopedia of Chess Openings are A00 to E99; a subdivision may \
         follow.\n\n\
         bad:  [ECO \"F00\"]\n\
         good: [ECO \"B97\"]\n\n\
         Source: PGN standard, section 9.4.1.";
    BAD_TIME = "W113": "invalid time in `Time` or `UTCTime`",
        "A time of day has the form HH:MM:SS, with question marks for unknown digits.\n\n\
         bad:  [UTCTime \"24:61:00\"]\n\
         good: [UTCTime \"23:59:00\"]\n\n\
         Source: PGN standard, sections 9.5.1 and 9.5.2.";
    FEN_WITHOUT_SETUP = "N114" [warn_if_strict()]: "`FEN` tag without a `SetUp` tag",
        "The game is replayed from the position of the FEN tag. Some programs read the FEN \
         tag only if SetUp is `1`. The initial position of standard chess needs neither tag.\n\n\
         bad:  [FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\
         good: [SetUp \"1\"] [FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n\
         Source: PGN standard (1994), section 9.7.1; later editions cancel the SetUp tag.";
    SETUP_AGAINST_FEN = "W115": "`SetUp` tag that contradicts the `FEN` tag, or is neither 0 nor 1",
        "SetUp is `1` if the FEN tag gives the initial position of the game, and `0` if the \
         game begins at the standard initial position. The FEN tag takes precedence.\n\n\
         bad:  [SetUp \"0\"] [FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\
         good: [SetUp \"1\"] [FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n\
         Source: PGN standard (1994), section 9.7.1.";
    WRONG_PLY_COUNT = "W116": "wrong `PlyCount`",
        "The plies of the main line are counted, whether or not they are legal. Moves may be \
         missing or may have been added.\n\n\
         bad:  [PlyCount \"6\"] … 1. e4 e5 2. Nf3 *\n\
         good: [PlyCount \"3\"] … 1. e4 e5 2. Nf3 *\n\n\
         Source: PGN standard, section 9.9.3.";
    GAME_WITHOUT_MOVES = "N117": "game with tags but no moves",
        "This is correct for a bye or a forfeit win; otherwise the moves have been lost.\n\n\
         bad:  [White \"Morphy, Paul\"] [Result \"1-0\"] 1-0\n\
         good: [White \"bye\"] [Black \"Morphy, Paul\"] [Result \"0-1\"] 0-1\n\n\
         Source: PGN standard, section 8 (a game is a tag pair section and a movetext \
         section).";
    GAME_WITHOUT_TAGS = "W118": "moves without tags",
        "Several games follow one tag section, or the tags of this game have been lost.\n\n\
         bad:  [Event \"A\"] … 1. e4 e5 1-0 (blank line) 1. d4 d5 0-1\n\
         good: [Event \"A\"] … 1. e4 e5 1-0 (blank line) [Event \"A\"] … 1. d4 d5 0-1\n\n\
         Source: PGN standard, section 8.1.1 (the Seven Tag Roster is mandatory for \
         archives).";
    TEXT_FOR_MOVES = "E119": "text after the tag section is not movetext",
        "Text between tag pairs ends the tag section, so that the tag pairs after it count as \
         those of another game. Write remarks in braces, after the tags.\n\n\
         bad:  [White \"Morphy\"] (line) a remark (line) [Black \"Paulsen\"]\n\
         good: [White \"Morphy\"] [Black \"Paulsen\"] (blank line) {a remark} 1. e4\n\n\
         Source: PGN standard, section 8.";
    EMPTY_ROSTER_TAG = "N120" [warn_if_strict(), fixable()]: "empty tag of the Seven Tag Roster",
        "Use a question mark for an unknown value.\n\n\
         bad:  [Site \"\"]\n\
         good: [Site \"?\"]\n\n\
         Source: PGN standard, section 8.1.1.";
    TAG_NAME_CASE = "N121" [warn_if_strict()]: "standard tag name in wrong case, such as `white`",
        "Tag names are case-sensitive. The tag is read anyway, but other programs may not \
         recognise it.\n\n\
         bad:  [white \"Morphy, Paul\"]\n\
         good: [White \"Morphy, Paul\"]\n\n\
         Source: PGN standard, section 8.1.1 (tag names, like all symbols, are case \
         sensitive).";
    MISSING_ROSTER_TAG = "N122" [strict_only()]: "missing tag of the Seven Tag Roster",
        "Event, Site, Date, Round, White, Black and Result are mandatory for archives, but \
         not in import format. White, Black and Result are reported by default (W129).\n\n\
         bad:  [White \"Morphy, Paul\"] [Black \"?\"] 1. e4 *\n\
         good: [Event \"?\"] [Site \"?\"] [Date \"????.??.??\"] [Round \"?\"] [White \"Morphy, \
         Paul\"] [Black \"?\"] [Result \"*\"] 1. e4 *\n\n\
         Source: PGN standard, section 8.1.1.";
    TAG_ORDER = "N123" [strict_only()]: "tags not in export order",
        "The Seven Tag Roster comes first, in its order; the other tags follow in ASCII order \
         of their names.\n\n\
         bad:  [White \"Morphy, Paul\"] [Event \"?\"]\n\
         good: [Event \"?\"] [White \"Morphy, Paul\"]\n\n\
         Source: PGN standard, section 8.1.1.";
    TAG_LAYOUT = "N124" [strict_only()]: "tag section not in export layout",
        "Each tag pair is on a line of its own, at its beginning, with one space between name \
         and value and none elsewhere; one empty line follows the last. The first deviation \
         of a game is reported.\n\n\
         bad:  [ Event  \"?\" ]\n\
         good: [Event \"?\"]\n\n\
         Source: PGN standard, section 8.1.";
    EMPTY_TAG = "N125" [strict_only()]: "empty tag outside the Seven Tag Roster",
        "A tag without a value can be omitted.\n\n\
         bad:  [WhiteElo \"\"]\n\
         good: [WhiteElo \"-\"]\n\n\
         Source: PGN standard, section 9.";
    TAG_VALUE_FORM = "N126" [strict_only()]: "value that is clear, but not in the standard's form",
        "Time controls in words (read if they are plain), times without seconds, provisional \
         ratings, termination reasons outside the standard's list, and the like.\n\n\
         bad:  [TimeControl \"3 minutes + 2 seconds\"]\n\
         good: [TimeControl \"180+2\"]\n\n\
         Source: PGN standard, section 9.";
    LONG_TAG_VALUE = "N127" [strict_only()]: "tag value longer than 255 bytes",
        "The whole value is read, but the standard allows programs to truncate it.\n\n\
         bad:  [Annotator \"…\"] with 300 letters\n\
         good: [Annotator \"Lasker, Emanuel\"]\n\n\
         Source: PGN standard, section 7.1.";
    LOWER_CASE_TAG_NAME = "N128" [strict_only()]: "tag name that begins with a lower-case letter",
        "All tag names used for archival storage begin with an upper-case letter.\n\n\
         bad:  [gameId \"7\"]\n\
         good: [GameId \"7\"]\n\n\
         Source: PGN standard, section 8.1.1.";
    MISSING_PLAYER_OR_RESULT = "W129" [fixable()]: "missing `White`, `Black` or `Result` tag",
        "Databases and statistics file games by players and result. Games without any tags \
         are reported as W118, misspelled tag names as W130.\n\n\
         bad:  [Event \"?\"] [White \"Morphy, Paul\"] 1. e4 *\n\
         good: [Event \"?\"] [White \"Morphy, Paul\"] [Black \"?\"] [Result \"*\"] 1. e4 *\n\n\
         Source: PGN standard, section 8.1.1 (the Seven Tag Roster is mandatory for \
         archives).";
    MISSPELLED_TAG_NAME = "W130" [suggested()]:
        "tag name one edit away from one of the Seven Tag Roster",
        "One letter is wrong, missing or doubled, or two are swapped. The tag is not read as \
         the probable one.\n\n\
         bad:  [Whtie \"Morphy, Paul\"]\n\
         good: [White \"Morphy, Paul\"]\n\n\
         Source: PGN standard, section 8.1.1.";
    TEXT_BESIDE_TAG = "W131" [fixable()]: "text beside a tag pair, or lines quoted with `>`",
        "Comments, spaces and tabs may stand beside a tag pair. Other text there is ignored if it \
         has no move, number or result: commas, markup, words, or blanks outside ASCII. So is the \
         `>` before the lines of a game in mail. Other programs may lose the tags. Reported once \
         per game.\n\n\
         bad:  [White \"Morphy, Paul\"]<br />\n\
         good: [White \"Morphy, Paul\"]\n\n\
         Source: PGN standard, section 8.1.";
}
