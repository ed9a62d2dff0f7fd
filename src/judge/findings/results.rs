//! Findings about results: against each other and against the board.

use super::registry as codes;
use super::{Finding, shown};
use crate::pgn::{Game, ResultMark, TagName};
use crate::replay::Ending;
use crate::rules::Color;

/// The recorded result contradicts a mate or stalemate. `turn` is the side to move in the last position.
pub(super) fn against_board(
    game: &Game,
    text: &[u8],
    ending: Ending,
    turn: Color,
) -> Option<Finding> {
    let (said, by_board) = match (ending, turn) {
        (Ending::Open, _) => return None,
        (Ending::Stalemate, Color::White) => ("White is stalemated", ResultMark::Draw),
        (Ending::Stalemate, Color::Black) => ("Black is stalemated", ResultMark::Draw),
        (Ending::Checkmate, Color::White) => ("White is checkmated", ResultMark::Black),
        (Ending::Checkmate, Color::Black) => ("Black is checkmated", ResultMark::White),
    };
    let of_tag = game
        .known(TagName::Result)
        .and_then(|tag| Some((ResultMark::from_tag(&tag.unescape(text))?, tag.value)));
    let (mark, span) = [game.result, of_tag]
        .into_iter()
        .flatten()
        .find(|&(mark, _)| mark != by_board)?;
    Some(
        Finding::new(
            &codes::RESULT_AGAINST_BOARD,
            span,
            format!("{said}, but the result is `{mark}`"),
        )
        .help(format!("by the board the result is `{by_board}`")),
    )
}

/// The Result tag is no result, or not that of the result mark.
pub(super) fn against_each_other(game: &Game, text: &[u8]) -> Option<Finding> {
    let tag = game.known(TagName::Result)?;
    let value = tag.unescape(text);
    let Some(of_tag) = ResultMark::from_tag(&value) else {
        return Some(
            Finding::new(
                &codes::UNKNOWN_RESULT,
                tag.value,
                format!("`{}` is not a result", shown(&value)),
            )
            .help("the results are `1-0`, `0-1`, `1/2-1/2` and `*`"),
        );
    };
    let (mark, span) = game.result.filter(|&(mark, _)| mark != of_tag)?;
    Some(Finding::new(
        &codes::RESULT_MISMATCH,
        span,
        format!("the Result tag says `{of_tag}`, but the game ends with `{mark}`"),
    ))
}
