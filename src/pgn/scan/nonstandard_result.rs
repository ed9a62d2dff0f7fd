//! Result marks that are not in the PGN standard and that pgn-reader does not know, at the end of a
//! game.

use crate::chess::castling::CastlingSide;
use crate::chess::san::{San, SanPlus};
use crate::pgn::game::TokenKind;
use crate::pgn::scan::movetext::{Movetext, token_end};
use crate::pgn::tag_name::TagName;
use crate::pgn::values::result::ResultText;

impl Movetext<'_> {
    /// Reads a result from the word that begins at `start`, such as `1:0`, `1/2` or `1/2-0`, or
    /// from the words around it, such as `1 - 0`; whether there is one.
    pub(crate) fn nonstandard_result(&mut self, start: usize) -> bool {
        let Some((said, from, end)) = find(self.text, start) else {
            return false;
        };
        // A word of prose is not a result.
        let is_word = self.text[from].is_ascii_alphabetic();
        let behind_word = self.game.tokens.last().is_some_and(|last| {
            last.kind == TokenKind::Unreadable || last.span.end as usize > from
        });
        if is_word && (behind_word || self.game.tokens.is_empty()) {
            return false;
        }
        self.at = from;
        self.end_of_game(TokenKind::NonstandardResult(said.mark()), end - from);
        true
    }

    /// Takes a last `0-0` for the result by which both have lost, not for castling, if the Result
    /// tag says so too.
    #[cold]
    pub(crate) fn zeros_as_result(&mut self) {
        let castling = SanPlus {
            san: San::Castle(CastlingSide::King),
            suffix: None,
        };
        let said = self
            .game
            .known(TagName::Result)
            .and_then(|tag| ResultText::read(tag.value.of(self.text)));
        let Some(last) = self.game.tokens.last_mut() else {
            return;
        };
        if last.kind == TokenKind::San(castling)
            && self.text[last.span.start as usize] == b'0'
            && said == Some(ResultText::Other)
        {
            last.kind = TokenKind::NonstandardResult(None);
            self.game.other_result = Some(last.span);
        }
    }
}

/// A result, and its start and end.
fn find(text: &[u8], start: usize) -> Option<(ResultText, usize, usize)> {
    let end = token_end(text, start);
    let from = if is_separator(&text[start..end]) {
        before_separator(text, start)?
    } else {
        start
    };
    let first_end = token_end(text, from);
    if let Some(end) = behind_separator(text, first_end)
        && let Some(said) = ResultText::read(&text[from..end])
    {
        return Some((said, from, end));
    }
    let word = &text[from..first_end];
    // `+-` is an assessment, and `--` a null move.
    let is_result = !matches!(word.first(), None | Some(b'+' | b'-'));
    let said = ResultText::read(word).filter(|_| from == start && is_result)?;
    Some((said, from, first_end))
}

fn is_separator(word: &[u8]) -> bool {
    matches!(word, b"-" | b":") || word == "\u{2013}".as_bytes() || word == "\u{2014}".as_bytes()
}

/// The beginning of the `1` or `0` that stands before a separator, blanks between.
fn before_separator(text: &[u8], separator: usize) -> Option<usize> {
    let blanks = text[..separator]
        .iter()
        .rev()
        .take_while(|&&byte| byte == b' ')
        .count();
    let from = (separator - blanks).checked_sub(1)?;
    let alone = from == 0 || matches!(text[from - 1], b' ' | b'\t' | b'\r' | b'\n' | b'}' | b')');
    (alone && blanks > 0 && matches!(text[from], b'0' | b'1')).then_some(from)
}

/// The end of the word after a separator with spaces around it.
fn behind_separator(text: &[u8], at: usize) -> Option<usize> {
    let separator = at + blanks(&text[at..]);
    let separator_end = token_end(text, separator);
    let word = separator_end + blanks(&text[separator_end..]);
    let spaced = separator > at && word > separator_end;
    (spaced && is_separator(&text[separator..separator_end])).then(|| token_end(text, word))
}

fn blanks(text: &[u8]) -> usize {
    text.iter().take_while(|&&byte| byte == b' ').count()
}
