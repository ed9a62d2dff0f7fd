//! The text of a comment on lines of its own choosing.

use std::borrow::Cow;

use crate::commands::replay::formats::pgn::wrap::Wrap;

/// Adds a comment in braces; returns whether there is anything in it. White space is a blank, wherever lines ended.
pub(crate) fn comment(out: &mut Wrap<'_>, text: &str) -> bool {
    let text: Cow<'_, str> = if text.contains(['{', '}']) {
        // A comment cannot hold the brace that ends it, and an opening one has no meaning in it (PGN standard 5).
        text.replace('{', "(").replace('}', ")").into()
    } else {
        text.into()
    };
    let separates = |character: char| character.is_whitespace() || character.is_control();
    let mut any = false;
    for word in text.split(separates).filter(|word| !word.is_empty()) {
        if !any {
            out.prefix(b"{");
            any = true;
        } else if is_bound(word) {
            out.append(b" ");
            out.append(word.as_bytes());
            continue;
        }
        out.word(word.as_bytes());
    }
    if any {
        out.append(b"}");
    }
    any
}

/// Whether a word must not begin a line: there a `%` would hide the line (PGN standard 6), and a tag pair would seem to
/// begin another game.
fn is_bound(word: &str) -> bool {
    match word.as_bytes() {
        [b'%', ..] => true,
        [b'[', first, ..] => first.is_ascii_alphanumeric(),
        _ => false,
    }
}
