//! Keys by which games are grouped, and their values.

use std::fmt::{self, Write};
use std::mem;
use std::str::FromStr;

use strum::{EnumIter, IntoEnumIterator, IntoStaticStr, VariantArray};

use crate::adjudication::{Adjudication, RuledReason};
use crate::chess::Color;
use crate::law::End;
use crate::pgn::PossibleDays;
use crate::pgn::termination::Reason;
use crate::pgn::values::time_control::{self, Speed, TimeControl};
use crate::pgn::values::{eco, rating, site};
use crate::pgn::{Game, TagName, Termination};
use crate::text::nearest::no_such;

/// Key by which games are grouped. All but the tags have a name of their own.
#[derive(Clone, Debug, EnumIter, IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum Key {
    /// Each of the two players; a game counts once for either.
    Player,
    /// White.
    White,
    /// Black.
    Black,
    /// Year.
    Year,
    /// Year and month.
    Month,
    /// Event.
    Event,
    /// Site; the host of a URL.
    Site,
    /// ECO code, `B12`.
    Eco,
    /// Name of the opening, or its ECO code.
    Opening,
    /// Mean rating, in bands of 100.
    Elo,
    /// White's rating minus Black's, in bands of 100 around 0.
    EloDiff,
    /// Time control, in the form of the standard.
    TimeControl,
    /// Speed class of the time control.
    Speed,
    /// Recorded termination.
    Termination,
    /// Termination on the board.
    Ending,
    /// Termination under the rule set.
    Ruling,
    /// Number of plies, in bands of 20.
    Plies,
    /// File.
    File,
    /// Value of a tag, by name.
    #[strum(disabled)]
    Tag(String),
}

/// Steps between the values of a key.
pub(crate) struct Steps {
    /// Number of a value, one more than that of the value before; `None` if unknown.
    pub(crate) place: fn(&str) -> Option<i64>,
    /// Distances of regular ticks.
    pub(crate) regular: &'static [i64],
}

/// Number of a month such as `2024-05`, counted so that a year begins at a multiple of 12.
fn month(value: &str) -> Option<i64> {
    let (year, month) = value.split_once('-')?;
    Some(12 * year.parse::<i64>().ok()? + month.parse::<i64>().ok()? - 1)
}

/// First number of a band such as `2400..2499`.
pub(crate) fn first_number(band: &str) -> Option<i64> {
    band.split("..").next()?.parse().ok()
}

/// Part of a game that must be read.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Needs {
    /// Its tags.
    Tags,
    /// Its movetext too.
    Movetext,
    /// Its moves have to be played and judged.
    Adjudication,
}

impl Key {
    /// Steps between the values of a key that a trend can be drawn over.
    pub(crate) fn steps(&self) -> Option<Steps> {
        let tens: &[i64] = &[1, 2, 5, 10, 20, 50, 100];
        let months: &[i64] = &[1, 3, 6, 12, 24, 60, 120, 240];
        let (place, regular): (fn(&str) -> Option<i64>, _) = match self {
            Key::Year => (|value| value.parse().ok(), tens),
            Key::Month => (month, months),
            Key::Elo => (|value| Some(first_number(value)?.div_euclid(RATINGS)), tens),
            Key::EloDiff => (
                |value| Some((first_number(value)? + RATINGS / 2).div_euclid(RATINGS)),
                tens,
            ),
            Key::Plies => (
                |value| Some(first_number(value)?.div_euclid(PLIES as i64)),
                tens,
            ),
            _ => return None,
        };
        Some(Steps { place, regular })
    }

    /// The tags that tell the group.
    pub(crate) fn tags(&self) -> Vec<&str> {
        let tags: &[&str] = match self {
            Key::Player => &["White", "Black"],
            Key::White => &["White"],
            Key::Black => &["Black"],
            Key::Year | Key::Month => &["Date", "UTCDate"],
            Key::Event => &["Event"],
            Key::Site => &["Site"],
            Key::Eco => &["ECO"],
            Key::Opening => &["Opening", "ECO"],
            Key::Elo | Key::EloDiff => &["WhiteElo", "BlackElo"],
            Key::TimeControl | Key::Speed => &["TimeControl"],
            Key::Termination | Key::Ending | Key::Ruling | Key::Plies | Key::File => &[],
            Key::Tag(name) => return vec![name],
        };
        tags.to_vec()
    }

    /// Whether a value, written by an earlier run, can be one of the key.
    pub(crate) fn has_value(&self, value: &str) -> bool {
        let is_band = |of: fn(i64) -> [i64; 2]| {
            let first = first_number(value).filter(|first| first.unsigned_abs() <= u32::MAX.into());
            first.is_some_and(|first| {
                let [low, high] = of(first);
                format!("{low}..{high}") == value
            })
        };
        let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        let is_year = |text: &str| text.len() == 4 && is_number(text);
        let is_reason = || {
            Reason::VARIANTS
                .iter()
                .any(|reason| reason.as_str() == value)
        };
        let is_end = || End::ALL.iter().any(|end| end.as_str() == value);
        match self {
            Key::Year => is_year(value),
            Key::Month => value.split_once('-').is_some_and(|(year, number)| {
                let months = 1..=12_u8;
                is_year(year)
                    && number.len() == 2
                    && is_number(number)
                    && number.parse().is_ok_and(|month| months.contains(&month))
            }),
            Key::Eco => eco::read(value.as_bytes())
                .value
                .is_some_and(|code| code == *value.as_bytes()),
            Key::Elo => is_band(rating_band),
            Key::EloDiff => is_band(difference_band),
            Key::Plies => is_band(|plies| ply_band(plies.unsigned_abs())),
            Key::Speed => {
                value == "unreadable" || Speed::ALL.iter().any(|speed| speed.as_str() == value)
            }
            Key::TimeControl => {
                let read = time_control::read(value.as_bytes()).value;
                value == "unreadable" || read.is_some_and(|read| read.to_string() == value)
            }
            Key::Termination => is_reason(),
            Key::Ending => value == "open" || is_end(),
            Key::Ruling => {
                let others = [
                    RuledReason::ResignationOrTime,
                    RuledReason::Open,
                    RuledReason::Incomplete,
                    RuledReason::Unknown,
                ];
                is_end() || is_reason() || others.iter().any(|reason| reason.as_str() == value)
            }
            Key::Player
            | Key::White
            | Key::Black
            | Key::Event
            | Key::Site
            | Key::Opening
            | Key::File
            | Key::Tag(_) => true,
        }
    }

    /// Part of a game that must be read to know its group.
    pub(crate) fn needs(&self) -> Needs {
        match self {
            Key::Ending | Key::Ruling => Needs::Adjudication,
            Key::Termination | Key::Plies => Needs::Movetext,
            _ => Needs::Tags,
        }
    }
}

/// Names of tags are equal in any case, as they are looked up.
impl PartialEq for Key {
    fn eq(&self, other: &Key) -> bool {
        match (self, other) {
            (Key::Tag(name), Key::Tag(other)) => name.eq_ignore_ascii_case(other),
            _ => mem::discriminant(self) == mem::discriminant(other),
        }
    }
}

impl FromStr for Key {
    type Err = String;

    fn from_str(text: &str) -> Result<Key, String> {
        if let Some(tag) = text.strip_prefix("tag:") {
            let is_name = |c: char| !c.is_whitespace() && !c.is_control() && !"\"[]".contains(c);
            return match !tag.is_empty() && tag.chars().all(is_name) {
                true => Ok(Key::Tag(tag.to_owned())),
                false => Err("`tag:` is followed by the name of a tag".to_owned()),
            };
        }
        let named = Key::iter().find(|key| <&str>::from(key) == text);
        named.ok_or_else(|| {
            let names = Key::iter().map(<&str>::from);
            let names: Vec<_> = names.chain(["tag:NAME"]).collect();
            no_such("key", text, &names)
        })
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Key::Tag(tag) => write!(f, "tag:{tag}"),
            named => f.write_str(named.into()),
        }
    }
}

/// Facts of a game.
pub(crate) struct GameFacts<'a> {
    pub game: &'a Game,
    pub text: &'a [u8],
    /// Name of the source.
    pub file: &'a str,
    /// Adjudication, if requested and available.
    pub adjudication: Option<&'a Adjudication>,
}

/// Width of the bands of ratings and of their differences.
const RATINGS: i64 = 100;
/// Width of the bands of plies.
const PLIES: u64 = 20;

impl GameFacts<'_> {
    /// Appends the value of a key, if known; for `Player`, the player of `side`.
    pub(crate) fn read(&self, key: &Key, side: Color, value: &mut String) {
        match key {
            Key::Player => self.known([TagName::White, TagName::Black][side.index()], value),
            Key::White => self.known(TagName::White, value),
            Key::Black => self.known(TagName::Black, value),
            Key::Year => self.date(false, value),
            Key::Month => self.date(true, value),
            Key::Event => self.known(TagName::Event, value),
            Key::Site => {
                self.known(TagName::Site, value);
                keep_host(value);
            }
            Key::Eco => self.eco(value),
            Key::Opening => {
                self.known(TagName::Opening, value);
                if value.is_empty() {
                    self.eco(value);
                }
            }
            Key::Elo => {
                if let Some([white, black]) = self.ratings() {
                    band(value, rating_band(i64::midpoint(white, black)));
                }
            }
            Key::EloDiff => {
                if let Some([white, black]) = self.ratings() {
                    band(value, difference_band(white - black));
                }
            }
            Key::TimeControl | Key::Speed => self.time(key, value),
            Key::Termination => {
                let said = Termination::of(self.game, self.text);
                value.push_str(
                    said.and_then(|said| Some(said.reason?.as_str()))
                        .unwrap_or(""),
                );
            }
            Key::Ending => {
                let board =
                    |adjudication: &Adjudication| adjudication.board.map_or("open", End::as_str);
                value.push_str(self.adjudication.map_or("", board));
            }
            Key::Ruling => {
                let ruling = self
                    .adjudication
                    .and_then(|adjudication| adjudication.rulings.first());
                value.push_str(ruling.map_or("", |ruling| ruling.reason.as_str()));
            }
            Key::Plies => band(value, ply_band(self.game.plies().into())),
            Key::File => value.push_str(self.file),
            Key::Tag(name) => {
                let tag = self.game.tag(self.text, name);
                value.push_str(
                    &tag.and_then(|tag| tag.known_text(self.text))
                        .unwrap_or_default(),
                );
            }
        }
    }

    /// The value of a known tag; empty where it says nothing.
    fn known(&self, name: TagName, value: &mut String) {
        value.push_str(&self.game.text(self.text, name).unwrap_or_default());
    }

    fn raw(&self, name: TagName) -> &[u8] {
        let tag = self.game.known(name);
        tag.map_or(&b""[..], |tag| tag.value.of(self.text))
            .trim_ascii()
    }

    /// Appends the year, or year and month as in `2024-05`, if they are known. Sites that give the
    /// day by universal time only have no other; beside a year without a month, a day of that year
    /// counts.
    fn date(&self, with_month: bool, value: &mut String) {
        let mut first = None;
        for name in [TagName::Date, TagName::UtcDate] {
            let days = PossibleDays::read(self.raw(name));
            let Some((year, month)) = days.and_then(PossibleDays::year_and_month) else {
                continue;
            };
            if *first.get_or_insert(year) != year {
                continue;
            }
            if with_month && month.is_none() {
                continue;
            }
            push_two_digits(value, u32::from(year) / 100);
            push_two_digits(value, u32::from(year) % 100);
            if let Some(month) = month.filter(|_| with_month) {
                value.push('-');
                push_two_digits(value, month.into());
            }
            return;
        }
    }

    /// Appends the code of three characters; programs append others for their own subdivisions.
    fn eco(&self, value: &mut String) {
        let code = eco::read(self.raw(TagName::Eco))
            .value
            .into_iter()
            .flatten();
        value.extend(code.map(char::from));
    }

    /// Both ratings, where both are known.
    fn ratings(&self) -> Option<[i64; 2]> {
        let rating = |name| rating::read(self.raw(name)).value.map(i64::from);
        Some([rating(TagName::WhiteElo)?, rating(TagName::BlackElo)?])
    }

    fn time(&self, key: &Key, value: &mut String) {
        let tag = self.game.known(TagName::TimeControl);
        let Some(read) = tag.map(|tag| time_control::read(&tag.unescape(self.text))) else {
            return;
        };
        match (read.value, key) {
            (None, _) => value.push_str("unreadable"),
            (Some(TimeControl::Unknown), _) => {}
            (Some(control), Key::Speed) => {
                value.push_str(control.speed().map_or("", Speed::as_str));
            }
            // Writing to memory does not fail.
            (Some(control), _) => drop(write!(value, "{control}")),
        }
    }
}

fn push_two_digits(value: &mut String, number: u32) {
    let digits = [number / 10, number % 10].map(|digit| b'0' + digit as u8);
    value.extend(digits.map(char::from));
}

fn band(value: &mut String, [low, high]: [i64; 2]) {
    // Writing to memory does not fail.
    let _ = write!(value, "{low}..{high}");
}

fn rating_band(rating: i64) -> [i64; 2] {
    let low = rating / RATINGS * RATINGS;
    [low, low + RATINGS - 1]
}

fn ply_band(plies: u64) -> [i64; 2] {
    let low = plies / PLIES * PLIES;
    [low as i64, (low + PLIES - 1) as i64]
}

/// Band of a rating difference. Bands are symmetric around 0.
fn difference_band(difference: i64) -> [i64; 2] {
    let half = RATINGS / 2;
    let nth = (difference.abs() + half) / RATINGS;
    match (nth, difference > 0) {
        (0, _) => [1 - half, half - 1],
        (_, true) => [nth * RATINGS - half, nth * RATINGS + half - 1],
        (_, false) => [1 - half - nth * RATINGS, half - nth * RATINGS],
    }
}

/// Host of an address, in lower case: on servers every game is a page of its own.
fn keep_host(value: &mut String) {
    if let Some(address) = site::address(value.as_bytes()) {
        value.drain(..value.len() - address.len());
        if let Some(end) = value.find(['/', '?', '#']) {
            value.truncate(end);
        }
        value.make_ascii_lowercase();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::replay::Reader;

    #[track_caller]
    fn check(key: &str, text: &str, expected: &str) {
        let mut reader = Reader::new();
        let game = reader.read(text.as_bytes(), None);
        let key: Key = key.parse().unwrap();
        let facts = GameFacts {
            game,
            text: text.as_bytes(),
            file: "a.pgn",
            adjudication: None,
        };
        let sides = match key {
            Key::Player => &Color::ALL[..],
            _ => &[Color::White],
        };
        let values = sides.iter().map(|&side| {
            let mut value = String::new();
            facts.read(&key, side, &mut value);
            value
        });
        assert_eq!(
            values.collect::<Vec<_>>().join("|"),
            expected,
            "{key} {text}"
        );
    }

    #[test]
    fn dates_as_far_as_they_are_known() {
        check("year", "[Date \"1972.07.11\"]", "1972");
        check("month", "[Date \"1972.07.11\"]", "1972-07");
        check("month", "[Date \"1972-07-11\"]", "1972-07");
        check("year", "[Date \"1972.??.??\"]", "1972");
        check("month", "[Date \"1972.??.??\"]", "");
        check("month", "[Date \"1972.13.??\"]", "");
        check("year", "[Date \"1972\"]", "1972");
        check("year", "[Date \"????.??.??\"]", "");
        check("year", "[Date \"0000.00.00\"]", "");
        check("year", "[Date \"11.07.1972\"]", "1972");
        check("month", "[Date \"11.07.1972\"]", "");
        check("month", "[Date \"30.7.1972\"]", "1972-07");
        check("month", "[Date \"1972.7.1\"]", "1972-07");
        check("month", "[Date \"Sun Jul 09 2023\"]", "2023-07");
        check("month", "[Date \"9 July 2023\"]", "2023-07");
        check("month", "[Date \"May 2013\"]", "2013-05");
        check("month", "[Date \"May-June 2013\"]", "");
        check("year", "[Date \"May-June 2013\"]", "2013");
        check(
            "year",
            "[Date \"????.??.??\"]\n[UTCDate \"2013.01.02\"]",
            "2013",
        );
        check("month", "[UTCDate \"2013.01.02\"]", "2013-01");
        let two_years = "[Date \"2012.??.??\"]\n[UTCDate \"2013.01.02\"]";
        check("year", two_years, "2012");
        check("month", two_years, "");
        let one_year = "[Date \"2013.??.??\"]\n[UTCDate \"2013.01.02\"]";
        check("month", one_year, "2013-01");
        check("year", "1. e4", "");
    }

    #[test]
    fn ratings_in_bands_that_both_sides_see_alike() {
        let elo = |white, black| format!("[WhiteElo \"{white}\"]\n[BlackElo \"{black}\"]");
        check("elo", &elo("2499", "2500"), "2400..2499");
        check("elo", &elo("2500", "2500"), "2500..2599");
        check("elo", &elo("1500?", "1599"), "1500..1599");
        check("elo", &elo("2500", "-"), "");
        check("elo", &elo("2500", "0"), "");
        check("elo", "[WhiteElo \"2500\"]", "");
        check("elo-diff", &elo("2500", "2500"), "-49..49");
        check("elo-diff", &elo("2549", "2500"), "-49..49");
        check("elo-diff", &elo("2550", "2500"), "50..149");
        check("elo-diff", &elo("2649", "2500"), "50..149");
        check("elo-diff", &elo("2650", "2500"), "150..249");
        check("elo-diff", &elo("2500", "2549"), "-49..49");
        check("elo-diff", &elo("2500", "2550"), "-149..-50");
        check("elo-diff", &elo("2500", "2649"), "-149..-50");
        check("elo-diff", &elo("2500", "2650"), "-249..-150");
    }

    #[test]
    fn openings_by_name_or_else_by_code() {
        check("eco", "[ECO \"B12\"]", "B12");
        check("eco", "[ECO \"b12j\"]", "B12");
        check("eco", "[ECO \"?\"]", "");
        check("eco", "[ECO \"F00\"]", "");
        check(
            "opening",
            "[ECO \"B12\"]\n[Opening \"Caro-Kann\"]",
            "Caro-Kann",
        );
        check("opening", "[ECO \"B12\"]\n[Opening \"?\"]", "B12");
        check("opening", "1. e4", "");
    }

    #[test]
    fn times_and_speeds() {
        check("speed", "[TimeControl \"180+2\"]", "blitz");
        check("speed", "[TimeControl \"soon\"]", "unreadable");
        check("speed", "[TimeControl \"?\"]", "");
        check("speed", "[TimeControl \"-\"]", "correspondence");
        check("time-control", "[TimeControl \"180+0\"]", "180");
        check("time-control", "[TimeControl \"-\"]", "-");
        check("time-control", "[TimeControl \"60 mins\"]", "3600");
        check("time-control", "[TimeControl \"1 in 5 days\"]", "1/432000");
        check("speed", "[TimeControl \"15'/game & 10\\\"/move\"]", "rapid");
        check("speed", "[TimeControl \"G/60;d5\"]", "unreadable");
        check("time-control", "1. e4", "");
    }

    #[test]
    fn moves_after_the_result_are_not_counted() {
        let twenty = "Nf3 Nf6 Ng1 Ng8 ".repeat(5);
        check("plies", &format!("1. e4 * {twenty}"), "0..19");
        check("plies", &format!("1. e4 {twenty} *"), "20..39");
    }

    #[test]
    fn other_values() {
        check("player", "[White \"A\"]\n[Black \" B \"]", "A|B");
        check("white", "[White \"?\"]", "");
        check(
            "site",
            "[Site \"https://Lichess.org/abc?x\"]",
            "lichess.org",
        );
        check("site", "[Site \"lichess.org/abc\"]", "lichess.org");
        check("site", "[Site \"www.chess.com/live/1#2\"]", "www.chess.com");
        for place in [
            "Reykjavik ISL",
            "St.Louis/USA",
            "Wijk a/d Zee",
            "n/a",
            "1/2.3/4",
        ] {
            check("site", &format!("[Site \"{place}\"]"), place);
        }
        check("tag:round", "[Round \"1.2\"]", "1.2");
        check("event", "[Event \"a \\\"b\\\"\"]", "a \"b\"");
        check("file", "1. e4", "a.pgn");
        check("plies", "1. e4 (1. d4 d5) e5 2. Nf3", "0..19");
        check("plies", &"e4 ".repeat(20), "20..39");
        check(
            "termination",
            "[Termination \"time forfeit\"]\n\n1. e4 1-0",
            "time-forfeit",
        );
        check("termination", "1. e4 1-0", "");
    }

    #[test]
    fn names_are_read_as_they_are_written() {
        for key in Key::iter().chain([Key::Tag("Round".to_owned())]) {
            assert_eq!(key.to_string().parse(), Ok(key));
        }
        for text in ["", "players", "Year", "tag:", "tag:a b", "tag"] {
            assert!(text.parse::<Key>().is_err(), "{text}");
        }
    }
}
