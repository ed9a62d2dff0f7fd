//! A bar for each group.

use std::cmp::Reverse;

use crate::commands::stats::count::{Group, GroupFilter, Key};
use crate::commands::stats::formats::chart::pen::{
    AXIS, Anchor, BLACK, LINE, MARGIN, Pen, SMALL, TEXT, parts, shown, widest, width_of,
};
use crate::commands::stats::formats::chart::{Drawn, label, names};

/// Limit for the number of bars.
const MOST_BARS: usize = 200;
/// Space between the bars and the numbers of games; half of the label `100 %` reaches into it.
const GAP: i32 = 30;

struct Bar {
    place: usize,
    name: String,
    /// Won, drawn, lost.
    record: [u64; 3],
    games: u64,
}

/// Draws a bar for each innermost group.
pub(super) fn draw(
    pen: &mut Pen,
    whole: &Group,
    keys: &[Key],
    choice: GroupFilter,
    top: i32,
) -> Drawn {
    let mut bars = Vec::new();
    let mut left_out = collect(&mut bars, whole, keys, choice, "");
    left_out += bars.len().saturating_sub(MOST_BARS);
    // The bars with the most games, in their order.
    bars.sort_by_key(|bar| Reverse(bar.games));
    bars.truncate(MOST_BARS);
    bars.sort_by_key(|bar| bar.place);
    // Larger for few bars.
    let pitch = (240 / bars.len().max(1) as i32).clamp(24, 44);
    let labels = bars.iter().map(|bar| shown(&bar.name, TEXT, pen.width / 3));
    let labels: Vec<_> = labels.collect();
    let games: Vec<_> = bars.iter().map(|bar| bar.games.to_string()).collect();
    let axis = shown(&names(keys).join(" / "), SMALL, pen.width / 3);
    // Half of `0 %` reaches to the name of the key.
    let heading = width_of(&axis, SMALL) + width_of("0 %", SMALL) / 2;
    let left = MARGIN + widest(&labels, TEXT).max(heading) + 8;
    let end = pen.width - MARGIN;
    let right = end - widest(&games, TEXT).max(width_of("games", TEXT)) - GAP;
    let top = top + AXIS;
    let bottom = top + bars.len() as i32 * pitch;
    for quarter in 0..=4 {
        let x = left + (right - left) * quarter / 4;
        pen.line((x, top - 3), (x, bottom + 3), LINE);
        let label = format!("{} %", quarter * 25);
        for y in [top - AXIS / 2 - 2, bottom + AXIS / 2 + 2] {
            pen.text(&label, (x, y), SMALL, Anchor::Middle, LINE);
        }
    }
    let above = top - AXIS / 2 - 2;
    pen.text(&axis, (MARGIN, above), SMALL, Anchor::Start, BLACK);
    pen.text("games", (end, above), SMALL, Anchor::End, BLACK);
    let below = (i32::midpoint(left, right), bottom + AXIS * 3 / 2 + 2);
    pen.text("share of games", below, SMALL, Anchor::Middle, BLACK);
    for (nth, bar) in bars.iter().enumerate() {
        let middle = top + nth as i32 * pitch + pitch / 2;
        pen.text(&labels[nth], (left - 8, middle), TEXT, Anchor::End, BLACK);
        pen.text(&games[nth], (end, middle), TEXT, Anchor::End, BLACK);
        bar.draw(pen, [left, right], middle, pitch * 3 / 8);
    }
    Drawn {
        bottom: bottom + 2 * AXIS,
        left_out,
        unknown: 0,
    }
}

/// Collects the innermost groups, and returns the number of groups left out.
fn collect(
    bars: &mut Vec<Bar>,
    group: &Group,
    keys: &[Key],
    choice: GroupFilter,
    name: &str,
) -> usize {
    let Some((key, rest)) = keys.split_first() else {
        let record = group.counts.record();
        let name = if name.is_empty() { "all games" } else { name };
        bars.push(Bar {
            place: bars.len(),
            name: name.to_owned(),
            record,
            games: record.iter().sum(),
        });
        return 0;
    };
    let chosen = choice.of(key, group);
    let mut left_out = chosen.left_out;
    for (value, group) in chosen.groups {
        let value = label(key, value);
        let between = if name.is_empty() { "" } else { " / " };
        let name = format!("{name}{between}{value}");
        left_out += collect(bars, group, rest, choice, &name);
    }
    left_out
}

impl Bar {
    fn draw(&self, pen: &mut Pen, [left, right]: [i32; 2], middle: i32, half: i32) {
        if self.games == 0 {
            pen.line((left, middle), (right, middle), LINE);
            return;
        }
        for part in parts(self.record, right - left) {
            let (x, end) = (left + part.from, left + part.to);
            if x == end {
                continue;
            }
            pen.fill((x, middle - half), (end, middle + half), part.color);
            if width_of(&part.label, TEXT) + 6 <= end - x {
                let at = (i32::midpoint(x, end), middle);
                pen.text(&part.label, at, TEXT, Anchor::Middle, part.ink);
            }
            if x > left {
                pen.line((x, middle - half), (x, middle + half), BLACK);
            }
        }
        pen.boxed((left, middle - half), (right, middle + half), "none", BLACK);
    }
}
