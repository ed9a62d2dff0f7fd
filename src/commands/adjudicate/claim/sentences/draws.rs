//! The reason of a decision on a draw.

use crate::adjudication::ruling::why_dead;
use crate::chess::Color;
use crate::commands::adjudicate::claim::game::{name, when};
use crate::commands::adjudicate::claim::sentences::counted::{stands, stood};
use crate::commands::adjudicate::claim::sentences::winning::not_found;
use crate::commands::adjudicate::claim::sentences::{Phrasing, Said, does_not_say};
use crate::commands::adjudicate::phrases::{lower_start, sentence_start};
use crate::law::claim::{ClaimReason, Decision, Ground};
use crate::law::rulesets::Condition;
use crate::law::{End, Held, RepetitionKey};

impl Phrasing<'_> {
    pub(super) fn draw(&self, decision: &Decision, end: End, key: RepetitionKey) -> Said {
        let rules = decision.rules;
        let record = self.game.record();
        let short = rules.short();
        match decision.reason {
            ClaimReason::Rules => Said::only(match decision.ground {
                Ground::NoRule => format!("By {short} the game is not drawn on this ground."),
                _ => does_not_say(rules),
            }),
            ClaimReason::Over { ply, end } => self.over(decision, ply, end),
            ClaimReason::Ended { ply, end: ended } => {
                let then = record.cut(ply);
                let mut details = self.ended_earlier(ply);
                let in_a_row = self.law.facts.is_in_a_row(rules.key, ply);
                details.extend(self.too_young(&rules.rule_for(ended, in_a_row)));
                Said {
                    reason: format!("{}.", stood(&then, end, &decision.occurrences)),
                    details,
                    line: Vec::new(),
                }
            }
            ClaimReason::Announcement => {
                let why = self.why_not();
                match decision.ground {
                    Ground::WrongSide => Said {
                        details: vec![why],
                        ..Said::only(self.wrong_side())
                    },
                    _ => Said::only(why),
                }
            }
            ClaimReason::AlreadyPlayed { ply, held } => {
                let name = name(record, ply);
                let then = stood(&record.cut(ply), end, &decision.occurrences);
                let then = match end.condition() {
                    Condition::Occurrences(_) => format!("with {name} {}", lower_start(&then)),
                    _ => lower_start(&then),
                };
                let mut details = Vec::new();
                match held {
                    Held::No => {
                        details.push(format!("Nor would it have been right in time: {then}."));
                    }
                    Held::Unknown => details.push(format!(
                        "Whether it would have been right in time is not known: {then}."
                    )),
                    Held::Yes if rules.rule(end).announced.is_some() => {
                        details.push(format!("Made in time, it would have been right: {then}."));
                    }
                    Held::Yes => {}
                }
                if held == Held::Yes && ply == record.plies() {
                    details.extend(self.the_other_may_claim(rules, end));
                }
                Said {
                    details,
                    ..Said::only(format!(
                        "{name} has been played: a claim with an announced move must be made \
                        before the move is."
                    ))
                }
            }
            ClaimReason::AnnouncedMove => self.announced_move(decision, end, key),
            ClaimReason::WrongSide { holds } => {
                let mut details = vec![format!("{}.", stands(record, end, &decision.occurrences))];
                if holds {
                    details.extend(self.the_other_may_claim(rules, end));
                }
                Said {
                    details,
                    ..Said::only(self.wrong_side())
                }
            }
            ClaimReason::OwnMove => {
                let name = name(record, record.plies());
                let mut details = vec![format!("{}.", stands(record, end, &decision.occurrences))];
                if rules.rule(end).announced.is_some() {
                    details.push(format!(
                        "Announced before it was played, {name} would have made the claim right."
                    ));
                }
                details.extend(self.the_other_may_claim(rules, end));
                Said {
                    details,
                    ..Said::only(format!(
                        "{} has played {name}, and lost the right to claim by it.",
                        self.law.by
                    ))
                }
            }
            ClaimReason::Board { could_announce } => self.board(decision, end, key, could_announce),
            ClaimReason::Before { ply } => {
                let then = stood(&record.cut(ply), end, &decision.occurrences);
                Said::only(format!(
                    "{then}, and one move later it can still be claimed."
                ))
            }
            ClaimReason::Missed {
                ply,
                could_announce,
            } => self.missed(decision, end, key, ply, could_announce),
            ClaimReason::Stalemate => Said::only(self.stalemate(decision.ground)),
            ClaimReason::Listed => {
                let ended = self.law.facts.automatic_end(rules, None);
                Said {
                    details: ended.map_or(Vec::new(), |(ply, _)| self.ended_earlier(ply)),
                    ..Said::only(format!(
                        "The pieces on the board, {}, are too few by {short}.",
                        self.all_pieces()
                    ))
                }
            }
            ClaimReason::LeftOpen => Said::only(format!(
                "{} says that {} are too few, and does not say whether {} are.",
                sentence_start(&short),
                rules.material_set,
                self.all_pieces()
            )),
            ClaimReason::NotListed => {
                let is_agreed = rules.agreed_set.holds(self.law.facts.last().board());
                let agreed = is_agreed.then(|| "The players are to agree to a draw.".to_owned());
                Said {
                    details: agreed.into_iter().collect(),
                    ..Said::only(format!(
                        "The pieces on the board, {}, are not among those that are too few by \
                        {short}: {}.",
                        self.all_pieces(),
                        rules.material_set
                    ))
                }
            }
            ClaimReason::CanMate(side) => self.can_mate(side),
            ClaimReason::NeitherCanMate => Said::only(self.neither_can_mate()),
            ClaimReason::NotFound => {
                let searches = Color::ALL.map(|side| self.law.prospects.unfinished(side));
                let longest = searches
                    .into_iter()
                    .flatten()
                    .max_by_key(|search| search.nodes);
                Said::only(not_found("a mate nor", longest, None))
            }
            ClaimReason::Flag(_) => Said::default(),
        }
    }

    fn neither_can_mate(&self) -> String {
        let why = why_dead(self.law.prospects).unwrap_or_default();
        format!("Neither side can mate by any series of legal moves: {why}.")
    }

    pub(super) fn over(&self, decision: &Decision, ply: u32, end: End) -> Said {
        let rules = decision.rules;
        let record = self.game.record();
        let after = match ply == record.plies() {
            true => String::new(),
            false => format!(" {}", when(record, ply)),
        };
        let mut details = Vec::new();
        if !decision.occurrences.is_empty() {
            let then = record.cut(ply);
            details.push(format!("{}.", stood(&then, end, &decision.occurrences)));
        }
        if end == End::DeadPosition {
            details.push(self.neither_can_mate());
        }
        let in_a_row = self.law.facts.is_in_a_row(rules.key, ply);
        details.extend(self.too_young(&rules.rule_for(end, in_a_row)));
        Said {
            details,
            ..Said::only(format!(
                "The game {}{after}: there is nothing left to claim.",
                end.ended()
            ))
        }
    }
}
