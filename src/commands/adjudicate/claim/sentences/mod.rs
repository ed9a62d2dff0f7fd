//! The sentences of a ruling, from a decision of the law.

mod counted;
mod draws;
mod winning;

use crate::chess::Move;
use crate::commands::adjudicate::claim::announced::AnnouncedMove;
use crate::commands::adjudicate::claim::game::{ClaimGame, name, when};
use crate::commands::adjudicate::claim::{Claim, ClaimKind, ClaimRuling};
use crate::commands::adjudicate::phrases::{sentence_start, side_possessive};
use crate::law::claim::{self as law, ClaimOutcome, Decision, Ground};
use crate::law::rulesets::{Article, EndRule};
use crate::law::{End, GameRecord, RepetitionKey, RuleSet};
use crate::pgn::ResultMark;
use crate::pgn::termination::Reason;

/// Material of the sentences, besides a decision.
pub(crate) struct Phrasing<'a> {
    pub game: &'a ClaimGame,
    pub claim: &'a Claim,
    pub law: &'a law::ClaimFacts<'a>,
    pub announced: &'a AnnouncedMove,
}

/// The reason of a ruling with what is added to it.
#[derive(Default)]
struct Said {
    reason: String,
    details: Vec<String>,
    line: Vec<Move>,
}

impl Said {
    fn only(reason: String) -> Said {
        Said {
            reason,
            ..Said::default()
        }
    }
}

impl Phrasing<'_> {
    /// The ruling in sentences. `key` is the reading of which positions are the same.
    pub(crate) fn ruling(&self, decision: &Decision, key: RepetitionKey) -> ClaimRuling {
        let rules = decision.rules;
        let mut said = match self.law.kind {
            ClaimKind::Draw(end) => self.draw(decision, end, key),
            ClaimKind::Flag => self.flag(decision),
        };
        let unseen = decision
            .unseen
            .filter(|_| decision.ground != Ground::Unknown);
        if let (Some(unseen), ClaimKind::Draw(end)) = (unseen, self.law.kind) {
            said.details
                .push(format!("{}.", sentence_start(&unseen.why(end))));
        }
        said.details.extend(self.misnumbered(rules));
        said.details.extend(self.recorded_over(decision));
        said.details.extend(decision.declarable.iter().map(|&end| {
            format!(
                "The director may declare the game drawn without a claim: {} ({}).",
                end.phrase(),
                rules.cite_end(end)
            )
        }));
        let mode = self.game.mode();
        ClaimRuling {
            claim: self.claim.clone(),
            by: self.law.by,
            asked: rules.name,
            rules,
            note: None,
            white: None,
            black: None,
            event: None,
            ply: self.game.record().plies(),
            moment: self.game.moment(),
            ground: decision.ground,
            statement: self.statement(),
            reason: said.reason,
            details: said.details,
            article: decision.article.clone(),
            occurrences: decision.occurrences.clone(),
            announced: match self.announced {
                AnnouncedMove::Legal { name, .. } => Some(name.clone()),
                AnnouncedMove::Played(ply) => Some(name(self.game.record(), *ply)),
                _ => None,
            },
            line: said.line.iter().map(|mv| mv.uci(mode)).collect(),
            follows: self.consequences(decision),
            otherwise: Vec::new(),
            result: match decision.outcome {
                ClaimOutcome::Won(side) => ResultMark::won_by(side),
                ClaimOutcome::Drawn => ResultMark::Draw,
                ClaimOutcome::Open => ResultMark::Unknown,
            },
        }
    }

    /// The game with the announced move, if it is legal.
    pub(crate) fn claimed_record(&self) -> GameRecord {
        let mut record = self.game.record().clone();
        if let AnnouncedMove::Legal { mv, .. } = self.announced {
            record.push(*mv);
        }
        record
    }

    fn statement(&self) -> String {
        let by = self.law.by;
        let moment = sentence_start(&self.game.moment());
        let ground = match self.law.kind {
            ClaimKind::Flag => return format!("{moment}, {} time is up.", side_possessive(by)),
            ClaimKind::Draw(end) => end.claim().map_or("", |claim| claim.ground),
        };
        let announced = match (self.announced, &self.claim.announced) {
            (AnnouncedMove::Nothing, _) | (_, None) => String::new(),
            (AnnouncedMove::Legal { name, letters, .. }, Some(announced)) => match letters {
                Some(letters) => format!(
                    ", and announces {name} (`{}`, {})",
                    announced.written,
                    letters.how()
                ),
                None => format!(", and announces {name}"),
            },
            (_, Some(announced)) => format!(", and announces `{}`", announced.written),
        };
        format!("{moment}, {by} claims a draw {ground}{announced}.")
    }

    /// A note on a record that the game was over, unless the board had ended it.
    fn recorded_over(&self, decision: &Decision) -> Option<String> {
        let ended_on_board = matches!(decision.ground, Ground::Over | Ground::Automatic);
        let over = self
            .game
            .over()
            .filter(|_| !ended_on_board && !decision.is_dead)?;
        let rules = decision.rules;
        let end = |reason: Reason| {
            End::ALL
                .into_iter()
                .find(|end| end.as_str() == reason.as_str())
        };
        let (is_this_claim, article) = match (over.reason, self.law.kind) {
            (Some(Reason::Resignation), _) => (false, rules.resignation_article),
            (Some(Reason::Agreement), _) => (false, rules.agreement.article),
            (Some(Reason::TimeForfeit), kind) => (kind == ClaimKind::Flag, rules.flag_article),
            (Some(reason), kind) => {
                let end = end(reason);
                let is_this_claim = end.is_some_and(|end| kind == ClaimKind::Draw(end));
                (is_this_claim, end.and_then(|end| rules.rule(end).article))
            }
            (None, _) => (false, None),
        };
        let says = format!("The record says {}", over.words);
        Some(match is_this_claim {
            true => format!("{says}."),
            false => format!(
                "{says}: if that came first, the game was over{}.",
                cited(rules, article)
            ),
        })
    }

    /// A note if the game ended before its last move.
    fn ended_earlier(&self, ply: u32) -> Vec<String> {
        let record = self.game.record();
        let is_earlier = ply < record.plies();
        let note = is_earlier.then(|| {
            format!(
                "The game ended {}: the moves after it do not count.",
                when(record, ply)
            )
        });
        note.into_iter().collect()
    }

    /// A note if a rule did not yet hold when the game was played.
    fn too_young(&self, rule: &EndRule) -> Option<String> {
        let day = self.game.days()?.last;
        let since = rule.since.filter(|_| rule.is_later_than(day))?;
        Some(format!(
            "The game was played before {since}, when this rule took effect."
        ))
    }

    fn wrong_side(&self) -> String {
        format!(
            "It is {} who is to move: a claim is for the player having the move.",
            self.law.facts.last().turn()
        )
    }

    /// A remark on the number of the announced move, which is not part of the claim.
    fn misnumbered(&self, rules: &RuleSet) -> Option<String> {
        let (AnnouncedMove::Legal { misnumbered, .. }, ClaimKind::Draw(end)) =
            (self.announced, self.law.kind)
        else {
            return None;
        };
        let written = &self
            .claim
            .announced
            .as_ref()
            .filter(|_| *misnumbered)?
            .written;
        let form = rules.rule(end).announced;
        Some(format!(
            "The move was announced as `{written}`: its number is not part of the claim{}.",
            cited(rules, form)
        ))
    }

    fn why_not(&self) -> String {
        match self.announced {
            AnnouncedMove::Illegal(why) | AnnouncedMove::Unclear(why) => why.clone(),
            _ => String::new(),
        }
    }

    /// A note that the side to move may claim what stands on the board.
    fn the_other_may_claim(&self, rules: &RuleSet, end: End) -> Option<String> {
        let form = rules.rule(end).on_board?;
        Some(format!(
            "It is {} who may claim now, before making a move{}.",
            self.law.facts.last().turn(),
            cited(rules, Some(form))
        ))
    }
}

impl Phrasing<'_> {
    /// The consequences of a decision.
    fn consequences(&self, decision: &Decision) -> Vec<String> {
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
            (_, ClaimOutcome::Won(winner)) => return vec![format!("{} wins.", winner)],
            (Ground::Holds, _) => {
                return vec![format!("The game is drawn{}.", cite(claims.right))];
            }
            (Ground::Automatic, _) => {
                return vec!["The game is drawn, and no claim is needed for it.".to_owned()];
            }
            (_, ClaimOutcome::Drawn) => return vec!["The game is drawn.".to_owned()],
            (Ground::NoRule, _) if self.law.kind == ClaimKind::Flag => return Vec::new(),
            (Ground::NoRule | Ground::NotYet, _) => return goes_on(),
            _ if !is_counted => return goes_on(),
            _ => {}
        }
        let opponent = !self.law.by;
        let mut follows = match claims.minutes {
            Some(minutes) => {
                let time = match (claims.fast, self.game.seconds()) {
                    (Some(fast), Some(seconds)) if seconds <= fast.longest => {
                        in_words(fast.minutes).to_owned()
                    }
                    (Some(fast), None) => format!(
                        "{}, in {} {}",
                        in_words(minutes),
                        fast.kinds,
                        in_words(fast.minutes)
                    ),
                    _ => in_words(minutes).to_owned(),
                };
                vec![format!(
                    "{opponent} gets {time}, and the game goes on{}.",
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
                cite(Some(offer))
            ));
        }
        follows
    }
}

fn in_words(minutes: u8) -> &'static str {
    match minutes {
        1 => "one minute",
        2 => "two minutes",
        _ => "three minutes",
    }
}

/// An article in brackets after a blank, if there is one.
pub(crate) fn cited(rules: &RuleSet, article: Option<Article>) -> String {
    let citation = rules.cite(article);
    if citation.is_numbered() {
        format!(" ({citation})")
    } else {
        String::new()
    }
}

pub(crate) fn does_not_say(rules: &RuleSet) -> String {
    format!(
        "{} does not say what follows from this.",
        sentence_start(&rules.short())
    )
}
