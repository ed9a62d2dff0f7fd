//! Whether what was recorded can be true of a game that its moves left open.

mod drawn;

use crate::adjudication::ruling::{first_illegal_move, grouped, why_no_mate};
use crate::adjudication::{
    CanWin, Line, Opportunity, Played, Recorded, RuledReason, Verdict, pace,
};
use crate::chess::Color;
use crate::law::rulesets::{Article, FlagFall, Pace};
use crate::law::{End, Ends, Evidence, Loss, RuleSet, Standing, Win, judge_loss};
use crate::pgn::termination::Reason;
use crate::pgn::{ResultMark, Termination};

/// A game that its moves left open, and everything that bears on what was recorded about it.
pub(crate) struct Question<'a> {
    pub rules: &'static RuleSet,
    pub recorded: &'a Recorded,
    pub played: &'a Played<'a>,
    /// Every claim that could have been made.
    pub opportunities: &'a [Opportunity],
    /// The draws that the director may have declared.
    pub declarable: Ends,
}

/// The answer of the rules to a record.
pub(crate) struct Answer {
    pub result: ResultMark,
    pub reason: RuledReason,
    pub article: Option<String>,
    pub verdict: Verdict,
    pub because: Option<String>,
    pub line: Option<Line>,
    /// A note for the ruling.
    pub note: Option<String>,
}

impl Answer {
    pub(crate) fn new(result: ResultMark, reason: RuledReason) -> Answer {
        Answer {
            result,
            reason,
            article: None,
            verdict: Verdict::Consistent,
            because: None,
            line: None,
            note: None,
        }
    }

    /// A draw by an article.
    fn drawn_by(reason: RuledReason, article: impl ToString) -> Answer {
        Answer {
            article: Some(article.to_string()),
            ..Answer::new(ResultMark::Draw, reason)
        }
    }

    /// The record cannot be true.
    fn refuted(because: impl Into<String>) -> Answer {
        Answer {
            verdict: Verdict::Contradiction,
            because: Some(because.into()),
            ..Answer::new(ResultMark::Unknown, RuledReason::Open)
        }
    }

    /// The same, with what the game was instead.
    fn instead(self, result: ResultMark, reason: RuledReason) -> Answer {
        Answer {
            result,
            reason,
            ..self
        }
    }

    pub(crate) fn undecided(reason: RuledReason, because: impl Into<String>) -> Answer {
        Answer {
            verdict: Verdict::Undecided,
            because: Some(because.into()),
            ..Answer::new(ResultMark::Unknown, reason)
        }
    }
}

impl Question<'_> {
    /// Answers it.
    pub(crate) fn answer(&self) -> Answer {
        // Mate, stalemate or a dead position of which the rule set does not say what it means.
        let is_uncovered = self.rules.standing(End::DeadPosition) == Standing::Undefined
            && self.played.dead_since.is_some()
            && self.recorded.result != Some(ResultMark::Draw);
        let dead = is_uncovered.then_some(End::DeadPosition);
        if let Some(end) = self.played.facts.final_end.or(dead) {
            return uncovered(end);
        }
        let result = match self.recorded.result {
            None if self.recorded.other_result.is_some() => {
                return Answer::undecided(
                    RuledReason::Open,
                    "the recorded result is none of the four of the PGN standard",
                );
            }
            None | Some(ResultMark::Unknown) => {
                if let Some(reason) = self.reason().filter(|&reason| is_broken_off(reason)) {
                    return undefined(reason);
                }
                // A reason may give a result.
                let said = self.recorded.termination;
                said.and_then(Termination::implied_result)
            }
            result => result,
        };
        match result {
            Some(ResultMark::Draw) => self.drawn(),
            Some(ResultMark::White) => self.won(Color::White),
            Some(ResultMark::Black) => self.won(Color::Black),
            Some(ResultMark::Unknown) | None => Answer::new(ResultMark::Unknown, RuledReason::Open),
        }
    }

    fn reason(&self) -> Option<Reason> {
        self.recorded.termination?.reason
    }

    fn against(&self) -> Option<Color> {
        self.recorded.termination?.against
    }

    /// How a win by resignation and one on time are judged.
    fn judged_in_both_ways(&self, winner: Color) -> [Win; 2] {
        IN_BOTH_WAYS.map(|loss| self.judged(loss, winner))
    }

    /// How a win by the other side's loss is judged.
    fn judged(&self, loss: Loss, winner: Color) -> Win {
        let (prospects, limits) = (self.played.prospects, self.played.limits);
        judge_loss(self.rules, loss, winner, prospects, Evidence::Word, limits).win()
    }

    /// The loss that a reason names. Illegal moves without a rule on them are judged as time is.
    fn loss(&self, reason: Reason) -> Loss {
        match reason {
            Reason::Resignation => Loss::Resignation,
            Reason::IllegalMove if self.rules.illegal_moves.is_some() => Loss::IllegalMoves,
            _ => Loss::Time,
        }
    }

    /// The article on a loss.
    fn article_on(&self, loss: Loss, winner: Color) -> Option<Article> {
        let board = self.played.facts.last().board();
        self.rules.article_on(loss, self.pace(), board, winner)
    }

    /// The time control, if it is known.
    fn pace(&self) -> Option<Pace> {
        pace(self.played.game, self.played.text)
    }

    /// Whether an arbiter or organiser decided the game: also by an illegal move that loses only at
    /// his discretion.
    fn is_ruling(&self, reason: Reason) -> bool {
        let rule = self.rules.illegal_moves.filter(|rule| rule.loses.is_none());
        is_ruling(reason) || reason == Reason::IllegalMove && rule.is_some()
    }

    /// Refutes a draw by moves with which a side still mates. Without them it is left open.
    fn refuted_by_mate(&self, winner: Color, reason: RuledReason, why: &str) -> Answer {
        let Some(moves) = self.played.prospects.line(winner) else {
            return unknown(reason, winner);
        };
        let line = Line::new(self.played.facts.last(), moves, self.played.mode);
        let because = format!("{why}, and {} can still mate: {}", winner, line.san);
        Answer {
            line: Some(line),
            ..Answer::refuted(because)
        }
    }

    /// A win is recorded.
    pub(crate) fn won(&self, winner: Color) -> Answer {
        let is_without_moves = self.played.facts.plies() == 0;
        let reason = match self.reason() {
            Some(Reason::Normal) | None if is_without_moves => {
                return self.won_in_any_way(winner, RuledReason::Unknown);
            }
            Some(reason) => reason,
            None if self.recorded.termination.is_some() => {
                return self.left_open(RuledReason::Unknown);
            }
            None => return self.won_somehow(winner, RuledReason::ResignationOrTime),
        };
        let mark = ResultMark::won_by(winner);
        if reason.is_draw() {
            let because = format!("the record contradicts itself: {reason} and {mark}");
            return Answer {
                verdict: Verdict::Contradiction,
                because: Some(because),
                ..self.drawn()
            };
        }
        let recorded = RuledReason::Recorded(reason);
        if is_broken_off(reason) {
            return self.won_in_any_way(winner, recorded);
        }
        if self.against() == Some(winner) && reason != Reason::Checkmate {
            let because =
                format!("the record contradicts itself: {reason} by {winner}, and {mark}");
            return Answer::refuted(because).instead(ResultMark::won_by(!winner), recorded);
        }
        match reason {
            reason if self.is_ruling(reason) => self.left_open(recorded),
            Reason::Checkmate => Answer::refuted("the side to move is not checkmated"),
            Reason::Resignation | Reason::TimeForfeit | Reason::IllegalMove => {
                let loss = self.loss(reason);
                let (win, article) = (self.judged(loss, winner), self.article_on(loss, winner));
                let answer = self.win(winner, win, recorded, [article, None]);
                match loss {
                    Loss::Resignation => self.noting_exception(win, answer),
                    Loss::Time => answer,
                    Loss::IllegalMoves => Answer {
                        article: Some(self.rules.cite(article).to_string()),
                        note: first_illegal_move(self.rules, self.pace()),
                        ..answer
                    },
                }
            }
            // Neither a resignation nor a fallen flag.
            Reason::Unterminated | Reason::Adjourned | Reason::Aborted => undefined(reason),
            Reason::VariantRule => Answer::undecided(recorded, "a rule of another game decided it"),
            Reason::Normal => self.won_somehow(winner, RuledReason::ResignationOrTime),
            _ => self.won_somehow(winner, recorded),
        }
    }

    /// A win in a game that was broken off or has no moves: it stands if neither a resignation nor
    /// a fallen flag would have drawn it.
    fn won_in_any_way(&self, winner: Color, reason: RuledReason) -> Answer {
        let wins = self.judged_in_both_ways(winner);
        let stands = wins.contains(&Win::Stands)
            && !wins.contains(&Win::Drawn)
            && self.against() != Some(winner);
        if stands {
            Answer::new(ResultMark::won_by(winner), reason)
        } else {
            self.left_open(reason)
        }
    }

    /// Left open: who can mate does not decide.
    fn left_open(&self, reason: RuledReason) -> Answer {
        let what = match reason {
            RuledReason::Recorded(reason) if !self.is_ruling(reason) => return undefined(reason),
            RuledReason::Unknown if self.recorded.termination.is_none() => {
                "no moves are recorded: it"
            }
            _ => "the recorded reason",
        };
        let mut because =
            format!("{what} may be a ruling or penalty, which does not ask who can mate");
        if let penalties @ Some(_) = self.rules.penalties {
            because.push_str(&format!(" ({})", self.rules.cite(penalties)));
        }
        Answer::undecided(reason, because)
    }

    /// A win without a reason: a resignation or a fallen flag must be able to win.
    fn won_somehow(&self, winner: Color, reason: RuledReason) -> Answer {
        let [one, other] = self.judged_in_both_ways(winner);
        let win = one.min(other);
        let articles = IN_BOTH_WAYS.map(|loss| self.article_on(loss, winner));
        self.noting_exception(win, self.win(winner, win, reason, articles))
    }

    /// Notes that the exception for a side that resigns, if it draws the game, is younger than it.
    fn noting_exception(&self, win: Win, mut answer: Answer) -> Answer {
        if win == Win::Drawn {
            let what = "the exception for a side that resigns";
            answer.note = self.played.note(what, &self.rules.resignation_exception);
        }
        answer
    }

    fn win(
        &self,
        winner: Color,
        win: Win,
        reason: RuledReason,
        articles: [Option<Article>; 2],
    ) -> Answer {
        // The exception for a side that cannot win is not what is missing if it can.
        let can = self.played.can_win[winner.index()];
        match win {
            Win::Stands => Answer::new(ResultMark::won_by(winner), reason),
            Win::Unknown => unknown(reason, winner),
            Win::NotShown(nodes) => Answer {
                note: Some(not_shown(nodes)),
                ..unknown(reason, winner)
            },
            Win::NotCovered if can != CanWin::Yes => Answer::undecided(
                reason,
                format!("the rule set does not say what {winner} gets, who cannot win"),
            ),
            Win::NotCovered if self.rules.flag == FlagFall::Absent => {
                Answer::undecided(reason, "the rule set has no rule on time")
            }
            Win::NotCovered => Answer::undecided(reason, SILENT_ON_TIME),
            Win::Drawn => {
                let ground = if can == CanWin::No {
                    let why = why_no_mate(self.played.prospects, winner);
                    let why = why.map(|why| format!(" ({why})")).unwrap_or_default();
                    format!("cannot mate by any series of legal moves{why}")
                } else {
                    "has too little material".to_owned()
                };
                Answer {
                    verdict: Verdict::Contradiction,
                    because: Some(format!("{winner} {ground}")),
                    ..Answer::drawn_by(reason, self.rules.cite_both(articles))
                }
            }
        }
    }
}

/// The losses that a win may rest on.
const IN_BOTH_WAYS: [Loss; 2] = [Loss::Resignation, Loss::Time];

const SILENT_ON_TIME: &str = "the rule set does not say what becomes of a game when time is up";

/// Whether a game was broken off. The rules do not say what such a game is worth; it matters only
/// if a resignation or a fallen flag would give another result than is recorded.
pub fn is_broken_off(reason: Reason) -> bool {
    matches!(
        reason,
        Reason::Abandoned | Reason::Disconnection | Reason::Death | Reason::Emergency
    )
}

/// Whether an arbiter or organiser decided the game, or a side did not come to it.
fn is_ruling(reason: Reason) -> bool {
    matches!(
        reason,
        Reason::RulesInfraction | Reason::Default | Reason::Adjudication
    )
}

fn undefined(reason: Reason) -> Answer {
    Answer::undecided(
        RuledReason::Recorded(reason),
        "the rules do not say what such a game is worth",
    )
}

fn uncovered(end: End) -> Answer {
    let because = format!("{end} is not covered by the rule set");
    Answer::undecided(RuledReason::End(end), because)
}

fn not_shown(nodes: u64) -> String {
    let nodes = grouped(nodes);
    format!("no forced mate was found in {nodes} positions, the shortest lines first")
}

fn unknown(reason: RuledReason, winner: Color) -> Answer {
    Answer::undecided(
        reason,
        format!("whether {winner} could still win was not found within the budget"),
    )
}
