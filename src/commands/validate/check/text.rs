//! Findings about the text itself: what the reader could not make sense of.

use crate::commands::validate::check::collect::Findings;
use crate::commands::validate::check::notation;
use crate::commands::validate::check::{AtMove, Checks, Finding, shown};
use crate::commands::validate::registry as codes;
use crate::commands::validate::registry::Rule;
use crate::input::END_OF_FILE_MARK;
use crate::pgn::{Fault, FaultKind, Game, Span, TokenKind};

/// The finding about a text without any part of a game.
pub(crate) fn unreadable_game(game: &Game, text: &[u8]) -> Finding {
    let span = Span::new(game.start, (game.start + 1).min(text.len()));
    let message = if game.words() > 0 {
        "the text is not PGN: it has no tag pair and hardly any moves"
    } else {
        "the text has no tag pair, move or result"
    };
    Finding::new(&codes::UNREADABLE_GAME, span, message)
}

/// Adds the findings about the reader's faults. `ends` are the words that ended a line of play,
/// with their moves, in order. Faults that are `unjudged` are skipped.
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
        // NULs and end-of-file marks are reported by the checks of bytes.
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
        // Faults that break the game's text keep their severity in variations.
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
            format!("`{}` is not a well-formed tag pair", word()),
            Some("a tag pair has a name and a value in quotes: `[White \"Morphy, Paul\"]`"),
        ),
        FaultKind::UnclosedTag => (
            "the tag value has no closing quote".to_owned(),
            Some("the value is read to the end of the line"),
        ),
        FaultKind::UnescapedQuote => (
            "a quote inside a tag value has no backslash before it".to_owned(),
            Some("write `\\\"`; the value is read to the last quote of the line"),
        ),
        FaultKind::UnknownSymbol => (
            format!("`{}` is not a symbol of the PGN standard", word()),
            None,
        ),
        FaultKind::UnclosedComment => (
            "the comment is not closed".to_owned(),
            Some(
                "the rest of the game is not read; the next game begins at the next tag pair \
                after a blank line",
            ),
        ),
        FaultKind::UnclosedVariation => (
            "the variation is not closed".to_owned(),
            Some("everything after the parenthesis belongs to the variation"),
        ),
        FaultKind::TagInComment => (
            "this line of a comment looks like a tag pair of another game".to_owned(),
            Some("does the comment lack its `}`?"),
        ),
        FaultKind::StrayParenthesis => ("`)` without `(`".to_owned(), None),
        FaultKind::StrayBrace => (
            "`}` without `{`".to_owned(),
            Some("words between it and the previous comment are read as part of that comment"),
        ),
        FaultKind::NestedComment => (
            "`}` left over from a nested comment".to_owned(),
            Some("comments do not nest: the first `}` ends the comment"),
        ),
        FaultKind::BraceInComment => (
            "`{` inside a comment".to_owned(),
            Some("does the previous comment lack its `}`? moves between the two are not read"),
        ),
        FaultKind::NagOutOfRange => (
            format!("`{}` is not a NAG", word()),
            Some("NAGs are `$0` to `$255`"),
        ),
        FaultKind::GluedResult => (
            format!("no space between the last move and the result `{}`", word()),
            Some("they are read as a move and a result"),
        ),
        FaultKind::AfterResult => (
            format!("`{}` follows the result mark", word()),
            Some("the first result mark ends the game; moves after it are not replayed"),
        ),
        FaultKind::BlankLine => (
            "blank line in the middle of the game".to_owned(),
            Some("remove it: many programs end the game there"),
        ),
        FaultKind::CommentAlone => (
            "the comment is outside the game".to_owned(),
            Some("move it between the tags and the result"),
        ),
        FaultKind::TooLong => (
            "the game has more variations, words or tags than the limit".to_owned(),
            Some("the rest of it is not read"),
        ),
        FaultKind::ReadersDisagree => (
            format!("the two readers disagree on `{}`", word()),
            Some("this is a bug in arbiter; please report it with the game"),
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
        Some((set, plies)) if at.ply <= plies => notation::nearly_legal_in(set, plies),
        _ if is_file_capture(fault.span.of(text)) => {
            "a pawn capture names its target square, as in `dxe5`; nothing after it is replayed"
                .to_owned()
        }
        _ => "it may be a move, so nothing after it is replayed".to_owned(),
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
            "the game has no result mark",
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
