//! Every finding code, once.

use std::fmt;

/// How bad a finding is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    /// Worth knowing; nothing is wrong with the game.
    Note,
    /// Against the standard, but nothing is lost by it.
    Warning,
    /// Something cannot be read, is illegal, or contradicts something else.
    Error,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        })
    }
}

/// A kind of finding: what it is called and what it means.
#[derive(PartialEq, Eq, Debug)]
pub struct Rule {
    /// `E201`: the severity's letter and the number; the first digit is the family (0 file, 1 tags, 2 movetext and
    /// moves, 3 results, 4 FEN).
    pub code: &'static str,
    /// The fault's name, in words joined by hyphens.
    pub name: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// One line.
    pub summary: &'static str,
    /// What it means, what it does to the game, a bad and a good example, and the source.
    pub explanation: &'static str,
}

macro_rules! rules {
    ($($(#[doc = $doc:literal])? $ident:ident = $code:literal $name:literal $severity:ident: $summary:literal, $explanation:literal;)*) => {
        $(
            #[doc = $summary]
            pub static $ident: Rule = Rule {
                code: $code,
                name: $name,
                severity: Severity::$severity,
                summary: $summary,
                explanation: $explanation,
            };
        )*

        /// All rules, in the order of their numbers.
        pub static RULES: &[&Rule] = &[$(&$ident),*];
    };
}

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
        "Tag pairs that no movetext separates belong to one game, which takes the first value of each. Where a second \
         section begins, a game has lost its movetext.\n\n\
         bad:  [Event \"A\"] [White \"x\"] [Event \"B\"] [White \"y\"] 1. e4 *\n\
         good: [Event \"A\"] [White \"x\"] * [Event \"B\"] [White \"y\"] 1. e4 *\n\n\
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
    NULL_MOVE = "E211" "null-move" Error: "a null move in the main line",
        "Nobody may pass in chess. Null moves are a device of analysis; the replay stops here.\n\n\
         bad:  1. e4 -- 2. d4\n\
         good: 1. e4 d6 2. d4\n\n\
         Source: FIDE Laws of Chess (2023), art. 1.2.";
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
    RESULT_MISMATCH = "E301" "result-mismatch" Error: "the Result tag and the result mark differ",
        "Both are kept as they are; which of them is wrong cannot be known.\n\n\
         bad:  [Result \"1-0\"] … 34. Kf2 0-1\n\
         good: [Result \"0-1\"] … 34. Kf2 0-1\n\n\
         Source: PGN standard, sections 8.1.1.7 and 8.2.6.";
    RESULT_AGAINST_BOARD = "E302" "result-against-board" Error: "the recorded result contradicts a mate or stalemate on the board",
        "The last move ends the game by itself, but the record says otherwise.\n\n\
         bad:  1. f3 e5 2. g4 Qh4# 1-0\n\
         good: 1. f3 e5 2. g4 Qh4# 0-1\n\n\
         Source: FIDE Laws of Chess (2023), art. 5.1.1 and 5.2.1.";
    UNKNOWN_RESULT = "W303" "unknown-result" Warning: "a Result tag that is none of the four results",
        "The game counts as one with another result.\n\n\
         bad:  [Result \"1/2\"]\n\
         good: [Result \"1/2-1/2\"]\n\n\
         Source: PGN standard, section 8.1.1.7.";
    UNREADABLE_FEN = "E401" "unreadable-fen" Error: "a FEN that cannot be read",
        "The message names the field and the column. Without a position to begin from the game is not replayed.\n\n\
         bad:  [FEN \"8/8/8/4k3/8/4K3/9/8 w - - 0 1\"]\n\
         good: [FEN \"8/8/8/4k3/8/4K3/8/8 w - - 0 1\"]\n\n\
         Source: PGN standard, section 16.1.";
    UNPLAYABLE_POSITION = "E402" "unplayable-position" Error: "a position to which the rules cannot be applied",
        "A king is missing or there are several, the side that is not to move stands in check, or a pawn stands on the \
         first or last rank. The game is not replayed.\n\n\
         bad:  [FEN \"4k3/8/8/8/8/8/4R3/4K3 w - - 0 1\"]\n\
         good: [FEN \"4k3/8/8/8/8/8/4R3/4K3 b - - 0 1\"]\n\n\
         Source: FIDE Laws of Chess (2023), art. 3.9 and 3.10.";
    IMPLAUSIBLE_POSITION = "W403" "implausible-position" Warning: "a position that no game leads to",
        "The game is replayed all the same; castling rights and en passant squares that the pieces contradict are left \
         out.\n\n\
         bad:  [FEN \"4k3/8/8/8/8/8/8/4K2R w KQ - 0 1\"]\n\
         good: [FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n\n\
         Source: FIDE Laws of Chess (2023), art. 3.10.3.";
}

/// The rule of a code or a name, in any case.
pub fn rule(code: &str) -> Option<&'static Rule> {
    RULES
        .iter()
        .copied()
        .find(|rule| rule.code.eq_ignore_ascii_case(code) || rule.name.eq_ignore_ascii_case(code))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_unique_sorted_and_begin_with_their_severity() {
        let number = |rule: &Rule| rule.code[1..].parse::<u16>().unwrap();
        for pair in RULES.windows(2) {
            assert!(number(pair[0]) < number(pair[1]), "{}", pair[1].code);
        }
        for rule in RULES {
            let letter = match rule.severity {
                Severity::Note => 'N',
                Severity::Warning => 'W',
                Severity::Error => 'E',
            };
            assert!(rule.code.starts_with(letter), "{}", rule.code);
            assert!(
                rule.name
                    .bytes()
                    .all(|byte| byte.is_ascii_lowercase() || byte == b'-')
            );
        }
    }

    #[test]
    fn summaries_are_phrases_and_explanations_have_a_source() {
        for rule in RULES {
            assert!(!rule.summary.ends_with('.'), "{}", rule.code);
            assert!(rule.explanation.contains("\nSource: "), "{}", rule.code);
        }
    }
}
