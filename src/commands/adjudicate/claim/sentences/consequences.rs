//! Consequences of a decision.

use crate::commands::adjudicate::claim::ClaimKind;
use crate::commands::adjudicate::claim::announced_move::AnnouncedMove;
use crate::commands::adjudicate::claim::sentences::{Phrasing, cited};
use crate::law::End;
use crate::law::claim::{Decision, Ground, Outcome};
use crate::law::rulesets::Article;

impl Phrasing<'_> {
    /// The consequences of a decision.
    pub(super) fn consequences(&self, decision: &Decision) -> Vec<String> {
        let rules = decision.rules;
        let goes_on = || vec!["The game goes on.".to_owned()];
        let is_counted = self.law.kind.takes_a_move();
        let claims = &rules.claims;
        let instead = claims
            .fifty
            .filter(|_| self.law.kind == ClaimKind::Draw(End::FiftyMoves));
        let cite = |article: Option<Article>| cited(rules, instead.or(article));
        if decision.is_dead {
            return vec![format!(
                "The game is drawn nevertheless: neither side can mate by any series of legal \
                moves ({}).",
                rules.cite_end(End::DeadPosition)
            )];
        }
        match (decision.ground, decision.outcome) {
            (Ground::Over | Ground::Unknown | Ground::Undefined | Ground::UnclearMove, _) => {
                return Vec::new();
            }
            (_, Outcome::Won(winner)) => return vec![format!("{} wins.", winner)],
            (Ground::Holds, _) => {
                return vec![format!("The game is drawn{}.", cite(claims.right))];
            }
            (Ground::Automatic, _) => {
                return vec!["The game is drawn, and no claim is needed for it.".to_owned()];
            }
            (_, Outcome::Drawn) => return vec!["The game is drawn.".to_owned()],
            (Ground::NoRule, _) if self.law.kind == ClaimKind::Flag => return Vec::new(),
            (Ground::NoRule | Ground::NotYet, _) => return goes_on(),
            _ if !is_counted => return goes_on(),
            _ => {}
        }
        let opponent = !self.law.by;
        let mut follows = match claims.minutes {
            Some(minutes) => {
                let fast = claims
                    .fast_minutes
                    .map_or_else(String::new, |(chess, fast)| {
                        format!(", in {chess} {}", minutes_more(fast))
                    });
                vec![format!(
                    "{opponent} gets {}{fast}, and the game goes on{}.",
                    minutes_more(minutes),
                    cite(claims.wrong)
                )]
            }
            None => goes_on(),
        };
        if let AnnouncedMove::Legal { name, .. } = self.announced
            && claims.announced_move_binds
            && self.law.by == self.law.facts.last().turn()
        {
            follows.push(format!("{name} must now be played{}.", cite(claims.wrong)));
        }
        if let Some(offer) = claims.is_offer {
            follows.push(format!(
                "The claim stands as an offer of a draw, which {opponent} may accept{}.",
                cite(offer.article)
            ));
        }
        follows
    }
}

fn minutes_more(minutes: u8) -> String {
    match minutes {
        1 => "one minute".to_owned(),
        2 => "two minutes".to_owned(),
        minutes => format!("{minutes} minutes"),
    }
}
