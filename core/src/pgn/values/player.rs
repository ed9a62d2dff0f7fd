//! Names of players, normalised for comparison.

use crate::text::decode;

/// Titles before and after names.
const TITLES: [&str; 16] = [
    "gm", "im", "fm", "cm", "nm", "wgm", "wim", "wfm", "wcm", "wnm", "dr", "prof", "mr", "mrs",
    "ms", "sir",
];

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
    let Some(plain) = plain(name) else {
        return;
    };
    let (before, after) = plain.split_once(',').unwrap_or((&plain, ""));
    let after = without_number(after);
    let mut bytes = before.bytes().chain(after.bytes());
    if bytes.any(|byte| byte.is_ascii_digit() || byte == b'_') {
        key.extend(plain.bytes().filter(u8::is_ascii_graphic));
        return;
    }
    let (surname, given) = parts(before, after);
    push_word(key, surname.last().copied().unwrap_or_default());
    key.push(b',');
    let letters = given.iter().flat_map(|word| word.bytes());
    key.extend(letters.filter(u8::is_ascii_alphabetic).take(1));
}

/// Surname with the initial of the given name, and the given name, empty if it is an initial.
/// `None` without a given name, or with digits, which tell namesakes apart.
pub fn surname_and_given(name: &[u8]) -> Option<(String, String)> {
    let plain = plain(name).filter(|name| !name.contains(|c: char| c.is_ascii_digit()))?;
    let (before, after) = plain.split_once(',').unwrap_or((&plain, ""));
    let (surname, given) = parts(before, after);
    let given = given.concat();
    let surname = format!("{},{}", surname.join(" "), given.get(..1)?);
    let is_full = given.len() > 1;
    Some((surname, if is_full { given } else { String::new() }))
}

/// A known name in ASCII and lower case, without what follows in parentheses.
fn plain(name: &[u8]) -> Option<String> {
    let text = decode(name);
    let ascii = match text.is_ascii() {
        true => text,
        false => deunicode::deunicode(&text).into(),
    };
    let open = ascii.find('(').filter(|&open| open > 0);
    let plain = ascii[..open.unwrap_or(ascii.len())].to_ascii_lowercase();
    let letters = plain.bytes().filter(u8::is_ascii_alphanumeric);
    let is_unknown = UNKNOWN.iter().any(|name| name.bytes().eq(letters.clone()));
    (!is_unknown).then_some(plain)
}

/// The words of the surname and of the given name, before and after a comma.
fn parts<'a>(before: &'a str, after: &'a str) -> (Vec<&'a str>, Vec<&'a str>) {
    let mut surname = words(before);
    let mut given = words(after);
    let is_initial = |word: &&str| word.trim_matches('\'').len() == 1;
    if given.is_empty() && surname.len() > 1 {
        // `K. Müller` and `Karsten Müller`, or `Müller K.`
        let initials = surname.iter().rev().take_while(|word| is_initial(word));
        let initials = initials.count();
        if initials == 0 || initials == surname.len() {
            given = surname.drain(..surname.len() - 1).collect();
        } else {
            given = surname.split_off(surname.len() - initials);
        }
    }
    (surname, given)
}

/// A given name without the number that follows it.
fn without_number(given: &str) -> &str {
    let name = given.trim_end_matches(['.', ' ']);
    let name = name.trim_end_matches(|c: char| c.is_ascii_digit());
    match name.ends_with(|c: char| c.is_ascii_alphabetic()) {
        true => name,
        false => given,
    }
}

/// The words of a name, without titles.
fn words(text: &str) -> Vec<&str> {
    let is_between = |c: char| c.is_ascii_whitespace() || matches!(c, '.' | '-' | ',' | '?');
    let words = text.split(is_between);
    let mut words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let is_title = |word: &&str| TITLES.contains(word);
    while words.len() > 1 && words.first().is_some_and(is_title) {
        words.remove(0);
    }
    while words.len() > 1 && words.last().is_some_and(is_title) {
        words.pop();
    }
    words
}

/// Appends the letters of a word; the German `ae`, `oe` and `ue` are those of an umlaut.
fn push_word(key: &mut Vec<u8>, word: &str) {
    let mut letters = word.bytes().filter(u8::is_ascii_alphanumeric).peekable();
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
