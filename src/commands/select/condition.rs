//! Conditions: the value of `--where`.

use std::str::FromStr;

use strum::{EnumString, IntoStaticStr, VariantArray};

use crate::adjudication::{Adjudicator, RuleChoice};
use crate::commands::openings::Openings;
use crate::commands::select::reach::Reach;
use crate::commands::select::tag_condition::TagCondition;
use crate::law::End;
use crate::pgn::values::time_control::{self, Speed};
use crate::pgn::{Game, TagName};
use crate::replay;
use crate::winnability::SearchLimits;

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
#[derive(Clone, Copy, PartialEq, Eq, Debug, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "lowercase", ascii_case_insensitive)]
pub(super) enum Fact {
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

/// Parts of a game that a condition reads, cheap ones first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, VariantArray)]
pub(super) enum Price {
    Tags,
    Length,
    Moves,
    Adjudication,
}

/// A game, and tools to learn facts about it.
pub(super) struct GameFacts<'a> {
    pub(super) game: &'a Game,
    pub(super) text: &'a [u8],
    pub(super) openings: Option<&'a Openings>,
    pub(super) adjudicator: &'a mut Option<Adjudicator>,
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
    /// True if a condition is about the opening.
    pub(crate) fn is_of_eco(&self) -> bool {
        let is_of_eco = |condition: &Condition| matches!(condition, Condition::Fact(Fact::Eco, _));
        self.alternatives.iter().any(is_of_eco)
    }

    /// Conditions on tags.
    pub(super) fn tags(&self) -> impl Iterator<Item = &TagCondition> {
        self.alternatives
            .iter()
            .filter_map(|condition| match condition {
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

    /// Part of a game that the condition reads.
    pub(super) fn price(&self, has_openings: bool) -> Price {
        match self {
            Condition::Fact(Fact::Ending, _) => Price::Adjudication,
            Condition::Fact(Fact::Plies, _) => Price::Length,
            Condition::Reach(_) => Price::Moves,
            Condition::Fact(Fact::Eco, _) if has_openings => Price::Moves,
            Condition::Fact(..) => Price::Tags,
        }
    }
}

impl GameFacts<'_> {
    /// Whether a condition on a fact holds.
    pub(super) fn holds(&mut self, fact: Fact, condition: &TagCondition) -> bool {
        let (game, text) = (self.game, self.text);
        match (fact, self.openings) {
            (Fact::Tag, _) | (Fact::Eco, None) => condition.is_of(game, text),
            (Fact::Player, _) => {
                let holds = [TagName::White, TagName::Black].map(|name| {
                    let value = game.known(name).map(|tag| tag.unescape(text));
                    condition.holds(value.as_deref())
                });
                // Neither of the players has the value that another one has.
                match condition.differs() {
                    true => holds == [true; 2],
                    false => holds != [false; 2],
                }
            }
            (Fact::Speed, _) => condition.holds(Some(speed(game, text).as_bytes())),
            (Fact::Plies, _) => condition.holds(Some(replay::plies(game).to_string().as_bytes())),
            (Fact::Eco, Some(openings)) => {
                let opening = openings.find(game, text);
                condition.holds(opening.map(|opening| opening.eco.as_bytes()))
            }
            (Fact::Ending, _) => {
                let adjudicator = self.adjudicator.get_or_insert_with(|| {
                    Adjudicator::new::<RuleChoice>(&[], SearchLimits::DEFAULT)
                });
                let end = adjudicator.adjudicate(game, text);
                let end = end.map(|adjudication| adjudication.board);
                let end = end.map_or("", |end| end.map_or("open", End::as_str));
                condition.holds(Some(end.as_bytes()))
            }
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

    /// Whether a condition holds for a game.
    fn holds(condition: &str, text: &str) -> bool {
        let condition: WhereCondition = condition.parse().unwrap();
        let mut reader = Reader::new();
        let game = reader.read(text.as_bytes(), None);
        let mut facts = GameFacts {
            game,
            text: text.as_bytes(),
            openings: None,
            adjudicator: &mut None,
        };
        condition
            .alternatives
            .iter()
            .any(|condition| match condition {
                Condition::Fact(fact, condition) => facts.holds(*fact, condition),
                Condition::Reach(reach) => Reach::hold_in(&[reach], game, text.as_bytes())[0],
            })
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
            ("ending=checkmate", true),
            ("ending=open", false),
            ("White=Bob|Black=Bob", true),
            ("White=Bob | plies<4", false),
            ("White~Bob|Ann", true),
            ("White=Ann|!Event", true),
        ] {
            assert_eq!(holds(condition, GAME), expected, "{condition}");
        }
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
