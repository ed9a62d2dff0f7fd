//! Statistics as JSON, written and read. Every integer is written, so that outputs can be merged.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::adjudication::RuleChoice;
use crate::commands::stats::count::{
    Counts, DrawKind, DrawKinds, Group, GroupFilter, Groups, Key, MOST, Plan, ResultSource,
    Statistics, Tally,
};
use crate::commands::stats::formats::{GroupFields, OptionalFields};
use crate::error::Error;
use crate::report::{Buffer, Format, json};

/// A group and the groups within it.
#[derive(Serialize)]
struct Written<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rules: Option<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    keys: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<Option<&'a str>>,
    #[serde(flatten)]
    fields: GroupFields,
    #[serde(skip_serializing_if = "Option::is_none")]
    by: Option<Vec<Written<'a>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    groups_left_out: Option<usize>,
}

impl<'a> Written<'a> {
    fn new(statistics: &'a Statistics, choice: GroupFilter) -> Written<'a> {
        let plan = &statistics.plan;
        Written {
            source: statistics.is_by_rules().then_some("rules"),
            rules: plan
                .rules
                .filter(|_| plan.uses_rules())
                .map(RuleChoice::name),
            keys: plan.keys.iter().map(Key::to_string).collect(),
            ..Written::of(plan, &statistics.whole, &plan.keys, choice)
        }
    }

    fn of(plan: &Plan, group: &'a Group, keys: &[Key], choice: GroupFilter) -> Written<'a> {
        let counts = &group.counts;
        let optional = OptionalFields {
            player: counts.sides.is_some(),
            draws: counts.draw_kinds.is_some(),
            rules: plan.source == ResultSource::Rules,
        };
        let mut written = Written {
            source: None,
            rules: None,
            keys: Vec::new(),
            key: None,
            value: None,
            fields: GroupFields::new(counts, optional),
            by: None,
            groups_left_out: None,
        };
        if let Some((key, rest)) = keys.split_first() {
            let chosen = choice.of(key, group);
            let groups = chosen.groups.into_iter().map(|(value, group)| Written {
                key: Some(key.to_string()),
                value: Some((!value.is_empty()).then_some(value)),
                ..Written::of(plan, group, rest, choice)
            });
            written.by = Some(groups.collect());
            written.groups_left_out = (chosen.left_out > 0).then_some(chosen.left_out);
        }
        written
    }
}

/// JSON.
pub(crate) struct Json {
    pub(crate) filter: GroupFilter,
}

impl Format<&Statistics> for Json {
    fn item(&self, out: &mut Buffer, statistics: &Statistics) {
        out.push_str(&json(statistics, self.filter));
    }
}

/// One JSON object.
fn json(statistics: &Statistics, choice: GroupFilter) -> String {
    let mut out = json::pretty(&Written::new(statistics, choice));
    out.push('\n');
    out
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
    draw_kinds: Option<BTreeMap<String, u64>>,
    #[serde(default)]
    changed: u64,
    #[serde(default)]
    undecided: u64,
    #[serde(default)]
    by: Vec<Read>,
    groups_left_out: Option<u64>,
}

/// Reads the output of [`json()`]. Errors name `path`.
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
