//! Stacked shares over an ordered key, above the numbers of games.

use crate::commands::stats::count::{Group, GroupFilter, Key, Scale};
use crate::commands::stats::formats::chart::pen::{
    AXIS, Anchor, BLACK, BarPart, LINE, MARGIN, Pen, SMALL, parts, widest, width_of,
};
use crate::commands::stats::formats::chart::{Drawn, label, name};

/// Heights of both panels, and of the space between them.
const SHARES: i32 = 300;
const GAMES: i32 = 64;
const BETWEEN: i32 = 32;

/// Longest gap between two columns, in columns: a wrong date must not squeeze all others.
const LONGEST_GAP: i64 = 3;

/// Columns of the groups of one key.
struct Trend {
    columns: Vec<Column>,
    /// Columns and gaps together.
    slots: i64,
    left: i32,
    right: i32,
    /// Upper and lower end of the panel of shares, and of that of games.
    shares: [i32; 2],
    games: [i32; 2],
}

struct Column {
    /// Place from the left, gaps included.
    slot: i64,
    /// Place among all values of the key.
    place: i64,
    name: String,
    /// Won, drawn, lost.
    record: [u64; 3],
    games: u64,
}

/// Draws the trend over a key that has a scale.
pub(super) fn draw(
    pen: &mut Pen,
    whole: &Group,
    (key, scale): (&Key, Scale),
    choice: GroupFilter,
    top: i32,
) -> Drawn {
    let chosen = choice.of(key, whole);
    let mut columns = Vec::new();
    let mut unknown = 0;
    for (name, group) in chosen.groups {
        let record = group.counts.record();
        let games = record.iter().sum();
        match (scale.place)(name) {
            None => unknown += games,
            Some(place) => columns.push(Column {
                slot: 0,
                place,
                name: label(key, name),
                record,
                games,
            }),
        }
    }
    let slots = place(&mut columns);
    let most = columns.iter().map(|column| column.games).max().unwrap_or(0);
    let labels = ["100 %".to_owned(), most.to_string()];
    let shares = [top + AXIS, top + AXIS + SHARES];
    let games = [shares[1] + BETWEEN, shares[1] + BETWEEN + GAMES];
    let trend = Trend {
        columns,
        slots,
        left: MARGIN + widest(&labels, SMALL) + 8,
        right: pen.width - MARGIN,
        shares,
        games,
    };
    trend.draw_shares(pen);
    trend.draw_games(pen, most);
    trend.ticks(pen, scale.regular);
    let below = i32::midpoint(trend.left, trend.right);
    let below = (below, games[1] + AXIS * 3 / 2 + 2);
    pen.text(&name(key), below, SMALL, Anchor::Middle, BLACK);
    Drawn {
        bottom: games[1] + 2 * AXIS,
        left_out: chosen.left_out,
        unknown,
    }
}

/// Places the columns from the left; the number of their slots.
fn place(columns: &mut [Column]) -> i64 {
    columns.sort_by_key(|column| column.place);
    let mut slot = 0;
    let mut last: Option<i64> = None;
    for column in columns {
        slot += last.map_or(0, |last| (column.place - last).min(LONGEST_GAP + 1));
        last = Some(column.place);
        column.slot = slot;
    }
    slot + 1
}

impl Trend {
    /// Left end of a slot.
    fn x(&self, slot: i64) -> i32 {
        self.left + (i64::from(self.right - self.left) * slot / self.slots) as i32
    }

    fn ends(&self, column: &Column) -> [i32; 2] {
        [self.x(column.slot), self.x(column.slot + 1)]
    }

    fn middle(&self, column: &Column) -> i32 {
        let [from, to] = self.ends(column);
        i32::midpoint(from, to)
    }

    fn draw_shares(&self, pen: &mut Pen) {
        let [top, bottom] = self.shares;
        self.name(pen, "share of games", top);
        for column in &self.columns {
            let [from, to] = self.ends(column);
            for (part, [low, high]) in column.parts(self.shares) {
                pen.fill((from, high), (to, low), part.color);
            }
        }
        let levels: [i32; 5] = std::array::from_fn(|nth| bottom - SHARES * nth as i32 / 4);
        for (nth, y) in levels.into_iter().enumerate() {
            self.level(pen, &format!("{} %", nth * 25), y);
        }
        // Gaps have no lines, which tells them from columns that are all white.
        let is_run =
            |a: &Column, b: &Column| a.slot + 1 == b.slot && (a.games > 0) == (b.games > 0);
        for run in self.columns.chunk_by(is_run) {
            let (Some(first), Some(last)) = (run.first(), run.last()) else {
                continue;
            };
            let [from, to] = [self.x(first.slot), self.x(last.slot + 1)];
            if first.games == 0 {
                continue;
            }
            for y in levels {
                pen.line((from, y), (to, y), LINE);
            }
            if self.x(1) - self.left > 2 {
                for x in [from, to] {
                    pen.line((x, top), (x, bottom), LINE);
                }
            }
        }
        for column in &self.columns {
            column.label(pen, self.ends(column), self.shares);
        }
    }

    fn draw_games(&self, pen: &mut Pen, most: u64) {
        let [top, bottom] = self.games;
        self.name(pen, "games", top);
        self.level(pen, &most.to_string(), top);
        self.level(pen, "0", bottom);
        for column in &self.columns {
            let [from, to] = self.ends(column);
            let share = column.games as f64 / most.max(1) as f64;
            let height = (f64::from(GAMES) * share).round() as i32;
            if height > 0 {
                // Wide columns have a gap between them.
                let to = to - i32::from(to - from > 4);
                pen.fill((from, bottom - height), (to, bottom), LINE);
            }
        }
        pen.line((self.left, bottom), (self.right, bottom), LINE);
    }

    /// Writes the name of a panel above it.
    fn name(&self, pen: &mut Pen, name: &str, top: i32) {
        let at = (MARGIN, top - AXIS / 2 - 1);
        pen.text(name, at, SMALL, Anchor::Start, BLACK);
    }

    /// Draws a mark of the upright axis.
    fn level(&self, pen: &mut Pen, label: &str, y: i32) {
        pen.line((self.left - 4, y), (self.left, y), LINE);
        pen.text(label, (self.left - 8, y), SMALL, Anchor::End, LINE);
    }

    /// Draws values of the key: those at the shortest regular steps that fit, or all that fit.
    fn ticks(&self, pen: &mut Pen, regular: &[i64]) {
        let widths = self.columns.iter();
        let widest = widths.map(|column| width_of(&column.name, SMALL)).max();
        let room = widest.unwrap_or(0) + 12;
        let fits = |a: &Column, b: &Column| self.middle(b) - self.middle(a) >= room;
        let mut chosen = Vec::new();
        for step in regular {
            chosen = self.columns.iter().collect();
            chosen.retain(|column| column.place % step == 0);
            if chosen.windows(2).all(|pair| fits(pair[0], pair[1])) {
                break;
            }
            chosen.clear();
        }
        if chosen.len() < 2 {
            chosen.clear();
            for column in &self.columns {
                if chosen.last().is_none_or(|last| fits(last, column)) {
                    chosen.push(column);
                }
            }
        }
        let y = self.games[1];
        for column in chosen {
            let x = self.middle(column);
            pen.line((x, y), (x, y + 4), LINE);
            pen.centered(&column.name, (x, y + AXIS / 2 + 3), SMALL, LINE);
        }
    }
}

impl Column {
    /// Parts of the shares, each with its lower and upper end, White's at the bottom.
    fn parts(&self, [top, bottom]: [i32; 2]) -> impl Iterator<Item = (BarPart, [i32; 2])> {
        let length = if self.games > 0 { bottom - top } else { 0 };
        parts(self.record, length)
            .map(move |part| {
                let ends = [bottom - part.from, bottom - part.to];
                (part, ends)
            })
            .filter(|(_, [low, high])| high < low)
    }

    /// Writes the shares that have room, on their colour.
    fn label(&self, pen: &mut Pen, [from, to]: [i32; 2], panel: [i32; 2]) {
        for (part, [low, high]) in self.parts(panel) {
            let half = width_of(&part.label, SMALL) / 2 + 3;
            if 2 * half + 2 <= to - from && low - high >= AXIS {
                let (x, y) = (i32::midpoint(from, to), i32::midpoint(low, high));
                pen.fill((x - half, y - 7), (x + half, y + 7), part.color);
                pen.text(&part.label, (x, y), SMALL, Anchor::Middle, part.ink);
            }
        }
    }
}
