//! How drawn games came to be drawn.

use crate::commands::adjudicate::labels::{Label, RuledReason, Ruling, Verdict};
use crate::law::End;
use crate::pgn::termination::Reason;

/// A kind of draw.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum DrawKind {
    /// Agreed, as somebody recorded.
    Agreement,
    /// Nothing on the board or on record explains it: agreed, as a rule.
    Unexplained,
    /// No legal move and no check.
    Stalemate,
    /// The same position three times, on the board or by the move announced.
    Threefold,
    /// The same position five times.
    Fivefold,
    /// Fifty moves by each side without capture or pawn move.
    FiftyMoves,
    /// Seventy-five of them.
    SeventyFiveMoves,
    /// The pieces cannot mate.
    InsufficientMaterial,
    /// Neither side can mate, though the pieces could.
    DeadPosition,
    /// A side's time was up, and the other one could not win.
    Flag,
    /// A side gave up, or its time was up, and the other one could not win; which, is not recorded.
    Unwinnable,
    /// Both sides' time was up.
    BothOutOfTime,
    /// Somebody decided it: an arbiter, a tablebase, a rule on the engines' assessments.
    Adjudication,
    /// Something else on record, such as a player who left.
    Other,
    /// The reason on record is refuted by the moves.
    Refuted,
    /// The moves cannot be played to the end, or the game is not by the rules of chess.
    Unjudged,
}

impl DrawKind {
    /// Every kind.
    pub const ALL: [DrawKind; 16] = [
        DrawKind::Agreement,
        DrawKind::Unexplained,
        DrawKind::Stalemate,
        DrawKind::Threefold,
        DrawKind::Fivefold,
        DrawKind::FiftyMoves,
        DrawKind::SeventyFiveMoves,
        DrawKind::InsufficientMaterial,
        DrawKind::DeadPosition,
        DrawKind::Flag,
        DrawKind::Unwinnable,
        DrawKind::BothOutOfTime,
        DrawKind::Adjudication,
        DrawKind::Other,
        DrawKind::Refuted,
        DrawKind::Unjudged,
    ];

    /// The word scripts know it by.
    pub const fn as_str(self) -> &'static str {
        match self {
            DrawKind::Agreement => "agreement",
            DrawKind::Unexplained => "unexplained",
            DrawKind::Stalemate => "stalemate",
            DrawKind::Threefold => "threefold-repetition",
            DrawKind::Fivefold => "fivefold-repetition",
            DrawKind::FiftyMoves => "fifty-moves",
            DrawKind::SeventyFiveMoves => "seventyfive-moves",
            DrawKind::InsufficientMaterial => "insufficient-material",
            DrawKind::DeadPosition => "dead-position",
            DrawKind::Flag => "time-against-insufficient-material",
            DrawKind::Unwinnable => "winner-could-not-mate",
            DrawKind::BothOutOfTime => "both-out-of-time",
            DrawKind::Adjudication => "adjudication",
            DrawKind::Other => "other",
            DrawKind::Refuted => "refuted",
            DrawKind::Unjudged => "not-judged",
        }
    }

    /// Kind of a game that is drawn, on record or by the ruling; without a label it could not be
    /// judged.
    pub fn of(label: Option<&Label>) -> DrawKind {
        let Some((label, ruling)) = label.and_then(|label| Some((label, label.rulings.first()?)))
        else {
            return DrawKind::Unjudged;
        };
        match ruling.reason {
            RuledReason::End(end) => DrawKind::of_end(end),
            RuledReason::Recorded(reason) => {
                let recorded = label.recorded.termination.and_then(|said| said.reason);
                DrawKind::of_reason(reason, recorded)
            }
            RuledReason::ResignationOrTime => DrawKind::Unwinnable,
            RuledReason::Incomplete => DrawKind::Unjudged,
            RuledReason::Open => DrawKind::of_open(ruling),
        }
    }

    fn of_end(end: End) -> DrawKind {
        match end {
            // The record says draw, and the board says mate.
            End::Checkmate => DrawKind::Refuted,
            End::Stalemate => DrawKind::Stalemate,
            End::DeadPosition => DrawKind::DeadPosition,
            End::InsufficientMaterial => DrawKind::InsufficientMaterial,
            End::Fivefold => DrawKind::Fivefold,
            End::SeventyFiveMoves => DrawKind::SeventyFiveMoves,
            End::Threefold => DrawKind::Threefold,
            End::FiftyMoves => DrawKind::FiftyMoves,
        }
    }

    /// A draw that the rulings takes from the record. It takes one without a reason to have been
    /// agreed.
    fn of_reason(reason: Reason, recorded: Option<Reason>) -> DrawKind {
        match reason {
            Reason::Agreement if recorded == Some(Reason::Agreement) => DrawKind::Agreement,
            Reason::Agreement => DrawKind::Unexplained,
            Reason::TimeForfeit | Reason::TimeAgainstInsufficientMaterial => DrawKind::Flag,
            Reason::Resignation => DrawKind::Unwinnable,
            Reason::BothOutOfTime => DrawKind::BothOutOfTime,
            Reason::Adjudication => DrawKind::Adjudication,
            _ => DrawKind::Other,
        }
    }

    fn of_open(ruling: &Ruling) -> DrawKind {
        match ruling.verdict {
            Verdict::Contradiction => DrawKind::Refuted,
            Verdict::Consistent | Verdict::Undecided => DrawKind::Unjudged,
        }
    }
}

/// How many draws there are of each kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct DrawKinds([u64; DrawKind::ALL.len()]);

impl DrawKinds {
    /// How many of a kind.
    pub fn count(&self, kind: DrawKind) -> u64 {
        self.0[kind as usize]
    }

    /// Every kind with its count.
    pub fn iter(&self) -> impl Iterator<Item = (DrawKind, u64)> {
        DrawKind::ALL.into_iter().zip(self.0)
    }

    pub(crate) fn add(&mut self, kind: DrawKind, count: u64) {
        self.0[kind as usize] += count;
    }
}

impl std::ops::AddAssign for DrawKinds {
    fn add_assign(&mut self, more: DrawKinds) {
        for (sum, more) in self.0.iter_mut().zip(more.0) {
            *sum += more;
        }
    }
}

impl FromIterator<(DrawKind, u64)> for DrawKinds {
    fn from_iter<I: IntoIterator<Item = (DrawKind, u64)>>(counts: I) -> DrawKinds {
        let mut kinds = DrawKinds::default();
        for (kind, count) in counts {
            kinds.add(kind, count);
        }
        kinds
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_stand_in_their_order() {
        for (place, kind) in DrawKind::ALL.into_iter().enumerate() {
            assert_eq!(kind as usize, place);
        }
    }
}
