//! Output formats of findings, one file for each.
//!
//! An [`Emitter`] renders single findings, on the worker threads. A [`ReportFormat`] writes them in
//! input order; SARIF and JUnit add text before and after. No format buffers more than its next
//! element.

mod concise;
mod csv;
mod excerpt;
mod fields;
mod github;
mod human;
mod jsonl;
mod junit;
mod sarif;

use std::ops::Range;

use crate::commands::accounts::Accounts;
use crate::commands::validate::baseline::Fingerprint;
use crate::commands::validate::registry::Severity;
use crate::commands::validate::report::Report;
use crate::error::Error;
use crate::input::Source;
use crate::report::sink::Sink;

pub use concise::{Concise, concise};
pub use csv::Csv;
pub use github::Github;
pub use human::{Human, Paint};
pub use jsonl::Jsonl;
pub use junit::{Junit, Suites};
pub use sarif::{Sarif, SarifLog};

/// Renders findings.
pub trait Emitter: Sync {
    /// Adds one finding of a source to `out`. An emitter that [needs](Emitter::needs_fingerprint)
    /// fingerprints gets one.
    fn emit(
        &self,
        out: &mut String,
        source: &Source,
        report: &Report<'_>,
        fingerprint: Option<&Fingerprint>,
    );

    /// Whether fingerprints are emitted; they cost a pass over the text of the game.
    fn needs_fingerprint(&self) -> bool {
        false
    }
}

/// Emitted findings of one source, in input order.
#[derive(Clone, Copy, Debug)]
pub struct Emitted<'a> {
    /// The emitted findings.
    pub text: &'a str,
    /// The ranges to be shown, with severities.
    pub shown: &'a [(Severity, Range<usize>)],
}

/// End of a run.
#[derive(Clone, Copy, Debug)]
pub struct RunEnd {
    /// The exit code.
    pub exit_code: u8,
    /// Whether all inputs were read to their ends.
    pub complete: bool,
    /// Whether the run was interrupted.
    pub interrupted: bool,
    /// Number of findings beyond the maximum, by severity, notes first.
    pub hidden: [u64; 3],
}

/// Writes emitted findings in input order, with the framing of the format. Output is complete after
/// [`ReportFormat::finish`] whenever it is called.
pub trait ReportFormat {
    /// Writes the beginning of the report.
    ///
    /// # Errors
    ///
    /// [`Error::Write`], as for all methods that write.
    fn begin(&mut self, _sink: &mut Sink) -> Result<(), Error> {
        Ok(())
    }

    /// Reports an unreadable input.
    ///
    /// # Errors
    ///
    /// [`Error::Write`]
    fn unreadable(&mut self, _sink: &mut Sink, _error: &Error) -> Result<(), Error> {
        Ok(())
    }

    /// Writes the findings of some games of a source. The games of a source come in sequence.
    ///
    /// # Errors
    ///
    /// [`Error::Write`]
    fn games(
        &mut self,
        sink: &mut Sink,
        source: &Source,
        accounts: Accounts,
        emitted: Emitted<'_>,
    ) -> Result<(), Error>;

    /// Ends a source; `error` is why it was not read to its end.
    ///
    /// # Errors
    ///
    /// [`Error::Write`]
    fn end_of_source(
        &mut self,
        _sink: &mut Sink,
        _source: &Source,
        _error: Option<&Error>,
    ) -> Result<(), Error> {
        Ok(())
    }

    /// Writes the end of the report.
    ///
    /// # Errors
    ///
    /// [`Error::Write`]
    fn finish(&mut self, _sink: &mut Sink, _end: &RunEnd) -> Result<(), Error> {
        Ok(())
    }
}

/// A format without framing, except for a header that may be empty.
#[derive(Clone, Copy, Debug, Default)]
pub struct PlainFormat {
    /// The header.
    pub header: &'static str,
}

impl ReportFormat for PlainFormat {
    fn begin(&mut self, sink: &mut Sink) -> Result<(), Error> {
        sink.write(self.header.as_bytes())
    }

    fn games(
        &mut self,
        sink: &mut Sink,
        _source: &Source,
        _accounts: Accounts,
        emitted: Emitted<'_>,
    ) -> Result<(), Error> {
        // Adjacent findings are written at once: on a terminal every write redraws the progress
        // bar.
        let mut shown = emitted.shown.iter().map(|(_, range)| range);
        let mut run = 0..0;
        loop {
            let next = shown.next();
            if let Some(next) = next
                && next.start == run.end
            {
                run.end = next.end;
                continue;
            }
            sink.write(emitted.text[run].as_bytes())?;
            match next {
                Some(next) => run = next.clone(),
                None => return Ok(()),
            }
        }
    }
}

/// Whether a finding of this severity makes the run fail.
fn fails(fail_on: Option<Severity>, severity: Severity) -> bool {
    fail_on.is_some_and(|least| severity >= least)
}

#[cfg(test)]
mod samples {
    use crate::commands::validate::check::Finding;
    use crate::commands::validate::registry;
    use crate::commands::validate::report::{Lines, Report};
    use crate::input::{Buffers, CHUNK_BYTES, Chunks, Source, SourceId};
    use crate::pgn::Span;

    /// A finding about `word` in a text that is one game.
    pub(crate) fn with_report_in(
        text: &str,
        word: &str,
        use_it: impl FnOnce(&Source, &Report<'_>),
    ) {
        let source = Source::stdin(SourceId(0));
        let mut chunks = Chunks::new(text.as_bytes(), &source, CHUNK_BYTES, Buffers::default());
        let chunk = chunks.next().expect("a chunk").expect("no trouble");
        let game = chunk.games().next().expect("a game");
        let start = text.find(word).expect("the word");
        let span = Span::new(start, start + word.len());
        let finding = Finding::new(
            &registry::ILLEGAL_MOVE,
            span,
            format!("`{word}` is illegal"),
        );
        use_it(&source, &Lines::new(&chunk).report(&game, finding));
    }

    /// A finding about a comment with this text.
    pub(crate) fn with_report(comment: &str, use_it: impl FnOnce(&Source, &Report<'_>)) {
        with_report_in(&format!("1. e4 {{{comment}}} *"), comment, use_it);
    }
}
