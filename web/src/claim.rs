//! `arbiter adjudicate --claim`.

use serde::Deserialize;
use serde_json::json;
use wasm_bindgen::prelude::{JsError, wasm_bindgen};

use chess_arbiter_core::claim::{
    COMPARED, Claim, ClaimGame, ClaimKind, ClaimRuling, Heading, Moment, Side, decide, page,
};
use chess_arbiter_core::law::rulesets::RuleSet;
use chess_arbiter_core::text::nearest::no_such;
use chess_arbiter_core::{Color, Position, RuleChoice, SearchLimits, Setup};

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
        let side = |name: &Option<String>| name.as_deref().map(side).transpose();
        let (kind, announced) = (self.claim.parse()?, self.announced.as_deref());
        let claim = Claim::new(kind, side(&self.by)?, side(&self.fallen)?, announced);
        claim.map_err(without_dashes)
    }
}

fn side(name: &str) -> Result<Side, String> {
    let sides = [Some(Color::White), Some(Color::Black), None];
    let has_name = |side: &Side| side.map_or("both", Color::name).eq_ignore_ascii_case(name);
    let found = sides.into_iter().find(has_name);
    found.ok_or_else(|| no_such("side", name, &["white", "black", "both"]))
}

/// A sentence that names options of the command line, with those of JavaScript.
fn without_dashes(sentence: impl AsRef<str>) -> String {
    sentence.as_ref().replace("`--", "`")
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
            let named = |why: String| format!("game {nth}: {}", without_dashes(why));
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
    let compared: Vec<RuleChoice> = COMPARED.iter().flat_map(|name| name.parse()).collect();
    ClaimRuling {
        asked: choice.name(),
        note,
        ..decide(&game, claim, rules, SearchLimits::DEFAULT, &compared)
    }
}
