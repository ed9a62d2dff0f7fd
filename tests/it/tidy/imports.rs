//! The paths that a file imports, and the files that define them.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use regex::Regex;

use super::source::Source;

static IMPORT: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?s)(pub(?:\([\w ]+\))? )?\buse\s+crate::([^;]+);").unwrap());
static INLINE: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\bcrate::((?:\w+::)*\w+)").unwrap());
static RELATIVE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?:^|[^\w:])(?:self::)?(\w+(?:::\w+)+)").unwrap());
static EXPORT: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?s)pub(?:\([\w ]+\))? use\s+(?:crate::)?((?:self::)?)([^;]+);").unwrap()
});

/// The paths that a file names from the root of the crate, as lists of names.
pub fn paths(code: &str) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    for import in IMPORT.captures_iter(code) {
        if import.get(1).is_none() {
            found.extend(flat(&import[2]));
        }
    }
    for path in INLINE.captures_iter(&IMPORT.replace_all(code, "")) {
        found.extend(flat(&path[1]));
    }
    found
}

/// `a::{b, c::d}` as `a::b` and `a::c::d`.
fn flat(tree: &str) -> Vec<Vec<String>> {
    let tree = tree.trim();
    let Some((head, rest)) = tree.split_once('{') else {
        let path = tree.split(" as ").next().unwrap();
        return vec![
            path.split("::")
                .map(|name| name.trim().to_owned())
                .collect(),
        ];
    };
    let head: Vec<String> = head
        .split("::")
        .map(str::trim)
        .filter(|name| !name.is_empty())
        .map(str::to_owned)
        .collect();
    let mut parts = vec![String::new()];
    let mut depth = 0;
    for c in rest[..rest.rfind('}').unwrap()].chars() {
        match c {
            ',' if depth == 0 => parts.push(String::new()),
            _ => {
                depth += i32::from(c == '{') - i32::from(c == '}');
                parts.last_mut().unwrap().push(c);
            }
        }
    }
    parts.retain(|part| !part.trim().is_empty());
    let below = parts.iter().flat_map(|part| flat(part));
    below.map(|below| [head.clone(), below].concat()).collect()
}

struct Module {
    file: String,
    /// The paths of the names that it exports again.
    exports: BTreeMap<String, Vec<String>>,
}

/// Which file defines what a path names, through the re-exports of modules.
pub struct Modules {
    /// By module path.
    files: BTreeMap<Vec<String>, Module>,
}

impl Modules {
    pub fn new<'a>(sources: impl Iterator<Item = &'a Source>) -> Self {
        let mut files = BTreeMap::new();
        for source in sources {
            let path = source.below_src().unwrap();
            let names: Vec<String> = path
                .trim_end_matches(".rs")
                .trim_end_matches("mod")
                .split('/')
                .filter(|name| !name.is_empty())
                .map(str::to_owned)
                .collect();
            let mut exports = BTreeMap::new();
            for export in EXPORT.captures_iter(&source.code) {
                let absolute = export[0].contains("crate::");
                for path in flat(&export[2]) {
                    let name = path.last().unwrap().clone();
                    let path = if absolute {
                        path
                    } else {
                        [names.clone(), path].concat()
                    };
                    exports.insert(name, path);
                }
            }
            let file = source.path.clone();
            files.insert(names, Module { file, exports });
        }
        Self { files }
    }

    /// The files that a path leads through: modules that export its name again, and the one that
    /// defines it.
    pub fn files(&self, path: &[String]) -> Vec<&str> {
        let known = |&n: &usize| self.files.contains_key(&path[..n]);
        let Some(length) = (1..=path.len()).rev().find(known) else {
            return Vec::new();
        };
        let module = &self.files[&path[..length]];
        let exported = path.get(length).and_then(|name| module.exports.get(name));
        let mut files = match exported {
            Some(target) if target != path => self.files(target),
            _ => Vec::new(),
        };
        files.push(&module.file);
        files
    }

    /// The paths that a file names from its own children, such as `json::text`, without those that
    /// it only exports again.
    pub fn below(&self, source: &Source) -> Vec<Vec<String>> {
        let own = self.files.iter().find(|(_, own)| own.file == source.path);
        let own = own.map_or(&[][..], |(path, _)| path);
        let code = EXPORT.replace_all(&source.code, "");
        let paths = RELATIVE.captures_iter(&code).map(|path| flat(&path[1]));
        let paths = paths.flatten().map(|path| [own, &path].concat());
        let child = |path: &Vec<String>| path.get(..=own.len()).map(<[String]>::to_vec);
        paths
            .filter(|path| child(path).is_some_and(|child| self.files.contains_key(&child)))
            .collect()
    }
}
