//! The `--max-findings` option, and counts beyond it.

use super::{FORMATS, read};
use crate::arbiter_command::{run, run_with_stdin};

const FILES: [&str; 4] = [
    "fixtures/findings/E201.pgn",
    "fixtures/findings/W207.pgn",
    "fixtures/findings/N103.pgn",
    "fixtures/findings/E202.pgn",
];

fn limited(format: &str, most: &str) -> crate::arbiter_command::Ran {
    let mut words = vec!["validate", "--format", format, "--max-findings", most];
    words.extend(FILES);
    run(&words)
}

#[test]
fn the_first_findings_of_the_whole_run_are_shown_and_all_are_counted() {
    for format in FORMATS {
        for most in 0..=5 {
            let ran = limited(format, &most.to_string());
            // The exit code includes findings that are not shown.
            assert_eq!(ran.code, Some(1), "{format} {most}");
            let seen = read(format, &ran.stdout(), &FILES);
            let files: Vec<_> = seen.iter().map(|seen| &*seen.file).collect();
            let mut expected = FILES;
            if format == "sarif" {
                // Errors come first.
                expected.sort_by_key(|file| !file.contains("/E"));
            }
            assert_eq!(files, expected[..most.min(4)], "{format}");
            let hidden = 4_usize.saturating_sub(most);
            let counts = "findings: 2 error, 1 warning, 1 note";
            let expected = match hidden {
                0 => format!("{counts}\n"),
                _ => format!("{counts}; {hidden} of them not shown\n"),
            };
            assert!(ran.stderr.starts_with(&expected), "{format} {}", ran.stderr);
        }
    }
}

#[test]
fn documents_say_that_something_is_not_shown() {
    let log: serde_json::Value = serde_json::from_str(&limited("sarif", "1").stdout()).unwrap();
    let invocation = &log["runs"][0]["invocations"][0];
    assert_eq!(invocation["executionSuccessful"], true);
    let notifications = invocation["toolExecutionNotifications"].as_array().unwrap();
    let texts: Vec<_> = notifications
        .iter()
        .map(|notification| notification["message"]["text"].as_str().unwrap())
        .collect();
    assert_eq!(
        texts,
        [
            "findings that are not shown: 1 error",
            "findings that are not shown: 1 warning",
            "findings that are not shown: 1 note"
        ]
    );

    // A test server must report a failure if the exit code is 1.
    for (most, failures) in [("0", 1), ("1", 1), ("4", 0)] {
        let report =
            quick_junit::Report::deserialize_from_str(&limited("junit", most).stdout()).unwrap();
        let hidden = report
            .test_suites
            .iter()
            .find(|suite| suite.name.as_str().contains("not shown"));
        assert_eq!(hidden.map_or(0, |suite| suite.failures), failures, "{most}");
    }
}

#[test]
fn a_sarif_log_holds_the_most_severe_five_thousand() {
    let text = "1. e4 ) e5 *\n\n".repeat(6_000) + &"[Event \"x\"]\n\n1. e4 Ke3 *\n\n".repeat(40);
    let words = ["validate", "--select", "E201,W207", "--format", "sarif"];
    let seen = |more: &[&str]| {
        let ran = run_with_stdin(&[&words[..], more].concat(), text.clone().into_bytes());
        let seen = read("sarif", &ran.stdout(), &["<stdin>"]);
        let errors = seen.iter().filter(|seen| seen.code == "E201").count();
        assert!(seen[..errors].iter().all(|seen| seen.code == "E201"));
        (seen.len(), errors, ran)
    };
    let (results, errors, ran) = seen(&[]);
    assert_eq!((results, errors), (5_000, 40));
    let counts = "findings: 40 error, 6000 warning, 0 note; 1040 of them not shown\n";
    assert!(ran.stderr.starts_with(counts), "{}", ran.stderr);
    assert!(
        ran.stdout()
            .contains("findings that are not shown: 1040 warning")
    );
    let (results, errors, _) = seen(&["--max-findings", "25000"]);
    assert_eq!((results, errors), (6_040, 40));
    let (results, errors, ran) = seen(&["--max-findings", "30", "-j", "3"]);
    assert_eq!((results, errors), (30, 30));
    let counts = "findings: 40 error, 6000 warning, 0 note; 6010 of them not shown\n";
    assert!(ran.stderr.starts_with(counts), "{}", ran.stderr);
}
