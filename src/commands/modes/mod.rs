//! Modes of the commands, and the options that have a meaning in each: an option that is given is
//! used, or the run is refused.

use clap::error::{Error, ErrorKind};
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command};
use strum::EnumString;

/// Mode of a command, named after the id of the option that chooses it; of several the last counts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, EnumString)]
#[strum(serialize_all = "snake_case")]
pub(crate) enum Mode {
    #[default]
    Usual,
    #[strum(serialize = "write_clean", serialize = "write_rejected")]
    Split,
    Part,
    By,
    Ratings,
    Pairs,
    Count,
    Follow,
    Claim,
    ClaimFen,
    Fen,
    #[strum(serialize = "fix", serialize = "fix_suggestions")]
    Fix,
    Divide,
    Kinds,
    Against,
    OtherDivide,
    Suite,
    Merge,
    Compare,
    Explain,
    Codes,
    ListRules,
}

use Mode::{
    Against, By, Claim, ClaimFen, Codes, Compare, Count, Explain, Fen, Fix, Follow, Kinds,
    ListRules, Merge, OtherDivide, Pairs, Part, Ratings, Split, Suite, Usual,
};

impl Mode {
    /// The mode that the words of a command line choose; `arbiter.toml` and defaults choose none.
    ///
    /// # Errors
    ///
    /// An option that has no meaning in the mode.
    pub(crate) fn from_matches(command: &Command, matches: &ArgMatches) -> Result<Mode, Error> {
        let source = |arg: &Arg| matches.value_source(arg.get_id().as_str());
        let all = || command.get_arguments();
        let given = || all().filter(|arg| source(arg) == Some(ValueSource::CommandLine));
        let chosen = given().max_by_key(|arg| Mode::chosen_by(arg));
        let mode = chosen.and_then(Mode::chosen_by).unwrap_or_default();
        let Some(refused) = given().find(|arg| !mode.takes(arg)) else {
            return Ok(mode);
        };
        let needed = all().filter(|arg| Mode::chosen_by(arg).is_some_and(|it| it.takes(refused)));
        let (reason, other) = match mode {
            Usual => ("needs", needed.min_by_key(|arg| Mode::chosen_by(arg))),
            _ => ("has no meaning with", chosen),
        };
        let other = other.map(name).unwrap_or_default();
        let mut reason = format!("`{}` {reason} `{other}`", name(refused));
        if refused.is_positional() && other == "--fen" {
            reason += "\n\n  tip: write a FEN in quotes: `--fen '… w - - 0 1'`";
        }
        Err(Error::raw(ErrorKind::ArgumentConflict, reason).format(&mut command.clone()))
    }

    fn chosen_by(option: &Arg) -> Option<Mode> {
        option.get_id().as_str().parse().ok()
    }

    /// Whether an option has a meaning in this mode: it chooses the mode, or its id or else its
    /// heading says so.
    pub(crate) fn takes(self, option: &Arg) -> bool {
        let heading = option.get_help_heading().unwrap_or("General");
        let uses = self.uses(option.get_id().as_str());
        Mode::chosen_by(option) == Some(self) || uses.or_else(|| self.uses(heading)) == Some(true)
    }

    /// Whether an option, or all others under a heading, have a meaning in this mode; `None` for
    /// other names.
    fn uses(self, name: &str) -> Option<bool> {
        let reads_files = !matches!(self, Fen | ClaimFen | Explain | Codes | ListRules)
            && !matches!(self, Merge | Compare);
        let reads_moves = reads_files && self != Count;
        let is_plain = matches!(self, Usual | Part);
        let checks = matches!(self, Usual | Split | Part | Follow);
        let has_rows = !matches!(self, Claim | ClaimFen | Explain | Codes | ListRules);
        Some(match name {
            "Modes" | "by" | "write_clean" | "write_rejected" => false,
            "General" | "Output" | "Moves and positions" | "depth" => true,
            "Input" => reads_files && self != Suite,
            "Choosing games" | "null_moves" => reads_moves,
            "piece_letters" => reads_moves || self == ClaimFen,
            "illegal" => reads_moves && self != Fix,
            "names" => is_plain || matches!(self, By | Ratings | Pairs),
            "openings" => is_plain || matches!(self, By | Ratings | Pairs | Follow),
            "part" => matches!(self, By | Ratings | Pairs | Count),
            "counts" => matches!(self, Part | By | Ratings | Pairs),
            "show_config" => reads_files || matches!(self, Fen | ClaimFen),
            "format" => !matches!(self, Fix | Count | OtherDivide),
            "csv_safe" => has_rows && !matches!(self, Fix | Count | OtherDivide),
            "tags" | "columns" | "moves" => has_rows,
            "variations" | "keep" => self != Fen,
            // In `validate`.
            "Findings" => checks || matches!(self, Fen | Fix),
            "input_format" | "mainline" => checks || self == Fix,
            "write_added" => self == Against,
            "split_by" => matches!(self, Usual | Split | Part | Fen),
            "cross_check" => checks,
            "baseline" => matches!(self, Usual | Follow | Fen),
            "no_baseline" => !matches!(self, Explain | Codes),
            "write_baseline" => matches!(self, Usual | Split | Fen),
            "max_findings" | "max_per_code" => matches!(self, Usual | Split | Follow | Fen),
            "statistics" => checks || self == Fen,
            "Repair" => self == Fix,
            "Duplicates" => matches!(self, Usual | Split),
            "keep_one" => self == Split,
            // In `stats`.
            "Counting" => matches!(self, By | Ratings | Pairs | Merge | Compare),
            "draws" => is_plain || self == By,
            "chart" | "chart_kind" | "chart_width" => is_plain || matches!(self, By | Merge),
            "Pairs" => matches!(self, Pairs | Merge),
            "opening_plies" => self == Pairs,
            "pairs" | "ratings" => self == Merge,
            "anchor" => matches!(self, Ratings | Merge),
            // `--follow`, which is no mode there.
            "live" => matches!(self, Ratings | Pairs),
            "Compare" => matches!(self, Compare | Suite | Claim | ClaimFen),
            // In `stats` and `adjudicate`.
            "Rules" => is_plain || matches!(self, By | Ratings | Follow | Claim | ClaimFen),
            "claim" | "One claim" => matches!(self, Claim | ClaimFen),
            "moment" => self == Claim,
            // In `perft`.
            "hash" => self != Kinds,
            "against" => self == Suite,
            "timeout" => matches!(self, Suite | Against),
            _ => return None,
        })
    }
}

/// The name of an option in messages.
fn name(option: &Arg) -> String {
    match option.get_long() {
        Some(long) => format!("--{long}"),
        None => option.to_string(),
    }
}

#[cfg(test)]
mod tests;
