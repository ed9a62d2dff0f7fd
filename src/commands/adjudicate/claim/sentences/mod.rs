//! The sentences of a ruling, from a decision of the law: a template for each ground and reason.

mod consequences;
mod counts;
mod winning;

use crate::chess::Move;
use crate::commands::adjudicate::claim::announced::AnnouncedMove;
use crate::commands::adjudicate::claim::game::{ClaimGame, name, named, when};
use crate::commands::adjudicate::claim::mismatch::similar_positions;
use crate::commands::adjudicate::claim::{Claim, ClaimKind};
use crate::commands::adjudicate::phrases::{cited, lower_start, sentence_start};
use crate::law::claim::{self as law, Announcement, ClaimReason, Decision, Ground};
use crate::law::history::FEWEST_PLIES_BETWEEN;
use crate::law::rulesets::EndRule;
use crate::law::{End, GameRecord, Held, RepetitionKey, RuleSet};

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

impl Phrasing<'_> {
    /// The claim: `After 34...Kg8, White claims a draw by threefold repetition.`
    pub(crate) fn statement(&self) -> String {
        let by = self.law.by;
        let moment = sentence_start(&self.game.moment());
        let ground = match self.law.kind {
            ClaimKind::Flag => return format!("{moment}, {by}'s time is up."),
            ClaimKind::Draw(end) => end.claim().map_or("", |claim| claim.ground),
        };
        let announced = self.claim.announced.as_ref().map(|announced| {
            let written = &announced.written;
            match (
                self.announced.meant,
                &self.announced.name,
                self.announced.letters,
            ) {
                (Announcement::Legal(_), Some(name), Some(letters)) => {
                    format!(", and announces {name} (`{written}`, {})", letters.how())
                }
                (Announcement::Legal(_), Some(name), None) => format!(", and announces {name}"),
                _ => format!(", and announces `{written}`"),
            }
        });
        let announced = announced.unwrap_or_default();
        format!("{moment}, {by} claims a draw {ground}{announced}.")
    }

    /// The reason of the decision.
    pub(crate) fn reason(&self) -> String {
        let (by, decision, record) = (self.law.by, self.decision, self.game.record());
        let (short, set) = (decision.rules.short(), decision.rules.material_set);
        let (pieces, last_move) = (self.all_pieces(), self.game.last_move());
        let (stands, turn) = (self.stands(), self.law.facts.last().turn());
        match (&decision.reason, decision.ground) {
            (ClaimReason::Rules, Ground::NoRule) => {
                format!("By {short} the game is not drawn on this ground.")
            }
            (ClaimReason::Rules, _) => does_not_say(decision.rules),
            (&ClaimReason::Over { ply, end }, _) if ply == record.plies() => {
                format!("The game {}: there is nothing left to claim.", end.ended())
            }
            (&ClaimReason::Over { ply, end }, _) => {
                let (ended, when) = (end.ended(), when(record, ply));
                format!("The game {ended} {when}: there is nothing left to claim.")
            }
            (&ClaimReason::Ended { ply, .. }, _) => format!("{}.", self.stood(ply)),
            (_, Ground::WrongSide) => {
                format!("It is {turn} who is to move: a claim is for the player having the move.")
            }
            (ClaimReason::Announcement, _) => self.announced.why_not.clone(),
            (&ClaimReason::AlreadyPlayed { ply, .. }, _) => {
                let name = name(record, ply);
                format!(
                    "{name} has been played: a claim with an announced move must be made before \
                    the move is."
                )
            }
            (ClaimReason::AnnouncedMove, ground) => self.announced_move(ground),
            (ClaimReason::OwnMove, _) => {
                format!("{by} has played {last_move}, and lost the right to claim by it.")
            }
            (ClaimReason::Board { .. }, Ground::Unknown) => self.as_far_as_known(&stands),
            (ClaimReason::Board { .. }, Ground::Undefined) => format!(
                "{stands}; {} speaks of an announced move as an example, and leaves open whether \
                the position on the board can be claimed.",
                sentence_start(&short)
            ),
            (ClaimReason::Board { .. }, Ground::NoForm) => {
                format!("{stands}; but {short} covers claims with an announced move only.")
            }
            (ClaimReason::Board { .. } | ClaimReason::WrongSide { .. }, _) => format!("{stands}."),
            (&ClaimReason::Before { ply }, _) => {
                let stood = self.stood(ply);
                format!("{stood}, and one move later it can still be claimed.")
            }
            (&ClaimReason::Missed { ply, .. }, _) => self.missed(ply),
            (ClaimReason::Stalemate, ground) => self.stalemate(ground),
            (ClaimReason::Listed, _) => {
                format!("The pieces on the board, {pieces}, are too few by {short}.")
            }
            (ClaimReason::LeftOpen, _) => format!(
                "{} says that {set} are too few, and does not say whether {pieces} are.",
                sentence_start(&short)
            ),
            (ClaimReason::NotListed, _) => format!(
                "The pieces on the board, {pieces}, are not among those that are too few by \
                {short}: {set}."
            ),
            (&ClaimReason::CanMate(side), _) => self.can_mate(side),
            (ClaimReason::NeitherCanMate, _) => self.neither_can_mate(),
            (ClaimReason::NotFound, _) => self.not_found(),
            (ClaimReason::Flag(flag), _) => self.flag(flag),
        }
    }

    /// More about the reason: differences between positions, other claims that would be right.
    pub(crate) fn details(&self) -> Vec<String> {
        let decision = self.decision;
        let mut details = self.about_the_reason();
        if let (Some(unseen), ClaimKind::Draw(end)) = (decision.unseen, self.law.kind)
            && decision.ground != Ground::Unknown
        {
            details.push(format!("{}.", sentence_start(&unseen.why(end))));
        }
        details.extend(self.misnumbered());
        details.extend(self.recorded_over());
        details.extend(decision.declarable.iter().map(|&end| {
            format!(
                "The director may declare the game drawn without a claim: {} ({}).",
                end.phrase(),
                decision.rules.cite_end(end)
            )
        }));
        details
    }

    fn about_the_reason(&self) -> Vec<String> {
        let (law, decision, record) = (self.law, self.decision, self.game.record());
        let rules = decision.rules;
        let rule = |ply, end| rules.rule_for(end, law.facts.is_in_a_row(rules.key, ply));
        let stands = || format!("{}.", self.stands());
        match decision.reason {
            ClaimReason::Over { ply, end } => some([
                (!decision.occurrences.is_empty()).then(|| format!("{}.", self.stood(ply))),
                (end == End::DeadPosition).then(|| self.neither_can_mate()),
                self.too_young(&rule(ply, end)),
            ]),
            ClaimReason::Ended { ply, end } => {
                some([self.ended_earlier(ply), self.too_young(&rule(ply, end))])
            }
            ClaimReason::Announcement => {
                let is_wrong_side = decision.ground == Ground::WrongSide;
                some([is_wrong_side.then(|| self.announced.why_not.clone())])
            }
            ClaimReason::AlreadyPlayed { ply, held } => {
                let may_claim = held == Held::Yes && ply == record.plies();
                some([
                    self.in_time(ply, held),
                    may_claim.then(|| self.the_other_may_claim()).flatten(),
                ])
            }
            ClaimReason::AnnouncedMove => {
                let record = self.claimed_record();
                let mut details = self.similar(&record);
                details.extend(self.unknown_plies(&record));
                details
            }
            ClaimReason::WrongSide { holds } => some([
                Some(stands()),
                holds.then(|| self.the_other_may_claim()).flatten(),
            ]),
            ClaimReason::OwnMove => some([
                Some(stands()),
                self.rule().and_then(|rule| rule.announced).map(|_| {
                    format!(
                        "Announced before it was played, {} would have made the claim right.",
                        self.game.last_move()
                    )
                }),
                self.the_other_may_claim(),
            ]),
            ClaimReason::Board { could_announce } => self.about_the_board(could_announce),
            ClaimReason::Missed {
                ply,
                could_announce,
            } => {
                let then = self.is_repetition().then(|| {
                    let plies = record.occurrences(self.key, ply);
                    format!("{}.", counts::stood(&record.cut(ply), true, &plies))
                });
                let could = could_announce.map(|mv| self.could_announce(mv));
                some([Some(stands()), then, could])
            }
            ClaimReason::Listed => {
                let ended = law.facts.automatic_end(rules, None);
                some([ended.and_then(|(ply, _)| self.ended_earlier(ply))])
            }
            ClaimReason::NotListed => {
                let is_agreed = rules.agreed_set.holds(law.facts.last().board());
                some([is_agreed.then(|| "The players are to agree to a draw.".to_owned())])
            }
            _ => Vec::new(),
        }
    }

    /// The game with the announced move, if it is legal.
    pub(crate) fn claimed_record(&self) -> GameRecord {
        let mut record = self.game.record().clone();
        if let Announcement::Legal(mv) = self.announced.meant {
            record.push(mv);
        }
        record
    }

    fn rule(&self) -> Option<&'static EndRule> {
        match self.law.kind {
            ClaimKind::Draw(end) => Some(self.decision.rules.rule(end)),
            ClaimKind::Flag => None,
        }
    }

    fn is_repetition(&self) -> bool {
        matches!(self.law.kind, ClaimKind::Draw(end) if end.occurrences().is_some())
    }

    /// The count on the board: `The same position is on the board …`.
    fn stands(&self) -> String {
        let plies = &self.decision.occurrences;
        counts::stands(self.game.record(), self.is_repetition(), plies)
    }

    /// The count after a ply.
    fn stood(&self, ply: u32) -> String {
        let plies = &self.decision.occurrences;
        let is_repetition = self.is_repetition() || !plies.is_empty();
        counts::stood(&self.game.record().cut(ply), is_repetition, plies)
    }

    fn announced_move(&self, ground: Ground) -> String {
        let (Announcement::Legal(mv), Some(name)) = (self.announced.meant, &self.announced.name)
        else {
            return String::new();
        };
        let would = self.would(mv, name);
        match ground {
            Ground::NotYet if self.decision.unseen.is_some() => format!(
                "If {name} ends the game, it does so automatically: the move is to be played, not \
                announced."
            ),
            Ground::NotYet => format!(
                "{would}, which ends the game automatically: the move is to be played, not \
                announced."
            ),
            Ground::NoForm => format!(
                "{would}; but {} has claims on the position on the board only, not with an \
                announced move.",
                self.decision.rules.short()
            ),
            Ground::Unknown => self.as_far_as_known(&would),
            _ if self.is_repetition() => format!("{would}."),
            _ => {
                let point = if mv.is_zeroing() { ";" } else { ":" };
                format!("{would}{point} {}.", counts::moves_made(self.game.record()))
            }
        }
    }

    /// The effect of the announced move.
    fn would(&self, mv: Move, name: &str) -> String {
        let last = self.law.facts.last();
        let ClaimKind::Draw(end) = self.law.kind else {
            return String::new();
        };
        let Some(limit) = end.halfmoves() else {
            let history = self.law.facts.history(self.key);
            let plies = history.map(|history| history.occurrences_after(last, mv));
            let nth = counts::for_the_nth_time(&self.claimed_record(), &plies.unwrap_or_default());
            return format!("With {name} the same position would be on the board {nth}");
        };
        let does = match last.halfmoves() {
            _ if mv.is_zeroing() => {
                return format!("{name} is a capture or a pawn move, which begins the count anew");
            }
            halfmoves if halfmoves >= limit => {
                return format!("{name} adds to the {} moves by each side", limit / 2);
            }
            halfmoves if halfmoves + 1 >= limit => "would",
            _ if last.knows_halfmoves() => "would not",
            _ => "may",
        };
        format!("{name} {does} complete {} moves by each side", limit / 2)
    }

    /// The reason to leave a claim open that depends on unseen plies.
    fn as_far_as_known(&self, counted: &str) -> String {
        let why = match (self.decision.unseen, self.law.kind) {
            (Some(unseen), ClaimKind::Draw(end)) => unseen.why(end),
            _ => String::new(),
        };
        if self.is_repetition() {
            format!("As far as is known, {}; {why}.", lower_start(counted))
        } else {
            format!("{}.", sentence_start(&why))
        }
    }

    fn about_the_board(&self, could_announce: Option<Move>) -> Vec<String> {
        let (decision, record) = (self.decision, self.game.record());
        let mut details = Vec::new();
        if decision.ground == Ground::Unknown && !self.is_repetition() && record.plies() > 0 {
            details.push(format!("{}.", self.stands()));
        }
        if decision.board_instead {
            let announced = self.announced;
            details.push(match (announced.meant, &announced.name) {
                (Announcement::Legal(mv), Some(name)) => format!(
                    "{}, but a draw on the board needs no announced move.",
                    self.would(mv, name)
                ),
                _ => format!(
                    "{} A draw on the board needs no announced move.",
                    announced.why_not
                ),
            });
        }
        details.extend(self.similar(record));
        details.extend(could_announce.map(|mv| self.could_announce(mv)));
        details.extend(self.unknown_plies(record));
        details
    }

    /// The positions that look like the last one of a game and do not count.
    fn similar(&self, record: &GameRecord) -> Vec<String> {
        let decision = self.decision;
        if decision.ground != Ground::DoesNotHold || !self.is_repetition() {
            return Vec::new();
        }
        similar_positions(record, decision.rules, self.key, &decision.occurrences)
    }

    /// A note on the plies before the first position, of which at most their number is known.
    fn unknown_plies(&self, record: &GameRecord) -> Option<String> {
        let ClaimKind::Draw(end) = self.law.kind else {
            return None;
        };
        let unseen = record.unseen().filter(|unseen| {
            self.decision.ground == Ground::DoesNotHold
                && self.is_repetition()
                && unseen.most() >= FEWEST_PLIES_BETWEEN
        })?;
        Some(format!("{}.", sentence_start(&unseen.why(end))))
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
        format!(
            "{what} a claim would be right{}.",
            cited(self.decision.rules, form)
        )
    }

    /// The claimant could have claimed after a ply, and moved.
    fn missed(&self, ply: u32) -> String {
        let record = self.game.record();
        let next = name(record, ply + 1);
        let then = if record.at(ply).turn == self.law.by {
            format!("and played {next} instead")
        } else {
            format!("before {next} was played")
        };
        let zeroing = (ply + 1..=record.plies())
            .find(|&later| record.played(later).is_some_and(Move::is_zeroing))
            .filter(|_| !self.is_repetition());
        let again = zeroing.map(|ply| format!("; {} has begun the count anew", name(record, ply)));
        format!(
            "The claim comes too late: {} could have made it {}, {then}{}.",
            self.law.by,
            when(record, ply),
            again.unwrap_or_default()
        )
    }
    /// Whether a claim with a move that has been played would have been right in time.
    fn in_time(&self, ply: u32, held: Held) -> Option<String> {
        let then = lower_start(&self.stood(ply));
        let then = if self.is_repetition() {
            format!("with {} {then}", name(self.game.record(), ply))
        } else {
            then
        };
        match held {
            Held::No => Some(format!("Nor would it have been right in time: {then}.")),
            Held::Unknown => Some(format!(
                "Whether it would have been right in time is not known: {then}."
            )),
            Held::Yes => {
                self.rule()?.announced?;
                Some(format!("Made in time, it would have been right: {then}."))
            }
        }
    }

    /// A note that the side to move may claim what stands on the board.
    fn the_other_may_claim(&self) -> Option<String> {
        let form = self.rule()?.on_board?;
        Some(format!(
            "It is {} who may claim now, before making a move{}.",
            self.law.facts.last().turn(),
            cited(self.decision.rules, Some(form))
        ))
    }

    /// A note if the game ended before its last move.
    fn ended_earlier(&self, ply: u32) -> Option<String> {
        let record = self.game.record();
        (ply < record.plies()).then(|| {
            let when = when(record, ply);
            format!("The game ended {when}: the moves after it do not count.")
        })
    }

    /// A note if a rule did not yet hold when the game was played.
    fn too_young(&self, rule: &EndRule) -> Option<String> {
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
        let form = self.rule()?.announced;
        Some(format!(
            "The move was announced as `{written}`: its number is not part of the claim{}.",
            cited(self.decision.rules, form)
        ))
    }
}

/// The details that there are.
fn some<const N: usize>(details: [Option<String>; N]) -> Vec<String> {
    details.into_iter().flatten().collect()
}

fn does_not_say(rules: &RuleSet) -> String {
    format!(
        "{} does not say what follows from this.",
        sentence_start(&rules.short())
    )
}
