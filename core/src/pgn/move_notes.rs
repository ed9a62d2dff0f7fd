//! Notes after a move: clocks, times and evaluations in comments, and glyphs.
//!
//! Commands in comments are those of the PGN supplement of 2001 (`[%clk 0:03:00]`, `[%emt
//! 0:00:05]`) and `[%eval 0.17]`. Engine tournaments write `+0.35/12 0.51s` instead: evaluation,
//! depth and time; or fields such as `ev=0.35, mt=00:00:05, tl=01:57:54, wv=0.35`.

use memchr::{memchr, memchr_iter};

use crate::chess::Color;
use crate::pgn::game::Game;
use crate::pgn::gaps::{Annotation, annotations};
use crate::pgn::tag_name::TagName;
use crate::pgn::token::Span;
use crate::pgn::values::number;
use crate::pgn::values::time_control;

/// Notes between a move and the next token.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct MoveNotes {
    /// Time left on the clock of the player who moved, in seconds.
    pub clock: Option<f64>,
    /// Time used for the move, in seconds.
    pub move_time: Option<f64>,
    pub(crate) eval: Option<Evaluation>,
    /// Numeric annotation glyphs, and those of the suffixes `!`, `?` and so on.
    pub nags: Vec<u8>,
    /// The first command whose value is not read, or differs from one before.
    pub(crate) unread: Option<Span>,
}

/// Evaluation of the position after a move; positive if White stands better.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Evaluation {
    /// In hundredths of a pawn.
    Centipawns(i32),
    /// Mate in this number of moves.
    Mate(i32),
}

impl Evaluation {
    /// The evaluation for White of one that is given for a side.
    fn of_side(self, side: Color) -> Evaluation {
        match (side, self) {
            (Color::White, _) => self,
            (_, Evaluation::Centipawns(centipawns)) => Evaluation::Centipawns(-centipawns),
            (_, Evaluation::Mate(moves)) => Evaluation::Mate(-moves),
        }
    }
}

impl MoveNotes {
    /// The evaluation in centipawns, or the number of moves to mate.
    pub fn centipawns_or_mate(&self) -> [Option<i32>; 2] {
        match self.eval {
            Some(Evaluation::Centipawns(centipawns)) => [Some(centipawns), None],
            Some(Evaluation::Mate(moves)) => [None, Some(moves)],
            None => [None, None],
        }
    }

    /// Reads the notes of a move by `side` in the text of `game`. `found` is memory for
    /// annotations.
    #[inline(always)]
    pub fn read(
        &mut self,
        (game, text): (&Game, &[u8]),
        mv: Span,
        side: Color,
        found: &mut Vec<Annotation>,
    ) {
        let at = game.annotations_from(text, mv);
        self.clock = None;
        self.move_time = None;
        self.eval = None;
        self.nags.clear();
        self.unread = None;
        let rest = text.get(at..).unwrap_or_default();
        if !another_move_follows(rest) && !self.read_usual(rest) {
            found.clear();
            annotations(text, game.gap_after(at), found);
            for annotation in found {
                match annotation {
                    Annotation::Comment(span) => {
                        self.read_comment((game, text), *span, side);
                    }
                    Annotation::Glyph(glyph) => self.nags.push(*glyph),
                }
            }
        }
    }

    /// Reads ` { [%eval 0.17] [%clk 0:00:30] }`, either of them or both, if another move follows.
    /// False, and nothing is read, if there is anything else. A shortcut: `read_comment` reads the
    /// same, at ten times the cost.
    #[inline(always)]
    fn read_usual(&mut self, text: &[u8]) -> bool {
        let (mut clock, mut eval) = (None, None);
        let Some(mut rest) = text.strip_prefix(b" {") else {
            return false;
        };
        loop {
            rest = rest.strip_prefix(b" ").unwrap_or(rest);
            let read = match rest {
                [b'[', b'%', b'c', b'l', b'k', b' ', value @ ..] if clock.is_none() => {
                    usual_clock(value, &mut clock)
                }
                [b'[', b'%', b'e', b'v', b'a', b'l', b' ', value @ ..] if eval.is_none() => {
                    usual_evaluation(value, &mut eval)
                }
                [b'}', after @ ..] if another_move_follows(after) => {
                    (self.clock, self.eval) = (clock, eval);
                    return true;
                }
                _ => None,
            };
            match read {
                Some(after) => rest = after,
                None => return false,
            }
        }
    }

    /// Reads a comment; the first value of each kind counts.
    fn read_comment(&mut self, of: (&Game, &[u8]), span: Span, side: Color) {
        let comment = span.of(of.1);
        let begins = |&at: &usize| comment[at + 1..].starts_with(b"%");
        let mut commands = memchr_iter(b'[', comment).filter(begins).peekable();
        let has_commands = commands.peek().is_some();
        while let Some(start) = commands.next() {
            let next = commands.peek().copied();
            let command = &comment[start + 2..next.unwrap_or(comment.len())];
            let end = memchr(b']', command);
            if end.is_none() && next.is_some() {
                continue;
            }
            let command = &command[..end.unwrap_or(command.len())];
            if !self.read_command(of, command, side) {
                let start = span.start as usize + start;
                let length = 2 + command.len() + usize::from(end.is_some());
                self.unread = self.unread.or(Some(Span::new(start, start + length)));
            }
        }
        self.read_engine(comment, side);
        if !has_commands {
            self.read_fields(comment, side);
            self.clock = self.clock.or_else(|| bare_clock(comment.trim_ascii()));
        }
    }

    /// Reads a command of a game, the text between `[%` and `]`. False if it has a value that is
    /// not read, or another than one before.
    fn read_command(&mut self, of: (&Game, &[u8]), command: &[u8], side: Color) -> bool {
        let letters = command.iter().take_while(|byte| byte.is_ascii_alphabetic());
        let (name, value) = command.split_at(letters.count());
        let value = value.trim_ascii();
        match name {
            b"clk" => keep_first(&mut self.clock, clock(of, value)),
            b"emt" => keep_first(&mut self.move_time, seconds(value)),
            b"eval" => keep_first(&mut self.eval, evaluation(value, side)),
            _ => true,
        }
    }

    /// Reads an engine's evaluation with its depth, `+0.35/12` or `-M5/20`, and the time after it.
    /// Without a sign, as in `0.35/12`, it begins the comment, or follows a command or a line of
    /// moves in parentheses: elsewhere it may be a score such as `4.5/6`.
    fn read_engine(&mut self, comment: &[u8], side: Color) {
        for slash in memchr_iter(b'/', comment) {
            let is_blank = u8::is_ascii_whitespace;
            let start = comment[..slash].iter().rposition(is_blank);
            let end = comment[slash..].iter().position(is_blank);
            let (from, rest) = comment.split_at(end.map_or(comment.len(), |end| slash + end));
            let (before, word) = from.split_at(start.map_or(0, |start| start + 1));
            let (eval, depth) = without_comma(word).split_at(slash - before.len());
            let before = before.trim_ascii_end();
            let may_lack_sign =
                before.is_empty() || matches!(without_comma(before).last(), Some(b')' | b']'));
            if number(&depth[1..]).is_some()
                && (may_lack_sign || matches!(word[0], b'+' | b'-'))
                && let Some(eval) = engine_evaluation(eval)
            {
                self.eval = self.eval.or_else(|| Some(eval.of_side(side)));
                let next = rest.trim_ascii_start().split(is_blank).next();
                let time = next.and_then(|word| engine_time(without_comma(word)));
                self.move_time = self.move_time.or(time);
                return;
            }
        }
    }

    /// Reads the fields of engine tournaments, between commas: evaluations by the engine (`ev`) and
    /// for White (`wv`), the time of the move (`mt`) and the time left (`tl`).
    fn read_fields(&mut self, comment: &[u8], side: Color) {
        for mark in memchr_iter(b'=', comment) {
            let Some((before, name)) = comment[..mark].split_last_chunk() else {
                continue;
            };
            if before.last().is_some_and(u8::is_ascii_alphanumeric) {
                continue;
            }
            let value = || {
                let value = &comment[mark + 1..];
                let end = memchr(b',', value).unwrap_or(value.len());
                value[..end].trim_ascii()
            };
            match name {
                b"ev" if self.eval.is_none() => {
                    self.eval = engine_evaluation(value()).map(|it| it.of_side(side));
                }
                b"wv" if self.eval.is_none() => self.eval = engine_evaluation(value()),
                b"mt" if self.move_time.is_none() => {
                    self.move_time = field_time(value());
                }
                b"tl" if self.clock.is_none() => self.clock = field_time(value()),
                _ => {}
            }
        }
    }
}

/// Keeps a value unless there is one. False if it is missing or another.
fn keep_first<T: Copy + PartialEq>(kept: &mut Option<T>, value: Option<T>) -> bool {
    *kept = kept.or(value);
    value.is_some() && value == *kept
}

/// True if another move follows, with or without its number: the usual case. `N` and `TN` are signs
/// of annotation.
#[inline(always)]
fn another_move_follows(text: &[u8]) -> bool {
    let is_number = |byte: &&u8| matches!(byte, b' ' | b'\n' | b'.' | b'0'..=b'9');
    let number = text.iter().take_while(is_number).count();
    let [
        b'a'..=b'h' | b'K' | b'Q' | b'R' | b'B' | b'N' | b'O',
        next,
        ..,
    ] = text[number..]
    else {
        return false;
    };
    number > 0 && (next.is_ascii_lowercase() || next.is_ascii_digit() || next == b'-')
}

/// The sum of `whole` and a number such as `12`, `0.5` or `0,5`, without sign and exponent.
/// Decimals after the ninth are left out.
fn decimal(whole: u64, text: &[u8]) -> Option<f64> {
    let point = text.iter().position(|byte| matches!(byte, b'.' | b','));
    let (digits, decimals) = text.split_at(point.unwrap_or(text.len()));
    let mut units = whole + u64::from(number(digits)?);
    let mut scale = 1;
    if let [_, decimals @ ..] = decimals
        && !decimals.is_empty()
    {
        let (kept, others) = decimals.split_at(decimals.len().min(9));
        scale = 10_u64.pow(kept.len() as u32);
        units = units
            .checked_mul(scale)?
            .checked_add(number(kept)?.into())?;
        if !others.iter().all(u8::is_ascii_digit) {
            return None;
        }
    }
    Some(units as f64 / scale as f64)
}

/// A time as hours, minutes and seconds, or fewer parts: `0:03:00`, `2:58.5`, `12`.
fn seconds(value: &[u8]) -> Option<f64> {
    let mut minutes = 0;
    let mut rest = value;
    for _ in 0..2 {
        let Some(colon) = rest.iter().position(|&byte| byte == b':') else {
            break;
        };
        minutes = 60 * minutes + u64::from(number(&rest[..colon])?);
        rest = &rest[colon + 1..];
    }
    decimal(60 * minutes, rest)
}

/// A clock that is all of a comment: `0:04:57`.
fn bare_clock(text: &[u8]) -> Option<f64> {
    let whole = &text[..memchr(b'.', text).unwrap_or(text.len())];
    match whole {
        [_, .., b':', b'0'..=b'5', _, b':', b'0'..=b'5', _] => seconds(text),
        _ => None,
    }
}

/// Reads `0:00:30]` or `0:00:30.5]`, and returns what follows.
#[inline(always)]
fn usual_clock<'a>(text: &'a [u8], clock: &mut Option<f64>) -> Option<&'a [u8]> {
    let (&[hours, b':', tens, minutes, b':', ten_seconds, seconds], rest) =
        text.split_first_chunk()?
    else {
        return None;
    };
    let (tenths, rest) = match *rest {
        [b'.', tenths, ref rest @ ..] => (tenths, rest),
        _ => (b'0', rest),
    };
    let digits = [hours, tens, minutes, ten_seconds, seconds, tenths];
    if tens > b'5' || ten_seconds > b'5' || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let in_tenths = [36_000, 6_000, 600, 100, 10, 1];
    let parts = in_tenths.iter().zip(digits);
    let tenths: u32 = parts
        .map(|(unit, digit)| unit * u32::from(digit - b'0'))
        .sum();
    *clock = Some(f64::from(tenths) / 10.0);
    rest.strip_prefix(b"]")
}

/// Reads `-0.17]`, `1.5]` or `#-3]`, and returns what follows.
#[inline(always)]
fn usual_evaluation<'a>(text: &'a [u8], eval: &mut Option<Evaluation>) -> Option<&'a [u8]> {
    let mate = text.strip_prefix(b"#");
    let text = mate.unwrap_or(text);
    let minus = text.strip_prefix(b"-");
    let text = minus.unwrap_or(text);
    let sign = if minus.is_some() { -1 } else { 1 };
    let length = text.iter().take(5).take_while(|byte| byte.is_ascii_digit());
    let (digits, after) = text.split_at(length.count());
    let append = |number: i32, digit: &u8| 10 * number + i32::from(digit - b'0');
    let whole = digits.iter().fold(0, append);
    let (value, rest) = match (mate, after) {
        _ if digits.is_empty() => return None,
        (Some(_), after) => (Evaluation::Mate(sign * whole), after),
        (None, [b'.', tenths @ b'0'..=b'9', after @ ..]) => {
            let (hundredths, after) = match after {
                [hundredths @ b'0'..=b'9', after @ ..] => (hundredths, after),
                _ => (&b'0', after),
            };
            let hundredths = append(append(whole, tenths), hundredths);
            (Evaluation::Centipawns(sign * hundredths), after)
        }
        _ => return None,
    };
    *eval = Some(value);
    rest.strip_prefix(b"]")
}

/// The time on a clock. `01:58` is hours and minutes if the time control of the game has hours, and
/// as many of them; else minutes and seconds.
fn clock((game, text): (&Game, &[u8]), value: &[u8]) -> Option<f64> {
    const HOUR: f64 = 3600.0;
    let read = seconds(value)?;
    let minutes = match value.iter().position(|&byte| byte == b':') {
        Some(colon) => number(&value[colon + 1..]).filter(|&minutes| minutes < 60),
        None => None,
    };
    let most = || {
        let tag = game.known(TagName::TimeControl)?;
        let [time, most] = time_control::read(&tag.unescape(text))
            .value?
            .total_seconds()?;
        (time >= HOUR).then_some(most)
    };
    match minutes.and_then(|_| most()) {
        Some(most) if 60.0 * read <= most => Some(60.0 * read),
        _ => Some(read),
    }
}

/// The value of `[%eval]`: pawns for White (`-0.25`, `0.16/16`), or mate (`#-3`, `-M3`); with a
/// comma and a depth after it and no point, as ChessBase writes it, for the side that moved:
/// centipawns (`-166,12`) or mate (`-#8,13`).
fn evaluation(value: &[u8], side: Color) -> Option<Evaluation> {
    let depth = value.iter().position(|byte| matches!(byte, b',' | b'/'));
    let comma = depth.filter(|&depth| value[depth] == b',');
    let (sign, digits) = signed(value[..depth.unwrap_or(value.len())].trim_ascii());
    if let [b'#' | b'M', mate @ ..] = digits {
        let (mate_sign, moves) = signed(mate);
        let found = Evaluation::Mate(sign * mate_sign * count(moves)?);
        // python-chess writes the sign after `#`, for White: `#-3,12`.
        let is_of_side = comma.is_some() && moves.len() == mate.len();
        return Some(if is_of_side {
            found.of_side(side)
        } else {
            found
        });
    }
    if comma.is_some() && !digits.contains(&b'.') {
        let centipawns = sign * count(digits)?;
        return Some(Evaluation::Centipawns(centipawns).of_side(side));
    }
    pawns(sign, digits)
}

/// The evaluation of an engine for itself: `+0.35`, `-M5`.
fn engine_evaluation(text: &[u8]) -> Option<Evaluation> {
    let (sign, digits) = signed(text);
    match digits {
        [b'M' | b'#', moves @ ..] => Some(Evaluation::Mate(sign * count(moves)?)),
        _ if digits.contains(&b'.') => pawns(sign, digits),
        _ => None,
    }
}

/// A whole number, without a sign.
fn count(digits: &[u8]) -> Option<i32> {
    i32::try_from(number(digits)?).ok()
}

fn pawns(sign: i32, digits: &[u8]) -> Option<Evaluation> {
    let centipawns = (100.0 * decimal(0, digits)?).round();
    (centipawns < 1e8).then(|| Evaluation::Centipawns(sign * centipawns as i32))
}

/// A time such as `0.51s`, `510ms` or `1:02`, or `17` in seconds.
fn engine_time(word: &[u8]) -> Option<f64> {
    match word {
        [digits @ .., b'm', b's'] => Some(f64::from(number(digits)?) / 1000.0),
        [digits @ .., b's'] => decimal(0, digits),
        _ => seconds(word),
    }
}

/// A time such as `01:57:54` or `4.5s`, or `4500` in milliseconds.
fn field_time(value: &[u8]) -> Option<f64> {
    let milliseconds = number(value).map(|it| f64::from(it) / 1000.0);
    milliseconds.or_else(|| engine_time(value))
}

fn without_comma(word: &[u8]) -> &[u8] {
    word.strip_suffix(b",").unwrap_or(word)
}

fn signed(text: &[u8]) -> (i32, &[u8]) {
    match text {
        [b'-', digits @ ..] => (-1, digits),
        [b'+', digits @ ..] => (1, digits),
        digits => (1, digits),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::Scanner;

    fn read(text: &str, side: Color) -> MoveNotes {
        let mut notes = MoveNotes {
            clock: Some(1.0),
            nags: vec![1],
            ..MoveNotes::default()
        };
        let text = format!("1. e4{text}");
        let mut game = Game::default();
        Scanner::default().scan(text.as_bytes(), None, None, &mut game);
        let game = (&game, text.as_bytes());
        notes.read(game, Span::new(3, 5), side, &mut Vec::new());
        notes
    }

    /// A second blank keeps the shortcut from being taken.
    #[test]
    fn usual_notes_are_read_as_any_others() {
        let clocks = [
            "0:00:00",
            "9:59:59",
            "1:02:03.4",
            "0:60:00",
            "0:1:00",
            "10:00:00",
            "a:00:00",
            "0:0a:00",
            "0:00:5:",
            "0:00:01.",
            "0:00:01.25",
            "-0:00:01",
        ];
        let values = [
            "0.17", "-0.17", "-0.0", "1.5", "12345.67", "123456.7", "#3", "#-12", "#", "-#3",
            "--1.0", "1", "1.", ".5", "1.234", "0.16/16", "+1.0", "-166,12", "#3.5", "1.a",
        ];
        let clocks = clocks.map(|clock| format!("[%clk {clock}]"));
        let evals = values.map(|value| format!("[%eval {value}]"));
        let single = clocks.iter().chain(&evals).cloned();
        let both = clocks.iter().flat_map(|clock| {
            evals.iter().flat_map(move |eval| {
                [
                    format!("{clock} {eval}"),
                    format!("{eval}{clock}"),
                    format!("{clock}{clock} {eval}"),
                ]
            })
        });
        for comment in single.chain(both) {
            for after in [" } 1... e5", "} e5", "} {[%clk 0:00:09]} e5", "} *", ""] {
                for side in [Color::White, Color::Black] {
                    let mut notes = [" ", "  "]
                        .map(|blanks| read(&format!("{blanks}{{ {comment}{after}"), side));
                    notes[1].unread = notes[1]
                        .unread
                        .map(|span| Span::new(span.start as usize - 1, span.end as usize - 1));
                    assert_eq!(notes[0], notes[1], "{comment}{after}");
                }
            }
        }
    }

    #[test]
    fn clocks_and_times() {
        for (text, clock, move_time) in [
            (" { [%clk 0:03:00] } 1... e5", Some(180.0), None),
            ("{[%eval 0.2] [%clk 1:59:58.5]}", Some(7198.5), None),
            (" {[%clk 2:05]}{[%emt 0:00:05]} 2.", Some(125.0), Some(5.0)),
            ("{[%emt 2.25] [%clk 7]}", Some(7.0), Some(2.25)),
            ("{[%clk 1:2:3:4] [%emt x]}", None, None),
            ("{ +0.35/12 0.51s }", None, Some(0.51)),
            ("{0.00/40 2.1s, Draw by stalemate}", None, Some(2.1)),
            ("{ (Qc3c2 Bf5e6) -0.01/26 17 }", None, Some(17.0)),
            ("{-0.01/26, 1:02, tl=4.5s}", Some(4.5), Some(62.0)),
            ("{+0.35/12 510ms}", None, Some(0.51)),
            (
                "{ 0.00/36 2.0s, ev=0.00, mt=00:00:01, tl=00:29:03, pv=f1=Q, wv=0.00 }",
                Some(1743.0),
                Some(2.0),
            ),
            (
                "{d=24, mt=83557, tl=7116443, wv=0.19,}",
                Some(7116.443),
                Some(83.557),
            ),
            ("{f1=Q, mt=, tl=-4.5s, mt=8000}", None, Some(8.0)),
            ("{[%clk 3] tl=5s}", Some(3.0), None),
            ("{0:04:57}", Some(297.0), None),
            ("{ 1:00:00.5 }", Some(3600.5), None),
            ("{12:34} {0:75:00} {1:00:00 left}", None, None),
            ("{[%emt 0:00:03]}{0:04:57}", Some(297.0), Some(3.0)),
            (" {book} 2. Nf3 {[%clk 0:01:00]}", None, None),
            (" 2. Nf3 {[%clk 0:01:00]}", None, None),
            (" N {[%clk 0:01:00]} e5", Some(60.0), None),
            ("\n% {[%clk 2]}\n{[%clk 1]} *", Some(1.0), None),
            (" 1... {[%clk 1]} e5", Some(1.0), None),
            (" e5 {[%clk 1]}", None, None),
            ("", None, None),
            (" {[%clk 0:01:00]", None, None),
            ("{[%clk 0:01:00}", Some(60.0), None),
            (";[%clk 0:01:00\n{[%emt 1]}", Some(60.0), Some(1.0)),
            ("{[%clk [%emt 3] [a] [%clk 4] [%clk 5]", None, None),
            (
                "{[%clk [%emt 3] [a] [%clk 4] [%clk 5]}",
                Some(4.0),
                Some(3.0),
            ),
            ("{[%clk 0:59:58.3] [%emt 2.]}", Some(3598.3), Some(2.0)),
            (
                "{[%clk 0.30000000000000004] [%emt 0.1234567890x]}",
                Some(0.3),
                None,
            ),
            (
                "{[%clk 0:00:59,5] [%emt 0:00:02,25]}",
                Some(59.5),
                Some(2.25),
            ),
            ("{[%clk 0:-1:00] [%emt .5]}", None, None),
            (
                "{[%clk 999999999:00:00] [%emt 9999999999]}",
                Some(3_599_999_996_400.0),
                None,
            ),
        ] {
            let notes = read(text, Color::White);
            assert_eq!((notes.clock, notes.move_time), (clock, move_time), "{text}");
        }
    }

    #[test]
    fn commands_that_are_not_read_are_named() {
        for (text, unread) in [
            ("{[%clk 0:01:00] [%emt -0:00:05]}", "[%emt -0:00:05]"),
            ("{[%clk -0:00:01] [%emt x]}", "[%clk -0:00:01]"),
            ("{[%clk 1:00]}{[%clk 2:00]}", "[%clk 2:00]"),
            ("{[%clk 1:00]}{[%clk 0:01:00]}", ""),
            ("{[%eval none}", "[%eval none"),
            ("{[%eval 0.2,20][%csl Ga1][%x]}", ""),
        ] {
            let found = read(text, Color::White).unread;
            let text = format!("1. e4{text}");
            let found = found.map_or(&b""[..], |span| span.of(text.as_bytes()));
            assert_eq!(found, unread.as_bytes(), "{text}");
        }
    }

    #[test]
    fn a_clock_without_seconds_is_read_by_the_time_control() {
        for (control, clock, expected) in [
            ("40/7200:3600", "01:58", 7080.0),
            ("7200", "2:00", 7200.0),
            ("90 min + 30 sec per move", "01:30", 5400.0),
            // The clock cannot show 59 hours.
            ("7200", "59:59", 3599.0),
            ("7200", "1:58.5", 118.5),
            ("7200", "0:01:58", 118.0),
            ("5400+30", "2:05", 125.0),
            ("3000+10", "01:58", 118.0),
            ("?", "01:58", 118.0),
        ] {
            let text = format!("[TimeControl \"{control}\"]\n\n1. e4 {{[%clk {clock}]}}");
            let mut game = Game::default();
            Scanner::default().scan(text.as_bytes(), None, None, &mut game);
            let mut notes = MoveNotes::default();
            let mv = game.tokens[0].span;
            notes.read((&game, text.as_bytes()), mv, Color::White, &mut Vec::new());
            assert_eq!(notes.clock, Some(expected), "{control}, {clock}");
        }
    }

    #[test]
    fn evaluations_are_for_white() {
        use Evaluation::{Centipawns, Mate};
        for (text, white, black) in [
            ("{[%eval -0.25]}", Centipawns(-25), Centipawns(-25)),
            (
                "{[%eval +9.62] -16.66/10 0.69s}",
                Centipawns(962),
                Centipawns(962),
            ),
            ("{[%eval 0.17,20]}", Centipawns(17), Centipawns(17)),
            ("{[%eval 3]}", Centipawns(300), Centipawns(300)),
            ("{[%eval #-3]}", Mate(-3), Mate(-3)),
            ("{[%eval -M1]}", Mate(-1), Mate(-1)),
            ("{[%eval M4]}", Mate(4), Mate(4)),
            ("{[%eval 0.16/16]}", Centipawns(16), Centipawns(16)),
            ("{[%eval #-3/20]}", Mate(-3), Mate(-3)),
            ("{[%eval -166,12]}", Centipawns(-166), Centipawns(166)),
            ("{[%eval -#8,13]}", Mate(-8), Mate(8)),
            ("{[%eval #-8,13]}", Mate(-8), Mate(-8)),
            ("{ +0.68/5 0.63s }", Centipawns(68), Centipawns(-68)),
            ("{0.68/5}", Centipawns(68), Centipawns(-68)),
            ("{(e7e5 g1f3) 0.68/5}", Centipawns(68), Centipawns(-68)),
            ("{[%clk 7] 0.68/5}", Centipawns(68), Centipawns(-68)),
            ("{-M5/20 0.3s}", Mate(-5), Mate(5)),
            ("{ -0.24/313791 1.4s }", Centipawns(-24), Centipawns(24)),
            ("{d=24, ev=-0.24, wv=0.3}", Centipawns(-24), Centipawns(24)),
            ("{v=1, prev=7.5, wv=0.3}", Centipawns(30), Centipawns(30)),
            ("{d=24, wv=-M12, }", Mate(-12), Mate(-12)),
        ] {
            assert_eq!(read(text, Color::White).eval, Some(white), "{text}");
            assert_eq!(read(text, Color::Black).eval, Some(black), "{text}");
        }
        for text in [
            "{[%eval ]}",
            "{1/2-1/2}",
            "{see 12/2}",
            "{He won with 4.5/6}",
            "{on 3.4.2020/5}",
            "{[%eval -]}",
        ] {
            assert_eq!(read(text, Color::White).eval, None, "{text}");
        }
    }

    #[test]
    fn glyphs_up_to_the_next_token() {
        assert_eq!(
            read("?? $14 {[%clk 1]} $32 2. e4 $1", Color::White).nags,
            [4, 14, 32]
        );
        assert_eq!(read(" ; $5\n$6 (1. d4 $7)", Color::White).nags, [6]);
        assert_eq!(
            read(" N {[%clk 1]} 1... $1 += e5", Color::White).nags,
            [146, 1, 14]
        );
        assert_eq!(read(" += {a} $1", Color::White).nags, [14, 1]);
        let nested = read("{[%clk 3] {b} = $5 ! [%emt 1]} e5", Color::White);
        assert_eq!((nested.clock, nested.move_time), (Some(3.0), Some(1.0)));
        assert!(nested.nags.is_empty());
        assert!(read(" $ $256 *", Color::White).nags.is_empty());
        assert_eq!(read(" 1-0", Color::White), MoveNotes::default());
    }
}
