//! Shapes and texts on a drawing area, and the sizes and colours of charts.

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::RGBColor;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use crate::report::text_table::{shares, shortened};

/// In pixels, like all lengths here.
pub(super) const MARGIN: i32 = 16;
/// Height of a row with the labels of an axis.
pub(super) const AXIS: i32 = 20;
pub(super) const FONT: &str = "monospace";
/// Sizes of text.
pub(super) const TEXT: i32 = 15;
pub(super) const SMALL: i32 = 13;
pub(super) const LINE: RGBColor = RGBColor(110, 110, 110);
/// Colours of games won, drawn and lost, each with the colour of text on it.
pub(super) const PARTS: [(RGBColor, RGBColor); 3] = [
    (RGBColor(255, 255, 255), BLACK),
    (RGBColor(170, 170, 170), BLACK),
    (RGBColor(38, 38, 38), WHITE),
];

/// Draws in an area; memory backends do not fail.
pub(super) struct Pen<'a, B: DrawingBackend> {
    pub(super) area: &'a DrawingArea<B, Shift>,
    /// Width of the picture.
    pub(super) width: i32,
}

impl<B: DrawingBackend> Pen<'_, B> {
    pub(super) fn fill(&mut self, from: (i32, i32), to: (i32, i32), color: RGBColor) {
        let _ = self.area.draw(&Rectangle::new([from, to], color.filled()));
    }

    pub(super) fn frame(&mut self, from: (i32, i32), to: (i32, i32)) {
        let _ = self
            .area
            .draw(&Rectangle::new([from, to], BLACK.stroke_width(1)));
    }

    pub(super) fn boxed(&mut self, from: (i32, i32), to: (i32, i32), color: RGBColor) {
        self.fill(from, to, color);
        self.frame(from, to);
    }

    pub(super) fn line(&mut self, from: (i32, i32), to: (i32, i32), color: RGBColor) {
        let _ = self
            .area
            .draw(&PathElement::new([from, to], color.stroke_width(1)));
    }

    /// Writes a text beside a place: to its right or left, or around it, and at its height.
    pub(super) fn text(
        &mut self,
        text: &str,
        at: (i32, i32),
        size: i32,
        side: HPos,
        color: RGBColor,
    ) {
        let style = (FONT, size).into_font().color(&color);
        let style = style.pos(Pos::new(side, VPos::Center));
        // The backends centre small letters; capitals and figures are taller.
        let at = (at.0, at.1 + (size + 2) / 8);
        let _ = self.area.draw_text(text, &style, at);
    }

    /// Writes a text around a place, moved so that it is within the picture.
    pub(super) fn centered(&mut self, text: &str, (x, y): (i32, i32), size: i32, color: RGBColor) {
        let half = self.width_of(text, size) / 2 + 2;
        let x = x.min(self.width - half).max(half);
        self.text(text, (x, y), size, HPos::Center, color);
    }

    /// Writes a text from the left margin, cut to the width of the picture.
    pub(super) fn row(&mut self, text: &str, middle: i32, size: i32, color: RGBColor) {
        let text = self.cut(text, size, self.width - 2 * MARGIN);
        self.text(&text, (MARGIN, middle), size, HPos::Left, color);
    }

    /// Text, cut to a width.
    pub(super) fn cut(&self, text: &str, size: i32, width: i32) -> String {
        shortened(
            text,
            (width / self.width_of("0", size).max(1)).max(1) as usize,
        )
    }

    pub(super) fn width_of(&self, text: &str, size: i32) -> i32 {
        let style = (FONT, size).into_font().into_text_style(self.area);
        self.area
            .estimate_text_size(text, &style)
            .map_or(0, |(width, _)| width as i32)
    }

    pub(super) fn widest(&self, texts: &[String], size: i32) -> i32 {
        let widths = texts.iter().map(|text| self.width_of(text, size));
        widths.max().unwrap_or(0)
    }
}

/// A part of a bar: its place along the bar, its colours, and its share as text.
pub(super) struct Part {
    pub(super) from: i32,
    pub(super) to: i32,
    pub(super) color: RGBColor,
    pub(super) ink: RGBColor,
    pub(super) label: String,
}

/// Parts of a bar of some length, in the order won, drawn, lost.
pub(super) fn parts(record: [u64; 3], length: i32) -> impl Iterator<Item = Part> {
    let games: u64 = record.iter().sum();
    let mut from = 0;
    let lengths = shares(record, length.max(0) as u64);
    (0..3).map(move |nth| {
        let start = from;
        from += lengths[nth] as i32;
        let (color, ink) = PARTS[nth];
        Part {
            from: start,
            to: from,
            color,
            ink,
            label: format!("{:.0} %", record[nth] as f64 * 100.0 / games as f64),
        }
    })
}

/// `1 group left out`, `2 groups left out`.
pub(super) fn left_out(groups: usize) -> Option<String> {
    let plural = if groups == 1 { "" } else { "s" };
    (groups > 0).then(|| format!("{groups} group{plural} left out"))
}
