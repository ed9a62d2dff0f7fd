//! Output does not depend on threads, chunk size, compression, stdin or file, or line ends.

use arbiter::chess::Position;
use arbiter::findings::{Checks, GameStatus, check};
use arbiter::input::{Buffers, Source, SourceId};
use arbiter::replay::Reader;

use rawzip::CompressionMethod as Method;

use crate::arbiter_command::{Ran, Scratch, run, run_with_stdin};
use crate::compressors::{COMPRESSORS, lzma, piped_zip, zip, zstd};

/// Some thousand games: valid ones, and the broken ones of the fixtures.
fn many_games() -> Vec<u8> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures");
    let famous = std::fs::read(format!("{folder}/famous.pgn")).unwrap();
    let endings = std::fs::read(format!("{folder}/endings.pgn")).unwrap();
    let mut broken: Vec<_> = std::fs::read_dir(format!("{folder}/findings"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    broken.sort();
    let mut text = Vec::new();
    // Several megabytes: more than one chunk.
    for _ in 0..16 {
        for (nth, path) in broken.iter().enumerate() {
            if nth % 4 == 0 {
                text.extend(&famous);
                text.push(b'\n');
                text.extend(&endings);
                text.push(b'\n');
            }
            text.extend(std::fs::read(path).unwrap());
            text.push(b'\n');
        }
    }
    text
}

fn commands() -> [Vec<&'static str>; 7] {
    [
        vec!["validate", "-q", "--format", "concise"],
        vec!["replay", "-q", "--format", "csv"],
        vec!["replay", "-q", "--format", "fen"],
        vec!["stats", "-q", "--format", "json"],
        vec![
            "stats", "-q", "--by", "player", "--by", "eco", "--format", "json",
        ],
        vec!["adjudicate", "-q", "--format", "csv"],
        vec!["adjudicate", "-q", "--format", "pgn"],
    ]
}

/// Output of a command for a text on stdin, without the source name.
fn said(command: &[&str], more: &[&str], text: &[u8]) -> Ran {
    let words: Vec<&str> = command.iter().chain(more).copied().collect();
    run_with_stdin(&words, text.to_vec())
}

#[test]
fn any_number_of_threads_says_the_same() {
    let text = many_games();
    for command in commands() {
        let one = said(&command, &["-j", "1"], &text);
        assert!(one.stdout.len() > 100);
        for jobs in ["2", "3", "8"] {
            assert_eq!(
                said(&command, &["-j", jobs], &text),
                one,
                "{command:?} -j {jobs}"
            );
        }
    }
}

/// Threads read different segments of a large plain file concurrently.
#[test]
fn a_file_that_several_threads_read_at_once_says_the_same() {
    let games = many_games();
    let scratch = Scratch::new("stretches");
    // Several threads may find text that is reported once. The second text is split elsewhere.
    let odd = "[Event \"M\u{fffd}\"]\n[Result \"*\"]\n\n1. e4 *\n\n".as_bytes();
    let shift = format!("% {}\n", "x".repeat(100_000));
    for (nth, before) in [b"", shift.as_bytes()].into_iter().enumerate() {
        let mut text = before.to_vec();
        text.extend(&games);
        for _ in 0..1000 {
            text.extend(odd);
            text.extend(b"[Event \"M\xfcller\"]\n[Result \"*\"]\n\n1. e4 *\n\n");
        }
        assert!(text.len() > 2 << 20, "{}", text.len());
        let path = scratch.file(&format!("{nth}.pgn"), &text);
        for command in commands() {
            let say = |jobs| {
                let mut words = command.clone();
                words.extend(["-j", jobs, &path]);
                run(&words)
            };
            let one = say("1");
            assert!(one.stdout.len() > 100);
            for jobs in ["2", "3", "8"] {
                assert_eq!(say(jobs), one, "{command:?} -j {jobs}");
            }
        }
    }
}

#[test]
fn compressed_text_says_the_same() {
    let text = many_games();
    let (half, rest) = text.split_at(text.len() / 2);
    // Frames of arbitrary length, which several threads may decompress out of order.
    let frames: Vec<u8> = text.chunks(70_001).flat_map(zstd).collect();
    let mut forms = vec![("lzma", "2", lzma(&text))];
    forms.extend(["1", "3"].map(|jobs| ("frames", jobs, frames.clone())));
    forms.extend(COMPRESSORS.map(|(form, compress)| {
        let joined = [compress(half), compress(rest)].concat();
        (form, "2", joined)
    }));
    for command in commands() {
        let plain = said(&command, &[], &text);
        for (form, jobs, packed) in &forms {
            let packed = said(&command, &["-j", jobs], packed);
            assert_eq!(packed, plain, "{command:?} {form} -j {jobs}");
        }
    }
}

#[test]
fn members_of_an_archive_say_the_same_as_files() {
    let text = many_games();
    let name = "many games.pgn";
    let archives = [
        zip(&[(name, Method::STORE, &text)]),
        zip(&[(name, Method::DEFLATE, &text)]),
        zip(&[(name, Method::STORE, &zstd(&text))]),
        piped_zip(&[(name, Method::DEFLATE, &text)]),
    ];
    for command in commands() {
        let plain = said(&command, &[], &text);
        for (nth, archive) in archives.iter().enumerate() {
            let member = said(&command, &[], archive);
            let renamed = |text: &str| text.replace(&format!("<stdin>/{name}"), "<stdin>");
            assert_eq!(
                (
                    renamed(&member.stdout()),
                    renamed(&member.stderr),
                    member.code
                ),
                (plain.stdout(), plain.stderr.clone(), plain.code),
                "{command:?} {nth}"
            );
        }
    }
}

#[test]
fn utf_16_says_the_same_but_for_a_note() {
    let text = String::from_utf8_lossy(&many_games()).into_owned();
    let utf_16: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    for mut command in commands() {
        if command[0] == "validate" {
            command.extend(["--ignore", "N004,N010"]);
        }
        let plain = said(&command, &[], text.as_bytes());
        assert_eq!(said(&command, &[], &utf_16), plain, "{command:?}");
    }
}

#[test]
fn a_file_says_the_same_as_stdin_but_for_its_name() {
    let scratch = Scratch::new("file-as-stdin");
    let text = many_games();
    let path = scratch.file("games.pgn", &text);
    for command in commands() {
        let words: Vec<&str> = command.iter().copied().chain([&*path]).collect();
        let from_file = run(&words);
        let from_stdin = said(&command, &[], &text);
        // Rows of games have the name without its folder.
        let renamed = |ran: &Ran| {
            let stdout = ran.stdout().replace(&path, "<stdin>");
            stdout.replace("games.pgn", "<stdin>")
        };
        assert_eq!(renamed(&from_file), renamed(&from_stdin));
        assert_eq!(from_file.code, from_stdin.code);
    }
}

#[test]
fn carriage_returns_move_places_only() {
    let text = many_games();
    let crlf: Vec<u8> = text
        .iter()
        .flat_map(|&byte| match byte {
            b'\n' => vec![b'\r', b'\n'],
            byte => vec![byte],
        })
        .collect();
    for command in commands() {
        // Values of comments are read in the first 256 KiB, which hold fewer games with CRLF.
        let more: &[&str] = match command[0] {
            "validate" => &["--ignore", "W265,N266"],
            _ => &[],
        };
        let (mut lf, mut crlf) = (said(&command, more, &text), said(&command, more, &crlf));
        if command.contains(&"pgn") {
            // Findings that repeat the games repeat their line ends. One fixture already has CRLF.
            assert!(crlf.stdout.len() > lf.stdout.len());
            lf.stdout.retain(|&byte| byte != b'\r');
            crlf.stdout.retain(|&byte| byte != b'\r');
        }
        assert_eq!(lf, crlf, "{command:?}");
    }
}

/// A game number, its status, and its findings with their positions.
type Checked = (u64, GameStatus, Vec<(String, u64)>);

/// Findings in a text that is split into chunks of this size.
fn findings(text: &[u8], chunk_bytes: usize) -> Vec<Checked> {
    let source = Source::stdin(SourceId(0));
    let initial = Position::initial();
    let mut reader = Reader::new();
    let mut all = Vec::new();
    for chunk in source.chunks(text, chunk_bytes, Buffers::default()) {
        for text in chunk.unwrap().games() {
            let mut found = Vec::new();
            let game = reader.read(text.bytes, text.unclosed_comment);
            let verdict = check(game, text.bytes, &initial, &Checks::default(), &mut found);
            let found = found
                .into_iter()
                .map(|finding| {
                    let byte = text.origin.byte.0 + u64::from(finding.span.start);
                    (finding.message, byte)
                })
                .collect();
            all.push((text.origin.game.0, verdict, found));
        }
    }
    all
}

#[test]
fn any_chunk_size_finds_the_same() {
    let mut text = many_games();
    text.truncate(200_000);
    let whole = findings(&text, 1 << 20);
    assert!(whole.len() > 300);
    for chunk_bytes in [1, 17, 1_000, 65_536] {
        assert!(
            findings(&text, chunk_bytes) == whole,
            "chunks of {chunk_bytes} bytes"
        );
    }
}
