//! The table of ends that the moves of a game can bring about.
//!
//! A new draw rule is a variant of [`End`], its row and a place in its three lists, and a field of
//! [`RuleSet`](crate::law::rulesets::RuleSet), which the rule sets that know it fill.

use std::fmt;

use crate::chess::Position;

/// An end that the moves themselves bring about, as opposed to agreement, resignation and time.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum End {
    /// The side to move is mated (FIDE Laws 5.1.1).
    Checkmate,
    /// The side to move is not in check and has no legal move (FIDE Laws 5.2.1).
    Stalemate,
    /// Neither side can mate by any series of legal moves (FIDE Laws 5.2.2).
    DeadPosition,
    /// Too few pieces, by a list of them.
    InsufficientMaterial,
    /// The same position at least five times (FIDE Laws 9.6.1).
    Fivefold,
    /// At least 75 moves by each side without a capture or a pawn move (FIDE Laws 9.6.2).
    SeventyFiveMoves,
    /// The same position at least three times (FIDE Laws 9.2).
    Threefold,
    /// At least 50 moves by each side without a capture or a pawn move (FIDE Laws 9.3).
    FiftyMoves,
}

/// When an end holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Condition {
    /// The position shows it.
    Position,
    /// The position has occurred this many times or more.
    Occurrences(u32),
    /// The halfmove clock is at this number or above.
    Halfmoves(u32),
}

/// Words of `--claim` for an end.
#[derive(Clone, Copy, Debug)]
pub struct ClaimName {
    /// Its value.
    pub name: &'static str,
    /// Its help.
    pub help: &'static str,
    /// The ground of the claim: `by stalemate`.
    pub ground: &'static str,
}

/// One row of the table.
pub struct EndRow {
    /// Name in CSV and JSON.
    name: &'static str,
    /// The end as the subject of a sentence: `the 75-move rule`.
    pub phrase: &'static str,
    /// Column head of the table of rule sets.
    pub head: &'static str,
    condition: Condition,
    /// Words of `--claim`, if it is claimed by that name.
    pub(crate) claim: Option<ClaimName>,
}

/// The table of the ends: `END "name" "phrase" "head" condition, "claim" "help" "ground";` for
/// each, without the words of `--claim` for an end that is not claimed.
macro_rules! rows {
    ($end:expr, $($variant:ident $name:literal $phrase:literal $head:literal $condition:expr
        $(, $($claim:literal)+)?;)+) => {
        match $end {
            $(End::$variant => &EndRow {
                name: $name,
                phrase: $phrase,
                head: $head,
                condition: $condition,
                claim: rows!($($($claim)+)?),
            }),+
        }
    };
    () => { None };
    ($name:literal $help:literal $ground:literal) => {
        Some(ClaimName { name: $name, help: $help, ground: $ground })
    };
}

impl End {
    /// Checkmate or stalemate on the board.
    pub(crate) fn on_board(position: &Position) -> Option<End> {
        match (position.has_legal_move(), position.is_check()) {
            (true, _) => None,
            (false, true) => Some(End::Checkmate),
            (false, false) => Some(End::Stalemate),
        }
    }

    /// Every end, in the order of tests of FIDE's articles: mate before all draws.
    pub const ALL: [End; 8] = [
        End::Checkmate,
        End::Stalemate,
        End::DeadPosition,
        End::InsufficientMaterial,
        End::Fivefold,
        End::SeventyFiveMoves,
        End::Threefold,
        End::FiftyMoves,
    ];

    /// Every end, in the order of the table of rule sets.
    pub const LISTED: [End; End::ALL.len()] = [
        End::Checkmate,
        End::Stalemate,
        End::DeadPosition,
        End::InsufficientMaterial,
        End::Threefold,
        End::Fivefold,
        End::FiftyMoves,
        End::SeventyFiveMoves,
    ];

    /// Every end but checkmate, in the order of the statistics on draws.
    pub const DRAWS: [End; End::ALL.len() - 1] = [
        End::Stalemate,
        End::Threefold,
        End::Fivefold,
        End::FiftyMoves,
        End::SeventyFiveMoves,
        End::InsufficientMaterial,
        End::DeadPosition,
    ];

    /// The end of a name in CSV and JSON.
    pub fn named(name: &str) -> Option<End> {
        End::ALL.into_iter().find(|end| end.as_str() == name)
    }

    /// The row of an end.
    pub const fn row(self) -> &'static EndRow {
        rows! { self,
            Checkmate "checkmate" "checkmate" "mate" Condition::Position;
            Stalemate "stalemate" "stalemate" "stale" Condition::Position,
                "stalemate" "Stalemate" "by stalemate";
            DeadPosition "dead-position" "a dead position" "dead" Condition::Position,
                "dead" "Neither side can mate by any series of legal moves"
                "because neither side can checkmate (dead position)";
            InsufficientMaterial "insufficient-material" "insufficient material" "mater"
                Condition::Position,
                "insufficient" "Too little material" "because the material is insufficient";
            Fivefold "fivefold-repetition" "fivefold repetition" "5-fold"
                Condition::Occurrences(5),
                "fivefold" "The same position for the fifth time" "by fivefold repetition";
            SeventyFiveMoves "seventyfive-moves" "the 75-move rule" "75"
                Condition::Halfmoves(150),
                "seventyfive" "75 moves without a capture or a pawn move" "by the 75-move rule";
            Threefold "threefold-repetition" "threefold repetition" "3-fold"
                Condition::Occurrences(3),
                "threefold" "The same position for the third time" "by threefold repetition";
            FiftyMoves "fifty-moves" "the fifty-move rule" "50" Condition::Halfmoves(100),
                "fifty" "Fifty moves without a capture or a pawn move" "by the fifty-move rule";
        }
    }

    /// Name in CSV and JSON.
    pub const fn as_str(self) -> &'static str {
        self.row().name
    }

    /// When it holds.
    pub(crate) const fn condition(self) -> Condition {
        self.row().condition
    }

    /// The halfmove clock from which it holds, if it holds by counting moves.
    pub const fn halfmoves(self) -> Option<u32> {
        match self.condition() {
            Condition::Halfmoves(halfmoves) => Some(halfmoves),
            _ => None,
        }
    }

    /// The number of occurrences from which it holds, if it holds by repetition.
    pub const fn occurrences(self) -> Option<u32> {
        match self.condition() {
            Condition::Occurrences(count) => Some(count),
            _ => None,
        }
    }
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// A set of ends.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Ends(u16);

impl Ends {
    /// None of them.
    pub(crate) const NONE: Ends = Ends(0);

    /// Whether it is among them.
    #[inline]
    pub(crate) const fn has(self, end: End) -> bool {
        self.0 >> end as u16 & 1 != 0
    }

    /// Whether there is none.
    #[inline]
    pub(crate) const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The ends that are not in the other set.
    #[inline]
    pub(crate) const fn minus(self, other: Ends) -> Ends {
        Ends(self.0 & !other.0)
    }

    /// Intersection.
    #[inline]
    pub(crate) const fn both(self, other: Ends) -> Ends {
        Ends(self.0 & other.0)
    }

    /// Union.
    #[inline]
    pub(crate) const fn either(self, other: Ends) -> Ends {
        Ends(self.0 | other.0)
    }

    /// The ends of the set, in the order of [`End::ALL`].
    pub fn iter(self) -> impl Iterator<Item = End> {
        End::ALL.into_iter().filter(move |&end| self.has(end))
    }

    /// The ends by repetition and by counting moves that hold.
    #[inline]
    pub(crate) fn counted(occurrences: u32, halfmoves: u32) -> Ends {
        if occurrences < FEWEST.0 && halfmoves < FEWEST.1 {
            return Ends::NONE;
        }
        let holds = |end: &End| match end.condition() {
            Condition::Position => false,
            Condition::Occurrences(count) => occurrences >= count,
            Condition::Halfmoves(count) => halfmoves >= count,
        };
        End::ALL.into_iter().filter(holds).collect()
    }
}

/// The fewest occurrences and halfmoves with which any end holds.
pub const FEWEST: (u32, u32) = (3, 100);

impl FromIterator<End> for Ends {
    fn from_iter<I: IntoIterator<Item = End>>(ends: I) -> Ends {
        let bits = ends.into_iter().map(|end| 1 << end as u16);
        Ends(bits.fold(0, |set, bit: u16| set | bit))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_end_has_a_name_and_a_place_in_every_list() {
        for (nth, end) in End::ALL.into_iter().enumerate() {
            assert_eq!(end as usize, nth);
            assert!(End::LISTED.contains(&end));
            assert!(end == End::Checkmate || End::DRAWS.contains(&end));
            assert_eq!(End::named(end.as_str()), Some(end));
            assert!(end.occurrences().is_none_or(|count| count >= FEWEST.0));
            assert!(end.halfmoves().is_none_or(|count| count >= FEWEST.1));
        }
    }
}
