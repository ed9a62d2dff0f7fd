//! Files that are not PGN: no game is found in them.

use crate::findings::finding::keep;
use crate::findings::registry as codes;
use crate::findings::{Checks, Finding};
use crate::input::{POSITIONS, content_of};
use crate::pgn::{Game, Span};

/// The findings about a file that is not PGN, and about one of which only the beginning is not,
/// given the text with which it begins.
pub(crate) fn findings(game: &Game, text: &[u8], checks: &Checks) -> [Option<Finding>; 2] {
    let text = text.get(game.start..).unwrap_or_default();
    let span = Span::new(game.start, game.start + text.len().min(1));
    let content = content_of(text);
    let looks = match content {
        Some(content) => format!("it looks like {content}"),
        None => "no game is found in it".to_owned(),
    };
    let help = match content {
        Some(POSITIONS) => "`--input-format epd` reads a position on each line",
        _ => "a game has a tag pair, or is movetext; nothing else in the file is checked",
    };
    let whole = format!("the file is not PGN: {looks}");
    let beginning = "the file begins with text that is not PGN";
    let beginning = match content {
        Some(content) => format!("{beginning}: it looks like {content}"),
        None => beginning.to_owned(),
    };
    [
        (whole, help),
        (beginning, "the games after it are checked, the text is not"),
    ]
    .map(|(message, help)| {
        let finding = Finding::new(&codes::UNREADABLE_GAME, span, message).help(help);
        let mut kept = vec![finding];
        keep(checks, &mut kept, 0);
        kept.pop()
    })
}
