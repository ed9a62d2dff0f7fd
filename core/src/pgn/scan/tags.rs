//! Tag pairs (PGN standard 8.1), and what stands between them.

use memchr::{memchr, memchr3};

use crate::pgn::game::Game;
use crate::pgn::scan::may_be_move;
use crate::pgn::scan::{line_end, skip_blank};
use crate::pgn::tag_name::TagName;
use crate::pgn::token::{FaultKind, Span};
use crate::pgn::values::result;
use crate::text::index::IndexView;
use crate::text::{BYTE_ORDER_MARK, TagFilter, TagLine, is_name_byte, odd_blank, wide_blank};

/// Reads tag pairs, all or the `wanted` and unusual ones; returns where the movetext begins.
pub(crate) fn scan(
    text: &[u8],
    mut index: IndexView<'_>,
    mut at: usize,
    wanted: Option<&TagFilter>,
    game: &mut Game,
) -> usize {
    let mut after_blank = false;
    while text.get(at) == Some(&b'[') {
        if let Some([quote, close, next]) = index.pair_at(at)
            && push_usual(text, [at, quote, close], wanted, after_blank, game)
        {
            (at, after_blank) = (next, false);
            continue;
        }
        let open = at;
        at += 1;
        let quote = match memchr3(b'"', b'\n', b']', &text[at..]) {
            Some(length) if text[at + length] == b'"' => at + length,
            found => {
                let end = found.map_or(text.len(), |length| at + length);
                let bracket = usize::from(text.get(end) == Some(&b']'));
                fault(text, open, end + bracket, FaultKind::MalformedTag, game);
                (at, after_blank) = after_pair(text, (end + 1).min(text.len()), game);
                continue;
            }
        };
        let name = trim(text, at, quote);
        let start = quote + 1;
        let end = value_end(text, start);
        let is_closed = text.get(end) == Some(&b'"') && bracket(text, end + 1).is_some();
        let value = if is_closed && is_name(name.of(text)) {
            at = end + 1;
            Span::new(start, end)
        } else {
            let value;
            (value, at) = faulty(text, open, name, start, end, game);
            value
        };
        let name = without_wide_blanks(text, name);
        game.push_tag(name, TagName::read(name.of(text)), value, after_blank);
        (at, after_blank) = after_pair(text, at, game);
    }
    at
}

/// Adds a usual tag pair if it is wanted; whether its name is of the characters that names have,
/// and one blank follows.
#[inline]
fn push_usual(
    text: &[u8],
    [open, quote, close]: [usize; 3],
    wanted: Option<&TagFilter>,
    after_blank: bool,
    game: &mut Game,
) -> bool {
    let Some(name) = text[open + 1..quote].strip_suffix(b" ") else {
        return false;
    };
    if wanted.is_some_and(|wanted| !wanted.has(name)) {
        return true;
    }
    let known = TagName::read(name);
    let is_usual = known.is_some() || is_name(name);
    if is_usual {
        let [name, value] = [Span::new(open + 1, quote - 1), Span::new(quote + 1, close)];
        game.push_tag(name, known, value, after_blank);
    }
    is_usual
}

/// A name without the blanks outside ASCII after it, with which the tag pair is malformed.
fn without_wide_blanks(text: &[u8], name: Span) -> Span {
    let word = name.of(text);
    let length = word.iter().take_while(|byte| byte.is_ascii()).count();
    let mut blanks = &word[length..];
    while let [_, ..] = blanks {
        match wide_blank(blanks) {
            0 => return name,
            blank => blanks = &blanks[blank..],
        }
    }
    let start = name.start as usize;
    Span::new(start, trim_end(text, start, start + length))
}

#[cold]
fn fault(text: &[u8], open: usize, end: usize, kind: FaultKind, game: &mut Game) {
    game.fault(kind, Span::new(open, trim_end(text, open, end)));
}

/// Reads a faulty tag pair whose value begins at `start` and, by the quotes alone, ends at `end`:
/// its value, and the offset of its bracket.
#[cold]
fn faulty(
    text: &[u8],
    open: usize,
    name: Span,
    start: usize,
    end: usize,
    game: &mut Game,
) -> (Span, usize) {
    if text.get(end) != Some(&b'"') {
        fault(text, open, end, FaultKind::UnclosedTag, game);
        let mut value = trim_end(text, start, end);
        if text[start..value].ends_with(b"]") {
            value = trim_end(text, start, value - 1);
            // The last quote was meant to close the value; the backslash was not meant for it.
            if text[start..value].ends_with(b"\\\"") {
                value -= 1;
            }
        }
        return (Span::new(start, value), end);
    }
    if let Some((line, length)) = goes_on(&text[end + 1..]) {
        let bracket = trim_end(text, start, end + 1 + length) - 1;
        let mut value = trim_end(text, start, bracket);
        if !line.is_closed() || !is_name(name.of(text)) {
            fault(text, open, bracket + 1, FaultKind::MalformedTag, game);
        }
        if line.is_closed() {
            value -= 1;
            game.fault(FaultKind::UnescapedQuote, Span::new(end, end + 1));
        }
        return (Span::new(start, value), bracket);
    }
    let shown = bracket(text, end + 1).map_or(end + 1, |bracket| bracket + 1);
    fault(text, open, shown, FaultKind::MalformedTag, game);
    (Span::new(start, end), end + 1)
}

/// Whether a value continues after a quote that seems to close it, up to a bracket: the state of
/// the line then, and its length without its line feed or the next tag pair.
fn goes_on(rest: &[u8]) -> Option<(TagLine, usize)> {
    let next = rest
        .iter()
        .find(|byte| !matches!(byte, b' ' | b'\t' | b'\r'))?;
    if matches!(next, b']' | b'\n' | b'[') {
        return None;
    }
    let mut line = TagLine::new();
    for (length, &byte) in rest.iter().enumerate() {
        if let Some(whole) = line.feed(byte) {
            return whole.then_some((line, length));
        }
    }
    line.is_whole().then_some((line, rest.len()))
}

/// The quote that closes a value, or the end of the line. A backslash takes the next byte with it,
/// whatever it is.
fn value_end(text: &[u8], start: usize) -> usize {
    let mut end = start;
    loop {
        match memchr3(b'\\', b'"', b'\n', &text[end..]) {
            Some(length) if text[end + length] == b'\\' => end = (end + length + 2).min(text.len()),
            Some(length) => return end + length,
            None => return text.len(),
        }
    }
}

fn is_name(name: &[u8]) -> bool {
    !name.is_empty() && name.iter().all(|&byte| is_name_byte(byte))
}

/// The bracket that closes a pair on its line.
fn bracket(text: &[u8], after_value: usize) -> Option<usize> {
    let at = after_value + blanks(&text[after_value..]);
    (text.get(at) == Some(&b']')).then_some(at)
}

/// Number of blanks at the beginning of a text.
fn blanks(text: &[u8]) -> usize {
    let blanks = text.iter().take_while(|byte| b" \t".contains(byte));
    blanks.count()
}

/// Skips the `]` of a tag pair, if it is there, and what stands between it and the next tag pair or
/// the movetext; whether a blank line was in that.
#[inline]
fn after_pair(text: &[u8], mut at: usize, game: &mut Game) -> (usize, bool) {
    let line_start = loop {
        match text.get(at) {
            Some(b' ' | b'\t' | b'\r' | 0x0b | 0x0c) => at += 1,
            Some(b']') => break false,
            Some(b'\n') => break true,
            None => return (at, false),
            _ => return between(text, at, game),
        }
    };
    let next = skip_blank(text, at + 1, line_start);
    let line_feeds = text[at..next].iter().filter(|&&byte| byte == b'\n');
    match (text.get(next), line_feeds.count()) {
        (Some(b'[' | b'*') | None, count) | (Some(b'0'..=b'9'), count @ 1..) => (next, count > 1),
        _ => between(text, at + 1, game),
    }
}

/// Passes comments, blanks outside ASCII and text that is no movetext, up to the next tag pair.
/// Without one, the movetext begins at the first comment, or after the text beside the last pair.
#[cold]
fn between(text: &[u8], start: usize, game: &mut Game) -> (usize, bool) {
    let mut stray = Vec::new();
    let mut movetext = None;
    let mut line_start = text[..start].ends_with(b"\n");
    let mut after_pair = !line_start;
    let (mut after_blank, mut has_words) = (false, false);
    let mut at = start;
    let is_followed = loop {
        let rest = &text[at..];
        let length = match rest {
            [] => break false,
            [b'[', ..] if !has_words || begins_pair(rest) => break true,
            [b'\n', ..] if line_start && has_words => break false,
            [b'\n', ..] => {
                after_blank |= line_start;
                (line_start, after_pair) = (true, false);
                1
            }
            [b' ' | b'\t' | b'\r' | 0x0b | 0x0c, ..] => 1,
            [b'%', ..] if line_start => {
                line_start = false;
                line_end(text, at) - at
            }
            // A comment without a word is no comment.
            [b';', b'\n', ..] | [b';', b'\r', b'\n', ..] if after_pair => {
                stray.push(Span::new(at, at + 1));
                1
            }
            [b'{' | b';', ..] => {
                movetext.get_or_insert((at, stray.len()));
                line_start = false;
                match rest[0] {
                    b'{' => memchr(b'}', rest).map_or(0, |length| length + 1),
                    _ => line_end(text, at) - at,
                }
            }
            _ => {
                let blank = match rest[0] {
                    b'>' if line_start => 1,
                    _ => odd_blank(rest),
                };
                let beside = beside_pair(rest, line_start);
                let length = match blank {
                    0 if beside > 0 => beside,
                    // Words after a blank line are movetext.
                    0 if after_blank => 0,
                    0 => words(rest),
                    blank => blank,
                };
                if !after_pair || length == 0 {
                    movetext.get_or_insert((at, stray.len()));
                }
                if blank == 0 {
                    has_words |= beside == 0;
                    line_start = false;
                }
                if !rest.starts_with(BYTE_ORDER_MARK) {
                    stray.push(Span::new(at, at + length));
                }
                length
            }
        };
        if length == 0 {
            break false;
        }
        at += length;
    };
    if !is_followed && let Some((begin, count)) = movetext {
        at = begin;
        stray.truncate(count);
    }
    for span in stray {
        game.fault(FaultKind::StrayText, span);
    }
    (at, after_blank)
}

/// Whether a text begins with a bracket, a name and a quote.
fn begins_pair(text: &[u8]) -> bool {
    let rest = &text[1 + blanks(&text[1..])..];
    let name = rest.iter().take_while(|&&byte| is_name_byte(byte)).count();
    name > 0 && rest.get(name + blanks(&rest[name..])) == Some(&b'"')
}

/// Length of the text up to the next tag pair or comment, or the end of the line, if it is no
/// movetext and stands beside a tag pair: after one or, from the start of a line, before one. A
/// number at the start of a line begins movetext, but not directly before a bracket.
pub fn beside_pair(text: &[u8], line_start: bool) -> usize {
    let number = text.iter().take_while(|byte| byte.is_ascii_digit());
    let number = number.count();
    if line_start && number > 0 && text.get(number) != Some(&b'[') {
        return 0;
    }
    let length = words(text);
    let rest = &text[length..];
    let rest = &rest[blanks(rest)..];
    let is_beside = !line_start || rest.first() == Some(&b'[') && begins_pair(rest);
    if is_beside { length } else { 0 }
}

/// Maximum length of the text beside a tag pair, in bytes.
pub const MOST_BESIDE_PAIR: usize = 256;

/// Length of the text at the beginning of a line that is no movetext; 0 if it may be movetext.
fn words(text: &[u8]) -> usize {
    let line = &text[..text.len().min(MOST_BESIDE_PAIR)];
    let first = line.split(u8::is_ascii_whitespace).next();
    if first.is_some_and(may_be_movetext) {
        return 0;
    }
    let ends = |&at: &usize| match line[at] {
        b'\n' | b'{' | b';' => true,
        byte => byte == b'[' && begins_pair(&line[at..]),
    };
    let end = match (0..line.len()).find(ends) {
        Some(end) => end,
        None if line.len() == text.len() => text.len(),
        None => return 0,
    };
    let line = line[..end].trim_ascii_end();
    let mut words = line.split(u8::is_ascii_whitespace);
    // A byte order mark or another blank may end a word.
    let is_movetext = |word: &[u8]| {
        may_be_movetext(word) || word.split(|byte| !byte.is_ascii()).any(may_be_movetext)
    };
    if words.any(is_movetext) {
        0
    } else {
        line.len()
    }
}

/// Whether a word may be a move, its number, a glyph or a result.
fn may_be_movetext(word: &[u8]) -> bool {
    let word = &word[word.iter().take_while(|&&byte| byte == b'(').count()..];
    let digits = word.iter().take_while(|byte| byte.is_ascii_digit()).count();
    word.contains(&b'*')
        || digits > 0 && word.get(digits) == Some(&b'.')
        || matches!(word, [b'$', b'0'..=b'9', ..])
        || matches!(word, b"--" | b"Z0")
        || word.iter().any(u8::is_ascii_alphanumeric) && may_be_move(word)
        || result::read(word).is_valid()
}

fn trim(text: &[u8], start: usize, end: usize) -> Span {
    let start = end - text[start..end].trim_ascii_start().len();
    Span::new(start, trim_end(text, start, end))
}

fn trim_end(text: &[u8], start: usize, end: usize) -> usize {
    start + text[start..end].trim_ascii_end().len()
}
