//! Replay of a game with its variations, in text order.

use crate::chess::fen::IncrementalFen;
use crate::chess::san::SanPlus;
use crate::chess::{Move, Position};
use crate::commands::replay::rows::{PASS, PlayEnd, PlyChoice, PlyRow, Replayer, plies};
use crate::findings;
use crate::findings::Finding;
use crate::law::Repetitions;
use crate::pgn::{Game, Span, TokenKind};
use crate::replay::{Cut, Event, Replay, Start, Walk};

/// Number of a line: 0 is the main line, variations follow in the order of their `(`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct LineId(pub(crate) u32);

/// A line and the line it branches from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct RowLine {
    /// The number of a line without moves is used again.
    pub(crate) id: LineId,
    pub(crate) parent: Option<LineId>,
}

impl RowLine {
    pub(crate) const MAIN: RowLine = RowLine {
        id: LineId(0),
        parent: None,
    };
}

/// Event of a game with variations.
#[derive(Debug)]
pub(crate) enum RowEvent<'a> {
    Ply {
        line: RowLine,
        row: &'a PlyRow<'a>,
    },
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
struct OpenLines<'a> {
    repetitions: &'a mut Repetitions,
    fen: IncrementalFen,
    line: RowLine,
    newest: LineId,
    outer: Vec<OuterLine>,
}

/// A line interrupted by a variation.
struct OuterLine {
    line: RowLine,
    /// Number of its positions.
    length: usize,
    fen: IncrementalFen,
}

impl OpenLines<'_> {
    /// Plays a move, or passes.
    fn play(&mut self, mv: Option<Move>, after: &Position) {
        match mv {
            Some(mv) => self.fen.play(mv, after),
            None => self.fen = IncrementalFen::new(after),
        }
        self.repetitions.push(after);
    }

    /// Begins a variation in a position, before the last ply of the current line.
    fn begin(&mut self, position: &Position, is_empty: bool) {
        let line = RowLine {
            id: LineId(self.newest.0 + 1),
            parent: Some(self.line.id),
        };
        if !is_empty {
            self.newest = line.id;
        }
        let length = self.repetitions.keys().len();
        self.repetitions.truncate(length - 1, position);
        self.outer.push(OuterLine {
            line: std::mem::replace(&mut self.line, line),
            length,
            fen: std::mem::replace(&mut self.fen, IncrementalFen::new(position)),
        });
    }

    /// Returns to the line that the variation interrupted.
    fn end(&mut self, walk: &Walk<'_>) {
        if let Some(outer) = self.outer.pop() {
            if let Some(before) = walk.before() {
                self.repetitions.truncate(outer.length - 1, before);
            }
            self.repetitions.push(walk.position());
            self.line = outer.line;
            self.fen = outer.fen;
        }
    }
}

/// Faults in the variations of one game.
#[derive(Default)]
struct VariationFaults {
    found: Vec<Finding>,
    /// Number of faults beyond [`VariationFaults::MOST`].
    left_out: u64,
}

impl VariationFaults {
    const MOST: usize = 1_000;

    fn add(&mut self, finding: impl FnOnce() -> Finding) {
        if self.found.len() >= VariationFaults::MOST {
            self.left_out += 1;
        } else {
            self.found.push(finding());
        }
    }

    /// All faults in text order, with the end of the main line.
    fn with_end(mut self, end: Option<Finding>, text: &[u8]) -> Vec<Finding> {
        self.found.extend(end);
        self.found
            .extend(findings::more(self.left_out, "game", text));
        self.found.sort_by_key(|finding| finding.span);
        self.found
    }
}

/// Plays a game with its variations and passes each event to `each`, with the requested plies of
/// every line; `end` is the end of the main line. `reports` includes the faults of variations.
pub(super) fn variations(
    replayer: &mut Replayer,
    game: &Game,
    text: &[u8],
    at: Option<&PlyChoice>,
    reports: bool,
    mut each: impl FnMut(&RowEvent<'_>),
) -> PlayEnd {
    let start = match Start::of(game, text, &replayer.initial) {
        Ok((start, _)) => start,
        Err(fault) => return PlayEnd::not_begun(game, text, fault),
    };
    let plies = at.map(|at| plies(at, &Replay::new(game, start.position.clone())));
    let mut lacks_plies = plies.is_some();
    let mut faults = VariationFaults::default();
    let mut main_stop = None;
    replayer.repetitions.restart(&start.position);
    let mut lines = OpenLines {
        repetitions: &mut replayer.repetitions,
        fen: IncrementalFen::new(&start.position),
        line: RowLine::MAIN,
        newest: RowLine::MAIN.id,
        outer: Vec::new(),
    };
    let mut walk = Walk::new(game, start.position);
    while let Some(event) = walk.next() {
        let (ply, token, mv) = match event {
            Event::Ply(ply) => (ply.number, ply.token, Some(ply.mv)),
            Event::Pass { number, token } => (number, token, None),
            Event::Begin(token) => {
                lines.begin(walk.position(), is_empty(game, token.span));
                each(&RowEvent::Begin {
                    line: lines.line,
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
                    faults.add(|| {
                        findings::of_stop(game, text, &stop, walk.position())
                            .in_variation(true)
                            .help("the rest of the variation is left out")
                    });
                }
                continue;
            }
            Event::Unread(token, why) => {
                each(&RowEvent::Unread(token.span));
                if reports {
                    let in_variation = walk.depth() > 0;
                    faults.add(|| findings::unread(token.span, why).in_variation(in_variation));
                }
                continue;
            }
        };
        let (Some(before), after) = (walk.before(), walk.position()) else {
            continue;
        };
        lines.play(mv, after);
        if plies.as_ref().is_some_and(|plies| !plies.has(ply)) {
            continue;
        }
        lacks_plies = false;
        let row = PlyRow {
            ply,
            san: mv.map_or(PASS, |mv| SanPlus::of(before, mv, after)),
            uci: mv.map(|mv| mv.uci(start.mode)),
            mv,
            after,
            fen: &lines.fen,
            repetition: lines.repetitions.count(),
            is_illegal: walk.last_illegal().is_some(),
            span: token.span,
        };
        each(&RowEvent::Ply {
            line: lines.line,
            row: &row,
        });
    }
    let end = Cut::of(game, main_stop);
    let end = end.map(|cut| findings::of_cut(game, text, cut, walk.position()));
    PlayEnd {
        begun: true,
        stopped: end.is_some(),
        lacks_plies,
        faults: faults.with_end(end, text),
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
