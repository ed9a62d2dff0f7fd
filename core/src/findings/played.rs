//! A game that has been replayed, for the checks of its moves and its result.

use crate::chess::{MoveNumber, Position};
use crate::findings::move_numbers::MoveNumberCheck;
use crate::findings::{AtMove, Checks, shown};
use crate::law::{End, Repetitions};
use crate::pgn::Game;
use crate::replay::{Replay, Stop, main_line};

/// A game that has been replayed.
pub(crate) struct PlayedGame<'a> {
    pub game: &'a Game,
    pub text: &'a [u8],
    /// The position it began with.
    pub start: Position,
    /// The last position.
    pub end: Position,
    /// Number of plies played.
    pub plies: u32,
    /// Checkmate or stalemate in the last position.
    pub ending: Option<End>,
    pub stop: Option<Stop>,
    /// The first illegal move that stood.
    pub illegal: Option<Stop>,
    pub repetitions: &'a Repetitions,
    /// Whether no move needs a check of its notation or number.
    pub is_plain: bool,
}

impl<'a> PlayedGame<'a> {
    /// Plays the main line. Inlined, since what it returns is large.
    #[inline(always)]
    pub(crate) fn new(
        game: &'a Game,
        text: &'a [u8],
        start: Position,
        checks: &Checks,
        repetitions: &'a mut Repetitions,
    ) -> PlayedGame<'a> {
        let mut replay = Replay::new(game, start.clone()).with_null_moves(checks.null_moves);
        repetitions.push(&start);
        let is_plain = if checks.looks_at_all {
            replay = replay.with_notation();
            play_comparing(&mut replay, repetitions, text)
                && !MoveNumberCheck::may_be_wrong(game, &start)
                && MoveNumberCheck::are_plain(game, text, MoveNumber::of(&start), checks)
        } else {
            play(&mut replay, repetitions);
            true
        } && !replay.slips;
        PlayedGame {
            game,
            text,
            end: replay.position().clone(),
            plies: replay.plies(),
            ending: End::on_board(replay.position()),
            stop: replay.stop(),
            illegal: replay.illegal_moves().first().copied(),
            repetitions,
            is_plain,
            start,
        }
    }

    /// The move at which the replay stopped.
    pub(crate) fn stop(&self) -> Option<(Stop, AtMove)> {
        let stop = self.stop?;
        let at = AtMove::new(stop.ply, stop.token.span.of(self.text), &self.end);
        Some((stop, at))
    }

    /// Number and notation of the move of a ply, such as `34.Qh7#`.
    pub(crate) fn label(&self, ply: u32) -> Option<String> {
        let before = ply.checked_sub(1)?;
        let token = main_line(self.game).nth(before as usize)?;
        let number = MoveNumber::of(&self.start).later(before);
        Some(format!("{number}{}", shown(token.span.of(self.text))))
    }

    /// The position after some plies.
    pub(crate) fn position_after(&self, plies: u32) -> Position {
        let mut replay = Replay::new(self.game, self.start.clone());
        while replay.plies() < plies && replay.play().is_some() {}
        replay.position().clone()
    }
}

/// Replays a game to its end. Not inlined: inside a larger function the loop has too few registers.
#[inline(never)]
fn play(replay: &mut Replay<'_>, repetitions: &mut Repetitions) {
    replay.each(|replay, _| repetitions.push(replay.position()));
}

/// As [`play`]. Returns whether the moves are in the export format.
#[inline(never)]
fn play_comparing(replay: &mut Replay<'_>, repetitions: &mut Repetitions, text: &[u8]) -> bool {
    let mut is_exported = true;
    while let Some((token, mv)) = replay.step() {
        is_exported &= replay.is_in_export_form(token, mv, text);
        repetitions.push(replay.position());
    }
    is_exported
}
