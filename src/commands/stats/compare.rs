//! `arbiter stats --compare`: what has changed between two runs.

use crate::commands::Outcome;
use crate::commands::clashes::refuse_overwriting;
use crate::commands::stats::StatsArgs;
use crate::commands::stats::formats::compare;
use crate::commands::stats::merge::load;
use crate::error::Error;
use crate::report::{Bar, Buffer, Log, Sink};

pub(crate) fn run(args: &StatsArgs) -> Result<Outcome, Error> {
    let [before, after] = &args.compare[..] else {
        return Ok(Outcome::NotDone);
    };
    refuse_overwriting(args.games.output.as_deref(), &[before, after])?;
    let name = after.display().to_string();
    let (before, after) = (load(before)?, load(after)?);
    before.matches(&after).map_err(|mismatch| {
        Error::invalid("statistics in", name, mismatch.beside("the other one"))
    })?;
    let comparison = compare(&before, &after, args.filter());
    let mut sink = Sink::open(args.games.output.as_deref(), Bar::default())?;
    let cells = args.games.csv.cells();
    let mut text = Buffer::default();
    let format = args.format.with(args.filter(), cells, false);
    format.item(&mut text, &comparison);
    sink.write(text.as_bytes())?;
    sink.finish()?;
    let Some(limit) = args.fail_above else {
        return Ok(Outcome::Done);
    };
    let log = Log::new(args.games.quiet, Bar::default());
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
