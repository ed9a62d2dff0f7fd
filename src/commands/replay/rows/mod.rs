//! Replay of games as rows, one a ply.

mod variations;

use std::ops::RangeInclusive;

use crate::chess::fen::IncrementalFen;
use crate::chess::san::{San, SanPlus};
use crate::chess::{CastlingMode, Color, Move, MoveNumber, Position, Uci};
use crate::law::Repetitions;
use crate::pgn::{Game, Span, Token};
use crate::replay::{Replay, Start};

use crate::findings::{self, Checks, Finding, GameStatus};

pub(crate) use crate::commands::ply_choice::{PlyChoice, PlySet};
pub(crate) use variations::{RowEvent, RowLine};

/// Notation of a null move.
pub(crate) const PASS: SanPlus = SanPlus {
    san: San::Null,
    suffix: None,
};

/// Lines of a game that are played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LineSet {
    Main,
    /// The variations too; `reports` includes their faults.
    All {
        reports: bool,
    },
}

/// One ply.
#[derive(Clone, Debug)]
pub(crate) struct PlyRow<'a> {
    pub(crate) line: RowLine,
    /// Number of the ply, from 1.
    pub(crate) ply: u32,
    /// Move in the shortest standard notation.
    pub(crate) san: SanPlus,
    /// Move in UCI notation; `None` for a null move.
    pub(crate) uci: Option<Uci>,
    /// Move; `None` for a null move.
    pub(crate) mv: Option<Move>,
    /// Position after the move.
    pub(crate) after: &'a Position,
    /// Its FEN.
    pub(crate) fen: &'a IncrementalFen,
    /// Number of occurrences of the position after the move so far.
    pub(crate) repetition: usize,
    /// True if the move is illegal and stood.
    pub(crate) is_illegal: bool,
    /// The move in the text of the game.
    pub(crate) span: Span,
}

impl PlyRow<'_> {
    /// `3.` or `12...`
    pub(crate) fn numbered(&self) -> MoveNumber {
        MoveNumber {
            number: self.move_number(),
            color: self.color(),
        }
    }

    /// Side that has moved.
    #[inline]
    pub(crate) fn color(&self) -> Color {
        !self.after.turn()
    }

    /// Number of the move. In the position it is incremented after Black's move.
    #[inline]
    pub(crate) fn move_number(&self) -> u32 {
        self.after.fullmoves() - self.color() as u32
    }
}

/// Outcome of replaying a game.
#[derive(Debug, Default)]
pub(crate) struct PlayEnd {
    /// True if the start position is valid.
    pub(crate) begun: bool,
    /// True if the main line stopped before its last move.
    pub(crate) stopped: bool,
    /// True if the game has none of the requested plies.
    pub(crate) lacks_plies: bool,
    /// Faults that stopped the game or its variations, in text order.
    pub(crate) faults: Vec<Finding>,
}

impl PlayEnd {
    /// A game that was played to its `end`.
    fn new(lacks_plies: bool, end: Option<Finding>) -> PlayEnd {
        PlayEnd {
            begun: true,
            stopped: end.is_some(),
            lacks_plies,
            faults: end.into_iter().collect(),
        }
    }

    /// Status of the game in the accounts.
    pub(crate) fn status(&self) -> GameStatus {
        match self.faults.is_empty() {
            true => GameStatus::Clean,
            false => GameStatus::WithFindings,
        }
    }
}

/// Replays games; its memory is reused.
#[derive(Default)]
pub(crate) struct Replayer {
    initial: Position,
    repetitions: Repetitions,
    checks: Checks,
}

impl Replayer {
    /// Plays a game and passes each event to `each`, with all plies or the requested ones. Without
    /// `FACTS` the FEN and the repetitions in rows are undefined.
    #[inline]
    pub(crate) fn replay<const FACTS: bool>(
        &mut self,
        game: &Game,
        text: &[u8],
        at: Option<&PlyChoice>,
        lines: LineSet,
        mut each: impl FnMut(&RowEvent<'_>),
    ) -> PlayEnd {
        let start = match self.start(game, text) {
            Ok(start) => start,
            Err(end) => return end,
        };
        let plies = at.map(|at| self.plies(game, at, &start));
        let mut line = OpenLine::<FACTS>::new(&mut self.repetitions, &start, plies);
        let LineSet::Main = lines else {
            let reports = lines == LineSet::All { reports: true };
            return variations::play(game, text, start, line, (&self.checks, reports), each);
        };
        let mut replay = Replay::new(game, start.position).with_notation();
        replay.each(|replay, ply| {
            let after = replay.position();
            line.play(Some(ply.mv), after);
            if line.wants(ply.number) {
                let san = replay.shortest_san(ply.mv).marked(after);
                let is_illegal = replay.last_illegal().is_some();
                let played = (ply.number, ply.token, Some(ply.mv));
                each(&RowEvent::Ply(line.row(played, san, after, is_illegal)));
            }
        });
        PlayEnd::new(line.lacks_plies, findings::of_replay(game, text, &replay))
    }

    /// Plays the main line and passes the requested positions to `each`, with their plies.
    pub(crate) fn positions(
        &mut self,
        game: &Game,
        text: &[u8],
        at: &PlyChoice,
        mut each: impl FnMut(u32, &Position),
    ) -> PlayEnd {
        let start = match self.start(game, text) {
            Ok(start) => start,
            Err(end) => return end,
        };
        let mut replay = Replay::new(game, start.position.clone());
        let mut lacks_plies = false;
        if at.is_end() {
            replay.play_to_end();
            each(replay.plies(), replay.position());
        } else {
            let plies = self.plies(game, at, &start);
            lacks_plies = plies.is_empty();
            if plies.has(0) {
                each(0, replay.position());
            }
            replay.each(|replay, ply| {
                if plies.has(ply.number) {
                    each(ply.number, replay.position());
                }
            });
        }
        PlayEnd::new(lacks_plies, findings::of_replay(game, text, &replay))
    }

    /// Requested plies of a game.
    pub(crate) fn plies(&self, game: &Game, at: &PlyChoice, start: &Start) -> PlySet {
        let mut to_end = Replay::new(game, start.position.clone());
        to_end.play_to_end();
        at.of_game(&start.position, to_end.plies())
    }

    /// The first requested plies of a game, `most` of them, and the position before them.
    pub(crate) fn part(
        &self,
        (game, text): (&Game, &[u8]),
        at: &PlyChoice,
        most: u32,
    ) -> Option<(RangeInclusive<u32>, Position)> {
        let start = self.start(game, text).ok()?;
        let plies = self.plies(game, at, &start).range()?;
        let first = (*plies.start()).max(1);
        let last = (*plies.end()).min((first - 1).saturating_add(most));
        let mut replay = Replay::new(game, start.position);
        while replay.plies() + 1 < first && replay.play().is_some() {}
        Some((first..=last, replay.position().clone()))
    }

    /// Start of a game.
    ///
    /// # Errors
    ///
    /// The outcome of a game whose start position is invalid.
    pub(crate) fn start(&self, game: &Game, text: &[u8]) -> Result<Start, PlayEnd> {
        let start = Start::of(game, text, &self.initial).map(|(start, _)| start);
        start.map_err(|fault| PlayEnd {
            faults: vec![findings::not_begun(game, text, fault)],
            ..PlayEnd::default()
        })
    }
}

/// A line that is played, and its requested plies; with `FACTS` also the FEN and the repetitions.
struct OpenLine<'a, const FACTS: bool> {
    line: RowLine,
    repetitions: &'a mut Repetitions,
    fen: IncrementalFen,
    mode: CastlingMode,
    plies: Option<PlySet>,
    lacks_plies: bool,
}

impl<'a, const FACTS: bool> OpenLine<'a, FACTS> {
    /// Begins the main line.
    fn new(repetitions: &'a mut Repetitions, start: &Start, plies: Option<PlySet>) -> Self {
        repetitions.restart(&start.position);
        OpenLine {
            line: RowLine::default(),
            repetitions,
            fen: IncrementalFen::new(&start.position),
            mode: start.mode,
            lacks_plies: plies.is_some(),
            plies,
        }
    }

    /// Plays a move, or passes.
    #[inline]
    fn play(&mut self, mv: Option<Move>, after: &Position) {
        if !FACTS {
            return;
        }
        match mv {
            Some(mv) => self.fen.play(mv, after),
            None => self.fen = IncrementalFen::new(after),
        }
        self.repetitions.push(after);
    }

    /// True if a ply that has been played is requested.
    #[inline]
    fn wants(&mut self, ply: u32) -> bool {
        let wants = self.plies.as_ref().is_none_or(|plies| plies.has(ply));
        self.lacks_plies &= !wants;
        wants
    }

    /// The row of the ply that has been played, which has a number, a token and a move.
    #[inline]
    fn row<'r>(
        &'r self,
        (ply, token, mv): (u32, Token, Option<Move>),
        san: SanPlus,
        after: &'r Position,
        is_illegal: bool,
    ) -> PlyRow<'r> {
        PlyRow {
            line: self.line,
            ply,
            san,
            uci: mv.map(|mv| mv.uci(self.mode)),
            mv,
            after,
            fen: &self.fen,
            repetition: self.repetitions.count(),
            is_illegal,
            span: token.span,
        }
    }
}
