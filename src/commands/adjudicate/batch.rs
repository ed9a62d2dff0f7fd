//! `arbiter adjudicate` over many games: an adjudication each.

use std::mem;
use std::ops::AddAssign;

use clap::Args;

use crate::adjudication::{
    Adjudication, Adjudicator, MOST_RULE_SETS, NotAdjudicated, RuleChoice, Verdict,
};
use crate::claim::Heading;
use crate::commands::accounts::Accounts;
use crate::commands::adjudicate::Flags;

use crate::commands::adjudicate::formats::{
    AdjudicateFormat, AdjudicatedGame, ColumnChoice, MoveForm, NotJudged, RulingFormat, missed,
};
use crate::commands::args::OtherFiles;
use crate::commands::config::Config;
use crate::commands::follow::{self, FollowPass, Latest};
use crate::commands::openings::OpeningArgs;
use crate::commands::output::Outcome;
use crate::commands::run::{CommandRun, RunOptions};
use crate::commands::stops::{Stops, Variants};
use crate::commands::tag_columns::{TagColumns, tag_name};
use crate::error::Error;
use crate::findings::doubts;
use crate::findings::report::Lines;
use crate::findings::{self, GameStatus};
use crate::input::{Chunk, InputKind, Source};
use crate::law::End;
use crate::replay::Reader;
use crate::report::{Buffer, append};

#[derive(Args, Debug)]
#[command(next_help_heading = "Findings")]
pub(crate) struct BatchFlags {
    /// Only games with a record against the rules
    #[arg(long, conflicts_with = "claims")]
    contradictions: bool,

    /// List the draws that were not claimed
    ///
    /// Draws that could have been claimed, for whom and when.
    #[arg(long)]
    claims: bool,

    /// Columns of tags in front of the others [formats csv, jsonl, parquet]
    ///
    /// Names separated by commas; `all`: the tags of the PGN standard; `lichess`: the columns of
    /// the games of lichess.org, with the movetext.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    #[arg(value_parser = tag_name, help_heading = "Output")]
    tags: Vec<String>,

    /// Write only these columns, in this order [formats csv, jsonl, parquet]
    ///
    /// Besides the usual ones: `last_fen`, `speed`, `base`, `increment`.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    #[arg(hide_short_help = true, help_heading = "Output")]
    columns: Vec<String>,

    /// Add the tags and the moves to each object [format jsonl]
    #[arg(long, value_enum, value_name = "FORM", conflicts_with = "claims")]
    #[arg(hide_short_help = true, help_heading = "Output")]
    moves: Option<MoveForm>,

    #[command(flatten)]
    openings: OpeningArgs,
}

/// Selection of the adjudications written.
#[derive(Clone, Copy)]
struct Wanted {
    contradictions: bool,
    /// Show only contradictions and count the other games: on a terminal, unless a flag selects
    /// games.
    counts_others: bool,
    /// The rule set of a run that writes every game, also those that cannot be adjudicated.
    all_by: Option<&'static str>,
    /// Show the draws that could have been claimed.
    claims: bool,
}

impl Wanted {
    /// Whether anything is written of a game.
    fn includes(self, adjudication: &Adjudication) -> bool {
        let of_interest = adjudication.rulings.len() < 2 || adjudication.differs();
        of_interest && (!self.contradictions || adjudication.is_contradiction())
    }
}

/// Refuses options that do not go together.
fn check(flags: &Flags, rules: &[RuleChoice]) -> Result<(), Error> {
    let is_pgn = flags.format == RulingFormat::Pgn;
    let by_eco = flags.games.selects_by_eco();
    Err(Error::usage(if rules.len() > MOST_RULE_SETS {
        format!("at most {MOST_RULE_SETS} rule sets can be compared")
    } else if is_pgn && rules.len() > 1 {
        "tags can be added for one rule set only".to_owned()
    } else if !flags.format.is_rows() && !flags.batch.tags.is_empty() {
        "`--tags` needs the format `csv`, `jsonl` or `parquet`".to_owned()
    } else if !flags.format.is_rows() && !flags.batch.columns.is_empty() {
        "`--columns` needs the format `csv`, `jsonl` or `parquet`".to_owned()
    } else if flags.format != RulingFormat::Jsonl && flags.batch.moves.is_some() {
        "`--moves` needs the format `jsonl`".to_owned()
    } else if !by_eco && !flags.format.is_rows() && flags.batch.openings.is_given() {
        "`--openings` needs `csv`, `jsonl` or `parquet`, or `eco=` in `--where`".to_owned()
    } else if flags.follow && (is_pgn || flags.format == RulingFormat::Parquet) {
        "`--follow` needs the format `human`, `csv` or `jsonl`".to_owned()
    } else if is_pgn && flags.batch.claims {
        "claims cannot be listed as `pgn`".to_owned()
    } else {
        return Ok(());
    }))
}

/// Results of one chunk.
#[derive(Default)]
struct Done {
    data: Buffer,
    /// The first game that is counted rather than shown, if another one comes.
    first_other: Buffer,
    /// Why games could not be played to their end, or not be judged.
    stops: Stops,
    counts: Counts,
}

/// Adjudications, counted.
#[derive(Clone, Copy, Default)]
struct Counts {
    /// By what the board says, in the order of [`End::ALL`]; open games last.
    boards: [u64; End::ALL.len() + 1],
    /// By the verdict of the first rule set.
    verdicts: [u64; 3],
    /// Games on which the rule sets differ.
    differing: u64,
    /// Games by other rules, and games that cannot be read.
    unjudged: u64,
    /// Games without a contradiction that are counted rather than shown.
    others: u64,
    accounts: Accounts,
}

impl Counts {
    fn add(&mut self, adjudication: &Adjudication) {
        let board = adjudication
            .board
            .map_or(End::ALL.len(), |end| end as usize);
        self.boards[board] += 1;
        if let Some(ruling) = adjudication.rulings.first() {
            self.verdicts[ruling.verdict as usize] += 1;
        }
        self.differing += u64::from(adjudication.differs());
        let is_clean = !adjudication.is_contradiction() && adjudication.early_end.is_none();
        self.accounts.add(if is_clean {
            GameStatus::Clean
        } else {
            GameStatus::WithFindings
        });
    }

    fn contradictions(&self) -> u64 {
        self.verdicts[Verdict::Contradiction as usize]
    }

    /// The closing text if games were counted rather than shown: the only one of all, `first`, or
    /// their number.
    fn closing(&self, first: &Buffer) -> Vec<u8> {
        let shown = self.contradictions() + self.unjudged;
        let games = match (self.others, shown) {
            (0, _) => return Vec::new(),
            (1, 0) => return first.as_bytes().to_vec(),
            (1, _) => "other game",
            (_, 0) => "games",
            (..) => "other games",
        };
        let count = self.others;
        let text = format!(
            "{count} {games} without a contradiction; write to a pipe or a file (-o) to list every \
            game\n"
        );
        text.into_bytes()
    }

    /// `endings: 2 checkmate, 3 open; verdicts: 5 consistent, 0 contradiction, 0 undecided`
    fn summary(&self, rule_sets: usize) -> String {
        let names = End::ALL.map(End::as_str).into_iter().chain(["open"]);
        let boards = names.zip(self.boards).filter(|&(_, count)| count > 0);
        let mut boards: Vec<String> = boards
            .map(|(name, count)| format!("{count} {name}"))
            .collect();
        if boards.is_empty() {
            boards.push("none".to_owned());
        }
        let boards = boards.join(", ");
        let [consistent, contradiction, undecided] = self.verdicts;
        let mut text = format!(
            "endings: {boards}; verdicts: {consistent} consistent, {contradiction} contradiction, \
            {undecided} undecided"
        );
        if rule_sets > 1 {
            append!(text, "; the rule sets differ on {}", self.differing);
        }
        if self.unjudged > 0 {
            append!(text, "; not judged: {}", self.unjudged);
        }
        text
    }
}

impl AddAssign for Counts {
    fn add_assign(&mut self, more: Counts) {
        for (sum, more) in self.boards.iter_mut().zip(more.boards) {
            *sum += more;
        }
        for (sum, more) in self.verdicts.iter_mut().zip(more.verdicts) {
            *sum += more;
        }
        self.differing += more.differing;
        self.unjudged += more.unjudged;
        self.others += more.others;
        self.accounts += more.accounts;
    }
}

pub(crate) fn run(flags: &Flags, config: &Config, rules: &[RuleChoice]) -> Result<Outcome, Error> {
    check(flags, rules)?;
    let reader = flags.games.readers(config)?;
    let BatchFlags {
        contradictions,
        claims,
        ref tags,
        ref openings,
        ..
    } = flags.batch;
    let files = OtherFiles {
        read: openings.files().collect(),
        ..OtherFiles::default()
    };
    let openings = openings.read(&flags.games.inputs)?;
    let options = RunOptions {
        follows: flags.follow,
        files,
        ..RunOptions::default()
    };
    let mut run = CommandRun::begin_with(&flags.games, config, options, |_| InputKind::Pgn)?;
    run.selection.openings.clone_from(&openings);
    let is_shown = flags.format == RulingFormat::Human && run.output.sink.is_terminal();
    let wanted = Wanted {
        contradictions,
        counts_others: is_shown && rules.len() == 1 && !contradictions && !claims && !flags.follow,
        all_by: match rules {
            [only] if !contradictions => Some(only.name()),
            _ => None,
        },
        claims,
    };
    let columns = run.output.sink.columns().filter(|_| is_shown);
    let cells = flags.games.run.cells();
    let choice = ColumnChoice {
        tags: TagColumns::of(tags),
        openings,
        names: flags.batch.columns.clone(),
        moves: flags.batch.moves,
    };
    let format = flags.format.with(claims, columns, cells, choice)?;
    format.begin(&mut run.output.sink)?;
    let mut latest = Latest::default();
    let mut variants = Variants::default();
    let mut first_other = Buffer::default();
    let mut reported = false;
    while let Some(pass) = run.begin_pass() {
        let mut counts = Counts::default();
        run.work(
            || {
                let adjudicator = Adjudicator::new(rules, flags.solver.limits());
                (reader(), adjudicator, pass.clone())
            },
            |scratch, source, chunk| adjudicate(chunk, source, scratch, wanted, &*format),
            |done| done.data.len() + done.stops.weight() + done.first_other.len(),
            |sink, log, part| {
                sink.write(part.value.data.as_bytes())?;
                part.value.stops.say(log, &mut variants);
                if counts.others == 0 {
                    first_other = part.value.first_other;
                }
                counts += part.value.counts;
                Ok(())
            },
        )?;
        reported |= match rules.len() {
            0 | 1 => counts.contradictions() > 0,
            _ => counts.differing > 0,
        };
        latest.set(&pass, counts);
    }
    let counts = latest.into_sum();
    run.output.log.say(&variants.lines());
    run.output.sink.write(&counts.closing(&first_other))?;
    let summary = counts.summary(rules.len());
    run.close(counts.accounts, reported, Some(&summary))
}

fn adjudicate(
    chunk: &Chunk,
    source: &Source,
    (reader, adjudicator, pass): &mut (Reader, Adjudicator, FollowPass),
    wanted: Wanted,
    format: &AdjudicateFormat,
) -> Done {
    let mut done = Done::default();
    let mut lines = Lines::new(chunk);
    for text in chunk.games() {
        let game = text.read(reader);
        let item = |adjudication| AdjudicatedGame {
            source,
            number: text.origin.game.0,
            game,
            text: text.bytes,
            adjudication,
        };
        let is_new = |what: String| pass.is_new(|| (Heading::new(game, text.bytes), what));
        let is_running = pass.is_running(&text, game);
        let mut adjudication = match adjudicator.adjudicate(game, text.bytes) {
            Ok(adjudication) => adjudication,
            Err(fault) => {
                let finding = findings::not_adjudicated(game, text.bytes, fault);
                done.counts.unjudged += 1;
                done.counts.accounts.add(match fault {
                    NotAdjudicated::NoGame => GameStatus::Unreadable,
                    NotAdjudicated::Start(_) => GameStatus::WithFindings,
                });
                let why = &finding.message;
                if !is_new(why.clone()) {
                    continue;
                }
                if let Some(asked) = wanted.all_by {
                    format.item(&mut done.data, &item(Err(NotJudged { asked, why })));
                }
                let report = lines.report(&text, finding);
                done.stops.add(source.name(), &report);
                continue;
            }
        };
        doubts::weigh(&mut adjudication, adjudicator, game, text.bytes);
        let is_shown =
            !pass.follows() || is_news(&mut adjudication, is_running, wanted.claims, is_new);
        done.counts.add(&adjudication);
        if is_shown && wanted.includes(&adjudication) {
            let item = item(Ok(&adjudication));
            if !wanted.counts_others || adjudication.is_contradiction() {
                format.item(&mut done.data, &item);
            } else {
                if done.counts.others == 0 {
                    format.item(&mut done.first_other, &item);
                }
                done.counts.others += 1;
            }
        }
        if let Some(end) = adjudication.early_end {
            let finding = findings::of_cut(game, text.bytes, end, &adjudication.last);
            let is_final = !is_running || follow::is_final(&finding);
            let at = finding.at.as_ref().map(|at| &at.label);
            if is_final && is_new(format!("{} {at:?}", finding.rule.code)) {
                done.stops.add(source.name(), &lines.report(&text, finding));
            }
        }
    }
    done
}

/// Whether there is something to print about a game in a followed file. Claims that have been
/// printed, or are not shown, are removed.
fn is_news(
    adjudication: &mut Adjudication,
    is_running: bool,
    claims: bool,
    is_new: impl Fn(String) -> bool,
) -> bool {
    let mut ruled = String::new();
    let mut has_ended = !is_running;
    let mut rulings = mem::take(&mut adjudication.rulings);
    for ruling in &mut rulings {
        // The record of a running game may be ahead of its moves.
        if is_running && ruling.verdict == Verdict::Contradiction {
            ruling.verdict = Verdict::Undecided;
        }
        if claims {
            let shown = missed(adjudication, ruling);
            let new = shown.filter(|claim| is_new(format!("{} {claim:?}", ruling.asked)));
            ruling.opportunities = new.cloned().collect();
        }
        let (ended, because, claimable) = (ruling.ended, &ruling.because, &ruling.claimable);
        has_ended |= ended.is_some() || !claimable.is_empty();
        let what = (ruling.result, ruling.reason, ruling.verdict, ended);
        append!(ruled, "{what:?} {because:?} {claimable:?}");
    }
    adjudication.rulings = rulings;
    claims || has_ended && is_new(ruled)
}
