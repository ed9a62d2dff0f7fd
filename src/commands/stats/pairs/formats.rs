//! Output formats of pairs: sentences and tables, and CSV.

use std::fmt::Write;

use crate::commands::stats::count::GroupFilter;
use crate::commands::stats::formats::{FormatName, rounded};
use crate::commands::stats::pairs::document::{Document, Numbers};
use crate::commands::stats::pairs::games::Matches;
use crate::commands::stats::pairs::report::{MatchReport, OpeningReport, PairCounts, PairView};
use crate::report::escape::{Cells, Escaped};
use crate::report::rows::{Row, Rows};
use crate::report::{Buffer, json};

/// Unpaired games that sentences name; JSON names all.
const MOST_NAMED: usize = 20;

/// Options of the output.
pub(crate) struct PairOutput {
    pub(crate) format: FormatName,
    pub(crate) filter: GroupFilter,
    pub(crate) cells: Cells,
}

impl PairOutput {
    pub(crate) fn text(&self, matches: &Matches, view: &PairView) -> Buffer {
        let reports = view.reports(matches);
        let mut out = Buffer::default();
        match self.format {
            FormatName::Human => self.sentences(&mut out, &reports, view),
            FormatName::Csv => self.rows(&mut out, &reports, view),
            FormatName::Json => {
                out.push_str(&json::pretty(&Document::new(matches, &reports, view)));
                out.push_str("\n");
            }
        }
        out
    }

    /// Openings that are shown, and the number of the others.
    fn openings<'r, 'a>(&self, report: &'r MatchReport<'a>) -> (Vec<&'r OpeningReport<'a>>, usize) {
        let enough = |opening: &&OpeningReport<'_>| opening.counts.games >= self.filter.min_games;
        let mut openings: Vec<_> = report.openings.iter().filter(enough).collect();
        if let Some(top) = self.filter.top {
            openings.sort_by_key(|opening| std::cmp::Reverse(opening.counts.games));
            openings.truncate(top);
        }
        let left_out = report.openings.len() - openings.len();
        (openings, left_out)
    }

    fn sentences(&self, out: &mut Buffer, reports: &[MatchReport<'_>], view: &PairView) {
        let paired = reports
            .iter()
            .filter(|report| report.total.pentanomial.pairs() > 0);
        let mut is_first = true;
        for report in paired {
            if !std::mem::take(&mut is_first) {
                out.push(b'\n');
            }
            let [first, second] = report.players.map(Escaped);
            let _ = writeln!(out, "Pairs of {first} against {second}");
            total(out, &report.total, view);
            out.push(b'\n');
            let (openings, left_out) = self.openings(report);
            table(out, &openings, left_out);
        }
        if is_first {
            out.push_str("No pairs\n");
        }
        let openings = reports.iter().flat_map(|report| &report.openings);
        let unpaired = openings.flat_map(|opening| {
            opening
                .unpaired
                .iter()
                .map(move |game| (opening.opening, game))
        });
        let count = unpaired.clone().count();
        let _ = writeln!(out, "\nunpaired games: {count}");
        for (opening, game) in unpaired.take(MOST_NAMED) {
            let name = |name| match name {
                "" => "?".to_owned(),
                name => Escaped(name).to_string(),
            };
            let _ = write!(out, "{} - {}", name(game.white), name(game.black));
            if !game.game.round.is_empty() {
                let _ = write!(out, ", round {}", Escaped(&game.game.round));
            }
            let _ = writeln!(out, ": {}: {}", game.reason, Escaped(opening));
        }
        if let Some(more @ 1..) = count.checked_sub(MOST_NAMED) {
            let _ = writeln!(out, "({more} more; `--format json` names them)");
        }
    }

    fn rows(&self, out: &mut Buffer, reports: &[MatchReport<'_>], view: &PairView) {
        write_row(
            out,
            Rows::Header,
            ["", ""],
            "",
            &PairCounts::default(),
            view,
        );
        let rows = Rows::Csv(self.cells);
        for report in reports {
            write_row(out, rows, report.players, "", &report.total, view);
            for opening in self.openings(report).0 {
                write_row(
                    out,
                    rows,
                    report.players,
                    opening.opening,
                    &opening.counts,
                    view,
                );
            }
        }
    }
}

/// `57.93 %`
fn percent(rate: f64) -> String {
    format!("{:.2} %", 100.0 * rate)
}

/// `+55.58 ± 27.65`, and `-` for what is missing.
fn with_error(value: Option<f64>, interval: Option<[f64; 2]>) -> String {
    match (value, interval) {
        (Some(value), Some([low, high])) => format!("{value:+.2} ± {:.2}", (high - low) / 2.0),
        (Some(value), None) => format!("{value:+.2}"),
        (None, _) => "-".to_owned(),
    }
}

/// Lines of all pairs of a match.
fn total(out: &mut Buffer, counts: &PairCounts, view: &PairView) {
    let pairs = &counts.pentanomial;
    let _ = writeln!(out, "pairs           {}", pairs.pairs());
    let [lost, half, one, more, won] = pairs.counts;
    let split = pairs.won_and_lost;
    let _ = writeln!(
        out,
        "pentanomial     {lost}, {half}, {one}, {more}, {won} ({split} of {one} won and lost)"
    );
    let Some(estimate) = counts.estimate else {
        return;
    };
    let elo = with_error(estimate.elo, estimate.elo_95);
    let normalized = with_error(estimate.normalized_elo, estimate.normalized_elo_95);
    let los = estimate.los.map_or("-".to_owned(), percent);
    let _ = writeln!(out, "score           {}", percent(estimate.score));
    let _ = writeln!(out, "pair draw rate  {}", percent(estimate.pair_draw_rate));
    let _ = writeln!(out, "Elo             {elo}");
    let _ = writeln!(out, "normalized Elo  {normalized}");
    let _ = writeln!(out, "LOS             {los}");
    if let Some(sprt) = view.sprt {
        let [low, high] = sprt.bounds();
        let [elo0, elo1] = sprt.elo;
        let (llr, verdict) = match counts.llr {
            Some(llr) => (format!("{:.2}", llr.llr), llr.verdict.to_string()),
            None => ("-".to_owned(), "neither".to_owned()),
        };
        let _ = writeln!(
            out,
            "LLR             {llr} ({low:.2}, {high:.2}) [{elo0}, {elo1}] {}: {verdict} accepted",
            view.model.as_str()
        );
    }
}

/// A line for each opening, which stands last, as it may be long.
fn table(out: &mut Buffer, openings: &[&OpeningReport<'_>], left_out: usize) {
    const NAMES: [&str; 9] = ["games", "pairs", "0", "½", "1", "1½", "2", "score", "Elo"];
    let mut lines = vec![NAMES.map(str::to_owned)];
    for opening in openings {
        let counts = &opening.counts;
        let [lost, half, one, more, won] = counts.pentanomial.counts.map(|n| n.to_string());
        let (score, elo) = match &counts.estimate {
            Some(estimate) => (
                percent(estimate.score),
                with_error(estimate.elo, estimate.elo_95),
            ),
            None => ("-".to_owned(), "-".to_owned()),
        };
        let pairs = counts.pentanomial.pairs().to_string();
        let games = counts.games.to_string();
        lines.push([games, pairs, lost, half, one, more, won, score, elo]);
    }
    let widths: [usize; 9] = std::array::from_fn(|nth| {
        let cells = lines.iter().map(|line| line[nth].chars().count());
        cells.max().unwrap_or(0)
    });
    let names = openings.iter().map(|opening| opening.opening);
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

/// Appends the row of an opening, or of a whole match.
fn write_row(
    out: &mut Buffer,
    rows: Rows,
    [first, second]: [&str; 2],
    opening: &str,
    counts: &PairCounts,
    view: &PairView,
) {
    let mut row = Row::begin(out, rows);
    row.text("first", first);
    row.text("second", second);
    row.text("opening", opening);
    row.number("games", counts.games);
    row.number("unpaired", counts.unpaired());
    row.number("pairs", counts.pentanomial.pairs());
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
    let numbers = Numbers::of(counts);
    row.fraction("score", numbers.score);
    row.fraction("pair_draw_rate", numbers.pair_draw_rate);
    let mut with_interval = |name: &str, value: Option<f64>, interval: Option<[f64; 2]>| {
        row.fraction(name, value);
        row.fraction(&format!("{name}_low"), interval.map(|[low, _]| low));
        row.fraction(&format!("{name}_high"), interval.map(|[_, high]| high));
    };
    with_interval("elo", numbers.elo, numbers.elo_interval_95);
    with_interval(
        "normalized_elo",
        numbers.normalized_elo,
        numbers.normalized_elo_interval_95,
    );
    row.fraction("los", numbers.los);
    if let Some(sprt) = view.sprt {
        let [low, high] = sprt.bounds().map(rounded);
        row.fraction("llr", numbers.llr);
        row.fraction("llr_low", low);
        row.fraction("llr_high", high);
        let accepted = counts.llr.map(|llr| llr.verdict.to_string());
        row.word("accepted", accepted.as_deref());
    }
    row.end();
}
