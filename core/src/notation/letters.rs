//! Piece letters of languages, and their conversion to English.

use std::fmt;

use arrayvec::ArrayVec;

use crate::chess::piece::Role;
use crate::chess::san::{SanPlus, SanSyntaxError};

/// Language, or another set of symbols for pieces.
#[derive(PartialEq, Eq, Debug)]
pub struct Language {
    /// English name, such as `German`.
    pub name: &'static str,
    /// Name in the language itself.
    pub own_name: &'static str,
    /// ISO 639-1 code, with the script if it is not the usual one; `fan` for figurines.
    pub code: &'static str,
}

/// Piece letters of one or more languages.
///
/// # Examples
///
/// ```
/// # use chess_arbiter_core::notation::LetterSet;
/// let german = LetterSet::named("German").unwrap();
/// assert_eq!(german.read(b"Sf3").unwrap().to_string(), "Nf3");
/// ```
#[derive(PartialEq, Eq, Debug)]
pub struct LetterSet {
    /// Languages with these letters; at least one.
    pub languages: &'static [Language],
    /// By [`Role`], from pawn to king: the letter, followed by alternatives, separated by blanks.
    letters: [&'static str; 6],
}

macro_rules! sets {
    ($($($name:literal $own:literal $code:literal),+
        => $pawn:literal $knight:literal $bishop:literal
        $rook:literal $queen:literal $king:literal;)*) => {
        &[$(LetterSet {
            languages: &[$(Language { name: $name, own_name: $own, code: $code }),+],
            letters: [$pawn, $knight, $bishop, $rook, $queen, $king],
        }),*]
    };
}

/// All sets, English first. No two have the same five letters for the pieces.
///
/// Sources: PGN standard, section 17, for the languages named there; for the others the initial
/// letters that their chess literature uses.
pub static LETTER_SETS: &[LetterSet] = sets! {
    // Pawn, knight, bishop, rook, queen, king.
    "English" "English" "en" => "P" "N" "B" "R" "Q" "K";
    "German" "Deutsch" "de", "Danish" "dansk" "da", "Norwegian" "norsk" "no",
        "Swedish" "svenska" "sv", "Croatian" "hrvatski" "hr", "Serbian" "srpski" "sr",
        "Bosnian" "bosanski" "bs", "Slovene" "slovenščina" "sl"
        => "B" "S" "L" "T" "D" "K";
    "French" "français" "fr" => "P" "C" "F" "T" "D" "R";
    "Spanish" "español" "es", "Italian" "italiano" "it", "Catalan" "català" "ca"
        => "P" "C" "A" "T" "D" "R";
    "Dutch" "Nederlands" "nl", "Luxembourgish" "Lëtzebuergesch" "lb" => "O" "P" "L" "T" "D" "K";
    "Polish" "polski" "pl" => "P" "S" "G" "W" "H" "K";
    "Czech" "čeština" "cs", "Slovak" "slovenčina" "sk" => "P" "J" "S" "V" "D" "K";
    "Portuguese" "português" "pt", "Galician" "galego" "gl" => "P" "C" "B" "T" "D" "R";
    "Hungarian" "magyar" "hu" => "G" "H" "F" "B" "V" "K";
    "Romanian" "română" "ro" => "P" "C" "N" "T" "D" "R";
    "Finnish" "suomi" "fi", "Afrikaans" "Afrikaans" "af" => "P" "R" "L" "T" "D" "K";
    "Estonian" "eesti" "et" => "P E" "R" "O" "V" "L" "K";
    "Icelandic" "íslenska" "is" => "P" "R" "B" "H" "D" "K";
    "Latvian" "latviešu" "lv" => "B" "Z" "L" "T" "D" "K";
    "Lithuanian" "lietuvių" "lt" => "P" "Ž" "R" "B" "V" "K";
    "Turkish" "Türkçe" "tr" => "P E" "A" "F" "K" "V" "Ş";
    "Welsh" "Cymraeg" "cy" => "G" "M" "E" "C" "B" "T";
    "Basque" "euskara" "eu" => "P" "Z" "A" "G" "D" "E";
    "Esperanto" "Esperanto" "eo" => "P" "Ĉ" "K" "T" "D" "R";
    "Indonesian" "Bahasa Indonesia" "id" => "P" "K" "G" "B" "M" "R";
    "Russian" "русский" "ru" => "п П" "К K" "С C" "Л" "Ф" "Кр КР Kp";
    "Ukrainian" "українська" "uk" => "п П" "К K" "С C" "Т T" "Ф" "Кр КР Kp";
    "Bulgarian" "български" "bg" => "П" "К K" "О O" "Т T" "Д" "Ц";
    "Serbian in Cyrillic letters" "српски" "sr-Cyrl", "Macedonian" "македонски" "mk"
        => "П" "С C" "Л" "Т T" "Д" "К K";
    "Russian in Latin letters" "russkij" "ru-Latn" => "P" "K" "S" "L" "F" "Kr KR Kp";
    "Greek" "ελληνικά" "el" => "Σ" "Ι" "Α" "Π" "Β" "Ρ";
    "Figurines" "♔♕♖♗♘" "fan" => "♙ ♟" "♘ ♞" "♗ ♝" "♖ ♜" "♕ ♛" "♔ ♚";
};

/// Word in English letters. Longer words are not moves.
pub(crate) type EnglishWord = ArrayVec<u8, 24>;

impl LetterSet {
    /// English letters, those of the PGN standard (section 8.2.3.2).
    pub fn english() -> &'static LetterSet {
        &LETTER_SETS[0]
    }

    /// Set of a language, by its English name, its own name or its ISO code, ignoring case.
    pub fn named(name: &str) -> Option<&'static LetterSet> {
        let name = name.trim().to_lowercase();
        LETTER_SETS.iter().find(|set| {
            set.languages.iter().any(|language| {
                [language.name, language.own_name, language.code]
                    .iter()
                    .any(|word| word.to_lowercase() == name)
            })
        })
    }

    /// English name of the first language, such as `German`.
    pub fn name(&self) -> &'static str {
        self.languages[0].name
    }

    /// Phrase for messages: `in German letters`, `with figurines`.
    pub fn how(&self) -> String {
        match self.languages[0] {
            Language { code: "fan", .. } => "with figurines".to_owned(),
            Language { name, .. } => format!("in {name} letters"),
        }
    }

    /// The letter of a piece.
    pub fn letter(&self, role: Role) -> &'static str {
        let letters = self.letters[role.index()];
        letters.split(' ').next().unwrap_or(letters)
    }

    /// Converts a word to English letters, at the beginning and in promotions.
    ///
    /// `None` if the word has an upper-case letter that is not in the set: `Nf3` is not German.
    /// Castling and pawn moves have no letters and are the same in all sets.
    pub(crate) fn to_english(&self, word: &[u8]) -> Option<EnglishWord> {
        let mut english = EnglishWord::new();
        let mut rest = word;
        let castling = matches!(
            word,
            [b'O' | b'o' | b'0', b'-' | b'O' | b'o' | b'0' | 0xe2, ..]
        );
        let mut after_rank = false;
        while let Some((&byte, after)) = rest.split_first() {
            let at_start = english.is_empty();
            let promotion = after_rank || matches!(english.last(), Some(b'=' | b'/' | b'('));
            if !castling
                && (at_start || promotion)
                && let Some((role, length)) = self.piece(rest)
            {
                english.try_push(role.letter() as u8).ok()?;
                rest = without_variation_selector(&rest[length..]);
            } else if !castling
                && english.last() == Some(&b'=')
                && let Some(role) = self.lower_case_piece(byte)
            {
                let letter = role.letter().to_ascii_lowercase();
                english.try_push(letter as u8).ok()?;
                rest = after;
            } else if byte.is_ascii_uppercase() && !castling {
                return None;
            } else {
                english.try_push(byte).ok()?;
                rest = after;
            }
            after_rank = matches!(english.last(), Some(b'1'..=b'8'));
        }
        Some(english)
    }

    /// Reads a word in SAN with these letters.
    ///
    /// # Errors
    ///
    /// If the word is anything else.
    pub fn read(&self, word: &[u8]) -> Result<SanPlus, SanSyntaxError> {
        SanPlus::from_ascii(&self.to_english(word).ok_or(SanSyntaxError)?)
    }

    /// Whether the word begins with a letter of the set.
    pub(crate) fn begins(&self, word: &[u8]) -> bool {
        self.piece(word).is_some()
    }

    /// Piece letter at the beginning of a text, and its length in bytes. The longest match counts:
    /// a Russian king is `Кр` and a knight `К`.
    pub(crate) fn piece(&self, text: &[u8]) -> Option<(Role, usize)> {
        Role::ALL
            .into_iter()
            .flat_map(|role| {
                let spellings = self.letters[role.index()].split(' ');
                spellings.map(move |letter| (role, letter))
            })
            .filter(|(_, letter)| text.starts_with(letter.as_bytes()))
            .map(|(role, letter)| (role, letter.len()))
            .max_by_key(|&(_, length)| length)
    }

    /// Role of a lower-case letter, as in `e8=d`.
    pub(crate) fn lower_case_piece(&self, byte: u8) -> Option<Role> {
        let (role, _) = self.piece(&[byte.to_ascii_uppercase()])?;
        byte.is_ascii_lowercase().then_some(role)
    }
}

/// Text after a variation selector, which shows a figurine as text or as a picture.
pub(crate) fn without_variation_selector(text: &[u8]) -> &[u8] {
    match text {
        // U+FE0E and U+FE0F.
        [0xef, 0xb8, 0x8e | 0x8f, rest @ ..] => rest,
        _ => text,
    }
}

impl fmt::Display for LetterSet {
    /// The languages, and the letters from king to knight: `German, Danish (K D T L S)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (nth, language) in self.languages.iter().enumerate() {
            let comma = if nth > 0 { ", " } else { "" };
            write!(f, "{comma}{}", language.name)?;
        }
        let [_, knight, bishop, rook, queen, king] = Role::ALL.map(|role| self.letter(role));
        write!(f, " ({king} {queen} {rook} {bishop} {knight})")
    }
}

/// The sets of piece letters in which a game can be read: one, or several that yield the same
/// moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Letters {
    /// One bit for each index in [`LETTER_SETS`].
    sets: u64,
}

impl Letters {
    pub(crate) fn of(nth: usize) -> Letters {
        Letters { sets: 1 << nth }
    }

    /// One set.
    pub fn only(set: &'static LetterSet) -> Letters {
        let mut sets = LETTER_SETS.iter();
        Letters::of(sets.position(|other| std::ptr::eq(other, set)).unwrap_or(0))
    }

    /// One set; `None` for the English one.
    pub fn other_than_english(set: &'static LetterSet) -> Option<Letters> {
        Some(Letters::only(set)).filter(|&only| only != Letters::of(0))
    }

    /// The sets, in the order of [`LETTER_SETS`]; at least one.
    pub fn sets(self) -> impl Iterator<Item = &'static LetterSet> {
        let numbered = LETTER_SETS.iter().enumerate();
        numbered.filter_map(move |(nth, set)| (self.sets >> nth & 1 == 1).then_some(set))
    }

    /// The first of the sets.
    pub fn first(self) -> &'static LetterSet {
        &LETTER_SETS[self.sets.trailing_zeros() as usize]
    }

    /// Adds the set with this index in [`LETTER_SETS`].
    pub(crate) fn add(&mut self, nth: usize) {
        self.sets |= 1 << nth;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(language: &str, word: &str, english: &str) {
        let set = LetterSet::named(language).unwrap();
        let found = set.to_english(word.as_bytes());
        let found = found.as_deref().map(String::from_utf8_lossy);
        assert_eq!(found.as_deref(), Some(english), "{language}: {word}");
    }

    #[test]
    fn words_of_several_languages() {
        check("German", "Dc4+", "Qc4+");
        check("de", "Sf3", "Nf3");
        check("Deutsch", "Lb5xc6", "Bb5xc6");
        check("german", "e8=D+", "e8=Q+");
        check("german", "e8D", "e8Q");
        check("german", "bxa1=s", "bxa1=n");
        check("french", "Rd2", "Kd2");
        check("FR", "Cge2", "Nge2");
        check("spanish", "Axf7#", "Bxf7#");
        check("dutch", "Pf3", "Nf3");
        check("polish", "Hxf7", "Qxf7");
        check("czech", "Jf3", "Nf3");
        check("hungarian", "Hf3", "Nf3");
        check("hungarian", "Bfd1", "Rfd1");
        check("icelandic", "Rf3", "Nf3");
        check("turkish", "Şg1", "Kg1");
        check("turkish", "Kfd1", "Rfd1");
        check("russian", "Крe2", "Ke2");
        check("russian", "Кe2", "Ne2");
        check("russian", "a1=Ф", "a1=Q");
        check("ru-latn", "Kre2", "Ke2");
        check("greek", "Ιf3", "Nf3");
        check("figurines", "♘f3", "Nf3");
        check("figurines", "♞\u{fe0e}f6", "Nf6");
        check("figurines", "a1=♛", "a1=Q");
    }

    #[test]
    fn what_has_no_letters_stays_as_it_is() {
        for set in LETTER_SETS {
            for word in ["e4", "bxc3", "O-O", "O-O-O+", "0-0", "e2-e4", "--", "exd6"] {
                check(set.name(), word, word);
            }
        }
    }

    #[test]
    fn letters_of_other_sets_are_refused() {
        for (language, word) in [
            ("german", "Nf3"),
            ("german", "Qxd5"),
            ("french", "Kd2"),
            ("english", "Sf3"),
            ("figurines", "Nf3"),
            ("german", "e8=Q"),
        ] {
            let set = LetterSet::named(language).unwrap();
            assert_eq!(set.to_english(word.as_bytes()), None, "{language}: {word}");
        }
        let endless = "e".repeat(100);
        assert_eq!(LETTER_SETS[1].to_english(endless.as_bytes()), None);
    }

    #[test]
    fn sets_differ_and_letters_within_a_set_too() {
        for (nth, set) in LETTER_SETS.iter().enumerate() {
            let pieces = |set: &LetterSet| {
                Role::ALL[1..]
                    .iter()
                    .map(|&role| set.letter(role))
                    .collect::<Vec<_>>()
            };
            for other in &LETTER_SETS[..nth] {
                assert_ne!(pieces(set), pieces(other), "{set}");
                for language in set.languages {
                    let taken = |other: &Language| {
                        other.name == language.name || other.code == language.code
                    };
                    assert!(!other.languages.iter().any(taken), "{}", language.name);
                }
            }
            let mut spellings: Vec<_> = set
                .letters
                .iter()
                .flat_map(|letters| letters.split(' '))
                .collect();
            let all = spellings.len();
            spellings.sort_unstable();
            spellings.dedup();
            assert_eq!(spellings.len(), all, "{set}: a letter with two meanings");
        }
    }

    #[test]
    fn the_first_set_is_english() {
        for role in Role::ALL {
            assert_eq!(LetterSet::english().letter(role), role.letter().to_string());
        }
        assert_eq!(LetterSet::english().to_string(), "English (K Q R B N)");
        assert_eq!(LetterSet::named("martian"), None);
    }
}
