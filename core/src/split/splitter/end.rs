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
    /// It follows little text after the section, which may be no movetext.
    Words,
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

/// Last bytes before `at`, enough for a result mark and the blanks after it.
pub(crate) fn last_bytes(text: &[u8], at: usize) -> &[u8] {
    &text[at.saturating_sub(32)..at]
}

/// Whether the last word of a text is a result mark.
pub(crate) fn ends_with_result(text: &[u8]) -> bool {
    let marks = [&b"*"[..], b"1-0", b"0-1", b"1/2-1/2"];
    if marks.iter().any(|mark| text.ends_with(mark)) {
        return true;
    }
    let word = text
        .rsplit(|byte| byte.is_ascii_whitespace() || b"})".contains(byte))
        .next();
    word.is_some_and(|word| result::read(word).is_valid())
}

/// Start of the line of `at`, if only blanks and quotation marks (`>`) precede it; else `at`.
pub(crate) fn line_of(text: &[u8], at: usize) -> usize {
    let before = last_bytes(text, at);
    let blanks = before.iter().rev();
    let blanks = blanks.take_while(|byte| b" \t>".contains(byte)).count();
    match before[..before.len() - blanks].ends_with(b"\n") {
        true => at - blanks,
        false => at,
    }
}
