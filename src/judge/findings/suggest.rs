//! "Did you mean": the single edit of a game that makes the rest of it legal.
//!
//! An edit is judged by replaying all that follows. One is named only if it stands out: it is nearer to what is written
//! than any other edit that works, and enough moves follow to bear it out.

use std::fmt;

use super::label;
use crate::pgn::{Game, Token, TokenKind};
use crate::replay::{Stop, second_reading};
use crate::rules::san::SanPlus;
use crate::rules::{Color, Move, Position};

/// One word of the main line.
#[derive(Clone, Copy, Debug)]
struct Word<'a> {
    token: Token,
    /// What is written.
    text: &'a [u8],
    /// Whether the letters are English.
    english: bool,
}

impl Word<'_> {
    /// The legal move it names in a position.
    fn to_move(self, position: &Position) -> Option<Move> {
        let TokenKind::San(plus) = self.token.kind else {
            return None;
        };
        let first = plus.san.to_move(position).ok();
        first.or_else(|| second_reading(&self.token, &plus, position, self.english))
    }
}

/// Plies that are played at most for one suggestion: some tenths of a millisecond.
const BUDGET: u32 = 10_000;
/// In a longer game nothing is looked for: the longest that was ever played in a tournament has 538 plies.
const LONGEST: usize = 4_000;
/// Plies that must follow an edit to bear it out.
const LEAST_REST: usize = 4;
/// Plies that must follow where a move is missing, as almost any move fits a gap.
const LEAST_REST_OF_GAP: usize = 10;
/// How many plies before the fault the slip may be.
const FARTHEST_BACK: usize = 12;
/// Edits of single letters, at most, between what is written and what was meant.
const FARTHEST: usize = 2;

/// Looks for the edit of a game that makes it legal from the move on at which its replay stopped, and puts it as a
/// question for the help line.
pub(super) fn did_you_mean(
    game: &Game,
    text: &[u8],
    start: &Position,
    stop: &Stop,
) -> Option<String> {
    if game.tokens.len() > LONGEST {
        return None;
    }
    let mut depth = 0_u32;
    let mut words = Vec::new();
    let mut at_stop = None;
    for token in &game.tokens {
        match token.kind {
            TokenKind::Open => {
                depth += 1;
                continue;
            }
            TokenKind::Close => {
                depth = depth.saturating_sub(1);
                continue;
            }
            _ if depth > 0 => continue,
            TokenKind::Result(_) | TokenKind::OddResult(_) => break,
            TokenKind::San(_) | TokenKind::Unreadable => {}
        }
        if token.span == stop.token.span {
            at_stop = Some(words.len());
        }
        words.push(Word {
            token: *token,
            text: token.span.of(text),
            english: game.letters.is_none(),
        });
    }
    nearest(start, &words, at_stop?)
}

/// Looks for the edit of `words`, played from `start` on, that makes everything legal from the word `stop` on, which cannot be
/// played. The answer is a question for the help line.
fn nearest(start: &Position, words: &[Word<'_>], stop: usize) -> Option<String> {
    if words.len() < stop + 1 + LEAST_REST.min(2) {
        return None;
    }
    let mut positions = vec![start.clone()];
    for word in &words[..stop] {
        let mut next = positions.last()?.clone();
        let mv = word.to_move(&next)?;
        next.play(mv);
        positions.push(next);
    }
    let mut search = Search {
        words,
        stop,
        positions,
        budget: BUDGET,
    };
    let found = search.run();
    found.filter(|_| search.budget > 0)
}

struct Search<'a> {
    words: &'a [Word<'a>],
    stop: usize,
    /// Before each word up to the one that cannot be played.
    positions: Vec<Position>,
    /// Plies that may still be played; with none left nothing is said.
    budget: u32,
}

impl Search<'_> {
    /// Tries the edits, the likeliest first. Where several of a kind work, none stands out, nor does a less likely one.
    fn run(&mut self) -> Option<String> {
        for distance in 1..=FARTHEST {
            match self.replacement(distance) {
                Single::None => {}
                found => return found.only(),
            }
            match self.earlier_replacement(distance) {
                Single::None => {}
                found => return found.only(),
            }
            if distance == 1 {
                match self.other_order() {
                    Single::None => {}
                    found => return found.only(),
                }
                if let Some(found) = self.one_too_many() {
                    return Some(found);
                }
            }
        }
        self.gap()
    }

    /// Whether everything from a word on can be played in a position.
    fn plays(&mut self, position: &Position, from: usize) -> bool {
        let words = self.words;
        self.plays_all(position, words[from..].iter())
    }

    fn plays_all<'w>(
        &mut self,
        position: &Position,
        words: impl Iterator<Item = &'w Word<'w>>,
    ) -> bool {
        let mut position = position.clone();
        for word in words {
            if self.budget == 0 {
                return false;
            }
            self.budget -= 1;
            let Some(mv) = word.to_move(&position) else {
                return false;
            };
            position.play(mv);
        }
        true
    }

    fn rest(&self, from: usize) -> usize {
        self.words.len() - from
    }

    /// The move within a distance of what is written as a word, if there is just one that makes the rest legal.
    fn replace(&mut self, nth: usize, distance: usize) -> Single<(Move, String)> {
        let before = self.positions[nth].clone();
        let written = plain(self.words[nth].text);
        let played = self.words[nth].to_move(&before);
        let mut found = Single::None;
        for mv in before.legal_moves() {
            let mut after = before.clone();
            after.play(mv);
            let san = SanPlus::of(&before, mv, &after).to_string();
            if Some(mv) != played
                && self::distance(&written, &plain(san.as_bytes())) == distance
                && self.plays(&after, nth + 1)
            {
                found = found.and((mv, san));
            }
        }
        found
    }

    fn replacement(&mut self, distance: usize) -> Single<String> {
        let rest = self.rest(self.stop + 1);
        if rest < LEAST_REST {
            return Single::None;
        }
        self.replace(self.stop, distance)
            .map(|(_, san)| format!("did you mean `{san}`? {} then legal", Remaining(rest)))
    }

    fn earlier_replacement(&mut self, distance: usize) -> Single<String> {
        let rest = self.rest(self.stop);
        if rest < LEAST_REST {
            return Single::None;
        }
        let mut found = Single::None;
        for nth in (self.stop.saturating_sub(FARTHEST_BACK)..self.stop).rev() {
            found = match self.replace(nth, distance) {
                Single::None => continue,
                Single::One((_, san)) => found.and((nth, san)),
                Single::Many => Single::Many,
            };
        }
        found.map(|(nth, san)| {
            format!(
                "did you mean {} earlier, instead of {}? {} then legal",
                self.name(nth, san.as_bytes()),
                self.name(nth, self.words[nth].text),
                Remaining(rest)
            )
        })
    }

    /// Two moves of one side, or a move and its answer, have changed places.
    fn other_order(&mut self) -> Single<String> {
        let rest = self.rest(self.stop);
        if rest < LEAST_REST {
            return Single::None;
        }
        let mut found = Single::None;
        for apart in [2, 1] {
            for one in self.stop.saturating_sub(2 * apart)..=self.stop {
                let other = one + apart;
                if other < self.stop
                    || other >= self.words.len()
                    || self.words[one].text == self.words[other].text
                {
                    continue;
                }
                let mut words = self.words[one..].to_vec();
                words.swap(0, apart);
                let before = self.positions[one].clone();
                if self.plays_all(&before, words.iter()) {
                    found = found.and((one, other));
                }
            }
        }
        found.map(|(one, other)| {
            format!(
                "did `{}` and `{}` change places? {} then legal",
                self.said(one),
                self.said(other),
                Remaining(rest)
            )
        })
    }

    /// A word stands there once more than it should, or is no move at all.
    fn one_too_many(&mut self) -> Option<String> {
        let stop = self.stop;
        let here = self.positions[stop].clone();
        let words = self.words;
        let same = |a: usize, b: usize| words[a].text == words[b].text;
        let repeats = |length: usize| {
            stop >= length
                && stop + length <= words.len()
                && (0..length).all(|nth| same(stop + nth, stop + nth - length))
        };
        for length in [2, 1] {
            if repeats(length)
                && self.rest(stop + length) >= LEAST_REST
                && self.plays(&here, stop + length)
            {
                return Some(format!(
                    "is {} there twice? without the second {} then legal",
                    if length == 1 {
                        format!("`{}`", self.said(stop))
                    } else {
                        format!("`{} {}`", self.said(stop), self.said(stop + 1))
                    },
                    Remaining(self.rest(stop + length))
                ));
            }
        }
        let needless = self.rest(stop + 1) >= LEAST_REST && self.plays(&here, stop + 1);
        needless.then(|| format!("without it {} legal", Remaining(self.rest(stop + 1))))
    }

    /// A move is missing before the one that cannot be played, or a little earlier.
    fn gap(&mut self) -> Option<String> {
        if self.rest(self.stop) < LEAST_REST_OF_GAP {
            return None;
        }
        for nth in (self.stop.saturating_sub(2)..=self.stop).rev() {
            let before = self.positions[nth].clone();
            let mut found = Single::None;
            for mv in before.legal_moves() {
                let mut after = before.clone();
                after.play(mv);
                if self.plays(&after, nth) {
                    found = found.and(SanPlus::of(&before, mv, &after).to_string());
                }
            }
            let missing = match found {
                Single::None => continue,
                Single::One(san) => format!("is {} missing", self.name(nth, san.as_bytes())),
                Single::Many => match before.turn() {
                    Color::White => "is a move of White missing".to_owned(),
                    Color::Black => "is a move of Black missing".to_owned(),
                },
            };
            return Some(format!(
                "{missing} before `{}`? {} then legal",
                self.said(nth),
                Remaining(self.rest(nth))
            ));
        }
        None
    }

    fn said(&self, nth: usize) -> String {
        super::shown(self.words[nth].text)
    }

    /// A move with its number.
    fn name(&self, nth: usize, san: &[u8]) -> String {
        format!("`{}`", label(&self.positions[nth], &super::shown(san)))
    }
}

/// What was found while looking for just one.
enum Single<T> {
    None,
    One(T),
    Many,
}

impl<T> Single<T> {
    fn and(self, more: T) -> Single<T> {
        match self {
            Single::None => Single::One(more),
            Single::One(_) | Single::Many => Single::Many,
        }
    }

    fn map<U>(self, with: impl FnOnce(T) -> U) -> Single<U> {
        match self {
            Single::None => Single::None,
            Single::One(only) => Single::One(with(only)),
            Single::Many => Single::Many,
        }
    }

    fn only(self) -> Option<T> {
        match self {
            Single::One(only) => Some(only),
            Single::None | Single::Many => None,
        }
    }
}

struct Remaining(usize);

impl fmt::Display for Remaining {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the remaining {} moves are", self.0)
    }
}

/// A move's notation without what does not tell moves apart.
fn plain(text: &[u8]) -> Vec<u8> {
    text.iter()
        .copied()
        .filter(|byte| !b"+#!?=x-:.() ".contains(byte))
        .map(|byte| if byte == b'0' { b'O' } else { byte })
        .collect()
}

/// How many letters must be replaced, left out, added or exchanged with their neighbour to turn one text into another;
/// anything beyond [`FARTHEST`] may be told as more than it is.
fn distance(a: &[u8], b: &[u8]) -> usize {
    if a.len().abs_diff(b.len()) > FARTHEST || a.len() > 16 {
        return usize::MAX;
    }
    let mut rows = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            rows[i][j] = if i == 0 || j == 0 {
                i + j
            } else {
                let differs = usize::from(a[i - 1] != b[j - 1]);
                let mut least = (rows[i - 1][j - 1] + differs)
                    .min(rows[i - 1][j] + 1)
                    .min(rows[i][j - 1] + 1);
                if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                    least = least.min(rows[i - 2][j - 2] + 1);
                }
                least
            };
        }
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::Span;

    /// The suggestion for a game in which the first word that cannot be played is the faulty one.
    fn suggestion(game: &str) -> Option<String> {
        let words: Vec<_> = game
            .split_whitespace()
            .filter(|word| !word.ends_with('.'))
            .map(|word| Word {
                token: Token {
                    kind: SanPlus::from_ascii(word.as_bytes())
                        .map_or(TokenKind::Unreadable, TokenKind::San),
                    span: Span::new(0, word.len()),
                },
                text: word.as_bytes(),
                english: true,
            })
            .collect();
        let start = Position::initial();
        let mut position = start.clone();
        let stop = words.iter().position(|word| {
            let mv = word.to_move(&position);
            mv.is_none_or(|mv| {
                position.play(mv);
                false
            })
        });
        nearest(&start, &words, stop.expect("a word that cannot be played"))
    }

    #[track_caller]
    fn check(game: &str, expected: &str) {
        assert_eq!(suggestion(game).as_deref().unwrap_or("nothing"), expected);
    }

    #[test]
    fn another_file_or_piece() {
        check(
            "1. e4 e5 2. Nf4 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Nxe4",
            "did you mean `Nf3`? the remaining 7 moves are then legal",
        );
        check(
            "1. e4 e5 2. Nf3 Nc6 3. Rb5 a6 4. Ba4 Nf6 5. O-O Be7",
            "did you mean `Bb5`? the remaining 5 moves are then legal",
        );
    }

    #[test]
    fn which_of_two_knights() {
        check(
            "1. d4 Nf6 2. Nf3 d5 3. c4 e6 4. e3 Be7 5. Nd2 O-O 6. Nb3 Nc6 7. Ng5",
            "did you mean `Nbd2`? the remaining 4 moves are then legal",
        );
    }

    #[test]
    fn a_word_that_is_no_move() {
        check(
            "1. e4 e5 2. Nf3 Nc6 3. Bb9 a6 4. Ba4 Nf6 5. O-O Be7",
            "did you mean `Bb5`? the remaining 5 moves are then legal",
        );
        check(
            "1. e4 e5 2. Nf3 hello Nc6 3. Bb5 a6 4. Ba4 Nf6",
            "without it the remaining 5 moves are legal",
        );
    }

    #[test]
    fn an_earlier_slip() {
        check(
            "1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Na3 a6 6. Be3 e5 7. Nb3 Be6 8. f3 Be7 9. Nd5 O-O 10. Nxe7+ Qxe7 11. Qd2",
            "did you mean `5.Nc3` earlier, instead of `5.Na3`? the remaining 5 moves are then legal",
        );
    }

    #[test]
    fn moves_that_changed_places() {
        check(
            "1. e4 e5 2. Bb5 Nc6 3. O-O a6 4. Nf3 Nf6 5. Ba4 Be7 6. Re1 b5",
            "did `O-O` and `Nf3` change places? the remaining 8 moves are then legal",
        );
    }

    #[test]
    fn a_move_written_twice_and_one_left_out() {
        check(
            "1. e4 e5 2. Nf3 Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6",
            "is `Nf3` there twice? without the second the remaining 5 moves are then legal",
        );
        check(
            "1. e4 e5 2. Nf3 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6",
            "is a move of Black missing before `Bb5`? the remaining 10 moves are then legal",
        );
    }

    #[test]
    fn nothing_is_said_where_nothing_stands_out() {
        check("1. e4 e5 2. Nf4", "nothing");
        // Either knight will do.
        check(
            "1. d4 d5 2. c4 e6 3. Nc3 Nf6 4. Bg5 Nd7 5. e3 Be7 6. Nf3 O-O 7. Rc1 c6 8. Bd3 h6 9. Bh4",
            "nothing",
        );
        check("1. e4 e5 2. Qh8 Qh1 Ra5 Kd4 Nxb1 O-O-O", "nothing");
    }

    #[test]
    fn distances_of_words() {
        for (a, b, expected) in [
            ("Nf3", "Nf3", 0),
            ("Nf3", "Nf6", 1),
            ("Ne7", "Nge7", 1),
            ("Nf3", "N3f", 1),
            ("OO", "OOO", 1),
            ("e4", "Nc6", 3),
        ] {
            assert_eq!(distance(a.as_bytes(), b.as_bytes()), expected, "{a} {b}");
        }
    }
}
