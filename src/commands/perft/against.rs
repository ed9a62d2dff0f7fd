//! `--against`: the first position whose moves an engine lists differently.

use crate::chess::{CastlingMode, Move, Position, Setup};
use crate::commands::interrupt;
use crate::commands::output::Outcome;
use crate::commands::perft::compare::{DifferenceKind, Differences, canonical, legal_move};
use crate::commands::perft::contest::{Contest, SuitePlace, WrongPosition};
use crate::commands::perft::suite::SuiteEntry;
use crate::commands::perft::{NoResult, PerftRun};
use crate::error::Error;

impl PerftRun<'_> {
    /// Compares a position with the engine; one of several if `is_listed`.
    pub(crate) fn against(
        &mut self,
        setup: &Setup,
        fen: &str,
        depth: u32,
        place: Option<SuitePlace<'_>>,
        is_listed: bool,
    ) -> Result<Outcome, NoResult> {
        let contest = self.contest(setup, fen, depth)?;
        self.nodes += u128::from(contest.nodes);
        self.write(|out, rows| contest.write(out, rows, place, is_listed))?;
        Ok(match contest.fault {
            None => Outcome::Done,
            Some(_) => Outcome::Reported,
        })
    }

    fn contest<'f>(
        &mut self,
        setup: &Setup,
        fen: &'f str,
        depth: u32,
    ) -> Result<Contest<'f>, NoResult> {
        let fail = |reason: String| Error::invalid("FEN", fen, None, reason);
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
        let legal = position.legal_moves();
        let mut legal: Vec<String> = legal.iter().map(|mv| mv.uci(mode).to_string()).collect();
        legal.sort();
        contest.fault = Some(WrongPosition {
            kind: match step.comparison.same_moves() {
                _ if is_unsteady => DifferenceKind::Unsteady,
                true => DifferenceKind::Counts,
                false => DifferenceKind::Moves,
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
    ) -> Result<Step, NoResult> {
        let Some(engine) = &mut self.engine else {
            return Err(Error::Internal("no engine".to_owned()).into());
        };
        let is_chess960 = mode == CastlingMode::Chess960;
        let theirs = engine.divide(root, is_chess960, written, depth)?;
        let (comparison, nodes) = self.compare_divide(position, fen, depth, mode, &theirs)?;
        let deeper = comparison.different.first().and_then(|(first, ..)| {
            let is_first = |mv: &str| canonical(position, mode, mv) == *first;
            let (written, _) = theirs.iter().find(|(mv, _)| is_first(mv))?;
            Some((legal_move(position, first)?, written.clone()))
        });
        Ok(Step {
            nodes,
            engine_nodes: theirs
                .iter()
                .fold(0, |sum, (_, nodes)| sum.saturating_add(*nodes)),
            deeper: deeper.filter(|_| comparison.same_moves()),
            comparison,
        })
    }

    /// Compares each position of a suite, at the largest of its depths that is not left out.
    pub(crate) fn suite_against(
        &mut self,
        name: &str,
        suite: &[SuiteEntry],
    ) -> Result<Outcome, NoResult> {
        let (mut compared, mut wrong) = (0, 0);
        for entry in suite {
            let depths = entry
                .counts
                .iter()
                .filter(|&&count| self.flags.selects(count));
            let Some(depth @ 1..) = depths.map(|&(depth, _)| depth).max() else {
                continue;
            };
            compared += 1;
            let place = SuitePlace {
                suite: name,
                line: entry.line,
            };
            if let Err(faults) = &Position::new(&entry.setup) {
                wrong += 1;
                self.write_unplayable(place, &entry.fen, faults)?;
                continue;
            }
            match self.against(&entry.setup, &entry.fen, depth, Some(place), true)? {
                Outcome::Done if self.output.sink.is_closed() => break,
                Outcome::Done => {}
                _ => wrong += 1,
            }
            interrupt::done(1);
        }
        if compared == 0 {
            return Ok(self.nothing_selected());
        }
        let nodes = self.nodes;
        self.write_verdict(format_args!("{compared} positions, {nodes} nodes"), wrong)
    }
}

/// Comparison of one position of a descent.
struct Step {
    nodes: u64,
    engine_nodes: u64,
    comparison: Differences,
    /// First move whose count differs, and as the engine writes it; none if the moves differ.
    deeper: Option<(Move, String)>,
}
