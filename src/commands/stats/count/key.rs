//! Keys by which games are grouped.

use std::fmt;
use std::str::FromStr;

/// Key by which games are grouped.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Key {
    /// Each of the two players; a game counts once for either.
    Player,
    /// White.
    White,
    /// Black.
    Black,
    /// Year.
    Year,
    /// Year and month.
    Month,
    /// Event.
    Event,
    /// Site; the host of a URL.
    Site,
    /// ECO code, `B12`.
    Eco,
    /// Name of the opening, or its ECO code.
    Opening,
    /// Mean rating, in bands of 100.
    Elo,
    /// White's rating minus Black's, in bands of 100 around 0.
    EloDiff,
    /// Time control, in the form of the standard.
    TimeControl,
    /// Speed class of the time control.
    Speed,
    /// Recorded termination.
    Termination,
    /// Termination on the board.
    Ending,
    /// Termination under the rule set.
    Ruling,
    /// Number of plies, in bands of 20.
    Plies,
    /// File.
    File,
    /// Value of a tag, by name.
    Tag(String),
}

/// Part of a game that must be read.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Needs {
    /// Its tags.
    Tags,
    /// Its movetext too.
    Movetext,
    /// Its moves have to be played and judged.
    Adjudication,
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

    /// Part of a game that must be read to know its group.
    pub fn needs(&self) -> Needs {
        match self {
            Key::Ending | Key::Ruling => Needs::Adjudication,
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
