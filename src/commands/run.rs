//! What the commands that read games have in common.

use std::fmt;
use std::io::{self, IsTerminal};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Instant;

use clap::{Args, ValueEnum};

use crate::commands::accounts::{AccountWords, Accounts};
use crate::commands::clashes::{Files, refuse_clashes};
use crate::commands::select::{Condition, Numbers, Selection};
use crate::commands::{Outcome, interrupt};
use crate::error::Error;
use crate::input::{CHUNK_BYTES, Chunk, InputKind, Source, expand};
use crate::notation::letters::Language;
use crate::notation::{LETTER_SETS, LetterSet};
use crate::pgn::Reader;
use crate::pipeline::{Item, Part, Run};
use crate::report::escape::Cells;
use crate::report::{Bar, Progress, Sink, Talk};
use crate::text::TagFilter;

/// Flags of every command that reads games.
#[derive(Args, Debug)]
pub(crate) struct GameFlags {
    /// Files, directories (searched for *.pgn, plain or compressed, and *.zip), or - for stdin.
    ///
    /// zstd, gzip, bzip2, xz and lzma are recognised by content, whatever the name; of a zip archive all *.pgn files are
    /// read. Without any input, stdin is read.
    #[arg(value_name = "INPUT")]
    inputs: Vec<PathBuf>,

    /// Only these games of each input, by number from 1: 3,10-20,500-
    #[arg(long = "games", value_name = "RANGES")]
    numbers: Option<Numbers>,

    /// Only games with such a tag: White=Carlsen*, ECO=/^B[0-4]/, 'WhiteElo>=2500', 'Date<2020.01.31'
    ///
    /// `*` stands for any text, a regular expression between slashes matches a part of the value, and numbers and dates
    /// are compared with <, <=, > and >=. May be given several times; all must hold.
    #[arg(long = "where", value_name = "TAG=PATTERN")]
    conditions: Vec<Condition>,

    /// Threads that work [default: all cores]
    #[arg(short, long, value_name = "N", value_parser = jobs)]
    jobs: Option<usize>,

    /// Show progress on stderr; auto: only on a terminal, and not while a pipe, such as one to a
    /// pager, takes the data
    #[arg(long, value_enum, default_value_t = When::Auto, value_name = "WHEN")]
    progress: When,

    #[command(flatten)]
    pub(crate) csv: CsvFlags,

    /// Leave out the closing line on stderr
    #[arg(short, long)]
    pub(crate) quiet: bool,

    /// Write the data to a file instead of stdout, compressed if its name ends with .gz or .zst
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum When {
    Auto,
    Always,
    Never,
}

impl From<When> for Progress {
    fn from(when: When) -> Progress {
        match when {
            When::Auto => Progress::Auto,
            When::Always => Progress::Always,
            When::Never => Progress::Never,
        }
    }
}

/// The flag of every command that writes CSV.
#[derive(Args, Debug)]
pub(crate) struct CsvFlags {
    /// In CSV, put a ' before text that a spreadsheet program would take for a formula
    #[arg(long)]
    csv_safe: bool,
}

impl CsvFlags {
    /// How texts are written into cells.
    pub(crate) fn cells(&self) -> Cells {
        match self.csv_safe {
            true => Cells::Safe,
            false => Cells::Exact,
        }
    }
}

/// Flags of every command that plays the moves of games.
#[derive(Args, Debug)]
pub(crate) struct LetterFlags {
    #[arg(long, value_name = "SET", value_parser = letters, help = letters_help())]
    piece_letters: Option<&'static LetterSet>,
}

impl LetterFlags {
    /// A reader that reads moves in these letters.
    pub(crate) fn reader(&self) -> Reader {
        Reader::new().in_letters(self.piece_letters)
    }
}

fn letters(name: &str) -> Result<&'static LetterSet, String> {
    LetterSet::named(name).ok_or_else(|| {
        let names = languages().map(|language| language.name.to_lowercase());
        let names: Vec<_> = names.collect();
        format!("no such letters; there are {}", names.join(", "))
    })
}

fn letters_help() -> String {
    let languages = languages().map(|language| format!("{} ({})", language.name, language.code));
    format!(
        "Read the moves in the letters of a language, given by name or ISO code; otherwise they are English, or those \
         in which every move of a game is legal where it is not in English: {}",
        languages.collect::<Vec<_>>().join(", ")
    )
}

fn languages() -> impl Iterator<Item = &'static Language> {
    LETTER_SETS.iter().flat_map(|set| set.languages)
}

/// More threads than this are a slip of the finger.
const MOST_JOBS: usize = 1024;

/// Reads the number of a `-j`.
pub(crate) fn jobs(number: &str) -> Result<usize, String> {
    number
        .parse()
        .ok()
        .filter(|jobs| (1..=MOST_JOBS).contains(jobs))
        .ok_or_else(|| format!("not a number of threads from 1 to {MOST_JOBS}"))
}

/// The number of threads a `-j` asks for; without it, one for each core.
pub(crate) fn threads(jobs: Option<usize>) -> usize {
    jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, NonZeroUsize::get))
}

/// A command at work on games: its sources, its output and what has been seen so far.
pub(crate) struct Job {
    pub(crate) talk: Talk,
    pub(crate) sink: Sink,
    sources: Vec<Source>,
    /// Why inputs are not among the sources.
    refused: Vec<Error>,
    run: Run,
    written_if: WrittenIf,
    outlives_stdout: bool,
    words: AccountWords,
    started: Instant,
    /// Whether an input could not be read.
    failed: bool,
    interrupted: bool,
    /// What was found in the sources.
    found: Found,
}

/// What was found in sources: what was read of them has to be there again when the games have been judged.
#[derive(Default)]
struct Found {
    games: u64,
    /// Games that were not chosen.
    skipped: u64,
    /// Bytes of text that were read.
    read: u64,
    /// Those of them that belong to no game; an error of the source says why.
    outside: u64,
    /// Those of games that the threads have handed back, judged or not chosen.
    judged: u64,
}

/// What a command asks for beyond its flags.
#[derive(Default)]
pub(crate) struct Wishes<'a> {
    /// What is read instead of the inputs.
    pub(crate) given: Option<Source>,
    /// When a file named by `--output` is replaced.
    pub(crate) written_if: WrittenIf,
    /// Whether the run goes on when stdout is closed, as it has something else to write.
    pub(crate) outlives_stdout: bool,
    /// Files beside the inputs and `--output`.
    pub(crate) files: Files<'a>,
}

/// When a file named by `--output` is replaced; otherwise it stays as it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum WrittenIf {
    /// A game could be read.
    #[default]
    Readable,
    /// There was a game, readable or not.
    Seen,
    /// Always: it also says which inputs cannot be read.
    Always,
}

/// Why the work ends before the last game.
enum Stop {
    Failed(Error),
    Interrupted,
    /// The reader of stdout has all that was wanted.
    Closed,
}

impl From<Error> for Stop {
    fn from(error: Error) -> Stop {
        Stop::Failed(error)
    }
}

impl Job {
    /// Finds the sources, which hold games, and opens the output.
    pub(crate) fn begin(flags: &GameFlags) -> Result<Job, Error> {
        Job::begin_beside(flags, Files::default())
    }

    /// As [`Job::begin`], for a command that writes other files too.
    pub(crate) fn begin_beside(flags: &GameFlags, files: Files<'_>) -> Result<Job, Error> {
        let wishes = Wishes {
            files,
            ..Wishes::default()
        };
        Job::begin_with(flags, wishes, |_| InputKind::Pgn)
    }

    /// Finds the sources and opens the output. `form` says what a source holds.
    pub(crate) fn begin_with(
        flags: &GameFlags,
        wishes: Wishes<'_>,
        form: impl Fn(&Source) -> InputKind,
    ) -> Result<Job, Error> {
        let started = Instant::now();
        let (sources, errors) = if let Some(given) = wishes.given {
            (vec![given], Vec::new())
        } else if flags.inputs.is_empty() {
            if io::stdin().is_terminal() {
                return Err(Error::usage(
                    "no input: name files or directories, or pipe games to stdin",
                ));
            }
            expand(&[PathBuf::from("-")])
        } else {
            expand(&flags.inputs)
        };
        let sources: Vec<Source> = sources
            .into_iter()
            .map(|source| {
                let form = form(&source);
                source.with_kind(form)
            })
            .collect();
        refuse_clashes(flags.output.as_deref(), &wishes.files, &sources)?;
        let bar = Bar::new(flags.progress.into(), flags.output.is_none());
        let talk = Talk::new(flags.quiet, bar.clone());
        let sink = Sink::open(flags.output.as_deref(), bar.clone())?;
        interrupt::report_to(&talk, unit_of(&sources));
        for error in &errors {
            talk.error(error);
        }
        Ok(Job {
            talk,
            sink,
            sources,
            failed: !errors.is_empty(),
            refused: errors,
            run: Run {
                jobs: threads(flags.jobs),
                bar,
                selection: Selection::new(flags.numbers.clone(), flags.conditions.clone()),
                ..Run::default()
            },
            written_if: wishes.written_if,
            outlives_stdout: wishes.outlives_stdout,
            words: AccountWords::CHECKED,
            started,
            interrupted: false,
            found: Found::default(),
        })
    }

    /// Has less text worked at in one piece, for a command that writes many times what it reads: what is written of a chunk
    /// is kept until it is its turn, and should fit the processor's nearer caches.
    pub(crate) fn in_small_chunks(mut self) -> Job {
        self.run.chunk_bytes = CHUNK_BYTES / 8;
        self
    }

    /// Closes with other words for the games that could be read.
    pub(crate) fn in_words(mut self, words: AccountWords) -> Job {
        self.words = words;
        self
    }

    /// For work that does not ask for the numbers and lines of games, and of their tags only for the `wanted`.
    pub(crate) fn tags_only(mut self, wanted: TagFilter) -> Job {
        self.run = self.run.tags_only(wanted);
        self
    }

    /// Says why the run has not done what it was asked for, though everything was read.
    pub(crate) fn refuse(&mut self, reason: &dyn fmt::Display) {
        self.talk.error(reason);
        self.failed = true;
        self.sink.discard_file();
    }

    /// What will be read.
    pub(crate) fn sources(&self) -> &[Source] {
        &self.sources
    }

    /// Why inputs are not among the sources, each of which has been said, and where to write of them.
    pub(crate) fn refused(&mut self) -> (&[Error], &mut Sink) {
        (&self.refused, &mut self.sink)
    }

    /// Whether all inputs have been read to their ends so far.
    pub(crate) fn is_complete(&self) -> bool {
        !self.failed && !self.interrupted
    }

    /// Whether the user asked for an end before it was reached.
    pub(crate) fn is_interrupted(&self) -> bool {
        self.interrupted
    }

    /// Does `work` on every chunk, on all threads, and hands what it returns to `emit` in file order. `weigh` says how much
    /// memory that takes up, in bytes, where it may be much.
    pub(crate) fn work<S: Send, T: Send>(
        &mut self,
        scratch: impl Fn() -> S + Sync,
        work: impl Fn(&mut S, &Source, &Chunk) -> T + Sync,
        weigh: impl Fn(&T) -> usize + Sync,
        mut emit: impl FnMut(&mut Sink, &Talk, Part<T>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.work_through(scratch, work, weigh, |sink, talk, item| match item {
            Item::Part(part) => emit(sink, talk, part),
            Item::End(_) => Ok(()),
        })
    }

    /// As [`Job::work`], and tells of the end of each source, whose error has been said.
    pub(crate) fn work_through<S: Send, T: Send>(
        &mut self,
        scratch: impl Fn() -> S + Sync,
        work: impl Fn(&mut S, &Source, &Chunk) -> T + Sync,
        weigh: impl Fn(&T) -> usize + Sync,
        mut emit: impl FnMut(&mut Sink, &Talk, Item<T>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let Job {
            talk,
            sink,
            sources,
            run,
            failed,
            found,
            outlives_stdout,
            ..
        } = self;
        let outcome = run.in_order_weighed(sources, scratch, work, weigh, |item| {
            if interrupt::asked() {
                return Err(Stop::Interrupted);
            }
            let games = match &item {
                Item::Part(part) => part.games - part.skipped,
                Item::End(_) => 0,
            };
            match &item {
                Item::Part(part) => {
                    found.games += part.found;
                    found.skipped += part.skipped;
                    found.judged += part.bytes;
                }
                Item::End(end) => {
                    found.games += end.games;
                    found.read += end.read;
                    if let Some(error) = &end.error {
                        found.outside += end.read - end.bytes;
                        *failed = true;
                        talk.error(error);
                    }
                }
            }
            emit(sink, talk, item)?;
            interrupt::done(games);
            if sink.is_closed() && !*outlives_stdout {
                return Err(Stop::Closed);
            }
            Ok(())
        });
        if let Err(Stop::Failed(error)) = outcome {
            return Err(error);
        }
        // Also where the signal came with the last games: nothing else tells whoever sent it.
        self.interrupted = interrupt::asked();
        Ok(())
    }

    /// How the command ends, as things are now.
    pub(crate) fn outcome(&self, accounts: Accounts, reported: bool) -> Outcome {
        // Games that come after a pipe was closed are not known.
        let readable = accounts.seen() > accounts.unreadable || self.stops_early();
        if !self.is_complete() || !readable {
            Outcome::NotDone
        } else if reported {
            Outcome::Reported
        } else {
            Outcome::Done
        }
    }

    /// Whether an input could not be read, which has been said.
    pub(crate) fn has_failed(&self) -> bool {
        self.failed
    }

    /// Whether the run ended when its reader closed the pipe.
    fn stops_early(&self) -> bool {
        self.sink.is_closed() && !self.outlives_stdout
    }

    /// Ends the output of a command that is about one game, without an account of all.
    pub(crate) fn close_one(mut self, outcome: Outcome) -> Result<Outcome, Error> {
        if self.interrupted || interrupt::asked() {
            self.sink.discard_file();
            interrupt::say_done();
            return Ok(Outcome::NotDone);
        }
        self.sink.finish()?;
        Ok(if self.failed {
            Outcome::NotDone
        } else {
            outcome
        })
    }

    /// Ends the output; a file is replaced unless there is nothing to put in its place.
    pub(crate) fn end_output(&mut self, accounts: Accounts) -> Result<(), Error> {
        let is_written = match self.written_if {
            WrittenIf::Readable => accounts.seen() > accounts.unreadable,
            WrittenIf::Seen => accounts.seen() > 0,
            WrittenIf::Always => true,
        };
        if self.interrupted || !is_written {
            self.sink.discard_file();
        }
        self.sink.finish()
    }

    /// Ends the output, gives the account of the games after what else there is to say, and tells how the command ended.
    pub(crate) fn close(
        mut self,
        accounts: Accounts,
        reported: bool,
        summary: Option<&str>,
    ) -> Result<Outcome, Error> {
        let outcome = self.outcome(accounts, reported);
        let unit = unit_of(&self.sources);
        self.end_output(accounts)?;
        if self.interrupted {
            interrupt::say_done();
            return Ok(outcome);
        }
        if self.stops_early() {
            return Ok(outcome);
        }
        if let Some(summary) = summary {
            self.talk.remark(&summary);
        }
        let found = self.found;
        if accounts.seen() + found.skipped != found.games {
            return Err(Error::Internal(format!(
                "{} games were found but {} judged",
                found.games - found.skipped,
                accounts.seen()
            )));
        }
        if found.judged + found.outside != found.read {
            return Err(Error::Internal(format!(
                "{} bytes were read, but {} judged and {} left out",
                found.read, found.judged, found.outside
            )));
        }
        let outside = match found.outside {
            0 => String::new(),
            outside => format!(" + {outside} outside of games"),
        };
        let seconds = self.started.elapsed().as_secs_f64();
        let aside = match found.skipped {
            0 => String::new(),
            1 => " (1 other not chosen)".to_owned(),
            aside => format!(" ({aside} others not chosen)"),
        };
        self.talk.remark(&format_args!(
            "{}s: {} seen{aside} = {}; {} bytes{outside}; {seconds:.3} s; {:.0} {}s/s",
            unit,
            accounts.seen(),
            accounts.sum(self.words),
            found.judged,
            accounts.seen() as f64 / seconds.max(1e-9),
            unit,
        ));
        if accounts.seen() == 0 && found.skipped > 0 {
            self.talk
                .error(&format_args!("no {unit} is chosen by --games and --where"));
        } else if found.games == 0 && !self.failed {
            self.talk
                .error(&"no game found: there is no `.pgn` file in any archive");
        } else if accounts.seen() == accounts.unreadable && found.games > 0 {
            self.talk
                .error(&format_args!("no {unit} can be read in what was found"));
        }
        Ok(outcome)
    }
}

/// What the sources hold, as one word: games, where there are both.
fn unit_of(sources: &[Source]) -> &'static str {
    let holds_games = |source: &Source| source.kind() == InputKind::Pgn;
    let positions_only = !sources.is_empty() && !sources.iter().any(holds_games);
    if positions_only {
        InputKind::Fen
    } else {
        InputKind::Pgn
    }
    .unit()
}
