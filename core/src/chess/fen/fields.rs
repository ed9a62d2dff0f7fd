//! Fields and characters of a FEN.

/// Whether a character separates fields. Blanks outside ASCII do, although they are errors.
pub(super) fn is_blank(character: char) -> bool {
    character.is_ascii_whitespace() || !character.is_ascii() && character.is_whitespace()
}

/// The characters of a text, each with its byte offset. Bytes that are not UTF-8 are Latin-1.
pub(super) fn characters(text: &[u8]) -> impl Iterator<Item = (usize, char)> {
    let mut next = 0;
    std::iter::from_fn(move || {
        let at = next;
        let (character, length) = first_character(text.get(at..).filter(|it| !it.is_empty())?);
        next += length;
        Some((at, character))
    })
}

/// The first character of a text that is not empty, and its length in bytes.
#[inline]
pub(crate) fn first_character(text: &[u8]) -> (char, usize) {
    if text[0].is_ascii() {
        return (text[0].into(), 1);
    }
    let lengths = 2..=text.len().min(4);
    let character = lengths
        .filter_map(|length| std::str::from_utf8(&text[..length]).ok()?.chars().next())
        .next();
    character.map_or((text[0].into(), 1), |it| (it, it.len_utf8()))
}

/// Words between white space, each with its byte offset.
pub(super) struct Fields<'a> {
    pub(super) text: &'a [u8],
    pub(super) at: usize,
}

impl<'a> Iterator for Fields<'a> {
    type Item = (usize, &'a [u8]);

    fn next(&mut self) -> Option<(usize, &'a [u8])> {
        let start = self.pass(true);
        let word = &self.text[start..self.pass(false)];
        (!word.is_empty()).then_some((start, word))
    }
}

impl Fields<'_> {
    /// Passes the blanks at the current place, or the other characters, and returns where they end.
    #[inline]
    fn pass(&mut self, blanks: bool) -> usize {
        while let Some(&byte) = self.text.get(self.at) {
            let (character, length) = match byte.is_ascii() {
                true => (byte.into(), 1),
                false => first_character(&self.text[self.at..]),
            };
            if is_blank(character) != blanks {
                break;
            }
            self.at += length;
        }
        self.at
    }
}
