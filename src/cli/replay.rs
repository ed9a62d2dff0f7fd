//! `arbiter replay`

use clap::{Args, ValueEnum};

use super::Outcome;
use super::games::{GameFlags, Job, LetterFlags};
use crate::error::Error;
use crate::input::{Chunk, Source};
use crate::judge::findings::Verdict;
use crate::judge::report::{Accounts, Lines};
use crate::judge::rows::{last_position, rows};
use crate::output::findings::concise;
use crate::output::rows::CsvRows;
use crate::pgn::Reader;
use crate::rules::{Position, Repetitions};

/// Play games and show what happened
///
/// Exit code 1: a game stops before its last move; what could be played is shown, and stderr says why it stopped.
#[derive(Args, Debug)]
pub(super) struct Flags {
    #[command(flatten)]
    games: GameFlags,

    #[command(flatten)]
    letters: LetterFlags,

    /// What is shown
    #[arg(long, value_enum)]
    format: Format,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Format {
    /// One row a ply, with the position after it
    Csv,
    /// The last position of each game, one line a game
    Fen,
}

/// What one thread keeps from chunk to chunk.
struct Scratch {
    reader: Reader,
    repetitions: Repetitions,
}

/// What became of one chunk.
#[derive(Default)]
struct Played {
    data: Vec<u8>,
    /// Why games stopped, written out.
    stops: String,
    accounts: Accounts,
}

pub(super) fn run(flags: &Flags) -> Result<Outcome, Error> {
    let mut job = Job::begin(&flags.games)?.in_small_chunks();
    if flags.format == Format::Csv {
        job.sink.write(&CsvRows::header())?;
    }
    let initial = Position::initial();
    let mut accounts = Accounts::default();
    job.work(
        || Scratch {
            reader: flags.letters.reader(),
            repetitions: Repetitions::default(),
        },
        |scratch, source, chunk| play(chunk, source, scratch, flags.format, &initial),
        |sink, talk, part| {
            sink.write(&part.value.data)?;
            if !part.value.stops.is_empty() {
                talk.say(&part.value.stops);
            }
            accounts += part.value.accounts;
            Ok(())
        },
    )?;
    let stopped = accounts.with_findings + accounts.unreadable > 0;
    job.close(accounts, stopped, None)
}

fn play(
    chunk: &Chunk,
    source: &Source,
    scratch: &mut Scratch,
    format: Format,
    initial: &Position,
) -> Played {
    let mut played = Played::default();
    let mut csv = CsvRows::default();
    let mut lines = Lines::new(chunk);
    for text in chunk.games() {
        let game = scratch.reader.read(text.bytes, text.unclosed_comment);
        let number = text.origin.game.0;
        let result = match format {
            Format::Csv => rows(game, text.bytes, initial, &mut scratch.repetitions, |row| {
                csv.push(number, &row, source.name());
            }),
            Format::Fen => last_position(game, text.bytes, initial),
        };
        if format == Format::Fen
            && let Some(position) = &result.position
            && !game.is_empty()
        {
            played.data.extend(format!("{position}\n").into_bytes());
        }
        played.accounts.add(match &result.stopped {
            None => Verdict::Clean,
            Some(_) if game.is_empty() => Verdict::Unreadable,
            Some(_) => Verdict::WithFindings,
        });
        if let Some(finding) = result.stopped {
            concise(
                &mut played.stops,
                source.name(),
                &lines.report(&text, finding),
            );
        }
    }
    if format == Format::Csv {
        played.data = csv.into_bytes();
    }
    played
}
