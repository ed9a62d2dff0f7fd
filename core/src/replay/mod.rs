//! [`Game`] → positions. It cannot fail: it plays what can be played and says where and why it
//! stopped.

mod game_key;
mod line_hash;
mod ply_point;
mod reader;
mod start;
mod walk;

use std::ops::ControlFlow;

use crate::chess::san::{San, SanPlus, Suffix};
use crate::chess::{Move, Position, Role, SanError};
use crate::notation::{Fallback, lenient};
use crate::pgn::{Fault, FaultKind, Game, Span, Token, TokenKind};

pub use game_key::{GameKey, PlayerHashes, When, address};
pub use line_hash::{LineHash, mix, of_text};
pub use ply_point::PlyPoint;
pub use reader::Reader;
pub use start::Start;
pub(crate) use start::{StartFault, Variant};
pub use walk::{Event, Unread, Walk};

/// A move that has been played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ply {
    /// Which ply of the game it is, from 1.
    pub number: u32,
    /// The move.
    pub mv: Move,
    /// The token it was read from.
    pub token: Token,
}

/// The point at which a replay ended before the game's last move, and the reason.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stop {
    /// The ply that could not be played, from 1.
    pub ply: u32,
    /// The token at that point.
    pub token: Token,
    /// Why it cannot be played.
    pub reason: StopReason,
}

/// Why a move could not be played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StopReason {
    /// The notation names no single legal move.
    Illegal(SanPlus, SanError),
    /// The text is no notation of a move.
    Unreadable,
}

impl StopReason {
    /// The reason in one word, if the notation is one of a move.
    pub fn word(&self) -> Option<&'static str> {
        match self {
            StopReason::Illegal(_, error) => Some(error.word()),
            StopReason::Unreadable => None,
        }
    }
}

/// Fault that keeps a replay from the game's last move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cut {
    /// A move that cannot be played.
    Move(Stop),
    /// Text that is not part of the main line: an unclosed comment or variation, moves after the
    /// result.
    Text(Fault),
}

impl Cut {
    /// The move at which the game stopped.
    pub fn stop(&self) -> Option<&Stop> {
        match self {
            Cut::Move(stop) => Some(stop),
            Cut::Text(_) => None,
        }
    }

    /// The fault of a game that stopped there, if it stopped.
    pub fn of(game: &Game, stop: Option<Stop>) -> Option<Cut> {
        let is_cut = |fault: &&Fault| {
            matches!(
                fault.kind,
                FaultKind::UnclosedComment
                    | FaultKind::UnclosedVariation
                    | FaultKind::TagInComment
                    | FaultKind::AfterResult
                    | FaultKind::TooLong
            )
        };
        match stop {
            Some(stop) => Some(Cut::Move(stop)),
            None => game.faults.iter().find(is_cut).copied().map(Cut::Text),
        }
    }

    /// The position in the game's text.
    pub(crate) fn span(&self) -> Span {
        match self {
            Cut::Move(stop) => stop.token.span,
            Cut::Text(fault) => fault.span,
        }
    }
}

/// Plays the main line of a game, move by move. A clone goes on from where the other is.
///
/// ```
/// use chess_arbiter_core::{Position, Reader, Replay};
///
/// let mut reader = Reader::new();
/// let mut replay = Replay::new(reader.read(b"1. e4 e5 2. Nf3 *", None), Position::initial());
/// replay.play_to_end();
/// assert_eq!((replay.plies(), replay.stop()), (3, None));
/// ```
#[derive(Clone, Debug)]
pub struct Replay<'a> {
    tokens: std::slice::Iter<'a, Token>,
    position: Position,
    /// The position before the last move, if its notation names a file or rank, or is illegal in
    /// its first reading. Kept on request only.
    before: Option<Position>,
    keeps_before: bool,
    plies: u32,
    stop: Option<Stop>,
    fallback: Fallback,
    null_moves: bool,
    /// The tokens of the game, if it goes on after illegal moves that stood.
    answers: Option<&'a [Token]>,
    /// The illegal moves that have been played.
    illegal: Vec<Stop>,
    /// Whether the notation of a move played so far needs a check: its check, mate or capture mark
    /// is wrong, its capture mark is missing, it pushes a pawn of a named file, it was illegal in
    /// the first reading of its notation (see [`lenient::fallback_move`]) or is illegal, or it is a
    /// null move.
    pub(crate) slips: bool,
}

/// Maximum number of consecutive illegal moves that are played.
const MOST_ILLEGAL_IN_A_ROW: usize = 16;

impl<'a> Replay<'a> {
    /// Begins at a position, before the first move.
    pub fn new(game: &'a Game, start: Position) -> Replay<'a> {
        Replay {
            answers: game.plays_illegal.then_some(&*game.tokens),
            ..Replay::over(&game.tokens, start, game.fallback())
        }
    }

    /// Plays a list of tokens.
    pub(crate) fn over(tokens: &'a [Token], start: Position, fallback: Fallback) -> Replay<'a> {
        Replay {
            tokens: tokens.iter(),
            position: start,
            before: None,
            keeps_before: false,
            plies: 0,
            stop: None,
            fallback,
            null_moves: false,
            answers: None,
            illegal: Vec::new(),
            slips: false,
        }
    }

    /// Passes where the text has a null move, instead of stopping there. A pass counts as a ply and
    /// is not handed out.
    #[must_use]
    pub fn with_null_moves(self, null_moves: bool) -> Replay<'a> {
        Replay { null_moves, ..self }
    }

    /// Keeps what the shortest notation of the last move depends on.
    #[must_use]
    pub fn with_notation(self) -> Replay<'a> {
        Replay {
            keeps_before: true,
            ..self
        }
    }

    /// The position after the moves played so far.
    #[inline]
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// How many moves have been played.
    #[inline]
    pub fn plies(&self) -> u32 {
        self.plies
    }

    /// Why no further move could be played; nothing while there are moves, and nothing if all have
    /// been played.
    pub fn stop(&self) -> Option<Stop> {
        self.stop
    }

    /// The illegal moves that have been played, as they stood: the opponent answered them (FIDE
    /// Laws 2023 art. A.5.2 and B.4).
    pub(crate) fn illegal_moves(&self) -> &[Stop] {
        &self.illegal
    }

    /// The last move, if it is illegal.
    #[inline]
    pub fn last_illegal(&self) -> Option<&Stop> {
        self.illegal.last().filter(|stop| stop.ply == self.plies)
    }

    /// Plays the next move of the main line.
    #[inline(always)]
    pub fn play(&mut self) -> Option<Ply> {
        let (token, mv) = self.step()?;
        Some(Ply {
            number: self.plies,
            mv,
            token: *token,
        })
    }

    /// Plays all moves that are left.
    pub fn play_to_end(&mut self) {
        while self.step().is_some() {}
    }

    /// Plays all moves that are left, and passes each with the replay after it to `visit`.
    #[inline]
    pub fn each(&mut self, mut visit: impl FnMut(&Replay<'a>, Ply)) {
        while let Some(ply) = self.play() {
            visit(self, ply);
        }
    }

    /// The last move, `mv`, in its shortest notation, of a replay [`Replay::with_notation`].
    #[inline]
    pub fn shortest_san(&self, mv: Move) -> San {
        match &self.before {
            None => San::without_origin(mv),
            Some(before) => San::of(before, mv),
        }
    }

    /// Whether `text` has the last move as the export format has it: no file or rank without need,
    /// every mark, and no letter or sign that only import allows. "No" is not certain; "yes" holds
    /// unless [`Replay::slips`] is set.
    #[inline]
    pub(crate) fn is_in_export_form(&self, token: &Token, mv: Move, text: &[u8]) -> bool {
        let (after, word) = (&self.position, || token.span.of(text));
        let TokenKind::San(plus) = &token.kind else {
            return false;
        };
        let is_marked = match plus.suffix {
            None => !after.is_check(),
            Some(Suffix::Check) => after.has_legal_move(),
            Some(Suffix::Checkmate) => true,
        };
        // A pawn may be named, castling written with zeros, and a promotion with a small letter.
        is_marked
            && match &plus.san {
                San::Piece(piece) if piece.role != Role::Pawn => {
                    self.before.is_none() || self.shortest_san(mv) == plus.san
                }
                San::Piece(pawn) => {
                    pawn.rank.is_none()
                        && word().first() != Some(&b'P')
                        && (pawn.promotion.is_none()
                            || pawn.file.is_some() == pawn.capture
                                && !word()[2..].iter().any(|byte| b"qrbn".contains(byte)))
                }
                _ => word().first() == Some(&b'O'),
            }
    }

    /// Plays the next move of the main line, and returns it with its token.
    #[inline(always)]
    pub(crate) fn step(&mut self) -> Option<(&'a Token, Move)> {
        loop {
            let token = self.tokens.next()?;
            let TokenKind::San(plus) = &token.kind else {
                if self.pass(token) {
                    continue;
                }
                return None;
            };
            // Written without a file or rank, it was no other piece's move. With one, the position
            // must say whether that is needed.
            if self.keeps_before {
                self.before = None;
                if plus.san.names_origin() {
                    self.keep_before();
                }
            }
            let Some((mv, as_marked)) = self.position.play_san(&plus.san) else {
                match self.play_otherwise(token, plus) {
                    ControlFlow::Break(mv) => return Some((token, mv?)),
                    ControlFlow::Continue(()) => continue,
                }
            };
            self.plies += 1;
            self.slips |= !as_marked;
            if let Some(suffix) = plus.suffix {
                self.slips |= !is_true(suffix, &self.position);
            }
            return Some((token, mv));
        }
    }

    #[inline(never)]
    fn keep_before(&mut self) {
        self.before = Some(self.position.clone());
    }

    /// Skips a token other than a move, unless play ends there.
    #[inline(never)]
    fn pass(&mut self, token: &Token) -> bool {
        match token.kind {
            TokenKind::Open => self.skip_variation(),
            // A stray one, which the reader has reported.
            TokenKind::San(_) | TokenKind::Close => {}
            TokenKind::Unreadable => {
                self.stop_at(token, StopReason::Unreadable);
                return false;
            }
            TokenKind::Result(_) | TokenKind::NonstandardResult(_) => {
                self.tokens = [].iter();
                return false;
            }
        }
        true
    }

    #[cold]
    fn stop_at(&mut self, token: &Token, reason: StopReason) {
        self.tokens = [].iter();
        self.stop = Some(Stop {
            ply: self.plies + 1,
            token: *token,
            reason,
        });
    }

    /// Plays what is no legal move at first sight. Breaks with the move, or with nothing if the
    /// replay ends there.
    #[cold]
    #[inline(never)]
    fn play_otherwise(&mut self, token: &Token, plus: &SanPlus) -> ControlFlow<Option<Move>> {
        let before = self.position.clone();
        let flow = if let Some(mv) = fallback_move(token, plus, &before, self.fallback) {
            self.position.play_unchecked(mv);
            ControlFlow::Break(Some(mv))
        } else if self.null_moves
            && plus.san == San::Null
            && let Some(next) = before.after_null_move()
        {
            self.position = next;
            ControlFlow::Continue(())
        } else {
            let why = plus.san.why_not(&before);
            let reason = StopReason::Illegal(*plus, why);
            let Some(mv) = self.illegal_move(token, plus, &why) else {
                self.stop_at(token, reason);
                return ControlFlow::Break(None);
            };
            self.illegal.push(Stop {
                ply: self.plies + 1,
                token: *token,
                reason,
            });
            self.position.play_unchecked(mv);
            ControlFlow::Break(Some(mv))
        };
        self.before = Some(before);
        self.slips = true;
        self.plies += 1;
        flow
    }

    /// The move of an illegal notation if it stood: the opponent answered it, and not by capturing
    /// the king. So a king is left in check only until the next move.
    fn illegal_move(&self, token: &Token, plus: &SanPlus, why: &SanError) -> Option<Move> {
        let is_before = |it: &Token| it.span.start <= token.span.start;
        let tokens = self.answers?;
        let answers = &tokens[tokens.partition_point(is_before)..];
        let mv = plus.san.illegal_move(&self.position, why)?;
        let mut position = self.position.after(mv);
        for token in main_line_of(answers).take(MOST_ILLEGAL_IN_A_ROW) {
            let TokenKind::San(plus) = &token.kind else {
                return None;
            };
            let answer = plus.san.find(&position);
            let answer = answer.or_else(|| fallback_move(token, plus, &position, self.fallback));
            if let Some(answer) = answer {
                return (answer.captured != Some(Role::King)).then_some(mv);
            }
            let why = plus.san.why_not(&position);
            position.play_unchecked(plus.san.illegal_move(&position, &why)?);
        }
        None
    }

    fn skip_variation(&mut self) {
        let mut depth = 1;
        for token in self.tokens.by_ref() {
            match token.kind {
                TokenKind::Open => depth += 1,
                TokenKind::Close => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                break;
            }
        }
    }
}

/// The moves of the main line, readable or not.
pub fn main_line(game: &Game) -> impl Iterator<Item = &Token> {
    main_line_of(&game.tokens)
}

/// Number of moves in the main line, legal or not.
pub fn plies(game: &Game) -> u32 {
    let is_move = |token: &&Token| matches!(token.kind, TokenKind::San(_));
    main_line(game).filter(is_move).count() as u32
}

fn main_line_of(tokens: &[Token]) -> impl Iterator<Item = &Token> {
    let mut depth = 0_u32;
    let mut over = false;
    tokens.iter().filter(move |token| {
        match token.kind {
            TokenKind::Open => depth += 1,
            TokenKind::Close => depth = depth.saturating_sub(1),
            TokenKind::Result(_) | TokenKind::NonstandardResult(_) => over |= depth == 0,
            TokenKind::San(_) | TokenKind::Unreadable => return depth == 0 && !over,
        }
        false
    })
}

/// Whether a mark of check or mate is true of the position that the move leads to.
#[inline(never)]
fn is_true(suffix: Suffix, after: &Position) -> bool {
    after.is_check() && (suffix == Suffix::Check || !after.has_legal_move())
}

/// The move of a notation whose first reading is illegal; see [`lenient::fallback_move`].
#[cold]
pub(crate) fn fallback_move(
    token: &Token,
    plus: &SanPlus,
    position: &Position,
    fallback: Fallback,
) -> Option<Move> {
    let length = (token.span.end - token.span.start) as usize;
    let mark = usize::from(plus.suffix.is_some());
    let as_written = lenient::pawn_move_length(plus.san) == length.saturating_sub(mark);
    let may_have = match fallback {
        Fallback::Never => false,
        Fallback::ShortestOnly => as_written,
        Fallback::Always => true,
    };
    may_have
        .then(|| lenient::fallback_move(plus.san, position))
        .flatten()
}
