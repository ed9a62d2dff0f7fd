//! Places of the splitter in a text.

/// Place between two constructs of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) enum Place {
    /// Before the first tag or move of a game.
    #[default]
    Before,
    /// In a list of positions, at the start of a line or after blanks.
    Positions,
    /// After the `[` of a tag pair.
    Tag,
    /// In a tag value.
    Value,
    /// After a tag value and blanks.
    Quoted,
    Between(Between),
    /// In movetext.
    Movetext,
    /// In movetext, directly after `\n`.
    LineStart,
    /// In movetext, in a comment to the end of the line, or in a `%` line.
    RestOfLine,
    /// In a comment.
    Comment,
    /// In a comment, directly after `\n`. `after_blank` is set if the line before was blank.
    CommentLine {
        after_blank: bool,
    },
}

/// Place between two tags.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) struct Between {
    /// Whether a tag value or a broken tag pair precedes, and a bracket may close it.
    pub(crate) may_close: bool,
    /// Whether the line is blank so far.
    pub(crate) line_start: bool,
    /// Whether the line before was blank.
    pub(crate) after_blank: bool,
}

impl Place {
    /// After the bracket that closes a tag pair, or a comment after it.
    pub(crate) const AFTER_BRACKET: Place = Place::between(false, false);

    /// At the start of a line between tags, after a line that is not blank.
    pub(crate) const LINE_BETWEEN: Place = Place::between(false, true);

    /// Between tags, after a line that is not blank.
    pub(crate) const fn between(may_close: bool, line_start: bool) -> Place {
        Place::Between(Between {
            may_close,
            line_start,
            after_blank: false,
        })
    }
}

/// Tags of the current section by which the next game may begin without a blank line, and the text
/// after them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Section {
    /// Key of the first name; 0 before it.
    pub(crate) first: u64,
    /// Whether an `Event` tag follows another.
    pub(crate) has_event: bool,
    /// Whether the splitter has already reported the current tag pair as a possible beginning.
    pub(crate) is_reported: bool,
    /// Offset of the text after the last tag pair, unless a blank line precedes it.
    pub(crate) words: Option<u64>,
}

impl Section {
    /// Maximum length of a name with the blanks around it, in bytes.
    pub(crate) const LONGEST_NAME: usize = 30;

    const EVENT: u64 = u64::from_le_bytes(*b"Event \0\0");

    /// Adds a tag by the text between its bracket and its quote. Returns whether it may begin
    /// another section: it repeats the first tag, or `Event`.
    #[inline(always)]
    pub(crate) fn repeats(&mut self, name: &[u8]) -> bool {
        let is_other = name
            .first_chunk()
            .is_some_and(|&begin| !self.may_repeat(begin));
        if is_other || name.len() > Section::LONGEST_NAME {
            return false;
        }
        self.repeats_name(name)
    }

    /// Whether a name that begins like this may be the first of the section, or `Event`.
    #[inline(always)]
    fn may_repeat(&self, begin: [u8; 2]) -> bool {
        let begin = u64::from(u16::from_le_bytes(begin));
        self.first == 0 || [self.first & 0xffff, Section::EVENT & 0xffff].contains(&begin)
    }

    /// As [`Section::repeats`], for a name that may. Not inlined: few names need it.
    #[inline(never)]
    fn repeats_name(&mut self, name: &[u8]) -> bool {
        let key = key_of(name);
        if self.first == 0 {
            self.first = key;
            return false;
        }
        if key == Section::EVENT && key != self.first {
            return std::mem::replace(&mut self.has_event, true);
        }
        key == self.first
    }
}

/// First six bytes of a name and the blank after it.
fn key_of(name: &[u8]) -> u64 {
    match name.first_chunk::<6>() {
        Some(&[a, b, c, d, e, f]) => u64::from_le_bytes([a, b, c, d, e, f, 0, 0]),
        None => {
            let mut bytes = [0; 8];
            bytes[..name.len()].copy_from_slice(name);
            u64::from_le_bytes(bytes)
        }
    }
}
