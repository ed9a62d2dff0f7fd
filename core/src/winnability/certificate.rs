//! Certificates that a side cannot win, and their checker.
//!
//! The checker shares nothing with the searches that produce certificates but the move generator,
//! the attack tables and the test for a possible mate. It is slow, but short enough to be reviewed.

use std::collections::{HashMap, HashSet};

use crate::chess::attacks;
use crate::chess::bitboard::Bitboard;
use crate::chess::board::Board;
use crate::chess::moves::Move;
use crate::chess::packed::PackedPosition;
use crate::chess::piece::{Color, Piece, Role};
use crate::chess::position::Position;
use crate::chess::setup::Setup;
use crate::chess::square::{Rank, Square};
use crate::winnability::confinement::{After, ConfinedMan, Confinement, KingPairs};

/// Proof that a side cannot win: a set of positions, closed under legal moves, that holds the
/// position in question and no mate by the side.
///
/// Positions are listed one by one or given as sets in which each man is confined to a region.
/// Moves are not followed from positions in which the side has insufficient material.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Certificate {
    pub(crate) root: Position,
    pub(crate) side: Color,
    pub(crate) positions: Vec<PackedPosition>,
    pub(crate) confinements: Vec<Confinement>,
}

/// Fault of a certificate.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CertificateFault {
    /// The position in question is not in the set.
    #[error("the position is not in its own set")]
    RootMissing,
    /// The position in question, or a listed one, is mate by the side.
    #[error("`{0}` is mate")]
    Mate(Box<Position>),
    /// An element of the list is not a position.
    #[error("the set holds something that is no position")]
    NotAPosition,
    /// A legal move leads out of the set.
    #[error(
        "`{uci}` in `{position}` leads out of the set",
        uci = .1.uci(.0.castling_mode()),
        position = .0
    )]
    Open(Box<Position>, Move),
    /// A confinement, by its number in the list from 0, may hold a mate.
    #[error("confinement {0} may hold a mate")]
    MateInside(usize),
    /// A move in a confinement may lead out of the set, or to a mate.
    #[error("a move may leave confinement {0}")]
    Leak(usize),
    /// Castling may become possible in a confinement.
    #[error("castling may be possible in confinement {0}")]
    Castling(usize),
}

impl Certificate {
    /// Number of listed positions, and of confinements.
    pub fn size(&self) -> (usize, usize) {
        (self.positions.len(), self.confinements.len())
    }

    /// Verifies the certificate by the rules alone.
    ///
    /// No listed position is a mate by the side, and every legal move leads to a position of the
    /// set. No confinement may hold a mate, and every move that a man in it may have, pins and
    /// checks disregarded, leads to no mate and into a confinement of the list. Two kinds of moves
    /// lead nowhere: those that mate the side, and checks by its last man if every reply captures
    /// it.
    ///
    /// # Errors
    ///
    /// The first fault.
    pub fn verify(&self) -> Result<(), CertificateFault> {
        let setups: Vec<Setup> = self.positions.iter().map(setup).collect();
        let listed: HashSet<Identity> = setups.iter().map(identity).collect();
        let mut by_pawns: HashMap<[Bitboard; 2], Vec<&Confinement>> = HashMap::new();
        for confinement in &self.confinements {
            by_pawns
                .entry(confinement.pawns())
                .or_default()
                .push(confinement);
        }
        let group = |pawns| by_pawns.get(&pawns).map_or(&[][..], |group| group);
        let holds = |position: &Position| {
            let board = position.board();
            let pawns = Color::ALL.map(|color| board.of(color, Role::Pawn));
            listed.contains(&identity(&position.setup()))
                || group(pawns).iter().any(|it| it.contains(position))
        };
        let is_mate = |position: &Position| position.is_checkmate() && position.turn() != self.side;
        if !holds(&self.root) {
            return Err(CertificateFault::RootMissing);
        }
        if is_mate(&self.root) {
            return Err(CertificateFault::Mate(Box::new(self.root.clone())));
        }
        for setup in &setups {
            let position = Position::new(setup).map_err(|_| CertificateFault::NotAPosition)?;
            if is_mate(&position) {
                return Err(CertificateFault::Mate(Box::new(position)));
            }
            if position.board().has_insufficient_material(self.side) {
                continue;
            }
            for mv in position.legal_moves() {
                let after = position.after(mv);
                if is_mate(&after) {
                    return Err(CertificateFault::Mate(Box::new(after)));
                }
                if !holds(&after) {
                    return Err(CertificateFault::Open(Box::new(position), mv));
                }
            }
        }
        for (nth, confinement) in self.confinements.iter().enumerate() {
            if confinement.has_insufficient_material(self.side) {
                continue;
            }
            if confinement.may_be_mate(self.side) {
                return Err(CertificateFault::MateInside(nth));
            }
            if !confinement.bars_castling() {
                return Err(CertificateFault::Castling(nth));
            }
            let is_safe = |after: &After| {
                let material = after.set.has_insufficient_material(self.side);
                (material || !confinement.may_mate_with(after, self.side))
                    && group(after.set.pawns())
                        .iter()
                        .any(|it| it.includes(&after.set))
            };
            let stays = |after: &After| {
                after.set.kings == KingPairs::NONE
                    || confinement.includes(&after.set)
                    || is_safe(after)
            };
            let is_kept = |man: &ConfinedMan| man.still || !man.kept || confinement.is_safe(man);
            if !confinement.men.iter().all(is_kept)
                || !confinement.holds_kings()
                || !confinement.after_each_move(self.side).iter().all(stays)
            {
                return Err(CertificateFault::Leak(nth));
            }
        }
        Ok(())
    }
}

/// Moves in a set of positions, as the checker makes them.
impl Confinement {
    /// Whether every quiet move of a king, and every move of another man that may have moved, leads
    /// to a listed pair.
    fn holds_kings(&self) -> bool {
        Color::ALL.into_iter().all(|color| {
            let still = self.still(Color::White) | self.still(Color::Black);
            let barred = still | self.guarded(!color);
            self.kings.pairs(color).all(|kings| {
                let (ours, theirs) = (kings[color.index()], kings[(!color).index()]);
                let near = attacks::king(theirs) | Bitboard::of(theirs);
                let mut steps = attacks::king(ours).without(barred | near).into_iter();
                (!self.can_pass(color) || self.kings.has(!color, kings))
                    && steps.all(|to| {
                        let mut after = kings;
                        after[color.index()] = to;
                        self.kings.has(!color, after)
                    })
            })
        })
    }

    /// This set with the other side to move, after any move of one that may be to move.
    fn after(&self, color: Color) -> Confinement {
        let mut after = self.clone();
        after.kings.0[color.index()] = [Bitboard::EMPTY; 64];
        after.kings.0[(!color).index()] = self.kings.0[color.index()];
        after
    }

    /// Sets of positions that follow by each move of a man other than a king, and by each capture
    /// that a king makes of a man that stands still. Mates of `side` are left out.
    fn after_each_move(&self, side: Color) -> Vec<After> {
        let mut found = Vec::new();
        let occupied = self.occupied();
        for (nth, man) in self.men.iter().enumerate() {
            let color = man.piece.color;
            if man.piece.role == Role::Pawn {
                self.after_pawn_moves(nth, &mut found);
                continue;
            }
            let barred = self.still(color) | occupied & (self.king(color) | self.king(!color));
            for to in man.attacks(occupied).without(barred) {
                let mut after = self.after(color);
                after.men[nth] = man.moved(to);
                after.capture(to, !color);
                if !self.is_lost_on(man, to) && !self.mates_side(side, man, to, &after) {
                    found.push(After::by_man(after));
                }
            }
        }
        for color in Color::ALL {
            let guarded = self.guarded(!color);
            for to in self.still(!color).without(guarded) {
                let mut after = self.after(color);
                after.kings = KingPairs::NONE;
                after.capture(to, !color);
                for mut kings in self.kings.pairs(color) {
                    let theirs = kings[(!color).index()];
                    if attacks::king(to).has(kings[color.index()]) && !attacks::king(to).has(theirs)
                    {
                        kings[color.index()] = to;
                        after.kings.add(!color, kings);
                    }
                }
                found.push(After {
                    set: after,
                    by_king: true,
                });
            }
        }
        found
    }

    /// All moves of a pawn, with any piece that it may capture or promote to, and en passant.
    fn after_pawn_moves(&self, nth: usize, found: &mut Vec<After>) {
        let man = self.men[nth];
        let (color, from) = (man.piece.color, man.region);
        let occupied = self.occupied();
        let ahead = from.ahead(color).without(occupied);
        for to in ahead {
            self.after(color).put_pawn(nth, to, found);
        }
        let first = match color {
            Color::White => Rank::Second,
            Color::Black => Rank::Seventh,
        };
        for to in (ahead & Bitboard::rank(first).ahead(color))
            .ahead(color)
            .without(occupied)
        {
            self.after(color).put_pawn(nth, to, found);
            for passed in ahead {
                for (taker, man) in self.men.iter().enumerate() {
                    if man.is_pawn_of(!color) && (man.region & attacks::pawn(color, passed)).any() {
                        let mut after = self.after(color).after(!color);
                        after.kings.clear(passed);
                        after.men[taker] = ConfinedMan::still(man.piece, passed);
                        after.men.remove(nth);
                        found.push(After::by_man(after));
                    }
                }
            }
        }
        for from in from {
            for to in attacks::pawn(color, from) {
                for (victim, man) in self.men.iter().enumerate() {
                    if man.piece.color != color && man.region.has(to) {
                        let mut after = self.after(color);
                        after.men.remove(victim);
                        after.put_pawn(nth - usize::from(victim < nth), to, found);
                    }
                }
            }
        }
    }

    /// Puts a pawn on a square, or a piece that it promotes to.
    fn put_pawn(mut self, nth: usize, to: Square, found: &mut Vec<After>) {
        self.kings.clear(to);
        let color = self.men[nth].piece.color;
        let last = to.rank() == color.promotion_rank();
        let roles = if last {
            &Role::PROMOTIONS[..]
        } else {
            &[Role::Pawn]
        };
        for &role in roles {
            self.men[nth] = ConfinedMan::still(Piece { color, role }, to);
            found.push(After::by_man(self.clone()));
        }
    }
}

/// Position without clocks: pieces, the side to move, rooks with castling rights, and the square
/// passed by a pawn.
type Identity = (Board, Color, Bitboard, Option<Square>);

fn identity(setup: &Setup) -> Identity {
    (setup.board, setup.turn, setup.castling, setup.en_passant)
}

/// Decodes a position square by square.
fn setup(packed: &PackedPosition) -> Setup {
    let mut setup = Setup {
        board: Board::EMPTY,
        turn: packed.turn(),
        castling: Bitboard::EMPTY,
        en_passant: None,
        halfmoves: 0,
        fullmoves: 1,
        knows_halfmoves: true,
        knows_fullmoves: true,
    };
    for square in Square::all() {
        let (number, black) = packed.on(square);
        let color = if black { Color::Black } else { Color::White };
        match number {
            0 if black => setup.en_passant = Some(square),
            0 => {}
            _ => {
                // 7 is a rook with the right to castle.
                let role = Role::ALL.get(number - 1).copied().unwrap_or(Role::Rook);
                setup.board.put(square, Piece { color, role });
                if number == 7 {
                    setup.castling |= Bitboard::of(square);
                }
            }
        }
    }
    setup
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::attacks::setwise;
    use crate::winnability::Solver;

    /// Certificate that White cannot win.
    fn certificate(fen: &str) -> Certificate {
        let position: Position = fen.parse().unwrap();
        let found = Solver::new(100_000).certificate(&position, Color::White);
        let found = found.unwrap_or_else(|| panic!("no certificate: {fen}"));
        assert_eq!(found.verify(), Ok(()), "{fen}");
        found
    }

    /// Pawns that leave no way through, with bishops on both sides of them.
    const WALL: &str = "2b1k3/8/8/1p1p1p1p/1P1P1P1P/8/8/2B1K3 w - - 0 1";

    /// Pawns that can still move.
    const LOOSE: &str = "4k3/p7/8/p1p1p1p1/P1P1P1P1/8/P7/4K3 w - - 0 1";

    /// A forced capture.
    const FORCED: &str = "8/8/8/8/8/1k6/1N6/K7 b - - 0 1";

    #[test]
    fn nothing_can_be_left_out() {
        for fen in [WALL, LOOSE, FORCED] {
            let whole = certificate(fen);
            for nth in 0..whole.positions.len() {
                let mut part = whole.clone();
                part.positions.remove(nth);
                assert!(part.verify().is_err(), "{fen}: position {nth}");
            }
            for nth in 0..whole.confinements.len() {
                let mut part = whole.clone();
                part.confinements.remove(nth);
                assert!(part.verify().is_err(), "{fen}: confinement {nth}");
            }
        }
    }

    #[test]
    fn no_square_and_no_pair_of_kings_can_be_left_out() {
        let whole = certificate(WALL);
        let [confinement] = &whole.confinements[..] else {
            panic!("{:?}", whole.size());
        };
        for (nth, man) in confinement.men.iter().enumerate() {
            for square in man.region {
                let mut part = whole.clone();
                part.confinements[0].men[nth].region ^= Bitboard::of(square);
                assert!(part.verify().is_err(), "{:?} on {square}", man.piece);
            }
            let mut part = whole.clone();
            part.confinements[0].men[nth].still = !man.still;
            assert!(part.verify().is_err(), "{man:?}");
        }
        for turn in Color::ALL {
            for [white, black] in confinement.kings.pairs(turn).step_by(7) {
                let mut part = whole.clone();
                let blacks = &mut part.confinements[0].kings.0[turn.index()][white.index()];
                *blacks ^= Bitboard::of(black);
                assert!(part.verify().is_err(), "{white} {black}");
            }
        }
    }

    /// Bishops that guard pawns from any seven squares out of eight.
    const BISHOPS: &str = "B1B1B1B1/pBpBpBp1/P1P1P1P1/4b3/5b2/8/8/k1K5 w - - 0 1";

    /// A queen that each reply captures if she gives check.
    const CAGE: &str = "8/7p/8/8/ppp5/bkp4Q/qnp5/n1K5 b - - 0 1";

    #[test]
    fn men_are_kept_only_where_nothing_captures_them() {
        for (fen, piece, kept) in [(BISHOPS, b'B', false), (CAGE, b'n', true)] {
            let piece = Piece::from_letter(piece);
            let whole = certificate(fen);
            let mut changed = 0;
            for (nth, confinement) in whole.confinements.iter().enumerate() {
                if confinement.has_insufficient_material(whole.side) {
                    continue;
                }
                for (number, man) in confinement.men.iter().enumerate() {
                    if Some(man.piece) == piece && !man.still && man.kept != kept {
                        let mut part = whole.clone();
                        part.confinements[nth].men[number].kept = kept;
                        assert!(part.verify().is_err(), "{fen}: {man:?} in {nth}");
                        changed += 1;
                    }
                }
            }
            assert!(changed > 0, "{fen}");
        }
    }

    #[test]
    fn a_last_man_stays_off_the_squares_on_which_it_is_lost() {
        let whole = certificate(CAGE);
        let is_queen =
            |man: &ConfinedMan| man.piece.role == Role::Queen && man.piece.color == Color::White;
        for (nth, confinement) in whole.confinements.iter().enumerate() {
            let king = confinement.king(Color::Black);
            let beside = setwise::king_steps(king).without(confinement.occupied());
            let Some(queen) = confinement.men.iter().position(is_queen) else {
                continue;
            };
            for square in beside {
                let mut part = whole.clone();
                part.confinements[nth].men[queen].region |= Bitboard::of(square);
                assert!(part.verify().is_err(), "{nth}: {square}");
            }
        }
    }

    #[test]
    fn another_question_needs_another_certificate() {
        let whole = certificate(FORCED);
        let elsewhere = certificate(WALL).root;
        let moved = Certificate {
            root: elsewhere,
            ..whole.clone()
        };
        assert_eq!(moved.verify(), Err(CertificateFault::RootMissing));
        let mated: Position = "k1K5/p1N5/8/8/8/8/8/8 b - - 0 1".parse().unwrap();
        let mate = Certificate {
            root: mated.clone(),
            side: Color::White,
            positions: vec![PackedPosition::of(&mated)],
            confinements: Vec::new(),
        };
        assert!(matches!(mate.verify(), Err(CertificateFault::Mate(_))));
    }

    #[test]
    fn a_right_to_castle_is_not_forgotten() {
        let mut whole = certificate(WALL);
        let castles: Position = "4k3/8/8/1p1p1p1p/1P1P1P1P/8/8/R3K3 w Q - 0 1"
            .parse()
            .unwrap();
        whole.root = castles;
        assert_eq!(whole.verify(), Err(CertificateFault::RootMissing));
        let mut whole = certificate(WALL);
        whole.confinements[0].castling = Bitboard::of(Square::new(0));
        assert_eq!(whole.verify(), Err(CertificateFault::Castling(0)));
    }
}
