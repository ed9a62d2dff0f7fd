//! Words that are no moves in standard notation.

use crate::notation::LenientSan;
use crate::pgn::game::{FaultKind, Span, Token, TokenKind};
use crate::pgn::scan::movetext::Movetext;

/// Symbols after moves that express an assessment or remark. ECO, Informant and ChessBase texts use
/// them; the PGN standard has NAGs instead.
const SYMBOLS: [&[u8]; 14] = [
    b"+-", b"-+", b"+/-", b"-/+", b"+=", b"=+", b"=", b"+/=", b"=/+", b"=/", b"~", b"TN", b"RR",
    b"++",
];

/// Whether only blanks, signs of annotation and numbers of glyphs stand between a move and what
/// follows it.
fn is_behind_move(between: &[u8]) -> bool {
    between
        .iter()
        .all(|byte| b" \t\r\n!?.$0123456789".contains(byte))
}

impl Movetext<'_> {
    /// Takes the bytes from `start` up to here for no move in standard notation. The whole word
    /// they begin is one token, even if more of it can be read.
    #[cold]
    pub(crate) fn unreadable(&mut self, start: usize) {
        if self.nonstandard_result(start) {
            return;
        }
        let here = self.at;
        self.skip_word();
        let end = self.at;
        self.at = here;
        let span = Span::new(start, end);
        let last = self.game.tokens.last();
        if last.is_some_and(|last| last.kind == TokenKind::Unreadable && last.span.end == span.end)
        {
            // The rest of a word that is known to be none.
        } else if let Some(end) = self.detached_mark(start) {
            if let Some(last) = self.game.tokens.last_mut() {
                last.span.end = end as u32;
            }
            self.at = end;
            self.game.hints.lenient = true;
        } else if self.is_draw_offer(span) {
            self.game.hints.variations = true;
        } else if self.is_symbol(span) {
            self.game.fault(FaultKind::UnknownSymbol, span);
        } else {
            self.unreadable_up_to(start, end);
        }
    }

    /// Takes a word for no move in standard notation, and nothing else into account.
    #[cold]
    pub(crate) fn unreadable_up_to(&mut self, start: usize, end: usize) {
        if self.over && self.depth == 0 {
            self.game.words_after_result += 1;
            self.after_result(start, end);
            return;
        }
        self.plies += 1;
        self.game.hints.unread = true;
        self.aside += 1;
        self.game.tokens.push(Token {
            kind: TokenKind::Unreadable,
            span: Span::new(start, end),
        });
    }

    /// The end of a mark of check, mate or en passant that stands apart from its move.
    fn detached_mark(&self, start: usize) -> Option<usize> {
        let last = self.game.tokens.last()?;
        let between = &self.text[last.span.end as usize..start];
        let belongs = matches!(last.kind, TokenKind::San(_))
            && between.iter().all(|byte| b" \t\r\n!?".contains(byte));
        let length = LenientSan::detached_mark(&self.text[start..]).filter(|_| belongs)?;
        Some(start + length)
    }

    /// Whether a word is the middle of `(=)`, by which a scoresheet records an offer of a draw
    /// (FIDE Laws, appendix C.13).
    fn is_draw_offer(&self, span: Span) -> bool {
        let (start, end) = (span.start as usize, span.end as usize);
        span.of(self.text) == b"="
            && self.text[..start].ends_with(b"(")
            && self.text[end..].starts_with(b")")
    }

    /// Whether a word is a sign of annotation.
    pub(crate) fn is_symbol(&self, span: Span) -> bool {
        let word = span.of(self.text);
        let word = word.strip_suffix(b",").unwrap_or(word);
        // A backslash escapes what follows it in another format: `\$16`.
        let is_filler = |byte: &u8| b",:_\\\0\x1a".contains(byte);
        if SYMBOLS.contains(&word) || word.iter().all(is_filler) {
            return true;
        }
        // `N` (novelty) and `D` (diagram) follow a move; before a square they may be a piece
        // letter.
        let after_move = matches!(self.game.tokens.last(), Some(token) if matches!(token.kind, TokenKind::San(_))
            && is_behind_move(&self.text[token.span.end as usize..span.start as usize]));
        let next = self.text[span.end as usize..].trim_ascii_start();
        let before_square = matches!(next, [b'a'..=b'h', b'1'..=b'8', ..]);
        after_move && !before_square && matches!(word, b"N" | b"D")
    }
}
