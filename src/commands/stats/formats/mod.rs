//! Statistics: tables for people, CSV, JSON, charts.

mod bar;
pub mod chart;
mod columns;
mod compare;
mod csv;
mod draws;
mod groups;
mod json;

use std::fmt::Write;

use crate::commands::stats::tally::{Counts, CutPercent, Rate, Tally};

pub use compare::{Comparison, Row, compare};
pub use csv::csv;
pub use draws::draws;
pub use groups::groups;
pub use json::{json, read};

/// The table of BrainKing's chess page; below it, where there are any, the games its percentages leave out.
pub fn table(tally: &Tally) -> String {
    let mut out = String::from("Statistics of won games\n");
    let rows = [
        ("white", tally.white),
        ("black", tally.black),
        ("Draws", tally.draws),
    ];
    let width = rows
        .iter()
        .map(|(_, count)| count.to_string().len())
        .max()
        .unwrap_or(0);
    for (label, count) in rows {
        let percent = CutPercent::of(count, tally.decided());
        let _ = writeln!(out, "{label}  {count:>width$} ({percent})");
    }
    let apart = [
        ("without result", tally.unfinished),
        ("other results", tally.other),
        ("unreadable", tally.unreadable),
    ];
    if apart.iter().any(|&(_, count)| count > 0) {
        out.push('\n');
        for (label, count) in apart.into_iter().filter(|&(_, count)| count > 0) {
            let _ = writeln!(out, "{label}: {count}");
        }
    }
    out
}

/// Below the table of results by the rules: how many of them are not those on record.
pub fn ruled(counts: &Counts) -> String {
    let mut out = format!("\nchanged by the rules: {}\n", counts.changed);
    if counts.undecided > 0 {
        let _ = writeln!(out, "undecided, as recorded: {}", counts.undecided);
    }
    out
}

/// Rounded to six places: nobody wants more of a rate, and the text is the same on every machine.
fn rounded(rate: f64) -> f64 {
    (rate * 1e6).round() / 1e6
}

fn rounded_interval(rate: Rate) -> [f64; 2] {
    rate.interval.map(rounded)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::stats::tally::{Choice, Statistics};
    use crate::report::escape::Cells;

    #[test]
    fn the_table_of_the_source_page_comes_out_as_it_stands_there() {
        let tally = Tally {
            white: 230_424,
            black: 225_400,
            draws: 25_375,
            ..Tally::default()
        };
        assert_eq!(
            table(&tally),
            "Statistics of won games\n\
             white  230424 (47.88 %)\n\
             black  225400 (46.84 %)\n\
             Draws   25375 (5.27 %)\n"
        );
    }

    #[test]
    fn rates_are_missing_where_no_game_has_a_result() {
        let mut statistics = Statistics::default();
        statistics.whole.counts.tally.unfinished = 2;
        let all = Choice::default();
        assert!(json(&statistics, all).contains("\"white_score\": null"));
        assert!(csv(&statistics, all, Cells::Exact).ends_with("2,0,0,0,2,0,0,,,,,,\n"));
        assert!(table(statistics.tally()).ends_with("Draws  0 (0.00 %)\n\nwithout result: 2\n"));
    }
}
