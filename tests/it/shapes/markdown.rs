//! The summary in Markdown.

use super::{nasty, validate};
use crate::arbiter_command::{Scratch, run, run_with_stdin};

/// The rows of the table below a heading, as cells.
fn table<'t>(text: &'t str, heading: &str) -> Vec<Vec<&'t str>> {
    let Some((_, below)) = text.split_once(&format!("\n### {heading}\n\n")) else {
        return Vec::new();
    };
    let rows = below.lines().take_while(|line| line.starts_with("| "));
    let mut rows: Vec<Vec<&str>> = rows
        .map(|row| {
            let row = row
                .strip_prefix("| ")
                .and_then(|row| row.strip_suffix(" |"));
            row.unwrap().split(" | ").collect()
        })
        .collect();
    let columns = rows[0].len();
    assert!(rows.iter().all(|row| row.len() == columns), "{rows:?}");
    rows.drain(..2);
    rows
}

#[test]
fn codes_and_files_are_counted_and_the_severe_come_first() {
    let scratch = Scratch::new("summary");
    let mut files = Vec::new();
    for bad in 1..=12 {
        let text = format!(
            "[Event \"x\"]\n\n1. e4 ) e5 *\n\n{}",
            "[Event \"x\"]\n\n1. e4 Ke3 *\n\n".repeat(bad)
        );
        files.push(scratch.file(&format!("{bad}.pgn"), text.as_bytes()));
    }
    let mut words = vec![
        "validate",
        "-q",
        "--select",
        "E201,W207",
        "--format",
        "markdown",
    ];
    words.extend(files.iter().map(String::as_str));
    let ran = run(&words);
    let text = ran.stdout();
    assert!(
        text.contains("\n**78 errors, 12 warnings, 0 notes**; games: 90 seen"),
        "{text}"
    );
    let codes: Vec<_> = table(&text, "Codes")
        .iter()
        .map(|row| row[..3].join(" "))
        .collect();
    assert_eq!(codes, ["error E201 78", "warning W207 12"]);
    let worst = table(&text, "Files with the most findings");
    let counts: Vec<_> = worst.iter().map(|row| row[1]).collect();
    assert_eq!(
        counts,
        ["12", "11", "10", "9", "8", "7", "6", "5", "4", "3"]
    );
    assert_eq!(worst[0][0], format!("`{}`", files[11]));
    assert!(text.contains("\nand 2 more files\n"));
    let first = table(&text, "First findings");
    assert_eq!(
        (first.len(), first[0][0], first[89][0]),
        (90, "error", "warning")
    );
}

#[test]
fn a_summary_fits_a_step_whatever_the_names() {
    let scratch = Scratch::new("large-summary");
    let mut folder = scratch.path().to_owned();
    // Each character takes six in the summary.
    for _ in 0..12 {
        folder.push("\u{1b}".repeat(200));
    }
    std::fs::create_dir_all(&folder).unwrap();
    for number in 0..80 {
        std::fs::write(folder.join(format!("{number}.pgn")), "1. e4 ) e5 *\n").unwrap();
    }
    let ran = run(&[
        "validate",
        "-q",
        "--format",
        "markdown",
        scratch.path().to_str().unwrap(),
    ]);
    let length = ran.stdout.len();
    assert!((900_000..=1 << 20).contains(&length), "{length}");
    assert!(ran.stdout().ends_with(" more findings\n"));
}

#[test]
fn text_of_games_is_no_markup() {
    let ran = run_with_stdin(
        &["validate", "-q", "--strict", "--format", "markdown"],
        nasty(),
    );
    let text = ran.stdout();
    let rows = table(&text, "First findings");
    assert!(rows.len() > 50);
    for row in &rows {
        let message = row[3];
        // Outside of code.
        let outside = message.replace("\\`", "");
        for part in outside.split('`').step_by(2) {
            assert!(!part.contains(['<', '>', '|']), "{message}");
            assert!(!part.replace("\\[", "").contains('['), "{message}");
        }
    }
    let many = run_with_stdin(
        &[
            "validate", "-q", "--strict", "--format", "markdown", "-j", "5",
        ],
        nasty(),
    );
    assert!(many == ran);
}

#[test]
fn inputs_that_cannot_be_read_are_in_the_summary() {
    let ran = validate("markdown", &["missing_1.pgn", "fixtures/famous.pgn"]);
    assert_eq!(ran.code, Some(2));
    let text = ran.stdout();
    assert!(
        text.contains("\n### Inputs that cannot be read\n\n- cannot open `missing_1.pgn`: "),
        "{text}"
    );
}
