//! The games to which rules on clocks apply, by their time control.

/// The parts of a time control that rules on clocks ask for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pace {
    /// Seconds of one side for 60 moves, by which FIDE tells rapid and blitz chess.
    pub seconds: u64,
    /// The longest increment or delay for a move, in thousandths of a second.
    pub increment: u64,
    /// Moves of each side in periods that have a number of moves.
    pub moves: u32,
    /// After them comes a period in which all remaining moves must be made.
    pub is_complete: bool,
}

impl Pace {
    /// Whether it is rapid or blitz chess: less than 60 minutes (FIDE Laws 2014 A.1, B.1).
    pub(crate) const fn is_fast(&self) -> bool {
        self.seconds < 3_600
    }
}

/// The games to which a rule on clocks applies, in the period of all remaining moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimedGames {
    /// In words, with the articles that say so.
    pub words: &'static str,
    /// Seconds for 60 moves with which a game is too fast.
    pub too_fast: u64,
    /// The increment with which the rule does not apply, in thousandths of a second.
    pub increment: u64,
}

impl TimedGames {
    /// Games of any speed.
    pub(crate) const ALL: TimedGames = TimedGames {
        words: "all games",
        too_fast: 0,
        increment: u64::MAX,
    };
}
