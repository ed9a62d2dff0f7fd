//! Games of matches, and the pairs among them.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;
use std::ops::AddAssign;

use memchr::memchr;

use crate::chess::fen;
use crate::chess::position::Position;
use crate::chess::san::San;
use crate::commands::stats::count::CountedResult;
use crate::commands::stats::pairs::estimate::Pentanomial;
use crate::error::Error;
use crate::pgn::{Annotation, Game, Span, TagName, TokenKind, annotations};
use crate::replay::{Replay, Start, main_line};

/// Name of the initial position in an opening.
const INITIAL: &str = "startpos";

/// Greatest number of plies of an opening.
pub(crate) const MOST_PLIES: u32 = 1_000;

/// Limit for the memory of all games, in bytes.
const MOST_BYTES: usize = 512 << 20;

/// Memory of a game without its texts, and of two players with their first opening, in bytes.
const GAME_BYTES: usize = 40;
const PLAYERS_BYTES: usize = 1_800;

/// The facts of a game by which it is paired.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct PairGame {
    pub(crate) white: String,
    pub(crate) black: String,
    pub(crate) opening: String,
    pub(crate) round: String,
    pub(crate) result: CountedResult,
}

impl PairGame {
    /// Reads a game. Unknown names are empty. The opening is the start position and `plies` moves,
    /// or the moves that are marked as those of a book.
    pub(crate) fn read(
        game: &Game,
        text: &[u8],
        result: CountedResult,
        plies: Option<u32>,
    ) -> PairGame {
        let value = |name| game.text(text, name).unwrap_or_default().into_owned();
        let opening = opening(game, text, plies, || value(TagName::Fen));
        PairGame {
            white: value(TagName::White),
            black: value(TagName::Black),
            opening,
            round: value(TagName::Round),
            result,
        }
    }

    /// Memory in bytes.
    pub(crate) fn bytes(&self) -> usize {
        let texts = [&self.white, &self.black, &self.opening, &self.round];
        texts.map(String::len).iter().sum::<usize>() + GAME_BYTES
    }
}

/// The start position of a game and its first moves. If the game cannot be replayed, the position
/// is that of `fen` as it stands, and the moves are as read.
fn opening(game: &Game, text: &[u8], plies: Option<u32>, fen: impl Fn() -> String) -> String {
    let start = Start::of(game, text, &Position::initial());
    let (start, mut replay) = match start {
        Ok((start, _)) => (
            start.position.setup().to_string(),
            Some(Replay::new(game, start.position)),
        ),
        Err(_) => (fen(), None),
    };
    let mut opening = start_position(&start);
    for token in main_line(game).take(plies.unwrap_or(MOST_PLIES) as usize) {
        let TokenKind::San(plus) = token.kind else {
            break;
        };
        if plies.is_none() && !is_of_book(text, game.gap_after(token.span.end as usize)) {
            break;
        }
        let san = replay.as_mut().and_then(|replay| {
            let before = replay.position().clone();
            Some(San::of(&before, replay.play()?.mv))
        });
        // Writing to memory does not fail.
        let _ = write!(opening, " {}", san.unwrap_or(plus.san));
    }
    opening
}

/// The first four fields of a FEN: the counters do not change the opening.
fn start_position(fen: &str) -> String {
    let fields: Vec<&str> = fen.split_whitespace().take(4).collect();
    let initial = fen::INITIAL.split_whitespace().take(4);
    match fields.is_empty() || initial.eq(fields.iter().copied()) {
        true => INITIAL.to_owned(),
        false => fields.join(" "),
    }
}

/// Whether the first comment after a move is `book`, as cutechess and fastchess write it, or begins
/// with `book,`, as that of TCEC. Commands may stand before it.
fn is_of_book(text: &[u8], gap: Span) -> bool {
    let mut found = Vec::new();
    annotations(text, gap, &mut found);
    let comment = found.iter().find_map(|annotation| match annotation {
        Annotation::Comment(span) => Some(span.of(text)),
        Annotation::Glyph(_) => None,
    });
    let Some(mut comment) = comment else {
        return false;
    };
    loop {
        comment = comment.trim_ascii_start();
        match memchr(b']', comment) {
            Some(end) if comment.starts_with(b"[%") => comment = &comment[end + 1..],
            _ => break,
        }
    }
    let rest = comment.strip_prefix(b"book").map(<[u8]>::trim_ascii_start);
    rest.is_some_and(|rest| matches!(rest.first(), None | Some(b',')))
}

/// A game of a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct MatchGame {
    pub(crate) round: Box<str>,
    pub(crate) result: CountedResult,
}

impl MatchGame {
    /// Half points of White and Black; none without one of the three results.
    pub(crate) fn half_points(&self) -> Option<[u8; 2]> {
        match self.result {
            CountedResult::White => Some([2, 0]),
            CountedResult::Draw => Some([1, 1]),
            CountedResult::Black => Some([0, 2]),
            _ => None,
        }
    }

    /// The round of a pair: tools number its games `3` and `3`, or `3.1` and `3.2`.
    fn pair_round(&self) -> &str {
        self.round
            .rsplit_once('.')
            .map_or(&*self.round, |(round, _)| round)
    }

    /// Order of rounds: `2`, `10`, `10.1`, then those that begin with no number.
    fn round_order(&self) -> (u64, Option<u64>, &str) {
        let mut numbers = self.round.split('.').map(|part| part.parse().ok());
        let first = numbers.next().flatten().unwrap_or(u64::MAX);
        (first, numbers.next().flatten(), &self.round)
    }
}

/// Games of two players from one opening: those in which the first one had White, and the others,
/// in the order of the input until [`Matches::sort`].
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct OpeningGames(pub(crate) [Vec<MatchGame>; 2]);

impl OpeningGames {
    pub(crate) fn games(&self) -> usize {
        self.0.iter().map(Vec::len).sum()
    }
}

/// Places and half points of a player's games with White and with Black.
type ByColour = [Vec<(usize, [u8; 2])>; 2];

/// Pairs of an opening.
#[derive(Default)]
pub(crate) struct Pairs {
    pub(crate) pentanomial: Pentanomial,
    /// Places of the games without a partner.
    pub(crate) unpaired: [Vec<usize>; 2],
}

impl Pairs {
    /// Pairs a player's games with White and with Black: first those of one round, then the others,
    /// both in the order of the games. Games of players who are not known have no partner.
    pub(crate) fn of(games: [&[MatchGame]; 2], are_known: bool) -> Pairs {
        let mut pairs = Pairs::default();
        let mut rounds: HashMap<&str, ByColour> = HashMap::new();
        for (side, games) in games.into_iter().enumerate() {
            for (nth, game) in games.iter().enumerate() {
                match game.half_points().filter(|_| are_known) {
                    Some(points) => {
                        rounds.entry(game.pair_round()).or_default()[side].push((nth, points));
                    }
                    None => pairs.unpaired[side].push(nth),
                }
            }
        }
        let mut rest = [Vec::new(), Vec::new()];
        for round in rounds.into_values() {
            for (rest, games) in rest.iter_mut().zip(pairs.pair(round)) {
                rest.extend(games);
                rest.sort_unstable();
            }
        }
        for (side, games) in pairs.pair(rest).into_iter().enumerate() {
            pairs.unpaired[side].extend(games.iter().map(|(nth, _)| nth));
            pairs.unpaired[side].sort_unstable();
        }
        pairs
    }

    /// Pairs games with White and with Black by their order, and returns the rest.
    fn pair(&mut self, games: ByColour) -> ByColour {
        let paired = games[0].len().min(games[1].len());
        for ((_, first), (_, second)) in games[0].iter().zip(&games[1]) {
            self.pentanomial.add([first[0], second[1]]);
        }
        games.map(|mut games| games.split_off(paired))
    }
}

/// Openings of two players' games, by opening.
pub(crate) type MatchOpenings = BTreeMap<Box<str>, OpeningGames>;

/// The games of a run by players, whose names are in the order of their bytes.
///
/// Adding is associative: the games of two parts of an input, one after the other, are those of the
/// whole.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Matches {
    pub(crate) by_players: BTreeMap<[Box<str>; 2], MatchOpenings>,
    /// Plies of an opening after the start position; those marked as a book's by default.
    pub(crate) opening_plies: Option<u32>,
    pub(crate) unreadable: u64,
    /// White of the first game of which White is known.
    pub(crate) white_of_first_game: Option<String>,
    /// Memory of the games, in bytes.
    bytes: usize,
}

impl AddAssign for Matches {
    fn add_assign(&mut self, more: Matches) {
        self.unreadable += more.unreadable;
        self.bytes += more.bytes;
        if self.white_of_first_game.is_none() {
            self.white_of_first_game = more.white_of_first_game;
        }
        for (players, openings) in more.by_players {
            let known = self.by_players.entry(players).or_default();
            for (opening, games) in openings {
                let known = known.entry(opening).or_default();
                for (known, games) in known.0.iter_mut().zip(games.0) {
                    known.extend(games);
                }
            }
        }
    }
}

impl Matches {
    pub(crate) fn new(opening_plies: Option<u32>) -> Matches {
        Matches {
            opening_plies,
            ..Matches::default()
        }
    }

    /// Adds a game after all others.
    pub(crate) fn add(&mut self, game: PairGame) -> Result<(), Error> {
        if game.result == CountedResult::Unreadable {
            self.unreadable += 1;
            return Ok(());
        }
        self.bytes += game.bytes();
        if self.white_of_first_game.is_none() && !game.white.is_empty() {
            self.white_of_first_game = Some(game.white.clone());
        }
        let is_reversed = game.black < game.white;
        let mut players = [game.white, game.black].map(String::into_boxed_str);
        if is_reversed {
            players.reverse();
        }
        let openings = self.by_players.entry(players).or_default();
        let opening = openings.entry(game.opening.into_boxed_str()).or_default();
        opening.0[usize::from(is_reversed)].push(MatchGame {
            round: game.round.into_boxed_str(),
            result: game.result,
        });
        self.check_size()
    }

    /// Refuses more games than are held.
    pub(crate) fn check_size(&self) -> Result<(), Error> {
        if self.bytes + self.by_players.len() * PLAYERS_BYTES > MOST_BYTES {
            return Err(Error::usage(
                "more games than fit into 512 MiB cannot be paired; select some by `--where`",
            ));
        }
        Ok(())
    }

    /// Sorts the games of each opening by round, those of one round in the order of the input, so
    /// that parts merged in another order give the same pairs.
    pub(crate) fn sort(&mut self) {
        let openings = self.by_players.values_mut().flat_map(BTreeMap::values_mut);
        for games in openings.flat_map(|opening| &mut opening.0) {
            games.sort_by(|game, other| game.round_order().cmp(&other.round_order()));
        }
    }

    /// Results of all games.
    pub(crate) fn results(&self) -> impl Iterator<Item = CountedResult> {
        let openings = self.by_players.values().flat_map(BTreeMap::values);
        let games = openings.flat_map(|opening| opening.0.iter().flatten());
        games.map(|game| game.result)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::replay::Reader;

    fn read(text: &str, plies: Option<u32>) -> PairGame {
        let mut reader = Reader::new();
        let game = reader.read(text.as_bytes(), None);
        PairGame::read(game, text.as_bytes(), CountedResult::Draw, plies)
    }

    #[test]
    fn openings_are_start_positions_and_moves_of_a_book() {
        let check = |text: &str, plies, expected: &str| {
            assert_eq!(read(text, plies).opening, expected, "{text}");
        };
        check("1. e4 e5 *", None, "startpos");
        check(
            "1. e4 {book} e5 {book} 2. Nf3 {+0.3/12 0.5s} *",
            None,
            "startpos e4 e5",
        );
        check(
            "1. e4! { book, mb=+0+0 } e5 {bookish} *",
            None,
            "startpos e4",
        );
        check("1. e4 {0.1/1 bad book} *", None, "startpos");
        check(
            "1. d4+ Nf6 (1... d5) 2. c4 e6 *",
            Some(3),
            "startpos d4 Nf6 c4",
        );
        check("1. d4 *", Some(9), "startpos d4");
        check("1. e2e4 d5 2. ed5 *", Some(9), "startpos e4 d5 exd5");
        check("1. e4 e5 2. Ke3 Nc6 *", Some(9), "startpos e4 e5 Ke3 Nc6");
        check(
            "1. e4 ; book\ne5 $1 {[%eval 0.1] [%clk 1] book}\n2. Nf3 {[%clk 1] booked} *",
            None,
            "startpos e4 e5",
        );
        let fen = "4k3/8/8/8/3P4/8/8/4K3 b - d3 0 1";
        check(
            &format!("[FEN \"{fen}\"]\n\n1... Kd8 *"),
            Some(1),
            "4k3/8/8/8/3P4/8/8/4K3 b - - Kd8",
        );
        let initial = format!("[FEN \"{}\"]\n\n1. e4 *", fen::INITIAL);
        check(&initial, None, "startpos");
        let fen = "4k3/8/8/8/8/8/8/4K3 w - - 5 9";
        check(
            &format!("[FEN \"{fen}\"]\n\n1. Kd2 *"),
            None,
            "4k3/8/8/8/8/8/8/4K3 w - -",
        );
        check("[FEN \"none of these\"]\n\n*", Some(3), "none of these");
        let fen = "4k3/8/8/8/8/8/8/8 w - -";
        check(
            &format!("[FEN \"{fen} 5 9\"]\n\n9. e4 *"),
            Some(1),
            &format!("{fen} e4"),
        );
    }

    #[test]
    fn memory_is_bounded() {
        let game = read("[Round \"\"]\n\n1. e4 *", None);
        let mut matches = Matches {
            bytes: MOST_BYTES - 2 * game.bytes() - PLAYERS_BYTES,
            ..Matches::default()
        };
        assert!(matches.add(game.clone()).is_ok());
        assert!(matches.clone().add(game.clone()).is_ok());
        let of_others = PairGame {
            white: "A".to_owned(),
            ..game.clone()
        };
        assert!(matches.clone().add(of_others).is_err());
        assert!(matches.add(game.clone()).is_ok() && matches.add(game).is_err());
    }

    #[test]
    fn rounds_are_in_the_order_of_their_numbers() {
        let rounds = ["2", "2.1", "2.10", "10", "10.2", "", "final"];
        let mut games = rounds.map(|round| played(round, CountedResult::Draw));
        games.reverse();
        games.sort_by(|game, other| game.round_order().cmp(&other.round_order()));
        assert!(games.iter().map(|game| &*game.round).eq(rounds));
    }

    fn played(round: &str, result: CountedResult) -> MatchGame {
        MatchGame {
            round: round.into(),
            result,
        }
    }

    #[test]
    fn games_of_one_round_are_paired_first() {
        use CountedResult::{Black, Draw, Unfinished, White};
        let pairs = |first: &[(&str, CountedResult)], second: &[(&str, CountedResult)]| {
            let games = [first, second].map(|games| {
                games
                    .iter()
                    .map(|&(round, result)| played(round, result))
                    .collect()
            });
            let games: [Vec<MatchGame>; 2] = games;
            let pairs = Pairs::of([&games[0], &games[1]], true);
            (pairs.pentanomial.counts, pairs.unpaired)
        };
        let none = [Vec::new(), Vec::new()];
        assert_eq!(
            pairs(&[("1", White)], &[("1", Black)]),
            ([0, 0, 0, 0, 1], none.clone())
        );
        // In the order of the games, whatever the round.
        assert_eq!(
            pairs(&[("1", White)], &[("2", Draw)]),
            ([0, 0, 0, 1, 0], none.clone())
        );
        let first = [("1.1", White), ("2.1", Black)];
        let second = [("2.2", White), ("1.2", Black)];
        assert_eq!(pairs(&first, &second), ([1, 0, 0, 0, 1], none));
        // A game without a result has no partner, and its partner waits for another one.
        let first = [("1", Unfinished), ("2", White), ("3", Draw)];
        let second = [("1", White), ("2", White)];
        assert_eq!(pairs(&first, &second), ([0, 1, 1, 0, 0], [vec![0], vec![]]));
        assert_eq!(
            pairs(&first, &second[1..]),
            ([0, 0, 1, 0, 0], [vec![0, 2], vec![]])
        );
    }
}
