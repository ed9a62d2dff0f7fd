//! Ends of games, and the last bytes before them.

use crate::pgn::values::result;
use crate::text::Offset;

/// End of one game and, since games leave no gap, the beginning of the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameEnd {
    /// First byte after the game.
    pub at: Offset,
    /// Offset of the `{` of a comment still open at the end of the game.
    pub unclosed_comment: Option<Offset>,
    /// Evidence that the game ends here.
    pub kind: EndKind,
}

/// Evidence that a game ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum EndKind {
    /// A tag pair at the start of a line after movetext, or the end of the stream.
    #[default]
    Tags,
    /// Movetext after a blank line. It may belong to the same game.
    Movetext,
    /// A bracket after a blank line that may not begin a tag pair. It may belong to the movetext.
    Bracket,
    /// A tag pair in a tag section. It may belong to the same section.
    TagInSection(TagCause),
    /// A tag pair after little text that follows a tag section. It may belong to the same section.
    TagAfterWords,
    /// A tag pair after other text of its line.
    SameLine,
    /// A `1.` at the start of a line after a result mark.
    FirstNumber,
}

/// Why a tag pair in a tag section may begin another game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TagCause {
    /// It follows a blank line.
    Blank,
    /// It follows a broken tag pair.
    Broken,
    /// It repeats the first name of the section, or `Event`.
    Repeated,
}

impl GameEnd {
    pub(crate) fn new(at: u64, kind: EndKind) -> GameEnd {
        GameEnd {
            at: Offset(at),
            unclosed_comment: None,
            kind,
        }
    }
}

/// Last bytes before an offset, enough for a result mark and the blanks after it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Recent {
    bytes: [u8; Recent::MOST],
    len: usize,
}

impl Recent {
    const MOST: usize = 32;

    /// Last bytes before `at` in `bytes`, which follow these in the stream.
    pub(crate) fn before(&self, bytes: &[u8], at: usize) -> Recent {
        let mut recent = Recent::default();
        let taken = at.min(Recent::MOST);
        let kept = self.len.min(Recent::MOST - taken);
        recent.len = kept + taken;
        recent.bytes[..kept].copy_from_slice(&self.bytes[self.len - kept..self.len]);
        recent.bytes[kept..recent.len].copy_from_slice(&bytes[at - taken..at]);
        recent
    }

    /// Last `length` bytes.
    pub(crate) fn last(&self, length: usize) -> &[u8] {
        &self.bytes[self.len.saturating_sub(length)..self.len]
    }

    pub(crate) fn trimmed(&self) -> &[u8] {
        self.bytes[..self.len].trim_ascii_end()
    }

    /// Number of blanks and line ends at the end.
    pub(crate) fn blanks(&self) -> usize {
        self.len - self.trimmed().len()
    }

    /// Whether the last byte is `}`, ignoring blanks.
    pub(crate) fn ends_comment(&self) -> bool {
        self.trimmed().ends_with(b"}")
    }

    /// Whether the last word is a result mark, ignoring blanks.
    pub(crate) fn ends_with_result(&self) -> bool {
        let text = self.trimmed();
        if [&b"*"[..], b"1-0", b"0-1", b"1/2-1/2"]
            .iter()
            .any(|mark| text.ends_with(mark))
        {
            return true;
        }
        let word = text
            .rsplit(|byte| byte.is_ascii_whitespace() || b"})".contains(byte))
            .next();
        word.is_some_and(|word| result::read(word).is_valid())
    }

    /// Number of blanks and quotation marks (`>`) at the end, if nothing else precedes them on
    /// their line.
    pub(crate) fn indent(&self) -> Option<usize> {
        let bytes = &self.bytes[..self.len];
        let blanks = bytes
            .iter()
            .rev()
            .take_while(|&&byte| b" \t>".contains(&byte))
            .count();
        bytes[..bytes.len() - blanks]
            .ends_with(b"\n")
            .then_some(blanks)
    }
}
