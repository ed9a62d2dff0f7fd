//! Checks: faults → findings with code, severity, position, message and help.

pub mod accounts;
mod checks;
mod comments;
mod concise;
pub mod doubts;
mod edit;
pub mod explanations;
pub mod file;
mod finding;
pub mod fix;
pub mod human;
mod move_numbers;
mod moves;
mod near;
mod played;
mod positions;
pub mod registry;
mod repairs;
pub mod report;
mod results;
mod suggest;
mod tags;
mod text;
mod walk;

use crate::findings::registry as codes;
use crate::findings::registry::Rule;

use crate::adjudication::NotAdjudicated;
use crate::chess::{Position, PositionFaults};
use crate::law::Repetitions;
use crate::pgn::{Game, Span, TagName};
use crate::replay::{Cut, Replay, Start, StartFault, Stop};

pub use crate::findings::finding::{Findings, character_start, keep, shown};
use crate::findings::played::PlayedGame;

pub use accounts::Accounts;
pub use checks::{Checks, Codes};
pub use concise::GameAndMove;
pub use concise::concise;
pub use edit::number_start;
pub use edit::{Edit, Repair};
pub use finding::{AtMove, Finding, GameStatus, label};
pub use positions::check_line;
pub use positions::place_of_line;
pub use repairs::line_end;
pub use text::{TOO_LONG as LONG_LINE, unreadable_game};

/// Rules about a single move of the main line.
const MOVE_RULES: [&Rule; 3] = [
    &codes::ILLEGAL_MOVE,
    &codes::AMBIGUOUS_MOVE,
    &codes::UNREADABLE_TOKEN,
];

/// Checks one game and adds its findings in order of position. `initial` is the initial position of
/// standard chess. A game is clean if nothing is reported about it, whatever is reported about the
/// file.
///
/// ```
/// use chess_arbiter_core::{Checks, GameStatus, Position, Reader, check};
///
/// let text = b"1. e4 e5 *";
/// let (mut reader, initial, mut findings) = (Reader::new(), Position::initial(), Vec::new());
/// let game = reader.read(text, None);
/// let status = check(game, text, &initial, &Checks::default(), &mut findings);
/// assert_eq!(status, GameStatus::WithFindings);
/// assert!(findings.iter().all(|finding| finding.code().as_str() == "W118"));
/// ```
pub fn check(
    game: &Game,
    text: &[u8],
    initial: &Position,
    checks: &Checks,
    findings: &mut Vec<Finding>,
) -> GameStatus {
    let repetitions = &mut Repetitions::default();
    check_with(game, text, initial, checks, findings, repetitions)
}

/// As [`check`], with memory that is used again, which holds the positions of the main line then.
pub fn check_with(
    game: &Game,
    text: &[u8],
    initial: &Position,
    checks: &Checks,
    findings: &mut Vec<Finding>,
    repetitions: &mut Repetitions,
) -> GameStatus {
    let first = findings.len();
    repetitions.clear();
    if game.is_unreadable(text) {
        findings.push(unreadable_game(game, text));
        keep(checks, findings, first);
        return GameStatus::Unreadable;
    }
    let findings = &mut Findings::of_game(findings, checks);
    tags::check(game, text, findings);
    let start = start(game, text, initial, findings);
    let played = &start.map(|start| PlayedGame::new(game, text, start, checks, repetitions));
    let unread = match played {
        Ok(played) if !played.is_plain || walk::is_due(game, &played.start, checks) => {
            walk::closely(played, findings)
        }
        _ => Vec::new(),
    };
    if let Ok(played) = played
        && (checks.all_values || !game.hints.late)
    {
        comments::values(played, findings);
    }
    let other_variant = matches!(played, Err(StartFault::OtherVariant(_)));
    let played = played.as_ref().ok();
    findings.extend(tags::of_movetext(game, text));
    let to_end = played.filter(|played| played.stop.is_none());
    let plies = to_end.map(|played| played.plies);
    findings.extend(tags::ply_count(game, text, plies));
    let prose = tags::text_for_moves(game, text).filter(|_| !other_variant);
    // Text of another kind is no movetext, and other rules have other moves.
    let is_movetext = prose.is_none();
    let is_judged = |kind, in_movetext: bool| {
        (is_movetext || !in_movetext) && !(other_variant && tags::is_word(kind))
    };
    if is_movetext {
        findings.extend(tags::missing_essential(game, text));
    }
    text::faults(game, text, played, unread, is_judged, findings);
    text::lines(game, text, findings);
    if is_movetext {
        findings.extend(played.and_then(results::stop));
    }
    results::check(game, text, played, findings);
    findings.extend(prose.or_else(|| text::unfinished(game, text)));
    if let Some(played) = played {
        suggest::add(played, findings.list());
    }
    repairs::add(game, text, played, findings.list());
    let kept = findings.finish("game", text);
    if kept.iter().all(|finding| finding.rule.is_once_per_file) {
        return GameStatus::Clean;
    }
    GameStatus::WithFindings
}

/// The position a game begins with, with the findings about it.
fn start(
    game: &Game,
    text: &[u8],
    initial: &Position,
    findings: &mut Findings<'_>,
) -> Result<Position, StartFault> {
    let start = Start::of(game, text, initial);
    let (tag, faults) = match &start {
        Ok((Start { position, .. }, faults)) => {
            let is_plain = *faults == PositionFaults::NONE
                && position.knows_halfmoves()
                && position.knows_fullmoves();
            (game.known(TagName::Fen).filter(|_| !is_plain), *faults)
        }
        Err(StartFault::UnreadableFen(tag, _)) => (Some(*tag), PositionFaults::NONE),
        Err(StartFault::UnplayableFen(tag, faults)) => (Some(*tag), *faults),
        Err(fault) => {
            findings.push(no_start(text, *fault));
            (None, PositionFaults::NONE)
        }
    };
    if let Some(tag) = tag {
        positions::of_tag(tag, text, faults, findings);
    }
    start.map(|(start, _)| start.position)
}

/// The finding about a replay that did not reach the last move of the text.
pub fn of_replay(game: &Game, text: &[u8], replay: &Replay<'_>) -> Option<Finding> {
    let cut = Cut::of(game, replay.stop())?;
    Some(of_cut(game, text, cut, replay.position()))
}

/// As [`of_replay`], for a replay of the game from its start.
pub fn of_game(game: &Game, text: &[u8]) -> Option<Finding> {
    let (start, _) = Start::of(game, text, &Position::initial()).ok()?;
    let mut replay = Replay::new(game, start.position);
    replay.play_to_end();
    of_replay(game, text, &replay)
}

/// The finding about the fault that keeps a replay from the last move, given the position there.
pub fn of_cut(game: &Game, text: &[u8], cut: Cut, position: &Position) -> Finding {
    let finding = match cut {
        Cut::Move(stop) => of_stop(game, text, &stop, position),
        Cut::Text(fault) => text::fault(game, &fault, text, None),
    };
    as_checked(game, text, finding)
}

/// The error that [`check`] reports at the place of a finding, as it knows more of the game, else
/// the finding.
#[cold]
fn as_checked(game: &Game, text: &[u8], finding: Finding) -> Finding {
    // The rules of moves would report the same, after a search for the move that was meant. A
    // missing result stops no game.
    let ignored = Codes::of(MOVE_RULES.into_iter().chain([&codes::UNFINISHED_GAME]));
    let checks = Checks::default().without(&[ignored]);
    let mut findings = Vec::new();
    check(game, text, &Position::initial(), &checks, &mut findings);
    let overlaps = |one: Span, other: Span| {
        one.start == other.start || one.start.max(other.start) < one.end.min(other.end)
    };
    findings
        .into_iter()
        .find(|other| {
            other.severity == codes::Severity::Error && overlaps(finding.span, other.span)
        })
        .unwrap_or(finding)
}

/// The finding about a game that was not adjudicated.
pub fn not_adjudicated(game: &Game, text: &[u8], fault: NotAdjudicated) -> Finding {
    match fault {
        NotAdjudicated::Start(fault) => not_begun(game, text, fault),
        NotAdjudicated::NoGame => unreadable_game(game, text),
    }
}

/// Why a line of play stopped.
pub fn of_stop(game: &Game, text: &[u8], stop: &Stop, position: &Position) -> Finding {
    let at = AtMove::new(stop.ply, stop.token.span.of(text), position);
    moves::stop(stop, at.clone(), text)
        .unwrap_or_else(|| text::unreadable_token(game, stop.token.span, text, Some(at)))
}

/// Why no move of a game is played.
pub fn not_begun(game: &Game, text: &[u8], fault: StartFault) -> Finding {
    as_checked(game, text, no_start(text, fault))
}

pub(crate) use tags::no_start;
pub use walk::unread;
