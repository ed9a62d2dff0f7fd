//! `--diff`: a unified diff of the input and the repaired games.

use imara_diff::{Algorithm, Diff, InternedInput, Token};

use crate::commands::validate::joined_texts::trailing_blanks;
use crate::report::escape::Escaped;
use crate::text::decode;

/// Unchanged lines before and after a change.
const CONTEXT: usize = 3;

/// Size of a hunk, or of games on one line, that are not held any longer, in bytes.
const MOST_HELD: usize = 4 << 20;

/// Writes the diffs of all files in order.
#[derive(Default)]
pub(crate) struct DiffWriter {
    paints: bool,
    /// Whether control characters are escaped, as they act on a terminal.
    escapes: bool,
    /// Name of the file that begins, until it is written.
    pub(crate) name: Option<String>,
    /// Lines read so far of the old and the new file.
    lines: [usize; 2],
    /// Old and new text that does not end with a line yet.
    rest: [Vec<u8>; 2],
    /// Lines with their signs: the current hunk, and unchanged lines after it.
    hunk: Vec<(char, Vec<u8>)>,
    /// Number of lines up to the last change, and size of the changed ones in bytes.
    changed: [usize; 2],
    /// The diff so far.
    pub(crate) out: Vec<u8>,
}

impl DiffWriter {
    pub(crate) fn new(paints: bool, escapes: bool) -> DiffWriter {
        DiffWriter {
            paints,
            escapes,
            ..DiffWriter::default()
        }
    }

    /// Adds the old and the new text of the next part of a file.
    pub(crate) fn add(&mut self, old: &[u8], new: &[u8]) {
        self.rest[0].extend_from_slice(old);
        self.rest[1].extend_from_slice(new);
        if self.rest[0].ends_with(b"\n") || self.rest[0].len() > MOST_HELD {
            self.end_lines();
        }
    }

    /// Adds a line end and an empty line to the new text.
    pub(crate) fn add_break(&mut self, line_end: &str) {
        let new = &mut self.rest[1];
        new.truncate(new.len() - trailing_blanks(new));
        new.extend(line_end.repeat(2).bytes());
    }

    /// Ends a file.
    pub(crate) fn end(&mut self) {
        self.end_lines();
        self.end_hunk();
        self.hunk.clear();
        self.lines = [0; 2];
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
        let [changed, bytes] = &mut self.changed;
        if sign != ' ' {
            (*changed, *bytes) = (self.hunk.len(), *bytes + line.len());
        } else if *changed == 0 && self.hunk.len() > CONTEXT {
            self.hunk.remove(0);
        }
        self.lines[0] += usize::from(sign != '+');
        self.lines[1] += usize::from(sign != '-');
        let [changed, bytes] = self.changed;
        if bytes > MOST_HELD || changed > 0 && self.hunk.len() - changed > 2 * CONTEXT {
            self.end_hunk();
        }
    }

    /// Writes the current hunk, if there is one, and the lines after it.
    fn end_hunk(&mut self) {
        let [changed, _] = std::mem::take(&mut self.changed);
        if changed == 0 {
            return;
        }
        let count = |hunk: &[(char, Vec<u8>)]| {
            ['+', '-'].map(|other| hunk.iter().filter(|(sign, _)| *sign != other).count())
        };
        let [seen_old, seen_new] = count(&self.hunk);
        let before = [self.lines[0] - seen_old, self.lines[1] - seen_new];
        let after = (self.hunk.len() - changed).min(CONTEXT);
        let last = self.hunk[self.hunk.len() - after..].to_vec();
        let mut hunk = std::mem::replace(&mut self.hunk, last);
        hunk.truncate(changed + after);
        if let Some(name) = self.name.take() {
            // `patch` reads a name with blanks up to a tab only.
            let end = if name.contains(' ') { "\t" } else { "" };
            for sign in ["---", "+++"] {
                self.write("1", format!("{sign} {}{end}\n", Escaped(&name)).as_bytes());
            }
        }
        let [old, new] = count(&hunk);
        // An empty range is named by the line before it.
        let (from_old, from_new) = (before[0] + old.min(1), before[1] + new.min(1));
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
                self.out
                    .extend_from_slice(b"\n\\ No newline at end of file\n");
            }
        }
    }

    /// Writes a line in a style of the terminal.
    fn write(&mut self, style: &str, line: &[u8]) {
        if !self.paints || style.is_empty() {
            self.out.extend_from_slice(line);
            return;
        }
        let text = line.strip_suffix(b"\n").unwrap_or(line);
        let style = format!("\x1b[{style}m");
        let parts = [style.as_bytes(), text, b"\x1b[0m", &line[text.len()..]];
        self.out.extend(parts.concat());
    }
}
