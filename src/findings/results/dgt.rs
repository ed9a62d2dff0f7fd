//! Findings about kings put on centre squares, which signal the result to an electronic board and
//! end up among the moves.

use crate::adjudication::{king_signal, signalled_result, signals_result, to_centre};
use crate::chess::{Color, Position, Square};
use crate::findings::edit::{Edit, Repair, number_start};
use crate::findings::played::PlayedGame;
use crate::findings::registry as codes;
use crate::findings::results::recorded;
use crate::findings::{AtMove, Finding, shown};
use crate::pgn::termination::Reason;
use crate::pgn::{Game, ResultMark, Termination, Token, TokenKind};
use crate::replay::{Stop, StopReason, main_line};

/// The centre square to which a king moves after `plies` plies, if at most a centre move of the
/// other king follows.
pub(crate) fn is_signal(game: &Game, plies: u32) -> Option<Square> {
    king_signal(game, plies).map(|(square, _)| square)
}

/// The purpose of a king on a centre square.
pub(crate) fn purpose(square: Square) -> String {
    format!(
        "the king may have been put on {square} to signal the end of the game to an electronic \
        board"
    )
}

/// Reports an illegal king move to a centre square, followed at most by another one, in a game with
/// a result. If they agree with it, they are cut.
pub(crate) fn illegal(played: &PlayedGame<'_>, stop: &Stop) -> Option<Finding> {
    let PlayedGame { game, text, .. } = *played;
    let StopReason::Illegal(_, error) = stop.reason else {
        return None;
    };
    let square = is_signal(game, stop.ply - 1)?;
    let (mark, _) = recorded(game, text).find(|&(mark, _)| mark != ResultMark::Unknown)?;
    let word = shown(stop.token.span.of(text));
    let cut = |ply| match played.label(ply) {
        Some(after) => format!("cut after {after}"),
        None => "cut all moves".to_owned(),
    };
    // The previous king move may be part of the signal.
    let before = played
        .token(played.plies)
        .and_then(to_centre)
        .filter(|&before| signalled_result(before, square) == mark);
    let help = match (before, played.label(played.plies)) {
        (Some(_), Some(last)) => {
            let earlier = cut(played.plies - 1);
            format!("{earlier}, or after {last} if that move was played")
        }
        _ => cut(played.plies),
    };
    let message = format!("`{word}` is illegal: {error}");
    let mut finding = Finding::new(&codes::RESULT_SIGNAL, stop.token.span, message)
        .help(format!("{}: {help}", purpose(square)));
    if agrees(played) {
        finding.repair = Repair::new(deletions(game, text, stop.ply - 1), true);
    }
    Some(finding)
}

/// Whether the moves that cannot be played signal the result on record.
pub(crate) fn agrees(played: &PlayedGame<'_>) -> bool {
    signals_result(played.game, played.text, &played.end, played.plies)
}

/// Deletions of the moves after some plies, with their numbers.
fn deletions(game: &Game, text: &[u8], plies: u32) -> Vec<Edit> {
    let tokens = main_line(game).skip(plies as usize);
    tokens
        .map(|token| {
            let start = number_start(text, token.span.start as usize);
            let blanks = text[..start].iter().rev();
            let blanks = blanks.take_while(|byte| byte.is_ascii_whitespace()).count();
            Edit::delete(&(start - blanks..token.span.end as usize))
        })
        .collect()
}

/// Whether the last move is a king move to a centre square.
#[inline]
pub(crate) fn is_due(game: &Game) -> bool {
    let is_move = |token: &&Token| {
        !matches!(
            token.kind,
            TokenKind::Result(_) | TokenKind::NonstandardResult(_)
        )
    };
    let last = game.tokens.iter().rev().find(is_move);
    last.is_some_and(|token| to_centre(token).is_some())
}

/// Reports a legal last king move to a centre square that needlessly lets the other side mate at
/// once, in a game that the side did not lose.
#[cold]
pub(crate) fn legal(played: &PlayedGame<'_>) -> Option<Finding> {
    let PlayedGame { game, text, .. } = *played;
    let lost = match played.end.turn() {
        Color::White => ResultMark::White,
        Color::Black => ResultMark::Black,
    };
    let (mark, _) = recorded(game, text).next()?;
    if mark == lost || mark == ResultMark::Unknown || !has_mate(&played.end) {
        return None;
    }
    // Time and the like are reasons for which a side that blundered does not lose.
    let reason = Termination::of(game, text).and_then(|said| said.reason);
    if reason.is_some_and(|reason| reason != Reason::Normal) {
        return None;
    }
    let last = main_line(game).last()?;
    let square = to_centre(last)?;
    let before = &played.position_after(played.plies.checked_sub(1)?);
    let others = before.legal_moves();
    others.iter().find(|&&mv| !has_mate(&before.after(mv)))?;
    let word = shown(last.span.of(text));
    let help = match played.label(played.plies - 1) {
        Some(before) => format!("then cut after {before}"),
        None => "then cut it".to_owned(),
    };
    let message = format!("`{word}` allows mate in one, but the result is `{mark}`");
    Some(
        Finding::new(&codes::DOUBTFUL_KING_MOVE, last.span, message)
            .help(format!("{}: {help}", purpose(square)))
            .at(AtMove::new(played.plies, last.span.of(text), before)),
    )
}

fn has_mate(position: &Position) -> bool {
    let moves = position.legal_moves();
    moves.iter().any(|&mv| position.after(mv).is_checkmate())
}
