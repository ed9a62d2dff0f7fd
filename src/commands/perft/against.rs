//! `--against`: the first position whose moves an engine lists differently.

use std::collections::BTreeMap;

use crate::chess::{CastlingMode, Move, Position, Setup};
use crate::commands::perft::compare::{Comparison, canonical};
use crate::commands::perft::contest::{Contest, Fault, FaultKind};
use crate::commands::perft::counting::MOST_DEPTH;
use crate::commands::perft::engine::NoAnswer;
use crate::commands::perft::formats::{CountItem, Place, unplayable};
use crate::commands::perft::suite::{Suite, SuiteEntry};
use crate::commands::perft::{FormatName, PerftRun};
use crate::commands::{Outcome, interrupt};
use crate::error::Error;

/// End of a descent without a result.
enum Stop {
    /// Already reported.
    Reported(Outcome),
    Failed(Error),
}

impl From<NoAnswer> for Stop {
    fn from(reason: NoAnswer) -> Stop {
        match reason {
            NoAnswer::Failed(error) => Stop::Failed(error),
            NoAnswer::Interrupted => {
                interrupt::say_done();
                Stop::Reported(Outcome::NotDone)
            }
        }
    }
}

impl PerftRun<'_> {
    /// Compares a position with the engine; one of several if `is_listed`.
    pub(crate) fn against(
        &mut self,
        setup: &Setup,
        fen: &str,
        depth: u32,
        place: Option<Place<'_>>,
        is_listed: bool,
    ) -> Result<Outcome, Error> {
        let contest = match self.contest(setup, fen, depth) {
            Ok(contest) => contest,
            Err(Stop::Reported(outcome)) => return Ok(outcome),
            Err(Stop::Failed(error)) => return Err(error),
        };
        self.nodes += u128::from(contest.nodes);
        let outcome = match contest.fault {
            None => Outcome::Done,
            Some(_) => Outcome::Reported,
        };
        self.write(CountItem::Contest {
            place,
            contest: &contest,
            is_listed,
        })?;
        Ok(outcome)
    }

    fn contest<'f>(
        &mut self,
        setup: &Setup,
        fen: &'f str,
        depth: u32,
    ) -> Result<Contest<'f>, Stop> {
        let fail = |reason: String| Stop::Failed(Error::invalid("FEN", fen, reason));
        let mut position = Position::new(setup).map_err(|faults| fail(faults.to_string()))?;
        let mode = position.castling_mode();
        let mut step = self.step(&position, setup, fen, &[], depth, mode)?;
        let mut contest = Contest {
            fen,
            depth,
            nodes: step.nodes,
            engine_nodes: step.engine_nodes,
            fault: None,
        };
        if step.comparison.agrees() {
            return Ok(contest);
        }
        let (mut played, mut written, mut is_unsteady) = (Vec::new(), Vec::new(), false);
        for depth in (1..depth).rev() {
            let Some((mv, as_written)) = step.deeper.take() else {
                break;
            };
            played.push(mv.uci(mode).to_string());
            written.push(as_written);
            position = position.after(mv);
            let next = self.step(&position, setup, fen, &written, depth, mode)?;
            if next.comparison.agrees() {
                is_unsteady = true;
                break;
            }
            step = next;
        }
        let mut legal: Vec<String> = position
            .legal_moves()
            .iter()
            .map(|mv| mv.uci(mode).to_string())
            .collect();
        legal.sort();
        contest.fault = Some(Fault {
            kind: match step.comparison.same_moves() {
                _ if is_unsteady => FaultKind::Unsteady,
                true => FaultKind::Counts,
                false => FaultKind::Moves,
            },
            moves: played,
            position: position.to_string(),
            legal,
            comparison: step.comparison,
        });
        Ok(contest)
    }

    /// Compares the divides of a position that `written` leads to.
    fn step(
        &mut self,
        position: &Position,
        root: &Setup,
        fen: &str,
        written: &[String],
        depth: u32,
        mode: CastlingMode,
    ) -> Result<Step, Stop> {
        let Some(engine) = &mut self.engine else {
            return Err(Stop::Failed(Error::Internal("no engine".to_owned())));
        };
        let is_chess960 = mode == CastlingMode::Chess960;
        let theirs = engine.divide(root, is_chess960, written, depth)?;
        let (ours, nodes) = self.divide(position, fen, depth).map_err(Stop::Reported)?;
        let engine_nodes = theirs
            .iter()
            .fold(0, |sum: u64, &(_, nodes)| sum.saturating_add(nodes));
        let names: BTreeMap<String, (String, u64)> = theirs
            .iter()
            .map(|(mv, nodes)| (canonical(position, mode, mv), (mv.clone(), *nodes)))
            .collect();
        let theirs = theirs
            .into_iter()
            .map(|(mv, nodes)| (canonical(position, mode, &mv), nodes));
        let counts = ours
            .iter()
            .map(|divided| (divided.mv.uci(mode).to_string(), divided.nodes))
            .collect();
        let comparison = Comparison::of(&counts, theirs);
        let deeper = match comparison.same_moves() {
            false => None,
            true => comparison.different.first().and_then(|(first, ..)| {
                let divided = ours
                    .iter()
                    .find(|divided| divided.mv.uci(mode).to_string() == *first)?;
                Some((divided.mv, names.get(first)?.0.clone()))
            }),
        };
        Ok(Step {
            nodes,
            engine_nodes,
            comparison,
            deeper,
        })
    }

    /// Compares each position of a suite, at the largest of its depths that is not left out.
    pub(crate) fn suite_against(&mut self, name: &str, suite: &Suite) -> Result<Outcome, Error> {
        let (mut outcome, mut compared, mut wrong) = (Outcome::Done, 0, 0);
        for entry in &suite.entries {
            let Some(depth) = self.most_depth(entry) else {
                continue;
            };
            compared += 1;
            let (fen, line) = (entry.fen.as_str(), entry.line);
            let place = Place { suite: name, line };
            if let Err(faults) = &Position::new(&entry.setup) {
                wrong += 1;
                outcome = Outcome::Reported;
                self.write(CountItem::Unplayable { place, fen, faults })?;
                if self.flags.format != FormatName::Human {
                    self.output.log.error(&unplayable(place, fen, faults));
                }
                continue;
            }
            match self.against(&entry.setup, fen, depth, Some(place), true)? {
                Outcome::Done if self.output.sink.is_closed() => return Ok(outcome),
                Outcome::Done => interrupt::done(1),
                Outcome::NotDone => return Ok(Outcome::NotDone),
                Outcome::Reported => {
                    interrupt::done(1);
                    wrong += 1;
                    outcome = Outcome::Reported;
                }
            }
        }
        if compared == 0 {
            return Ok(self.nothing_selected());
        }
        self.write(CountItem::Contested {
            positions: compared,
            nodes: self.nodes,
            wrong,
        })?;
        Ok(outcome)
    }

    fn most_depth(&self, entry: &SuiteEntry) -> Option<u32> {
        let (most_depth, most_nodes) = (self.flags.depth, self.flags.nodes);
        entry
            .counts
            .iter()
            .filter(|&&(_, nodes)| most_nodes.is_none_or(|most| nodes <= most))
            .map(|&(depth, _)| depth)
            .filter(|depth| (1..=most_depth.unwrap_or(MOST_DEPTH)).contains(depth))
            .max()
    }
}

/// Comparison of one position of a descent.
struct Step {
    nodes: u64,
    engine_nodes: u64,
    comparison: Comparison,
    /// First move whose count differs, and as the engine writes it; none if the moves differ.
    deeper: Option<(Move, String)>,
}
