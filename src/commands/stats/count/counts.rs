//! Counts of games: by result, by a player's colour, and draws by kind.

use std::collections::BTreeMap;
use std::ops::AddAssign;

use serde::{Deserialize, Serialize, Serializer};

use crate::adjudication::{Adjudication, RuledReason, Verdict};
use crate::chess::Color;
use crate::commands::stats::count::MOST;
use crate::commands::stats::numbers::Rate;
use crate::law::End;
use crate::pgn::termination::Reason;

/// Counts of results. Addition is commutative and associative: games can be counted in any order
/// and in any parts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct Tally {
    /// White won.
    pub white: u64,
    /// Black won.
    pub black: u64,
    /// Drawn.
    pub draws: u64,
    /// Without a result: `*`, or none at all.
    pub unfinished: u64,
    /// Recorded result other than the four of PGN, such as `0-0`.
    pub other: u64,
    /// Games without a readable part.
    #[serde(default)]
    pub unreadable: u64,
}

/// Counts in the order of [`CountedResult`].
impl From<[u64; 6]> for Tally {
    fn from(counts: [u64; 6]) -> Tally {
        let [white, black, draws, unfinished, other, unreadable] = counts;
        Tally {
            white,
            black,
            draws,
            unfinished,
            other,
            unreadable,
        }
    }
}

impl Tally {
    /// Games with one of the three results; percentages are of these.
    pub(crate) fn decided(&self) -> u64 {
        self.white + self.black + self.draws
    }

    /// All games of which something could be read.
    pub(crate) fn games(&self) -> u64 {
        self.decided() + self.unfinished + self.other
    }

    /// All games, those included of which nothing could be read.
    pub(crate) fn seen(&self) -> u64 {
        self.games() + self.unreadable
    }

    /// Counts in the order of [`CountedResult`].
    fn counts(&self) -> [u64; 6] {
        [
            self.white,
            self.black,
            self.draws,
            self.unfinished,
            self.other,
            self.unreadable,
        ]
    }

    /// [`Tally::seen`], unless it exceeds the limit.
    pub(crate) fn checked_seen(&self) -> Option<u64> {
        let mut counts = self.counts().into_iter();
        let seen = counts.try_fold(0, u64::checked_add);
        seen.filter(|&seen| seen <= MOST)
    }

    /// White's points a game, a draw counting one half. Nothing if no game has a result.
    pub(crate) fn white_score(&self) -> Option<Rate> {
        Rate::points(self.white, self.draws, self.black)
    }

    /// The share of draws. Nothing if no game has a result.
    pub(crate) fn draw_rate(&self) -> Option<Rate> {
        Rate::share(self.draws, self.decided())
    }
}

/// Result of one game as it is counted.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum CountedResult {
    /// White won.
    #[serde(rename = "1-0")]
    White,
    /// Black won.
    #[serde(rename = "0-1")]
    Black,
    /// Drawn.
    #[serde(rename = "1/2-1/2")]
    Draw,
    /// No result.
    #[serde(rename = "*")]
    Unfinished,
    /// Recorded result other than the four of PGN.
    #[serde(rename = "other")]
    Other,
    /// No readable part.
    #[serde(skip)]
    Unreadable,
}

/// A counted game.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CountedGame {
    pub outcome: CountedResult,
    /// Kind of draw, if those are counted.
    pub kind: Option<DrawKind>,
    /// True if the rules change the recorded result.
    pub changed: bool,
    /// True if the rules leave the recorded result.
    pub undecided: bool,
}

/// Counts of a group.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Results of a player's games with White and with Black; of other groups, all are the first.
    /// In arrays a game is counted without a branch on its result, which is unpredictable.
    games: [[u64; 6]; 2],
    is_of_player: bool,
    /// Draws by kind, if requested and there are any.
    pub draw_kinds: Option<Box<DrawKinds>>,
    /// Games whose result the rules change.
    pub changed: u64,
    /// Games whose result the rules leave open.
    pub undecided: u64,
}

impl Counts {
    /// Counts a game; in groups of players, of which the player had the colour `side`.
    #[inline]
    pub(crate) fn add(&mut self, game: &CountedGame, side: Option<Color>) {
        self.games[side.map_or(0, Color::index)][game.outcome as usize] += 1;
        if let Some(kind) = game.kind {
            self.draw_kinds.get_or_insert_default().add(kind, 1);
        }
        // Most games are neither: the memory is not touched.
        if game.changed {
            self.changed += 1;
        }
        if game.undecided {
            self.undecided += 1;
        }
    }

    /// Counts without games.
    pub(crate) fn new(is_of_player: bool) -> Counts {
        Counts {
            is_of_player,
            ..Counts::default()
        }
    }

    /// Counts of a player by colour.
    pub(crate) fn of_player(games: [Tally; 2]) -> Counts {
        Counts {
            games: games.map(|tally| tally.counts()),
            ..Counts::new(true)
        }
    }

    /// Results of all games.
    pub fn tally(&self) -> Tally {
        let [white, black] = self.games;
        std::array::from_fn(|nth| white[nth] + black[nth]).into()
    }

    /// Results of a player's games with White and with Black.
    pub(crate) fn sides(&self) -> Option<[Tally; 2]> {
        self.is_of_player.then(|| self.games.map(Tally::from))
    }

    /// Games won, drawn and lost, by the player of the group or by White.
    pub(crate) fn record(&self) -> [u64; 3] {
        let tally = self.tally();
        match self.sides() {
            None => [tally.white, tally.draws, tally.black],
            Some([white, black]) => [
                white.white + black.black,
                tally.draws,
                white.black + black.white,
            ],
        }
    }

    /// Counts by player: every game counts for White and for Black.
    pub(crate) fn of_both_players(&self) -> Counts {
        let mut twice = self.clone();
        twice += self.clone();
        twice.games = [self.tally().counts(); 2];
        twice.is_of_player = true;
        twice
    }

    /// True if counts that were read add up to the results, of which there are not too many.
    pub(crate) fn adds_up_to(&self, tally: Tally) -> bool {
        let kinds = self.draw_kinds.as_deref().map(|kinds| kinds.0);
        let parts = self
            .games
            .as_flattened()
            .iter()
            .chain(kinds.iter().flatten());
        let mut parts = parts.chain([&self.changed, &self.undecided]);
        let fit = |seen| parts.all(|&part| part <= seen);
        tally.checked_seen().is_some_and(fit)
            && self.tally() == tally
            && kinds.is_none_or(|kinds| kinds.iter().sum::<u64>() == tally.draws)
    }

    /// Draws by kind.
    pub(crate) fn draw_kinds(&self) -> DrawKinds {
        self.draw_kinds.as_deref().copied().unwrap_or_default()
    }

    /// Points per game by [`Counts::record`].
    pub(crate) fn points(&self) -> Option<Rate> {
        let [won, drawn, lost] = self.record();
        Rate::points(won, drawn, lost)
    }
}

impl From<Tally> for Counts {
    fn from(tally: Tally) -> Counts {
        Counts {
            games: [tally.counts(), [0; 6]],
            ..Counts::default()
        }
    }
}

impl AddAssign for Counts {
    fn add_assign(&mut self, more: Counts) {
        let sums = self.games.as_flattened_mut().iter_mut();
        for (sum, more) in sums.zip(more.games.as_flattened()) {
            *sum += more;
        }
        self.is_of_player |= more.is_of_player;
        if let Some(more) = more.draw_kinds {
            **self.draw_kinds.get_or_insert_default() += *more;
        }
        self.changed += more.changed;
        self.undecided += more.undecided;
    }
}

/// A kind of draw.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum DrawKind {
    /// Agreed, as somebody recorded.
    Agreement,
    /// Nothing on the board or on record explains it: agreed, as a rule.
    Unexplained,
    /// An end that the moves brought about, on the board or by the move announced.
    Moves(End),
    /// A side's time was up, and the other one could not win.
    Flag,
    /// A side gave up, or its time was up, and the other one could not win; which, is not recorded.
    Unwinnable,
    /// Both sides' time was up.
    BothOutOfTime,
    /// Somebody decided it: an arbiter, a tablebase, a rule on the engines' assessments.
    Adjudication,
    /// Something else on record, such as a player who left.
    Other,
    /// The reason on record is refuted by the moves.
    Refuted,
    /// The moves cannot be played to the end, or the game is not by the rules of chess.
    Unjudged,
}

impl DrawKind {
    const COUNT: usize = End::DRAWS.len() + 9;

    /// Every kind.
    pub(crate) fn all() -> impl Iterator<Item = DrawKind> {
        let ends = End::DRAWS.iter().map(|&end| DrawKind::Moves(end));
        let first = [DrawKind::Agreement, DrawKind::Unexplained].into_iter();
        first.chain(ends).chain([
            DrawKind::Flag,
            DrawKind::Unwinnable,
            DrawKind::BothOutOfTime,
            DrawKind::Adjudication,
            DrawKind::Other,
            DrawKind::Refuted,
            DrawKind::Unjudged,
        ])
    }

    /// The word scripts know it by.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            DrawKind::Agreement => "agreement",
            DrawKind::Unexplained => "unexplained",
            DrawKind::Moves(end) => end.as_str(),
            DrawKind::Flag => "time-against-insufficient-material",
            DrawKind::Unwinnable => "winner-could-not-mate",
            DrawKind::BothOutOfTime => "both-out-of-time",
            DrawKind::Adjudication => "adjudication",
            DrawKind::Other => "other",
            DrawKind::Refuted => "refuted",
            DrawKind::Unjudged => "not-judged",
        }
    }

    /// Kind of a drawn game; without an adjudication it could not be judged.
    pub(crate) fn of(adjudication: Option<&Adjudication>) -> DrawKind {
        let Some((adjudication, ruling)) = adjudication
            .and_then(|adjudication| Some((adjudication, adjudication.rulings.first()?)))
        else {
            return DrawKind::Unjudged;
        };
        match ruling.reason {
            // The record says draw, and the board says mate.
            RuledReason::End(End::Checkmate) => DrawKind::Refuted,
            RuledReason::End(end) => DrawKind::Moves(end),
            RuledReason::Recorded(reason) => match reason {
                // The ruling calls a draw without a reason agreed.
                Reason::Agreement if adjudication.recorded.reason() != Some(Reason::Agreement) => {
                    DrawKind::Unexplained
                }
                Reason::Agreement => DrawKind::Agreement,
                Reason::TimeForfeit | Reason::TimeAgainstInsufficientMaterial => DrawKind::Flag,
                Reason::Resignation => DrawKind::Unwinnable,
                Reason::BothOutOfTime => DrawKind::BothOutOfTime,
                Reason::Adjudication => DrawKind::Adjudication,
                _ => DrawKind::Other,
            },
            RuledReason::ResignationOrTime => DrawKind::Unwinnable,
            RuledReason::Unknown => DrawKind::Unexplained,
            RuledReason::Open if ruling.verdict == Verdict::Contradiction => DrawKind::Refuted,
            RuledReason::Open | RuledReason::Incomplete => DrawKind::Unjudged,
        }
    }
}

/// How many draws there are of each kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(try_from = "BTreeMap<String, u64>")]
pub struct DrawKinds([u64; DrawKind::COUNT]);

impl DrawKinds {
    /// Every kind with its count.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (DrawKind, u64)> {
        DrawKind::all().zip(self.0)
    }

    pub(crate) fn add(&mut self, kind: DrawKind, count: u64) {
        if let Some(place) = DrawKind::all().position(|other| other == kind) {
            self.0[place] += count;
        }
    }
}

impl AddAssign for DrawKinds {
    fn add_assign(&mut self, more: DrawKinds) {
        for (sum, more) in self.0.iter_mut().zip(more.0) {
            *sum += more;
        }
    }
}

impl Serialize for DrawKinds {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter().map(|(kind, count)| (kind.as_str(), count)))
    }
}

impl TryFrom<BTreeMap<String, u64>> for DrawKinds {
    type Error = &'static str;

    fn try_from(counts: BTreeMap<String, u64>) -> Result<DrawKinds, &'static str> {
        let mut kinds = DrawKinds::default();
        for (name, count) in counts {
            let kind = DrawKind::all().find(|kind| kind.as_str() == name);
            kinds.add(kind.ok_or("a kind of draw is not known")?, count);
        }
        Ok(kinds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_is_counted_once() {
        assert_eq!(DrawKind::all().count(), DrawKind::COUNT);
        for kind in DrawKind::all() {
            let same = DrawKind::all().filter(|&other| other == kind);
            assert_eq!(same.count(), 1, "{}", kind.as_str());
            let mut counted = DrawKinds::default();
            counted.add(kind, 3);
            assert!(
                counted
                    .iter()
                    .all(|(other, count)| count == if other == kind { 3 } else { 0 })
            );
        }
    }
}
