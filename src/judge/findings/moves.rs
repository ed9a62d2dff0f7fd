//! Findings about moves that cannot be played.

use super::registry as codes;
use super::{AtMove, Finding, Rule, shown};
use crate::replay::{Replay, Stop, StopReason};
use crate::rules::san::{San, Suffix};
use crate::rules::{Position, SanError};

/// Plays a game to its end, and has every position seen; whether a move was written so that it deserves a second look: with a mark of check, mate or
/// capture that is wrong, or as if it were that of another piece. (A move that nothing can be made of is among them.)
#[inline]
pub(super) fn play(replay: &mut Replay<'_>, mut see: impl FnMut(&Position)) -> bool {
    let mut doubtful = false;
    replay.play_to_end_with(|plus, mv, after| {
        see(after);
        if let San::Piece { capture, .. } = plus.san {
            doubtful |= capture != mv.captured.is_some();
        }
        if let Some(suffix) = plus.suffix {
            doubtful |= !after.is_check() || suffix == Suffix::Checkmate && after.has_legal_move();
        }
    });
    doubtful || replay.has_reread()
}

/// The finding of a replay that stopped at a move; nothing where the reader reports the token itself.
pub(super) fn stop(stop: &Stop, at: AtMove, text: &[u8]) -> Option<Finding> {
    let StopReason::Illegal(_, error) = stop.reason else {
        return None;
    };
    let word = shown(stop.token.span.of(text));
    let (rule, message): (&'static Rule, _) = match error {
        SanError::NullMove => (&codes::NULL_MOVE, format!("`{word}` is a null move")),
        SanError::Ambiguous { .. } => (
            &codes::AMBIGUOUS_MOVE,
            format!("`{word}` is ambiguous: {error}"),
        ),
        _ => (
            &codes::ILLEGAL_MOVE,
            format!("`{word}` is illegal: {error}"),
        ),
    };
    Some(
        Finding::new(rule, stop.token.span, message)
            .help("nothing after it is replayed")
            .at(at),
    )
}
