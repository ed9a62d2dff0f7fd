//! Conditions: the value of `--where`.

use std::ptr;
use std::str::FromStr;

use strum::{EnumString, IntoStaticStr, VariantArray};

use crate::chess::{Move, Position};
use crate::commands::openings::{Opening, Openings};
use crate::commands::select::reach::Reach;
use crate::commands::select::tag_condition::TagCondition;
use crate::law::End;
use crate::pgn::values::time_control::{self, Speed};
use crate::pgn::{Game, TagName};
use crate::replay::{self, Replay};

/// Value of `--where`: conditions of which one must hold.
#[derive(Clone, Debug)]
pub(crate) struct WhereCondition {
    /// The value as typed.
    pub(super) text: String,
    pub(super) alternatives: Vec<Condition>,
}

#[derive(Clone, Debug)]
pub(super) enum Condition {
    /// Condition on a tag, or on a fact by the name of a tag.
    Fact(Fact, TagCondition),
    Reach(Reach),
}

/// Facts that conditions are about.
#[derive(Clone, Copy, PartialEq, Eq, Debug, EnumString, IntoStaticStr)]
#[strum(serialize_all = "lowercase", ascii_case_insensitive)]
pub(crate) enum Fact {
    /// The tag that the condition names.
    #[strum(disabled)]
    Tag,
    /// Either player.
    Player,
    /// Speed class of the time control, as in `stats --by speed`.
    Speed,
    /// Number of moves of both sides.
    Plies,
    /// Code of the opening by the table of openings, or of the tag without a table.
    Eco,
    /// End on the board, as in `stats --by ending`.
    Ending,
}

/// Facts of a game that are known so far; its tags are from the beginning.
pub(super) struct GameFacts<'a> {
    game: &'a Game,
    text: &'a [u8],
    openings: Option<&'a Openings>,
    /// Whether its moves have been read.
    pub(super) is_read: bool,
    /// Whether they have been played, as far as conditions need it.
    pub(super) is_played: bool,
    /// Conditions on positions, and whether they have been reached.
    pub(super) reaches: Vec<(&'a Reach, Option<bool>)>,
    /// The opening of the last position in the table.
    opening: Option<&'a Opening>,
    /// The end on the board, `open`, or empty if the game cannot be adjudicated.
    pub(super) end: Option<&'static str>,
}

impl FromStr for WhereCondition {
    type Err = String;

    /// Parses conditions with `|` between them. A `|` that no condition follows belongs to the
    /// value, as in a regular expression.
    fn from_str(text: &str) -> Result<WhereCondition, String> {
        let mut alternatives = Vec::new();
        let mut begin = 0;
        for (at, _) in text.match_indices('|') {
            if begins_condition(text[at + 1..].trim_start()) {
                alternatives.push(Condition::read(text[begin..at].trim())?);
                begin = at + 1;
            }
        }
        alternatives.push(match begin {
            0 => Condition::read(text)?,
            _ => Condition::read(text[begin..].trim())?,
        });
        Ok(WhereCondition {
            text: text.to_owned(),
            alternatives,
        })
    }
}

impl WhereCondition {
    /// True if one of the conditions is about this fact.
    pub(crate) fn is_of(&self, fact: Fact) -> bool {
        let is_of = |it: &Condition| matches!(it, Condition::Fact(other, _) if *other == fact);
        self.alternatives.iter().any(is_of)
    }

    /// Whether one of the conditions holds; `None` if that is not known yet.
    pub(super) fn holds(&self, facts: &GameFacts<'_>) -> Option<bool> {
        let known = self.alternatives.iter().map(|it| facts.meets(it));
        known.reduce(|one, other| match (one, other) {
            (Some(true), _) | (_, Some(true)) => Some(true),
            (Some(false), Some(false)) => Some(false),
            _ => None,
        })?
    }

    /// Conditions on tags.
    pub(super) fn tags(&self) -> impl Iterator<Item = &TagCondition> {
        let conditions = self.alternatives.iter();
        conditions.filter_map(|condition| match condition {
            Condition::Fact(Fact::Tag, condition) => Some(condition),
            _ => None,
        })
    }
}

/// Whether a text begins with a name and a comparison, or is `!NAME`.
fn begins_condition(text: &str) -> bool {
    let is_of_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let rest = text.strip_prefix('!').unwrap_or(text);
    let after = rest.trim_start_matches(is_of_name);
    let is_name = after.len() < rest.len();
    is_name
        && match rest.len() < text.len() {
            true => after.trim_start().is_empty() || after.trim_start().starts_with('|'),
            false => after.trim_start().starts_with(['=', '!', '~', '<', '>']),
        }
}

impl Condition {
    fn read(text: &str) -> Result<Condition, String> {
        if let Some(reach) = Reach::read(text) {
            return reach.map(Condition::Reach);
        }
        let condition: TagCondition = text.parse()?;
        let fact = condition.tag.parse().unwrap_or(Fact::Tag);
        let values: Vec<&str> = match fact {
            Fact::Ending => [&End::ALL.map(End::as_str)[..], &["open"]].concat(),
            Fact::Speed => Speed::VARIANTS.iter().map(|speed| speed.as_str()).collect(),
            Fact::Plies if !text.contains(|c: char| c.is_ascii_digit()) => {
                return Err(format!("`{text}` has no number, as in `plies>=80`"));
            }
            _ => Vec::new(),
        };
        let holds = |value: &&str| condition.holds(Some(value.as_bytes()));
        let count = values.iter().filter(|value| holds(value)).count();
        if !values.is_empty() && (count == 0 || count == values.len()) {
            return Err(format!(
                "`{text}` tells no two games apart: `{}` is one of {}",
                <&str>::from(fact),
                values.join(", ")
            ));
        }
        Ok(Condition::Fact(fact, condition))
    }
}

impl<'a> GameFacts<'a> {
    /// Facts of a game, with the table for conditions on its opening.
    pub(super) fn new(game: &'a Game, text: &'a [u8], openings: Option<&'a Openings>) -> Self {
        GameFacts {
            game,
            text,
            openings,
            is_read: false,
            is_played: false,
            reaches: Vec::new(),
            opening: None,
            end: None,
        }
    }

    /// Plays a game until all is known about its positions, and shows each move to `see`.
    pub(super) fn watch(&mut self, replay: &mut Replay<'_>, mut see: impl FnMut(Move, &Position)) {
        loop {
            for (reach, is_reached) in &mut self.reaches {
                *is_reached = is_reached.or_else(|| reach.is_reached(replay));
            }
            let (position, openings) = (replay.position(), self.openings);
            let is_open = openings.is_some_and(|table| table.see(position, &mut self.opening));
            if !is_open && self.reaches.iter().all(|it| it.1.is_some()) {
                break;
            }
            let Some(ply) = replay.play() else { break };
            see(ply.mv, replay.position());
        }
    }

    /// Whether the game meets a condition, if that is known.
    fn meets(&self, condition: &Condition) -> Option<bool> {
        let (game, text) = (self.game, self.text);
        let (fact, condition) = match condition {
            Condition::Fact(fact, condition) => (fact, condition),
            Condition::Reach(reach) => {
                let known = self.reaches.iter().find(|known| ptr::eq(known.0, reach));
                let known = known.and_then(|it| it.1);
                let is_reached = known.or(self.is_played.then_some(false));
                return is_reached.map(|is_reached| is_reached != reach.differs);
            }
        };
        let holds = |value: Option<&str>| Some(condition.holds(value.map(str::as_bytes)));
        match (fact, self.openings) {
            (Fact::Tag, _) | (Fact::Eco, None) => Some(condition.is_of(game, text)),
            (Fact::Player, _) => {
                let holds = [TagName::White, TagName::Black].map(|name| {
                    let value = game.known(name).map(|tag| tag.unescape(text));
                    condition.holds(value.as_deref())
                });
                // Neither of the players has the value that another one has.
                Some(match condition.differs() {
                    true => holds == [true; 2],
                    false => holds != [false; 2],
                })
            }
            (Fact::Speed, _) => holds(Some(speed(game, text))),
            (Fact::Plies, _) if self.is_read => holds(Some(&replay::plies(game).to_string())),
            (Fact::Eco, Some(_)) if self.is_played => holds(self.opening.map(|it| &*it.eco)),
            (Fact::Ending, _) => self.end.and_then(|end| holds(Some(end))),
            (Fact::Plies | Fact::Eco, _) => None,
        }
    }
}

/// Speed class of a game's time control, empty if it is unknown.
pub(crate) fn speed(game: &Game, text: &[u8]) -> &'static str {
    let Some(tag) = game.known(TagName::TimeControl) else {
        return "";
    };
    match time_control::read(&tag.unescape(text)).value {
        None => "unreadable",
        Some(control) => control.speed().map_or("", Speed::as_str),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::replay::Reader;

    /// Whether a condition on tags or on the number of moves holds for a game.
    fn holds(condition: &str, text: &str) -> bool {
        let condition: WhereCondition = condition.parse().unwrap();
        let mut reader = Reader::new();
        let game = reader.read(text.as_bytes(), None);
        let mut facts = GameFacts::new(game, text.as_bytes(), None);
        facts.is_read = true;
        condition.holds(&facts).unwrap()
    }

    const GAME: &str = "[White \"Ann\"]\n[Black \"Bob\"]\n[TimeControl \"180+2\"]\n\n\
                        1. f3 e5 2. g4 Qh4# 0-1\n";

    #[test]
    fn facts_of_a_game() {
        for (condition, expected) in [
            ("player=Ann", true),
            ("player=Bob", true),
            ("player=Carl", false),
            ("player!=Bob", false),
            ("player!=Carl", true),
            ("speed=blitz", true),
            ("speed!=blitz", false),
            ("plies=4", true),
            ("plies>=5", false),
            ("White=Bob|Black=Bob", true),
            ("White=Bob | plies<4", false),
            ("White~Bob|Ann", true),
            ("White=Ann|!Event", true),
        ] {
            assert_eq!(holds(condition, GAME), expected, "{condition}");
        }
    }

    #[test]
    fn a_condition_on_facts_not_yet_known_is_open() {
        let condition = |text: &str| text.parse::<WhereCondition>().unwrap();
        let mut reader = Reader::new();
        let game = reader.read(GAME.as_bytes(), None);
        let mut facts = GameFacts::new(game, GAME.as_bytes(), None);
        for (text, expected) in [
            ("White=Ann", Some(true)),
            ("White=Bob", Some(false)),
            ("plies=4", None),
            ("White=Ann|plies=5", Some(true)),
            ("White=Bob|plies=4", None),
            ("material=Kk|ending=open", None),
        ] {
            assert_eq!(condition(text).holds(&facts), expected, "{text}");
        }
        facts.is_read = true;
        assert_eq!(condition("White=Bob|plies=4").holds(&facts), Some(true));
        facts.is_played = true;
        let either = condition("material=Kk|ending=checkmate");
        assert_eq!(either.holds(&facts), None);
        facts.end = Some("checkmate");
        assert_eq!(either.holds(&facts), Some(true));
        assert_eq!(
            condition("position=8/8/8/8/8/8/8/8").holds(&facts),
            Some(false)
        );
        assert_eq!(
            condition("position!=8/8/8/8/8/8/8/8").holds(&facts),
            Some(true)
        );
    }

    #[test]
    fn a_bar_without_a_condition_belongs_to_the_value() {
        let count = |text: &str| text.parse::<WhereCondition>().unwrap().alternatives.len();
        assert_eq!(count("White=A|Black=A|plies>=9"), 3);
        assert_eq!(count("White~(A|B)"), 1);
        assert_eq!(count("Event=A|B"), 1);
        assert_eq!(count("!ECO|ECO=B*"), 2);
    }

    #[test]
    fn values_that_no_game_has_are_refused() {
        for condition in [
            "ending=stalmate",
            "ending!=stalmate",
            "speed=fast",
            "ending=*",
            "moves>=40",
            "plies=x",
            "position~x",
            "moves!!=1. e4",
            "position=8/8/8/8/8/8/8/8 w",
        ] {
            assert!(condition.parse::<WhereCondition>().is_err(), "{condition}");
        }
    }
}
