//! Two readers for one text: the scan, which knows byte offsets, and pgn-reader, which has the last
//! word on standard notation. The only file that names `pgn_reader`.
//!
//! The scan's reading stands for a plain game, in which nothing could be dropped or read in another
//! way: reading every game twice would cost as much as the rest of `validate`. Any other game is
//! read by both, and a difference is a fault.
//!
//! Builds with debug assertions, such as tests, have both read every game.

use std::ops::ControlFlow;

use pgn_reader::shakmaty::san::{San as TheirSan, SanPlus as TheirSanPlus, Suffix as TheirSuffix};
use pgn_reader::shakmaty::{CastlingSide as TheirSide, Color, KnownOutcome, Outcome};
use pgn_reader::{RawTag, Skip, Visitor};

use crate::chess::castling::CastlingSide;
use crate::chess::piece::Role;
use crate::chess::san::{San, SanPlus, Suffix};
use crate::chess::square::{File, Rank, Square};
use crate::pgn::game::Game;
use crate::pgn::scan::{WordCache, scan, scan_tags_only};
use crate::pgn::token::{FaultKind, Span, Token, TokenKind};
use crate::pgn::values::result::ResultMark;
use crate::text::{Offset, TagFilter, TagPair};

/// Reads the texts of games, with buffers that are reused. Words outside standard notation stay
/// unreadable; [`crate::replay::Reader`] reads them as well.
pub(crate) struct Parser {
    game: Game,
    cache: WordCache,
    /// Copy of a text for pgn-reader.
    copy: Vec<u8>,
}

impl Parser {
    pub(crate) fn new() -> Parser {
        Parser {
            game: Game::default(),
            cache: WordCache::default(),
            copy: Vec::new(),
        }
    }

    /// Reads the text of one game, which is cut off at `unclosed_comment`, a `{` that never closes.
    /// Returns whether the text is plain, and the token on which the two readers disagree.
    #[inline]
    pub(crate) fn read(
        &mut self,
        text: &[u8],
        unclosed_comment: Option<usize>,
    ) -> (&mut Game, bool, Option<usize>) {
        scan(text, unclosed_comment, &mut self.cache, &mut self.game);
        let plain = self.game.is_plain();
        let mut defect = None;
        // pgn-reader keeps a whole tag line in memory twice, and gets a copy of the text. Texts
        // longer than any real one are left to the scan.
        let is_short = text.len() < LONGEST_TEXT
            && self.game.longest_tag_line < LONGEST_TAG_LINE
            && !self.game.has_fault(FaultKind::TooLong);
        if (cfg!(debug_assertions) || !plain) && is_short {
            defect = self.compare(text);
        }
        (&mut self.game, plain, defect)
    }

    /// Reads the tag pairs of one game.
    pub(crate) fn read_tags(&mut self, text: &[u8]) -> &Game {
        scan_tags_only(text, &mut self.game);
        &self.game
    }

    /// The game that was read last.
    pub(crate) fn game(&self) -> &Game {
        &self.game
    }

    /// Reads the tag pairs that the filter accepts from their recorded places. `start` is the
    /// offset of the game. If any of them is unusual, all tag pairs are read from the text.
    pub(crate) fn read_pairs(
        &mut self,
        text: &[u8],
        pairs: &[TagPair],
        start: Offset,
        likely: &TagFilter,
    ) -> &Game {
        if !self.take_pairs(text, pairs, start, likely) {
            scan_tags_only(text, &mut self.game);
        }
        &self.game
    }

    #[inline]
    fn take_pairs(
        &mut self,
        text: &[u8],
        pairs: &[TagPair],
        start: Offset,
        likely: &TagFilter,
    ) -> bool {
        self.game.clear();
        for pair in pairs {
            let Some([open, quote, close]) = pair.places(start) else {
                return false;
            };
            let first = text[open + 1];
            if first.is_ascii_whitespace() {
                return false;
            }
            if likely.begins(first) {
                let name = text[open + 1..quote].trim_ascii_end();
                if !likely.has(name) {
                    continue;
                }
                let name = Span::new(open + 1, open + 1 + name.len());
                let value = Span::new(quote + 1, close);
                self.game.push_tag(text, name, value, false);
            }
        }
        true
    }

    /// Has pgn-reader read the same text, and stops the game where the two do not agree: at that
    /// token, if it is one.
    fn compare(&mut self, text: &[u8]) -> Option<usize> {
        // pgn-reader passes over a result that is glued to a move, and over text that is not PGN.
        if self.game.has_fault(FaultKind::GluedResult)
            || self.game.is_gibberish(text)
            || self.game.is_unreadable(text)
        {
            return None;
        }
        // Faults beyond the limit have no place, so that the copy cannot have blanks there.
        if BLANKS.iter().any(|&kind| self.game.more_faults(kind) > 0) {
            return None;
        }
        self.copy_for_pgn_reader(text);
        let nth = first_difference(&self.copy, &self.game)?;
        let end = text.len();
        let span = match self.game.tokens.get_mut(nth) {
            Some(token) => {
                token.kind = TokenKind::Unreadable;
                token.span
            }
            None => Span::new(end.saturating_sub(1), end),
        };
        self.game.fault(FaultKind::ReadersDisagree, span);
        Some(nth)
    }

    /// Copies the text for pgn-reader, from the start of the game on.
    fn copy_for_pgn_reader(&mut self, text: &[u8]) {
        let Parser { game, copy, .. } = self;
        // Anything after the last word would be a game of its own.
        let end = without_end(text).len().max(game.movetext);
        copy.clear();
        copy.extend_from_slice(&text[game.start..end]);
        let within = |span: Span| span.start as usize - game.start..span.end as usize - game.start;
        // A blank line would end the game.
        for &gap in &game.blank_lines {
            if let Some(gap) = copy.get_mut(within(gap)) {
                gap.fill(b' ');
            }
        }
        for fault in &game.faults {
            let start = fault.span.start;
            let ends_move = || {
                let after = game
                    .tokens
                    .partition_point(|token| token.span.start < start);
                game.tokens[..after].last().is_some_and(|token| {
                    token.span.end == start && matches!(token.kind, TokenKind::San(_))
                })
            };
            // As in `1…e5`.
            let is_ellipsis = matches!(fault.span.of(text), [0x85, ..] | [0xe2, 0x80, 0xa6, ..]);
            let is_apart = match fault.kind {
                FaultKind::WideBlank => true,
                FaultKind::UnknownSymbol => is_ellipsis || ends_move(),
                _ => false,
            };
            if is_apart && let Some(word) = copy.get_mut(within(fault.span)) {
                word.fill(b' ');
            }
        }
        // `0-0` would be castling, and the beginning of `0-1/2` a result. Blanks would leave the
        // move of `Be5:--`, which is a word without one.
        for token in &game.tokens {
            if token.kind == TokenKind::NonstandardResult(None)
                && let Some(word) = copy.get_mut(within(token.span))
            {
                word.fill(b'x');
            }
        }
        // A quote would end the value. Escaped ones do not.
        if game.has_fault(FaultKind::UnescapedQuote) || game.has_fault(FaultKind::MalformedTag) {
            for tag in &game.tags {
                let mut value = copy[within(tag.value)].iter_mut();
                while let Some(byte) = value.next() {
                    match *byte {
                        b'\\' => drop(value.next()),
                        b'"' => *byte = b'\'',
                        _ => {}
                    }
                }
            }
        }
        // The end of the game, and a line that saves pgn-reader from asking for more at each of the
        // last tokens.
        copy.extend_from_slice(b"\n\n%");
        copy.resize(copy.len() + LOOKAHEAD, b'-');
    }
}

/// 1 MiB.
const LONGEST_TAG_LINE: usize = 1 << 20;
/// 16 MiB.
const LONGEST_TEXT: usize = 16 << 20;

/// Kinds of faults that may end a word, but not for pgn-reader.
const BLANKS: [FaultKind; 2] = [FaultKind::WideBlank, FaultKind::UnknownSymbol];

/// Number of bytes that pgn-reader wants ahead of every token.
const LOOKAHEAD: usize = 255;

/// Has pgn-reader read a copy of a game, and finds the first token on which it and the scan
/// disagree.
fn first_difference(copy: &[u8], game: &Game) -> Option<usize> {
    let mut reader = pgn_reader::Reader::build(copy)
        .set_supported_tag_line_length(game.longest_tag_line + 2)
        .finish();
    let mut comparison = Comparison {
        tokens: &game.tokens,
        nth: 0,
        tags: 0,
    };
    let agree = match reader.read_game(&mut comparison) {
        Ok(agree) => agree.unwrap_or(true),
        Err(_) => game.has_fault(FaultKind::UnclosedComment),
    };
    let Comparison { tokens, nth, tags } = comparison;
    let agree = agree && tags == game.tags.len() && !tokens[nth..].iter().any(is_shared);
    (!agree).then_some(nth)
}

/// A game's text without trailing white space, byte order marks, NULs and end-of-file marks, except
/// marks directly after a word, which are part of it.
fn without_end(text: &[u8]) -> &[u8] {
    let mut end = text.len();
    loop {
        end = match &text[..end] {
            [rest @ .., 0xef, 0xbb, 0xbf]
            | [rest @ .., 0 | 0x1a | b' ' | b'\t' | b'\r' | b'\n'] => rest.len(),
            _ => break,
        };
    }
    loop {
        end += match &text[end..] {
            [0xef, 0xbb, 0xbf, ..] => 3,
            [0 | 0x1a, ..] => 1,
            _ => return &text[..end],
        };
    }
}

/// Whether pgn-reader has such a token too.
fn is_shared(token: &Token) -> bool {
    !matches!(
        token.kind,
        TokenKind::Unreadable | TokenKind::NonstandardResult(_)
    )
}

/// Walks over the scan's tokens while pgn-reader calls out its own.
struct Comparison<'a> {
    tokens: &'a [Token],
    /// Number of tokens passed.
    nth: usize,
    /// Number of tag pairs.
    tags: usize,
}

impl Comparison<'_> {
    /// Passes the token of a kind that pgn-reader has read, or stops it.
    #[inline]
    fn expect(&mut self, kind: TokenKind) -> ControlFlow<bool> {
        while let Some(token) = self.tokens.get(self.nth) {
            if token.kind == kind {
                self.nth += 1;
                return ControlFlow::Continue(());
            }
            if is_shared(token) {
                break;
            }
            self.nth += 1;
        }
        ControlFlow::Break(false)
    }
}

impl Visitor for Comparison<'_> {
    type Tags = ();
    type Movetext = ();
    /// Whether the two agree.
    type Output = bool;

    fn begin_tags(&mut self) -> ControlFlow<bool> {
        ControlFlow::Continue(())
    }

    fn tag(&mut self, (): &mut (), _name: &[u8], _value: RawTag<'_>) -> ControlFlow<bool> {
        self.tags += 1;
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<bool> {
        ControlFlow::Continue(())
    }

    #[inline]
    fn san(&mut self, (): &mut (), plus: TheirSanPlus) -> ControlFlow<bool> {
        self.expect(TokenKind::San(ours(plus)))
    }

    fn begin_variation(&mut self, (): &mut ()) -> ControlFlow<bool, Skip> {
        self.expect(TokenKind::Open).map_continue(|()| Skip(false))
    }

    fn end_variation(&mut self, (): &mut ()) -> ControlFlow<bool> {
        self.expect(TokenKind::Close)
    }

    fn outcome(&mut self, (): &mut (), outcome: Outcome) -> ControlFlow<bool> {
        self.expect(TokenKind::Result(match outcome {
            Outcome::Known(KnownOutcome::Draw) => ResultMark::Draw,
            Outcome::Known(KnownOutcome::Decisive {
                winner: Color::White,
            }) => ResultMark::White,
            Outcome::Known(KnownOutcome::Decisive {
                winner: Color::Black,
            }) => ResultMark::Black,
            Outcome::Unknown => ResultMark::Unknown,
        }))
    }

    fn end_game(&mut self, (): ()) -> bool {
        true
    }
}

#[inline]
fn ours(plus: TheirSanPlus) -> SanPlus {
    let role = |role: pgn_reader::shakmaty::Role| Role::ALL[role as usize - 1];
    let square = |square: pgn_reader::shakmaty::Square| Square::new(square as usize);
    let san = match plus.san {
        TheirSan::Normal {
            role: piece,
            file,
            rank,
            capture,
            to,
            promotion,
        } => San::Piece {
            role: role(piece),
            file: file.map(|file| File::new(file as usize)),
            rank: rank.map(|rank| Rank::new(rank as usize)),
            capture,
            to: square(to),
            promotion: promotion.map(role),
        },
        TheirSan::Castle(TheirSide::KingSide) => San::Castle(CastlingSide::King),
        TheirSan::Castle(TheirSide::QueenSide) => San::Castle(CastlingSide::Queen),
        TheirSan::Put { role: piece, to } => San::Drop {
            role: role(piece),
            to: square(to),
        },
        TheirSan::Null => San::Null,
    };
    let suffix = plus.suffix.map(|suffix| match suffix {
        TheirSuffix::Check => Suffix::Check,
        TheirSuffix::Checkmate => Suffix::Checkmate,
    });
    SanPlus { san, suffix }
}
