//! Movetext (PGN standard 8.2).

mod annotations;
mod known_words;
mod offers;
mod words;

use fearless_simd::{Level, dispatch};

use crate::chess::castling::CastlingSide;
use crate::chess::san::{San, SanPlus, Suffix};
use crate::pgn::game::Game;
use crate::pgn::scan::{Scanner, line_end, skip_between};
use crate::pgn::token::{FaultKind, Span, Token, TokenKind};
use crate::pgn::values::result::ResultMark;
use crate::text::index::{Index, IndexView};
use crate::text::wide_blank;

pub(crate) use known_words::WordCache;
pub use words::may_be_move;

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

/// Half a point, in UTF-8.
const HALF: &[u8] = "\u{bd}".as_bytes();

/// Points of White and Black, and the result that says so.
const RESULTS: [(&[u8], &[u8], ResultMark); 4] = [
    (b"1", b"0", ResultMark::White),
    (b"0", b"1", ResultMark::Black),
    (b"1/2", b"1/2", ResultMark::Draw),
    (HALF, HALF, ResultMark::Draw),
];

/// The result at the beginning of a text, with a hyphen or a dash, and its length.
fn standard_result(text: &[u8]) -> Option<(ResultMark, usize)> {
    RESULTS.into_iter().find_map(|(white, black, mark)| {
        let rest = text.strip_prefix(white)?;
        let dash = dash(rest);
        let is_result = dash > 0 && rest[dash..].starts_with(black);
        is_result.then_some((mark, white.len() + dash + black.len()))
    })
}

/// Reads the movetext, which begins where the tag pairs ended.
pub(crate) fn scan(
    text: &[u8],
    unclosed_comment: Option<usize>,
    tools: &mut Scanner,
    index: Option<IndexView<'_>>,
    game: &mut Game,
) {
    let Scanner { words, index: own } = tools;
    Movetext {
        text,
        cache: words,
        at: game.movetext,
        unclosed_comment,
        game,
        plies: 0,
        open: Vec::new(),
        over: false,
        nested: 0,
        aside: 0,
        marks: 0,
    }
    .scan(index, own);
}

pub(crate) struct Movetext<'a> {
    pub(crate) text: &'a [u8],
    cache: &'a mut WordCache,
    pub(crate) at: usize,
    unclosed_comment: Option<usize>,
    pub(crate) game: &'a mut Game,
    /// How many moves lead here, those of the variation included.
    plies: u32,
    /// Each `(` that is open, and how many moves lead to it.
    open: Vec<(Span, u32)>,
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
    /// Reads by a given index if it is right, or else by the own one.
    fn scan(&mut self, mut given: Option<IndexView<'_>>, own: &mut Index) {
        loop {
            if !self.over {
                if given.is_some_and(|index| index.is_in_comment(self.at)) {
                    own.clear();
                    own.extend(self.text, 0);
                    given = None;
                }
                let index = match given {
                    Some(index) => index,
                    None => {
                        own.set_in_comment(self.text, self.at, false);
                        own.view(0)
                    }
                };
                let before = self.game.tokens.len();
                let most = match self.is_in_main_line() {
                    true => self.aside + Game::MOST_PLIES,
                    false => before + Game::MOST_ASIDE - self.aside,
                };
                dispatch!(Level::new(), _ => self.cached_words(index, most));
                if !self.is_in_main_line() {
                    self.aside += self.game.tokens.len() - before;
                }
            }
            if self.is_too_long() {
                return;
            }
            let Some(&byte) = self.text.get(self.at) else {
                break;
            };
            self.marks += usize::from(b"{;$!?".contains(&byte));
            match byte {
                b' ' | b'\t' | b'\r' | 0x0b | 0x0c | b'.' | b'!' | b'?' => self.at += 1,
                b'0' | b'1' | 0xc2 => self.result_or_number(),
                b'2'..=b'9' => self.number(),
                b'\n' => {
                    self.at += 1;
                    match &self.text[self.at..] {
                        [b'%', ..] => self.at = line_end(self.text, self.at),
                        [b'\n', ..] | [b'\r', b'\n', ..] => self.blank_line(),
                        _ => {}
                    }
                }
                b'{' => {
                    if self.unclosed_comment == Some(self.at) {
                        self.fault(FaultKind::UnclosedComment, self.at, self.at + 1);
                        self.at = self.text.len();
                        break;
                    }
                    self.comment();
                }
                b';' => {
                    self.game.hints.line_comments = true;
                    self.at = line_end(self.text, self.at);
                }
                b'$' => self.glyph(),
                b'(' => {
                    self.open
                        .push((Span::new(self.at, self.at + 1), self.plies));
                    self.plies = self.plies.saturating_sub(1);
                    self.game.hints.variations = true;
                    self.push(TokenKind::Open, 1);
                }
                b')' => {
                    match self.open.pop() {
                        Some((_, plies)) => self.plies = plies,
                        None => self.fault(FaultKind::StrayParenthesis, self.at, self.at + 1),
                    }
                    self.push(TokenKind::Close, 1);
                }
                b'*' => self.end_of_game(TokenKind::Result(ResultMark::Unknown), 1),
                b'P' => {
                    self.game.hints.pawn_letter = true;
                    self.word();
                }
                b'}' => {
                    self.stray_brace();
                    self.at += 1;
                    // pgn-reader takes what follows for part of the brace.
                    let rest = self.at;
                    self.at = self.word_end(rest);
                    if self.at > rest {
                        self.unreadable(rest);
                    }
                }
                b'[' => self.bracket(),
                b'>' => self.quote_mark(),
                _ => self.word(),
            }
        }
        if let Some(&(open, _)) = self.open.first() {
            self.unclosed_variation(open);
        }
    }

    /// Whether no variation is open.
    #[inline]
    fn is_in_main_line(&self) -> bool {
        self.open.is_empty()
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
        let of_main_line = self.is_in_main_line() && !self.over;
        let of_main_line = of_main_line && matches!(kind, TokenKind::San(_));
        self.aside += usize::from(!of_main_line);
        self.game.tokens.push(Token { kind, span });
    }

    #[cold]
    fn fault(&mut self, kind: FaultKind, start: usize, end: usize) {
        self.game.fault(kind, Span::new(start, end));
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
    fn san(&mut self, plus: SanPlus, length: usize) {
        if self.is_in_main_line() && self.over {
            self.after_result(self.at, self.at + length);
        }
        self.plies += 1;
        self.push(TokenKind::San(plus), length);
    }

    /// A move, or no move at all.
    pub(crate) fn word(&mut self) {
        let start = self.at;
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
            self.at = self.word_end(start + 1);
            self.unreadable(start);
        }
    }

    /// A move number, with the periods and spaces after it.
    ///
    /// Whether it is right is known here only for games from the initial position; others are
    /// checked again when the moves are known.
    #[inline]
    fn number(&mut self) {
        let start = self.at;
        let mut value = 0_u32;
        while let Some(&digit @ b'0'..=b'9') = self.text.get(self.at) {
            value = value.wrapping_mul(10).wrapping_add(u32::from(digit - b'0'));
            self.at += 1;
        }
        let of_white = self.plies.is_multiple_of(2);
        if value != self.plies / 2 + 1 || of_white && self.text[self.at..].starts_with(b"..") {
            self.game.hints.odd_numbers = true;
            if self.game.tokens.is_empty() && self.game.first_number.is_none() {
                self.game.first_number = Some((value, Span::new(start, self.at)));
            }
        }
        self.skip_points();
    }

    #[inline]
    fn skip_points(&mut self) {
        while let Some(b'.' | b' ') = self.text.get(self.at) {
            self.at += 1;
        }
    }

    /// A result, or something else that begins with `1`, `0` or `½`.
    fn result_or_number(&mut self) {
        let start = self.at;
        let text = &self.text[start..];
        if let Some((mark, length)) = standard_result(text) {
            // `0-1/2` or `1-0ff`
            let goes_on = text.get(length).is_some_and(|&byte| !is_token_end(byte));
            if !(goes_on && self.nonstandard_result(start)) {
                self.end_of_game(TokenKind::Result(mark), length);
            }
            return;
        }
        let is_decimal = matches!(text, [b'0', b'.', ..] | [b'1', b'.' | b',', b'0', ..]);
        if is_decimal && self.decimal_result() {
            return;
        }
        self.at += match text {
            [b'1', b'/', b'2', rest @ ..] => {
                self.at += 3 + dash(rest);
                self.unreadable(start);
                // The rest is passed over as if it were a number.
                while self.text.get(self.at).is_some_and(u8::is_ascii_digit) {
                    self.at += 1;
                }
                return self.skip_points();
            }
            [b'0' | b'1', b'F' | b'f' | b'X' | b'x', ..] if self.nonstandard_result(start) => {
                return;
            }
            [b'0', b'0'..=b'9', ..] => return self.zeros(),
            [b'0', b'.', ..] => return self.number(),
            [b'1', rest @ ..] if dash(rest) == 0 && !rest.starts_with(b":") => {
                return self.number();
            }
            [b'0', rest @ ..] if rest[dash(rest)..].starts_with(b"0") => {
                return self.castling_with_zeros(1 + dash(rest) + 1);
            }
            [b'0' | b'1', rest @ ..] => 1 + dash(rest),
            _ if text.starts_with(HALF) => HALF.len() + dash(&text[HALF.len()..]),
            _ => 1,
        };
        self.unreadable(start);
    }

    /// Castling with zeros, of which the first two end after `end` bytes.
    fn castling_with_zeros(&mut self, mut end: usize) {
        let text = &self.text[self.at..];
        let mut side = CastlingSide::King;
        let second = dash(&text[end..]);
        end += second;
        if second > 0 && text.get(end) == Some(&b'0') {
            end += 1;
            side = CastlingSide::Queen;
        }
        let suffix = match text.get(end) {
            Some(b'+') => Some(Suffix::Check),
            Some(b'#') => Some(Suffix::Checkmate),
            _ => None,
        };
        let san = San::Castle(side);
        end += usize::from(suffix.is_some());
        self.san(SanPlus { san, suffix }, end);
        self.result_after_castling();
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

    /// A result of the kind, which ends the main line if it stands there.
    pub(crate) fn end_of_game(&mut self, kind: TokenKind, length: usize) {
        let span = Span::new(self.at, self.at + length);
        if self.is_in_main_line() {
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
        self.game
            .fault_once(FaultKind::AfterResult, Span::new(start, end));
    }
}
