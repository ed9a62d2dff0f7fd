//! The same position for the third time (FIDE Laws 2023 art. 9.2).

use crate::commands::adjudicate::claim::case::Case;
use crate::commands::adjudicate::claim::court::{Court, Told};
use crate::commands::adjudicate::claim::difference::{lookalikes, whens};
use crate::commands::adjudicate::claim::ruling::{Ground, Ruling};
use crate::commands::adjudicate::claim::words::{ordinal, side};
use crate::law::{End, RepetitionKey, RuleSet, Standing};

/// Decides a claim of threefold repetition.
pub(crate) fn decide(court: &Court<'_>, rules: &'static RuleSet) -> Ruling {
    under(court, rules, rules.key)
}

/// Decides it with another reading of which positions are the same.
pub(crate) fn under(court: &Court<'_>, rules: &'static RuleSet, key: RepetitionKey) -> Ruling {
    if let Some(ruling) = court.without_rule(rules, End::Threefold) {
        return ruling;
    }
    match court.earliest_end(rules) {
        Some((ply, end @ (End::Threefold | End::Fivefold))) => {
            return automatic(court, rules, key, ply, end);
        }
        Some((ply, end)) => return court.over(rules, ply, end),
        None => {}
    }
    match &court.told {
        Told::Faulty(why) | Told::Unclear(why) if stands_on_board(court, rules, key) => {
            let what = format!("{why} What stands on the board needs no announced move.");
            on_board_all_the_same(court, rules, key, what)
        }
        Told::Faulty(why) | Told::Unclear(why) if court.is_wrong_side(rules) => {
            court.wrong_side_with(rules, End::Threefold, why)
        }
        Told::Faulty(why) => court.faulty_move(rules, Ground::IllegalMove, why),
        Told::Unclear(why) => court.faulty_move(rules, Ground::UnclearMove, why),
        Told::Played { ply } => already_played(court, rules, key, *ply),
        Told::Move { then, name, .. } => announced(court, rules, key, then, name),
        Told::Nothing => on_board(court, rules, key),
    }
}

/// A position cannot stand on the board again before so many plies.
const FEWEST_PLIES_BETWEEN: u32 = 4;

/// How often the last position of a case has occurred, and after which plies, the earliest first.
pub(crate) fn occurrences(case: &Case, key: RepetitionKey) -> Vec<u32> {
    let mut plies: Vec<u32> = case.history(key).occurrences().collect();
    plies.reverse();
    plies
}

/// Adds the occurrences, and what is said of positions that only look the same.
fn explain(ruling: &mut Ruling, case: &Case, key: RepetitionKey, plies: Vec<u32>) {
    if ruling.ground == Ground::DoesNotHold {
        let alike = lookalikes(case, ruling.rules, key, &plies);
        ruling.details.splice(0..0, alike);
        let unknown = case.position().halfmoves().saturating_sub(case.plies());
        if unknown >= FEWEST_PLIES_BETWEEN {
            ruling.details.push(format!(
                "Of the {unknown} plies before the first position given, which its clock tells of, nothing else is known."
            ));
        }
    }
    ruling.occurrences = plies;
}

/// `for the second time only: after 24.Nb5 and 26.Nb5`
fn for_the_nth_time(case: &Case, plies: &[u32]) -> String {
    let nth = ordinal(plies.len() as u32);
    match plies.len() {
        0 | 1 => "for the first time".to_owned(),
        2 => format!("for the second time only: {}", whens(case, plies)),
        _ => format!("for the {nth} time: {}", whens(case, plies)),
    }
}

/// When the last position of a case has stood on the board, in a sentence.
pub(crate) fn stood(case: &Case, plies: &[u32]) -> String {
    format!(
        "The same position was on the board {}.",
        for_the_nth_time(case, plies)
    )
}

/// The game was over when the position had occurred often enough.
fn automatic(
    court: &Court<'_>,
    rules: &'static RuleSet,
    key: RepetitionKey,
    ply: u32,
    end: End,
) -> Ruling {
    let then = court.case.cut(ply);
    let plies = occurrences(&then, key);
    let reason = stood(&then, &plies);
    let mut ruling = court.ruling(rules, Ground::Automatic, rules.article_on(end), reason);
    if ply < court.case.plies() {
        ruling.details.push(format!(
            "The game ended {}: the moves after it do not count.",
            court.case.when(ply)
        ));
    }
    let rule = rules.rule_for(end, then.history(key).is_five_in_a_row());
    ruling.details.extend(court.too_young(&rule));
    explain(&mut ruling, &then, key, plies);
    ruling
}

fn announced(
    court: &Court<'_>,
    rules: &'static RuleSet,
    key: RepetitionKey,
    then: &Case,
    name: &str,
) -> Ruling {
    let plies = occurrences(then, key);
    let count = for_the_nth_time(then, &plies);
    let would = format!("With {name} the same position would be on the board {count}");
    let holds = plies.len() >= 3;
    let article = rules.threefold_forms.announced;
    if !holds && stands_on_board(court, rules, key) {
        let what = format!("{would}, but what stands on the board needs no announced move.");
        return on_board_all_the_same(court, rules, key, what);
    }
    let (ground, reason) = if court.is_wrong_side(rules) {
        (Ground::WrongSide, court.wrong_side())
    } else if !holds {
        (Ground::DoesNotHold, format!("{would}."))
    } else if rules.threefold.standing == Standing::Automatic {
        let reason = format!(
            "{would}, which ends the game by itself: the move is to be played, not announced."
        );
        (Ground::NotYet, reason)
    } else if article.is_none() {
        let reason = format!(
            "{would}; but {} has claims on the position on the board only, not with an announced move.",
            rules.short()
        );
        (Ground::NoForm, reason)
    } else {
        (Ground::Holds, format!("{would}."))
    };
    let article = match ground {
        Ground::DoesNotHold => rules.key_articles.same,
        _ => article.unwrap_or(rules.threefold.article),
    };
    let mut ruling = court.ruling(rules, ground, rules.article(article), reason);
    explain(&mut ruling, then, key, plies);
    ruling
}

/// Whether the position on the board may be claimed, whatever has been announced with the claim.
fn stands_on_board(court: &Court<'_>, rules: &RuleSet, key: RepetitionKey) -> bool {
    !court.is_wrong_side(rules)
        && rules.threefold_forms.on_board.is_some()
        && occurrences(court.case, key).len() >= 3
}

/// What stands on the board needs no announcement, and is not undone by one.
fn on_board_all_the_same(
    court: &Court<'_>,
    rules: &'static RuleSet,
    key: RepetitionKey,
    what: String,
) -> Ruling {
    let mut ruling = on_board(court, rules, key);
    ruling.details.insert(0, what);
    ruling
}

/// The announced move stands on the board, which is too late.
fn already_played(
    court: &Court<'_>,
    rules: &'static RuleSet,
    key: RepetitionKey,
    ply: u32,
) -> Ruling {
    let case = court.case;
    let then = case.cut(ply);
    let plies = occurrences(&then, key);
    let name = case.name(ply);
    let reason = format!(
        "{name} has been played: a claim with an announced move must be made before the move is."
    );
    let article = rules
        .claims
        .lost_by_moving
        .or(rules.threefold_forms.announced)
        .unwrap_or(rules.threefold.article);
    let mut ruling = court.ruling(rules, Ground::TooLate, rules.article(article), reason);
    if plies.len() >= 3 {
        if rules.threefold_forms.announced.is_some() {
            ruling.details.push(format!(
                "Made in time, it would have been right: with {name} the same position was on the board {}.",
                for_the_nth_time(&then, &plies)
            ));
        }
        ruling
            .details
            .extend(the_other_may_claim(court, rules, ply == case.plies()));
    } else {
        ruling.details.push(format!(
            "Nor would it have been right in time: with {name} the same position was on the board {}.",
            for_the_nth_time(&then, &plies)
        ));
    }
    explain(&mut ruling, &then, key, plies);
    ruling
}

/// What is said where the side to move may claim the position on the board.
fn the_other_may_claim(court: &Court<'_>, rules: &RuleSet, on_board: bool) -> Option<String> {
    let article = rules.threefold_forms.on_board.filter(|_| on_board)?;
    let cite = match article {
        "" => String::new(),
        article => format!(" ({})", rules.article(article)),
    };
    let turn = side(court.case.position().turn());
    Some(format!(
        "It is {turn} who may claim now, before making a move{cite}."
    ))
}

fn on_board(court: &Court<'_>, rules: &'static RuleSet, key: RepetitionKey) -> Ruling {
    let case = court.case;
    let plies = occurrences(case, key);
    let is = format!(
        "The same position is on the board {}",
        for_the_nth_time(case, &plies)
    );
    let holds = plies.len() >= 3;
    let on_claim = rules.threefold.standing == Standing::OnClaim;
    let form = rules.threefold_forms.on_board;
    let mut details = Vec::new();
    let (ground, article, reason) = if on_claim && court.is_wrong_side(rules) {
        wrong_side(court, rules, holds, &is, &mut details)
    } else if holds && rules.threefold_forms.is_open && form.is_none() {
        let reason = format!("{is}; {}.", court.form_is_open(rules));
        (Ground::Undefined, "", reason)
    } else if holds && form.is_none() {
        let reason = format!(
            "{is}; but {} covers claims with an announced move only, not on the position as the opponent's move has left it.",
            rules.short()
        );
        (Ground::NoForm, "", reason)
    } else if holds {
        (Ground::Holds, form.unwrap_or_default(), format!("{is}."))
    } else if on_claim && let Some((at, reason)) = missed(court, rules, key) {
        details.push(format!("{is}."));
        details.push(at);
        let article = rules.claims.lost_by_moving.or(form).unwrap_or_default();
        (Ground::TooLate, article, reason)
    } else {
        (
            Ground::DoesNotHold,
            rules.key_articles.same,
            format!("{is}."),
        )
    };
    if on_claim && !holds && !court.is_wrong_side(rules) {
        details.extend(could_announce(court, rules, key));
    }
    let mut ruling = court.ruling(rules, ground, rules.article(article), reason);
    ruling.details = details;
    explain(&mut ruling, case, key, plies);
    ruling
}

/// The claimant has moved already, or has not the move.
fn wrong_side(
    court: &Court<'_>,
    rules: &RuleSet,
    holds: bool,
    is: &str,
    details: &mut Vec<String>,
) -> (Ground, &'static str, String) {
    let case = court.case;
    if holds && case.plies() > 0 {
        let name = case.name(case.plies());
        details.push(format!("{is}."));
        if rules.threefold_forms.announced.is_some() {
            details.push(format!(
                "Announced before it was played, {name} would have made the claim right."
            ));
        }
        details.extend(the_other_may_claim(court, rules, true));
        let article = rules
            .claims
            .lost_by_moving
            .or(rules.threefold_forms.announced);
        return (
            Ground::TooLate,
            article.unwrap_or_default(),
            format!(
                "{} has played {name}, and lost the right to claim by it.",
                side(court.by)
            ),
        );
    }
    details.push(format!("{is}."));
    (
        Ground::WrongSide,
        rules.threefold.article,
        court.wrong_side(),
    )
}

/// The last moment at which the claimant could have claimed the position on the board, and moved instead.
fn missed(court: &Court<'_>, rules: &RuleSet, key: RepetitionKey) -> Option<(String, String)> {
    rules.threefold_forms.on_board?;
    let case = court.case;
    let mut found = None;
    case.histories(key, |history| {
        let ply = history.ply();
        if ply < case.plies() && history.count() >= 3 && case.after(ply).turn() == court.by {
            found = Some(ply);
        }
    });
    let ply = found?;
    let then = case.cut(ply);
    let at = stood(&then, &occurrences(&then, key));
    let by = side(court.by);
    let reason = format!(
        "The claim comes too late: {by} could have made it {}, and played {} instead.",
        case.when(ply),
        case.name(ply + 1)
    );
    Some((at, reason))
}

/// The moves that could be announced with a claim that would be right.
fn could_announce(court: &Court<'_>, rules: &RuleSet, key: RepetitionKey) -> Option<String> {
    let article = rules.threefold_forms.announced?;
    let position = court.case.position();
    let moves = court.case.history(key).third_time_moves(position);
    let &mv = moves.first()?;
    let name = crate::commands::adjudicate::claim::case::named(position, mv, &position.after(mv));
    let cite = match article {
        "" => String::new(),
        article => format!(" ({})", rules.article(article)),
    };
    Some(format!(
        "With {name} announced, and not played, a claim would be right{cite}."
    ))
}
