//! Statistics of earlier runs: `--merge` and `--compare`.

use std::path::Path;

use crate::commands::args::{OtherFiles, id_of, refuse_clashes};
use crate::commands::held_file::read_output;
use crate::commands::output::{Outcome, Output};
use crate::commands::stats::count::{GroupFilter, Statistics};
use crate::commands::stats::formats::chart::draw;
use crate::commands::stats::formats::{self, StatsFormat};
use crate::commands::stats::ratings::RATED;
use crate::commands::stats::{KnownLines, StatsArgs, pairs};
use crate::error::Error;
use crate::input::Source;
use crate::report::FileId;

/// Adds up earlier runs.
pub(super) fn merge(args: &StatsArgs) -> Result<Outcome, Error> {
    let output = args.games.run.file().and_then(FileId::of);
    let mut merged: Vec<Source> = args.merge.iter().map(|path| Source::named(path)).collect();
    // JSON may be merged in place, as it is read first; a table must not replace it.
    if args.format == StatsFormat::Json {
        merged.retain(|source| id_of(source) != output);
    }
    refuse_clashes(&args.games, &args.files(), &merged)?;
    let mut output = Output::without_games(&args.games)?;
    let mut texts = args.merge.iter().map(|path| read_output(path)).peekable();
    let is_of_pairs = |text: &Result<(String, Vec<u8>), Error>| {
        text.as_ref()
            .is_ok_and(|(_, text)| pairs::is_of_pairs(text))
    };
    if args.pairs.pairs || texts.peek().is_some_and(is_of_pairs) {
        return pairs::merge(args, texts, output);
    }
    if args.pairs.has_options() {
        return Err(Error::usage(
            "`--player`, `--sprt` and `--fail-on` need statistics of `--pairs`",
        ));
    }
    let mut whole: Option<Statistics> = None;
    for text in texts {
        let (name, text) = text?;
        let statistics = formats::read(&name, &text)?;
        match &mut whole {
            None => whole = Some(statistics),
            Some(whole) => whole
                .merge(statistics)
                .map_err(|reason| Error::invalid("statistics in", name, None, reason))?,
        }
    }
    let mut whole = whole.unwrap_or_default();
    whole.plan.ratings |= args.ratings;
    whole.plan.anchor = args.anchor.clone();
    if whole.plan.ratings && whole.plan.keys != RATED {
        return Err(Error::usage(
            "`--ratings` needs statistics of `--ratings` or of `--by white --by black`",
        ));
    }
    let chart = args.chart_options(&whole.plan)?;
    args.write(&mut output.sink, &whole, &mut KnownLines::new())?;
    output.sink.finish()?;
    if let Some(chart) = chart {
        draw(&whole, chart)?;
    }
    Ok(Outcome::Done)
}

/// Reads what an earlier run wrote.
fn load(path: &Path) -> Result<Statistics, Error> {
    let (name, text) = read_output(path)?;
    if pairs::is_of_pairs(&text) {
        let reason = "they are of `--pairs`, which has no comparison";
        return Err(Error::invalid("statistics in", name, None, reason));
    }
    formats::read(&name, &text)
}

/// Compares two runs.
pub(super) fn compare(args: &StatsArgs) -> Result<Outcome, Error> {
    let [before, after] = &args.compare[..] else {
        return Ok(Outcome::NotDone);
    };
    let compared = [before, after].map(|path| Source::named(path));
    refuse_clashes(&args.games, &OtherFiles::default(), &compared)?;
    let name = after.display().to_string();
    let (before, after) = (load(before)?, load(after)?);
    before
        .matches(&after, "the other one")
        .map_err(|reason| Error::invalid("statistics in", name, None, reason))?;
    let comparison = formats::compare(&before, &after, args.filter());
    let mut output = Output::without_games(&args.games)?;
    let options = args.format_options(&output.sink);
    options.compare(&mut output.sink, &comparison)?;
    output.sink.finish()?;
    if args.limits.fail_above.is_none() && !args.limits.fail_significant {
        return Ok(Outcome::Done);
    }
    if !comparison.has_scores() {
        return Err(Error::usage(
            "no limit can be checked: one of the two has no game with a result",
        ));
    }
    // `--top` limits what is shown, not what is checked.
    let checked = GroupFilter {
        top: None,
        ..args.filter()
    };
    let mut outcome = Outcome::Done;
    for row in &formats::compare(&before, &after, checked).rows {
        for change in row.exceeding(args.limits) {
            outcome = Outcome::Reported;
            output.log.say(&format!("{}: {change}\n", row.name()));
        }
    }
    Ok(outcome)
}
