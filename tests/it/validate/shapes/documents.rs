//! Documents are complete in every case, and SARIF conforms to its published schema.

use std::collections::HashMap;
use std::io::Write;

use serde_json::Value;

use super::parsed::{junit, sarif, sarif_path};
use super::{nasty, validate};
#[cfg(unix)]
use crate::arbiter_command::{Ran, run_interrupted};
use crate::arbiter_command::{Scratch, run, run_with_stdin};

/// Parses a SARIF log and checks it against the schema, including formats such as URI.
fn valid(text: &str) -> Value {
    let schema = include_str!("../../../schemas/sarif-2.1.0.json");
    let mut schema: Value = serde_json::from_str(schema).unwrap();
    for object in ["run", "toolComponent"] {
        // The pattern for languages is not a valid regular expression (unbalanced bracket), and is
        // unused.
        let language = &mut schema["definitions"][object]["properties"]["language"];
        assert!(
            language
                .as_object_mut()
                .unwrap()
                .remove("pattern")
                .is_some()
        );
    }
    let validator = jsonschema::options()
        .should_validate_formats(true)
        .build(&schema)
        .unwrap();
    let log: Value = serde_json::from_str(text).unwrap();
    let errors: Vec<_> = validator
        .iter_errors(&log)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert_eq!(errors, [""; 0]);
    log
}

#[test]
fn the_schema_is_a_schema_that_refuses() {
    let log = run(&["validate", "--format", "sarif", "fixtures/famous.pgn"]).stdout();
    valid(&log);
    for (from, to) in [
        ("\"2.1.0\"", "\"2.1\""),
        ("\"level\":\"error\"", "\"level\":\"fatal\""),
        ("\"exitCode\":0", "\"exitCode\":null"),
    ] {
        assert!(log.contains(from), "{from}");
        let broken = log.replacen(from, to, 1);
        let refused = std::panic::catch_unwind(|| valid(&broken)).is_err();
        assert!(refused, "{to}");
    }
}

#[test]
fn sarif_names_the_tool_its_rules_and_how_the_run_went() {
    let log = valid(&validate("sarif", &["fixtures/findings"]).stdout());
    let run = &log["runs"][0];
    let driver = &run["tool"]["driver"];
    let rules = driver["rules"].as_array().unwrap();
    let codes: Vec<_> = arbiter::findings::registry::RULES
        .iter()
        .flat_map(|rule| rule.severities().map(move |severity| (rule, severity)))
        .collect();
    assert_eq!(rules.len(), codes.len());
    let listed =
        crate::arbiter_command::run(&["validate", "--codes", "--format", "jsonl"]).stdout();
    let explanations: HashMap<String, Value> = listed
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .map(|line: Value| (line["code"].as_str().unwrap().to_owned(), line))
        .collect();
    for ((rule, severity), described) in codes.into_iter().zip(rules) {
        assert_eq!(described["id"], rule.code_at(severity).as_str());
        assert_eq!(described["name"], rule.name);
        assert_eq!(described["shortDescription"]["text"], rule.summary);
        let help = described["help"]["text"].as_str().unwrap();
        let explanation = &explanations[rule.code]["explanation"];
        assert_eq!(*explanation, help.replace("{{", "{").replace("}}", "}"));
        let anchor = format!("/CODES.md#{}", rule.code.to_lowercase());
        match described["helpUri"].as_str() {
            Some(uri) => assert!(
                uri.starts_with("https://") && uri.ends_with(&anchor),
                "{uri}"
            ),
            None => assert_eq!(env!("CARGO_PKG_REPOSITORY"), ""),
        }
    }
    let invocation = &run["invocations"][0];
    assert_eq!(invocation["executionSuccessful"], true);
    assert_eq!(invocation["exitCode"], 1);
}

#[test]
fn regions_give_the_bytes_of_files_that_are_stored_as_they_are_read() {
    let text = b"[Event \"M\xc3\xbcller\"]\n\n1. e4 {\xfc} e5 2. Ke3 *\n";
    let scratch = Scratch::new("regions");
    let plain = scratch.file("a.pgn", text);
    let packed = scratch.file("a.pgn.zst", &zstd::encode_all(&text[..], 3).unwrap());
    for (path, bytes) in [(&plain, true), (&packed, false)] {
        let log = valid(&run(&["validate", "-q", "--format", "sarif", path]).stdout());
        let results = log["runs"][0]["results"].as_array().unwrap();
        let illegal = |result: &&Value| result["ruleId"] == "E201";
        let result = results.iter().find(illegal).unwrap();
        let region = &result["locations"][0]["physicalLocation"]["region"];
        assert_eq!(region["startLine"], 3);
        // The comment before it contains one Latin-1 character.
        assert_eq!(
            (&region["startColumn"], &region["endColumn"]),
            (&17.into(), &20.into())
        );
        assert_eq!(region["snippet"]["text"], "Ke3");
        let start = text.windows(3).position(|three| three == b"Ke3").unwrap();
        let expected = match bytes {
            true => (Value::from(start), Value::from(3)),
            false => (Value::Null, Value::Null),
        };
        assert_eq!(
            (region["byteOffset"].clone(), region["byteLength"].clone()),
            expected
        );
        assert_eq!(result["properties"]["byte_start"], start);
    }
}

/// Three valid games, then one that is truncated in a compressed file.
fn cut_off(scratch: &Scratch) -> String {
    let text =
        b"[White \"x\"]\n[Black \"y\"]\n[Result \"*\"]\n\n1. e4 e5 2. Ke3 *\n\n".repeat(20_000);
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(&text).unwrap();
    let mut packed = encoder.finish().unwrap();
    packed.truncate(packed.len() / 2);
    scratch.file("cut.pgn.gz", &packed)
}

#[test]
fn inputs_that_cannot_be_read_are_in_the_documents() {
    let scratch = Scratch::new("unreadable");
    let cut = cut_off(&scratch);
    let good = scratch.file("good.pgn", b"[Event \"x\"]\n\n1. e4 e5 *\n");
    let empty = scratch.file("empty.pgn", b"");
    let inputs = ["missing.pgn", &cut, &good, &empty];

    let ran = validate("sarif", &inputs);
    assert_eq!(ran.code, Some(2));
    let log = valid(&ran.stdout());
    let invocation = &log["runs"][0]["invocations"][0];
    assert_eq!(invocation["executionSuccessful"], false);
    assert_eq!(invocation["exitCode"], 2);
    let notifications = invocation["toolExecutionNotifications"].as_array().unwrap();
    let errors = notifications.iter().filter(|one| one["level"] == "error");
    let told: Vec<_> = errors
        .map(|notification| {
            let place = &notification["locations"][0]["physicalLocation"];
            sarif_path(&place["artifactLocation"])
        })
        .collect();
    assert_eq!(told, ["missing.pgn", &cut]);
    assert!(!sarif(&ran.stdout()).is_empty());

    let ran = validate("junit", &inputs);
    assert_eq!(ran.code, Some(2));
    let report = quick_junit::Report::deserialize_from_str(&ran.stdout()).unwrap();
    let errors = |path: &str| {
        let suites = report.test_suites.iter();
        let of_path = suites.filter(|suite| suite.name.as_str().starts_with(path));
        of_path.map(|suite| suite.errors).sum::<usize>()
    };
    let found = [
        errors("missing.pgn"),
        errors(&cut),
        errors(&good),
        errors(&empty),
    ];
    assert_eq!(found, [1, 1, 0, 0]);
    assert!(junit(&ran.stdout(), &inputs).len() > 1_000);
}

#[test]
fn documents_without_findings_and_without_inputs_are_whole() {
    let scratch = Scratch::new("nothing");
    let path = scratch.path().join("out");
    let out = path.to_str().unwrap();
    for (inputs, code) in [("fixtures/famous.pgn", 0), ("missing.pgn", 2)] {
        for format in ["sarif", "junit"] {
            std::fs::write(&path, "what was there before").unwrap();
            let ran = run(&["validate", "-q", "--format", format, "-o", out, inputs]);
            assert_eq!((ran.code, ran.stdout()), (Some(code), String::new()));
            let text = std::fs::read_to_string(&path).unwrap();
            match format {
                "sarif" => {
                    valid(&text);
                    assert_eq!(sarif(&text), []);
                }
                _ => {
                    assert_eq!(junit(&text, &[inputs]), []);
                    let report = quick_junit::Report::deserialize_from_str(&text).unwrap();
                    // Some servers treat a report without tests as an error.
                    assert_eq!(report.test_suites[0].test_cases.len(), 1);
                }
            }
        }
    }
}

#[test]
fn the_same_file_twice_is_one_artifact() {
    let path = "fixtures/findings/E201.pgn";
    let log = valid(&validate("sarif", &[path, path]).stdout());
    let run = &log["runs"][0];
    assert_eq!(run["artifacts"].as_array().unwrap().len(), 1);
    assert_eq!(run["results"].as_array().unwrap().len(), 2);
}

#[test]
fn tests_that_fail_are_those_that_make_the_run_fail() {
    let files = ["fixtures/findings/E201.pgn", "fixtures/findings/W207.pgn"];
    for (fail_on, failures, code) in [("error", 1, 1), ("warning", 2, 1), ("never", 0, 0)] {
        let mut words = vec!["validate", "-q", "--format", "junit", "--fail-on", fail_on];
        words.extend(files);
        let ran = run(&words);
        assert_eq!(ran.code, Some(code), "{fail_on}");
        let report = quick_junit::Report::deserialize_from_str(&ran.stdout()).unwrap();
        let sum = |of: fn(&quick_junit::TestSuite) -> usize| -> usize {
            report.test_suites.iter().map(of).sum()
        };
        assert_eq!(sum(|suite| suite.failures), failures, "{fail_on}");
        assert_eq!(sum(|suite| suite.skipped), 2 - failures, "{fail_on}");
        assert_eq!(sum(|suite| suite.tests), 4);
    }
}

#[test]
fn a_file_with_very_many_findings_is_several_suites() {
    let ran = run_with_stdin(
        &["validate", "-q", "--format", "junit"],
        b"[White \"x\"]\n[Black \"y\"]\n[Result \"*\"]\n\n1. e4 e5 2. Ke3 *\n\n".repeat(2_345),
    );
    let report = quick_junit::Report::deserialize_from_str(&ran.stdout()).unwrap();
    let tests: Vec<_> = report.test_suites.iter().map(|suite| suite.tests).collect();
    assert_eq!(tests, [1_000, 1_000, 346]);
    let last = report.test_suites[2].test_cases.last().unwrap();
    assert_eq!(
        last.system_out.as_ref().unwrap().as_str(),
        "2345 seen = 0 clean + 2345 with findings + 0 unreadable"
    );
}

/// Names of the tests that are not passed, with their lines.
fn names(text: &str) -> Vec<(String, u64)> {
    let report = quick_junit::Report::deserialize_from_str(text).unwrap();
    let suites = report.test_suites.iter();
    let cases = suites.flat_map(|suite| &suite.test_cases);
    let numbered = cases.filter_map(|case| {
        let line = case.extra.get("line")?.as_str().parse().unwrap();
        Some((case.name.as_str().to_owned(), line))
    });
    numbered.collect()
}

#[test]
fn names_of_tests_stay_when_games_are_added_before() {
    let game = |white: &str| {
        format!(
            "[Event \"x\"]\n[Date \"2024.05.01\"]\n[Round \"3\"]\n[White \"{white}\"]\n\
             [Black \"B & \\\"C\\\"\"]\n[Result \"*\"]\n\n1. e4 ) ) e5 2. Ke3 *\n\n"
        )
    };
    let words = [
        "validate",
        "-q",
        "--select",
        "E201,W207",
        "--format",
        "junit",
    ];
    let of = |text: String| names(&run_with_stdin(&words, text.into_bytes()).stdout());
    let one = of(game("A"));
    let title = "A - B & \"C\", 2024.05.01, round 3";
    let expected = [
        format!("{title}: W207 stray-parenthesis"),
        format!("{title}: W207 stray-parenthesis (2)"),
        format!("{title}, 2.Ke3: E201 illegal-move"),
    ];
    let names_of = |cases: &[(String, u64)]| -> Vec<String> {
        cases.iter().map(|(name, _)| name.clone()).collect()
    };
    assert_eq!(names_of(&one), expected);
    let more = of(game("Z").repeat(2) + &game("A"));
    assert_eq!(names_of(&more[6..]), expected);
    let moved: Vec<_> = one.iter().map(|(_, line)| line + 18).collect();
    assert_eq!(
        more[6..].iter().map(|(_, line)| *line).collect::<Vec<_>>(),
        moved
    );
    // No two tests have one name.
    let mut all = names_of(&more);
    all.sort();
    all.dedup();
    assert_eq!(all.len(), more.len());

    let fens = "8/8/8/8/8/8/8/8 w - - 0 1\n";
    let words = [
        "validate",
        "-q",
        "--format",
        "junit",
        "--input-format",
        "fen",
    ];
    let found = names(&run_with_stdin(&words, fens.into()).stdout());
    assert!(
        found[0].0.starts_with("8/8/8/8/8/8/8/8 w - - 0 1: E402 "),
        "{found:?}"
    );
}

#[test]
fn findings_that_no_viewer_shows_are_noticed() {
    let scratch = Scratch::new("packed");
    let text = b"[Event \"x\"]\n\n1. e4 e5 2. Ke3 *\n";
    let packed = scratch.file("a.pgn.zst", &zstd::encode_all(&text[..], 3).unwrap());
    let plain = scratch.file("a.pgn", text);
    let archive = crate::compressors::zip(&[("b.pgn", rawzip::CompressionMethod::STORE, text)]);
    let archive = scratch.file("c.zip", &archive);
    for (file, is_packed) in [(&packed, true), (&plain, false), (&archive, true)] {
        let words = [
            "validate", "-q", "--select", "E201", "--format", "sarif", file,
        ];
        let log = valid(&run(&words).stdout());
        let notices = &log["runs"][0]["invocations"][0]["toolExecutionNotifications"];
        let texts: Vec<_> = notices.as_array().unwrap().iter().collect();
        assert_eq!(texts.len(), usize::from(is_packed), "{file}: {texts:?}");
        if let [notice] = &texts[..] {
            let text = notice["message"]["text"].as_str().unwrap();
            assert!(text.starts_with("findings in archives and compressed files"));
            assert!(text.ends_with(": 1"), "{text}");
        }
    }
}

/// Sends Ctrl-C to `validate` while it reads games that take no time.
#[cfg(unix)]
fn interrupted(more: &[&str]) -> Ran {
    let words = [&["validate", "-j", "2"], more].concat();
    let text = b"[White \"x\"]\n[Black \"y\"]\n[Result \"*\"]\n\n1. e4 *\n\n".repeat(20_000);
    run_interrupted(&words, &nasty(), &text)
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_leaves_whole_documents() {
    let scratch = Scratch::new("interrupted");
    let baseline = scratch.file("baseline", b"{\"arbiter-baseline\":1}\n");
    let ran = interrupted(&["--write-baseline", &baseline]);
    assert_eq!((ran.code, ran.stdout()), (None, String::new()));
    assert!(ran.stderr.contains("interrupted after "), "{}", ran.stderr);
    // Half a baseline would be worse than the old one.
    let kept = std::fs::read_to_string(&baseline).unwrap();
    assert_eq!(kept, "{\"arbiter-baseline\":1}\n");

    let ran = interrupted(&["--format", "sarif"]);
    assert_eq!(ran.code, None, "{}", ran.stderr);
    assert!(ran.stderr.contains("interrupted after "), "{}", ran.stderr);
    let log = valid(&ran.stdout());
    let invocation = &log["runs"][0]["invocations"][0];
    assert_eq!(invocation["executionSuccessful"], false);
    let notification = &invocation["toolExecutionNotifications"][0];
    assert_eq!(notification["message"]["text"], "the run was interrupted");

    let ran = interrupted(&["--format", "junit"]);
    assert_eq!(ran.code, None, "{}", ran.stderr);
    junit(&ran.stdout(), &["<stdin>"]);
    let report = quick_junit::Report::deserialize_from_str(&ran.stdout()).unwrap();
    assert_eq!(report.test_suites.last().unwrap().errors, 1);
}
