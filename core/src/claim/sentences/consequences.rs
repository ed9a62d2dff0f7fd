//! The consequences of a decision, and what the record says of the game.

use crate::adjudication::phrases::cited;
use crate::claim::ClaimKind;
use crate::claim::sentences::Phrasing;
use crate::law::claim::{ClaimOutcome, Ground};
use crate::law::rulesets::Article;
use crate::law::{End, Loss};
use crate::pgn::termination::Reason;

impl Phrasing<'_> {
    /// The consequences of the decision.
    pub(crate) fn follows(&self) -> Vec<String> {
        let (decision, kind) = (self.decision, self.law.kind);
        let only = match (decision.ground, decision.outcome) {
            (Ground::Undefined, _) if kind == ClaimKind::Quickplay => {
                return self.quickplay_procedure();
            }
            (Ground::Unknown | Ground::Undefined | Ground::UnclearMove, _) => return Vec::new(),
            (_, ClaimOutcome::Won(winner)) => format!("{winner} wins."),
            (Ground::Holds, _) if matches!(kind, ClaimKind::Draw(_)) => {
                let article = self.cite(decision.rules.claims.right);
                format!("The game is drawn{article}.")
            }
            (Ground::Automatic, _) => {
                "The game is drawn, and no claim is needed for it.".to_owned()
            }
            (_, ClaimOutcome::Drawn) => "The game is drawn.".to_owned(),
            (Ground::NoRule, _)
                if kind == ClaimKind::Loss(Loss::IllegalMoves)
                    && decision.article.is_numbered() =>
            {
                let (winner, rules) = (!self.law.loser(), decision.rules);
                format!(
                    "{winner} gets two minutes, and the game goes on ({}); a loss is at the \
                    director's discretion{}.",
                    decision.article,
                    cited(rules, rules.penalties)
                )
            }
            (Ground::NoRule, _) if matches!(kind, ClaimKind::Loss(_) | ClaimKind::BothFlags) => {
                return Vec::new();
            }
            (Ground::NoRule | Ground::NotYet, _) => GOES_ON.to_owned(),
            _ if !kind.takes_a_move() => GOES_ON.to_owned(),
            _ => return self.after_a_refusal(),
        };
        vec![only]
    }

    /// An article on claims; in its place that on fifty moves, if these have their own.
    fn cite(&self, article: Option<Article>) -> String {
        let rules = self.decision.rules;
        let is_by_moves = self.law.kind == ClaimKind::Draw(End::FiftyMoves);
        let instead = rules.claims.fifty.filter(|_| is_by_moves);
        cited(rules, instead.or(article))
    }

    /// The conditions of a claim that the opponent cannot win by normal means, and what the arbiter
    /// can and must do.
    fn quickplay_procedure(&self) -> Vec<String> {
        let rules = self.decision.rules;
        let Some(rule) = rules.quickplay else {
            return Vec::new();
        };
        let (by, opponent) = (self.law.by, !self.law.by);
        let cite = |article| cited(rules, Some(article));
        let [draw, postpone, reject] = rule.decisions.map(|number| cite(Article(number)));
        let mut steps = vec![format!(
            "The claim is for {}; {by} must have less than two minutes left{}.",
            rule.games.words,
            cite(rule.claim)
        )];
        steps.extend(rule.delay.map(|article| {
            format!(
                "{by} may ask for five extra seconds for each move of both players, which is an \
                offer of a draw; if {opponent} refuses and the arbiter agrees, the clocks are set \
                so, {opponent} gets two minutes, and the game goes on{}.",
                cite(article)
            )
        }));
        steps.extend([
            format!(
                "The arbiter must declare the game drawn on agreeing that {opponent} cannot win by \
                normal means or makes no effort to, and must otherwise postpone the decision or \
                reject the claim{draw}."
            ),
            format!(
                "After a postponement {opponent} may get two minutes, and play goes on, if \
                possible with an arbiter present; the result is declared later in the game, or as \
                soon as possible after a flag has fallen{postpone}."
            ),
            format!("After a rejection {opponent} gets two minutes{reject}."),
        ]);
        steps
    }

    /// A note that a draw that needs the announced move can be claimed once it is made.
    pub(super) fn before_the_clock(&self) -> Option<String> {
        let article = self.decision.rules.claims.before_clock;
        let article = article.filter(|_| self.decision.ground == Ground::NoForm)?;
        let (by, (_, name)) = (self.law.by, self.announced.legal()?);
        let article = cited(self.decision.rules, Some(article));
        let may = format!("{by} may make {name}, and claim before pressing the clock{article}.");
        Some(may)
    }

    /// The penalty of a wrong claim, the announced move and the offer of a draw.
    fn after_a_refusal(&self) -> Vec<String> {
        let claims = &self.decision.rules.claims;
        let (by, opponent) = (self.law.by, !self.law.by);
        let wrong = self.cite(claims.wrong);
        let penalty = claims.time.map_or(GOES_ON.to_owned(), |time| {
            let time = match (claims.fast, self.game.record().pace) {
                (Some(fast), Some(pace)) if pace.seconds <= fast.longest => fast.time.to_owned(),
                (Some(fast), None) => format!("{time}, in {} {}", fast.kinds, fast.time),
                _ => time.to_owned(),
            };
            format!("{opponent} gets {time}, and the game goes on{wrong}.")
        });
        let mut follows = vec![penalty];
        let binds = claims.announced_move_binds && by == self.law.facts.last().turn();
        if let Some((_, name)) = self.announced.legal().filter(|_| binds) {
            follows.push(format!("{name} must now be played{wrong}."));
        }
        follows.extend(claims.is_offer.map(|offer| {
            let article = self.cite(Some(offer));
            format!("The claim stands as an offer of a draw, which {opponent} may accept{article}.")
        }));
        follows
    }

    /// A note on a record that the game was over, unless the board had ended it.
    pub(super) fn recorded_over(&self) -> Option<String> {
        let (decision, kind) = (self.decision, self.law.kind);
        let ended_on_board = matches!(decision.ground, Ground::Over | Ground::Automatic);
        let over = self.game.over.as_ref().filter(|_| !ended_on_board)?;
        let rules = decision.rules;
        let end = over.reason.and_then(|reason| End::named(reason.as_str()));
        let (claim, article) = match over.reason {
            Some(Reason::Resignation) => {
                let claim = ClaimKind::Loss(Loss::Resignation);
                (Some(claim), rules.resignation_article)
            }
            Some(Reason::TimeForfeit) => (Some(ClaimKind::Loss(Loss::Time)), rules.flag_article),
            Some(Reason::IllegalMove) => {
                let article = rules.illegal_moves.map(|rule| rule.article);
                (Some(ClaimKind::Loss(Loss::IllegalMoves)), article)
            }
            Some(Reason::Agreement) => (None, rules.agreement.article),
            _ => (
                end.map(ClaimKind::Draw),
                end.and_then(|end| rules.rule(end).article),
            ),
        };
        let says = format!("The record says {}", over.words);
        let kind = match kind {
            ClaimKind::BothFlags => ClaimKind::Loss(Loss::Time),
            kind => kind,
        };
        Some(if claim == Some(kind) {
            format!("{says}.")
        } else {
            let article = cited(rules, article);
            format!("{says}: if that came first, the game was over{article}.")
        })
    }
}

const GOES_ON: &str = "The game goes on.";
