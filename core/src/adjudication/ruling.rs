//! The ruling of one rule set on a game, and the phrases in it.

use std::fmt;

use strum::IntoStaticStr;

use crate::chess::san::SanPlus;
use crate::chess::{CastlingMode, Color, Move, MoveNumber, Position, Role};
use crate::law::rulesets::Pace;
use crate::law::{End, Opportunity, PlyRef, Prospects, RuleSet};
use crate::pgn::ResultMark;
use crate::pgn::termination::Reason;
use crate::winnability::{ForcedEnd, Proof};

/// The ruling of one rule set on a game.
#[derive(Clone, Debug)]
pub struct Ruling {
    /// The name by which the rules were asked for, such as `fide`.
    pub asked: &'static str,
    /// The rule set applied, such as `fide-2018`.
    pub rules: &'static RuleSet,
    /// The result; [`ResultMark::Unknown`] if nothing is known to have ended the game.
    pub result: ResultMark,
    /// Why.
    pub reason: RuledReason,
    /// The articles with their edition; nothing where none is needed, or the rule set has none.
    pub article: Option<String>,
    /// Whether what was recorded can be so.
    pub verdict: Verdict,
    /// When the moves ended the game.
    pub ended: Option<PlyRef>,
    /// Whether moves follow that moment.
    pub played_on: bool,
    /// Why what was recorded cannot be so, or cannot be decided: one sentence without a full stop.
    pub because: Option<String>,
    /// A mate that is still possible, where one shows the contradiction.
    pub line: Option<Line>,
    /// The first opportunity of each side for each draw that could have been claimed.
    pub claimable: Vec<Opportunity>,
    /// All such opportunities, in order of plies.
    pub opportunities: Vec<Opportunity>,
    /// Notes, such as on a rule that took effect after the game was played.
    pub notes: Vec<String>,
}

/// Whether what was recorded can be what the rules say.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum Verdict {
    /// It can.
    Consistent,
    /// It cannot.
    Contradiction,
    /// Moves are missing, the rule set is silent, or the proof was not found.
    Undecided,
}

impl Verdict {
    /// The word scripts know it by.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// Why the game ended by the rules.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RuledReason {
    /// The moves brought it about.
    End(End),
    /// The moves left the game open, and this was recorded.
    Recorded(Reason),
    /// A side won an open game, and how is not recorded.
    ResignationOrTime,
    /// The words on record are not understood, or there are neither words nor moves.
    Unknown,
    /// Nothing ended the game.
    Open,
    /// The moves could not be played to the last one.
    Incomplete,
}

impl RuledReason {
    /// The word scripts know it by.
    pub fn as_str(self) -> &'static str {
        match self {
            RuledReason::End(end) => end.as_str(),
            RuledReason::Recorded(reason) => reason.as_str(),
            RuledReason::ResignationOrTime => "resignation-or-time-forfeit",
            RuledReason::Unknown => "unknown",
            RuledReason::Open => "open",
            RuledReason::Incomplete => "incomplete",
        }
    }
}

impl fmt::Display for RuledReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// A series of legal moves, written down.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// Each move in UCI notation.
    pub uci: Vec<String>,
    /// With their numbers: `12...Kg8 13.Rf1 Kh8`; of a long line the first moves and the length.
    pub san: String,
}

impl Line {
    /// Writes down legal moves from a position.
    pub(crate) fn new(position: &Position, moves: &[Move], mode: CastlingMode) -> Line {
        Line {
            uci: moves.iter().map(|mv| mv.uci(mode).to_string()).collect(),
            san: shortened(position, moves),
        }
    }
}

/// `a`, `a and b`, `a, b and c`.
pub fn list(words: &[impl AsRef<str>]) -> String {
    let words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
    match &words[..] {
        [before @ .., last] if !before.is_empty() => format!("{} and {last}", before.join(", ")),
        _ => words.concat(),
    }
}

/// Which illegal move loses in rapid and blitz chess, if it is not the same with and without
/// supervision: a clause for games that are such or may be.
pub fn first_illegal_move(rules: &RuleSet, pace: Option<Pace>) -> Option<String> {
    let rule = rules.illegal_moves?;
    let fast = rule.fast.filter(|_| pace.is_none_or(|it| it.is_fast()))?;
    let [fast, supervised] = [fast, rule.article].map(|article| rules.cite(Some(article)));
    Some(format!(
        "in rapid and blitz chess the first illegal move loses if the opponent claims it ({fast}); \
        if play is supervised as A.3 asks, the second one does ({supervised})"
    ))
}

/// Why a side cannot mate, as a clause; nothing without a proof.
pub fn why_no_mate(prospects: &Prospects<'_>, side: Color) -> Option<String> {
    let proof = prospects.proof(side)?;
    Some(proof_clause(
        prospects.position,
        proof,
        &format!(" by {side}"),
    ))
}

/// Why neither side can mate, as a clause; nothing without a proof.
pub fn why_dead(prospects: &Prospects<'_>) -> Option<String> {
    let [white, black] = Color::ALL.map(|side| prospects.proof(side));
    if white == black {
        return Some(proof_clause(prospects.position, white?, ""));
    }
    let [white, black] = Color::ALL.map(|side| why_no_mate(prospects, side));
    Some(format!(
        "as for White, {}; as for Black, {}",
        white?, black?
    ))
}

fn proof_clause(position: &Position, proof: &Proof, by: &str) -> String {
    let only_pawns = || {
        let board = position.board();
        let kings_and_pawns = board.role(Role::King) | board.role(Role::Pawn);
        board.occupied() == kings_and_pawns
    };
    match *proof {
        Proof::Mated => "checkmate".to_owned(),
        Proof::Stalemate => "stalemate".to_owned(),
        Proof::Material => "insufficient material".to_owned(),
        Proof::ForcedLine { ref moves, end } => {
            let last = match moves.len() {
                1 => format!("{}'s only legal move", position.turn()),
                _ => "every move is forced, and the last one".to_owned(),
            };
            let does = match end {
                ForcedEnd::Mated => "mates",
                ForcedEnd::Stalemate => "gives stalemate",
                ForcedEnd::Material => "leaves insufficient material",
                ForcedEnd::Repetition => "repeats a position",
            };
            format!("{last} {does}: {}", shortened(position, moves))
        }
        // One set of positions: no pawn ever moves or is captured.
        Proof::Closure {
            positions: 0,
            sets: 1,
        } if only_pawns() => {
            "the pawns wall both kings in, and no legal move opens the wall".to_owned()
        }
        Proof::Closure {
            positions: 0,
            sets: 1..,
        } => "walls keep the men apart, and no legal move opens them".to_owned(),
        Proof::Closure { positions, sets } => format!(
            "none of the {} positions that can still arise{} is a mate{by}",
            grouped(positions),
            if sets > 0 {
                " before walls keep the men apart"
            } else {
                ""
            }
        ),
    }
}

/// A number with commas between thousands.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> = digits
        .as_bytes()
        .rchunks(3)
        .rev()
        .filter_map(|group| str::from_utf8(group).ok())
        .collect();
    groups.join(",")
}

/// Plies of a line that is shown whole.
const SHORT_LINE: usize = 12;
/// Plies shown of a longer one.
const FIRST_PLIES: usize = 8;

/// Moves with their numbers; a long line is cut: `5.a3 Na6 … 41 moves in all`.
pub fn shortened(position: &Position, line: &[Move]) -> String {
    if line.len() <= SHORT_LINE {
        return numbered(position, line);
    }
    let begun_by_black = usize::from(position.turn() == Color::Black);
    format!(
        "{} … {} moves in all",
        numbered(position, &line[..FIRST_PLIES]),
        (line.len() + begun_by_black).div_ceil(2)
    )
}

/// Moves with their numbers: `12...Kg8 13.Rf1 Kh8`.
pub(crate) fn numbered(position: &Position, line: &[Move]) -> String {
    let mut text = String::new();
    let mut before = position.clone();
    for (nth, &mv) in line.iter().enumerate() {
        let after = before.after(mv);
        if nth > 0 {
            text.push(' ');
        }
        if nth == 0 || before.turn() == Color::White {
            text.push_str(&MoveNumber::of(&before).to_string());
        }
        text.push_str(&SanPlus::of(&before, mv, &after).to_string());
        before = after;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_show_their_first_moves_and_their_length() {
        let shown = |turn: &str, plies: usize| {
            let fen = format!("4k3/8/8/8/8/8/8/4K3 {turn} - - 0 5");
            let position = Position::new(&fen.parse().unwrap()).unwrap();
            let mut line = Vec::new();
            let mut at = position.clone();
            for _ in 0..plies {
                line.push(at.legal_moves()[0]);
                at.play_unchecked(line[line.len() - 1]);
            }
            shortened(&position, &line)
        };
        assert!(!shown("w", 12).contains('…'));
        let long = shown("w", 13);
        assert!(long.ends_with(" … 7 moves in all"), "{long}");
        assert!(long.starts_with("5.K"), "{long}");
        assert!(shown("b", 14).ends_with(" … 8 moves in all"));
    }

    #[test]
    fn lists() {
        assert_eq!(list(&["a"]), "a");
        assert_eq!(list(&["a", "b", "c"]), "a, b and c");
    }
}
