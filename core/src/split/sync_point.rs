//! Sync points: game starts that hold in any splitter state, so that text can be split without its
//! prefix.

use std::io::{self, Read};

use memchr::{memmem, memrchr};

use crate::split::encoding::END_OF_FILE_MARK;

/// The beginning of such a game, with the line feed before it.
const BEGINNING: &[u8] = b"\n[Event \"";

/// Whether a text begins with a tag pair, after `%` lines and other characters allowed between
/// games.
pub fn begins_with_tag(text: &[u8]) -> bool {
    let mut rest = text;
    loop {
        rest = match rest {
            [b'%', ..] => match memchr::memchr(b'\n', rest) {
                Some(line_feed) => &rest[line_feed + 1..],
                None => return false,
            },
            [0xef, 0xbb, 0xbf, rest @ ..]
            | [
                b' ' | b'\t' | b'\r' | b'\n' | 0 | END_OF_FILE_MARK,
                rest @ ..,
            ] => rest,
            [first, ..] => return *first == b'[',
            [] => return false,
        }
    }
}

/// Whether a text that follows another begins with a sync point.
pub fn begins_at_sync_point(before: &[u8], text: &[u8]) -> bool {
    let before = before.strip_suffix(b"\n");
    text.starts_with(&BEGINNING[1..]) && before.is_some_and(|it| movetext_end(it).is_some())
}

/// Finds the end of the game before the first sync point: the start of the first blank line. The
/// first `searched` bytes are known to have none.
///
/// A sync point is an `[Event` tag pair after a line of movetext and blank lines. In movetext, in a
/// comment or between tags, a blank line and the tag pair end a game. The one other state is inside
/// a tag value continued by an escaped line feed. The line of movetext excludes that: it begins no
/// value, and a value continued into it ends there, since a line without a quote ends any value
/// unless a backslash escapes its line feed. With a quote in it, the line before must not end with
/// a backslash.
pub fn first_sync_end(text: &[u8], searched: usize) -> Option<usize> {
    let from = searched.saturating_sub(BEGINNING.len() - 1);
    memmem::find_iter(&text[from..], BEGINNING)
        .find_map(|line_feed| movetext_end(&text[..from + line_feed]))
}

/// Text that is kept before the place of the search, in bytes: more than a line of movetext and the
/// blank lines after it.
pub const CONTEXT: usize = 64 << 10;

/// First sync point of a text, and the text after it.
#[derive(Debug)]
pub struct SyncPoint {
    /// End of the game before it, as an offset in the text.
    pub at: u64,
    /// The text read from there on.
    pub rest: Vec<u8>,
    /// Error that follows this text.
    pub error: Option<io::Error>,
}

/// Reads a text up to the first sync point whose tag pair begins at `least` or later.
///
/// The result depends on the text alone: a search that began earlier finds the same sync point, or
/// one before it.
pub fn find(text: &mut impl Read, least: u64) -> io::Result<Option<SyncPoint>> {
    let mut window = Vec::new();
    let (mut dropped, mut searched) = (0_u64, 0);
    loop {
        let step = text.by_ref().take(CONTEXT as u64).read_to_end(&mut window);
        // The line feed before the tag pair is part of the pattern.
        let least = least.saturating_sub(dropped) as usize;
        let known = searched.max(least + BEGINNING.len() - 2).min(window.len());
        if let Some(at) = first_sync_end(&window, known) {
            return Ok(Some(SyncPoint {
                at: dropped + at as u64,
                rest: window.split_off(at),
                error: step.err(),
            }));
        }
        // The text before an error is searched first.
        if step? == 0 {
            return Ok(None);
        }
        let old = window.len().saturating_sub(CONTEXT);
        window.drain(..old);
        dropped += old as u64;
        searched = window.len();
    }
}

/// End of the line of movetext at the end of a text. Blank lines may follow it, the last of them
/// without its line feed.
fn movetext_end(text: &[u8]) -> Option<usize> {
    let without_return = |line| <[u8]>::strip_suffix(line, b"\r").unwrap_or(line);
    let (mut rest, mut end) = (without_return(text), None);
    while let Some(before) = rest.strip_suffix(b"\n") {
        end = Some(rest.len());
        rest = without_return(before);
    }
    // Without the line feed before it, the start of the line is unknown.
    let (before, line) = rest.split_at(memrchr(b'\n', rest)? + 1);
    let [first, .., last] = line else {
        return None;
    };
    let carries_over = |line: &[u8]| line.ends_with(b"\\");
    // A line feed at the beginning of a part of a text may be escaped.
    let continues = |before: &[u8]| before.len() == 1 || carries_over(&before[..before.len() - 1]);
    let is_movetext = (first.is_ascii_alphanumeric() || b"{(".contains(first))
        && *last != b'\\'
        && (!line.contains(&b'"') || !continues(before));
    end.filter(|_| is_movetext)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::split::Offset;
    use crate::split::join::Joiner;
    use crate::split::splitter::Splitter;
    use crate::split::splitter::tests::in_parts;
    use crate::split::test_util::{Random, TRICKY, noise, spoiled};

    /// The last sync point of a text.
    fn last_sync_point(text: &[u8]) -> Option<usize> {
        memmem::rfind_iter(text, BEGINNING)
            .find(|&line_feed| movetext_end(&text[..line_feed]).is_some())
            .map(|line_feed| line_feed + 1)
    }

    #[test]
    fn only_a_tag_pair_after_movetext_will_do() {
        let check = |text: &str, expected| {
            assert_eq!(last_sync_point(text.as_bytes()), expected, "{text:?}");
        };
        check("e4 *\nd5 *\n\n[Event \"x\"]", Some(11));
        check("e4 *\r\nd5 *\r\n\r\n[Event \"x\"]", Some(14));
        check("*\nd5 *\n\n[Event \"x\"]\n[Event \"y\"]", Some(8));
        check("e4 *\nd5 *\n\n\n[Event \"x\"]", Some(12));
        check("e4 *\r\nd5 *\r\n\r\n\r\n\r\n[Event \"x\"]", Some(18));
        check("d5 *\n\n[Event \"x\"]", None);
        check("*\nd5 *\n[Event \"x\"]", None);
        check("*\n[White \"a\"]\n\n[Event \"x\"]", None);
        check("*\nd5 {\"*\"}\n\n[Event \"x\"]", Some(12));
        check("\\\nd5 {\"*\"}\n\n[Event \"x\"]", None);
        check("d5 {\"*\"}\n\n[Event \"x\"]", None);
        check("*\nd5 *\\\n\n[Event \"x\"]", None);
        check("*\n% *\n\n[Event \"x\"]", None);
        check("*\n*\n\n[Site \"x\"]", None);
    }

    /// Cuts a text at its sync points, and compares a splitter that continues with one that begins
    /// there.
    fn check(text: &[u8]) -> usize {
        let mut places = Vec::new();
        let mut rest = text;
        while let Some(at) = last_sync_point(rest) {
            places.push(at);
            rest = &text[..at];
        }
        for &at in &places {
            let games = |splitter: Splitter, mut joiner: Joiner, text: &[u8]| {
                let (base, mut ends) = (splitter.at(), Vec::new());
                let mut found = in_parts(splitter, text, usize::MAX);
                joiner.join(text, base, &mut found, true, &mut ends);
                ends.iter()
                    .map(|end| (end.at, end.unclosed_comment))
                    .collect::<Vec<_>>()
            };
            let limit = u64::MAX;
            let all = games(Splitter::games(Offset(0)), Joiner::new(limit), text);
            let mut before = games(Splitter::games(Offset(0)), Joiner::new(limit), &text[..at]);
            let place = Offset(at as u64);
            let after = games(
                Splitter::games(place),
                Joiner::resume_at(place, limit),
                &text[at..],
            );
            // Comments alone are no game, and belong to the first one.
            if before.is_empty() {
                assert!(!begins_with_tag(text));
                assert_eq!(after, all, "at {at} of {:?}", String::from_utf8_lossy(text));
                continue;
            }
            // The game before may leave the blank lines to this one.
            let same = all[before.len() - 1].0.0;
            let last = before.last_mut().expect("a line of movetext is a game");
            assert_eq!(last.0, place);
            assert!(
                text[same as usize..at].trim_ascii().is_empty(),
                "{same} {at}"
            );
            last.0.0 = same;
            before.extend(after);
            assert_eq!(
                before,
                all,
                "at {at} of {:?}",
                String::from_utf8_lossy(text)
            );
        }
        places.len()
    }

    #[test]
    fn whatever_stands_before_a_game_begins_there() {
        let mut random = Random(0x5eed);
        let mut places = 0;
        let mut check_behind = |text: &[u8], random: &mut Random| {
            let line = random.pick(&[
                "e4 *",
                "1. d4 {",
                "a ",
                "( ",
                "} *",
                "Nf3 ; x",
                "e4 \\ e5",
                "a\"b",
                "[A b]",
                "a\"]",
                "[A \"b\\",
                "[A \"b\\\ne4 \" {",
                "x\\\na\"b\"c",
                "{\"",
                "1.\"[\"]{\"",
            ]);
            let end = random.pick(&["\n", "\r\n"]);
            let blank = end.repeat(1 + random.below(3));
            let mut text = text.to_vec();
            text.extend(format!("{line}{end}{blank}[Event \"x\"]{end}{end}1. e4 *").as_bytes());
            if random.below(4) == 0 {
                text.extend(spoiled(random));
            }
            places += check(&text);
        };
        for _ in 0..400 {
            for text in TRICKY {
                check_behind(text.as_bytes(), &mut random);
            }
        }
        for _ in 0..40_000 {
            let mut text = spoiled(&mut random);
            text.extend(noise(&mut random));
            check_behind(&text, &mut random);
            let noise = noise(&mut random);
            check_behind(&noise, &mut random);
        }
        assert!(places > 10_000, "{places}");
    }
}
