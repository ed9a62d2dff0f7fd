//! Claims that rest on doubtful readings.

use crate::adjudication::phrases::word;
use crate::chess::Position;
use crate::claim::game::ClaimGame;
use crate::claim::{ClaimKind, ClaimRuling};
use crate::findings;
use crate::findings::doubts::{doubts, end_of_moves};
use crate::findings::registry as codes;
use crate::law::Loss;
use crate::pgn::Game;
use crate::replay::{Replay, Start};
use crate::text::decode;

impl ClaimGame {
    /// A game up to a ply, or to its end.
    ///
    /// # Errors
    ///
    /// Why the game cannot be played so far.
    pub fn of_game(
        game: &Game,
        text: &[u8],
        initial: &Position,
        at: Option<u32>,
    ) -> Result<ClaimGame, String> {
        let mut read = ClaimGame::as_read(game, text, initial, at)?;
        let end = at.is_none().then(|| end_of_moves(game, text));
        add_doubts(&mut read, game, text, end);
        Ok(read)
    }

    /// A game up to the illegal move at which it stops, if there is one, and it is at this ply.
    ///
    /// # Errors
    ///
    /// Why the game cannot be played so far.
    pub(crate) fn before_illegal(
        game: &Game,
        text: &[u8],
        initial: &Position,
        at: Option<u32>,
    ) -> Result<Option<ClaimGame>, String> {
        let (start, _) = Start::of(game, text, initial)
            .map_err(|fault| findings::not_begun(game, text, fault).message)?;
        let mut replay = Replay::new(game, start.position);
        replay.play_to_end();
        let stop = replay.last_illegal().copied().or(replay.stop());
        let Some(stop) = stop.filter(|stop| at.is_none_or(|at| at + 1 == stop.ply)) else {
            return Ok(None);
        };
        let mut played = ClaimGame::as_read(game, text, initial, Some(stop.ply - 1))?;
        let word = stop.token.span;
        add_doubts(&mut played, game, text, Some(word.end as usize));
        let finding = findings::of_stop(game, text, &stop, &played.last());
        if *finding.rule != codes::ILLEGAL_MOVE {
            return Ok(None);
        }
        let word = decode(word.of(text));
        let label = findings::label(&played.last(), &word);
        let why = finding.message.replacen(&format!("`{word}`"), &label, 1);
        played.notes.push(why);
        Ok(Some(played))
    }
}

/// Adds the doubts about the moves of a game, which was read up to a claim, or to this `end` of the
/// moves in the text.
fn add_doubts(read: &mut ClaimGame, game: &Game, text: &[u8], end: Option<usize>) {
    for doubt in doubts(game, text, read.record().plies(), end) {
        let others = doubt.play(game, |game, text, at| {
            ClaimGame::as_read(game, text, &Position::initial(), at).ok()
        });
        let is_listed = !doubt.hides || !others.is_empty();
        read.notes.extend(is_listed.then_some(doubt.note));
        read.others.extend(others);
    }
}

/// Leaves a claim open if one of the other readings of game and move decides otherwise.
pub(crate) fn weigh(
    game: &ClaimGame,
    kind: ClaimKind,
    ruling: ClaimRuling,
    mut others: impl Iterator<Item = ClaimRuling>,
) -> ClaimRuling {
    if kind == ClaimKind::Loss(Loss::IllegalMoves) && !game.others.is_empty() {
        let why = "By another reading of the moves this one may be legal.";
        return ruling.left_open(kind, why.to_owned());
    }
    let otherwise = others.find(|other| match (ruling.upheld, other.upheld) {
        (None, _) | (Some(false), None) => false,
        (one, another) => one != another || ruling.result != other.result,
    });
    let Some(other) = otherwise else {
        return ruling;
    };
    let [one, another] = [&ruling, &other].map(|ruling| word(ruling.ground));
    let why = format!(
        "As the moves are read, the claim would be {one}, and by another reading {another}."
    );
    ruling.left_open(kind, why)
}
