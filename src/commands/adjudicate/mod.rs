#![doc = include_str!("README.md")]

pub(crate) mod claim_args;
pub mod formats;

mod batch;

use clap::Args;

use crate::adjudication::RuleChoice;
use crate::commands::adjudicate::formats::{RulingFormat, rulesets};
use crate::commands::args::{GameArgs, LetterArgs, number, rules};
use crate::commands::config::{Config, Keys};
use crate::commands::modes::Mode;
use crate::commands::offered::rule_sets;
use crate::commands::output::{Outcome, Output};
use crate::error::Error;
use crate::winnability::SearchLimits;

/// Say how games ended by the rules, and decide disputed claims
///
/// Examples:
///   echo '1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8' | arbiter adjudicate --claim threefold
///   arbiter adjudicate --claim flag --fallen white --fen '8/8/8/8/8/5k2/5p2/5K2 w - - 0 1'
///   arbiter adjudicate --contradictions .
///
/// Exit code 1: the record of a game contradicts the rules; with two rule sets, they decide a game
/// differently. A claim: 0 upheld, 1 rejected, 2 not decided.
#[derive(Args, Debug)]
#[command(verbatim_doc_comment, next_help_heading = "Rules")]
pub(crate) struct Flags {
    /// Rule set; `--list-rules` lists them [default: fide]
    ///
    /// `fide` is the edition in force on the game's date, `auto` goes by Site, Event and
    /// Termination. With two, separated by a comma, only games they decide differently are shown.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    #[arg(value_parser = rule_sets(str::parse))]
    rules: Vec<RuleChoice>,

    /// List the rule sets, or one of them, and read no games
    #[arg(long, value_name = "NAME", num_args = 0..=1, help_heading = "Modes")]
    #[arg(value_parser = rule_sets(str::parse))]
    list_rules: Option<Option<RuleChoice>>,

    /// Read files that change: print rulings, with --claims draws to claim
    ///
    /// Files are appended to, rewritten, or new in a folder. Ends with Ctrl-C, or when no
    /// folder is given and all files are removed. A game is printed again if its ruling changes. A
    /// running game, without a result or with `*`, is printed as soon as the moves end it or a draw
    /// can be claimed.
    #[arg(long, help_heading = "Modes")]
    follow: bool,

    /// Output format
    #[arg(long, value_enum, default_value_t = RulingFormat::Human, help_heading = "Output")]
    format: RulingFormat,

    #[command(flatten)]
    claim: claim_args::ClaimFlags,

    #[command(flatten)]
    batch: batch::BatchFlags,

    #[command(flatten)]
    pub(crate) letters: LetterArgs,

    #[command(flatten)]
    solver: SolverArgs,

    #[command(flatten)]
    games: GameArgs,
}

/// Limits of the searches for who can win.
#[derive(Args, Debug)]
#[command(next_help_heading = "Rules")]
struct SolverArgs {
    /// Node limit for each mate or proof search
    #[arg(long, value_name = "N", default_value_t = SearchLimits::DEFAULT.nodes)]
    #[arg(hide_short_help = true, value_parser = number::<u64>(0..))]
    nodes: u64,

    /// Memory limit for each mate or proof search, in MiB
    #[arg(long, value_name = "MIB", default_value_t = SearchLimits::DEFAULT.memory >> 20)]
    #[arg(hide_short_help = true, value_parser = number::<usize>(0..))]
    solver_memory: usize,
}

impl SolverArgs {
    fn limits(&self) -> SearchLimits {
        SearchLimits {
            nodes: self.nodes,
            memory: self.solver_memory.saturating_mul(1 << 20),
        }
    }
}

impl Flags {
    /// Settings in force.
    fn config(&self) -> Result<Config, Error> {
        let names: Vec<&str> = self.rules.iter().map(|rules| rules.name()).collect();
        let given = Keys {
            rules: (!names.is_empty()).then(|| names.join(",")),
            piece_letters: self.letters.given(),
            ..Keys::default()
        };
        self.games.settings(&["rules", "piece-letters"], given)
    }
}

pub(crate) fn run(flags: &Flags, mode: Mode) -> Result<Outcome, Error> {
    if mode == Mode::ListRules {
        return list_rules(flags, flags.list_rules.flatten());
    }
    let config = flags.config()?;
    let rules = match &flags.rules[..] {
        [] => vec![rules(&config)?],
        given => given.to_vec(),
    };
    if flags.games.config.show_config {
        return Output::print_config(&flags.games, &config);
    }
    match (mode, flags.claim.claim) {
        (Mode::ClaimFen, None) => Err(Error::usage("`--fen` needs `--claim`")),
        (_, Some(kind)) => claim_args::run(flags, &config, kind, &rules),
        _ => batch::run(flags, &config, &rules),
    }
}

fn list_rules(flags: &Flags, chosen: Option<RuleChoice>) -> Result<Outcome, Error> {
    let write = rulesets::in_format(flags.format)?;
    let mut output = Output::without_games(&flags.games)?;
    let text = write(chosen, output.sink.columns());
    output.print(text.as_bytes())?;
    Ok(Outcome::Done)
}
