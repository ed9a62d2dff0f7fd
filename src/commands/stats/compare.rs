//! `arbiter stats --compare`: what has changed between two runs.

use crate::commands::Outcome;
use crate::commands::clashes::refuse_overwriting;
use crate::commands::stats::formats::compare;
use crate::commands::stats::merge::load;
use crate::commands::stats::{Flags, Format};
use crate::error::Error;
use crate::report::{Bar, Log, Sink};

pub(crate) fn run(flags: &Flags) -> Result<Outcome, Error> {
    let [before, after] = &flags.compare[..] else {
        return Ok(Outcome::NotDone);
    };
    refuse_overwriting(flags.games.output.as_deref(), &[before, after])?;
    let name = after.display().to_string();
    let (before, after) = (load(before)?, load(after)?);
    before.matches(&after).map_err(|mismatch| {
        Error::invalid("statistics in", name, mismatch.beside("the other one"))
    })?;
    let comparison = compare(&before, &after, flags.choice());
    let text = match flags.format {
        Format::Human => comparison.human(),
        Format::Csv => comparison.csv(flags.games.csv.cells()),
        Format::Json => comparison.json(),
    };
    let mut sink = Sink::open(flags.games.output.as_deref(), Bar::default())?;
    sink.write(text.as_bytes())?;
    sink.finish()?;
    let Some(limit) = flags.fail_above else {
        return Ok(Outcome::Done);
    };
    let log = Log::new(flags.games.quiet, Bar::default());
    let mut outcome = Outcome::Done;
    for row in &comparison.rows {
        for change in row.exceeding(limit) {
            outcome = Outcome::Reported;
            log.say(&format!(
                "{}: {change}, by more than {limit} {}\n",
                row.name(),
                if limit == 1.0 { "point" } else { "points" }
            ));
        }
    }
    Ok(outcome)
}
