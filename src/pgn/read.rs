//! Two readers for one text: the scan, which knows byte offsets, and pgn-reader, which has the last
//! word on standard notation. The only file that names `pgn_reader`.
//!
//! The scan's reading stands for a plain game, in which nothing could be dropped or read in another
//! way: reading every game twice would cost as much as the rest of `validate`. Any other game is
//! read by both, and a difference is a fault.
//!
//! Tests compare the readers on plain games, real and mutated
//! ([`crate::replay::Reader::doubting`]). Builds with debug assertions always read twice.

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
use crate::pgn::token::{Fault, FaultKind, Span, Token, TokenKind};
use crate::pgn::values::result::ResultMark;
use crate::text::{Offset, TagFilter, TagPair};

/// Reads the texts of games, with buffers that are reused. Words outside standard notation stay
/// unreadable; [`crate::replay::Reader`] reads them as well.
pub(crate) struct Parser {
    game: Game,
    cache: WordCache,
    /// Copy of a text for pgn-reader.
    copy: Vec<u8>,
    /// Whether pgn-reader reads plain games too.
    doubting: bool,
}

impl Parser {
    pub(crate) fn new() -> Parser {
        Parser {
            game: Game::default(),
            cache: WordCache::default(),
            copy: Vec::new(),
            doubting: cfg!(debug_assertions),
        }
    }

    /// A parser that has pgn-reader read plain games as well.
    pub(crate) fn doubting() -> Parser {
        Parser {
            doubting: true,
            ..Parser::new()
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
        if (self.doubting || !plain) && is_short {
            defect = self.compare(text);
        }
        (&mut self.game, plain, defect)
    }

    /// Reads the tag pairs of one game.
    pub(crate) fn read_tags(&mut self, text: &[u8]) -> &Game {
        scan_tags_only(text, &mut self.game);
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
        if self.game.has_fault(FaultKind::GluedResult) || self.game.is_gibberish(text) {
            return None;
        }
        self.copy_for_pgn_reader(text);
        let nth = first_difference(&self.copy, text, &self.game)?;
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

/// Number of bytes that pgn-reader wants ahead of every token.
const LOOKAHEAD: usize = 255;

/// Has pgn-reader read a game, and finds the first token on which it and the scan disagree. `copy`
/// is the text prepared for it.
fn first_difference(copy: &[u8], text: &[u8], game: &Game) -> Option<usize> {
    let mut reader = pgn_reader::Reader::build(copy)
        .set_supported_tag_line_length(game.longest_tag_line + 2)
        .finish();
    let mut comparison = Comparison {
        text,
        tokens: &game.tokens,
        faults: &game.faults,
        nth: 0,
        tags: 0,
        agree: true,
    };
    let is_cut_off = reader.read_game(&mut comparison).is_err();
    let nth = comparison.nth;
    let has_more = game.tokens.iter().skip(nth).any(is_shared);
    let is_explained = !is_cut_off || game.has_fault(FaultKind::UnclosedComment);
    let agree = comparison.agree && comparison.tags == game.tags.len();
    (!agree || has_more || !is_explained).then_some(nth)
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

/// Walks over the scan's tokens while pgn-reader calls out its own.
struct Comparison<'a> {
    text: &'a [u8],
    tokens: &'a [Token],
    faults: &'a [Fault],
    nth: usize,
    tags: usize,
    agree: bool,
}

/// Whether pgn-reader has such a token too.
fn is_shared(token: &Token) -> bool {
    !matches!(
        token.kind,
        TokenKind::Unreadable | TokenKind::NonstandardResult(_)
    )
}

/// Whether pgn-reader takes a result that it does not know for something else: `0-0` for castling,
/// and the beginning of `0-1/2` for a result.
fn is_mistaken(token: &Token, text: &[u8], theirs: TokenKind) -> bool {
    let zeros = SanPlus {
        san: San::Castle(CastlingSide::King),
        suffix: None,
    };
    let word = token.span.of(text);
    token.kind == TokenKind::NonstandardResult(None)
        && word.first() == Some(&b'0')
        && !word.iter().any(|byte| b" :".contains(byte))
        && match word.last() {
            Some(b'0') => theirs == TokenKind::San(zeros),
            _ => theirs == TokenKind::Result(ResultMark::Black),
        }
}

impl Comparison<'_> {
    /// Whether pgn-reader takes a word for a part of the brace before it, and so for nothing.
    #[cold]
    fn is_behind_stray_brace(&self, token: &Token) -> bool {
        let is_brace = |kind| matches!(kind, FaultKind::StrayBrace | FaultKind::NestedComment);
        self.faults
            .iter()
            .any(|fault| is_brace(fault.kind) && fault.span.end == token.span.start)
    }

    #[inline]
    fn expect(&mut self, kind: TokenKind) -> ControlFlow<()> {
        while let Some(token) = self.tokens.get(self.nth) {
            if token.kind == kind
                || is_mistaken(token, self.text, kind) && !self.is_behind_stray_brace(token)
            {
                self.nth += 1;
                return ControlFlow::Continue(());
            }
            if is_shared(token) {
                break;
            }
            self.nth += 1;
        }
        self.agree = false;
        ControlFlow::Break(())
    }
}

impl Visitor for Comparison<'_> {
    type Tags = ();
    type Movetext = ();
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn tag(&mut self, (): &mut (), _name: &[u8], _value: RawTag<'_>) -> ControlFlow<()> {
        self.tags += 1;
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    #[inline]
    fn san(&mut self, (): &mut (), plus: TheirSanPlus) -> ControlFlow<()> {
        self.expect(TokenKind::San(ours(plus)))
    }

    fn begin_variation(&mut self, (): &mut ()) -> ControlFlow<(), Skip> {
        self.expect(TokenKind::Open).map_continue(|()| Skip(false))
    }

    fn end_variation(&mut self, (): &mut ()) -> ControlFlow<()> {
        self.expect(TokenKind::Close)
    }

    fn outcome(&mut self, (): &mut (), outcome: Outcome) -> ControlFlow<()> {
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

    fn end_game(&mut self, (): ()) {}
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
