//! Findings about the text itself: what the reader could not make sense of.

use crate::commands::validate::check::collect::Findings;
use crate::commands::validate::check::letters;
use crate::commands::validate::check::{AtMove, Checks, Finding, shown};
use crate::commands::validate::registry as codes;
use crate::commands::validate::registry::Rule;
use crate::input::END_OF_FILE_MARK;
use crate::pgn::{Fault, FaultKind, Game, Span, TokenKind};

/// No part of a game is in the text.
pub(crate) fn unreadable_game(game: &Game, text: &[u8]) -> Finding {
    let span = Span::new(game.start, (game.start + 1).min(text.len()));
    let message = if game.words() > 0 {
        "this text is not PGN: it has no tag pair and hardly a move"
    } else {
        "no tag pair, no move and no result can be read in this text"
    };
    Finding::new(&codes::UNREADABLE_GAME, span, message)
}

/// The findings of all faults of the reader. `ends` are the words that ended a line of play, with the move that was to
/// be made, in order of place. A fault that is `unjudged` is none of its own.
pub(crate) fn faults(
    game: &Game,
    text: &[u8],
    ends: &[(Span, AtMove)],
    unjudged: impl Fn(&Fault) -> bool,
    checks: &Checks,
    findings: &mut Vec<Finding>,
) {
    let mut tokens = game.tokens.iter().peekable();
    let mut depth = 0_usize;
    for one in &game.faults {
        // NULs and end-of-file marks are found among the bytes, wherever they stand.
        let word = one.span.of(text);
        let control = word.iter().all(|byte| [0, END_OF_FILE_MARK].contains(byte));
        if control && !word.is_empty() || unjudged(one) {
            continue;
        }
        while let Some(token) = tokens.next_if(|token| token.span.start < one.span.start) {
            match token.kind {
                TokenKind::Open => depth += 1,
                TokenKind::Close => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
        // What breaks the game's text does so wherever it stands.
        let in_variation = depth > 0
            && matches!(
                one.kind,
                FaultKind::UnreadableToken
                    | FaultKind::UnknownSymbol
                    | FaultKind::NagOutOfRange
                    | FaultKind::NestedComment
                    | FaultKind::BraceInComment
            );
        if in_variation && !checks.variations() {
            continue;
        }
        let end = ends.binary_search_by_key(&one.span, |end| end.0);
        let at = end.ok().map(|nth| ends[nth].1.clone());
        findings.push(fault(game, one, text, at).in_variation(in_variation));
    }
}

/// The rule of a fault of the reader.
fn rule(kind: FaultKind) -> &'static Rule {
    match kind {
        FaultKind::UnreadableToken => &codes::UNREADABLE_TOKEN,
        FaultKind::MalformedTag => &codes::MALFORMED_TAG,
        FaultKind::UnclosedTag => &codes::UNCLOSED_TAG,
        FaultKind::UnescapedQuote => &codes::UNESCAPED_QUOTE,
        FaultKind::UnknownSymbol => &codes::UNKNOWN_SYMBOL,
        FaultKind::UnclosedComment => &codes::UNCLOSED_COMMENT,
        FaultKind::UnclosedVariation => &codes::UNCLOSED_VARIATION,
        FaultKind::TagInComment => &codes::TAG_IN_COMMENT,
        FaultKind::StrayParenthesis => &codes::STRAY_PARENTHESIS,
        FaultKind::StrayBrace => &codes::STRAY_BRACE,
        FaultKind::NestedComment => &codes::NESTED_COMMENT,
        FaultKind::BraceInComment => &codes::BRACE_IN_COMMENT,
        FaultKind::NagOutOfRange => &codes::NAG_OUT_OF_RANGE,
        FaultKind::GluedResult => &codes::GLUED_RESULT,
        FaultKind::AfterResult => &codes::TEXT_AFTER_RESULT,
        FaultKind::BlankLine => &codes::BLANK_LINE,
        FaultKind::CommentAlone => &codes::COMMENT_OUTSIDE_GAME,
        FaultKind::TooLong => &codes::GAME_TOO_LONG,
        FaultKind::ReadersDisagree => &codes::READERS_DISAGREE,
    }
}

/// The finding of a fault of the reader.
pub(crate) fn fault(game: &Game, fault: &Fault, text: &[u8], at: Option<AtMove>) -> Finding {
    let word = || shown(fault.span.of(text));
    let (message, help): (_, Option<&str>) = match fault.kind {
        FaultKind::UnreadableToken => return unreadable_token(game, fault, text, at),
        FaultKind::MalformedTag => (
            format!("`{}` is not a tag pair of the standard's form", word()),
            Some("a tag pair has a name and a value in quotes: `[White \"Morphy, Paul\"]`"),
        ),
        FaultKind::UnclosedTag => (
            "the tag's value has no closing quote".to_owned(),
            Some("the value is taken to end with the line"),
        ),
        FaultKind::UnescapedQuote => (
            "a quote inside a tag's value has no backslash before it".to_owned(),
            Some("write `\\\"`; the value is taken to end at the last quote of the line"),
        ),
        FaultKind::UnknownSymbol => (
            format!("`{}` is not a sign of the PGN standard", word()),
            None,
        ),
        FaultKind::UnclosedComment => (
            "the comment that begins here is never closed".to_owned(),
            Some(
                "nothing after the brace is read; the next game begins at the next tag pair after a blank line",
            ),
        ),
        FaultKind::UnclosedVariation => (
            "the variation that begins here is never closed".to_owned(),
            Some("everything after the parenthesis belongs to the variation"),
        ),
        FaultKind::TagInComment => (
            "this line of a comment looks like a tag pair of another game".to_owned(),
            Some("does the comment lack its closing brace?"),
        ),
        FaultKind::StrayParenthesis => ("this `)` closes no variation".to_owned(), None),
        FaultKind::StrayBrace => (
            "this `}` closes no comment".to_owned(),
            Some("words between it and the comment before it are taken for a part of that comment"),
        ),
        FaultKind::NestedComment => (
            "this `}` is left over from a comment within a comment".to_owned(),
            Some("comments do not nest: the first `}` ends a comment, whatever `{` it holds"),
        ),
        FaultKind::BraceInComment => (
            "this `{` stands inside a comment".to_owned(),
            Some(
                "does the comment before it lack its `}`? moves between the two are then not read",
            ),
        ),
        FaultKind::NagOutOfRange => (
            format!("`{}` is no annotation glyph", word()),
            Some("glyphs are `$0` to `$255`"),
        ),
        FaultKind::GluedResult => (
            format!(
                "no blank stands between the last move and the result `{}`",
                word()
            ),
            Some("the move and the result are read apart"),
        ),
        FaultKind::AfterResult => (
            format!("`{}` stands after the result mark", word()),
            Some("the first result mark ends the game; what follows is not replayed"),
        ),
        FaultKind::BlankLine => (
            "a blank line stands before this, in the middle of the game".to_owned(),
            Some("remove it: to other programs the game ends there"),
        ),
        FaultKind::CommentAlone => (
            "this comment stands alone, outside the game".to_owned(),
            Some("put it after the tag pairs, before the result"),
        ),
        FaultKind::TooLong => (
            "the game has more variations, words or tags than are read".to_owned(),
            Some("what is left of it is not read"),
        ),
        FaultKind::ReadersDisagree => (
            format!("the two readers do not agree on `{}`", word()),
            Some("this is a defect of arbiter; please report it with the game"),
        ),
    };
    Finding {
        help: help.map(str::to_owned),
        at,
        ..Finding::new(rule(fault.kind), fault.span, message)
    }
}

/// A word that is no move.
pub(crate) fn unreadable_token(
    game: &Game,
    fault: &Fault,
    text: &[u8],
    at: Option<AtMove>,
) -> Finding {
    let help = at.as_ref().map(|at| match game.nearly {
        Some((set, plies)) if at.ply <= plies => letters::nearly(set, plies),
        _ if is_file_capture(fault.span.of(text)) => {
            "a capture by a pawn names its square, as in `dxe5`; nothing after it is replayed"
                .to_owned()
        }
        _ => "it may have been a move, so nothing after it is replayed".to_owned(),
    });
    let message = format!("`{}` is not a move", shown(fault.span.of(text)));
    Finding {
        help,
        at,
        ..Finding::new(&codes::UNREADABLE_TOKEN, fault.span, message)
    }
}

/// `dxe` or `de`, short for a capture.
fn is_file_capture(word: &[u8]) -> bool {
    matches!(
        word,
        [b'a'..=b'h', b'a'..=b'h'] | [b'a'..=b'h', b'x' | b':', b'a'..=b'h']
    )
}

/// The movetext ends without a result mark, and is read to its end.
pub(crate) fn unfinished(game: &Game, text: &[u8]) -> Option<Finding> {
    let swallowed =
        game.has_fault(FaultKind::UnclosedComment) || game.has_fault(FaultKind::TooLong);
    let is_move = |kind| matches!(kind, TokenKind::San(_) | TokenKind::Unreadable);
    let without_moves =
        !game.tags.is_empty() && !game.tokens.iter().any(|token| is_move(token.kind));
    if game.is_over() || swallowed || without_moves {
        return None;
    }
    Some(
        Finding::new(
            &codes::UNFINISHED_GAME,
            end_of(text),
            "the game ends without a result mark",
        )
        .help("end the movetext with `1-0`, `0-1`, `1/2-1/2` or `*`"),
    )
}

/// Counts the faults that the reader does not list, except those of a kind that is `uncounted`.
pub(crate) fn left_out(
    game: &Game,
    uncounted: impl Fn(FaultKind) -> bool,
    findings: &mut Findings<'_>,
) {
    for kind in FaultKind::ALL.into_iter().filter(|&kind| !uncounted(kind)) {
        findings.leave_out(rule(kind), game.more_faults(kind));
    }
}

/// Faults of one game or position beyond those that are listed.
pub(crate) fn more(left_out: u64, unit: &str, text: &[u8]) -> Option<Finding> {
    let message = match left_out {
        0 => return None,
        1 => format!("1 more fault in this {unit} is not listed"),
        more => format!("{more} more faults in this {unit} are not listed"),
    };
    Some(Finding::new(&codes::FAULTS_LEFT_OUT, end_of(text), message))
}

/// The last byte that is not blank.
fn end_of(text: &[u8]) -> Span {
    let end = text.trim_ascii_end().len();
    // The last character may have several bytes.
    let last = text[..end]
        .iter()
        .rev()
        .take(4)
        .position(|byte| byte & 0xc0 != 0x80)
        .unwrap_or_default();
    Span::new(end.saturating_sub(last + 1), end)
}
