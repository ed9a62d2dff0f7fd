//! Columns of tags in rows: `--tags`.

use std::borrow::Cow;

use crate::pgn::values::{date, rating, time};
use crate::pgn::{Game, TagName};
use crate::report::rows::{Row, Schema};
use crate::text::decode;

/// Parses a tag name (PGN standard 8.1).
pub(crate) fn tag_name(text: &str) -> Result<String, String> {
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    if text.is_empty() || !text.bytes().all(is_name) {
        return Err("not a tag name: letters, digits and underscores".to_owned());
    }
    Ok(text.to_owned())
}

/// Values of the tags of a game, in the order of the columns.
pub(crate) type TagValues<'a> = Vec<Option<Cow<'a, str>>>;

/// Tag columns of each row, in order.
#[derive(Clone, Debug, Default)]
pub struct TagColumns(Vec<TagColumn>);

/// A column of the values of a tag.
#[derive(Clone, Debug)]
struct TagColumn {
    /// Name of the tag.
    name: String,
    /// Name of the column.
    column: String,
    write: Write,
}

/// Writer of the value of a tag into a column. A value of another form is null.
type Write = fn(&mut Row<'_>, &str, Option<&str>);

/// Columns of the games that lichess.org publishes as `Lichess/standard-chess-games`, in order.
pub(crate) const LICHESS: [&str; 18] = [
    "Event",
    "Site",
    "White",
    "Black",
    "Result",
    "WhiteTitle",
    "BlackTitle",
    "WhiteElo",
    "BlackElo",
    "WhiteRatingDiff",
    "BlackRatingDiff",
    "UTCDate",
    "UTCTime",
    "ECO",
    "Opening",
    "Termination",
    "TimeControl",
    MOVETEXT,
];

/// Name of the column that holds the moves with their comments.
const MOVETEXT: &str = "movetext";

/// Writer of the values of a tag, which has its type by its name in any case.
fn writer(name: &str) -> Write {
    match &*name.to_ascii_lowercase() {
        MOVETEXT => |row, column, value| row.unique(column, value),
        "utcdate" => |row, column, value| row.date(column, value.and_then(date)),
        "utctime" => |row, column, value| {
            row.time(column, value.and_then(|it| time::read(it.as_bytes()).value));
        },
        "whiteelo" | "blackelo" | "whiteuscf" | "blackuscf" => {
            |row, column, value| row.int16(column, value.and_then(rating))
        }
        "whiteratingdiff" | "blackratingdiff" | "plycount" => {
            |row, column, value| row.int16(column, value.and_then(integer))
        }
        _ => |row, column, value| row.text(column, value),
    }
}

impl TagColumns {
    /// Columns of these tags; `all`, `roster` and `lichess` stand for several. A name that is there
    /// already is left out, in any case.
    pub(crate) fn of(names: &[String]) -> TagColumns {
        let mut columns = TagColumns::default();
        let roster = TagName::ALL[..TagName::ROSTER]
            .iter()
            .map(|tag| tag.as_str());
        let names = names
            .iter()
            .flat_map(|name| match &*name.to_ascii_lowercase() {
                "roster" => roster.clone().collect(),
                "all" => TagName::ALL.iter().map(|tag| tag.as_str()).collect(),
                "lichess" => LICHESS.to_vec(),
                _ => vec![&**name],
            });
        for name in names {
            if !columns.has(name) {
                columns.0.push(TagColumn {
                    name: name.to_owned(),
                    column: name.to_owned(),
                    write: writer(name),
                });
            }
        }
        columns
    }

    /// Renames columns that have the name of one after them, in any case, to `tag_NAME`, or
    /// `tag_tag_NAME` if there is such a tag.
    pub(crate) fn rename_clashes(&mut self, all: &Schema) {
        let others = &all.0[self.0.len()..];
        let is_other = |name: &str| {
            let mut names = others.iter().map(|(name, _)| name);
            names.any(|other| other.eq_ignore_ascii_case(name))
        };
        for nth in 0..self.0.len() {
            let mut column = self.0[nth].name.clone();
            while is_other(&column) || column != self.0[nth].name && self.has(&column) {
                column.insert_str(0, "tag_");
            }
            self.0[nth].column = column;
        }
    }

    /// Whether there is a column of this name, in any case.
    pub(crate) fn has(&self, name: &str) -> bool {
        let mut names = self.0.iter().map(|column| &column.name);
        names.any(|known| known.eq_ignore_ascii_case(name))
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Leaves out the movetext.
    pub(crate) fn without_movetext(mut self) -> TagColumns {
        self.0
            .retain(|tag| !tag.name.eq_ignore_ascii_case(MOVETEXT));
        self
    }

    /// Values of a game.
    pub(crate) fn values<'a>(&self, game: &Game, text: &'a [u8]) -> TagValues<'a> {
        let value = |tag: &TagColumn| match tag.name.eq_ignore_ascii_case(MOVETEXT) {
            true => movetext(game, text),
            false => Some(game.tag(text, &tag.name)?.text(text)),
        };
        self.0.iter().map(value).collect()
    }

    /// Adds values to a row; without any, the columns alone.
    pub(crate) fn write(&self, values: &TagValues<'_>, row: &mut Row<'_>) {
        for (nth, tag) in self.0.iter().enumerate() {
            let value = values.get(nth).and_then(Option::as_deref);
            (tag.write)(row, &tag.column, value);
        }
    }
}

/// The movetext with a line feed at the end of each line; none of a text that is no game.
fn movetext<'a>(game: &Game, text: &'a [u8]) -> Option<Cow<'a, str>> {
    if game.is_unreadable(text) {
        return None;
    }
    let text = text.get(game.movetext..).unwrap_or_default();
    let text = decode(text.trim_ascii());
    Some(match text.contains('\r') {
        true => text.replace("\r\n", "\n").replace('\r', "\n").into(),
        false => text,
    })
}

/// A rating; `2500?` is one, provisional.
fn rating(value: &str) -> Option<i16> {
    let rating = rating::read(value.as_bytes()).value?;
    i16::try_from(rating).ok()
}

/// A whole number, such as `+8`.
fn integer(value: &str) -> Option<i16> {
    value.trim_ascii().parse().ok()
}

/// Year, month and day of a date without unknown parts.
pub(crate) fn date(value: &str) -> Option<(u16, u8, u8)> {
    let day = date::read(value.as_bytes()).value?.day()?;
    Some((day.year, day.month, day.day))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_name_stands_once() {
        let columns = |names: &[&str]| {
            let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
            let columns = TagColumns::of(&names).0.into_iter();
            columns.map(|column| column.name).collect::<Vec<_>>()
        };
        assert_eq!(columns(&["Round", "ECO", "round"]), ["Round", "ECO"]);
        assert_eq!(columns(&["lichess", "White", "Board"]).len(), 19);
        assert_eq!(columns(&["lichess"]), LICHESS);
        assert_eq!(columns(&["Lichess"]), LICHESS);
        assert_eq!(columns(&["all"]).len(), TagName::ALL.len());
    }

    #[test]
    fn values_of_another_form_are_null() {
        assert_eq!(integer("2861"), Some(2861));
        assert_eq!(integer("-12"), Some(-12));
        assert_eq!(integer("+8"), Some(8));
        for text in ["", "-", "?", "2500?", "40000", "2500.5"] {
            assert_eq!(integer(text), None, "{text}");
        }
        assert_eq!(rating("2861"), Some(2861));
        assert_eq!(rating(" 1500? "), Some(1500));
        for text in ["", "-", "?", "0", "-12", "+8", "40000", "2500.5"] {
            assert_eq!(rating(text), None, "{text}");
        }
        for text in ["2024.02.29", "2024-02-29", "29 Feb 2024"] {
            assert_eq!(date(text), Some((2024, 2, 29)), "{text}");
        }
        for text in ["2023.02.29", "2024.02.??", "1.2.2024", "????.??.??", ""] {
            assert_eq!(date(text), None, "{text}");
        }
    }
}
