//! Reports of `validate --fix`: the diff, other findings, the closing line.

use std::fs;

use crate::arbiter_command::{Ran, Scratch, run};
use crate::found::game;
use crate::validate::fixes::{codes_of, fixed};

/// Applies a unified diff.
pub(crate) fn apply(diff: &str, old: &str) -> String {
    let mut lines = old.split_inclusive('\n').enumerate().peekable();
    let mut new = String::new();
    let mut last = "";
    for line in diff.split_inclusive('\n').skip(2) {
        if let Some(header) = line.strip_prefix("@@ -") {
            let (first, rest) = header.split_once(',').unwrap();
            let is_empty = rest.starts_with("0 ");
            let first: usize = first.parse().unwrap();
            let until = first - usize::from(!is_empty);
            while let Some((_, same)) = lines.next_if(|(nth, _)| *nth < until) {
                new += same;
            }
            let (start, _) = header.split_once('+').unwrap().1.split_once(',').unwrap();
            assert!(
                start
                    .parse::<usize>()
                    .unwrap()
                    .abs_diff(new.lines().count())
                    <= 1
            );
            continue;
        }
        let (sign, text) = line.split_at(1);
        let last = std::mem::replace(&mut last, sign);
        let mut take = || lines.next().map_or("", |(_, line)| line);
        match sign {
            // The line before has no end; it stands in the diff with one.
            "\\" if last != "-" => new.truncate(new.len() - 1),
            "\\" => {}
            "+" => new += text,
            "-" => assert_eq!(take().trim_end(), text.trim_end()),
            _ => {
                assert_eq!(take(), text);
                new += text;
            }
        }
    }
    new + &lines.map(|(_, line)| line).collect::<String>()
}

#[test]
fn the_diff_leads_to_the_repaired_text() {
    let clean = game(&[], "1. e4 e5\n2. Nf3 *");
    let faulty = game(&[], "1. e4 e5\n2. Qh5 Nc6\n3. Qxf7 *");
    let glued = format!("{}{faulty}", faulty.trim_end());
    let text = [&*clean, &faulty, &clean, &clean, &glued, &clean, &faulty].join("\n");
    let scratch = Scratch::new("fix-diff");
    // `patch` reads a name with blanks up to a tab only.
    for (text, name, end) in [
        (text.clone(), "games.pgn", ""),
        (text.repeat(300), "more games.pgn", "\t"),
    ] {
        let input = scratch.file(name, text.as_bytes());
        let diff = run(&["validate", "-q", "--strict", "--fix", "--diff", &input]).stdout();
        let whole = run(&["validate", "-q", "--strict", "--fix", &input]).stdout();
        assert!(diff.starts_with(&format!("--- {input}{end}\n+++ {input}{end}\n@@ -")));
        assert!(apply(&diff, &text) == whole);
        for jobs in ["1", "3"] {
            let other = run(&[
                "validate", "-q", "--strict", "--fix", "--diff", "-j", jobs, &input,
            ]);
            assert!(other.stdout() == diff, "-j {jobs}");
        }
        assert_eq!(fs::read(&input).unwrap(), text.as_bytes());
    }
    assert_eq!(fixed(&clean, &["--diff"]).stdout(), "");
    let colored = fixed(&faulty, &["--diff", "--color", "always"]).stdout();
    assert!(colored.contains("\x1b[31m-3. Qxf7 *\x1b[0m\n\x1b[32m+3. Qxf7+ *\x1b[0m\n"));
}

/// The closing line on the findings.
pub(crate) fn findings_of(ran: &Ran) -> String {
    let mut lines = ran.stderr.lines();
    let line = lines.find_map(|line| line.strip_prefix("findings: "));
    line.unwrap_or_else(|| panic!("{}", ran.stderr)).to_owned()
}

#[test]
fn what_the_run_does_not_report_stays() {
    let scratch = Scratch::new("fix-reported");
    // A missing check mark and castling with zeros are reported with `--strict` only.
    let moves = "1. e4 e5 2. Qh5 Nc6 3. Qxf7 Kxf7 4. Ngf3 Nf6 5. Be2 Be7 6. 0-0\u{a0}d6 *";
    let text = game(&[], moves);
    let file = scratch.file("games.pgn", text.as_bytes());
    for (more, found, fixed, after) in [
        (&[][..], "1 can be repaired by --fix", "1 W263", "6. 0-0 d6"),
        (
            &["--select", "W263"],
            "1 can be repaired by --fix",
            "1 W263",
            "6. 0-0 d6",
        ),
        (&["--ignore", "W263"], "0 note", "nothing", "6. 0-0\u{a0}d6"),
        (
            &["--strict"],
            "4 can be repaired by --fix",
            "1 N230, 1 N240, 1 N246, 1 W263",
            "6. O-O d6",
        ),
    ] {
        let reported = run(&[&["validate", &file], more].concat());
        let found_line = findings_of(&reported);
        assert!(found_line.ends_with(found), "{more:?}: {found_line}");
        let ran = run(&[&["validate", "--fix", &file], more].concat());
        assert_eq!(codes_of(&ran), fixed, "{more:?}");
        assert!(ran.stdout().contains(after), "{more:?}: {}", ran.stdout());
    }
}

#[test]
fn the_closing_line_counts_what_each_option_repairs() {
    let scratch = Scratch::new("fix-counted");
    let slip = game(&[], "1. e4 e5 2. Nf3 Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 *");
    let blank = game(&[], "1. e4\u{a0}e5 *");
    let numbers = game(&[], "1. e4 e5 3. Nf3 Nc6 2. Bb5 a6 5. Ba4 Nf6 *");
    let text = format!("{slip}\n{blank}\n{numbers}");
    let file = scratch.file("games.pgn", text.as_bytes());
    let reported = run(&["validate", &file]);
    let said = "; 4 can be repaired by --fix, 1 more by --fix-suggestions";
    assert!(
        findings_of(&reported).ends_with(said),
        "{}",
        reported.stderr
    );
    // Findings that are not shown count as well, but none of a baseline.
    let few = run(&["validate", "--max-findings", "1", &file]);
    assert!(findings_of(&few).contains(said), "{}", few.stderr);
    let known = scratch.path().join("known");
    let known = known.to_str().unwrap();
    run(&[
        "validate",
        "-q",
        "--select",
        "W",
        "--write-baseline",
        known,
        &file,
    ]);
    let rest = run(&["validate", "--baseline", known, &file]);
    let line = findings_of(&rest);
    assert!(
        line.ends_with("; 1 can be repaired by --fix-suggestions"),
        "{line}"
    );
    let fixed = run(&["validate", "--fix", &file]);
    assert_eq!(codes_of(&fixed), "3 W215, 1 W263", "{}", fixed.stderr);
    let left = "left: 1 error, 0 warning, 0 note; 1 can be repaired by --fix-suggestions\n";
    assert!(fixed.stderr.contains(left), "{}", fixed.stderr);
    // `--fix-suggestions` needs no `--fix`.
    let both = run(&["validate", "--fix", "--fix-suggestions", &file]);
    assert_eq!(codes_of(&both), "1 E201, 3 W215, 1 W263", "{}", both.stderr);
    for more in [
        &["--fix-suggestions"][..],
        &["--fix-suggestions", "--keep-original"],
    ] {
        let ran = run(&[&["validate", &file], more].concat());
        assert_eq!(codes_of(&ran), codes_of(&both), "{}", ran.stderr);
    }
    let alone = run(&["validate", "--fix-suggestions", &file]);
    assert_eq!(alone.stdout, both.stdout);
}
