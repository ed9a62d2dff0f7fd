//! Passing movetext and comments, which are nearly all of a text.

use super::Splitter;
use super::state::State;
use crate::input::marks::{Block, Kind, Marks};

/// What can decide something in movetext or in a comment: braces, semicolons, and line feeds unless what follows them is
/// what nearly every line begins with.
pub(super) struct Decisive;

impl Kind for Decisive {
    #[inline]
    fn of(block: Block, next: Option<u8>) -> u64 {
        // White space, `%` and a byte order mark are among these.
        const LEAST: u8 = b'%' + 1;
        let begins = block.below_or_beyond_ascii(LEAST) | block.is(b'[');
        let next = next.is_none_or(|byte| !(LEAST..0x80).contains(&byte) || byte == b'[');
        let line = block.is(b'\n') & (begins >> 1 | u64::from(next) << 63);
        line | block.is(b'{') | block.is(b'}') | block.is(b';')
    }
}

impl Splitter {
    /// Passes movetext and comments up to the next byte that asks for another state: which, and where that byte stands; at
    /// the end of the bytes if there is none.
    #[inline]
    pub(super) fn pass(
        &mut self,
        marks: &mut Marks<'_, Decisive>,
        at: usize,
        mut in_comment: bool,
    ) -> (State, usize) {
        let bytes = marks.text();
        marks.seek(at);
        for found in marks {
            match (bytes[found], in_comment) {
                (b'{', false) => {
                    self.brace = self.fed + found as u64;
                    in_comment = true;
                }
                (b'}', true) => in_comment = false,
                (b'\n', false) => return (State::LineStart, found),
                (b'\n', true) => return (State::CommentLine { after_blank: false }, found),
                (b';', false) => return (State::RestOfLine, found),
                _ => {}
            }
        }
        let state = match in_comment {
            true => State::Comment,
            false => State::Movetext,
        };
        (state, bytes.len())
    }
}
