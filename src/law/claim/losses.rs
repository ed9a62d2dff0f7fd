//! Losses that are draws if the opponent cannot mate (FIDE Laws 2023 art. 5.1.2, 6.9, 7.5.5), and
//! claims of a side whose time runs out.

use crate::chess::Color;
use crate::law::claim::{ClaimFacts, ClaimKind, ClaimOutcome, ClaimReason, Decision, Ground};
use crate::law::{CanWin, End, Evidence, Loss, LossDecision, RuleSet, Win, judge_loss};
use crate::winnability::SearchLimits;

impl ClaimFacts<'_> {
    /// The side that has lost by its own account or the claimant's.
    pub(crate) fn loser(&self) -> Color {
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
        if let Some((ply, end)) = self.automatic_end(rules) {
            return self.over(rules, ply, end);
        }
        let opponent = !self.loser();
        let flag = judge_loss(
            rules,
            loss,
            opponent,
            self.prospects,
            Evidence::Line,
            limits,
        );
        let win = flag.win();
        if win == Win::Drawn
            && let Some(since) = self.dead_since(rules)
        {
            return self.over(rules, since, End::DeadPosition);
        }
        let (ground, outcome) = match win {
            Win::Stands => (Ground::Holds, ClaimOutcome::Won(opponent)),
            Win::Drawn => (Ground::DoesNotHold, ClaimOutcome::Drawn),
            Win::Unknown => (Ground::Unknown, ClaimOutcome::Open),
            Win::NotCovered if flag == LossDecision::NoRule => (Ground::NoRule, ClaimOutcome::Open),
            Win::NotCovered => (Ground::Undefined, ClaimOutcome::Open),
        };
        let board = self.facts.last().board();
        let article = rules.cite(rules.article_on(loss, board, opponent));
        Decision {
            outcome,
            ..self.decision(rules, ground, ClaimReason::Loss(flag), article)
        }
    }

    /// Decides a game in which both flags have fallen.
    pub(crate) fn both_flags(&self, rules: &'static RuleSet) -> Decision {
        if let Some((ply, end)) = self.ended(rules) {
            return self.over(rules, ply, end);
        }
        let (ground, reason) = match rules.both_flags {
            Some(_) => (Ground::Holds, ClaimReason::BothFlags),
            None if rules.over_the_board => (Ground::Undefined, ClaimReason::Rules),
            None => (Ground::NoRule, ClaimReason::Rules),
        };
        self.decision(rules, ground, reason, rules.cite(rules.both_flags))
    }

    /// Decides a claim that the opponent cannot win by normal means: right if the opponent cannot
    /// mate at all, and else for the arbiter to decide.
    pub(crate) fn quickplay(&self, rules: &'static RuleSet) -> Decision {
        if let Some((ply, end)) = self.ended(rules) {
            return self.over(rules, ply, end);
        }
        let Some(rule) = rules.quickplay else {
            let none = rules.cite(None);
            return self.decision(rules, Ground::NoRule, ClaimReason::Rules, none);
        };
        let claim = rules.cite(Some(rule.claim));
        if self.by != self.facts.last().turn() {
            let reason = ClaimReason::WrongSide { holds: false };
            return self.decision(rules, Ground::WrongSide, reason, claim);
        }
        let can = self.prospects.can_win(!self.by, Evidence::Line);
        let (ground, article) = match can {
            CanWin::No => (Ground::Holds, rules.cite(Some(rule.decisions[0]))),
            CanWin::Yes | CanWin::Unknown => (Ground::Undefined, claim),
        };
        self.decision(rules, ground, ClaimReason::Quickplay(can), article)
    }

    /// The first automatic end, dead positions included.
    fn ended(&self, rules: &'static RuleSet) -> Option<(u32, End)> {
        let dead = || Some((self.dead_since(rules)?, End::DeadPosition));
        self.automatic_end(rules).or_else(dead)
    }
}
