//! `--fix`: the games with the repairs of their findings.

mod held;
mod in_place;
mod writer;

use std::path::{Path, PathBuf};

use clap::Args;

use crate::commands::args::GameArgs;
use crate::commands::output::Outcome;
use crate::commands::run::CommandRun;
use crate::commands::validate::fix::in_place::InPlace;
use crate::commands::validate::fix::writer::FixWriter;
use crate::commands::validate::formats::any_fails;
use crate::commands::validate::settings::Settings;
use crate::error::Error;
use crate::findings::fix::{DiffWriter, FixedChunk, GameFixer, fix_chunk};
use crate::pipeline::Item;
use crate::replay::Reader;
use crate::report::Sink;

/// Options of the repairs.
#[derive(Args, Debug)]
#[command(next_help_heading = "Repair")]
pub(crate) struct FixArgs {
    /// Write the games with all repairs that are certain and lose nothing
    ///
    /// The games go to stdout, --output, --write-fixed or, with --in-place, to their files. Codes
    /// that can be repaired are marked in --codes. Only what the same run would report is
    /// repaired; --strict adds deviations from the export format.
    #[arg(long, help_heading = "Modes")]
    fix: bool,

    /// Also apply the suggestions of which there is one only; implies --fix
    #[arg(long, hide_short_help = true)]
    fix_suggestions: bool,

    /// Write the repaired games to this file
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    write_fixed: Option<PathBuf>,

    /// Replace the input files by the repaired ones
    ///
    /// Other hard links to a file keep the old games.
    #[arg(long, conflicts_with = "write_fixed", hide_short_help = true)]
    in_place: bool,

    /// Show the repairs as a unified diff
    ///
    /// The diff goes to stdout or --output, the games only to --write-fixed or --in-place.
    #[arg(long)]
    diff: bool,

    /// Keep the old movetext of a game whose movetext is repaired in comments
    #[arg(long, hide_short_help = true)]
    keep_original: bool,
}

impl FixArgs {
    /// Whether files other than the output are written.
    pub(crate) fn writes_files(&self) -> bool {
        self.write_fixed.is_some() || self.in_place
    }

    /// The file of the repaired games, with its name in messages.
    pub(crate) fn file(&self) -> Option<(&Path, &'static str)> {
        Some((self.write_fixed.as_deref()?, "the file of the fixed games"))
    }
}

/// Runs the repairs.
pub(crate) fn run(
    args: &FixArgs,
    mut run: CommandRun,
    settings: &Settings,
    reader: impl Fn() -> Reader + Sync,
    games: &GameArgs,
) -> Result<Outcome, Error> {
    if args.in_place {
        in_place::refuse(&run.sources, games.settings_file().as_deref())?;
    }
    if args.writes_files() && !args.diff && run.output.sink.file().is_some() {
        return Err(Error::usage(
            "with `--write-fixed` or `--in-place`, only `--diff` writes to `--output`",
        ));
    }
    let on_terminal = run.output.sink.is_terminal();
    let paints = games.run.color.paints(&run.output.sink);
    let bar = || run.output.bar.clone();
    let file = args.write_fixed.as_deref();
    let mut file = file.map(|file| Sink::open(Some(file), bar())).transpose()?;
    // The diff is escaped line by line, without its colours.
    match &mut file {
        Some(file) => file.begin_games(),
        None if args.diff => {}
        None => run.output.sink.begin_games(),
    }
    let mut writer = FixWriter::default();
    writer.file = file;
    writer.in_place = args.in_place.then(InPlace::default);
    writer.diff = args.diff.then(|| DiffWriter::new(paints, on_terminal));
    run.work_through(
        || GameFixer::new(reader(), args.fix_suggestions, args.keep_original),
        |fixer, source, chunk, notes| {
            let checks = &*settings.checks_of(source);
            let repairing = &*settings.per_file.apply(&settings.repairing, source);
            fix_chunk([checks, repairing], args.diff, chunk, notes, fixer)
        },
        FixedChunk::weight,
        |sink, log, item| match item {
            Item::Part(part) => writer.write(part, sink),
            Item::End(end) => writer.end(&end, sink, log),
        },
    )?;
    if let Some(note) = writer.encodings_note(&run.output.sink) {
        run.output.log.note(&note);
    }
    let accounts = writer.counts.accounts;
    let failed = any_fails(settings.fail_on, writer.counts.left);
    let mut summary = writer.counts.summary(args.fix_suggestions);
    if let Some(in_place) = &writer.in_place {
        summary += &in_place.summary();
    }
    if let Some(mut file) = writer.file
        && accounts.has_readable()
        && !run.interrupted
    {
        file.finish()?;
    }
    let outcome = run.close(accounts, failed, Some(&summary))?;
    Ok(if writer.has_failed {
        Outcome::NotDone
    } else {
        outcome
    })
}
