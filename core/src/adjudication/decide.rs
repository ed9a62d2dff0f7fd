//! Decision of one rule set on a game: the end that the moves brought about, or the record.

use crate::adjudication::record::{Answer, Question};
use crate::adjudication::ruling::list;
use crate::adjudication::{Opportunity, Played, Recorded, RuledReason, Ruling, Verdict};
use crate::law::rulesets::EndRule;
use crate::law::{End, RuleSet};
use crate::pgn::ResultMark;
use crate::text::decode;

/// Rules on a game.
pub(crate) fn rule(rules: &'static RuleSet, recorded: &Recorded, played: &Played<'_>) -> Ruling {
    let facts = played.facts;
    let dead_since = played.dead_since.map(|(ply, _)| ply);
    let ended = facts.automatic_end(rules, dead_since);
    // A position that is mate or stalemate leaves nothing to claim.
    let over = match ended {
        Some((ply, _)) => Some(ply),
        None => facts.final_end.map(|_| facts.plies()),
    };
    let last_open = over.map_or(Some(facts.plies()), |ply| ply.checked_sub(1));
    let mut opportunities = last_open.map_or(Vec::new(), |last| facts.opportunities(rules, last));
    let declarable = facts.declarable(rules, over.unwrap_or(facts.plies() + 1));
    let mut notes = Vec::new();
    let answer = match ended {
        Some((ply, end)) => {
            let in_a_row = facts.is_in_a_row(rules.key, ply);
            let what = match end {
                End::Fivefold if !in_a_row => "fivefold repetition with other moves between",
                _ => end.row().phrase,
            };
            notes.extend(played.note(what, &rules.rule_for(end, in_a_row)));
            ended_by_moves(rules, (ply, end), recorded, played)
        }
        None if played.cut_short => Answer::undecided(
            RuledReason::Incomplete,
            "the game stops before its last move",
        ),
        None => Question {
            rules,
            recorded,
            played,
            opportunities: &opportunities,
            declarable: declarable.iter().map(|&(_, end)| end).collect(),
        }
        .answer(),
    };
    // A game that has ended and is recorded with `*`: an omission, no contradiction.
    if recorded.result == Some(ResultMark::Unknown) && answer.result != ResultMark::Unknown {
        notes.push("no result is recorded".to_owned());
    }
    notes.extend(answer.note);
    let end = ended.map_or(facts.plies(), |(ply, _)| ply);
    notes.extend(clock_of_fen(answer.reason, end, played));
    notes.extend(declarable.iter().map(|&(ply, end)| {
        format!(
            "the director may declare a draw after ply {ply}: {} ({})",
            end.row().phrase,
            rules.cite_end(end)
        )
    }));
    let claimable = first_of_each(&opportunities);
    opportunities.sort_by_key(|opportunity| opportunity.at.ply);
    Ruling {
        asked: rules.name,
        rules,
        result: answer.result,
        reason: answer.reason,
        article: answer.article,
        verdict: answer.verdict,
        ended: ended.map(|(ply, _)| facts.record.at(ply)),
        played_on: ended.is_some_and(|(ply, _)| ply < facts.plies() || played.cut_short),
        because: answer.because,
        line: answer.line,
        claimable,
        opportunities,
        notes,
    }
}

/// The first opportunity of each side for each draw, also an earlier one that is not certain.
pub fn first_of_each(opportunities: &[Opportunity]) -> Vec<Opportunity> {
    let mut firsts: Vec<Opportunity> = Vec::new();
    for opportunity in opportunities {
        let is_same = |first: &Opportunity| {
            (first.end, first.by) == (opportunity.end, opportunity.by)
                && (first.unseen.is_none() || opportunity.unseen.is_some())
        };
        if !firsts.iter().any(is_same) {
            firsts.push(opportunity.clone());
        }
    }
    firsts
}

/// A note if the clock of the FEN has a part in a draw by counting moves.
fn clock_of_fen(reason: RuledReason, ply: u32, played: &Played<'_>) -> Option<String> {
    let RuledReason::End(end) = reason else {
        return None;
    };
    (ply < end.halfmoves()?).then(|| {
        format!(
            "{} holds by the clock of the FEN, which begins at {}",
            end.row().phrase,
            played.facts.record.start.halfmoves()
        )
    })
}

/// The moves ended the game: what was recorded is so or is not.
fn ended_by_moves(
    rules: &RuleSet,
    (ply, end): (u32, End),
    recorded: &Recorded,
    played: &Played<'_>,
) -> Answer {
    let facts = played.facts;
    let result = match end {
        End::Checkmate => ResultMark::won_by(!facts.last().turn()),
        _ => ResultMark::Draw,
    };
    // Dead positions have two names: the pieces alone may show it.
    let reason = RuledReason::End(match end {
        End::DeadPosition => played.dead_since.map_or(end, |(_, end)| end),
        _ => end,
    });
    let seen = end.occurrences().is_some().then(|| {
        let plies = facts.record.occurrences(rules.key, ply);
        let plies: Vec<String> = plies.iter().map(u32::to_string).collect();
        let plies = list(&plies);
        format!("the position stood on the board after plies {plies}")
    });
    let said = match (recorded.result, recorded.other_result) {
        (Some(ResultMark::Unknown), _) | (None, None) => None,
        (_, Some(other)) => Some(format!("`{}`", decode(other.of(played.text)))),
        (Some(result), None) => Some(result.to_string()),
    };
    let article = rules.cite_end_in(end, || facts.record.after(ply));
    let answer = Answer {
        article: Some(article.to_string()),
        ..Answer::new(result, reason)
    };
    match said.filter(|_| recorded.result != Some(result)) {
        None => Answer {
            note: seen,
            ..answer
        },
        Some(said) => {
            let seen = seen.map_or(String::new(), |seen| format!(": {seen}"));
            let end = end.row().phrase;
            Answer {
                verdict: Verdict::Contradiction,
                because: Some(format!(
                    "{end} ended the game, and {said} is recorded{seen}"
                )),
                ..answer
            }
        }
    }
}

impl Played<'_> {
    /// That the game was played before a rule took effect, if it was.
    pub(crate) fn note(&self, what: &str, rule: &EndRule) -> Option<String> {
        let since = rule.since?;
        let (days, _) = self.game.possible_days(self.text)?;
        rule.is_later_than(days.last)
            .then(|| format!("{what} took effect on {since}, after the game was played"))
    }
}
