//! `--pairs`: games paired by opening and opponents with colours reversed.

mod document;
mod estimate;
mod formats;
mod games;

use clap::{Args, ValueEnum};

use crate::commands::accounts::Accounts;
use crate::commands::args::number;
use crate::commands::follow::Latest;
use crate::commands::output::{Outcome, Output};
use crate::commands::stats::count::{CountedResult, recorded};
use crate::commands::stats::formats::StatsFormat;
use crate::commands::stats::pairs::estimate::{Sprt, SprtModel, SprtVerdict};
use crate::commands::stats::pairs::games::{MOST_PLIES, Matches, PairGame};
use crate::commands::stats::{KnownLines, StatsArgs, begin, write_changed};
use crate::error::Error;
use crate::report::Sink;
use crate::text::nearest::nearest;

use document::{PairView, PairsDocument, read};

pub(crate) use document::is_of_pairs;

#[derive(Args, Debug)]
#[command(next_help_heading = "Pairs")]
pub(crate) struct PairArgs {
    /// Count pairs of games with colours reversed
    ///
    /// Games are paired by opening and opponents, and pairs counted by points, with Elo, normalized
    /// Elo, LOS and the LLR of --sprt.
    #[arg(long, help_heading = "Modes")]
    pub(crate) pairs: bool,

    /// Player whose points --pairs counts
    ///
    /// By default that of the files of --merge, or White of the first game.
    #[arg(long, value_name = "NAME")]
    player: Option<String>,

    /// With --pairs: plies of an opening after the start position
    ///
    /// By default an opening has the moves that are marked as those of a book.
    #[arg(long, value_name = "N", value_parser = number(0..=MOST_PLIES))]
    #[arg(hide_short_help = true)]
    opening_plies: Option<u32>,

    /// Test whether the Elo of pairs is ELO1, not ELO0
    ///
    /// With --pairs or --merge: H1, the Elo is ELO1, against H0, it is ELO0. Prints the
    /// log-likelihood ratio; the exit code is 1 if H0 is accepted. ALPHA and BETA are 0.05 each by
    /// default. With --merge the test of the files is the default.
    #[arg(long, value_name = "ELO0,ELO1[,ALPHA,BETA]")]
    #[arg(allow_hyphen_values = true)]
    sprt: Option<Sprt>,

    /// Scale of the bounds of --sprt [default: that of merged files, or normalized]
    #[arg(long, value_enum, requires = "sprt", hide_short_help = true)]
    sprt_model: Option<SprtModel>,

    /// With --sprt: verdict that makes the exit code 1 [default: h0]
    #[arg(long, value_enum, hide_short_help = true)]
    fail_on: Option<FailOn>,
}

/// Verdict of SPRT that makes the exit code 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
enum FailOn {
    /// H0 is accepted
    #[default]
    H0,
    /// H1 is not accepted: H0 is, or neither
    Undecided,
}

impl PairArgs {
    /// The options, and those of `other` that are not given.
    fn view(&self, other: PairView) -> PairView {
        let model = self.sprt_model.or(other.sprt.map(|sprt| sprt.model));
        let sprt = self.sprt.map(|sprt| Sprt {
            model: model.unwrap_or_default(),
            ..sprt
        });
        PairView {
            player: self.player.clone().or(other.player),
            sprt: sprt.or(other.sprt),
        }
    }

    /// True if `--player`, `--sprt` or `--fail-on` is given.
    pub(crate) fn has_options(&self) -> bool {
        self.player.is_some() || self.sprt.is_some() || self.fail_on.is_some()
    }

    /// True if the verdict on a match makes the exit code 1. Without a match, H1 is not accepted.
    fn fails(&self, verdicts: &[SprtVerdict]) -> bool {
        match self.fail_on.unwrap_or_default() {
            FailOn::H0 => verdicts.contains(&SprtVerdict::H0),
            FailOn::Undecided => {
                verdicts.is_empty() || verdicts.iter().any(|&verdict| verdict != SprtVerdict::H1)
            }
        }
    }
}

/// Refuses options that leave out openings of JSON, which `--merge` needs, and charts.
fn check(args: &StatsArgs) -> Result<(), Error> {
    let leaves_out = args.top.is_some() || args.min_games > 0;
    if args.format == StatsFormat::Json && leaves_out {
        return Err(Error::usage(
            "`--top` and `--min-games` leave out openings, and JSON of `--pairs` has all",
        ));
    }
    match (&args.chart, &args.anchor) {
        (Some(_), _) => Err(Error::usage("pairs have no chart")),
        (_, Some(_)) => Err(Error::usage("`--anchor` needs statistics of `--ratings`")),
        (None, None) => Ok(()),
    }
}

/// Pairs the games of the input.
pub(crate) fn run(args: &StatsArgs) -> Result<Outcome, Error> {
    check(args)?;
    let config = args.config()?;
    let reader = args.games.readers(&config)?;
    let names = args.names.read()?;
    let name = |player: String| names.name(player.into()).into_owned();
    let mut run = begin(args, &config)?;
    let plies = args.pairs.opening_plies;
    let mut files = Latest::default();
    let mut known = KnownLines::new();
    let view = args.pairs.view(PairView::default());
    while let Some(pass) = run.begin_pass() {
        let mut matches = Matches::new(plies);
        run.work(
            &reader,
            |reader, _, chunk| {
                let mut games = Vec::new();
                for text in chunk.games() {
                    let game = text.read(reader);
                    let result = recorded(game, text.bytes, game.recorded_result(text.bytes));
                    let mut game = PairGame::read(game, text.bytes, result, plies);
                    (game.white, game.black) = (name(game.white), name(game.black));
                    games.push(game);
                }
                games
            },
            |games| games.iter().map(PairGame::bytes).sum(),
            |_, _, part| {
                for game in part.value {
                    matches.add(game)?;
                }
                Ok(())
            },
        )?;
        files.set(&pass, matches);
        if pass.is_summary {
            let (whole, sink) = (files.clone().into_sum(), &mut run.output.sink);
            let verdicts = show(args, whole, &view, sink, &mut known)?;
            if !verdicts.is_empty() && !verdicts.contains(&SprtVerdict::Neither) {
                run.end_follow();
            }
        }
    }
    let matches = files.into_sum();
    let is_other = |&result: &CountedResult| result == CountedResult::Other;
    let others = matches.results().filter(is_other).count() as u64;
    let accounts = Accounts {
        clean: matches.results().count() as u64 - others,
        with_findings: others,
        unreadable: matches.unreadable,
    };
    let is_shown = (accounts.seen() > 0 || run.part.is_some()) && !run.interrupted;
    let sink = &mut run.output.sink;
    let fails = is_shown && (args.pairs).fails(&show(args, matches, &view, sink, &mut known)?);
    run.end_output(accounts)?;
    run.close(accounts, fails, None)
}

/// Adds up the games of earlier runs, in the order of the files. Options that are not given are
/// those of the files.
pub(crate) fn merge(
    args: &StatsArgs,
    parts: impl Iterator<Item = Result<(String, Vec<u8>), Error>>,
    mut output: Output,
) -> Result<Outcome, Error> {
    check(args)?;
    let mut whole: Option<(Matches, PairView)> = None;
    for part in parts {
        let (path, json) = part?;
        let read = read(&path, &json)?;
        let (plies, view) = (read.opening_plies, args.pairs.view(read.view()));
        let refuse = |reason: &str| Err(Error::invalid("statistics in", &path, None, reason));
        let (matches, first) = whole.get_or_insert_with(|| (Matches::new(plies), view.clone()));
        if matches.opening_plies != plies {
            return refuse("its openings have another number of plies");
        }
        if *first != view {
            return refuse(
                "it was written with another `--player` or `--sprt` than the files before it; \
                 give the option with `--merge`",
            );
        }
        read.add_to(matches, &path)?;
    }
    let (whole, view) = whole.unwrap_or_default();
    let known = &mut KnownLines::new();
    let fails = (args.pairs).fails(&show(args, whole, &view, &mut output.sink, known)?);
    output.sink.finish()?;
    Ok(match fails {
        true => Outcome::Reported,
        false => Outcome::Done,
    })
}

/// Writes the statistics, with `--follow` what has changed, and returns the verdicts of SPRT.
fn show(
    args: &StatsArgs,
    mut matches: Matches,
    view: &PairView,
    sink: &mut Sink,
    known: &mut KnownLines,
) -> Result<Vec<SprtVerdict>, Error> {
    matches.check_size()?;
    matches.sort();
    let names = matches.by_players.keys().flatten().map(|name| &**name);
    if let Some(player) = &view.player
        && args.games.part.is_none()
        && !args.follow
        && !names.clone().any(|name| name == player)
    {
        let meant = nearest(player, names);
        let hint = meant.map_or(String::new(), |name| format!("; did you mean `{name}`?"));
        return Err(Error::usage(format!(
            "`--player {player}`: no game of this player{hint}"
        )));
    }
    if args.pairs.fail_on.is_some() && view.sprt.is_none() {
        return Err(Error::usage("`--fail-on` needs `--sprt`"));
    }
    let document = PairsDocument::new(&matches, view);
    let options = args.format_options(sink);
    if args.follow {
        let lines = formats::match_lines(&document, view);
        write_changed(sink, lines.as_bytes(), known)?;
    } else {
        formats::write(sink, &document, view, &options)?;
    }
    let matches = document.matches.iter();
    let verdicts = matches.filter_map(|report| report.total.accepted);
    Ok(verdicts.collect())
}
