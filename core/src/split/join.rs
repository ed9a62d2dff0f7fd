//! Joins pieces found by the splitter that are one game.
//!
//! The splitter ends a game at a blank line. Here a piece without tags is joined to the game before
//! it if that game has no result and the piece does not begin another.
//!
//! A tag section continues after a blank line, or after text that is no movetext, unless it starts
//! again. Comments alone belong to the game before them, or to the first one. Text that is not PGN
//! is one piece.
//!
//! Each piece is read at most twice, and only if there is something to decide.

use std::cell::LazyCell;
use std::collections::HashSet;

use crate::chess::{Color, Position};
use crate::pgn::{Game, Token, TokenKind, is_comments};
use crate::replay::{Reader, Replay, Start};
use crate::split::splitter::{EndKind, GameEnd, TagCause};
use crate::text::Offset;

/// Maximum number of names remembered of one tag section.
const MOST_NAMES: usize = 256;

/// Joins the pieces of a text, in order.
pub(crate) struct Joiner {
    /// Maximum size of a game joined from several pieces, in bytes.
    limit: u64,
    /// Start of the current game.
    game: u64,
    /// Start of the current game after leading comments.
    body: u64,
    /// Start of the first piece not yet processed.
    piece: u64,
    /// Whether the current game may be none: it begins with movetext, or begins the text.
    doubtful: bool,
    known: Option<Content>,
    /// Lower-case names of its tags, once needed.
    names: Option<HashSet<Vec<u8>>>,
    /// Made once something has to be read.
    reader: LazyCell<Box<Reader>>,
}

/// Content of the current game so far.
#[derive(Debug)]
enum Content {
    /// Comments only.
    Nothing,
    /// Text that is not PGN, with or without tags before it.
    Gibberish,
    /// Tags without moves.
    Tags,
    Moves(Moves),
    /// Game with a result.
    Over,
}

/// Moves without a result.
#[derive(Debug)]
struct Moves {
    /// Position after the moves, if all could be played.
    position: Option<Position>,
    /// Number and side of the next move, by counting.
    next: (u32, Color),
    /// Number of open variations.
    depth: u32,
    /// Whether a variation has been opened last.
    is_opened: bool,
}

/// Names of which every game has some.
const ESSENTIAL: [&[u8]; 3] = [b"white", b"black", b"result"];

/// Whether a text begins with a bracket and a letter, and has a quote on the same line.
fn is_tag_like(text: &[u8]) -> bool {
    let line = text.trim_ascii_start();
    let line = line.split(|&byte| byte == b'\n').next().unwrap_or(line);
    matches!(line, [b'[', first, rest @ ..] if first.is_ascii_alphabetic() && rest.contains(&b'"'))
}

impl Joiner {
    /// Creates a joiner at the beginning of a text.
    pub(crate) fn new(limit: u64) -> Joiner {
        Joiner {
            doubtful: true,
            ..Joiner::resume_at(Offset(0), limit)
        }
    }

    /// Creates a joiner at an offset at which a game certainly begins.
    pub(crate) fn resume_at(at: Offset, limit: u64) -> Joiner {
        Joiner {
            limit,
            game: at.0,
            body: at.0,
            piece: at.0,
            doubtful: false,
            known: None,
            names: None,
            reader: LazyCell::new(Box::default),
        }
    }

    /// Start of the first piece not yet processed.
    pub(crate) fn piece(&self) -> Offset {
        Offset(self.piece)
    }

    /// Takes the `found` ends that can be decided, and appends the ends of games to `ends`.
    ///
    /// `text` begins at `base`, at or before the start of the current game. Once the text
    /// `is_whole`, every end can be decided.
    pub(crate) fn join(
        &mut self,
        text: &[u8],
        base: Offset,
        found: &mut Vec<GameEnd>,
        is_whole: bool,
        ends: &mut Vec<GameEnd>,
    ) {
        let mut taken = 0;
        while let Some(&end) = found.get(taken) {
            let is_plain = matches!(
                end.kind,
                EndKind::Tags | EndKind::SameLine | EndKind::FirstNumber
            );
            let stands = if is_plain && !self.doubtful {
                true
            } else if let Some(next) = found.get(taken + 1) {
                let pieces = Pieces {
                    text,
                    base: base.0,
                    end,
                    next: *next,
                };
                !self.goes_on(&pieces)
            } else if is_whole {
                !self.is_nothing(text, base.0, end)
            } else {
                break;
            };
            taken += 1;
            self.piece = end.at.0;
            if stands {
                ends.push(end);
                self.game = end.at.0;
                self.body = end.at.0;
                self.names = None;
                if end.kind != EndKind::Movetext {
                    self.known = None;
                }
                // If the next piece is movetext, `known` describes it, and it may be no game.
                self.doubtful = self.known.is_some();
            }
        }
        found.drain(..taken);
    }

    /// Whether the last game of the text holds only comments.
    fn is_nothing(&mut self, text: &[u8], base: u64, end: GameEnd) -> bool {
        if !self.doubtful || end.unclosed_comment.is_some() {
            return false;
        }
        let from = (self.game - base) as usize;
        let game = &text[from..(end.at.0 - base) as usize];
        // A large game is not read twice.
        !is_tag_like(game) && matches!(self.know(game), Content::Nothing)
    }

    /// Whether the game continues after the end of a piece.
    fn goes_on(&mut self, pieces: &Pieces<'_>) -> bool {
        let is_too_large = pieces.next.at.0 - self.game > self.limit;
        if pieces.end.unclosed_comment.is_some() || is_too_large {
            self.known = None;
            return false;
        }
        match pieces.end.kind {
            EndKind::TagInSection(cause) if self.section_goes_on(pieces, cause) => true,
            EndKind::TagInSection(cause) if cause != TagCause::Words => false,
            EndKind::Movetext => self.movetext_goes_on(pieces),
            EndKind::Bracket if self.bracket_goes_on(pieces) => true,
            EndKind::Tags
            | EndKind::Bracket
            | EndKind::TagInSection(_)
            | EndKind::SameLine
            | EndKind::FirstNumber => self.doubtful && self.is_followed_by_its_game(pieces),
        }
    }

    /// Whether the text before a tag pair is no game, and belongs to the text after it.
    fn is_followed_by_its_game(&mut self, pieces: &Pieces<'_>) -> bool {
        let game = pieces.from(self.game);
        match self.know(game) {
            Content::Nothing => {
                self.known = None;
                self.doubtful = false;
                self.body = pieces.end.at.0;
                true
            }
            // A named tag pair begins a game, even if it is broken.
            Content::Gibberish if is_tag_like(pieces.next()) => false,
            Content::Gibberish => {
                let next = self.reader.read(pieces.next(), pieces.unclosed());
                next.is_gibberish(pieces.next())
            }
            Content::Tags | Content::Moves(_) | Content::Over => false,
        }
    }

    /// Whether a tag section goes on, and does not start again.
    fn section_goes_on(&mut self, pieces: &Pieces<'_>, cause: TagCause) -> bool {
        let is_after_words = cause == TagCause::Words;
        // The words may be movetext.
        if is_after_words {
            let section = pieces.whole(self.piece);
            let movetext = self.reader.read_tags(section).movetext as u64;
            if movetext <= pieces.end.at.0 - self.piece {
                return false;
            }
        }
        let Some(first) = first_name(pieces.next()) else {
            return !is_after_words;
        };
        let is_event = first == b"event";
        match cause {
            TagCause::Blank if is_event => return false,
            TagCause::Broken if !is_event => return true,
            _ => {}
        }
        let names = self.names(pieces);
        let mut others = ESSENTIAL.iter().filter(|&&name| name != first);
        let is_begun = cause != TagCause::Repeated || others.any(|&name| names.contains(name));
        let begins_again = names.contains(&first) && is_begun;
        if !begins_again {
            self.add_names(pieces.next());
        }
        !begins_again
    }

    /// Names of the tags of the current game.
    fn names(&mut self, pieces: &Pieces<'_>) -> &HashSet<Vec<u8>> {
        if self.names.is_none() {
            self.names = Some(HashSet::new());
            self.add_names(pieces.from(self.body));
        }
        self.names.get_or_insert_default()
    }

    /// Adds the names of a text, if any are known.
    fn add_names(&mut self, text: &[u8]) {
        if let Some(names) = &mut self.names {
            for tag in &self.reader.read_tags(text).tags {
                if names.len() < MOST_NAMES {
                    names.insert(tag.name.of(text).to_ascii_lowercase());
                }
            }
        }
    }

    /// Whether a bracket that begins no tag pair is a word of moves that have no result yet.
    fn bracket_goes_on(&mut self, pieces: &Pieces<'_>) -> bool {
        if !matches!(self.know(pieces.from(self.game)), Content::Moves(_)) {
            return false;
        }
        let text = pieces.next();
        let next = self.reader.read(text, pieces.unclosed());
        let is_alone = next.tags.is_empty() && next.tokens.is_empty();
        is_alone || self.movetext_goes_on(pieces)
    }

    fn movetext_goes_on(&mut self, pieces: &Pieces<'_>) -> bool {
        let game = pieces.from(self.game);
        if self.known.is_none() && ends_with_result(game) {
            self.known = Some(Content::Over);
        }
        self.know(game);
        if matches!(self.known, Some(Content::Over)) && begins_game(pieces.next()) {
            self.known = None;
            return false;
        }
        let text = pieces.next();
        let next = self.reader.read(text, pieces.unclosed());
        let known = self.known.get_or_insert(Content::Nothing);
        let is_comments = is_comments(text);
        let is_gibberish = next.is_gibberish(text);
        let goes_on = match known {
            _ if is_comments => return true,
            Content::Gibberish if is_gibberish || !has_move(next) => return true,
            Content::Nothing => true,
            Content::Tags => true,
            Content::Moves(moves) => !is_gibberish && moves.go_on(next, text),
            Content::Gibberish | Content::Over => false,
        };
        *known = match known {
            Content::Moves(moves) if goes_on && !next.is_over() => {
                moves.add(next);
                return true;
            }
            // The tags give the start position of these moves.
            Content::Tags if goes_on && !next.is_over() => {
                let game = pieces.whole(self.game);
                let game = self.reader.read(game, pieces.unclosed());
                Content::of(game, pieces.whole(self.game))
            }
            _ => Content::of(next, text),
        };
        goes_on
    }

    /// Content of the current game, whose text so far is `text` (memoised).
    fn know(&mut self, text: &[u8]) -> &Content {
        let Joiner { known, reader, .. } = self;
        known.get_or_insert_with(|| Content::of(reader.read(text, None), text))
    }
}

/// Piece and its successor.
struct Pieces<'a> {
    text: &'a [u8],
    base: u64,
    end: GameEnd,
    next: GameEnd,
}

impl<'a> Pieces<'a> {
    /// Text from `place` to the end of the first piece.
    fn from(&self, place: u64) -> &'a [u8] {
        &self.text[(place - self.base) as usize..(self.end.at.0 - self.base) as usize]
    }

    /// Text from `place` to the end of the second piece.
    fn whole(&self, place: u64) -> &'a [u8] {
        &self.text[(place - self.base) as usize..(self.next.at.0 - self.base) as usize]
    }

    /// Text of the second piece.
    fn next(&self) -> &'a [u8] {
        self.whole(self.end.at.0)
    }

    /// Offset in the second piece of a `{` that is never closed.
    fn unclosed(&self) -> Option<usize> {
        let brace = self.next.unclosed_comment?;
        Some((brace.0 - self.end.at.0) as usize)
    }
}

impl Content {
    fn of(game: &Game, text: &[u8]) -> Content {
        if is_comments(text) {
            Content::Nothing
        } else if game.is_gibberish(text) {
            Content::Gibberish
        } else if game.is_over() {
            Content::Over
        } else if has_move(game) {
            Content::Moves(Moves::of(game, text))
        } else if game.tokens.is_empty() {
            Content::Tags
        } else {
            Content::Gibberish
        }
    }
}

impl Moves {
    fn of(game: &Game, text: &[u8]) -> Moves {
        let initial = Position::default();
        let start = Start::of(game, text, &initial).ok();
        let start = start.map(|(start, _)| start.position);
        let begins = start.as_ref().unwrap_or(&initial);
        let mut moves = Moves {
            next: (begins.fullmoves(), begins.turn()),
            position: start,
            depth: 0,
            is_opened: false,
        };
        moves.add(game);
        moves
    }

    fn add(&mut self, piece: &Game) {
        self.position = self.after(piece).filter(|_| self.depth == 0);
        for token in &piece.tokens {
            match token.kind {
                TokenKind::Open => self.depth += 1,
                TokenKind::Close => self.depth = self.depth.saturating_sub(1),
                TokenKind::San(_) | TokenKind::Unreadable if self.depth == 0 => {
                    self.next = match self.next {
                        (number, Color::White) => (number, Color::Black),
                        (number, Color::Black) => (number.saturating_add(1), Color::White),
                    };
                }
                _ => {}
            }
        }
        self.is_opened = piece.tokens.last().map(|last| last.kind) == Some(TokenKind::Open);
    }

    /// Position after the moves of a piece, if all can be played.
    fn after(&self, piece: &Game) -> Option<Position> {
        let mut replay = Replay::new(piece, self.position.clone()?);
        replay.play_to_end();
        replay.stop().is_none().then(|| replay.position().clone())
    }

    /// Whether a piece continues from here. White's first move begins another game, and so does a
    /// move that is illegal here, if its number is another or it is legal at the beginning. A
    /// result is alone.
    fn go_on(&self, piece: &Game, text: &[u8]) -> bool {
        let number = piece
            .first_number(text)
            .map(|(number, dots)| (number, dots <= 1));
        if number == Some((1, true)) {
            return self.is_opened;
        }
        let plays = |position: &Position| Replay::new(piece, position.clone()).play().is_some();
        let first = piece.tokens.first().map(|first| first.kind);
        match (first, number) {
            (Some(TokenKind::Result(_) | TokenKind::NonstandardResult(_)), _) => {
                piece.tokens.len() == 1
            }
            (Some(TokenKind::San(_)), _) if self.depth > 0 => true,
            (Some(TokenKind::San(_)), _) if self.position.as_ref().is_none_or(plays) => true,
            (Some(TokenKind::San(_)), Some((number, _))) => number == self.next.0,
            (Some(TokenKind::San(_)), None) => !plays(&Position::initial()),
            _ => true,
        }
    }
}

/// Lower-case name of the tag pair with which a piece begins.
fn first_name(piece: &[u8]) -> Option<Vec<u8>> {
    let open = memchr::memchr(b'[', piece)?;
    let rest = piece[open + 1..].trim_ascii_start();
    let length = rest
        .iter()
        .take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_')
        .count();
    let (name, after) = rest.split_at(length);
    let is_pair = length > 0 && after.trim_ascii_start().starts_with(b"\"");
    is_pair.then(|| name.to_ascii_lowercase())
}

fn has_move(game: &Game) -> bool {
    let is_move = |token: &Token| matches!(token.kind, TokenKind::San(_));
    game.tokens.iter().any(is_move)
}

/// Whether the text begins with the number of White's first move.
fn begins_game(text: &[u8]) -> bool {
    matches!(text.trim_ascii_start(), [b'1', b'.', next, ..] if *next != b'.')
}

/// Whether the text certainly ends with a result mark.
fn ends_with_result(text: &[u8]) -> bool {
    let text = text.trim_ascii_end();
    let line = &text[memchr::memrchr(b'\n', text).map_or(0, |at| at + 1)..];
    let marks: [&[u8]; 4] = [b" 1-0", b" 0-1", b" 1/2-1/2", b" *"];
    marks.iter().any(|mark| line.ends_with(mark))
        && !line.starts_with(b"%")
        && memchr::memchr2(b';', b'(', line).is_none()
}
