//! Shapes and texts of a picture in SVG, and the sizes and colours of charts.

use strum::IntoStaticStr;

use crate::report::append;
use crate::report::escape::{Escaped, Xml, in_xml, width};
use crate::report::text_table::{shares, shortened};

/// In pixels, like all lengths here.
pub(super) const MARGIN: i32 = 16;
/// Height of a row with the labels of an axis.
pub(super) const AXIS: i32 = 20;
/// Sizes of text.
pub(super) const TITLE: i32 = 19;
pub(super) const TEXT: i32 = 12;
pub(super) const SMALL: i32 = 11;

pub(super) const WHITE: &str = "#FFFFFF";
pub(super) const BLACK: &str = "#000000";
pub(super) const LINE: &str = "#6E6E6E";
/// Colours of games won, drawn and lost, each with the colour of text on it.
pub(super) const PARTS: [(&str, &str); 3] =
    [(WHITE, BLACK), ("#AAAAAA", BLACK), ("#262626", WHITE)];

/// Side of a text on which its place is.
#[derive(Clone, Copy, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// Draws the elements of a picture.
pub(super) struct Pen {
    elements: String,
    /// Width of the picture.
    pub(super) width: i32,
}

impl Pen {
    pub(super) fn new(width: i32) -> Pen {
        Pen {
            elements: String::new(),
            width,
        }
    }

    /// The picture, on white.
    pub(super) fn finish(self, height: i32) -> String {
        let Pen { elements, width } = self;
        format!(
            "<svg width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
             xmlns=\"http://www.w3.org/2000/svg\" font-family=\"monospace\" \
             shape-rendering=\"crispEdges\">\n\
             <rect x=\"0\" y=\"0\" width=\"{width}\" height=\"{height}\" fill=\"{WHITE}\"/>\n\
             {elements}</svg>\n"
        )
    }

    pub(super) fn fill(&mut self, from: (i32, i32), to: (i32, i32), color: &str) {
        self.boxed(from, to, color, "none");
    }

    pub(super) fn boxed(&mut self, (x, y): (i32, i32), to: (i32, i32), fill: &str, stroke: &str) {
        append!(
            self.elements,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{}\" height=\"{}\" fill=\"{fill}\" \
             stroke=\"{stroke}\"/>\n",
            to.0 - x,
            to.1 - y
        );
    }

    pub(super) fn line(&mut self, from: (i32, i32), to: (i32, i32), color: &str) {
        append!(
            self.elements,
            "<path d=\"M{} {}L{} {}\" stroke=\"{color}\"/>\n",
            from.0,
            from.1,
            to.0,
            to.1
        );
    }

    /// Writes a text at the height of a place.
    pub(super) fn text(
        &mut self,
        text: &str,
        (x, y): (i32, i32),
        size: i32,
        anchor: Anchor,
        color: &str,
    ) {
        if text.is_empty() {
            return;
        }
        let text = Xml(text);
        let anchor: &str = anchor.into();
        append!(
            self.elements,
            "<text x=\"{x}\" y=\"{y}\" dy=\"0.35em\" text-anchor=\"{anchor}\" \
             font-size=\"{size}\" fill=\"{color}\">{text}</text>\n"
        );
    }

    /// Writes a text around a place, moved so that it is within the picture.
    pub(super) fn centered(&mut self, text: &str, (x, y): (i32, i32), size: i32, color: &str) {
        let half = width_of(text, size) / 2 + 2;
        let x = x.min(self.width - half).max(half);
        self.text(text, (x, y), size, Anchor::Middle, color);
    }

    /// Writes a text from the left margin, cut to the width of the picture.
    pub(super) fn row(&mut self, text: &str, middle: i32, size: i32, color: &str) {
        let text = shown(text, size, self.width - 2 * MARGIN);
        self.text(&text, (MARGIN, middle), size, Anchor::Start, color);
    }
}

/// Text of a file as it is shown, cut to a width.
pub(super) fn shown(text: &str, size: i32, width: i32) -> String {
    let text = in_xml(&Escaped(text).to_string());
    shortened(&text, (width / width_of("0", size)).max(1) as usize)
}

/// Width of a text. Characters of the usual monospace fonts are 0.6 of the size wide.
pub(super) fn width_of(text: &str, size: i32) -> i32 {
    width(text) as i32 * size * 61 / 100 + 1
}

pub(super) fn widest<'a>(texts: impl IntoIterator<Item = &'a String>, size: i32) -> i32 {
    let widths = texts.into_iter().map(|text| width_of(text, size));
    widths.max().unwrap_or(0)
}

/// A part of a bar: its place along the bar, its colours, and its share as text.
pub(super) struct BarPart {
    pub(super) from: i32,
    pub(super) to: i32,
    pub(super) color: &'static str,
    pub(super) ink: &'static str,
    pub(super) label: String,
}

/// Parts of a bar of some length, in the order won, drawn, lost.
pub(super) fn parts(record: [u64; 3], length: i32) -> impl Iterator<Item = BarPart> {
    let games: u64 = record.iter().sum();
    let lengths = shares(record, length.max(0) as u64);
    let mut to = 0;
    (0..3).map(move |nth| {
        let from = to;
        to += lengths[nth] as i32;
        let (color, ink) = PARTS[nth];
        let label = format!("{:.0} %", record[nth] as f64 * 100.0 / games as f64);
        BarPart {
            from,
            to,
            color,
            ink,
            label,
        }
    })
}
