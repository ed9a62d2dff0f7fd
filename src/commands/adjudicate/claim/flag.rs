//! A side's time is up (FIDE Laws 2023 art. 6.9).

use crate::chess::Move;
use crate::commands::adjudicate::claim::chances::Chances;
use crate::commands::adjudicate::claim::court::{Court, sentence_start};
use crate::commands::adjudicate::claim::position::{can_mate, pieces, uci};
use crate::commands::adjudicate::claim::ruling::{Ground, Ruling};
use crate::commands::adjudicate::claim::words::{counted, shortened, side, won_by};
use crate::law::RuleSet;
use crate::law::rulesets::{FlagFall, TooLittle};
use crate::pgn::ResultMark;
use crate::winnability::forced_mate::{Forced, forced_mate};

/// Decides whether the game of the side whose time is up is lost.
pub(crate) fn decide(court: &Court<'_>, rules: &'static RuleSet) -> Ruling {
    if let Some((ply, end)) = court.earliest_end(rules) {
        return court.over(rules, ply, end);
    }
    match rules.flag {
        FlagFall::Absent => open(
            court,
            rules,
            Ground::NoRule,
            format!("By {} no game is lost on time.", rules.short()),
        ),
        FlagFall::Undefined => open(
            court,
            rules,
            Ground::Undefined,
            format!(
                "{} does not say what follows from that.",
                sentence_start(&rules.short())
            ),
        ),
        FlagFall::Loses => lost(
            court,
            rules,
            format!("{} knows no exception.", sentence_start(&rules.short())),
            &[],
        ),
        FlagFall::Helpmate => helpmate(court, rules),
        FlagFall::Material(set) => material(court, rules, set),
        FlagFall::ForcedMate(set) => forced(court, rules, set),
    }
}

fn open(court: &Court<'_>, rules: &'static RuleSet, ground: Ground, reason: String) -> Ruling {
    court.ruling(rules, ground, rules.article(rules.flag_article), reason)
}

fn lost(court: &Court<'_>, rules: &'static RuleSet, reason: String, line: &[Move]) -> Ruling {
    let mut ruling = open(court, rules, Ground::Holds, reason);
    ruling.line = uci(court, line);
    ruling.result = won_by(!court.by);
    ruling.follows.push(format!("{} wins.", side(!court.by)));
    ruling
}

fn drawn(court: &Court<'_>, rules: &'static RuleSet, reason: String) -> Ruling {
    let mut ruling = open(court, rules, Ground::DoesNotHold, reason);
    ruling.result = ResultMark::Draw;
    ruling.follows.push("The game is drawn.".to_owned());
    ruling
}

fn unknown(court: &Court<'_>, rules: &'static RuleSet, what: &str, nodes: u64) -> Ruling {
    let reason = format!(
        "Neither {what} nor a proof that there is none was found in {}: `--nodes` allows more.",
        counted(nodes, "position")
    );
    open(court, rules, Ground::Unknown, reason)
}

/// The opponent must still be able to mate, with whatever help.
fn helpmate(court: &Court<'_>, rules: &'static RuleSet) -> Ruling {
    let opponent = !court.by;
    match court.prospects.of(opponent) {
        Chances::Can(line) => lost(court, rules, can_mate(court, opponent, line), line),
        Chances::Cannot(proof) => {
            let reason = format!(
                "{} cannot mate by any series of legal moves: {proof}.",
                side(opponent)
            );
            drawn(court, rules, reason)
        }
        Chances::Unknown(nodes) => unknown(court, rules, "a mate", nodes),
    }
}

/// The opponent must have enough pieces.
fn material(court: &Court<'_>, rules: &'static RuleSet, set: TooLittle) -> Ruling {
    if set.holds(court.case.position().board(), !court.by) {
        return drawn(court, rules, too_little(court, set));
    }
    lost(court, rules, enough(court, set), &[])
}

/// That the opponent's pieces are of a set with which time cannot be won.
fn too_little(court: &Court<'_>, set: TooLittle) -> String {
    let opponent = !court.by;
    format!(
        "{} has {}, and cannot win on time with {set}.",
        side(opponent),
        pieces(court, opponent)
    )
}

/// That they are not.
fn enough(court: &Court<'_>, set: TooLittle) -> String {
    let opponent = !court.by;
    format!(
        "{} has {}, which is more than {set}.",
        side(opponent),
        pieces(court, opponent)
    )
}

/// The opponent must have enough pieces, or a mate that cannot be avoided.
fn forced(court: &Court<'_>, rules: &'static RuleSet, set: TooLittle) -> Ruling {
    let opponent = !court.by;
    let position = court.case.position();
    if !set.holds(position.board(), !court.by) {
        return match court.prospects.of(opponent) {
            Chances::Can(line) => lost(court, rules, enough(court, set), line),
            _ => helpmate(court, rules),
        };
    }
    match forced_mate(position, !court.by, court.states.get()) {
        Forced::Mate(line) => {
            let reason = format!(
                "{} has {} only, but mate is forced: {}.",
                side(opponent),
                pieces(court, opponent),
                shortened(position, &line)
            );
            lost(court, rules, reason, &line)
        }
        Forced::Avoidable { states } => drawn(
            court,
            rules,
            format!(
                "{} has {}, and no forced mate: {} can avoid it for ever, by a plan for {}.",
                side(opponent),
                pieces(court, opponent),
                side(court.by),
                counted(states, "position")
            ),
        ),
        Forced::Unknown { states } => {
            if court.prospects.cannot_mate(opponent) {
                return helpmate(court, rules);
            }
            unknown(court, rules, "a forced mate", states)
        }
    }
}
