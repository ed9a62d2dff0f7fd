//! Lists of games and of positions, and boards.

use serde_json::{Value, json};
use wasm_bindgen::prelude::{JsError, wasm_bindgen};

use chess_arbiter_core::chess::{MoveNumber, PositionError};
use chess_arbiter_core::claim::Heading;
use chess_arbiter_core::findings;
use chess_arbiter_core::pgn::TagName;
use chess_arbiter_core::replay;
use chess_arbiter_core::split::GameText;
use chess_arbiter_core::text::decode;
use chess_arbiter_core::{Color, Game, Position, Reader, Replay, Start, picture};

use crate::text::chunks_of;
use crate::{json, thrown};

/// Maximum number of games listed.
const MOST: usize = 10_000;

/// The readable games of a text, at most the first 10,000.
#[wasm_bindgen]
pub fn games(text: &[u8]) -> Result<String, JsError> {
    let mut rows = Vec::new();
    each_game(text, |game, text| {
        rows.push(row(game, text));
        rows.len() == MOST
    })?;
    Ok(json::of(&rows))
}

/// The positions of the main line of a game, which is counted from 1, as far as it can be played.
#[wasm_bindgen]
pub fn positions(text: &[u8], game: u32) -> Result<String, JsError> {
    let number = u64::from(game);
    let mut found = None;
    each_game(text, |game, text| {
        let is_found = text.origin.game.0 == number;
        if is_found {
            found = Some(played(game, text.bytes));
        }
        is_found
    })?;
    let rows = found.ok_or_else(|| no_game(number))?;
    let rows = rows.map_err(|why| thrown(format!("game {number}: {why}")))?;
    Ok(json::of(&rows))
}

/// Picture of a position in SVG.
#[wasm_bindgen]
pub fn board(fen: &str, label: &str) -> Result<String, JsError> {
    let failed = |error: PositionError| thrown(format!("cannot use the FEN `{fen}`: {error}"));
    let position: Position = fen.parse().map_err(failed)?;
    Ok(picture(&position, Color::White, None, label))
}

/// There is no game of a number.
pub(crate) fn no_game(number: u64) -> JsError {
    thrown(format!("there is no game {number}"))
}

/// Passes every readable game to `each`, until it returns true.
pub(crate) fn each_game(
    text: &[u8],
    mut each: impl FnMut(&Game, &GameText<'_>) -> bool,
) -> Result<(), JsError> {
    let mut reader = Reader::new();
    for chunk in chunks_of(text)? {
        let chunk = chunk.map_err(|error| thrown(error.sentence("the text")))?;
        for text in chunk.games() {
            let game = text.read(&mut reader);
            if !game.is_unreadable(text.bytes) && each(game, &text) {
                return Ok(());
            }
        }
    }
    Ok(())
}

fn row(game: &Game, text: &GameText<'_>) -> Value {
    let heading = Heading::new(game, text.bytes);
    let start = text.origin.byte.0;
    let result = match game.recorded_result(text.bytes) {
        Ok(mark) => mark.map(|mark| mark.as_str().into()),
        Err(other) => Some(decode(other.of(text.bytes))),
    };
    json!({
        "number": text.origin.game.0,
        "white": heading.white,
        "black": heading.black,
        "event": heading.event,
        "site": game.text(text.bytes, TagName::Site),
        "date": heading.date,
        "round": heading.round,
        "result": result,
        "plies": replay::plies(game),
        "byte_start": start,
        "byte_end": start + text.bytes.len() as u64,
    })
}

fn played(game: &Game, text: &[u8]) -> Result<Vec<Value>, String> {
    let (start, _) = Start::of(game, text, &Position::initial())
        .map_err(|fault| findings::not_begun(game, text, fault).message)?;
    let mut rows = vec![json!({"ply": 0, "fen": start.position.to_string()})];
    let mut replay = Replay::new(game, start.position).with_notation();
    let mut number = MoveNumber::of(replay.position());
    while let Some(ply) = replay.play() {
        let after = replay.position();
        let san = replay.shortest_san(ply.mv).marked(after).to_string();
        rows.push(json!({
            "ply": ply.number,
            "move": format!("{number} {san}"),
            "san": san,
            "number": number.number,
            "side": number.color.name(),
            "fen": after.to_string(),
        }));
        number = MoveNumber::of(after);
    }
    Ok(rows)
}
