//! Findings about move numbers and other text between moves.

use crate::chess::{Color, MoveNumber, Position};
use crate::findings::edit::Edit;
use crate::findings::finding::Findings;
use crate::findings::registry as codes;
use crate::findings::{Checks, Finding, shown};
use crate::pgn::{Game, GapItem, Span, Token, TokenKind, gap_items, glyph_of_marks};

/// Checks the move numbers, and other text before each move of a game.
pub(crate) struct MoveNumberCheck<'a> {
    game: &'a Game,
    text: &'a [u8],
    /// Offset of the numbers in the current line, and in the enclosing ones.
    distance: i64,
    around: Vec<i64>,
    /// The last number before a move.
    last: Option<u32>,
    /// Offset that all numbers may have, and the edits of those that have another.
    base: i64,
    pub(crate) edits: Vec<Edit>,
    /// Whether rules of the export format are selected.
    export: bool,
}

impl<'a> MoveNumberCheck<'a> {
    pub(crate) fn new(game: &'a Game, text: &'a [u8], checks: &'a Checks) -> MoveNumberCheck<'a> {
        let export = [
            &codes::MISSING_MOVE_NUMBER,
            &codes::SUPERFLUOUS_MOVE_NUMBER,
            &codes::MOVE_NUMBER_FORM,
            &codes::SUFFIX_ANNOTATION,
        ];
        MoveNumberCheck {
            game,
            text,
            distance: 0,
            around: Vec::new(),
            last: None,
            base: 0,
            edits: Vec::new(),
            export: export.into_iter().any(|rule| checks.has(rule)),
        }
    }

    /// Whether a game's numbers may be wrong.
    pub(crate) fn may_be_wrong(game: &Game, start: &Position) -> bool {
        game.hints.odd_numbers || start.fullmoves() != 1 || start.turn() == Color::Black
    }

    /// Whether there is nothing to report before the moves of a game without variations, whose
    /// numbers are right by [`MoveNumberCheck::may_be_wrong`].
    pub(crate) fn are_plain(game: &Game, text: &[u8], first: MoveNumber, checks: &Checks) -> bool {
        let mut found = Vec::new();
        let mut findings = Findings::of_game(&mut found, checks);
        let mut numbers = MoveNumberCheck::new(game, text, checks);
        let mut start = game.movetext;
        for (nth, token) in game.tokens.iter().enumerate() {
            if !matches!(token.kind, TokenKind::San(_)) {
                return matches!(token.kind, TokenKind::Result(_));
            }
            let before = text.get(start..token.span.start as usize);
            if !before.is_some_and(|before| is_usual(before, nth % 2 == 0)) {
                let number = first.later(nth as u32);
                numbers.before(token, number, &mut findings);
                if !findings.list().is_empty() || !numbers.edits.is_empty() {
                    return false;
                }
            }
            start = token.span.end as usize;
        }
        true
    }

    pub(crate) fn begin_variation(&mut self) {
        self.around.push(self.distance);
    }

    pub(crate) fn end_variation(&mut self) {
        self.distance = self.around.pop().unwrap_or(0);
    }

    /// Checks the text before the token of the move of this number.
    pub(crate) fn before(
        &mut self,
        token: &Token,
        of_move: MoveNumber,
        findings: &mut Findings<'_>,
    ) {
        let tokens = &self.game.tokens;
        let nth = tokens.partition_point(|other| other.span.start < token.span.start);
        let last = nth.checked_sub(1).map(|last| &tokens[last]);
        let start = last.map_or(self.game.movetext, |last| last.span.end as usize);
        let between = Span::new(start, start.max(token.span.start as usize));
        // A line that begins with Black has a number, and so has its continuation after a comment
        // or variation.
        let follows_move = matches!(last.map(|last| last.kind), Some(TokenKind::San(_)));
        let mut needed = of_move.color == Color::White || !follows_move;
        let mut numbers = 0;
        for one in gap_items(self.text, between) {
            match one {
                GapItem::Comment(_) => needed = true,
                GapItem::Suffix(span) if self.export => {
                    let marks = span.of(self.text);
                    let message = format!("`{}` instead of a NAG", shown(marks));
                    let finding = Finding::new(&codes::SUFFIX_ANNOTATION, span, message);
                    self.push(findings, finding.help(glyph(marks)));
                }
                GapItem::Decimal(span) => self.of_no_move(span, findings),
                GapItem::Number {
                    value,
                    points,
                    blank,
                    span,
                } => {
                    numbers += 1;
                    self.wrong(value, points, span, of_move, between, findings);
                    if self.export {
                        self.form(points, blank, span, of_move.color, findings);
                        if numbers > 1 || !needed {
                            let number = shown(span.of(self.text));
                            let message = format!("`{number}` is a superfluous move number");
                            let rule = &codes::SUPERFLUOUS_MOVE_NUMBER;
                            self.push(findings, Finding::new(rule, span, message));
                        }
                    }
                }
                _ => {}
            }
        }
        if self.export && needed && numbers == 0 {
            let word = shown(token.span.of(self.text));
            let message = format!("`{word}` lacks a move number");
            let finding = Finding::new(&codes::MISSING_MOVE_NUMBER, token.span, message);
            self.push(findings, finding.help(format!("write `{of_move}{word}`")));
        }
    }

    /// The number before a move that can only be meant for it, not a time or an evaluation.
    fn number_of_move(&self, between: Span, turn: Color) -> Option<Span> {
        let is_number = |one: &GapItem| matches!(one, GapItem::Number { .. } | GapItem::Decimal(_));
        match gap_items(self.text, between).filter(is_number).last()? {
            GapItem::Number { points, span, .. } => {
                (points > 0 || turn == Color::White).then_some(span)
            }
            _ => None,
        }
    }

    /// Checks the numbers between the last token of a game and its result. The number of a next
    /// move may be there.
    pub(crate) fn at_end(&mut self, next: MoveNumber, findings: &mut Findings<'_>) {
        let game = self.game;
        let result = game.result.map(|(_, span)| span).or(game.other_result);
        let end = result.map_or(self.text.len(), |span| span.start as usize);
        let before = |token: &&Token| (token.span.start as usize) < end;
        let last = game.tokens.iter().rev().find(before);
        let from = last.map_or(game.movetext, |last| last.span.end as usize);
        let mut may_count = true;
        for one in gap_items(self.text, Span::new(from, end.max(from))) {
            match one {
                GapItem::Number {
                    value,
                    points,
                    span,
                    ..
                } if may_count && self.goes_on(value, next) => {
                    may_count = false;
                    if points > 0 && self.distance != self.base {
                        self.repair(false, span, next);
                    }
                }
                GapItem::Number { span, .. } | GapItem::Decimal(span) => {
                    self.of_no_move(span, findings);
                }
                _ => {}
            }
        }
    }

    /// Whether a number is that of the next move, as the game counts: moves, or plies.
    fn goes_on(&self, value: u32, next: MoveNumber) -> bool {
        let next = i64::from(next.number) + self.distance;
        self.last
            .is_none_or(|last| i64::from(value) == next || Some(value) == last.checked_add(1))
    }

    fn of_no_move(&self, span: Span, findings: &mut Findings<'_>) {
        let number = shown(span.of(self.text));
        let message = format!("`{number}` is not the number of a move");
        let finding = Finding::new(&codes::WRONG_MOVE_NUMBER, span, message);
        let help = "write times, evaluations and other notes as comments, in braces";
        self.push(findings, finding.help(help));
    }

    fn wrong(
        &mut self,
        value: u32,
        points: u32,
        span: Span,
        of_move: MoveNumber,
        between: Span,
        findings: &mut Findings<'_>,
    ) {
        let distance = i64::from(value) - i64::from(of_move.number);
        // Many programs count from 1 whatever the position's own number.
        if self.last.replace(value).is_none() && value == 1 {
            self.distance = distance;
            self.base = distance;
        }
        let of_black = points > 1 && of_move.color == Color::White;
        if (distance != self.base || of_black)
            && self.number_of_move(between, of_move.color) == Some(span)
        {
            self.repair(of_black, span, of_move);
        }
        if distance == self.distance && !of_black {
            return;
        }
        self.distance = distance;
        // The offset ends; its beginning has been reported.
        if distance == 0 && !of_black {
            return;
        }
        let MoveNumber { number, color } = of_move;
        let written = shown(span.of(self.text));
        let message = format!("`{written}` precedes move {number} of {color}");
        let finding = Finding::new(&codes::WRONG_MOVE_NUMBER, span, message);
        let help = "is a move missing or doubled before it? the moves are played as written";
        self.push(findings, finding.help(help));
    }

    /// Writes the right number; before a move of White with one period instead of several.
    fn repair(&mut self, of_black: bool, span: Span, of_move: MoveNumber) {
        let number = i64::from(of_move.number) + self.base;
        let written = span.of(self.text).iter();
        let digits = written.take_while(|byte| byte.is_ascii_digit());
        let start = span.start as usize;
        self.edits.push(match of_black {
            true => Edit::new(span, format!("{number}.")),
            false => Edit::new(Span::new(start, start + digits.count()), number.to_string()),
        });
    }

    fn form(&self, points: u32, blank: bool, span: Span, turn: Color, findings: &mut Findings<'_>) {
        let (expected, said) = match turn {
            Color::White => (1, "one period"),
            Color::Black => (3, "three periods"),
        };
        if points != expected || blank {
            let number = shown(span.of(self.text));
            let message = format!("`{number}` is not a number directly followed by {said}");
            let finding = Finding::new(&codes::MOVE_NUMBER_FORM, span, message);
            self.push(findings, finding);
        }
    }

    fn push(&self, findings: &mut Findings<'_>, finding: Finding) {
        findings.push(finding.in_variation(!self.around.is_empty()));
    }
}

/// Whether the text before a move is as before most moves: blanks and comments, and then a number
/// where the export format has one. Saves a fifth of `validate --strict`.
fn is_usual(mut text: &[u8], of_white: bool) -> bool {
    let mut needs_number = of_white;
    loop {
        match text {
            [b'{', comment @ ..] => {
                let Some(end) = memchr::memchr(b'}', comment) else {
                    return false;
                };
                (text, needs_number) = (&comment[end + 1..], true);
            }
            [..=b' ', rest @ ..] => text = rest,
            _ => break,
        }
    }
    if !needs_number || text.starts_with(b"0") {
        return text.is_empty();
    }
    let number = text;
    while let [b'0'..=b'9', rest @ ..] = text {
        text = rest;
    }
    let digits = number.len() - text.len();
    match (of_white, text) {
        (true, [b'.', rest @ ..]) | (false, [b'.', b'.', b'.', rest @ ..]) => {
            (1..=MOST_DIGITS).contains(&digits) && rest.iter().all(|&byte| byte <= b' ')
        }
        _ => false,
    }
}

/// Most digits of a usual move number.
const MOST_DIGITS: usize = 4;

/// The glyph for marks such as `!?` (PGN standard 8.2.3.8 and 10).
fn glyph(marks: &[u8]) -> String {
    match marks.len() {
        ..=2 => format!("write `${}`", glyph_of_marks(marks)),
        _ => "only `!` `?` `!!` `??` `!?` `?!` have NAGs".to_owned(),
    }
}
