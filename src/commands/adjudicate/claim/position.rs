//! Claims on what the position itself shows: stalemate, too little material, nobody can mate.

use crate::chess::{Color, Move, Role, Uci};
use crate::commands::adjudicate::claim::chances::Chances;
use crate::commands::adjudicate::claim::court::{Court, sentence_start};
use crate::commands::adjudicate::claim::ruling::{Ground, Ruling};
use crate::commands::adjudicate::claim::words::{counted, shortened, side};
use crate::law::rulesets::MaterialSet;
use crate::law::{End, RuleSet, Standing};
use crate::pgn::ResultMark;

/// Decides a claim of stalemate.
pub(crate) fn stalemate(court: &Court<'_>, rules: &'static RuleSet) -> Ruling {
    let position = court.case.position();
    let article = rules.article_on(End::Stalemate);
    let turn = side(position.turn());
    if position.is_stalemate() {
        if let Some(ruling) = court.without_rule(rules, End::Stalemate) {
            return ruling;
        }
        let reason = format!("{turn} is not in check and has no legal move.");
        return match court.earliest_end(rules) {
            Some((ply, end)) if ply < court.case.plies() => court.over(rules, ply, end),
            _ => court.ruling(rules, Ground::Automatic, article, reason),
        };
    }
    if let Some((ply, end)) = court.earliest_end(rules) {
        return court.over(rules, ply, end);
    }
    let moves = position.legal_moves();
    let mut reason = match moves.len() {
        1 => format!("{turn} has a legal move"),
        number => format!("{turn} has {number} legal moves"),
    };
    if let Some(mv) = moves.first() {
        let name =
            crate::commands::adjudicate::claim::case::named(position, *mv, &position.after(*mv));
        reason.push_str(&match moves.len() {
            1 => format!(": {name}"),
            _ => format!(", such as {name}"),
        });
    }
    reason.push('.');
    court.ruling(rules, Ground::DoesNotHold, article, reason)
}

/// Decides a claim that nobody can mate any more (FIDE Laws 2023 art. 5.2.2).
pub(crate) fn dead(court: &Court<'_>, rules: &'static RuleSet) -> Ruling {
    if let Some((ply, end)) = court.earliest_end(rules)
        && end != End::InsufficientMaterial
    {
        return court.over(rules, ply, end);
    }
    if rules.dead.standing != Standing::Automatic {
        // A list of too little material is all such a rule set has.
        if rules.material_set.holds(court.case.position().board()) {
            return listed(court, rules);
        }
        return match court.without_rule(rules, End::DeadPosition) {
            Some(ruling) => ruling,
            None => court.ruling(
                rules,
                Ground::Undefined,
                rules.article(""),
                format!(
                    "{} does not say what follows from this.",
                    sentence_start(&rules.short())
                ),
            ),
        };
    }
    proven(court, rules)
}

/// Decides a claim that the material is too little.
pub(crate) fn insufficient(court: &Court<'_>, rules: &'static RuleSet) -> Ruling {
    match court.earliest_end(rules) {
        Some((_, End::InsufficientMaterial)) | None => {}
        Some((ply, end)) => return court.over(rules, ply, end),
    }
    let board = court.case.position().board();
    match rules.material.standing {
        _ if rules.material_set.holds(board) => listed(court, rules),
        _ if rules.dead.standing == Standing::Automatic => proven(court, rules),
        Standing::Absent | Standing::Undefined => court
            .without_rule(rules, End::InsufficientMaterial)
            .unwrap_or_else(|| proven(court, rules)),
        _ if rules.material_is_open && MaterialSet::has_only_minors(board) => {
            let reason = format!(
                "{} says that {} are too few, and does not say whether {} are.",
                sentence_start(&rules.short()),
                rules.material_set,
                all_pieces(court)
            );
            let article = rules.article_on(End::InsufficientMaterial);
            court.ruling(rules, Ground::Undefined, article, reason)
        }
        _ => {
            let reason = format!(
                "The pieces on the board, {}, are not among those that are too few by {}: {}.",
                all_pieces(court),
                rules.short(),
                rules.material_set
            );
            court.ruling(
                rules,
                Ground::DoesNotHold,
                rules.article_on(End::InsufficientMaterial),
                reason,
            )
        }
    }
}

/// The pieces are of the rule set's list.
fn listed(court: &Court<'_>, rules: &'static RuleSet) -> Ruling {
    let ground = match rules.material.standing {
        Standing::OnClaim => Ground::Holds,
        _ => Ground::Automatic,
    };
    let reason = format!(
        "The pieces on the board, {}, are too few by {}.",
        all_pieces(court),
        rules.short()
    );
    let mut ruling = court.ruling(
        rules,
        ground,
        rules.article_on(End::InsufficientMaterial),
        reason,
    );
    if let Some((ply, End::InsufficientMaterial)) = court.earliest_end(rules)
        && ply < court.case.plies()
    {
        ruling.details.push(format!(
            "The game ended {}: the moves after it do not count.",
            court.case.when(ply)
        ));
    }
    ruling
}

/// Whether nobody can mate, with a line or the proofs.
fn proven(court: &Court<'_>, rules: &'static RuleSet) -> Ruling {
    let article = rules.article_on(End::DeadPosition);
    for color in Color::ALL {
        if let Chances::Can(line) = court.prospects.of(color) {
            let reason = can_mate(court, color, line);
            let mut ruling = court.ruling(rules, Ground::DoesNotHold, article, reason);
            ruling.line = uci(court, line);
            return ruling;
        }
    }
    match Color::ALL.map(|color| court.prospects.of(color)) {
        [Chances::Cannot(white), Chances::Cannot(black)] => {
            let proof = if white == black {
                white
            } else {
                format!("for White {white}, for Black {black}")
            };
            let reason = format!("Neither side can mate by any series of legal moves: {proof}.");
            court.ruling(rules, Ground::Automatic, article, reason)
        }
        [white, black] => {
            let nodes = [white, black]
                .into_iter()
                .filter_map(|chances| match chances {
                    Chances::Unknown(nodes) => Some(nodes),
                    _ => None,
                })
                .max()
                .unwrap_or(court.nodes);
            let reason = format!(
                "Neither a mate nor a proof that there is none was found in {}: `--nodes` allows more.",
                counted(nodes, "position")
            );
            court.ruling(rules, Ground::Unknown, article, reason)
        }
    }
}

/// Whether it is proven that nobody can mate.
pub(crate) fn is_dead(court: &Court<'_>) -> bool {
    Color::ALL
        .into_iter()
        .all(|color| court.prospects.cannot_mate(color))
}

/// What is added to a rejected claim if the position is dead all the same.
pub(crate) fn add_dead(court: &Court<'_>, ruling: &mut Ruling) {
    let rules = ruling.rules;
    let refused = matches!(
        ruling.ground,
        Ground::DoesNotHold
            | Ground::WrongSide
            | Ground::TooLate
            | Ground::IllegalMove
            | Ground::NoForm
    );
    if !refused || rules.dead.standing != Standing::Automatic {
        return;
    }
    if is_dead(court) {
        ruling.follows.clear();
        ruling.follows.push(format!(
            "All the same the game is drawn: neither side can mate by any series of legal moves ({}).",
            rules.article_on(End::DeadPosition)
        ));
        ruling.result = ResultMark::Draw;
    }
}

/// That a side can still mate, and by which moves.
pub(crate) fn can_mate(court: &Court<'_>, color: Color, line: &[Move]) -> String {
    format!(
        "{} can still mate by a series of legal moves: {}.",
        side(color),
        shortened(court.case.position(), line)
    )
}

/// A line in UCI notation.
pub(crate) fn uci(court: &Court<'_>, line: &[Move]) -> Vec<Uci> {
    line.iter().map(|mv| mv.uci(court.case.mode())).collect()
}

/// A side's pieces: `K+B`.
pub(crate) fn pieces(court: &Court<'_>, color: Color) -> String {
    let board = court.case.position().board();
    let mut text = String::from("K");
    for role in [
        Role::Queen,
        Role::Rook,
        Role::Bishop,
        Role::Knight,
        Role::Pawn,
    ] {
        for _ in board.of(color, role) {
            text.push('+');
            text.push(role.letter());
        }
    }
    text
}

/// Both sides' pieces: `K+B v K+N`.
fn all_pieces(court: &Court<'_>) -> String {
    let [white, black] = Color::ALL.map(|color| pieces(court, color));
    format!("{white} v {black}")
}
