//! JSON that is safe on a terminal.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::ser::{CompactFormatter, Formatter, PrettyFormatter, Serializer};

use crate::report::escape::{acts, is_printable_ascii};

/// Rounds to six places, so that the text is the same on every machine.
pub(crate) fn rounded(number: f64) -> f64 {
    (number * 1e6).round() / 1e6
}

/// JSON formatter that escapes unsafe characters (`\u202e`); parsers read the same string.
struct SafeFormatter<F> {
    layout: F,
    rounds: bool,
}

/// Delegates the layout.
macro_rules! laid_out {
    ($($name:ident($($argument:ident: $type:ty),*);)*) => {
        $(
            fn $name<W: ?Sized + Write>(
                &mut self,
                writer: &mut W
                $(, $argument: $type)*
            ) -> io::Result<()> {
                self.layout.$name(writer $(, $argument)*)
            }
        )*
    };
}

impl<F: Formatter> Formatter for SafeFormatter<F> {
    laid_out! {
        begin_array();
        end_array();
        begin_array_value(first: bool);
        end_array_value();
        begin_object();
        end_object();
        begin_object_key(first: bool);
        end_object_key();
        begin_object_value();
        end_object_value();
    }

    fn write_f64<W: ?Sized + Write>(&mut self, writer: &mut W, number: f64) -> io::Result<()> {
        let number = if self.rounds { rounded(number) } else { number };
        self.layout.write_f64(writer, number)
    }

    fn write_string_fragment<W: ?Sized + Write>(
        &mut self,
        writer: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        if is_printable_ascii(fragment) {
            return writer.write_all(fragment.as_bytes());
        }
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

/// Compact JSON of a value, on one line.
///
/// # Panics
///
/// If the value has no JSON form: a map whose keys are not strings, or a type that refuses.
pub(crate) fn of(value: &impl Serialize) -> String {
    laid_out(value, CompactFormatter, false)
}

/// Appends compact JSON of a value.
///
/// # Panics
///
/// As for [`of`].
pub(crate) fn push(out: &mut impl Write, value: &impl Serialize) {
    write(out, value, CompactFormatter, false);
}

/// JSON of a value on many lines, without a line feed at the end. Fractions are rounded to six
/// places.
///
/// # Panics
///
/// As for [`of`].
pub(crate) fn pretty(value: &impl Serialize) -> String {
    laid_out(value, PrettyFormatter::new(), true)
}

fn laid_out(value: &impl Serialize, layout: impl Formatter, rounds: bool) -> String {
    let mut bytes = Vec::with_capacity(256);
    write(&mut bytes, value, layout, rounds);
    String::from_utf8(bytes).expect("JSON is UTF-8")
}

fn write(out: &mut impl Write, value: &impl Serialize, layout: impl Formatter, rounds: bool) {
    let formatter = SafeFormatter { layout, rounds };
    value
        .serialize(&mut Serializer::with_formatter(out, formatter))
        .expect("a structure of text and numbers has a JSON form");
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
    #[test]
    fn on_many_lines_it_is_laid_out_as_usual() {
        let value = serde_json::json!({"a": [1, "\u{202e}"], "b": {}, "c": {"d": null}});
        let plain = serde_json::to_string_pretty(&value).unwrap();
        assert_eq!(pretty(&value), plain.replace('\u{202e}', "\\u202e"));
    }
}
