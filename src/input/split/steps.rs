//! Steps of the splitter: the pass over movetext and comments, which are nearly all of a text, and
//! the states in which few bytes are read. `inline(always)` takes 4 to 10 % of the time off
//! `stats`.

use fearless_simd::Simd;

use crate::input::encoding::END_OF_FILE_MARK;
use crate::input::split::end::{EndKind, GameEnd};
use crate::input::split::state::{Movetext, State, TagStart};
use crate::input::split::{BOM, NO_BRACE, Splitter};
use crate::text::byte_scan::{Block, ByteClass, ByteScan};
use crate::text::tag_pairs::TagObserver;
use crate::text::{Offset, TagLine};

/// Bytes that may change the state in movetext or a comment. Excluded are line feeds before a usual
/// first character and the brackets of commands such as `[%clk 0:01:00]`.
pub(crate) struct Decisive;

impl ByteClass for Decisive {
    #[inline(always)]
    fn of<S: Simd>(block: Block<S>, next: Option<u8>) -> u64 {
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

/// State after a byte.
pub(crate) enum Step {
    /// The byte has been read.
    Read(State),
    /// The byte is left to this state.
    Left(State),
}

impl Splitter {
    /// Skips movetext and comments. Returns the next state and the index of the byte that requires
    /// it, or the end of the bytes.
    #[inline(always)]
    pub(crate) fn pass(
        &mut self,
        marks: &mut ByteScan<'_, Decisive, impl Simd>,
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

    /// Reads byte `i` in a state that [`Splitter::feed_observed`] does not read itself.
    #[inline(always)]
    pub(crate) fn step(
        &mut self,
        state: State,
        bytes: &[u8],
        i: usize,
        ends: &mut Vec<GameEnd>,
        observer: &mut impl TagObserver,
    ) -> Step {
        let (byte, at) = (bytes[i], self.fed + i as u64);
        match state {
            State::Bom(2) | State::BeforeBom(2) if byte == BOM[2] => Step::Read(State::Before),
            State::Bom(seen) if byte == BOM[usize::from(seen)] => Step::Read(State::Bom(seen + 1)),
            State::Bom(0) => Step::Left(State::Before),
            // An incomplete mark is a token, hence a game without tags.
            State::Bom(_) => Step::Left(State::Movetext),
            State::BeforeBom(seen) if byte == BOM[usize::from(seen)] => {
                Step::Read(State::BeforeBom(seen + 1))
            }
            State::BeforeBom(_) => {
                // An incomplete mark is a token, and begins a game.
                self.begin(EndKind::Movetext, ends);
                Step::Left(State::Movetext)
            }
            State::Before => match byte {
                b' ' | b'\t' | b'\r' | b'\n' | 0 | END_OF_FILE_MARK => Step::Read(State::Before),
                b'%' => Step::Read(State::BeforeEscape),
                0xef => Step::Read(State::BeforeBom(1)),
                b'[' => {
                    self.begin(EndKind::Tags, ends);
                    observer.open(at);
                    Step::Read(State::Tag)
                }
                _ => {
                    self.begin(EndKind::Movetext, ends);
                    Step::Left(State::Movetext)
                }
            },
            State::LineStartBom(seen @ (1 | 2)) if byte == BOM[usize::from(seen)] => {
                Step::Read(State::LineStartBom(seen + 1))
            }
            State::LineStartBom(3) if byte == b'[' => {
                self.pending = Some(Offset(at - 3));
                Step::Left(State::Before)
            }
            State::LineStartBom(_) => Step::Left(State::Movetext),
            State::LineStartCr if byte == b'\n' => {
                self.pending = Some(Offset(at - 1));
                Step::Left(State::Before)
            }
            State::LineStartCr => Step::Left(State::Movetext),
            State::Indent => match byte {
                b' ' | b'\t' => Step::Read(State::Indent),
                b'1' if self.may_be_first_number(bytes, i) => {
                    Step::Read(State::FirstNumber { point: false })
                }
                _ => Step::Left(State::Movetext),
            },
            State::FirstNumber { point: false } if byte == b'.' => {
                Step::Read(State::FirstNumber { point: true })
            }
            State::FirstNumber { point } => {
                // `1...` is the number of a move by Black.
                if point && byte != b'.' {
                    ends.push(GameEnd::new(self.line, EndKind::FirstNumber));
                    self.brace = NO_BRACE;
                }
                Step::Left(State::Movetext)
            }
            State::TagInLine(tag) => match tag.feed(byte) {
                Some(false) => Step::Left(State::Movetext),
                Some(true) => {
                    let end = GameEnd::new(self.line, EndKind::SameLine);
                    self.end_before_tag(end, at, ends, observer)
                }
                None => Step::Read(State::TagInLine(tag.after(byte))),
            },
            State::CommentLine { after_blank } => match byte {
                b'\n' => Step::Read(State::CommentLine { after_blank: true }),
                b' ' | b'\t' | b'\r' => Step::Read(State::CommentSpace),
                b'[' => {
                    self.bracket = at;
                    // Without a blank line, only `Event` will do.
                    Step::Read(State::CommentTag(TagStart::new(after_blank)))
                }
                _ => Step::Left(State::Comment),
            },
            State::CommentSpace => match byte {
                b'\n' => Step::Read(State::CommentLine { after_blank: true }),
                b' ' | b'\t' | b'\r' => Step::Read(State::CommentSpace),
                _ => Step::Left(State::Comment),
            },
            State::CommentTag(tag) => match tag.feed(byte) {
                Some(false) => Step::Left(State::Comment),
                Some(true) => {
                    let end = GameEnd {
                        unclosed_comment: Some(Offset(self.brace)),
                        ..GameEnd::new(self.bracket, EndKind::Tags)
                    };
                    self.end_before_tag(end, at, ends, observer)
                }
                None => Step::Read(State::CommentTag(tag.after(byte))),
            },
            State::Doubtful { line, otherwise } => self.doubtful(line, otherwise, byte, at),
            State::Tag
            | State::Value
            | State::ValueEscape
            | State::Quoted
            | State::Between { .. }
            | State::BeforeEscape
            | State::BetweenEscape
            | State::RestOfLine
            | State::LineStart
            | State::Movetext
            | State::Comment => unreachable!("a state of `feed_observed`"),
        }
    }

    /// Ends a game before the tag pair at `bracket`, whose value begins after `quote`.
    #[inline(always)]
    fn end_before_tag(
        &mut self,
        end: GameEnd,
        quote: u64,
        ends: &mut Vec<GameEnd>,
        observer: &mut impl TagObserver,
    ) -> Step {
        ends.push(end);
        self.brace = NO_BRACE;
        observer.open(self.bracket);
        observer.quote(quote);
        Step::Read(State::Value)
    }

    #[inline(always)]
    fn doubtful(&mut self, mut line: TagLine, mut otherwise: Movetext, byte: u8, at: u64) -> Step {
        match (otherwise, byte) {
            (Movetext::Plain, b'{') => {
                self.brace = at;
                otherwise = Movetext::Comment;
            }
            (Movetext::Plain, b';') => otherwise = Movetext::RestOfLine,
            (Movetext::Comment, b'}') => otherwise = Movetext::Plain,
            _ => {}
        }
        match (line.feed(byte), otherwise) {
            (None, _) => Step::Read(State::Doubtful { line, otherwise }),
            (Some(true), _) => Step::Left(State::before_bracket(false)),
            (Some(false), Movetext::Comment) => {
                Step::Read(State::CommentLine { after_blank: false })
            }
            (Some(false), Movetext::Plain | Movetext::RestOfLine) => Step::Read(State::LineStart),
        }
    }
}
