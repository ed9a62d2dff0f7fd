//! Games with doubles of many kinds among them, and how each is to be found.

use arbiter::chess::san::SanPlus;
use arbiter::chess::{Position, Role};

use crate::chess::random_games::Random;

/// A player, in several spellings.
const PLAYERS: [&[&str]; 5] = [
    &[
        "Müller, Karsten",
        "GM Karsten Mueller",
        "MULLER,K.",
        "K. Müller",
    ],
    &[
        "Vachier-Lagrave, Maxime",
        "Maxime Vachier Lagrave",
        "Vachier-Lagrave,M",
    ],
    &["Polgár, Judit", "polgar, j (HUN)", "Dr. Judit Polgar"],
    &["user_1", "USER_1"],
    &["?", "", "N.N."],
];

const DATES: [&str; 5] = [
    "????.??.??",
    "2001.??.??",
    "2001.05.??",
    "2001.05.03",
    "2002.05.03",
];

const ROUNDS: [&str; 5] = ["?", "1", "1.4", "2", "-"];

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Planted {
    white: usize,
    black: usize,
    date: usize,
    round: usize,
    /// Number of further tags.
    pub(crate) more_tags: usize,
    /// In SAN and in long notation.
    pub(crate) moves: Vec<[String; 2]>,
}

impl Planted {
    fn random(random: &mut Random) -> Planted {
        Planted {
            white: random.below(PLAYERS.len()),
            black: random.below(PLAYERS.len()),
            date: random.below(DATES.len()),
            round: random.below(ROUNDS.len()),
            more_tags: random.below(3),
            moves: Vec::new(),
        }
    }

    /// Plays random legal moves on.
    fn play_on(&mut self, plies: usize, random: &mut Random) {
        let mut position = Position::initial();
        for [san, _] in &self.moves {
            let mv = position.legal_moves().into_iter().find(|&mv| {
                let mut after = position.clone();
                after.play_unchecked(mv);
                SanPlus::of(&position, mv, &after).to_string() == *san
            });
            position.play_unchecked(mv.unwrap());
        }
        for _ in 0..plies {
            let moves = position.legal_moves();
            if moves.is_empty() {
                return;
            }
            let mv = moves[random.below(moves.len())];
            let mut after = position.clone();
            after.play_unchecked(mv);
            let san = SanPlus::of(&position, mv, &after).to_string();
            let promotion = mv.promotion().map(Role::letter);
            let promotion = promotion.map_or(String::new(), |letter| letter.to_string());
            let long = match san.starts_with('O') {
                true => san.clone(),
                false => format!("{}{}{promotion}", mv.from, mv.to),
            };
            self.moves.push([san, long]);
            position = after;
        }
    }

    pub(crate) fn text(&self, random: &mut Random) -> String {
        let notation = random.below(2);
        let mut spelling = |player: usize| PLAYERS[player][random.below(PLAYERS[player].len())];
        let (white, black) = (spelling(self.white), spelling(self.black));
        let moves: Vec<_> = self
            .moves
            .iter()
            .map(|word| word[notation].as_str())
            .collect();
        format!(
            "[Event \"x\"]\n[Site \"x\"]\n[Date \"{}\"]\n[Round \"{}\"]\n[White \"{white}\"]\n\
             [Black \"{black}\"]\n[Result \"*\"]\n{}\n{}\n*\n\n",
            DATES[self.date],
            ROUNDS[self.round],
            ["", "[ECO \"A00\"]\n", "[ECO \"A00\"]\n[Annotator \"x\"]\n"][self.more_tags],
            moves.join("\n"),
        )
    }

    fn is_long(&self) -> bool {
        self.moves.len() >= 20
    }

    fn has_players_of(&self, other: &Planted) -> bool {
        (self.white, self.black) == (other.white, other.black)
    }

    fn has_date_of(&self, other: &Planted) -> bool {
        let parts = DATES[self.date]
            .split('.')
            .zip(DATES[other.date].split('.'));
        let unknown = |part: &str| part.starts_with('?');
        parts
            .into_iter()
            .all(|(one, other)| one == other || unknown(one) || unknown(other))
    }

    fn may_be(&self, other: &Planted) -> bool {
        let [one, other_round] = [ROUNDS[self.round], ROUNDS[other.round]].map(|round| &round[..1]);
        let unknown = |round: &str| round == "?" || round == "-";
        let has_round = one == other_round || unknown(one) || unknown(other_round);
        has_round && self.has_date_of(other)
    }

    /// The finding about this game, given an earlier one.
    pub(crate) fn relation(&self, earlier: &Planted) -> Option<(u8, &'static str)> {
        let (mine, theirs) = (&self.moves, &earlier.moves);
        let is_same = self.has_players_of(earlier) && self.may_be(earlier);
        let both_short = !self.is_long() && !earlier.is_long();
        let same_tags = (self.date, self.round) == (earlier.date, earlier.round);
        if mine.is_empty() || theirs.is_empty() {
            return None;
        }
        if mine == theirs && is_same && (!both_short || same_tags) {
            return Some((0, "W501"));
        }
        let is_beginning = mine.starts_with(theirs) || theirs.starts_with(mine);
        if mine != theirs && is_beginning && is_same && self.is_long() && earlier.is_long() {
            return Some((1, "W502"));
        }
        (mine == theirs && self.is_long()).then_some((2, "N503"))
    }
}

/// Games with doubles of many kinds among them, in random order.
pub(crate) fn planted(random: &mut Random, count: usize) -> Vec<Planted> {
    let mut games: Vec<Planted> = Vec::new();
    while games.len() < count {
        let mut game = Planted::random(random);
        game.play_on(1 + random.below(45), random);
        for _ in 0..random.below(4) {
            let mut double = match random.below(3) {
                0 => game.clone(),
                1 => Planted {
                    moves: game.moves.clone(),
                    ..Planted::random(random)
                },
                _ => Planted {
                    date: random.below(DATES.len()),
                    round: random.below(ROUNDS.len()),
                    ..game.clone()
                },
            };
            match random.below(3) {
                0 => double.moves.truncate(1 + random.below(double.moves.len())),
                1 => double.play_on(random.below(5), random),
                _ => {}
            }
            games.push(double);
        }
        games.push(game);
    }
    let mut shuffled = Vec::new();
    while !games.is_empty() {
        shuffled.push(random.draw(&mut games));
    }
    shuffled
}

/// A game of this length, by players that no other game has.
pub(crate) fn game(players: &str, plies: usize) -> String {
    let mut game = Planted::random(&mut Random(7));
    game.play_on(plies, &mut Random(7));
    let moves: Vec<_> = game.moves.iter().map(|[san, _]| san.as_str()).collect();
    let tags = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];
    let values = ["x", "x", "2001.05.03", "1", players, players, "*"];
    let tags = tags
        .iter()
        .zip(values)
        .map(|(tag, value)| format!("[{tag} \"{value}\"]\n"));
    format!("{}\n{}\n*\n\n", tags.collect::<String>(), moves.join("\n"))
}
