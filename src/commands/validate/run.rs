//! The check of games: findings, a baseline, clean and rejected games, duplicates.

use crate::commands::accounts::{Accounts, unit_of};
use crate::commands::follow::Latest;
use crate::commands::output::{Outcome, Output};
use crate::commands::run::CommandRun;
use crate::commands::split::Split;
use crate::commands::texts::refuse_changed;
use crate::commands::validate::baseline::{self, NewBaseline};
use crate::commands::validate::check::{CheckedChunk, ChunkCheck};
use crate::commands::validate::duplicates::{self, DuplicateSearch};
use crate::commands::validate::formats::{
    CheckFormat, Concise, FindingFormat, Human, ReportOptions, any_fails,
};
use crate::commands::validate::reporting::Reporting;
use crate::commands::validate::settings::{PER_CODE_ON_TERMINAL, Settings};
use crate::commands::validate::tally::MostShown;
use crate::commands::validate::worker::Worker;
use crate::commands::validate::{CheckArgs, statistics};
use crate::error::Error;
use crate::findings::fix::GameFixer;
use crate::pipeline::Item;
use crate::replay::Reader;
use crate::report::append;

/// Checks the games of a run.
pub(crate) fn run(
    flags: &CheckArgs,
    mut run: CommandRun,
    settings: &Settings,
    reader: &(dyn Fn() -> Reader + Sync),
) -> Result<Outcome, Error> {
    let recorded = flags.write_baseline.as_deref();
    let recorded = recorded.map(NewBaseline::create).transpose()?;
    // `--write-baseline` prints none without `--output`.
    let only_records = recorded.is_some() && run.output.sink.file().is_none();
    let mut reporting = flags.reporting(&run, settings, only_records)?;
    reporting.recorded = recorded;
    let compares = duplicates::are_wanted(&flags.games, &settings.checks, &run.sources)?;
    if compares && flags.follow {
        return Err(Error::usage("`--follow` cannot look for duplicates"));
    }
    let mut split = flags.split.open(&run, &flags.games, compares)?;
    let mut work = ChunkCheck {
        settings,
        known: None,
        splits: split.is_some(),
        split_by: flags.split.by.split_by.as_ref(),
        names_games: flags.format.needs().whole_files,
    };
    let search = DuplicateSearch {
        checks: &settings.checks,
        check: &|worker, text, notes, source| {
            let checks = &*settings.checks_of(source);
            let status = work.check_game(text, notes, source, checks, worker);
            (status, work.is_faulty(status, &worker.findings))
        },
        keep: flags.keep,
        worker: &|| Worker::new(reader()),
    };
    let known = compares.then(|| search.find(&mut run)).transpose()?;
    work.known = known.as_ref();
    let is_part = flags.games.part.is_some();
    let may_write = flags.format.needs().a_document || is_part || flags.follow;
    let writes = may_write || !run.sources.is_empty();
    let writes = writes && !only_records;
    let has_repairs = writes && flags.format.needs().repairs;
    if writes {
        reporting.format.begin(&mut run.output.sink)?;
    }
    (run.refused.iter()).for_each(|error| reporting.unreadable(error));
    reporting.write(&mut run.output.sink)?;
    let mut accounts = Latest::default();
    while let Some(pass) = run.begin_pass() {
        reporting.accounts = Accounts::default();
        reporting.pass = pass.clone();
        run.work_through(
            || Worker {
                fixer: has_repairs.then(|| GameFixer::new(reader(), false, false)),
                pass: pass.clone(),
                ..Worker::new(reader())
            },
            |worker, source, chunk, notes| work.check(chunk, notes, source, worker),
            CheckedChunk::weight,
            |sink, _, item| {
                if let Item::Part(part) = &item
                    && let (Some(split), Some(chunk)) = (&mut split, &part.value.chunk)
                {
                    split.write(chunk, &part.value.pieces, &part.source)?;
                }
                reporting.enter(item, sink)
            },
        )?;
        accounts.set(&pass, reporting.accounts);
    }
    reporting.accounts = accounts.into_sum();
    if compares {
        refuse_changed(&run.sources, true)?;
    }
    split.iter().for_each(|split| split.report(&mut run));
    // The run may be interrupted within a source.
    reporting.tally.end_of_source();
    let failed = any_fails(settings.fail_on, reporting.tally.counts);
    let failed = failed && reporting.recorded.is_none();
    if writes {
        reporting.finish(&mut run, failed)?;
    }
    close(flags, run, reporting, split, failed)
}

/// Moves the files to their places, and prints the closing lines.
fn close(
    flags: &CheckArgs,
    mut run: CommandRun,
    reporting: Reporting,
    split: Option<Split>,
    failed: bool,
) -> Result<Outcome, Error> {
    let mut summary = reporting.summary();
    let closing_lines = flags.closing_lines(&run, &reporting);
    let accounts = reporting.accounts;
    if let Some(recorded) = reporting.recorded {
        summary += &match run.is_complete() {
            true => format!("\nbaseline: {} written", recorded.write()?),
            false => "\nbaseline: not written, as not all inputs could be read".to_owned(),
        };
    }
    if let Some(split) = split.filter(|_| accounts.has_readable() && !run.interrupted) {
        let is_loss = split.has_rejected();
        let line = split.finish()?;
        match is_loss && flags.games.run.quiet {
            true => line.lines().for_each(|line| run.output.log.note(&line)),
            false => append!(summary, "\n{line}"),
        }
    }
    if !run.interrupted && !run.output.sink.is_closed() {
        run.end_output(accounts)?;
        run.output.log.say(&closing_lines);
    }
    run.close(accounts, failed, Some(&summary))
}

impl CheckArgs {
    fn reporting(
        &self,
        run: &CommandRun,
        settings: &Settings,
        only_records: bool,
    ) -> Result<Reporting, Error> {
        let sink = &run.output.sink;
        let known = settings.baseline.as_deref();
        let known = known.map(baseline::read).transpose()?;
        let format: Box<dyn FindingFormat> = match only_records {
            true => Box::new(Concise),
            false => self.format.with(&ReportOptions {
                sources: &run.sources,
                has_baseline: known.is_some(),
                fail_on: settings.fail_on,
                most: self.max_findings,
                cells: self.games.run.cells(),
                human: Human {
                    paints: self.games.run.color.paints(sink),
                    columns: sink.columns().unwrap_or(Human::COLUMNS),
                },
            }),
        };
        let is_read = self.format == CheckFormat::Human && sink.is_terminal() && !self.follow;
        let default = (is_read && self.max_findings.is_none()).then_some(PER_CODE_ON_TERMINAL);
        let shows_first = !self.format.needs().all_findings;
        let limits = match only_records {
            true => MostShown {
                most: Some(0),
                per_code: None,
            },
            false => MostShown {
                most: self.max_findings.filter(|_| shows_first),
                per_code: self.max_per_code.or(default),
            },
        };
        let mut reporting = Reporting::new(format, known, limits);
        reporting.needs_fingerprint = self.format.needs().fingerprints;
        Ok(reporting)
    }

    /// The last lines about the findings: those of codes with more than are shown, and statistics.
    fn closing_lines(&self, run: &CommandRun, reporting: &Reporting) -> String {
        let Output { log, sink, .. } = &run.output;
        let mut lines = reporting.more_of_codes();
        let on_terminal = log.is_terminal() && (sink.is_terminal() || sink.file().is_some());
        if self.statistics || on_terminal && !self.games.run.quiet {
            let unit = unit_of(&run.sources);
            statistics::push_tables(&mut lines, &reporting.tally, unit, log.columns());
        }
        lines
    }
}
