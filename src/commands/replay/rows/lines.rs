//! The rows of a game with its variations, in the order of the text.

use crate::chess::fen::IncrementalFen;
use crate::chess::san::{San, SanPlus};
use crate::chess::zobrist::KeyMap;
use crate::chess::{Position, Uci};
use crate::commands::replay::rows::{At, Played, Player, PlyRow, plies};
use crate::commands::validate::check as findings;
use crate::pgn::{Game, Span, TokenKind};
use crate::replay::{Event, Replay, Start, Walk};

/// A line of play: 0 is the main line, the others are numbered in the order in which they begin in the text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LineId(pub u32);

impl LineId {
    /// The main line.
    pub const MAIN: LineId = LineId(0);
}

/// What a game with its variations comes to.
#[derive(Debug)]
pub enum Step<'a> {
    /// A ply of a line, with its place in the text.
    Ply(LineId, &'a PlyRow<'a>, Span),
    /// A line begins in another, in place of its last ply.
    Begin {
        /// The line. The number of one without moves is given to the next.
        line: LineId,
        /// The line it leaves.
        parent: LineId,
        /// The `(`.
        span: Span,
    },
    /// A line ends; the span is its `)`.
    End(Span),
    /// The present line cannot be played further, for what stands there.
    Stop(Span),
    /// A variation is passed over, which begins there.
    Unread(Span),
}

/// How often positions have occurred on the way to the present one, in the line that leads there.
#[derive(Default)]
pub(crate) struct Path {
    counts: KeyMap<usize>,
    keys: Vec<u64>,
}

impl Path {
    fn clear(&mut self) {
        // Clearing takes as long as the table is large, which one gigantic game may have made it.
        if self.counts.capacity() > 1 << 12 {
            *self = Path::default();
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

/// A line that has been left for a variation.
struct Left {
    line: LineId,
    /// How many positions lead to its last one, and the key of that.
    length: usize,
    last: Option<u64>,
    fen: IncrementalFen,
}

/// More faults in variations of one game than this are counted only.
const MOST_REPORTS: usize = 1_000;

/// Plays a game with its variations and hands out what it comes by. Of the plies asked for, those of every line are handed
/// out; `end` is that of the main line. `reports` is whether faults in variations are among those returned.
pub fn lines(
    player: &mut Player,
    game: &Game,
    text: &[u8],
    at: Option<&At>,
    reports: bool,
    mut each: impl FnMut(&Step<'_>),
) -> Played {
    let start = match Start::of(game, text, &player.initial) {
        Ok((start, _)) => start,
        Err(fault) => {
            return Played {
                faults: vec![findings::no_start(text, fault)],
                ..Played::default()
            };
        }
    };
    let plies = at.map(|at| plies(at, &Replay::new(game, start.position.clone())));
    let mut faults = Vec::new();
    let mut left_out = 0;
    let mut main_stop = None;
    let mut beside = plies.is_some();
    let path = &mut player.path;
    path.clear();
    path.push(&start.position);
    let mut fen = IncrementalFen::new(&start.position);
    let mut line = LineId::MAIN;
    let mut newest = LineId::MAIN;
    let mut left: Vec<Left> = Vec::new();
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
                let repetition = path.push(after);
                if plies.as_ref().is_some_and(|plies| !plies.has(ply)) {
                    continue;
                }
                beside = false;
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
                };
                each(&Step::Ply(line, &row, token.span));
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
                let length = path.keys.len() - 1;
                let replaced = IncrementalFen::new(walk.position());
                left.push(Left {
                    line,
                    length,
                    last: path.pop(),
                    fen: std::mem::replace(&mut fen, replaced),
                });
                line = begun;
            }
            Event::End(token) => {
                if let Some(outer) = left.pop() {
                    while path.keys.len() > outer.length {
                        path.pop();
                    }
                    if let Some(key) = outer.last {
                        path.push_key(key);
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
    let end = main_stop.map(|stop| (stop, walk.position()));
    let end = findings::of_end(game, text, end);
    let stopped = end.is_some();
    faults.extend(end);
    faults.extend(findings::left_out(left_out, text));
    faults.sort_by_key(|finding| finding.span);
    Played {
        begun: !game.is_empty(),
        stopped,
        beside,
        faults,
    }
}

/// Whether the variation that begins with a parenthesis has no moves.
fn is_empty(game: &Game, open: Span) -> bool {
    let next = game
        .tokens
        .partition_point(|token| token.span.start <= open.start);
    let next = game.tokens.get(next).map(|token| token.kind);
    matches!(next, None | Some(TokenKind::Close))
}
