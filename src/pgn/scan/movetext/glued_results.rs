//! Result marks directly after a move: `R8xg20-1`, `Qh5#1-0`.

use crate::pgn::game::{FaultKind, TokenKind};
use crate::pgn::scan::movetext::{Movetext, token_end};
use crate::pgn::values::result::ResultMark;

/// Results found directly after moves, the longest first.
const RESULTS: [(&str, ResultMark); 13] = [
    ("1/2\u{2013}1/2", ResultMark::Draw),
    ("1/2-1/2", ResultMark::Draw),
    ("1/2:1/2", ResultMark::Draw),
    ("\u{bd}\u{2013}\u{bd}", ResultMark::Draw),
    ("\u{bd}-\u{bd}", ResultMark::Draw),
    ("\u{bd}:\u{bd}", ResultMark::Draw),
    ("1\u{2013}0", ResultMark::White),
    ("0\u{2013}1", ResultMark::Black),
    ("1-0", ResultMark::White),
    ("0-1", ResultMark::Black),
    ("1:0", ResultMark::White),
    ("0:1", ResultMark::Black),
    ("1/2", ResultMark::Draw),
];

impl Movetext<'_> {
    /// Reports a result directly after castling with zeros, which pgn-reader ends there: `0-01-0`.
    #[cold]
    pub(crate) fn result_behind_castling(&mut self) {
        let end = token_end(self.text, self.at);
        let word = &self.text[self.at..end];
        if RESULTS.iter().any(|(text, _)| text.as_bytes() == word) {
            self.fault(FaultKind::GluedResult, self.at, end);
        }
    }

    /// Reads a word that is a move directly followed by a result; returns whether it is one. The
    /// move is left to be read like any other nonstandard word. `end` is where pgn-reader
    /// continues.
    #[cold]
    pub(crate) fn glued_result(&mut self, start: usize, end: usize) -> bool {
        let word_end = token_end(self.text, start);
        let word = &self.text[start..word_end];
        let Some((before, mark)) = RESULTS
            .iter()
            .find_map(|&(text, mark)| Some((word.strip_suffix(text.as_bytes())?, mark)))
        else {
            return false;
        };
        if !may_be_move(before) {
            return false;
        }
        let result = start + before.len();
        self.unreadable_up_to(start, result);
        self.fault(FaultKind::GluedResult, result, word_end);
        self.at = result;
        // The main loop reads what pgn-reader reads as well.
        if result != end {
            self.end_of_game(TokenKind::NonstandardResult(Some(mark)), word_end - result);
        }
        true
    }
}

/// Whether a word may be a move in some notation: it names a square, or castles.
fn may_be_move(word: &[u8]) -> bool {
    let is_square = |pair: &[u8]| matches!(pair, [b'a'..=b'h' | b'A'..=b'H', b'1'..=b'8']);
    let castles = word.len() >= 3 && word.iter().all(|byte| b"Oo0-+#\xe2\x80\x93".contains(byte));
    castles || word.windows(2).any(is_square)
}
