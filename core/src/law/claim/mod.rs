//! One claim at the end of a game: whether it is right under a rule set, and why.
//!
//! A [`Decision`] holds facts only; the sentences are made where it is printed.

mod counted;
mod losses;
mod position;

use std::mem::discriminant;
use std::str::FromStr;

pub(crate) use losses::unfit;
use strum::Display;

use crate::chess::{Color, Move};
use crate::law::rulesets::{Citation, ClaimName, Condition};
use crate::law::{
    CanWin, End, Ends, Facts, Held, Loss, LossDecision, Prospects, RepetitionKey, RuleSet,
    Standing, Unseen,
};
use crate::text::nearest::no_such;
use crate::winnability::SearchLimits;

/// Subject of a claim.
///
/// ```
/// use chess_arbiter_core::ClaimKind;
///
/// let names: Vec<_> = ClaimKind::all().map(|kind| kind.as_str()).collect();
/// assert!(names.contains(&"threefold") && names.contains(&"flag"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ClaimKind {
    /// A draw on this ground.
    Draw(End),
    /// A side has lost in this way.
    Loss(Loss),
    /// Both flags have fallen, and it is not known which fell first.
    BothFlags,
    /// With little time left, a draw because the opponent cannot win by normal means.
    Quickplay,
}

impl FromStr for ClaimKind {
    type Err = String;

    fn from_str(name: &str) -> Result<ClaimKind, String> {
        let found = ClaimKind::all().find(|kind| kind.as_str().eq_ignore_ascii_case(name));
        found.ok_or_else(|| match name.eq_ignore_ascii_case("draw") {
            true => "a draw is claimed on a ground: `threefold`, `fifty`, `dead`, …".to_owned(),
            false => {
                let names: Vec<_> = ClaimKind::all().map(ClaimKind::as_str).collect();
                no_such("claim", name, &names)
            }
        })
    }
}

impl ClaimKind {
    /// Every kind with a name of its own: draws by repetition and by counting moves, draws by the
    /// position, losses.
    pub fn all() -> impl Iterator<Item = ClaimKind> {
        let is_counted = |end: &End| end.condition() != Condition::Position;
        let counted = End::LISTED.into_iter().filter(is_counted);
        let shown = End::LISTED.into_iter().filter(move |end| !is_counted(end));
        counted
            .chain(shown.rev())
            .filter(|end| end.row().claim.is_some())
            .map(ClaimKind::Draw)
            .chain([Loss::Time, Loss::IllegalMoves, Loss::Resignation].map(ClaimKind::Loss))
            .chain([ClaimKind::Quickplay])
    }

    /// Words of `--claim`.
    pub fn words(self) -> &'static ClaimName {
        match self {
            ClaimKind::Draw(end) => {
                let words = end.row().claim.as_ref();
                words.expect("checkmate is not claimed")
            }
            ClaimKind::Loss(Loss::Time) | ClaimKind::BothFlags => &ClaimName {
                name: "flag",
                help: "A side's time is up",
                ground: "on time",
            },
            ClaimKind::Loss(Loss::IllegalMoves) => &ClaimName {
                name: "illegal",
                help: "The opponent has completed a second illegal move",
                ground: "by illegal moves",
            },
            ClaimKind::Loss(Loss::Resignation) => &ClaimName {
                name: "resignation",
                help: "A side resigns",
                ground: "by resignation",
            },
            ClaimKind::Quickplay => &ClaimName {
                name: "quickplay",
                help: "The opponent cannot win by normal means, with little time left",
                ground: "because the opponent cannot win by normal means, or makes no effort to",
            },
        }
    }

    /// Name in JSON and value of `--claim`.
    pub fn as_str(self) -> &'static str {
        self.words().name
    }

    /// Whether it is a claim of a draw that this end is: both by repetition, both by counting
    /// moves, both because neither side can mate, or stalemate.
    fn is_by(self, end: End) -> bool {
        let is_final = |end| matches!(end, End::Checkmate | End::Stalemate);
        match self {
            ClaimKind::Draw(claimed) if is_final(claimed) || is_final(end) => claimed == end,
            ClaimKind::Draw(claimed) => {
                discriminant(&claimed.condition()) == discriminant(&end.condition())
            }
            _ => false,
        }
    }

    /// Whether a move can be announced with the claim.
    pub fn takes_a_move(self) -> bool {
        matches!(self, ClaimKind::Draw(End::Threefold | End::FiftyMoves))
    }

    /// The claimant, unless it is named, with this side to move.
    pub fn claimant(self, turn: Color) -> Color {
        match self {
            // The position before an illegal move is the one that counts.
            ClaimKind::Loss(Loss::IllegalMoves) => !turn,
            _ => turn,
        }
    }
}

/// The move announced with a claim.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Announcement {
    /// None.
    #[default]
    Nothing,
    /// A legal move, not yet played.
    Legal(Move),
    /// A move that has been played already, as this ply.
    Played(u32),
    /// A move that is not legal now.
    Illegal,
    /// It is not known which move is meant.
    Unclear,
}

/// A claim at the end of a game, with the facts that decide it.
pub struct ClaimFacts<'a> {
    /// The game up to the claim. Its facts cover the keys of every rule set that is asked.
    pub facts: &'a Facts,
    /// Its subject.
    pub kind: ClaimKind,
    /// The claimant; for a flag and a resignation, the side that has lost.
    pub by: Color,
    /// The announced move.
    pub announced: Announcement,
    /// Who can still win the last position.
    pub prospects: &'a Prospects<'a>,
}

/// The facts that a decision rests on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ClaimReason {
    /// The rule set has no such rule, or does not say.
    Rules,
    /// The game had ended automatically, on the ground claimed or otherwise.
    Over {
        /// After this ply.
        ply: u32,
        /// In this way.
        end: End,
    },
    /// The announced move cannot be played or understood.
    Announcement,
    /// The announced move has been played.
    AlreadyPlayed {
        /// As this ply.
        ply: u32,
        /// Announced in time it would have made the claim right.
        held: Held,
    },
    /// The effect of the announced move.
    AnnouncedMove,
    /// The claimant is not to move.
    WrongSide {
        /// The draw stands on the board.
        holds: bool,
    },
    /// The claimant's own last move brought about what stands on the board.
    OwnMove,
    /// The history of the position on the board.
    Board {
        /// A move that could be announced with a right claim.
        could_announce: Option<Move>,
    },
    /// The history of the position before the last move, which counts too.
    Before {
        /// After this ply.
        ply: u32,
    },
    /// The claimant could have claimed earlier, and moved.
    Missed {
        /// After this ply.
        ply: u32,
        /// A move that could be announced with a right claim now.
        could_announce: Option<Move>,
    },
    /// The side to move is stalemated, or has moves.
    Stalemate,
    /// The pieces are on the list of the rule set, or not, or it only names examples.
    Material,
    /// A side that can still mate. Without one, neither can, or it was not found.
    Mate(Option<Color>),
    /// A side has lost, unless the opponent cannot mate.
    Loss(LossDecision),
    /// Both flags have fallen.
    BothFlags,
    /// Whether the opponent can still mate, with little time left, and whether the time control
    /// with which such a claim can be made is recorded.
    Quickplay(CanWin, bool),
    /// The rule is for other games, or it is not recorded whether it is for this one: why.
    Unfit(String),
    /// The draw is one that the director may declare.
    ByDirector,
    /// The position has occurred often enough, but not on alternate moves in a row.
    Apart,
}

/// Ground of a decision, by its name in JSON.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Display)]
#[strum(serialize_all = "kebab-case")]
pub enum Ground {
    /// The claim is right, and was made in the right way.
    Holds,
    /// The claim is right, and the game ended without one.
    Automatic,
    /// The claim is wrong.
    DoesNotHold,
    /// The claim is for the other side to make.
    WrongSide,
    /// The claim had to be made before a move that has been played.
    TooLate,
    /// The announced move is not legal.
    IllegalMove,
    /// The announced move cannot be read, or can be one of several.
    UnclearMove,
    /// The rule set has no such rule.
    NoRule,
    /// The rule set has the rule, but not a claim in this form.
    NoForm,
    /// The game ends automatically, once the announced move is played.
    NotYet,
    /// The rule set does not say.
    Undefined,
    /// The game had ended otherwise.
    Over,
    /// The budget ended before the proof, or it depends on plies before the first position.
    Unknown,
}

impl Ground {
    /// Whether the claim is upheld; nothing if it is left open.
    pub const fn upheld(self) -> Option<bool> {
        match self {
            Ground::Holds | Ground::Automatic => Some(true),
            Ground::Unknown | Ground::Undefined | Ground::UnclearMove => None,
            _ => Some(false),
        }
    }
}

/// The result of the game after a claim.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClaimOutcome {
    /// This side has won.
    Won(Color),
    /// The game is drawn.
    Drawn,
    /// The game goes on, or nothing is known.
    Open,
}

/// A decided claim.
#[derive(Clone, Debug)]
pub struct Decision {
    /// The rules applied.
    pub rules: &'static RuleSet,
    /// The ground in one word.
    pub ground: Ground,
    /// The facts that the ground rests on.
    pub reason: ClaimReason,
    /// The article that decides.
    pub article: Citation,
    /// The plies after which the position stood or would stand on the board, the earliest first.
    pub occurrences: Vec<u32>,
    /// The result of the game.
    pub outcome: ClaimOutcome,
    /// Draws that the director may declare without a claim.
    pub declarable: Ends,
    /// The position on the board was judged instead of the announced move.
    pub board_instead: bool,
    /// The plies on which it depends whether the draw claimed holds.
    pub unseen: Option<Unseen>,
}

impl ClaimFacts<'_> {
    /// Decides the claim. `limits` are those of a search for a forced mate.
    pub fn decide(&self, rules: &'static RuleSet, limits: SearchLimits) -> Decision {
        self.decide_under(rules, rules.key, limits)
    }

    /// Decides the claim with another reading of which positions are the same.
    pub fn decide_under(
        &self,
        rules: &'static RuleSet,
        key: RepetitionKey,
        limits: SearchLimits,
    ) -> Decision {
        // Whether the game is over is asked before anything else.
        let ended = self.facts.automatic_end(rules, self.dead_since(rules));
        if let Some((ply, end)) = ended.filter(|&(_, end)| !self.kind.is_by(end)) {
            return self.over(rules, ply, end);
        }
        let mut decision = match self.kind {
            ClaimKind::Draw(end) if end.condition() != Condition::Position => {
                self.counted(rules, end, key, ended)
            }
            ClaimKind::Draw(End::Stalemate) => self.stalemate(rules),
            ClaimKind::Draw(End::InsufficientMaterial) => self.insufficient(rules),
            ClaimKind::Draw(_) => self.dead(rules),
            _ if self.is_uncovered(rules) => self.undefined(rules),
            ClaimKind::Loss(loss) => self.loss(rules, loss, limits),
            ClaimKind::BothFlags => self.both_flags(rules),
            ClaimKind::Quickplay => self.quickplay(rules),
        };
        decision.declarable = self.declarable(rules);
        decision
    }

    fn decision(
        &self,
        rules: &'static RuleSet,
        ground: Ground,
        reason: ClaimReason,
        article: Citation,
    ) -> Decision {
        Decision {
            rules,
            ground,
            reason,
            article,
            occurrences: Vec::new(),
            outcome: match ground.upheld() {
                Some(true) => ClaimOutcome::Drawn,
                _ => ClaimOutcome::Open,
            },
            declarable: Ends::NONE,
            board_instead: false,
            unseen: None,
        }
    }

    /// The game had ended before, which leaves nothing to claim.
    fn over(&self, rules: &'static RuleSet, ply: u32, end: End) -> Decision {
        let reason = ClaimReason::Over { ply, end };
        let record = &self.facts.record;
        let article = rules.cite_end_in(end, || record.after(ply));
        let mut decision = self.decision(rules, Ground::Over, reason, article);
        if end.occurrences().is_some() {
            decision.occurrences = record.occurrences(rules.key, ply);
        }
        decision.outcome = match end {
            End::Checkmate => ClaimOutcome::Won(!record.at(ply).turn),
            _ => ClaimOutcome::Drawn,
        };
        decision
    }

    /// The rule set does not say what follows.
    fn undefined(&self, rules: &'static RuleSet) -> Decision {
        let none = rules.cite(None);
        self.decision(rules, Ground::Undefined, ClaimReason::Rules, none)
    }

    /// The rule set has no rule on an end, or does not say.
    fn without_rule(&self, rules: &'static RuleSet, end: End) -> Option<Decision> {
        let ground = match rules.standing(end) {
            Standing::Absent => Ground::NoRule,
            Standing::Undefined => Ground::Undefined,
            _ => return None,
        };
        Some(self.decision(rules, ground, ClaimReason::Rules, rules.cite(None)))
    }

    /// Whether the position is mate, stalemate or dead, and the rule set does not say what that
    /// means.
    fn is_uncovered(&self, rules: &RuleSet) -> bool {
        let dead = || rules.standing(End::DeadPosition) == Standing::Undefined;
        self.facts.final_end.is_some() || dead() && self.prospects.is_dead()
    }

    /// First ply with a dead position, if that ends the game by the rule set.
    fn dead_since(&self, rules: &RuleSet) -> Option<u32> {
        let is_dead = rules.standing(End::DeadPosition) == Standing::Automatic
            && self.facts.final_end != Some(End::Checkmate)
            && self.prospects.is_dead();
        is_dead.then(|| self.facts.dead_since(self.prospects))
    }

    /// The draws that the director may declare now.
    fn declarable(&self, rules: &RuleSet) -> Ends {
        let by_director = rules.ends_that_stand(Standing::ByDirector);
        let history = self.facts.history(rules.key);
        let history = history.filter(|_| self.facts.final_end.is_none());
        history.map_or(Ends::NONE, |history| {
            history.ends_under(rules).both(by_director)
        })
    }
}
