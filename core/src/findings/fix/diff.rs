//! `--diff`: a unified diff of the input and the repaired games.

use imara_diff::{Algorithm, Diff, InternedInput, Token};

use crate::findings::human::paint;
use crate::text::Buffer;
use crate::text::decode;
use crate::text::escape::Escaped;
use crate::text::push_after;

/// Unchanged lines before and after a change.
const CONTEXT: usize = 3;

/// Size of a hunk, or of games on one line, that are not held any longer, in bytes.
const MOST_HELD: usize = 4 << 20;

/// Writes the diffs of all files in order.
#[derive(Default)]
pub struct DiffWriter {
    paints: bool,
    /// Whether control characters are escaped, as they act on a terminal.
    escapes: bool,
    /// Name of the file that begins, until it is written.
    pub name: Option<String>,
    /// Old and new text that does not end with a line yet.
    rest: [Vec<u8>; 2],
    /// Numbers of old and new lines before the hunk.
    before: [usize; 2],
    /// Lines with their signs: the current hunk, or the last unchanged lines before it.
    hunk: Vec<(char, Vec<u8>)>,
    /// Number of lines of the hunk up to its last change, and size of the changed ones in bytes.
    changed: [usize; 2],
    /// The diff so far.
    pub out: Buffer,
}

impl DiffWriter {
    /// Creates a diff, with colours if it `paints`, and with control characters escaped.
    pub fn new(paints: bool, escapes: bool) -> DiffWriter {
        DiffWriter {
            paints,
            escapes,
            ..DiffWriter::default()
        }
    }

    /// Adds the old and the new text of the next part of a file. `between` precedes the new one.
    pub fn add(&mut self, old: &[u8], between: &str, new: &[u8]) {
        self.rest[0].extend_from_slice(old);
        push_after(&mut self.rest[1], between, new);
        if self.rest[0].ends_with(b"\n") || self.rest[0].len() > MOST_HELD {
            self.end_lines();
        }
    }

    /// Ends a file.
    pub fn end(&mut self) {
        self.end_lines();
        self.end_hunk();
        self.hunk.clear();
        self.before = [0; 2];
    }

    /// Compares the texts that were added last.
    fn end_lines(&mut self) {
        let [old, new] = std::mem::take(&mut self.rest);
        let input = InternedInput::new(&old[..], &new[..]);
        let mut diff = Diff::compute(Algorithm::Myers, &input);
        diff.postprocess_no_heuristic(&input);
        let mut add = |sign, lines: &[Token]| {
            let lines = lines.iter().map(|line| input.interner[*line]);
            lines.for_each(|line| self.add_line(sign, line));
        };
        let mut at = 0;
        for hunk in diff.hunks() {
            let [before, after] =
                [hunk.before, hunk.after].map(|range| range.start as usize..range.end as usize);
            add(' ', &input.before[at..before.start]);
            at = before.end;
            add('-', &input.before[before]);
            add('+', &input.after[after]);
        }
        add(' ', &input.before[at..]);
    }

    /// Adds a line of both files, or of the old or the new one only.
    fn add_line(&mut self, sign: char, line: &[u8]) {
        self.hunk.push((sign, line.to_vec()));
        if sign != ' ' {
            self.changed = [self.hunk.len(), self.changed[1] + line.len()];
        }
        let [changed, bytes] = self.changed;
        if bytes > MOST_HELD || changed > 0 && self.hunk.len() - changed > 2 * CONTEXT {
            self.end_hunk();
        }
        if self.changed[0] == 0 {
            let gone = self.hunk.len().saturating_sub(CONTEXT);
            self.hunk.drain(..gone);
            self.before = self.before.map(|lines| lines + gone);
        }
    }

    /// Writes the current hunk, if there is one. The lines after it stay.
    fn end_hunk(&mut self) {
        let [changed, _] = std::mem::take(&mut self.changed);
        if changed == 0 {
            return;
        }
        let rest = self.hunk.split_off(self.hunk.len().min(changed + CONTEXT));
        let hunk = std::mem::replace(&mut self.hunk, rest);
        if let Some(name) = self.name.take() {
            // `patch` reads a name with blanks up to a tab only.
            let end = if name.contains(' ') { "\t" } else { "" };
            for sign in ["---", "+++"] {
                self.write("1", format!("{sign} {}{end}\n", Escaped(&name)).as_bytes());
            }
        }
        let [old, new] =
            ['+', '-'].map(|other| hunk.iter().filter(|(sign, _)| *sign != other).count());
        // An empty range is named by the line before it.
        let [from_old, from_new] = [self.before[0] + old.min(1), self.before[1] + new.min(1)];
        self.before = [self.before[0] + old, self.before[1] + new];
        let header = format!("@@ -{from_old},{old} +{from_new},{new} @@\n");
        self.write("36", header.as_bytes());
        for (sign, text) in hunk {
            let mut line = vec![sign as u8];
            if self.escapes {
                let text = text.strip_suffix(b"\n").unwrap_or(&text);
                let text = text.strip_suffix(b"\r").unwrap_or(text);
                line.extend(format!("{}\n", Escaped(&decode(text))).bytes());
            } else {
                line.extend(text);
            }
            let style = match sign {
                '-' => "31",
                '+' => "32",
                _ => "",
            };
            self.write(style, &line);
            if !line.ends_with(b"\n") {
                self.out.push_str("\n\\ No newline at end of file\n");
            }
        }
    }

    /// Writes a line in a style of the terminal.
    fn write(&mut self, style: &str, line: &[u8]) {
        let text = line.strip_suffix(b"\n").unwrap_or(line);
        let style = if self.paints { style } else { "" };
        paint(&mut self.out, style, |out| out.extend_from_slice(text));
        self.out.extend_from_slice(&line[text.len()..]);
    }
}
