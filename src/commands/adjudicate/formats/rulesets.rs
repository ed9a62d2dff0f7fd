//! The rule sets: a table and a paragraph each for people, and JSON lines.

use std::fmt::Write;
use std::ops::Range;

use serde::Serialize;

use crate::adjudication::RuleChoice;
use crate::commands::adjudicate::formats::FormatName;
use crate::error::Error;
use crate::law::rulesets::{
    Article, CastlingPart, EDITIONS, EnPassantPart, EndRule, FIDE, RULE_SETS, RuleSet, Standing,
};
use crate::law::{End, RepetitionKey};
use crate::report::{wrap, wrap_if};

/// Writer of all rule sets or the chosen ones, for a terminal of this width if there is one.
type Writer = fn(Option<RuleChoice>, Option<usize>) -> String;

/// Writer of the rule sets in a format.
pub(crate) fn in_format(format: FormatName) -> Result<Writer, Error> {
    match format {
        FormatName::Human => Ok(human),
        FormatName::Jsonl => Ok(|chosen, _| jsonl(chosen)),
        _ => Err(Error::usage(
            "the rule sets are listed as `human` or `jsonl`",
        )),
    }
}

/// The listed rule sets.
fn sets(chosen: Option<RuleChoice>) -> Vec<&'static RuleSet> {
    chosen.map_or_else(|| RULE_SETS.to_vec(), RuleChoice::candidates)
}

/// Whether a name that stands for several rule sets is listed.
fn is_listed(chosen: Option<RuleChoice>, name: &str) -> bool {
    chosen.is_none_or(|chosen| chosen.name() == name)
}

/// Rules with their names and column heads, in the order of the columns.
fn columns(rules: &RuleSet) -> impl Iterator<Item = (&'static str, &'static str, &EndRule)> {
    let ends = End::LISTED
        .into_iter()
        .map(|end| (end.as_str(), end.head(), rules.rule(end)));
    ends.chain([
        ("agreement", "agree", &rules.agreement),
        (
            "resignation-exception",
            "resign",
            &rules.resignation_exception,
        ),
    ])
}

/// The whole table, what the words in it mean, and a paragraph for each rule set. In a narrow
/// terminal the table has several parts.
fn human(chosen: Option<RuleChoice>, columns: Option<usize>) -> String {
    let sets = sets(chosen);
    let mut out = String::new();
    let rules = self::columns(&FIDE).count();
    let room = columns.map_or(rules, |columns| columns.saturating_sub(NAME) / (1 + CELL));
    let room = room.clamp(1, rules);
    for first in (0..rules).step_by(room) {
        table(&mut out, &sets, first..rules.min(first + room));
        out.push('\n');
    }
    wrap(&mut out, LEGEND, [""; 2], columns.unwrap_or(LEGEND_COLUMNS));
    out.push('\n');
    for editions in EDITIONS {
        if !is_listed(chosen, editions.name) {
            continue;
        }
        let names: Vec<&str> = editions.sets.iter().map(|rules| rules.name).collect();
        let text = format!(
            "{}: {}, the edition in force on the game's date: {}",
            editions.name,
            editions.title,
            names.join(", ")
        );
        wrap_if(&mut out, &text, ["", "  "], columns);
    }
    if is_listed(chosen, RuleChoice::Auto.name()) {
        let auto = "auto: the rules that Site, Event and Termination show; fide if they show none";
        wrap_if(&mut out, auto, ["", "  "], columns);
    }
    for rules in sets {
        out.push('\n');
        paragraph(&mut out, rules, columns);
    }
    out
}

/// Words and heads of the table.
const LEGEND: &str = "auto: the game is over; claim: somebody must claim or ask; may: the director \
may declare a draw; record: the moves do not show it; -: no such rule; ?: the source does not say. \
resign: the game of a player who resigns is drawn if the opponent cannot mate.";

/// Longest line of the legend where the output is no terminal.
const LEGEND_COLUMNS: usize = 118;

/// Widths of the names and of the other columns of the table.
const NAME: usize = 15;
const CELL: usize = 7;

/// The columns of some rules.
fn table(out: &mut String, sets: &[&RuleSet], chosen: Range<usize>) {
    let _ = write!(out, "{:<NAME$}", "");
    for (_, head, _) in columns(&FIDE).take(chosen.end).skip(chosen.start) {
        let _ = write!(out, " {head:<CELL$}");
    }
    end_line(out);
    for rules in sets {
        let _ = write!(out, "{:<NAME$}", rules.name);
        for (_, _, rule) in columns(rules).take(chosen.end).skip(chosen.start) {
            let _ = write!(out, " {:<CELL$}", short(rule.standing));
        }
        end_line(out);
    }
}

fn end_line(out: &mut String) {
    out.truncate(out.trim_end().len());
    out.push('\n');
}

const fn short(standing: Standing) -> &'static str {
    match standing {
        Standing::Automatic => "auto",
        Standing::OnClaim => "claim",
        Standing::ByDirector => "may",
        Standing::Recorded => "record",
        Standing::Absent => "-",
        Standing::Undefined => "?",
    }
}

fn paragraph(out: &mut String, rules: &RuleSet, columns: Option<usize>) {
    let title = format!("{}: {}", rules.name, rules.title);
    wrap_if(out, &title, ["", "  "], columns);
    let mut line = |name: &str, text: &str| {
        let first = format!("  {name:<14} ");
        wrap_if(out, text, [&first, &" ".repeat(first.len())], columns);
    };
    let mut articles = String::new();
    for (_, head, rule) in self::columns(rules) {
        if let Some(Article(number)) = rule.article {
            let _ = write!(articles, ", {head} {number}");
        }
    }
    if !articles.is_empty() {
        line("articles", &articles[2..]);
    }
    if rules.standing(End::Threefold) != Standing::Absent {
        line("same position", &rules.key.to_string());
    }
    if rules.standing(End::InsufficientMaterial) != Standing::Absent {
        line("material", &rules.material_set.to_string());
    }
    line("claim", &claim(rules));
    line("flag", &rules.flag.to_string());
    for note in rules.notes {
        line("note", note);
    }
    line("source", rules.source);
}

fn claim(rules: &RuleSet) -> String {
    let forms = rules.rule(End::Threefold);
    let form = match (forms.announced, forms.on_board) {
        (Some(_), Some(_)) => "with an announced move, or on the position on the board",
        (Some(_), None) => "with an announced move",
        (None, Some(_)) => "on the position on the board",
        (None, None) => return "none".to_owned(),
    };
    let side = if rules.claims.either_side {
        " by either side"
    } else {
        ""
    };
    format!("{form}{side}")
}

/// A rule as scripts read it.
#[derive(Serialize)]
struct RuleRow {
    standing: &'static str,
    article: Option<String>,
    /// Since when the rule has held, `2014-07-01`.
    since: Option<String>,
}

/// A repetition key as scripts read it.
#[derive(Serialize)]
struct KeyRow {
    turn: bool,
    castling: &'static str,
    en_passant: &'static str,
}

impl KeyRow {
    fn of(key: RepetitionKey) -> KeyRow {
        KeyRow {
            turn: key.turn,
            castling: match key.castling {
                CastlingPart::Ignored => "ignored",
                CastlingPart::Rights => "rights",
                CastlingPart::Ability => "ability",
            },
            en_passant: match key.en_passant {
                EnPassantPart::Ignored => "ignored",
                EnPassantPart::Raw => "raw",
                EnPassantPart::PseudoLegal => "pseudo-legal",
                EnPassantPart::Legal => "legal",
            },
        }
    }
}

/// One object a rule set, one line each.
fn jsonl(chosen: Option<RuleChoice>) -> String {
    let mut out = String::new();
    for rules in sets(chosen) {
        let mut object = serde_json::Map::new();
        let mut put = |name: &str, value: serde_json::Value| {
            object.insert(name.to_owned(), value);
        };
        put("name", rules.name.into());
        put("title", rules.title.into());
        put("source", rules.source.into());
        for (name, _, rule) in columns(rules) {
            let row = RuleRow {
                standing: rule.standing.as_str(),
                article: rule
                    .article
                    .map(|article| rules.cite(Some(article)).to_string()),
                since: rule
                    .since
                    .or(rules.since)
                    .map(|since| format!("{:04}-{:02}-{:02}", since.year, since.month, since.day)),
            };
            put(name, json(&row));
        }
        put("material_set", rules.material_set.to_string().into());
        put("flag", rules.flag.to_string().into());
        put("same_position", json(&KeyRow::of(rules.key)));
        put(
            "claim_with_announced_move",
            rules.rule(End::Threefold).announced.is_some().into(),
        );
        put(
            "claim_on_board",
            rules.rule(End::Threefold).on_board.is_some().into(),
        );
        let order: Vec<_> = rules.order.iter().map(|end| end.as_str()).collect();
        put("order", order.into());
        put("notes", rules.notes.to_vec().into());
        let _ = writeln!(out, "{}", crate::report::json::of(&object));
    }
    for editions in EDITIONS {
        if !is_listed(chosen, editions.name) {
            continue;
        }
        let names: Vec<&str> = editions.sets.iter().map(|rules| rules.name).collect();
        let object = serde_json::json!({
            "name": editions.name,
            "title": editions.title,
            "editions": names,
        });
        let _ = writeln!(out, "{object}");
    }
    out
}

/// A structure of plain text always has a JSON form.
fn json(value: &impl Serialize) -> serde_json::Value {
    serde_json::to_value(value).unwrap_or_default()
}
