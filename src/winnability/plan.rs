//! What to aim for when looking for a mate: the other king in a corner, one's own beside him, and everything else taken
//! or promoted on the way.

use arrayvec::ArrayVec;

use crate::chess::attacks;
use crate::chess::bitboard::Bitboard;
use crate::chess::moves::{Move, MoveKind};
use crate::chess::piece::{Color, Role};
use crate::chess::position::Position;
use crate::chess::square::{File, Rank, Square};
use crate::winnability::helpmate::{Aim, Gain};
use crate::winnability::material::DARK;

/// Where the men should go.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    /// The side that shall mate.
    side: Color,
    /// Where the other king is to be mated.
    corner: Square,
    /// Where the king of the side helps.
    post: Square,
    /// Where a knight gives mate.
    strike: Square,
    /// A man of the other side that bars its own king's way, and where.
    shield: Option<(Role, Square)>,
    /// Whether the shield is still a pawn.
    shield_promotes: bool,
    /// Whether the side has to promote a pawn first.
    promotes: bool,
    /// For each kind of piece where it gives check, once both kings are in place.
    checks: [Bitboard; 6],
}

/// Four corners, and at most seven patterns with their shields.
pub(crate) type Plans = ArrayVec<Plan, 32>;

impl Plan {
    /// The plans for a position, the shortest first.
    pub(crate) fn all(position: &Position, side: Color) -> Plans {
        let mut plans = Plans::new();
        let promotes =
            (position.board().color(side) & position.board().orthogonal_sliders()).is_empty();
        let shields = Shields::of(position, side);
        for [file, rank] in [[0_usize, 0_usize], [7, 0], [0, 7], [7, 7]] {
            let near = |[files, ranks]: [usize; 2]| {
                Square::at(
                    File::new(file.abs_diff(files)),
                    Rank::new(rank.abs_diff(ranks)),
                )
            };
            let plan = Plan {
                side,
                corner: near([0, 0]),
                post: near([1, 2]),
                strike: near([2, 1]),
                shield: None,
                shield_promotes: false,
                promotes,
                checks: [Bitboard::EMPTY; 6],
            };
            let Some(shields) = &shields else {
                plans.push(plan);
                plans.push(Plan {
                    post: plan.strike,
                    ..plan
                });
                continue;
            };
            for pattern in PATTERNS {
                for (role, shield_promotes) in shields.fitting(plan.corner, &pattern) {
                    plans.push(Plan {
                        post: near(pattern.post),
                        strike: near(pattern.strike),
                        shield: Some((role, near(pattern.shield))),
                        shield_promotes,
                        ..plan
                    });
                }
            }
        }
        let (king, helper) = (position.king(!side), position.king(side));
        plans.sort_by_key(|plan| steps(king, plan.corner) + steps(helper, plan.post));
        plans
    }

    fn weigh_ours(&self, mv: Move) -> i32 {
        let mut gain = match (mv.role, mv.kind) {
            (_, MoveKind::Castle) => 0,
            (_, MoveKind::Promotion(Role::Queen)) => 4,
            (_, MoveKind::Promotion(_)) => 1,
            (Role::King, _) => 2 * closer(mv, self.post),
            (Role::Pawn, _) if self.promotes => 2,
            (Role::Knight, _) if self.shield.is_some() => {
                leaps(mv.role, mv.from, self.strike) - leaps(mv.role, mv.to, self.strike)
            }
            _ => 0,
        };
        if let Some(captured) = mv.captured {
            let is_shield = match self.shield {
                Some((role, _)) => {
                    captured == role || self.shield_promotes && captured == Role::Pawn
                }
                None => false,
            };
            gain += if is_shield { -3 } else { 1 };
        }
        if self.checks[mv.promotion().unwrap_or(mv.role).index()].has(mv.to) {
            gain += 3;
        }
        gain
    }

    fn weigh_theirs(&self, mv: Move) -> i32 {
        let mut gain = if mv.captured.is_some() { -3 } else { 0 };
        match (self.shield, mv.kind) {
            (Some((role, _)), MoveKind::Promotion(becomes)) if self.shield_promotes => {
                gain += if becomes == role { 4 } else { -1 };
            }
            (_, MoveKind::Promotion(_)) => gain -= 1,
            (_, MoveKind::Castle) => {}
            _ if mv.role == Role::King => gain += 2 * closer(mv, self.corner),
            (Some(_), _) if self.shield_promotes && mv.role == Role::Pawn => gain += 1,
            (Some((role, square)), _) if role == mv.role => {
                gain += leaps(role, mv.from, square) - leaps(role, mv.to, square);
            }
            _ => {}
        }
        gain
    }
}

impl Aim for Plan {
    #[inline]
    fn look(&mut self, position: &Position) {
        let us = position.turn();
        if us != self.side {
            return;
        }
        self.checks = [Bitboard::EMPTY; 6];
        let king = position.king(!us);
        if steps(position.king(us), self.post) + steps(king, self.corner) <= 1 {
            let occupied = position.board().occupied();
            for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
                self.checks[role.index()] = attacks::piece(role, us, king, occupied);
            }
            self.checks[Role::Pawn.index()] = attacks::pawn(!us, king);
        }
    }

    #[inline]
    fn weigh(&self, position: &Position, mv: Move) -> Gain {
        Gain::of(if position.turn() == self.side {
            self.weigh_ours(mv)
        } else {
            self.weigh_theirs(mv)
        })
    }
}

/// How a king in a corner is mated by one minor piece and a king, one of his own men being in his way. Squares are files and
/// ranks away from the corner.
struct Pattern {
    post: [usize; 2],
    strike: [usize; 2],
    shield: [usize; 2],
    /// Kinds of piece that can be the shield when a knight gives mate: they do not attack its square.
    against_knight: &'static [Role],
    /// Kinds of piece that can be the shield when a bishop gives mate: they cannot step between.
    against_bishop: &'static [Role],
}

const PATTERNS: [Pattern; 4] = [
    Pattern {
        post: [1, 2],
        strike: [2, 1],
        shield: [1, 0],
        against_knight: &[Role::Knight, Role::Rook],
        against_bishop: &[Role::Knight, Role::Bishop],
    },
    Pattern {
        post: [2, 1],
        strike: [1, 2],
        shield: [0, 1],
        against_knight: &[Role::Knight, Role::Rook, Role::Pawn],
        against_bishop: &[Role::Knight, Role::Bishop, Role::Pawn],
    },
    Pattern {
        post: [0, 2],
        strike: [1, 2],
        shield: [1, 0],
        against_knight: &[Role::Bishop],
        against_bishop: &[],
    },
    Pattern {
        post: [2, 0],
        strike: [2, 1],
        shield: [0, 1],
        against_knight: &[Role::Bishop],
        against_bishop: &[],
    },
];

/// What can bar a king's way, where a single knight or bishops on squares of one colour are to mate him.
struct Shields {
    /// The corners the bishops can reach; nothing for a knight, which reaches all.
    bishops: Option<Bitboard>,
    /// Kinds of piece that the other side has.
    present: ArrayVec<Role, 6>,
}

impl Shields {
    /// Nothing if the side needs none.
    fn of(position: &Position, side: Color) -> Option<Shields> {
        let board = position.board();
        let men = board.color(side);
        let knights = (men & board.role(Role::Knight)).count();
        let bishops = men & board.role(Role::Bishop);
        let dark = usize::from((bishops & DARK).any());
        let light = usize::from(bishops.without(DARK).any());
        let others = men & (board.orthogonal_sliders() | board.role(Role::Pawn));
        if others.any() || knights + dark + light != 1 {
            return None;
        }
        Some(Shields {
            bishops: bishops
                .any()
                .then_some(if dark == 1 { DARK } else { !DARK }),
            present: Role::ALL
                .into_iter()
                .filter(|&role| board.of(!side, role).any())
                .collect(),
        })
    }

    /// The kinds of piece that can be the shield in a corner, and whether a pawn has to become one first.
    fn fitting(&self, corner: Square, pattern: &Pattern) -> impl Iterator<Item = (Role, bool)> {
        let fit = match self.bishops {
            None => pattern.against_knight,
            Some(corners) if corners.has(corner) => pattern.against_bishop,
            Some(_) => &[],
        };
        let has = |role| self.present.contains(&role);
        fit.iter()
            .map(move |&role| (role, !has(role)))
            .filter(move |&(role, is_absent)| !is_absent || role != Role::Pawn && has(Role::Pawn))
    }
}

/// How many king's steps lie between two squares.
#[inline]
fn steps(a: Square, b: Square) -> usize {
    let files = a.file().index().abs_diff(b.file().index());
    let ranks = a.rank().index().abs_diff(b.rank().index());
    files.max(ranks)
}

/// By how many steps a king's move comes closer to a square.
#[inline]
fn closer(mv: Move, goal: Square) -> i32 {
    steps(mv.from, goal) as i32 - steps(mv.to, goal) as i32
}

/// About how many moves a man needs on an empty board.
fn leaps(role: Role, from: Square, to: Square) -> i32 {
    let files = from.file().index().abs_diff(to.file().index());
    let ranks = from.rank().index().abs_diff(to.rank().index());
    match role {
        _ if from == to => 0,
        Role::Knight => i32::from(KNIGHT_MOVES[files][ranks]),
        Role::Pawn if files == 0 => ranks as i32,
        Role::Pawn => 8,
        _ if attacks::rays(role, from).has(to) => 1,
        _ => 2,
    }
}

/// How many moves a knight needs to go so many files and ranks on a board without edges.
const KNIGHT_MOVES: [[u8; 8]; 8] = [
    [0, 3, 2, 3, 2, 3, 4, 5],
    [3, 2, 1, 2, 3, 4, 3, 4],
    [2, 1, 4, 3, 2, 3, 4, 5],
    [3, 2, 3, 2, 3, 4, 3, 4],
    [2, 3, 2, 3, 4, 3, 4, 5],
    [3, 4, 3, 4, 3, 4, 5, 4],
    [4, 3, 4, 3, 4, 5, 4, 5],
    [5, 4, 5, 4, 5, 4, 5, 6],
];
