//! Heuristic for open positions, in which a helpmate certainly exists. Not a proof.

use crate::chess::attacks;
use crate::chess::attacks::setwise::{
    self, diagonal_steps, fill, in_front, king_steps, knight_leaps, orthogonal_steps, reaches,
};
use crate::chess::bitboard::Bitboard;
use crate::chess::moves::Move;
use crate::chess::piece::{Color, Role};
use crate::chess::position::Position;

/// For White and for Black, whether the position is so open that the side can mate with the other
/// side's help. Only `sides` are tested.
///
/// A position is unwinnable because moves are forced, because kings or pieces are shut in, or
/// because of insufficient material. The heuristic therefore requires all of the following, in this
/// position or, if a king is in check or there are few moves, after one of the moves:
///
/// - The side to move has several legal moves, and one of them, neither a capture nor a check,
///   leaves the other side several. Forced moves are thus followed before a position is accepted.
/// - The side to move has a move that neither captures nor discovers a check, and both sides have
///   spare moves and kings that can move.
/// - No capture is forced.
/// - The side has one of these: a queen or rook with a path to the other king; a pawn whose path is
///   free, or can be freed by the king, who avoids guarded squares and the other king, or by minor
///   pieces; two minor pieces and no pawns of its own; pawns on a board where no man is blocked; a
///   corner without pawns that both kings can reach, and pieces that mate there, a lone bishop or
///   knight with the help of a man of the other side that blocks its king.
///
/// Both sides can then reach any position they like. "No" only means that the position has to be
/// searched. "Yes" is measured, not proved: a mating line confirmed it on positions known to be
/// unwinnable and millions that follow from them, and on millions derived from known ones, random
/// ones with few men, pawn walls, corners or crowds, and positions from games. No claim is upheld
/// on it alone.
pub(crate) fn open_for(position: &Position, sides: &[Color]) -> [bool; 2] {
    let is_check = position.is_check();
    let mobility = mobility_in(position);
    let are_roomy = mobility.iter().all(|side| side.quiet.count() >= ROOMY);
    if are_roomy && !is_check {
        return are_open(&mobility, sides);
    }
    let moves = position.legal_moves();
    if moves.len() >= CHOICE && !is_check {
        let open = are_open(&mobility, sides);
        let goes_on = |mv: &Move| mv.captured.is_none() && leaves_choice(&position.after(*mv));
        let goes_on = open != [false; 2] && moves.iter().any(goes_on);
        return open.map(|is_open| is_open && goes_on);
    }
    let mut open = [false; 2];
    for mv in moves {
        let after = position.after(mv);
        if !leaves_choice(&after) {
            continue;
        }
        let [white, black] = are_open(&mobility_in(&after), sides);
        open = [open[0] || white, open[1] || black];
        if sides.iter().all(|side| open[side.index()]) {
            break;
        }
    }
    open
}

fn mobility_in(position: &Position) -> [Mobility<'_>; 2] {
    Color::ALL.map(|side| Mobility::of(position, side))
}

fn are_open(mobility: &[Mobility<'_>; 2], sides: &[Color]) -> [bool; 2] {
    Color::ALL.map(|side| {
        sides.contains(&side) && is_open(&mobility[side.index()], &mobility[(!side).index()])
    })
}

/// With fewer legal moves, each is followed.
const CHOICE: usize = 3;

/// With this many men with quiet moves a side has several moves after any quiet move of the other,
/// which takes away a square and pins a few men at most, so that moves need not be counted. Saves a
/// tenth of `adjudicate`.
const ROOMY: usize = 7;

/// Whether the side to move is not in check and has several moves.
fn leaves_choice(after: &Position) -> bool {
    !after.is_check() && after.count_legal_moves() >= CHOICE
}

fn is_open(winner: &Mobility<'_>, loser: &Mobility<'_>) -> bool {
    let spare = winner.spare_moves(loser).zip(loser.spare_moves(winner));
    let Some((winner_king, loser_king)) = spare else {
        return false;
    };
    let has_choice = if winner.position.turn() == winner.color {
        winner.has_quiet_move(loser)
    } else {
        loser.has_quiet_move(winner)
    };
    if !has_choice {
        return false;
    }
    if winner.has_way_to(loser) {
        return true;
    }
    // A pawn has to advance first, and minor pieces need their king.
    let (winner_moves, loser_moves) = (winner.mobile.count(), loser.mobile.count());
    if winner_king + winner_moves < 3 || loser_king + loser_moves < 2 {
        return false;
    }
    if winner.has_runner(loser) {
        return true;
    }
    if winner_king < 2 || loser_king < 2 {
        return false;
    }
    winner.has_two_minors()
        || winner.has_loose_pawns(loser)
        || winner.can_free_a_pawn(loser)
        || winner.has_corner(loser)
}

impl Mobility<'_> {
    /// Whether a queen or rook has several safe squares and a path to the other king that no man of
    /// its own bars for good.
    #[inline]
    fn has_way_to(&self, other: &Mobility<'_>) -> bool {
        let king = other.king();
        // If many men can move, those in the way of a queen or rook can go first.
        let crowd = self.mobile.count() >= 4 && other.mobile.count() >= 4;
        let stay = if crowd {
            self.ours.without(self.mobile)
        } else {
            self.ours
        };
        let safe = self.heavy_attacks.without(stay | other.attacks | king);
        if !safe.many() {
            return false;
        }
        let heavy = self.ours & self.position.board().orthogonal_sliders();
        let open = !self.ours | self.mobile | heavy | self.king();
        let goal = king_steps(king);
        reaches(heavy, open, goal, orthogonal_steps)
    }

    /// Whether a pawn's path to promotion is free of its own men, of pawns, and of men that cannot
    /// move, and the other king is not shut in on it.
    fn has_runner(&self, other: &Mobility<'_>) -> bool {
        let pawns = self.position.board().role(Role::Pawn);
        let bars = self.ours | other.ours.without(other.mobile | other.king()) | pawns;
        self.men(Role::Pawn).into_iter().any(|pawn| {
            let way = in_front(self.color, pawn);
            (way & bars).is_empty()
                && ((wide(way) & other.king()).is_empty()
                    || self.leaves_to(other).without(wide(way)).many())
        })
    }

    /// Squares that the other king can reach while this one stays.
    fn leaves_to(&self, other: &Mobility<'_>) -> Bitboard {
        let open = self.open(other, Bitboard::EMPTY);
        let barred = self.guarded(open) | king_steps(self.king());
        fill(other.king(), open.without(barred), king_steps)
    }

    /// Whether there are two minor pieces, not both bishops on one square colour, and no pawns.
    fn has_two_minors(&self) -> bool {
        let bishops = self.men(Role::Bishop);
        let colours = [Bitboard::DARK_SQUARES, Bitboard::LIGHT_SQUARES];
        let colours = colours
            .into_iter()
            .filter(|&squares| (bishops & squares).any());
        self.men(Role::Pawn).is_empty() && self.men(Role::Knight).count() + colours.count() >= 2
    }

    /// Whether there are pawns, and each man on the board can move.
    fn has_loose_pawns(&self, other: &Mobility<'_>) -> bool {
        let all_free = |side: &Mobility<'_>| side.mobile == side.ours.without(side.men(Role::King));
        self.men(Role::Pawn).any() && all_free(self) && all_free(other)
    }

    /// Squares that are empty, hold a king, or hold one of the `taken` pawns.
    fn open(&self, other: &Mobility<'_>, taken: Bitboard) -> Bitboard {
        !(self.ours | other.ours).without(taken | self.king() | other.king())
    }

    /// Whether king and mobile minor pieces can capture enough pawns for one of their own to
    /// promote.
    fn can_free_a_pawn(&self, other: &Mobility<'_>) -> bool {
        if self.men(Role::Pawn).is_empty() {
            return false;
        }
        // If no pawn can be freed without the other king, none can with it on any square. In most
        // searches this decides.
        if !self.frees_a_pawn(other, Some(Bitboard::EMPTY)) {
            return false;
        }
        if self.frees_a_pawn(other, None) {
            return true;
        }
        // The other king first gets out of the way, to two squares between which it moves.
        let away = self.leaves_to(other);
        away.into_iter().any(|square| {
            let square = Bitboard::of(square);
            let beside = (king_steps(square) & away).without(square);
            match beside.first() {
                Some(beside) => self.frees_a_pawn(other, Some(square | Bitboard::of(beside))),
                None => false,
            }
        })
    }

    /// As [`Mobility::can_free_a_pawn`], with the other king on some squares; if `None`, one's own
    /// king does not help.
    fn frees_a_pawn(&self, other: &Mobility<'_>, other_king: Option<Bitboard>) -> bool {
        let knights = self.men(Role::Knight) & self.mobile;
        let bishops = self.men(Role::Bishop) & self.mobile;
        if other_king.is_none() && (knights | bishops).is_empty() {
            return false;
        }
        let all_pawns = self.position.board().role(Role::Pawn);
        let stuck = other.ours.without(other.mobile | other.king());
        let kept = other_king.unwrap_or(other.king());
        let mut taken = Bitboard::EMPTY;
        loop {
            let open = self.open(other, taken);
            let mut goals = Bitboard::EMPTY;
            if other_king.is_some() {
                let barred = other.guarded(open) | king_steps(kept);
                let walk = fill(self.king(), open.without(barred), king_steps);
                goals = king_steps(walk).without(barred);
            }
            if knights.any() {
                goals |= knight_leaps(fill(knights, open, knight_leaps));
            }
            if bishops.any() {
                goals |= diagonal_steps(fill(bishops, open, diagonal_steps));
            }
            let more = taken | other.men(Role::Pawn) & goals;
            if more == taken {
                return false;
            }
            taken = more;
            let bars = (self.ours | stuck | all_pawns).without(taken);
            let is_free = |pawn| {
                let way = in_front(self.color, pawn);
                (way & bars).is_empty() && (wide(way) & kept).is_empty()
            };
            if self.men(Role::Pawn).into_iter().any(is_free) {
                return true;
            }
        }
    }

    /// Whether both kings can walk to a corner without pawns where the mobile minor pieces can
    /// mate.
    fn has_corner(&self, other: &Mobility<'_>) -> bool {
        let knights = self.men(Role::Knight) & self.mobile;
        let bishops = self.men(Role::Bishop) & self.mobile;
        if (knights | bishops).is_empty() {
            return false;
        }
        // A man that blocks its own king: a knight always does, and a pawn can become one.
        let shield_knights = other.men(Role::Knight) & other.mobile;
        let runner = other.has_runner(self);
        let other_bishops = other.men(Role::Bishop) & other.mobile;
        let other_rooks = other.men(Role::Rook) & other.mobile;
        let pawns = self.position.board().role(Role::Pawn);
        let open = self.open(other, Bitboard::EMPTY);
        let walk = open.without(other.guarded(open));
        // The other king comes first, past this one, and then this one past it.
        let other_walk = self.leaves_to(other);
        CORNERS.iter().any(|&(corner, near, posts)| {
            if (near & pawns).any() || (other_walk & corner).is_empty() {
                return false;
            }
            let walk = walk.without(king_steps(corner));
            if !reaches(self.king(), walk, posts, king_steps) {
                return false;
            }
            let comes = |men, step: fn(Bitboard) -> Bitboard| reaches(men, open, near, step);
            let own_color = if (corner & Bitboard::DARK_SQUARES).any() {
                Bitboard::DARK_SQUARES
            } else {
                Bitboard::LIGHT_SQUARES
            };
            let (good, bad) = (bishops & own_color, bishops.without(own_color));
            let knight = comes(knights, knight_leaps);
            let bishop = comes(good, diagonal_steps);
            if knight && bishop
                || (bishop || knight) && comes(bad, diagonal_steps)
                || knights.many() && knight
            {
                return true;
            }
            let knight_shield = runner || comes(shield_knights, knight_leaps);
            let shield_for_bishop =
                || knight_shield || comes(other_bishops.without(own_color), diagonal_steps);
            let shield_for_knight = || {
                knight_shield
                    || comes(other_bishops, diagonal_steps)
                    || comes(other_rooks, orthogonal_steps)
            };
            knight && shield_for_knight() || bishop && shield_for_bishop()
        })
    }
}

/// Squares of a path and those beside them.
fn wide(way: Bitboard) -> Bitboard {
    orthogonal_steps(way) | way
}

/// Corners, the squares around them, and those from which a king helps to mate.
const CORNERS: [(Bitboard, Bitboard, Bitboard); 4] =
    [corner(0, 0), corner(7, 0), corner(0, 7), corner(7, 7)];

const fn corner(file: u32, rank: u32) -> (Bitboard, Bitboard, Bitboard) {
    const fn at(file: u32, rank: u32, files: u32, ranks: u32) -> u64 {
        1 << (8 * rank.abs_diff(ranks) + file.abs_diff(files))
    }
    let mut near = 0;
    let mut files = 0;
    while files < 4 {
        let mut ranks = 0;
        while ranks < 4 {
            near |= at(file, rank, files, ranks);
            ranks += 1;
        }
        files += 1;
    }
    (
        Bitboard::new(at(file, rank, 0, 0)),
        Bitboard::new(near),
        Bitboard::new(at(file, rank, 1, 2) | at(file, rank, 2, 1)),
    )
}

/// Moves that one side's men have.
struct Mobility<'a> {
    position: &'a Position,
    color: Color,
    /// The side's men.
    ours: Bitboard,
    /// Squares they attack.
    attacks: Bitboard,
    /// Squares attacked by men that cannot go elsewhere: pawns and blocked pieces.
    fixed_attacks: Bitboard,
    /// Men other than the king that can move and are not pinned.
    mobile: Bitboard,
    /// Mobile men that can move without capturing.
    quiet: Bitboard,
    /// Squares attacked by queens and rooks.
    heavy_attacks: Bitboard,
}

impl Mobility<'_> {
    #[inline]
    fn of(position: &Position, color: Color) -> Mobility<'_> {
        let board = position.board();
        let occupied = board.occupied();
        let ours = board.color(color);
        let king = position.king(color);
        let pawns = ours & board.role(Role::Pawn);
        let mut fixed_attacks = setwise::pawns(color, pawns);
        let mut all = fixed_attacks | attacks::king(king);
        let pushed = pawns & (!occupied).back(color);
        let mut quiet = pushed;
        let mut mobile = pushed | pawns & setwise::pawns(!color, board.color(!color));
        let mut heavy_attacks = Bitboard::EMPTY;
        let straight = board.orthogonal_sliders();
        let diagonal = board.diagonal_sliders();
        for from in ours.without(pawns | Bitboard::of(king)) {
            let attacked = if (straight & diagonal).has(from) {
                attacks::queen(from, occupied)
            } else if straight.has(from) {
                attacks::rook(from, occupied)
            } else if diagonal.has(from) {
                attacks::bishop(from, occupied)
            } else {
                attacks::knight(from)
            };
            all |= attacked;
            if attacked.without(ours).is_empty() {
                fixed_attacks |= attacked;
            } else {
                mobile |= Bitboard::of(from);
                if attacked.without(occupied).any() {
                    quiet |= Bitboard::of(from);
                }
            }
            if straight.has(from) {
                heavy_attacks |= attacked;
            }
        }
        let pinned = position.pinned_men(color);
        Mobility {
            position,
            color,
            ours,
            attacks: all,
            fixed_attacks,
            mobile: mobile.without(pinned),
            quiet: quiet.without(pinned),
            heavy_attacks,
        }
    }

    #[inline]
    fn men(&self, role: Role) -> Bitboard {
        self.ours & self.position.board().role(role)
    }

    #[inline]
    fn king(&self) -> Bitboard {
        Bitboard::of(self.position.king(self.color))
    }

    /// Squares guarded for good if some squares are open: by pawns, blocked pieces, and pieces in a
    /// cage.
    fn guarded(&self, open: Bitboard) -> Bitboard {
        let board = self.position.board();
        let pieces = self.mobile.without(board.role(Role::Pawn));
        let mut guarded = self.fixed_attacks;
        for piece in pieces {
            let step = match board.role_on(piece) {
                Some(Role::Bishop) => diagonal_steps,
                Some(Role::Rook) => orthogonal_steps,
                Some(Role::Knight) => knight_leaps,
                _ => king_steps,
            };
            let cage = fill(Bitboard::of(piece), open, step);
            if cage.count() < CAGE {
                guarded |= step(cage);
            }
        }
        guarded
    }

    /// Whether a man can move without capturing and without discovering a check, by an estimate.
    #[inline]
    fn has_quiet_move(&self, other: &Mobility<'_>) -> bool {
        let taken = self.ours | other.ours | other.attacks;
        let king = self.king();
        let mut movable = self.quiet;
        if king_steps(king).without(taken).any() {
            movable |= king;
        }
        movable.without(self.discoverers()).any()
    }

    /// Men whose moves discover a check.
    #[inline]
    fn discoverers(&self) -> Bitboard {
        let board = self.position.board();
        let king = self.position.king(!self.color);
        let theirs = board.color(!self.color);
        let lines = attacks::rook(king, theirs) & board.orthogonal_sliders()
            | attacks::bishop(king, theirs) & board.diagonal_sliders();
        (lines & self.ours)
            .into_iter()
            .fold(Bitboard::EMPTY, |found, piece| {
                let between = attacks::between(king, piece) & self.ours;
                if between.many() {
                    found
                } else {
                    found | between
                }
            })
    }

    /// Number of squares for the king, now or after a man of its own has moved. `None` if the king
    /// is shut in, unless by men that can move away while others can move too.
    #[inline]
    fn spare_moves(&self, other: &Mobility<'_>) -> Option<usize> {
        let near = attacks::king(self.position.king(self.color))
            .without(other.ours)
            .without(self.ours.without(self.mobile));
        let safe = near.without(other.attacks).count();
        let fixed = other.fixed_attacks | attacks::king(self.position.king(other.color));
        let shut_in = near.without(fixed).is_empty() || self.mobile.count() < 3;
        (safe > 0 || !shut_in).then_some(safe)
    }
}

/// A piece that can reach fewer squares is caged.
const CAGE: usize = 6;
