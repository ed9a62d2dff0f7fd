#![doc = include_str!("README.md")]

pub mod count;
pub(crate) mod formats;
mod numbers;
mod pairs;
pub(crate) mod ratings;

use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::Args;
use clap::builder::PossibleValue;

use crate::adjudication::RuleChoice;
use crate::commands::accounts::{Accounts, COUNTED};
use crate::commands::args::{
    GameArgs, LetterArgs, OtherFiles, id_of, number, refuse_clashes, rules,
};
use crate::commands::config::{Config, Keys};
use crate::commands::held_file::read_output;
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
use crate::report::{FileId, OutputFile, Sink, json};

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
    #[arg(long, value_name = "KEY")]
    #[arg(value_parser = offered(keys, Key::from_str))]
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
    if args.top == Some(0) && !matches!(mode, Mode::Pairs | Mode::Merge) {
        return Err(Error::usage("`--top 0` needs `--pairs`"));
    }
    let names = args.by.contains(&Key::Eco) || args.by.contains(&Key::Opening);
    if args.openings.is_given() && !names {
        let reason = "`--openings` needs `--by eco` or `--by opening`";
        return Err(Error::usage(reason));
    }
    if args.games.config.show_config {
        return show_config(args);
    }
    match mode {
        Mode::Compare => compare(args),
        Mode::Merge => merge(args),
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

    /// Writes statistics in the format.
    fn write(&self, sink: &mut Sink, statistics: &Statistics) -> Result<(), Error> {
        let anchor = statistics.plan.anchor.as_ref();
        if let Some(anchor) = anchor.filter(|_| self.games.part.is_none()) {
            check_anchor(anchor, &statistics.whole)?;
        }
        let options = self.format_options(sink);
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

fn begin(args: &StatsArgs, config: &Config) -> Result<CommandRun, Error> {
    let options = RunOptions {
        files: args.files(),
        unnumbered: true,
        ..RunOptions::default()
    };
    let mut run = CommandRun::begin_with(&args.games, config, options, |_| InputKind::Pgn)?;
    run.words = COUNTED;
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
    let openings = args.openings.read(&args.games.inputs)?;
    plan.names = args.names.read()?.into();
    let is_of_player = |key: &Key| matches!(key, Key::Player | Key::White | Key::Black);
    if args.names.is_given() && !plan.keys.iter().any(is_of_player) {
        let reason = "`--names` needs `--by player`, white or black, `--ratings` or `--pairs`";
        return Err(Error::usage(reason));
    }
    let mut run = begin(args, &config)?.tags_only();
    run.selection.openings.clone_from(&openings);
    let chart = args.chart_options(&plan)?;
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
    let whole = Counter::sum(counters);
    let statistics = Statistics {
        plan: plan.clone(),
        whole,
    };
    let tally = statistics.tally();
    let is_shown = (tally.seen() > 0 || run.part.is_some()) && !run.interrupted;
    if is_shown {
        args.write(&mut run.output.sink, &statistics)?;
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

/// Adds up earlier runs.
fn merge(args: &StatsArgs) -> Result<Outcome, Error> {
    let output = args.games.run.file().and_then(FileId::of);
    let mut merged: Vec<Source> = args.merge.iter().map(|path| Source::named(path)).collect();
    // JSON may be merged in place, as it is read first; a table must not replace it.
    if args.format == StatsFormat::Json {
        merged.retain(|source| id_of(source) != output);
    }
    refuse_clashes(&args.games, &args.files(), &merged)?;
    let mut output = Output::without_games(&args.games)?;
    let mut texts = args.merge.iter().map(|path| read_output(path)).peekable();
    let is_of_pairs = |text: &Result<(String, Vec<u8>), Error>| {
        text.as_ref()
            .is_ok_and(|(_, text)| pairs::is_of_pairs(text))
    };
    if args.pairs.pairs || texts.peek().is_some_and(is_of_pairs) {
        return pairs::merge(args, texts, output);
    }
    if args.pairs.has_options() {
        return Err(Error::usage(
            "`--player`, `--sprt` and `--fail-on` need statistics of `--pairs`",
        ));
    }
    let mut whole: Option<Statistics> = None;
    for text in texts {
        let (name, text) = text?;
        let statistics = formats::read(&name, &text)?;
        match &mut whole {
            None => whole = Some(statistics),
            Some(whole) => whole
                .merge(statistics)
                .map_err(|reason| Error::invalid("statistics in", name, reason))?,
        }
    }
    let mut whole = whole.unwrap_or_default();
    whole.plan.ratings |= args.ratings;
    whole.plan.anchor = args.anchor.clone();
    if whole.plan.ratings && whole.plan.keys != RATED {
        return Err(Error::usage(
            "`--ratings` needs statistics of `--ratings` or of `--by white --by black`",
        ));
    }
    let chart = args.chart_options(&whole.plan)?;
    args.write(&mut output.sink, &whole)?;
    output.sink.finish()?;
    if let Some(chart) = chart {
        draw(&whole, chart)?;
    }
    Ok(Outcome::Done)
}

/// Reads what an earlier run wrote.
fn load(path: &Path) -> Result<Statistics, Error> {
    let (name, text) = read_output(path)?;
    if pairs::is_of_pairs(&text) {
        let reason = "they are of `--pairs`, which has no comparison";
        return Err(Error::invalid("statistics in", name, reason));
    }
    formats::read(&name, &text)
}

/// Compares two runs.
fn compare(args: &StatsArgs) -> Result<Outcome, Error> {
    let [before, after] = &args.compare[..] else {
        return Ok(Outcome::NotDone);
    };
    let compared = [before, after].map(|path| Source::named(path));
    refuse_clashes(&args.games, &OtherFiles::default(), &compared)?;
    let name = after.display().to_string();
    let (before, after) = (load(before)?, load(after)?);
    before
        .matches(&after, "the other one")
        .map_err(|reason| Error::invalid("statistics in", name, reason))?;
    let comparison = formats::compare(&before, &after, args.filter());
    let mut output = Output::without_games(&args.games)?;
    let options = args.format_options(&output.sink);
    options.compare(&mut output.sink, &comparison)?;
    output.sink.finish()?;
    if args.limits.fail_above.is_none() && !args.limits.fail_significant {
        return Ok(Outcome::Done);
    }
    if !comparison.has_scores() {
        return Err(Error::usage(
            "no limit can be checked: one of the two has no game with a result",
        ));
    }
    // `--top` limits what is shown, not what is checked.
    let checked = GroupFilter {
        top: None,
        ..args.filter()
    };
    let mut outcome = Outcome::Done;
    for row in &formats::compare(&before, &after, checked).rows {
        for change in row.exceeding(args.limits) {
            outcome = Outcome::Reported;
            output.log.say(&format!("{}: {change}\n", row.name()));
        }
    }
    Ok(outcome)
}
