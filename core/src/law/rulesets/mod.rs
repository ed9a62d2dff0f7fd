//! Which ends of a game hold, and how, under each named rule set.
//!
//! A [`RuleSet`] is data: one constant for each preset, with its source. For each end that the
//! moves can bring about it says whether it is automatic, claimed or absent; and which positions
//! are the same, which material is too little, and what a fallen flag means. If the source is
//! silent, the answer is `Standing::Undefined`.

mod end;
mod fide;
mod key;
mod material;
mod pace;
mod rule;
mod servers;
pub(crate) mod websites;

use std::fmt;

use crate::chess::{Board, Color, Position};

pub use end::End;
pub use end::{ClaimName, Condition, Ends, FEWEST};
pub use fide::{
    FIDE, FIDE_2009, FIDE_2014, FIDE_2017, FIDE_2018, FIDE_EDITIONS, FIDE_ONLINE, USCF,
};
pub use key::{CastlingPart, EnPassantPart, RepetitionKey};
use material::amount_on;
pub use material::{MaterialSet, TooLittle};
pub(crate) use material::{amount, minors};
pub use pace::{Pace, TimedGames};
pub use rule::Loss;
pub use rule::{
    Article, Citation, ClaimProcedure, EndRule, FlagFall, IllegalMoves, KeyArticles,
    MaterialArticles, QuickplayRule, Standing,
};
pub use servers::{CHESSCOM, CHESSCOM_2007, CHESSCOM_EDITIONS, ENGINE, FICS, ICC, LICHESS};
use websites::{BEGINNERS, BRAINKING, BRETTSPIELNETZ, CLASSIC, MAIL};

/// Every preset, in the order in which they are listed.
pub const RULE_SETS: [&RuleSet; 18] = [
    &FIDE,
    &FIDE_2018,
    &FIDE_2017,
    &FIDE_2014,
    &FIDE_2009,
    &FIDE_ONLINE,
    &USCF,
    &LICHESS,
    &CHESSCOM,
    &CHESSCOM_2007,
    &ICC,
    &FICS,
    &ENGINE,
    &BRETTSPIELNETZ,
    &BRAINKING,
    &BEGINNERS,
    &CLASSIC,
    &MAIL,
];

/// Every body of rules with several editions.
pub const EDITIONS: [&Editions; 2] = [&FIDE_EDITIONS, &CHESSCOM_EDITIONS];

/// The draw rules of a federation, a server or a program.
#[derive(Debug)]
pub struct RuleSet {
    /// The name by which it is chosen, such as `fide-2018`.
    pub name: &'static str,
    /// Its title.
    pub title: &'static str,
    /// The words before the number of an article: `FIDE 2023 art.`
    pub cite: &'static str,
    /// The text that the rules were read in.
    pub source: &'static str,
    /// Since when this edition has been in force, where it is known.
    pub since: Option<Date>,
    /// Names in a Site or Event tag that show that a game was played by these rules, in lower case.
    pub places: &'static [&'static str],
    /// The rule on [`End::Checkmate`].
    pub checkmate: EndRule,
    /// The rule on [`End::Stalemate`].
    pub stalemate: EndRule,
    /// The rule on [`End::DeadPosition`].
    pub dead_position: EndRule,
    /// The rule on [`End::InsufficientMaterial`].
    pub insufficient_material: EndRule,
    /// The rule on [`End::Fivefold`].
    pub fivefold: EndRule,
    /// The rule on [`End::SeventyFiveMoves`].
    pub seventy_five_moves: EndRule,
    /// The rule on [`End::Threefold`].
    pub threefold: EndRule,
    /// The rule on [`End::FiftyMoves`].
    pub fifty_moves: EndRule,
    /// The pieces that are too few for the game to go on.
    pub material_set: MaterialSet,
    /// The source gives the set by examples, so that other bishops and knights may belong to it.
    pub material_is_open: bool,
    /// The pieces with which the players are to agree to a draw.
    pub agreed_set: MaterialSet,
    /// The occurrences of a fivefold repetition must be four plies apart, as FIDE wanted until
    /// 2017.
    pub fivefold_in_a_row: bool,
    /// First day on which they need not, if games older than that are met.
    pub fivefold_apart_since: Option<Date>,
    /// The players agree to a draw. The moves do not show it: it is `Standing::Recorded`.
    pub agreement: EndRule,
    /// A draw can be agreed only after a move by each side (FIDE since 2017).
    pub agreement_needs_moves: bool,
    /// The game of a player who resigns is drawn if the opponent cannot mate.
    pub resignation_exception: EndRule,
    /// The article by which a player who resigns ends the game.
    pub resignation_article: Option<Article>,
    /// Result of the game of a player whose time is up.
    pub flag: FlagFall,
    /// The article on it.
    pub flag_article: Option<Article>,
    /// The articles on each amount of too little material, if they are several.
    pub material_articles: Option<MaterialArticles>,
    /// Over the board both flags may fall before it is noticed; a server stops one clock.
    pub over_the_board: bool,
    /// The article by which a game is drawn when both flags have fallen, and the games to which it
    /// applies; without them the flags alone decide.
    pub both_flags: Option<(Article, Option<TimedGames>)>,
    /// The rule on opponents who cannot win by normal means.
    pub quickplay: Option<QuickplayRule>,
    /// The article that allows no such claim, and the games to which it does not apply.
    pub quickplay_refused: Option<(Article, &'static str)>,
    /// The rule on illegal moves, if a player can complete one.
    pub illegal_moves: Option<IllegalMoves>,
    /// The articles on penalties, which do not ask who can mate.
    pub penalties: Option<Article>,
    /// Which positions are the same.
    pub key: RepetitionKey,
    /// The articles on them.
    pub key_articles: KeyArticles,
    /// Other readings of the same text, with their names.
    pub other_keys: &'static [(&'static str, RepetitionKey)],
    /// The consequences of a claim.
    pub claims: ClaimProcedure,
    /// Which end is named where several come with the same move: the first of these that holds. A
    /// mating move wins whatever else it brings about (FIDE Laws 9.6.2 on the 75-move rule), and
    /// the narrower draw is named before the wider one.
    pub order: &'static [End],
    /// Notes for users.
    pub notes: &'static [&'static str],
}

impl RuleSet {
    /// A rule set without rules, from which the others differ. Same positions are those of FIDE.
    pub(crate) const BASE: RuleSet = RuleSet {
        name: "",
        title: "",
        cite: "",
        source: "",
        since: None,
        places: &[],
        checkmate: EndRule::ABSENT,
        stalemate: EndRule::ABSENT,
        dead_position: EndRule::ABSENT,
        insufficient_material: EndRule::ABSENT,
        fivefold: EndRule::ABSENT,
        seventy_five_moves: EndRule::ABSENT,
        threefold: EndRule::ABSENT,
        fifty_moves: EndRule::ABSENT,
        material_set: MaterialSet::None,
        material_is_open: false,
        agreed_set: MaterialSet::None,
        fivefold_in_a_row: false,
        fivefold_apart_since: None,
        agreement: EndRule::ABSENT,
        agreement_needs_moves: false,
        resignation_exception: EndRule::ABSENT,
        resignation_article: None,
        flag: FlagFall::Absent,
        flag_article: None,
        material_articles: None,
        over_the_board: false,
        both_flags: None,
        quickplay: None,
        quickplay_refused: None,
        illegal_moves: None,
        penalties: None,
        key: RepetitionKey::FIDE,
        key_articles: KeyArticles::new("", "", ""),
        other_keys: &[],
        claims: ClaimProcedure::NONE,
        order: &[
            End::Checkmate,
            End::Stalemate,
            End::InsufficientMaterial,
            End::DeadPosition,
            End::Fivefold,
            End::SeventyFiveMoves,
            End::Threefold,
            End::FiftyMoves,
        ],
        notes: &[],
    };

    /// The preset of a name.
    pub(crate) fn named(name: &str) -> Option<&'static RuleSet> {
        let mut sets = RULE_SETS.into_iter();
        sets.find(|rules| rules.name.eq_ignore_ascii_case(name))
    }

    /// The rule on an end.
    pub const fn rule(&self, end: End) -> &EndRule {
        match end {
            End::Checkmate => &self.checkmate,
            End::Stalemate => &self.stalemate,
            End::DeadPosition => &self.dead_position,
            End::InsufficientMaterial => &self.insufficient_material,
            End::Fivefold => &self.fivefold,
            End::SeventyFiveMoves => &self.seventy_five_moves,
            End::Threefold => &self.threefold,
            End::FiftyMoves => &self.fifty_moves,
        }
    }

    /// The readings of which positions are the same.
    pub fn keys(&self) -> impl Iterator<Item = RepetitionKey> {
        let others = self.other_keys.iter().map(|&(_, key)| key);
        [self.key].into_iter().chain(others)
    }

    /// How an end stands.
    pub const fn standing(&self, end: End) -> Standing {
        self.rule(end).standing
    }

    /// As [`RuleSet::rule`], for a fivefold repetition with its occurrences in a row or not.
    pub fn rule_for(&self, end: End, in_a_row: bool) -> EndRule {
        let rule = *self.rule(end);
        match end {
            End::Fivefold if !in_a_row => EndRule {
                since: self.fivefold_apart_since.or(rule.since),
                ..rule
            },
            _ => rule,
        }
    }

    /// Whether a Site or Event, in lower case, has one of [`RuleSet::places`] as a word.
    pub(crate) fn is_played_at(&self, place: &str) -> bool {
        // `TCEC22` is TCEC, but `playchess.com` is not `chess.com`.
        let is_word = |(at, name): (usize, &str)| {
            !place[..at].ends_with(char::is_alphanumeric)
                && !place[at + name.len()..].starts_with(char::is_alphabetic)
        };
        let mut names = self.places.iter();
        names.any(|&name| place.contains(name) && place.match_indices(name).any(is_word))
    }

    /// The ends of which the rule stands in this way.
    pub(crate) fn ends_that_stand(&self, standing: Standing) -> Ends {
        let stands = |&end: &End| self.standing(end) == standing;
        End::ALL.into_iter().filter(stands).collect()
    }

    /// The ends by repetition and by counting moves that count: a fivefold repetition perhaps only
    /// if its occurrences are in a row.
    pub(crate) fn counting(&self, ends: Ends, in_a_row: impl FnOnce() -> bool) -> Ends {
        if self.fivefold_in_a_row && ends.has(End::Fivefold) && !in_a_row() {
            return ends.iter().filter(|&end| end != End::Fivefold).collect();
        }
        ends
    }

    /// The first of several ends in the rule set's order of tests.
    pub(crate) fn first(&self, ends: Ends) -> Option<End> {
        self.order.iter().copied().find(|&end| ends.has(end))
    }

    /// An article with its edition: `FIDE 2023 art. 9.2.2`.
    pub fn cite(&self, article: Option<Article>) -> Citation {
        self.cite_both([article, None])
    }

    /// Two articles with their edition: `FIDE 2023 art. 5.1.2, 6.9`.
    pub(crate) fn cite_both(&self, articles: [Option<Article>; 2]) -> Citation {
        Citation {
            cite: self.cite,
            articles,
        }
    }

    /// Citation of the article on an end.
    pub fn cite_end(&self, end: End) -> Citation {
        self.cite(self.rule(end).article)
    }

    /// Citation of the article on an end in a position, which is asked for if it matters.
    pub(crate) fn cite_end_in(&self, end: End, position: impl FnOnce() -> Position) -> Citation {
        let on_board = match end {
            End::InsufficientMaterial => self.material_articles.as_ref(),
            _ => None,
        };
        let article = on_board.map(|articles| articles.on_board[amount_on(position().board())]);
        self.cite(article.or(self.rule(end).article))
    }

    /// Result of a loss.
    pub(crate) fn result_of(&self, loss: Loss) -> FlagFall {
        match (loss, self.resignation_exception.standing) {
            (Loss::Time, _) => self.flag,
            (Loss::IllegalMoves, _) => {
                let loses = self.illegal_moves.and_then(|rule| rule.loses);
                loses.map_or(FlagFall::Absent, |_| self.flag)
            }
            (Loss::Resignation, Standing::Absent) => FlagFall::Loses,
            (Loss::Resignation, Standing::Undefined) => FlagFall::Undefined,
            (Loss::Resignation, _) => FlagFall::Helpmate,
        }
    }

    /// The article on a loss at this pace, with this material of the opponent.
    pub(crate) fn article_on(
        &self,
        loss: Loss,
        pace: Option<Pace>,
        board: &Board,
        opponent: Color,
    ) -> Option<Article> {
        match (loss, self.flag, &self.material_articles) {
            (Loss::IllegalMoves, ..) => self.illegal_moves.map(|rule| rule.at(pace).0),
            (Loss::Resignation, ..) => self.resignation_article,
            (_, FlagFall::ForcedMate(set), Some(articles)) if set.holds(board, opponent) => {
                Some(articles.on_time[amount(board, opponent)])
            }
            _ => self.flag_article,
        }
    }

    /// The name by which a sentence speaks of the rule set: `FIDE 2023`.
    pub fn short(&self) -> String {
        self.cite(None).to_string()
    }
}

/// A body of rules with its editions.
#[derive(Debug)]
pub struct Editions {
    /// The name by which the edition in force on a game's date is chosen, such as `fide`.
    pub name: &'static str,
    /// Its title.
    pub title: &'static str,
    /// The editions, the oldest first. Each has a first day.
    pub sets: &'static [&'static RuleSet],
}

impl Editions {
    /// The body of rules of a name.
    pub(crate) fn named(name: &str) -> Option<&'static Editions> {
        let mut all = EDITIONS.into_iter();
        all.find(|editions| editions.name.eq_ignore_ascii_case(name))
    }

    /// The edition in force on a day, the oldest one before its first day; without a day the
    /// latest.
    pub(crate) fn in_force(&self, day: Option<Date>) -> &'static RuleSet {
        let started = |rules: &&&RuleSet| day.is_none_or(|day| rules.since <= Some(day));
        let found = self.sets.iter().rev().find(started);
        found.copied().unwrap_or(self.sets[0])
    }
}

/// The months of the year, January the first.
pub(crate) const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// A day of the Gregorian calendar. The parts are not checked against the calendar.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Date {
    /// The year.
    pub year: u16,
    /// 1 to 12.
    pub month: u8,
    /// 1 to 31.
    pub day: u8,
}

impl Date {
    /// A day.
    pub(crate) const fn new(year: u16, month: u8, day: u8) -> Date {
        Date { year, month, day }
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match MONTHS.get(usize::from(self.month).wrapping_sub(1)) {
            Some(month) => write!(f, "{} {month} {}", self.day, self.year),
            None => write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day),
        }
    }
}

#[cfg(test)]
mod tests;
