//! Every position that can still arise: if none of them is mate by a side, that side cannot win.

use crate::chess::piece::Color;
use crate::chess::position::Position;
use crate::winnability::material::is_insufficient;
use crate::winnability::states::{Index, Node, State, States};

/// What came of going through positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Found {
    /// This one is mate.
    Mate(Index),
    /// From here on it is evident.
    Evident(Index),
    /// None is mate by the side, and there are no others.
    Nothing,
    /// None is mate by either side, and there are no others.
    NothingForEither,
    /// There may be others.
    Unfinished,
}

/// Goes through all positions that can arise from `root`, nearest first, until one is mate by `side` or there are more
/// than `limit`. Nothing that follows from positions in which the side has too little material is looked at.
pub(crate) fn close(states: &mut States, root: &Position, side: Color, limit: usize) -> Found {
    states.clear();
    states.insert_root(root);
    let mut batch = Vec::with_capacity(BATCH + 256);
    let mut next = 0;
    let mut either = true;
    while (next as usize) < states.len() {
        let position = states.position(next);
        let moves = position.legal_moves();
        if moves.is_empty() {
            if position.is_check() {
                if position.turn() != side {
                    return Found::Mate(next);
                }
                either = false;
            }
        } else if is_insufficient(position.board(), side) {
            either = false;
        } else {
            either &= !is_insufficient(position.board(), !side);
            for &mv in &moves {
                batch.push(Node::new(&position.after(mv), next));
            }
        }
        next += 1;
        if batch.len() >= BATCH || next as usize == states.len() {
            states.insert_all(&batch);
            batch.clear();
            if states.len() > limit || is_endless(states.len(), next as usize) {
                return Found::Unfinished;
            }
        }
    }
    if either {
        Found::NothingForEither
    } else {
        Found::Nothing
    }
}

/// Whether so much is still to be looked at that there is little hope to come to an end soon: where few men can move, new
/// positions become rare at a rate that was measured on positions that cannot be won.
fn is_endless(met: usize, looked_at: usize) -> bool {
    let ahead = 100 * (met - looked_at) / met;
    match met {
        ..20_000 => false,
        20_000..40_000 => ahead > 60,
        40_000..80_000 => ahead > 45,
        _ => ahead > 30,
    }
}

/// How many positions are looked up together, and so wait for memory together.
const BATCH: usize = 256;

/// A proof that a side cannot win: a set of positions that no legal move leaves, among them the one in question and
/// none in which the other side is mated.
///
/// Moves are not followed from positions in which the side has too little material. How many other positions there are,
/// how the set was found and how far it reaches does not matter: [`ClosureProof::verify`] can check it without help.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClosureProof {
    pub(crate) root: Position,
    pub(crate) side: Color,
    pub(crate) states: Vec<State>,
}

impl ClosureProof {
    /// The position that the proof is about.
    pub fn position(&self) -> &Position {
        &self.root
    }

    /// The side that cannot win.
    pub fn side(&self) -> Color {
        self.side
    }

    /// How many positions there are in the set.
    pub fn states(&self) -> u64 {
        self.states.len() as u64
    }
}
