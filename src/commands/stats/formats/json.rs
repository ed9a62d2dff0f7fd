//! Statistics as JSON, written and read. Every integer is written, so that outputs can be merged.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer};

use crate::commands::stats::count::{
    Counts, DrawKind, DrawKinds, Group, GroupFilter, Groups, Key, MOST, Plan, ResultSource,
    Statistics, Tally,
};
use crate::commands::stats::formats::{FieldValue, OptionalFields, Spill, each_field};
use crate::error::Error;
use crate::report::json::PrettyWriter;
use crate::report::{Buffer, Format};

/// JSON.
pub(crate) struct Json {
    pub(crate) filter: GroupFilter,
}

impl Format<(&Statistics, Spill<'_>)> for Json {
    /// One object.
    fn item(&self, out: &mut Buffer, (statistics, spill): (&Statistics, Spill<'_>)) {
        let plan = &statistics.plan;
        let mut out = PrettyWriter { out, depth: 0 };
        out.open(b'{');
        if statistics.is_by_rules() {
            out.member("source");
            out.value(&"rules");
        }
        if let Some(rules) = plan.rules.filter(|_| plan.uses_rules()) {
            out.member("rules");
            out.value(&rules.name());
        }
        if !plan.keys.is_empty() {
            out.member("keys");
            out.values(plan.keys.iter().map(Key::to_string));
        }
        self.group(&mut out, plan, &statistics.whole, &plan.keys, spill);
        out.close(b'}');
        out.out.push(b'\n');
    }
}

impl Json {
    /// Adds the members of a group, and the groups within it.
    fn group(
        &self,
        out: &mut PrettyWriter<'_>,
        plan: &Plan,
        group: &Group,
        keys: &[Key],
        spill: Spill<'_>,
    ) {
        let counts = &group.counts;
        let optional = OptionalFields {
            player: counts.sides.is_some(),
            draws: counts.draw_kinds.is_some(),
            rules: plan.source == ResultSource::Rules,
        };
        each_field(counts, optional, &mut |name, value| {
            if !matches!(value, FieldValue::Close) {
                out.member(name);
            }
            match value {
                FieldValue::Count(count) => out.value(&count),
                FieldValue::Rate(rate) => out.value(&rate),
                FieldValue::Interval(None) => out.value(&()),
                FieldValue::Interval(Some(limits)) => out.values(limits),
                FieldValue::Open => out.open(b'{'),
                FieldValue::Close => out.close(b'}'),
            }
        });
        let Some((key, rest)) = keys.split_first() else {
            return;
        };
        let shown = self.filter.of(key, group);
        let key = key.to_string();
        out.member("by");
        out.open(b'[');
        for (value, group) in shown.groups {
            out.item();
            out.open(b'{');
            out.member("key");
            out.value(&key);
            out.member("value");
            out.value(&(!value.is_empty()).then_some(value));
            self.group(out, plan, group, rest, spill);
            out.close(b'}');
            spill(out.out);
        }
        out.close(b']');
        if shown.left_out > 0 {
            out.member("groups_left_out");
            out.value(&shown.left_out);
        }
    }
}

/// A player's games with one colour.
#[derive(Deserialize)]
struct Side {
    wins: u64,
    draws: u64,
    losses: u64,
    unfinished: u64,
    other: u64,
    unreadable: u64,
}

/// Fields that are read: the integers, which determine the others.
#[derive(Deserialize)]
struct Read {
    source: Option<String>,
    rules: Option<String>,
    #[serde(default)]
    keys: Vec<String>,
    key: Option<String>,
    value: Option<String>,
    games: u64,
    white: u64,
    black: u64,
    draws: u64,
    unfinished: u64,
    other: u64,
    #[serde(default)]
    unreadable: u64,
    as_white: Option<Side>,
    as_black: Option<Side>,
    #[serde(default, deserialize_with = "present")]
    draw_kinds: Option<BTreeMap<String, u64>>,
    #[serde(default)]
    changed: u64,
    #[serde(default)]
    undecided: u64,
    #[serde(default)]
    by: Vec<Read>,
    groups_left_out: Option<u64>,
}

/// Reads a field that may be missing, but not null.
fn present<'de, T: Deserialize<'de>, D: Deserializer<'de>>(from: D) -> Result<Option<T>, D::Error> {
    T::deserialize(from).map(Some)
}

/// Reads the output of [`Json`]. Errors name `path`.
///
/// # Errors
///
/// [`Error::Invalid`] if it is anything else, or groups were left out of it.
pub(crate) fn read(path: &str, text: &[u8]) -> Result<Statistics, Error> {
    let refuse = |reason: String| Error::invalid("statistics in", path, reason);
    let read: Read = serde_json::from_slice(text).map_err(|error| {
        refuse(format!(
            "it was not written by `arbiter stats --format json`: {error}"
        ))
    })?;
    let plan = plan(&read).map_err(refuse)?;
    let whole = group(read, &plan.keys).map_err(refuse)?;
    Ok(Statistics { plan, whole })
}

fn plan(read: &Read) -> Result<Plan, String> {
    let keys = read.keys.iter().map(|key| key.parse());
    let keys: Vec<Key> = keys.collect::<Result<_, String>>()?;
    Plan::check(&keys)?;
    Ok(Plan {
        keys,
        draws: read.draw_kinds.is_some(),
        source: match read.source.as_deref() {
            None | Some("recorded") => ResultSource::Recorded,
            Some("rules") => ResultSource::Rules,
            Some(_) => return Err("the source of its results is not known".to_owned()),
        },
        rules: match &read.rules {
            None => None,
            Some(name) => Some(name.parse().map_err(|_| "its rule set is not known")?),
        },
    })
}

fn group(read: Read, keys: &[Key]) -> Result<Group, String> {
    if read.groups_left_out.is_some() {
        return Err(
            "groups were left out of it; write it without `--top` and `--min-games`".to_owned(),
        );
    }
    let counts = counts(&read)?;
    let mut by = Vec::with_capacity(read.by.len());
    match keys.split_first() {
        None if read.by.is_empty() => {}
        None => return Err("it has groups within groups that have no key".to_owned()),
        Some((key, rest)) => {
            for read in read.by {
                if read.key.as_deref() != Some(&key.to_string()) {
                    return Err(format!("a group is not by `{key}`"));
                }
                let value = read.value.clone().unwrap_or_default();
                if !value.is_empty() && !key.has_value(&value) {
                    return Err(format!("`{value}` is no value of the key `{key}`"));
                }
                by.push((value.into(), group(read, rest)?));
            }
        }
    }
    let by = Groups::new(by).map_err(|_| match keys.first() {
        Some(key) => format!("a group by `{key}` is there twice"),
        None => "a group is there twice".to_owned(),
    })?;
    if let Some(key) = keys.first() {
        let adds_up = sum(key, &by).is_some_and(|sum| match key {
            Key::Player => is_sum_of_players(&sum, &counts),
            _ => sum == counts || by.iter().len() == 0 && is_empty(&counts),
        });
        if !adds_up {
            return Err(format!("its groups by `{key}` do not add up"));
        }
    }
    Ok(Group { counts, by })
}

/// Sum of the groups of a key, unless it exceeds the limit.
fn sum(key: &Key, by: &Groups) -> Option<Counts> {
    let most = match key {
        Key::Player => 2 * MOST,
        _ => MOST,
    };
    let mut sum = Counts::default();
    for (_, group) in by.iter() {
        sum += group.counts.clone();
        if sum.tally.seen() > most {
            return None;
        }
    }
    Some(sum)
}

fn is_empty(counts: &Counts) -> bool {
    counts.tally.seen() == 0
}

/// True if the groups of players add up: every game counts once for White and once for Black.
fn is_sum_of_players(players: &Counts, games: &Counts) -> bool {
    let sides = players.sides.as_deref().copied().unwrap_or_default();
    let twice = |kinds: &DrawKinds| {
        let mut twice = *kinds;
        twice += *kinds;
        twice
    };
    sides == [games.tally; 2]
        && players.changed == 2 * games.changed
        && players.undecided == 2 * games.undecided
        && (is_empty(games)
            || players.draw_kinds.as_deref().copied() == games.draw_kinds.as_deref().map(twice))
}

fn counts(read: &Read) -> Result<Counts, String> {
    let tally = Tally {
        white: read.white,
        black: read.black,
        draws: read.draws,
        unfinished: read.unfinished,
        other: read.other,
        unreadable: read.unreadable,
    };
    let sides = match (&read.as_white, &read.as_black) {
        (None, None) => None,
        (Some(white), Some(black)) => Some([
            side(white, white.wins, white.losses),
            side(black, black.losses, black.wins),
        ]),
        _ => return Err("a player has games with one colour only".to_owned()),
    };
    let mut draw_kinds = None;
    if let Some(read) = &read.draw_kinds {
        let mut kinds = Vec::new();
        for (name, &count) in read {
            let kind = DrawKind::ALL.into_iter().find(|kind| kind.as_str() == name);
            kinds.push((kind.ok_or("a kind of draw is not known")?, count));
        }
        draw_kinds = Some(Box::new(DrawKinds::from_iter(kinds)));
    }
    let counts = Counts {
        tally,
        sides: sides.map(Box::new),
        draw_kinds,
        changed: read.changed,
        undecided: read.undecided,
    };
    match is_sound(&counts, read.games) {
        true => Ok(counts),
        false => Err("its numbers do not add up".to_owned()),
    }
}

fn side(side: &Side, white: u64, black: u64) -> Tally {
    Tally {
        white,
        black,
        draws: side.draws,
        unfinished: side.unfinished,
        other: side.other,
        unreadable: side.unreadable,
    }
}

/// True if the numbers are consistent.
fn is_sound(counts: &Counts, games: u64) -> bool {
    let sum = |numbers: &[u64]| {
        numbers
            .iter()
            .try_fold(0_u64, |sum, &number| sum.checked_add(number))
            .filter(|&sum| sum <= MOST)
    };
    let Tally {
        white,
        black,
        draws,
        unfinished,
        other,
        unreadable,
    } = counts.tally;
    let Some(seen) = sum(&[white, black, draws, unfinished, other, unreadable]) else {
        return false;
    };
    let kinds = counts
        .draw_kinds
        .as_deref()
        .map(|kinds| kinds.iter().map(|(_, count)| count).collect::<Vec<_>>());
    let kinds_fit = kinds.is_none_or(|kinds| sum(&kinds) == Some(draws));
    let sides_fit = counts.sides.as_deref().is_none_or(|&[mut both, black]| {
        let fits = |tally: &Tally| {
            [
                tally.white,
                tally.black,
                tally.draws,
                tally.unfinished,
                tally.other,
                tally.unreadable,
            ]
            .iter()
            .all(|&number| number <= MOST)
        };
        fits(&both) && fits(&black) && {
            both += black;
            both == counts.tally
        }
    });
    seen - unreadable == games
        && kinds_fit
        && sides_fit
        && counts.changed <= seen
        && counts.undecided <= seen
}
