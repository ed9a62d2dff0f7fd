//! Findings about moves that cannot be played.

use crate::chess::SanError;
use crate::commands::validate::check::{AtMove, Finding, shown};
use crate::commands::validate::registry as codes;
use crate::commands::validate::registry::Rule;
use crate::replay::{Stop, StopReason};

/// The rule that a move breaks.
pub(crate) fn rule(error: SanError) -> &'static Rule {
    match error {
        SanError::NullMove => &codes::NULL_MOVE,
        SanError::Ambiguous { .. } => &codes::AMBIGUOUS_MOVE,
        _ => &codes::ILLEGAL_MOVE,
    }
}

/// The finding of a replay that stopped at a move; nothing where the reader reports the token
/// itself.
pub(crate) fn stop(stop: &Stop, at: AtMove, text: &[u8]) -> Option<Finding> {
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
