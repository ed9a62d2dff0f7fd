//! Repairs in JSON lines, SARIF and diagnostics of reviewdog: the edits, applied by a script, give
//! what `validate --fix` writes.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use serde_json::Value;

use crate::arbiter_command::{Ran, Scratch, run, run_with_stdin};
use crate::chess::random_games::Random;
use crate::corpus;
use crate::found::game;
use crate::validate::real_files::files;

/// Start and end of the bytes that are replaced, and the new text.
type Edit = (usize, usize, String);

/// Output of `validate` for a text.
fn validate(words: &[&str], text: &[u8]) -> Ran {
    run_with_stdin(&[&["validate", "-q"], words].concat(), text.to_vec())
}

/// The rows of JSON lines of a text.
fn rows(text: &[u8], more: &[&str]) -> Vec<Value> {
    let ran = validate(&[&["--format", "jsonl"], more].concat(), text);
    let lines = ran.stdout();
    let rows = lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap());
    rows.collect()
}

/// The edits of a row, and whether they are safe.
fn edits(row: &Value) -> (bool, Vec<Edit>) {
    let Some(fix) = row["fix"].as_object() else {
        assert!(row["fix"].is_null(), "{row}");
        return (false, Vec::new());
    };
    let edits = fix["edits"].as_array().unwrap().iter();
    let edits = edits.map(|edit| {
        let place = |name: &str| edit[name].as_u64().unwrap() as usize;
        let text = edit["text"].as_str().unwrap().to_owned();
        (place("byte_start"), place("byte_end"), text)
    });
    let edits: Vec<_> = edits.collect();
    assert!(!edits.is_empty(), "{row}");
    (fix["safe"].as_bool().unwrap(), edits)
}

/// Applies edits, each once; the others may not overlap.
#[track_caller]
fn apply(text: &[u8], edits: impl IntoIterator<Item = Edit>) -> Vec<u8> {
    let (mut new, mut at, mut last) = (Vec::new(), 0, None);
    for (start, end, added) in edits.into_iter().collect::<BTreeSet<_>>() {
        assert!(
            at <= start && last != Some((start, end)),
            "{added:?} at {start}"
        );
        new.extend_from_slice(&text[at..start]);
        new.extend_from_slice(added.as_bytes());
        (at, last) = (end, Some((start, end)));
    }
    new.extend_from_slice(&text[at..]);
    new
}

/// The text as `arbiter` reads it: the places of findings are those of this text.
fn as_read(text: &[u8]) -> Vec<u8> {
    let units = || text.chunks_exact(2);
    match text {
        [0xff, 0xfe, ..] => {
            let units: Vec<_> = units()
                .map(|two| u16::from_le_bytes([two[0], two[1]]))
                .collect();
            String::from_utf16(&units).unwrap().into_bytes()
        }
        [0xfe, 0xff, ..] => {
            let units: Vec<_> = units()
                .map(|two| u16::from_be_bytes([two[0], two[1]]))
                .collect();
            String::from_utf16(&units).unwrap().into_bytes()
        }
        _ if text.contains(&b'\r') && !text.contains(&b'\n') => {
            let feeds = |byte: &u8| if *byte == b'\r' { b'\n' } else { *byte };
            text.iter().map(feeds).collect()
        }
        _ => text.to_vec(),
    }
}

/// Output of `--fix` or `--fix-suggestions`, if it writes the text.
fn fixed(text: &[u8], option: &str, more: &[&str]) -> Option<Vec<u8>> {
    let ran = validate(&[&[option], more].concat(), text);
    let is_left = ["cannot fix", "no game"]
        .iter()
        .any(|it| ran.stderr.contains(it));
    (!is_left).then_some(ran.stdout)
}

/// Checks that the safe edits of a text give what `--fix` writes. Returns their codes.
#[track_caller]
fn check_safe(name: &str, text: &[u8], more: &[&str]) -> BTreeSet<String> {
    let mut codes = BTreeSet::new();
    let Some(expected) = fixed(text, "--fix", more) else {
        return codes;
    };
    let mut all = Vec::new();
    for row in rows(text, more) {
        let (is_safe, edits) = edits(&row);
        if is_safe {
            all.extend(edits);
            codes.insert(row["code"].as_str().unwrap()[1..].to_owned());
        }
    }
    let applied = apply(&as_read(text), all);
    let [applied, expected] =
        [applied, expected].map(|text| String::from_utf8_lossy(&text).into_owned());
    assert!(
        applied == expected,
        "{name} {more:?}\n{}",
        first_difference(&applied, &expected)
    );
    codes
}

/// The first lines that differ.
fn first_difference(one: &str, other: &str) -> String {
    let mut lines = one.lines().zip(other.lines());
    let different = lines.find(|(one, other)| one != other);
    format!("{different:?}")
}

/// The text after all edits of its findings, safe or not, again until there are none.
fn applied_to_the_end(text: &[u8], more: &[&str]) -> Vec<u8> {
    let mut text = as_read(text);
    for _ in 0..20 {
        let all: Vec<_> = rows(&text, more)
            .iter()
            .flat_map(|row| edits(row).1)
            .collect();
        if all.is_empty() {
            return text;
        }
        text = apply(&text, all);
    }
    panic!("the edits never end");
}

/// The fixtures of findings and of games.
fn fixtures() -> Vec<String> {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures");
    let all = ["", "/findings"].into_iter().flat_map(|folder| {
        let folder = fs::read_dir(format!("{root}{folder}")).unwrap();
        folder.map(|entry| entry.unwrap().path().to_str().unwrap().to_owned())
    });
    let mut all: Vec<_> = all.filter(|path| path.ends_with(".pgn")).collect();
    all.sort();
    all
}

#[test]
fn safe_edits_of_the_fixtures_give_what_fix_writes() {
    let mut seen = BTreeSet::new();
    for path in fixtures() {
        let text = fs::read(&path).unwrap();
        for more in [&[][..], &["--strict"]] {
            seen.extend(check_safe(&path, &text, more));
        }
    }
    let result = |value: &str| game(&[("Result", value)], "1. e4 1-0");
    for text in [
        game(&[], "1. e4 *").replace("[White", "[White \"?\"]\n[White"),
        result(""),
        result("?"),
        result("*"),
        result("*").replace("[Result \"*\"]\n", ""),
        game(&[("Result", "0-1")], "1. f3 e5 2. g4 Qh4#"),
    ] {
        seen.extend(check_safe("a game", text.as_bytes(), &[]));
    }
    let position = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1\n";
    let more = ["--input-format", "fen"];
    seen.extend(check_safe("a position", position.as_bytes(), &more));
    // Every code that `--fix` repairs, but those of whole files.
    let listed = run(&["validate", "--codes"]).stdout();
    let fixable = listed.lines().filter(|line| line.ends_with("[fix]"));
    let fixable: BTreeSet<_> = fixable.map(|line| line[1..4].to_owned()).collect();
    let left: Vec<_> = fixable.difference(&seen).collect();
    assert_eq!(left, ["004", "010"]);
}

#[test]
fn all_edits_of_the_fixtures_give_what_suggestions_write() {
    for path in fixtures() {
        let text = fs::read(&path).unwrap();
        let expected = fixed(&text, "--fix-suggestions", &[]);
        if let Some(expected) = expected {
            assert!(applied_to_the_end(&text, &[]) == expected, "{path}");
        }
    }
}

/// Slips that can be repaired, most of them safely.
const SLIPS: [(&str, &str); 26] = [
    ("O-O", "0-0"),
    ("O-O", "o-o"),
    ("+", ""),
    ("+", "#"),
    ("x", ""),
    ("x", ":"),
    (" ", "\u{a0}"),
    ("1-0", "*"),
    (" 1-0", "1-0"),
    ("0-1", ""),
    ("1/2-1/2", "½"),
    ("N", "S"),
    ("N", "n"),
    (" e5", " E5"),
    ("1.", "2."),
    ("12.", "13."),
    ("[Whit", "[Whtie \"x\"]\n[Whit"),
    ("[Site \"", "[Site \"a\"b\"]\n[Site \""),
    ("\"]\n", "\"] x\n"),
    ("[", "> ["),
    ("Nf3 ", ""),
    ("Nc6", "Nc6 Nc6"),
    ("d4", "d4,"),
    ("e4", "e2e4"),
    ("Nf", "Ngf"),
    (" ", "  "),
];

/// Some games with a few slips each.
fn with_slips(games: &[&str], random: &mut Random) -> String {
    let mut text = String::new();
    for _ in 0..10 {
        let mut one = games[random.below(games.len())].to_owned();
        for _ in 0..1 + random.below(4) {
            let (right, wrong) = SLIPS[random.below(SLIPS.len())];
            let places: Vec<_> = one.match_indices(right).map(|(place, _)| place).collect();
            if random.below(2) == 0 {
                one = one.replace(right, wrong);
            } else if !places.is_empty() {
                let place = places[random.below(places.len())];
                one.replace_range(place..place + right.len(), wrong);
            }
        }
        text += &one;
        text += if random.below(9) == 0 { "" } else { "\n" };
    }
    text
}

#[test]
fn safe_edits_of_games_with_slips_give_what_fix_writes() {
    let mut texts: Vec<_> = fixtures()
        .iter()
        .map(|path| fs::read(path).unwrap())
        .collect();
    texts.retain(|text| text.len() < 1 << 18);
    let texts = texts
        .into_iter()
        .filter_map(|text| String::from_utf8(text).ok());
    let texts: Vec<_> = texts.map(|text| text.replace('\r', "")).collect();
    let games = texts.iter().flat_map(|text| {
        text.split_inclusive("\n\n[")
            .flat_map(|text| text.split("[Event ").map(str::trim_start))
    });
    let games: Vec<_> = games.filter(|game| game.len() > 200).collect();
    let mut seen = BTreeMap::new();
    for seed in 0..60 {
        let mut text = with_slips(&games, &mut Random(seed));
        if seed % 5 == 0 {
            text = text.replace('\n', "\r\n");
        }
        let more = if seed % 2 == 0 {
            &["--strict"][..]
        } else {
            &[]
        };
        for code in check_safe(&format!("seed {seed}"), text.as_bytes(), more) {
            *seen.entry(code).or_insert(0) += 1;
        }
    }
    assert!(seen.len() > 20, "{seen:?}");
}

/// Byte of a place in a text that SARIF names by line and column, in characters.
fn byte_of(text: &str, line: &Value, column: &Value) -> usize {
    let [line, column] = [line, column].map(|number| number.as_u64().unwrap() as usize);
    let start = text
        .split_inclusive('\n')
        .take(line - 1)
        .map(str::len)
        .sum::<usize>();
    let rest = text[start..].char_indices().map(|(place, _)| place);
    start + rest.chain([text.len() - start]).nth(column - 1).unwrap()
}

#[test]
fn fixes_of_sarif_are_those_of_json_lines() {
    for path in fixtures() {
        let text = fs::read(&path).unwrap();
        let Ok(plain) = std::str::from_utf8(&text) else {
            continue;
        };
        let ran = run(&["validate", "-q", "--strict", "--format", "sarif", &path]);
        let log: Value = serde_json::from_str(&ran.stdout()).unwrap();
        let mut safe = Vec::new();
        for result in log["runs"][0]["results"].as_array().unwrap() {
            let fixes = result["fixes"].as_array().map_or(&[][..], |fixes| fixes);
            for fix in fixes.iter().filter(|fix| fix["properties"]["safe"] == true) {
                assert!(fix["description"]["text"].is_string(), "{fix}");
                let [change] = &fix["artifactChanges"].as_array().unwrap()[..] else {
                    panic!("{fix}");
                };
                let location = &result["locations"][0]["physicalLocation"];
                assert_eq!(change["artifactLocation"], location["artifactLocation"]);
                for replacement in change["replacements"].as_array().unwrap() {
                    let region = &replacement["deletedRegion"];
                    let byte = |name: &str| region[name].as_u64().map(|byte| byte as usize);
                    let mark = if plain.starts_with('\u{feff}') { 3 } else { 0 };
                    let place = |line: &str, column: &str| {
                        mark + byte_of(&plain[mark..], &region[line], &region[column])
                    };
                    let start = place("startLine", "startColumn");
                    let end = place("endLine", "endColumn");
                    assert_eq!(byte("byteOffset"), Some(start), "{path}: {region}");
                    assert_eq!(byte("byteLength"), Some(end - start), "{path}: {region}");
                    let added = replacement["insertedContent"]["text"].as_str().unwrap();
                    safe.push((start, end, added.to_owned()));
                }
            }
        }
        if let Some(expected) = fixed(&text, "--fix", &["--strict"]) {
            let applied = String::from_utf8(apply(&as_read(&text), safe)).unwrap();
            assert_eq!(applied, String::from_utf8(expected).unwrap(), "{path}");
        }
    }
}

#[test]
fn a_suggestion_of_reviewdog_is_the_whole_repair_of_a_finding() {
    let mut seen = 0;
    for path in fixtures() {
        let text = fs::read(&path).unwrap();
        let Ok(plain) = std::str::from_utf8(&text) else {
            continue;
        };
        let ran = run(&["validate", "-q", "--strict", "--format", "rdjsonl", &path]);
        let lines = ran.stdout();
        for (line, row) in lines.lines().zip(rows(&text, &["--strict"])) {
            let one: Value = serde_json::from_str(line).unwrap();
            let (_, edits) = edits(&row);
            assert_eq!(
                one["suggestions"].is_array(),
                !edits.is_empty(),
                "{path}: {one}"
            );
            if edits.is_empty() {
                continue;
            }
            let [suggestion] = &one["suggestions"].as_array().unwrap()[..] else {
                panic!("{one}");
            };
            // Columns are in bytes.
            let byte = |place: &Value| {
                let [line, column] = ["line", "column"].map(|it| place[it].as_u64().unwrap());
                let before = plain.split_inclusive('\n').take(line as usize - 1);
                before.map(str::len).sum::<usize>() + column as usize - 1
            };
            let range = &suggestion["range"];
            let added = suggestion["text"].as_str().unwrap().to_owned();
            let edit = (byte(&range["start"]), byte(&range["end"]), added);
            assert!(apply(&text, [edit]) == apply(&text, edits), "{path}: {one}");
            seen += 1;
        }
    }
    assert!(seen > 40, "{seen}");
}

#[test]
fn a_finding_has_the_edits_of_all_places_it_stands_for() {
    let text = game(&[], "1. e2e4 e7e5 2. g1f3 Nc6 4. Bb5 a6 5. Ba4 3. d6 *");
    let rows = rows(text.as_bytes(), &[]);
    let of = |code: &str| {
        let rows = rows.iter().filter(|row| row["code"] == code);
        let rows: Vec<_> = rows.map(|row| edits(row).1.len()).collect();
        rows
    };
    // Each wrong number has those up to the next one.
    assert_eq!((of("N245"), of("W215")), (vec![3], vec![2, 1]));
    // A repair that would bring another finding is none.
    let text = game(&[], "1. e4 e5 2. 0-0 *").replace("[White", "[Whtie \"x\"]\n[White");
    let rows = self::rows(text.as_bytes(), &[]);
    assert!(rows.iter().all(|row| row["fix"].is_null()), "{rows:?}");
}

#[test]
fn a_long_line_is_broken_by_the_edits_too() {
    let comment = "x".repeat(42);
    let moves = format!("1. e4 e5 2. Qh5 {{{comment}}} 2... Nc6 3. Qxf7 *");
    assert_eq!(moves.len(), 79);
    let long = game(&[], &moves);
    check_safe("long", long.as_bytes(), &["--strict"]);
    let rows = rows(long.as_bytes(), &["--strict"]);
    let breaks = rows.iter().flat_map(|row| edits(row).1);
    assert!(
        breaks.into_iter().any(|(.., text)| text.contains('\n')),
        "{rows:?}"
    );
}

#[test]
fn edits_of_compressed_text_are_in_bytes_of_what_is_read() {
    let text = game(&[], "1. e4\u{a0}e5 *");
    let scratch = Scratch::new("fix-edits");
    let packed = scratch.file("a.pgn.zst", &zstd::encode_all(text.as_bytes(), 3).unwrap());
    let ran = run(&["validate", "-q", "--format", "jsonl", &packed]);
    let row: Value = serde_json::from_str(&ran.stdout()).unwrap();
    let expected = text.replace('\u{a0}', " ");
    assert!(apply(text.as_bytes(), edits(&row).1) == expected.as_bytes());
    let ran = run(&["validate", "-q", "--format", "sarif", &packed]);
    let log: Value = serde_json::from_str(&ran.stdout()).unwrap();
    let change = &log["runs"][0]["results"][0]["fixes"][0]["artifactChanges"][0];
    assert_eq!(
        change["replacements"][0]["deletedRegion"]["byteOffset"],
        Value::Null
    );
}

#[test]
fn safe_edits_of_real_files_give_what_fix_writes() {
    let Some(tricky) = corpus::path("tricky") else {
        return;
    };
    for path in files(&tricky) {
        if path.extension().is_some_and(|end| end == "pgn") {
            let text = fs::read(&path).unwrap();
            check_safe(path.to_str().unwrap(), &text, &["--strict"]);
        }
    }
}
