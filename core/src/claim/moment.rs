//! The moment of a claim, and the game up to there.

use std::str::FromStr;

use crate::chess::{Color, Position};
use crate::claim::{Announced, Claim, ClaimGame, ClaimKind, is_played};
use crate::findings;
use crate::law::Loss;
use crate::pgn::Game;
use crate::replay::{PlyPoint, Start};

/// A moment of a game: after a move or at its end.
///
/// ```
/// use chess_arbiter_core::{Claim, ClaimGame, ClaimKind, Moment, Reader};
///
/// let text = b"1. e4 e5 2. Nf3 *";
/// let mut reader = Reader::new();
/// let kind = ClaimKind::all().next().unwrap();
/// let claim = Claim { kind, by: None, announced: None };
/// let moment: Moment = "1...e5".parse()?;
/// let game = ClaimGame::at(Some(&moment), &claim, reader.read(text, None), text)?;
/// assert_eq!(game.last().fullmoves(), 2);
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Debug)]
pub struct Moment {
    point: PlyPoint,
    /// The move that must have been played there.
    played: Option<Announced>,
}

impl FromStr for Moment {
    type Err = String;

    fn from_str(text: &str) -> Result<Moment, String> {
        if let Ok(point @ (PlyPoint::Move(..) | PlyPoint::End)) = text.parse() {
            let played = None;
            return Ok(Moment { point, played });
        }
        let named = Announced::new(text);
        let has_move = named.has_move();
        match (named.number, named.color) {
            (Some(number @ 1..), Some(color)) if has_move || color == Color::Black => Ok(Moment {
                point: PlyPoint::Move(number, color),
                played: Some(named).filter(|_| has_move),
            }),
            _ => Err(format!(
                "`{text}` does not say after whose move: write `22w`, `22b`, `22.Qe2`, \
                `22...Kg7`, `22...` or `end`"
            )),
        }
    }
}

impl ClaimGame {
    /// The game up to a moment, or why nothing can be decided there.
    pub fn at(
        at: Option<&Moment>,
        claim: &Claim,
        game: &Game,
        text: &[u8],
    ) -> Result<ClaimGame, String> {
        let initial = Position::initial();
        let named = at.and_then(|at| at.played.as_ref());
        let mut ply = None;
        if let Some(at) = at.filter(|at| at.point != PlyPoint::End) {
            let (start, _) = Start::of(game, text, &initial)
                .map_err(|fault| findings::not_begun(game, text, fault).message)?;
            let found = u32::try_from(at.point.ply(&start.position, 0)).ok();
            // No move led to the start position.
            let found = found.filter(|&ply| ply > 0 || named.is_none());
            ply = Some(found.ok_or("it begins after the move of `--at`")?);
        }
        let is_illegal = claim.kind == ClaimKind::Loss(Loss::IllegalMoves);
        let illegal = is_illegal.then(|| ClaimGame::before_illegal(game, text, &initial, ply));
        let played = match illegal.transpose()?.flatten() {
            Some(played) => {
                let offender = played.last().turn();
                if let Some(why) = played.notes.last().filter(|_| claim.by == Some(offender)) {
                    return Err(format!("{why}; {offender} has made it and cannot claim it"));
                }
                played
            }
            None => ClaimGame::of_game(game, text, &initial, ply)?,
        };
        if let Some(Announced { written, .. }) =
            named.filter(|named| !is_played(&played, played.record().plies() - 1, named))
        {
            let last = played.last_move();
            return Err(format!(
                "`{written}` is not the move played: that is {last}"
            ));
        }
        Ok(played)
    }
}
