//! `arbiter adjudicate --claim`.

use serde::{Deserialize, Serialize};
use wasm_bindgen::prelude::{JsError, wasm_bindgen};

use chess_arbiter_core::adjudication::RuleChoice;
use chess_arbiter_core::chess::{Color, Position, Setup};
use chess_arbiter_core::claim::{
    Announced, COMPARED, Claim, ClaimGame, ClaimKind, ClaimRuling, Heading, Moment, decide, page,
};
use chess_arbiter_core::findings;
use chess_arbiter_core::law::Loss;
use chess_arbiter_core::law::rulesets::RuleSet;
use chess_arbiter_core::replay::Reader;
use chess_arbiter_core::text::nearest::no_such;
use chess_arbiter_core::winnability::SearchLimits;

use crate::games::no_game;
use crate::text::{chunks_of, sentence};
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

/// A ruling: as a page, for people and for scripts.
#[derive(Serialize)]
struct Texts {
    html: String,
    text: String,
    ruling: String,
}

/// Decides a claim in a game of a text or, without one, in the position of the option `fen`.
#[wasm_bindgen]
pub fn claim(text: Option<Vec<u8>>, options: &str) -> Result<String, JsError> {
    let options = serde_json::from_str::<Options>(options);
    let options = options.map_err(|error| thrown(error.to_string()))?;
    let ruling = options.decide(text.as_deref()).map_err(|why| match why {
        Refusal::Said(why) => thrown(why),
        Refusal::Thrown(error) => error,
    })?;
    Ok(json::of(&Texts {
        html: page::of(&ruling),
        text: ruling.for_people(None),
        ruling: json::of(&ruling),
    }))
}

/// Kinds of claims, as JSON.
#[wasm_bindgen]
pub fn claims() -> String {
    #[derive(Serialize)]
    struct Row {
        name: &'static str,
        help: &'static str,
        takes_move: bool,
    }
    let row = |kind: ClaimKind| Row {
        name: kind.words().name,
        help: kind.words().help,
        takes_move: kind.takes_a_move(),
    };
    json::of(&ClaimKind::all().map(row).collect::<Vec<_>>())
}

/// The rules by which a claim can be decided.
#[wasm_bindgen]
pub fn rules() -> String {
    #[derive(Serialize)]
    struct Row {
        name: &'static str,
        title: String,
    }
    let auto = "the rules that Site, Event and Termination show; FIDE if they show none";
    let title = |choice: RuleChoice| match choice {
        RuleChoice::Auto => auto.to_owned(),
        RuleChoice::One(rules) => rules.title.to_owned(),
        RuleChoice::InForce(editions) => {
            format!(
                "{}, the edition in force on the game's date",
                editions.title
            )
        }
    };
    let row = |choice: RuleChoice| Row {
        name: choice.name(),
        title: title(choice),
    };
    let choices = RuleChoice::names().filter_map(|name| name.parse().ok());
    json::of(&choices.map(row).collect::<Vec<_>>())
}

/// Why there is no ruling.
enum Refusal {
    Said(String),
    Thrown(JsError),
}

impl<S: Into<String>> From<S> for Refusal {
    fn from(why: S) -> Refusal {
        Refusal::Said(why.into())
    }
}

impl Options {
    fn decide(&self, text: Option<&[u8]>) -> Result<ClaimRuling, Refusal> {
        let claim = self.claim()?;
        let moment = self.at.as_deref().map(str::parse::<Moment>).transpose()?;
        let choice = self.rules.as_deref().unwrap_or("auto");
        let choice: RuleChoice = choice.parse()?;
        let Some(fen) = &self.fen else {
            let text = text.ok_or("a claim needs a game or `fen`")?;
            return in_game(text, self.game, &claim, moment.as_ref(), choice);
        };
        let fail = |why: String| format!("cannot use the FEN `{fen}`: {why}");
        let setup: Setup = fen.parse().map_err(|error| fail(format!("{error}")))?;
        let position = Position::new(&setup).map_err(|faults| fail(faults.to_string()))?;
        let played = ClaimGame::of_position(&setup, position);
        Ok(ruling(played, &claim, choice, (choice.on(None), None)))
    }

    fn claim(&self) -> Result<Claim, Refusal> {
        let (by, fallen) = (self.by.as_deref(), self.fallen.as_deref());
        let announced = self.announced.as_deref();
        let kind = kind(&self.claim)?;
        let is_flag = kind == ClaimKind::Loss(Loss::Time);
        if announced.is_some() && !kind.takes_a_move() {
            return Err("a move is announced with `threefold` and `fifty` only".into());
        }
        if announced.is_some_and(|announced| announced.trim().is_empty()) {
            return Err("`move` is empty".into());
        }
        if is_flag && by.is_some() {
            return Err(
                "`by` is the side that claims; `fallen` names the side whose flag fell".into(),
            );
        }
        if !is_flag && fallen.is_some() {
            return Err("`fallen` needs the claim `flag`".into());
        }
        let (kind, by) = match fallen {
            Some(side) if side.eq_ignore_ascii_case("both") => (ClaimKind::BothFlags, None),
            side => (kind, side.or(by).map(self::side).transpose()?),
        };
        Ok(Claim {
            kind,
            by,
            announced: announced.map(Announced::new),
        })
    }
}

fn kind(name: &str) -> Result<ClaimKind, String> {
    let found = ClaimKind::all().find(|kind| kind.as_str().eq_ignore_ascii_case(name));
    found.ok_or_else(|| match name.eq_ignore_ascii_case("draw") {
        true => "a draw is claimed on a ground: `threefold`, `fifty`, `dead`, …".to_owned(),
        false => {
            let names: Vec<_> = ClaimKind::all().map(ClaimKind::as_str).collect();
            no_such("claim", name, &names)
        }
    })
}

fn side(name: &str) -> Result<Color, String> {
    let found = Color::ALL
        .into_iter()
        .find(|side| side.name().eq_ignore_ascii_case(name));
    found.ok_or_else(|| no_such("side", name, &["white", "black"]))
}

/// Decides a claim in the game of a number, or in the only one.
fn in_game(
    text: &[u8],
    number: Option<u64>,
    claim: &Claim,
    moment: Option<&Moment>,
    choice: RuleChoice,
) -> Result<ClaimRuling, Refusal> {
    let (mut reader, mut count) = (Reader::new(), 0);
    let (mut decided, mut unreadable) = (None, None);
    for chunk in chunks_of(text).map_err(Refusal::Thrown)? {
        let chunk = chunk.map_err(|error| Refusal::Thrown(sentence("the text", error)))?;
        for text in chunk.games() {
            let (nth, bytes) = (text.origin.game.0, text.bytes);
            if number.is_some_and(|number| number != nth) {
                continue;
            }
            let game = text.read(&mut reader);
            if game.is_unreadable(bytes) {
                let why = || findings::unreadable_game(game, bytes).message;
                unreadable.get_or_insert_with(|| format!("game {nth}: {}", why()));
                continue;
            }
            count += 1;
            if count > 1 {
                continue;
            }
            let played = ClaimGame::at(moment, claim, game, bytes);
            decided = Some(played.map(|played| ClaimRuling {
                heading: Heading::new(game, bytes),
                ..ruling(played, claim, choice, choice.for_game(game, bytes))
            }));
            // The sentences of options are those of the command line.
            let named = |why: String| format!("game {nth}: {}", why.replace("`--", "`"));
            decided = decided.map(|decided| decided.map_err(named));
        }
    }
    match (count, decided) {
        (1, Some(decided)) => Ok(decided?),
        (0, _) => Err(unreadable.map_or_else(
            || Refusal::Thrown(no_game(number.unwrap_or(1))),
            Refusal::Said,
        )),
        _ => Err(format!(
            "there are {count} games, and a claim is about one: choose it with `game`"
        )
        .into()),
    }
}

fn ruling(
    game: ClaimGame,
    claim: &Claim,
    choice: RuleChoice,
    (rules, note): (&'static RuleSet, Option<String>),
) -> ClaimRuling {
    let game = game.in_letters(None, None);
    let compared: Vec<RuleChoice> = COMPARED
        .iter()
        .filter_map(|name| name.parse().ok())
        .collect();
    ClaimRuling {
        asked: choice.name(),
        note,
        ..decide(&game, claim, rules, SearchLimits::DEFAULT, &compared)
    }
}
