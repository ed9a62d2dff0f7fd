//! Code lines by folder, with a ceiling for each.

use std::collections::BTreeMap;

use super::hold;
use super::source::{Kind, SOURCES, Source, program};

/// Most code lines of each folder: no blanks, comments or tests. A change that leaves fewer lowers
/// the figure; one that needs more is agreed on before.
const BUDGETS: [(&str, usize); 23] = [
    ("src", 313),
    ("chess", 4_493),
    ("text", 964),
    ("winnability", 3_420),
    ("law", 3_398),
    ("notation", 803),
    ("pgn", 4_291),
    ("replay", 1_324),
    ("adjudication", 1_490),
    ("split", 2_292),
    ("findings", 6_332),
    ("boards", 224),
    ("claim", 2_284),
    ("input", 2_214),
    ("pipeline", 795),
    ("report", 1_907),
    ("commands", 4_883),
    ("commands/validate", 4_655),
    ("commands/stats", 5_014),
    ("commands/adjudicate", 1_614),
    ("commands/perft", 2_947),
    ("commands/replay", 2_386),
    ("web", 700),
];

/// Lines that are neither blank nor comments, without the items that are compiled for tests only.
fn code_lines(source: &Source) -> usize {
    let mut lines = source.code.lines().zip(&source.lines);
    let mut count = 0;
    while let Some((code, line)) = lines.next() {
        if code.trim() == "#[cfg(test)]" {
            let mut depth = 0;
            for (code, _) in lines.by_ref() {
                depth += code.matches('{').count();
                depth -= code.matches('}').count();
                if depth == 0 && code.ends_with(['}', ';']) {
                    break;
                }
            }
            continue;
        }
        let counts = |&(c, kind): &(char, Kind)| kind != Kind::Comment && !c.is_whitespace();
        count += usize::from(line.iter().any(counts));
    }
    count
}

/// The folder of a file whose lines are counted together.
fn folder(path: &str) -> &str {
    if path == "boards.rs" {
        return "boards";
    }
    let (folder, rest) = path.split_once('/').unwrap_or(("src", path));
    let command = rest.split_once('/').map(|(command, _)| command);
    match command
        .filter(|&command| folder == "commands" && !["select", "modes", "split"].contains(&command))
    {
        Some(command) => &path[.."commands/".len() + command.len()],
        None => folder,
    }
}

#[test]
fn folders_keep_their_budgets() {
    let mut lines: BTreeMap<&str, usize> = BTreeMap::new();
    for source in program() {
        *lines
            .entry(folder(source.below_src().unwrap()))
            .or_default() += code_lines(source);
    }
    let web = SOURCES
        .iter()
        .filter(|source| source.path.starts_with("web/"));
    lines.insert("web", web.map(code_lines).sum());
    let budgets = BTreeMap::from(BUDGETS);
    let mut broken = Vec::new();
    for (folder, lines) in lines {
        match budgets.get(folder) {
            None => broken.push(format!("{folder}: has no budget")),
            Some(&budget) if lines > budget => {
                broken.push(format!(
                    "{folder}: {lines} code lines, the budget is {budget}"
                ));
            }
            Some(_) => {}
        }
    }
    hold("folders keep their budgets", &broken);
}
