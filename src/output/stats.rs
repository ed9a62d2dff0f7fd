//! Tallies: the table for people, CSV and JSON.

use std::fmt::Write;

use serde::Serialize;

use crate::judge::tally::{CutPercent, Tally};

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

/// The machine form of a tally. Rates are from 0 to 1, rounded to six places, and missing where no game has a result.
#[derive(Serialize)]
struct Machine {
    games: u64,
    white: u64,
    black: u64,
    draws: u64,
    unfinished: u64,
    other: u64,
    unreadable: u64,
    white_score: Option<f64>,
    draw_rate: Option<f64>,
    interval_95: Option<[f64; 2]>,
}

impl Machine {
    fn of(tally: &Tally) -> Machine {
        let rounded = |rate: f64| (rate * 1e6).round() / 1e6;
        Machine {
            games: tally.games(),
            white: tally.white,
            black: tally.black,
            draws: tally.draws,
            unfinished: tally.unfinished,
            other: tally.other,
            unreadable: tally.unreadable,
            white_score: tally.white_score().map(rounded),
            draw_rate: tally.draw_rate().map(rounded),
            interval_95: tally.interval_95().map(|interval| interval.map(rounded)),
        }
    }
}

/// One JSON object.
pub fn json(tally: &Tally) -> String {
    // A structure of numbers always has a JSON form.
    let mut out = serde_json::to_string_pretty(&Machine::of(tally)).unwrap_or_default();
    out.push('\n');
    out
}

/// A header and one row; the interval takes two columns.
pub fn csv(tally: &Tally) -> String {
    let machine = Machine::of(tally);
    let rate = |rate: Option<f64>| rate.map_or_else(String::new, |rate| rate.to_string());
    let [low, high] = machine
        .interval_95
        .map_or([None; 2], |interval| interval.map(Some));
    let row = [
        ("games", machine.games.to_string()),
        ("white", machine.white.to_string()),
        ("black", machine.black.to_string()),
        ("draws", machine.draws.to_string()),
        ("unfinished", machine.unfinished.to_string()),
        ("other", machine.other.to_string()),
        ("unreadable", machine.unreadable.to_string()),
        ("white_score", rate(machine.white_score)),
        ("draw_rate", rate(machine.draw_rate)),
        ("interval_95_low", rate(low)),
        ("interval_95_high", rate(high)),
    ];
    let mut writer = csv::Writer::from_writer(Vec::new());
    // Writing to memory does not fail.
    let _ = writer.write_record(row.iter().map(|(name, _)| name));
    let _ = writer.write_record(row.iter().map(|(_, value)| value));
    String::from_utf8(writer.into_inner().unwrap_or_default()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let tally = Tally {
            unfinished: 2,
            ..Tally::default()
        };
        assert!(json(&tally).contains("\"white_score\": null"));
        assert!(csv(&tally).ends_with("2,0,0,0,2,0,0,,,,\n"));
        assert!(table(&tally).ends_with("Draws  0 (0.00 %)\n\nwithout result: 2\n"));
    }
}
