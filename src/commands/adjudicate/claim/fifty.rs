//! Fifty moves by each side without a capture or a pawn move (FIDE Laws 2023 art. 9.3).

use crate::chess::Color;
use crate::commands::adjudicate::claim::court::{Court, Told, sentence_start};
use crate::commands::adjudicate::claim::ruling::{Ground, Ruling};
use crate::commands::adjudicate::claim::words::side;
use crate::law::{End, RuleSet, Standing};

/// Plies without a capture or a pawn move that make fifty moves by each side.
const FIFTY_MOVES: u32 = 100;

/// Decides a claim under the fifty-move rule.
pub(crate) fn decide(court: &Court<'_>, rules: &'static RuleSet) -> Ruling {
    if let Some(ruling) = court.without_rule(rules, End::FiftyMoves) {
        return ruling;
    }
    match court.earliest_end(rules) {
        Some((ply, end @ (End::FiftyMoves | End::SeventyFiveMoves))) => {
            return automatic(court, rules, ply, end);
        }
        Some((ply, end)) => return court.over(rules, ply, end),
        None => {}
    }
    match &court.told {
        Told::Faulty(why) | Told::Unclear(why) if stands_on_board(court, rules) => {
            let mut ruling = on_board(court, rules);
            ruling.details.push(format!(
                "{why} What stands on the board needs no announced move."
            ));
            ruling
        }
        Told::Faulty(why) | Told::Unclear(why) if court.is_wrong_side(rules) => {
            court.wrong_side_with(rules, End::FiftyMoves, why)
        }
        Told::Faulty(why) => court.faulty_move(rules, Ground::IllegalMove, why),
        Told::Unclear(why) => court.faulty_move(rules, Ground::UnclearMove, why),
        Told::Played { ply } => already_played(court, rules, *ply),
        Told::Move { mv, name, .. } => announced(court, rules, mv.is_zeroing(), name),
        Told::Nothing => on_board(court, rules),
    }
}

/// How many moves each side has made without a capture or a pawn move up to a ply, and since when.
fn count(court: &Court<'_>, ply: u32) -> String {
    let case = court.case;
    let position = case.after(ply);
    let plies = position.halfmoves();
    // Who has moved last has made one more where the number is odd.
    let of = |color: Color| {
        if color == position.turn() {
            plies / 2
        } else {
            plies.div_ceil(2)
        }
    };
    let (white, black) = (of(Color::White), of(Color::Black));
    let since = match ply.checked_sub(plies) {
        None => "the clock of the given position included".to_owned(),
        Some(0) if case.after(0).halfmoves() == 0 => "since the beginning".to_owned(),
        Some(0) => "the clock of the given position included".to_owned(),
        Some(since) => format!("since {}", case.name(since)),
    };
    let made = |number: u32| match number {
        0 => "no move".to_owned(),
        1 => "1 move".to_owned(),
        _ => format!("{number} moves"),
    };
    let made = match (white == black, black) {
        (true, _) => format!("each side has made {}", made(white)),
        (false, 0) => format!("White has made {} and Black none", made(white)),
        (false, _) => format!("White has made {} and Black {black}", made(white)),
    };
    format!("{made} without a capture or a pawn move, {since}")
}

fn automatic(court: &Court<'_>, rules: &'static RuleSet, ply: u32, end: End) -> Ruling {
    let when = if ply == court.case.plies() {
        String::new()
    } else {
        format!(" {}", court.case.when(ply))
    };
    let reason = format!("The game was drawn{when}: {}.", count(court, ply));
    let mut ruling = court.ruling(rules, Ground::Automatic, rules.article_on(end), reason);
    if ply < court.case.plies() {
        ruling
            .details
            .push("The moves after it do not count.".to_owned());
    }
    ruling.details.extend(court.too_young(rules.rule(end)));
    ruling
}

/// Whether fifty moves are full on the board, and may be claimed there.
fn stands_on_board(court: &Court<'_>, rules: &RuleSet) -> bool {
    !court.is_wrong_side(rules)
        && rules.fifty_forms.on_board.is_some()
        && court.case.position().halfmoves() >= FIFTY_MOVES
}

fn announced(court: &Court<'_>, rules: &'static RuleSet, is_zeroing: bool, name: &str) -> Ruling {
    let plies = court.case.position().halfmoves();
    let forms = rules.fifty_forms;
    if plies >= FIFTY_MOVES && forms.on_board.is_some() {
        // What stands on the board needs no announcement, and is not undone by one.
        return on_board(court, rules);
    }
    let counted = count(court, court.case.plies());
    let (ground, reason) = if court.is_wrong_side(rules) {
        (Ground::WrongSide, court.wrong_side())
    } else if is_zeroing {
        let reason =
            format!("{name} is a capture or a pawn move, which begins the count anew; {counted}.");
        (Ground::DoesNotHold, reason)
    } else if plies + 1 < FIFTY_MOVES {
        let reason = format!("{name} would not complete 50 moves by each side: {counted}.");
        (Ground::DoesNotHold, reason)
    } else if plies >= FIFTY_MOVES && forms.announced.is_some() {
        let reason = format!("{}, and {name} adds to them.", sentence_start(&counted));
        (Ground::Holds, reason)
    } else if rules.fifty.standing == Standing::Automatic {
        let reason = format!(
            "{name} would complete 50 moves by each side, which ends the game by itself: the move is to be played, not announced."
        );
        (Ground::NotYet, reason)
    } else if forms.announced.is_none() {
        let reason = format!(
            "{name} would complete 50 moves by each side; but {} has claims on the position on the board only, not with an announced move.",
            rules.short()
        );
        (Ground::NoForm, reason)
    } else {
        let reason = format!("{name} would complete 50 moves by each side: {counted}.");
        (Ground::Holds, reason)
    };
    let article = forms.announced.unwrap_or(rules.fifty.article);
    court.ruling(rules, ground, rules.article(article), reason)
}

fn already_played(court: &Court<'_>, rules: &'static RuleSet, ply: u32) -> Ruling {
    let name = court.case.name(ply);
    let reason = format!(
        "{name} has been played: a claim with an announced move must be made before the move is."
    );
    let article = rules
        .claims
        .lost_by_moving
        .or(rules.fifty_forms.announced)
        .unwrap_or(rules.fifty.article);
    let mut ruling = court.ruling(rules, Ground::TooLate, rules.article(article), reason);
    let counted = count(court, court.case.plies());
    ruling
        .details
        .push(format!("{}.", sentence_start(&counted)));
    ruling.details.extend(the_other_may_claim(court, rules));
    ruling
}

fn the_other_may_claim(court: &Court<'_>, rules: &RuleSet) -> Option<String> {
    let position = court.case.position();
    let article = rules
        .fifty_forms
        .on_board
        .filter(|_| position.halfmoves() >= FIFTY_MOVES && position.turn() != court.by)?;
    let cite = match article {
        "" => String::new(),
        article => format!(" ({})", rules.article(article)),
    };
    Some(format!(
        "It is {} who may claim now, before making a move{cite}.",
        side(position.turn())
    ))
}

fn on_board(court: &Court<'_>, rules: &'static RuleSet) -> Ruling {
    let case = court.case;
    let plies = case.position().halfmoves();
    let holds = plies >= FIFTY_MOVES;
    let counted = sentence_start(&count(court, case.plies()));
    let on_claim = rules.fifty.standing == Standing::OnClaim;
    let form = rules.fifty_forms.on_board;
    let mut details = Vec::new();
    let (ground, reason) = if on_claim && court.is_wrong_side(rules) {
        details.push(format!("{counted}."));
        details.extend(the_other_may_claim(court, rules));
        (Ground::WrongSide, court.wrong_side())
    } else if holds && rules.fifty_forms.is_open && form.is_none() {
        let reason = format!("{counted}; {}.", court.form_is_open(rules));
        (Ground::Undefined, reason)
    } else if holds && form.is_none() {
        let reason = format!(
            "{counted}; but {} covers claims with an announced move only.",
            rules.short()
        );
        (Ground::NoForm, reason)
    } else if holds {
        (Ground::Holds, format!("{counted}."))
    } else if let Some(missed) = missed(court, rules) {
        details.push(format!("{counted}."));
        (Ground::TooLate, missed)
    } else {
        if on_claim
            && plies + 1 == FIFTY_MOVES
            && case
                .position()
                .legal_moves()
                .iter()
                .any(|mv| !mv.is_zeroing())
            && let Some(article) = rules.fifty_forms.announced
        {
            let cite = match article {
                "" => String::new(),
                article => format!(" ({})", rules.article(article)),
            };
            details.push(format!(
                "With a move announced, and not played, that is neither a capture nor a pawn's, a claim would be right{cite}."
            ));
        }
        (Ground::DoesNotHold, format!("{counted}."))
    };
    let article = form.unwrap_or(rules.fifty.article);
    let mut ruling = court.ruling(rules, ground, rules.article(article), reason);
    ruling.details = details;
    ruling
}

/// The last moment at which the claimant could have claimed, and moved instead.
fn missed(court: &Court<'_>, rules: &RuleSet) -> Option<String> {
    if rules.fifty.standing != Standing::OnClaim {
        return None;
    }
    rules.fifty_forms.on_board?;
    let case = court.case;
    let ply = (0..case.plies()).rev().find(|&ply| {
        let position = case.after(ply);
        position.halfmoves() >= FIFTY_MOVES && position.turn() == court.by
    })?;
    let again = (ply + 1..=case.plies()).find(|&later| case.after(later).halfmoves() == 0);
    let again = again.map_or_else(String::new, |later| {
        format!("; {} has begun the count anew", case.name(later))
    });
    Some(format!(
        "The claim comes too late: {} could have made it {}, and played {} instead{again}.",
        side(court.by),
        case.when(ply),
        case.name(ply + 1)
    ))
}
