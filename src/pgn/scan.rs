//! Our own pass over a game's text: every token with its place, and what pgn-reader would leave out in silence.
//!
//! The rules for what a token is are pgn-reader's, token for token, so that its reading can be checked against this
//! one; what it drops becomes a fault or an unreadable token here.

use memchr::{memchr, memchr3};

use super::game::{FaultKind, Game, ResultMark, Span, Tag, Token, TokenKind};
use crate::rules::castling::CastlingSide;
use crate::rules::san::{San, SanPlus, Suffix};

/// Signs found behind moves that stand for an assessment or a remark, not for a move. ECO, Informant and
/// ChessBase texts use them; the PGN standard has numeric glyphs instead.
const SYMBOLS: [&[u8]; 24] = [
    b"+-", b"-+", b"+/-", b"-/+", b"+=", b"=+", b"=", b"+/=", b"=/+", b"=/", b"~", b"ep", b"e",
    b"p", b"N", b"D", b"TN", b"RR", b"+", b"++", b"#", b"(=)", b"<", b">",
];

/// Reads a game's text into `game`. `unclosed_comment` is the place of a `{` that never closes; the text ends in
/// that comment.
pub(super) fn scan(text: &[u8], unclosed_comment: Option<usize>, game: &mut Game) {
    let at = scan_tags_only(text, game);
    Movetext {
        text,
        at,
        unclosed_comment,
        game,
        depth: 0,
        stray_text: false,
    }
    .scan();
}

/// Reads a game's tag pairs; returns where the movetext begins.
pub(super) fn scan_tags_only(text: &[u8], game: &mut Game) -> usize {
    game.clear();
    let at = skip_blank(text, skip_bom(text), true);
    game.movetext = scan_tags(text, at, game);
    game.movetext
}

fn skip_bom(text: &[u8]) -> usize {
    if text.starts_with(b"\xef\xbb\xbf") {
        3
    } else {
        0
    }
}

/// Skips white space and, at the beginning of a line, `%` lines (PGN standard 6).
fn skip_blank(text: &[u8], mut at: usize, mut line_start: bool) -> usize {
    loop {
        match text.get(at) {
            Some(b' ' | b'\t' | b'\r') => at += 1,
            Some(b'\n') => {
                line_start = true;
                at += 1;
            }
            Some(b'%') if line_start => at = after_line(text, at),
            _ => return at,
        }
    }
}

/// One past the next line feed.
fn after_line(text: &[u8], at: usize) -> usize {
    line_end(text, at).saturating_add(1).min(text.len())
}

/// The next line feed, or the end.
fn line_end(text: &[u8], at: usize) -> usize {
    memchr(b'\n', &text[at..]).map_or(text.len(), |length| at + length)
}

/// Reads tag pairs; returns where the movetext begins.
fn scan_tags(text: &[u8], mut at: usize, game: &mut Game) -> usize {
    while text.get(at) == Some(&b'[') {
        let open = at;
        at += 1;
        let quote = match memchr3(b'"', b'\n', b']', &text[at..]) {
            Some(length) if text[at + length] == b'"' => at + length,
            found => {
                let end = found.map_or(text.len(), |length| at + length);
                let bracket = usize::from(text.get(end) == Some(&b']'));
                let shown = trim_end(text, open, end + bracket);
                game.fault(FaultKind::MalformedTag, Span::new(open, shown));
                game.longest_tag_line = game.longest_tag_line.max(end - open);
                at = after_bracket(text, (end + 1).min(text.len()));
                continue;
            }
        };
        let name = trim(text, at, quote);
        let start = quote + 1;
        let mut end = start;
        loop {
            match memchr3(b'\\', b'"', b'\n', &text[end..]) {
                Some(length) if text[end + length] == b'\\' => {
                    end = (end + length + 2).min(text.len());
                }
                Some(length) => {
                    end += length;
                    break;
                }
                None => {
                    end = text.len();
                    break;
                }
            }
        }
        let closed = text.get(end) == Some(&b'"');
        if !closed {
            let shown = trim_end(text, open, end);
            game.fault(FaultKind::UnclosedTag, Span::new(open, shown));
        }
        let value = Span::new(
            start,
            if closed {
                end
            } else {
                trim_end(text, start, end)
            },
        );
        game.tags.push(Tag { name, value });
        game.longest_tag_line = game.longest_tag_line.max(end - open);
        at = after_bracket(text, end + usize::from(closed));
    }
    at
}

/// Skips the `]` of a tag pair, if it is there, and the white space around it.
fn after_bracket(text: &[u8], mut at: usize) -> usize {
    loop {
        match text.get(at) {
            Some(b' ' | b'\t' | b'\r') => at += 1,
            Some(b']') => return skip_blank(text, at + 1, false),
            Some(b'\n') => return skip_blank(text, at + 1, true),
            _ => return at,
        }
    }
}

fn trim(text: &[u8], start: usize, end: usize) -> Span {
    let blank = text[start..end]
        .iter()
        .take_while(|byte| byte.is_ascii_whitespace())
        .count();
    let start = start + blank;
    Span::new(start, trim_end(text, start, end))
}

fn trim_end(text: &[u8], start: usize, end: usize) -> usize {
    let blank = text[start..end]
        .iter()
        .rev()
        .take_while(|byte| byte.is_ascii_whitespace())
        .count();
    end - blank
}

#[inline]
fn is_token_end(byte: u8) -> bool {
    const TABLE: [bool; 256] = {
        let mut table = [false; 256];
        let ends = b" \t\n\r{}()!?$;.*";
        let mut i = 0;
        while i < ends.len() {
            table[ends[i] as usize] = true;
            i += 1;
        }
        table
    };
    TABLE[byte as usize]
}

/// The length of a hyphen, en dash or em dash at the beginning of a text; 0 if there is none.
#[inline]
fn dash(text: &[u8]) -> usize {
    match text {
        [b'-', ..] => 1,
        [0xe2, 0x80, 0x93 | 0x94, ..] => 3,
        _ => 0,
    }
}

struct Movetext<'a> {
    text: &'a [u8],
    at: usize,
    unclosed_comment: Option<usize>,
    game: &'a mut Game,
    /// How many `(` are open.
    depth: u32,
    /// Whether something after the result mark has been reported.
    stray_text: bool,
}

impl Movetext<'_> {
    fn scan(&mut self) {
        while let Some(&byte) = self.text.get(self.at) {
            match byte {
                b' ' | b'\t' | b'\r' | b'.' => self.at += 1,
                b'a'..=b'h' | b'N' | b'B' | b'R' | b'Q' | b'K' | b'O' => self.word(),
                b'1' => self.one(),
                b'2'..=b'9' => self.number(),
                b'\n' => {
                    self.at += 1;
                    match &self.text[self.at..] {
                        [b'%', ..] => self.at = line_end(self.text, self.at),
                        // The game ends here, and only blanks can follow.
                        [b'\n', ..] | [b'\r', b'\n', ..] => {
                            self.at = skip_blank(self.text, self.at, true);
                        }
                        _ => {}
                    }
                }
                b'{' => {
                    if self.unclosed_comment == Some(self.at) {
                        self.fault(FaultKind::UnclosedComment, self.at, self.at + 1);
                        self.at = self.text.len();
                        break;
                    }
                    self.at = memchr(b'}', &self.text[self.at..])
                        .map_or(self.text.len(), |length| self.at + length + 1);
                }
                b';' => self.at = line_end(self.text, self.at),
                b'$' => {
                    let start = self.at;
                    self.at += 1;
                    self.skip_word();
                    let digits = &self.text[start + 1..self.at];
                    if std::str::from_utf8(digits).is_ok_and(|digits| digits.parse::<u8>().is_err())
                    {
                        self.fault(FaultKind::UnknownSymbol, start, self.at);
                    }
                }
                b'!' | b'?' => self.at += 1,
                b'(' => {
                    self.depth += 1;
                    self.push(TokenKind::Open, 1);
                }
                b')' => {
                    if self.depth == 0 {
                        self.fault(FaultKind::StrayClose, self.at, self.at + 1);
                    }
                    self.depth = self.depth.saturating_sub(1);
                    self.push(TokenKind::Close, 1);
                }
                b'*' => self.result(ResultMark::Unknown, 1),
                b'0' => self.zero(),
                b'}' => {
                    self.fault(FaultKind::StrayBrace, self.at, self.at + 1);
                    self.at += 1;
                    // pgn-reader takes what follows for part of the brace.
                    let rest = self.at;
                    self.skip_word();
                    if self.at > rest {
                        self.unreadable(rest);
                    }
                }
                0xc2 => self.half(),
                _ => self.word(),
            }
        }
        if self.depth > 0 {
            self.unclosed_variations();
        }
    }

    #[inline]
    fn push(&mut self, kind: TokenKind, length: usize) {
        let span = Span::new(self.at, self.at + length);
        self.at += length;
        self.game.tokens.push(Token { kind, span });
    }

    #[cold]
    fn fault(&mut self, kind: FaultKind, start: usize, end: usize) {
        self.game.fault(kind, Span::new(start, end));
    }

    fn skip_word(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest
            .iter()
            .position(|&byte| is_token_end(byte))
            .unwrap_or(rest.len());
    }

    #[inline]
    fn word(&mut self) {
        let start = self.at;
        let rest = &self.text[start..];
        let length = rest
            .iter()
            .position(|&byte| is_token_end(byte))
            .unwrap_or(rest.len());
        match SanPlus::read_word(&rest[..length]) {
            Some(plus) => self.san(plus, length),
            None => self.odd_word(start),
        }
    }

    #[inline]
    fn san(&mut self, plus: SanPlus, length: usize) {
        if self.depth == 0 && self.game.result.is_some() {
            self.after_result(self.at, self.at + length);
        }
        self.push(TokenKind::San(plus), length);
    }

    /// Castling, or no move at all.
    fn odd_word(&mut self, start: usize) {
        if let Some((plus, length)) = SanPlus::read(&self.text[start..]) {
            let end = start + length;
            if self.text.get(end).is_none_or(|&byte| is_token_end(byte)) {
                self.san(plus, length);
            } else {
                // Read on where the move seems to end: `e4e5Nf3` still has a move in it.
                self.at = end;
                self.unreadable(start);
            }
        } else {
            self.at += 1;
            self.skip_word();
            self.unreadable(start);
        }
    }

    /// Takes the bytes from `start` up to here for no move.
    #[cold]
    fn unreadable(&mut self, start: usize) {
        let span = Span::new(start, self.at);
        let word = span.of(self.text);
        let continues =
            self.game.faults.last_mut().filter(|last| {
                last.kind == FaultKind::UnreadableToken && last.span.end == span.start
            });
        if let Some(last) = continues {
            // Parts of one word are reported as one.
            last.span.end = span.end;
        } else if SYMBOLS.contains(&word) || word.iter().all(|byte| b",:_".contains(byte)) {
            self.game.fault(FaultKind::UnknownSymbol, span);
            return;
        } else {
            self.game.fault(FaultKind::UnreadableToken, span);
        }
        // A row of such words is one token, as nothing can be played past it.
        match self.game.tokens.last_mut() {
            Some(last) if last.kind == TokenKind::Unreadable => last.span.end = span.end,
            _ => self.game.tokens.push(Token {
                kind: TokenKind::Unreadable,
                span,
            }),
        }
    }

    /// A move number, with the dots and blanks behind it.
    #[inline]
    fn number(&mut self) {
        while self.text.get(self.at).is_some_and(u8::is_ascii_digit) {
            self.at += 1;
        }
        while let Some(b'.' | b' ') = self.text.get(self.at) {
            self.at += 1;
        }
    }

    /// `1-0`, `1/2-1/2` or a move number.
    #[inline]
    fn one(&mut self) {
        let start = self.at;
        let rest = &self.text[start + 1..];
        match rest.first() {
            Some(b'.' | b' ' | b'0'..=b'9') | None => self.number(),
            Some(b'/') if rest.starts_with(b"/2") => {
                let dash = dash(&rest[2..]);
                if dash > 0 && rest[2 + dash..].starts_with(b"1/2") {
                    self.result(ResultMark::Draw, 6 + dash);
                } else {
                    self.at += 3 + dash;
                    self.unreadable(start);
                    self.number();
                }
            }
            _ => match dash(rest) {
                0 => self.number(),
                length if rest.get(length) == Some(&b'0') => {
                    self.result(ResultMark::White, length + 2);
                }
                length => {
                    self.at += 1 + length;
                    self.unreadable(start);
                }
            },
        }
    }

    /// `0-1`, castling with zeros, or a zero that means nothing.
    fn zero(&mut self) {
        let start = self.at;
        let rest = &self.text[start + 1..];
        let length = dash(rest);
        match rest.get(length) {
            Some(b'1') if length > 0 => self.result(ResultMark::Black, length + 2),
            Some(b'0') if length > 0 => {
                let mut end = length + 2;
                let second = dash(&self.text[start + end..]);
                let mut side = CastlingSide::King;
                if second > 0 {
                    end += second;
                    if self.text.get(start + end) == Some(&b'0') {
                        end += 1;
                        side = CastlingSide::Queen;
                    }
                }
                let suffix = match self.text.get(start + end) {
                    Some(b'+') => Some(Suffix::Check),
                    Some(b'#') => Some(Suffix::Checkmate),
                    _ => None,
                };
                let san = San::Castle(side);
                self.push(
                    TokenKind::San(SanPlus { san, suffix }),
                    end + usize::from(suffix.is_some()),
                );
            }
            Some(b'0'..=b'9') if length == 0 => self.at += 1,
            _ => {
                self.at += 1 + length;
                self.unreadable(start);
            }
        }
    }

    /// `½-½`.
    fn half(&mut self) {
        const HALF: &[u8] = "\u{bd}".as_bytes();
        let start = self.at;
        let rest = &self.text[start..];
        if !rest.starts_with(HALF) {
            self.at += 1;
            self.unreadable(start);
            return;
        }
        let dash = dash(&rest[2..]);
        if dash > 0 && rest[2 + dash..].starts_with(HALF) {
            self.result(ResultMark::Draw, 4 + dash);
        } else {
            self.at += 2 + dash;
            self.unreadable(start);
        }
    }

    fn result(&mut self, mark: ResultMark, length: usize) {
        let span = Span::new(self.at, self.at + length);
        if self.depth == 0 {
            if self.game.result.is_some() {
                self.after_result(self.at, self.at + length);
            } else {
                self.game.result = Some((mark, span));
            }
        }
        self.push(TokenKind::Result(mark), length);
    }

    /// Reports the first thing that stands behind the result mark.
    #[cold]
    fn after_result(&mut self, start: usize, end: usize) {
        if !self.stray_text {
            self.stray_text = true;
            self.fault(FaultKind::AfterResult, start, end);
        }
    }

    /// Points at the outermost `(` that is never closed. A result mark inside it is the game's all the same.
    #[cold]
    fn unclosed_variations(&mut self) {
        let mut open = Vec::new();
        for token in &self.game.tokens {
            match token.kind {
                TokenKind::Open => open.push(token.span),
                TokenKind::Close => {
                    open.pop();
                }
                TokenKind::Result(mark) if !open.is_empty() && self.game.result.is_none() => {
                    // Only the last mark of the text can be the game's.
                    let last = self.game.tokens.last().map(|token| token.span);
                    if last == Some(token.span) {
                        self.game.result = Some((mark, token.span));
                    }
                }
                _ => {}
            }
        }
        if let Some(&span) = open.first() {
            self.game.fault(FaultKind::UnclosedVariation, span);
            self.game.faults.sort_by_key(|fault| fault.span);
        }
    }
}
