//! Stacked shares over an ordered key, above the numbers of games.

use plotters::prelude::*;
use plotters::style::text_anchor::HPos;

use crate::commands::stats::count::{GroupFilter, Key, Statistics, Steps};
use crate::commands::stats::formats::chart::pen::{AXIS, LINE, MARGIN, Part, Pen, SMALL, parts};

/// Heights of both panels, and of the space between them.
const SHARES: i32 = 300;
const GAMES: i32 = 64;
const BETWEEN: i32 = 32;

/// Longest gap between two columns, in columns: a wrong date must not squeeze all others.
const LONGEST_GAP: i64 = 3;

/// Columns of the groups of one key.
pub(super) struct Trend {
    /// Name of the key.
    axis: String,
    steps: Steps,
    columns: Vec<Column>,
    /// Columns and gaps together.
    slots: i64,
    pub(super) left_out: usize,
    /// Games whose value of the key is unknown.
    pub(super) unknown: u64,
}

struct Column {
    /// Place from the left, gaps included.
    slot: i64,
    /// Place among all values of the key.
    place: i64,
    name: String,
    /// Won, drawn, lost.
    counts: [u64; 3],
    games: u64,
}

impl Trend {
    /// Trend over the key of the statistics, if it is one and has steps.
    pub(super) fn new(statistics: &Statistics, choice: GroupFilter) -> Option<Trend> {
        let [key] = &statistics.plan.keys[..] else {
            return None;
        };
        let steps = key.steps()?;
        let mut trend = Trend {
            axis: key.to_string(),
            steps,
            columns: Vec::new(),
            slots: 0,
            left_out: 0,
            unknown: 0,
        };
        trend.collect(key, statistics, choice);
        Some(trend)
    }

    fn collect(&mut self, key: &Key, statistics: &Statistics, choice: GroupFilter) {
        let chosen = choice.of(key, &statistics.whole);
        self.left_out = chosen.left_out;
        for (value, group) in chosen.groups {
            let counts = group.counts.record();
            let games = counts.iter().sum();
            match (self.steps.place)(value) {
                None => self.unknown += games,
                Some(place) => self.columns.push(Column {
                    slot: 0,
                    place,
                    name: value.to_owned(),
                    counts,
                    games,
                }),
            }
        }
        self.columns.sort_by_key(|column| column.place);
        let mut last: Option<i64> = None;
        for column in &mut self.columns {
            let step = last.map_or(0, |last| (column.place - last).min(LONGEST_GAP + 1));
            last = Some(column.place);
            self.slots += step;
            column.slot = self.slots;
        }
        self.slots += 1;
    }

    pub(super) fn height() -> i32 {
        AXIS + SHARES + BETWEEN + GAMES + 2 * AXIS
    }

    pub(super) fn draw<B: DrawingBackend>(&self, pen: &mut Pen<'_, B>, top: i32) {
        let most = self.columns.iter().map(|column| column.games).max();
        let most = most.unwrap_or(0).to_string();
        let labels = ["100 %".to_owned(), most.clone()];
        let left = MARGIN + pen.widest(&labels, SMALL) + 8;
        let right = pen.width - MARGIN;
        let shares = [top + AXIS, top + AXIS + SHARES];
        let games = [shares[1] + BETWEEN, shares[1] + BETWEEN + GAMES];
        for (text, panel) in [("share of games", shares), ("games", games)] {
            let middle = panel[0] - AXIS / 2 - 1;
            pen.text(text, (MARGIN, middle), SMALL, HPos::Left, BLACK);
        }
        for (text, y) in [(&*most, games[0]), ("0", games[1])] {
            pen.line((left - 4, y), (left, y), LINE);
            pen.text(text, (left - 8, y), SMALL, HPos::Right, LINE);
        }
        let x = |slot: i64| left + (i64::from(right - left) * slot / self.slots) as i32;
        for column in &self.columns {
            let [from, to] = [x(column.slot), x(column.slot + 1)];
            column.draw_shares(pen, [from, to], shares);
            let share = column.games as f64 / most.parse::<f64>().unwrap_or(1.0).max(1.0);
            let height = (f64::from(GAMES) * share).round() as i32;
            if height > 0 {
                // Wide columns have a gap between them.
                let to = to - i32::from(to - from > 4);
                pen.fill((from, games[1] - height), (to, games[1]), LINE);
            }
        }
        let levels: [i32; 5] = std::array::from_fn(|nth| shares[1] - SHARES * nth as i32 / 4);
        for (nth, y) in levels.into_iter().enumerate() {
            pen.line((left - 4, y), (left, y), LINE);
            let label = format!("{} %", nth * 25);
            pen.text(&label, (left - 8, y), SMALL, HPos::Right, LINE);
        }
        // Gaps have no lines, which tells them from columns that are all white.
        let is_run =
            |a: &Column, b: &Column| a.slot + 1 == b.slot && (a.games > 0) == (b.games > 0);
        for run in self.columns.chunk_by(is_run) {
            if let (Some(first), Some(last)) = (run.first(), run.last())
                && first.games > 0
            {
                let [from, to] = [x(first.slot), x(last.slot + 1)];
                for y in levels {
                    pen.line((from, y), (to, y), LINE);
                }
                if x(1) - left > 2 {
                    for x in [from, to] {
                        pen.line((x, shares[0]), (x, shares[1]), LINE);
                    }
                }
            }
        }
        for column in &self.columns {
            column.label(pen, [x(column.slot), x(column.slot + 1)], shares);
        }
        pen.line((left, games[1]), (right, games[1]), LINE);
        self.ticks(pen, x, games[1]);
        let below = (i32::midpoint(left, right), games[1] + AXIS * 3 / 2 + 2);
        pen.text(&self.axis, below, SMALL, HPos::Center, BLACK);
    }

    /// Draws values of the key: those at the shortest regular steps that fit, or all that fit.
    fn ticks<B: DrawingBackend>(&self, pen: &mut Pen<'_, B>, x: impl Fn(i64) -> i32, y: i32) {
        let middle = |column: &Column| i32::midpoint(x(column.slot), x(column.slot + 1));
        let widest = self
            .columns
            .iter()
            .map(|column| pen.width_of(&column.name, SMALL));
        let room = widest.max().unwrap_or(0) + 12;
        let fits = |chosen: &[&Column]| {
            chosen
                .windows(2)
                .all(|pair| middle(pair[1]) - middle(pair[0]) >= room)
        };
        let regular = self.steps.regular.iter().map(|step| -> Vec<&Column> {
            let columns = self.columns.iter();
            columns.filter(|column| column.place % step == 0).collect()
        });
        let mut chosen = regular
            .into_iter()
            .find(|chosen| fits(chosen))
            .unwrap_or_default();
        if chosen.len() < 2 {
            chosen.clear();
            for column in &self.columns {
                if chosen
                    .last()
                    .is_none_or(|last| middle(column) - middle(last) >= room)
                {
                    chosen.push(column);
                }
            }
        }
        for column in chosen {
            pen.line((middle(column), y), (middle(column), y + 4), LINE);
            pen.centered(
                &column.name,
                (middle(column), y + AXIS / 2 + 3),
                SMALL,
                LINE,
            );
        }
    }
}

impl Column {
    /// Parts of the shares, each with its lower and upper end, White's at the bottom.
    fn parts(&self, [top, bottom]: [i32; 2]) -> impl Iterator<Item = (Part, [i32; 2])> {
        let length = if self.games > 0 { bottom - top } else { 0 };
        parts(self.counts, length)
            .map(move |part| {
                let ends = [bottom - part.from, bottom - part.to];
                (part, ends)
            })
            .filter(|(_, [low, high])| high < low)
    }

    fn draw_shares<B: DrawingBackend>(
        &self,
        pen: &mut Pen<'_, B>,
        [from, to]: [i32; 2],
        panel: [i32; 2],
    ) {
        for (part, [low, high]) in self.parts(panel) {
            pen.fill((from, high), (to, low), part.color);
        }
    }

    /// Writes the shares that have room, on their colour.
    fn label<B: DrawingBackend>(
        &self,
        pen: &mut Pen<'_, B>,
        [from, to]: [i32; 2],
        panel: [i32; 2],
    ) {
        for (part, [low, high]) in self.parts(panel) {
            let half = pen.width_of(&part.label, SMALL) / 2 + 3;
            if 2 * half <= to - from && low - high >= AXIS {
                let (x, y) = (i32::midpoint(from, to), i32::midpoint(low, high));
                pen.fill((x - half, y - 7), (x + half, y + 7), part.color);
                pen.text(&part.label, (x, y), SMALL, HPos::Center, part.ink);
            }
        }
    }
}
