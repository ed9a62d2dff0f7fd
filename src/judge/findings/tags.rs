//! Findings about where a game begins: the `Variant` and `FEN` tags.

use super::registry as codes;
use super::{Finding, shown};
use crate::pgn::{Game, Span};
use crate::replay::StartFault;
use crate::rules::PositionFaults;

/// Why the game is not replayed at all.
pub fn no_start(text: &[u8], fault: StartFault) -> Finding {
    match fault {
        StartFault::OtherVariant(tag) => Finding {
            rule: &codes::OTHER_VARIANT,
            message: format!(
                "the game is `{}`, whose rules are not known here",
                shown(tag.value.of(text))
            ),
            help: Some("its moves are not replayed".to_owned()),
            span: tag.value,
            at: None,
        },
        StartFault::UnreadableFen(tag, error) => {
            let at = (tag.value.start as usize + error.at).min(tag.value.end as usize);
            Finding {
                rule: &codes::UNREADABLE_FEN,
                message: format!("the FEN tag cannot be read: {error}"),
                help: Some("without a position to begin from the game is not replayed".to_owned()),
                span: Span::new(at, (tag.value.end as usize).max(at)),
                at: None,
            }
        }
        StartFault::UnplayableFen(tag, faults) => Finding {
            rule: &codes::UNPLAYABLE_POSITION,
            message: format!("the position of the FEN tag cannot be played: {faults}"),
            help: Some("the game is not replayed".to_owned()),
            span: tag.value,
            at: None,
        },
    }
}

/// What is odd about a position that is played all the same.
pub(super) fn implausible(game: &Game, text: &[u8], faults: PositionFaults) -> Finding {
    Finding {
        rule: &codes::IMPLAUSIBLE_POSITION,
        message: format!("no game leads to the position of the FEN tag: {faults}"),
        help: None,
        span: game
            .tag(text, "FEN")
            .map_or_else(Span::default, |tag| tag.value),
        at: None,
    }
}

/// The first tag's name comes up again: another game's tag pairs, without movetext between.
pub(super) fn repeated_section(game: &Game, text: &[u8]) -> Option<Finding> {
    let first = game.tags.first()?.name.of(text);
    let mut again = game.tags[1..]
        .iter()
        .filter(|tag| tag.name.of(text) == first);
    let tag = again.next()?;
    let more = match again.count() {
        0 => String::new(),
        more => format!(", and {more} more in this game"),
    };
    Some(Finding {
        rule: &codes::REPEATED_TAG_SECTION,
        message: format!("another tag section begins here without movetext before it{more}"),
        help: Some(
            "end every game with a result mark, `*` if there is nothing else to say".to_owned(),
        ),
        span: Span::new(tag.name.start as usize, tag.value.end as usize),
        at: None,
    })
}
