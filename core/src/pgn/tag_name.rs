//! The tag names that have a meaning of their own.

use std::fmt;

/// The first eight bytes of a name, padded with spaces.
const fn first_eight(name: &[u8]) -> u64 {
    let mut bytes = [b' '; 8];
    let mut at = 0;
    while at < 8 && at < name.len() {
        bytes[at] = name[at];
        at += 1;
    }
    u64::from_le_bytes(bytes)
}

/// The bit that makes a capital small, in each of eight bytes.
const SMALL: u64 = 0x2020_2020_2020_2020;

macro_rules! tag_names {
    ($($variant:ident $text:literal $meaning:literal;)*) => {
        /// A tag name that means something to this program: those of the PGN standard (sections
        /// 8.1.1 and 9), and `SetUp` and `Variant`, which everybody uses.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[repr(u8)]
        pub enum TagName {
            $(#[doc = $meaning] $variant,)*
        }

        impl TagName {
            /// All names; those of the Seven Tag Roster come first, in their order (PGN standard
            /// 8.1.1).
            pub const ALL: &[TagName] = &[$(TagName::$variant),*];

            /// The name as the standard writes it.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(TagName::$variant => $text,)*
                }
            }

            /// The name that begins with these eight bytes, in small letters, and its own first
            /// eight.
            #[inline]
            fn from_first_eight(small: u64) -> Option<(TagName, u64)> {
                #[allow(non_upper_case_globals)]
                mod keys {
                    use super::{SMALL, first_eight};
                    $(pub(crate) const $variant: u64 = first_eight($text.as_bytes()) | SMALL;)*
                }
                match small {
                    $(keys::$variant => {
                        Some((TagName::$variant, const { first_eight($text.as_bytes()) }))
                    })*
                    _ => None,
                }
            }
        }
    };
}

tag_names! {
    Event "Event" "The name of the tournament or match (8.1.1.1).";
    Site "Site" "Where it was (8.1.1.2).";
    Date "Date" "When the game began, by the local calendar (8.1.1.3).";
    Round "Round" "The round (8.1.1.4).";
    White "White" "Who played White (8.1.1.5).";
    Black "Black" "Who played Black (8.1.1.6).";
    Result "Result" "How the game ended (8.1.1.7).";
    WhiteTitle "WhiteTitle" "White's FIDE title (9.1.1).";
    BlackTitle "BlackTitle" "Black's FIDE title (9.1.1).";
    WhiteElo "WhiteElo" "White's FIDE rating (9.1.2).";
    BlackElo "BlackElo" "Black's FIDE rating (9.1.2).";
    WhiteUscf "WhiteUSCF" "White's USCF rating (9.1.3).";
    BlackUscf "BlackUSCF" "Black's USCF rating (9.1.3).";
    WhiteNa "WhiteNA" "White's network address (9.1.4).";
    BlackNa "BlackNA" "Black's network address (9.1.4).";
    WhiteType "WhiteType" "Whether White is human or a program (9.1.5).";
    BlackType "BlackType" "Whether Black is human or a program (9.1.5).";
    EventDate "EventDate" "When the event began (9.2.1).";
    EventSponsor "EventSponsor" "Who paid for it (9.2.2).";
    Section "Section" "The playing section of the tournament (9.2.3).";
    Stage "Stage" "The stage of the event (9.2.4).";
    Board "Board" "The number of the board in a team match or simultaneous display (9.2.5).";
    Opening "Opening" "The name of the opening (9.3.1).";
    Variation "Variation" "The name of its variation (9.3.2).";
    SubVariation "SubVariation" "The name of the variation's variation (9.3.3).";
    Eco "ECO" "The opening's code in the Encyclopedia of Chess Openings (9.4.1).";
    Nic "NIC" "The opening's code in the New in Chess database (9.4.2).";
    Time "Time" "The local time when the game began (9.5.1).";
    UtcTime "UTCTime" "The universal time when the game began (9.5.2).";
    UtcDate "UTCDate" "The universal date when the game began (9.5.3).";
    TimeControl "TimeControl" "How much time the players had (9.6.1).";
    SetUp "SetUp" "Whether the game begins at a position of its own (9.7.1 of the edition of \
        1994).";
    Fen "FEN" "The position at which the game begins (9.7.2).";
    Termination "Termination" "Why the game ended (9.8.1).";
    Annotator "Annotator" "Who wrote the comments (9.9.1).";
    Mode "Mode" "How moves were sent (9.9.2).";
    PlyCount "PlyCount" "How many plies the game has (9.9.3).";
    Variant "Variant" "By which rules the game was played; not in the standard.";
}

impl TagName {
    /// How many names there are.
    pub(crate) const COUNT: usize = TagName::ALL.len();

    /// How many names the Seven Tag Roster has.
    pub const ROSTER: usize = 7;

    /// The name that these bytes are, in whatever case, and whether they are in that of the
    /// standard.
    #[inline]
    pub(crate) fn read(name: &[u8]) -> Option<(TagName, bool)> {
        let first = match name.first_chunk() {
            Some(&first) => u64::from_le_bytes(first),
            None => {
                let last_first = name.iter().rev();
                last_first.fold(SMALL, |eight, &byte| eight << 8 | u64::from(byte))
            }
        };
        let (known, usual_first) = TagName::from_first_eight(first | SMALL)?;
        let usual = known.as_str().as_bytes();
        if name.len() != usual.len() {
            return None;
        }
        if first == usual_first && (name.len() <= 8 || name[8..] == usual[8..]) {
            return Some((known, true));
        }
        name.eq_ignore_ascii_case(usual).then_some((known, false))
    }

    /// Whether the name is one of the Seven Tag Roster.
    #[inline]
    pub const fn is_in_roster(self) -> bool {
        (self as usize) < TagName::ROSTER
    }
}

impl fmt::Display for TagName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Index of the first tag pair with each known name, `MISSING` if there is none.
#[derive(Clone, Debug)]
pub(crate) struct KnownTags([u32; TagName::COUNT]);

const MISSING: u32 = u32::MAX;

impl Default for KnownTags {
    fn default() -> KnownTags {
        KnownTags([MISSING; _])
    }
}

impl KnownTags {
    /// Notes a name at a place, unless it is there already; whether it was.
    #[inline]
    pub(crate) fn add(&mut self, name: TagName, place: usize) -> bool {
        let known = &mut self.0[name as usize];
        let repeated = *known != MISSING;
        if !repeated {
            *known = place as u32;
        }
        repeated
    }

    #[inline]
    pub(crate) fn place(&self, name: TagName) -> Option<usize> {
        Some(self.0[name as usize] as usize).filter(|&place| place != MISSING as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(name: &str) -> Option<(TagName, bool)> {
        TagName::read(name.as_bytes())
    }

    #[test]
    fn every_name_in_any_case() {
        for &name in TagName::ALL {
            let usual = name.as_str();
            assert_eq!(read(usual), Some((name, true)));
            assert_eq!(read(&usual.to_ascii_lowercase()), Some((name, false)));
            let swapped: String = usual
                .chars()
                .map(|c| match c {
                    'A'..='Z' => c.to_ascii_lowercase(),
                    _ => c.to_ascii_uppercase(),
                })
                .collect();
            assert_eq!(read(&swapped), Some((name, false)));
        }
    }

    #[test]
    fn what_only_resembles_a_name_is_none() {
        for &name in TagName::ALL {
            let usual = name.as_str();
            for other in [
                format!("{usual}s"),
                format!("{usual} "),
                format!("_{usual}"),
                usual[..usual.len() - 1].to_owned(),
                format!("{}_", &usual[..usual.len() - 1]),
                format!("{}\x05", &usual[..usual.len() - 1]),
            ] {
                let known = TagName::ALL.iter().any(|name| name.as_str() == other);
                assert_eq!(read(&other).is_some(), known, "{other:?}");
            }
        }
        assert_eq!(read(""), None);
        assert_eq!(read("X"), None);
    }
}
