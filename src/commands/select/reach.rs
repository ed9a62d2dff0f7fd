//! Positions that a game must reach: `position=FEN`, `material=KRPkr` and `moves=1. e4 c5`.

use crate::chess::{Bitboard, Board, Color, Piece, Position, Role, Setup};
use crate::findings;
use crate::replay::{Reader, Replay};

/// Condition on the positions of the main line, the first one included.
#[derive(Clone, Debug)]
pub(super) struct Reach {
    target: Target,
    /// The game must not reach it.
    pub(super) differs: bool,
}

#[derive(Clone, Debug)]
enum Target {
    /// Pieces on known squares; either side has the move.
    Board { board: Box<Board>, known: Bitboard },
    /// Key of a position, with the side to move, castling rights and en passant.
    Position(u64),
    /// Material, or the same with the colours exchanged.
    Material(Vec<Material>),
    /// Keys of the first positions of the game.
    Line(Vec<u64>),
}

/// Number of pieces by colour and role.
#[derive(Clone, Default, Debug)]
struct Material {
    least: [[usize; 6]; 2],
    /// Sides that may have more pieces.
    open: [bool; 2],
}

impl Reach {
    /// Parses a condition that begins with one of the names; `None` is another one.
    pub(super) fn read(text: &str) -> Option<Result<Reach, String>> {
        let (name, rest) = text.split_at(text.find(['=', '!', '~', '<', '>'])?);
        let name = name.trim();
        let target: fn(&str) -> Result<Target, String> = match &*name.to_ascii_lowercase() {
            "position" => position,
            "material" => |value| material(value).map(Target::Material),
            "moves" => |value| line(value).map(Target::Line),
            _ => return None,
        };
        let differs = rest.starts_with('!');
        Some(match rest[usize::from(differs)..].strip_prefix('=') {
            Some(value) => target(value.trim()).map(|target| Reach { target, differs }),
            None => Err(format!("`{name}` takes `=` or `!=`; `plies>=80` counts")),
        })
    }

    /// Whether the condition is reached: `Some(false)` once no later position can reach it, `None`
    /// while one may.
    pub(super) fn is_reached(&self, replay: &Replay<'_>) -> Option<bool> {
        (self.target).decide(replay.position(), replay.plies() as usize)
    }
}

/// Parses a FEN, its first field alone, or moves.
fn position(text: &str) -> Result<Target, String> {
    if !text.contains('/') && text.contains(|letter: char| letter.is_ascii_digit()) {
        let keys = line(text)?;
        return Ok(Target::Position(*keys.last().expect("the first position")));
    }
    match text.split_whitespace().count() {
        1 => return board(text),
        2..4 => return Err(format!("`{text}` has neither one nor four fields of a FEN")),
        _ => {}
    }
    let position = Position::new(&setup(text, text)?)
        .map_err(|faults| format!("the position `{text}` is unplayable: {faults}"))?;
    Ok(Target::Position(position.key()))
}

/// Parses the first field of a FEN, in which `?` is any square and `*` the rest of a rank.
fn board(text: &str) -> Result<Target, String> {
    let squares = |rank: &str| {
        let count = |c: char| c.to_digit(10).unwrap_or(u32::from(c != '*')) as usize;
        rank.chars().map(count).sum::<usize>()
    };
    let ranks = text.split('/');
    let ranks =
        ranks.map(|rank| rank.replacen('*', &"?".repeat(8_usize.saturating_sub(squares(rank))), 1));
    let ranks: Vec<String> = ranks.collect();
    // A square that has either queen is unknown.
    let filled = |queen| {
        let board = ranks.join("/").replace('?', queen);
        setup(&format!("{board} w - -"), text).map(|setup| setup.board)
    };
    let (mut board, other) = (filled("Q")?, filled("q")?);
    let queens = |board: &Board, side| board.of(side, Role::Queen);
    let unknown = queens(&board, Color::White) & queens(&other, Color::Black);
    for square in unknown {
        board.clear(square);
    }
    Ok(Target::Board {
        board: Box::new(board),
        known: !unknown,
    })
}

fn setup(fen: &str, typed: &str) -> Result<Setup, String> {
    fen.parse()
        .map_err(|error| format!("the position `{typed}` is no FEN: {error}"))
}

/// Keys of the positions of a line from the usual start, the first one included.
fn line(moves: &str) -> Result<Vec<u64>, String> {
    let mut reader = Reader::new();
    let text = moves.as_bytes();
    let game = reader.read(text, None);
    let mut replay = Replay::new(game, Position::initial());
    let mut keys = vec![replay.position().key()];
    replay.each(|replay, _| keys.push(replay.position().key()));
    match findings::of_replay(game, text, &replay) {
        Some(finding) => Err(format!(
            "the moves `{moves}` cannot be played: {}",
            finding.message
        )),
        None if keys.len() == 1 => Err(format!("`{moves}` has no moves, as in `1. e4 c5`")),
        None => Ok(keys),
    }
}

impl Target {
    /// Whether the target is reached at a position, or can no longer be; `None` if that is open.
    fn decide(&self, position: &Position, plies: usize) -> Option<bool> {
        let men = position.board().occupied().count();
        let (is_reached, fewest) = match self {
            Target::Board { board, known } => (
                is_on(board, *known, position.board()),
                board.occupied().count(),
            ),
            Target::Position(key) => (position.key() == *key, 0),
            Target::Material(sides) => {
                let is_reached = sides
                    .iter()
                    .any(|material| material.is_on(position.board()));
                (is_reached, sides[0].least.iter().flatten().sum())
            }
            Target::Line(keys) if keys[plies] != position.key() => return Some(false),
            Target::Line(keys) => (plies + 1 == keys.len(), 0),
        };
        // The number of men never grows.
        (is_reached || men < fewest).then_some(is_reached)
    }
}

/// Whether the known squares of a board are alike on another.
fn is_on(board: &Board, known: Bitboard, other: &Board) -> bool {
    let pieces = Color::ALL
        .into_iter()
        .flat_map(|side| Role::ALL.map(|role| (side, role)));
    let mut pieces = pieces.map(|(side, role)| (board.of(side, role), other.of(side, role)));
    pieces.all(|(wanted, found)| wanted == found & known)
}

/// Parses letters as in a FEN, or, for either colour, two sides in capitals with a `v` between.
fn material(text: &str) -> Result<Vec<Material>, String> {
    match text.split_once('v') {
        Some((one, other)) => {
            let orders = [(one, other), (other, one)];
            let read = |(white, black): (&str, &str)| {
                Material::read(&format!("{white}{}", black.to_ascii_lowercase()))
            };
            orders.into_iter().map(read).collect()
        }
        None => Ok(vec![Material::read(text)?]),
    }
}

impl Material {
    /// Parses letters as in a FEN, with `+` or `*` after those of a side that may have more pieces.
    fn read(text: &str) -> Result<Material, String> {
        let mut material = Material::default();
        let mut side = None;
        for letter in text.chars() {
            let piece = u8::try_from(letter).ok().and_then(Piece::from_letter);
            if let Some(piece) = piece {
                material.least[piece.color.index()][piece.role.index()] += 1;
                side = Some(piece.color);
            } else if let (Some(side), '+' | '*') = (side, letter) {
                material.open[side.index()] = true;
            } else {
                return Err(format!(
                    "`{letter}` is no piece: material is written as in `KRPkr` or `KRP+kr`, \
                     White's pieces in capitals, with `+` for any more pieces of a side, or as \
                     in `KRPvKR` for either colour"
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
    use crate::replay::Start;

    #[track_caller]
    fn check(condition: &str, fen: &str, expected: bool) {
        let reach = Reach::read(condition).unwrap().unwrap();
        let position = Position::new(&fen.parse().unwrap()).unwrap();
        let decided = reach.target.decide(&position, 0);
        assert_eq!(decided == Some(true), expected, "{condition} {fen}");
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
    fn unknown_squares_may_hold_anything() {
        let fen = "r3k3/ppp5/8/8/2P1P3/8/8/R3K3 w - - 0 1";
        for (board, expected) in [
            ("*/*/*/*/2P1P3/*/*/*", true),
            ("*/*/*/*/2P?P3/*/*/*", true),
            ("*/*/*/*/3?P3/*/*/*", false),
            ("r*/ppp*/8/8/*/8/8/R3K3", true),
            ("r*/pppp*/8/8/*/8/8/R3K3", false),
            ("????k???/*/*/*/*/*/*/*", true),
        ] {
            check(&format!("position={board}"), fen, expected);
        }
    }

    #[test]
    fn a_line_is_that_of_the_moves_played() {
        let decide = |condition: &str, moves: &str| {
            let reach = Reach::read(condition).unwrap().unwrap();
            let mut reader = Reader::new();
            let game = reader.read(moves.as_bytes(), None);
            let (start, _) = Start::of(game, moves.as_bytes(), &Position::initial()).unwrap();
            let mut replay = Replay::new(game, start.position);
            let mut is_reached = reach.is_reached(&replay);
            while is_reached.is_none() && replay.play().is_some() {
                is_reached = reach.is_reached(&replay);
            }
            is_reached.unwrap_or(false) != reach.differs
        };
        assert!(decide("moves=1. e4 c5 2. Nf3", "1. e4 c5 2. Nf3 d6 *"));
        assert!(!decide("moves=1. e4 c5 2. Nf3", "1. Nf3 c5 2. e4 d6 *"));
        assert!(decide("moves!=1. e4 c5 2. Nf3", "1. e4 c5 *"));
        assert!(decide("position=1. e4 c5 2. Nf3", "1. Nf3 c5 2. e4 d6 *"));
        let set_up = "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 *";
        assert!(!decide("moves=1. e4", set_up));
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
            ("material=KR+kr+", true),
            ("material=KRvKRP", true),
            ("material=KRvKR+", true),
            ("material=KRvKR", false),
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
            "position=?????????/8/8/8/8/8/8/8",
            "position=*/8 w - -",
            "position=1. e4 Ke5",
            "moves=",
            "moves=1. e5",
            "material=KRvkr",
            "material=KRv",
        ] {
            assert!(Reach::read(text).unwrap().is_err(), "{text}");
        }
    }
}
