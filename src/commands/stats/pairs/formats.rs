//! Output formats of pairs: sentences and tables, and CSV.

use std::fmt::Write;

use crate::commands::stats::count::GroupFilter;
use crate::commands::stats::formats::{FormatOptions, StatsFormat, add_interval};
use crate::commands::stats::numbers;
use crate::commands::stats::pairs::document::{
    Match, MatchOpening, PairCounts, PairView, PairsDocument,
};
use crate::commands::stats::pairs::estimate::Sprt;
use crate::error::Error;
use crate::report::escape::Escaped;
use crate::report::rows::{GAMES_IN_GROUP, Row};
use crate::report::{Buffer, Sink, json};

/// Unpaired games that sentences name; JSON names all.
const MOST_NAMED: usize = 20;

/// Pairs of an opening from which on sentences list it.
const LEAST_PAIRS: u64 = 2;

/// Writes statistics of pairs in a format.
pub(crate) fn write(
    sink: &mut Sink,
    document: &PairsDocument<'_>,
    view: &PairView,
    options: &FormatOptions,
) -> Result<(), Error> {
    let mut out = Buffer::default();
    match options.format {
        StatsFormat::Human => sentences(&mut out, &document.matches, view, options.filter),
        StatsFormat::Csv | StatsFormat::Parquet => {
            let none = PairCounts::default();
            sink.begin_rows(options.rows, GAMES_IN_GROUP, |row| {
                fill(row, [""; 3], &none, view);
            })?;
            rows(&mut out, &document.matches, view, options);
        }
        StatsFormat::Json => out.push_str(&(json::pretty(document) + "\n")),
    }
    sink.write(out.as_bytes())
}

/// Openings of a match that are shown, of those with at least some pairs.
fn shown<'r, 'a>(
    report: &'r Match<'a>,
    filter: GroupFilter,
    least_pairs: u64,
) -> Vec<&'r MatchOpening<'a>> {
    let enough = |MatchOpening { counts, .. }: &&MatchOpening<'_>| {
        counts.games >= filter.min_games && counts.pairs >= least_pairs
    };
    let mut openings: Vec<_> = report.openings.iter().filter(enough).collect();
    if let Some(top) = filter.top {
        openings.sort_by_key(|opening| std::cmp::Reverse(opening.counts.games));
        openings.truncate(top);
    }
    openings
}

/// Games and openings of all matches, then the estimates, which may be all that is wanted of
/// thousands of lines.
fn sentences(out: &mut Buffer, matches: &[Match<'_>], view: &PairView, filter: GroupFilter) {
    let estimated = matches.iter().filter(|report| is_estimated(&report.total));
    for report in estimated.clone() {
        section(out);
        games(out, report);
        let openings = shown(report, filter, LEAST_PAIRS);
        table(out, &openings, report.openings.len() - openings.len());
    }
    if out.is_empty() {
        out.push_str("No pairs\n");
    }
    unpaired(out, matches);
    for report in estimated {
        section(out);
        estimates(out, report, view);
    }
}

fn rows(out: &mut Buffer, matches: &[Match<'_>], view: &PairView, options: &FormatOptions) {
    for report in matches {
        let (first, second) = (&*report.first, &*report.second);
        let total = Row::begin(out, options.rows);
        fill(total, [first, second, ""], &report.total, view);
        for opening in shown(report, options.filter, 0) {
            let names = [first, second, &opening.opening];
            fill(Row::begin(out, options.rows), names, &opening.counts, view);
        }
    }
}

/// True if there are pairs, or at least two games to estimate from.
fn is_estimated(counts: &PairCounts) -> bool {
    counts.pairs > 0 || counts.estimated_by.is_some() && counts.results() > 1
}

/// Separates a section from the one before it.
fn section(out: &mut Buffer) {
    if !out.is_empty() {
        out.push(b'\n');
    }
}

/// Lines of all games of a match.
fn games(out: &mut Buffer, report: &Match<'_>) {
    let total = &report.total;
    let (wins, draws, losses) = (total.wins, total.draws, total.losses);
    let _ = writeln!(out, "{}", opponents(report));
    let _ = writeln!(out, "games   {}", total.games);
    let _ = writeln!(out, "W-D-L   {wins}-{draws}-{losses}");
    let _ = writeln!(out, "points  {:.1} of {}", total.points, total.results());
}

/// `New against Base`
fn opponents(report: &Match<'_>) -> String {
    format!(
        "{} against {}",
        Escaped(&report.first),
        Escaped(&report.second)
    )
}

/// Number and names of the games without a partner, except of matches that are estimated by games.
fn unpaired(out: &mut Buffer, matches: &[Match<'_>]) {
    let is_of_pairs = |total: &PairCounts| total.pairs > 0 || !is_estimated(total);
    let of_pairs = matches.iter().filter(|report| is_of_pairs(&report.total));
    let unpaired = of_pairs
        .flat_map(|report| &report.openings)
        .flat_map(|opening| {
            let games = opening.unpaired_games.iter();
            games.map(move |game| (&opening.opening, game))
        });
    let count = unpaired.clone().count();
    if count == 0 {
        return;
    }
    section(out);
    let _ = writeln!(out, "unpaired games: {count}");
    for (opening, game) in unpaired.take(MOST_NAMED) {
        let [white, black] =
            [game.white, game.black].map(|name| Escaped(if name.is_empty() { "?" } else { name }));
        let _ = write!(out, "{white} - {black}");
        if !game.round.is_empty() {
            let _ = write!(out, ", round {}", Escaped(game.round));
        }
        let _ = writeln!(out, ": {}: {}", game.reason, Escaped(opening));
    }
    if let Some(more @ 1..) = count.checked_sub(MOST_NAMED) {
        let _ = writeln!(out, "({more} more; `--format json` names them)");
    }
}

/// `57.93 %`, and `-` for what is missing.
fn percent(rate: Option<f64>) -> String {
    rate.map_or("-".to_owned(), |rate| numbers::percent(rate, 2))
}

/// `+55.58 ± 27.65`, and `-` for what is missing.
fn with_error(elo: Option<f64>, error: Option<f64>) -> String {
    elo.map_or("-".to_owned(), |elo| numbers::elo_text(elo, error, 2))
}

/// Lines of the estimates of a match, from its pairs or, without pairs, from its games.
fn estimates(out: &mut Buffer, report: &Match<'_>, view: &PairView) {
    let counts = &report.total;
    if counts.pairs == 0 {
        let _ = writeln!(
            out,
            "Games of {}, without pairs (trinomial)",
            opponents(report)
        );
    } else {
        let [lost, half, one, more, won] = counts.pentanomial.counts;
        let split = counts.pentanomial.won_and_lost;
        let _ = writeln!(out, "Pairs of {}", opponents(report));
        let _ = writeln!(out, "pairs           {}", counts.pairs);
        let _ = writeln!(
            out,
            "pentanomial     {lost}, {half}, {one}, {more}, {won} ({split} of {one} won and lost)"
        );
    }
    let estimate = &counts.estimate;
    let elo = with_error(estimate.elo, estimate.elo_error_95);
    let normalized = with_error(estimate.normalized_elo, estimate.normalized_elo_error_95);
    let _ = writeln!(out, "score           {}", percent(estimate.score));
    if counts.pairs > 0 {
        let _ = writeln!(out, "pair draw rate  {}", percent(estimate.pair_draw_rate));
    }
    let _ = writeln!(out, "Elo             {elo}");
    let _ = writeln!(out, "normalized Elo  {normalized}");
    let _ = writeln!(out, "LOS             {}", percent(estimate.los));
    if let Some(test) = test(counts, view) {
        let _ = writeln!(out, "LLR             {test}");
    }
}

/// `0.31 (-2.94, 2.94) [0, 5] normalized: neither accepted`; `None` without a test, as for the
/// total of a gauntlet.
fn test(counts: &PairCounts, view: &PairView) -> Option<String> {
    let sprt = view.sprt?;
    let verdict: &str = counts.accepted?.into();
    let [low, high] = sprt.bounds();
    let Sprt { elo0, elo1, .. } = sprt;
    let llr = counts.llr.map_or("-".to_owned(), |llr| format!("{llr:.2}"));
    let model: &str = sprt.model.into();
    Some(format!(
        "{llr} ({low:.2}, {high:.2}) [{elo0}, {elo1}] {model}: {verdict} accepted"
    ))
}

/// A line for each match, which is printed when it changes.
pub(super) fn match_lines(document: &PairsDocument<'_>, view: &PairView) -> Buffer {
    let mut out = Buffer::default();
    for report in &document.matches {
        let PairCounts { games, pairs, .. } = report.total;
        let estimate = &report.total.estimate;
        let elo = with_error(estimate.elo, estimate.elo_error_95);
        let opponents = opponents(report);
        let _ = write!(out, "{opponents}: games {games}, pairs {pairs}, Elo {elo}");
        if let Some(test) = test(&report.total, view) {
            let _ = write!(out, ", LLR {test}");
        }
        out.push(b'\n');
    }
    out
}

/// A line for each opening, whose name stands last, as it may be long.
fn table(out: &mut Buffer, openings: &[&MatchOpening<'_>], left_out: usize) {
    if openings.is_empty() {
        return;
    }
    section(out);
    const NAMES: [&str; 9] = ["games", "pairs", "0", "½", "1", "1½", "2", "score", "Elo"];
    let mut lines = vec![NAMES.map(str::to_owned)];
    for opening in openings {
        let counts = &opening.counts;
        let [lost, half, one, more, won] = counts.pentanomial.counts.map(|n| n.to_string());
        let score = percent(counts.estimate.score);
        let elo = with_error(counts.estimate.elo, counts.estimate.elo_error_95);
        let pairs = counts.pairs.to_string();
        let games = counts.games.to_string();
        lines.push([games, pairs, lost, half, one, more, won, score, elo]);
    }
    let widths: [usize; 9] = std::array::from_fn(|nth| {
        let cells = lines.iter().map(|line| line[nth].chars().count());
        cells.max().unwrap_or(0)
    });
    let names = openings.iter().map(|opening| &*opening.opening);
    for (line, name) in lines.iter().zip(["opening"].into_iter().chain(names)) {
        for (cell, width) in line.iter().zip(widths) {
            let _ = write!(out, "{cell:>width$}  ");
        }
        let _ = writeln!(out, "{}", Escaped(name));
    }
    if left_out > 0 {
        let _ = writeln!(out, "({left_out} openings left out)");
    }
}

/// Appends the row of an opening of two players, or of their whole match.
fn fill(
    mut row: Row<'_>,
    [first, second, opening]: [&str; 3],
    counts: &PairCounts,
    view: &PairView,
) {
    row.text("first", first);
    row.text("second", second);
    row.text("opening", Some(opening).filter(|text| !text.is_empty()));
    row.number("games", counts.games);
    row.number("unpaired", counts.unpaired);
    row.number("pairs", counts.pairs);
    let names = [
        "points_0",
        "points_0_5",
        "points_1",
        "points_1_5",
        "points_2",
    ];
    for (name, count) in names.into_iter().zip(counts.pentanomial.counts) {
        row.number(name, count);
    }
    row.number("won_and_lost", counts.pentanomial.won_and_lost);
    let estimate = &counts.estimate;
    row.fraction("score", estimate.score);
    row.fraction("pair_draw_rate", estimate.pair_draw_rate);
    for (name, value, interval) in [
        ("elo", estimate.elo, estimate.elo_interval_95),
        (
            "normalized_elo",
            estimate.normalized_elo,
            estimate.normalized_elo_interval_95,
        ),
    ] {
        row.fraction(name, value);
        add_interval(&mut row, name, interval);
    }
    row.fraction("los", estimate.los);
    if let Some(sprt) = view.sprt {
        row.fraction("llr", counts.llr);
        add_interval(&mut row, "llr", Some(sprt.bounds()));
        row.word("accepted", counts.accepted.map(<&str>::from));
    }
    row.number("wins", counts.wins);
    row.number("draws", counts.draws);
    row.number("losses", counts.losses);
    row.fraction("points", counts.points);
    row.word("estimated_by", counts.estimated_by);
    row.end();
}
