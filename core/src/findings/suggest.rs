//! "Did you mean": the single edit of a game that makes the rest of it legal.
//!
//! An edit is tested by replaying the rest. The legal moves nearest to the written one are
//! suggested, if there are at most three.

use std::ops::ControlFlow::{self, Break, Continue};
use std::ops::Range;

use strum::VariantArray;

use crate::chess::san::SanPlus;
use crate::chess::{Color, Move, MoveList, Position};
use crate::findings::edit::{Edit, Repair, number_start};
use crate::findings::finding::{label, shown};
use crate::findings::near::{Candidate, Nearness, Written};
use crate::findings::played::PlayedGame;
use crate::findings::{Finding, MOVE_RULES};
use crate::notation::Fallback;
use crate::pgn::{Token, TokenKind};
use crate::replay::{Stop, fallback_move, main_line};

/// The legal move that a word of the main line names in a position.
fn to_move(word: &Token, position: &Position, fallback: Fallback) -> Option<Move> {
    let TokenKind::San(plus) = word.kind else {
        return None;
    };
    let first = plus.san.to_move(position).ok();
    first.or_else(|| fallback_move(word, &plus, position, fallback))
}

/// Plies that are played at most for one suggestion: some tenths of a millisecond.
const BUDGET: u32 = 10_000;
/// In a longer game nothing is looked for: the longest that was ever played in a tournament has 538
/// plies.
const LONGEST: usize = 4_000;
/// Plies that must follow an edit to bear it out.
const LEAST_REST: usize = 4;
/// Plies that must follow where a move is missing, as almost any move fits a gap.
const LEAST_REST_OF_GAP: usize = 10;
/// How many plies before the fault the slip may be.
const FARTHEST_BACK: usize = 12;
/// Moves that one question names at most.
const MOST_NAMED: usize = 3;

/// An edit of a game, as a question for the help line.
struct Suggestion {
    question: String,
    /// The edit itself, if there is one only and nothing is attached to the moves that it moves or
    /// deletes.
    edits: Vec<Edit>,
}

/// Adds the suggestion for the first move that is not legal to the finding about it.
pub(crate) fn add(played: &PlayedGame<'_>, findings: &mut [Finding]) {
    let Some(stop) = played.illegal.as_ref().or(played.stop.as_ref()) else {
        return;
    };
    let about_the_move = |finding: &&mut Finding| {
        finding.span == stop.token.span && MOVE_RULES.contains(&finding.rule)
    };
    if let Some(finding) = findings.iter_mut().find(about_the_move)
        && let Some(suggestion) = did_you_mean(played, stop)
    {
        finding.help = Some(suggestion.question);
        finding.repair = Repair::new(suggestion.edits, false);
    }
}

/// Looks for the edit of a game that makes it legal from the move on at which its replay stopped,
/// and puts it as a question for the help line.
fn did_you_mean(played: &PlayedGame<'_>, stop: &Stop) -> Option<Suggestion> {
    let PlayedGame { game, text, .. } = *played;
    if game.tokens.len() > LONGEST {
        return None;
    }
    let words: Vec<Token> = main_line(game).copied().collect();
    let at_stop = words.iter().position(|word| word.span == stop.token.span)?;
    nearest(text, game.fallback(), &played.start, &words, at_stop)
}

/// The answer of a search: none yet, or the suggestion, which is `None` if too many edits of a kind
/// work.
type SearchFlow = ControlFlow<Option<Suggestion>>;

/// Looks for the edit of `words`, played from `start` on, that makes everything legal from the word
/// `stop` on, which cannot be played. The answer is a question for the help line.
fn nearest(
    text: &[u8],
    fallback: Fallback,
    start: &Position,
    words: &[Token],
    stop: usize,
) -> Option<Suggestion> {
    let mut positions = vec![start.clone()];
    for word in &words[..stop] {
        let mut next = positions.last()?.clone();
        let mv = to_move(word, &next, fallback)?;
        next.play_unchecked(mv);
        positions.push(next);
    }
    let mut search = SuggestionSearch {
        text,
        fallback,
        words,
        stop,
        positions,
        budget: BUDGET,
    };
    let found = search.run().break_value().flatten();
    found.filter(|_| search.budget > 0)
}

struct SuggestionSearch<'a> {
    text: &'a [u8],
    fallback: Fallback,
    words: &'a [Token],
    stop: usize,
    /// Before each word up to the one that cannot be played.
    positions: Vec<Position>,
    /// Plies that may still be played; with none left nothing is said.
    budget: u32,
}

impl<'a> SuggestionSearch<'a> {
    /// Tries the edits, the likeliest first.
    fn run(&mut self) -> SearchFlow {
        for &nearness in Nearness::VARIANTS {
            self.replacement(nearness)?;
            self.earlier_replacement(nearness)?;
            if nearness == Nearness::OneEdit {
                self.other_order()?;
                self.one_too_many()?;
            }
        }
        self.gap()
    }

    /// Whether words can be played in a position.
    fn plays(&mut self, position: &Position, words: &[Token]) -> bool {
        let mut position = position.clone();
        for word in words {
            if self.budget == 0 {
                return false;
            }
            self.budget -= 1;
            let Some(mv) = to_move(word, &position, self.fallback) else {
                return false;
            };
            position.play_unchecked(mv);
        }
        true
    }

    /// The text of a word as written.
    fn written(&self, nth: usize) -> &'a [u8] {
        self.words[nth].span.of(self.text)
    }

    /// The words from a place on.
    fn rest(&self, from: usize) -> &'a [Token] {
        &self.words[from..]
    }

    /// The moves as near to what is written as a word that make the rest legal; of several, those
    /// that fit its signs best.
    fn replace(&mut self, nth: usize, nearness: Nearness) -> Vec<Candidate> {
        let before = self.positions[nth].clone();
        let written = Written::new(self.written(nth));
        let played = to_move(&self.words[nth], &before, self.fallback);
        let mut found: Vec<Candidate> = Vec::new();
        for mv in before.legal_moves() {
            if Some(mv) == played {
                continue;
            }
            let candidate = written.compare(&before, mv);
            if candidate.nearness == Some(nearness)
                && self.plays(&before.after(mv), self.rest(nth + 1))
            {
                found.push(candidate);
            }
        }
        keep_least(&mut found, |one| one.mismatches);
        found.sort_by(|a, b| a.san.cmp(&b.san));
        found
    }

    fn replacement(&mut self, nearness: Nearness) -> SearchFlow {
        let rest = self.rest(self.stop + 1).len();
        if rest < LEAST_REST && nearness > Nearness::OneEdit {
            return Continue(());
        }
        let mut found = self.replace(self.stop, nearness);
        let is_reduced = found.len() > MOST_NAMED;
        if is_reduced {
            keep_least(&mut found, |one| one.steps);
        }
        let names: Vec<_> = found.iter().map(|one| format!("`{}`", one.san)).collect();
        let named = match &names[..] {
            [] => return Continue(()),
            [only] => only.clone(),
            [others @ .., last] if names.len() <= MOST_NAMED => {
                format!("{} or {last}", others.join(", "))
            }
            _ => return Break(None),
        };
        let question = match rest {
            0 => format!("did you mean {named}?"),
            _ => format!("did you mean {named}? {} then legal", remaining(rest)),
        };
        let edits = match &found[..] {
            [only] if !is_reduced => vec![self.edit(self.stop, only)],
            _ => Vec::new(),
        };
        Break(Some(Suggestion { question, edits }))
    }

    fn earlier_replacement(&mut self, nearness: Nearness) -> SearchFlow {
        let rest = self.rest(self.stop).len();
        if rest < LEAST_REST {
            return Continue(());
        }
        let mut found: Vec<(usize, Candidate)> = Vec::new();
        for nth in (self.stop.saturating_sub(FARTHEST_BACK)..self.stop).rev() {
            let here = self.replace(nth, nearness);
            found.extend(here.into_iter().map(|one| (nth, one)));
        }
        keep_least(&mut found, |(_, one)| one.mismatches);
        match &found[..] {
            [] => Continue(()),
            [(nth, one)] => {
                let question = format!(
                    "did you mean {} earlier, instead of {}? {} then legal",
                    self.name(*nth, one.san.as_bytes()),
                    self.name(*nth, self.written(*nth)),
                    remaining(rest)
                );
                let edits = vec![self.edit(*nth, one)];
                Break(Some(Suggestion { question, edits }))
            }
            _ => Break(None),
        }
    }

    /// Two moves of one side, or a move and its answer, have changed places.
    fn other_order(&mut self) -> SearchFlow {
        let rest = self.rest(self.stop).len();
        if rest < LEAST_REST {
            return Continue(());
        }
        let mut found = Vec::new();
        for apart in [2, 1] {
            for one in self.stop.saturating_sub(2 * apart)..=self.stop {
                let other = one + apart;
                if other < self.stop
                    || other >= self.words.len()
                    || self.written(one) == self.written(other)
                {
                    continue;
                }
                let mut words = self.words[one..].to_vec();
                words.swap(0, apart);
                let before = self.positions[one].clone();
                if self.plays(&before, &words) {
                    found.push((one, other));
                }
            }
        }
        match found[..] {
            [] => Continue(()),
            [(one, other)] => Break(Some(Suggestion {
                question: format!(
                    "did `{}` and `{}` change places? {} then legal",
                    self.said(one),
                    self.said(other),
                    remaining(rest)
                ),
                edits: self.exchange(one, other),
            })),
            _ => Break(None),
        }
    }

    /// A word stands there once more than it should, or is no move at all.
    fn one_too_many(&mut self) -> SearchFlow {
        let stop = self.stop;
        let here = self.positions[stop].clone();
        for length in [2, 1] {
            let is_repeated = stop >= length
                && stop + length <= self.words.len()
                && (stop..stop + length).all(|nth| self.written(nth) == self.written(nth - length));
            if !is_repeated {
                continue;
            }
            let rest = self.rest(stop + length);
            if rest.len() >= LEAST_REST && self.plays(&here, rest) {
                let twice = match length {
                    1 => self.said(stop),
                    _ => format!("{} {}", self.said(stop), self.said(stop + 1)),
                };
                let rest = remaining(rest.len());
                let question =
                    format!("is `{twice}` there twice? without the second {rest} then legal");
                let edits = self.deletion(stop..stop + length);
                return Break(Some(Suggestion { question, edits }));
            }
        }
        let rest = self.rest(stop + 1);
        if rest.len() >= LEAST_REST && self.plays(&here, rest) {
            let question = format!("without it {} legal", remaining(rest.len()));
            let edits = self.deletion(stop..stop + 1);
            return Break(Some(Suggestion { question, edits }));
        }
        Continue(())
    }

    /// A move is missing before the one that cannot be played, or a little earlier.
    fn gap(&mut self) -> SearchFlow {
        if self.rest(self.stop).len() < LEAST_REST_OF_GAP {
            return Continue(());
        }
        for nth in (self.stop.saturating_sub(2)..=self.stop).rev() {
            let before = self.positions[nth].clone();
            let rest = self.rest(nth);
            let found = self.fill(nth);
            let mut edits = Vec::new();
            let missing = match found[..] {
                [] => continue,
                [mv] => {
                    let san = SanPlus::of(&before, mv, &before.after(mv)).to_string();
                    if self.is_only_gap(nth) {
                        edits.push(self.insertion(nth, &san));
                    }
                    format!("is {} missing", self.name(nth, san.as_bytes()))
                }
                _ => format!("is a move of {} missing", before.turn()),
            };
            let question = format!(
                "{missing} before `{}`? {} then legal",
                self.said(nth),
                remaining(rest.len())
            );
            return Break(Some(Suggestion { question, edits }));
        }
        Continue(())
    }

    /// The moves that make the rest legal before a word.
    fn fill(&mut self, nth: usize) -> MoveList {
        let before = self.positions[nth].clone();
        let rest = self.rest(nth);
        let mut found = before.legal_moves();
        found.retain(|mv| self.plays(&before.after(*mv), rest));
        found
    }

    /// Whether no move may be missing before the words that are inspected after this one.
    fn is_only_gap(&mut self, nth: usize) -> bool {
        let is_only = (self.stop.saturating_sub(2)..nth).all(|other| self.fill(other).is_empty());
        // The question stands, even if it cannot be said whether it is the only one.
        let is_known = self.budget > 0;
        self.budget = self.budget.max(1);
        is_only && is_known
    }

    /// The edit that replaces a word.
    fn edit(&self, nth: usize, by: &Candidate) -> Edit {
        Edit::of_move(self.words[nth].span, self.text, &by.san)
    }

    /// Edits that exchange two words.
    fn exchange(&self, one: usize, other: usize) -> Vec<Edit> {
        let put = |at: usize, word: usize| {
            let text = std::str::from_utf8(self.written(word)).ok()?;
            Some(Edit::new(self.words[at].span, text))
        };
        match (put(one, other), put(other, one)) {
            (Some(first), Some(second)) if self.is_bare(one) && self.is_bare(other) => {
                vec![first, second]
            }
            _ => Vec::new(),
        }
    }

    /// The edit that deletes words with their numbers.
    fn deletion(&self, words: Range<usize>) -> Vec<Edit> {
        let span = |nth: usize| self.words[nth].span;
        let mut start = number_start(self.text, span(words.start).start as usize);
        let mut end = span(words.end - 1).end as usize;
        let is_bare = words.clone().all(|nth| self.is_bare(nth));
        let is_other = |byte: &u8| b"{}()$;%!?".contains(byte);
        if !is_bare || self.text[start..end].iter().any(is_other) {
            return Vec::new();
        }
        let is_blank = |byte: &&u8| matches!(byte, b' ' | b'\t');
        let after = self.text[end..].iter().take_while(is_blank).count();
        if matches!(self.text.get(end + after), None | Some(b'\r' | b'\n')) {
            start -= self.text[..start].iter().rev().take_while(is_blank).count();
            // Nothing is left of the line.
            if self.text[..start].ends_with(b"\n") {
                let feed = memchr::memchr(b'\n', &self.text[end..]);
                end += feed.map_or(0, |feed| feed + 1);
            }
        } else {
            end += after;
        }
        vec![Edit::delete(&(start..end))]
    }

    /// The edit that inserts a move before a word.
    fn insertion(&self, nth: usize, san: &str) -> Edit {
        let word = self.words[nth].span.start as usize;
        let number = number_start(self.text, word);
        let position = &self.positions[nth];
        match position.turn() {
            Color::Black => Edit::insert(number, format!("{san} ")),
            Color::White if number < word => Edit::insert(word, format!("{san} ")),
            Color::White => {
                let number = position.fullmoves();
                Edit::insert(word, format!("{number}. {san} "))
            }
        }
    }

    /// Whether the next move, a result or the end of the text follows a word, without a comment,
    /// glyph or variation between.
    fn is_bare(&self, nth: usize) -> bool {
        let rest = &self.text[self.words[nth].span.end as usize..];
        let next = rest.trim_ascii_start();
        let follows = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'*';
        next.first()
            .is_none_or(|byte| rest.len() > next.len() && follows(byte))
    }

    fn said(&self, nth: usize) -> String {
        shown(self.written(nth))
    }

    /// A move with its number.
    fn name(&self, nth: usize, san: &[u8]) -> String {
        format!("`{}`", label(&self.positions[nth], &shown(san)))
    }
}

fn remaining(moves: usize) -> String {
    match moves {
        1 => "the remaining move is".to_owned(),
        moves => format!("the remaining {moves} moves are"),
    }
}

/// Keeps those of which something is least.
fn keep_least<T>(all: &mut Vec<T>, of: impl Fn(&T) -> u32) {
    let least = all.iter().map(&of).min();
    all.retain(|one| Some(of(one)) == least);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::Span;

    /// The suggestion for a game in which the first word that cannot be played is the faulty one.
    fn suggestion(game: &str) -> Option<Suggestion> {
        let words: Vec<_> = game
            .split_whitespace()
            .filter(|word| !word.ends_with('.'))
            .map(|word| {
                let at = word.as_ptr() as usize - game.as_ptr() as usize;
                Token {
                    kind: SanPlus::from_ascii(word.as_bytes())
                        .map_or(TokenKind::Unreadable, TokenKind::San),
                    span: Span::new(at, at + word.len()),
                }
            })
            .collect();
        let start = Position::initial();
        let mut position = start.clone();
        let stop = words.iter().position(|word| {
            let mv = to_move(word, &position, Fallback::Always);
            mv.is_none_or(|mv| {
                position.play_unchecked(mv);
                false
            })
        });
        let stop = stop.expect("a word that cannot be played");
        nearest(game.as_bytes(), Fallback::Always, &start, &words, stop)
    }

    #[track_caller]
    fn check(game: &str, expected: &str) {
        let question = suggestion(game).map(|suggestion| suggestion.question);
        assert_eq!(question.as_deref().unwrap_or("nothing"), expected);
    }

    #[test]
    fn the_same_letters_in_another_order_or_without_dashes() {
        check(
            "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Bcx6 dxc6 5. O-O Bd6",
            "did you mean `Bxc6`? the remaining 3 moves are then legal",
        );
        check(
            "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Bxc6 dxc6 5. OO Bd6 6. d4",
            "did you mean `O-O`? the remaining 2 moves are then legal",
        );
        check(
            "1. e4 a6 2. Qe2 b5 3. Qd3 b4 4. Qax6",
            "did you mean `Qxa6`?",
        );
    }

    #[test]
    fn two_or_three_equally_near_moves_are_all_named() {
        check(
            "1. d4 d5 2. c4 e6 3. Nc3 Nf6 4. Bg5 Nd7 5. e3 Be7 6. Nf3 O-O 7. Rc1 c6 8. Bd3 h6 9. \
            Bh4",
            "did you mean `Nbd7` or `Nfd7`? the remaining 9 moves are then legal",
        );
        check("1. e4 e5 2. Nf4", "did you mean `Nf3` or `f4`?");
    }

    #[test]
    fn the_marks_of_capture_and_check_decide() {
        // `Bb5` and `Bxa6` are as near.
        check(
            "1. e4 a6 2. Bxb6 b5",
            "did you mean `Bxa6`? the remaining move is then legal",
        );
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
            "1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Na3 a6 6. Be3 e5 7. Nb3 Be6 8. f3 Be7 \
            9. Nd5 O-O 10. Nxe7+ Qxe7 11. Qd2",
            "did you mean `5.Nc3` earlier, instead of `5.Na3`? the remaining 5 moves are then \
            legal",
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
        check("1. e4 e5 2. Xa7", "nothing");
        check("1. e4 e5 2. Qh8 Qh1 Ra5 Kd4 Nxb1 O-O-O", "nothing");
    }
}
