//! Findings about the start of a game: the `Variant`, `SetUp` and `FEN` tags.

use crate::commands::validate::check::{Finding, shown};
use crate::commands::validate::registry as codes;
use crate::pgn::{Game, Part, Span, Tag, TagName};
use crate::replay::{StartFault, Variant};

/// Why the game is not replayed at all.
pub fn no_start(text: &[u8], fault: StartFault) -> Finding {
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
    let fen = fen.filter(|tag| !matches!(tag.value.of(text), b"" | b"?" | b"-"));
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
        (_, Some(setup), value) if !matches!(value, b"0" | b"" | b"?" | b"-") => Some(
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
