//! Harness of the commands that read games: sources, output, signals, progress and accounting.

use std::fmt;
use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::time::Instant;

use crate::commands::accounts::{AccountWords, Accounts, CHECKED, InputTotals, unit_of};
use crate::commands::args::{GameArgs, OtherFiles, refuse_clashes, threads};
use crate::commands::config::Config;
use crate::commands::follow::{Follow, FollowPass, Latest};
use crate::commands::output::{Outcome, Output};
use crate::commands::pass::{HeldChunk, Pass, StopCause};
use crate::commands::select::Selection;
use crate::commands::texts::Texts;
use crate::commands::{interrupt, parts};
use crate::error::Error;
use crate::input::{ByteNotes, CHUNK_BYTES, Chunk, InputKind, InputPart, Source, expand};
use crate::pipeline::{Item, Part, Run};
use crate::report::{Log, Measure, Sink};

/// Run of a command over games: sources, output, and totals so far.
pub(crate) struct CommandRun {
    pub(crate) output: Output,
    pub(crate) sources: Vec<Source>,
    /// Errors of inputs that are not among the sources, all reported.
    pub(crate) refused: Vec<Error>,
    pub(crate) run: Run,
    pub(crate) selection: Selection,
    replace_if: ReplaceIf,
    outlives_stdout: bool,
    /// The part of the inputs that is read, if it is not all of them. It need not hold a game.
    pub(crate) part: Option<InputPart>,
    /// Words of the closing line.
    pub(crate) words: AccountWords,
    /// Settings of a file that are in force, for the closing lines.
    settings: Option<String>,
    /// True if an input could not be read, which has been reported.
    pub(crate) failed: bool,
    /// True if a signal ended the run.
    pub(crate) interrupted: bool,
    follow: Option<Follow>,
    /// True if the first pass has begun. A file that is followed may have no text yet.
    has_begun: bool,
    /// The pass over a followed file, and the totals of those before.
    pass: FollowPass,
    of_files: Latest<InputTotals>,
    may_be_empty: bool,
    /// Totals of the pass that reports.
    pub(crate) totals: InputTotals,
    /// Texts of the last pass over all games.
    pub(crate) texts: Texts,
    /// All chunks, if a pass before the one that reports has read and kept them.
    pub(crate) held: Option<Vec<Item<HeldChunk>>>,
}

/// Options of a run beyond those of the command line.
#[derive(Default)]
pub(crate) struct RunOptions<'a> {
    /// Source read instead of the inputs.
    pub(crate) given: Option<Source>,
    /// Paths read instead of those of the command line.
    pub(crate) paths: Option<Vec<PathBuf>>,
    /// True if a file without any text is one without games.
    pub(crate) may_be_empty: bool,
    /// Condition for replacing the file of `--output`.
    pub(crate) replace_if: ReplaceIf,
    /// True if no game or line number is needed, other than for `--games`.
    pub(crate) unnumbered: bool,
    /// True if the run continues after stdout is closed, as it writes something else.
    pub(crate) outlives_stdout: bool,
    /// True if the inputs are read again whenever they change.
    pub(crate) follows: bool,
    /// True if `--output` names several files, which the command opens.
    pub(crate) splits: bool,
    /// Files other than the inputs and `--output`.
    pub(crate) files: OtherFiles<'a>,
}

/// Condition for replacing the file of `--output`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum ReplaceIf {
    /// A game could be read.
    #[default]
    Readable,
    /// There was a game, readable or not.
    Seen,
    /// Always: the output also reports inputs that cannot be read.
    Always,
}

impl CommandRun {
    /// Finds the sources, all PGN, and opens the output. `files` are others that the command uses.
    pub(crate) fn begin(
        args: &GameArgs,
        config: &Config,
        files: OtherFiles<'_>,
    ) -> Result<CommandRun, Error> {
        let options = RunOptions {
            files,
            ..RunOptions::default()
        };
        CommandRun::begin_with(args, config, options, |_| InputKind::Pgn)
    }

    /// Finds the sources, of the given forms, and opens the output.
    pub(crate) fn begin_with(
        args: &GameArgs,
        config: &Config,
        options: RunOptions<'_>,
        form: impl Fn(&Source) -> InputKind,
    ) -> Result<CommandRun, Error> {
        let started = Instant::now();
        let search = args.search(config)?;
        let (mut sources, mut errors) = if let Some(given) = options.given {
            (vec![given], Vec::new())
        } else if let Some(paths) = &options.paths {
            expand(paths, &search)
        } else if args.inputs.is_empty() {
            if io::stdin().is_terminal() {
                return Err(Error::usage(
                    "no input: name files or directories, or pipe games to stdin",
                ));
            }
            expand(&[PathBuf::from("-")], &search)
        } else {
            expand(&args.inputs, &search)
        };
        if options.follows {
            // Games may come.
            errors.retain(|error| !matches!(error, Error::NoGames { .. }));
        }
        for source in &mut sources {
            source.kind = form(source);
        }
        refuse_clashes(args, &options.files, &sources)?;
        let numbered = !options.unnumbered || args.numbers.is_some();
        let sources = parts::select(args, sources, numbered)?;
        let selection = args.selection(config)?;
        let path = args.run.file().filter(|_| !options.splits);
        let mut output = Output {
            started,
            ..Output::open(&args.run, path, unit_of(&sources))?
        };
        let follow = match options.follows {
            true => Follow::new(&args.inputs, search, &sources, &errors)?,
            false => None,
        };
        let jobs = match follow {
            Some(_) => 1,
            None => threads(args.run.jobs),
        };
        let follows = args.part.is_some_and(|part| part.number() > 1) && !options.unnumbered;
        output.sink.set_up(jobs, follows);
        for error in &errors {
            output.log.error(error);
        }
        let may_be_empty = options.may_be_empty || follow.is_some();
        if sources.is_empty() && errors.is_empty() && !may_be_empty {
            output.log.remark(&"note: all inputs are excluded");
        }
        Ok(CommandRun {
            output,
            sources,
            failed: !errors.is_empty(),
            refused: errors,
            run: Run {
                jobs,
                ..Run::default()
            },
            selection,
            replace_if: match args.part {
                Some(_) => ReplaceIf::Always,
                None => options.replace_if,
            },
            part: args.part,
            outlives_stdout: options.outlives_stdout,
            words: CHECKED,
            settings: config.note(),
            interrupted: false,
            follow,
            has_begun: false,
            pass: FollowPass::default(),
            of_files: Latest::default(),
            may_be_empty: options.may_be_empty,
            totals: InputTotals::default(),
            texts: Texts::default(),
            held: None,
        })
    }

    /// Begins a pass over the sources: the only one, or one for each text of a followed file.
    pub(crate) fn begin_pass(&mut self) -> Option<FollowPass> {
        let Some(follow) = &mut self.follow else {
            let is_first = !std::mem::replace(&mut self.has_begun, true);
            return is_first.then(FollowPass::default);
        };
        self.texts = Texts::default();
        if self.has_begun {
            self.of_files.set(&self.pass, self.totals);
        }
        let CommandRun { output, failed, .. } = self;
        let next = follow.next_pass(&mut output.sink, |error| {
            output.log.error(&error);
            *failed = true;
        });
        match next {
            Ok(Some((pass, sources))) => {
                (self.has_begun, self.sources) = (true, sources);
                self.pass = pass.clone();
                return Some(pass);
            }
            Ok(None) => {}
            Err(error) => self.fail(&error),
        }
        self.totals = self.of_files.clone().into_sum();
        None
    }

    /// Reads no file again.
    pub(crate) fn end_follow(&mut self) {
        (self.follow.iter_mut()).for_each(|follow| follow.has_ended = true);
    }

    /// Uses smaller chunks: this command's output is much larger than its input and is buffered
    /// until emitted.
    pub(crate) fn use_small_chunks(&mut self) {
        self.run.chunk_bytes = CHUNK_BYTES / 8;
    }

    /// Declares that the work needs neither line numbers nor notes on bytes.
    pub(crate) fn tags_only(mut self) -> CommandRun {
        self.run = self.run.tags_only();
        self
    }

    /// Reports why the command fails although everything was read.
    pub(crate) fn refuse(&mut self, reason: &dyn fmt::Display) {
        self.fail(reason);
        self.output.sink.discard_file();
    }

    /// Reports why an input could not be processed.
    pub(crate) fn fail(&mut self, reason: &dyn fmt::Display) {
        self.output.log.error(reason);
        self.failed = true;
    }

    /// True if all inputs have been read to their ends so far.
    pub(crate) fn is_complete(&self) -> bool {
        !self.failed && !self.interrupted
    }

    /// Runs `work` on every chunk, on all threads, and passes its results to `emit` in input order.
    /// `weigh` is the memory of a result, in bytes, where it may be large.
    pub(crate) fn work<S: Send, T: Send + 'static>(
        &mut self,
        scratch: impl Fn() -> S + Sync,
        work: impl Fn(&mut S, &Source, &Chunk) -> T + Sync,
        weigh: impl Fn(&T) -> usize + Sync,
        mut emit: impl FnMut(&mut Sink, &Log, Part<T>) -> Result<(), Error>,
    ) -> Result<Vec<S>, Error> {
        let work = |state: &mut S, source: &Source, chunk: &Chunk, _: &ByteNotes| {
            work(state, source, chunk)
        };
        self.work_through(scratch, work, weigh, |sink, log, item| match item {
            Item::Part(part) => emit(sink, log, part),
            Item::End(_) => Ok(()),
        })
    }

    /// Like [`CommandRun::work`], but passes the notes on each chunk to `work`, and also emits the
    /// end of each source, whose error is reported.
    pub(crate) fn work_through<S: Send, T: Send + 'static>(
        &mut self,
        scratch: impl Fn() -> S + Sync,
        work: impl Fn(&mut S, &Source, &Chunk, &ByteNotes) -> T + Sync,
        weigh: impl Fn(&T) -> usize + Sync,
        mut emit: impl FnMut(&mut Sink, &Log, Item<T>) -> Result<(), Error>,
    ) -> Result<Vec<S>, Error> {
        let CommandRun {
            output: Output { log, sink, bar, .. },
            sources,
            run,
            selection,
            failed,
            may_be_empty,
            totals,
            texts,
            outlives_stdout,
            part,
            held,
            ..
        } = self;
        (*totals, *texts) = (InputTotals::default(), Texts::default());
        let pass = Pass {
            run,
            bar,
            sources,
            measure: Measure::Bytes,
            held: held.take(),
        };
        let work = |state: &mut S, source: &Source, chunk: &mut Chunk, notes: &ByteNotes| {
            selection.apply(chunk);
            work(state, source, chunk, notes)
        };
        let states = pass.read(scratch, work, weigh, |mut item| {
            let mut games = 0;
            match &mut item {
                Item::Part(part) => {
                    games = part.games - part.skipped;
                    totals.add(part);
                    texts.enter(part);
                }
                Item::End(end) => {
                    totals.end(end);
                    if let Some(error) = &mut end.error {
                        if let Error::NoGames {
                            is_empty, is_note, ..
                        } = error
                        {
                            let is_one_of_several = sources.len() > 1 || *may_be_empty;
                            *is_note = part.is_some() || *is_empty && is_one_of_several;
                        }
                        if !error.is_note() {
                            *failed = true;
                            log.error(error);
                        } else if part.is_some() {
                            log.remark(&format_args!("note: {error}"));
                        } else if !*may_be_empty {
                            log.note(&format_args!("note: {error}"));
                        }
                    }
                }
            }
            emit(sink, log, item)?;
            interrupt::done(games);
            if sink.is_closed() && !*outlives_stdout {
                return Err(StopCause::Asked);
            }
            Ok(())
        })?;
        // A signal that arrives with the last games is reported too.
        self.interrupted = interrupt::asked() && self.follow.is_none();
        let is_partial = self.interrupted || self.stops_early() || self.follow.is_some();
        self.selection.wanted.report(&self.output.log, is_partial);
        Ok(states)
    }

    /// Outcome of the command so far.
    pub(crate) fn outcome(&self, accounts: Accounts, reported: bool) -> Outcome {
        // Games after the end of a closed pipe are unknown, a followed file may have none yet,
        // and `--force-exclude` may leave no input.
        let readable = accounts.seen() > accounts.unreadable
            || self.stops_early()
            || self.part.is_some()
            || self.follow.is_some()
            || self.sources.is_empty() && self.refused.is_empty();
        if !self.is_complete() || !readable {
            Outcome::NotDone
        } else if reported {
            Outcome::Reported
        } else {
            Outcome::Done
        }
    }

    /// True if the run ended when its reader closed the pipe.
    fn stops_early(&self) -> bool {
        self.output.sink.is_closed() && !self.outlives_stdout
    }

    /// Ends the output of a command about one game, without the closing line.
    pub(crate) fn close_one(mut self, outcome: Outcome) -> Result<Outcome, Error> {
        if self.interrupted || interrupt::asked() {
            self.output.sink.discard_file();
            interrupt::say_done();
            return Ok(Outcome::NotDone);
        }
        self.output.sink.finish()?;
        Ok(match self.failed {
            true => Outcome::NotDone,
            false => outcome,
        })
    }

    /// Ends the output; replaces a file if [`ReplaceIf`] holds.
    pub(crate) fn end_output(&mut self, accounts: Accounts) -> Result<(), Error> {
        let is_written = match self.replace_if {
            _ if self.follow.is_some() => self.has_begun || !self.failed,
            ReplaceIf::Readable => accounts.seen() > accounts.unreadable,
            ReplaceIf::Seen => accounts.seen() > 0,
            ReplaceIf::Always => true,
        };
        if self.interrupted || !is_written {
            self.output.sink.discard_file();
        }
        self.output.sink.finish()
    }

    /// Ends the output, prints the summary and the closing line, and returns the outcome.
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
        let totals = self.totals;
        if accounts.seen() == 0 && totals.skipped == 0 && self.failed {
            return Ok(outcome);
        }
        let settings = self.settings.as_deref();
        for line in settings.into_iter().chain(summary).flat_map(str::lines) {
            self.output.log.remark(&line);
        }
        totals.check(accounts)?;
        let speed = self.output.speed(accounts.seen() as f64, unit);
        let line = totals.line(accounts, self.words);
        (self.output.log).remark(&format_args!("{unit}s: {line} {speed}"));
        if self.part.is_some() || outcome != Outcome::NotDone {
            return Ok(outcome);
        }
        if accounts.seen() == 0 && totals.skipped > 0 {
            self.output.log.error(&self.selection.none_chosen(unit));
        } else if totals.games == 0 && !self.failed {
            self.output.log.error(&"no game found in any input");
        } else if accounts.seen() == accounts.unreadable && totals.games > 0 {
            self.output
                .log
                .error(&format_args!("no {unit} can be read in what was found"));
        }
        Ok(outcome)
    }
}
