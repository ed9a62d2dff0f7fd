//! What a rule set makes of a game.

use std::fmt;

use crate::chess::Color;
use crate::commands::adjudicate::claim::words::{in_words, list, won_by};
use crate::commands::adjudicate::labels::chance::{chances, first_of_each};
use crate::commands::adjudicate::labels::record::Question;
use crate::commands::adjudicate::labels::walk::Moment;
use crate::commands::adjudicate::labels::{
    Chance, Label, Labeller, Line, Played, Recorded, When, collect, first, named_en_passant,
};
use crate::law::rulesets::Rule;
use crate::law::{End, Ends, History, RepetitionKey, RuleSet, Standing};
use crate::pgn::termination::Reason;
use crate::pgn::{Game, ResultMark};
use crate::replay::{Ending, Replay};
use crate::text::decode;

/// Whether what was recorded can be what the rules say.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Verdict {
    /// It can.
    Consistent,
    /// It cannot.
    Contradiction,
    /// The rules do not tell: the moves are not all there, the rule set is silent, or the proof was not found.
    Undecided,
}

impl Verdict {
    /// The word scripts know it by.
    pub const fn as_str(self) -> &'static str {
        match self {
            Verdict::Consistent => "consistent",
            Verdict::Contradiction => "contradiction",
            Verdict::Undecided => "undecided",
        }
    }
}

/// Why the game ended by the rules.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RuledReason {
    /// The moves brought it about.
    End(End),
    /// The moves left the game open, and this was recorded.
    Recorded(Reason),
    /// A side won an open game, and how is not recorded.
    ResignationOrTime,
    /// Nothing ended the game.
    Open,
    /// The moves could not be played to the last one.
    Incomplete,
}

impl RuledReason {
    /// The word scripts know it by.
    pub const fn as_str(self) -> &'static str {
        match self {
            RuledReason::End(end) => end.as_str(),
            RuledReason::Recorded(reason) => reason.as_str(),
            RuledReason::ResignationOrTime => "resignation-or-time-forfeit",
            RuledReason::Open => "open",
            RuledReason::Incomplete => "incomplete",
        }
    }
}

impl fmt::Display for RuledReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// What a rule set makes of a game.
#[derive(Clone, Debug)]
pub struct Ruling {
    /// The name by which the rules were asked for, such as `fide`.
    pub asked: &'static str,
    /// The rule set applied, such as `fide-2018`.
    pub rules: &'static RuleSet,
    /// The result: [`ResultMark::Unknown`] where nothing ended the game, or what ended it cannot be told.
    pub result: ResultMark,
    /// Why.
    pub reason: RuledReason,
    /// The articles with their edition; nothing where none is needed, or the rule set has none.
    pub article: Option<String>,
    /// Whether what was recorded can be so.
    pub verdict: Verdict,
    /// When the moves ended the game.
    pub ended: Option<When>,
    /// After which plies the repeated position stood on the board, if a repetition ended the game.
    pub occurrences: Vec<u32>,
    /// Whether moves follow that moment.
    pub played_on: bool,
    /// Why what was recorded cannot be so, or cannot be decided: one sentence without a full stop.
    pub because: Option<String>,
    /// A mate that is still possible, where one shows the contradiction.
    pub line: Option<Line>,
    /// The draws that could have been claimed while the game was on: the first chance of each side for each.
    pub claimable: Vec<Chance>,
    /// All such chances, in order of plies.
    pub chances: Vec<Chance>,
    /// What else should be known: a rule that took effect after the game was played.
    pub notes: Vec<String>,
}

impl Labeller {
    /// Rules on a game by one rule set.
    pub(crate) fn rule(
        &mut self,
        game: &Game,
        rules: &'static RuleSet,
        label: &Label,
        played: &Played<'_>,
    ) -> Ruling {
        let material_since = (rules.material.standing != Standing::Absent
            && rules.material_set.holds(played.last.board()))
        .then(|| {
            collect(game, played.start, played.when.ply, &mut self.positions);
            first(&self.positions, |position| {
                rules.material_set.holds(position.board())
            })
            .0
        });
        let track = self
            .tracks
            .iter()
            .find(|track| played.tracked && track.key == rules.key);
        let moments = track.map_or([].as_slice(), |track| &track.moments);
        let ended = automatic_end(rules, played, moments, material_since);
        // A position that is mate or stalemate leaves nothing to claim.
        let over = match ended {
            Some((when, _)) => Some(when.ply),
            None => (played.ending != Ending::Open).then_some(played.when.ply),
        };
        let chances = match over {
            Some(0) => Vec::new(),
            Some(ply) => chances(moments, rules, ply - 1),
            None => chances(moments, rules, played.when.ply),
        };
        let too_few = match material_since {
            Some(since) if rules.material.standing == Standing::OnClaim => {
                let last = over.map_or(played.when.ply, |ply| ply.saturating_sub(1));
                self.material_chances(rules, since, last)
            }
            _ => Vec::new(),
        };
        let declarable = declarable(rules, moments, over.unwrap_or(played.when.ply + 1));
        let recorded = &label.recorded;
        let mut question = Question {
            rules,
            recorded,
            played,
            can_win: label.can_win,
            chances: &chances,
            material_on_claim: material_since.is_some()
                && rules.material.standing == Standing::OnClaim,
            declarable: declarable.iter().map(|&(_, end)| end).collect(),
            times: track.map_or(1, |track| track.history.count()),
            prospects: &mut self.prospects,
        };
        let mut ruling = Ruling {
            asked: rules.name,
            rules,
            result: ResultMark::Unknown,
            reason: RuledReason::Open,
            article: None,
            verdict: Verdict::Consistent,
            ended: None,
            occurrences: Vec::new(),
            played_on: false,
            because: None,
            line: None,
            claimable: first_of_each(chances.iter().chain(&too_few)),
            chances: Vec::new(),
            notes: Vec::new(),
        };
        match ended {
            Some((when, end)) => {
                if matches!(end, End::Fivefold | End::Threefold) {
                    ruling.occurrences = played.occurrences(game, rules.key, when.ply);
                }
                let in_a_row = moments
                    .iter()
                    .filter(|moment| moment.when.ply == when.ply && moment.announced.is_none())
                    .all(|moment| moment.in_a_row);
                ended_by_moves(&mut ruling, (when, end), in_a_row, recorded, played);
            }
            None if played.cut_short => {
                ruling.reason = RuledReason::Incomplete;
                ruling.verdict = Verdict::Undecided;
                ruling.because = Some("the game stops before its last move".to_owned());
            }
            None => {
                let answer = question.answer();
                ruling.result = answer.result;
                ruling.reason = answer.reason;
                ruling.article = answer.article;
                ruling.verdict = answer.verdict;
                ruling.because = answer.because;
                ruling.line = answer.line;
                if recorded.result == Some(ResultMark::Unknown)
                    && answer.result != ResultMark::Unknown
                {
                    ruling.notes.push(NO_RESULT.to_owned());
                }
                if answer.by_resignation_exception {
                    let what = "the exception for a side that resigns";
                    let rule = &rules.resignation_exception;
                    ruling.notes.extend(played.note(what, rule));
                }
            }
        }
        ruling.notes.extend(clock_of_fen(&ruling, played));
        ruling.notes.extend(declarable.iter().map(|(when, end)| {
            format!(
                "the director may declare a draw after ply {}: {} ({})",
                when.ply,
                in_words(*end),
                rules.article_on(*end)
            )
        }));
        ruling.chances = chances;
        ruling.chances.extend(too_few);
        ruling.chances.sort_by_key(|chance| chance.when.ply);
        ruling
    }

    /// The first chance of each side to claim a draw by material, which stays on the board once it is there. The game's
    /// positions have been collected.
    fn material_chances(&self, rules: &RuleSet, since: When, last: u32) -> Vec<Chance> {
        let end = End::InsufficientMaterial;
        let at = |ply: u32| {
            let (position, moved) = self.positions.get(ply as usize)?;
            (ply <= last).then(|| When::new(ply, position, *moved))
        };
        let mut whens = vec![(since.turn, at(since.ply))];
        let second = if rules.claims.either_side {
            at(since.ply)
        } else {
            at(since.ply + 1)
        };
        whens.push((!since.turn, second));
        let chance = |(by, when): (Color, Option<When>)| {
            Some(Chance {
                end,
                by,
                when: when?,
                announced: None,
                article: rules.article_on(end).to_string(),
            })
        };
        whens.into_iter().filter_map(chance).collect()
    }
}

/// That the clock of the FEN has a part in a draw by counting moves.
fn clock_of_fen(ruling: &Ruling, played: &Played<'_>) -> Option<String> {
    let RuledReason::End(end) = ruling.reason else {
        return None;
    };
    let limit = end.halfmoves()?;
    let ply = ruling.ended.map_or(played.when.ply, |when| when.ply);
    (ply < limit).then(|| {
        format!(
            "{} holds by the clock of the FEN, which begins at {}",
            in_words(end),
            played.start.halfmoves()
        )
    })
}

/// What the director may declare, and since when, before the game was over after `over` plies.
fn declarable(rules: &RuleSet, moments: &[Moment], over: u32) -> Vec<(When, End)> {
    let by_director = rules.ends(Standing::ByDirector);
    let mut found: Vec<(When, End)> = Vec::new();
    for moment in moments
        .iter()
        .filter(|moment| moment.announced.is_none() && moment.when.ply < over)
    {
        for end in moment.counted(rules).both(by_director).iter() {
            if !found.iter().any(|&(_, other)| other == end) {
                found.push((moment.when, end));
            }
        }
    }
    found
}

/// The first of the ends that come by themselves.
fn automatic_end(
    rules: &RuleSet,
    played: &Played<'_>,
    moments: &[Moment],
    material_since: Option<When>,
) -> Option<(When, End)> {
    let automatic = rules.ends(Standing::Automatic);
    let mut found: Option<(When, Ends)> = None;
    let mut add = |when: When, ends: Ends| {
        let ends = ends.both(automatic);
        if ends.is_empty() {
            return;
        }
        match &mut found {
            Some((first, at_once)) if first.ply == when.ply => *at_once = at_once.either(ends),
            Some((first, _)) if first.ply < when.ply => {}
            _ => found = Some((when, ends)),
        }
    };
    let one = |end: End| [end].into_iter().collect::<Ends>();
    match played.ending {
        Ending::Checkmate => add(played.when, one(End::Checkmate)),
        Ending::Stalemate => add(played.when, one(End::Stalemate)),
        Ending::Open => {}
    }
    if let Some(when) = material_since {
        add(when, one(End::InsufficientMaterial));
    }
    if let Some((when, _)) = played.dead_since {
        add(when, one(End::DeadPosition));
    }
    for moment in moments.iter().filter(|moment| moment.announced.is_none()) {
        add(moment.when, moment.counted(rules));
    }
    let (when, ends) = found?;
    Some((when, rules.first(ends)?))
}

/// The moves ended the game: what was recorded is so or is not.
fn ended_by_moves(
    ruling: &mut Ruling,
    (when, end): (When, End),
    in_a_row: bool,
    recorded: &Recorded,
    played: &Played<'_>,
) {
    ruling.result = if end == End::Checkmate {
        won_by(!played.last.turn())
    } else {
        ResultMark::Draw
    };
    // Of dead positions those are told apart in which the pieces alone show it.
    ruling.reason = RuledReason::End(match end {
        End::DeadPosition => played.dead_since.map_or(end, |(_, end)| end),
        _ => end,
    });
    ruling.article = Some(ruling.rules.article_on(end).to_string());
    ruling.ended = Some(when);
    ruling.played_on = when.ply < played.when.ply || played.cut_short;
    let what = match end {
        End::Fivefold if !in_a_row => "fivefold repetition with other moves between",
        _ => in_words(end),
    };
    let rule = ruling.rules.rule_for(end, in_a_row);
    ruling.notes.extend(played.note(what, &rule));
    let plies: Vec<String> = ruling.occurrences.iter().map(u32::to_string).collect();
    let seen = (!plies.is_empty()).then(|| {
        format!(
            "the position stood on the board after plies {}",
            list(&plies)
        )
    });
    let said = match (recorded.result, recorded.other_result) {
        (Some(ResultMark::Unknown), _) => {
            ruling.notes.push(NO_RESULT.to_owned());
            None
        }
        (Some(result), _) => Some(result.to_string()),
        (None, Some(other)) => Some(format!("`{}`", decode(other.of(played.text)))),
        // Nothing is recorded that could be wrong.
        (None, None) => None,
    };
    let Some(said) = said.filter(|_| recorded.result != Some(ruling.result)) else {
        ruling.notes.extend(seen);
        return;
    };
    ruling.verdict = Verdict::Contradiction;
    let end = in_words(end);
    ruling.because = Some(match seen {
        Some(seen) => format!("{end} ended the game, and {said} is recorded: {seen}"),
        None => format!("{end} ended the game, and {said} is recorded"),
    });
}

/// The note on a game that has ended and is recorded with `*`, which is an omission and no contradiction.
pub(crate) const NO_RESULT: &str = "no result is recorded";

impl Played<'_> {
    /// After which plies the position of a ply has stood on the board under a key, the earliest first.
    fn occurrences(&self, game: &Game, key: RepetitionKey, ply: u32) -> Vec<u32> {
        let mut history = History::new(key, self.start, named_en_passant(game, self.text));
        let mut replay = Replay::new(game, self.start.clone());
        while history.ply() < ply
            && let Some(ply) = replay.play()
        {
            history.push(ply.mv, replay.position());
        }
        let mut plies: Vec<u32> = history.occurrences().collect();
        plies.reverse();
        plies
    }

    /// That the game was played before a rule took effect, if it was.
    fn note(&self, what: &str, rule: &Rule) -> Option<String> {
        let since = rule.since?;
        rule.is_later_than(self.days?.last)
            .then(|| format!("{what} took effect on {since}, after the game was played"))
    }
}
