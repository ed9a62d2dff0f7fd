//! The content of one game's text.

use std::borrow::Cow;

use crate::notation::{Fallback, LetterSet, Letters};
use crate::pgn::gaps::{GapItem, gap_items};
use crate::pgn::tag_name::{KnownTags, TagName};
use crate::pgn::token::{Fault, FaultKind, Span, Token, TokenKind};
use crate::pgn::values::date::PossibleDays;
use crate::pgn::values::is_unknown;
use crate::pgn::values::result::{self, ResultMark};
use crate::text::{decode, is_name_byte};

/// A tag pair such as `[White "Morphy, Paul"]`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tag {
    /// Name, trimmed.
    pub name: Span,
    /// Value between the quotes, with its escapes. Without a closing quote it ends with the line,
    /// or before the bracket that ends the line.
    pub value: Span,
    /// Whether a blank line precedes it.
    pub after_blank: bool,
    /// The known name that it is, in any case.
    pub known: Option<TagName>,
    /// Whether a known name is in the case of the PGN standard, whose names are case sensitive
    /// (7.9).
    pub usual_case: bool,
}

/// Features of the movetext that need further checks, found while reading.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Hints {
    /// A word is not a move in standard notation, even if it can be read otherwise.
    pub unread: bool,
    /// A move is in nonstandard notation, which other programs may not read.
    pub lenient: bool,
    /// A word begins with `P`.
    pub pawn_letter: bool,
    /// There are variations.
    pub variations: bool,
    /// A move number does not fit the move after it, counted from the initial position.
    pub odd_numbers: bool,
    /// There are comments after a semicolon.
    pub line_comments: bool,
    /// The game is not among the first of its text (see [`Game::EARLY_BYTES`]).
    pub late: bool,
}

/// Part of a game, cut off by a blank line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GamePart {
    /// Moves without tag pairs that begin after the first move: the first number and its place.
    FromMove(u32, Span),
    /// A result mark without tag pairs and moves, and its place.
    LoneResult(ResultMark, Span),
}

/// One game as read from its text. The buffers are reused from game to game.
///
/// ```
/// use chess_arbiter_core::pgn::TagName;
/// use chess_arbiter_core::{Reader, ResultMark};
///
/// let text = b"[White \"Morphy, Paul\"]\n\n1. e4 e5 1-0";
/// let mut reader = Reader::new();
/// let game = reader.read(text, None);
/// assert_eq!(game.text(text, TagName::White).as_deref(), Some("Morphy, Paul"));
/// assert_eq!(game.result.map(|(mark, _)| mark), Some(ResultMark::White));
/// ```
#[derive(Debug, Default)]
pub struct Game {
    /// Tag pairs, in order.
    pub tags: Vec<Tag>,
    /// Moves, variations and result marks, in order.
    pub tokens: Vec<Token>,
    /// The result mark that ends the main line.
    pub result: Option<(ResultMark, Span)>,
    /// The result that ends the main line if it is not a PGN result, such as `1/2-0`.
    pub other_result: Option<Span>,
    /// Faults of the text, by position.
    pub faults: Vec<Fault>,
    /// Number of faults of each kind, of which `faults` has not all (see [`Game::MOST_FAULTS`]).
    fault_counts: [u64; FaultKind::ALL.len()],
    /// Offset of the game, after white space and byte order marks.
    pub start: usize,
    /// Offset of the movetext.
    pub movetext: usize,
    /// Offset at which it is no longer read; `u32::MAX` if all of it is.
    pub end: u32,
    /// Blank lines inside the movetext, each from the line feed before it to the next text.
    pub blank_lines: Vec<Span>,
    /// Number of unreadable words after the result.
    pub(crate) words_after_result: usize,
    /// Features that need further checks.
    pub hints: Hints,
    /// The number before the first move, if it is not 1, and its place.
    pub first_number: Option<(u32, Span)>,
    /// Piece letters of the moves in `tokens`, if not English.
    pub letters: Option<Letters>,
    /// Letters that read more of the main line than English ones, but not all, and the number of
    /// plies read.
    pub nearly: Option<(&'static LetterSet, u32)>,
    /// Whether replays go on after an illegal move that stood: a setting of the reader.
    pub plays_illegal: bool,
    /// Whether a known name is repeated.
    pub(crate) repeats_known: bool,
    /// Number of tag pairs with unknown names.
    pub(crate) other_tags: usize,
    pub(crate) known_tags: KnownTags,
}

impl Game {
    /// Condition for reading illegal pawn moves as moves of other pieces.
    #[inline]
    pub(crate) fn fallback(&self) -> Fallback {
        match self.letters {
            Some(_) => Fallback::Never,
            None if self.hints.pawn_letter => Fallback::ShortestOnly,
            None => Fallback::Always,
        }
    }

    /// The number before the first token, and how many points follow it.
    pub fn first_number(&self, text: &[u8]) -> Option<(u32, u32)> {
        let first = self.tokens.first()?.span.start as usize;
        gap_items(text, Span::new(self.movetext, first))
            .filter_map(|item| match item {
                GapItem::Number { value, points, .. } => Some((value, points)),
                _ => None,
            })
            .last()
    }

    /// The part of a game that this is, if a blank line has cut it off.
    #[inline]
    pub fn part(&self) -> Option<GamePart> {
        if !self.tags.is_empty() {
            return None;
        }
        if let Some((number, span)) = self.first_number {
            return (number > 1).then_some(GamePart::FromMove(number, span));
        }
        let (mark, span) = self.result?;
        let moves = self.count(|kind| matches!(kind, TokenKind::San(_) | TokenKind::Unreadable));
        (moves == 0).then_some(GamePart::LoneResult(mark, span))
    }

    /// Maximum number of faults kept of one game, apart from the first of each kind; others are
    /// counted.
    const MOST_FAULTS: usize = 1_000;

    /// The values of comments are checked in games that begin in these first bytes of a text: one
    /// program wrote the rest too, and reading all of them takes twice the instructions of the
    /// other checks.
    pub(crate) const EARLY_BYTES: u64 = 1 << 18;

    /// Maximum number of moves of the main line. By the 75-move rule every game is over after
    /// 17,697 plies.
    pub(crate) const MOST_PLIES: usize = 20_000;

    /// Maximum number of tag pairs, of glyphs, comments and blank lines, and of other tokens than
    /// moves of the main line: moves of variations, parentheses, unreadable words, and tokens after
    /// the result.
    pub(crate) const MOST_ASIDE: usize = 1 << 18;

    /// Empties the game, but keeps its buffers.
    pub(crate) fn clear(&mut self) {
        fn cleared<T>(buffer: &mut Vec<T>) -> Vec<T> {
            buffer.clear();
            std::mem::take(buffer)
        }
        *self = Game {
            tags: cleared(&mut self.tags),
            tokens: cleared(&mut self.tokens),
            faults: cleared(&mut self.faults),
            blank_lines: cleared(&mut self.blank_lines),
            end: u32::MAX,
            plays_illegal: self.plays_illegal,
            ..Game::default()
        };
    }

    /// Whether no feature of the text needs a second pass.
    pub fn is_plain(&self) -> bool {
        self.faults.is_empty() && !self.hints.unread
    }

    /// Adds a tag pair; `known` is its known name, and whether that is in the usual case.
    #[inline]
    pub(crate) fn push_tag(
        &mut self,
        name: Span,
        known: Option<(TagName, bool)>,
        value: Span,
        after_blank: bool,
    ) {
        if self.tags.len() >= Game::MOST_ASIDE {
            self.fault_once(FaultKind::TooLong, name);
            return;
        }
        match known {
            Some((known, _)) => {
                self.repeats_known |= self.known_tags.add(known, self.tags.len());
            }
            None => self.other_tags += 1,
        }
        self.tags.push(Tag {
            name,
            value,
            after_blank,
            known: known.map(|(known, _)| known),
            usual_case: known.is_none_or(|(_, usual_case)| usual_case),
        });
    }

    pub(crate) fn fault(&mut self, kind: FaultKind, span: Span) {
        // The first of each kind is always kept, so that many of one kind hide no other.
        if self.faults.len() < Game::MOST_FAULTS || !self.has_fault(kind) {
            self.faults.push(Fault { kind, span });
        }
        self.fault_counts[kind as usize] += 1;
    }

    /// Adds a fault unless there is one of its kind.
    pub(crate) fn fault_once(&mut self, kind: FaultKind, span: Span) {
        if !self.has_fault(kind) {
            self.fault(kind, span);
        }
    }

    /// Whether there is a fault of a kind.
    #[inline]
    pub fn has_fault(&self, kind: FaultKind) -> bool {
        self.fault_counts[kind as usize] > 0
    }

    /// Drops the `unwanted` faults of a kind.
    pub(crate) fn drop_faults(&mut self, kind: FaultKind, unwanted: impl Fn(Span) -> bool) {
        if self.has_fault(kind) {
            let before = self.faults.len();
            self.faults
                .retain(|fault| fault.kind != kind || !unwanted(fault.span));
            self.fault_counts[kind as usize] -= (before - self.faults.len()) as u64;
        }
    }

    /// Number of faults of a kind that are counted but not kept.
    pub(crate) fn more_faults(&self, kind: FaultKind) -> u64 {
        let kept = self.faults.iter().filter(|fault| fault.kind == kind);
        self.fault_counts[kind as usize] - kept.count() as u64
    }

    /// The first tag of a known name, in any case.
    #[inline]
    pub fn known(&self, name: TagName) -> Option<Tag> {
        Some(self.tags[self.known_tags.place(name)?])
    }

    /// Whether there is a tag of a known name, in any case.
    #[inline]
    pub(crate) fn has(&self, name: TagName) -> bool {
        self.known_tags.place(name).is_some()
    }

    /// Whether the Seven Tag Roster is complete (PGN standard 8.1.1).
    #[inline]
    pub fn has_roster(&self) -> bool {
        let roster = &TagName::ALL[..TagName::ROSTER];
        roster.iter().all(|&name| self.has(name))
    }

    /// The first tag of a name, in any case. `text` is the game's text.
    pub fn tag(&self, text: &[u8], name: &str) -> Option<Tag> {
        let (name, mut tags) = (name.as_bytes(), self.tags.iter().copied());
        tags.find(|tag| {
            tag.name.range().len() == name.len() && tag.name.of(text).eq_ignore_ascii_case(name)
        })
    }

    /// Value of the first tag of a known name, if it says anything.
    pub fn text<'a>(&self, text: &'a [u8], name: TagName) -> Option<Cow<'a, str>> {
        self.known(name)?.known_text(text)
    }

    /// The days on which the game may have been played, and the value of the tag that says so: the
    /// first of `Date`, `UTCDate` and `EventDate` with a year.
    pub fn possible_days<'a>(&self, text: &'a [u8]) -> Option<(PossibleDays, Cow<'a, [u8]>)> {
        let mut tags = [TagName::Date, TagName::UtcDate, TagName::EventDate].into_iter();
        tags.find_map(|name| {
            let value = self.known(name)?.unescape(text);
            Some((PossibleDays::read(&value)?, value))
        })
    }

    /// The `Result` tag, if it says anything. `-` may be half of a result.
    pub fn result_tag(&self, text: &[u8]) -> Option<Tag> {
        self.known(TagName::Result)
            .filter(|tag| !matches!(tag.value.of(text).trim_ascii(), b"" | b"?"))
    }

    /// Whether the text has neither a tag pair nor a move nor a result.
    pub fn is_empty(&self) -> bool {
        self.tags.is_empty() && !self.is_over() && self.moves() == 0
    }

    /// Number of moves, those of variations included.
    fn moves(&self) -> usize {
        self.count(|kind| matches!(kind, TokenKind::San(_)))
    }

    /// Number of unreadable words.
    pub(crate) fn words(&self) -> usize {
        self.count(|kind| kind == TokenKind::Unreadable) + self.words_after_result
    }

    fn count(&self, is_counted: impl Fn(TokenKind) -> bool) -> usize {
        let counted = self.tokens.iter().filter(|token| is_counted(token.kind));
        counted.count()
    }

    /// Whether the text is not PGN: it has no tag pair, and far more unreadable words than moves.
    pub(crate) fn is_gibberish(&self, text: &[u8]) -> bool {
        if self.has_named_tag(text) {
            return false;
        }
        let none = !self.is_over() && self.moves() == 0;
        let is_odd = self.words() > 0 || !self.tags.is_empty() || !self.faults.is_empty();
        none && is_odd || self.is_mostly_words()
    }

    /// Whether there is no game: the text is empty, or it has no tag pair and is not movetext, as
    /// it has more unreadable words than moves, or neither begins nor ends as movetext does. A
    /// comment that is not closed may hold a game.
    pub fn is_unreadable(&self, text: &[u8]) -> bool {
        let is_movetext = || {
            let (moves, words) = (self.moves(), self.words());
            // In other letters than English one illegal move leaves all words unread.
            let legal = self.nearly.map_or(0, |(_, plies)| plies as usize);
            let first = self.tokens.first();
            let begins_as_movetext = first.is_some_and(|it| it.kind != TokenKind::Unreadable)
                || self.first_number(text).is_some();
            (self.is_over() || begins_as_movetext) && (words <= moves || moves + words <= 2 * legal)
        };
        if self.is_empty() {
            return self.words() > 0 || !self.has_fault(FaultKind::UnclosedComment);
        }
        !self.faults.is_empty() && !self.has_named_tag(text) && !is_movetext()
    }

    /// Offset from which the annotations of a token are read: its end, or the first `!` or `?` in
    /// it, as in `Bxf7!+`.
    #[inline]
    pub fn annotations_from(&self, text: &[u8], token: Span) -> usize {
        if !self.hints.lenient {
            return token.end as usize;
        }
        let mark = memchr::memchr2(b'!', b'?', token.of(text));
        mark.map_or(token.end as usize, |mark| token.start as usize + mark)
    }

    /// The text between a place in or after a token and the next token.
    pub fn gap_after(&self, at: usize) -> Span {
        let tokens = &self.tokens;
        let next = tokens.partition_point(|token| (token.span.start as usize) < at);
        let end = tokens.get(next).map_or(self.end, |next| next.span.start);
        Span::new(at, end as usize)
    }

    /// Whether there are far more unreadable words than moves.
    pub(crate) fn is_mostly_words(&self) -> bool {
        const FEW: usize = 8;
        let words = self.words();
        words >= FEW && words >= 2 * self.moves()
    }

    /// Whether a tag pair has a name, known or not.
    pub(crate) fn has_named_tag(&self, text: &[u8]) -> bool {
        self.tags.iter().any(|tag| {
            let name = tag.name.of(text);
            tag.known.is_some() || !name.is_empty() && name.iter().copied().all(is_name_byte)
        })
    }

    /// Whether a result ends the main line.
    #[inline]
    pub(crate) fn is_over(&self) -> bool {
        self.result.is_some() || self.other_result.is_some()
    }

    /// Recorded result: that of the `Result` tag or, if it is missing, empty or `?`, the mark that
    /// ends the movetext. Nonstandard spellings such as `1:0` are read too.
    ///
    /// # Errors
    ///
    /// The span of any other result, such as `0-0`.
    pub fn recorded_result(&self, text: &[u8]) -> Result<Option<ResultMark>, Span> {
        match self.result_tag(text) {
            Some(tag) => {
                let said = result::read(&tag.unescape(text)).value;
                said.map(Some).ok_or(tag.value)
            }
            None => match (self.result, self.other_result) {
                (None, Some(other)) => Err(other),
                (result, _) => Ok(result.map(|(mark, _)| mark)),
            },
        }
    }
}

impl Tag {
    /// Value as characters, with its escapes resolved.
    pub fn text(self, text: &[u8]) -> Cow<'_, str> {
        match self.unescape(text) {
            Cow::Borrowed(bytes) => decode(bytes),
            Cow::Owned(bytes) => Cow::Owned(decode(&bytes).into_owned()),
        }
    }

    /// Value as trimmed characters, if it says anything.
    pub fn known_text(self, text: &[u8]) -> Option<Cow<'_, str>> {
        if is_unknown(self.value.of(text)) {
            return None;
        }
        Some(match self.text(text) {
            Cow::Borrowed(value) => Cow::Borrowed(value.trim()),
            Cow::Owned(value) => Cow::Owned(value.trim().to_owned()),
        })
    }

    /// Value with `\"` and `\\` unescaped (PGN standard 7).
    pub fn unescape(self, text: &[u8]) -> Cow<'_, [u8]> {
        let raw = self.value.of(text);
        if memchr::memchr(b'\\', raw).is_none() {
            return Cow::Borrowed(raw);
        }
        let mut value = Vec::with_capacity(raw.len());
        let mut bytes = raw.iter().copied().peekable();
        while let Some(byte) = bytes.next() {
            match (byte, bytes.peek()) {
                (b'\\', Some(&next @ (b'\\' | b'"'))) => {
                    value.push(next);
                    bytes.next();
                }
                _ => value.push(byte),
            }
        }
        Cow::Owned(value)
    }
}
