//! Claims that turn on who can still win: dead positions, too little material, fallen flags.

use crate::adjudication::ruling::shortened;
use crate::chess::{Color, Role};
use crate::commands::adjudicate::claim::game::named;
use crate::commands::adjudicate::claim::sentences::{Phrasing, Said, does_not_say};
use crate::commands::adjudicate::phrases::{counted, sentence_start};
use crate::law::FlagDecision;
use crate::law::claim::{ClaimReason, Decision, Ground};
use crate::law::rulesets::{FlagFall, TooLittle};
use crate::winnability::Unfinished;

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
                prospects.proof(opponent).unwrap_or_default()
            )),
            FlagDecision::EnoughMaterial(set) => Said {
                line: match rules.flag {
                    FlagFall::ForcedMate(_) => prospects.line(opponent).unwrap_or_default(),
                    _ => &[],
                }
                .to_vec(),
                ..Said::only(self.material(opponent, "which is more than", *set))
            },
            FlagDecision::TooLittleMaterial(set) => {
                Said::only(self.material(opponent, "and cannot win on time with", *set))
            }
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
                "{} has {}, and no forced mate: {} can avoid it for ever, by a plan for {}.",
                opponent,
                self.pieces(opponent),
                loser,
                counted(*states, "position")
            )),
            FlagDecision::MateUnknown => {
                Said::only(not_found("a mate nor", prospects.unfinished(opponent)))
            }
            FlagDecision::ForcedMateUnknown(search) => {
                Said::only(not_found("a forced mate nor", Some(*search)))
            }
        }
    }

    pub(super) fn material(&self, of: Color, how: &str, set: TooLittle) -> String {
        format!("{} has {}, {how} {set}.", of, self.pieces(of))
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

pub(super) fn not_found(what: &str, search: Option<Unfinished>) -> String {
    let nodes = search.map_or(0, |search| search.nodes);
    let option = match search {
        Some(search) if search.is_out_of_memory => "--solver-memory",
        _ => "--nodes",
    };
    format!(
        "Neither {what} a proof that there is none was found in {}: `{option}` allows more.",
        counted(nodes, "position")
    )
}
