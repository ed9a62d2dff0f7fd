//! Rule sets, and readings of the same one, that would decide a claim otherwise.

use crate::adjudication::phrases::{lower_start, word};
use crate::adjudication::ruling::list;
use crate::claim::game::when;
use crate::claim::mismatch::{counts_as_another, whens};
use crate::claim::sentences::Phrasing;
use crate::claim::{ClaimKind, Ground};
use crate::law::claim::{ClaimReason, Decision};
use crate::law::{End, RepetitionKey, RuleSet};
use crate::winnability::SearchLimits;

/// The rule sets that a claim is compared with by default: those that players meet most.
pub const COMPARED: [&str; 6] = ["fide", "uscf", "lichess", "chesscom", "icc", "fics"];

/// Fraction of the budget of a search for a forced mate that each compared rule set gets.
const SHARE: u64 = 20;

/// Sentences on the readings and rule sets that would decide otherwise.
pub(crate) fn compare(
    phrasing: &Phrasing<'_>,
    compared: &[(&'static str, &'static RuleSet)],
    limits: SearchLimits,
) -> Vec<String> {
    let (law, decision) = (phrasing.law, phrasing.decision);
    let (rules, upheld) = (decision.rules, decision.ground.upheld());
    let mut sentences = Vec::new();
    if law.kind == ClaimKind::Draw(End::Threefold) {
        for &(reading, key) in rules.other_keys {
            let other = law.decide_under(rules, key, limits);
            if other.ground.upheld() != upheld {
                let reason = reason(phrasing, &other, key);
                let word = word(other.ground);
                sentences.push(format!("If {reading}, the claim would be {word}: {reason}"));
            }
        }
    }
    let share = SearchLimits {
        nodes: limits.nodes / SHARE,
        ..limits
    };
    let mut groups: Vec<(String, Vec<String>)> = Vec::new();
    for (name, other) in compared.iter().filter(|(_, it)| it.name != rules.name) {
        let other = law.decide(other, share);
        if other.ground.upheld() == upheld || other.ground == Ground::Unknown {
            continue;
        }
        let outcome = outcome(phrasing, &other);
        let name = format!("`{name}`");
        match groups.iter_mut().find(|(known, _)| *known == outcome) {
            Some((_, names)) => names.push(name),
            None => groups.push((outcome, vec![name])),
        }
    }
    let by = |(outcome, names): (String, Vec<String>)| format!("By {} {outcome}.", list(&names));
    sentences.extend(groups.into_iter().map(by));
    sentences
}

/// The reason of another decision, as it stands after a colon.
fn reason(phrasing: &Phrasing<'_>, decision: &Decision, key: RepetitionKey) -> String {
    let phrasing = Phrasing {
        decision,
        key,
        ..*phrasing
    };
    lower_start(&phrasing.reason())
}

/// The decision of another rule set, and the point on which it differs, in a few words.
fn outcome(phrasing: &Phrasing<'_>, other: &Decision) -> String {
    let (decision, ground) = (phrasing.decision, other.ground);
    let short = in_short(ground);
    if let &ClaimReason::Over { ply, end } = &other.reason {
        let when = when(phrasing.game.record(), ply);
        return format!("the game had ended by {} {when}", end.row().phrase);
    }
    let how = phrasing.law.kind.words().ground;
    if matches!(phrasing.law.kind, ClaimKind::Loss(_)) {
        return match ground {
            Ground::DoesNotHold => "the game would be drawn".to_owned(),
            Ground::Holds => format!("the game would be lost {how}"),
            Ground::Undefined => {
                format!("it is left open whether the game is lost {how}: {short}")
            }
            Ground::NoRule if other.article.is_numbered() => {
                format!("the game would not be lost {how} ({})", other.article)
            }
            _ => format!("the game would not be lost {how}: {short}"),
        };
    }
    let lacking = without(&decision.occurrences, &other.occurrences);
    let more = without(&other.occurrences, &decision.occurrences);
    let record = phrasing.claimed_record();
    let own_reason = || {
        let reason = reason(phrasing, other, other.rules.key);
        reason.trim_end_matches('.').to_owned()
    };
    let why = match (decision.ground, ground) {
        (_, Ground::DoesNotHold) if !lacking.is_empty() => {
            counts_as_another(&record, other.rules, &lacking)
        }
        (Ground::DoesNotHold, Ground::Holds) if !more.is_empty() => {
            let when = whens(&record, &more);
            format!("the position {when} counts as the same there")
        }
        (Ground::WrongSide | Ground::TooLate, Ground::Holds) => match other.reason {
            ClaimReason::Before { .. } => "it can still be made one move later there".to_owned(),
            _ => "either side may make it there".to_owned(),
        },
        (_, Ground::Undefined) if other.reason == ClaimReason::ByDirector => {
            "the director may declare the game drawn there".to_owned()
        }
        (_, Ground::Undefined) if matches!(other.reason, ClaimReason::Quickplay(..)) => {
            "it is for the arbiter to judge there".to_owned()
        }
        (_, Ground::Holds | Ground::DoesNotHold) => own_reason(),
        (_, Ground::NoRule) if other.article.is_numbered() => {
            format!("{} ({})", own_reason(), other.article)
        }
        _ => short.to_owned(),
    };
    format!("the claim would be {}: {why}", word(ground))
}

/// The plies of a list that are not in another.
fn without(plies: &[u32], others: &[u32]) -> Vec<u32> {
    let mut plies = plies.to_vec();
    plies.retain(|ply| !others.contains(ply));
    plies
}

/// A ground in a few words.
fn in_short(ground: Ground) -> &'static str {
    match ground {
        Ground::Automatic => "the game ends automatically there",
        Ground::WrongSide => "the other side must claim",
        Ground::TooLate => "too late there",
        Ground::IllegalMove => "the announced move is not legal",
        Ground::UnclearMove => "the announced move is not clear",
        Ground::NoRule => "no such rule",
        Ground::NoForm => "no claim in this form",
        Ground::NotYet => "the game ends automatically once the move is played",
        Ground::Undefined => "not defined",
        // These are put otherwise.
        Ground::Holds | Ground::DoesNotHold | Ground::Over | Ground::Unknown => "",
    }
}
