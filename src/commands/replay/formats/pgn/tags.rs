//! Tag section of an exported game, and its changes: `--tags`, `--set-tag` and `--drop-tag`.

use std::borrow::Cow;
use std::ops::RangeInclusive;

use clap::Args;

use crate::chess::Position;
use crate::commands::names::Names;
use crate::commands::openings::Opening;
use crate::commands::replay::formats::pgn::mark;
use crate::commands::tag_columns::{LICHESS, tag_name};
use crate::pgn::values::result;
use crate::pgn::{Game, Tag, TagName};
use crate::replay::Start;
use crate::report::Buffer;
use crate::text::decode;

/// Name and value of a tag.
type Pair<'a> = (Cow<'a, str>, Cow<'a, str>);

/// Tags of the start position, without which the moves cannot be read.
const START_TAGS: [&str; 3] = ["Variant", "SetUp", "FEN"];

/// Changes of the tags of each game.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Output")]
pub(crate) struct TagEdits {
    /// Tags that are written, in order; all if there are none.
    #[arg(skip)]
    pub(crate) chosen: Vec<String>,

    /// Tags that are written besides, as their values are added.
    #[arg(skip)]
    pub(crate) added: Vec<&'static str>,

    /// Set a tag with the format pgn: Event=…; may be repeated
    #[arg(long, value_name = "TAG=VALUE", hide_short_help = true, value_parser = tag_value)]
    pub(crate) set_tag: Vec<(String, String)>,

    /// Leave out these tags with the format pgn
    #[arg(long, value_name = "NAMES", hide_short_help = true)]
    #[arg(value_delimiter = ',', value_parser = changeable)]
    pub(crate) drop_tag: Vec<String>,
}

/// Tags of a game: the Seven Tag Roster, then the others in ASCII order (PGN standard 8.1).
#[derive(Clone)]
pub(super) struct TagSection<'a>(Vec<Pair<'a>>);

impl<'a> TagSection<'a> {
    /// Tags of a game, changed by `edits`; the opening replaces its tags if it is known.
    pub(super) fn new(
        (game, text): (&'a Game, &'a [u8]),
        opening: Option<&'a Opening>,
        edits: &'a TagEdits,
        names: &'a Names,
    ) -> TagSection<'a> {
        let roster = TagName::ALL[..TagName::ROSTER].iter();
        let roster = roster.map(|&name| match (name, value(name, game, text)) {
            (TagName::White | TagName::Black, player) => (name.as_str().into(), names.name(player)),
            (_, value) => (name.as_str().into(), value),
        });
        let mut section = TagSection(Vec::with_capacity(TagName::ROSTER + game.tags.len() + 2));
        section.0.extend(roster);
        section.0.extend(others(game, text, opening));
        for (name, value) in &edits.set_tag {
            section.set(name, value.into());
        }
        section
    }

    /// Value of a tag, in any case of its name.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        let mut pairs = self.0.iter();
        let pair = pairs.find(|pair| pair.0.eq_ignore_ascii_case(name))?;
        Some(&pair.1)
    }

    /// Replaces the value of a tag, or adds the tag at its place.
    pub(super) fn set(&mut self, name: &'a str, value: Cow<'a, str>) {
        let is_of_name = |pair: &&mut Pair<'a>| pair.0.eq_ignore_ascii_case(name);
        if let Some(pair) = self.0.iter_mut().find(is_of_name) {
            pair.1 = value;
            return;
        }
        let others = &self.0[TagName::ROSTER..];
        let place = others.partition_point(|pair| *pair.0 < *name);
        self.0.insert(TagName::ROSTER + place, (name.into(), value));
    }

    /// Sets the start position of a part of a game, and the number of its plies if it is given.
    pub(super) fn begin_at(&mut self, plies: &RangeInclusive<u32>, before: &Position) {
        if *plies.start() > 1 {
            self.set("FEN", before.to_string().into());
            self.set("SetUp", "1".into());
        }
        self.count_plies(plies.clone().count());
    }

    /// Corrects the number of plies if it is given.
    pub(super) fn count_plies(&mut self, plies: usize) {
        if self.get("PlyCount").is_some() {
            self.set("PlyCount", plies.to_string().into());
        }
    }

    /// Adds the tags that are written, and the empty line after them.
    pub(super) fn write(&mut self, out: &mut Buffer, edits: &TagEdits) {
        let names = |list: &[String], tag: &str| list.iter().any(|it| it.eq_ignore_ascii_case(tag));
        self.0.retain(|pair| !names(&edits.drop_tag, &pair.0));
        if !edits.chosen.is_empty() {
            let mut chosen = Vec::with_capacity(self.0.len());
            let set = edits.set_tag.iter().map(|(name, _)| name.as_str());
            let others = set.chain(edits.added.iter().copied()).chain(START_TAGS);
            for name in edits.chosen.iter().map(String::as_str).chain(others) {
                chosen.extend(self.0.extract_if(.., |pair| names_tag(name, &pair.0)));
            }
            self.0 = chosen;
        }
        for (name, value) in &self.0 {
            pair(out, name, value);
        }
        out.push(b'\n');
    }
}

/// Whether a value of `--tags` names a tag.
fn names_tag(chosen: &str, tag: &str) -> bool {
    match &*chosen.to_ascii_lowercase() {
        "all" => true,
        "roster" => TagName::ALL[..TagName::ROSTER]
            .iter()
            .any(|it| it.as_str() == tag),
        "lichess" => LICHESS.contains(&tag),
        _ => chosen.eq_ignore_ascii_case(tag),
    }
}

/// Parses the name of a tag that may be changed, in the spelling of the standard.
fn changeable(text: &str) -> Result<String, String> {
    let name = tag_name(text)?;
    match START_TAGS.iter().any(|tag| name.eq_ignore_ascii_case(tag)) {
        true => Err("the moves cannot be read without the tags of their start".to_owned()),
        false => Ok(name),
    }
}

/// Parses `TAG=VALUE`.
fn tag_value(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("not of the form `TAG=VALUE`")?;
    match name.eq_ignore_ascii_case("Result") {
        true => Err("the recorded result is never changed".to_owned()),
        false => Ok((changeable(name)?, value.to_owned())),
    }
}

/// Value of a tag of the roster.
fn value<'a>(name: TagName, game: &Game, text: &'a [u8]) -> Cow<'a, str> {
    if name == TagName::Result {
        return result(game, text);
    }
    let value = game.known(name).map(|tag| tag.text(text));
    value
        .filter(|value| !value.trim().is_empty())
        .unwrap_or(match name {
            TagName::Date => "????.??.??".into(),
            _ => "?".into(),
        })
}

/// `Result` tag in the standard's spelling; its meaning is never changed.
fn result<'a>(game: &Game, text: &'a [u8]) -> Cow<'a, str> {
    match game.result_tag(text) {
        Some(tag) => match result::read(&tag.unescape(text)).value {
            Some(mark) => mark.as_str().into(),
            None => tag.text(text),
        },
        None => match game.other_result {
            Some(other) if game.result.is_none() => decode(other.of(text)).into_owned().into(),
            _ => mark(game, text).as_str().into(),
        },
    }
}

/// Pairs beyond the roster, sorted. The first of several with the same name is kept; a name that
/// becomes that of another gets a number. The tags of an opening are replaced if it is known.
fn others<'a>(game: &Game, text: &'a [u8], opening: Option<&'a Opening>) -> Vec<Pair<'a>> {
    let mut pairs: Vec<Pair<'a>> = Vec::with_capacity(game.tags.len());
    if let Some(Opening { eco, name }) = opening {
        pairs.push(("ECO".into(), eco.into()));
        pairs.extend((!name.is_empty()).then(|| ("Opening".into(), name.into())));
    }
    let mut renamed: Vec<(Cow<'a, str>, Tag)> = Vec::new();
    for &tag in &game.tags {
        let name =
            match tag.known {
                Some(name) if name.is_in_roster() => continue,
                Some(
                    TagName::Eco | TagName::Opening | TagName::Variation | TagName::SubVariation,
                ) if opening.is_some() => continue,
                Some(name) => name.as_str().into(),
                None => symbol(tag.name.of(text)),
            };
        let is_known = |(_, other): &(_, Tag)| other.name.of(text) == tag.name.of(text);
        match name {
            Cow::Owned(_) if renamed.iter().any(is_known) => {}
            Cow::Owned(_) => renamed.push((name, tag)),
            Cow::Borrowed("") => {}
            Cow::Borrowed(_) => pairs.push((name, tag.text(text))),
        }
    }
    for (name, tag) in renamed {
        let is_free = |name: &str| !pairs.iter().any(|pair| pair.0 == name);
        let numbered = (2..).map(|number| format!("{name}_{number}").into());
        let mut names = std::iter::once(name.clone()).chain(numbered);
        if let Some(name) = names.find(|name| is_free(name)) {
            pairs.push((name, tag.text(text)));
        }
    }
    // A FEN needs this tag (PGN standard 9.7.1).
    if Start::fen(game, text).is_some() {
        match pairs.iter_mut().find(|pair| pair.0 == "SetUp") {
            Some(pair) => pair.1 = "1".into(),
            None => pairs.push(("SetUp".into(), "1".into())),
        }
    }
    // The sort is stable.
    pairs.sort_by(|one, other| one.0.cmp(&other.0));
    pairs.dedup_by(|later, first| later.0 == first.0);
    pairs
}

/// Name of letters, digits and underscores (PGN standard 8.1), in Latin letters. Hyphens and dots
/// are common and kept.
fn symbol(name: &[u8]) -> Cow<'_, str> {
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    match str::from_utf8(name) {
        Ok(name) if name.chars().all(fits) => name.into(),
        _ => {
            let latin = deunicode::deunicode(&decode(name));
            let fitted = latin.trim().chars();
            let fitted: String = fitted.map(|c| if fits(c) { c } else { '_' }).collect();
            Cow::Owned(if fitted.is_empty() {
                "_".into()
            } else {
                fitted
            })
        }
    }
}

/// `[Name "value"]` on a line.
fn pair(out: &mut Buffer, name: &str, value: &str) {
    let mut value = Cow::from(value);
    if value.contains(|c: char| matches!(c, '"' | '\\') || c.is_control()) {
        let escaped = value.replace('\\', r"\\").replace('"', "\\\"");
        value = escaped.replace(char::is_control, " ").into();
    }
    for part in ["[", name, " \"", &value, "\"]\n"] {
        out.push_str(part);
    }
}
