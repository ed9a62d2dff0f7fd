//! The ends that the moves of a game can bring about.

use std::fmt;

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

impl End {
    /// Every end, in the order in which FIDE's articles have them tested: mate before all draws.
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

    /// The halfmove clock at which it comes, if it comes by counting moves.
    pub const fn halfmoves(self) -> Option<u32> {
        match self {
            End::FiftyMoves => Some(100),
            End::SeventyFiveMoves => Some(150),
            _ => None,
        }
    }

    /// The name scripts know it by.
    pub const fn as_str(self) -> &'static str {
        match self {
            End::Checkmate => "checkmate",
            End::Stalemate => "stalemate",
            End::DeadPosition => "dead-position",
            End::InsufficientMaterial => "insufficient-material",
            End::Fivefold => "fivefold-repetition",
            End::SeventyFiveMoves => "seventyfive-moves",
            End::Threefold => "threefold-repetition",
            End::FiftyMoves => "fifty-moves",
        }
    }
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// A set of ends.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Ends(u8);

impl Ends {
    /// None of them.
    pub const NONE: Ends = Ends(0);

    /// Adds one.
    #[inline]
    pub fn insert(&mut self, end: End) {
        self.0 |= 1 << end as u8;
    }

    /// Whether it is among them.
    #[inline]
    pub const fn has(self, end: End) -> bool {
        self.0 >> end as u8 & 1 != 0
    }

    /// The set without one of them.
    #[inline]
    pub const fn without(self, end: End) -> Ends {
        Ends(self.0 & !(1 << end as u8))
    }

    /// Whether there is none.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Those that are in both.
    #[inline]
    pub const fn both(self, other: Ends) -> Ends {
        Ends(self.0 & other.0)
    }

    /// Those that are in either.
    #[inline]
    pub const fn either(self, other: Ends) -> Ends {
        Ends(self.0 | other.0)
    }

    /// The ends of the set, in the order of [`End::ALL`].
    pub fn iter(self) -> impl Iterator<Item = End> {
        End::ALL.into_iter().filter(move |&end| self.has(end))
    }
}

impl FromIterator<End> for Ends {
    fn from_iter<I: IntoIterator<Item = End>>(ends: I) -> Ends {
        let mut set = Ends::NONE;
        for end in ends {
            set.insert(end);
        }
        set
    }
}

impl fmt::Debug for Ends {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}
