//! A case with a claim, as every rule set sees it.

use std::cell::Cell;

use crate::chess::{Color, Move};
use crate::commands::adjudicate::claim::announced::{Announced, Reading};
use crate::commands::adjudicate::claim::case::{Case, named};
use crate::commands::adjudicate::claim::chances::Prospects;
use crate::commands::adjudicate::claim::ruling::{Ground, Ruling, Verdict};
use crate::commands::adjudicate::claim::words::{
    ended, in_words, list, side, side_possessive, won_by,
};
use crate::commands::adjudicate::claim::{Claim, Kind, fifty, flag, position, threefold};
use crate::law::rulesets::{Article, ClaimProcedure, Rule};
use crate::law::{End, RuleSet, Standing};
use crate::notation::LetterSet;
use crate::pgn::ResultMark;

/// What became of the move that was announced.
pub(crate) enum Told {
    /// None was announced.
    Nothing,
    /// A legal move.
    Move {
        /// The move.
        mv: Move,
        /// Its name, such as `35.Qc4+`.
        name: String,
        /// The case with the move made.
        then: Box<Case>,
        /// The letters it was written in, where they are not the English ones.
        letters: Option<&'static LetterSet>,
    },
    /// A move that has been played already.
    Played {
        /// Its ply.
        ply: u32,
    },
    /// A move that is not legal now, and why.
    Faulty(String),
    /// It is not known which move is meant, if any, and why.
    Unclear(String),
}

/// A case with a claim, and what has been found out about both.
pub(crate) struct Court<'a> {
    pub(crate) case: &'a Case,
    pub(crate) claim: &'a Claim,
    pub(crate) by: Color,
    pub(crate) told: Told,
    /// How many positions a search may look at.
    pub(crate) nodes: u64,
    /// How many a search for a forced mate may keep.
    pub(crate) states: Cell<u64>,
    /// Who can still mate.
    pub(crate) prospects: Prospects<'a>,
}

impl<'a> Court<'a> {
    pub(crate) fn new(case: &'a Case, claim: &'a Claim, nodes: u64) -> Court<'a> {
        let told = match &claim.announced {
            Some(announced) => tell(case, claim.by, announced),
            None => Told::Nothing,
        };
        let turn = case.position().turn();
        let by = claim.by.unwrap_or(match told {
            Told::Played { ply } => case.after(ply - 1).turn(),
            _ => turn,
        });
        Court {
            case,
            claim,
            by,
            told,
            nodes,
            states: Cell::new(nodes),
            prospects: Prospects::new(case.position(), nodes),
        }
    }

    pub(crate) fn decide(&self, rules: &'static RuleSet) -> Ruling {
        let mut ruling = match self.claim.kind {
            Kind::Threefold => self.unless_dead(threefold::decide(self, rules)),
            Kind::Fifty => self.unless_dead(fifty::decide(self, rules)),
            Kind::Insufficient => position::insufficient(self, rules),
            Kind::Dead => position::dead(self, rules),
            Kind::Stalemate => position::stalemate(self, rules),
            Kind::Flag => flag::decide(self, rules),
        };
        if ruling.ground != Ground::Over {
            ruling.details.extend(self.director_may_declare(rules));
        }
        ruling
    }

    /// The first end that comes without a claim under a rule set, and after which ply. Whether a position with enough
    /// material is dead is not asked.
    pub(crate) fn earliest_end(&self, rules: &RuleSet) -> Option<(u32, End)> {
        let automatic = rules.ends(Standing::Automatic);
        let mut found = None;
        self.case.histories(rules.key, |history| {
            if found.is_none() {
                let position = self.case.after(history.ply());
                let ends = history
                    .draws(rules)
                    .automatic
                    .either(rules.ends_on_board(position).both(automatic));
                found = rules.first(ends).map(|end| (history.ply(), end));
            }
        });
        found
    }

    /// A ruling that a claim is right, unless the game had ended by then because nobody can mate (FIDE 5.2.2).
    fn unless_dead(&self, ruling: Ruling) -> Ruling {
        let rules = ruling.rules;
        if ruling.verdict() == Verdict::Upheld
            && rules.dead.standing == Standing::Automatic
            && position::is_dead(self)
        {
            return self.over(rules, self.case.plies(), End::DeadPosition);
        }
        ruling
    }

    /// The ruling on a claim by the side that is not to move, with a move announced that cannot be played.
    pub(crate) fn wrong_side_with(&self, rules: &'static RuleSet, end: End, why: &str) -> Ruling {
        let article = rules.rule(end).article;
        let mut ruling = self.ruling(
            rules,
            Ground::WrongSide,
            rules.article(article),
            self.wrong_side(),
        );
        ruling.details.push(why.to_owned());
        ruling
    }

    /// That the claimant is not to move.
    pub(crate) fn wrong_side(&self) -> String {
        format!(
            "It is {} who is to move: a claim is for the player having the move.",
            side(self.case.position().turn())
        )
    }

    /// Whether the claim is not the claimant's to make.
    pub(crate) fn is_wrong_side(&self, rules: &RuleSet) -> bool {
        self.by != self.case.position().turn() && !rules.claims.either_side
    }

    /// A ruling with what follows in general from its ground.
    pub(crate) fn ruling(
        &self,
        rules: &'static RuleSet,
        ground: Ground,
        article: Article,
        reason: String,
    ) -> Ruling {
        let mut ruling = Ruling {
            claim: self.claim.clone(),
            by: self.by,
            asked: rules.name,
            rules,
            note: None,
            ground,
            statement: self.statement(),
            reason,
            details: Vec::new(),
            article,
            occurrences: Vec::new(),
            announced: match &self.told {
                Told::Move { name, .. } => Some(name.clone()),
                Told::Played { ply } => Some(self.case.name(*ply)),
                _ => None,
            },
            line: Vec::new(),
            follows: Vec::new(),
            otherwise: Vec::new(),
            result: ResultMark::Unknown,
        };
        if self.claim.kind != Kind::Flag {
            self.add_consequences(&mut ruling);
        }
        ruling
    }

    /// The ruling where the game had ended before, in a way that leaves nothing to claim.
    pub(crate) fn over(&self, rules: &'static RuleSet, ply: u32, end: End) -> Ruling {
        let when = if ply == self.case.plies() {
            String::new()
        } else {
            format!(" {}", self.case.when(ply))
        };
        let reason = format!(
            "The game {}{when}: there is nothing left to claim.",
            ended(end)
        );
        let mut ruling = self.ruling(rules, Ground::Over, rules.article_on(end), reason);
        if matches!(end, End::Threefold | End::Fivefold) {
            let then = self.case.cut(ply);
            let plies = threefold::occurrences(&then, rules.key);
            ruling.details.push(threefold::stood(&then, &plies));
            ruling.occurrences = plies;
        }
        ruling.details.extend(self.too_young(rules.rule(end)));
        ruling.result = match end {
            End::Checkmate => won_by(!self.case.after(ply).turn()),
            _ => ResultMark::Draw,
        };
        ruling
    }

    /// That a rule did not yet hold when the game was played.
    pub(crate) fn too_young(&self, rule: &Rule) -> Option<String> {
        let day = self.case.days()?.last;
        let since = rule.since.filter(|_| rule.is_later_than(day))?;
        Some(format!(
            "The game was played before {since}, when this rule took effect."
        ))
    }

    /// The ruling where the rule set has no rule, or does not say; nothing if it has one.
    pub(crate) fn without_rule(&self, rules: &'static RuleSet, end: End) -> Option<Ruling> {
        let (ground, reason) = match rules.rule(end).standing {
            Standing::Absent => (
                Ground::NoRule,
                format!("By {} the game is not drawn on this ground.", rules.short()),
            ),
            Standing::Undefined => (
                Ground::Undefined,
                format!(
                    "{} does not say what follows from this.",
                    sentence_start(&rules.short())
                ),
            ),
            _ => return None,
        };
        Some(self.ruling(rules, ground, rules.article(""), reason))
    }

    /// That the rule set names an announced move as an example only.
    pub(crate) fn form_is_open(&self, rules: &RuleSet) -> String {
        format!(
            "{} speaks of an announced move as an example, and leaves open whether the position on the board can be claimed",
            sentence_start(&rules.short())
        )
    }

    /// What the director may declare without a claim, a sentence each.
    fn director_may_declare(&self, rules: &RuleSet) -> Vec<String> {
        if rules.ends(Standing::ByDirector).is_empty() || !self.case.position().has_legal_move() {
            return Vec::new();
        }
        let ends = self.case.history(rules.key).draws(rules).by_director;
        let sentence = |end: End| {
            format!(
                "The director may declare the game drawn without a claim: {} ({}).",
                in_words(end),
                rules.article_on(end)
            )
        };
        ends.iter().map(sentence).collect()
    }

    /// The ruling where the announced move cannot be played, or is not clear.
    pub(crate) fn faulty_move(&self, rules: &'static RuleSet, ground: Ground, why: &str) -> Ruling {
        let end = match self.claim.kind {
            Kind::Fifty => End::FiftyMoves,
            _ => End::Threefold,
        };
        let article = rules
            .forms(end)
            .and_then(|forms| forms.announced)
            .unwrap_or_default();
        self.ruling(rules, ground, rules.article(article), why.to_owned())
    }

    fn statement(&self) -> String {
        let by = side(self.by);
        let what = match self.claim.kind {
            Kind::Threefold => "by threefold repetition",
            Kind::Fifty => "by the fifty-move rule",
            Kind::Insufficient => "because the material is too little",
            Kind::Dead => "because nobody can mate any more",
            Kind::Stalemate => "by stalemate",
            Kind::Flag => return format!("{} time is up.", side_possessive(self.by)),
        };
        let announced = match (&self.told, &self.claim.announced) {
            (Told::Nothing, _) | (_, None) => String::new(),
            (Told::Move { name, letters, .. }, Some(announced)) => match letters {
                Some(letters) => format!(
                    ", and announces {name} (`{}`, {})",
                    announced.written,
                    letters.how()
                ),
                None => format!(", and announces {name}"),
            },
            (_, Some(announced)) => format!(", and announces `{}`", announced.written),
        };
        format!("{by} claims a draw {what}{announced}.")
    }

    /// What follows from a claim of a draw.
    fn add_consequences(&self, ruling: &mut Ruling) {
        let rules = ruling.rules;
        let ClaimProcedure {
            right,
            wrong,
            minutes,
            fast_minutes,
            announced_move_binds,
            is_offer,
            fifty,
            ..
        } = rules.claims;
        let instead = fifty.filter(|_| self.claim.kind == Kind::Fifty);
        let cite = |article: &str| match instead.unwrap_or(article) {
            "" => String::new(),
            article => format!(" ({})", rules.article(article)),
        };
        match ruling.ground {
            Ground::Holds => {
                ruling.result = ResultMark::Draw;
                ruling
                    .follows
                    .push(format!("The game is drawn{}.", cite(right)));
            }
            Ground::Automatic => {
                ruling.result = ResultMark::Draw;
                ruling
                    .follows
                    .push("The game is drawn, and no claim is needed for it.".to_owned());
            }
            Ground::Over | Ground::Unknown | Ground::Undefined | Ground::UnclearMove => {}
            Ground::NoRule | Ground::NotYet => {
                ruling.follows.push("The game goes on.".to_owned());
            }
            Ground::DoesNotHold
            | Ground::WrongSide
            | Ground::TooLate
            | Ground::IllegalMove
            | Ground::NoForm => {
                let opponent = side(!self.by);
                if !matches!(self.claim.kind, Kind::Threefold | Kind::Fifty) {
                    ruling.follows.push("The game goes on.".to_owned());
                    return;
                }
                if let Some(minutes) = minutes {
                    let fast = fast_minutes.map_or_else(String::new, |(chess, fast)| {
                        format!(", in {chess} {}", minutes_more(fast))
                    });
                    ruling.follows.push(format!(
                        "{opponent} gets {}{fast}, and the game goes on{}.",
                        minutes_more(minutes),
                        cite(wrong)
                    ));
                } else {
                    ruling.follows.push("The game goes on.".to_owned());
                }
                if let Told::Move { name, .. } = &self.told
                    && announced_move_binds
                    && self.by == self.case.position().turn()
                {
                    ruling
                        .follows
                        .push(format!("{name} must now be played{}.", cite(wrong)));
                }
                if let Some(article) = is_offer {
                    ruling.follows.push(format!(
                        "The claim stands as an offer of a draw, which {opponent} may accept{}.",
                        cite(article)
                    ));
                }
            }
        }
    }
}

fn minutes_more(minutes: u8) -> String {
    match minutes {
        1 => "one minute".to_owned(),
        2 => "two minutes".to_owned(),
        minutes => format!("{minutes} minutes"),
    }
}

/// A title at the beginning of a sentence.
pub(crate) fn sentence_start(title: &str) -> String {
    let mut letters = title.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => String::new(),
    }
}

/// Finds the announced move in the case.
fn tell(case: &Case, by: Option<Color>, announced: &Announced) -> Told {
    let position = case.position();
    let turn = position.turn();
    let fits = announced
        .number
        .is_none_or(|number| number == position.fullmoves())
        && announced.color.is_none_or(|color| color == turn);
    if !fits {
        let played = match announced.color {
            Some(color) => vec![color],
            None => Color::ALL.to_vec(),
        }
        .into_iter()
        .filter_map(|color| case.ply_before(announced.number?, color))
        .find(|&ply| is_played(case, ply, announced));
        return match played {
            Some(ply) => Told::Played { ply: ply + 1 },
            None => Told::Faulty(format!(
                "`{}` is not the coming move: it is {} turn, and move {}.",
                announced.written,
                side_possessive(turn),
                position.fullmoves()
            )),
        };
    }
    let has_been_played = case.plies().checked_sub(1).is_some_and(|ply| {
        let before = case.after(ply);
        let may_be = announced
            .number
            .is_none_or(|number| number == before.fullmoves())
            && announced.color.is_none_or(|color| color == before.turn());
        may_be && is_played(case, ply, announced)
    });
    // `35.` with one dot is White's move.
    let is_meant =
        by == Some(!turn) || by.is_none() && announced.number.is_some() && turn == Color::Black;
    if has_been_played && is_meant {
        return Told::Played { ply: case.plies() };
    }
    let why = match announced.read(position) {
        Reading::Legal { mv, letters } => {
            let after = position.after(mv);
            return Told::Move {
                mv,
                name: named(position, mv, &after),
                then: Box::new(case.with(mv)),
                letters,
            };
        }
        _ if has_been_played => {
            return Told::Played { ply: case.plies() };
        }
        Reading::Several(moves) => {
            let readings: Vec<_> = moves
                .iter()
                .map(|&(mv, letters)| {
                    let after = position.after(mv);
                    format!("{} in {}", named(position, mv, &after), letters.name())
                })
                .collect();
            let what = match readings.len() {
                1 => "is not legal in English letters, and a move in others",
                _ => "is a different move in different languages",
            };
            return Told::Unclear(format!(
                "The announced move `{}` {what}: {}.",
                announced.written,
                readings.join(", ")
            ));
        }
        Reading::Ambiguous { role, to, from } => {
            let squares: Vec<String> = from.into_iter().map(|square| square.to_string()).collect();
            let all = if squares.len() == 2 { "both" } else { "all" };
            return Told::Unclear(format!(
                "The announced move `{}` is ambiguous: the {role}s on {} can {all} go to {to}.",
                announced.written,
                list(&squares)
            ));
        }
        Reading::Incomplete(error) => {
            return Told::Unclear(format!(
                "The announced move `{}` is incomplete: {error}.",
                announced.written
            ));
        }
        Reading::NoMove => {
            return Told::Unclear(format!(
                "The announced move `{}` is not a move.",
                announced.written
            ));
        }
        Reading::Illegal(error) => error,
    };
    Told::Faulty(format!(
        "The announced move `{}` is not legal: {why}.",
        announced.written
    ))
}

/// Whether the announced move is the one that has been played after a ply.
fn is_played(case: &Case, ply: u32, announced: &Announced) -> bool {
    matches!(announced.read(case.after(ply)), Reading::Legal { mv, .. } if case.played(ply + 1) == Some(mv))
}
