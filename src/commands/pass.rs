//! One pass over sources, on all threads.

use crate::commands::interrupt;
use crate::error::Error;
use crate::input::{ByteNotes, Chunk, Source};
use crate::pipeline::{Item, Run};
use crate::report::{Bar, Measure, SourceProgress};

/// Pass over some sources.
pub(crate) struct Pass<'a> {
    pub(crate) run: &'a Run,
    pub(crate) bar: &'a Bar,
    pub(crate) sources: &'a [Source],
    pub(crate) measure: Measure,
}

impl Pass<'_> {
    /// Runs `work` on every chunk and passes the results to `emit` in input order, until the end or
    /// a signal.
    pub(crate) fn read<S: Send, T: Send + 'static>(
        &self,
        scratch: impl Fn() -> S + Sync,
        work: impl Fn(&mut S, &Source, &mut Chunk, &ByteNotes) -> T + Sync,
        weigh: impl Fn(&T) -> usize + Sync,
        mut emit: impl FnMut(Item<T>) -> Result<(), StopCause>,
    ) -> Result<Vec<S>, Error> {
        let mut progress = SourceProgress::start(self.bar, self.measure, self.sources);
        let outcome = (self.run).in_order(self.sources, scratch, work, weigh, |item| {
            if interrupt::asked() {
                return Err(StopCause::Asked);
            }
            progress.enter(&item);
            emit(item)
        });
        match outcome {
            Ok(states) => Ok(states),
            Err(StopCause::Failed(error)) => Err(error),
            Err(StopCause::Asked) => Ok(Vec::new()),
        }
    }
}

/// Reason why a pass ends before the last game.
pub(crate) enum StopCause {
    Failed(Error),
    /// By a signal, or as the reader of stdout has closed the pipe.
    Asked,
}

impl From<Error> for StopCause {
    fn from(error: Error) -> StopCause {
        StopCause::Failed(error)
    }
}
