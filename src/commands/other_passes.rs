//! Passes other than the one that reports.

use crate::commands::interrupt;
use crate::commands::pass::{HeldChunk, Pass};
use crate::commands::run::CommandRun;
use crate::commands::texts::{GameAgain, refuse_changed};
use crate::error::Error;
use crate::input::{ByteNotes, Chunk, GameText, Source};
use crate::pipeline::Item;
use crate::report::{Measure, Sink};

/// Maximum size of texts that are kept for the pass that reports, in bytes.
const MOST_HELD: u64 = 32 << 20;

impl CommandRun {
    /// Reads all games before the pass that reports: errors of sources are left to that. `emit`
    /// takes the number of games of each chunk and the result of the work.
    pub(crate) fn pass_before<S: Send, T: Send + Default + 'static>(
        &mut self,
        scratch: impl Fn() -> S + Sync,
        work: impl Fn(&mut S, &Source, &Chunk, &ByteNotes) -> T + Sync,
        weigh: impl Fn(&T) -> usize + Sync,
        mut emit: impl FnMut(u64, T) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let (texts, selection) = (&mut self.texts, &self.selection);
        let pass = Pass {
            run: &self.run,
            bar: &self.output.bar,
            sources: &self.sources,
            measure: Measure::Bytes,
            held: None,
        };
        let work = |state: &mut S, source: &Source, chunk: &mut Chunk, notes: &ByteNotes| {
            let whole = chunk.clone();
            selection.apply(chunk);
            let value = work(state, source, chunk, notes);
            (value, (whole, notes.clone()))
        };
        let weigh = |(value, (chunk, _)): &(T, HeldChunk)| chunk.bytes().len() + weigh(value);
        let (mut held, mut bytes) = (Vec::new(), 0);
        pass.read(scratch, work, weigh, |item| match item {
            Item::Part(mut part) => {
                texts.enter(&part);
                bytes += part.bytes;
                let (games, value) = (part.games, std::mem::take(&mut part.value.0));
                held.push(Item::Part(part.map(|(_, chunk)| chunk)));
                if bytes > MOST_HELD {
                    held.clear();
                }
                Ok(emit(games, value)?)
            }
            Item::End(end) => {
                held.push(Item::End(end));
                Ok(())
            }
        })?;
        selection.end_search();
        self.held = (bytes <= MOST_HELD).then_some(held);
        Ok(())
    }

    /// Reads the games of these indexes, sorted, again. `work` adds its results to those of the
    /// chunk.
    ///
    /// # Errors
    ///
    /// An input was changed, or the error of `emit`.
    pub(crate) fn pass_again<S: Send, T: Send + Default + 'static>(
        &mut self,
        indexes: &[u32],
        scratch: impl Fn() -> S + Sync,
        work: impl Fn(&mut S, &GameAgain<'_>, &mut T) + Sync,
        weigh: impl Fn(&T) -> usize + Sync,
        mut emit: impl FnMut(&mut Sink, T) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let (texts, sink) = (&self.texts, &mut self.output.sink);
        let sources = &*texts.holding(&self.sources, indexes);
        let pass = Pass {
            run: &self.run,
            bar: &self.output.bar,
            sources,
            measure: Measure::BytesAgain,
            held: self.held.as_ref().map(|held| {
                let parts = held.iter().filter_map(|item| match item {
                    Item::Part(part) => Some(Item::Part(part.clone())),
                    Item::End(_) => None,
                });
                parts.collect()
            }),
        };
        let work = |state: &mut S, source: &Source, chunk: &mut Chunk, _: &ByteNotes| {
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
                };
                work(state, &again, &mut value);
            }
            value
        };
        let mut found = 0;
        pass.read(scratch, work, weigh, |item| {
            if let Item::Part(part) = item {
                found += part.games - part.skipped;
                emit(sink, part.value)?;
            }
            Ok(())
        })?;
        match interrupt::asked() {
            true => Ok(()),
            false => refuse_changed(sources, found == indexes.len() as u64),
        }
    }
}
