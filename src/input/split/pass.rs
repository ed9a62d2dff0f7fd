//! Prefilter for movetext and comments, which are nearly all of a text.

use crate::input::split::Splitter;
use crate::input::split::state::{State, TagStart};
use crate::text::byte_scan::{Block, ByteClass, ByteScan};

/// Bytes that may change the state in movetext or a comment. Excluded are line feeds before a usual
/// first character and the brackets of commands such as `[%clk 0:01:00]`.
pub(crate) struct Decisive;

impl ByteClass for Decisive {
    #[inline]
    fn of(block: Block, next: Option<u8>) -> u64 {
        // White space, `%` and the bytes of a byte order mark are outside `LEAST..0x80`.
        const LEAST: u8 = b'%' + 1;
        let low = block.below_or_beyond_ascii(LEAST);
        let bracket = block.is(b'[');
        let next_low = next.is_none_or(|byte| !(LEAST..0x80).contains(&byte));
        let next_begins = next_low || matches!(next, Some(b'[' | b'1'));
        let begins = low | bracket | block.is(b'1');
        let line = block.is(b'\n') & (begins >> 1 | u64::from(next_begins) << 63);
        let tag = bracket & !(low >> 1 | u64::from(next_low && next.is_some()) << 63);
        line | tag | block.is(b'{') | block.is(b'}') | block.is(b';')
    }

    #[inline]
    fn matches_at_end(byte: u8) -> bool {
        byte == b'['
    }
}

impl Splitter {
    /// Skips movetext and comments. Returns the next state and the index of the byte that requires
    /// it, or the end of the bytes.
    #[inline]
    pub(crate) fn pass(
        &mut self,
        marks: &mut ByteScan<'_, Decisive>,
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
                (b'[', false) => {
                    let before = self.recent.before(bytes, found);
                    self.bracket = self.fed + found as u64;
                    self.line = self.bracket - before.indent().unwrap_or_default() as u64;
                    let any_name = self.is_after_result(bytes, found);
                    return (State::TagInLine(TagStart::new(any_name)), found);
                }
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
