//! Keys by which games are grouped, and their values.

use std::borrow::Cow;
use std::fmt;
use std::mem;
use std::str::FromStr;

use strum::{EnumIter, IntoEnumIterator, IntoStaticStr, VariantArray};

use crate::adjudication::{Adjudication, RuledReason};
use crate::chess::Color;
use crate::commands::habits::meanings;
use crate::commands::names::Names;
use crate::commands::openings::Opening;
use crate::commands::select::speed;
use crate::law::End;
use crate::pgn::PossibleDays;
use crate::pgn::termination::Reason;
use crate::pgn::values::time_control::{self, Speed, TimeControl};
use crate::pgn::values::{eco, rating, site};
use crate::pgn::{Game, TagName, Termination};
use crate::replay;
use crate::report::append;
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

/// Appends the value with a number.
type Push = fn(&mut String, i64);

/// Scale of the values of a key.
pub(crate) struct Scale {
    /// Number of a value, one more than that of the value before; `None` if unknown.
    pub(crate) place: fn(&str) -> Option<i64>,
    push: Push,
    /// Distances of regular ticks.
    pub(crate) regular: &'static [i64],
}

/// Number of a month such as `2024-05`. A year begins at a multiple of 12.
fn month(value: &str) -> Option<i64> {
    let (year, month) = value.split_once('-')?;
    let (year, month) = (year.parse::<u16>().ok()?, month.parse::<u8>().ok()?);
    Some(12 * i64::from(year) + i64::from(month) - 1)
}

/// First number of a band such as `2400..2499`.
fn first_number<T: FromStr + Into<i64>>(band: &str) -> Option<i64> {
    let first: T = band.split("..").next()?.parse().ok()?;
    Some(first.into())
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
    /// Scale of a key that a trend can be drawn over.
    pub(crate) fn scale(&self) -> Option<Scale> {
        let tens: &[i64] = &[1, 2, 5, 10, 20, 50, 100];
        let (place, push): (fn(&str) -> Option<i64>, Push) = match self {
            Key::Year => (|value| Some(value.parse::<u16>().ok()?.into()), push_year),
            Key::Month => (month, push_month),
            Key::Elo => (
                |value| Some(first_number::<u32>(value)? / RATINGS),
                |value, place| push_band(value, place * RATINGS, RATINGS),
            ),
            Key::EloDiff => (
                |value| Some((first_number::<i32>(value)? + RATINGS / 2).div_euclid(RATINGS)),
                push_difference,
            ),
            Key::Plies => (
                |value| Some(first_number::<u32>(value)? / PLIES),
                |value, place| push_band(value, place * PLIES, PLIES),
            ),
            _ => return None,
        };
        let regular = match self {
            Key::Month => &[1, 3, 6, 12, 24, 60, 120, 240],
            _ => tens,
        };
        Some(Scale {
            place,
            push,
            regular,
        })
    }

    /// Names of all keys but the tags.
    pub(crate) fn names() -> impl Iterator<Item = &'static str> {
        Key::iter().map(<&str>::from)
    }

    /// True if the values have an order of their own.
    pub(crate) fn is_ordered(&self) -> bool {
        matches!(self, Key::Eco | Key::File | Key::Speed) || self.scale().is_some()
    }

    /// Place of a value in the order, before that as text.
    pub(crate) fn place(&self, value: &str) -> Option<i64> {
        match self {
            Key::Speed => {
                let place = Speed::ALL.iter().position(|speed| speed.as_str() == value);
                place.map(|place| place as i64)
            }
            _ => self.scale().map_or(Some(0), |scale| (scale.place)(value)),
        }
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
        let is_end = || End::named(value).is_some();
        let is_reason = || {
            Reason::VARIANTS
                .iter()
                .any(|reason| reason.as_str() == value)
        };
        match self {
            Key::Eco => {
                let code = eco::read(value.as_bytes()).value;
                code.is_some_and(|code| code == *value.as_bytes())
            }
            Key::TimeControl => {
                let read = time_control::read(value.as_bytes()).value;
                value == "unreadable" || read.is_some_and(|read| read.to_string() == value)
            }
            Key::Speed => value == "unreadable" || self.place(value).is_some(),
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
            _ => self.scale().is_none_or(|scale| {
                let mut written = String::new();
                (scale.place)(value).is_some_and(|place| {
                    (scale.push)(&mut written, place);
                    written == value
                })
            }),
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
        if let Some((prefix, tag)) = text.split_once(':')
            && prefix.eq_ignore_ascii_case("tag")
        {
            let is_name = |c: char| !c.is_whitespace() && !c.is_control() && !"\"[]".contains(c);
            return match !tag.is_empty() && tag.chars().all(is_name) {
                true => Ok(Key::Tag(tag.to_owned())),
                false => Err("`tag:` is followed by the name of a tag".to_owned()),
            };
        }
        let named = Key::iter().find(|key| <&str>::from(key).eq_ignore_ascii_case(text));
        named.ok_or_else(|| {
            let names: Vec<_> = Key::names().chain(["tag:NAME"]).collect();
            let meant = meanings(text).find(|meaning| names.contains(meaning));
            no_such("key", meant.unwrap_or(text), &names)
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
    /// Opening by position, if those of the tags do not count.
    pub opening: Option<Option<&'a Opening>>,
    /// Names of players by spelling.
    pub names: &'a Names,
}

/// Width of the bands of ratings and of their differences.
const RATINGS: i64 = 100;
/// Width of the bands of plies.
const PLIES: i64 = 20;

impl GameFacts<'_> {
    /// Value of a key, empty if unknown; for `Player`, the player of `side`. `memory` is for
    /// values that are not in the text.
    pub(crate) fn value<'v>(
        &'v self,
        key: &Key,
        side: Color,
        memory: &'v mut String,
    ) -> Cow<'v, str> {
        memory.clear();
        let text = |name| self.game.text(self.text, name).unwrap_or_default();
        let player = |name| self.names.name(text(name));
        match key {
            Key::Player => return player([TagName::White, TagName::Black][side.index()]),
            Key::White => return player(TagName::White),
            Key::Black => return player(TagName::Black),
            Key::Event => return text(TagName::Event),
            Key::Tag(name) => {
                let tag = self.game.tag(self.text, name);
                return tag
                    .and_then(|tag| tag.known_text(self.text))
                    .unwrap_or_default();
            }
            Key::File => return self.file.into(),
            Key::Site => {
                let site = text(TagName::Site);
                let Some(host) = host(&site) else {
                    return site;
                };
                memory.push_str(host);
                memory.make_ascii_lowercase();
            }
            Key::Opening => {
                let name = match self.opening {
                    Some(opening) => opening.map_or("", |it| &it.name).into(),
                    None => text(TagName::Opening),
                };
                if !name.is_empty() {
                    return name;
                }
                self.push_eco(memory);
            }
            Key::Eco => self.push_eco(memory),
            Key::Year => self.push_date(false, memory),
            Key::Month => self.push_date(true, memory),
            Key::Elo => {
                if let Some([white, black]) = self.ratings() {
                    let mean = i64::midpoint(white, black);
                    push_band(memory, mean / RATINGS * RATINGS, RATINGS);
                }
            }
            Key::EloDiff => {
                if let Some([white, black]) = self.ratings() {
                    let difference = white - black;
                    let place = (difference.abs() + RATINGS / 2) / RATINGS;
                    push_difference(memory, place * difference.signum());
                }
            }
            Key::Plies => {
                let plies = i64::from(replay::plies(self.game));
                push_band(memory, plies / PLIES * PLIES, PLIES);
            }
            Key::Speed => return speed(self.game, self.text).into(),
            Key::TimeControl => self.push_time(memory),
            Key::Termination => {
                let reason = Termination::of(self.game, self.text).and_then(|said| said.reason);
                return reason.map_or("", Reason::as_str).into();
            }
            Key::Ending => {
                let board =
                    |adjudication: &Adjudication| adjudication.board.map_or("open", End::as_str);
                return self.adjudication.map_or("", board).into();
            }
            Key::Ruling => {
                let ruling = self
                    .adjudication
                    .and_then(|adjudication| adjudication.rulings.first());
                return ruling.map_or("", |ruling| ruling.reason.as_str()).into();
            }
        }
        Cow::Borrowed(memory)
    }

    fn raw(&self, name: TagName) -> &[u8] {
        let tag = self.game.known(name);
        tag.map_or(&b""[..], |tag| tag.value.of(self.text))
            .trim_ascii()
    }

    /// Appends the year, or year and month as in `2024-05`, if they are known. Sites that give the
    /// day by universal time only have no other; beside a year without a month, a day of that year
    /// counts.
    fn push_date(&self, with_month: bool, value: &mut String) {
        let mut first = None;
        for name in [TagName::Date, TagName::UtcDate] {
            let days = PossibleDays::read(self.raw(name));
            let Some((year, month)) = days.and_then(PossibleDays::year_and_month) else {
                continue;
            };
            let year = i64::from(year);
            if *first.get_or_insert(year) != year {
                continue;
            }
            match month {
                _ if !with_month => return push_year(value, year),
                Some(month) => return push_month(value, 12 * year + i64::from(month) - 1),
                None => {}
            }
        }
    }

    /// Appends the code of three characters; programs append others for their own subdivisions.
    fn push_eco(&self, value: &mut String) {
        if let Some(opening) = self.opening {
            return value.push_str(opening.map_or("", |it| &it.eco));
        }
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

    fn push_time(&self, value: &mut String) {
        let tag = self.game.known(TagName::TimeControl);
        let Some(read) = tag.map(|tag| time_control::read(&tag.unescape(self.text))) else {
            return;
        };
        match read.value {
            None => value.push_str("unreadable"),
            Some(TimeControl::Unknown) => {}
            Some(control) => append!(value, "{control}"),
        }
    }
}

fn push_two_digits(value: &mut String, number: i64) {
    let digits = [number / 10, number % 10].map(|digit| b'0' + digit as u8);
    value.extend(digits.map(char::from));
}

fn push_year(value: &mut String, year: i64) {
    push_two_digits(value, year / 100);
    push_two_digits(value, year % 100);
}

fn push_month(value: &mut String, place: i64) {
    push_year(value, place / 12);
    value.push('-');
    push_two_digits(value, place % 12 + 1);
}

fn push_band(value: &mut String, low: i64, width: i64) {
    append!(value, "{low}..{}", low + width - 1);
}

/// Appends a band of rating differences. Bands are symmetric around 0, whose band is the shortest.
fn push_difference(value: &mut String, place: i64) {
    let low = place * RATINGS - RATINGS / 2 + i64::from(place <= 0);
    push_band(value, low, RATINGS - i64::from(place == 0));
}

/// Host of an address: on servers every game is a page of its own.
fn host(site: &str) -> Option<&str> {
    let address = site::address(site.as_bytes())?;
    site[site.len() - address.len()..]
        .split(['/', '?', '#'])
        .next()
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
            opening: None,
            names: &Names::default(),
        };
        let sides = match key {
            Key::Player => &Color::ALL[..],
            _ => &[Color::White],
        };
        let values = sides.iter().map(|&side| {
            let mut memory = String::new();
            facts.value(&key, side, &mut memory).into_owned()
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
        assert_eq!("Year".parse(), Ok(Key::Year));
        for text in ["", "players", "tag:", "tag:a b", "tag"] {
            assert!(text.parse::<Key>().is_err(), "{text}");
        }
    }
}
