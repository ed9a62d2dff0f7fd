//! Languages that the players of a game may write, by the place and their federations.

use crate::notation::LetterSet;
use crate::pgn::{Game, TagName};

/// Languages, and codes and English names of the countries that use their piece letters.
const COUNTRIES: &str = "\
de GER AUT SUI LIE DEN NOR SWE CRO SRB BIH SLO Germany Austria Switzerland Denmark Norway Sweden
fr FRA MNC SUI BEL France Monaco Switzerland Belgium
es ESP ARG MEX CUB CHI COL PER VEN URU Spain Argentina Mexico Cuba Chile Colombia Peru
it ITA SMR SUI Italy Switzerland
nl NED BEL LUX Netherlands Holland Belgium Luxembourg
pl POL Poland
cs CZE SVK TCH Czechia Slovakia
pt POR BRA Portugal Brazil
tr TUR Turkey
ru RUS BLR KAZ URS Russia";

/// The letters of the countries that the tags of a game name: its site, federations of the players.
pub(crate) fn of_tags(game: &Game, text: &[u8]) -> Vec<&'static LetterSet> {
    let names_country = |name: &[u8]| {
        let endings: [&[u8]; 3] = [b"Country", b"Federation", b"Fed"];
        endings.iter().any(|ending| name.ends_with(ending))
    };
    let mut found = Vec::new();
    for tag in &game.tags {
        if tag.known != Some(TagName::Site) && !names_country(tag.name.of(text)) {
            continue;
        }
        let value = tag.text(text);
        for row in COUNTRIES.lines() {
            let (language, countries) = row.split_once(' ').unwrap_or_default();
            let mut words = value.split(|c: char| !c.is_alphabetic());
            if words.any(|word| countries.split(' ').any(|country| country == word)) {
                found.extend(LetterSet::named(language));
            }
        }
    }
    found
}
