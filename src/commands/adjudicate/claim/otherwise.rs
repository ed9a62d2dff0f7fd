//! Which other rule sets, and which other readings of the same one, would decide otherwise.

use crate::commands::adjudicate::claim::court::{Court, sentence_start};
use crate::commands::adjudicate::claim::ruling::{Ground, Ruling, Verdict};
use crate::commands::adjudicate::claim::words::list;
use crate::commands::adjudicate::claim::{Kind, position, threefold};
use crate::law::RuleSet;
use crate::law::rulesets::{EDITIONS, RULE_SETS};

/// Of the positions that a search for a forced mate may keep, others may keep one in so many.
const SHARE_OF_OTHERS: u64 = 20;

/// Adds what others would decide, and what follows although the claim is refused.
pub(crate) fn add(court: &Court<'_>, ruling: &mut Ruling) {
    if matches!(court.claim.kind, Kind::Threefold | Kind::Fifty) {
        position::add_dead(court, ruling);
    }
    let verdict = ruling.verdict();
    if verdict == Verdict::Undecided {
        return;
    }
    if court.claim.kind == Kind::Threefold {
        for &(reading, key) in ruling.rules.other_keys {
            let other = threefold::under(court, ruling.rules, key);
            if other.verdict() != verdict {
                ruling.otherwise.push(format!(
                    "If {reading}, the claim would be {}: {}",
                    word(other.verdict()),
                    lower_case(&other.reason)
                ));
            }
        }
    }
    // What others would say is not worth the time and memory of what was asked.
    court.states.set(court.nodes / SHARE_OF_OTHERS);
    let mut groups: Vec<(Verdict, Ground, Vec<String>)> = Vec::new();
    for (name, rules) in others(court) {
        if rules.name == ruling.rules.name {
            continue;
        }
        let other = court.decide(rules);
        if other.verdict() == verdict || other.ground == Ground::Unknown {
            continue;
        }
        let name = format!("`{name}`");
        match groups
            .iter_mut()
            .find(|(_, ground, _)| *ground == other.ground)
        {
            Some((.., names)) => names.push(name),
            None => groups.push((other.verdict(), other.ground, vec![name])),
        }
    }
    for (verdict, ground, names) in groups {
        let names = list(&names);
        let reason = ground.in_short();
        ruling.otherwise.push(match (court.claim.kind, ground) {
            (Kind::Flag, Ground::DoesNotHold) => format!("By {names} the game would be drawn."),
            (Kind::Flag, Ground::Holds) => format!("By {names} the game would be lost on time."),
            (Kind::Flag, Ground::Undefined) => {
                format!("By {names} it is left open whether the game is lost on time: {reason}.")
            }
            (Kind::Flag, _) => {
                format!("By {names} the game would not be lost on time: {reason}.")
            }
            _ => format!("By {names} the claim would be {}: {reason}.", word(verdict)),
        });
    }
}

/// Every rule set by the name it is asked for; of a body of rules the edition for the case.
fn others(court: &Court<'_>) -> Vec<(&'static str, &'static RuleSet)> {
    let day = court.case.days().map(|days| days.first);
    let mut others: Vec<(&str, &RuleSet)> = Vec::new();
    for rules in RULE_SETS {
        let editions = EDITIONS
            .into_iter()
            .find(|editions| editions.sets.iter().any(|set| set.name == rules.name));
        let other = match editions {
            Some(editions) => (
                editions.name,
                day.map_or(editions.latest(), |day| editions.in_force(day)),
            ),
            None => (rules.name, rules),
        };
        if !others.iter().any(|&(name, _)| name == other.0) {
            others.push(other);
        }
    }
    others
}

fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Upheld => "upheld",
        Verdict::Rejected => "rejected",
        Verdict::Undecided => "left open",
    }
}

/// A sentence as it stands behind a colon.
fn lower_case(sentence: &str) -> String {
    // Names of sides keep their capital.
    if sentence.starts_with("White") || sentence.starts_with("Black") {
        return sentence_start(sentence);
    }
    let mut letters = sentence.chars();
    match letters.next() {
        Some(first) => first.to_lowercase().chain(letters).collect(),
        None => String::new(),
    }
}
