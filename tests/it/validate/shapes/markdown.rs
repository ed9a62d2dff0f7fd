//! The summary in Markdown.

use super::validate;
use crate::arbiter_command::{Scratch, run};

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
fn codes_are_counted_and_the_severe_come_first() {
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
}

#[test]
fn a_summary_fits_a_step_whatever_the_names() {
    // Each character takes six in the summary.
    let missing: Vec<String> = (0..80)
        .map(|number| format!("{}/{number}.pgn", "\u{1b}".repeat(2400)))
        .collect();
    let missing: Vec<&str> = missing.iter().map(String::as_str).collect();
    let length = validate("markdown", &missing).stdout.len();
    assert!((900_000..=1 << 20).contains(&length), "{length}");
}

#[test]
fn names_of_inputs_are_no_markup() {
    let ran = validate("markdown", &["<b>|[x](y)*`", "fixtures/slips.pgn"]);
    let text = ran.stdout();
    let (_, errors) = text.split_once("cannot be read\n\n- ").unwrap();
    let (error, _) = errors.split_once('\n').unwrap();
    assert!(!error.contains(['<', '>', '|']), "{error}");
    assert!(error.contains("\\[x\\](y)\\*\\`"), "{error}");
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
