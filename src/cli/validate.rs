//! `arbiter validate`

use clap::{Args, ValueEnum};

use super::Outcome;
use super::games::{GameFlags, Job, When};
use crate::error::Error;
use crate::input::{Chunk, Form, Source, SourceId};
use crate::judge::findings::{self, Checks, Codes, Finding, RULES, Rule, Severity, registry};
use crate::judge::report::{Accounts, Lines, Report};
use crate::output::findings::{Paint, codes, concise, explain, human};
use crate::output::{Bar, Sink};
use crate::pgn::Reader;
use crate::rules::Position;

/// Check games: report every fault with its place and reason
///
/// Exit code 1: a finding at or above --fail-on.
#[derive(Args, Debug)]
pub(super) struct Flags {
    #[command(flatten)]
    games: GameFlags,

    /// Check one position instead of files
    #[arg(long, value_name = "FEN", conflicts_with_all = ["inputs", "input_format"])]
    fen: Option<String>,

    /// What the inputs hold [default: positions in *.fen and *.epd, else games]
    #[arg(long, value_enum, value_name = "FORM")]
    input_format: Option<InputFormat>,

    /// How findings are shown
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,

    /// The least severity that makes the exit code 1
    #[arg(long, value_enum, default_value_t = FailOn::Error, value_name = "SEVERITY")]
    fail_on: FailOn,

    /// Ask for the export format of the PGN standard: deviations from it become warnings
    #[arg(long)]
    strict: bool,

    /// Look for these codes only: codes, names, or the beginning of codes (E2); what is off otherwise is on if selected
    #[arg(long, value_name = "CODES", value_delimiter = ',', value_parser = parse_codes)]
    select: Vec<Codes>,

    /// Do not look for these codes
    #[arg(long, value_name = "CODES", value_delimiter = ',', value_parser = parse_codes)]
    ignore: Vec<Codes>,

    /// Colours in the human format; auto: only on a terminal, unless NO_COLOR is set
    #[arg(long, value_enum, default_value_t = When::Auto, value_name = "WHEN")]
    color: When,

    /// Explain a finding code such as E201, and read no games
    #[arg(long, value_name = "CODE", value_parser = parse_code)]
    explain: Option<&'static Rule>,

    /// List all finding codes, and read no games
    #[arg(long, conflicts_with = "explain")]
    codes: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Format {
    /// Several lines a finding: message, place, source line, help
    Human,
    /// One line a finding: path:line:column: severity[CODE] message (game N, move)
    Concise,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum InputFormat {
    /// Games
    Pgn,
    /// A FEN on each line
    Fen,
    /// A position on each line, with operations such as `bm Nf3;`
    Epd,
}

impl InputFormat {
    fn form(self) -> Form {
        match self {
            InputFormat::Pgn => Form::Pgn,
            InputFormat::Fen => Form::Fen,
            InputFormat::Epd => Form::Epd,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum FailOn {
    Error,
    Warning,
    Note,
    Never,
}

impl FailOn {
    fn includes(self, severity: Severity) -> bool {
        match self {
            FailOn::Error => severity >= Severity::Error,
            FailOn::Warning => severity >= Severity::Warning,
            FailOn::Note => true,
            FailOn::Never => false,
        }
    }
}

fn parse_code(code: &str) -> Result<&'static Rule, String> {
    registry::rule(code).ok_or_else(|| {
        let codes: Vec<_> = RULES.iter().map(|rule| rule.code).collect();
        format!("no such code; the codes are {}", codes.join(", "))
    })
}

fn parse_codes(codes: &str) -> Result<Codes, String> {
    Codes::from_text(codes)
        .ok_or_else(|| "no code begins like this; --codes lists them all".to_owned())
}

/// What was found in one chunk, written out.
#[derive(Default)]
struct Checked {
    text: String,
    /// How many findings there are of each severity, notes first.
    by_severity: [u64; 3],
    accounts: Accounts,
}

pub(super) fn run(flags: &Flags) -> Result<Outcome, Error> {
    if flags.codes || flags.explain.is_some() {
        let mut text = String::new();
        match flags.explain {
            Some(rule) => explain(&mut text, rule),
            None => codes(&mut text),
        }
        let mut sink = Sink::open(flags.games.output.as_deref(), Bar::default())?;
        sink.write(text.as_bytes())?;
        sink.finish()?;
        return Ok(Outcome::Done);
    }

    let fen = flags.fen.as_deref();
    let given = fen.map(|fen| Source::text(SourceId(0), "<fen>", fen.as_bytes()));
    let mut job = Job::begin_with(&flags.games, given, |source| match flags.input_format {
        _ if fen.is_some() => Form::Fen,
        Some(format) => format.form(),
        None => source
            .path()
            .map_or(Form::Pgn, |_| Form::of_name(source.name())),
    })?;
    let paint = Paint(match flags.color {
        When::Always => true,
        When::Never => false,
        When::Auto => {
            job.sink.is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty())
        }
    });
    let initial = Position::initial();
    let checks = Checks::new(flags.strict, &flags.select, &flags.ignore);
    let mut accounts = Accounts::default();
    let mut by_severity = [0_u64; 3];
    job.work(
        || (Reader::new(), Vec::new()),
        |(reader, found), source, chunk| {
            check(
                chunk,
                reader,
                found,
                &initial,
                &checks,
                |out, report| match flags.format {
                    Format::Human => human(out, source.name(), report, paint),
                    Format::Concise => concise(out, source.name(), report),
                },
            )
        },
        |sink, _, part| {
            for (sum, more) in by_severity.iter_mut().zip(part.value.by_severity) {
                *sum += more;
            }
            accounts += part.value.accounts;
            sink.write(part.value.text.as_bytes())
        },
    )?;
    let failed = [Severity::Note, Severity::Warning, Severity::Error]
        .into_iter()
        .any(|severity| by_severity[severity as usize] > 0 && flags.fail_on.includes(severity));
    let [notes, warnings, errors] = by_severity;
    let summary = format!("findings: {errors} error, {warnings} warning, {notes} note");
    job.close(accounts, failed, Some(&summary))
}

/// Checks the games of a chunk and writes down what is found.
fn check(
    chunk: &Chunk,
    reader: &mut Reader,
    found: &mut Vec<Finding>,
    initial: &Position,
    checks: &Checks,
    write: impl Fn(&mut String, &Report),
) -> Checked {
    let mut checked = Checked::default();
    let mut lines = Lines::new(chunk);
    for text in chunk.games() {
        let verdict = match chunk.form() {
            Form::Pgn => {
                let game = reader.read(text.bytes, text.unclosed_comment);
                findings::check(game, text.bytes, initial, checks, found)
            }
            form => findings::check_line(form, text.bytes, checks, found),
        };
        checked.accounts.add(verdict);
        for finding in found.drain(..) {
            checked.by_severity[finding.severity as usize] += 1;
            write(&mut checked.text, &lines.report(&text, finding));
        }
    }
    checked
}
