//! One pass over sources, on all threads.

use crate::commands::interrupt;
use crate::commands::texts::{GameAgain, Texts};
use crate::error::Error;
use crate::input::{ByteNotes, Chunk, GameText, Source};
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

    /// Passes the games of these indexes, sorted, to `work`, which adds to the results of their
    /// chunk, and these to `emit` in input order. Returns the number of the games.
    pub(crate) fn read_again<S: Send, T: Send + Default + 'static>(
        &self,
        (texts, indexes): (&Texts, &[u32]),
        scratch: impl Fn() -> S + Sync,
        work: impl Fn(&mut S, &GameAgain<'_>, &mut T) + Sync,
        weigh: impl Fn(&T) -> usize + Sync,
        mut emit: impl FnMut(T) -> Result<(), Error>,
    ) -> Result<u64, Error> {
        let work = |state: &mut S, source: &Source, chunk: &mut Chunk, notes: &ByteNotes| {
            let index = |text: &GameText<'_>| {
                let index = texts.index(source, text.origin.game)?;
                indexes.binary_search(&index).is_ok().then_some(index)
            };
            chunk.keep(|text| index(&text).is_some());
            let mut value = T::default();
            let games = chunk.games();
            for (index, text) in games.filter_map(|text| Some((index(&text)?, text))) {
                let again = GameAgain {
                    index,
                    text,
                    source,
                    notes,
                };
                work(state, &again, &mut value);
            }
            value
        };
        let mut found = 0;
        self.read(scratch, work, weigh, |item| {
            if let Item::Part(part) = item {
                found += part.games - part.skipped;
                emit(part.value)?;
            }
            Ok(())
        })?;
        Ok(found)
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
