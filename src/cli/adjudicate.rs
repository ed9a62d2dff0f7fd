//! `arbiter adjudicate`

use clap::{Args, ValueEnum};

use super::Outcome;
use super::games::GameFlags;
use crate::error::Error;
use crate::output::{Bar, Sink, rulesets};
use crate::rules::RuleSet;
use crate::rules::ruleset::RULE_SETS;

/// Say how games ended by the rules, and decide disputed claims
#[derive(Args, Debug)]
pub(super) struct Flags {
    #[command(flatten)]
    games: GameFlags,

    /// The rules that hold
    #[arg(long, value_name = "NAME", value_parser = parse_rules, value_delimiter = ',', default_value = "fide")]
    rules: Vec<&'static RuleSet>,

    /// List the rule sets, and read no games
    #[arg(long, required = true)]
    list_rules: bool,

    /// How it is shown
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Format {
    /// For people
    Human,
    /// One JSON object a line
    Jsonl,
}

fn parse_rules(name: &str) -> Result<&'static RuleSet, String> {
    RuleSet::named(name).ok_or_else(|| {
        let names: Vec<_> = RULE_SETS.iter().map(|rules| rules.name).collect();
        format!("no such rule set; there are {}", names.join(", "))
    })
}

pub(super) fn run(flags: &Flags) -> Result<Outcome, Error> {
    list_rules(flags)
}

fn list_rules(flags: &Flags) -> Result<Outcome, Error> {
    let mut sink = Sink::open(flags.games.output.as_deref(), Bar::default())?;
    let text = match flags.format {
        Format::Human => rulesets::human(),
        Format::Jsonl => rulesets::jsonl(),
    };
    sink.write(text.as_bytes())?;
    sink.finish()?;
    Ok(Outcome::Done)
}
