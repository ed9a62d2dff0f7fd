//! The reader of games: the parser, and language detection for words outside standard notation.

use crate::notation::LetterSet;
use crate::pgn::{Game, Parser};
use crate::replay::languages::LanguageDetector;
use crate::text::{Offset, TagFilter, TagPair};

/// Reads games one after the other. Its buffers are reused, so each thread has its own.
pub struct Reader {
    parser: Parser,
    languages: LanguageDetector,
}

impl Default for Reader {
    fn default() -> Reader {
        Reader::new()
    }
}

impl Reader {
    /// A reader with empty buffers.
    pub fn new() -> Reader {
        Reader {
            parser: Parser::new(),
            languages: LanguageDetector::new(None),
        }
    }

    /// A reader that has pgn-reader read plain games as well, for tests and benchmarks.
    pub fn doubting() -> Reader {
        Reader {
            parser: Parser::doubting(),
            ..Reader::new()
        }
    }

    /// Reads every game in these piece letters. By default they are English, or those in which the
    /// main line is legal to its end if it is not in English.
    #[must_use]
    pub fn in_letters(self, letters: Option<&'static LetterSet>) -> Reader {
        Reader {
            languages: LanguageDetector::new(letters),
            ..self
        }
    }

    /// Reads the text of one game, which is cut off at `unclosed_comment`, a `{` that never closes.
    pub fn read(&mut self, text: &[u8], unclosed_comment: Option<usize>) -> &Game {
        let (game, plain, defect) = self.parser.read(text, unclosed_comment);
        if !plain || self.languages.doubts(game) {
            self.languages.settle(text, game, defect);
        }
        game
    }

    /// Reads the tag pairs of one game.
    pub fn read_tags(&mut self, text: &[u8]) -> &Game {
        self.parser.read_tags(text)
    }

    /// Reads the tag pairs that `filter` accepts from their recorded places. `start` is the offset
    /// of the game. If any of them is unusual, all tag pairs are read from the text.
    #[inline]
    pub fn read_pairs(
        &mut self,
        text: &[u8],
        pairs: &[TagPair],
        start: Offset,
        filter: &TagFilter,
    ) -> &Game {
        self.parser.read_pairs(text, pairs, start, filter)
    }
}
