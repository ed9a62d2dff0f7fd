//! Keys by which games are grouped, and the choice and order of the groups that are shown.

use crate::commands::stats::count::Group;
use crate::pgn::values::time_control::Speed;
use std::cmp::Reverse;
use std::fmt;
use std::str::FromStr;

/// What games are grouped by.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Key {
    /// Each of the two players: a game counts once for either.
    Player,
    /// Who played White.
    White,
    /// Who played Black.
    Black,
    /// The year.
    Year,
    /// Year and month.
    Month,
    /// The event.
    Event,
    /// The site; of a web page's address the host.
    Site,
    /// The opening's code in the Encyclopedia of Chess Openings, `B12`.
    Eco,
    /// The opening's name; where there is none, its code.
    Opening,
    /// The mean of both ratings, in bands of 100.
    Elo,
    /// White's rating without Black's, in bands of 100 around 0.
    EloDiff,
    /// The time control, in the standard's form.
    TimeControl,
    /// How fast the time control is.
    Speed,
    /// Why the game ended, as somebody recorded it.
    Termination,
    /// What the board says of the end.
    Ending,
    /// Why the game ended by the rules.
    Ruling,
    /// The number of plies, in bands of 20.
    Plies,
    /// The file.
    File,
    /// The value of a tag, by its name.
    Tag(String),
}

/// What has to be read of a game to count it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Needs {
    /// Its tags.
    Tags,
    /// Its movetext too.
    Movetext,
    /// Its moves have to be played and judged.
    Label,
}

impl Key {
    /// The keys with a name of their own: all but `tag:NAME`.
    pub const NAMED: [Key; 18] = [
        Key::Player,
        Key::White,
        Key::Black,
        Key::Year,
        Key::Month,
        Key::Event,
        Key::Site,
        Key::Eco,
        Key::Opening,
        Key::Elo,
        Key::EloDiff,
        Key::TimeControl,
        Key::Speed,
        Key::Termination,
        Key::Ending,
        Key::Ruling,
        Key::Plies,
        Key::File,
    ];

    /// The name scripts know it by; of [`Key::Tag`] what stands before the tag's name.
    const fn name(&self) -> &'static str {
        match self {
            Key::Player => "player",
            Key::White => "white",
            Key::Black => "black",
            Key::Year => "year",
            Key::Month => "month",
            Key::Event => "event",
            Key::Site => "site",
            Key::Eco => "eco",
            Key::Opening => "opening",
            Key::Elo => "elo",
            Key::EloDiff => "elo-diff",
            Key::TimeControl => "time-control",
            Key::Speed => "speed",
            Key::Termination => "termination",
            Key::Ending => "ending",
            Key::Ruling => "ruling",
            Key::Plies => "plies",
            Key::File => "file",
            Key::Tag(_) => "tag:",
        }
    }

    /// The tags that tell the group.
    pub fn tags(&self) -> Vec<&str> {
        let tags: &[&str] = match self {
            Key::Player => &["White", "Black"],
            Key::White => &["White"],
            Key::Black => &["Black"],
            Key::Year | Key::Month => &["Date", "UTCDate"],
            Key::Event => &["Event"],
            Key::Site => &["Site"],
            Key::Eco => &["ECO"],
            Key::Opening => &["Opening", "ECO"],
            Key::Elo | Key::EloDiff => &["WhiteElo", "BlackElo"],
            Key::TimeControl | Key::Speed => &["TimeControl"],
            Key::Termination | Key::Ending | Key::Ruling | Key::Plies | Key::File => &[],
            Key::Tag(name) => return vec![name],
        };
        tags.to_vec()
    }

    /// What has to be read of a game to know its group.
    pub fn needs(&self) -> Needs {
        match self {
            Key::Ending | Key::Ruling => Needs::Label,
            Key::Termination | Key::Plies => Needs::Movetext,
            _ => Needs::Tags,
        }
    }
}

impl FromStr for Key {
    type Err = String;

    fn from_str(text: &str) -> Result<Key, String> {
        if let Some(tag) = text.strip_prefix("tag:") {
            let is_name = |c: char| !c.is_whitespace() && !c.is_control() && !"\"[]".contains(c);
            return match !tag.is_empty() && tag.chars().all(is_name) {
                true => Ok(Key::Tag(tag.to_owned())),
                false => Err("`tag:` is followed by the name of a tag".to_owned()),
            };
        }
        let named = Key::NAMED.into_iter().find(|key| key.name() == text);
        named.ok_or_else(|| {
            let names = Key::NAMED.iter().map(Key::name).collect::<Vec<_>>();
            format!("no such key; there are {} and tag:NAME", names.join(", "))
        })
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        match self {
            Key::Tag(tag) => f.write_str(tag),
            _ => Ok(()),
        }
    }
}

/// Which groups are shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct GroupFilter {
    /// At most so many of each level, those with the most games.
    pub top: Option<usize>,
    /// Only those with at least so many games.
    pub min_games: u64,
}

/// Groups of one level.
#[derive(Clone, Debug)]
pub struct ShownGroups<'a> {
    /// Those that are shown, in their order, each with the value of its key.
    pub groups: Vec<(&'a str, &'a Group)>,
    /// How many are not shown.
    pub left_out: usize,
}

impl GroupFilter {
    /// The groups within a group that are shown. With `top`, the one with the most games comes
    /// first. Otherwise values that have an order of their own are in it, the others begin with the
    /// one that has the most games, and what is not known comes last.
    pub fn of<'a>(self, key: &Key, group: &'a Group) -> ShownGroups<'a> {
        let mut groups: Vec<(&str, &Group)> = group
            .by
            .iter()
            .filter(|(_, group)| group.counts.tally.seen() >= self.min_games)
            .collect();
        groups.sort_by_cached_key(|&(value, group)| by_games(value, group));
        if let Some(top) = self.top {
            groups.truncate(top);
        } else if let Some(place) = place_of(key) {
            groups.sort_by_cached_key(|&(value, _)| {
                (value.is_empty(), place(value), value.to_owned())
            });
        } else {
            // Stable: by games, the unknown last.
            groups.sort_by_key(|(value, _)| value.is_empty());
        }
        ShownGroups {
            left_out: group.by.len() - groups.len(),
            groups,
        }
    }

    /// Whether every group is shown.
    pub fn is_all(self) -> bool {
        self.top.is_none() && self.min_games == 0
    }
}

fn by_games(value: &str, group: &Group) -> (Reverse<u64>, bool, String) {
    let games = group.counts.tally.seen();
    (Reverse(games), value.is_empty(), value.to_owned())
}

/// For keys whose values have an order of their own: the place of a value in it, equal places being ordered as texts.
fn place_of(key: &Key) -> Option<fn(&str) -> i64> {
    match key {
        Key::Year | Key::Month | Key::Eco | Key::File => Some(|_| 0),
        Key::Elo | Key::EloDiff | Key::Plies => Some(first_number),
        Key::Speed => Some(|value| {
            let place = Speed::ALL.iter().position(|speed| speed.as_str() == value);
            place.map_or(i64::MAX, |place| place as i64)
        }),
        _ => None,
    }
}

/// The lower end of a band such as `-49..49`.
fn first_number(band: &str) -> i64 {
    let first = band.split("..").next().and_then(|first| first.parse().ok());
    first.unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_they_are_written() {
        for key in Key::NAMED.into_iter().chain([Key::Tag("Round".to_owned())]) {
            assert_eq!(key.to_string().parse(), Ok(key));
        }
        for text in ["", "players", "Year", "tag:", "tag:a b", "tag"] {
            assert!(text.parse::<Key>().is_err(), "{text}");
        }
    }
}
