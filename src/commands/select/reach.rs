//! Positions that a game must reach: `position=FEN` and `material=KRPkr`.

use crate::chess::{Board, Color, Piece, Position, Role, Setup};
use crate::pgn::Game;
use crate::replay::{Replay, Start};

/// Condition on the positions of the main line, the first one included.
#[derive(Clone, Debug)]
pub(crate) struct Reach {
    target: Target,
    /// The game must not reach it.
    differs: bool,
}

#[derive(Clone, Debug)]
enum Target {
    /// Pieces on their squares; either side has the move.
    Board(Box<Board>),
    /// Key of a position, with the side to move, castling rights and en passant.
    Position(u64),
    Material(Material),
}

/// Number of pieces by colour and role.
#[derive(Clone, Default, Debug)]
struct Material {
    least: [[usize; 6]; 2],
    /// Sides that may have more pieces.
    open: [bool; 2],
}

impl Reach {
    /// Parses a condition that begins with `position` or `material`; `None` is another one.
    pub(super) fn read(text: &str) -> Option<Result<Reach, String>> {
        let (name, value) = text.split_once('=')?;
        let differs = name.ends_with('!');
        let value = value.trim();
        let name = name.strip_suffix('!').unwrap_or(name).trim();
        let target = match &*name.to_ascii_lowercase() {
            "position" => position(value),
            "material" => Material::read(value).map(Target::Material),
            _ => return None,
        };
        Some(target.map(|target| Reach { target, differs }))
    }

    /// True if all conditions hold for a game.
    pub(super) fn all_hold(reaches: &[Reach], game: &Game, text: &[u8]) -> bool {
        let mut reached = vec![false; reaches.len()];
        let mut visit = |position: &Position| {
            for (reach, reached) in reaches.iter().zip(&mut reached) {
                *reached = *reached || reach.target.is(position);
            }
        };
        if let Ok((start, _)) = Start::of(game, text, &Position::initial()) {
            visit(&start.position);
            Replay::new(game, start.position).each(|replay, _| visit(replay.position()));
        }
        let mut all = reaches.iter().zip(reached);
        all.all(|(reach, reached)| reached != reach.differs)
    }
}

/// Parses a FEN, or its first field alone.
fn position(fen: &str) -> Result<Target, String> {
    let is_board = !fen.contains(char::is_whitespace);
    let whole = match is_board {
        true => format!("{fen} w - -"),
        false => fen.to_owned(),
    };
    let setup: Setup = whole
        .parse()
        .map_err(|error| format!("the position `{fen}` is no FEN: {error}"))?;
    if is_board {
        return Ok(Target::Board(Box::new(setup.board)));
    }
    let position = Position::new(&setup)
        .map_err(|faults| format!("the position `{fen}` is unplayable: {faults}"))?;
    Ok(Target::Position(position.key()))
}

impl Target {
    fn is(&self, position: &Position) -> bool {
        match self {
            Target::Board(board) => position.board() == &**board,
            Target::Position(key) => position.key() == *key,
            Target::Material(material) => material.is_on(position.board()),
        }
    }
}

impl Material {
    /// Parses letters as in a FEN, with `*` after those of a side that may have more pieces.
    fn read(text: &str) -> Result<Material, String> {
        let mut material = Material::default();
        let mut side = None;
        for letter in text.chars() {
            let piece = u8::try_from(letter).ok().and_then(Piece::from_letter);
            if let Some(piece) = piece {
                material.least[piece.color.index()][piece.role.index()] += 1;
                side = Some(piece.color);
            } else if let (Some(side), '*') = (side, letter) {
                material.open[side.index()] = true;
            } else {
                return Err(format!(
                    "`{letter}` is no piece: material is written as in `KRPkr` or `KRP*kr*`, \
                     White's pieces in capitals, and `*` for any more pieces of a side"
                ));
            }
        }
        let kings = Color::ALL.map(|side| material.least[side.index()][Role::King.index()]);
        if kings != [1, 1] {
            return Err("material has the king of both sides, as in `KRPkr`".to_owned());
        }
        Ok(material)
    }

    fn is_on(&self, board: &Board) -> bool {
        Color::ALL.into_iter().all(|color| {
            Role::ALL.into_iter().all(|role| {
                let count = board.of(color, role).count();
                let least = self.least[color.index()][role.index()];
                count == least || self.open[color.index()] && count > least
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(condition: &str, fen: &str, expected: bool) {
        let reach = Reach::read(condition).unwrap().unwrap();
        let position = Position::new(&fen.parse().unwrap()).unwrap();
        assert_eq!(reach.target.is(&position), expected, "{condition} {fen}");
    }

    #[test]
    fn a_position_is_compared_as_a_repetition_is_or_by_its_pieces() {
        let open = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR";
        let fen = |rest: &str| format!("{open} {rest}");
        let condition = format!("position={open} w KQkq - 0 2");
        check(&condition, &fen("w KQkq - 0 2"), true);
        check(&condition, &fen("w KQkq - 7 31"), true);
        // No pawn can capture on e6.
        check(&condition, &fen("w KQkq e6 0 2"), true);
        check(&condition, &fen("b KQkq - 0 2"), false);
        check(&condition, &fen("w Qkq - 0 2"), false);
        check(&format!("position={open}"), &fen("b Qkq - 0 2"), true);
    }

    #[test]
    fn material_is_counted_by_side() {
        let fen = "8/5k2/r7/8/4P3/8/1R3K2/8 w - - 0 1";
        for (condition, expected) in [
            ("material=KRPkr", true),
            ("material=PKRrk", true),
            ("material=krpKR", false),
            ("material=KRkr", false),
            ("material=KR*kr", true),
            ("material=K*k*", true),
            ("material=KR*k", false),
            ("material=KRPP*kr", false),
        ] {
            check(condition, fen, expected);
        }
    }

    #[test]
    fn other_conditions_and_faults() {
        assert!(Reach::read("Position=x").unwrap().is_err());
        assert!(Reach::read("White=Carlsen").is_none());
        for text in [
            "material=",
            "material=KRP",
            "material=*Kk",
            "material=KKk",
            "material=KXk",
            "position=",
            "position=8/8/8 w - -",
            "position=8/8/8/8/8/8/8/8 w - -",
        ] {
            assert!(Reach::read(text).unwrap().is_err(), "{text}");
        }
    }
}
