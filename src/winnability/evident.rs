//! Heuristic shortcut: positions open enough that a helpmate certainly exists. Not a proof.

use crate::chess::bitboard::Bitboard;
use crate::chess::moves::Move;
use crate::chess::piece::{Color, Role};
use crate::chess::position::Position;
use crate::winnability::freedom::Freedom;
use crate::winnability::material::DARK;
use crate::winnability::reach::{
    ahead, diagonal_steps, king_steps, knight_leaps, reaches, spread, straight_steps,
};

/// For White and for Black, whether it is evident that the side can mate with the other side's
/// help, although no line is shown. Only `sides` are asked about; `moves` are the legal moves of
/// the position, if they have been generated.
///
/// A position is unwinnable because moves are forced, because kings or pieces are shut in, or because too little is
/// left. So four things are asked for, in this position or, if a king is in check or the moves are few, after one of the
/// moves:
///
/// - The side to move has a choice of legal moves, and by one of them, no capture and no check, leaves the other side a
///   choice. Forced moves are thus followed before a position is called open.
/// - The side to move can move without capturing and without uncovering a check, and both sides have moves to spare and
///   kings that can move.
/// - Nothing has to be captured at once.
/// - The side has a queen or rook with a way to the other king; or a pawn whose way is free, or can be freed by capturing
///   pawns with the king, who walks around what is guarded and past the other king, or with minor pieces, which nobody
///   has to capture; or pieces enough without pawns to be walled in by; or pawns on a board where no man is blocked; or
///   a corner without pawns that both kings can walk to, one past the other, and pieces that mate there, against a lone
///   bishop or knight with a man of the other side to stand in his king's way.
///
/// The sides then bring about any position they like. "No" means only that the position has to be searched. "Yes" is
/// measured, not proved: on positions that are known to be unwinnable and millions that follow from one, and on millions
/// changed from known ones, put together at random from few men, from walls of pawns, in corners or in crowds with few
/// moves, or taken from games, each "yes" was confirmed by a mating line. A claim is never upheld on it alone.
pub(crate) fn evident(position: &Position, moves: Option<&[Move]>, sides: &[Color]) -> [bool; 2] {
    let is_check = position.is_check();
    let freedom = freedom_in(position);
    let are_roomy = freedom.iter().all(|side| side.quiet.count() >= ROOMY);
    if are_roomy && !is_check {
        return are_open(&freedom, sides);
    }
    let generated;
    let moves = match moves {
        Some(moves) => moves,
        None => {
            generated = position.legal_moves();
            &generated
        }
    };
    if moves.len() >= CHOICE && !is_check {
        let open = are_open(&freedom, sides);
        let goes_on = |mv: &Move| mv.captured.is_none() && leaves_choice(&position.after(*mv));
        let goes_on = open != [false; 2] && moves.iter().any(goes_on);
        return open.map(|is_open| is_open && goes_on);
    }
    let mut evident = [false; 2];
    for &mv in moves {
        let after = position.after(mv);
        if !leaves_choice(&after) {
            continue;
        }
        let [white, black] = are_open(&freedom_in(&after), sides);
        evident = [evident[0] || white, evident[1] || black];
        if sides.iter().all(|side| evident[side.index()]) {
            break;
        }
    }
    evident
}

fn freedom_in(position: &Position) -> [Freedom<'_>; 2] {
    Color::ALL.map(|side| Freedom::of(position, side))
}

fn are_open(freedom: &[Freedom<'_>; 2], sides: &[Color]) -> [bool; 2] {
    Color::ALL.map(|side| {
        sides.contains(&side) && is_open(&freedom[side.index()], &freedom[(!side).index()])
    })
}

/// Fewer legal moves are followed one by one.
const CHOICE: usize = 3;

/// So many men with quiet moves on each side have a choice after any quiet move, which takes a
/// square from the other side's men and pins a few at most: moves need not be counted. Saves a
/// tenth of `adjudicate`.
const ROOMY: usize = 7;

/// Whether a move that led here gave no check and left a choice of moves.
fn leaves_choice(after: &Position) -> bool {
    !after.is_check() && after.legal_moves().len() >= CHOICE
}

fn is_open(winner: &Freedom<'_>, loser: &Freedom<'_>) -> bool {
    let spare = winner.spare_moves(loser).zip(loser.spare_moves(winner));
    let Some((winner_king, loser_king)) = spare else {
        return false;
    };
    let has_choice = match winner.is_to_move() {
        true => winner.has_quiet_move(loser),
        false => loser.has_quiet_move(winner),
    };
    if !has_choice {
        return false;
    }
    if winner.has_way_to(loser) {
        return true;
    }
    // A pawn has to walk first, and bare minor pieces need a king: both take room.
    let (winner_moves, loser_moves) = (winner.free.count(), loser.free.count());
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

impl Freedom<'_> {
    /// Whether a queen or rook has safe squares to choose from and, step by step over squares that no man of its own
    /// bars for good, a way to the other king.
    #[inline]
    fn has_way_to(&self, other: &Freedom<'_>) -> bool {
        let king = other.king();
        // Where many men can move, those in the way of a queen or rook can go first.
        let crowd = self.free.count() >= 4 && other.free.count() >= 4;
        let stay = if crowd {
            self.ours.without(self.free)
        } else {
            self.ours
        };
        let safe = self.heavy_attacks.without(stay | other.attacks | king);
        if !safe.many() {
            return false;
        }
        let heavy = self.ours & self.position.board().orthogonal_sliders();
        let open = !self.ours | self.free | heavy | self.king();
        let goal = king_steps(king);
        reaches(heavy, open, goal, straight_steps)
    }

    /// Whether a pawn's way to promotion is free of its own men, of pawns, and of men that cannot step aside, and the
    /// other king is not shut in before it.
    fn has_runner(&self, other: &Freedom<'_>) -> bool {
        let pawns = self.position.board().role(Role::Pawn);
        let bars = self.ours | other.ours.without(other.free | other.king()) | pawns;
        self.men(Role::Pawn).into_iter().any(|pawn| {
            let way = ahead(self.color, pawn);
            (way & bars).is_empty()
                && ((wide(way) & other.king()).is_empty()
                    || self.leaves_to(other).without(wide(way)).many())
        })
    }

    /// Where the other king can go while this one stays.
    fn leaves_to(&self, other: &Freedom<'_>) -> Bitboard {
        let open = self.open(other, Bitboard::EMPTY);
        let barred = self.guarded(open) | king_steps(self.king());
        spread(other.king(), open.without(barred), king_steps)
    }

    /// Whether two minor pieces, not both bishops on squares of one colour, have no pawn of their own around.
    fn has_two_minors(&self) -> bool {
        self.men(Role::Pawn).is_empty()
            && two_minors(self.men(Role::Knight), self.men(Role::Bishop))
    }

    /// Whether there are pawns to promote, and each man on the board can move.
    fn has_loose_pawns(&self, other: &Freedom<'_>) -> bool {
        let all_free = |side: &Freedom<'_>| side.free == side.ours.without(side.men(Role::King));
        self.men(Role::Pawn).any() && all_free(self) && all_free(other)
    }

    /// Squares where nothing stands but a king, some pawns being taken from the board.
    fn open(&self, other: &Freedom<'_>, taken: Bitboard) -> Bitboard {
        !(self.ours | other.ours).without(taken | self.king() | other.king())
    }

    /// Whether the king and free minor pieces can capture enough of the other side's pawns for one of their own to run.
    fn can_free_a_pawn(&self, other: &Freedom<'_>) -> bool {
        if self.men(Role::Pawn).is_empty() {
            return false;
        }
        if self.frees_a_pawn(other, None) {
            return true;
        }
        // The other king gets out of the way first, to two squares between which he goes to and fro.
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

    /// The same, while the other king keeps to some squares. Where that is not known, one's own king has no part in it.
    fn frees_a_pawn(&self, other: &Freedom<'_>, other_king: Option<Bitboard>) -> bool {
        let knights = self.men(Role::Knight) & self.free;
        let bishops = self.men(Role::Bishop) & self.free;
        if other_king.is_none() && (knights | bishops).is_empty() {
            return false;
        }
        let all_pawns = self.position.board().role(Role::Pawn);
        let stuck = other.ours.without(other.free | other.king());
        let kept = other_king.unwrap_or(other.king());
        let mut taken = Bitboard::EMPTY;
        loop {
            let open = self.open(other, taken);
            let mut goals = Bitboard::EMPTY;
            if other_king.is_some() {
                let barred = other.guarded(open) | king_steps(kept);
                let walk = spread(self.king(), open.without(barred), king_steps);
                goals = king_steps(walk).without(barred);
            }
            if knights.any() {
                goals |= knight_leaps(spread(knights, open, knight_leaps));
            }
            if bishops.any() {
                goals |= diagonal_steps(spread(bishops, open, diagonal_steps));
            }
            let more = taken | other.men(Role::Pawn) & goals;
            if more == taken {
                return false;
            }
            taken = more;
            let bars = (self.ours | stuck | all_pawns).without(taken);
            let is_free = |pawn| {
                let way = ahead(self.color, pawn);
                (way & bars).is_empty() && (wide(way) & kept).is_empty()
            };
            if self.men(Role::Pawn).into_iter().any(is_free) {
                return true;
            }
        }
    }

    /// Whether both kings can walk to a corner without pawns where one of them can be mated by the free minor pieces.
    fn has_corner(&self, other: &Freedom<'_>) -> bool {
        let knights = self.men(Role::Knight) & self.free;
        let bishops = self.men(Role::Bishop) & self.free;
        if (knights | bishops).is_empty() {
            return false;
        }
        // A man in his own king's way: a knight serves in all cases, and a pawn can become one.
        let shield_knights = other.men(Role::Knight) & other.free;
        let runner = other.has_runner(self);
        let other_bishops = other.men(Role::Bishop) & other.free;
        let other_rooks = other.men(Role::Rook) & other.free;
        let pawns = self.position.board().role(Role::Pawn);
        let open = self.open(other, Bitboard::EMPTY);
        let walk = open.without(other.guarded(open));
        // The other king comes first, past this one, and this one then past him.
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
            let own_color = if (corner & DARK).any() { DARK } else { !DARK };
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
                    || comes(other_rooks, straight_steps)
            };
            knight && shield_for_knight() || bishop && shield_for_bishop()
        })
    }
}

/// Squares of a file and those beside them.
fn wide(way: Bitboard) -> Bitboard {
    straight_steps(way) | way
}

/// Whether minor pieces suffice to mate a bare king.
fn two_minors(knights: Bitboard, bishops: Bitboard) -> bool {
    let colours = usize::from((bishops & DARK).any()) + usize::from(bishops.without(DARK).any());
    knights.count() + colours >= 2
}

/// Corners, the squares around them, and those from which a king helps to mate there.
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
        Bitboard(at(file, rank, 0, 0)),
        Bitboard(near),
        Bitboard(at(file, rank, 1, 2) | at(file, rank, 2, 1)),
    )
}
