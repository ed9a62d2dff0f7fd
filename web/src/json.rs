//! JSON as the command line writes it.

use serde::Serialize;

use chess_arbiter_core::text::escape::{acts, is_printable_ascii};

/// Compact JSON of a value, on one line. Characters that act on a terminal are escaped.
pub(crate) fn of(value: &impl Serialize) -> String {
    let json = serde_json::to_string(value);
    let json = json.expect("a structure of text and numbers has a JSON form");
    if is_printable_ascii(&json) {
        return json;
    }
    let escaped = |unit: &mut u16| format!("\\u{unit:04x}");
    let safe = json.chars().map(|character| match acts(character) {
        false => character.to_string(),
        true => character
            .encode_utf16(&mut [0; 2])
            .iter_mut()
            .map(escaped)
            .collect(),
    });
    safe.collect()
}
