//! Static exchange evaluation: the material or mate that a move gives away.

use std::fmt;

use crate::chess::{Move, Position, Role};

/// A loss that another move would avoid.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Given {
    /// It lets the other side mate at once.
    Mate,
    /// It loses this much material, in pawns.
    Material(i32),
}

impl fmt::Display for Given {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Given::Mate => "allows mate in one",
            Given::Material(8..) => "gives away a queen's worth of material",
            Given::Material(5..) => "gives away a rook's worth of material",
            Given::Material(_) => "gives away a piece's worth of material",
        })
    }
}

/// Smaller losses are ordinary sacrifices.
pub(crate) const PIECE: i32 = 3;
pub(crate) const ROOK: i32 = 5;

/// Whether the side to move can mate at once or win a piece.
pub(crate) fn is_any(position: &Position) -> bool {
    gain(position) >= PIECE || has_mate(position)
}

/// The loss by a move that another move would avoid. Material counts if it is taken without a mate
/// or a recapture in reply.
pub(crate) fn given_away(before: &Position, after: &Position) -> Option<Given> {
    let mates = has_mate(after);
    let lost = safe_gain(after);
    if !mates && lost < PIECE {
        return None;
    }
    let others = before.legal_moves();
    let others = others
        .iter()
        .map(|&mv| before.after(mv))
        .filter(|next| next.key() != after.key());
    for other in others {
        if mates && !has_mate(&other) && gain(&other) < PIECE {
            return Some(Given::Mate);
        }
        if !mates && !has_mate(&other) && lost - gain(&other) >= PIECE {
            return Some(Given::Material(lost));
        }
    }
    None
}

/// Material lead of the side not to move, in pawns.
pub(crate) fn ahead(position: &Position) -> i32 {
    let board = position.board();
    let worth = |color| -> i32 {
        Role::ALL
            .into_iter()
            .map(|role| value(role) * board.of(color, role).count() as i32)
            .sum()
    };
    worth(!position.turn()) - worth(position.turn())
}

/// The largest gain by a capture or promotion that allows neither mate nor a recapture.
fn safe_gain(position: &Position) -> i32 {
    let moves = position.legal_moves();
    let gains = moves.iter().map(|&mv| {
        let next = position.after(mv);
        let recaptures = next.legal_moves().iter().any(|reply| reply.to == mv.to);
        match won(mv) {
            0 => 0,
            _ if recaptures || has_mate(&next) => 0,
            won => won - gain(&next),
        }
    });
    gains.max().unwrap_or(0)
}

/// Material gained by a capture and promotion.
fn won(mv: Move) -> i32 {
    let promoted = mv.promotion().map(|role| value(role) - value(Role::Pawn));
    mv.captured.map_or(0, value) + promoted.unwrap_or(0)
}

fn has_mate(position: &Position) -> bool {
    position
        .legal_moves()
        .iter()
        .any(|&mv| position.after(mv).is_checkmate())
}

/// Material that the side to move wins by captures and promotions, if both sides only make
/// profitable ones.
fn gain(position: &Position) -> i32 {
    // Longer sequences of captures do not matter with few pieces.
    best(position, 12, 0, i32::MAX)
}

/// Alpha-beta search over captures and promotions, with a stand-pat score unless in check.
fn best(position: &Position, depth: u32, mut alpha: i32, beta: i32) -> i32 {
    if depth == 0 {
        return alpha;
    }
    let mut moves: Vec<(i32, Move)> = position
        .legal_moves()
        .iter()
        .filter_map(|&mv| Some((won(mv), mv)).filter(|&(won, _)| won > 0))
        .collect();
    moves.sort_by_key(|&(won, mv)| (-won, value(mv.role)));
    for (won, mv) in moves {
        let reply = best(&position.after(mv), depth - 1, 0, (won - alpha).max(1));
        let net = won - reply;
        if net > alpha {
            alpha = net;
            if alpha >= beta {
                break;
            }
        }
    }
    alpha
}

fn value(role: Role) -> i32 {
    match role {
        Role::Pawn => 1,
        Role::Knight | Role::Bishop => 3,
        Role::Rook => 5,
        Role::Queen => 9,
        Role::King => 0,
    }
}
