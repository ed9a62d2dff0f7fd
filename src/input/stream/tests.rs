use std::io::{Cursor, Write};
use std::sync::atomic::Ordering;

use crate::input::decompress::zip::Archive;
use crate::input::source::Begun;
use crate::input::stream::*;
use crate::text::Offset;
use chess_arbiter_core::split::InputKind;

const TEXT: &[u8] = b"[Event \"x\"]\n\n1. e4 *\n";
const SKIPPABLE: &[u8] = b"\x5e\x2a\x4d\x18\x03\x00\x00\x00abc";

fn zstd(text: &[u8]) -> Vec<u8> {
    zstd::encode_all(text, 1).unwrap()
}

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

fn bzip2(text: &[u8]) -> Vec<u8> {
    let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

fn xz(text: &[u8]) -> Vec<u8> {
    let options = lzma_rust2::XzOptions::with_preset(1);
    let mut writer = lzma_rust2::XzWriter::new(Vec::new(), options).unwrap();
    writer.write_all(text).unwrap();
    writer.finish().unwrap()
}

fn lzma(text: &[u8]) -> Vec<u8> {
    let options = lzma_rust2::LzmaOptions::with_preset(1);
    let mut writer = lzma_rust2::LzmaWriter::new_use_header(Vec::new(), &options, None).unwrap();
    writer.write_all(text).unwrap();
    writer.finish().unwrap()
}

type Pack = fn(&[u8]) -> Vec<u8>;

const PACKERS: [(&str, Pack); 5] = [
    ("zstd", zstd),
    ("gzip", gzip),
    ("bzip2", bzip2),
    ("xz", xz),
    ("lzma", lzma),
];

/// About 3 MB of text that does not compress to almost nothing.
fn long_text() -> Vec<u8> {
    let mut seed = 1_u32;
    let mut text = Vec::new();
    while text.len() < 3 << 20 {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        writeln!(text, "{{{seed}}} Nf3").unwrap();
    }
    text
}

fn open(bytes: Vec<u8>, jobs: usize) -> (Result<Stream, Error>, Arc<AtomicU64>) {
    let progress = Arc::new(AtomicU64::new(0));
    let packed = CompressedReader::new(&"test".into(), Box::new(Cursor::new(bytes)), Offset(0));
    let archive = Archive::new("test".into(), InputKind::Pgn, false);
    let stream = Begun::of(packed, Arc::clone(&progress), jobs, archive).map(|begun| match begun {
        Begun::Text(stream) => stream,
        Begun::Archive(_) => panic!("an archive"),
    });
    (stream, progress)
}

/// Text read, and the error.
fn read(bytes: Vec<u8>, jobs: usize) -> (Vec<u8>, Option<Error>) {
    let (stream, progress) = open(bytes, jobs);
    let mut text = Vec::new();
    let mut stream = match stream {
        Ok(stream) => stream,
        Err(error) => return (text, Some(error)),
    };
    let outcome = stream.read_to_end(&mut text);
    assert_eq!(stream.delivered, text.len() as u64);
    assert_eq!(stream.read(&mut [0; 10]).unwrap(), 0, "the end is the end");
    assert!(progress.load(Ordering::Relaxed) > 0 || text.is_empty());
    let error = outcome.err().map(|error| Error::from_read("?", 0, error));
    (text, error)
}

fn check(bytes: Vec<u8>, expected: &[u8], what: &str) {
    for jobs in [1, 2, 5] {
        let (text, error) = read(bytes.clone(), jobs);
        assert!(error.is_none(), "{what}, {jobs} jobs: {}", error.unwrap());
        assert!(text == expected, "{what}, {jobs} jobs");
    }
}

#[test]
fn plain_text_shorter_than_any_magic_number() {
    for text in [&b""[..], b"1", b"*\n", TEXT] {
        check(text.to_vec(), text, "plain");
    }
}

#[test]
fn every_form_holds_what_was_put_in() {
    let long = long_text();
    for (form, pack) in PACKERS {
        for text in [&b""[..], b"*", TEXT, &long] {
            check(pack(text), text, form);
        }
    }
}

#[test]
fn several_files_one_after_the_other_are_one() {
    let long = long_text();
    let expected = [TEXT, &long, b"", TEXT].concat();
    // The legacy lzma format does not define concatenation.
    for (form, pack) in &PACKERS[..4] {
        let packed = [pack(TEXT), pack(&long), pack(b""), pack(TEXT)].concat();
        check(packed, &expected, form);
    }
}

#[test]
fn skippable_frames_of_zstd_are_skipped() {
    let frames = [
        SKIPPABLE,
        &zstd(TEXT)[..],
        SKIPPABLE,
        SKIPPABLE,
        &zstd(TEXT),
        SKIPPABLE,
    ];
    check(frames.concat(), &[TEXT, TEXT].concat(), "zstd");
    let large = [b"\x50\x2a\x4d\x18\x00\x00\x10\x00", &vec![7; 1 << 20][..]].concat();
    check(
        [&zstd(TEXT)[..], &large, &zstd(TEXT)].concat(),
        &[TEXT, TEXT].concat(),
        "zstd",
    );
}

/// Single-segment frames with a content size and a checksum.
#[test]
fn many_frames_of_zstd_come_in_order() {
    let text = long_text();
    let mut compressor = zstd::bulk::Compressor::new(3).unwrap();
    compressor
        .set_parameter(zstd::zstd_safe::CParameter::ChecksumFlag(true))
        .unwrap();
    let packed: Vec<u8> = text
        .chunks(700_000)
        .flat_map(|part| compressor.compress(part).unwrap())
        .collect();
    check(packed.repeat(3), &text.repeat(3), "zstd");
}

#[test]
fn a_frame_larger_than_what_is_gathered_is_read_in_its_turn() {
    let mut seed = 7_u64;
    let noise: Vec<u8> = std::iter::repeat_with(|| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        b'a' + (seed % 23) as u8
    })
    .take(20 << 20)
    .collect();
    let packed = [zstd(TEXT), zstd(&noise), zstd(TEXT)].concat();
    assert!(packed.len() > 9 << 20);
    check(packed, &[TEXT, &noise, TEXT].concat(), "zstd");
}

#[test]
fn little_that_unpacks_to_much_is_unpacked_no_faster_than_it_is_read() {
    let blanks = zstd::encode_all(io::repeat(b' ').take(256 << 20), 1).unwrap();
    assert!(blanks.len() < 1 << 20);
    let (stream, _) = open(blanks.repeat(4), 4);
    let read = io::copy(&mut stream.unwrap(), &mut io::sink()).unwrap();
    assert_eq!(read, 1 << 30);
}

#[test]
fn a_truncated_file_delivers_what_it_has_and_says_where_it_ends() {
    let text = long_text();
    for (form, pack) in PACKERS {
        let packed = pack(&text);
        let half = packed.len() / 2;
        for jobs in [1, 3] {
            let (delivered, error) = read(packed[..half].to_vec(), jobs);
            assert!(delivered.len() > text.len() / 3, "{form}");
            assert!(text.starts_with(&delivered), "{form}");
            match error.unwrap() {
                Error::Decompress {
                    path,
                    format,
                    at,
                    delivered: n,
                    source: cause,
                } => {
                    assert_eq!((&*path, format), ("test", form));
                    assert_eq!(at, half as u64, "{form}");
                    assert_eq!(n, delivered.len() as u64);
                    assert_eq!(
                        cause.kind(),
                        io::ErrorKind::UnexpectedEof,
                        "{form}: {cause}"
                    );
                }
                other => panic!("{form}: {other}"),
            }
        }
    }
}

#[test]
fn a_truncated_file_after_a_whole_one_delivers_the_whole_one() {
    let text = long_text();
    for (form, pack) in &PACKERS[..4] {
        let packed = [pack(TEXT), pack(&text)].concat();
        for end in [pack(TEXT).len() + 1, pack(TEXT).len() + 5, packed.len() - 1] {
            for jobs in [1, 3] {
                let (delivered, error) = read(packed[..end].to_vec(), jobs);
                assert!(delivered.starts_with(TEXT), "{form}");
                assert!(
                    matches!(error, Some(Error::Decompress { .. })),
                    "{form} {end}"
                );
            }
        }
    }
}

#[test]
fn a_corrupt_file_delivers_what_stands_before_the_damage() {
    let text = long_text();
    for (form, pack) in PACKERS {
        let mut packed = pack(&text);
        let half = packed.len() / 2;
        packed[half..half + 2000].fill(0xff);
        for jobs in [1, 3] {
            let (delivered, error) = read(packed.clone(), jobs);
            // bzip2 blocks hold up to 900 KB, and a damaged block yields nothing.
            assert!(delivered.len() > text.len() / 4, "{form}");
            let error = error.unwrap().to_string();
            assert!(error.contains("corrupt near byte"), "{form}: {error}");
        }
    }
}

#[test]
fn what_follows_is_not_passed_over_in_silence() {
    for (form, pack) in &PACKERS[..4] {
        let (text, error) = read([&pack(TEXT)[..], b"and more"].concat(), 2);
        assert_eq!(text, TEXT, "{form}");
        let error = error.unwrap().to_string();
        assert!(error.contains("corrupt near byte"), "{form}: {error}");
    }
    let padded = [&gzip(TEXT)[..], &[0; 1000], &gzip(TEXT), &[0; 9]].concat();
    check(padded, &[TEXT, TEXT].concat(), "gzip");
    let padded = [&xz(TEXT)[..], &[0; 8], &xz(TEXT), &[0; 4]].concat();
    check(padded, &[TEXT, TEXT].concat(), "xz");
}

#[test]
fn empty_bzip2_streams_cost_next_to_nothing() {
    let packed = [&bzip2(TEXT)[..], &bzip2(b"").repeat(100_000), &bzip2(TEXT)].concat();
    let began = std::time::Instant::now();
    check(packed, &[TEXT, TEXT].concat(), "bzip2");
    let took = began.elapsed();
    assert!(took < std::time::Duration::from_secs(10), "{took:?}");
    let (text, error) = read([bzip2(TEXT), bzip2(b""), b"x".to_vec()].concat(), 2);
    assert_eq!(text, TEXT);
    assert!(error.is_some());
}

#[test]
fn a_window_beyond_the_limit_is_refused_before_it_is_made() {
    let long = |log| {
        let mut encoder = zstd::Encoder::new(Vec::new(), 1).unwrap();
        encoder.long_distance_matching(true).unwrap();
        encoder.window_log(log).unwrap();
        encoder.write_all(TEXT).unwrap();
        encoder.finish().unwrap()
    };
    check(long(27), TEXT, "zstd");
    let (text, error) = read([zstd(TEXT), long(28)].concat(), 2);
    assert_eq!(text, TEXT);
    assert!(
        matches!(&error, Some(Error::Unsupported { reason, .. }) if reason.starts_with("its zstd data"))
    );

    let mut options = lzma_rust2::XzOptions::with_preset(0);
    options.lzma_options.dict_size = 256 << 20;
    let mut writer = lzma_rust2::XzWriter::new(Vec::new(), options).unwrap();
    writer.write_all(TEXT).unwrap();
    let error = read(writer.finish().unwrap(), 1).1;
    assert!(
        matches!(&error, Some(Error::Unsupported { reason, .. }) if reason.starts_with("its xz data")),
        "{error:?}"
    );
}

#[test]
fn forms_that_are_not_read_are_named() {
    for (head, name) in [
        (&b"7z\xbc\xaf\x27\x1c\0"[..], "7z"),
        (b"\x04\x22\x4d\x18\x60", "lz4"),
        (b"Rar!\x1a\x07\x01\0", "rar"),
    ] {
        let error = read(head.to_vec(), 1).1.unwrap().to_string();
        assert!(
            error.contains(&format!("unsupported compression: {name};")),
            "{error}"
        );
    }
    let error = read(gzip(&zstd(TEXT)), 1).1.unwrap().to_string();
    assert!(
        error.contains("compressed twice, with zstd inside"),
        "{error}"
    );
}

#[test]
fn utf_16_is_read_from_every_form() {
    let text = String::from_utf8(long_text()).unwrap() + "\u{1f0a1}ü";
    let utf_16: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
    check(utf_16.clone(), text.as_bytes(), "plain");
    check(zstd(&utf_16), text.as_bytes(), "zstd");
    let (delivered, error) = read(zstd(&utf_16)[..300_000].to_vec(), 1);
    assert!(delivered.len() > 100_000 && text.as_bytes().starts_with(&delivered));
    assert!(matches!(error, Some(Error::Decompress { .. })));
}
