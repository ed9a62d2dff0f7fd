//! Findings about tags that disagree with one another or with the game: `Variant`, `SetUp` and
//! `FEN`, tags and movetext one without the other, and `PlyCount`.

use crate::findings::finding::{Finding, shown};
use crate::findings::registry as codes;
use crate::pgn::values::{is_unknown, number};
use crate::pgn::{Fault, FaultKind, Game, GamePart, Span, Tag, TagName, Token, TokenKind};
use crate::replay::{self, StartFault, Variant};

/// Why the game is not replayed at all.
pub(crate) fn no_start(text: &[u8], fault: StartFault) -> Finding {
    let (rule, span, message, help) = match fault {
        StartFault::OtherVariant(tag) => (
            &codes::OTHER_VARIANT,
            tag.value,
            format!("unsupported variant `{}`", shown(tag.value.of(text))),
            "its moves are not replayed",
        ),
        StartFault::UnreadableFen(tag, error) => {
            let end = tag.value.end;
            let start = (tag.value.start + error.at as u32).min(end);
            let message = format!("unreadable FEN tag: {error}");
            (
                &codes::UNREADABLE_FEN,
                Span { start, end },
                message,
                NOT_REPLAYED,
            )
        }
        StartFault::UnplayableFen(tag, faults) => {
            let message = format!("the position of the FEN tag is unplayable: {faults}");
            (
                &codes::UNPLAYABLE_POSITION,
                tag.value,
                message,
                NOT_REPLAYED,
            )
        }
        StartFault::PartOfGame(GamePart::LoneResult(mark, span)) => (
            &codes::PART_OF_GAME,
            span,
            format!("`{mark}` without tags or moves"),
            "does the blank line before it separate it from its game?",
        ),
        StartFault::PartOfGame(GamePart::FromMove(number, span)) => (
            &codes::PART_OF_GAME,
            span,
            format!("movetext without tags begins at move {number}"),
            "does the blank line before it cut a game in two? it is not replayed",
        ),
    };
    Finding::new(rule, span, message).help(help)
}

const NOT_REPLAYED: &str = "the game is not replayed";

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
    let value = setup.map_or(&b""[..], |tag| tag.value.of(text));
    let (rule, span, message, help) = match (fen, setup, value) {
        (Some(_), Some(_), b"1") => return None,
        (Some(fen), Some(_), b"0") | (Some(fen), None, _) if is_initial(fen, text) => return None,
        (Some(_), Some(setup), b"0") => (
            &codes::SETUP_AGAINST_FEN,
            setup.value,
            "SetUp is `0`, but the FEN tag gives a position".to_owned(),
            "the game is replayed from the position of the FEN tag",
        ),
        (Some(fen), None, _) => (
            &codes::FEN_WITHOUT_SETUP,
            fen.name,
            "FEN tag without a SetUp tag".to_owned(),
            "add `[SetUp \"1\"]` for programs that require it",
        ),
        (None, Some(setup), b"1") => return Some(without_fen(setup, text)),
        (_, Some(setup), value) if value != b"0" && !is_unknown(value) => (
            &codes::SETUP_AGAINST_FEN,
            setup.value,
            format!("`{}` is not a value of SetUp", shown(value)),
            "the values are `0` (initial position) and `1` (FEN tag)",
        ),
        (None, _, _) => {
            let variant = variant.filter(|tag| Variant::needs_fen(&tag.unescape(text)))?;
            return Some(without_fen(variant, text));
        }
        _ => return None,
    };
    Some(Finding::new(rule, span, message).help(help))
}

#[cold]
fn without_fen(tag: Tag, text: &[u8]) -> Finding {
    let [name, value] = [tag.name, tag.value].map(|span| shown(span.of(text)));
    let message = format!("{name} is `{value}`, but there is no FEN tag");
    Finding::new(&codes::SETUP_WITHOUT_FEN, tag.value, message)
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
    let has_move = has_move(game);
    match (has_move, game.tags.is_empty()) {
        (true, false) => None,
        (_, true) => without_tags(game, text).filter(|_| has_move),
        (false, false) => without_moves(game, text),
    }
}

/// Whether there is a word that is or may be a move.
#[inline]
pub(crate) fn has_move(game: &Game) -> bool {
    let is_move = |token: &Token| matches!(token.kind, TokenKind::San(_) | TokenKind::Unreadable);
    game.tokens.iter().any(is_move)
}

#[cold]
fn without_tags(game: &Game, text: &[u8]) -> Option<Finding> {
    // A part of another game is reported elsewhere.
    let rest = text[game.movetext..].trim_ascii_start();
    let length = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let begins = number(&rest[..length]).is_none_or(|first| first <= 1);
    let span = Span::new(game.start, (game.start + 1).min(text.len()));
    let message = "the moves have no tags of their own";
    let finding = Finding::new(&codes::GAME_WITHOUT_TAGS, span, message);
    begins.then(|| finding.help("repeat the previous tags if these are theirs"))
}

#[cold]
fn without_moves(game: &Game, text: &[u8]) -> Option<Finding> {
    // An unclosed comment or variation, or another tag section, explains the missing moves and is
    // reported.
    let sections = game.repeats_known && game.tags.iter().any(|tag| tag.after_blank);
    if sections || SWALLOWING.iter().any(|&kind| game.has_fault(kind)) {
        return None;
    }
    let message = "the game has tags but no moves";
    let finding = Finding::new(&codes::GAME_WITHOUT_MOVES, game.tags[0].name, message);
    // The next game may follow at once.
    let is_cut = game.tokens.is_empty() && game.movetext == text.len();
    Some(
        if is_cut && !text.ends_with(b"\n\n") && !text.ends_with(b"\n\r\n") {
            finding.help("the moves or the line breaks before the next game are missing")
        } else {
            finding
        },
    )
}

/// Faults after which moves are left unread.
const SWALLOWING: [FaultKind; 3] = [
    FaultKind::UnclosedComment,
    FaultKind::UnclosedVariation,
    FaultKind::TagInComment,
];

/// Text that is no movetext at all stands where the moves should be.
#[cold]
pub(crate) fn text_for_moves(game: &Game, text: &[u8]) -> Option<Finding> {
    let in_movetext = |fault: &&Fault| fault.span.start as usize >= game.movetext;
    let mut words = game.faults.iter().filter(in_movetext).peekable();
    let start = words.peek()?.span.start;
    let end = game.faults.last()?.span.end;
    let unreadable = |token: &Token| token.kind == TokenKind::Unreadable;
    let names_no_square =
        |word: &Fault| is_word(word.kind) && !word.span.of(text).windows(2).any(is_square);
    let is_prose = game.is_mostly_words()
        || !game.is_over() && game.tokens.iter().all(unreadable) && words.all(names_no_square);
    if game.tags.is_empty() || !is_prose {
        return None;
    }
    let message = "the text after the tags is not movetext";
    let finding = Finding::new(&codes::TEXT_FOR_MOVES, Span { start, end }, message);
    Some(finding.help("it ends the tag section; tag pairs after it count as another game"))
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
    let finding = Finding::new(&codes::WRONG_PLY_COUNT, tag.value, message);
    Some(finding.help("a ply is one move of one side"))
}

/// The number of moves of the main line if they cannot all be played, or `None` if it is uncertain.
#[cold]
fn counted(game: &Game) -> Option<u32> {
    let mut uncertain = SWALLOWING.iter().chain(&[FaultKind::UnreadableToken]);
    (!uncertain.any(|&kind| game.has_fault(kind))).then(|| replay::plies(game))
}
