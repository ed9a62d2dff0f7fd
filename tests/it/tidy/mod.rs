//! The shape of the sources: who imports what, who names which crate, how long files and lines are,
//! and which words their comments avoid.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use regex::Regex;

use imports::{Modules, paths};
use source::{Kind, SOURCES, files, program, root};

mod budgets;
mod imports;
mod source;
mod versions;

/// The folders of the core crate from the bottom to the top: each imports only from itself and from
/// those before it.
const CORE_FOLDERS: [&str; 12] = [
    "chess",
    "text",
    "winnability",
    "law",
    "notation",
    "pgn",
    "replay",
    "adjudication",
    "split",
    "findings",
    "boards",
    "claim",
];

/// The folders of the program, above those of the core crate.
const FOLDERS: [&str; 5] = ["error", "input", "pipeline", "report", "commands"];

/// The files and folders below `src` that may name a crate, for every dependency in Cargo.toml.
const CRATES: [(&str, &[&str]); 45] = [
    ("anstream", &["commands/args.rs", "report/sink.rs"]),
    (
        "arrayvec",
        &[
            "chess",
            "winnability",
            "notation",
            "pgn",
            "adjudication",
            "findings",
            "commands",
        ],
    ),
    ("bytes", &["report/table.rs"]),
    ("bzip2", &["input/decompress"]),
    (
        "chess_arbiter_core",
        &["lib.rs", "error.rs", "input", "report/mod.rs"],
    ),
    ("clap", &["main.rs", "commands"]),
    ("clap_complete", &["commands/generate.rs"]),
    ("clap_mangen", &["commands/generate.rs"]),
    ("crossbeam_channel", &["input", "pipeline"]),
    ("csv", &["report/rows"]),
    ("ctrlc", &["commands/interrupt.rs"]),
    ("deunicode", &["commands/replay/formats/pgn", "pgn/values"]),
    (
        "fearless_simd",
        &["chess/fen", "text", "pgn/scan", "commands/perft/counting"],
    ),
    ("fixedbitset", &["commands/validate"]),
    ("flate2", &["input/decompress", "report/sink.rs"]),
    ("hashbrown", &["commands/stats", "winnability"]),
    ("ignore", &["input/expand.rs", "input/patterns.rs"]),
    ("imara_diff", &["findings/fix/diff.rs"]),
    ("indicatif", &["report/progress.rs"]),
    ("itoa", &["report", "commands"]),
    ("libc", &["commands/interrupt.rs"]),
    ("libm", &["commands/stats"]),
    ("lzma_rust2", &["input/decompress"]),
    (
        "memchr",
        &["text", "pgn", "split", "input", "findings", "commands"],
    ),
    ("notify", &["commands/follow.rs"]),
    ("parquet", &["report/table.rs"]),
    ("pgn_reader", &["commands/validate/cross_check.rs"]),
    ("rawzip", &["input/decompress/zip"]),
    ("rayon", &["commands/perft", "commands/stats/ratings"]),
    ("regex", &["commands/select/tag_condition.rs"]),
    (
        "rustix",
        &[
            "commands/interrupt.rs",
            "input/compressed.rs",
            "report/stdout.rs",
        ],
    ),
    (
        "serde",
        &["findings/registry", "claim", "report", "commands"],
    ),
    ("serde_json", &["report", "commands"]),
    ("shakmaty", &["commands/polyglot.rs"]),
    ("shlex", &["commands/perft/engine.rs"]),
    ("signal_hook", &["commands/interrupt.rs"]),
    ("strsim", &["text", "findings"]),
    (
        "strum",
        &[
            "chess",
            "law",
            "notation",
            "pgn",
            "adjudication",
            "findings",
            "commands",
        ],
    ),
    (
        "tempfile",
        &[
            "commands/validate/fix/held.rs",
            "input/decompress/zip",
            "report/output_file.rs",
        ],
    ),
    ("terminal_size", &["report"]),
    (
        "thiserror",
        &["chess", "winnability", "split/error.rs", "error.rs"],
    ),
    ("toml", &["commands/config.rs"]),
    ("unicode_width", &["text/escape.rs"]),
    ("winapi_util", &["report/output_file.rs"]),
    ("zstd", &["input/decompress", "report/sink.rs"]),
];

/// Files that may write to standard output and standard error.
const PRINTERS: [&str; 3] = ["build.rs", "main.rs", "report"];

/// The file that calls the commands, from which no other file imports anything.
const DISPATCHER: &str = "src/commands/mod.rs";

const MOST_LINES: usize = 500;
const MOST_COLUMNS: usize = 100;

/// Words at the beginning of a sentence in a comment or a guide.
const OPENINGS: &str = r"(?:^|[.!?] )(What|Where|Of|That of|Those|Whoever|Nobody|As many)\b";

/// Words anywhere in a comment or a guide.
const WORDS: &str = r"(?i)\b(nobody|told|by itself|by themselves|otherwise than|so many|whoever|(?:is|are|was|were|been) packed|packed (?:file|form|game|text|input|data)s?|unpack(?:s|ed|ing)?|(?:look|looks|looked|looking) at)\b";

/// A word that belongs to the board only; elsewhere it is *after*.
const BEHIND: &str = r"(?i)\bbehind\b";

/// Fails unless nothing breaks the rule.
#[track_caller]
fn hold(rule: &str, broken: &[String]) {
    assert!(broken.is_empty(), "{rule}:\n{}", broken.join("\n"));
}

#[test]
fn folders_import_only_downwards() {
    let folders = [&CORE_FOLDERS[..], &FOLDERS].concat();
    let rank = |folder: &str| folders.iter().position(|&known| known == folder);
    let mut broken = Vec::new();
    for source in program() {
        let Some((folder, _)) = source.below_src().unwrap().split_once(['/', '.']) else {
            continue;
        };
        if ["build", "lib", "main"].contains(&folder) {
            continue;
        }
        let own = rank(folder).unwrap_or_else(|| panic!("{folder} has no place in FOLDERS"));
        let targets: BTreeSet<_> = paths(&source.code)
            .iter()
            .map(|path| path[0].clone())
            .collect();
        for target in targets {
            if rank(&target).is_none_or(|target| target > own) {
                broken.push(format!("{}: imports {target}", source.path));
            }
        }
    }
    hold("imports go downwards only", &broken);
}

#[test]
fn the_libraries_list_the_folders_in_this_order() {
    for (library, folders) in [("core/src", &CORE_FOLDERS[..]), ("src", &FOLDERS)] {
        let text = fs::read_to_string(root().join(library).join("lib.rs")).unwrap();
        let described = text
            .lines()
            .filter_map(|line| line.strip_prefix("//! - [`"));
        let described: Vec<_> = described
            .filter_map(|line| line.split('`').next())
            .collect();
        assert_eq!(described, folders, "{library}");
    }
}

#[test]
fn the_core_names_no_files_threads_or_clocks() {
    // Readers of bytes and buffers that threads may share are values.
    let outside =
        Regex::new(r"\bstd::(?:env|fs|net|path|process|thread|time)\b|\bAtomic|\bunsafe\b")
            .unwrap();
    let bytes = Regex::new(r"\bstd::(?:io\b|sync::[^L])").unwrap();
    let sources: Vec<_> = program()
        .filter(|source| source.path.starts_with("core/"))
        .collect();
    assert!(sources.len() > 100);
    for source in sources {
        let found = outside.find(&source.code).map(|found| found.as_str());
        assert_eq!(found, None, "{}", source.path);
        let is_board = source.path.starts_with("core/src/chess/");
        let found = bytes.find(&source.code).filter(|_| is_board);
        assert_eq!(found.map(|found| found.as_str()), None, "{}", source.path);
    }
}

#[test]
fn each_item_on_the_first_page_of_the_core_has_an_example() {
    let library = fs::read_to_string(root().join("core/src/lib.rs")).unwrap();
    let exports = Regex::new(r"pub use [\w:]+::(?:\{([^}]+)\}|(\w+));").unwrap();
    let exports = exports.captures_iter(&library);
    let names = exports.flat_map(|found| {
        let names = found.get(1).or(found.get(2)).unwrap().as_str();
        names
            .split(',')
            .map(|name| name.trim().to_owned())
            .collect::<Vec<_>>()
    });
    let names: Vec<_> = names.filter(|name| !name.is_empty()).collect();
    assert!(names.len() > 30, "{names:?}");
    let files = files("core/src", ".rs");
    let read = |file: &String| fs::read_to_string(root().join(file)).unwrap();
    let texts: Vec<_> = files.iter().map(read).collect();
    let has_example = |name: &&String| {
        let item = format!(r"((?:\n(?:///|#\[)[^\n]*)*)\npub (?:fn|struct|enum) {name}\b");
        let item = Regex::new(&item).unwrap();
        texts.iter().any(|text| {
            item.captures(text)
                .is_some_and(|found| found[1].contains("/// ```"))
        })
    };
    let broken: Vec<_> = names
        .iter()
        .filter(|name| !has_example(name))
        .cloned()
        .collect();
    hold("public items of the core crate have an example", &broken);
}

#[test]
fn no_command_imports_another() {
    let mut broken = Vec::new();
    let commands = ["validate", "stats", "adjudicate", "replay", "perft"];
    for source in program() {
        let Some(rest) = source.path.strip_prefix("src/commands/") else {
            continue;
        };
        if rest == "mod.rs" {
            continue;
        }
        let own = rest.split('/').next().unwrap();
        let targets: BTreeSet<_> = paths(&source.code)
            .into_iter()
            .filter(|path| path[0] == "commands" && path.len() > 1 && path[1] != own)
            .map(|path| path[1..].join("::"))
            .collect();
        for target in targets {
            if commands.contains(&target.split(':').next().unwrap()) {
                broken.push(format!("{}: imports {target}", source.path));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn no_files_import_each_other() {
    let modules = Modules::new(program());
    let mut imports = Imports::new();
    for source in program() {
        let paths = [paths(&source.code), modules.below(source)].concat();
        let targets = imports.entry(&source.path).or_default();
        targets.extend(paths.iter().flat_map(|path| modules.files(path)));
        targets.remove(&*source.path);
    }
    // A file may use what the `mod.rs` of its folder defines, or that file it: a cycle has either.
    let is_below = |file: &str, module: &str| {
        let folder = module.strip_suffix("mod.rs");
        module != DISPATCHER && folder.is_some_and(|folder| file.starts_with(folder))
    };
    let upwards = in_cycles(imports.clone(), is_below);
    let downwards = in_cycles(imports, |from, to| is_below(to, from));
    hold("no files import each other", &[upwards, downwards].concat());
}

/// The files that each file imports.
type Imports<'a> = BTreeMap<&'a str, BTreeSet<&'a str>>;

/// The files that import themselves by others, without the imports that do not count.
fn in_cycles(mut imports: Imports<'_>, is_free: impl Fn(&str, &str) -> bool) -> Vec<String> {
    for (from, targets) in &mut imports {
        targets.retain(|to| !is_free(from, to));
    }
    let reached = |from: &str| {
        let mut reached: BTreeSet<&str> = BTreeSet::new();
        let mut waiting: Vec<&str> = imports[from].iter().copied().collect();
        while let Some(file) = waiting.pop() {
            if reached.insert(file) {
                waiting.extend(&imports[file]);
            }
        }
        reached
    };
    let mut broken = Vec::new();
    for (&file, targets) in &imports {
        let mut others: Vec<_> = targets.iter().copied().collect();
        others.retain(|target| reached(target).contains(file));
        if !others.is_empty() {
            broken.push(format!("{file}: in a cycle by {}", others.join(", ")));
        }
    }
    broken
}

#[test]
fn crates_are_named_where_they_may_be() {
    let dependency = Regex::new(r"(?m)^([\w-]+) = (?:\{|.\d)").unwrap();
    let [program_dependencies, core] = ["Cargo.toml", "core/Cargo.toml"].map(|manifest| {
        let manifest = fs::read_to_string(root().join(manifest)).unwrap();
        let manifest = manifest.split("[dev-dependencies]").next().unwrap();
        manifest.split_once("[dependencies]").unwrap().1.to_owned()
    });
    assert!(dependency.captures_iter(&core).count() <= 12, "{core}");
    let dependencies = program_dependencies + &core;
    let known: BTreeSet<_> = CRATES.iter().map(|&(name, _)| name.to_owned()).collect();
    let used: BTreeSet<_> = dependency
        .captures_iter(&dependencies)
        .map(|name| name[1].replace('-', "_"))
        .collect();
    assert_eq!(
        used, known,
        "the dependencies in Cargo.toml, and those in CRATES"
    );

    let mut broken = Vec::new();
    for (name, places) in CRATES {
        let named =
            Regex::new(&format!(r"(?m)(?:^|[^\w:])(?:::)?{name}::|\buse {name}\b")).unwrap();
        // A module may have the name of the crate that it adapts.
        let module = Regex::new(&format!(r"\bcrate::(?:\w+::)+{name}[;,}}]")).unwrap();
        for source in program().filter(|source| !module.is_match(&source.code)) {
            let path = source.below_src().unwrap();
            if named.is_match(&source.code) && !places.iter().any(|place| path.starts_with(place)) {
                broken.push(format!("{}: names {name}", source.path));
            }
        }
    }
    hold("crates are named where they may be", &broken);
}

#[test]
fn only_report_and_the_binary_print() {
    let prints = Regex::new(r"\b(?:e?println?|dbg)!|\bstd(?:out|err)\(\)").unwrap();
    // Asking for a terminal and its width prints nothing.
    let asks =
        Regex::new(r"terminal_size_of\([\w:]*\(\)\)|std(?:out|err)\(\)\s*\.is_terminal").unwrap();
    let mut broken = Vec::new();
    for source in program() {
        let path = source.below_src().unwrap();
        let code = asks.replace_all(&source.code, "");
        if !PRINTERS.iter().any(|place| path.starts_with(place)) && prints.is_match(&code) {
            broken.push(format!("{}: prints", source.path));
        }
    }
    hold("only `report` and the binary print", &broken);
}

#[test]
fn files_are_short() {
    let mut broken = Vec::new();
    for source in program().filter(|source| source.tests_from > MOST_LINES) {
        broken.push(format!(
            "{}: {} lines without tests",
            source.path, source.tests_from
        ));
    }
    hold("files have 500 lines at most, without tests", &broken);
}

/// A line may be longer if a literal makes it so that cannot be wrapped, a raw one or the data of a
/// test, or if it is a comment of one word, such as an address.
#[test]
fn lines_are_short() {
    let mut broken = Vec::new();
    for source in SOURCES.iter() {
        for (nth, line) in source.lines.iter().enumerate() {
            let is_data = |&&(_, kind): &&(char, Kind)| {
                kind == Kind::RawLiteral || kind == Kind::Literal && nth >= source.tests_from
            };
            let data = line.iter().filter(is_data).count();
            let text: String = line.iter().map(|&(c, _)| c).collect();
            let is_word =
                text.trim_start().starts_with("//") && text.split_whitespace().count() < 3;
            if line.len() - data > MOST_COLUMNS && !is_word {
                broken.push(format!(
                    "{}:{}: {} columns",
                    source.path,
                    nth + 1,
                    line.len()
                ));
            }
        }
    }
    hold("lines have 100 columns at most", &broken);
}

/// The paragraphs of a guide, outside of code: line and text.
fn paragraphs(text: &str) -> Vec<(usize, String)> {
    let mut found: Vec<(usize, String)> = vec![(1, String::new())];
    let mut fenced = false;
    for (nth, line) in text.lines().enumerate() {
        if line.starts_with("```") {
            fenced = !fenced;
        }
        let begins = line.is_empty() || line.starts_with(['-', '|', '#', '`']) || fenced;
        if begins {
            found.push((nth + 1, String::new()));
        }
        if !fenced && !line.starts_with("```") {
            let text = &mut found.last_mut().unwrap().1;
            text.push(' ');
            text.push_str(line.trim_start_matches(['-', '|', '#']).trim());
        }
    }
    found
        .iter_mut()
        .for_each(|(_, text)| *text = text.trim().to_owned());
    found
}

/// True for the folders in which [`BEHIND`] has its meaning on the board.
fn is_about_the_board(path: &str) -> bool {
    ["core/src/chess/", "core/src/winnability/"]
        .iter()
        .any(|folder| path.starts_with(folder))
}

#[test]
fn comments_and_guides_avoid_the_banned_words() {
    let openings = Regex::new(OPENINGS).unwrap();
    let words = Regex::new(WORDS).unwrap();
    let behind = Regex::new(BEHIND).unwrap();
    let code = Regex::new("`[^`]*`").unwrap();
    let mut texts: Vec<_> = SOURCES
        .iter()
        .map(|source| (source.path.clone(), source.comments()))
        .collect();
    let guides = ["README.md".to_owned()]
        .into_iter()
        .chain(files("src", ".md"))
        .chain(files("core", ".md"));
    for guide in guides
        .chain(files(".github", ".md"))
        .chain(files("tests", ".md"))
    {
        let text = fs::read_to_string(root().join(&guide)).unwrap();
        texts.push((guide, paragraphs(&text)));
    }
    let mut broken = Vec::new();
    for (path, comments) in &texts {
        let banned = if is_about_the_board(path) { 2 } else { 3 };
        for (line, text) in comments {
            let text = code.replace_all(text, "`…`");
            let found = [&openings, &words, &behind].into_iter().take(banned);
            for word in found.filter_map(|banned| banned.find(&text)) {
                broken.push(format!("{path}:{line}: {}", word.as_str()));
            }
        }
    }
    hold("comments and guides avoid the banned words", &broken);
}

/// The words of sites are quoted as they are.
#[test]
fn messages_avoid_the_banned_words() {
    let banned = [WORDS, BEHIND].map(|words| Regex::new(words).unwrap());
    let mut broken = Vec::new();
    for source in program().filter(|source| !source.path.starts_with("core/src/pgn/termination/")) {
        let banned = if is_about_the_board(&source.path) {
            &banned[..1]
        } else {
            &banned[..]
        };
        // A published name stays.
        let literals = source.literals().replace("sign-behind-move", "");
        for (nth, line) in literals.lines().enumerate() {
            for word in banned.iter().filter_map(|banned| banned.find(line)) {
                broken.push(format!("{}:{}: {}", source.path, nth + 1, word.as_str()));
            }
        }
    }
    hold("messages avoid the banned words", &broken);
}

#[test]
fn the_readme_is_short() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    assert!(readme.lines().count() <= 320);
}

/// The invariants of lib.rs and the tests that hold them, as `file::test`.
fn invariants() -> Vec<(String, Vec<String>)> {
    let text = fs::read_to_string(root().join("src/lib.rs")).unwrap();
    let (_, text) = text.split_once("//! # Invariants").unwrap();
    let text: Vec<_> = text
        .lines()
        .skip(1)
        .map_while(|line| line.strip_prefix("//!"))
        .map(str::trim)
        .collect();
    let item = Regex::new(r"(?:^| )\d+\. ").unwrap();
    let test = Regex::new(r"`(\w+(?:::\w+)+)`").unwrap();
    let text = text.join(" ");
    let items = item.split(&text).skip(1).map(|item| {
        let (invariant, tests) = item.split_once("Held by").unwrap_or((item, ""));
        let tests = test
            .captures_iter(tests)
            .map(|test| test[1].to_owned())
            .collect();
        (invariant.to_owned(), tests)
    });
    items.collect()
}

#[test]
fn each_invariant_names_the_tests_that_hold_it() {
    let invariants = invariants();
    assert_eq!(invariants.len(), 11);
    for (invariant, tests) in invariants {
        assert!(!tests.is_empty(), "no test holds: {invariant}");
        for test in tests {
            let (module, name) = test.rsplit_once("::").unwrap();
            let module = format!("tests/it/{}", module.replace("::", "/"));
            let files = [format!("{module}.rs"), format!("{module}/mod.rs")];
            let exists = files
                .iter()
                .filter_map(|file| fs::read_to_string(root().join(file)).ok())
                .any(|text| text.contains(&format!("#[test]\nfn {name}(")));
            assert!(exists, "there is no test {test}, which holds: {invariant}");
        }
    }
}
