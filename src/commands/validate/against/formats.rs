//! Formats of differences between databases.

use crate::commands::validate::against::game::{DiffGame, Difference};
use crate::report::escape::Escaped;
use crate::report::rows::{Row, Rows};
use crate::report::{Buffer, append};

/// A game that is not the same in both databases.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ChangedGame<'a> {
    pub(crate) old: Option<&'a DiffGame>,
    pub(crate) new: Option<&'a DiffGame>,
    pub(crate) is_moved: bool,
    pub(crate) differences: &'a [Difference],
}

/// Appends a row for each difference of a game.
pub(crate) fn write_rows(out: &mut Buffer, changed: &ChangedGame<'_>, rows: Rows) {
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
        write_row(row, difference.subject, sides, Some(difference));
    }
}

/// Scripts know the fields by these names.
pub(crate) fn write_row(
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
    for (nth, name) in ["white", "black", "date", "round"].into_iter().enumerate() {
        row.text(name, game.map(|game| game.known[nth].as_str()));
    }
    let text = |field: fn(&Difference) -> Option<&str>| difference.and_then(field);
    row.text("tag", text(|one| one.tag.as_deref()));
    row.number("ply", difference.and_then(|one| one.ply).map(u64::from));
    row.text("old", text(|one| one.old.as_deref()));
    row.text("new", text(|one| one.new.as_deref()));
    row.end();
}

/// Appends a line for a game, and one for each difference. If `plain`, each database is one text,
/// so that numbers identify games.
pub(crate) fn human(out: &mut Buffer, changed: &ChangedGame<'_>, plain: bool) {
    let place = |game: &DiffGame| {
        let file = if plain { "" } else { &*game.file };
        let of = if plain { "" } else { " of " };
        format!("game {}{of}{file}", game.number)
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
        let missing = match (difference.subject, &difference.tag) {
            ("text", _) => {
                out.push_str("  comments, variations, NAGs or notation\n");
                continue;
            }
            ("moves", _) => "the end",
            (_, Some(_)) => "no tag",
            (_, None) => "no mark",
        };
        let value = |value: &Option<String>| match value {
            None => missing.to_owned(),
            Some(value) if difference.subject == "moves" => value.clone(),
            Some(value) => format!("\"{value}\""),
        };
        let subject = match (difference.subject, &difference.tag, difference.ply) {
            ("tag", Some(tag), _) => tag.clone(),
            (_, _, Some(ply)) => format!("moves from ply {ply}"),
            (subject, ..) => subject.to_owned(),
        };
        append!(
            out,
            "  {}: {} -> {}\n",
            Escaped(&subject),
            Escaped(&value(&difference.old)),
            Escaped(&value(&difference.new))
        );
    }
}
