//! Charts of wins, draws and losses in SVG: a bar for each group, or shares over an ordered key.
//!
//! White, grey and black are legible in black and white, and every part that is wide enough has its
//! share as text.

mod bars;
mod pen;
mod trend;

use std::path::{Path, PathBuf};

use clap::ValueEnum;

use crate::commands::stats::count::{GroupFilter, Key, Statistics};
use crate::commands::stats::formats::chart::pen::{
    Anchor, BLACK, LINE, MARGIN, PARTS, Pen, SMALL, TEXT, TITLE, width_of,
};
use crate::error::Error;
use crate::report::OutputFile;

/// Value of `--chart`.
pub(crate) fn chart_file(text: &str) -> Result<PathBuf, String> {
    let path = Path::new(text);
    let is = |end: &str| {
        path.extension()
            .is_some_and(|it| it.eq_ignore_ascii_case(end))
    };
    if is("svg") {
        Ok(path.to_owned())
    } else if is("png") {
        Err("charts are drawn as SVG, not as PNG: the name of a chart ends with `.svg`".to_owned())
    } else {
        Err("the name of a chart ends with `.svg`".to_owned())
    }
}

/// Value of `--chart-kind`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum ChartKind {
    /// A bar for each group
    Bars,
    /// Stacked shares over year, month, elo, elo-diff or plies
    Trend,
}

impl ChartKind {
    /// Kind of chart for groups by some keys: a trend if they have an order and are shown in it.
    pub(crate) fn usual(keys: &[Key], filter: GroupFilter) -> ChartKind {
        if ChartKind::Trend.shows(keys) && filter.top.is_none() {
            ChartKind::Trend
        } else {
            ChartKind::Bars
        }
    }

    /// True if it can show groups by some keys.
    pub(crate) fn shows(self, keys: &[Key]) -> bool {
        match (self, keys) {
            (ChartKind::Bars, _) => true,
            (ChartKind::Trend, [key]) => key.scale().is_some(),
            (ChartKind::Trend, _) => false,
        }
    }
}

/// Options of a chart.
pub(crate) struct ChartOptions {
    /// The file, which is created first: a path that cannot be written fails at once.
    pub(crate) file: OutputFile,
    pub(crate) kind: ChartKind,
    pub(crate) filter: GroupFilter,
    /// Width of the picture, in pixels.
    pub(crate) width: u32,
    /// Line on the origin of the games.
    pub(crate) source: String,
}

/// Heights of the rows of text around the bars or columns, in pixels.
const TITLE_ROW: i32 = 30;
const TOTAL: i32 = 20;
const LEGEND: i32 = 30;
const NOTE: i32 = 22;

/// Bars or columns on a picture.
struct Drawn {
    /// Their lower end, with the axis.
    bottom: i32,
    /// Groups left out.
    left_out: usize,
    /// Games whose value of the key is unknown.
    unknown: u64,
}

/// Draws a chart, after the end of the output: both may be FIFOs, read one after the other.
pub(crate) fn draw(statistics: &Statistics, options: ChartOptions) -> Result<(), Error> {
    let keys = &statistics.plan.keys[..];
    let names = names(keys);
    let mut pen = Pen::new(options.width as i32);
    let title = match &names[..] {
        [] => "Results".to_owned(),
        names => format!("Results by {}", names.join(" and ")),
    };
    pen.row(&title, MARGIN + TITLE_ROW / 2, TITLE, BLACK);
    let top = MARGIN + TITLE_ROW;
    pen.row(&total(statistics), top + TOTAL / 2, TEXT, BLACK);
    legend(&mut pen, keys, top + TOTAL + LEGEND / 2);
    let top = top + TOTAL + LEGEND;
    let (whole, filter) = (&statistics.whole, options.filter);
    let scale = match keys {
        [key] if options.kind == ChartKind::Trend => key.scale().map(|scale| (key, scale)),
        _ => None,
    };
    let drawn = match scale {
        Some(scale) => trend::draw(&mut pen, whole, scale, filter, top),
        None => bars::draw(&mut pen, whole, keys, filter, top),
    };
    let mut middle = drawn.bottom + NOTE / 2;
    for note in omissions(&drawn, &names).iter().chain([&options.source]) {
        pen.row(note, middle, SMALL, LINE);
        middle += NOTE;
    }
    let picture = pen.finish(middle - NOTE / 2 + MARGIN);
    options.file.commit_all(picture.as_bytes())
}

fn names(keys: &[Key]) -> Vec<String> {
    keys.iter().map(name).collect()
}

fn name(key: &Key) -> String {
    match key {
        Key::EloDiff => "rating difference (White − Black)".to_owned(),
        key => key.to_string(),
    }
}

/// Name of a group: `-249..-150` is `−249 to −150`.
fn label(key: &Key, value: &str) -> String {
    match key {
        _ if value.is_empty() => "unknown".to_owned(),
        Key::Elo | Key::EloDiff | Key::Plies => value.replace('-', "−").replace("..", " to "),
        _ => value.to_owned(),
    }
}

fn legend(pen: &mut Pen, keys: &[Key], middle: i32) {
    let names = if keys.contains(&Key::Player) {
        ["won", "drawn", "lost"]
    } else {
        ["White won", "drawn", "Black won"]
    };
    let mut x = MARGIN;
    for (name, (color, _)) in names.into_iter().zip(PARTS) {
        pen.boxed((x, middle - 7), (x + 22, middle + 7), color, BLACK);
        pen.text(name, (x + 28, middle), TEXT, Anchor::Start, BLACK);
        x += 28 + width_of(name, TEXT) + 24;
    }
}

/// `2 groups left out; 3 games of unknown year left out`
fn omissions(drawn: &Drawn, names: &[String]) -> Option<String> {
    let mut omissions = Vec::new();
    if drawn.left_out > 0 {
        omissions.push(format!(
            "{} left out",
            counted(drawn.left_out as u64, "group")
        ));
    }
    if drawn.unknown > 0 {
        let games = counted(drawn.unknown, "game");
        omissions.push(format!("{games} of unknown {} left out", names[0]));
    }
    (!omissions.is_empty()).then(|| omissions.join("; "))
}

/// `1 game`, `2 games`.
fn counted(number: u64, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

/// `Total: 5 games; 1 with no or another result`
fn total(statistics: &Statistics) -> String {
    let tally = statistics.tally();
    let total = format!("Total: {}", counted(tally.decided(), "game"));
    match tally.games() - tally.decided() {
        0 => total,
        more => format!("{total}; {more} with no or another result"),
    }
}
