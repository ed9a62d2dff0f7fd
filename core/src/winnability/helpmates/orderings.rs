//! Move orderings for the searches: towards a mate in a corner, towards a pawn break, and towards
//! what was not on the board yet.
//!
//! In a corner mate the other king stands in the corner, one's own beside him, and everything else
//! is captured or promoted on the way.

use arrayvec::ArrayVec;

use crate::chess::attacks;
use crate::chess::attacks::setwise;
use crate::chess::bitboard::Bitboard;
use crate::chess::moves::{Move, MoveKind};
use crate::chess::piece::{Color, Role};
use crate::chess::position::Position;
use crate::chess::square::{File, Rank, Square};
use crate::chess::zobrist::{self, KeyMap};
use crate::winnability::helpmates::search::MoveOrdering;

/// Squares of the men in a mate.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MatingPattern {
    /// Side that mates.
    side: Color,
    /// Square of the mated king.
    corner: Square,
    /// Square of the side's king.
    post: Square,
    /// Square from which a knight mates.
    strike: Square,
    /// Man of the other side that blocks its own king, and its square.
    shield: Option<(Role, Square)>,
    /// Whether the shield is still a pawn.
    shield_promotes: bool,
    /// Whether the side has to promote a pawn first.
    promotes: bool,
    /// By role, the squares from which it gives check, once both kings are in place.
    checks: [Bitboard; 6],
}

/// Four corners, and at most seven patterns with their shields.
pub(crate) type MatingPatterns = ArrayVec<MatingPattern, 32>;

impl MatingPattern {
    /// Patterns for a position, the nearest first.
    pub(crate) fn all(position: &Position, side: Color) -> MatingPatterns {
        let mut patterns = MatingPatterns::new();
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
            let pattern = MatingPattern {
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
                patterns.push(pattern);
                patterns.push(MatingPattern {
                    post: pattern.strike,
                    ..pattern
                });
                continue;
            };
            for mate in CORNER_MATES {
                for (role, shield_promotes) in shields.fitting(pattern.corner, &mate) {
                    patterns.push(MatingPattern {
                        post: near(mate.post),
                        strike: near(mate.strike),
                        shield: Some((role, near(mate.shield))),
                        shield_promotes,
                        ..pattern
                    });
                }
            }
        }
        let (king, helper) = (position.king(!side), position.king(side));
        patterns.sort_by_key(|pattern| steps(king, pattern.corner) + steps(helper, pattern.post));
        patterns
    }

    fn score_ours(&self, mv: Move) -> i32 {
        let mut score = match (mv.role, mv.kind) {
            (_, MoveKind::Castle) => 0,
            (_, MoveKind::Promotion(Role::Queen)) => 4,
            (_, MoveKind::Promotion(_)) => 1,
            (Role::King, _) => 2 * closer(mv, self.post),
            (Role::Pawn, _) if self.promotes => 2,
            (Role::Knight, _) if self.shield.is_some() => {
                // One leap away, so that the king can come.
                let away = |at| (leaps(Role::Knight, at, self.strike) - 1).abs();
                away(mv.from) - away(mv.to)
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
            score += if is_shield { -3 } else { 1 };
        }
        if self.checks[mv.promotion().unwrap_or(mv.role).index()].has(mv.to) {
            score += 3;
        }
        score
    }

    fn score_theirs(&self, mv: Move) -> i32 {
        let mut score = if mv.captured.is_some() { -3 } else { 0 };
        match (self.shield, mv.kind) {
            (Some((role, _)), MoveKind::Promotion(becomes)) if self.shield_promotes => {
                score += if becomes == role { 4 } else { -1 };
            }
            (_, MoveKind::Promotion(_)) => score -= 1,
            (_, MoveKind::Castle) => {}
            _ if mv.role == Role::King => score += 2 * closer(mv, self.corner),
            (Some(_), _) if self.shield_promotes && mv.role == Role::Pawn => score += 1,
            (Some((role, square)), _) if role == mv.role => {
                score += leaps(role, mv.from, square) - leaps(role, mv.to, square);
            }
            _ => {}
        }
        score
    }
}

impl MoveOrdering for MatingPattern {
    #[inline]
    fn prepare(&mut self, position: &Position) {
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
    fn score(&self, position: &Position, mv: Move) -> i32 {
        if position.turn() == self.side {
            self.score_ours(mv)
        } else {
            self.score_theirs(mv)
        }
    }
}

/// Mate in a corner by king and minor piece, with a man of the mated side in its king's way.
/// Squares are counted in files and ranks from the corner.
struct CornerMate {
    post: [usize; 2],
    strike: [usize; 2],
    shield: [usize; 2],
    /// Possible shields when a knight mates: they do not attack its square.
    against_knight: &'static [Role],
    /// Possible shields when a bishop mates: they cannot interpose.
    against_bishop: &'static [Role],
}

const CORNER_MATES: [CornerMate; 4] = [
    CornerMate {
        post: [1, 2],
        strike: [2, 1],
        shield: [1, 0],
        against_knight: &[Role::Knight, Role::Rook],
        against_bishop: &[Role::Knight, Role::Bishop],
    },
    CornerMate {
        post: [2, 1],
        strike: [1, 2],
        shield: [0, 1],
        against_knight: &[Role::Knight, Role::Rook, Role::Pawn],
        against_bishop: &[Role::Knight, Role::Bishop, Role::Pawn],
    },
    CornerMate {
        post: [0, 2],
        strike: [1, 2],
        shield: [1, 0],
        against_knight: &[Role::Bishop],
        against_bishop: &[],
    },
    CornerMate {
        post: [2, 0],
        strike: [2, 1],
        shield: [0, 1],
        against_knight: &[Role::Bishop],
        against_bishop: &[],
    },
];

/// Men that can block a king whom a single knight, or bishops on one square colour, are to mate.
struct Shields {
    /// Squares that the bishops can reach; `None` for a knight, which reaches all.
    bishops: Option<Bitboard>,
    /// Roles that the other side has.
    present: ArrayVec<Role, 6>,
}

impl Shields {
    /// `None` if the side needs no shield.
    fn of(position: &Position, side: Color) -> Option<Shields> {
        let board = position.board();
        let men = board.color(side);
        let knights = (men & board.role(Role::Knight)).count();
        let bishops = men & board.role(Role::Bishop);
        let dark = usize::from((bishops & Bitboard::DARK_SQUARES).any());
        let light = usize::from((bishops & Bitboard::LIGHT_SQUARES).any());
        let others = men & (board.orthogonal_sliders() | board.role(Role::Pawn));
        if others.any() || knights + dark + light != 1 {
            return None;
        }
        Some(Shields {
            bishops: bishops.any().then_some(match dark {
                1 => Bitboard::DARK_SQUARES,
                _ => Bitboard::LIGHT_SQUARES,
            }),
            present: Role::ALL
                .into_iter()
                .filter(|&role| board.of(!side, role).any())
                .collect(),
        })
    }

    /// Roles that can be the shield in a corner, and whether a pawn has to promote first.
    fn fitting(&self, corner: Square, mate: &CornerMate) -> impl Iterator<Item = (Role, bool)> {
        let fit = match self.bishops {
            None => mate.against_knight,
            Some(corners) if corners.has(corner) => mate.against_bishop,
            Some(_) => &[],
        };
        let has = |role| self.present.contains(&role);
        fit.iter()
            .map(move |&role| (role, !has(role)))
            .filter(move |&(role, is_absent)| !is_absent || role != Role::Pawn && has(Role::Pawn))
    }
}

/// Distance of two squares in king's steps.
#[inline]
fn steps(a: Square, b: Square) -> usize {
    let files = a.file().index().abs_diff(b.file().index());
    let ranks = a.rank().index().abs_diff(b.rank().index());
    files.max(ranks)
}

/// Steps by which a king's move comes closer to a square.
#[inline]
fn closer(mv: Move, goal: Square) -> i32 {
    steps(mv.from, goal) as i32 - steps(mv.to, goal) as i32
}

/// Estimate of the moves that a man needs on an empty board.
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

/// Moves of a knight across a number of files and ranks, on a board without edges.
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

/// Breaks a wall of pawns, by sacrifice if need be, so that a blocked pawn gets a way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PawnBreak {
    /// Side whose pawns get a way.
    side: Color,
    /// Squares attacked by the pawns of the side not to move: a pawn that captures there leaves its
    /// file.
    offered: Bitboard,
    /// Squares that are closer to a pawn that the king to move can capture.
    closer: Bitboard,
}

impl PawnBreak {
    pub(crate) fn new(side: Color) -> PawnBreak {
        PawnBreak {
            side,
            offered: Bitboard::EMPTY,
            closer: Bitboard::EMPTY,
        }
    }
}

impl MoveOrdering for PawnBreak {
    #[inline]
    fn prepare(&mut self, position: &Position) {
        let (us, them) = (position.turn(), !position.turn());
        let board = position.board();
        let pawns = board.of(them, Role::Pawn);
        self.offered = setwise::pawns(them, pawns);
        let open = !(self.offered | board.of(us, Role::Pawn));
        let king = Bitboard::of(position.king(us));
        let mut reached = pawns.without(self.offered);
        self.closer = Bitboard::EMPTY;
        while (reached & king).is_empty() {
            self.closer = reached;
            reached |= setwise::king_steps(reached) & open;
            if reached == self.closer {
                self.closer = Bitboard::EMPTY;
                break;
            }
        }
    }

    #[inline]
    fn score(&self, position: &Position, mv: Move) -> i32 {
        let ours = position.turn() == self.side;
        match (mv.role, mv.captured) {
            _ if matches!(mv.kind, MoveKind::Promotion(_)) => 4,
            // A pawn that captures leaves its file.
            (Role::Pawn, Some(_)) => 3,
            (Role::Pawn, None) => score_push(position, mv),
            (_, Some(Role::Pawn)) if ours => 3,
            (_, Some(_)) => 0,
            (Role::King, None) => 2 * i32::from(self.closer.has(mv.to)) - 1,
            (_, None) => 2 * i32::from(self.offered.has(mv.to)),
        }
    }
}

/// Score of a pawn's move without a capture. Towards a pawn on the same file there are few steps,
/// which may be all the moves that a side has to wait with.
fn score_push(position: &Position, mv: Move) -> i32 {
    let us = position.turn();
    let ahead = setwise::in_front(us, mv.from);
    match steps(mv.from, mv.to) {
        _ if (ahead & position.board().of(!us, Role::Pawn)).is_empty() => 1,
        1 => -1,
        _ => -2,
    }
}

/// Prefers moves that bring a man to a square where none of its kind stood before, as long as the
/// pawns and the numbers of men were the same and the same side was to move.
///
/// Width-based search (Lipovetzky and Geffner 2012): the ways of single men are searched, not all
/// their combinations.
#[derive(Default)]
pub(crate) struct Novelty {
    /// By pawns and numbers of men, side to move, colour and role.
    seen: KeyMap<[[[Bitboard; 6]; 2]; 2]>,
    /// Squares seen with the position's pawns and men, and the other side to move.
    known: [Bitboard; 6],
}

impl MoveOrdering for Novelty {
    fn prepare(&mut self, position: &Position) {
        let board = position.board();
        let mut key =
            board.role(Role::Pawn).bits() ^ zobrist::mix(board.of(Color::White, Role::Pawn).bits());
        let mut men = 0;
        for color in Color::ALL {
            for role in Role::ALL {
                men = 16 * men + board.of(color, role).count() as u64;
            }
        }
        key = zobrist::mix(key) ^ men;
        let turn = position.turn();
        let seen = self.seen.entry(key).or_default();
        for color in Color::ALL {
            for role in Role::ALL {
                seen[turn.index()][color.index()][role.index()] |= board.of(color, role);
            }
        }
        self.known = seen[(!turn).index()][turn.index()];
    }

    #[inline]
    fn score(&self, _: &Position, mv: Move) -> i32 {
        if mv.is_zeroing() {
            0
        } else if self.known[mv.role.index()].has(mv.to) {
            -1
        } else {
            1
        }
    }
}
