//! Findings about results: against each other and against the board.

use super::registry as codes;
use super::{Finding, shown};
use crate::pgn::{Game, ResultMark};
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
        .tag(text, "Result")
        .and_then(|tag| Some((ResultMark::from_tag(&tag.unescape(text))?, tag.value)));
    let (mark, span) = [game.result, of_tag]
        .into_iter()
        .flatten()
        .find(|&(mark, _)| mark != by_board)?;
    Some(Finding {
        rule: &codes::RESULT_AGAINST_BOARD,
        message: format!("{said}, but the result is `{mark}`"),
        help: Some(format!("by the board the result is `{by_board}`")),
        span,
        at: None,
    })
}

/// The Result tag is no result, or not that of the result mark.
pub(super) fn against_each_other(game: &Game, text: &[u8]) -> Option<Finding> {
    let tag = game.tag(text, "Result")?;
    let value = tag.unescape(text);
    let Some(of_tag) = ResultMark::from_tag(&value) else {
        return Some(Finding {
            rule: &codes::UNKNOWN_RESULT,
            message: format!("`{}` is not a result", shown(&value)),
            help: Some("the results are `1-0`, `0-1`, `1/2-1/2` and `*`".to_owned()),
            span: tag.value,
            at: None,
        });
    };
    let (mark, span) = game.result.filter(|&(mark, _)| mark != of_tag)?;
    Some(Finding {
        rule: &codes::RESULT_MISMATCH,
        message: format!("the Result tag says `{of_tag}`, but the game ends with `{mark}`"),
        help: None,
        span,
        at: None,
    })
}
