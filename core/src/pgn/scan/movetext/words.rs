//! Words that are no moves in standard notation, and results in other spellings than the
//! standard's.

use memchr::memchr2;

use crate::chess::san::SanPlus;
use crate::notation::LenientSan;
use crate::notation::lenient::begins_sign;
use crate::pgn::gaps::{glyph_of_sign, length_before_sign};
use crate::pgn::scan::movetext::{Movetext, RESULTS, is_token_end, token_end};
use crate::pgn::token::{FaultKind, Span, Token, TokenKind};
use crate::pgn::values::Parsed;
use crate::pgn::values::result::{self, ResultMark};
use crate::text::wide_blank;

/// Whether a word after a move is a sign of annotation, wherever it stands. Texts of ECO, the
/// Informant and ChessBase use them; the PGN standard has glyphs instead.
fn is_sign(word: &[u8]) -> bool {
    matches!(word, b"=/" | b"++") || !matches!(word, b"N" | b"D") && glyph_of_sign(word).is_some()
}

impl Movetext<'_> {
    /// Takes the bytes from `start` up to here for no move in standard notation. The whole word
    /// they begin is one token, even if more of it can be read.
    #[cold]
    pub(crate) fn unreadable(&mut self, start: usize) {
        let blank = wide_blank(&self.text[start..]);
        if blank > 0 {
            self.at = start + blank;
            let span = Span::new(start, self.at);
            self.game.fault(FaultKind::WideBlank, span);
            return;
        }
        if self.ellipsis(start) || self.draw_offer(start) || self.nonstandard_result(start) {
            return;
        }
        let end = self.word_end(self.at);
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
            self.marks += 1;
            self.game.fault(FaultKind::UnknownSymbol, span);
            self.at = end;
        } else {
            self.unreadable_up_to(start, end);
        }
    }

    /// A bracket. With blanks up to the bracket that closes it, it is one word, as in
    /// `[2. f4 exf4]`.
    #[cold]
    pub(crate) fn bracket(&mut self) {
        const LONGEST: usize = 256;
        let rest = &self.text[self.at..];
        let rest = &rest[..rest.len().min(LONGEST)];
        let end = memchr2(b']', b'\n', rest).filter(|&end| rest[end] == b']');
        match end {
            Some(end) if rest[..end].contains(&b' ') => {
                let start = self.at;
                self.at += end + 1;
                self.unreadable_up_to(start, self.at);
            }
            _ => self.word(),
        }
    }

    /// A `>`, which quotes the line if nothing else precedes it there.
    #[cold]
    pub(crate) fn quote_mark(&mut self) {
        let before = self.text[..self.at]
            .iter()
            .rev()
            .find(|&byte| !b" \t>".contains(byte));
        if before.is_some_and(|&byte| byte != b'\n') {
            self.word();
            return;
        }
        self.fault(FaultKind::StrayText, self.at, self.at + 1);
        self.at += 1;
    }

    /// Reads an ellipsis, in Unicode or windows-1252, which a program that corrects typing has put
    /// in the place of three periods; whether there is one.
    fn ellipsis(&mut self, start: usize) -> bool {
        let is_in_word = self.game.tokens.last().is_some_and(|last| {
            let end = last.span.end as usize;
            let is_word = !matches!(last.kind, TokenKind::Open | TokenKind::Close);
            end > start || end == start && is_word
        });
        // No token says where a word after the result ends.
        if is_in_word || self.over {
            return false;
        }
        let mut end = start;
        loop {
            end += match self.text[end..] {
                [0xe2, 0x80, 0xa6, ..] => 3,
                [0x85, ..] => 1,
                _ => break,
            };
        }
        if end == start {
            return false;
        }
        self.at = end;
        self.fault(FaultKind::UnknownSymbol, start, end);
        true
    }

    /// Takes a word for no move in standard notation, and nothing else into account.
    #[cold]
    pub(crate) fn unreadable_up_to(&mut self, start: usize, end: usize) {
        if self.over && self.is_in_main_line() {
            self.after_result(start, end);
            self.game.words_after_result += 1;
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

    /// Reads the move of a word that a sign of annotation ends, as in `Nf3±`; whether it is one.
    /// The sign is left to be read. A `+` belongs to the sign if there is one with it.
    #[cold]
    pub(crate) fn move_with_sign(&mut self, start: usize) -> bool {
        let word = &self.text[start..token_end(self.text, start)];
        let length = length_before_sign(word);
        let read = SanPlus::read(&word[..length]).filter(|read| read.1 == length);
        let Some((plus, _)) = read.filter(|_| length < word.len()) else {
            return false;
        };
        self.san(plus, length);
        true
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
        let before = self.text[..span.start as usize].trim_ascii_end();
        let next = &self.text[span.end as usize..];
        // `+ =` and `+ / -`
        let is_part = match word {
            b"+" => begins_sign(next),
            b"/" | b"-" => matches!(before, [.., b'+' | b'/']),
            _ => false,
        };
        if is_sign(word) || is_part || word.iter().all(is_filler) {
            return true;
        }
        // `N` (novelty) and `D` (diagram) follow a move; before a square they may be a piece
        // letter.
        let after_move = self.game.tokens.last().is_some_and(|last| {
            let between = &self.text[last.span.end as usize..span.start as usize];
            let may_follow = |byte| b" \t\r\n!?.$0123456789".contains(byte);
            matches!(last.kind, TokenKind::San(_)) && between.iter().all(may_follow)
        });
        let before_square = matches!(next.trim_ascii_start(), [b'a'..=b'h', b'1'..=b'8', ..]);
        // `$146N`
        let digits = before.iter().rev().take_while(|byte| byte.is_ascii_digit());
        let digits = digits.count();
        let is_of_glyph = digits > 0
            && before.len() == span.start as usize
            && before[..before.len() - digits].ends_with(b"$");
        after_move && (is_of_glyph || !before_square) && matches!(word, b"N" | b"D")
    }
}

/// A word without the result that ends it, which may be `1/2` and have a colon for its hyphen.
fn before_result(word: &[u8]) -> Option<(&[u8], ResultMark)> {
    let separators = ["-", "\u{2013}", ":"].map(str::as_bytes);
    let mut results = RESULTS.into_iter();
    let found = results.find_map(|(white, black, mark)| {
        let before = word.strip_suffix(black)?;
        let mut separated = separators.iter().filter_map(|&by| before.strip_suffix(by));
        Some((separated.next()?.strip_suffix(white)?, mark))
    });
    found.or_else(|| Some((word.strip_suffix(b"1/2")?, ResultMark::Draw)))
}

impl Movetext<'_> {
    /// Reports a result directly after castling with zeros, which pgn-reader ends there: `0-01-0`.
    #[cold]
    pub(crate) fn result_after_castling(&mut self) {
        let end = token_end(self.text, self.at);
        if let Some(([], _)) = before_result(&self.text[self.at..end]) {
            self.fault(FaultKind::GluedResult, self.at, end);
        }
    }

    /// Reads a word that is a move directly followed by a result; returns whether it is one. The
    /// move is left to be read like any other nonstandard word. `end` is where pgn-reader
    /// continues.
    #[cold]
    pub(crate) fn glued_result(&mut self, start: usize, end: usize) -> bool {
        let word_end = token_end(self.text, start);
        let found = before_result(&self.text[start..word_end]);
        let Some((before, mark)) = found.filter(|&(before, _)| may_be_move(before)) else {
            return false;
        };
        let result = start + before.len();
        self.unreadable_up_to(start, result);
        self.fault(FaultKind::GluedResult, result, word_end);
        self.at = result;
        // The main loop reads what pgn-reader reads as well.
        if result != end {
            self.end_of_game(TokenKind::NonstandardResult(Some(mark)), word_end - result);
        }
        true
    }
}

/// Whether a word may be a move in some notation: it names a square, or castles.
pub fn may_be_move(word: &[u8]) -> bool {
    let is_square = |pair: &[u8]| matches!(pair, [b'a'..=b'h' | b'A'..=b'H', b'1'..=b'8']);
    let castles = word.len() >= 3 && word.iter().all(|byte| b"Oo0-+#\xe2\x80\x93".contains(byte));
    castles || word.windows(2).any(is_square)
}

impl Movetext<'_> {
    /// Reads a result from the word that begins at `start`, such as `1:0`, `1/2` or `1/2-0`, or
    /// from the words around it, such as `1 - 0`; whether there is one.
    pub(crate) fn nonstandard_result(&mut self, start: usize) -> bool {
        let Some((mark, from, end)) = find(self.text, start, self.over) else {
            return false;
        };
        // A word of prose is not a result.
        let is_word = self.text[from].is_ascii_alphabetic();
        let follows_word = self.game.tokens.last().is_some_and(|last| {
            last.kind == TokenKind::Unreadable || last.span.end as usize > from
        });
        if is_word && (follows_word || self.game.tokens.is_empty()) {
            return false;
        }
        self.at = from;
        self.end_of_game(TokenKind::NonstandardResult(mark), end - from);
        true
    }

    /// Reads a result with decimals, such as `0.5-0.5` or `1.0:0.0`; whether there is one.
    #[cold]
    pub(crate) fn decimal_result(&mut self) -> bool {
        let rest = &self.text[self.at..];
        let is_part = |byte: &&u8| byte.is_ascii_digit() || b".,:-\xe2\x80\x93\x94".contains(byte);
        let length = rest.iter().take_while(is_part).count();
        let is_word = rest.get(length).is_none_or(|&byte| is_token_end(byte));
        let said = result::read(&rest[..length]);
        if !is_word || !said.is_valid() {
            return false;
        }
        self.end_of_game(TokenKind::NonstandardResult(said.value), length);
        true
    }
}

/// A result, and its start and end. Among moves, and after a result, `+/-` is an assessment.
fn find(text: &[u8], start: usize, over: bool) -> Option<(Option<ResultMark>, usize, usize)> {
    let read = |text: &[u8]| Some(result::read(text)).filter(Parsed::is_valid);
    let end = token_end(text, start);
    if let [before @ .., b'.', b'5'] = &text[..start]
        && text[end..].starts_with(b".5")
        && !before.last().is_some_and(u8::is_ascii_digit)
        && let Some(said) = read(&text[start - 2..end + 2])
    {
        return Some((said.value, start - 2, end + 2));
    }
    let from = if is_separator(&text[start..end]) {
        before_separator(text, start)?
    } else {
        start
    };
    let first_end = token_end(text, from);
    if let Some(end) = behind_separator(text, first_end)
        && let Some(said) = read(&text[from..end])
    {
        return Some((said.value, from, end));
    }
    let word = &text[from..first_end];
    let is_last = !over
        && text[first_end..].trim_ascii().is_empty()
        && (from == 0 || text[from - 1].is_ascii_whitespace());
    let is_plain = !matches!(word, [] | [b'+' | b'-', b'+' | b'-', ..]) && !is_sign(word);
    let is_result = is_plain || is_last;
    let said = read(word).filter(|_| from == start && is_result)?;
    Some((said.value, from, first_end))
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
    let end = token_end(text, word);
    (spaced && end > word && is_separator(&text[separator..separator_end])).then_some(end)
}

fn blanks(text: &[u8]) -> usize {
    text.iter().take_while(|&&byte| byte == b' ').count()
}
