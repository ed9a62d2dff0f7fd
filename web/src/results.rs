//! `arbiter stats --by ending` and `arbiter adjudicate --contradictions`.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use js_sys::Function;
use serde::Serialize;
use wasm_bindgen::prelude::{JsError, wasm_bindgen};

use chess_arbiter_core::adjudication::{Adjudicator, End, RuleChoice, Verdict};
use chess_arbiter_core::claim::Heading;
use chess_arbiter_core::findings::doubts;
use chess_arbiter_core::pgn::{Game, ResultMark};
use chess_arbiter_core::replay::Reader;
use chess_arbiter_core::split::GameText;
use chess_arbiter_core::winnability::SearchLimits;

use crate::json;
use crate::text::Text;

/// Results of a text.
#[wasm_bindgen]
pub struct Results {
    text: Text,
    reader: Reader,
    adjudicator: Adjudicator,
    table: Table,
    /// Games by the end on the board.
    endings: BTreeMap<&'static str, u64>,
}

/// Counts of games, and records that the rules contradict.
#[derive(Default, Serialize)]
struct Table {
    games: u64,
    white: u64,
    black: u64,
    draws: u64,
    /// Games without one of the three results.
    unknown: u64,
    /// Games without a readable part, which are not among the others.
    unreadable: u64,
    endings: Vec<Ending>,
    contradictions: Vec<Contradiction>,
}

#[derive(Clone, Serialize)]
struct Ending {
    ending: &'static str,
    games: u64,
}

#[derive(Serialize)]
struct Contradiction {
    game: u64,
    players: String,
    because: String,
}

/// Ending of games that are not by the rules of chess, or have no position to begin with.
const UNKNOWN: &str = "unknown";

#[wasm_bindgen]
impl Results {
    /// Begins with a text that `read(at, length)` returns.
    #[wasm_bindgen(constructor)]
    pub fn new(name: String, read: Function) -> Result<Results, JsError> {
        Ok(Results {
            text: Text::new(name, read)?,
            reader: Reader::new(),
            adjudicator: Adjudicator::new(&[RuleChoice::FIDE], SearchLimits::DEFAULT),
            table: Table::default(),
            endings: BTreeMap::new(),
        })
    }

    /// Counts the games of the next chunk. Returns the number of bytes read so far; nothing after
    /// the last.
    #[wasm_bindgen(js_name = next)]
    pub fn count_chunk(&mut self) -> Result<Option<f64>, JsError> {
        let Some((chunk, _)) = self.text.next()? else {
            return Ok(None);
        };
        for game in chunk.games() {
            self.count(&game);
        }
        Ok(Some(self.text.read_bytes()))
    }

    /// The results so far.
    pub fn result(&mut self) -> String {
        let endings = self.endings.iter();
        let endings = endings.map(|(&ending, &games)| Ending { ending, games });
        self.table.endings = endings.collect();
        let order = |it: &Ending| (it.ending == UNKNOWN, Reverse(it.games));
        self.table.endings.sort_by_key(order);
        json::of(&self.table)
    }
}

impl Results {
    fn count(&mut self, text: &GameText<'_>) {
        let (table, bytes) = (&mut self.table, text.bytes);
        let game = text.read(&mut self.reader);
        // The rest of a split game counts by the tags of its first part.
        if game.part().is_some() || game.is_unreadable(bytes) {
            table.unreadable += 1;
        } else {
            table.games += 1;
            *match game.recorded_result(bytes) {
                Ok(Some(ResultMark::White)) => &mut table.white,
                Ok(Some(ResultMark::Black)) => &mut table.black,
                Ok(Some(ResultMark::Draw)) => &mut table.draws,
                _ => &mut table.unknown,
            } += 1;
        }
        let Ok(mut adjudication) = self.adjudicator.adjudicate(game, bytes) else {
            if !is_left_out(game, bytes) {
                *self.endings.entry(UNKNOWN).or_default() += 1;
            }
            return;
        };
        let ending = adjudication.board.map_or("open", End::as_str);
        if !is_left_out(game, bytes) {
            *self.endings.entry(ending).or_default() += 1;
        }
        doubts::weigh(&mut adjudication, &mut self.adjudicator, game, bytes);
        let mut rulings = adjudication.rulings.into_iter();
        let found = rulings.find(|ruling| ruling.verdict == Verdict::Contradiction);
        if let Some(ruling) = found {
            let players = Heading::new(game, bytes).players();
            table.contradictions.push(Contradiction {
                game: text.origin.game.0,
                players: players.unwrap_or("? - ?".to_owned()),
                because: ruling.because.unwrap_or_default(),
            });
        }
    }
}

/// Whether a game counts for nothing: it has no readable part, or is the rest of a split game.
fn is_left_out(game: &Game, text: &[u8]) -> bool {
    game.part().is_some() || game.is_unreadable(text)
}
