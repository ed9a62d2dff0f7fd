//! Whether what was recorded can be true of a game that its moves left open.

mod drawn;
mod won;

use arrayvec::ArrayVec;

use crate::chess::Color;
use crate::commands::adjudicate::claim::words::side;
use crate::commands::adjudicate::labels::prospects::Prospects;
use crate::commands::adjudicate::labels::{
    CanWin, Chance, Line, Played, Recorded, RuledReason, Verdict,
};
use crate::law::rulesets::FlagFall;
use crate::law::{End, Ends, RuleSet, Standing};
use crate::pgn::termination::Reason;
use crate::pgn::{ResultMark, Termination};
use crate::replay::Ending;

/// A game that its moves left open, and everything that bears on what was recorded about it.
pub(crate) struct Question<'a> {
    pub rules: &'static RuleSet,
    pub recorded: &'a Recorded,
    pub played: &'a Played<'a>,
    pub can_win: [CanWin; 2],
    /// Every claim that could have been made, in order of plies.
    pub chances: &'a [Chance],
    /// Whether a draw for want of material could be claimed at the end.
    pub material_on_claim: bool,
    /// What the director may have declared.
    pub declarable: Ends,
    /// How many times the last position has occurred.
    pub times: u32,
    pub prospects: &'a mut Prospects,
}

/// What the rules say of the record.
pub(crate) struct Answer {
    pub result: ResultMark,
    pub reason: RuledReason,
    pub article: Option<String>,
    pub verdict: Verdict,
    pub because: Option<String>,
    pub line: Option<Line>,
    /// Whether it turns on the rule that a resignation does not win for a side that cannot mate.
    pub by_resignation_exception: bool,
}

/// Whether a side that is said to have won can have done so.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Win {
    Stands,
    /// The game is drawn: that side could not win.
    Drawn,
    /// The proof was not found.
    Unknown,
    /// The rule set does not say.
    NotCovered,
}

impl Answer {
    fn new(result: ResultMark, reason: RuledReason) -> Answer {
        Answer {
            result,
            reason,
            article: None,
            verdict: Verdict::Consistent,
            because: None,
            line: None,
            by_resignation_exception: false,
        }
    }

    /// What was recorded did not end the game.
    fn refuted(because: impl Into<String>) -> Answer {
        Answer {
            verdict: Verdict::Contradiction,
            because: Some(because.into()),
            ..Answer::new(ResultMark::Unknown, RuledReason::Open)
        }
    }

    fn undecided(reason: RuledReason, because: impl Into<String>) -> Answer {
        Answer {
            verdict: Verdict::Undecided,
            because: Some(because.into()),
            ..Answer::new(ResultMark::Unknown, reason)
        }
    }
}

impl Question<'_> {
    /// Answers it.
    pub fn answer(&mut self) -> Answer {
        if let Some(end) = self.uncovered_end() {
            return Answer::undecided(
                RuledReason::End(end),
                format!("{end} is not covered by the rule set"),
            );
        }
        if self.recorded.other_result.is_some() {
            return Answer::undecided(
                RuledReason::Open,
                "the recorded result is none of the four of the PGN standard",
            );
        }
        match self.recorded.result {
            Some(ResultMark::Draw) => self.drawn(),
            Some(ResultMark::White) => self.won(Color::White),
            Some(ResultMark::Black) => self.won(Color::Black),
            Some(ResultMark::Unknown) | None => self.unrecorded(),
        }
    }

    /// Mate, stalemate or a dead position of which the rule set does not say what it means.
    fn uncovered_end(&self) -> Option<End> {
        let is_drawn = self.recorded.result == Some(ResultMark::Draw);
        match self.played.ending {
            Ending::Checkmate => Some(End::Checkmate),
            Ending::Stalemate => Some(End::Stalemate),
            Ending::Open
                if self.rules.dead.standing == Standing::Undefined
                    && self.played.dead_since.is_some()
                    && !is_drawn =>
            {
                Some(End::DeadPosition)
            }
            Ending::Open => None,
        }
    }

    fn reason(&self) -> Option<Reason> {
        self.recorded.termination?.reason
    }

    fn against(&self) -> Option<Color> {
        self.recorded.termination?.against
    }

    /// No result is recorded. A reason may be that gives one.
    fn unrecorded(&mut self) -> Answer {
        if let Some(reason) = self.reason().filter(|&reason| is_broken_off(reason)) {
            return undefined(reason);
        }
        let implied = self
            .recorded
            .termination
            .and_then(Termination::implied_result);
        match implied {
            Some(ResultMark::Draw) => self.drawn(),
            Some(ResultMark::White) => self.won(Color::White),
            Some(ResultMark::Black) => self.won(Color::Black),
            Some(ResultMark::Unknown) | None => Answer::new(ResultMark::Unknown, RuledReason::Open),
        }
    }

    /// What the other side's resignation is worth.
    fn by_resignation(&self, winner: Color) -> Win {
        let can = self.can_win[winner.index()];
        match self.rules.resignation_exception.standing {
            Standing::Absent => Win::Stands,
            Standing::Undefined if can == CanWin::Yes => Win::Stands,
            Standing::Undefined => Win::NotCovered,
            Standing::Automatic | Standing::OnClaim | Standing::ByDirector | Standing::Recorded => {
                of_prospects(can)
            }
        }
    }

    /// What it is worth that the other side's time is up.
    fn on_time(&mut self, winner: Color) -> Win {
        let can = self.can_win[winner.index()];
        let board = self.played.last.board();
        match self.rules.flag {
            FlagFall::Loses => Win::Stands,
            FlagFall::Helpmate => of_prospects(can),
            FlagFall::Material(set) if set.holds(board, winner) => Win::Drawn,
            FlagFall::Material(_) => Win::Stands,
            FlagFall::ForcedMate(_) if can != CanWin::Yes => of_prospects(can),
            FlagFall::ForcedMate(set) if set.holds(board, winner) => {
                of_prospects(self.prospects.can_force(self.played.last, winner))
            }
            FlagFall::ForcedMate(_) => Win::Stands,
            FlagFall::Absent | FlagFall::Undefined => Win::NotCovered,
        }
    }

    /// A draw that was none, as a side can still mate, which the moves show. Without them it is left open.
    fn refuted_by_mate(&mut self, winner: Color, reason: RuledReason, why: &str) -> Answer {
        let Some(moves) = self.prospects.mating_line(self.played.last, winner) else {
            return unknown(reason, winner);
        };
        let line = Line::new(self.played.last, &moves, self.played.mode);
        let because = format!("{why}, and {} can still mate: {}", side(winner), line.san);
        Answer {
            line: Some(line),
            ..Answer::refuted(because)
        }
    }

    /// Articles with their edition; only the rule set, if its source has no numbers.
    fn article(&self, numbers: &[&'static str]) -> Option<String> {
        let numbers: ArrayVec<&str, 2> = numbers
            .iter()
            .copied()
            .filter(|number| !number.is_empty())
            .collect();
        let article = self.rules.article(&numbers.join(", ")).to_string();
        (!article.is_empty()).then_some(article)
    }
}

/// Whether a game was broken off, which is neither a resignation nor a fallen flag. The rules do not say what such a game
/// is worth; it matters only if one of the two would give another result than is recorded.
fn is_broken_off(reason: Reason) -> bool {
    matches!(
        reason,
        Reason::Abandoned | Reason::Disconnection | Reason::Death | Reason::Emergency
    )
}

fn undefined(reason: Reason) -> Answer {
    Answer::undecided(
        RuledReason::Recorded(reason),
        "the rules do not say what such a game is worth",
    )
}

fn of_prospects(can_win: CanWin) -> Win {
    match can_win {
        CanWin::Yes => Win::Stands,
        CanWin::No => Win::Drawn,
        CanWin::Unknown => Win::Unknown,
    }
}

fn unknown(reason: RuledReason, winner: Color) -> Answer {
    Answer::undecided(
        reason,
        format!(
            "whether {} could still win was not found within the budget",
            side(winner)
        ),
    )
}
