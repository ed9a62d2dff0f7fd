//! Replay of games as rows, one a ply.

mod variations;

use crate::chess::fen::IncrementalFen;
use crate::chess::san::{San, SanPlus};
use crate::chess::{CastlingMode, Color, Move, MoveNumber, Position, Uci};
use crate::law::Repetitions;
use crate::pgn::{Game, Span};
use crate::replay::{Replay, Start, StartFault};

use crate::findings;
use crate::findings::{Finding, GameStatus};

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

    /// True if the move gives check.
    #[inline]
    pub(crate) fn check(&self) -> bool {
        self.san.suffix.is_some()
    }

    /// The halfmove clock, if it is known.
    #[inline]
    pub(crate) fn halfmoves(&self) -> Option<u32> {
        self.after.knows_halfmoves().then(|| self.after.halfmoves())
    }

    /// True if the move captures.
    #[inline]
    pub(crate) fn capture(&self) -> bool {
        self.mv.is_some_and(|mv| mv.captured.is_some())
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
    /// A game whose start position is invalid.
    fn not_begun(game: &Game, text: &[u8], fault: StartFault) -> PlayEnd {
        PlayEnd {
            faults: vec![findings::not_begun(game, text, fault)],
            ..PlayEnd::default()
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
}

impl Replayer {
    /// Plays a game and passes each event to `each`, with all plies or the requested ones.
    #[inline]
    pub(crate) fn replay(
        &mut self,
        game: &Game,
        text: &[u8],
        at: Option<&PlyChoice>,
        lines: LineSet,
        mut each: impl FnMut(&RowEvent<'_>),
    ) -> PlayEnd {
        let line = RowLine::MAIN;
        match lines {
            LineSet::Main => {
                self.main_line(game, text, at, |row| each(&RowEvent::Ply { line, row }))
            }
            LineSet::All { reports } => variations::variations(self, game, text, at, reports, each),
        }
    }

    /// Plays the main line and passes all plies, or the requested ones, to `each`.
    pub(crate) fn main_line(
        &mut self,
        game: &Game,
        text: &[u8],
        at: Option<&PlyChoice>,
        mut each: impl FnMut(&PlyRow<'_>),
    ) -> PlayEnd {
        let repetitions = &mut self.repetitions;
        play(game, text, &self.initial, |replay, mode| {
            let plies = at.map(|at| plies(at, replay));
            let start = replay.position();
            let mut fen = IncrementalFen::new(start);
            let mut lacks_plies = true;
            repetitions.restart(start);
            replay.each(|replay, played| {
                let (ply, mv, after) = (played.number, played.mv, replay.position());
                repetitions.push(after);
                fen.play(mv, after);
                if plies.as_ref().is_none_or(|plies| plies.has(ply)) {
                    lacks_plies = false;
                    each(&PlyRow {
                        ply,
                        san: replay.shortest_san(mv).marked(after),
                        uci: Some(mv.uci(mode)),
                        mv: Some(mv),
                        after,
                        fen: &fen,
                        repetition: repetitions.count(),
                        is_illegal: replay.last_illegal().is_some(),
                        span: played.token.span,
                    });
                }
            });
            lacks_plies && plies.is_some()
        })
    }

    /// Plays the main line and passes the requested positions to `each`, with their plies.
    pub(crate) fn positions(
        &mut self,
        game: &Game,
        text: &[u8],
        at: &PlyChoice,
        mut each: impl FnMut(u32, &Position),
    ) -> PlayEnd {
        play(game, text, &self.initial, |replay, _| {
            if at.is_end() {
                replay.play_to_end();
                each(replay.plies(), replay.position());
                return false;
            }
            let plies = plies(at, replay);
            if plies.has(0) {
                each(0, replay.position());
            }
            while let Some(ply) = replay.play() {
                if plies.has(ply.number) {
                    each(ply.number, replay.position());
                }
            }
            plies.is_empty()
        })
    }

    /// Requested plies of a game.
    pub(crate) fn plies(&self, game: &Game, at: &PlyChoice, start: &Start) -> PlySet {
        plies(at, &Replay::new(game, start.position.clone()))
    }

    /// Start of a game, if it is valid.
    pub(crate) fn start(&self, game: &Game, text: &[u8]) -> Option<Start> {
        Start::of(game, text, &self.initial)
            .ok()
            .map(|(start, _)| start)
    }
}

/// Requested plies of a game that is about to be played.
fn plies(at: &PlyChoice, replay: &Replay<'_>) -> PlySet {
    let mut to_end = replay.clone();
    to_end.play_to_end();
    at.of_game(replay.position(), to_end.plies())
}

/// Plays a game with `to_end`, which returns true if the game lacks the requested plies.
fn play(
    game: &Game,
    text: &[u8],
    initial: &Position,
    to_end: impl FnOnce(&mut Replay<'_>, CastlingMode) -> bool,
) -> PlayEnd {
    match Start::of(game, text, initial) {
        Ok((start, _)) => {
            let mut replay = Replay::new(game, start.position).with_notation();
            let lacks_plies = to_end(&mut replay, start.mode);
            let fault = findings::of_replay(game, text, &replay);
            PlayEnd {
                begun: true,
                stopped: fault.is_some(),
                lacks_plies,
                faults: fault.into_iter().collect(),
            }
        }
        Err(fault) => PlayEnd::not_begun(game, text, fault),
    }
}
