//! `--ratings`: ratings of all players from the results of each pair of players.

mod fit;

use std::cmp::Reverse;
use std::mem;

use serde::{Deserialize, Serialize};

use crate::commands::stats::count::{Anchor, Group, Key, Statistics};
use crate::commands::stats::numbers::{Z, superiority};
use crate::error::Error;
use crate::report::json::rounded;

use fit::{Encounter, Fit};

/// Keys of the groups of games whose players can be rated.
pub(crate) const RATED: [Key; 2] = [Key::White, Key::Black];

/// Mean of the ratings of a group, that of ordo.
const MEAN: f64 = 2300.0;

/// Reads `NAME=3000`.
pub(crate) fn anchor(text: &str) -> Result<Anchor, String> {
    let (player, rating) = text.rsplit_once('=').unwrap_or_default();
    match rating.trim().parse() {
        Ok(rating) if f64::is_finite(rating) => Ok((player.trim().to_owned(), rating)),
        _ => Err("not a player and a rating, such as NAME=3000".to_owned()),
    }
}

/// Refuses an anchor without a finite rating of its own.
pub(crate) fn check_anchor((name, _): &Anchor, games: &Group) -> Result<(), Error> {
    let (players, encounters, _) = count(games);
    let rated = groups(players.len(), &encounters).concat();
    let mut rated = rated.iter().map(|&player| players[player].player);
    let reason = || format!("`--anchor`: no finite rating of `{name}`");
    match rated.any(|player| player == name) {
        true => Ok(()),
        false => Err(Error::usage(reason())),
    }
}

/// Rating list. The games determine it, so it is written but not read.
#[derive(Serialize, Deserialize)]
pub(crate) struct RatingList<'a> {
    /// Rating that White has more, with its error.
    pub(crate) white_advantage: Option<f64>,
    pub(crate) white_advantage_error_95: Option<f64>,
    /// Share of draws in games of equal players.
    pub(crate) draw_rate: Option<f64>,
    /// Games of players who are not known, or with one player on both sides.
    pub(crate) left_out: u64,
    /// Number of groups of players with ratings.
    pub(crate) groups: usize,
    /// By group, from the largest, and by rating.
    #[serde(skip_deserializing)]
    pub(crate) players: Vec<RatedPlayer<'a>>,
}

/// Player of a rating list. Only players with a rating have a group.
#[derive(Clone, Serialize, Default)]
pub(crate) struct RatedPlayer<'a> {
    pub(crate) player: &'a str,
    /// From 1.
    pub(crate) group: Option<usize>,
    pub(crate) rating: Option<f64>,
    /// To the mean of the group, or to the anchor.
    pub(crate) error_95: Option<f64>,
    pub(crate) games: u64,
    pub(crate) points: f64,
    pub(crate) score: f64,
    /// Mean rating of the opponents of the same group.
    pub(crate) opponents: Option<f64>,
    /// Reason why no finite rating is the likeliest, or none was found.
    pub(crate) unrated: Option<&'static str>,
    pub(crate) wins: u64,
    pub(crate) draws: u64,
    pub(crate) losses: u64,
    /// Likelihood of superiority over the next player of the group.
    pub(crate) los_next: Option<f64>,
}

impl<'a> RatingList<'a> {
    /// Rates the players of games that are grouped by White and by Black.
    pub(crate) fn new(statistics: &'a Statistics) -> RatingList<'a> {
        let (mut players, mut encounters, left_out) = count(&statistics.whole);
        let groups = groups(players.len(), &encounters);
        for (nth, group) in groups.iter().enumerate() {
            for &player in group {
                players[player].group = Some(nth + 1);
            }
        }
        let group = |player: usize| players[player].group;
        encounters.retain(|games| {
            group(games.white).is_some() && group(games.white) == group(games.black)
        });
        let fit = Fit::new(players.len(), encounters);
        rate(&mut players, &groups, &fit, statistics.plan.anchor.as_ref());
        players.sort_by(|first, second| {
            let place = |player: &RatedPlayer<'_>| player.group.unwrap_or(usize::MAX);
            let rating = |player: &RatedPlayer<'_>| player.rating.unwrap_or_default();
            let by_rating = rating(second).total_cmp(&rating(first));
            place(first).cmp(&place(second)).then(by_rating)
        });
        let advantage = fit.advantage();
        RatingList {
            white_advantage: advantage.map(|(value, _)| rounded(value)),
            white_advantage_error_95: advantage.and_then(|(_, error)| Some(rounded(error?))),
            draw_rate: (fit.has_converged && !groups.is_empty()).then(|| rounded(fit.draw_rate)),
            left_out,
            groups: groups.len(),
            players,
        }
    }
}

/// Players by name and their encounters, and the number of games left out.
fn count(games: &Group) -> (Vec<RatedPlayer<'_>>, Vec<Encounter>, u64) {
    let mut left_out = 0;
    let mut results = Vec::new();
    for (white, group) in &games.by {
        for (black, group) in &group.by {
            let tally = group.counts.tally();
            if white.is_empty() || black.is_empty() || white == black {
                left_out += tally.decided();
            } else if tally.decided() > 0 {
                results.push((&**white, &**black, tally));
            }
        }
    }
    results.sort_unstable_by_key(|&(white, black, _)| (white, black));
    let names = results.iter().flat_map(|&(white, black, _)| [white, black]);
    let mut names: Vec<&str> = names.collect();
    names.sort_unstable();
    names.dedup();
    let place = |name: &str| names.partition_point(|&other| other < name);
    let encounters = results.into_iter().map(|(white, black, tally)| Encounter {
        white: place(white),
        black: place(black),
        games: tally.decided() as f64,
        points: tally.white as f64 + tally.draws as f64 / 2.0,
        draws: tally.draws as f64,
    });
    let encounters: Vec<_> = encounters.collect();
    let player = |&player| RatedPlayer {
        player,
        ..RatedPlayer::default()
    };
    let mut players: Vec<_> = names.iter().map(player).collect();
    for games in &encounters {
        for (player, _, points) in games.sides() {
            let player = &mut players[player];
            let wins = (points - games.draws / 2.0) as u64;
            player.games += games.games as u64;
            player.wins += wins;
            player.draws += games.draws as u64;
            player.losses += (games.games - games.draws) as u64 - wins;
            player.points += points;
            player.score = rounded(player.points / player.games as f64);
        }
    }
    (players, encounters, left_out)
}

/// Groups of players of whom each has scored, directly or by way of others, against each. Only
/// within them the likelihood has a maximum (L. R. Ford, American Mathematical Monthly 64, 1957).
/// They are the strongly connected components, by the algorithm of Kosaraju.
fn groups(players: usize, encounters: &[Encounter]) -> Vec<Vec<usize>> {
    let mut forward = vec![Vec::new(); players];
    let mut backward = vec![Vec::new(); players];
    for (player, opponent, points) in encounters.iter().flat_map(Encounter::sides) {
        if points > 0.0 {
            forward[player].push(opponent);
            backward[opponent].push(player);
        }
    }
    let (mut seen, mut order) = (vec![false; players], Vec::new());
    for player in 0..players {
        visit(player, &forward, &mut seen, &mut order);
    }
    seen.fill(false);
    let components = order.into_iter().rev().map(|player| {
        let mut component = Vec::new();
        visit(player, &backward, &mut seen, &mut component);
        component
    });
    let mut groups: Vec<_> = components.filter(|players| players.len() > 1).collect();
    groups.iter_mut().for_each(|group| group.sort_unstable());
    groups.sort_by_key(|group| (Reverse(group.len()), group[0]));
    groups
}

/// Appends the nodes that are reached from a node and have not been seen, each after those that are
/// reached from it. Its own stack, as a chain may be as long as the list of players.
fn visit(node: usize, next: &[Vec<usize>], seen: &mut [bool], order: &mut Vec<usize>) {
    if mem::replace(&mut seen[node], true) {
        return;
    }
    let mut path = vec![(node, next[node].iter())];
    while let Some((node, rest)) = path.last_mut() {
        match rest.find(|&&other| !mem::replace(&mut seen[other], true)) {
            Some(&other) => path.push((other, next[other].iter())),
            None => {
                order.push(*node);
                path.pop();
            }
        }
    }
}

/// Fills in the ratings of the players of groups, and the reason why others have none.
fn rate(
    players: &mut [RatedPlayer<'_>],
    groups: &[Vec<usize>],
    fit: &Fit,
    anchor: Option<&Anchor>,
) {
    for group in groups.iter().filter(|_| fit.has_converged) {
        let name = anchor.map(|(name, _)| &**name);
        let anchored = group.iter().find(|&&it| Some(players[it].player) == name);
        let reference = anchored.map_or(&group[..], std::slice::from_ref);
        let given = anchored.and(anchor).map_or(MEAN, |(_, rating)| *rating);
        let sum: f64 = reference.iter().map(|&player| fit.elo(player)).sum();
        let mean = sum / reference.len() as f64;
        for &player in group {
            players[player].rating = Some(rounded(given + fit.elo(player) - mean));
        }
        let mut order = group.clone();
        let rating = |player: usize| players[player].rating.unwrap_or_default();
        order.sort_by(|&one, &other| rating(other).total_cmp(&rating(one)));
        let mut better: Option<(usize, Vec<f64>)> = None;
        for player in order {
            let Some(contrast) = fit.contrast(player, reference) else {
                break;
            };
            if let Some((better, other)) = better {
                let difference = other.iter().zip(&contrast).map(|(one, other)| one - other);
                let deviation = fit.deviation(&difference.collect::<Vec<_>>());
                let elo = fit.elo(better) - fit.elo(player);
                players[better].los_next = Some(rounded(superiority(elo, deviation)));
            }
            let error = rounded(Z * fit.deviation(&contrast));
            players[player].error_95 = Some(error).filter(|_| reference != [player]);
            better = Some((player, contrast));
        }
    }
    let mut sums = vec![0.0; players.len()];
    let mut counts = vec![0.0; players.len()];
    for games in &fit.encounters {
        for (player, opponent, _) in games.sides() {
            counts[player] += games.games;
            sums[player] += games.games * players[opponent].rating.unwrap_or_default();
        }
    }
    for (nth, player) in players.iter_mut().enumerate() {
        if player.rating.is_some() {
            player.opponents = Some(rounded(sums[nth] / counts[nth]));
        } else if player.group.is_some() {
            player.unrated = Some("not converged");
        } else if player.points == player.games as f64 {
            player.unrated = Some("won all games");
        } else if player.points == 0.0 {
            player.unrated = Some("lost all games");
        } else {
            player.unrated = Some("not connected");
        }
    }
}
