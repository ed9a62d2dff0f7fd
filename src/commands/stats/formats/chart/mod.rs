//! Charts of wins, draws and losses: a bar for each group, or shares over an ordered key.
//!
//! White, grey and black are legible in black and white, and every part that is wide enough has its
//! share as text. The font is part of the program.

mod bars;
mod pen;
mod trend;

use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::ValueEnum;
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::HPos;
use plotters::style::{FontStyle, register_font};

use crate::commands::stats::count::{GroupFilter, Key, Statistics};
use crate::commands::stats::formats::chart::bars::Bars;
use crate::commands::stats::formats::chart::pen::{
    FONT, LINE, MARGIN, PARTS, Pen, SMALL, TEXT, left_out,
};
use crate::commands::stats::formats::chart::trend::Trend;
use crate::report::escape::{Escaped, in_xml};

/// File of a chart, and its format.
#[derive(Clone, Debug)]
pub(crate) struct ChartFile {
    /// The file.
    pub path: PathBuf,
    form: Form,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Form {
    Svg,
    Png,
}

impl FromStr for ChartFile {
    type Err = String;

    fn from_str(text: &str) -> Result<ChartFile, String> {
        let ends = Path::new(text)
            .extension()
            .map(|end| end.to_string_lossy().to_lowercase());
        let form = match ends.as_deref() {
            Some("svg") => Form::Svg,
            Some("png") => Form::Png,
            _ => return Err("the name of a chart ends with `.svg` or `.png`".to_owned()),
        };
        Ok(ChartFile {
            path: PathBuf::from(text),
            form,
        })
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
        match ChartKind::Trend.shows(keys) && filter.top.is_none() {
            true => ChartKind::Trend,
            false => ChartKind::Bars,
        }
    }

    /// Whether it can show groups by some keys.
    pub(crate) fn shows(self, keys: &[Key]) -> bool {
        match (self, keys) {
            (ChartKind::Bars, _) => true,
            (ChartKind::Trend, [key]) => key.steps().is_some(),
            (ChartKind::Trend, _) => false,
        }
    }
}

/// Options of a chart.
pub(crate) struct ChartOptions {
    pub(crate) kind: ChartKind,
    pub(crate) filter: GroupFilter,
    /// Width of the picture, in pixels.
    pub(crate) width: u32,
    /// Line on the origin of the games.
    pub(crate) source: String,
}

/// Heights of the rows of text around the bars or columns, in pixels.
const TITLE: i32 = 30;
const TOTAL: i32 = 20;
const LEGEND: i32 = 30;
const NOTE: i32 = 22;

/// Picture with its title, legend and notes.
struct Chart {
    title: String,
    /// Number of games.
    total: String,
    /// Names of the three parts.
    parts: [&'static str; 3],
    figure: Figure,
    /// Lines below: omissions, and the source.
    notes: Vec<String>,
    width: u32,
}

enum Figure {
    Bars(Bars),
    Trend(Trend),
}

impl ChartFile {
    /// Draws a chart: its bytes.
    ///
    /// # Panics
    ///
    /// If the font that is part of the program cannot be used.
    pub(crate) fn draw(&self, statistics: &Statistics, options: &ChartOptions) -> Vec<u8> {
        // Registering it again does nothing.
        let font = register_font(FONT, FontStyle::Normal, epaint_default_fonts::HACK_REGULAR);
        assert!(font.is_ok(), "the font of the program can be read");
        let chart = Chart::new(statistics, options);
        let size = (chart.width, chart.height() as u32);
        match self.form {
            Form::Svg => {
                let mut text = String::new();
                chart.draw(&SVGBackend::with_string(&mut text, size).into_drawing_area());
                text.into_bytes()
            }
            Form::Png => {
                let mut pixels = vec![0; 3 * size.0 as usize * size.1 as usize];
                chart.draw(&BitMapBackend::with_buffer(&mut pixels, size).into_drawing_area());
                png(&pixels, size)
            }
        }
    }
}

/// Encodes RGB pixels as PNG.
fn png(pixels: &[u8], (width, height): (u32, u32)) -> Vec<u8> {
    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder
        .write_header()
        .and_then(|mut writer| writer.write_image_data(pixels))
        .expect("writing to memory does not fail, and the pixels are as many as was said");
    out
}

impl Chart {
    fn new(statistics: &Statistics, options: &ChartOptions) -> Chart {
        let keys = &statistics.plan.keys;
        let names: Vec<_> = keys.iter().map(Key::to_string).collect();
        let bars = || Figure::Bars(Bars::new(statistics, options.filter));
        let figure = match options.kind {
            ChartKind::Bars => bars(),
            ChartKind::Trend => {
                Trend::new(statistics, options.filter).map_or_else(bars, Figure::Trend)
            }
        };
        let (omitted, unknown) = match &figure {
            Figure::Bars(bars) => (bars.left_out, 0),
            Figure::Trend(trend) => (trend.left_out, trend.unknown),
        };
        let unknown =
            (unknown > 0).then(|| format!("{} of unknown {} left out", games(unknown), names[0]));
        let omissions: Vec<_> = left_out(omitted).into_iter().chain(unknown).collect();
        let omissions = (!omissions.is_empty()).then(|| omissions.join("; "));
        Chart {
            title: match names.is_empty() {
                true => "Results".to_owned(),
                false => format!("Results by {}", names.join(" and ")),
            },
            total: total(statistics),
            parts: match keys.contains(&Key::Player) {
                true => ["won", "drawn", "lost"],
                false => ["White won", "drawn", "Black won"],
            },
            figure,
            notes: omissions
                .into_iter()
                .chain([options.source.clone()])
                .collect(),
            width: options.width,
        }
    }

    /// Height above the bars or columns.
    const TOP: i32 = MARGIN + TITLE + TOTAL + LEGEND;

    fn height(&self) -> i32 {
        let figure = match &self.figure {
            Figure::Bars(bars) => bars.height(),
            Figure::Trend(_) => Trend::height(),
        };
        Chart::TOP + figure + NOTE * self.notes.len() as i32 + MARGIN
    }

    /// Draws everything. Both backends write to memory and do not fail.
    fn draw<B: DrawingBackend>(&self, area: &DrawingArea<B, Shift>) {
        let (width, height) = (self.width as i32, self.height());
        let mut pen = Pen { area, width };
        let shown = |text: &str| in_xml(&Escaped(text).to_string());
        pen.fill((0, 0), (width, height), WHITE);
        pen.row(&shown(&self.title), MARGIN + TITLE / 2, 24, BLACK);
        pen.row(&self.total, MARGIN + TITLE + TOTAL / 2, TEXT, BLACK);
        self.legend(&mut pen, MARGIN + TITLE + TOTAL);
        match &self.figure {
            Figure::Bars(bars) => bars.draw(&mut pen, Chart::TOP),
            Figure::Trend(trend) => trend.draw(&mut pen, Chart::TOP),
        }
        let first = height - MARGIN - NOTE * self.notes.len() as i32;
        for (nth, note) in self.notes.iter().enumerate() {
            pen.row(
                &shown(note),
                first + NOTE * nth as i32 + NOTE / 2,
                SMALL,
                LINE,
            );
        }
        // Both backends write to memory.
        let _ = area.present();
    }

    fn legend<B: DrawingBackend>(&self, pen: &mut Pen<'_, B>, top: i32) {
        let mut x = MARGIN;
        let middle = top + LEGEND / 2;
        for (part, (color, _)) in self.parts.into_iter().zip(PARTS) {
            pen.boxed((x, middle - 7), (x + 22, middle + 7), color);
            pen.text(part, (x + 28, middle), TEXT, HPos::Left, BLACK);
            x += 28 + pen.width_of(part, TEXT) + 24;
        }
    }
}

/// `1 game`, `2 games`.
fn games(number: u64) -> String {
    format!("{number} game{}", if number == 1 { "" } else { "s" })
}

/// `Total: 5 games; 1 with no or another result`
fn total(statistics: &Statistics) -> String {
    let tally = statistics.tally();
    let total = format!("Total: {}", games(tally.decided()));
    match tally.games() - tally.decided() {
        0 => total,
        more => format!("{total}; {more} with no or another result"),
    }
}
