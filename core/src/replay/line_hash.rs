//! Hash of the moves of a main line, however they are written.

use crate::chess::Position;
use crate::pgn::{Game, TagName, Token, TokenKind};
use crate::replay::{Replay, Start, main_line};

/// Hash of the positions of a main line from its start: the sum of their keys, each times the
/// `factor` of its ply. Equal for equal moves from equal positions; different lines share one
/// with a chance of 2⁻⁶⁴. Moves that cannot be played are hashed as text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LineHash {
    /// Hash of the moves so far.
    pub value: u64,
    /// Number of the moves so far.
    pub plies: u32,
    /// Hash of the first [`LineHash::OPENING`] moves.
    pub(crate) opening: u64,
    /// Key of the last position. After a move that cannot be played, no other line has it.
    pub last: u64,
}

impl LineHash {
    /// Length of an opening, in plies.
    pub const OPENING: u32 = 20;

    /// Begins at a position with this key.
    fn at(start: u64) -> LineHash {
        LineHash {
            value: start,
            last: start,
            ..LineHash::default()
        }
    }

    /// Begins a game that cannot be replayed: by the text of its start.
    fn unplayed(game: &Game, text: &[u8]) -> LineHash {
        let tags = [TagName::Variant, TagName::Fen];
        let values = tags.map(|name| game.known(name).map(|tag| tag.value.of(text)));
        let [variant, fen] = values.map(|value| of_text(value.unwrap_or_default()));
        LineHash::at(mix(variant, fen))
    }

    /// Adds a move by the key of the position that it leads to.
    #[inline]
    fn add(&mut self, after: u64) {
        self.plies += 1;
        let term = after.wrapping_mul(factor(self.plies as usize));
        self.value = self.value.wrapping_add(term);
        self.last = after;
        if self.plies == LineHash::OPENING {
            self.opening = self.value;
        }
    }

    /// Adds the moves that were not played: those `from` this place on.
    fn add_unplayed(
        &mut self,
        game: &Game,
        text: &[u8],
        from: u32,
        mut each: impl FnMut(LineHash),
    ) {
        for token in main_line(game).filter(|token| token.span.start >= from) {
            self.add(mix(self.value, of_text(token.span.of(text))));
            each(*self);
        }
    }

    /// Hash of a game that has been replayed up to its first null move, by the `keys` of its
    /// positions, the first included; none if the game has no start.
    pub fn of_keys(
        game: &Game,
        text: &[u8],
        initial: &Position,
        mut keys: impl Iterator<Item = u64>,
    ) -> LineHash {
        let Some(start) = keys.next() else {
            return LineHash::of_each_move(game, text, initial, false, |_| {});
        };
        let mut line = LineHash::at(start);
        keys.for_each(|key| line.add(key));
        // The first tokens hold no more moves than there are of them.
        let plies = line.plies as usize;
        let rest = game.tokens.get(plies..).unwrap_or_default();
        let is_move =
            |token: &Token| matches!(token.kind, TokenKind::San(_) | TokenKind::Unreadable);
        if rest.iter().any(is_move)
            && let Some(stop) = main_line(game).nth(plies)
        {
            line.add_unplayed(game, text, stop.span.start, |_| {});
        }
        line
    }

    /// Passes the hash after each move of a game to `each`.
    pub fn of_each_move(
        game: &Game,
        text: &[u8],
        initial: &Position,
        null_moves: bool,
        mut each: impl FnMut(LineHash),
    ) -> LineHash {
        let Ok((start, _)) = Start::of(game, text, initial) else {
            let mut line = LineHash::unplayed(game, text);
            line.add_unplayed(game, text, 0, each);
            return line;
        };
        let mut line = LineHash::at(start.position.key());
        let mut replay = Replay::new(game, start.position).with_null_moves(null_moves);
        replay.each(|replay, _| {
            line.add(replay.position().key());
            each(line);
        });
        if let Some(stop) = replay.stop() {
            line.add_unplayed(game, text, stop.token.span.start, each);
        }
        line
    }
}

/// Odd multiplier: 2⁶⁴ divided by the golden ratio.
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

/// Odd multiplier of the key of the position after `ply` moves.
#[inline]
fn factor(ply: usize) -> u64 {
    FACTOR.wrapping_mul(ply as u64) | 1
}

/// Adds a number to a hash.
#[inline]
pub fn mix(hash: u64, number: u64) -> u64 {
    let product = (hash ^ number).wrapping_mul(FACTOR);
    product ^ product >> 32
}

/// Hash of a text, the same in every run.
pub fn of_text(text: &[u8]) -> u64 {
    let (words, rest) = text.as_chunks();
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    let words = words.iter().chain([&last]);
    let hash = words.fold(0, |hash, &word| mix(hash, u64::from_le_bytes(word)));
    mix(hash, text.len() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::replay::Reader;

    fn hashes(text: &str) -> Vec<u64> {
        let mut reader = Reader::new();
        let game = reader.read(text.as_bytes(), None);
        let mut hashes = Vec::new();
        let initial = Position::initial();
        let whole = LineHash::of_each_move(game, text.as_bytes(), &initial, false, |line| {
            hashes.push(line.value);
        });
        assert_eq!(hashes.last(), Some(&whole.value));
        assert_eq!(hashes.len(), whole.plies as usize);
        hashes
    }

    #[test]
    fn moves_count_and_not_their_notation() {
        let game = hashes("1. e4 e5 2. Nf3 Nc6 3. Bb5 *");
        for same in [
            "1. e4 {best} e5 (1... c5 2. Nf3) 2. Nf3 $1 Nc6 3. Bb5 1-0",
            "e2e4 e7e5 Ng1-f3 Nb8-c6 Bf1-b5 *",
            "[SetUp \"1\"]\n[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"]\n\n\
             1. e4 e5 2. Nf3 Nc6 3. Bb5 *",
        ] {
            assert_eq!(hashes(same), game, "{same}");
        }
        assert_eq!(hashes("1. e4 e5 2. Nf3 Nc6 *"), game[..4]);
        let transposed = hashes("1. Nf3 Nc6 2. e4 e5 3. Bb5 *");
        assert!(transposed.iter().all(|hash| !game.contains(hash)));
    }

    #[test]
    fn the_keys_of_a_replay_give_the_same_hash() {
        for text in [
            "1. e4 e5 2. Nf3 Nc6 *",
            "1. e4 e5 2. Ke3 {?} Nc6 *",
            "1. e4 -- 2. Nf3 Nc6 *",
            "[FEN \"nonsense\"]\n\n1. e4 e5 *",
            "[FEN \"8/8/8/8/8/4k3/4p3/4K3 b - - 0 1\"]\n\n1... Kf3 *",
        ] {
            let (mut reader, text) = (Reader::new(), text.as_bytes());
            let (game, initial) = (reader.read(text, None), Position::initial());
            let mut keys = Vec::new();
            if let Ok((start, _)) = Start::of(game, text, &initial) {
                keys.push(start.position.key());
                let mut replay = Replay::new(game, start.position);
                replay.each(|replay, _| keys.push(replay.position().key()));
            }
            let hash = LineHash::of_keys(game, text, &initial, keys.into_iter());
            let whole = LineHash::of_each_move(game, text, &initial, false, |_| {});
            assert_eq!(hash, whole, "{}", text.escape_ascii());
        }
    }

    #[test]
    fn moves_after_an_illegal_one_count_as_text() {
        let game = hashes("1. e4 e5 2. Ke3 Nc6 *");
        assert_eq!(game.len(), 4);
        assert_eq!(game, hashes("1. e4 e5 2. Ke3 {?} Nc6 *"));
        assert_ne!(game, hashes("1. e4 e5 2. Ke3 Nf6 *"));
        assert_eq!(game[..2], hashes("1. e4 e5 *"));
    }
}
