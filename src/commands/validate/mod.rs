#![doc = include_str!("README.md")]

pub(crate) mod against;
pub(crate) mod baseline;
pub mod cross_check;
pub(crate) mod duplicates;
mod fix;
pub mod formats;
pub(crate) mod run;

mod check;
mod codes;
mod reporting;
mod settings;
mod split;
mod statistics;
mod tally;
mod worker;

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::commands::args::{GameArgs, LetterArgs, OtherFiles, number};
use crate::commands::config::Config;
use crate::commands::modes::Mode;
use crate::commands::offered::offered;
use crate::commands::output::{Outcome, Output};
use crate::commands::run::{CommandRun, ReplaceIf, RunOptions};
use crate::commands::validate::codes::{codes_text, offered_codes, parse_code};
use crate::commands::validate::duplicates::Keep;
use crate::commands::validate::fix::FixArgs;
use crate::commands::validate::formats::CheckFormat;
use crate::commands::validate::settings::{Settings, per_code, severities};
use crate::commands::validate::split::SplitArgs;
use crate::error::Error;
use crate::findings::registry::{self, Rule};
use crate::input::{InputKind, Source, SourceId};

/// Check games: report every fault with its position and reason
///
/// Examples:
///   echo '1. e4 e5 2. Ke3 Qh4 0-1' | arbiter validate
///   arbiter validate --format concise --fail-on warning .
///   arbiter validate --explain E202
///
/// Exit code 1: a finding at or above --fail-on.
#[derive(Args, Debug)]
#[command(verbatim_doc_comment, next_help_heading = "Findings")]
pub(crate) struct CheckArgs {
    /// Check one position instead of files
    #[arg(long, value_name = "FEN", help_heading = "Modes")]
    fen: Option<String>,

    /// Kind of the inputs [default: positions in *.fen and *.epd, else games]
    #[arg(long, value_enum, value_name = "FORM", hide_short_help = true)]
    #[arg(help_heading = "Input")]
    input_format: Option<InputFormat>,

    /// Read files that change: report the findings of games and moves as they come
    ///
    /// Files are appended to, rewritten, or new in a folder. Ends with Ctrl-C, or when no
    /// folder is given and all files are removed. A finding is reported once; those about the
    /// result of a game follow its end.
    #[arg(long, help_heading = "Modes")]
    follow: bool,

    /// Output format
    #[arg(long, value_enum, default_value_t = CheckFormat::Human, help_heading = "Output")]
    format: CheckFormat,

    /// Severity for exit 1: error, warning, note or never [default: error]
    ///
    /// More severe findings count too.
    #[arg(long, value_parser = severities(), value_name = "SEVERITY")]
    #[arg(hide_possible_values = true)]
    fail_on: Option<String>,

    /// Warn of deviations from the export format
    ///
    /// The export format is that of the PGN standard.
    #[arg(long)]
    strict: bool,

    /// Override `strict` of arbiter.toml
    #[arg(long, conflicts_with = "strict", hide_short_help = true)]
    no_strict: bool,

    /// Report these codes only, such as E201; --ignore leaves codes out
    ///
    /// Codes, names, or beginnings of codes: E201, illegal-move, E2 (the errors of moves and
    /// movetext) or 2 (all of them); separated by commas. The number of a whole code identifies the
    /// rule, whatever its letter. In a beginning, the letter is the severity in the main line,
    /// after --strict; findings in variations follow their rule. Selecting a code also enables it
    /// if it is --strict only.
    #[arg(long, value_name = "CODES", value_delimiter = ',')]
    #[arg(value_parser = offered(offered_codes, codes_text))]
    select: Vec<String>,

    /// Do not report these codes
    ///
    /// Same syntax as --select, and stronger.
    #[arg(long, value_name = "CODES", value_delimiter = ',')]
    #[arg(hide_short_help = true, value_parser = offered(offered_codes, codes_text))]
    ignore: Vec<String>,

    /// Look for games and positions that occur twice, and for beginnings
    ///
    /// Beginnings are games that another game continues: the codes 5 report all of these.
    /// They are added to the codes of --select, unless it names some of them. Players are compared
    /// after normalisation of their names. Inputs must be files, as they are read twice.
    #[arg(long, help_heading = "Duplicates")]
    duplicates: bool,

    /// Write one of several duplicates with --write-clean, the others with --write-rejected
    ///
    /// Duplicates are games that are the same, or of which one is the beginning of the other. Other
    /// findings reject games only if --select or --fail-on asks for it. A faulty copy is written
    /// only if every copy is faulty.
    #[arg(id = "keep_one", long = "keep", value_name = "WHICH")]
    #[arg(hide_short_help = true, help_heading = "Duplicates")]
    keep: Option<Keep>,

    /// Skip variations; by default they are checked, with severities one lower
    #[arg(long, hide_short_help = true)]
    mainline: bool,

    /// Play null moves (--) in the main line, with a note instead of an error
    #[arg(long, hide_short_help = true)]
    null_moves: bool,

    /// Read every game with pgn-reader too, and report where it reads another game: E299
    #[arg(long, hide_short_help = true)]
    cross_check: bool,

    /// Do not report the findings of this file
    ///
    /// It is written by --write-baseline. A finding is identified by its code, the text of its game
    /// and its position in that text: games may be added and moved, but all findings of a changed
    /// game are new.
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,

    /// Override `baseline` of arbiter.toml: report known findings too
    #[arg(long, conflicts_with = "baseline", hide_short_help = true)]
    no_baseline: bool,

    /// Write all findings to this baseline instead of printing them
    ///
    /// With --output they are written there too. Exit code 0 unless the baseline cannot be written.
    #[arg(long, value_name = "FILE")]
    write_baseline: Option<PathBuf>,

    /// Show at most N findings of the whole run; the others are only counted [sarif: 5000; errors
    /// first]
    #[arg(long, value_name = "N", hide_short_help = true, value_parser = number::<u64>(0..))]
    max_findings: Option<u64>,

    /// Show at most N findings of each code; the others are only counted [default: 20 in the
    /// format human on a terminal, else `all`]
    #[arg(long, value_name = "N", hide_short_help = true, value_parser = per_code)]
    max_per_code: Option<u64>,

    /// Count findings by code and file, on stderr [default: on a terminal]
    #[arg(long, hide_short_help = true)]
    statistics: bool,

    /// Print how the inputs differ from the games of OLD
    ///
    /// Games added, gone, moved, and with other tags, results, moves or comments; as human, jsonl
    /// or csv. OLD may be a directory. Nothing is checked. Exit code 1: there is a difference.
    #[arg(long, value_name = "OLD", help_heading = "Modes")]
    against: Option<PathBuf>,

    /// With --against, write the added games to this file, unchanged
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    write_added: Option<PathBuf>,

    /// Explain a finding code such as E201
    #[arg(long, value_name = "CODE", help_heading = "Modes")]
    #[arg(value_parser = offered(offered_codes, parse_code))]
    explain: Option<&'static Rule>,

    /// List all finding codes, and read no games
    ///
    /// As text, or with --format jsonl or markdown.
    #[arg(long, help_heading = "Modes")]
    codes: bool,

    #[command(flatten)]
    fix: FixArgs,

    #[command(flatten)]
    split: SplitArgs,

    #[command(flatten)]
    pub(crate) letters: LetterArgs,

    #[command(flatten)]
    games: GameArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum InputFormat {
    /// Games
    Pgn,
    /// One FEN per line
    Fen,
    /// One position per line, with operations such as `bm Nf3;`
    Epd,
}

impl InputFormat {
    fn kind(self) -> InputKind {
        match self {
            InputFormat::Pgn => InputKind::Pgn,
            InputFormat::Fen => InputKind::Fen,
            InputFormat::Epd => InputKind::Epd,
        }
    }
}

impl CheckArgs {
    /// Opens the inputs.
    fn begin(&self, mode: Mode, config: &Config, settings: &Settings) -> Result<CommandRun, Error> {
        let fen = self.fen.as_deref();
        let options = RunOptions {
            given: fen.map(|fen| Source::text(SourceId(0), "<fen>", fen.as_bytes())),
            replace_if: match self.format.needs().a_document {
                true => ReplaceIf::Always,
                false if mode == Mode::Fix => ReplaceIf::Readable,
                false => ReplaceIf::Seen,
            },
            follows: self.follow,
            outlives_stdout: self.write_baseline.is_some()
                || self.split.is_asked_for()
                || self.fix.writes_files(),
            files: self.files(settings),
            ..RunOptions::default()
        };
        CommandRun::begin_with(&self.games, config, options, |source| {
            match self.input_format {
                _ if fen.is_some() => InputKind::Fen,
                Some(format) => format.kind(),
                None => source
                    .path()
                    .map_or(InputKind::Pgn, |_| InputKind::of_name(source.name())),
            }
        })
    }

    /// Refuses values and settings that do not go together.
    fn refuse_clashes(&self, settings: &Settings) -> Result<(), Error> {
        let repeated = [&registry::REPEATED_GAME, &registry::REPEATED_POSITION];
        if self.keep.is_some() && !repeated.iter().any(|rule| settings.checks.has(rule)) {
            return Err(Error::usage("`--keep` looks for W501, which is ignored"));
        }
        if self.follow && (self.format.needs().a_document || self.format == CheckFormat::Parquet) {
            return Err(Error::usage(
                "`--follow` needs a format such as `human`, `concise` or `jsonl`",
            ));
        }
        if self.split.is_asked_for() && settings.baseline.is_some() {
            return Err(Error::usage(
                "games are sorted by all their findings: leave out the baseline (`--no-baseline`)",
            ));
        }
        Ok(())
    }

    /// Files other than the inputs and the output.
    fn files<'a>(&'a self, settings: &'a Settings) -> OtherFiles<'a> {
        let baseline = |path: &'a Option<PathBuf>| {
            let path = path.as_deref();
            path.map(|path| (path, "the file of the baseline"))
        };
        OtherFiles {
            written: baseline(&self.write_baseline)
                .into_iter()
                .chain(self.split.files())
                .chain(self.fix.file())
                .collect(),
            read: baseline(&settings.baseline).into_iter().collect(),
        }
    }
}

pub(crate) fn run(flags: &CheckArgs, mode: Mode) -> Result<Outcome, Error> {
    if let Mode::Codes | Mode::Explain = mode {
        return codes::print(&flags.games, flags.format, flags.explain);
    }
    let config = flags.config()?;
    let settings = Settings::new(flags, &config)?;
    flags.refuse_clashes(&settings)?;
    let reader = flags.games.readers(&config)?;
    if flags.games.config.show_config {
        return Output::print_config(&flags.games, &config);
    }
    let begin = || flags.begin(mode, &config, &settings);
    match (mode, &flags.against) {
        (Mode::Against, Some(old)) => against::run(
            &flags.games,
            &config,
            old,
            flags.format,
            &reader,
            flags.null_moves,
            flags.write_added.as_deref(),
        ),
        (Mode::Fix, _) => fix::run(&flags.fix, begin()?, &settings, reader, &flags.games),
        _ => run::run(flags, begin()?, &settings, &reader),
    }
}
