//! One pass over sources, on all threads.

use crate::commands::interrupt;
use crate::error::Error;
use crate::input::{ByteNotes, Chunk, Source};
use crate::pipeline::{Item, Run};
use crate::report::{Bar, Measure, SourceProgress};

/// A chunk that is kept for another pass.
pub(crate) type HeldChunk = (Chunk, ByteNotes);

/// Pass over some sources.
pub(crate) struct Pass<'a> {
    pub(crate) run: &'a Run,
    /// All that an earlier pass has read, if it is not read again.
    pub(crate) held: Option<Vec<Item<HeldChunk>>>,
    pub(crate) bar: &'a Bar,
    pub(crate) sources: &'a [Source],
    pub(crate) measure: Measure,
}

impl Pass<'_> {
    /// Runs `work` on every chunk and passes the results to `emit` in input order, until the end or
    /// a signal.
    pub(crate) fn read<S: Send, T: Send + 'static>(
        self,
        scratch: impl Fn() -> S + Sync,
        work: impl Fn(&mut S, &Source, &mut Chunk, &ByteNotes) -> T + Sync,
        weigh: impl Fn(&T) -> usize + Sync,
        mut emit: impl FnMut(Item<T>) -> Result<(), StopCause>,
    ) -> Result<Vec<S>, Error> {
        let mut progress = SourceProgress::start(self.bar, self.measure, self.sources);
        let mut enter = |item| {
            if interrupt::asked() {
                return Err(StopCause::Asked);
            }
            progress.enter(&item);
            emit(item)
        };
        let outcome = match self.held {
            None => (self.run).in_order(self.sources, scratch, work, weigh, enter),
            Some(items) => {
                let mut state = scratch();
                let mut items = items.into_iter().map(|item| match item {
                    Item::Part(mut part) => {
                        let (chunk, notes) = &mut part.value;
                        let value = work(&mut state, &part.source, chunk, notes);
                        part.skipped = chunk.skipped_count() as u64;
                        Item::Part(part.map(|_| value))
                    }
                    Item::End(end) => Item::End(end),
                });
                items.try_for_each(&mut enter).map(|()| vec![state])
            }
        };
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
