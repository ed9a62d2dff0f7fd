//! `arbiter validate --fix`.

use js_sys::Function;
use wasm_bindgen::prelude::{JsError, wasm_bindgen};

use chess_arbiter_core::findings::fix::{DiffWriter, GameFixer, InputFacts, fix_chunk};
use chess_arbiter_core::text::decode;
use chess_arbiter_core::{Checks, Reader};

use crate::text::Text;
use crate::thrown;

/// Repair of a text.
#[wasm_bindgen]
pub struct Repair {
    text: Text,
    checks: Checks,
    repairing: Checks,
    fixer: GameFixer,
    suggestions: bool,
    /// The first line end.
    line_end: &'static str,
    /// Blanks at the end of the last chunk, after which a line end may be missing.
    blanks: Vec<u8>,
    facts: InputFacts,
    diff: DiffWriter,
    is_over: bool,
}

/// The repaired games of a chunk.
#[wasm_bindgen(getter_with_clone)]
pub struct RepairPart {
    /// Number of bytes read so far.
    #[wasm_bindgen(js_name = readBytes)]
    pub read_bytes: f64,
    /// The repaired text.
    pub text: Vec<u8>,
    /// The unified diff.
    pub diff: String,
}

#[wasm_bindgen]
impl Repair {
    /// Begins with a text that `read(at, length)` returns; `suggestions` are applied too.
    #[wasm_bindgen(constructor)]
    pub fn new(
        name: String,
        read: Function,
        strict: bool,
        suggestions: bool,
    ) -> Result<Repair, JsError> {
        let checks = Checks::new(strict, &[], &[]);
        let mut diff = DiffWriter::new(false, false);
        diff.name = Some(name.clone());
        Ok(Repair {
            text: Text::new(name, read)?,
            repairing: checks.repairing(),
            checks,
            fixer: GameFixer::new(Reader::new(), suggestions, false),
            suggestions,
            line_end: "",
            blanks: Vec::new(),
            facts: InputFacts::default(),
            diff,
            is_over: false,
        })
    }

    /// Repairs the next chunk; nothing after the last. If it throws, the text cannot be repaired,
    /// and what has been returned does not count.
    #[wasm_bindgen(js_name = next)]
    pub fn repair_chunk(&mut self) -> Result<Option<RepairPart>, JsError> {
        let text = match self.text.next()? {
            Some((chunk, notes)) => {
                let checks = [&self.checks, &self.repairing];
                let mut fixed = fix_chunk(checks, true, &chunk, &notes, &mut self.fixer);
                if chunk.byte.0 == 0 {
                    self.line_end = fixed.line_end.unwrap_or("\n");
                }
                self.facts.add(std::mem::take(&mut fixed.facts));
                fixed.join(&mut self.blanks, self.line_end, Some(&mut self.diff))
            }
            None if self.is_over => return Ok(None),
            None => {
                self.is_over = true;
                self.diff.end();
                std::mem::take(&mut self.blanks)
            }
        };
        let not_pgn = self.facts.not_pgn.as_ref();
        let not_pgn = not_pgn.filter(|_| self.is_over && !self.facts.has_game);
        let why = match not_pgn {
            _ if self.facts.is_lossy => {
                "its UTF-16 has control characters, or others that would be lost"
            }
            Some((message, _)) => message,
            None => {
                let diff = decode(self.diff.out.as_bytes()).into_owned();
                self.diff.out.clear();
                return Ok(Some(RepairPart {
                    read_bytes: self.text.read_bytes,
                    text,
                    diff,
                }));
            }
        };
        Err(thrown(format!("cannot fix `{}`: {why}", self.text.name)))
    }

    /// The closing lines.
    pub fn summary(&self) -> String {
        let counts = &self.facts.counts;
        let fixed = counts.summary(self.suggestions);
        format!("{fixed}\n{}", self.text.closing_line(counts.accounts))
    }
}
