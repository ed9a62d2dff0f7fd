//! Claims on what the position itself shows: stalemate, too little material, a dead position.

use crate::chess::Color;
use crate::law::claim::{ClaimFacts, ClaimReason, Decision, Ground};
use crate::law::rulesets::MaterialSet;
use crate::law::{CanWin, End, Evidence, RuleSet, Standing};

impl ClaimFacts<'_> {
    /// Decides a claim of stalemate.
    pub(crate) fn stalemate(&self, rules: &'static RuleSet) -> Decision {
        let ground = if self.facts.final_end == Some(End::Stalemate) {
            if let Some(decision) = self.without_rule(rules, End::Stalemate) {
                return decision;
            }
            Ground::Automatic
        } else {
            Ground::DoesNotHold
        };
        let article = rules.cite_end(End::Stalemate);
        self.decision(rules, ground, ClaimReason::Stalemate, article)
    }

    /// Decides a claim that neither side can mate any more (FIDE Laws 2023 art. 5.2.2).
    pub(crate) fn dead(&self, rules: &'static RuleSet) -> Decision {
        if rules.standing(End::DeadPosition) == Standing::Automatic {
            return self.proven(rules);
        }
        // A list of too little material is all such a rule set has.
        if rules.material_set.holds(self.facts.last().board()) {
            return self.listed(rules);
        }
        self.without_rule(rules, End::DeadPosition)
            .unwrap_or_else(|| self.undefined(rules))
    }

    /// Decides a claim that the material is too little.
    pub(crate) fn insufficient(&self, rules: &'static RuleSet) -> Decision {
        let board = self.facts.last().board();
        let article = rules.cite_end(End::InsufficientMaterial);
        match rules.standing(End::InsufficientMaterial) {
            _ if rules.material_set.holds(board) => self.listed(rules),
            _ if rules.standing(End::DeadPosition) == Standing::Automatic => self.proven(rules),
            Standing::Absent | Standing::Undefined => self
                .without_rule(rules, End::InsufficientMaterial)
                .unwrap_or_else(|| self.proven(rules)),
            _ if rules.material_is_open
                && MaterialSet::has_only_minors(board)
                && !rules.agreed_set.holds(board) =>
            {
                self.decision(rules, Ground::Undefined, ClaimReason::Material, article)
            }
            _ => self.decision(rules, Ground::DoesNotHold, ClaimReason::Material, article),
        }
    }

    /// The pieces are on the list of the rule set.
    fn listed(&self, rules: &'static RuleSet) -> Decision {
        let ground = match rules.standing(End::InsufficientMaterial) {
            Standing::OnClaim => Ground::Holds,
            _ => Ground::Automatic,
        };
        let article = rules.cite_end_in(End::InsufficientMaterial, || self.facts.last().clone());
        self.decision(rules, ground, ClaimReason::Material, article)
    }

    /// Whether neither side can mate, with a line or the proofs.
    fn proven(&self, rules: &'static RuleSet) -> Decision {
        let can = |side| self.prospects.can_win(side, Evidence::Line);
        let mut sides = Color::ALL.into_iter();
        let winner = sides.find(|&side| can(side) == CanWin::Yes);
        let ground = match winner {
            Some(_) => Ground::DoesNotHold,
            None if Color::ALL.map(can) == [CanWin::No; 2] => Ground::Automatic,
            None => Ground::Unknown,
        };
        let article = rules.cite_end(End::DeadPosition);
        self.decision(rules, ground, ClaimReason::Mate(winner), article)
    }
}
