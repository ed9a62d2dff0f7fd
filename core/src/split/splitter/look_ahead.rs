//! Look-ahead of the splitter over short constructs.

use memchr::memchr;

use crate::text::{is_name_byte, may_be_odd_blank, odd_blank};

/// Beginning of a possible tag pair.
pub(crate) struct TagStart<'a> {
    pub(crate) name: &'a [u8],
    /// Whether a quote follows the name.
    pub(crate) is_tag: bool,
}

impl TagStart<'_> {
    /// Reads the text after a bracket. `is_lenient` allows blanks before the name, and a name
    /// without a blank after it.
    pub(crate) fn read(text: &[u8], is_lenient: bool) -> Option<TagStart<'_>> {
        let count = |from: usize, is_part: fn(u8) -> bool| {
            let rest = text[from..].iter();
            from + rest.take_while(|&&byte| is_part(byte)).count()
        };
        let is_blank = |byte| matches!(byte, b' ' | b'\t');
        let begin = if is_lenient { count(0, is_blank) } else { 0 };
        let end = count(begin, is_name_byte);
        let quote = count(end, is_blank);
        let is_quote = *text.get(quote)? == b'"';
        Some(TagStart {
            name: &text[begin..end],
            is_tag: is_quote && begin < end && (is_lenient || end < quote),
        })
    }
}

/// Length of an [`odd_blank`] at the beginning of a text, 0 if there is none. `None` if the text
/// ends too early to tell.
pub(crate) fn whole_odd_blank(text: &[u8]) -> Option<usize> {
    match odd_blank(text) {
        0 if may_be_odd_blank(text) => None,
        length => Some(length),
    }
}

/// The byte after the line feed of a line.
pub(crate) fn after_line(text: &[u8], at: usize) -> Option<usize> {
    Some(at + memchr(b'\n', &text[at..])? + 1)
}
