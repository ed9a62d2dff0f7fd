//! Findings about results: their spelling, and against each other, the board and the rules for
//! automatic ends.

mod ends;

use crate::chess::Color;
use crate::findings::finding::Findings;
use crate::findings::played::PlayedGame;
use crate::findings::registry as codes;
use crate::findings::{Finding, moves, shown};
use crate::law::End;
use crate::pgn::values::{Form, result};
use crate::pgn::{Game, ResultMark, Span, TagName};
use crate::replay::{Stop, StopReason};

/// Reports findings about the result of a game. `played` is `None` if it could not be replayed.
pub(crate) fn check(
    game: &Game,
    text: &[u8],
    played: Option<&PlayedGame<'_>>,
    findings: &mut Findings<'_>,
) {
    marks(game, text, findings);
    let Some(played) = played else { return };
    let ended_otherwise = ends::is_due(played) && ends::check(played, findings);
    if let Some(end) = played.ending
        && !ended_otherwise
    {
        findings.extend(against_board(game, text, end, played.end.turn()));
    }
}

/// The finding about the move at which the replay stopped: after mate or stalemate, or illegal for
/// another reason. The reader reports unreadable words.
#[cold]
pub(crate) fn stop(played: &PlayedGame<'_>) -> Option<Finding> {
    let (stop, at) = played.stop()?;
    match stop.reason {
        StopReason::Illegal(..) if played.ending.is_some() => Some(after_end(played, &stop).at(at)),
        _ => moves::stop(&stop, at, played.text),
    }
}

/// A move after mate or stalemate.
fn after_end(played: &PlayedGame<'_>, stop: &Stop) -> Finding {
    let (rule, what) = match played.ending {
        Some(End::Checkmate) => (&codes::MOVE_AFTER_CHECKMATE, "checkmate"),
        _ => (&codes::MOVE_AFTER_STALEMATE, "stalemate"),
    };
    let word = shown(stop.token.span.of(played.text));
    let by = played.label(played.plies);
    let message = match by {
        Some(by) => format!("`{word}` cannot be played: the game ended by {what} with {by}"),
        None => format!("`{word}` cannot be played: the game begins with {what}"),
    };
    Finding::new(rule, stop.token.span, message).help("nothing after it is replayed")
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
pub(crate) fn by_board(end: End, turn: Color) -> ResultMark {
    match end {
        End::Checkmate => ResultMark::won_by(!turn),
        _ => ResultMark::Draw,
    }
}

/// The recorded result contradicts a mate or stalemate. `turn` is the side to move in the last
/// position.
fn against_board(game: &Game, text: &[u8], end: End, turn: Color) -> Option<Finding> {
    let by_board = by_board(end, turn);
    let said = match end {
        End::Checkmate => format!("{turn} is checkmated"),
        _ => format!("{turn} is stalemated"),
    };
    let help = format!("by the board the result is `{by_board}`");
    let marks = || recorded(game, text);
    let contradicts = |mark| mark != by_board && mark != ResultMark::Unknown;
    let Some((mark, span)) = marks().find(|&(mark, _)| contradicts(mark)) else {
        let is_recorded = marks().any(|(mark, _)| mark == by_board);
        let (_, span) = marks().next().filter(|_| !is_recorded)?;
        let message = format!("{said}, but no result is recorded");
        return Some(Finding::new(&codes::RESULT_NOT_RECORDED, span, message).help(help));
    };
    let message = format!("{said}, but the result is `{mark}`");
    Some(Finding::new(&codes::RESULT_AGAINST_BOARD, span, message).help(help))
}

/// Checks the spelling of the Result tag and of the mark at the end of the movetext, and whether
/// they agree.
#[inline]
fn marks(game: &Game, text: &[u8], findings: &mut Findings<'_>) {
    if let (Some(tag), Some((mark, span))) = (game.known(TagName::Result), game.result) {
        let standard = mark.as_str().as_bytes();
        if tag.value.of(text) == standard && span.of(text) == standard {
            return;
        }
    }
    unusual_marks(game, text, findings);
}

#[cold]
fn unusual_marks(game: &Game, text: &[u8], findings: &mut Findings<'_>) {
    let tag = game.known(TagName::Result);
    let tag = tag.filter(|tag| !tag.value.of(text).is_empty());
    let of_tag = tag.map(|tag| result::read(&tag.unescape(text)));
    if let (Some(tag), Some(read)) = (tag, of_tag) {
        match (read.form, read.value) {
            (Form::Standard, _) => {}
            (Form::InUse, Some(mark)) => findings.push(spelling(tag.value, mark, text)),
            (Form::InUse, None) => findings.push(other(tag.value, text)),
            (Form::Invalid(_), _) => {
                let message = format!("`{}` is not a result", shown(&tag.unescape(text)));
                let finding = Finding::new(&codes::UNKNOWN_RESULT, tag.value, message);
                findings.push(finding.help("the results are `1-0`, `0-1`, `1/2-1/2` and `*`"));
            }
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
        let message = format!("the Result tag is `{of_tag}`, but the game ends with `{mark}`");
        Finding::new(&codes::RESULT_MISMATCH, span, message)
    }));
}

/// One of the four results in another spelling.
fn spelling(span: Span, mark: ResultMark, text: &[u8]) -> Finding {
    let message = format!("`{}` is `{mark}` in PGN", shown(span.of(text)));
    Finding::new(&codes::RESULT_SPELLING, span, message).help(format!("it is read as `{mark}`"))
}

fn other(span: Span, text: &[u8]) -> Finding {
    let word = shown(span.of(text));
    let message = format!("`{word}` is not a PGN result (`1-0`, `0-1`, `1/2-1/2`, `*`)");
    Finding::new(&codes::UNKNOWN_RESULT, span, message)
        .help("the game counts as having another result")
}
