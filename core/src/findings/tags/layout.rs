//! The export format of tag pairs (PGN standard 8.1): what only `--strict` asks for.

use crate::findings::finding::Findings;
use crate::findings::registry as codes;
use crate::findings::registry::Rule;
use crate::findings::tags::meant;
use crate::findings::{Finding, shown};
use crate::pgn::values::number;
use crate::pgn::values::time_control::{self, TimeControl};
use crate::pgn::{FaultKind, Game, Span, Tag, TagName};

/// The longest value of the PGN standard (7.1), in bytes.
const LONGEST_VALUE: usize = 255;

pub(crate) fn check(game: &Game, text: &[u8], findings: &mut Findings<'_>) {
    let checks = findings.checks;
    if checks.has(&codes::MISSING_ROSTER_TAG) {
        findings.extend(missing(game, text));
    }
    if checks.has(&codes::TAG_ORDER) {
        findings.extend(order(game, text));
    }
    if checks.has(&codes::TAG_LAYOUT) {
        findings.extend(layout(game, text));
    }
    let of_each = [
        &codes::EMPTY_TAG,
        &codes::TAG_VALUE_FORM,
        &codes::LONG_TAG_VALUE,
        &codes::LOWER_CASE_TAG_NAME,
    ];
    if of_each.into_iter().any(|rule| checks.has(rule)) {
        for tag in &game.tags {
            of_tag(tag, text, findings);
        }
    }
}

/// The tags of the roster that are not there, apart from those reported by default.
fn missing(game: &Game, text: &[u8]) -> Option<Finding> {
    if game.has_roster() {
        return None;
    }
    let rest = |&name: &TagName| game.tags.is_empty() || !ESSENTIAL.contains(&name);
    let all = TagName::ALL[..TagName::ROSTER].iter().copied();
    of_missing(game, text, all.filter(rest), &codes::MISSING_ROSTER_TAG)
}

/// Tags that are reported by default if missing.
const ESSENTIAL: [TagName; 3] = [TagName::White, TagName::Black, TagName::Result];

/// The essential tags that are not there. A game without tags is another finding.
#[inline]
pub(crate) fn missing_essential(game: &Game, text: &[u8]) -> Option<Finding> {
    if ESSENTIAL.into_iter().all(|name| game.has(name)) || game.tags.is_empty() {
        return None;
    }
    let rule = &codes::MISSING_PLAYER_OR_RESULT;
    of_missing(game, text, ESSENTIAL.into_iter(), rule)
}

/// The finding of those names that stand neither among the tags nor in a line that has been
/// reported.
#[cold]
fn of_missing(
    game: &Game,
    text: &[u8],
    names: impl Iterator<Item = TagName>,
    rule: &'static Rule,
) -> Option<Finding> {
    let misspelled = |name| game.tags.iter().any(|tag| meant(tag, text) == Some(name));
    let begins = |line: &[u8], name: TagName| {
        let line = line.trim_ascii_start();
        let line = line.strip_prefix(b"[").unwrap_or(line).trim_ascii_start();
        let first = line.get(..name.as_str().len());
        first.is_some_and(|first| first.eq_ignore_ascii_case(name.as_str().as_bytes()))
    };
    let malformed = |name: TagName| {
        let mut faults = game.faults.iter();
        faults.any(|it| it.kind == FaultKind::MalformedTag && begins(it.span.of(text), name))
    };
    let names: Vec<_> = names
        .filter(|&name| !game.has(name) && !misspelled(name) && !malformed(name))
        .map(TagName::as_str)
        .collect();
    if names.is_empty() {
        return None;
    }
    let plural = if names.len() == 1 { "is" } else { "are" };
    let help = match names[..] {
        ["Result"] => "use `*` for an unknown result",
        _ => "use `?` for an unknown value, `????.??.??` for a date, `*` for a result",
    };
    // The place of the tag section.
    let first = game.tags.first().map(|tag| tag.name);
    let place = first.unwrap_or(Span::new(game.start, game.start));
    let message = format!("{} {plural} missing", names.join(", "));
    Some(Finding::new(rule, place, message).help(help))
}

/// The first tag that is not in its place: the roster comes first in its order, the others follow
/// in ASCII order.
fn order(game: &Game, text: &[u8]) -> Option<Finding> {
    let rank = |tag: &Tag| tag.known.filter(|name| name.is_in_roster());
    let pair = game
        .tags
        .windows(2)
        .find(|pair| match (rank(&pair[0]), rank(&pair[1])) {
            (Some(before), Some(name)) => before > name,
            (Some(_), None) => false,
            (None, Some(_)) => true,
            (None, None) => pair[0].name.of(text) > pair[1].name.of(text),
        })?;
    let [before, name] = [&pair[0], &pair[1]].map(|tag| shown(tag.name.of(text)));
    let message = format!("the tag `{name}` should stand before `{before}`");
    let help = "Event, Site, Date, Round, White, Black, Result come first; the others follow in \
        ASCII order";
    Some(Finding::new(&codes::TAG_ORDER, pair[1].name, message).help(help))
}

/// The first place where the tag section is not laid out as in export format: a pair a line, one
/// blank before the value, an empty line at the end.
fn layout(game: &Game, text: &[u8]) -> Option<Finding> {
    let line = memchr::memrchr(b'\n', &text[..game.start]).map_or(0, |line_feed| line_feed + 1);
    let mark = text[line..].starts_with(b"\xef\xbb\xbf");
    let mut at = line + if mark { 3 } else { 0 };
    let mut found = None;
    for tag in &game.tags {
        let (name, value) = (tag.name.range(), tag.value.range());
        let end = value.end + 2;
        found = if text.get(at..name.start) != Some(b"[") {
            let what =
                "a tag pair begins a line of its own, without spaces or empty lines before it";
            Some((name, what))
        } else if text.get(name.end..value.start) != Some(b" \"") {
            Some((name, "one space separates tag name and value"))
        } else if text.get(value.end..end) != Some(b"\"]") {
            Some((value, "a tag pair ends with a quote and a bracket"))
        } else if let Some(length) = line_break(&text[end..]) {
            at = end + length;
            continue;
        } else {
            Some((value, "nothing follows a tag pair on its line"))
        };
        break;
    }
    if found.is_none() && !game.tags.is_empty() && game.movetext < text.len() {
        let blank = line_break(&text[at..]);
        if blank.is_none_or(|length| at + length != game.movetext) {
            let place = game.movetext..game.movetext + 1;
            found = Some((place, "one empty line separates the tags from the movetext"));
        }
    }
    let (place, what) = found?;
    let finding = Finding::new(&codes::TAG_LAYOUT, Span::new(place.start, place.end), what);
    Some(finding.help("the export format is `[Event \"Casual game\"]`, one pair per line"))
}

/// The length of a line break at the beginning of a text.
fn line_break(text: &[u8]) -> Option<usize> {
    match text {
        [b'\n', ..] => Some(1),
        [b'\r', b'\n', ..] => Some(2),
        [] | [b'\r'] => Some(text.len()),
        _ => None,
    }
}

fn of_tag(tag: &Tag, text: &[u8], findings: &mut Findings<'_>) {
    let value = tag.value.of(text);
    let name = || shown(tag.name.of(text));
    if value.is_empty() {
        if !tag.known.is_some_and(TagName::is_in_roster) {
            let message = format!("the tag `{}` is empty", name());
            let finding = Finding::new(&codes::EMPTY_TAG, tag.name, message);
            let help = "leave it out, or write `?` if unknown and `-` if it does not apply";
            findings.push(finding.help(help));
        }
    } else if let Some(known) = tag.known
        && !has_standard_word(known, value)
    {
        nonstandard_form(known, tag, text, findings);
    }
    let first = tag.name.of(text).first();
    if tag.known.is_none() && first.is_some_and(u8::is_ascii_lowercase) {
        let message = format!("the tag name `{}` begins with a lower-case letter", name());
        findings.push(Finding::new(&codes::LOWER_CASE_TAG_NAME, tag.name, message));
    }
    let length = value.len();
    if length > LONGEST_VALUE {
        let (name, most) = (name(), LONGEST_VALUE);
        let message =
            format!("the value of `{name}` has {length} bytes; the standard allows {most}");
        findings.push(Finding::new(&codes::LONG_TAG_VALUE, tag.value, message));
    }
}

/// A value that is in use and not of the standard's form.
pub(crate) fn nonstandard_form(name: TagName, tag: &Tag, text: &[u8], findings: &mut Findings<'_>) {
    if !findings.checks.has(&codes::TAG_VALUE_FORM) {
        return;
    }
    let help = match name {
        TagName::Time | TagName::UtcTime => "the form is HH:MM:SS",
        TagName::TimeControl => {
            "the forms are `40/9000`, `300`, `4500+60` and `*180`, joined by colons"
        }
        TagName::Date | TagName::EventDate | TagName::UtcDate => {
            "the form is YYYY.MM.DD; an unknown date is `????.??.??`"
        }
        TagName::Round => "the form is numbers joined by periods",
        TagName::Eco => "the forms are `B90` and `A00/01`",
        TagName::WhiteTitle | TagName::BlackTitle => {
            "the titles are GM, IM, FM, CM, WGM, WIM, WFM, WCM, or `-`"
        }
        TagName::WhiteType | TagName::BlackType => "the values are `human` and `program`",
        TagName::Board => "the value is a number",
        TagName::Mode => "the values are `OTB`, `PM`, `EM`, `ICS` and `TC`",
        TagName::Termination => {
            "the values are `abandoned`, `adjudication`, `death`, `emergency`, `normal`, \
             `rules infraction`, `time forfeit` and `unterminated`"
        }
        _ => "the value is a number, or `-` for an unrated player",
    };
    let value = tag.unescape(text);
    let help = if name == TagName::TimeControl {
        let control = time_control::read(&value).value;
        let control = control.unwrap_or(TimeControl::Unknown);
        format!("it is read as `{control}`; {help}")
    } else {
        help.to_owned()
    };
    let message = format!(
        "`{}` is not in the standard's form for {name}",
        shown(&value)
    );
    findings.push(Finding::new(&codes::TAG_VALUE_FORM, tag.value, message).help(help));
}

/// Whether a value is one of those the standard lists, for the tags that have such a list.
fn has_standard_word(name: TagName, value: &[u8]) -> bool {
    let words: &[&[u8]] = match name {
        TagName::WhiteTitle | TagName::BlackTitle => &[
            b"-", b"GM", b"IM", b"FM", b"CM", b"WGM", b"WIM", b"WFM", b"WCM",
        ],
        TagName::WhiteType | TagName::BlackType => &[b"human", b"program"],
        TagName::Mode => &[b"OTB", b"PM", b"EM", b"ICS", b"TC"],
        TagName::Termination => &[
            b"abandoned",
            b"adjudication",
            b"death",
            b"emergency",
            b"normal",
            b"rules infraction",
            b"time forfeit",
            b"unterminated",
        ],
        TagName::Board => {
            return number(value).is_some() || value == b"?";
        }
        _ => return true,
    };
    // Several players are separated by colons (9.1).
    value
        .split(|&byte| byte == b':')
        .all(|word| word == b"?" || words.contains(&word))
}
