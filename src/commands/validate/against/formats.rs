//! Formats of differences between databases.

use crate::commands::validate::against::game::{DiffGame, Difference, DifferenceKind};
use crate::report::escape::Escaped;
use crate::report::rows::{Row, Rows};
use crate::report::{Buffer, append};

/// Format of the differences.
#[derive(Clone, Copy, Debug)]
pub(crate) enum DiffFormat {
    /// A line for each game, and one for each difference.
    Human {
        /// Whether each database is one text, so that numbers identify games.
        plain: bool,
    },
    /// A row for each difference.
    Rows(Rows),
}

/// A game that is not the same in both databases.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ChangedGame<'a> {
    pub(crate) old: Option<&'a DiffGame>,
    pub(crate) new: Option<&'a DiffGame>,
    pub(crate) is_moved: bool,
    pub(crate) differences: &'a [Difference],
}

/// The columns of the rows, without values.
pub(crate) fn columns(row: Row<'_>) {
    write_row(row, "", [None, None], None);
}

impl DiffFormat {
    pub(crate) fn write(self, out: &mut Buffer, changed: &ChangedGame<'_>) {
        match self {
            DiffFormat::Human { plain } => human(out, changed, plain),
            DiffFormat::Rows(rows) => {
                let sides = [changed.old, changed.new];
                let whole = match sides {
                    [None, _] => Some("added"),
                    [_, None] => Some("gone"),
                    _ => changed.is_moved.then_some("moved"),
                };
                if let Some(change) = whole {
                    write_row(Row::begin(out, rows), change, sides, None);
                }
                for difference in changed.differences {
                    let row = Row::begin(out, rows);
                    write_row(row, difference.kind.as_str(), sides, Some(difference));
                }
            }
        }
    }
}

/// Scripts know the fields by these names.
fn write_row(
    mut row: Row<'_>,
    change: &'static str,
    [old, new]: [Option<&DiffGame>; 2],
    difference: Option<&Difference>,
) {
    let game = new.or(old);
    row.word("change", change);
    row.text("old_file", old.map(|game| game.file.as_str()));
    row.number("old_game", old.map(|game| game.number));
    row.text("new_file", new.map(|game| game.file.as_str()));
    row.number("new_game", new.map(|game| game.number));
    row.text("white", game.map(|game| game.white.as_str()));
    row.text("black", game.map(|game| game.black.as_str()));
    row.text("date", game.map(|game| game.date.as_str()));
    row.text("round", game.map(|game| game.round.as_str()));
    let text = |field: fn(&Difference) -> Option<&str>| difference.and_then(field);
    row.text("tag", text(|one| one.tag.as_deref()));
    row.number("ply", difference.and_then(|one| one.ply).map(u64::from));
    row.text("old", text(|one| one.old.as_deref()));
    row.text("new", text(|one| one.new.as_deref()));
    row.end();
}

fn human(out: &mut Buffer, changed: &ChangedGame<'_>, plain: bool) {
    let place = |game: &DiffGame| match plain {
        true => format!("game {}", game.number),
        false => format!("game {} of {}", game.number, game.file),
    };
    let (change, place, game) = match (changed.old, changed.new) {
        (Some(old), Some(new)) => {
            let change = match (changed.is_moved, changed.differences) {
                (true, []) => "moved",
                (true, _) => "moved and changed",
                (false, _) => "changed",
            };
            let place = match plain && old.number == new.number {
                true => place(new),
                false => format!("{} -> {}", place(old), place(new)),
            };
            (change, place, new)
        }
        (Some(old), None) => ("gone", place(old), old),
        (None, Some(new)) => ("added", place(new), new),
        (None, None) => return,
    };
    append!(
        out,
        "{change}: {}: {}\n",
        Escaped(&place),
        Escaped(&game.title)
    );
    for difference in changed.differences {
        let value = |value: &Option<String>| match (value, difference.kind) {
            (None, DifferenceKind::Moves) => "the end".to_owned(),
            (None, _) if difference.tag.is_some() => "no tag".to_owned(),
            (None, _) => "no mark".to_owned(),
            (Some(value), DifferenceKind::Moves) => value.clone(),
            (Some(value), _) => format!("\"{value}\""),
        };
        let (old, new) = (value(&difference.old), value(&difference.new));
        let (old, new) = (Escaped(&old), Escaped(&new));
        match (difference.kind, &difference.tag) {
            (DifferenceKind::Tag, Some(tag)) => {
                append!(out, "  {}: {old} -> {new}\n", Escaped(tag));
            }
            (DifferenceKind::Tag, None) => {}
            (DifferenceKind::Result, _) => append!(out, "  result: {old} -> {new}\n"),
            (DifferenceKind::Moves, _) => {
                let ply = difference.ply.unwrap_or(0);
                append!(out, "  moves from ply {ply}: {old} -> {new}\n");
            }
            (DifferenceKind::Text, _) => {
                out.push_str("  comments, variations, NAGs or notation\n");
            }
        }
    }
}
