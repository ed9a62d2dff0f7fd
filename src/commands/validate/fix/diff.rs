//! `--diff`: a unified diff of the input and the repaired games.

use std::ops::Range;

use imara_diff::{Algorithm, Diff, InternedInput};
use memchr::memchr_iter;

use crate::input::Chunk;
use crate::report::escape::Escaped;
use crate::text::decode;

/// Unchanged lines before and after a change.
const CONTEXT: usize = 3;

/// Size of a hunk, or of games on one line, that are not held any longer, in bytes.
const MOST_HELD: usize = 4 << 20;

/// Text that a line is from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LineOrigin {
    Both,
    Old,
    New,
}

type Line = (LineOrigin, Vec<u8>);

/// A part of the diff.
pub(crate) enum PartDiff {
    /// Number of unchanged lines, and the first and last of them.
    Same(usize, Vec<Line>, Vec<Line>),
    /// All lines of a changed game.
    Lines(Vec<Line>),
    /// The old and new text of games that share a line with others.
    Shared(Vec<u8>, Vec<u8>),
    /// An inserted line end and an empty line.
    Break,
}

impl PartDiff {
    /// Memory held, in bytes.
    pub(crate) fn weight(&self) -> usize {
        let of = |lines: &[Line]| -> usize {
            let lines = lines.iter();
            lines.map(|(_, line)| size_of::<Line>() + line.len()).sum()
        };
        match self {
            PartDiff::Same(_, first, last) => of(first) + of(last),
            PartDiff::Lines(lines) => of(lines),
            PartDiff::Shared(old, new) => old.len() + new.len(),
            PartDiff::Break => 0,
        }
    }

    fn same(text: &[u8]) -> PartDiff {
        let equal = |line: &[u8]| (LineOrigin::Both, line.to_vec());
        let count = memchr_iter(b'\n', text).count();
        let first = lines(text).take(2 * CONTEXT + 1).map(equal);
        let mut last = Vec::new();
        let mut rest = text;
        for _ in 0..CONTEXT.min(count) {
            let start = memchr::memrchr(b'\n', &rest[..rest.len() - 1]).map_or(0, |feed| feed + 1);
            last.insert(0, equal(&rest[start..]));
            rest = &rest[..start];
        }
        PartDiff::Same(count, first.collect(), last)
    }
}

/// Number of spaces and tabs at the end of a text.
pub(crate) fn trailing_blanks(text: &[u8]) -> usize {
    let is_blank = |byte: &&u8| matches!(byte, b' ' | b'\t');
    text.iter().rev().take_while(is_blank).count()
}

/// Lines of a text with their ends.
fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split_inclusive(|&byte| byte == b'\n')
}

/// All lines of two texts.
fn compare(old: &[u8], new: &[u8]) -> Vec<Line> {
    let mut input = InternedInput::default();
    input.update_before(lines(old));
    input.update_after(lines(new));
    let mut diff = Diff::compute(Algorithm::Myers, &input);
    diff.postprocess_no_heuristic(&input);
    let (old, new): (Vec<_>, Vec<_>) = (lines(old).collect(), lines(new).collect());
    let mut all = Vec::new();
    let mut add = |origin, lines: &[&[u8]]| {
        all.extend(lines.iter().map(|line| (origin, line.to_vec())));
    };
    let mut end = 0;
    for hunk in diff.hunks() {
        let [before, after] = [hunk.before, hunk.after].map(|lines| usize_range(&lines));
        add(LineOrigin::Both, &old[end..before.start]);
        end = before.end;
        add(LineOrigin::Old, &old[before]);
        add(LineOrigin::New, &new[after]);
    }
    add(LineOrigin::Both, &old[end..]);
    all
}

fn usize_range(lines: &Range<u32>) -> Range<usize> {
    lines.start as usize..lines.end as usize
}

/// The diff of a chunk, made on the worker threads.
pub(crate) struct ChunkDiff<'a> {
    text: &'a [u8],
    /// Whether the chunk begins within a line.
    is_within_line: bool,
    is_wanted: bool,
    /// Unchanged lines before the next part.
    same: Range<usize>,
    parts: Vec<PartDiff>,
}

impl<'a> ChunkDiff<'a> {
    pub(crate) fn new(chunk: &'a Chunk, is_wanted: bool) -> ChunkDiff<'a> {
        ChunkDiff {
            text: chunk.bytes(),
            is_within_line: chunk.column() > 0,
            is_wanted,
            same: 0..0,
            parts: Vec::new(),
        }
    }

    /// Adds the next part of the text with its new text.
    pub(crate) fn add(&mut self, part: Range<usize>, new: &[u8]) {
        let old = &self.text[part.clone()];
        if !self.is_wanted || old.is_empty() {
            return;
        }
        let begins_line = match part.start {
            0 => !self.is_within_line,
            start => self.text[start - 1] == b'\n',
        };
        let is_shared = !begins_line || !old.ends_with(b"\n");
        if !is_shared && old == new {
            self.same.end = part.end;
            return;
        }
        self.end_same(part.end);
        self.parts.push(match is_shared {
            true => PartDiff::Shared(old.to_vec(), new.to_vec()),
            false => PartDiff::Lines(compare(old, new)),
        });
    }

    /// Adds an inserted line end and an empty line.
    pub(crate) fn add_break(&mut self) {
        if self.is_wanted {
            self.parts.push(PartDiff::Break);
        }
    }

    /// Ends the unchanged lines; others begin at `next`.
    fn end_same(&mut self, next: usize) {
        let same = std::mem::replace(&mut self.same, next..next);
        if !same.is_empty() {
            self.parts.push(PartDiff::same(&self.text[same]));
        }
    }

    pub(crate) fn finish(mut self) -> Vec<PartDiff> {
        self.end_same(0);
        self.parts
    }
}

/// Writes the diffs of all files in order.
#[derive(Default)]
pub(crate) struct DiffWriter {
    paints: bool,
    /// Whether control characters are escaped, as they act on a terminal.
    escapes: bool,
    /// Name of the current file, until it is written.
    name: Option<String>,
    /// Lines read so far of the old and the new file.
    lines: [usize; 2],
    /// Old and new text of games that share lines.
    shared: (Vec<u8>, Vec<u8>),
    /// Lines before the current hunk, and its lines up to the last change.
    before: [usize; 2],
    hunk: Vec<Line>,
    hunk_bytes: usize,
    /// Unchanged lines after the last change.
    after: Vec<Line>,
}

impl DiffWriter {
    pub(crate) fn new(paints: bool, escapes: bool) -> DiffWriter {
        DiffWriter {
            paints,
            escapes,
            ..DiffWriter::default()
        }
    }

    /// Begins a file.
    pub(crate) fn begin(&mut self, name: &str) {
        self.name = Some(name.to_owned());
        self.lines = [0; 2];
    }

    /// Writes the next part of a file with this line end.
    pub(crate) fn write(&mut self, part: PartDiff, line_end: &str, out: &mut Vec<u8>) {
        match part {
            PartDiff::Same(count, first, last) => {
                self.end_shared(out);
                let rest = count - first.len();
                self.add(first, out);
                if rest > 0 {
                    // The hunk has ended.
                    self.lines = self.lines.map(|lines| lines + rest);
                    self.after = last;
                }
            }
            PartDiff::Lines(lines) => {
                self.end_shared(out);
                self.add(lines, out);
            }
            PartDiff::Shared(old, new) => {
                self.shared.0.extend(old);
                self.shared.1.extend(new);
                let old = &self.shared.0;
                if old.ends_with(b"\n") || old.len() > MOST_HELD {
                    self.end_shared(out);
                }
            }
            PartDiff::Break => {
                let new = &mut self.shared.1;
                new.truncate(new.len() - trailing_blanks(new));
                new.extend(line_end.repeat(2).bytes());
            }
        }
    }

    /// Ends a file.
    pub(crate) fn end(&mut self, out: &mut Vec<u8>) {
        self.end_shared(out);
        self.end_hunk(out);
        self.after.clear();
    }

    fn end_shared(&mut self, out: &mut Vec<u8>) {
        let (old, new) = std::mem::take(&mut self.shared);
        self.add(compare(&old, &new), out);
    }

    fn add(&mut self, lines: Vec<Line>, out: &mut Vec<u8>) {
        for line in lines {
            let [old, new] = self.lines;
            self.lines = match line.0 {
                LineOrigin::Both => [old + 1, new + 1],
                LineOrigin::Old => [old + 1, new],
                LineOrigin::New => [old, new + 1],
            };
            if line.0 == LineOrigin::Both {
                self.after.push(line);
                if !self.hunk.is_empty() && self.after.len() > 2 * CONTEXT {
                    self.end_hunk(out);
                } else if self.hunk.is_empty() && self.after.len() > CONTEXT {
                    self.after.remove(0);
                }
                continue;
            }
            if self.hunk.is_empty() {
                let context = self.after.len();
                self.before = [old - context, new - context];
            }
            self.hunk.append(&mut self.after);
            self.hunk_bytes += line.1.len();
            self.hunk.push(line);
            if self.hunk_bytes > MOST_HELD {
                self.end_hunk(out);
            }
        }
    }

    /// Writes the current hunk, if there is one, with the lines after it.
    fn end_hunk(&mut self, out: &mut Vec<u8>) {
        self.hunk_bytes = 0;
        let mut hunk = std::mem::take(&mut self.hunk);
        if hunk.is_empty() {
            return;
        }
        let context = self.after.len().min(CONTEXT);
        hunk.extend_from_slice(&self.after[..context]);
        self.after.drain(..self.after.len().saturating_sub(CONTEXT));
        if let Some(name) = self.name.take() {
            // `patch` reads a name with blanks up to a tab only.
            let end = if name.contains(' ') { "\t\n" } else { "\n" };
            for sign in ["---", "+++"] {
                let line = format!("{sign} {}{end}", Escaped(&name));
                self.line("1", line.as_bytes(), out);
            }
        }
        let count = |tag| hunk.iter().filter(|line| line.0 != tag).count();
        let counts = [count(LineOrigin::New), count(LineOrigin::Old)];
        // An empty range is named by the line before it.
        let start = |nth: usize| self.before[nth] + usize::from(counts[nth] > 0);
        let [old, new] = counts;
        let header = format!("@@ -{},{old} +{},{new} @@\n", start(0), start(1));
        self.line("36", header.as_bytes(), out);
        for (tag, text) in &hunk {
            let (sign, style) = match tag {
                LineOrigin::Both => (b' ', ""),
                LineOrigin::Old => (b'-', "31"),
                LineOrigin::New => (b'+', "32"),
            };
            let mut line = vec![sign];
            match self.escapes {
                true => {
                    let text = text.strip_suffix(b"\n").unwrap_or(text);
                    let text = text.strip_suffix(b"\r").unwrap_or(text);
                    line.extend(Escaped(&decode(text)).to_string().bytes());
                    line.push(b'\n');
                }
                false => line.extend_from_slice(text),
            }
            self.line(style, &line, out);
            if !line.ends_with(b"\n") {
                out.extend_from_slice(b"\n\\ No newline at end of file\n");
            }
        }
    }

    fn line(&self, style: &str, line: &[u8], out: &mut Vec<u8>) {
        if !self.paints || style.is_empty() {
            out.extend_from_slice(line);
            return;
        }
        let (text, end) = match line.strip_suffix(b"\n") {
            Some(text) => (text, &b"\n"[..]),
            None => (line, &b""[..]),
        };
        out.extend([format!("\x1b[{style}m").as_bytes(), text, b"\x1b[0m", end].concat());
    }
}
