//! Findings about tags that disagree with one another or with the game: `Variant`, `SetUp` and
//! `FEN`, tags and movetext one without the other, and `PlyCount`.

use crate::findings::finding::{Finding, shown};
use crate::findings::registry as codes;
use crate::pgn::values::{is_unknown, number};
use crate::pgn::{FaultKind, Game, Part, Span, Tag, TagName, TokenKind};
use crate::replay::{StartFault, Variant};

/// Why the game is not replayed at all.
pub(crate) fn no_start(text: &[u8], fault: StartFault) -> Finding {
    match fault {
        StartFault::OtherVariant(tag) => {
            let variant = shown(tag.value.of(text));
            let message = format!("unsupported variant `{variant}`");
            Finding::new(&codes::OTHER_VARIANT, tag.value, message)
                .help("its moves are not replayed")
        }
        StartFault::UnreadableFen(tag, error) => {
            let at = (tag.value.start as usize + error.at).min(tag.value.end as usize);
            Finding::new(
                &codes::UNREADABLE_FEN,
                Span::new(at, (tag.value.end as usize).max(at)),
                format!("unreadable FEN tag: {error}"),
            )
            .help("the game is not replayed")
        }
        StartFault::UnplayableFen(tag, faults) => Finding::new(
            &codes::UNPLAYABLE_POSITION,
            tag.value,
            format!("the position of the FEN tag is unplayable: {faults}"),
        )
        .help("the game is not replayed"),
        StartFault::PartOfGame(Part::LoneResult(mark, span)) => Finding::new(
            &codes::PART_OF_GAME,
            span,
            format!("`{mark}` without tags or moves"),
        )
        .help("does the blank line before it separate it from its game?"),
        StartFault::PartOfGame(Part::FromMove(number, span)) => Finding::new(
            &codes::PART_OF_GAME,
            span,
            format!("movetext without tags begins at move {number}"),
        )
        .help("does the blank line before it cut a game in two? it is not replayed"),
    }
}

/// The FEN tag, if it gives a position, and the `SetUp` tag do not agree (PGN standard 9.7 in the
/// edition of 1994; the tag is cancelled in later ones, and yet in general use).
#[inline]
pub(crate) fn setup(game: &Game, text: &[u8]) -> Option<Finding> {
    let fen = game.known(TagName::Fen);
    let setup = game.known(TagName::SetUp);
    let variant = game.known(TagName::Variant);
    if fen.is_none() && setup.is_none() && variant.is_none() {
        return None;
    }
    let fen = fen.filter(|tag| !is_unknown(tag.value.of(text)));
    match (fen, setup, setup.map_or(&b""[..], |tag| tag.value.of(text))) {
        (Some(_), Some(_), b"1") => None,
        (Some(fen), Some(setup), b"0") => (!is_initial(fen, text)).then(|| {
            Finding::new(
                &codes::SETUP_AGAINST_FEN,
                setup.value,
                "SetUp is `0`, but the FEN tag gives a position",
            )
            .help("the game is replayed from the position of the FEN tag")
        }),
        (Some(fen), None, _) => (!is_initial(fen, text)).then(|| {
            Finding::new(
                &codes::FEN_WITHOUT_SETUP,
                fen.name,
                "FEN tag without a SetUp tag",
            )
            .help("add `[SetUp \"1\"]` for programs that require it")
        }),
        (None, Some(setup), b"1") => Some(without_fen(setup, text)),
        (_, Some(setup), value) if value != b"0" && !is_unknown(value) => Some(
            Finding::new(
                &codes::SETUP_AGAINST_FEN,
                setup.value,
                format!("`{}` is not a value of SetUp", shown(value)),
            )
            .help("the values are `0` (initial position) and `1` (FEN tag)"),
        ),
        (None, _, _) => {
            let variant = variant.filter(|tag| Variant::needs_fen(&tag.unescape(text)))?;
            Some(without_fen(variant, text))
        }
        _ => None,
    }
}

#[cold]
fn without_fen(tag: Tag, text: &[u8]) -> Finding {
    Finding::new(
        &codes::SETUP_WITHOUT_FEN,
        tag.value,
        format!(
            "{} is `{}`, but there is no FEN tag",
            shown(tag.name.of(text)),
            shown(tag.value.of(text))
        ),
    )
    .help("the game is replayed from the initial position")
}

/// Whether the FEN is the initial position of standard chess, which needs neither tag.
fn is_initial(fen: Tag, text: &[u8]) -> bool {
    fen.value
        .of(text)
        .starts_with(b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -")
}

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
    let sections = game.repeats_known && game.tags.iter().any(|tag| tag.after_blank);
    let swallowed = sections
        || game.faults.iter().any(|fault| {
            matches!(
                fault.kind,
                FaultKind::UnclosedComment | FaultKind::UnclosedVariation | FaultKind::TagInComment
            )
        });
    let place = game.tags[0].name;
    (!has_move && !swallowed).then(|| {
        let message = "the game has tags but no moves";
        let finding = Finding::new(&codes::GAME_WITHOUT_MOVES, place, message);
        // The next game may follow at once.
        let is_cut = game.tokens.is_empty() && game.movetext == text.len();
        match is_cut && !text.ends_with(b"\n\n") && !text.ends_with(b"\n\r\n") {
            true => finding.help("the moves or the line breaks before the next game are missing"),
            false => finding,
        }
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
    if is_unknown(value) {
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
        )
    });
    if uncertain {
        return None;
    }
    Some(game.plies())
}
