#![doc = include_str!("README.md")]

mod boards;
mod formats;
mod rows;

use std::cell::OnceCell;
use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};

use crate::chess::Color;
use crate::commands::accounts::{Accounts, PLAYED};
use crate::commands::args::{self, GameArgs, LetterArgs, OtherFiles, id_of};
use crate::commands::config::Keys;
use crate::commands::names::NameArgs;
use crate::commands::openings::OpeningArgs;
use crate::commands::output::{Outcome, Output};
use crate::commands::replay::boards::{BoardOutput, Boards, SvgFolder};
use crate::commands::replay::formats::{
    Export, Extra, GameFormat, GameItem, HumanGames, KeepContent, Plies, Positions, ReplayFormat,
    UciMoves, column_names, epd, fen, tag_columns,
};
use crate::commands::replay::rows::{PlyChoice, Replayer};
use crate::commands::run::{CommandRun, RunOptions};
use crate::commands::stops::{Stops, Variants};
use crate::commands::tag_columns::tag_name;
use crate::error::Error;
use crate::findings;
use crate::findings::GameStatus;
use crate::findings::report::Lines;
use crate::input::{Chunk, InputKind, Source, SourceId};
use crate::replay::{self, Reader};
use crate::report::escape::Escaped;
use crate::report::rows::Rows;
use crate::report::{Buffer, BufferPool, FileId, Log};

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
    /// Output format
    #[arg(long, value_enum, default_value_t = ReplayFormat::Human, help_heading = "Output")]
    format: ReplayFormat,

    /// Print only these plies: 24, 12w, 12b, 10-20, 30b-end
    ///
    /// A number is a ply, not a move: 24 is Black's twelfth move, 12b; 0 is the start position;
    /// `end` is the last move. `fen` and `epd` print the positions after these plies [default:
    /// end]; `human` draws boards there.
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

    /// Replay and number variations too
    ///
    /// Formats human, csv, jsonl, parquet and pgn.
    #[arg(long)]
    variations: bool,

    /// Write only these columns, in this order [formats csv, jsonl, parquet]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    #[arg(value_parser = columns(), long_help = columns_help(), help_heading = "Output")]
    columns: Vec<String>,

    /// Columns of tags in front of the others [formats csv, jsonl, parquet]
    ///
    /// Names separated by commas; `all`: the tags of the PGN standard; `lichess`: the columns of
    /// the games of lichess.org, without the movetext.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    #[arg(value_parser = tag_name, help_heading = "Output")]
    tags: Vec<String>,

    /// Keep these with the format pgn
    ///
    /// Without it only the moves of the main line are kept.
    #[arg(long, value_enum, value_name = "WHAT")]
    #[arg(value_delimiter = ',', help_heading = "Output")]
    keep: Vec<Kept>,

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

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Kept {
    /// {Comments}
    Comments,
    /// NAGs such as $1; suffixes such as ! become NAGs
    #[value(alias = "glyphs")]
    Nags,
    /// (Variations)
    Variations,
    /// All of them
    All,
}

impl ReplayArgs {
    /// Whether there are boards: `--at` draws some too.
    fn draws_boards(&self) -> bool {
        let is_asked = self.board.is_some() || self.at.is_some() || self.fen.is_some();
        self.format == ReplayFormat::Human && is_asked
    }

    fn extra(&self) -> Extra {
        Extra {
            lines: self.variations,
            openings: self.openings.is_given(),
            illegal: self.games.plays_illegal(),
            optional: !self.columns.is_empty(),
        }
    }

    /// Refuses options that do not go together.
    fn check(&self) -> Result<(), Error> {
        let format = self.format;
        let names = column_names(self.extra());
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
        } else if !self.columns.is_empty() && !format.is_of_rows() {
            "`--columns` needs the format `csv`, `jsonl` or `parquet`"
        } else if !self.tags.is_empty() && !format.is_of_rows() {
            "`--tags` needs the format `csv`, `jsonl` or `parquet`"
        } else if self.columns.iter().any(|name| !names.contains(name)) {
            "the columns `line` and `parent` need `--variations`, `eco` and `opening` \
             `--openings`, and `illegal` needs `--illegal play`"
        } else if (1..self.columns.len()).any(|n| self.columns[..n].contains(&self.columns[n])) {
            "`--columns` names a column twice"
        } else if !self.keep.is_empty() && format != ReplayFormat::Pgn {
            "`--keep` needs the format `pgn`"
        } else if self.names.is_given() && format != ReplayFormat::Pgn {
            "`--names` needs the format `pgn`"
        } else if self.openings.is_given() && format.is_of_lines() {
            "`--openings` needs the format `human`, `csv`, `jsonl`, `parquet` or `pgn`"
        } else if self.at.is_some() && format == ReplayFormat::Pgn {
            "the format `pgn` prints whole games, without `--at`"
        } else if self.at.as_ref().is_some_and(PlyChoice::is_start)
            && (format.is_of_rows() || format == ReplayFormat::Uci)
        {
            "`--at 0` is the position before the first move; the formats `human`, `epd` and `fen` \
             show it"
        } else if self.variations && format.is_of_lines() {
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
                let settings = self.games.settings_file();
                let others = self.games.run.file().into_iter().chain(settings.as_deref());
                let inputs = run.sources.iter().filter_map(id_of);
                let protected = inputs.chain(others.filter_map(FileId::of)).collect();
                let folder = SvgFolder::new(folder, protected)?;
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
        let openings = self.openings.read(&self.games.inputs)?;
        run.selection.openings.clone_from(&openings);
        let lines = match self.variations {
            true => rows::LineSet::All { reports: true },
            false => rows::LineSet::Main,
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
        let keeps = |what| self.keep.contains(&what) || self.keep.contains(&Kept::All);
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
                keep: KeepContent {
                    comments: keeps(Kept::Comments),
                    nags: keeps(Kept::Nags),
                    variations: keeps(Kept::Variations) || self.variations,
                },
                openings,
                names: self.names.read()?,
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
    let files = OtherFiles {
        written: boards
            .map(|path| (path, "the folder of the boards"))
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
        ..RunOptions::default()
    };
    let mut run = CommandRun::begin_with(&args.games, &config, options, |_| InputKind::Pgn)?;
    run.use_small_chunks();
    run.words = PLAYED;
    let format = args.output_format(&mut run)?;
    format.begin(&mut run.output.sink)?;
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
        |state, source, chunk| replay_chunk(chunk, source, state, &*format, &pool),
        |done| done.data.len() + done.stops.weight(),
        |sink, log, part| {
            let done = part.value;
            sink.write(done.data.as_bytes())?;
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
    let summary = (lacking > 0).then(|| {
        let games = if lacking == 1 {
            "game has"
        } else {
            "games have"
        };
        format!("{lacking} {games} none of the plies asked for")
    });
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
