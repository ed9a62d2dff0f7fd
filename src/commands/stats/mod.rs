#![doc = include_str!("README.md")]

pub mod count;
mod earlier;
pub(crate) mod formats;
mod numbers;
mod pairs;
pub(crate) mod ratings;

use std::collections::HashSet;
use std::path::PathBuf;
use std::str::FromStr;

use clap::Args;
use clap::builder::PossibleValue;

use crate::adjudication::RuleChoice;
use crate::commands::accounts::{Accounts, COUNTED};
use crate::commands::args::{GameArgs, LetterArgs, OtherFiles, number, rules};
use crate::commands::config::{Config, Keys};
use crate::commands::follow::Latest;
use crate::commands::modes::Mode;
use crate::commands::names::NameArgs;
use crate::commands::offered::{offered, rule_sets};
use crate::commands::openings::OpeningArgs;
use crate::commands::output::{Outcome, Output};
use crate::commands::parts::PartCounts;
use crate::commands::run::{CommandRun, RunOptions};
use crate::commands::stats::count::{
    Anchor, Counter, GroupFilter, Key, Plan, ResultSource, Statistics,
};
use crate::commands::stats::formats::chart::{ChartKind, ChartOptions, chart_file, draw};
use crate::commands::stats::formats::{DifferenceLimits, FormatOptions, StatsFormat};
use crate::commands::stats::pairs::PairArgs;
use crate::commands::stats::ratings::{RATED, anchor, check_anchor};
use crate::error::Error;
use crate::input::{InputKind, Source, TextTotals};
use crate::pipeline::Item;
use crate::report::rows::Rows;
use crate::report::{OutputFile, Sink, json};

/// Count results by player, year, opening and other keys
///
/// Examples:
///   arbiter stats .
///   arbiter stats --by year --by eco --format csv .
///   echo '[Result "1-0"] 1. e4 1-0' | arbiter stats --format json
///
/// Games without a result, or with another result than the four of PGN, are counted separately and
/// are not part of the percentages, which are truncated to two places. Confidence intervals of
/// 95 %: Wilson for the draw rate, Tango for the score.
#[derive(Args, Debug)]
#[command(verbatim_doc_comment, next_help_heading = "Counting")]
pub(crate) struct StatsArgs {
    /// Output format
    #[arg(long, value_enum, default_value_t = StatsFormat::Human, help_heading = "Output")]
    format: StatsFormat,

    /// Group by player, year or another key; repeatable
    ///
    /// Keys: player, white, black, year, month, event, site, eco, opening, elo, elo-diff,
    /// time-control, speed, termination, ending, ruling, plies, file and tag:NAME. With several,
    /// groups are nested.
    #[arg(long, value_name = "KEY", value_parser = offered(keys, Key::from_str))]
    by: Vec<Key>,

    /// Show only the N largest groups of each level
    ///
    /// The largest is first. With --pairs, 0 shows no opening.
    #[arg(long, value_name = "N", value_parser = number::<u32>(0..))]
    top: Option<u32>,

    /// Show only groups with at least N games
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = number::<u64>(0..))]
    min_games: u64,

    /// Count draws by kind
    ///
    /// Agreement, stalemate, repetition and so on; the games are replayed.
    #[arg(long)]
    draws: bool,

    /// Rate all players by the results between them
    ///
    /// By maximum likelihood, with White's advantage and the share of draws, as ordo does. Merged
    /// files may also be those of the keys white and black.
    #[arg(long, help_heading = "Modes")]
    ratings: bool,

    /// Rating of a player, to which all others are relative
    ///
    /// With --ratings or --merge. Errors are relative to it too.
    #[arg(long, value_name = "NAME=RATING", value_parser = anchor, hide_short_help = true)]
    anchor: Option<Anchor>,

    /// Read files that change: print the lines of --ratings or --pairs that change
    ///
    /// Ends with Ctrl-C, when no folder is given and all files are removed, or when --sprt accepts
    /// a hypothesis.
    #[arg(long, id = "live", conflicts_with = "part")]
    #[arg(hide_short_help = true, help_heading = "Modes")]
    follow: bool,

    /// Results to count; rules: replay the games and apply --rules
    #[arg(long, value_enum, default_value_t = ResultSource::Recorded, hide_short_help = true)]
    #[arg(help_heading = "Rules")]
    source: ResultSource,

    /// Rule set; see `arbiter adjudicate --list-rules` [default: fide]
    #[arg(long, value_name = "NAME", help_heading = "Rules")]
    #[arg(value_parser = rule_sets(str::parse))]
    rules: Option<RuleChoice>,

    /// Also draw a chart, *.svg
    ///
    /// A bar for each group, or a trend over year, month, elo, elo-diff or plies.
    #[arg(long, value_name = "FILE", value_parser = chart_file, help_heading = "Output")]
    chart: Option<PathBuf>,

    /// Kind of chart [default: trend if --by is one of its keys, without --top]
    #[arg(long, value_enum, requires = "chart", hide_short_help = true)]
    #[arg(help_heading = "Output")]
    chart_kind: Option<ChartKind>,

    /// Width of the chart, in pixels
    #[arg(long, value_name = "PIXELS", help_heading = "Output")]
    #[arg(hide_short_help = true, requires = "chart", default_value_t = 960)]
    #[arg(value_parser = number(400..=8000_u32))]
    chart_width: u32,

    /// Count only games and lines, of each file, for `--counts`: one line of JSON
    #[arg(long, help_heading = "Modes")]
    count: bool,

    /// Add up the JSON output of earlier runs; - for stdin
    #[arg(long, value_name = "FILE", num_args = 1.., help_heading = "Modes")]
    merge: Vec<PathBuf>,

    /// Compare the JSON output of two runs; - for stdin
    #[arg(long, value_names = ["A", "B"], num_args = 2, help_heading = "Modes")]
    compare: Vec<PathBuf>,

    #[command(flatten)]
    limits: DifferenceLimits,

    #[command(flatten)]
    pairs: PairArgs,

    #[command(flatten)]
    openings: OpeningArgs,

    #[command(flatten)]
    names: NameArgs,

    #[command(flatten)]
    pub(crate) letters: LetterArgs,

    #[command(flatten)]
    games: GameArgs,
}

/// The keys that completions offer.
fn keys() -> Vec<PossibleValue> {
    Key::names().map(PossibleValue::new).collect()
}

/// `Source: a.pgn, b.pgn and 2 more (recorded results)`
fn source_line(names: &[PathBuf], plan: &Plan) -> String {
    const MOST: usize = 3;
    let shown = names.iter().take(MOST);
    let shown: Vec<_> = shown
        .map(|name| Source::named(name).name().to_owned())
        .collect();
    let names_shown = match &shown[..] {
        [] => "<stdin>".to_owned(),
        shown => shown.join(", "),
    };
    let more = match names.len().saturating_sub(MOST) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let results = match (plan.source, plan.rules) {
        (ResultSource::Recorded, _) => "recorded results".to_owned(),
        (ResultSource::Rules, None) => "results by the rules".to_owned(),
        (ResultSource::Rules, Some(rules)) => format!("results by the rules {}", rules.name()),
    };
    format!("Source: {names_shown}{more} ({results})")
}

pub(crate) fn run(args: &StatsArgs, mode: Mode) -> Result<Outcome, Error> {
    if args.follow && args.format != StatsFormat::Human {
        return Err(Error::usage("`--follow` needs the format `human`"));
    }
    if args.top == Some(0) && !matches!(mode, Mode::Pairs | Mode::Merge) {
        return Err(Error::usage("`--top 0` needs `--pairs`"));
    }
    let names = args.by.contains(&Key::Eco) || args.by.contains(&Key::Opening);
    if args.openings.is_given() && !names && !args.games.selects_by_eco() {
        let reason = "`--openings` needs `--by eco`, `--by opening` or `eco=` in `--where`";
        return Err(Error::usage(reason));
    }
    if args.games.config.show_config {
        return show_config(args);
    }
    match mode {
        Mode::Compare => earlier::compare(args),
        Mode::Merge => earlier::merge(args),
        Mode::Count => count_lines(args),
        Mode::Pairs => pairs::run(args),
        _ => count(args),
    }
}

fn show_config(args: &StatsArgs) -> Result<Outcome, Error> {
    let config = args.config()?;
    let _checked = (args.plan(&config)?, args.games.readers(&config)?);
    Output::print_config(&args.games, &config)
}

impl StatsArgs {
    /// Settings in force.
    fn config(&self) -> Result<Config, Error> {
        let given = Keys {
            rules: self.rules.map(|rules| rules.name().to_owned()),
            piece_letters: self.letters.given(),
            ..Keys::default()
        };
        self.games.settings(&["rules", "piece-letters"], given)
    }

    fn plan(&self, config: &Config) -> Result<Plan, Error> {
        Plan::check(&self.by).map_err(Error::usage)?;
        let keys = match self.ratings {
            true => &RATED[..],
            false => &self.by,
        };
        Ok(Plan {
            keys: keys.to_vec(),
            draws: self.draws,
            source: self.source,
            rules: Some(rules(config)?),
            by_position: self.openings.is_given(),
            ratings: self.ratings,
            anchor: self.anchor.clone(),
            ..Plan::default()
        })
    }

    /// Files other than the inputs and the output.
    fn files(&self) -> OtherFiles<'_> {
        let chart = self.chart.iter();
        OtherFiles {
            written: chart
                .map(|path| (&**path, "the file of the chart"))
                .collect(),
            read: self.openings.files().chain(self.names.files()).collect(),
        }
    }

    /// Options for a sink: with colours and a width on a terminal.
    fn format_options(&self, sink: &Sink) -> FormatOptions {
        FormatOptions {
            filter: self.filter(),
            format: self.format,
            rows: match self.format {
                StatsFormat::Parquet => Rows::Table,
                _ => Rows::Csv(self.games.run.cells()),
            },
            paints: self.games.run.color.paints(sink),
            columns: sink.columns(),
        }
    }

    /// Writes statistics in the format; with `--follow`, the lines that `known` does not have.
    fn write(
        &self,
        sink: &mut Sink,
        statistics: &Statistics,
        known: &mut KnownLines,
    ) -> Result<(), Error> {
        let anchor = statistics.plan.anchor.as_ref();
        if let Some(anchor) = anchor.filter(|_| self.games.part.is_none() && !self.follow) {
            check_anchor(anchor, &statistics.whole)?;
        }
        let options = self.format_options(sink);
        if self.follow {
            return write_changed(sink, options.human(statistics).as_bytes(), known);
        }
        options.write(sink, statistics)
    }

    /// Options of the chart, if one is drawn.
    fn chart_options(&self, plan: &Plan) -> Result<Option<ChartOptions>, Error> {
        let Some(path) = &self.chart else {
            return Ok(None);
        };
        let usual = ChartKind::usual(&plan.keys, self.filter());
        let kind = self.chart_kind.unwrap_or(usual);
        if !kind.shows(&plan.keys) {
            return Err(Error::usage(
                "`--chart-kind trend` needs one key: year, month, elo, elo-diff or plies",
            ));
        }
        let names = match &self.merge[..] {
            [] => &self.games.inputs,
            merged => merged,
        };
        Ok(Some(ChartOptions {
            file: OutputFile::create(path)?,
            kind,
            filter: self.filter(),
            width: self.chart_width,
            source: source_line(names, plan),
        }))
    }

    fn filter(&self) -> GroupFilter {
        GroupFilter {
            top: self.top.map(|top| top as usize),
            min_games: self.min_games,
        }
    }
}

/// Lines of the last text that was written.
type KnownLines = HashSet<Vec<u8>>;

/// Writes the lines of a text that `known` does not have, which then has those of the text alone.
fn write_changed(sink: &mut Sink, text: &[u8], known: &mut KnownLines) -> Result<(), Error> {
    let lines = text.split_inclusive(|&byte| byte == b'\n');
    let lines = lines.filter(|line| *line != b"\n");
    let changed = lines.clone().filter(|line| !known.contains(*line));
    sink.write(&changed.collect::<Vec<_>>().concat())?;
    *known = lines.map(<[u8]>::to_vec).collect();
    Ok(())
}

fn begin(args: &StatsArgs, config: &Config) -> Result<CommandRun, Error> {
    let options = RunOptions {
        files: args.files(),
        unnumbered: true,
        follows: args.follow,
        ..RunOptions::default()
    };
    let mut run = CommandRun::begin_with(&args.games, config, options, |_| InputKind::Pgn)?;
    run.words = COUNTED;
    run.selection.openings = args.openings.read(&args.games.inputs)?;
    Ok(run)
}

/// Counts the games and lines of each text.
fn count_lines(args: &StatsArgs) -> Result<Outcome, Error> {
    let mut run = begin(args, &args.config()?)?;
    let mut counts = PartCounts::new(args.games.part);
    let mut accounts = Accounts::default();
    let mut totals = TextTotals::default();
    run.work_through(
        || (),
        |(), _, chunk, notes| chunk.totals(notes),
        |_| 0,
        |_, _, item| {
            match item {
                Item::Part(part) => totals.join(&part.value),
                Item::End(end) => {
                    accounts.clean += totals.games;
                    counts.add(&end.source, &std::mem::take(&mut totals));
                }
            }
            Ok(())
        },
    )?;
    let line = json::of(&counts) + "\n";
    run.output.sink.write(line.as_bytes())?;
    run.close(accounts, false, None)
}

/// Counts games.
fn count(args: &StatsArgs) -> Result<Outcome, Error> {
    let config = args.config()?;
    let (mut plan, reader) = (args.plan(&config)?, args.games.readers(&config)?);
    if args.rules.is_some() && !plan.uses_rules() {
        return Err(Error::usage(
            "`--rules` needs `--draws`, `--source rules` or `--by ruling`",
        ));
    }
    plan.names = args.names.read()?.into();
    let is_of_player = |key: &Key| matches!(key, Key::Player | Key::White | Key::Black);
    if args.names.is_given() && !plan.keys.iter().any(is_of_player) {
        let reason = "`--names` needs `--by player`, white or black, `--ratings` or `--pairs`";
        return Err(Error::usage(reason));
    }
    let mut run = begin(args, &config)?.tags_only();
    let openings = run.selection.openings.clone();
    let chart = args.chart_options(&plan)?;
    let mut groups = Latest::default();
    let mut known = KnownLines::new();
    let statistics = |whole| Statistics {
        plan: plan.clone(),
        whole,
    };
    while let Some(pass) = run.begin_pass() {
        let counters = run.work(
            || {
                let mut counter = Counter::new(&plan, reader());
                counter.openings = openings.as_deref();
                counter
            },
            |counter, source, chunk| counter.count(source.name(), chunk),
            |()| 0,
            |_, _, _| Ok(()),
        )?;
        groups.set(&pass, Counter::sum(counters));
        if pass.is_summary {
            let statistics = statistics(groups.clone().into_sum());
            args.write(&mut run.output.sink, &statistics, &mut known)?;
        }
    }
    let statistics = statistics(groups.into_sum());
    let tally = statistics.tally();
    let is_shown = (tally.seen() > 0 || run.part.is_some()) && !run.interrupted;
    if is_shown {
        args.write(&mut run.output.sink, &statistics, &mut known)?;
    }
    let accounts = Accounts {
        clean: tally.games() - tally.other,
        with_findings: tally.other,
        unreadable: tally.unreadable,
    };
    run.end_output(accounts)?;
    if let Some(chart) = chart.filter(|_| is_shown && tally.seen() > tally.unreadable) {
        draw(&statistics, chart)?;
    }
    run.close(accounts, false, None)
}
