//! Statistics of pairs, as all formats show them. As JSON they are also read: every game is
//! written, so that outputs can be merged.

use std::borrow::Cow;
use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use crate::commands::stats::count::{CountedResult, MOST};
use crate::commands::stats::formats::present;
use crate::commands::stats::pairs::estimate::{Estimate, Pentanomial, Sprt, SprtVerdict};
use crate::commands::stats::pairs::games::{
    MOST_PLIES, MatchGame, Matches, OpeningGames, PairGame, Pairs,
};
use crate::error::Error;

/// Options of the statistics.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct PairView {
    /// The player whose points are counted, in matches of this player.
    pub(crate) player: Option<String>,
    pub(crate) sprt: Option<Sprt>,
}

/// Statistics of pairs. Only the options and the games are read, which determine the rest.
#[derive(Serialize, Deserialize)]
pub(crate) struct PairsDocument<'a> {
    pub(crate) opening_plies: Option<u32>,
    unreadable: u64,
    #[serde(default, deserialize_with = "present")]
    #[serde(skip_serializing_if = "Option::is_none")]
    player: Option<Cow<'a, str>>,
    #[serde(default, deserialize_with = "present")]
    #[serde(skip_serializing_if = "Option::is_none")]
    white_of_first_game: Option<Cow<'a, str>>,
    #[serde(default, deserialize_with = "present")]
    #[serde(skip_serializing_if = "Option::is_none")]
    sprt: Option<Test>,
    /// In the order of the players' names, then those of the chosen player against all opponents.
    pub(crate) matches: Vec<Match<'a>>,
}

/// Settings of SPRT, and the limits of its LLR.
#[derive(Serialize, Deserialize)]
struct Test {
    #[serde(flatten)]
    sprt: Sprt,
    #[serde(skip_deserializing)]
    llr_bounds: [f64; 2],
}

/// Match of two players.
#[derive(Serialize, Deserialize)]
pub(crate) struct Match<'a> {
    pub(crate) first: Cow<'a, str>,
    pub(crate) second: Cow<'a, str>,
    #[serde(flatten, skip_deserializing)]
    pub(crate) total: PairCounts,
    /// In the order of their names.
    pub(crate) openings: Vec<MatchOpening<'a>>,
}

/// Games of a match from one opening.
#[derive(Serialize, Deserialize)]
pub(crate) struct MatchOpening<'a> {
    pub(crate) opening: Cow<'a, str>,
    #[serde(flatten, skip_deserializing)]
    pub(crate) counts: PairCounts,
    #[serde(skip_deserializing)]
    pub(crate) unpaired_games: Vec<UnpairedGame<'a>>,
    first_white: Vec<RoundAndResult<'a>>,
    second_white: Vec<RoundAndResult<'a>>,
}

type RoundAndResult<'a> = (Cow<'a, str>, CountedResult);

/// Game without a partner.
#[derive(Serialize)]
pub(crate) struct UnpairedGame<'a> {
    pub(crate) white: &'a str,
    pub(crate) black: &'a str,
    pub(crate) round: &'a str,
    result: CountedResult,
    pub(crate) reason: &'static str,
}

/// Counts and estimates of an opening or a match.
#[derive(Serialize, Default)]
pub(crate) struct PairCounts {
    pub(crate) games: u64,
    pub(crate) unpaired: u64,
    pub(crate) pairs: u64,
    #[serde(flatten)]
    pub(crate) pentanomial: Pentanomial,
    #[serde(flatten)]
    pub(crate) estimate: Estimate,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) llr: Option<f64>,
    /// Hypothesis that the test accepts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) accepted: Option<SprtVerdict>,
    pub(crate) wins: u64,
    pub(crate) draws: u64,
    pub(crate) losses: u64,
    /// Points of the games with a result.
    pub(crate) points: f64,
    /// `pentanomial` or `trinomial`.
    pub(crate) estimated_by: Option<&'static str>,
}

impl PairCounts {
    /// Games with one of the three results.
    pub(crate) fn results(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Sum of counts.
    fn sum<'c>(
        all: impl Iterator<Item = &'c PairCounts>,
        by_games: bool,
        view: &PairView,
    ) -> PairCounts {
        let (mut games, mut pairs, mut results) = (0, Pentanomial::default(), [0; 3]);
        for counts in all {
            games += counts.games;
            pairs += counts.pentanomial;
            let more = [counts.losses, counts.draws, counts.wins];
            results = std::array::from_fn(|nth| results[nth] + more[nth]);
        }
        PairCounts::new(games, pairs, results, by_games, view)
    }

    /// Counts of `games` games, of which `trinomial` were lost, drawn and won. Without pairs, the
    /// estimate is `by_games` or missing.
    fn new(
        games: u64,
        pentanomial: Pentanomial,
        trinomial: [u64; 3],
        by_games: bool,
        view: &PairView,
    ) -> PairCounts {
        let sprt = view.sprt;
        let (estimated_by, estimate, llr) = if by_games && pentanomial.pairs() == 0 {
            let llr = sprt.and_then(|sprt| sprt.llr(trinomial));
            ("trinomial", Estimate::new(trinomial), llr)
        } else {
            let counts = pentanomial.counts;
            let llr = sprt.and_then(|sprt| sprt.llr(counts));
            ("pentanomial", Estimate::new(counts), llr)
        };
        let verdict = |sprt: Sprt| llr.map_or(SprtVerdict::Neither, |llr| sprt.verdict(llr));
        let pairs = pentanomial.pairs();
        let [losses, draws, wins] = trinomial;
        PairCounts {
            games,
            unpaired: games - 2 * pairs,
            pairs,
            pentanomial,
            estimate: estimate.unwrap_or_default(),
            llr,
            accepted: sprt.filter(|_| estimate.is_some()).map(verdict),
            wins,
            draws,
            losses,
            points: wins as f64 + draws as f64 / 2.0,
            estimated_by: estimate.map(|_| estimated_by),
        }
    }
}

impl<'a> PairsDocument<'a> {
    pub(crate) fn new(matches: &'a Matches, view: &'a PairView) -> PairsDocument<'a> {
        let test = |sprt: Sprt| Test {
            sprt,
            llr_bounds: sprt.bounds(),
        };
        let mut document = PairsDocument {
            opening_plies: matches.opening_plies,
            unreadable: matches.unreadable,
            player: view.player.as_deref().map(Cow::Borrowed),
            white_of_first_game: matches.white_of_first_game.as_deref().map(Cow::Borrowed),
            sprt: view.sprt.map(test),
            matches: Vec::new(),
        };
        let player = view
            .player
            .as_ref()
            .or(matches.white_of_first_game.as_ref());
        for ([first, second], openings) in &matches.by_players {
            let is_reversed = player.is_some_and(|name| **name == **second) && first != second;
            let mut players = [&**first, &**second];
            if is_reversed {
                players.reverse();
            }
            let openings = openings.iter();
            let openings: Vec<_> = openings
                .map(|(name, games)| MatchOpening::new(players, name, games, is_reversed, view))
                .collect();
            let counts = openings.iter().map(|opening| &opening.counts);
            document.matches.push(Match {
                first: players[0].into(),
                second: players[1].into(),
                total: PairCounts::sum(counts, are_known(players), view),
                openings,
            });
        }
        document.matches.extend(document.gauntlet(view));
        document
    }

    /// Games of the chosen player against all of several opponents. A test is that of one match.
    fn gauntlet(&self, view: &'a PairView) -> Option<Match<'a>> {
        let player = view.player.as_deref()?;
        let is_known = |it: &&Match<'_>| it.first == player && are_known([player, &it.second]);
        let matches: Vec<_> = self.matches.iter().filter(is_known).collect();
        let counts = matches.iter().map(|it| &it.total);
        (matches.len() > 1).then(|| Match {
            first: player.into(),
            second: "all opponents".into(),
            total: PairCounts::sum(counts, true, &PairView::default()),
            openings: Vec::new(),
        })
    }
}

impl<'a> MatchOpening<'a> {
    fn new(
        players: [&'a str; 2],
        opening: &'a str,
        games: &'a OpeningGames,
        is_reversed: bool,
        view: &PairView,
    ) -> MatchOpening<'a> {
        let mut by_side = [&games.0[0][..], &games.0[1][..]];
        if is_reversed {
            by_side.reverse();
        }
        let pairs = Pairs::of(by_side, are_known(players));
        let [first, second] = players;
        let mut unpaired_games = Vec::new();
        for (white, black, side) in [(first, second, 0), (second, first, 1)] {
            let games = pairs.unpaired[side].iter().map(|&nth| &by_side[side][nth]);
            unpaired_games.extend(games.map(|game| UnpairedGame {
                white,
                black,
                round: &game.round,
                result: game.result,
                reason: reason(white, black, game.result),
            }));
        }
        let mut results = [0; 3];
        for (side, games) in by_side.iter().enumerate() {
            for half_points in games.iter().filter_map(MatchGame::half_points) {
                results[usize::from(half_points[side])] += 1;
            }
        }
        let [first_white, second_white] = by_side.map(|games: &'a [MatchGame]| {
            let games = games.iter();
            games
                .map(|game| (Cow::Borrowed(&*game.round), game.result))
                .collect()
        });
        MatchOpening {
            opening: opening.into(),
            counts: PairCounts::new(
                games.games() as u64,
                pairs.pentanomial,
                results,
                false,
                view,
            ),
            unpaired_games,
            first_white,
            second_white,
        }
    }
}

/// True if both players have a name, and they are not one player.
fn are_known([first, second]: [&str; 2]) -> bool {
    !first.is_empty() && !second.is_empty() && first != second
}

/// Reason why a game has no partner.
fn reason(white: &str, black: &str, result: CountedResult) -> &'static str {
    match result {
        _ if white.is_empty() || black.is_empty() => "no name of a player",
        _ if white == black => "the same player on both sides",
        CountedResult::White | CountedResult::Draw | CountedResult::Black => {
            "no other game with colours reversed"
        }
        CountedResult::Unfinished => "no result",
        _ => "another result than the four of PGN",
    }
}

/// True if a text is JSON of pairs rather than of groups.
pub(crate) fn is_of_pairs(text: &[u8]) -> bool {
    #[derive(Deserialize)]
    struct Probe {
        #[serde(rename = "matches")]
        _matches: serde::de::IgnoredAny,
    }
    serde_json::from_slice::<Probe>(text).is_ok()
}

/// Reads what an earlier run wrote. Errors name `path`.
pub(crate) fn read<'a>(path: &str, text: &'a [u8]) -> Result<PairsDocument<'a>, Error> {
    let refuse = |reason: String| Error::invalid("statistics in", path, None, reason);
    let read: PairsDocument<'_> = serde_json::from_slice(text).map_err(|error| {
        refuse(format!(
            "it was not written by `arbiter stats --pairs --format json`: {error}"
        ))
    })?;
    if read.opening_plies.is_some_and(|plies| plies > MOST_PLIES) || read.unreadable > MOST {
        return Err(refuse("its numbers are too large".to_owned()));
    }
    if let Some(test) = &read.sprt {
        test.sprt.checked().map_err(refuse)?;
    }
    Ok(read)
}

impl PairsDocument<'_> {
    /// The options.
    pub(crate) fn view(&self) -> PairView {
        PairView {
            player: self.player.clone().map(Cow::into_owned),
            sprt: self.sprt.as_ref().map(|test| test.sprt),
        }
    }

    /// Adds the games after all others. Errors name `path`.
    pub(crate) fn add_to(self, matches: &mut Matches, path: &str) -> Result<(), Error> {
        matches.unreadable += self.unreadable;
        let white_of_first_game = matches.white_of_first_game.take();
        let mut seen = HashSet::new();
        for Match {
            first,
            second,
            openings,
            ..
        } in self.matches
        {
            for opening in openings {
                let mut players = [first.clone(), second.clone()];
                players.sort();
                if !seen.insert((players, opening.opening.clone())) {
                    let reason = "an opening of two players is there twice";
                    return Err(Error::invalid("statistics in", path, None, reason));
                }
                let sides = [
                    (&first, &second, opening.first_white),
                    (&second, &first, opening.second_white),
                ];
                for (white, black, games) in sides {
                    for (round, result) in games {
                        matches.add(PairGame {
                            white: white.to_string(),
                            black: black.to_string(),
                            opening: opening.opening.to_string(),
                            round: round.into_owned(),
                            result,
                        })?;
                    }
                }
            }
        }
        let white = self.white_of_first_game.map(Cow::into_owned);
        matches.white_of_first_game = white_of_first_game.or(white);
        Ok(())
    }
}
