#![doc = include_str!("README.md")]

pub mod formats;
pub mod rows;

mod play;

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::commands::Outcome;
use crate::commands::accounts::{AccountWords, Accounts};
use crate::commands::args::{GameArgs, LetterArgs};
use crate::commands::clashes::{OtherFiles, id_of};
use crate::commands::replay::formats::board::Style;
use crate::commands::replay::formats::svg::Pictures;
use crate::commands::replay::formats::{CsvRows, Keep};
use crate::commands::replay::play::{Scratch, Spare, play};
use crate::commands::replay::rows::At;
use crate::commands::run::CommandRun;
use crate::error::Error;
use crate::report::FileId;
use crate::report::escape::Cells;

/// Play games and show what happened
///
/// Exit code 1: a game stops before its last move; what could be played is shown, and stderr says why it stopped. Exit code 2,
/// beside what it means elsewhere: no game has any of the plies of --at.
#[derive(Args, Debug)]
pub(crate) struct Flags {
    #[command(flatten)]
    games: GameArgs,

    #[command(flatten)]
    letters: LetterArgs,

    /// What is shown
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,

    /// Only these plies, the last move is `end`: 24, 12w, 12b, 10-20, 30b-end
    ///
    /// A number is a ply, 0 being the position before the first move; 12w is White's twelfth move. `fen` and `epd` show the
    /// positions after these plies, otherwise the last one; `human` draws boards there.
    #[arg(long, value_name = "PLIES", allow_hyphen_values = true)]
    at: Option<At>,

    /// Draw boards, at --at or at the end; svg: one file a position, in --board-dir [format human]
    #[arg(long, value_enum)]
    board: Option<Board>,

    /// Where the files of --board svg are written
    #[arg(long, value_name = "DIR")]
    board_dir: Option<PathBuf>,

    /// Play side lines as well, and number them [formats human, csv, jsonl; kept in pgn]
    #[arg(long)]
    variations: bool,

    /// What stays beside the moves of the main line [format pgn]
    #[arg(long, value_enum, value_name = "WHAT", value_delimiter = ',')]
    keep: Vec<Kept>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Format {
    /// Numbered moves, and boards where they are asked for
    Human,
    /// One row a ply, with the position after it
    Csv,
    /// One JSON object a ply
    Jsonl,
    /// The moves in UCI notation, one line a game
    Uci,
    /// Positions as EPD, one line each
    Epd,
    /// Positions as FEN, one line each
    Fen,
    /// The games in the export format of the PGN standard
    Pgn,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Board {
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
    /// Glyphs such as $1, and signs such as ! as glyphs
    #[value(alias = "glyphs")]
    Nags,
    /// (Variations)
    Variations,
    /// All of them
    All,
}

/// How boards are shown.
enum Boards {
    Characters(Style),
    Pictures(Pictures),
}

/// What is shown, once it is known that the flags go together.
struct Plan {
    format: Format,
    at: Option<At>,
    boards: Option<Boards>,
    variations: bool,
    keep: Keep,
    cells: Cells,
}

impl Flags {
    fn refuse(reason: &str) -> Result<(), Error> {
        Err(Error::usage(reason))
    }

    /// Whether the flags go together.
    fn check(&self) -> Result<(), Error> {
        let format = self.format;
        if self.board.is_some() && format != Format::Human {
            return Flags::refuse("boards are drawn in the format `human` only");
        }
        if self.board == Some(Board::Svg) && self.board_dir.is_none() {
            return Flags::refuse(
                "`--board svg` writes one file a position: name a folder with `--board-dir`",
            );
        }
        if self.board_dir.is_some() && self.board != Some(Board::Svg) {
            return Flags::refuse("`--board-dir` is for the pictures of `--board svg`");
        }
        if !self.keep.is_empty() && format != Format::Pgn {
            return Flags::refuse("`--keep` is for the format `pgn`");
        }
        if self.at.is_some() && format == Format::Pgn {
            return Flags::refuse("the format `pgn` has whole games, without `--at`");
        }
        if self.variations && matches!(format, Format::Uci | Format::Epd | Format::Fen) {
            return Flags::refuse(
                "variations are shown in the formats `human`, `csv`, `jsonl` and `pgn`",
            );
        }
        Ok(())
    }

    fn plan(&self, run: &CommandRun) -> Result<Plan, Error> {
        let style = match (self.board, &self.board_dir) {
            (Some(Board::Svg), Some(folder)) => {
                let output = self.games.output.as_deref().and_then(FileId::of);
                let inputs = run.sources().iter().filter_map(id_of);
                let spared = inputs.chain(output).collect();
                let pictures = Pictures::new(folder, run.sources(), spared)?;
                Some(Boards::Pictures(pictures))
            }
            (Some(Board::Unicode), _) => Some(Boards::Characters(Style::Unicode)),
            (Some(_), _) => Some(Boards::Characters(Style::Ascii)),
            (None, _) if self.at.is_some() => Some(Boards::Characters(Style::Ascii)),
            (None, _) => None,
        };
        let keeps = |what| self.keep.contains(&what) || self.keep.contains(&Kept::All);
        Ok(Plan {
            format: self.format,
            at: self.at.clone(),
            boards: style.filter(|_| self.format == Format::Human),
            variations: self.variations,
            keep: Keep {
                comments: keeps(Kept::Comments),
                glyphs: keeps(Kept::Nags),
                variations: keeps(Kept::Variations) || self.variations,
            },
            cells: self.games.csv.cells(),
        })
    }
}

pub(crate) fn run(flags: &Flags) -> Result<Outcome, Error> {
    flags.check()?;
    let boards = flags.board_dir.iter().map(PathBuf::as_path);
    let files = OtherFiles {
        written: boards
            .map(|path| (path, "the folder of the boards"))
            .collect(),
        ..OtherFiles::default()
    };
    let mut run = CommandRun::begin_beside(&flags.games, files)?
        .in_small_chunks()
        .in_words(AccountWords::PLAYED);
    let plan = flags.plan(&run)?;
    if plan.format == Format::Csv {
        run.sink
            .write(CsvRows::header(plan.variations).as_bytes())?;
    }
    let spare = Spare::default();
    let mut accounts = Accounts::default();
    let mut beside = 0;
    let mut first_beside = None;
    run.work(
        || Scratch::new(flags.letters.reader()),
        |scratch, source, chunk| play(chunk, source, scratch, &plan, &spare),
        |done| done.rows.text().len() + done.data.len() + done.stops.len(),
        |sink, log, part| {
            let done = part.value;
            sink.write(done.rows.text())?;
            sink.write(&done.data)?;
            spare.give(done.rows);
            if !done.stops.is_empty() {
                log.say(&done.stops);
            }
            accounts += done.accounts;
            beside += done.beside;
            first_beside = first_beside.take().or(done.first_beside);
            match done.error {
                Some(error) => Err(error),
                None => Ok(()),
            }
        },
    )?;
    // As where no game is chosen, also in the exit code: nothing is shown, and whoever asked for it is told.
    let played = accounts.seen() - accounts.unreadable;
    if let Some(first) = first_beside
        && beside == played
        && accounts.with_findings == 0
        && !run.is_interrupted()
    {
        run.refuse(&format_args!(
            "no game has any of the plies asked for by --at: {first}"
        ));
        return run.close(accounts, false, None);
    }
    let stopped = accounts.with_findings + accounts.unreadable > 0;
    let summary = (beside > 0).then(|| {
        let games = if beside == 1 {
            "game has"
        } else {
            "games have"
        };
        format!("{beside} {games} none of the plies asked for")
    });
    run.close(accounts, stopped, summary.as_deref())
}
