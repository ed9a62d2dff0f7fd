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
    let mut safe = String::with_capacity(json.len());
    for character in json.chars() {
        match acts(character) {
            false => safe.push(character),
            true => {
                for unit in character.encode_utf16(&mut [0; 2]) {
                    safe += &format!("\\u{unit:04x}");
                }
            }
        }
    }
    safe
}
