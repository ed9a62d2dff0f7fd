//! `arbiter validate --fix`.

use js_sys::Function;
use wasm_bindgen::prelude::{JsError, wasm_bindgen};

use chess_arbiter_core::findings::Checks;
use chess_arbiter_core::findings::fix::{DiffWriter, GameFixer, InputFacts, fix_chunk};
use chess_arbiter_core::replay::Reader;
use chess_arbiter_core::text::{decode, push_after, trailing_blanks};

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
        let mut repairing = checks.clone();
        repairing.repairs = true;
        let mut diff = DiffWriter::new(false, false);
        diff.name = Some(name.clone());
        Ok(Repair {
            text: Text::new(name, read)?,
            checks,
            repairing,
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
        let Some((chunk, notes)) = self.text.next()? else {
            return self.end();
        };
        let checks = [&self.checks, &self.repairing];
        let fixed = fix_chunk(checks, true, &chunk, &notes, &mut self.fixer);
        if chunk.byte.0 == 0 {
            self.line_end = fixed.line_end.unwrap_or("\n");
        }
        self.facts.add(fixed.facts);
        if self.facts.is_lossy {
            return Err(
                self.refused("its UTF-16 has control characters, or others that would be lost")
            );
        }
        let line_ends = self.line_end.repeat(2);
        let mut text = std::mem::take(&mut self.blanks);
        let [mut old, mut new] = [0; 2];
        for part in &fixed.parts {
            let between = if part.needs_break { &line_ends } else { "" };
            let added = &fixed.text[new..part.new_end];
            push_after(&mut text, between, added);
            self.diff.add(&fixed.old[old..part.old_end], between, added);
            [old, new] = [part.old_end, part.new_end];
        }
        self.blanks = text.split_off(text.len() - trailing_blanks(&text));
        Ok(Some(self.part(text)))
    }

    /// The closing lines.
    pub fn summary(&self) -> String {
        let counts = &self.facts.counts;
        let fixed = counts.summary(self.suggestions);
        format!("{fixed}\n{}", self.text.closing_line(counts.accounts))
    }
}

impl Repair {
    /// The rest, once.
    fn end(&mut self) -> Result<Option<RepairPart>, JsError> {
        if std::mem::replace(&mut self.is_over, true) {
            return Ok(None);
        }
        if !self.facts.has_game
            && let Some((message, _)) = &self.facts.not_pgn
        {
            return Err(self.refused(message));
        }
        self.diff.end();
        let blanks = std::mem::take(&mut self.blanks);
        Ok(Some(self.part(blanks)))
    }

    /// A text with the diff up to there.
    fn part(&mut self, text: Vec<u8>) -> RepairPart {
        let diff = decode(self.diff.out.as_bytes()).into_owned();
        self.diff.out.clear();
        RepairPart {
            read_bytes: self.text.read_bytes(),
            text,
            diff,
        }
    }

    fn refused(&self, why: &str) -> JsError {
        thrown(format!("cannot fix `{}`: {why}", self.text.name))
    }
}
