//! A side's time is up (FIDE Laws 2023 art. 6.9).

use crate::chess::{Color, Move};
use crate::law::rulesets::{FlagFall, TooLittle};
use crate::law::{CanWin, Evidence, Prospects, RuleSet};
use crate::winnability::forced_mate::Forced;

/// Decision on a fallen flag, and its ground.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FlagDecision {
    /// There is no such rule.
    NoRule,
    /// The source does not say.
    Undefined,
    /// Lost: there is no exception.
    NoException,
    /// Lost: the opponent can mate by some series of legal moves.
    CanMate,
    /// Drawn: the opponent cannot mate by any.
    CannotMate,
    /// Lost: the opponent has more than this.
    EnoughMaterial(TooLittle),
    /// Drawn: the opponent has only this.
    TooLittleMaterial(TooLittle),
    /// Lost: the opponent has little material, but mates by force.
    ForcedMate(Vec<Move>),
    /// Drawn: the opponent has little material, and no forced mate.
    NoForcedMate {
        /// Positions of the plan that avoids mate.
        states: u64,
    },
    /// Whether the opponent can mate was not found.
    MateUnknown,
    /// Whether the opponent can force mate was not found.
    ForcedMateUnknown {
        /// Positions searched.
        states: u64,
    },
}

/// The result of a [`FlagDecision`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FlagOutcome {
    /// The game is lost.
    Lost,
    /// The game is drawn.
    Drawn,
    /// The proof was not found.
    Unknown,
    /// The rule set does not say.
    NotCovered,
}

impl FlagDecision {
    /// The result of the game.
    pub fn outcome(&self) -> FlagOutcome {
        match self {
            FlagDecision::NoRule | FlagDecision::Undefined => FlagOutcome::NotCovered,
            FlagDecision::NoException
            | FlagDecision::CanMate
            | FlagDecision::EnoughMaterial(_)
            | FlagDecision::ForcedMate(_) => FlagOutcome::Lost,
            FlagDecision::CannotMate
            | FlagDecision::TooLittleMaterial(_)
            | FlagDecision::NoForcedMate { .. } => FlagOutcome::Drawn,
            FlagDecision::MateUnknown | FlagDecision::ForcedMateUnknown { .. } => {
                FlagOutcome::Unknown
            }
        }
    }
}

/// Decides the game of the side whose time is up, which is not over otherwise. A search for a
/// forced mate keeps at most `states` positions.
pub fn flag_fall(
    rules: &RuleSet,
    opponent: Color,
    prospects: &Prospects<'_>,
    evidence: Evidence,
    states: u64,
) -> FlagDecision {
    let board = prospects.position().board();
    let by_mate = || match prospects.can_win(opponent, evidence) {
        CanWin::Yes => FlagDecision::CanMate,
        CanWin::No => FlagDecision::CannotMate,
        CanWin::Unknown => FlagDecision::MateUnknown,
    };
    match rules.flag {
        FlagFall::Absent => FlagDecision::NoRule,
        FlagFall::Undefined => FlagDecision::Undefined,
        FlagFall::Loses => FlagDecision::NoException,
        FlagFall::Helpmate => by_mate(),
        FlagFall::Material(set) if set.holds(board, opponent) => {
            FlagDecision::TooLittleMaterial(set)
        }
        FlagFall::Material(set) => FlagDecision::EnoughMaterial(set),
        FlagFall::ForcedMate(set) if !set.holds(board, opponent) => match by_mate() {
            FlagDecision::CanMate => FlagDecision::EnoughMaterial(set),
            other => other,
        },
        FlagFall::ForcedMate(_) if prospects.can_win(opponent, Evidence::Word) == CanWin::No => {
            FlagDecision::CannotMate
        }
        FlagFall::ForcedMate(_) => match prospects.forced_mate(opponent, states) {
            Forced::Mate(line) => FlagDecision::ForcedMate(line),
            Forced::Avoidable { states } => FlagDecision::NoForcedMate { states },
            Forced::Unknown { states } => FlagDecision::ForcedMateUnknown { states },
        },
    }
}
