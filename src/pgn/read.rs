//! The parser of one game's text, and its comparison with pgn-reader, which reads standard notation
//! too. The only file that names `pgn_reader`.

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
}

impl Parser {
    pub(crate) fn new() -> Parser {
        Parser {
            game: Game::default(),
            cache: WordCache::default(),
        }
    }

    /// Reads the text of one game, which is cut off at `unclosed_comment`, a `{` that never closes.
    #[inline]
    pub(crate) fn read(&mut self, text: &[u8], unclosed_comment: Option<usize>) -> &mut Game {
        scan(text, unclosed_comment, &mut self.cache, &mut self.game);
        &mut self.game
    }

    /// The first tag pair or token of a game that pgn-reader does not read, or the end of the text
    /// if it reads more.
    pub(crate) fn difference(
        &mut self,
        text: &[u8],
        unclosed_comment: Option<usize>,
    ) -> Option<Span> {
        let game = &*self.read(text, unclosed_comment);
        let mut reader = pgn_reader::Reader::build(&text[game.start..])
            .set_supported_tag_line_length(text.len().min(LONGEST_TAG_LINE))
            .finish();
        let mut comparison = Comparison {
            text,
            game,
            nth: 0,
            tags: 0,
        };
        let agree = match reader.read_game(&mut comparison) {
            Ok(agree) => agree.unwrap_or(true),
            Err(_) => game.has_fault(FaultKind::UnclosedComment),
        };
        let Comparison { nth, tags, .. } = comparison;
        let tag = game.tags.get(tags);
        let tag = tag.map(|tag| Span::new(tag.name.start as usize, tag.value.end as usize));
        let token = game.tokens[nth..].iter().find(|token| is_shared(token));
        let missing = tag.or(token.map(|token| token.span));
        let end = text.trim_ascii_end().len();
        missing.or((!agree).then(|| Span::new(end.saturating_sub(1), end)))
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
}

/// 1 MiB. pgn-reader keeps a whole tag line in memory twice.
const LONGEST_TAG_LINE: usize = 1 << 20;

/// Whether pgn-reader has such a token too.
fn is_shared(token: &Token) -> bool {
    !matches!(
        token.kind,
        TokenKind::Unreadable | TokenKind::NonstandardResult(_)
    )
}

/// Walks over the scan's tag pairs and tokens while pgn-reader calls out its own.
struct Comparison<'a> {
    text: &'a [u8],
    game: &'a Game,
    /// Number of tokens passed.
    nth: usize,
    /// Number of tag pairs passed.
    tags: usize,
}

impl Comparison<'_> {
    /// Passes the token of a kind that pgn-reader has read, or stops it.
    #[inline]
    fn expect(&mut self, kind: TokenKind) -> ControlFlow<bool> {
        while let Some(token) = self.game.tokens.get(self.nth) {
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

    fn tag(&mut self, (): &mut (), name: &[u8], value: RawTag<'_>) -> ControlFlow<bool> {
        let is_same = self.game.tags.get(self.tags).is_some_and(|tag| {
            tag.name.of(self.text) == name.trim_ascii() && tag.value.of(self.text) == value.0
        });
        if !is_same {
            return ControlFlow::Break(false);
        }
        self.tags += 1;
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<bool> {
        match self.tags == self.game.tags.len() {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(false),
        }
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
