//! Kings put on centre squares, which signal the result to an electronic board and end up among the
//! moves.

use std::fmt;

use crate::chess::{Bitboard, Color, Move, Position, Role, San, Square};
use crate::commands::validate::check::results::{PlayedGame, recorded};
use crate::commands::validate::check::{AtMove, Finding, shown};
use crate::commands::validate::registry as codes;
use crate::law::Repetitions;
use crate::law::rulesets::Date;
use crate::pgn::{Game, PossibleDays, ResultMark, Tag, TagName, Token, TokenKind};
use crate::replay::{Replay, Stop, StopReason, main_line};

/// d4, e4, d5, e5.
const CENTRE: Bitboard = Bitboard::new(0x0000_0018_1800_0000);
/// e4 and d5.
const LIGHT: Bitboard = Bitboard::new(0x0000_0008_1000_0000);

/// The centre square to which a king's move leads.
fn to_centre(token: &Token) -> Option<Square> {
    match token.kind {
        TokenKind::San(plus) => match plus.san {
            San::Piece {
                role: Role::King,
                to,
                capture: false,
                ..
            } if CENTRE.has(to) => Some(to),
            _ => None,
        },
        _ => None,
    }
}

/// The centre square to which a king moves after `plies` plies, if at most a centre move of the
/// other king follows.
pub(crate) fn is_signal(game: &Game, plies: u32) -> Option<Square> {
    let mut moves = main_line(game).skip(plies as usize);
    let square = to_centre(moves.next()?)?;
    let other_king = moves.next().is_none_or(|token| to_centre(token).is_some());
    (other_king && moves.next().is_none()).then_some(square)
}

/// The purpose of a king on a centre square.
pub(crate) fn purpose(square: Square) -> String {
    format!(
        "the king may have been put on {square} to signal the end of the game to an electronic \
        board"
    )
}

/// Reports an illegal king move to a centre square, followed at most by another one, in a game with
/// a result.
pub(crate) fn illegal(played: &PlayedGame<'_>, stop: &Stop) -> Option<Finding> {
    let PlayedGame { game, text, .. } = *played;
    let StopReason::Illegal(_, error) = stop.reason else {
        return None;
    };
    let square = is_signal(game, stop.ply - 1)?;
    let (mark, _) = recorded(game, text).find(|&(mark, _)| mark != ResultMark::Unknown)?;
    let word = shown(stop.token.span.of(text));
    let cut = |ply| match played.label(ply) {
        Some(after) => format!("cut after {after}"),
        None => "cut all moves".to_owned(),
    };
    // The previous king move may be part of the signal.
    let before = played
        .token(played.plies)
        .and_then(to_centre)
        .filter(|&before| signalled_result(before, square) == mark);
    let help = match (before, played.label(played.plies)) {
        (Some(_), Some(last)) => {
            let earlier = cut(played.plies - 1);
            format!("{earlier}, or after {last} if that move was played")
        }
        _ => cut(played.plies),
    };
    Some(
        Finding::new(
            &codes::RESULT_SIGNAL,
            stop.token.span,
            format!("`{word}` is illegal: {error}"),
        )
        .help(format!("{}: {help}", purpose(square))),
    )
}

/// The result signalled by two kings on centre squares.
fn signalled_result(one: Square, other: Square) -> ResultMark {
    match (LIGHT.has(one), LIGHT.has(other)) {
        (true, true) => ResultMark::White,
        (false, false) => ResultMark::Black,
        _ => ResultMark::Draw,
    }
}

/// Whether the last move is a king move to a centre square.
#[inline]
pub(crate) fn is_due(game: &Game) -> bool {
    let mut tokens = game.tokens.iter().rev();
    tokens
        .find(|token| {
            !matches!(
                token.kind,
                TokenKind::Result(_) | TokenKind::NonstandardResult(_)
            )
        })
        .is_some_and(|token| to_centre(token).is_some())
}

/// Electronic boards that read the kings came into use in this year.
const FIRST_BOARDS: u16 = 1998;

/// Whether a game can have been played on an electronic board: not before there were any, not
/// online, and not between programs.
fn may_be_on_board(game: &Game, text: &[u8]) -> bool {
    let value = |name| {
        let tag = game.known(name);
        tag.map(|tag: Tag| tag.value.of(text).to_ascii_lowercase())
            .unwrap_or_default()
    };
    let holds = |name, words: &[&str]| {
        let value = value(name);
        let mut words = words.iter();
        words.any(|word| memchr::memmem::find(&value, word.as_bytes()).is_some())
    };
    let first_boards = Date::new(FIRST_BOARDS, 1, 1);
    let is_early =
        PossibleDays::of_game(game, text).is_some_and(|(days, _)| days.last < first_boards);
    let is_online = [TagName::Event, TagName::Site]
        .into_iter()
        .any(|name| holds(name, &ONLINE))
        || value(TagName::Site).ends_with(b" int")
        || matches!(&*value(TagName::Mode), b"ics" | b"em" | b"tc");
    let is_program = [TagName::WhiteType, TagName::BlackType]
        .into_iter()
        .any(|name| value(name) == b"program")
        || [TagName::WhiteTitle, TagName::BlackTitle]
            .into_iter()
            .any(|name| value(name) == b"bot")
        || [TagName::WhiteElo, TagName::BlackElo]
            .into_iter()
            .any(|name| matches!(*value(name), [b'3'..=b'9', _, _, _]))
        || [
            TagName::Event,
            TagName::Site,
            TagName::White,
            TagName::Black,
        ]
        .into_iter()
        .any(|name| holds(name, &PROGRAMS));
    !is_early && !is_online && !is_program
}

/// Words in the Event or Site tag of a game played online.
const ONLINE: [&str; 14] = [
    "lichess",
    "chess.com",
    "chess24",
    "chessbase",
    "playchess",
    "freechess",
    "fics",
    "chessclub",
    "internet",
    "online",
    "icc ",
    "gameknot",
    "brainking",
    "http",
];

/// Words in the tags of a game between programs.
const PROGRAMS: [&str; 14] = [
    "engine",
    "computer",
    "ccrl",
    "cegt",
    "tcec",
    "cccc",
    "cutechess",
    "uci",
    "stockfish",
    "komodo",
    "leela",
    "lc0",
    "houdini",
    "rybka",
];

/// The position before the last move, unless that completes a draw by move count or repetition,
/// which explains it.
fn before_last(played: &PlayedGame<'_>) -> Option<Position> {
    if matches!(played.end.halfmoves(), 100 | 150) {
        return None;
    }
    let plies = played.plies.checked_sub(1)?;
    let mut replay = Replay::new(played.game, played.start.clone());
    let mut repetitions = Repetitions::new(played.start);
    while replay.plies() < plies && replay.play().is_some() {
        repetitions.push(replay.position());
    }
    let before = replay.position().clone();
    if replay.play().is_some() {
        repetitions.push(replay.position());
    }
    (repetitions.count() < 3).then_some(before)
}

/// Whether the Termination tag names an end unrelated to the position, which explains a blunder.
fn ended_off_the_board(game: &Game, text: &[u8]) -> bool {
    let Some(tag) = game.known(TagName::Termination) else {
        return false;
    };
    let reason = tag.value.of(text).to_ascii_lowercase();
    [
        &b"time"[..],
        b"forfeit",
        b"abandon",
        b"infraction",
        b"disconnect",
    ]
    .into_iter()
    .any(|word| memchr::memmem::find(&reason, word).is_some())
}

/// Reports a legal last king move to a centre square that contradicts the result: a side that did
/// not lose needlessly gives away a piece or the game.
#[cold]
pub(crate) fn legal(played: &PlayedGame<'_>) -> Option<Finding> {
    let PlayedGame { game, text, .. } = *played;
    let lost = match played.end.turn() {
        Color::White => ResultMark::White,
        Color::Black => ResultMark::Black,
    };
    let (mark, _) = recorded(game, text).next()?;
    if mark == lost || mark == ResultMark::Unknown || !can_gain(played.end) {
        return None;
    }
    if ended_off_the_board(game, text) || !may_be_on_board(game, text) {
        return None;
    }
    let last = main_line(game).last()?;
    let square = to_centre(last)?;
    let agrees = match mark {
        ResultMark::White => LIGHT.has(square),
        ResultMark::Black => !LIGHT.has(square),
        ResultMark::Draw | ResultMark::Unknown => true,
    };
    if !agrees {
        return None;
    }
    let before = &before_last(played)?;
    let given = given_away(before, played.end)?;
    if !contradicts(given, ahead(played.end), mark) {
        return None;
    }
    let word = shown(last.span.of(text));
    let help = match played.label(played.plies - 1) {
        Some(before) => format!("then cut after {before}"),
        None => "then cut it".to_owned(),
    };
    Some(
        Finding::new(
            &codes::DOUBTFUL_KING_MOVE,
            last.span,
            format!("`{word}` {given}, but the result is `{mark}`"),
        )
        .help(format!("{}: {help}", purpose(square)))
        .at(AtMove::new(played.plies, last.span.of(text), before)),
    )
}

/// Whether the loss contradicts the result: afterwards the side is a piece down, or has lost more
/// than that, or a winner is no longer ahead. `ahead` is its material lead before the move.
fn contradicts(given: Given, ahead: i32, mark: ResultMark) -> bool {
    match given {
        Given::Mate => true,
        Given::Material(lost) if mark == ResultMark::Draw => lost >= ROOK || ahead - lost <= -PIECE,
        Given::Material(lost) => ahead <= lost,
    }
}

/// A loss that another move would avoid.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Given {
    /// It lets the other side mate at once.
    Mate,
    /// It loses this much material, in pawns.
    Material(i32),
}

impl fmt::Display for Given {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Given::Mate => "allows mate in one",
            Given::Material(8..) => "gives away a queen's worth of material",
            Given::Material(5..) => "gives away a rook's worth of material",
            Given::Material(_) => "gives away a piece's worth of material",
        })
    }
}

/// Smaller losses are ordinary sacrifices.
const PIECE: i32 = 3;
const ROOK: i32 = 5;

/// Whether the side to move can mate at once or win a piece.
fn can_gain(position: &Position) -> bool {
    gain(position) >= PIECE || has_mate(position)
}

/// The loss by a move that another move would avoid. Material counts if it is taken without a mate
/// or a recapture in reply.
fn given_away(before: &Position, after: &Position) -> Option<Given> {
    let mates = has_mate(after);
    let lost = safe_gain(after);
    if !mates && lost < PIECE {
        return None;
    }
    let others = before.legal_moves();
    let others = others
        .iter()
        .map(|&mv| before.after(mv))
        .filter(|next| next.key() != after.key());
    for other in others {
        if mates && !has_mate(&other) && gain(&other) < PIECE {
            return Some(Given::Mate);
        }
        if !mates && !has_mate(&other) && lost - gain(&other) >= PIECE {
            return Some(Given::Material(lost));
        }
    }
    None
}

/// Material lead of the side not to move, in pawns.
fn ahead(position: &Position) -> i32 {
    let board = position.board();
    let worth = |color| -> i32 {
        Role::ALL
            .into_iter()
            .map(|role| value(role) * board.of(color, role).count() as i32)
            .sum()
    };
    worth(!position.turn()) - worth(position.turn())
}

/// The largest gain by a capture or promotion that allows neither mate nor a recapture.
fn safe_gain(position: &Position) -> i32 {
    let moves = position.legal_moves();
    let gains = moves.iter().map(|&mv| {
        let next = position.after(mv);
        let recaptures = next.legal_moves().iter().any(|reply| reply.to == mv.to);
        match won(mv) {
            0 => 0,
            _ if recaptures || has_mate(&next) => 0,
            won => won - gain(&next),
        }
    });
    gains.max().unwrap_or(0)
}

/// Material gained by a capture and promotion.
fn won(mv: Move) -> i32 {
    let promoted = mv.promotion().map(|role| value(role) - value(Role::Pawn));
    mv.captured.map_or(0, value) + promoted.unwrap_or(0)
}

fn has_mate(position: &Position) -> bool {
    position
        .legal_moves()
        .iter()
        .any(|&mv| position.after(mv).is_checkmate())
}

/// Material that the side to move wins by captures and promotions, if both sides only make
/// profitable ones.
fn gain(position: &Position) -> i32 {
    // Longer sequences of captures do not matter with few pieces.
    best(position, 12, 0, i32::MAX)
}

/// Alpha-beta search over captures and promotions, with a stand-pat score unless in check.
fn best(position: &Position, depth: u32, mut alpha: i32, beta: i32) -> i32 {
    if depth == 0 {
        return alpha;
    }
    let mut moves: Vec<(i32, Move)> = position
        .legal_moves()
        .iter()
        .filter_map(|&mv| Some((won(mv), mv)).filter(|&(won, _)| won > 0))
        .collect();
    moves.sort_by_key(|&(won, mv)| (-won, value(mv.role)));
    for (won, mv) in moves {
        let reply = best(&position.after(mv), depth - 1, 0, (won - alpha).max(1));
        let net = won - reply;
        if net > alpha {
            alpha = net;
            if alpha >= beta {
                break;
            }
        }
    }
    alpha
}

fn value(role: Role) -> i32 {
    match role {
        Role::Pawn => 1,
        Role::Knight | Role::Bishop => 3,
        Role::Rook => 5,
        Role::Queen => 9,
        Role::King => 0,
    }
}
