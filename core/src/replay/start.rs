//! Start of a game: the `Variant` and `FEN` tags.

use crate::chess::castling::CastlingMode;
use crate::chess::fen;
use crate::chess::fen::FenError;
use crate::chess::{Position, PositionFault, PositionFaults};
use crate::pgn::values::is_unknown;
use crate::pgn::{Game, GamePart, Tag, TagName};

/// The rules a game is played by, as far as this program plays them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Variant {
    /// Standard chess, from the initial position or from another one.
    Standard,
    /// Standard chess or Chess960, from a position of its own.
    FromPosition,
    /// Chess960 (Fischer Random).
    Chess960,
}

impl Variant {
    /// The variant a `Variant` tag names, whatever its case, blanks and punctuation. `None` is a
    /// variant with other rules.
    pub(crate) fn from_tag(value: &[u8]) -> Option<Variant> {
        let name = plain(value);
        Some(match name.as_slice() {
            b"" | b"fromposition" | b"customposition" | b"setupposition" | b"setup" => {
                Variant::FromPosition
            }
            b"standard" | b"standardchess" | b"chess" | b"normal" | b"normalchess"
            | b"orthodox" | b"orthodoxchess" | b"regular" | b"regularchess" | b"classic"
            | b"classicchess" | b"classical" | b"classicalchess" => Variant::Standard,
            b"frc" | b"wildfr" | b"freestyle" | b"freestylechess" | b"chess9lx" => {
                Variant::Chess960
            }
            name if is_chess960(name) => Variant::Chess960,
            _ => return None,
        })
    }

    /// Whether the value of a `Variant` tag says that the game begins at a position of its own.
    pub(crate) fn needs_fen(value: &[u8]) -> bool {
        let name = plain(value);
        name == b"fromposition" || Variant::from_tag(value) == Some(Variant::Chess960)
    }
}

/// A name without its case, blanks and punctuation.
fn plain(value: &[u8]) -> Vec<u8> {
    let mut plain = value.to_ascii_lowercase();
    plain.retain(u8::is_ascii_alphanumeric);
    plain
}

/// Names such as `Chess960`, `Fischer Random 960`, `Fischerandom chess`, but not those of other
/// games on its start positions (`Crazyhouse960`).
fn is_chess960(name: &[u8]) -> bool {
    let words: [&[u8]; 7] = [
        b"chess",
        b"960",
        b"fischer",
        b"fischerandom",
        b"random",
        b"shuffle",
        b"c",
    ];
    let mut rest = name;
    while let Some(word) = words
        .iter()
        .filter(|word| rest.starts_with(word))
        .max_by_key(|word| word.len())
    {
        rest = &rest[word.len()..];
    }
    let holds = |word: &[u8]| name.windows(word.len()).any(|part| part == word);
    rest.is_empty() && (holds(b"960") || holds(b"fischer"))
}

/// Start of a game.
///
/// ```
/// use chess_arbiter_core::{Position, Reader, Start};
///
/// let text = b"[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n\n1. O-O *";
/// let mut reader = Reader::new();
/// let (start, _) = Start::of(reader.read(text, None), text, &Position::initial()).unwrap();
/// assert_eq!(start.position.to_string(), "4k3/8/8/8/8/8/8/4K2R w K - 0 1");
/// ```
#[derive(Clone, Debug)]
pub struct Start {
    /// The position before the first move.
    pub position: Position,
    /// How castling is written in UCI notation.
    pub mode: CastlingMode,
}

/// Why a game cannot be replayed at all.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StartFault {
    /// The `Variant` tag names a game with other rules.
    OtherVariant(Tag),
    /// The `FEN` tag cannot be read.
    UnreadableFen(Tag, FenError),
    /// The `FEN` tag describes a position that cannot be played.
    UnplayableFen(Tag, PositionFaults),
    /// There is only a part of a game, cut off from what stands before it.
    PartOfGame(GamePart),
}

impl Start {
    /// The start of a game, and the implausible features of its `FEN` tag.
    ///
    /// # Errors
    ///
    /// Why the game cannot be replayed.
    pub fn of(
        game: &Game,
        text: &[u8],
        initial: &Position,
    ) -> Result<(Start, PositionFaults), StartFault> {
        if let Some(part) = game.part() {
            return Err(StartFault::PartOfGame(part));
        }
        let mut variant = Variant::FromPosition;
        if let Some(tag) = game.known(TagName::Variant) {
            let value = tag.unescape(text);
            // A question mark is the PGN standard's word for an unknown value.
            if !matches!(&*value, b"?" | b"-") {
                variant = Variant::from_tag(&value).ok_or(StartFault::OtherVariant(tag))?;
            }
        }
        let (position, faults) = match Start::fen(game, text) {
            Some(tag) => {
                let mut setup = fen::parse(&tag.unescape(text))
                    .map_err(|error| StartFault::UnreadableFen(tag, error))?;
                // Without a number in the FEN, the game counts as its moves do.
                if !setup.knows_fullmoves {
                    setup.fullmoves = game.first_number(text).map_or(1, |(number, _)| number);
                }
                let mut faults = setup.faults();
                let chess960 = setup.chess960_rights();
                match variant {
                    _ if chess960.is_empty() => {}
                    Variant::Standard => {
                        setup.castling = setup.castling.without(chess960);
                        faults.insert(PositionFault::CastlingAgainstVariant);
                    }
                    Variant::FromPosition => faults.insert(PositionFault::CastlingOfChess960),
                    Variant::Chess960 => {}
                }
                match Position::new(&setup) {
                    Ok(position) => (position, faults),
                    Err(faults) => return Err(StartFault::UnplayableFen(tag, faults)),
                }
            }
            None => (initial.clone(), PositionFaults::NONE),
        };
        let mode = match variant {
            Variant::Chess960 => CastlingMode::Chess960,
            Variant::Standard | Variant::FromPosition => position.castling_mode(),
        };
        Ok((Start { position, mode }, faults))
    }

    /// The `FEN` tag, if it says anything.
    pub fn fen(game: &Game, text: &[u8]) -> Option<Tag> {
        game.known(TagName::Fen)
            .filter(|tag| !is_unknown(tag.value.of(text)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_standard_chess_and_chess960() {
        for name in ["Standard", "normal", "chess"] {
            assert_eq!(Variant::from_tag(name.as_bytes()), Some(Variant::Standard));
        }
        for name in ["From Position", "setup", ""] {
            let variant = Variant::from_tag(name.as_bytes());
            assert_eq!(variant, Some(Variant::FromPosition));
        }
        for name in [
            "Chess960",
            "Chess960 (Fischer Random)",
            "Fischer Random 960",
            "chess 960",
            "fischerandom",
            "Fischer Random",
            "Fischer-Random",
            "FRC",
            "wild/fr",
        ] {
            assert_eq!(Variant::from_tag(name.as_bytes()), Some(Variant::Chess960));
        }
        for name in [
            "Antichess",
            "Crazyhouse960",
            "Crazyhouse",
            "Atomic",
            "3check",
            "Losers",
        ] {
            assert_eq!(Variant::from_tag(name.as_bytes()), None);
        }
    }
}
