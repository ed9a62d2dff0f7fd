//! Comments, glyphs and variations (PGN standard 5, 8.2.4 and 8.2.5).

use memchr::{memchr3, memrchr};

use crate::pgn::scan::movetext::Movetext;
use crate::pgn::token::{FaultKind, Span, Token, TokenKind};

impl Movetext<'_> {
    /// A `}` without a comment to close. Words between it and the comment before it were meant to
    /// be in that comment; if the comment has another `{` in it, this is the brace that was to
    /// close it.
    #[cold]
    pub(crate) fn stray_brace(&mut self) {
        let before = &self.text[..self.at];
        let end = memrchr(b'}', before).filter(|&end| end >= self.game.movetext);
        if self.nested == 0
            && let Some(end) = end
        {
            let from = memrchr(b'}', &before[..end]).map_or(self.game.movetext, |at| at + 1);
            let opened = before[from.min(end)..end]
                .iter()
                .filter(|&&byte| byte == b'{');
            self.nested = opened.count().saturating_sub(1);
            // The brace that is left over tells it better.
            self.game.drop_faults(FaultKind::BraceInComment, |span| {
                span.start as usize >= from
            });
        }
        let kind = if self.nested > 0 {
            self.nested -= 1;
            FaultKind::NestedComment
        } else {
            FaultKind::StrayBrace
        };
        if let Some(end) = end {
            self.leave_out_words(end as u32);
        }
        self.fault(kind, self.at, self.at + 1);
    }

    /// Drops all words after a place, unless there is a move among them.
    fn leave_out_words(&mut self, place: u32) {
        let outside = |token: &&Token| token.span.start > place;
        let words = self.game.tokens.iter().rev().take_while(outside);
        if words
            .clone()
            .any(|token| token.kind != TokenKind::Unreadable)
        {
            return;
        }
        let words = words.count();
        self.plies = self.plies.saturating_sub(words as u32);
        self.game.tokens.truncate(self.game.tokens.len() - words);
        self.game
            .drop_faults(FaultKind::UnknownSymbol, |span| span.start > place);
    }

    /// Passes over the comment that begins here, and looks for a tag pair in it that begins a line:
    /// the comment may be one that lacks its brace and has run on into another game.
    #[cold]
    pub(crate) fn comment(&mut self) {
        let mut inner = None;
        let mut tag = false;
        let mut from = self.at + 1;
        let closed = loop {
            let Some(length) = memchr3(b'{', b'}', b'\n', &self.text[from..]) else {
                self.at = self.text.len();
                break false;
            };
            let found = from + length;
            from = found + 1;
            match self.text[found] {
                b'}' => {
                    self.at = from;
                    break true;
                }
                b'{' => inner = inner.or(Some(found)),
                _ => tag = tag || self.text[from..].starts_with(b"[") && self.tag_in_comment(from),
            }
        };
        if tag {
            return;
        }
        if let Some(brace) = inner.filter(|_| closed) {
            self.fault(FaultKind::BraceInComment, brace, brace + 1);
        }
    }

    /// Reports what looks like a tag pair at the beginning of a line of a comment, if it does.
    #[cold]
    fn tag_in_comment(&mut self, bracket: usize) -> bool {
        let line = &self.text[bracket + 1..];
        let name = line
            .iter()
            .take_while(|byte| byte.is_ascii_alphanumeric())
            .count();
        let blank = line[name..]
            .iter()
            .take_while(|&&byte| byte == b' ')
            .count();
        let is_tag = name > 0 && blank > 0 && line.get(name + blank) == Some(&b'"');
        if is_tag {
            self.fault(FaultKind::TagInComment, bracket, bracket + 1 + name);
        }
        is_tag
    }

    /// A numeric annotation glyph such as `$1`. A word that only begins like one may hide a move,
    /// as in `$1Nc6`.
    pub(crate) fn glyph(&mut self) {
        let start = self.at;
        self.at = self.word_end(start + 1);
        let word = &self.text[start + 1..self.at];
        let length = word.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let (digits, rest) = word.split_at(length);
        if !rest.is_empty() && self.is_symbol(Span::new(start + 1 + length, self.at)) {
            self.fault(FaultKind::UnknownSymbol, start + 1 + length, self.at);
        } else if !rest.is_empty() {
            self.unreadable(start);
        } else if !std::str::from_utf8(digits).is_ok_and(|digits| digits.parse::<u8>().is_ok()) {
            self.fault(FaultKind::NagOutOfRange, start, self.at);
        }
    }

    /// Points at the outermost `(` that is never closed. A result mark that ends the text is the
    /// game's all the same.
    #[cold]
    pub(crate) fn unclosed_variation(&mut self, open: Span) {
        if let Some(last) = self.game.tokens.last()
            && let TokenKind::Result(mark) = last.kind
            && !self.game.is_over()
        {
            self.game.result = Some((mark, last.span));
        }
        self.game.fault(FaultKind::UnclosedVariation, open);
        self.game.faults.sort_by_key(|fault| fault.span);
    }
}
