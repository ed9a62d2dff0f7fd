//! What to aim for when looking for a mate: both kings near a corner, and everything else taken or promoted on the way.

use arrayvec::ArrayVec;

use super::material::DARK;
use crate::rules::attacks;
use crate::rules::bitboard::Bitboard;
use crate::rules::board::Board;
use crate::rules::moves::{Move, MoveKind};
use crate::rules::piece::{Color, Role};
use crate::rules::position::Position;
use crate::rules::square::{File, Rank, Square};

/// How promising a move is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Gain(i32);

impl Gain {
    /// What it costs to play a move that is not the most promising one.
    pub(super) fn cost(self) -> usize {
        match self.0 {
            1.. => 0,
            0 => 1,
            _ => 3,
        }
    }
}

/// Where the men should go.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    /// The side that shall mate.
    side: Color,
    /// Where the other king is to be mated.
    corner: Square,
    /// Where the king of the side helps.
    post: Square,
    /// A man of the other side that bars its king's way there.
    shield: Option<(Role, Square)>,
    /// Whether pawns have to promote first.
    promotes: bool,
    checks: [Bitboard; 6],
}

/// Room for each corner, each of the two squares from which a king covers it, and each of two shields.
pub(super) type Plans = ArrayVec<Plan, 32>;

impl Plan {
    /// The plans for a position, the shortest first.
    pub(super) fn of(position: &Position, side: Color) -> Plans {
        let board = position.board();
        let men = board.color(side);
        let promotes = (men & board.straight_sliders()).is_empty();
        let mut plans = Plans::new();
        for [file, rank] in [[0, 0], [7, 0], [0, 7], [7, 7]] {
            let inward = |edge: usize, by: usize| if edge == 0 { by } else { 7 - by };
            let near = |files, ranks| {
                Square::at(
                    File::new(inward(file, files)),
                    Rank::new(inward(rank, ranks)),
                )
            };
            let corner = near(0, 0);
            for (post, shielded) in [(near(1, 2), near(1, 0)), (near(2, 1), near(0, 1))] {
                let mut add = |shield| {
                    plans.push(Plan {
                        side,
                        corner,
                        post,
                        shield,
                        promotes,
                        checks: [Bitboard::EMPTY; 6],
                    });
                };
                if needs_shield(board, side) {
                    for role in [Role::Knight, Role::Bishop, Role::Rook] {
                        if (board.of(!side, role)).any() {
                            add(Some((role, shielded)));
                        }
                    }
                    if board.of(!side, Role::Pawn).any() {
                        add(Some((Role::Pawn, shielded)));
                    }
                } else {
                    add(None);
                }
            }
        }
        let king = position.king(!side);
        let helper = position.king(side);
        plans.sort_by_key(|plan| steps(king, plan.corner) + steps(helper, plan.post));
        plans
    }

    /// Looks at a position before its moves are weighed.
    pub(super) fn look(&mut self, position: &Position) {
        let us = position.turn();
        if us != self.side {
            return;
        }
        let king = position.king(!us);
        let occupied = position.board().occupied();
        let straight = attacks::rook(king, occupied);
        let diagonal = attacks::bishop(king, occupied);
        let near = steps(position.king(us), self.post) + steps(king, self.corner) <= 1;
        self.checks = if near {
            [
                attacks::pawn(!us, king),
                attacks::knight(king),
                diagonal,
                straight,
                straight | diagonal,
                Bitboard::EMPTY,
            ]
        } else {
            [Bitboard::EMPTY; 6]
        };
    }

    /// What a move of the position last looked at is worth.
    pub(super) fn weigh(&self, position: &Position, mv: Move) -> Gain {
        let mut gain = 0;
        let closer = |goal| steps(mv.from, goal) as i32 - steps(mv.to, goal) as i32;
        if position.turn() == self.side {
            if mv.role == Role::King && mv.kind != MoveKind::Castle {
                gain += 2 * closer(self.post);
            }
            if mv.captured.is_some() {
                gain += if self
                    .shield
                    .is_some_and(|(role, _)| mv.captured == Some(role))
                {
                    -1
                } else {
                    1
                };
            }
            match mv.kind {
                MoveKind::Promotion(Role::Queen) => gain += 4,
                MoveKind::Promotion(_) => gain += 1,
                _ if mv.role == Role::Pawn && self.promotes => gain += 2,
                _ => {}
            }
            if self.checks[mv.promotion().unwrap_or(mv.role).index()].has(mv.to) {
                gain += 3;
            }
        } else {
            if mv.role == Role::King && mv.kind != MoveKind::Castle {
                gain += 2 * closer(self.corner);
            }
            if let Some((role, square)) = self.shield
                && role == mv.role
            {
                gain +=
                    i32::from(leaps(role, mv.from, square)) - i32::from(leaps(role, mv.to, square));
            }
            if mv.captured.is_some() {
                gain -= 3;
            }
            if mv.promotion().is_some() {
                gain -= 1;
            }
        }
        Gain(gain)
    }
}

/// Whether the side can mate only a king that its own men hem in.
fn needs_shield(board: &Board, side: Color) -> bool {
    let men = board.color(side);
    let heavy = men & (board.straight_sliders() | board.role(Role::Pawn));
    let bishops = men & board.role(Role::Bishop);
    let one_colour = (bishops & DARK).is_empty() || bishops.without(DARK).is_empty();
    let knights = (men & board.role(Role::Knight)).count();
    heavy.is_empty() && one_colour && knights + usize::from(bishops.any()) < 2
}

/// How many king's steps lie between two squares.
fn steps(a: Square, b: Square) -> usize {
    let files = a.file().index().abs_diff(b.file().index());
    let ranks = a.rank().index().abs_diff(b.rank().index());
    files.max(ranks)
}

/// How many moves a piece needs on an empty board, not counted beyond what tells near from far.
fn leaps(role: Role, from: Square, to: Square) -> u8 {
    match role {
        _ if from == to => 0,
        Role::Knight => KNIGHT_MOVES[from.index()][to.index()],
        Role::Pawn => {
            if from.file() == to.file() {
                from.rank().index().abs_diff(to.rank().index()) as u8
            } else {
                8
            }
        }
        _ if attacks::rays(role, from).has(to) => 1,
        _ => 2,
    }
}

static KNIGHT_MOVES: [[u8; 64]; 64] = knight_moves();

const fn knight_moves() -> [[u8; 64]; 64] {
    let mut table = [[u8::MAX; 64]; 64];
    let mut from = 0;
    while from < 64 {
        let mut reached = 1_u64 << from;
        let mut moves = 0;
        while reached != 0 {
            let mut next = 0;
            let mut to = 0;
            while to < 64 {
                if reached >> to & 1 != 0 && table[from][to] == u8::MAX {
                    table[from][to] = moves;
                    let at = 1_u64 << to;
                    let not_a = at & 0xfefe_fefe_fefe_fefe;
                    let not_ab = at & 0xfcfc_fcfc_fcfc_fcfc;
                    let not_h = at & 0x7f7f_7f7f_7f7f_7f7f;
                    let not_gh = at & 0x3f3f_3f3f_3f3f_3f3f;
                    next |= not_a << 15 | not_a >> 17 | not_h << 17 | not_h >> 15;
                    next |= not_ab << 6 | not_ab >> 10 | not_gh << 10 | not_gh >> 6;
                }
                to += 1;
            }
            reached = next;
            moves += 1;
            if moves > 8 {
                break;
            }
        }
        from += 1;
    }
    table
}
