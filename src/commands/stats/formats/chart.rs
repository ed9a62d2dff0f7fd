//! Chart with a bar of wins, draws and losses for each group.
//!
//! White, grey and black are legible in black and white, and every part that is wide enough has its
//! share as text. The font is part of the program.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{FontStyle, RGBColor, register_font};

use crate::commands::stats::count::{Counts, Group, GroupFilter, Key, Statistics};
use crate::commands::stats::formats::table::{shares, shortened};
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

/// Limit for the number of bars.
const MOST_BARS: usize = 200;
/// In pixels, like all lengths here.
const WIDTH: u32 = 960;
const MARGIN: i32 = 16;
const TITLE: i32 = 30;
const LEGEND: i32 = 26;
const AXIS: i32 = 20;
/// Between the bars and the column of games: half of `100 %` reaches into it.
const GAP: i32 = 30;
const FONT: &str = "monospace";
const WIN: RGBColor = RGBColor(255, 255, 255);
const DRAW: RGBColor = RGBColor(170, 170, 170);
const LOSS: RGBColor = RGBColor(38, 38, 38);
const LINE: RGBColor = RGBColor(110, 110, 110);

/// Chart.
struct Chart {
    title: String,
    /// Names of the three parts.
    parts: [&'static str; 3],
    bars: Vec<Bar>,
    left_out: usize,
}

struct Bar {
    name: String,
    /// Won, drawn, lost.
    counts: [u64; 3],
    games: u64,
}

impl Bar {
    fn new(name: String, counts: &Counts) -> Bar {
        let record = counts.record();
        Bar {
            name,
            games: record.iter().sum(),
            counts: record,
        }
    }
}

impl ChartFile {
    /// Draws a chart: its bytes.
    ///
    /// # Panics
    ///
    /// If the font that is part of the program cannot be used.
    pub(crate) fn draw(&self, statistics: &Statistics, choice: GroupFilter) -> Vec<u8> {
        // Registering it again does nothing.
        let font = register_font(FONT, FontStyle::Normal, epaint_default_fonts::HACK_REGULAR);
        assert!(font.is_ok(), "the font of the program can be read");
        let chart = Chart::new(statistics, choice);
        let size = (WIDTH, chart.height());
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
    fn new(statistics: &Statistics, choice: GroupFilter) -> Chart {
        let keys = &statistics.plan.keys;
        let names: Vec<_> = keys.iter().map(Key::to_string).collect();
        let mut chart = Chart {
            title: match names.is_empty() {
                true => "Results".to_owned(),
                false => format!("Results by {}", names.join(" and ")),
            },
            parts: match keys.contains(&Key::Player) {
                true => ["won", "drawn", "lost"],
                false => ["White won", "drawn", "Black won"],
            },
            bars: Vec::new(),
            left_out: 0,
        };
        chart.collect(&statistics.whole, keys, choice, "");
        chart.limit();
        chart
    }

    /// The innermost groups.
    fn collect(&mut self, group: &Group, keys: &[Key], choice: GroupFilter, name: &str) {
        let Some((key, rest)) = keys.split_first() else {
            let name = if name.is_empty() { "all games" } else { name };
            self.bars.push(Bar::new(name.to_owned(), &group.counts));
            return;
        };
        let chosen = choice.of(key, group);
        self.left_out += chosen.left_out;
        for (value, group) in chosen.groups {
            let value = if value.is_empty() { "unknown" } else { value };
            let between = if name.is_empty() { "" } else { " / " };
            self.collect(group, rest, choice, &format!("{name}{between}{value}"));
        }
    }

    /// Leaves out those with the fewest games where there are too many.
    fn limit(&mut self) {
        if self.bars.len() > MOST_BARS {
            let mut games: Vec<_> = self.bars.iter().map(|bar| bar.games).collect();
            games.sort_unstable_by(|a, b| b.cmp(a));
            let least = games[MOST_BARS - 1];
            let mut room = MOST_BARS - games.iter().filter(|&&games| games > least).count();
            let before = self.bars.len();
            self.bars.retain(|bar| {
                let fits = bar.games > least || bar.games == least && room > 0;
                room -= usize::from(fits && bar.games == least);
                fits
            });
            self.left_out += before - self.bars.len();
        }
    }

    /// How far apart bars are: few of them may be thicker.
    fn pitch(&self) -> i32 {
        (240 / self.bars.len().max(1) as i32).clamp(24, 44)
    }

    fn height(&self) -> u32 {
        let bars = self.bars.len() as i32 * self.pitch();
        let note = if self.left_out > 0 { 22 } else { 0 };
        (2 * MARGIN + TITLE + LEGEND + AXIS + bars + AXIS + note) as u32
    }

    /// Draws everything. Both backends write to memory and do not fail.
    fn draw<B: DrawingBackend>(&self, area: &DrawingArea<B, Shift>) {
        let mut pen = Pen { area };
        pen.fill((0, 0), (WIDTH as i32, self.height() as i32), WHITE);
        pen.text(
            &self.title,
            (MARGIN, MARGIN + TITLE / 2),
            24,
            HPos::Left,
            BLACK,
        );
        self.legend(&mut pen, MARGIN + TITLE);

        let small = 15;
        let names: Vec<_> = self
            .bars
            .iter()
            .map(|bar| shortened(&in_xml(&Escaped(&bar.name).to_string()), 34))
            .collect();
        let games: Vec<_> = self.bars.iter().map(|bar| bar.games.to_string()).collect();
        let widest = |texts: &[String]| {
            texts
                .iter()
                .map(|text| pen.width(text, small))
                .max()
                .unwrap_or(0)
        };
        let left = MARGIN + widest(&names) + 8;
        let right = WIDTH as i32 - MARGIN - widest(&games).max(pen.width("games", small)) - GAP;
        let top = MARGIN + TITLE + LEGEND + AXIS;
        let bottom = top + self.bars.len() as i32 * self.pitch();
        for quarter in 0..=4 {
            let x = left + (right - left) * quarter / 4;
            pen.line((x, top - 3), (x, bottom + 3), LINE);
            let label = format!("{} %", quarter * 25);
            for y in [top - AXIS / 2 - 2, bottom + AXIS / 2 + 2] {
                pen.text(&label, (x, y), 13, HPos::Center, LINE);
            }
        }
        let end = WIDTH as i32 - MARGIN;
        pen.text("games", (end, top - AXIS / 2 - 2), 13, HPos::Right, LINE);
        for (nth, bar) in self.bars.iter().enumerate() {
            let middle = top + nth as i32 * self.pitch() + self.pitch() / 2;
            pen.text(&names[nth], (left - 8, middle), small, HPos::Right, BLACK);
            pen.text(&games[nth], (end, middle), small, HPos::Right, BLACK);
            self.bar(&mut pen, bar, [left, right], middle);
        }
        if self.left_out > 0 {
            let plural = if self.left_out == 1 { "" } else { "s" };
            let note = format!("{} group{plural} left out", self.left_out);
            pen.text(&note, (left, bottom + AXIS + 11), 13, HPos::Left, LINE);
        }
        // Both backends write to memory.
        let _ = area.present();
    }

    fn legend<B: DrawingBackend>(&self, pen: &mut Pen<'_, B>, top: i32) {
        let mut x = MARGIN;
        let middle = top + LEGEND / 2;
        for (part, color) in self.parts.into_iter().zip([WIN, DRAW, LOSS]) {
            pen.boxed((x, middle - 7), (x + 22, middle + 7), color);
            pen.text(part, (x + 28, middle), 15, HPos::Left, BLACK);
            x += 28 + pen.width(part, 15) + 24;
        }
    }

    fn bar<B: DrawingBackend>(
        &self,
        pen: &mut Pen<'_, B>,
        bar: &Bar,
        [left, right]: [i32; 2],
        middle: i32,
    ) {
        let half = self.pitch() * 3 / 8;
        if bar.games == 0 {
            pen.line((left, middle), (right, middle), LINE);
            return;
        }
        let widths = shares(bar.counts, (right - left) as u64);
        let mut x = left;
        for ((wide, count), (color, ink)) in
            widths
                .into_iter()
                .zip(bar.counts)
                .zip([(WIN, BLACK), (DRAW, BLACK), (LOSS, WHITE)])
        {
            let end = x + wide as i32;
            pen.fill((x, middle - half), (end, middle + half), color);
            let label = format!("{:.0} %", count as f64 * 100.0 / bar.games as f64);
            if pen.width(&label, 14) + 6 <= wide as i32 {
                pen.text(&label, ((x + end) / 2, middle), 14, HPos::Center, ink);
            }
            if x > left && wide > 0 {
                pen.line((x, middle - half), (x, middle + half), BLACK);
            }
            x = end;
        }
        pen.frame((left, middle - half), (right, middle + half));
    }
}

/// Draws in an area; memory backends do not fail.
struct Pen<'a, B: DrawingBackend> {
    area: &'a DrawingArea<B, Shift>,
}

impl<B: DrawingBackend> Pen<'_, B> {
    fn fill(&mut self, from: (i32, i32), to: (i32, i32), color: RGBColor) {
        let _ = self.area.draw(&Rectangle::new([from, to], color.filled()));
    }

    fn frame(&mut self, from: (i32, i32), to: (i32, i32)) {
        let _ = self
            .area
            .draw(&Rectangle::new([from, to], BLACK.stroke_width(1)));
    }

    fn boxed(&mut self, from: (i32, i32), to: (i32, i32), color: RGBColor) {
        self.fill(from, to, color);
        self.frame(from, to);
    }

    fn line(&mut self, from: (i32, i32), to: (i32, i32), color: RGBColor) {
        let _ = self
            .area
            .draw(&PathElement::new([from, to], color.stroke_width(1)));
    }

    /// Writes a text beside a place: to its right or left, or around it, and at its height.
    fn text(&mut self, text: &str, at: (i32, i32), size: i32, side: HPos, color: RGBColor) {
        let style = (FONT, size).into_font().color(&color);
        let style = style.pos(Pos::new(side, VPos::Center));
        // The backends centre small letters; capitals and figures are taller.
        let at = (at.0, at.1 + (size + 2) / 8);
        let _ = self.area.draw_text(text, &style, at);
    }

    fn width(&self, text: &str, size: i32) -> i32 {
        let style = (FONT, size).into_font().into_text_style(self.area);
        self.area
            .estimate_text_size(text, &style)
            .map_or(0, |(width, _)| width as i32)
    }
}
