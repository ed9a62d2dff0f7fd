//! Replay of a game with its variations, in text order.

use crate::chess::Uci;
use crate::chess::fen::IncrementalFen;
use crate::chess::san::{San, SanPlus};
use crate::commands::replay::rows::{Played, PlyChoice, PlyRow, Replayer, plies};
use crate::findings;
use crate::pgn::{Game, Span, TokenKind};
use crate::replay::{Cut, Event, Replay, Start, Walk};

/// Number of a line: 0 is the main line, variations follow in the order of their `(`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct LineId(pub(crate) u32);

impl LineId {
    /// Main line.
    pub(crate) const MAIN: LineId = LineId(0);
}

/// A line and the line it branches from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line {
    pub(crate) id: LineId,
    pub(crate) parent: Option<LineId>,
}

/// Event of a game with variations.
#[derive(Debug)]
pub(crate) enum Step<'a> {
    /// A ply.
    Ply {
        line: Line,
        row: &'a PlyRow<'a>,
        /// Its token.
        span: Span,
    },
    /// A variation begins in place of the last ply of its parent.
    Begin {
        /// Number of the line; the number of a line without moves is used again.
        line: LineId,
        parent: LineId,
        /// Its `(`.
        span: Span,
    },
    /// A variation ends with this `)`.
    End(Span),
    /// The current line cannot be played further than this token.
    Stop(Span),
    /// A variation that is not played begins here.
    Unread(Span),
}

/// A line interrupted by a variation.
struct OuterLine {
    line: LineId,
    /// Number of its positions.
    length: usize,
    fen: IncrementalFen,
}

/// Faults in the variations of one game beyond this number are only counted.
const MOST_REPORTS: usize = 1_000;

/// Plays a game with its variations and passes each event to `each`, with the requested plies of
/// every line; `end` is the end of the main line. `reports` includes the faults of variations.
pub(crate) fn variations(
    replayer: &mut Replayer,
    game: &Game,
    text: &[u8],
    at: Option<&PlyChoice>,
    reports: bool,
    mut each: impl FnMut(&Step<'_>),
) -> Played {
    let start = match Start::of(game, text, &replayer.initial) {
        Ok((start, _)) => start,
        Err(fault) => return Played::not_begun(game, text, fault),
    };
    let plies = at.map(|at| plies(at, &Replay::new(game, start.position.clone())));
    let mut faults = Vec::new();
    let mut left_out = 0;
    let mut main_stop = None;
    let mut lacks_plies = plies.is_some();
    let repetitions = &mut replayer.repetitions;
    repetitions.restart(&start.position);
    let mut fen = IncrementalFen::new(&start.position);
    let mut line = LineId::MAIN;
    let mut newest = LineId::MAIN;
    let mut outer_lines: Vec<OuterLine> = Vec::new();
    let mut walk = Walk::new(game, start.position);
    while let Some(event) = walk.next() {
        match event {
            Event::Ply(_) | Event::Pass { .. } => {
                let (ply, token, mv) = match event {
                    Event::Pass { number, token } => (number, token, None),
                    Event::Ply(ply) => (ply.number, ply.token, Some(ply.mv)),
                    _ => continue,
                };
                let Some(before) = walk.before() else {
                    continue;
                };
                let after = walk.position();
                match mv {
                    Some(mv) => fen.play(mv, after),
                    None => fen = IncrementalFen::new(after),
                }
                repetitions.push(after);
                if plies.as_ref().is_some_and(|plies| !plies.has(ply)) {
                    continue;
                }
                lacks_plies = false;
                let pass = SanPlus {
                    san: San::Null,
                    suffix: None,
                };
                let row = PlyRow {
                    ply,
                    move_number: before.fullmoves(),
                    color: before.turn(),
                    san: mv.map_or(pass, |mv| SanPlus::of(before, mv, after)),
                    uci: mv.map(|mv| -> Uci { mv.uci(start.mode) }),
                    mv,
                    after,
                    fen: &fen,
                    repetition: repetitions.count(),
                    span: token.span,
                };
                let parent = outer_lines.last().map(|outer| outer.line);
                each(&Step::Ply {
                    line: Line { id: line, parent },
                    row: &row,
                    span: token.span,
                });
            }
            Event::Begin(token) => {
                let begun = LineId(newest.0 + 1);
                if !is_empty(game, token.span) {
                    newest = begun;
                }
                each(&Step::Begin {
                    line: begun,
                    parent: line,
                    span: token.span,
                });
                let length = repetitions.keys().len();
                repetitions.truncate(length - 1, walk.position());
                let replaced = IncrementalFen::new(walk.position());
                outer_lines.push(OuterLine {
                    line,
                    length,
                    fen: std::mem::replace(&mut fen, replaced),
                });
                line = begun;
            }
            Event::End(token) => {
                if let Some(outer) = outer_lines.pop() {
                    if let Some(before) = walk.before() {
                        repetitions.truncate(outer.length - 1, before);
                    }
                    repetitions.push(walk.position());
                    line = outer.line;
                    fen = outer.fen;
                }
                each(&Step::End(token.span));
            }
            Event::Stop(stop) => {
                each(&Step::Stop(stop.token.span));
                if walk.depth() == 0 {
                    main_stop = Some(stop);
                } else if reports && faults.len() >= MOST_REPORTS {
                    left_out += 1;
                } else if reports {
                    let finding = findings::of_stop(game, text, &stop, walk.position());
                    faults.push(
                        finding
                            .in_variation(true)
                            .help("the rest of the variation is left out"),
                    );
                }
            }
            Event::Unread(token, why) => {
                each(&Step::Unread(token.span));
                if reports && faults.len() >= MOST_REPORTS {
                    left_out += 1;
                } else if reports {
                    let in_variation = walk.depth() > 0;
                    faults.push(findings::unread(token.span, why).in_variation(in_variation));
                }
            }
        }
    }
    let end = Cut::of(game, main_stop);
    let end = end.map(|cut| findings::of_cut(game, text, cut, walk.position()));
    let stopped = end.is_some();
    faults.extend(end);
    faults.extend(findings::more(left_out, "game", text));
    faults.sort_by_key(|finding| finding.span);
    Played {
        begun: true,
        stopped,
        lacks_plies,
        faults,
    }
}

/// True if the variation that begins with a parenthesis has no moves.
fn is_empty(game: &Game, open: Span) -> bool {
    let next = game
        .tokens
        .partition_point(|token| token.span.start <= open.start);
    let next = game.tokens.get(next).map(|token| token.kind);
    matches!(next, None | Some(TokenKind::Close))
}
