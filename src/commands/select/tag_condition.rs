//! Conditions on tags.

use std::cmp::Ordering;

use regex::bytes::Regex;

use crate::law::rulesets::Date;
use crate::pgn::values::{is_unfilled, rating};
use crate::pgn::{Game, PossibleDays};
use crate::text::decode;

/// Condition on a tag, as in `White=Carlsen*`, `WhiteElo>=2500` or `!WhiteElo`.
#[derive(Clone, Debug)]
pub(crate) struct TagCondition {
    pub(super) tag: String,
    test: Test,
    /// The pattern without regard to case and as a part of the value.
    looser: Option<Regex>,
}

#[derive(Clone, Debug)]
enum Test {
    /// The tag is missing, or not filled in.
    Missing,
    /// Wildcards match the whole value, a regular expression a part of it; or no match.
    Matches { pattern: Regex, differs: bool },
    /// Numbers or dates, by the allowed orderings.
    Compares(&'static [Ordering], Quantity),
}

/// Signs before a pattern, longer ones first: whether the pattern is a regular expression, and
/// whether it must not match.
const PATTERN_SIGNS: [(&str, bool, bool); 4] = [
    ("!=", false, true),
    ("!~", true, true),
    ("=", false, false),
    ("~", true, false),
];

/// Comparison operators, longer ones first.
const SIGNS: [(&str, &[Ordering]); 4] = [
    ("<=", &[Ordering::Less, Ordering::Equal]),
    (">=", &[Ordering::Greater, Ordering::Equal]),
    ("<", &[Ordering::Less]),
    (">", &[Ordering::Greater]),
];

impl TagCondition {
    /// True if the condition holds for a game.
    pub(super) fn is_of(&self, game: &Game, text: &[u8]) -> bool {
        let tag = game.tag(text, &self.tag);
        self.holds(tag.map(|tag| tag.unescape(text)).as_deref())
    }

    /// True if the condition or the looser one holds for a game.
    pub(super) fn is_nearly_of(&self, game: &Game, text: &[u8]) -> bool {
        let tag = game.tag(text, &self.tag);
        let value = tag.map(|tag| tag.unescape(text)).unwrap_or_default();
        let is_match = |looser: &Regex| looser.is_match(decode(&value).as_bytes());
        self.is_of(game, text) || self.looser.as_ref().is_some_and(is_match)
    }

    /// The looser condition as written, in backticks.
    pub(super) fn looser(&self) -> Option<String> {
        let looser = self.looser.as_ref()?;
        Some(format!("`{}~{looser}`", self.tag))
    }

    /// Whether the condition holds for other values than those of a pattern.
    pub(super) fn differs(&self) -> bool {
        matches!(self.test, Test::Matches { differs: true, .. })
    }

    /// True if the condition holds for a tag's value, decoded for patterns. A missing tag and one
    /// that is not filled in match as an empty one.
    pub(super) fn holds(&self, tag: Option<&[u8]>) -> bool {
        let value = tag.unwrap_or_default();
        match &self.test {
            Test::Missing => is_unfilled(value),
            Test::Matches { pattern, differs } => {
                let matches = pattern.is_match(decode(value).as_bytes());
                (matches || is_unfilled(value) && pattern.is_match(b"")) != *differs
            }
            Test::Compares(orders, limit) => Quantity::of_tag(&self.tag, value)
                .is_some_and(|value| value.is_surely(orders, *limit)),
        }
    }
}

impl std::str::FromStr for TagCondition {
    type Err = String;

    /// Parses `TAG=PATTERN` with `*` for any text, `TAG~REGEX` or `TAG=/REGEX/`, their opposites
    /// with `!=` and `!~`, a comparison with a number or a date, or `!TAG`.
    fn from_str(text: &str) -> Result<TagCondition, String> {
        let (is_negated, text) = match text.strip_prefix('!') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let length = text
            .find(|c: char| !c.is_ascii_alphanumeric() && c != '_')
            .unwrap_or(text.len());
        let (tag, after) = text.split_at(length);
        let rest = after.trim_start();
        // Blanks around the sign, as in `WhiteElo >= 2500`, are not part of the pattern.
        let is_spaced = rest.len() < after.len();
        if tag.is_empty() {
            return Err("a condition begins with the name of a tag: `White=Carlsen*`".to_owned());
        }
        let mut looser = None;
        let sign = PATTERN_SIGNS.iter().find(|sign| rest.starts_with(sign.0));
        let test = if is_negated {
            if !rest.is_empty() {
                return Err(format!(
                    "`!{tag}` selects games without the tag, and nothing follows it; other values \
                     are `{tag}!=…`"
                ));
            }
            Test::Missing
        } else if let Some((sign, meant)) = meant_sign(rest) {
            return Err(format!(
                "`{sign}` after the tag `{tag}` is written `{meant}`"
            ));
        } else if let Some(&(sign, is_regex, differs)) = sign {
            let mut pattern = &rest[sign.len()..];
            if is_spaced {
                pattern = pattern.trim_start();
            }
            // The result of an unfinished game.
            if pattern == "*" && tag.eq_ignore_ascii_case("Result") {
                pattern = r"\*";
            }
            let (regex, part) = regex_of(pattern, is_regex)?;
            let read = |regex: &str| {
                Regex::new(regex).map_err(|error| format!("the pattern cannot be used: {error}"))
            };
            let pattern = read(&regex)?;
            if !differs && !part.is_empty() && !part.starts_with("(?i)") {
                looser = Some(read(&format!("(?i){part}"))?);
            }
            Test::Matches { pattern, differs }
        } else if let Some((sign, orders)) = SIGNS.iter().find(|(sign, _)| rest.starts_with(sign)) {
            let limit = rest[sign.len()..].trim();
            let quantity = Quantity::read(limit.as_bytes())
                .filter(Quantity::is_exact)
                .ok_or_else(|| {
                    format!("`{limit}` is neither a number nor a date such as `2020.01.31`")
                })?;
            Test::Compares(orders, quantity)
        } else {
            return Err(format!(
                "after the tag `{tag}` comes `=`, `!=`, `~`, `!~`, `<`, `<=`, `>` or `>=`"
            ));
        };
        Ok(TagCondition {
            tag: tag.to_owned(),
            test,
            looser,
        })
    }
}

/// A sign of another language at the beginning of a text, and what it is here. `=<` and `=>` may
/// also begin a value that is neither a number nor a date.
fn meant_sign(text: &str) -> Option<(&'static str, &'static str)> {
    let signs = [("==", "="), ("=~", "~"), ("=<", "<="), ("=>", ">=")];
    signs.into_iter().find(|&(sign, meant)| {
        let limit = text.strip_prefix(sign);
        limit.is_some_and(|limit| meant.len() == 1 || Quantity::read(limit.as_bytes()).is_some())
    })
}

/// Regular expression of a pattern, which is one itself between slashes or if `is_regex` is set,
/// and that by which it matches a part of the value. In a pattern `\*` and `\?` are the characters.
fn regex_of(pattern: &str, is_regex: bool) -> Result<(String, String), String> {
    let between = pattern.strip_prefix('/').map(|rest| rest.strip_suffix('/'));
    let regex = match between {
        Some(Some(regex)) => regex,
        _ if is_regex => pattern,
        Some(None) => return Err("a regular expression ends with a slash".to_owned()),
        None if is_unfilled(pattern.as_bytes()) => return Ok(("^$".to_owned(), String::new())),
        None => {
            let part = regex::escape(pattern)
                .replace(r"\\\?", "[?]")
                .replace(r"\\\*", "[*]")
                .replace(r"\*", ".*");
            let inner = part.trim_start_matches(".*").trim_end_matches(".*");
            return Ok((format!("(?s-u:^{part}$)"), inner.to_owned()));
        }
    };
    Ok((regex.to_owned(), regex.to_owned()))
}

/// Comparable value: a number, or a date with unknown parts.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Quantity {
    Number(f64),
    Date(PossibleDays),
    /// Year and month, such as `2020.01`, which is also a number.
    Month(PossibleDays, Option<f64>),
}

impl Quantity {
    /// The value of a tag. A date may have any form in which `stats` reads one, such as `19990220`
    /// and `20.02.2020`.
    fn of_tag(name: &str, value: &[u8]) -> Option<Quantity> {
        let end = name.len().checked_sub("date".len());
        let is_date = end.is_some_and(|end| name[end..].eq_ignore_ascii_case("date"));
        let days = PossibleDays::read(value.trim_ascii()).filter(|_| is_date);
        days.map(Quantity::Date).or_else(|| Quantity::read(value))
    }

    /// Parses a number, a provisional rating such as `2500?`, or a date of the PGN standard
    /// (8.1.1.3), `2020.01.31` or `2020.??.??`, with dots, hyphens or slashes. A year alone is a
    /// number, which dates compare with by year.
    fn read(value: &[u8]) -> Option<Quantity> {
        let text = std::str::from_utf8(value).ok()?.trim();
        let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
        let is_decimal = digits.starts_with(|c: char| c.is_ascii_digit())
            && (digits.bytes()).all(|byte| byte.is_ascii_digit() || byte == b'.');
        let number = text.parse().ok().filter(|_| is_decimal);
        let number = number.or_else(|| rating::read(text.as_bytes()).value.map(f64::from));
        let signs = text.bytes().filter(|byte| b".-/".contains(byte)).count();
        let is_date = matches!(text.as_bytes(), [_, _, _, _, b'.' | b'-' | b'/', ..])
            && (text.bytes()).all(|byte| byte.is_ascii_digit() || b"?.-/".contains(&byte));
        let days = PossibleDays::read(text.as_bytes()).filter(|_| is_date);
        let is_month = |days: &PossibleDays| {
            text.len() == "2020.01".len() && days.first.month == days.last.month
        };
        match days {
            Some(days) if signs == 2 => Some(Quantity::Date(days)),
            Some(days) if is_month(&days) => Some(Quantity::Month(days, number)),
            _ => number.map(Quantity::Number),
        }
    }

    fn is_exact(&self) -> bool {
        match self {
            Quantity::Number(_) | Quantity::Month(..) => true,
            Quantity::Date(days) => days.first == days.last,
        }
    }

    fn number(self) -> Option<f64> {
        match self {
            Quantity::Number(number) | Quantity::Month(_, Some(number)) => Some(number),
            _ => None,
        }
    }

    /// True if the ordering to `limit` is one of these for all values of the unknown parts.
    fn is_surely(self, orders: &[Ordering], limit: Quantity) -> bool {
        let numbers = self.number().zip(limit.number());
        let by_number = numbers.and_then(|(value, limit)| value.partial_cmp(&limit));
        let by_day = |day: Date| match (self, limit) {
            (_, Quantity::Date(limit)) => Some(day.cmp(&limit.first)),
            (Quantity::Date(_), Quantity::Month(month, _)) => {
                Some((day.year, day.month).cmp(&(month.first.year, month.first.month)))
            }
            (Quantity::Date(_), Quantity::Number(year)) => f64::from(day.year).partial_cmp(&year),
            _ => by_number,
        };
        let found = match self {
            Quantity::Number(_) => [by_number; 2],
            Quantity::Date(days) | Quantity::Month(days, _) => [days.first, days.last].map(by_day),
        };
        let holds = |order: Option<Ordering>| order.is_some_and(|order| orders.contains(&order));
        found.into_iter().all(holds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(condition: &str, value: &str, expected: bool) {
        let read: TagCondition = condition.parse().unwrap();
        assert_eq!(
            read.holds(Some(value.as_bytes())),
            expected,
            "{condition} {value}"
        );
    }

    #[test]
    fn patterns_match_the_whole_value() {
        check("White=Carlsen, Magnus", "Carlsen, Magnus", true);
        check("White=Carlsen", "Carlsen, Magnus", false);
        check("White=Carlsen*", "Carlsen, Magnus", true);
        check("White = Carlsen*", "Carlsen, Magnus", true);
        check("White= Carlsen*", "Carlsen, Magnus", false);
        check("WhiteElo >= 2500", "2600", true);
        check("Event=*Cup*", "World Cup 2013", true);
        check("Event=*Cup*", "World Championship", false);
        check("Result=1/2-1/2", "1/2-1/2", true);
        check("Site=a.b", "axb", false);
        check("ECO=", "", true);
        check("ECO=*", "", true);
        check("ECO=?*", "B12", false);
        check("White=<anonymous>", "<anonymous>", true);
        check("Result=*", "*", true);
        check("Result=*", "1-0", false);
        check("result != *", "1-0", true);
        check("Result=1*", "1/2-1/2", true);
        check(r"Event=\*", "*", true);
        check(r"Event=\*", "Open", false);
        check(r"Event=*\*", "Open *", true);
        check(r"Event=*\*", "Open", false);
        check(r"Event=Who\?", "Who?", true);
        check(r"Event=Who\?", "Whom", false);
    }

    #[test]
    fn signs_of_other_languages_are_refused() {
        for (condition, sign) in [
            ("White==Carlsen", "`=`"),
            ("White=~Carl", "`~`"),
            ("Date=>1850", "`>=`"),
            ("WhiteElo=< 2500", "`<=`"),
        ] {
            let refused = condition.parse::<TagCondition>().unwrap_err();
            assert!(refused.ends_with(sign), "{refused}");
        }
    }

    #[test]
    fn patterns_match_latin_1_as_utf_8() {
        for (condition, expected) in [
            ("White=M\u{fc}ller*", true),
            ("White=*\u{fc}*", true),
            ("White~M.ller", true),
            ("White!=M\u{fc}ller*", false),
            ("White!~\u{fc}", false),
            ("White=M\u{f6}ller*", false),
        ] {
            check(condition, "M\u{fc}ller, Karl", expected);
            let read: TagCondition = condition.parse().unwrap();
            assert_eq!(
                read.holds(Some(b"M\xfcller, Karl")),
                expected,
                "{condition}"
            );
        }
    }

    #[test]
    fn regular_expressions_match_a_part() {
        check("ECO=/^B[0-4]/", "B12", true);
        check("ECO=/^B[0-4]/", "B90", false);
        check("White=/carlsen/", "Carlsen, Magnus", false);
        check("White=/(?i)carlsen/", "Carlsen, Magnus", true);
    }

    #[test]
    fn a_tilde_stands_before_a_regular_expression() {
        check("ECO~^B[0-4]", "B12", true);
        check("ECO~/^B[0-4]/", "B12", true);
        check("ECO~^B[0-4]", "B90", false);
        check("Site~/", "a/b", true);
        check("White~(?i)CARLSEN", "Carlsen, Magnus", true);
    }

    #[test]
    fn an_exclamation_mark_negates() {
        check("White!=Carlsen*", "Carlsen, Magnus", false);
        check("White!=Carlsen*", "carlsen, magnus", true);
        check("White!=Carlsen", "Carlsen, Magnus", true);
        check("ECO!=/^B/", "B12", false);
        check("ECO!~^B", "B12", false);
        check("ECO!~^B", "C12", true);
        check("ECO!=", "", false);
        check("ECO!=", "?", false);
        let holds = |condition: &str, tag: Option<&str>| {
            let read: TagCondition = condition.parse().unwrap();
            read.holds(tag.map(str::as_bytes))
        };
        // Each is the opposite of another, for missing tags too.
        for (one, other) in [
            ("ECO=B*", "ECO!=B*"),
            ("ECO~B", "ECO!~B"),
            ("ECO=", "ECO!="),
        ] {
            for tag in [None, Some(""), Some("B12"), Some("C12")] {
                assert_ne!(holds(one, tag), holds(other, tag), "{one} {tag:?}");
            }
        }
        // Unknown is one value, and `-` another.
        for tag in [None, Some(""), Some("?"), Some("????.??.??")] {
            for condition in ["!ECO", "ECO=", "ECO=?", "ECO~^$", "ECO=*", "ECO!=B*"] {
                assert!(holds(condition, tag), "{condition} {tag:?}");
            }
            for condition in ["ECO!=", "ECO!=?", "ECO=-", "ECO=B*"] {
                assert!(!holds(condition, tag), "{condition} {tag:?}");
            }
        }
        for tag in [Some("-"), Some("B12"), Some("B?")] {
            assert!(!holds("!ECO", tag) && holds("ECO!=?", tag), "{tag:?}");
        }
    }

    #[test]
    fn numbers_are_compared_as_numbers() {
        check("WhiteElo>=2500", "2500", true);
        check("WhiteElo>=2500", "980", false);
        check("WhiteElo>2500", "2500", false);
        check("WhiteElo>=2500", "2500?", true);
        check("WhiteElo<2500", "1500P", true);
        check("WhiteElo<2500", "", false);
        check("WhiteElo<2500", "?", false);
        check("WhiteElo<=2500", "2499.5", true);
        check("WhiteElo<2500", "inf", false);
    }

    #[test]
    fn dates_are_compared_as_far_as_they_are_known() {
        check("Date>=2020.01.01", "2020.01.01", true);
        check("Date>=2020.01.01", "2019.12.31", false);
        check("Date>=2020.01.01", "2020.??.??", true);
        check("Date>2020.01.01", "2020.??.??", false);
        check("Date<2020.06.15", "2020.06.??", false);
        check("Date<2020.06.15", "2020.05.??", true);
        check("Date<2020.06.15", "????.??.??", false);
        check("Date>=2020", "2020.03.04", true);
        check("Date<2020-06-15", "2020.06.14", true);
        check("Date<2020.06.15", "2019", true);
        check("Date>=2020", "19990220", false);
        check("Date<2000", "19990220", true);
        check("Date>1999", "1999.05", false);
        check("EventDate>=2020.02", "20.02.2020", true);
        check("UTCDate<2012", "2011.19.11", true);
        check("Round>1999", "1999.05", true);
        check("Date<2020.06", "2020.05.31", true);
        check("WhiteElo<2000", "1e3", false);
        check("Date<=1999.02.28", "1999.02.??", true);
        check("Date<=2000.02.28", "2000.02.??", false);
        check("Released<=1999.02.28", "1999.02", true);
        check("Date<2020.06", "2020.06.01", false);
        check("Date<=2020.06", "2020.06.30", true);
        check("Date<=2020-06", "2020.07.01", false);
        check("Date>=2020.06", "2020.??.??", false);
        check("Date>=2020.06", "2020.06.??", true);
        check("Date>2020.06", "2020.06.??", false);
        check("Date>2020.06", "2021.01.01", true);
        check("Date>=2020.06.01", "2020.06", true);
        check("Date<2020.06.15", "2020.06", false);
        check("WhiteElo<2022.03", "2022", true);
    }

    #[test]
    fn what_is_no_condition_is_refused() {
        for text in [
            "",
            "=x",
            "White",
            "White-x",
            "White!x",
            "!",
            "!White=x",
            "!White*",
            "White~(",
            "White=/x",
            "White=/(/",
            "WhiteElo>=strong",
            "Date>2020.??.??",
        ] {
            assert!(text.parse::<TagCondition>().is_err(), "{text}");
        }
    }
}
