//! Sentences on who can still win: stalemates, dead positions, too little material, fallen flags.

use crate::adjudication::phrases::{lower_start, sentence, sentence_start};
use crate::adjudication::ruling::{grouped, shortened, why_dead, why_no_mate};
use crate::chess::{Color, Move, Role};
use crate::claim::game::named;
use crate::claim::sentences::Phrasing;
use crate::claim::sentences::counts::counted;
use crate::law::claim::{ClaimReason, Ground};
use crate::law::rulesets::{FlagFall, TooLittle};
use crate::law::{CanWin, End, LossDecision as Loss, Unseen};
use crate::text::append;
use crate::winnability::Unfinished;
use crate::winnability::forced_mate::{Forced, STATE_BYTES};

impl Phrasing<'_> {
    /// Why two fallen flags are no draw by rules without a rule on them.
    pub(super) fn first_flag(&self) -> String {
        let rules = self.decision.rules;
        let short = rules.short();
        match rules.flag {
            FlagFall::Absent => format!("By {short} no game is lost on time."),
            _ => format!("By {short} a game ends with the first flag that falls."),
        }
    }

    /// Why two fallen flags are a draw.
    pub(super) fn both_flags(&self) -> String {
        let rules = self.decision.rules;
        let is_timed = rules.both_flags.is_some_and(|(_, games)| games.is_some());
        let period = " in the period of all remaining moves";
        let period = if is_timed { period } else { "" };
        let short = rules.short();
        format!("By {short} the game is drawn when both flags have fallen{period}.")
    }

    /// A mate that is still possible.
    pub(crate) fn line(&self) -> Vec<Move> {
        let side = match &self.decision.reason {
            ClaimReason::Loss(Loss::ForcedMate(Forced::Mate(moves))) => return moves.clone(),
            &ClaimReason::Mate(Some(side)) => side,
            ClaimReason::Quickplay(CanWin::Yes, _) => !self.law.by,
            ClaimReason::Loss(Loss::Helpmate(CanWin::Yes)) => !self.law.loser(),
            ClaimReason::Loss(Loss::EnoughMaterial(_))
                if matches!(self.decision.rules.flag, FlagFall::ForcedMate(_)) =>
            {
                !self.law.loser()
            }
            _ => return Vec::new(),
        };
        let line = self.law.prospects.line(side);
        line.unwrap_or_default().to_vec()
    }

    pub(super) fn stalemate(&self, ground: Ground) -> String {
        let position = self.law.facts.last();
        let turn = position.turn();
        if ground == Ground::Automatic {
            return format!("{turn} is not in check and has no legal move.");
        }
        let moves = position.legal_moves();
        match &moves[..] {
            [] => format!("{turn} has 0 legal moves."),
            &[only] => format!("{turn} has a legal move: {}.", named(position, only)),
            &[first, ..] => {
                let (number, name) = (moves.len(), named(position, first));
                format!("{turn} has {number} legal moves, such as {name}.")
            }
        }
    }

    /// The moves are named if it is in doubt: without a queen or a rook, or where the claim is that
    /// no mate is possible.
    pub(super) fn can_mate(&self, winner: Color) -> String {
        let board = self.law.facts.last().board();
        let has = |role| board.of(winner, role).any();
        let is_clear = (has(Role::Queen) || has(Role::Rook)) && self.end().is_none();
        let line = self.law.prospects.line(winner).filter(|_| !is_clear);
        let moves = line.map(|line| format!(": {}", shortened(self.law.facts.last(), line)));
        let moves = moves.unwrap_or_default();
        format!("{winner} can still mate by a series of legal moves{moves}.")
    }

    pub(super) fn neither_can_mate(&self) -> String {
        let why = why_dead(self.law.prospects).unwrap_or_default();
        format!("Neither side can mate by any series of legal moves: {why}.")
    }

    pub(super) fn not_found(&self) -> String {
        let searches = Color::ALL.map(|side| self.law.prospects.unfinished(side));
        let longest = searches.into_iter().flatten().max_by_key(|it| it.nodes);
        not_found("a mate", longest, "")
    }

    /// Whether the claimant's opponent can still mate, with little time left.
    pub(super) fn quickplay(&self, can: CanWin, is_timed: bool, ground: Ground) -> String {
        let opponent = !self.law.by;
        let mut reason = match can {
            CanWin::Yes => self.can_mate(opponent),
            CanWin::No => self.cannot_mate(opponent),
            CanWin::Unknown => not_found("a mate", self.law.prospects.unfinished(opponent), ""),
        };
        if !is_timed {
            reason += " Whether the time control allows it is not known: in blitz, with an \
                increment and before the last period the claim is rejected.";
        }
        if ground == Ground::Undefined && can != CanWin::No {
            let judge = "is for the arbiter to judge, not shown by the moves";
            append!(
                reason,
                " Whether {opponent} can win by normal means and tries to {judge}."
            );
        }
        reason
    }

    /// The pieces, the moves without progress and the occurrences of the position.
    pub(super) fn facts_of_the_position(&self) -> Vec<Option<String>> {
        let (record, key) = (self.game.record(), self.key);
        let plies = record.occurrences(key, record.plies());
        let is_clocked = self.law.facts.last().knows_halfmoves();
        let as_far = |counted: String, is_known: bool| match is_known {
            true => counted + ".",
            false => format!("As far as is known, {}.", lower_start(&counted)),
        };
        let moves = (is_clocked || record.plies() > 0)
            .then(|| as_far(counted("is", record, false, &[]), is_clocked));
        let why = (!is_clocked).then(|| sentence(&Unseen::Unclocked.why(End::FiftyMoves)));
        let position = as_far(
            counted("is", record, true, &plies),
            record.unseen().is_none(),
        );
        let pieces = format!("The pieces on the board are {}.", self.all_pieces());
        vec![Some(pieces), moves, why, Some(position)]
    }

    fn cannot_mate(&self, winner: Color) -> String {
        format!(
            "{winner} cannot mate by any series of legal moves: {}.",
            why_no_mate(self.law.prospects, winner).unwrap_or_default()
        )
    }

    pub(super) fn loss(&self, loss: &Loss) -> String {
        let (rules, prospects) = (self.decision.rules, self.law.prospects);
        let (loser, winner) = (self.law.loser(), !self.law.loser());
        let how = self.law.kind.words().ground;
        let [pieces, theirs] = [winner, loser].map(|side| self.pieces(side));
        match loss {
            Loss::NoRule => format!("By {} no game is lost {how}.", rules.short()),
            Loss::Undefined => self.does_not_say(),
            Loss::NoException => {
                format!("{} knows no exception.", sentence_start(&rules.short()))
            }
            Loss::Helpmate(CanWin::Yes) => self.can_mate(winner),
            Loss::Helpmate(CanWin::No) => self.cannot_mate(winner),
            Loss::EnoughMaterial(TooLittle::Exact) => format!(
                "{winner} has {pieces} against {theirs}, and with these pieces a mate is possible."
            ),
            Loss::EnoughMaterial(TooLittle::LoneMinorOrTwoKnightsAgainstKing)
                if pieces == "K+2N" =>
            {
                format!("{winner} has {pieces}, and {loser} is not down to a bare king.")
            }
            Loss::EnoughMaterial(TooLittle::LoneMinorOrTwoKnightsWithoutPawns)
                if pieces == "K+2N" =>
            {
                format!("{winner} has {pieces}, and {loser} still has a pawn.")
            }
            Loss::EnoughMaterial(_) => {
                format!("{winner} has {pieces}, which is more than a bishop or a knight.")
            }
            Loss::TooLittleMaterial(_) => {
                format!("{winner} has {pieces} against {theirs}, which is too little to win {how}.")
            }
            Loss::ForcedMate(Forced::Mate(line)) => format!(
                "{winner} has {pieces} only, but mate is forced: {}.",
                shortened(self.law.facts.last(), line)
            ),
            Loss::ForcedMate(Forced::Avoidable { states }) => format!(
                "{winner} has {pieces}, and {loser} can always avoid mate (shown for all {} \
                positions).",
                grouped(*states)
            ),
            Loss::Helpmate(CanWin::Unknown) => {
                not_found("a mate", prospects.unfinished(winner), "")
            }
            Loss::TwoKnights(search) => format!(
                "{winner} has {pieces} against no pawn, which draws unless a forced mate is shown; \
                none was found in {} positions, the shortest lines first.",
                grouped(search.nodes)
            ),
            Loss::ForcedMate(Forced::Unknown(search)) => {
                let mebibytes = (1_000_000 * STATE_BYTES).div_ceil(1 << 20);
                let each = format!(", with {mebibytes} MiB for each million positions");
                not_found("a forced mate", Some(*search), &each)
            }
        }
    }

    /// A side's pieces: `K+B`, `K+2R+8P`.
    pub(super) fn pieces(&self, color: Color) -> String {
        let board = self.law.facts.last().board();
        let letters = Role::ALL.into_iter().rev().skip(1).map(|role| {
            let letter = role.letter();
            match board.of(color, role).count() {
                0 => String::new(),
                1 => format!("+{letter}"),
                count => format!("+{count}{letter}"),
            }
        });
        format!("K{}", letters.collect::<String>())
    }

    /// Both sides' pieces: `K+B v K+N`.
    pub(super) fn all_pieces(&self) -> String {
        Color::ALL.map(|color| self.pieces(color)).join(" v ")
    }
}

fn not_found(what: &str, search: Option<Unfinished>, each: &str) -> String {
    let nodes = search.map_or(0, |search| search.nodes);
    let (reached, other) = match search {
        Some(search) if search.is_out_of_memory => ("--solver-memory", "--nodes"),
        _ => ("--nodes", "--solver-memory"),
    };
    format!(
        "Neither {what} nor a proof that there is none was found in {} position{}, the limit of \
        `{reached}`: raise it and `{other}` together{each}.",
        grouped(nodes),
        if nodes == 1 { "" } else { "s" }
    )
}
