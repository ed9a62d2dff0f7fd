//! A draw is recorded: could it be agreed or claimed, or was it a fallen flag that did not win?

use crate::adjudication::record::{
    Answer, Question, SILENT_ON_TIME, is_broken_off, not_shown, uncovered, undefined, unknown,
};
use crate::adjudication::{CanWin, Opportunity, RuledReason, Verdict};
use crate::chess::Color;
use crate::law::claim::unfit;
use crate::law::rulesets::{Condition, MaterialSet};
use crate::law::{End, Held, History, Loss, Standing, Unseen, Win};
use crate::pgn::ResultMark;
use crate::pgn::termination::Reason;

impl Question<'_> {
    /// A draw is recorded.
    pub(crate) fn drawn(&self) -> Answer {
        let Some(reason) = self.reason() else {
            let answer = self.drawn_somehow();
            // Words that are not understood are no agreement.
            return match (self.recorded.termination, answer.verdict, answer.reason) {
                (None, ..) | (_, Verdict::Consistent, RuledReason::End(_)) => answer,
                (_, Verdict::Consistent, _) => Answer::new(ResultMark::Draw, RuledReason::Unknown),
                _ => self.left_open(RuledReason::Unknown),
            };
        };
        if let Some(end) = End::named(reason.as_str())
            && end.condition() != Condition::Position
        {
            return self.claimed(end);
        }
        // A game that was broken off is a draw if a resignation and a fallen flag would both have
        // drawn it.
        let is_drawn = |loser: Color| self.judged_in_both_ways(!loser) == [Win::Drawn; 2];
        let stands = reason == Reason::Adjudication
            || is_broken_off(reason) && self.against().is_some_and(is_drawn);
        match reason {
            reason if self.is_ruling(reason) && reason != Reason::Adjudication => {
                self.left_open(RuledReason::Recorded(reason))
            }
            Reason::Normal | Reason::Unterminated => self.drawn_somehow(),
            Reason::Agreement => self.agreed(),
            Reason::InsufficientMaterial => self.too_little(),
            Reason::Stalemate => Answer::refuted("the side to move is not stalemated"),
            Reason::Checkmate => {
                Answer::refuted("the record contradicts itself: a checkmate and a draw")
            }
            Reason::TimeForfeit
            | Reason::TimeAgainstInsufficientMaterial
            | Reason::IllegalMove
            | Reason::Resignation => self.lost_and_drawn(reason),
            Reason::BothOutOfTime => self.both_out_of_time(),
            reason if stands => Answer::new(ResultMark::Draw, RuledReason::Recorded(reason)),
            _ => undefined(reason),
        }
    }

    /// A draw without a reason: claimed if that was possible, otherwise agreed.
    fn drawn_somehow(&self) -> Answer {
        match self.opportunities_now().next() {
            Some(opportunity) => {
                Answer::drawn_by(RuledReason::End(opportunity.end), &opportunity.article)
            }
            None if self.rules.agreement.standing == Standing::Absent => {
                let mut open = End::DRAWS
                    .into_iter()
                    .filter_map(|end| self.open_claim(end));
                open.next().unwrap_or_else(|| self.agreed())
            }
            None => self.agreed(),
        }
    }

    /// The claims available in the last position.
    fn opportunities_now(&self) -> impl Iterator<Item = &Opportunity> {
        let now = self.played.facts.plies();
        self.opportunities.iter().filter(move |opportunity| {
            opportunity.at.ply == now
                && opportunity.end.condition() != Condition::Position
                && opportunity.unseen.is_none()
        })
    }

    /// That it depends on the plies before the first position whether a draw was there to be had at
    /// the end, if it does.
    fn open_claim(&self, end: End) -> Option<Answer> {
        let facts = self.played.facts;
        let is_open = |opportunity: &Opportunity| {
            (opportunity.end, opportunity.at.ply) == (end, facts.plies())
                && opportunity.unseen.is_some()
        };
        let comes = self.rules.standing(end) == Standing::Automatic
            && facts.held(self.rules.key, end, facts.plies()) == Held::Unknown;
        let unseen = Unseen::before(&facts.record.start)
            .filter(|_| comes || self.opportunities.iter().any(is_open))?;
        Some(Answer::undecided(RuledReason::End(end), unseen.why(end)))
    }

    fn agreed(&self) -> Answer {
        let reason = RuledReason::Recorded(Reason::Agreement);
        let (rules, facts) = (self.rules, self.played.facts);
        let answer = Answer::drawn_by(reason, rules.cite(rules.agreement.article));
        // A record of fewer moves may be cut short.
        let is_too_short =
            rules.agreement_needs_moves && facts.record.start.fullmoves() == 1 && facts.plies() < 2;
        match rules.agreement.standing {
            Standing::Absent => Answer::refuted("the rule set has no draw by agreement"),
            Standing::Undefined => Answer::undecided(
                reason,
                "the rule set does not say whether a draw can be agreed",
            ),
            _ if is_too_short => Answer {
                article: answer.article,
                ..Answer::undecided(
                    reason,
                    "a draw is agreed after a move by each side, and fewer are recorded",
                )
            },
            _ => answer,
        }
    }

    /// A draw by repetition or by counting moves.
    fn claimed(&self, recorded: End) -> Answer {
        let (rules, facts) = (self.rules, self.played.facts);
        if self.declarable.has(recorded) {
            return Answer::drawn_by(RuledReason::End(recorded), rules.cite_end(recorded));
        }
        // Without a rule on the fifth time or 75 moves, the third time or fifty moves count.
        let is_automatic = rules.standing(recorded) == Standing::Automatic;
        let end = match recorded {
            End::Fivefold if !is_automatic => End::Threefold,
            End::SeventyFiveMoves if !is_automatic => End::FiftyMoves,
            end => end,
        };
        let mut available = self.opportunities_now();
        if let Some(opportunity) = available.find(|opportunity| opportunity.end == end) {
            return Answer::drawn_by(RuledReason::End(end), &opportunity.article);
        }
        if let Some(answer) = self.open_claim(end) {
            return answer;
        }
        let rule = rules.rule(end);
        match rule.standing {
            _ if facts.held(rules.key, end, facts.plies()) == Held::Yes && rule.is_open => {
                Answer::undecided(
                    RuledReason::End(end),
                    "the rule set leaves open whether the position on the board can be claimed",
                )
            }
            Standing::Undefined => uncovered(end),
            Standing::Absent => Answer::refuted(format!("the rule set has no draw by {end}")),
            _ => Answer::refuted(self.no_claim(end)),
        }
    }

    /// Why a draw by repetition or by counting moves was not there to be had at the end.
    fn no_claim(&self, end: End) -> String {
        let earlier = self
            .opportunities
            .iter()
            .rfind(|opportunity| opportunity.end == end && opportunity.unseen.is_none());
        let mut text = match end.condition() {
            Condition::Occurrences(_) => {
                let history = self.played.facts.history(self.rules.key);
                let times = match history.map_or(1, History::count) {
                    1 => "once".to_owned(),
                    2 => "twice".to_owned(),
                    times => format!("{times} times"),
                };
                let next = match self.rules.rule(end).announced {
                    Some(_) => ", and no move leads to a third time",
                    None => "",
                };
                format!("the last position has occurred {times}{next}")
            }
            _ => match self.played.facts.last().halfmoves() {
                1 => "the last capture or pawn move was 1 ply ago".to_owned(),
                plies => format!("the last capture or pawn move was {plies} plies ago"),
            },
        };
        if let Some(opportunity) = earlier {
            let ply = opportunity.at.ply;
            text.push_str(&format!("; it could last be claimed at ply {ply}"));
        }
        text
    }

    /// A draw because the pieces do not suffice.
    fn too_little(&self) -> Answer {
        let reason = RuledReason::End(End::InsufficientMaterial);
        let (rules, board) = (self.rules, self.played.facts.last().board());
        let is_listed = rules.material_set.holds(board);
        let standing = rules.standing(End::InsufficientMaterial);
        if standing == Standing::OnClaim && is_listed {
            return Answer::drawn_by(reason, rules.cite_end(End::InsufficientMaterial));
        }
        if rules.agreed_set.holds(board) {
            return self.agreed();
        }
        if rules.material_is_open && MaterialSet::has_only_minors(board) && !is_listed {
            return Answer::undecided(
                reason,
                "the rule set gives too little material by examples, and these pieces are not \
                among them",
            );
        }
        match (standing, rules.standing(End::DeadPosition)) {
            (Standing::Undefined, Standing::Absent | Standing::Undefined)
            | (Standing::Absent, Standing::Undefined) => Answer::undecided(
                reason,
                "the rule set does not say which material is too little",
            ),
            (Standing::Absent, Standing::Absent) => {
                Answer::refuted("the rule set has no draw by insufficient material")
            }
            (_, Standing::Absent | Standing::Undefined) => {
                self.hinting_at_time(Answer::refuted(format!(
                    "the material is sufficient by these rules: {}",
                    rules.material_set
                )))
            }
            _ => {
                let mut sides = Color::ALL.into_iter();
                match sides.find(|side| self.played.can_win[side.index()] == CanWin::Yes) {
                    Some(side) => self.hinting_at_time(self.refuted_by_mate(
                        side,
                        reason,
                        "the position is not dead",
                    )),
                    None => Answer::undecided(
                        reason,
                        "who can still win was not found within the budget",
                    ),
                }
            }
        }
    }

    /// Both flags have fallen: a draw, if the rule is for games with this time control.
    fn both_out_of_time(&self) -> Answer {
        let reason = RuledReason::Recorded(Reason::BothOutOfTime);
        let Some((article, games)) = self.rules.both_flags else {
            return undefined(Reason::BothOutOfTime);
        };
        match games.and_then(|games| unfit(games, self.pace(), self.played.facts)) {
            None => Answer::drawn_by(reason, self.rules.cite(Some(article))),
            Some((_, why)) => Answer::undecided(reason, why),
        }
    }

    /// Adds what may have happened: some sites call a draw on time a draw by material.
    fn hinting_at_time(&self, mut answer: Answer) -> Answer {
        let loser = self.played.facts.last().turn();
        let winner = !loser;
        if self.judged(Loss::Time, winner) == Win::Drawn
            && let Some(because) = &mut answer.because
        {
            because.push_str(&format!(
                "; if {loser}'s time was up, the game is drawn, as {winner} cannot win"
            ));
        }
        answer
    }

    /// A resignation, a fallen flag or an illegal move, and a draw: so it is where the other side
    /// could not have won.
    fn lost_and_drawn(&self, said: Reason) -> Answer {
        let rules = self.rules;
        let is_resigned = said == Reason::Resignation;
        let loser = match self.against() {
            Some(loser) => loser,
            None if is_resigned => {
                return Answer::refuted("the record contradicts itself: a resignation and a draw");
            }
            // Only the clock of the side to move was running.
            None => self.played.facts.last().turn(),
        };
        let lost = match said {
            Reason::Resignation => "resigned",
            Reason::IllegalMove => "made an illegal move",
            _ => "ran out of time",
        };
        let silent = match is_resigned {
            true => "the rule set does not say whether a side wins by resignation that cannot mate",
            false => SILENT_ON_TIME,
        };
        let loss = self.loss(said);
        let (win, article) = (self.judged(loss, !loser), self.article_on(loss, !loser));
        let article = rules.cite(article).to_string();
        let (reason, result) = (RuledReason::Recorded(said), ResultMark::won_by(!loser));
        let is_guess = said == Reason::TimeForfeit && self.against().is_none();
        let may_both_fall = rules.over_the_board || rules.both_flags.is_some();
        let because = format!("{loser} {lost}");
        match win {
            Win::Drawn if is_resigned => {
                self.noting_exception(win, Answer::drawn_by(reason, article))
            }
            Win::Drawn => Answer::drawn_by(reason, article),
            Win::NotShown(nodes) => Answer {
                note: Some(not_shown(nodes)),
                ..Answer::drawn_by(reason, article)
            },
            Win::Unknown => unknown(reason, !loser),
            Win::NotCovered => Answer::undecided(reason, silent),
            Win::Stands if is_guess && may_both_fall => Answer::undecided(
                reason,
                "both flags may have fallen: whose flag fell first is not recorded",
            ),
            Win::Stands
                if is_resigned && rules.resignation_exception.standing != Standing::Automatic =>
            {
                Answer::refuted(because).instead(result, reason)
            }
            Win::Stands => match self.refuted_by_mate(!loser, reason, &because) {
                answer if answer.verdict == Verdict::Undecided => answer,
                answer => Answer {
                    article: (!is_resigned).then_some(article),
                    ..answer.instead(result, reason)
                },
            },
        }
    }
}
