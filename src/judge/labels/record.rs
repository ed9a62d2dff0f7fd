//! Whether what was recorded can be true of a game that its moves left open.

use arrayvec::ArrayVec;

use super::prospects::Prospects;
use super::{CanWin, Chance, Line, Played, Recorded, RuledReason, Verdict, won_by};
use crate::pgn::termination::Reason;
use crate::pgn::{ResultMark, Termination};
use crate::replay::Ending;
use crate::rules::ruleset::FlagFall;
use crate::rules::{Color, End, RuleSet, Standing};

/// A game that its moves left open, and everything that bears on what was recorded about it.
pub(super) struct Question<'a> {
    pub rules: &'static RuleSet,
    pub recorded: &'a Recorded,
    pub played: &'a Played<'a>,
    pub can_win: [CanWin; 2],
    /// Every claim that could have been made, in order of plies.
    pub chances: &'a [Chance],
    /// Whether a draw for want of material could be claimed at the end.
    pub material_on_claim: bool,
    /// How many times the last position has occurred.
    pub times: u32,
    pub prospects: &'a mut Prospects,
}

/// What the rules say of the record.
pub(super) struct Answer {
    pub result: ResultMark,
    pub reason: RuledReason,
    pub article: Option<String>,
    pub verdict: Verdict,
    pub because: Option<String>,
    pub line: Option<Line>,
    /// Whether it turns on the rule that a resignation does not win for a side that cannot mate.
    pub by_resignation_exception: bool,
}

/// Whether a side that is said to have won can have done so.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Win {
    Stands,
    /// The game is drawn: that side could not win.
    Drawn,
    /// The proof was not found.
    Unknown,
    /// The rule set does not say.
    NotCovered,
}

impl Answer {
    fn new(result: ResultMark, reason: RuledReason) -> Answer {
        Answer {
            result,
            reason,
            article: None,
            verdict: Verdict::Consistent,
            because: None,
            line: None,
            by_resignation_exception: false,
        }
    }

    /// What was recorded did not end the game.
    fn refuted(because: impl Into<String>) -> Answer {
        Answer {
            verdict: Verdict::Contradiction,
            because: Some(because.into()),
            ..Answer::new(ResultMark::Unknown, RuledReason::Open)
        }
    }

    fn undecided(reason: RuledReason, because: impl Into<String>) -> Answer {
        Answer {
            verdict: Verdict::Undecided,
            because: Some(because.into()),
            ..Answer::new(ResultMark::Unknown, reason)
        }
    }
}

impl Question<'_> {
    /// Answers it.
    pub fn answer(&mut self) -> Answer {
        if let Some(end) = self.uncovered_end() {
            return Answer::undecided(
                RuledReason::End(end),
                format!("{end} is not covered by the rule set"),
            );
        }
        if self.recorded.other_result.is_some() {
            return Answer::undecided(
                RuledReason::Open,
                "the recorded result is none of the four of the PGN standard",
            );
        }
        match self.recorded.result {
            Some(ResultMark::Draw) => self.drawn(),
            Some(ResultMark::White) => self.won(Color::White),
            Some(ResultMark::Black) => self.won(Color::Black),
            Some(ResultMark::Unknown) | None => self.unrecorded(),
        }
    }

    /// Mate or stalemate on the board of which the rule set does not say what it means.
    fn uncovered_end(&self) -> Option<End> {
        match self.played.ending {
            Ending::Checkmate => Some(End::Checkmate),
            Ending::Stalemate => Some(End::Stalemate),
            Ending::Open => None,
        }
    }

    fn reason(&self) -> Option<Reason> {
        self.recorded.termination?.reason
    }

    fn against(&self) -> Option<Color> {
        self.recorded.termination?.against
    }

    /// No result is recorded. A reason may be that gives one.
    fn unrecorded(&mut self) -> Answer {
        let implied = self
            .recorded
            .termination
            .and_then(Termination::implied_result);
        let mut answer = match implied {
            Some(ResultMark::Draw) => self.drawn(),
            Some(ResultMark::White) => self.won(Color::White),
            Some(ResultMark::Black) => self.won(Color::Black),
            Some(ResultMark::Unknown) | None => {
                return Answer::new(ResultMark::Unknown, RuledReason::Open);
            }
        };
        let recorded = self.recorded.result.is_some();
        if recorded && answer.result != ResultMark::Unknown {
            answer.verdict = Verdict::Contradiction;
            answer.because = Some(format!(
                "{} ended the game with {}, and no result is recorded",
                answer.reason, answer.result
            ));
        }
        answer
    }

    /// A draw is recorded.
    fn drawn(&mut self) -> Answer {
        let Some(reason) = self.reason() else {
            return self.drawn_somehow();
        };
        match reason {
            Reason::Normal | Reason::Unterminated => self.drawn_somehow(),
            Reason::Agreement => self.agreed(),
            Reason::ThreefoldRepetition => self.claimed(End::Threefold),
            Reason::FiftyMoves => self.claimed(End::FiftyMoves),
            Reason::FivefoldRepetition => self.claimed(End::Fivefold),
            Reason::SeventyFiveMoves => self.claimed(End::SeventyFiveMoves),
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
            Reason::Abandoned
            | Reason::Disconnection
            | Reason::RulesInfraction
            | Reason::Default
            | Reason::VariantRule
            | Reason::Death
            | Reason::Emergency
            | Reason::Adjourned
            | Reason::Aborted => Answer::undecided(
                RuledReason::Recorded(reason),
                "the rules do not say what such a game is worth",
            ),
        }
    }

    /// A draw without a reason: claimed if that was possible, otherwise agreed.
    fn drawn_somehow(&mut self) -> Answer {
        match self.chances_now().next() {
            Some(chance) => Answer {
                article: Some(chance.article.clone()),
                ..Answer::new(ResultMark::Draw, RuledReason::End(chance.end))
            },
            None => self.agreed(),
        }
    }

    /// What can be claimed in the last position.
    fn chances_now(&self) -> impl Iterator<Item = &Chance> {
        let now = self.played.when.ply;
        self.chances
            .iter()
            .filter(move |chance| chance.when.ply == now)
    }

    fn agreed(&self) -> Answer {
        let reason = RuledReason::Recorded(Reason::Agreement);
        match self.rules.agreement.standing {
            Standing::Absent => Answer::refuted("the rule set knows no draw by agreement"),
            Standing::Undefined => Answer::undecided(
                reason,
                "the rule set does not say whether a draw can be agreed",
            ),
            Standing::Automatic | Standing::OnClaim | Standing::Recorded => {
                let article = self.article(&[self.rules.agreement.article]);
                // FIDE wants a move by each side first; a record of fewer may be cut short.
                if self.played.start.fullmoves() == 1 && self.played.when.ply < 2 {
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
        // Where a rule set has no fifth time and no 75 moves, the third time and fifty moves are what counts.
        let end = match recorded {
            End::Fivefold if self.rules.fivefold.standing != Standing::Automatic => End::Threefold,
            End::SeventyFiveMoves if self.rules.seventy_five.standing != Standing::Automatic => {
                End::FiftyMoves
            }
            end => end,
        };
        if let Some(chance) = self.chances_now().find(|chance| chance.end == end) {
            return Answer {
                article: Some(chance.article.clone()),
                ..Answer::new(ResultMark::Draw, RuledReason::End(end))
            };
        }
        let rule = self.rules.rule(end);
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
        let earlier = self.chances.iter().rfind(|chance| chance.end == end);
        let mut text = match end {
            End::Threefold | End::Fivefold => {
                let times = match self.times {
                    1 => "once".to_owned(),
                    2 => "twice".to_owned(),
                    times => format!("{times} times"),
                };
                let can_announce = self.rules.threefold_forms.announced.is_some();
                let next = if end == End::Threefold && can_announce {
                    ", and no move leads to a third time"
                } else {
                    ""
                };
                format!("the last position has occurred {times}{next}")
            }
            _ => format!(
                "the last capture or pawn move was {} plies ago",
                self.played.last.halfmoves()
            ),
        };
        if let Some(chance) = earlier {
            text.push_str(&format!(
                "; it could last be claimed at ply {}",
                chance.when.ply
            ));
        }
        text
    }

    /// A draw because the pieces do not suffice.
    fn too_little(&mut self) -> Answer {
        let reason = RuledReason::End(End::InsufficientMaterial);
        if self.material_on_claim {
            return Answer {
                article: self.article(&[self.rules.material.article]),
                ..Answer::new(ResultMark::Draw, reason)
            };
        }
        let knows = |standing| !matches!(standing, Standing::Absent | Standing::Undefined);
        if !knows(self.rules.dead.standing) {
            return match (self.rules.material.standing, self.rules.dead.standing) {
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
            .find(|side| self.can_win[side.index()] == CanWin::Yes);
        match can {
            Some(side) => {
                let mut answer = self.refuted_by_mate(side, "the position is not dead");
                self.hint_at_time(&mut answer);
                answer
            }
            None => Answer::undecided(reason, "who can still win was not found within the budget"),
        }
    }

    /// Says what may have happened where a site's words for a draw on time are those for a draw by material.
    fn hint_at_time(&self, answer: &mut Answer) {
        let loser = self.played.last.turn();
        if self.on_time(!loser) == Win::Drawn
            && let Some(because) = &mut answer.because
        {
            because.push_str(&format!(
                "; if {}'s time was up, the game is drawn, as {} cannot win",
                side(loser),
                side(!loser)
            ));
        }
    }

    /// Time ran out, or a move was illegal, and the game was drawn all the same.
    fn out_of_time(&mut self, reason: Reason) -> Answer {
        // Only the clock of the side to move was running.
        let loser = self.against().unwrap_or(self.played.last.turn());
        let reason = RuledReason::Recorded(reason);
        match self.on_time(!loser) {
            Win::Drawn => Answer {
                article: self.article(&[self.rules.flag_article]),
                ..Answer::new(ResultMark::Draw, reason)
            },
            Win::Stands => {
                let because = format!("{} ran out of time", side(loser));
                let because = match reason {
                    RuledReason::Recorded(Reason::IllegalMove) => {
                        format!("{} made an illegal move", side(loser))
                    }
                    _ => because,
                };
                Answer {
                    result: won_by(!loser),
                    reason,
                    article: self.article(&[self.rules.flag_article]),
                    ..self.refuted_by_mate(!loser, &because)
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
    fn resigned_and_drawn(&mut self) -> Answer {
        let reason = RuledReason::Recorded(Reason::Resignation);
        let article = self.article(&[self.rules.resignation_exception.article]);
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
                let because = format!("{} resigned", side(loser));
                let mut answer = if self.rules.resignation_exception.standing == Standing::Automatic
                {
                    self.refuted_by_mate(!loser, &because)
                } else {
                    Answer::refuted(because)
                };
                answer.result = won_by(!loser);
                answer.reason = reason;
                answer
            }
            Win::Unknown => unknown(reason, !loser),
            Win::NotCovered => Answer::undecided(
                reason,
                "the rule set does not say whether a side wins by resignation that cannot mate",
            ),
        }
    }

    /// A win is recorded.
    fn won(&mut self, winner: Color) -> Answer {
        let Some(reason) = self.reason() else {
            return self.won_somehow(winner, RuledReason::ResignationOrTime);
        };
        if reason.is_draw() {
            let drawn = self.drawn();
            return Answer {
                verdict: Verdict::Contradiction,
                because: Some(format!(
                    "the record contradicts itself: {reason} and {}",
                    won_by(winner)
                )),
                ..drawn
            };
        }
        if self.against() == Some(winner) && reason != Reason::Checkmate {
            return Answer {
                result: won_by(!winner),
                reason: RuledReason::Recorded(reason),
                ..Answer::refuted(format!(
                    "the record contradicts itself: {reason} by {}, and {}",
                    side(winner),
                    won_by(winner)
                ))
            };
        }
        let recorded = RuledReason::Recorded(reason);
        match reason {
            Reason::Checkmate => Answer::refuted("the side to move is not checkmated"),
            Reason::Resignation => {
                let win = self.by_resignation(winner);
                let article = [self.rules.resignation_exception.article];
                let mut answer = self.win(winner, win, recorded, &article);
                answer.by_resignation_exception = win == Win::Drawn;
                answer
            }
            Reason::TimeForfeit | Reason::IllegalMove => {
                let win = self.on_time(winner);
                let article = [self.rules.flag_article];
                self.win(winner, win, recorded, &article)
            }
            Reason::RulesInfraction | Reason::Default => Answer::new(won_by(winner), recorded),
            Reason::VariantRule => Answer::undecided(recorded, "a rule of another game decided it"),
            Reason::Normal | Reason::Unterminated | Reason::Adjourned | Reason::Aborted => {
                self.won_somehow(winner, RuledReason::ResignationOrTime)
            }
            _ => self.won_somehow(winner, recorded),
        }
    }

    /// A win of which it is not recorded whether it was a resignation or a fallen flag: one of the two must be able to
    /// win.
    fn won_somehow(&mut self, winner: Color, reason: RuledReason) -> Answer {
        let by_resignation = self.by_resignation(winner);
        let on_time = self.on_time(winner);
        let win = match (by_resignation, on_time) {
            (Win::Stands, _) | (_, Win::Stands) => Win::Stands,
            (Win::Unknown, _) | (_, Win::Unknown) => Win::Unknown,
            (Win::NotCovered, _) | (_, Win::NotCovered) => Win::NotCovered,
            (Win::Drawn, Win::Drawn) => Win::Drawn,
        };
        let articles = [
            self.rules.resignation_exception.article,
            self.rules.flag_article,
        ];
        let mut answer = self.win(winner, win, reason, &articles);
        answer.by_resignation_exception = win == Win::Drawn;
        answer
    }

    fn win(
        &mut self,
        winner: Color,
        win: Win,
        reason: RuledReason,
        articles: &[&'static str],
    ) -> Answer {
        match win {
            Win::Stands => Answer::new(won_by(winner), reason),
            Win::Unknown => unknown(reason, winner),
            Win::NotCovered => Answer::undecided(
                reason,
                format!(
                    "the rule set does not say what {} gets, who cannot win",
                    side(winner)
                ),
            ),
            Win::Drawn => {
                let ground = match self.can_win[winner.index()] {
                    CanWin::No => match self.prospects.ground(self.played.last, winner) {
                        Some(ground) => {
                            format!("cannot mate by any series of legal moves ({ground})")
                        }
                        None => "cannot mate by any series of legal moves".to_owned(),
                    },
                    CanWin::Yes | CanWin::Unknown => "has too little material".to_owned(),
                };
                Answer {
                    article: self.article(articles),
                    verdict: Verdict::Contradiction,
                    because: Some(format!("{} {ground}", side(winner))),
                    ..Answer::new(ResultMark::Draw, reason)
                }
            }
        }
    }

    /// What the other side's resignation is worth.
    fn by_resignation(&self, winner: Color) -> Win {
        let can = self.can_win[winner.index()];
        match self.rules.resignation_exception.standing {
            Standing::Absent => Win::Stands,
            Standing::Undefined if can == CanWin::Yes => Win::Stands,
            Standing::Undefined => Win::NotCovered,
            Standing::Automatic | Standing::OnClaim | Standing::Recorded => of_prospects(can),
        }
    }

    /// What it is worth that the other side's time is up.
    fn on_time(&self, winner: Color) -> Win {
        let can = self.can_win[winner.index()];
        let board = self.played.last.board();
        match self.rules.flag {
            FlagFall::Loses => Win::Stands,
            FlagFall::Helpmate => of_prospects(can),
            FlagFall::Material(set) if set.holds(board, winner) => Win::Drawn,
            FlagFall::Material(_) => Win::Stands,
            FlagFall::ForcedMate(_) if can != CanWin::Yes => of_prospects(can),
            FlagFall::ForcedMate(set) if set.holds(board, winner) => Win::Unknown,
            FlagFall::ForcedMate(_) => Win::Stands,
            FlagFall::Absent | FlagFall::Undefined => Win::NotCovered,
        }
    }

    /// A draw that was none, as a side can still mate: with the moves, if they are found.
    fn refuted_by_mate(&mut self, winner: Color, why: &str) -> Answer {
        let line = self
            .prospects
            .mating_line(self.played.last, winner)
            .map(|moves| Line::new(self.played.last, &moves, self.played.mode));
        let how = match &line {
            Some(line) => format!(": {}", line.san),
            None => String::new(),
        };
        Answer {
            line,
            ..Answer::refuted(format!("{why}, and {} can still mate{how}", side(winner)))
        }
    }

    /// Articles with their edition, those that the rule set has.
    fn article(&self, numbers: &[&'static str]) -> Option<String> {
        let numbers: ArrayVec<&str, 2> = numbers
            .iter()
            .copied()
            .filter(|number| !number.is_empty())
            .collect();
        (!numbers.is_empty()).then(|| self.rules.article(&numbers.join(", ")).to_string())
    }
}

fn of_prospects(can_win: CanWin) -> Win {
    match can_win {
        CanWin::Yes => Win::Stands,
        CanWin::No => Win::Drawn,
        CanWin::Unknown => Win::Unknown,
    }
}

fn unknown(reason: RuledReason, winner: Color) -> Answer {
    Answer::undecided(
        reason,
        format!(
            "whether {} could still win was not found within the budget",
            side(winner)
        ),
    )
}

/// A side at the beginning of a sentence or in it.
fn side(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}
