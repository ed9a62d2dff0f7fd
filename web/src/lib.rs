//! The page and the npm package: [`chess_arbiter_core`] for JavaScript.
//!
//! Texts come in as bytes, or by a function that returns some of them, and results go out as text:
//! what the command line prints, byte for byte, or JSON. A text that cannot be read throws an
//! `Error` with the sentence of the command line.

mod check;
mod claim;
mod games;
mod json;
mod repair;
mod results;
mod text;

use wasm_bindgen::prelude::{JsError, wasm_bindgen};

use chess_arbiter_core::findings::explanations::explained;
use chess_arbiter_core::findings::registry;

/// Throws a sentence.
pub(crate) fn thrown(sentence: impl AsRef<str>) -> JsError {
    JsError::new(sentence.as_ref())
}

/// The text that `arbiter validate --explain` prints about a code or a name.
#[wasm_bindgen]
pub fn explain(code: &str) -> Result<String, JsError> {
    let rule = registry::rule(code).ok_or_else(|| thrown("no such code"))?;
    Ok(explained(rule))
}
