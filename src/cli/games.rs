//! What the commands that read games have in common.

use std::io::{self, IsTerminal};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::{Args, ValueEnum};

use super::Outcome;
use crate::error::Error;
use crate::input::{CHUNK_BYTES, Chunk, Source, expand};
use crate::judge::report::Accounts;
use crate::output::{Bar, Progress, Sink, Talk};
use crate::pipeline::{Item, Part, Run};

/// Flags of every command that reads games.
#[derive(Args, Debug)]
pub(super) struct GameFlags {
    /// Files, directories (searched for *.pgn, *.pgn.zst and *.pgn.gz), or - for stdin.
    ///
    /// zstd and gzip are recognised by content, whatever the name. Without any input, stdin is read.
    #[arg(value_name = "INPUT")]
    inputs: Vec<PathBuf>,

    /// Threads that work [default: all cores]
    #[arg(short, long, value_name = "N")]
    jobs: Option<NonZeroUsize>,

    /// Show progress on stderr; auto: only on a terminal
    #[arg(long, value_enum, default_value_t = When::Auto, value_name = "WHEN")]
    progress: When,

    /// Leave out the closing line on stderr
    #[arg(short, long)]
    quiet: bool,

    /// Write the data to a file instead of stdout
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(super) enum When {
    Auto,
    Always,
    Never,
}

/// The number of threads a `-j` asks for.
pub(super) fn threads(jobs: Option<NonZeroUsize>) -> usize {
    jobs.or_else(|| std::thread::available_parallelism().ok())
        .map_or(1, NonZeroUsize::get)
}

/// A command at work on games: its sources, its output and what has been seen so far.
pub(super) struct Job {
    pub(super) talk: Talk,
    pub(super) sink: Sink,
    sources: Vec<Source>,
    run: Run,
    started: Instant,
    /// Whether an input could not be read.
    failed: bool,
    games: u64,
    bytes: u64,
}

impl Job {
    /// Finds the sources and opens the output.
    pub(super) fn begin(flags: &GameFlags) -> Result<Job, Error> {
        let started = Instant::now();
        let (sources, errors) = if flags.inputs.is_empty() {
            if io::stdin().is_terminal() {
                return Err(Error::NoInput);
            }
            expand(&[PathBuf::from("-")])
        } else {
            expand(&flags.inputs)
        };
        if let Some(output) = &flags.output {
            refuse_overwriting(output, &sources)?;
        }
        let bar = Bar::new(match flags.progress {
            When::Auto => Progress::Auto,
            When::Always => Progress::Always,
            When::Never => Progress::Never,
        });
        let talk = Talk::new(flags.quiet, bar.clone());
        let sink = Sink::open(flags.output.as_deref(), bar.clone())?;
        for error in &errors {
            talk.error(error);
        }
        Ok(Job {
            talk,
            sink,
            sources,
            run: Run {
                jobs: threads(flags.jobs),
                chunk_bytes: CHUNK_BYTES,
                bar,
            },
            started,
            failed: !errors.is_empty(),
            games: 0,
            bytes: 0,
        })
    }

    /// Does `work` on every chunk, on all threads, and hands what it returns to `emit` in file order, together with how
    /// many lines of the source end before the chunk.
    pub(super) fn work<S: Send, T: Send>(
        &mut self,
        scratch: impl Fn() -> S + Sync,
        work: impl Fn(&mut S, &Source, &Chunk) -> T + Sync,
        mut emit: impl FnMut(&mut Sink, &Talk, Part<'_, T>, u64) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let Job {
            talk,
            sink,
            sources,
            run,
            failed,
            games,
            bytes,
            ..
        } = self;
        let mut lines = 0;
        run.in_order(sources, scratch, work, |item| match item {
            Item::Part(part) => {
                let before = lines;
                lines += part.lines;
                emit(sink, talk, part, before)
            }
            Item::End(end) => {
                lines = 0;
                *games += end.games;
                *bytes += end.bytes;
                if let Some(error) = end.error {
                    *failed = true;
                    talk.error(&error);
                }
                Ok(())
            }
        })
    }

    /// Ends the output, gives the account of the games after what else there is to say, and tells how the command ended.
    pub(super) fn close(
        self,
        accounts: Accounts,
        reported: bool,
        summary: Option<&str>,
    ) -> Result<Outcome, Error> {
        self.sink.finish()?;
        if let Some(summary) = summary {
            self.talk.remark(&summary);
        }
        if accounts.seen() != self.games {
            return Err(Error::Accounts {
                seen: self.games,
                judged: accounts.seen(),
            });
        }
        let seconds = self.started.elapsed().as_secs_f64();
        self.talk.remark(&format_args!(
            "games: {} seen = {} clean + {} with findings + {} unreadable; {} bytes; {seconds:.3} s; {:.0} games/s",
            accounts.seen(),
            accounts.clean,
            accounts.with_findings,
            accounts.unreadable,
            self.bytes,
            accounts.seen() as f64 / seconds.max(1e-9),
        ));
        Ok(if self.failed || self.games == 0 {
            Outcome::NotDone
        } else if reported {
            Outcome::Reported
        } else {
            Outcome::Done
        })
    }
}

fn refuse_overwriting(output: &Path, sources: &[Source]) -> Result<(), Error> {
    let Ok(output) = output.canonicalize() else {
        // What does not exist cannot be an input.
        return Ok(());
    };
    let same = |source: &&Source| {
        source
            .path()
            .and_then(|path| path.canonicalize().ok())
            .is_some_and(|path| path == output && path.is_file())
    };
    match sources.iter().find(same) {
        Some(source) => Err(Error::OutputIsInput {
            path: source.name().to_owned(),
        }),
        None => Ok(()),
    }
}
