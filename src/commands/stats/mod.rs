#![doc = include_str!("README.md")]

pub mod formats;
pub mod tally;

mod compare;
mod merge;
mod show;

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use clap::{Args, ValueEnum};

use crate::commands::Outcome;
use crate::commands::accounts::{AccountWords, Accounts};
use crate::commands::args::{GameArgs, LetterArgs, Toggle};
use crate::commands::clashes::OtherFiles;
use crate::commands::rule_choice::RuleChoice;
use crate::commands::run::CommandRun;
use crate::commands::stats::formats::chart::ChartFile;
use crate::commands::stats::show::Show;
use crate::commands::stats::tally::{Choice, Counter, Key, Plan, ResultSource, Statistics};
use crate::error::Error;

/// Count results: who wins, and how games end
///
/// Games without a result and with other results are counted apart and are not part of the percentages, which are cut,
/// not rounded, to two places. Intervals are those of 95 % confidence: Wilson's for the draw rate, Tango's for the score.
#[derive(Args, Debug)]
pub(crate) struct Flags {
    #[command(flatten)]
    games: GameArgs,

    /// How the counts are shown
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,

    /// Count by groups: player, white, black, year, month, event, site, eco, opening, elo, elo-diff, time-control,
    /// speed, termination, ending, ruling, plies, file or tag:NAME. Given again: groups within groups
    #[arg(long, value_name = "KEY")]
    by: Vec<Key>,

    /// Show only the N groups with the most games at each level, the largest first
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    top: Option<u32>,

    /// Show only groups with at least N games
    #[arg(long, value_name = "N", default_value_t = 0)]
    min_games: u64,

    /// Count draws by kind: agreement, stalemate, repetition and so on. The games are replayed
    #[arg(long)]
    draws: bool,

    /// Whose results are counted: those on record, or those the rules give. For the latter the games are replayed
    #[arg(long, value_enum, default_value_t = Source::Recorded)]
    source: Source,

    /// The rules by which games are judged; `arbiter adjudicate --list-rules` prints them
    #[arg(long, value_name = "NAME", value_parser = crate::commands::adjudicate::parse_rules, default_value = "fide")]
    rules: RuleChoice,

    #[command(flatten)]
    letters: LetterArgs,

    /// Draw a chart as well, a bar for each group
    #[arg(long, value_name = "FILE.svg|FILE.png")]
    chart: Option<ChartFile>,

    /// Read no games, and add up what earlier runs wrote with --format json
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["inputs", "by", "draws", "source", "rules", "compare"])]
    merge: Vec<PathBuf>,

    /// Read no games, and show what has changed from A to B, both written with --format json
    #[arg(long, value_names = ["A.json", "B.json"], num_args = 2, conflicts_with_all = ["inputs", "by", "draws", "source", "rules", "chart"])]
    compare: Vec<PathBuf>,

    /// With --compare: exit code 1 if a score or a draw rate has changed by more than so many percentage points
    #[arg(long, value_name = "POINTS", value_parser = points)]
    fail_above: Option<f64>,

    /// Colours, and a bar beside each group, in the human format; auto: only on a terminal, unless `NO_COLOR` is set
    #[arg(long, value_enum, default_value_t = Toggle::Auto, value_name = "WHEN")]
    color: Toggle,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Format {
    /// Tables
    Human,
    /// A header and a row for each innermost group
    Csv,
    /// One object, which --merge and --compare read
    Json,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Source {
    /// On record
    Recorded,
    /// By the rules; where they decide nothing, on record
    Rules,
}

fn points(text: &str) -> Result<f64, String> {
    let number = text
        .parse()
        .ok()
        .filter(|number: &f64| (0.0..=100.0).contains(number));
    number.ok_or_else(|| "not a number of percentage points from 0 to 100".to_owned())
}

pub(crate) fn run(flags: &Flags) -> Result<Outcome, Error> {
    if flags.fail_above.is_some() && flags.compare.is_empty() {
        return Err(Error::usage(
            "`--fail-above` needs `--compare`: what is above is a change",
        ));
    }
    if !flags.compare.is_empty() {
        compare::run(flags)
    } else if !flags.merge.is_empty() {
        merge::run(flags)
    } else {
        count(flags)
    }
}

impl Flags {
    fn plan(&self) -> Result<Plan, Error> {
        Plan::check(&self.by).map_err(Error::usage)?;
        Ok(Plan {
            keys: self.by.clone(),
            draws: self.draws,
            source: match self.source {
                Source::Recorded => ResultSource::Recorded,
                Source::Rules => ResultSource::Rules,
            },
            rules: Some(self.rules),
        })
    }

    /// Files other than the inputs and the output.
    fn files(&self) -> OtherFiles<'_> {
        let chart = self.chart.iter().map(|chart| &*chart.path);
        OtherFiles {
            written: chart.map(|path| (path, "the file of the chart")).collect(),
            ..OtherFiles::default()
        }
    }

    fn choice(&self) -> Choice {
        Choice {
            top: self.top.map(|top| top as usize),
            min_games: self.min_games,
        }
    }
}

/// Counts games.
fn count(flags: &Flags) -> Result<Outcome, Error> {
    let plan = flags.plan()?;
    let mut run = CommandRun::begin_beside(&flags.games, flags.files())?
        .tags_only(plan.tags())
        .in_words(AccountWords::COUNTED);
    let show = Show::begin(flags)?;
    let whole = Mutex::new(plan.nothing());
    run.work(
        || Counter::new(&plan, &whole, flags.letters.reader()),
        |counter, source, chunk| counter.count(source.name(), chunk),
        |()| 0,
        |_, _, _| Ok(()),
    )?;
    let whole = whole.into_inner().unwrap_or_else(PoisonError::into_inner);
    let whole = whole.into_group();
    let statistics = Statistics {
        plan: plan.clone(),
        whole,
    };
    let tally = *statistics.tally();
    let is_shown = tally.seen() > 0 && !run.is_interrupted();
    if is_shown {
        show.text(&mut run.sink, &statistics)?;
    }
    let accounts = Accounts {
        clean: tally.games() - tally.other,
        with_findings: tally.other,
        unreadable: tally.unreadable,
    };
    run.end_output(accounts)?;
    if is_shown && tally.seen() > tally.unreadable {
        show.chart(&statistics)?;
    }
    run.close(accounts, false, None)
}
