//! The Rust files of the repository, split into code, comments and literals.

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use regex::Regex;

#[derive(Clone, Copy, PartialEq)]
pub enum Kind {
    Code,
    Comment,
    Literal,
    RawLiteral,
}

/// A Rust file and what each of its characters belongs to.
pub struct Source {
    /// From the repository's root.
    pub path: String,
    pub lines: Vec<Vec<(char, Kind)>>,
    /// The first line of test code, from 0.
    pub tests_from: usize,
    /// Code without comments, literals and tests.
    pub code: String,
}

impl Source {
    fn new(path: String, text: &str, is_test: bool) -> Self {
        let mut lines = vec![Vec::new()];
        for (c, kind) in kinds(text) {
            match c {
                '\n' => lines.push(Vec::new()),
                _ => lines.last_mut().unwrap().push((c, kind)),
            }
        }
        if lines.last().is_some_and(Vec::is_empty) {
            lines.pop();
        }
        let code = masked(&lines, Kind::Code);
        let code: Vec<_> = code.lines().collect();
        let tests = code.windows(2).position(|two| {
            two[0] == "#[cfg(test)]" && two[1].starts_with("mod ") && two[1].ends_with('{')
        });
        let tests_from = if is_test {
            0
        } else {
            tests.unwrap_or(lines.len())
        };
        let code = code[..tests_from].join("\n");
        Self {
            path,
            lines,
            tests_from,
            code,
        }
    }

    /// The path below `src` of the program or the core crate.
    pub fn below_src(&self) -> Option<&str> {
        let path = self.path.strip_prefix("core/").unwrap_or(&self.path);
        path.strip_prefix("src/")
    }

    /// The strings of the program, by line.
    pub fn literals(&self) -> String {
        masked(&self.lines[..self.tests_from], Kind::Literal)
    }

    /// Each block of comments that stand on lines of their own or end such lines: line and text.
    pub fn comments(&self) -> Vec<(usize, String)> {
        let mut blocks: Vec<(usize, String)> = Vec::new();
        let mut last = usize::MAX - 1;
        let mut fenced = false;
        let text = masked(&self.lines, Kind::Comment);
        for (nth, line) in text.lines().enumerate() {
            let Some(text) = line.trim_start().strip_prefix("//") else {
                continue;
            };
            let text = text.trim_start_matches(['/', '!']).trim();
            if text.starts_with("```") {
                fenced = !fenced;
                continue;
            }
            if fenced {
                continue;
            }
            let text = text.trim_start_matches("- ");
            if last + 1 == nth && !text.is_empty() && !blocks.last().unwrap().1.is_empty() {
                let block = &mut blocks.last_mut().unwrap().1;
                block.push(' ');
                block.push_str(text);
            } else {
                blocks.push((nth + 1, text.to_owned()));
            }
            last = nth;
        }
        blocks
    }
}

/// The text of one kind, and spaces for the rest.
fn masked(lines: &[Vec<(char, Kind)>], kept: Kind) -> String {
    let mut text = String::new();
    for line in lines {
        let start = text.len();
        text.extend(
            line.iter()
                .map(|&(c, kind)| if kind == kept { c } else { ' ' }),
        );
        text.truncate(start + text[start..].trim_end().len());
        text.push('\n');
    }
    text
}

/// Classifies each character.
fn kinds(text: &str) -> Vec<(char, Kind)> {
    let chars: Vec<char> = text.chars().collect();
    let mut kinds = Vec::with_capacity(chars.len());
    let at = |i: usize| chars.get(i).copied().unwrap_or('\0');
    let mut i = 0;
    while i < chars.len() {
        let word_before = i > 0 && (at(i - 1).is_alphanumeric() || at(i - 1) == '_');
        let hashes = chars[i + 1..].iter().take_while(|&&c| c == '#').count();
        let (end, kind) = if at(i) == '/' && at(i + 1) == '/' {
            let length = chars[i..].iter().position(|&c| c == '\n');
            (
                length.map_or(chars.len(), |length| i + length),
                Kind::Comment,
            )
        } else if at(i) == '"' {
            (after_quote(&chars, i + 1), Kind::Literal)
        } else if at(i) == 'r' && at(i + 1 + hashes) == '"' && (!word_before || at(i - 1) == 'b') {
            let close = format!("\"{}", "#".repeat(hashes));
            let from = i + hashes + 2;
            let rest: String = chars[from..].iter().collect();
            let length = rest[..rest.find(&close).unwrap()].chars().count();
            (from + length + close.len(), Kind::RawLiteral)
        } else if at(i) == '\'' && at(i + 1) == '\\' {
            let length = chars[i + 3..].iter().position(|&c| c == '\'').unwrap();
            (i + length + 4, Kind::Literal)
        } else if at(i) == '\'' && at(i + 2) == '\'' {
            (i + 3, Kind::Literal)
        } else {
            (i + 1, Kind::Code)
        };
        kinds.extend(chars[i..end].iter().map(|&c| (c, kind)));
        i = end;
    }
    kinds
}

/// The index after the quote that ends a string.
fn after_quote(chars: &[char], mut i: usize) -> usize {
    while chars[i] != '"' {
        i += if chars[i] == '\\' { 2 } else { 1 };
    }
    i + 1
}

pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// All files below a folder with this ending, by their paths from the root, in order.
pub fn files(folder: &str, ending: &str) -> Vec<String> {
    let mut names = Vec::new();
    for entry in fs::read_dir(root().join(folder)).unwrap() {
        let entry = entry.unwrap();
        let name = format!("{folder}/{}", entry.file_name().to_str().unwrap());
        if entry.file_type().unwrap().is_dir() {
            if !name.ends_with("/target") && !name.ends_with("/node_modules") {
                names.extend(files(&name, ending));
            }
        } else if name.ends_with(ending) {
            names.push(name);
        }
    }
    names.sort();
    names
}

/// The Rust files of the program and of its tests.
pub static SOURCES: LazyLock<Vec<Source>> = LazyLock::new(|| {
    let names = ["src", "core/src", "web/src", "tests"]
        .map(|folder| files(folder, ".rs"))
        .concat();
    let read = |name: &String| fs::read_to_string(root().join(name)).unwrap();
    let declared = Regex::new(r"#\[cfg\(test\)\]\s+(?:pub(?:\(\w+\))? )?mod (\w+);").unwrap();
    let mut tests = vec!["tests/".to_owned()];
    for name in &names {
        let folder = name.rsplit_once('/').unwrap().0;
        for module in declared.captures_iter(&read(name)) {
            tests.push(format!("{folder}/{}.rs", &module[1]));
            tests.push(format!("{folder}/{}/", &module[1]));
        }
    }
    let source = |name: &String| {
        let is_test = tests.iter().any(|test| name.starts_with(test));
        Source::new(name.clone(), &read(name), is_test)
    };
    names.iter().map(source).collect()
});

/// The files of the program, without those of its tests.
pub fn program() -> impl Iterator<Item = &'static Source> {
    let is_program = |source: &&Source| source.below_src().is_some() && source.tests_from > 0;
    SOURCES.iter().filter(is_program)
}
