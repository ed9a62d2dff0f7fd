//! `--split-by`: the file of each game, by its number or its tags.

use std::borrow::Cow;
use std::path::Path;
use std::str::FromStr;

use clap::Args;

use crate::commands::tag_columns::tag_name;
use crate::error::Error;
use crate::pgn::PossibleDays;
use crate::pgn::values::{eco, is_unfilled};

/// Stands for the key in the name of a file.
pub(crate) const KEY: &str = "{key}";

#[derive(Args, Debug)]
pub(crate) struct SplitByArgs {
    /// Write a file for each N games, eco, player, event, year or other tag
    ///
    /// `{key}` in the name of a file stands for the key. With `player`, a game is in the files of
    /// both. The files replace old ones. Characters that file names do not have everywhere become
    /// underscores; keys that become the same name share a file, as do those that differ in case
    /// only. Missing values are `unknown`.
    #[arg(long, value_name = "KEY", help_heading = "Output")]
    pub(crate) split_by: Option<SplitBy>,
}

impl SplitByArgs {
    /// Refuses a key without a place for it in one of the paths, and a place without a key.
    pub(crate) fn check<'a>(
        &self,
        option: &str,
        mut paths: impl Iterator<Item = &'a Path>,
    ) -> Result<(), Error> {
        match self.split_by.is_some() == paths.any(has_key) {
            true => Ok(()),
            false => Err(Error::Usage(format!(
                "`--split-by` and `{KEY}` in a file name go together: `{option} 'DIR/{KEY}.pgn'`"
            ))),
        }
    }
}

/// Whether the name of a file has a place for a key.
pub(super) fn has_key(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default();
    name.to_string_lossy().contains(KEY)
}

/// Value of `--split-by`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum SplitBy {
    /// Number of games in a file.
    Count(u64),
    Eco,
    Player,
    Year,
    Tag(String),
}

impl FromStr for SplitBy {
    type Err = String;

    fn from_str(text: &str) -> Result<SplitBy, String> {
        Ok(match &*text.to_ascii_lowercase() {
            "eco" => SplitBy::Eco,
            "player" => SplitBy::Player,
            "year" => SplitBy::Year,
            digits if digits.bytes().all(|byte| byte.is_ascii_digit()) => {
                let number = digits.parse().ok().filter(|&number| number > 0);
                SplitBy::Count(number.ok_or("not a number of games")?)
            }
            _ => SplitBy::Tag(tag_name(text)?),
        })
    }
}

impl SplitBy {
    /// Keys of a game by the values of its tags; empty for unknown ones.
    pub(crate) fn keys<'t>(&self, tag: impl Fn(&str) -> Option<Cow<'t, str>>) -> Vec<String> {
        let text = |name: &str| {
            let value = tag(name).filter(|value| !is_unfilled(value.as_bytes()));
            value.unwrap_or_default().into_owned()
        };
        match self {
            SplitBy::Count(_) => Vec::new(),
            SplitBy::Eco => {
                let code = eco::read(text("ECO").as_bytes()).value;
                vec![code.into_iter().flatten().map(char::from).collect()]
            }
            SplitBy::Year => {
                let mut dates = ["Date", "UTCDate", "EventDate"].into_iter().map(text);
                let days = dates.find_map(|date| PossibleDays::read(date.as_bytes()));
                let year = days.and_then(PossibleDays::year_and_month);
                vec![year.map_or(String::new(), |(year, _)| format!("{year:04}"))]
            }
            SplitBy::Player => vec![text("White"), text("Black")],
            SplitBy::Tag(name) => vec![text(name)],
        }
    }
}
