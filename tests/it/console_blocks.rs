//! Console blocks of the manuals, which show what a user sees.
//!
//! Marks of the tests stand in comments before a block: `<!-- exit 1 -->` is its exit code, with
//! several commands `<!-- exit 1, 0 -->`, and `<!-- varies: \d+ MB -->` a pattern of what differs
//! between runs. trycmd reads `? 1` after the command, `[..]`, and a blank line at the end.

use std::collections::HashMap;
use std::sync::LazyLock;

use regex::{Captures, NoExpand, Regex};

/// Comments before a block, its fence, its lines.
static BLOCK: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?ms)^((?:<!-- [^\n]* -->\n)*)(```console\n)(.*?)^```$").unwrap()
});
static NOTE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?m)^<!-- (exit |varies: )(.*) -->\n").unwrap());

/// The line as trycmd reads it.
fn elided(line: &str, comments: &str) -> String {
    let mut line = line.to_owned();
    for note in NOTE.captures_iter(comments) {
        if &note[1] == "varies: " {
            let varies = Regex::new(&note[2]).unwrap();
            line = varies.replace_all(&line, NoExpand("[..]")).into_owned();
        }
    }
    line
}

/// The manual with the marks of trycmd.
pub fn for_trycmd(manual: &str) -> String {
    let mark = |block: &Captures<'_>| {
        let (comments, fence) = (&block[1], &block[2]);
        let mut notes = NOTE.captures_iter(comments);
        let exit = notes.find(|note| &note[1] == "exit ");
        let exit = exit.map_or_else(String::new, |note| note[2].to_owned());
        let commands = block[3].lines().filter(|line| line.starts_with("$ "));
        let mut codes = exit.split(", ").filter(|code| !code.is_empty());
        assert!(
            exit.is_empty() || codes.clone().count() == commands.count(),
            "an exit code for each command: {}",
            &block[0]
        );
        let mut lines = String::new();
        for line in block[3].lines() {
            if line.starts_with("$ ") {
                let code = codes.next().filter(|&code| code != "0");
                let code = code.map_or_else(String::new, |code| format!("? {code}\n"));
                lines += &format!("{line}\n{code}");
            } else {
                lines += &format!("{}\n", elided(line, comments));
            }
        }
        format!("{comments}{fence}{lines}\n```")
    };
    BLOCK.replace_all(manual, mark).into_owned()
}

/// The manual of a copy in which trycmd has recorded runs; `old` is what the copy was made from.
pub fn from_trycmd(copy: &str, old: &str) -> String {
    let mut old = BLOCK.captures_iter(old);
    let unmark = |block: &Captures<'_>| {
        let old = old
            .next()
            .expect("the blocks of the copy are those of the manual");
        let comments = &old[1];
        let shown: HashMap<_, _> = old[3]
            .lines()
            .map(|line| (elided(line, comments), line))
            .collect();
        let mut codes: Vec<&str> = Vec::new();
        let mut lines = String::new();
        let mut is_after_command = false;
        for line in block[3].lines() {
            if let Some(code) = line.strip_prefix("? ").filter(|_| is_after_command) {
                *codes.last_mut().unwrap() = code;
            } else {
                lines += shown.get(line).unwrap_or(&line);
                lines.push('\n');
            }
            is_after_command = line.starts_with("$ ");
            codes.extend(is_after_command.then_some("0"));
        }
        let lines = lines
            .strip_suffix('\n')
            .expect("trycmd ends a block with a blank line");
        let others = NOTE.replace_all(comments, |note: &Captures<'_>| match &note[1] {
            "exit " => String::new(),
            _ => note[0].to_owned(),
        });
        let exit = match codes.iter().any(|&code| code != "0") {
            true => format!("<!-- exit {} -->\n", codes.join(", ")),
            false => String::new(),
        };
        format!("{exit}{others}{}{lines}```", &block[2])
    };
    BLOCK.replace_all(copy, unmark).into_owned()
}

const SHOWN: &str = "\
text
<!-- exit 1, 0 -->
<!-- varies: \\d+ MB -->
```console
$ arbiter validate a.pgn
error: `? 1`
? is no mark
read 12 MB, 3 MB

$ arbiter validate b.pgn
read 4 MB
```
more
";

const MARKED: &str = "\
text
<!-- exit 1, 0 -->
<!-- varies: \\d+ MB -->
```console
$ arbiter validate a.pgn
? 1
error: `? 1`
? is no mark
read [..], [..]

$ arbiter validate b.pgn
read [..]

```
more
";

#[test]
fn marks_of_comments_become_those_of_trycmd() {
    assert_eq!(for_trycmd(SHOWN), MARKED);
    assert_eq!(from_trycmd(MARKED, SHOWN), SHOWN);
    let plain = "```console\n$ arbiter -V\narbiter 1\n```\n\n```sh\nls\n```\n";
    assert_eq!(for_trycmd(plain), plain.replace("1\n```", "1\n\n```"));
    assert_eq!(from_trycmd(&for_trycmd(plain), plain), plain);
}

#[test]
fn recorded_runs_become_comments_and_what_is_shown() {
    let recorded = MARKED
        .replace("? 1\n", "")
        .replace("b.pgn\n", "b.pgn\n? 2\nerror\n")
        .replace("read [..]\n", "read 5 MB in all\n");
    let expected = SHOWN
        .replace("exit 1, 0", "exit 0, 2")
        .replace("b.pgn\n", "b.pgn\nerror\n")
        .replace("read 4 MB\n", "read 5 MB in all\n");
    assert_eq!(from_trycmd(&recorded, SHOWN), expected);
    let recorded = MARKED.replace("? 1\n", "");
    assert_eq!(
        from_trycmd(&recorded, SHOWN),
        SHOWN.replace("<!-- exit 1, 0 -->\n", "")
    );
}

#[test]
#[should_panic(expected = "an exit code for each command")]
fn a_missing_exit_code_is_an_error() {
    for_trycmd(&SHOWN.replace("exit 1, 0", "exit 1"));
}
