//! Findings about moves that cannot be played.

use super::registry as codes;
use super::{AtMove, Finding, Rule, shown};
use crate::replay::{Stop, StopReason};
use crate::rules::SanError;

/// The rule that a move breaks.
pub(super) fn rule(error: SanError) -> &'static Rule {
    match error {
        SanError::NullMove => &codes::NULL_MOVE,
        SanError::Ambiguous { .. } => &codes::AMBIGUOUS_MOVE,
        _ => &codes::ILLEGAL_MOVE,
    }
}

/// The finding of a replay that stopped at a move; nothing where the reader reports the token itself.
pub(super) fn stop(stop: &Stop, at: AtMove, text: &[u8]) -> Option<Finding> {
    let StopReason::Illegal(_, error) = stop.reason else {
        return None;
    };
    let word = shown(stop.token.span.of(text));
    let message = match error {
        SanError::NullMove => format!("`{word}` is a null move"),
        SanError::Ambiguous { .. } => format!("`{word}` is ambiguous: {error}"),
        _ => format!("`{word}` is illegal: {error}"),
    };
    Some(
        Finding::new(rule(error), stop.token.span, message)
            .help("nothing after it is replayed")
            .at(at),
    )
}
