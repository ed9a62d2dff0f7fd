//! A draw is recorded: could it be agreed or claimed, or was it a fallen flag that did not win?

use crate::adjudication::record::{Answer, Question, Win, is_ruling, undefined, unknown};
use crate::adjudication::{CanWin, Opportunity, RuledReason, Verdict};
use crate::chess::Color;
use crate::law::rulesets::{Condition, MaterialSet};
use crate::law::{End, Held, History, Standing, Unseen};
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
        match reason {
            Reason::Normal | Reason::Unterminated => self.drawn_somehow(),
            Reason::Agreement => self.agreed(),
            Reason::InsufficientMaterial => self.too_little(),
            Reason::Stalemate => Answer::refuted("the side to move is not stalemated"),
            Reason::Checkmate => {
                Answer::refuted("the record contradicts itself: a checkmate and a draw")
            }
            Reason::TimeForfeit | Reason::TimeAgainstInsufficientMaterial | Reason::IllegalMove => {
                self.out_of_time(reason)
            }
            Reason::Resignation => self.resigned_and_drawn(),
            Reason::BothOutOfTime | Reason::Adjudication => {
                Answer::new(ResultMark::Draw, RuledReason::Recorded(reason))
            }
            Reason::Abandoned | Reason::Disconnection | Reason::Death | Reason::Emergency => {
                self.drawn_broken_off(reason)
            }
            reason if is_ruling(reason) => self.left_open(RuledReason::Recorded(reason)),
            _ => undefined(reason),
        }
    }

    /// A draw in a game that was broken off: it stands if a resignation and a fallen flag would
    /// both have drawn the game.
    fn drawn_broken_off(&self, reason: Reason) -> Answer {
        let Some(loser) = self.against() else {
            return undefined(reason);
        };
        let wins = [self.by_resignation(!loser), self.on_time(!loser)];
        match wins == [Win::Drawn; 2] {
            true => Answer::new(ResultMark::Draw, RuledReason::Recorded(reason)),
            false => undefined(reason),
        }
    }

    /// A draw without a reason: claimed if that was possible, otherwise agreed.
    fn drawn_somehow(&self) -> Answer {
        match self.opportunities_now().next() {
            Some(opportunity) => Answer {
                article: Some(opportunity.article.to_string()),
                ..Answer::new(ResultMark::Draw, RuledReason::End(opportunity.end))
            },
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
        let unseen = Unseen::before(facts.record().start())
            .filter(|_| comes || self.opportunities.iter().any(is_open))?;
        Some(Answer::undecided(RuledReason::End(end), unseen.why(end)))
    }

    fn agreed(&self) -> Answer {
        let reason = RuledReason::Recorded(Reason::Agreement);
        match self.rules.agreement.standing {
            Standing::Absent => Answer::refuted("the rule set knows no draw by agreement"),
            Standing::Undefined => Answer::undecided(
                reason,
                "the rule set does not say whether a draw can be agreed",
            ),
            Standing::Automatic | Standing::OnClaim | Standing::ByDirector | Standing::Recorded => {
                let article = self.cite(&[self.rules.agreement.article]);
                // A record of fewer moves may be cut short.
                if self.rules.agreement_needs_moves
                    && self.played.facts.record().start().fullmoves() == 1
                    && self.played.facts.plies() < 2
                {
                    return Answer {
                        article,
                        ..Answer::undecided(
                            reason,
                            "a draw is agreed after a move by each side, and fewer are recorded",
                        )
                    };
                }
                Answer {
                    article,
                    ..Answer::new(ResultMark::Draw, reason)
                }
            }
        }
    }

    /// A draw by repetition or by counting moves.
    fn claimed(&self, recorded: End) -> Answer {
        if self.declarable.has(recorded) {
            return Answer {
                article: self.cite(&[self.rules.rule(recorded).article]),
                ..Answer::new(ResultMark::Draw, RuledReason::End(recorded))
            };
        }
        // Without a rule on the fifth time or 75 moves, the third time or fifty moves count.
        let end = match recorded {
            End::Fivefold if self.rules.standing(End::Fivefold) != Standing::Automatic => {
                End::Threefold
            }
            End::SeventyFiveMoves
                if self.rules.standing(End::SeventyFiveMoves) != Standing::Automatic =>
            {
                End::FiftyMoves
            }
            end => end,
        };
        if let Some(opportunity) = self
            .opportunities_now()
            .find(|opportunity| opportunity.end == end)
        {
            return Answer {
                article: Some(opportunity.article.to_string()),
                ..Answer::new(ResultMark::Draw, RuledReason::End(end))
            };
        }
        if let Some(answer) = self.open_claim(end) {
            return answer;
        }
        let facts = self.played.facts;
        let rule = self.rules.rule(end);
        if facts.held(self.rules.key, end, facts.plies()) == Held::Yes && rule.is_open {
            return Answer::undecided(
                RuledReason::End(end),
                "the rule set leaves open whether the position on the board can be claimed",
            );
        }
        match rule.standing {
            Standing::Undefined => Answer::undecided(
                RuledReason::End(end),
                format!("{end} is not covered by the rule set"),
            ),
            Standing::Absent => Answer::refuted(format!("the rule set knows no draw by {end}")),
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
            text.push_str(&format!(
                "; it could last be claimed at ply {}",
                opportunity.at.ply
            ));
        }
        text
    }

    /// A draw because the pieces do not suffice.
    fn too_little(&self) -> Answer {
        let reason = RuledReason::End(End::InsufficientMaterial);
        if self.rules.standing(End::InsufficientMaterial) == Standing::OnClaim
            && self
                .rules
                .material_set
                .holds(self.played.facts.last().board())
        {
            return Answer {
                article: self.cite(&[self.rules.rule(End::InsufficientMaterial).article]),
                ..Answer::new(ResultMark::Draw, reason)
            };
        }
        let board = self.played.facts.last().board();
        if self.rules.agreed_set.holds(board) {
            return self.agreed();
        }
        if self.rules.material_is_open
            && MaterialSet::has_only_minors(board)
            && !self.rules.material_set.holds(board)
        {
            return Answer::undecided(
                reason,
                "the rule set gives too little material by examples, and these pieces are not \
                among them",
            );
        }
        let knows = |standing| !matches!(standing, Standing::Absent | Standing::Undefined);
        if !knows(self.rules.standing(End::DeadPosition)) {
            return match (
                self.rules.standing(End::InsufficientMaterial),
                self.rules.standing(End::DeadPosition),
            ) {
                (Standing::Undefined, _) | (Standing::Absent, Standing::Undefined) => {
                    Answer::undecided(
                        reason,
                        "the rule set does not say which material is too little",
                    )
                }
                (Standing::Absent, _) => {
                    Answer::refuted("the rule set knows no draw for want of material")
                }
                _ => {
                    let mut answer = Answer::refuted(format!(
                        "the pieces are not among those that end the game: {}",
                        self.rules.material_set
                    ));
                    self.hint_at_time(&mut answer);
                    answer
                }
            };
        }
        let can = Color::ALL
            .into_iter()
            .find(|side| self.played.can_win[side.index()] == CanWin::Yes);
        match can {
            Some(side) => {
                let mut answer = self.refuted_by_mate(side, reason, "the position is not dead");
                self.hint_at_time(&mut answer);
                answer
            }
            None => Answer::undecided(reason, "who can still win was not found within the budget"),
        }
    }

    /// Adds what may have happened: some sites call a draw on time a draw by material.
    fn hint_at_time(&self, answer: &mut Answer) {
        let loser = self.played.facts.last().turn();
        if self.on_time(!loser) == Win::Drawn
            && let Some(because) = &mut answer.because
        {
            because.push_str(&format!(
                "; if {}'s time was up, the game is drawn, as {} cannot win",
                loser, !loser
            ));
        }
    }

    /// Time ran out, or a move was illegal, and the game was drawn all the same.
    fn out_of_time(&self, reason: Reason) -> Answer {
        // Only the clock of the side to move was running.
        let loser = self.against().unwrap_or(self.played.facts.last().turn());
        let article = self.cite(&[self.article_on(reason, !loser)]);
        let is_guess = reason == Reason::TimeForfeit && self.against().is_none();
        let reason = RuledReason::Recorded(reason);
        match self.on_time(!loser) {
            Win::Drawn => Answer {
                article,
                ..Answer::new(ResultMark::Draw, reason)
            },
            Win::Stands if is_guess && self.rules.over_the_board => Answer::undecided(
                reason,
                "both flags may have fallen: whose flag fell first is not recorded",
            ),
            Win::Stands => {
                let because = format!("{loser} ran out of time");
                let because = match reason {
                    RuledReason::Recorded(Reason::IllegalMove) => {
                        format!("{loser} made an illegal move")
                    }
                    _ => because,
                };
                let answer = self.refuted_by_mate(!loser, reason, &because);
                if answer.verdict == Verdict::Undecided {
                    return answer;
                }
                Answer {
                    result: ResultMark::won_by(!loser),
                    reason,
                    article,
                    ..answer
                }
            }
            Win::Unknown => unknown(reason, !loser),
            Win::NotCovered => Answer::undecided(
                reason,
                "the rule set does not say what becomes of a game when time is up",
            ),
        }
    }

    /// A resignation and a draw: so it is where the other side could not have won.
    fn resigned_and_drawn(&self) -> Answer {
        let reason = RuledReason::Recorded(Reason::Resignation);
        let article = self.cite(&[self.rules.resignation_exception.article]);
        let Some(loser) = self.against() else {
            return Answer::refuted("the record contradicts itself: a resignation and a draw");
        };
        match self.by_resignation(!loser) {
            Win::Drawn => Answer {
                article,
                by_resignation_exception: true,
                ..Answer::new(ResultMark::Draw, reason)
            },
            Win::Stands => {
                let because = format!("{loser} resigned");
                let mut answer = if self.rules.resignation_exception.standing == Standing::Automatic
                {
                    self.refuted_by_mate(!loser, reason, &because)
                } else {
                    Answer::refuted(because)
                };
                if answer.verdict == Verdict::Contradiction {
                    answer.result = ResultMark::won_by(!loser);
                    answer.reason = reason;
                }
                answer
            }
            Win::Unknown => unknown(reason, !loser),
            Win::NotCovered => Answer::undecided(
                reason,
                "the rule set does not say whether a side wins by resignation that cannot mate",
            ),
        }
    }
}
