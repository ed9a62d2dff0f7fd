//! What tells two positions apart that look the same.

use crate::chess::{Bitboard, CastlingSide, Color, MoveKind, Piece, Position, Square};
use crate::commands::adjudicate::claim::case::Case;
use crate::commands::adjudicate::claim::words::{list, side, side_possessive};
use crate::law::rulesets::{CastlingPart, EnPassantPart};
use crate::law::{RepetitionKey, RuleSet};

/// Positions told apart from the last one are not listed beyond this number.
const MOST_GROUPS: usize = 6;

/// How many positions in which one man stands elsewhere are told at most.
const MOST_NEAR: usize = 3;

/// Sentences on the positions that look like the last one of the case and do not count: the same pieces on the same
/// squares first; where those are too few to explain the claim, the latest in which one man stood elsewhere.
pub(crate) fn lookalikes(
    case: &Case,
    rules: &RuleSet,
    key: RepetitionKey,
    occurrences: &[u32],
) -> Vec<String> {
    let last = case.plies();
    let now = case.position();
    let mut groups: Vec<(Vec<u32>, String)> = Vec::new();
    let others = (0..last).filter(|ply| !occurrences.contains(ply));
    let mut found = occurrences.len();
    for ply in others
        .clone()
        .filter(|&ply| case.after(ply).board() == now.board())
    {
        let text = difference(case, rules, key, ply);
        found += 1;
        match groups.iter().position(|(_, other)| *other == text) {
            Some(at) => groups[at].0.push(ply),
            None if groups.len() < MOST_GROUPS => groups.push((vec![ply], text)),
            None => {}
        }
    }
    if found < 3 {
        let near: Vec<_> = others
            .rev()
            .filter(|&ply| case.after(ply).turn() == now.turn())
            .filter_map(|ply| Some((vec![ply], one_man_elsewhere(case.after(ply), now)?)))
            .take(MOST_NEAR)
            .collect();
        groups.extend(near.into_iter().rev());
    }
    groups
        .into_iter()
        .map(|(plies, text)| format!("{} {text}.", capital(&whens(case, &plies))))
        .collect()
}

/// `after 31.Qc4+, 33.Qc4+ and 35.Qc4+`
pub(crate) fn whens(case: &Case, plies: &[u32]) -> String {
    let mut said = false;
    let names: Vec<String> = plies
        .iter()
        .map(|&ply| {
            let when = case.when(ply);
            match when.strip_prefix("after ") {
                Some(name) if said => name.to_owned(),
                Some(_) => {
                    said = true;
                    when
                }
                None => when,
            }
        })
        .collect();
    list(&names)
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => String::new(),
    }
}

/// What the key sees that tells a position with the same pieces on the same squares apart from the last one.
fn difference(case: &Case, rules: &RuleSet, key: RepetitionKey, ply: u32) -> String {
    let (then, now) = (case.after(ply), case.position());
    let mut parts = Vec::new();
    if then.turn() != now.turn() {
        parts.push(format!("it was {} move", side_possessive(then.turn())));
    }
    match key.castling {
        CastlingPart::Ignored => {}
        CastlingPart::Rights => {
            for rook in then.castling().without(now.castling()) {
                parts.push(right_lost(case, rules, ply, rook));
            }
        }
        CastlingPart::Ability => {
            if then.turn() == now.turn() {
                let now_possible = castling_moves(now);
                for rook in castling_moves(then).without(now_possible) {
                    parts.push(format!(
                        "{} could castle {}",
                        side(then.turn()),
                        wing(then, rook)
                    ));
                }
            }
        }
    }
    let cite = |article: &str| match article {
        "" => String::new(),
        article => format!(" ({})", rules.article(article)),
    };
    if let Some(square) = then.en_passant() {
        parts.push(format!(
            "{} could capture en passant on {square}{}",
            side(then.turn()),
            cite(rules.key_articles.en_passant)
        ));
    } else if matches!(
        key.en_passant,
        EnPassantPart::Raw | EnPassantPart::PseudoLegal
    ) && let Some(mv) = case.played(ply)
        && mv.role == crate::chess::Role::Pawn
        && mv.kind == MoveKind::Normal
        && mv.from.index().abs_diff(mv.to.index()) == 16
    {
        let passed = Square::new((mv.from.index() + mv.to.index()) / 2);
        parts.push(format!(
            "a pawn had just passed {passed}, which counts here"
        ));
    }
    match parts.as_slice() {
        [] => "the position was not the same".to_owned(),
        _ => format!(
            "the same pieces stood on the same squares, but {}",
            list(&parts)
        ),
    }
}

/// That a castling right was there, and which move gave it up.
fn right_lost(case: &Case, rules: &RuleSet, ply: u32, rook: Square) -> String {
    let then = case.after(ply);
    let color = if Bitboard::rank(Color::White.back_rank()).has(rook) {
        Color::White
    } else {
        Color::Black
    };
    let lost = (ply + 1..=case.plies()).find(|&later| !case.after(later).castling().has(rook));
    let article = match rules.key_articles.castling {
        "" => String::new(),
        article => format!(" ({})", rules.article(article)),
    };
    let lost = lost.map_or_else(String::new, |later| format!(", until {}", case.name(later)));
    format!(
        "{} still had the right to castle {}{lost}{article}",
        side(color),
        wing(then, rook)
    )
}

fn wing(position: &Position, rook: Square) -> &'static str {
    let color = if Bitboard::rank(Color::White.back_rank()).has(rook) {
        Color::White
    } else {
        Color::Black
    };
    match CastlingSide::of(position.king(color), rook) {
        CastlingSide::King => "kingside",
        CastlingSide::Queen => "queenside",
    }
}

fn castling_moves(position: &Position) -> Bitboard {
    position
        .legal_moves()
        .into_iter()
        .filter(|mv| mv.kind == MoveKind::Castle)
        .map(|mv| mv.to)
        .collect()
}

/// What is said of a position that has all men where they are now, but for one.
fn one_man_elsewhere(then: &Position, now: &Position) -> Option<String> {
    let (then, now) = (then.board(), now.board());
    let differing: Vec<Square> = (then.occupied() | now.occupied())
        .into_iter()
        .filter(|&square| then.piece_on(square) != now.piece_on(square))
        .collect();
    let &[a, b] = differing.as_slice() else {
        return None;
    };
    let moved = |from: Square, to: Square| -> Option<Piece> {
        let piece = then.piece_on(from)?;
        (now.piece_on(to) == Some(piece)
            && then.piece_on(to).is_none()
            && now.piece_on(from).is_none())
        .then_some(piece)
    };
    let (piece, from, to) = moved(a, b)
        .map(|piece| (piece, a, b))
        .or_else(|| moved(b, a).map(|piece| (piece, b, a)))?;
    Some(format!(
        "the position was another: {} {} stood on {from}, not on {to}",
        side_possessive(piece.color),
        piece.role
    ))
}
