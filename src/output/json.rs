//! JSON that is safe on a terminal.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::ser::{Formatter, Serializer};

use super::escape::acts;

/// Compact JSON in which every character that would act is written `\u202e`: the same string to whoever parses it.
struct Tame;

impl Formatter for Tame {
    fn write_string_fragment<W: ?Sized + Write>(
        &mut self,
        writer: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        let mut rest = fragment;
        while let Some((at, character)) = rest.char_indices().find(|&(_, c)| acts(c)) {
            writer.write_all(&rest.as_bytes()[..at])?;
            for unit in character.encode_utf16(&mut [0; 2]) {
                write!(writer, "\\u{unit:04x}")?;
            }
            rest = &rest[at + character.len_utf8()..];
        }
        writer.write_all(rest.as_bytes())
    }
}

/// A value as compact JSON, on one line.
///
/// # Panics
///
/// If the value has no JSON form: a map whose keys are not strings, or a type that refuses.
pub fn of(value: &impl Serialize) -> String {
    let mut bytes = Vec::with_capacity(256);
    value
        .serialize(&mut Serializer::with_formatter(&mut bytes, Tame))
        .expect("a structure of text and numbers has a JSON form");
    String::from_utf8(bytes).expect("JSON is UTF-8")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_act_is_escaped_and_comes_back() {
        let text = "\u{1b}[2J\n\u{7f}\u{9b}\u{202e}ü\u{e0041}\"\\";
        let json = of(&text);
        assert_eq!(
            json,
            "\"\\u001b[2J\\n\\u007f\\u009b\\u202eü\\udb40\\udc41\\\"\\\\\""
        );
        assert_eq!(serde_json::from_str::<String>(&json).unwrap(), text);
    }
}
