//! Replay of a game with its variations, in text order.

use crate::chess::fen::IncrementalFen;
use crate::chess::san::{San, SanPlus};
use crate::chess::zobrist::KeyMap;
use crate::chess::{Position, Uci};
use crate::commands::replay::rows::{Played, PlyChoice, PlyRow, Replayer, plies};
use crate::findings;
use crate::pgn::{Game, Span, TokenKind};
use crate::replay::{Event, Replay, Start, Walk};

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

/// Occurrences of the positions on the current line.
#[derive(Default)]
pub(crate) struct RepetitionCounter {
    counts: KeyMap<usize>,
    keys: Vec<u64>,
}

impl RepetitionCounter {
    fn clear(&mut self) {
        // Clearing takes time in proportion to the table, which one gigantic game may have grown.
        if self.counts.capacity() > 1 << 12 {
            *self = RepetitionCounter::default();
        }
        self.counts.clear();
        self.keys.clear();
    }

    fn push(&mut self, position: &Position) -> usize {
        let key = position.key();
        self.keys.push(key);
        let count = self.counts.entry(key).or_default();
        *count += 1;
        *count
    }

    fn push_key(&mut self, key: u64) {
        self.keys.push(key);
        *self.counts.entry(key).or_default() += 1;
    }

    fn pop(&mut self) -> Option<u64> {
        let key = self.keys.pop()?;
        if let Some(count) = self.counts.get_mut(&key) {
            *count -= 1;
            if *count == 0 {
                self.counts.remove(&key);
            }
        }
        Some(key)
    }
}

/// A line interrupted by a variation.
struct OuterLine {
    line: LineId,
    /// Number of positions before its last one, and the key of that.
    length: usize,
    last: Option<u64>,
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
        Err(fault) => {
            return Played {
                faults: vec![findings::not_begun(game, text, fault)],
                ..Played::default()
            };
        }
    };
    let plies = at.map(|at| plies(at, &Replay::new(game, start.position.clone())));
    let mut faults = Vec::new();
    let mut left_out = 0;
    let mut main_stop = None;
    let mut lacks_plies = plies.is_some();
    let counter = &mut replayer.counter;
    counter.clear();
    counter.push(&start.position);
    let mut fen = IncrementalFen::new(&start.position);
    let mut line = LineId::MAIN;
    let mut newest = LineId::MAIN;
    let mut outer_lines: Vec<OuterLine> = Vec::new();
    let mut walk = Walk::new(game, start.position);
    while let Some(event) = walk.next() {
        match event {
            Event::Ply(_) | Event::Pass { .. } => {
                let Some(before) = walk.before() else {
                    continue;
                };
                let after = walk.position();
                let (ply, token, mv) = match event {
                    Event::Pass { number, token } => (number, token, None),
                    Event::Ply(ply) => (ply.number, ply.token, Some(ply.mv)),
                    _ => continue,
                };
                match mv {
                    Some(mv) => fen.play(mv, after),
                    None => fen = IncrementalFen::new(after),
                }
                let repetition = counter.push(after);
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
                    repetition,
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
                let length = counter.keys.len() - 1;
                let replaced = IncrementalFen::new(walk.position());
                outer_lines.push(OuterLine {
                    line,
                    length,
                    last: counter.pop(),
                    fen: std::mem::replace(&mut fen, replaced),
                });
                line = begun;
            }
            Event::End(token) => {
                if let Some(outer) = outer_lines.pop() {
                    while counter.keys.len() > outer.length {
                        counter.pop();
                    }
                    if let Some(key) = outer.last {
                        counter.push_key(key);
                    }
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
    let end = findings::of_end(game, text, main_stop, walk.position());
    let stopped = end.is_some();
    faults.extend(end);
    faults.extend(findings::left_out(left_out, text));
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
