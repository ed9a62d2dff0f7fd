//! Text between two tokens of movetext: numbers, comments, glyphs.

use memchr::{memchr, memchr_iter, memrchr};

use crate::pgn::token::Span;
use crate::text::{odd_blank, wide_blank};

/// An item of the text between two tokens. White space and unknown words are left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GapItem {
    /// A move number.
    Number {
        /// Its value; the largest `u32` for larger ones.
        value: u32,
        /// How many points follow it, with or without blanks.
        points: u32,
        /// Whether a blank stands before the last of the points.
        blank: bool,
        /// The digits and the points.
        span: Span,
    },
    /// Digits with periods between them, such as `0.25` or `2024.05.01`.
    Decimal(Span),
    /// `{…}` or `;…`, without its braces or its semicolon; `None` for a line that begins with `%`
    /// and for a comment that is never closed.
    Comment(Option<Span>),
    /// A `}` that closes nothing.
    Brace(usize),
    /// A numeric annotation glyph, or the sign it stands for.
    Glyph(u8),
    /// `!`, `?` or several of them.
    Suffix(Span),
}

/// Reads the text between two tokens of a game.
pub fn gap_items(text: &[u8], range: Span) -> impl Iterator<Item = GapItem> {
    let (mut at, end) = (range.start as usize, (range.end as usize).min(text.len()));
    std::iter::from_fn(move || {
        while at < end {
            let start = at;
            let rest = &text[at..end];
            let until = |stop: u8| memchr(stop, rest).map(|length| start + length);
            match rest[0] {
                b'{' => {
                    let close = until(b'}');
                    at = close.map_or(end, |close| close + 1);
                    let inner = close.map(|close| Span::new(start + 1, close));
                    return Some(GapItem::Comment(inner));
                }
                b';' => {
                    at = until(b'\n').unwrap_or(end);
                    return Some(GapItem::Comment(Some(Span::new(start + 1, at))));
                }
                b'%' if start == 0 || text[start - 1] == b'\n' => {
                    at = until(b'\n').unwrap_or(end);
                    return Some(GapItem::Comment(None));
                }
                b'}' => {
                    at += 1;
                    return Some(GapItem::Brace(start));
                }
                b'!' | b'?' => {
                    let marks = rest.iter().take_while(|&&byte| matches!(byte, b'!' | b'?'));
                    at += marks.count();
                    return Some(GapItem::Suffix(Span::new(start, at)));
                }
                b'$' => {
                    at += 1 + digits(&rest[1..]);
                    if at > start + 1
                        && let Ok(glyph) = u8::try_from(value(&text[start + 1..at]))
                    {
                        return Some(GapItem::Glyph(glyph));
                    }
                }
                // An offer of a draw.
                b'1' if rest.starts_with(b"1/2") => at += 3,
                b'0'..=b'9' => {
                    let number = number(&text[..end], start);
                    let (GapItem::Decimal(span) | GapItem::Number { span, .. }) = number else {
                        return None;
                    };
                    at = span.end as usize;
                    return Some(number);
                }
                b' ' | b'\t' | b'\r' | b'\n' | b'.' | b',' | b'>' => at += 1,
                _ if odd_blank(rest) > 0 => at += odd_blank(rest),
                _ => {
                    let word = &rest[..word_length(rest)];
                    let sign = match word {
                        b"+" => spaced_sign(rest),
                        _ => None,
                    };
                    let name = word.strip_suffix(b",").unwrap_or(word);
                    let sign = sign.or_else(|| Some((glyph_of_sign(name)?, word.len())));
                    // A number in a word that was left out counts.
                    let digit = word.iter().position(u8::is_ascii_digit);
                    at += sign.map_or(digit.unwrap_or(word.len()), |(_, length)| length);
                    if let Some((glyph, _)) = sign {
                        return Some(GapItem::Glyph(glyph));
                    }
                }
            }
        }
        None
    })
}

/// The number or decimal that begins at a place.
fn number(text: &[u8], start: usize) -> GapItem {
    let end = start + digits(&text[start..]);
    let mut last = end;
    while let [b'.', b'0'..=b'9', ..] = text[last..] {
        last += 1 + digits(&text[last + 1..]);
    }
    // `2.2.` is a number twice.
    if last > end && text.get(last) != Some(&b'.') {
        return GapItem::Decimal(Span::new(start, last));
    }
    let (points, length) = points(&text[end..]);
    GapItem::Number {
        value: value(&text[start..end]),
        points,
        blank: length > points as usize,
        span: Span::new(start, end + length),
    }
}

fn digits(text: &[u8]) -> usize {
    text.iter().take_while(|byte| byte.is_ascii_digit()).count()
}

/// The value of digits; the largest `u32` if it is larger.
fn value(digits: &[u8]) -> u32 {
    let digits = str::from_utf8(digits).unwrap_or_default();
    digits.parse().unwrap_or(u32::MAX)
}

/// How many points follow, and where the last of them ends.
fn points(text: &[u8]) -> (u32, usize) {
    let between = text.iter().take_while(|byte| b". \t\r\n".contains(byte));
    let between = &text[..between.count()];
    let last = memrchr(b'.', between);
    let points = memchr_iter(b'.', between).count();
    (points as u32, last.map_or(0, |last| last + 1))
}

/// An annotation between two tokens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Annotation {
    /// A comment, without its braces or its semicolon. It contains the brace of a nested comment.
    Comment(Span),
    /// A numeric annotation glyph, or the sign it stands for.
    Glyph(u8),
}

/// Signs that are not in the PGN standard, with the glyphs of its section 10 that mean the same,
/// and two that all databases use.
const SIGNS: [(&str, u8); 36] = [
    ("+-", 18),
    ("-+", 19),
    ("+/-", 16),
    ("-/+", 17),
    ("+=", 14),
    ("+/=", 14),
    ("=+", 15),
    ("=/+", 15),
    ("=", 10),
    ("~", 13),
    ("N", 146),
    ("TN", 146),
    ("RR", 145),
    ("D", 220),
    // Signs of the Chess Informant.
    ("+\u{2212}", 18),
    ("\u{2212}+", 19),
    ("+\u{2013}", 18),
    ("\u{2013}+", 19),
    ("±", 16),
    ("∓", 17),
    ("⩲", 14),
    ("⩱", 15),
    ("∞", 13),
    ("□", 7),
    ("‼", 3),
    ("⁇", 4),
    ("⁉", 5),
    ("⁈", 6),
    ("↑", 36),
    ("→", 40),
    ("⇄", 132),
    ("⇆", 132),
    ("⊕", 138),
    ("△", 140),
    ("∆", 140),
    ("Δ", 140),
];

/// The glyph that a sign of annotation stands for.
pub(crate) fn glyph_of_sign(word: &[u8]) -> Option<u8> {
    let sign = SIGNS.iter().find(|(sign, _)| sign.as_bytes() == word);
    sign.map(|&(_, glyph)| glyph)
}

/// Length of a word without the longest sign of annotation that ends it. Signs of letters end none.
pub(crate) fn length_before_sign(word: &[u8]) -> usize {
    let signs = SIGNS.iter().map(|(sign, _)| sign.as_bytes());
    let lengths = signs
        .filter(|sign| !sign[0].is_ascii_alphabetic() && word.ends_with(sign))
        .map(|sign| word.len() - sign.len());
    lengths.min().unwrap_or(word.len())
}

/// The glyph of a sign that is written with blanks in it, such as `+ =`, and its length.
fn spaced_sign(text: &[u8]) -> Option<(u8, usize)> {
    let parts = text.iter().take_while(|byte| b"+-=/ ".contains(byte));
    let length = text[..parts.count()].trim_ascii_end().len();
    let mut sign = text[..length].to_vec();
    sign.retain(|&byte| byte != b' ');
    Some((glyph_of_sign(&sign)?, length))
}

/// Adds what is said between two tokens of a game's text to `found`, in its order. A comment that
/// is never closed is left out.
pub fn annotations(text: &[u8], range: Span, found: &mut Vec<Annotation>) {
    let first = found.len();
    for item in gap_items(text, range) {
        match item {
            GapItem::Comment(Some(span)) => found.push(Annotation::Comment(span)),
            GapItem::Brace(at) => rejoin(at, first, found),
            GapItem::Glyph(glyph) => found.push(Annotation::Glyph(glyph)),
            GapItem::Suffix(marks) => {
                found.push(Annotation::Glyph(glyph_of_marks(marks.of(text))));
            }
            GapItem::Comment(None) | GapItem::Number { .. } | GapItem::Decimal(_) => {}
        }
    }
}

/// A brace that closes nothing was meant to close the last comment; what stands between them
/// belongs to that.
fn rejoin(brace: usize, first: usize, found: &mut Vec<Annotation>) {
    let is_comment = |one: &Annotation| matches!(one, Annotation::Comment(_));
    if let Some(last) = found[first..].iter().rposition(is_comment) {
        found.truncate(first + last + 1);
        if let Some(Annotation::Comment(span)) = found.last_mut() {
            span.end = brace as u32;
        }
    }
}

fn word_length(text: &[u8]) -> usize {
    let ends = |at: &usize| match text[*at] {
        b' ' | b'\t' | b'\r' | b'\n' | b'{' | b'}' | b';' | b'$' | b'!' | b'?' => true,
        // In UTF-8 the byte of a no-break space in Latin-1 is a part of other characters.
        _ => match wide_blank(&text[*at..]) {
            1 => text[at - 1].is_ascii(),
            length => length > 0,
        },
    };
    (1..text.len()).find(ends).unwrap_or(text.len())
}

/// The glyph of `!`, `??`, `!?` and so on (PGN standard 8.2.3.8); of longer ones that of the
/// longest which is like it.
pub fn glyph_of_marks(marks: &[u8]) -> u8 {
    match marks {
        [b'!'] => 1,
        [b'?'] => 2,
        [b'!', b'!', ..] => 3,
        [b'?', b'?', ..] => 4,
        [b'!', ..] => 5,
        _ => 6,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_comments_and_marks_are_distinguished() {
        let text = b"!? $12 {12. not} 12 . .. ;13.\n%14.\n 15...x 1.5 16.";
        let found: Vec<_> = gap_items(text, Span::new(0, text.len())).collect();
        let number = |value, points, blank, start, end| GapItem::Number {
            value,
            points,
            blank,
            span: Span::new(start, end),
        };
        assert_eq!(
            found,
            [
                GapItem::Suffix(Span::new(0, 2)),
                GapItem::Glyph(12),
                GapItem::Comment(Some(Span::new(8, 15))),
                number(12, 3, true, 17, 24),
                GapItem::Comment(Some(Span::new(26, 29))),
                GapItem::Comment(None),
                number(15, 3, false, 36, 41),
                GapItem::Decimal(Span::new(43, 46)),
                number(16, 1, false, 47, 50),
            ]
        );
    }

    #[test]
    fn a_number_of_any_length_is_read() {
        let text = b"99999999999999999999.";
        let found: Vec<_> = gap_items(text, Span::new(0, text.len())).collect();
        assert!(matches!(
            found[..],
            [GapItem::Number {
                value: u32::MAX,
                ..
            }]
        ));
    }

    fn found(text: &str) -> Vec<String> {
        let mut found = Vec::new();
        annotations(text.as_bytes(), Span::new(0, text.len()), &mut found);
        let shown = found.into_iter().map(|one| match one {
            Annotation::Comment(span) => {
                format!("{{{}}}", String::from_utf8_lossy(span.of(text.as_bytes())))
            }
            Annotation::Glyph(number) => format!("${number}"),
        });
        shown.collect()
    }

    #[test]
    fn comments_and_glyphs_in_their_order() {
        assert_eq!(
            found("! $12 {best by\ntest}+/- ;the end of the line!\n12... "),
            [
                "$1",
                "$12",
                "{best by\ntest}",
                "$16",
                "{the end of the line!}"
            ]
        );
        assert_eq!(found("?! !? ?? !! !!!"), ["$6", "$5", "$4", "$3", "$3"]);
        assert_eq!(found(" N, 3. {}"), ["$146", "{}"]);
    }

    #[test]
    fn what_is_neither_is_passed_over() {
        assert!(found(" 12 . ... e.p. $ $256 +++ {never closed").is_empty());
        assert_eq!(found("\n%escaped {not a comment}\n{one}"), ["{one}"]);
    }

    #[test]
    fn a_comment_within_a_comment_is_one_comment() {
        assert_eq!(
            found("{a {nested} remark!} $1"),
            ["{a {nested} remark!}", "$1"]
        );
        assert_eq!(found("} $1"), ["$1"]);
    }
}
