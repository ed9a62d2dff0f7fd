//! Statistics of pairs, for all formats.

use crate::commands::stats::count::CountedResult;
use crate::commands::stats::pairs::estimate::{
    Estimate, Pentanomial, Sprt, SprtModel, SprtVerdict,
};
use crate::commands::stats::pairs::games::{Matches, OpeningGames, PlayedGame};

/// Options of the statistics.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct PairView {
    /// The player whose points are counted, in matches of this player.
    pub(crate) player: Option<String>,
    pub(crate) sprt: Option<Sprt>,
    pub(crate) model: SprtModel,
}

/// LLR of a test, and the hypothesis that it accepts.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Llr {
    pub(crate) llr: f64,
    pub(crate) verdict: SprtVerdict,
}

/// Counts and estimates of pairs.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct PairCounts {
    pub(crate) games: u64,
    pub(crate) pentanomial: Pentanomial,
    pub(crate) estimate: Option<Estimate>,
    pub(crate) llr: Option<Llr>,
}

impl PairCounts {
    fn new(games: u64, pentanomial: Pentanomial, view: &PairView) -> PairCounts {
        let llr = view.sprt.and_then(|sprt| {
            let llr = sprt.llr(view.model, &pentanomial)?;
            let verdict = sprt.verdict(llr);
            Some(Llr { llr, verdict })
        });
        PairCounts {
            games,
            pentanomial,
            estimate: pentanomial.estimate(),
            llr,
        }
    }

    pub(crate) fn unpaired(&self) -> u64 {
        self.games - 2 * self.pentanomial.pairs()
    }
}

/// Match of two players.
pub(crate) struct MatchReport<'a> {
    pub(crate) players: [&'a str; 2],
    pub(crate) total: PairCounts,
    /// Openings, in the order of their names.
    pub(crate) openings: Vec<OpeningReport<'a>>,
}

/// Games of a match from one opening.
pub(crate) struct OpeningReport<'a> {
    pub(crate) opening: &'a str,
    pub(crate) counts: PairCounts,
    pub(crate) unpaired: Vec<UnpairedGame<'a>>,
    /// Games with White for the first player, and with Black.
    pub(crate) games: [&'a [PlayedGame]; 2],
}

/// Game without a partner.
pub(crate) struct UnpairedGame<'a> {
    pub(crate) white: &'a str,
    pub(crate) black: &'a str,
    pub(crate) game: &'a PlayedGame,
    pub(crate) reason: &'static str,
}

impl PairView {
    /// Matches in the order of the players' names.
    pub(crate) fn reports<'a>(&self, matches: &'a Matches) -> Vec<MatchReport<'a>> {
        let by_players = matches.by_players.iter();
        by_players
            .map(|([first, second], openings)| {
                let is_reversed = self.player.as_deref() == Some(&**second) && first != second;
                let mut players = [&**first, &**second];
                if is_reversed {
                    players.reverse();
                }
                let openings: Vec<_> = openings
                    .iter()
                    .map(|(opening, games)| self.opening(players, opening, games, is_reversed))
                    .collect();
                let (mut games, mut sum) = (0, Pentanomial::default());
                for opening in &openings {
                    games += opening.counts.games;
                    sum += opening.counts.pentanomial;
                }
                MatchReport {
                    players,
                    total: PairCounts::new(games, sum, self),
                    openings,
                }
            })
            .collect()
    }

    fn opening<'a>(
        &self,
        players: [&'a str; 2],
        opening: &'a str,
        games: &'a OpeningGames,
        is_reversed: bool,
    ) -> OpeningReport<'a> {
        let mut pairs = match players.contains(&"") {
            true => games.unpaired(),
            false => games.pairs(),
        };
        let mut by_side = [&games.0[0][..], &games.0[1][..]];
        if is_reversed {
            pairs.pentanomial = pairs.pentanomial.reversed();
            pairs.unpaired.reverse();
            by_side.reverse();
        }
        let [first, second] = players;
        let sides = [(first, second), (second, first)];
        let mut unpaired = Vec::new();
        for (((white, black), games), places) in sides.into_iter().zip(by_side).zip(pairs.unpaired)
        {
            unpaired.extend(places.into_iter().map(|nth| UnpairedGame {
                white,
                black,
                game: &games[nth],
                reason: reason(white, black, games[nth].result),
            }));
        }
        OpeningReport {
            opening,
            counts: PairCounts::new(games.games() as u64, pairs.pentanomial, self),
            unpaired,
            games: by_side,
        }
    }
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
