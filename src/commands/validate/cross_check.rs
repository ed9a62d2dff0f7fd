//! The comparison with pgn-reader, which reads standard notation too, for `--cross-check`. The only
//! file that names `pgn_reader`.

use std::ops::ControlFlow;

use memchr::{memchr2, memmem};
use pgn_reader::shakmaty::Outcome;
use pgn_reader::shakmaty::san::SanPlus as TheirSanPlus;
use pgn_reader::{RawTag, Skip, Visitor};

use crate::chess::san::SanPlus;
use crate::findings::registry as codes;
use crate::findings::{Checks, Finding, shown};
use crate::input::GameText;
use crate::pgn::values::result;
use crate::pgn::{FaultKind, Game, Span, Token, TokenKind};
use crate::replay::Reader;
use crate::text::BYTE_ORDER_MARK;

/// The first place that pgn-reader reads in another way, if it is looked for.
pub(crate) fn cross_check(
    reader: &mut Reader,
    game: &GameText<'_>,
    checks: &Checks,
) -> Option<Finding> {
    if !checks.has(&codes::READERS_DISAGREE) {
        return None;
    }
    let strict = reader.read_strictly(game.bytes, game.unclosed_comment);
    let span = difference(strict, game.bytes)?;
    let word = shown(span.of(game.bytes));
    let message = format!("pgn-reader reads the game in another way from `{word}` on");
    Some(
        Finding::new(&codes::READERS_DISAGREE, span, message)
            .help("it passes over words that are no moves, and ends a game at a blank line"),
    )
}

/// The first tag pair or token of a strictly read game that pgn-reader does not read, or the end of
/// the text if it reads more. There is none before [`plain_until`].
pub fn difference(game: &Game, text: &[u8]) -> Option<Span> {
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

/// 1 MiB. pgn-reader keeps a whole tag line in memory twice.
const LONGEST_TAG_LINE: usize = 1 << 20;

/// Offset up to which nothing in the text is left to the choice of a reader: that of the first
/// fault, blank line, comment or byte order mark between tags, vertical tab, result outside the
/// standard, or null move other than `--`.
pub fn plain_until(game: &Game, text: &[u8]) -> usize {
    let is_other = |token: &&Token| {
        matches!(token.kind, TokenKind::NonstandardResult(_))
            || token.span.of(text).starts_with(b"Z0")
    };
    let start = |span: Span| span.start as usize;
    let mark = memmem::find(&text[game.start..game.movetext], BYTE_ORDER_MARK);
    let firsts = [
        game.faults.first().map(|fault| start(fault.span)),
        game.blank_lines.first().copied().map(start),
        (game.tokens.iter().find(is_other)).map(|token| start(token.span)),
        memchr2(b'{', b';', &text[..game.movetext]),
        memchr2(0x0b, 0x0c, text),
        mark.map(|at| game.start + at),
    ];
    firsts.into_iter().flatten().min().unwrap_or(usize::MAX)
}

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
        if self.tags == self.game.tags.len() {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(false)
        }
    }

    fn san(&mut self, (): &mut (), plus: TheirSanPlus) -> ControlFlow<bool> {
        let word = plus.to_string();
        // A pawn that is dropped has no letter there.
        let letter = if word.starts_with('@') { "P" } else { "" };
        match SanPlus::from_ascii(format!("{letter}{word}").as_bytes()) {
            Ok(plus) => self.expect(TokenKind::San(plus)),
            Err(_) => ControlFlow::Break(false),
        }
    }

    fn begin_variation(&mut self, (): &mut ()) -> ControlFlow<bool, Skip> {
        self.expect(TokenKind::Open).map_continue(|()| Skip(false))
    }

    fn end_variation(&mut self, (): &mut ()) -> ControlFlow<bool> {
        self.expect(TokenKind::Close)
    }

    fn outcome(&mut self, (): &mut (), outcome: Outcome) -> ControlFlow<bool> {
        match result::read(outcome.to_string().as_bytes()).value {
            Some(mark) => self.expect(TokenKind::Result(mark)),
            None => ControlFlow::Break(false),
        }
    }

    fn end_game(&mut self, (): ()) -> bool {
        true
    }
}
