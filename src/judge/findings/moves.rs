//! Findings about moves that cannot be played.

use super::registry as codes;
use super::{AtMove, Finding, Rule, shown};
use crate::replay::{Stop, StopReason};
use crate::rules::SanError;

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
