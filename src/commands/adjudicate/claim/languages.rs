//! Languages that the players of a game may write, by the place and their federations.

use crate::notation::{LetterSet, Letters};
use crate::pgn::{Game, TagName};

/// Codes and English names of countries, in the case in which they are written, and the languages
/// whose piece letters are used there. Countries that use the English letters are left out.
const COUNTRIES: &[(&str, &[&str])] = &[
    ("GER AUT SUI LIE Germany Austria Switzerland", &["de"]),
    (
        "DEN NOR SWE CRO SRB BIH SLO Denmark Norway Sweden Croatia Serbia Slovenia",
        &["de"],
    ),
    ("FRA MNC SUI BEL France Monaco Switzerland Belgium", &["fr"]),
    (
        "ESP ARG MEX CUB CHI COL PER VEN URU Spain Argentina Mexico Cuba Chile Colombia Peru",
        &["es"],
    ),
    ("ITA SMR SUI Italy Switzerland", &["it"]),
    (
        "NED BEL LUX Netherlands Holland Belgium Luxembourg",
        &["nl"],
    ),
    ("POL Poland", &["pl"]),
    ("CZE SVK TCH Czechia Slovakia", &["cs"]),
    ("POR BRA Portugal Brazil", &["pt"]),
    ("HUN Hungary", &["hu"]),
    ("ROU MDA Romania Moldova", &["ro"]),
    ("FIN Finland", &["fi"]),
    ("EST Estonia", &["et"]),
    ("ISL Iceland", &["is"]),
    ("LAT Latvia", &["lv"]),
    ("LTU Lithuania", &["lt"]),
    ("TUR Turkey", &["tr"]),
    ("WLS Wales", &["cy"]),
    ("INA Indonesia", &["id"]),
    ("RUS BLR KAZ URS Russia", &["ru", "ru-Latn"]),
    ("UKR Ukraine", &["uk"]),
    ("BUL Bulgaria", &["bg"]),
    ("SRB MKD Serbia", &["sr-Cyrl"]),
    ("GRE Greece", &["el"]),
];

/// The letters of the countries that the tags of a game name: its site, federations of the players.
pub(crate) fn of_tags(game: &Game, text: &[u8]) -> Option<Letters> {
    let mut found = None;
    for tag in &game.tags {
        let name = tag.name.of(text);
        let endings: [&[u8]; 3] = [b"Country", b"Federation", b"Fed"];
        let is_country = endings.iter().any(|ending| name.ends_with(ending));
        if !is_country && tag.known != Some(TagName::Site) {
            continue;
        }
        let value = tag.text(text);
        for word in value.split(|c: char| !c.is_alphabetic()) {
            let of_word = COUNTRIES.iter().filter(|(countries, _)| {
                !word.is_empty() && countries.split(' ').any(|country| country == word)
            });
            for code in of_word.flat_map(|(_, codes)| *codes) {
                found = with(found, code);
            }
        }
    }
    found
}

/// These letters, and those of the locale: `de_DE.UTF-8`.
pub(crate) fn with_locale(letters: Option<Letters>) -> Option<Letters> {
    let locale = ["LC_ALL", "LC_MESSAGES", "LANG"]
        .into_iter()
        .find_map(|name| std::env::var(name).ok().filter(|value| !value.is_empty()));
    let locale = locale.unwrap_or_default();
    let language = locale
        .split(['_', '.', '-', '@'])
        .next()
        .unwrap_or_default();
    with(letters, language)
}

fn with(letters: Option<Letters>, language: &str) -> Option<Letters> {
    let set = LetterSet::named(language).and_then(Letters::other_than_english);
    match (letters, set) {
        (Some(letters), Some(set)) => Some(letters.and(set)),
        (letters, set) => letters.or(set),
    }
}
