//! Routes of single men over a board on which nothing else moves.

use arrayvec::ArrayVec;

use crate::chess::attacks::{self, setwise};
use crate::chess::bitboard::Bitboard;
use crate::chess::board::Board;
use crate::chess::piece::{Color, Role};
use crate::chess::square::Square;

/// Squares that a man visits, in order; without its own, except in [`promotion`].
pub(crate) type Route = ArrayVec<Square, 8>;

/// Shortest route of a pawn to promotion, from its own square; the new queen gives no check.
pub(crate) fn promotion(board: &Board, us: Color, king: Square) -> Option<Route> {
    let occupied = board.occupied();
    let pawns = board.of(us, Role::Pawn);
    let mut best: Option<Route> = None;
    for pawn in pawns {
        let way = setwise::in_front(us, pawn);
        if (way & occupied).any() {
            continue;
        }
        let last = way & Bitboard::rank(us.promotion_rank());
        let checks = attacks::queen(king, occupied ^ Bitboard::of(pawn));
        if (last & checks).any() || best.as_ref().is_some_and(|best| best.len() <= way.count()) {
            continue;
        }
        let mut route = Route::new();
        let mut at = pawn;
        route.push(at);
        while !Bitboard::BACK_RANKS.has(at) {
            let pushes = setwise::pawn_pushes(us, Bitboard::of(at), occupied);
            at = match us {
                Color::White => pushes.last()?,
                Color::Black => pushes.first()?,
            };
            route.push(at);
        }
        best = Some(route);
    }
    best
}

/// Route of a pawn, without captures, to one of the goals.
fn advance(color: Color, pawn: Square, goals: Bitboard, occupied: Bitboard) -> Option<Route> {
    if (setwise::in_front(color, pawn) & goals).is_empty() {
        return None;
    }
    let mut route = Route::new();
    let mut at = pawn;
    loop {
        let pushes = setwise::pawn_pushes(color, Bitboard::of(at), occupied);
        if let Some(goal) = (pushes & goals).first() {
            route.push(goal);
            return Some(route);
        }
        let one = pushes & Bitboard::of(at).ahead(color);
        at = one.without(Bitboard::BACK_RANKS).first()?;
        route.push(at);
    }
}

/// Board around a man on its route.
#[derive(Clone, Copy)]
pub(crate) struct Surroundings {
    /// Men of its side.
    pub(crate) ours: Bitboard,
    /// Men of the other side but the king.
    pub(crate) theirs: Bitboard,
    /// The other king; the man gives it no check before the goal.
    pub(crate) king: Bitboard,
    /// Squares that a king does not enter.
    pub(crate) attacked: Bitboard,
}

impl Surroundings {
    /// Shortest route of a man to one of the goals, of at most seven moves.
    pub(crate) fn shortest_route(
        &self,
        color: Color,
        role: Role,
        from: Square,
        goals: Bitboard,
    ) -> Option<Route> {
        let Surroundings {
            ours,
            theirs,
            king,
            attacked: avoided,
        } = *self;
        let occupied = ours | theirs | king;
        let goals = goals.without(ours | king);
        if role == Role::Pawn {
            return advance(color, from, goals, occupied);
        }
        let attacks_of = |square| attacks::piece(role, color, square, occupied);
        let attacked = |set: Bitboard| match role {
            Role::Knight => setwise::knight_leaps(set),
            Role::King => setwise::king_steps(set),
            _ => set
                .into_iter()
                .fold(Bitboard::EMPTY, |all, square| all | attacks_of(square)),
        };
        // Squares of early checks.
        let shunned = match role {
            Role::King => avoided | attacked(king),
            _ => attacked(king),
        };
        let open = !(ours | king | shunned);
        let longest = match role {
            Role::Knight | Role::King => 7,
            _ => 5,
        };
        let mut levels = ArrayVec::<Bitboard, 8>::new();
        let mut level = Bitboard::of(from);
        let mut seen = level;
        while level.any() && levels.len() < longest {
            levels.push(level);
            let next = attacked(level);
            if let Some(goal) = (next & goals).first() {
                let mut route = Route::from_iter([goal]);
                let mut at = goal;
                for level in levels.iter().skip(1).rev() {
                    at = (attacked(Bitboard::of(at)) & *level).first()?;
                    route.push(at);
                }
                route.reverse();
                return Some(route);
            }
            level = (next & open).without(seen);
            seen |= level;
        }
        None
    }
}
