//! `arbiter adjudicate --claim`.

use serde::Deserialize;
use serde_json::json;
use wasm_bindgen::prelude::{JsError, wasm_bindgen};

use chess_arbiter_core::adjudication::RuleChoice;
use chess_arbiter_core::chess::{Color, Position, Setup};
use chess_arbiter_core::claim::{
    Announced, COMPARED, Claim, ClaimGame, ClaimKind, ClaimRuling, Heading, Moment, decide, page,
};
use chess_arbiter_core::law::Loss;
use chess_arbiter_core::law::rulesets::RuleSet;
use chess_arbiter_core::text::nearest::no_such;
use chess_arbiter_core::winnability::SearchLimits;

use crate::games::{each_game, no_game};
use crate::{json, thrown};

/// Options of a claim.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Options {
    claim: String,
    by: Option<String>,
    fallen: Option<String>,
    #[serde(rename = "move")]
    announced: Option<String>,
    at: Option<String>,
    rules: Option<String>,
    game: Option<u64>,
    fen: Option<String>,
}

/// Decides a claim in a game of a text or, without one, in the position of the option `fen`.
#[wasm_bindgen]
pub fn claim(text: Option<Vec<u8>>, options: &str) -> Result<String, JsError> {
    let options = serde_json::from_str::<Options>(options);
    let options = options.map_err(|error| thrown(error.to_string()))?;
    let ruling = options.decide(text.as_deref())?;
    Ok(json::of(&json!({
        "html": page::of(&ruling),
        "text": ruling.for_people(None),
        "ruling": json::of(&ruling),
    })))
}

/// Kinds of claims, as JSON.
#[wasm_bindgen]
pub fn claims() -> String {
    let row = |kind: ClaimKind| {
        let words = kind.words();
        json!({"name": words.name, "help": words.help, "takes_move": kind.takes_a_move()})
    };
    json::of(&ClaimKind::all().map(row).collect::<Vec<_>>())
}

/// The rules by which a claim can be decided, as JSON.
#[wasm_bindgen]
pub fn rules() -> String {
    let row = |name: &str| {
        let title = match name.parse().ok()? {
            RuleChoice::Auto => "by the date and the site of the game".to_owned(),
            RuleChoice::One(rules) => rules.title.to_owned(),
            RuleChoice::InForce(editions) => editions.title.to_owned() + ", by the game's date",
        };
        Some(json!({"name": name, "title": title}))
    };
    json::of(&RuleChoice::names().filter_map(row).collect::<Vec<_>>())
}

impl Options {
    fn decide(&self, text: Option<&[u8]>) -> Result<ClaimRuling, JsError> {
        let claim = self.claim().map_err(thrown)?;
        let moment = self.at.as_deref().map(str::parse::<Moment>);
        let moment = moment.transpose().map_err(thrown)?;
        let choice = self.rules.as_deref().unwrap_or("auto");
        let choice: RuleChoice = choice.parse().map_err(thrown)?;
        let Some(fen) = &self.fen else {
            let text = text.ok_or_else(|| thrown("a claim needs a game or `fen`"))?;
            return in_game(text, self.game, &claim, moment.as_ref(), choice);
        };
        let fail = |why: String| thrown(format!("cannot use the FEN `{fen}`: {why}"));
        let setup: Setup = fen.parse().map_err(|error| fail(format!("{error}")))?;
        let position = Position::new(&setup).map_err(|faults| fail(faults.to_string()))?;
        let played = ClaimGame::of_position(&setup, position);
        Ok(ruling(played, &claim, choice, (choice.on(None), None)))
    }

    fn claim(&self) -> Result<Claim, String> {
        let (by, fallen) = (self.by.as_deref(), self.fallen.as_deref());
        let kind: ClaimKind = self.claim.parse()?;
        let is_flag = kind == ClaimKind::Loss(Loss::Time);
        let refused = match self.announced.as_deref().map(str::trim) {
            Some(_) if !kind.takes_a_move() => {
                Some("a move is announced with `threefold` and `fifty` only")
            }
            Some("") => Some("`move` is empty"),
            _ if is_flag && by.is_some() => {
                Some("`by` is the side that claims; `fallen` names the side whose flag fell")
            }
            _ if !is_flag && fallen.is_some() => Some("`fallen` needs the claim `flag`"),
            _ => None,
        };
        if let Some(why) = refused {
            return Err(why.to_owned());
        }
        let (kind, by) = match fallen {
            Some(side) if side.eq_ignore_ascii_case("both") => (ClaimKind::BothFlags, None),
            side => (kind, side.or(by).map(self::side).transpose()?),
        };
        let announced = self.announced.as_deref().map(Announced::new);
        Ok(Claim {
            kind,
            by,
            announced,
        })
    }
}

fn side(name: &str) -> Result<Color, String> {
    let mut sides = Color::ALL.into_iter();
    let found = sides.find(|side| side.name().eq_ignore_ascii_case(name));
    found.ok_or_else(|| no_such("side", name, &["white", "black"]))
}

/// Decides a claim in the game of a number, or in the only one.
fn in_game(
    text: &[u8],
    number: Option<u64>,
    claim: &Claim,
    moment: Option<&Moment>,
    choice: RuleChoice,
) -> Result<ClaimRuling, JsError> {
    let (mut count, mut decided) = (0, None);
    each_game(text, |game, text| {
        let (nth, bytes) = (text.origin.game.0, text.bytes);
        if number.is_some_and(|number| number != nth) {
            return false;
        }
        count += 1;
        decided.get_or_insert_with(|| {
            let played = ClaimGame::at(moment, claim, game, bytes);
            // The sentences of options are those of the command line.
            let named = |why: String| format!("game {nth}: {}", why.replace("`--", "`"));
            let ruled = |played| ClaimRuling {
                heading: Heading::new(game, bytes),
                ..ruling(played, claim, choice, choice.for_game(game, bytes))
            };
            played.map(ruled).map_err(named)
        });
        false
    })?;
    match decided {
        Some(decided) if count == 1 => decided.map_err(thrown),
        Some(_) => Err(thrown(format!(
            "there are {count} games, and a claim is about one: choose it with `game`"
        ))),
        None => Err(no_game(number.unwrap_or(1))),
    }
}

fn ruling(
    game: ClaimGame,
    claim: &Claim,
    choice: RuleChoice,
    (rules, note): (&'static RuleSet, Option<String>),
) -> ClaimRuling {
    let game = game.in_letters(None, None);
    let compared = COMPARED.iter().filter_map(|name| name.parse().ok());
    let compared: Vec<RuleChoice> = compared.collect();
    ClaimRuling {
        asked: choice.name(),
        note,
        ..decide(&game, claim, rules, SearchLimits::DEFAULT, &compared)
    }
}
