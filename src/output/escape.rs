//! Text from files on its way to a terminal, where a control character must not act.

use std::fmt::{self, Write};

/// Shows a text with its control characters escaped.
#[derive(Clone, Copy, Debug)]
pub struct Escaped<'a>(pub &'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for character in self.0.chars() {
            if acts(character) {
                write!(f, "{}", character.escape_unicode())?;
            } else if character == '\t' {
                f.write_char(' ')?;
            } else {
                f.write_char(character)?;
            }
        }
        Ok(())
    }
}

/// Whether a character does something to a terminal or to the order of what is shown: control characters, and the
/// marks and overrides of bidirectional text.
fn acts(character: char) -> bool {
    character != '\t' && character.is_control()
        || matches!(character, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

/// How many columns the escaped text takes, were every character one column wide.
pub fn width(text: &str) -> usize {
    text.chars()
        .map(|character| {
            if acts(character) {
                character.escape_unicode().count()
            } else {
                1
            }
        })
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_spelled_out() {
        let text = "a\u{1b}[31m\tb\u{202e}";
        assert_eq!(Escaped(text).to_string(), "a\\u{1b}[31m b\\u{202e}");
        assert_eq!(width(text), Escaped(text).to_string().chars().count());
    }
}
