//! Differences between positions that look the same.

use std::collections::BTreeMap;

use crate::adjudication::phrases::{cited, sentence_start};
use crate::adjudication::ruling::list;
use crate::chess::{Bitboard, Board, CastlingSide, Color, Position, Square};
use crate::claim::game::{name, when};
use crate::law::history::{castling_ability, passed_square};
use crate::law::rulesets::{CastlingPart, EnPassantPart};
use crate::law::{GameRecord, RepetitionKey, RuleSet};

/// Most groups of similar positions listed.
const MOST_GROUPS: usize = 6;

/// Most positions listed in which one piece stands elsewhere.
const MOST_NEAR: usize = 3;

/// Sentences on the positions that look like the last one of the game and do not count: the same
/// pieces on the same squares first; if those are too few to explain the claim, the latest in which
/// one piece stood elsewhere.
pub(crate) fn similar_positions(
    record: &GameRecord,
    rules: &RuleSet,
    key: RepetitionKey,
    occurrences: &[u32],
) -> Vec<String> {
    let last = record.plies();
    let now = record.after(last);
    let mut groups: Vec<(Vec<u32>, String)> = Vec::new();
    let mut near: Vec<(Vec<u32>, String)> = Vec::new();
    let mut found = occurrences.len();
    record.each(|ply, then| {
        if ply == last || occurrences.contains(&ply) {
            return;
        }
        if then.board() == now.board() {
            let text = difference(record, rules, key, ply, then, &now);
            found += 1;
            match groups.iter().position(|(_, other)| *other == text) {
                Some(at) => groups[at].0.push(ply),
                None if groups.len() < MOST_GROUPS => groups.push((vec![ply], text)),
                None => {}
            }
        }
        if then.turn() == now.turn()
            && let Some(text) = one_piece_elsewhere(then, &now)
        {
            near.push((vec![ply], text));
        }
    });
    if found < 3 {
        let latest = near.len().saturating_sub(MOST_NEAR);
        groups.extend(near.drain(latest..));
    }
    groups
        .into_iter()
        .map(|(plies, text)| format!("{} {text}.", sentence_start(&whens(record, &plies))))
        .collect()
}

/// Why these positions, with the same pieces on the same squares as the last one, count as others:
/// of those that differ in the same way as the first.
pub(crate) fn counts_as_another(record: &GameRecord, rules: &RuleSet, plies: &[u32]) -> String {
    let now = record.after(record.plies());
    let differs = |&ply: &u32| difference(record, rules, rules.key, ply, &record.after(ply), &now);
    let text = plies.first().map_or_else(String::new, differs);
    let mut alike = plies.to_vec();
    alike.retain(|ply| differs(ply) == text);
    format!("{} {text}", whens(record, &alike))
}

/// `after 31.Qc4+, 33.Qc4+ and 35.Qc4+`
pub(crate) fn whens(record: &GameRecord, plies: &[u32]) -> String {
    let mut names: Vec<String> = plies.iter().map(|&ply| when(record, ply)).collect();
    let after = names.iter_mut().filter(|name| name.starts_with("after "));
    for name in after.skip(1) {
        name.drain(.."after ".len());
    }
    list(&names)
}

/// The difference under the key of a position with the same pieces on the same squares.
fn difference(
    record: &GameRecord,
    rules: &RuleSet,
    key: RepetitionKey,
    ply: u32,
    then: &Position,
    now: &Position,
) -> String {
    let mut parts = Vec::new();
    if then.turn() != now.turn() {
        parts.push(format!("it was {}'s move", then.turn()));
    }
    let rights = then.castling().without(now.castling());
    let ability = castling_ability(then).without(castling_ability(now));
    match key.castling {
        CastlingPart::Rights if rights.any() => {
            let cite = cited(rules, Some(rules.key_articles.castling));
            parts.push(rights_lost(record, then, rights) + &cite);
        }
        CastlingPart::Ability if then.turn() == now.turn() && ability.any() => {
            let wings = wings(then, ability);
            parts.push(format!("{} could castle {wings}", then.turn()));
        }
        _ => {}
    }
    if let Some(square) = then.en_passant() {
        let cite = cited(rules, Some(rules.key_articles.en_passant));
        let turn = then.turn();
        parts.push(format!("{turn} could capture en passant on {square}{cite}"));
    } else if let Some(passed) = record.played(ply).and_then(passed_square)
        && matches!(
            key.en_passant,
            EnPassantPart::Raw | EnPassantPart::PseudoLegal
        )
    {
        parts.push(format!(
            "a pawn had just passed {passed}, which counts as a difference"
        ));
    }
    if parts.is_empty() {
        return "the position was not the same".to_owned();
    }
    let but = list(&parts);
    format!("the same pieces stood on the same squares, but {but}")
}

/// Castling rights that were there, and the moves that gave them up: `until 1.Ke2 White, and until
/// 1...Ke7 Black, could still castle on both sides`.
fn rights_lost(record: &GameRecord, then: &Position, rooks: Bitboard) -> String {
    // By ply and side.
    let mut groups: BTreeMap<(u32, Color), Bitboard> = BTreeMap::new();
    for rook in rooks {
        let lost = record.first(|position| !position.castling().has(rook));
        *groups.entry((lost, color_of(rook))).or_default() |= Bitboard::of(rook);
    }
    let clauses = groups.into_iter().map(|((lost, color), rooks)| {
        let until = format!("until {} {}", name(record, lost), color);
        (until, wings(then, rooks))
    });
    let clauses: Vec<(String, &str)> = clauses.collect();
    if let [(first, side), (second, other)] = &clauses[..]
        && side == other
    {
        return format!("{first}, and {second}, could still castle {side}");
    }
    let clauses = clauses.iter();
    let clauses = clauses.map(|(until, side)| format!("{until} could still castle {side}"));
    list(&clauses.collect::<Vec<_>>())
}

/// The side of a castling rook.
fn color_of(rook: Square) -> Color {
    if Bitboard::rank(Color::White.back_rank()).has(rook) {
        Color::White
    } else {
        Color::Black
    }
}

/// The sides on which one or both rooks of a side castle.
fn wings(position: &Position, rooks: Bitboard) -> &'static str {
    match rooks.into_iter().next() {
        Some(rook) if !rooks.many() => {
            match CastlingSide::of(position.king(color_of(rook)), rook) {
                CastlingSide::King => "kingside",
                CastlingSide::Queen => "queenside",
            }
        }
        _ => "on both sides",
    }
}

/// The difference of a position with all pieces but one where they are now.
fn one_piece_elsewhere(then: &Position, now: &Position) -> Option<String> {
    let (then, now) = (then.board(), now.board());
    let mut differing: Vec<Square> = (then.occupied() | now.occupied()).into_iter().collect();
    differing.retain(|&square| then.piece_on(square) != now.piece_on(square));
    let stands = |board: &Board| differing.iter().find(|&&at| board.piece_on(at).is_some());
    let (&from, &to) = (stands(then)?, stands(now)?);
    let piece = then.piece_on(from)?;
    let is_moved =
        differing.len() == 2 && now.piece_on(to) == Some(piece) && then.piece_on(to).is_none();
    is_moved.then(|| {
        let (color, role) = (piece.color, piece.role);
        format!("the position was another: {color}'s {role} stood on {from}, not on {to}")
    })
}
