//! Suggestions for mistyped words.

/// The word that was probably meant, or none if nothing is similar. Case does not count.
pub fn nearest<'a>(written: &str, words: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let written = written.to_lowercase();
    let similarity = |word: &str| {
        let word = word.to_lowercase();
        // Jaro similarity forgives swapped and missing letters. Shared pairs of letters find a
        // common part at another place, as in `3fold` and `threefold`.
        let (letters, pairs) = (
            strsim::jaro(&written, &word),
            strsim::sorensen_dice(&written, &word),
        );
        letters.max(pairs + 0.35)
    };
    words
        .into_iter()
        .map(|word| (similarity(word), word))
        .max_by(|(a, _), (b, _)| a.total_cmp(b))
        .filter(|(similarity, _)| *similarity > 0.82)
        .map(|(_, word)| word)
}

/// Message for a word that is none of these: `no such key; did you mean `year`? There are …`.
pub fn no_such(what: &str, written: &str, words: &[&str]) -> String {
    let all = words.join(", ");
    match nearest(written, words.iter().copied()) {
        Some(meant) => format!("no such {what}; did you mean `{meant}`? there are {all}"),
        None => format!("no such {what}; there are {all}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistyped_words() {
        let claims = ["threefold", "fifty", "insufficient", "dead", "stalemate"];
        assert_eq!(nearest("3fold", claims), Some("threefold"));
        assert_eq!(nearest("Stalemate", claims), Some("stalemate"));
        assert_eq!(nearest("fivty", claims), Some("fifty"));
        assert_eq!(nearest("king", claims), None);
        assert_eq!(nearest("yaer", ["eco", "year", "player"]), Some("year"));
        assert_eq!(nearest("FIDE", ["uscf", "fide", "fide-2023"]), Some("fide"));
        assert_eq!(nearest("", claims), None);
        assert_eq!(nearest("martian", ["german", "croatian", "italian"]), None);
    }
}
