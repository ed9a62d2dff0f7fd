//! Choice of the rule set for a game: one by name, the edition in force on the game's date, or the
//! one that the game's tags show.

use std::borrow::Cow;
use std::str::FromStr;

use crate::law::RuleSet;
use crate::law::rulesets::{
    CHESSCOM_EDITIONS, Date, EDITIONS, ENGINE, Editions, FICS, FIDE_EDITIONS, ICC, LICHESS,
    RULE_SETS,
};
use crate::pgn::Game;
use crate::pgn::values::is_unknown;
use crate::text::decode;
use crate::text::nearest::no_such;

/// The rules to judge games by, as `--rules` names them.
///
/// ```
/// use chess_arbiter_core::{Reader, RuleChoice};
///
/// let text = b"[Site \"https://lichess.org/abcdefgh\"]\n\n1. e4 *";
/// let mut reader = Reader::new();
/// let (rules, _) = RuleChoice::Auto.for_game(reader.read(text, None), text);
/// assert_eq!(rules.name, "lichess");
/// assert!("fide".parse::<RuleChoice>().is_ok());
/// ```
#[derive(Clone, Copy, Debug)]
pub enum RuleChoice {
    /// One rule set for every game.
    One(&'static RuleSet),
    /// The edition in force on the game's date.
    InForce(&'static Editions),
    /// The rules that Site, Event and Termination show the game was played by.
    Auto,
}

impl From<&'static RuleSet> for RuleChoice {
    fn from(rules: &'static RuleSet) -> RuleChoice {
        RuleChoice::One(rules)
    }
}

impl FromStr for RuleChoice {
    type Err = String;

    fn from_str(name: &str) -> Result<RuleChoice, String> {
        if name.eq_ignore_ascii_case(RuleChoice::Auto.name()) {
            return Ok(RuleChoice::Auto);
        }
        Editions::named(name)
            .map(RuleChoice::InForce)
            .or_else(|| RuleSet::named(name).map(RuleChoice::One))
            .ok_or_else(|| {
                let names: Vec<_> = RuleChoice::names().collect();
                no_such("rule set", name, &names)
            })
    }
}

impl RuleChoice {
    /// The Laws of FIDE in force on the game's date.
    pub const FIDE: RuleChoice = RuleChoice::InForce(&FIDE_EDITIONS);

    /// Every name.
    pub fn names() -> impl Iterator<Item = &'static str> {
        let editions = EDITIONS.into_iter().map(|editions| editions.name);
        let sets = RULE_SETS.into_iter().map(|rules| rules.name);
        [RuleChoice::Auto.name()]
            .into_iter()
            .chain(editions)
            .chain(sets)
    }

    /// The name scripts know it by.
    pub const fn name(self) -> &'static str {
        match self {
            RuleChoice::One(rules) => rules.name,
            RuleChoice::InForce(editions) => editions.name,
            RuleChoice::Auto => "auto",
        }
    }

    /// Every rule set that may be applied.
    pub fn candidates(self) -> Vec<&'static RuleSet> {
        match self {
            RuleChoice::One(rules) => vec![rules],
            RuleChoice::InForce(editions) => editions.sets.to_vec(),
            RuleChoice::Auto => {
                let mut sets = vec![&LICHESS, &ICC, &FICS, &ENGINE];
                sets.extend(CHESSCOM_EDITIONS.sets.iter().chain(FIDE_EDITIONS.sets));
                sets
            }
        }
    }

    /// The rule set for a game, and why this one, if it was chosen for the game.
    pub fn for_game(self, game: &Game, text: &[u8]) -> (&'static RuleSet, Option<String>) {
        let (choice, shown_by) = match self {
            RuleChoice::Auto => by_tags(game, text),
            choice => (choice, ""),
        };
        let (rules, why) = match choice {
            RuleChoice::InForce(editions) => {
                let (rules, why) = in_force(editions, game, text);
                (rules, Some(why))
            }
            choice => (choice.on(None), None),
        };
        let why = match (why, shown_by) {
            (None, "") => return (rules, None),
            (Some(why), "") => why,
            (Some(why), tag) => format!("{why} ({tag} shows the rules)").into(),
            (None, tag) => format!("{tag} shows the rules").into(),
        };
        (rules, Some(format!("judged by {}: {why}", rules.name)))
    }

    /// The rule set on a day; without a day the latest edition.
    pub fn on(self, day: Option<Date>) -> &'static RuleSet {
        match self {
            RuleChoice::One(rules) => rules,
            RuleChoice::InForce(editions) => editions.in_force(day),
            RuleChoice::Auto => FIDE_EDITIONS.in_force(day),
        }
    }
}

/// The edition in force on the game's date, and why it is this one.
///
/// The first possible day of a partial date counts: later editions only add ends, so that an end by
/// this one is an end on every possible day. Without a date it is the latest edition.
fn in_force(
    editions: &Editions,
    game: &Game,
    text: &[u8],
) -> (&'static RuleSet, Cow<'static, str>) {
    let Some((days, value)) = game.possible_days(text) else {
        return (
            editions.in_force(None),
            "the latest edition, as the date is not known".into(),
        );
    };
    let rules = editions.in_force(Some(days.first));
    let named = decode(value.trim_ascii());
    let why = if days.first >= UNREAD {
        "the latest edition that `arbiter` knows".into()
    } else if rules.since.is_some_and(|since| days.last < since) {
        "the oldest edition, for older games too".into()
    } else if days.first == days.last {
        format!("the edition in force on {}", days.first).into()
    } else if editions.in_force(Some(days.last)).name == rules.name {
        format!("the edition in force on every day of `{named}`").into()
    } else {
        format!("the edition in force on the first possible day of `{named}`").into()
    };
    (rules, why)
}

/// First day on which other editions may be in force than those that are known here.
const UNREAD: Date = Date::new(2026, 1, 1);

/// The rules that a game's tags show, and which tag does.
fn by_tags(game: &Game, text: &[u8]) -> (RuleChoice, &'static str) {
    let tag = |name| value(game, text, name).to_ascii_lowercase();
    let (site, event) = (tag("Site"), tag("Event"));
    for (place, shown_by) in [(&site, "Site"), (&event, "Event")] {
        if ENGINE.is_played_at(place) {
            return (RuleChoice::One(&ENGINE), shown_by);
        }
    }
    let both_are_programs = ["WhiteType", "BlackType"]
        .map(|name| value(game, text, name).eq_ignore_ascii_case("program"))
        == [true; 2];
    let chesscom = CHESSCOM_EDITIONS.in_force(None);
    if chesscom.is_played_at(&site) && (both_are_programs || is_chesscom_engine_event(&event)) {
        return (RuleChoice::One(&ENGINE), "Event");
    }
    // Games over the board that a server shows are not played by its rules.
    let is_relay = ["/broadcast/", "/study/", "/events/"]
        .iter()
        .any(|part| site.contains(part));
    if is_relay {
        return (RuleChoice::FIDE, "");
    }
    let (place, shown_by) = if is_unknown(site.as_bytes()) {
        (&event, "Event")
    } else {
        (&site, "Site")
    };
    let servers = [
        RuleChoice::One(&LICHESS),
        RuleChoice::One(&FICS),
        RuleChoice::One(&ICC),
        RuleChoice::InForce(&CHESSCOM_EDITIONS),
    ];
    let is_server = |choice: &RuleChoice| choice.on(None).is_played_at(place);
    if let Some(choice) = servers.into_iter().find(is_server) {
        return (choice, shown_by);
    }
    if both_are_programs {
        return (RuleChoice::One(&ENGINE), "WhiteType");
    }
    by_termination(game, text)
}

/// Whether an event on chess.com is one of its matches between engines: `CCC 11 Round 1 (30|5)`.
fn is_chesscom_engine_event(event: &str) -> bool {
    event.starts_with("ccc ") || event.contains("computer chess championship")
}

/// First day on which an adjudicated game may be one of programs: no interface ran their matches
/// before.
const FIRST_ENGINE_MATCHES: Date = Date::new(1995, 1, 1);

/// The rules that the words of the Termination tag show: those of engine matches and of chess.com.
fn by_termination(game: &Game, text: &[u8]) -> (RuleChoice, &'static str) {
    let words = value(game, text, "Termination").to_ascii_lowercase();
    let words = words.trim();
    let by_program = [
        "gui ",
        "tb ",
        "tcec",
        "syzygy",
        "stalled connection",
        "engine",
    ]
    .iter()
    .any(|part| words.starts_with(part));
    // Games of people were adjudicated too; they have titles, numbers and birthdays.
    let has_people = || {
        let named = ["WhiteTitle", "BlackTitle", "WhiteFideId", "BlackFideId"];
        let is_human = |name| value(game, text, name).eq_ignore_ascii_case("human");
        named
            .iter()
            .any(|name| !value(game, text, name).trim().is_empty())
            || is_human("WhiteType")
            || is_human("BlackType")
    };
    let is_adjudicated = words == "adjudication" || words.ends_with(" adjudication");
    let days = game.possible_days(text);
    let is_old = days.is_some_and(|(days, _)| days.last < FIRST_ENGINE_MATCHES);
    if by_program || is_adjudicated && !is_old && !has_people() {
        return (RuleChoice::One(&ENGINE), "Termination");
    }
    let of_chesscom = words.starts_with("game drawn by ")
        || [" won by ", " won on time", " won - game abandoned"]
            .iter()
            .any(|part| words.contains(part));
    if of_chesscom {
        return (RuleChoice::InForce(&CHESSCOM_EDITIONS), "Termination");
    }
    (RuleChoice::FIDE, "")
}

/// The value of a tag, or nothing.
fn value<'a>(game: &Game, text: &'a [u8], name: &str) -> Cow<'a, str> {
    game.tag(text, name).map_or("".into(), |tag| tag.text(text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::replay::Reader;

    fn applied(choice: RuleChoice, tags: &str) -> (&'static str, String) {
        let text: String = tags
            .split(", ")
            .map(|tag| {
                let (name, value) = tag.split_once(' ').unwrap_or((tag, ""));
                format!("[{name} \"{value}\"]\n")
            })
            .chain(["\n1. e4 *\n".to_owned()])
            .collect();
        let mut reader = Reader::new();
        let game = reader.read(text.as_bytes(), None);
        let (rules, note) = choice.for_game(game, text.as_bytes());
        (rules.name, note.unwrap_or_default())
    }

    #[test]
    fn every_name_is_a_choice() {
        for name in RuleChoice::names() {
            let choice: RuleChoice = name.parse().unwrap();
            assert_eq!(choice.name(), name);
            assert!(!choice.candidates().is_empty());
        }
        assert_eq!(
            "Fide-2023".parse::<RuleChoice>().unwrap().name(),
            "fide-2023"
        );
        assert!("fide2023".parse::<RuleChoice>().is_err());
    }

    #[test]
    fn the_laws_in_force_on_the_date_of_the_game() {
        let check = |date: &str, rules: &str, note: &str| {
            let (name, said) = applied(RuleChoice::FIDE, &format!("Date {date}"));
            assert_eq!(name, rules, "{date}");
            assert!(said.contains(note), "{date}: {said}");
        };
        check("2014.06.20", "fide-2009", "in force on 20 June 2014");
        check("2014.07.01", "fide-2014", "in force on 1 July 2014");
        check("2017.07.01", "fide-2017", "in force on 1 July 2017");
        check("2018.01.01", "fide-2018", "in force on 1 January 2018");
        check("2024.02.29", "fide-2023", "in force on 29 February 2024");
        check("2025.12.31", "fide-2023", "in force on 31 December 2025");
        check(
            "2026.01.01",
            "fide-2023",
            "the latest edition that `arbiter` knows",
        );
        check(
            "2031.??.??",
            "fide-2023",
            "the latest edition that `arbiter` knows",
        );
        check("1851.06.21", "fide-2009", "the oldest edition");
        check("2020.??.??", "fide-2018", "on every day of `2020.??.??`");
        check(
            "2014.??.??",
            "fide-2009",
            "on the first possible day of `2014.??.??`",
        );
        check("2017.??.??", "fide-2014", "on the first possible day");
        check("2014.06.??", "fide-2009", "on every day");
        check("20??.??.??", "fide-2009", "on the first possible day");
        check("????.??.??", "fide-2023", "the date is not known");
        check("", "fide-2023", "the date is not known");
        check("20.12.2014", "fide-2014", "in force on 20 December 2014");
        check("May 2013", "fide-2009", "on every day of `May 2013`");
        let tags = "Date ????.??.??, UTCDate 2013.05.01, EventDate 2024.01.01";
        assert_eq!(applied(RuleChoice::FIDE, tags).0, "fide-2009");
        assert_eq!(
            applied(RuleChoice::FIDE, "EventDate 2013.05.01").0,
            "fide-2009"
        );
        let (name, note) = applied(RuleChoice::One(&LICHESS), "Date 2014.06.20");
        assert_eq!((name, note.as_str()), ("lichess", ""));
    }

    #[test]
    fn tags_show_the_rules() {
        let check = |tags: &str, rules: &str| {
            assert_eq!(applied(RuleChoice::Auto, tags).0, rules, "{tags}");
        };
        check("Site https://lichess.org/5jR9agAP", "lichess");
        check("Site lichess.org INT, Event Titled Arena", "lichess");
        check(
            "Site https://lichess.org/broadcast/a/b/c, Date 2024.01.01",
            "fide-2023",
        );
        check(
            "Site https://lichess.org/study/a/b, Date 2019.01.01",
            "fide-2018",
        );
        check("Site Chess.com, Date 2024.01.01", "chesscom-2022");
        check("Site chess.com INT, Date 2018.02.24", "chesscom-2007");
        check("Site Chess.com, Event CCC 11 Round 1 (30|5)", "engine");
        check(
            "Site Chess.com, WhiteType program, BlackType program",
            "engine",
        );
        check(
            "Site https://www.chess.com/computer-chess-championship",
            "engine",
        );
        check("Site playchess.com INT, Date 2024.01.01", "fide-2023");
        check("Site ICC INT", "icc");
        check("Site FICS freechess.org", "fics");
        check(
            "Site FICS freechess.org, WhiteType program, BlackType program",
            "fics",
        );
        check("Site ?, Event FICS rated standard game", "fics");
        check("Event CCRL 40/40", "engine");
        check("Event TCEC Season 20", "engine");
        check("Site ChessGUI2", "engine");
        check("Site home, WhiteType program, BlackType program", "engine");
        check("Site ?, Termination GUI adjudication", "engine");
        check("Site home, Termination adjudication", "engine");
        check(
            "Site Moscow, Date 1955.03.01, Termination adjudication",
            "fide-2009",
        );
        check(
            "Site Wien AUT, Date 2001.03.01, Termination adjudication, WhiteTitle GM",
            "fide-2009",
        );
        check(
            "Termination Anna won by resignation, Date 2024.01.01",
            "chesscom-2022",
        );
        check("Termination Normal, Date 2024.01.01", "fide-2023");
        check(
            "Site Moscow RUS, Event Chess.com Classic, Date 2024.01.01",
            "fide-2023",
        );
        check("Date 2014.06.20", "fide-2009");
    }

    #[test]
    fn the_note_says_which_tag_shows_the_rules() {
        let (_, note) = applied(RuleChoice::Auto, "Site lichess.org");
        assert_eq!(note, "judged by lichess: Site shows the rules");
        let (_, note) = applied(RuleChoice::Auto, "Site Chess.com, Date 2024.01.01");
        assert!(
            note.starts_with("judged by chesscom-2022: ")
                && note.ends_with("(Site shows the rules)")
        );
    }
}
