//! JSON lines: one object for each game and rule set, or for each claim that was available.

use std::borrow::Cow;

use serde::Serialize;

use crate::adjudication::Ruling;
use crate::commands::adjudicate::formats::{Labelled, OpportunityRow, Row, missed, value};
use crate::report::json;

/// Adds a game by one rule set. Unknown fields are `null`.
pub fn jsonl(out: &mut Vec<u8>, labelled: &Labelled<'_>, ruling: &Ruling) {
    write(out, &Row::new(labelled, ruling));
}

/// A draw that could have been claimed, with its game.
#[derive(Serialize)]
struct MissedRow<'a> {
    game: u64,
    white: Option<Cow<'a, str>>,
    black: Option<Cow<'a, str>>,
    #[serde(flatten)]
    opportunity: OpportunityRow,
    rules: &'static str,
    file: &'a str,
}

/// Adds the draws of a game that could have been claimed and were not.
pub fn chance_jsonl(out: &mut Vec<u8>, labelled: &Labelled<'_>, ruling: &Ruling) {
    for opportunity in missed(labelled.adjudication, ruling) {
        write(
            out,
            &MissedRow {
                game: labelled.number,
                white: value(labelled.game, labelled.text, "White"),
                black: value(labelled.game, labelled.text, "Black"),
                opportunity: OpportunityRow::new(opportunity),
                rules: ruling.asked,
                file: labelled.file,
            },
        );
    }
}

fn write(out: &mut Vec<u8>, row: &impl Serialize) {
    json::push(out, row);
    out.push(b'\n');
}
