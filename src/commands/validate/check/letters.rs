//! Findings about the letters of the pieces.

use crate::chess::piece::Role;
use crate::chess::san::San;
use crate::commands::validate::check::{Finding, shown};
use crate::commands::validate::registry as codes;
use crate::notation::LetterSet;
use crate::pgn::{Game, TokenKind};

/// The game is in the letters of another language.
pub(crate) fn other(game: &Game, text: &[u8]) -> Option<Finding> {
    let letters = game.letters?;
    let set = letters.first();
    let has_letter = |san: San| match san {
        San::Piece {
            role, promotion, ..
        } => {
            let differs = |role: Role| set.letter(role) != LetterSet::english().letter(role);
            role != Role::Pawn && differs(role) || promotion.is_some_and(differs)
        }
        _ => false,
    };
    let (token, plus) = game.tokens.iter().find_map(|token| match token.kind {
        TokenKind::San(plus) if has_letter(plus.san) => Some((token, plus)),
        _ => None,
    })?;
    let sets: Vec<_> = letters.sets().map(ToString::to_string).collect();
    let word = shown(token.span.of(text));
    let message = format!(
        "the letters of the pieces are not English but {}: `{word}` is `{plus}`",
        sets.join(" or "),
    );
    Some(
        Finding::new(&codes::OTHER_PIECE_LETTERS, token.span, message)
            .help("the letters of PGN are K Q R B N"),
    )
}

/// What may help where a game is legal in some letters for a while.
pub(crate) fn nearly(set: &LetterSet, plies: u32) -> String {
    format!(
        "in other letters, {set}, the first {plies} plies are legal: `--piece-letters {}` reads the game so",
        set.languages[0].code
    )
}
