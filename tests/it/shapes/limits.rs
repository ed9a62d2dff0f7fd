//! The `--max-findings` option, and counts beyond it.

use super::{FORMATS, read};
use crate::arbiter_command::run;

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
            assert_eq!(files, FILES[..most.min(4)], "{format}");
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
