//! Pairs as JSON, written and read. Every game is written, so that outputs can be merged.

use std::collections::HashSet;

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

use crate::commands::stats::count::{CountedResult, MOST};
use crate::commands::stats::formats::rounded;
use crate::commands::stats::pairs::estimate::{Sprt, SprtModel};
use crate::commands::stats::pairs::games::{MOST_PLIES, Matches, PairGame, PlayedGame};
use crate::commands::stats::pairs::report::{
    MatchReport, OpeningReport, PairCounts, PairView, UnpairedGame,
};
use crate::error::Error;

/// Estimates, rounded so that the text is the same on every machine.
#[derive(Serialize, Default)]
pub(crate) struct Numbers {
    pub(crate) score: Option<f64>,
    pub(crate) pair_draw_rate: Option<f64>,
    pub(crate) elo: Option<f64>,
    pub(crate) elo_interval_95: Option<[f64; 2]>,
    elo_error_95: Option<f64>,
    pub(crate) normalized_elo: Option<f64>,
    pub(crate) normalized_elo_interval_95: Option<[f64; 2]>,
    normalized_elo_error_95: Option<f64>,
    pub(crate) los: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) llr: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    accepted: Option<String>,
}

impl Numbers {
    pub(crate) fn of(counts: &PairCounts) -> Numbers {
        let llr = Numbers {
            llr: counts.llr.map(|llr| rounded(llr.llr)),
            accepted: counts.llr.map(|llr| llr.verdict.to_string()),
            ..Numbers::default()
        };
        let Some(estimate) = counts.estimate else {
            return llr;
        };
        let interval = |interval: Option<[f64; 2]>| interval.map(|limits| limits.map(rounded));
        let error =
            |interval: Option<[f64; 2]>| interval.map(|[low, high]| rounded((high - low) / 2.0));
        Numbers {
            score: Some(rounded(estimate.score)),
            pair_draw_rate: Some(rounded(estimate.pair_draw_rate)),
            elo: estimate.elo.map(rounded),
            elo_interval_95: interval(estimate.elo_95),
            elo_error_95: error(estimate.elo_95),
            normalized_elo: estimate.normalized_elo.map(rounded),
            normalized_elo_interval_95: interval(estimate.normalized_elo_95),
            normalized_elo_error_95: error(estimate.normalized_elo_95),
            los: estimate.los.map(rounded),
            ..llr
        }
    }
}

/// Counts and estimates of an opening or a match.
#[derive(Serialize)]
struct Counted {
    games: u64,
    unpaired: u64,
    pairs: u64,
    pentanomial: [u64; 5],
    won_and_lost: u64,
    #[serde(flatten)]
    numbers: Numbers,
}

impl Counted {
    fn new(counts: &PairCounts) -> Counted {
        Counted {
            games: counts.games,
            unpaired: counts.unpaired(),
            pairs: counts.pentanomial.pairs(),
            pentanomial: counts.pentanomial.counts,
            won_and_lost: counts.pentanomial.won_and_lost,
            numbers: Numbers::of(counts),
        }
    }
}

/// Statistics of pairs as JSON.
#[derive(Serialize)]
pub(crate) struct Document<'a> {
    opening_plies: Option<u32>,
    unreadable: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    player: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sprt: Option<Test>,
    matches: Vec<Match<'a>>,
}

/// Settings of SPRT, and the limits of its LLR.
#[derive(Serialize)]
struct Test {
    model: &'static str,
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    llr_bounds: [f64; 2],
}

#[derive(Serialize)]
struct Match<'a> {
    first: &'a str,
    second: &'a str,
    #[serde(flatten)]
    counted: Counted,
    openings: Vec<Opening<'a>>,
}

#[derive(Serialize)]
struct Opening<'a> {
    opening: &'a str,
    #[serde(flatten)]
    counted: Counted,
    unpaired_games: Vec<Unpaired<'a>>,
    /// Rounds and results, for `--merge`.
    first_white: Vec<(&'a str, &'static str)>,
    second_white: Vec<(&'a str, &'static str)>,
}

#[derive(Serialize)]
struct Unpaired<'a> {
    white: &'a str,
    black: &'a str,
    round: &'a str,
    result: &'static str,
    reason: &'static str,
}

impl<'a> Document<'a> {
    pub(crate) fn new(
        matches: &Matches,
        reports: &[MatchReport<'a>],
        view: &'a PairView,
    ) -> Document<'a> {
        let test = |sprt: Sprt| Test {
            model: view.model.as_str(),
            elo0: sprt.elo[0],
            elo1: sprt.elo[1],
            alpha: sprt.alpha,
            beta: sprt.beta,
            llr_bounds: sprt.bounds().map(rounded),
        };
        let reports = reports.iter().map(|report| Match {
            first: report.players[0],
            second: report.players[1],
            counted: Counted::new(&report.total),
            openings: report.openings.iter().map(Opening::new).collect(),
        });
        Document {
            opening_plies: matches.opening_plies,
            unreadable: matches.unreadable,
            player: view.player.as_deref(),
            sprt: view.sprt.map(test),
            matches: reports.collect(),
        }
    }
}

impl<'a> Opening<'a> {
    fn new(report: &OpeningReport<'a>) -> Opening<'a> {
        let unpaired = report
            .unpaired
            .iter()
            .map(|game: &UnpairedGame<'a>| Unpaired {
                white: game.white,
                black: game.black,
                round: &game.game.round,
                result: word(game.game.result),
                reason: game.reason,
            });
        let [first_white, second_white] = report.games.map(|games: &'a [PlayedGame]| {
            let games = games.iter();
            games
                .map(|game| (&*game.round, word(game.result)))
                .collect()
        });
        Opening {
            opening: report.opening,
            counted: Counted::new(&report.counts),
            unpaired_games: unpaired.collect(),
            first_white,
            second_white,
        }
    }
}

/// Results of games, as JSON writes them.
const RESULTS: [(CountedResult, &str); 5] = [
    (CountedResult::White, "1-0"),
    (CountedResult::Black, "0-1"),
    (CountedResult::Draw, "1/2-1/2"),
    (CountedResult::Unfinished, "*"),
    (CountedResult::Other, "other"),
];

fn word(result: CountedResult) -> &'static str {
    let found = RESULTS.iter().find(|&&(other, _)| other == result);
    found.map_or("", |&(_, word)| word)
}

/// The options and games of a [`Document`], which determine all of it.
#[derive(Deserialize)]
struct ReadDocument {
    opening_plies: Option<u32>,
    unreadable: u64,
    player: Option<String>,
    sprt: Option<ReadTest>,
    matches: Vec<ReadMatch>,
}

#[derive(Deserialize)]
struct ReadTest {
    model: String,
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
}

#[derive(Deserialize)]
struct ReadMatch {
    first: String,
    second: String,
    openings: Vec<ReadOpening>,
}

#[derive(Deserialize)]
struct ReadOpening {
    opening: String,
    first_white: Vec<(String, String)>,
    second_white: Vec<(String, String)>,
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

/// Reads what an earlier run wrote, and its options. Errors name `path`.
pub(crate) fn read(path: &str, text: &[u8]) -> Result<(Matches, PairView), Error> {
    let refuse = |reason: String| Error::invalid("statistics in", path, reason);
    let read: ReadDocument = serde_json::from_slice(text).map_err(|error| {
        refuse(format!(
            "it was not written by `arbiter stats --pairs --format json`: {error}"
        ))
    })?;
    if read.opening_plies.is_some_and(|plies| plies > MOST_PLIES) || read.unreadable > MOST {
        return Err(refuse("its numbers are too large".to_owned()));
    }
    let mut view = PairView {
        player: read.player,
        ..PairView::default()
    };
    if let Some(test) = read.sprt {
        let sprt = Sprt {
            elo: [test.elo0, test.elo1],
            alpha: test.alpha,
            beta: test.beta,
        };
        view.sprt = Some(sprt.checked().map_err(refuse)?);
        view.model = SprtModel::from_str(&test.model, false)
            .map_err(|_| refuse(format!("its SPRT model `{}` is unknown", test.model)))?;
    }
    let mut matches = Matches::new(read.opening_plies);
    matches.unreadable = read.unreadable;
    let mut seen = HashSet::new();
    for ReadMatch {
        first,
        second,
        openings,
    } in read.matches
    {
        for opening in openings {
            let mut players = [first.clone(), second.clone()];
            players.sort();
            if !seen.insert((players, opening.opening.clone())) {
                return Err(refuse(
                    "an opening of two players is there twice".to_owned(),
                ));
            }
            let sides = [
                (&first, &second, opening.first_white),
                (&second, &first, opening.second_white),
            ];
            for (white, black, games) in sides {
                for (round, result) in games {
                    let known = RESULTS.iter().find(|(_, word)| *word == result);
                    let &(result, _) =
                        known.ok_or_else(|| refuse("a result is not known".to_owned()))?;
                    let game = PairGame {
                        white: white.clone(),
                        black: black.clone(),
                        opening: opening.opening.clone(),
                        round,
                        result,
                    };
                    matches.add(game)?;
                }
            }
        }
    }
    Ok((matches, view))
}
