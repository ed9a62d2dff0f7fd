//! Statistics as JSON, written and read by one structure. Every integer is written, so that outputs
//! can be merged.

use std::borrow::Cow;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::commands::stats::count::{
    Counts, DrawKinds, Group, GroupFilter, Groups, Key, Plan, ResultSource, Statistics, Tally,
};
use crate::commands::stats::numbers::Rate;
use crate::commands::stats::ratings::RatingList;
use crate::error::Error;
use crate::report::json;

/// Statistics, or a group within them. Only the integers are read, which determine the rates.
#[derive(Serialize, Deserialize, Default)]
#[serde(expecting = "one object")]
pub(super) struct Document<'a> {
    /// The version of the document; groups have none.
    #[serde(default, deserialize_with = "present")]
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<u32>,
    #[serde(default, deserialize_with = "present")]
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<Cow<'a, str>>,
    #[serde(default, deserialize_with = "present")]
    #[serde(skip_serializing_if = "Option::is_none")]
    rules: Option<Cow<'a, str>>,
    /// `position` if openings are not those of the tags.
    #[serde(default, deserialize_with = "present")]
    #[serde(skip_serializing_if = "Option::is_none")]
    openings: Option<Cow<'a, str>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    keys: Vec<String>,
    #[serde(default, deserialize_with = "present")]
    #[serde(skip_serializing_if = "Option::is_none")]
    ratings: Option<RatingList<'a>>,
    #[serde(default, deserialize_with = "present")]
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<String>,
    /// Value of the key, for a group; null if it is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<Option<Cow<'a, str>>>,
    pub(super) games: u64,
    #[serde(flatten)]
    pub(super) tally: Tally,
    #[serde(skip_deserializing)]
    pub(super) white_score: Option<f64>,
    #[serde(skip_deserializing)]
    pub(super) draw_rate: Option<f64>,
    #[serde(skip_deserializing)]
    pub(super) interval_95: Option<[f64; 2]>,
    #[serde(skip_deserializing)]
    pub(super) draw_interval_95: Option<[f64; 2]>,
    /// From here on for players.
    #[serde(skip_deserializing, skip_serializing_if = "Option::is_none")]
    pub(super) wins: Option<u64>,
    #[serde(skip_deserializing, skip_serializing_if = "Option::is_none")]
    pub(super) losses: Option<u64>,
    #[serde(skip_deserializing, skip_serializing_if = "Option::is_none")]
    pub(super) score: Option<Option<f64>>,
    #[serde(skip_deserializing, skip_serializing_if = "Option::is_none")]
    pub(super) score_interval_95: Option<Option<[f64; 2]>>,
    #[serde(default, deserialize_with = "present")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) as_white: Option<ColorCounts>,
    #[serde(default, deserialize_with = "present")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) as_black: Option<ColorCounts>,
    #[serde(default, deserialize_with = "present")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) draw_kinds: Option<DrawKinds>,
    #[serde(default, deserialize_with = "present")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) changed: Option<u64>,
    #[serde(default, deserialize_with = "present")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) undecided: Option<u64>,
    #[serde(skip_deserializing, skip_serializing_if = "Option::is_none")]
    pub(super) elo: Option<Option<f64>>,
    #[serde(skip_deserializing, skip_serializing_if = "Option::is_none")]
    pub(super) elo_interval_95: Option<Option<[f64; 2]>>,
    #[serde(default, deserialize_with = "present")]
    #[serde(skip_serializing_if = "Option::is_none")]
    by: Option<Members<'a>>,
    #[serde(default, deserialize_with = "present")]
    #[serde(skip_serializing_if = "Option::is_none")]
    groups_left_out: Option<usize>,
}

/// Version of the document: the same as long as fields are only added.
const VERSION: u32 = 1;

/// A player's games with one colour.
#[derive(Serialize, Deserialize)]
pub(super) struct ColorCounts {
    #[serde(skip_deserializing)]
    pub(super) games: u64,
    pub(super) wins: u64,
    pub(super) draws: u64,
    pub(super) losses: u64,
    unfinished: u64,
    other: u64,
    unreadable: u64,
    #[serde(skip_deserializing)]
    pub(super) score: Option<f64>,
    #[serde(skip_deserializing)]
    pub(super) draw_rate: Option<f64>,
}

/// Reads a field that may be missing, but not null.
pub(crate) fn present<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    from: D,
) -> Result<Option<T>, D::Error> {
    T::deserialize(from).map(Some)
}

/// Groups within a group.
enum Members<'a> {
    Read(Vec<Document<'a>>),
    /// Shown groups, with the key and those within it. Each is made when it is written.
    Written {
        plan: &'a Plan,
        keys: &'a [Key],
        filter: GroupFilter,
        groups: Vec<(&'a str, &'a Group)>,
    },
}

impl Serialize for Members<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Members::Read(groups) => groups.serialize(serializer),
            Members::Written {
                plan,
                keys,
                filter,
                groups,
            } => serializer.collect_seq(groups.iter().map(|(value, group)| Document {
                key: Some(keys[0].to_string()),
                value: Some((!value.is_empty()).then_some(Cow::Borrowed(value))),
                ..Document::of(plan, group, &keys[1..], *filter)
            })),
        }
    }
}

impl<'de> Deserialize<'de> for Members<'_> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Vec::deserialize(from).map(Members::Read)
    }
}

/// One object.
pub(super) fn text(statistics: &Statistics, filter: GroupFilter) -> String {
    let plan = &statistics.plan;
    let rules = plan.rules.filter(|_| plan.uses_rules());
    json::pretty(&Document {
        version: Some(VERSION),
        source: statistics.is_by_rules().then_some("rules".into()),
        rules: rules.map(|rules| rules.name().into()),
        openings: plan.by_position.then_some("position".into()),
        keys: plan.keys.iter().map(Key::to_string).collect(),
        ratings: plan.ratings.then(|| RatingList::new(statistics)),
        ..Document::of(plan, &statistics.whole, &plan.keys, filter)
    }) + "\n"
}

impl<'a> Document<'a> {
    /// A group, with those within it by `keys`.
    fn of(plan: &'a Plan, group: &'a Group, keys: &'a [Key], filter: GroupFilter) -> Document<'a> {
        let mut document = Document::of_counts(plan, &group.counts);
        if let Some(key) = keys.first() {
            let shown = filter.of(key, group);
            document.by = Some(Members::Written {
                plan,
                keys,
                filter,
                groups: shown.groups,
            });
            document.groups_left_out = (shown.left_out > 0).then_some(shown.left_out);
        }
        document
    }

    /// The numbers of a group.
    pub(super) fn of_counts(plan: &Plan, counts: &Counts) -> Document<'a> {
        let tally = counts.tally();
        let (score, drawn) = (tally.white_score(), tally.draw_rate());
        let by_rules = plan.source == ResultSource::Rules;
        let mut document = Document {
            games: tally.games(),
            tally,
            white_score: value(score),
            draw_rate: value(drawn),
            interval_95: interval(score),
            draw_interval_95: interval(drawn),
            draw_kinds: plan.draws.then(|| counts.draw_kinds()),
            changed: by_rules.then_some(counts.changed),
            undecided: by_rules.then_some(counts.undecided),
            ..Document::default()
        };
        if let Some([white, black]) = counts.sides() {
            let [wins, _, losses] = counts.record();
            document.wins = Some(wins);
            document.losses = Some(losses);
            let points = counts.points();
            document.score = Some(value(points));
            document.score_interval_95 = Some(interval(points));
            document.elo = Some(points.and_then(Rate::elo));
            document.elo_interval_95 = Some(points.and_then(Rate::elo_interval));
            document.as_white = Some(ColorCounts::of(&white, white.white, white.black));
            document.as_black = Some(ColorCounts::of(&black, black.black, black.white));
        }
        document
    }
}

fn value(rate: Option<Rate>) -> Option<f64> {
    rate.map(|rate| rate.value)
}

fn interval(rate: Option<Rate>) -> Option<[f64; 2]> {
    rate.map(|rate| rate.interval)
}

impl ColorCounts {
    fn of(tally: &Tally, wins: u64, losses: u64) -> ColorCounts {
        ColorCounts {
            games: tally.games(),
            wins,
            draws: tally.draws,
            losses,
            unfinished: tally.unfinished,
            other: tally.other,
            unreadable: tally.unreadable,
            score: Rate::value_of_points(wins, tally.draws, losses),
            draw_rate: value(tally.draw_rate()),
        }
    }

    fn tally(&self, white: u64, black: u64) -> Tally {
        Tally {
            white,
            black,
            draws: self.draws,
            unfinished: self.unfinished,
            other: self.other,
            unreadable: self.unreadable,
        }
    }
}

/// Reads the output of [`text`]. Errors name `path`.
///
/// # Errors
///
/// [`Error::Invalid`] if it is anything else, or groups were left out of it.
pub(crate) fn read(path: &str, text: &[u8]) -> Result<Statistics, Error> {
    let refuse = |reason: String| Error::invalid("statistics in", path, None, reason);
    let read: Document<'_> = serde_json::from_slice(text).map_err(|error| {
        refuse(format!(
            "it was not written by `arbiter stats --format json`: {error}"
        ))
    })?;
    // Version 1 had no number at first.
    if let Some(version) = read.version
        && version > VERSION
    {
        let reason = format!("a newer arbiter has written it, in version {version}");
        return Err(refuse(reason));
    }
    let plan = plan(&read).map_err(refuse)?;
    let whole = group(read, &plan.keys).map_err(refuse)?;
    Ok(Statistics { plan, whole })
}

fn plan(read: &Document<'_>) -> Result<Plan, String> {
    let keys = read.keys.iter().map(|key| key.parse());
    let keys: Vec<Key> = keys.collect::<Result<_, String>>()?;
    Plan::check(&keys)?;
    let rules = read.rules.as_ref().map(|name| name.parse()).transpose();
    Ok(Plan {
        keys,
        draws: read.draw_kinds.is_some(),
        source: match read.source.as_deref() {
            None | Some("recorded") => ResultSource::Recorded,
            Some("rules") => ResultSource::Rules,
            Some(_) => return Err("the source of its results is not known".to_owned()),
        },
        rules: rules.map_err(|_| "its rule set is not known")?,
        by_position: match read.openings.as_deref() {
            None => false,
            Some("position") => true,
            Some(_) => return Err("the source of its openings is not known".to_owned()),
        },
        ratings: read.ratings.is_some(),
        ..Plan::default()
    })
}

fn group(read: Document<'_>, keys: &[Key]) -> Result<Group, String> {
    if read.groups_left_out.is_some() {
        return Err(
            "groups were left out of it; write it without `--top` and `--min-games`".to_owned(),
        );
    }
    let counts = counts(&read)?;
    let groups = match read.by {
        Some(Members::Read(groups)) => groups,
        _ => Vec::new(),
    };
    let mut by = Groups::with_capacity(groups.len());
    let Some((key, rest)) = keys.split_first() else {
        return match groups.is_empty() {
            true => Ok(Group { counts, by }),
            false => Err("it has groups within groups that have no key".to_owned()),
        };
    };
    for read in groups {
        if read.key.as_deref() != Some(&key.to_string()) {
            return Err(format!("a group is not by `{key}`"));
        }
        let value = read
            .value
            .clone()
            .flatten()
            .unwrap_or_default()
            .into_owned();
        if !value.is_empty() && !key.has_value(&value) {
            return Err(format!("`{value}` is no value of the key `{key}`"));
        }
        if by.insert(value, Box::new(group(read, rest)?)).is_some() {
            return Err(format!("a group by `{key}` is there twice"));
        }
    }
    let mut sum = Counts::default();
    by.values().for_each(|group| sum += group.counts.clone());
    let expected = match key {
        Key::Player => counts.of_both_players(),
        _ => counts.clone(),
    };
    match sum == expected || by.is_empty() && counts.tally().seen() == 0 {
        true => Ok(Group { counts, by }),
        false => Err(format!("its groups by `{key}` do not add up")),
    }
}

fn counts(read: &Document<'_>) -> Result<Counts, String> {
    let tally = read.tally;
    let mut counts = match (&read.as_white, &read.as_black) {
        (None, None) => Counts::from(tally),
        (Some(white), Some(black)) => Counts::of_player([
            white.tally(white.wins, white.losses),
            black.tally(black.losses, black.wins),
        ]),
        _ => return Err("a player has games with one colour only".to_owned()),
    };
    counts.draw_kinds = read.draw_kinds.map(Box::new);
    counts.changed = read.changed.unwrap_or(0);
    counts.undecided = read.undecided.unwrap_or(0);
    match counts.adds_up_to(tally) && tally.games() == read.games {
        true => Ok(counts),
        false => Err("its numbers do not add up".to_owned()),
    }
}
