//! Plans for a mate that can be read off the board.
//!
//! One piece gives mate. A second man protects it or guards flights, or men of the other side block
//! them, and what could capture the piece moves away. The other king is mated on its square, or
//! walks to the edge first. A pawn promotes first if the side has no queen or rook. Routes assume
//! that nothing else moves, so that a plan can fail: it only counts once it was played.

use arrayvec::ArrayVec;

use crate::chess::attacks::{self, setwise};
use crate::chess::bitboard::Bitboard;
use crate::chess::board::Board;
use crate::chess::moves::Move;
use crate::chess::piece::{Color, Role};
use crate::chess::position::Position;
use crate::chess::square::Square;
use crate::winnability::helpmates::plan::{Mating, Step};
use crate::winnability::helpmates::route::{Route, Surroundings, promotion};

/// Man of the side that mates.
#[derive(Clone, Copy)]
struct Man {
    square: Square,
    role: Role,
    attacks: Bitboard,
}

/// Mate by `piece` on `goal` with the other king on `king`.
struct Mate {
    king: Square,
    piece: Man,
    goal: Square,
    /// Squares that another man has to attack.
    need: Bitboard,
    /// Men of the other side that could capture on the goal.
    capturers: Bitboard,
    /// Steps of the king to its square.
    walked: usize,
    cost: usize,
}

/// The board from the point of view of the side that is to mate.
struct View {
    board: Board,
    us: Color,
    ours: Bitboard,
    /// Men of the other side but its king.
    theirs: Bitboard,
    /// All men but the other king.
    occupied: Bitboard,
    men: ArrayVec<Man, 64>,
    /// Squares attacked by one of our men at least.
    once: Bitboard,
    /// Squares attacked by two at least.
    twice: Bitboard,
    /// Squares attacked by three at least.
    thrice: Bitboard,
    /// Squares attacked by the other side's men but the king.
    attacked: Bitboard,
    /// Squares that these men can move to.
    reached: Bitboard,
}

/// Squares of the edge that the other king is sent to.
const WALKS: usize = 5;

/// The edge of the board.
const EDGE: Bitboard = Bitboard::new(0xff81_8181_8181_81ff);

/// Corners, in which a side mates without a queen, a rook or a pawn that can promote.
const CORNERS: Bitboard = Bitboard::new(0x8100_0000_0000_0081);

/// Most plans to try for the king where it stands, and again for a king that walks.
pub(crate) const TRIES: usize = 6;

/// Makes a plan and plays it out; whether it leads to mate. The moves are in `line` then.
pub(crate) fn plan_mate(
    position: &Position,
    us: Color,
    plan: &mut Mating,
    line: &mut Vec<Move>,
    tries: usize,
) -> bool {
    plan.clear();
    let mut board = *position.board();
    let mut pushes = Route::new();
    let mut edge = EDGE;
    let ours = board.color(us);
    let pieces = ours.without(board.role(Role::Pawn) | board.role(Role::King));
    if (ours & board.orthogonal_sliders()).is_empty() {
        match promotion(&board, us, position.king(!us)) {
            Some(route) => {
                pushes = route;
                let (first, last) = (pushes[0], pushes[pushes.len() - 1]);
                board.toggle(first, us, Role::Pawn);
                board.toggle(last, us, Role::Queen);
            }
            None if pieces.any() => edge = CORNERS,
            None => return false,
        }
    }
    let view = View::of(&board, us);
    let king = position.king(!us);
    let mut mates = ArrayVec::<Mate, TRIES>::new();
    view.mates(king, 0, &mut mates);
    let mut walks = ArrayVec::<Bitboard, 8>::new();
    for round in 0..2 {
        for mate in mates.iter().take(tries) {
            let planned = view.plan(mate, &walks, &pushes, plan);
            if planned && plan.play(position, us, line) {
                return true;
            }
        }
        if round == 1 {
            break;
        }
        mates.clear();
        view.walks(king, edge, &mut walks, &mut mates);
    }
    false
}

impl View {
    fn of(board: &Board, us: Color) -> View {
        let king = board.of(!us, Role::King);
        let ours = board.color(us);
        let theirs = board.color(!us).without(king);
        let occupied = ours | theirs;
        let mut view = View {
            board: *board,
            us,
            ours,
            theirs,
            occupied,
            men: ArrayVec::new(),
            once: Bitboard::EMPTY,
            twice: Bitboard::EMPTY,
            thrice: Bitboard::EMPTY,
            attacked: setwise::pawns(!us, theirs & board.role(Role::Pawn)),
            reached: setwise::pawn_pushes(!us, theirs & board.role(Role::Pawn), occupied | king),
        };
        // Queens first: they mate most easily.
        for role in [
            Role::Queen,
            Role::Rook,
            Role::Knight,
            Role::Bishop,
            Role::Pawn,
            Role::King,
        ] {
            for square in ours & board.role(role) {
                let attacks = attacks::piece(role, us, square, occupied);
                view.thrice |= view.twice & attacks;
                view.twice |= view.once & attacks;
                view.once |= attacks;
                view.men.push(Man {
                    square,
                    role,
                    attacks,
                });
            }
            if role != Role::Pawn && role != Role::King {
                for square in theirs & board.role(role) {
                    let attacks = attacks::piece(role, !us, square, occupied | king);
                    view.attacked |= attacks;
                    view.reached |= attacks;
                }
            }
        }
        view
    }

    /// Adds the cheapest mates of a king on a square, which it reaches in some steps.
    fn mates(&self, king: Square, walked: usize, mates: &mut ArrayVec<Mate, TRIES>) {
        let ring = attacks::king(king);
        for &piece in &self.men {
            if matches!(piece.role, Role::Pawn | Role::King) {
                break;
            }
            let weight = match piece.role {
                Role::Queen => walked,
                Role::Rook | Role::Knight => walked + 2,
                _ => walked + 4,
            };
            let guarded = self.twice | self.once.without(piece.attacks);
            let flights = ring.without(self.theirs | guarded);
            let occupied = self.occupied ^ Bitboard::of(piece.square);
            for goal in attacks::piece(piece.role, self.us, king, occupied).without(self.ours) {
                let beside = ring.has(goal);
                let covered = attacks::piece(piece.role, self.us, goal, occupied);
                let mut need = flights.without(covered | Bitboard::of(goal));
                if beside && !guarded.has(goal) {
                    need |= Bitboard::of(goal);
                }
                // Weights by how often such a plan leads to mate.
                let weight = match need.count() {
                    0 | 1 => weight,
                    2 => weight + 4,
                    3 => weight + 7,
                    _ => continue,
                };
                let is_worse = |cost| mates.last().is_some_and(|mate| mate.cost <= cost);
                if mates.is_full() && is_worse(weight)
                    || (attacks::between(king, goal) & (self.reached | self.attacked)).any()
                {
                    continue;
                }
                let capturers = self.board.attackers(goal, !self.us, occupied) & self.theirs;
                let cost = weight + 3 * capturers.count() + usize::from(!piece.attacks.has(goal));
                let at = mates.partition_point(|mate| mate.cost <= cost);
                if at == TRIES {
                    continue;
                }
                if mates.is_full() {
                    mates.pop();
                }
                mates.insert(
                    at,
                    Mate {
                        king,
                        piece,
                        goal,
                        need,
                        capturers,
                        walked,
                        cost,
                    },
                );
            }
        }
    }

    /// A man that can attack the squares in `mate.need`, and its route.
    fn helper(&self, mate: &Mate) -> Option<(Man, Route)> {
        let (king, goal) = (Bitboard::of(mate.king), Bitboard::of(mate.goal));
        let ring = attacks::king(mate.king);
        let stay = goal | king | attacks::between(mate.king, mate.goal);
        let covered = attacks::piece(
            mate.piece.role,
            self.us,
            mate.goal,
            self.occupied ^ Bitboard::of(mate.piece.square),
        );
        let mut best: Option<(Man, Route)> = None;
        for &man in &self.men {
            if man.square == mate.piece.square {
                continue;
            }
            let (one, two) = (man.attacks, mate.piece.attacks);
            let others = self.thrice | self.twice.without(one & two) | self.once.without(one | two);
            let need =
                ring.without(self.theirs | covered | others | goal) | (goal & ring).without(others);
            let after = self
                .occupied
                .without(Bitboard::of(man.square) | Bitboard::of(mate.piece.square))
                | goal;
            let mut posts = !(self.ours | stay | ring.without(others));
            for square in need {
                posts &= match man.role {
                    Role::Pawn => attacks::pawn(!self.us, square),
                    role => attacks::piece(role, self.us, square, after),
                };
            }
            if posts.is_empty() {
                continue;
            }
            if let Some(route) =
                self.route(self.us, man, posts, mate.king, [self.ours, self.theirs])
                && best
                    .as_ref()
                    .is_none_or(|(_, best)| route.len() < best.len())
            {
                let is_near = route.len() == 1;
                best = Some((man, route));
                if is_near {
                    break;
                }
            }
        }
        best
    }

    /// Shortest route of a man of the side of `ours` to one of the goals, without check to a king
    /// on `king`.
    fn route(
        &self,
        color: Color,
        man: Man,
        goals: Bitboard,
        king: Square,
        [ours, theirs]: [Bitboard; 2],
    ) -> Option<Route> {
        let surroundings = Surroundings {
            ours,
            theirs,
            king: Bitboard::of(king),
            attacked: self.attacked,
        };
        surroundings.shortest_route(color, man.role, man.square, goals)
    }

    /// Adds the mates of the other king after a walk to the edge.
    fn walks(
        &self,
        king: Square,
        edge: Bitboard,
        levels: &mut ArrayVec<Bitboard, 8>,
        mates: &mut ArrayVec<Mate, TRIES>,
    ) {
        let open = !(self.occupied | self.once);
        let mut level = Bitboard::of(king);
        let mut seen = level;
        let mut left = WALKS;
        loop {
            levels.push(level);
            level = (setwise::king_steps(level) & open).without(seen);
            seen |= level;
            if level.is_empty() || levels.is_full() {
                return;
            }
            for square in level & edge {
                self.mates(square, levels.len(), mates);
                left -= 1;
                if left == 0 {
                    return;
                }
            }
        }
    }

    /// Makes the plan for a mate; false if a man has no route.
    fn plan(&self, mate: &Mate, walks: &[Bitboard], pushes: &[Square], plan: &mut Mating) -> bool {
        plan.clear();
        for pair in pushes.windows(2) {
            let becomes = Bitboard::BACK_RANKS.has(pair[1]).then_some(Role::Queen);
            plan.winner.push(Step {
                from: pair[0],
                to: pair[1],
                becomes,
            });
        }
        let mut ours = self.ours;
        let mut blocked = Bitboard::EMPTY;
        if mate.need.any() {
            if let Some((man, route)) = self.helper(mate) {
                plan.winner.extend(Step::along(man.square, &route));
                ours ^= Bitboard::of(man.square);
                ours |= route
                    .last()
                    .map_or(Bitboard::EMPTY, |&post| Bitboard::of(post));
            } else {
                blocked = mate.need;
            }
        }
        let goal = Bitboard::of(mate.goal);
        let Some(route) = self.route(self.us, mate.piece, goal, mate.king, [ours, self.theirs])
        else {
            return false;
        };
        plan.winner.extend(Step::along(mate.piece.square, &route));
        if mate.walked > 0 {
            let mut to = mate.king;
            for level in walks[..mate.walked].iter().rev() {
                let Some(from) = (attacks::king(to) & *level).first() else {
                    return false;
                };
                plan.loser.insert(0, Step::new(from, to));
                to = from;
            }
        }
        let ring = attacks::king(mate.king);
        plan.strike = Bitboard::of(mate.goal) | attacks::between(mate.king, mate.goal);
        plan.keep = ring | Bitboard::of(mate.king);
        for man in &self.men {
            if (man.attacks & ring).any() {
                plan.keep |= Bitboard::of(man.square);
            }
        }
        plan.keep_path();
        if blocked.any() && !self.block(blocked, mate, plan) {
            return false;
        }
        for square in mate.capturers {
            let Some(away) = self.away(square, plan) else {
                return false;
            };
            plan.loser.push(Step::new(square, away));
            plan.keep |= Bitboard::of(away);
        }
        true
    }

    /// Lets men of the other side block their king's flights.
    fn block(&self, flights: Bitboard, mate: &Mate, plan: &mut Mating) -> bool {
        let goal = Bitboard::of(mate.goal);
        let ring = attacks::king(mate.king);
        if (flights & (goal | self.ours)).any() {
            return false;
        }
        let mut theirs = self.theirs;
        let mut used = ring | mate.capturers;
        for flight in flights {
            let routes = theirs.without(used).into_iter().filter_map(|square| {
                let role = self.board.role_on(square)?;
                let attacked = attacks::piece(role, !self.us, flight, self.occupied | goal);
                if (attacked & plan.strike).any() {
                    return None;
                }
                let man = Man {
                    square,
                    role,
                    attacks: Bitboard::EMPTY,
                };
                let helper = self.board.of(self.us, Role::King).first_or_a1();
                let to = Bitboard::of(flight);
                let route = self.route(!self.us, man, to, helper, [theirs, self.ours])?;
                Some((square, route))
            });
            let best = routes.min_by_key(|(_, route)| route.len());
            let Some((from, route)) = best else {
                return false;
            };
            used |= Bitboard::of(from) | Bitboard::of(flight);
            theirs ^= Bitboard::of(from) | Bitboard::of(flight);
            plan.loser.extend(Step::along(from, &route));
        }
        plan.keep_path();
        true
    }

    /// Square from which a man of the other side does not disturb the plan.
    fn away(&self, square: Square, plan: &Mating) -> Option<Square> {
        let board = &self.board;
        let role = board.role_on(square)?;
        let to = match role {
            Role::Pawn => setwise::pawn_pushes(!self.us, Bitboard::of(square), board.occupied()),
            _ => attacks::piece(role, !self.us, square, board.occupied()),
        };
        to.without(board.occupied() | plan.keep)
            .into_iter()
            .find(|&to| {
                let attacked = attacks::piece(role, !self.us, to, board.occupied());
                (attacked & plan.strike).is_empty()
            })
    }
}
