//! Places at which a game begins whatever stands before them, so that text can be cut without being read from its beginning.

use memchr::{memmem, memrchr};

/// How such a game begins.
const BEGINNING: &[u8] = b"\n[Event \"";

/// More candidates than this are not looked at: where so many fail, the text is of another kind.
const MOST_CANDIDATES: usize = 64;

/// The last place in a text at which a game begins whatever stands before the text, and from which a splitter goes on as if
/// it had just begun to read.
///
/// It is an `[Event` tag pair behind a blank line behind a line of movetext. Wherever the splitter is at that line, the
/// blank line and the tag pair end a game for it, be it in movetext, in a comment or between tags. It could be elsewhere
/// only inside a tag pair, and a line that does not begin with a bracket and holds no quote begins none, and ends one that
/// an escaped line feed may have carried over; unless a backslash does the same to its own line feed.
pub(super) fn fresh_start(text: &[u8]) -> Option<usize> {
    memmem::rfind_iter(text, BEGINNING)
        .take(MOST_CANDIDATES)
        .find(|&line_feed| follows_movetext(&text[..line_feed]))
        .map(|line_feed| line_feed + 1)
}

/// The end of the game before the first such place: where the blank line begins.
pub(super) fn first_fresh_end(text: &[u8]) -> Option<usize> {
    memmem::find_iter(text, BEGINNING)
        .take(MOST_CANDIDATES)
        .find(|&line_feed| follows_movetext(&text[..line_feed]))
        .map(|line_feed| line_feed - usize::from(text[..line_feed].ends_with(b"\r")))
}

/// Whether a text, whose last line lacks its line feed, ends with a line of movetext and a blank line.
fn follows_movetext(text: &[u8]) -> bool {
    let blank = text.strip_suffix(b"\r").unwrap_or(text);
    let Some(text) = blank.strip_suffix(b"\n") else {
        return false;
    };
    // Where the line begins is not known without the line feed before it.
    let Some(before) = memrchr(b'\n', text) else {
        return false;
    };
    let line = text[before + 1..]
        .strip_suffix(b"\r")
        .unwrap_or(&text[before + 1..]);
    let [first, .., last] = line else {
        return false;
    };
    (first.is_ascii_alphanumeric() || b"{(".contains(first))
        && *last != b'\\'
        && !line.contains(&b'"')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::Offset;
    use crate::input::samples::{Random, TRICKY, noise, spoiled};
    use crate::input::split::Splitter;

    #[test]
    fn only_a_tag_pair_behind_movetext_will_do() {
        let check =
            |text: &str, expected| assert_eq!(fresh_start(text.as_bytes()), expected, "{text:?}");
        check("e4 *\nd5 *\n\n[Event \"x\"]", Some(11));
        check("e4 *\r\nd5 *\r\n\r\n[Event \"x\"]", Some(14));
        check("*\nd5 *\n\n[Event \"x\"]\n[Event \"y\"]", Some(8));
        check("d5 *\n\n[Event \"x\"]", None);
        check("*\nd5 *\n[Event \"x\"]", None);
        check("*\n[White \"a\"]\n\n[Event \"x\"]", None);
        check("*\nd5 {\"*\"}\n\n[Event \"x\"]", None);
        check("*\nd5 *\\\n\n[Event \"x\"]", None);
        check("*\n% *\n\n[Event \"x\"]", None);
        check("*\n*\n\n[Site \"x\"]", None);
    }

    /// Cuts a text where it may be cut, and compares what a splitter finds that goes on with what one finds that begins
    /// there.
    fn check(text: &[u8]) -> usize {
        let mut places = Vec::new();
        let mut rest = text;
        while let Some(at) = fresh_start(rest) {
            places.push(at);
            rest = &text[..at];
        }
        for &at in &places {
            let mut on = Splitter::new();
            let (mut before, mut after, mut all) = (Vec::new(), Vec::new(), Vec::new());
            on.feed(text, &mut all);
            on.finish(&mut all);
            let mut first = Splitter::new();
            first.feed(&text[..at], &mut before);
            first.finish(&mut before);
            let mut second = Splitter::fresh(Offset(at as u64));
            second.feed(&text[at..], &mut after);
            second.finish(&mut after);
            // The game before may leave the blank line to this one.
            let same = all[before.len() - 1].at.0;
            let last = before.last_mut().expect("a line of movetext is a game");
            assert_eq!(last.at.0, at as u64);
            assert!(at as u64 - same <= 2, "{same} {at}");
            last.at.0 = same;
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
                "e4 *", "1. d4 {", "a ", "( ", "} *", "Nf3 ; x", "e4 \\ e5", "a\"b", "[A b]",
            ]);
            let end = random.pick(&["\n", "\r\n"]);
            let mut text = text.to_vec();
            text.extend(format!("{line}{end}{end}[Event \"x\"]{end}{end}1. e4 *").as_bytes());
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
