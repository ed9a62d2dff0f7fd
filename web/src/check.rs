//! `arbiter validate`.

use js_sys::Function;
use serde_json::{Value, json};
use wasm_bindgen::prelude::{JsError, wasm_bindgen};

use chess_arbiter_core::findings::accounts::findings_line;
use chess_arbiter_core::findings::fix::GameFixer;
use chess_arbiter_core::findings::human::Human;
use chess_arbiter_core::findings::registry::{Fix, UNREADABLE_GAME, WRONG_MOVE_NUMBER};
use chess_arbiter_core::findings::report::{Lines, Report};
use chess_arbiter_core::findings::{self, Accounts, Edit, Repair, file};
use chess_arbiter_core::law::Repetitions;
use chess_arbiter_core::split::InputKind;
use chess_arbiter_core::text::Buffer;
use chess_arbiter_core::{Checks, Finding, Position, Reader};

use crate::json;
use crate::text::Text;

/// Checks of a text.
#[wasm_bindgen]
pub struct Check {
    text: Text,
    checks: Checks,
    /// The checks of repairs.
    repairing: Checks,
    reader: Reader,
    initial: Position,
    repetitions: Repetitions,
    fixer: GameFixer,
    accounts: Accounts,
    /// Findings by severity.
    counts: [u64; 3],
    /// Findings about the whole file.
    of_file: u64,
    /// Findings with a certain repair, and with a suggestion.
    fixable: [u64; 2],
}

/// Findings of a chunk.
#[wasm_bindgen(getter_with_clone)]
pub struct CheckPart {
    /// Number of bytes read so far.
    #[wasm_bindgen(js_name = readBytes)]
    pub read_bytes: f64,
    /// Lines of `--format jsonl`.
    pub jsonl: String,
    /// JSON array of the findings as `--format human` shows them.
    pub human: String,
}

#[wasm_bindgen]
impl Check {
    /// Begins with a text that `read(at, length)` returns.
    #[wasm_bindgen(constructor)]
    pub fn new(name: String, read: Function, strict: bool) -> Result<Check, JsError> {
        let checks = Checks::new(strict, &[], &[]);
        Ok(Check {
            text: Text::new(name, read)?,
            repairing: checks.repairing(),
            checks,
            reader: Reader::new(),
            initial: Position::initial(),
            repetitions: Repetitions::default(),
            fixer: GameFixer::new(Reader::new(), false, false),
            accounts: Accounts::default(),
            counts: [0; 3],
            of_file: 0,
            fixable: [0; 2],
        })
    }

    /// Checks the next chunk; nothing after the last.
    #[wasm_bindgen(js_name = next)]
    pub fn check_chunk(&mut self) -> Result<Option<CheckPart>, JsError> {
        let Some((chunk, notes)) = self.text.next()? else {
            return Ok(None);
        };
        let (mut jsonl, mut human) = (String::new(), Vec::new());
        let mut lines = Lines::new(&chunk);
        let mut games = chunk.games().peekable();
        let mut last = &[][..];
        while let Some(game) = games.next() {
            let before = std::mem::replace(&mut last, game.bytes);
            let mut found = Vec::new();
            let (checks, text) = (&self.checks, game.bytes);
            let status = match chunk.kind {
                InputKind::Pgn => {
                    let game = game.read(&mut self.reader);
                    let (initial, repeated) = (&self.initial, &mut self.repetitions);
                    findings::check_with(game, text, initial, checks, &mut found, repeated)
                }
                kind => findings::check_line(kind, text, checks, &mut found),
            };
            self.accounts
                .add(file::check(&notes, &game, checks, status, &mut found));
            if game.chunk_offset < chunk.lead {
                // The finding at the beginning stands for all text before the first game.
                let begins = game.origin.byte.0 == 0;
                found.retain(|finding| begins && finding.rule == &UNREADABLE_GAME);
            }
            if found.is_empty() {
                continue;
            }
            let neighbours = [before, games.peek().map_or(&[][..], |next| next.bytes)];
            let fixer = &mut self.fixer;
            let repairs = fixer.repairs_in(&chunk, neighbours, &game, &self.repairing, &found);
            self.count(&found);
            for (finding, repair) in found.into_iter().zip(repairs) {
                let report = lines.report(&game, finding);
                jsonl += &json::of(&row(&self.text.name, &report, repair.as_deref()));
                jsonl.push('\n');
                human.push(shown(&self.text.name, &report));
            }
        }
        Ok(Some(CheckPart {
            read_bytes: self.text.read_bytes,
            jsonl,
            human: json::of(&human),
        }))
    }

    /// The closing lines.
    pub fn summary(&self) -> String {
        let findings = findings_line(self.counts, self.of_file, self.fixable);
        format!("{findings}\n{}", self.text.closing_line(self.accounts))
    }
}

impl Check {
    /// Adds the findings of a game to the numbers.
    fn count(&mut self, found: &[Finding]) {
        // The first wrong number has the edits of all.
        let mut numbers = Fix::Never;
        for finding in found {
            let mut fix = finding.fix();
            if finding.rule == &WRONG_MOVE_NUMBER {
                fix = if fix == Fix::Never { numbers } else { fix };
                numbers = fix;
            }
            self.counts[finding.severity as usize] += 1;
            self.of_file += u64::from(finding.rule.is_once_per_file);
            self.fixable[0] += u64::from(fix == Fix::Certain);
            self.fixable[1] += u64::from(fix == Fix::Suggested);
        }
    }
}

/// A finding as a terminal of [`Human::COLUMNS`] without colours shows it.
fn shown(name: &str, report: &Report<'_>) -> String {
    let human = Human {
        paints: false,
        columns: Human::COLUMNS,
    };
    let mut out = Buffer::default();
    human.write(&mut out, name, report);
    String::from_utf8_lossy(out.as_bytes()).into_owned()
}

/// A finding as a JSON object. Scripts know the fields by these names.
fn row(name: &str, report: &Report<'_>, repair: Option<&Repair>) -> Value {
    let finding = &report.finding;
    let at = finding.at.as_ref();
    let edit = |edit: &Edit| {
        let bytes = report.bytes_of(edit.span);
        json!({"byte_start": bytes.start, "byte_end": bytes.end, "text": edit.text})
    };
    json!({
        "code": finding.code().as_str(),
        "name": finding.rule.name,
        "severity": finding.severity.as_str(),
        "message": finding.message,
        "help": finding.help,
        "file": name,
        "line": report.line.0,
        "column": report.column,
        "byte_start": report.bytes.start,
        "byte_end": report.bytes.end,
        "game": report.game.0,
        "ply": at.map(|at| at.ply),
        "move": at.map(|at| &at.label),
        "fen": at.map(|at| &at.fen),
        "text": report.short_text(),
        "reason": finding.reason,
        "fix": repair.map(|repair| {
            let edits: Vec<Value> = repair.edits.iter().map(edit).collect();
            json!({"safe": repair.is_certain, "edits": edits})
        }),
    })
}
