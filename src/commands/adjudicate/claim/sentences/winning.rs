//! Claims that turn on who can still win: dead positions, too little material, fallen flags.

use crate::adjudication::ruling::{grouped, shortened, why_no_mate};
use crate::chess::{Color, Role};
use crate::commands::adjudicate::claim::game::named;
use crate::commands::adjudicate::claim::sentences::{Phrasing, Said, does_not_say};
use crate::commands::adjudicate::phrases::{counted, sentence_start};
use crate::law::FlagDecision;
use crate::law::claim::{ClaimReason, Decision, Ground};
use crate::law::rulesets::{FlagFall, TooLittle};
use crate::winnability::Unfinished;
use crate::winnability::forced_mate::STATE_BYTES;

impl Phrasing<'_> {
    pub(super) fn stalemate(&self, ground: Ground) -> String {
        let position = self.law.facts.last();
        let turn = position.turn();
        if ground == Ground::Automatic {
            return format!("{turn} is not in check and has no legal move.");
        }
        let moves = position.legal_moves();
        let first = moves.first().map(|&mv| named(position, mv));
        match (moves.len(), first) {
            (1, Some(name)) => format!("{turn} has a legal move: {name}."),
            (number, Some(name)) => {
                format!("{turn} has {number} legal moves, such as {name}.")
            }
            (number, None) => format!("{turn} has {number} legal moves."),
        }
    }

    pub(super) fn can_mate(&self, winner: Color) -> Said {
        let line = self.law.prospects.line(winner).unwrap_or_default();
        Said {
            reason: format!(
                "{} can still mate by a series of legal moves: {}.",
                winner,
                shortened(self.law.facts.last(), line)
            ),
            details: Vec::new(),
            line: line.to_vec(),
        }
    }

    pub(super) fn flag(&self, decision: &Decision) -> Said {
        let flag = match &decision.reason {
            ClaimReason::Flag(flag) => flag,
            ClaimReason::Over { ply, end } => return self.over(decision, *ply, *end),
            _ => return Said::default(),
        };
        let rules = decision.rules;
        let (loser, opponent) = (self.law.by, !self.law.by);
        let prospects = self.law.prospects;
        match flag {
            FlagDecision::NoRule => {
                Said::only(format!("By {} no game is lost on time.", rules.short()))
            }
            FlagDecision::Undefined => Said::only(does_not_say(rules)),
            FlagDecision::NoException => Said::only(format!(
                "{} knows no exception.",
                sentence_start(&rules.short())
            )),
            FlagDecision::CanMate => self.can_mate(opponent),
            FlagDecision::CannotMate => Said::only(format!(
                "{} cannot mate by any series of legal moves: {}.",
                opponent,
                why_no_mate(prospects, opponent).unwrap_or_default()
            )),
            FlagDecision::EnoughMaterial(set) => Said {
                line: match rules.flag {
                    FlagFall::ForcedMate(_) => prospects.line(opponent).unwrap_or_default(),
                    _ => &[],
                }
                .to_vec(),
                ..Said::only(self.enough_material(opponent, *set))
            },
            FlagDecision::TooLittleMaterial(_) => Said::only(format!(
                "{opponent} has {} against {}, which is too little to win on time.",
                self.pieces(opponent),
                self.pieces(loser)
            )),
            FlagDecision::ForcedMate(line) => Said {
                line: line.clone(),
                ..Said::only(format!(
                    "{} has {} only, but mate is forced: {}.",
                    opponent,
                    self.pieces(opponent),
                    shortened(self.law.facts.last(), line)
                ))
            },
            FlagDecision::NoForcedMate { states } => Said::only(format!(
                "{} has {}, and {} can always avoid mate (shown for all {} positions).",
                opponent,
                self.pieces(opponent),
                loser,
                grouped(*states)
            )),
            FlagDecision::MateUnknown => Said::only(not_found(
                "a mate nor",
                prospects.unfinished(opponent),
                None,
            )),
            FlagDecision::ForcedMateUnknown(search) => Said::only(not_found(
                "a forced mate nor",
                Some(*search),
                Some(STATE_BYTES),
            )),
        }
    }

    fn enough_material(&self, winner: Color, set: TooLittle) -> String {
        let [pieces, theirs] = [winner, !winner].map(|side| self.pieces(side));
        let more = match set {
            TooLittle::Exact => {
                return format!(
                    "{winner} has {pieces} against {theirs}, and with these pieces a mate is \
                    possible."
                );
            }
            TooLittle::LoneMinorOrTwoKnightsAgainstKing if pieces == "K+N+N" => {
                format!("and {} is not down to a bare king", !winner)
            }
            TooLittle::LoneMinorOrTwoKnightsWithoutPawns if pieces == "K+N+N" => {
                format!("and {} still has a pawn", !winner)
            }
            _ => "which is more than a bishop or a knight".to_owned(),
        };
        format!("{winner} has {pieces}, {more}.")
    }

    /// A side's pieces: `K+B`.
    pub(super) fn pieces(&self, color: Color) -> String {
        let board = self.law.facts.last().board();
        let mut text = String::from("K");
        for role in [
            Role::Queen,
            Role::Rook,
            Role::Bishop,
            Role::Knight,
            Role::Pawn,
        ] {
            for _ in board.of(color, role) {
                text.push('+');
                text.push(role.letter());
            }
        }
        text
    }

    /// Both sides' pieces: `K+B v K+N`.
    pub(super) fn all_pieces(&self) -> String {
        let [white, black] = Color::ALL.map(|color| self.pieces(color));
        format!("{white} v {black}")
    }
}

pub(super) fn not_found(what: &str, search: Option<Unfinished>, bytes: Option<usize>) -> String {
    let nodes = search.map_or(0, |search| search.nodes);
    let (reached, other) = match search {
        Some(search) if search.is_out_of_memory => ("--solver-memory", "--nodes"),
        _ => ("--nodes", "--solver-memory"),
    };
    let each = bytes.map_or_else(String::new, |bytes| {
        let mebibytes = (1_000_000 * bytes).div_ceil(1 << 20);
        format!(", with {mebibytes} MiB for each million positions")
    });
    format!(
        "Neither {what} a proof that there is none was found in {}, the limit of `{reached}`: \
        raise it and `{other}` together{each}.",
        counted(nodes, "position")
    )
}
