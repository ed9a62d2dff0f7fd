//! Findings about tags and movetext: one without the other, and `PlyCount`.

use crate::commands::validate::check::{Finding, shown};
use crate::commands::validate::registry as codes;
use crate::pgn::values::number;
use crate::pgn::{FaultKind, Game, Span, TagName, TokenKind};

/// A tag section without moves, or moves without a tag section.
#[inline]
pub(crate) fn of_movetext(game: &Game, text: &[u8]) -> Option<Finding> {
    let has_move = match game.tokens.first() {
        Some(token) => {
            matches!(token.kind, TokenKind::San(_) | TokenKind::Unreadable) || has_move(game)
        }
        None => false,
    };
    if has_move && !game.tags.is_empty() {
        return None;
    }
    without(game, text, has_move)
}

#[cold]
fn has_move(game: &Game) -> bool {
    game.tokens
        .iter()
        .any(|token| matches!(token.kind, TokenKind::San(_) | TokenKind::Unreadable))
}

#[cold]
fn without(game: &Game, text: &[u8], has_move: bool) -> Option<Finding> {
    if game.tags.is_empty() {
        // A part of another game is reported elsewhere.
        let rest = text[game.movetext..].trim_ascii_start();
        let length = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let begins = number(&rest[..length]).is_none_or(|first| first <= 1);
        let span = Span::new(game.start, (game.start + 1).min(text.len()));
        return (has_move && begins).then(|| {
            Finding::new(
                &codes::GAME_WITHOUT_TAGS,
                span,
                "the moves have no tags of their own",
            )
            .help("repeat the previous tags if these are theirs")
        });
    }
    // An unclosed comment or variation, or another tag section, explains the missing moves and is
    // reported.
    let sections = game.repeats_known_tag() && game.tags.iter().any(|tag| tag.after_blank);
    let swallowed = sections
        || game.faults.iter().any(|fault| {
            matches!(
                fault.kind,
                FaultKind::UnclosedComment | FaultKind::UnclosedVariation | FaultKind::TagInComment
            )
        });
    let place = game.tags[0].name;
    (!has_move && !swallowed).then(|| {
        Finding::new(
            &codes::GAME_WITHOUT_MOVES,
            place,
            "the game has tags but no moves",
        )
    })
}

/// Text that is no movetext at all stands where the moves should be.
#[cold]
pub(crate) fn text_for_moves(game: &Game, text: &[u8]) -> Option<Finding> {
    let mut words = game
        .faults
        .iter()
        .filter(|fault| fault.span.start as usize >= game.movetext)
        .peekable();
    let first = words.peek()?.span;
    let last = game.faults.last()?.span;
    let is_prose = !game.tags.is_empty()
        && (game.is_mostly_words()
            || !game.is_over()
                && game
                    .tokens
                    .iter()
                    .all(|token| token.kind == TokenKind::Unreadable)
                && words.all(|word| {
                    is_word(word.kind) && !word.span.of(text).windows(2).any(is_square)
                }));
    is_prose.then(|| {
        Finding::new(
            &codes::TEXT_FOR_MOVES,
            Span {
                end: last.end,
                ..first
            },
            "the text after the tags is not movetext",
        )
        .help("it ends the tag section; tag pairs after it count as another game")
    })
}

/// Whether a fault is a word that is no move.
pub(crate) fn is_word(kind: FaultKind) -> bool {
    matches!(kind, FaultKind::UnreadableToken | FaultKind::UnknownSymbol)
}

fn is_square(text: &[u8]) -> bool {
    matches!(text, [b'a'..=b'h' | b'A'..=b'H', b'1'..=b'8'])
}

/// The `PlyCount` tag is not the number of plies. `replayed` is how many plies have been played, if
/// none are left.
#[inline]
pub(crate) fn ply_count(game: &Game, text: &[u8], replayed: Option<u32>) -> Option<Finding> {
    let tag = game.known(TagName::PlyCount)?;
    let value = tag.value.of(text);
    if value.is_empty() || value == b"?" {
        return None;
    }
    let stated = number(value);
    let plies = match replayed {
        Some(plies) if game.faults.is_empty() => plies,
        _ => counted(game)?,
    };
    if stated == Some(plies) {
        return None;
    }
    let message = match stated {
        Some(stated) => {
            let unit = if plies == 1 { "ply" } else { "plies" };
            format!("PlyCount is {stated}, but the game has {plies} {unit}")
        }
        None => format!("`{}` is not a number of plies", shown(value)),
    };
    Some(
        Finding::new(&codes::WRONG_PLY_COUNT, tag.value, message)
            .help("a ply is one move of one side"),
    )
}

/// The number of moves of the main line if they cannot all be played, or `None` if it is uncertain.
#[cold]
fn counted(game: &Game) -> Option<u32> {
    let uncertain = game.faults.iter().any(|fault| {
        matches!(
            fault.kind,
            FaultKind::UnreadableToken
                | FaultKind::UnclosedComment
                | FaultKind::UnclosedVariation
                | FaultKind::TagInComment
                | FaultKind::ReadersDisagree
        )
    });
    if uncertain {
        return None;
    }
    Some(game.plies())
}
