//! One disputed claim: the move announced with it, the ruling in sentences, and what other rule
//! sets would decide. The law decides in [`crate::law::claim`].

mod announced;
mod compare;
mod doubts;
mod game;
mod heading;
pub mod languages;
mod mismatch;
mod moment;
pub mod page;
mod sentences;
mod text;

use std::cell::RefCell;

use serde::{Serialize, Serializer};

use crate::adjudication::RuleChoice;
use crate::chess::{Color, Position, Uci};
use crate::law::claim::{self as law, ClaimOutcome, ClaimReason};
use crate::law::rulesets::Citation;
use crate::law::{Facts, Loss, Prospects, RuleSet};
use crate::pgn::ResultMark;
use crate::winnability::{SearchLimits, Solver};

pub use crate::law::claim::{ClaimKind, Ground};
pub use announced::Announced;
pub use announced::is_played;
pub use compare::COMPARED;
pub use game::ClaimGame;
pub use heading::{Heading, words};
pub use moment::Moment;

/// A claim as it is made.
///
/// ```
/// use chess_arbiter_core::{Announced, Claim, ClaimKind, Color};
///
/// let kind = ClaimKind::all().find(|kind| kind.as_str() == "threefold").unwrap();
/// let claim = Claim {
///     kind,
///     by: Some(Color::White),
///     announced: Some(Announced::new("35. Qc4+")),
/// };
/// assert!(claim.kind.takes_a_move());
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Claim {
    /// Its subject.
    pub kind: ClaimKind,
    /// The claimant; for a flag and a resignation, the side that has lost. Without it, the side to
    /// move, or for an illegal move the other.
    pub by: Option<Color>,
    /// The move that is announced and not yet played.
    pub announced: Option<Announced>,
}

/// A side, or both.
pub type Side = Option<Color>;

impl Claim {
    /// The claim of a side or, with [`Loss::Time`], about a fallen flag, with an announced move.
    ///
    /// # Errors
    ///
    /// Why these do not go together, with the names of the command line.
    pub fn new(
        kind: ClaimKind,
        by: Option<Side>,
        fallen: Option<Side>,
        announced: Option<&str>,
    ) -> Result<Claim, &'static str> {
        let is_flag = kind == ClaimKind::Loss(Loss::Time);
        match announced.map(str::trim) {
            Some(_) if !kind.takes_a_move() => {
                return Err("a move is announced with `threefold` and `fifty` only");
            }
            Some("") => return Err("`--move` is empty"),
            _ => {}
        }
        if is_flag && by.is_some() {
            return Err(
                "`--by` is the side that claims; `--fallen` names the side whose flag fell",
            );
        }
        if !is_flag && fallen.is_some() {
            return Err("`--fallen` needs `--claim flag`");
        }
        let kind = match fallen {
            Some(None) => ClaimKind::BothFlags,
            _ => kind,
        };
        Ok(Claim {
            kind,
            by: fallen.or(by).flatten(),
            announced: announced.map(Announced::new),
        })
    }
}

/// A decided claim, as scripts read it. Sentences begin with a capital and end with a full stop:
/// they can be read out.
///
/// ```
/// use chess_arbiter_core::{
///     Claim, ClaimGame, ClaimKind, ClaimRuling, Position, RuleChoice, SearchLimits, Setup, decide,
/// };
///
/// let setup: Setup = "8/8/8/8/8/5k2/5p2/5K2 w - - 0 1".parse()?;
/// let position = Position::new(&setup).unwrap();
/// let game = ClaimGame::of_position(&setup, position);
/// let kind = ClaimKind::all().find(|kind| kind.as_str() == "flag").unwrap();
/// let claim = Claim { kind, by: None, announced: None };
/// let rules = RuleChoice::FIDE.on(None);
/// let ruling: ClaimRuling = decide(&game, &claim, rules, SearchLimits::DEFAULT, &[]);
/// println!("{}", ruling.for_people(None));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Serialize)]
pub struct ClaimRuling {
    /// Name of its subject.
    pub claim: &'static str,
    /// The claimant, or the side that resigns; null with a flag, which anyone may point out.
    pub by: Option<&'static str>,
    /// The name by which the rules were asked for, such as `fide`.
    #[serde(rename = "rules")]
    pub asked: &'static str,
    /// Nothing where nothing was proven.
    pub upheld: Option<bool>,
    /// The ground of the decision.
    #[serde(serialize_with = "text")]
    pub ground: Ground,
    /// The reason in a sentence.
    pub reason: String,
    /// The article that decides.
    #[serde(serialize_with = "text")]
    pub article: Citation,
    /// The announced move in standard notation.
    #[serde(rename = "move")]
    pub announced: Option<String>,
    /// The plies after which the position stood or would stand on the board, the earliest first; 0
    /// is the initial position.
    pub occurrences: Vec<u32>,
    /// A mate that is still possible, in UCI notation; nothing if none is shown.
    #[serde(serialize_with = "line")]
    pub line: Vec<Uci>,
    /// The result of the game after the ruling; `*` if it goes on, or if nothing is known.
    #[serde(serialize_with = "text")]
    pub result: ResultMark,
    /// More about the reason: differences between positions, other claims that would be right.
    pub details: Vec<String>,
    /// The consequences.
    pub follows: Vec<String>,
    /// Other rule sets or readings that would decide otherwise.
    pub otherwise: Vec<String>,
    /// The rules applied, such as those of `fide-2018`.
    pub rules_applied: &'static str,
    /// Their title.
    #[serde(skip)]
    pub title: &'static str,
    /// Why these, if they were chosen for the game.
    pub note: Option<String>,
    /// The side whose time was up, or `both`.
    pub fallen: Option<&'static str>,
    /// Plies played at the moment of the claim.
    pub ply: u32,
    /// The moment in words: `after 11...Bb7`.
    pub moment: String,
    /// Players and occasion of the game.
    #[serde(flatten)]
    pub heading: Heading,
    /// The position at that moment.
    #[serde(rename = "fen", serialize_with = "text")]
    pub position: Position,
    /// The moves that matter and the plies they complete, the announced move included.
    #[serde(skip)]
    pub moves: Vec<(u32, String)>,
    /// The claim in a sentence.
    #[serde(skip)]
    pub statement: String,
    /// The decision in a sentence.
    #[serde(skip)]
    pub decided: String,
}

fn text<S: Serializer>(value: &impl ToString, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&value.to_string())
}

fn line<S: Serializer>(line: &[Uci], serializer: S) -> Result<S::Ok, S::Error> {
    if line.is_empty() {
        return serializer.serialize_none();
    }
    serializer.collect_seq(line.iter().map(ToString::to_string))
}

impl ClaimRuling {
    /// The rules applied, and why these.
    pub(crate) fn rules(&self) -> String {
        match &self.note {
            Some(note) => format!("{} ({note})", self.title),
            None => self.title.to_owned(),
        }
    }

    /// The same claim, left open for another reason.
    pub(crate) fn left_open(self, kind: ClaimKind, reason: String) -> ClaimRuling {
        ClaimRuling {
            upheld: None,
            ground: Ground::Unknown,
            reason,
            line: Vec::new(),
            result: ResultMark::Unknown,
            follows: Vec::new(),
            otherwise: Vec::new(),
            decided: sentences::decided(kind, Ground::Unknown),
            ..self
        }
    }

    /// The reason with its article.
    pub(crate) fn cited_reason(&self) -> String {
        let reason = self.reason.trim_end_matches('.');
        format!("{reason} ({}).", self.article)
    }
}

/// Decides a claim at the end of a game, and compares the decision with those of other rule sets.
///
/// `limits` are those of each search for a mate or for a proof that there is none.
///
/// ```
/// use chess_arbiter_core::{
///     Claim, ClaimGame, ClaimKind, Position, Reader, RuleChoice, SearchLimits, decide,
/// };
///
/// let text = b"1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 *";
/// let mut reader = Reader::new();
/// let game = reader.read(text, None);
/// let game = ClaimGame::of_game(game, text, &Position::initial(), None).unwrap();
/// let kind = ClaimKind::all().find(|kind| kind.as_str() == "fifty").unwrap();
/// let claim = Claim { kind, by: None, announced: None };
/// let rules = RuleChoice::FIDE.on(None);
/// assert_eq!(decide(&game, &claim, rules, SearchLimits::DEFAULT, &[]).upheld, Some(false));
/// ```
pub fn decide(
    game: &ClaimGame,
    claim: &Claim,
    rules: &'static RuleSet,
    limits: SearchLimits,
    compared: &[RuleChoice],
) -> ClaimRuling {
    let announced = announced::find(game, claim);
    let day = game.days.map(|days| days.first);
    let compared: Vec<_> = compared
        .iter()
        .map(|choice| (choice.name(), choice.on(day)))
        .collect();
    let sets = compared.iter().map(|&(_, rules)| rules).chain([rules]);
    let facts = Facts::of(game.record().clone(), sets.flat_map(RuleSet::keys));
    let solver = RefCell::new(Solver::new(limits));
    let prospects = Prospects::new(facts.last(), &solver);
    let law = law::ClaimFacts {
        facts: &facts,
        kind: claim.kind,
        by: announced.claimant(game, claim),
        announced: announced.meant,
        prospects: &prospects,
    };
    let decision = law.decide(rules, limits);
    let phrasing = sentences::Phrasing {
        game,
        claim,
        law: &law,
        announced: &announced,
        decision: &decision,
        key: rules.key,
    };
    let (reason, mut details) = (phrasing.reason(), phrasing.details());
    details.extend(game.notes.iter().map(|note| format!("{note}.")));
    let side = Some(law.by.name());
    let fallen = match claim.kind {
        ClaimKind::Loss(Loss::Time) => side,
        ClaimKind::BothFlags => Some("both"),
        _ => None,
    };
    let mut ruling = ClaimRuling {
        claim: claim.kind.as_str(),
        by: side.filter(|_| fallen.is_none()),
        asked: rules.name,
        upheld: decision.ground.upheld(),
        ground: decision.ground,
        reason,
        article: decision.article.clone(),
        announced: announced.name.clone(),
        occurrences: decision.occurrences.clone(),
        line: phrasing.line().iter().map(|mv| mv.uci(game.mode)).collect(),
        result: match decision.outcome {
            ClaimOutcome::Won(side) => ResultMark::won_by(side),
            ClaimOutcome::Drawn => ResultMark::Draw,
            ClaimOutcome::Open => ResultMark::Unknown,
        },
        details,
        follows: phrasing.follows(),
        otherwise: compare::compare(&phrasing, &compared, limits),
        rules_applied: rules.name,
        title: rules.title,
        note: None,
        fallen,
        ply: game.record().plies(),
        moment: game.moment(),
        heading: Heading::default(),
        position: game.last(),
        moves: phrasing.moves(),
        statement: phrasing.statement(),
        decided: sentences::decided(claim.kind, decision.ground),
    };
    if claim.kind == ClaimKind::Loss(Loss::Time)
        && matches!(decision.reason, ClaimReason::Loss(_))
        && decision.outcome != ClaimOutcome::Open
        && game.contradicts_flag(law.by)
    {
        let by = law.by;
        let why = format!("By the file it is {}'s flag that fell, not {by}'s.", !by);
        ruling = ruling.left_open(claim.kind, why);
    }
    let bishop = claim.announced.as_ref();
    let bishop = bishop.and_then(|announced| announced.as_bishop(prospects.position));
    let bishop = bishop.map(|announced| Claim {
        announced: Some(announced),
        ..claim.clone()
    });
    let others = game.others.iter().map(|other| (other, claim));
    let others = others.chain(bishop.iter().map(|claim| (game, claim)));
    let decided = others.map(|(game, claim)| decide(game, claim, rules, limits, &[]));
    doubts::weigh(game, claim.kind, ruling, decided)
}
