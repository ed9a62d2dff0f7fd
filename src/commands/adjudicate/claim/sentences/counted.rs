//! Draws by repetition and by counting moves.

use crate::chess::{Color, Move};
use crate::commands::adjudicate::claim::announced::AnnouncedMove;
use crate::commands::adjudicate::claim::game::{name, named, when};
use crate::commands::adjudicate::claim::mismatch::{similar_positions, whens};
use crate::commands::adjudicate::claim::sentences::{Phrasing, Said, cited};
use crate::commands::adjudicate::phrases::{lower_start, ordinal, sentence_start};
use crate::law::claim::{Decision, Ground};
use crate::law::history::FEWEST_PLIES_BETWEEN;
use crate::law::rulesets::Condition;
use crate::law::{End, GameRecord, RepetitionKey, RuleSet};

impl Phrasing<'_> {
    pub(super) fn board(
        &self,
        decision: &Decision,
        end: End,
        key: RepetitionKey,
        could_announce: Option<Move>,
    ) -> Said {
        let (rules, record) = (decision.rules, self.game.record());
        let stands = stands(record, end, &decision.occurrences);
        let short = rules.short();
        let reason = match decision.ground {
            Ground::Unknown => as_far_as_known(decision, end, &stands),
            Ground::Undefined => format!(
                "{stands}; {} speaks of an announced move as an example, and leaves open whether \
                the position on the board can be claimed.",
                sentence_start(&short)
            ),
            Ground::NoForm => {
                format!("{stands}; but {short} covers claims with an announced move only.")
            }
            _ => format!("{stands}."),
        };
        let mut details = Vec::new();
        if decision.ground == Ground::Unknown && end.halfmoves().is_some() && record.plies() > 0 {
            details.push(format!("{stands}."));
        }
        if decision.board_instead {
            details.push(match self.announced {
                AnnouncedMove::Legal { mv, name, .. } => format!(
                    "{}, but a draw on the board needs no announced move.",
                    self.would(end, key, *mv, name).0
                ),
                _ => format!(
                    "{} A draw on the board needs no announced move.",
                    self.why_not()
                ),
            });
        }
        if decision.ground == Ground::DoesNotHold {
            details.extend(self.similar(decision, end, key, record));
        }
        details.extend(could_announce.map(|mv| self.could_announce(rules, end, mv)));
        if decision.ground == Ground::DoesNotHold {
            details.extend(self.unknown_plies(end, record));
        }
        Said {
            details,
            ..Said::only(reason)
        }
    }

    /// The positions that look like the last one and do not count.
    pub(super) fn similar(
        &self,
        decision: &Decision,
        end: End,
        key: RepetitionKey,
        record: &GameRecord,
    ) -> Vec<String> {
        match end.condition() {
            Condition::Occurrences(_) => {
                similar_positions(record, decision.rules, key, &decision.occurrences)
            }
            _ => Vec::new(),
        }
    }

    /// A note on the plies before the first position, of which at most their number is known.
    pub(super) fn unknown_plies(&self, end: End, record: &GameRecord) -> Option<String> {
        end.occurrences()?;
        let unseen = record
            .unseen()
            .filter(|unseen| unseen.most() >= FEWEST_PLIES_BETWEEN)?;
        Some(format!("{}.", sentence_start(&unseen.why(end))))
    }

    pub(super) fn could_announce(&self, rules: &RuleSet, end: End, mv: Move) -> String {
        let what = match end.condition() {
            Condition::Occurrences(_) => {
                let name = named(self.law.facts.last(), mv);
                format!("With {name} announced, and not played,")
            }
            _ => "With a move announced, and not played, that is neither a capture nor a pawn's,"
                .to_owned(),
        };
        let form = rules.rule(end).announced;
        let cite = cited(rules, form);
        format!("{what} a claim would be right{cite}.")
    }

    pub(super) fn missed(
        &self,
        decision: &Decision,
        end: End,
        key: RepetitionKey,
        ply: u32,
        could_announce: Option<Move>,
    ) -> Said {
        let (rules, record) = (decision.rules, self.game.record());
        let earlier = record.cut(ply);
        let mut details = vec![format!("{}.", stands(record, end, &decision.occurrences))];
        let mut again = String::new();
        match end.condition() {
            Condition::Occurrences(_) => {
                let plies = record.occurrences(key, ply);
                details.push(format!("{}.", stood(&earlier, end, &plies)));
            }
            _ => {
                let mut played = ply + 1..=record.plies();
                let zeroing =
                    played.find(|&later| record.played(later).is_some_and(Move::is_zeroing));
                if let Some(later) = zeroing {
                    again = format!("; {} has begun the count anew", name(record, later));
                }
            }
        }
        details.extend(could_announce.map(|mv| self.could_announce(rules, end, mv)));
        let next = name(record, ply + 1);
        let then = match record.at(ply).turn == self.law.by {
            true => format!("and played {next} instead"),
            false => format!("before {next} was played"),
        };
        Said {
            details,
            ..Said::only(format!(
                "The claim comes too late: {} could have made it {}, {then}{again}.",
                self.law.by,
                when(record, ply),
            ))
        }
    }

    /// The effect of the announced move, and the count until now.
    pub(super) fn would(
        &self,
        end: End,
        key: RepetitionKey,
        mv: Move,
        name: &str,
    ) -> (String, String) {
        let record = self.game.record();
        let facts = self.law.facts;
        let Condition::Halfmoves(limit) = end.condition() else {
            let history = facts.history(key);
            let plies = history.map_or(Vec::new(), |history| {
                history.occurrences_after(facts.last(), mv)
            });
            let mut then = record.clone();
            then.push(mv);
            let nth = for_the_nth_time(&then, &plies);
            let would = format!("With {name} the same position would be on the board {nth}");
            return (would, String::new());
        };
        let counted = moves_made(record);
        let halfmoves = facts.last().halfmoves();
        let (moves, would) = (limit / 2, |what: String| format!("{name} {what}"));
        if mv.is_zeroing() {
            let what = "is a capture or a pawn move, which begins the count anew";
            (would(what.to_owned()), format!("; {counted}"))
        } else if halfmoves >= limit {
            let what = format!("adds to the {moves} moves by each side");
            (would(what), format!(": {counted}"))
        } else {
            let is_last = halfmoves + 1 >= limit;
            let does = match facts.last().knows_halfmoves() {
                _ if is_last => "would",
                true => "would not",
                false => "may",
            };
            let what = format!("{does} complete {moves} moves by each side");
            (would(what), format!(": {counted}"))
        }
    }

    pub(super) fn announced_move(&self, decision: &Decision, end: End, key: RepetitionKey) -> Said {
        let AnnouncedMove::Legal { mv, name, .. } = self.announced else {
            return Said::default();
        };
        let (would, counted) = self.would(end, key, *mv, name);
        let reason = match decision.ground {
            Ground::WrongSide => self.wrong_side(),
            Ground::NotYet if decision.unseen.is_some() => format!(
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
                decision.rules.short()
            ),
            Ground::Unknown => as_far_as_known(decision, end, &would),
            _ => format!("{would}{counted}."),
        };
        let mut details = Vec::new();
        if decision.ground == Ground::DoesNotHold {
            let then = self.claimed_record();
            details = self.similar(decision, end, key, &then);
            details.extend(self.unknown_plies(end, &then));
        }
        Said {
            details,
            ..Said::only(reason)
        }
    }
}

/// The reason to leave a claim open that depends on unseen plies.
fn as_far_as_known(decision: &Decision, end: End, counted: &str) -> String {
    let why = decision
        .unseen
        .map_or(String::new(), |unseen| unseen.why(end));
    match end.condition() {
        Condition::Occurrences(_) => {
            format!("As far as is known, {}; {why}.", lower_start(counted))
        }
        _ => format!("{}.", sentence_start(&why)),
    }
}

/// The count of a draw in the last position: `The same position is on the board …`.
pub(super) fn stands(record: &GameRecord, end: End, plies: &[u32]) -> String {
    in_tense("is", record, end, plies)
}

/// The count of a draw in a position of the past.
pub(super) fn stood(record: &GameRecord, end: End, plies: &[u32]) -> String {
    in_tense("was", record, end, plies)
}

fn in_tense(is: &str, record: &GameRecord, end: End, plies: &[u32]) -> String {
    match end.condition() {
        Condition::Occurrences(_) => format!(
            "The same position {is} on the board {}",
            for_the_nth_time(record, plies)
        ),
        _ => sentence_start(&moves_made(record)),
    }
}

/// `for the second time only: after 24.Nb5 and 26.Nb5`
fn for_the_nth_time(record: &GameRecord, plies: &[u32]) -> String {
    match plies.len() {
        0 | 1 => "for the first time".to_owned(),
        2 => format!("for the second time only: {}", whens(record, plies)),
        count => format!(
            "for the {} time: {}",
            ordinal(count as u32),
            whens(record, plies)
        ),
    }
}

/// The moves of each side without a capture or a pawn move at the end of a game, and since when.
fn moves_made(record: &GameRecord) -> String {
    let ply = record.plies();
    let position = record.after(ply);
    let plies = position.halfmoves();
    // The side that has moved last has made one more if the number is odd.
    let of = |color: Color| match color == position.turn() {
        true => plies / 2,
        false => plies.div_ceil(2),
    };
    let (white, black) = (of(Color::White), of(Color::Black));
    let since = match ply.checked_sub(plies) {
        Some(0) if !record.start().knows_halfmoves() => "since the given position".to_owned(),
        Some(0) if record.start().halfmoves() == 0 => "since the beginning".to_owned(),
        None | Some(0) => "the clock of the given position included".to_owned(),
        Some(since) => format!("since {}", name(record, since)),
    };
    let made = |number: u32| match number {
        0 => "no move".to_owned(),
        1 => "1 move".to_owned(),
        _ => format!("{number} moves"),
    };
    let made = match (white == black, black) {
        (true, _) => format!("each side has made {}", made(white)),
        (false, 0) => format!("White has made {} and Black none", made(white)),
        (false, _) => format!("White has made {} and Black {black}", made(white)),
    };
    format!("{made} without a capture or a pawn move, {since}")
}
