//! Plans for a mate: the moves that each side has to make, and playing them out.

use crate::chess::attacks::{self, setwise};
use crate::chess::bitboard::Bitboard;
use crate::chess::moves::{Move, MoveKind};
use crate::chess::piece::{Color, Role};
use crate::chess::position::Position;
use crate::chess::square::Square;

/// Move of a plan, which may be made in several positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Step {
    pub(crate) from: Square,
    pub(crate) to: Square,
    pub(crate) becomes: Option<Role>,
}

impl Step {
    pub(crate) fn new(from: Square, to: Square) -> Step {
        Step {
            from,
            to,
            becomes: None,
        }
    }

    /// Steps from square to square.
    pub(crate) fn along(mut from: Square, route: &[Square]) -> impl Iterator<Item = Step> {
        route.iter().map(move |&to| {
            let step = Step::new(from, to);
            from = to;
            step
        })
    }

    /// The step as a legal move.
    #[inline]
    fn to_move(self, position: &Position) -> Option<Move> {
        let (us, board) = (position.turn(), position.board());
        let Step { from, to, becomes } = self;
        let ours = board.color(us);
        if !ours.has(from) {
            return None;
        }
        let role = board.role_on(from)?;
        let occupied = board.occupied();
        let mut captured = board.role_on(to);
        let mut kind = MoveKind::Normal;
        let is_safe = || position.leaves_king_safe(role, from, to);
        let is_legal = if ours.has(to) {
            (kind, captured) = (MoveKind::Castle, None);
            role == Role::King
                && position.castling().has(to)
                && !position.is_check()
                && position.is_castling_legal(to)
        } else if role == Role::Pawn {
            if let Some(role) = becomes {
                kind = MoveKind::Promotion(role);
            }
            if position.en_passant() == Some(to) && attacks::pawn(us, from).has(to) {
                (captured, kind) = (Some(Role::Pawn), MoveKind::EnPassant);
                position.is_en_passant_legal(from, to)
            } else {
                let reach = match captured {
                    Some(_) => attacks::pawn(us, from),
                    None => setwise::pawn_pushes(us, Bitboard::of(from), occupied),
                };
                reach.has(to) && becomes.is_some() == Bitboard::BACK_RANKS.has(to) && is_safe()
            }
        } else {
            attacks::piece(role, us, from, occupied).has(to) && is_safe()
        };
        let mv = Move::new(role, from, to, captured, kind);
        (is_legal && captured != Some(Role::King)).then_some(mv)
    }
}

/// Moves of both sides that lead to mate, apart from waiting moves.
#[derive(Clone, Default, Debug)]
pub(crate) struct Mating {
    /// Moves of the side that mates.
    pub(crate) winner: Vec<Step>,
    /// Moves of the other side.
    pub(crate) loser: Vec<Step>,
    /// Squares that waiting moves neither leave nor enter.
    pub(crate) keep: Bitboard,
    /// Squares that waiting moves must not attack.
    pub(crate) strike: Bitboard,
}

impl Mating {
    pub(crate) fn clear(&mut self) {
        self.winner.clear();
        self.loser.clear();
        self.keep = Bitboard::EMPTY;
        self.strike = Bitboard::EMPTY;
    }

    /// Keeps clear the squares of all steps.
    pub(crate) fn keep_path(&mut self) {
        for step in self.winner.iter().chain(&self.loser) {
            self.keep |= Bitboard::of(step.from)
                | Bitboard::of(step.to)
                | attacks::between(step.from, step.to);
        }
    }

    /// Plays the plan out, with waiting moves where a side has nothing to do and without steps that
    /// are not possible any more. Whether it ends with mate by `side`; `line` has the moves then.
    pub(crate) fn play(&self, position: &Position, side: Color, line: &mut Vec<Move>) -> bool {
        line.clear();
        if self.winner.is_empty() {
            return false;
        }
        let mut position = position.clone();
        let (mut winner, mut loser) = (&self.winner[..], &self.loser[..]);
        let mut waits = [Wait::default(); 2];
        let most = 2 * winner.len().max(loser.len()) + 8;
        while line.len() < most {
            let us = position.turn();
            let mut done = None;
            // The last step waits for the other side to finish its own.
            let loser_is_done = loser.is_empty() && waits[(!side).index()].home.is_none();
            let other_side_has_steps = if us == side {
                !loser.is_empty()
            } else {
                winner.len() > 1
            };
            while done.is_none() {
                let steps = if us == side { &mut winner } else { &mut loser };
                let Some((step, rest)) = steps.split_first() else {
                    break;
                };
                if us == side && rest.is_empty() && !loser_is_done {
                    break;
                }
                done = step.to_move(&position);
                let stands = position.board().color(us).has(step.from);
                if done.is_none() && (position.is_check() || stands && other_side_has_steps) {
                    break;
                }
                *steps = rest;
                // Without this man there is no mate.
                let gone = !position.board().color(us).has(step.to);
                if done.is_none() && us == side && !stands && gone {
                    return false;
                }
            }
            let wait = &mut waits[us.index()];
            let home = wait.home.take().and_then(|step| step.to_move(&position));
            let Some(mv) = done
                .or(home)
                .or_else(|| self.wait(&position, wait, us != side))
            else {
                return false;
            };
            line.push(mv);
            position.play_unchecked(mv);
            if us == side {
                if position.is_check() && !position.has_legal_move() {
                    return true;
                }
                if winner.is_empty() {
                    return false;
                }
            }
        }
        false
    }

    /// A move that does not disturb the plan.
    fn wait(&self, position: &Position, wait: &mut Wait, is_loser: bool) -> Option<Move> {
        let back = wait.last.take().map(|step| Step::new(step.to, step.from));
        if let Some(mv) = back.and_then(|step| step.to_move(position)) {
            wait.last = back;
            return Some(mv);
        }
        let us = position.turn();
        let board = position.board();
        let occupied = board.occupied();
        let ours = board.color(us);
        let free = !(occupied | self.keep);
        for role in WAITING {
            for from in (ours & board.role(role)).without(self.keep) {
                let to = match role {
                    Role::Pawn => setwise::pawn_pushes(us, Bitboard::of(from), occupied)
                        .without(Bitboard::BACK_RANKS),
                    _ => attacks::piece(role, us, from, occupied),
                };
                for to in to & free {
                    let attacked = attacks::piece(role, us, to, occupied);
                    if is_loser && (attacked & self.strike).any() {
                        continue;
                    }
                    let step = Step::new(from, to);
                    if let Some(mv) = step.to_move(position)
                        && !position.after(mv).is_check()
                    {
                        wait.last = (role != Role::Pawn).then_some(step);
                        return Some(mv);
                    }
                }
            }
        }
        // A king moves, and back.
        let king = position.king(us);
        let steps = attacks::king(king).without(ours).into_iter();
        let (mv, home) = steps
            .filter_map(|to| Some((Step::new(king, to).to_move(position)?, Step::new(to, king))))
            .next()?;
        wait.home = Some(home);
        Some(mv)
    }
}

/// Roles in the order in which they make waiting moves.
const WAITING: [Role; 6] = [
    Role::Knight,
    Role::Bishop,
    Role::Rook,
    Role::Queen,
    Role::Pawn,
    Role::King,
];

/// Waiting moves of one side.
#[derive(Clone, Copy, Default)]
struct Wait {
    /// The last one.
    last: Option<Step>,
    /// Move of a king back to its square.
    home: Option<Step>,
}
