//! Losses that are draws if the opponent cannot mate (FIDE Laws 2023 art. 5.1.2, 6.9, 7.5.5), and
//! claims of a side whose time runs out.

use crate::chess::Color;
use crate::law::claim::{ClaimFacts, ClaimKind, ClaimOutcome, ClaimReason, Decision, Ground};
use crate::law::rulesets::{Article, FlagFall, Pace, TimedGames};
use crate::law::{CanWin, Evidence, Facts, Loss, LossDecision, RuleSet, Win, judge_loss};
use crate::winnability::SearchLimits;

impl ClaimFacts<'_> {
    /// The side that has lost by its own account or the claimant's.
    pub fn loser(&self) -> Color {
        match self.kind {
            ClaimKind::Loss(Loss::IllegalMoves) => !self.by,
            _ => self.by,
        }
    }

    /// Decides whether the game of a side that has lost is drawn.
    pub(crate) fn loss(
        &self,
        rules: &'static RuleSet,
        loss: Loss,
        limits: SearchLimits,
    ) -> Decision {
        let opponent = !self.loser();
        let flag = judge_loss(
            rules,
            loss,
            opponent,
            self.prospects,
            Evidence::Line,
            limits,
        );
        let (ground, outcome) = match flag.win() {
            Win::Stands => (Ground::Holds, ClaimOutcome::Won(opponent)),
            Win::Drawn | Win::NotShown(_) => (Ground::DoesNotHold, ClaimOutcome::Drawn),
            Win::Unknown => (Ground::Unknown, ClaimOutcome::Open),
            Win::NotCovered if flag == LossDecision::NoRule => (Ground::NoRule, ClaimOutcome::Open),
            Win::NotCovered => (Ground::Undefined, ClaimOutcome::Open),
        };
        let board = self.facts.last().board();
        let pace = self.facts.record.pace;
        let article = rules.cite(rules.article_on(loss, pace, board, opponent));
        Decision {
            outcome,
            ..self.decision(rules, ground, ClaimReason::Loss(flag), article)
        }
    }

    /// Decides a game in which both flags have fallen.
    pub(crate) fn both_flags(&self, rules: &'static RuleSet) -> Decision {
        let (article, games) = rules.both_flags.unzip();
        let unfit = games.flatten().and_then(|games| self.unfit(games));
        let (ground, reason) = match article {
            Some(_) => unfit.unwrap_or((Ground::Holds, ClaimReason::BothFlags)),
            None if rules.over_the_board || rules.flag == FlagFall::Undefined => {
                (Ground::Undefined, ClaimReason::Rules)
            }
            None => (Ground::NoRule, ClaimReason::Rules),
        };
        self.decision(rules, ground, reason, rules.cite(article))
    }

    /// The ground if a rule on clocks does not apply, and why it does not.
    fn unfit(&self, games: TimedGames) -> Option<(Ground, ClaimReason)> {
        let unfit = unfit(games, self.facts.record.pace, self.facts);
        unfit.map(|(ground, why)| (ground, ClaimReason::Unfit(why)))
    }

    /// Decides a claim that the opponent cannot win by normal means: right if the opponent cannot
    /// mate at all, and else for the arbiter to decide.
    pub(crate) fn quickplay(&self, rules: &'static RuleSet) -> Decision {
        let Some(rule) = rules.quickplay else {
            let refused = rules.cite(rules.quickplay_refused.map(|(article, _)| article));
            return self.decision(rules, Ground::NoRule, ClaimReason::Rules, refused);
        };
        let claim = rules.cite(Some(rule.claim));
        let unfit = self.unfit(rule.games);
        let is_timed = unfit.is_none();
        if let Some((ground, reason)) = unfit.filter(|(ground, _)| *ground != Ground::Unknown) {
            return self.decision(rules, ground, reason, claim);
        }
        if self.by != self.facts.last().turn() {
            let reason = ClaimReason::WrongSide { holds: false };
            return self.decision(rules, Ground::WrongSide, reason, claim);
        }
        let can = self.prospects.can_win(!self.by, Evidence::Line);
        let (ground, article) = match can {
            CanWin::No if is_timed => (Ground::Holds, rules.cite(Some(Article(rule.decisions[0])))),
            _ => (Ground::Undefined, claim),
        };
        self.decision(
            rules,
            ground,
            ClaimReason::Quickplay(can, is_timed),
            article,
        )
    }
}

/// The ground if a rule on clocks does not apply at the end of a game, and why it does not, as a
/// clause.
pub(crate) fn unfit(
    games: TimedGames,
    pace: Option<Pace>,
    facts: &Facts,
) -> Option<(Ground, String)> {
    let (words, is_numbered) = (games.words, facts.record.is_numbered());
    let unfit = match pace {
        Some(pace) if pace.increment >= games.increment => {
            let why = format!("the game has an increment, and the rule is for {words}");
            (Ground::NoRule, why)
        }
        Some(pace) if pace.seconds <= games.too_fast => {
            let why = format!("the game is blitz, and the rule is for {words}");
            (Ground::NoRule, why)
        }
        Some(Pace { moves, .. }) if is_numbered && facts.last().fullmoves() <= moves => {
            let why = format!(
                "fewer than {moves} moves have been made: this is not the last period, in which \
                all remaining moves must be made, and in an earlier one the game goes on"
            );
            (Ground::DoesNotHold, why)
        }
        Some(pace) if pace.is_complete && (is_numbered || pace.moves == 0) => return None,
        pace => {
            let what = match pace.is_some_and(|pace| pace.is_complete) {
                true => "the number of moves made is not known",
                false => "the time control that decides is missing or unreadable",
            };
            let why = format!(
                "{what}: in the last period, in which all remaining moves must be made, the game \
                is drawn; in an earlier one it goes on; the rule is for {words}"
            );
            (Ground::Unknown, why)
        }
    };
    Some(unfit)
}
