//! The parts of a rule set: rules with their articles, and what claims and fallen flags bring.

use std::fmt;

use strum::IntoStaticStr;

use crate::law::rulesets::{Date, Pace, TimedGames, TooLittle};

/// Number of an article in its source, such as `9.2.1`; empty if the source has no numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Article(pub &'static str);

impl Article {
    /// A provision of a source without numbers.
    pub(crate) const UNNUMBERED: Article = Article("");
}

/// Articles with their edition, as a ruling cites them: `FIDE 2023 art. 9.2.2`; the name of the
/// rule set alone if its source has no numbers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Citation {
    pub(crate) cite: &'static str,
    pub(crate) articles: [Option<Article>; 2],
}

impl Citation {
    /// Whether it names an article.
    pub fn is_numbered(&self) -> bool {
        self.numbers().next().is_some()
    }

    fn numbers(&self) -> impl Iterator<Item = &'static str> {
        let articles = self.articles.into_iter().flatten();
        articles
            .map(|Article(number)| number)
            .filter(|number| !number.is_empty())
    }
}

impl fmt::Display for Citation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let numbers: Vec<&str> = self.numbers().collect();
        if numbers.is_empty() {
            // These words announce a number.
            let cite = self.cite.trim_end_matches(" art.");
            return f.write_str(cite.trim_end_matches(" rule"));
        }
        let is_guideline = numbers[0].starts_with("guideline");
        let cite = self.cite.strip_suffix(" art.").filter(|_| is_guideline);
        write!(f, "{} {}", cite.unwrap_or(self.cite), numbers.join(", "))
    }
}

/// One rule on how a game ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EndRule {
    /// Whether and how it ends the game.
    pub standing: Standing,
    /// The article, if the source has numbers.
    pub article: Option<Article>,
    /// First day of the rule in any edition, if games older than it are met.
    pub since: Option<Date>,
    /// The article on claims by announcing a move, not yet played, that brings it about (FIDE Laws
    /// 9.2.1, 9.3.1). Nothing if it is not claimed in this form.
    pub announced: Option<Article>,
    /// The article on claims by the player to move, when it stands on the board (FIDE Laws 9.2.2,
    /// 9.3.2).
    pub on_board: Option<Article>,
    /// The source names its form of claim as an example, which leaves the other one open.
    pub is_open: bool,
}

/// Whether and how a rule ends the game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum Standing {
    /// The game is over when it happens, noticed or not.
    Automatic,
    /// The game goes on unless a player claims, or asks those who decide.
    #[strum(serialize = "on claim")]
    OnClaim,
    /// The game goes on unless the director declares it drawn; no claim is needed.
    #[strum(serialize = "director may declare")]
    ByDirector,
    /// The moves do not show it; if it is recorded, it is possible.
    Recorded,
    /// The rule set has no such rule: the game goes on.
    Absent,
    /// The source does not say.
    Undefined,
}

/// The articles on which positions are the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KeyArticles {
    /// The definition.
    pub same: Article,
    /// The part on capturing en passant.
    pub en_passant: Article,
    /// The part on castling.
    pub castling: Article,
}

/// The articles on a bare king, on one bishop or knight, and on more that is still too little.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MaterialArticles {
    /// As an end of the game, by the material of both sides.
    pub on_board: [Article; 3],
    /// After a flag fall, by the material of the opponent.
    pub on_time: [Article; 3],
}

/// Consequences of a claim.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClaimProcedure {
    /// The article by which a correct claim draws the game at once.
    pub right: Option<Article>,
    /// The article on a wrong claim.
    pub wrong: Option<Article>,
    /// Time that the opponent of a wrong claimant gets, in words, if a penalty is stated.
    pub time: Option<&'static str>,
    /// Fast games, which have another penalty.
    pub fast: Option<FastGames>,
    /// The move that a wrong claim announced must then be played.
    pub announced_move_binds: bool,
    /// A claim is also an offer of a draw.
    pub is_offer: Option<Article>,
    /// Both sides may claim; otherwise only the side to move.
    pub either_side: bool,
    /// A repetition can still be claimed after the next move.
    pub reaches_back: bool,
    /// Making a move on the board loses the right to claim for this move.
    pub lost_by_moving: Option<Article>,
    /// The article cited instead of these for fifty moves, if they are about repetition only.
    pub fifty: Option<Article>,
    /// The article on claims after the move is made, and before the clock is pressed.
    pub before_clock: Option<Article>,
}

/// Fast games with their own penalty for a wrong claim.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FastGames {
    /// Their names.
    pub kinds: &'static str,
    /// Most seconds that a player has for 60 moves.
    pub longest: u64,
    /// Time that the opponent gets.
    pub time: &'static str,
}

/// A loss of the game, unless the opponent cannot mate.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Loss {
    /// The player's time is up.
    Time,
    /// The player has completed illegal moves, as many as the rules punish with the loss.
    IllegalMoves,
    /// The player resigns.
    Resignation,
}

/// The rule on illegal moves that a player completes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IllegalMoves {
    /// The article.
    pub article: Article,
    /// The illegal move of a player that loses, counted from 1; none does without it.
    pub loses: Option<u32>,
    /// The article by which the first one loses in rapid and blitz chess without supervision.
    pub fast: Option<Article>,
}

impl IllegalMoves {
    pub(crate) const fn new(
        article: &'static str,
        loses: Option<u32>,
        fast: Option<Article>,
    ) -> IllegalMoves {
        let article = Article(article);
        IllegalMoves {
            article,
            loses,
            fast,
        }
    }

    /// The article at a pace, and the illegal move that loses.
    pub fn at(&self, pace: Option<Pace>) -> (Article, Option<u32>) {
        match self.fast.filter(|_| pace.is_some_and(|it| it.is_fast())) {
            Some(article) => (article, Some(1)),
            None => (self.article, self.loses),
        }
    }
}

/// The articles on a claim of a draw, with little time left, because the opponent cannot win by
/// normal means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct QuickplayRule {
    /// The games to which they apply.
    pub games: TimedGames,
    /// On more time instead of a decision.
    pub delay: Option<Article>,
    /// On the claim.
    pub claim: Article,
    /// On a draw that the arbiter declares, a postponed decision, a rejected claim.
    pub decisions: [&'static str; 3],
}

/// Result of the game of a player whose time is up.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FlagFall {
    /// Lost.
    Loses,
    /// Lost; drawn if the opponent cannot mate by any series of legal moves.
    Helpmate,
    /// Lost; drawn if the opponent has too little material, whatever the position.
    Material(TooLittle),
    /// Lost; drawn if the opponent has too little material and no forced mate, or cannot mate by
    /// any series of legal moves.
    ForcedMate(TooLittle),
    /// There is no such rule.
    Absent,
    /// The source does not say.
    Undefined,
}

impl EndRule {
    /// The source has no such rule.
    pub(crate) const ABSENT: EndRule = EndRule::new(Standing::Absent);
    /// The source does not say.
    pub(crate) const UNDEFINED: EndRule = EndRule::new(Standing::Undefined);
    pub(crate) const AUTOMATIC: EndRule = EndRule::new(Standing::Automatic);
    pub(crate) const ON_CLAIM: EndRule = EndRule::new(Standing::OnClaim);
    pub(crate) const BY_DIRECTOR: EndRule = EndRule::new(Standing::ByDirector);
    pub(crate) const RECORDED: EndRule = EndRule::new(Standing::Recorded);
    /// Claimed on the position on the board only.
    pub(crate) const CLAIMED_ON_BOARD: EndRule = EndRule {
        on_board: Some(Article::UNNUMBERED),
        ..EndRule::ON_CLAIM
    };
    /// Claimed on the board or with an announced move.
    pub(crate) const CLAIMED_EITHER_WAY: EndRule = EndRule {
        announced: Some(Article::UNNUMBERED),
        ..EndRule::CLAIMED_ON_BOARD
    };
    /// Claimed with an announced move, which the source names as an example: it may allow claims on
    /// the board too.
    pub(crate) const CLAIMED_BY_EXAMPLE: EndRule = EndRule {
        announced: Some(Article::UNNUMBERED),
        is_open: true,
        ..EndRule::ON_CLAIM
    };

    /// Claimed in both forms, by these articles.
    pub(crate) const fn claimed(
        article: &'static str,
        announced: &'static str,
        on_board: &'static str,
    ) -> EndRule {
        EndRule {
            announced: Some(Article(announced)),
            on_board: Some(Article(on_board)),
            ..EndRule::ON_CLAIM.article(article)
        }
    }

    const fn new(standing: Standing) -> EndRule {
        EndRule {
            standing,
            article: None,
            since: None,
            announced: None,
            on_board: None,
            is_open: false,
        }
    }

    pub(crate) const fn article(self, article: &'static str) -> EndRule {
        EndRule {
            article: Some(Article(article)),
            ..self
        }
    }

    pub(crate) const fn since(self, year: u16, month: u8, day: u8) -> EndRule {
        EndRule {
            since: Some(Date::new(year, month, day)),
            ..self
        }
    }

    /// Whether the rule was not yet in force on a day.
    pub fn is_later_than(&self, day: Date) -> bool {
        self.since.is_some_and(|since| day < since)
    }
}

impl KeyArticles {
    pub(crate) const fn new(
        same: &'static str,
        en_passant: &'static str,
        castling: &'static str,
    ) -> KeyArticles {
        KeyArticles {
            same: Article(same),
            en_passant: Article(en_passant),
            castling: Article(castling),
        }
    }
}

impl ClaimProcedure {
    /// Nothing is said about claims.
    pub(crate) const NONE: ClaimProcedure = ClaimProcedure {
        right: None,
        wrong: None,
        time: None,
        fast: None,
        announced_move_binds: false,
        is_offer: None,
        either_side: false,
        reaches_back: false,
        lost_by_moving: None,
        fifty: None,
        before_clock: None,
    };
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
                "lost; drawn if the opponent has {set} and no forced mate, or cannot mate by any \
                series of legal moves"
            ),
            FlagFall::Absent => f.write_str("absent"),
            FlagFall::Undefined => f.write_str("undefined"),
        }
    }
}
