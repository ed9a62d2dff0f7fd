//! Compressed games: every format, intact and broken, from files and pipes; archives; memory.

use std::io::Read;
use std::process::Stdio;

use rawzip::CompressionMethod as Method;

use crate::arbiter_command::{Ran, Scratch, command, run, run_with_stdin};
use crate::compressors::{COMPRESSORS, ZipParts, gzip, lzma, piped_zip, zip, zstd};

const ONE: &[u8] = b"[Result \"1-0\"]\n\n1. e4 e5 1-0\n";
const TWO: &[u8] = b"[Result \"0-1\"]\n\n1. e4 e5 2. Nf9 0-1\n\n[Result \"1-0\"]\n\n1. d4 1-0\n";

fn famous(times: usize) -> Vec<u8> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/famous.pgn");
    std::fs::read(path).unwrap().repeat(times)
}

/// Distinct games, 100 bytes each.
fn many(games: u32) -> Vec<u8> {
    let mut text = Vec::new();
    let mut seed = 1_u32;
    for round in 0..games {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let game = format!(
            "[Round \"{round:08}\"]\n[Result \"*\"]\n\n1. e4 {{{seed:032b}{:08x}}} *\n",
            seed ^ round
        );
        text.extend(format!("{game:<99}\n").into_bytes());
    }
    text
}

fn validate(path: &str) -> Ran {
    run(&[
        "validate", "-q", "--ignore", "W129", "--format", "concise", path,
    ])
}

fn validate_pipe(packed: &[u8]) -> Ran {
    let words = ["validate", "-q", "--ignore", "W129", "--format", "concise"];
    run_with_stdin(&words, packed.to_vec())
}

/// Output for an archive, which must be the same from a file and from a pipe except for the name.
fn validate_both(test: &str, archive: &[u8]) -> Ran {
    let scratch = Scratch::new(test);
    let path = scratch.file("games.zip", archive);
    let renamed = |ran: Ran, name: &str| Ran {
        stdout: ran.stdout().replace(name, "ZIP").into_bytes(),
        stderr: ran.stderr.replace(name, "ZIP"),
        ..ran
    };
    let from_file = renamed(validate(&path), &path);
    let from_pipe = renamed(validate_pipe(archive), "<stdin>");
    assert_eq!(from_file, from_pipe, "{test}");
    from_file
}

/// Number of games `stats` counts in the readable part, and the error message.
fn count(path: &str) -> (u64, String) {
    let ran = run(&["stats", "-q", "--format", "csv", path]);
    let games = ran
        .stdout()
        .lines()
        .nth(1)
        .map_or(0, |row| row.split(',').next().unwrap().parse().unwrap());
    assert_eq!(ran.code, Some(if ran.stderr.is_empty() { 0 } else { 2 }));
    (games, ran.stderr)
}

#[test]
fn truncated_compression_gives_the_games_before_the_cut() {
    let text = many(30_000);
    for (end, compress) in COMPRESSORS {
        let mut packed = compress(&text);
        packed.truncate(packed.len() * 2 / 3);
        let cut = packed.len();
        let scratch = Scratch::new(&format!("cut-{end}"));
        let path = scratch.file(&format!("cut.pgn.{end}"), &packed);
        let (games, said) = count(&path);
        assert!((10_000..22_000).contains(&games), "{end}: {games}");
        let place = format!("truncated near byte {cut}, after ");
        assert!(said.contains(&path) && said.contains(&place), "{said}");
    }
}

#[test]
fn a_whole_part_before_a_broken_one_is_read() {
    for (end, compress) in COMPRESSORS {
        let mut packed = [compress(ONE), compress(&many(20_000))].concat();
        packed.truncate(packed.len() / 2);
        let scratch = Scratch::new(&format!("broken-{end}"));
        let path = scratch.file("games", &packed);
        let (games, said) = count(&path);
        assert!(games > 1, "{end}");
        assert!(said.contains("truncated"), "{said}");
        packed.extend([0xff; 100]);
        let (games, said) = count(&scratch.file("games", &packed));
        assert!(games > 1, "{end}");
        assert!(said.contains(" near byte "), "{said}");
    }
}

#[test]
fn a_directory_is_searched_for_every_packed_form() {
    let scratch = Scratch::new("packed-directory");
    for (end, compress) in COMPRESSORS {
        scratch.file(&format!("{end}.pgn.{end}"), &compress(ONE));
    }
    scratch.file("lzma.PGN.LZMA", &lzma(ONE));
    scratch.file("m.zip", &zip(&[("m.pgn", Method::DEFLATE, ONE)]));
    scratch.file(
        "others.zip",
        &zip(&[("m.txt", Method::DEFLATE, b"no games")]),
    );
    scratch.file("no.zst", b"not looked at");
    let (games, said) = count(scratch.path().to_str().unwrap());
    assert_eq!((games, &*said), (6, ""));
}

#[test]
fn a_directory_of_archives_without_games_is_an_error() {
    let scratch = Scratch::new("other-archives");
    scratch.file(
        "others.zip",
        &zip(&[("m.txt", Method::DEFLATE, b"no games")]),
    );
    let ran = run(&["stats", "-q", scratch.path().to_str().unwrap()]);
    assert_eq!((ran.code, &*ran.stdout()), (Some(2), ""));
    assert!(ran.stderr.contains("no game found"), "{ran:?}");
}

#[test]
fn members_of_an_archive_are_sources_of_their_own() {
    let members = [
        ("read.me", Method::STORE, &b"no games here"[..]),
        ("a/", Method::STORE, b""),
        ("a/two.pgn", Method::DEFLATE, TWO),
        ("__MACOSX/a/._two.pgn", Method::STORE, b"\0\x05\x16\x07"),
        ("M\u{fc}ller.PGN", Method::STORE, TWO),
        ("packed.pgn.zst", Method::STORE, &zstd(TWO)),
        ("z.pgn", Method::ZSTD, TWO),
        ("b.pgn", Method::BZIP2, TWO),
        ("x.pgn", Method::XZ, TWO),
    ];
    let ran = validate_both("members", &zip(&members));
    assert_eq!((ran.code, &*ran.stderr), (Some(1), ""));
    let expected: String = [
        "a/two.pgn",
        "M\u{fc}ller.PGN",
        "packed.pgn.zst",
        "z.pgn",
        "b.pgn",
        "x.pgn",
    ]
    .iter()
    .map(|name| format!("ZIP/{name}:3:13: error[E203] `Nf9` is not a move (game 1, 2.Nf9)\n"))
    .collect();
    assert_eq!(ran.stdout(), expected);
}

#[test]
fn lengths_may_follow_the_members_of_an_archive() {
    let members = [
        ("read.me", Method::DEFLATE, &b"no games here"[..]),
        ("one.pgn", Method::DEFLATE, TWO),
        ("two.pgn", Method::BZIP2, TWO),
        ("three.pgn", Method::XZ, TWO),
        ("four.pgn", Method::DEFLATE, &famous(500)),
    ];
    let ran = validate_both("piped", &piped_zip(&members));
    assert_eq!((ran.code, &*ran.stderr), (Some(1), ""));
    assert_eq!(ran.stdout().lines().count(), 3);
}

#[test]
fn an_archive_without_games_says_what_it_holds_instead() {
    let ran = validate_both("no-games", &zip(&[("a.txt", Method::STORE, ONE)]));
    assert_eq!(
        (ran.code, &*ran.stderr),
        (
            Some(2),
            "error: no game found in `ZIP`: no `.pgn` file in this archive, only others such as `a.txt`\n"
        )
    );
    let ran = validate_both("empty", &zip(&[]));
    assert_eq!(
        (ran.code, &*ran.stderr),
        (
            Some(2),
            "error: no game found in `ZIP`: the archive is empty\n"
        )
    );
}

#[test]
fn an_archive_in_an_archive_is_an_error() {
    let inner = zip(&[("b.pgn", Method::STORE, ONE)]);
    let members = [
        ("a.pgn", Method::STORE, ONE),
        ("inner.zip", Method::STORE, &inner),
    ];
    let ran = validate_both("nested", &zip(&members));
    assert_eq!(
        (ran.code, &*ran.stderr),
        (
            Some(2),
            "error: cannot read `ZIP/inner.zip`: unsupported compression: zip; decompress it \
             first\n"
        )
    );
}

#[test]
fn members_that_cannot_be_read_are_named_and_the_others_are_read() {
    let mut archive = ZipParts::default();
    archive.member("one.pgn", 0, 0, ONE, ONE, true);
    archive.member("secret.pgn", 0, ZipParts::ENCRYPTED, ONE, ONE, true);
    archive.member("odd.pgn", 98, 0, b"who knows", ONE, true);
    archive.member("wrong.pgn", 0, 0, TWO, TWO, false);
    archive.member("broken.pgn", 8, 0, b"\xff\xff\xff\xff", ONE, true);
    archive.member(
        "binary.pgn",
        0,
        0,
        b"\x7fELF\x02\x01\x01\0\0",
        b"\x7fELF\x02\x01\x01\0\0",
        true,
    );
    archive.member("tar.pgn.gz", 0, 0, b"PK\x03\x04", b"PK\x03\x04", true);
    archive.member("empty.pgn", 0, 0, b"", b"", true);
    archive.member("two.pgn", 0, 0, TWO, TWO, true);
    let ran = validate_both("unreadable", &archive.finish());
    assert_eq!(ran.code, Some(2));
    assert_eq!(ran.stdout().lines().count(), 2, "{}", ran.stdout());
    let errors: Vec<_> = ran.stderr.lines().collect();
    for (error, expected) in errors.iter().zip([
        "cannot read `ZIP/secret.pgn`: it is encrypted",
        "cannot read `ZIP/odd.pgn`: unsupported compression: ppmd; decompress it first",
        "cannot decompress `ZIP/wrong.pgn`: zip data corrupt near byte",
        "cannot decompress `ZIP/broken.pgn`: zip data corrupt near byte",
        "cannot read `ZIP/binary.pgn`: not text, byte 0 is 0x7f",
        "cannot read `ZIP/tar.pgn.gz`: unsupported compression: zip; decompress it first",
        "no game found in `ZIP/empty.pgn`: it is empty",
    ]) {
        assert!(error.starts_with(&format!("error: {expected}")), "{error}");
    }
    assert_eq!(errors.len(), 7, "{errors:#?}");
}

#[test]
fn a_truncated_archive_is_an_error() {
    let whole = zip(&[
        ("one.pgn", Method::DEFLATE, ONE),
        ("two.pgn", Method::DEFLATE, TWO),
    ]);
    for cut in [40, whole.len() / 2, whole.len() - 40, whole.len() - 1] {
        let ran = validate_both("cut-zip", &whole[..cut]);
        assert_eq!((ran.code, &*ran.stdout()), (Some(2), ""));
        let expected = "error: cannot read the archive `ZIP`";
        assert!(ran.stderr.starts_with(expected), "{}", ran.stderr);
    }
}

#[test]
fn a_stored_member_may_have_its_length_after_it() {
    let archive = piped_zip(&[
        ("one.pgn", Method::DEFLATE, TWO),
        ("two.pgn", Method::STORE, TWO),
        ("three.pgn", Method::DEFLATE, TWO),
    ]);
    let ran = validate_both("stored", &archive);
    assert_eq!((ran.code, ran.stdout().lines().count()), (Some(1), 3));
}

/// Directory entries of an archive: their offsets in it.
fn entries(archive: &[u8]) -> Vec<usize> {
    (0..archive.len() - 4)
        .filter(|&at| archive[at..].starts_with(b"PK\x01\x02"))
        .collect()
}

#[test]
fn a_directory_names_every_member_once() {
    let whole = zip(&[
        ("one.pgn", Method::DEFLATE, TWO),
        ("two.pgn", Method::STORE, TWO),
        ("tri.pgn", Method::DEFLATE, TWO),
    ]);
    let first = entries(&whole)[0];
    let entry = entries(&whole)[1] - first;
    let end = whole.len() - 22;
    // The directory without each of its entries.
    for nth in 0..3 {
        let mut archive = whole.clone();
        archive.drain(first + nth * entry..first + (nth + 1) * entry);
        let end = end - entry;
        archive[end + 8] -= 1;
        archive[end + 10] -= 1;
        archive[end + 12..end + 16].copy_from_slice(&(2 * entry as u32).to_le_bytes());
        let ran = validate_both("unnamed", &archive);
        assert_eq!((ran.code, ran.stdout().lines().count()), (Some(2), 2));
        let expected = "its directory does not name what is at byte ";
        assert!(ran.stderr.contains(expected), "{}", ran.stderr);
    }
    // Two entries of one member.
    let mut twice = whole.clone();
    twice.copy_within(first..first + entry, first + entry);
    let ran = validate_both("twice", &twice);
    assert_eq!((ran.code, &*ran.stdout()), (Some(2), ""));
    assert!(ran.stderr.contains("overlap"), "{}", ran.stderr);
}

#[test]
fn a_member_stays_between_its_header_and_the_next() {
    let whole = zip(&[
        ("one.pgn", Method::DEFLATE, TWO),
        ("two.pgn", Method::DEFLATE, TWO),
    ]);
    for (nth, more, expected) in [
        (0, 1_u32, "overlap"),
        (1, 1, "goes beyond the end"),
        (1, 100_000, "goes beyond the end"),
        (1, 0xffff_0000, "goes beyond the end"),
    ] {
        let mut archive = whole.clone();
        let size = entries(&whole)[nth] + 20;
        let old = u32::from_le_bytes(archive[size..size + 4].try_into().unwrap());
        archive[size..size + 4].copy_from_slice(&(old + more).to_le_bytes());
        let ran = validate_both("sizes", &archive);
        assert_eq!((ran.code, &*ran.stdout()), (Some(2), ""), "{nth} {more}");
        assert!(ran.stderr.contains(expected), "{}", ran.stderr);
    }
}

#[test]
fn what_follows_an_lzma_stream_is_named() {
    let scratch = Scratch::new("after-lzma");
    assert_eq!(
        count(&scratch.file("whole", &lzma(ONE))),
        (1, String::new())
    );
    for rest in [&b"junk"[..], b"\0", &lzma(ONE)] {
        let packed = [&lzma(ONE)[..], rest].concat();
        let (games, said) = count(&scratch.file("more", &packed));
        assert_eq!(games, 1);
        assert!(said.contains("something else follows"), "{said}");
    }
}

#[test]
fn archives_one_after_the_other_are_an_error() {
    // Directories at the same offset in both, at different offsets, and three archives.
    let one = zip(&[("one.pgn", Method::DEFLATE, TWO)]);
    let two = zip(&[("two.pgn", Method::DEFLATE, TWO)]);
    let longer = zip(&[
        ("longer.pgn", Method::STORE, TWO),
        ("b.pgn", Method::DEFLATE, TWO),
    ]);
    for parts in [
        vec![&one, &two],
        vec![&one, &longer],
        vec![&longer, &one, &two],
    ] {
        let archive: Vec<u8> = parts.into_iter().flatten().copied().collect();
        let ran = validate_both("joined-zips", &archive);
        assert_eq!((ran.code, &*ran.stdout()), (Some(2), ""));
        let expected = "something else precedes its members";
        assert!(ran.stderr.contains(expected), "{}", ran.stderr);
    }
}

#[test]
fn what_follows_an_archive_is_named_and_zeros_and_comments_are_not() {
    let whole = zip(&[("one.pgn", Method::DEFLATE, TWO)]);
    let ran = validate_both("zip-junk", &[&whole[..], b"junkjunkjunk"].concat());
    assert_eq!((ran.code, ran.stdout().lines().count()), (Some(2), 1));
    assert!(
        ran.stderr.contains("something else follows its end"),
        "{}",
        ran.stderr
    );
    let ran = validate_both("zip-zeros", &[&whole[..], &[0; 512]].concat());
    assert_eq!((ran.code, &*ran.stderr), (Some(1), ""));
    let mut commented = whole;
    let length = commented.len();
    commented[length - 2..].copy_from_slice(&7_u16.to_le_bytes());
    commented.extend(b"a word.");
    let ran = validate_both("zip-comment", &commented);
    assert_eq!((ran.code, &*ran.stderr), (Some(1), ""));
}

#[cfg(unix)]
#[test]
fn a_file_that_becomes_shorter_while_it_is_read_is_named() {
    let scratch = Scratch::new("shrinks");
    let text = many(200_000);
    let packed = gzip(&text);
    for (name, bytes) in [("games.pgn", &text), ("games.pgn.gz", &packed)] {
        let file = scratch.file(name, bytes);
        for threads in ["1", "2"] {
            scratch.file(name, bytes);
            let mut child = command(&["replay", "--format", "jsonl", "-j", threads, &file])
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .unwrap();
            // The pipe fills up early, with most of the file still unread.
            let mut stdout = child.stdout.take().unwrap();
            stdout.read_exact(&mut [0; 1000]).unwrap();
            let opened = std::fs::OpenOptions::new().write(true).open(&file).unwrap();
            opened.set_len(bytes.len() as u64 * 9 / 10).unwrap();
            std::io::copy(&mut stdout, &mut std::io::sink()).unwrap();
            let ran = Ran::from(child.wait_with_output().unwrap());
            assert_eq!(ran.code, Some(2), "{name}, {threads} threads");
            let said = "the file has become shorter while it is read";
            assert!(ran.stderr.contains(said), "{}", ran.stderr);
            assert!(ran.stderr.contains(name), "{}", ran.stderr);
        }
    }
}

/// Peak memory of a run in KiB, sampled while it runs.
#[cfg(target_os = "linux")]
fn peak_memory(words: &[&str]) -> u64 {
    let mut child = command(words)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let path = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    while child.try_wait().unwrap().is_none() {
        let status = std::fs::read_to_string(&path).unwrap_or_default();
        if let Some(line) = status.lines().find(|line| line.starts_with("VmHWM")) {
            peak = line.split_whitespace().nth(1).unwrap().parse().unwrap();
        }
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    let code = child.wait().unwrap().code();
    assert!(matches!(code, Some(0 | 1)), "{words:?}: {code:?}");
    peak
}

/// One game of 20 MB in a compressed file of a few KB.
#[cfg(target_os = "linux")]
#[test]
fn one_game_costs_at_most_300_mb_and_its_text() {
    let scratch = Scratch::new("one-game");
    let of = |unit: &str| unit.repeat(20_000_000 / unit.len());
    let moves = "Nf3 Nf6 Ng1 Ng8 ";
    for (name, text) in [
        ("moves", of(moves)),
        ("variation", format!("e4 ({})", of(moves))),
        ("variations", format!("e4 {}", of("(d4 d5) "))),
        ("null moves", format!("e4 ({})", of("-- "))),
        ("glyphs", format!("e4 {}", of("$1 "))),
        ("signs", format!("e4 {}", of("! "))),
        ("comments", format!("e4 {}", of("{a} "))),
        ("tags", of("[Event \"x\"] ")),
    ] {
        let head = "[Event \"x\"]\n";
        let text = match name {
            "tags" => format!("{text}\n\n1. e4 *\n"),
            _ => format!("{head}\n{text} *\n"),
        };
        let path = scratch.file("game.pgn.zst", &zstd(text.as_bytes()));
        let table = scratch.path().join("rows.parquet").display().to_string();
        for words in [
            &["replay", "--format", "csv", "--variations"][..],
            &["replay", "--format", "jsonl", "--variations"],
            &[
                "replay",
                "--format",
                "parquet",
                "--variations",
                "-o",
                &table,
            ],
            &["replay", "--format", "pgn", "--keep", "all"],
            &["adjudicate", "--format", "jsonl", "--tags", "all"],
            &["validate", "--fix"],
        ] {
            let peak = peak_memory(&[words, &["-j", "1", &path]].concat());
            let limit = (300_000_000 + text.len() as u64) >> 10;
            assert!(peak > 1024 && peak < limit, "{name} {words:?}: {peak} KiB");
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn memory_does_not_grow_with_what_is_packed() {
    let text = famous(100_000);
    let scratch = Scratch::new("memory");
    let half = &text[..text.len() / 20];
    let small = half.repeat(2);
    for (name, packed) in [
        ("frames", text.chunks(1 << 20).flat_map(zstd).collect()),
        ("large-frames", [zstd(&text), zstd(&text)].concat()),
        ("xz", crate::compressors::xz(&small)),
        ("gz", crate::compressors::gzip(&text)),
        (
            "zip",
            zip(&[
                ("a.pgn", Method::ZSTD, &text),
                ("b.pgn", Method::DEFLATE, &text),
            ]),
        ),
    ] {
        let path = scratch.file(name, &packed);
        for jobs in ["1", "2", "4"] {
            let limit = (64 + 8 * jobs.parse::<u64>().unwrap()) << 10;
            let peak = peak_memory(&["stats", "-q", "-j", jobs, &path]);
            assert!(peak > 1024 && peak < limit, "{name} -j {jobs}: {peak} KiB");
        }
    }
}
