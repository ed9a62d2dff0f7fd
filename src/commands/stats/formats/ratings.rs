//! Rating lists as tables for people and as rows.

use std::fmt::Write;

use crate::commands::stats::count::Statistics;
use crate::commands::stats::formats::FormatOptions;
use crate::commands::stats::formats::human::percent;
use crate::commands::stats::numbers::{self, elo_text};
use crate::commands::stats::ratings::{RatedPlayer, RatingList};
use crate::error::Error;
use crate::report::escape::Escaped;
use crate::report::rows::{GAMES_IN_GROUP, Row};
use crate::report::text_table::TextTable;
use crate::report::{Buffer, Sink};

impl<'a> RatingList<'a> {
    /// Players that are shown: of each group, and of those without a rating.
    fn shown(&self, options: &FormatOptions) -> impl Iterator<Item = Vec<&RatedPlayer<'a>>> {
        let filter = options.filter;
        let groups = self.players.chunk_by(|one, next| one.group == next.group);
        groups.map(move |players| {
            let players = players.iter();
            let players = players.filter(|player| player.games >= filter.min_games);
            players.take(filter.top.unwrap_or(usize::MAX)).collect()
        })
    }
}

/// Table of the players, one group after the other.
pub(super) fn table(statistics: &Statistics, options: &FormatOptions) -> String {
    let list = RatingList::new(statistics);
    let mut optional = vec![(7..8, "opponents"), (4..6, "W-D-L and points")];
    optional.extend([(6..7, "score"), (8..9, "LOS"), (2..3, "error")]);
    let mut table = TextTable::new(optional);
    table.push("player rating error games W-D-L points score opponents LOS".split(' '));
    let elo = |elo: Option<f64>| elo.map_or("–".to_owned(), |elo| format!("{elo:.1}"));
    let mut left_out = list.players.len();
    for players in list.shown(options) {
        left_out -= players.len();
        match players.first().map(|player| player.group) {
            Some(Some(group)) if list.groups > 1 => table.push([format_args!(
                "Group {group} of {}, not connected with the others",
                list.groups
            )]),
            Some(None) => table.push(["Without a finite rating"]),
            _ => {}
        }
        for player in players {
            table.cell(Escaped(player.player));
            table.cell(player.unrated.map_or(elo(player.rating), str::to_owned));
            table.cell(elo(player.error_95));
            table.cell(player.games);
            let (wins, draws, losses) = (player.wins, player.draws, player.losses);
            table.cell(format_args!("{wins}-{draws}-{losses}"));
            table.cell(format_args!("{:.1}", player.points));
            table.cell(percent(Some(player.score)));
            table.cell(elo(player.opponents));
            table.cell(percent(player.los_next));
            table.end_line([0; 3]);
        }
    }
    let mut out = table.show(options.columns);
    let error = list.white_advantage_error_95;
    let advantage = list
        .white_advantage
        .map_or("–".to_owned(), |elo| elo_text(elo, error, 2));
    let draws = list.draw_rate;
    let draws = draws.map_or("–".to_owned(), |rate| numbers::percent(rate, 2));
    // Writing to memory does not fail.
    if left_out > 0 {
        let _ = writeln!(out, "({left_out} players left out)");
    }
    let _ = writeln!(out, "\nWhite's advantage: {advantage}");
    let _ = writeln!(out, "draws of equal players: {draws}");
    if list.left_out > 0 {
        let _ = writeln!(out, "games without two known players: {}", list.left_out);
    }
    out
}

impl FormatOptions {
    /// Writes a row for each player.
    pub(super) fn write_list(&self, sink: &mut Sink, statistics: &Statistics) -> Result<(), Error> {
        let (list, none) = (RatingList::new(statistics), RatedPlayer::default());
        let mut out = Buffer::default();
        sink.begin_rows(self.rows, GAMES_IN_GROUP, |row| fill(row, &none))?;
        for player in list.shown(self).flatten() {
            fill(Row::begin(&mut out, self.rows), player);
        }
        sink.write(out.as_bytes())
    }
}

fn fill(mut row: Row<'_>, player: &RatedPlayer<'_>) {
    row.text("player", player.player);
    row.number("group", player.group.map(|group| group as u64));
    row.fraction("rating", player.rating);
    row.fraction("error_95", player.error_95);
    row.number("games", player.games);
    row.fraction("points", player.points);
    row.fraction("score", player.score);
    row.fraction("opponents", player.opponents);
    row.word("unrated", player.unrated);
    row.number("wins", player.wins);
    row.number("draws", player.draws);
    row.number("losses", player.losses);
    row.fraction("los_next", player.los_next);
    row.end();
}
