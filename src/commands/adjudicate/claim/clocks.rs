//! The clocks of a game before a flag is said to have fallen.

use crate::chess::{Color, Position};
use crate::pgn::{Game, MoveNotes};
use crate::replay::Replay;

/// Last clock of each side.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Clocks {
    /// Seconds left, and the ply after which they were.
    last: [Option<(f64, u32)>; 2],
}

impl Clocks {
    /// The clocks in the comments of a game, up to a ply.
    pub(crate) fn of_game(game: &Game, text: &[u8], start: Position, plies: u32) -> Clocks {
        let mut clocks = Clocks::default();
        let mut replay = Replay::new(game, start);
        let (mut notes, mut found) = (MoveNotes::default(), Vec::new());
        while replay.plies() < plies {
            let side = replay.position().turn();
            let Some(ply) = replay.play() else { break };
            notes.read((game, text), ply.token.span, side, &mut found);
            if let Some(seconds) = notes.clock {
                clocks.last[side.index()] = Some((seconds, ply.number));
            }
        }
        clocks
    }

    /// Whether the file says that the flag is the other side's: in its record, or else in the last
    /// clocks, of which only that of the other side is at zero.
    pub(crate) fn contradict(&self, winner: Option<Color>, loser: Color) -> bool {
        let is_zero =
            |side: Color| self.last[side.index()].is_some_and(|(seconds, _)| seconds <= 0.0);
        match winner {
            Some(winner) => winner == loser,
            None => is_zero(!loser) && !is_zero(loser),
        }
    }

    /// The last clocks, if there are any.
    pub(crate) fn sentence(&self, name: impl Fn(u32) -> String) -> Option<String> {
        let shown = |side: Color| {
            let (seconds, ply) = self.last[side.index()]?;
            let (whole, tenths) = (seconds as u64, (seconds.fract() * 10.0) as u64);
            let (hours, minutes) = (whole / 3600, whole / 60 % 60);
            let mut clock = format!("{hours}:{minutes:02}:{:02}", whole % 60);
            if tenths > 0 {
                clock += &format!(".{tenths}");
            }
            Some(format!("{side}'s is {clock} after {}", name(ply)))
        };
        match Color::ALL.map(shown) {
            [Some(white), Some(black)] => {
                Some(format!("Of the last clocks, {white}, and {black}."))
            }
            [None, None] => None,
            [only, other] => only
                .or(other)
                .map(|only| format!("Of the last clocks only one is recorded: {only}.")),
        }
    }
}
