//! Positions of lists, as far as others are compared with them.

use crate::chess::fen::{FenField, FieldRanges};
use crate::chess::{Position, Setup, epd, fen};
use crate::findings::place_of_line;
use crate::input::{InputKind, position_line};
use crate::pgn::values::number;
use crate::replay::{GameKey, When, of_text};

/// The key of the position of a line; none if it cannot be read. It is compared as a long game is,
/// with the position as its moves and the given counters as its day.
pub(crate) fn key_of_line(kind: InputKind, text: &[u8]) -> Option<GameKey> {
    let (start, line) = position_line(text);
    let end = place_of_line(kind, text).end as usize - start;
    let fen = &line[..end];
    let setup = fen::parse_all(fen).ok()?;
    let fields = [FenField::Halfmoves, FenField::Fullmoves];
    let given = |field| number(&fen[FieldRanges::of_text(fen).of(field)]);
    let mut counters = fields.map(given);
    let operations = match kind {
        InputKind::Epd => epd::operations(line, end).0,
        InputKind::Fen | InputKind::Pgn => Vec::new(),
    };
    for operation in operations {
        let counter = match &line[operation.opcode] {
            b"hmvc" => &mut counters[0],
            b"fmvn" => &mut counters[1],
            _ => continue,
        };
        let operand = operation.operands.first();
        *counter = operand.and_then(|operand| number(&line[operand.range.clone()]));
    }
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
        when: When::of_hash(of_text(format!("{counters:?}").as_bytes())),
        plies: GameKey::LEAST_PLIES as u16,
        ..GameKey::default()
    })
}
