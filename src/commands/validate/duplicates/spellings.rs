//! Players whose name has several spellings in an event.

use std::collections::HashMap;

use crate::pgn::values::player::surname_and_given;
use crate::pgn::{Game, TagName};
use crate::replay::{mix, of_text};

/// Maximum number of players of events, some 100 MB; later ones are not compared.
const MOST: usize = 1 << 21;

/// Tags of the players.
const SIDES: [TagName; 2] = [TagName::White, TagName::Black];

/// Hashes of a player of an event: of the surname with the initial, of the given name, 0 if it is
/// an initial, and of the spelling.
type Spelled = [u64; 3];

/// White and Black of a game, if event, surname and given name are known.
pub(crate) fn players(game: &Game, text: &[u8]) -> [Option<Spelled>; 2] {
    let event = game.text(text, TagName::Event);
    let event = event.map(|event| of_text(event.as_bytes()));
    SIDES.map(|side| {
        let name = game.text(text, side)?;
        let (surname, given) = surname_and_given(name.as_bytes())?;
        let given = (!given.is_empty()).then(|| of_text(given.as_bytes()));
        let key = mix(event?, of_text(surname.as_bytes()));
        Some([key, given.unwrap_or(0), of_text(name.as_bytes())])
    })
}

/// A name in another spelling than in an earlier game: indexes of both games, and the tag.
pub(crate) type OtherSpelling = (u32, u32, TagName);

#[derive(Default)]
struct Player {
    first: u32,
    spelling: u64,
    given: u64,
    other: Option<OtherSpelling>,
    /// True if several players share surname and initial.
    is_ambiguous: bool,
}

/// The players of all events.
#[derive(Default)]
pub(crate) struct Spellings(HashMap<u64, Player>);

impl Spellings {
    /// Adds the players of a game after all others. Opponents are two players.
    pub(crate) fn add(&mut self, index: u32, players: [Option<Spelled>; 2]) {
        let [white, black] = players.map(|player| player.map(|[key, ..]| key));
        for (side, player) in SIDES.into_iter().zip(players) {
            let Some([key, given, spelling]) = player else {
                continue;
            };
            if self.0.len() == MOST && !self.0.contains_key(&key) {
                continue;
            }
            let known = self.0.entry(key).or_insert(Player {
                first: index,
                spelling,
                given,
                ..Player::default()
            });
            if spelling != known.spelling {
                known.other.get_or_insert((index, known.first, side));
            }
            known.is_ambiguous |=
                white == black || given != 0 && known.given != 0 && given != known.given;
            known.given = known.given.max(given);
        }
    }

    /// The first other spelling of each player of an event, by game.
    pub(crate) fn others(self) -> Vec<OtherSpelling> {
        let players = self.0.into_values().filter(|player| !player.is_ambiguous);
        let mut others: Vec<_> = players.filter_map(|player| player.other).collect();
        others.sort_unstable_by_key(|&(game, ..)| game);
        others
    }
}
