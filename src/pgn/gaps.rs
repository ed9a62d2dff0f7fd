//! Text between two tokens of movetext: numbers, comments, glyphs.

use memchr::memchr;

use crate::pgn::game::Span;

/// An item of the text between two tokens. White space and reported faults are left out.
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
    /// `{…}` or `;…`, or a line that begins with `%`.
    Comment,
    /// `!`, `?` or several of them.
    Suffix(Span),
}

/// Reads the text between two tokens of a game.
pub fn gap_items(text: &[u8], range: Span) -> impl Iterator<Item = GapItem> {
    let (mut at, end) = (range.start as usize, range.end as usize);
    std::iter::from_fn(move || {
        while at < end {
            let start = at;
            let rest = &text[at..end];
            let until = |stop: u8| memchr(stop, rest).map_or(end, |length| start + length + 1);
            match rest[0] {
                b'{' => {
                    at = until(b'}');
                    return Some(GapItem::Comment);
                }
                b';' => {
                    at = until(b'\n');
                    return Some(GapItem::Comment);
                }
                b'%' if start == 0 || text[start - 1] == b'\n' => {
                    at = until(b'\n');
                    return Some(GapItem::Comment);
                }
                b'!' | b'?' => {
                    let marks = rest.iter().take_while(|&&byte| matches!(byte, b'!' | b'?'));
                    at += marks.count();
                    return Some(GapItem::Suffix(Span::new(start, at)));
                }
                b'$' => at += 1 + digits(&rest[1..]),
                b'0'..=b'9' => {
                    let length = digits(rest);
                    at += length;
                    let (points, last) = points(&text[at..end]);
                    let number = GapItem::Number {
                        value: value(&rest[..length]),
                        points,
                        blank: last > points as usize,
                        span: Span::new(start, at + last),
                    };
                    at += last;
                    return Some(number);
                }
                _ => at += 1,
            }
        }
        None
    })
}

fn digits(text: &[u8]) -> usize {
    text.iter().take_while(|byte| byte.is_ascii_digit()).count()
}

fn value(digits: &[u8]) -> u32 {
    digits.iter().fold(0, |value: u32, digit| {
        value
            .saturating_mul(10)
            .saturating_add(u32::from(digit - b'0'))
    })
}

/// How many points follow, and where the last of them ends.
fn points(text: &[u8]) -> (u32, usize) {
    let (mut points, mut end) = (0, 0);
    for (nth, byte) in text.iter().enumerate() {
        match byte {
            b'.' => {
                points += 1;
                end = nth + 1;
            }
            b' ' | b'\t' | b'\r' | b'\n' => {}
            _ => break,
        }
    }
    (points, end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_comments_and_marks_are_told_apart() {
        let text = b"!? $12 {12. not} 12 . .. ;13.\n%14.\n 15...x";
        let found: Vec<_> = gap_items(text, Span::new(0, text.len() - 1)).collect();
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
                GapItem::Comment,
                number(12, 3, true, 17, 24),
                GapItem::Comment,
                GapItem::Comment,
                number(15, 3, false, 36, 41),
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
}
