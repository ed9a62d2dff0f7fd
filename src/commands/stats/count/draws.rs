//! How drawn games came to be drawn.

use crate::adjudication::{Adjudication, RuledReason, Ruling, Verdict};
use crate::law::End;
use crate::pgn::termination::Reason;

/// A kind of draw.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum DrawKind {
    /// Agreed, as somebody recorded.
    Agreement,
    /// Nothing on the board or on record explains it: agreed, as a rule.
    Unexplained,
    /// An end that the moves brought about, on the board or by the move announced.
    Moves(End),
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
    pub const ALL: [DrawKind; End::DRAWS.len() + 9] = {
        let mut all = [DrawKind::Agreement; End::DRAWS.len() + 9];
        all[1] = DrawKind::Unexplained;
        let mut nth = 0;
        while nth < End::DRAWS.len() {
            all[2 + nth] = DrawKind::Moves(End::DRAWS[nth]);
            nth += 1;
        }
        let rest = [
            DrawKind::Flag,
            DrawKind::Unwinnable,
            DrawKind::BothOutOfTime,
            DrawKind::Adjudication,
            DrawKind::Other,
            DrawKind::Refuted,
            DrawKind::Unjudged,
        ];
        let mut nth = 0;
        while nth < rest.len() {
            all[2 + End::DRAWS.len() + nth] = rest[nth];
            nth += 1;
        }
        all
    };

    /// The word scripts know it by.
    pub const fn as_str(self) -> &'static str {
        match self {
            DrawKind::Agreement => "agreement",
            DrawKind::Unexplained => "unexplained",
            DrawKind::Moves(end) => end.as_str(),
            DrawKind::Flag => "time-against-insufficient-material",
            DrawKind::Unwinnable => "winner-could-not-mate",
            DrawKind::BothOutOfTime => "both-out-of-time",
            DrawKind::Adjudication => "adjudication",
            DrawKind::Other => "other",
            DrawKind::Refuted => "refuted",
            DrawKind::Unjudged => "not-judged",
        }
    }

    /// Kind of a drawn game; without an adjudication it could not be judged.
    pub fn of(adjudication: Option<&Adjudication>) -> DrawKind {
        let Some((adjudication, ruling)) = adjudication
            .and_then(|adjudication| Some((adjudication, adjudication.rulings.first()?)))
        else {
            return DrawKind::Unjudged;
        };
        match ruling.reason {
            // The record says draw, and the board says mate.
            RuledReason::End(End::Checkmate) => DrawKind::Refuted,
            RuledReason::End(end) => DrawKind::Moves(end),
            RuledReason::Recorded(reason) => {
                let recorded = adjudication
                    .recorded
                    .termination
                    .and_then(|said| said.reason);
                DrawKind::of_reason(reason, recorded)
            }
            RuledReason::ResignationOrTime => DrawKind::Unwinnable,
            RuledReason::Incomplete => DrawKind::Unjudged,
            RuledReason::Open => DrawKind::of_open(ruling),
        }
    }

    /// Kind of a draw taken from the record. The ruling calls one without a reason agreed.
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
        self.iter()
            .find(|&(other, _)| other == kind)
            .map_or(0, |(_, count)| count)
    }

    /// Every kind with its count.
    pub fn iter(&self) -> impl Iterator<Item = (DrawKind, u64)> {
        DrawKind::ALL.into_iter().zip(self.0)
    }

    pub(crate) fn add(&mut self, kind: DrawKind, count: u64) {
        if let Some(place) = DrawKind::ALL.iter().position(|&other| other == kind) {
            self.0[place] += count;
        }
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
    fn every_kind_is_counted_once() {
        for kind in DrawKind::ALL {
            let same = DrawKind::ALL.iter().filter(|&&other| other == kind);
            assert_eq!(same.count(), 1, "{}", kind.as_str());
            assert_eq!(DrawKinds::from_iter([(kind, 3)]).count(kind), 3);
        }
    }
}
