//! Findings about move numbers and other text between moves.

use crate::chess::{Color, Position};
use crate::findings::edit::Edit;
use crate::findings::finding::Findings;
use crate::findings::registry as codes;
use crate::findings::registry::Rule;
use crate::findings::{Checks, Finding, shown};
use crate::pgn::{Game, GapItem, Span, Token, TokenKind, gap_items};

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

    /// Whether the move numbers must be checked.
    pub(crate) fn are_due(game: &Game, start: &Position, checks: &Checks) -> bool {
        MoveNumberCheck::may_be_wrong(game, start) || checks.looks_at_all()
    }

    /// Whether the numbers of a game without variations, from the initial position, are those of
    /// the export format, and only comments and glyphs stand between the moves else. "No" is not
    /// certain.
    pub(crate) fn are_plain(game: &Game, text: &[u8]) -> bool {
        let mut from = game.movetext;
        for (nth, token) in game.tokens.iter().enumerate() {
            if !matches!(token.kind, TokenKind::San(_)) {
                // Text after the first result is not played.
                return matches!(token.kind, TokenKind::Result(_));
            }
            let start = token.span.start as usize;
            if start < from || !is_plain(&text[from..start], nth) {
                return false;
            }
            from = token.span.end as usize;
        }
        true
    }

    pub(crate) fn begin_variation(&mut self) {
        self.around.push(self.distance);
    }

    pub(crate) fn end_variation(&mut self) {
        self.distance = self.around.pop().unwrap_or(0);
    }

    /// Checks the text before the token of a move from `position`.
    pub(crate) fn before(
        &mut self,
        token: &Token,
        position: &Position,
        findings: &mut Findings<'_>,
    ) {
        let nth = self
            .game
            .tokens
            .partition_point(|other| other.span.start < token.span.start);
        let last = nth.checked_sub(1).map(|last| self.game.tokens[last]);
        let from = last.map_or(self.game.movetext as u32, |last| last.span.end);
        // A line that begins with Black has a number, and so has its continuation after a comment
        // or variation.
        let follows_move = matches!(last.map(|last| last.kind), Some(TokenKind::San(_)));
        let mut needed = position.turn() == Color::White || !follows_move;
        let mut numbers = 0;
        let (start, end) = (from as usize, token.span.start as usize);
        let between = Span::new(start, end.max(start));
        for one in gap_items(self.text, between) {
            match one {
                GapItem::Comment(_) => needed = true,
                GapItem::Suffix(span) if self.export => {
                    self.push(findings, &codes::SUFFIX_ANNOTATION, || {
                        let marks = shown(span.of(self.text));
                        Finding::new(
                            &codes::SUFFIX_ANNOTATION,
                            span,
                            format!("`{marks}` instead of a NAG"),
                        )
                        .help(glyph(span.of(self.text)))
                    });
                }
                GapItem::Decimal(span) => self.of_no_move(span, findings),
                GapItem::Number {
                    value,
                    points,
                    blank,
                    span,
                } => {
                    numbers += 1;
                    self.wrong(value, points, span, position, between, findings);
                    if self.export {
                        self.form(points, blank, span, position, findings);
                        if numbers > 1 || !needed {
                            self.superfluous(span, findings);
                        }
                    }
                }
                _ => {}
            }
        }
        if self.export && needed && numbers == 0 {
            self.push(findings, &codes::MISSING_MOVE_NUMBER, || {
                let word = shown(token.span.of(self.text));
                Finding::new(
                    &codes::MISSING_MOVE_NUMBER,
                    token.span,
                    format!("`{word}` lacks a move number"),
                )
                .help(format!(
                    "write `{}`",
                    crate::findings::label(position, &word)
                ))
            });
        }
    }

    /// The number before a move that can only be meant for it, not a time or an evaluation.
    fn number_of_move(&self, between: Span, position: &Position) -> Option<Span> {
        let is_number = |one: &GapItem| matches!(one, GapItem::Number { .. } | GapItem::Decimal(_));
        match gap_items(self.text, between).filter(is_number).last()? {
            GapItem::Number { points, span, .. } => {
                (points > 0 || position.turn() == Color::White).then_some(span)
            }
            _ => None,
        }
    }

    /// Checks the numbers between the last token of a game and its result. The number of a next
    /// move may be there.
    pub(crate) fn at_end(&mut self, position: &Position, findings: &mut Findings<'_>) {
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
                } if may_count && self.goes_on(value, position) => {
                    may_count = false;
                    if points > 0 && self.distance != self.base {
                        self.repair(false, span, position);
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
    fn goes_on(&self, value: u32, position: &Position) -> bool {
        let next = i64::from(position.fullmoves()) + self.distance;
        self.last
            .is_none_or(|last| i64::from(value) == next || Some(value) == last.checked_add(1))
    }

    fn of_no_move(&self, span: Span, findings: &mut Findings<'_>) {
        self.push(findings, &codes::WRONG_MOVE_NUMBER, || {
            let number = shown(span.of(self.text));
            Finding::new(
                &codes::WRONG_MOVE_NUMBER,
                span,
                format!("`{number}` is not the number of a move"),
            )
            .help("write times, evaluations and other notes as comments, in braces")
        });
    }

    fn wrong(
        &mut self,
        value: u32,
        points: u32,
        span: Span,
        position: &Position,
        between: Span,
        findings: &mut Findings<'_>,
    ) {
        let distance = i64::from(value) - i64::from(position.fullmoves());
        // Many programs count from 1 whatever the position's own number.
        if self.last.replace(value).is_none() && value == 1 {
            self.distance = distance;
            self.base = distance;
        }
        let of_black = points > 1 && position.turn() == Color::White;
        if (distance != self.base || of_black)
            && self.number_of_move(between, position) == Some(span)
        {
            self.repair(of_black, span, position);
        }
        if distance == self.distance && !of_black {
            return;
        }
        self.distance = distance;
        // The offset ends; its beginning has been reported.
        if distance == 0 && !of_black {
            return;
        }
        self.push(findings, &codes::WRONG_MOVE_NUMBER, || {
            let color = position.turn();
            let number = shown(span.of(self.text));
            let message = format!(
                "`{number}` precedes move {} of {color}",
                position.fullmoves()
            );
            Finding::new(&codes::WRONG_MOVE_NUMBER, span, message)
                .help("is a move missing or doubled before it? the moves are played as written")
        });
    }

    /// Writes the right number; before a move of White with one period instead of several.
    fn repair(&mut self, of_black: bool, span: Span, position: &Position) {
        let number = i64::from(position.fullmoves()) + self.base;
        let digits = span
            .of(self.text)
            .iter()
            .take_while(|byte| byte.is_ascii_digit());
        let start = span.start as usize;
        self.edits.push(match of_black {
            true => Edit::new(span, format!("{number}.")),
            false => Edit::new(Span::new(start, start + digits.count()), number.to_string()),
        });
    }

    fn form(
        &self,
        points: u32,
        blank: bool,
        span: Span,
        position: &Position,
        findings: &mut Findings<'_>,
    ) {
        let (expected, said) = match position.turn() {
            Color::White => (1, "one period"),
            Color::Black => (3, "three periods"),
        };
        if points == expected && !blank {
            return;
        }
        self.push(findings, &codes::MOVE_NUMBER_FORM, || {
            let number = shown(span.of(self.text));
            Finding::new(
                &codes::MOVE_NUMBER_FORM,
                span,
                format!("`{number}` is not a number directly followed by {said}"),
            )
        });
    }

    fn superfluous(&self, span: Span, findings: &mut Findings<'_>) {
        self.push(findings, &codes::SUPERFLUOUS_MOVE_NUMBER, || {
            let number = shown(span.of(self.text));
            Finding::new(
                &codes::SUPERFLUOUS_MOVE_NUMBER,
                span,
                format!("`{number}` is a superfluous move number"),
            )
        });
    }

    fn push(&self, findings: &mut Findings<'_>, rule: &Rule, finding: impl FnOnce() -> Finding) {
        let in_variation = !self.around.is_empty();
        if findings.admit(rule, in_variation) {
            findings.push_admitted(finding().in_variation(in_variation));
        }
    }
}

/// Whether there is nothing but a number of one or two digits with a point and single blanks around
/// it, as before most moves of White. Saves 3 % of `validate --strict`.
#[inline]
fn is_number(between: &[u8], number: usize) -> bool {
    let rest = match between {
        [b' ' | b'\n', rest @ ..] => rest,
        _ => between,
    };
    let (read, rest) = match rest {
        [a @ b'1'..=b'9', b'.', rest @ ..] => (a - b'0', rest),
        [a @ b'1'..=b'9', b @ b'0'..=b'9', b'.', rest @ ..] => (10 * (a - b'0') + b - b'0', rest),
        _ => return false,
    };
    usize::from(read) == number && matches!(rest, b"" | b" ")
}

/// Whether the text before the move of a ply, counted from 0, has its number where the export
/// format asks for one, and otherwise white space, comments and glyphs.
#[inline]
fn is_plain(between: &[u8], ply: usize) -> bool {
    let of_white = ply.is_multiple_of(2);
    if of_white {
        if is_number(between, ply / 2 + 1) {
            return true;
        }
    } else if matches!(between, b" " | b"\n") {
        return true;
    }
    let mut needed = of_white || ply == 0;
    let mut numbered = false;
    let mut rest = between;
    while let [first, ..] = rest {
        let length = match first {
            b' ' | b'\n' | b'\r' => 1,
            b'{' => match memchr::memchr(b'}', rest) {
                Some(end) => {
                    needed = true;
                    end + 1
                }
                None => return false,
            },
            b'$' => {
                1 + rest[1..]
                    .iter()
                    .take_while(|byte| byte.is_ascii_digit())
                    .count()
            }
            b'1'..=b'9' if needed && !numbered => {
                let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
                let number = rest[..digits.min(9)]
                    .iter()
                    .fold(0, |number, digit| number * 10 + usize::from(digit - b'0'));
                let points: &[u8] = if of_white { b"." } else { b"..." };
                let after = rest[digits..].strip_prefix(points);
                // A full stop after blanks would still be part of the number.
                let whole = after.is_some_and(|after| !after.contains(&b'.'));
                if number != ply / 2 + 1 || digits > 9 || !whole {
                    return false;
                }
                numbered = true;
                digits + points.len()
            }
            _ => return false,
        };
        rest = &rest[length..];
    }
    needed == numbered
}

/// The glyph for marks such as `!?` (PGN standard 8.2.3.8 and 10).
fn glyph(marks: &[u8]) -> String {
    const SIX: [&[u8]; 6] = [b"!", b"?", b"!!", b"??", b"!?", b"?!"];
    match SIX.iter().position(|six| *six == marks) {
        Some(nth) => format!("write `${}`", nth + 1),
        None => "only `!` `?` `!!` `??` `!?` `?!` have NAGs".to_owned(),
    }
}
