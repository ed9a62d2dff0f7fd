//! Escaping of text from files for terminals, CSV and XML.

use std::borrow::Cow;
use std::fmt::{self, Write};

use unicode_width::UnicodeWidthChar;

/// Displays text with control characters escaped, as `\u{1b}`, and tabs as spaces. Commands of CI
/// logs are escaped too.
#[derive(Clone, Copy, Debug)]
pub struct Escaped<'a>(pub &'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if is_plain(self.0) {
            return f.write_str(self.0);
        }
        let escaped = with_escapes(self.0, |it| is_escaped(self.0, it));
        f.write_str(&escaped.replace('\t', " "))
    }
}

/// Beginnings of commands in logs of GitHub, Azure Pipelines and `TeamCity`. GitHub also executes
/// `::` at the start of a line, after any white space.
const COMMANDS: [&str; 3] = ["##[", "##vso[", "##teamcity["];

/// Whether a character at an offset of a text is escaped. Text may be wrapped, so every word counts
/// as the start of a line.
fn is_escaped(text: &str, (at, character): (usize, char)) -> bool {
    character == ':' && text[..at].trim_start().is_empty() || is_unsafe(&text[at..], character)
}

/// Whether the first character of a text acts on a terminal, or begins a command of a CI log.
fn is_unsafe(text: &str, first: char) -> bool {
    match first {
        ':' => text.starts_with("::"),
        '#' => COMMANDS.iter().any(|command| text.starts_with(command)),
        _ => acts(first),
    }
}

/// True only if neither [`Escaped`] nor [`in_table`] changes a text; fast, with false negatives.
pub fn is_plain(text: &str) -> bool {
    let is_marked = |at: usize| {
        let rest = &text.as_bytes()[at..];
        matches!(
            rest,
            [b':', b':', ..] | [b'#', b'#', ..] | [b'\\', b'u', ..]
        )
    };
    is_printable_ascii(text)
        && !memchr::memchr3_iter(b':', b'#', b'\\', text.as_bytes()).any(is_marked)
        && !text.trim_ascii_start().starts_with(':')
}

/// Appends text as [`Escaped`] does.
pub fn push_escaped(out: &mut impl Write, text: &str) {
    if is_plain(text) {
        let _ = out.write_str(text);
    } else {
        // Writing to memory does not fail.
        let _ = write!(out, "{}", Escaped(text));
    }
}

/// Text with control characters and commands of CI logs escaped, except line feeds and tabs, which
/// quoted CSV fields may contain. Escapes in the text are escaped too, so that no two become one.
pub fn in_table(text: &str) -> Cow<'_, str> {
    if is_plain(text) {
        return Cow::Borrowed(text);
    }
    let is_escaped = |(at, character): (usize, char)| match character {
        '\n' => false,
        '\\' => text[at..].starts_with("\\u{"),
        _ => is_unsafe(&text[at..], character),
    };
    with_escapes(text, is_escaped)
}

/// Text with some of its characters escaped, which are given by offset and character.
fn with_escapes(text: &str, is_escaped: impl Fn((usize, char)) -> bool) -> Cow<'_, str> {
    if !text.char_indices().any(&is_escaped) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 8);
    for (at, character) in text.char_indices() {
        if is_escaped((at, character)) {
            escaped.extend(character.escape_unicode());
        } else {
            escaped.push(character);
        }
    }
    Cow::Owned(escaped)
}

/// Text of games on a terminal: control characters other than tabs and line ends, and bytes that
/// are not UTF-8, are escaped.
pub fn on_terminal(text: &[u8]) -> String {
    let mut shown = String::with_capacity(text.len());
    for chunk in text.utf8_chunks() {
        let valid = chunk.valid();
        shown += &with_escapes(valid, |(at, character)| {
            acts(character) && character != '\n' && !valid[at..].starts_with("\r\n")
        });
        for byte in chunk.invalid() {
            let _ = write!(shown, "\\x{byte:02x}");
        }
    }
    shown
}

/// Escaping of text in CSV cells; numbers are not affected.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Cells {
    /// No escaping of formulas.
    #[default]
    Exact,
    /// With a leading `'` before text that a spreadsheet program would run as a formula.
    Safe,
}

impl Cells {
    /// Text of a cell, without quotes.
    pub fn text(self, text: &str) -> Cow<'_, str> {
        let in_table = in_table(text);
        // Apostrophes before a formula get another one, so that no two texts become one.
        match self == Cells::Safe && is_formula(text.trim_start_matches('\'')) {
            true => Cow::Owned(format!("'{in_table}")),
            false => in_table,
        }
    }
}

/// True if a spreadsheet program would run a text as a formula (OWASP, "CSV Injection"), also in
/// full-width characters.
fn is_formula(text: &str) -> bool {
    text.starts_with(['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'])
}

/// Whether all characters are printable ASCII.
pub fn is_printable_ascii(text: &str) -> bool {
    let printable = |byte: u8| (b' '..=b'~').contains(&byte);
    text.bytes().fold(true, |all, byte| all & printable(byte))
}

/// Text with control characters escaped, as well as the two other characters that XML 1.0 forbids
/// (section 2.2).
pub fn in_xml(text: &str) -> String {
    let is_forbidden = |character| matches!(character, '\u{fffe}' | '\u{ffff}');
    let escaped = with_escapes(text, |(_, it)| acts(it) || is_forbidden(it));
    escaped.replace('\t', " ")
}

/// Displays text between tags or quotes of XML and HTML.
pub struct Xml<'a>(pub &'a str);

impl fmt::Display for Xml<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for character in self.0.chars() {
            match character {
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '&' => f.write_str("&amp;")?,
                '\'' => f.write_str("&apos;")?,
                '"' => f.write_str("&quot;")?,
                character => f.write_char(character)?,
            }
        }
        Ok(())
    }
}

/// True if a character is unsafe to print: control characters, line and paragraph separators,
/// bidirectional marks and overrides, and other invisible format characters. A tab is safe.
pub fn acts(character: char) -> bool {
    character != '\t' && character.is_control()
        || character >= '\u{ad}'
            && matches!(
                character,
                '\u{ad}'
                    | '\u{61c}'
                    | '\u{180e}'
                    | '\u{200b}'..='\u{200f}'
                    | '\u{2028}'..='\u{202e}'
                    | '\u{2060}'..='\u{206f}'
                    | '\u{feff}'
                    | '\u{fff9}'..='\u{fffb}'
                    | '\u{e0000}'..='\u{e007f}'
            )
}

/// Width of the escaped text on a terminal, in columns.
pub fn width(text: &str) -> usize {
    if is_plain(text) {
        return text.len();
    }
    text.char_indices()
        .map(|it| match is_escaped(text, it) {
            true => it.1.escape_unicode().count(),
            false => character_width(it.1),
        })
        .sum()
}

/// Width of the escaped character on a terminal; East Asian characters may take two columns.
pub fn character_width(character: char) -> usize {
    if acts(character) {
        character.escape_unicode().count()
    } else if character == '\t' {
        1
    } else {
        character.width().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_spelled_out() {
        let text = "a\u{1b}[31m\tb\u{202e}\u{61c}\u{e0041}";
        let escaped = "a\\u{1b}[31m b\\u{202e}\\u{61c}\\u{e0041}";
        assert_eq!(Escaped(text).to_string(), escaped);
        assert_eq!(width(text), escaped.len());
    }

    #[test]
    fn width_is_that_of_a_terminal() {
        assert_eq!(width("Müller"), 6);
        assert_eq!(width("羽生"), 4);
        assert_eq!(width("e\u{301}"), 1);
    }

    #[test]
    fn a_table_keeps_line_feeds_and_tabs() {
        assert_eq!(in_table("a\n\tb"), "a\n\tb");
        assert_eq!(in_table("a\r\n\u{1b}"), "a\\u{d}\n\\u{1b}");
    }

    #[test]
    fn no_two_texts_are_one_in_a_table() {
        for (text, cell) in [
            ("\u{1b}", "\\u{1b}"),
            ("\\u{1b}", "\\u{5c}u{1b}"),
            ("\\u{5c}u{1b}", "\\u{5c}u{5c}u{1b}"),
            ("C:\\users\\n", "C:\\users\\n"),
            ("::error::x", "\\u{3a}:error\\u{3a}:x"),
            ("a\n::x", "a\n\\u{3a}:x"),
            ("12:30 :-)", "12:30 :-)"),
            ("##teamcity[x", "\\u{23}#teamcity[x"),
            ("Qh7## 1", "Qh7## 1"),
        ] {
            assert_eq!(in_table(text), cell);
        }
    }

    #[test]
    fn games_on_a_terminal_keep_line_ends_and_letters_only() {
        assert_eq!(on_terminal("é\t\r\n".as_bytes()), "é\t\r\n");
        assert_eq!(
            on_terminal(b"a\rb\x1b]0;t\x07"),
            "a\\u{d}b\\u{1b}]0;t\\u{7}"
        );
        assert_eq!(on_terminal(b"M\xfcller \x9b"), "M\\xfcller \\x9b");
        assert_eq!(on_terminal("\u{9b}".as_bytes()), "\\u{9b}");
    }

    #[test]
    fn no_cell_is_taken_for_a_formula() {
        for (text, cell) in [
            ("", ""),
            ("Short", "Short"),
            ("=1+1", "'=1+1"),
            ("+1,2", "'+1,2"),
            ("-5", "'-5"),
            ("@SUM(A1)", "'@SUM(A1)"),
            ("\t=1", "'\t=1"),
            ("\r=1", "'\\u{d}=1"),
            ("＝1", "'＝1"),
            ("'=1+1", "''=1+1"),
            ("'t Hart", "'t Hart"),
            ("1-0", "1-0"),
        ] {
            assert_eq!(Cells::Safe.text(text), cell);
            assert_eq!(Cells::Exact.text(text), in_table(text));
        }
    }

    #[test]
    fn a_log_of_github_or_azure_takes_no_text_for_a_command() {
        for (text, shown) in [
            ("::error::x", "\\u{3a}:error\\u{3a}:x"),
            ("\u{a0}\t::x", "\u{a0} \\u{3a}:x"),
            (":", "\\u{3a}"),
            ("a ::warning", "a \\u{3a}:warning"),
            ("12:30", "12:30"),
            ("a ##[group]", "a \\u{23}#[group]"),
            ("##vso[x]", "\\u{23}#vso[x]"),
            ("##teamcity[x]", "\\u{23}#teamcity[x]"),
            ("Qh7## 1", "Qh7## 1"),
        ] {
            let escaped = Escaped(text).to_string();
            assert_eq!(escaped, shown);
            assert_eq!(width(text), escaped.chars().count());
        }
    }

    #[test]
    fn nothing_is_left_that_xml_forbids() {
        assert_eq!(in_xml("a\u{0}\u{b}\u{ffff}b"), "a\\u{0}\\u{b}\\u{ffff}b");
    }
}
