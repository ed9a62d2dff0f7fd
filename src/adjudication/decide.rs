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
    let mut ruling = Ruling {
        asked: rules.name,
        rules,
        result: ResultMark::Unknown,
        reason: RuledReason::Open,
        article: None,
        verdict: Verdict::Consistent,
        ended: None,
        occurrences: Vec::new(),
        played_on: false,
        because: None,
        line: None,
        claimable: first_of_each(&opportunities),
        opportunities: Vec::new(),
        notes: Vec::new(),
    };
    match ended {
        Some((ply, end)) => ended_by_moves(&mut ruling, (ply, end), recorded, played),
        None if played.cut_short => {
            ruling.reason = RuledReason::Incomplete;
            ruling.verdict = Verdict::Undecided;
            ruling.because = Some("the game stops before its last move".to_owned());
        }
        None => {
            let question = Question {
                rules,
                recorded,
                played,
                opportunities: &opportunities,
                declarable: declarable.iter().map(|&(_, end)| end).collect(),
            };
            take(&mut ruling, question.answer(), recorded, played);
        }
    }
    ruling.notes.extend(clock_of_fen(&ruling, played));
    ruling.notes.extend(declarable.iter().map(|&(ply, end)| {
        format!(
            "the director may declare a draw after ply {ply}: {} ({})",
            end.phrase(),
            rules.cite_end(end)
        )
    }));
    opportunities.sort_by_key(|opportunity| opportunity.at.ply);
    ruling.opportunities = opportunities;
    ruling
}

/// The first opportunity of each side for each draw, also an earlier one that is not certain.
fn first_of_each(opportunities: &[Opportunity]) -> Vec<Opportunity> {
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

/// Takes over what the rules say of the record.
fn take(ruling: &mut Ruling, answer: Answer, recorded: &Recorded, played: &Played<'_>) {
    ruling.result = answer.result;
    ruling.reason = answer.reason;
    ruling.article = answer.article;
    ruling.verdict = answer.verdict;
    ruling.because = answer.because;
    ruling.line = answer.line;
    if recorded.result == Some(ResultMark::Unknown) && answer.result != ResultMark::Unknown {
        ruling.notes.push(NO_RESULT.to_owned());
    }
    if answer.by_resignation_exception {
        let what = "the exception for a side that resigns";
        let rule = &ruling.rules.resignation_exception;
        ruling.notes.extend(played.note(what, rule));
    }
}

/// A note if the clock of the FEN has a part in a draw by counting moves.
fn clock_of_fen(ruling: &Ruling, played: &Played<'_>) -> Option<String> {
    let RuledReason::End(end) = ruling.reason else {
        return None;
    };
    let limit = end.halfmoves()?;
    let ply = ruling.ended.map_or(played.facts.plies(), |at| at.ply);
    (ply < limit).then(|| {
        format!(
            "{} holds by the clock of the FEN, which begins at {}",
            end.phrase(),
            played.facts.record.start.halfmoves()
        )
    })
}

/// The moves ended the game: what was recorded is so or is not.
fn ended_by_moves(
    ruling: &mut Ruling,
    (ply, end): (u32, End),
    recorded: &Recorded,
    played: &Played<'_>,
) {
    let facts = played.facts;
    let rules = ruling.rules;
    if end.occurrences().is_some() {
        ruling.occurrences = facts.record.occurrences(rules.key, ply);
    }
    ruling.result = match end {
        End::Checkmate => ResultMark::won_by(!facts.last().turn()),
        _ => ResultMark::Draw,
    };
    // Dead positions have two names: the pieces alone may show it.
    ruling.reason = RuledReason::End(match end {
        End::DeadPosition => played.dead_since.map_or(end, |(_, end)| end),
        _ => end,
    });
    let article = rules.cite_end_in(end, || facts.record.after(ply));
    ruling.article = Some(article.to_string());
    ruling.ended = Some(facts.record.at(ply));
    ruling.played_on = ply < facts.plies() || played.cut_short;
    let in_a_row = facts.is_in_a_row(rules.key, ply);
    let what = match end {
        End::Fivefold if !in_a_row => "fivefold repetition with other moves between",
        _ => end.phrase(),
    };
    let rule = rules.rule_for(end, in_a_row);
    ruling.notes.extend(played.note(what, &rule));
    let plies: Vec<String> = ruling.occurrences.iter().map(u32::to_string).collect();
    let seen = (!plies.is_empty()).then(|| {
        format!(
            "the position stood on the board after plies {}",
            list(&plies)
        )
    });
    let said = match (recorded.result, recorded.other_result) {
        (Some(ResultMark::Unknown), _) => {
            ruling.notes.push(NO_RESULT.to_owned());
            None
        }
        (_, Some(other)) => Some(format!("`{}`", decode(other.of(played.text)))),
        (Some(result), None) => Some(result.to_string()),
        // Nothing is recorded that could be wrong.
        (None, None) => None,
    };
    let Some(said) = said.filter(|_| recorded.result != Some(ruling.result)) else {
        ruling.notes.extend(seen);
        return;
    };
    ruling.verdict = Verdict::Contradiction;
    let end = end.phrase();
    ruling.because = Some(match seen {
        Some(seen) => format!("{end} ended the game, and {said} is recorded: {seen}"),
        None => format!("{end} ended the game, and {said} is recorded"),
    });
}

/// Note on a game that has ended and is recorded with `*`: an omission, no contradiction.
pub(crate) const NO_RESULT: &str = "no result is recorded";

impl Played<'_> {
    /// That the game was played before a rule took effect, if it was.
    fn note(&self, what: &str, rule: &EndRule) -> Option<String> {
        let since = rule.since?;
        rule.is_later_than(self.days?.last)
            .then(|| format!("{what} took effect on {since}, after the game was played"))
    }
}
