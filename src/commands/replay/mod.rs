#![doc = include_str!("README.md")]

mod boards;
mod export_args;
mod formats;
mod rows;

use std::cell::OnceCell;
use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};

use crate::chess::Color;
use crate::commands::accounts::{Accounts, PLAYED};
use crate::commands::args::{self, GameArgs, LetterArgs, OtherFiles};
use crate::commands::config::Keys;
use crate::commands::names::NameArgs;
use crate::commands::openings::OpeningArgs;
use crate::commands::output::{Outcome, Output};
use crate::commands::replay::boards::{BoardOutput, Boards, SvgFolder};
use crate::commands::replay::export_args::ExportArgs;
use crate::commands::replay::formats::{
    Added, Export, Extra, GameFormat, GameItem, HumanGames, Plies, Positions, ReplayFormat,
    TagEdits, UciMoves, column_names, epd, fen, tag_columns,
};
use crate::commands::replay::rows::{PlyChoice, Replayer};
use crate::commands::run::{CommandRun, RunOptions};
use crate::commands::split::{KeyedFiles, Split, SplitBy, SplitPiece, protected};
use crate::commands::stops::{Stops, Variants};
use crate::commands::tag_columns::tag_name;
use crate::error::Error;
use crate::findings::report::Lines;
use crate::findings::{self, GameStatus};
use crate::input::{Chunk, InputKind, Source, SourceId};
use crate::replay::{self, Reader};
use crate::report::escape::Escaped;
use crate::report::rows::Rows;
use crate::report::{Buffer, BufferPool, Log};

/// Replay games and print their moves or positions
///
/// Examples:
///   echo '1. e4 c5 2. Nf3' | arbiter replay --board unicode
///   arbiter replay --format fen --at 12w .
///   arbiter replay --format csv --columns game,ply,uci --output plies.csv.gz .
///
/// Exit code 1: a game stops before its last move; the moves before it are printed, and stderr says
/// why. Exit code 2: also if no game has any of the plies of --at.
#[derive(Args, Debug)]
#[command(verbatim_doc_comment, next_help_heading = "Moves and positions")]
pub(crate) struct ReplayArgs {
    /// Output format; pgn: write the chosen games
    #[arg(long, value_enum, default_value_t = ReplayFormat::Human, help_heading = "Output")]
    format: ReplayFormat,

    /// Print only these plies: 24, 12w, 12b, 10-20, 30b-end
    ///
    /// A number is a ply, not a move: 24 is Black's twelfth move, 12b; 0 is the start position;
    /// `end` is the last move. `fen` and `epd` print the positions after these plies [default:
    /// end]; `human` draws boards there, and `pgn` writes a part of the game.
    #[arg(long, value_name = "PLIES", allow_hyphen_values = true)]
    at: Option<PlyChoice>,

    /// Draw boards at --at, or at the end
    ///
    /// svg: one file a position, in --board-dir. Needs the format human.
    #[arg(long, value_enum)]
    board: Option<BoardKind>,

    /// Draw a position instead of reading games
    #[arg(long, value_name = "FEN", help_heading = "Modes")]
    fen: Option<String>,

    /// Draw boards with Black at the bottom
    #[arg(long)]
    flip: bool,

    /// Folder for the files of --board svg
    #[arg(long, value_name = "DIR")]
    board_dir: Option<PathBuf>,

    /// Replay and number variations too; with pgn and `lines`, each is a game
    ///
    /// Formats human, csv, jsonl, parquet and pgn. A variation that is a game has the result `*`.
    #[arg(long, value_name = "lines", value_parser = ["lines"], hide_possible_values = true)]
    #[arg(num_args = 0..=1, require_equals = true)]
    variations: Option<Option<String>>,

    /// Write only these columns, in this order [formats csv, jsonl, parquet]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    #[arg(value_parser = columns(), long_help = columns_help(), help_heading = "Output")]
    columns: Vec<String>,

    /// Columns of tags in front of the others; with pgn, the tags that are written, in this order
    ///
    /// Names separated by commas; `roster`: the Seven Tag Roster; `all`: the tags of the PGN
    /// standard, with pgn all others of the game; `lichess`: the columns of the games of
    /// lichess.org, without the movetext. With pgn, FEN, `SetUp` and Variant stay. Formats csv,
    /// jsonl, parquet and pgn.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    #[arg(value_parser = tag_name, help_heading = "Output")]
    tags: Vec<String>,

    #[command(flatten)]
    export: ExportArgs,

    /// Write the games that --games and --where do not choose to this file, unchanged
    #[arg(long, value_name = "FILE", help_heading = "Choosing games")]
    write_others: Option<PathBuf>,

    #[command(flatten)]
    openings: OpeningArgs,

    #[command(flatten)]
    names: NameArgs,

    #[command(flatten)]
    pub(crate) letters: LetterArgs,

    #[command(flatten)]
    games: GameArgs,
}

/// Parser of a name of a column.
fn columns() -> impl TypedValueParser<Value = String> {
    PossibleValuesParser::new(column_names(Extra::ALL)).map(|name| name.to_lowercase())
}

fn columns_help() -> String {
    let names = column_names(Extra::ALL).join(", ");
    format!("Write only these columns, in this order [formats csv, jsonl, parquet]\n\n{names}")
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum BoardKind {
    /// Letters in a frame, dark squares shaded
    Ascii,
    /// Chess symbols
    Unicode,
    /// Pictures
    Svg,
}

impl ReplayArgs {
    /// Whether there are boards: `--at` draws some too.
    fn draws_boards(&self) -> bool {
        let is_asked = self.board.is_some() || self.at.is_some() || self.fen.is_some();
        self.format == ReplayFormat::Human && is_asked
    }

    /// Whether each variation is a game.
    fn splits_lines(&self) -> bool {
        matches!(self.variations, Some(Some(_)))
    }

    fn extra(&self) -> Extra {
        Extra {
            lines: self.variations.is_some(),
            openings: self.openings.is_given(),
            illegal: self.games.plays_illegal(),
            optional: !self.columns.is_empty(),
        }
    }

    /// Refuses options that do not go together.
    fn check(&self) -> Result<(), Error> {
        let format = self.format;
        let names = column_names(self.extra());
        if format != ReplayFormat::Pgn
            && let Some(option) = self.export.given()
        {
            return Err(Error::Usage(format!("`{option}` needs the format `pgn`")));
        }
        (self.export.by).check("--output", self.games.run.file().into_iter())?;
        let refused = if self.board.is_some() && format != ReplayFormat::Human {
            "`--board` needs the format `human`"
        } else if self.flip && !self.draws_boards() {
            "`--flip` needs `--board`"
        } else if self.board == Some(BoardKind::Svg) && self.board_dir.is_none() {
            "`--board svg` writes one file a position: name a folder with `--board-dir`"
        } else if self.board_dir.is_some() && self.board != Some(BoardKind::Svg) {
            "`--board-dir` needs `--board svg`"
        } else if self.board == Some(BoardKind::Svg) && self.games.part.is_some() {
            "`--board svg` cannot be used with `--part`"
        } else if self.games.part.is_some()
            && matches!(self.export.by.split_by, Some(SplitBy::Count(_)))
        {
            "`--split-by N` cannot be used with `--part`: it counts the games of earlier parts"
        } else if !self.columns.is_empty() && !format.is_of_rows() {
            "`--columns` needs the format `csv`, `jsonl` or `parquet`"
        } else if !self.tags.is_empty() && !format.is_of_rows() && format != ReplayFormat::Pgn {
            "`--tags` needs the format `csv`, `jsonl`, `parquet` or `pgn`"
        } else if self.columns.iter().any(|name| !names.contains(name)) {
            "the columns `line` and `parent` need `--variations`, `eco` and `opening` \
             `--openings`, and `illegal` needs `--illegal play`"
        } else if (1..self.columns.len()).any(|n| self.columns[..n].contains(&self.columns[n])) {
            "`--columns` names a column twice"
        } else if self.names.is_given() && format != ReplayFormat::Pgn {
            "`--names` needs the format `pgn`"
        } else if self.splits_lines() && format != ReplayFormat::Pgn {
            "`--variations lines` needs the format `pgn`"
        } else if self.splits_lines() && (self.openings.is_given() || self.export.adds_comments()) {
            "`--variations lines` cannot be used with `--openings`, `--add fen` and `--add hash`"
        } else if self.export.add.contains(&Added::Eco) && !self.openings.is_given() {
            "`--add eco` needs `--openings`"
        } else if self.openings.is_given() && format.is_of_lines() && !self.games.selects_by_eco() {
            "`--openings` needs another format than `uci`, `epd` and `fen`, or `eco=` in `--where`"
        } else if format == ReplayFormat::Pgn && self.at.as_ref().is_some_and(|it| !it.is_range()) {
            "the format `pgn` prints one part of a game: one range of plies in `--at`"
        } else if self.at.as_ref().is_some_and(PlyChoice::is_start)
            && (format.is_of_rows() || format == ReplayFormat::Uci)
        {
            "`--at 0` is the position before the first move; the formats `human`, `epd` and `fen` \
             show it"
        } else if self.variations.is_some() && format.is_of_lines() {
            "`--variations` needs the format `human`, `csv`, `jsonl`, `parquet` or `pgn`"
        } else {
            return Ok(());
        };
        Err(Error::usage(refused))
    }

    fn boards(&self, run: &CommandRun) -> Result<Option<Boards>, Error> {
        if !self.draws_boards() {
            return Ok(None);
        }
        let output = match (self.board, &self.board_dir) {
            (Some(BoardKind::Svg), Some(folder)) => {
                let folder = SvgFolder::new(folder, protected(&self.games, &run.sources))?;
                BoardOutput::Svg(folder)
            }
            (Some(BoardKind::Unicode), _) => BoardOutput::Text(boards::unicode),
            _ => BoardOutput::Text(boards::ascii),
        };
        let bottom = if self.flip {
            Color::Black
        } else {
            Color::White
        };
        Ok(Some(Boards { output, bottom }))
    }

    fn output_format(&self, run: &mut CommandRun) -> Result<Box<GameFormat>, Error> {
        let at = self.at.clone();
        let added = self.export.add.iter().flat_map(|it| it.tags());
        let openings = self.openings.read(&self.games.inputs)?;
        run.selection.openings.clone_from(&openings);
        let lines = match self.variations {
            Some(_) => rows::LineSet::All { reports: true },
            None => rows::LineSet::Main,
        };
        let of_rows = |rows, openings| {
            let names = column_names(self.extra());
            let number = |name| names.iter().position(|it| it == name);
            let chosen = self.columns.iter().filter_map(number).collect();
            let at = self.at.clone();
            Box::new(Plies {
                rows,
                chosen,
                tags: tag_columns(&self.tags, self.extra()),
                at,
                lines,
                openings,
                extra: self.extra(),
            })
        };
        Ok(match self.format {
            ReplayFormat::Human => Box::new(HumanGames {
                at,
                boards: self.boards(run)?,
                lines,
                openings,
            }),
            ReplayFormat::Csv => of_rows(Rows::Csv(self.games.run.cells()), openings),
            ReplayFormat::Jsonl => of_rows(Rows::Jsonl, openings),
            ReplayFormat::Parquet => of_rows(Rows::Table, openings),
            ReplayFormat::Uci => Box::new(UciMoves { at }),
            ReplayFormat::Epd => Box::new(Positions { at, add: epd }),
            ReplayFormat::Fen => Box::new(Positions { at, add: fen }),
            ReplayFormat::Pgn => Box::new(Export {
                at: at.or_else(|| self.export.max_plies.map(|_| PlyChoice::all())),
                max_plies: self.export.max_plies.unwrap_or(u32::MAX),
                keep: self.export.content(self.variations.is_some()),
                splits_lines: self.splits_lines(),
                edits: TagEdits {
                    chosen: self.tags.clone(),
                    added: added.copied().collect(),
                    ..self.export.edits.clone()
                },
                width: self.export.width(),
                split_by: self.export.by.split_by.clone(),
                openings,
                names: self.names.read()?,
                add: self.export.add.clone(),
            }),
        })
    }
}

pub(crate) fn run(args: &ReplayArgs) -> Result<Outcome, Error> {
    let given = Keys {
        piece_letters: args.letters.given(),
        ..Keys::default()
    };
    let config = args.games.settings(&["piece-letters"], given)?;
    let reader = args.games.readers(&config)?;
    if args.games.config.show_config {
        return Output::print_config(&args.games, &config);
    }
    args.check()?;
    let boards = args.board_dir.iter().map(PathBuf::as_path);
    let others = args.write_others.iter().map(PathBuf::as_path);
    let files = OtherFiles {
        written: boards
            .map(|path| (path, "the folder of the boards"))
            .chain(others.map(|path| (path, "the file of the other games")))
            .collect(),
        read: args.openings.files().chain(args.names.files()).collect(),
    };
    let given = args.fen.as_ref().map(|fen| {
        let (setup, _) = args::position(fen, &Log::default())?;
        let game = format!("[FEN \"{setup}\"]\n\n*\n");
        Ok(Source::text(SourceId(0), "<fen>", game.as_bytes()))
    });
    let options = RunOptions {
        given: given.transpose()?,
        files,
        splits: args.export.by.split_by.is_some(),
        outlives_stdout: args.export.by.split_by.is_some() || args.write_others.is_some(),
        ..RunOptions::default()
    };
    let mut run = CommandRun::begin_with(&args.games, &config, options, |_| InputKind::Pgn)?;
    run.use_small_chunks();
    run.words = PLAYED;
    let format = args.output_format(&mut run)?;
    format.begin(&mut run.output.sink)?;
    let by = args.export.by.split_by.as_ref();
    let path = args.games.run.file().filter(|_| by.is_some());
    let open = |path| KeyedFiles::new(path, by, &args.games, &run);
    let mut split = path.map(open).transpose()?;
    let mut others = Split::in_file(args.write_others.as_deref(), &args.games, &run)?;
    if others.is_some() && run.selection.is_all() {
        return Err(Error::usage(
            "`--write-others` needs `--games` or `--where`",
        ));
    }
    let pool = BufferPool::default();
    let mut accounts = Accounts::default();
    let mut variants = Variants::default();
    let mut lacking = 0;
    let mut first_lacking = None;
    run.work(
        || ReplayState {
            reader: reader(),
            ..ReplayState::default()
        },
        |state, source, chunk| {
            let mut done = replay_chunk(chunk, source, state, &*format, &pool);
            done.others = args.write_others.is_some().then(|| chunk.clone());
            done
        },
        |done| {
            let others = done.others.as_ref().map_or(0, |chunk| chunk.bytes().len());
            done.data.len() + done.stops.weight() + others
        },
        |sink, log, part| {
            let done = part.value;
            if let (Some(others), Some(chunk)) = (&mut others, &done.others) {
                let pieces = chunk.skipped_games().map(|text| SplitPiece::new(&text));
                others.write(chunk, &pieces.collect::<Vec<_>>(), &part.source)?;
            }
            match &mut split {
                Some(split) => split.write_games(done.data.as_bytes(), &done.pieces)?,
                None => sink.write(done.data.as_bytes())?,
            }
            pool.give(done.data);
            done.stops.say(log, &mut variants);
            accounts += done.accounts;
            lacking += done.lacking;
            first_lacking = first_lacking.take().or(done.first_lacking);
            match done.error {
                Some(error) => Err(error),
                None => Ok(()),
            }
        },
    )?;
    run.output.log.say(&variants.lines());
    // Like a selection without games: nothing is printed, which is an error.
    let played = accounts.seen() - accounts.unreadable;
    if let Some(first) = first_lacking
        && lacking == played
        && accounts.with_findings == 0
        && !run.interrupted
        && run.part.is_none()
    {
        run.refuse(&format_args!(
            "no game has any of the plies of `--at`: {first}"
        ));
        return run.close(accounts, false, None);
    }
    let stopped = accounts.with_findings + accounts.unreadable > 0;
    let summary =
        (lacking > 0).then(|| format!("games without any of the plies asked for: {lacking}"));
    let has_games = accounts.has_readable() || run.part.is_some();
    if let Some(mut others) = others.filter(|_| has_games && !run.interrupted) {
        others.end_part(&run)?;
        others.report(&mut run);
        others.finish()?;
    }
    let split = split.filter(|_| accounts.has_readable() && !run.interrupted);
    if let Some(line) = split.map(KeyedFiles::finish).transpose()?.flatten() {
        run.output.log.remark(&line);
    }
    run.close(accounts, stopped, summary.as_deref())
}

/// Per-worker state.
#[derive(Default)]
struct ReplayState {
    reader: Reader,
    replayer: Replayer,
    text: String,
}

/// Result of one chunk.
#[derive(Default)]
struct ReplayedChunk {
    /// Output.
    data: Buffer,
    /// End in the output and keys of each game, for files by keys.
    pieces: Vec<(usize, Vec<String>)>,
    /// The games, if those that are not chosen are written.
    others: Option<Chunk>,
    stops: Stops,
    accounts: Accounts,
    /// Games without any of the requested plies.
    lacking: u64,
    /// Description of the first of them.
    first_lacking: Option<String>,
    /// Error of writing a picture.
    error: Option<Error>,
}

fn replay_chunk(
    chunk: &Chunk,
    source: &Source,
    state: &mut ReplayState,
    format: &GameFormat,
    pool: &BufferPool,
) -> ReplayedChunk {
    let mut done = ReplayedChunk {
        data: pool.take(),
        ..ReplayedChunk::default()
    };
    let file = OnceCell::new();
    let mut lines = Lines::new(chunk);
    for text in chunk.games() {
        let game = text.read(&mut state.reader);
        if game.is_unreadable(text.bytes) {
            done.accounts.add(GameStatus::Unreadable);
            let finding = findings::unreadable_game(game, text.bytes);
            done.stops.add(source.name(), &lines.report(&text, finding));
            continue;
        }
        let item = GameItem {
            source,
            text: &text,
            game,
            replayer: &mut state.replayer,
            file: &file,
            scratch: &mut state.text,
            pieces: &mut done.pieces,
        };
        let played = match format.item(&mut done.data, item) {
            Ok(played) => played,
            Err(error) => {
                done.error = Some(error);
                break;
            }
        };
        done.accounts.add(played.status());
        if played.lacks_plies {
            done.lacking += 1;
            done.first_lacking.get_or_insert_with(|| {
                let (number, plies) = (text.origin.game, replay::plies(game));
                let unit = if plies == 1 { "ply" } else { "plies" };
                format!(
                    "{}, game {number}, has {plies} {unit}",
                    Escaped(source.name())
                )
            });
        }
        for finding in played.faults {
            done.stops.add(source.name(), &lines.report(&text, finding));
        }
    }
    done
}
