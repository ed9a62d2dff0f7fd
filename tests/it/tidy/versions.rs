//! The version of a release, in each file that names it.

use std::collections::BTreeSet;
use std::fs;

use regex::Regex;

use super::hold;
use super::source::{files, root};

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Files that name the version.
const FILES: [&str; 8] = [
    ".github/CHANGELOG.md",
    ".github/actions/validate/action.yml",
    ".github/pre-commit/README.md",
    ".github/pre-commit/pyproject.toml",
    "Cargo.toml",
    "README.md",
    "src/commands/validate/README.md",
    "web/npm/package.json",
];

/// Folders whose files may name it, apart from the root.
const FOLDERS: [&str; 5] = [".github", "core", "python", "src", "web"];

/// Kinds of files that may name it.
const ENDINGS: [&str; 7] = [".html", ".js", ".json", ".md", ".toml", ".yaml", ".yml"];

/// Text before a version of this repository, in any kind of file.
const BEFORE: [&str; 7] = [
    // The manifests of Cargo and npm, and the newest heading of the changelog.
    r#"^version = ""#,
    r#"^  "version": ""#,
    r"\A# Changelog\n[^#]*\n## (?:Unreleased \()?",
    // A package, as pip, npm, Cargo and GitHub name it.
    r"\barbiter[\w./-]*(?:==|@v?)",
    r#"\barbiter[\w-]*": "[\^~]?"#,
    r#"\barbiter[\w-]* = (?:\{.*\bversion = )?"[\^~=]?"#,
    r"\brev: v",
];

/// The versions of this repository that a text names.
fn versions(text: &str) -> Vec<String> {
    let version = format!(r"(?m)(?:{})(\d+\.\d[\w.+-]*)", BEFORE.join("|"));
    let found = Regex::new(&version).unwrap();
    found
        .captures_iter(text)
        .map(|found| found[1].trim_end_matches('.').to_owned())
        .collect()
}

/// The files that may name the version.
fn candidates() -> Vec<String> {
    let is_candidate = |name: &String| {
        ENDINGS.iter().any(|ending| name.ends_with(ending)) && !name.contains("node_modules/")
    };
    let top = fs::read_dir(root()).unwrap();
    let top = top.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let folders = FOLDERS.iter().filter(|folder| root().join(folder).is_dir());
    let below = folders.flat_map(|folder| files(folder, ""));
    top.chain(below).filter(is_candidate).collect()
}

#[test]
fn all_files_name_one_version() {
    let mut named = BTreeSet::new();
    let mut broken = Vec::new();
    for file in candidates() {
        let text = fs::read_to_string(root().join(&file)).unwrap();
        for version in versions(&text) {
            if version != VERSION {
                broken.push(format!("{file}: {version}"));
            }
            named.insert(file.clone());
        }
    }
    hold("all files name the version of Cargo.toml", &broken);
    let named: Vec<_> = named.iter().map(String::as_str).collect();
    assert_eq!(named, FILES, "the files that name a version, and FILES");
}

#[test]
fn a_version_is_recognised_in_each_kind_of_file() {
    for text in [
        "[package]\nversion = \"1.2.3\"\n",
        "{\n  \"version\": \"1.2.3\",\n  \"engines\": { \"node\": \">=20.0\" }\n}\n",
        "# Changelog\n\nChanges.\n\n## Unreleased (1.2.3)\n\n- One.\n\n## 1.2.2\n",
        "# Changelog\n\nChanges.\n\n## 1.2.3 (2026-12-01)\n\n- One.\n\n## 1.2.2\n",
        "pipx install chess-arbiter==1.2.3\n",
        "https://example.org/chess-arbiter@1.2.3/index.js",
        "uses: chess-arbiter/arbiter/.github/actions/validate@v1.2.3\n",
        "    \"chess-arbiter\": \"^1.2.3\"\n",
        "chess-arbiter-core = { path = \"core\", version = \"1.2.3\" }\n",
        "chess-arbiter-core = \"1.2.3\"\n",
        "    rev: v1.2.3\n",
    ] {
        assert_eq!(versions(text), ["1.2.3"], "{text}");
    }
}
