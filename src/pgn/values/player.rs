//! Names of players, normalised for comparison.

use arrayvec::ArrayVec;
use memchr::memchr;

use crate::text::decode;

/// Titles before and after names.
const TITLES: [&str; 16] = [
    "gm", "im", "fm", "cm", "nm", "wgm", "wim", "wfm", "wcm", "wnm", "dr", "prof", "mr", "mrs",
    "ms", "sir",
];

const LONGEST_TITLE: usize = 4;

/// Values of a tag whose player is not known.
const UNKNOWN: [&str; 5] = ["", "nn", "unknown", "anonymous", "noname"];

/// Appends a key to `key` that is equal for the ways in which one name is written: the last word of
/// the surname and the initial of the given name, in ASCII and lower case. Nothing is appended if
/// the player is not known.
///
/// `Müller, Karsten`, `GM Karsten Mueller` and `Muller,K.` have one key. Without a comma the
/// surname is the last word that is no initial. The number by which a database tells namesakes
/// apart, as in `Volkov,S2`, does not count. Another name with a digit or `_`, such as that of an
/// account or a program, has to be the same but for case and blanks.
pub(crate) fn push_key(key: &mut Vec<u8>, name: &[u8]) {
    let text = decode(name);
    let ascii = match text.is_ascii() {
        true => text,
        false => deunicode::deunicode(&text).into(),
    };
    let open = ascii.find('(').filter(|&open| open > 0);
    let plain = &ascii.as_bytes()[..open.unwrap_or(ascii.len())];
    let letters = plain.iter().filter(|byte| byte.is_ascii_alphanumeric());
    let letters = letters.map(u8::to_ascii_lowercase);
    if UNKNOWN.iter().any(|name| name.bytes().eq(letters.clone())) {
        return;
    }
    let comma = memchr(b',', plain);
    let (before, after) = comma.map_or((plain, &[][..]), |comma| {
        (&plain[..comma], without_number(&plain[comma + 1..]))
    });
    let mut bytes = before.iter().chain(after);
    if bytes.any(|&byte| byte.is_ascii_digit() || byte == b'_') {
        let visible = plain.iter().filter(|byte| byte.is_ascii_graphic());
        key.extend(visible.map(u8::to_ascii_lowercase));
        return;
    }
    let (words, after) = (Words::of(before), Words::of(after));
    let (mut surname, mut given) = (words.as_slice(), after.as_slice());
    if given.is_empty() && surname.len() > 1 {
        // `K. Müller` and `Karsten Müller`, or `Müller K.`
        let is_initial = |word: &&&[u8]| word.iter().filter(|&&byte| byte != b'\'').count() == 1;
        let initials = surname.iter().rev().take_while(is_initial).count();
        if initials == 0 || initials == surname.len() {
            (given, surname) = surname.split_at(surname.len() - 1);
        } else {
            (surname, given) = surname.split_at(surname.len() - initials);
        }
    }
    push_word(key, surname.last().copied().unwrap_or_default());
    key.push(b',');
    let mut letters = given.iter().flat_map(|word| word.iter());
    let initial = letters.find(|letter| letter.is_ascii_alphabetic());
    key.extend(initial.map(u8::to_ascii_lowercase));
}

/// A given name without the number that follows it.
fn without_number(given: &[u8]) -> &[u8] {
    let end = |text: &[u8], is_end: fn(&u8) -> bool| {
        let last = text.iter().rposition(|byte| !is_end(byte));
        last.map_or(0, |last| last + 1)
    };
    let name = &given[..end(given, |byte| matches!(byte, b'.' | b' '))];
    let name = &name[..end(name, u8::is_ascii_digit)];
    match name.last().is_some_and(u8::is_ascii_alphabetic) {
        true => name,
        false => given,
    }
}

/// The words of a name, without titles.
struct Words<'a> {
    all: ArrayVec<&'a [u8], 16>,
    from: usize,
}

impl<'a> Words<'a> {
    fn of(text: &'a [u8]) -> Words<'a> {
        let mut all = ArrayVec::new();
        let is_between = |byte: &u8| byte.is_ascii_whitespace() || b".-,?".contains(byte);
        for word in text.split(is_between).filter(|word| !word.is_empty()) {
            // The last word is kept, however many there are.
            if all.is_full() {
                all.pop();
            }
            all.push(word);
        }
        let is_title = |word: &[u8]| {
            let is_it = |title: &&str| word.eq_ignore_ascii_case(title.as_bytes());
            word.len() <= LONGEST_TITLE && TITLES.iter().any(is_it)
        };
        let mut from = 0;
        while from + 1 < all.len() && is_title(all[from]) {
            from += 1;
        }
        while from + 1 < all.len() && all.last().is_some_and(|word| is_title(word)) {
            all.pop();
        }
        Words { all, from }
    }

    fn as_slice(&self) -> &[&'a [u8]] {
        &self.all[self.from..]
    }
}

/// Appends the letters of a word; the German `ae`, `oe` and `ue` are those of an umlaut.
fn push_word(key: &mut Vec<u8>, word: &[u8]) {
    let letters = word.iter().filter(|byte| byte.is_ascii_alphanumeric());
    let mut letters = letters.map(u8::to_ascii_lowercase).peekable();
    while let Some(letter) = letters.next() {
        key.push(letter);
        if b"aou".contains(&letter) {
            letters.next_if_eq(&b'e');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(name: &str) -> String {
        let mut key = Vec::new();
        push_key(&mut key, name.as_bytes());
        String::from_utf8(key).unwrap()
    }

    #[test]
    fn ways_to_write_one_name() {
        for names in [
            &[
                "Müller, Karsten",
                "GM Karsten Mueller",
                "Muller,K.",
                "MÜLLER K",
                "K. Müller",
            ][..],
            &[
                "Kasparov, Garry",
                "Garry Kasparov",
                "Kasparov,G",
                "Kasparov, G.K.",
                "Kasparov G.K.",
            ],
            &[
                "Vachier-Lagrave, Maxime",
                "Vachier Lagrave,M",
                "Maxime Vachier-Lagrave",
            ],
            &["O'Kelly de Galway, Alberic", "O'KELLY DE GALWAY, A (BEL)"],
            &["Euwe, Max", "Dr. Max Euwe", "Euwe, M. (wh)"],
            &[
                "Volkov,S2",
                "Volkov, Sergey1",
                "Volkov, S1.",
                "Sergey Volkov",
            ],
            &["Stockfish 16", "stockfish 16", "Stockfish16"],
            &["Корчной, Виктор", "Korchnoi, V"],
            &["?", "", "N.N.", "-", "Unknown"],
        ] {
            for name in names {
                assert_eq!(key(name), key(names[0]), "{name}");
            }
        }
    }

    #[test]
    fn other_players() {
        for [one, other] in [
            ["Lasker, Emanuel", "Lasker, Max"],
            ["Lasker", "Lasker, E"],
            ["Polgar, Judit", "Polgar, Zsuzsa"],
            ["Stockfish 16", "Stockfish 15"],
            ["Fritz, Deep 13", "Fritz, Deep 14"],
            ["Li Chao", "Li Chao2"],
            ["user_1", "user_2"],
            ["Moe, A", "Noe, A"],
            ["?", "Lasker"],
        ] {
            assert_ne!(key(one), key(other), "{one} and {other}");
        }
    }
}
