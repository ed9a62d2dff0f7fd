//! Findings about results: against each other, the board and the rules for automatic ends.

mod dgt_result;
mod ends;
mod exchange;
mod material;
mod result_spelling;

use crate::chess::{Color, Position};
use crate::commands::validate::check::{AtMove, Finding, shown};
use crate::commands::validate::registry as codes;
use crate::pgn::{Game, ResultMark, ResultText, Span, TagName};
use crate::replay::{Ending, Replay, Stop, StopReason, main_line};

pub(crate) use ends::Watch;

/// A game that has been replayed.
#[derive(Clone, Copy)]
pub(crate) struct Played<'a> {
    /// The position it began with.
    pub start: &'a Position,
    /// The last position.
    pub end: &'a Position,
    /// Number of plies played.
    pub plies: u32,
    /// Checkmate, stalemate or neither in the last position.
    pub ending: Ending,
    pub stop: Option<Stop>,
    pub watch: &'a Watch,
}

/// Reports findings about the result of a game. `played` is `None` if it could not be replayed.
pub(crate) fn check(
    game: &Game,
    text: &[u8],
    played: Option<&Played<'_>>,
    findings: &mut Vec<Finding>,
) {
    result_spelling::check(game, text, findings);
    let Some(played) = played else { return };
    let ended_otherwise =
        ends::is_due(game, text, played) && ends::check(game, text, played, findings);
    if played.ending != Ending::Open && !ended_otherwise {
        findings.extend(against_board(game, text, played.ending, played.end.turn()));
    } else if played.stop.is_none() && dgt_result::is_due(game) {
        findings.extend(dgt_result::legal(game, text, played));
    }
}

/// The finding about a move that stopped the replay because the game was over: after mate or
/// stalemate, or a signalled result.
#[cold]
pub(crate) fn stop(game: &Game, text: &[u8], played: &Played<'_>, at: &AtMove) -> Option<Finding> {
    let stop = played.stop?;
    if stop.reason == StopReason::Unreadable {
        return None;
    }
    if played.ending != Ending::Open {
        return Some(after_end(game, text, played, &stop).at(at.clone()));
    }
    result_spelling::zeros(game, text, &stop)
        .or_else(|| dgt_result::illegal(game, text, played, &stop))
        .map(|finding| finding.at(at.clone()))
}

/// Whether a finding is about a result mark.
pub(crate) fn is_mark(finding: &Finding) -> bool {
    finding.rule == &codes::UNKNOWN_RESULT
}

/// A move after mate or stalemate.
fn after_end(game: &Game, text: &[u8], played: &Played<'_>, stop: &Stop) -> Finding {
    let (rule, what) = match played.ending {
        Ending::Checkmate => (&codes::MOVE_AFTER_CHECKMATE, "checkmate"),
        Ending::Stalemate | Ending::Open => (&codes::MOVE_AFTER_STALEMATE, "stalemate"),
    };
    let word = shown(stop.token.span.of(text));
    let by = last_move(game, text, played);
    let (message, after) = match by {
        Some(by) => (
            format!("`{word}` cannot be played: the game ended by {what} with {by}"),
            format!("cut after {by}"),
        ),
        None => (
            format!("`{word}` cannot be played: the game begins with {what}"),
            "cut all moves".to_owned(),
        ),
    };
    let help = match dgt_result::is_signal(game, stop.ply - 1) {
        Some(square) => format!("{}: {after}", dgt_result::purpose(square)),
        None => "nothing after it is replayed".to_owned(),
    };
    Finding::new(rule, stop.token.span, message).help(help)
}

/// Number and notation of the last move played, such as `34.Qh7#`.
fn last_move(game: &Game, text: &[u8], played: &Played<'_>) -> Option<String> {
    let token = main_line(game).nth(played.plies.checked_sub(1)? as usize)?;
    let san = shown(token.span.of(text));
    let number = played.end.fullmoves();
    Some(match played.end.turn() {
        Color::Black => format!("{number}.{san}"),
        Color::White => format!("{}...{san}", number.saturating_sub(1)),
    })
}

/// The results on record, of the movetext and of the Result tag, with their places.
fn recorded(game: &Game, text: &[u8]) -> impl Iterator<Item = (ResultMark, Span)> {
    let of_tag = game.known(TagName::Result).and_then(|tag| {
        let mark = ResultText::read(&tag.unescape(text))?.mark()?;
        Some((mark, tag.value))
    });
    [game.result, of_tag].into_iter().flatten()
}

/// The recorded result contradicts a mate or stalemate. `turn` is the side to move in the last
/// position.
fn against_board(game: &Game, text: &[u8], ending: Ending, turn: Color) -> Option<Finding> {
    let (said, by_board) = match (ending, turn) {
        (Ending::Open, _) => return None,
        (Ending::Stalemate, Color::White) => ("White is stalemated", ResultMark::Draw),
        (Ending::Stalemate, Color::Black) => ("Black is stalemated", ResultMark::Draw),
        (Ending::Checkmate, Color::White) => ("White is checkmated", ResultMark::Black),
        (Ending::Checkmate, Color::Black) => ("Black is checkmated", ResultMark::White),
    };
    let marks = || recorded(game, text);
    let contradicts = |mark| mark != by_board && mark != ResultMark::Unknown;
    let Some((mark, span)) = marks().find(|&(mark, _)| contradicts(mark)) else {
        let is_recorded = marks().any(|(mark, _)| mark == by_board);
        let (_, span) = marks().next().filter(|_| !is_recorded)?;
        return Some(
            Finding::new(
                &codes::RESULT_NOT_RECORDED,
                span,
                format!("{said}, but no result is recorded"),
            )
            .help(format!("by the board the result is `{by_board}`")),
        );
    };
    Some(
        Finding::new(
            &codes::RESULT_AGAINST_BOARD,
            span,
            format!("{said}, but the result is `{mark}`"),
        )
        .help(format!("by the board the result is `{by_board}`")),
    )
}

/// A replay of the first plies of a game.
fn replay_to<'a>(game: &'a Game, start: &Position, plies: u32) -> Replay<'a> {
    let mut replay = Replay::new(game, start.clone());
    while replay.plies() < plies && replay.play().is_some() {}
    replay
}
