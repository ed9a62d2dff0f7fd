//! Search for confinements: sets of positions, closed under legal moves, in which walls of pawns
//! keep men apart.
//!
//! Two kinds of moves need not be followed: mates of the side in question, and checks by a side's
//! last man if every reply captures it.

use crate::chess::attacks;
use crate::chess::attacks::setwise;
use crate::chess::bitboard::Bitboard;
use crate::chess::piece::{Color, Piece, Role};
use crate::chess::position::Position;
use crate::chess::square::Square;
use crate::chess::zobrist::{KeyMap, mix};
use crate::winnability::confinement::{After, ConfinedMan, Confinement, KingPairs, MOST_MEN};

/// Confinements that follow from one another: quiet moves of pieces stay in one, while captures of
/// men that stand still and moves of pawns lead to others of the list.
#[derive(Default)]
pub(crate) struct Walls {
    pub(crate) list: Vec<Confinement>,
    /// Indexes in `list` of the confinements with the same pawns.
    by_pawns: KeyMap<Vec<u32>>,
    /// Number of confinements that were added, including those removed again.
    tried: u64,
}

/// Positions that could be visited in the time that one confinement takes; `--nodes` is charged
/// for them.
pub(crate) const SET_NODES: u64 = 16;

/// Memory for a confinement and its number in the index.
pub(crate) const SET_BYTES: usize = 2200;

/// Number of confinements for which the memory is kept.
const SMALL: usize = 64;

impl Walls {
    /// Memory of the confinements, in bytes.
    pub(crate) fn memory(&self) -> usize {
        self.list.len() * SET_BYTES
    }

    /// Nodes taken by all attempts to prove something.
    pub(crate) fn nodes(&self) -> u64 {
        self.tried * SET_NODES
    }

    pub(crate) fn clear(&mut self) {
        self.list.clear();
        self.by_pawns.clear();
        self.tried = 0;
    }

    /// Whether a confinement of the list holds the position.
    pub(crate) fn contain(&self, position: &Position) -> bool {
        let board = position.board();
        let pawns = Color::ALL.map(|color| board.of(color, Role::Pawn));
        self.group(pawns)
            .any(|confinement| confinement.contains(position))
    }

    fn group(&self, pawns: [Bitboard; 2]) -> impl Iterator<Item = &Confinement> {
        let numbers = self.by_pawns.get(&key(pawns)).into_iter().flatten();
        numbers.map(|&nth| &self.list[nth as usize])
    }

    /// Adds the confinements that follow from a position, up to `limit` of them. Returns whether
    /// they prove that `side` cannot win; if not, they are removed again.
    pub(crate) fn prove(&mut self, position: &Position, side: Color, limit: usize) -> bool {
        let before = self.list.len();
        let Some(root) = around(position) else {
            return false;
        };
        let proved = self.try_to_prove(root, side, before + limit);
        self.tried += (self.list.len() - before) as u64;
        if !proved {
            for confinement in self.list.drain(before..) {
                if let Some(group) = self.by_pawns.get_mut(&key(confinement.pawns())) {
                    group.pop();
                }
            }
            self.list.shrink_to(SMALL);
        }
        proved
    }

    /// Follows the newest confinement first: what refutes a proof comes after several events.
    fn try_to_prove(&mut self, root: Confinement, side: Color, limit: usize) -> bool {
        let first = self.list.len();
        if !self.add(root, side) {
            return false;
        }
        let mut waiting: Vec<usize> = (first..self.list.len()).collect();
        let mut events = Vec::new();
        while let Some(next) = waiting.pop() {
            if self.list[next].has_insufficient_material(side) {
                continue;
            }
            after_events(&self.list[next], side, &mut events);
            for after in events.drain(..) {
                let known = self.list.len();
                let is_safe = !self.list[next].may_mate_with(&after, side)
                    || after.set.has_insufficient_material(side);
                if !is_safe || known >= limit || !self.add(after.set, side) {
                    return false;
                }
                waiting.extend(known..self.list.len());
            }
        }
        true
    }

    /// Adds a confinement if it is new; returns whether it certainly holds no mate.
    fn add(&mut self, mut confinement: Confinement, side: Color) -> bool {
        let pawns = confinement.pawns();
        if self.group(pawns).any(|known| known.includes(&confinement)) {
            return true;
        }
        settle(&mut confinement, side);
        if !confinement.has_insufficient_material(side)
            && (confinement.may_be_mate(side) || !confinement.bars_castling())
        {
            return false;
        }
        let group = self.by_pawns.entry(key(pawns)).or_default();
        group.push(self.list.len() as u32);
        self.list.push(confinement);
        true
    }
}

fn key(pawns: [Bitboard; 2]) -> u64 {
    mix(mix(pawns[0].bits()) ^ pawns[1].bits())
}

/// The position alone; `None` if it cannot be confined.
fn around(position: &Position) -> Option<Confinement> {
    let board = position.board();
    if position.en_passant().is_some() || board.occupied().count() > MOST_MEN + 2 {
        return None;
    }
    let mut kings = KingPairs::NONE;
    kings.add(
        position.turn(),
        Color::ALL.map(|color| position.king(color)),
    );
    let men = board.occupied().without(board.role(Role::King)).into_iter();
    Some(Confinement {
        men: men
            .filter_map(|at| Some(ConfinedMan::still(board.piece_on(at)?, at)))
            .collect(),
        kings,
        castling: position.castling(),
    })
}

/// Adds all positions that quiet moves of pieces and of the kings lead to.
fn settle(confinement: &mut Confinement, side: Color) {
    loop {
        let occupied = confinement.occupied();
        let mut grew = false;
        for nth in 0..confinement.men.len() {
            let man = confinement.men[nth];
            let Piece { role, color } = man.piece;
            if role == Role::Pawn || man.still && only_mates_side(confinement, side, nth) {
                continue;
            }
            let mut open = !occupied;
            if confinement.is_alone(color) {
                let beside = setwise::king_steps(confinement.king(!color)).without(man.region);
                let lost = beside
                    .into_iter()
                    .filter(|&to| confinement.is_lost_on(&man, to));
                open = lost.fold(open, |open, to| open.without(Bitboard::of(to)));
            }
            let region = match role {
                Role::Pawn => man.region,
                Role::Knight => setwise::fill(man.region, open, setwise::knight_leaps),
                Role::Bishop => setwise::fill(man.region, open, setwise::diagonal_steps),
                Role::Rook => setwise::fill(man.region, open, setwise::orthogonal_steps),
                Role::Queen | Role::King => setwise::fill(man.region, open, setwise::king_steps),
            };
            if region != man.region {
                confinement.men[nth] = ConfinedMan {
                    region,
                    still: false,
                    ..man
                };
                grew = true;
            }
        }
        grew |= walk(confinement);
        for nth in 0..confinement.men.len() {
            let man = confinement.men[nth];
            if !man.still && man.kept && !confinement.is_safe(&man) {
                confinement.men[nth].kept = false;
                grew = true;
            }
        }
        if !grew {
            return;
        }
    }
}

/// Whether each quiet move of a man that stands still mates `side`.
fn only_mates_side(confinement: &Confinement, side: Color, nth: usize) -> bool {
    let man = &confinement.men[nth];
    let occupied = confinement.occupied();
    let beside = setwise::king_steps(confinement.king(!man.piece.color));
    let mut moves = man.attacks(occupied).without(occupied).into_iter();
    moves.all(|to| {
        beside.has(to) && {
            let mut after = confinement.clone();
            after.men[nth] = man.moved(to);
            confinement.mates_side(side, man, to, &after)
        }
    })
}

/// Adds the pairs that quiet moves of the kings lead to, and other men's moves; returns whether
/// there are any.
fn walk(confinement: &mut Confinement) -> bool {
    let still = confinement.still(Color::White) | confinement.still(Color::Black);
    let open = Color::ALL.map(|color| !(still | confinement.guarded(!color)));
    let can_pass = Color::ALL.map(|color| confinement.can_pass(color));
    let [white_moves, black_moves] = &mut confinement.kings.0;
    let mut grew = false;
    loop {
        let mut more = false;
        let mut add = |set: &mut Bitboard, squares: Bitboard| {
            more |= squares.without(*set).any();
            *set |= squares;
        };
        for white in Square::all() {
            let blacks = white_moves[white.index()];
            if blacks.any() {
                if can_pass[0] {
                    add(&mut black_moves[white.index()], blacks);
                }
                for to in attacks::king(white) & open[0] {
                    let far = !(attacks::king(to) | Bitboard::of(to));
                    add(&mut black_moves[to.index()], blacks & far);
                }
            }
            let blacks = black_moves[white.index()];
            if blacks.any() {
                let far = !(attacks::king(white) | Bitboard::of(white));
                add(
                    &mut white_moves[white.index()],
                    setwise::king_steps(blacks) & open[1] & far,
                );
                if can_pass[1] {
                    add(&mut white_moves[white.index()], blacks);
                }
            }
        }
        if !more {
            return grew;
        }
        grew = true;
    }
}

/// The sets of positions that follow by captures of men that stand still, by the first moves of
/// such men, and by moves of pawns. Mates of `side` are left out.
fn after_events(before: &Confinement, side: Color, found: &mut Vec<After>) {
    let occupied = before.occupied();
    for color in Color::ALL {
        let turned = turned(before, color);
        if turned.kings == KingPairs::NONE {
            continue;
        }
        let (ours, theirs) = (before.still(color), before.still(!color));
        let kings = before.king(Color::White) | before.king(Color::Black);
        let others = before.men.iter().filter(|man| man.piece.color != color);
        let others = others.fold(Bitboard::EMPTY, |all, man| all | man.region);
        for (nth, man) in before.men.iter().enumerate() {
            if man.piece.color != color {
                continue;
            }
            if man.piece.role == Role::Pawn {
                after_pawn_moves(before, &turned, nth, found);
                continue;
            }
            // A man that stands still has no quiet move, but may capture one that does not.
            let targets = if man.still { others } else { theirs };
            for to in (man.attacks(occupied) & targets).without(ours | occupied & kings) {
                let mut after = turned.clone();
                after.men[nth] = man.moved(to);
                after.capture(to, !color);
                if !before.is_lost_on(man, to) && !before.mates_side(side, man, to, &after) {
                    found.push(After::by_man(after));
                }
            }
        }
        for to in theirs.without(before.guarded(!color)) & setwise::king_steps(before.king(color)) {
            let mut after = turned.clone();
            after.kings = KingPairs::NONE;
            for mut kings in before.kings.pairs(color) {
                let near = attacks::king(to);
                if near.has(kings[color.index()]) && !near.has(kings[(!color).index()]) {
                    kings[color.index()] = to;
                    after.kings.add(!color, kings);
                }
            }
            if after.kings != KingPairs::NONE {
                after.capture(to, !color);
                found.push(After {
                    set: after,
                    by_king: true,
                });
            }
        }
    }
}

/// The set after a move of one side, before anything else changes.
fn turned(before: &Confinement, color: Color) -> Confinement {
    let mut after = before.clone();
    after.kings.0.swap(0, 1);
    after.kings.0[color.index()] = [Bitboard::EMPTY; 64];
    after
}

/// The sets of positions that follow by the moves of a pawn, and by its capture en passant.
fn after_pawn_moves(
    before: &Confinement,
    turned: &Confinement,
    nth: usize,
    found: &mut Vec<After>,
) {
    let man = before.men[nth];
    let (color, from) = (man.piece.color, man.region);
    let occupied = before.occupied();
    let passed = from.ahead(color).without(occupied);
    for to in setwise::pawn_pushes(color, from, occupied) {
        arrive(turned, nth, to, found);
        if passed.has(to) {
            continue;
        }
        for passed in passed {
            for (taker, man) in before.men.iter().enumerate() {
                if man.is_pawn_of(!color) && (man.region & attacks::pawn(color, passed)).any() {
                    let mut after = before.clone();
                    after.kings.0[(!color).index()] = [Bitboard::EMPTY; 64];
                    after.kings.clear(passed);
                    after.men[taker] = ConfinedMan::still(man.piece, passed);
                    after.men.remove(nth);
                    found.push(After::by_man(after));
                }
            }
        }
    }
    for to in setwise::pawns(color, from) {
        for (victim, man) in before.men.iter().enumerate() {
            if man.piece.color != color && man.region.has(to) {
                let mut after = turned.clone();
                after.men.remove(victim);
                arrive(&after, nth - usize::from(victim < nth), to, found);
            }
        }
    }
}

/// Puts a pawn on a square, or a piece that it promotes to.
fn arrive(before: &Confinement, nth: usize, to: Square, found: &mut Vec<After>) {
    let color = before.men[nth].piece.color;
    let last = to.rank() == color.promotion_rank();
    let roles = if last {
        &Role::PROMOTIONS[..]
    } else {
        &[Role::Pawn]
    };
    for &role in roles {
        let mut after = before.clone();
        after.kings.clear(to);
        after.men[nth] = ConfinedMan::still(Piece { color, role }, to);
        found.push(After::by_man(after));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_can_be_won_is_proved() {
        let text = include_str!("../../../fixtures/winnability.txt");
        let vectors = text
            .lines()
            .filter(|line| line.starts_with(['W', 'B', '-']));
        let mut asked = 0;
        for (answers, fen) in vectors.filter_map(|line| line.split_once('#')?.0.split_once(' ')) {
            let position: Position = fen.trim().parse().unwrap();
            for (side, letter) in [(Color::White, 'W'), (Color::Black, 'B')] {
                if answers.contains(letter) {
                    let proved = Walls::default().prove(&position, side, 1000);
                    assert!(!proved, "{side:?} in {fen}");
                    asked += 1;
                }
            }
        }
        assert!(asked > 100);
    }
}
