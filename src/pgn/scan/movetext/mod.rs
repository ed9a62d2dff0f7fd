//! Movetext (PGN standard 8.2).

mod annotations;
mod known_words;
mod words;

use fearless_simd::{Level, dispatch};

use crate::chess::castling::CastlingSide;
use crate::chess::san::{San, SanPlus, Suffix};
use crate::pgn::game::Game;
use crate::pgn::scan::{line_end, skip_between};
use crate::pgn::token::{FaultKind, Span, Token, TokenKind};
use crate::pgn::values::result::ResultMark;
use crate::text::wide_blank;

pub(crate) use known_words::WordCache;
pub(crate) use words::may_be_move;

#[inline]
fn is_token_end(byte: u8) -> bool {
    let is_blank = matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c);
    is_blank
        || matches!(
            byte,
            b'{' | b'}' | b'(' | b')' | b'!' | b'?' | b'$' | b';' | b'.' | b'*'
        )
}

/// The end of the word that begins at a place.
#[inline]
pub(crate) fn token_end(text: &[u8], at: usize) -> usize {
    let rest = &text[at..];
    at + rest
        .iter()
        .position(|&byte| is_token_end(byte))
        .unwrap_or(rest.len())
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

/// Reads the movetext, which begins where the tag pairs ended.
pub(crate) fn scan(
    text: &[u8],
    unclosed_comment: Option<usize>,
    cache: &mut WordCache,
    game: &mut Game,
) {
    Movetext {
        text,
        cache,
        at: game.movetext,
        unclosed_comment,
        game,
        depth: 0,
        plies: 0,
        replaced: Vec::new(),
        over: false,
        nested: 0,
        aside: 0,
        marks: 0,
    }
    .scan();
}

pub(crate) struct Movetext<'a> {
    pub(crate) text: &'a [u8],
    cache: &'a mut WordCache,
    pub(crate) at: usize,
    unclosed_comment: Option<usize>,
    pub(crate) game: &'a mut Game,
    /// How many `(` are open.
    depth: u32,
    /// How many moves lead here, those of the variation included.
    plies: u32,
    /// The same for the lines in which a variation is open, at its `(`.
    replaced: Vec<u32>,
    /// Whether a result has ended the main line.
    over: bool,
    /// How many braces are still to come that close a comment with other comments in it.
    nested: usize,
    /// Number of tokens other than moves of the main line.
    aside: usize,
    /// Number of glyphs, comments and blank lines.
    marks: usize,
}

impl Movetext<'_> {
    fn scan(&mut self) {
        loop {
            if !self.over {
                let before = self.game.tokens.len();
                let most = match self.depth {
                    0 => self.aside + Game::MOST_PLIES,
                    _ => before + Game::MOST_ASIDE - self.aside,
                };
                dispatch!(Level::new(), simd => self.cached_words(simd, most));
                if self.depth > 0 {
                    self.aside += self.game.tokens.len() - before;
                }
            }
            if self.is_too_long() {
                return;
            }
            let Some(&byte) = self.text.get(self.at) else {
                break;
            };
            match byte {
                b' ' | b'\t' | b'\r' | 0x0b | 0x0c | b'.' => self.at += 1,
                b'a'..=b'h' | b'N' | b'B' | b'R' | b'Q' | b'K' | b'O' => self.word(),
                b'1' => self.one(),
                b'2'..=b'9' => self.number(0),
                b'\n' => {
                    self.at += 1;
                    match &self.text[self.at..] {
                        [b'%', ..] => self.at = line_end(self.text, self.at),
                        [b'\n', ..] | [b'\r', b'\n', ..] => self.blank_line(),
                        _ => {}
                    }
                }
                b'{' => {
                    self.marks += 1;
                    if self.unclosed_comment == Some(self.at) {
                        self.fault(FaultKind::UnclosedComment, self.at, self.at + 1);
                        self.at = self.text.len();
                        break;
                    }
                    dispatch!(Level::new(), simd => self.comment(simd, self.at + 1));
                }
                b';' => {
                    self.marks += 1;
                    self.at = line_end(self.text, self.at);
                }
                b'$' => {
                    self.marks += 1;
                    self.glyph();
                }
                b'!' | b'?' => {
                    self.marks += 1;
                    self.at += 1;
                }
                b'(' => {
                    self.depth += 1;
                    self.replaced.push(self.plies);
                    self.plies = self.plies.saturating_sub(1);
                    self.game.hints.variations = true;
                    self.push(TokenKind::Open, 1);
                }
                b')' => {
                    if self.depth == 0 {
                        self.fault(FaultKind::StrayParenthesis, self.at, self.at + 1);
                    }
                    self.depth = self.depth.saturating_sub(1);
                    self.plies = self.replaced.pop().unwrap_or(self.plies);
                    self.push(TokenKind::Close, 1);
                }
                b'*' => self.result(ResultMark::Unknown, 1),
                b'0' => self.zero(),
                b'P' => {
                    self.game.hints.pawn_letter = true;
                    self.word();
                }
                b'}' => {
                    self.stray_brace();
                    self.at += 1;
                    // pgn-reader takes what follows for part of the brace.
                    let rest = self.at;
                    self.skip_word();
                    if self.at > rest {
                        self.unreadable(rest);
                    }
                }
                0xc2 => self.half(),
                b'[' => self.bracket(),
                b'>' => self.quote_mark(),
                _ => self.word(),
            }
        }
        if self.depth > 0 {
            self.unclosed_variations();
        }
        if !self.over {
            self.zeros_as_result();
        }
    }

    /// Whether more was read than a game may have. Moves beyond the limit are dropped.
    #[inline]
    fn is_too_long(&mut self) -> bool {
        let most = self.aside + Game::MOST_PLIES;
        if self.aside.max(self.marks) < Game::MOST_ASIDE && self.game.tokens.len() <= most {
            return false;
        }
        let next = self.game.tokens.get(most).map(|token| token.span);
        let first = next.unwrap_or(Span::new(self.at, self.at + 1));
        self.game.end = first.start;
        self.game.fault(FaultKind::TooLong, first);
        self.game.tokens.truncate(most);
        true
    }

    /// A blank line, after which the game has ended or goes on.
    #[cold]
    fn blank_line(&mut self) {
        let line = self.at;
        self.at = skip_between(self.text, line);
        if self.at == self.text.len() {
            return;
        }
        self.marks += 1;
        self.game.blank_lines.push(Span::new(line, self.at));
        let here = Span::new(self.at, self.at + 1);
        if self.over {
            self.game.fault_once(FaultKind::CommentAlone, here);
        } else if !self.game.tokens.is_empty() {
            self.game.fault_once(FaultKind::BlankLine, here);
        }
    }

    #[inline]
    fn push(&mut self, kind: TokenKind, length: usize) {
        let span = Span::new(self.at, self.at + length);
        self.at += length;
        let of_main_line = self.depth == 0 && !self.over && matches!(kind, TokenKind::San(_));
        self.aside += usize::from(!of_main_line);
        self.game.tokens.push(Token { kind, span });
    }

    #[cold]
    fn fault(&mut self, kind: FaultKind, start: usize, end: usize) {
        self.game.fault(kind, Span::new(start, end));
    }

    fn skip_word(&mut self) {
        self.at = self.word_end(self.at);
    }

    /// The end of the word that begins at a place, or the first blank outside ASCII in it.
    pub(crate) fn word_end(&self, start: usize) -> usize {
        let end = token_end(self.text, start);
        let word = &self.text[..end];
        // In UTF-8 the byte of a no-break space in Latin-1 is a part of other characters.
        let is_blank = |&at: &usize| match wide_blank(&word[at..]) {
            0 => false,
            1 => at > 0 && word[at - 1].is_ascii(),
            _ => true,
        };
        (start..end).find(is_blank).unwrap_or(end)
    }

    #[inline]
    pub(crate) fn word(&mut self) {
        let start = self.at;
        let end = token_end(self.text, start);
        match SanPlus::read_word(&self.text[start..end]) {
            Some(plus) => self.san(plus, end - start),
            None => self.other_word(start),
        }
    }

    #[inline]
    fn san(&mut self, plus: SanPlus, length: usize) {
        if self.depth == 0 && self.over {
            self.after_result(self.at, self.at + length);
        }
        self.plies += 1;
        self.push(TokenKind::San(plus), length);
    }

    /// Castling, or no move at all.
    fn other_word(&mut self, start: usize) {
        if let Some((plus, length)) = SanPlus::read(&self.text[start..]) {
            let end = start + length;
            let rest = &self.text[end..];
            if rest.first().is_none_or(|&byte| is_token_end(byte)) || wide_blank(rest) > 0 {
                self.san(plus, length);
            } else if !self.move_with_sign(start) && !self.glued_result(start, end) {
                // Read on where the move seems to end: `e4e5Nf3` still has a move in it.
                self.at = end;
                self.unreadable(start);
            }
        } else if !self.move_with_sign(start) && !self.glued_result(start, start) {
            self.at += 1;
            self.skip_word();
            self.unreadable(start);
        }
    }

    /// A move number, with the periods and spaces after it.
    ///
    /// `value` is the value of the digits before `at`. Whether the number is right is known here
    /// only for games from the initial position; others are checked again when the moves are known.
    #[inline]
    fn number(&mut self, mut value: u32) {
        let start = self.at;
        while let Some(&digit @ b'0'..=b'9') = self.text.get(self.at) {
            value = value.wrapping_mul(10).wrapping_add(u32::from(digit - b'0'));
            self.at += 1;
        }
        let of_white = self.plies.is_multiple_of(2);
        if value != self.plies / 2 + 1 || of_white && self.text[self.at..].starts_with(b"..") {
            self.odd_number(start, value);
        }
        self.skip_points();
    }

    #[inline]
    fn skip_points(&mut self) {
        while let Some(b'.' | b' ') = self.text.get(self.at) {
            self.at += 1;
        }
    }

    #[cold]
    fn odd_number(&mut self, start: usize, value: u32) {
        self.game.hints.odd_numbers = true;
        if self.game.tokens.is_empty() && self.game.first_number.is_none() {
            self.game.first_number = Some((value, Span::new(start, self.at)));
        }
    }

    /// `1-0`, `1/2-1/2` or a move number.
    #[inline]
    fn one(&mut self) {
        let start = self.at;
        let rest = &self.text[start + 1..];
        match rest.first() {
            Some(b'.' | b',') if rest[1..].starts_with(b"0") && self.decimal_result() => {}
            Some(b'.' | b' ' | b'0'..=b'9') | None => self.number(0),
            Some(b'/') if rest.starts_with(b"/2") => {
                let dash = dash(&rest[2..]);
                if dash > 0 && rest[2 + dash..].starts_with(b"1/2") {
                    self.result(ResultMark::Draw, 6 + dash);
                } else {
                    self.at += 3 + dash;
                    self.unreadable(start);
                    // The rest is passed over as if it were a number.
                    while self.text.get(self.at).is_some_and(u8::is_ascii_digit) {
                        self.at += 1;
                    }
                    self.skip_points();
                }
            }
            _ => match dash(rest) {
                0 if rest.first() == Some(&b':') => {
                    self.at += 1;
                    self.unreadable(start);
                }
                0 => self.number(0),
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
            Some(b'1') if length > 0 => {
                if !(rest[length + 1..].starts_with(b"/2") && self.nonstandard_result(start)) {
                    self.result(ResultMark::Black, length + 2);
                }
            }
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
                end += usize::from(suffix.is_some());
                self.san(SanPlus { san, suffix }, end);
                self.result_after_castling();
            }
            Some(b'0'..=b'9') if length == 0 => self.zeros(),
            Some(b'.') if length == 0 => {
                if !self.decimal_result() {
                    self.number(0);
                }
            }
            _ => {
                self.at += 1 + length;
                self.unreadable(start);
            }
        }
    }

    /// Several digits of which the first is zero: a number with zeros before it, or nothing that is
    /// known.
    fn zeros(&mut self) {
        let start = self.at;
        let rest = &self.text[start..];
        let zeros = rest.iter().take_while(|&&byte| byte == b'0').count();
        self.at += zeros;
        if !matches!(rest[zeros..], [b'1'..=b'9' | b'.', ..]) {
            // The last zero may begin a result or castling.
            self.at -= usize::from(dash(&rest[zeros..]) > 0);
            self.unreadable(start);
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
        self.end_of_game(TokenKind::Result(mark), length);
    }

    /// A result of the kind, which ends the main line if it stands there.
    pub(crate) fn end_of_game(&mut self, kind: TokenKind, length: usize) {
        let span = Span::new(self.at, self.at + length);
        if self.depth == 0 {
            if self.over {
                self.after_result(self.at, self.at + length);
            } else {
                self.over = true;
                match kind {
                    TokenKind::Result(mark) | TokenKind::NonstandardResult(Some(mark)) => {
                        self.game.result = Some((mark, span));
                    }
                    _ => self.game.other_result = Some(span),
                }
            }
        }
        self.push(kind, length);
    }

    /// Reports the first text after the result mark.
    #[cold]
    fn after_result(&mut self, start: usize, end: usize) {
        let span = Span::new(start, end);
        self.game.fault_once(FaultKind::AfterResult, span);
    }
}
