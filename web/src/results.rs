//! `arbiter stats --by ending` and `arbiter adjudicate --contradictions`.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use js_sys::Function;
use serde_json::{Value, json};
use wasm_bindgen::prelude::{JsError, wasm_bindgen};

use chess_arbiter_core::adjudication::{Adjudication, End, Verdict};
use chess_arbiter_core::claim::Heading;
use chess_arbiter_core::findings::doubts;
use chess_arbiter_core::{Adjudicator, Reader, ResultMark, RuleChoice, SearchLimits};

use crate::json;
use crate::text::Text;

/// Results of a text.
#[wasm_bindgen]
pub struct Results {
    text: Text,
    reader: Reader,
    adjudicator: Adjudicator,
    /// Games that White won, Black won and that were drawn, and others.
    results: [u64; 4],
    /// Games by the end on the board.
    endings: BTreeMap<&'static str, u64>,
    /// Records that the rules contradict.
    contradictions: Vec<Value>,
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
            results: [0; 4],
            endings: BTreeMap::new(),
            contradictions: Vec::new(),
        })
    }

    /// Counts the games of the next chunk. Returns the number of bytes read so far; nothing after
    /// the last.
    #[wasm_bindgen(js_name = next)]
    pub fn count_chunk(&mut self) -> Result<Option<f64>, JsError> {
        let Some((chunk, _)) = self.text.next()? else {
            return Ok(None);
        };
        for text in chunk.games() {
            let bytes = text.bytes;
            let game = text.read(&mut self.reader);
            // The rest of a split game counts by the tags of its first part.
            if game.part().is_some() || game.is_unreadable(bytes) {
                continue;
            }
            let result = match game.recorded_result(bytes) {
                Ok(Some(ResultMark::White)) => 0,
                Ok(Some(ResultMark::Black)) => 1,
                Ok(Some(ResultMark::Draw)) => 2,
                _ => 3,
            };
            self.results[result] += 1;
            let adjudication = self.adjudicator.adjudicate(game, bytes);
            let board = |it: &Adjudication| it.board.map_or("open", End::as_str);
            let ending = adjudication.as_ref().map_or(UNKNOWN, board);
            *self.endings.entry(ending).or_default() += 1;
            let Ok(mut adjudication) = adjudication else {
                continue;
            };
            doubts::weigh(&mut adjudication, &mut self.adjudicator, game, bytes);
            let mut rulings = adjudication.rulings.into_iter();
            let found = rulings.find(|ruling| ruling.verdict == Verdict::Contradiction);
            self.contradictions.extend(found.map(|ruling| {
                let players = Heading::new(game, bytes).players();
                json!({
                    "game": text.origin.game.0,
                    "players": players.as_deref().unwrap_or("? - ?"),
                    "because": ruling.because.unwrap_or_default(),
                })
            }));
        }
        Ok(Some(self.text.read_bytes))
    }

    /// The results so far, as JSON.
    pub fn result(&self) -> String {
        let mut endings: Vec<_> = self.endings.iter().collect();
        endings.sort_by_key(|&(&ending, &games)| (ending == UNKNOWN, Reverse(games)));
        let row = |(ending, games)| json!({"ending": ending, "games": games});
        let [white, black, draws, unknown] = self.results;
        json::of(&json!({
            "games": self.results.iter().sum::<u64>(),
            "white": white,
            "black": black,
            "draws": draws,
            "unknown": unknown,
            "endings": endings.into_iter().map(row).collect::<Vec<Value>>(),
            "contradictions": self.contradictions,
        }))
    }
}
