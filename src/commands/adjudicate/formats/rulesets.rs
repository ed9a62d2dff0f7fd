//! The rule sets: a table and a paragraph each for people, and JSON lines.

use std::ops::Range;

use serde_json::json;

use crate::adjudication::RuleChoice;
use crate::commands::adjudicate::formats::RulingFormat;
use crate::error::Error;
use crate::law::End;
use crate::law::rulesets::{
    Article, Date, EDITIONS, Editions, EndRule, FIDE, RULE_SETS, RuleSet, Standing,
};
use crate::report::{append, wrap, wrap_if};

/// Writer of all rule sets or the chosen ones, for a terminal of this width if there is one.
type Writer = fn(Option<RuleChoice>, Option<usize>) -> String;

/// Writer of the rule sets in a format.
pub(crate) fn in_format(format: RulingFormat) -> Result<Writer, Error> {
    match format {
        RulingFormat::Human => Ok(human),
        RulingFormat::Jsonl => Ok(|chosen, _| jsonl(chosen)),
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
        .map(|end| (end.as_str(), end.row().head, rules.rule(end)));
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
        table(&mut out, &sets, &(first..rules.min(first + room)));
        out.push('\n');
    }
    wrap(&mut out, LEGEND, [""; 2], columns.unwrap_or(LEGEND_COLUMNS));
    out.push('\n');
    for editions in listed_editions(chosen) {
        let text = format!(
            "{}: {}, the edition in force on the game's date: {}",
            editions.name,
            editions.title,
            names(editions).join(", ")
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

/// The chosen columns of some rules.
fn table(out: &mut String, sets: &[&RuleSet], chosen: &Range<usize>) {
    let mut line = |name: &str, cells: Vec<&str>| {
        let start = out.len();
        append!(out, "{name:<NAME$}");
        for cell in &cells[chosen.clone()] {
            append!(out, " {cell:<CELL$}");
        }
        out.truncate(start + out[start..].trim_end().len());
        out.push('\n');
    };
    line("", columns(&FIDE).map(|(_, head, _)| head).collect());
    for rules in sets {
        let cells = columns(rules).map(|(.., rule)| short(rule.standing));
        line(rules.name, cells.collect());
    }
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
    let articles = self::columns(rules).filter_map(|(_, head, rule)| {
        let Article(number) = rule.article?;
        Some(format!("{head} {number}"))
    });
    let articles: Vec<String> = articles.collect();
    if !articles.is_empty() {
        line("articles", &articles.join(", "));
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

/// One object a rule set, one line each.
fn jsonl(chosen: Option<RuleChoice>) -> String {
    let mut out = String::new();
    for rules in sets(chosen) {
        let threefold = rules.rule(End::Threefold);
        let order = rules.order.iter();
        let order = order.filter(|&&end| rules.standing(end) != Standing::Absent);
        let mut object = json!({
            "name": rules.name,
            "title": rules.title,
            "source": rules.source,
            "material_set": rules.material_set.to_string(),
            "flag": rules.flag.to_string(),
            "same_position": {
                "turn": rules.key.turn,
                "castling": <&str>::from(rules.key.castling),
                "en_passant": <&str>::from(rules.key.en_passant),
            },
            "claim_with_announced_move": threefold.announced.is_some(),
            "claim_on_board": threefold.on_board.is_some(),
            "order": order.map(|end| end.as_str()).collect::<Vec<_>>(),
            "notes": rules.notes,
        });
        for (name, _, rule) in columns(rules) {
            let since = rule.since.or(rules.since);
            let since =
                since.map(|Date { year, month, day }| format!("{year:04}-{month:02}-{day:02}"));
            object[name] = json!({
                "standing": <&str>::from(rule.standing),
                "article": rule.article.map(|article| rules.cite(Some(article)).to_string()),
                "since": since,
            });
        }
        object.sort_all_objects();
        append!(out, "{object}\n");
    }
    for editions in listed_editions(chosen) {
        let object = json!({
            "editions": names(editions),
            "name": editions.name,
            "title": editions.title,
        });
        append!(out, "{object}\n");
    }
    out
}

/// The bodies of rules that are listed.
fn listed_editions(chosen: Option<RuleChoice>) -> impl Iterator<Item = &'static Editions> {
    let editions = EDITIONS.into_iter();
    editions.filter(move |editions| is_listed(chosen, editions.name))
}

fn names(editions: &Editions) -> Vec<&'static str> {
    editions.sets.iter().map(|rules| rules.name).collect()
}
