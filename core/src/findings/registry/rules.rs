//! All rules. `CODES.md` explains them.

use crate::findings::registry::Rule;

/// `NAME = "CODE" "name" [properties]: "summary";` for each rule, in the order of the numbers.
macro_rules! rules {
    ($(
        $ident:ident = $code:literal $name:literal $([$($property:ident $(($value:literal))?),+])?:
        $summary:literal;
    )*) => {
        $(
            #[doc = $summary]
            pub static $ident: Rule =
                Rule::new($code, $name, $summary)$($(.$property($($value)?))+)?;
        )*

        /// All rules, in the order of their numbers.
        pub static RULES: &[&Rule] = &[$(&$ident),*];

        #[cfg(test)]
        pub(crate) const CONSTANTS: &[&str] = &[$(stringify!($ident)),*];
    };
}

rules! {
    // Family 0: the file itself.
    UNREADABLE_GAME = "E001" "unreadable-game": "text without a tag pair, move or result";
    COMMENT_OUTSIDE_GAME = "N002" "comment-outside-game": "comment between two games";
    FAULTS_LEFT_OUT = "N003" "faults-left-out": "more findings in one game than are listed";
    UTF_16 = "N004" "utf-16" [warn_if_strict, once_per_file, fixable]: "file in UTF-16";
    NOT_UTF_8 = "N005" "not-utf-8" [once_per_file]: "bytes that are not UTF-8";
    NUL_BYTE = "E006" "nul-byte": "NUL byte";
    END_OF_FILE_MARK = "N007" "end-of-file-mark" [warn_if_strict]: "end-of-file mark (Ctrl-Z)";
    BYTE_ORDER_MARK = "N008" "byte-order-mark" [warn_if_strict]:
        "byte order mark not at the beginning of the file";
    LOST_CHARACTER = "N009" "lost-character" [once_per_file]: "replacement character (U+FFFD)";
    CARRIAGE_RETURNS = "N010" "carriage-returns" [warn_if_strict, once_per_file, fixable]:
        "lines that end with a carriage return only";
    GAME_ON_SAME_LINE = "N011" "game-on-same-line" [once_per_file, fixable]:
        "game that begins on the last line of another";
    CONTROL_CHARACTER = "N012" "control-character" [warn_if_strict]: "control character";
    DOUBLE_UTF_8 = "N015" "double-utf-8" [once_per_file]: "characters encoded in UTF-8 twice";
    GAME_TOO_LONG = "E020" "game-too-long":
        "more moves, variations, words or tags in one game than are read";

    // Family 1: tag pairs.
    MALFORMED_TAG = "E101" "malformed-tag": "malformed tag pair";
    UNCLOSED_TAG = "E102" "unclosed-tag": "tag value without a closing quote";
    OTHER_VARIANT = "N103" "other-variant": "variant other than standard chess and Chess960";
    REPEATED_TAG_SECTION = "E104" "repeated-tag-section": "second tag section before any movetext";
    REPEATED_TAG = "W105" "repeated-tag" [fixable]: "repeated tag";
    SETUP_WITHOUT_FEN = "W106" "setup-without-fen": "game from a position that is not given";
    UNESCAPED_QUOTE = "W107" "unescaped-quote" [fixable]:
        "quote without a backslash in a tag value";
    BAD_DATE = "W108" "bad-date": "invalid date in `Date`, `EventDate` or `UTCDate`";
    BAD_RATING = "W109" "bad-rating": "invalid rating";
    BAD_ROUND = "W110" "bad-round": "invalid round";
    BAD_TIME_CONTROL = "W111" "bad-time-control": "invalid time control";
    BAD_ECO = "W112" "bad-eco": "invalid ECO code";
    BAD_TIME = "W113" "bad-time": "invalid time in `Time` or `UTCTime`";
    FEN_WITHOUT_SETUP = "N114" "fen-without-setup" [warn_if_strict]:
        "`FEN` tag without a `SetUp` tag";
    SETUP_AGAINST_FEN = "W115" "setup-against-fen":
        "`SetUp` tag that contradicts the `FEN` tag, or is neither 0 nor 1";
    WRONG_PLY_COUNT = "W116" "wrong-ply-count": "wrong `PlyCount`";
    GAME_WITHOUT_MOVES = "N117" "game-without-moves": "game with tags but no moves";
    GAME_WITHOUT_TAGS = "W118" "game-without-tags": "moves without tags";
    TEXT_FOR_MOVES = "E119" "text-for-moves": "text after the tag section is not movetext";
    EMPTY_ROSTER_TAG = "N120" "empty-roster-tag" [warn_if_strict, fixable]:
        "empty tag of the Seven Tag Roster";
    TAG_NAME_CASE = "N121" "tag-name-case" [warn_if_strict]:
        "standard tag name in wrong case, such as `white`";
    MISSING_ROSTER_TAG = "N122" "missing-roster-tag" [strict_only]:
        "missing tag of the Seven Tag Roster";
    TAG_ORDER = "N123" "tag-order" [strict_only]: "tags not in export order";
    TAG_LAYOUT = "N124" "tag-layout" [strict_only]: "tag section not in export layout";
    EMPTY_TAG = "N125" "empty-tag" [strict_only]: "empty tag outside the Seven Tag Roster";
    TAG_VALUE_FORM = "N126" "tag-value-form" [strict_only]:
        "value that is clear, but not in the standard's form";
    LONG_TAG_VALUE = "N127" "long-tag-value" [strict_only]: "tag value longer than 255 bytes";
    LOWER_CASE_TAG_NAME = "N128" "lower-case-tag-name" [strict_only]:
        "tag name that begins with a lower-case letter";
    MISSING_PLAYER_OR_RESULT = "W129" "missing-player-or-result" [fixable]:
        "missing `White`, `Black` or `Result` tag";
    MISSPELLED_TAG_NAME = "W130" "misspelled-tag-name" [suggested]:
        "tag name one edit away from one of the Seven Tag Roster";
    TEXT_BESIDE_TAG = "W131" "text-beside-tag" [fixable]:
        "text beside a tag pair, or lines quoted with `>`";

    // Family 2: movetext, moves and their notation.
    ILLEGAL_MOVE = "E201" "illegal-move" [suggested]: "illegal move";
    AMBIGUOUS_MOVE = "E202" "ambiguous-move" [suggested]: "ambiguous move";
    UNREADABLE_TOKEN = "E203" "unreadable-token" [suggested]: "unreadable word in the movetext";
    UNKNOWN_SYMBOL = "N204" "unknown-symbol": "annotation symbol that is not in the PGN standard";
    UNCLOSED_COMMENT = "E205" "unclosed-comment": "unclosed comment";
    UNCLOSED_VARIATION = "E206" "unclosed-variation": "unclosed variation";
    STRAY_PARENTHESIS = "W207" "stray-parenthesis": "closing parenthesis without an opening one";
    STRAY_BRACE = "W208" "stray-brace": "closing brace without an opening one";
    UNFINISHED_GAME = "E209" "unfinished-game" [fixable]: "game without a result mark";
    TEXT_AFTER_RESULT = "E210" "text-after-result":
        "text other than a comment after the result mark";
    NULL_MOVE = "E211" "null-move": "null move in the main line";
    TAG_IN_COMMENT = "E212" "tag-in-comment": "line in a comment that looks like a tag pair";
    NESTED_COMMENT = "W213" "nested-comment": "closing brace left over from a nested comment";
    NAG_OUT_OF_RANGE = "W214" "nag-out-of-range" [formerly("glyph-out-of-range")]:
        "NAG outside 0–255";
    WRONG_MOVE_NUMBER = "W215" "wrong-move-number" [fixable]: "wrong move number";
    MISSING_MOVE_NUMBER = "N216" "missing-move-number" [strict_only]: "missing move number";
    SUPERFLUOUS_MOVE_NUMBER = "N217" "superfluous-move-number" [strict_only]:
        "superfluous move number";
    MOVE_NUMBER_FORM = "N218" "move-number-form" [strict_only]:
        "move number without its one or three periods";
    ESCAPE_LINE = "N219" "escape-line" [strict_only]: "line that begins with `%`";
    LONG_LINE = "N220" "long-line" [strict_only]: "line of movetext with 80 or more characters";
    TAB = "N221" "tab" [strict_only]: "tab";
    PART_OF_GAME = "E222" "part-of-game":
        "movetext without tags that begins in the middle of a game";
    VARIATION_WITHOUT_MOVE = "W223" "variation-without-move": "variation without a move to replace";
    EMPTY_VARIATION = "N224" "empty-variation": "empty variation";
    DEEP_VARIATION = "N225" "deep-variation": "variation nested too deeply";
    SUFFIX_ANNOTATION = "N226" "suffix-annotation" [strict_only]: "`!` or `?` instead of a NAG";
    DRAW_OFFER_SIGN = "N227" "draw-offer-sign" [strict_only]:
        "`(=)`, the scoresheet sign for a draw offer";
    SPACE_AT_LINE_END = "N228" "space-at-line-end" [strict_only]:
        "line that begins or ends with a space";
    PASSED_NULL_MOVE = "N229" "passed-null-move": "null move in a variation, or with --null-moves";
    MISSING_CHECK_MARK = "N230" "missing-check-mark" [strict_only, fixable]: "check without `+`";
    SPURIOUS_CHECK_MARK = "N231" "spurious-check-mark" [warn_if_strict, fixable]:
        "`+` without check";
    MISSING_MATE_MARK = "N232" "missing-mate-mark" [strict_only, fixable]: "checkmate without `#`";
    SPURIOUS_MATE_MARK = "N233" "spurious-mate-mark" [warn_if_strict, fixable]: "`#` without check";
    CHECK_MARK_FOR_MATE = "N234" "check-mark-for-mate" [strict_only, fixable]:
        "checkmate marked with `+`";
    MATE_MARK_FOR_CHECK = "N235" "mate-mark-for-check" [warn_if_strict, fixable]:
        "`#` for a check that can be answered";
    OTHER_CHECK_MARK = "N236" "other-check-mark" [warn_if_strict, fixable]:
        "check or mate marked other than with `+` or `#`";
    MISSING_CAPTURE_MARK = "N237" "missing-capture-mark" [warn_if_strict, fixable]:
        "capture without `x`";
    SPURIOUS_CAPTURE_MARK = "N238" "spurious-capture-mark" [warn_if_strict, suggested]:
        "`x` without a capture";
    OTHER_CAPTURE_MARK = "N239" "other-capture-mark" [warn_if_strict, fixable]:
        "capture marked other than with `x`";
    NEEDLESS_FILE = "N240" "needless-file" [strict_only, fixable]: "needless file of origin";
    NEEDLESS_RANK = "N241" "needless-rank" [strict_only, fixable]: "needless rank of origin";
    NEEDLESS_SQUARE = "N242" "needless-square" [strict_only, fixable]: "needless square of origin";
    RANK_FOR_FILE = "N243" "rank-for-file" [strict_only, fixable]:
        "rank of origin where the file suffices";
    LONG_ALGEBRAIC = "N244" "long-algebraic" [warn_if_strict, fixable]: "long algebraic notation";
    UCI_NOTATION = "N245" "uci-notation" [warn_if_strict, fixable]: "UCI notation";
    CASTLING_WITH_ZEROS = "N246" "castling-with-zeros" [strict_only, fixable]:
        "castling with zeros";
    OTHER_CASTLING = "N247" "other-castling" [warn_if_strict, fixable]:
        "castling with lower-case letters, or letters and zeros";
    PAWN_LETTER = "N248" "pawn-letter" [strict_only, fixable]: "pawn move with `P`";
    PROMOTION_WITHOUT_EQUALS = "N249" "promotion-without-equals" [warn_if_strict, fixable]:
        "promotion without `=`";
    LOWER_CASE_PROMOTION = "N250" "lower-case-promotion" [strict_only, fixable]:
        "lower-case promotion letter";
    LOWER_CASE_PIECE = "W251" "lower-case-piece" [fixable]: "lower-case piece letter";
    UPPER_CASE_FILE = "W252" "upper-case-file" [fixable]: "upper-case file letter";
    EN_PASSANT_MARK = "N253" "en-passant-mark" [strict_only, fixable]:
        "`e.p.` after a capture en passant";
    SPURIOUS_EN_PASSANT_MARK = "N254" "spurious-en-passant-mark" [warn_if_strict, suggested]:
        "`e.p.` after a move that is not a capture en passant";
    OTHER_DASH = "N255" "other-dash" [warn_if_strict, fixable]: "dash other than the hyphen";
    OTHER_PIECE_LETTERS = "N260" "other-piece-letters" [warn_if_strict, fixable]:
        "piece letters of another language";
    BRACE_IN_COMMENT = "N261" "brace-in-comment" [warn_if_strict]: "opening brace in a comment";
    BLANK_LINE = "W262" "blank-line": "blank line in the movetext";
    BLANK_OUTSIDE_ASCII = "W263" "blank-outside-ascii" [fixable]:
        "blank outside ASCII in the movetext";
    PAWN_OR_BISHOP = "W264" "pawn-or-bishop": "pawn move that may be a bishop's";
    UNREAD_VALUE = "W265" "unread-value": "time or evaluation in a comment that is not read";
    GROWING_CLOCK = "N266" "growing-clock": "clock that grows by more than the time control allows";
    DRAW_OFFER = "N267" "draw-offer": "word for a draw before further moves";
    SIGN_BEHIND_MOVE = "N270" "sign-behind-move" [warn_if_strict, fixable]:
        "comma or other punctuation directly after a move";
    MARK_IN_PARENTHESES = "N271" "mark-in-parentheses" [warn_if_strict, fixable]:
        "check or en passant mark in parentheses";
    READERS_DISAGREE = "E299" "readers-disagree" [optional]:
        "text that pgn-reader reads in another way";

    // Family 3: results.
    RESULT_MISMATCH = "E301" "result-mismatch" [fixable]: "`Result` tag and result mark differ";
    RESULT_AGAINST_BOARD = "E302" "result-against-board":
        "recorded result contradicts a mate or stalemate";
    UNKNOWN_RESULT = "W303" "unknown-result" [fixable]: "result that is not one of the four";
    MOVE_AFTER_CHECKMATE = "E304" "move-after-checkmate": "move after checkmate";
    MOVE_AFTER_STALEMATE = "E305" "move-after-stalemate": "move after stalemate";
    MOVE_AFTER_DEAD_POSITION = "W306" "move-after-dead-position":
        "moves after a dead position by material";
    RESULT_AGAINST_DRAW = "W307" "result-against-draw":
        "recorded win in a game that was drawn automatically";
    BARE_WINNER = "N308" "bare-winner": "recorded win for a side that cannot mate";
    MOVE_AFTER_FIVEFOLD = "W309" "move-after-fivefold":
        "moves after the fifth occurrence of a position";
    MOVE_AFTER_SEVENTY_FIVE = "W310" "move-after-seventy-five":
        "moves after 75 by each side without capture or pawn move";
    RESULT_SPELLING = "N311" "result-spelling" [warn_if_strict, fixable]:
        "nonstandard spelling of a result";
    RESULT_NOT_RECORDED = "W314" "result-not-recorded" [fixable]:
        "mate or stalemate without a recorded result";
    GLUED_RESULT = "N315" "glued-result" [warn_if_strict, fixable]:
        "result mark directly after a move";
    MOVE_AFTER_THREEFOLD = "W320" "move-after-threefold":
        "moves after the third occurrence of a position";
    MOVE_AFTER_FIFTY = "W321" "move-after-fifty":
        "moves after 50 by each side without capture or pawn move";
    RECORD_AGAINST_RULES = "N322" "record-against-rules":
        "recorded reason for the end that is refuted by moves or result";
    MOVE_AFTER_PROVEN_DEAD_POSITION = "N323" "move-after-proven-dead-position":
        "moves after a proven dead position";

    // Family 4: FEN and EPD.
    UNREADABLE_FEN = "E401" "unreadable-fen": "unreadable FEN";
    UNPLAYABLE_POSITION = "E402" "unplayable-position": "unplayable position";
    IMPLAUSIBLE_POSITION = "W403" "implausible-position": "implausible position";
    MALFORMED_OPERATION = "E404" "malformed-operation": "malformed EPD operation";
    IMPOSSIBLE_EPD_MOVE = "E405" "impossible-epd-move": "illegal move in an EPD operation";
    WRONG_OPERANDS = "W406" "wrong-operands": "wrong operands of an EPD opcode";
    REPEATED_OPCODE = "W407" "repeated-opcode": "repeated EPD opcode";
    UNKNOWN_OPCODE = "N408" "unknown-opcode" [strict_only]:
        "EPD opcode that is not in the PGN standard";
    SHORT_FEN = "N409" "short-fen" [warn_if_strict]: "missing FEN or EPD fields";
    MISSING_SEMICOLON = "W410" "missing-semicolon": "last EPD operation without a semicolon";
    COORDINATE_EPD_MOVE = "W411" "coordinate-epd-move": "coordinate move in an EPD operation";
    FEN_FORM = "N412" "fen-form" [warn_if_strict]: "FEN not in the standard's form";
    LOOSE_EPD_MOVE = "W413" "loose-epd-move": "nonstandard notation in an EPD operation";
    CLOCK_BEYOND_MOVE_NUMBER = "N414" "clock-beyond-move-number":
        "halfmove clock larger than the move number allows";
    USELESS_EN_PASSANT = "N415" "useless-en-passant" [fixable]:
        "en passant square that no pawn can use";
    CASTLING_OF_CHESS960 = "N416" "castling-of-chess960":
        "castling right that exists in Chess960 only";

    // Family 5: games and positions against each other.
    REPEATED_GAME = "W501" "repeated-game" [optional]: "game that occurs twice";
    BEGINNING_OF_GAME = "W502" "beginning-of-game" [optional]:
        "game that is the beginning of another";
    REPEATED_MOVES = "N503" "repeated-moves" [optional]: "moves of an earlier game";
    REPEATED_POSITION = "W504" "repeated-position" [optional]: "position that occurs twice";
    // 505 was that of positions with other counters, which are W504 now.
    SPELLINGS_OF_PLAYER = "N506" "spellings-of-player" [optional]:
        "several spellings of a player in an event";
}
