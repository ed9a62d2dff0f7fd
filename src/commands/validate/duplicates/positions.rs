//! Positions of lists, as far as others are compared with them.

use crate::chess::{Position, Setup, fen};
use crate::findings::place_of_line;
use crate::input::{InputKind, position_line};
use crate::replay::{GameKey, of_text};

/// The key of the position of a line; none if it cannot be read. It is compared as a long game is,
/// with the position as its moves. Counters do not count.
pub(crate) fn key_of_line(kind: InputKind, text: &[u8]) -> Option<GameKey> {
    let (start, line) = position_line(text);
    let end = place_of_line(kind, text).end as usize - start;
    let setup = fen::parse_all(&line[..end]).ok()?;
    let position = Position::new(&setup).map_or(setup, |position| position.setup());
    let position = Setup {
        halfmoves: 0,
        fullmoves: 1,
        ..position
    };
    let position = of_text(position.to_string().as_bytes());
    Some(GameKey {
        moves: position,
        opening: position,
        plies: GameKey::LEAST_PLIES as u16,
        ..GameKey::default()
    })
}
