use std::fs;
use std::io::{Seek, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use crate::input::GAME_LIMIT;
use crate::input::{GameNo, Search, Segments, SourceId, TextTotals, expand};
use crate::pipeline::results::SourceEnd;
use crate::pipeline::segments::SegmentedFile;
use crate::pipeline::*;

/// A directory with files of games, removed at the end.
struct Scratch(PathBuf);

impl Scratch {
    /// Files with `sizes` games each; game `n` of each file is long when `n` is odd.
    fn new(test: &str, sizes: &[usize]) -> Scratch {
        let path =
            std::env::temp_dir().join(format!("arbiter-pipeline-{test}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        for (file, &games) in sizes.iter().enumerate() {
            let text: String = (1..=games)
                .map(|n| {
                    format!(
                        "[Round \"{n}\"]\n\n1. e4 {{{}}} *\n\n",
                        "x".repeat(n % 2 * 300)
                    )
                })
                .collect();
            fs::write(path.join(format!("{file:04}.pgn")), text).unwrap();
        }
        Scratch(path)
    }

    fn sources(&self) -> Vec<Source> {
        let (sources, errors) = expand(std::slice::from_ref(&self.0), &Search::default());
        assert!(errors.is_empty());
        sources
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn run(jobs: usize, chunk_bytes: usize) -> Run {
    Run {
        jobs,
        chunk_bytes,
        ..Run::default()
    }
}

/// Places of the games of a chunk. One chunk in three takes longer.
fn places(_: &mut (), source: &Source, chunk: &mut Chunk) -> Vec<String> {
    if chunk.byte.0.is_multiple_of(3) {
        std::thread::sleep(std::time::Duration::from_micros(200));
    }
    chunk
        .games()
        .map(|game| {
            format!(
                "{} {} {} {}",
                source.name(),
                game.origin.game,
                game.origin.byte,
                game.bytes.len()
            )
        })
        .collect()
}

/// The results of all chunks, merged into `whole`.
fn fold<S: Send, T: Send + 'static, W>(
    run: &Run,
    sources: &[Source],
    state: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, &Source, &mut Chunk) -> T + Sync,
    mut whole: W,
    mut merge: impl FnMut(&mut W, T),
    mut ended: impl FnMut(SourceEnd),
) -> W {
    let merge_item = |item| {
        match item {
            Item::Part(part) => merge(&mut whole, part.value),
            Item::End(end) => ended(end),
        }
        Ok::<(), Error>(())
    };
    let work =
        |state: &mut S, source: &Source, chunk: &mut Chunk, _: &_| work(state, source, chunk);
    run.in_order(sources, state, work, |_| 0, merge_item)
        .unwrap();
    whole
}

/// Everything emitted, as lines.
fn lines_of(run: &Run, sources: &[Source]) -> Vec<String> {
    let mut lines = Vec::new();
    run.in_order(
        sources,
        || (),
        |(), source, chunk, _| places(&mut (), source, chunk),
        |_| 0,
        |item| {
            match item {
                Item::Part(part) => {
                    assert_eq!(part.games, part.value.len() as u64);
                    lines.extend(part.value);
                }
                Item::End(end) => {
                    let error = end.error.map(|e| e.to_string()).unwrap_or_default();
                    lines.push(format!(
                        "{} games {} bytes {} {error}",
                        end.source.name(),
                        end.games,
                        end.bytes
                    ));
                }
            }
            Ok::<_, Error>(())
        },
    )
    .unwrap();
    lines
}

/// Large enough to be read in segments, but for two parts in which there is no place to cut at.
fn long_parts() -> String {
    let usual = "[Event \"x\"]\n\n1. e4 e5 *\n\n".repeat(40_000);
    let uncut = "[Round \"1\"]\n\n1. d4 d5 2. c4 *\n\n".repeat(120_000);
    format!("{usual}{uncut}{usual}{uncut}{usual}")
}

#[test]
fn parts_of_a_file_that_cannot_be_cut_are_the_same_for_all_threads() {
    let scratch = Scratch::new("uncut", &[]);
    fs::write(scratch.0.join("0.pgn"), long_parts()).unwrap();
    let sources = scratch.sources();
    let expected = lines_of(&run(1, CHUNK_BYTES), &sources);
    assert_eq!(expected.len(), 3 * 40_000 + 2 * 120_000 + 1);
    for jobs in [2, 5] {
        assert!(lines_of(&run(jobs, CHUNK_BYTES), &sources) == expected);
    }
}

#[test]
fn no_more_of_them_is_kept_than_memory_allows() {
    let scratch = Scratch::new("uncut-memory", &[]);
    fs::write(scratch.0.join("0.pgn"), long_parts()).unwrap();
    for tags_only in [false, true] {
        let mut run = run(2, CHUNK_BYTES);
        if tags_only {
            run = run.tags_only();
        }
        let begun = AtomicUsize::new(0);
        let mut emitted = 0;
        run.in_order(
            &scratch.sources(),
            || (),
            |(), _, chunk, _| {
                begun.fetch_add(chunk.bytes().len(), Ordering::Relaxed);
                chunk.bytes().len()
            },
            |_| 0,
            |item| {
                if let Item::Part(part) = item {
                    let kept = begun.load(Ordering::Relaxed) - emitted;
                    assert!(kept < 2 * CHUNKS_PER_JOB * (CHUNK_BYTES + 1_000), "{kept}");
                    emitted += part.value;
                }
                Ok::<_, Error>(())
            },
        )
        .unwrap();
        assert_eq!(emitted, long_parts().len());
    }
}

#[test]
fn much_that_comes_of_little_takes_bounded_room() {
    const TIMES: usize = 200;
    let scratch = Scratch::new("weighed", &[]);
    let text = "[Event \"x\"]\n\n1. e4 e5 *\n\n".repeat(100_000);
    fs::write(scratch.0.join("0.pgn"), &text).unwrap();
    fs::write(
        scratch.0.join("1.pgn.zst"),
        zstd::encode_all(text.as_bytes(), 1).unwrap(),
    )
    .unwrap();
    fs::write(scratch.0.join("2.pgn"), long_parts()).unwrap();
    for jobs in [1, 2, 4] {
        let begun = AtomicUsize::new(0);
        let (mut emitted, mut most) = (0, 0);
        run(jobs, CHUNK_BYTES)
            .in_order(
                &scratch.sources(),
                || (),
                |(), _, chunk, _| {
                    if chunk.first_game == GameNo(1) {
                        // The others have time to fill the room.
                        std::thread::sleep(std::time::Duration::from_millis(50));
                    }
                    let weight = TIMES * chunk.bytes().len();
                    begun.fetch_add(weight, Ordering::Relaxed);
                    weight
                },
                |&weight| weight,
                |item| {
                    if let Item::Part(part) = item {
                        most = most.max(begun.load(Ordering::Relaxed) - emitted);
                        emitted += part.value;
                    }
                    Ok::<_, Error>(())
                },
            )
            .unwrap();
        assert_eq!(emitted, TIMES * (2 * text.len() + long_parts().len()));
        // The room, and a piece for each thread, the first ones of which are longer.
        let room = (8 + 2 * jobs) << 20;
        assert!(most < room + jobs * (4 << 20), "{most}, {jobs} jobs");
    }
}

/// Files with a game that is too large between others. It is a hole in the file, and takes no room.
fn with_a_giant(scratch: &Scratch) {
    let usual = "[Event \"x\"]\n\n1. e4 e5 *\n\n".repeat(40_000);
    let mut file = fs::File::create(scratch.0.join("giant.pgn")).unwrap();
    file.write_all(usual.as_bytes()).unwrap();
    file.write_all(b"[Event \"x\"]\n\n1. e4 {").unwrap();
    file.seek_relative(GAME_LIMIT as i64 + 1_000_000).unwrap();
    file.write_all(b"} *\n\n").unwrap();
    file.write_all(usual.as_bytes()).unwrap();
}

#[test]
fn nothing_after_a_read_error_is_processed() {
    let scratch = Scratch::new("giant", &[40]);
    with_a_giant(&scratch);
    let sources = scratch.sources();
    let found = |jobs| {
        let worked = AtomicU64::new(0);
        let (mut emitted, mut ends) = (0, Vec::new());
        fold(
            &run(jobs, CHUNK_BYTES).tags_only(),
            &sources,
            || (),
            |(), _, chunk| {
                let games = chunk.games().count() as u64;
                worked.fetch_add(games, Ordering::Relaxed);
                games
            },
            (),
            |(), games| emitted += games,
            |end| {
                ends.push((
                    end.read - end.bytes,
                    end.error.map(|error| error.to_string()),
                ));
            },
        );
        assert_eq!(worked.into_inner(), emitted);
        (emitted, ends)
    };
    let (games, ends) = found(1);
    assert_eq!(games, 40_040);
    assert_eq!(ends[0], (0, None));
    assert_eq!(ends[1].0, GAME_LIMIT);
    assert!(
        ends[1]
            .1
            .as_ref()
            .is_some_and(|error| error.contains("giant.pgn"))
    );
    for jobs in [2, 7] {
        assert_eq!(found(jobs), (games, ends.clone()), "{jobs} jobs");
        // With places, numbers included.
        let lines = lines_of(&run(jobs, CHUNK_BYTES), &sources);
        assert_eq!(lines, lines_of(&run(1, CHUNK_BYTES), &sources));
    }
}

#[test]
fn a_segment_after_one_that_cannot_be_read_is_discarded() {
    let scratch = Scratch::new("discarded", &[]);
    fs::write(scratch.0.join("0.pgn"), long_parts()).unwrap();
    let source = &scratch.sources()[0];
    for tags_only in [false, true] {
        let run = Run {
            tags_only,
            ..run(2, CHUNK_BYTES)
        };
        for has_failed in [false, true] {
            let mut segments = Segments::of(source).unwrap();
            let file = SegmentedFile::new(source, &segments);
            let sums = &file.prefix_sums;
            assert!(!sums.has_failed());
            let totals = TextTotals {
                games: 5,
                ..TextTotals::default()
            };
            sums.handle(0).report(&totals, has_failed);
            assert_eq!(sums.has_failed(), has_failed);
            let mut read = |nth, wanted| {
                let segment = segments.next(wanted).unwrap();
                file.read(&run, segment, sums.handle(nth), &Buffers::default())
            };
            let chunks = [read(1, 100_000).1, read(2, 1_000).1];
            let count = if has_failed { 0 } else { 1 };
            assert_eq!(chunks.each_ref().map(Vec::len), [count; 2]);
            if !has_failed {
                assert_eq!(chunks[0][0].0.first_game, GameNo(6));
            }
        }
    }
}

#[test]
fn a_run_may_begin_on_a_thread_of_a_pool() {
    let scratch = Scratch::new("pools", &[40, 0, 300]);
    let sources = scratch.sources();
    let alone = lines_of(&run(1, 1_000), &sources);
    let other = rayon::ThreadPoolBuilder::new().num_threads(4).build();
    let other = other.unwrap();
    let found = other.broadcast(|_| lines_of(&run(2, 1_000), &sources));
    assert!(found.iter().all(|lines| *lines == alone));
}

#[test]
fn a_source_that_cannot_be_read_does_not_stop_the_others() {
    let scratch = Scratch::new("broken", &[3, 0, 3]);
    let cut = zstd::encode_all(&b"1. e4 e5 *\n\n".repeat(50)[..], 1).unwrap();
    fs::write(scratch.0.join("0000b.pgn.zst"), &cut[..cut.len() - 4]).unwrap();
    fs::write(scratch.0.join("0003.pgn"), b"7z\xbc\xaf\x27\x1c").unwrap();
    let mut sources = scratch.sources();
    sources.push(Source::file(SourceId(9), scratch.0.join("gone.pgn")));
    for jobs in [1, 2, 8] {
        let mut ends = Vec::new();
        let games = fold(
            &run(jobs, 1),
            &sources,
            || (),
            |(), _, chunk| chunk.game_count(),
            0,
            |sum, n| *sum += n,
            |end| ends.push(end),
        );
        assert_eq!(ends.len(), sources.len());
        let errors: Vec<_> = ends.iter().map(|end| end.error.as_ref()).collect();
        assert!(errors[0].is_none() && errors[3].is_none());
        assert!(matches!(errors[1], Some(Error::Decompress { .. })));
        assert!(matches!(errors[2], Some(Error::NoGames { .. })));
        assert!(matches!(errors[4], Some(Error::Unsupported { .. })));
        assert!(matches!(errors[5], Some(Error::Io { doing: "open", .. })));
        assert_eq!(games, 3 + 3 + ends[1].games as usize);
    }
}

#[test]
fn nothing_is_emitted_after_emit_has_failed() {
    let scratch = Scratch::new("stop", &[500, 500]);
    let sources = scratch.sources();
    for jobs in [1, 2, 8] {
        let mut emitted = 0;
        let worked = AtomicUsize::new(0);
        let stop = run(jobs, 1).in_order(
            &sources,
            || (),
            |(), _, _, _| worked.fetch_add(1, Ordering::Relaxed),
            |_| 0,
            |_| {
                emitted += 1;
                if emitted == 5 {
                    Err(Error::Internal(String::new()))
                } else {
                    Ok(())
                }
            },
        );
        assert!(matches!(stop, Err(Error::Internal(_))));
        assert_eq!(emitted, 5);
        let worked = worked.into_inner();
        assert!(
            worked <= 5 + jobs * CHUNKS_PER_JOB,
            "{worked} chunks, {jobs} jobs"
        );
    }
}

#[test]
fn no_more_chunks_are_under_way_than_memory_allows() {
    let scratch = Scratch::new("bounded", &[400]);
    let sources = scratch.sources();
    let begun = AtomicUsize::new(0);
    let mut emitted = 0;
    run(2, 1)
        .in_order(
            &sources,
            || (),
            |(), _, chunk, _| {
                begun.fetch_add(1, Ordering::Relaxed);
                if chunk.first_game == GameNo(1) {
                    std::thread::sleep(std::time::Duration::from_millis(50));
                }
            },
            |()| 0,
            |_| {
                assert!(begun.load(Ordering::Relaxed) - emitted <= 2 * CHUNKS_PER_JOB);
                emitted += 1;
                Ok::<_, Error>(())
            },
        )
        .unwrap();
    assert_eq!(emitted, 400);
}

#[test]
fn little_input_starts_few_threads() {
    let threads = |sizes: &[usize]| {
        let test = format!("few-{}", sizes.len());
        let sources = Scratch::new(&test, sizes).sources();
        let stored = sources.iter().map(|source| source.size).sum();
        run(100, 1).jobs_for(sources.len(), stored)
    };
    assert_eq!(threads(&[1]), 1);
    assert_eq!(threads(&[1, 1, 1]), 3);
    assert!((5..100).contains(&threads(&[100, 100])));
    assert_eq!(run(100, 1).jobs_for(0, Some(0)), 1);
    assert_eq!(run(100, 1).jobs_for(1, None), 100);
    assert_eq!(run(2, 1).jobs_for(1, None), 2);
}

#[test]
fn scratch_is_made_once_a_thread() {
    let scratch = Scratch::new("scratch", &[200]);
    let sources = scratch.sources();
    for jobs in [1, 3] {
        let made = AtomicUsize::new(0);
        fold(
            &run(jobs, 1),
            &sources,
            || made.fetch_add(1, Ordering::Relaxed),
            |_, _, _| (),
            (),
            |(), ()| (),
            |_| (),
        );
        assert!((1..=jobs).contains(&made.into_inner()));
    }
}

#[test]
fn a_panic_in_a_thread_reaches_the_caller() {
    let scratch = Scratch::new("panic", &[50]);
    let sources = scratch.sources();
    for jobs in [1, 2] {
        let caught = catch_unwind(AssertUnwindSafe(|| {
            lines_of(&run(jobs, 1), &sources);
            fold(
                &run(jobs, 1),
                &sources,
                || (),
                |(), _, chunk| assert!(chunk.first_game != GameNo(7), "game seven"),
                (),
                |(), ()| (),
                |_| (),
            );
        }));
        assert!(caught.is_err(), "{jobs} jobs");
    }
}

#[test]
fn many_small_files_need_no_thread_each() {
    let scratch = Scratch::new("many", &[1; 500]);
    let sources = scratch.sources();
    let games = fold(
        &run(4, CHUNK_BYTES),
        &sources,
        || (),
        |(), _, chunk| chunk.game_count(),
        0,
        |sum, n| *sum += n,
        |end| assert!(end.error.is_none()),
    );
    assert_eq!(games, 500);
}

#[test]
fn chunks_shrink_as_the_output_grows() {
    let sizer = ChunkSizer::new(EXPANSION);
    assert_eq!(sizer.bytes(256 << 10), 16 << 10);
    assert_eq!(ChunkSizer::new(0).bytes(256 << 10), 256 << 10);
    sizer.learn(1_000, 10);
    assert_eq!(sizer.bytes(256 << 10), 256 << 10);
    assert_eq!(sizer.bytes(100), 100);
    sizer.learn(1_000, 16_500);
    assert_eq!(sizer.bytes(256 << 10), 64 << 10);
    sizer.learn(1_000, 10_000_000);
    assert_eq!(sizer.bytes(256 << 10), 4 << 10);
    assert_eq!(sizer.bytes(1), 1);
    sizer.learn(0, 0);
    assert_eq!(sizer.bytes(256 << 10), 256 << 10);
}
