//! Files of `validate --fix`: inputs that are joined, left as they are or replaced.

use std::fs;

use crate::arbiter_command::{Ran, Scratch, run, run_with_stdin};
use crate::compressors::COMPRESSORS;
use crate::found::game;
use crate::validate::fix_reports::apply;
use crate::validate::fixes::{codes_of, fixed};

/// A text in UTF-16 with a lone surrogate, which has no character in UTF-8.
fn lossy(text: &str) -> Vec<u8> {
    let mut bytes: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    bytes.extend(0xd83c_u16.to_le_bytes());
    bytes.extend(b"\n\0");
    bytes
}

#[test]
fn an_input_that_cannot_be_repaired_is_named_and_left_as_it_is() {
    let scratch = Scratch::new("fix-obstacle");
    let faulty = game(&[], "1. e4 e5 2. Qh5 Nc6 3. Qxf7 *");
    let right = faulty.replace("Qxf7", "Qxf7+");
    let lost = lossy(&faulty.repeat(2000));
    let page = b"<!DOCTYPE html>\n<html><body>1. e4 e5 2. 0-0</body></html>\n";
    let a = scratch.file("a.pgn", faulty.as_bytes());
    let b = scratch.file("b.pgn", &lost);
    let c = scratch.file("c.pgn", page);
    let d = scratch.file("d.pgn", faulty.as_bytes());
    let named = |ran: &Ran| {
        let lossy = format!(
            "cannot fix `{b}`: its UTF-16 has control characters, or others that would be lost\n"
        );
        let page = format!("cannot fix `{c}`: the text is not PGN: it looks like HTML\n");
        assert!(ran.stderr.contains(&lossy), "{}", ran.stderr);
        assert!(ran.stderr.contains(&page), "{}", ran.stderr);
        assert!(ran.stderr.contains("left: 1 error, 0 warning, 0 note\n"));
        assert!(
            ran.stderr
                .contains("= 2 clean + 0 with findings + 2001 unreadable")
        );
        assert_eq!((codes_of(ran), ran.code), ("2 N230".to_owned(), Some(2)));
    };
    let ran = run(&["validate", "--strict", "--fix", &a, &b, &c, &d]);
    assert_eq!(ran.stdout(), format!("{right}\n{right}"));
    named(&ran);
    let diff = run(&["validate", "--strict", "--fix", "--diff", &a, &b, &c, &d]);
    named(&diff);
    assert_eq!(diff.stdout().matches("\n+1. e4").count(), 2);
    assert!(!diff.stdout().contains("b.pgn"));
    let ran = run(&[
        "validate",
        "--strict",
        "--fix",
        "--in-place",
        &a,
        &b,
        &c,
        &d,
    ]);
    named(&ran);
    let said = "files: 2 replaced, 0 without repairs, 2 left as they are\n";
    assert!(ran.stderr.contains(said), "{}", ran.stderr);
    assert_eq!(fs::read(&b).unwrap(), lost);
    assert_eq!(fs::read(&c).unwrap(), page);
    for file in [&a, &d] {
        assert_eq!(fs::read_to_string(file).unwrap(), right);
    }
    // No output is written if nothing can be repaired.
    for (bytes, inputs) in [(&lost, &b), (&page.to_vec(), &c)] {
        let to = scratch.file("to.pgn", b"old");
        let ran = run(&["validate", "--strict", "--fix", "-o", &to, inputs]);
        assert_eq!(
            (ran.code, fs::read(&to).unwrap()),
            (Some(2), b"old".to_vec())
        );
        let ran = run_with_stdin(&["validate", "--strict", "--fix"], bytes.clone());
        assert_eq!((ran.code, ran.stdout()), (Some(2), String::new()));
    }
    // The file that is not PGN is a finding.
    let inputs = ["validate", "--strict", "--fix", &a, &c];
    for (least, code) in [("error", 1), ("never", 0)] {
        let ran = run(&[&inputs[..], &["--fail-on", least]].concat());
        assert_eq!((ran.code, ran.stdout()), (Some(code), right.clone()));
    }
}

#[test]
fn inputs_are_joined_by_a_blank_line() {
    let scratch = Scratch::new("fix-inputs");
    let next = game(&[("White", "b")], "1. d4 *");
    let b = scratch.file("b.pgn", format!("\u{feff}{next}").as_bytes());
    for (movetext, between) in [
        ("1. e4 e5 *", "\n\n"),
        ("1. e4 e5 * \t", "\n\n"),
        ("1. e4 e5 *\n", "\n"),
        ("1. e4 e5 *\n\n", ""),
        ("1. e4 e5", "\n\n"),
    ] {
        let one = format!("{}{movetext}", game(&[], "").trim_end().to_owned() + "\n\n");
        let a = scratch.file("a.pgn", one.as_bytes());
        let ran = run(&["validate", "--strict", "--fix", "--select", "N230", &a, &b]);
        assert_eq!(ran.stdout(), format!("{one}{between}{next}"));
        let ran = run_with_stdin(&["validate"], ran.stdout().into_bytes());
        assert!(ran.stderr.contains("games: 2 seen"), "{}", ran.stderr);
    }
}

#[cfg(unix)]
#[test]
fn a_file_that_cannot_be_replaced_does_not_stop_the_others() {
    use std::os::unix::fs::PermissionsExt;

    let scratch = Scratch::new("fix-read-only");
    let faulty = game(&[], "1. e4 e5 2. Qh5 Nc6 3. Qxf7 *");
    fs::create_dir_all(scratch.path().join("x")).unwrap();
    let a = scratch.file("x/a.pgn", faulty.as_bytes());
    let b = scratch.file("b.pgn", faulty.as_bytes());
    let set = |path: &str, mode| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    };
    let folder = scratch.path().join("x");
    set(&a, 0o444);
    set(folder.to_str().unwrap(), 0o555);
    // The superuser may write there.
    let is_writable = fs::OpenOptions::new().append(true).open(&a).is_ok();
    let ran = run(&["validate", "--strict", "--fix", "--in-place", &a, &b]);
    set(folder.to_str().unwrap(), 0o755);
    let right = faulty.replace("Qxf7", "Qxf7+");
    assert_eq!(fs::read_to_string(&b).unwrap(), right);
    if !is_writable {
        assert_eq!(ran.code, Some(2));
        assert_eq!(fs::read_to_string(&a).unwrap(), faulty);
        assert!(
            ran.stderr.contains(&format!("cannot write `{a}`")),
            "{}",
            ran.stderr
        );
    }
}

#[test]
fn text_before_the_first_game_makes_no_file_other_than_pgn() {
    let text = format!(
        "no game yet\n\n{}",
        game(&[], "1. e4 e5 2. Qh5 Nc6 3. Qxf7 *")
    );
    let long = format!("{}\n{text}", "no game yet\n\n".repeat(100_000));
    for text in [text, long] {
        let ran = fixed(&text, &[]);
        assert!(ran.stdout() == text.replace("Qxf7", "Qxf7+"));
        assert_eq!(fixed(&text, &["-j", "1"]).stdout, ran.stdout);
    }
}

#[test]
fn a_game_that_another_input_would_swallow_is_left_out() {
    let scratch = Scratch::new("fix-swallowed");
    let without_tags = "1. d4 d5 2. Ke3 *\n";
    let with_tags = game(&[], "1. e4 e5 *");
    let two = scratch.file("2.pgn", without_tags.as_bytes());
    let three = scratch.file("3.pgn", with_tags.as_bytes());
    for (last, is_swallowed) in [
        ("1. e4 {never closed\n", true),
        ("[Event \"without moves\"]\n", true),
        ("1. e4 e5 2. Nf3 *\n", false),
        ("1. e4 e5 2. Nf3", false),
    ] {
        let one = scratch.file("1.pgn", format!("{with_tags}\n{last}").as_bytes());
        let ran = run(&["validate", "--fix", "--ignore", "W", &one, &two, &three]);
        let refusal = format!("cannot fix `{two}`: its first game would be read");
        let is_said = ran.stderr.contains(&refusal);
        assert_eq!(is_said, is_swallowed, "{last:?}: {}", ran.stderr);
        assert_eq!(ran.code, Some(if is_swallowed { 2 } else { 1 }), "{last:?}");
        let separated = ran.stdout();
        assert_eq!(
            separated.contains(without_tags.trim()),
            !is_swallowed,
            "{last:?}"
        );
        assert!(separated.ends_with(&with_tags), "{last:?}");
        let alone = run(&[
            "validate",
            "--fix",
            "--in-place",
            "--ignore",
            "W",
            &one,
            &two,
        ]);
        assert!(!alone.stderr.contains("cannot fix"), "{}", alone.stderr);
    }
}

#[test]
fn byte_order_marks_stay_at_the_beginning_only() {
    let scratch = Scratch::new("fix-marks");
    let text = game(&[], "1. e4 e5 *");
    let marked = format!("\u{feff}{text}");
    let utf_16: Vec<u8> = marked.encode_utf16().flat_map(u16::to_be_bytes).collect();
    let one = scratch.file("1.pgn", marked.as_bytes());
    let two = scratch.file("2.pgn", marked.as_bytes());
    let three = scratch.file("3.pgn", &utf_16);
    let to = scratch.file("to.pgn", b"");
    let ran = run(&[
        "validate",
        "--strict",
        "--fix",
        "--write-fixed",
        &to,
        &one,
        &two,
        &three,
    ]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let joined = format!("{marked}\n{text}\n{text}");
    assert_eq!(fs::read_to_string(&to).unwrap(), joined);
    let ran = run(&["validate", "--strict", "--fix", &one, &two, &three]);
    assert_eq!(ran.stdout(), joined);
    let ran = run(&["validate", "--strict", "--fix", "--in-place", &one, &three]);
    assert!(
        ran.stderr.contains("1 replaced, 1 without"),
        "{}",
        ran.stderr
    );
    for file in [&one, &three] {
        assert_eq!(fs::read_to_string(file).unwrap(), marked);
    }
}

#[test]
fn an_encoding_that_is_not_reported_is_not_converted() {
    let scratch = Scratch::new("fix-encoding");
    let text = game(&[], "1. e4\u{a0}e5 *");
    let utf_16 = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let marked: Vec<u8> = utf_16(&format!("\u{feff}{text}"));
    let returns = game(&[], "1. e4 e5 *").replace('\n', "\r").into_bytes();
    for (code, stored) in [("N004", marked), ("N010", returns)] {
        let file = scratch.file("games.pgn", &stored);
        for more in [&["--ignore", code][..], &["--select", "W263"]] {
            for to in [&[][..], &["--in-place"]] {
                let ran = run(&[&["validate", "--fix", &file], more, to].concat());
                assert_eq!((ran.code, ran.stdout()), (Some(2), String::new()));
                let said = format!("{code} is not among the codes of this run");
                assert!(ran.stderr.contains(&said), "{}", ran.stderr);
                assert_eq!(fs::read(&file).unwrap(), stored);
            }
        }
        let ran = run(&["validate", "--fix", "--in-place", &file]);
        assert!(
            codes_of(&ran).starts_with(&format!("1 {code}")),
            "{}",
            ran.stderr
        );
    }
}

#[test]
fn files_are_replaced_in_place() {
    let scratch = Scratch::new("fix-in-place");
    let (clean, faulty) = (
        game(&[], "1. e4 e5 *"),
        game(&[], "1. e4 e5 2. Qh5 Nc6 3. Qxf7 *"),
    );
    let input = scratch.file("games.pgn", faulty.as_bytes());
    let same = scratch.file("same.pgn", clean.as_bytes());
    let before = fs::metadata(&same).unwrap().modified().unwrap();
    let report = scratch.file("report.diff", b"");
    let ran = run(&[
        "validate",
        "--strict",
        "--fix",
        "--in-place",
        "--diff",
        "-o",
        &report,
        &input,
        &same,
    ]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(
        ran.stderr
            .contains("files: 1 replaced, 1 without repairs\n"),
        "{}",
        ran.stderr
    );
    let right = faulty.replace("Qxf7", "Qxf7+");
    assert_eq!(fs::read_to_string(&input).unwrap(), right);
    assert_eq!(fs::metadata(&same).unwrap().modified().unwrap(), before);
    assert_eq!(apply(&fs::read_to_string(&report).unwrap(), &faulty), right);
    // Inputs that are not plain files.
    let ran = run_with_stdin(
        &["validate", "--strict", "--fix", "--in-place"],
        faulty.clone().into_bytes(),
    );
    assert_eq!((ran.code, ran.stdout()), (Some(2), String::new()));
    let plain = scratch.file("plain.pgn", faulty.as_bytes());
    for (name, compressor) in COMPRESSORS {
        let stored = compressor(faulty.as_bytes());
        let packed = scratch.file(name, &stored);
        let ran = run(&[
            "validate",
            "--strict",
            "--fix",
            "--in-place",
            &plain,
            &packed,
        ]);
        assert_eq!(ran.code, Some(2), "{name}");
        assert!(ran.stderr.contains("compressed"), "{}", ran.stderr);
        assert_eq!(fs::read(&packed).unwrap(), stored);
        assert_eq!(fs::read_to_string(&plain).unwrap(), faulty);
    }
    for words in [&[&*plain, &plain][..], &["--config", &plain, &plain]] {
        let ran = run(&[&["validate", "--strict", "--fix", "--in-place"], words].concat());
        assert_eq!(ran.code, Some(2), "{words:?}");
        assert_eq!(fs::read_to_string(&plain).unwrap(), faulty);
    }
    // Never without being asked, and not over an input.
    let ran = run(&[
        "validate",
        "--strict",
        "--fix",
        "--write-fixed",
        &plain,
        &plain,
    ]);
    assert_eq!(ran.code, Some(2));
    let to = scratch.file("to.pgn", b"");
    let ran = run(&[
        "validate",
        "--strict",
        "--fix",
        "--write-fixed",
        &to,
        &plain,
    ]);
    assert_eq!((ran.code, ran.stdout()), (Some(0), String::new()));
    assert_eq!(fs::read_to_string(&to).unwrap(), right);
    assert_eq!(fs::read_to_string(&plain).unwrap(), faulty);
}

#[test]
fn outputs_that_would_stay_empty_are_refused() {
    let scratch = Scratch::new("fix-output");
    let games = scratch.file("a.pgn", game(&[], "1. e4 *").as_bytes());
    let kept = scratch.file("kept", b"kept");
    let other = scratch.file("other", b"");
    for to in [&["--in-place"][..], &["--write-fixed", &other]] {
        let ran = run(&[&["validate", "--strict", "--fix", "-o", &kept, &games], to].concat());
        assert_eq!(ran.code, Some(2), "{to:?}");
        assert_eq!(fs::read(&kept).unwrap(), b"kept");
    }
}
