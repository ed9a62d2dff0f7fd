//! `arbiter stats`

use clap::{Args, ValueEnum};

use super::Outcome;
use super::games::{GameFlags, Job};
use crate::error::Error;
use crate::judge::report::Accounts;
use crate::judge::tally::Tally;
use crate::output::stats::{csv, json, table};
use crate::pgn::Reader;

/// Count results: white, black and draws, as recorded
///
/// Games without a result and with other results are counted apart and are not part of the percentages, which are cut,
/// not rounded, to two places.
#[derive(Args, Debug)]
pub(super) struct Flags {
    #[command(flatten)]
    games: GameFlags,

    /// How the counts are shown
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Format {
    /// The table
    Human,
    /// A header and one row
    Csv,
    /// One object
    Json,
}

pub(super) fn run(flags: &Flags) -> Result<Outcome, Error> {
    let mut job = Job::begin(&flags.games)?;
    let mut tally = Tally::default();
    job.work(
        Reader::new,
        |reader, _, chunk| {
            let mut tally = Tally::default();
            for text in chunk.games() {
                tally.count(reader, text.bytes, text.unclosed_comment);
            }
            tally
        },
        |_, _, part| {
            tally += part.value;
            Ok(())
        },
    )?;
    let text = match flags.format {
        Format::Human => table(&tally),
        Format::Csv => csv(&tally),
        Format::Json => json(&tally),
    };
    if tally != Tally::default() {
        job.sink.write(text.as_bytes())?;
    }
    let accounts = Accounts {
        clean: tally.games() - tally.other,
        with_findings: tally.other,
        unreadable: tally.unreadable,
    };
    job.close(accounts, false, None)
}
