//! Findings about results: their spelling, and against each other, the board and the rules for
//! automatic ends.

mod dgt;
mod ends;

use crate::chess::{Color, MoveNumber, Position};
use crate::findings::registry as codes;
use crate::findings::{AtMove, Finding, shown};
use crate::law::Repetitions;
use crate::pgn::values::{Form, result};
use crate::pgn::{Game, ResultMark, Span, TagName, Token};
use crate::replay::{Ending, Replay, Stop, StopReason, main_line};

/// A game that has been replayed.
#[derive(Clone, Copy)]
pub(crate) struct PlayedGame<'a> {
    pub game: &'a Game,
    pub text: &'a [u8],
    /// The position it began with.
    pub start: &'a Position,
    /// The last position.
    pub end: &'a Position,
    /// Number of plies played.
    pub plies: u32,
    /// Checkmate, stalemate or neither in the last position.
    pub ending: Ending,
    pub stop: Option<Stop>,
    pub repetitions: &'a Repetitions,
}

impl<'a> PlayedGame<'a> {
    /// The word of the move of a ply, played or not.
    fn token(&self, ply: u32) -> Option<&'a Token> {
        main_line(self.game).nth(ply.checked_sub(1)? as usize)
    }

    /// Number and notation of the move of a ply, such as `34.Qh7#`.
    fn label(&self, ply: u32) -> Option<String> {
        let san = shown(self.token(ply)?.span.of(self.text));
        Some(format!(
            "{}{san}",
            MoveNumber::of(self.start).later(ply - 1)
        ))
    }

    /// The position after some plies.
    fn position_after(&self, plies: u32) -> Position {
        let mut replay = Replay::new(self.game, self.start.clone());
        while replay.plies() < plies && replay.play().is_some() {}
        replay.position().clone()
    }
}

/// Reports findings about the result of a game. `played` is `None` if it could not be replayed.
pub(crate) fn check(
    game: &Game,
    text: &[u8],
    played: Option<&PlayedGame<'_>>,
    findings: &mut Vec<Finding>,
) {
    marks(game, text, findings);
    let Some(played) = played else { return };
    let ended_otherwise = ends::is_due(played) && ends::check(played, findings);
    if played.ending != Ending::Open && !ended_otherwise {
        findings.extend(against_board(game, text, played.ending, played.end.turn()));
    } else if played.stop.is_none() && dgt::is_due(game) {
        findings.extend(dgt::legal(played));
    }
}

/// The finding about a move that stopped the replay because the game was over: after mate or
/// stalemate, or a signalled result.
#[cold]
pub(crate) fn stop(played: &PlayedGame<'_>, at: &AtMove) -> Option<Finding> {
    let stop = played.stop?;
    if stop.reason == StopReason::Unreadable {
        return None;
    }
    if played.ending != Ending::Open && !dgt::agrees(played) {
        return Some(after_end(played, &stop).at(at.clone()));
    }
    dgt::illegal(played, &stop).map(|finding| finding.at(at.clone()))
}

/// Whether a finding is about a result mark.
pub(crate) fn is_mark(finding: &Finding) -> bool {
    finding.rule == &codes::UNKNOWN_RESULT
}

/// A move after mate or stalemate.
fn after_end(played: &PlayedGame<'_>, stop: &Stop) -> Finding {
    let (rule, what) = match played.ending {
        Ending::Checkmate => (&codes::MOVE_AFTER_CHECKMATE, "checkmate"),
        Ending::Stalemate | Ending::Open => (&codes::MOVE_AFTER_STALEMATE, "stalemate"),
    };
    let word = shown(stop.token.span.of(played.text));
    let by = played.label(played.plies);
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
    let help = match dgt::is_signal(played.game, stop.ply - 1) {
        Some(square) => format!("{}: {after}", dgt::purpose(square)),
        None => "nothing after it is replayed".to_owned(),
    };
    Finding::new(rule, stop.token.span, message).help(help)
}

/// The results on record, of the movetext and of the Result tag, with their places.
fn recorded(game: &Game, text: &[u8]) -> impl Iterator<Item = (ResultMark, Span)> {
    let of_tag = game.known(TagName::Result).and_then(|tag| {
        let mark = result::read(&tag.unescape(text)).value?;
        Some((mark, tag.value))
    });
    [game.result, of_tag].into_iter().flatten()
}

/// The result of a game that has ended on the board. `turn` is the side to move.
pub(crate) fn by_board(ending: Ending, turn: Color) -> Option<ResultMark> {
    match (ending, turn) {
        (Ending::Open, _) => None,
        (Ending::Stalemate, _) => Some(ResultMark::Draw),
        (Ending::Checkmate, Color::White) => Some(ResultMark::Black),
        (Ending::Checkmate, Color::Black) => Some(ResultMark::White),
    }
}

/// The recorded result contradicts a mate or stalemate. `turn` is the side to move in the last
/// position.
fn against_board(game: &Game, text: &[u8], ending: Ending, turn: Color) -> Option<Finding> {
    let by_board = by_board(ending, turn)?;
    let said = match ending {
        Ending::Stalemate => format!("{turn} is stalemated"),
        Ending::Checkmate | Ending::Open => format!("{turn} is checkmated"),
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

/// Checks the spelling of the Result tag and of the mark at the end of the movetext, and whether
/// they agree.
#[inline]
fn marks(game: &Game, text: &[u8], findings: &mut Vec<Finding>) {
    if let (Some(tag), Some((mark, span))) = (game.known(TagName::Result), game.result) {
        let standard = mark.as_str().as_bytes();
        if tag.value.of(text) == standard && span.of(text) == standard {
            return;
        }
    }
    unusual_marks(game, text, findings);
}

#[cold]
fn unusual_marks(game: &Game, text: &[u8], findings: &mut Vec<Finding>) {
    let tag = game
        .known(TagName::Result)
        .filter(|tag| !tag.value.of(text).is_empty());
    let of_tag = tag.map(|tag| result::read(&tag.unescape(text)));
    if let (Some(tag), Some(read)) = (tag, of_tag) {
        match (read.form, read.value) {
            (Form::Standard, _) => {}
            (Form::InUse, Some(mark)) => findings.push(spelling(tag.value, mark, text)),
            (Form::InUse, None) => findings.push(other(tag.value, text)),
            (Form::Invalid(_), _) => findings.push(
                Finding::new(
                    &codes::UNKNOWN_RESULT,
                    tag.value,
                    format!("`{}` is not a result", shown(&tag.unescape(text))),
                )
                .help("the results are `1-0`, `0-1`, `1/2-1/2` and `*`"),
            ),
        }
    }
    if let Some((mark, span)) = game.result
        && result::read(span.of(text)).form == Form::InUse
    {
        findings.push(spelling(span, mark, text));
    }
    if let Some(span) = game.other_result {
        findings.push(other(span, text));
    }
    let Some(of_tag) = of_tag.and_then(|read| read.value) else {
        return;
    };
    let differs = match (game.result, game.other_result) {
        (Some((mark, span)), _) if mark != of_tag => Some(span),
        (None, Some(span)) => Some(span),
        _ => None,
    };
    findings.extend(differs.map(|span| {
        let mark = game
            .result
            .map_or_else(|| shown(span.of(text)), |(mark, _)| mark.to_string());
        Finding::new(
            &codes::RESULT_MISMATCH,
            span,
            format!("the Result tag is `{of_tag}`, but the game ends with `{mark}`"),
        )
    }));
}

/// One of the four results in another spelling.
fn spelling(span: Span, mark: ResultMark, text: &[u8]) -> Finding {
    Finding::new(
        &codes::RESULT_SPELLING,
        span,
        format!("`{}` is `{mark}` in PGN", shown(span.of(text))),
    )
    .help(format!("it is read as `{mark}`"))
}

fn other(span: Span, text: &[u8]) -> Finding {
    Finding::new(
        &codes::UNKNOWN_RESULT,
        span,
        format!(
            "`{}` is not a PGN result (`1-0`, `0-1`, `1/2-1/2`, `*`)",
            shown(span.of(text))
        ),
    )
    .help("the game counts as having another result")
}
