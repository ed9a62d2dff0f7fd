//! The sentences of a ruling, from a decision of the law: a template for each ground and reason.

mod consequences;
mod counts;
mod moves;
mod winning;

use crate::adjudication::phrases::{cited, lower_start, sentence, sentence_start, word};
use crate::adjudication::ruling::first_illegal_move;
use crate::chess::Move;
use crate::claim::announced::AnnouncedMove;
use crate::claim::game::{ClaimGame, name, named, when};
use crate::claim::mismatch::similar_positions;
use crate::claim::{Claim, ClaimKind};
use crate::law::claim::{self as law, ClaimReason, Decision, Ground};
use crate::law::rulesets::EndRule;
use crate::law::{End, GameRecord, Held, Loss, RepetitionKey, Unseen};

/// A decision on a claim, and what its sentences speak of.
#[derive(Clone, Copy)]
pub(crate) struct Phrasing<'a> {
    pub game: &'a ClaimGame,
    pub claim: &'a Claim,
    pub law: &'a law::ClaimFacts<'a>,
    pub announced: &'a AnnouncedMove,
    pub decision: &'a Decision,
    /// The reading of which positions are the same.
    pub key: RepetitionKey,
}

/// The decision: `The claim is upheld.`
pub(crate) fn decided(kind: ClaimKind, ground: Ground) -> String {
    let how = kind.words().ground;
    match (kind, ground.upheld()) {
        (ClaimKind::Loss(_), Some(true)) => format!("The game is lost {how}."),
        (ClaimKind::Loss(_), Some(false)) => format!("The game is not lost {how}."),
        (ClaimKind::Loss(_), None) => format!("Whether the game is lost {how} is left open."),
        _ => format!("The claim is {}.", word(ground)),
    }
}

impl Phrasing<'_> {
    /// The claim: `After 34...Kg8, White claims a draw by threefold repetition.`
    pub(crate) fn statement(&self) -> String {
        let (by, kind) = (self.law.by, self.law.kind);
        let what = match kind {
            ClaimKind::Loss(Loss::Time) => format!("{by}'s time is up"),
            ClaimKind::Loss(Loss::Resignation) => format!("{by} resigns"),
            ClaimKind::Loss(Loss::IllegalMoves) => {
                let loser = self.law.loser();
                let rule = self.decision.rules.illegal_moves;
                let last = match rule.map(|rule| rule.at(self.game.record().pace).1) {
                    Some(Some(3)) => "a third",
                    Some(Some(2)) | None => "a second",
                    Some(_) => "an",
                };
                format!("{by} claims the game: {loser} has completed {last} illegal move")
            }
            ClaimKind::BothFlags => {
                "both flags have fallen, and it is not known which fell first".to_owned()
            }
            ClaimKind::Draw(_) | ClaimKind::Quickplay => {
                format!("{by} claims a draw {}", kind.words().ground)
            }
        };
        let announces = self.claim.announced.as_ref().map(|announced| {
            let written = &announced.written;
            let what = match (self.announced.legal(), self.announced.letters) {
                (Some((_, name)), Some(letters)) => {
                    format!("{name} (`{written}`, {})", letters.how())
                }
                (Some((_, name)), None) => name.to_owned(),
                (None, _) => format!("`{written}`"),
            };
            format!(", and announces {what}")
        });
        let moment = sentence_start(&self.game.moment());
        format!("{moment}, {what}{}.", announces.unwrap_or_default())
    }

    /// The reason of the decision.
    pub(crate) fn reason(&self) -> String {
        use ClaimReason as Why;
        let (by, decision, record) = (self.law.by, self.decision, self.game.record());
        let rules = decision.rules;
        let (short, set) = (rules.short(), rules.material_set);
        let (pieces, last_move) = (self.all_pieces(), self.game.last_move());
        let (stands, turn) = (self.stands(), self.law.facts.last().turn());
        match (&decision.reason, decision.ground) {
            (Why::Rules, Ground::NoRule) if self.law.kind == ClaimKind::BothFlags => {
                self.first_flag()
            }
            (Why::Rules, Ground::NoRule) => {
                format!("By {short} the game is not drawn on this ground.")
            }
            (Why::BothFlags, _) => self.both_flags(),
            (Why::Unfit(why), _) => sentence(why),
            (&Why::Quickplay(can, is_timed), ground) => self.quickplay(can, is_timed, ground),
            (Why::ByDirector, _) => {
                format!("{stands}; whether the game is drawn is for the director to decide.")
            }
            (Why::Apart, _) => format!(
                "{stands}; but {short} counts only occurrences on alternate moves in a row, four \
                plies apart."
            ),
            (Why::Rules, _) => self.does_not_say(),
            (&Why::Over { ply, .. }, Ground::Automatic) => self.stood(ply) + ".",
            (&Why::Over { ply, end }, _) => {
                let how = match end {
                    End::Checkmate => "ended with",
                    _ => "was drawn by",
                };
                let when = match ply < record.plies() {
                    true => format!(" {}", when(record, ply)),
                    false => String::new(),
                };
                let phrase = end.row().phrase;
                format!("The game {how} {phrase}{when}: there is nothing left to claim.")
            }
            (_, Ground::WrongSide) => {
                format!("It is {turn} who is to move: a claim is for the player having the move.")
            }
            (Why::Announcement, _) => self.announced.why_not.clone(),
            (&Why::AlreadyPlayed { ply, .. }, _) => format!(
                "{} has been played: a claim with an announced move must be made before the move \
                is.",
                name(record, ply)
            ),
            (Why::AnnouncedMove, ground) => self.announced_move(ground),
            (Why::OwnMove, _) => {
                format!("{by} has played {last_move}, and lost the right to claim by it.")
            }
            (Why::Board { .. }, Ground::Unknown) => self.as_far_as_known(&stands),
            (Why::Board { .. }, Ground::Undefined) => format!(
                "{stands}; {} speaks of an announced move as an example, and leaves open whether \
                the position on the board can be claimed.",
                sentence_start(&short)
            ),
            (Why::Board { .. }, Ground::NoForm) => {
                format!("{stands}; but {short} covers claims with an announced move only.")
            }
            (Why::Board { .. } | Why::WrongSide { .. }, _) => stands + ".",
            (&Why::Before { ply }, _) => {
                self.stood(ply) + ", and one move later it can still be claimed."
            }
            (&Why::Missed { ply, .. }, _) => self.missed(ply),
            (Why::Stalemate, ground) => self.stalemate(ground),
            (Why::Material, Ground::Holds | Ground::Automatic) => {
                format!("The pieces on the board, {pieces}, are too few by {short}.")
            }
            (Why::Material, Ground::Undefined) => format!(
                "{} says that {set} are too few, and does not say whether {pieces} are.",
                sentence_start(&short)
            ),
            (Why::Material, _) => format!(
                "The pieces on the board, {pieces}, are not among those that are too few by \
                {short}: {set}."
            ),
            (&Why::Mate(Some(side)), _) => self.can_mate(side),
            (Why::Mate(None), Ground::Automatic) => self.neither_can_mate(),
            (Why::Mate(None), _) => self.not_found(),
            (Why::Loss(loss), _) => self.loss(loss),
        }
    }

    /// More about the reason: differences between positions, other claims that would be right.
    pub(crate) fn details(&self) -> Vec<String> {
        let (decision, rules) = (self.decision, self.decision.rules);
        let record = match decision.reason {
            ClaimReason::AnnouncedMove => self.claimed_record(),
            _ => self.game.record().clone(),
        };
        let is_too_few = decision.ground == Ground::DoesNotHold && self.is_repetition();
        let mut details: Vec<String> = self.about_the_reason().into_iter().flatten().collect();
        if let ClaimKind::Loss(Loss::Time) | ClaimKind::BothFlags = self.law.kind {
            details.extend(self.game.last_clocks());
        }
        if is_too_few {
            let occurrences = &decision.occurrences;
            details.extend(similar_positions(&record, rules, self.key, occurrences));
        }
        if let ClaimReason::Board { could_announce } | ClaimReason::Missed { could_announce, .. } =
            decision.reason
        {
            details.extend(could_announce.map(|mv| self.could_announce(mv)));
        }
        let unseen = match decision.ground {
            Ground::Unknown => None,
            // At most the number of the plies before the first position is known.
            _ if is_too_few => record.unseen(),
            _ => decision.unseen,
        };
        details.extend(self.why_unknown(unseen).map(|why| sentence(&why)));
        details.extend(self.misnumbered());
        details.extend(self.recorded_over());
        details.extend(decision.declarable.iter().map(|end| {
            format!(
                "The director may declare the game drawn without a claim: {} ({}).",
                end.row().phrase,
                rules.cite_end(end)
            )
        }));
        details
    }

    fn about_the_reason(&self) -> Vec<Option<String>> {
        use ClaimReason as Why;
        let (law, decision, record) = (self.law, self.decision, self.game.record());
        let rules = decision.rules;
        let stands = || Some(self.stands() + ".");
        match decision.reason {
            Why::Over { ply, end } if decision.ground == Ground::Automatic => {
                vec![self.ended_earlier(ply), self.too_young(ply, end)]
            }
            Why::Over { ply, end } => vec![
                (!decision.occurrences.is_empty()).then(|| self.stood(ply) + "."),
                (end == End::DeadPosition).then(|| self.neither_can_mate()),
                self.too_young(ply, end),
            ],
            Why::Announcement => {
                let is_wrong_side = decision.ground == Ground::WrongSide;
                vec![is_wrong_side.then(|| self.announced.why_not.clone())]
            }
            Why::AlreadyPlayed { ply, held } => {
                let holds_now = held == Held::Yes && ply == record.plies();
                vec![self.in_time(ply, held), self.the_other_may_claim(holds_now)]
            }
            Why::WrongSide { holds } => vec![stands(), self.the_other_may_claim(holds)],
            Why::OwnMove => {
                let last_move = self.game.last_move();
                let may_announce = self.rule().is_some_and(|rule| rule.announced.is_some());
                let in_time = may_announce.then(|| {
                    format!(
                        "Announced before it was played, {last_move} would have made the claim \
                        right."
                    )
                });
                vec![stands(), in_time, self.the_other_may_claim(true)]
            }
            Why::Board { .. } => {
                let is_unknown = decision.ground == Ground::Unknown;
                let is_counted = is_unknown && !self.is_repetition() && record.plies() > 0;
                let instead = decision.board_instead.then(|| self.needs_no_move());
                vec![stands().filter(|_| is_counted), instead]
            }
            Why::Missed { ply, .. } => {
                let then = self.is_repetition().then(|| {
                    let plies = record.occurrences(self.key, ply);
                    let nth = counts::for_the_nth_time(&record.cut(ply), &plies);
                    format!("An earlier position was on the board {nth}.")
                });
                vec![stands(), then]
            }
            Why::Material if decision.ground.upheld() == Some(true) => {
                let ended = law.facts.automatic_end(rules, None);
                vec![ended.and_then(|(ply, _)| self.ended_earlier(ply))]
            }
            Why::Quickplay(..) => self.facts_of_the_position(),
            Why::Rules if self.law.kind == ClaimKind::Quickplay => {
                let games = rules.quickplay_refused.map(|(_, games)| games);
                vec![games.map(|games| format!("A claim is allowed only in {games}."))]
            }
            Why::BothFlags => {
                let games = rules.both_flags.and_then(|(_, games)| games);
                vec![games.map(|games| format!("The rule is for {}.", games.words))]
            }
            Why::AnnouncedMove => vec![self.before_the_clock()],
            Why::Loss(_) if law.kind == ClaimKind::Loss(Loss::IllegalMoves) => {
                let first = first_illegal_move(rules, record.pace);
                vec![first.map(|clause| sentence(&clause))]
            }
            Why::Material => {
                let is_agreed = rules.agreed_set.holds(law.facts.last().board());
                vec![is_agreed.then(|| "The players are to agree to a draw.".to_owned())]
            }
            _ => Vec::new(),
        }
    }

    /// The game with the announced move, if it is legal.
    pub(crate) fn claimed_record(&self) -> GameRecord {
        let mut record = self.game.record().clone();
        if let Some((mv, _)) = self.announced.legal() {
            record.push(mv);
        }
        record
    }

    /// The draw claimed.
    pub(super) fn end(&self) -> Option<End> {
        match self.law.kind {
            ClaimKind::Draw(end) => Some(end),
            _ => None,
        }
    }

    fn rule(&self) -> Option<&'static EndRule> {
        self.end().map(|end| self.decision.rules.rule(end))
    }

    fn is_repetition(&self) -> bool {
        self.end().is_some_and(|end| end.occurrences().is_some())
    }

    fn does_not_say(&self) -> String {
        let rules = sentence_start(&self.decision.rules.short());
        format!("{rules} does not say what follows from this.")
    }

    /// The count on the board: `The same position is on the board …`.
    fn stands(&self) -> String {
        let plies = &self.decision.occurrences;
        counts::counted("is", self.game.record(), self.is_repetition(), plies)
    }

    /// The count after a ply.
    fn stood(&self, ply: u32) -> String {
        let plies = &self.decision.occurrences;
        let is_repetition = self.is_repetition() || !plies.is_empty();
        counts::counted("was", &self.game.record().cut(ply), is_repetition, plies)
    }

    fn announced_move(&self, ground: Ground) -> String {
        let Some((mv, name)) = self.announced.legal() else {
            return String::new();
        };
        let would = self.would(mv, name);
        match ground {
            Ground::NotYet => {
                let ends = match self.decision.unseen {
                    Some(_) => format!("If {name} ends the game, it does so automatically"),
                    None => format!("{would}, which ends the game automatically"),
                };
                format!("{ends}: the move is to be played, not announced.")
            }
            Ground::NoForm => format!(
                "{would}; but {} has claims on the position on the board only, not with an \
                announced move.",
                self.decision.rules.short()
            ),
            Ground::Unknown => self.as_far_as_known(&would),
            _ if self.is_repetition() => would + ".",
            _ => {
                let point = if mv.is_zeroing() { ";" } else { ":" };
                format!("{would}{point} {}.", counts::moves_made(self.game.record()))
            }
        }
    }

    /// The effect of the announced move.
    fn would(&self, mv: Move, name: &str) -> String {
        let last = self.law.facts.last();
        let Some(limit) = self.end().and_then(End::halfmoves) else {
            let history = self.law.facts.history(self.key);
            let plies = history.map(|history| history.occurrences_after(last, mv));
            let (record, plies) = (self.claimed_record(), plies.unwrap_or_default());
            let position = counts::on_the_board("would be", &record, &plies);
            return format!("With {name} the {position}");
        };
        let does = match last.halfmoves() {
            _ if mv.is_zeroing() => {
                return format!("{name} is a capture or a pawn move, which begins the count anew");
            }
            halfmoves if halfmoves >= limit => "adds to the",
            halfmoves if halfmoves + 1 >= limit => "would complete",
            _ if last.knows_halfmoves() => "would not complete",
            _ => "may complete",
        };
        format!("{name} {does} {} moves by each side", limit / 2)
    }

    /// Why it depends on unseen plies whether the draw claimed holds, if it does.
    fn why_unknown(&self, unseen: Option<Unseen>) -> Option<String> {
        Some(unseen?.why(self.end()?))
    }

    /// The reason to leave a claim open that depends on unseen plies.
    fn as_far_as_known(&self, counted: &str) -> String {
        let why = self.why_unknown(self.decision.unseen).unwrap_or_default();
        if self.is_repetition() {
            format!("As far as is known, {}; {why}.", lower_start(counted))
        } else {
            sentence(&why)
        }
    }

    /// The position on the board is judged instead of the announced move.
    fn needs_no_move(&self) -> String {
        match self.announced.legal() {
            Some((mv, name)) => {
                let would = self.would(mv, name);
                format!("{would}, but a draw on the board needs no announced move.")
            }
            None => {
                let why_not = &self.announced.why_not;
                format!("{why_not} A draw on the board needs no announced move.")
            }
        }
    }

    fn could_announce(&self, mv: Move) -> String {
        let what = if self.is_repetition() {
            let name = named(self.law.facts.last(), mv);
            format!("With {name} announced, and not played,")
        } else {
            "With a move announced, and not played, that is neither a capture nor a pawn's,"
                .to_owned()
        };
        let form = self.rule().and_then(|rule| rule.announced);
        let article = cited(self.decision.rules, form);
        format!("{what} a claim would be right{article}.")
    }

    /// The claimant could have claimed after a ply, and moved.
    fn missed(&self, ply: u32) -> String {
        let (by, record) = (self.law.by, self.game.record());
        let (when, next) = (when(record, ply), name(record, ply + 1));
        let then = if record.at(ply).turn == by {
            format!("and played {next} instead")
        } else {
            format!("before {next} was played")
        };
        let zeroing = (ply + 1..=record.plies())
            .find(|&later| record.played(later).is_some_and(Move::is_zeroing))
            .filter(|_| !self.is_repetition());
        let again = zeroing.map(|ply| format!("; {} has begun the count anew", name(record, ply)));
        let again = again.unwrap_or_default();
        format!("The claim comes too late: {by} could have made it {when}, {then}{again}.")
    }

    /// Whether a claim with a move that has been played would have been right in time.
    fn in_time(&self, ply: u32, held: Held) -> Option<String> {
        let mut then = lower_start(&self.stood(ply));
        if self.is_repetition() {
            then = format!("with {} {then}", name(self.game.record(), ply));
        }
        let would = match held {
            Held::No => "Nor would it have been right in time",
            Held::Unknown => "Whether it would have been right in time is not known",
            Held::Yes => {
                self.rule()?.announced?;
                "Made in time, it would have been right"
            }
        };
        Some(format!("{would}: {then}."))
    }

    /// A note that the side to move may claim what stands on the board, if it holds.
    fn the_other_may_claim(&self, holds: bool) -> Option<String> {
        let form = self.rule()?.on_board.filter(|_| holds)?;
        let turn = self.law.facts.last().turn();
        let article = cited(self.decision.rules, Some(form));
        let may = format!("It is {turn} who may claim now, before making a move{article}.");
        Some(may)
    }

    /// A note if the game ended before its last move.
    fn ended_earlier(&self, ply: u32) -> Option<String> {
        let record = self.game.record();
        (ply < record.plies()).then(|| {
            let when = when(record, ply);
            format!("The game ended {when}: the moves after it do not count.")
        })
    }

    /// A note if the rule on an end did not yet hold when the game was played.
    fn too_young(&self, ply: u32, end: End) -> Option<String> {
        let rules = self.decision.rules;
        let rule = rules.rule_for(end, self.law.facts.is_in_a_row(rules.key, ply));
        let day = self.game.days?.last;
        let since = rule.since.filter(|_| rule.is_later_than(day))?;
        Some(format!(
            "The game was played before {since}, when this rule took effect."
        ))
    }

    /// A remark on the number of the announced move, which is not part of the claim.
    fn misnumbered(&self) -> Option<String> {
        let announced = self.claim.announced.as_ref();
        let written = &announced.filter(|_| self.announced.misnumbered)?.written;
        let article = cited(self.decision.rules, self.rule()?.announced);
        Some(format!(
            "The move was announced as `{written}`: its number is not part of the claim{article}."
        ))
    }
}
