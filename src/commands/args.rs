//! Command-line options that several commands share, and the refusal of an output that is an input.

use std::ffi::OsString;
use std::fmt::Display;
use std::io::{self, IsTerminal};
use std::num::{IntErrorKind, NonZeroUsize, ParseIntError};
use std::ops::{Bound, RangeBounds};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use anstream::ColorChoice;
use clap::builder::PossibleValue;
use clap::{Args, ValueEnum};

use crate::adjudication::RuleChoice;
use crate::chess::fen::FenError;
use crate::chess::{CastlingMode, Position, PositionFault, Role, Setup};
use crate::commands::config::{Config, ConfigArgs, Keys};
use crate::commands::offered::offered;
use crate::commands::select::{Fact, GameNumbers, Selection, WhereCondition};
use crate::error::Error;
use crate::input::{InputPart, Patterns, Search, Source};
use crate::notation::letters::Language;
use crate::notation::{LETTER_SETS, LetterSet};
use crate::replay::Reader;
use crate::report::escape::Cells;
use crate::report::{FileId, Log, Sink, append, is_stdout};
use crate::text::nearest::nearest;

/// Options of all commands.
#[derive(Args, Debug)]
#[command(next_help_heading = "Output")]
pub(crate) struct RunArgs {
    /// Write to a file instead of stdout
    ///
    /// The file is compressed if its name ends with .gz or .zst.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Number of threads [default: all cores]
    #[arg(short, long, value_name = "N", value_parser = number(1..=MOST_JOBS))]
    #[arg(help_heading = "General")]
    pub(crate) jobs: Option<usize>,

    /// Show progress on stderr [auto: if it is a terminal and the data does not go into a pipe]
    #[arg(long, value_enum, default_value_t = Toggle::Auto, value_name = "WHEN")]
    #[arg(hide_short_help = true, help_heading = "General")]
    pub(crate) progress: Toggle,

    /// Escape CSV text that a spreadsheet program would run as a formula with a leading '
    #[arg(long, hide_short_help = true)]
    csv_safe: bool,

    /// Do not print the closing line on stderr
    #[arg(short, long, help_heading = "General")]
    pub(crate) quiet: bool,

    /// Colours [auto: on a terminal, or as `NO_COLOR`, `FORCE_COLOR` and `CLICOLOR` say]
    #[arg(long, value_enum, default_value_t = Toggle::Auto, value_name = "WHEN")]
    #[arg(hide_short_help = true, help_heading = "General")]
    pub(crate) color: Toggle,
}

impl RunArgs {
    /// The file of `--output`, unless that is stdout.
    pub(crate) fn file(&self) -> Option<&Path> {
        self.output.as_deref().filter(|path| !is_stdout(path))
    }

    /// Escaping of text in the cells of CSV.
    pub(crate) fn cells(&self) -> Cells {
        match self.csv_safe {
            true => Cells::Safe,
            false => Cells::Exact,
        }
    }
}

/// Options of the commands that read games.
#[derive(Args, Debug)]
#[command(next_help_heading = "Input")]
pub(crate) struct GameArgs {
    /// Files, directories, or - for stdin [default: stdin]
    ///
    /// Directories are searched for *.pgn, plain or compressed, and *.zip, but for what is hidden,
    /// what .gitignore and .ignore leave out, and `node_modules`, target and .venv. zstd, gzip,
    /// bzip2, xz and lzma are recognised by content; of a zip archive all *.pgn files are read.
    #[arg(value_name = "INPUT", display_order = 0)]
    pub(crate) inputs: Vec<PathBuf>,

    /// Select games by number, from 1: 3,10-20,500- or, all but these, '!3-5'
    ///
    /// Games are numbered in each input.
    #[arg(long = "games", value_name = "RANGES", hide_short_help = true)]
    #[arg(help_heading = "Choosing games")]
    pub(crate) numbers: Option<GameNumbers>,

    /// Select games: White=Carlsen*, 'plies>=80', ending=stalemate, player=A*
    ///
    /// By tag also 'ECO~^B[0-4]' or ECO=/^B[0-4]/, 'WhiteElo>=2500', 'Date<2020.01.31', 'ECO!~^B'
    /// and, without the tag, '!ECO'. `*` matches any text, `\*` and `\?` the character, Result=*
    /// unfinished games; a regular expression matches a part of the value; <, <=, > and >= compare
    /// numbers and dates. The case of letters counts in values, unless a regular expression begins
    /// with (?i), but not in names. Repeat the option to combine conditions with and; one is enough
    /// of those in 'White=A* | Black=A*'.
    ///
    /// player: either player. plies, ending and speed: as in `stats --by`. eco: by --openings, else
    /// the tag. 'moves=1. e4 c5' begins so. 'position=FEN' reaches a position, as does
    /// 'position=1. d4 d5'; the board of a FEN alone may have `?` for any square and `*` for the
    /// rest of a rank. 'material=KRPkr' reaches these pieces, 'KRP+kr' these or more, `KRPvKR`
    /// in either colour.
    #[arg(long = "where", value_name = "CONDITION")]
    #[arg(help_heading = "Choosing games")]
    pub(crate) conditions: Vec<WhereCondition>,

    /// Stop at an illegal move, or play on if the opponent has answered it
    ///
    /// Such a move stands in rapid and blitz chess (FIDE A.5.2, B.4). It is played if exactly one
    /// piece can make it but for the safety of its king or the right to castle.
    #[arg(long, value_enum, default_value_t = IllegalMoves::Stop, value_name = "WHAT")]
    #[arg(hide_short_help = true)]
    illegal: IllegalMoves,

    /// Read part K of N of the input files: the games that begin in it
    ///
    /// The parts are cut by stored bytes: plain text anywhere, zstd between frames; any other file
    /// belongs to the part in which it begins. The outputs of the formats csv and jsonl,
    /// concatenated, and the statistics, merged, are those of a run over all.
    #[arg(long, value_name = "K/N", hide_short_help = true)]
    pub(crate) part: Option<InputPart>,

    /// Counts of games and lines in all parts before, printed by `arbiter stats --count`; may be
    /// repeated; - for stdin
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub(crate) counts: Vec<PathBuf>,

    /// Search hidden files and directories too
    #[arg(long, hide_short_help = true)]
    hidden: bool,

    /// Search what .gitignore and .ignore leave out
    #[arg(long, hide_short_help = true)]
    no_ignore: bool,

    /// Leave out what matches a pattern as in .gitignore, beside `exclude` in arbiter.toml; may be
    /// repeated
    #[arg(long, value_name = "PATTERN", hide_short_help = true)]
    exclude: Vec<String>,

    /// Leave out named inputs too if they are excluded
    #[arg(long, hide_short_help = true)]
    force_exclude: bool,

    #[command(flatten)]
    pub(crate) config: ConfigArgs,

    #[command(flatten)]
    pub(crate) run: RunArgs,
}

/// Value of `--illegal`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum IllegalMoves {
    Stop,
    Play,
}

impl GameArgs {
    /// True if games go on after an illegal move that stood.
    pub(crate) fn plays_illegal(&self) -> bool {
        self.illegal == IllegalMoves::Play
    }

    /// Readers for moves in the letters in force.
    pub(crate) fn readers(&self, config: &Config) -> Result<impl Fn() -> Reader + Sync, Error> {
        let (set, plays_illegal) = (piece_letters(config)?, self.plays_illegal());
        Ok(move || Reader::new().in_letters(set).playing_illegal(plays_illegal))
    }

    /// Settings in force for a command that uses these keys, some `given` on the command line.
    pub(crate) fn settings(
        &self,
        used: &'static [&'static str],
        given: Keys,
    ) -> Result<Config, Error> {
        self.config.read(&self.inputs, used, given)
    }

    /// True if a condition of `--where` is about the opening.
    pub(crate) fn selects_by_eco(&self) -> bool {
        self.conditions.iter().any(|it| it.is_of(Fact::Eco))
    }

    /// The games that are chosen.
    pub(crate) fn selection(&self, config: &Config) -> Result<Selection, Error> {
        let mut selection = Selection::new(self.numbers.clone(), &self.conditions);
        selection.letters = piece_letters(config)?;
        selection.plays_illegal = self.plays_illegal();
        Ok(selection)
    }

    /// The file of settings, if there is one.
    pub(crate) fn settings_file(&self) -> Option<PathBuf> {
        self.config.path(&self.inputs)
    }

    /// Which files of directories are read.
    pub(crate) fn search(&self, config: &Config) -> Result<Search, Error> {
        let given = self.exclude.iter().map(String::as_str);
        let given = Patterns::new(Path::new(""), given)
            .map_err(|(nth, reason)| Error::usage(format!("`{}`: {reason}", self.exclude[nth])))?;
        Ok(Search {
            hidden: self.hidden,
            no_ignore: self.no_ignore,
            excluded: config.excluded()?.and(given),
            force_exclude: self.force_exclude,
        })
    }
}

/// Value of `--color` and `--progress`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Toggle {
    Auto,
    Always,
    Never,
}

impl Toggle {
    /// The answer of the command line, if it gives one.
    pub(crate) fn answer(self) -> Option<bool> {
        match self {
            Toggle::Auto => None,
            Toggle::Always => Some(true),
            Toggle::Never => Some(false),
        }
    }

    /// True if data is coloured.
    pub(crate) fn paints(self, sink: &Sink) -> bool {
        self.answer().unwrap_or_else(|| sink.takes_colors())
    }

    /// Decides on colours for the whole run, also for errors that clap finds in these words. The
    /// crate `anstream` reads the variables of the environment, but for `FORCE_COLOR`.
    pub(crate) fn choose_colors(words: &[OsString]) {
        let value = |(nth, word): (usize, &OsString)| {
            let value = match word.to_str()?.strip_prefix("--color")? {
                "" => words.get(nth + 1)?.to_str()?,
                value => value.strip_prefix('=')?,
            };
            Toggle::from_str(value, true).ok()?.answer()
        };
        let variable = |name| std::env::var_os(name).unwrap_or_default();
        let forced = variable("FORCE_COLOR");
        let is_forced = !forced.is_empty() && forced != "0" && variable("NO_COLOR").is_empty();
        let choice = match words.iter().enumerate().filter_map(value).next_back() {
            Some(true) => ColorChoice::Always,
            Some(false) => ColorChoice::Never,
            None if is_forced => ColorChoice::Always,
            // To `anstream` any value is a yes.
            None if variable("CLICOLOR_FORCE") == "0" && !io::stdout().is_terminal() => {
                ColorChoice::Never
            }
            None => ColorChoice::Auto,
        };
        choice.write_global();
    }
}

/// Option of the commands that replay games.
#[derive(Args, Debug)]
#[command(next_help_heading = "Input")]
pub(crate) struct LetterArgs {
    /// Piece letters of the moves, by language name or ISO code, or `list` for all languages
    /// [default: English, or the language in which all moves of a game are legal]
    #[arg(long, value_name = "SET", hide_short_help = true)]
    #[arg(value_parser = offered(Letters::offered, Letters::named))]
    piece_letters: Option<Letters>,
}

/// Value of `--piece-letters`.
#[derive(Clone, Copy, Debug)]
enum Letters {
    /// List of all languages instead of letters.
    List,
    Set(&'static LetterSet),
}

impl Letters {
    fn named(name: &str) -> Result<Letters, String> {
        match name.eq_ignore_ascii_case("list") {
            true => Ok(Letters::List),
            false => letters(name).map(Letters::Set),
        }
    }

    /// `list`, and the languages whose English name is one word.
    fn offered() -> Vec<PossibleValue> {
        let names = languages().map(|language| language.name.to_lowercase());
        let names = names.filter(|name| !name.contains(' '));
        let names = ["list".to_owned()].into_iter().chain(names);
        names.map(PossibleValue::new).collect()
    }
}

/// Piece letters by the name of a language.
pub(crate) fn letters(name: &str) -> Result<&'static LetterSet, String> {
    LetterSet::named(name).ok_or_else(|| {
        let names = languages().map(|language| language.name.to_lowercase());
        let names: Vec<_> = names.collect();
        let meant = nearest(name, names.iter().map(String::as_str));
        let meant = meant.map_or(String::new(), |name| format!("did you mean `{name}`? "));
        format!("no such piece letters; {meant}`--piece-letters list` lists them")
    })
}

impl LetterArgs {
    /// The letters of the command line.
    pub(crate) fn given(&self) -> Option<String> {
        match self.piece_letters? {
            Letters::Set(set) => Some(set.name().to_lowercase()),
            Letters::List => None,
        }
    }

    /// The codes, names and letters of all languages, king first, if they are asked for.
    pub(crate) fn list(&self) -> Option<String> {
        let Some(Letters::List) = self.piece_letters else {
            return None;
        };
        let mut list = String::new();
        for set in LETTER_SETS {
            let pieces = Role::ALL
                .into_iter()
                .rev()
                .filter(|role| *role != Role::Pawn);
            let pieces: Vec<&str> = pieces.map(|role| set.letter(role)).collect();
            for Language { name, code, .. } in set.languages {
                append!(list, "{code:<8} {name:<30} {}\n", pieces.join(" "));
            }
        }
        Some(list)
    }
}

fn languages() -> impl Iterator<Item = &'static Language> {
    LETTER_SETS.iter().flat_map(|set| set.languages)
}

/// The piece letters in force, if any are chosen.
pub(crate) fn piece_letters(config: &Config) -> Result<Option<&'static LetterSet>, Error> {
    let text = config.keys.piece_letters.as_ref();
    text.map(|text| config.parse("piece-letters", text, letters))
        .transpose()
}

/// The rule set in force.
pub(crate) fn rules(config: &Config) -> Result<RuleChoice, Error> {
    let text = config.keys.rules.as_ref();
    let rules = text
        .map(|text| config.parse("rules", text, str::parse))
        .transpose()?;
    Ok(rules.unwrap_or(RuleChoice::FIDE))
}

/// Limit that catches typing errors.
const MOST_JOBS: usize = 1024;

/// Parser of whole numbers in a range. A bound that is left out is that of the type.
pub(crate) fn number<T>(
    range: impl RangeBounds<T> + Clone + Send + Sync + 'static,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static
where
    T: FromStr<Err = ParseIntError> + PartialOrd + Display,
{
    move |text| {
        let (least, most) = (range.start_bound(), range.end_bound());
        match (text.parse(), least, most) {
            (Ok(number), ..) if range.contains(&number) => Ok(number),
            (_, Bound::Included(least), Bound::Included(most)) => {
                Err(format!("not a whole number from {least} to {most}"))
            }
            (Err(cause), ..) if *cause.kind() == IntErrorKind::PosOverflow => {
                Err("the number is too large".to_owned())
            }
            (_, Bound::Included(least), _) => Err(format!("not a whole number from {least} up")),
            _ => Err("not a whole number".to_owned()),
        }
    }
}

/// Number of threads for `--jobs`; one for each core by default.
pub(crate) fn threads(jobs: Option<usize>) -> usize {
    jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, NonZeroUsize::get))
}

/// Position of a FEN that was given on the command line or on stdin. Notes its faults in the log.
pub(crate) fn position(fen: &str, log: &Log) -> Result<(Setup, Position), Error> {
    let fail = |reason: String| Error::invalid("FEN", fen, None, reason);
    let setup: Setup = fen
        .parse()
        .map_err(|error: FenError| fail(error.to_string()))?;
    let position = Position::new(&setup).map_err(|faults| fail(faults.to_string()))?;
    let faults = setup.faults();
    if !faults.is_empty() {
        log.note(&format_args!("note: impossible position `{fen}`: {faults}"));
    }
    if position.castling_mode() == CastlingMode::Chess960 {
        let fault = PositionFault::CastlingOfChess960;
        log.note(&format_args!("note: `{fen}` has {fault}"));
    }
    Ok((setup, position))
}

/// Files that a command writes or reads other than its inputs and `--output`.
#[derive(Default)]
pub(crate) struct OtherFiles<'a> {
    /// Files written, each with its name in messages: `the file of the chart`.
    pub(crate) written: Vec<(&'a Path, &'static str)>,
    /// Files read, which may be replaced after they have been read.
    pub(crate) read: Vec<(&'a Path, &'static str)>,
}

/// Refuses an output that is an input, the file of settings or another output, under any name.
pub(crate) fn refuse_clashes(
    args: &GameArgs,
    files: &OtherFiles<'_>,
    sources: &[Source],
) -> Result<(), Error> {
    let settings = args.settings_file();
    let settings = settings
        .iter()
        .map(|path| (&**path, "the file of settings"));
    let files = OtherFiles {
        written: files.written.clone(),
        read: files.read.iter().copied().chain(settings).collect(),
    };
    let counts = args.counts.iter().map(|path| Source::named(path));
    let sources: Vec<Source> = sources.iter().cloned().chain(counts).collect();
    refuse_outputs(args.run.file(), &files, &sources)
}

/// Refuses an output that is an input, another file of the command, or another output.
pub(crate) fn refuse_outputs(
    output: Option<&Path>,
    files: &OtherFiles<'_>,
    sources: &[Source],
) -> Result<(), Error> {
    let OtherFiles { read, .. } = files;
    let output_id = output.and_then(FileId::of);
    for (path, what) in files.written.iter().chain(read) {
        if output_id.is_some() && FileId::of(path) == output_id {
            return Err(Error::Usage(format!("`--output` names {what}")));
        }
    }
    let mut on_stdout = output.is_none().then_some("the output");
    let mut written: Vec<FileId> = Vec::new();
    for (path, what) in &files.written {
        if is_stdout(path) {
            if let Some(other) = on_stdout.replace(what) {
                return Err(Error::Usage(format!(
                    "{other} and {what} cannot both go to stdout: name a file (`-o FILE` for the \
                     output)"
                )));
            }
            continue;
        }
        let Some(id) = FileId::of(path) else {
            continue;
        };
        if written.contains(&id) {
            return Err(Error::Usage(format!("{what} is another output too")));
        }
        let other =
            |(path, name): &&(&Path, &str)| name != what && FileId::of(path).as_ref() == Some(&id);
        if let Some((_, name)) = read.iter().find(other) {
            return Err(Error::Usage(format!("{what} is {name} too")));
        }
        written.push(id);
    }
    written.extend(output_id);
    if written.is_empty() {
        return Ok(());
    }
    let clashes = |source: &&Source| id_of(source).is_some_and(|id| written.contains(&id));
    match sources.iter().find(clashes) {
        Some(source) => Err(Error::output_is_input(source.name())),
        None => Ok(()),
    }
}

/// Identity of the file that a source reads.
pub(crate) fn id_of(source: &Source) -> Option<FileId> {
    match source.path() {
        Some(path) => FileId::of(path),
        None if source.is_stdin() => FileId::of_stdin(),
        None => None,
    }
}
