//! The Result tag and the mark at the end of the movetext: their spelling, and whether they agree.

use crate::commands::validate::check::{Finding, shown};
use crate::commands::validate::registry as codes;
use crate::pgn::{Game, ResultText, Span, TagName};
use crate::replay::Stop;

#[inline]
pub(crate) fn check(game: &Game, text: &[u8], findings: &mut Vec<Finding>) {
    if let (Some(tag), Some((mark, span))) = (game.known(TagName::Result), game.result) {
        let standard = mark.as_str().as_bytes();
        if tag.value.of(text) == standard && span.of(text) == standard {
            return;
        }
    }
    look(game, text, findings);
}

#[cold]
fn look(game: &Game, text: &[u8], findings: &mut Vec<Finding>) {
    let tag = game
        .known(TagName::Result)
        .filter(|tag| !tag.value.of(text).is_empty());
    let of_tag = tag.and_then(|tag| ResultText::read(&tag.unescape(text)));
    if let Some(tag) = tag {
        match of_tag {
            Some(ResultText::Standard(_)) => {}
            Some(ResultText::Spelled(_)) => findings.extend(spelling(tag.value, text)),
            Some(ResultText::Other) => findings.push(other(tag.value, text)),
            None => findings.push(
                Finding::new(
                    &codes::UNKNOWN_RESULT,
                    tag.value,
                    format!("`{}` is not a result", shown(&tag.unescape(text))),
                )
                .help("the results are `1-0`, `0-1`, `1/2-1/2` and `*`"),
            ),
        }
    }
    if let Some((_, span)) = game.result {
        findings.extend(spelling(span, text));
    }
    if let Some(span) = game.other_result {
        findings.push(other(span, text));
    }
    let Some(of_tag) = of_tag.and_then(ResultText::mark) else {
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
fn spelling(span: Span, text: &[u8]) -> Option<Finding> {
    let Some(ResultText::Spelled(mark)) = ResultText::read(span.of(text)) else {
        return None;
    };
    Some(
        Finding::new(
            &codes::RESULT_SPELLING,
            span,
            format!("`{}` is `{mark}` in PGN", shown(span.of(text))),
        )
        .help(format!("it is read as `{mark}`")),
    )
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

/// A last `0-0` that is no legal castling, in a game without another result.
pub(crate) fn zeros(game: &Game, text: &[u8], stop: &Stop) -> Option<Finding> {
    let span = stop.token.span;
    let is_last = game.tokens.last().map(|token| token.span) == Some(span);
    let is_result = ResultText::read(span.of(text)) == Some(ResultText::Other);
    (is_last && is_result && !game.is_over()).then(|| other(span, text))
}
