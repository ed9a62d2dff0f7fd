//! Replay of a game with its variations, in text order.

use crate::chess::Position;
use crate::chess::fen::IncrementalFen;
use crate::chess::san::SanPlus;
use crate::commands::replay::rows::{OpenLine, PASS, PlayEnd, PlyRow};
use crate::findings::{self, Checks, Findings};
use crate::pgn::{Game, Span};
use crate::replay::{Cut, Event, Start, Walk};

/// Number of a line, and of the line it branches from. The main line is 0, variations follow in the
/// order of their `(`.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct RowLine {
    /// The number of a line without moves is used again.
    pub(crate) id: u32,
    pub(crate) parent: Option<u32>,
}

/// Event of a game with variations.
#[derive(Debug)]
pub(crate) enum RowEvent<'a> {
    Ply(PlyRow<'a>),
    /// A variation begins with this `(`, in place of the last ply of its parent.
    Begin {
        line: RowLine,
        span: Span,
    },
    /// A variation ends with this `)`.
    End(Span),
    /// The current line cannot be played further than this token.
    Stop(Span),
    /// A variation that is not played begins here.
    Unread(Span),
}

/// Lines of the game in which a walk is.
struct OpenLines<'a, const FACTS: bool> {
    inner: OpenLine<'a, FACTS>,
    newest: u32,
    /// The lines interrupted by variations, each with the number of its positions.
    outer: Vec<(RowLine, IncrementalFen, usize)>,
}

impl<const FACTS: bool> OpenLines<'_, FACTS> {
    /// Begins a variation in a position, before the last ply of the current line.
    fn begin(&mut self, position: &Position, is_empty: bool) {
        let inner = &mut self.inner;
        let line = RowLine {
            id: self.newest + 1,
            parent: Some(inner.line.id),
        };
        if !is_empty {
            self.newest = line.id;
        }
        let length = inner.repetitions.keys().len();
        // Without facts there are no positions.
        (inner.repetitions).truncate(length.saturating_sub(1), position);
        let fen = std::mem::replace(&mut inner.fen, IncrementalFen::new(position));
        let outer = std::mem::replace(&mut inner.line, line);
        self.outer.push((outer, fen, length));
    }

    /// Returns to the line that the variation interrupted.
    fn end(&mut self, walk: &Walk<'_>) {
        let inner = &mut self.inner;
        if let Some((line, fen, length)) = self.outer.pop() {
            if let Some(before) = walk.before() {
                inner.repetitions.truncate(length.saturating_sub(1), before);
            }
            inner.repetitions.push(walk.position());
            (inner.line, inner.fen) = (line, fen);
        }
    }
}

/// Plays a game with its variations and passes each event to `each`, with the requested plies of
/// every line. `checks` are those of the faults, of which `reports` includes the variations'.
pub(super) fn play<const FACTS: bool>(
    game: &Game,
    text: &[u8],
    start: Start,
    main: OpenLine<'_, FACTS>,
    (checks, reports): (&Checks, bool),
    mut each: impl FnMut(&RowEvent<'_>),
) -> PlayEnd {
    let mut list = Vec::new();
    let mut faults = Findings::of_game(&mut list, checks);
    let mut main_stop = None;
    let mut lines = OpenLines {
        newest: main.line.id,
        inner: main,
        outer: Vec::new(),
    };
    let mut walk = Walk::new(game, start.position);
    while let Some(event) = walk.next() {
        let played = match event {
            Event::Ply(ply) => (ply.number, ply.token, Some(ply.mv)),
            Event::Pass { number, token } => (number, token, None),
            Event::Begin(token) => {
                lines.begin(walk.position(), walk.begins_empty());
                each(&RowEvent::Begin {
                    line: lines.inner.line,
                    span: token.span,
                });
                continue;
            }
            Event::End(token) => {
                lines.end(&walk);
                each(&RowEvent::End(token.span));
                continue;
            }
            Event::Stop(stop) => {
                each(&RowEvent::Stop(stop.token.span));
                if walk.depth() == 0 {
                    main_stop = Some(stop);
                } else if reports {
                    let fault = findings::of_stop(game, text, &stop, walk.position());
                    let help = "the rest of the variation is left out";
                    faults.push(fault.in_variation(true).help(help));
                }
                continue;
            }
            Event::Unread(token, why) => {
                each(&RowEvent::Unread(token.span));
                if reports {
                    let in_variation = walk.depth() > 0;
                    faults.push(findings::unread(token.span, why).in_variation(in_variation));
                }
                continue;
            }
        };
        let (Some(before), after) = (walk.before(), walk.position()) else {
            continue;
        };
        let (ply, _, mv) = played;
        lines.inner.play(mv, after);
        if lines.inner.wants(ply) {
            let san = mv.map_or(PASS, |mv| SanPlus::of(before, mv, after));
            let is_illegal = walk.last_illegal().is_some();
            let row = lines.inner.row(played, san, after, is_illegal);
            each(&RowEvent::Ply(row));
        }
    }
    let end = Cut::of(game, main_stop);
    let end = end.map(|cut| findings::of_cut(game, text, cut, walk.position()));
    let stopped = end.is_some();
    faults.extend(end);
    faults.finish("game", text);
    PlayEnd {
        begun: true,
        stopped,
        lacks_plies: lines.inner.lacks_plies,
        faults: list,
    }
}
