//! Findings in input order, counted, filtered and handed to the format, on one thread.

use crate::commands::accounts::Accounts;
use crate::commands::follow::FollowPass;
use crate::commands::run::CommandRun;
use crate::commands::validate::baseline::{Baseline, HashedText, NewBaseline};
use crate::commands::validate::check::{CheckedChunk, GameFindings};
use crate::commands::validate::formats::{FindingFormat, FindingItem, RunEnd};
use crate::commands::validate::tally::{CodeTally, MostShown, RunTally};
use crate::error::Error;
use crate::findings::Finding;
use crate::findings::accounts::findings_line;
use crate::findings::registry::{Fix, WRONG_MOVE_NUMBER};
use crate::findings::report::Lines;
use crate::input::{GameText, Source};
use crate::pipeline::{Item, SourceEnd};
use crate::report::{Buffer, Sink, append};

/// Report of a run, and its totals so far.
pub(crate) struct Reporting {
    pub(crate) format: Box<dyn FindingFormat>,
    /// Known findings, which are not reported, and how many were met.
    baseline: Option<Baseline>,
    known: u64,
    limits: MostShown,
    /// Whether the format writes fingerprints.
    pub(crate) needs_fingerprint: bool,
    /// The baseline that is to be written.
    pub(crate) recorded: Option<NewBaseline>,
    /// New findings, shown or not.
    pub(crate) tally: RunTally,
    pub(crate) accounts: Accounts,
    /// Findings about whole files, which count for no game.
    of_files: u64,
    pub(crate) pass: FollowPass,
    out: Buffer,
}

impl Reporting {
    pub(crate) fn new(
        format: Box<dyn FindingFormat>,
        baseline: Option<Baseline>,
        limits: MostShown,
    ) -> Reporting {
        Reporting {
            format,
            baseline,
            known: 0,
            limits,
            needs_fingerprint: false,
            recorded: None,
            tally: RunTally::default(),
            accounts: Accounts::default(),
            of_files: 0,
            pass: FollowPass::default(),
            out: Buffer::default(),
        }
    }

    /// Whether no pass has reported a finding.
    fn is_new(&self, title: Option<&str>, text: &[u8], finding: &Finding) -> bool {
        /// Bytes that identify the place: a place at the end of the text may grow.
        const MOST: usize = 16;
        self.pass.is_new(|| {
            let words = finding.span.of(text);
            let words = words.get(..MOST).unwrap_or(words);
            let label = finding.at.as_ref().map(|at| &at.label);
            (finding.rule.number(), title, label, words)
        })
    }

    /// Reports an input that cannot be read.
    pub(crate) fn unreadable(&mut self, error: &Error) {
        self.format.unreadable(&mut self.out, error, None);
    }

    /// Reports what was found in a chunk, as far as it is decided, or ends a source.
    pub(crate) fn enter(&mut self, item: Item<CheckedChunk>, sink: &mut Sink) -> Result<(), Error> {
        match item {
            Item::Part(part) => {
                let checked = part.value;
                self.accounts += checked.accounts;
                self.format.games(&part.source, checked.accounts);
                self.report(checked, &part.source);
            }
            Item::End(end) => {
                self.tally.end_of_source();
                let SourceEnd { source, error, .. } = &end;
                match error {
                    Some(error) => (self.format).unreadable(&mut self.out, error, Some(source)),
                    None => self.format.end_of_source(&mut self.out, source),
                }
            }
        }
        self.write(sink)
    }

    /// Numbers of findings that are not shown, by severity.
    fn hidden(&self) -> [u64; 3] {
        let (hidden, left_out) = (self.tally.hidden(), self.format.left_out());
        std::array::from_fn(|severity| hidden[severity] + left_out[severity])
    }

    /// Writes the end of the report.
    pub(crate) fn finish(&mut self, run: &mut CommandRun, failed: bool) -> Result<(), Error> {
        let end = RunEnd {
            exit_code: run.outcome(self.accounts, failed).code(),
            complete: run.is_complete(),
            interrupted: run.interrupted,
            hidden: self.hidden(),
            tally: &self.tally,
            accounts: self.accounts,
        };
        self.format.finish(&mut self.out, &end);
        self.write(&mut run.output.sink)
    }

    /// Writes what the format has written so far.
    pub(crate) fn write(&mut self, sink: &mut Sink) -> Result<(), Error> {
        sink.write(self.out.as_bytes())?;
        self.out.clear();
        Ok(())
    }

    fn report(&mut self, checked: CheckedChunk, source: &Source) {
        let Some(chunk) = checked.chunk else { return };
        let mut lines = Lines::new(&chunk);
        let mut games = chunk.games().enumerate();
        for found in checked.found {
            if let Some((_, text)) = games.find(|(nth, _)| *nth == found.nth) {
                self.report_game(&text, found, source, &mut lines);
            }
        }
    }

    fn report_game(
        &mut self,
        text: &GameText<'_>,
        found: GameFindings,
        source: &Source,
        lines: &mut Lines<'_>,
    ) {
        let needs_fingerprint =
            self.needs_fingerprint || self.baseline.is_some() || self.recorded.is_some();
        let mut hashed = needs_fingerprint.then(|| HashedText::new(text.bytes));
        // The first wrong number has the edits of all.
        let mut numbers = Fix::Never;
        let mut repairs = found.repairs.iter();
        for finding in found.findings {
            let repair = repairs.next().and_then(Option::as_deref);
            let (severity, rule) = (finding.severity, finding.rule);
            let mut fix = finding.fix();
            if rule == &WRONG_MOVE_NUMBER {
                fix = if fix == Fix::Never { numbers } else { fix };
                numbers = fix;
            }
            if !self.is_new(found.title.as_deref(), text.bytes, &finding) {
                continue;
            }
            let fingerprint = hashed.as_mut().map(|text| text.fingerprint(&finding));
            if let (Some(recorded), Some(fingerprint)) = (&mut self.recorded, &fingerprint) {
                recorded.add(source.name(), &finding, fingerprint);
            }
            let baseline = self.baseline.as_mut().zip(fingerprint.as_ref());
            if baseline.is_some_and(|(baseline, found)| baseline.takes(found)) {
                self.known += 1;
                continue;
            }
            self.of_files += u64::from(rule.is_once_per_file);
            let report = lines.report(text, finding);
            let place = (report.game, report.line, report.column);
            if self
                .tally
                .add(source, (rule, severity), place, fix, self.limits)
            {
                let item = FindingItem {
                    source,
                    report: &report,
                    repair,
                    fingerprint: fingerprint.as_ref(),
                    title: found.title.as_deref(),
                };
                self.format.finding(&mut self.out, item);
            }
        }
    }

    /// A line for each code of which `--max-per-code` hides findings.
    pub(crate) fn more_of_codes(&self) -> String {
        let mut lines = String::new();
        let is_limited = |code: &&CodeTally| Some(code.shown) == self.limits.per_code;
        for one in self.tally.codes().into_iter().filter(is_limited) {
            let (code, name, more) = (one.code(), one.rule.name, one.count - one.shown);
            if more > 0 {
                append!(
                    lines,
                    "{code} {name}: {more} more, shown by `--select {code} --max-per-code all`\n"
                );
            }
        }
        lines
    }

    /// The closing line on the findings.
    pub(crate) fn summary(&self) -> String {
        let mut summary = findings_line(self.tally.counts, self.of_files, self.tally.fixable);
        let hidden: u64 = self.hidden().iter().sum();
        if hidden > 0 {
            append!(summary, "; {hidden} of them not shown");
        }
        if let Some(baseline) = &self.baseline {
            let (known, missed) = (self.known, baseline.left());
            append!(
                summary,
                "\nbaseline: {known} known and not reported, {missed} not found"
            );
        }
        summary
    }
}

#[cfg(test)]
mod tests {

    use super::*;
    use crate::commands::validate::formats::Concise;
    use crate::findings::registry::ILLEGAL_MOVE;
    use crate::input::{Buffers, SourceId};
    use crate::pgn::Span;

    #[test]
    fn what_is_known_does_not_count_towards_the_most_that_are_shown() {
        let text = b"1. e4 *";
        let source = Source::text(SourceId(0), "x", text);
        let mut chunks = source.chunks(&text[..], 1 << 10, Buffers::default());
        let chunk = chunks.next().unwrap().unwrap();
        let finding = Finding::new(&ILLEGAL_MOVE, Span::new(3, 5), "");
        let known = HashedText::new(text).fingerprint(&finding);
        let limits = MostShown {
            most: Some(1),
            per_code: None,
        };
        let baseline = Baseline::from_iter([(known, 1)]);
        let mut reporting = Reporting::new(Box::new(Concise), Some(baseline), limits);
        let found = GameFindings {
            nth: 0,
            title: None,
            findings: vec![finding; 3],
            repairs: Vec::new(),
        };
        let checked = CheckedChunk {
            chunk: Some(chunk),
            found: vec![found],
            ..CheckedChunk::default()
        };
        reporting.report(checked, &source);
        // The baseline knows one of them only.
        assert_eq!((reporting.known, reporting.tally.hidden()), (1, [0, 0, 1]));
        assert_eq!(reporting.baseline.map(|baseline| baseline.left()), Some(0));
    }
}
