//! Which ends of a game hold, and how, under each named rule set.
//!
//! A [`RuleSet`] is data: one constant for each preset, with its source. It says of each end that the moves of a game can
//! bring about whether it comes by itself, on a claim, or not at all, which positions count as the same, which
//! material is too little, and what a fallen flag means. What it does not say is answered [`Standing::Undefined`].

mod date;
mod editions;
mod ends;
mod fide;
mod key;
mod material;
mod servers;
mod source_pages;

use std::fmt;

use crate::chess::position::Position;

pub use date::{Date, MONTHS};
pub use editions::{EDITIONS, Editions};
pub use ends::{End, Ends};
pub use fide::{
    FIDE, FIDE_2009, FIDE_2014, FIDE_2017, FIDE_2018, FIDE_EDITIONS, FIDE_ONLINE, USCF,
};
pub use key::{CastlingPart, EnPassantPart, RepetitionKey};
pub use material::{MaterialSet, TooLittle};
pub use servers::{CHESSCOM, CHESSCOM_2007, CHESSCOM_EDITIONS, ENGINE, FICS, ICC, LICHESS};
pub use source_pages::{BEGINNERS, BRAINKING, BRETTSPIELNETZ, CLASSIC, MAIL};

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

/// The draw rules of a federation, a server or a program.
#[derive(Debug)]
pub struct RuleSet {
    /// The name by which it is chosen, such as `fide-2018`.
    pub name: &'static str,
    /// What it is.
    pub title: &'static str,
    /// What stands before the number of an article: `FIDE 2023 art.`
    pub cite: &'static str,
    /// Where the rules were read.
    pub source: &'static str,
    /// Since when this edition has been in force, where it is known.
    pub since: Option<Date>,
    /// Names in a Site or Event tag that show that a game was played by these rules, in lower case.
    pub places: &'static [&'static str],
    /// The side to move is in check and has no legal move.
    pub checkmate: Rule,
    /// The side to move is not in check and has no legal move.
    pub stalemate: Rule,
    /// Neither side can mate by any series of legal moves.
    pub dead: Rule,
    /// The pieces on the board are among those of [`RuleSet::material_set`].
    pub material: Rule,
    /// Which pieces are too few for the game to go on.
    pub material_set: MaterialSet,
    /// Whether the source gives the set by examples, so that other bishops and knights may belong to it.
    pub material_is_open: bool,
    /// The same position for the third time.
    pub threefold: Rule,
    /// How a draw by threefold repetition is claimed.
    pub threefold_forms: ClaimForms,
    /// The same position for the fifth time.
    pub fivefold: Rule,
    /// Whether the five must follow each other with one move of each side between them, as FIDE wanted it until 2017.
    pub fivefold_in_a_row: bool,
    /// Since when they need not, where games older than that are met.
    pub fivefold_apart_since: Option<Date>,
    /// 50 moves by each side without a capture or a pawn move: the halfmove clock is at 100 or more.
    pub fifty: Rule,
    /// How a draw by the fifty-move rule is claimed.
    pub fifty_forms: ClaimForms,
    /// 75 moves by each side without a capture or a pawn move: the halfmove clock is at 150 or more.
    pub seventy_five: Rule,
    /// The players agree to a draw. The moves do not show it, hence it is recorded where it is possible at all.
    pub agreement: Rule,
    /// The game of a player who resigns is drawn if the opponent cannot mate.
    pub resignation_exception: Rule,
    /// What becomes of the game of a player whose time is up.
    pub flag: FlagFall,
    /// Where that is said.
    pub flag_article: &'static str,
    /// Which positions are the same.
    pub key: RepetitionKey,
    /// Where that is said, and for the parts of it.
    pub key_articles: KeyArticles,
    /// Other readings of the same text, with their names.
    pub other_keys: &'static [(&'static str, RepetitionKey)],
    /// What a claim brings with it.
    pub claims: ClaimProcedure,
    /// Which end is named where several come with the same move: the first of these that holds.
    pub order: &'static [End],
    /// What a user of the rule set should know.
    pub notes: &'static [&'static str],
}

/// How one rule stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rule {
    /// Whether and how it ends the game.
    pub standing: Standing,
    /// The number of the article, or nothing where the source has none.
    pub article: &'static str,
    /// Since when the rule has held, in whatever edition, where it is young enough that games older than it are met.
    pub since: Option<Date>,
}

/// Whether and how a rule ends the game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Standing {
    /// The game is over when it happens, whether or not anybody notices.
    Automatic,
    /// The game goes on unless a player claims, or asks those who decide.
    OnClaim,
    /// The game goes on unless the director declares it drawn, which needs no claim.
    ByDirector,
    /// The moves do not show it; where it is recorded it is possible.
    Recorded,
    /// The rule set has no such rule: the game goes on.
    Absent,
    /// The source does not say.
    Undefined,
}

/// In which of its two forms a draw can be claimed: the article of each, empty where the source has no numbers;
/// `None` where the rule set does not know the form.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClaimForms {
    /// By announcing a move that is not yet played, and that brings it about (FIDE Laws 9.2.1, 9.3.1).
    pub announced: Option<&'static str>,
    /// By the player to move, when it stands on the board (FIDE Laws 9.2.2, 9.3.2).
    pub on_board: Option<&'static str>,
    /// Whether the source names its form as an example only, so that the other one is left open.
    pub is_open: bool,
}

/// Where it is said which positions are the same. Empty where the source has no numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KeyArticles {
    /// That they are to be the same at all.
    pub same: &'static str,
    /// What a possible capture en passant changes.
    pub en_passant: &'static str,
    /// What castling changes.
    pub castling: &'static str,
}

/// What a claim brings with it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClaimProcedure {
    /// The article by which a correct claim draws the game at once.
    pub right: &'static str,
    /// The article on a wrong claim.
    pub wrong: &'static str,
    /// What the opponent of a wrong claimant gets, in minutes; `None` where no penalty is stated.
    pub minutes: Option<u8>,
    /// The same in fast chess, where it is another: in which, and how many.
    pub fast_minutes: Option<(&'static str, u8)>,
    /// Whether the move that a wrong claim announced must then be played.
    pub announced_move_binds: bool,
    /// The article by which a claim is also an offer of a draw; `None` where it is not.
    pub is_offer: Option<&'static str>,
    /// Whether both sides may claim; otherwise the one to move may.
    pub either_side: bool,
    /// Whether the right to claim is lost for this move by making a move on the board, and by which article.
    pub lost_by_moving: Option<&'static str>,
    /// The article instead of all of these where fifty moves are claimed, if those are about repetition only.
    pub fifty: Option<&'static str>,
}

/// What becomes of the game of a player whose time is up.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FlagFall {
    /// It is lost.
    Loses,
    /// It is lost, unless the opponent cannot mate by any series of legal moves: then it is drawn.
    Helpmate,
    /// It is lost, unless the opponent has too little material, whatever the position: then it is drawn.
    Material(TooLittle),
    /// It is lost, unless the opponent has too little material and no forced mate, or cannot mate by any series of legal
    /// moves: then it is drawn.
    ForcedMate(TooLittle),
    /// There is no such rule.
    Absent,
    /// The source does not say.
    Undefined,
}

impl RuleSet {
    /// The preset of a name.
    pub fn named(name: &str) -> Option<&'static RuleSet> {
        RULE_SETS.into_iter().find(|rules| rules.name == name)
    }

    /// How the rule about an end stands.
    pub fn rule(&self, end: End) -> &Rule {
        match end {
            End::Checkmate => &self.checkmate,
            End::Stalemate => &self.stalemate,
            End::DeadPosition => &self.dead,
            End::InsufficientMaterial => &self.material,
            End::Fivefold => &self.fivefold,
            End::SeventyFiveMoves => &self.seventy_five,
            End::Threefold => &self.threefold,
            End::FiftyMoves => &self.fifty,
        }
    }

    /// As [`RuleSet::rule`], as it stands for an end that came about in a certain way: whether five occurrences of a position
    /// followed each other with one move of each side between them.
    pub fn rule_for(&self, end: End, in_a_row: bool) -> Rule {
        let rule = *self.rule(end);
        match end {
            End::Fivefold if !in_a_row => Rule {
                since: self.fivefold_apart_since.or(rule.since),
                ..rule
            },
            _ => rule,
        }
    }

    /// Whether a Site or Event, in lower case, has one of [`RuleSet::places`] as a word.
    pub fn is_played_at(&self, place: &str) -> bool {
        // `TCEC22` is TCEC, but `playchess.com` is not `chess.com`.
        let is_one = |rest: &str| {
            let mut rests = self
                .places
                .iter()
                .filter_map(|name| rest.strip_prefix(name));
            rests.any(|rest| !rest.starts_with(char::is_alphabetic))
        };
        let mut before = ' ';
        place.char_indices().any(|(at, character)| {
            let begins = !std::mem::replace(&mut before, character).is_alphanumeric();
            begins && is_one(&place[at..])
        })
    }

    /// The ends of which the rule stands in this way.
    pub fn ends(&self, standing: Standing) -> Ends {
        End::ALL
            .into_iter()
            .filter(|&end| self.rule(end).standing == standing)
            .collect()
    }

    /// The first of several ends in the rule set's order of tests.
    pub fn first(&self, ends: Ends) -> Option<End> {
        self.order.iter().copied().find(|&end| ends.has(end))
    }

    /// In which forms a draw by repetition or by counting moves is claimed; `None` for the other ends.
    pub fn forms(&self, end: End) -> Option<&ClaimForms> {
        match end {
            End::Threefold => Some(&self.threefold_forms),
            End::FiftyMoves => Some(&self.fifty_forms),
            _ => None,
        }
    }

    /// The ends that a position shows by itself: mate, stalemate, and too little material where the rule set lists some.
    /// Whether the position is dead otherwise takes a proof, and whether it has been here before, a
    /// [`History`](crate::law::History).
    pub fn ends_on_board(&self, position: &Position) -> Ends {
        let mut ends = Ends::NONE;
        if self.material_set.holds(position.board()) {
            ends.insert(End::InsufficientMaterial);
        }
        if !position.has_legal_move() {
            ends.insert(if position.is_check() {
                End::Checkmate
            } else {
                End::Stalemate
            });
        }
        ends
    }

    /// An article as it is cited, with its edition: `FIDE 2023 art. 9.2.2`. The rule set's name alone where the
    /// article is empty.
    pub fn article(&self, article: &str) -> Article {
        Article {
            cite: self.cite,
            number: article.to_owned(),
        }
    }

    /// The name by which a sentence speaks of the rule set: `FIDE 2023`.
    pub fn short(&self) -> String {
        self.article("").to_string()
    }

    /// The article on an end.
    pub fn article_on(&self, end: End) -> Article {
        self.article(self.rule(end).article)
    }
}

/// An article with its edition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Article {
    cite: &'static str,
    number: String,
}

impl fmt::Display for Article {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.number.is_empty() {
            // These words announce a number.
            let cite = self.cite.trim_end_matches(" art.");
            f.write_str(cite.trim_end_matches(" rule"))
        } else {
            write!(f, "{} {}", self.cite, self.number)
        }
    }
}

impl Rule {
    /// Whether the rule was not yet in force on a day.
    pub fn is_later_than(&self, day: Date) -> bool {
        self.since.is_some_and(|since| day < since)
    }

    /// The source has no such rule.
    pub const ABSENT: Rule = Rule::new(Standing::Absent, "");
    /// The source does not say.
    pub const UNDEFINED: Rule = Rule::new(Standing::Undefined, "");

    const fn new(standing: Standing, article: &'static str) -> Rule {
        Rule {
            standing,
            article,
            since: None,
        }
    }

    const fn automatic(article: &'static str) -> Rule {
        Rule::new(Standing::Automatic, article)
    }

    const fn on_claim(article: &'static str) -> Rule {
        Rule::new(Standing::OnClaim, article)
    }

    const fn by_director(article: &'static str) -> Rule {
        Rule::new(Standing::ByDirector, article)
    }

    const fn recorded(article: &'static str) -> Rule {
        Rule::new(Standing::Recorded, article)
    }

    const fn since(self, year: u16, month: u8, day: u8) -> Rule {
        Rule {
            since: Some(Date::new(year, month, day)),
            ..self
        }
    }
}

impl ClaimForms {
    /// Nothing can be claimed.
    pub const NONE: ClaimForms = ClaimForms {
        announced: None,
        on_board: None,
        is_open: false,
    };
}

impl KeyArticles {
    /// The source has no numbers.
    pub const NONE: KeyArticles = KeyArticles {
        same: "",
        en_passant: "",
        castling: "",
    };
}

impl ClaimProcedure {
    /// Nothing is said about claims.
    pub const NONE: ClaimProcedure = ClaimProcedure {
        right: "",
        wrong: "",
        minutes: None,
        fast_minutes: None,
        announced_move_binds: false,
        is_offer: None,
        either_side: false,
        lost_by_moving: None,
        fifty: None,
    };
}

impl Standing {
    /// The word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Standing::Automatic => "automatic",
            Standing::OnClaim => "on claim",
            Standing::ByDirector => "director may declare",
            Standing::Recorded => "recorded",
            Standing::Absent => "absent",
            Standing::Undefined => "undefined",
        }
    }
}

impl fmt::Display for Standing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Display for FlagFall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FlagFall::Loses => f.write_str("lost"),
            FlagFall::Helpmate => {
                f.write_str("lost; drawn if the opponent cannot mate by any series of legal moves")
            }
            FlagFall::Material(set) => write!(f, "lost; drawn if the opponent has {set}"),
            FlagFall::ForcedMate(set) => write!(
                f,
                "lost; drawn if the opponent has {set} and no forced mate, or cannot mate by any series of legal moves"
            ),
            FlagFall::Absent => f.write_str("absent"),
            FlagFall::Undefined => f.write_str("undefined"),
        }
    }
}

#[cfg(test)]
mod tests;
