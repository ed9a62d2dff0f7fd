//! Checks: faults → findings with code, severity, position, message and help.

mod checks;
mod concise;
pub mod cross_check;
mod edit;
pub(crate) mod file;
mod finding;
mod move_numbers;
mod moves;
mod near;
pub(crate) mod not_pgn;
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
use crate::pgn::{Fault, Game, Span, TagName};
use crate::replay::{Cut, Ending, LineHash, Replay, Start, StartFault, Stop};

pub(crate) use crate::findings::finding::keep;
use crate::findings::finding::{Findings, more, shown};
use crate::findings::move_numbers::MoveNumberCheck;
use crate::findings::results::PlayedGame;

pub use checks::{Checks, Codes};
pub(crate) use concise::GameAndMove;
pub use concise::concise;
pub(crate) use edit::number_start;
pub use edit::{Edit, Repair};
pub use finding::{AtMove, Finding, GameStatus, label};
pub use positions::check_line;
pub(crate) use positions::place_of_line;
pub(crate) use repairs::line_end;
pub(crate) use text::{TOO_LONG as LONG_LINE, unreadable_game};

/// Rules about a single move of the main line.
const MOVE_RULES: [&Rule; 3] = [
    &codes::ILLEGAL_MOVE,
    &codes::AMBIGUOUS_MOVE,
    &codes::UNREADABLE_TOKEN,
];

/// Checks one game and adds its findings in order of position. `initial` is the initial position of
/// standard chess. A game is clean if nothing is reported about it, whatever is reported about the
/// file.
pub fn check(
    game: &Game,
    text: &[u8],
    initial: &Position,
    checks: &Checks,
    findings: &mut Vec<Finding>,
) -> GameStatus {
    check_hashing(game, text, initial, checks, findings, None)
}

/// As [`check`]; hashes the moves of a game that can be read.
pub(crate) fn check_hashing(
    game: &Game,
    text: &[u8],
    initial: &Position,
    checks: &Checks,
    findings: &mut Vec<Finding>,
    line: Option<&mut LineHash>,
) -> GameStatus {
    let before = findings.len();
    if game.is_unreadable(text) {
        findings.push(unreadable_game(game, text));
        keep(checks, findings, before);
        return GameStatus::Unreadable;
    }
    let findings = &mut Findings::of_game(findings, checks);
    tags::check(game, text, checks, findings);
    let (start, mut replay);
    let mut repetitions = Repetitions::default();
    let mut played = None;
    let mut stop = None;
    // Unreadable moves in variations.
    let mut unread = Vec::new();
    let mut other_variant = false;
    match Start::of(game, text, initial) {
        Ok((begin, faults)) => {
            let knows_counters =
                begin.position.knows_halfmoves() && begin.position.knows_fullmoves();
            if (faults != PositionFaults::NONE || !knows_counters)
                && let Some(tag) = game.known(TagName::Fen)
            {
                positions::of_tag(tag, text, faults, findings);
            }
            start = begin.position;
            replay = Replay::new(game, start.clone()).with_null_moves(checks.null_moves());
            repetitions = Repetitions::new(&start);
            let plain = if checks.looks_at_all() {
                let plain = MoveNumberCheck::are_plain(game, text);
                play_comparing(&mut replay, &mut repetitions, text) && plain
            } else {
                play(&mut replay, &mut repetitions);
                true
            };
            let end = replay.position();
            stop = replay.stop().map(|stop| {
                let at = AtMove::new(stop.ply, stop.token.span.of(text), end);
                (stop, at)
            });
            if replay.has_slips() || !plain || walk::is_due(game, &start, checks) {
                unread = walk::closely(game, text, start.clone(), checks, findings);
            }
            played = Some(PlayedGame {
                game,
                text,
                start: &start,
                end,
                plies: replay.plies(),
                ending: Ending::of(end),
                stop: replay.stop(),
                repetitions: &repetitions,
            });
        }
        Err(StartFault::UnreadableFen(tag, _)) => {
            positions::of_tag(tag, text, PositionFaults::NONE, findings);
        }
        Err(StartFault::UnplayableFen(tag, faults)) => {
            positions::of_tag(tag, text, faults, findings);
        }
        Err(fault) => {
            other_variant = matches!(fault, StartFault::OtherVariant(_));
            findings.push(no_start(text, fault));
        }
    }
    if let Some(line) = line {
        *line = match played {
            Some(played) => LineHash::of_keys(repetitions.keys(), game, text, played.stop),
            None => LineHash::of_each_move(game, text, initial, checks.null_moves(), |_| {}),
        };
    }
    findings.extend(tags::of_movetext(game, text));
    let plies = played.filter(|_| stop.is_none()).map(|played| played.plies);
    findings.extend(tags::ply_count(game, text, plies));
    let prose = if game.faults.is_empty() || other_variant {
        None
    } else {
        tags::text_for_moves(game, text)
    };
    if prose.is_none() {
        findings.extend(tags::missing_essential(game, text));
    }
    if !game.faults.is_empty() {
        if let Some((stop, at)) = &stop {
            unread.push((stop.token.span, at.clone()));
        }
        // The moves of another game's rules are not judged, nor is text that is no movetext.
        let prose = prose.is_some();
        let unjudged = |fault: &Fault| {
            prose && fault.span.start as usize >= game.movetext
                || other_variant && tags::is_word(fault.kind)
        };
        let faults = findings.len();
        text::faults(game, text, &unread, unjudged, checks, findings);
        findings.admit_since(faults);
        let uncounted = |kind| prose || other_variant && tags::is_word(kind);
        text::left_out(game, uncounted, findings);
    }
    if checks.looks_at_all() {
        text::lines(game, text, checks, findings);
    }
    // A last word read as a move may be the result.
    let mut result_stops = false;
    if let (Some((stop, at)), Some(played)) = (stop, played) {
        let by_result = results::stop(&played, &at);
        result_stops = by_result.as_ref().is_some_and(results::is_mark);
        if prose.is_none() {
            findings.extend(by_result.or_else(|| moves::stop(&stop, at, text)));
        }
    }
    results::check(game, text, played.as_ref(), findings);
    match prose {
        Some(prose) => findings.push(prose),
        None if !result_stops => findings.extend(text::unfinished(game, text)),
        None => {}
    }
    if let Some(played) = played
        && let Some(stop) = played.stop
    {
        let about_the_move = |finding: &&mut Finding| {
            finding.span == stop.token.span
                && MOVE_RULES.contains(&finding.rule)
                && checks.has(finding.rule)
        };
        if let Some(finding) = findings[before..].iter_mut().find(about_the_move)
            && let Some(suggestion) = suggest::did_you_mean(game, text, played.start, &stop)
        {
            finding.help = Some(suggestion.question);
            finding.repair = Repair::new(suggestion.edits, false);
        }
    }
    repairs::add(game, text, played.as_ref(), &mut findings[before..]);
    let kept = findings.finish("game", text);
    if kept.iter().all(|finding| finding.rule.is_once_per_file) {
        return GameStatus::Clean;
    }
    GameStatus::WithFindings
}

/// Replays a game to its end. Not inlined: inside a larger function the loop has too few registers.
#[inline(never)]
fn play(replay: &mut Replay<'_>, repetitions: &mut Repetitions) {
    replay.play_to_end_seeing(|after| repetitions.push(after));
}

/// As [`play`]; returns whether the moves are in export format.
#[inline(never)]
fn play_comparing(replay: &mut Replay<'_>, repetitions: &mut Repetitions, text: &[u8]) -> bool {
    replay.play_to_end_comparing(text, |after| repetitions.push(after))
}

/// The finding about a replay that did not reach the last move of the text.
pub fn of_replay(game: &Game, text: &[u8], replay: &Replay<'_>) -> Option<Finding> {
    of_end(game, text, replay.stop(), replay.position())
}

/// As [`of_replay`], for a replay of the game from its start.
pub(crate) fn of_game(game: &Game, text: &[u8]) -> Option<Finding> {
    let (start, _) = Start::of(game, text, &Position::initial()).ok()?;
    let mut replay = Replay::new(game, start.position);
    replay.play_to_end();
    of_replay(game, text, &replay)
}

/// As [`of_replay`], given the stop of the main line and the position there.
pub(crate) fn of_end(
    game: &Game,
    text: &[u8],
    stop: Option<Stop>,
    position: &Position,
) -> Option<Finding> {
    Cut::of(game, stop).map(|cut| of_cut(game, text, cut, position))
}

pub(crate) fn of_cut(game: &Game, text: &[u8], cut: Cut, position: &Position) -> Finding {
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
    let checks = Checks::default()
        .without_rules(MOVE_RULES)
        .without_rules([&codes::UNFINISHED_GAME]);
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
pub(crate) fn not_adjudicated(game: &Game, text: &[u8], fault: NotAdjudicated) -> Finding {
    match fault {
        NotAdjudicated::Start(fault) => not_begun(game, text, fault),
        NotAdjudicated::NoGame => unreadable_game(game, text),
    }
}

/// Why a line of play stopped.
pub(crate) fn of_stop(game: &Game, text: &[u8], stop: &Stop, position: &Position) -> Finding {
    let at = AtMove::new(stop.ply, stop.token.span.of(text), position);
    moves::stop(stop, at.clone(), text)
        .unwrap_or_else(|| text::unreadable_token(game, stop.token.span, text, Some(at)))
}

/// The finding about faults that are not listed, if there are any.
pub(crate) fn left_out(count: u64, text: &[u8]) -> Option<Finding> {
    more(count, "game", text)
}

/// Why no move of a game is played.
pub(crate) fn not_begun(game: &Game, text: &[u8], fault: StartFault) -> Finding {
    as_checked(game, text, no_start(text, fault))
}

pub(crate) use tags::no_start;
pub(crate) use walk::unread;
