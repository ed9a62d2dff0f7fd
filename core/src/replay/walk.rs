//! The main line and the variations of a game, in the order of the text, each move in its own
//! position.

use crate::chess::{Position, Role, SanError};
use crate::pgn::{Game, Token, TokenKind};
use crate::replay::{Ply, Replay, Stop, StopReason};

/// An event of a walk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event {
    /// A move has been played; [`Walk::before`] and `Walk::position` are the positions around it.
    Ply(Ply),
    /// The side to move has passed (`--`), which counts as a ply.
    Pass {
        /// Which ply it is, from 1.
        number: u32,
        /// The token.
        token: Token,
    },
    /// A variation begins, in the position before the last move of the line it interrupts.
    Begin(Token),
    /// The variation ends, and the line it interrupted goes on.
    End(Token),
    /// The line cannot be played further. The rest of it, with what is nested in that, is passed
    /// over; if it is the main line, this is the last event.
    Stop(Stop),
    /// A variation is passed over with all that is in it; the token is its `(`.
    Unread(Token, Unread),
}

/// Why a variation is passed over.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Unread {
    /// No move has been played that it could replace.
    ReplacesNothing,
    /// It is nested deeper than [`Walk::DEEPEST`].
    TooDeep,
}

/// Walks through a game with its variations, to any depth without recursion.
///
/// A variation begins before the last move played in the line around it (PGN standard 8.2.5).
/// Memory grows with the depth, up to [`Walk::DEEPEST`] positions, and not with the length of the
/// game.
#[derive(Debug)]
pub struct Walk<'a> {
    tokens: std::slice::Iter<'a, Token>,
    /// The present line, which gets its tokens one at a time. It knows the position before its last
    /// move, if it has one.
    line: Replay<'a>,
    /// The lines around it, the main line first.
    around: Vec<Replay<'a>>,
    /// How many parentheses are open in what is passed over.
    skipped: usize,
    done: bool,
}

impl<'a> Walk<'a> {
    /// Variations nested deeper than this are passed over. Real annotations have five levels, or
    /// ten.
    pub const DEEPEST: usize = 256;

    /// Begins at a position, before the first move.
    pub fn new(game: &'a Game, start: Position) -> Walk<'a> {
        Walk {
            tokens: game.tokens.iter(),
            line: Replay {
                tokens: [].iter(),
                ..Replay::new(game, start).with_notation()
            },
            around: Vec::new(),
            skipped: 0,
            done: false,
        }
    }

    /// Passes where the main line has a null move, as it does in variations, instead of stopping
    /// there.
    #[must_use]
    pub(crate) fn with_null_moves(self, null_moves: bool) -> Walk<'a> {
        let line = self.line.with_null_moves(null_moves);
        Walk { line, ..self }
    }

    /// The position reached in the present line.
    #[inline]
    pub fn position(&self) -> &Position {
        &self.line.position
    }

    /// The position before the last move of the present line; nothing before its first move.
    #[inline]
    pub fn before(&self) -> Option<&Position> {
        self.line.before.as_ref()
    }

    /// The last move of the present line, if it is illegal.
    #[inline]
    pub fn last_illegal(&self) -> Option<&Stop> {
        self.line.last_illegal()
    }

    /// Whether the variation that has just begun has no moves.
    pub fn begins_empty(&self) -> bool {
        let next = self.tokens.as_slice().first();
        next.is_none_or(|token| token.kind == TokenKind::Close)
    }

    /// How deep the present line is nested; 0 is the main line.
    #[inline]
    pub fn depth(&self) -> usize {
        self.around.len()
    }

    fn open(&mut self, token: Token) -> Event {
        let unread = match self.line.before.clone() {
            None => Unread::ReplacesNothing,
            Some(_) if self.around.len() == Walk::DEEPEST => Unread::TooDeep,
            Some(before) => {
                let variation = Replay {
                    plies: self.line.plies - 1,
                    ..Replay::over(&[], before, self.line.fallback)
                        .with_notation()
                        .with_null_moves(true)
                };
                self.around
                    .push(std::mem::replace(&mut self.line, variation));
                return Event::Begin(token);
            }
        };
        self.skipped = 1;
        Event::Unread(token, unread)
    }

    /// Plays the token of a move.
    fn play(&mut self, token: &'a Token) -> Event {
        let before = self.line.position.clone();
        self.line.tokens = std::slice::from_ref(token).iter();
        let ply = self.line.play();
        // A variation may begin where an illegal move has left a king in check.
        if let TokenKind::San(plus) = token.kind
            && ply.is_some_and(|ply| ply.mv.captured == Some(Role::King))
        {
            self.line.plies -= 1;
            self.line.position.clone_from(&before);
            let reason = StopReason::Illegal(plus, SanError::KingCapture);
            self.line.stop_at(token, reason);
        }
        if let Some(stop) = self.line.stop {
            self.done = self.around.is_empty();
            return Event::Stop(stop);
        }
        self.line.before = Some(before);
        match ply {
            Some(ply) => Event::Ply(ply),
            None => Event::Pass {
                number: self.line.plies,
                token: *token,
            },
        }
    }
}

impl Iterator for Walk<'_> {
    type Item = Event;

    fn next(&mut self) -> Option<Event> {
        while !self.done {
            let Some(token) = self.tokens.next() else {
                self.done = true;
                break;
            };
            let unread = self.skipped > 0 || self.line.stop.is_some();
            match &token.kind {
                TokenKind::Open if unread => self.skipped += 1,
                TokenKind::Open => return Some(self.open(*token)),
                TokenKind::Close if self.skipped > 0 => self.skipped -= 1,
                TokenKind::Close => {
                    // A stray one closes nothing.
                    if let Some(line) = self.around.pop() {
                        self.line = line;
                        return Some(Event::End(*token));
                    }
                }
                TokenKind::Result(_) | TokenKind::NonstandardResult(_)
                    if self.around.is_empty() && self.skipped == 0 =>
                {
                    self.done = true;
                }
                TokenKind::San(_) | TokenKind::Unreadable if !unread => {
                    return Some(self.play(token));
                }
                TokenKind::San(_)
                | TokenKind::Unreadable
                | TokenKind::Result(_)
                | TokenKind::NonstandardResult(_) => {}
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::replay::Reader;

    /// The walk in words: UCI moves with their ply, parentheses, and what stops it.
    fn story(text: &str) -> String {
        let mut reader = Reader::new();
        let game = reader.read(text.as_bytes(), None);
        let mut walk = Walk::new(game, Position::initial());
        let mut story = Vec::new();
        while let Some(event) = walk.next() {
            story.push(match event {
                Event::Ply(ply) => {
                    let mode = walk.position().castling_mode();
                    let before = walk.before().unwrap();
                    assert_eq!(&before.after(ply.mv), walk.position());
                    format!("{}:{}", ply.number, ply.mv.uci(mode))
                }
                Event::Pass { number, .. } => format!("{number}:pass"),
                Event::Begin(_) => "(".to_owned(),
                Event::End(_) => ")".to_owned(),
                Event::Stop(stop) => format!("{}:stop", stop.ply),
                Event::Unread(_, why) => format!("{why:?}"),
            });
        }
        assert_eq!(walk.depth(), 0, "{text}");
        story.join(" ")
    }

    fn check(text: &str, expected: &str) {
        assert_eq!(story(text), expected, "{text}");
    }

    #[test]
    fn a_variation_replaces_the_move_before_it() {
        check(
            "1. e4 e5 (1... c5 2. Nf3 (2. c3) 2... d6) (1... e6) 2. Nf3 *",
            "1:e2e4 2:e7e5 ( 2:c7c5 3:g1f3 ( 3:c2c3 ) 4:d7d6 ) ( 2:e7e6 ) 3:g1f3",
        );
        check(
            "1. e4 (1. d4 d5) 1... e5 *",
            "1:e2e4 ( 1:d2d4 2:d7d5 ) 2:e7e5",
        );
    }

    #[test]
    fn a_fault_costs_the_rest_of_its_variation_only() {
        check(
            "1. e4 e5 (1... Nd4 2. Nf3 (2. d4) 2... d6) 2. Nf3 (2. Qx9 Nc6) 2... Nc6 *",
            "1:e2e4 2:e7e5 ( 2:stop ) 3:g1f3 ( 3:stop ) 4:b8c6",
        );
        check("1. e4 Ke6 (1... e5) 2. d4 *", "1:e2e4 2:stop");
    }

    #[test]
    fn variations_that_replace_nothing_are_passed_over() {
        check("(1. e4) 1. d4 *", "ReplacesNothing 1:d2d4");
        check(
            "1. d4 ((1. c4) 1. e4) *",
            "1:d2d4 ( ReplacesNothing 1:e2e4 )",
        );
        check("1. d4 ) 1... d5 *", "1:d2d4 2:d7d5");
    }

    #[test]
    fn passing_is_for_variations() {
        check(
            "1. e4 e5 (1... -- 2. d4) 2. d4 *",
            "1:e2e4 2:e7e5 ( 2:pass 3:d2d4 ) 3:d2d4",
        );
        check("1. e4 -- 2. d4 *", "1:e2e4 2:stop");
        check(
            "1. e4 e5 2. Qh5 Nc6 3. Qxf7+ (3. Nf3) 3... Kxf7 (3... --) *",
            "1:e2e4 2:e7e5 3:d1h5 4:b8c6 5:h5f7 ( 5:g1f3 ) 6:e8f7 ( 6:stop )",
        );
    }

    #[test]
    fn nesting_has_an_end() {
        let depth = 50_000;
        let text = format!(
            "1. e4 {}{} e5 *",
            "(1. d4 ".repeat(depth),
            ")".repeat(depth)
        );
        let story = story(&text);
        assert_eq!(story.matches('(').count(), Walk::DEEPEST);
        assert_eq!(story.matches("TooDeep").count(), 1);
        assert!(story.ends_with("2:e7e5"));
    }
}
