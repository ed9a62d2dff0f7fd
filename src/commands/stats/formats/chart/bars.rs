//! A bar for each group.

use plotters::prelude::*;
use plotters::style::text_anchor::HPos;

use crate::commands::stats::count::{Counts, Group, GroupFilter, Key, Statistics};
use crate::commands::stats::formats::chart::pen::{AXIS, LINE, MARGIN, Pen, SMALL, TEXT, parts};
use crate::report::escape::{Escaped, in_xml};

/// Limit for the number of bars.
const MOST_BARS: usize = 200;
/// Space between the bars and the numbers of games; half of the label `100 %` reaches into it.
const GAP: i32 = 30;

/// Bars of the innermost groups.
pub(super) struct Bars {
    /// Name of the groups.
    axis: String,
    bars: Vec<Bar>,
    pub(super) left_out: usize,
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

impl Bars {
    pub(super) fn new(statistics: &Statistics, choice: GroupFilter) -> Bars {
        let keys = &statistics.plan.keys;
        let names: Vec<_> = keys.iter().map(Key::to_string).collect();
        let mut bars = Bars {
            axis: names.join(" / "),
            bars: Vec::new(),
            left_out: 0,
        };
        bars.collect(&statistics.whole, keys, choice, "");
        bars.limit();
        bars
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

    /// Height of a bar with the space below it; larger for few bars.
    fn pitch(&self) -> i32 {
        (240 / self.bars.len().max(1) as i32).clamp(24, 44)
    }

    pub(super) fn height(&self) -> i32 {
        3 * AXIS + self.bars.len() as i32 * self.pitch()
    }

    pub(super) fn draw<B: DrawingBackend>(&self, pen: &mut Pen<'_, B>, top: i32) {
        let names: Vec<_> = self
            .bars
            .iter()
            .map(|bar| in_xml(&Escaped(&bar.name).to_string()))
            .map(|name| pen.cut(&name, TEXT, pen.width / 3))
            .collect();
        let games: Vec<_> = self.bars.iter().map(|bar| bar.games.to_string()).collect();
        let axis = pen.cut(
            &in_xml(&Escaped(&self.axis).to_string()),
            SMALL,
            pen.width / 3,
        );
        // Half of `0 %` reaches to the name of the key.
        let heading = pen.width_of(&axis, SMALL) + pen.width_of("0 %", SMALL) / 2;
        let left = MARGIN + pen.widest(&names, TEXT).max(heading) + 8;
        let end = pen.width - MARGIN;
        let right = end - pen.widest(&games, TEXT).max(pen.width_of("games", TEXT)) - GAP;
        let top = top + AXIS;
        let bottom = top + self.bars.len() as i32 * self.pitch();
        for quarter in 0..=4 {
            let x = left + (right - left) * quarter / 4;
            pen.line((x, top - 3), (x, bottom + 3), LINE);
            let label = format!("{} %", quarter * 25);
            for y in [top - AXIS / 2 - 2, bottom + AXIS / 2 + 2] {
                pen.text(&label, (x, y), SMALL, HPos::Center, LINE);
            }
        }
        let above = top - AXIS / 2 - 2;
        pen.text(&axis, (MARGIN, above), SMALL, HPos::Left, BLACK);
        pen.text("games", (end, above), SMALL, HPos::Right, BLACK);
        let below = (i32::midpoint(left, right), bottom + AXIS * 3 / 2 + 2);
        pen.text("share of games", below, SMALL, HPos::Center, BLACK);
        for (nth, bar) in self.bars.iter().enumerate() {
            let middle = top + nth as i32 * self.pitch() + self.pitch() / 2;
            pen.text(&names[nth], (left - 8, middle), TEXT, HPos::Right, BLACK);
            pen.text(&games[nth], (end, middle), TEXT, HPos::Right, BLACK);
            self.bar(pen, bar, [left, right], middle);
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
        for part in parts(bar.counts, right - left) {
            let (x, end) = (left + part.from, left + part.to);
            pen.fill((x, middle - half), (end, middle + half), part.color);
            if pen.width_of(&part.label, 14) + 6 <= end - x {
                let at = (i32::midpoint(x, end), middle);
                pen.text(&part.label, at, 14, HPos::Center, part.ink);
            }
            if x > left && end > x {
                pen.line((x, middle - half), (x, middle + half), BLACK);
            }
        }
        pen.frame((left, middle - half), (right, middle + half));
    }
}
