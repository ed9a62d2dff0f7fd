//! Tags and moves of a game in its JSON object: `--moves`.

use clap::ValueEnum;
use serde_json::{Map, Value, json};

use crate::chess::Position;
use crate::commands::adjudicate::formats::AdjudicatedGame;
use crate::pgn::MoveNotes;
use crate::replay::{Replay, Start};
use crate::report::rows::Row;
use crate::text::decode;

/// Value of `--moves`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum MoveForm {
    /// UCI notation
    Uci,
    /// SAN
    San,
    /// Objects with both, clock, time, evaluation and NAGs
    Full,
}

/// Adds the tags and the moves.
pub(super) fn write(row: &mut Row<'_>, form: MoveForm, seen: &AdjudicatedGame<'_>) {
    row.json("tags", &tags(seen));
    row.json("moves", &moves(form, seen));
}

/// Values by the names of the tags; the first of a repeated name counts.
fn tags(seen: &AdjudicatedGame<'_>) -> Map<String, Value> {
    let mut tags = Map::new();
    for tag in &seen.game.tags {
        let name = decode(tag.name.of(seen.text)).into_owned();
        tags.entry(name)
            .or_insert_with(|| tag.text(seen.text).into());
    }
    tags
}

/// The moves that could be played; none of a game that is not judged.
fn moves(form: MoveForm, seen: &AdjudicatedGame<'_>) -> Option<Vec<Value>> {
    seen.adjudication.ok()?;
    let (game, text) = (seen.game, seen.text);
    let (start, _) = Start::of(game, text, &Position::initial()).ok()?;
    let mut replay = Replay::new(game, start.position).with_notation();
    let (mut notes, mut found) = (MoveNotes::default(), Vec::new());
    let mut moves = Vec::new();
    replay.each(|replay, ply| {
        let after = replay.position();
        let uci = || ply.mv.uci(start.mode).to_string();
        let san = || replay.shortest_san(ply.mv).marked(after).to_string();
        moves.push(match form {
            MoveForm::Uci => uci().into(),
            MoveForm::San => san().into(),
            MoveForm::Full => {
                notes.read((game, text), ply.token.span, !after.turn(), &mut found);
                let [eval_cp, eval_mate] = notes.centipawns_or_mate();
                let nags = Some(&notes.nags).filter(|nags| !nags.is_empty());
                json!({
                    "san": san(), "uci": uci(), "clock": notes.clock,
                    "move_time": notes.move_time, "eval_cp": eval_cp, "eval_mate": eval_mate,
                    "nags": nags,
                })
            }
        });
    });
    Some(moves)
}
