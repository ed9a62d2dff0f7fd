//! A win is recorded: could that side win in this way?

use crate::chess::Color;
use crate::commands::adjudicate::labels::record::{
    Answer, Question, Win, is_broken_off, undefined, unknown,
};
use crate::commands::adjudicate::labels::{CanWin, RuledReason, Verdict};
use crate::commands::adjudicate::phrases::{side, won_by};
use crate::law::rulesets::{Article, FlagFall};
use crate::pgn::ResultMark;
use crate::pgn::termination::Reason;

impl Question<'_> {
    /// A win is recorded.
    pub(crate) fn won(&self, winner: Color) -> Answer {
        let Some(reason) = self.reason() else {
            return self.won_somehow(winner, RuledReason::ResignationOrTime);
        };
        if reason.is_draw() {
            let drawn = self.drawn();
            return Answer {
                verdict: Verdict::Contradiction,
                because: Some(format!(
                    "the record contradicts itself: {reason} and {}",
                    won_by(winner)
                )),
                ..drawn
            };
        }
        if is_broken_off(reason) {
            return self.won_broken_off(winner, reason);
        }
        if self.against() == Some(winner) && reason != Reason::Checkmate {
            return Answer {
                result: won_by(!winner),
                reason: RuledReason::Recorded(reason),
                ..Answer::refuted(format!(
                    "the record contradicts itself: {reason} by {}, and {}",
                    side(winner),
                    won_by(winner)
                ))
            };
        }
        let recorded = RuledReason::Recorded(reason);
        match reason {
            Reason::Checkmate => Answer::refuted("the side to move is not checkmated"),
            Reason::Resignation => {
                let win = self.by_resignation(winner);
                let article = [self.rules.resignation_exception.article];
                let mut answer = self.win(winner, win, recorded, &article);
                answer.by_resignation_exception = win == Win::Drawn;
                answer
            }
            Reason::TimeForfeit | Reason::IllegalMove => {
                let win = self.on_time(winner);
                let article = [self.rules.flag_article];
                self.win(winner, win, recorded, &article)
            }
            Reason::RulesInfraction | Reason::Default => Answer::new(won_by(winner), recorded),
            Reason::VariantRule => Answer::undecided(recorded, "a rule of another game decided it"),
            Reason::Normal | Reason::Unterminated | Reason::Adjourned | Reason::Aborted => {
                self.won_somehow(winner, RuledReason::ResignationOrTime)
            }
            _ => self.won_somehow(winner, recorded),
        }
    }

    /// A win in a game that was broken off: it stands if neither a resignation nor a fallen flag
    /// would have drawn it.
    fn won_broken_off(&self, winner: Color, reason: Reason) -> Answer {
        let wins = [self.by_resignation(winner), self.on_time(winner)];
        let stands = wins.contains(&Win::Stands)
            && !wins.contains(&Win::Drawn)
            && self.against() != Some(winner);
        match stands {
            true => Answer::new(won_by(winner), RuledReason::Recorded(reason)),
            false => undefined(reason),
        }
    }

    /// A win without a reason: a resignation or a fallen flag must be able to win.
    fn won_somehow(&self, winner: Color, reason: RuledReason) -> Answer {
        let by_resignation = self.by_resignation(winner);
        let on_time = self.on_time(winner);
        let win = match (by_resignation, on_time) {
            (Win::Stands, _) | (_, Win::Stands) => Win::Stands,
            (Win::Unknown, _) | (_, Win::Unknown) => Win::Unknown,
            (Win::NotCovered, _) | (_, Win::NotCovered) => Win::NotCovered,
            (Win::Drawn, Win::Drawn) => Win::Drawn,
        };
        let articles = [
            self.rules.resignation_exception.article,
            self.rules.flag_article,
        ];
        let mut answer = self.win(winner, win, reason, &articles);
        answer.by_resignation_exception = win == Win::Drawn;
        answer
    }

    fn win(
        &self,
        winner: Color,
        win: Win,
        reason: RuledReason,
        articles: &[Option<Article>],
    ) -> Answer {
        match win {
            Win::Stands => Answer::new(won_by(winner), reason),
            Win::Unknown => unknown(reason, winner),
            Win::NotCovered => Answer::undecided(
                reason,
                match self.played.can_win[winner.index()] {
                    // The exception for a side that cannot win is not what is missing then.
                    CanWin::Yes => match self.rules.flag {
                        FlagFall::Absent => "the rule set has no rule on time",
                        _ => "the rule set does not say what becomes of a game when time is up",
                    }
                    .to_owned(),
                    CanWin::No | CanWin::Unknown => format!(
                        "the rule set does not say what {} gets, who cannot win",
                        side(winner)
                    ),
                },
            ),
            Win::Drawn => {
                let ground = match self.played.can_win[winner.index()] {
                    CanWin::No => match self.played.prospects.proof(winner) {
                        Some(ground) => {
                            format!("cannot mate by any series of legal moves ({ground})")
                        }
                        None => "cannot mate by any series of legal moves".to_owned(),
                    },
                    CanWin::Yes | CanWin::Unknown => "has too little material".to_owned(),
                };
                Answer {
                    article: self.cite(articles),
                    verdict: Verdict::Contradiction,
                    because: Some(format!("{} {ground}", side(winner))),
                    ..Answer::new(ResultMark::Draw, reason)
                }
            }
        }
    }
}
