//! Labels for people: a few lines for each game.

use std::fmt::Write;

use super::{Labelled, board, missed, value, words};
use crate::judge::labels::{CanWin, Chance, Ruling, When};
use crate::output::escape::Escaped;
use crate::pgn::Span;
use crate::rules::Color;

/// Adds a game: what was recorded, what the board says, and a ruling for each rule set; or, if `only_chances`, the draws
/// that could have been claimed and were not.
pub fn human(out: &mut String, labelled: &Labelled<'_>, only_chances: bool) {
    if only_chances {
        chances(out, labelled);
    } else {
        label(out, labelled);
    }
}

// Writing to memory does not fail.
macro_rules! add {
    ($out:expr, $($what:tt)*) => {{
        let _ = write!($out, $($what)*);
    }};
}

fn label(out: &mut String, labelled: &Labelled<'_>) {
    let label = labelled.label;
    heading(out, labelled);
    add!(out, "  recorded: ");
    let recorded = &label.recorded;
    match (recorded.result, recorded.other_result) {
        (Some(result), _) => add!(out, "{result}"),
        (None, Some(other)) => add!(out, "{}", shown(labelled, other)),
        (None, None) => add!(out, "no result"),
    }
    if let Some(said) = recorded.termination {
        let reason = said.reason.map_or("not known", |reason| reason.as_str());
        add!(out, ", {reason} (`{}`)", shown(labelled, said.words));
    }
    let [white, black] = label.can_win.map(CanWin::as_str);
    add!(
        out,
        "\n  board: {} after {}; White can win: {white}, Black can win: {black}\n",
        board(label),
        plies(label.plies)
    );
    let several = label.rulings.len() > 1;
    for ruling in &label.rulings {
        rule(out, labelled, ruling, several);
    }
    out.push('\n');
}

fn plies(number: u32) -> String {
    format!("{number} {}", if number == 1 { "ply" } else { "plies" })
}

fn heading(out: &mut String, labelled: &Labelled<'_>) {
    let name = |tag| {
        value(labelled.game, labelled.text, tag)
            .filter(|name| !name.is_empty())
            .unwrap_or("?".into())
    };
    add!(
        out,
        "{}, game {}: {} - {}\n",
        Escaped(labelled.file),
        labelled.number,
        Escaped(&name("White")),
        Escaped(&name("Black"))
    );
}

fn rule(out: &mut String, labelled: &Labelled<'_>, ruling: &Ruling, several: bool) {
    for chance in &ruling.claimable {
        add!(out, "  claimable");
        if several {
            add!(out, " ({})", ruling.rules.name);
        }
        add!(out, ": {}\n", sentence(labelled, chance));
    }
    add!(
        out,
        "  {}: {} ({}",
        ruling.rules.name,
        ruling.result,
        ruling.reason
    );
    if let Some(when) = ruling.ended.filter(|_| ruling.played_on) {
        add!(out, " {}", after(labelled, when));
    }
    if let Some(article) = &ruling.article {
        add!(out, "; {article}");
    }
    add!(out, "), {}", ruling.verdict.as_str());
    match &ruling.because {
        Some(because) => add!(out, ": {}\n", Escaped(because)),
        None if ruling.played_on => add!(out, ", but moves follow\n"),
        None => out.push('\n'),
    }
    for note in &ruling.notes {
        add!(out, "  note: {note}\n");
    }
}

fn chances(out: &mut String, labelled: &Labelled<'_>) {
    let mut headed = false;
    for ruling in &labelled.label.rulings {
        for chance in missed(labelled.label, ruling) {
            if !headed {
                heading(out, labelled);
                headed = true;
            }
            let rules = ruling.rules.name;
            add!(out, "  {rules}: {}\n", sentence(labelled, chance));
        }
    }
    if headed {
        out.push('\n');
    }
}

/// `threefold-repetition by White after 41...Kg8, ply 82 (FIDE 2023 art. 9.2.2)`
fn sentence(labelled: &Labelled<'_>, chance: &Chance) -> String {
    let by = match chance.by {
        Color::White => "White",
        Color::Black => "Black",
    };
    let mut text = format!("{} by {by} {}", chance.end, after(labelled, chance.when));
    if let Some(announced) = chance.announced_label() {
        add!(text, ", announcing {announced}");
    }
    add!(text, " ({})", chance.article);
    text
}

/// `after 41...Kg8, ply 82`
fn after(labelled: &Labelled<'_>, when: When) -> String {
    match when.moved {
        Some(moved) => format!(
            "after {}{}, ply {}",
            when.number(),
            shown(labelled, moved),
            when.ply
        ),
        None => "in the initial position".to_owned(),
    }
}

/// Words of the game's text.
fn shown(labelled: &Labelled<'_>, span: Span) -> String {
    Escaped(&words(labelled.text, span)).to_string()
}
