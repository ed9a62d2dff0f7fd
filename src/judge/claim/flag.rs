//! A side's time is up (FIDE Laws 2023 art. 6.9).

use super::chances::Chances;
use super::court::{Court, sentence_start};
use super::position::{can_mate, mate, uci};
use super::ruling::{Ground, Ruling};
use super::words::{numbered, side, side_possessive, won_by};
use crate::pgn::ResultMark;
use crate::rules::forced_mate::{Forced, forced_mate};
use crate::rules::ruleset::{FlagFall, TooLittle};
use crate::rules::{Move, RuleSet};

/// Decides whether the game of the side whose time is up is lost.
pub(super) fn decide(court: &Court<'_>, rules: &'static RuleSet) -> Ruling {
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
        "Neither {what} nor a proof that there is none was found in {nodes} positions: `--nodes` allows more."
    );
    open(court, rules, Ground::Unknown, reason)
}

/// The opponent must still be able to mate, with whatever help.
fn helpmate(court: &Court<'_>, rules: &'static RuleSet) -> Ruling {
    let opponent = !court.by;
    match court.prospects.of(opponent) {
        Chances::Can => {
            let mut ruling = lost(court, rules, can_mate(court, opponent), &[]);
            ruling.line = mate(court, opponent);
            ruling
        }
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
    let opponent = side(!court.by);
    if set.holds(court.case.position().board(), !court.by) {
        let reason = format!(
            "{} pieces are too few to win: {set}.",
            side_possessive(!court.by)
        );
        return drawn(court, rules, reason);
    }
    let reason = format!("{opponent} has more than what is too little to win: {set}.");
    lost(court, rules, reason, &[])
}

/// The opponent must have enough pieces, or a mate that cannot be avoided.
fn forced(court: &Court<'_>, rules: &'static RuleSet, set: TooLittle) -> Ruling {
    let opponent = side(!court.by);
    let position = court.case.position();
    if !set.holds(position.board(), !court.by) {
        return match court.prospects.of(!court.by) {
            Chances::Cannot(_) => helpmate(court, rules),
            _ => {
                let reason = format!("{opponent} has more than what is too little to win: {set}.");
                lost(court, rules, reason, &[])
            }
        };
    }
    match forced_mate(position, !court.by, court.states.get()) {
        Forced::Mate(line) => {
            let reason = format!(
                "{} pieces are few, but mate is forced: {}.",
                side_possessive(!court.by),
                numbered(position, &line)
            );
            lost(court, rules, reason, &line)
        }
        Forced::Avoidable { states } => drawn(
            court,
            rules,
            format!(
                "{opponent} has {set}, and no forced mate: {} can avoid it for ever, by a plan for {states} positions.",
                side(court.by)
            ),
        ),
        Forced::Unknown { states } => {
            if let Chances::Cannot(_) = court.prospects.of(!court.by) {
                return helpmate(court, rules);
            }
            unknown(court, rules, "a forced mate", states)
        }
    }
}
